//! The unpack list (T0): one UNPACR per operand tile, the two configuration contexts in turn; zeros need no tile.
//!
//! Context `c` of either unpacker always points at buffer `c`, so a step needs no configuration. An UNPACR takes a
//! whole tile, four faces of 256 datums, into rows 0 to 63 of its Src bank and hands the bank to the matrix unit.
//! Before step `s` starts, the thread waits until both unpackers are done with step `s − 1` and lets data movement
//! reuse those buffers, if a later step needs them.

use tessera_isa_tensix::cfg;
use tessera_isa_tensix::list::Entry;
use tessera_isa_tensix::table::{
    Sempost, Setadcxx, Setadcxy, Setadczw, Stallwait, Unpacr, UnpacrNop,
};

use super::plan::{Plan, SrcA, Step};
use super::thread::{counter, format, semaphore, wait, Buffer, Thread};

/// SETADC*'s selection of both unpackers.
const BOTH_UNPACKERS: u32 = 0b011;

/// Makes the list.
pub fn lower(plan: &Plan) -> Vec<Entry> {
    let mut t = Thread::default();
    prologue(&mut t);
    let count = plan.steps().count();
    for (number, step) in plan.steps().enumerate() {
        t.entry(Entry::Wait {
            counter: counter::READY,
            at_least: number as u32 + 1,
        });
        let reused = number >= 1 && number + 1 < count;
        if reused {
            t.push(Stallwait {
                stall_res: wait::BLOCK_SYNC,
                wait_res: wait::UNPACKERS,
            });
            t.push(Sempost {
                sem_sel: semaphore::mask(semaphore::UNPACK_DONE),
            });
        }
        unpack(&mut t, number, step);
        if reused {
            t.entry(Entry::SemPoll {
                sem: semaphore::UNPACK_DONE,
                at_least: 1,
            });
            t.entry(Entry::SemGet(semaphore::UNPACK_DONE));
            t.entry(Entry::Post {
                counter: counter::FREED,
            });
        }
    }
    t.entries
}

fn unpack(t: &mut Thread, number: usize, step: &Step) {
    let operand = |unpacker| Unpacr {
        unpack_block_selection: unpacker,
        cfg_context_id: number as u32 % 2,
        ovrd_thread_id: 1,
        set_dat_valid: 1,
        last: 1,
        ..Unpacr::default()
    };
    match step.srca {
        SrcA::Tile(_) => t.push(operand(0)),
        SrcA::Zero => zeros(t),
    }
    if step.srcb.is_some() {
        t.push(operand(1));
    }
}

/// Clears unpacker 0's bank, once it is its own, and hands it over. An UNPACR that writes zeros would do, too, but it
/// fetches a tile from a buffer that nothing may have filled yet.
fn zeros(t: &mut Thread) {
    const CLEAR: u32 = 1;
    const WAIT_LIKE_UNPACR: u32 = 1 << 4;
    const SET_DATA_VALID: u32 = 7;
    for no_op in [CLEAR | WAIT_LIKE_UNPACR, SET_DATA_VALID] {
        t.push(UnpacrNop {
            unpack_block_selection: 0,
            no_op,
        });
    }
}

fn prologue(t: &mut Thread) {
    for (unpacker, buffer) in [(0, Buffer::SrcA), (1, Buffer::SrcB)] {
        t.configure4(
            cfg::THCON_REG0_TileDescriptor.at(unpacker).at(0),
            tile_descriptor(),
        );
        t.configure4(
            cfg::THCON_REG2_Out_data_format.at(unpacker),
            unpack_configuration(unpacker),
        );
        for context in 0..2 {
            let base = cfg::THCON_REG3_Base_address.at(unpacker).at(context);
            t.configure(base, buffer.header_address(context as usize));
        }
    }
    // Unpacker 0 starts four rows down: it drops rows 0 to 3 of what it makes. In context mode this register, and
    // not the address counters, says where it starts, and this one, not the descriptor, how long a row is.
    let contexts = |field: cfg::ConfigField, value| field.at(0).put(value) | field.at(1).put(value);
    let (start, row) = (
        cfg::THCON_REG5_Dest_address.at(0),
        cfg::THCON_REG5_Tile_x_dim.at(0),
    );
    t.configure(start.at(0), contexts(start, 4 * 16));
    t.configure(row.at(0), contexts(row, 256));
    t.configure_thread(
        cfg::SRCA_SET_SetOvrdWithAddr,
        cfg::SRCA_SET_SetOvrdWithAddr.put(1),
    );
    t.configure_thread(cfg::UNPACK_MISC_CFG_CfgContextOffset.at(0), 0);
    t.push(Setadcxy {
        cnt_set_mask: BOTH_UNPACKERS,
        bit_mask: 0b1111,
        ..Setadcxy::default()
    });
    t.push(Setadczw {
        cnt_set_mask: BOTH_UNPACKERS,
        bit_mask: 0b1111,
        ..Setadczw::default()
    });
    t.push(Setadcxx {
        cnt_set_mask: BOTH_UNPACKERS,
        x_end2: 1023,
        x_start: 0,
    });
}

/// Four faces of 256 bf16 datums, uncompressed, no digest (`UNPACR_Regular.md`, `TileDescriptor`).
fn tile_descriptor() -> [u32; 4] {
    const UNCOMPRESSED: u32 = 1 << 4;
    [format::BF16 | UNCOMPRESSED | 256 << 16, 1 | 4 << 16, 1, 0]
}

/// bf16 out, and no decompression in contexts 0 and 1.
fn unpack_configuration(unpacker: u32) -> [u32; 4] {
    let uncompressed = cfg::THCON_REG2_Disable_zero_compress.at(unpacker);
    [
        format::BF16,
        uncompressed.at(0).put(1) | uncompressed.at(1).put(1),
        0,
        0,
    ]
}
