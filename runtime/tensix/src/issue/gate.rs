//! The wait gate of one thread: the waits that STALLWAIT, SEMWAIT and, on Blackhole, STREAMWAIT
//! latch, and the instructions that they block.
//!
//! A latched wait ends as soon as its condition holds once, whether or not an instruction is
//! blocked. The block bits of `STALLWAIT.md` correspond to units, except that STALLWAIT is blocked
//! by every bit, and NOP only by all nine. SEMWAIT and STREAMWAIT are blocked like STALLWAIT on
//! Blackhole. On Wormhole only B1 blocks them, so without B1 they replace a pending wait, as on the
//! hardware.
//!
//! Conditions have Wormhole's numbers, C0 to C14, on both chips; [`CONFIG_CONDITION`] follows them.
//!
//! Source: ISA documentation, `WaitGate.md`, `STALLWAIT.md`, `SEMWAIT.md` (at 0553cc73 and
//! 25376754), of both chips; `STREAMWAIT.md` (at cfb6a561).

use tessera_isa_tensix::table::UnpacrNop;
use tessera_isa_tensix::{cfg, Arch, Instruction, Unit};

use crate::issue::flight::{InFlight, MATRIX, MOVER, SCALAR, VECTOR};
use crate::issue::stalls::Cause;
use crate::state::banks::{Banks, Src};
use crate::state::changes::Changes;
use crate::state::config::Config;
use crate::state::core_state::CoreState;
use crate::state::streams::STREAM_TARGET_BITS;
use crate::state::sync::Sync;

/// A latched STALLWAIT, SEMWAIT or STREAMWAIT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Latch {
    arch: Arch,
    block: u32,
    until: Until,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Until {
    /// STALLWAIT's condition mask.
    Idle(u32),
    /// SEMWAIT's semaphores and two conditions.
    Semaphores { mask: u32, condition: u32 },
    /// STREAMWAIT's phase, of the stream to which the thread has assigned this number.
    Phase { stream: u32, at_least: u32 },
}

/// The condition mask that 0 stands for: the scalar unit, unpackers and packers.
const DEFAULT_CONDITION: u32 = 0x7f;
/// C0: memory requests of the scalar unit.
const REQUESTS_CONDITION: u32 = 0;
/// C7: the matrix unit.
const MATRIX_CONDITION: u32 = 7;
/// C13: stores of the RISC-V core.
const STORES_CONDITION: u32 = 13;
/// The condition for the configuration unit, which only Blackhole has. The unit is always idle,
/// because its instructions complete at issue.
const CONFIG_CONDITION: u32 = 15;
/// Blackhole's conditions C0 to C12: it has one packer, so that later ones have numbers lower by
/// three.
const BLACKHOLE_CONDITIONS: [u32; 13] = [
    REQUESTS_CONDITION,
    1,
    2,
    3,
    MATRIX_CONDITION,
    8,
    9,
    10,
    11,
    12,
    STORES_CONDITION,
    14,
    CONFIG_CONDITION,
];
/// All nine block bits.
const EVERYTHING: u32 = 0x1ff;
/// The block mask that 0 stands for: B6.
const DEFAULT_BLOCK: u32 = 1 << 6;

impl Latch {
    /// Returns the wait that an instruction latches, if any. Waits for messages have been refused
    /// before, unless for zero of them.
    pub(crate) fn from_instruction(
        config: &Config,
        thread: usize,
        instruction: &Instruction,
    ) -> Option<Latch> {
        let arch = config.arch();
        let latch = |block, until| {
            let block = if block == 0 { DEFAULT_BLOCK } else { block };
            Some(Latch { arch, block, until })
        };
        match instruction {
            Instruction::Stallwait(i) => {
                let conditions = conditions(arch, i.wait_res);
                latch(i.stall_res, Until::Idle(conditions))
            }
            Instruction::Semwait(i) => {
                let (mask, condition) = (i.sem_sel, i.wait_sem_cond);
                latch(i.stall_res, Until::Semaphores { mask, condition })
            }
            Instruction::Streamwait(i) => {
                let high = config.thread(thread, cfg::STREAMWAIT_PHASE_HI_Val);
                let at_least = match i.target_sel {
                    0 => high << STREAM_TARGET_BITS | i.target_value,
                    _ => 0,
                };
                let stream = i.wait_stream_sel;
                latch(i.stall_res, Until::Phase { stream, at_least })
            }
            _ => None,
        }
    }

