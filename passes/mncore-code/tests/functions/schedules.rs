//! Schedules of functions in loops.

use tessera_mncore::geometry::Geometry;
use tessera_mncore::machine::{Model, Options};
use tessera_mncore_code::functions::{rows, Function, Row};
use tessera_mncore_code::program::IssueOrder;
use tessera_ops::Unary;

use crate::machine::{Argument, Kernel};
use crate::sample::mixture;

/// Vectors in a test: more than the iterations that a schedule overlaps.
const VECTORS: u32 = 6;

/// Functions whose items read too many operands at once for the search to find an order in the
/// shortest intervals.
const HARD: [&str; 8] = [
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "asinh",
    "atan2",
    "pow_tensor",
];

/// Whether the interval of a row may be up to twice the least.
fn is_hard(row: &Row) -> bool {
    let is_hard_for_bf16 = [
        Function::UnaryBf16(Unary::Cbrt),
        Function::UnaryBf16(Unary::Tanh),
    ]
    .contains(&row.function);
    HARD.contains(&row.name) || is_hard_for_bf16
}

#[test]
fn schedules_compute_what_items_in_order_do() {
    for row in rows() {
        let arguments = Argument::for_function(row.function);
        let kernel = |form, model| {
            let options = Options {
                geometry: Geometry::SMALL,
                model,
                ..Options::default()
            };
            Kernel::with(row.function, &arguments, VECTORS, form, options)
        };
        // Infinities less infinities stop the machine.
        let finite = |word: u32| word & !0x4000_0000;
        let words = |length: usize| mixture(length, 50.0, length as u64).into_iter().map(finite);
        let mut scheduled = kernel(IssueOrder::Scheduled, Model::Timed);
        let lengths = scheduled.lengths();
        let operands: Vec<Vec<u32>> = lengths
            .iter()
            .map(|&length| words(length).collect())
            .collect();
        let operands: Vec<&[u32]> = operands.iter().map(Vec::as_slice).collect();
        let results = scheduled.run(&operands);
        let in_order = kernel(IssueOrder::Sequential, Model::Fast).run(&operands);
        assert!(results == in_order, "{}", row.name);
        let report = &scheduled.report;
        println!("{} ({}, {}): {report:?}", row.name, row.mau, row.alu);
        let more = match is_hard(row) {
            true => report.mii,
            false => report.mii.div_ceil(2),
        };
        assert!(report.ii <= report.mii + more, "{}: {report:?}", row.name);
    }
}
