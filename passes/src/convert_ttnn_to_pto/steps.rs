//! The computation of a group: its operations with their operands, and what each unit does for them.
//!
//! The unit of every element-wise operation is fixed here (rulings 2.4). The first value is the matrix unit's, in the
//! accumulator, where that can make it; sums with it stay there (24 bits, the other operand exact). Everything else is the
//! vector unit's, on the vector side; so is all that is done before a factor, which is bf16 when it crosses. Relu at the end is the
//! packers', wherever the value is, and so is the rounding that a cast to bf16 asks for; a cast to f32 leaves that out.

use tessera_dialects::pto::Broadcast;

use super::chains::{Chains, Member, Source};
use super::compute::Compute;

/// A factor of a product.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Factor {
    /// Tiles of an input.
    Input(usize),
    /// What the vector unit computes of inputs; it is rounded, and crosses to the matrix unit.
    Computed(Vec<Step>),
}

/// What is done for a group, one after the other. The value is that of the step before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The value is a product.
    Product(Factor, Factor),
    /// The value is computed from two inputs by the matrix unit, the second one spread.
    Elementwise(&'static str, usize, usize, Broadcast),
    /// The value is an input, widened into the accumulator.
    Widen(usize),
    /// The value is an input, widened on the vector side; one of f32 is as it is loaded.
    WidenVector(usize),
    /// An input, spread, is added to the value by the matrix unit, or subtracted.
    Accumulate(&'static str, usize, Broadcast),
    /// The value crosses to the vector side.
    Cross,
    /// The vector unit computes one from the value.
    Unary(&'static str),
    /// The vector unit computes one from the value and an input, spread; or from the input and the value.
    Binary {
        /// The operation.
        name: &'static str,
        /// The input.
        input: usize,
        /// How it is spread.
        spread: Broadcast,
        /// Whether it is the left operand; it is not spread then.
        left: bool,
    },
    /// The packers replace what is negative by zero.
    PackRelu,
}

/// The steps of a group.
pub fn steps(group: &Chains) -> Vec<Step> {
    let [left, right] = &group.factors;
    let mut chain = Chain {
        factors: [left, right].map(|members| computed(members)),
        ..Chain::default()
    };
    chain.members(&group.main);
    chain.steps
}

/// Whether factors of a product are computed on the vector side.
pub fn computes_factors(steps: &[Step]) -> bool {
    let factors = match steps.first() {
        Some(Step::Product(a, b)) => vec![a, b],
        _ => vec![],
    };
    factors
        .iter()
        .any(|factor| matches!(factor, Factor::Computed(_)))
}

/// What the vector unit does for a factor.
fn computed(members: &[Member]) -> Vec<Step> {
    let mut chain = Chain {
        vector: true,
        ..Chain::default()
    };
    chain.members(members);
    chain.steps
}

#[derive(Default)]
struct Chain {
    steps: Vec<Step>,
    /// Whether the value is on the vector side, or must be.
    vector: bool,
    /// What is done before the factors of the product.
    factors: [Vec<Step>; 2],
}

impl Chain {
    fn members(&mut self, members: &[Member]) {
        for (number, member) in members.iter().enumerate() {
            self.member(member, number == 0, number + 1 == members.len());
        }
    }

    /// A factor of the product.
    fn factor(&mut self, number: usize, source: Source) -> Factor {
        match source {
            Source::Input(input) => Factor::Input(input),
            Source::Chain => Factor::Computed(std::mem::take(&mut self.factors[number])),
        }
    }

    fn member(&mut self, member: &Member, first: bool, last: bool) {
        match (member.compute, &member.operands[..]) {
            (Compute::Matmul { bias }, [a, b, rest @ ..]) => {
                let factors = (self.factor(0, *a), self.factor(1, *b));
                self.steps.push(Step::Product(factors.0, factors.1));
                if let (Some(spread), [Source::Input(input)]) = (bias, rest) {
                    self.steps
                        .push(Step::Accumulate("pto.tadd", *input, spread));
                }
            }
            (Compute::Unary("pto.trelu"), operands) if last => {
                if let (true, [Source::Input(input)]) = (first, operands) {
                    self.steps.push(if self.vector {
                        Step::WidenVector(*input)
                    } else {
                        Step::Widen(*input)
                    });
                }
                self.steps.push(Step::PackRelu);
            }
            (Compute::Cast { .. }, operands) => {
                // Values are fp32 between operations.
                if let (true, [Source::Input(input)]) = (first, operands) {
                    self.steps.push(Step::WidenVector(*input));
                    self.vector = true;
                }
            }
            (Compute::Unary(name), operands) => {
                if let (true, [Source::Input(input)]) = (first, operands) {
                    self.steps.push(Step::WidenVector(*input));
                    self.vector = true;
                }
                self.unary(name);
            }
            (Compute::Binary { name, spread, swap }, [left, right]) => {
                let (full, other) = if swap {
                    (*right, *left)
                } else {
                    (*left, *right)
                };
                // `a - b` of operands that changed places is `-(b - a)`.
                let negate = swap && name == "pto.tsub";
                match (full, other) {
                    (Source::Input(full), Source::Input(other)) if self.vector => {
                        self.steps.push(Step::WidenVector(full));
                        self.binary(name, other, spread, negate);
                    }
                    (Source::Input(full), Source::Input(other)) => {
                        self.steps
                            .push(Step::Elementwise(name, full, other, spread));
                        if negate {
                            self.unary("pto.tneg");
                        }
                    }
                    (Source::Chain, Source::Input(input)) => {
                        self.binary(name, input, spread, negate)
                    }
                    // The value is as large as what it is spread over.
                    (Source::Input(input), _) => self.reversed(name, input),
                    (Source::Chain, Source::Chain) => {
                        unreachable!("a result that is read twice ends its group")
                    }
                }
            }
            (Compute::Matmul { .. } | Compute::Binary { .. }, _) => {
                unreachable!("a product begins a group, and operations have their operands")
            }
        }
    }

    fn cross(&mut self) {
        if !std::mem::replace(&mut self.vector, true) {
            self.steps.push(Step::Cross);
        }
    }

    fn unary(&mut self, name: &'static str) {
        self.cross();
        self.steps.push(Step::Unary(name));
    }

    /// The value and an input.
    fn binary(&mut self, name: &'static str, input: usize, spread: Broadcast, negate: bool) {
        if !self.vector && name != "pto.tmul" && !negate {
            return self.steps.push(Step::Accumulate(name, input, spread));
        }
        self.cross();
        self.steps.push(Step::Binary {
            name,
            input,
            spread,
            left: false,
        });
        if negate {
            self.unary("pto.tneg");
        }
    }

    /// An input and the value.
    fn reversed(&mut self, name: &'static str, input: usize) {
        if name != "pto.tsub" {
            return self.binary(name, input, Broadcast::None, false);
        }
        self.cross();
        self.steps.push(Step::Binary {
            name,
            input,
            spread: Broadcast::None,
            left: true,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::extent::Extent;
    use super::super::tensor::Element;
    use super::*;

    #[test]
    fn units_are_chosen() {
        use Source::{Chain, Input};
        let member = |compute, operands: &[Source]| Member {
            compute,
            operands: operands.to_vec(),
            result: Extent {
                matrices: 1,
                rows: 32,
                columns: 32,
            },
            element: Element::Bf16,
        };
        let product = || Step::Product(Factor::Input(0), Factor::Input(1));
        let matmul = || member(Compute::Matmul { bias: None }, &[Input(0), Input(1)]);
        let biased = || {
            let compute = Compute::Matmul {
                bias: Some(Broadcast::Row),
            };
            member(compute, &[Input(0), Input(1), Input(2)])
        };
        let relu = || member(Compute::Unary("pto.trelu"), &[Chain]);
        let cast = |operands: &[Source]| member(Compute::Cast { narrows: false }, operands);
        let binary = |name, operands: &[Source], swap| {
            let compute = Compute::Binary {
                name,
                spread: Broadcast::None,
                swap,
            };
            member(compute, operands)
        };
        let on_vector = |name, input, left| Step::Binary {
            name,
            input,
            spread: Broadcast::None,
            left,
        };
        let bias = Step::Accumulate("pto.tadd", 2, Broadcast::Row);
        for (group, expect) in [
            (vec![matmul()], vec![product()]),
            (
                vec![biased(), relu()],
                vec![product(), bias, Step::PackRelu],
            ),
            // Relu in the middle is the vector unit's.
            (
                vec![
                    matmul(),
                    relu(),
                    binary("pto.tadd", &[Chain, Input(2)], false),
                ],
                vec![
                    product(),
                    Step::Cross,
                    Step::Unary("pto.trelu"),
                    on_vector("pto.tadd", 2, false),
                ],
            ),
            // A cast only says what is stored.
            (vec![cast(&[Input(0)])], vec![Step::WidenVector(0)]),
            (vec![matmul(), cast(&[Chain])], vec![product()]),
            (
                vec![cast(&[Input(0)]), relu()],
                vec![Step::WidenVector(0), Step::PackRelu],
            ),
            // Packers have relu of what they round only.
            (
                vec![matmul(), relu(), cast(&[Chain])],
                vec![product(), Step::Cross, Step::Unary("pto.trelu")],
            ),
            // A residual is added to the accumulator, from either side.
            (
                vec![matmul(), binary("pto.tadd", &[Input(2), Chain], false)],
                vec![product(), Step::Accumulate("pto.tadd", 2, Broadcast::None)],
            ),
            (
                vec![
                    matmul(),
                    binary("pto.tmul", &[Chain, Input(2)], false),
                    relu(),
                ],
                vec![
                    product(),
                    Step::Cross,
                    on_vector("pto.tmul", 2, false),
                    Step::PackRelu,
                ],
            ),
            (
                vec![matmul(), binary("pto.tsub", &[Input(2), Chain], false)],
                vec![product(), Step::Cross, on_vector("pto.tsub", 2, true)],
            ),
            (
                vec![binary("pto.tsub", &[Input(0), Input(1)], true)],
                vec![
                    Step::Elementwise("pto.tsub", 1, 0, Broadcast::None),
                    Step::Cross,
                    Step::Unary("pto.tneg"),
                ],
            ),
            (
                vec![member(Compute::Unary("pto.trelu"), &[Input(0)])],
                vec![Step::Widen(0), Step::PackRelu],
            ),
            (
                vec![member(Compute::Unary("pto.tneg"), &[Input(0)]), relu()],
                vec![
                    Step::WidenVector(0),
                    Step::Unary("pto.tneg"),
                    Step::PackRelu,
                ],
            ),
        ] {
            let group = Chains {
                main: group,
                ..Chains::default()
            };
            assert_eq!(steps(&group), expect, "{group:?}");
        }
        // What is before a factor is the vector unit's, and the packers'.
        let relu_of = |source| member(Compute::Unary("pto.trelu"), &[source]);
        let sum = binary("pto.tadd", &[Input(2), Input(3)], false);
        let reversed = binary("pto.tsub", &[Input(2), Input(3)], true);
        for (before, expect) in [
            (
                vec![relu_of(Input(2))],
                vec![Step::WidenVector(2), Step::PackRelu],
            ),
            (
                vec![sum, relu_of(Chain), relu_of(Chain)],
                vec![
                    Step::WidenVector(2),
                    on_vector("pto.tadd", 3, false),
                    Step::Unary("pto.trelu"),
                    Step::PackRelu,
                ],
            ),
            (vec![cast(&[Input(2)])], vec![Step::WidenVector(2)]),
            (
                vec![reversed],
                vec![
                    Step::WidenVector(3),
                    on_vector("pto.tsub", 2, false),
                    Step::Unary("pto.tneg"),
                ],
            ),
        ] {
            let group = Chains {
                factors: [vec![], before],
                main: vec![member(Compute::Matmul { bias: None }, &[Input(0), Chain])],
                ..Chains::default()
            };
            let product = Step::Product(Factor::Input(0), Factor::Computed(expect));
            assert_eq!(steps(&group), [product], "{group:?}");
        }
    }
}
