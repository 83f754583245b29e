//! Judging a run, operation by operation.
//!
//! Each operation is compared with the reference twice. *Isolated*: the reference of this operation
//! alone, on the operands as the device has them; this comparison is judged. *Chained*: the
//! reference run from the program's inputs on; it shows how errors add up and is not judged. What
//! an operation is allowed to differ by:
//!
//! * matrix products on Tensix, every element: `2^-8 |y| + 1.04 * 2^-8 * S`, where `y` is the
//!   unrounded reference and `S` sums, over groups of 8 terms along K, the greatest magnitude in
//!   the group (the matrix unit aligns the terms of a group to it); and the root mean square of the
//!   errors over that of the reference: 1e-3 for f32, 2.5e-3 for bf16, or if that is more, as it
//!   can be of few elements, 1e-3 and what rounding the reference itself costs. At less than full
//!   fidelity, what lies between the reference and what the phases keep of it is no error, nor is,
//!   of factors in f32, what lies between it and the product of what all phases read of them
//!   (`golden/fidelity.rs`);
//! * matrix products on MN-Core 2, every element: what the factors of a block lose that have the
//!   exponent of the greatest, and what a sum loses when it is rounded after each block, in the
//!   precision that the kernel says (`golden/blocks.rs`); where no kernel does, in pseudo-single;
//! * element-wise sums, differences and products: one unit in the last place. Casts that round are
//!   among them: the reference takes the even one of two numbers that are as near, the packers the
//!   one away from zero; a cast to a type that has every number gives that number. Products of
//!   elements may be off by 3 * 2^-126, too, because later fidelity phases underflow;
//! * other operations, and several in one kernel: the interval in which the chip's result lies,
//!   around a reference that is rounded once, at the end, and where it is cast to bf16
//!   (`golden/group.rs`);
//! * data movement: nothing.
//!
//! Denormals count as zero, both zeros as equal, and where the reference is NaN an infinity counts
//! as equal too: that is what the packer makes of them. Correlation (PCC) is shown, never judged:
//! it does not see arithmetic errors.
//!
//! An element is *undetermined* for the inputs of a run if nothing bounds it: where the operand of
//! an operation may be at a pole of it or outside of its domain, where MN-Core 2, which has no NaN,
//! is to give one, and where Tensix adds infinities in its matrix unit. It is also undetermined
//! where Wormhole's adder may have miscounted (`chip.rs`), as long as few elements are.
//! Undetermined elements are counted and take no part in the verdict; if there are no others, the
//! result does not pass.

mod blocks;
mod bound;
mod chip;
mod compare;
mod enclosed;
mod fidelity;
mod group;
mod product;

use serde::Serialize;
use tessera_isa_mncore::memory::Precision;
use tessera_ops::{Class, Creation, MathFidelity};
use tessera_program::{GlobalId, Operation, Program, TensorOp};
use tessera_reference::{execute, EvalError, Tensor, Values};

use crate::{Device, Reason};
pub(crate) use bound::judged;
pub use bound::Bound;
pub use chip::Chip;
pub use compare::Comparison;
use enclosed::Shares;

/// Watches a run.
pub struct Golden<'a> {
    program: &'a Program,
    chip: Chip,
    chained: Values,
    reports: Vec<Report>,
}

/// One result of an operation, compared.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Index of the operation in the program.
    pub operation: usize,
    /// Name of the operation; of the operation inside, for a kernel group.
    pub name: String,
    /// Its location in the source.
    pub loc: String,
    /// The result.
    pub global_id: GlobalId,
    /// What it may differ by.
    pub bound: Bound,
    /// The greatest share of the bound that an element uses; more than 1 fails.
    pub used: f64,
    /// How many elements there are.
    pub elements: usize,
    /// How many of them are undetermined for these inputs.
    pub undetermined: usize,
    /// How many of these are because the adder of Wormhole may have miscounted.
    pub miscounted: usize,
    /// How many elements that are beyond their bounds lie where the adder of Wormhole may have put
    /// them; where these are too many for that, they fail.
    pub miscount_candidates: usize,
    /// Whether the bound is kept by all elements that are not undetermined, and there are any.
    pub pass: bool,
    /// Against the reference of this operation on the device's operands.
    pub isolated: Comparison,
    /// Against the reference of the program so far.
    pub chained: Comparison,
}

/// Why an operation cannot be judged.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum GoldenError {
    /// The reference fails.
    #[error(transparent)]
    Eval(#[from] EvalError),
    /// A fidelity without stated bound.
    #[error("a matrix product at {0} of what its own kernel computes has no error bound: compile it with hifi4 or fusion=none, or run without --golden")]
    Fidelity(MathFidelity),
}