    fn has(&self, condition: u32) -> bool {
        matches!(self.until, Until::Idle(mask) if mask >> condition & 1 != 0)
    }

    /// Returns the statistical cause of the wait.
    fn cause(&self) -> Cause {
        match self.until {
            Until::Idle(_) => Cause::Stallwait,
            Until::Semaphores { .. } => Cause::Semwait,
            Until::Phase { .. } => Cause::Streamwait,
        }
    }

    /// Returns whether only semaphores can end the wait.
    pub(crate) fn waits_for_semaphores(&self) -> bool {
        matches!(self.until, Until::Semaphores { .. })
    }

    /// Returns whether the wait includes memory requests of the scalar unit.
    pub(crate) fn waits_for_requests(&self) -> bool {
        self.has(REQUESTS_CONDITION)
    }

    /// Returns whether the wait includes the matrix unit.
    pub(crate) fn waits_for_matrix_unit(&self) -> bool {
        self.has(MATRIX_CONDITION)
    }

    /// Returns whether the wait includes the configuration unit.
    pub(crate) fn waits_for_config_unit(&self) -> bool {
        self.has(CONFIG_CONDITION)
    }

    /// Returns whether the wait includes stores of the RISC-V core to GPRs and configuration.
    pub(crate) fn waits_for_stores(&self) -> bool {
        self.has(STORES_CONDITION)
    }

    /// Returns whether the wait blocks an instruction.
    pub(crate) fn blocks(&self, instruction: &Instruction) -> bool {
        match instruction.row().unit {
            Unit::Nop => self.block == EVERYTHING,
            _ => self.block & block_bits(self.arch, instruction) != 0,
        }
    }

    /// Returns whether the wait continues.
    #[inline(never)]
    pub(crate) fn keeps_waiting(
        &self,
        thread: usize,
        flights: &InFlight,
        core: &CoreState,
        sync: &Sync,
    ) -> bool {
        match self.until {
            Until::Semaphores { mask, condition } => sync.keeps_waiting(mask, condition),
            Until::Idle(mask) => keeps_waiting_for_units(mask, thread, flights, &core.banks),
            Until::Phase { stream, at_least } => {
                let stream = core.stream(thread, stream);
                core.streams.phase(stream) < at_least
            }
        }
    }
}

/// Why an instruction cannot pass the gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum HoldReason {
    #[error("a STALLWAIT, SEMWAIT or STREAMWAIT before it")]
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

impl HoldReason {
    /// Returns the statistical cause; `latch` is the thread's wait.
    pub(crate) fn cause(self, latch: Option<&Latch>) -> Cause {
        match self {
            HoldReason::Latch => latch.map_or(Cause::Stallwait, Latch::cause),
            HoldReason::Bank(Src::A) | HoldReason::Return(Src::A) => Cause::SrcA,
            HoldReason::Bank(Src::B) | HoldReason::Return(Src::B) => Cause::SrcB,
            HoldReason::Scalar(_) => Cause::ScalarUnit,
            HoldReason::Packers => Cause::Packers,
            HoldReason::Mutex(_) | HoldReason::NoMutex(_) => Cause::Mutex,
            HoldReason::Unit => Cause::Unit,
        }
    }

    /// Returns the changes that may let the instruction pass.
    pub(crate) fn waits_for(self) -> Changes {
        match self {
            HoldReason::Latch => Changes::LATCHES,
            HoldReason::Bank(_) | HoldReason::Return(_) => Changes::BANKS,
            HoldReason::Scalar(_) => Changes::FRONT_ENDS,
            HoldReason::Packers | HoldReason::Unit => Changes::FLIGHTS,
            HoldReason::Mutex(_) => Changes::SYNC,
            HoldReason::NoMutex(_) => Changes::NOTHING,
        }
    }
}

/// Returns whether FLUSHDMA keeps waiting: its mask is the first four conditions of STALLWAIT.
pub(crate) fn flush_keeps_waiting(mask: u32, thread: usize, flights: &InFlight) -> bool {
    let mask = if mask == 0 { 0xF } else { mask };
    flights.is_busy(units_of_conditions(mask), thread)
}

