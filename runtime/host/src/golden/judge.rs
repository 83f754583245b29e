//! What the reference says of the results of one operation.

use tessera_program::{DataType, GlobalId, Operation, Product, Program, TensorOp};
use tessera_reference::{execute, EvalError, Tensor, Values};

use super::bound::{self, Bound};
use super::enclosed::{Enclosed, Shares};
use super::numerics::{AlignedProducts, Erratum, Numerics, Products};
use super::product::{self, Exact};
use super::{group, GoldenError};

/// An operation that a device executed, and what there is to judge its results by.
pub struct Judge<'j> {
    pub program: &'j Program,
    pub operation: &'j Operation,
    /// The operands as the device has them.
    pub operands: &'j Values,
    /// How the device computes.
    pub numerics: Numerics,
    /// The same without an erratum.
    pub exact: Numerics,
}

/// What the reference says of one result.
pub struct Judged {
    pub bound: Bound,
    /// What the result would be that is rounded once.
    pub expected: Tensor,
    pub shares: Shares,
    /// The share of what bounds all elements together.
    pub together: f64,
    /// As in [`super::Report`].
    pub miscounted: usize,
    /// As in [`super::Report`].
    pub miscount_candidates: usize,
}

impl Judge<'_> {
    /// Judges the results that the device found.
    ///
    /// # Errors
    /// If the reference cannot execute the operation, or nothing bounds the results.
    pub fn judge(&self, found: &[Tensor]) -> Result<Vec<Judged>, GoldenError> {
        let only = match bound::judged(self.operation) {
            [one] => one.op.as_tensor(),
            _ => None,
        };
        match (only, only.and_then(TensorOp::product)) {
            (Some(_), Some(product)) => match &self.exact.products {
                Products::Aligned(products) => self.judge_product(products, &product, found),
                Products::Blocks(_) => self.judge_group(Bound::Matmul, found),
            },
            (Some(op), None) if bound::has_its_own(op) => self.judge_alone(op, found),
            _ => self.judge_group(Bound::Group, found),
        }
    }

    /// The results, and what the device found for them.
    fn outputs<'f>(&'f self, found: &'f [Tensor]) -> impl Iterator<Item = (GlobalId, &'f Tensor)> {
        self.operation.op.outputs().iter().copied().zip(found)
    }

    /// Judges a product alone, elements and their root mean square.
    fn judge_product(
        &self,
        products: &AlignedProducts,
        product: &Product,
        found: &[Tensor],
    ) -> Result<Vec<Judged>, GoldenError> {
        let exact = Exact::new(&self.exact, products, product, self.operands)?;
        let judge = |(_, found): (GlobalId, &Tensor)| {
            let expected = exact.rounded(found.data_type())?;
            let (shares, together) = exact.shares(found, &expected, &|_| false)?;
            let judged = Judged {
                together,
                ..Judged::of_elements(Bound::Matmul, expected, shares)
            };
            match self.numerics.erratum() {
                Some(erratum) if judged.exceeds() => {
                    let judged_with = (found, &judged.shares);
                    let operands = self.operands;
                    let changed =
                        product::changed_by(erratum, products, product, operands, judged_with)?;
                    let is_open = |index| changed.contains(&index);
                    judged.with_erratum(erratum, changed.len(), |expected| {
                        exact.shares(found, expected, &is_open)
                    })
                }
                _ => Ok(judged),
            }
        };
        self.outputs(found).map(judge).collect()
    }

    /// Judges an operation whose bound is not put together from those of its operands.
    fn judge_alone(&self, op: &TensorOp, found: &[Tensor]) -> Result<Vec<Judged>, GoldenError> {
        let mut isolated = self.operands.clone();
        execute(self.program, self.operation, &mut isolated)?;
        let judge = |(id, found): (GlobalId, &Tensor)| {
            let expected = isolated.remove(id).ok_or(EvalError::Undefined(id))?;
            let (bound, shares) = bound::shares(&self.exact, op, found, &expected, self.operands);
            Ok(Judged::of_elements(bound, expected, shares))
        };
        self.outputs(found).map(judge).collect()
    }

    /// Judges the results of operations by where they lie.
    fn judge_group(&self, bound: Bound, found: &[Tensor]) -> Result<Vec<Judged>, GoldenError> {
        let operations = bound::judged(self.operation);
        let types = |id| self.data_type(id);
        let values = group::values(&self.exact, operations, self.operands, &types)?;
        let has_product = operations.iter().any(|one| one.op.product().is_some());
        let judge = |(id, found): (GlobalId, &Tensor)| {
            let enclosed = values.get(&id).ok_or(EvalError::Undefined(id))?;
            let expected = enclosed.rounded(found.data_type())?;
            let shares = enclosed.shares(&self.exact, found);
            let judged = Judged::of_elements(bound, expected, shares);
            match self.numerics.erratum() {
                Some(erratum) if has_product && judged.exceeds() => {
                    let widened = group::values(&self.numerics, operations, self.operands, &types)?;
                    let (changed, shares) = match widened.get(&id) {
                        Some(widened) => judged.without_changed(found, widened),
                        None => return Ok(judged),
                    };
                    judged.with_erratum(erratum, changed, |_| Ok((shares, 0.0)))
                }
                _ => Ok(judged),
            }
        };
        self.outputs(found).map(judge).collect()
    }

    fn data_type(&self, id: GlobalId) -> Option<DataType> {
        self.program.tensor(id).map(|desc| desc.data_type)
    }
}

impl Judged {
    fn of_elements(bound: Bound, expected: Tensor, shares: Shares) -> Self {
        Judged {
            bound,
            expected,
            shares,
            together: 0.0,
            miscounted: 0,
            miscount_candidates: 0,
        }
    }

    fn exceeds(&self) -> bool {
        self.shares.greatest().max(self.together) > 1.0
    }

    /// How many elements are beyond their bounds and lie where an erratum may have taken them, and
    /// the shares of all others.
    fn without_changed(&self, found: &Tensor, widened: &Enclosed) -> (usize, Shares) {
        let ranges = widened.ranges.iter().zip(found.to_f64s());
        let shares = self.shares.of_elements.iter().zip(ranges);
        let others = shares.map(|(share, (range, found))| {
            let may_be = share.is_some_and(|share| share > 1.0)
                && (range.is_undetermined() || product::is_within(*range, found));
            share.filter(|_| !may_be)
        });
        let of_elements = others.collect();
        let others = Shares { of_elements };
        (others.undetermined() - self.shares.undetermined(), others)
    }

    /// The same where an erratum may have changed so many elements, if it is that few; `others`
    /// gives, of the expected tensor, the shares of the other elements and of all of them together.
    fn with_erratum(
        mut self,
        erratum: &Erratum,
        changed: usize,
        others: impl FnOnce(&Tensor) -> Result<(Shares, f64), EvalError>,
    ) -> Result<Self, GoldenError> {
        self.miscount_candidates = changed;
        if changed <= erratum.most_changed(self.expected.elements()) {
            (self.shares, self.together) = others(&self.expected)?;
            self.miscounted = changed;
        }
        Ok(self)
    }
}
