//! The agents of a tile: the steps of each, and what they wait for.

use tessera_isa_tensix::Arch;

use super::agent_ids::{Advance, DM, FRONTEND, NOC, TDMA, UNIT};
use super::breaks::{Break, Breaks};
use super::core_ids::parts_of_origin;
use super::cores::Cores;
use super::devices::Devices;
use super::lists::Lists;
use super::params::TileParams;
use crate::dram::Dram;
use crate::issue::coprocessor::{Advanced, Coprocessor};
use crate::issue::scheduler::Quantum;
use crate::map;
use crate::noc::{noc_trap, Delivery, Location, Payload, Progress};
use crate::state::changes::Changes;
use crate::state::request::{self, Request};
use crate::trap::{Fault, Source, Trap, TrapLocation};

/// The agents, and the parts of the tile on which they work.
pub(super) struct Agents<'a> {
    pub(super) cores: Cores,
    pub(super) devices: Devices,
    /// Data movement by a list in place of the cores, if the launch has one.
    pub(super) lists: Option<Lists<'a>>,
    pub(super) breaks: Breaks,
    /// The delivery of each NoC that waits for the end of the epoch.
    pub(super) deliveries: [Option<Delivery>; 2],
    /// Buffer for NoC payloads.
    carried: Vec<u8>,
}

