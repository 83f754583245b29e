//! The code of T2: the vector program of a block, then one PACR for each tile of its results, all four packers at once, one face
//! each.
//!
//! Packer `i` reads rows `16 i` to `16 i + 15` of a tile of Dst as fp32, rounds to bf16 and writes 512 bytes at `512 i` of the
//! tile's place in the ring of results; what leaves as fp32 is not rounded, and faces have 1024 bytes. Padding of an edge tile is set to
//! +0 by the edge masks (invariant P0, rulings 1.7). What a packer does is configured, so it is idle whenever that changes.

use tessera_dialects::mlir::Value;
use tessera_isa_tensix::cfg;
use tessera_isa_tensix::table::{
    Pacr, Semget, Sempost, Semwait, Setadc, Setadcxx, Setadcxy, Setadczw, Setdmareg, Stallwait,
};

use super::code::{Code, Compare};
use super::expr::Arith;
use super::plan::{Block, Element, Store, Target};
use super::thread::{counter, format, header_address, semaphore, wait, DST_HALF_ROWS, TILE_ROWS};
use super::walk::Work;
use super::{push, vector};

/// SETADC*'s selection of the packers.
const PACKERS: u32 = 0b100;
/// The GPR that holds the address of a tile's place.
const OUT_GPR: u32 = 2;
/// The first of the four GPRs with the first rows of the faces in the first half of Dst; those for the second half follow.
const HALF_GPR: u32 = 4;
/// What the packers' Z counters count, in bytes of Dst as it is packed; a tile of fp32 has more than the field can say.
const Z_STRIDE: u32 = 2048;
/// Rows of a face.
const FACE_ROWS: u32 = 16;
/// In packer 0's address: the other packers' addresses are relative to it (`OutputAddressGenerator.md`).
const RELATIVE: u32 = 1 << 31;

/// Makes the code.
pub fn lower(code: &mut Code, work: &Work) {
    let blocks = work.blocks_of();
    let stores: Vec<&Store> = blocks.iter().flat_map(|block| &block.stores).collect();
    let varies = Varies {
        relu: stores.windows(2).any(|pair| pair[0].relu != pair[1].relu),
        element: stores
            .windows(2)
            .any(|pair| pair[0].element != pair[1].element),
    };
    let relu = stores.first().is_some_and(|first| first.relu);
    prologue(code, relu && !varies.relu, work.element());
    vector::prologue(code, work);
    // The number of the block, the first row of its half of Dst, the offset of its slot; for each pipe that is pushed to, how often
    // that was, and the next slot.
    let counted = push::FIRST + 2 * work.pushed_pipes().count();
    code.state = (0..counted).map(|_| code.constant(0)).collect();
    work.blocks(code, |code, block| lower_block(code, work, block, varies));
    push::end(code, work);
}

/// What is not the same for all results of a kernel, so that it is set for each.
#[derive(Clone, Copy)]
struct Varies {
    /// Whether packers replace negative values by zero.
    relu: bool,
    /// The element type.
    element: bool,
}

/// A block of which nothing is packed.
fn lower_kept(code: &mut Code, work: &Work, block: &Block) {
    let half = code.state[1];
    code.push(Semwait {
        stall_res: wait::BLOCK_SYNC | wait::BLOCK_SFPU,
        sem_sel: semaphore::mask(semaphore::MATH_PACK),
        wait_sem_cond: wait::WHILE_ZERO,
    });
    vector::lower(code, block, half);
    code.push(Stallwait {
        stall_res: wait::BLOCK_SYNC,
        wait_res: wait::SFPU,
    });
    code.push(Semget {
        sem_sel: semaphore::mask(semaphore::MATH_PACK),
    });
    code.state[1] = work.next_half(code, half);
}

