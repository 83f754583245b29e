//! Configuration and use of the packers: they move a 32x32 tile out of Dst, as fp32 or rounded to
//! bf16.
//!
//! Wormhole has four packers. Packer `i` reads face `i`, rows `16 i` to `16 i + 15` of the tile,
//! and writes it after the faces before; one PACR runs all four. Blackhole has one packer. A PACR
//! takes four rows, so sixteen of them pack a tile, face by face.
//!
//! Invariant: in every tensor in memory, elements of a tile beyond the tensor's extents are +0.
//! Later products sum over whole tiles, so padding must not contribute. The packers' edge masks
//! establish this where a computation may have made the padding non-zero.

use tessera_isa_tensix::table::{Pacr, Setadcxx, Setadcxy, Setadczw};
use tessera_isa_tensix::{cfg, Arch};
use tessera_tensix_code::TilePart;

use super::code_builder::CodeBuilder;
use super::plan::Element;
use super::resources::{format, DST_HALF_ROWS, TILE_ROWS};

/// SETADC*'s selection of the packers.
pub const PACKERS: u32 = 0b100;
/// GPR with the L1 address of the tile.
pub const OUT_GPR: u32 = 2;
/// First of four GPRs with the Dst rows of the faces in the first half of Dst. The four GPRs of the
/// second half follow.
pub const HALF_GPR: u32 = 4;
/// Stride of the packers' Z counters, in bytes of packed data. The size of an fp32 tile does not
/// fit the field, so an fp32 tile is two steps.
pub const Z_STRIDE: u32 = 2048;
/// Rows of a face, and datums per row.
const FACE_ROWS: u32 = 16;
/// Rows per PACR on Blackhole, one through each interface.
const INTERFACES: u32 = 4;
/// Blackhole address modes: advance to the next rows, and return to the first ones.
const NEXT_ROWS: u32 = 0;
const FIRST_ROWS: u32 = 1;

/// Returns the number of packers.
const fn packers(arch: Arch) -> u32 {
    match arch {
        Arch::WormholeB0 => 4,
        Arch::Blackhole => 1,
    }
}

/// Returns the address flag that makes the other packers' addresses relative to packer 0's
/// (`OutputAddressGenerator.md`).
pub const fn relative_address_flag(arch: Arch) -> u32 {
    match arch {
        Arch::WormholeB0 => 1 << 31,
        Arch::Blackhole => 0,
    }
}

/// Emits the invariant configuration, and the initial element type and relu.
pub fn prologue(code: &CodeBuilder, relu: bool, element: Element) {
    set_element(code, element);
    for packer in 0..packers(code.arch) {
        let rows = cfg::PACK_COUNTERS_pack_reads_per_xy_plane.nth(packer);
        code.configure(rows, code.field_bits(rows, FACE_ROWS));
    }
    let z = cfg::PCK0_ADDR_CTRL_Zstride.nth(0);
    code.configure(z, code.field_bits(z, Z_STRIDE));
    set_relu(code, relu);
    set_edge_masks(code, (32, 32));
    code.set_gpr(OUT_GPR, relative_address_flag(code.arch));
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
    let datums = match code.arch {
        Arch::WormholeB0 => FACE_ROWS * FACE_ROWS,
        Arch::Blackhole => FACE_ROWS,
    };
    code.push(Setadcxx {
        cnt_set_mask: PACKERS,
        x_end2: datums - 1,
        x_start: 0,
    });
    if code.arch == Arch::Blackhole {
        let by = cfg::ADDR_MOD_PACK_YsrcIncr.nth(NEXT_ROWS);
        code.configure_thread(by, code.field_bits(by, INTERFACES));
        let clear = cfg::ADDR_MOD_PACK_YsrcClear.nth(FIRST_ROWS);
        code.configure_thread(clear, code.field_bits(clear, 1));
    }
}

/// Starts the packing of a part of the tile that the Z counter selects to the configured address.
pub fn pack_tile(code: &mut CodeBuilder, part: TilePart) {
    let (packers, rows) = match part {
        TilePart::Whole => (0b1111, TILE_ROWS),
        TilePart::UpperHalf => (0b0011, TILE_ROWS / 2),
    };
    match code.arch {
        Arch::WormholeB0 => code.push(Pacr {
            pack_sel: packers,
            last: 1,
            ..Pacr::default()
        }),
        Arch::Blackhole => {
            let one = Pacr {
                read_intf_sel: (1 << INTERFACES) - 1,
                addr_mode: NEXT_ROWS,
                ..Pacr::default()
            };
            code.repeat(rows / INTERFACES - 1, |code| code.push(one));
            code.push(Pacr {
                addr_mode: FIRST_ROWS,
                last: 1,
                ..one
            });
        }
    }
}

