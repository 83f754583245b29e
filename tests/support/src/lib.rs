//! Selects how much the tests of all crates cover, by the environment variable
//! `TESSERA_LONG_TESTS`.
//!
//! | value | effect |
//! |---|---|
//! | not set | tests run a sample of their cases |
//! | `1` | tests run many more cases, for minutes to hours |
//! | `all` | tests that enumerate 32-bit words run all of them; others run as for `1` |

const VARIABLE: &str = "TESSERA_LONG_TESTS";

/// Returns whether `TESSERA_LONG_TESTS` is set, so that tests run many more cases.
pub fn is_long_run() -> bool {
    std::env::var_os(VARIABLE).is_some()
}

/// Returns whether `TESSERA_LONG_TESTS` is `all`, so that tests enumerate all 32-bit words.
pub fn is_exhaustive_run() -> bool {
    std::env::var_os(VARIABLE).is_some_and(|value| value == "all")
}
