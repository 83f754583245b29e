//! Makes the [`Plan`] of each Tensix tile from a group of kernels.
//!
//! The planner executes a kernel symbolically: each value is a [`SymbolicValue`], and each
//! operation either transforms symbolic values or appends to the block under construction
//! ([`BlockBuilder`]).
//!
//! - A cube and a vector kernel that share a core are executed in lock step ([`control`]): a push
//!   and the pop at the same position of the other kernel are one hand-over.
//! - Accumulators are updated in place, so each version of one is used once ([`matrix`]).
//! - Loads emit no code; tiles are brought in by the operations that use them ([`memory`]). Local
//!   tensors get their addresses here ([`locals`]).
//! - The vector unit and the packers run after all matrix operations of a block ([`elementwise`]).
//! - Reducing a tile ends its block; the running value stays in Dst ([`reduction`]).
//! - The matrix unit transposes tiles that were loaded, or a running reduction ([`transposition`]).
//! - A kernel with a tile of its own pushes and pops ([`pipes`]).
//!
//! Checked: the invariants of [`super::plan`], and that both kernels of a group have the same loops
//! around pushes and pops. Not checked: that slots are freed in order; `pto-check-pipes` does.

mod control;
mod cores;
mod elementwise;
mod locals;
mod matrix;
mod memory;
mod op_ref;
mod pipes;
mod reduction;
#[cfg(test)]
mod tests;
mod transposition;

use std::collections::HashMap;

use tessera_isa_tensix::Arch;
use tessera_ops::Unary;
use tessera_pto::kernel::{
    Axis, Compute, Element as PtoElement, Group, Kernel, OpKind, ScalarOp, TileType, Type, Value,
};
use tessera_pto::target::Accumulators;

use super::block_builder::{BlockBuilder, SymbolicValue};
use super::expr::{Arith, Expr, Var};
use super::fetched_rows;
use super::plan::{Element, LocationId, Node, Pipe, Plan, PoppedTile};
use super::refusal::{Message, Refusal, Subject};
use super::row_halves;
use super::stages;
use crate::ttnn::layout::TILE;
pub(super) use cores::{assign_cores, plan_cores, CoreAssignment};
pub(super) use elementwise::OTHER_CONVERSION;
use locals::LocalTensors;
pub use locals::MAX_LOCAL_BYTES;
use op_ref::{OpRef, Ops};

/// A plan and the arguments that it accesses.
struct CorePlan {
    plan: Plan,
    /// Loaded arguments and the locations of the loads.
    loaded: Vec<(u16, LocationId)>,
    /// Stored arguments and the locations of the stores.
    stored: Vec<(u16, LocationId)>,
}

/// Makes the plan of one Tensix tile.
fn plan_core(group: &Group, core: CoreAssignment, arch: Arch) -> Result<CorePlan, Refusal> {
    let (first, vector) = core.kernels();
    let phases = phases(group, first)?;
    let mut planner = Planner::new(group, core, arch)?;
    let body = |kernel: usize| Ops {
        kernel,
        ops: &group.kernels[kernel].body.ops,
    };
    let vector = vector.map_or(Ops::NONE, body);
    planner.plan_lockstep(body(first), vector)?;
    planner.close_block()?;
    planner.require_separate_memory()?;
    let mut nodes = planner.nodes.pop().unwrap_or_default();
    stages::insert_starts(arch, &mut nodes)?;
    let mut plan = Plan {
        arch,
        nodes,
        phases,
        pipes: planner.pipes,
        local_bytes: planner.locals.bytes,
        row_half: None,
    };
    row_halves::divide(&mut plan);
    fetched_rows::fetch_once(&mut plan);
    Ok(CorePlan {
        plan,
        loaded: planner.loaded,
        stored: planner.stored,
    })
}

/// Returns the number of fidelity phases of a kernel.
///
/// # Errors
/// The kernel accumulates in 16 bits.
fn phases(group: &Group, kernel: usize) -> Result<u32, Refusal> {
    let numerics = group.kernels[kernel].numerics;
    match numerics.accumulators {
        Accumulators::F32 => Ok(numerics.phases),
        Accumulators::B16 => Err(Refusal::new(
            Subject::Kernel(kernel),
            "accumulates in 16 bits, which is not lowered to Tensix yet; use dst = #pto.dst<f32>",
        )),
    }
}

impl From<PtoElement> for Element {
    fn from(element: PtoElement) -> Self {
        match element {
            PtoElement::Bf16 => Element::Bf16,
            PtoElement::F32 | PtoElement::I32 => Element::F32,
        }
    }
}

