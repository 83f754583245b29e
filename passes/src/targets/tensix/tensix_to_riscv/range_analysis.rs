//! Value range analysis of a program, in the domain of strided intervals ([`StridedInterval`];
//! Balakrishnan and Reps 2004, "Analyzing memory accesses in x86 executables").
//!
//! Known are constants, program arguments with a given value or range (pieces of work), arithmetic
//! with constants, and loop variables. The range of a loop-carried value is computed from the trip
//! count times the increment per iteration. Otherwise the loop is iterated until a fixed point or a
//! limit is reached. Everything else may be any word, including the results of operations that are
//! not listed here.

use std::collections::HashMap;

use tessera_dialects::mlir::{AttributeValue, Definition, Op, OpView, Value};
use tessera_dialects::tensix::program::{self, Argument};
use tessera_dialects::{arith, scf, tensix};

use super::strided_interval::{Predicate, StridedInterval};

/// Iterations after which a loop-carried value is widened to any word.
const MAX_ROUNDS: usize = 300;
/// Limit of values visited per query; beyond it the answer is any word.
const MAX_VALUES: usize = 100_000;

/// State of the analysis of a program.
pub(super) struct RangeAnalysis<'a> {
    /// Number of pieces of work of the program.
    work: i64,
    /// Assumed ranges of loop-carried values while a loop's body is analysed.
    assumed: Vec<(Value<'a>, StridedInterval)>,
    /// Cached ranges, with the assumptions that they depend on.
    known: HashMap<Value<'a>, (usize, StridedInterval)>,
    /// Identifiers of the current set of assumptions, and of the last one created.
    assumptions: usize,
    last: usize,
    left: usize,
}

/// Ranges of a loop-carried value, inside of the loop and after it.
#[derive(Clone, Copy)]
struct Carried {
    inside: StridedInterval,
    after: StridedInterval,
}

impl<'a> RangeAnalysis<'a> {
    /// Creates the analysis of a program.
    pub(super) fn new(program: tensix::ProgramOp<'a>) -> Self {
        RangeAnalysis {
            work: program.work().unwrap_or(i64::MAX >> 1),
            assumed: Vec::new(),
            known: HashMap::new(),
            assumptions: 0,
            last: 0,
            left: 0,
        }
    }

    /// Returns the range of a value.
    pub(super) fn range_of(&mut self, value: Value<'a>) -> StridedInterval {
        self.left = MAX_VALUES;
        self.interval(value)
    }

    fn interval(&mut self, value: Value<'a>) -> StridedInterval {
        let assumed = self.assumed.iter().rev();
        if let Some((_, numbers)) = assumed.into_iter().find(|(of, _)| *of == value) {
            return *numbers;
        }
        if let Some((under, numbers)) = self.known.get(&value) {
            if *under == self.assumptions {
                return *numbers;
            }
        }
        if self.left == 0 {
            return StridedInterval::ANY;
        }
        self.left -= 1;
        let numbers = match value.definition() {
            Definition::Result(op, number) => self.result(op, number),
            Definition::Argument(block, number) => match (block.parent(), number) {
                (Some(of), 0) => self.variable(of),
                (Some(of), _) => self.carried(of, number - 1).map(|carried| carried.inside),
                (None, _) => None,
            },
        };
        let numbers = numbers.unwrap_or(StridedInterval::ANY);
        self.known.insert(value, (self.assumptions, numbers));
        numbers
    }

    fn result(&mut self, op: Op<'a>, number: usize) -> Option<StridedInterval> {
        match op.name() {
            arith::ConstantOp::NAME => {
                // As a signed word: a verified constant has 32 bits.
                let value = arith::ConstantOp::view(op).value()?.integer()?;
                Some(StridedInterval::constant((value as i32).into()))
            }
            // Casts are between `index` and `i32`, apart from booleans.
            arith::IndexCastOp::NAME => {
                let value = op.operand(0)?;
                let is_truth = value.r#type().to_string() == "i1";
                (!is_truth).then(|| self.interval(value))
            }
            tensix::ArgumentOp::NAME => self.argument(op),
            arith::SelectOp::NAME => self.select(op),
            scf::ForOp::NAME => self.carried(op, number).map(|carried| carried.after),
            _ => self.arithmetic(op),
        }
    }

