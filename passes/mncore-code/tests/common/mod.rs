//! Shared code of the tests of schedules.

// Each test takes what it needs.
#![allow(dead_code)]

pub mod bodies;
pub mod by_hand;
use tessera_isa_mncore::memory::Precision;
use tessera_isa_mncore::table::l1bm::L1bmKind;
use tessera_isa_mncore::table::{AluKind, AluOp, L1bmOp, MauKind, MauOp};
use tessera_mncore::machine::Machine;
use tessera_mncore_code::program::{self, IssueOrder};
use tessera_mncore_ir::body::Body;
use tessera_mncore_ir::item::Op;
use tessera_mncore_ir::program::{Node, Program, ScheduledLoop};
use tessera_mncore_ir::schedule::Schedule;

/// Returns a program of one loop.
pub fn program(body: &Body, schedule: &Schedule) -> Program {
    Program {
        nodes: vec![Node::Loop(ScheduledLoop {
            name: "loop".into(),
            body: body.clone(),
            schedule: schedule.clone(),
        })],
    }
}

/// Returns its statements as assembly.
pub fn text(body: &Body, schedule: &Schedule, form: IssueOrder) -> String {
    match program::statements(&program(body, schedule), form) {
        Ok(statements) => statements.to_string(),
        Err(error) => panic!("{error}\n{schedule:?}\n{body:#?}"),
    }
}

/// Runs statements on a machine.
pub fn run(machine: &mut Machine, text: &str) {
    let parsed =
        tessera_isa_mncore::parse(text).unwrap_or_else(|e| panic!("{}", e[0].render("test", text)));
    if let Err(trap) = machine.run(&parsed, &mut |_| {}) {
        panic!("{trap}\n{text}");
    }
}

pub fn mau(kind: MauKind, precision: Precision) -> Op {
    let op = MauOp {
        kind,
        precision,
        half: None,
        narrow: false,
    };
    Op::Mau(op, None)
}

pub fn alu(kind: AluKind, precision: Option<Precision>) -> Op {
    let op = AluOp {
        kind,
        precision,
        unsigned: false,
        mantissa: 0,
    };
    Op::Alu(op, 0)
}

pub fn l1bm(kind: L1bmKind, wide: bool, address: tessera_mncore_ir::address::Address) -> Op {
    Op::L1bm(L1bmOp::new(kind, wide), address)
}
