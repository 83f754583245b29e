//! A packer's part of a PACR: beginning, datums and end of its output.

use tessera_isa_tensix::table::Pacr;

use super::datums::{self, Progress, Task};
use super::rows;
use super::settings::counts_exponents;
use super::unit::Packers;
use crate::state::packer::{Configured, Datapath, Output, OutputAddress, Packer, Position};
use crate::trap::Fault;

/// A packer's part of a PACR.
pub(super) struct Part<'a> {
    pub(super) i: &'a Pacr,
    pub(super) packer: u32,
    /// The thread that issues the PACR.
    pub(super) thread: usize,
    /// The thread whose counters the packer uses.
    pub(super) whose: usize,
}

impl Part<'_> {
    /// Returns the place of the packer's settings among the derived ones.
    pub(super) fn settings(&self, unit: &mut Packers<'_>) -> Result<usize, Fault> {
        let key = (self.packer, self.i.zero_write != 0);
        let channels = &unit.adcs[self.whose].packers;
        Configured::of(unit.config, self.thread, key, channels)
    }

    /// Packs the packer's datums.
    pub(super) fn pack(&self, unit: &mut Packers<'_>) -> Result<(), Fault> {
        let at = self.settings(unit)?;
        let settings = unit.config.derived::<Configured>(at);
        let (source, datums) = settings.source(&unit.adcs[self.whose].packers)?;
        self.begin(at, unit)?;
        let counts = counts_exponents(unit);
        let task = Task {
            source,
            datums,
            settings: unit.config.derived(at),
            counts,
        };
        let Some(mut progress) = Progress::of(&mut unit.packers[self.packer as usize]) else {
            return Ok(());
        };
        let done = rows::run(&task, &mut progress, &mut unit.memory)?;
        datums::run(&task, done, &mut progress, &mut unit.memory)
    }

    /// Begins an output unless there is one, which must have the format of the settings.
    pub(super) fn begin(&self, settings: usize, unit: &mut Packers<'_>) -> Result<(), Fault> {
        let Datapath {
            out, accumulate, ..
        } = unit.config.derived::<Configured>(settings).path;
        let state = &mut unit.packers[self.packer as usize];
        if let Some(output) = &state.output {
            return output.check_goes_on(out, accumulate);
        }
        let has_room = Output::has_room(out);
        let key = (self.packer, has_room);
        let at = unit.config.derive(self.thread, key, |view| {
            Ok(OutputAddress::read(view, self.packer, has_room))
        })?;
        let configured = unit.config.derived::<OutputAddress>(at);
        let [_, channel] = &unit.adcs[self.whose].packers;
        let units = configured.units(
            self.packer,
            (unit.config, self.thread),
            state.address_offset,
            channel,
        )?;
        state.output = Some(Output::begin(units, configured.room, (out, accumulate)));
        Ok(())
    }

    /// Ends the packer's output, if the PACR does.
    pub(super) fn end(&self, unit: &mut Packers<'_>) -> Result<(), Fault> {
        if self.i.last == 0 && self.i.flush == 0 {
            return Ok(());
        }
        let state = &mut unit.packers[self.packer as usize];
        if let Some(output) = &mut state.output {
            output.end(unit.memory.l1)?;
        }
        state.output = None;
        state.position = Position::default();
        Ok(())
    }
}

impl Progress<'_> {
    /// Borrows the state of a packer whose output has begun.
    pub(super) fn of(packer: &mut Packer) -> Option<Progress<'_>> {
        Some(Progress {
            position: &mut packer.position,
            histogram: &mut packer.histogram,
            output: packer.output.as_mut()?,
        })
    }
}
