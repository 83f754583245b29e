//! Stages: the parts of a kernel with local tensors.
//!
//! At the start of a stage everything before it is complete: results are in memory, and all units
//! are idle. A stage may therefore read local tensors that earlier stages wrote, and it configures
//! the units anew. B tells the other cores when a stage may start ([`super::write`]).
//!
//! [`insert_starts`] divides the body of the outermost perfectly nested loops. From the first node
//! on, it adds nodes to a stage as long as they can share it (greedy interval partitioning, which
//! gives the fewest stages). Nodes share a stage if
//!
//! - none loads a local tensor that another stores;
//! - one configuration of the unpackers suffices ([`super::check`]);
//! - nothing clears Dst while it holds a running reduction.
//!
//! Local tensors keep their content between iterations of the outermost loops. Workers that share
//! these do not: they are distributed only if every iteration loads what it stored itself
//! ([`locals_are_fresh`]).

use std::collections::HashSet;

use tessera_isa_tensix::Arch;
use tessera_tensix_code::TilePart;

use super::expr::{Expr, Var};
use super::plan::{
    collect_blocks, Block, BlockItem, Loop, Math, Node, Operand, Plan, SrcA, Step, Target, TileRect,
};
use super::refusal::Refusal;
use super::tile_math::tile_math;
use super::walk::MAX_ITERATIONS;

/// Returns the nodes of each stage of a piece: all of them if there are no starts of stages.
pub fn split(nodes: &[Node]) -> Vec<&[Node]> {
    let body = piece_body(nodes);
    let is_start = |node: &Node| matches!(node, Node::StageStart(_));
    if !body.iter().any(is_start) {
        return vec![nodes];
    }
    let stages = body.split(is_start);
    // The first one is empty: the body begins with a start.
    stages.skip(1).collect()
}

/// Returns the body of the outermost perfectly nested loops.
pub fn piece_body(nodes: &[Node]) -> &[Node] {
    match nodes {
        [Node::Loop(inner)] => piece_body(&inner.body),
        _ => nodes,
    }
}

/// Inserts the starts of stages into a plan's nodes, if there is more than one stage.
///
/// # Errors
/// A loop in the body stores a local tensor that it also loads.
pub fn insert_starts(arch: Arch, nodes: &mut Vec<Node>) -> Result<(), Refusal> {
    if let [Node::Loop(inner)] = &mut nodes[..] {
        return insert_starts(arch, &mut inner.body);
    }
    let mut starts = vec![0];
    let mut stage = Demand::default();
    for (at, node) in nodes.iter().enumerate() {
        let demand = Demand::of_node(arch, node);
        if let Some(location) = demand.self_conflict {
            return Err(Refusal::for_op(
                location,
                "loads a local tensor in the loop that stores it, which is not lowered to Tensix; \
                 load it in a loop of its own after that",
            ));
        }
        if !stage.can_include(&demand) {
            starts.push(at);
            stage = Demand::default();
        }
        stage.include(demand);
    }
    if starts.len() > 1 {
        // Later positions first, so that earlier ones stay valid.
        for (number, at) in starts.into_iter().enumerate().rev() {
            nodes.insert(at, Node::StageStart(number));
        }
    }
    Ok(())
}

/// What nodes demand of their stage.
#[derive(Default)]
struct Demand {
    /// L1 addresses of local tensors that are loaded and stored.
    loads: HashSet<u32>,
    stores: HashSet<u32>,
    /// Whether there are products of fp32 tiles, and steps that need another configuration of the
    /// unpackers.
    wide: bool,
    narrow: bool,
    /// Whether unpacker 0 writes to Dst, and whether it brings tiles to SrcA.
    to_dst: bool,
    to_src: bool,
    /// Whether blocks fold into a running reduction, and whether some clear Dst.
    folds: bool,
    clears: bool,
    /// The location of a load of a local tensor that the same node stores.
    self_conflict: Option<usize>,
}

impl Demand {
    fn of_node(arch: Arch, node: &Node) -> Self {
        let mut demand = Demand::default();
        for block in collect_blocks(std::slice::from_ref(node)) {
            demand.folds |= block.fold.is_some();
            demand
                .stores
                .extend(block.stores.iter().filter_map(|store| {
                    let Target::Memory(tiles) = &store.to else {
                        return None;
                    };
                    tiles.tensor.local_address()
                }));
            for step in block.steps() {
                demand.add_step(arch, step);
            }
        }
        // The location of the node's first load suffices.
        let mut steps = collect_blocks(std::slice::from_ref(node))
            .into_iter()
            .flat_map(Block::steps);
        let conflicts =
            |step: &&Step| local_rects(step).any(|(address, _)| demand.stores.contains(&address));
        demand.self_conflict = steps.find(conflicts).map(|step| step.location);
        demand
    }

    fn add_step(&mut self, arch: Arch, step: &Step) {
        self.loads
            .extend(local_rects(step).map(|(address, _)| address));
        self.wide |= step.is_wide_product();
        self.narrow |= !step.is_wide_product();
        self.to_dst |= step.math == Math::Unpack;
        self.to_src |= step.math != Math::Unpack && matches!(step.srca, SrcA::Tiles(_));
        self.clears |= tile_math(arch, step.math, TilePart::Whole).accumulates;
    }