fn lower_block(code: &mut Code, work: &Work, block: &Block, varies: Varies) {
    code.place(block.place);
    if block.stores.is_empty() {
        return lower_kept(code, work, block);
    }
    let buffers = &work.buffers;
    let (number, half, offset) = (code.state[0], code.state[1], code.state[2]);
    let next = code.arith_by(Arith::Add, number, 1);
    let drained = i64::from(buffers.out_slots) - 1;
    code.r#await(counter::DRAINED, code.arith_by(Arith::Sub, number, drained));
    let gpr = code.arith_by(Arith::Div, half, (DST_HALF_ROWS / 4).into());
    let gpr = code.arith_by(Arith::Add, gpr, HALF_GPR.into());
    let rows = cfg::DEST_TARGET_REG_CFG_PACK_Offset.at(0);
    code.push_with(Code::wrcfg4(rows, 0), "gpr_address", gpr);
    // T1 has set the element type before it hands over the first half.
    let configuration = if varies.element {
        wait::BLOCK_CONFIG
    } else {
        0
    };
    code.push(Semwait {
        stall_res: wait::BLOCK_SYNC | wait::BLOCK_PACK | wait::BLOCK_SFPU | configuration,
        sem_sel: semaphore::mask(semaphore::MATH_PACK),
        wait_sem_cond: wait::WHILE_ZERO,
    });
    vector::lower(code, block, half);
    let units = code.arith_by(Arith::Div, offset, 16);
    for (number, store) in (0..).zip(&block.stores) {
        code.place(store.place);
        // Before the first the packers are idle: this core has waited for the end of the block before.
        let is_first = number == 0;
        set_up(code, store, varies, is_first);
        let first = buffers.results() + number * block.tiles() * buffers.result_tile;
        pack(code, block, store, (units, first), is_first);
    }
    code.push(Stallwait {
        stall_res: wait::BLOCK_SYNC,
        wait_res: wait::PACKERS,
    });
    code.push(Semget {
        sem_sel: semaphore::mask(semaphore::MATH_PACK),
    });
    code.push(Sempost {
        sem_sel: semaphore::mask(semaphore::PACK_DONE),
    });
    code.take(semaphore::PACK_DONE);
    for (number, store) in (0..).zip(&block.stores) {
        if let Target::Pipe(pipe) = store.to {
            code.place(store.place);
            let first = buffers.results() + number * block.tiles() * buffers.result_tile;
            let l1 = code.arith_by(Arith::Add, offset, first.into());
            push::push(code, work, pipe, block, store.element, l1);
        }
    }
    code.post(counter::PACKED);
    let offset = code.round(
        offset,
        buffers.result_bytes(),
        buffers.out_slots * buffers.result_bytes(),
    );
    let half = work.next_half(code, half);
    code.state[..push::FIRST].copy_from_slice(&[next, half, offset]);
}

/// Sets packers up for a result as far as that varies. Only if `idle` do packers idle before.
fn set_up(code: &Code, store: &Store, varies: Varies, idle: bool) {
    if (varies.relu || varies.element) && !idle {
        wait_for_packers(code);
    }
    if varies.relu {
        set_relu(code, store.relu);
    }
    if varies.element {
        set_element(code, store.element);
        let format = cfg::ALU_FORMAT_SPEC_REG2_Dstacc;
        code.configure_alone(format, format::of(store.element));
        code.settle();
    }
}

/// Packs the tiles of a result; its place begins at `first` in the first slot. Only if `idle` do packers idle before.
fn pack<'a>(
    code: &mut Code<'_, 'a>,
    block: &Block,
    store: &Store,
    (slot, first): (Value<'a>, u32),
    idle: bool,
) {
    for number in 0..block.tiles() {
        let address = header_address(first + number * store.element.tile_bytes());
        let address = code.arith_by(Arith::Add, slot, address.into());
        let low = Setdmareg {
            payload_sig_sel_size: 0,
            payload_sig_sel: 0,
            set_signals_mode: 0,
            reg_index_16b: 2 * OUT_GPR,
        };
        code.push_with(low, "payload_sig_sel", address);
        if !idle || number > 0 {
            wait_for_packers(code);
        }
        code.configure_from(cfg::THCON_PACK_L1_Dest_addr.at(0).at(0), OUT_GPR);
        const Z: u32 = 2;
        code.push(Setadc {
            cnt_set_mask: PACKERS,
            channel_index: 0,
            dimension_index: Z,
            value: (store.dst + number) * store.element.tile_bytes() / Z_STRIDE,
        });
        let edges = edges(code, store, number);
        for (condition, valid) in &edges {
            code.r#if(*condition, |code| set_edge_masks(code, *valid));
        }
        code.push(Pacr {
            pack_sel: 0b1111,
            last: 1,
            ..Pacr::default()
        });
        for (condition, _) in &edges {
            code.r#if(*condition, |code| {
                wait_for_packers(code);
                set_edge_masks(code, (32, 32));
            });
        }
    }
}

fn wait_for_packers(code: &Code) {
    code.push(Stallwait {
        stall_res: wait::BLOCK_CONFIG,
        wait_res: wait::PACKERS,
    });
}

