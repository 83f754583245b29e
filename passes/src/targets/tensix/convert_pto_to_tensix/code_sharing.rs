//! Code sharing between kernels with equal plans.
//!
//! Kernels over tensors of different shapes often have equal plans: shapes only determine the
//! number of pieces of work and the distances between them, and small tensors agree even in those.
//! Such kernels also share the source locations of their code. A location refers to an operation,
//! by its number, in the first region of the program file that runs the code.
//!
//! Invariant: kernels share code only if the regions that run them have the same operations, with
//! equal locations at the same positions. The code is written for the kernel whose region comes
//! first in the program file.

use std::collections::HashMap;

use tessera_dialects::mlir::{Op, WalkOrder};
use tessera_dialects::pto;
use tessera_dialects::ttnn::KernelRegionOp;
use tessera_isa_tensix::Arch;

use super::plan::{BlockItem, Node, Operand, Plan, SrcA, Target, TileRect};
use crate::functions::in_file_order;
use crate::locations::first_with_location;

/// The first region of the program file that runs each kernel.
pub struct FirstUses<'a>(HashMap<&'a str, FirstUse<'a>>);

struct FirstUse<'a> {
    /// Number of the region in the order of the program file.
    position: usize,
    /// The region's operations.
    operations: Operations<'a>,
}

/// Names of operations, and for each the number of the first one with the same location.
type Operations<'a> = (Vec<&'a str>, Vec<usize>);

impl<'a> FirstUses<'a> {
    /// Collects the kernel regions of a module in the order of the program file.
    pub fn collect(module: Op<'a>) -> Self {
        let regions = in_file_order(module).into_iter();
        let regions = regions.flat_map(|function| function.find_all::<KernelRegionOp>());
        let mut uses = HashMap::new();
        for (position, region) in regions.enumerate() {
            let Some(kernel) = region.kernel() else {
                continue;
            };
            uses.entry(kernel).or_insert_with(|| {
                let operations = region.walk(WalkOrder::Pre);
                let names = operations.iter().map(|op| op.name()).collect();
                FirstUse {
                    position,
                    operations: (names, first_with_location(&operations)),
                }
            });
        }
        FirstUses(uses)
    }

    /// Returns the position of the first region that runs a kernel; `usize::MAX` if none does.
    pub fn position(&self, kernel: pto::FuncOp<'a>) -> usize {
        self.find(kernel).map_or(usize::MAX, |first| first.position)
    }

    /// Returns the operations of the first region that runs a kernel; none if no region does.
    pub fn operations(&self, kernel: pto::FuncOp<'a>) -> Operations<'a> {
        self.find(kernel)
            .map_or_else(Operations::default, |first| first.operations.clone())
    }

    fn find(&self, kernel: pto::FuncOp<'a>) -> Option<&FirstUse<'a>> {
        self.0.get(kernel.symbol()?)
    }
}

/// Everything that generated code depends on.
#[derive(PartialEq, Eq, Hash)]
pub struct CodeKey<'a> {
    /// The enclosing module.
    pub module: Option<Op<'a>>,
    /// The chip.
    pub arch: Arch,
    /// Number of tensor arguments.
    pub arguments: u32,
    /// The plan of each tile.
    pub plans: Vec<Plan>,
    /// The rings between tiles.
    pub rings: Vec<[u32; 4]>,
    /// Names of the kernel's operations, which its locations refer to.
    pub operations: Vec<&'a str>,
    /// The operations of the first region that runs the kernel.
    pub region: Operations<'a>,
}

/// Symbols of the code written so far.
pub type CodeCache<'a> = HashMap<CodeKey<'a>, String>;

/// Rounds tensor extents up to whole tiles wherever code depends on the number of tiles only.
/// Extents are exact only where the packers mask elements beyond them.
pub fn round_up_extents(plans: &mut [Plan]) {
    plans
        .iter_mut()
        .for_each(|plan| round_up_nodes(&mut plan.nodes));
}

fn round_up_nodes(nodes: &mut [Node]) {
    for node in nodes {
        match node {
            Node::Loop(inner) => round_up_nodes(&mut inner.body),
            Node::Block(block) => {
                round_up_items(&mut block.items);
                for store in block.stores.iter_mut().filter(|store| !store.mask) {
                    if let Target::Memory(tiles) = &mut store.to {
                        round_up(tiles);
                    }
                }
            }
            Node::SlotEvent(_) | Node::StageStart(_) => {}
        }
    }
}

fn round_up_items(items: &mut [BlockItem]) {
    for item in items {
        match item {
            BlockItem::Loop(inner) => round_up_items(&mut inner.body),
            BlockItem::Step(step) => {
                if let SrcA::Tiles(operand) = &mut step.srca {
                    round_up_operand(operand);
                }
                step.srcb.iter_mut().for_each(round_up_operand);
            }
            BlockItem::SlotEvent(_) => {}
        }
    }
}

fn round_up_operand(operand: &mut Operand) {
    match operand {
        Operand::Memory(tiles) => round_up(tiles),
        Operand::Fetched { from, to } => {
            round_up(from);
            round_up(to);
        }
        Operand::Popped(_) => {}
    }
}

fn round_up(tiles: &mut TileRect) {
    let up = |extent: u32| extent.checked_next_multiple_of(32).unwrap_or(extent);
    tiles.tensor.rows = up(tiles.tensor.rows);
    tiles.tensor.columns = up(tiles.tensor.columns);
}
