//! Execution of a vector instruction, element by element.

use super::config::{Config, VectorError};
use super::integer::{self, Element};
use super::mask::{self, active};
use super::registers::Registers;
use super::semantics::{self, Number, Semantics};
use super::shape::{check, Elements, Fields};
use super::{permute, reduce};
use crate::table::{Format, Op};

/// The scalar inputs and outputs of a vector instruction.
pub(crate) struct Scalars<'a> {
    /// The value of rs1.
    pub(crate) value: u32,
    /// Computes `a * b + c`, if floating-point arithmetic is supported.
    pub(crate) multiply_add: &'a mut dyn FnMut(u32, u32, u32) -> Option<u32>,
    /// Set if a fixed-point result was saturated.
    pub(crate) saturates: bool,
    /// Set if floating-point flags may have been raised.
    pub(crate) computes: bool,
}

const NO_ARITHMETIC: VectorError =
    VectorError::NotModelled("there is no floating-point arithmetic here");
const NOT_OF_VECTORS: VectorError = VectorError::Reserved("is not an instruction of vectors");
const UNORDERED: VectorError =
    VectorError::NotModelled("the order in which vfredusum adds is not documented; use vfredosum");
const NO_FLOATS: VectorError =
    VectorError::Reserved("has floats of other than 32 bits, which V 1.0 does not have");

/// Executes an instruction other than a load or store or a change of the type; returns the value
/// for rd, if any.
pub(crate) fn execute(
    op: Op,
    word: u32,
    config: &Config,
    registers: &mut Registers,
    scalars: &mut Scalars<'_>,
) -> Result<Option<u32>, VectorError> {
    let fields = Fields::decode(word);
    check(op, &fields, config)?;
    check_floats(op, config)?;
    let scalar = match op.row().format {
        Format::Vi | Format::ViM | Format::ViU | Format::VsplatI => fields.signed(),
        Format::Vu => fields.short,
        _ => scalars.value,
    };
    let Config { sew, vl, .. } = *config;
    let semantics = semantics::of(op).ok_or(NOT_OF_VECTORS)?;
    match *semantics {
        Semantics::MoveToScalar => {
            let first = registers.get(fields.vs2, sew, 0);
            return Ok(Some(integer::signed(first, sew) as u32));
        }
        Semantics::MoveFromScalar if vl > 0 => registers.set(fields.vd, sew, 0, scalar),
        Semantics::MoveFromScalar => {}
        Semantics::CopyRegisters => copy(registers, &fields),
        Semantics::Count => return Ok(Some(mask::count(registers, &fields, vl))),
        Semantics::First => return Ok(Some(mask::first(registers, &fields, vl))),
        Semantics::UpToFirst(is_set) => mask::up_to_first(is_set, registers, &fields, vl),
        Semantics::Index => mask::index(registers, &fields, sew, vl),
        Semantics::CountBefore => mask::count_before(registers, &fields, sew, vl),
        Semantics::Compress => mask::compress(registers, &fields, sew, vl),
        Semantics::Permute(permutation) => {
            permute::permute(permutation, registers, &fields, config, scalar);
        }
        Semantics::Reduce { wide, combine } => {
            reduce::integers((wide, combine), registers, &fields, config);
        }
        Semantics::ReduceFloats(number) => {
            reduce::floats(registers, &fields, vl, |a, b| {
                let element = Element {
                    a,
                    b,
                    d: 0,
                    bit: false,
                };
                compute(number, config, &element, scalars)
            })?;
        }
        Semantics::ReduceUnordered => return Err(UNORDERED),
        Semantics::Mask(combine) => {
            for k in active(registers, &fields, vl) {
                let (a, b) = (registers.bit(fields.vs2, k), registers.bit(fields.vs1, k));
                registers.set_bit(fields.vd, k, combine(a, b));
            }
        }
        Semantics::Compare(holds) => {
            let lanes = Lanes::new(op, &fields, config, scalar);
            lanes.for_each(registers, &fields, |registers, k, element| {
                registers.set_bit(fields.vd, k, holds(sew, element));
                Ok(())
            })?;
        }
        Semantics::CompareFloats(holds) => {
            let lanes = Lanes::new(op, &fields, config, scalar);
            lanes.for_each(registers, &fields, |registers, k, element| {
                scalars.computes = true;
                registers.set_bit(fields.vd, k, holds(element.a, element.b));
                Ok(())
            })?;
        }
        Semantics::Number(number) => {
            let lanes = Lanes::new(op, &fields, config, scalar);
            lanes.for_each(registers, &fields, |registers, k, element| {
                let value = compute(number, config, element, scalars)?;
                registers.set(fields.vd, lanes.elements.d, k, value);
                Ok(())
            })?;
        }
    }
    Ok(None)
}

