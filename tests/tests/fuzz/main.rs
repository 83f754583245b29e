//! Whole-tool fuzzing: random damage to every input of every tool, from outside.
//!
//! A *target* is a kind of input: modules, StableHLO, program files, arrays, assembly and its
//! encodings, RISC-V images, recorded traces. Each case of a target damages seeds of that kind
//! ([`seeds`], [`mutate`]), runs tools on the result with random flags ([`flags`]), and passes what
//! one tool wrote to the next. Flags, passes, translations and devices are read from the tools, so
//! that new ones are fuzzed, too.
//!
//! # Invariants
//! * A tool ends with exit code 0, 1 or 2, the latter two with an error message.
//! * It ends without a panic or a signal, and never with an internal error.
//! * It ends within 20 seconds of the processor and 4 GiB of memory ([`runner::LIMITS`]).
//! * A case depends on its number only.
//!
//! # Running
//! An ordinary run is a small sample. These variables change that:
//!
//! | variable | effect |
//! |---|---|
//! | `TESSERA_LONG_TESTS=1` | makes 100,000 runs of tools, and as many on StableHLO |
//! | `TESSERA_FUZZ_CASES=7` | runs only that case of each target; `1000..2000` runs a range |
//! | `TESSERA_FUZZ_LOG=file` | adds a line for each run: case, seconds, command, first error |
//! | `TESSERA_TOOLS=directory` | runs the tools there instead of those of the profile under test |
//!
//! A failure prints the command that repeats it. It keeps its files in `fuzz` below cargo's
//! temporary directory. A long run with the tools of the release profile:
//!
//! ```sh
//! cargo build --release --workspace --bins
//! TESSERA_TOOLS=$PWD/target/release TESSERA_LONG_TESTS=1 \
//!     cargo test -p tessera-tests --test fuzz -- --nocapture
//! ```
//!
//! With `CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS=true` these tools also panic where a number
//! overflows.
//!
//! Defects of LLVM 19's parser, bytecode reader and printer that the tools turn into an error (exit
//! code 1, "MLIR's parser failed") are counted and accepted. Crashes elsewhere are not.

mod devices;
mod figures;
mod flags;
#[path = "../end_to_end/graphs/generate.rs"]
mod graph;
mod listing;
mod mutate;
mod runner;
mod seeds;
mod targets;

use crate::runner::{fuzz, Runs};

#[test]
fn modules() {
    let runs = Runs {
        sample: 250,
        long: 50_000,
    };
    fuzz("modules", runs, targets::modules::new);
}

#[test]
fn stablehlo() {
    let runs = Runs {
        sample: 150,
        long: 100_000,
    };
    fuzz("stablehlo", runs, targets::stablehlo::new);
}

#[test]
fn program_files() {
    let runs = Runs {
        sample: 150,
        long: 18_000,
    };
    fuzz("program_files", runs, targets::program_files::new);
}

#[test]
fn arrays() {
    let runs = Runs {
        sample: 60,
        long: 6_000,
    };
    fuzz("arrays", runs, targets::arrays::new);
}

#[test]
fn mncore_assembly() {
    let runs = Runs {
        sample: 150,
        long: 15_000,
    };
    fuzz("mncore_assembly", runs, targets::mncore::new);
}

#[test]
fn tensix_assembly() {
    let runs = Runs {
        sample: 100,
        long: 6_000,
    };
    fuzz("tensix_assembly", runs, targets::tensix::new);
}

#[test]
fn images() {
    let runs = Runs {
        sample: 50,
        long: 2_500,
    };
    fuzz("images", runs, targets::images::new);
}

#[test]
fn traces() {
    let runs = Runs {
        sample: 50,
        long: 2_500,
    };
    fuzz("traces", runs, targets::traces::new);
}
