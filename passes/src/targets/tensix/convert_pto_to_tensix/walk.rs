//! The walk of a core over a plan: pieces of work, distributed to workers, their blocks and the
//! steps inside.
//!
//! The outermost perfectly nested loops of a plan are *distributed*: their iterations are numbered
//! as *pieces*, and each worker executes an interval of pieces. With [`Multicast`], workers form a
//! grid that is laid over the grid of pieces in *passes*. All cores of a tile use the same walk.

use tessera_dialects::mlir::Value;
use tessera_dialects::tensix::program::Argument;
use tessera_tensix_code::TilePart;

use super::code_builder::CodeBuilder;
use super::expr::{Arith, Expr, Var};
use super::multicast::Multicast;
use super::plan::{
    collect_blocks, Block, BlockItem, Element, Loop, Node, Pipe, Plan, SlotEvent, Step, Target,
};
use super::resources::{counter, L1Layout, DST_HALF_ROWS};
use super::stages::{self, locals_are_fresh};

/// An event of the walk between blocks.
pub enum WalkEvent<'w> {
    /// A block.
    Block(&'w Block),
    /// A pop or a free.
    SlotEvent(&'w SlotEvent),
    /// The start of the stage with this number.
    StageStart(usize),
}

/// An event of the walk inside of a block.
pub enum BlockEvent<'w> {
    /// A step.
    Step(&'w Step),
    /// A pop or a free.
    SlotEvent(&'w SlotEvent),
}

/// A part of a kernel with an L1 layout and a configuration of the units.
pub struct Stage<'p> {
    nodes: &'p [Node],
    /// The L1 layout.
    pub l1: L1Layout,
}

impl<'p> Stage<'p> {
    /// Returns its nodes.
    pub fn nodes(&self) -> &'p [Node] {
        self.nodes
    }

    /// Returns its blocks, those of loops once.
    pub fn blocks(&self) -> Vec<&'p Block> {
        collect_blocks(self.nodes)
    }

    /// Returns the element type of the first result, or bf16 if there is none.
    pub fn element(&self) -> Element {
        let blocks = self.blocks();
        let mut stores = blocks.iter().flat_map(|block| &block.stores);
        stores.next().map_or(Element::Bf16, |store| store.element)
    }
}

/// A plan and its distribution to workers.
pub struct Work<'p> {
    /// Distributed loops, outermost first.
    distributed: Vec<&'p Loop<Node>>,
    /// The body of the innermost distributed loop.
    nodes: &'p [Node],
    /// The stages of the body; a kernel without stages is one.
    pub stages: Vec<Stage<'p>>,
    /// Fidelity phases.
    pub phases: u32,
    /// The ends of rings between tiles.
    pub pipes: &'p [Pipe],
    /// The multicast of operands, if the tiles that execute pieces exchange them.
    pub multicast: Option<Multicast>,
    /// Whether all blocks use the same part of Dst.
    stays_in_dst: bool,
    /// The variable that counts the halves of each row of tiles, if pieces are such halves.
    row_half: Option<Var>,
}

