//! A builder that appends items to a body, one operation per line.

use tessera_isa_mncore::ast::Convert;
use tessera_isa_mncore::memory::{Precision, Width};
use tessera_isa_mncore::table::{AluKind, AluOp, MauKind, MauOp};

use tessera_mncore_ir::body::{Body, Home};
use tessera_mncore_ir::item::{Dest, Masking, Op, Operand, Source, Target, Value};

/// The sign bit of a word.
pub(super) const SIGN: u32 = 1 << 31;
/// The bits of the exponent; as a number, infinity.
pub(super) const EXPONENT: u32 = 0x7f80_0000;
/// The unit of the exponent.
pub(super) const UNIT_EXPONENT: u32 = 1 << MANTISSA_BITS;
/// The number of bits below the exponent.
pub(super) const MANTISSA_BITS: u32 = 23;

/// A builder of items.
pub(super) struct ItemBuilder<'a> {
    body: &'a mut Body,
}

/// Returns a number as an operand.
pub(super) fn number(value: f32) -> Operand {
    word(value.to_bits())
}

/// Returns a word as an operand.
pub(super) fn word(word: u32) -> Operand {
    Source::Constant(word).into()
}

/// Returns an operand with inverted signs; only the MAU can read it.
pub(super) fn minus(operand: impl Into<Operand>) -> Operand {
    let operand = operand.into();
    Operand {
        negate: !operand.negate,
        ..operand
    }
}

impl<'a> ItemBuilder<'a> {
    pub(super) fn new(body: &'a mut Body) -> Self {
        ItemBuilder { body }
    }

    /// Creates a value of one long word per cycle.
    pub(super) fn value(&mut self) -> Value {
        self.body.value(Width::Long, Home::Any)
    }

    /// Appends `a · b + c`, rounded once.
    pub(super) fn fma(
        &mut self,
        a: impl Into<Operand>,
        b: impl Into<Operand>,
        c: impl Into<Operand>,
    ) -> Value {
        self.mau(MauKind::Vfma, vec![a.into(), b.into(), c.into()])
    }

    /// Appends `a · b`.
    pub(super) fn mul(&mut self, a: impl Into<Operand>, b: impl Into<Operand>) -> Value {
        self.mau(MauKind::Vmul, vec![a.into(), b.into()])
    }

    /// Appends `a + b`.
    pub(super) fn add(&mut self, a: impl Into<Operand>, b: impl Into<Operand>) -> Value {
        self.mau(MauKind::Vadd, vec![a.into(), b.into()])
    }

    /// Appends a single-precision MAU operation.
    pub(super) fn mau(&mut self, kind: MauKind, inputs: Vec<Operand>) -> Value {
        let result = self.value();
        self.mau_into(kind, inputs, result.into());
        result
    }

    /// Appends a MAU operation that writes an existing value where flags are set.
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

    /// Appends a MAU operation in a precision, optionally with the result rounded to the next
    /// narrower one.
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

    /// Creates a value of two long words per cycle.
    pub(super) fn wide_value(&mut self) -> Value {
        self.body.value(Width::Double, Home::Any)
    }

    /// Appends the evaluation of a polynomial by Horner's rule; coefficients in order of descending
    /// powers.
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

    /// Appends an ALU operation on single-precision numbers.
    pub(super) fn float(&mut self, kind: AluKind, inputs: &[Operand]) -> Value {
        self.alu(kind, Precision::Single, false, inputs)
    }

    /// Appends an ALU operation on words as signed integers or bits.
    pub(super) fn int(
        &mut self,
        kind: AluKind,
        x: impl Into<Operand>,
        y: impl Into<Operand>,
    ) -> Value {
        self.alu(kind, Precision::Int, false, &[x.into(), y.into()])
    }

    /// Appends an ALU operation on words; right shifts are unsigned.
    pub(super) fn unsigned(
        &mut self,
        kind: AluKind,
        x: impl Into<Operand>,
        y: impl Into<Operand>,
    ) -> Value {
        self.alu(kind, Precision::Int, true, &[x.into(), y.into()])
    }

    /// Appends the maximum of two numbers; `x` if they are equal.
    pub(super) fn max(&mut self, x: impl Into<Operand>, y: impl Into<Operand>) -> Value {
        self.float(AluKind::Max, &[x.into(), y.into()])
    }

    /// Appends the minimum of two numbers; `x` if they are equal.
    pub(super) fn min(&mut self, x: impl Into<Operand>, y: impl Into<Operand>) -> Value {
        self.float(AluKind::Min, &[x.into(), y.into()])
    }

    /// Appends the clamping of `x` between two bounds.
    pub(super) fn clamp(&mut self, x: impl Into<Operand>, least: f32, most: f32) -> Value {
        let below = self.min(x, number(most));
        self.max(below, number(least))
    }

    /// Appends a bitwise copy.
    pub(super) fn copy(&mut self, x: impl Into<Operand>) -> Value {
        self.alu(AluKind::Passa, Precision::Int, false, &[x.into()])
    }

    /// Appends an ALU operation in a precision.
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

    /// Appends an integer operation that overwrites a value where flags are set.
    pub(super) fn int_where(&mut self, kind: AluKind, inputs: &[Operand], to: Value, flags: Value) {
        let how = (Precision::Int, false);
        self.alu_into(kind, how, inputs, masked(to, flags));
    }

    /// Appends a copy that overwrites a value where flags are set.
    pub(super) fn replace(&mut self, to: Value, flags: Value, by: impl Into<Operand>) {
        self.int_where(AluKind::Passa, &[by.into()], to, flags);
    }

    /// Appends flags for `x >= y`.
    pub(super) fn at_least(&mut self, x: impl Into<Operand>, y: impl Into<Operand>) -> Value {
        self.flags(AluKind::Max, Precision::Single, &[x.into(), y.into()], None)
    }

    /// Appends flags for `x <= y`.
    pub(super) fn at_most(&mut self, x: impl Into<Operand>, y: impl Into<Operand>) -> Value {
        self.flags(AluKind::Min, Precision::Single, &[x.into(), y.into()], None)
    }

    /// Appends an operation for its flags only; with `others`, their conjunction.
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

    /// Appends an integer operation; returns its result and the flags for a zero result.
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

/// Returns a destination that is written where flags are set.
fn masked(to: Value, flags: Value) -> Dest {
    Dest {
        target: Target::Value(to),
        mask: Some(Masking::Flags(flags)),
    }
}

/// Returns whether an operand is neither negated nor converted.
pub(super) fn is_plain(operand: &Operand) -> bool {
    !operand.negate && operand.convert == Convert::None
}
