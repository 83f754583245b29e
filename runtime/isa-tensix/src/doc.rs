//! The instruction table as Markdown, for the reference page.

use std::fmt::Write;

use crate::table::{rows, Row};

/// One table line per instruction: opcode, text form, unit, what it does.
pub fn markdown() -> String {
    let mut out =
        String::from("| opcode | instruction | unit | what it does |\n|---|---|---|---|\n");
    for row in rows() {
        writeln!(
            out,
            "| {:#04x} | `{}` | {:?} | {} |",
            row.opcode as u8,
            signature(row),
            row.unit,
            row.doc
        )
        .expect("a String takes everything");
    }
    out
}

fn signature(row: &Row) -> String {
    let operands: Vec<String> = row
        .fields
        .iter()
        .map(|f| format!("{}:{}", f.name, f.width))
        .collect();
    format!("{} {}", row.text_mnemonic(), operands.join(", "))
        .trim_end()
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The committed page is what the table says; `TESSERA_BLESS=1` rewrites it.
    #[test]
    fn page_is_fresh() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/INSTRUCTIONS.md");
        let page = format!("{PREFACE}{}", markdown());
        if std::env::var_os("TESSERA_BLESS").is_some() {
            std::fs::write(path, &page).unwrap();
        }
        assert_eq!(
            std::fs::read_to_string(path).unwrap(),
            page,
            "run with TESSERA_BLESS=1"
        );
    }

    #[test]
    fn one_line_per_row() {
        let text = markdown();
        assert_eq!(text.lines().count(), rows().len() + 2);
        assert!(text
            .contains("| 0x38 | `ttincrwc rwc_cr:3, rwc_d:4, rwc_b:4, rwc_a:4` | Matrix | Adds to the row counters. |"));
    }

    const PREFACE: &str =
        "# Tensix instructions (Wormhole B0)\n\nOperands are `name:bits`, in text order. \
        This page is derived from `src/table.rs`; edit that.\n\n";
}
