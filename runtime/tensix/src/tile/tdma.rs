//! TDMA-RISC: the queue of commands for the mover ([`crate::insn::mover`]), and registers used by
//! packers.
//!
//! A command is executed at some time after it was stored. Checked: a command with parameters is
//! only stored while the queue has space for them (the hardware has a bug there). With
//! [`CheckPolicy::Strict`], registers of packers are only stored while no packer is busy. The
//! registers of clock gates are plain words. The first of them also holds an address for
//! UNPACR_NOP, whose use [`crate::insn::unpack`] refuses. Refused by name: status of packers and
//! unpackers, compact moves, writes to L1.
//!
//! Source: ISA documentation, `TDMA-RISC.md`.

use std::collections::VecDeque;

use crate::insn::mover::Transfer;
use crate::issue::coprocessor::Coprocessor;
use crate::map;
use crate::state::check_policy::CheckPolicy;
use crate::state::units::{MOVER, PACKERS};
use crate::trap::Fault;

/// Register offsets from [`map::TDMA`]: four parameters, then the command.
const PARAMETERS: u32 = 0x00;
const COMMAND: u32 = 0x10;
const STATUS: u32 = 0x14;
/// RISCV_TDMA_REG_CLK_GATE_EN.
const GATE: u32 = 0x24;
/// RISCV_TDMA_REG_CLK_GATE_HYST; its upper half is the last scaler of PACR_SETREG.
const HYSTERESIS: u32 = 0x28;
/// RISCV_TDMA_REG_FIFO_PACKED_TILE_STATUS; a store sets the addresses of PACR_SETREG.
const ADDRESSES: u32 = 0x38;
/// Unnamed, at two offsets; a store sets the other scalers of PACR_SETREG.
const SCALERS: [u32; 2] = [0x3C, 0x13C];
/// The end of the registers.
const END: u32 = 0x400;

/// Returns whether it is a RISCV_TDMA_REG_ACC_PACKED_SIZE. There is one per packer and thread;
/// stores to all have the same effect.
fn is_accumulated_size(at: u32) -> bool {
    at < END && matches!(at & 0xff, 0x1C | 0x5C | 0x9C)
}

/// Capacity of the queue in commands.
const QUEUE: usize = 4;
/// Capacity of the queue in commands with parameters.
const CREDITS: usize = 2;

/// Values of a command's low byte.
const MOVE: u32 = 0x40;
const WAIT: u32 = 0x46;
const NOTHING: u32 = 0x89;

/// A command and its parameters, if it has them.
type Command = (u32, Option<[u32; 4]>);

/// The command processor.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tdma {
    parameters: [u32; 4],
    queue: VecDeque<Command>,
    gate: u32,
    hysteresis: u32,
}

fn not_modelled<T>(verb: &str, addr: u32) -> Result<T, Fault> {
    Err(Fault::unmodelled(format!(
        "{verb} this register of TDMA-RISC ({addr:#x}); what packers and unpackers report there is \
         not known"
    )))
}

impl Tdma {
    /// Executes a load; `moves` tells whether the mover is busy.
    pub(crate) fn load(&self, addr: u32, moves: bool) -> Result<u32, Fault> {
        match addr - map::TDMA {
            PARAMETERS..=COMMAND => Ok(0),
            STATUS => Ok(self.status() | u32::from(moves)),
            GATE => Ok(self.gate),
            HYSTERESIS => Ok(self.hysteresis),
            _ => not_modelled("reads", addr),
        }
    }

    fn with_parameters(&self) -> usize {
        self.queue.iter().filter(|(_, p)| p.is_some()).count()
    }

    fn status(&self) -> u32 {
        let bit = |condition: bool, place: u32| u32::from(condition) << place;
        bit(self.queue.len() == QUEUE, 2)
            | bit(self.queue.is_empty(), 3)
            | bit(self.with_parameters() == CREDITS, 4)
            | bit(self.with_parameters() == 0, 5)
            | ((QUEUE - self.queue.len()) as u32) << 8
    }

