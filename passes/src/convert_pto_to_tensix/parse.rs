//! Reads what a kernel does off its `pto.func`, or off the cube and the vector kernel of a group that shares a core.
//!
//! The two kernels of a group are read side by side: what one pushes the other pops at the same place, which is the `pto.tmove`
//! that expansion made both of. An accumulator is changed in place, so each of its values is used once. Tiles are loaded where
//! they are used.
//!
//! Checked: everything that [`super::plan`] promises, and that both kernels of a group have the same loops around pushes and
//! pops. Not checked: that slots are given back in order, which pto-check-pipes does.

use std::collections::HashMap;

use tessera_dialects::mlir::{AttributeValue, Location, Op, Reported, TensorType, Value};
use tessera_dialects::pto::{self, Dst, Fidelity, Layout, Unit};

use super::block::{Open, Source, Value as Known};
use super::expr::{Arith, Expr, Var};
use super::plan::{
    Broadcast, Elementwise, Item, Lanes, Loop, Math, Node, Plan, SrcA, Step, Tensor, Tiles,
};
use crate::layout::TILE;

/// The kernels that share a core.
pub struct Group<'a> {
    /// The cube kernel, or the only one.
    pub first: Op<'a>,
    /// The vector kernel that pops what the first one pushes.
    pub vector: Option<Op<'a>>,
}

/// A plan and where it comes from.
pub struct Parsed<'a> {
    /// The plan.
    pub plan: Plan,
    /// What the plan's places stand for.
    pub places: Vec<Location<'a>>,
}

/// Reads the kernels of a group.
///
/// # Errors
/// At the first operation that this lowering has no instructions for.
pub fn parse<'a>(group: &Group<'a>) -> Result<Parsed<'a>, Reported> {
    let phases = phases(group.first)?;
    let mut parser = Parser {
        values: HashMap::new(),
        places: Vec::new(),
        vars: 0,
        open: None,
        blocks: 0,
        nodes: vec![Vec::new()],
        loaded: Vec::new(),
        stored: Vec::new(),
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
        plan: Plan { nodes, phases },
        places: parser.places,
    })
}

/// The fidelity phases of a kernel that computes as this lowering does.
fn phases(func: Op) -> Result<u32, Reported> {
    if func.attribute("dst").and_then(Dst::of) == Some(Dst::B16) {
        return Err(func.error(
            "accumulates in 16 bits, which is not lowered to Tensix yet; use dst = #pto.dst<f32>",
        ));
    }
    match func.attribute("fidelity").and_then(Fidelity::of) {
        Some(Fidelity::LoFi) => Ok(1),
        Some(Fidelity::HiFi2) => Ok(2),
        Some(Fidelity::HiFi3) => Ok(3),
        Some(Fidelity::HiFi4) => Ok(4),
        None => Err(func.error("requires a fidelity")),
    }
}

