//! Time of single instructions on one core:
//! `cargo bench -p tessera-tensix --bench instructions [-- PARTS OF NAMES]`.
//!
//! Each line is an instruction of one chip in a state for which it has all its work, executed
//! through its unit's `execute`, including what the machine does with the recorded accesses. The
//! ratio is that of ttsim's time for the same instruction (`ttsim.tsv`) to the time measured.

#[path = "instructions/cases.rs"]
mod cases;
mod common;
#[path = "instructions/packer.rs"]
mod packer;
#[path = "instructions/peer.rs"]
mod peer;
#[path = "instructions/unpacker.rs"]
mod unpacker;

use cases::{Case, Setup};
use common::{registers, unit};
use peer::Peer;
use tessera_isa_tensix::Arch;
use tessera_tensix::arith::fast::Level;
use tessera_tensix::Model;
use tessera_test_support::bench::{Figure, Goal, Suite};

/// How often all cases are measured; the least time of each counts, because the machine may be busy
/// for seconds.
const PASSES: usize = 2;
/// The address of a tile in L1.
const L1: u32 = 0x18000;

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
    unit::time(&mut core, &texts)
}

fn level_name(level: Level) -> &'static str {
    let place = Level::all().into_iter().position(|other| other == level);
    ["scalar", "AVX2", "AVX-512"][place.unwrap_or(0)]
}

/// A case on a chip with a level of SIMD.
type Measured = (Arch, Case, Level);

/// Returns the cases to measure.
fn chosen(suite: &Suite) -> Vec<Measured> {
    let mut chosen = Vec::new();
    for arch in Arch::ALL {
        for case in cases::all() {
            if suite.wants(&format!("{} {arch}", case.name)) {
                let levels = Level::all().into_iter().filter(|level| case.uses(*level));
                chosen.extend(levels.map(|level| (arch, case, level)));
            }
        }
    }
    chosen
}

fn main() {
    let mut suite = Suite::new("instructions", env!("CARGO_TARGET_TMPDIR"));
    let peer = Peer::read();
    let chosen = chosen(&suite);
    let mut least = vec![f64::MAX; chosen.len()];
    for _ in 0..PASSES {
        for (least, (arch, case, level)) in least.iter_mut().zip(&chosen) {
            *least = least.min(time(*arch, Model::Fast(*level), case));
        }
    }
    for (time, (arch, case, level)) in least.into_iter().zip(chosen) {
        let ratio = peer.ratio(arch, case.name, time);
        let name = format!("{} {arch}", case.name);
        let figure = Figure {
            name: match case.has_levels {
                true => format!("{name}, {}", level_name(level)),
                false => name,
            },
            value: time,
            unit: "ns",
            goal: ratio.and_then(|_| case.goal(level)).map(Goal::AtLeast),
            ratio: ratio.map(|ratio| (ratio, "ttsim")),
            bound: None,
        };
        suite.add(figure.or_bound_by(case.bound()));
    }
    suite.finish();
}
