//! Diagnostics of groups that cannot be raised to whole-tensor arithmetic or have no code.

use tessera_mncore_code::compile::{compile, Options};
use tessera_pto::builder::Builder;
use tessera_pto::kernel::{
    Axis, Binary, Broadcast, Compute, Direction, Element, Group, Kernel, Pipe, Reduce, ScalarOp,
    Split, TensorType, TileType, Type, Unary, Value,
};
use tessera_pto::target::{Placement, Ring};

use crate::groups::{over_tiles, product, singles, TILE};

#[track_caller]
fn refused(group: &Group, expect: &str) {
    let compiled = compile(group, &Options::default());
    let error = compiled
        .map(|_| "it is compiled")
        .map_err(|error| error.to_string());
    assert_eq!(error, Err(expect.to_owned()));
}

/// Checks the error of a group with one input of 40 x 70. `value` builds the result's tile from the
/// row and column of the tile.
#[track_caller]
fn of_one(expect: &str, value: impl FnOnce(&mut Builder, Value, Value) -> Value) {
    refused(&over_tiles(&[singles(40, 70); 2], value), expect);
}

#[test]
fn indices_and_loops() {
    of_one(
        "a branch has no counterpart on MN-Core 2, whose processors all take the same way; make two kernels of it",
        |builder, row, column| {
            let load = |builder: &mut Builder| vec![builder.load(0, row, column, TILE)];
            builder.branch(row, &[Type::Tile(TILE)], load, load)[0]
        },
    );
    of_one(
        "a loop's bounds must be constants, its step 1, for MN-Core 2",
        |builder, row, column| {
            let tile = builder.load(0, row, column, TILE);
            let [zero, one] = [0, 1].map(|number| builder.constant(number));
            builder.for_loop([zero, row, one], &[tile], |_, _, tile| tile.to_vec())[0]
        },
    );
    of_one(
        "an index must be a sum of loop counters times constants for MN-Core 2",
        |builder, row, column| {
            let square = builder.scalar(ScalarOp::Multiply, row, row);
            builder.load(0, square, column, TILE)
        },
    );
    of_one(
        "tensor 0 is accessed at a place other than that of the result",
        |builder, row, _| {
            let first = builder.constant(0);
            builder.load(0, row, first, TILE)
        },
    );
    of_one(
        "tensor 1 is stored, and loaded or stored again, in one group",
        |builder, row, column| builder.load(1, row, column, TILE),
    );
}

#[test]
fn stores() {
    let stores = |all: &[(usize, i64)], tensors: &[TensorType]| {
        let kernel = Builder::kernel("test", |builder| {
            builder.repeat(all[0].1, |builder, row| {
                let zero = builder.constant(0);
                let tile = builder.load(0, row, zero, TILE);
                for &(tensor, _) in all {
                    builder.store(tensor, tile, row, zero);
                }
            });
        });
        Group {
            tensors: tensors.to_vec(),
            kernels: vec![kernel],
            locations: vec!["here".into()],
            ..Group::default()
        }
    };
    refused(
        &stores(&[(1, 1)], &[singles(40, 32); 2]),
        "tensor 1 is not stored as a whole by this operation",
    );
    refused(
        &stores(&[(1, 2), (2, 2)], &[singles(40, 32); 3]),
        "the group stores 2 tensors, and MN-Core 2 code stores one; compile with fusion=none",
    );
}

#[test]
fn what_loops_carry() {
    let carried = "what a loop carries must be a sum of products of matrices (tmatmul, then tmatmul_acc) or a reduction (trowsum, then tadd; trowmax, then tmax; …) for MN-Core 2";
    of_one(carried, |builder, row, column| {
        let tile = builder.load(0, row, column, TILE);
        builder.repeat_carrying(3, &[tile], |builder, _, tile| {
            vec![builder.unary(Unary::Neg, tile[0])]
        })[0]
    });
    let factors = [singles(40, 70), singles(70, 40), singles(40, 40)];
    let short = over_tiles(&factors, |builder, row, column| {
        product(builder, row, column, 64)
    });
    refused(
        &short,
        "the sum of products does not cover the whole extent of its factors",
    );
}

#[test]
fn reductions() {
    let tensors = [singles(40, 70), singles(40, 1)];
    let left = TileType::full(32, 1, Element::F32);
    // Where a sum is padded with zeros, it is as good.
    let reduce = Compute::Reduce(Reduce::Max, Axis::Columns);
    let check = |expect: &str, tensors: &[TensorType], valid: u32, spread: bool| {
        let group = over_tiles(tensors, |builder, row, _| {
            let zero = builder.constant(0);
            let tile = TileType {
                valid: [32, valid],
                ..TILE
            };
            let tile = builder.load(0, row, zero, tile);
            let sum = builder.compute(reduce, &[tile], left);
            match spread {
                true => builder.binary(Binary::Add, tile, sum),
                false => sum,
            }
        });
        refused(&group, expect);
    };
    check(
        "the tiles of a reduction do not cover the whole extent of its operand, one after the other",
        &tensors,
        32,
        false,
    );
    check(
        "8 elements of padding take part in a reduction; let only 24 elements of its last tile be valid",
        &[singles(40, 24), singles(40, 1)],
        32,
        false,
    );
    check(
        "a reduction leaves one row or column, which must be stored as such or broadcast \
         (trowexpand…, tcolexpand…)",
        &[singles(40, 24), singles(40, 24)],
        24,
        true,
    );
}

