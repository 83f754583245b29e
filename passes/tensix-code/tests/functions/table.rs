//! What the table says of itself.

use tessera_ops::{Binary, Unary};
use tessera_pto::bounds::{binary_has_bf16_code, unary_has_bf16_code};
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
        for count in row
            .split(" | ")
            .skip(2)
            .take(2)
            .filter(|count| !count.is_empty())
        {
            let count = count.parse::<f64>().ok();
            assert!(count > Some(2.0), "it does not fit into the LRegs: {row}");
        }
    }
    check_generated_page("docs/reference/tensix/functions.md", &page);
}

/// Functions that have bounds for bf16 have code for it.
#[test]
fn bounds_for_bf16_have_code() {
    let has_code = |function| {
        FunctionImpl::find(function, Element::Bf16).is_some_and(|row| row.element == Element::Bf16)
    };
    for function in Unary::ALL {
        let expect = unary_has_bf16_code(*function);
        assert_eq!(has_code(Function::Unary(*function)), expect, "{function}");
    }
    for function in Binary::ALL {
        let expect = binary_has_bf16_code(*function);
        assert_eq!(has_code(Function::Binary(*function)), expect, "{function}");
    }
}

/// Every function of the compiler has a row for each type in its domain.
#[test]
fn no_function_is_left_out() {
    for element in [Element::F32, Element::I32] {
        let unary = Unary::ALL
            .iter()
            .map(|one| (Function::Unary(*one), one.domain()));
        let binary = Binary::ALL
            .iter()
            .map(|one| (Function::Binary(*one), one.domain()));
        for (function, domain) in unary.chain(binary) {
            let row = FunctionImpl::find(function, element);
            assert_eq!(
                row.is_some(),
                domain.contains(element),
                "{function:?} {element:?}"
            );
        }
    }
}
