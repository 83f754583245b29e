//! The static hazard checker and the timed model agree on the required distance of two random
//! statements.
//!
//! A case is `first`, k `nop`s and `last`, for k from 0 to 3, where `first` is a step and `last` a
//! step or an MV instruction. Either both report a hazard, with the same number of missing steps,
//! or neither does. They share no constants; see `tessera_mncore::timed`.
//!
//! The checker cannot know mask registers and assumes that every word is written. So the comparison
//! uses mask registers of ones. With other masks, the checker may require more steps than the timed
//! model, but never fewer.
//!
//! Whole programs with the `nop`s that the checker requires give the same results as without
//! timing.
//!
//! `TESSERA_LONG_TESTS=1` runs a million pairs of steps, a hundred thousand of a step and an MV
//! instruction, and twenty thousand programs.

use tessera_isa_mncore::ast::{L1Operand, L1bm, Mv, Op};
use tessera_isa_mncore::check::hazard::{insert_nops, Hazard};
use tessera_isa_mncore::table::L2bmKind;
use tessera_isa_mncore::{hazards, Program, Span, Statement, StatementKind, Step};
use tessera_mncore::block::Block;
use tessera_mncore::board::Board;
use tessera_mncore::copy_on_write::CopyOnWrite;
use tessera_mncore::geometry::Geometry;
use tessera_mncore::machine::{Machine, Model, Options};
use tessera_mncore::timed::TimingChecker;
use tessera_mncore::transfer;
use tessera_mncore::trap::{Reason, Trap};
use tessera_mncore::undetermined::UndeterminedSet;
use tessera_test_support::is_long_run;

use super::generate::Generator;

/// Statistics of the comparison.
#[derive(Debug, Default, PartialEq, Eq)]
struct Count {
    pairs: usize,
    /// Pairs and distances for which both report a hazard.
    refused: usize,
    accepted: usize,
}

/// The second statement of a pair, as both checkers see it.
trait Last {
    fn kind(&self) -> StatementKind;
    /// Returns the number of missing steps according to the timed model.
    fn missing(&self, timed: &mut TimingChecker, blocks: &CopyOnWrite<Block>) -> u64;
}

impl Last for Step {
    fn kind(&self) -> StatementKind {
        StatementKind::Step(self.clone())
    }

    fn missing(&self, timed: &mut TimingChecker, blocks: &CopyOnWrite<Block>) -> u64 {
        timed
            .check_step(9, self, blocks)
            .map_or_else(|early| early.nops(), |()| 0)
    }
}

/// An MV instruction with its memory accesses.
struct Transfer(Mv, tessera_mncore::footprint::Footprint);

impl Last for Transfer {
    fn kind(&self) -> StatementKind {
        StatementKind::Mv(self.0.clone())
    }

    fn missing(&self, timed: &mut TimingChecker, _: &CopyOnWrite<Block>) -> u64 {
        timed
            .check_mv(&self.1)
            .map_or_else(|early| early.nops(), |()| 0)
    }
}

fn nop() -> Step {
    Step {
        expressions: vec![tessera_isa_mncore::ast::Expression {
            span: Span::default(),
            op: Op::Nop,
            zero_flush: None,
        }],
    }
}

/// Returns the missing steps between two statements with this many `nop`s in between: according to
/// the checker, and to the timed model.
fn missing(
    first: &Step,
    nops: usize,
    last: &impl Last,
    blocks: &CopyOnWrite<Block>,
) -> (u64, u64, Program) {
    let statement = |kind| Statement {
        span: Span::default(),
        kind,
    };
    let mut statements = vec![statement(StatementKind::Step(first.clone()))];
    statements.extend((0..nops).map(|_| statement(StatementKind::Step(nop()))));
    statements.push(statement(last.kind()));
    let program = Program { statements };
    let found = hazards(&program);
    let checker = found.first().map_or(0, |hazard| u64::from(hazard.nops));
    let mut timed = TimingChecker::new(&Geometry::BOARD);
    let early = timed.check_step(1, first, blocks);
    early.expect("nothing is under way");
    for _ in 0..nops {
        let early = timed.check_step(2, &nop(), blocks);
        early.expect("it reads nothing");
    }
    (checker, last.missing(&mut timed, blocks), program)
}

/// Compares the two on one pair.
fn compare(first: &Step, last: &impl Last, blocks: &CopyOnWrite<Block>, count: &mut Count) {
    count.pairs += 1;
    for nops in 0..4 {
        let (checker, model, program) = missing(first, nops, last, blocks);
        assert_eq!(
            checker, model,
            "steps missing, by the checker and the timed model:\n{program}"
        );
        if model > 0 {
            count.refused += 1;
        } else {
            count.accepted += 1;
        }
    }
}

/// A block whose mask registers are all ones.
fn blocks() -> CopyOnWrite<Block> {
    let geometry = Geometry {
        mabs: 1,
        ..Geometry::BOARD
    };
    let mut block = Block::new(&geometry, geometry.block_id(0));
    block
        .masks
        .iter_mut()
        .for_each(|mask| mask.set_cycles([true; 4]));
    std::iter::once(block).collect()
}

