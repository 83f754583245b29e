//! One tile through the matrix unit: the instructions of each [`MathOp`] and the address modes they need.
//!
//! Rows of a 32x32 tile in SrcA, SrcB and Dst: face 0 (top left) 0 to 15, face 1 (top right) 16 to 31, face 2
//! (bottom left) 32 to 47, face 3 (bottom right) 48 to 63. One instruction works on eight rows of Dst.

use tessera_isa_tensix::table::{Elwadd, Elwmul, Elwsub, Instruction, Mova2d, Mvmul};

use super::address_mode::{AddressMode, Extra};
use super::plan::{Broadcast, Elementwise, MathOp};

/// The instructions of one pass over a tile.
pub struct TileMath {
    /// Executed once per fidelity phase.
    pub body: Vec<Instruction>,
    /// What the body's address modes mean, from entry 0 on.
    pub modes: Vec<AddressMode>,
    /// Whether the body runs once per fidelity phase, or once.
    pub multiplies: bool,
    /// Whether it adds to what Dst holds.
    pub accumulates: bool,
    /// The Src banks it reads: bit 0 for SrcA, bit 1 for SrcB.
    pub banks: u32,
}

/// The instructions of a step.
pub fn tile_math(op: MathOp) -> TileMath {
    match op {
        MathOp::Matmul => matmul(),
        MathOp::Elementwise {
            op,
            broadcast,
            accumulate,
        } => elementwise(op, broadcast, accumulate),
        MathOp::Copy => copy(),
    }
}

/// Sixteen MVMULs: eight rows of Dst at a time, first with the left half of SrcB's tile and the upper half of
/// SrcA's, then with the other halves (rulings 1.4).
///
/// | | Dst rows | SrcB rows (8) | SrcA rows (16) |
/// |---|---|---|---|
/// | 0–7 | 0, 8, …, 56 | 0 8, 0 8, 32 40, 32 40 | 0 0, 16 16, 0 0, 16 16 |
/// | 8–15 | 0, 8, …, 56 | 16 24, 16 24, 48 56, 48 56 | 32 32, 48 48, 32 32, 48 48 |
fn matmul() -> TileMath {
    let pair = AddressMode::advance(0, 8);
    let next_column = AddressMode::advance(16, -8);
    let next_row = AddressMode::advance(-16, 24);
    let modes = vec![
        pair,
        next_column,
        next_row,
        AddressMode {
            extra: Extra::Set,
            ..pair
        },
        // Entries 4 and 5, reached as 0 and 1 after entry 3.
        AddressMode {
            extra: Extra::Clear,
            ..AddressMode::advance(16, -24)
        },
        AddressMode {
            next_phase: true,
            extra: Extra::Clear,
            ..AddressMode::default()
        },
    ];
    const ENTRY: [u32; 16] = [0, 1, 0, 2, 0, 1, 3, 0, 0, 1, 0, 2, 0, 1, 3, 1];
    let body = (0..16)
        .map(|i| {
            Mvmul {
                addr_mode: ENTRY[i],
                dst: i as u32 % 8 * 8,
                ..Mvmul::default()
            }
            .into()
        })
        .collect();
    TileMath {
        body,
        modes,
        multiplies: true,
        accumulates: true,
        banks: 0b11,
    }
}

