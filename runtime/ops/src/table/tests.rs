//! The consistency of the table, and shapes of results.

mod attention;
mod cache;
mod composites;

use super::*;
use crate::op::Class;
use crate::{AttributeValue, Attributes, CallError, ElementType, TensorType};

fn tensors(shapes: &[&[u64]], element: ElementType) -> Vec<TensorType> {
    let tensor = |shape: &&[u64]| TensorType {
        shape: shape.to_vec(),
        element,
    };
    shapes.iter().map(tensor).collect()
}

fn ints(values: &[i64]) -> AttributeValue {
    AttributeValue::Ints(values.to_vec())
}

#[test]
fn names_are_unique() {
    for op in all() {
        assert_eq!(from_name(op.name), Some(op), "{op}");
        if let Some(name) = op.ttir {
            assert_eq!(from_ttir_name(name), Some(op), "{name}");
        }
    }
    assert_eq!(from_name("div"), None);
    assert_eq!(from_ttir_name("div").map(|op| op.name), Some("divide"));
    assert_eq!(from_ttir_name("to_layout"), None);
}

#[test]
fn only_the_last_operands_may_be_several() {
    for op in all() {
        let mut others = op.operands.iter().rev();
        let several = others.by_ref().take_while(|one| one.count != Arity::One);
        let several: Vec<Arity> = several.map(|one| one.count).collect();
        let is_known = matches!(several[..], [Arity::Variadic])
            || several.iter().all(|count| *count == Arity::Optional);
        assert!(
            is_known && others.all(|one| one.count == Arity::One),
            "{op}"
        );
        // The attribute that tells them apart is declared.
        let has_segments = op.attribute(crate::op::SEGMENTS.name).is_some();
        assert_eq!(has_segments, several.len() > 1, "{op}");
    }
}

#[test]
fn summaries_are_short() {
    for op in all() {
        assert!(
            (3..=100).contains(&op.summary.len()),
            "{op}: {}",
            op.summary
        );
        assert!(!op.summary.ends_with('.'), "{op}: {}", op.summary);
    }
}

