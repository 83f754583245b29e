//! All element-wise functions in a kernel, on floats and integers, against the interpreter of
//! kernels.

use tessera_mncore::machine::Model;
use tessera_mncore_code::program::IssueOrder;
use tessera_pto::kernel::{Binary, Compute, Element, TensorType, TileType, Unary};

use crate::board::{integers, kernel, run};
use crate::groups::{over_tiles, singles, TILE};

const SHAPE: [u32; 2] = [40, 70];

fn tensor(element: Element) -> TensorType {
    TensorType {
        element,
        ..singles(SHAPE[0], SHAPE[1])
    }
}

fn tile(element: Element) -> TileType {
    TileType { element, ..TILE }
}

/// Returns the word of an element.
fn word(element: Element, value: f64) -> u32 {
    match element {
        Element::I32 => value as i32 as u32,
        _ => (value as f32).to_bits(),
    }
}

fn value(element: Element, word: u32) -> f64 {
    match element {
        Element::I32 => f64::from(word as i32),
        _ => f32::from_bits(word).into(),
    }
}

/// Returns operands of few bits, some of them equal, some zero. Some integers are large.
fn operands(element: Element, count: usize) -> Vec<Vec<f64>> {
    let of = |seed| -> Vec<f64> {
        let words = integers((SHAPE[0] * SHAPE[1]) as usize, seed);
        let spread = |(at, x): (usize, f32)| match (element, at % 5) {
            (Element::I32, 0) => f64::from(x as i32 * 300_000_007),
            (Element::I32, 1) => f64::from(x) * 7.0 + 31.0,
            _ => f64::from(x),
        };
        words.into_iter().enumerate().map(spread).collect()
    };
    (1..).map(of).take(count).collect()
}

/// Runs a function of tensors of one type, whose result has another.
#[track_caller]
fn check(
    name: &str,
    [from, to]: [Element; 2],
    count: usize,
    compute: Compute,
    exact: impl Fn(&[f64]) -> f64,
) {
    let mut tensors = vec![tensor(from); count];
    tensors.push(tensor(to));
    let group = over_tiles(&tensors, |builder, row, column| {
        let tiles: Vec<_> = (0..count)
            .map(|number| builder.load(number, row, column, tile(from)))
            .collect();
        builder.compute(compute, &tiles, tile(to))
    });
    let operands = operands(from, count);
    let words: Vec<Vec<f32>> = operands
        .iter()
        .map(|values| {
            let bits = values.iter().map(|value| word(from, *value));
            bits.map(f32::from_bits).collect()
        })
        .collect();
    let results = run(&kernel(&group), &words, IssueOrder::Scheduled, Model::Timed);
    for (at, result) in results.into_iter().enumerate() {
        let x: Vec<f64> = operands.iter().map(|values| values[at]).collect();
        let exact = exact(&x);
        let result = value(to, result.to_bits());
        let single = f64::from(exact as f32);
        let near = (result - exact).abs() <= 3e-7 * exact.abs().max(x[0].abs());
        assert!(
            near || exact.is_nan() || result == single,
            "{name} of {from}, to {to}, {x:?}: {result}, not {exact}"
        );
    }
}

const FLOAT: Element = Element::F32;

#[test]
fn functions_of_an_element() {
    for element in [FLOAT, Element::I32] {
        for function in Unary::ALL {
            let results = match function {
                _ if !function.domain().contains(element) => continue,
                _ if function.is_predicate() => &[FLOAT, Element::I32][..],
                _ => &[element],
            };
            for &to in results {
                check(
                    function.name(),
                    [element, to],
                    1,
                    Compute::Unary(*function),
                    |x| function.eval(element, x[0]),
                );
            }
        }
    }
}

#[test]
fn functions_of_two_elements() {
    let none = tessera_pto::kernel::Broadcast::None;
    for element in [FLOAT, Element::I32] {
        for function in Binary::ALL {
            let results = match function {
                _ if !function.domain().contains(element) => continue,
                _ if function.is_predicate() => &[FLOAT, Element::I32][..],
                _ => &[element],
            };
            for &to in results {
                let compute = Compute::Binary(*function, none);
                check(function.name(), [element, to], 2, compute, |x| {
                    function.eval(element, x[0], x[1])
                });
            }
        }
    }
}

#[test]
fn choices_and_casts() {
    for element in [FLOAT, Element::I32] {
        check("select", [element; 2], 3, Compute::Select, |x| {
            if x[0] != 0.0 {
                x[1]
            } else {
                x[2]
            }
        });
        for to in [FLOAT, Element::Bf16, Element::I32] {
            check("cast", [element, to], 1, Compute::Convert, |x| {
                tessera_pto::numerics::round(to, x[0])
            });
        }
    }
}
