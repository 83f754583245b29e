//! Converting the values of constants to the element types of the chip.

use super::{element, on_chip};
use half::{bf16, f16};
use tessera_dialects::mlir::{
    DenseElements, Op, Reported, Rewriter, Scalar, ScalarType, Sign, TensorType,
};

/// Converts the value of a `ttir.constant`.
pub fn normalize<'a>(op: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
    let Some(value) = op.attribute("value") else {
        return Ok(());
    };
    let result = op.result(0).map(|result| result.r#type());
    if result
        .is_some_and(|result| element(result) == result.element_type().and_then(ScalarType::scalar))
    {
        return Ok(());
    }
    let Some(data) = value.dense() else {
        return Err(op.error(
            "its value must be written out to change its element type: dense<...>, not dense_resource<...>",
        ));
    };
    let from = data.r#type.element_type().and_then(ScalarType::scalar);
    let (Some(from), Some(shape)) = (from, data.r#type.static_shape()) else {
        return Ok(());
    };
    let Some(to) = on_chip(from).filter(|to| *to != from) else {
        return Ok(());
    };
    let bytes = convert(from, to, &data.bytes).map_err(|message| op.error(message))?;
    let context = rewriter.context();
    let r#type = context.tensor(&shape, context.scalar(to), None);
    let converted = context
        .dense_attribute(r#type, &bytes)
        .ok_or_else(|| op.error("internal error: its value was not converted"))?;
    rewriter.set_attribute(op, "value", converted);
    Ok(())
}

/// Converts elements, which are as [`DenseElements`] gives them.
fn convert(from: Scalar, to: Scalar, bytes: &[u8]) -> Result<Vec<u8>, String> {
    match (from, to) {
        (Scalar::F16, Scalar::BF16) => Ok(each(bytes, |bits| {
            bf16::from_f32(f16::from_le_bytes(bits).to_f32()).to_le_bytes()
        })),
        (Scalar::F64, Scalar::F32) => Ok(each(bytes, |bits| {
            (f64::from_le_bytes(bits) as f32).to_le_bytes()
        })),
        (Scalar::Integer { width: 1, .. }, Scalar::BF16) => Ok(each(bytes, |[bit]: [u8; 1]| {
            bf16::from_f32(f32::from(bit)).to_le_bytes()
        })),
        (Scalar::Index, to) => integers(64, Sign::Signed, to, bytes),
        (Scalar::Integer { width, sign }, to) => integers(width, sign, to, bytes),
        (from, to) => Err(format!(
            "internal error: no conversion of {from:?} to {to:?}"
        )),
    }
}

fn each<const N: usize, const M: usize>(
    bytes: &[u8],
    convert: impl Fn([u8; N]) -> [u8; M],
) -> Vec<u8> {
    let elements = bytes
        .chunks_exact(N)
        .map(|element| <[u8; N]>::try_from(element).unwrap_or([0; N]));
    elements.flat_map(convert).collect()
}

/// Integers of `width` bits, saturated to those of `to`. Signless ones count as signed.
fn integers(width: u32, sign: Sign, to: Scalar, bytes: &[u8]) -> Result<Vec<u8>, String> {
    let Scalar::Integer {
        width: to_width,
        sign: to_sign,
    } = to
    else {
        return Err(format!(
            "internal error: no conversion of integers to {to:?}"
        ));
    };
    let (width, to_width) = (width as usize / 8, to_width as usize / 8);
    let mut converted = Vec::with_capacity(bytes.len() / width * to_width);
    for element in bytes.chunks_exact(width) {
        let value = integer(element, sign);
        if to_sign == Sign::Unsigned && value < 0 {
            return Err(format!(
                "the constant {value} is negative, but its type becomes the unsigned one of {} bits; write the value \
                 with that type or use 32 bits",
                to_width * 8
            ));
        }
        let bits = 8 * to_width as u32;
        let (least, most) = match to_sign {
            Sign::Unsigned => (0, (1 << bits) - 1),
            _ => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        };
        converted.extend_from_slice(&value.clamp(least, most).to_le_bytes()[..to_width]);
    }
    Ok(converted)
}

/// The value of at most eight little-endian bytes.
fn integer(bytes: &[u8], sign: Sign) -> i128 {
    let negative = sign != Sign::Unsigned && bytes.last().is_some_and(|byte| byte & 0x80 != 0);
    let mut wide = [if negative { 0xff } else { 0 }; 16];
    wide[..bytes.len()].copy_from_slice(bytes);
    i128::from_le_bytes(wide)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn int(width: u32, sign: Sign) -> Scalar {
        Scalar::Integer { width, sign }
    }

    #[test]
    fn converts_values() {
        use Sign::{Signed, Signless, Unsigned};
        let si32 = int(32, Signed);
        let ui32 = int(32, Unsigned);
        let rows: &[(Scalar, Scalar, &[u8], &[u8])] = &[
            // 1 + 2^-8 is halfway between two values of bf16: the even one wins.
            (
                Scalar::F16,
                Scalar::BF16,
                &f16::from_f32(1.0 + 1.0 / 256.0).to_le_bytes(),
                &[0x80, 0x3f],
            ),
            (
                Scalar::F16,
                Scalar::BF16,
                &f16::NEG_INFINITY.to_le_bytes(),
                &bf16::NEG_INFINITY.to_le_bytes(),
            ),
            (
                Scalar::F64,
                Scalar::F32,
                &0.1f64.to_le_bytes(),
                &0.1f32.to_le_bytes(),
            ),
            (int(1, Signless), Scalar::BF16, &[1, 0], &[0x80, 0x3f, 0, 0]),
            (
                int(64, Signless),
                si32,
                &i64::MIN.to_le_bytes(),
                &i32::MIN.to_le_bytes(),
            ),
            (
                int(64, Signed),
                si32,
                &(-7i64).to_le_bytes(),
                &(-7i32).to_le_bytes(),
            ),
            (
                int(64, Unsigned),
                ui32,
                &u64::MAX.to_le_bytes(),
                &u32::MAX.to_le_bytes(),
            ),
            (
                Scalar::Index,
                ui32,
                &9u64.to_le_bytes(),
                &9u32.to_le_bytes(),
            ),
            (int(8, Signless), int(8, Unsigned), &[5, 127], &[5, 127]),
            (int(16, Signed), int(16, Unsigned), &[1, 2], &[1, 2]),
        ];
        for (from, to, bytes, expected) in rows {
            assert_eq!(
                convert(*from, *to, bytes).as_deref(),
                Ok(*expected),
                "{from:?} {to:?} {bytes:?}"
            );
        }
        assert_eq!(
            convert(int(8, Signless), int(8, Unsigned), &[255]).unwrap_err(),
            "the constant -1 is negative, but its type becomes the unsigned one of 8 bits; write the value with that \
             type or use 32 bits"
        );
    }
}
