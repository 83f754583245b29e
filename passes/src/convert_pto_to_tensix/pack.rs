//! The pack list (T2): one PACR per output tile, all four packers at once, one face each.
//!
//! Packer `i` reads rows `16 i` to `16 i + 15` of the current half of Dst as fp32, rounds to bf16 and writes 512
//! bytes at `512 i` of the output buffer. Padding of an edge tile is set to +0 by the edge masks (invariant P0,
//! rulings 1.7).

use tessera_isa_tensix::cfg;
use tessera_isa_tensix::list::Entry;
use tessera_isa_tensix::table::{
    Pacr, Semget, Sempost, Semwait, Setadcxx, Setadcxy, Setadczw, Stallwait,
};

use super::plan::{OutTile, Plan};
use super::thread::{counter, format, semaphore, wait, Buffer, Thread, DST_HALF_ROWS};

/// SETADC*'s selection of the packers.
const PACKERS: u32 = 0b100;

/// GPRs that hold the addresses of the two output buffers.
const OUT_GPR: [u32; 2] = [2, 3];
/// GPRs that hold the first rows of the faces in the two halves of Dst, four each.
const HALF_GPR: [u32; 2] = [4, 8];

/// Makes the list.
pub fn lower(plan: &Plan) -> Vec<Entry> {
    let mut t = Thread::default();
    let relu = plan.tiles.first().is_some_and(|tile| tile.relu);
    prologue(&mut t, relu);
    let mut state = State {
        relu,
        valid: (32, 32),
    };
    for (number, tile) in plan.tiles.iter().enumerate() {
        lower_tile(&mut t, &mut state, number, tile);
    }
    t.entries
}

/// Configuration that is the same for many tiles in a row.
struct State {
    relu: bool,
    valid: (u32, u32),
}

fn lower_tile(t: &mut Thread, state: &mut State, number: usize, tile: &OutTile) {
    if number >= 2 {
        t.entry(Entry::Wait {
            counter: counter::DRAINED,
            at_least: number as u32 - 1,
        });
    }
    if state.relu != tile.relu {
        state.relu = tile.relu;
        set_relu(t, tile.relu);
    }
    if state.valid != tile.valid {
        state.valid = tile.valid;
        set_edge_masks(t, tile.valid);
    }
    let half = number % 2;
    t.configure4_from(cfg::DEST_TARGET_REG_CFG_PACK_Offset.at(0), HALF_GPR[half]);
    t.configure_from(cfg::THCON_PACK_L1_Dest_addr.at(0).at(0), OUT_GPR[half]);
    t.push(Semwait {
        stall_res: wait::BLOCK_SYNC | wait::BLOCK_PACK,
        sem_sel: semaphore::mask(semaphore::MATH_PACK),
        wait_sem_cond: wait::WHILE_ZERO,
    });
    t.push(Pacr {
        pack_sel: 0b1111,
        last: 1,
        ..Pacr::default()
    });
    t.push(Stallwait {
        stall_res: wait::BLOCK_SYNC,
        wait_res: wait::PACKERS,
    });
    t.push(Semget {
        sem_sel: semaphore::mask(semaphore::MATH_PACK),
    });
    t.push(Sempost {
        sem_sel: semaphore::mask(semaphore::PACK_DONE),
    });
    t.entry(Entry::SemPoll {
        sem: semaphore::PACK_DONE,
        at_least: 1,
    });
    t.entry(Entry::SemGet(semaphore::PACK_DONE));
    t.entry(Entry::Post {
        counter: counter::PACKED,
    });
}

fn prologue(t: &mut Thread, relu: bool) {
    for packer in 0..4 {
        let section = cfg::THCON_PACK_Row_start_section_size
            .at(packer / 2)
            .at(packer % 2);
        t.configure4(section, packer_configuration(packer));
        let rows = cfg::PACK_COUNTERS_pack_reads_per_xy_plane.at(packer);
        t.configure(rows, rows.put(FACE_ROWS));
    }
    let stride = cfg::PCK0_ADDR_CTRL_Xstride.at(0);
    t.configure(stride, stride.put(2));
    set_relu(t, relu);
    set_edge_masks(t, (32, 32));
    for half in 0..2 {
        t.set_gpr(OUT_GPR[half], Buffer::Out.header_address(half) | RELATIVE);
        for face in 0..4 {
            t.set_gpr(
                HALF_GPR[half] + face,
                half as u32 * DST_HALF_ROWS + FACE_ROWS * face,
            );
        }
    }
    t.push(Setadcxy {
        cnt_set_mask: PACKERS,
        bit_mask: 0b1111,
        ..Setadcxy::default()
    });
    t.push(Setadczw {
        cnt_set_mask: PACKERS,
        bit_mask: 0b1111,
        ..Setadczw::default()
    });
    t.push(Setadcxx {
        cnt_set_mask: PACKERS,
        x_end2: 255,
        x_start: 0,
    });
}

/// Rows of a face.
const FACE_ROWS: u32 = 16;

/// In packer 0's address: the other packers' addresses are relative to it (`OutputAddressGenerator.md`).
const RELATIVE: u32 = 1 << 31;

/// Section sizes 0, the address, uncompressed bf16 to bf16, no downsampling.
fn packer_configuration(packer: u32) -> [u32; 4] {
    let field = |field: cfg::ConfigField, value| field.at(packer / 2).at(packer % 2).put(value);
    // In units of 16 bytes; the packer adds one for a tile header that is not there.
    let face = (32 * packer).wrapping_sub(1);
    let address = if packer == 0 {
        Buffer::Out.header_address(0) | RELATIVE
    } else {
        face
    };
    let formats = field(cfg::THCON_PACK_Disable_zero_compress, 1)
        | field(cfg::THCON_PACK_In_data_format, format::BF16)
        | field(cfg::THCON_PACK_Out_data_format, format::BF16);
    [0, address, formats, 0]
}

fn set_relu(t: &mut Thread, relu: bool) {
    t.configure(
        cfg::STACC_RELU_ApplyRelu,
        cfg::STACC_RELU_ApplyRelu.put(u32::from(relu)),
    );
}

/// Keeps `rows` × `columns` of the tile and zeroes the rest: each face has a row map that gives every one of its
/// rows one of four column masks (`EdgeMasking.md`).
fn set_edge_masks(t: &mut Thread, (rows, columns): (u32, u32)) {
    let in_face =
        |extent: u32, second: u32| extent.saturating_sub(FACE_ROWS * second).min(FACE_ROWS);
    let mask = |columns: u32| (1u32 << columns) - 1;
    // Mask 0: left faces, 1: right faces, 2: nothing. Packer i uses row map i.
    let own_map = cfg::PCK_EDGE_TILE_ROW_SET_SELECT_select.put(1 << 2 | 2 << 4 | 3 << 6);
    let masks = cfg::PCK_EDGE_OFFSET_mask;
    t.configure(masks.at(0), mask(in_face(columns, 0)) | own_map);
    t.configure(masks.at(1), mask(in_face(columns, 1)));
    t.configure(masks.at(2), 0);
    for face in 0..4 {
        let kept = in_face(rows, face / 2);
        let map = (0..FACE_ROWS).fold(0, |map, row| {
            map | (if row < kept { face % 2 } else { 2 }) << (2 * row)
        });
        t.configure(cfg::TILE_ROW_SET_MAPPING.at(face).at(0), map);
    }
}
