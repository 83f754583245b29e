//! How long the loop of a kernel becomes by its element-wise functions, and whether that is too
//! long for one kernel.
//!
//! Scheduling a loop takes more than quadratic time in its items, whereas a kernel that computes
//! for hundreds of steps with each vector gains nothing from being longer: bringing and fetching
//! the vector takes a few steps. Whoever forms kernels asks here whether one more function still
//! belongs into the loop.

use tessera_isa_mncore::memory::Width;
use tessera_pto::kernel::{Binary, Element, Unary};

use super::apply;
use crate::functions::Function;
use tessera_mncore_ir::body::{Body, Home};
use tessera_mncore_ir::item::Operand;

/// The most items of the element-wise functions of one kernel.
pub const MOST_ITEMS: usize = 512;

/// An element-wise function of a kernel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Elementwise {
    /// A function of one operand.
    Unary(Unary),
    /// A function of two.
    Binary(Binary),
    /// A function of two, the second of which is a number.
    Number(Binary, f64),
    /// The second operand where the first is not zero, else the third.
    Select,
    /// The elements of another type.
    Convert(Element),
}

/// Returns how many items a function takes that is computed of such elements, or nothing if it has
/// no code.
pub fn items(function: Elementwise, element: Element) -> Option<usize> {
    let mut body = Body::new(&[], &[]);
    let mut operand = || Operand::from(body.value(Width::Long, Home::Any));
    let [a, b, c] = [operand(), operand(), operand()];
    let types = [element; 2];
    let made = match function {
        Elementwise::Unary(function) => apply::unary(&mut body, function, a, types, 0),
        Elementwise::Binary(function) => apply::binary(&mut body, function, [a, b], types, 0),
        Elementwise::Number(function, number) => {
            let number = apply::constant(number, element);
            apply::binary(&mut body, function, [a, number], types, 0)
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
