use super::*;
use crate::ttnn::fusion::extent::{Extent, MatrixIndex};
use tessera_dialects::pto::Broadcast;
use tessera_ops::Unary;
use tessera_pto::target::Precision;

#[test]
fn long_chains_do_not_fit() {
    let tensors = [Tensor {
        extent: Extent::from_shape(&[90, 90]),
        element: Element::F32,
        index: MatrixIndex::identity(),
    }];
    let of = |function, times| {
        let functions = std::iter::repeat_n(Step::Unary(function, Precision::F32), times);
        let first = Step::WidenVector(0, Broadcast::None);
        [first].into_iter().chain(functions).collect::<Vec<_>>()
    };
    assert!(fits(&of(Unary::Gelu, 5), &tensors));
    assert!(!fits(&of(Unary::Gelu, 40), &tensors));
    assert!(fits(&of(Unary::Neg, 500), &tensors));
    assert!(!fits(&of(Unary::Neg, 520), &tensors));
    // Operations before a factor are in the same loop.
    let factor = Factor::Computed(of(Unary::Gelu, 40), Element::F32);
    assert!(!fits(&[Step::Product(factor, Factor::Input(0))], &tensors));
}
