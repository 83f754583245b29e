use super::*;

use tessera_test_support::check_generated_page;

/// The committed page matches the table; `TESSERA_BLESS=1` rewrites it.
#[test]
fn page_matches_the_table() {
    let page = markdown();
    for op in table::all() {
        assert!(page.contains(&names(op)), "{op}");
    }
    check_generated_page("docs/reference/operations.md", &page);
}

/// The page's examples are derived from samples, which every operation that computes has.
#[test]
fn every_operation_has_a_sample() {
    for op in table::all().iter().filter(|op| op.is_arithmetic()) {
        assert!(Sample::new(op).is_some(), "{op}");
        assert!(example(op).is_some(), "{op}");
        assert!(!mismatch(op).is_empty(), "{op}");
    }
}
