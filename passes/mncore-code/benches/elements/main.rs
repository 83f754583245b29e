//! Steps of compiled kernels without a product of their own: element-wise ones, reductions, and
//! kernels of several stages, such as a softmax or an attention.
//!
//! `cargo bench -p tessera-mncore-code --bench elements [-- PARTS OF NAMES] [-- --phases]`
//!
//! The value is the steps of the estimate in `tessera_mncore::timeline`, and the ratio that of the
//! bound to it. The bound is the work of the busiest unit:
//!
//! | unit | its work |
//! |---|---|
//! | MAU, ALU | steps of these in all loops over vectors, each step 32,768 elements: the slots that issue needs at least |
//! | write | the same of writes to matrix registers, for attentions |
//! | L1BM, L2BM | the same of transfers from and to these |
//! | MV | steps of the transfers between DRAM and L2BM that bring each operand once and take the result away, at the best rate there is |
//!
//! With `--phases`, the work of all units and the steps of each loop follow: `phases.rs`.

#[path = "../../tests/compile/groups.rs"]
#[allow(dead_code)]
mod groups;
mod phases;
#[path = "../../tests/compile/reduced.rs"]
#[allow(dead_code)]
mod reduced;
#[path = "../../tests/compile/staged.rs"]
#[allow(dead_code)]
mod staged;

use groups::{matrices, over_tiles, singles, TILE};
use reduced::softmax;
use staged::Expr::{Argument, Number, Stage};
use staged::{Expr, Staged};
use tessera_isa_mncore::table::Group as Slot;
use tessera_mncore::geometry::{Geometry, CYCLES};
use tessera_mncore::stats::Stats;
use tessera_mncore_code::compile::{compile, Kernel, Options};
use tessera_mncore_code::program::{self, IssueOrder};
use tessera_ops::Domain;
use tessera_pto::kernel::{
    Axis, Binary, Broadcast, Compute, Element, Group, Reduce, TensorType, Unary,
};
use tessera_test_support::bench::{Figure, Goal, Suite};

const SHAPE: [u32; 2] = [4096, 1024];
/// The slots that can bound a kernel.
const SLOTS: [(Slot, &str); 5] = [
    (Slot::MauCalc, "MAU"),
    (Slot::Alu, "ALU"),
    (Slot::Mwrite, "write"),
    (Slot::L1bm, "L1BM"),
    (Slot::L2bm, "L2BM"),
];
/// Long words that MV instructions move in a step, between DRAM and the L2BM of all groups.
const MV_RATE: u64 = 256;

/// The least ratio of the bound to the steps of the kernels that have a goal.
const GOAL: f64 = 1.0 / 1.25;
const WITH_GOAL: [&str; 4] = ["gelu", "softmax 4096", "layer_norm 4096", "attention"];

fn main() {
    // `cargo test --benches` only builds.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let mut suite = Suite::new("mncore-kernels", env!("CARGO_TARGET_TMPDIR"));
    rows(&mut suite);
    suite.finish();
}

/// Measures all kernels.
fn rows(suite: &mut Suite) {
    let [rows, columns] = SHAPE;
    let of_floats = |domain: Domain| domain.contains(Element::F32);
    let named = |name: &str, [rows, columns]: [u32; 2]| format!("{name} {rows}x{columns} f32");
    for function in Unary::ALL.iter().filter(|one| of_floats(one.domain())) {
        let name = named(function.name(), SHAPE);
        row(suite, &name, &elementwise(1, Compute::Unary(*function)));
    }
    for function in Binary::ALL.iter().filter(|one| of_floats(one.domain())) {
        let compute = Compute::Binary(*function, Broadcast::None);
        let name = named(function.name(), SHAPE);
        row(suite, &name, &elementwise(2, compute));
    }
    for (along, axis) in [("", Axis::Columns), (" of rows", Axis::Rows)] {
        for &reduce in Reduce::ALL {
            let reduced = reduced::Reduced::along(reduce, axis, SHAPE);
            let name = named(&format!("{}{along}", reduce.name()), SHAPE);
            row(suite, &name, &reduced.group());
        }
        let tensors = [singles(rows, columns); 2];
        let group = over_tiles(&tensors, |builder, row, column| {
            softmax(builder, axis, SHAPE, [row, column])
        });
        row(
            suite,
            &named(&format!("whole softmax{along}"), SHAPE),
            &group,
        );
    }
    for shape in [SHAPE, [1024, 128], [64, 512]] {
        let arguments = vec![singles(shape[0], shape[1])];
        let group = staged(arguments, softmax_of(Argument(0)));
        row(suite, &named("softmax", shape), &group);
        row(suite, &named("layer_norm", shape), &layer_norm(shape));
    }
    for [heads, queries, depth, keys] in
        [[16, 512, 64, 512], [12, 384, 64, 384], [12, 128, 64, 128]]
    {
        let name = format!("attention {heads}x{queries}x{depth}x{keys} f32");
        row(suite, &name, &attention([heads, queries, depth, keys]));
    }
}

