//! The computation of a group: its operations with their operands, and what each unit does for them.
//!
//! The unit of every element-wise operation is fixed here (rulings 2.4). The first value is the matrix unit's, in the
//! accumulator, where that can make it; sums with it stay there (24 bits, the other operand exact). Everything else is the
//! vector unit's, on the vector side. Relu at the end is the packers', wherever the value is.

use tessera_dialects::pto::Broadcast;

use super::compute::Compute;

/// Tiles of a half of Dst, which the values of a block share.
const HALF_TILES: u64 = 4;

/// Where an operand comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The input of the group with this number.
    Input(usize),
    /// The result of the operation before.
    Chain,
}

/// An operation of a group.
#[derive(Clone, Debug)]
pub struct Member {
    /// What it computes.
    pub compute: Compute,
    /// From what, in the operation's order.
    pub operands: Vec<Source>,
}

/// What is done for a group, one after the other. The value is that of the step before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The value is a product of inputs.
    Product(usize, usize),
    /// The value is computed from two inputs by the matrix unit, the second one spread.
    Elementwise(&'static str, usize, usize, Broadcast),
    /// The value is an input, widened into the accumulator.
    Widen(usize),
    /// The value is an input, widened on the vector side.
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
pub fn steps(group: &[Member]) -> Vec<Step> {
    let mut chain = Chain::default();
    for (number, member) in group.iter().enumerate() {
        chain.member(member, number == 0, number + 1 == group.len());
    }
    chain.steps
}

/// Values of Dst that steps need at a time: the value, and each input that the vector unit reads.
pub fn values(steps: &[Step]) -> u64 {
    let mut read = Vec::new();
    for step in steps {
        if let Step::Binary { input, spread, .. } = step {
            if !read.contains(&(*input, *spread)) {
                read.push((*input, *spread));
            }
        }
    }
    1 + read.len() as u64
}

/// Whether the values of a group fit into half of Dst.
pub fn fits(group: &[Member]) -> bool {
    has_room(&steps(group), [1, 1])
}

/// Whether they fit if each is so many tiles, down and across.
pub fn has_room(steps: &[Step], [rows, columns]: [u64; 2]) -> bool {
    values(steps) * rows * columns <= HALF_TILES
}

/// Rows and columns of tiles that are computed at a time.
///
/// Of those that fit, the ones that take least of the matrix unit's and the unpackers' time on the busiest worker; if several do,
/// those that read least from memory.
pub fn block(steps: &[Step], [down, across]: [u64; 2], matrices: u64, phases: u64) -> [u64; 2] {
    const WORKERS: u64 = 64;
    let most = HALF_TILES / values(steps);
    let product = matches!(steps.first(), Some(Step::Product(..)));
    let cost = |[rows, columns]: [u64; 2]| {
        let blocks = matrices * down.div_ceil(rows) * across.div_ceil(columns);
        let area = rows * columns;
        // Cycles: 16 MVMUL a phase, 32 an unpacked tile. A product keeps one operand from a tile to the next.
        let (unpacked, read) = if product {
            (area + 1, rows + columns)
        } else {
            (2 * area, 2 * area)
        };
        let turn = (16 * phases * area).max(32 * unpacked);
        let turns = blocks.div_ceil(WORKERS);
        (turns * turn, turns * read)
    };
    let shapes = (1..=most).flat_map(|rows| (1..=most / rows).map(move |columns| [rows, columns]));
    let inside = shapes.filter(|[rows, columns]| *rows <= down && *columns <= across);
    inside.min_by_key(|shape| cost(*shape)).unwrap_or([1, 1])
}

#[derive(Default)]
struct Chain {
    steps: Vec<Step>,
    /// Whether the value is on the vector side.
    vector: bool,
}

impl Chain {
    fn member(&mut self, member: &Member, first: bool, last: bool) {
        match (member.compute, &member.operands[..]) {
            (Compute::Matmul { bias }, [Source::Input(a), Source::Input(b), rest @ ..]) => {
                self.steps.push(Step::Product(*a, *b));
                if let (Some(spread), [Source::Input(input)]) = (bias, rest) {
                    self.steps
                        .push(Step::Accumulate("pto.tadd", *input, spread));
                }
            }
            (Compute::Unary("pto.trelu"), operands) if last => {
                if let (true, [Source::Input(input)]) = (first, operands) {
                    self.steps.push(Step::Widen(*input));
                }
                self.steps.push(Step::PackRelu);
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
    use super::*;

    #[test]
    fn units_are_chosen() {
        use Source::{Chain, Input};
        let member = |compute, operands: &[Source]| Member {
            compute,
            operands: operands.to_vec(),
        };
        let matmul = || member(Compute::Matmul { bias: None }, &[Input(0), Input(1)]);
        let biased = || {
            let compute = Compute::Matmul {
                bias: Some(Broadcast::Row),
            };
            member(compute, &[Input(0), Input(1), Input(2)])
        };
        let relu = || member(Compute::Unary("pto.trelu"), &[Chain]);
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
            (vec![matmul()], vec![Step::Product(0, 1)]),
            (
                vec![biased(), relu()],
                vec![Step::Product(0, 1), bias, Step::PackRelu],
            ),
            // Relu in the middle is the vector unit's.
            (
                vec![
                    matmul(),
                    relu(),
                    binary("pto.tadd", &[Chain, Input(2)], false),
                ],
                vec![
                    Step::Product(0, 1),
                    Step::Cross,
                    Step::Unary("pto.trelu"),
                    on_vector("pto.tadd", 2, false),
                ],
            ),
            // A residual is added to the accumulator, from either side.
            (
                vec![matmul(), binary("pto.tadd", &[Input(2), Chain], false)],
                vec![
                    Step::Product(0, 1),
                    Step::Accumulate("pto.tadd", 2, Broadcast::None),
                ],
            ),
            (
                vec![
                    matmul(),
                    binary("pto.tmul", &[Chain, Input(2)], false),
                    relu(),
                ],
                vec![
                    Step::Product(0, 1),
                    Step::Cross,
                    on_vector("pto.tmul", 2, false),
                    Step::PackRelu,
                ],
            ),
            (
                vec![matmul(), binary("pto.tsub", &[Input(2), Chain], false)],
                vec![
                    Step::Product(0, 1),
                    Step::Cross,
                    on_vector("pto.tsub", 2, true),
                ],
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
            assert_eq!(steps(&group), expect, "{group:?}");
        }
    }

    #[test]
    fn blocks_fit() {
        let product = [Step::Product(0, 1)];
        let gated = [
            Step::Product(0, 1),
            Step::Cross,
            Step::Binary {
                name: "pto.tmul",
                input: 2,
                spread: Broadcast::None,
                left: false,
            },
        ];
        for (steps, tiles, expect) in [
            // Enough for all workers: as many products as possible for each tile that is unpacked.
            (&product[..], [32, 32], [2, 2]),
            // Few tiles: each is a worker's.
            (&product[..], [8, 8], [1, 1]),
            (&product[..], [1, 1], [1, 1]),
            (&product[..], [1, 1000], [1, 4]),
            (&gated[..], [1, 1000], [1, 2]),
        ] {
            assert_eq!(block(steps, tiles, 1, 4), expect, "{tiles:?}");
        }
    }
}
