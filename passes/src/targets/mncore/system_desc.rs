//! The description of a system with MN-Core 2: a host and one chip.
//!
//! `mncore.system_desc` is a dictionary of the figures that say how much of what a chip has. There
//! is one generation, so the description is always the same.

use tessera_isa_mncore::memory::{DRAM_WORDS, L1BM_WORDS, L2BM_WORDS, PDM_WORDS};

/// The attribute of a module that holds the description.
pub const SYSTEM_DESC: &str = "mncore.system_desc";

/// The chips that have a built-in description.
pub const CHIPS: &[&str] = &["mncore2"];

/// Checks that a description, as attribute text, is one of a chip that is known.
///
/// # Errors
/// What it should be.
pub fn check(description: &str) -> Result<(), String> {
    let chip = format!("chip = \"{}\"", CHIPS[0]);
    match description.starts_with('{') && description.contains(&chip) {
        true => Ok(()),
        false => Err(format!(
            "has {SYSTEM_DESC} = {description}, which describes no chip; it is a dictionary with {chip}"
        )),
    }
}

/// The description, as attribute text; memories in long words of 64 bits.
pub fn built_in() -> String {
    format!(
        "{{chip = \"{}\", dram_words = {DRAM_WORDS} : i64, pdm_words = {PDM_WORDS} : i64, \
         l2bm_words = {L2BM_WORDS} : i64, l1bm_words = {L1BM_WORDS} : i64}}",
        CHIPS[0]
    )
}
