//! Operands and results of the matrix products of [`source`].
//!
//! The whole machine multiplies two matrices. Rows of A are distributed over L2 blocks, columns of
//! B over the L1 blocks of each. Columns are also distributed over MABs; if A is in PE memory, rows
//! are distributed over every fourth MAB.

// Each including test uses only a part.
#![allow(dead_code)]

pub mod source;

use tessera_isa_mncore::memory::Bank;
use tessera_mncore::geometry::{Geometry, PES};
use tessera_mncore::machine::Machine;
use tessera_mncore::numerics::block::{convert, Conversion, HalfLength};
use tessera_mncore::numerics::convert::narrow_singles;
use tessera_mncore::undetermined::UndeterminedSet;

use source::{Kernel, Loop};

/// Returns the position of tile row `row` of a pseudo-single tile in its column of C: even rows
/// come first.
const PSEUDO_ROWS: [usize; 8] = [0, 2, 4, 6, 1, 3, 5, 7];

/// The sizes of a product: rows of A, elements of K and columns of B.
pub fn size(of: &Loop, geometry: &Geometry) -> [usize; 3] {
    let (rows, columns) = mab_grid(of.kernel, geometry);
    [
        geometry.l2_count() * rows * of.row_tiles * of.kernel.tile(),
        of.k_blocks * of.kernel.tile(),
        geometry.l1bs * columns * of.kernel.columns(),
    ]
}

/// The numbers of MABs in a block with distinct rows of A and with distinct columns of B.
fn mab_grid(kernel: Kernel, geometry: &Geometry) -> (usize, usize) {
    match kernel {
        Kernel::Resident => (geometry.mabs / 4, 4),
        Kernel::StreamedHalf | Kernel::StreamedPseudo => (1, geometry.mabs),
    }
}

/// Returns the first row and the first column of C in a MAB.
fn origin(of: &Loop, geometry: &Geometry, block: usize, mab: usize) -> (usize, usize) {
    let (rows, columns) = mab_grid(of.kernel, geometry);
    let row = block / geometry.l1bs * rows + mab / columns;
    let column = block % geometry.l1bs * columns + mab % columns;
    (
        row * of.row_tiles * of.kernel.tile(),
        column * of.kernel.columns(),
    )
}

/// Returns a block of elements as the long words of four PEs, without conversion.
pub fn plain(kernel: Kernel, element: impl Fn(usize) -> f32) -> [u64; PES] {
    let pair = |index: usize| {
        let bits = |index| u64::from(element(index).to_bits());
        bits(index) << 32 | bits(index + 1)
    };
    std::array::from_fn(|pe| match kernel {
        Kernel::StreamedPseudo => pair(2 * pe),
        _ => narrow_singles(
            [pair(4 * pe), pair(4 * pe + 2)],
            &mut UndeterminedSet::default(),
        ),
    })
}

/// As [`plain`], converted to block float.
pub fn block_float(kernel: Kernel, element: impl Fn(usize) -> f32) -> [u64; PES] {
    const NINE: HalfLength = HalfLength::new(9).expect("9 is a length");
    let conversion = match kernel {
        Kernel::StreamedPseudo => Conversion::PseudoSingle,
        _ => Conversion::Half(NINE),
    };
    convert(
        conversion,
        plain(kernel, element),
        &mut UndeterminedSet::default(),
    )
}

/// Stores A and B, both row-major, where a loop expects them. They must fit; see
/// [`Loop::most_k_blocks`].
pub fn load(of: &Loop, geometry: &Geometry, machine: &mut Machine, a: &[f32], b: &[f32]) {
    let [_, k, n] = size(of, geometry);
    assert!(of.k_blocks <= of.most_k_blocks(), "{of:?} does not fit");
    let (tile, columns) = (of.kernel.tile(), of.kernel.columns());
    for (index, block) in machine.blocks.all_mut().iter_mut().enumerate() {
        for mab in 0..geometry.mabs {
            let (row, column) = origin(of, geometry, index, mab);
            let mut put = |bank: Bank, address: usize, longs: [u64; PES]| {
                let plane = block.memory[bank as usize].plane_mut(address);
                plane[mab * PES..][..PES].copy_from_slice(&longs);
            };
            for k_block in 0..of.k_blocks {
                for column_here in 0..columns {
                    let of_b = |i: usize| b[(k_block * tile + i) * n + column + column_here];
                    let longs = block_float(of.kernel, of_b);
                    put(Bank::Lm0, k_block * columns + column_here, longs);
                }
                for row_here in 0..of.row_tiles * tile {
                    let of_a = |i: usize| a[(row + row_here) * k + k_block * tile + i];
                    let address = k_block * of.row_tiles * tile + row_here;
                    if of.kernel == Kernel::Resident {
                        put(Bank::Lm1, address, block_float(of.kernel, of_a));
                    } else if mab == 0 {
                        let longs = plain(of.kernel, of_a);
                        block.l1bm[address * PES..][..PES].copy_from_slice(&longs);
                    }
                }
            }
        }
    }
}

/// Returns C in row-major order, as single precision words.
pub fn result(of: &Loop, geometry: &Geometry, machine: &Machine) -> Vec<u32> {
    let [m, _, n] = size(of, geometry);
    let (tile, columns) = (of.kernel.tile(), of.kernel.columns());
    let per_pe = tile / PES;
    let mut c = vec![0; m * n];
    for (index, block) in machine.blocks.iter().enumerate() {
        for mab in 0..geometry.mabs {
            let (row, column) = origin(of, geometry, index, mab);
            for (row_here, column_here) in (0..of.row_tiles * tile)
                .flat_map(|row| (0..columns).map(move |column| (row, column)))
            {
                let matrix_row = match of.kernel {
                    Kernel::StreamedPseudo => PSEUDO_ROWS
                        .iter()
                        .position(|&row| row == row_here % tile)
                        .unwrap_or_default(),
                    _ => row_here % tile,
                };
                let (pe, element) = (matrix_row / per_pe, matrix_row % per_pe);
                let address =
                    (row_here / tile * columns + column_here) * (per_pe / 2) + element / 2;
                let long = block.memory[Bank::Grf0 as usize].plane(address)[mab * PES + pe];
                let single = if element % 2 == 0 { long >> 32 } else { long };
                c[(row + row_here) * n + column + column_here] = single as u32;
            }
        }
    }
    c
}
