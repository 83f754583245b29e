//! The code of T0: for every step one UNPACR for each operand tile that a bank does not hold already; zeros need no tile.
//!
//! Each unpacker's Z counter says which tile of its ring in L1 comes next, so that a step needs no configuration. An UNPACR
//! takes a whole tile, four faces of 256 datums, into rows 0 to 63 of its Src bank and hands the bank to the matrix unit.
//! Before a step starts, the thread waits until both unpackers are done with the one before; then it lets that one's slot be
//! filled again.

use tessera_isa_tensix::cfg;
use tessera_isa_tensix::table::{
    Addrcrzw, Incadczw, Sempost, Setadc, Setadcxx, Setadcxy, Setadczw, Stallwait, Unpacr, UnpacrNop,
};

use super::code::Code;
use super::expr::Arith;
use super::plan::{SrcA, Step};
use super::thread::{counter, format, header_address, semaphore, wait, Buffers};
use super::visits::{visits, Visit};
use super::walk::{steps, Work};

/// SETADC*'s selection of both unpackers.
const BOTH_UNPACKERS: u32 = 0b011;

/// Makes the code.
pub fn lower(code: &mut Code, work: &Work) {
    prologue(code, &work.buffers);
    // The number of the step, and the Z counter at its beginning.
    code.state = vec![code.constant(0), code.constant(0)];
    work.blocks(code, |code, block| {
        steps(code, &block.items, &mut |code, step| {
            lower_step(code, &work.buffers, step)
        })
    });
}

fn lower_step(code: &mut Code, buffers: &Buffers, step: &Step) {
    code.place(step.place);
    let [number, z] = code.state[..] else {
        unreachable!("two numbers are counted")
    };
    let next = code.arith_by(Arith::Add, number, 1);
    code.r#await(counter::READY, code.arith_by(Arith::Add, number, 2));
    code.push(Stallwait {
        stall_res: wait::BLOCK_SYNC,
        wait_res: wait::UNPACKERS,
    });
    code.push(Sempost {
        sem_sel: semaphore::mask(semaphore::UNPACK_DONE),
    });
    const Z: u32 = 2;
    let slot = Setadc {
        cnt_set_mask: BOTH_UNPACKERS,
        channel_index: 0,
        dimension_index: Z,
        value: 0,
    };
    code.push_with(slot, "value", z);
    unpack(code, step);
    code.take(semaphore::UNPACK_DONE);
    code.post(counter::FREED);
    code.state = vec![
        next,
        code.round(
            z,
            buffers.operand_tiles,
            buffers.slots * buffers.operand_tiles,
        ),
    ];
}

/// The instructions of a step.
fn unpack(code: &Code, step: &Step) {
    let visits = visits(step);
    let brought: [fn(&Visit) -> Option<u32>; 2] = [|visit| visit.srca, |visit| visit.srcb];
    // The tile of the slot at which each unpacker's counter is.
    let mut at = [0, 0];
    for (number, visit) in visits.iter().enumerate() {
        for (unpacker, tile_of) in brought.iter().enumerate() {
            let Some(tile) = tile_of(visit) else { continue };
            if unpacker == 0 && step.srca == SrcA::Zero {
                zeros(code);
                continue;
            }
            let next = visits[number + 1..].iter().find_map(tile_of);
            go_to(code, unpacker as u32, &mut at[unpacker], tile);
            let increment = next
                .and_then(|next| next.checked_sub(tile))
                .filter(|by| *by < 4)
                .unwrap_or(0);
            code.push(Unpacr {
                unpack_block_selection: unpacker as u32,
                addr_mode: increment,
                ovrd_thread_id: 1,
                set_dat_valid: 1,
                last: 1,
                ..Unpacr::default()
            });
            at[unpacker] += increment;
        }
    }
}

