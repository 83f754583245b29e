//! Decides whether the results of one operation are within their bounds.

use tessera_program::{DataType, GlobalId, Operation, Product, Program, TensorOp};
use tessera_reference::{execute, EvalError, Tensor, Values};

use super::aligned_product::{self, AlignedProduct};
use super::bound::{self, Bound};
use super::enclosed::{BoundUsage, Enclosed};
use super::numerics::{AlignedMatmul, Erratum, MatmulModel, Numerics};
use super::{group, GoldenError};

/// An operation that a device has executed, and what is needed to judge its results.
pub struct Judge<'j> {
    pub program: &'j Program,
    pub operation: &'j Operation,
    /// The operands that the device used.
    pub operands: &'j Values,
    /// The arithmetic of the device.
    pub numerics: Numerics,
    /// The arithmetic of the device without its erratum.
    pub exact: Numerics,
}

/// The verdict on one result.
pub struct Judgement {
    pub bound: Bound,
    /// The reference's result, rounded once.
    pub expected: Tensor,
    pub usage: BoundUsage,
    /// Root mean square of all errors relative to its bound; 0 if it is not bounded.
    pub rms_usage: f64,
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
    pub fn judge(&self, found: &[Tensor]) -> Result<Vec<Judgement>, GoldenError> {
        let only = match bound::judged_operations(self.operation) {
            [one] => one.op.as_tensor(),
            _ => None,
        };
        match (only, only.and_then(TensorOp::product)) {
            (Some(_), Some(product)) => match &self.exact.products {
                MatmulModel::Aligned(products) => self.judge_product(products, &product, found),
                MatmulModel::Blocks(_) => self.judge_group(Bound::Matmul, found),
            },
            (Some(op), None) if bound::is_rounded_at_most_once(op) => self.judge_alone(op, found),
            _ => self.judge_group(Bound::Group, found),
        }
    }

    /// Returns the results, and what the device found for them.
    fn outputs<'f>(&'f self, found: &'f [Tensor]) -> impl Iterator<Item = (GlobalId, &'f Tensor)> {
        self.operation.op.outputs().iter().copied().zip(found)
    }

    /// Judges a product alone, elements and their root mean square.
    fn judge_product(
        &self,
        products: &AlignedMatmul,
        product: &Product,
        found: &[Tensor],
    ) -> Result<Vec<Judgement>, GoldenError> {
        let exact = AlignedProduct::new(&self.exact, products, product, self.operands)?;
        let judge = |(_, found): (GlobalId, &Tensor)| {
            let expected = exact.to_tensor(found.data_type())?;
            let (usage, rms_usage) = exact.bound_usage(found, &expected, &|_| false)?;
            let judged = Judgement {
                rms_usage,
                ..Judgement::per_element(Bound::Matmul, expected, usage)
            };
            match self.numerics.erratum() {
                Some(erratum) if judged.exceeds() => {
                    let judged_with = (found, &judged.usage);
                    let operands = self.operands;
                    let changed = aligned_product::elements_affected_by(
                        erratum,
                        products,
                        product,
                        operands,
                        judged_with,
                    )?;
                    let may_be_affected = |index| changed.contains(&index);
                    judged.apply_erratum(erratum, changed.len(), |expected| {
                        exact.bound_usage(found, expected, &may_be_affected)
                    })
                }
                _ => Ok(judged),
            }
        };
        self.outputs(found).map(judge).collect()
    }

    /// Judges an operation whose bound does not depend on errors of its operands.
    fn judge_alone(&self, op: &TensorOp, found: &[Tensor]) -> Result<Vec<Judgement>, GoldenError> {
        let mut isolated = self.operands.clone();
        execute(self.program, self.operation, &mut isolated)?;
        let judge = |(id, found): (GlobalId, &Tensor)| {
            let expected = isolated.remove(id).ok_or(EvalError::Undefined(id))?;
            let (bound, usage) =
                bound::bound_usage(&self.exact, op, found, &expected, self.operands);
            Ok(Judgement::per_element(bound, expected, usage))
        };
        self.outputs(found).map(judge).collect()
    }

    /// Judges results by the intervals in which their elements must lie.
    fn judge_group(&self, bound: Bound, found: &[Tensor]) -> Result<Vec<Judgement>, GoldenError> {
        let operations = bound::judged_operations(self.operation);
        let types = |id| self.data_type(id);
        let values = group::enclose_group(&self.exact, operations, self.operands, &types)?;
        let has_product = operations.iter().any(|one| one.op.product().is_some());
        let judge = |(id, found): (GlobalId, &Tensor)| {
            let enclosed = values.get(&id).ok_or(EvalError::Undefined(id))?;
            let expected = enclosed.to_tensor(found.data_type())?;
            let usage = enclosed.bound_usage(&self.exact, found);
            let judged = Judgement::per_element(bound, expected, usage);
            match self.numerics.erratum() {
                Some(erratum) if has_product && judged.exceeds() => {
                    let widened =
                        group::enclose_group(&self.numerics, operations, self.operands, &types)?;
                    let (changed, usage) = match widened.get(&id) {
                        Some(widened) => judged.exclude_affected(found, widened),
                        None => return Ok(judged),
                    };
                    judged.apply_erratum(erratum, changed, |_| Ok((usage, 0.0)))
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

impl Judgement {
    fn per_element(bound: Bound, expected: Tensor, usage: BoundUsage) -> Self {
        Judgement {
            bound,
            expected,
            usage,
            rms_usage: 0.0,
            miscounted: 0,
            miscount_candidates: 0,
        }
    }

    /// Returns whether an element, or all of them together, exceed their bound.
    fn exceeds(&self) -> bool {
        self.usage.max().max(self.rms_usage) > 1.0
    }

    /// Returns how many elements exceed their bounds and lie where an erratum may have taken them,
    /// and the usage of all others.
    fn exclude_affected(&self, found: &Tensor, widened: &Enclosed) -> (usize, BoundUsage) {
        let ranges = widened.ranges.iter().zip(found.to_f64s());
        let usage = self.usage.per_element.iter().zip(ranges);
        let others = usage.map(|(share, (range, found))| {
            let may_be = share.is_some_and(|share| share > 1.0)
                && (range.is_undetermined() || aligned_product::is_within(*range, found));
            share.filter(|_| !may_be)
        });
        let per_element = others.collect();
        let others = BoundUsage { per_element };
        (others.undetermined() - self.usage.undetermined(), others)
    }

    /// Excludes the `changed` elements that an erratum may have affected, if they are as few as the
    /// erratum allows. `others` computes the usage of the remaining elements from the expected
    /// tensor.
    fn apply_erratum(
        mut self,
        erratum: &Erratum,
        changed: usize,
        others: impl FnOnce(&Tensor) -> Result<(BoundUsage, f64), EvalError>,
    ) -> Result<Self, GoldenError> {
        self.miscount_candidates = changed;
        if changed <= erratum.max_affected(self.expected.elements()) {
            (self.usage, self.rms_usage) = others(&self.expected)?;
            self.miscounted = changed;
        }
        Ok(self)
    }
}