    fn argument(&self, op: Op<'a>) -> Option<StridedInterval> {
        match program::argument(op.dyn_cast()?).ok()? {
            Argument::Imm(value) => Some(StridedInterval::constant((value as i32).into())),
            Argument::First | Argument::Last => Some(StridedInterval::new(0, self.work, 1)),
            // The grid has at most one tile for each piece.
            Argument::Passes(_) | Argument::Extent(_) => {
                Some(StridedInterval::new(1, self.work, 1))
            }
            Argument::Place(_) => Some(StridedInterval::new(0, self.work - 1, 1)),
            Argument::Leads(_) => Some(StridedInterval::new(0, 1, 1)),
            Argument::Base(_) | Argument::Peer(_) | Argument::Leader(_) | Argument::Group(_) => {
                None
            }
        }
    }

    fn arithmetic(&mut self, op: Op<'a>) -> Option<StridedInterval> {
        let (a, b) = (op.operand(0)?, op.operand(1)?);
        let (a, b) = (self.interval(a), self.interval(b));
        let positive = b.as_constant().filter(|by| *by > 0);
        let no_sign = a.min_value() >= 0 && b.min_value() >= 0;
        match op.name() {
            arith::AddIOp::NAME => Some(a.add(b)),
            arith::SubIOp::NAME => Some(a.sub(b)),
            arith::MulIOp::NAME => Some(a.mul(b)),
            arith::MinSIOp::NAME => Some(a.min(b)),
            arith::MinUIOp::NAME => no_sign.then(|| a.min(b)),
            arith::DivSIOp::NAME => Some(a.div_constant(positive?)),
            arith::DivUIOp::NAME => no_sign.then_some(a.div_constant(positive?)),
            arith::RemSIOp::NAME => Some(a.rem_constant(positive?)),
            arith::RemUIOp::NAME if no_sign => Some(a.rem_constant(positive?)),
            arith::RemUIOp::NAME => Some(StridedInterval::new(0, positive? - 1, 1)),
            arith::ShLIOp::NAME => Some(a.mul(StridedInterval::constant(
                1 << b.as_constant().filter(is_shift)?,
            ))),
            arith::ShRUIOp::NAME | arith::ShRSIOp::NAME if no_sign => {
                Some(a.div_constant(1 << b.as_constant().filter(is_shift)?))
            }
            // At most the smaller non-negative operand.
            arith::AndIOp::NAME => {
                let most = [a, b].into_iter().filter(|of| of.min_value() >= 0);
                Some(StridedInterval::new(
                    0,
                    most.map(StridedInterval::max_value).min()?,
                    1,
                ))
            }
            _ => None,
        }
    }

    /// Returns the range of an `arith.select`: both values, refined by the condition.
    fn select(&mut self, op: Op<'a>) -> Option<StridedInterval> {
        let condition = op.operand(0)?.defining_op();
        let [yes, no] = [(1, true), (2, false)].map(|(operand, truth)| {
            let value = op.operand(operand)?;
            self.under(value, condition?, truth)
        });
        match (yes?, no?) {
            (Some(a), Some(b)) => Some(a.join(b)),
            (one, other) => one.or(other),
        }
    }

    /// Returns the range of a value where a condition has the given truth value; `Some(None)` if
    /// that is impossible.
    fn under(
        &mut self,
        value: Value<'a>,
        condition: Op<'a>,
        truth: bool,
    ) -> Option<Option<StridedInterval>> {
        let numbers = self.interval(value);
        let compare = condition.dyn_cast::<arith::CmpIOp>();
        let Some(compare) = compare.filter(|compare| compare.lhs() == Some(value)) else {
            return Some(Some(numbers));
        };
        let predicate = compare.predicate();
        let constant = self.interval(compare.rhs()?).as_constant();
        Some(
            match (predicate.and_then(Predicate::from_number), constant) {
                (Some(predicate), Some(constant)) if truth => numbers.refine(predicate, constant),
                (Some(predicate), Some(constant)) => numbers.refine(predicate.negated(), constant),
                _ => Some(numbers),
            },
        )
    }

    /// Returns the range of a loop's trip count.
    fn trip_counts(&mut self, of: Op<'a>) -> Option<StridedInterval> {
        let [low, high] = [of.operand(0)?, of.operand(1)?].map(|bound| self.interval(bound));
        let step = self
            .interval(of.operand(2)?)
            .as_constant()
            .filter(|by| *by > 0)?;
        // The induction variable must not wrap before it is compared.
        if high.max_value() + step > StridedInterval::ANY.max_value() {
            return None;
        }
        let turns = |from: i64, to: i64| (to - from).max(0).unsigned_abs().div_ceil(step as u64);
        let least = turns(low.max_value(), high.min_value()) as i64;
        Some(StridedInterval::new(
            least,
            turns(low.min_value(), high.max_value()) as i64,
            1,
        ))
    }

