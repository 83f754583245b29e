//! The computation of a group: its operations with their operands, and what each unit does for
//! them.
//!
//! The unit of every element-wise operation is fixed here (rulings 2.4). The first value is the
//! matrix unit's, in the accumulator, where that can make it; sums with it stay there (24 bits, the
//! other operand exact). Everything else is the vector unit's, on the vector side; so is all that
//! is done before a factor, which is of the factor's elements when it crosses, and before a
//! reduction or a transposition, where nothing is rounded. Relu at the end is the packers',
//! wherever the value is, and so is the rounding that a cast to bf16 asks for; a cast to f32 leaves
//! that out. Integers are the vector unit's; a value is converted where the tensor that it stands
//! for is of the other kind.

use tessera_dialects::pto::Broadcast;
use tessera_ops::{Binary, Unary};

use super::chains::{Chains, Member, Source};
use super::compute::Compute;
use super::reduction::Reduction;
use super::tensor::Element;

/// A factor of a product.
#[derive(Clone, Debug, PartialEq)]
pub enum Factor {
    /// Tiles of an input.
    Input(usize),
    /// Tiles of an input, rows for columns; they cross to the matrix unit.
    Transposed(usize),
    /// What the vector unit computes of inputs; it is rounded to these elements, and crosses to the
    /// matrix unit.
    Computed(Vec<Step>, Element),
}

/// An operand of a choice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Choice {
    /// The value.
    Value,
    /// An input, spread.
    Input(usize, Broadcast),
}

impl Choice {
    /// The input that it is, and how that is spread.
    pub fn input(&self) -> Option<(usize, Broadcast)> {
        match self {
            Choice::Value => None,
            Choice::Input(input, broadcast) => Some((*input, *broadcast)),
        }
    }
}

/// What is done for a group, one after the other. The value is that of the step before.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// The value is a product.
    Product(Factor, Factor),
    /// The value is computed from two inputs by the matrix unit, the second one spread.
    Elementwise(Binary, usize, usize, Broadcast),
    /// The value is an input, widened into the accumulator.
    Widen(usize),
    /// The value is an input, broadcast and widened on the vector side; one of f32 or of integers
    /// is as it is loaded.
    WidenVector(usize, Broadcast),
    /// An input, spread, is added to the value by the matrix unit, or subtracted.
    Accumulate(Binary, usize, Broadcast),
    /// The value crosses to the vector side.
    Cross,
    /// The vector unit computes one from the value.
    Unary(Unary),
    /// The vector unit computes one from the value and an input, spread; or from the input and the
    /// value.
    Binary {
        /// The function.
        function: Binary,
        /// The input.
        input: usize,
        /// How it is spread.
        broadcast: Broadcast,
        /// Whether it is the left operand.
        left: bool,
    },
    /// The vector unit computes one from the value and a number.
    Number(Binary, f64),
    /// The vector unit takes the second where the first is not zero, else the third.
    Select([Choice; 3]),
    /// The vector unit makes integers of floats, or floats of integers.
    Convert(Element),
    /// The value is what is kept of rows or columns of what the vector unit computes of inputs.
    Reduce(Reduction, Vec<Step>),
    /// The value is what the vector unit computes of inputs, rows for columns.
    Transpose(Vec<Step>),
    /// The packers replace what is negative by zero.
    PackRelu,
}

/// The steps of a group. If `wide`, all is done on the vector side, where nothing is cut, and
/// packers round only what is to be bf16.
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

/// Whether factors of a product come from the vector side.
pub fn computes_factors(steps: &[Step]) -> bool {
    let factors = match steps.first() {
        Some(Step::Product(a, b)) => vec![a, b],
        _ => vec![],
    };
    factors
        .iter()
        .any(|factor| !matches!(factor, Factor::Input(_)))
}

/// What the vector unit does for the factor of a product, or for the operand of a reduction or
/// transposition, and of what elements that is. What becomes a factor of bf16 packers round.
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
    /// Whether the value is on the vector side, or must be.
    vector: bool,
    /// Whether packers take the last value, and round it.
    packs: bool,
    /// What is done before the factors of the product, and what of.
    factors: [(Vec<Step>, Element); 2],
}

/// Whether a function gives the same if its operands change places.
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

    /// A factor of the product, with rows for columns if it is `transposed`.
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
        // The only operand is loaded, if it is an input.
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
                    let number = Step::Number(Binary::Multiply, 1.0 / count as f64);
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
            // Values are fp32 between operations, or integers.
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
                // The first operand is the one that is not broadcast, if there is one.
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

    /// An input, broadcast, is the value, on the vector side.
    fn widen(&mut self, input: usize, broadcast: Broadcast) {
        self.steps.push(Step::WidenVector(input, broadcast));
        self.vector = true;
    }

    /// What is done for the operand of a reduction or a transposition.
    fn operand(&mut self, source: Source) -> Vec<Step> {
        match source {
            Source::Input(input) => vec![Step::WidenVector(input, Broadcast::None)],
            Source::Chain => std::mem::take(&mut self.factors[0].0),
        }
    }

    /// A function that the vector unit computes, of two operands and how each is broadcast; `swap`
    /// if the second is the left one.
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
        });
    }

    /// A sum, difference or product, that the matrix unit may compute.
    fn matrix_binary(
        &mut self,
        function: Binary,
        [full, other]: [Source; 2],
        broadcast: Broadcast,
        swap: bool,
    ) {
        // `a - b` of operands that changed places is `-(b - a)`.
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
            // The value is as large as what it is spread over.
            (Source::Input(input), _) => self.reversed(function, input),
            (Source::Chain, Source::Chain) => {
                unreachable!("a result that is read twice ends its group")
            }
        }
    }

    /// An operand between two limits. What is not below the lower one comes first; it is no sum, so
    /// it does not matter which of the two operands the value is.
    fn clamp(&mut self, of: Source, limits: &[Source], [broadcast, low, high]: [Broadcast; 3]) {
        let functions = [(Binary::Max, low), (Binary::Min, high)];
        let mut full = (of, broadcast);
        for ((function, broadcast), limit) in functions.into_iter().zip(limits) {
            self.vector_binary(function, [full, (*limit, broadcast)], false);
            full = (Source::Chain, Broadcast::None);
        }
    }

    fn number(&mut self, function: Binary, number: f64) {
        self.cross();
        self.steps.push(Step::Number(function, number));
    }

    fn cross(&mut self) {
        if !std::mem::replace(&mut self.vector, true) {
            self.steps.push(Step::Cross);
        }
    }

    fn unary(&mut self, function: Unary) {
        self.cross();
        self.steps.push(Step::Unary(function));
    }

    /// The value and an input.
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
        });
        if negate {
            self.unary(Unary::Neg);
        }
    }

    /// An input and the value.
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
        });
    }
}

#[cfg(test)]
mod tests;
