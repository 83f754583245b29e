//! The work of a kernel as its cores walk through it: blocks, dealt to workers, and the steps inside.

use tessera_dialects::tensix::program::Argument;

use super::code::Code;
use super::expr::{Arith, Expr, Var};
use super::plan::{blocks_of, Block, Item, Loop, Node, Plan, Step};
use super::thread::Buffers;

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
}

impl<'p> Work<'p> {
    /// Deals the turns of the loops that stand one in the other around everything, if no two of them store to the same place
    /// and their bounds are known; else all is one worker's.
    pub fn of(plan: &'p Plan) -> Self {
        let mut dealt = Vec::new();
        let mut nodes = &plan.nodes[..];
        if independent(plan) {
            while let [Node::Loop(inner)] = nodes {
                if inner.trip().is_none() {
                    break;
                }
                dealt.push(inner);
                nodes = &inner.body;
            }
        }
        Work {
            dealt,
            nodes,
            buffers: Buffers::of(plan),
            phases: plan.phases,
        }
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
        let first = code.argument(Argument::First);
        let last = code.argument(Argument::Last);
        let one = code.constant(1);
        code.r#for([first, last, one], |code, piece| {
            let mut rest = piece;
            for (number, of) in self.dealt.iter().enumerate().rev() {
                let trip = of.trip().unwrap_or(1) as i64;
                let turn = if number == 0 {
                    rest
                } else {
                    let turn = code.arith_by(Arith::Rem, rest, trip);
                    rest = code.arith_by(Arith::Div, rest, trip);
                    turn
                };
                let value = code.arith_by(Arith::Mul, turn, of.step);
                let value = code.arith(Arith::Add, value, code.expr(&of.low));
                code.set(of.var, value);
            }
            nodes(code, self.nodes, &mut block);
        });
    }
}

fn nodes<'r, 'a>(
    code: &mut Code<'r, 'a>,
    of: &[Node],
    block: &mut impl FnMut(&mut Code<'r, 'a>, &Block),
) {
    for node in of {
        match node {
            Node::Loop(inner) => code.looped(inner, |code, body| nodes(code, body, block)),
            Node::Block(of) => block(code, of),
        }
    }
}

/// Walks through the steps of a block.
pub fn steps<'r, 'a>(
    code: &mut Code<'r, 'a>,
    items: &[Item],
    step: &mut impl FnMut(&mut Code<'r, 'a>, &Step),
) {
    for item in items {
        match item {
            Item::Loop(inner) => code.looped(inner, |code, body| steps(code, body, step)),
            Item::Step(of) => step(code, of),
        }
    }
}

/// The most turns of loops that are looked at one by one.
const MOST_TURNS: usize = 1 << 20;

/// Whether no two turns of the loops store to the same place; not if there are more turns than are looked at.
fn independent(plan: &Plan) -> bool {
    let mut seen = std::collections::HashSet::new();
    visit(&plan.nodes, &mut Vec::new(), &mut |block, vars| {
        block.stores.iter().all(|store| {
            let value = |expr: &Expr| {
                expr.value(&|var| {
                    vars.iter()
                        .find(|(v, _)| *v == var)
                        .map_or(0, |(_, value)| *value)
                })
            };
            match (value(&store.to.row), value(&store.to.column)) {
                (Some(row), Some(column)) => {
                    seen.len() < MOST_TURNS && seen.insert((store.to.tensor.arg, row, column))
                }
                _ => false,
            }
        })
    })
}

/// Calls `block` for every turn of the loops around each block, with the values of their variables, as long as it says so.
fn visit(
    of: &[Node],
    vars: &mut Vec<(Var, i64)>,
    block: &mut impl FnMut(&Block, &[(Var, i64)]) -> bool,
) -> bool {
    of.iter().all(|node| match node {
        Node::Block(of) => block(of, vars),
        Node::Loop(inner) => {
            let (Some(low), Some(trip)) = (inner.low.constant(), inner.trip()) else {
                return false;
            };
            (0..trip as i64).all(|turn| {
                vars.push((inner.var, low + turn * inner.step));
                let goes_on = visit(&inner.body, vars, block);
                vars.pop();
                goes_on
            })
        }
    })
}
