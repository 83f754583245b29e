//! Transpositions: of a tile as it was loaded, or of what is kept of those that were reduced.
//!
//! The matrix unit transposes, before the vector unit begins with the half of Dst.

use tessera_pto::target::Unit;

use super::super::block::{Known, Open};
use super::super::plan::{
    Broadcast, Element, Elements, Item, Math, Operand, Place, SrcA, Step, KEPT,
};
use super::super::refusal::Refusal;
use super::elementwise::require_unit;
use super::{At, Planner};

impl<'g> Planner<'g> {
    pub(super) fn transpose(&mut self, at: At<'g>) -> Result<(), Refusal> {
        require_unit(at, Unit::Fpu)?;
        match self.operand(at, 0)? {
            Known::Wide(tile) => self.transpose_loaded(at, tile),
            Known::Kept(number) => self.transpose_kept(at, number),
            _ => Err(at.refuse(
                "transposes what was computed, which is not lowered to Tensix, whose matrix unit transposes before its vector unit computes; \
                 compile with fusion=epilogue or fusion=none",
            )),
        }
    }

    fn transpose_loaded(&mut self, at: At<'g>, tile: Operand) -> Result<(), Refusal> {
        let shape = self.shape(at)?;
        if shape != [1, 1] {
            let [rows, columns] = shape;
            return Err(at.refuse(format!(
                "makes {rows}x{columns} tiles, but one is transposed at a time; use block=1x1"
            )));
        }
        let elements = match tile.element() {
            Element::Bf16 => Elements::Narrow,
            Element::F32 => Elements::All,
        };
        let number = self.bring(at, tile.clone(), Broadcast::None)?;
        let open = self.open_at(at)?;
        let dst = open.change(number, false);
        open.item(transposition(elements, dst, at.place()));
        let node = open.load_transposed(number, &tile);
        self.define_node(at, node)
    }

    /// What is kept is transposed where it lies, so it is read by nobody else.
    fn transpose_kept(&mut self, at: At<'g>, number: usize) -> Result<(), Refusal> {
        let unstored = |open: &Open| open.stores.is_empty();
        if self.open.as_ref().is_some_and(unstored) {
            return Err(at.refuse(
                "transposes what is kept of tiles beside a value that was begun before; store that first",
            ));
        }
        let node = self.kept(at, number)?;
        let open = self.open_at(at)?;
        open.item(transposition(Elements::All, KEPT, at.place()));
        self.folds += 1;
        self.define_node(at, node)
    }
}

fn transposition(elements: Elements, dst: u32, place: Place) -> Item {
    Item::Step(Step {
        math: Math::Transpose(elements),
        srca: SrcA::Zero,
        srcb: None,
        dst,
        shape: [1, 1],
        place,
    })
}
