//! Follows a `pto.func` through its loops and writes down what it does, tile by tile.
//!
//! Loops have constant bounds and are unrolled: the lists of a kernel are traces (rulings 1.12). An accumulator is one
//! half of Dst, changed in place, so each of its values is used once.

use std::collections::HashMap;

use tessera_dialects::mlir::{AttributeValue, Op, Reported, TensorType, Value};
use tessera_dialects::pto::{self, Dst, Fidelity, Kind, Layout, Space, Unit};

use crate::layout::TILE;

use super::plan::{Broadcast, Elementwise, MathOp, OutTile, Page, Plan, SrcA, Step};

/// The most steps and iterations of loops that a kernel is unrolled to.
const MOST_STEPS: usize = 1 << 18;

/// Traces a kernel.
///
/// # Errors
/// At the first operation that this lowering has no instructions for.
pub fn trace(func: Op) -> Result<Plan, Reported> {
    match pto::kind(func) {
        Some(Kind::Mixed | Kind::Cube) => {}
        kind => {
            return Err(func.error(format!(
                "of kind {} is not lowered to Tensix yet; mixed and cube kernels without pipes are",
                kind.map_or("none", Kind::word)
            )))
        }
    }
    let phases = match func.attribute("fidelity").and_then(Fidelity::of) {
        Some(Fidelity::LoFi) => 1,
        Some(Fidelity::HiFi2) => 2,
        Some(Fidelity::HiFi3) => 3,
        Some(Fidelity::HiFi4) => 4,
        None => return Err(func.error("requires a fidelity")),
    };
    if func.attribute("dst").and_then(Dst::of) != Some(Dst::F32) {
        return Err(func.error(
            "accumulates in 16 bits, which is not lowered to Tensix yet; use dst = #pto.dst<f32>",
        ));
    }
    let mut trace = Trace {
        values: HashMap::new(),
        tiles: Vec::new(),
        open: None,
        steps: 0,
    };
    let body = func.body().ok_or_else(|| func.error("requires a body"))?;
    for (number, argument) in body.arguments().into_iter().enumerate() {
        trace
            .values
            .insert(argument, Known::Argument(number as u16));
    }
    trace.ops(&body.ops())?;
    if let Some(open) = trace.open {
        return Err(open.at.error("computes a tile that is never stored"));
    }
    Ok(Plan {
        tiles: trace.tiles,
        phases,
    })
}

/// What is known of an SSA value while tracing.
#[derive(Clone, Copy)]
enum Known {
    Index(i64),
    Argument(u16),
    /// A tile in memory.
    Tile(Page),
    /// The accumulator after so many changes.
    Accumulator(usize),
}

/// The accumulator being computed.
struct Open<'a> {
    tile: OutTile,
    /// How often it has been changed; the value of another count is gone.
    changes: usize,
    /// Whether its values have been rounded to the type they are stored in.
    rounded: bool,
    /// Whether padding may hold something else than zero.
    dirty: bool,
    /// The operation that began it.
    at: Op<'a>,
}

struct Trace<'a> {
    values: HashMap<Value<'a>, Known>,
    tiles: Vec<OutTile>,
    open: Option<Open<'a>>,
    steps: usize,
}

