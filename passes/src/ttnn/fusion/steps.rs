//! Lowering of a group to steps, each assigned to a unit.
//!
//! The unit of every element-wise operation is fixed here, before kernels are split. The vector
//! unit and the matrix unit round differently, so a later choice would change results. The rules:
//!
//! - The matrix unit computes the first value if it can, in the accumulator. Sums with the value
//!   stay there: the accumulator has 24 bits, and the other operand is exact.
//! - The vector unit computes everything else, including all steps before a factor, a reduction or
//!   a transposition. A factor is rounded to its element type when it crosses sides; operands of
//!   reductions and transpositions are not rounded.
//! - The packers apply a final relu, and the rounding of a cast to bf16. A cast to f32 prevents
//!   that rounding.
//! - Integers are computed by the vector unit. A value is converted where the tensor it stands for
//!   has the other kind of elements.

use tessera_dialects::pto::Broadcast;
use tessera_ops::{Binary, Unary};
use tessera_pto::bounds::{binary_has_bf16_code, unary_has_bf16_code};
use tessera_pto::target::Precision;

use super::chains::{Chains, Member, Source};
use super::compute::Compute;
use super::reduction::Reduction;
use super::tensor::Element;

/// A factor of a product.
#[derive(Clone, Debug, PartialEq)]
pub enum Factor {
    /// Tiles of an input.
    Input(usize),
    /// Transposed tiles of an input, which cross to the matrix unit.
    Transposed(usize),
    /// Tiles computed by the vector unit, rounded to an element type; they cross to the matrix
    /// unit.
    Computed(Vec<Step>, Element),
}

/// An operand of a select.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Choice {
    /// The current value.
    Value,
    /// An input, broadcast.
    Input(usize, Broadcast),
}

impl Choice {
    /// Returns the input and its broadcast, unless it is the value.
    pub fn input(&self) -> Option<(usize, Broadcast)> {
        match self {
            Choice::Value => None,
            Choice::Input(input, broadcast) => Some((*input, *broadcast)),
        }
    }
}

/// A step of a group. "The value" is the result of the previous step.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Computes a product.
    Product(Factor, Factor),
    /// Combines two inputs in the matrix unit, the second one broadcast.
    Elementwise(Binary, usize, usize, Broadcast),
    /// Widens an input into the accumulator.
    Widen(usize),
    /// Loads an input on the vector side, broadcast and widened to f32; f32 and integers are kept.
    WidenVector(usize, Broadcast),
    /// Adds a broadcast input to the value, or subtracts it, in the matrix unit.
    Accumulate(Binary, usize, Broadcast),
    /// Moves the value to the vector side.
    Cross,
    /// Applies a unary function in the vector unit.
    Unary(Unary, Precision),
    /// Combines the value and a broadcast input in the vector unit.
    Binary {
        /// The function.
        function: Binary,
        /// The input.
        input: usize,
        /// How it is broadcast.
        broadcast: Broadcast,
        /// Whether the input is the left operand.
        left: bool,
        /// The precision of the function.
        precision: Precision,
    },
    /// Combines the value and a constant in the vector unit.
    Number(Binary, f64, Precision),
    /// Selects in the vector unit: the second where the first is not zero, else the third.
    Select([Choice; 3]),
    /// Converts between floats and integers in the vector unit.
    Convert(Element),
    /// Reduces rows or columns of the result of the given vector steps.
    Reduce(Reduction, Vec<Step>),
    /// Transposes the result of the given vector steps.
    Transpose(Vec<Step>),
    /// Replaces negative values by zero in the packers.
    PackRelu,
}

