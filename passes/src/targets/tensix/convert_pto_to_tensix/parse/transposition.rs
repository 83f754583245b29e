//! Transpositions: of a tile as it was loaded, or of what is kept of those that were reduced.
//!
//! The matrix unit transposes, before the vector unit begins with the half of Dst.

use tessera_dialects::mlir::{Op, Reported};
use tessera_dialects::pto::Unit;

use super::super::block::Value as Known;
use super::super::plan::{Broadcast, Element, Elements, Item, Math, Operand, SrcA, Step, KEPT};
use super::elementwise::{unit, wrong_unit};
use super::Parser;

impl<'a> Parser<'_, 'a> {
    pub(super) fn transpose(&mut self, op: Op<'a>) -> Result<(), Reported> {
        if unit(op) != Some(Unit::Fpu) {
            return Err(wrong_unit(op, "fpu"));
        }
        match self.operand(op, 0)? {
            Known::Wide(tile) => self.transpose_loaded(op, tile),
            Known::Kept(number) => self.transpose_kept(op, number),
            _ => Err(op.error(
                "transposes what was computed, which is not lowered to Tensix, whose matrix unit transposes before its vector unit computes; \
                 compile with fusion=epilogue or fusion=none",
            )),
        }
    }

    fn transpose_loaded(&mut self, op: Op<'a>, tile: Operand) -> Result<(), Reported> {
        let shape = self.shape(op)?;
        if shape != [1, 1] {
            let [rows, columns] = shape;
            return Err(op.error(format!(
                "makes {rows}x{columns} tiles, but one is transposed at a time; use block=1x1"
            )));
        }
        let elements = match tile.element() {
            Element::Bf16 => Elements::Narrow,
            Element::F32 => Elements::All,
        };
        let number = self.bring(op, tile.clone(), Broadcast::None)?;
        let place = self.place(op);
        let open = self.open_at(op)?;
        let dst = open.change(number, false);
        open.item(transposition(elements, dst, place));
        let node = open.load_transposed(number, &tile);
        self.define_node(op, node)
    }

    /// What is kept is transposed where it lies, so it is read by nobody else.
    fn transpose_kept(&mut self, op: Op<'a>, number: usize) -> Result<(), Reported> {
        if self
            .open
            .as_ref()
            .is_some_and(|open| open.stores.is_empty())
        {
            return Err(op.error(
                "transposes what is kept of tiles beside a value that was begun before; store that first",
            ));
        }
        let node = self.kept(op, number)?;
        let place = self.place(op);
        let open = self.open_at(op)?;
        open.item(transposition(Elements::All, KEPT, place));
        self.folds += 1;
        self.define_node(op, node)
    }
}

fn transposition(elements: Elements, dst: u32, place: usize) -> Item {
    Item::Step(Step {
        math: Math::Transpose(elements),
        srca: SrcA::Zero,
        srcb: None,
        dst,
        shape: [1, 1],
        place,
    })
}
