//! The state that the unpackers receive.

use tessera_isa_tensix::Arch;

use crate::state::access::AccessLog;
use crate::state::adc::ThreadAdcs;
use crate::state::banks::Banks;
use crate::state::config::Config;
use crate::state::core_state::CoreState;
use crate::state::dst_rows::DstRows;
use crate::state::l1::L1;
use crate::state::model::Model;
use crate::state::regs::{Dst, SrcFile};
use crate::state::unpacker::RowStarts;

/// The parts of a core's state that the unpackers use.
pub struct Unpackers<'a> {
    pub(super) arch: Arch,
    pub(super) model: Model,
    /// Changed only to keep what has been derived from it.
    pub(super) config: &'a mut Config,
    pub(super) adcs: &'a mut [ThreadAdcs; 3],
    pub(super) l1: &'a mut L1,
    pub(super) banks: &'a mut Banks,
    pub(super) src: &'a mut [SrcFile; 2],
    pub(super) dst: &'a mut Dst,
    pub(super) access: &'a mut AccessLog,
    pub(super) context_counter: &'a mut [[u32; 3]; 2],
    pub(super) unpacked_to_dst: &'a mut bool,
    pub(super) row_starts: &'a mut [RowStarts; 2],
}

impl<'a> Unpackers<'a> {
    /// Borrows the parts of a core's state.
    pub fn of(core: &'a mut CoreState) -> Unpackers<'a> {
        Unpackers {
            arch: core.arch,
            model: core.model,
            config: &mut core.config,
            adcs: &mut core.adcs,
            l1: &mut core.l1,
            banks: &mut core.banks,
            src: &mut core.regs.src,
            dst: &mut core.regs.dst,
            access: &mut core.access,
            context_counter: &mut core.context_counter,
            unpacked_to_dst: &mut core.unpacked_to_dst,
            row_starts: &mut core.row_starts,
        }
    }

    /// Returns Dst and the log of accesses to it.
    pub(super) fn dst_rows(&mut self) -> DstRows<'_> {
        DstRows {
            dst: self.dst,
            access: self.access,
        }
    }
}
