//! The RISC-V cores of a tile: how far they run, what they wait for, interrupts and resets.

use std::sync::Arc;

use tessera_isa_tensix::Arch;
use tessera_riscv::{CodeLibrary, Core, SharedCode, Step};

use super::agent_ids::Advance;
use super::breaks::{Break, Breaks};
use super::bus::CoreBus;
use super::control::{Control, ResetChange};
use super::core_ids::source;
use super::devices::{changes_at, Devices};
use crate::map::{self, Region, CORES};
use crate::noc::Niu;
use crate::state::changes::Changes;
use crate::state::l1::L1;
use crate::trap::{Reason, Trap, TrapLocation};

/// The instructions of a core's step, unless it ends earlier at an observable access.
const STEP_INSTRUCTIONS: u64 = 64;

/// The cores. Those in reset do not run.
pub(super) struct Cores {
    cores: [Core; 5],
    /// The outcome of each core's last step, and the address of the access that it must retry.
    last: [Step; 5],
    refused: [u32; 5],
    /// The maximum number of instructions of a core.
    pub(super) limit: u64,
}

impl Cores {
    pub(super) fn new(arch: Arch) -> Self {
        Cores {
            cores: std::array::from_fn(|k| Core::new(map::isa(arch, k), map::IMAGES[k].start)),
            last: [Step::Ran; 5],
            refused: [0; 5],
            limit: u64::MAX,
        }
    }

    /// Makes the memory requests of all cores weakly ordered.
    pub(super) fn set_weak_order(&mut self, seed: u64) {
        for (k, core) in self.cores.iter_mut().enumerate() {
            core.set_weak_order(seed.wrapping_mul(CORES.len() as u64).wrapping_add(k as u64));
        }
    }

    /// Shares the decoded code of the image that a core has in L1.
    pub(super) fn share_code(&mut self, core: usize, code: &Arc<SharedCode>, l1: &L1) {
        self.cores[core].share_code(Arc::clone(code), |addr| l1.code_version(addr));
    }

    /// Lets the cores share decoded pages with those of other tiles.
    pub(super) fn set_library(&mut self, library: &Arc<CodeLibrary>) {
        for core in &mut self.cores {
            core.set_library(Arc::clone(library));
        }
    }

    /// Returns the number of instructions that each core has executed outside of polling.
    pub(super) fn retired(&self) -> [u64; 5] {
        self.cores.each_ref().map(Core::retired_outside_polling)
    }