/// Returns whether a FLUSHDMA includes memory requests of the scalar unit.
pub(crate) fn flush_waits_for_requests(mask: u32) -> bool {
    mask == 0 || mask >> REQUESTS_CONDITION & 1 != 0
}

/// Returns the units that must be idle for a mask of STALLWAIT's conditions.
fn units_of_conditions(mask: u32) -> u32 {
    // C0 is the scalar unit, C1 and C2 are the unpackers, C3 to C6 the packers, C7 the matrix unit,
    // C14 the vector unit.
    mask >> 1 & 0b11
        | (mask >> 3 & 0b1111) << 3
        | (mask >> REQUESTS_CONDITION & 1) << SCALAR
        | (mask >> MATRIX_CONDITION & 1) << MATRIX
        | (mask >> 14 & 1) << VECTOR
}

/// C13 is handled by [`Latch::waits_for_stores`].
fn keeps_waiting_for_units(mask: u32, thread: usize, flights: &InFlight, banks: &Banks) -> bool {
    let c = |n: u32| mask >> n & 1 != 0;
    flights.is_busy(units_of_conditions(mask), thread)
        || c(12) && flights.is_any_busy(1 << MOVER)
        || c(8) && !banks.unpacker_may_write(Src::A)
        || c(9) && !banks.unpacker_may_write(Src::B)
        || c(10) && !banks.matrix_may_read(Src::A)
        || c(11) && !banks.matrix_may_read(Src::B)
}

/// Returns the conditions of a STALLWAIT's mask on a chip.
fn conditions(arch: Arch, mask: u32) -> u32 {
    match (mask, arch) {
        (0, _) => DEFAULT_CONDITION,
        (mask, Arch::WormholeB0) => mask,
        (mask, Arch::Blackhole) => {
            let numbers = (0..).zip(BLACKHOLE_CONDITIONS);
            let of_mask = numbers.filter(|(bit, _)| mask >> bit & 1 != 0);
            of_mask.fold(0, |set, (_, condition)| set | 1 << condition)
        }
    }
}

/// Returns the block bits that apply to an instruction.
fn block_bits(arch: Arch, instruction: &Instruction) -> u32 {
    match (instruction, arch) {
        (Instruction::Stallwait(_), _)
        | (Instruction::Semwait(_) | Instruction::Streamwait(_), Arch::Blackhole) => {
            return EVERYTHING;
        }
        _ => {}
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
        Unit::Nop | Unit::AutoSync | Unit::MopExpander | Unit::ReplayExpander => 0,
    }
}

/// Returns the bank that the instruction has to wait for, if its unit does not own it yet.
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
        // Forms without datums need no bank.
        Instruction::Unpacr(i) if i.cfg_context_cnt_inc | i.search_cache_flush != 0 => None,
        Instruction::Unpacr(i) => {
            let src = Src::for_unpacker(i.unpack_block_selection as usize);
            (!banks.unpacker_may_write(src)).then_some(src)
        }
        Instruction::UnpacrNop(i) => missing_bank_of_clear(i, banks),
        _ => None,
    }
}

/// Returns the Src for which a SETRWC would hand back a bank that the matrix unit does not own yet.
/// The documentation does not say that it waits. The vendor's kernels in which unpacker 1 only
/// hands banks over rely on it, and the vendor's simulator refuses a SETRWC that comes first.
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

/// Returns the bank that UNPACR_NOP waits for. It waits only if it clears Src (low bits 001;
/// `unpack_pop` on Blackhole), and a bit selects the owner to wait for. Operands that the chip does
/// not have are 0.
fn missing_bank_of_clear(i: &UnpacrNop, banks: &Banks) -> Option<Src> {
    const CLEAR_SRC: u32 = 1;
    const WAIT_LIKE_UNPACR: u32 = 1 << 4;
    if i.no_op & 3 != CLEAR_SRC && i.unpack_pop != CLEAR_SRC {
        return None;
    }
    let src = Src::for_unpacker(i.unpack_block_selection as usize);
    let bank = if i.no_op & WAIT_LIKE_UNPACR != 0 || i.stall_clr_cntrl != 0 {
        banks.unpacker_bank(src)
    } else {
        banks.matrix_bank(src)
    };
    (banks.owner(src, bank) != crate::state::banks::Client::Unpackers).then_some(src)
}

#[cfg(test)]
mod tests;