/// Returns a kernel of several stages.
fn staged(arguments: Vec<TensorType>, stages: Vec<Expr>) -> Group {
    let staged = Staged {
        matrices: arguments[0].matrices,
        rows: arguments[0].rows,
        arguments,
        stages,
        element: Element::F32,
    };
    staged.group()
}

/// Returns the stages of a softmax along columns.
fn softmax_of(x: Expr) -> Vec<Expr> {
    let less = Stage(0).binary(Binary::Subtract, Stage(1));
    vec![
        x,
        Stage(0).reduced(Reduce::Max),
        less.unary(Unary::Exp),
        Stage(2).reduced(Reduce::Sum),
        Stage(2).binary(Binary::Divide, Stage(3)),
    ]
}

/// (x - mean x) / sqrt(mean (x - mean x)^2 + 1e-5) · scale + shift, along columns.
fn layer_norm([rows, columns]: [u32; 2]) -> Group {
    let arguments = vec![
        singles(rows, columns),
        singles(1, columns),
        singles(1, columns),
    ];
    let mean = |of: Expr| {
        let share = Number(1.0 / f64::from(columns));
        of.reduced(Reduce::Sum).binary(Binary::Multiply, share)
    };
    let square = Stage(1).binary(Binary::Multiply, Stage(1));
    let variance = mean(square).binary(Binary::Add, Number(1e-5));
    let scaled = Stage(1).binary(Binary::Multiply, Stage(2));
    let scaled = scaled.binary(Binary::Multiply, Argument(1));
    let stages = vec![
        mean(Argument(0)),
        Argument(0).binary(Binary::Subtract, Stage(0)),
        variance.unary(Unary::Rsqrt),
        scaled.binary(Binary::Add, Argument(2)),
    ];
    staged(arguments, stages)
}

/// softmax(q·k / sqrt(depth))·v for each head.
fn attention([heads, queries, depth, keys]: [u32; 4]) -> Group {
    let arguments = vec![
        matrices(heads, queries, depth),
        matrices(heads, depth, keys),
        matrices(heads, keys, depth),
    ];
    let share = Number(1.0 / f64::from(depth).sqrt());
    let scores = Argument(0).times(1).binary(Binary::Multiply, share);
    let mut stages = softmax_of(scores);
    // The sums divide the result, not the weights.
    stages.pop();
    stages.push(Stage(2).times(2).binary(Binary::Divide, Stage(3)));
    staged(arguments, stages)
}

/// Returns a group that computes this from `inputs` tensors.
fn elementwise(inputs: usize, compute: Compute) -> Group {
    let tensors = vec![singles(SHAPE[0], SHAPE[1]); inputs + 1];
    over_tiles(&tensors, |builder, row, column| {
        let tiles: Vec<_> = (0..inputs)
            .map(|tensor| builder.load(tensor, row, column, TILE))
            .collect();
        builder.compute(compute, &tiles, TILE)
    })
}

fn row(suite: &mut Suite, name: &str, group: &Group) {
    if !suite.wants(name) {
        return;
    }
    let kernel = compile(group, &Options::default()).expect("it compiles");
    let (program, _) = kernel.program().expect("it is scheduled");
    let statements = program::statements(&program, IssueOrder::Scheduled).expect("schedules hold");
    let mut stats = Stats::new(Geometry::BOARD);
    stats.add(&statements.statements);
    let modelled = stats.cycles().div_ceil(CYCLES as u64);
    let mut work = SLOTS
        .map(|(slot, name)| (kernel.issued(slot), name))
        .to_vec();
    work.push((transfers(&kernel), "MV"));
    let (bound, unit) = work.iter().copied().max().expect("there are units");
    let has_goal = WITH_GOAL.iter().any(|start| name.starts_with(start));
    suite.add(Figure {
        name: name.into(),
        value: modelled as f64,
        unit: "steps",
        ratio: Some((bound as f64 / modelled as f64, "bound")),
        goal: has_goal.then_some(Goal::AtLeast(GOAL)),
        bound: Some(unit),
    });
    if std::env::args().any(|argument| argument == "--phases") {
        println!("{work:?}");
        phases::print(&kernel);
    }
}

/// Returns the steps of MV instructions that transfer each tensor once.
fn transfers(kernel: &Kernel) -> u64 {
    let words = |elements: u64| elements.div_ceil(2);
    let elements = kernel.tensors.iter().map(|tensor| tensor.kind.elements());
    let words: u64 = elements.map(|count| words(count.expect("few"))).sum();
    words.div_ceil(MV_RATE)
}
