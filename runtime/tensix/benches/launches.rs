//! Benchmark of the start of kernels: `cargo bench -p tessera-tensix --bench launches`.
//!
//! Reports the time of a launch on 64 tiles, whose cores have images of the size of real kernels
//! and end at once. The first launch of a chip allocates what later ones use again.

#[path = "../tests/images/mod.rs"]
mod images;

use std::time::Duration;

use images::{boot, Code, CONTROL_LINES};
use tessera_isa_tensix::tile::worker;
use tessera_isa_tensix::Arch;
use tessera_riscv::{Instruction as I, Op};
use tessera_tensix::{ChipLaunch, Launch, Machine, TileLaunch};
use tessera_test_support::bench::{least_time, Figure, Goal, Suite};

const TILES: u32 = 64;
/// Words of the image of a thread's core.
const WORDS: usize = 1000;
/// Number of runs, of which the fastest is reported because other processes may be running, and
/// launches in each: the system may measure time on a core in ticks of 4 ms.
const RUNS: u32 = 5;
const LAUNCHES: u32 = 100;
/// Milliseconds in which a launch should be complete.
const GOAL: f64 = 2.0;

fn images() -> [Vec<u32>; 5] {
    let nop = I::i(Op::Addi, 0, 0, 0).encode().expect("a no-op encodes");
    std::array::from_fn(|core| {
        let mut words = match core {
            0 => boot(&[]).words(),
            core => Code::default().end(core as u32).words(),
        };
        words.resize(WORDS.max(words.len()), nop);
        words
    })
}

fn main() {
    let mut suite = Suite::new("launches", env!("CARGO_TARGET_TMPDIR"));
    let images = images();
    for arch in Arch::ALL {
        let tile = |k| TileLaunch {
            coordinate: worker(arch, k),
            launch: Launch {
                images: images.each_ref().map(Vec::as_slice),
                args: [CONTROL_LINES; 5],
                dm: &[],
                tensors: &[],
                order: None,
                limit: u64::MAX,
            },
        };
        let launch = ChipLaunch {
            tiles: (0..TILES).map(tile).collect(),
            rings: Vec::new(),
            split: false,
        };
        let run = |machine: &mut Machine| {
            let stats = machine.run_chip(&launch, None);
            assert_eq!(stats.expect("the kernel is valid").len(), TILES as usize);
        };
        let first = || (0..LAUNCHES).for_each(|_| run(&mut Machine::new(arch)));
        let mut machine = Machine::new(arch);
        let later = || (0..LAUNCHES).for_each(|_| run(&mut machine));
        let mut add = |name: &str, time: Duration| {
            let time = (time / LAUNCHES).as_secs_f64() * 1e3;
            suite.add(Figure {
                goal: Some(Goal::AtMost(GOAL)),
                ..Figure::new(format!("{name}, {arch}"), time, "ms")
            });
        };
        add("first launch on 64 tiles", least_time(RUNS, first));
        add("later launch on 64 tiles", least_time(RUNS, later));
    }
    suite.finish();
}
