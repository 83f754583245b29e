//! Tensors that a number fills.

use half::bf16;
use tessera_dialects::mlir::{AttributeValue, Value};
use tessera_dialects::ttnn;

use super::tensor::Element;

/// Returns the finite number that fills a tensor, as its element type represents it, if the tensor
/// is a `ttnn.full`.
pub fn filling_number(value: Value) -> Option<f64> {
    let full = value.defining_op()?.dyn_cast::<ttnn::FullOp>()?;
    let number = full.fill_value()?.float()?;
    let number = match Element::from_value(value)? {
        Element::Bf16 => bf16::from_f64(number).to_f64(),
        Element::F32 => f64::from(number as f32),
        Element::I32 => return None,
    };
    number.is_finite().then_some(number)
}
