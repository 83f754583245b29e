//! Groups with numbers in their tiles: cube and vector kernels give the same bits as one mixed
//! kernel.

use tessera_pto::builder::Builder;
use tessera_pto::kernel::{
    Binary, Broadcast, Compute, Direction, Element, Group, Kernel, Pipe, Split, TensorType,
    TileType, Unary, Value,
};
use tessera_pto::machine::{Machine, LIMIT};
use tessera_pto::numerics::{round, Numbers};
use tessera_pto::ring::Protocol;
use tessera_pto::schedule::{Random, Schedule};

use super::common::{pipe, schedules};

/// Tiles of the operands, and of sums.
const BF16: TileType = TileType::full(8, 8, Element::Bf16);
const F32: TileType = TileType::full(8, 8, Element::F32);

/// relu(A·B + bias), A of 20 x 27, B of 27 x 13, bias of 1 x 13.
const ROWS: u32 = 20;
const DEPTH: u32 = 27;
const COLUMNS: u32 = 13;
const A: usize = 0;
const B: usize = 1;
const BIAS: usize = 2;
const RESULT: usize = 3;

fn tensors() -> Vec<TensorType> {
    [
        (ROWS, DEPTH),
        (DEPTH, COLUMNS),
        (1, COLUMNS),
        (ROWS, COLUMNS),
    ]
    .map(|(rows, columns)| TensorType {
        matrices: 1,
        rows,
        columns,
        element: Element::Bf16,
    })
    .to_vec()
}

/// Builds the loops over the tiles of the result.
fn tiles(builder: &mut Builder, body: impl FnOnce(&mut Builder, Value, Value)) {
    builder.repeat(ROWS.div_ceil(8).into(), |builder, row| {
        builder.repeat(COLUMNS.div_ceil(8).into(), |builder, column| {
            body(builder, row, column);
        });
    });
}

/// Builds a tile of A·B.
fn product(builder: &mut Builder, row: Value, column: Value) -> Value {
    let zero = builder.compute(Compute::Fill(0.0), &[], F32);
    let depth = DEPTH.div_ceil(8).into();
    builder.repeat_carrying(depth, &[zero], |builder, k, sum| {
        let a = builder.load(A, row, k, BF16);
        let b = builder.load(B, k, column, BF16);
        vec![builder.compute(Compute::MatmulAcc, &[sum[0], a, b], F32)]
    })[0]
}

/// Builds the bias, the relu and the rounding of a tile or of a part of it.
fn finish(builder: &mut Builder, sum: Value, bias: Value, part: TileType) -> Value {
    let add = Compute::Binary(Binary::Add, Broadcast::Row);
    let sum = builder.compute(add, &[sum, bias], part);
    let sum = builder.unary(Unary::Relu, sum);
    let rounded = TileType {
        element: Element::Bf16,
        ..part
    };
    builder.compute(Compute::Convert, &[sum], rounded)
}

fn whole() -> Group {
    Group {
        tensors: tensors(),
        kernels: vec![Builder::kernel("whole", |builder| {
            tiles(builder, |builder, row, column| {
                let sum = product(builder, row, column);
                let zero = builder.constant(0);
                let bias = builder.load(BIAS, zero, column, BF16);
                let result = finish(builder, sum, bias, F32);
                builder.store(RESULT, result, row, column);
            });
        })],
        ..Group::default()
    }
}

fn cube() -> Kernel {
    Builder::kernel("cube", |builder| {
        tiles(builder, |builder, row, column| {
            let sum = product(builder, row, column);
            builder.push(0, sum);
        });
    })
}

fn expanded(slots: u32) -> Group {
    let vector = Builder::kernel("vector", |builder| {
        tiles(builder, |builder, row, column| {
            let zero = builder.constant(0);
            let bias = builder.load(BIAS, zero, column, BF16);
            let sum = builder.pop(0, F32);
            let result = finish(builder, sum, bias, F32);
            builder.free(0, sum);
            builder.store(RESULT, result, row, column);
        });
    });
    Group {
        tensors: tensors(),
        pipes: vec![pipe(Direction::CubeToVector, slots)],
        kernels: vec![cube(), vector],
        ..Group::default()
    }
}

/// Two vector kernels compute the upper and the lower rows of each tile and send them back to the
/// cube kernel, which stores whole tiles.
fn split(slots: u32) -> Group {
    let lane = |lane: usize| {
        Builder::kernel(&format!("vector {lane}"), |builder| {
            tiles(builder, |builder, _, column| {
                let zero = builder.constant(0);
                let bias = builder.load(BIAS, zero, column, BF16);
                let sum = builder.pop(0, Split::UpDown.lane_tile(F32, lane));
                let part = Split::UpDown.lane_tile(F32, lane);
                let result = finish(builder, sum, bias, part);
                builder.push(1, result);
                builder.free(0, sum);
            });
        })
    };
    let cube = Builder::kernel("cube", |builder| {
        tiles(builder, |builder, row, column| {
            let sum = product(builder, row, column);
            builder.push(0, sum);
            let result = builder.pop(1, BF16);
            builder.store(RESULT, result, row, column);
            builder.free(1, result);
        });
    });
    let both = |direction| Pipe {
        split: Split::UpDown,
        vector: vec![1, 2],
        ..pipe(direction, slots)
    };
    Group {
        tensors: tensors(),
        pipes: vec![both(Direction::CubeToVector), both(Direction::VectorToCube)],
        kernels: vec![cube, lane(0), lane(1)],
        ..Group::default()
    }
}

fn run(group: &Group, schedule: Schedule) -> Vec<f64> {
    let mut machine = Machine::<Numbers>::new(group, Protocol::default()).expect("a valid group");
    let mut random = Random(7);
    for tensor in &mut machine.world.tensors[..RESULT] {
        for element in &mut tensor.elements {
            let number = random.below(1 << 20) as f64 / f64::from(1 << 19) - 1.0;
            *element = round(Element::Bf16, number);
        }
    }
    let outcome = machine.launch(schedule, LIMIT);
    outcome.unwrap_or_else(|trap| panic!("{trap}"));
    machine.world.tensors[RESULT].elements.clone()
}

#[test]
fn expanded_and_split_kernels_compute_what_the_whole_one_does() {
    let expect = run(&whole(), Schedule::Greedy);
    assert!(expect.iter().any(|one| *one > 0.0) && expect.contains(&0.0));
    for slots in [1, 2, 8] {
        for group in [expanded(slots), split(slots)] {
            for schedule in schedules() {
                assert!(run(&group, schedule) == expect, "{slots} {schedule:?}");
            }
        }
    }
}