/// Sets the element type of all packers: the formats, and the strides that depend on the datum
/// size.
pub fn set_element(code: &CodeBuilder, element: Element) {
    for packer in 0..packers(code.arch) {
        let section = cfg::THCON_PACK_Row_start_section_size
            .nth(packer / 2)
            .nth(packer % 2);
        code.configure4(section, configuration(code, packer, element));
    }
    // X counts datums; on Blackhole, Y counts rows of a face.
    let datum = element.tile_bytes() / (TILE_ROWS * FACE_ROWS);
    let x = cfg::PCK0_ADDR_CTRL_Xstride.nth(0);
    let row = match code.arch {
        Arch::WormholeB0 => 0,
        Arch::Blackhole => code.field_bits(cfg::PCK0_ADDR_CTRL_Ystride.nth(0), FACE_ROWS * datum),
    };
    code.configure(x, code.field_bits(x, datum) | row);
}

/// Returns a packer's configuration words: section sizes 0, the address, no compression, equal
/// input and output formats, no downsampling.
fn configuration(code: &CodeBuilder, packer: u32, element: Element) -> [u32; 4] {
    let field = |field: cfg::ConfigField, value| {
        code.field_bits(field.nth(packer / 2).nth(packer % 2), value)
    };
    // In units of 16 bytes. The packer adds one for a tile header, which these tiles do not have.
    let face = (element.tile_bytes() / 4 / 16 * packer).wrapping_sub(1);
    let address = match packer {
        0 => relative_address_flag(code.arch),
        _ => face,
    };
    let formats = field(cfg::THCON_PACK_Disable_zero_compress, 1)
        | field(cfg::THCON_PACK_In_data_format, format::stored(element))
        | field(cfg::THCON_PACK_Out_data_format, format::stored(element));
    [0, address, formats, 0]
}

/// Sets whether the packers replace negative values by zero.
pub fn set_relu(code: &CodeBuilder, relu: bool) {
    code.configure_field(cfg::STACC_RELU_ApplyRelu, relu.into());
}

/// Sets the edge masks, while the packers are idle: keeps `rows` × `columns` of the tile and zeroes
/// the rest. Each face has a row map that selects one of four column masks for every row
/// (`EdgeMasking.md`). The map is chosen per packer on Wormhole and per face on Blackhole.
pub fn set_edge_masks(code: &CodeBuilder, (rows, columns): (u32, u32)) {
    const OWN: u32 = 1 << 2 | 2 << 4 | 3 << 6;
    let in_face =
        |extent: u32, second: u32| extent.saturating_sub(FACE_ROWS * second).min(FACE_ROWS);
    let mask = |columns: u32| (1u32 << columns) - 1;
    // Mask 0: left faces, 1: right faces, 2: nothing.
    let select = cfg::PCK_EDGE_TILE_ROW_SET_SELECT_select;
    let own_map = match code.arch {
        Arch::WormholeB0 => code.field_bits(select, OWN),
        Arch::Blackhole => {
            let enable = cfg::PCK_EDGE_TILE_FACE_SET_SELECT_enable;
            code.configure(enable, code.field_bits(enable, 1));
            code.configure(cfg::TILE_FACE_SET_MAPPING.nth(0).nth(0), OWN);
            0
        }
    };
    let masks = cfg::PCK_EDGE_OFFSET_mask;
    code.configure(masks.nth(0), mask(in_face(columns, 0)) | own_map);
    code.configure(masks.nth(1), mask(in_face(columns, 1)));
    code.configure(masks.nth(2), 0);
    for face in 0..4 {
        let kept = in_face(rows, face / 2);
        let map = (0..FACE_ROWS).fold(0, |map, row| {
            map | (if row < kept { face % 2 } else { 2 }) << (2 * row)
        });
        code.configure(cfg::TILE_ROW_SET_MAPPING.nth(face).nth(0), map);
    }
    code.settle_config();
}
