//! The vector unit as its instructions see it that only compute with LRegs.

use tessera_isa_tensix::Arch;

use super::chip::{features_of, ChipFeatures};
use crate::state::core_state::CoreState;
use crate::state::model::Model;
use crate::state::vector::Vector;

/// The state of the vector unit, the chip, and the implementation of its arithmetic.
pub(super) struct VectorUnit<'a> {
    pub(super) vector: &'a mut Vector,
    pub(super) arch: Arch,
    pub(super) model: Model,
}

impl<'a> VectorUnit<'a> {
    /// Returns the vector unit of a core.
    #[inline]
    pub(super) fn of(core: &'a mut CoreState) -> Self {
        VectorUnit {
            arch: core.arch,
            model: core.model,
            vector: &mut core.regs.vector,
        }
    }

    /// Returns the features of the chip.
    pub(super) fn chip(&self) -> &'static ChipFeatures {
        features_of(self.arch)
    }
}
