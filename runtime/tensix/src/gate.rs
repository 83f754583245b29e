//! The wait gate of one thread: what STALLWAIT and SEMWAIT latch, and whom it stops.
//!
//! Source: ISA documentation, `WaitGate.md`, `STALLWAIT.md`, `SEMWAIT.md`. A latched wait is forgotten as soon as its
//! condition holds once, whether or not anybody is waiting. The table of `STALLWAIT.md` follows the units, except that
//! STALLWAIT itself is stopped by every block bit and NOP only by all nine together; SEMWAIT is stopped only by B1, so that without B1 it replaces a pending
//! wait, as on the hardware.

use tessera_isa_tensix::{cfg, Instruction, Opcode, Unit};

use crate::banks::{Banks, Src};
use crate::flight::{Flights, MATRIX, MOVER, SCALAR, VECTOR};
use crate::sync::Sync;

/// A latched STALLWAIT or SEMWAIT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Latch {
    block: u32,
    until: Until,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Until {
    /// STALLWAIT's 15 conditions.
    Idle(u32),
    /// SEMWAIT's semaphores and 2 conditions.
    Semaphores { mask: u32, condition: u32 },
}

/// Condition mask that stands for 0: C0 to C6.
const DEFAULT_CONDITION: u32 = 0x7f;
/// C0: memory requests of the scalar unit.
const REQUESTS_CONDITION: u32 = 0;
/// C7: the matrix unit.
const MATRIX_CONDITION: u32 = 7;
/// C13: stores of the RISC-V core.
const STORES_CONDITION: u32 = 13;
/// All nine block bits.
const EVERYTHING: u32 = 0x1ff;
/// Block mask that stands for 0: B6.
const DEFAULT_BLOCK: u32 = 1 << 6;

impl Latch {
    /// What the instruction latches, if it is one of the two.
    pub(crate) fn of(instruction: &Instruction) -> Option<Latch> {
        let block = |mask| if mask == 0 { DEFAULT_BLOCK } else { mask };
        match instruction {
            Instruction::Stallwait(i) => Some(Latch {
                block: block(i.stall_res),
                until: Until::Idle(if i.wait_res == 0 {
                    DEFAULT_CONDITION
                } else {
                    i.wait_res
                }),
            }),
            Instruction::Semwait(i) => Some(Latch {
                block: block(i.stall_res),
                until: match i.wait_sem_cond {
                    0 => Until::Idle(DEFAULT_CONDITION),
                    condition => Until::Semaphores {
                        mask: i.sem_sel,
                        condition,
                    },
                },
            }),
            _ => None,
        }
    }

    fn has(&self, condition: u32) -> bool {
        matches!(self.until, Until::Idle(mask) if mask >> condition & 1 != 0)
    }

    /// Whether the wait is one for memory requests of the scalar unit, among others.
    pub(crate) fn waits_for_requests(&self) -> bool {
        self.has(REQUESTS_CONDITION)
    }

    /// Whether the wait is one for the matrix unit, among others.
    pub(crate) fn waits_for_matrix_unit(&self) -> bool {
        self.has(MATRIX_CONDITION)
    }

    /// Whether the wait is one for stores of the RISC-V core to GPRs and configuration, among others.
    pub(crate) fn waits_for_stores(&self) -> bool {
        self.has(STORES_CONDITION)
    }

    /// Whether the instruction must stay at the gate.
    pub(crate) fn blocks(&self, instruction: &Instruction) -> bool {
        match instruction.row().unit {
            Unit::Nop => self.block == EVERYTHING,
            _ => self.block & block_bits(instruction) != 0,
        }
    }

    /// Whether the wait is not over.
    pub(crate) fn keeps_waiting(
        &self,
        thread: usize,
        flights: &Flights,
        banks: &Banks,
        sync: &Sync,
    ) -> bool {
        match self.until {
            Until::Semaphores { mask, condition } => sync.keeps_waiting(mask, condition),
            Until::Idle(mask) => keeps_waiting_for_units(mask, thread, flights, banks),
        }
    }
}

