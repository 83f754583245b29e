//! Writing a vector program, one operation a line.

use crate::item::{Condition, Item, Op, Operand, Reg};

/// Items so far.
#[derive(Clone, Debug, Default)]
pub struct Code {
    pub(crate) items: Vec<Item>,
    registers: usize,
    /// Whether only some lanes execute what is appended.
    within: bool,
}

impl Code {
    fn register(&mut self) -> Reg {
        self.registers += 1;
        Reg(self.registers - 1)
    }

    /// Appends an operation on `reads` whose result is a new register.
    fn made(&mut self, op: Op, reads: Vec<Operand>) -> Reg {
        let dest = self.register();
        self.items.push(Item {
            dest: Some(dest),
            reads,
            keeps: op.changes(),
            ..Item::of(op)
        });
        dest
    }

    /// Appends an operation that changes a copy of `d`; a copy that nobody needs costs nothing.
    fn changed(&mut self, op: Op, reads: Vec<Operand>, d: Operand) -> Reg {
        let dest = self.copy(d);
        self.items.push(Item {
            dest: Some(dest),
            reads,
            keeps: true,
            ..Item::of(op)
        });
        dest
    }

    /// A register of its own that holds `a`.
    pub fn copy(&mut self, a: impl Into<Operand>) -> Reg {
        match a.into() {
            Operand::Number(number) => self.number(number),
            a => self.made(Op::Copy, vec![a]),
        }
    }

    /// The same 32 bits in all lanes.
    pub fn number(&mut self, number: u32) -> Reg {
        self.made(Op::Number(number), vec![])
    }

    /// What Dst holds from a row on.
    pub fn load(&mut self, row: u32) -> Reg {
        self.made(Op::Load(row), vec![])
    }

    /// Puts `a` into Dst from a row on.
    pub fn store(&mut self, a: impl Into<Operand>, row: u32) {
        self.items.push(Item {
            reads: vec![a.into()],
            ..Item::of(Op::Store(row))
        });
    }

    /// `a · b + c`
    pub fn mad(
        &mut self,
        a: impl Into<Operand>,
        b: impl Into<Operand>,
        c: impl Into<Operand>,
    ) -> Reg {
        self.made(Op::Mad, vec![a.into(), b.into(), c.into()])
    }

    /// `a + b`
    pub fn add(&mut self, a: impl Into<Operand>, b: impl Into<Operand>) -> Reg {
        self.made(Op::Add, vec![a.into(), b.into()])
    }

    /// `a · b`
    pub fn mul(&mut self, a: impl Into<Operand>, b: impl Into<Operand>) -> Reg {
        self.made(Op::Mul, vec![a.into(), b.into()])
    }

    /// A polynomial in `x`, the coefficient of the highest power first.
    pub fn horner(&mut self, coefficients: &[f32], x: Reg) -> Reg {
        let [first, second, rest @ ..] = coefficients else {
            unreachable!("polynomials have two coefficients at least")
        };
        let mut sum = self.mad(*first, x, *second);
        for coefficient in rest {
            sum = self.mad(sum, x, *coefficient);
        }
        sum
    }

    /// Appends an operation of one operand.
    pub fn of_one(&mut self, op: Op, a: impl Into<Operand>) -> Reg {
        self.made(op, vec![a.into()])
    }

    /// `-a`
    pub fn negate(&mut self, a: impl Into<Operand>) -> Reg {
        self.of_one(Op::Negate, a)
    }

    /// `a` without its sign.
    pub fn magnitude(&mut self, a: impl Into<Operand>) -> Reg {
        self.of_one(Op::SetSign(false), a)
    }

    /// An operation on `a` and a copy of `d`.
    pub fn of_two(&mut self, op: Op, a: impl Into<Operand>, d: impl Into<Operand>) -> Reg {
        self.changed(op, vec![a.into()], d.into())
    }

    /// `a` shifted left, or right if `by` is negative.
    pub fn shift_by(&mut self, a: impl Into<Operand>, by: i8) -> Reg {
        self.changed(Op::ShiftBy(by), vec![], a.into())
    }

    /// The lesser and the greater of two floats, in total order.
    pub fn sort(&mut self, a: impl Into<Operand>, b: impl Into<Operand>) -> [Reg; 2] {
        let (greater, lesser) = (self.copy(a), self.copy(b));
        self.items.push(Item {
            dest: Some(lesser),
            other: Some(greater),
            keeps: true,
            ..Item::of(Op::Sort)
        });
        [lesser, greater]
    }

    /// The lesser of two floats, in total order.
    pub fn min(&mut self, a: impl Into<Operand>, b: impl Into<Operand>) -> Reg {
        self.sort(a, b)[0]
    }

    /// The greater one.
    pub fn max(&mut self, a: impl Into<Operand>, b: impl Into<Operand>) -> Reg {
        self.sort(a, b)[1]
    }

    /// What only lanes execute in which `a` is so. It changes registers that hold values before.
    pub fn when(
        &mut self,
        condition: Condition,
        a: impl Into<Operand>,
        body: impl FnOnce(&mut Self),
    ) {
        self.also_when(condition, a);
        body(self);
        self.end();
    }

    /// From here on, up to [`end`](Self::end), only lanes execute in which `a` is so, too.
    pub fn also_when(&mut self, condition: Condition, a: impl Into<Operand>) {
        self.within = true;
        self.items.push(Item {
            reads: vec![a.into()],
            ..Item::of(Op::If(condition))
        });
    }

    /// From here on only lanes in which the integer difference `a - d` is, or is not, below zero.
    /// The copy of `d` must stand before the first condition.
    pub fn also_when_difference(&mut self, negative: bool, a: impl Into<Operand>, copy_of_d: Reg) {
        self.within = true;
        self.items.push(Item {
            dest: Some(copy_of_d),
            reads: vec![a.into()],
            keeps: true,
            ..Item::of(Op::IntSubIf { negative })
        });
    }

    /// All lanes again.
    pub fn end(&mut self) {
        self.within = false;
        self.items.push(Item::of(Op::EndIf));
    }

    /// In the lanes that execute, `dest` becomes the result of an operation.
    pub fn set(&mut self, dest: Reg, op: Op, reads: Vec<Operand>) {
        self.items.push(Item {
            dest: Some(dest),
            reads,
            keeps: self.within || op.changes(),
            ..Item::of(op)
        });
    }

    /// In the lanes that execute, `dest` becomes `a`.
    pub fn assign(&mut self, dest: Reg, a: impl Into<Operand>) {
        match a.into() {
            Operand::Number(number) => self.set(dest, Op::Number(number), vec![]),
            a => self.set(dest, Op::Copy, vec![a]),
        }
    }
}
