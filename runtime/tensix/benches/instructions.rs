//! Time of single instructions on one core:
//! `cargo bench -p tessera-tensix --bench instructions [-- PARTS OF NAMES]`.
//!
//! Each line is an instruction of one chip in a state for which it has all its work, executed
//! through its unit's `execute`, including what the machine does with the recorded accesses. The
//! ratio is that of ttsim's time for the same instruction (`ttsim.tsv`) to the time measured.

#[path = "instructions/cases.rs"]
mod cases;
mod common;
#[path = "instructions/peer.rs"]
mod peer;

use std::hint::black_box;

use cases::{Case, Setup};
use common::{packer, parse, registers, unpacker, THREAD};
use peer::Peer;
use tessera_isa_tensix::{Arch, Instruction, Unit};
use tessera_tensix::arith::fast::Level;
use tessera_tensix::insn::matrix::{self, MatrixUnit};
use tessera_tensix::insn::pack::{self, Packers};
use tessera_tensix::insn::unpack::{self, Unpackers};
use tessera_tensix::insn::vector::{self, VectorUnit};
use tessera_tensix::state::core_state::CoreState;
use tessera_tensix::Model;
use tessera_test_support::bench::{nanoseconds, Figure, Goal, Suite};

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

/// Returns the nanoseconds of an instruction in a model.
fn time(arch: Arch, model: Model, case: &Case) -> f64 {
    let (mut core, texts) = match case.setup {
        Setup::Registers { wide, texts } => (registers::core(arch, model, wide), texts.to_vec()),
        Setup::Packing(packing) => (packer::core(arch, model, packing), vec![packer::pacr(arch)]),
        Setup::Unpacking(unpacking) => (
            unpacker::core(arch, model, unpacking),
            vec![unpacker::UNPACR],
        ),
    };
    let instructions: Vec<Instruction> = texts.iter().map(|text| parse(arch, text)).collect();
    nanoseconds((ROUNDS * instructions.len()) as u64, || {
        for instruction in (0..ROUNDS).flat_map(|_| &instructions) {
            execute(&mut core, black_box(instruction));
        }
    })
}

fn level_name(level: Level) -> &'static str {
    let place = Level::all().into_iter().position(|other| other == level);
    ["scalar", "AVX2", "AVX-512"][place.unwrap_or(0)]
}

fn main() {
    let mut suite = Suite::new("instructions", env!("CARGO_TARGET_TMPDIR"));
    let peer = Peer::read();
    for arch in Arch::ALL {
        for case in cases::all() {
            let name = format!("{} {arch}", case.name);
            if !suite.wants(&name) {
                continue;
            }
            for level in Level::all().into_iter().filter(|level| case.uses(*level)) {
                let time = time(arch, Model::Fast(level), &case);
                let ratio = peer.ratio(arch, case.name, time);
                suite.add(Figure {
                    name: match case.has_levels {
                        true => format!("{name}, {}", level_name(level)),
                        false => name.clone(),
                    },
                    value: time,
                    unit: "ns",
                    goal: ratio.and_then(|_| case.goal(level)).map(Goal::AtLeast),
                    ratio: ratio.map(|ratio| (ratio, "ttsim")),
                    bound: None,
                });
            }
        }
    }
    suite.finish();
}