/// When a tile of a result is one of which only a part holds data, and how many rows and columns of it do.
fn edges<'a>(code: &Code<'_, 'a>, store: &Store, number: u32) -> Vec<(Value<'a>, (u32, u32))> {
    let Target::Memory(to) = &store.to else {
        return Vec::new();
    };
    let tensor = to.tensor;
    let [rows, columns] = [tensor.rows % 32, tensor.columns % 32];
    if !store.mask || (rows == 0 && columns == 0) {
        return Vec::new();
    }
    let at = to.at(number, false);
    let extents = tensor.tiles();
    let is_last = |axis: usize| {
        let last = code.constant(i64::from(extents[axis]) - 1);
        code.compare(Compare::Equal, code.expr(&at.tile[axis]), last)
    };
    let not = |truth: Value<'a>| code.not(truth);
    if columns == 0 {
        return vec![(is_last(0), (rows, 32))];
    }
    if rows == 0 {
        return vec![(is_last(1), (32, columns))];
    }
    let (bottom, right) = (is_last(0), is_last(1));
    vec![
        (code.and(bottom, not(right)), (rows, 32)),
        (code.and(not(bottom), right), (32, columns)),
        (code.and(bottom, right), (rows, columns)),
    ]
}

fn prologue(code: &Code, relu: bool, element: Element) {
    set_element(code, element);
    for packer in 0..4 {
        let rows = cfg::PACK_COUNTERS_pack_reads_per_xy_plane.at(packer);
        code.configure(rows, rows.put(FACE_ROWS));
    }
    let z = cfg::PCK0_ADDR_CTRL_Zstride.at(0);
    code.configure(z, z.put(Z_STRIDE));
    set_relu(code, relu);
    set_edge_masks(code, (32, 32));
    code.set_gpr(OUT_GPR, RELATIVE);
    for half in 0..2 {
        for face in 0..4 {
            code.set_gpr(
                HALF_GPR + 4 * half + face,
                half * DST_HALF_ROWS + FACE_ROWS * face,
            );
        }
    }
    code.push(Setadcxy {
        cnt_set_mask: PACKERS,
        bit_mask: 0b1111,
        ..Setadcxy::default()
    });
    code.push(Setadczw {
        cnt_set_mask: PACKERS,
        bit_mask: 0b1111,
        ..Setadczw::default()
    });
    code.push(Setadcxx {
        cnt_set_mask: PACKERS,
        x_end2: 255,
        x_start: 0,
    });
}

/// Sets all packers to an element type: the formats, and what follows from how large a datum is.
fn set_element(code: &Code, element: Element) {
    for packer in 0..4 {
        let section = cfg::THCON_PACK_Row_start_section_size
            .at(packer / 2)
            .at(packer % 2);
        code.configure4(section, packer_configuration(packer, element));
    }
    // X counts datums.
    let datum = element.tile_bytes() / (TILE_ROWS * 16);
    let x = cfg::PCK0_ADDR_CTRL_Xstride.at(0);
    code.configure(x, x.put(datum));
}

/// Section sizes 0, the address, uncompressed from one format to the same, no downsampling.
fn packer_configuration(packer: u32, element: Element) -> [u32; 4] {
    let field = |field: cfg::ConfigField, value| field.at(packer / 2).at(packer % 2).put(value);
    // In units of 16 bytes; the packer adds one for a tile header that is not there.
    let face = (element.tile_bytes() / 4 / 16 * packer).wrapping_sub(1);
    let address = if packer == 0 { RELATIVE } else { face };
    let formats = field(cfg::THCON_PACK_Disable_zero_compress, 1)
        | field(cfg::THCON_PACK_In_data_format, format::of(element))
        | field(cfg::THCON_PACK_Out_data_format, format::of(element));
    [0, address, formats, 0]
}

fn set_relu(code: &Code, relu: bool) {
    code.configure_alone(cfg::STACC_RELU_ApplyRelu, relu.into());
}

/// Keeps `rows` × `columns` of the tile and zeroes the rest: each face has a row map that gives every one of its
/// rows one of four column masks (`EdgeMasking.md`).
fn set_edge_masks(code: &Code, (rows, columns): (u32, u32)) {
    let in_face =
        |extent: u32, second: u32| extent.saturating_sub(FACE_ROWS * second).min(FACE_ROWS);
    let mask = |columns: u32| (1u32 << columns) - 1;
    // Mask 0: left faces, 1: right faces, 2: nothing. Packer i uses row map i.
    let own_map = cfg::PCK_EDGE_TILE_ROW_SET_SELECT_select.put(1 << 2 | 2 << 4 | 3 << 6);
    let masks = cfg::PCK_EDGE_OFFSET_mask;
    code.configure(masks.at(0), mask(in_face(columns, 0)) | own_map);
    code.configure(masks.at(1), mask(in_face(columns, 1)));
    code.configure(masks.at(2), 0);
    for face in 0..4 {
        let kept = in_face(rows, face / 2);
        let map = (0..FACE_ROWS).fold(0, |map, row| {
            map | (if row < kept { face % 2 } else { 2 }) << (2 * row)
        });
        code.configure(cfg::TILE_ROW_SET_MAPPING.at(face).at(0), map);
    }
    code.settle();
}