/// Moves the L1BM addresses of a step close together, preserving their alignment.
fn crowd(step: &mut Step) {
    let near = |address: &mut u16| *address %= 128;
    for expression in &mut step.expressions {
        match &mut expression.op {
            Op::L1bm(L1bm {
                l1: L1Operand::Address(address),
                ..
            }) => near(address),
            Op::L2bm { op, l2, l1 } => {
                near(l1);
                if op.kind == L2bmKind::Multicast {
                    near(l2);
                }
            }
            _ => {}
        }
    }
}

fn pairs(short: usize, long: usize) -> usize {
    if is_long_run() {
        long
    } else {
        short
    }
}

#[test]
fn checker_and_timed_model_agree_on_steps() {
    let (blocks, wanted) = (blocks(), pairs(4_000, 1_000_000));
    let mut generator = Generator::new(17, Geometry::BOARD);
    let mut count = Count::default();
    while count.pairs < wanted {
        let (mut first, mut last) = generator.pair();
        if count.pairs % 2 == 0 {
            [&mut first, &mut last].into_iter().for_each(crowd);
        }
        compare(&first, &last, &blocks, &mut count);
    }
    println!("{count:?}");
    assert!(
        count.refused > wanted / 3 && count.accepted > wanted,
        "{count:?}"
    );
}

#[test]
fn checker_and_timed_model_agree_on_mv_instructions() {
    let (blocks, wanted) = (blocks(), pairs(400, 100_000));
    let mut generator = Generator::new(18, Geometry::BOARD);
    let mut board = Board::new(&Geometry::BOARD, true);
    let mut count = Count::default();
    while count.pairs < wanted {
        let (first, _) = generator.pair();
        let writes = first
            .expressions
            .iter()
            .any(|e| matches!(e.op, Op::L2bm { .. }));
        let Some(mv) = generator.mv().filter(|mv| writes && mv.transfer.is_some()) else {
            continue;
        };
        let touched = mv.transfer.as_ref().map(|one| {
            transfer::run(
                one,
                &mut board,
                &Geometry::BOARD,
                &mut UndeterminedSet::default(),
            )
        });
        let Some(Ok(touched)) = touched else { continue };
        compare(&first, &Transfer(mv, touched), &blocks, &mut count);
    }
    println!("{count:?}");
    assert!(
        count.refused > wanted / 50 && count.accepted > wanted,
        "{count:?}"
    );
}

#[test]
fn the_checker_asks_for_enough_whatever_the_mask_registers_hold() {
    let (mut blocks, wanted) = (blocks(), pairs(1_000, 200_000));
    let mut generator = Generator::new(19, Geometry::BOARD);
    let (mut seen, mut more, mut state) = (0, 0, 1u32);
    while seen < wanted {
        let (first, last) = generator.pair();
        if !TimingChecker::needs_blocks(&first) {
            continue;
        }
        seen += 1;
        for mask in &mut blocks[0].masks {
            for cycle in 0..4 {
                for flags in mask.cycle_mut(cycle) {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    // Mostly zero flags, so that some words are written in no PE.
                    *flags = if state >> 29 == 0 {
                        (state >> 24) as u8 & 0xf
                    } else {
                        0
                    };
                }
            }
        }
        for nops in 0..4 {
            let (checker, model, program) = missing(&first, nops, &last, &blocks);
            assert!(checker >= model, "{checker} {model}:\n{program}");
            more += usize::from(checker > model);
        }
    }
    assert!(more > wanted / 20, "{more} of {wanted}");
}

#[test]
fn programs_without_hazards_run_as_without_time() {
    let geometry = Geometry {
        groups: 1,
        l2bs: 2,
        l1bs: 2,
        mabs: 1,
    };
    let run = |program: &Program, model: Model| {
        let mut machine = Machine::new(Options {
            geometry,
            model,
            zero_dram: true,
            ..Options::default()
        });
        machine.run(program, &mut |_| ())
    };
    let (mut complete, mut early) = (0, 0);
    let wanted = pairs(150, 20_000);
    for seed in 0..wanted as u64 {
        let mut program = Generator::new(seed, geometry).program(12);
        // Every violation that the timed model finds is also found by the checker.
        if let Err(Trap {
            span,
            reason: Reason::LatencyViolation(_),
        }) = run(&program, Model::Timed)
        {
            let found = hazards(&program);
            let here = |hazard: &Hazard| program.statements[hazard.statement].span == span;
            assert!(found.iter().any(here), "line {}:\n{program}", span.line);
            early += 1;
        }
        insert_nops(&mut program);
        let [fast, timed] = [Model::Fast, Model::Timed].map(|model| run(&program, model));
        assert_eq!(fast, timed, "{program}");
        complete += usize::from(timed.is_ok());
    }
    assert!(early > wanted / 10, "{early} of {wanted}");
    assert!(complete > wanted / 3, "{complete} of {wanted}");
}