#[test]
fn shapes_of_results() {
    let none = Attributes::none;
    let reduced = |dims: &[i64], keep| {
        let keep = none().with("keep_dim", AttributeValue::Bool(keep));
        keep.with("dim_arg", ints(dims))
    };
    let dims = |a, b| {
        let first = none().with("dim0", AttributeValue::Int(a));
        first.with("dim1", AttributeValue::Int(b))
    };
    let permutation = |dims: &[i64]| none().with("permutation", ints(dims));
    let shape = |shape: &[i64]| none().with("shape", ints(shape));
    let dim = |dim| none().with("dim", AttributeValue::Int(dim));
    let softmax = |dim| none().with("dimension", AttributeValue::Int(dim));
    let slice = |begins: &[i64], ends: &[i64], steps: &[i64]| {
        let bounds = none().with("begins", ints(begins)).with("ends", ints(ends));
        bounds.with("step", ints(steps))
    };
    let pad = |padding: &[i64]| none().with("padding", ints(padding));
    let counts = |name, counts: &[i64]| none().with(name, ints(counts));
    let interleave = |repeats, at| dim(at).with("repeats", AttributeValue::Int(repeats));
    let rows: [(&str, &[&[u64]], Attributes, Result<&[u64], &str>); 43] = [
        (
            "slice_static",
            &[&[6, 7]],
            slice(&[-5, 6], &[6, 1], &[2, -3]),
            Ok(&[3, 2]),
        ),
        ("slice_static", &[&[6]], slice(&[9], &[9], &[1]), Ok(&[0])),
        ("pad", &[&[6, 7]], pad(&[1, 2, -3, 4]), Ok(&[9, 8])),
        (
            "pad",
            &[&[6]],
            pad(&[-4, -3]),
            Err("padding of dimension 0 removes more elements than the 6 it has"),
        ),
        (
            "pad",
            &[&[6]],
            pad(&[i64::MAX, i64::MAX]),
            Err("padding of dimension 0 makes an extent that exceeds 64 bits"),
        ),
        (
            "reverse",
            &[&[6, 7]],
            counts("dimensions", &[1, 0]),
            Ok(&[6, 7]),
        ),
        (
            "repeat",
            &[&[6, 7]],
            counts("repeat_dimensions", &[1, 3]),
            Ok(&[6, 21]),
        ),
        (
            "broadcast",
            &[&[1, 7]],
            counts("broadcast_dimensions", &[5, 1]),
            Ok(&[5, 7]),
        ),
        (
            "repeat_interleave",
            &[&[6, 7]],
            interleave(3, -1),
            Ok(&[6, 21]),
        ),
        ("squeeze", &[&[6, 1, 7]], dim(-2), Ok(&[6, 7])),
        ("unsqueeze", &[&[6, 7]], dim(-1), Ok(&[6, 7, 1])),
        ("unsqueeze", &[&[]], dim(0), Ok(&[1])),
        ("where", &[&[2, 1], &[3], &[]], none(), Ok(&[2, 3])),
        ("sum", &[&[2, 3]], reduced(&[0], true), Ok(&[1, 3])),
        ("sum", &[&[2, 3, 4]], reduced(&[0, -1], false), Ok(&[3])),
        ("sum", &[&[2, 3]], none(), Ok(&[])),
        (
            "permute",
            &[&[2, 3, 4]],
            permutation(&[1, 2, 0]),
            Ok(&[3, 4, 2]),
        ),
        ("transpose", &[&[2, 3, 4]], dims(0, -1), Ok(&[4, 3, 2])),
        ("reshape", &[&[2, 3, 4]], shape(&[6, -1]), Ok(&[6, 4])),
        ("concat", &[&[2, 3], &[2, 5], &[2, 1]], dim(-1), Ok(&[2, 9])),
        ("concat", &[&[3]], dim(0), Ok(&[3])),
        ("reshape", &[&[2, 3, 4]], shape(&[24]), Ok(&[24])),
        ("reshape", &[&[1, 1]], shape(&[]), Ok(&[])),
        ("softmax", &[&[2, 3]], softmax(1), Ok(&[2, 3])),
        ("matmul", &[&[3], &[3]], none(), Ok(&[1])),
        ("linear", &[&[2, 3], &[3, 5], &[5]], none(), Ok(&[2, 5])),
        (
            "add",
            &[&[2], &[3]],
            none(),
            Err("operand shape (3) is not broadcast compatible with inferred operand shapes (2)"),
        ),
        (
            "mean",
            &[&[2, 3]],
            reduced(&[2], true),
            Err("Reduce dimension 2 is out of range for input tensor of rank 2"),
        ),
        (
            "mean",
            &[&[2, 3]],
            reduced(&[1, -1], true),
            Err("Reduce dimensions are not unique"),
        ),
        (
            "permute",
            &[&[2, 3]],
            permutation(&[0]),
            Err("Expected a permutation of (0, 1), got (0)"),
        ),
        (
            "concat",
            &[&[2, 3]],
            dim(-3),
            Err("Invalid dimension -3 for concatenation."),
        ),
        (
            "concat",
            &[&[2, 3], &[2, 3, 1]],
            dim(0),
            Err("All input tensors must have the same rank."),
        ),
        (
            "concat",
            &[&[2, 3], &[2, 4]],
            dim(-2),
            Err("All input tensors must have the same dimensions, except for dimension 0."),
        ),
        (
            "reshape",
            &[&[2, 3]],
            shape(&[5]),
            Err(
                "Input tensor number of elements 6 and output tensor number of elements 5 must be \
                 the same",
            ),
        ),
        (
            "reshape",
            &[&[2, 3]],
            shape(&[4, -1]),
            Err(
                "Input tensor number of elements 6 and output tensor number of elements 4 must be \
                 the same",
            ),
        ),
        (
            "reshape",
            &[&[2, 3]],
            shape(&[0, -1]),
            Err(
                "Input tensor number of elements 6 and output tensor number of elements 0 must be \
                 the same",
            ),
        ),
        (
            "reshape",
            &[&[2, 3]],
            shape(&[-1, -1]),
            Err("Shape attribute must have at most one -1 element"),
        ),
        (
            "reshape",
            &[&[2, 3]],
            shape(&[-2, 3]),
            Err("All dimensions must be >= 0 except the one with -1"),
        ),
        (
            "transpose",
            &[&[2]],
            dims(0, 1),
            Err("Input must be at least a 2D tensor"),
        ),
        (
            "transpose",
            &[&[2, 3]],
            dims(0, 2),
            Err("Dimension 1 attribute must be within the bounds of the input tensor"),
        ),
        (
            "softmax",
            &[&[2, 3]],
            softmax(2),
            Err("Dimension attribute must be within the bounds of the input tensor"),
        ),
        (
            "matmul",
            &[&[], &[3]],
            none(),
            Err("Input A must be at least a 1D tensor"),
        ),
        (
            "where",
            &[&[2]],
            none(),
            Err("'where' takes 3 operands, but has 1"),
        ),
    ];
    for (name, shapes, attributes, expected) in rows {
        let operands = tensors(shapes, ElementType::F32);
        let op = from_name(name).expect(name);
        let call = Call {
            op,
            operands: &operands,
            attributes: &attributes,
        };
        let found = call.infer_shape().map_err(|error| error.to_string());
        let expected = expected.map(<[u64]>::to_vec).map_err(str::to_owned);
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn element_types_are_checked() {
    use ElementType::{Bf16, Bool, Int, F32};
    let rows: [(&str, Vec<ElementType>, ElementType, &str); 9] = [
        ("add", vec![Bf16, Bf16], Bf16, ""),
        (
            "add",
            vec![Bf16, F32],
            F32,
            "'add' has element type 'bf16' where 'f32' is needed; insert a typecast",
        ),
        ("eq", vec![F32, F32], Bf16, ""),
        (
            "eq",
            vec![F32, Bf16],
            Bf16,
            "'eq' has element type 'f32' where 'bf16' is needed; insert a typecast",
        ),
        ("where", vec![Bool, F32, F32], F32, ""),
        ("typecast", vec![F32], Int(32), ""),
        (
            "exp",
            vec![Int(32)],
            Int(32),
            "'exp' does not support element type 'i32'; cast to 'f32' first",
        ),
        (
            "bitwise_not",
            vec![F32],
            F32,
            "'bitwise_not' does not support element type 'f32'; cast to 'i32' first",
        ),
        ("logical_not", vec![Int(32)], Bf16, ""),
    ];
    for (name, elements, result, expected) in rows {
        let operands: Vec<_> = elements
            .into_iter()
            .map(|element| TensorType {
                shape: vec![2],
                element,
            })
            .collect();
        let call = Call {
            op: from_name(name).expect(name),
            operands: &operands,
            attributes: &Attributes::none(),
        };
        let checked = call
            .check_domain()
            .and_then(|()| call.check_elements(result));
        let found = checked.err().as_ref().map(CallError::to_string);
        assert_eq!(found.unwrap_or_default(), expected, "{name}");
    }
}

#[test]
fn composites_have_the_value_of_what_they_are_made_of() {
    use crate::eval::{eval, Array};
    use crate::Arithmetic;
    let array = |shape: &[u64], values: &[f64]| Array {
        shape: shape.to_vec(),
        values: values.to_vec(),
    };
    let int = |name, value| Attributes::none().with(name, AttributeValue::Int(value));
    let transposed = int("dim0", 0).with("dim1", AttributeValue::Int(-1));
    let input = array(&[2, 3], &[0.0, 1.0, 1000.0, 2.0, 2.0, 2.0]);
    let third = 1.0 / 3.0;
    for (name, attributes, expected) in [
        (
            "transpose",
            transposed,
            array(&[3, 2], &[0.0, 2.0, 1.0, 2.0, 1000.0, 2.0]),
        ),
        (
            "softmax",
            int("dimension", 1),
            array(&[2, 3], &[0.0, 0.0, 1.0, third, third, third]),
        ),
    ] {
        let operands = tensors(&[&[2, 3]], ElementType::F32);
        let call = Call {
            op: from_name(name).expect(name),
            operands: &operands,
            attributes: &attributes,
        };
        let found = eval(&call, Arithmetic::Float, std::slice::from_ref(&input));
        assert_eq!(found, Ok(expected), "{name}");
    }
}

/// Elements are numbered in the operand; results list the numbers, and -1 for padding.
#[test]
fn movements_select_elements() {
    use crate::eval::{eval, Array};
    use crate::Arithmetic;
    let none = Attributes::none;
    let named = |name, values: &[i64]| none().with(name, ints(values));
    let slice = named("begins", &[1, 2])
        .with("ends", ints(&[2, 0]))
        .with("step", ints(&[1, -1]));
    let pad = named("padding", &[1, -1, 0, 1]).with("value", AttributeValue::Float(-1.0));
    let int = |name, value| none().with(name, AttributeValue::Int(value));
    let rows: [(&str, Attributes, &[f64]); 6] = [
        ("slice_static", slice, &[5.0, 4.0]),
        ("pad", pad, &[-1.0, -1.0, -1.0, -1.0, 0.0, 1.0, 2.0, -1.0]),
        (
            "reverse",
            named("dimensions", &[1]),
            &[2.0, 1.0, 0.0, 5.0, 4.0, 3.0],
        ),
        (
            "repeat",
            named("repeat_dimensions", &[2, 1]),
            &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0],
        ),
        (
            "repeat_interleave",
            int("repeats", 2).with("dim", AttributeValue::Int(0)),
            &[0.0, 1.0, 2.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 3.0, 4.0, 5.0],
        ),
        ("unsqueeze", int("dim", 1), &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]),
    ];
    let input = Array {
        shape: vec![2, 3],
        values: vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0],
    };
    for (name, attributes, expected) in rows {
        let operands = tensors(&[&[2, 3]], ElementType::F32);
        let call = Call {
            op: from_name(name).expect(name),
            operands: &operands,
            attributes: &attributes,
        };
        let found = eval(&call, Arithmetic::Float, std::slice::from_ref(&input));
        assert_eq!(
            found.map(|array| array.values),
            Ok(expected.to_vec()),
            "{name}"
        );
        if let Class::Movement(map) = call.op.class {
            assert_eq!(
                map(&call).check(&[6], expected.len() as u64),
                Ok(()),
                "{name}"
            );
        }
    }
}