    /// Returns the range of a loop's induction variable.
    fn variable(&mut self, of: Op<'a>) -> Option<StridedInterval> {
        let last = self.trip_counts(of)?.max_value() - 1;
        let [low, high] = [of.operand(0)?, of.operand(1)?].map(|bound| self.interval(bound));
        let step = self.interval(of.operand(2)?);
        if last < 0 {
            return None;
        }
        Some(match low.as_constant() {
            Some(low) => {
                StridedInterval::constant(low).add(step.mul(StridedInterval::new(0, last, 1)))
            }
            None => StridedInterval::new(low.min_value(), high.max_value() - 1, 1),
        })
    }

    /// Returns what a loop carries as its value of this number.
    fn carried(&mut self, of: Op<'a>, number: usize) -> Option<Carried> {
        let first = self.interval(of.operand(3 + number)?);
        let (inside, next) = carried_values(of, number)?;
        if inside == next {
            return Some(Carried {
                inside: first,
                after: first,
            });
        }
        if let (Some(by), Some(turns)) = (self.added(next, inside), self.trip_counts(of)) {
            let before_last = StridedInterval::new(0, (turns.max_value() - 1).max(0), 1);
            return Some(Carried {
                inside: first.add(by.mul(before_last)),
                after: first.add(by.mul(turns)),
            });
        }
        let mut set = first;
        for _ in 0..MAX_ROUNDS {
            let next = self.assuming(inside, set, |bounds| bounds.interval(next));
            let joined = set.join(next);
            if joined == set {
                return Some(Carried {
                    inside: set,
                    after: first.join(next),
                });
            }
            set = joined;
        }
        None
    }

    /// Looks at something while a value is taken to be one of these.
    fn assuming<T>(
        &mut self,
        value: Value<'a>,
        numbers: StridedInterval,
        look: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let before = self.assumptions;
        self.last += 1;
        self.assumptions = self.last;
        self.assumed.push((value, numbers));
        let found = look(self);
        self.assumed.pop();
        self.assumptions = before;
        found
    }

    /// Returns what a turn adds to `inside` to make `next`, whatever that is.
    fn added(&mut self, next: Value<'a>, inside: Value<'a>) -> Option<StridedInterval> {
        self.assuming(inside, StridedInterval::ANY, |bounds| {
            bounds.beyond(next, inside)
        })
    }

    /// Returns what `value` is more than `base`, if it is made of that by additions.
    fn beyond(&mut self, value: Value<'a>, base: Value<'a>) -> Option<StridedInterval> {
        if value == base {
            return Some(StridedInterval::constant(0));
        }
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        let Definition::Result(op, number) = value.definition() else {
            return None;
        };
        match op.name() {
            arith::IndexCastOp::NAME => self.beyond(op.operand(0)?, base),
            arith::AddIOp::NAME => {
                let (a, b) = (op.operand(0)?, op.operand(1)?);
                match self.beyond(a, base) {
                    Some(by) => Some(by.add(self.interval(b))),
                    None => Some(self.beyond(b, base)?.add(self.interval(a))),
                }
            }
            arith::SubIOp::NAME => {
                let by = self.beyond(op.operand(0)?, base)?;
                Some(by.sub(self.interval(op.operand(1)?)))
            }
            scf::ForOp::NAME => {
                let before = self.beyond(op.operand(3 + number)?, base)?;
                let (inside, next) = carried_values(op, number)?;
                if inside == next {
                    return Some(before);
                }
                let by = self.added(next, inside)?;
                Some(before.add(by.mul(self.trip_counts(op)?)))
            }
            _ => None,
        }
    }
}

/// Returns the loop-carried value `number` inside of a loop, and the value that is yielded for it.
fn carried_values<'a>(of: Op<'a>, number: usize) -> Option<(Value<'a>, Value<'a>)> {
    let block = of.body().filter(|_| of.isa::<scf::ForOp>())?;
    let inside = block.arguments().get(1 + number).copied()?;
    Some((inside, block.terminator()?.operand(number)?))
}

fn is_shift(by: &i64) -> bool {
    (0..31).contains(by)
}