impl<'p> Work<'p> {
    /// Distributes the outermost perfectly nested loops that all plans have in common with equal
    /// constant bounds, if in no plan two iterations store to the same place in DRAM, or one reads
    /// what another left in local tensors. Without such loops everything is one piece. The plans of
    /// a cluster's tiles are distributed alike.
    pub fn distribute(plans: &[&'p Plan]) -> Vec<Self> {
        let mut distributed = vec![Vec::new(); plans.len()];
        let mut rest: Vec<&'p [Node]> = plans.iter().map(|plan| &plan.nodes[..]).collect();
        if plans
            .iter()
            .all(|plan| stores_are_disjoint(plan) && locals_are_fresh(plan))
        {
            while let Some(loops) = common_outer_loops(&rest) {
                for ((distributed, rest), of) in distributed.iter_mut().zip(&mut rest).zip(loops) {
                    distributed.push(of);
                    *rest = &of.body;
                }
            }
        }
        let parts = plans.iter().zip(distributed.into_iter().zip(rest));
        parts
            .map(|(plan, (distributed, nodes))| Work::new(plan, distributed, nodes))
            .collect()
    }

    fn new(plan: &'p Plan, distributed: Vec<&'p Loop<Node>>, nodes: &'p [Node]) -> Self {
        let multicast = Multicast::choose(plan, &distributed, nodes);
        let stages = stages::split(nodes);
        let layouts = L1Layout::of_stages(plan, &distributed, &stages, multicast.as_ref());
        let stages = stages.into_iter().zip(layouts);
        Work {
            stages: stages.map(|(nodes, l1)| Stage { nodes, l1 }).collect(),
            distributed,
            nodes,
            phases: plan.phases,
            pipes: &plan.pipes,
            multicast,
            stays_in_dst: plan.stays_in_dst(),
            row_half: plan.row_half,
        }
    }

    /// Returns the part of each tile that pieces compute.
    pub fn part(&self) -> TilePart {
        match self.row_half {
            Some(_) => TilePart::UpperHalf,
            None => TilePart::Whole,
        }
    }

    /// Builds the number of the half of tiles in memory that the current piece computes, or returns
    /// `None` if it computes whole tiles.
    pub fn row_half<'a>(&self, code: &CodeBuilder<'_, 'a>) -> Option<Value<'a>> {
        self.row_half.map(|half| code.expr(&Expr::Var(half)))
    }

    /// Returns the number of parts of Dst that blocks alternate between: 2 for both halves, or 1.
    pub fn dst_parts(&self) -> u32 {
        if self.stays_in_dst {
            1
        } else {
            2
        }
    }

    /// Builds the first row of the next part of Dst, given that of the current one.
    pub fn next_half<'a>(&self, code: &CodeBuilder<'_, 'a>, half: Value<'a>) -> Value<'a> {
        match self.dst_parts() {
            1 => half,
            _ => code.arith(Arith::Sub, code.constant(DST_HALF_ROWS.into()), half),
        }
    }

    /// Iterates over the pipes that are popped from, with their indices in `pipes`.
    pub fn popped_pipes(&self) -> impl Iterator<Item = (usize, &'p Pipe)> {
        let pipes = self.pipes.iter().enumerate();
        pipes.filter(|(_, pipe)| !pipe.pushes)
    }

    /// Iterates over the pipes that are pushed to, with their indices in `pipes`.
    pub fn pushed_pipes(&self) -> impl Iterator<Item = (usize, &'p Pipe)> {
        let pipes = self.pipes.iter().enumerate();
        pipes.filter(|(_, pipe)| pipe.pushes)
    }

    /// Returns the number of positions in rings that a core's state has.
    pub fn position_count(&self) -> usize {
        let counts = self.stages.iter();
        let counts = counts.map(|stage| stage.l1.rings.positions().len());
        counts.max().unwrap_or_default()
    }

    /// Returns the number of values of a core's state that count starts of stages: 1, or 0 if there
    /// are no starts.
    pub fn start_counts(&self) -> usize {
        usize::from(self.only_stage().is_none())
    }

    /// Returns the number of pieces.
    pub fn pieces(&self) -> u64 {
        self.distributed
            .iter()
            .filter_map(|of| of.trip_count())
            .product()
    }

    /// Returns the blocks of a piece, those of loops once.
    pub fn piece_blocks(&self) -> Vec<&'p Block> {
        collect_blocks(self.nodes)
    }

    /// Returns the only stage, or `None` if stages have starts.
    pub fn only_stage(&self) -> Option<&Stage<'p>> {
        match &self.stages[..] {
            [only] => Some(only),
            _ => None,
        }
    }

    /// Builds a loop over a worker's pieces. Calls `on_event` for every block, slot event and start
    /// of a stage in it.
    pub fn for_each_event<'r, 'a>(
        &self,
        code: &mut CodeBuilder<'r, 'a>,
        on_event: impl FnMut(&mut CodeBuilder<'r, 'a>, WalkEvent),
    ) {
        self.walk(code, |_, _| (), on_event);
    }

    /// Builds a loop over a worker's pieces. Calls `start` at the start of a piece, and `on_event`
    /// for every block, slot event and start of a stage in it.
    pub fn walk<'r, 'a>(
        &self,
        code: &mut CodeBuilder<'r, 'a>,
        mut start: impl FnMut(&mut CodeBuilder<'r, 'a>, &PieceStart<'a>),
        mut on_event: impl FnMut(&mut CodeBuilder<'r, 'a>, WalkEvent),
    ) {
        let first = code.argument(Argument::First);
        let last = code.argument(Argument::Last);
        let one = code.constant(1);
        code.for_loop([first, last, one], |code, piece| {
            let [column, row] = self.bind_piece(code, piece);
            let piece_start = PieceStart {
                piece,
                first,
                column,
                row,
            };
            start(code, &piece_start);
            walk_nodes(code, self.nodes, &mut on_event);
        });
    }

    /// Binds the variables of the distributed loops in a piece. Returns the piece's column within
    /// its strip, and its row.
    ///
    /// Pieces are numbered along the rows of a strip, then down, then from strip to strip. The
    /// piece number is a mixed-radix number with these digits.
    fn bind_piece<'a>(&self, code: &mut CodeBuilder<'_, 'a>, piece: Value<'a>) -> [Value<'a>; 2] {
        let trips: Vec<u64> = self
            .distributed
            .iter()
            .filter_map(|of| of.trip_count())
            .collect();
        let Some((columns, around)) = trips.split_last() else {
            let zero = code.constant(0);
            return [zero, zero];
        };
        if self.multicast.is_some() {
            return self.bind_pass(code, piece, &trips);
        }
        let strip = self.stages[0].l1.rings.strip;
        let (rows, outer) = match around.split_last() {
            Some((rows, outer)) => (*rows, outer),
            None => (1, around),
        };
        let radices = [strip, rows, columns / strip].into_iter();
        let radices: Vec<u64> = radices.chain(outer.iter().rev().copied()).collect();
        let digits = mixed_radix_digits(code, piece, &radices);
        let [column, row, number, outer @ ..] = &digits[..] else {
            unreachable!("there are three digits at least")
        };
        let strips = code.arith_const(Arith::Mul, *number, strip as i64);
        let innermost = code.arith(Arith::Add, strips, *column);
        self.bind_turns(code, [innermost, *row], outer);
        [*column, *row]
    }

    /// Binds the variables of the distributed loops in a pass of the grid of tiles over the grid of
    /// pieces. Returns the pass's number along its row, and the number of that row.
    fn bind_pass<'a>(
        &self,
        code: &mut CodeBuilder<'_, 'a>,
        pass: Value<'a>,
        trips: &[u64],
    ) -> [Value<'a>; 2] {
        let [down, across] = [0, 1].map(|axis| code.argument(Argument::Passes(axis)));
        let column = code.arith(Arith::Rem, pass, across);
        let rest = code.arith(Arith::Div, pass, across);
        let (row, outer) = match &trips[..trips.len() - 2] {
            [] => (rest, Vec::new()),
            outer => {
                let radices: Vec<u64> = outer.iter().rev().copied().collect();
                let matrix = code.arith(Arith::Div, rest, down);
                let row = code.arith(Arith::Rem, rest, down);
                (row, mixed_radix_digits(code, matrix, &radices))
            }
        };
        let turn = |pass: Value<'a>, axis: u32| {
            let first = code.arith(Arith::Mul, pass, code.argument(Argument::Extent(axis)));
            code.arith(Arith::Add, first, code.argument(Argument::Place(axis)))
        };
        let turns = [turn(column, 1), turn(row, 0)];
        self.bind_turns(code, turns, &outer);
        [column, row]
    }

    /// Binds the variables of the distributed loops, given the iterations of the innermost two and
    /// of the others, from the inside out.
    fn bind_turns<'a>(
        &self,
        code: &mut CodeBuilder<'_, 'a>,
        inner: [Value<'a>; 2],
        outer: &[Value<'a>],
    ) {
        let turns = inner.into_iter().chain(outer.iter().copied());
        for (of, turn) in self.distributed.iter().rev().zip(turns) {
            let value = code.arith_const(Arith::Mul, turn, of.step);
            let value = code.arith(Arith::Add, value, code.expr(&of.low));
            code.bind_var(of.var, value);
        }
    }
}

