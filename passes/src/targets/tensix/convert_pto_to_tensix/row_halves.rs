//! Pieces of half a row of tiles, so that a normalisation of few rows uses all workers.
//!
//! A kernel with stages computes rows of tiles, one for each piece of work. With fewer of them than
//! workers, or little more, some workers are idle. [`divide`] then adds an innermost distributed
//! loop over the two halves of a row of tiles: the upper and the lower 16 rows of each tile. That
//! is strip-mining by half a tile.
//!
//! A half of a tile is two of its faces. NC reads and B writes half of each tile in DRAM
//! ([`super::tile_moves`]), the unpackers bring half of each tile, to the upper half of SrcA, SrcB
//! or Dst, and the matrix unit, the vector unit and the packers work there. So a piece takes half
//! the time, and every row has the same bits as in a whole tile. Local tensors keep their layout;
//! the other half of their tiles is undefined.
//!
//! Divided are kernels whose rows are independent of each other: element-wise operations, and
//! reductions of rows.

use tessera_isa_tensix::tile;
use tessera_tensix_code::TilePart;

use super::expr::{Expr, Var};
use super::plan::{
    collect_blocks, Block, BlockItem, Loop, Math, Node, Operand, Plan, Step, Target,
};
use super::stages::{self, piece_body};
use super::tile_math::tile_math;
use super::tile_moves::UsedRows;

/// Rows of half a tile.
const HALF_ROWS: u32 = 16;

/// Divides the pieces of a plan into halves, if rows are independent and workers have less to do.
pub fn divide(plan: &mut Plan) {
    let is_staged = |node: &Node| matches!(node, Node::StageStart(_));
    let body = piece_body(&plan.nodes);
    let Some(pieces) = pieces(&plan.nodes) else {
        return;
    };
    let workers = u64::from(tile::workers(plan.arch));
    let is_faster = (2 * pieces).div_ceil(workers) < 2 * pieces.div_ceil(workers);
    if !is_faster || !body.iter().any(is_staged) || !plan.pipes.is_empty() {
        return;
    }
    let mut all = stages::split(&plan.nodes).into_iter();
    if !all.all(|stage| has_independent_rows(plan, stage)) {
        return;
    }
    let half = next_var(&plan.nodes);
    add_loop(&mut plan.nodes, half);
    plan.row_half = Some(half);
}

/// Returns the number of pieces: the iterations of the outermost perfectly nested loops.
fn pieces(nodes: &[Node]) -> Option<u64> {
    match nodes {
        [Node::Loop(inner)] => inner.trip_count()?.checked_mul(pieces(&inner.body)?),
        _ => Some(1),
    }
}

/// Returns whether all blocks of a stage compute each row of tiles from the same row of operands,
/// or from operands of a single row.
fn has_independent_rows(plan: &Plan, stage: &[Node]) -> bool {
    let blocks = collect_blocks(stage);
    let clears = |block: &&Block| {
        let mut steps = block.steps().into_iter();
        steps.any(|step| tile_math(plan.arch, step.math, TilePart::UpperHalf).accumulates)
    };
    let clears = blocks.iter().any(clears);
    blocks.iter().all(|block| {
        block.shape[0] == 1
            && block.steps().iter().all(|step| reads_own_rows(block, step))
            && block.fold.iter().all(|fold| {
                let mut reductions = fold.reductions.iter();
                reductions.all(|reduction| reduction.axis == 1)
            })
            && block.stores.iter().all(|store| match &store.to {
                Target::Memory(tiles) => tiles.tensor.rows > HALF_ROWS,
                Target::Pipe(_) => false,
            })
            && results_are_written(block, &blocks, clears)
    })
}

/// Returns whether a step reads the rows of operands that it computes, or a first row that is
/// complete: one of an argument of the kernel.
fn reads_own_rows(block: &Block, step: &Step) -> bool {
    let is_rowwise = matches!(step.math, Math::Elementwise { .. } | Math::Unpack);
    let operands = step.operands().into_iter().enumerate();
    let mut operands = operands.filter_map(|(number, operand)| Some((number, operand?)));
    is_rowwise
        && operands.all(|(unpacker, operand)| match operand {
            Operand::Memory(tiles) => {
                let is_argument = tiles.tensor.argument().is_some();
                is_argument || UsedRows::new(block, step, unpacker) == UsedRows::All
            }
            Operand::Fetched { .. } | Operand::Popped(_) => false,
        })
}

/// Returns whether the tiles of Dst that the vector unit writes in a block were written by a step
/// of the block, or before it in a stage that never clears Dst.
fn results_are_written(block: &Block, blocks: &[&Block], clears: bool) -> bool {
    let covers = |block: &Block, dst: u32| {
        let mut steps = block.steps().into_iter();
        steps.any(|step| (step.dst..step.dst + block.tiles()).contains(&dst))
    };
    let mut results = block.vector.results.iter();
    results.all(|(_, dst)| {
        covers(block, *dst) || !clears && blocks.iter().any(|other| covers(other, *dst))
    })
}

/// Returns a variable that no loop has.
fn next_var(nodes: &[Node]) -> Var {
    let of_node = |node: &Node| match node {
        Node::Loop(inner) => next_var(&inner.body).max(inner.var + 1),
        Node::Block(block) => next_item_var(&block.items),
        Node::SlotEvent(_) | Node::StageStart(_) => 0,
    };
    nodes.iter().map(of_node).max().unwrap_or(0)
}

fn next_item_var(items: &[BlockItem]) -> Var {
    let of_item = |item: &BlockItem| match item {
        BlockItem::Loop(inner) => next_item_var(&inner.body).max(inner.var + 1),
        BlockItem::Step(_) | BlockItem::SlotEvent(_) => 0,
    };
    items.iter().map(of_item).max().unwrap_or(0)
}

/// Adds the loop over halves inside of the outermost perfectly nested loops.
fn add_loop(nodes: &mut Vec<Node>, half: Var) {
    if let [Node::Loop(inner)] = &mut nodes[..] {
        return add_loop(&mut inner.body, half);
    }
    let location = collect_blocks(nodes)
        .first()
        .map_or(0, |block| block.location);
    let body = std::mem::take(nodes);
    nodes.push(Node::Loop(Loop {
        var: half,
        low: Expr::Constant(0),
        high: Expr::Constant(2),
        step: 1,
        body,
        location,
    }));
}