struct Planner<'g> {
    group: &'g Group,
    core: CoreAssignment,
    arch: Arch,
    /// Symbolic value of each (kernel, value).
    values: HashMap<(usize, Value), SymbolicValue>,
    /// Number of loop variables so far, which is the next variable.
    vars: Var,
    /// The block under construction.
    open: Option<BlockBuilder>,
    /// Number of blocks begun so far.
    blocks: usize,
    /// Number of versions of the running reduction so far: each fold makes one, and so does its
    /// transposition, after which earlier versions are invalid. The last number identifies it.
    folds: usize,
    /// The last version of the running reduction that values of a block have overwritten, if any.
    overwritten: usize,
    /// The plan so far, one list for each enclosing loop.
    nodes: Vec<Vec<Node>>,
    /// Pipe ends of a kernel with a tile of its own.
    pipes: Vec<Pipe>,
    /// For each element of `pipes`, the number of the pipe in the group.
    pipe_numbers: Vec<usize>,
    /// Tiles that a kernel with a tile of its own popped.
    popped: HashMap<Value, PoppedTile>,
    /// The local tensors of the tile's kernels.
    locals: LocalTensors,
    /// Loaded and stored arguments, with the locations of the accesses.
    loaded: Vec<(u16, LocationId)>,
    stored: Vec<(u16, LocationId)>,
}

impl<'g> Planner<'g> {
    fn new(group: &'g Group, core: CoreAssignment, arch: Arch) -> Result<Self, Refusal> {
        let (pipe_numbers, pipes) = match core {
            CoreAssignment::Shared { .. } => (Vec::new(), Vec::new()),
            CoreAssignment::Tile(kernel) => super::cluster::kernel_pipe_ends(group, kernel, arch)?
                .into_iter()
                .unzip(),
        };
        Ok(Planner {
            group,
            core,
            arch,
            values: HashMap::new(),
            vars: 0,
            open: None,
            blocks: 0,
            folds: 0,
            overwritten: 0,
            nodes: vec![Vec::new()],
            pipes,
            pipe_numbers,
            popped: HashMap::new(),
            locals: LocalTensors::allocate(group, core)?,
            loaded: Vec::new(),
            stored: Vec::new(),
        })
    }

    /// Plans one operation, and all operations in it.
    fn plan_op(&mut self, at: OpRef<'g>) -> Result<(), Refusal> {
        self.require_whole_tiles(at)?;
        match &at.op.kind {
            OpKind::Constant(number) => {
                self.define(at, SymbolicValue::Index(Expr::Constant(*number)))
            }
            OpKind::Scalar(scalar) => self.scalar(at, *scalar),
            OpKind::For(body) => self.plan_for(at, body, None),
            OpKind::If(_) => Err(refuse_branch(at)),
            OpKind::Load { tensor } => self.load(at, *tensor),
            OpKind::Store { tensor } => self.store(at, *tensor),
            OpKind::Compute(compute) => self.compute(at, *compute),
            OpKind::Rearrange(_) => Err(at.refuse(
                "moves elements of tensors in a kernel with other operations; use a kernel of its \
                 own",
            )),
            OpKind::Push { pipe } => self.push(at, *pipe),
            OpKind::Pop { pipe } => self.pop(at, *pipe),
            OpKind::Free { .. } => self.free(at),
        }
    }

    fn compute(&mut self, at: OpRef<'g>, compute: Compute) -> Result<(), Refusal> {
        match compute {
            Compute::Matmul => self.matmul(at, None),
            Compute::MatmulAcc => self.matmul(at, Some(0)),
            Compute::Unary(Unary::Relu) => self.relu(at),
            Compute::Unary(function) => self.unary(at, function),
            Compute::Binary(function, broadcast) => self.binary(at, function, broadcast.into()),
            Compute::Select => self.select(at),
            Compute::Reduce(reduce, axis) => self.reduce(at, reduce, axis_number(axis)),
            Compute::Transpose => self.transpose(at),
            Compute::Fill(value) => self.fill(at, value),
            Compute::Convert => self.convert(at),
            Compute::Move => {
                let value = self.operand(at, 0)?;
                self.define(at, value)
            }
        }
    }

    fn scalar(&mut self, at: OpRef<'g>, scalar: ScalarOp) -> Result<(), Refusal> {
        let arith = match scalar {
            ScalarOp::Add => Arith::Add,
            ScalarOp::Subtract => Arith::Sub,
            ScalarOp::Multiply => Arith::Mul,
            ScalarOp::Divide => Arith::Div,
            ScalarOp::Remainder => Arith::Rem,
            ScalarOp::Min => Arith::Min,
            ScalarOp::UnsignedDivide => Arith::UnsignedDiv,
            ScalarOp::UnsignedRemainder => Arith::UnsignedRem,
            ScalarOp::UnsignedMin => Arith::UnsignedMin,
            ScalarOp::Equal | ScalarOp::Less | ScalarOp::Below => return Err(refuse_branch(at)),
            ScalarOp::FloorDivide
            | ScalarOp::CeilDivide
            | ScalarOp::Max
            | ScalarOp::And
            | ScalarOp::Or
            | ScalarOp::Xor => return Err(at.refuse(NOT_LOWERED)),
        };
        let value = Expr::binary(arith, &self.index(at, 0)?, &self.index(at, 1)?);
        let value = value.ok_or_else(|| at.refuse("overflows an index"))?;
        self.define(at, SymbolicValue::Index(value))
    }