/// Lowers a group to steps. With `wide` everything is computed on the vector side, where nothing is
/// truncated, and the packers round only bf16 results.
pub fn steps(group: &Chains, wide: bool) -> Vec<Step> {
    let [left, right] = &group.factors;
    let head = group.main.first();
    let is_product = head.is_some_and(|head| head.compute.is_product());
    let mut chain = Chain {
        factors: [left, right].map(|members| computed(members, is_product)),
        vector: wide,
        packs: !wide
            || group
                .main
                .last()
                .is_some_and(|last| last.element == Element::Bf16),
        ..Chain::default()
    };
    chain.members(&group.main);
    chain.steps
}

/// Returns whether factors of the product come from the vector side.
pub fn computes_factors(steps: &[Step]) -> bool {
    let factors = match steps.first() {
        Some(Step::Product(a, b)) => vec![a, b],
        _ => vec![],
    };
    factors
        .iter()
        .any(|factor| !matches!(factor, Factor::Input(_)))
}

/// Lowers the chain before a factor, a reduction or a transposition. Returns its steps and element
/// type. The packers round bf16 factors.
fn computed(members: &[Member], is_factor: bool) -> (Vec<Step>, Element) {
    let element = members.last().map_or(Element::Bf16, |last| last.element);
    let mut chain = Chain {
        vector: true,
        packs: is_factor && element == Element::Bf16,
        ..Chain::default()
    };
    chain.members(members);
    (chain.steps, element)
}

#[derive(Default)]
struct Chain {
    steps: Vec<Step>,
    /// Whether the value is, or must be, on the vector side.
    vector: bool,
    /// Whether the packers take and round the last value.
    packs: bool,
    /// The precision of the current operation.
    precision: Precision,
    /// Steps before the factors of the product, and their element types.
    factors: [(Vec<Step>, Element); 2],
}

/// Returns whether a function is commutative.
fn commutes(function: Binary) -> bool {
    use Binary::*;
    matches!(
        function,
        Add | Multiply
            | Max
            | Min
            | Equal
            | NotEqual
            | LogicalAnd
            | LogicalOr
            | LogicalXor
            | BitwiseAnd
            | BitwiseOr
            | BitwiseXor
    )
}

impl Chain {
    fn members(&mut self, members: &[Member]) {
        for (number, member) in members.iter().enumerate() {
            self.member(member, number == 0, number + 1 == members.len());
        }
    }

    /// Lowers a factor of the product, optionally transposed.
    fn factor(&mut self, number: usize, source: Source, transposed: bool) -> Factor {
        match (source, transposed) {
            (Source::Input(input), false) => Factor::Input(input),
            (Source::Input(input), true) => Factor::Transposed(input),
            (Source::Chain, _) => {
                let (steps, element) = &mut self.factors[number];
                let steps = std::mem::take(steps);
                let steps = match transposed {
                    false => steps,
                    true => vec![Step::Transpose(steps)],
                };
                Factor::Computed(steps, *element)
            }
        }
    }

