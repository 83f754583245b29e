//! The state that the Vector Unit receives.

use crate::state::access::AccessLog;
use crate::state::check_policy::CheckPolicy;
use crate::state::config::Config;
use crate::state::core_state::{CoreState, Slot};
use crate::state::model::Model;
use crate::state::regs::Dst;
use crate::state::rwc::Rwc;
use crate::state::vector::Vector;

/// The parts of a core's state that the Vector Unit uses.
///
/// Borrowing all of them takes longer than the shortest instructions. Functions that pass the value
/// on are therefore always inlined, and `&mut { unit }` collects the parts only where all are used.
pub struct VectorUnit<'a> {
    pub(super) check_policy: CheckPolicy,
    pub(super) model: Model,
    pub(super) config: &'a mut Config,
    pub(super) dst: &'a mut Dst,
    pub(super) vector: &'a mut Vector,
    pub(super) rwcs: &'a mut [Rwc; 3],
    pub(super) access: &'a mut AccessLog,
    pub(super) slot: &'a Slot,
}

impl<'a> VectorUnit<'a> {
    /// Borrows the parts of a core's state.
    #[inline(always)] // Short instructions borrow only the parts that they use.
    pub fn of(core: &'a mut CoreState) -> VectorUnit<'a> {
        VectorUnit {
            check_policy: core.check_policy,
            model: core.model,
            config: &mut core.config,
            dst: &mut core.regs.dst,
            vector: &mut core.regs.vector,
            rwcs: &mut core.regs.rwcs,
            access: &mut core.access,
            slot: &core.slot,
        }
    }

    /// Returns the same parts for a shorter time.
    #[inline(always)]
    pub(super) fn reborrow(&mut self) -> VectorUnit<'_> {
        VectorUnit {
            check_policy: self.check_policy,
            model: self.model,
            config: self.config,
            dst: self.dst,
            vector: self.vector,
            rwcs: self.rwcs,
            access: self.access,
            slot: self.slot,
        }
    }
}
