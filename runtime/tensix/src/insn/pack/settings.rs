//! The configuration-dependent part of a PACR of one packer. It is derived once and cached until
//! one of the configuration words changes that it depends on.

use tessera_isa_tensix::{cfg, Arch};

use super::addresses::{is_from_l1, Source};
use super::unit::Packers;
use crate::state::adc::Channel;
use crate::state::config::{Config, View};
use crate::state::packer::{Configured, Datapath, EdgeMasks, InputAddress};
use crate::trap::Fault;

impl Configured {
    /// Returns the place of the settings of `packer` among the derived ones.
    pub(super) fn of(
        config: &mut Config,
        thread: usize,
        (packer, packs_zeros): (u32, bool),
        channels: &[Channel; 2],
    ) -> Result<usize, Fault> {
        config.derive(thread, (packer, packs_zeros), |view: View<'_>| {
            let from_l1 = is_from_l1(packer, view);
            if from_l1 && view.arch() == Arch::Blackhole {
                return Err(Fault::unmodelled(
                    "packing from L1 on Blackhole; clear Source_interface_selection",
                ));
            }
            let input = match packs_zeros {
                true => InputAddress::Null,
                false => InputAddress::read(view, packer, from_l1),
            };
            // The faults of addresses come before those of other settings.
            input.source(channels)?;
            let path = Datapath::read(view, packer, from_l1)?;
            Ok(Configured {
                input,
                stages: path.stages(),
                path,
                masks: EdgeMasks::read(view, packer)?,
            })
        })
    }

    /// Returns the source and the number of the datums of a PACR.
    pub(super) fn source(&self, channels: &[Channel; 2]) -> Result<(Source, u32), Fault> {
        let (source, datums) = self.input.source(channels)?;
        if !matches!(source, Source::Dst { .. }) && !self.masks.keep_all() {
            return Err(Fault::undefined(
                "edge masks for datums that do not come from Dst; set all four masks to 0xffff",
            ));
        }
        Ok((source, datums))
    }
}

/// Returns whether some thread has enabled the count of exponents.
#[inline]
pub(super) fn counts_exponents(unit: &Packers<'_>) -> bool {
    let is_on = |thread| unit.config.thread(thread, cfg::ENABLE_ACC_STATS_Enable) != 0;
    (0..3).any(is_on)
}