    /// Returns whether nodes with another demand can follow in the same stage.
    fn can_include(&self, next: &Demand) -> bool {
        let conflict = |a: bool, b: bool, c: bool, d: bool| (a && d) || (b && c);
        self.stores.is_disjoint(&next.loads)
            && self.loads.is_disjoint(&next.stores)
            && !conflict(self.wide, self.narrow, next.wide, next.narrow)
            && !conflict(self.to_dst, self.to_src, next.to_dst, next.to_src)
            && !conflict(self.folds, self.clears, next.folds, next.clears)
    }

    fn include(&mut self, next: Demand) {
        self.loads.extend(next.loads);
        self.stores.extend(next.stores);
        self.wide |= next.wide;
        self.narrow |= next.narrow;
        self.to_dst |= next.to_dst;
        self.to_src |= next.to_src;
        self.folds |= next.folds;
        self.clears |= next.clears;
    }
}

/// Returns the rectangles of local tensors that a step reads, with the L1 addresses of the tensors.
fn local_rects(step: &Step) -> impl Iterator<Item = (u32, &TileRect)> {
    let operands = step.operands().into_iter().flatten();
    operands.filter_map(|operand| {
        let tiles = operand.memory()?;
        Some((tiles.tensor.local_address()?, tiles))
    })
}

/// Returns the rectangles of local tensors that NC fills for a step, with the L1 addresses of the
/// tensors.
fn fetched_rects(step: &Step) -> impl Iterator<Item = (u32, &TileRect)> {
    let operands = step.operands().into_iter().flatten();
    operands.filter_map(|operand| match operand {
        Operand::Fetched { to, .. } => Some((to.tensor.local_address()?, to)),
        Operand::Memory(_) | Operand::Popped(_) => None,
    })
}

/// Returns whether every iteration of the outermost perfectly nested loops loads only tiles of
/// local tensors that it stored or fetched before. Conservatively `false` if an index or a bound
/// cannot be evaluated, or if there are more iterations than [`MAX_ITERATIONS`].
pub fn locals_are_fresh(plan: &Plan) -> bool {
    let mut iterations = Iterations {
        vars: Vec::new(),
        left: MAX_ITERATIONS,
        stored: HashSet::new(),
    };
    plan.local_bytes == 0 || iterations.pieces(&plan.nodes).is_some()
}

/// The enumeration of a plan's iterations. Its methods return `None` if a tile is not fresh.
struct Iterations {
    /// The values of the enclosing loops' variables.
    vars: Vec<(Var, i64)>,
    /// How many more iterations may be enumerated.
    left: usize,
    /// Tiles of local tensors that the iteration has stored: address, row and column.
    stored: HashSet<(u32, i64, i64)>,
}

impl Iterations {
    fn pieces(&mut self, nodes: &[Node]) -> Option<()> {
        if let [Node::Loop(inner)] = nodes {
            return self.each(inner, Self::pieces);
        }
        self.stored.clear();
        self.nodes(nodes)
    }

    fn nodes(&mut self, nodes: &[Node]) -> Option<()> {
        nodes.iter().try_for_each(|node| match node {
            Node::Loop(inner) => self.each(inner, Self::nodes),
            Node::Block(block) => self.block(block),
            Node::SlotEvent(_) | Node::StageStart(_) => Some(()),
        })
    }

    fn block(&mut self, block: &Block) -> Option<()> {
        self.items(&block.items)?;
        for store in &block.stores {
            let Target::Memory(tiles) = &store.to else {
                continue;
            };
            if let Some(address) = tiles.tensor.local_address() {
                let tiles = self.tiles(address, tiles)?;
                self.stored.extend(tiles);
            }
        }
        Some(())
    }

    fn items(&mut self, items: &[BlockItem]) -> Option<()> {
        items.iter().try_for_each(|item| match item {
            BlockItem::Loop(inner) => self.each(inner, Self::items),
            BlockItem::Step(step) => {
                for (address, tiles) in fetched_rects(step) {
                    let tiles = self.tiles(address, tiles)?;
                    self.stored.extend(tiles);
                }
                local_rects(step).try_for_each(|(address, tiles)| {
                    let tiles = self.tiles(address, tiles)?;
                    let is_fresh = tiles.iter().all(|tile| self.stored.contains(tile));
                    is_fresh.then_some(())
                })
            }
            BlockItem::SlotEvent(_) => Some(()),
        })
    }

    /// Enumerates the iterations of a loop.
    fn each<T>(
        &mut self,
        of: &Loop<T>,
        body: impl Fn(&mut Self, &[T]) -> Option<()>,
    ) -> Option<()> {
        let (low, trips) = (of.low.constant()?, of.trip_count()?);
        for turn in 0..i64::try_from(trips).ok()? {
            self.left = self.left.checked_sub(1)?;
            self.vars.push((of.var, low + turn * of.step));
            body(self, &of.body)?;
            self.vars.pop();
        }
        Some(())
    }

    /// Returns the tiles of a rectangle of the local tensor at an address.
    fn tiles(&self, address: u32, tiles: &TileRect) -> Option<Vec<(u32, i64, i64)>> {
        let value = |expr: &Expr| {
            expr.value(&|var| {
                let known = self.vars.iter().find(|(other, _)| *other == var);
                known.map_or(0, |(_, value)| *value)
            })
        };
        let [rows, columns] = tiles.shape.map(i64::from);
        let (row, column) = (value(&tiles.row)? * rows, value(&tiles.column)? * columns);
        let places = (0..rows).flat_map(|r| (0..columns).map(move |c| (r, c)));
        Some(
            places
                .map(|(r, c)| (address, row + r, column + c))
                .collect(),
        )
    }
}
