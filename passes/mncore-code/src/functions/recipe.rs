//! Appending items to a body, one operation a line.

use tessera_isa_mncore::ast::Convert;
use tessera_isa_mncore::memory::{Precision, Width};
use tessera_isa_mncore::table::{AluKind, AluOp, MauKind, MauOp};

use tessera_mncore_ir::body::{Body, Home};
use tessera_mncore_ir::item::{Dest, Masking, Op, Operand, Source, Target, Value};

/// The top bit of a word.
pub(super) const SIGN: u32 = 1 << 31;
/// The bits of the exponent; as a number, infinity.
pub(super) const EXPONENT: u32 = 0x7f80_0000;
/// What adds 1 to an exponent.
pub(super) const UNIT_EXPONENT: u32 = 1 << MANTISSA_BITS;
/// Below the exponent.
pub(super) const MANTISSA_BITS: u32 = 23;

/// Where items go.
pub(super) struct Recipe<'a> {
    body: &'a mut Body,
}

/// A number as an operand.
pub(super) fn number(value: f32) -> Operand {
    word(value.to_bits())
}

/// A word as an operand.
pub(super) fn word(word: u32) -> Operand {
    Source::Constant(word).into()
}

/// An operand with its signs inverted; the MAU alone reads such.
pub(super) fn minus(operand: impl Into<Operand>) -> Operand {
    let operand = operand.into();
    Operand {
        negate: !operand.negate,
        ..operand
    }
}

impl<'a> Recipe<'a> {
    pub(super) fn new(body: &'a mut Body) -> Self {
        Recipe { body }
    }

    /// A value of a long word in each cycle.
    pub(super) fn value(&mut self) -> Value {
        self.body.value(Width::Long, Home::Any)
    }

    /// `a · b + c`, rounded once.
    pub(super) fn fma(
        &mut self,
        a: impl Into<Operand>,
        b: impl Into<Operand>,
        c: impl Into<Operand>,
    ) -> Value {
        self.mau(MauKind::Vfma, vec![a.into(), b.into(), c.into()])
    }

    /// `a · b`.
    pub(super) fn mul(&mut self, a: impl Into<Operand>, b: impl Into<Operand>) -> Value {
        self.mau(MauKind::Vmul, vec![a.into(), b.into()])
    }

    /// `a + b`.
    pub(super) fn add(&mut self, a: impl Into<Operand>, b: impl Into<Operand>) -> Value {
        self.mau(MauKind::Vadd, vec![a.into(), b.into()])
    }

    /// MAU arithmetic in single precision.
    pub(super) fn mau(&mut self, kind: MauKind, inputs: Vec<Operand>) -> Value {
        let result = self.value();
        self.mau_into(kind, inputs, result.into());
        result
    }

    /// The same, to a value there is already; with flags only where they are set.
    pub(super) fn mau_where(
        &mut self,
        kind: MauKind,
        inputs: Vec<Operand>,
        to: Value,
        flags: Value,
    ) {
        self.mau_into(kind, inputs, masked(to, flags));
    }

    fn mau_into(&mut self, kind: MauKind, inputs: Vec<Operand>, dest: Dest) {
        self.mau_as(kind, Precision::Single, false, inputs, dest);
    }

    /// MAU arithmetic in a precision, perhaps with the result rounded to the next narrower one.
    pub(super) fn mau_as(
        &mut self,
        kind: MauKind,
        precision: Precision,
        narrow: bool,
        inputs: Vec<Operand>,
        dest: Dest,
    ) {
        let op = MauOp {
            kind,
            precision,
            half: None,
            narrow,
        };
        self.body.push(Op::Mau(op, None), inputs, vec![dest]);
    }

    /// A value of two long words in each cycle.
    pub(super) fn wide_value(&mut self) -> Value {
        self.body.value(Width::Double, Home::Any)
    }

    /// The polynomial with these coefficients, that of the highest power first, at x.
    pub(super) fn horner(&mut self, coefficients: &[f32], x: Value) -> Value {
        let mut rest = coefficients.iter().copied();
        let mut sum = number(rest.next().unwrap_or_default());
        for coefficient in rest {
            sum = self.fma(sum, x, number(coefficient)).into();
        }
        match sum.source {
            Source::Value(value) => value,
            _ => self.copy(sum),
        }
    }

    /// The ALU on single precision numbers.
    pub(super) fn float(&mut self, kind: AluKind, inputs: &[Operand]) -> Value {
        self.alu(kind, Precision::Single, false, inputs)
    }

