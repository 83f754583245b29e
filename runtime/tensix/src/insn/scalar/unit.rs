//! The state that the scalar unit receives.

use tessera_isa_tensix::Arch;

use crate::state::access::WordSet;
use crate::state::adc::ThreadAdcs;
use crate::state::banks::Banks;
use crate::state::config::Config;
use crate::state::core_state::CoreState;
use crate::state::gpr::Gprs;
use crate::state::l1::L1;
use crate::state::packer::Packer;
use crate::state::regs::SrcFile;
use crate::state::request::Request;

/// The parts of a core's state that the scalar unit uses.
pub(in crate::insn) struct ScalarUnit<'a> {
    pub(super) arch: Arch,
    pub(super) config: &'a mut Config,
    /// Configuration words that the instruction changes.
    pub(super) config_write: &'a mut WordSet,
    pub(super) gprs: &'a mut [Gprs; 3],
    pub(super) adcs: &'a mut [ThreadAdcs; 3],
    pub(super) l1: &'a mut L1,
    pub(super) banks: &'a Banks,
    pub(super) src: &'a mut [SrcFile; 2],
    pub(super) packers: &'a [Packer; 4],
    pub(super) request: &'a mut Option<Request>,
}

impl<'a> ScalarUnit<'a> {
    /// Borrows the parts of a core's state.
    pub(in crate::insn) fn of(core: &'a mut CoreState) -> ScalarUnit<'a> {
        ScalarUnit {
            arch: core.arch,
            config: &mut core.config,
            config_write: &mut core.access.config_write,
            gprs: &mut core.gprs,
            adcs: &mut core.adcs,
            l1: &mut core.l1,
            banks: &core.banks,
            src: &mut core.regs.src,
            packers: &core.regs.packers,
            request: &mut core.request,
        }
    }
}
