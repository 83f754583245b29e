//! Instructions that set configuration fields to values, for either chip.

use std::collections::BTreeMap;
use std::fmt::Write;

use tessera_isa_tensix::cfg::{ConfigField, Field, ThreadField};
use tessera_isa_tensix::Arch;

/// Returns the words that hold these fields; their other bits are 0.
fn words<const THREAD: bool>(arch: Arch, fields: &[(Field<THREAD>, u32)]) -> BTreeMap<u32, u32> {
    let mut words = BTreeMap::new();
    for (field, value) in fields {
        let place = field
            .place_on(arch)
            .unwrap_or_else(|| panic!("{arch} has no {}", field.name));
        *words.entry(place.addr32()).or_default() |= place.encode(*value);
    }
    words
}

/// Sets words of `Config`, via GPR 16.
pub fn set(arch: Arch, fields: &[(ConfigField, u32)]) -> String {
    let mut text = String::new();
    for (index, word) in words(arch, fields) {
        for (register, half) in [(32, word & 0xffff), (33, word >> 16)] {
            let (size, rest) = (half >> 14, half & 0x3fff);
            writeln!(text, "ttsetdmareg {size}, {rest}, 0, {register}").unwrap();
        }
        writeln!(text, "ttwrcfg 16, 0, {index}").unwrap();
    }
    text + "ttnop\n"
}

/// Sets words of a thread's configuration.
pub fn set_thread(arch: Arch, fields: &[(ThreadField, u32)]) -> String {
    let words = words(arch, fields).into_iter();
    words.fold(String::new(), |text, (index, word)| {
        text + &format!("ttsetc16 {index}, {word}\n")
    })
}