    /// The ALU on words as signed integers or bits.
    pub(super) fn int(
        &mut self,
        kind: AluKind,
        x: impl Into<Operand>,
        y: impl Into<Operand>,
    ) -> Value {
        self.alu(kind, Precision::Int, false, &[x.into(), y.into()])
    }

    /// The same, shifts to the right unsigned.
    pub(super) fn unsigned(
        &mut self,
        kind: AluKind,
        x: impl Into<Operand>,
        y: impl Into<Operand>,
    ) -> Value {
        self.alu(kind, Precision::Int, true, &[x.into(), y.into()])
    }

    /// The greater of two numbers, x if they are equal.
    pub(super) fn max(&mut self, x: impl Into<Operand>, y: impl Into<Operand>) -> Value {
        self.float(AluKind::Max, &[x.into(), y.into()])
    }

    /// The lesser of two numbers, x if they are equal.
    pub(super) fn min(&mut self, x: impl Into<Operand>, y: impl Into<Operand>) -> Value {
        self.float(AluKind::Min, &[x.into(), y.into()])
    }

    /// `x` between two bounds.
    pub(super) fn clamp(&mut self, x: impl Into<Operand>, least: f32, most: f32) -> Value {
        let below = self.min(x, number(most));
        self.max(below, number(least))
    }

    /// A copy, bit by bit.
    pub(super) fn copy(&mut self, x: impl Into<Operand>) -> Value {
        self.alu(AluKind::Passa, Precision::Int, false, &[x.into()])
    }

    /// The ALU in a precision.
    pub(super) fn alu(
        &mut self,
        kind: AluKind,
        precision: Precision,
        unsigned: bool,
        inputs: &[Operand],
    ) -> Value {
        let result = self.value();
        self.alu_into(kind, (precision, unsigned), inputs, result.into());
        result
    }

    fn alu_into(
        &mut self,
        kind: AluKind,
        (precision, unsigned): (Precision, bool),
        inputs: &[Operand],
        dest: Dest,
    ) {
        let op = AluOp {
            kind,
            precision: (kind.row().types.precisions() != [None]).then_some(precision),
            unsigned,
            mantissa: 0,
        };
        self.body.push(Op::Alu(op, 0), inputs.to_vec(), vec![dest]);
    }

    /// An integer operation whose result replaces what a value holds where flags are set.
    pub(super) fn int_where(&mut self, kind: AluKind, inputs: &[Operand], to: Value, flags: Value) {
        let how = (Precision::Int, false);
        self.alu_into(kind, how, inputs, masked(to, flags));
    }

    /// Replaces what a value holds where flags are set.
    pub(super) fn replace(&mut self, to: Value, flags: Value, by: impl Into<Operand>) {
        self.int_where(AluKind::Passa, &[by.into()], to, flags);
    }

    /// Flags: where x is at least y.
    pub(super) fn at_least(&mut self, x: impl Into<Operand>, y: impl Into<Operand>) -> Value {
        self.flags(AluKind::Max, Precision::Single, &[x.into(), y.into()], None)
    }

    /// Flags: where x is at most y.
    pub(super) fn at_most(&mut self, x: impl Into<Operand>, y: impl Into<Operand>) -> Value {
        self.flags(AluKind::Min, Precision::Single, &[x.into(), y.into()], None)
    }

    /// The flags of an operation, and nothing else of it; with others, those that are set in both.
    pub(super) fn flags(
        &mut self,
        kind: AluKind,
        precision: Precision,
        inputs: &[Operand],
        others: Option<Value>,
    ) -> Value {
        let flags = self.new_flags();
        let dest = Dest {
            target: Target::Value(flags),
            mask: others.map(Masking::Flags),
        };
        self.alu_into(kind, (precision, false), inputs, dest);
        flags
    }

    /// The result of an integer operation, and its flags: where it is zero.
    pub(super) fn int_or_zero(
        &mut self,
        kind: AluKind,
        x: impl Into<Operand>,
        y: impl Into<Operand>,
    ) -> (Value, Value) {
        let result = self.int(kind, x, y);
        let flags = self.new_flags();
        let item = self.body.items.last_mut();
        item.expect("one was just put there")
            .outputs
            .push(flags.into());
        (result, flags)
    }

    fn new_flags(&mut self) -> Value {
        self.body.value(Width::Single, Home::Flags)
    }
}

/// A value, written where flags are set.
fn masked(to: Value, flags: Value) -> Dest {
    Dest {
        target: Target::Value(to),
        mask: Some(Masking::Flags(flags)),
    }
}

/// Whether an operand is read as it is.
pub(super) fn is_plain(operand: &Operand) -> bool {
    !operand.negate && operand.convert == Convert::None
}
