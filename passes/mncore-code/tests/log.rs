//! Diagnostics of invalid schedule logs.

mod common;

use common::{alu, program};
use tessera_isa_mncore::memory::{Bank, Precision, Width};
use tessera_isa_mncore::table::l2bm::L2bmKind;
use tessera_isa_mncore::table::{AluKind, L2bmOp, MvMode};
use tessera_mncore_code::check::log::Replayed;
use tessera_mncore_code::program::{self, CheckedProgram, IssueOrder};
use tessera_mncore_code::sched::{schedule, Options};
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::{Body, Home};
use tessera_mncore_ir::item::{Move, MoveMemory, MovePlace, Op, Operand, Place, Source};
use tessera_mncore_ir::program::{Node, Program, ScheduledLoop};
use tessera_mncore_ir::schedule::Schedule;

fn place(bank: Bank, address: u32) -> Place {
    Place::consecutive(bank, Width::Long, Address::affine(address, &[8]))
}

fn copy() -> Op {
    alu(AluKind::Passa, Some(Precision::Int))
}

/// Returns a body that copies LM0 to GRF0, GRF0 to a value, and the value to LM1.
fn through_registers() -> Body {
    let mut body = Body::new(&[], &[4]);
    let value = body.value(Width::Long, Home::Bank(Bank::Grf1));
    let between = || place(Bank::Grf0, 0);
    body.push(
        copy(),
        vec![place(Bank::Lm0, 0).into()],
        vec![between().into()],
    );
    body.push(copy(), vec![between().into()], vec![value.into()]);
    for at in [0, 64] {
        let to = place(Bank::Lm1, at);
        body.push(copy(), vec![value.into()], vec![to.into()]);
    }
    body
}

/// Returns a body that copies DRAM to L2BM, optionally waits, and copies to L1BM.
fn from_dram(awaited: bool) -> Body {
    let mut body = Body::new(&[], &[]);
    let end = |memory| MovePlace {
        memory,
        address: Address::fixed(0),
        group: None,
        l2b: None,
    };
    let mv = Move {
        mode: MvMode::DramBroadcast,
        rrn: None,
        words: 64,
        tag: Address::fixed(7),
        source: end(MoveMemory::Dram),
        target: end(MoveMemory::L2bm),
    };
    body.push(Op::Mv(mv), Vec::new(), Vec::new());
    if awaited {
        body.push(Op::Wait(Address::fixed(7)), Vec::new(), Vec::new());
    }
    let down = Op::L2bm {
        op: L2bmOp::new(L2bmKind::Broadcast),
        l2: Address::fixed(0),
        l1: Address::fixed(0),
    };
    body.push(down, Vec::new(), Vec::new());
    body
}

/// Returns the statistics of a program's valid log.
#[track_caller]
fn replayed(program: &Program) -> Replayed {
    let checked = CheckedProgram::new(program, IssueOrder::Scheduled);
    checked.expect("it is right").replayed()
}

#[track_caller]
fn refused(program: &Program, expect: &str) {
    for error in [
        CheckedProgram::new(program, IssueOrder::Scheduled).map(|_| ()),
        program::statements(program, IssueOrder::Scheduled).map(|_| ()),
    ] {
        assert_eq!(error.expect_err(expect).to_string(), expect);
    }
}

#[test]
fn items_at_wrong_steps() {
    let body = through_registers();
    let (good, _) = schedule(&body, &Options::default()).expect("it has a schedule");
    let replayed = replayed(&program(&body, &good));
    // The first reader of the value has it from a forwarding register.
    assert_eq!(
        (replayed.writes, replayed.reads, replayed.moves),
        (16, 12, 0)
    );
    let check = |change: &dyn Fn(&mut Schedule), expect: &str| {
        let mut bad = good.clone();
        change(&mut bad);
        refused(&program(&body, &bad), expect);
    };
    check(
        &|bad| bad.at[0] = bad.at[1],
        "item 1 of loop in iteration 0 reads GRF0 0 in step 2 for what item 0 of loop in iteration 0 wrote, but finds what was there before the kernel; let the write be earlier, or the one that follows it later",
    );
    check(
        &|bad| bad.at[3] += bad.ii,
        "item 1 of loop in iteration 1 writes GRF1 0 in step 6, but what item 1 of loop in iteration 0 wrote is still to be read 1 times; let the ring have more slots, or this be later",
    );
}

