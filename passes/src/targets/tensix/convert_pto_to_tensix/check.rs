//! Whole-plan checks: every accessed rectangle of tiles begins inside of its tensor, index
//! expressions fit 32 bits, the vector programs fit into the LRegs, one configuration of the
//! unpackers suffices, and rings are where the unpackers reach them. Tiles of a rectangle beyond
//! the tensor's end are not errors: they are clamped when read and skipped when written.
//!
//! Indices are tracked as intervals. For indices that are not linear in the loop variables this is
//! conservative: a plan may be refused for a coordinate that no iteration computes.

use tessera_isa_tensix::tile::FREE;
use tessera_isa_tensix::Arch;
use tessera_tensix_code::TilePart;

use super::expr::{Arith, Expr, Var};
use super::operand_rings::MAX_TILES;
use super::plan::{
    collect_blocks, Block, BlockItem, Element, LocationId, Loop, Math, Node, Operand, Plan, SrcA,
    Step, Target, TileRect,
};
use super::refusal::Refusal;
use super::resources::{L1Layout, UNPACKER_REACH};
use super::stages;
use super::tile_math::tile_math;
use super::vector;

/// Checks a plan.
///
/// # Errors
/// At the first operation that accesses a rectangle outside of its tensor, at a block whose vector
/// program needs too many LRegs, or at what the checks of formats and pipes refuse.
pub fn check(plan: &Plan) -> Result<(), Refusal> {
    let mut check = Check::default();
    check.nodes(&plan.nodes)?;
    for stage in stages::split(&plan.nodes) {
        let blocks = collect_blocks(stage);
        check_formats(&blocks)?;
        check_reductions(plan.arch, &blocks)?;
        check_local_tensors(plan, stage)?;
    }
    check_pipes(plan)
}

/// Checks that nothing clears Dst in a stage that keeps a running reduction there.
///
/// A block with an accumulating step clears its part of Dst first, the reduction tile included.
fn check_reductions(arch: Arch, blocks: &[&Block]) -> Result<(), Refusal> {
    if blocks.iter().all(|block| block.fold.is_none()) {
        return Ok(());
    }
    let mut steps = blocks.iter().flat_map(|block| block.steps());
    match steps.find(|step| tile_math(arch, step.math, TilePart::Whole).accumulates) {
        None => Ok(()),
        Some(step) => Err(Refusal::for_op(
            step.location,
            "accumulates with the matrix unit in a kernel with a reduction, which would clear the \
             running value; use unit = #pto.unit<sfpu>",
        )),
    }
}

/// Checks that each unpacker uses one format and one destination, since it is configured once for a
/// stage.
fn check_formats(blocks: &[&Block]) -> Result<(), Refusal> {
    let steps: Vec<_> = blocks.iter().flat_map(|block| block.steps()).collect();
    if let Some(wide) = steps.iter().find(|step| step.is_wide_product()) {
        if steps.iter().any(|step| !step.is_wide_product()) {
            return Err(Refusal::for_op(
                wide.location,
                "multiplies f32 tiles in a kernel that also uses loaded or popped tiles otherwise, \
                 which requires another unpacker configuration; compile with fusion=none",
            ));
        }
    }
    let brings = |step: &&&Step| step.math != Math::Unpack && matches!(step.srca, SrcA::Tiles(_));
    if steps.iter().any(|step| step.math == Math::Unpack) {
        if let Some(step) = steps.iter().find(brings) {
            return Err(Refusal::for_op(
                step.location,
                "reads two bf16 tiles with the matrix unit in a kernel that pops or loads f32 tiles, for which unpacker 0 is configured; use unit = \
                 #pto.unit<sfpu>",
            ));
        }
    }
    Ok(())
}

/// Checks that rectangles of local tensors are inside, that their tiles follow one another where
/// the unpackers read them, and that the unpackers' tile counters reach all buffers of the stage.
fn check_local_tensors(plan: &Plan, stage: &[Node]) -> Result<(), Refusal> {
    if plan.local_bytes == 0 {
        return Ok(());
    }
    let is_local = |tiles: &&TileRect| tiles.tensor.local_address().is_some();
    let exceeds = |tiles: &TileRect| {
        let mut axes = tiles.tensor.tiles().into_iter().zip(tiles.shape);
        axes.any(|(extent, shape)| extent % shape != 0)
    };
    for block in collect_blocks(stage) {
        for step in block.steps() {
            let operands = step.operands().into_iter().flatten();
            let rects = operands.filter_map(Operand::memory);
            for tiles in rects.filter(is_local) {
                let is_contiguous =
                    tiles.shape[0] == 1 || tiles.shape[1] == tiles.tensor.tiles()[1];
                if exceeds(tiles) || !is_contiguous {
                    return Err(refuse_local_rect(step.location, tiles));
                }
            }
        }
        for store in &block.stores {
            if let Target::Memory(tiles) = &store.to {
                if is_local(&tiles) && exceeds(tiles) {
                    return Err(refuse_local_rect(store.location, tiles));
                }
            }
        }
    }
    let l1 = L1Layout::new(plan, &[], stage);
    for (unpacker, ring) in (0..).zip(&l1.rings.by_unpacker) {
        let (end, tile) = (
            l1.operand_ring(unpacker) + ring.bytes(),
            ring.element.tile_bytes(),
        );
        if end > FREE + MAX_TILES * tile {
            let blocks = collect_blocks(stage);
            let location = blocks.first().map_or(0, |block| block.location);
            return Err(Refusal::for_op(
                location,
                format!(
                    "is in a kernel with local tensors and operands up to {end} in its tile, but an \
                     unpacker reaches only {} bytes from {FREE} on; use smaller tiles",
                    MAX_TILES * tile
                ),
            ));
        }
    }
    Ok(())
}

