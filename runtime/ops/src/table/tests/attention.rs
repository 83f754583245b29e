//! Attention and rotary embeddings have the values of their definitions.

use crate::eval::{eval, Array};
use crate::table::*;
use crate::{Arithmetic, AttributeValue, Attributes, ElementType};

fn numbers(shape: &[u64], seed: u64) -> Array {
    let count = shape.iter().product::<u64>();
    let number = |index: u64| ((index * 37 + seed * 11) % 13) as f64 / 4.0 - 1.5;
    Array {
        shape: shape.to_vec(),
        values: (0..count).map(number).collect(),
    }
}

#[track_caller]
fn check(name: &str, attributes: &Attributes, operands: &[Array], expected: &[f64]) {
    let types = operands.iter().map(|array| TensorType {
        shape: array.shape.clone(),
        element: ElementType::F32,
    });
    let types: Vec<_> = types.collect();
    let call = Call {
        op: from_name(name).expect(name),
        operands: &types,
        attributes,
    };
    assert_eq!(call.check_attributes(), Ok(()), "{name}");
    let found = eval(&call, Arithmetic::Float, operands).expect(name).values;
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-6, "{found} {expected}");
    }
}

#[test]
fn features_rotate_by_the_angles_of_their_position() {
    let [batch, heads, positions, features] = [2, 3, 5, 4];
    let input = numbers(&[batch, heads, positions, features], 1);
    let [cos, sin] = [2, 3].map(|seed| numbers(&[1, 1, 7, features], seed));
    for token in [None, Some(6)] {
        let mut expected = Vec::new();
        for row in 0..batch * heads * positions {
            for feature in 0..features {
                let of = |feature: u64| input.values[(row * features + feature) as usize];
                let other = match feature < features / 2 {
                    true => -of(feature + features / 2),
                    false => of(feature - features / 2),
                };
                let angle = token.unwrap_or(row % positions) * features + feature;
                let [cos, sin] = [&cos, &sin].map(|cache| cache.values[angle as usize]);
                expected.push(of(feature) * cos + other * sin);
            }
        }
        let attributes = match token {
            Some(token) => {
                Attributes::none().with("token_index", AttributeValue::Int(token as i64))
            }
            None => Attributes::none(),
        };
        let operands = [input.clone(), cos.clone(), sin.clone()];
        check("rotary_embedding", &attributes, &operands, &expected);
    }
}

/// Returns attention of 2 batches, 4 query heads, 2 key heads and 3 features. The function maps
/// batch, head, query and key to what is added to a score.
fn attend(
    operands: &[Array],
    [queries, keys]: [u64; 2],
    scale: f64,
    sink: Option<&Array>,
    mask: impl Fn([u64; 4]) -> f64,
) -> Vec<f64> {
    let mut result = Vec::new();
    for (batch, head, query) in
        (0..2 * 4 * queries).map(|row| (row / (4 * queries), row / queries % 4, row % queries))
    {
        let of_query = |feature| ((batch * 4 + head) * queries + query) * 3 + feature;
        let of_key = |key, feature| ((batch * 2 + head / 2) * keys + key) * 3 + feature;
        let score = |key| {
            let product = |feature| {
                operands[0].values[of_query(feature) as usize]
                    * operands[1].values[of_key(key, feature) as usize]
            };
            (0..3).map(product).sum::<f64>() * scale + mask([batch, head, query, key])
        };
        let weights: Vec<f64> = (0..keys).map(|key| score(key).exp()).collect();
        let sink = sink.map_or(0.0, |sink| sink.values[head as usize].exp());
        let sum = weights.iter().sum::<f64>() + sink;
        for feature in 0..3 {
            let value = |key| operands[2].values[of_key(key, feature) as usize];
            let terms = (0..keys).map(|key| weights[key as usize] * value(key));
            result.push(terms.sum::<f64>() / sum);
        }
    }
    result
}

fn operands(queries: u64, keys: u64) -> Vec<Array> {
    let key = |seed| numbers(&[2, 2, keys, 3], seed);
    vec![numbers(&[2, 4, queries, 3], 1), key(2), key(3)]
}

fn segments(mask: i64, sink: i64) -> AttributeValue {
    AttributeValue::Ints(vec![1, 1, 1, mask, sink])
}

#[test]
fn causal_attention_sees_keys_up_to_the_query() {
    let operands = operands(5, 5);
    let scale = 1.0 / 3.0_f64.sqrt();
    for window in [None, Some(2)] {
        let is_seen = |[_, _, query, key]: [u64; 4]| {
            key <= query && window.is_none_or(|size| query - key < size)
        };
        let mask = |at| if is_seen(at) { 0.0 } else { f64::NEG_INFINITY };
        let expected = attend(&operands, [5, 5], scale, None, mask);
        let mut attributes = Attributes::none();
        if let Some(size) = window {
            attributes.set("sliding_window_size", AttributeValue::Int(size as i64));
        }
        check(
            "scaled_dot_product_attention",
            &attributes,
            &operands,
            &expected,
        );
    }
}

#[test]
fn masks_and_sinks_change_scores() {
    let mut operands = operands(2, 5);
    let (mask, sink) = (numbers(&[1, 4, 2, 5], 4), numbers(&[1, 4, 1, 1], 5));
    operands.extend([mask.clone(), sink.clone()]);
    let added =
        |[_, head, query, key]: [u64; 4]| mask.values[((head * 2 + query) * 5 + key) as usize];
    let expected = attend(&operands, [2, 5], 0.25, Some(&sink), added);
    let attributes = Attributes::none()
        .with("is_causal", AttributeValue::Bool(false))
        .with("scale", AttributeValue::Float(0.25))
        .with("operandSegmentSizes", segments(1, 1));
    check(
        "scaled_dot_product_attention",
        &attributes,
        &operands,
        &expected,
    );
}