impl Agents<'_> {
    /// Creates the agents of a tile with empty memories.
    pub(super) fn new(arch: Arch, params: &TileParams) -> Self {
        let mut coprocessor = Coprocessor::with_check_policy(arch, params.check_policy);
        coprocessor.core.model = params.model;
        Agents {
            cores: Cores::new(arch),
            devices: Devices::new(coprocessor, params),
            lists: None,
            breaks: Breaks::default(),
            deliveries: [None, None],
            carried: Vec::new(),
        }
    }

    /// Writes bytes from outside into L1, or a word into a device.
    pub(super) fn write(&mut self, addr: u32, bytes: &[u8]) -> Result<(), Fault> {
        let written = self.devices.write(addr, bytes);
        self.cores.take_resets(&mut self.devices);
        written
    }

    /// Returns whether a data movement list has entries left, for which it needs DRAM.
    pub(super) fn has_lists(&self) -> bool {
        self.lists.as_ref().is_some_and(|lists| !lists.have_ended())
    }

    /// Asserts in debug builds that no blocked agent could advance, that is, that no wake-up was
    /// missed.
    pub(super) fn assert_blocked(&mut self, mut dram: Option<&mut Dram>) -> Result<(), Trap> {
        if !cfg!(debug_assertions) || self.devices.is_weak {
            return Ok(());
        }
        for agent in 0..NOC {
            let done = self.advance(agent, 1, dram.as_deref_mut())?;
            debug_assert!(done.steps == 0, "agent {agent} waited for something else");
        }
        Ok(())
    }

    /// Lets an agent other than a NoC advance; cores and front ends by at most `steps` steps.
    pub(super) fn advance(
        &mut self,
        agent: usize,
        steps: u32,
        dram: Option<&mut Dram>,
    ) -> Result<Advance, Trap> {
        match agent {
            FRONTEND..UNIT => self.run_front_end(agent - FRONTEND, steps),
            DM.. => self.advance_device(agent, dram).map(Advance::from),
            core => self
                .cores
                .run((core, steps), &mut self.devices, &mut self.breaks),
        }
    }

    /// Lets a front end do at most `steps` steps, up to a break or until it blocks.
    fn run_front_end(&mut self, thread: usize, steps: u32) -> Result<Advance, Trap> {
        let coprocessor = &mut self.devices.coprocessor;
        let steps = if self.breaks.is_empty() { steps } else { 1 };
        let issued = coprocessor.issue(thread, steps);
        let (steps, may_continue) = issued.map_err(at_program_counter)?;
        if steps > 0 {
            let stats = &coprocessor.stats;
            self.breaks.hit(|at| {
                matches!(at, Break::Instruction(opcode, count) if stats.count(opcode) >= count)
            });
        }
        Ok(Advance {
            steps,
            may_continue,
        })
    }

    /// Lets data movement, a unit or TDMA-RISC advance by one step.
    fn advance_device(&mut self, agent: usize, dram: Option<&mut Dram>) -> Result<Advanced, Trap> {
        let coprocessor = &mut self.devices.coprocessor;
        match agent {
            // Tiles with lists always get DRAM.
            DM => match (&mut self.lists, dram) {
                (Some(lists), Some(dram)) if !self.devices.control.is_in_reset(map::NC) => {
                    lists.advance(dram, coprocessor)
                }
                _ => Ok(false),
            },
            UNIT..TDMA => self.retire_oldest(agent - UNIT),
            _ => {
                let advanced = self.devices.tdma.advance(coprocessor);
                self.devices.other_changes += u64::from(advanced == Ok(true));
                advanced.map_err(|fault| Trap::new(Some(Source::Mover), fault))
            }
        }
    }

    /// Retires the oldest instruction of a unit and executes its request to the tile, if it has
    /// one.
    fn retire_oldest(&mut self, unit: usize) -> Result<Advanced, Trap> {
        let Some((thread, sent)) = self
            .devices
            .coprocessor
            .finish(unit)
            .map_err(at_program_counter)?
        else {
            return Ok(false);
        };
        if let Some(sent) = sent {
            let arch = self.devices.coprocessor.core.arch;
            let done = self.carry_out(sent.request);
            done.map_err(|fault| {
                at_program_counter(request::trap(arch, thread, sent.origin, fault))
            })?;
        }
        Ok(true)
    }

    /// Executes a request of the coprocessor to the tile, as an access from outside.
    fn carry_out(&mut self, request: Request) -> Result<(), Fault> {
        match request {
            Request::Store { address, value } => self.write(address, &value.to_le_bytes()),
            Request::Load {
                address,
                thread,
                register,
            } => {
                let word = self.devices.word(address)?;
                self.devices.coprocessor.core.gprs[thread].set(register, word);
                Ok(())
            }
            Request::InstructionRam { offset, bytes } => {
                self.devices.nc_code.write(offset as usize, &bytes)
            }
        }
    }

    /// Lets a NoC advance with a request, unless it has an outstanding delivery.
    #[inline(never)]
    pub(super) fn step_noc(
        &mut self,
        noc: usize,
        others_are_blocked: bool,
        dram: &Dram,
    ) -> Result<bool, Trap> {
        if self.deliveries[noc].is_some() {
            return Ok(false);
        }
        let devices = &mut self.devices;
        let progress = devices.nius[noc].advance(others_are_blocked, &mut devices.coprocessor);
        match progress.map_err(|(pc, fault)| noc_trap(pc, fault))? {
            Progress::Nothing => return Ok(false),
            Progress::Advanced => {}
            Progress::Deliver(delivery) => match self.deliver_from_dram(noc, &delivery, dram) {
                Some(brought) => brought.map_err(|fault| noc_trap(delivery.pc, fault))?,
                None => self.deliveries[noc] = Some(delivery),
            },
        }
        Ok(true)
    }

    /// Executes a delivery from DRAM to this tile's L1; returns `None` for other deliveries.
    fn deliver_from_dram(
        &mut self,
        noc: usize,
        delivery: &Delivery,
        dram: &Dram,
    ) -> Option<Result<(), Fault>> {
        let (bank, offset, addr, length) = match delivery.what {
            Payload::Copy {
                from: Location::Dram { bank, offset },
                to: Location::L1 { tile, addr },
                length,
            } if tile == self.devices.nius[noc].coordinate() => (bank, offset, addr, length),
            _ => return None,
        };
        let mut bytes = std::mem::take(&mut self.carried);
        bytes.resize(length as usize, 0);
        let read = dram.read(bank, offset, &mut bytes).map_err(Fault::from);
        let written = read.and_then(|()| self.write(addr, &bytes));
        self.carried = bytes;
        let devices = &mut self.devices;
        let stats = &mut devices.coprocessor.stats;
        Some(written.map(|()| {
            devices.nius[noc].delivered(delivery, stats);
        }))
    }

    /// Returns whether a NoC has an outstanding delivery.
    pub(super) fn has_outstanding_delivery(&self) -> bool {
        self.deliveries.iter().any(Option::is_some)
    }

    /// Returns a one-step quantum for a NoC that has requests and no outstanding delivery.
    pub(super) fn pending_noc_quantum(&self) -> Option<Quantum> {
        let has_some =
            |noc: &usize| !self.devices.nius[*noc].is_idle() && self.deliveries[*noc].is_none();
        let noc = [0, 1].into_iter().find(has_some)?;
        Some(Quantum {
            agent: NOC + noc,
            steps: 1,
        })
    }

    /// Returns the changes that may unblock an agent.
    pub(super) fn waits_for(&mut self, agent: usize) -> Changes {
        match agent {
            DM if !self.has_lists() => Changes::NOTHING,
            DM => {
                let lines = map::LINES;
                self.devices
                    .coprocessor
                    .core
                    .l1
                    .watch(lines.start, lines.len() as u32);
                Changes::L1.or(Changes::OTHER)
            }
            FRONTEND..UNIT => self.devices.coprocessor.waits_for(agent - FRONTEND),
            UNIT..TDMA => Changes::FLIGHTS,
            TDMA if self.devices.tdma.is_idle() => Changes::OTHER,
            TDMA => Changes::FLIGHTS.or(Changes::OTHER),
            NOC.. if self.deliveries[agent - NOC].is_some() => Changes::NOTHING,
            NOC.. if self.devices.nius[agent - NOC].is_idle() => Changes::NOCS,
            // It delays packets at random.
            NOC.. => Changes::ANY,
            core => self.cores.waits_for(core, &mut self.devices),
        }
    }

    /// Describes what each core, front end and data movement waits for that has not ended. `name`
    /// adds to the address of a polled word; `loaded` tells which cores have code.
    pub(super) fn waiting(&self, name: impl Fn(u32) -> String, loaded: [bool; 5]) -> Vec<String> {
        let mut out = self.cores.waiting(&self.devices.control, name, loaded);
        for thread in 0..3 {
            if let Some((instruction, origin, why)) = self.devices.coprocessor.waiting(thread) {
                let (_, pc) = parts_of_origin(origin);
                out.push(format!(
                    "{}: `{}` of pc {pc:#x} waits for {why}",
                    Source::of_thread(thread),
                    instruction.text(self.devices.coprocessor.core.arch)
                ));
            }
        }
        out.extend(self.lists.as_ref().and_then(Lists::waiting));
        out
    }
}

/// Replaces the origin of a front end's word by the program counter that it encodes.
fn at_program_counter(trap: Trap) -> Trap {
    let place = match trap.place {
        Some(TrapLocation::Entry(origin)) => Some(TrapLocation::Pc(parts_of_origin(origin).1)),
        place => place,
    };
    Trap { place, ..trap }
}
