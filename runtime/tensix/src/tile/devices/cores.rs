//! Effects of cores on threads and on each other: pushed instructions, expanders, PCBufs,
//! mailboxes, resets.

use tessera_isa_tensix::expand::ExpandError;
use tessera_isa_tensix::{cfg, Arch, Opcode};
use tessera_riscv::Refusal;

use super::Devices;
use crate::map::{self, B, CORES, NC};
use crate::tile::access::{done_or_busy, fault, undefined, unmapped, Loaded, Stored, UNDEFINED};
use crate::tile::core_ids::{name, origin, thread_of};
use crate::trap::Fault;

impl Devices {
    /// Executes a store to `MopCfg`. Each T core accesses the expander of its own thread; B and NC
    /// have none (ISA documentation, `BabyRISCV/README.md`, memory map).
    pub(super) fn store_mop_config(
        &mut self,
        who: usize,
        addr: u32,
        value: u32,
    ) -> Result<(), Fault> {
        let Some(thread) = thread_of(who) else {
            return Err(Fault::undefined(format!(
                "core {} has no MOP expander",
                name(who)
            )));
        };
        let index = (addr - map::MOP_CFG) as usize / 4;
        self.coprocessor.frontends[thread]
            .set_mop_config(index, value)
            .map_err(|e| match e {
                ExpandError::MopCfgBusy { .. } => Fault::hazard(e.to_string()),
                _ => Fault::undefined(e.to_string()),
            })
    }

    pub(super) fn push(&mut self, (who, pc): (usize, u32), addr: u32, word: u32) -> Stored {
        let place = (addr - map::PUSH) >> 16;
        let thread = match (who, thread_of(who)) {
            (B, _) => place as usize,
            (_, Some(thread)) if place == 0 => thread,
            _ => {
                return undefined(format!(
                    "core {} cannot push instructions at {addr:#x}",
                    name(who)
                ))
            }
        };
        let frontend = &mut self.coprocessor.frontends[thread];
        let [own, of_b] = frontend.queued();
        let meets_other = match who {
            B => own > 0 || !frontend.is_mop_done(),
            _ => of_b > 0,
        };
        if meets_other {
            return Err(fault(Fault::hazard(format!(
                "pushes while B and T{thread} have instructions on the way to the same thread; the \
                 hardware drops some"
            ))));
        }
        let opcode = word >> 24;
        if who == B && (opcode == Opcode::Mop as u32 || opcode == Opcode::MopCfg as u32) {
            return undefined("B pushes after the MOP expander, which would not see this".into());
        }
        let origin = origin(who, pc);
        done_or_busy(match who {
            B => frontend.push_after_mop(word, origin),
            _ => frontend.push(word, origin),
        })
    }

    /// Executes a load that waits for the coprocessor or the MOP expander and has no value. Stores
    /// to the same addresses are dropped (ISA documentation, `BabyRISCV/TTSync.md`).
    pub(super) fn load_pc_buf(&mut self, who: usize, addr: u32, pushing: bool) -> Loaded {
        let offset = addr - map::PC_BUF;
        let Some(thread) = thread_of(who) else {
            return self.load_b_side(who, addr);
        };
        let frontend = &self.coprocessor.frontends[thread];
        if map::SEMAPHORES.contains(&offset) {
            let semaphore = (offset - map::SEMAPHORES.start) as usize / 4;
            return Ok(self.coprocessor.sync.value(semaphore).into());
        }
        let replaced = self.fifos.pc_override(thread);
        let ends = replaced.is_some_and(|o| o.busy);
        let done = match offset {
            0 => {
                let value = self.fifos.pop_pc(thread).or(replaced.map(|o| o.value));
                return value.ok_or(Refusal::Busy);
            }
            map::COPROCESSOR_DONE | map::MOP_DONE if ends => true,
            map::COPROCESSOR_DONE => !pushing && self.coprocessor.idle(thread),
            map::MOP_DONE => !pushing && frontend.is_mop_done(),
            _ => return unmapped(who, "reads", addr),
        };
        done_or_busy(done).map(|()| UNDEFINED)
    }

