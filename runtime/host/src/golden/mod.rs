//! Judging a run, operation by operation.
//!
//! Each operation is compared with the reference twice. *Isolated*: the reference of this operation alone, on
//! the operands as the device has them; this comparison is judged. *Chained*: the reference run from the
//! program's inputs on; it shows how errors add up and is not judged. What an operation is allowed to differ by:
//!
//! * matrix products on Tensix, every element: `2^-8 |y| + 1.04 * 2^-8 * S`, where `y` is the unrounded reference and
//!   `S` sums, over groups of 8 terms along K, the greatest magnitude in the group (the matrix unit aligns the terms of
//!   a group to it); and the root mean square of the errors over that of the reference: 1e-3 for f32, 2.5e-3 for bf16,
//!   or if that is more, as it can be of few elements, 1e-3 and what rounding the reference itself costs. At less than full
//!   fidelity, what lies between the reference and what the phases keep of it is no error, nor is, of factors in f32, what lies between it and the
//!   product of what all phases read of them (`golden/fidelity.rs`);
//! * matrix products on MN-Core 2, every element: what the factors of a block lose that have the exponent of the greatest, and what
//!   a sum loses when it is rounded after each block, in the precision that the kernel says (`golden/blocks.rs`); where no kernel does, in
//!   pseudo-single;
//! * element-wise operations: one unit in the last place. Casts that round are among them: the reference takes the even one of two
//!   numbers that are as near, the packers the one away from zero; a cast to a type that has every number gives that number. Products
//!   of elements may be off by 3 * 2^-126, too, because later fidelity phases underflow;
//! * several operations in one kernel: what each may be off, put together, around a reference that is rounded once, at the end,
//!   and where it is cast to bf16 (`golden/group.rs`);
//! * data movement: nothing.
//!
//! Denormals count as zero, both zeros as equal, and where the reference is NaN an infinity counts as equal too: that
//! is what the packer makes of them. MN-Core 2 has no NaN: where the reference is NaN, as it is for roots of negative numbers, a function gives
//! there what its table says (`passes/mncore-code/FUNCTIONS.md`), and it is not judged. Correlation (PCC) is shown, never judged: it does not see arithmetic errors.

mod blocks;
mod bound;
mod chip;
mod compare;
mod fidelity;
mod functions;
mod group;

use serde::Serialize;
use tessera_isa_mncore::memory::Precision;
use tessera_ops::{Class, Creation, MathFidelity};
use tessera_program::{GlobalId, Operation, Program, TensorOp};
use tessera_reference::{execute, EvalError, Tensor, Values};

use crate::{Device, Reason};
pub use bound::Bound;
pub use chip::Chip;
pub use compare::Comparison;

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
    /// Whether the bound is kept.
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
        let mut isolated = Values::new();
        let class = operation.op.as_tensor().map(|op| op.op.class);
        if !matches!(class, Some(Class::Deallocate)) {
            for id in operation.op.inputs() {
                isolated.set(id, device.read(id)?);
            }
        }
        device.execute(operation)?;
        execute(self.program, operation, &mut self.chained).map_err(GoldenError::from)?;
        // The elements of an empty tensor are nobody's.
        let is_judged = !matches!(
            class,
            Some(Class::GetDevice | Class::Deallocate | Class::Creation(Creation::Empty))
        );
        if !is_judged {
            return Ok(());
        }
        let operands = isolated.clone();
        execute(self.program, operation, &mut isolated).map_err(GoldenError::from)?;
        let judged = bound::judged(operation);
        let name = judged
            .iter()
            .map(|operation| operation.op.name())
            .collect::<Vec<_>>()
            .join(" + ");
        let only = match judged {
            [one] => one.op.as_tensor(),
            _ => None,
        };
        let is_product = |op: &TensorOp| matches!(op.op.class, Class::Contraction);
        let values = match only {
            Some(op) if is_product(op) && self.chip == Chip::Tensix => None,
            Some(op) if !is_product(op) && bound::has_its_own(op) => None,
            _ => {
                let data_type = |id| self.program.tensor(id).map(|desc| desc.data_type);
                let arithmetic = chip::Arithmetic {
                    chip: self.chip,
                    products: device.precision(operation).unwrap_or(Precision::Pseudo),
                };
                Some(group::values(arithmetic, judged, &operands, &data_type)?)
            }
        };
        for &id in operation.op.outputs() {
            let found = device.read(id)?;
            let defined = |values: &Values| values.get(id).cloned().ok_or(EvalError::Undefined(id));
            let mut expected = defined(&isolated).map_err(GoldenError::from)?;
            let chained = defined(&self.chained).map_err(GoldenError::from)?;
            let bounded = values.as_ref().and_then(|values| values.get(&id));
            let (bound, used) = match (bounded, only) {
                (None, None) => return Err(GoldenError::from(EvalError::Undefined(id)).into()),
                (None, Some(op)) => bound::share_used(self.chip, op, &found, &expected, &operands)?,
                (Some(bounded), _) => {
                    expected = bounded.rounded(&expected).map_err(GoldenError::from)?;
                    let bound = match only {
                        Some(op) if is_product(op) => Bound::Matmul,
                        _ => Bound::Group,
                    };
                    (bound, bounded.share_used(self.chip, &found, &expected))
                }
            };
            self.reports.push(Report {
                operation: index,
                name: name.clone(),
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
