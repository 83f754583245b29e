//! What a product may drop at less than full fidelity.
//!
//! The matrix unit multiplies parts of significands: of the left operand (SrcB) the highest 7 bits and the rest, of the right
//! one (SrcA) the highest 5 and the rest, hidden bits counted. Each phase adds one of the four products of parts, in the
//! order high · high, high · low of the right operand, low of the left · high, low · low (rulings 1.4, tensix.md §2). So what
//! the phases left out come to is known exactly. A device may keep all of it; the reference does.

use tessera_program::{GlobalId, MathFidelity, Matmul, Op};
use tessera_pto::kernel::Element;
use tessera_reference::{unrounded_of, EvalError, Read, Unrounded};

/// Bits of a significand in its high part, of the left and the right operand.
const HIGH: [u32; 2] = [7, 5];

/// Which part of an operand.
#[derive(Clone, Copy)]
enum Part {
    All,
    High,
    Low,
}

/// The sum of the products that the phases of a fidelity leave out; nothing at full fidelity.
pub fn dropped(matmul: &Matmul, read: &Read) -> Result<Option<Unrounded>, EvalError> {
    let terms: &[[Part; 2]] = match matmul.math_fidelity() {
        MathFidelity::LoFi => &[[Part::Low, Part::All], [Part::High, Part::Low]],
        MathFidelity::HiFi2 => &[[Part::Low, Part::All]],
        MathFidelity::HiFi3 => &[[Part::Low, Part::Low]],
        MathFidelity::HiFi4 => return Ok(None),
    };
    let mut sum: Option<Unrounded> = None;
    for parts in terms {
        let term = product(matmul, *parts, read)?;
        match &mut sum {
            None => sum = Some(term),
            Some(sum) => {
                let values = sum.values.iter_mut().zip(&term.values);
                values.for_each(|(sum, term)| *sum += term);
            }
        }
    }
    Ok(sum)
}

/// The product of parts of the operands.
fn product(matmul: &Matmul, parts: [Part; 2], read: &Read) -> Result<Unrounded, EvalError> {
    const OPERANDS: [GlobalId; 2] = [0, 1];
    let tensors = [matmul.a, matmul.b];
    let [a, b] = OPERANDS;
    let of_parts = Op::Matmul(Matmul {
        a,
        b,
        ..matmul.clone()
    });
    unrounded_of(&of_parts, Element::F32, &|operand| {
        let operand = operand as usize;
        let mut values = read(tensors[operand])?;
        for value in &mut values.values {
            *value = part(*value, parts[operand], HIGH[operand]);
        }
        Ok(values)
    })
}

/// The part of a number whose high part has so many bits.
fn part(value: f64, part: Part, bits: u32) -> f64 {
    let low = (1u64 << (f64::MANTISSA_DIGITS - bits)) - 1;
    let high = f64::from_bits(value.to_bits() & !low);
    match part {
        Part::All => value,
        Part::High => high,
        Part::Low => value - high,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tessera_program::ComputeConfig;

    /// 1 + 2^-k.
    fn one_and(k: i32) -> f64 {
        1.0 + 2f64.powi(-k)
    }

    #[test]
    fn phases_drop_what_they_leave_out() {
        let value = |value| Unrounded {
            shape: vec![1, 1],
            values: vec![value],
        };
        let dropped = |fidelity, a: f64, b: f64| {
            let matmul = Matmul {
                a: 5,
                b: 7,
                transpose_a: false,
                transpose_b: false,
                compute_config: Some(ComputeConfig {
                    math_fidelity: fidelity,
                    fp32_dest_acc: true,
                }),
                out: 9,
            };
            let read = |id| Ok(value(if id == 5 { a } else { b }));
            dropped(&matmul, &read).unwrap().map(|sum| sum.values[0])
        };
        use MathFidelity::{HiFi2, HiFi3, HiFi4, LoFi};
        for (a, b, lofi, hifi2, hifi3) in [
            // All in the high parts: 6 bits of the left operand's fraction, 4 of the right one's.
            (one_and(6), one_and(4), 0.0, 0.0, 0.0),
            (-one_and(6), one_and(5), -one_and(6) / 32.0, 0.0, 0.0),
            (
                one_and(7),
                one_and(4),
                one_and(4) / 128.0,
                one_and(4) / 128.0,
                0.0,
            ),
            (
                one_and(7),
                one_and(5),
                one_and(7) * one_and(5) - 1.0,
                one_and(5) / 128.0,
                1.0 / 4096.0,
            ),
            (0.0, one_and(5), 0.0, 0.0, 0.0),
        ] {
            for (fidelity, expect) in [(LoFi, lofi), (HiFi2, hifi2), (HiFi3, hifi3)] {
                assert_eq!(dropped(fidelity, a, b), Some(expect), "{fidelity} {a} {b}");
            }
            assert_eq!(dropped(HiFi4, a, b), None);
        }
    }
}