/// What an instruction at the gate waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Held {
    #[error("a STALLWAIT or SEMWAIT before it")]
    Latch,
    #[error("a bank of Src{0:?}")]
    Bank(Src),
    #[error("a bank of Src{0:?} to hand back")]
    Return(Src),
    #[error("the scalar unit, which thread {0} occupies")]
    Scalar(usize),
    #[error("the packers")]
    Packers,
    #[error("mutex {0}")]
    Mutex(u32),
    #[error("mutex {0}, which does not exist")]
    NoMutex(u32),
    #[error("its unit")]
    Unit,
}

/// The wait of FLUSHDMA: the first four conditions of STALLWAIT.
pub(crate) fn flush_keeps_waiting(mask: u32, thread: usize, flights: &Flights) -> bool {
    let mask = if mask == 0 { 0xF } else { mask };
    flights.busy(units_of_conditions(mask), thread)
}

/// Whether a FLUSHDMA waits for memory requests of the scalar unit, among others.
pub(crate) fn flush_waits_for_requests(mask: u32) -> bool {
    mask == 0 || mask >> REQUESTS_CONDITION & 1 != 0
}

/// The units whose idleness for the thread STALLWAIT's conditions ask for.
fn units_of_conditions(mask: u32) -> u32 {
    // C0 is the scalar unit, C1 and C2 are the unpackers, C3 to C6 the packers, C7 the matrix unit, C14 the vector unit.
    mask >> 1 & 0b11
        | (mask >> 3 & 0b1111) << 3
        | (mask >> REQUESTS_CONDITION & 1) << SCALAR
        | (mask >> MATRIX_CONDITION & 1) << MATRIX
        | (mask >> 14 & 1) << VECTOR
}

/// C13 is up to [`Latch::waits_for_stores`].
fn keeps_waiting_for_units(mask: u32, thread: usize, flights: &Flights, banks: &Banks) -> bool {
    let c = |n: u32| mask >> n & 1 != 0;
    flights.busy(units_of_conditions(mask), thread)
        || c(12) && flights.any(1 << MOVER)
        || c(8) && !banks.unpacker_may_write(Src::A)
        || c(9) && !banks.unpacker_may_write(Src::B)
        || c(10) && !banks.matrix_may_read(Src::A)
        || c(11) && !banks.matrix_may_read(Src::B)
}

/// The block bits that stop an instruction.
fn block_bits(instruction: &Instruction) -> u32 {
    if instruction.opcode() == Opcode::Stallwait {
        return EVERYTHING;
    }
    match instruction.row().unit {
        Unit::Misc => 1,
        Unit::Sync => 1 << 1,
        Unit::Packer => 1 << 2 | 1,
        Unit::Unpacker => 1 << 3 | 1,
        Unit::Mover => 1 << 4 | 1,
        Unit::Scalar => 1 << 5 | 1,
        Unit::Matrix => 1 << 6,
        Unit::Config => 1 << 7,
        Unit::Vector => 1 << 8,
        Unit::Nop | Unit::MopExpander | Unit::ReplayExpander => 0,
    }
}

/// The bank that the instruction has to wait for, if that bank is not its unit's yet.
pub(crate) fn missing_bank(instruction: &Instruction, banks: &Banks) -> Option<Src> {
    let matrix = |srcs: &[Src]| {
        srcs.iter()
            .copied()
            .find(|&src| !banks.matrix_may_read(src))
    };
    match instruction {
        Instruction::Mvmul(_)
        | Instruction::Elwmul(_)
        | Instruction::Elwadd(_)
        | Instruction::Elwsub(_)
        | Instruction::Gmpool(_)
        | Instruction::Gapool(_) => matrix(&[Src::A, Src::B]),
        Instruction::Mova2d(_) | Instruction::Shiftxa(_) => matrix(&[Src::A]),
        Instruction::Movb2d(_)
        | Instruction::Movb2a(_)
        | Instruction::Shiftxb(_)
        | Instruction::Trnspsrcb(_) => matrix(&[Src::B]),
        // Its forms that move no datums need no bank.
        Instruction::Unpacr(i) if i.cfg_context_cnt_inc | i.search_cache_flush != 0 => None,
        Instruction::Unpacr(i) => {
            let src = Src::of_unpacker(i.unpack_block_selection as usize);
            (!banks.unpacker_may_write(src)).then_some(src)
        }
        Instruction::UnpacrNop(i) => {
            missing_bank_of_clear(i.unpack_block_selection, i.no_op, banks)
        }
        _ => None,
    }
}