struct Parser<'a> {
    values: HashMap<Value<'a>, Known>,
    places: Vec<Location<'a>>,
    vars: Var,
    /// The block that is being read.
    open: Option<Open<'a>>,
    /// Blocks that were begun.
    blocks: usize,
    /// What was read, a list for each loop around.
    nodes: Vec<Vec<Node>>,
    /// Arguments that are loaded, and those that are stored, with where.
    loaded: Vec<(u16, Op<'a>)>,
    stored: Vec<(u16, Op<'a>)>,
}

/// Whether an operation has pushes or pops in it.
fn communicates(op: Op) -> bool {
    ["pto.tpush", "pto.tpop"]
        .iter()
        .any(|name| op.is(name) || (!op.regions().is_empty() && !op.find_all(name).is_empty()))
}

impl<'a> Parser<'a> {
    /// Reads two bodies side by side; they meet where they communicate.
    fn ops(&mut self, first: &[Op<'a>], vector: &[Op<'a>]) -> Result<(), Reported> {
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
            if communicates(*op) {
                return Ok(Some(*op));
            }
            self.op(*op)?;
        }
        Ok(None)
    }

    fn op(&mut self, op: Op<'a>) -> Result<(), Reported> {
        require_whole_tiles(op)?;
        if let Some(arith) = Arith::of(op.name()) {
            return self.arithmetic(op, arith);
        }
        match op.name() {
            "arith.constant" => self.constant(op),
            "scf.for" => self.r#for(op, None),
            "scf.yield" | "pto.return" | "pto.tfree" => Ok(()),
            "pto.reserve_buffer"
            | "pto.import_peer_buffer"
            | "pto.aic_initialize_pipe"
            | "pto.aiv_initialize_pipe" => Ok(()),
            "pto.tload" => self.load(op),
            "pto.tmove" => {
                let value = self.operand(op, 0)?;
                self.define(op, value)
            }
            "pto.tmatmul" => self.matmul(op, None),
            "pto.tmatmul_acc" => self.matmul(op, Some(0)),
            "pto.tadd" => self.binary(op, Elementwise::Add, Lanes::Add),
            "pto.tsub" => self.binary(op, Elementwise::Subtract, Lanes::Sub),
            "pto.tmul" => self.binary(op, Elementwise::Multiply, Lanes::Mul),
            "pto.trelu" => self.relu(op),
            "pto.tneg" => self.unary(op, Lanes::Neg),
            "pto.tcvt" => self.convert(op),
            "pto.tstore" => self.store(op),
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

    /// Reads a loop, or two of which each is the other's counterpart.
    fn r#for(&mut self, op: Op<'a>, vector: Option<Op<'a>>) -> Result<(), Reported> {
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
            let body = op.body().ok_or_else(|| op.error("requires a body"))?;
            let variable = body.arguments()[0];
            self.values
                .insert(variable, Known::Index(Expr::Var(header.var)));
            bodies.push(body.ops());
        }
        if op.operand_count() > 3 || vector.is_some_and(|vector| vector.operand_count() > 3) {
            return Err(op.error("carries values, which only loops over products can"));
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
        let body = op.body().ok_or_else(|| op.error("requires a body"))?;
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
        let end = body
            .terminator()
            .ok_or_else(|| op.error("requires a terminator"))?;
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

    fn load(&mut self, op: Op<'a>) -> Result<(), Reported> {
        let tile = op.result(0).and_then(|result| pto::tile(result.r#type()));
        let tile = tile.ok_or_else(|| op.error("requires a tile"))?;
        let tiles = self.tiles(op, 0, &tile.shape)?;
        self.loaded.push((tiles.tensor.arg, op));
        self.define(op, Known::Tiles(tiles))
    }

    /// The rectangle of tiles that operands `first` (a tensor) to `first + 2` (row and column) name.
    fn tiles(&self, op: Op<'a>, first: usize, shape: &[u64]) -> Result<Tiles, Reported> {
        let memory = op
            .operand(first)
            .ok_or_else(|| op.error("requires a tensor"))?;
        let Known::Argument(arg) = self.known(op, memory)? else {
            return Err(op.error("moves a tile of something that is no argument of the kernel"));
        };
        let extent = memory.r#type().static_shape().unwrap_or_default();
        let (matrices, rows, columns) = match extent[..] {
            [rows, columns] => (1, rows, columns),
            [matrices, rows, columns] => (matrices, rows, columns),
            _ => return Err(op.error("moves a tile of something that is no tensor of matrices")),
        };
        let tensor = Tensor {
            arg,
            matrices: matrices as u32,
            rows: rows as u32,
            columns: columns as u32,
        };
        Ok(Tiles {
            tensor,
            row: self.index(op, first + 1)?,
            column: self.index(op, first + 2)?,
            shape: [(shape[0] / TILE) as u32, (shape[1] / TILE) as u32],
        })
    }

    fn matmul(&mut self, op: Op<'a>, accumulator: Option<usize>) -> Result<(), Reported> {
        let first = usize::from(accumulator.is_some());
        let (lhs, rhs) = (
            self.loaded_tiles(op, first)?,
            self.loaded_tiles(op, first + 1)?,
        );
        if lhs.shape[1] != 1 {
            return Err(op.error(format!(
                "multiplies factors of {} tiles along their common dimension; step through it by {TILE}",
                lhs.shape[1]
            )));
        }
        let shape = [lhs.shape[0], rhs.shape[1]];
        // The left factor goes to SrcB, the right one to SrcA (rulings 1.4).
        self.step(op, accumulator, Math::Matmul, SrcA::Tiles(rhs), lhs, shape)
    }

    fn binary(
        &mut self,
        op: Op<'a>,
        elementwise: Elementwise,
        lanes: fn(usize, usize) -> Lanes,
    ) -> Result<(), Reported> {
        let broadcast = match op.attribute("broadcast").and_then(pto::Broadcast::of) {
            Some(pto::Broadcast::Row) => Broadcast::Row,
            Some(pto::Broadcast::Column) => Broadcast::Column,
            Some(pto::Broadcast::Scalar) => Broadcast::Scalar,
            Some(pto::Broadcast::None) | None => Broadcast::None,
        };
        match unit(op) {
            Some(Unit::Sfpu) => {
                let left = self.lanes(op, 0, Broadcast::None)?;
                let right = self.lanes(op, 1, broadcast)?;
                self.define_lanes(op, lanes(left, right))
            }
            Some(Unit::Fpu) => self.elementwise(op, elementwise, broadcast),
            _ => Err(wrong_unit(op, "fpu or sfpu")),
        }
    }

    /// An element-wise operation of the matrix unit.
    fn elementwise(
        &mut self,
        op: Op<'a>,
        elementwise: Elementwise,
        broadcast: Broadcast,
    ) -> Result<(), Reported> {
        let right = self.loaded_tiles(op, 1)?;
        let shape = self.shape(op)?;
        let left = self.operand(op, 0)?;
        let accumulate = matches!(left, Known::Accumulator { .. } | Known::Wide(_));
        let math = Math::Elementwise {
            op: elementwise,
            broadcast,
            accumulate,
        };
        if !accumulate {
            let left = self.loaded_tiles(op, 0)?;
            return self.step(op, None, math, SrcA::Tiles(left), right, shape);
        }
        if elementwise == Elementwise::Multiply {
            return Err(op.error(
                "of an accumulator is not what the matrix unit does; use unit = #pto.unit<sfpu>",
            ));
        }
        if let Known::Wide(tiles) = left {
            let number = self.bring(op, tiles, Broadcast::None)?;
            let current = self.open_at(op)?.current(number);
            let value = op
                .operand(0)
                .ok_or_else(|| op.error("requires an operand"))?;
            self.values.insert(value, current);
        }
        self.step(op, Some(0), math, SrcA::Zero, right, shape)
    }

    /// A step that begins an accumulator, or changes the one that an operand is.
    fn step(
        &mut self,
        op: Op<'a>,
        accumulator: Option<usize>,
        math: Math,
        srca: SrcA,
        srcb: Tiles,
        shape: [u32; 2],
    ) -> Result<(), Reported> {
        let place = self.place(op);
        let number = match accumulator {
            None => self.begin(op, shape)?,
            Some(operand) => {
                let value = op
                    .operand(operand)
                    .ok_or_else(|| op.error("requires an accumulator"))?;
                self.accumulator(op, value)?
            }
        };
        if self.open_at(op)?.is_frozen(number) {
            return Err(op.error(
                "changes an accumulator that the vector unit or the packers read, which begin when all products are done",
            ));
        }
        let spreads =
            matches!(math, Math::Elementwise { broadcast, .. } if broadcast != Broadcast::None);
        let open = self.open_at(op)?;
        let dst = open.change(number, spreads);
        open.item(Item::Step(Step {
            math,
            srca,
            srcb,
            dst,
            shape,
            place,
        }));
        let current = open.current(number);
        self.define(op, current)
    }

    /// Begins a value of Dst, in the open block or in a new one.
    fn begin(&mut self, op: Op<'a>, shape: [u32; 2]) -> Result<usize, Reported> {
        if self
            .open
            .as_ref()
            .is_some_and(|open| !open.stores.is_empty())
        {
            self.close()?;
        }
        if self.open.is_none() {
            self.blocks += 1;
            let place = self.place(op);
            self.open = Some(Open::new(self.blocks, op, shape, place));
        }
        self.open_at(op)?.begin(op, shape)
    }

    fn unary(&mut self, op: Op<'a>, lanes: fn(usize) -> Lanes) -> Result<(), Reported> {
        if unit(op) != Some(Unit::Sfpu) {
            return Err(wrong_unit(op, "sfpu"));
        }
        let operand = self.lanes(op, 0, Broadcast::None)?;
        self.define_lanes(op, lanes(operand))
    }

    fn relu(&mut self, op: Op<'a>) -> Result<(), Reported> {
        if unit(op) != Some(Unit::Pack) {
            return self.unary(op, Lanes::Relu);
        }
        let (source, rounded, _) = self.finished(op)?;
        self.define_packed(op, source, rounded, true)
    }

    /// Widening brings a tile of memory into Dst where it is used; narrowing is what the packers do last.
    fn convert(&mut self, op: Op<'a>) -> Result<(), Reported> {
        let to = op.result(0).and_then(|result| pto::tile(result.r#type()));
        let to = to.ok_or_else(|| op.error("requires a result"))?;
        match (self.operand(op, 0)?, to.element.to_string().as_str()) {
            (Known::Tiles(tiles), "f32") => {
                if unit(op) != Some(Unit::Fpu) {
                    return Err(wrong_unit(op, "fpu"));
                }
                self.define(op, Known::Wide(tiles))
            }
            (
                Known::Accumulator { .. }
                | Known::Lanes { .. }
                | Known::Packed { .. }
                | Known::Wide(_),
                "bf16",
            ) => {
                if unit(op) != Some(Unit::Pack) {
                    return Err(wrong_unit(op, "pack"));
                }
                let (source, _, relu) = self.finished(op)?;
                self.define_packed(op, source, true, relu)
            }
            _ => Err(op.error(
                "is not lowered to Tensix; bf16 that was loaded widens to f32, and f32 that was computed narrows to bf16",
            )),
        }
    }

    fn store(&mut self, op: Op<'a>) -> Result<(), Reported> {
        let shape = op
            .operand(0)
            .and_then(|tile| pto::tile(tile.r#type()))
            .map(|tile| tile.shape);
        let to = self.tiles(op, 1, &shape.ok_or_else(|| op.error("requires a tile"))?)?;
        let (source, rounded, relu) = self.finished(op)?;
        if !rounded {
            return Err(
                op.error("stores an accumulator that was not converted to the type of the tensor")
            );
        }
        self.stored.push((to.tensor.arg, op));
        let place = self.place(op);
        self.open_at(op)?.stores.push(super::block::Pending {
            source,
            to,
            relu,
            place,
        });
        Ok(())
    }

    /// What operand 0, which the packers take, comes from; whether it has been rounded, and whether relu is due.
    fn finished(&mut self, op: Op<'a>) -> Result<(Source, bool, bool), Reported> {
        match self.operand(op, 0)? {
            Known::Packed {
                block,
                source,
                rounded,
                relu,
            } => {
                self.require_open(op, block)?;
                Ok((source, rounded, relu))
            }
            Known::Lanes { block, node } => {
                self.require_open(op, block)?;
                Ok((Source::Lanes(node), false, false))
            }
            Known::Accumulator { .. } => {
                let value = op
                    .operand(0)
                    .ok_or_else(|| op.error("requires an operand"))?;
                let number = self.accumulator(op, value)?;
                self.open_at(op)?.freeze(number);
                Ok((Source::Accumulator(number), false, false))
            }
            Known::Wide(_) => {
                let node = self.lanes(op, 0, Broadcast::None)?;
                Ok((Source::Lanes(node), false, false))
            }
            _ => Err(op.error("operand #0 is nothing that was computed; widen it with pto.tcvt")),
        }
    }

    /// The value of the vector program that an operand is, spread as told.
    fn lanes(
        &mut self,
        op: Op<'a>,
        operand: usize,
        broadcast: Broadcast,
    ) -> Result<usize, Reported> {
        let known = self.operand(op, operand)?;
        if broadcast != Broadcast::None && !matches!(known, Known::Wide(_)) {
            return Err(op.error(format!(
                "spreads operand #{operand}, which was not just loaded and widened; that is not lowered to Tensix"
            )));
        }
        match known {
            Known::Lanes { block, node } => {
                self.require_open(op, block)?;
                Ok(node)
            }
            Known::Accumulator { .. } => {
                let value = op
                    .operand(operand)
                    .ok_or_else(|| op.error("requires an operand"))?;
                let number = self.accumulator(op, value)?;
                Ok(self.open_at(op)?.leaf(number))
            }
            Known::Wide(tiles) => self.materialize(op, tiles, broadcast),
            _ => Err(op.error(format!(
                "operand #{operand} is nothing that the vector unit can read; widen it with pto.tcvt"
            ))),
        }
    }

    /// The node of the vector program that reads tiles of memory, spread as told.
    fn materialize(
        &mut self,
        op: Op<'a>,
        tiles: Tiles,
        broadcast: Broadcast,
    ) -> Result<usize, Reported> {
        if let Some(node) = self
            .open
            .as_ref()
            .and_then(|open| open.loaded(&tiles, broadcast))
        {
            return Ok(node);
        }
        let number = self.bring(op, tiles.clone(), broadcast)?;
        let open = self.open_at(op)?;
        if open.items.len() > 1 {
            return Err(op.error("computes with the vector unit inside of a loop over products"));
        }
        Ok(open.load(number, tiles, broadcast))
    }

    /// Brings tiles of memory to Dst, spread as told.
    fn bring(&mut self, op: Op<'a>, tiles: Tiles, broadcast: Broadcast) -> Result<usize, Reported> {
        let shape = self.shape(op)?;
        let number = self.begin(op, shape)?;
        let place = self.place(op);
        let open = self.open_at(op)?;
        let dst = open.change(number, broadcast != Broadcast::None);
        // A sum with zero, which is exact. MOVA2D would want another format of SrcA than products do.
        open.item(Item::Step(Step {
            math: Math::Elementwise {
                op: Elementwise::Add,
                broadcast,
                accumulate: false,
            },
            srca: SrcA::Zero,
            srcb: tiles,
            dst,
            shape,
            place,
        }));
        Ok(number)
    }

    fn define_lanes(&mut self, op: Op<'a>, lanes: Lanes) -> Result<(), Reported> {
        let open = self.open_at(op)?;
        if open.items.len() > 1 {
            return Err(op.error("computes with the vector unit inside of a loop over products"));
        }
        let node = open.compute(lanes);
        let block = open.number;
        self.define(op, Known::Lanes { block, node })
    }

    fn define_packed(
        &mut self,
        op: Op<'a>,
        source: Source,
        rounded: bool,
        relu: bool,
    ) -> Result<(), Reported> {
        let block = self.open_at(op)?.number;
        self.define(
            op,
            Known::Packed {
                block,
                source,
                rounded,
                relu,
            },
        )
    }

    /// The number of the accumulator that a value is now.
    fn accumulator(&mut self, op: Op<'a>, value: Value<'a>) -> Result<usize, Reported> {
        match self.known(op, value)? {
            Known::Accumulator {
                block,
                number,
                version,
            } => {
                self.require_open(op, block)?;
                if self.open_at(op)?.is_current(number, version) {
                    return Ok(number);
                }
                Err(op.error(
                    "reads an accumulator that was changed or stored since; its values are used once",
                ))
            }
            _ => Err(op.error("changes what is no accumulator of the matrix unit")),
        }
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
        self.open
            .as_mut()
            .ok_or_else(|| op.error("reads a value of Dst where there is none"))
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

    fn check_memory(&self) -> Result<(), Reported> {
        for (arg, op) in &self.loaded {
            if self.stored.iter().any(|(stored, _)| stored == arg) {
                return Err(op.error(format!(
                    "loads from argument {arg}, which the kernel also stores to; nothing on a Tensix core orders the two"
                )));
            }
        }
        Ok(())
    }

    fn place(&mut self, op: Op<'a>) -> usize {
        self.places.push(op.location());
        self.places.len() - 1
    }

    fn define(&mut self, op: Op<'a>, known: Known) -> Result<(), Reported> {
        let result = op.result(0).ok_or_else(|| op.error("requires a result"))?;
        self.values.insert(result, known);
        Ok(())
    }

    fn operand(&self, op: Op<'a>, operand: usize) -> Result<Known, Reported> {
        let value = op
            .operand(operand)
            .ok_or_else(|| op.error(format!("requires operand #{operand}")))?;
        self.known(op, value)
    }

    fn known(&self, op: Op<'a>, value: Value<'a>) -> Result<Known, Reported> {
        self.values
            .get(&value)
            .cloned()
            .ok_or_else(|| op.error("reads a value that is not known when compiling"))
    }

    fn index(&self, op: Op<'a>, operand: usize) -> Result<Expr, Reported> {
        match self.operand(op, operand)? {
            Known::Index(index) => Ok(index),
            _ => Err(op.error(format!("operand #{operand} is no index"))),
        }
    }

    fn loaded_tiles(&self, op: Op<'a>, operand: usize) -> Result<Tiles, Reported> {
        match self.operand(op, operand)? {
            Known::Tiles(tiles) => Ok(tiles),
            _ => Err(op.error(format!("operand #{operand} is no tile that was loaded"))),
        }
    }

    /// Tiles of an operation's result.
    fn shape(&self, op: Op<'a>) -> Result<[u32; 2], Reported> {
        let tile = op.results().first().copied().or_else(|| op.operand(0));
        let tile = tile.and_then(|tile| pto::tile(tile.r#type()));
        let tile = tile.ok_or_else(|| op.error("requires a tile"))?;
        Ok([(tile.shape[0] / TILE) as u32, (tile.shape[1] / TILE) as u32])
    }
}

fn unit(op: Op) -> Option<Unit> {
    op.attribute("unit").and_then(Unit::of)
}

fn wrong_unit(op: Op, has: &str) -> Reported {
    op.error(format!(
        "with unit {} is not lowered to Tensix; this lowering uses {has}",
        unit(op).map_or("none", Unit::word)
    ))
}

/// Checks that the tiles an operation makes are such as this lowering has.
fn require_whole_tiles(op: Op) -> Result<(), Reported> {
    for result in op.results() {
        let Some(tile) = pto::tile(result.r#type()) else {
            continue;
        };
        let whole = tile.shape.len() == 2
            && tile
                .shape
                .iter()
                .all(|extent| *extent > 0 && extent % TILE == 0)
            && tile.valid == tile.shape;
        if !whole || tile.layout != Layout::Nd {
            return Err(op.error(format!(
                "makes {}, which is not lowered to Tensix; tiles of multiples of {TILE}x{TILE} elements are, row by row and \
                 valid everywhere",
                result.r#type()
            )));
        }
    }
    Ok(())
}
