//! Tensors that a number fills.

use std::collections::HashSet;

use half::bf16;
use tessera_dialects::mlir::{AttributeValue, Op, Value};
use tessera_dialects::ttnn;

use super::tensor::Element;

/// Returns the number that fills a tensor, as its element type represents it. The tensor is a
/// `ttnn.full` of floats, or is reshaped, repeated or cast from one.
pub fn filling_number(value: Value) -> Option<f64> {
    let (mut value, mut elements) = (value, Vec::new());
    // A module that is not verified may contain cyclic definitions.
    let mut followed = HashSet::new();
    while followed.insert(value) {
        elements.push(Element::from_value(value)?);
        let op = value.defining_op()?;
        if let Some(full) = op.dyn_cast::<ttnn::FullOp>() {
            let number = full.fill_value()?.float()?;
            let mut elements = elements.into_iter().rev();
            return elements.try_fold(number, rounded);
        }
        if !preserves_elements(op) {
            return None;
        }
        value = op.operand(0)?;
    }
    None
}

/// Returns whether the elements of an operation's result are those of its operand, maybe rounded.
fn preserves_elements(op: Op) -> bool {
    op.isa::<ttnn::ReshapeOp>() || op.isa::<ttnn::RepeatOp>() || op.isa::<ttnn::TypecastOp>()
}

/// Returns a number rounded to a type of floats.
fn rounded(number: f64, element: Element) -> Option<f64> {
    match element {
        Element::Bf16 => Some(bf16::from_f64(number).to_f64()),
        Element::F32 => Some(f64::from(number as f32)),
        Element::I32 => None,
    }
}
