//! A tile kernel with every operation.

use tessera_ops::{Domain, IndexMap, StridedCopy};
use tessera_program::PtoGroups;
use tessera_pto::builder::Builder;
use tessera_pto::kernel::{
    Axis, Binary, Broadcast, Compute, Direction, Element, Group, Pipe, Reduce, ScalarOp, Split,
    TensorType, TileType, Type, Unary,
};
use tessera_pto::rearrange::{self, Rearrangement};
use tessera_pto::target::{Placement, Ring};

const TILE: TileType = TileType::full(4, 4, Element::F32);
const INTEGERS: TileType = TileType::full(4, 4, Element::I32);
const HALF: TileType = TileType::full(2, 4, Element::F32);

/// Returns two groups with the tensors and the result of `linear_relu`.
pub fn groups() -> PtoGroups {
    let tensors: Vec<_> = [[2, 3], [5, 3], [1, 5], [2, 5]]
        .map(|[rows, columns]| TensorType {
            matrices: 1,
            rows,
            columns,
            element: Element::Bf16,
        })
        .to_vec();
    let alone = Group {
        tensors: tensors.clone(),
        kernels: vec![Builder::kernel("alone", everything)],
        locations: vec!["model.mlir:1:1".into(), "model.mlir:2:1".into()],
        ..Group::default()
    };
    let pipe = |direction, split, vector: &[usize]| Pipe {
        name: format!("{direction:?} {split:?}"),
        direction,
        slots: 2,
        split,
        cube: 0,
        vector: vector.to_vec(),
        ring: Ring::default(),
    };
    let together = Group {
        tensors,
        pipes: vec![
            pipe(Direction::CubeToVector, Split::UpDown, &[2, 1]),
            pipe(Direction::VectorToCube, Split::LeftRight, &[2, 1]),
            pipe(Direction::CubeToVector, Split::None, &[2]),
        ],
        kernels: vec![
            Builder::kernel("cube", |cube| {
                let tile = cube.compute(Compute::Fill(1.5), &[], TILE);
                cube.push(0, tile);
            }),
            lane("upper", 3),
            lane("lower", 5),
        ],
        locations: vec![],
        placement: Placement::default(),
    };
    let moves = Group {
        tensors: alone.tensors.clone(),
        kernels: vec![rearrange::kernel("moves", rearrangement())],
        locations: vec!["model.mlir:3:1".into()],
        ..Group::default()
    };
    PtoGroups {
        inputs: 3,
        groups: vec![alone, together, moves],
    }
}

/// Returns a rearrangement: the first tensor reversed and an element of the third, surrounded by a
/// fill value.
fn rearrangement() -> Rearrangement {
    let copies = vec![
        StridedCopy {
            operand: 1,
            extents: vec![2, 3],
            source_offset: 5,
            source_strides: vec![-3, -1],
            result_offset: 1,
            result_strides: vec![5, 1],
        },
        StridedCopy {
            operand: 0,
            extents: vec![],
            source_offset: 4,
            source_strides: vec![],
            result_offset: 9,
            result_strides: vec![],
        },
    ];
    Rearrangement {
        sources: vec![2, 0],
        target: 3,
        map: IndexMap {
            copies,
            fill: 0.5,
            lookup: None,
        },
    }
}

fn lane(name: &str, matrices: u32) -> tessera_pto::kernel::Kernel {
    Builder::kernel(name, |vector| {
        // The group has four tensors.
        let kept = 4 + vector.local(TensorType {
            matrices,
            rows: 2,
            columns: 8,
            element: Element::F32,
        });
        let zero = vector.constant(0);
        let popped = vector.pop(0, HALF);
        vector.store(kept, popped, zero, zero);
        vector.free(0, popped);
        vector.load(kept, zero, zero, HALF);
    })
}

fn everything(builder: &mut Builder) {
    let zero = builder.constant(0);
    let tile = builder.load(0, zero, zero, TileType::full(4, 4, Element::Bf16));
    builder.set_location(1).store(3, tile, zero, zero);
    let tile = builder.compute(Compute::Convert, &[tile], TILE);
    numbers(builder);
    tiles(builder, tile);
    let condition = builder.constant(1);
    let chosen = builder.branch(
        condition,
        &[Type::Tile(TILE)],
        |_| vec![tile],
        |builder| {
            let carried = builder.repeat_carrying(3, &[tile], |builder, _, carried| {
                builder.repeat(2, |builder, _| {
                    builder.unary(Unary::Neg, carried[0]);
                });
                carried.to_vec()
            });
            vec![carried[0]]
        },
    );
    builder.unary(Unary::Abs, chosen[0]);
}

fn numbers(builder: &mut Builder) {
    let left = builder.constant(-7);
    for op in [
        ScalarOp::Add,
        ScalarOp::Subtract,
        ScalarOp::Multiply,
        ScalarOp::Divide,
        ScalarOp::FloorDivide,
        ScalarOp::CeilDivide,
        ScalarOp::Remainder,
        ScalarOp::Min,
        ScalarOp::Max,
        ScalarOp::And,
        ScalarOp::Or,
        ScalarOp::Xor,
        ScalarOp::Equal,
        ScalarOp::Less,
        ScalarOp::Below,
        ScalarOp::UnsignedDivide,
        ScalarOp::UnsignedRemainder,
        ScalarOp::UnsignedMin,
    ] {
        builder.scalar(op, left, left);
    }
}

fn tiles(builder: &mut Builder, tile: usize) {
    let float = |domain: Domain| domain.contains(TILE.element);
    for &unary in Unary::ALL.iter().filter(|one| float(one.domain())) {
        builder.unary(unary, tile);
    }
    let broadcasts = [
        Broadcast::None,
        Broadcast::Row,
        Broadcast::Column,
        Broadcast::Scalar,
    ];
    let binaries = Binary::ALL.iter().filter(|one| float(one.domain()));
    for (&binary, broadcast) in binaries.zip(broadcasts.into_iter().cycle()) {
        builder.compute(Compute::Binary(binary, broadcast), &[tile, tile], TILE);
    }
    let integers = builder.compute(Compute::Convert, &[tile], INTEGERS);
    for &unary in Unary::ALL.iter().filter(|one| !float(one.domain())) {
        builder.unary(unary, integers);
    }
    for &binary in Binary::ALL.iter().filter(|one| !float(one.domain())) {
        builder.binary(binary, integers, integers);
    }
    for compute in [Compute::Transpose, Compute::Move] {
        builder.compute(compute, &[tile], TILE);
    }
    builder.compute(Compute::Matmul, &[tile, tile], TILE);
    builder.compute(Compute::MatmulAcc, &[tile, tile, tile], TILE);
    builder.compute(Compute::Select, &[tile, tile, tile], TILE);
    for &reduce in Reduce::ALL {
        for (axis, valid) in [(Axis::Rows, [1, 4]), (Axis::Columns, [4, 1])] {
            let left = TileType { valid, ..TILE };
            builder.compute(Compute::Reduce(reduce, axis), &[tile], left);
        }
    }
}