/// Norms of a row, a weight and a bias match their formulas.
#[test]
fn norms_have_the_value_of_their_formulas() {
    use crate::eval::{eval, Array};
    use crate::Arithmetic;
    let row = [1.0, 2.0, 6.0];
    let [weight, bias] = [[1.0, -2.0, 0.5], [0.25, 0.0, 1.0]];
    let epsilon = 0.5;
    let mean = |of: [f64; 3]| of.iter().sum::<f64>() / 3.0;
    let centered = row.map(|x| x - mean(row));
    for (name, values) in [("layer_norm", centered), ("rms_norm", row)] {
        let root = (mean(values.map(|x| x * x)) + epsilon).sqrt();
        for (counts, which) in [
            ([1, 0, 0], [false, false]),
            ([1, 1, 0], [true, false]),
            ([1, 0, 1], [false, true]),
            ([1, 1, 1], [true, true]),
        ] {
            let array = |shape: &[u64], values: &[f64]| Array {
                shape: shape.to_vec(),
                values: values.to_vec(),
            };
            let mut operands = vec![array(&[1, 3], &row)];
            operands.extend(which[0].then(|| array(&[3], &weight)));
            operands.extend(which[1].then(|| array(&[3], &bias)));
            let shapes: Vec<&[u64]> = operands.iter().map(|one| &one.shape[..]).collect();
            let attributes = Attributes::none()
                .with("normalized_shape", ints(&[3]))
                .with("epsilon", AttributeValue::Float(epsilon))
                .with("operandSegmentSizes", ints(&counts));
            let types = tensors(&shapes, ElementType::F32);
            let call = Call {
                op: from_name(name).expect(name),
                operands: &types,
                attributes: &attributes,
            };
            let found = eval(&call, Arithmetic::Float, &operands).expect(name);
            assert_eq!(found.shape, [1, 3]);
            for (at, found) in found.values.into_iter().enumerate() {
                let weight = if which[0] { weight[at] } else { 1.0 };
                let bias = if which[1] { bias[at] } else { 0.0 };
                let expected = values[at] / root * weight + bias;
                assert!(
                    (found - expected).abs() < 1e-12,
                    "{name} {counts:?}: {found}"
                );
            }
        }
    }
}

