//! Inputs of the matrix unit's arithmetic.

use crate::random::{float, Random};

const OPS: [&str; 4] = ["MVMUL", "ELWMUL", "ELWADD", "ELWSUB"];

/// Styles of Src with the bits of exponent and mantissa, and the narrow accumulator.
const STYLES: [(&str, (u32, u32), &str); 3] = [
    ("bf16", (8, 7), "bf16"),
    ("tf32", (8, 10), "bf16"),
    ("fp16", (5, 10), "fp16"),
];

/// Classes: ordinary numbers; zeros and denormals among them; products or addends that cancel;
/// results out of range; exponents that mean infinity elsewhere; an addend that is far greater than
/// the others; sums that round up to a power of two; a sum of -1 in the last place, which Wormhole
/// normalises wrongly.
const CLASSES: [&str; 9] = [
    "random",
    "zero",
    "cancel",
    "overflow",
    "underflow",
    "nan_inf",
    "apart",
    "carry",
    "minus_one",
];

/// Writes `count` lines of each operation, style, accumulator, phase and class.
pub fn lines(count: u32, r: &mut Random, mut write: impl FnMut(String)) {
    for op in OPS {
        let phases = if op.ends_with("MUL") { 4 } else { 1 };
        for (style, accumulator) in STYLES.into_iter().flat_map(|s| [(s, "f32"), (s, s.2)]) {
            for (phase, class) in (0..phases).flat_map(|phase| CLASSES.map(|class| (phase, class)))
            {
                let exists = match class {
                    "minus_one" => accumulator == "f32" && phase == 0,
                    "carry" => accumulator != "f32" && phases == 1,
                    _ => true,
                };
                for _ in 0..if exists { count } else { 0 } {
                    let [a, b, dst] = inputs(op, (style.1, accumulator), class, r);
                    let phase = phase.to_string();
                    let line = [op, style.0, accumulator, &phase, class, &a, &b, &dst, ""];
                    write(line.join("\t"));
                }
            }
        }
    }
}

/// Returns SrcA, SrcB and Dst.
fn inputs(
    op: &str,
    (bits, accumulator): ((u32, u32), &str),
    class: &str,
    r: &mut Random,
) -> [String; 3] {
    let len = if op == "MVMUL" { 16 } else { 1 };
    let mut a: Vec<u32> = (0..len).map(|_| datum(bits, class, r)).collect();
    let mut b: Vec<u32> = (0..len).map(|_| datum(bits, class, r)).collect();
    let sign = 1 << 18;
    let (bias, ones) = ((1 << (bits.0 - 1)) - 1, (1 << bits.0) - 1);
    let mut held = match accumulator {
        "f32" => float("near", (8, 23), r),
        "bf16" => float("near", (8, 7), r),
        _ => float("near", (5, 10), r),
    };
    match class {
        "cancel" if op == "MVMUL" => {
            for k in 0..8 {
                (a[k + 8], b[k + 8]) = (a[k] ^ sign, b[k]);
            }
        }
        "cancel" if op == "ELWADD" || op == "ELWSUB" => {
            b[0] =
                (a[0] ^ sign ^ r.below(4) << (10 - bits.1)) & !(sign * u32::from(op == "ELWSUB"));
        }
        "zero" => {
            for k in 0..len as usize {
                let which = r.below(3);
                if which != 0 {
                    a[k] &= !(ones << 10);
                }
                if which != 1 {
                    b[k] &= !(ones << 10);
                }
            }
            held &= r.pick(&[0, u32::MAX]);
        }
        "underflow" => held = 0,
        "overflow" if accumulator == "f32" => held |= 0x7000_0000,
        "nan_inf" => a[r.below(len) as usize] |= ones << 10,
        "apart" => a[0] = a[0] & !(ones << 10) | (bias + 4 + r.below(bias / 4)) << 10,
        "carry" => {
            let kept = if accumulator == "fp16" { 10 } else { 7 };
            a[0] |= 0x3FF & !0 << (10 - bits.1);
            let exponent = (a[0] >> 10 & ones) - kept - 1;
            b[0] = a[0] & sign | exponent << 10;
            b[0] ^= sign * u32::from(op == "ELWSUB");
            held = 0;
        }
        "minus_one" => {
            (a, b) = (vec![0; len as usize], vec![0; len as usize]);
            let exponent = bias - 3 + r.below(6);
            a[0] = exponent << 10;
            b[0] = if op.ends_with("MUL") { bias << 10 } else { 0 };
            held = 1 << 31 | (exponent + 127 - bias) << 23 | 1;
        }
        _ => {}
    }
    let is_sum = !op.ends_with("MUL");
    let digits = if accumulator == "f32" { 8 } else { 4 };
    let dst = match is_sum && class != "minus_one" && r.below(2) == 0 {
        true => "-".to_owned(),
        false => format!("{held:0digits$x}"),
    };
    let text = |values: &[u32]| {
        let texts: Vec<_> = values.iter().map(|x| format!("{x:05x}")).collect();
        texts.join(",")
    };
    [text(&a), text(&b), dst]
}

/// Returns a datum of Src as TF32 with the given bits of exponent and mantissa.
fn datum((exponent, mantissa): (u32, u32), class: &str, r: &mut Random) -> u32 {
    let (top, bias) = ((1 << exponent) - 1, (1 << (exponent - 1)) - 1);
    let e = match class {
        "overflow" => top - 1 - r.below(bias / 4),
        "underflow" => r.below(bias / 2),
        _ => bias - 3 + r.below(6),
    };
    let m = (r.bits() & ((1 << mantissa) - 1)) << (10 - mantissa);
    (r.bits() & 1) << 18 | e << 10 | m
}
