//! What words a value of a program may be, as far as the operations that it comes from tell.
//!
//! What is known: constants, arguments that the program names or whose range it names (pieces of
//! work), arithmetic by constants, loop variables. A value that a loop carries has what comes out
//! of going round: a number of turns times what is added in one, or else whatever is added to the
//! set turn by turn until it no longer grows. All else is any word. Nothing is assumed of
//! operations that are not listed here.

use std::collections::HashMap;

use tessera_dialects::mlir::{AttributeValue, Definition, Op, OpView, Value};
use tessera_dialects::tensix::program::{self, Argument};
use tessera_dialects::{arith, scf, tensix};

use super::strided_interval::{Predicate, StridedInterval};

/// Turns after which the set of a carried value counts as any word.
const MAX_ROUNDS: usize = 300;
/// Values that are looked at for one answer; more are any word.
const MAX_VALUES: usize = 100_000;

/// What is found out about the values of a program.
pub(super) struct RangeAnalysis<'a> {
    /// Pieces of work of the program.
    work: i64,
    /// What carried values are taken to be while their loop's body is looked at.
    assumed: Vec<(Value<'a>, StridedInterval)>,
    /// What was found, and under which assumptions.
    known: HashMap<Value<'a>, (usize, StridedInterval)>,
    /// The number of the assumptions that hold, and of the last ones that did.
    assumptions: usize,
    last: usize,
    left: usize,
}

/// What a loop hands from turn to turn.
#[derive(Clone, Copy)]
struct Carried {
    inside: StridedInterval,
    after: StridedInterval,
}

impl<'a> RangeAnalysis<'a> {
    /// Nothing yet of a program.
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

    /// What a value may be.
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
                // As a word: a verified constant has 32 bits, with a sign or without.
                let value = arith::ConstantOp::view(op).value()?.integer()?;
                Some(StridedInterval::constant((value as i32).into()))
            }
            // From and to `i32`, which is what is cast in a program besides truths.
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
            Argument::Base(_) | Argument::Peer(_) => None,
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
            // No more than the smaller one that has no sign.
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

    /// Both values of an `arith.select`, each as far as the condition lets it through.
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

    /// What a value may be where a condition is or is not true; `Some(None)` if nothing.
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

    /// The least and the greatest number of turns of a loop.
    fn trip_counts(&mut self, of: Op<'a>) -> Option<StridedInterval> {
        let [low, high] = [of.operand(0)?, of.operand(1)?].map(|bound| self.interval(bound));
        let step = self
            .interval(of.operand(2)?)
            .as_constant()
            .filter(|by| *by > 0)?;
        // The variable is compared before it wraps.
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

    /// The variable of a loop.
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

    /// What a loop carries as its value of this number.
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

    /// What a turn adds to `inside` to make `next`, whatever that is.
    fn added(&mut self, next: Value<'a>, inside: Value<'a>) -> Option<StridedInterval> {
        self.assuming(inside, StridedInterval::ANY, |bounds| {
            bounds.beyond(next, inside)
        })
    }

    /// What `value` is more than `base`, if it is made of that by additions.
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

/// In a loop, the value that it carries with this number, and the one that it hands to the next
/// turn.
fn carried_values<'a>(of: Op<'a>, number: usize) -> Option<(Value<'a>, Value<'a>)> {
    let block = of.body().filter(|_| of.isa::<scf::ForOp>())?;
    let inside = block.arguments().get(1 + number).copied()?;
    Some((inside, block.terminator()?.operand(number)?))
}

fn is_shift(by: &i64) -> bool {
    (0..31).contains(by)
}
