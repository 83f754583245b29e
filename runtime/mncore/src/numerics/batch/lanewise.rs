//! Element-wise ALU operations (section 3.6.12) on many long words.

use multiversion::multiversion;

use super::super::alu::OperationVisitor;
use crate::undetermined::UndeterminedSet;

/// Applies an operation to pairs of long words; computes flags only if requested.
#[derive(Debug)]
pub struct BatchEvaluation<'a> {
    /// The first operands.
    pub x: &'a [u64],
    /// The second operands, of the same length.
    pub y: &'a [u64],
    /// Receives the results, of the same length.
    pub results: &'a mut [u64],
    /// Receives the mask flags, of the same length.
    pub flags: Option<&'a mut [u8]>,
    /// Receives the undetermined points of the results.
    pub undetermined: &'a mut UndeterminedSet,
}

impl OperationVisitor for BatchEvaluation<'_> {
    type Output = ();

    fn visit(self, operation: impl Fn(u64, u64, &mut UndeterminedSet) -> (u64, u8)) {
        // A local copy without aliases stays in a register.
        let mut undetermined = UndeterminedSet::NONE;
        match self.flags {
            None => words(&operation, self.x, self.y, self.results, &mut undetermined),
            Some(flags) => {
                for (((x, y), result), flags) in
                    self.x.iter().zip(self.y).zip(self.results).zip(flags)
                {
                    (*result, *flags) = operation(*x, *y, &mut undetermined);
                }
            }
        }
        self.undetermined.merge(undetermined);
    }
}

#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx+avx2+bmi1+bmi2+fma",
    "x86_64+avx+avx2+bmi1+bmi2+fma"
))]
fn words<F: Fn(u64, u64, &mut UndeterminedSet) -> (u64, u8)>(
    operation: &F,
    x: &[u64],
    y: &[u64],
    results: &mut [u64],
    undetermined: &mut UndeterminedSet,
) {
    for ((x, y), result) in x.iter().zip(y).zip(results) {
        *result = operation(*x, *y, undetermined).0;
    }
}