/// Builds the wait for the start of a stage, until everything before it is complete. The core
/// counts starts in the value of its state with index `count`.
pub fn wait_for_stage(code: &mut CodeBuilder<'_, '_>, count: usize) {
    let next = code.arith_const(Arith::Add, code.state[count], 1);
    code.wait_for_counter(counter::STAGE, next);
    code.state[count] = next;
}

/// The values that identify a piece at its start.
pub struct PieceStart<'a> {
    /// Number of the piece.
    pub piece: Value<'a>,
    /// Number of the worker's first piece.
    pub first: Value<'a>,
    /// Iteration of the innermost distributed loop, within the strip.
    pub column: Value<'a>,
    /// Iteration of the next outer distributed loop.
    pub row: Value<'a>,
}

/// Builds the digits of a mixed-radix number, the least significant first.
fn mixed_radix_digits<'a>(
    code: &CodeBuilder<'_, 'a>,
    number: Value<'a>,
    radices: &[u64],
) -> Vec<Value<'a>> {
    let mut rest = number;
    let mut digits = Vec::new();
    for (at, radix) in radices.iter().enumerate() {
        let is_last = radices[at + 1..].iter().all(|radix| *radix == 1);
        digits.push(match radix {
            1 => code.constant(0),
            _ if is_last => rest,
            radix => code.arith_const(Arith::Rem, rest, *radix as i64),
        });
        if !is_last && *radix != 1 {
            rest = code.arith_const(Arith::Div, rest, *radix as i64);
        }
    }
    digits
}

