//! Fences: where the sides store to and load from the same tensor in global memory, a token crosses
//! between the two.
//!
//! The token is a tile of zeros that is moved to the other side and read by nobody; expansion makes
//! a push and a pop of it, as of every crossing. It stands in the block that both accesses are in
//! or below, before the later one, and at the end of the innermost loop around both of which
//! another iteration may reach the same tiles. No token is needed where a crossing does the same.
//! Tensors that come through control flow may be any.

use tessera_dialects::mlir::{At, Block, Definition, NamedOp, Op, Rewriter, Value, WalkOrder};
use tessera_dialects::pto::{self, Side, Unit};
use tessera_dialects::scf;

use super::crossing;

/// A load or a store.
#[derive(Clone, Copy)]
struct Access<'a> {
    op: Op<'a>,
    side: Side,
    stores: bool,
    /// The argument it reaches; nothing if it may be any.
    tensor: Option<Value<'a>>,
    /// Row and column.
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
        let memory = op.operand(first)?;
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

    /// Whether the order of the two matters, and only pipes can keep it.
    fn conflicts(&self, other: &Access<'a>) -> bool {
        let same = self.tensor.is_none() || other.tensor.is_none() || self.tensor == other.tensor;
        self.side != other.side && (self.stores || other.stores) && same
    }

    /// Whether they reach different tiles in different iterations of a loop: both are placed by its
    /// induction variable.
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

/// Puts tokens into a mixed kernel.
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

/// Keeps the order of two accesses, in an iteration and from one to the next.
fn insert_tokens<'a>(earlier: &Access<'a>, later: &Access<'a>, rewriter: &Rewriter<'a>) {
    let mut around = enclosing_blocks(earlier.op);
    around.retain(|(block, _)| {
        enclosing_blocks(later.op)
            .iter()
            .any(|(other, _)| other == block)
    });
    // Whether the later one waits for the earlier one already, and the earlier one of a later
    // iteration for the later one.
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
        // In different branches of one scf.if neither comes before the other, but for another
        // iteration.
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

/// The blocks around an operation, the innermost first, each with the operation in it that it is or
/// is in.
fn enclosing_blocks<'a>(op: Op<'a>) -> Vec<(Block<'a>, Op<'a>)> {
    let outwards = std::iter::successors(Some(op), |op| op.parent());
    let inside = outwards.take_while(|op| !op.isa::<pto::FuncOp>());
    inside.filter_map(|op| Some((op.block()?, op))).collect()
}

/// Whether one of the operations moves a tile away from that side.
fn crosses(ops: &[Op], from: Side) -> bool {
    let mut crossings = ops.iter().filter_map(|op| crossing(*op));
    crossings.any(|crossing| crossing.direction.producer() == from)
}

/// Makes a tile on that side and moves it to the other.
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