/// What the reference says of one result.
struct Judged {
    bound: Bound,
    /// What the result would be that is rounded once.
    expected: Tensor,
    shares: Shares,
    /// The share of what bounds all elements together.
    together: f64,
    /// As in [`Report`].
    miscount_candidates: usize,
}

impl Judged {
    fn of_elements(bound: Bound, expected: Tensor, shares: Shares) -> Self {
        Judged {
            bound,
            expected,
            shares,
            together: 0.0,
            miscount_candidates: 0,
        }
    }
}

impl<'a> Golden<'a> {
    /// Watches one run of `program` with the bounds of Tensix.
    pub fn new(program: &'a Program) -> Self {
        Self::of_chip(program, Chip::Tensix)
    }

    /// Watches one run of `program` with the bounds of a chip.
    pub fn of_chip(program: &'a Program, chip: Chip) -> Self {
        Self {
            program,
            chip,
            chained: Values::new(),
            reports: Vec::new(),
        }
    }

    /// What was compared so far, in order.
    pub fn reports(&self) -> &[Report] {
        &self.reports
    }

    /// Whether every comparison so far keeps its bound.
    pub fn pass(&self) -> bool {
        self.reports.iter().all(|report| report.pass)
    }

    /// Notes an input of the program.
    pub(crate) fn input(&mut self, id: GlobalId, tensor: &Tensor) {
        self.chained.set(id, tensor.clone());
    }

    /// Has `device` execute an operation, and compares its results.
    pub(crate) fn execute(
        &mut self,
        device: &mut dyn Device,
        index: usize,
        operation: &Operation,
    ) -> Result<(), Reason> {
        let class = operation.op.as_tensor().map(|op| op.op.class);
        let mut operands = Values::new();
        if !matches!(class, Some(Class::Deallocate)) {
            for id in operation.op.inputs() {
                operands.set(id, device.read(id)?);
            }
        }
        device.execute(operation)?;
        // The elements of an empty tensor are nobody's.
        let is_judged = !matches!(
            class,
            Some(Class::GetDevice | Class::Deallocate | Class::Creation(Creation::Empty))
        );
        if !is_judged {
            execute(self.program, operation, &mut self.chained).map_err(GoldenError::from)?;
            return Ok(());
        }
        let found = operation.op.outputs().iter();
        let found = found
            .map(|id| device.read(*id))
            .collect::<Result<Vec<_>, _>>()?;
        let judged = self.judge(device, operation, &operands, &found)?;
        self.chain(operation, &operands, &judged)?;
        let name = bound::judged(operation)
            .iter()
            .map(|operation| operation.op.name());
        let name = name.collect::<Vec<_>>().join(" + ");
        let results = operation.op.outputs().iter().zip(found).zip(judged);
        for ((&id, found), judged) in results {
            let chained = self.chained.get(id).ok_or(EvalError::Undefined(id));
            let chained = chained.map_err(GoldenError::from)?;
            let used = judged.shares.greatest().max(judged.together);
            let (elements, undetermined) = (
                judged.shares.of_elements.len(),
                judged.shares.undetermined(),
            );
            self.reports.push(Report {
                operation: index,
                name: name.clone(),
                loc: operation.loc.clone(),
                global_id: id,
                bound: judged.bound,
                used,
                elements: found.elements(),
                undetermined,
                miscounted: match judged.miscount_candidates {
                    candidates if candidates <= most_miscounted(&found) => candidates,
                    _ => 0,
                },
                miscount_candidates: judged.miscount_candidates,
                pass: used <= 1.0 && undetermined < elements,
                isolated: Comparison::of(&found, &judged.expected),
                chained: Comparison::of(&found, chained),
            });
        }
        Ok(())
    }

    /// Has the reference execute an operation on its own results so far. They may be what the
    /// device had: then so is its result.
    fn chain(
        &mut self,
        operation: &Operation,
        operands: &Values,
        judged: &[Judged],
    ) -> Result<(), GoldenError> {
        let inputs = operation.op.inputs();
        let same = |id: &GlobalId| self.chained.get(*id) == operands.get(*id);
        let is_rounded_once = operation
            .op
            .as_kernel()
            .is_none_or(|group| group.operations.len() == 1);
        if is_rounded_once && inputs.iter().all(same) {
            for (id, judged) in operation.op.outputs().iter().zip(judged) {
                self.chained.set(*id, judged.expected.clone());
            }
            return Ok(());
        }
        Ok(execute(self.program, operation, &mut self.chained)?)
    }

