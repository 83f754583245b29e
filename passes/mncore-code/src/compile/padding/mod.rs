//! Abstract interpretation of padding: what a kernel computes where tensors have no elements.
//!
//! A kernel processes padding like the rest. The results must not stop the chip, which traps where
//! the manual leaves a result undetermined: infinity times zero, a sum of opposite infinities,
//! infinite factors of matrices. Expressions are therefore evaluated over intervals ([`range`]) for
//! each [`Region`] of padding. A value that is computed from the same operands as some element is
//! safe: the operation would be undetermined for elements, too.
//!
//! If an expression may trap in its padding, its kernel is compiled with another [`Fill`].
//!
//! | region | rows | columns |
//! |---|---|---|
//! | `Elements` | elements | elements |
//! | `Rows` | beyond the last | elements |
//! | `Columns` | elements | beyond the last |
//! | `Corner` | beyond the last | beyond the last |
//! | `Cycles` | untransferred cycles of vectors, with previous contents | |

mod range;

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use tessera_pto::kernel::{Axis, Binary, Element, Reduce, Unary};

use crate::raise::{BroadcastView, Expr, ExprKind, Store};
pub(super) use range::Range;

/// Bound of the numbers on the chip before a kernel writes there: memory is empty or holds previous
/// results.
const BEFORE: f64 = (1_u64 << 40) as f64;

/// The padding that a kernel finds in its tensors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Fill {
    /// Whether the host replicates edge elements, instead of zeros. Along the depth of a product
    /// one of the factors always has zeros.
    pub edges: bool,
    /// Whether cycles without elements repeat others, or are transferred as if they had some;
    /// otherwise they are left untouched.
    pub cycles: bool,
    /// The same for distributions with rows over cycles.
    pub tall_cycles: bool,
}

/// A region of the index space of a vector's contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Region {
    Elements,
    Rows,
    Columns,
    Corner,
    /// Untransferred cycles; `tall` if cycles hold the reduced axis.
    Cycles {
        tall: bool,
    },
}

impl Region {
    /// The regions in DRAM, which one kernel leaves to another.
    pub const IN_DRAM: [Region; 3] = [Region::Rows, Region::Columns, Region::Corner];

    /// Returns the region of the transposed tensor.
    fn transposed(self) -> Region {
        match self {
            Region::Rows => Region::Columns,
            Region::Columns => Region::Rows,
            other => other,
        }
    }
}

/// The abstract value of the padding in a region.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Padding {
    /// Whether it is computed from the same operands as some element.
    pub is_element: bool,
    /// The interval of its values.
    pub range: Range,
}

impl Padding {
    /// The padding that the host writes without `edges`.
    pub const ZERO: Padding = Padding {
        is_element: false,
        range: Range::ZERO,
    };

    /// Returns padding that replicates some element of a tensor.
    pub fn like_elements(element: Element) -> Padding {
        Padding {
            is_element: true,
            range: Range::from_element(element),
        }
    }

    /// Returns whether it is zero.
    pub fn is_zero(self) -> bool {
        self.range.is_zero()
    }

    /// Returns the join of two values.
    pub fn join(self, other: Padding) -> Padding {
        Padding {
            is_element: self.is_element && other.is_element,
            range: self.range.hull(other.range),
        }
    }
}

/// Returns the padding of a tensor in a region of its own rows and columns.
pub(super) type OfTensor<'a> = &'a dyn Fn(usize, Region) -> Padding;

/// The abstract value of an expression in a region.
pub(super) struct AbstractValue {
    /// The value.
    pub padding: Padding,
    /// Whether every operation on the way is determined.
    pub is_determined: bool,
}

/// Evaluates an expression in a region, given the padding of tensors. Local tensors have the value
/// that is stored. All of them are computed in this region, whatever the expression reads.
pub(super) fn padding(
    expr: &Expr,
    locals: &[Store],
    region: Region,
    tensors: OfTensor,
) -> AbstractValue {
    let evaluation = Evaluation {
        tensors,
        locals,
        known: RefCell::default(),
        is_undetermined: Cell::new(false),
    };
    for store in locals {
        evaluation.stored(store, region);
    }
    let padding = evaluation.expr(expr, region);
    AbstractValue {
        padding,
        is_determined: !evaluation.is_undetermined.get(),
    }
}