impl<'a> Trace<'a> {
    fn ops(&mut self, ops: &[Op<'a>]) -> Result<(), Reported> {
        ops.iter().try_for_each(|op| self.op(*op))
    }

    fn op(&mut self, op: Op<'a>) -> Result<(), Reported> {
        require_whole_tiles(op)?;
        match op.name() {
            "arith.constant" => self.constant(op),
            "arith.addi" => self.arithmetic(op, i64::checked_add),
            "arith.muli" => self.arithmetic(op, i64::checked_mul),
            "scf.for" => self.r#for(op),
            "scf.yield" | "pto.return" => Ok(()),
            "pto.tload" => self.load(op),
            "pto.tmatmul" => self.matmul(op, None),
            "pto.tmatmul_acc" => self.matmul(op, Some(0)),
            "pto.tadd" => self.binary(op, Elementwise::Add),
            "pto.tsub" => self.binary(op, Elementwise::Subtract),
            "pto.tmul" => self.binary(op, Elementwise::Multiply),
            "pto.trelu" => self.relu(op),
            "pto.tneg" => self.negate(op),
            "pto.tcvt" => self.convert(op),
            "pto.tstore" => self.store(op),
            _ => Err(op.error("is not lowered to Tensix")),
        }
    }

    fn constant(&mut self, op: Op<'a>) -> Result<(), Reported> {
        let value = op.attribute("value").and_then(AttributeValue::integer);
        let value = value
            .ok_or_else(|| op.error("is no index; kernels compute with tiles and indices only"))?;
        self.define(op, Known::Index(value))
    }

    fn arithmetic(
        &mut self,
        op: Op<'a>,
        compute: fn(i64, i64) -> Option<i64>,
    ) -> Result<(), Reported> {
        let value = compute(self.index(op, 0)?, self.index(op, 1)?);
        let value = value.ok_or_else(|| op.error("overflows an index"))?;
        self.define(op, Known::Index(value))
    }

    /// Unrolls a loop, carrying its values from one iteration to the next.
    fn r#for(&mut self, op: Op<'a>) -> Result<(), Reported> {
        let [low, high, step] = [self.index(op, 0)?, self.index(op, 1)?, self.index(op, 2)?];
        if step <= 0 {
            return Err(op.error(format!("has step {step}; a loop counts upwards")));
        }
        let body = op.body().ok_or_else(|| op.error("requires a body"))?;
        let arguments = body.arguments();
        let operands = op.operands();
        let mut carried = operands[3..]
            .iter()
            .map(|v| self.known(op, *v))
            .collect::<Result<Vec<_>, _>>()?;
        let mut next = Some(low);
        while let Some(at) = next.filter(|at| *at < high) {
            self.count(op)?;
            self.values.insert(arguments[0], Known::Index(at));
            for (argument, known) in arguments[1..].iter().zip(&carried) {
                self.values.insert(*argument, *known);
            }
            let ops = body.ops();
            self.ops(&ops)?;
            let end = body
                .terminator()
                .ok_or_else(|| op.error("requires a terminator"))?;
            carried = end
                .operands()
                .iter()
                .map(|v| self.known(end, *v))
                .collect::<Result<Vec<_>, _>>()?;
            next = at.checked_add(step);
        }
        for (result, known) in op.results().into_iter().zip(carried) {
            self.values.insert(result, known);
        }
        Ok(())
    }

    fn load(&mut self, op: Op<'a>) -> Result<(), Reported> {
        let (page, _) = self.page(op, 0)?;
        self.define(op, Known::Tile(page))
    }

    /// The page that operands `first` (a tensor) to `first + 2` (row and column of the tile) name, and how many of its
    /// rows and columns hold data.
    fn page(&self, op: Op<'a>, first: usize) -> Result<(Page, (u32, u32)), Reported> {
        let memory = op
            .operand(first)
            .ok_or_else(|| op.error("requires a tensor"))?;
        let Known::Argument(arg) = self.known(op, memory)? else {
            return Err(op.error("moves a tile of something that is no argument of the kernel"));
        };
        let shape = memory.r#type().static_shape().unwrap_or_default();
        let (matrices, rows, columns) = match shape[..] {
            [rows, columns] => (1, rows, columns),
            [matrices, rows, columns] => (matrices, rows, columns),
            _ => return Err(op.error("moves a tile of something that is no tensor of matrices")),
        };
        let [row, column] = [self.index(op, first + 1)?, self.index(op, first + 2)?];
        let (down, across) = (rows.div_ceil(TILE), columns.div_ceil(TILE));
        let inside = |at: i64, extent: u64| u64::try_from(at).ok().filter(|at| *at < extent);
        let (Some(row), Some(column)) = (inside(row, matrices * down), inside(column, across))
        else {
            let down = matrices * down;
            return Err(op.error(format!(
                "tile [{row}, {column}] lies outside of {down}x{across} tiles"
            )));
        };
        let page = (row * across + column) as u32;
        let valid = |tile: u64, extent: u64| (extent - tile * TILE).min(TILE) as u32;
        // Every matrix is padded, not only the last.
        Ok((
            Page { arg, page },
            (valid(row % down, rows), valid(column, columns)),
        ))
    }

