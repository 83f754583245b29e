//! Diagnostics of groups without code.

use tessera_mncore_code::compile::{compile, Options};
use tessera_pto::builder::Builder;
use tessera_pto::kernel::{
    Axis, Binary, Broadcast, Compute, Element, Group, Reduce, TensorType, TileType, Value,
};

use crate::groups::{over_tiles, singles, TILE};
use crate::reduced::{stored, Reduced};

#[track_caller]
fn refused(group: &Group, expect: &str) {
    let error = compile(group, &Options::default()).expect_err(expect);
    assert_eq!(error.to_string(), expect);
}

#[test]
fn integers() {
    let element = Element::I32;
    let tensors = [singles(8, 8); 3].map(|tensor| TensorType { element, ..tensor });
    let tile = TileType { element, ..TILE };
    let group = over_tiles(&tensors, |builder, row, column| {
        let [a, b] = [0, 1].map(|tensor| builder.load(tensor, row, column, tile));
        builder.compute(Compute::Matmul, &[a, b], tile)
    });
    refused(
        &group,
        "a product of matrices of integers has no code for MN-Core 2, \
         whose matrix unit multiplies floats; cast them first",
    );
}

/// Returns the sum of this many tensors.
fn sum_of(count: usize) -> Group {
    over_tiles(&vec![singles(8, 8); count + 1], |builder, row, column| {
        let tiles = (0..count).map(|tensor| builder.load(tensor, row, column, TILE));
        let tiles: Vec<Value> = tiles.collect();
        let join = |all, tile: &Value| builder.binary(Binary::Add, all, *tile);
        tiles[1..].iter().fold(tiles[0], join)
    })
}

#[test]
fn many_streams() {
    crate::check(&sum_of(7), |inputs| {
        (0..64)
            .map(|at| inputs.iter().map(|values| values[at]).sum())
            .collect()
    });
}

#[test]
fn pieces_of_reductions() {
    // Tiles of a row, whatever joins them to what is carried.
    fn row(valid: u32, join: Binary) -> Group {
        let left = TileType::full(32, 1, Element::F32);
        let tensors = [singles(8, 90), singles(8, 1)];
        stored(&tensors, left, |builder, row, _| {
            let kind = TileType {
                valid: [32, valid],
                ..TILE
            };
            let max = |builder: &mut Builder, step| {
                let tile = builder.load(0, row, step, kind);
                builder.compute(Compute::Reduce(Reduce::Max, Axis::Columns), &[tile], left)
            };
            let zero = builder.constant(0);
            let first = max(builder, zero);
            let bounds = [1, 3, 1].map(|number| builder.constant(number));
            builder.for_loop(bounds, &[first], |builder, step, all| {
                let one = max(builder, step);
                vec![builder.binary(join, all[0], one)]
            })[0]
        })
    }
    refused(&row(32, Binary::Max), "6 elements of padding take part in a reduction; let only 26 elements of its last tile be valid");
    refused(
        &row(26, Binary::Max),
        "the tiles of a reduction do not cover the whole extent of its operand, one after the other",
    );
    for join in [Binary::Add, Binary::Multiply] {
        refused(&row(32, join), "what a loop carries must be a sum of products of matrices (tmatmul, then tmatmul_acc) or a reduction (trowsum, then tadd; trowmax, then tmax; …) for MN-Core 2");
    }
}

#[test]
fn reductions_along_both_axes() {
    let group = Reduced {
        reduce: Reduce::Sum,
        axes: [true; 2],
        extents: [200_000, 64],
        element: Element::F32,
    };
    refused(&group.group(), "a reduction along both axes has no code for MN-Core 2 if there are more than 131072 elements along the second one, 200000; make a group of each axis");
}

/// Returns a group with a tensor and the sums of this many of its multiples.
fn sums(count: u32) -> Group {
    let extents = [40_000, 8];
    let tensor = singles(extents[0], extents[1]);
    over_tiles(&[tensor, tensor], |builder, row, column| {
        let tile = builder.load(0, row, column, TILE);
        let mut all = tile;
        for number in 1..=count {
            let sum = Reduced::along(Reduce::Sum, Axis::Columns, extents);
            let sum = sum.joined(builder, [row, column], &|builder, [row, column], kind| {
                let tile = builder.load(0, row, column, kind);
                let factor = builder.compute(Compute::Fill(f64::from(number)), &[], kind);
                builder.binary(Binary::Multiply, tile, factor)
            });
            let compute = Compute::Binary(Binary::Add, Broadcast::Column);
            all = builder.compute(compute, &[all, sum], TILE);
        }
        all
    })
}

#[test]
fn room_for_reductions() {
    refused(
        &sums(49),
        "49 reductions at once need 392 words of GRF0, which has 384; compile with fusion=none",
    );
    refused(&sums(257), "257 reductions in one group have results of 2056 words in each PE, of which there are 2048; compile with fusion=none");
}

#[test]
fn sums_of_different_matrices() {
    let tensors = [singles(8, 8), singles(16, 8), singles(1, 1)];
    let one = TileType::full(1, 1, Element::F32);
    let group = stored(&tensors, one, |builder, row, column| {
        let sums = [0, 1].map(|tensor| {
            let extents = [tensors[tensor].rows, 8];
            let sum = Reduced {
                reduce: Reduce::Sum,
                axes: [true; 2],
                extents,
                element: Element::F32,
            };
            sum.joined(builder, [row, column], &|builder, [row, column], kind| {
                builder.load(tensor, row, column, kind)
            })
        });
        builder.binary(Binary::Add, sums[0], sums[1])
    });
    refused(&group, "reductions along 8 and along 16 elements of the second axis in one group have no code for MN-Core 2; compile with fusion=none");
}
