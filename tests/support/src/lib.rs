//! Code that the tests of all crates share: how much they cover, random numbers, generated pages.
//!
//! Two environment variables change what tests do:
//!
//! | variable | effect |
//! |---|---|
//! | `TESSERA_LONG_TESTS` not set | tests run a sample of their cases |
//! | `TESSERA_LONG_TESTS=1` | tests run many more cases, for minutes to hours |
//! | `TESSERA_LONG_TESTS=all` | tests that enumerate 32-bit words run all; others run as for `1` |
//! | `TESSERA_BLESS` set | tests of generated pages write the pages ([`check_generated_page`]), and precise lit tests their outputs |

// Tests and benches use the allocator of `ttrt`.
use tessera_allocator as _;

pub mod bench;
mod generated_page;
pub mod random;

pub use generated_page::{check_generated_page, check_generated_page_with_note, is_bless_run};

const VARIABLE: &str = "TESSERA_LONG_TESTS";

/// Returns whether `TESSERA_LONG_TESTS` is set, so that tests run many more cases.
pub fn is_long_run() -> bool {
    std::env::var_os(VARIABLE).is_some()
}

/// Returns whether `TESSERA_LONG_TESTS` is `all`, so that tests enumerate all 32-bit words.
pub fn is_exhaustive_run() -> bool {
    std::env::var_os(VARIABLE).is_some_and(|value| value == "all")
}
