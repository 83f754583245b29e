//! The three matrix loops of `runtime/mncore/tests/loops` as bodies. The schedules have a matrix
//! operation in every step, prologues as short as in the hand-written loops, and correct products.

mod common;
#[path = "../../../runtime/mncore/tests/loops/mod.rs"]
mod kernels;

#[path = "common/products.rs"]
mod products;

use common::{run, text};
use kernels::source::{self, Kernel, Loop};
use kernels::{load, result, size};
use products::body;
use tessera_isa_mncore::table::Group;
use tessera_mncore::geometry::Geometry;
use tessera_mncore::machine::{Machine, Model, Options};
use tessera_mncore_code::check::verify;
use tessera_mncore_code::program::IssueOrder;
use tessera_mncore_code::sched::{self, schedule};

const GEOMETRY: Geometry = Geometry {
    groups: 2,
    l2bs: 1,
    l1bs: 2,
    mabs: 16,
};

#[test]
fn matrix_loops_reach_their_bounds() {
    for (kernel, row_tiles, k_blocks) in [
        (Kernel::Resident, 2, 4),
        (Kernel::StreamedHalf, 8, 3),
        (Kernel::StreamedPseudo, 4, 5),
        (Kernel::StreamedPseudo, 16, 2),
    ] {
        let of = Loop {
            kernel,
            row_tiles,
            k_blocks,
        };
        let body = body(&of);
        let (schedule, report) = schedule(&body, &sched::Options::default())
            .unwrap_or_else(|error| panic!("{of:?}: {error}"));
        let steps = 2 * kernel.steps() as u32;
        assert_eq!((report.ii, report.mii), (steps, steps), "{of:?}");
        let first_product = body.items.iter().zip(&schedule.at);
        let first_product = first_product
            .filter(|(item, _)| item.group() == Some(Group::MauCalc))
            .map(|(_, &at)| at)
            .min();
        assert_eq!(first_product, Some(kernel.prologue() as u32), "{of:?}");
        assert_eq!(schedule.steps(&body) as usize, of.steps(), "{of:?}");
        verify(&schedule, &body).unwrap_or_else(|error| panic!("{of:?}: {error}"));
        let scheduled = text(&body, &schedule, IssueOrder::Scheduled);
        let sequential = text(&body, &schedule, IssueOrder::Sequential);
        let [m, k, n] = size(&of, &GEOMETRY);
        let numbers = |count: usize| -> Vec<f32> {
            (0..count).map(|i| ((i * 7919) % 17) as f32 - 8.0).collect()
        };
        let (a, b) = (numbers(m * k), numbers(k * n));
        let product = |text: &str, model| {
            let mut machine = Machine::new(Options {
                geometry: GEOMETRY,
                model,
                ..Options::default()
            });
            load(&of, &GEOMETRY, &mut machine, &a, &b);
            run(&mut machine, text);
            result(&of, &GEOMETRY, &machine)
        };
        let expect = product(&of.pipelined(), Model::Fast);
        assert!(product(&sequential, Model::Fast) == expect, "{of:?}");
        assert!(product(&scheduled, Model::Timed) == expect, "{of:?}");
    }
}
