//! Diagnostics of bodies without a schedule, and of invalid schedules.

mod common;

use common::{alu, mau};
use tessera_isa_mncore::fields::Field;
use tessera_isa_mncore::memory::{Bank, Precision, Width};
use tessera_isa_mncore::parse::parse_mask;
use tessera_isa_mncore::table::l2bm::L2bmKind;
use tessera_isa_mncore::table::{AluKind, Group, L2bmOp, MauKind, MvMode};
use tessera_mncore_code::check::verify;
use tessera_mncore_code::sched::{schedule, Options};
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::{first, Body, Home};
use tessera_mncore_ir::item::{
    Dest, Masking, Move, MoveMemory, MovePlace, Op, Place, Source, Target,
};
use tessera_mncore_ir::schedule::{Bound, Register, Schedule};

fn place(bank: Bank, address: u32) -> Place {
    Place::consecutive(bank, Width::Long, Address::affine(address, &[8]))
}

fn copy() -> Op {
    alu(AluKind::Passa, Some(Precision::Int))
}

/// Returns a body that copies LM0 to a value and the value to LM1, twice if `twice`.
fn copies(home: Home, twice: bool) -> Body {
    let mut body = Body::new(&[], &[4]);
    let value = body.value(Width::Long, home);
    body.push(copy(), vec![place(Bank::Lm0, 0).into()], vec![value.into()]);
    for at in 0..1 + u32::from(twice) {
        let to = place(Bank::Lm1, 64 * at);
        body.push(copy(), vec![value.into()], vec![to.into()]);
    }
    body
}

#[track_caller]
fn refused(body: &Body, options: &Options, expect: &str) {
    let error = schedule(body, options).expect_err(expect);
    assert_eq!(error.to_string(), expect);
}

#[test]
fn bodies_that_are_none() {
    let check = |change: &dyn Fn(&mut Body), expect: &str| {
        let mut body = copies(Home::Any, false);
        change(&mut body);
        refused(&body, &Options::default(), expect);
    };
    check(
        &|body| body.items.swap(0, 1),
        "item 0 reads value 0, which no item before it writes",
    );
    check(
        &|body| body.items.push(body.items[0].clone()),
        "item 2 writes value 0 again, without a mask",
    );
    check(
        &|body| body.items[1].when.push(first(1)),
        "item 1 asks for dimension 1 of a loop of 1",
    );
}

#[test]
fn bodies_without_a_schedule() {
    let mut unissued = copies(Home::Any, false);
    unissued.items[0].when.push(first(0));
    refused(
        &unissued,
        &Options::default(),
        "item 1 reads value 0 in iteration 1, in which item 0 does not write it; give both the same conditions",
    );
    let mut clash = Body::new(&[], &[4]);
    let value = clash.value(Width::Long, Home::Any);
    let inputs = [0, 64].map(|at| place(Bank::Lm0, at).into()).to_vec();
    let add = mau(MauKind::Vadd, Precision::Single);
    clash.push(add, inputs, vec![value.into()]);
    refused(
        &clash,
        &Options::default(),
        "item 0 by itself gives field `lm0_addr`, the address of LM0, shared by reads, writes and \
         immediates, two values; place its operands in different memories, or copy one of them",
    );
    let reserved = vec![(Bank::Grf0, 0..512), (Bank::Grf1, 0..508)];
    refused(
        &copies(Home::Bank(Bank::Grf0), true),
        &Options { reserved },
        "value 0 needs 8 words of GRF0, of which 0 are free at any initiation interval; split the \
         loop, or place the value in another memory",
    );
    // Both readers would issue in the step after the writer, on the ALU.
    refused(
        &copies(Home::Forward, true),
        &Options::default(),
        "3 items have no schedule up to an initiation interval of 3 steps: items tied by \
         forwarding conflict; give a value a register",
    );
}

/// There are fifteen mask registers.
#[test]
fn too_many_mask_registers() {
    let mut body = Body::new(&[], &[]);
    let copy_masked = |body: &mut Body, number: u32, mask| {
        let to = Dest {
            mask,
            ..place(Bank::Lm1, 8 * number).into()
        };
        let from = place(Bank::Lm0, 8 * number);
        body.push(copy(), vec![from.into()], vec![to]);
    };
    let flags: Vec<_> = (0..16)
        .map(|_| body.value(Width::Long, Home::Flags))
        .collect();
    for (&flags, number) in flags.iter().zip(0..) {
        copy_masked(&mut body, number, None);
        body.items[number as usize].outputs.push(flags.into());
    }
    for (&flags, number) in flags.iter().zip(0..) {
        copy_masked(&mut body, number, Some(Masking::Flags(flags)));
    }
    refused(
        &body,
        &Options::default(),
        "value 15 needs 1 words of the mask registers, of which 15 are free at any initiation \
         interval; split the loop, or place the value in another memory",
    );
}

