//! Benchmark of the RISC-V cores on the bus of their tile: `cargo bench -p tessera-tensix --bench
//! cores`.
//!
//! Reports millions of instructions per second of T0 in loops of nine instructions, while the other
//! cores are halted or wait for it.

#[path = "../tests/images/mod.rs"]
mod images;

use images::{boot, Code, CONTROL_LINES};
use tessera_isa_tensix::Arch;
use tessera_riscv::{Instruction as I, Op};
use tessera_tensix::map::LOCAL;
use tessera_tensix::{Launch, Machine};
use tessera_test_support::bench::{least_time, Figure, Goal, Suite};

/// The core that loops.
const T0: usize = 1;
/// Registers by purpose: the number of iterations left, and an address.
const COUNT: u8 = 8;
const ADDRESS: u8 = 9;
/// An address of L1 that no image contains.
const L1: u32 = 0x2_0000;
/// Number of runs, of which the fastest is reported because other processes may be running. The
/// system measures time on a core in ticks, often of 4 ms, so that a run must be much longer.
const RUNS: u32 = 5;
const ITERATIONS: u32 = 10_000_000;

/// Seven instructions of address and data arithmetic.
fn arithmetic() -> [I; 7] {
    [
        I::i(Op::Andi, 11, COUNT, 255),
        I::i(Op::Slli, 11, 11, 2),
        I::r(Op::Add, 12, 12, 11),
        I::r(Op::Xor, 13, 12, COUNT),
        I::i(Op::Srli, 14, 13, 3),
        I::r(Op::Mul, 15, 14, 13),
        I::r(Op::Add, 16, 16, 15),
    ]
}

/// Five instructions of arithmetic, a load and a store of one of 256 words from [`ADDRESS`] on.
fn memory() -> [I; 7] {
    [
        I::i(Op::Andi, 11, COUNT, 255),
        I::i(Op::Slli, 11, 11, 2),
        I::r(Op::Add, 11, 11, ADDRESS),
        I::i(Op::Lw, 12, 11, 0),
        I::r(Op::Mul, 13, 12, COUNT),
        I::r(Op::Add, 14, 14, 13),
        I::s(Op::Sw, 11, 14, 0),
    ]
}

/// Repeats `body` [`ITERATIONS`] times with [`ADDRESS`] at `address`, whose 256 words are set
/// first.
fn looping(address: u32, body: [I; 7]) -> Code {
    Code::default()
        .li(ADDRESS, address)
        .li(COUNT, 256)
        .add(&[
            I::s(Op::Sw, ADDRESS, COUNT, 0),
            I::i(Op::Addi, ADDRESS, ADDRESS, 4),
            I::i(Op::Addi, COUNT, COUNT, -1),
            I::s(Op::Bne, COUNT, 0, -12),
        ])
        .li(ADDRESS, address)
        .li(COUNT, ITERATIONS)
        .add(&body)
        .add(&[
            I::i(Op::Addi, COUNT, COUNT, -1),
            I::s(Op::Bne, COUNT, 0, -32),
        ])
        .end(T0 as u32)
}

/// Returns millions of instructions of T0 per second.
fn mips(arch: Arch, code: &Code) -> f64 {
    let mut images = std::array::from_fn(|k| Code::default().end(k as u32).words());
    images[0] = boot(&[]).words();
    images[T0] = code.words();
    let launch = Launch {
        images: images.each_ref().map(Vec::as_slice),
        args: [CONTROL_LINES; 5],
        dm: &[],
        tensors: &[],
        order: None,
        limit: u64::MAX,
    };
    let mut machine = Machine::new(arch);
    let mut retired = 0;
    let time = least_time(RUNS, || {
        let stats = machine.run_images(&launch, None);
        retired = stats.expect("the kernel is valid").retired()[T0];
    });
    retired as f64 / time.as_secs_f64() / 1e6
}

fn main() {
    let mut suite = Suite::new("cores", env!("CARGO_TARGET_TMPDIR"));
    for arch in Arch::ALL {
        for (name, goal, code) in [
            ("registers only", 600.0, looping(LOCAL, arithmetic())),
            ("a load and a store of L1", 400.0, looping(L1, memory())),
            (
                "a load and a store of local memory",
                400.0,
                looping(LOCAL, memory()),
            ),
        ] {
            let name = format!("{name}, {arch}");
            if suite.wants(&name) {
                let figure = Figure {
                    goal: Some(Goal::AtLeast(goal)),
                    ..Figure::new(name, mips(arch, &code), "MIPS")
                };
                suite.add(figure.or_bound_by(Some("the tile around the core; see riscv")));
            }
        }
    }
    suite.finish();
}
