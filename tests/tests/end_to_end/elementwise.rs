//! The names that TTIR has for the element-wise functions of the operation table, in its order.

use tessera_ops::{Arithmetic, Binary, Unary};

/// Returns the unary functions that are defined in an arithmetic.
pub fn unary(arithmetic: Arithmetic) -> Vec<&'static str> {
    let all = Unary::ALL.iter();
    let defined = all.filter(|function| function.domain().contains(arithmetic));
    defined.map(|function| function.name()).collect()
}

/// Returns the binary functions that are defined in an arithmetic.
pub fn binary(arithmetic: Arithmetic) -> Vec<&'static str> {
    let all = Binary::ALL.iter();
    let defined = all.filter(|function| function.domain().contains(arithmetic));
    defined
        .filter_map(|function| function.info().ttir)
        .collect()
}
