//! TDMA-RISC: the queue of commands for the mover ([`crate::mover`]), and registers that packers
//! use.
//!
//! Source: ISA documentation, `TDMA-RISC.md`. A command is taken out of the queue at some time
//! after it was stored.
//!
//! Checked: a command with parameters is only stored while there is room for its parameters (the
//! hardware has a bug there); with [`Care::All`], what packers use is only stored while none is at
//! work. Kept as plain words: the registers that gate clocks. Of the first of them UNPACR_NOP takes
//! an address ([`crate::unpack`] refuses to). Refused with its name: what packers and unpackers
//! report here, compact moves, writes to L1.

use std::collections::VecDeque;

use super::map;
use crate::coprocessor::Coprocessor;
use crate::flight::{MOVER, PACKERS};
use crate::mover::Transfer;
use crate::tile::Care;
use crate::trap::Fault;

/// Registers, as bytes from [`map::TDMA`]: four parameters, then the command.
const PARAMETERS: u32 = 0x00;
const COMMAND: u32 = 0x10;
const STATUS: u32 = 0x14;
/// RISCV_TDMA_REG_CLK_GATE_EN.
const GATE: u32 = 0x24;
/// RISCV_TDMA_REG_CLK_GATE_HYST, whose upper half is the last scaler of PACR_SETREG.
const HYSTERESIS: u32 = 0x28;
/// RISCV_TDMA_REG_FIFO_PACKED_TILE_STATUS; a store sets the addresses of PACR_SETREG.
const ADDRESSES: u32 = 0x38;
/// Without a name, at two places; a store sets the other scalers of PACR_SETREG.
const SCALERS: [u32; 2] = [0x3C, 0x13C];
/// The end of the registers.
const END: u32 = 0x400;

/// Whether it is a RISCV_TDMA_REG_ACC_PACKED_SIZE. There is one for each packer and thread, but
/// stores to all do the same.
fn is_accumulated_size(at: u32) -> bool {
    at < END && matches!(at & 0xff, 0x1C | 0x5C | 0x9C)
}

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