    /// Checks that block `block`, which computed an operand, is still open.
    fn require_open(&self, at: OpRef, block: usize) -> Result<(), Refusal> {
        match &self.open {
            Some(open) if open.number == block => Ok(()),
            _ => Err(at.refuse(
                "reads a value whose half of Dst was reused for a later value; store results \
                 before computing the next value",
            )),
        }
    }

    /// Returns the block under construction.
    ///
    /// # Errors
    /// There is none, which is an internal error at operation `at`.
    fn open_block(&mut self, at: OpRef) -> Result<&mut BlockBuilder, Refusal> {
        at.expect(self.open.as_mut())
    }

    /// Completes the block under construction, if there is one.
    fn close_block(&mut self) -> Result<(), Refusal> {
        if let Some(open) = self.open.take() {
            let block = open.close()?;
            if block.uses_reduction_tile() {
                self.overwritten = self.folds;
            }
            self.push_node(Node::Block(block));
        }
        Ok(())
    }

    /// Appends a node to the innermost loop of blocks.
    fn push_node(&mut self, node: Node) {
        self.nodes
            .last_mut()
            .expect("there is a list for the kernel")
            .push(node);
    }

    /// Binds the operation's first result to a symbolic value.
    fn define(&mut self, at: OpRef, known: SymbolicValue) -> Result<(), Refusal> {
        let result = at.result()?;
        self.bind(at, result, known);
        Ok(())
    }

    /// Binds a value of the operation's kernel to a symbolic value.
    fn bind(&mut self, at: OpRef, value: Value, known: SymbolicValue) {
        self.values.insert((at.kernel, value), known);
    }

    fn operand(&self, at: OpRef, operand: usize) -> Result<SymbolicValue, Refusal> {
        self.symbolic_value(at, at.operand(operand)?)
    }

    fn symbolic_value(&self, at: OpRef, value: Value) -> Result<SymbolicValue, Refusal> {
        at.expect(self.values.get(&(at.kernel, value)).cloned())
    }

    /// Returns the index expression that an operand is.
    fn index(&self, at: OpRef, operand: usize) -> Result<Expr, Refusal> {
        match self.operand(at, operand)? {
            SymbolicValue::Index(index) => Ok(index),
            _ => at.expect(None),
        }
    }

    fn kernel(&self, at: OpRef) -> &'g Kernel {
        &self.group.kernels[at.kernel]
    }

    /// Returns the tile type of a value.
    fn tile(&self, at: OpRef, value: Value) -> Result<TileType, Refusal> {
        match self.kernel(at).values.get(value) {
            Some(Type::Tile(tile)) => Ok(*tile),
            _ => at.expect(None),
        }
    }

    /// Returns the type of the tile that an operation makes.
    fn result_tile(&self, at: OpRef) -> Result<TileType, Refusal> {
        self.tile(at, at.result()?)
    }

    /// Returns the type of the tile that an operand is.
    fn operand_tile(&self, at: OpRef, operand: usize) -> Result<TileType, Refusal> {
        self.tile(at, at.operand(operand)?)
    }

    /// Returns the shape in tiles of an operation's result, or of its first operand if it has no
    /// result.
    fn shape(&self, at: OpRef) -> Result<[u32; 2], Refusal> {
        let results = at.op.results.iter();
        let value = results.chain(&at.op.operands).next().copied();
        Ok(tiles_of(&self.tile(at, at.expect(value)?)?))
    }

    /// Checks that the results of an operation have whole tiles.
    fn require_whole_tiles(&self, at: OpRef) -> Result<(), Refusal> {
        for (result, value) in at.op.results.iter().enumerate() {
            let Some(Type::Tile(tile)) = self.kernel(at).values.get(*value) else {
                continue;
            };
            if !has_whole_tiles(tile, matches!(at.op.kind, OpKind::Pop { .. })) {
                return Err(Refusal {
                    subject: Subject::Operation(at.location()),
                    message: Message::Tile { result },
                });
            }
        }
        Ok(())
    }
}

/// Diagnostic for operations without a lowering.
pub(super) const NOT_LOWERED: &str = "is not lowered to Tensix";

fn refuse_branch(at: OpRef) -> Refusal {
    at.refuse(
        "is not lowered to Tensix, where all cores of a tile follow the same control flow; if it \
         results from splitting an odd number of tiles, use split=none or another block",
    )
}

/// Returns the number of the axis along which a reduction combines elements.
fn axis_number(axis: Axis) -> usize {
    match axis {
        Axis::Rows => 0,
        Axis::Columns => 1,
    }
}

/// Returns the shape of a tile in units of 32x32 elements.
fn tiles_of(tile: &TileType) -> [u32; 2] {
    tile.shape().map(|extent| extent / TILE as u32)
}

/// Returns whether a tile consists of whole tiles of 32x32 elements, valid everywhere. A single
/// tile may be partly valid unless it was popped, as operands and results of reductions are; loads,
/// stores and pushes check those.
fn has_whole_tiles(tile: &TileType, popped: bool) -> bool {
    let side = TILE as u32;
    let shape = tile.shape();
    let is_multiple = shape.iter().all(|extent| *extent > 0 && extent % side == 0);
    is_multiple && (tile.valid == shape || shape == [side, side] && !popped)
}
