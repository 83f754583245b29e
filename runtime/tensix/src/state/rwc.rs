//! Row counters of the Matrix and Vector Units, one set per thread.
//!
//! Wormhole B0 has eight address modes. An instruction selects one of four in a half of the table;
//! the half is selected by a bias, which the modes themselves toggle, and by a configuration field.
//! On Blackhole an instruction selects one of eight. The bias and a seventh bit of the sources'
//! increments can still be configured there. No source describes them, and ttsim 1.10.0 refuses the
//! bias: they trap.
//!
//! Source: ISA documentation, `RWCs.md`, `SETRWC.md`, `INCRWC.md`; for Blackhole, the operands in
//! LLK's `assembly.yaml`, and `SFPLOAD.md` and `SFPSTORE.md` for the stack pointer.

use tessera_isa_tensix::cfg::{self, FieldPlace, ThreadField};
use tessera_isa_tensix::table::{Incrwc, Setrwc};
use tessera_isa_tensix::Arch;

use crate::state::addr_mod::AddrMod;
use crate::state::config::Config;
use crate::trap::Fault;

/// A counter with its carriage-return value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counter {
    /// The counter.
    pub value: u32,
    /// Its carriage-return value.
    pub home: u32,
}

impl Counter {
    fn step(&mut self, by: u32, mask: u32) {
        self.value = (self.value + by) & mask;
    }

    fn carriage_return(&mut self, by: u32, mask: u32) {
        self.home = (self.home + by) & mask;
        self.value = self.home;
    }

    fn set(&mut self, to: u32, mask: u32) {
        *self = Counter {
            value: to & mask,
            home: to & mask,
        };
    }
}

const SRC_MASK: u32 = 0x3F;
/// Mask of a row of Dst.
pub(crate) const DST_MASK: u32 = 0x3FF;

/// The counters of one thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rwc {
    /// Row of Dst, 10 bits.
    pub dst: Counter,
    /// Row of SrcA, 6 bits.
    pub src_a: Counter,
    /// Row of SrcB, 6 bits.
    pub src_b: Counter,
    /// Fidelity phase, 2 bits.
    pub fidelity: u32,
    /// Selects the upper half of the address-mode table.
    pub upper_modes: bool,
    /// The pointer of the vector unit's stack in Dst, 10 bits (Blackhole).
    pub stack: u32,
}

impl AddrMod {
    /// Returns the address mode that the `addr_mode` bits of an instruction of `thread` select,
    /// given the thread's counters.
    ///
    /// # Errors
    /// Not modelled on Blackhole, if the mode does more than increment and return the counters.
    #[inline(always)] // A result in memory would be waited for.
    pub fn select(
        config: &Config,
        thread: usize,
        rwc: &Rwc,
        addr_mode: u32,
    ) -> Result<AddrMod, Fault> {
        match config.arch() {
            Arch::WormholeB0 => {
                let upper = rwc.upper_modes || config.thread(thread, cfg::ADDR_MOD_SET_Base) != 0;
                Ok(config.addr_mod(thread, addr_mode + if upper { 4 } else { 0 }))
            }
            Arch::Blackhole => match config.addr_mod(thread, addr_mode) {
                mode if mode.has_extras() => Err(refuse_extras(config, thread, addr_mode)),
                mode => Ok(mode),
            },
        }
    }
}

/// Refuses the undocumented parts of an address mode on Blackhole: the seventh bits of increments
/// and the bias.
#[cold]
fn refuse_extras(config: &Config, thread: usize, index: u32) -> Fault {
    let fields = [
        cfg::ADDR_MOD_AB2_SrcAIncr.nth(index),
        cfg::ADDR_MOD_BIAS_BiasIncr.nth(index),
    ];
    let value = |field: &ThreadField| config.thread_word_with(thread, *field);
    let field = fields[usize::from(value(&fields[0]) == 0)];
    let words = field.name.rsplit_once('_').map_or("", |(words, _)| words);
    let words = words.replace("{}", &index.to_string());
    Fault::unmodelled(format!(
        "address mode {index} with {words} = {:#x} on Blackhole; set it to 0",
        value(&field)
    ))
}

/// Returns the place of an address mode field in its word, equal for all modes on both chips.
const fn part(family: ThreadField) -> FieldPlace {
    let mode = family.nth(0);
    match (
        mode.place_on(Arch::WormholeB0),
        mode.place_on(Arch::Blackhole),
    ) {
        (Some(one), Some(other))
            if one.shift() == other.shift() && one.width() == other.width() =>
        {
            one
        }
        _ => panic!("the chips differ in the field"),
    }
}

impl Rwc {
    /// Advances the counters as the `addr_mode` bits of an instruction of `thread` say; `fidelity`
    /// as in [`Rwc::apply`].
    ///
    /// # Errors
    /// Those of [`AddrMod::select`].
    #[inline(always)] // An address mode in memory would be waited for.
    pub(crate) fn apply_addr_mod(
        &mut self,
        config: &Config,
        thread: usize,
        addr_mode: u32,
        fidelity: bool,
    ) -> Result<(), Fault> {
        let mode = AddrMod::select(config, thread, self, addr_mode)?;
        if mode != AddrMod::NONE {
            self.apply(mode, fidelity);
        }
        Ok(())
    }