fn not_modelled<T>(verb: &str, addr: u32) -> Result<T, Fault> {
    Err(Fault::unmodelled(format!(
        "{verb} this register of TDMA-RISC ({addr:#x}); what packers and unpackers report there is not known"
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

    /// Says whether there was room.
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
                "stores TDMA-RISC command {command:#x} while {CREDITS} commands with parameters are queued; wait, or store a compact command (bit 31) behind each"
            )));
        }
        self.queue.push_back((command, parameters));
        Ok(true)
    }

    /// Whether no command waits.
    pub(crate) fn is_idle(&self) -> bool {
        self.queue.is_empty()
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

/// A store to a register that packers use.
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
    if coprocessor.core.care == Care::All && coprocessor.flights.any(PACKERS) {
        return Err(Fault::hazard(format!(
            "stores to TDMA-RISC's {addr:#x} while a packer is at work, which may use it; wait for the packers first"
        )));
    }
    Ok(())
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
    use crate::pack::SetRegister;
    use crate::request::Request;
    use tessera_isa_tensix::{Arch, Instruction};

    /// TDMA-RISC, and what it works for.
    struct Bench(Tdma, Coprocessor);

    impl Bench {
        fn new() -> Bench {
            Bench(Tdma::default(), Coprocessor::new(Arch::WormholeB0))
        }

        fn store(&mut self, at: u32, value: u32) -> Result<bool, Fault> {
            self.0.store(map::TDMA + at, value, &mut self.1)
        }

        fn enqueue(&mut self, values: [u32; 5]) -> Result<bool, Fault> {
            for (at, value) in (0..).step_by(4).zip(&values[..4]) {
                self.store(at, *value).unwrap();
            }
            self.store(COMMAND, values[4])
        }

        fn status(&self, moves: bool) -> Result<u32, Fault> {
            self.0.load(map::TDMA + STATUS, moves)
        }

        fn advance(&mut self) -> Result<bool, Fault> {
            self.0.advance(&mut self.1)
        }
    }

    #[test]
    fn moves_code() {
        let mut bench = Bench::new();
        bench.1.core.l1.write(0x1000, &[0x13; 32]).unwrap();
        assert_eq!(bench.status(false), Ok(0x428));
        assert_eq!(bench.enqueue([0x100, 0x4001, 2, 1, 0x40]), Ok(true));
        assert_eq!(bench.status(true), Ok(0x301));
        assert_eq!(bench.advance(), Ok(true));
        bench.store(COMMAND, 0x8000_0046).unwrap();
        assert_eq!(bench.advance(), Ok(false), "it waits");
        let request = bench
            .1
            .finish(MOVER)
            .unwrap()
            .and_then(|(_, sent)| Some(sent?.request));
        let moved = Request::InstructionRam {
            offset: 16,
            bytes: vec![0x13; 32],
        };
        assert_eq!(request, Some(moved));
        assert_eq!(bench.advance(), Ok(true));
        assert_eq!(bench.status(false), Ok(0x428));
    }

    #[test]
    fn packers_have_registers_here() {
        let mut bench = Bench::new();
        let mut expect = SetRegister::default();
        let set = |bench: &Bench| bench.1.core.regs.set_register;
        bench.store(ADDRESSES, 0x0012_3456).unwrap();
        expect.set_bases(0x0012_3456);
        assert_eq!(set(&bench), expect);
        for (at, value) in [(0x3C, 3 << 18 | 0x1FF << 9 | 7), (0x13C, 0x0765_4321)] {
            bench.store(at, value).unwrap();
            expect.set_scalers(0, value);
            assert_eq!(set(&bench), expect, "{at:#x}");
        }
        bench.store(HYSTERESIS, 0xffff_ffff).unwrap();
        expect.set_scalers(3, 0x1ff);
        assert_eq!(set(&bench), expect);
        assert_eq!(bench.0.load(map::TDMA + HYSTERESIS, false), Ok(0x01ff_007f));
        // Packers that a bit selects, whatever register it is stored to.
        for (at, value, offsets) in [
            (0x1C, 0x0005_0101, [0x101, 0, 0x101, 0]),
            (0x5C, 0x000a_0202, [0x101, 0x202, 0x101, 0x202]),
            (0x39C, 0xfff1_ffff, [0xffff, 0x202, 0x101, 0x202]),
        ] {
            bench.store(at, value).unwrap();
            let packers = &bench.1.core.regs.packers;
            assert_eq!(
                packers.each_ref().map(|packer| packer.address_offset),
                offsets,
                "{at:#x}"
            );
        }
    }

    /// What a packer at work may use is not changed, unless the vendor's programs are trusted.
    #[test]
    fn packers_at_work_are_waited_for() {
        for (care, expect) in [(Care::Vendor, None), (Care::All, Some("hazard: stores to TDMA-RISC's 0xffb11038 while a packer is at work, which may use it; wait for the packers first"))] {
            let mut bench = Bench(Tdma::default(), Coprocessor::with_care(Arch::WormholeB0, care));
            let word = Instruction::parse(Arch::WormholeB0, "ttpacr 0, 0, 0, 1, 0, 1, 0").unwrap();
            bench.1.frontends[2].push(word.encode(Arch::WormholeB0).unwrap(), 0);
            assert_eq!(bench.store(ADDRESSES, 0), Ok(true));
            assert_eq!(bench.1.issue(2, 1), Ok((1, true)));
            let stored = bench.store(ADDRESSES, 0).err().map(|e| e.to_string());
            assert_eq!(stored.as_deref(), expect);
            bench
                .1
                .finish(PACKERS.trailing_zeros() as usize)
                .unwrap()
                .unwrap();
            assert_eq!(bench.store(ADDRESSES, 0), Ok(true));
        }
    }

    #[test]
    fn what_is_refused() {
        let check = |values: [u32; 5], expect: &str| {
            let mut bench = Bench::new();
            let result = bench.enqueue(values).and_then(|_| bench.advance());
            assert_eq!(result.unwrap_err().to_string(), expect);
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
        let mut bench = Bench::new();
        assert_eq!(bench.enqueue([0; 5]), Ok(true));
        assert_eq!(bench.enqueue([0; 5]), Ok(true));
        assert_eq!(
            bench.enqueue([0; 5]).unwrap_err().to_string(),
            "undefined behaviour: stores TDMA-RISC command 0x0 while 2 commands with parameters are queued; wait, or store a compact command (bit 31) behind each"
        );
        assert_eq!(bench.store(COMMAND, 1 << 31), Ok(true));
        assert_eq!(bench.store(COMMAND, 1 << 31), Ok(true));
        assert_eq!(bench.store(COMMAND, 1 << 31), Ok(false));
        assert_eq!(
            bench.0.load(map::TDMA + 0x18, false).unwrap_err().to_string(),
            "not modelled: reads this register of TDMA-RISC (0xffb11018); what packers and unpackers report there is not known"
        );
        for at in [0x18, 0x34, 0x41C] {
            assert_eq!(
                bench.store(at, 0).unwrap_err().to_string(),
                format!("not modelled: stores to this register of TDMA-RISC ({:#x}); what packers and unpackers report there is not known", map::TDMA + at)
            );
        }
    }
}
