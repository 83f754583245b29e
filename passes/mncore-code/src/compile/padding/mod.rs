//! What is computed where a tensor has no elements: in padding.
//!
//! A kernel works on padding as on the rest. What comes of it must not stop the chip, which traps
//! where the manual does not determine a result: an infinity times zero, a sum of opposite
//! infinities, infinite factors of matrices. So expressions are evaluated for each [`Region`] of
//! padding, over intervals ([`range`]). What holds the same as some element is safe, as elements
//! are: then the operation is open for elements, too.
//!
//! If an expression may stop in its padding, its kernel is compiled with another [`Fill`].
//!
//! | region | rows | columns |
//! |---|---|---|
//! | `Elements` | elements | elements |
//! | `Rows` | behind the last one | elements |
//! | `Columns` | elements | behind the last one |
//! | `Corner` | behind the last one | behind the last one |
//! | `Cycles` | cycles of vectors that are not moved: what lay there before | |

mod range;

use std::cell::Cell;

use tessera_pto::kernel::{Axis, Binary, Element, Reduce, Unary};

use crate::whole::{Expr, ExprKind, Spread};
pub(super) use range::Range;

/// What lies on the chip before a kernel writes there: numbers of no more than this. Memories are
/// empty, or hold what ran before.
const BEFORE: f64 = (1_u64 << 40) as f64;

/// What a kernel finds in the padding of its tensors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Fill {
    /// Whether the host repeats the last element where it lays a tensor out; else there are zeros.
    /// Along the depth of a product, one of the factors has zeros in any case.
    pub edges: bool,
    /// Whether cycles that hold no elements repeat others, or are moved as if they did; else they
    /// are left as they are.
    pub cycles: bool,
    /// The same where cycles hold what is reduced.
    pub tall_cycles: bool,
}

/// A part of what vectors hold besides elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Region {
    Elements,
    Rows,
    Columns,
    Corner,
    /// With cycles that hold what is reduced, if `tall`; else what is kept.
    Cycles {
        tall: bool,
    },
}

impl Region {
    /// The regions in DRAM, where one kernel leaves them to another.
    pub const IN_DRAM: [Region; 3] = [Region::Rows, Region::Columns, Region::Corner];

    /// The region of a tensor whose rows are columns here.
    fn transposed(self) -> Region {
        match self {
            Region::Rows => Region::Columns,
            Region::Columns => Region::Rows,
            other => other,
        }
    }
}

/// What all of the padding in a region holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Padding {
    /// Whether it is computed of the same operands as some element.
    pub is_element: bool,
    /// Between which numbers it is.
    pub range: Range,
}

impl Padding {
    /// What the host leaves without edges.
    pub const ZERO: Padding = Padding {
        is_element: false,
        range: Range::ZERO,
    };

    /// The same as some element of a tensor.
    pub fn like_elements(element: Element) -> Padding {
        Padding {
            is_element: true,
            range: Range::of_element(element),
        }
    }

    /// Whether it is zero.
    pub fn is_zero(self) -> bool {
        self.range.is_zero()
    }

    /// The one or the other.
    pub fn or(self, other: Padding) -> Padding {
        Padding {
            is_element: self.is_element && other.is_element,
            range: self.range.hull(other.range),
        }
    }
}

/// The padding of a tensor in a region of its own rows and columns.
pub(super) type OfTensor<'a> = &'a dyn Fn(usize, Region) -> Padding;

/// What an expression has in a region.
pub(super) struct Found {
    /// What it holds.
    pub padding: Padding,
    /// Whether nothing that is computed there is open.
    pub is_determined: bool,
}

/// What an expression has in a region, given what tensors have.
pub(super) fn padding(expr: &Expr, region: Region, tensors: OfTensor) -> Found {
    let evaluation = Evaluation {
        tensors,
        is_open: Cell::new(false),
    };
    let padding = evaluation.expr(expr, region);
    Found {
        padding,
        is_determined: !evaluation.is_open.get(),
    }
}

/// What a kernel that stores these expressions needs if the host leaves zeros in padding.
pub(super) fn with_zeros(stored: &[&Expr]) -> Fill {
    let tensors = |_: usize, _: Region| Padding::ZERO;
    let is_open = |tall| {
        let region = Region::Cycles { tall };
        let mut stored = stored.iter();
        !stored.all(|expr| padding(expr, region, &tensors).is_determined)
    };
    Fill {
        edges: false,
        cycles: is_open(false),
        tall_cycles: is_open(true),
    }
}

struct Evaluation<'a> {
    tensors: OfTensor<'a>,
    is_open: Cell<bool>,
}

impl Evaluation<'_> {
    /// Notes that something is open, unless it is computed as for some element.
    fn note(&self, is_element: bool, is_open: bool) {
        if is_open && !is_element {
            self.is_open.set(true);
        }
    }

    fn expr(&self, expr: &Expr, region: Region) -> Padding {
        let part = |one: &Expr| self.expr(one, region);
        match &expr.kind {
            ExprKind::Tensor(tensor, spread) => self.tensor(expr, (*tensor, *spread), region),
            // The same everywhere, and so for elements.
            ExprKind::Fill(number) => Padding {
                is_element: true,
                range: Range::only(*number),
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

    fn tensor(&self, expr: &Expr, (tensor, spread): (usize, Spread), region: Region) -> Padding {
        let own = |region: Region| match spread.transposed {
            true => (self.tensors)(tensor, region.transposed()),
            false => (self.tensors)(tensor, region),
        };
        match region {
            Region::Cycles { .. } => Padding {
                is_element: false,
                range: Range::between(-BEFORE, BEFORE),
            },
            Region::Rows if !spread.rows => own(Region::Rows),
            Region::Columns if !spread.columns => own(Region::Columns),
            Region::Corner if !spread.rows && !spread.columns => own(Region::Corner),
            Region::Corner if !spread.rows => own(Region::Rows),
            Region::Corner if !spread.columns => own(Region::Columns),
            _ => Padding::like_elements(expr.element),
        }
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
        let is_open = !element.is_integer()
            && match function {
                Binary::Add => left.sum_is_open(right),
                Binary::Subtract => left.sum_is_open(negative()),
                Binary::Multiply => !is_square && left.product_is_open(right),
                // The slope may be a constant, by which no infinity may be multiplied.
                Binary::Prelu => !left.is_finite() || left.product_is_open(right),
                _ => false,
            };
        self.note(is_element, is_open);
        let range = if is_square && !element.is_integer() {
            left.square()
        } else {
            left.binary(function, right, element)
        };
        Padding { is_element, range }
    }

    /// Along the depth the sum of products is that of the elements, as one of the factors has zeros
    /// behind it.
    fn product(&self, factors: &[Expr; 2], region: Region) -> Padding {
        let [left, right] = factors.each_ref();
        for factor in factors {
            for part in Region::IN_DRAM.iter().chain([&region]) {
                let Padding { is_element, range } = self.expr(factor, *part);
                self.note(is_element, !range.is_finite());
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
        // Padding along the axis is left out, but worked on before.
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
        self.note(part.is_element, part.range.sum_is_open(part.range));
        Padding {
            range: part.range.sum(extent),
            ..part
        }
    }

    /// What elements of an expression are.
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
