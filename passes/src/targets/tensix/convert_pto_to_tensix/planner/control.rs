//! Loops, and the lock-step execution of the two kernels of a group that share a core.

use tessera_dialects::{pto, scf};
use tessera_pto::kernel::{Op, OpKind, Region};

use super::super::block_builder::SymbolicValue;
use super::super::expr::Expr;
use super::super::plan::{BlockItem, Loop, Node};
use super::super::refusal::{Refusal, Subject};
use super::{OpRef, Ops, Planner};

/// Returns whether an operation is, or contains, a push or a pop.
fn has_communication(op: &Op) -> bool {
    let any = |region: &Region| region.ops.iter().any(has_communication);
    match &op.kind {
        OpKind::Push { .. } | OpKind::Pop { .. } => true,
        OpKind::For(body) => any(body),
        OpKind::If(branches) => branches.iter().any(any),
        _ => false,
    }
}

/// Returns the name of an operation that communicates, in the dialect.
fn op_name(kind: &OpKind) -> &'static str {
    match kind {
        OpKind::Push { .. } => pto::TPushOp::NAME,
        OpKind::Pop { .. } => pto::TPopOp::NAME,
        OpKind::For(_) => scf::ForOp::NAME,
        OpKind::If(_) => scf::IfOp::NAME,
        _ => "an operation",
    }
}

fn refuse_computed_pop(at: OpRef) -> Refusal {
    at.refuse(
        "pops a computed tile on the cube side, which is not supported for kernels that share a \
         core; give the group placement = #pto.placement<cluster>",
    )
}

/// A loop of a kernel.
#[derive(Clone, Copy)]
pub(super) struct ForLoop<'g> {
    at: OpRef<'g>,
    body: &'g Region,
}

impl ForLoop<'_> {
    /// Returns whether the loop has iteration arguments.
    fn has_iter_args(&self) -> bool {
        self.at.op.operands.len() > 3
    }
}

impl<'g> Planner<'g> {
    /// Plans two bodies in lock step: each runs up to its next communicating operation, and these
    /// two must be counterparts.
    pub(super) fn plan_lockstep(
        &mut self,
        mut first: Ops<'g>,
        mut vector: Ops<'g>,
    ) -> Result<(), Refusal> {
        loop {
            let meets = self.plan_until_communication(&mut first)?;
            let vector_meets = self.plan_until_communication(&mut vector)?;
            match (meets, vector_meets) {
                (None, None) => return Ok(()),
                (Some(at), None) | (None, Some(at)) => return Err(at.refuse(
                    "communicates with the other kernel of its group, which has no counterpart \
                         at this position",
                )),
                (Some(at), Some(other)) => self.plan_counterparts(at, other)?,
            }
        }
    }

    /// Plans an operation of the cube kernel and its counterpart in the vector kernel: a push and a
    /// pop, or two loops.
    fn plan_counterparts(&mut self, at: OpRef<'g>, other: OpRef<'g>) -> Result<(), Refusal> {
        match (&at.op.kind, &other.op.kind) {
            (OpKind::Push { .. }, OpKind::Pop { .. }) if self.is_in_loop_of_steps() => Err(at
                .refuse(
                    "pushes a tile in a loop over products, which is not supported for kernels \
                     that share a core",
                )),
            (OpKind::Push { .. }, OpKind::Pop { .. }) => {
                let value = self.operand(at, 0)?;
                self.define(other, value)
            }
            (OpKind::For(body), OpKind::For(vector_body)) => {
                let vector = ForLoop {
                    at: other,
                    body: vector_body,
                };
                self.plan_for(at, body, Some(vector))
            }
            (OpKind::Pop { .. }, OpKind::Push { .. }) => match self.operand(other, 0)? {
                // The unpackers bring such tiles themselves.
                value @ (SymbolicValue::LoadedTiles(_) | SymbolicValue::WideTiles(_)) => {
                    self.define(at, value)
                }
                _ => Err(refuse_computed_pop(at)),
            },
            (OpKind::Pop { .. }, _) => Err(refuse_computed_pop(at)),
            (_, kind) => Err(at.refuse(format!(
                "has counterpart '{}' in the vector kernel; two kernels of a group that share a \
                 core must have the same loops around pushes and pops",
                op_name(kind)
            ))),
        }
    }

