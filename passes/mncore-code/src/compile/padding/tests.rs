use super::*;
use crate::raise::BroadcastView;

fn expr(kind: ExprKind) -> Expr {
    Expr {
        kind,
        precision: tessera_pto::target::Precision::F32,
        element: Element::F32,
        location: 0,
    }
}

fn tensor(number: usize) -> Expr {
    expr(ExprKind::Tensor(number, BroadcastView::default()))
}

fn row() -> Expr {
    let broadcast = BroadcastView {
        rows: true,
        ..BroadcastView::default()
    };
    expr(ExprKind::Tensor(0, broadcast))
}

fn fill(number: f64) -> Expr {
    expr(ExprKind::Fill(number))
}

fn unary(function: Unary, of: Expr) -> Expr {
    expr(ExprKind::Unary(function, Box::new(of)))
}

fn binary(function: Binary, left: Expr, right: Expr) -> Expr {
    expr(ExprKind::Binary(function, Box::new([left, right])))
}

fn product(left: Expr, right: Expr) -> Expr {
    expr(ExprKind::Product(Box::new([left, right])))
}

fn reduced(reduce: Reduce, of: Expr) -> Expr {
    expr(ExprKind::Reduce {
        reduce,
        axis: Axis::Columns,
        extent: 5,
        of: Box::new(of),
    })
}

/// Whether an expression is determined after rows, after columns, in the corner, and in cycles
/// that are not moved and hold what is kept, or what is reduced: with zeros in padding, and with
/// edges.
fn determined(expr: &Expr) -> [[bool; 5]; 2] {
    let zeros = |_: usize, _: Region| Padding::ZERO;
    let edges = |_: usize, _: Region| Padding::like_elements(Element::F32);
    let fills: [OfTensor; 2] = [&zeros, &edges];
    fills.map(|tensors| {
        let of = |region| padding(expr, &[], region, tensors).is_determined;
        let [rows, columns, corner] = Region::IN_DRAM.map(of);
        let fill = fill_for(&[expr], &[]);
        [rows, columns, corner, !fill.cycles, !fill.tall_cycles]
    })
}

#[test]
fn which_expressions_are_determined() {
    use Binary::{Add, Divide, Multiply, Subtract};
    const ALL: [bool; 5] = [true; 5];
    const NONE: [bool; 5] = [false; 5];
    let times = |one: Expr| binary(Multiply, one, tensor(1));
    let exp = |one: Expr| unary(Unary::Exp, one);
    let distance = || binary(Subtract, tensor(0), reduced(Reduce::Max, tensor(0)));
    let softmax = || {
        binary(
            Divide,
            exp(distance()),
            reduced(Reduce::Sum, exp(distance())),
        )
    };
    let mean = || binary(Multiply, reduced(Reduce::Sum, tensor(0)), fill(0.2));
    let centred = || binary(Subtract, tensor(0), mean());
    let square = |one: &dyn Fn() -> Expr| binary(Multiply, one(), one());
    let variance = || binary(Add, reduced(Reduce::Sum, square(&centred)), fill(1e-5));
    let norm = binary(Multiply, centred(), unary(Unary::Rsqrt, variance()));
    for (expr, zeros) in [
        (tensor(0), ALL),
        (times(tensor(0)), ALL),
        (times(unary(Unary::Rsqrt, tensor(0))), NONE),
        (times(unary(Unary::Log, tensor(0))), NONE),
        (times(unary(Unary::Reciprocal, tensor(0))), NONE),
        (times(binary(Divide, tensor(0), tensor(1))), NONE),
        (times(unary(Unary::Gelu, tensor(0))), ALL),
        // Behind rows, the row has numbers, which may be zero.
        (times(unary(Unary::Log, row())), NONE),
        (times(unary(Unary::Abs, row())), ALL),
        // A constant keeps the argument from zero, after elements; before a kernel there may be
        // any numbers.
        (
            times(unary(Unary::Rsqrt, binary(Add, tensor(0), fill(0.5)))),
            [true, true, true, false, false],
        ),
        (times(exp(tensor(0))), [true, true, true, false, false]),
        (
            binary(
                Subtract,
                unary(Unary::Log, tensor(0)),
                unary(Unary::Log, tensor(1)),
            ),
            NONE,
        ),
        (softmax(), ALL),
        // Behind columns zero is less than the largest element by anything.
        (times(softmax()), [true, false, true, false, false]),
        (norm, ALL),
        (product(tensor(0), tensor(1)), ALL),
        // A second layer sees the first one's bias after rows.
        (
            product(
                unary(
                    Unary::Relu,
                    binary(Binary::Add, product(tensor(0), tensor(1)), row()),
                ),
                tensor(1),
            ),
            ALL,
        ),
        (
            times(unary(Unary::Rsqrt, product(tensor(0), tensor(1)))),
            NONE,
        ),
        (product(unary(Unary::Rsqrt, tensor(0)), tensor(1)), NONE),
    ] {
        let [fill_for, with_edges] = determined(&expr);
        assert_eq!(fill_for, zeros, "{expr:?}");
        assert_eq!(with_edges[..3], ALL[..3], "{expr:?}");
    }
}

