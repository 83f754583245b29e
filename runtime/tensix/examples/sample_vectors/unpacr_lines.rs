//! Inputs of UNPACR.

use crate::random::{float, fp32, integer, Random, FLOATS, INTEGERS};

/// Formats in L1 and of the output, destinations, options, and the chip that alone has them.
type Kind = (
    &'static str,
    &'static str,
    &'static [&'static str],
    &'static str,
    &'static str,
);

const SRC: &[&str] = &["srca", "srcb"];
const DST: &[&str] = &["dst"];

const KINDS: &[Kind] = &[
    ("fp32", "fp32", DST, "-", ""),
    ("fp32", "tf32", &["srca", "srcb", "dst"], "-", ""),
    ("fp32", "bf16", SRC, "-", ""),
    ("fp32", "fp16", SRC, "-", ""),
    ("bf16", "bf16", SRC, "-", ""),
    ("fp16", "fp16", SRC, "-", ""),
    ("bfp8", "bfp8", SRC, "-", ""),
    ("bfp8", "bfp8", SRC, "exp", ""),
    ("bfp4", "bfp4", SRC, "-", ""),
    ("bfp4", "bfp4", SRC, "exp", ""),
    ("bfp2", "bfp2", SRC, "-", ""),
    ("bfp2", "bfp2", SRC, "exp", ""),
    ("int32", "int32", DST, "-", ""),
    ("int16", "int16", SRC, "-", ""),
    ("int8", "int8", SRC, "-", ""),
    ("int8", "int8", SRC, "unsigned", ""),
    ("bf16", "bf16", SRC, "rows=3", ""),
    ("bfp8", "bfp8", SRC, "rows=3", ""),
    ("fp32", "fp32", DST, "rows=3", ""),
    ("bf16", "bf16", &["srca"], "rows=10,haloize", ""),
    ("bf16", "bf16", &["srca"], "rows=4,tileize=40", ""),
    ("int8", "int8", &["srca"], "rows=4,tileize=20", ""),
    ("fp8", "fp8", SRC, "-", ""),
    ("fp8", "fp8", SRC, "lf8", "bh"),
];

/// Writes `count` lines of each kind and class.
pub fn lines(chip: &str, count: u32, r: &mut Random, mut write: impl FnMut(String)) {
    for &(input, output, targets, with, only) in KINDS {
        if !only.is_empty() && only != chip {
            continue;
        }
        for (to, class) in targets
            .iter()
            .flat_map(|to| classes(input, with).iter().map(move |c| (to, c)))
        {
            for number in 0..count {
                let (with, l1) = datums(input, class, (with, number), r);
                let line = [chip, input, output, to, &with, class, &l1, ""];
                write(line.join("\t"));
            }
        }
    }
}

/// Returns the classes of a format. `each` goes through all datums of eight bits or less. Long
/// lines are of one class.
fn classes(format: &str, with: &str) -> &'static [&'static str] {
    match format {
        _ if with.starts_with("rows") => &["random"],
        "int32" | "int16" => &INTEGERS,
        "int8" | "fp8" => &["each", "random", "special"],
        "bfp8" | "bfp4" | "bfp2" => &["each", "random", "special", "wrap"],
        _ => &FLOATS,
    }
}

/// Returns the number of datums that an UNPACR may read, which lie apart if it tilizes.
fn len(with: &str, bits: u32) -> u32 {
    let value = |name: &str| {
        let mut named = crate::bench::options(with, ',').filter(|(option, _)| *option == name);
        named.next().map(|(_, value)| crate::bench::hex(value))
    };
    let rows = value("rows").unwrap_or(1);
    match value("tileize") {
        Some(stride) => rows * stride * 8 / bits,
        None => 16 * rows,
    }
}

/// Returns the options, with an exponent if they need one, and the bytes of the datums in L1.
fn datums(
    format: &str,
    class: &str,
    (with, number): (&str, u32),
    r: &mut Random,
) -> (String, String) {
    let bits = match format {
        "fp32" | "int32" => 32,
        "bf16" | "fp16" | "int16" => 16,
        "bfp4" => 4,
        "bfp2" => 2,
        _ => 8,
    };
    // The sixteenth part of all bytes that this line has.
    let part = r.below(16) + number;
    let mut datum = |k: u32| match (format, class) {
        ("fp32", _) => fp32(class, r),
        ("bf16", _) => float(class, (8, 7), r),
        ("fp16", _) => float(class, (5, 10), r),
        ("int32" | "int16", _) => integer(class, r),
        (_, "each") => part * 16 + k,
        (_, "special") => r.pick(&[0, 1, 0x40, 0x7E, 0x7F, 0x80, 0x81, 0xFF]) >> (8 - bits),
        _ => r.bits(),
    };
    let mut bytes = Vec::new();
    for group in 0..len(with, bits) * bits / bits.max(8) {
        let whole = (bits.max(8)) / bits;
        let mask = u32::MAX >> (32 - bits);
        let word = (0..whole).fold(0, |word, k| {
            word | (datum(group * whole + k) & mask) << (k * bits)
        });
        bytes.extend(&word.to_le_bytes()[..(bits.max(8) / 8) as usize]);
    }
    let text = crate::bench::text(&bytes);
    if !format.starts_with("bfp") {
        return (with.to_owned(), text);
    }
    let exponent = match class {
        "wrap" => r.below(8),
        "special" => r.pick(&[0, 1, 127, 254, 255]),
        _ => r.below(256),
    };
    if with == "exp" {
        return (format!("exp={exponent:02x}"), text);
    }
    let mut exponents = format!("{exponent:02x}");
    for _ in 1..len(with, bits) / 16 {
        exponents += &format!("{:02x}", r.below(256));
    }
    (with.to_owned(), format!("{exponents}:{text}"))
}