    /// Executes `ApplyAddrMod`; `fidelity` is false for SFPLOAD and SFPSTORE, which do not change
    /// the phase.
    pub fn apply(&mut self, mode: AddrMod, fidelity: bool) {
        let ab = |part: FieldPlace| part.get(mode.ab());
        let dst = |part: FieldPlace| part.get(mode.dst());
        advance_src(
            &mut self.src_a,
            ab(const { part(cfg::ADDR_MOD_AB_SrcAIncr) }),
            ab(const { part(cfg::ADDR_MOD_AB_SrcACR) }),
            ab(const { part(cfg::ADDR_MOD_AB_SrcAClear) }),
        );
        advance_src(
            &mut self.src_b,
            ab(const { part(cfg::ADDR_MOD_AB_SrcBIncr) }),
            ab(const { part(cfg::ADDR_MOD_AB_SrcBCR) }),
            ab(const { part(cfg::ADDR_MOD_AB_SrcBClear) }),
        );
        let by = dst(const { part(cfg::ADDR_MOD_DST_DestIncr) });
        if dst(const { part(cfg::ADDR_MOD_DST_DestClear) }) != 0 {
            self.dst.set(0, DST_MASK);
        } else if dst(const { part(cfg::ADDR_MOD_DST_DestCToCR) }) != 0 {
            self.dst.set(self.dst.value + by, DST_MASK);
        } else if dst(const { part(cfg::ADDR_MOD_DST_DestCR) }) != 0 {
            self.dst.carriage_return(by, DST_MASK);
        } else {
            self.dst.step(by, DST_MASK);
        }
        if fidelity {
            let next = self.fidelity + dst(const { part(cfg::ADDR_MOD_DST_FidelityIncr) });
            self.fidelity = if dst(const { part(cfg::ADDR_MOD_DST_FidelityClear) }) != 0 {
                0
            } else {
                next & 3
            };
        }
        if const { part(cfg::ADDR_MOD_BIAS_BiasClear) }.get(mode.bias()) != 0 {
            self.upper_modes = false;
        } else if const { part(cfg::ADDR_MOD_BIAS_BiasIncr) }.get(mode.bias()) & 3 != 0 {
            self.upper_modes = !self.upper_modes;
        }
    }

    /// Executes the counter part of SETRWC.
    pub fn set(&mut self, i: &Setrwc) {
        let bit = |word: u32, n: u32| word >> n & 1 != 0;
        if bit(i.bit_mask, 0) {
            self.src_a.set(
                i.rwc_a + if bit(i.rwc_cr, 0) { self.src_a.home } else { 0 },
                SRC_MASK,
            );
        }
        if bit(i.bit_mask, 1) {
            self.src_b.set(
                i.rwc_b + if bit(i.rwc_cr, 1) { self.src_b.home } else { 0 },
                SRC_MASK,
            );
        }
        let (return_to_home, from_value) = (bit(i.rwc_cr, 2), bit(i.rwc_cr, 3));
        if bit(i.bit_mask, 2) || from_value {
            let base = match (from_value, return_to_home) {
                (true, _) => self.dst.value,
                (false, true) => self.dst.home,
                (false, false) => 0,
            };
            self.dst.set(i.rwc_d + base, DST_MASK);
        }
        if bit(i.bit_mask, 3) {
            self.fidelity = 0;
        }
    }

    /// Increments the stack pointer by `by`, after a store.
    pub fn push(&mut self, by: u32) {
        self.stack = (self.stack + by) & DST_MASK;
    }

    /// Decrements the stack pointer by `by`, before a load; an empty stack stays unchanged.
    pub fn pop(&mut self, by: u32) {
        if self.stack != 0 {
            self.stack = self.stack.wrapping_sub(by) & DST_MASK;
        }
    }

    /// Executes INCRWC.
    pub fn increment(&mut self, i: &Incrwc) {
        let step = |counter: &mut Counter, n: u32, by: u32, mask: u32| {
            if i.rwc_cr >> n & 1 != 0 {
                counter.carriage_return(by, mask);
            } else {
                counter.step(by, mask);
            }
        };
        step(&mut self.src_a, 0, i.rwc_a, SRC_MASK);
        step(&mut self.src_b, 1, i.rwc_b, SRC_MASK);
        step(&mut self.dst, 2, i.rwc_d, DST_MASK);
    }
}

fn advance_src(counter: &mut Counter, by: u32, carriage_return: u32, clear: u32) {
    if clear != 0 {
        counter.set(0, SRC_MASK);
    } else if carriage_return != 0 {
        counter.carriage_return(by, SRC_MASK);
    } else {
        counter.step(by, SRC_MASK);
    }
}

#[cfg(test)]
mod tests;
