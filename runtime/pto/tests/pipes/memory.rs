//! Global memory and its errors: races, tiles out of bounds, undefined numbers.

use tessera_pto::builder::Builder;
use tessera_pto::kernel::{Compute, Element, ScalarOp, TensorType, TileType};
use tessera_pto::machine::{Machine, LIMIT};
use tessera_pto::numerics::Numbers;
use tessera_pto::ring::Protocol;
use tessera_pto::schedule::Schedule;
use tessera_pto::semantics::Tokens;

use super::common::*;

/// T-GM: data goes through global memory, a token through the pipe.
#[test]
fn global_memory_needs_a_token() {
    let group = |token: bool| {
        let mut group = pair(
            [2, 1],
            |cube| {
                let zero = cube.constant(0);
                let tile = cube.compute(Compute::Fill(1.0), &[], TILE);
                cube.set_location(1).store(0, tile, zero, zero);
                if token {
                    push(cube, DOWN);
                }
            },
            |vector| {
                let zero = vector.constant(0);
                if token {
                    pop_and_free(vector, DOWN);
                }
                vector.set_location(2).load(0, zero, zero, TILE);
            },
        );
        group.tensors = vec![TensorType {
            matrices: 1,
            rows: 4,
            columns: 4,
            element: Element::F32,
        }];
        group.locations = ["", "the store", "the load"].map(str::to_owned).to_vec();
        group
    };
    completes(&group(true));
    let run = |schedule| {
        let group = group(false);
        let mut machine = Machine::<Tokens>::new(&group, Protocol::default()).expect("valid");
        machine
            .launch(schedule, LIMIT)
            .expect_err("a race in every schedule")
            .to_string()
    };
    assert_eq!(
        run(Schedule::Greedy),
        "kernel vector at the load: a load, at the same time as a store of cube at the store: \
         nothing orders the two; push a token from one to the other"
    );
    schedules().for_each(|schedule| assert!(run(schedule).contains("nothing orders the two")));
}

/// Tiles of different shapes race where they overlap, and nowhere else.
#[test]
fn tiles_of_different_shapes_race_where_they_overlap() {
    let group = |row: i64| {
        let mut group = pair(
            [1, 1],
            |cube| {
                let zero = cube.constant(0);
                let tile = cube.compute(Compute::Fill(0.0), &[], TILE);
                cube.store(0, tile, zero, zero);
            },
            |vector| {
                let [row, zero] = [row, 0].map(|number| vector.constant(number));
                vector.load(0, row, zero, TileType::full(2, 8, Element::F32));
            },
        );
        group.tensors = vec![TensorType {
            matrices: 2,
            rows: 7,
            columns: 8,
            element: Element::F32,
        }];
        group
    };
    for row in 0..8 {
        assert_eq!(launch(&group(row)).is_err(), row < 2, "{row}");
    }
}

/// Each kernel has local tensors of its own. They do not race, and loads of what the kernel did not
/// store trap.
#[test]
fn local_tensors_belong_to_one_kernel() {
    let matrix = |rows, columns| TensorType {
        matrices: 1,
        rows,
        columns,
        element: Element::F32,
    };
    let keep = |kernel: &mut Builder, number: f64, stores: bool, result: i64| {
        let tensor = 1 + kernel.local(matrix(4, 8));
        let [zero, one, result] = [0, 1, result].map(|number| kernel.constant(number));
        if stores {
            let tile = kernel.compute(Compute::Fill(number), &[], TILE);
            kernel.store(tensor, tile, zero, one);
        }
        let tile = kernel.load(tensor, zero, one, TILE);
        kernel.store(0, tile, result, zero);
    };
    let group = |stores: bool| {
        let mut group = pair(
            [1, 1],
            |cube| keep(cube, 1.0, true, 0),
            |vector| keep(vector, 2.0, stores, 1),
        );
        group.tensors = vec![matrix(8, 4)];
        group
    };
    let both = group(true);
    for schedule in schedules() {
        let mut machine = Machine::<Numbers>::new(&both, Protocol::default()).expect("valid");
        machine.launch(schedule, LIMIT).expect("it ends");
        machine.launch(schedule, LIMIT).expect("it ends again");
        let elements = &machine.world.tensors[0].elements;
        assert!(elements[..16].iter().all(|one| *one == 1.0), "{elements:?}");
        assert!(elements[16..].iter().all(|one| *one == 2.0), "{elements:?}");
    }
    for schedule in schedules() {
        let other = group(false);
        let mut machine = Machine::<Tokens>::new(&other, Protocol::default()).expect("valid");
        let trap = machine.launch(schedule, LIMIT).expect_err("undefined");
        assert_eq!(
            trap.to_string(),
            "kernel vector at somewhere: tile [0, 1] of 4 x 4 elements of local tensor 1 has \
             undefined content: this kernel has not stored a tile of this shape there"
        );
    }
}

/// Undefined numbers and tiles out of bounds.
#[test]
fn invalid_operations_trap_with_their_location() {
    let check = |cube: fn(&mut Builder), expect: &str| {
        let mut group = pair([1, 1], cube, |_| ());
        group.tensors = vec![TensorType {
            matrices: 1,
            rows: 5,
            columns: 4,
            element: Element::F32,
        }];
        let found = launch(&group).expect_err(expect).to_string();
        assert_eq!(found, format!("kernel cube at somewhere{expect}"));
    };
    check(
        |cube| {
            let [row, column] = [2, 0].map(|number| cube.constant(number));
            cube.load(0, row, column, TILE);
        },
        ": tile [2, 0] is outside of a tensor of 2 x 1 tiles",
    );
    check(
        |cube| {
            let local = 1 + cube.local(TensorType {
                matrices: 2,
                rows: 5,
                columns: 4,
                element: Element::F32,
            });
            let tile = cube.compute(Compute::Fill(0.0), &[], TILE);
            let [row, column] = [4, 0].map(|number| cube.constant(number));
            cube.store(local, tile, row, column);
        },
        ": tile [4, 0] is outside of a tensor of 4 x 1 tiles",
    );
    check(
        |cube| {
            let one = cube.constant(1);
            cube.repeat(2, |cube, counter| {
                cube.scalar(ScalarOp::Divide, one, counter);
            });
        },
        ", iteration [0]: the result is undefined or does not fit in 64 bits",
    );
    check(
        |cube| {
            let most = cube.constant(i64::MAX);
            cube.scalar(ScalarOp::Add, most, most);
        },
        ": the result is undefined or does not fit in 64 bits",
    );
    check(
        |cube| {
            let bounds = [0, 4, 0].map(|number| cube.constant(number));
            cube.for_loop(bounds, &[], |_, _, _| vec![]);
        },
        ": a loop with step 0 does not end; steps are positive",
    );
    let endless = pair(
        [1, 1],
        |cube| {
            cube.repeat(1000, |cube, _| {
                cube.constant(0);
            });
        },
        |_| (),
    );
    let mut machine = Machine::<Tokens>::new(&endless, Protocol::default()).expect("valid");
    assert_eq!(
        machine
            .launch(Schedule::Greedy, 100)
            .expect_err("too long")
            .to_string(),
        "the launch has more than 100 operations; allow more, or look for a loop that is too long"
    );
}
