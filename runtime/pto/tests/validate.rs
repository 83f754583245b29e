//! Groups that are not well formed, and their errors.

use tessera_pto::builder::Builder;
use tessera_pto::kernel::{
    Axis, Binary, Broadcast, Compute, Direction, Element, Group, Op, OpKind, Pipe, Reduce, Region,
    ScalarOp, Split, TensorType, TileType, Type, Unary,
};
use tessera_pto::target::{Numerics, Placement, Precision, Ring, RingEnd};
use tessera_pto::validate;

const TILE: TileType = TileType::full(4, 4, Element::F32);

/// Returns a cube and a vector kernel with a tensor and a pipe.
fn group(cube: impl FnOnce(&mut Builder)) -> Group {
    Group {
        tensors: vec![TensorType {
            matrices: 1,
            rows: 6,
            columns: 6,
            element: Element::F32,
        }],
        pipes: vec![Pipe {
            name: "down".to_owned(),
            direction: Direction::CubeToVector,
            slots: 2,
            split: Split::None,
            cube: 0,
            vector: vec![1],
            ring: Ring::default(),
        }],
        kernels: vec![
            Builder::kernel("cube", cube),
            Builder::kernel("vector", |_| ()),
        ],
        locations: vec!["here".to_owned()],
        placement: Placement::default(),
    }
}

#[track_caller]
fn check(group: &Group, expect: &str) {
    let found = validate::group(group).expect_err(expect).to_string();
    assert_eq!(found, expect);
}

/// Checks the error of a group after `damage`.
#[track_caller]
fn check_with(damage: impl FnOnce(&mut Group), expect: &str) {
    let mut group = group(|_| ());
    assert_eq!(validate::group(&group), Ok(()));
    damage(&mut group);
    check(&group, expect);
}

#[test]
fn target_data() {
    let end = |kernel| RingEnd {
        kernel,
        buffer: None,
        location: 0,
    };
    for ends in [vec![end(0), end(0)], vec![end(0), end(1), end(0)]] {
        check_with(
            |group| group.pipes[0].ring.ends = ends,
            "pipe down: kernel 0 declares an end of a ring that it neither pushes to nor pops from",
        );
    }
    check_with(
        |group| group.pipes[0].ring.ends = vec![end(2)],
        "pipe down: kernel 2 declares an end of a ring that it neither pushes to nor pops from",
    );
    for phases in [0, 5] {
        check_with(
            |group| {
                group.kernels[0].numerics = Numerics {
                    phases,
                    ..Numerics::default()
                }
            },
            &format!("kernel cube: a product takes 1 to 4 phases, not {phases}"),
        );
    }
}

#[test]
fn local_tensors() {
    let matrix = |rows, columns| TensorType {
        matrices: 1,
        rows,
        columns,
        element: Element::F32,
    };
    let extent = "an extent is zero, or there are more than 268435456 elements";
    for rows in [0, 1 << 29] {
        check_with(
            |group| group.kernels[1].local = vec![matrix(1, 1), matrix(rows, 1)],
            &format!("kernel vector, local tensor 2: {extent}"),
        );
    }
    // The limit is for all kernels together.
    let set = |count| {
        move |group: &mut Group| {
            group.kernels[0].local = vec![matrix(1 << 13, 1 << 10); 1];
            group.kernels[1].local = vec![matrix(1 << 13, 1 << 10); count];
        }
    };
    check_with(
        set(2),
        "kernel vector, local tensor 2: the local tensors of a group have more than 16777216 \
         elements",
    );
    let mut most = group(|_| ());
    set(1)(&mut most);
    assert_eq!(validate::group(&most), Ok(()));
    // A kernel does not see those of another one.
    let access = |element| {
        move |cube: &mut Builder| {
            let number = 1 + cube.local(TensorType {
                element,
                ..matrix(4, 4)
            });
            let zero = cube.constant(0);
            cube.load(number, zero, zero, TILE);
            cube.load(number + 1, zero, zero, TILE);
        }
    };
    let mut other = group(access(Element::F32));
    other.kernels[1].local = vec![matrix(4, 4); 2];
    check(&other, "kernel cube at here: there is no tensor 2");
    check(
        &group(access(Element::I32)),
        "kernel cube at here: the tile has elements of f32, its tensor of i32; convert the tile",
    );
}

