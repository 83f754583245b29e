use super::*;
use crate::ttnn::fusion::extent::{Extent, MatrixIndex};
use tessera_ops::{Binary, Reduce, Unary};
use tessera_pto::target::Precision;

fn tensor(element: Element) -> Tensor {
    Tensor {
        extent: Extent::from_shape(&[90, 90]),
        element,
        index: MatrixIndex::identity(),
    }
}

#[test]
fn long_chains_do_not_fit() {
    let unary = |function, count| {
        let steps = std::iter::repeat_n(Step::Unary(function, Precision::F32), count);
        let first = Step::WidenVector(0, Broadcast::None);
        [first].into_iter().chain(steps).collect::<Vec<_>>()
    };
    let singles = [tensor(Element::F32)];
    assert!(fits(&unary(Unary::Gelu, 1), &singles));
    assert!(!fits(&unary(Unary::Gelu, 40), &singles));
    // A reduction makes copies of the program.
    let reduction = |axes| Reduction {
        reduce: Reduce::Sum,
        axes,
        source: Extent::from_shape(&[90, 90]),
        mean_of: None,
        transposed: false,
    };
    assert_eq!(pieces(&reduction([true, false])), 3);
    assert_eq!(pieces(&reduction([true, true])), 9);
    let before = unary(Unary::Neg, 400);
    assert!(fits(&before, &singles));
    let reduced = |axes| [Step::Reduce(reduction(axes), before.clone())];
    assert!(fits(&reduced([false, true]), &singles));
    assert!(!fits(&reduced([true, true]), &singles));
}

/// A function that there is not for elements is left to the passes that say so.
#[test]
fn what_is_not_computed_does_not_fit() {
    let shift = Step::Binary {
        function: Binary::ShiftLeft,
        input: 1,
        broadcast: Broadcast::None,
        left: false,
        precision: Precision::F32,
    };
    let steps = [Step::WidenVector(0, Broadcast::None), shift];
    assert!(fits(&steps, &[Element::I32, Element::I32].map(tensor)));
    assert!(!fits(&steps, &[Element::F32, Element::F32].map(tensor)));
}