/// Brings an unpacker's counter to a tile of the slot: back to the first one, if need be, then forwards.
fn go_to(code: &Code, unpacker: u32, at: &mut u32, tile: u32) {
    const Z: u32 = 1;
    if tile < *at {
        code.push(Addrcrzw {
            cnt_set_mask: 1 << unpacker,
            bit_mask: Z,
            ..Addrcrzw::default()
        });
        *at = 0;
    }
    if tile > *at {
        code.push(Incadczw {
            cnt_set_mask: 1 << unpacker,
            ch0_z: tile - *at,
            ..Incadczw::default()
        });
    }
    *at = tile;
}

/// Clears unpacker 0's bank, once it is its own, and hands it over. An UNPACR that writes zeros would do, too, but it
/// fetches a tile from a buffer that nothing may have filled yet.
fn zeros(code: &Code) {
    const CLEAR: u32 = 1;
    const WAIT_LIKE_UNPACR: u32 = 1 << 4;
    const SET_DATA_VALID: u32 = 7;
    for no_op in [CLEAR | WAIT_LIKE_UNPACR, SET_DATA_VALID] {
        code.push(UnpacrNop {
            unpack_block_selection: 0,
            no_op,
        });
    }
}

fn prologue(code: &Code, buffers: &Buffers) {
    for unpacker in 0..2 {
        code.configure4(
            cfg::THCON_REG0_TileDescriptor.at(unpacker).at(0),
            tile_descriptor(),
        );
        code.configure4(
            cfg::THCON_REG2_Out_data_format.at(unpacker),
            unpack_configuration(unpacker),
        );
        let base = cfg::THCON_REG3_Base_address.at(unpacker).at(0);
        code.configure(base, header_address(buffers.operand(unpacker)));
    }
    // Unpacker 0 starts four rows down: it drops rows 0 to 3 of what it makes. In context mode this register, and
    // not the address counters, says where it starts, and this one, not the descriptor, how long a row is.
    let (start, row) = (
        cfg::THCON_REG5_Dest_address.at(0).at(0),
        cfg::THCON_REG5_Tile_x_dim.at(0).at(0),
    );
    code.configure(start, start.put(4 * 16));
    code.configure(row, row.put(FACE_DATUMS));
    code.configure_thread(
        cfg::SRCA_SET_SetOvrdWithAddr,
        cfg::SRCA_SET_SetOvrdWithAddr.put(1),
    );
    code.configure_thread(cfg::UNPACK_MISC_CFG_CfgContextOffset.at(0), 0);
    code.push(Setadcxy {
        cnt_set_mask: BOTH_UNPACKERS,
        bit_mask: 0b1111,
        ..Setadcxy::default()
    });
    code.push(Setadczw {
        cnt_set_mask: BOTH_UNPACKERS,
        bit_mask: 0b1111,
        ..Setadczw::default()
    });
    code.push(Setadcxx {
        cnt_set_mask: BOTH_UNPACKERS,
        x_end2: 1023,
        x_start: 0,
    });
}

/// Datums of a face.
const FACE_DATUMS: u32 = 256;

/// Tiles of four faces of 256 bf16 datums, uncompressed, no digest (`UNPACR_Regular.md`, `TileDescriptor`): a row is a face,
/// and there are four to a plane, so that Z counts tiles.
fn tile_descriptor() -> [u32; 4] {
    const UNCOMPRESSED: u32 = 1 << 4;
    [
        format::BF16 | UNCOMPRESSED | FACE_DATUMS << 16,
        4 | 1 << 16,
        1,
        0,
    ]
}

/// bf16 out at full speed, and no decompression.
fn unpack_configuration(unpacker: u32) -> [u32; 4] {
    const FASTEST: u32 = 2;
    let uncompressed = cfg::THCON_REG2_Disable_zero_compress.at(unpacker);
    let speed = cfg::THCON_REG2_Throttle_mode.at(unpacker);
    [
        format::BF16 | speed.put(FASTEST),
        uncompressed.at(0).put(1),
        0,
        0,
    ]
}
