//! Benchmark of instructions:
//! `cargo bench -p tessera-tensix --bench instructions [-- PART OF A NAME]`.
//!
//! For each instruction and for whole programs, reports nanoseconds and millions per second of the
//! fast model on one core, and its speed-up over the reference model in the same run.

#[path = "../tests/common/mod.rs"]
mod common;

use std::hint::black_box;
use std::time::{Duration, Instant};

use common::product::{product, Shape};
use tessera_isa_tensix::cfg::{self, ConfigField};
use tessera_isa_tensix::{Arch, Instruction, Opcode, Unit};
use tessera_tensix::arith::fast::Level;
use tessera_tensix::arith::spec::bits;
use tessera_tensix::state::banks::Src;
use tessera_tensix::state::core_state::CoreState;
use tessera_tensix::state::row32::Row32;
use tessera_tensix::{insn::matrix, insn::vector, Model};
use tessera_test_support::is_long_run;

const THREAD: usize = 1;
/// Duration for which each instruction is repeated, and number of parts, of which the fastest is
/// reported because other processes may be running. The system measures time on a core in ticks,
/// often of 4 ms, so that a part must be much longer.
const PARTS: u32 = 6;
const PART: Duration = Duration::from_millis(100);

/// Instructions to repeat.
const CASES: &[(&str, &[&str])] = &[
    (
        "MVMUL",
        &[
            "ttmvmul 0, 0, 0, 0",
            "ttmvmul 0, 0, 0, 8",
            "ttmvmul 0, 0, 0, 16",
            "ttmvmul 0, 0, 0, 24",
            "ttmvmul 0, 0, 0, 32",
            "ttmvmul 0, 0, 0, 40",
            "ttmvmul 0, 0, 0, 48",
            "ttmvmul 0, 0, 0, 56",
        ],
    ),
    (
        "GAPOOL",
        &["ttgapool 0, 1, 0, 0, 0", "ttgapool 0, 1, 0, 0, 4"],
    ),
    ("GMPOOL", &["ttgmpool 0, 1, 0, 0, 0"]),
    (
        "ELWADD",
        &["ttelwadd 0, 0, 0, 0, 0", "ttelwadd 0, 0, 0, 0, 8"],
    ),
    (
        "ELWMUL",
        &["ttelwmul 0, 0, 0, 0, 0", "ttelwmul 0, 0, 0, 0, 8"],
    ),
    ("MOVD2A", &["ttmovd2a 0, 0, 0, 2, 0"]),
    ("SETRWC", &["ttsetrwc 0, 0, 0, 0, 0, 7"]),
    ("SFPLOAD", &["sfpload 4, 0, 3, 0"]),
    ("SFPSTORE", &["sfpstore 0, 0, 3, 0"]),
    ("SFPMAD", &["sfpmad 0, 1, 2, 3, 0"]),
    ("SFPAND", &["sfpand 0, 1, 4, 0"]),
    ("SFPNOP", &["sfpnop"]),
];

/// Returns the time this thread has spent on a core, if the system reports it.
fn time_on_cpu() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = text.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

/// Measures `run`, which executes `count` items, and returns nanoseconds per item.
fn nanoseconds(count: u64, mut run: impl FnMut()) -> f64 {
    run();
    let mut best = f64::MAX;
    for _ in 0..PARTS {
        let started = Instant::now();
        let start = time_on_cpu();
        let mut rounds = 0;
        while started.elapsed() < PART {
            run();
            rounds += 1;
        }
        let elapsed = match (start, time_on_cpu()) {
            (Some(start), Some(end)) if end > start => end - start,
            _ => started.elapsed(),
        };
        best = best.min(elapsed.as_nanos() as f64 / (rounds * count) as f64);
    }
    best
}

/// Returns numbers of a linear congruential generator, near one as floats of any format.
fn numbers() -> impl FnMut() -> u32 {
    let mut state = 1_u64;
    move || {
        state = state
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(0x1405_7b7e_f767_814f);
        (state >> 32) as u32 & 0x83FF_FFFF | 0x3C00_0000
    }
}