    fn member(&mut self, member: &Member, first: bool, last: bool) {
        let integers = member.computes == Element::I32;
        self.precision = match member.element {
            Element::Bf16 => Precision::Bf16,
            Element::F32 | Element::I32 => Precision::F32,
        };
        // Loads the only operand, if it is an input.
        let begin = |chain: &mut Self| {
            if let (true, [Source::Input(input)]) = (first, &member.operands[..]) {
                chain.widen(*input, Broadcast::None);
            }
        };
        match (member.compute, &member.operands[..]) {
            (Compute::Matmul { transposed, bias }, [a, b, rest @ ..]) => {
                let factors = (
                    self.factor(0, *a, transposed[0]),
                    self.factor(1, *b, transposed[1]),
                );
                self.steps.push(Step::Product(factors.0, factors.1));
                if let (Some(broadcast), [Source::Input(input)]) = (bias, rest) {
                    self.steps
                        .push(Step::Accumulate(Binary::Add, *input, broadcast));
                }
            }
            (Compute::Reduce(reduction), [of]) => {
                let before = self.operand(*of);
                let reduce = Step::Reduce(reduction, before);
                self.steps.push(match reduction.transposed {
                    true => Step::Transpose(vec![reduce]),
                    false => reduce,
                });
                if let Some(count) = reduction.mean_of {
                    let number = Step::Number(Binary::Multiply, 1.0 / count as f64, Precision::F32);
                    self.steps.push(number);
                }
                self.vector = true;
            }
            (Compute::Transpose, [of]) => {
                let before = self.operand(*of);
                self.steps.push(Step::Transpose(before));
                self.vector = true;
            }
            (Compute::Unary(Unary::Relu), operands) if last && self.packs && !integers => {
                if let (true, [Source::Input(input)]) = (first, operands) {
                    self.steps.push(if self.vector {
                        Step::WidenVector(*input, Broadcast::None)
                    } else {
                        Step::Widen(*input)
                    });
                }
                self.steps.push(Step::PackRelu);
            }
            // Intermediate values are fp32 or integers.
            (Compute::Cast { .. }, _) => begin(self),
            (Compute::Unary(function), _) => {
                begin(self);
                self.unary(function);
            }
            (Compute::Numbers(functions), _) => {
                begin(self);
                for (function, number) in functions.into_iter().flatten() {
                    self.number(function, number);
                }
            }
            (Compute::Clamp(broadcasts), [of, limits @ ..]) => self.clamp(*of, limits, broadcasts),
            (Compute::Where(broadcasts), operands) => {
                let choice = |number: usize| match operands.get(number) {
                    Some(Source::Input(input)) => Choice::Input(*input, broadcasts[number]),
                    Some(Source::Chain) | None => Choice::Value,
                };
                if operands.contains(&Source::Chain) {
                    self.cross();
                }
                self.vector = true;
                self.steps.push(Step::Select([0, 1, 2].map(choice)));
            }
            (
                Compute::Binary {
                    function,
                    broadcasts,
                },
                [left, right],
            ) => {
                // Make the operand that is not broadcast the first one, if there is one.
                let swap = broadcasts[0] != Broadcast::None && broadcasts[1] == Broadcast::None;
                let mut operands = [(*left, broadcasts[0]), (*right, broadcasts[1])];
                if swap {
                    operands.reverse();
                }
                let [full, (other, broadcast)] = operands;
                if integers
                    || full.1 != Broadcast::None
                    || !matches!(function, Binary::Add | Binary::Subtract | Binary::Multiply)
                {
                    self.vector_binary(function, operands, swap);
                } else {
                    self.matrix_binary(function, [full.0, other], broadcast, swap);
                }
            }
            (
                Compute::Matmul { .. }
                | Compute::Binary { .. }
                | Compute::Reduce(_)
                | Compute::Transpose
                | Compute::Clamp(_),
                _,
            ) => unreachable!("a head begins a group, and operations have their operands"),
        }
        if member.computes != member.element.between() {
            self.cross();
            self.steps.push(Step::Convert(member.element.between()));
        }
    }

    /// Loads a broadcast input on the vector side.
    fn widen(&mut self, input: usize, broadcast: Broadcast) {
        self.steps.push(Step::WidenVector(input, broadcast));
        self.vector = true;
    }

    /// Lowers the operand of a reduction or a transposition.
    fn operand(&mut self, source: Source) -> Vec<Step> {
        match source {
            Source::Input(input) => vec![Step::WidenVector(input, Broadcast::None)],
            Source::Chain => std::mem::take(&mut self.factors[0].0),
        }
    }

