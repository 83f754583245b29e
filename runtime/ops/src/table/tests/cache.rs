//! Caches have the values of their definitions, written as loops over elements.

use crate::eval::{eval, Array};
use crate::table::*;
use crate::{Arithmetic, AttributeValue, Attributes, ElementType};

const CACHE: [u64; 4] = [3, 2, 5, 4];

/// Returns different numbers.
fn numbers(shape: &[u64], first: u64) -> Array {
    let count = shape.iter().product::<u64>();
    Array {
        shape: shape.to_vec(),
        values: (first..first + count).map(|number| number as f64).collect(),
    }
}

fn run(name: &str, offset: i64, operands: &[Array]) -> Result<Array, String> {
    let types = operands
        .iter()
        .enumerate()
        .map(|(number, array)| TensorType {
            shape: array.shape.clone(),
            element: match number {
                2 => ElementType::Int(32),
                _ => ElementType::F32,
            },
        });
    let types: Vec<_> = types.collect();
    let attributes = Attributes::none().with("batch_offset", AttributeValue::Int(offset));
    let call = Call {
        op: from_name(name).expect(name),
        operands: &types,
        attributes: &attributes,
    };
    eval(&call, Arithmetic::Float, operands).map_err(|error| error.to_string())
}

/// Returns the cache with elements replaced. The function maps batch, head and position to the
/// first element of a row of the input.
fn replaced(cache: &Array, input: &Array, row: impl Fn([u64; 3]) -> Option<u64>) -> Vec<f64> {
    let [batches, heads, positions, features] = CACHE;
    let mut values = cache.values.clone();
    let mut target = 0;
    for batch in 0..batches {
        for head in 0..heads {
            for position in 0..positions {
                for feature in 0..features {
                    if let Some(start) = row([batch, head, position]) {
                        values[target] = input.values[(start * features + feature) as usize];
                    }
                    target += 1;
                }
            }
        }
    }
    values
}

#[test]
fn an_update_replaces_one_position() {
    let cache = numbers(&CACHE, 0);
    for (offset, count) in [(0, 3), (0, 1), (1, 2), (1, 1)] {
        let input = numbers(&[1, 2, count, 4], 1000);
        for index in 0..5 {
            let position = Array {
                shape: vec![1],
                values: vec![index as f64],
            };
            let found = run(
                "update_cache",
                offset,
                &[cache.clone(), input.clone(), position],
            );
            let expected = replaced(&cache, &input, |[batch, head, position]| {
                let row = batch
                    .checked_sub(offset as u64)
                    .filter(|row| *row < count)?;
                (position == index).then_some(head * count + row)
            });
            assert_eq!(found.expect("it is defined").values, expected);
        }
    }
}

#[test]
fn an_update_outside_of_the_cache_is_an_error() {
    for index in [-1.0, 5.0] {
        let position = Array {
            shape: vec![1],
            values: vec![index],
        };
        let operands = [numbers(&CACHE, 0), numbers(&[1, 2, 3, 4], 0), position];
        let error = run("update_cache", 0, &operands).expect_err("it is outside");
        assert!(error.contains("index"), "{error}");
    }
}

#[test]
fn a_filling_replaces_the_first_positions() {
    let cache = numbers(&CACHE, 0);
    for (offset, count, positions) in [(0, 3, 5), (0, 1, 2), (1, 2, 5), (1, 1, 3), (2, 1, 5)] {
        let input = numbers(&[count, 2, positions, 4], 1000);
        let found = run("fill_cache", offset, &[cache.clone(), input.clone()]);
        let expected = replaced(&cache, &input, |[batch, head, position]| {
            let batch = batch
                .checked_sub(offset as u64)
                .filter(|row| *row < count)?;
            (position < positions).then_some((batch * 2 + head) * positions + position)
        });
        assert_eq!(found.expect("it is defined").values, expected);
    }
}
