//! The configuration-dependent part of a PACR of one packer. It is derived once and cached until
//! one of the configuration words changes that it depends on.

use tessera_isa_tensix::cfg;

use super::addresses::is_from_l1;
use super::unit::Packers;
use crate::state::config::View;
use crate::state::packer::{Configured, Datapath, EdgeMasks};
use crate::trap::Fault;

impl Configured {
    /// Returns the settings of `packer`.
    pub(super) fn of(
        unit: &mut Packers<'_>,
        thread: usize,
        packer: u32,
    ) -> Result<Configured, Fault> {
        let at = unit.config.derive(thread, packer, |view: View<'_>| {
            Ok(Configured {
                path: Datapath::read(view, packer, is_from_l1(packer, view))?,
                masks: EdgeMasks::read(view, packer)?,
            })
        })?;
        Ok(unit.config.derived::<Configured>(at).clone())
    }
}

/// Returns whether some thread has enabled the count of exponents.
pub(super) fn counts_exponents(unit: &Packers<'_>) -> bool {
    let is_on = |thread| unit.config.thread(thread, cfg::ENABLE_ACC_STATS_Enable) != 0;
    (0..3).any(is_on)
}
