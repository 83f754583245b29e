//! Plans of groups that were not made from MLIR.

use tessera_isa_tensix::Arch;
use tessera_pto::builder::Builder;
use tessera_pto::kernel::{Compute, Element, Group, Kernel, TensorType, TileType, Value};
use tessera_pto::target::{Numerics, Placement, Unit};

use super::super::plan::{Math, Plan, Target};
use super::super::refusal::{Message, Refusal, Subject};
use super::{assign_cores, plan_cores, CoreAssignment};

const SUM: TileType = TileType::full(32, 32, Element::F32);
const TILE: TileType = TileType::full(32, 32, Element::Bf16);

/// Returns a group of kernels that multiply the first of three tensors by the second one into the
/// third.
fn group(kernels: Vec<Kernel>) -> Group {
    let tensor = TensorType {
        matrices: 1,
        rows: 32,
        columns: 32,
        element: Element::Bf16,
    };
    Group {
        tensors: vec![tensor; 3],
        kernels,
        locations: vec!["here".into()],
        ..Group::default()
    }
}

/// Returns the product of a tile of each factor, which are this large.
fn product(builder: &mut Builder, factor: TileType) -> [Value; 2] {
    let zero = builder.constant(0);
    let [a, b] = [0, 1].map(|tensor| builder.load(tensor, zero, zero, factor));
    let product = builder.compute(Compute::Matmul, &[a, b], SUM);
    [zero, product]
}

fn one_kernel(factor: TileType) -> Kernel {
    Builder::kernel("product", |builder| {
        let [zero, product] = product(builder, factor);
        let builder = builder.set_unit(Some(Unit::Pack));
        let rounded = builder.compute(Compute::Convert, &[product], TILE);
        builder.store(2, rounded, zero, zero);
    })
}

fn planned(group: &Group) -> Result<Vec<Plan>, Refusal> {
    plan_cores(group, &assign_cores(group)?, Arch::WormholeB0)
}

#[test]
fn a_group_of_the_builder_has_a_plan() {
    let mut group = group(vec![one_kernel(TILE)]);
    group.kernels[0].numerics = Numerics {
        phases: 2,
        ..Numerics::default()
    };
    let plans = planned(&group).expect("a plan");
    let [plan] = &plans[..] else {
        panic!("{} plans", plans.len())
    };
    assert_eq!((plan.phases, plan.pipes.len()), (2, 0));
    let blocks = plan.blocks();
    let [block] = blocks[..] else {
        panic!("{} blocks", blocks.len())
    };
    let steps: Vec<Math> = block.steps().iter().map(|step| step.math).collect();
    assert_eq!(steps, [Math::Matmul]);
    let stored = block.stores.iter().map(|store| match &store.to {
        Target::Memory(tiles) => tiles.tensor.argument().expect("an argument"),
        Target::Pipe(_) => panic!("a pipe"),
    });
    assert_eq!(stored.collect::<Vec<_>>(), [2]);
}

#[test]
fn refusals_say_what_they_are_about() {
    let half = TileType::full(16, 32, Element::Bf16);
    let refusal = planned(&group(vec![one_kernel(half)])).expect_err("half a tile");
    assert_eq!(refusal.subject, Subject::Operation(0));
    assert_eq!(refusal.message, Message::Tile { result: 0 });
    let alone = Group {
        placement: Placement::Cluster,
        ..group(vec![one_kernel(TILE)])
    };
    let refusal = planned(&alone).expect_err("one kernel");
    assert_eq!(refusal.subject, Subject::Group);
    let without_unit = Builder::kernel("negation", |builder| {
        let [_, product] = product(builder, TILE);
        builder.unary(tessera_ops::Unary::Neg, product);
    });
    let refusal = planned(&group(vec![without_unit])).expect_err("no unit");
    let text = "with unit none is not lowered to Tensix; this lowering uses sfpu";
    assert_eq!(refusal, Refusal::for_op(0, text));
}

#[test]
fn kernels_run_where_they_are_placed() {
    let kernels = |count| vec![Kernel::default(); count];
    let placed = |placement, count| Group {
        placement,
        ..group(kernels(count))
    };
    let shared = |vector| vec![CoreAssignment::Shared { first: 0, vector }];
    for (placement, count, expect) in [
        (Placement::SameCore, 0, Some(vec![])),
        (Placement::SameCore, 1, Some(shared(None))),
        (Placement::SameCore, 2, Some(shared(Some(1)))),
        (Placement::SameCore, 3, None),
        (Placement::Cluster, 1, None),
        (
            Placement::Cluster,
            2,
            Some(vec![CoreAssignment::Tile(0), CoreAssignment::Tile(1)]),
        ),
    ] {
        let found = assign_cores(&placed(placement, count)).ok();
        assert_eq!(found, expect, "{placement:?} {count}");
    }
}
