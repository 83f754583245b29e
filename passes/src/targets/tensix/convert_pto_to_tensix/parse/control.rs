//! Loops, and the places where the two kernels of a group meet.

use tessera_dialects::mlir::{Op, Reported};

use super::super::block::Value as Known;
use super::super::expr::Expr;
use super::super::plan::{Item, Loop, Node};
use super::{promised, Parser};

/// Whether an operation has pushes or pops in it.
fn communicates(op: Op) -> bool {
    ["pto.tpush", "pto.tpop"]
        .iter()
        .any(|name| op.is(name) || (!op.regions().is_empty() && !op.find_all(name).is_empty()))
}

impl<'a> Parser<'_, 'a> {
    /// Reads two bodies side by side; they meet where they communicate.
    pub(super) fn ops(&mut self, first: &[Op<'a>], vector: &[Op<'a>]) -> Result<(), Reported> {
        let (mut rest, mut vector_rest) = (first, vector);
        loop {
            let meets = self.until_communication(&mut rest)?;
            let vector_meets = self.until_communication(&mut vector_rest)?;
            let (op, other) = match (meets, vector_meets) {
                (None, None) => return Ok(()),
                (Some(op), None) | (None, Some(op)) => {
                    return Err(op.error(
                        "talks to the other kernel of its group at a place where that one has no counterpart",
                    ))
                }
                (Some(op), Some(other)) => (op, other),
            };
            match (op.name(), other.name()) {
                ("pto.tpush", "pto.tpop") => {
                    let value = self.operand(op, 0)?;
                    self.define(other, value)?;
                }
                ("scf.for", "scf.for") => self.r#for(op, Some(other))?,
                ("pto.tpop", _) => {
                    return Err(op.error(
                        "pops on the cube side, which kernels that share a core cannot; give the group placement = \
                         #pto.placement<cluster>",
                    ))
                }
                _ => {
                    return Err(op.error(format!(
                        "meets '{}' of the vector kernel; the two kernels of a group that share a core have the same loops \
                         around what crosses",
                        other.name()
                    )))
                }
            }
        }
    }

    /// Reads operations up to the first that communicates, and takes that one off the list.
    fn until_communication(&mut self, ops: &mut &[Op<'a>]) -> Result<Option<Op<'a>>, Reported> {
        while let Some((op, rest)) = ops.split_first() {
            *ops = rest;
            if self.member.is_none() && communicates(*op) {
                return Ok(Some(*op));
            }
            self.op(*op)?;
        }
        Ok(None)
    }

    /// Reads a loop, or two of which each is the other's counterpart.
    pub(super) fn r#for(&mut self, op: Op<'a>, vector: Option<Op<'a>>) -> Result<(), Reported> {
        let [low, high, step] = self.bounds(op)?;
        if let Some(vector) = vector {
            if self.bounds(vector)? != [low.clone(), high.clone(), step.clone()] {
                return Err(
                    vector.error("has other bounds than its counterpart in the cube kernel")
                );
            }
        }
        let step = step.constant().filter(|step| *step > 0);
        let step = step.ok_or_else(|| {
            op.error("has a step that is no positive constant; a loop counts upwards")
        })?;
        let var = self.vars;
        self.vars += 1;
        let inner = Loop {
            var,
            low,
            high,
            step,
            body: Vec::new(),
            place: self.place(op),
        };
        let carried = op.operands().into_iter().skip(3);
        let carried: Vec<Known> = carried
            .map(|value| self.known(op, value))
            .collect::<Result<_, _>>()?;
        if matches!(carried[..], [Known::Kept(_)]) && vector.is_none() {
            return self.loop_of_folds(op, inner);
        }
        if op.operand_count() > 3 {
            return match vector {
                None => self.loop_of_steps(op, inner),
                Some(_) => Err(
                    op.error("carries a tile past a push, which kernels that share a core cannot")
                ),
            };
        }
        self.loop_of_blocks(op, vector, inner)
    }

    fn bounds(&self, op: Op<'a>) -> Result<[Expr; 3], Reported> {
        Ok([self.index(op, 0)?, self.index(op, 1)?, self.index(op, 2)?])
    }

    fn loop_of_blocks(
        &mut self,
        op: Op<'a>,
        vector: Option<Op<'a>>,
        header: Loop<Node>,
    ) -> Result<(), Reported> {
        self.close()?;
        let mut bodies = Vec::new();
        for op in [Some(op), vector].into_iter().flatten() {
            let body = promised(op, op.body())?;
            let variable = body.arguments()[0];
            self.values
                .insert(variable, Known::Index(Expr::Var(header.var)));
            bodies.push(body.ops());
        }
        if let Some(vector) = vector.filter(|vector| vector.operand_count() > 3) {
            return Err(vector.error("carries values, which only loops over products can"));
        }
        self.nodes.push(Vec::new());
        self.ops(&bodies[0], bodies.get(1).map_or(&[], |ops| ops))?;
        self.close()?;
        let body = self.nodes.pop().unwrap_or_default();
        if !body.is_empty() {
            self.emit(Node::Loop(Loop { body, ..header }));
        }
        Ok(())
    }

    /// Reads a loop that carries accumulators.
    fn loop_of_steps(&mut self, op: Op<'a>, header: Loop<Node>) -> Result<(), Reported> {
        let body = promised(op, op.body())?;
        let arguments = body.arguments();
        let carried = &op.operands()[3..];
        let mut accumulators = Vec::new();
        for (value, argument) in carried.iter().zip(&arguments[1..]) {
            let accumulator = self.accumulator(op, *value)?;
            accumulators.push(accumulator);
            let current = self.open_at(op)?.current(accumulator);
            self.values.insert(*argument, current);
        }
        self.values
            .insert(arguments[0], Known::Index(Expr::Var(header.var)));
        self.open_at(op)?.items.push(Vec::new());
        for op in body.ops() {
            if op.is("scf.for") && op.operand_count() == 3 {
                return Err(op.error("stands in a loop over products, but carries none of them"));
            }
            self.op(op)?;
        }
        let end = promised(op, body.terminator())?;
        for (value, accumulator) in end.operands().into_iter().zip(&accumulators) {
            if self.accumulator(end, value)? != *accumulator {
                return Err(end.error("exchanges accumulators; each is changed in place"));
            }
        }
        let open = self.open_at(op)?;
        let items = open.items.pop().unwrap_or_default();
        open.item(Item::Loop(Loop {
            var: header.var,
            low: header.low,
            high: header.high,
            step: header.step,
            body: items,
            place: header.place,
        }));
        for (result, accumulator) in op.results().into_iter().zip(accumulators) {
            let current = self.open_at(op)?.current(accumulator);
            self.values.insert(result, current);
        }
        Ok(())
    }
}