    /// Plans operations up to the first that communicates with the other kernel on this core, which
    /// it removes from the list and returns. In a kernel with a tile of its own there is none.
    fn plan_until_communication(
        &mut self,
        ops: &mut Ops<'g>,
    ) -> Result<Option<OpRef<'g>>, Refusal> {
        while let Some(at) = ops.take_first() {
            if !self.has_own_tile() && has_communication(at.op) {
                return Ok(Some(at));
            }
            self.plan_op(at)?;
        }
        Ok(None)
    }

    /// Plans a loop, or two loops in lock step.
    pub(super) fn plan_for(
        &mut self,
        at: OpRef<'g>,
        body: &'g Region,
        vector: Option<ForLoop<'g>>,
    ) -> Result<(), Refusal> {
        let own = ForLoop { at, body };
        let header = self.header(own, vector)?;
        if let ([initial], None) = (&at.op.operands[3..], vector) {
            if matches!(
                self.symbolic_value(at, *initial)?,
                SymbolicValue::Reduced(_)
            ) {
                return self.loop_of_folds(at, body, header);
            }
        }
        match own.has_iter_args() {
            false => self.loop_of_blocks(own, vector, header),
            true => self.loop_of_steps(own, vector, header),
        }
    }

    /// Allocates the loop's variable and returns the loop without its body. Two loops in lock step
    /// share both.
    ///
    /// # Errors
    /// The two loops have different bounds, or the step is not a positive constant.
    fn header(
        &mut self,
        own: ForLoop<'g>,
        vector: Option<ForLoop<'g>>,
    ) -> Result<Loop<Node>, Refusal> {
        let at = own.at;
        let [low, high, step] = self.bounds(at)?;
        if let Some(vector) = vector {
            if self.bounds(vector.at)? != [low.clone(), high.clone(), step.clone()] {
                let text = "has bounds that differ from those of its counterpart in the cube \
                    kernel";
                return Err(vector.at.refuse(text));
            }
        }
        let step = step.constant().filter(|step| *step > 0);
        let step = step.ok_or_else(|| at.refuse("requires a positive constant step"))?;
        let var = self.vars;
        self.vars += 1;
        Ok(Loop {
            var,
            low,
            high,
            step,
            body: Vec::new(),
            location: at.location(),
        })
    }

    fn bounds(&self, at: OpRef) -> Result<[Expr; 3], Refusal> {
        Ok([self.index(at, 0)?, self.index(at, 1)?, self.index(at, 2)?])
    }

    /// Binds the induction variable of a loop.
    pub(super) fn bind_induction_variable(
        &mut self,
        at: OpRef<'g>,
        body: &'g Region,
        header: &Loop<Node>,
    ) -> Result<(), Refusal> {
        let counter = at.expect(body.arguments.first().copied())?;
        self.bind(at, counter, SymbolicValue::Index(Expr::Var(header.var)));
        Ok(())
    }

    /// Plans a loop without iteration arguments. The block before it ends, and so does the last one
    /// in the body. A loop without nodes is dropped.
    fn loop_of_blocks(
        &mut self,
        own: ForLoop<'g>,
        vector: Option<ForLoop<'g>>,
        header: Loop<Node>,
    ) -> Result<(), Refusal> {
        if self.is_in_loop_of_steps() {
            let text = "is nested in a loop over products, but has no iteration arguments";
            return Err(own.at.refuse(text));
        }
        self.close_block()?;
        let [first, second] = self.bodies(own, vector, &header)?;
        self.nodes.push(Vec::new());
        self.plan_lockstep(first, second)?;
        self.close_block()?;
        let body = self.nodes.pop().unwrap_or_default();
        if !body.is_empty() {
            self.push_node(Node::Loop(Loop { body, ..header }));
        }
        Ok(())
    }

    /// Returns whether the open block has a loop of steps under construction.
    fn is_in_loop_of_steps(&self) -> bool {
        self.open.as_ref().is_some_and(|open| open.items.len() > 1)
    }

    /// Binds the induction variables of a loop, or of two loops in lock step, and returns their
    /// bodies.
    ///
    /// # Errors
    /// The loop of the vector kernel has iteration arguments.
    fn bodies(
        &mut self,
        own: ForLoop<'g>,
        vector: Option<ForLoop<'g>>,
        header: &Loop<Node>,
    ) -> Result<[Ops<'g>; 2], Refusal> {
        let mut bodies = [Ops::NONE; 2];
        for (ops, of) in bodies.iter_mut().zip([Some(own), vector]) {
            let Some(ForLoop { at, body }) = of else {
                continue;
            };
            self.bind_induction_variable(at, body, header)?;
            *ops = at.region_ops(body);
        }
        if let Some(vector) = vector.filter(ForLoop::has_iter_args) {
            let text = "has iteration arguments, which are supported only in loops over products";
            return Err(vector.at.refuse(text));
        }
        Ok(bodies)
    }

    /// Plans a loop whose iteration arguments are accumulators. It becomes a loop of steps inside
    /// of the open block. The vector kernel's counterpart only hands tiles over.
    fn loop_of_steps(
        &mut self,
        own: ForLoop<'g>,
        vector: Option<ForLoop<'g>>,
        header: Loop<Node>,
    ) -> Result<(), Refusal> {
        let ForLoop { at, body } = own;
        let [first, second] = self.bodies(own, vector, &header)?;
        let mut accumulators = Vec::new();
        for (value, argument) in at.op.operands[3..].iter().zip(&body.arguments[1..]) {
            let accumulator = self.accumulator(at, *value)?;
            accumulators.push(accumulator);
            let current = self.open_block(at)?.current(accumulator);
            self.bind(at, *argument, current);
        }
        self.open_block(at)?.items.push(Vec::new());
        self.plan_lockstep(first, second)?;
        self.require_in_place(own, &accumulators)?;
        let open = self.open_block(at)?;
        let items = open.items.pop().unwrap_or_default();
        open.push_item(BlockItem::Loop(Loop {
            var: header.var,
            low: header.low,
            high: header.high,
            step: header.step,
            body: items,
            location: header.location,
        }));
        for (result, accumulator) in at.op.results.iter().zip(accumulators) {
            let current = self.open_block(at)?.current(accumulator);
            self.bind(at, *result, current);
        }
        Ok(())
    }

    /// Checks that a loop yields each accumulator at its own position.
    fn require_in_place(
        &mut self,
        own: ForLoop<'g>,
        accumulators: &[usize],
    ) -> Result<(), Refusal> {
        let ForLoop { at, body } = own;
        let subject = Subject::Yield(at.location());
        for (value, accumulator) in body.yields.iter().zip(accumulators) {
            let yielded = self.accumulator(at, *value);
            let yielded = yielded.map_err(|refusal| Refusal { subject, ..refusal })?;
            if yielded != *accumulator {
                let text = "exchanges accumulators; yield each at its own position";
                return Err(Refusal::new(subject, text));
            }
        }
        Ok(())
    }
}