    fn matmul(&mut self, op: Op<'a>, accumulator: Option<usize>) -> Result<(), Reported> {
        let first = usize::from(accumulator.is_some());
        let (lhs, rhs) = (self.tile(op, first)?, self.tile(op, first + 1)?);
        // The left factor goes to SrcB, the right one to SrcA (rulings 1.4).
        let step = Step {
            srca: SrcA::Tile(rhs),
            srcb: Some(lhs),
            math: MathOp::Matmul,
        };
        match accumulator {
            None => self.begin(op, step),
            Some(operand) => self.extend(op, operand, step),
        }
    }

    fn binary(&mut self, op: Op<'a>, elementwise: Elementwise) -> Result<(), Reported> {
        require_unit(op, Unit::Fpu)?;
        let broadcast = match op.attribute("broadcast").and_then(pto::Broadcast::of) {
            Some(pto::Broadcast::Row) => Broadcast::Row,
            Some(pto::Broadcast::Column) => Broadcast::Column,
            Some(pto::Broadcast::Scalar) => Broadcast::Scalar,
            Some(pto::Broadcast::None) | None => Broadcast::None,
        };
        let right = self.tile(op, 1)?;
        let accumulate = matches!(self.operand(op, 0)?, Known::Accumulator(_));
        let math = MathOp::Elementwise {
            op: elementwise,
            broadcast,
            accumulate,
        };
        if !accumulate {
            let left = self.tile(op, 0)?;
            self.begin(
                op,
                Step {
                    srca: SrcA::Tile(left),
                    srcb: Some(right),
                    math,
                },
            )?;
        } else if elementwise == Elementwise::Add {
            self.extend(
                op,
                0,
                Step {
                    srca: SrcA::Zero,
                    srcb: Some(right),
                    math,
                },
            )?;
        } else {
            return Err(op.error("of an accumulator is not lowered to Tensix; only pto.tadd is"));
        }
        if let Some(open) = &mut self.open {
            open.dirty |= broadcast != Broadcast::None;
        }
        Ok(())
    }

    fn relu(&mut self, op: Op<'a>) -> Result<(), Reported> {
        require_unit(op, Unit::Pack)?;
        self.change(op, |open| open.tile.relu = true)
    }

    fn negate(&mut self, op: Op<'a>) -> Result<(), Reported> {
        require_unit(op, Unit::Sfpu)?;
        if self.open.as_ref().is_some_and(|open| open.tile.relu) {
            return Err(op.error("comes after a pto.trelu of the packer, which must be last"));
        }
        self.change(op, |open| open.tile.negate ^= true)
    }

