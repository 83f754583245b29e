//! Element-wise operations, lowered to the unit that each names: matrix unit (`fpu`), vector unit
//! (`sfpu`) or packers (`pack`). The unit was chosen before expansion, so that a kernel computes
//! the same bits before and after it.

use tessera_ops::{Binary, Unary};
use tessera_pto::kernel::{Broadcast as PtoBroadcast, Element as PtoElement};
use tessera_pto::target::Unit;
use tessera_tensix_code::functions::{Function, FunctionImpl};

use super::super::block_builder::{BlockBuilder, PackSource, SymbolicValue};
use super::super::plan::{Broadcast, Element, Elementwise, Operand, VectorNode};
use super::super::refusal::Refusal;
use super::{OpRef, Planner};
use crate::targets::tensix::vector_unit::operand_element;

/// A value as the packers take it out of Dst.
pub(super) struct Packed {
    /// The value.
    pub source: PackSource,
    /// The element type it is packed as.
    pub element: Element,
    /// Whether the packers replace negative values by zero.
    pub relu: bool,
}

impl From<PtoBroadcast> for Broadcast {
    fn from(broadcast: PtoBroadcast) -> Self {
        match broadcast {
            PtoBroadcast::None => Broadcast::None,
            PtoBroadcast::Row => Broadcast::Row,
            PtoBroadcast::Column => Broadcast::Column,
            PtoBroadcast::Scalar => Broadcast::Scalar,
        }
    }
}

impl<'g> Planner<'g> {
    pub(super) fn binary(
        &mut self,
        at: OpRef<'g>,
        function: Binary,
        broadcast: Broadcast,
    ) -> Result<(), Refusal> {
        let elementwise = match function {
            Binary::Add => Some(Elementwise::Add),
            Binary::Subtract => Some(Elementwise::Subtract),
            Binary::Multiply => Some(Elementwise::Multiply),
            _ => None,
        };
        match (at.op.unit, elementwise) {
            (Some(Unit::Sfpu), _) => self.binary_on_vector_unit(at, function, broadcast),
            (Some(Unit::Fpu), Some(elementwise)) => self.elementwise(at, elementwise, broadcast),
            (_, Some(_)) => Err(wrong_unit(at, "fpu or sfpu")),
            (_, None) => Err(wrong_unit(at, Unit::Sfpu.name())),
        }
    }

    /// Plans an operation of the vector unit, or the combination of two reduced tiles. A product of
    /// a constant 1 and a tile computes nothing: it is the broadcast of the tile.
    fn binary_on_vector_unit(
        &mut self,
        at: OpRef<'g>,
        function: Binary,
        broadcast: Broadcast,
    ) -> Result<(), Refusal> {
        if let [SymbolicValue::Reduced(before), SymbolicValue::Reduced(value)] =
            [self.operand(at, 0)?, self.operand(at, 1)?]
        {
            return self.combine(at, function, [before, value]);
        }
        let is_number = matches!(self.operand(at, 0)?, SymbolicValue::Constant(_));
        // The tile operand comes first: a constant alone does not open a block.
        let (left, right) = if is_number {
            let right = self.vector_operand(at, 1, broadcast)?;
            (self.vector_operand(at, 0, Broadcast::None)?, right)
        } else {
            let left = self.vector_operand(at, 0, Broadcast::None)?;
            (left, self.vector_operand(at, 1, broadcast)?)
        };
        let one = one_bits(self.is_integer(at, 0)?);
        let is_one = matches!(self.operand(at, 0)?, SymbolicValue::Constant(bits) if bits == one);
        if is_one && function == Binary::Multiply {
            // `1 · x`: a broadcast without arithmetic.
            return self.define_vector_node(at, right);
        }
        self.define_computed(at, Function::Binary(function), vec![left, right])
    }

    pub(super) fn unary(&mut self, at: OpRef<'g>, function: Unary) -> Result<(), Refusal> {
        require_unit(at, Unit::Sfpu)?;
        let operand = self.vector_operand(at, 0, Broadcast::None)?;
        self.define_computed(at, Function::Unary(function), vec![operand])
    }

    pub(super) fn relu(&mut self, at: OpRef<'g>) -> Result<(), Refusal> {
        if at.op.unit != Some(Unit::Pack) {
            return self.unary(at, Unary::Relu);
        }
        let (source, rounded, _) = self.pack_source(at)?;
        self.define_packed(at, source, rounded, true)
    }