/// Returns the loop that encloses everything in each plan, if there is one, and all of them have
/// the same constant bounds. Loops without iterations do not count.
fn common_outer_loops<'p>(all: &[&'p [Node]]) -> Option<Vec<&'p Loop<Node>>> {
    let around = |nodes: &&'p [Node]| match nodes {
        [Node::Loop(inner)] => inner
            .trip_count()
            .filter(|turns| *turns > 0)
            .and(Some(inner)),
        _ => None,
    };
    let loops: Vec<_> = all.iter().map(around).collect::<Option<_>>()?;
    let bounds = |of: &Loop<Node>| (of.low.constant(), of.high.constant(), of.step);
    let agree = loops
        .windows(2)
        .all(|pair| bounds(pair[0]) == bounds(pair[1]));
    (agree && !loops.is_empty()).then_some(loops)
}

fn walk_nodes<'r, 'a>(
    code: &mut CodeBuilder<'r, 'a>,
    of: &[Node],
    on_event: &mut impl FnMut(&mut CodeBuilder<'r, 'a>, WalkEvent),
) {
    for node in of {
        match node {
            Node::Loop(inner) => {
                code.emit_loop(inner, |code, body| walk_nodes(code, body, on_event))
            }
            Node::Block(of) => on_event(code, WalkEvent::Block(of)),
            Node::SlotEvent(slot_event) => on_event(code, WalkEvent::SlotEvent(slot_event)),
            Node::StageStart(number) => on_event(code, WalkEvent::StageStart(*number)),
        }
    }
}

