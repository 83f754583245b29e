//! ALU operations that work element by element (section 3.6.12), on many long words at once.

use multiversion::multiversion;

use super::super::alu::Use;
use crate::undetermined::UndeterminedSet;

/// Applies an operation to pairs of long words; flags are computed if they are wanted.
#[derive(Debug)]
pub struct Many<'a> {
    /// The first operands.
    pub x: &'a [u64],
    /// The second operands, as many.
    pub y: &'a [u64],
    /// Where the results go, as many.
    pub results: &'a mut [u64],
    /// Where the mask flags go, as many.
    pub flags: Option<&'a mut [u8]>,
    /// What the results depend on.
    pub undetermined: &'a mut UndeterminedSet,
}

impl Use for Many<'_> {
    type Output = ();

    fn with(self, operation: impl Fn(u64, u64, &mut UndeterminedSet) -> (u64, u8)) {
        // A copy that nothing else points to stays in a register.
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

#[multiversion(targets("x86_64+avx+avx2+bmi1+bmi2+fma"))]
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
