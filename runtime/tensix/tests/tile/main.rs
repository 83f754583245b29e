//! Tests of kernels as RISC-V images: the same bits as the list programs, hazards, traps,
//! deadlocks.

#[path = "../common/mod.rs"]
mod common;
mod cores;
mod ends;
#[path = "../images/mod.rs"]
mod images;
mod kernels;
mod noc;
mod refusals;

use images::{boot, Code, CONTROL_LINES};
use tessera_isa_tensix::Arch;
use tessera_tensix::{Launch, Machine};

/// Runs images under 20 schedules, which must all agree, and returns the outcome.
fn outcome(images: &[Code; 5], order: bool) -> Result<(), String> {
    let images = images.each_ref().map(Code::words);
    let mut outcomes = (0..20).map(|seed| end_of(&images, order, seed));
    let first = outcomes.next().unwrap();
    for other in outcomes {
        assert_eq!(other, first);
    }
    first
}

/// Returns the errors of images under 100 schedules.
fn errors_of(images: &[Vec<u32>; 5], order: bool) -> Vec<String> {
    let outcomes = (0..100).map(|seed| end_of(images, order, seed));
    outcomes.filter_map(Result::err).collect()
}

/// Runs images under one schedule and returns the outcome; `order` selects weakly ordered memory.
fn end_of(images: &[Vec<u32>; 5], order: bool, seed: u64) -> Result<(), String> {
    let mut machine = Machine::new(Arch::WormholeB0);
    let launch = launch_of(images, order.then_some(seed));
    let result = machine.run_images(&launch, seed);
    result.map(|_| ()).map_err(|trap| trap.to_string())
}

fn launch_of(images: &[Vec<u32>; 5], order: Option<u64>) -> Launch<'_> {
    Launch {
        images: images.each_ref().map(Vec::as_slice),
        args: [CONTROL_LINES; 5],
        dm: &[],
        tensors: &[],
        order,
        limit: 10_000,
    }
}

fn code() -> Code {
    Code::default()
}

/// Returns images in which B boots and one core runs `code`; the others end immediately.
fn one(core: usize, code: Code) -> [Code; 5] {
    let mut images = std::array::from_fn(|k| Code::default().end(k as u32));
    images[0] = boot(&[]);
    images[core] = code;
    images
}

/// Checks that a core running `code` traps with `expect`, with memory in order and weakly ordered.
fn check_trap(core: usize, code: Code, expect: &str) {
    for order in [false, true] {
        assert_eq!(
            outcome(&one(core, code.clone()), order),
            Err(expect.to_owned())
        );
    }
}