/// Eight ELWADD, ELWSUB or ELWMUL, in an order in which the SrcB row of a broadcast changes seldom.
fn elementwise(op: Elementwise, broadcast: Broadcast, accumulate: bool) -> TileMath {
    let (dst, srcb): ([u32; 8], [u32; 8]) = match broadcast {
        Broadcast::None => (
            [0, 8, 16, 24, 32, 40, 48, 56],
            [0, 8, 16, 24, 32, 40, 48, 56],
        ),
        Broadcast::Row => ([0, 8, 32, 40, 16, 24, 48, 56], [0, 0, 0, 0, 16, 16, 16, 16]),
        Broadcast::Column => ([0, 16, 8, 24, 32, 48, 40, 56], [0, 0, 8, 8, 32, 32, 40, 40]),
        Broadcast::Scalar => ([0, 8, 16, 24, 32, 40, 48, 56], [0; 8]),
    };
    let mut modes = Vec::new();
    let entry: Vec<u32> = (0..8)
        .map(|i| {
            let mode = if i < 7 {
                AddressMode::advance(
                    dst[i + 1] as i32 - dst[i] as i32,
                    srcb[i + 1] as i32 - srcb[i] as i32,
                )
            } else {
                AddressMode {
                    next_phase: true,
                    ..AddressMode::default()
                }
            };
            let found = modes.iter().position(|m| *m == mode).unwrap_or_else(|| {
                modes.push(mode);
                modes.len() - 1
            });
            found as u32
        })
        .collect();
    let spread = match broadcast {
        Broadcast::None => 0,
        Broadcast::Column => 1,
        Broadcast::Row => 2,
        Broadcast::Scalar => 3,
    };
    let dest_accum_en = u32::from(accumulate);
    let body = (0..8)
        .map(|i| {
            let (clear_dvalid, instr_mod19, addr_mode, dst) = (0, spread, entry[i], dst[i]);
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
        banks: 0b11,
    }
}

/// Eight MOVA2D of eight rows.
fn copy() -> TileMath {
    const EIGHT_ROWS: u32 = 2;
    let body = (0..8)
        .map(|i| {
            Mova2d {
                src: 8 * i,
                instr_mod: EIGHT_ROWS,
                dst: 8 * i,
                ..Mova2d::default()
            }
            .into()
        })
        .collect();
    TileMath {
        body,
        modes: vec![AddressMode::default()],
        multiplies: false,
        accumulates: false,
        banks: 0b01,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Follows the row counters through one body and returns (SrcA, SrcB, Dst) of every instruction.
    fn rows(math: &TileMath) -> Vec<(i32, i32, u32)> {
        let (mut a, mut b, mut extra) = (0i32, 0i32, false);
        math.body
            .iter()
            .map(|instruction| {
                let (entry, dst) = match *instruction {
                    Instruction::Mvmul(i) => (i.addr_mode, i.dst),
                    Instruction::Elwadd(i) => (i.addr_mode, i.dst),
                    ref other => panic!("unexpected {other}"),
                };
                let at = (a, b, dst);
                let mode = math.modes[entry as usize + if extra { 4 } else { 0 }];
                (a, b) = if mode.next_phase {
                    (0, 0)
                } else {
                    ((a + mode.srca) & 63, (b + mode.srcb) & 63)
                };
                extra = match mode.extra {
                    Extra::Keep => extra,
                    Extra::Set => true,
                    Extra::Clear => false,
                };
                at
            })
            .chain(std::iter::once_with(|| (0, 0, 0)))
            .collect()
    }

    #[test]
    fn matmul_visits_every_product_of_faces_once() {
        let math = matmul();
        let visited = rows(&math);
        let expected: Vec<_> = [0, 1]
            .into_iter()
            .flat_map(|k| {
                (0..8).map(move |block| {
                    let (row_face, column_face, half) = (block / 4, block / 2 % 2, block % 2);
                    (
                        16 * (2 * k + column_face),
                        32 * row_face + 16 * k + 8 * half,
                        8 * block as u32,
                    )
                })
            })
            .collect();
        assert_eq!(visited[..16], expected[..]);
    }

    #[test]
    fn broadcasts_follow_the_rows() {
        for (broadcast, row) in [
            (Broadcast::None, (|dst| dst) as fn(i32) -> i32),
            (Broadcast::Row, |dst| dst & 16),
            (Broadcast::Column, |dst| dst & !16),
            (Broadcast::Scalar, |_| 0),
        ] {
            let math = elementwise(Elementwise::Add, broadcast, false);
            assert!(math.modes.len() <= 4, "{broadcast:?}");
            let mut blocks: Vec<_> = rows(&math)[..8].to_vec();
            for &(a, b, dst) in &blocks {
                assert_eq!((a, b), (dst as i32, row(dst as i32)), "{broadcast:?}");
            }
            blocks.sort_by_key(|block| block.2);
            assert_eq!(
                blocks.iter().map(|block| block.2).collect::<Vec<_>>(),
                [0, 8, 16, 24, 32, 40, 48, 56]
            );
        }
    }
}
