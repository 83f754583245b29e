//! Candidates: the alternative implementations of a kernel, in different data distributions.

use super::error::CompileError;
use super::kernel::Kernel;

/// The candidates of a kernel, cheapest first, within the accuracy of the estimates.
pub(crate) trait Candidates {
    /// Returns the estimated steps of each candidate.
    fn costs(&self) -> Vec<u64>;

    /// Builds a candidate. `bases` are the addresses of its tensors in order of allocation; if
    /// empty, they are allocated one after the other.
    fn build(&self, candidate: usize, bases: &[u32]) -> Result<Kernel, CompileError>;
}
