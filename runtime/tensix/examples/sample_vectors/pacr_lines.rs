//! Inputs of PACR.

use crate::random::{float, fp32, integer, Random, FLOATS, INTEGERS};

/// Width of Dst, intermediate format, format in L1, options, and the chip that alone has them.
type Kind = (u32, &'static str, &'static str, &'static str, &'static str);

const KINDS: &[Kind] = &[
    (16, "fp16", "fp32", "-", ""),
    (16, "fp16", "fp16", "-", ""),
    (16, "fp16", "bf16", "-", ""),
    (16, "fp16", "fp8", "lf8", "bh"),
    (16, "fp16", "fp8", "lf8,round10", "bh"),
    (16, "bfp8a", "bfp8", "-", ""),
    (16, "bf16", "fp32", "-", ""),
    (16, "bf16", "bf16", "-", ""),
    (16, "bf16", "bfp8", "-", ""),
    (16, "bf16", "bfp4", "-", ""),
    (16, "bf16", "bfp2", "-", ""),
    (16, "bfp8", "fp32", "-", ""),
    (16, "bfp8", "bf16", "-", ""),
    (16, "bfp8", "bfp8", "-", ""),
    (16, "bfp8", "bfp4", "-", ""),
    (16, "int16", "int16", "-", ""),
    (32, "fp32", "fp32", "-", ""),
    (32, "fp32", "fp16", "-", ""),
    (32, "fp32", "bfp8", "-", ""),
    (32, "fp32", "bfp4", "-", ""),
    (32, "fp32", "bfp2", "-", ""),
    (32, "fp16", "fp16", "round10", "bh"),
    (32, "fp16", "fp8", "lf8,round10", "bh"),
    (32, "bf16", "bf16", "-", ""),
    (32, "bfp8", "bfp8", "-", ""),
    (32, "bfp8", "bfp4", "-", ""),
    (32, "int32", "int32", "-", ""),
    (32, "int16", "int16", "-", ""),
    (32, "int8", "int8", "-", ""),
    (32, "int8", "int8", "unsigned", ""),
];

/// What a packer does between or after the conversions. Sums are made several times, as there are
/// many cases of them.
const STAGES: [&str; 8] = [
    "relu=1", "relu=2", "relu=3", "mask", "acc", "acc", "acc", "acc",
];

/// Writes `count` lines of each kind, stage and class.
pub fn lines(chip: &str, count: u32, r: &mut Random, mut write: impl FnMut(String)) {
    for kind in KINDS {
        if !kind.4.is_empty() && kind.4 != chip {
            continue;
        }
        for &class in classes(kind) {
            for _ in 0..count {
                write(line(chip, kind, ("-", class), r));
            }
        }
        for stage in STAGES {
            let class = r.pick(classes(kind));
            for _ in 0..if has_stage(kind, stage) { count } else { 0 } {
                write(line(chip, kind, (stage, class), r));
            }
        }
        if matches!(kind, (16, "bf16", "bf16" | "bfp8", ..)) && chip == "bh" {
            for interfaces in [0, 1, 3, 5, 10] {
                let stage = format!("interfaces={interfaces:x}");
                write(line(chip, kind, (&stage, "near"), r));
            }
        }
    }
}

fn is_integer(format: &str) -> bool {
    format.starts_with("int")
}

/// Classes of datums. The datums of a `block` have exponents next to each other.
fn classes((_, between, to, ..): &Kind) -> &'static [&'static str] {
    match (is_integer(between), to.starts_with("bfp")) {
        (true, _) => &INTEGERS,
        (false, true) => &["random", "special", "edge", "tie", "near", "block"],
        _ => &FLOATS,
    }
}

fn has_stage((_, between, to, ..): &Kind, stage: &str) -> bool {
    match stage {
        "mask" => true,
        "acc" => matches!(*to, "fp32" | "fp16" | "bf16"),
        "relu=1" => !matches!(*between, "int8" | "int16"),
        _ => !is_integer(between),
    }
}

