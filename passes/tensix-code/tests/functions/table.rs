//! What the table says of itself.

use tessera_ops::{Binary, Unary};
use tessera_pto::kernel::Element;
use tessera_tensix_code::functions::{markdown, Function, FunctionImpl};
use tessera_test_support::check_generated_page;

/// The committed page matches the table; `TESSERA_BLESS=1` rewrites it.
#[test]
fn page_matches_the_table() {
    let page = markdown();
    assert!(page.contains("| `exp` | floats | "), "{page}");
    let rows = page.lines().filter(|line| line.starts_with("| `"));
    for row in rows {
        let count = row.split(" | ").nth(2).and_then(|count| count.parse().ok());
        assert!(count > Some(2), "it does not fit into the LRegs: {row}");
    }
    check_generated_page("docs/reference/tensix/functions.md", &page);
}

/// Every function of the compiler has a row for each type in its domain.
#[test]
fn no_function_is_left_out() {
    for element in [Element::F32, Element::I32] {
        let integer = element.is_integer();
        let unary = Unary::ALL
            .iter()
            .map(|one| (Function::Unary(*one), one.domain()));
        let binary = Binary::ALL
            .iter()
            .map(|one| (Function::Binary(*one), one.domain()));
        for (function, domain) in unary.chain(binary) {
            let row = FunctionImpl::find(function, integer);
            assert_eq!(
                row.is_some(),
                domain.contains(element),
                "{function:?} {element:?}"
            );
        }
    }
}