/// The Src of which SETRWC hands a bank back that the matrix unit has not got yet. No page says that it waits for that. But the
/// vendor's kernels, in which unpacker 1 does nothing but hand over, order it with nothing else, and its simulator
/// refuses a SETRWC that comes first.
pub(crate) fn missing_return(
    instruction: &Instruction,
    banks: &Banks,
    disabled: impl Fn(cfg::ThreadField) -> bool,
) -> Option<Src> {
    let Instruction::Setrwc(i) = instruction else {
        return None;
    };
    let sources = [
        (Src::A, cfg::CLR_DVALID_SrcA_Disable),
        (Src::B, cfg::CLR_DVALID_SrcB_Disable),
    ];
    (0..)
        .zip(sources)
        .filter(|(bit, (_, disable))| i.clear_ab_vld >> bit & 1 != 0 && !disabled(*disable))
        .map(|(_, (src, _))| src)
        .find(|&src| !banks.matrix_may_read(src))
}

/// UNPACR_NOP waits for a bank only where it clears Src (low bits 001), and for which one a bit of it says.
fn missing_bank_of_clear(unpacker: u32, no_op: u32, banks: &Banks) -> Option<Src> {
    const CLEAR_SRC: u32 = 1;
    const WAIT_LIKE_UNPACR: u32 = 1 << 4;
    if no_op & 3 != CLEAR_SRC {
        return None;
    }
    let src = Src::of_unpacker(unpacker as usize);
    let bank = if no_op & WAIT_LIKE_UNPACR != 0 {
        banks.unpacker_bank(src)
    } else {
        banks.matrix_bank(src)
    };
    (banks.owner(src, bank) != crate::banks::Client::Unpackers).then_some(src)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tessera_isa_tensix::Arch;

    fn i(text: &str) -> Instruction {
        Instruction::parse(Arch::WormholeB0, text).unwrap()
    }

    /// One instruction of each kind, against the columns B0 to B8 of `STALLWAIT.md`.
    #[test]
    fn block_table() {
        let cases = [
            ("ttadddmareg 0, 0, 0, 0", "X....X..."),
            ("ttaddrcrxy 0, 0, 0, 0, 0, 0", "X........"),
            ("ttatgetm 0", ".X......."),
            ("ttcleardvalid 0, 0", "......X.."),
            ("ttdmanop", "X....X..."),
            ("ttelwadd 0, 0, 0, 0, 0", "......X.."),
            ("ttnop", "........."),
            ("ttpacr 0, 0, 0, 0, 0, 0, 0", "X.X......"),
            ("ttrdcfg 0, 0", ".......X."),
            ("ttreg2flop 0, 0, 0, 0, 0, 0", "X....X..."),
            ("ttrmwcib0 0, 0, 0", ".......X."),
            ("ttsemwait 0, 0, 0", ".X......."),
            ("ttsetc16 0, 0", ".......X."),
            ("ttsetdvalid 0", "X........"),
            ("ttsetrwc 0, 0, 0, 0, 0, 0", "......X.."),
            ("sfpnop", "........X"),
            ("ttstallwait 1, 1", "XXXXXXXXX"),
            ("ttunpacr_nop 0, 0", "X..X....."),
            ("ttxmov 0, 0", "X...X...."),
        ];
        for (text, columns) in cases {
            for (bit, column) in columns.chars().enumerate() {
                let latch = Latch {
                    block: 1 << bit,
                    until: Until::Idle(1),
                };
                assert_eq!(latch.blocks(&i(text)), column == 'X', "{text} B{bit}");
            }
        }
    }

    #[test]
    fn a_nop_is_stopped_by_all_bits_together() {
        for (block, stopped) in [(0x1ff, true), (0x1fe, false), (0xff, false)] {
            let until = Until::Idle(1);
            assert_eq!(
                Latch { block, until }.blocks(&i("ttnop")),
                stopped,
                "{block:#x}"
            );
        }
    }

    #[test]
    fn zero_masks_have_meanings() {
        assert_eq!(
            Latch::of(&i("ttstallwait 0, 0")),
            Some(Latch {
                block: 64,
                until: Until::Idle(0x7f)
            })
        );
        assert_eq!(
            Latch::of(&i("ttsemwait 0, 2, 0")),
            Some(Latch {
                block: 64,
                until: Until::Idle(0x7f)
            })
        );
        assert_eq!(
            Latch::of(&i("ttsemwait 2, 2, 1")),
            Some(Latch {
                block: 2,
                until: Until::Semaphores {
                    mask: 2,
                    condition: 1
                }
            })
        );
        assert_eq!(Latch::of(&i("ttnop")), None);
    }

    /// Conditions C0 to C14 but those on banks, the mover and stores: each is that of one unit.
    #[test]
    fn conditions_on_units() {
        for (condition, unit) in [
            (0, SCALAR),
            (1, 0),
            (2, 1),
            (3, 3),
            (4, 4),
            (5, 5),
            (6, 6),
            (7, MATRIX),
            (14, VECTOR),
        ] {
            assert_eq!(
                units_of_conditions(1 << condition),
                1 << unit,
                "C{condition}"
            );
        }
        assert_eq!(units_of_conditions(0b11_1111 << 8), 0);
    }

    #[test]
    fn conditions_on_banks() {
        let flights = Flights::default();
        let mut banks = Banks::default();
        let waits = |banks: &Banks| {
            [8, 9, 10, 11].map(|c| keeps_waiting_for_units(1 << c, 0, &flights, banks))
        };
        assert_eq!(waits(&banks), [false, false, true, true]);
        banks.hand_to_matrix(Src::A, 0, 0).unwrap();
        assert_eq!(waits(&banks), [false, false, false, true]);
        banks.hand_to_matrix(Src::A, 0, 0).unwrap();
        assert_eq!(waits(&banks), [true, false, false, true]);
    }

    #[test]
    fn who_waits_for_banks() {
        let mut banks = Banks::default();
        assert_eq!(missing_bank(&i("ttmvmul 0, 0, 0, 0"), &banks), Some(Src::A));
        assert_eq!(missing_bank(&i("ttunpacr_nop 0, 1"), &banks), None);
        banks.hand_to_matrix(Src::A, 0, 0).unwrap();
        assert_eq!(missing_bank(&i("ttmvmul 0, 0, 0, 0"), &banks), Some(Src::B));
        assert_eq!(missing_bank(&i("ttmova2d 0, 0, 0, 0, 0"), &banks), None);
        assert_eq!(missing_bank(&i("ttunpacr_nop 0, 1"), &banks), Some(Src::A));
        assert_eq!(missing_bank(&i("ttunpacr_nop 0, 17"), &banks), None);
        assert_eq!(missing_bank(&i("ttunpacr_nop 0, 7"), &banks), None);
        assert_eq!(
            missing_bank(&i("ttunpacr 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0"), &banks),
            None
        );
        banks.hand_to_matrix(Src::A, 0, 0).unwrap();
        assert_eq!(
            missing_bank(&i("ttunpacr 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0"), &banks),
            Some(Src::A)
        );
        for text in [
            "ttunpacr 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0",
            "ttunpacr 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0",
        ] {
            assert_eq!(missing_bank(&i(text), &banks), None, "{text}");
        }
    }
}