/// Checks the width of floats: 32 bits, or in conversions 32 bits on the wider side.
fn check_floats(op: Op, config: &Config) -> Result<(), VectorError> {
    let needs = match op {
        Op::VfwcvtFXu
        | Op::VfwcvtFX
        | Op::VfncvtXuF
        | Op::VfncvtXF
        | Op::VfncvtRtzXuF
        | Op::VfncvtRtzXF => 16,
        _ => 32,
    };
    let is_float = op.row().bits & 0x307f == 0x1057;
    match is_float && config.sew != needs {
        true => Err(NO_FLOATS),
        false => Ok(()),
    }
}

/// Copies whole registers, whatever the type.
fn copy(registers: &mut Registers, fields: &Fields) {
    let count = fields.short as u8 + 1;
    for k in 0..count {
        let value = registers.register(fields.vs2 + k).unwrap_or_default();
        registers.set_register(fields.vd + k, value);
    }
}

/// An instruction whose elements are independent.
struct Lanes<'a> {
    elements: Elements,
    config: &'a Config,
    scalar: u32,
    /// Whether the mask is an operand.
    uses_bit: bool,
}

impl<'a> Lanes<'a> {
    fn new(op: Op, fields: &Fields, config: &'a Config, scalar: u32) -> Self {
        Lanes {
            elements: Elements::for_op(op, fields, config.sew),
            config,
            scalar,
            uses_bit: matches!(op.row().format, Format::VvxM | Format::VxM | Format::ViM),
        }
    }

    /// Calls `execute` with each active element's number and operands.
    fn for_each(
        &self,
        registers: &mut Registers,
        fields: &Fields,
        mut execute: impl FnMut(&mut Registers, u32, &Element) -> Result<(), VectorError>,
    ) -> Result<(), VectorError> {
        let before = registers.register(0).unwrap_or_default();
        let all = Fields {
            masked: fields.masked && !self.uses_bit,
            ..*fields
        };
        for k in active(registers, &all, self.config.vl) {
            let bit = before[k as usize / 8] >> (k % 8) & 1 != 0;
            let element = self.element(registers, fields, k, bit);
            execute(registers, k, &element)?;
        }
        Ok(())
    }

    /// Returns the operands of one element.
    fn element(&self, registers: &Registers, fields: &Fields, k: u32, bit: bool) -> Element {
        let Elements { d, a, b, reads_d } = self.elements;
        Element {
            a: a.map_or(0, |bits| registers.get(fields.vs2, bits, k)),
            b: match b {
                true => registers.get(fields.vs1, self.config.sew, k),
                false => self.scalar,
            },
            d: match reads_d {
                true => registers.get(fields.vd, d, k),
                false => 0,
            },
            bit,
        }
    }
}

/// Computes the result of an element that is a number.
fn compute(
    number: Number,
    config: &Config,
    element: &Element,
    scalars: &mut Scalars<'_>,
) -> Result<u32, VectorError> {
    match number {
        Number::Integer(value) => Ok(value(config.sew, element)),
        Number::FixedPoint(value) => {
            let (value, saturates) = value(config, element);
            scalars.saturates |= saturates;
            Ok(value)
        }
        Number::MultiplyAdd(terms) => {
            scalars.computes = true;
            let [x, y, z] = terms(element);
            (scalars.multiply_add)(x, y, z).ok_or(NO_ARITHMETIC)
        }
        Number::Float(value) => {
            scalars.computes = true;
            value(config.sew, element)
        }
        Number::MoveFloat(value) => Ok(value(element.a, element.b)),
    }
}
