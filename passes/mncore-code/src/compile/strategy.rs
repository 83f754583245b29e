//! The interface of the strategies by which a kernel is built.

use super::error::CompileError;
use super::kernel::Kernel;

/// A strategy with its parameters: the plan of a kernel. Functions that create plans check their
/// legality.
pub(crate) trait Strategy {
    /// Returns the estimated steps.
    fn cost(&self) -> u64;

    /// Builds the kernel. `bases` are the addresses of its tensors in order of allocation; if
    /// empty, they are allocated one after the other.
    fn emit(&self, bases: &[u32]) -> Result<Kernel, CompileError>;
}
