//! Judging a run, operation by operation.
//!
//! Each operation is compared with the reference twice. *Isolated*: the reference of this operation
//! alone, on the operands as the device has them; this comparison is judged. *Chained*: the
//! reference run from the program's inputs on; it shows how errors add up and is not judged. What
//! an operation is allowed to differ by:
//!
//! * matrix products whose terms are added in groups, every element: `2^-8 |y| + loss * S`, where
//!   `y` is the unrounded reference and `S` sums, over groups of terms along K, the greatest
//!   magnitude in the group (the terms of a group are aligned to it); and the root mean square of
//!   the errors over that of the reference: what the device states, or if that is more, as it can
//!   be of few elements in bf16, what it states for f32 and what rounding the reference itself
//!   costs. At less than full fidelity, what lies between the reference and what the phases keep of
//!   it is no error, nor is, of factors in f32, what lies between it and the product of what all
//!   phases read of them (`golden/fidelity.rs`);
//! * matrix products of block floats, every element: what the factors of a block lose that have the
//!   exponent of the greatest, and what a sum loses when it is rounded after each block, in the
//!   precision that the kernel says (`golden/block_float.rs`);
//! * element-wise sums, differences and products: one unit in the last place. Casts that round are
//!   among them: the reference takes the even one of two numbers that are as near, a device may
//!   take the one away from zero; a cast to a type that has every number gives that number.
//!   Products of elements may be off by what their parts lose to underflow, too;
//! * other operations, and several in one kernel: the interval in which the device's result lies,
//!   around a reference that is rounded once, at the end, and where it is cast to bf16
//!   (`golden/group.rs`);
//! * data movement: nothing.
//!
//! Denormals count as zero, both zeros as equal, and where the reference is NaN an infinity counts
//! as equal too, if the device has NaN. Correlation (PCC) is shown, never judged: it does not see
//! arithmetic errors.
//!
//! An element is *undetermined* for the inputs of a run if nothing bounds it: where the operand of
//! an operation may be at a pole of it or outside of its domain, where a device that has no NaN is
//! to give one, and where infinities are added in a unit for matrices. It is also undetermined
//! where an erratum of the device may have changed it ([`Erratum`]), as long as few elements are.
//! Undetermined elements are counted and take no part in the verdict; if there are no others, the
//! result does not pass.
//!
//! What a device loses it says itself: [`Device::numerics`].

mod aligned_product;
mod block_float;
mod bound;
mod compare;
mod elementwise;
mod enclosed;
mod fidelity;
mod group;
mod judge;
mod matmul;
pub mod numerics;

use serde::Serialize;
use tessera_ops::{Class, Creation, MathFidelity};
use tessera_program::{GlobalId, Operation, Program};
use tessera_reference::{execute, EvalError, Tensor, Values};

use crate::{Device, Reason};
pub(crate) use bound::judged_operations;
pub use bound::Bound;
pub use compare::Comparison;
use judge::{Judge, Judgement};
use numerics::Erratum;

/// Watches a run.
pub struct Golden<'a> {
    program: &'a Program,
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
    /// How many of these are because an erratum of the device may have changed them.
    pub miscounted: usize,
    /// How many elements that are beyond their bounds lie where the erratum may have put them;
    /// where these are too many for that, they fail.
    pub miscount_candidates: usize,
    /// The erratum, if the device has one.
    #[serde(skip)]
    pub erratum: Option<&'static Erratum>,
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

impl<'a> Golden<'a> {
    /// Watches one run of `program`.
    pub fn new(program: &'a Program) -> Self {
        Self {
            program,
            chained: Values::new(),
            reports: Vec::new(),
        }
    }

    /// What was compared so far, in order.
    pub fn reports(&self) -> &[Report] {
        &self.reports
    }

    /// Returns whether every comparison so far keeps its bound.
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
        let numerics = device.numerics(operation);
        let judge = Judge {
            numerics,
            exact: numerics.without_erratum(),
            program: self.program,
            operation,
            operands: &operands,
        };
        let judged = judge.judge(&found)?;
        self.chain(operation, &operands, &judged)?;
        let name = bound::judged_operations(operation)
            .iter()
            .map(|operation| operation.op.name());
        let name = name.collect::<Vec<_>>().join(" + ");
        let results = operation.op.outputs().iter().zip(found).zip(judged);
        for ((&id, found), judged) in results {
            let chained = self.chained.get(id).ok_or(EvalError::Undefined(id));
            let chained = chained.map_err(GoldenError::from)?;
            let used = judged.usage.max().max(judged.rms_usage);
            let (elements, undetermined) =
                (judged.usage.per_element.len(), judged.usage.undetermined());
            self.reports.push(Report {
                operation: index,
                name: name.clone(),
                loc: operation.loc.clone(),
                global_id: id,
                bound: judged.bound,
                used,
                elements: found.elements(),
                undetermined,
                miscounted: judged.miscounted,
                miscount_candidates: judged.miscount_candidates,
                erratum: numerics.erratum(),
                pass: used <= 1.0 && undetermined < elements,
                isolated: Comparison::new(&found, &judged.expected),
                chained: Comparison::new(&found, chained),
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
        judged: &[Judgement],
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
}