/// A transfer from L2BM while an MV instruction writes the next block.
#[test]
fn what_is_under_way() {
    let place = |memory| MovePlace {
        memory,
        address: Address::fixed(64),
        group: None,
        l2b: Some(0),
    };
    let mut body = Body::new(&[], &[2]);
    let bring = Move {
        mode: MvMode::DramToL2bmEach,
        rrn: None,
        words: 64,
        tag: Address::fixed(1),
        source: MovePlace {
            l2b: None,
            ..place(MoveMemory::Dram)
        },
        target: place(MoveMemory::L2bm),
    };
    body.push(Op::Mv(bring), Vec::new(), Vec::new());
    let down = Op::L2bm {
        op: L2bmOp::new(L2bmKind::Distribute),
        l2: Address::fixed(0),
        l1: Address::fixed(0),
    };
    body.push(down, Vec::new(), Vec::new());
    refused(
        &body,
        &Options::default(),
        "item 1 touches L2BM 64, which the MV instruction of item 0 moves, in iteration 0; put a `wait` for its tag before it",
    );
}

#[test]
fn wrong_schedules() {
    let body = copies(Home::Bank(Bank::Grf0), true);
    let (good, _) = schedule(&body, &Options::default()).expect("it has a schedule");
    verify(&good, &body).expect("it is right");
    let check = |change: &dyn Fn(&mut Schedule), expect: &str| {
        let mut bad = good.clone();
        change(&mut bad);
        let error = verify(&bad, &body).expect_err(expect);
        assert_eq!(error.to_string(), expect);
    };
    check(
        &|bad| bad.at.truncate(1),
        "a schedule of 1 items and 1 values, of a body of 3 and 1",
    );
    check(
        &|bad| bad.places[0] = None,
        "item 2 reads value 0 in step 2 of iteration 0, where it has no register and is not forwarded",
    );
    check(
        &|bad| bad.at[2] += 9,
        "item 2 reads value 0 in step 11 of iteration 0, where its register holds something else",
    );
    check(
        &|bad| bad.reserved.push((Bank::Grf0, 0..512)),
        "GRF0 0, which the body names or which is reserved, is given to value 0",
    );
    let slots = Register::Words {
        bank: Bank::Grf0,
        first: 508,
        slots: 1,
    };
    check(
        &|bad| bad.places[0] = Some(slots),
        "GRF0 512, which the body names or which is reserved, is given to value 0",
    );
    let mut with_constant = copies(Home::Bank(Bank::Grf0), true);
    with_constant.items[0].inputs = vec![Source::Constant(7).into()];
    let (mut bad, _) = schedule(&with_constant, &Options::default()).expect("it has a schedule");
    let Some(Register::Words { first, .. }) = bad.places[0] else {
        panic!("the value has a register: {bad:?}");
    };
    (bad.constants[0].bank, bad.constants[0].address) = (Bank::Grf0, first);
    let error = verify(&bad, &with_constant).expect_err("it is overwritten");
    assert_eq!(
        error.to_string(),
        "constant 0x00000007 in GRF0 0 is overwritten in step 0"
    );
    bad.constants.clear();
    let error = verify(&bad, &with_constant).expect_err("it is nowhere");
    assert_eq!(
        error.to_string(),
        "item 0 reads value 7 in step 0 of iteration 0, where there is no such constant"
    );
    let mut in_order = Body::new(&[], &[4]);
    in_order.push(
        copy(),
        vec![place(Bank::Lm0, 0).into()],
        vec![place(Bank::Grf0, 0).into()],
    );
    in_order.push(
        copy(),
        vec![place(Bank::Grf0, 0).into()],
        vec![place(Bank::Lm1, 0).into()],
    );
    let (mut bad, _) = schedule(&in_order, &Options::default()).expect("it has a schedule");
    bad.at = vec![0, 1];
    let error = verify(&bad, &in_order).expect_err("it is too early");
    assert_eq!(
        error.to_string(),
        "item 1 issues 1 steps after item 0 of 0 iterations before, which is less than 2"
    );
}

/// A value that is partly overwritten after the next iteration has written it.
#[test]
fn a_value_written_in_part() {
    let mut body = Body::new(&[], &[4]);
    let value = body.value(Width::Long, Home::Bank(Bank::Grf0));
    body.push(copy(), vec![place(Bank::Lm0, 0).into()], vec![value.into()]);
    let part = Dest {
        target: Target::Value(value),
        mask: Some(Masking::Fixed(parse_mask("1100").expect("a mask"))),
    };
    body.push(copy(), vec![place(Bank::Lm0, 64).into()], vec![part]);
    body.push(copy(), vec![value.into()], vec![place(Bank::Lm1, 0).into()]);
    let (mut bad, _) = schedule(&body, &Options::default()).expect("it has a schedule");
    verify(&bad, &body).expect("it is right");
    for item in 1..3 {
        bad.at[item] += 2 * bad.ii;
    }
    let error = verify(&bad, &body).expect_err("it is too late");
    let step = bad.at[1];
    assert_eq!(
        error.to_string(),
        format!("item 1 reads value 0 in step {step} of iteration 0, where its register does not hold what is written in part")
    );
}

#[test]
fn bounds_are_named() {
    for (bound, name) in [
        (Bound::Nothing, "nothing"),
        (Bound::Slot(Group::Alu), "the slot alu"),
        (Bound::Moves, "MV instructions"),
        (Bound::Field(Field::AluOp), "the operation of the ALU"),
        (Bound::Block, "the critical path of the block"),
        (Bound::Recurrence, "a recurrence"),
    ] {
        assert_eq!(bound.to_string(), name);
    }
}
