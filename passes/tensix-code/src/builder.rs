//! Builder of programs on virtual registers.

use crate::virtual_inst::{Condition, Op, Operand, Reg, VirtualInst};

/// A program under construction.
#[derive(Clone, Debug, Default)]
pub struct SfpuBuilder {
    pub(crate) items: Vec<VirtualInst>,
    registers: usize,
    /// Whether appended instructions execute under a condition.
    is_conditional: bool,
}

impl SfpuBuilder {
    fn register(&mut self) -> Reg {
        self.registers += 1;
        Reg(self.registers - 1)
    }

    /// Appends an operation that writes a new register.
    fn push_new(&mut self, op: Op, reads: Vec<Operand>) -> Reg {
        let dest = self.register();
        self.items.push(VirtualInst {
            dest: Some(dest),
            reads,
            reads_dest: op.reads_dest(),
            ..VirtualInst::new(op)
        });
        dest
    }

    /// Appends an operation that updates a copy of `d`. The copy is free if `d` has no later use.
    fn push_update(&mut self, op: Op, reads: Vec<Operand>, d: Operand) -> Reg {
        let dest = self.copy(d);
        self.items.push(VirtualInst {
            dest: Some(dest),
            reads,
            reads_dest: true,
            ..VirtualInst::new(op)
        });
        dest
    }

    /// Copies `a` to a new register.
    pub fn copy(&mut self, a: impl Into<Operand>) -> Reg {
        match a.into() {
            Operand::Constant(number) => self.constant(number),
            a => self.push_new(Op::Copy, vec![a]),
        }
    }

    /// Loads a constant into all lanes.
    pub fn constant(&mut self, number: u32) -> Reg {
        self.push_new(Op::Constant(number), vec![])
    }

    /// Loads from a row of Dst.
    pub fn load(&mut self, row: u32) -> Reg {
        self.push_new(Op::Load(row), vec![])
    }

    /// Stores `a` to a row of Dst.
    pub fn store(&mut self, a: impl Into<Operand>, row: u32) {
        self.items.push(VirtualInst {
            reads: vec![a.into()],
            ..VirtualInst::new(Op::Store(row))
        });
    }

    /// Computes `a · b + c`.
    pub fn mad(
        &mut self,
        a: impl Into<Operand>,
        b: impl Into<Operand>,
        c: impl Into<Operand>,
    ) -> Reg {
        self.push_new(Op::Mad, vec![a.into(), b.into(), c.into()])
    }

    /// Computes `a + b`.
    pub fn add(&mut self, a: impl Into<Operand>, b: impl Into<Operand>) -> Reg {
        self.push_new(Op::Add, vec![a.into(), b.into()])
    }

    /// Computes `a · b`.
    pub fn mul(&mut self, a: impl Into<Operand>, b: impl Into<Operand>) -> Reg {
        self.push_new(Op::Mul, vec![a.into(), b.into()])
    }

    /// Evaluates a polynomial in `x` by Horner's rule, the coefficient of the highest power first.
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
    pub fn unary(&mut self, op: Op, a: impl Into<Operand>) -> Reg {
        self.push_new(op, vec![a.into()])
    }

    /// Computes `-a`.
    pub fn negate(&mut self, a: impl Into<Operand>) -> Reg {
        self.unary(Op::Negate, a)
    }

    /// Computes `|a|` of a float.
    pub fn magnitude(&mut self, a: impl Into<Operand>) -> Reg {
        self.unary(Op::SetSign(false), a)
    }

    /// Appends an operation on `a` and a copy of `d`.
    pub fn binary(&mut self, op: Op, a: impl Into<Operand>, d: impl Into<Operand>) -> Reg {
        self.push_update(op, vec![a.into()], d.into())
    }

    /// Shifts `a` left, or right if `by` is negative.
    pub fn shift_by(&mut self, a: impl Into<Operand>, by: i8) -> Reg {
        self.push_update(Op::ShiftBy(by), vec![], a.into())
    }

    /// Returns the lesser and the greater of two floats, in total order.
    pub fn sort(&mut self, a: impl Into<Operand>, b: impl Into<Operand>) -> [Reg; 2] {
        let (greater, lesser) = (self.copy(a), self.copy(b));
        self.items.push(VirtualInst {
            dest: Some(lesser),
            other: Some(greater),
            reads_dest: true,
            ..VirtualInst::new(Op::Sort)
        });
        [lesser, greater]
    }

    /// Returns the lesser of two floats, in total order.
    pub fn min(&mut self, a: impl Into<Operand>, b: impl Into<Operand>) -> Reg {
        self.sort(a, b)[0]
    }

    /// Returns the greater of two floats, in total order.
    pub fn max(&mut self, a: impl Into<Operand>, b: impl Into<Operand>) -> Reg {
        self.sort(a, b)[1]
    }

    /// Appends `body` for the lanes in which `a` satisfies a condition. The body may only change
    /// registers that were written before.
    pub fn when(
        &mut self,
        condition: Condition,
        a: impl Into<Operand>,
        body: impl FnOnce(&mut Self),
    ) {
        self.begin_when(condition, a);
        body(self);
        self.end_when();
    }

    /// Restricts the following instructions, up to [`end_when`](Self::end_when), to lanes in which
    /// `a` also satisfies a condition.
    pub fn begin_when(&mut self, condition: Condition, a: impl Into<Operand>) {
        self.is_conditional = true;
        self.items.push(VirtualInst {
            reads: vec![a.into()],
            ..VirtualInst::new(Op::If(condition))
        });
    }

    /// Restricts the following instructions to lanes in which the integer difference `a - d` is (or
    /// is not) negative. The copy of `d` must precede the first condition.
    pub fn begin_when_difference(&mut self, negative: bool, a: impl Into<Operand>, copy_of_d: Reg) {
        self.is_conditional = true;
        self.items.push(VirtualInst {
            dest: Some(copy_of_d),
            reads: vec![a.into()],
            reads_dest: true,
            ..VirtualInst::new(Op::IntSubIf { negative })
        });
    }

    /// Ends the conditions: all lanes execute again.
    pub fn end_when(&mut self) {
        self.is_conditional = false;
        self.items.push(VirtualInst::new(Op::EndIf));
    }

    /// Writes the result of an operation to `dest`, in the executing lanes.
    pub fn set(&mut self, dest: Reg, op: Op, reads: Vec<Operand>) {
        self.items.push(VirtualInst {
            dest: Some(dest),
            reads,
            reads_dest: self.is_conditional || op.reads_dest(),
            ..VirtualInst::new(op)
        });
    }

    /// Copies `a` to `dest`, in the executing lanes.
    pub fn assign(&mut self, dest: Reg, a: impl Into<Operand>) {
        match a.into() {
            Operand::Constant(number) => self.set(dest, Op::Constant(number), vec![]),
            a => self.set(dest, Op::Copy, vec![a]),
        }
    }
}
