//! The work of a kernel as its cores walk through it: blocks, dealt to workers, and the steps
//! inside.

use tessera_dialects::mlir::Value;
use tessera_dialects::tensix::program::Argument;

use super::code::Code;
use super::expr::{Arith, Expr, Var};
use super::plan::{blocks_of, Block, Element, Hold, Item, Loop, Node, Pipe, Plan, Step, Target};
use super::thread::{Buffers, DST_HALF_ROWS};

/// What a core meets between blocks.
pub enum Met<'w> {
    /// A block.
    Block(&'w Block),
    /// A pop or a free.
    Hold(&'w Hold),
}

/// What a core meets inside of a block.
pub enum MetInside<'w> {
    /// A step.
    Step(&'w Step),
    /// A pop or a free.
    Hold(&'w Hold),
}

/// A plan, and how it is dealt to workers.
pub struct Work<'p> {
    /// Loops whose turns are dealt, outermost first.
    dealt: Vec<&'p Loop<Node>>,
    /// What each of these turns does.
    nodes: &'p [Node],
    /// Buffers in L1.
    pub buffers: Buffers,
    /// Fidelity phases.
    pub phases: u32,
    /// The ends of rings between tiles.
    pub pipes: &'p [Pipe],
    /// Whether all blocks use the same part of Dst.
    stays_in_dst: bool,
}

impl<'p> Work<'p> {
    /// Deals the turns of the loops that stand one in the other around everything, if no two of
    /// them store to the same place and their bounds are known; else all is one worker's. What runs
    /// on several tiles is dealt alike on all of them.
    pub fn of(plans: &[&'p Plan]) -> Vec<Self> {
        let mut dealt = vec![Vec::new(); plans.len()];
        let mut rest: Vec<&'p [Node]> = plans.iter().map(|plan| &plan.nodes[..]).collect();
        if plans.iter().all(|plan| independent(plan)) {
            while let Some(loops) = outermost(&rest) {
                for ((dealt, rest), of) in dealt.iter_mut().zip(&mut rest).zip(loops) {
                    dealt.push(of);
                    *rest = &of.body;
                }
            }
        }
        let parts = plans.iter().zip(dealt.into_iter().zip(rest));
        parts
            .map(|(plan, (dealt, nodes))| Work {
                buffers: Buffers::of(plan, &dealt, nodes),
                dealt,
                nodes,
                phases: plan.phases,
                pipes: &plan.pipes,
                stays_in_dst: plan.stays_in_dst(),
            })
            .collect()
    }

    /// The parts of Dst that blocks have in turn: both halves, or the same one always.
    pub fn halves(&self) -> u32 {
        if self.stays_in_dst {
            1
        } else {
            2
        }
    }

    /// The first row of the part of Dst behind the one that begins at a row.
    pub fn next_half<'a>(&self, code: &Code<'_, 'a>, half: Value<'a>) -> Value<'a> {
        match self.halves() {
            1 => half,
            _ => code.arith(Arith::Sub, code.constant(DST_HALF_ROWS.into()), half),
        }
    }

    /// The pipes that are popped from, with their numbers.
    pub fn popped_pipes(&self) -> impl Iterator<Item = (usize, &'p Pipe)> {
        let pipes = self.pipes.iter().enumerate();
        pipes.filter(|(_, pipe)| !pipe.pushes)
    }

    /// The pipes that are pushed to, with their numbers.
    pub fn pushed_pipes(&self) -> impl Iterator<Item = (usize, &'p Pipe)> {
        let pipes = self.pipes.iter().enumerate();
        pipes.filter(|(_, pipe)| pipe.pushes)
    }

    /// What results are rounded to.
    pub fn element(&self) -> Element {
        let blocks = self.blocks_of();
        let mut stores = blocks.iter().flat_map(|block| &block.stores);
        stores.next().map_or(Element::Bf16, |store| store.element)
    }

    /// How many pieces there are to deal.
    pub fn pieces(&self) -> u64 {
        self.dealt.iter().filter_map(|of| of.trip()).product()
    }

    /// What each piece does.
    pub fn nodes(&self) -> &'p [Node] {
        self.nodes
    }

    /// The blocks of a piece, each once.
    pub fn blocks_of(&self) -> Vec<&'p Block> {
        blocks_of(self.nodes)
    }

    /// Walks through a worker's pieces, and through every block of each.
    pub fn blocks<'r, 'a>(
        &self,
        code: &mut Code<'r, 'a>,
        mut block: impl FnMut(&mut Code<'r, 'a>, &Block),
    ) {
        self.walk(
            code,
            |_, _| (),
            |code, met| {
                if let Met::Block(of) = met {
                    block(code, of);
                }
            },
        );
    }

    /// Walks through a worker's pieces, and through everything in each; `start` says what is done
    /// at the start of a piece.
    pub fn walk<'r, 'a>(
        &self,
        code: &mut Code<'r, 'a>,
        mut start: impl FnMut(&mut Code<'r, 'a>, &Turn<'a>),
        mut meet: impl FnMut(&mut Code<'r, 'a>, Met),
    ) {
        let first = code.argument(Argument::First);
        let last = code.argument(Argument::Last);
        let one = code.constant(1);
        code.r#for([first, last, one], |code, piece| {
            let [column, row] = self.deal(code, piece);
            let turn = Turn {
                piece,
                first,
                column,
                row,
            };
            start(code, &turn);
            nodes(code, self.nodes, &mut meet);
        });
    }

    /// Gives the variables of the dealt loops their values in a piece. Tells which column it is of
    /// its strip, and which row.
    ///
    /// Pieces are counted along the rows of a strip, then down, then from strip to strip.
    fn deal<'a>(&self, code: &mut Code<'_, 'a>, piece: Value<'a>) -> [Value<'a>; 2] {
        let trips: Vec<u64> = self.dealt.iter().filter_map(|of| of.trip()).collect();
        let Some((columns, around)) = trips.split_last() else {
            let zero = code.constant(0);
            return [zero, zero];
        };
        let strip = self.buffers.rings.strip;
        let (rows, outer) = match around.split_last() {
            Some((rows, outer)) => (*rows, outer),
            None => (1, around),
        };
        let radices = [strip, rows, columns / strip].into_iter();
        let radices: Vec<u64> = radices.chain(outer.iter().rev().copied()).collect();
        let digits = digits(code, piece, &radices);
        let [column, row, number, outer @ ..] = &digits[..] else {
            unreachable!("there are three digits at least")
        };
        let strips = code.arith_by(Arith::Mul, *number, strip as i64);
        let innermost = code.arith(Arith::Add, strips, *column);
        let turns = [innermost, *row].into_iter().chain(outer.iter().copied());
        for (of, turn) in self.dealt.iter().rev().zip(turns) {
            let value = code.arith_by(Arith::Mul, turn, of.step);
            let value = code.arith(Arith::Add, value, code.expr(&of.low));
            code.set(of.var, value);
        }
        [*column, *row]
    }
}

