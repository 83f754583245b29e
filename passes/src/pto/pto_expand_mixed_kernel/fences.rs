//! Fences: order accesses of the two sides to the same tensor in global memory by a token.
//!
//! The token is a tile of zeros that is moved to the other side and not read. Expansion turns it
//! into a push and a pop, like every crossing. Tokens are inserted in the innermost block that
//! contains both accesses, before the later one. They are also inserted at the end of the innermost
//! enclosing loop in which another iteration may access the same tiles. No token is inserted where
//! an existing crossing orders the accesses. Tensors that come through control flow are assumed to
//! alias all others.

use tessera_dialects::mlir::{At, Block, Definition, NamedOp, Op, Rewriter, Value, WalkOrder};
use tessera_dialects::pto::{self, Side, Unit};
use tessera_dialects::scf;

use super::crossing;
use super::local::is_local;

/// A load from or a store to global memory.
#[derive(Clone, Copy)]
struct Access<'a> {
    op: Op<'a>,
    side: Side,
    stores: bool,
    /// The kernel argument accessed; `None` if unknown.
    tensor: Option<Value<'a>>,
    /// Row and column of the tile.
    place: [Value<'a>; 2],
    tile: Value<'a>,
}

impl<'a> Access<'a> {
    fn from_op(op: Op<'a>) -> Option<Self> {
        let stores = op.isa::<pto::TStoreOp>();
        let (tile, first) = match op.name() {
            pto::TLoadOp::NAME => (op.result(0)?, 0),
            pto::TStoreOp::NAME => (op.operand(0)?, 1),
            _ => return None,
        };
        let memory = op.operand(first).filter(|memory| !is_local(*memory))?;
        Some(Access {
            op,
            side: pto::tile(tile.r#type())?.space.side(),
            stores,
            tensor: memory
                .defining_op()
                .is_none()
                .then_some(memory)
                .filter(is_kernel_argument),
            place: [op.operand(first + 1)?, op.operand(first + 2)?],
            tile,
        })
    }

    /// Returns whether two accesses on different sides must be ordered.
    fn conflicts(&self, other: &Access<'a>) -> bool {
        let same = self.tensor.is_none() || other.tensor.is_none() || self.tensor == other.tensor;
        self.side != other.side && (self.stores || other.stores) && same
    }

    /// Returns whether two accesses reach different tiles in different iterations of a loop: both
    /// are indexed by its induction variable.
    fn is_disjoint_in(&self, other: &Access<'a>, r#loop: Op<'a>) -> bool {
        let shape = |access: &Access<'a>| pto::tile(access.tile.r#type()).map(|tile| tile.shape);
        let index = r#loop
            .body()
            .and_then(|body| body.arguments().first().copied());
        let placed =
            |axis: usize| self.place[axis] == other.place[axis] && Some(self.place[axis]) == index;
        self.tensor.is_some() && shape(self) == shape(other) && (placed(0) || placed(1))
    }
}

fn is_kernel_argument(value: &Value) -> bool {
    match value.definition() {
        Definition::Argument(block, _) => block.parent().is_some_and(|op| op.isa::<pto::FuncOp>()),
        Definition::Result(..) => false,
    }
}

/// Inserts the tokens of a mixed kernel.
pub fn insert<'a>(kernel: Op<'a>, rewriter: &Rewriter<'a>) {
    let ops = kernel.walk(WalkOrder::Pre);
    let accesses: Vec<_> = ops.into_iter().filter_map(Access::from_op).collect();
    for (number, later) in accesses.iter().enumerate() {
        for earlier in accesses[..number]
            .iter()
            .filter(|earlier| earlier.conflicts(later))
        {
            insert_tokens(earlier, later, rewriter);
        }
    }
}

/// Inserts the tokens that order two accesses, within an iteration and across iterations.
fn insert_tokens<'a>(earlier: &Access<'a>, later: &Access<'a>, rewriter: &Rewriter<'a>) {
    let mut around = enclosing_blocks(earlier.op);
    around.retain(|(block, _)| {
        enclosing_blocks(later.op)
            .iter()
            .any(|(other, _)| other == block)
    });
    // Whether the later access already waits for the earlier one, and whether the earlier access of
    // the next iteration waits for the later one.
    let (mut forth, mut back) = (false, false);
    for (depth, (block, first)) in around.into_iter().enumerate() {
        let Some((_, second)) = enclosing_blocks(later.op)
            .into_iter()
            .find(|(other, _)| *other == block)
        else {
            continue;
        };
        let ops = block.ops();
        let place = |wanted| ops.iter().position(|op| *op == wanted).unwrap_or_default();
        let (first, second) = (place(first), place(second));
        // In different branches of one scf.if, only accesses of different iterations need an order.
        if depth == 0 && first < second {
            if !crosses(&ops[first + 1..second], earlier.side) {
                insert_token(earlier.side, later.op, At::Before(ops[second]), rewriter);
            }
            forth = true;
        }
        let parent = block.parent().filter(|parent| parent.isa::<scf::ForOp>());
        let Some(r#loop) = parent.filter(|parent| !earlier.is_disjoint_in(later, *parent)) else {
            continue;
        };
        let at_end = |ordered: &mut bool, from: Side, made: usize, read: usize| {
            let there = crosses(&ops[made + 1..], from) || crosses(&ops[..read], from);
            let last = r#loop.body().and_then(Block::terminator);
            if let (false, false, Some(last)) = (*ordered, there, last) {
                insert_token(from, later.op, At::Before(last), rewriter);
            }
            *ordered = true;
        };
        at_end(&mut forth, earlier.side, first, second);
        at_end(&mut back, later.side, second, first);
    }
}

/// Returns the enclosing blocks of an operation, innermost first, each with its operation that is
/// or contains `op`.
fn enclosing_blocks<'a>(op: Op<'a>) -> Vec<(Block<'a>, Op<'a>)> {
    let outwards = std::iter::successors(Some(op), |op| op.parent());
    let inside = outwards.take_while(|op| !op.isa::<pto::FuncOp>());
    inside.filter_map(|op| Some((op.block()?, op))).collect()
}

/// Returns whether one of the operations moves a tile away from a side.
fn crosses(ops: &[Op], from: Side) -> bool {
    let mut crossings = ops.iter().filter_map(|op| crossing(*op));
    crossings.any(|crossing| crossing.direction.producer() == from)
}

/// Creates a tile on side `from` and moves it to the other.
fn insert_token<'a>(from: Side, cause: Op<'a>, at: At<'a>, rewriter: &Rewriter<'a>) {
    let context = rewriter.context();
    let (own, other, unit) = match from {
        Side::Cube => ("acc", "vec", Unit::Fpu),
        Side::Vector => ("vec", "mat", Unit::Sfpu),
    };
    let r#type = |space| context.parse_type(&format!("!pto.tile<tensor<32x32xf32>, {space}>"));
    let fill = pto::TFillOp::build(cause.location())
        .with(context, pto::TFillOp::VALUE, 0.0)
        .with(context, pto::TFillOp::UNIT, unit)
        .results(r#type(own));
    let fill = rewriter.insert(at, fill);
    let r#move = pto::TMoveOp::build(cause.location())
        .operands(fill.results())
        .results(r#type(other));
    rewriter.insert(At::After(fill), r#move);
}