#[test]
fn what_padding_holds() {
    let zeros = |_: usize, _: Region| Padding::ZERO;
    let behind =
        |expr: &Expr| Region::IN_DRAM.map(|region| padding(expr, &[], region, &zeros).padding);
    let are_zero = |expr: &Expr| behind(expr).map(Padding::is_zero);
    let both = || product(tensor(0), tensor(1));
    assert_eq!(are_zero(&unary(Unary::Gelu, both())), [true; 3]);
    let biased = binary(Binary::Add, both(), row());
    assert_eq!(are_zero(&biased), [false, true, true]);
    assert_eq!(are_zero(&unary(Unary::Exp, tensor(0))), [false; 3]);
    assert_eq!(
        are_zero(&reduced(Reduce::Max, tensor(0))),
        [true, false, true]
    );
    let elements = behind(&reduced(Reduce::Max, tensor(0))).map(|one| one.is_element);
    assert_eq!(elements, [false, true, false]);
}

#[test]
fn local_tensors_have_what_is_stored() {
    let local = |number: usize, value: Expr| Store {
        tensor: number,
        value,
        location: 0,
    };
    // The exponential of 5 more than a tensor, and the maximum of its columns.
    let large = binary(Binary::Add, tensor(0), fill(5.0));
    let locals = [
        local(1, unary(Unary::Exp, large)),
        local(2, reduced(Reduce::Max, tensor(1))),
    ];
    let view = |transposed, rows, columns| {
        let broadcast = BroadcastView {
            transposed,
            matrices: false,
            rows,
            columns,
        };
        expr(ExprKind::Tensor(1, broadcast))
    };
    // The tensor has a number of its own in each region.
    let of_region = |tensor: usize, region: Region| {
        assert_eq!(tensor, 0, "local tensors are no arguments");
        let number = match region {
            Region::Rows => -5.0,
            Region::Columns => 0.0,
            _ => -1000.0,
        };
        Padding {
            is_element: false,
            range: Range::point(number),
        }
    };
    let of = |expr: &Expr, region| padding(expr, &locals, region, &of_region).padding;
    let holds = |padding: Padding, number: f64| {
        let around = Range::between(number * 0.9, number * 1.1);
        !padding.is_element && padding.range.hull(around) == around
    };
    let is_element = |padding: Padding| padding.is_element;
    let exp = 5.0_f64.exp();
    assert!(holds(of(&view(false, false, false), Region::Rows), 1.0));
    assert!(holds(of(&view(false, false, false), Region::Columns), exp));
    assert!(
        of(&view(false, false, false), Region::Corner)
            .range
            .hull(Range::ZERO)
            != Range::ALL
    );
    // Columns of the transposed tensor are its rows.
    assert!(holds(of(&view(true, false, false), Region::Columns), 1.0));
    // Broadcast elements are elements.
    assert!(is_element(of(&view(false, true, false), Region::Rows)));
    assert!(holds(of(&view(false, true, false), Region::Corner), exp));
    assert!(holds(of(&view(false, false, true), Region::Corner), 1.0));
    assert!(is_element(of(&view(false, true, true), Region::Corner)));
    // A local tensor that another one is computed from.
    let max = expr(ExprKind::Tensor(2, BroadcastView::default()));
    assert!(holds(of(&max, Region::Rows), 1.0));
}
