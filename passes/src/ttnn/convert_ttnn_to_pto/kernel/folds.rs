//! Builds reductions: loops over the tiles of a row or column that carry the partial result.
//!
//! Every tile is reduced and then combined with the partial result. The last tile of a row or
//! column may be partly valid. It is peeled off the loop, and its type gives the valid extent, so
//! that padding is not reduced.

use tessera_dialects::mlir::{At, Value};
use tessera_dialects::pto::{self, Broadcast, Unit};

use super::{kind, Builder, ComputedRect};
use crate::ttnn::fusion::reduction::Reduction;
use crate::ttnn::fusion::steps::Step;
use crate::ttnn::fusion::tensor::Element;
use crate::ttnn::layout::TILE;
use tessera_pto::target::Precision;

/// The axes of a matrix in loop order: the loop over columns is the inner one.
const AXES: [usize; 2] = [0, 1];

/// A reduction and the computation of its operand.
struct Fold<'s> {
    reduction: &'s Reduction,
    /// Steps for each tile of the source.
    before: &'s [Step],
}

impl<'a> Builder<'_, 'a> {
    /// Builds the reduction of the result of steps.
    pub(super) fn reduced(
        &self,
        place: ComputedRect<'a>,
        reduction: &Reduction,
        before: &[Step],
    ) -> Value<'a> {
        let fold = Fold { reduction, before };
        self.fold(place, &fold, &AXES, None)
    }

    /// Builds the loop along the first of `axes`, and inside of it those along the others.
    fn fold(
        &self,
        place: ComputedRect<'a>,
        fold: &Fold,
        axes: &[usize],
        kept: Option<Value<'a>>,
    ) -> Value<'a> {
        let Some((&axis, inner)) = axes.split_first() else {
            return self.kept(place, fold, kept);
        };
        if !fold.reduction.axes[axis] {
            return self.fold(place, fold, inner, kept);
        }
        let along = |at: At<'a>, index: Value<'a>, valid: Option<u64>| {
            let mut place = ComputedRect { at, ..place };
            place.valid[axis] = valid;
            match axis {
                0 => place.row = index,
                _ => place.column = index,
            }
            place
        };
        let source = fold.reduction.source;
        let extent = [source.rows, source.columns][axis];
        let (full, rest) = (extent / TILE, extent % TILE);
        let mut kept = kept;
        let mut next = 0;
        if kept.is_none() && full > 0 {
            let first = along(place.at, self.index(place.at, 0), None);
            kept = Some(self.fold(first, fold, inner, None));
            next = 1;
        }
        if next < full {
            kept = self.r#for(place.at, next, full, kept, |at, index, kept| {
                Some(self.fold(along(at, index, None), fold, inner, kept))
            });
        }
        if rest > 0 {
            let last = along(place.at, self.index(place.at, full), Some(rest));
            kept = Some(self.fold(last, fold, inner, kept));
        }
        kept.expect("every extent is positive")
    }

    /// Builds the reduction of one rectangle and its combination with the partial result.
    fn kept(&self, place: ComputedRect<'a>, fold: &Fold, before: Option<Value<'a>>) -> Value<'a> {
        let reduce = fold.reduction.reduce;
        let mut place = place;
        let mut value = self.compute(place, fold.before, Element::F32);
        // Across columns first, which leaves a column, then across rows, which leaves an element.
        for (axis, word) in [(1, "row"), (0, "col")] {
            if fold.reduction.axes[axis] {
                place.valid[axis] = Some(1);
                let left = self.tile(place, kind(value), "vec");
                let name = pto::op_name(&format!("{word}{}", reduce.mnemonic()));
                value = self.op(place.at, self.on(Unit::Sfpu, &name), &[value], left);
            }
        }
        match before {
            None => value,
            Some(before) => {
                let op = self.binary_op(reduce.step(), Precision::F32);
                self.on_vector_side(place, op, [before, value], Broadcast::None)
            }
        }
    }
}