#[test]
fn tensors_and_pipes() {
    let extent = "an extent is zero, or there are more than 268435456 elements";
    check_with(
        |group| group.tensors[0].rows = 0,
        &format!("tensor 0: {extent}"),
    );
    check_with(
        |group| group.tensors[0].columns = 1 << 30,
        &format!("tensor 0: {extent}"),
    );
    check_with(
        |group| group.pipes[0].slots = 0,
        "pipe down: the ring has no slots",
    );
    let ends = "all different kernels of the group; or one kernel that is both";
    for damage in [
        |pipe: &mut Pipe| pipe.vector = vec![],
        |pipe: &mut Pipe| pipe.vector = vec![0, 1],
        |pipe: &mut Pipe| pipe.cube = 7,
    ] {
        let expect =
            format!("pipe down: the pipe needs one cube kernel and 1 vector kernels, {ends}");
        check_with(|group| damage(&mut group.pipes[0]), &expect);
    }
    let expect = format!("pipe down: the pipe needs one cube kernel and 2 vector kernels, {ends}");
    check_with(|group| group.pipes[0].split = Split::UpDown, &expect);
    check_with(
        |group| {
            let pipe = &mut group.pipes[0];
            (pipe.split, pipe.vector) = (Split::UpDown, vec![0, 0]);
        },
        &expect,
    );
}

#[test]
fn values() {
    check_with(
        |group| {
            group.kernels[0].values.push(Type::Tile(TileType {
                valid: [5, 4],
                ..TILE
            }))
        },
        "kernel cube: more rows or columns are valid than there are",
    );
    check_with(
        |group| {
            group.kernels[0]
                .values
                .push(Type::Tile(TileType { rows: 0, ..TILE }))
        },
        "kernel cube: an extent is zero, or there are more than 268435456 elements",
    );
    let op = |kind, operands: &[usize], results: &[usize]| Op {
        kind,
        operands: operands.to_vec(),
        results: results.to_vec(),
        location: 0,
        unit: None,
        precision: Precision::default(),
    };
    let check_ops = |ops: Vec<Op>, expect: &str| {
        check_with(
            |group| {
                group.kernels[0].values = vec![Type::Scalar, Type::Scalar, Type::Tile(TILE)];
                group.kernels[0].body.ops = ops;
            },
            &format!("kernel cube at here: {expect}"),
        );
    };
    let add = OpKind::Scalar(ScalarOp::Add);
    let constant = || op(OpKind::Constant(1), &[], &[0]);
    check_ops(
        vec![op(add.clone(), &[0, 0], &[1])],
        "value 0 is not defined here",
    );
    check_ops(
        vec![op(add.clone(), &[9, 0], &[1])],
        "value 9 is not defined here",
    );
    check_ops(vec![constant(), constant()], "value 0 is defined twice");
    check_ops(
        vec![op(OpKind::Constant(1), &[], &[9])],
        "there is no value 9",
    );
    check_ops(
        vec![constant(), op(add.clone(), &[0], &[1])],
        "operands: 1 instead of 2",
    );
    check_ops(
        vec![constant(), op(add.clone(), &[0, 0], &[2])],
        "value 2 is not a number",
    );
    check_ops(
        vec![op(OpKind::Constant(1), &[], &[2])],
        "value 2 is not a number",
    );
    check_ops(
        vec![constant(), op(OpKind::Push { pipe: 0 }, &[0], &[])],
        "value 0 is not a tile",
    );
    // Defined in a region, used after it.
    let region = Region {
        ops: vec![op(OpKind::Constant(1), &[], &[1])],
        ..Region::default()
    };
    let branch = OpKind::If(Box::new([region, Region::default()]));
    check_ops(
        vec![constant(), op(branch, &[0], &[]), op(add, &[0, 1], &[])],
        "value 1 is not defined here",
    );
}

#[test]
fn operations() {
    let check_op = |cube: fn(&mut Builder), expect: &str| {
        check(&group(cube), &format!("kernel cube at here: {expect}"));
    };
    check_op(
        |cube| {
            let zero = cube.constant(0);
            cube.load(3, zero, zero, TILE);
        },
        "there is no tensor 3",
    );
    check_op(
        |cube| {
            let zero = cube.constant(0);
            cube.load(0, zero, zero, TileType::full(4, 8, Element::Bf16));
        },
        "the tile has elements of bf16, its tensor of f32; convert the tile",
    );
    check_op(
        |cube| {
            let tile = cube.compute(Compute::Fill(0.0), &[], TILE);
            cube.push(2, tile);
        },
        "there is no pipe 2",
    );
    check_op(
        |cube| drop(cube.op(OpKind::Pop { pipe: 0 }, &[], &[Type::Tile(TILE)])),
        "this kernel does not pop from pipe down",
    );
    check_op(
        |cube| {
            let tall = cube.compute(Compute::Fill(0.0), &[], TileType::full(8, 4, Element::F32));
            cube.compute(Compute::Matmul, &[tall, tall], TILE);
        },
        "types do not fit: the shapes of the tiles are not those of the operation",
    );
    check_op(
        |cube| {
            let tile = cube.compute(Compute::Fill(0.0), &[], TILE);
            cube.compute(Compute::Reduce(Reduce::Sum, Axis::Rows), &[tile], TILE);
        },
        "types do not fit: one row or column is valid in what a reduction leaves",
    );
    check_op(
        |cube| {
            let zero = cube.constant(0);
            cube.branch(
                zero,
                &[Type::Scalar],
                |_| vec![],
                |cube| vec![cube.constant(1)],
            );
        },
        "values yielded: 0 instead of 1",
    );
    check_op(
        |cube| {
            let zero = cube.constant(0);
            let tile = |cube: &mut Builder| vec![cube.compute(Compute::Fill(0.0), &[], TILE)];
            cube.branch(zero, &[Type::Scalar], tile, |cube| vec![cube.constant(1)]);
        },
        "types do not fit: a region yields the types of the results of its operation",
    );
}

