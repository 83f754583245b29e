//! Data movement with positions that operands hold.

use super::movement::MOVEMENT;
use super::{join, operand};
use crate::element::TensorType;
use crate::index_map::{row_major_strides, IndexMap, Lookup};
use crate::op::{Call, Class, ElementRule, OpInfo, OperandInfo};

const EMBEDDING: &[OperandInfo] = &[operand("input"), operand("weight")];

/// Returns the entries.
pub(super) fn entries() -> impl Iterator<Item = OpInfo> {
    [OpInfo {
        name: "embedding",
        ttir: Some("embedding"),
        summary: "Rows of a matrix, by their numbers",
        description: "`input` has integers from 0 to below the number of rows of `weight`; others \
                      are an error when the program runs. The result has a row for each of them.",
        example: "%0 = \"ttir.embedding\"(%a, %b) : (tensor<2x8xi32>, tensor<64x32xbf16>) \
                  -> tensor<2x8x32xbf16>",
        operands: EMBEDDING,
        class: Class::Lookup(embedding_map),
        elements: ElementRule::AllButFirst,
        verify: verify_embedding,
        shape: embedded_shape,
        mismatch: |_, expected, found| {
            format!(
                "expected output shape of ({}) but got ({})",
                join(expected, ", "),
                join(found, ", ")
            )
        },
        ..MOVEMENT
    }]
    .into_iter()
}

fn verify_embedding(call: &Call, _: &TensorType) -> Result<(), String> {
    match call.operands.first() {
        Some(input) if !input.element.is_integer() => Err(format!(
            "does not support indices of element type '{}'; cast to 'i32' first",
            input.element
        )),
        _ => Ok(()),
    }
}

/// Returns rows and columns of the matrix.
fn matrix(call: &Call) -> Result<[u64; 2], String> {
    match call.operand_shape(1) {
        [leading @ .., rows, columns] if leading.iter().all(|extent| *extent == 1) => {
            Ok([*rows, *columns])
        }
        [_, _, ..] => Err("weight must be effectively 2D tensor".into()),
        short => Err(format!(
            "weight must be at least 2D tensor, got {}D ranked tensor",
            short.len()
        )),
    }
}

fn embedded_shape(call: &Call) -> Result<Vec<u64>, String> {
    let input = call.operand_shape(0);
    if input.len() > 2 {
        return Err(format!(
            "input must be at most a 2D tensor, got {}D ranked tensor",
            input.len()
        ));
    }
    let [_, columns] = matrix(call)?;
    Ok([input, &[columns]].concat())
}

fn embedding_map(call: &Call) -> IndexMap {
    let [rows, columns] = matrix(call).unwrap_or_default();
    let indices = call.operand_shape(0).iter().copied();
    let count = indices.fold(1, u64::saturating_mul);
    let shape = [count, columns];
    let strides = row_major_strides(&shape).into_iter();
    let strides = strides.map(|stride| i64::try_from(stride).unwrap_or(i64::MAX));
    let mut map = IndexMap::view(&shape, 0, strides.collect());
    for copy in &mut map.copies {
        copy.operand = 1;
    }
    map.lookup = Some(Lookup { indices: 0, rows });
    map
}
