//! Candidates: the alternative implementations of a kernel, in different data distributions.

use super::candidates::Candidates;
use super::elementwise::elements::ElementwiseCandidates;
use super::error::CompileError;
use super::fused_stages::FusedKernel;
use super::gemm::candidates::ProductCandidates;
use super::options::Options;
use super::padding::Fill;
use super::rearrange::DataMovement;
use super::reduce::loops::ReductionCandidates;
use crate::raise::{ExprKind, TensorProgram};

/// Returns the candidates of a group. Those of a product with a computed factor are reduced to one
/// that has a schedule ([`ProductCandidates::retain_schedulable`]); others are
/// not scheduled here.
pub(super) fn enumerate<'a>(
    whole: &'a TensorProgram,
    options: &Options,
    fill: Fill,
) -> Result<Box<dyn Candidates + 'a>, CompileError> {
    if let Some(rearrangement) = &whole.rearrangement {
        return Ok(Box::new(DataMovement::new(whole, rearrangement, fill)));
    }
    let store = super::single_store(whole)?;
    if !whole.locals.is_empty() {
        let kernel = FusedKernel::new(whole, store, options, fill)?;
        return Ok(Box::new(kernel));
    }
    let mut reduces = false;
    store
        .value
        .visit(&mut |expr| reduces |= matches!(expr.kind, ExprKind::Reduce { .. }));
    Ok(match super::find_product(store)? {
        Some(product) => {
            let all = ProductCandidates::new(whole, store, product, options, fill)?;
            Box::new(all.retain_schedulable()?)
        }
        None if reduces => Box::new(ReductionCandidates::new(whole, store, fill)?),
        None => Box::new(ElementwiseCandidates::new(whole, store, fill)),
    })
}
