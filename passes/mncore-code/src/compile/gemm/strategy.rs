//! The interface of the strategies by which a product is built.

use super::arithmetic::Arithmetic;
use super::problem::Blocking;
use super::product::ProductBuilder;
use crate::compile::error::CompileError;
use crate::compile::kernel::Kernel;

/// A strategy with its parameters. Constructors return `None` for parameters that are not legal for
/// a product.
pub(crate) trait ProductStrategy {
    /// Returns the blocking.
    fn blocking(&self) -> &Blocking;

    /// Returns whether tiles of the row side are converted to block floats before the loop that
    /// multiplies loads them.
    fn converts_in_advance(&self) -> bool;

    /// Returns the estimated steps of all loops.
    fn cost(&self, arithmetic: Arithmetic) -> u64;

    /// Builds the kernel.
    fn emit(&self, product: ProductBuilder) -> Result<Kernel, CompileError>;
}