    /// Returns the cores that are not in reset, with their numbers.
    pub(super) fn running<'c>(
        &'c self,
        control: &'c Control,
    ) -> impl Iterator<Item = (usize, &'c Core)> {
        let cores = self.cores.iter().enumerate();
        cores.filter(|&(k, _)| !control.is_in_reset(k))
    }

    /// Runs a core until it has made `steps` observable accesses, or one that takes effect at once,
    /// or blocks. Each access counts as one step; any other progress counts as one.
    #[inline(never)]
    pub(super) fn run(
        &mut self,
        (k, steps): (usize, u32),
        devices: &mut Devices,
        breaks: &mut Breaks,
    ) -> Result<Advance, Trap> {
        if devices.control.is_in_reset(k) {
            return Ok(Advance::from(false));
        }
        self.interrupt(k, devices);
        let arch = devices.arch();
        let mut advanced = false;
        // Stores of a weakly ordered core may leave its queue at any instruction.
        let (slices, instructions, accesses) = match devices.is_weak || breaks.watch(k) {
            true => (STEP_INSTRUCTIONS, 1, 1),
            false => (1, STEP_INSTRUCTIONS, steps),
        };
        let mut left = accesses;
        let before = self.cores[k].retired();
        for _ in 0..slices {
            let pc = self.cores[k].pc();
            if breaks.hit(|at| at == Break::Pc(k, pc)) {
                return Ok(Advance::from(true));
            }
            let core = &mut self.cores[k];
            let mut view = CoreBus {
                who: k,
                devices: &mut *devices,
                pushing: core
                    .sent_stores()
                    .any(|addr| map::region(arch, addr) == Region::FrontEnd),
                accesses,
                touched: false,
                refused: self.refused[k],
            };
            let step = core.run(&mut view, instructions).map_err(|e| Trap {
                place: Some(TrapLocation::Pc(e.pc)),
                ..Trap::new(Some(source(k)), Reason::Riscv(Box::new(e)))
            })?;
            left = view.accesses;
            self.refused[k] = view.refused;
            let stops = view.touched || left < accesses;
            self.last[k] = step;
            advanced |= step == Step::Ran || self.cores[k].retired() != before;
            if step != Step::Ran || stops {
                break;
            }
        }
        devices.control.tick(self.cores[k].retired() - before);
        devices.pcs[k] = self.cores[k].pc();
        self.note_stores(k, devices);
        self.take_resets(devices);
        if self.cores[k].retired() > self.limit {
            return Err(Trap {
                place: Some(TrapLocation::Pc(self.cores[k].pc())),
                ..Trap::new(Some(source(k)), Reason::Endless(self.limit))
            });
        }
        Ok(Advance {
            steps: match advanced {
                true => (accesses - left).max(1),
                false => 0,
            },
            may_continue: self.last[k] == Step::Ran,
        })
    }

    /// Interrupts a core if its interrupt controller requests that.
    fn interrupt(&mut self, k: usize, devices: &mut Devices) {
        if !self.cores[k].can_be_interrupted() {
            return;
        }
        let raised = devices.nius.each_ref().map(Niu::interrupts);
        devices.pic.set_nocs(raised);
        if let Some(handler) = devices.pic.take_interrupt(k) {
            self.cores[k].interrupt(handler);
        }
    }

    /// Tells the coprocessor whether a thread's core has stores in flight that condition C13 of
    /// STALLWAIT waits for.
    fn note_stores(&self, k: usize, devices: &mut Devices) {
        if (map::B + 1..map::NC).contains(&k) {
            let arch = devices.arch();
            let waited_for =
                |addr| matches!(map::region(arch, addr), Region::Gprs | Region::Config);
            devices.coprocessor.storing[k - 1] = self.cores[k].sent_stores().any(waited_for);
        }
    }

    /// Resets the cores that the soft reset register has released.
    pub(super) fn take_resets(&mut self, devices: &mut Devices) {
        if devices.reset_change == ResetChange::default() {
            return;
        }
        let ResetChange { left, .. } = std::mem::take(&mut devices.reset_change);
        for core in (0..CORES.len()).filter(|core| left >> core & 1 != 0) {
            let pc = devices.reset_pc(core);
            self.cores[core].reset(pc);
        }
    }

    /// Returns the changes that may unblock a core.
    pub(super) fn waits_for(&self, k: usize, devices: &mut Devices) -> Changes {
        // Accesses in flight complete at random.
        if devices.is_weak {
            return Changes::ANY;
        }
        if devices.control.is_in_reset(k) {
            return Changes::OTHER;
        }
        // NoCs can raise interrupts.
        let interrupts = match self.cores[k].can_be_interrupted() {
            true => Changes::OTHER.or(Changes::NOCS),
            false => Changes::OTHER,
        };
        match self.last[k] {
            Step::Parked { .. } => self.cores[k].polled().fold(interrupts, |all, addr| {
                let region = devices.region_of(addr);
                let changes = changes_at(k, region, addr);
                if changes.has(Changes::L1) {
                    devices.coprocessor.core.l1.watch(addr, 4);
                }
                all.or(changes)
            }),
            Step::Halted => interrupts,
            // It waits for space in a FIFO, for the coprocessor, or for another core.
            Step::Busy | Step::Ran => interrupts.or(devices.changes_before(k, self.refused[k])),
        }
    }

    /// Describes what each core waits for that has not ended. `name` adds to the address of a
    /// polled word; `loaded` tells which cores have code.
    pub(super) fn waiting(
        &self,
        control: &Control,
        name: impl Fn(u32) -> String,
        loaded: [bool; 5],
    ) -> Vec<String> {
        let mut out = Vec::new();
        for (k, core) in self.cores.iter().enumerate() {
            let (core_name, pc) = (CORES[k], core.pc());
            if control.is_in_reset(k) {
                if loaded[k] {
                    out.push(format!("core {core_name} was never released from reset"));
                }
                continue;
            }
            let instruction = || {
                let next = core.next_instruction();
                next.map_or(String::new(), |i| format!(", `{i}`,"))
            };
            match self.last[k] {
                Step::Halted => {}
                Step::Parked { addr } => out.push(format!(
                    "core {core_name} polls {addr:#x}{} in the loop at pc {pc:#x}",
                    name(addr)
                )),
                Step::Busy | Step::Ran => out.push(format!(
                    "core {core_name} at pc {pc:#x}{} is stalled",
                    instruction()
                )),
            }
        }
        out
    }
}
