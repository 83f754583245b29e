//! The system description of MN-Core 2: a host and one chip.
//!
//! The module attribute `mncore.system_desc` is a dictionary of sizes. There is one generation, so
//! the description is always the same.

use tessera_isa_mncore::memory::{DRAM_WORDS, L1BM_WORDS, L2BM_WORDS, PDM_WORDS};

/// The attribute of a module that holds the description.
pub const SYSTEM_DESC: &str = "mncore.system_desc";

/// The chips that have a built-in description.
pub const CHIPS: &[&str] = &["mncore2"];

/// Checks that a description, as attribute text, is that of a known chip.
///
/// # Errors
/// The expected description.
pub fn check(description: &str) -> Result<(), String> {
    let chip = format!("chip = \"{}\"", CHIPS[0]);
    match description.starts_with('{') && description.contains(&chip) {
        true => Ok(()),
        false => Err(format!(
            "has {SYSTEM_DESC} = {description}, which describes no chip; it is a dictionary with {chip}"
        )),
    }
}

/// Returns the description as attribute text; memory sizes in long words of 64 bits.
pub fn built_in() -> String {
    format!(
        "{{chip = \"{}\", dram_words = {DRAM_WORDS} : i64, pdm_words = {PDM_WORDS} : i64, \
         l2bm_words = {L2BM_WORDS} : i64, l1bm_words = {L1BM_WORDS} : i64}}",
        CHIPS[0]
    )
}
