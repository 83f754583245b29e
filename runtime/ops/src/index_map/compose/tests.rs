use proptest::prelude::*;

use super::super::row_major_strides;
use super::*;

/// Returns the map of a permutation of the dimensions of `shape`.
fn permutation(shape: &[u64], order: &[usize]) -> IndexMap {
    let strides = row_major_strides(shape);
    let extents: Vec<u64> = order.iter().map(|&axis| shape[axis]).collect();
    let strides = order.iter().map(|&axis| strides[axis] as i64);
    IndexMap::view(&extents, 0, strides.collect())
}

/// Returns the map of a slice of each dimension: first index, number and step.
fn slice(shape: &[u64], parts: &[(u64, u64, i64)]) -> IndexMap {
    let strides = row_major_strides(shape);
    let offset = parts
        .iter()
        .zip(&strides)
        .map(|(part, stride)| part.0 * stride);
    let extents: Vec<u64> = parts.iter().map(|part| part.1).collect();
    let steps = parts
        .iter()
        .zip(&strides)
        .map(|(part, &stride)| part.2 * stride as i64);
    IndexMap::view(&extents, offset.sum(), steps.collect())
}

fn elements(map: &IndexMap) -> usize {
    map.copies[0].elements().unwrap() as usize
}

/// Checks that a composition does what the two maps do one after the other.
fn check(outer: &IndexMap, inner: &IndexMap, composed: &IndexMap) {
    let source: Vec<u32> = (0..10_000).collect();
    let between = inner.apply(&[&source], 0, elements(inner));
    let expected = outer.apply(&[&between], 0, elements(outer));
    assert_eq!(
        composed.apply(&[&source], 0, expected.len()),
        expected,
        "{outer:?} of {inner:?}"
    );
    composed.check(&[10_000], expected.len() as u64).unwrap();
}

#[test]
fn heads_of_attention_are_split_by_one_copy() {
    // A reshape of 128x384 to 128x12x32 is a copy in order.
    let reshape = IndexMap::view(&[49_152], 0, vec![1]);
    let heads = permutation(&[128, 12, 32], &[1, 0, 2]);
    let composed = heads.compose(0, &reshape, |operand| operand).unwrap();
    assert_eq!(composed, heads.simplified());
    // And back, with another reshape at the end.
    let back = permutation(&[12, 128, 32], &[1, 0, 2]);
    let both = back.compose(0, &heads, |operand| operand).unwrap();
    assert_eq!(both, reshape);
    let whole = reshape.compose(0, &back, |operand| operand).unwrap();
    assert_eq!(whole, back.simplified());
}

#[test]
fn other_operands_stay() {
    let inner = permutation(&[2, 3], &[1, 0]);
    let mut outer = IndexMap::view(&[6], 0, vec![1]);
    let second = StridedCopy {
        operand: 1,
        result_offset: 6,
        ..outer.copies[0].clone()
    };
    outer.copies.push(second.clone());
    let composed = outer.compose(0, &inner, |_| 2).unwrap();
    assert_eq!(composed.copies[0].operand, 2);
    assert_eq!(composed.copies[1], second);
}

#[test]
fn irregular_compositions_are_none() {
    let transposed = permutation(&[4, 6], &[1, 0]);
    // Rows of 5 elements begin anywhere in rows of 4.
    let rows = slice(&[4, 6], &[(0, 4, 1), (0, 5, 1)]);
    assert_eq!(rows.compose(0, &transposed, |operand| operand), None);
    // Elements 3 to 6 carry into the next row.
    let across = IndexMap::view(&[4], 3, vec![1]);
    assert_eq!(across.compose(0, &transposed, |operand| operand), None);
    // The inner map leaves elements to its fill value.
    let mut padded = IndexMap::view(&[4], 0, vec![1]);
    padded.copies[0].result_offset = 1;
    let all = IndexMap::view(&[5], 0, vec![1]);
    assert_eq!(all.compose(0, &padded, |operand| operand), None);
    padded.copies[0].result_offset = 0;
    assert_eq!(all.compose(0, &padded, |operand| operand), None);
}

/// A shape, and one with the same number of elements.
fn shapes() -> impl Strategy<Value = (Vec<u64>, Vec<u64>)> {
    prop::collection::vec(1..5u64, 1..5).prop_flat_map(|factors| {
        let count = factors.len();
        let merged = prop::collection::vec(any::<bool>(), count).prop_map({
            let factors = factors.clone();
            move |joins| {
                let mut shape: Vec<u64> = Vec::new();
                for (&factor, joins) in factors.iter().zip(joins) {
                    match shape.last_mut() {
                        Some(last) if joins => *last *= factor,
                        _ => shape.push(factor),
                    }
                }
                shape
            }
        });
        (Just(factors), merged)
    })
}

/// A permutation of a shape, or of one with the same elements.
fn movement() -> impl Strategy<Value = (IndexMap, Vec<u64>)> {
    shapes().prop_flat_map(|(shape, reshaped)| {
        let order: Vec<usize> = (0..shape.len()).collect();
        let order = Just(order).prop_shuffle();
        (Just(shape), Just(reshaped), order)
            .prop_map(|(shape, reshaped, order)| (permutation(&shape, &order), reshaped))
    })
}

/// A part of a dimension: first index, number and step.
fn part() -> impl Strategy<Value = (u64, u64, i64)> {
    (0..4u64, 1..4u64, prop::sample::select(vec![1, 2, -1, 0]))
}

proptest! {
    #[test]
    fn compositions_do_what_two_maps_do(
        (inner, shape) in movement(),
        choices in prop::collection::vec(part(), 4),
    ) {
        let fitting = |(&extent, &(first, count, step)): (&u64, &(u64, u64, i64))| {
            let first = first % extent;
            let room = match step {
                0 => count,
                -1 => first + 1,
                step => (extent - first).div_ceil(step as u64),
            };
            (first, count.min(room), step)
        };
        let parts: Vec<_> = shape.iter().zip(&choices).map(fitting).collect();
        let outer = slice(&shape, &parts);
        if let Some(composed) = outer.compose(0, &inner, |operand| operand) {
            check(&outer, &inner, &composed);
        }
    }

    #[test]
    fn permutations_of_permutations_compose(
        (shape, order, next) in prop::collection::vec(1..5u64, 1..5).prop_flat_map(|shape| {
            let order: Vec<usize> = (0..shape.len()).collect();
            let order = Just(order).prop_shuffle();
            (Just(shape), order.clone(), order)
        })
    ) {
        let inner = permutation(&shape, &order);
        let outer = permutation(&inner.copies[0].extents, &next);
        let composed = outer.compose(0, &inner, |operand| operand).unwrap();
        check(&outer, &inner, &composed);
    }
}
