//! The reference page of an instruction.

use std::fmt::Write;

use crate::table::Row;
use crate::Arch;

/// Returns the page of an instruction by its mnemonic in either spelling (`MVMUL`, `ttmvmul`), if
/// it exists.
pub fn page(mnemonic: &str) -> Option<String> {
    let row = Row::by_mnemonic(mnemonic).or_else(|| Row::by_text_mnemonic(mnemonic))?;
    let mut out = format!("{}: {}\n\n", row.mnemonic, row.doc);
    let chips: Vec<&str> = Arch::ALL
        .into_iter()
        .filter(|arch| row.is_on(*arch))
        .map(Arch::name)
        .collect();
    let mut line = |name: &str, value: &str| {
        writeln!(out, "{name:<9}{value}").expect("a String takes everything");
    };
    line("opcode", &format!("{:#04x}", row.opcode as u8));
    line("chips", &chips.join(", "));
    line("unit", &format!("{:?}", row.unit));
    line(
        "cycles",
        &format!("{} (ISA documentation, {})", row.latency, row.unit.page()),
    );
    for arch in Arch::ALL.into_iter().filter(|arch| row.is_on(*arch)) {
        operands(&mut out, row, arch);
    }
    Some(out)
}

/// Returns the mnemonic with the names of its operands on a chip.
pub(crate) fn synopsis(row: &Row, arch: Arch) -> String {
    let names: Vec<&str> = row.fields(arch).iter().map(|field| field.name).collect();
    let synopsis = format!("{} {}", row.text_mnemonic(), names.join(", "));
    synopsis.trim_end().to_owned()
}

/// Writes the operands on a chip with their bits.
fn operands(out: &mut String, row: &Row, arch: Arch) {
    let fields = row.fields(arch);
    let mut text = format!("\n{arch}\n    {}\n", synopsis(row, arch));
    for field in fields {
        let bits = field.bits();
        writeln!(
            text,
            "    {bits:>5}  {:<24} 0 to {}",
            field.name,
            field.max()
        )
        .expect("a String takes everything");
    }
    out.push_str(&text);
}

#[cfg(test)]
mod tests;
