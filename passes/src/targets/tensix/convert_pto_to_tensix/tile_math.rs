//! Instruction sequences of the matrix unit for one tile: the instructions of each [`Math`] and
//! their address modes.
//!
//! Rows of a 32x32 tile in SrcA, SrcB and Dst: face 0 (top left) 0 to 15, face 1 (top right) 16 to
//! 31, face 2 (bottom left) 32 to 47, face 3 (bottom right) 48 to 63. One instruction processes
//! eight rows of Dst.

use tessera_isa_tensix::table::{Elwadd, Elwmul, Elwsub, Instruction, Mvmul};
use tessera_isa_tensix::Arch;
use tessera_tensix_code::TilePart;

use super::address_mode::{assign, AddressMode};
use super::plan::{Broadcast, Elementwise, Math};
use super::resources::TILE_ROWS;

/// Rows of half a tile in Dst.
const HALF_ROWS: u32 = TILE_ROWS / 2;

/// The instructions of one pass over a tile.
pub struct TileMath {
    /// The instructions in order. Empty if there are none, or if another module emits them
    /// ([`super::transpose`]).
    pub body: Vec<Instruction>,
    /// Table entries that the body's address modes refer to.
    pub modes: Vec<(u32, AddressMode)>,
    /// Whether the body runs once per fidelity phase, instead of once.
    pub multiplies: bool,
    /// Whether it accumulates into Dst, which must be cleared before the first step.
    pub accumulates: bool,
}

/// Returns the instructions of a matrix operation for a part of one tile. Only element-wise
/// operations work on parts.
pub fn tile_math(arch: Arch, op: Math, part: TilePart) -> TileMath {
    match op {
        Math::Matmul => matmul(arch),
        Math::Unpack => TileMath {
            body: Vec::new(),
            modes: Vec::new(),
            multiplies: false,
            accumulates: false,
        },
        // Its instructions have configuration between them ([`super::transpose`]).
        Math::Transpose(_) => TileMath {
            body: Vec::new(),
            modes: vec![(0, AddressMode::default())],
            multiplies: false,
            accumulates: false,
        },
        Math::Elementwise {
            op,
            broadcast,
            accumulate,
        } => elementwise(arch, (op, broadcast), accumulate, part),
    }
}

/// Returns a matrix product of two tiles by sixteen MVMULs. Each one updates eight rows of Dst: the
/// first eight with the left half of SrcB's tile and the upper half of SrcA's, the second eight
/// with the other halves.
///
/// | | Dst rows | SrcB rows (8) | SrcA rows (16) |
/// |---|---|---|---|
/// | 0–7 | 0, 8, …, 56 | 0 8, 0 8, 32 40, 32 40 | 0 0, 16 16, 0 0, 16 16 |
/// | 8–15 | 0, 8, …, 56 | 16 24, 16 24, 48 56, 48 56 | 32 32, 48 48, 32 32, 48 48 |
fn matmul(arch: Arch) -> TileMath {
    let rows: Vec<[i32; 2]> = (0..16)
        .map(|i| {
            let (k, block) = (i / 8, i % 8);
            let (row_face, column_face, half) = (block / 4, block / 2 % 2, block % 2);
            [32 * k + 16 * column_face, 32 * row_face + 16 * k + 8 * half]
        })
        .collect();
    let (modes, entries) = assign_modes(arch, &rows);
    let body = (0u32..).zip(entries).map(|(i, addr_mode)| {
        Mvmul {
            addr_mode,
            dst: i % 8 * 8,
            ..Mvmul::default()
        }
        .into()
    });
    TileMath {
        body: body.collect(),
        modes,
        multiplies: true,
        accumulates: true,
    }
}

/// Assigns address modes to a body whose instructions read these rows of SrcA and SrcB. After the
/// last instruction the next fidelity phase begins at the first rows.
fn assign_modes(arch: Arch, rows: &[[i32; 2]]) -> (Vec<(u32, AddressMode)>, Vec<u32>) {
    let moves: Vec<_> = rows
        .windows(2)
        .map(|pair| {
            let by = |k: usize| (pair[1][k] - pair[0][k] + 32).rem_euclid(64) - 32;
            AddressMode::advance(by(0), by(1))
        })
        .chain([AddressMode {
            next_phase: true,
            ..AddressMode::default()
        }])
        .collect();
    assign(arch, &moves).expect("eight entries are enough for the orders here")
}

/// Emits eight ELWADD, ELWSUB or ELWMUL, or four for half of a tile, ordered so that the SrcB row
/// of a broadcast rarely changes.
fn elementwise(
    arch: Arch,
    (op, broadcast): (Elementwise, Broadcast),
    accumulate: bool,
    part: TilePart,
) -> TileMath {
    let (dst, srcb): ([u32; 8], [u32; 8]) = match broadcast {
        Broadcast::None => (
            [0, 8, 16, 24, 32, 40, 48, 56],
            [0, 8, 16, 24, 32, 40, 48, 56],
        ),
        Broadcast::Row => ([0, 8, 32, 40, 16, 24, 48, 56], [0, 0, 0, 0, 16, 16, 16, 16]),
        Broadcast::Column => ([0, 16, 8, 24, 32, 48, 40, 56], [0, 0, 8, 8, 32, 32, 40, 40]),
        Broadcast::Scalar => ([0, 8, 16, 24, 32, 40, 48, 56], [0; 8]),
    };
    // The rows of SrcA are those of Dst.
    let rows = dst.into_iter().zip(srcb);
    let rows = rows.filter(|(dst, _)| part == TilePart::Whole || *dst < HALF_ROWS);
    let rows: Vec<_> = rows.map(|(dst, srcb)| [dst as i32, srcb as i32]).collect();
    let (modes, entry) = assign_modes(arch, &rows);
    let broadcast = match broadcast {
        Broadcast::None => 0,
        Broadcast::Column => 1,
        Broadcast::Row => 2,
        Broadcast::Scalar => 3,
    };
    let dest_accum_en = u32::from(accumulate);
    let body = (rows.iter().zip(entry))
        .map(|(&[dst, _], addr_mode)| {
            let (clear_dvalid, instr_mod19, dst) = (0, broadcast, dst as u32);
            match op {
                Elementwise::Add => Elwadd {
                    clear_dvalid,
                    dest_accum_en,
                    instr_mod19,
                    addr_mode,
                    dst,
                }
                .into(),
                Elementwise::Subtract => Elwsub {
                    clear_dvalid,
                    dest_accum_en,
                    instr_mod19,
                    addr_mode,
                    dst,
                }
                .into(),
                Elementwise::Multiply => Elwmul {
                    clear_dvalid,
                    dest_accum_en: 0,
                    instr_mod19,
                    addr_mode,
                    dst,
                }
                .into(),
            }
        })
        .collect();
    let multiplies = op == Elementwise::Multiply;
    TileMath {
        body,
        modes,
        multiplies,
        accumulates: multiplies || accumulate,
    }
}

#[cfg(test)]
mod tests;
