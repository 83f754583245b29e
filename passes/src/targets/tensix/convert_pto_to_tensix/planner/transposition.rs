//! Transpositions of a loaded tile or of a running reduction.
//!
//! The matrix unit transposes within Dst, before the vector unit starts on that half.

use tessera_pto::target::Unit;

use super::super::block_builder::{BlockBuilder, SymbolicValue};
use super::super::plan::{
    BlockItem, Broadcast, Element, ElementWidth, LocationId, Math, Operand, SrcA, Step,
    REDUCTION_TILE,
};
use super::super::refusal::Refusal;
use super::elementwise::require_unit;
use super::{OpRef, Planner};

impl<'g> Planner<'g> {
    pub(super) fn transpose(&mut self, at: OpRef<'g>) -> Result<(), Refusal> {
        require_unit(at, Unit::Fpu)?;
        match self.operand(at, 0)? {
            SymbolicValue::WideTiles(tile) => self.transpose_loaded(at, tile),
            SymbolicValue::Reduced(number) => self.transpose_running_value(at, number),
            _ => Err(at.refuse(
                "transposes a computed tile, which is not lowered to Tensix: the matrix unit \
                 transposes before the vector unit computes; compile with fusion=epilogue or \
                 fusion=none",
            )),
        }
    }

    fn transpose_loaded(&mut self, at: OpRef<'g>, tile: Operand) -> Result<(), Refusal> {
        let shape = self.shape(at)?;
        if shape != [1, 1] {
            let [rows, columns] = shape;
            return Err(at.refuse(format!(
                "transposes {rows}x{columns} tiles, but only single tiles can be transposed; use \
                 block=1x1"
            )));
        }
        let elements = match tile.element() {
            Element::Bf16 => ElementWidth::Bits19,
            Element::F32 => ElementWidth::Bits32,
        };
        let number = self.load_to_dst(at, tile.clone(), Broadcast::None)?;
        let open = self.open_block(at)?;
        let dst = open.record_change(number, false);
        open.push_item(transposition(elements, dst, at.location()));
        let node = open.record_transposed_load(number, &tile);
        self.define_vector_node(at, node)
    }

    /// Transposes the running value in place, so nothing else may read it.
    fn transpose_running_value(&mut self, at: OpRef<'g>, number: usize) -> Result<(), Refusal> {
        let unstored = |open: &BlockBuilder| open.stores.is_empty();
        if self.open.as_ref().is_some_and(unstored) {
            return Err(at.refuse(
                "transposes a running reduction while an earlier value is not stored; store that \
                 value first",
            ));
        }
        let node = self.reduced_operand(at, number)?;
        let open = self.open_block(at)?;
        open.push_item(transposition(
            ElementWidth::Bits32,
            REDUCTION_TILE,
            at.location(),
        ));
        self.folds += 1;
        self.define_vector_node(at, node)
    }
}

fn transposition(elements: ElementWidth, dst: u32, location: LocationId) -> BlockItem {
    BlockItem::Step(Step {
        math: Math::Transpose(elements),
        srca: SrcA::Zero,
        srcb: None,
        dst,
        shape: [1, 1],
        location,
    })
}
