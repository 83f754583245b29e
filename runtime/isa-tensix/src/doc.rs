//! The instruction table as Markdown, for the reference page.

use std::fmt::Write;

use crate::table::{rows, Row};
use crate::Arch;

/// Returns one table line per instruction: opcode, text form, unit, cycles, description.
pub fn markdown() -> String {
    let mut out = String::from(
        "| opcode | instruction | unit | cycles | what it does |\n|---|---|---|---|---|\n",
    );
    for row in rows() {
        writeln!(
            out,
            "| {:#04x} | {} | {:?} | {} | {} |",
            row.opcode as u8,
            signatures(row),
            row.unit,
            row.latency,
            row.doc
        )
        .expect("a String takes everything");
    }
    out
}

/// Returns the text form; one per chip if they differ or one chip does not have the instruction.
fn signatures(row: &Row) -> String {
    let [wormhole, blackhole] = Arch::ALL.map(|arch| row.fields(arch));
    let everywhere = Arch::ALL.iter().all(|arch| row.is_on(*arch));
    if everywhere && wormhole == blackhole {
        return format!("`{}`", signature(row, Arch::WormholeB0));
    }
    let chips = Arch::ALL.into_iter().filter(|arch| row.is_on(*arch));
    let chips = chips.map(|arch| format!("{arch}: `{}`", signature(row, arch)));
    chips.collect::<Vec<_>>().join("<br>")
}

fn signature(row: &Row, arch: Arch) -> String {
    let fields = row.fields(arch).iter();
    let operands: Vec<String> = fields
        .map(|field| format!("{}[{}]", field.name, field.bits()))
        .collect();
    format!("{} {}", row.text_mnemonic(), operands.join(", "))
        .trim_end()
        .to_owned()
}

#[cfg(test)]
mod tests;
