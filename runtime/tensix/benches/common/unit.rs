//! Instructions executed by their units, without a front end.

use std::hint::black_box;

use tessera_isa_tensix::{Instruction, Unit};
use tessera_tensix::insn::matrix::{self, MatrixUnit};
use tessera_tensix::insn::pack::{self, Packers};
use tessera_tensix::insn::unpack::{self, Unpackers};
use tessera_tensix::insn::vector::{self, VectorUnit};
use tessera_tensix::state::core_state::CoreState;
use tessera_test_support::bench::nanoseconds;

use super::{parse, THREAD};

/// Instructions per measurement of the clock.
const ROUNDS: usize = 64;

fn execute(core: &mut CoreState, instruction: &Instruction) {
    core.access.clear();
    let done = match instruction.row().unit {
        Unit::Vector => vector::execute(instruction, THREAD, VectorUnit::of(core)),
        Unit::Packer => pack::execute(instruction, THREAD, &mut Packers::of(core)),
        Unit::Unpacker => unpack::execute(instruction, THREAD, &mut Unpackers::of(core)),
        _ => matrix::execute(instruction, THREAD, || MatrixUnit::of(core)),
    };
    if let Err(fault) = done {
        panic!("{}: {fault}", instruction.text(core.arch));
    }
    core.l1.clear_recorded();
}

/// Returns the nanoseconds of one of these instructions, which are executed in turn.
pub fn time(core: &mut CoreState, texts: &[&str]) -> f64 {
    let instructions: Vec<_> = texts.iter().map(|text| parse(core.arch, text)).collect();
    nanoseconds((ROUNDS * instructions.len()) as u64, || {
        for instruction in (0..ROUNDS).flat_map(|_| &instructions) {
            execute(core, black_box(instruction));
        }
    })
}
