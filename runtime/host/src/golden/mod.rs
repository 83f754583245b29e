//! Compares a run with the reference, operation by operation.
//!
//! Each operation is compared twice. The *isolated* comparison evaluates the reference of this
//! operation alone, on the operands that the device holds; the verdict depends on it. The *chained*
//! comparison evaluates the reference from the inputs of the program on. It shows how errors
//! accumulate and does not affect the verdict.
//!
//! The error that a result may have depends on the operation:
//!
//! * Matrix products whose terms are added in groups: every element may differ by `2^-8·|y| +
//!   loss·S`. Here `y` is the reference before rounding. `S` sums the greatest magnitude of a term
//!   over all groups of terms along K, because the terms of a group are aligned to the greatest.
//!   The root mean square of the errors, relative to that of the reference, is bounded too: by the
//!   limit that the device states. Where sums nearly cancel, errors are relative to the magnitude
//!   that sums of terms with random signs are expected to have, at least `S / √groups`. The limit
//!   for `n` elements is greater by a factor of `1 + 1/√n`. For few elements in bf16, the limit for
//!   f32 plus the error of rounding the reference applies if it is greater. The terms that a lower
//!   fidelity drops, and those lost by truncating f32 factors, are not errors: any value between
//!   the full and the truncated product is accepted (`golden/fidelity.rs`).
//! * Matrix products of block floats: every element may lose what aligning the factors of a block
//!   to the greatest exponent loses, and what rounding the sum after each block loses, in the
//!   precision of the kernel (`golden/block_float.rs`).
//! * Element-wise sums, differences and products: one unit in the last place. Products may also
//!   lose partial products to underflow. Casts that round have the same bound: the reference rounds
//!   ties to even, a device may round them away from zero. A cast to a type that represents every
//!   operand is exact.
//! * Other operations, and several operations in one kernel: the result lies in an interval around
//!   the reference, which is rounded once at the end and where values are cast to bf16
//!   (`golden/group.rs`).
//! * Data movement: no error.
//!
//! Denormals count as zero and both zeros as equal. Where the reference is NaN, an infinity is
//! accepted if the device has NaN. The Pearson correlation coefficient (PCC) is reported and never
//! judged, because it does not detect arithmetic errors.
//!
//! An element is *undetermined* if nothing bounds it for the inputs of a run. That is so
//!
//! * where an operand may be at a pole of an operation or outside of its domain,
//! * where the result is NaN and the device has no NaN,
//! * where infinities are added in a matrix unit, and
//! * where an erratum of the device may have changed it ([`Erratum`]), as long as few elements are
//!   affected.
//!
//! Undetermined elements are counted and excluded from the verdict. A result all of whose elements
//! are undetermined fails.
//!
//! Every device describes its own arithmetic: [`Device::numerics`].

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

/// Compares the operations of one run with the reference.
pub struct Golden<'a> {
    program: &'a Program,
    chained: Values,
    reports: Vec<Report>,
}

/// The comparison of one result of an operation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Index of the operation in the program.
    pub operation: usize,
    /// Name of the operation. For a kernel group, the names of the operations inside.
    pub name: String,
    /// Location of the operation in the source.
    pub loc: String,
    /// The tensor that holds the result.
    pub global_id: GlobalId,
    /// The kind of bound that applies to the result.
    pub bound: Bound,
    /// The greatest ratio of an error to its bound; the result fails if it exceeds 1.
    pub used: f64,
    /// Number of elements.
    pub elements: usize,
    /// Number of elements that are undetermined for these inputs.
    pub undetermined: usize,
    /// Number of undetermined elements that an erratum of the device may have changed.
    pub miscounted: usize,
    /// Number of elements beyond their bounds that lie where the erratum may have put them. If they
    /// are too many for the erratum, they fail.
    pub miscount_candidates: usize,
    /// The erratum of the device, if it has one.
    #[serde(skip)]
    pub erratum: Option<&'static Erratum>,
    /// Whether all determined elements are within their bounds and there is at least one.
    pub pass: bool,
    /// Compared with the reference of this operation on the device's operands.
    pub isolated: Comparison,
    /// Compared with the reference evaluated from the program's inputs.
    pub chained: Comparison,
}

/// Why an operation cannot be compared.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum GoldenError {
    /// The reference cannot evaluate the operation.
    #[error(transparent)]
    Eval(#[from] EvalError),
    /// A matrix product at a fidelity that has no stated bound.
    #[error(
        "a matrix product at {0} of what its own kernel computes has no error bound: compile it \
         with hifi4 or fusion=none, or run without --golden"
    )]
    Fidelity(MathFidelity),
}

impl<'a> Golden<'a> {
    /// Creates a comparison for one run of `program`.
    pub fn new(program: &'a Program) -> Self {
        Self {
            program,
            chained: Values::new(),
            reports: Vec::new(),
        }
    }

    /// Returns the reports so far, in the order of execution.
    pub fn reports(&self) -> &[Report] {
        &self.reports
    }

    /// Returns whether all comparisons so far are within their bounds.
    pub fn pass(&self) -> bool {
        self.reports.iter().all(|report| report.pass)
    }

    /// Records an input of the program.
    pub(crate) fn input(&mut self, id: GlobalId, tensor: &Tensor) {
        self.chained.set(id, tensor.clone());
    }

    /// Executes an operation on `device` and compares its results.
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
        // The elements of an empty tensor are unspecified.
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

    /// Executes an operation by the reference on its own previous results. If these equal the
    /// device's operands, the isolated result is reused.
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
