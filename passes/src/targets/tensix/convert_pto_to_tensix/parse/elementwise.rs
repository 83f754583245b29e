//! Element-wise operations, each as its unit does it.

use tessera_dialects::mlir::{AttributeValue, Op, Reported, Value};
use tessera_dialects::pto::{self, Unit};
use tessera_ops::{Binary, Unary};
use tessera_tensix_code::functions::{Function, Row};

use super::super::block::{Open, Source, Value as Known};
use super::super::plan::{Broadcast, Element, Elementwise, Lanes, Operand};
use super::{promised, Parser};

/// What packers take out of Dst.
pub(super) struct Packed {
    /// From where.
    pub source: Source,
    /// As what.
    pub element: Element,
    /// Whether they replace negative values by zero.
    pub relu: bool,
}

impl<'a> Parser<'_, 'a> {
    pub(super) fn binary(&mut self, op: Op<'a>, function: Binary) -> Result<(), Reported> {
        let broadcast = match op.attribute("broadcast").and_then(pto::Broadcast::of) {
            Some(pto::Broadcast::Row) => Broadcast::Row,
            Some(pto::Broadcast::Column) => Broadcast::Column,
            Some(pto::Broadcast::Scalar) => Broadcast::Scalar,
            Some(pto::Broadcast::None) | None => Broadcast::None,
        };
        let elementwise = match function {
            Binary::Add => Some(Elementwise::Add),
            Binary::Subtract => Some(Elementwise::Subtract),
            Binary::Multiply => Some(Elementwise::Multiply),
            _ => None,
        };
        match (unit(op), elementwise) {
            (Some(Unit::Sfpu), _) => self.binary_of_lanes(op, function, broadcast),
            (Some(Unit::Fpu), Some(elementwise)) => self.elementwise(op, elementwise, broadcast),
            (_, Some(_)) => Err(wrong_unit(op, "fpu or sfpu")),
            (_, None) => Err(wrong_unit(op, "sfpu")),
        }
    }

    fn binary_of_lanes(
        &mut self,
        op: Op<'a>,
        function: Binary,
        broadcast: Broadcast,
    ) -> Result<(), Reported> {
        if let [Known::Kept(before), Known::Kept(value)] =
            [self.operand(op, 0)?, self.operand(op, 1)?]
        {
            return self.combine(op, function, [before, value]);
        }
        let is_number = matches!(self.operand(op, 0)?, Known::Number(_));
        // A number begins no block.
        let (left, right) = if is_number {
            let right = self.lanes(op, 1, broadcast)?;
            (self.lanes(op, 0, Broadcast::None)?, right)
        } else {
            let left = self.lanes(op, 0, Broadcast::None)?;
            (left, self.lanes(op, 1, broadcast)?)
        };
        let is_one =
            matches!(self.operand(op, 0)?, Known::Number(bits) if bits == one(integer(op, 0)?));
        if is_one && function == Binary::Multiply {
            // What is only spread.
            return self.define_node(op, right);
        }
        self.define_lanes(op, Function::Binary(function), vec![left, right])
    }

    pub(super) fn unary(&mut self, op: Op<'a>, function: Unary) -> Result<(), Reported> {
        if unit(op) != Some(Unit::Sfpu) {
            return Err(wrong_unit(op, "sfpu"));
        }
        let operand = self.lanes(op, 0, Broadcast::None)?;
        self.define_lanes(op, Function::Unary(function), vec![operand])
    }

    pub(super) fn relu(&mut self, op: Op<'a>) -> Result<(), Reported> {
        if unit(op) != Some(Unit::Pack) {
            return self.unary(op, Unary::Relu);
        }
        let (source, rounded, _) = self.finished(op)?;
        self.define_packed(op, source, rounded, true)
    }

    /// The second operand where the first is not zero, else the third.
    pub(super) fn select(&mut self, op: Op<'a>) -> Result<(), Reported> {
        if unit(op) != Some(Unit::Sfpu) {
            return Err(wrong_unit(op, "sfpu"));
        }
        let mut of = Vec::new();
        for operand in 0..3 {
            of.push(self.lanes(op, operand, Broadcast::None)?);
        }
        self.define_lanes(op, Function::Select, of)
    }

    /// A number, which becomes a value where it is used.
    pub(super) fn fill(&mut self, op: Op<'a>) -> Result<(), Reported> {
        if unit(op) != Some(Unit::Sfpu) {
            return Err(wrong_unit(op, "sfpu"));
        }
        let value = op.attribute("value").and_then(AttributeValue::float);
        let value = promised(op, value)?;
        let bits = match is_integer(op.result(0)) {
            true => value as i32 as u32,
            false => (value as f32).to_bits(),
        };
        self.define(op, Known::Number(bits))
    }

    /// Widening brings a tile of memory into Dst where it is used; narrowing is what the packers do last.
    pub(super) fn convert(&mut self, op: Op<'a>) -> Result<(), Reported> {
        let to = op.result(0).and_then(|result| pto::tile(result.r#type()));
        let to = promised(op, to)?;
        let is_loaded = matches!(self.operand(op, 0)?, Known::Tiles(_));
        if unit(op) == Some(Unit::Sfpu) && !is_loaded {
            let operand = self.lanes(op, 0, Broadcast::None)?;
            let function = match to.element.to_string().as_str() {
                "bf16" => Function::Round,
                _ => Function::Convert,
            };
            return self.define_lanes(op, function, vec![operand]);
        }
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
                | Known::Wide(_)
                | Known::Kept(_),
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

    /// Operand 0 as it leaves Dst.
    pub(super) fn packed(&mut self, op: Op<'a>) -> Result<Packed, Reported> {
        let (source, rounded, relu) = self.finished(op)?;
        if relu && !rounded {
            return Err(op.error(
                "takes out what has relu of unit pack but is not rounded, which packers do not do; use unit = #pto.unit<sfpu>",
            ));
        }
        let element = if rounded { Element::Bf16 } else { Element::F32 };
        Ok(Packed {
            source,
            element,
            relu,
        })
    }

    /// What operand 0, which the packers take, comes from; whether it has been rounded, and whether relu is due.
    pub(super) fn finished(&mut self, op: Op<'a>) -> Result<(Source, bool, bool), Reported> {
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
                let number = self.accumulator(op, promised(op, op.operand(0))?)?;
                self.open_at(op)?.freeze(number);
                Ok((Source::Accumulator(number), false, false))
            }
            Known::Wide(_) | Known::Kept(_) => {
                let node = self.lanes(op, 0, Broadcast::None)?;
                Ok((Source::Lanes(node), false, false))
            }
            _ => Err(op.error("operand #0 is nothing that was computed; widen it with pto.tcvt")),
        }
    }

    /// The value of the vector program that an operand is, spread as told.
    pub(super) fn lanes(
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
                let number = self.accumulator(op, promised(op, op.operand(operand))?)?;
                Ok(self.open_at(op)?.leaf(number))
            }
            Known::Wide(tiles) => self.materialize(op, tiles, broadcast),
            Known::Kept(number) => self.kept(op, number),
            Known::Number(bits) => {
                let open = self.open_for_vector(op)?;
                Ok(open.compute(Lanes::Number(bits)))
            }
            _ => Err(op.error(format!(
                "operand #{operand} is nothing that the vector unit can read; widen it with pto.tcvt"
            ))),
        }
    }

    /// The node of the vector program that reads tiles of memory, spread as told.
    fn materialize(
        &mut self,
        op: Op<'a>,
        tiles: Operand,
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
        let open = self.open_for_vector(op)?;
        Ok(open.load(number, tiles, broadcast))
    }

    fn define_lanes(
        &mut self,
        op: Op<'a>,
        function: Function,
        of: Vec<usize>,
    ) -> Result<(), Reported> {
        let row = promised(op, Row::of(function, integer(op, 0)?))?;
        let open = self.open_for_vector(op)?;
        let node = open.compute(Lanes::Computed { row, of });
        self.define_node(op, node)
    }

    pub(super) fn define_node(&mut self, op: Op<'a>, node: usize) -> Result<(), Reported> {
        let block = self.open_at(op)?.number;
        self.define(op, Known::Lanes { block, node })
    }

    /// The open block, in which the vector unit can compute.
    fn open_for_vector(&mut self, op: Op<'a>) -> Result<&mut Open<'a>, Reported> {
        let open = self.open_at(op)?;
        if open.items.len() > 1 {
            return Err(op.error("computes with the vector unit inside of a loop over products"));
        }
        Ok(open)
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
}

/// Whether a tile is one of integers.
pub(super) fn is_integer(tile: Option<Value>) -> bool {
    let tile = tile.and_then(|tile| pto::tile(tile.r#type()));
    tile.is_some_and(|tile| tile.element.to_string() == "i32")
}

/// Whether an operand is a tile of integers.
fn integer(op: Op, operand: usize) -> Result<bool, Reported> {
    let operand = promised(op, op.operand(operand))?;
    Ok(is_integer(Some(operand)))
}

/// The bits of a float or an integer that is one.
fn one(integer: bool) -> u32 {
    match integer {
        true => 1,
        false => 1f32.to_bits(),
    }
}

pub(super) fn unit(op: Op) -> Option<Unit> {
    op.attribute("unit").and_then(Unit::of)
}

pub(super) fn wrong_unit(op: Op, has: &str) -> Reported {
    op.error(format!(
        "with unit {} is not lowered to Tensix; this lowering uses {has}",
        unit(op).map_or("none", Unit::word)
    ))
}
