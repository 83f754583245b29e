//! The state that the Matrix Unit receives.

use crate::state::access::AccessLog;
use crate::state::banks::{Banks, Src};
use crate::state::check_policy::CheckPolicy;
use crate::state::config::Config;
use crate::state::core_state::CoreState;
use crate::state::dst_rows::DstRows;
use crate::state::matrix::{CachedArithmetic, CachedMoves, OperandCache};
use crate::state::model::Model;
use crate::state::packer::Packer;
use crate::state::regs::{Dst, SrcFile};
use crate::state::rwc::Rwc;
use crate::state::vector::Vector;
use crate::trap::Fault;

/// The parts of a core's state that the Matrix Unit uses.
pub struct MatrixUnit<'a> {
    pub(super) check_policy: CheckPolicy,
    pub(super) model: Model,
    pub(super) config: &'a Config,
    pub(super) banks: &'a mut Banks,
    pub(super) src: &'a mut [SrcFile; 2],
    pub(super) dst: &'a mut Dst,
    pub(super) rwcs: &'a mut [Rwc; 3],
    pub(super) last_src_a_row: &'a mut Option<usize>,
    /// The Vector Unit, whose configuration selects columns of moves.
    pub(super) vector: &'a Vector,
    /// The packers, whose histograms CLREXPHIST clears.
    pub(super) packers: &'a mut [Packer; 4],
    pub(super) arithmetic_cache: &'a mut [Option<CachedArithmetic>; 3],
    pub(super) move_cache: &'a mut [CachedMoves; 3],
    pub(super) operand_cache: &'a mut OperandCache,
    pub(super) access: &'a mut AccessLog,
}

impl<'a> MatrixUnit<'a> {
    /// Borrows the parts of a core's state.
    #[inline(always)] // Short instructions borrow only the parts that they use.
    pub fn of(core: &'a mut CoreState) -> MatrixUnit<'a> {
        MatrixUnit {
            check_policy: core.check_policy,
            model: core.model,
            config: &core.config,
            banks: &mut core.banks,
            src: &mut core.regs.src,
            dst: &mut core.regs.dst,
            rwcs: &mut core.regs.rwcs,
            last_src_a_row: &mut core.regs.last_src_a_row,
            vector: &core.regs.vector,
            packers: &mut core.regs.packers,
            arithmetic_cache: &mut core.arithmetic_cache,
            move_cache: &mut core.move_cache,
            operand_cache: &mut core.operand_cache,
            access: &mut core.access,
        }
    }

    /// Returns the same parts for a shorter time: functions that are not inlined get a copy, and
    /// the parts that inlined ones use stay in registers.
    #[inline(always)]
    pub(super) fn reborrow(&mut self) -> MatrixUnit<'_> {
        MatrixUnit {
            check_policy: self.check_policy,
            model: self.model,
            config: self.config,
            banks: self.banks,
            src: self.src,
            dst: self.dst,
            rwcs: self.rwcs,
            last_src_a_row: self.last_src_a_row,
            vector: self.vector,
            packers: self.packers,
            arithmetic_cache: self.arithmetic_cache,
            move_cache: self.move_cache,
            operand_cache: self.operand_cache,
            access: self.access,
        }
    }

    /// Returns Dst and the log of accesses to it.
    #[inline(always)]
    pub(super) fn dst_rows(&mut self) -> DstRows<'_> {
        DstRows {
            dst: self.dst,
            access: self.access,
        }
    }

    /// Returns the data of SrcA or SrcB.
    #[inline(always)]
    pub(super) fn src(&self, which: Src) -> &SrcFile {
        &self.src[which as usize]
    }

    /// Returns the data of SrcA or SrcB for writing.
    #[inline(always)]
    pub(super) fn src_mut(&mut self, which: Src) -> &mut SrcFile {
        &mut self.src[which as usize]
    }

    /// Advances the row counters of a thread as the `addr_mode` bits of an instruction say.
    ///
    /// # Errors
    /// Those of [`Rwc::apply_addr_mod`].
    #[inline(always)]
    pub(super) fn apply_addr_mod(&mut self, thread: usize, addr_mode: u32) -> Result<(), Fault> {
        self.rwcs[thread].apply_addr_mod(self.config, thread, addr_mode, true)
    }
}
