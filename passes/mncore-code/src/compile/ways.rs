//! The ways of a kernel: what it computes, spread over the chip in each of several ways.

use super::padding::Fill;
use super::rearrange::Only;
use super::{choices, elements, reduce, CompileError, Kernel, Options};
use crate::whole::{ExprKind, Whole};

/// The ways of a kernel, the cheapest first.
pub(super) trait Ways {
    /// What each is estimated to take, in steps.
    fn costs(&self) -> Vec<u64>;

    /// The kernel of a way, whose tensors lie at these long words, in the order in which they get
    /// their places; one behind the other if there are none.
    fn build(&self, way: usize, bases: &[u32]) -> Result<Kernel, CompileError>;
}

/// Those of what a group computes for which there are schedules.
pub(super) fn of<'a>(
    whole: &'a Whole,
    options: &Options,
    fill: Fill,
) -> Result<Box<dyn Ways + 'a>, CompileError> {
    if let Some(rearrangement) = &whole.rearrangement {
        return Ok(Box::new(Only::of(whole, rearrangement, fill)));
    }
    let store = super::store(whole)?;
    let mut reduces = false;
    store
        .value
        .visit(&mut |expr| reduces |= matches!(expr.kind, ExprKind::Reduce { .. }));
    Ok(match super::product(store)? {
        Some(product) => {
            let all = choices::Choices::of(whole, store, product, options, fill)?;
            Box::new(all.that_can_be_scheduled()?)
        }
        None if reduces => Box::new(reduce::Choices::of(whole, store, fill)?),
        None => Box::new(elements::Choices::of(whole, store, fill)),
    })
}