/// Returns a core with BF16 sources and a Dst of 32 or 16 bits, with all rows written.
fn core(model: Model, wide: bool) -> CoreState {
    let mut core = CoreState::with_model(Arch::WormholeB0, model);
    let set = |core: &mut CoreState, field: ConfigField, value: u32| {
        let place = field.place_on(core.arch).expect("Wormhole has it");
        let (word, bits, mask) = (place.addr32(), place.encode(value), place.mask());
        let written = core
            .config
            .write(THREAD, word, bits, mask, &mut Default::default());
        written.expect("such a word exists");
    };
    for field in [
        cfg::ALU_FORMAT_SPEC_REG0_SrcA,
        cfg::ALU_FORMAT_SPEC_REG1_SrcB,
    ] {
        set(&mut core, field, 5);
    }
    for field in [
        cfg::ALU_ACC_CTRL_Fp32_enabled,
        cfg::ALU_ACC_CTRL_SFPU_Fp32_enabled,
        cfg::PCK_DEST_RD_CTRL_Read_32b_data,
    ] {
        set(&mut core, field, wide.into());
    }
    let mut next = numbers();
    for src in [Src::A, Src::B] {
        for row in 0..64 {
            let datums = std::array::from_fn(|_| bits::src_from_bf16((next() >> 16) as u16));
            core.regs.src_mut(src).write_row(0, row, datums);
        }
        core.banks
            .hand_to_matrix(src, THREAD, 0)
            .expect("the unpacker has the bank");
    }
    for row in 0..512 {
        let datums = std::array::from_fn(|_| bits::dst_from_fp32(next()));
        core.regs.dst.write_row32(Row32::new(row), datums);
    }
    for row in (0..1024).filter(|_| !wide) {
        let datums = std::array::from_fn(|_| bits::dst_from_bf16((next() >> 16) as u16));
        core.regs.dst.write_row16(row, datums);
    }
    for lreg in 0..5 {
        run(
            &mut core,
            &parse(&format!("sfpload {lreg}, 0, 3, {}", 2 * lreg)),
        );
    }
    core
}

fn parse(text: &str) -> Instruction {
    Instruction::parse(Arch::WormholeB0, text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn run(core: &mut CoreState, instruction: &Instruction) {
    core.access.clear();
    let done = match instruction.row().unit {
        Unit::Vector => vector::execute(instruction, THREAD, core),
        _ => matrix::execute(instruction, THREAD, core),
    };
    done.unwrap_or_else(|fault| panic!("{}: {fault}", instruction.text(Arch::WormholeB0)));
}

/// Prints the figures of the fast model and their ratio to the reference model.
fn report(name: &str, measure: impl Fn(Model) -> f64) {
    let only = std::env::args()
        .skip(1)
        .find(|argument| !argument.starts_with('-'));
    if only.is_some_and(|only| !name.contains(&only)) {
        return;
    }
    for level in Level::all().into_iter().skip(1) {
        let fast = measure(Model::Fast(level));
        let ratio = measure(Model::Reference) / fast;
        println!(
            "{name:28} {level:?}: {fast:8.1} ns {:8.2} M/s {ratio:8.2} x",
            1e3 / fast
        );
    }
}

/// Products of matrices of tiles: rows and columns of the result, columns of the first operand,
/// fidelity phases.
const PROGRAMS: &[(&str, [usize; 3], usize)] = &[
    ("a program, LoFi, by the MVMUL", [4, 4, 8], 1),
    ("a program, HiFi4, by the MVMUL", [4, 4, 8], 4),
];
/// Programs that run only if `TESSERA_LONG_TESTS` is set, because they take long.
const LONG_PROGRAMS: &[(&str, [usize; 3], usize)] =
    &[("1024 cubed, LoFi, by the MVMUL", [32, 32, 32], 1)];

/// Measures whole programs, including data movement, per MVMUL.
fn programs(programs: &[(&str, [usize; 3], usize)]) {
    let tiles = |seed: u64, count: usize| -> Vec<common::Tile> {
        let seeds = (seed..).take(count);
        seeds
            .map(|seed| common::tile(|i, j| common::noise(seed, i, j)))
            .collect()
    };
    for &(name, [rows, columns, depth], phases) in programs {
        let shape = Shape {
            rows,
            columns,
            depth,
        };
        let [a_pages, b_pages, pages] = shape.tiles();
        let (a, b) = (tiles(1, a_pages), tiles(10_000, b_pages));
        let lists = product(Arch::WormholeB0, shape, phases);
        report(name, |model| {
            let run = || {
                common::run_with(model, &lists, &[&a, &b], pages as u32, 0).expect("it is right")
            };
            let products = run().1.count(Opcode::Mvmul);
            nanoseconds(products, || {
                black_box(run());
            })
        });
    }
}

fn main() {
    for wide in [true, false] {
        println!("a Dst of {} bits", if wide { 32 } else { 16 });
        for (name, texts) in CASES {
            let instructions: Vec<Instruction> = texts.iter().map(|text| parse(text)).collect();
            report(name, |model| {
                let mut core = core(model, wide);
                nanoseconds(64 * instructions.len() as u64, || {
                    for instruction in (0..64).flat_map(|_| &instructions) {
                        run(&mut core, black_box(instruction));
                    }
                })
            });
        }
    }
    programs(PROGRAMS);
    if is_long_run() {
        programs(LONG_PROGRAMS);
    }
}
