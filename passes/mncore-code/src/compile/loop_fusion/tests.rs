//! Loops over vectors of LM0 and LM1.

use tessera_isa_mncore::memory::{Bank, Precision, Width};
use tessera_isa_mncore::table::{AluKind, AluOp, MauKind, MauOp};

use super::*;

/// Returns a loop that reads vectors from one place on and writes them from another on.
fn copying(op: Op, count: u32, [from, to]: [(Bank, u32); 2]) -> Stage {
    let mut body = Body::new(&[2], &[count]);
    let place = |(bank, first): (Bank, u32)| {
        Place::consecutive(bank, Width::Long, Address::affine(first, &[0, 8]))
    };
    let operands = match op {
        Op::Mau(..) => vec![place(from).into(); 2],
        _ => vec![place(from).into()],
    };
    let value = body.value(Width::Long, tessera_mncore_ir::body::Home::Any);
    body.push(op, operands, vec![value.into()]);
    let copy = AluOp::new(AluKind::Passa, Some(Precision::Long));
    body.push(Op::Alu(copy, 0), vec![value.into()], vec![place(to).into()]);
    Stage::Loop("copy", body)
}

fn mau() -> Op {
    let op = MauOp {
        kind: MauKind::Vadd,
        precision: Precision::Single,
        half: None,
        narrow: false,
    };
    Op::Mau(op, None)
}

/// A loop with more work for the MAU, over vectors in LM0.
fn adding(count: u32) -> Stage {
    let stage = copying(mau(), count, [(Bank::Lm0, 0), (Bank::Lm0, 1024)]);
    let Stage::Loop(name, mut body) = stage else {
        unreachable!()
    };
    let item = body.items[0].clone();
    for _ in 0..3 {
        let value = body.value(Width::Long, tessera_mncore_ir::body::Home::Any);
        let mut item = item.clone();
        item.outputs = vec![value.into()];
        body.items.push(item);
    }
    Stage::Loop(name, body)
}

fn converting(count: u32, places: [(Bank, u32); 2]) -> Stage {
    let op = AluOp::new(AluKind::Passa, Some(Precision::Long));
    copying(Op::Alu(op, 0), count, places)
}

fn bodies(stages: &[Stage]) -> Vec<&Body> {
    let mut bodies = Vec::new();
    crate::compile::kernel::collect_loops(stages, &mut bodies);
    bodies
}

#[test]
fn independent_loops_of_different_units_are_fused() {
    let later = converting(16, [(Bank::Lm1, 0), (Bank::Lm1, 1024)]);
    let fused = fuse_loops(vec![adding(16), later]);
    let fused = bodies(&fused);
    assert_eq!(fused.len(), 1);
    assert_eq!(fused[0].items.len(), 7);
    assert_eq!(fused[0].values.len(), 5);
    fused[0].check().unwrap();
}

#[test]
fn the_later_loop_is_unrolled() {
    let later = converting(32, [(Bank::Lm1, 0), (Bank::Lm1, 1024)]);
    let fused = fuse_loops(vec![adding(16), later]);
    let fused = bodies(&fused);
    assert_eq!(fused.len(), 1);
    fused[0].check().unwrap();
    let mut items = fused[0].items.clone();
    let stores = items[5..].iter_mut().step_by(2);
    let addresses: Vec<u32> = stores
        .flat_map(|item| {
            places(item)
                .map(|place| place.address.eval(&[0, 3]))
                .collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(addresses, [48, 56]);
}

#[test]
fn dependent_loops_stay_apart() {
    for places in [
        [(Bank::Lm0, 1024), (Bank::Lm1, 0)],
        [(Bank::Lm1, 0), (Bank::Lm0, 64)],
        [(Bank::Lm1, 0), (Bank::Lm0, 1088)],
    ] {
        let stages = fuse_loops(vec![adding(16), converting(16, places)]);
        assert_eq!(stages.len(), 2, "{places:?}");
    }
}

#[test]
fn a_loop_does_not_pass_its_producer() {
    let producer = converting(1, [(Bank::Lm1, 2048), (Bank::Lm1, 0)]);
    let later = converting(16, [(Bank::Lm1, 0), (Bank::Lm1, 1024)]);
    assert_eq!(fuse_loops(vec![adding(16), producer, later]).len(), 3);
}

#[test]
fn loops_of_one_unit_stay_apart() {
    let [one, other] =
        [0, 1024].map(|first| converting(16, [(Bank::Lm0, first), (Bank::Lm1, first)]));
    assert_eq!(fuse_loops(vec![one, other]).len(), 2);
}
