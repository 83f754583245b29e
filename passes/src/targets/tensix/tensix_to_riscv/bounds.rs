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

use super::numbers::{Numbers, Predicate};

/// Turns after which the set of a carried value counts as any word.
const MOST_ROUNDS: usize = 300;
/// Values that are looked at for one answer; more are any word.
const MOST_VALUES: usize = 100_000;

/// What is found out about the values of a program.
pub(super) struct Bounds<'a> {
    /// Pieces of work of the program.
    work: i64,
    /// What carried values are taken to be while their loop's body is looked at.
    assumed: Vec<(Value<'a>, Numbers)>,
    /// What was found, and under which assumptions.
    known: HashMap<Value<'a>, (usize, Numbers)>,
    /// The number of the assumptions that hold, and of the last ones that did.
    assumptions: usize,
    last: usize,
    left: usize,
}

/// What a loop hands from turn to turn.
#[derive(Clone, Copy)]
struct Carried {
    inside: Numbers,
    after: Numbers,
}

impl<'a> Bounds<'a> {
    /// Nothing yet of a program.
    pub(super) fn new(program: tensix::ProgramOp<'a>) -> Self {
        Bounds {
            work: program.work().unwrap_or(i64::MAX >> 1),
            assumed: Vec::new(),
            known: HashMap::new(),
            assumptions: 0,
            last: 0,
            left: 0,
        }
    }

    /// What a value may be.
    pub(super) fn of(&mut self, value: Value<'a>) -> Numbers {
        self.left = MOST_VALUES;
        self.numbers(value)
    }

    fn numbers(&mut self, value: Value<'a>) -> Numbers {
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
            return Numbers::ANY;
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
        let numbers = numbers.unwrap_or(Numbers::ANY);
        self.known.insert(value, (self.assumptions, numbers));
        numbers
    }

    fn result(&mut self, op: Op<'a>, number: usize) -> Option<Numbers> {
        match op.name() {
            arith::ConstantOp::NAME => {
                // As a word: a verified constant has 32 bits, with a sign or without.
                let value = arith::ConstantOp::view(op).value()?.integer()?;
                Some(Numbers::one((value as i32).into()))
            }
            // From and to `i32`, which is what is cast in a program besides truths.
            arith::IndexCastOp::NAME => {
                let value = op.operand(0)?;
                let is_truth = value.r#type().to_string() == "i1";
                (!is_truth).then(|| self.numbers(value))
            }
            tensix::ArgumentOp::NAME => self.argument(op),
            arith::SelectOp::NAME => self.select(op),
            scf::ForOp::NAME => self.carried(op, number).map(|carried| carried.after),
            _ => self.arithmetic(op),
        }
    }

    fn argument(&self, op: Op<'a>) -> Option<Numbers> {
        match program::argument(op.dyn_cast()?).ok()? {
            Argument::Imm(value) => Some(Numbers::one((value as i32).into())),
            Argument::First | Argument::Last => Some(Numbers::of(0, self.work, 1)),
            Argument::Base(_) | Argument::Peer(_) => None,
        }
    }

    fn arithmetic(&mut self, op: Op<'a>) -> Option<Numbers> {
        let (a, b) = (op.operand(0)?, op.operand(1)?);
        let (a, b) = (self.numbers(a), self.numbers(b));
        let positive = b.single().filter(|by| *by > 0);
        let no_sign = a.least() >= 0 && b.least() >= 0;
        match op.name() {
            arith::AddIOp::NAME => Some(a.plus(b)),
            arith::SubIOp::NAME => Some(a.minus(b)),
            arith::MulIOp::NAME => Some(a.times(b)),
            arith::MinSIOp::NAME => Some(a.min(b)),
            arith::MinUIOp::NAME => no_sign.then(|| a.min(b)),
            arith::DivSIOp::NAME => Some(a.over(positive?)),
            arith::DivUIOp::NAME => no_sign.then_some(a.over(positive?)),
            arith::RemSIOp::NAME => Some(a.modulo(positive?)),
            arith::RemUIOp::NAME if no_sign => Some(a.modulo(positive?)),
            arith::RemUIOp::NAME => Some(Numbers::of(0, positive? - 1, 1)),
            arith::ShLIOp::NAME => Some(a.times(Numbers::one(1 << b.single().filter(is_shift)?))),
            arith::ShRUIOp::NAME | arith::ShRSIOp::NAME if no_sign => {
                Some(a.over(1 << b.single().filter(is_shift)?))
            }
            // No more than the smaller one that has no sign.
            arith::AndIOp::NAME => {
                let most = [a, b].into_iter().filter(|of| of.least() >= 0);
                Some(Numbers::of(0, most.map(Numbers::most).min()?, 1))
            }
            _ => None,
        }
    }