    /// Plans a select: the second operand where the first is not zero, else the third.
    pub(super) fn select(&mut self, at: OpRef<'g>) -> Result<(), Refusal> {
        require_unit(at, Unit::Sfpu)?;
        let mut of = Vec::new();
        for operand in 0..3 {
            of.push(self.vector_operand(at, operand, Broadcast::None)?);
        }
        self.define_computed(at, Function::Select, of)
    }

    /// Plans a constant tile, which is materialized where it is used.
    pub(super) fn fill(&mut self, at: OpRef<'g>, value: f64) -> Result<(), Refusal> {
        require_unit(at, Unit::Sfpu)?;
        let bits = match self.result_tile(at)?.element.is_integer() {
            true => value as i32 as u32,
            false => (value as f32).to_bits(),
        };
        self.define(at, SymbolicValue::Constant(bits))
    }

    /// Plans a conversion. Widening to f32 happens when a loaded tile is brought to Dst; narrowing
    /// to bf16 is left to the packers.
    pub(super) fn convert(&mut self, at: OpRef<'g>) -> Result<(), Refusal> {
        let to = self.result_tile(at)?.element;
        let from = self.operand(at, 0)?;
        if at.op.unit == Some(Unit::Sfpu) && !matches!(from, SymbolicValue::LoadedTiles(_)) {
            let operand = self.vector_operand(at, 0, Broadcast::None)?;
            let function = match to {
                PtoElement::Bf16 => Function::Round,
                PtoElement::F32 | PtoElement::I32 => Function::Convert,
            };
            return self.define_computed(at, function, vec![operand]);
        }
        match (from, to) {
            (SymbolicValue::LoadedTiles(tiles), PtoElement::F32) => {
                require_unit(at, Unit::Fpu)?;
                self.define(at, SymbolicValue::WideTiles(tiles))
            }
            (
                SymbolicValue::Accumulator { .. }
                | SymbolicValue::VectorNode { .. }
                | SymbolicValue::Packed { .. }
                | SymbolicValue::WideTiles(_)
                | SymbolicValue::Reduced(_),
                PtoElement::Bf16,
            ) => {
                require_unit(at, Unit::Pack)?;
                let (source, _, relu) = self.pack_source(at)?;
                self.define_packed(at, source, true, relu)
            }
            _ => Err(at.refuse(OTHER_CONVERSION)),
        }
    }

    /// Returns operand 0 as the packers take it out of Dst.
    ///
    /// # Errors
    /// The packers would apply relu without rounding to bf16.
    pub(super) fn packed_operand(&mut self, at: OpRef<'g>) -> Result<Packed, Refusal> {
        let (source, rounded, relu) = self.pack_source(at)?;
        if relu && !rounded {
            return Err(at.refuse(
                "packs an unrounded value with relu of unit pack, which the packers do not \
                 support; use unit = #pto.unit<sfpu>",
            ));
        }
        let element = if rounded { Element::Bf16 } else { Element::F32 };
        Ok(Packed {
            source,
            element,
            relu,
        })
    }

    /// Returns the value that operand 0 is packed from, whether it is rounded to bf16, and whether
    /// the packers apply relu.
    fn pack_source(&mut self, at: OpRef<'g>) -> Result<(PackSource, bool, bool), Refusal> {
        match self.operand(at, 0)? {
            SymbolicValue::Packed {
                block,
                source,
                rounded,
                relu,
            } => {
                self.require_open(at, block)?;
                Ok((source, rounded, relu))
            }
            SymbolicValue::VectorNode { block, node } => {
                self.require_open(at, block)?;
                Ok((PackSource::VectorNode(node), false, false))
            }
            SymbolicValue::Accumulator { .. } => {
                let number = self.accumulator(at, at.operand(0)?)?;
                self.open_block(at)?.freeze(number);
                Ok((PackSource::Accumulator(number), false, false))
            }
            SymbolicValue::WideTiles(_) | SymbolicValue::Reduced(_) => {
                let node = self.vector_operand(at, 0, Broadcast::None)?;
                Ok((PackSource::VectorNode(node), false, false))
            }
            _ => Err(at.refuse("operand #0 is not a computed tile; widen it with pto.tcvt")),
        }
    }

