//! Reductions: repeated application of a binary function.

use super::{functions, Arithmetic, Binary};

/// The properties of a reduction.
#[derive(Debug)]
pub struct ReduceInfo {
    /// The name of its tensor operation.
    pub name: &'static str,
    /// What follows `pto.trow` and `pto.tcol` in the names of its tile operations.
    pub mnemonic: &'static str,
    /// A short description of its value.
    pub summary: &'static str,
    /// The function that combines the value so far with one more element.
    pub step: Binary,
    /// The value for no elements: of floating-point numbers and of integers.
    pub identity: (f64, i32),
}

functions! {
    /// A reduction of a row or column.
    Reduce: ReduceInfo {
        Sum: "The sum of the elements", {
            name: "sum",
            mnemonic: "sum",
            step: Binary::Add,
            identity: (0.0, 0),
        }
        Max: "The largest element", {
            name: "max",
            mnemonic: "max",
            step: Binary::Max,
            identity: (f64::NEG_INFINITY, i32::MIN),
        }
        Min: "The smallest element", {
            name: "min",
            mnemonic: "min",
            step: Binary::Min,
            identity: (f64::INFINITY, i32::MAX),
        }
    }
}

impl Reduce {
    /// Returns the reduction of elements in their order.
    pub fn eval(
        self,
        arithmetic: impl Into<Arithmetic>,
        elements: impl Iterator<Item = f64>,
    ) -> f64 {
        let arithmetic = arithmetic.into();
        let step = self.step();
        elements.fold(self.identity(arithmetic), |value, element| {
            step.eval(arithmetic, value, element)
        })
    }

    /// Returns the function that combines the value so far with one more element.
    pub fn step(self) -> Binary {
        self.info().step
    }

    /// Returns the value for no elements.
    pub fn identity(self, arithmetic: Arithmetic) -> f64 {
        let (float, integer) = self.info().identity;
        match arithmetic {
            Arithmetic::Float => float,
            Arithmetic::Integer => integer.into(),
        }
    }
}