fn line(
    chip: &str,
    &(width, between, to, with, _): &Kind,
    (stage, class): (&str, &str),
    r: &mut Random,
) -> String {
    let rows = match stage {
        "-" if to.starts_with("bfp") => 1 + r.below(2),
        _ if stage.starts_with("interfaces") => 4,
        _ => 1,
    };
    let base = 100 + r.below(60);
    let narrow = matches!(between, "fp16" | "bfp8a") && !with.contains("round10");
    let datum = |r: &mut Random| match (width, class) {
        _ if is_integer(between) => integer(class, r),
        (32, "block") => r.bits() << 31 | (base + r.below(10)) << 23 | r.bits() >> 9,
        (32, _) => fp32(class, r),
        (_, "block") if narrow => r.bits() & 0x83FF | (base / 8 + r.below(10)) << 10,
        (_, "block") => r.bits() & 0x807F | (base + r.below(10)) << 7,
        _ if narrow => float(class, (5, 10), r),
        _ => float(class, (8, 7), r),
    };
    let mut datums: Vec<u32> = (0..16 * rows).map(|_| datum(r)).collect();
    if between == "fp32" && stage.starts_with("relu") {
        datums.iter_mut().for_each(|x| *x = without_nan(*x));
    }
    let digits = width as usize / 4;
    let masked = |x: &u32| x & (u32::MAX >> (32 - width));
    let text = datums.iter().map(|x| format!("{:0digits$x}", masked(x)));
    let text = text.collect::<Vec<_>>().join(",");
    let stage = match stage {
        "relu=2" | "relu=3" => format!("{stage}:{:x}", threshold((width, between), &datums, r)),
        "mask" => {
            let any = r.bits() & 0xFFFF;
            format!("mask={:x}", r.pick(&[0, 1, any]))
        }
        _ => stage.to_owned(),
    };
    let before = match stage.as_str() {
        "acc" => sums((width, to), class, &datums, r),
        _ => "-".to_owned(),
    };
    let options = match (with, stage.as_str()) {
        ("-", _) => stage.clone(),
        (_, "-") => with.to_owned(),
        _ => format!("{with},{stage}"),
    };
    let (width, class) = (width.to_string(), class.to_owned());
    [
        chip, &width, between, to, &options, &class, &text, &before, "",
    ]
    .join("\t")
}

/// Returns a threshold of ReLU next to one of the datums, which is a number of the intermediate
/// format.
fn threshold((width, between): (u32, &str), datums: &[u32], r: &mut Random) -> u32 {
    // A threshold for a 32-bit Dst is BF16.
    let near = r.pick(datums) >> (width - 16);
    let near = ((near & 0x7FFF) + r.below(2)).min(0x7FFF);
    match (width, between) {
        (_, "bfp8") => (near & !1).min(0x7F80),
        (16, "bfp8a") => near & !0xF,
        (16, "fp16") => near,
        _ => near.min(0x7F80),
    }
}

/// Replaces a NaN by an infinity, as the sources disagree on ReLU of NaN in FP32.
fn without_nan(x: u32) -> u32 {
    if x & 0x7FFF_FFFF > 0x7F80_0000 {
        x & 0xFF80_0000
    } else {
        x
    }
}

/// Returns datums to which others are added, in L1. Some nearly cancel those, or are infinite.
fn sums((width, to): (u32, &str), class: &str, datums: &[u32], r: &mut Random) -> String {
    let class = if class == "block" { "near" } else { class };
    let (bits, len) = match to {
        "fp32" => ((8, 23), 4),
        "fp16" => ((5, 10), 2),
        _ => ((8, 7), 2),
    };
    let (top, sign) = (bits.0 + bits.1, 1 << (bits.0 + bits.1));
    let mut bytes = Vec::new();
    for &datum in datums {
        // The datum itself where the formats are alike.
        let own = datum >> (width.saturating_sub(top + 1));
        let infinity = (sign - 1) >> bits.1 << bits.1 | r.bits() & sign;
        let sum = match r.below(4) {
            0 => (own ^ sign).wrapping_add(r.below(4)),
            1 if class == "special" => infinity,
            _ => float(class, bits, r),
        };
        bytes.extend(&sum.to_le_bytes()[..len]);
    }
    crate::bench::text(&bytes)
}
