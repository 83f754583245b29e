//! The coprocessor's status registers of Blackhole's cores.
//!
//! Each register has a bit per kind of instruction, for the core's own thread and for all threads
//! together. Words pushed by core B are not counted, as documented. Units whose instructions
//! complete at issue in the model are never busy.
//!
//! Source: ISA documentation, `BlackholeA0/TensixTile/BabyRISCV/CSRs.md` (`tt_cfg_qstatus`,
//! `tt_cfg_bstatus`).

use tessera_isa_tensix::{Arch, Instruction, Opcode, Unit};

use super::core_ids::{parts_of_origin, thread_of};
use crate::issue::coprocessor::Coprocessor;
use crate::state::units::{MATRIX, MOVER, PACKERS, SCALAR, VECTOR};

/// Number of kinds, and the position of the bits for all threads in each register.
const KINDS: u32 = 11;
const ALL_OF_QUEUES: u32 = 13;
const ALL_OF_BUSY: u32 = 11;
/// The bits of `tt_cfg_qstatus` that tell that a lane of the vector unit is enabled.
const LANES_ENABLED: [u32; 2] = [11, 24];

const REPLAY: u32 = 1;
const MOP: u32 = 1 << 1;
const SCALAR_KIND: u32 = 1 << 2 | MISC_KIND;
const MOVER_KIND: u32 = 1 << 3 | MISC_KIND;
const UNPACKER_KIND: u32 = 1 << 4 | MISC_KIND;
const PACKER_KIND: u32 = 1 << 5 | MISC_KIND;
const CONFIG_KIND: u32 = 1 << 6;
const SYNC_KIND: u32 = 1 << 7;
const MISC_KIND: u32 = 1 << 8;
const VECTOR_KIND: u32 = 1 << 9;
const MATRIX_KIND: u32 = 1 << 10;

/// Returns the kinds of an instruction in a queue, one bit each.
fn kinds(arch: Arch, word: u32) -> u32 {
    if word >> 24 == Opcode::Mop as u32 {
        return MOP;
    }
    let Ok(instruction) = Instruction::decode(arch, word) else {
        return 0;
    };
    match (instruction, instruction.row().unit) {
        (Instruction::Replay(i), _) if i.load_mode == 0 || i.execute_while_loading != 0 => REPLAY,
        (_, Unit::Scalar) => SCALAR_KIND,
        (_, Unit::Mover) => MOVER_KIND,
        (_, Unit::Unpacker) => UNPACKER_KIND,
        (_, Unit::Packer) => PACKER_KIND,
        (_, Unit::Config) => CONFIG_KIND,
        (_, Unit::Sync) => SYNC_KIND,
        (_, Unit::Misc) => MISC_KIND,
        (_, Unit::Vector) => VECTOR_KIND,
        (_, Unit::Matrix) => MATRIX_KIND,
        _ => 0,
    }
}

/// The kinds of each unit that may be busy.
const BUSY: [(u32, u32); 6] = [
    (0b11, UNPACKER_KIND),
    (1 << MATRIX, MATRIX_KIND),
    (PACKERS, PACKER_KIND),
    (1 << VECTOR, VECTOR_KIND),
    (1 << SCALAR, SCALAR_KIND),
    (1 << MOVER, MOVER_KIND),
];

/// Returns `tt_cfg_qstatus` (0) or `tt_cfg_bstatus` (1) of a core.
pub(super) fn coprocessor_status(coprocessor: &Coprocessor, who: usize, which: usize) -> u32 {
    let of = |thread| match which {
        0 => queued(coprocessor, thread),
        _ => queued(coprocessor, thread) | executing(coprocessor, thread),
    };
    let all = (0..3).fold(0, |kinds, thread| kinds | of(thread));
    let own = thread_of(who).map_or(all, of);
    if which != 0 {
        return own | all << ALL_OF_BUSY;
    }
    let enabled = coprocessor.core.regs.vector.enabled() != 0;
    let lanes = LANES_ENABLED.map(|bit| u32::from(enabled) << bit);
    own | all << ALL_OF_QUEUES | lanes[0] | lanes[1]
}

/// Returns the kinds of the instructions that a thread's T core has pushed and that have not
/// been issued.
fn queued(coprocessor: &Coprocessor, thread: usize) -> u32 {
    let arch = coprocessor.core.arch;
    let frontend = &coprocessor.frontends[thread];
    let own = frontend
        .occupants()
        .filter(|&(_, origin)| thread_of(parts_of_origin(origin).0) == Some(thread));
    let kinds = own.fold(0, |all, (word, _)| all | kinds(arch, word));
    debug_assert!(kinds >> KINDS == 0);
    kinds
}

fn executing(coprocessor: &Coprocessor, thread: usize) -> u32 {
    let flights = &coprocessor.flights;
    let busy = BUSY
        .iter()
        .filter(|&&(units, _)| flights.is_busy(units, thread));
    busy.fold(0, |all, &(_, kinds)| all | kinds)
}