/// Builds the loops of a block and calls `step` for every step.
pub fn walk_steps<'r, 'a>(
    code: &mut CodeBuilder<'r, 'a>,
    items: &[BlockItem],
    step: &mut impl FnMut(&mut CodeBuilder<'r, 'a>, &Step),
) {
    walk_items(code, items, &mut |code, event| {
        if let BlockEvent::Step(of) = event {
            step(code, of);
        }
    });
}

/// Builds the loops of a block and calls `on_event` for every step and slot event.
pub fn walk_items<'r, 'a>(
    code: &mut CodeBuilder<'r, 'a>,
    items: &[BlockItem],
    on_event: &mut impl FnMut(&mut CodeBuilder<'r, 'a>, BlockEvent),
) {
    for item in items {
        match item {
            BlockItem::Loop(inner) => {
                code.emit_loop(inner, |code, body| walk_items(code, body, on_event))
            }
            BlockItem::Step(of) => on_event(code, BlockEvent::Step(of)),
            BlockItem::SlotEvent(slot_event) => on_event(code, BlockEvent::SlotEvent(slot_event)),
        }
    }
}

/// Maximum number of iterations that are checked one by one.
pub const MAX_ITERATIONS: usize = 1 << 20;

/// Returns whether no two stores to memory, in any iterations, write the same tile of a tensor.
/// Conservatively `false` if an index cannot be evaluated, if a bound is not constant, or
/// if there are more iterations than [`MAX_ITERATIONS`]. Pushes are not considered.
fn stores_are_disjoint(plan: &Plan) -> bool {
    let mut seen = std::collections::HashSet::new();
    let mut left = MAX_ITERATIONS;
    for_each_iteration(
        &plan.nodes,
        &mut Vec::new(),
        &mut left,
        &mut |block, vars| {
            block.stores.iter().all(|store| {
                let value = |expr: &Expr| {
                    expr.value(&|var| {
                        vars.iter()
                            .find(|(v, _)| *v == var)
                            .map_or(0, |(_, value)| *value)
                    })
                };
                let Target::Memory(to) = &store.to else {
                    return true;
                };
                let Some(argument) = to.tensor.argument() else {
                    return true;
                };
                let [rows, columns] = to.shape.map(i128::from);
                let (Some(row), Some(column)) = (value(&to.row), value(&to.column)) else {
                    return false;
                };
                let tiles = (0..rows).flat_map(|r| (0..columns).map(move |c| (r, c)));
                let mut tiles = tiles
                    .map(|(r, c)| (i128::from(row) * rows + r, i128::from(column) * columns + c));
                let half = plan.row_half.and_then(|half| value(&Expr::Var(half)));
                tiles.all(|(row, column)| seen.insert((argument, row, column, half)))
            })
        },
    )
}

/// Calls `block` for every iteration of every block, with the values of the loop variables. Stops
/// and returns `false` if `block` does, if a bound is not constant, or if more than `left`
/// iterations are needed.
fn for_each_iteration(
    of: &[Node],
    vars: &mut Vec<(Var, i64)>,
    left: &mut usize,
    block: &mut impl FnMut(&Block, &[(Var, i64)]) -> bool,
) -> bool {
    of.iter().all(|node| match node {
        Node::Block(of) => block(of, vars),
        Node::SlotEvent(_) | Node::StageStart(_) => true,
        Node::Loop(inner) => {
            let (Some(low), Some(trip)) = (inner.low.constant(), inner.trip_count()) else {
                return false;
            };
            (0..trip as i64).all(|turn| {
                let Some(rest) = left.checked_sub(1) else {
                    return false;
                };
                *left = rest;
                vars.push((inner.var, low + turn * inner.step));
                let goes_on = for_each_iteration(&inner.body, vars, left, block);
                vars.pop();
                goes_on
            })
        }
    })
}

#[cfg(test)]
mod tests;