/// A piece of work when it begins.
pub struct Turn<'a> {
    /// Its number.
    pub piece: Value<'a>,
    /// The number of the worker's first piece.
    pub first: Value<'a>,
    /// Turns of the innermost dealt loop, counted within the strip.
    pub column: Value<'a>,
    /// Turns of the loop around it.
    pub row: Value<'a>,
}

/// The digits of a number in a system of mixed radices, the least significant one first.
fn digits<'a>(code: &Code<'_, 'a>, number: Value<'a>, radices: &[u64]) -> Vec<Value<'a>> {
    let mut rest = number;
    let mut digits = Vec::new();
    for (at, radix) in radices.iter().enumerate() {
        let is_last = radices[at + 1..].iter().all(|radix| *radix == 1);
        digits.push(match radix {
            1 => code.constant(0),
            _ if is_last => rest,
            radix => code.arith_by(Arith::Rem, rest, *radix as i64),
        });
        if !is_last && *radix != 1 {
            rest = code.arith_by(Arith::Div, rest, *radix as i64);
        }
    }
    digits
}

/// The loops around everything, one for each, if there are such, which turn a known number of times
/// and have the same bounds. A loop that never turns has nothing to deal.
fn outermost<'p>(all: &[&'p [Node]]) -> Option<Vec<&'p Loop<Node>>> {
    let around = |nodes: &&'p [Node]| match nodes {
        [Node::Loop(inner)] => inner.trip().filter(|turns| *turns > 0).and(Some(inner)),
        _ => None,
    };
    let loops: Vec<_> = all.iter().map(around).collect::<Option<_>>()?;
    let bounds = |of: &Loop<Node>| (of.low.constant(), of.high.constant(), of.step);
    let agree = loops
        .windows(2)
        .all(|pair| bounds(pair[0]) == bounds(pair[1]));
    (agree && !loops.is_empty()).then_some(loops)
}