    /// Returns the node of the vector program for an operand, broadcast as requested.
    pub(super) fn vector_operand(
        &mut self,
        at: OpRef<'g>,
        operand: usize,
        broadcast: Broadcast,
    ) -> Result<usize, Refusal> {
        let known = self.operand(at, operand)?;
        if broadcast != Broadcast::None && !matches!(known, SymbolicValue::WideTiles(_)) {
            return Err(at.refuse(format!(
                "broadcasts operand #{operand}, but only a tile that was loaded and widened can be \
                 broadcast"
            )));
        }
        match known {
            SymbolicValue::VectorNode { block, node } => {
                self.require_open(at, block)?;
                Ok(node)
            }
            SymbolicValue::Accumulator { .. } => {
                let number = self.accumulator(at, at.operand(operand)?)?;
                Ok(self.open_block(at)?.dst_node(number))
            }
            SymbolicValue::WideTiles(tiles) => self.materialize(at, tiles, broadcast),
            SymbolicValue::Reduced(number) => self.reduced_operand(at, number),
            SymbolicValue::Constant(bits) => {
                let open = self.open_for_vector(at)?;
                Ok(open.push_node(VectorNode::Constant(bits)))
            }
            _ => Err(at.refuse(format!(
                "operand #{operand} is not readable by the vector unit; widen it with pto.tcvt"
            ))),
        }
    }

    /// Returns the node of the vector program for loaded tiles, brought to Dst with the requested
    /// broadcast. Reuses the node of an earlier load of the same tiles.
    fn materialize(
        &mut self,
        at: OpRef<'g>,
        tiles: Operand,
        broadcast: Broadcast,
    ) -> Result<usize, Refusal> {
        if let Some(node) = self
            .open
            .as_ref()
            .and_then(|open| open.find_loaded(&tiles, broadcast))
        {
            return Ok(node);
        }
        let number = self.load_to_dst(at, tiles.clone(), broadcast)?;
        let open = self.open_for_vector(at)?;
        Ok(open.record_load(number, tiles, broadcast))
    }

    fn define_computed(
        &mut self,
        at: OpRef<'g>,
        function: Function,
        of: Vec<usize>,
    ) -> Result<(), Refusal> {
        let element = operand_element(self.is_integer(at, 0)?, at.op.precision);
        let function = at.expect(FunctionImpl::find(function, element))?;
        let open = self.open_for_vector(at)?;
        let node = open.push_node(VectorNode::Computed {
            function,
            operands: of,
        });
        self.define_vector_node(at, node)
    }

    pub(super) fn define_vector_node(&mut self, at: OpRef<'g>, node: usize) -> Result<(), Refusal> {
        let block = self.open_block(at)?.number;
        self.define(at, SymbolicValue::VectorNode { block, node })
    }

    /// Returns the open block; fails inside of a loop over products.
    fn open_for_vector(&mut self, at: OpRef<'g>) -> Result<&mut BlockBuilder, Refusal> {
        let open = self.open_block(at)?;
        if open.items.len() > 1 {
            return Err(at.refuse("uses the vector unit inside a loop over products"));
        }
        Ok(open)
    }

    fn define_packed(
        &mut self,
        at: OpRef<'g>,
        source: PackSource,
        rounded: bool,
        relu: bool,
    ) -> Result<(), Refusal> {
        let block = self.open_block(at)?.number;
        self.define(
            at,
            SymbolicValue::Packed {
                block,
                source,
                rounded,
                relu,
            },
        )
    }

    /// Returns whether an operand is a tile of integers.
    fn is_integer(&self, at: OpRef, operand: usize) -> Result<bool, Refusal> {
        Ok(self.operand_tile(at, operand)?.element.is_integer())
    }
}

/// Diagnostic for conversions without a lowering.
pub const OTHER_CONVERSION: &str =
    "is not lowered to Tensix; supported are widening loaded bf16 to f32 and narrowing computed \
     f32 to bf16";

/// Returns the bits of 1, as a float or as an integer.
fn one_bits(integer: bool) -> u32 {
    match integer {
        true => 1,
        false => 1f32.to_bits(),
    }
}

/// Checks that an operation names `unit`.
pub(super) fn require_unit(at: OpRef, unit: Unit) -> Result<(), Refusal> {
    if at.op.unit == Some(unit) {
        return Ok(());
    }
    Err(wrong_unit(at, unit.name()))
}

fn wrong_unit(at: OpRef, has: &str) -> Refusal {
    at.refuse(format!(
        "with unit {} is not lowered to Tensix; this lowering uses {has}",
        at.op.unit.map_or("none", Unit::name)
    ))
}