    /// Executes B's read of the PCBuf to a T core, which waits until the T core is idle.
    fn load_b_side(&mut self, who: usize, addr: u32) -> Loaded {
        let thread = ((addr - map::PC_BUF) >> 16) as usize;
        if who != B {
            return unmapped(who, "reads", addr);
        }
        let ends = self.fifos.pc_override(thread).is_some_and(|o| o.busy);
        let idle = ends || self.fifos.waits_for_pc(thread) && self.coprocessor.idle(thread);
        done_or_busy(idle).map(|()| 0)
    }

    pub(super) fn store_pc_buf(&mut self, who: usize, addr: u32, value: u32) -> Stored {
        let offset = addr - map::PC_BUF;
        if who == B {
            return done_or_busy(self.fifos.push_pc((offset >> 16) as usize, value));
        }
        match offset {
            _ if thread_of(who).is_none() => unmapped(who, "writes", addr),
            0 | map::COPROCESSOR_DONE | map::MOP_DONE => Ok(()),
            _ if map::SEMAPHORES.contains(&offset) => {
                let mask = 1 << ((offset - map::SEMAPHORES.start) / 4);
                match value & 1 {
                    0 => self.coprocessor.sync.post(mask),
                    _ => self.coprocessor.sync.get(mask),
                }
                Ok(())
            }
            _ => unmapped(who, "writes", addr),
        }
    }

    pub(super) fn load_mailbox(&mut self, who: usize, addr: u32) -> Loaded {
        let Some(other) = mailbox(who, addr) else {
            return unmapped(who, "reads", addr);
        };
        if addr & 4 != 0 {
            return Ok(self.fifos.has_mail(other, who).into());
        }
        self.fifos.receive(other, who).ok_or(Refusal::Busy)
    }

    /// Executes a store to the soft reset register, except for resetting the cores themselves.
    pub(super) fn store_reset(&mut self, value: u32) -> Result<(), Fault> {
        let change = self.control.store_reset(value)?;
        for core in (0..CORES.len()).filter(|core| change.entered >> core & 1 != 0) {
            self.fifos.enter_reset(core);
            let on_the_way =
                thread_of(core).is_some_and(|t| !self.coprocessor.frontends[t].is_empty());
            if on_the_way {
                return Err(Fault::unmodelled(format!(
                    "putting core {} into reset while it has instructions on the way; let it wait \
                     for them first",
                    name(core)
                )));
            }
        }
        for core in (0..CORES.len()).filter(|core| change.left >> core & 1 != 0) {
            self.fifos.leave_reset(core);
            if self.control.resets_local(core) {
                self.locals[core].reset();
            }
        }
        self.reset_change.entered |= change.entered;
        self.reset_change.left |= change.left;
        Ok(())
    }

    /// Returns a core's reset address (ISA documentation, `SoftReset.md` of both kinds of tile).
    pub(crate) fn reset_pc(&self, core: usize) -> u32 {
        match self.arch() {
            Arch::WormholeB0 => self.reset_pc_of_wormhole(core),
            Arch::Blackhole => self
                .control
                .reset_pc(core)
                .unwrap_or(map::IMAGES[core].start),
        }
    }

    fn reset_pc_of_wormhole(&self, core: usize) -> u32 {
        let config = &self.coprocessor.core.config;
        let get = |field: cfg::ConfigField| config.get_in_state(0, field);
        let (overridden, pc) = match thread_of(core) {
            Some(thread) => (
                get(cfg::TRISC_RESET_PC_OVERRIDE_Reset_PC_Override_en) >> thread & 1,
                get(cfg::TRISC_RESET_PC_PC.nth(thread as u32)),
            ),
            None if core == NC => (
                get(cfg::NCRISC_RESET_PC_OVERRIDE_Reset_PC_Override_en),
                get(cfg::NCRISC_RESET_PC_PC),
            ),
            None => return self.ethernet_pc,
        };
        match overridden {
            0 => map::IMAGES[core].start,
            _ => pc,
        }
    }
}

/// Returns the other side of a core's mailbox at an address.
pub(super) fn mailbox(who: usize, addr: u32) -> Option<usize> {
    (who < NC).then_some(((addr - map::MAILBOXES) >> 12) as usize)
}