fn refuse_local_rect(location: LocationId, tiles: &TileRect) -> Refusal {
    let ([rows, columns], [down, across]) = (tiles.shape, tiles.tensor.tiles());
    Refusal::for_op(
        location,
        format!(
            "accesses {rows}x{columns} tiles of a local tensor of {down}x{across}, which are not \
             all inside or do not follow one another in memory; use block=1x1"
        ),
    )
}

/// Checks that slots hold whole tiles, that the unpackers' tile counters reach all rings that are
/// popped from, and that values to be split between two peers have an even number of tiles there.
fn check_pipes(plan: &Plan) -> Result<(), Refusal> {
    let l1 = L1Layout::new(plan, &[], &plan.nodes);
    for pipe in &plan.pipes {
        let fail = |what: String| Err(Refusal::for_op(pipe.location, what));
        let reaches = |before: u32| before % Element::F32.tile_bytes() == 0;
        if !pipe.pushes && !pipe.address.checked_sub(FREE).is_some_and(reaches) {
            return fail(format!(
                "has its ring at {}, but the unpackers reach only {FREE} plus multiples of {} \
                 bytes",
                pipe.address,
                Element::F32.tile_bytes()
            ));
        }
        if !pipe.pushes && l1.result_ring() > FREE + UNPACKER_REACH {
            return fail(format!(
                "has rings and buffers up to {} in its tile, but the unpackers reach only {} bytes \
                 from {FREE} on; use fewer slots or smaller tiles",
                l1.result_ring(),
                UNPACKER_REACH
            ));
        }
    }
    let blocks = plan.blocks();
    let steps = blocks.iter().flat_map(|block| block.steps());
    for operand in steps.flat_map(|step| step.operands()).flatten() {
        let Operand::Popped(popped) = operand else {
            continue;
        };
        let (slot, tile) = (
            plan.pipes[popped.pipe].slot_bytes,
            popped.element.tile_bytes(),
        );
        if slot % tile != 0 {
            return Err(Refusal::for_op(
                popped.location,
                format!(
                    "pops from slots of {slot} bytes, but the unpackers address tiles of \
                    {tile} bytes; use a slot size that is a multiple of that"
                ),
            ));
        }
    }
    for block in blocks {
        for store in &block.stores {
            let Target::Pipe(pipe) = store.to else {
                continue;
            };
            let pipe = &plan.pipes[pipe];
            let [rows, columns] = block.shape;
            if let (Some(axis), None) = (pipe.axis, pipe.part) {
                if block.shape[axis] % 2 != 0 {
                    return Err(Refusal::for_op(
                        store.location,
                        format!(
                            "splits {rows}x{columns} tiles of 32x32 into halves along an odd \
                            extent; push larger tiles"
                        ),
                    ));
                }
            }
        }
    }
    Ok(())
}

/// An interval: the least and the greatest value.
type Range = (i64, i64);

/// Interval of the 32-bit words that the cores compute with.
const WORDS: Range = (i32::MIN as i64, i32::MAX as i64);

#[derive(Default)]
struct Check {
    /// Intervals of the enclosing loops' variables.
    ranges: Vec<(Var, Range)>,
}

impl Check {
    fn nodes(&mut self, nodes: &[Node]) -> Result<(), Refusal> {
        nodes.iter().try_for_each(|node| match node {
            Node::Loop(inner) => self.check_loop(inner, |check| check.nodes(&inner.body)),
            Node::Block(block) => self.block(block),
            Node::SlotEvent(_) | Node::StageStart(_) => Ok(()),
        })
    }

    /// Checks a loop, and its body if it can execute at all.
    fn check_loop<T>(
        &mut self,
        of: &Loop<T>,
        body: impl FnOnce(&mut Self) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let (low, high) = (self.range(&of.low), self.range(&of.high));
        for bound in [&of.low, &of.high] {
            self.require_words(bound, of.location)?;
        }
        if high.1.saturating_add(of.step) > WORDS.1 {
            return Err(Refusal::for_op(
                of.location,
                format!(
                    "counts to {} in steps of {}, which exceeds the 32-bit range of the cores",
                    high.1, of.step
                ),
            ));
        }
        let range = (low.0, high.1.saturating_sub(1));
        if range.0 > range.1 {
            return Ok(());
        }
        self.ranges.push((of.var, range));
        let result = body(self);
        self.ranges.pop();
        result
    }

