//! The state that the packers receive.

use tessera_isa_tensix::Arch;

use crate::state::access::AccessLog;
use crate::state::adc::ThreadAdcs;
use crate::state::config::Config;
use crate::state::core_state::CoreState;
use crate::state::dst_rows::DstRows;
use crate::state::l1::L1;
use crate::state::model::Model;
use crate::state::packer::{Packer, SetRegister};
use crate::state::regs::Dst;
use crate::state::request::Request;

/// The parts of a core's state that the packers use.
pub struct Packers<'a> {
    pub(super) arch: Arch,
    pub(super) config: &'a mut Config,
    pub(super) adcs: &'a mut [ThreadAdcs; 3],
    pub(super) memory: Memory<'a>,
    pub(super) packers: &'a mut [Packer; 4],
    pub(super) set_register: &'a SetRegister,
    pub(super) request: &'a mut Option<Request>,
}

/// The memories between which the packers move datums, and the model of their arithmetic.
pub(super) struct Memory<'a> {
    pub(super) model: Model,
    pub(super) l1: &'a mut L1,
    pub(super) dst: &'a mut Dst,
    pub(super) access: &'a mut AccessLog,
}

impl<'a> Packers<'a> {
    /// Borrows the parts of a core's state.
    pub fn of(core: &'a mut CoreState) -> Packers<'a> {
        Packers {
            arch: core.arch,
            config: &mut core.config,
            adcs: &mut core.adcs,
            memory: Memory {
                model: core.model,
                l1: &mut core.l1,
                dst: &mut core.regs.dst,
                access: &mut core.access,
            },
            packers: &mut core.regs.packers,
            set_register: &core.regs.set_register,
            request: &mut core.request,
        }
    }
}

impl Memory<'_> {
    /// Returns Dst and the log of accesses to it.
    pub(super) fn dst_rows(&mut self) -> DstRows<'_> {
        DstRows {
            dst: self.dst,
            access: self.access,
        }
    }
}
