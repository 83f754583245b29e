//! Reads what a kernel does off its `pto.func`, or off the cube and the vector kernel of a group that shares a core.
//!
//! The two kernels of a group are read side by side ([`control`]): what one pushes the other pops at the same place, which is the
//! `pto.tmove` that expansion made both of. An accumulator is changed in place, so each of its values is used once ([`matrix`]).
//! Tiles are loaded where they are used ([`memory`]). What the vector unit and the packers do follows all products of its half of
//! Dst ([`elementwise`]). A tile that is reduced ends its half, and something of it is kept ([`reduction`]).
//! The matrix unit transposes what was loaded, or is kept ([`transposition`]). A kernel that has a tile of a cluster for itself pushes and pops ([`pipes`]).
//!
//! Checked: everything that [`super::plan`] promises, and that both kernels of a group have the same loops around pushes and
//! pops. Not checked: that slots are given back in order, which pto-check-pipes does.

mod control;
mod elementwise;
mod matrix;
mod memory;
mod pipes;
mod reduction;
mod transposition;

use std::collections::HashMap;

use tessera_dialects::mlir::{
    AttributeValue, Location, Op, Reported, Scalar, ScalarType, Type, Value,
};
use tessera_dialects::pto::{self, Dst, Fidelity, Layout, Space};
use tessera_ops::{Binary, Reduce, Unary};

use super::block::{Open, Value as Known};
use super::cluster::Member;
use super::expr::{Arith, Expr, Var};
use super::plan::{Element, Node, Pipe, Plan, Popped};
pub(super) use crate::promised::promised;
use crate::targets::tensix::system_desc;
use crate::ttnn::layout::TILE;

/// The kernels that share a core.
pub struct Group<'c, 'a> {
    /// The cube kernel, or the only one.
    pub first: Op<'a>,
    /// The vector kernel that pops what the first one pushes.
    pub vector: Option<Op<'a>>,
    /// The tile of a cluster that the first one has for itself; then there is no other.
    pub member: Option<Member<'c>>,
}

/// A plan and where it comes from.
pub struct Parsed<'a> {
    /// The plan.
    pub plan: Plan,
    /// What the plan's places stand for.
    pub places: Vec<Location<'a>>,
    /// Arguments that are loaded, with where.
    pub loaded: Vec<(u16, Op<'a>)>,
    /// Arguments that are stored, with where.
    pub stored: Vec<(u16, Op<'a>)>,
}

/// Reads the kernels of a group.
///
/// # Errors
/// At the first operation that this lowering has no instructions for.
pub fn parse<'a>(group: &Group<'_, 'a>) -> Result<Parsed<'a>, Reported> {
    let phases = phases(group.first)?;
    let mut parser = Parser {
        values: HashMap::new(),
        places: Vec::new(),
        vars: 0,
        open: None,
        blocks: 0,
        folds: 0,
        nodes: vec![Vec::new()],
        loaded: Vec::new(),
        stored: Vec::new(),
        member: group.member,
        pipes: Vec::new(),
        popped: HashMap::new(),
    };
    let bodies = [Some(group.first), group.vector].map(|func| func.and_then(|func| func.body()));
    for body in bodies.into_iter().flatten() {
        for (number, argument) in body.arguments().into_iter().enumerate() {
            parser
                .values
                .insert(argument, Known::Argument(number as u16));
        }
    }
    let [first, vector] = bodies.map(|body| body.map(|body| body.ops()).unwrap_or_default());
    parser.ops(&first, &vector)?;
    parser.close()?;
    parser.check_memory()?;
    let nodes = parser.nodes.pop().unwrap_or_default();
    Ok(Parsed {
        plan: Plan {
            arch: system_desc::assumed_arch(group.first),
            nodes,
            phases,
            pipes: parser.pipes,
        },
        places: parser.places,
        loaded: parser.loaded,
        stored: parser.stored,
    })
}

/// The fidelity phases of a kernel that computes as this lowering does.
fn phases(func: Op) -> Result<u32, Reported> {
    if func.attribute("dst").and_then(Dst::of) == Some(Dst::B16) {
        return Err(func.error(
            "accumulates in 16 bits, which is not lowered to Tensix yet; use dst = #pto.dst<f32>",
        ));
    }
    let fidelity = func.attribute("fidelity").and_then(Fidelity::of);
    promised(func, fidelity.map(Fidelity::phases))
}

/// The element type of tiles that an operation moves; `moves` says how.
fn element(op: Op, moves: &str, r#type: Option<Type>) -> Result<Element, Reported> {
    let r#type = promised(op, r#type)?;
    match r#type.scalar() {
        Some(Scalar::BF16) => Ok(Element::Bf16),
        Some(Scalar::F32 | Scalar::Integer { width: 32, .. }) => Ok(Element::F32),
        _ => Err(op.error(format!(
            "{moves} {type}, which is not lowered to Tensix; bf16, f32 and i32 are"
        ))),
    }
}

