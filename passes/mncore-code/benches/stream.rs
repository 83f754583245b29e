//! Speed of scheduling, packing and printing matrix loops: `cargo bench -p tessera-mncore-code
//! --bench stream`.
//!
//! Each has the 262,144 steps of a product of 4096×4096×4096 in pseudo-single precision.

#[path = "../tests/common/products.rs"]
mod products;
#[path = "../../../runtime/mncore/tests/loops/source.rs"]
mod source;

use std::time::Instant;

use source::{Kernel, Loop};
use tessera_isa_mncore::word::Mode;
use tessera_mncore_code::program::{self, IssueOrder};
use tessera_mncore_code::sched::{schedule, Options};
use tessera_mncore_ir::program::{Node, Program, ScheduledLoop};

const STEPS: usize = 262_144;

fn main() {
    // `cargo test --benches` only builds.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    for kernel in [
        Kernel::Resident,
        Kernel::StreamedHalf,
        Kernel::StreamedPseudo,
    ] {
        let row_tiles = kernel.most_row_tiles();
        let of = Loop {
            kernel,
            row_tiles,
            k_blocks: STEPS / kernel.steps() / row_tiles,
        };
        let body = products::body(&of);
        let start = Instant::now();
        let (schedule, report) = schedule(&body, &Options::default()).expect("it has a schedule");
        println!(
            "{kernel:?}: II {} (bound {}), scheduled in {:.3} s",
            report.ii,
            report.mii,
            start.elapsed().as_secs_f64()
        );
        let steps = schedule.steps(&body) as f64;
        let part = ScheduledLoop {
            name: "product".into(),
            body,
            schedule,
        };
        let program = Program {
            nodes: vec![Node::Loop(part)],
        };
        let start = Instant::now();
        let bytes = program::pack(&program, Mode::AutoStride)
            .expect("it has words")
            .len();
        let took = start.elapsed().as_secs_f64();
        println!(
            "  packed: {bytes} bytes in {took:.3} s, {:.0} steps/s",
            steps / took
        );
        let start = Instant::now();
        let mut bytes = 0;
        let name = |line: u32| line.to_string();
        let printed = program::text(&program, IssueOrder::Scheduled, &name, &mut |line| {
            bytes += line.len()
        });
        printed.expect("it has a text");
        let took = start.elapsed().as_secs_f64();
        println!(
            "  printed: {bytes} bytes in {took:.3} s, {:.0} steps/s",
            steps / took
        );
    }
}
