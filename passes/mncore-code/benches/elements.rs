//! What compiled work on elements costs: `cargo bench -p tessera-mncore-code --bench elements`.
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
use tessera_mncore_code::program::{Form, Node, Program};
use tessera_pto::builder::Builder;
use tessera_pto::kernel::{Axis, Binary, Group, Reduce, Unary, Value};

const SHAPE: [u32; 2] = [4096, 1024];
/// Long words that MV instructions move in a step, between DRAM and the L2BM of all groups.
const MV_RATE: u64 = 256;

/// What is made of the tile at a place.
type Make = fn(&mut Builder, [Value; 2]) -> Value;

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
    for (name, inputs, make) in [
        ("add", 2, add as Make),
        ("gelu", 1, |builder, at| unary(builder, at, Unary::Gelu)),
        ("exp", 1, |builder, at| unary(builder, at, Unary::Exp)),
        ("softmax", 1, |builder, at| {
            softmax(builder, Axis::Columns, SHAPE, at)
        }),
        ("softmax, rows", 1, |builder, at| {
            softmax(builder, Axis::Rows, SHAPE, at)
        }),
    ] {
        let tensors = vec![singles(rows, columns); inputs + 1];
        let group = over_tiles(&tensors, |builder, row, column| {
            make(builder, [row, column])
        });
        row(name, &group);
    }
    for (name, axis) in [("max", Axis::Columns), ("max, rows", Axis::Rows)] {
        let reduced = reduced::Reduced::along(Reduce::Max, axis, SHAPE);
        row(name, &reduced.group());
    }
}

fn add(builder: &mut Builder, [row, column]: [Value; 2]) -> Value {
    let tiles = [0, 1].map(|tensor| builder.load(tensor, row, column, TILE));
    builder.binary(Binary::Add, tiles[0], tiles[1])
}

fn unary(builder: &mut Builder, [row, column]: [Value; 2], function: Unary) -> Value {
    let tile = builder.load(0, row, column, TILE);
    builder.unary(function, tile)
}

fn row(name: &str, group: &Group) {
    let kernel = compile(group, &Options::default()).expect("it compiles");
    let (program, _) = kernel.program().expect("it is scheduled");
    let statements = program.statements(Form::Scheduled).expect("schedules hold");
    let mut stats = Stats::new(Geometry::BOARD);
    stats.add(&statements.statements);
    let modelled = stats.cycles().div_ceil(CYCLES as u64);
    let slots = [Slot::MauCalc, Slot::Alu].map(|slot| issued(&program, slot));
    let mv = transfers(&kernel);
    let bound = mv.max(slots[0]).max(slots[1]);
    println!(
        "{name:>16} {:>7} {:>7} {mv:>7} {modelled:>9} {:>9.1}%",
        slots[0],
        slots[1],
        100.0 * bound as f64 / modelled as f64,
    );
}

/// Steps in which something issues in a slot.
fn issued(program: &Program, slot: Slot) -> u64 {
    fn of(nodes: &[Node], slot: Slot) -> u64 {
        let node = |node: &Node| match node {
            Node::Repeat(count, nodes) => u64::from(*count) * of(nodes, slot),
            Node::Part(part) => {
                let items = part.body.items.iter();
                let own = items.filter(|item| item.group() == Some(slot)).count();
                own as u64 * part.body.iterations()
            }
        };
        nodes.iter().map(node).sum()
    }
    of(&program.nodes, slot)
}

/// Steps of MV instructions for all tensors, each once.
fn transfers(kernel: &Kernel) -> u64 {
    let words = |elements: u64| elements.div_ceil(2);
    let elements = kernel.tensors.iter().map(|tensor| tensor.kind.elements());
    let words: u64 = elements.map(|count| words(count.expect("few"))).sum();
    words.div_ceil(MV_RATE)
}