    /// Lowers a binary function to the vector unit. `swap` tells that the second operand is the
    /// left one.
    fn vector_binary(
        &mut self,
        function: Binary,
        [(full, full_spread), (other, broadcast)]: [(Source, Broadcast); 2],
        swap: bool,
    ) {
        let (input, broadcast, left) = match (full, other) {
            (Source::Input(full), Source::Input(other)) => {
                self.widen(full, full_spread);
                (other, broadcast, swap)
            }
            (Source::Chain, Source::Input(input)) => (input, broadcast, swap),
            (Source::Input(input), Source::Chain) => (input, full_spread, !swap),
            (Source::Chain, Source::Chain) => {
                unreachable!("a result that is read twice ends its group")
            }
        };
        self.cross();
        self.steps.push(Step::Binary {
            function,
            input,
            broadcast,
            left: left && !commutes(function),
            precision: self.binary_precision(function),
        });
    }

    /// Lowers a sum, difference or product, which the matrix unit may compute.
    fn matrix_binary(
        &mut self,
        function: Binary,
        [full, other]: [Source; 2],
        broadcast: Broadcast,
        swap: bool,
    ) {
        // With swapped operands, `a - b` is `-(b - a)`.
        let negate = swap && function == Binary::Subtract;
        match (full, other) {
            (Source::Input(full), Source::Input(other)) if self.vector => {
                self.widen(full, Broadcast::None);
                self.binary(function, other, broadcast, negate);
            }
            (Source::Input(full), Source::Input(other)) => {
                self.steps
                    .push(Step::Elementwise(function, full, other, broadcast));
                if negate {
                    self.unary(Unary::Neg);
                }
            }
            (Source::Chain, Source::Input(input)) => {
                self.binary(function, input, broadcast, negate)
            }
            // The chain's value is broadcast by an input of its own size.
            (Source::Input(input), _) => self.reversed(function, input),
            (Source::Chain, Source::Chain) => {
                unreachable!("a result that is read twice ends its group")
            }
        }
    }

    /// Lowers a clamp: the maximum with the lower limit, then the minimum with the upper one. Both
    /// commute, so the value may be either operand.
    fn clamp(&mut self, of: Source, limits: &[Source], [broadcast, low, high]: [Broadcast; 3]) {
        let functions = [(Binary::Max, low), (Binary::Min, high)];
        let mut full = (of, broadcast);
        for ((function, broadcast), limit) in functions.into_iter().zip(limits) {
            self.vector_binary(function, [full, (*limit, broadcast)], false);
            full = (Source::Chain, Broadcast::None);
        }
    }

    /// Returns the precision of a function of two elements in the current operation.
    fn binary_precision(&self, function: Binary) -> Precision {
        match binary_has_bf16_code(function) {
            true => self.precision,
            false => Precision::F32,
        }
    }

    fn number(&mut self, function: Binary, number: f64) {
        self.cross();
        let precision = self.binary_precision(function);
        self.steps.push(Step::Number(function, number, precision));
    }

    fn cross(&mut self) {
        if !std::mem::replace(&mut self.vector, true) {
            self.steps.push(Step::Cross);
        }
    }

    fn unary(&mut self, function: Unary) {
        self.cross();
        let precision = match unary_has_bf16_code(function) {
            true => self.precision,
            false => Precision::F32,
        };
        self.steps.push(Step::Unary(function, precision));
    }

    /// Combines the value (left) and an input.
    fn binary(&mut self, function: Binary, input: usize, broadcast: Broadcast, negate: bool) {
        if !self.vector && function != Binary::Multiply && !negate {
            return self
                .steps
                .push(Step::Accumulate(function, input, broadcast));
        }
        self.cross();
        self.steps.push(Step::Binary {
            function,
            input,
            broadcast,
            left: false,
            precision: self.binary_precision(function),
        });
        if negate {
            self.unary(Unary::Neg);
        }
    }

    /// Combines an input (left) and the value.
    fn reversed(&mut self, function: Binary, input: usize) {
        if function != Binary::Subtract {
            return self.binary(function, input, Broadcast::None, false);
        }
        self.cross();
        self.steps.push(Step::Binary {
            function,
            input,
            broadcast: Broadcast::None,
            left: true,
            precision: self.binary_precision(function),
        });
    }
}

#[cfg(test)]
mod tests;