    /// Widening moves a tile of memory into an accumulator; narrowing is what the packer does last.
    fn convert(&mut self, op: Op<'a>) -> Result<(), Reported> {
        let to = op.result(0).and_then(|result| pto::tile(result.r#type()));
        let to = to.ok_or_else(|| op.error("requires a result"))?;
        let element = to.element.to_string();
        match (self.operand(op, 0)?, to.space, element.as_str()) {
            (Known::Tile(page), Space::Acc, "f32") => {
                require_unit(op, Unit::Fpu)?;
                self.begin(op, Step { srca: SrcA::Tile(page), srcb: None, math: MathOp::Copy })
            }
            (Known::Accumulator(_), Space::Acc, "bf16") => {
                require_unit(op, Unit::Pack)?;
                self.change(op, |open| open.rounded = true)
            }
            _ => Err(op.error(
                "is not lowered to Tensix; bf16 in mat widens to f32 in acc, f32 in acc narrows to bf16 in acc",
            )),
        }
    }

    fn store(&mut self, op: Op<'a>) -> Result<(), Reported> {
        let (store, valid) = self.page(op, 1)?;
        self.current(op, 0)?;
        let mut open = self
            .open
            .take()
            .ok_or_else(|| op.error("stores no accumulator"))?;
        if !open.rounded {
            return Err(
                op.error("stores an accumulator that was not converted to the type of the tensor")
            );
        }
        open.tile.store = store;
        if open.dirty {
            open.tile.valid = valid;
        }
        self.tiles.push(open.tile);
        Ok(())
    }

    fn begin(&mut self, op: Op<'a>, step: Step) -> Result<(), Reported> {
        if let Some(open) = &self.open {
            let place = open
                .at
                .place()
                .map(|place| format!(" (begun at {place})"))
                .unwrap_or_default();
            return Err(op.error(format!(
                "begins a second accumulator before the first is stored{place}; this lowering keeps one"
            )));
        }
        let tile = OutTile {
            steps: vec![step],
            negate: false,
            relu: false,
            store: Page { arg: 0, page: 0 },
            valid: (TILE as u32, TILE as u32),
        };
        self.open = Some(Open {
            tile,
            changes: 0,
            rounded: false,
            dirty: false,
            at: op,
        });
        self.count(op)?;
        self.define(op, Known::Accumulator(0))
    }

    fn extend(&mut self, op: Op<'a>, operand: usize, step: Step) -> Result<(), Reported> {
        self.current(op, operand)?;
        if self
            .open
            .as_ref()
            .is_some_and(|open| open.tile.negate || open.tile.relu)
        {
            return Err(
                op.error("adds to an accumulator after its last operation, pto.tneg or pto.trelu")
            );
        }
        self.count(op)?;
        if let Some(open) = &mut self.open {
            open.tile.steps.push(step);
        }
        self.changed(op)
    }

    /// Changes the accumulator that operand 0 is.
    fn change(&mut self, op: Op<'a>, change: impl FnOnce(&mut Open)) -> Result<(), Reported> {
        self.current(op, 0)?;
        let open = self.open.as_mut().filter(|open| !open.rounded);
        let open = open.ok_or_else(|| {
            op.error("comes after the conversion by the packer, which must be last")
        })?;
        change(open);
        self.changed(op)
    }

    fn changed(&mut self, op: Op<'a>) -> Result<(), Reported> {
        let changes = self.open.as_mut().map_or(0, |open| {
            open.changes += 1;
            open.changes
        });
        self.define(op, Known::Accumulator(changes))
    }

    /// Checks that an operand is the accumulator as it is now.
    fn current(&self, op: Op<'a>, operand: usize) -> Result<(), Reported> {
        match (self.operand(op, operand)?, &self.open) {
            (Known::Accumulator(changes), Some(open)) if changes == open.changes => Ok(()),
            (Known::Accumulator(_), _) => Err(op.error(
                "reads an accumulator that was changed or stored since; its values are used once",
            )),
            _ => Err(op.error(format!(
                "operand #{operand} is no accumulator; convert it with pto.tcvt"
            ))),
        }
    }

    fn count(&mut self, op: Op<'a>) -> Result<(), Reported> {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return Err(op.error(format!(
                "is unrolled more than {MOST_STEPS} times; kernels of this size need loops in RISC-V code"
            )));
        }
        Ok(())
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
            .copied()
            .ok_or_else(|| op.error("reads a value that is not known when compiling"))
    }

    fn index(&self, op: Op<'a>, operand: usize) -> Result<i64, Reported> {
        match self.operand(op, operand)? {
            Known::Index(index) => Ok(index),
            _ => Err(op.error(format!("operand #{operand} is no index"))),
        }
    }

    fn tile(&self, op: Op<'a>, operand: usize) -> Result<Page, Reported> {
        match self.operand(op, operand)? {
            Known::Tile(page) => Ok(page),
            _ => Err(op.error(format!("operand #{operand} is not a tile in mat"))),
        }
    }
}

/// Checks that the tiles an operation makes are such as this lowering has: faces of whole tiles.
fn require_whole_tiles(op: Op) -> Result<(), Reported> {
    for result in op.results() {
        let Some(tile) = pto::tile(result.r#type()) else {
            continue;
        };
        let whole = tile.shape == [TILE, TILE] && tile.valid == tile.shape;
        if !whole || tile.layout != Layout::Nd || !matches!(tile.space, Space::Mat | Space::Acc) {
            return Err(op.error(format!(
                "makes {}, which is not lowered to Tensix; tiles of 32x32 elements in mat or acc are, row by row and valid \
                 everywhere",
                result.r#type()
            )));
        }
    }
    Ok(())
}

/// Checks that an operation is computed where this lowering computes it.
fn require_unit(op: Op, unit: Unit) -> Result<(), Reported> {
    match op.attribute("unit").and_then(Unit::of) {
        Some(found) if found == unit => Ok(()),
        found => Err(op.error(format!(
            "with unit {} is not lowered to Tensix; this lowering uses {unit}",
            found.map_or("none", Unit::word)
        ))),
    }
}