    fn block(&mut self, block: &Block) -> Result<(), Refusal> {
        if vector::compile(&block.vector).is_none() {
            return Err(Refusal::for_op(
                block.location,
                "is followed by more element-wise operations than the vector unit has registers for; compile with fusion=none",
            ));
        }
        self.items(&block.items)?;
        let mut stores = block.stores.iter();
        stores.try_for_each(|store| match &store.to {
            Target::Memory(to) => self.require_inside(to, store.location),
            Target::Pipe(_) => Ok(()),
        })
    }

    fn items(&mut self, items: &[BlockItem]) -> Result<(), Refusal> {
        items.iter().try_for_each(|item| match item {
            BlockItem::Loop(inner) => self.check_loop(inner, |check| check.items(&inner.body)),
            BlockItem::Step(step) => {
                let mut operands = step.operands().into_iter().flatten();
                operands.try_for_each(|operand| {
                    let mut rects = [operand.memory(), operand.dram()].into_iter().flatten();
                    rects.try_for_each(|tiles| self.require_inside(tiles, step.location))
                })
            }
            BlockItem::SlotEvent(_) => Ok(()),
        })
    }

    /// Checks that a rectangle begins inside of its tensor. It may end beyond it.
    fn require_inside(&self, tiles: &TileRect, location: LocationId) -> Result<(), Refusal> {
        let [down, across] = tiles.rectangles().map(i64::from);
        let down = down * i64::from(tiles.tensor.matrices);
        let (row, column) = (self.range(&tiles.row), self.range(&tiles.column));
        let fits = |range: Range, extent: i64| range.0 >= 0 && range.1 < extent;
        if fits(row, down) && fits(column, across) {
            self.require_words(&tiles.row, location)?;
            return self.require_words(&tiles.column, location);
        }
        Err(Refusal::for_op(
            location,
            format!(
                "accesses tile [{}, {}] of {}, which has only {down}x{across} tiles",
                show(row),
                show(column),
                tiles.tensor.memory
            ),
        ))
    }

    /// Checks that every subexpression fits 32 bits, so that the cores compute the same value.
    fn require_words(&self, expr: &Expr, location: LocationId) -> Result<(), Refusal> {
        if let Expr::Binary(_, a, b) = expr {
            self.require_words(a, location)?;
            self.require_words(b, location)?;
        }
        let range = self.range(expr);
        if WORDS.0 <= range.0 && range.1 <= WORDS.1 {
            return Ok(());
        }
        Err(Refusal::for_op(
            location,
            format!(
                "depends on an index whose value is {}, but the cores compute with 32 bits",
                show(range)
            ),
        ))
    }

    /// Returns an interval that contains all values of an expression.
    fn range(&self, expr: &Expr) -> Range {
        match expr {
            Expr::Constant(value) => (*value, *value),
            Expr::Var(var) => {
                let known = self.ranges.iter().find(|(v, _)| v == var);
                known.map_or((i64::MIN, i64::MAX), |(_, range)| *range)
            }
            Expr::Binary(op, a, b) => arithmetic(*op, self.range(a), self.range(b)),
        }
    }
}

fn show((least, greatest): Range) -> String {
    if least == greatest {
        least.to_string()
    } else {
        format!("{least} to {greatest}")
    }
}

/// Returns an interval of the results of an operation; that of all numbers if little is known.
fn arithmetic(op: Arith, a: Range, b: Range) -> Range {
    if let Some(signed) = op.signed() {
        let no_sign = a.0 >= 0 && b.0 >= 0;
        return match no_sign {
            true => arithmetic(signed, a, b),
            false => (i64::MIN, i64::MAX),
        };
    }
    let corners = |of: fn(i64, i64) -> i64| {
        let all = [of(a.0, b.0), of(a.0, b.1), of(a.1, b.0), of(a.1, b.1)];
        let least = all.iter().copied().fold(i64::MAX, i64::min);
        (least, all.into_iter().fold(i64::MIN, i64::max))
    };
    match op {
        Arith::Add => corners(i64::saturating_add),
        Arith::Sub => corners(i64::saturating_sub),
        Arith::Mul => corners(i64::saturating_mul),
        Arith::Min => corners(i64::min),
        Arith::Div if b.0 > 0 => corners(|a, b| a / b),
        Arith::Rem if b.0 > 0 && a.0 >= 0 => {
            if a.1 < b.0 {
                a
            } else {
                (0, b.1 - 1)
            }
        }
        _ => (i64::MIN, i64::MAX),
    }
}

#[cfg(test)]
mod tests;
