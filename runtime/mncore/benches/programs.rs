//! Benchmark of whole programs on the full board: `cargo bench -p tessera-mncore --bench programs
//! [-- PARTS OF NAMES]`.
//!
//! It reports steps per second of CPU time on one core, with the ratio to the reference model, and
//! steps per second of wall time on all cores. The three matrix products of `tests/loops` issue a
//! matrix operation in every step; the other programs are passes over memories.

#[path = "../tests/loops/mod.rs"]
mod loops;

use std::num::NonZero;
use std::time::{Duration, Instant};

use loops::source::{Kernel, Loop};
use tessera_isa_mncore::Program;
use tessera_mncore::geometry::Geometry;
use tessera_mncore::machine::{Machine, Model, Options};
use tessera_mncore::matrix_register::MATRIX_ROWS;
use tessera_test_support::bench::{time_on_cpu, Figure, Goal, Suite};

/// The duration for which each program is repeated.
const WHILE: Duration = Duration::from_millis(1500);

/// The goal of loop L2: steps per second on two cores.
const L2_GOAL: f64 = 30_000.0;

/// Passes over memories: name, and two steps that do not conflict.
const PASSES: [(&str, &str); 10] = [
    (
        "hmfma",
        "hmfma $lx $lm0v $llr0v $llr0v\nhmfma $ly $lm8v $llr16v $llr16v\n",
    ),
    (
        "gmfma",
        "gmfma $lx $lm0v $lr0v $lr0v\ngmfma $ly $lm8v $lr8v $lr8v\n",
    ),
    (
        "fmfma",
        "fmfma $lx $lm0v $lr0v $lr0v\nfmfma $ly $lm8v $lr8v $lr8v\n",
    ),
    (
        "dmfmau",
        "dmfmau $lx $lm0v $lr0v $lr0v\ndmfmau $ly $lm8v $lr8v $lr8v\n",
    ),
    ("iadd", "iadd $lm0v $ls0v $lr0v\niadd $lm8v $ls8v $lr8v\n"),
    (
        "frelu",
        "frelu $lm0v $ls0v $lr0v\nfrelu $lm8v $ls8v $lr8v\n",
    ),
    ("hbfn", "hbfn/9 $llm0v $llr0v\nhbfn/9 $llm16v $llr16v\n"),
    (
        "fvfma",
        "fvfma $lm0v $ls0v $lr0v $lr0v\nfvfma $lm8v $ls8v $lr8v $lr8v\n",
    ),
    (
        "hvfma",
        "hvfma $lm0v $ls0v $llr0v $llr0v\nhvfma $lm8v $ls8v $llr16v $llr16v\n",
    ),
    (
        "l1bmrffadd",
        "l1bmrffadd $lm0v $lb0\nl1bmrffadd $lm8v $lb16\n",
    ),
];

/// Returns the steps per second of a program that is repeated on a machine.
fn rate(machine: &mut Machine, program: &Program, now: impl Fn() -> Duration) -> f64 {
    let mut run = || {
        machine
            .run(program, &mut |_| ())
            .expect("it has no hazards")
    };
    run();
    let start = now();
    let mut rounds = 0;
    while now() - start < WHILE {
        run();
        rounds += 1;
    }
    (rounds * program.statements.len()) as f64 / (now() - start).as_secs_f64()
}

/// Measures the speed of a program on memories initialised by `load`: on one core, on all cores,
/// and relative to the reference model, which runs on one core.
fn report(suite: &mut Suite, name: &str, source: &str, load: impl Fn(&mut Machine)) {
    if !suite.wants(name) {
        return;
    }
    let program = tessera_isa_mncore::parse(source)
        .unwrap_or_else(|found| panic!("{}", found[0].render(name, source)));
    let machine = |model, threads| {
        let mut machine = Machine::new(Options {
            model,
            threads,
            ..Options::default()
        });
        load(&mut machine);
        machine
    };
    let start = Instant::now();
    let one = rate(
        &mut machine(Model::Fast, NonZero::new(1)),
        &program,
        time_on_cpu,
    );
    let all = rate(&mut machine(Model::Fast, None), &program, || {
        start.elapsed()
    });
    let beginning = Program {
        statements: program.statements[..8].to_vec(),
    };
    let reference = rate(
        &mut machine(Model::Reference, None),
        &beginning,
        time_on_cpu,
    );
    let figure = |place: &str, value, ratio, goal| Figure {
        ratio,
        goal,
        ..Figure::new(format!("{name}, {place}"), value, "steps/s")
    };
    let ratio = (one / reference, "reference model");
    suite.add(figure("one core", one, Some(ratio), None));
    let goal = name.starts_with("L2").then_some(Goal::AtLeast(L2_GOAL));
    suite.add(figure("all cores", all, None, goal));
}

/// Numbers near one from a linear congruential generator, of few bits.
fn numbers() -> impl FnMut() -> f32 {
    let mut state = 1u64;
    move || {
        state = state
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(0x1405_7b7e_f767_814f);
        (state >> 40) as i32 as f32 / (1 << 23) as f32 - 1.0
    }
}

fn matrix_products(suite: &mut Suite) {
    for (name, kernel) in [
        ("L1 resident, half", Kernel::Resident),
        ("L2 streamed, half", Kernel::StreamedHalf),
        ("L3 streamed, pseudo", Kernel::StreamedPseudo),
    ] {
        let most = Loop {
            kernel,
            row_tiles: kernel.most_row_tiles(),
            k_blocks: 1,
        };
        let fits = Loop {
            k_blocks: most.most_k_blocks(),
            ..most
        };
        // Addresses wrap, so that the text is long enough for threads to pay off.
        let long = Loop {
            k_blocks: 1024usize.div_ceil(most.row_tiles * kernel.steps()),
            ..most
        };
        let [m, k, n] = loops::size(&fits, &Geometry::BOARD);
        let mut numbers = numbers();
        let [a, b] = [m * k, k * n].map(|count| (0..count).map(|_| numbers()).collect::<Vec<_>>());
        report(suite, name, &long.pipelined(), |machine| {
            loops::load(&fits, &Geometry::BOARD, machine, &a, &b);
        });
    }
}

fn main() {
    // `cargo test --benches` only builds.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let mut suite = Suite::new("mncore-programs", env!("CARGO_TARGET_TMPDIR"));
    matrix_products(&mut suite);
    for (name, body) in PASSES {
        report(&mut suite, name, &body.repeat(512), |machine| {
            // Near one half, as halves, and equal exponents in every precision: matrices and
            // vectors are block floats.
            let mut numbers = numbers();
            let mut long = || (0..2).fold(0, |long, _| long << 32 | u64::from(numbers().to_bits()));
            let mut near_half = || long() & 0x800f_81ff_807f_81ff | 0x3c00_3c00_3c00_3c00;
            for planes in machine
                .blocks
                .all_mut()
                .iter_mut()
                .flat_map(|block| &mut block.memory)
            {
                (0..planes.count()).for_each(|at| planes.plane_mut(at).fill_with(&mut near_half));
            }
            for register in machine
                .blocks
                .all_mut()
                .iter_mut()
                .flat_map(|block| &mut block.matrix)
            {
                (0..MATRIX_ROWS).for_each(|row| register.row_mut(row).fill_with(&mut near_half));
            }
        });
    }
    suite.finish();
}
