//! Composites have the values of their definitions, written as loops over elements.

use crate::eval::{eval, Array};
use crate::table::*;
use crate::{Arithmetic, AttributeValue, Attributes, ElementType};

/// Returns small integers, some of which are equal.
fn numbers(shape: &[u64], seed: u64) -> Array {
    let count = shape.iter().product::<u64>();
    let number = |index: u64| ((index * 37 + seed * 11) % 13) as f64 - 5.0;
    Array {
        shape: shape.to_vec(),
        values: (0..count).map(number).collect(),
    }
}

fn types(operands: &[Array]) -> Vec<TensorType> {
    let r#type = |array: &Array| TensorType {
        shape: array.shape.clone(),
        element: ElementType::F32,
    };
    operands.iter().map(r#type).collect()
}

#[track_caller]
fn found(name: &str, attributes: &Attributes, operands: &[Array]) -> Array {
    let types = types(operands);
    let call = Call {
        op: from_name(name).expect(name),
        operands: &types,
        attributes,
    };
    assert_eq!(call.check_attributes(), Ok(()), "{name}");
    eval(&call, Arithmetic::Float, operands).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn ints(values: &[i64]) -> AttributeValue {
    AttributeValue::Ints(values.to_vec())
}

fn along(dims: Option<&[i64]>, keep: bool) -> Attributes {
    let attributes = Attributes::none().with("keep_dim", AttributeValue::Bool(keep));
    match dims {
        Some(dims) => attributes.with("dim_arg", ints(dims)),
        None => attributes,
    }
}

/// Returns the elements of the lines of a 3-D array along a dimension.
fn lines(array: &Array, dim: usize) -> Vec<Vec<f64>> {
    let [a, b, c] = [0, 1, 2].map(|at: usize| array.shape[at] as usize);
    let strides = [b * c, c, 1];
    let extents = [a, b, c];
    let others: Vec<usize> = (0..3).filter(|at| *at != dim).collect();
    let mut lines = Vec::new();
    for first in 0..extents[others[0]] {
        for second in 0..extents[others[1]] {
            let start = first * strides[others[0]] + second * strides[others[1]];
            let line = (0..extents[dim]).map(|at| array.values[start + at * strides[dim]]);
            lines.push(line.collect());
        }
    }
    lines
}

#[test]
fn folds_have_the_value_of_their_lines() {
    let input = numbers(&[3, 5, 4], 1);
    let argmax = |line: &[f64]| {
        let largest = line.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        line.iter()
            .position(|x| *x == largest)
            .expect("a line has elements") as f64
    };
    type Value<'f> = &'f dyn Fn(&[f64]) -> f64;
    let all = |line: &[f64]| f64::from(u8::from(line.iter().all(|x| *x != 0.0)));
    let any = |line: &[f64]| f64::from(u8::from(line.iter().any(|x| *x != 0.0)));
    let rows: [(&str, Value); 4] = [
        ("prod", &|line| line.iter().product()),
        ("reduce_and", &all),
        ("reduce_or", &any),
        ("argmax", &argmax),
    ];
    for (name, value) in rows {
        for dim in 0..3 {
            for keep in [false, true] {
                let attributes = along(Some(&[dim as i64]), keep);
                let result = found(name, &attributes, std::slice::from_ref(&input));
                let expected: Vec<f64> = lines(&input, dim).iter().map(|one| value(one)).collect();
                assert_eq!(result.values, expected, "{name} along {dim}");
                assert_eq!(result.shape.len(), if keep { 3 } else { 2 });
            }
        }
        let result = found(name, &along(None, false), std::slice::from_ref(&input));
        assert_eq!(result.values, [value(&input.values)], "{name}");
        assert_eq!(result.shape, [0; 0]);
    }
    let two = found(
        "prod",
        &along(Some(&[0, 2]), false),
        std::slice::from_ref(&input),
    );
    let rows = found(
        "prod",
        &along(Some(&[2]), true),
        std::slice::from_ref(&input),
    );
    let both = found(
        "prod",
        &along(Some(&[0]), true),
        std::slice::from_ref(&rows),
    );
    assert_eq!((two.shape, two.values), (vec![5], both.values));
}

#[test]
fn cumulative_sums_add_up() {
    let input = numbers(&[3, 5, 4], 2);
    for dim in 0..3 {
        let attributes = Attributes::none().with("dim", AttributeValue::Int(dim as i64 - 3));
        let result = found("cumsum", &attributes, std::slice::from_ref(&input));
        let expected: Vec<Vec<f64>> = lines(&input, dim)
            .into_iter()
            .map(|line| {
                let mut sum = 0.0;
                line.into_iter()
                    .map(|x| {
                        sum += x;
                        sum
                    })
                    .collect()
            })
            .collect();
        assert_eq!(lines(&result, dim), expected, "along {dim}");
    }
}

/// `lhs[b, k, m]`, `rhs[n, b, k]`, and forms that need no permutation.
#[test]
fn general_products_contract_any_dimensions() {
    let [b, k, m, n] = [2, 5, 3, 4];
    let sum = |lhs: &dyn Fn(u64, u64, u64) -> f64, rhs: &dyn Fn(u64, u64, u64) -> f64| {
        let mut values = Vec::new();
        for batch in 0..b {
            for row in 0..m {
                for column in 0..n {
                    let terms = (0..k).map(|at| lhs(batch, row, at) * rhs(batch, column, at));
                    values.push(terms.sum::<f64>());
                }
            }
        }
        values
    };
    // Each row: shapes, batch and contracted dimensions of both, the operations.
    type Position = fn(u64, u64, u64) -> [u64; 3];
    let rows: [([[u64; 3]; 2], [[i64; 2]; 2], [Position; 2], &[&str]); 3] = [
        (
            [[b, k, m], [n, b, k]],
            [[0, 1], [1, 2]],
            [|b, m, k| [b, k, m], |b, n, k| [n, b, k]],
            &["permute", "matmul"],
        ),
        (
            [[b, m, k], [b, n, k]],
            [[0, 2], [0, 2]],
            [|b, m, k| [b, m, k], |b, n, k| [b, n, k]],
            &["matmul"],
        ),
        (
            [[b, k, m], [b, k, n]],
            [[0, 1], [0, 1]],
            [|b, m, k| [b, k, m], |b, n, k| [b, k, n]],
            &["matmul"],
        ),
    ];
    for (shapes, [left, right], positions, operations) in rows {
        let operands = [numbers(&shapes[0], 3), numbers(&shapes[1], 4)];
        let element = |number: usize| {
            let (array, position) = (operands[number].clone(), positions[number]);
            move |batch, free, at| {
                let [x, y, z] = position(batch, free, at);
                let [_, q, r] = [0, 1, 2].map(|at: usize| array.shape[at]);
                array.values[((x * q + y) * r + z) as usize]
            }
        };
        let attributes = Attributes::none()
            .with("batch_dims_lhs", ints(&left[..1]))
            .with("contract_dims_lhs", ints(&left[1..]))
            .with("batch_dims_rhs", ints(&right[..1]))
            .with("contract_dims_rhs", ints(&right[1..]));
        let result = found("dot_general", &attributes, &operands);
        assert_eq!(result.shape, [b, m, n]);
        assert_eq!(result.values, sum(&element(0), &element(1)), "{shapes:?}");
        let types = types(&operands);
        let call = Call {
            op: from_name("dot_general").expect("it is in the table"),
            operands: &types,
            attributes: &attributes,
        };
        let graph = call.decompose().expect("it is valid");
        let names: Vec<&str> = graph.nodes().iter().map(|node| node.op.name).collect();
        assert_eq!(names, operations, "{shapes:?}");
    }
}

#[test]
fn general_products_need_neither_batch_nor_contracted_dimensions() {
    let none = || ints(&[]);
    let attributes = |dims: AttributeValue| {
        Attributes::none()
            .with("batch_dims_lhs", none())
            .with("contract_dims_lhs", dims.clone())
            .with("batch_dims_rhs", none())
            .with("contract_dims_rhs", dims)
    };
    let [a, b] = [numbers(&[3], 1), numbers(&[2], 2)];
    let outer = found("dot_general", &attributes(none()), &[a.clone(), b.clone()]);
    let pairs = a
        .values
        .iter()
        .flat_map(|x| b.values.iter().map(move |y| x * y));
    assert_eq!((outer.shape, outer.values), (vec![3, 2], pairs.collect()));
    let inner = found(
        "dot_general",
        &attributes(ints(&[0])),
        &[a.clone(), a.clone()],
    );
    let square = a.values.iter().map(|x| x * x).sum();
    assert_eq!((inner.shape, inner.values), (vec![], vec![square]));
}

/// The windows of an image: kernel, stride, dilation; padding at the top, left, bottom and right.
#[derive(Clone, Copy)]
struct Windows {
    kernel: [i64; 2],
    stride: [i64; 2],
    dilation: [i64; 2],
    padding: [i64; 4],
}

const WINDOWS: &[Windows] = &[
    // Windows that touch and do not overlap.
    Windows {
        kernel: [2, 3],
        stride: [2, 3],
        dilation: [1, 1],
        padding: [1, 0, 0, 1],
    },
    Windows {
        kernel: [2, 3],
        stride: [1, 2],
        dilation: [1, 1],
        padding: [0; 4],
    },
    Windows {
        kernel: [3, 2],
        stride: [2, 2],
        dilation: [2, 1],
        padding: [1, 0, 2, 1],
    },
    Windows {
        kernel: [1, 1],
        stride: [1, 1],
        dilation: [1, 1],
        padding: [0; 4],
    },
    Windows {
        kernel: [3, 3],
        stride: [3, 2],
        dilation: [1, 2],
        padding: [1; 4],
    },
];

impl Windows {
    fn attributes(&self) -> Attributes {
        Attributes::none()
            .with("stride", ints(&self.stride))
            .with("dilation", ints(&self.dilation))
            .with("padding", ints(&self.padding))
    }

    /// Returns, for each element of a window of the result, its position in the image or `None` in
    /// the padding.
    fn positions(&self, at: [i64; 2], image: [i64; 2]) -> Vec<Option<[i64; 2]>> {
        let mut positions = Vec::new();
        for row in 0..self.kernel[0] {
            for column in 0..self.kernel[1] {
                let offset = [row, column];
                let position = [0, 1].map(|axis: usize| {
                    at[axis] * self.stride[axis] + offset[axis] * self.dilation[axis]
                        - self.padding[axis]
                });
                let is_inside = (0..2).all(|axis| (0..image[axis]).contains(&position[axis]));
                positions.push(is_inside.then_some(position));
            }
        }
        positions
    }
}

/// Returns the values of an image of a result's size, computed for each position and channel.
fn image(shape: &[u64], value: impl Fn(i64, [i64; 2], usize) -> f64) -> Vec<f64> {
    let [batch, height, width, channels] = [0, 1, 2, 3].map(|at: usize| shape[at] as i64);
    let mut values = Vec::new();
    for image in 0..batch {
        for row in 0..height {
            for column in 0..width {
                for channel in 0..channels {
                    values.push(value(image, [row, column], channel as usize));
                }
            }
        }
    }
    values
}

#[test]
fn pooling_reduces_windows() {
    let input = numbers(&[2, 7, 8, 3], 5);
    let element = |batch: i64, [row, column]: [i64; 2], channel: usize| {
        input.values[(((batch * 7 + row) * 8 + column) * 3) as usize + channel]
    };
    for windows in WINDOWS {
        for ceil_mode in [false, true] {
            let attributes = windows.attributes().with("kernel", ints(&windows.kernel));
            let attributes = attributes.with("ceil_mode", AttributeValue::Bool(ceil_mode));
            let largest = found("max_pool2d", &attributes, std::slice::from_ref(&input));
            let expected = image(&largest.shape, |batch, at, channel| {
                let positions = windows.positions(at, [7, 8]).into_iter().flatten();
                let elements = positions.map(|position| element(batch, position, channel));
                elements.fold(f64::NEG_INFINITY, f64::max)
            });
            assert_eq!(largest.values, expected, "max");
            for includes in [true, false] {
                let flag = AttributeValue::Bool(includes);
                let attributes = attributes.clone().with("count_include_pad", flag);
                let mean = found("avg_pool2d", &attributes, std::slice::from_ref(&input));
                assert_eq!(mean.shape, largest.shape);
                let expected = image(&mean.shape, |batch, at, channel| {
                    let [_, _, bottom, right] = windows.padding;
                    let padded = windows.positions(at, [7 + bottom, 8 + right]);
                    let within = windows.positions(at, [7, 8]);
                    let inside = within.iter().flatten();
                    let sum: f64 = inside.map(|one| element(batch, *one, channel)).sum();
                    let [top, left, ..] = windows.padding;
                    let shifted = Windows {
                        padding: [0; 4],
                        ..*windows
                    };
                    let all = shifted.positions(at, [7 + top + bottom, 8 + left + right]);
                    let count = match includes {
                        true => all.iter().flatten().count(),
                        false => within.iter().flatten().count(),
                    };
                    assert!(padded.len() == within.len());
                    sum / count as f64
                });
                let pairs = mean.values.iter().zip(&expected);
                let worst = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(worst < 1e-12, "mean: {worst}");
            }
        }
    }
}

/// Groups, depthwise convolutions with one and two results per channel, and other orders of
/// dimensions.
#[test]
fn convolutions_sum_products() {
    for (channels, outputs, groups) in [(4, 6, 1), (4, 6, 2), (4, 4, 4), (3, 6, 3), (1, 2, 1)] {
        for windows in WINDOWS {
            for has_bias in [false, true] {
                check_convolution([channels, outputs, groups], *windows, has_bias);
            }
        }
    }
}

fn check_convolution([channels, outputs, groups]: [u64; 3], windows: Windows, has_bias: bool) {
    let input = numbers(&[2, 7, 8, channels], 6);
    let [height, width] = windows.kernel.map(|extent| extent as u64);
    let weight = numbers(&[outputs, channels / groups, height, width], 7);
    let bias = numbers(&[1, 1, 1, outputs], 8);
    let mut operands = vec![input.clone(), weight.clone()];
    operands.extend(has_bias.then(|| bias.clone()));
    let group_count = AttributeValue::Int(groups as i64);
    let attributes = windows.attributes().with("groups", group_count);
    let result = found("conv2d", &attributes, &operands);
    let per_group = (channels / groups) as usize;
    let expected = image(&result.shape, |batch, at, output| {
        let group = output / (outputs / groups) as usize;
        let mut sum = if has_bias { bias.values[output] } else { 0.0 };
        let positions = windows.positions(at, [7, 8]);
        for (offset, position) in positions.into_iter().enumerate() {
            let Some([row, column]) = position else {
                continue;
            };
            for channel in 0..per_group {
                let pixel = ((batch * 7 + row) * 8 + column) as usize * channels as usize;
                let element = input.values[pixel + group * per_group + channel];
                let taps = (height * width) as usize;
                sum += element * weight.values[(output * per_group + channel) * taps + offset];
            }
        }
        sum
    });
    assert_eq!(
        result.values, expected,
        "{channels} to {outputs} in {groups}"
    );
    // The same with channels in front.
    let order = |order: &[i64]| Attributes::none().with("permutation", ints(order));
    let operands: Vec<Array> = operands
        .iter()
        .enumerate()
        .map(|(number, operand)| match number {
            1 => operand.clone(),
            _ => found(
                "permute",
                &order(&[0, 3, 1, 2]),
                std::slice::from_ref(operand),
            ),
        })
        .collect();
    let mut attributes = attributes;
    for (name, dim) in [("channel_dim", 1), ("height_dim", 2), ("width_dim", 3)] {
        attributes = attributes.with(name, AttributeValue::Int(dim));
    }
    let other = found("conv2d", &attributes, &operands);
    let other = found(
        "permute",
        &order(&[0, 2, 3, 1]),
        std::slice::from_ref(&other),
    );
    assert_eq!(other, result);
}

#[test]
fn batch_normalization_uses_the_statistics() {
    let input = numbers(&[2, 3, 4], 9);
    let [scale, offset, mean] = [1, 2, 3].map(|seed| numbers(&[3], seed));
    let variance = numbers(&[3], 4).map(|x| x * x + 1.0);
    let attributes = Attributes::none()
        .with("epsilon", AttributeValue::Float(0.5))
        .with("dimension", AttributeValue::Int(1));
    let operands = [&input, &scale, &offset, &mean, &variance].map(Clone::clone);
    let result = found("batch_norm_inference", &attributes, &operands);
    for (index, (found, x)) in result.values.iter().zip(&input.values).enumerate() {
        let at = index / 4 % 3;
        let [scale, offset, mean, variance] =
            [&scale, &offset, &mean, &variance].map(|one| one.values[at]);
        let expected = (x - mean) / (variance + 0.5).sqrt() * scale + offset;
        assert!((found - expected).abs() < 1e-12, "{index}");
    }
}
