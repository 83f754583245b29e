//! TDMA-RISC: the queue of commands for the mover ([`crate::mover`]).
//!
//! Source: ISA documentation, `TDMA-RISC.md`. A command is taken out of the queue at some time after it was stored. Checked: a command with parameters is only stored while there is room for its parameters (the hardware
//! has a bug there). Kept as plain words: the registers that gate clocks, whose other bits PACR_SETREG and UNPACR_NOP use, and
//! the addresses that they add to ([`crate::exec`] refuses those instructions). Refused with its name: what packers and
//! unpackers report here, compact moves, writes to L1.

use std::collections::VecDeque;

use super::map;
use crate::coprocessor::Coprocessor;
use crate::flight::MOVER;
use crate::mover::Transfer;
use crate::trap::Fault;

/// Registers, as bytes from [`map::TDMA`]: four parameters, then the command.
const PARAMETERS: u32 = 0x00;
const COMMAND: u32 = 0x10;
const STATUS: u32 = 0x14;
/// RISCV_TDMA_REG_CLK_GATE_EN.
const GATE: u32 = 0x24;
/// RISCV_TDMA_REG_CLK_GATE_HYST.
const HYSTERESIS: u32 = 0x28;

/// Commands that the queue holds.
const QUEUE: usize = 4;
/// Commands with parameters that the queue holds.
const CREDITS: usize = 2;

/// What the low byte of a command says.
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

fn not_modelled<T>(addr: u32) -> Result<T, Fault> {
    Err(Fault::unmodelled(format!(
        "this register of TDMA-RISC ({addr:#x}); what packers and unpackers report, and addresses that they use"
    )))
}

impl Tdma {
    /// `moves` says whether the mover is at work.
    pub(crate) fn load(&self, addr: u32, moves: bool) -> Result<u32, Fault> {
        match addr - map::TDMA {
            PARAMETERS..=COMMAND => Ok(0),
            STATUS => Ok(self.status() | u32::from(moves)),
            GATE => Ok(self.gate),
            HYSTERESIS => Ok(self.hysteresis),
            _ => not_modelled(addr),
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

    /// Says whether there was room.
    pub(crate) fn store(&mut self, addr: u32, value: u32) -> Result<bool, Fault> {
        match addr - map::TDMA {
            at @ PARAMETERS..COMMAND => self.parameters[at as usize / 4] = value,
            COMMAND => return self.enqueue(value),
            STATUS => {}
            GATE => self.gate = value & !0x80,
            HYSTERESIS => self.hysteresis = value & 0x01ff_007f,
            _ => return not_modelled(addr),
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
                "stores TDMA-RISC command {command:#x} while {CREDITS} commands with parameters are queued; wait, or store a compact command (bit 31) behind each"
            )));
        }
        self.queue.push_back((command, parameters));
        Ok(true)
    }

    /// Starts what the oldest command says; says whether there was one that could be started.
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
            (WAIT, _) if coprocessor.flights.any(1 << MOVER) => return Ok(false),
            (WAIT | NOTHING, _) => {}
            _ => {
                return Err(Fault::unmodelled(format!(
                    "TDMA-RISC command {command:#x}; a move ({MOVE:#x}) with parameters, a wait and a NOP are"
                )))
            }
        }
        self.queue.pop_front();
        Ok(true)
    }
}

/// An address from its upper bits.
fn shifted(address: u32) -> Result<u32, Fault> {
    let whole = address << 4;
    if whole >> 4 != address {
        return Err(Fault::undefined(format!(
            "moves from or to {address:#x} times 16, which is no address"
        )));
    }
    Ok(whole)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::Request;
    use crate::ARCH;

    fn store(t: &mut Tdma, values: [u32; 5]) -> Result<bool, Fault> {
        for (k, value) in values[..4].iter().enumerate() {
            t.store(map::TDMA + 4 * k as u32, *value).unwrap();
        }
        t.store(map::TDMA + COMMAND, values[4])
    }

    #[test]
    fn moves_code() {
        let mut t = Tdma::default();
        let mut coprocessor = Coprocessor::new(ARCH);
        coprocessor.core.l1.write(0x1000, &[0x13; 32]).unwrap();
        assert_eq!(t.load(map::TDMA + STATUS, false), Ok(0x428));
        assert_eq!(store(&mut t, [0x100, 0x4001, 2, 1, 0x40]), Ok(true));
        assert_eq!(t.load(map::TDMA + STATUS, true), Ok(0x301));
        assert_eq!(t.advance(&mut coprocessor), Ok(true));
        t.store(map::TDMA + COMMAND, 0x8000_0046).unwrap();
        assert_eq!(t.advance(&mut coprocessor), Ok(false), "it waits");
        let request = coprocessor.finish(MOVER).and_then(|(_, request)| request);
        let moved = Request::InstructionRam {
            offset: 16,
            bytes: vec![0x13; 32],
        };
        assert_eq!(request, Some(moved));
        assert_eq!(t.advance(&mut coprocessor), Ok(true));
        assert_eq!(t.load(map::TDMA + STATUS, false), Ok(0x428));
    }

    #[test]
    fn commands_that_are_refused() {
        let check = |values: [u32; 5], expect: &str| {
            let mut t = Tdma::default();
            let mut coprocessor = Coprocessor::new(ARCH);
            let result = store(&mut t, values)
                .and_then(|_| t.advance(&mut coprocessor))
                .unwrap_err();
            assert_eq!(result.to_string(), expect);
        };
        check(
            [0, 0x4000, 1, 1, 0x40],
            "undefined behaviour: reads L1 0x0, which nothing has written",
        );
        check(
            [1 << 28, 0x4000, 1, 1, 0x40],
            "undefined behaviour: moves from or to 0x10000000 times 16, which is no address",
        );
        check([0, 0, 0, 0, 0x66], "not modelled: TDMA-RISC command 0x66; a move (0x40) with parameters, a wait and a NOP are");
        let mut t = Tdma::default();
        assert_eq!(store(&mut t, [0; 5]), Ok(true));
        assert_eq!(store(&mut t, [0; 5]), Ok(true));
        assert_eq!(
            store(&mut t, [0; 5]).unwrap_err().to_string(),
            "undefined behaviour: stores TDMA-RISC command 0x0 while 2 commands with parameters are queued; wait, or store a compact command (bit 31) behind each"
        );
        assert_eq!(t.store(map::TDMA + COMMAND, 1 << 31), Ok(true));
        assert_eq!(t.store(map::TDMA + COMMAND, 1 << 31), Ok(true));
        assert_eq!(t.store(map::TDMA + COMMAND, 1 << 31), Ok(false));
        assert_eq!(
            t.load(map::TDMA + 0x18, false).unwrap_err().to_string(),
            "not modelled: this register of TDMA-RISC (0xffb11018); what packers and unpackers report, and addresses that they use"
        );
    }
}
