//! Judging a run, operation by operation.
//!
//! Each operation is compared with the reference twice. *Isolated*: the reference of this operation alone, on
//! the operands as the device has them; this comparison is judged. *Chained*: the reference run from the
//! program's inputs on; it shows how errors add up and is not judged. What an operation is allowed to differ by:
//!
//! * matrix products at full fidelity, every element: `2^-8 |y| + 1.04 * 2^-8 * S`, where `y` is the unrounded reference and
//!   `S` sums, over groups of 8 terms along K, the greatest magnitude in the group (the matrix unit aligns the terms of
//!   a group to it); and the root mean square of the errors over that of the reference: 2.5e-3 for bf16, 1e-3 for f32;
//! * element-wise operations: one unit in the last place;
//! * data movement: nothing.
//!
//! Denormals count as zero, both zeros as equal, and where the reference is NaN an infinity counts as equal too: that
//! is what the packer makes of them. Correlation (PCC) is shown, never judged: it does not see arithmetic errors.

mod compare;

use serde::Serialize;
use tessera_program::{DataType, GlobalId, MathFidelity, Matmul, Op, Operation, Program};
use tessera_reference::{
    broadcast_sources, execute, group_maxima, unrounded, EvalError, Tensor, Values,
};

use crate::{Device, Reason};
pub use compare::{ulp_distance, Comparison};

/// Terms that the matrix unit adds at once.
const GROUP: usize = 8;
/// What one of a group's terms may lose, relative to the greatest.
const GROUP_LOSS: f64 = 1.04 / 256.0;
/// What rounding a result to bf16 may lose, relative to it.
const RESULT_LOSS: f64 = 1.0 / 256.0;

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
    /// Whether the bound is kept.
    pub pass: bool,
    /// Against the reference of this operation on the device's operands.
    pub isolated: Comparison,
    /// Against the reference of the program so far.
    pub chained: Comparison,
}

/// What a result may differ by from the isolated reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// The bound of matrix products, on elements and on the root mean square.
    Matmul,
    /// One unit in the last place.
    OneUlp,
    /// The same bits.
    Exact,
}

/// Why an operation cannot be judged.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum GoldenError {
    /// The reference fails.
    #[error(transparent)]
    Eval(#[from] EvalError),
    /// A group whose errors have no stated bound.
    #[error("a kernel group of {0} operations has no error bound: give each its own group, or run without --golden")]
    Group(usize),
    /// A fidelity without stated bound.
    #[error("a matrix product at {0} has no error bound: compile it with hifi4, or run without --golden")]
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
        let mut isolated = Values::new();
        if !matches!(operation.op, Op::Deallocate { .. }) {
            for id in operation.op.inputs() {
                isolated.set(id, device.read(id)?);
            }
        }
        device.execute(operation)?;
        execute(self.program, operation, &mut self.chained).map_err(GoldenError::from)?;
        // The elements of an empty tensor are nobody's.
        if matches!(
            operation.op,
            Op::GetDevice | Op::Deallocate { .. } | Op::Empty { .. }
        ) {
            return Ok(());
        }
        let operands = isolated.clone();
        execute(self.program, operation, &mut isolated).map_err(GoldenError::from)?;
        let judged = judged_op(&operation.op)?;
        for id in operation.op.outputs() {
            let found = device.read(id)?;
            let defined = |values: &Values| values.get(id).cloned().ok_or(EvalError::Undefined(id));
            let expected = defined(&isolated).map_err(GoldenError::from)?;
            let chained = defined(&self.chained).map_err(GoldenError::from)?;
            let (bound, used) = share_used(judged, &found, &expected, &operands)?;
            self.reports.push(Report {
                operation: index,
                name: judged.name(),
                loc: operation.loc.clone(),
                global_id: id,
                bound,
                used,
                pass: used <= 1.0,
                isolated: Comparison::of(&found, &expected),
                chained: Comparison::of(&found, &chained),
            });
        }
        Ok(())
    }
}

/// The operation whose bound applies: the one inside a group.
fn judged_op(op: &Op) -> Result<&Op, GoldenError> {
    match op {
        Op::Kernel { operations, .. } => match &operations[..] {
            [operation] => Ok(&operation.op),
            _ => Err(GoldenError::Group(operations.len())),
        },
        op => Ok(op),
    }
}

/// The bound of an operation and how much of it a result uses: at most 1 if it is kept, infinite if nothing is allowed.
fn share_used(
    op: &Op,
    found: &Tensor,
    expected: &Tensor,
    operands: &Values,
) -> Result<(Bound, f64), GoldenError> {
    match op {
        Op::Matmul(matmul) | Op::Linear { matmul, .. } => {
            Ok((Bound::Matmul, matmul_share(op, matmul, found, operands)?))
        }
        Op::EltwiseBinary { .. } | Op::EltwiseUnary { .. } | Op::Typecast { .. } => Ok((
            Bound::OneUlp,
            Comparison::of(found, expected)
                .max_ulp
                .map_or(f64::INFINITY, |ulp| ulp as f64),
        )),
        _ => Ok((
            Bound::Exact,
            if found.data() == expected.data() {
                0.0
            } else {
                f64::INFINITY
            },
        )),
    }
}

fn matmul_share(
    op: &Op,
    matmul: &Matmul,
    found: &Tensor,
    operands: &Values,
) -> Result<f64, GoldenError> {
    match matmul.compute_config.map(|config| config.math_fidelity) {
        None | Some(MathFidelity::HiFi4) => {}
        Some(fidelity) => return Err(GoldenError::Fidelity(fidelity)),
    }
    let exact = unrounded(op, operands)?;
    // A bias is added to finished sums, so only the product's groups count; broadcasting it may stretch the result.
    let maxima = group_maxima(matmul, GROUP, operands)?;
    let maxima_sources = broadcast_sources(&maxima.shape, &exact.shape);
    let found_values = found.to_f64s();
    let mut worst = 0_f64;
    let (mut errors, mut references) = (0.0, 0.0);
    for ((&found, &exact), source) in found_values.iter().zip(&exact.values).zip(maxima_sources) {
        if exact.is_nan() {
            worst = worst.max(if found.is_finite() {
                f64::INFINITY
            } else {
                0.0
            });
            continue;
        }
        if exact.is_infinite() {
            worst = worst.max(if found == exact { 0.0 } else { f64::INFINITY });
            continue;
        }
        let error = (found - exact).abs();
        let bound = RESULT_LOSS * exact.abs() + GROUP_LOSS * maxima.values[source];
        worst = worst.max(share(error, bound));
        errors += error * error;
        references += exact * exact;
    }
    let limit = if found.data_type() == DataType::BF16 {
        2.5e-3
    } else {
        1e-3
    };
    Ok(worst.max(share(errors.sqrt(), limit * references.sqrt())))
}

/// Which share of `bound` an error is; infinite for an error without bound, and for one that is no number.
fn share(error: f64, bound: f64) -> f64 {
    if error == 0.0 {
        0.0
    } else if error.is_finite() && bound > 0.0 {
        error / bound
    } else {
        f64::INFINITY
    }
}