#[test]
fn attributes_are_those_that_the_operation_declares() {
    let none = Attributes::none;
    let flag = AttributeValue::Bool(true);
    let config = AttributeValue::ComputeConfig(crate::ComputeConfig {
        math_fidelity: crate::MathFidelity::HiFi4,
        fp32_dest_acc: true,
    });
    let keeps = || none().with("keep_dim", AttributeValue::Bool(true));
    for (name, attributes, expected) in [
        ("matmul", none(), Ok(())),
        ("matmul", none().with("transpose_a", flag.clone()), Ok(())),
        ("sum", keeps().with("compute_config", config), Ok(())),
        ("sum", none(), Err("'sum' requires attribute 'keep_dim'")),
        (
            "matmul",
            none().with("keep_dim", flag.clone()),
            Err("'matmul' has no attribute 'keep_dim'"),
        ),
        (
            "matmul",
            none().with("transpose_a", ints(&[1])),
            Err("attribute 'transpose_a' of 'matmul' must be a boolean"),
        ),
        (
            "sum",
            keeps().with("dim_arg", flag),
            Err("attribute 'dim_arg' of 'sum' must be an array of integers"),
        ),
    ] {
        let call = Call {
            op: from_name(name).expect(name),
            operands: &[],
            attributes: &attributes,
        };
        let found = call.check_attributes().map_err(|error| error.to_string());
        assert_eq!(found, expected.map_err(str::to_owned), "{name}");
    }
}
