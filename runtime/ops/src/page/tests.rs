use super::*;

/// The committed page is what the table says; `TESSERA_BLESS=1` rewrites it.
#[test]
fn the_page_is_that_of_the_table() {
    let page = markdown();
    for op in table::all() {
        assert!(page.contains(&names(op)), "{op}");
    }
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../docs/reference/operations.md"
    );
    if std::env::var_os("TESSERA_BLESS").is_some() {
        std::fs::write(path, &page).expect("the page can be written");
    }
    let committed = std::fs::read_to_string(path).expect("the page is there");
    assert!(committed == page, "run with TESSERA_BLESS=1");
}

/// What is said of an operation comes from a sample, which every operation that computes has.
#[test]
fn every_operation_has_a_sample() {
    for op in table::all().iter().filter(|op| op.is_arithmetic()) {
        assert!(Sample::new(op).is_some(), "{op}");
        assert!(!example(op).is_empty(), "{op}");
        assert!(!mismatch(op).is_empty(), "{op}");
    }
}
