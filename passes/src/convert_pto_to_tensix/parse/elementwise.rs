//! Element-wise operations, each as its unit does it.

use tessera_dialects::mlir::{Op, Reported};
use tessera_dialects::pto::{self, Unit};

use super::super::block::{Source, Value as Known};
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
    pub(super) fn binary(
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

    pub(super) fn unary(&mut self, op: Op<'a>, lanes: fn(usize) -> Lanes) -> Result<(), Reported> {
        if unit(op) != Some(Unit::Sfpu) {
            return Err(wrong_unit(op, "sfpu"));
        }
        let operand = self.lanes(op, 0, Broadcast::None)?;
        self.define_lanes(op, lanes(operand))
    }

    pub(super) fn relu(&mut self, op: Op<'a>) -> Result<(), Reported> {
        if unit(op) != Some(Unit::Pack) {
            return self.unary(op, Lanes::Relu);
        }
        let (source, rounded, _) = self.finished(op)?;
        self.define_packed(op, source, rounded, true)
    }

    /// Widening brings a tile of memory into Dst where it is used; narrowing is what the packers do last.
    pub(super) fn convert(&mut self, op: Op<'a>) -> Result<(), Reported> {
        let to = op.result(0).and_then(|result| pto::tile(result.r#type()));
        let to = promised(op, to)?;
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
                let number = self.accumulator(op, promised(op, op.operand(operand))?)?;
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
        let open = self.open_at(op)?;
        if open.items.len() > 1 {
            return Err(op.error("computes with the vector unit inside of a loop over products"));
        }
        Ok(open.load(number, tiles, broadcast))
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
