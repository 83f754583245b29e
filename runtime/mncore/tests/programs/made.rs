//! Programs that the parser rejects but that a caller can construct trap too.

use tessera_isa_mncore::ast::{DebugMemory, GetFormat, Op, Program, StatementKind};
use tessera_isa_mncore::memory::Side;
use tessera_mncore::machine::{Machine, Model, Options};

/// Returns the trap of a text after `change` changes its last statement, in both models.
#[track_caller]
fn stops(text: &str, change: impl Fn(&mut StatementKind), expect: &str) {
    let mut program: Program = tessera_isa_mncore::parse(text).expect(text);
    change(&mut program.statements.last_mut().expect(text).kind);
    for model in [Model::Fast, Model::Reference] {
        let mut machine = Machine::new(Options {
            zero_dram: true,
            model,
            ..Options::default()
        });
        let trap = machine.run(&program, &mut |_| {}).expect_err(text);
        assert_eq!(trap.to_string(), expect, "{text}: {model:?}");
    }
}

#[test]
fn debug_statements() {
    stops(
        "nop\nd getf $lx0n0c0b0m0 1",
        |kind| {
            if let StatementKind::Get(get) = kind {
                get.format = GetFormat::Plain;
            }
        },
        "line 2: a matrix register has rows of one length for each precision: write d getd, getf \
         or geth (3.4.3)",
    );
    for memory in [
        DebugMemory::Pdm(0),
        DebugMemory::Dram(0),
        DebugMemory::Matrix(Side::X, 0),
        DebugMemory::Mask(1),
    ] {
        stops(
            "d set $lm0n0c0b0m0p0 1 0000000000000001",
            |kind| {
                if let StatementKind::Set(set) = kind {
                    set.place.memory = memory;
                }
            },
            "line 1: d set cannot write PDM, DRAM, matrix registers or mask registers (3.4.4)",
        );
    }
}

#[test]
fn reductions_without_an_operation() {
    for text in [
        "mvrdfadd/n64 $lc0 $d0",
        "mvr2dfadd/n64 $lc0@1 $p0@1",
        "l2bmrdfadd $lb0 $lc0",
        "l2bmr2dfadd $lb0 $lc0",
        "l1bmrdfadd $lr0v $lb0",
    ] {
        stops(
            text,
            |kind| match kind {
                StatementKind::Mv(mv) => {
                    mv.transfer.as_mut().expect(text).rrn = None;
                }
                StatementKind::Step(step) => match &mut step.expressions[0].op {
                    Op::L2bm { op, .. } => op.rrn = None,
                    Op::L1bm(l1bm) => l1bm.op.rrn = None,
                    other => panic!("{text}: {other:?}"),
                },
                other => panic!("{text}: {other:?}"),
            },
            "line 1: a reduction needs an operation, such as dfadd (3.5.5)",
        );
    }
}