/// Returns the fill of cycles that a kernel needs for these expressions, if the host writes zeros.
/// `edges` stays false: layout assignment decides on it.
pub(super) fn fill_for(stored: &[&Expr], locals: &[Store]) -> Fill {
    let tensors = |_: usize, _: Region| Padding::ZERO;
    let is_undetermined = |tall| {
        let region = Region::Cycles { tall };
        let mut stored = stored.iter();
        !stored.all(|expr| padding(expr, locals, region, &tensors).is_determined)
    };
    Fill {
        edges: false,
        cycles: is_undetermined(false),
        tall_cycles: is_undetermined(true),
    }
}

struct Evaluation<'a> {
    tensors: OfTensor<'a>,
    locals: &'a [Store],
    /// The values of local tensors by region.
    known: RefCell<HashMap<(usize, Region), Padding>>,
    /// Whether an operation so far is undetermined.
    is_undetermined: Cell<bool>,
}

impl Evaluation<'_> {
    /// Records an undetermined operation, unless its operands are those of some element.
    fn record(&self, is_element: bool, is_undetermined: bool) {
        if is_undetermined && !is_element {
            self.is_undetermined.set(true);
        }
    }

    fn expr(&self, expr: &Expr, region: Region) -> Padding {
        let part = |one: &Expr| self.expr(one, region);
        match &expr.kind {
            ExprKind::Tensor(tensor, broadcast) => self.tensor(expr, (*tensor, *broadcast), region),
            // The same everywhere, and thus for elements.
            ExprKind::Fill(number) => Padding {
                is_element: true,
                range: Range::point(*number),
            },
            ExprKind::Product(factors) => self.product(factors, region),
            ExprKind::Convert(element, one) => {
                let own = part(one);
                let range = own.range.converted(one.element, *element);
                Padding { range, ..own }
            }
            ExprKind::Unary(function, one) => self.unary(*function, part(one), one.element),
            ExprKind::Binary(function, both) => {
                self.binary(*function, both, both.each_ref().map(part))
            }
            ExprKind::Select(all) => select(all.each_ref().map(part)),
            ExprKind::Reduce {
                reduce,
                axis,
                extent,
                of,
            } => self.reduce((*reduce, *axis, *extent), of, region),
        }
    }

    fn tensor(
        &self,
        expr: &Expr,
        (tensor, broadcast): (usize, BroadcastView),
        region: Region,
    ) -> Padding {
        if let Some(store) = self.locals.iter().find(|store| store.tensor == tensor) {
            return self.local(store, broadcast, region);
        }
        let own = |region: Region| match broadcast.transposed {
            true => (self.tensors)(tensor, region.transposed()),
            false => (self.tensors)(tensor, region),
        };
        match region {
            Region::Cycles { .. } => Padding {
                is_element: false,
                range: Range::between(-BEFORE, BEFORE),
            },
            Region::Rows if !broadcast.rows => own(Region::Rows),
            Region::Columns if !broadcast.columns => own(Region::Columns),
            Region::Corner if !broadcast.rows && !broadcast.columns => own(Region::Corner),
            Region::Corner if !broadcast.rows => own(Region::Rows),
            Region::Corner if !broadcast.columns => own(Region::Columns),
            _ => Padding::like_elements(expr.element),
        }
    }

    /// Returns the value of a local tensor. Broadcast elements are elements of it.
    fn local(&self, store: &Store, broadcast: BroadcastView, region: Region) -> Padding {
        let read = match region {
            Region::Rows if broadcast.rows => Region::Elements,
            Region::Columns if broadcast.columns => Region::Elements,
            Region::Corner if broadcast.rows && broadcast.columns => Region::Elements,
            Region::Corner if broadcast.rows => Region::Columns,
            Region::Corner if broadcast.columns => Region::Rows,
            other => other,
        };
        let own = if broadcast.transposed {
            read.transposed()
        } else {
            read
        };
        self.stored(store, own)
    }

    /// Returns what a local tensor holds in a region.
    fn stored(&self, store: &Store, region: Region) -> Padding {
        let key = (store.tensor, region);
        let known = self.known.borrow().get(&key).copied();
        known.unwrap_or_else(|| {
            let padding = self.expr(&store.value, region);
            self.known.borrow_mut().insert(key, padding);
            padding
        })
    }

    fn unary(&self, function: Unary, of: Padding, element: Element) -> Padding {
        Padding {
            range: of.range.unary(function, element),
            ..of
        }
    }

    fn binary(&self, function: Binary, both: &[Expr; 2], parts: [Padding; 2]) -> Padding {
        let element = both[0].element;
        let is_element = parts.iter().all(|part| part.is_element);
        let [left, right] = parts.map(|part| part.range);
        let is_square = function == Binary::Multiply && both[0] == both[1];
        let negative = || right.unary(Unary::Neg, element);
        let is_undetermined = !element.is_integer()
            && match function {
                Binary::Add => left.sum_may_trap(right),
                Binary::Subtract => left.sum_may_trap(negative()),
                Binary::Multiply => !is_square && left.product_may_trap(right),
                // The slope may be a constant, by which an infinity must not be multiplied.
                Binary::Prelu => !left.is_finite() || left.product_may_trap(right),
                _ => false,
            };
        self.record(is_element, is_undetermined);
        let range = if is_square && !element.is_integer() {
            left.square()
        } else {
            left.binary(function, right, element)
        };
        Padding { is_element, range }
    }

    /// Evaluates a product. The depth needs no region: one of the factors has zeros beyond it.
    fn product(&self, factors: &[Expr; 2], region: Region) -> Padding {
        let [left, right] = factors.each_ref();
        for factor in factors {
            for part in Region::IN_DRAM.iter().chain([&region]) {
                let Padding { is_element, range } = self.expr(factor, *part);
                self.record(is_element, !range.is_finite());
            }
        }
        let of_sides = |sides: &[Padding]| Padding {
            is_element: sides.iter().all(|side| side.is_element),
            range: if sides.iter().any(|side| side.is_zero()) {
                Range::ZERO
            } else {
                Range::PRODUCT
            },
        };
        match region {
            Region::Elements => Padding {
                is_element: true,
                range: Range::PRODUCT,
            },
            Region::Rows => of_sides(&[self.expr(left, region)]),
            Region::Columns => of_sides(&[self.expr(right, region)]),
            Region::Corner => of_sides(&[
                self.expr(left, Region::Rows),
                self.expr(right, Region::Columns),
            ]),
            Region::Cycles { .. } => Padding {
                is_element: false,
                range: Range::between(-BEFORE, BEFORE),
            },
        }
    }

    fn reduce(
        &self,
        (reduce, axis, extent): (Reduce, Axis, u32),
        of: &Expr,
        region: Region,
    ) -> Padding {
        // Padding along the axis is excluded, but its operand is computed.
        self.expr(of, region);
        let (kept, along) = match axis {
            Axis::Columns => (Region::Rows, Region::Columns),
            Axis::Rows => (Region::Columns, Region::Rows),
        };
        let part = match region {
            Region::Corner => {
                self.expr(of, along);
                self.expr(of, kept)
            }
            Region::Cycles { tall: true } => self.elements(of),
            _ if region == along => self.elements(of),
            _ => self.expr(of, region),
        };
        if reduce != Reduce::Sum || of.element.is_integer() {
            return part;
        }
        self.record(part.is_element, part.range.sum_may_trap(part.range));
        Padding {
            range: part.range.sum(extent),
            ..part
        }
    }

    /// Returns the abstract value of an expression's elements.
    fn elements(&self, expr: &Expr) -> Padding {
        let range = self.expr(expr, Region::Elements).range;
        Padding {
            is_element: true,
            range,
        }
    }
}

fn select([condition, yes, no]: [Padding; 3]) -> Padding {
    let is_element = condition.is_element && yes.is_element && no.is_element;
    let range = if condition.is_zero() {
        no.range
    } else {
        yes.range.hull(no.range)
    };
    Padding { is_element, range }
}

#[cfg(test)]
mod tests;