#[test]
fn functions_take_elements_of_their_domain() {
    for (compute, element, expect) in [
        (
            Compute::Unary(Unary::Exp),
            Element::I32,
            "'exp' does not support element type 'i32'; convert the tile to 'f32'",
        ),
        (
            Compute::Binary(Binary::BitwiseAnd, Broadcast::None),
            Element::Bf16,
            "'bitwise_and' does not support element type 'bf16'; convert the tile to 'i32'",
        ),
        (
            Compute::Matmul,
            Element::I32,
            "'matmul' does not support element type 'i32'; convert the tile to 'f32'",
        ),
        (
            Compute::Binary(Binary::Add, Broadcast::None),
            Element::I32,
            "types do not fit: integers and floats meet in one operation; convert the tiles to \
             elements of one kind",
        ),
    ] {
        let group = group(|cube| {
            let tile = TileType { element, ..TILE };
            let tile = cube.compute(Compute::Fill(0.0), &[], tile);
            let operands = match compute {
                Compute::Unary(_) => vec![tile],
                _ => vec![tile, tile],
            };
            cube.compute(compute, &operands, TILE);
        });
        check(&group, &format!("kernel cube at here: {expect}"));
    }
}

/// Masks and the operands of a selection may be floats or integers.
#[test]
fn masks_may_be_floats_or_integers() {
    let integers = TileType {
        element: Element::I32,
        ..TILE
    };
    let group = group(|cube| {
        let tile = cube.compute(Compute::Fill(0.0), &[], TILE);
        let less = Compute::Binary(Binary::Less, Broadcast::None);
        let truth = cube.compute(less, &[tile, tile], integers);
        let not = cube.compute(Compute::Unary(Unary::LogicalNot), &[truth], TILE);
        cube.compute(Compute::Select, &[truth, not, tile], TILE);
    });
    assert_eq!(validate::group(&group), Ok(()));
}

#[test]
fn a_tile_of_one_row_has_no_lower_half() {
    let mut group = group(|cube| {
        let row = cube.compute(Compute::Fill(0.0), &[], TileType::full(1, 4, Element::F32));
        cube.push(0, row);
    });
    group.kernels.push(Builder::kernel("second", |_| ()));
    (group.pipes[0].split, group.pipes[0].vector) = (Split::UpDown, vec![1, 2]);
    check(
        &group,
        "kernel cube at here: types do not fit: a tile of one row or column cannot be split",
    );
    group.pipes[0].split = Split::LeftRight;
    assert_eq!(validate::group(&group), Ok(()));
}

#[test]
fn loops() {
    let mut group = group(|cube| {
        let one = cube.constant(1);
        cube.repeat_carrying(2, &[one], |_, _, carried| carried.to_vec());
    });
    assert_eq!(validate::group(&group), Ok(()));
    let good = group.clone();
    let loop_of =
        |group: &mut Group, change: fn(&mut Op)| change(&mut group.kernels[0].body.ops[4]);
    loop_of(&mut group, |op| op.operands.truncate(2));
    check(&group, "kernel cube at here: operands: 2 instead of 3");
    group = good.clone();
    loop_of(&mut group, |op| op.results.clear());
    check(
        &group,
        "kernel cube at here: types do not fit: a loop is given, carries and results in the same",
    );
    group = good;
    loop_of(&mut group, |op| {
        let OpKind::For(region) = &mut op.kind else {
            panic!("it is a loop");
        };
        region.arguments.pop();
    });
    check(&group, "kernel cube at here: arguments: 1 instead of 2");
}

#[test]
fn regions_are_not_nested_without_end() {
    fn nest(builder: &mut Builder, depth: usize) {
        if depth > 0 {
            builder.repeat(1, |builder, _| nest(builder, depth - 1));
        }
    }
    assert_eq!(validate::group(&group(|cube| nest(cube, 64))), Ok(()));
    check(
        &group(|cube| nest(cube, 65)),
        "kernel cube at here: regions are nested more than 64 deep",
    );
}
