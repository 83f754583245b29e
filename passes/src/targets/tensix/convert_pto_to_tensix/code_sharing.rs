//! Kernels that become equal code share it.
//!
//! Kernels over tensors of different shapes often have one plan: shapes only say how many pieces of
//! work there are and how far apart they lie, and small tensors do not differ in that. Such kernels
//! also share the places of their code. A place is that of an operation in the first region of the
//! program file that runs the code, and is found in another region by the number of the operation.
//! So kernels share code only if the regions that run them have the same operations, with equal
//! locations at the same ones, and the code is written for the kernel whose region comes first in
//! the file.

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
    /// The number of the region.
    position: usize,
    /// Its operations.
    operations: Operations<'a>,
}

/// The names of operations, and for each the first one that has its location.
type Operations<'a> = (Vec<&'a str>, Vec<usize>);

impl<'a> FirstUses<'a> {
    /// The regions of a module, in the order of the program file.
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

    /// Where the first region that runs a kernel stands; last for one that none runs.
    pub fn position(&self, kernel: pto::FuncOp<'a>) -> usize {
        self.find(kernel).map_or(usize::MAX, |first| first.position)
    }

    /// The operations of the first region that runs a kernel; none if no region does.
    pub fn operations(&self, kernel: pto::FuncOp<'a>) -> Operations<'a> {
        self.find(kernel)
            .map_or_else(Operations::default, |first| first.operations.clone())
    }

    fn find(&self, kernel: pto::FuncOp<'a>) -> Option<&FirstUse<'a>> {
        self.0.get(kernel.symbol()?)
    }
}

/// What code depends on.
#[derive(PartialEq, Eq, Hash)]
pub struct CodeKey<'a> {
    /// The module it stands in.
    pub module: Option<Op<'a>>,
    /// The chip.
    pub arch: Arch,
    /// How many tensors it is given.
    pub arguments: u32,
    /// What each tile does.
    pub plans: Vec<Plan>,
    /// The rings between tiles.
    pub rings: Vec<[u32; 4]>,
    /// The operations of the kernel that its places are of.
    pub operations: Vec<&'a str>,
    /// The operations of the region that runs it.
    pub region: Operations<'a>,
}

/// The code that has been written, by its symbol.
pub type CodeCache<'a> = HashMap<CodeKey<'a>, String>;

/// Takes away what no code depends on: the extents of tensors in elements, but where the packers
/// replace what lies beyond them by zeros. What is left says how many tiles there are.
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
            Node::SlotEvent(_) => {}
        }
    }
}

fn round_up_items(items: &mut [BlockItem]) {
    for item in items {
        match item {
            BlockItem::Loop(inner) => round_up_items(&mut inner.body),
            BlockItem::Step(step) => {
                if let SrcA::Tiles(Operand::Memory(tiles)) = &mut step.srca {
                    round_up(tiles);
                }
                if let Some(Operand::Memory(tiles)) = &mut step.srcb {
                    round_up(tiles);
                }
            }
            BlockItem::SlotEvent(_) => {}
        }
    }
}

fn round_up(tiles: &mut TileRect) {
    let up = |extent: u32| extent.checked_next_multiple_of(32).unwrap_or(extent);
    tiles.tensor.rows = up(tiles.tensor.rows);
    tiles.tensor.columns = up(tiles.tensor.columns);
}
