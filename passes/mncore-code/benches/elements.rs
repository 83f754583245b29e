//! Steps of compiled element-wise kernels: `cargo bench -p tessera-mncore-code --bench elements`.
//!
//! | column | is |
//! |---|---|
//! | MAU, ALU | steps of these in all loops over vectors, each step 32,768 elements: the slots that issue needs at least |
//! | MV | steps of the transfers between DRAM and L2BM that bring each operand once and take the result away, at the best rate there is |
//! | modelled | steps of the estimate in `tessera_mncore::timeline` |
//! | end to end | the greatest of these bounds over what is modelled |

#[path = "../tests/compile/groups.rs"]
#[allow(dead_code)]
mod groups;
#[path = "../tests/compile/reduced.rs"]
#[allow(dead_code)]
mod reduced;

use groups::{over_tiles, singles, TILE};
use reduced::softmax;
use tessera_isa_mncore::table::Group as Slot;
use tessera_mncore::geometry::{Geometry, CYCLES};
use tessera_mncore::stats::Stats;
use tessera_mncore_code::compile::{compile, Kernel, Options};
use tessera_mncore_code::program::{self, IssueOrder};
use tessera_ops::Domain;
use tessera_pto::kernel::{Axis, Binary, Broadcast, Compute, Element, Group, Reduce, Unary};

const SHAPE: [u32; 2] = [4096, 1024];
/// Long words that MV instructions move in a step, between DRAM and the L2BM of all groups.
const MV_RATE: u64 = 256;

fn main() {
    // `cargo test --benches` only builds.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let [rows, columns] = SHAPE;
    println!("{rows}x{columns}, elements of f32");
    println!(
        "{:>16} {:>7} {:>7} {:>7} {:>9} {:>10}",
        "", "MAU", "ALU", "MV", "modelled", "end to end"
    );
    let of_floats = |domain: Domain| domain.contains(Element::F32);
    for function in Unary::ALL.iter().filter(|one| of_floats(one.domain())) {
        row(function.name(), &elementwise(1, Compute::Unary(*function)));
    }
    for function in Binary::ALL.iter().filter(|one| of_floats(one.domain())) {
        let compute = Compute::Binary(*function, Broadcast::None);
        row(function.name(), &elementwise(2, compute));
    }
    for (name, axis) in [("", Axis::Columns), (", rows", Axis::Rows)] {
        for &reduce in Reduce::ALL {
            let reduced = reduced::Reduced::along(reduce, axis, SHAPE);
            row(&format!("{}{name}", reduce.name()), &reduced.group());
        }
        let tensors = [singles(rows, columns); 2];
        let group = over_tiles(&tensors, |builder, row, column| {
            softmax(builder, axis, SHAPE, [row, column])
        });
        row(&format!("softmax{name}"), &group);
    }
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

fn row(name: &str, group: &Group) {
    let kernel = compile(group, &Options::default()).expect("it compiles");
    let (program, _) = kernel.program().expect("it is scheduled");
    let statements = program::statements(&program, IssueOrder::Scheduled).expect("schedules hold");
    let mut stats = Stats::new(Geometry::BOARD);
    stats.add(&statements.statements);
    let modelled = stats.cycles().div_ceil(CYCLES as u64);
    let slots = [Slot::MauCalc, Slot::Alu].map(|slot| kernel.issued(slot));
    let mv = transfers(&kernel);
    let bound = mv.max(slots[0]).max(slots[1]);
    println!(
        "{name:>16} {:>7} {:>7} {mv:>7} {modelled:>9} {:>9.1}%",
        slots[0],
        slots[1],
        100.0 * bound as f64 / modelled as f64,
    );
}

/// Returns the steps of MV instructions that transfer each tensor once.
fn transfers(kernel: &Kernel) -> u64 {
    let words = |elements: u64| elements.div_ceil(2);
    let elements = kernel.tensors.iter().map(|tensor| tensor.kind.elements());
    let words: u64 = elements.map(|count| words(count.expect("few"))).sum();
    words.div_ceil(MV_RATE)
}
