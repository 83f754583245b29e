//! Execution of a vector instruction, element by element.

use super::config::{Config, VectorError};
use super::integer::{self, Element};
use super::mask::{self, active};
use super::registers::Registers;
use super::shape::{check, Elements, Fields};
use super::{float, permute, reduce};
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
    let plain = integer::without_immediate(op);
    match plain {
        Op::VmvXS => {
            let first = registers.get(fields.vs2, sew, 0);
            return Ok(Some(integer::signed(first, sew) as u32));
        }
        Op::VmvSX if vl > 0 => registers.set(fields.vd, sew, 0, scalar),
        Op::VmvSX => {}
        Op::Vcpop => return Ok(Some(mask::count(registers, &fields, vl))),
        Op::Vfirst => return Ok(Some(mask::first(registers, &fields, vl))),
        Op::Vmsbf | Op::Vmsif | Op::Vmsof => mask::up_to_first(op, registers, &fields, vl),
        Op::Viota | Op::Vid => mask::number(op, registers, &fields, sew, vl),
        Op::Vcompress => mask::compress(registers, &fields, sew, vl),
        Op::Vmv1r | Op::Vmv2r | Op::Vmv4r | Op::Vmv8r => copy(registers, &fields),
        Op::Vslideup
        | Op::Vslidedown
        | Op::Vslide1up
        | Op::Vslide1down
        | Op::Vrgather
        | Op::Vrgatherei16 => permute::permute(plain, registers, &fields, config, scalar),
        Op::Vfredusum | Op::Vfredosum | Op::Vfredmin | Op::Vfredmax => {
            reduce::floats(op, registers, &fields, vl, |a, b| {
                let element = Element {
                    a,
                    b,
                    d: 0,
                    bit: false,
                };
                number(op, config, &element, scalars)
            })?;
        }
        Op::Vredsum
        | Op::Vredand
        | Op::Vredor
        | Op::Vredxor
        | Op::Vredminu
        | Op::Vredmin
        | Op::Vredmaxu
        | Op::Vredmax
        | Op::Vwredsumu
        | Op::Vwredsum => {
            reduce::integers(op, registers, &fields, config);
        }
        _ => {
            let lanes = Lanes {
                op: plain,
                elements: Elements::for_op(op, &fields, sew),
                config,
                scalar,
                // In these formats the mask is an operand.
                uses_bit: matches!(op.row().format, Format::VvxM | Format::VxM | Format::ViM),
            };
            lanes.run(registers, &fields, scalars)?;
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
    op: Op,
    elements: Elements,
    config: &'a Config,
    scalar: u32,
    uses_bit: bool,
}

impl Lanes<'_> {
    fn run(
        &self,
        registers: &mut Registers,
        fields: &Fields,
        scalars: &mut Scalars<'_>,
    ) -> Result<(), VectorError> {
        let before = registers.register(0).unwrap_or_default();
        let all = Fields {
            masked: fields.masked && !self.uses_bit,
            ..*fields
        };
        let active: Vec<u32> = active(registers, &all, self.config.vl).collect();
        for k in active {
            if self.elements.a == Some(1) {
                let (a, b) = (registers.bit(fields.vs2, k), registers.bit(fields.vs1, k));
                registers.set_bit(fields.vd, k, mask::logical(self.op, a, b));
                continue;
            }
            let bit = before[k as usize / 8] >> (k % 8) & 1 != 0;
            let element = self.element(registers, fields, k, bit);
            match self.elements.d {
                1 => {
                    let bit = self.execute_compare(&element, scalars);
                    registers.set_bit(fields.vd, k, bit);
                }
                bits => {
                    let value = number(self.op, self.config, &element, scalars)?;
                    registers.set(fields.vd, bits, k, value);
                }
            }
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

    fn execute_compare(&self, element: &Element, scalars: &mut Scalars<'_>) -> bool {
        match integer::execute_compare(self.op, self.config.sew, element) {
            Some(bit) => bit,
            None => {
                scalars.computes = true;
                float::execute_compare(self.op, element)
            }
        }
    }
}

/// Computes the result of an element that is a number.
fn number(
    op: Op,
    config: &Config,
    element: &Element,
    scalars: &mut Scalars<'_>,
) -> Result<u32, VectorError> {
    if let Some(value) = integer::execute_plain(op, config, element) {
        return Ok(value);
    }
    if let Some((value, saturates)) = integer::execute_fixed_point(op, config, element) {
        scalars.saturates |= saturates;
        return Ok(value);
    }
    scalars.computes |= float::computes(op);
    if let Some([x, y, z]) = float::terms(op, element) {
        return (scalars.multiply_add)(x, y, z).ok_or(NO_ARITHMETIC);
    }
    float::execute_plain(op, config.sew, element).unwrap_or(Err(VectorError::Reserved(
        "is not an instruction of vectors",
    )))
}