    /// What the reference says of the results of an operation.
    fn judge(
        &self,
        device: &dyn Device,
        operation: &Operation,
        operands: &Values,
        found: &[Tensor],
    ) -> Result<Vec<Judged>, GoldenError> {
        let judged = bound::judged(operation);
        let only = match judged {
            [one] => one.op.as_tensor(),
            _ => None,
        };
        let product = only.and_then(TensorOp::product);
        let arithmetic = chip::Arithmetic {
            chip: self.chip,
            products: device.precision(operation).unwrap_or(Precision::Pseudo),
            rounds_results: device.rounds_results(),
            miscounts: false,
        };
        let types = |id| self.program.tensor(id).map(|desc| desc.data_type);
        let outputs = operation.op.outputs().iter().zip(found);
        match (only, product) {
            (Some(_), Some(product)) if self.chip == Chip::Tensix => {
                let exact = product::Exact::new(&product, operands)?;
                let judge = |(_, found): (&GlobalId, &Tensor)| {
                    let expected = exact.rounded(found.data_type())?;
                    let (mut shares, mut together) = exact.shares(found, &expected, &|_| false)?;
                    let mut miscount_candidates = 0;
                    if shares.greatest().max(together) > 1.0 && device.miscounts() {
                        let may_be = product::miscounted(&product, operands, found, &shares)?;
                        miscount_candidates = may_be.len();
                        if may_be.len() <= most_miscounted(found) {
                            let is_open = |index| may_be.contains(&index);
                            (shares, together) = exact.shares(found, &expected, &is_open)?;
                        }
                    }
                    let judged = Judged::of_elements(Bound::Matmul, expected, shares);
                    Ok(Judged {
                        together,
                        miscount_candidates,
                        ..judged
                    })
                };
                outputs.map(judge).collect()
            }
            (Some(op), None) if bound::has_its_own(op) => {
                let mut isolated = operands.clone();
                execute(self.program, operation, &mut isolated)?;
                let judge = |(&id, found): (&GlobalId, &Tensor)| {
                    let expected = isolated.remove(id).ok_or(EvalError::Undefined(id))?;
                    let (bound, shares) = bound::shares(self.chip, op, found, &expected, operands);
                    Ok(Judged::of_elements(bound, expected, shares))
                };
                outputs.map(judge).collect()
            }
            _ => {
                let bound = match product {
                    Some(_) => Bound::Matmul,
                    None => Bound::Group,
                };
                let values = group::values(arithmetic, judged, operands, &types)?;
                let has_product = judged.iter().any(|one| one.op.product().is_some());
                let judge = |(&id, found): (&GlobalId, &Tensor)| {
                    let enclosed = values.get(&id).ok_or(EvalError::Undefined(id))?;
                    let expected = enclosed.rounded(found.data_type())?;
                    let shares = enclosed.shares(self.chip, found);
                    let mut judged = Judged::of_elements(bound, expected, shares);
                    if has_product && judged.shares.greatest() > 1.0 && device.miscounts() {
                        let others = arithmetic.miscounting();
                        let others =
                            group::values(others, bound::judged(operation), operands, &types)?;
                        judged.allow_miscounts(found, others.get(&id));
                    }
                    Ok(judged)
                };
                outputs.map(judge).collect()
            }
        }
    }
}

impl Judged {
    /// Calls undetermined what is beyond its bound and lies where the adder of Wormhole may have
    /// taken it, if it is little.
    fn allow_miscounts(&mut self, found: &Tensor, enclosed: Option<&enclosed::Enclosed>) {
        let Some(enclosed) = enclosed else {
            return;
        };
        let ranges = enclosed.ranges.iter().zip(found.to_f64s());
        let shares = self.shares.of_elements.iter().zip(ranges);
        let others = shares.map(|(share, (range, found))| {
            let may_be = share.is_some_and(|share| share > 1.0)
                && (range.is_undetermined() || product::is_within(*range, found));
            share.filter(|_| !may_be)
        });
        let of_elements = others.collect();
        let others = Shares { of_elements };
        self.miscount_candidates = others.undetermined() - self.shares.undetermined();
        if self.miscount_candidates <= most_miscounted(found) {
            self.shares = others;
        }
    }
}

/// How many elements may be as they are because the adder of Wormhole miscounts: it is seldom. Of
/// 2048^2 elements of a product of normally distributed factors, with sums of 2048 terms, the model
/// has three.
fn most_miscounted(found: &Tensor) -> usize {
    const ELEMENTS_PER_MISCOUNT: usize = 1 << 16;
    found.elements() / ELEMENTS_PER_MISCOUNT + 1
}
