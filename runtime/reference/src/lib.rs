//! The reference device: what a tensor program means, without any model of a chip.
//!
//! Every operation is evaluated in `f64` on operands as they are stored, and rounded once to the
//! type of its result: to nearest, ties to even. Sums of matrix products are `f64` sums in the
//! order of K.
//!
//! Values of operations are those of [`tessera_ops::eval`], in f64; integers of 32 bits with a sign
//! are computed as such, and wrap. Only the tensors are this crate's own.
//!
//! This crate is what the devices are judged by, so it must not share arithmetic with them;
//! `tests/tests/layering.rs` asserts that it depends on none of the Tensix crates. It owns
//! [`Tensor`], the host's form of a tensor, and the `.npy` files tensors come from and go to.
//!
//! Checked: shapes, data types and ids, again for every operation, so that an unvalidated program
//! is an error and not a panic. Not checked: whether a sum loses its last bits (the error of a sum
//! of k products is below k 2^-53 of the sum of their magnitudes).

mod eval;
pub mod npy;
mod tensor;

pub use eval::{
    create, eval_unrounded, eval_unrounded_from, execute, full, with_factors, EvalError,
    ReadElements, Values,
};
pub use tensor::{Tensor, TensorError};
