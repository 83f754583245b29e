//! The fusion limit: the size in items of fused element-wise functions.
//!
//! Scheduling takes more than quadratic time in the items of a loop. A kernel that computes for
//! hundreds of steps on each vector gains nothing from further fusion, since loading and storing
//! the vector takes a few steps only. Whoever forms kernels asks here whether one more function
//! still fits.

use tessera_isa_mncore::memory::Width;
use tessera_pto::kernel::{Binary, Element, Unary};

use super::apply;
use super::apply::Precise;
use crate::functions::Function;
use tessera_mncore_ir::body::{Body, Home};
use tessera_mncore_ir::item::Operand;

/// The maximum number of items in the element-wise functions of one kernel.
pub const MAX_FUSED_ITEMS: usize = 512;

/// An element-wise function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Elementwise {
    /// A function of one operand.
    Unary(Unary),
    /// A function of two.
    Binary(Binary),
    /// A function of two operands, the second of which is a constant.
    Number(Binary, f64),
    /// The second operand where the first is not zero, otherwise the third.
    Select,
    /// A conversion to another element type.
    Convert(Element),
}

/// Returns the number of items of a function on elements of a type, or `None` if it has no code. It
/// is that of the code for f32, which is the longest.
pub fn items(function: Elementwise, element: Element) -> Option<usize> {
    let mut body = Body::new(&[], &[]);
    let mut operand = || Operand::from(body.value(Width::Long, Home::Any));
    let [a, b, c] = [operand(), operand(), operand()];
    let types = [element; 2];
    let made = match function {
        Elementwise::Unary(function) => {
            apply::unary(&mut body, Precise::for_f32(function), a, types, 0)
        }
        Elementwise::Binary(function) => {
            apply::binary(&mut body, Precise::for_f32(function), [a, b], types, 0)
        }
        Elementwise::Number(function, number) => {
            let number = apply::constant(number, element);
            apply::binary(&mut body, Precise::for_f32(function), [a, number], types, 0)
        }
        Elementwise::Select if element.is_integer() => {
            apply::apply(&mut body, Function::IntWhere, vec![a, b, c], 0)
        }
        Elementwise::Select => apply::apply(&mut body, Function::Where, vec![a, b, c], 0),
        Elementwise::Convert(to) => apply::convert(&mut body, a, [element, to], 0),
    };
    made.ok().map(|_| body.items.len())
}

#[cfg(test)]
mod tests;