/// Returns a cube kernel that pushes a product, and a vector kernel that pops `pops` tiles at once.
fn piped(split: Split, pops: i64) -> Group {
    let place = |builder: &mut Builder| [0, 0].map(|number| builder.constant(number));
    let cube: Kernel = Builder::kernel("cube", |builder| {
        builder.repeat(2, |builder, row| {
            let [_, zero] = place(builder);
            let a = builder.load(0, row, zero, TILE);
            let b = builder.load(1, zero, zero, TILE);
            let product = builder.compute(Compute::Matmul, &[a, b], TILE);
            builder.push(0, product);
        });
    });
    let vector = Builder::kernel("vector", |builder| {
        builder.repeat(pops, |builder, row| {
            let [_, zero] = place(builder);
            let tile = builder.pop(0, TILE);
            builder.store(2, tile, row, zero);
            builder.free(0, tile);
        });
    });
    Group {
        tensors: vec![singles(64, 32), singles(32, 32), singles(64, 32)],
        kernels: vec![cube, vector],
        locations: vec!["here".into()],
        pipes: vec![Pipe {
            name: "c2v".into(),
            direction: Direction::CubeToVector,
            slots: 2,
            split,
            cube: 0,
            vector: vec![1],
            ring: Ring::default(),
        }],
        placement: Placement::default(),
    }
}

#[test]
fn pipes() {
    compile(&piped(Split::None, 2), &Options::default()).expect("it has code");
    refused(
        &piped(Split::UpDown, 2),
        "tiles are split between two vector kernels; MN-Core 2 distributes tensors over its \
         processors itself: expand with split=none",
    );
    refused(
        &piped(Split::None, 3),
        "pipe c2v: its tiles are popped in other loops than they are pushed in",
    );
}

#[test]
fn products_that_have_no_code() {
    let square = [singles(32, 32); 4];
    let matmul = |builder: &mut Builder, one: Value, other: Value| {
        builder.compute(Compute::Matmul, &[one, other], TILE)
    };
    let of_tiles = |value: &dyn Fn(&mut Builder, [Value; 3]) -> Value| {
        over_tiles(&square, |builder, row, column| {
            let tiles = [0, 1, 2].map(|tensor| builder.load(tensor, row, column, TILE));
            value(builder, tiles)
        })
    };
    let two = of_tiles(&|builder, [a, b, c]| {
        let [one, other] = [matmul(builder, a, b), matmul(builder, a, c)];
        builder.binary(Binary::Add, one, other)
    });
    refused(
        &two,
        "a second product in one group has no code for MN-Core 2; compile with fusion=epilogue",
    );
    let both = of_tiles(&|builder, [a, b, c]| {
        let [one, other] = [a, b].map(|tile| builder.binary(Binary::Add, tile, c));
        matmul(builder, one, other)
    });
    refused(
        &both,
        "work on both factors of a product has no code for MN-Core 2; compile with fusion=epilogue",
    );
    let beside = of_tiles(&|builder, [a, b, c]| {
        let column = TileType::full(32, 1, Element::F32);
        let sum = builder.compute(Compute::Reduce(Reduce::Sum, Axis::Columns), &[c], column);
        let product = matmul(builder, a, b);
        let spread = Compute::Binary(Binary::Add, Broadcast::Column);
        builder.compute(spread, &[product, sum], TILE)
    });
    refused(
        &beside,
        "a reduction beside a product in one group has no code for MN-Core 2; compile with fusion=none",
    );
    let axes = of_tiles(&|builder, [a, b, _]| {
        let column = TileType::full(32, 1, Element::F32);
        let row = TileType::full(1, 32, Element::F32);
        let sum = builder.compute(Compute::Reduce(Reduce::Sum, Axis::Columns), &[a], column);
        let spread = Compute::Binary(Binary::Add, Broadcast::Column);
        let first = builder.compute(spread, &[b, sum], TILE);
        let sum = builder.compute(Compute::Reduce(Reduce::Sum, Axis::Rows), &[a], row);
        let spread = Compute::Binary(Binary::Add, Broadcast::Row);
        builder.compute(spread, &[first, sum], TILE)
    });
    refused(
        &axes,
        "reductions of rows and of columns side by side in one group have no code for MN-Core 2; compile with fusion=none",
    );
}

#[test]
fn too_much_at_once() {
    let streams = over_tiles(&[singles(64, 64); 9], |builder, row, column| {
        let tiles = [0, 1, 2, 3, 4, 5, 6, 7];
        let tiles = tiles.map(|tensor| builder.load(tensor, row, column, TILE));
        let [first, rest @ ..] = tiles;
        rest.into_iter()
            .fold(first, |sum, tile| builder.binary(Binary::Add, sum, tile))
    });
    refused(
        &streams,
        "more than 7 tensors stream through one group; compile with fusion=none",
    );
    let rows = 80;
    let [wide, row] = [singles(64, 4096), singles(1, 4096)];
    let tensors = [&[wide][..], &vec![row; rows], &[wide]].concat();
    let residents = over_tiles(&tensors, |builder, r, column| {
        let zero = builder.constant(0);
        let first = builder.load(0, r, column, TILE);
        (1..=rows).fold(first, |sum, tensor| {
            let row = builder.load(tensor, zero, column, TILE);
            let spread = Compute::Binary(Binary::Add, Broadcast::Row);
            builder.compute(spread, &[sum, row], TILE)
        })
    });
    refused(
        &residents,
        "more operands that are the same for all rows than LM1 holds; compile with fusion=none",
    );
    let huge = over_tiles(&[singles(1 << 20, 1 << 15); 2], |builder, row, column| {
        builder.load(0, row, column, TILE)
    });
    refused(
        &huge,
        "tensor 0 (1x1048576x32768xf32) cannot be laid out in DRAM: (w:2*1,a:4*1,a:1024*16384,a:2*16777216,g:4*1) by (a:2*4,a:8*64,a:8*8,a:4*512,a:8*2048) needs 4294967296 long words of DRAM from 0 on; it has 536870912: split the tensor or take a larger memory; split the model into smaller kernels",
    );
}
