use super::*;
use crate::eval::eval;
use crate::{table, AttributeValue, ElementType, TensorType};
use proptest::prelude::*;

fn attributes(name: &str) -> Attributes {
    let none = Attributes::none();
    let ints = |values: &[i64]| AttributeValue::Ints(values.to_vec());
    match name {
        "leaky_relu" => none.with("parameter", AttributeValue::Float(-0.5)),
        "clamp_scalar" => none
            .with("min", AttributeValue::Float(-1.0))
            .with("max", AttributeValue::Float(0.5)),
        "permute" => none.with("permutation", ints(&[1, 0])),
        "concat" => none.with("dim", AttributeValue::Int(0)),
        "slice_static" => none
            .with("begins", ints(&[1, 2]))
            .with("ends", ints(&[2, 0]))
            .with("step", ints(&[1, -1])),
        "pad" => none
            .with("padding", ints(&[1, -1, 0, 2]))
            .with("value", AttributeValue::Float(0.5)),
        "reverse" => none.with("dimensions", ints(&[1])),
        "repeat" => none.with("repeat_dimensions", ints(&[2, 3])),
        "repeat_interleave" => none
            .with("repeats", AttributeValue::Int(2))
            .with("dim", AttributeValue::Int(1)),
        "reshape" => none.with("shape", ints(&[3, -1])),
        "sum" | "mean" | "max" | "min" => none
            .with("keep_dim", AttributeValue::Bool(true))
            .with("dim_arg", ints(&[1])),
        _ => none,
    }
}

/// For all operands within their intervals, the result is within its interval.
#[test]
fn results_of_points_lie_in_the_enclosure() {
    let shapes: [&[u64]; 3] = [&[2, 3], &[3], &[2, 1]];
    let interval = || {
        (
            -3.0..3.0f64,
            prop_oneof![Just(0.0), 0.0..2.0f64],
            0.0..=1.0f64,
        )
    };
    let strategy = prop::collection::vec(interval(), 6 + 3 + 2);
    let config = ProptestConfig {
        cases: 512,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    proptest::test_runner::TestRunner::new(config)
        .run(&strategy, |elements| {
            for op in table::all() {
                // A lookup needs indices in range.
                let is_enclosed = !matches!(
                    op.class,
                    Class::Contraction | Class::Composite(_) | Class::Lookup(_)
                );
                if !op.is_arithmetic() || !is_enclosed || !op.domain.contains(Arithmetic::Float) {
                    continue;
                }
                let attributes = attributes(op.name);
                let count = op.operands.len();
                let element = ElementType::F32;
                let types = shapes[..count].iter().map(|shape| TensorType {
                    shape: shape.to_vec(),
                    element,
                });
                let types: Vec<_> = types.collect();
                let mut rest = elements.iter();
                let (mut points, mut intervals) = (vec![], vec![]);
                for shape in &shapes[..count] {
                    let size = shape.iter().product::<u64>() as usize;
                    let own: Vec<_> = rest.by_ref().take(size).collect();
                    let point = |(low, width, at): &&(f64, f64, f64)| low + at * width;
                    let spans = own.iter().map(|(low, width, at)| {
                        let point = low + at * width;
                        Interval::new(low.min(point), (low + width).max(point))
                    });
                    intervals.push(Intervals {
                        shape: shape.to_vec(),
                        values: spans.collect(),
                    });
                    points.push(Array {
                        shape: shape.to_vec(),
                        values: own.iter().map(point).collect(),
                    });
                }
                let call = Call {
                    op,
                    operands: &types,
                    attributes: &attributes,
                };
                let exact = eval(&call, Arithmetic::Float, &points).unwrap();
                let found = enclose(&call, Arithmetic::Float, &intervals).unwrap();
                prop_assert_eq!(&found.shape, &exact.shape);
                for (value, range) in exact.values.iter().zip(found.values) {
                    let slack = 1e-12 * value.abs();
                    let holds = range.is_undetermined()
                        || (value.is_nan() && range.is_not_a_number())
                        || Interval::new(range.low - slack, range.high + slack).contains(*value);
                    prop_assert!(holds, "{op}: {value} {range:?}");
                }
            }
            Ok(())
        })
        .unwrap();
}

#[test]
fn conditions_choose_what_they_may() {
    let of = |low, high| Interval::new(low, high);
    let (y, z) = (of(1.0, 2.0), of(4.0, 5.0));
    for (x, expect) in [
        (of(1.0, 3.0), y),
        (Interval::point(0.0), z),
        (of(-1.0, 1.0), of(1.0, 5.0)),
    ] {
        let found = Ternary::Where.enclose(Arithmetic::Float, [x, y, z]);
        assert_eq!(found, expect, "{x:?}");
    }
    let open = Interval::UNDETERMINED;
    let chosen = Ternary::Where.enclose(Arithmetic::Float, [of(1.0, 3.0), y, open]);
    assert_eq!(chosen, y, "what is not chosen does not matter");
}