    /// Executes a store; returns false if the queue is full.
    pub(crate) fn store(
        &mut self,
        addr: u32,
        value: u32,
        coprocessor: &mut Coprocessor,
    ) -> Result<bool, Fault> {
        match addr - map::TDMA {
            at @ PARAMETERS..COMMAND => self.parameters[at as usize / 4] = value,
            COMMAND => return self.enqueue(value),
            STATUS => {}
            GATE => self.gate = value & !0x80,
            HYSTERESIS => {
                self.hysteresis = value & 0x01ff_007f;
                store_for_packers(addr, value, coprocessor)?;
            }
            _ => store_for_packers(addr, value, coprocessor)?,
        }
        Ok(true)
    }

    fn enqueue(&mut self, command: u32) -> Result<bool, Fault> {
        if self.queue.len() == QUEUE {
            return Ok(false);
        }
        let parameters = (command >> 31 == 0).then_some(self.parameters);
        if parameters.is_some() && self.with_parameters() == CREDITS {
            return Err(Fault::undefined(format!(
                "stores TDMA-RISC command {command:#x} while {CREDITS} commands with parameters \
                 are queued; wait, or store a compact command (bit 31) after each"
            )));
        }
        self.queue.push_back((command, parameters));
        Ok(true)
    }

    /// Returns whether no command is queued.
    pub(crate) fn is_idle(&self) -> bool {
        self.queue.is_empty()
    }

    /// Executes the oldest command; returns whether there was one that could be executed.
    pub(crate) fn advance(&mut self, coprocessor: &mut Coprocessor) -> Result<bool, Fault> {
        let Some(&(command, parameters)) = self.queue.front() else {
            return Ok(false);
        };
        match (command & 0xff, parameters) {
            (MOVE, Some([from, to, count, mode])) => {
                let transfer = Transfer {
                    destination: shifted(to)?,
                    source: shifted(from)?,
                    count: (count & 0xffff) << 4,
                    direction: mode & 3,
                };
                if !coprocessor.start_mover(&transfer)? {
                    return Ok(false);
                }
            }
            (WAIT, _) if coprocessor.flights.is_any_busy(1 << MOVER) => return Ok(false),
            (WAIT | NOTHING, _) => {}
            _ => {
                return Err(Fault::unmodelled(format!(
                    "TDMA-RISC command {command:#x}; a move ({MOVE:#x}) with parameters, a wait \
                     and a NOP are"
                )))
            }
        }
        self.queue.pop_front();
        Ok(true)
    }
}

/// Executes a store to a register that packers use.
fn store_for_packers(addr: u32, value: u32, coprocessor: &mut Coprocessor) -> Result<(), Fault> {
    let regs = &mut coprocessor.core.regs;
    let set = &mut regs.set_register;
    match addr - map::TDMA {
        HYSTERESIS => set.set_scalers(3, value >> 16),
        ADDRESSES => set.set_bases(value),
        at if SCALERS.contains(&at) => set.set_scalers(0, value),
        at if is_accumulated_size(at) => {
            let packers = regs.packers.iter_mut().enumerate();
            for (_, packer) in packers.filter(|(k, _)| value >> (16 + k) & 1 != 0) {
                packer.address_offset = value as u16;
            }
        }
        _ => return not_modelled("stores to", addr),
    }
    if coprocessor.core.check_policy == CheckPolicy::Strict
        && coprocessor.flights.is_any_busy(PACKERS)
    {
        return Err(Fault::hazard(format!(
            "stores to TDMA-RISC's {addr:#x} while a packer is at work, which may use it; wait for \
             the packers first"
        )));
    }
    Ok(())
}

/// Decodes an address from its upper bits.
fn shifted(address: u32) -> Result<u32, Fault> {
    let whole = address << 4;
    if whole >> 4 != address {
        return Err(Fault::undefined(format!(
            "moves from or to {address:#x} times 16, which is not an address"
        )));
    }
    Ok(whole)
}

#[cfg(test)]
mod tests;