    /// Both values of an `arith.select`, each as far as the condition lets it through.
    fn select(&mut self, op: Op<'a>) -> Option<Numbers> {
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
    ) -> Option<Option<Numbers>> {
        let numbers = self.numbers(value);
        let compare = condition.dyn_cast::<arith::CmpIOp>();
        let Some(compare) = compare.filter(|compare| compare.lhs() == Some(value)) else {
            return Some(Some(numbers));
        };
        let predicate = compare.predicate();
        let constant = self.numbers(compare.rhs()?).single();
        Some(match (predicate.and_then(Predicate::of), constant) {
            (Some(predicate), Some(constant)) if truth => numbers.that(predicate, constant),
            (Some(predicate), Some(constant)) => numbers.that(predicate.opposite(), constant),
            _ => Some(numbers),
        })
    }

    /// The least and the greatest number of turns of a loop.
    fn turns(&mut self, of: Op<'a>) -> Option<Numbers> {
        let [low, high] = [of.operand(0)?, of.operand(1)?].map(|bound| self.numbers(bound));
        let step = self.numbers(of.operand(2)?).single().filter(|by| *by > 0)?;
        // The variable is compared before it wraps.
        if high.most() + step > Numbers::ANY.most() {
            return None;
        }
        let turns = |from: i64, to: i64| (to - from).max(0).unsigned_abs().div_ceil(step as u64);
        let least = turns(low.most(), high.least()) as i64;
        Some(Numbers::of(
            least,
            turns(low.least(), high.most()) as i64,
            1,
        ))
    }

    /// The variable of a loop.
    fn variable(&mut self, of: Op<'a>) -> Option<Numbers> {
        let last = self.turns(of)?.most() - 1;
        let [low, high] = [of.operand(0)?, of.operand(1)?].map(|bound| self.numbers(bound));
        let step = self.numbers(of.operand(2)?);
        if last < 0 {
            return None;
        }
        Some(match low.single() {
            Some(low) => Numbers::one(low).plus(step.times(Numbers::of(0, last, 1))),
            None => Numbers::of(low.least(), high.most() - 1, 1),
        })
    }

    /// What a loop carries as its value of this number.
    fn carried(&mut self, of: Op<'a>, number: usize) -> Option<Carried> {
        let first = self.numbers(of.operand(3 + number)?);
        let (inside, next) = handed_on(of, number)?;
        if inside == next {
            return Some(Carried {
                inside: first,
                after: first,
            });
        }
        if let (Some(by), Some(turns)) = (self.added(next, inside), self.turns(of)) {
            let before_last = Numbers::of(0, (turns.most() - 1).max(0), 1);
            return Some(Carried {
                inside: first.plus(by.times(before_last)),
                after: first.plus(by.times(turns)),
            });
        }
        let mut set = first;
        for _ in 0..MOST_ROUNDS {
            let next = self.assuming(inside, set, |bounds| bounds.numbers(next));
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
        numbers: Numbers,
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
    fn added(&mut self, next: Value<'a>, inside: Value<'a>) -> Option<Numbers> {
        self.assuming(inside, Numbers::ANY, |bounds| bounds.beyond(next, inside))
    }

    /// What `value` is more than `base`, if it is made of that by additions.
    fn beyond(&mut self, value: Value<'a>, base: Value<'a>) -> Option<Numbers> {
        if value == base {
            return Some(Numbers::one(0));
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
                    Some(by) => Some(by.plus(self.numbers(b))),
                    None => Some(self.beyond(b, base)?.plus(self.numbers(a))),
                }
            }
            arith::SubIOp::NAME => {
                let by = self.beyond(op.operand(0)?, base)?;
                Some(by.minus(self.numbers(op.operand(1)?)))
            }
            scf::ForOp::NAME => {
                let before = self.beyond(op.operand(3 + number)?, base)?;
                let (inside, next) = handed_on(op, number)?;
                if inside == next {
                    return Some(before);
                }
                let by = self.added(next, inside)?;
                Some(before.plus(by.times(self.turns(op)?)))
            }
            _ => None,
        }
    }
}

/// In a loop, the value that it carries with this number, and the one that it hands to the next
/// turn.
fn handed_on<'a>(of: Op<'a>, number: usize) -> Option<(Value<'a>, Value<'a>)> {
    let block = of.body().filter(|_| of.isa::<scf::ForOp>())?;
    let inside = block.arguments().get(1 + number).copied()?;
    Some((inside, block.terminator()?.operand(number)?))
}

fn is_shift(by: &i64) -> bool {
    (0..31).contains(by)
}