fn nodes<'r, 'a>(
    code: &mut Code<'r, 'a>,
    of: &[Node],
    meet: &mut impl FnMut(&mut Code<'r, 'a>, Met),
) {
    for node in of {
        match node {
            Node::Loop(inner) => code.looped(inner, |code, body| nodes(code, body, meet)),
            Node::Block(of) => meet(code, Met::Block(of)),
            Node::Hold(hold) => meet(code, Met::Hold(hold)),
        }
    }
}

/// Walks through the steps of a block.
pub fn steps<'r, 'a>(
    code: &mut Code<'r, 'a>,
    items: &[Item],
    step: &mut impl FnMut(&mut Code<'r, 'a>, &Step),
) {
    inside(code, items, &mut |code, met| {
        if let MetInside::Step(of) = met {
            step(code, of);
        }
    });
}

/// Walks through everything in a block before its vector program.
pub fn inside<'r, 'a>(
    code: &mut Code<'r, 'a>,
    items: &[Item],
    meet: &mut impl FnMut(&mut Code<'r, 'a>, MetInside),
) {
    for item in items {
        match item {
            Item::Loop(inner) => code.looped(inner, |code, body| inside(code, body, meet)),
            Item::Step(of) => meet(code, MetInside::Step(of)),
            Item::Hold(hold) => meet(code, MetInside::Hold(hold)),
        }
    }
}

/// The most turns of loops that are looked at one by one.
const MOST_TURNS: usize = 1 << 20;

/// Whether no two turns of the loops store to the same place; not if there are more turns than are
/// looked at.
fn independent(plan: &Plan) -> bool {
    let mut seen = std::collections::HashSet::new();
    let mut left = MOST_TURNS;
    visit(
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
                match (value(&to.row), value(&to.column)) {
                    (Some(row), Some(column)) => seen.insert((to.tensor.arg, row, column)),
                    _ => false,
                }
            })
        },
    )
}

/// Calls `block` for every turn of the loops around each block, with the values of their variables,
/// as long as it says so; stops when no turns are left, too.
fn visit(
    of: &[Node],
    vars: &mut Vec<(Var, i64)>,
    left: &mut usize,
    block: &mut impl FnMut(&Block, &[(Var, i64)]) -> bool,
) -> bool {
    of.iter().all(|node| match node {
        Node::Block(of) => block(of, vars),
        Node::Hold(_) => true,
        Node::Loop(inner) => {
            let (Some(low), Some(trip)) = (inner.low.constant(), inner.trip()) else {
                return false;
            };
            (0..trip as i64).all(|turn| {
                let Some(rest) = left.checked_sub(1) else {
                    return false;
                };
                *left = rest;
                vars.push((inner.var, low + turn * inner.step));
                let goes_on = visit(&inner.body, vars, left, block);
                vars.pop();
                goes_on
            })
        }
    })
}

#[cfg(test)]
mod tests;