struct Parser<'c, 'a> {
    values: HashMap<Value<'a>, Known>,
    places: Vec<Location<'a>>,
    vars: Var,
    /// The block that is being read.
    open: Option<Open<'a>>,
    /// Blocks that were begun.
    blocks: usize,
    /// Blocks so far that keep something.
    folds: usize,
    /// What was read, a list for each loop around.
    nodes: Vec<Vec<Node>>,
    /// The tile of a cluster that the kernel has for itself.
    member: Option<Member<'c>>,
    pipes: Vec<Pipe>,
    /// What was popped.
    popped: HashMap<Value<'a>, Popped>,
    /// Arguments that are loaded, and those that are stored, with where.
    loaded: Vec<(u16, Op<'a>)>,
    stored: Vec<(u16, Op<'a>)>,
}

impl<'a> Parser<'_, 'a> {
    fn op(&mut self, op: Op<'a>) -> Result<(), Reported> {
        require_whole_tiles(op)?;
        if let Some(arith) = Arith::of(op.name()) {
            return self.arithmetic(op, arith);
        }
        let mnemonic = op.name().strip_prefix("pto.t").unwrap_or_default();
        if let Some(function) = Binary::from_mnemonic(mnemonic) {
            return self.binary(op, function);
        }
        if let Some(function) = Unary::from_mnemonic(mnemonic).filter(|f| *f != Unary::Relu) {
            return self.unary(op, function);
        }
        match op.name() {
            "arith.constant" => self.constant(op),
            "scf.for" => self.r#for(op, None),
            "scf.yield" | "pto.return" | "pto.reserve_buffer" | "pto.import_peer_buffer" => Ok(()),
            "pto.aic_initialize_pipe" | "pto.aiv_initialize_pipe" => self.initialize(op),
            "pto.tpush" => self.push(op),
            "pto.tpop" => self.pop(op),
            "pto.tfree" => self.free(op),
            "pto.subblock_index" => self.part(op),
            "pto.tload" => self.load(op),
            "pto.tmove" => {
                let value = self.operand(op, 0)?;
                self.define(op, value)
            }
            "pto.tmatmul" => self.matmul(op, None),
            "pto.tmatmul_acc" => self.matmul(op, Some(0)),
            "pto.trelu" => self.relu(op),
            "pto.tcvt" => self.convert(op),
            "pto.tfill" => self.fill(op),
            "pto.tsel" => self.select(op),
            "pto.trowsum" => self.reduce(op, Reduce::Sum, 1),
            "pto.trowmax" => self.reduce(op, Reduce::Max, 1),
            "pto.trowmin" => self.reduce(op, Reduce::Min, 1),
            "pto.tcolsum" => self.reduce(op, Reduce::Sum, 0),
            "pto.tcolmax" => self.reduce(op, Reduce::Max, 0),
            "pto.tcolmin" => self.reduce(op, Reduce::Min, 0),
            "pto.ttrans" => self.transpose(op),
            "pto.tstore" => self.store(op),
            "scf.if" | "arith.cmpi" => Err(op.error(
                "is not lowered to Tensix, where every core of a tile goes the same way; if it comes from splitting an odd number of \
                 tiles, use split=none or another block",
            )),
            _ => Err(op.error("is not lowered to Tensix")),
        }
    }

    fn constant(&mut self, op: Op<'a>) -> Result<(), Reported> {
        let value = op.attribute("value").and_then(AttributeValue::integer);
        let value = value
            .ok_or_else(|| op.error("is no index; kernels compute with tiles and indices only"))?;
        self.define(op, Known::Index(Expr::Constant(value)))
    }

    fn arithmetic(&mut self, op: Op<'a>, arith: Arith) -> Result<(), Reported> {
        let value = Expr::binary(arith, &self.index(op, 0)?, &self.index(op, 1)?);
        let value = value.ok_or_else(|| op.error("overflows an index"))?;
        self.define(op, Known::Index(value))
    }

    fn require_open(&self, op: Op<'a>, block: usize) -> Result<(), Reported> {
        match &self.open {
            Some(open) if open.number == block => Ok(()),
            _ => Err(op.error(
                "reads a value whose half of Dst was given to a later one; store results before the next value begins",
            )),
        }
    }

    fn open_at(&mut self, op: Op<'a>) -> Result<&mut Open<'a>, Reported> {
        promised(op, self.open.as_mut())
    }

    /// Ends the open block.
    fn close(&mut self) -> Result<(), Reported> {
        if let Some(open) = self.open.take() {
            let block = open.close()?;
            self.emit(Node::Block(block));
        }
        Ok(())
    }

    fn emit(&mut self, node: Node) {
        self.nodes
            .last_mut()
            .expect("there is a list for the kernel")
            .push(node);
    }

    fn place(&mut self, op: Op<'a>) -> usize {
        self.places.push(op.location());
        self.places.len() - 1
    }

    fn define(&mut self, op: Op<'a>, known: Known) -> Result<(), Reported> {
        let result = promised(op, op.result(0))?;
        self.values.insert(result, known);
        Ok(())
    }

    fn operand(&self, op: Op<'a>, operand: usize) -> Result<Known, Reported> {
        self.known(op, promised(op, op.operand(operand))?)
    }

    fn known(&self, op: Op<'a>, value: Value<'a>) -> Result<Known, Reported> {
        promised(op, self.values.get(&value).cloned())
    }

    fn index(&self, op: Op<'a>, operand: usize) -> Result<Expr, Reported> {
        match self.operand(op, operand)? {
            Known::Index(index) => Ok(index),
            _ => promised(op, None),
        }
    }

    /// Tiles of an operation's result.
    fn shape(&self, op: Op<'a>) -> Result<[u32; 2], Reported> {
        let tile = op.results().first().copied().or_else(|| op.operand(0));
        let tile = tile.and_then(|tile| pto::tile(tile.r#type()));
        let tile = promised(op, tile)?;
        Ok([(tile.shape[0] / TILE) as u32, (tile.shape[1] / TILE) as u32])
    }
}

/// Checks that the tiles an operation makes are such as this lowering has.
fn require_whole_tiles(op: Op) -> Result<(), Reported> {
    for result in op.results() {
        let Some(tile) = pto::tile(result.r#type()) else {
            continue;
        };
        // Of what is loaded to be reduced, and of what that leaves, a part may be valid; loads and stores see to it.
        let whole = tile.shape.len() == 2
            && tile
                .shape
                .iter()
                .all(|extent| *extent > 0 && extent % TILE == 0)
            && (tile.valid == tile.shape || tile.shape[..] == [TILE, TILE] && !op.is("pto.tpop"));
        // How operands of the matrix unit lie is no matter of tiles here.
        let is_ordered =
            tile.layout == Layout::Nd || matches!(tile.space, Space::Left | Space::Right);
        if !whole || !is_ordered {
            return Err(op.error(format!(
                "makes {}, which is not lowered to Tensix; tiles of multiples of {TILE}x{TILE} elements are, row by row and \
                 valid everywhere",
                result.r#type()
            )));
        }
    }
    Ok(())
}