#[test]
fn moves_without_waits() {
    let check = |awaited: bool, at: &[u32], expect: &str| {
        let body = from_dram(awaited);
        let schedule = Schedule {
            ii: 8,
            at: at.to_vec(),
            ..Schedule::default()
        };
        let program = program(&body, &schedule);
        match expect {
            "" => {
                let replayed = replayed(&program);
                assert_eq!((replayed.writes, replayed.reads, replayed.moves), (2, 2, 1));
            }
            _ => refused(&program, expect),
        }
    };
    check(true, &[0, 1, 1], "");
    let under_way = |item: usize, step: u32| {
        format!("item {item} of loop in iteration 0 touches L2BM 0 in step {step}, which the MV instruction of item 0 of loop in iteration 0 still moves; put a `wait` for its tag, 7, before it")
    };
    check(false, &[0, 1], &under_way(1, 1));
    check(true, &[0, 5, 4], &under_way(2, 4));
    check(
        true,
        &[4, 3, 2],
        "item 2 of loop in iteration 0 reads L2BM 0 in step 2 for what item 0 of loop in iteration 0 wrote, but finds what was there before the kernel; let the write be earlier, or the one that follows it later",
    );
    let mut alone = from_dram(true);
    alone.items.truncate(1);
    let schedule = Schedule {
        ii: 1,
        at: vec![0],
        ..Schedule::default()
    };
    refused(
        &program(&alone, &schedule),
        "nothing waits for the MV instruction of item 0 of loop in iteration 0; put a `wait` for its tag, 7, after it",
    );
}

/// Two loops in a loop: the first writes a word for the second, which has a value, or a constant,
/// where the word lies.
#[test]
fn registers_of_one_loop_where_another_left_something() {
    let moving =
        |bank, address| Place::consecutive(bank, Width::Long, Address::affine(address, &[0, 8]));
    let mut first = Body::new(&[2], &[4]);
    let (from, left) = (moving(Bank::Lm0, 0), moving(Bank::Grf0, 0));
    first.push(copy(), vec![from.into()], vec![left.clone().into()]);
    let mut second = Body::new(&[2], &[4]);
    let value = second.value(Width::Long, Home::Bank(Bank::Grf0));
    let from: Operand = moving(Bank::Lm0, 64).into();
    second.push(copy(), vec![from], vec![value.into()]);
    second.push(
        copy(),
        vec![value.into()],
        vec![moving(Bank::Lm1, 0).into()],
    );
    second.push(
        copy(),
        vec![left.into()],
        vec![moving(Bank::Lm1, 64).into()],
    );
    let mut third = Body::new(&[2], &[4]);
    let constant: Operand = Source::Constant(7).into();
    third.push(copy(), vec![constant], vec![moving(Bank::Lm1, 128).into()]);
    let of = |bodies: &[&Body], among: bool| {
        let options = match among {
            true => Options::for_kernel(bodies.iter().copied()),
            false => Options::default(),
        };
        let part = |body: &&Body| {
            let (mut schedule, _) = schedule(body, &options).expect("it has a schedule");
            if let (false, Some(constant)) = (among, schedule.constants.first_mut()) {
                (constant.bank, constant.address) = (Bank::Grf0, 2);
            }
            Node::Loop(ScheduledLoop {
                name: "loop".into(),
                body: (*body).clone(),
                schedule,
            })
        };
        Program {
            nodes: vec![Node::Repeat(2, bodies.iter().map(part).collect())],
        }
    };
    let bodies = [&first, &third, &second];
    assert_eq!(replayed(&of(&bodies, true)).moves, 0);
    refused(
        &of(&bodies, false),
        "item 2 of loop in iteration 0 of [0] reads GRF0 2 in step 2 for what item 0 of loop in iteration 0 of [0] wrote, but finds what the load of a constant of loop wrote; let the write be earlier, or the one that follows it later",
    );
}
