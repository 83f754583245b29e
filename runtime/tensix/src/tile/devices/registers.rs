//! Registers of the tile, the coprocessor and the interrupt controller as cores access them.

use super::Devices;
use crate::map::{self, ConfigWord, B, NC};
use crate::noc::Niu;
use crate::state::access::WordSet;
use crate::tile::core_ids::{name, thread_of};
use crate::trap::Fault;

/// RISCV_DEBUG_REG_TRISC_PC_BUF_OVERRIDE.
const PC_BUF_OVERRIDE: u32 = map::CONTROL + 0x90;
/// RISCV_DEBUG_REG_INSTRN_BUF_STATUS: a bit for each thread whose FIFO before the replay expander
/// has space, and for each whose FIFO is empty.
const PUSH_STATUS: u32 = map::CONTROL + 0xa8;

impl Devices {
    pub(super) fn load_control(&mut self, addr: u32) -> Result<u32, Fault> {
        match addr {
            PC_BUF_OVERRIDE => Ok(self.fifos.overrides),
            PUSH_STATUS => Ok((0..3).fold(0, |bits, thread| {
                let (full, empty) = self.coprocessor.frontends[thread].replay_fifo_status();
                bits | u32::from(!full) << thread | u32::from(empty) << (4 + thread)
            })),
            _ => self.control.load(addr, &self.coprocessor.core.config),
        }
    }

    pub(super) fn store_control(&mut self, addr: u32, value: u32) -> Result<(), Fault> {
        if addr == PC_BUF_OVERRIDE {
            self.fifos.overrides = value;
            return Ok(());
        }
        match self.control.store_timestamp(addr, value) {
            Some(piece) => match piece? {
                Some((at, bytes)) => {
                    self.coprocessor.core.l1.write(at, &bytes)?;
                    self.coprocessor.check_l1()
                }
                None => Ok(()),
            },
            None => self.control.store(addr, value),
        }
    }

    /// Returns a register of the interrupt controller, or the program counter of B, NC, T0, T1 or
    /// T2.
    pub(super) fn load_interrupts(&mut self, addr: u32) -> Option<u32> {
        if map::SNAPSHOTS.contains(&addr) {
            let core = [B, NC, 1, 2, 3][((addr - map::SNAPSHOTS.start) / 4) as usize];
            return Some(self.pcs[core]);
        }
        let raised = self.nius.each_ref().map(Niu::interrupts);
        self.pic.set_nocs(raised);
        self.pic.load(addr)
    }

    /// Returns thread and number of a register: B accesses those of all threads, a T core its own.
    pub(super) fn gpr(&self, who: usize, addr: u32) -> Result<(usize, u32), Fault> {
        let at = (addr - map::GPRS) / 4;
        match (thread_of(who), at) {
            (Some(thread), 0..64) => Ok((thread, at)),
            (None, 0..192) if who == B => Ok((at as usize / 64, at % 64)),
            _ => Err(Fault::undefined(format!(
                "there is no GPR at {addr:#x} for core {}",
                name(who)
            ))),
        }
    }

    pub(super) fn config_word(&self, who: usize, addr: u32) -> Result<ConfigWord, Fault> {
        let at = (addr - map::CONFIG) as usize / 4;
        let word = map::config_word(self.arch(), at).filter(|_| who < NC);
        word.ok_or_else(|| {
            Fault::undefined(format!(
                "there is no word of Config at {addr:#x} for core {}",
                name(who)
            ))
        })
    }

    /// Executes a store to configuration. Every thread may use it, so each has to wait for the
    /// stores of its own core. Instructions cannot wait for those of B, which has to read them
    /// back.
    pub(super) fn store_config(&mut self, who: usize, addr: u32, value: u32) -> Result<(), Fault> {
        let (states, word) = match self.config_word(who, addr)? {
            ConfigWord::State(state, word) => (state..state + 1, word),
            ConfigWord::Both(word) => (0..2, word),
            ConfigWord::Thread(..) => {
                return Err(Fault::undefined(format!(
                    "writes {addr:#x}, in ThreadConfig, which cores only read; push a SETC16"
                )))
            }
        };
        let mut changed = WordSet::default();
        let config = &mut self.coprocessor.core.config;
        for state in states {
            config.write_state(state, word, value, u32::MAX, &mut changed)?;
        }
        self.coprocessor.flights.check_config(&changed)?;
        if let Some(thread) = thread_of(who) {
            self.coprocessor.unguarded[thread].extend(&changed);
        }
        Ok(())
    }
}
