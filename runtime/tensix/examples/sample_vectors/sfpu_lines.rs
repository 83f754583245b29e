//! Inputs of the vector unit.

use tessera_isa_tensix::Instruction;
use tessera_tensix::arith::spec::bits;

use crate::bench::{chip as arch_of, encode};
use crate::random::{factors, float, fp32, integer, Random, FLOATS, INTEGERS, SUMS};

/// What the registers of an instruction hold.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Data {
    /// Floats, of the classes for one operand.
    Float,
    /// Floats to be rounded to integers.
    Round,
    /// Floats, of the classes for sums of products.
    Mad,
    Integer,
    /// Coefficients of a table, and in LReg 3 its argument.
    Table,
}

/// An instruction, in which [`with_immediate`] sets an immediate; its data; what it reads and
/// writes; the chip that alone has it.
#[derive(Clone, Copy)]
struct Kind(&'static str, Data, &'static str, &'static str, &'static str);

const UNARY: (&str, &str) = ("L0", "L4");

/// Instructions with one operand in LReg 0 and the result in LReg 4.
const UNARIES: &[(&str, Data, &str)] = &[
    ("sfpcast 0, 4, 0", Data::Integer, ""),
    ("sfpcast 0, 4, 3", Data::Integer, "bh"),
    ("sfpstochrnd 0, 0, 0, 0, 4, 1", Data::Float, ""),
    ("sfpstochrnd 0, 0, 0, 0, 4, 2", Data::Round, ""),
    ("sfpstochrnd 0, 0, 0, 0, 4, 3", Data::Round, ""),
    ("sfpstochrnd 0, 0, 0, 0, 4, 6", Data::Round, ""),
    ("sfpstochrnd 0, 0, 0, 0, 4, 7", Data::Round, ""),
    ("sfpexexp 0, 4, 0", Data::Float, ""),
    ("sfpexexp 0, 4, 1", Data::Float, ""),
    ("sfpexman 0, 4, 0", Data::Float, ""),
    ("sfpexman 0, 4, 1", Data::Float, ""),
    ("sfpabs 0, 4, 0", Data::Integer, ""),
    ("sfpabs 0, 4, 1", Data::Float, ""),
    ("sfpmov 0, 4, 0", Data::Float, ""),
    ("sfpmov 0, 4, 1", Data::Float, ""),
    ("sfpmov 0, 4, 2", Data::Float, ""),
    ("sfpnot 0, 4", Data::Integer, ""),
    ("sfplz 0, 4, 0", Data::Integer, ""),
    ("sfplz 0, 4, 4", Data::Integer, ""),
    ("sfpsetexp #8, 0, 4, 1", Data::Float, ""),
    ("sfpsetsgn #1, 0, 4, 1", Data::Float, ""),
    ("sfpsetman 0, 0, 4, 1", Data::Float, ""),
    ("sfpdivp2 #7, 0, 4, 0", Data::Float, ""),
    ("sfpdivp2 #-7, 0, 4, 1", Data::Float, ""),
    ("sfpshft #-5, 0, 4, 5", Data::Integer, "bh"),
    ("sfpshft #-5, 0, 4, 7", Data::Integer, "bh"),
    ("sfparecip 0, 0, 4, 0", Data::Float, "bh"),
];

/// The other instructions of the vector unit on LRegs.
const KINDS: &[Kind] = &[
    Kind("sfpmad 0, 1, 2, 4, 0", Data::Mad, "L0 L1 L2", "L4", ""),
    Kind("sfpmad 0, 1, 2, 4, 1", Data::Mad, "L0 L1 L2", "L4", "bh"),
    Kind("sfpmad 0, 1, 2, 4, 2", Data::Mad, "L0 L1 L2", "L4", "bh"),
    Kind("sfpmad 0, 1, 2, 4, 3", Data::Mad, "L0 L1 L2", "L4", "bh"),
    Kind("sfpadd 10, 1, 2, 4, 0", Data::Mad, "L1 L2", "L4", ""),
    Kind("sfpadd 1, 10, 2, 4, 0", Data::Mad, "L1 L2", "L4", ""),
    Kind("sfpadd 10, 1, 2, 4, 1", Data::Mad, "L1 L2", "L4", "bh"),
    Kind("sfpadd 10, 1, 2, 4, 2", Data::Mad, "L1 L2", "L4", "bh"),
    Kind("sfpadd 10, 1, 2, 4, 3", Data::Mad, "L1 L2", "L4", "bh"),
    Kind("sfpmul 0, 1, 9, 4, 0", Data::Mad, "L0 L1", "L4", ""),
    Kind("sfpmul 0, 1, 9, 4, 1", Data::Mad, "L0 L1", "L4", "bh"),
    Kind("sfpmuli #16, 0, 0", Data::Float, "L0", "L0", ""),
    Kind("sfpaddi #16, 0, 0", Data::Float, "L0", "L0", ""),
    Kind("sfplut 4, 4", Data::Table, "L0 L1 L2 L3", "L4", ""),
    Kind(
        "sfplutfp32 7, 2",
        Data::Table,
        "L0 L1 L2 L3 L4 L5 L6",
        "L7",
        "",
    ),
    Kind("sfpmul24 0, 1, 9, 4, 0", Data::Integer, "L0 L1", "L4", "bh"),
    Kind("sfpmul24 0, 1, 9, 4, 1", Data::Integer, "L0 L1", "L4", "bh"),
    Kind("sfpiadd 0, 0, 1, 0", Data::Integer, "L0 L1", "L1 flag", ""),
    Kind("sfpiadd #12, 0, 1, 1", Data::Integer, "L0", "L1 flag", ""),
    Kind("sfpiadd 0, 0, 1, 2", Data::Integer, "L0 L1", "L1 flag", ""),
    Kind("sfpiadd 0, 0, 1, 4", Data::Integer, "L0 L1", "L1 flag", ""),
    Kind("sfpiadd #12, 0, 1, 5", Data::Integer, "L0", "L1 flag", ""),
    Kind("sfpiadd 0, 0, 1, 6", Data::Integer, "L0 L1", "L1 flag", ""),
    Kind("sfpiadd 0, 0, 1, 8", Data::Integer, "L0 L1", "L1 flag", ""),
    Kind("sfpiadd #12, 0, 1, 9", Data::Integer, "L0", "L1 flag", ""),
    Kind("sfpiadd 0, 0, 1, 10", Data::Integer, "L0 L1", "L1 flag", ""),
    Kind("sfpshft 0, 0, 1, 0", Data::Integer, "L0 L1", "L1", ""),
    Kind("sfpshft #-5, 0, 1, 1", Data::Integer, "L1", "L1", ""),
    Kind("sfpshft 0, 0, 1, 2", Data::Integer, "L0 L1", "L1", "bh"),
    Kind("sfpshft #-5, 0, 1, 3", Data::Integer, "L1", "L1", "bh"),
    Kind("sfpshft2 1, 0, 4, 5", Data::Integer, "L0 L1", "L4", ""),
    Kind(
        "sfpshft2 0, 15, 4, 3",
        Data::Integer,
        "L0",
        "L4 L4.1 L4.8",
        "",
    ),
    Kind(
        "sfpshft2 0, 15, 4, 4",
        Data::Integer,
        "L0",
        "L4 L4.1 L4.8",
        "bh",
    ),
    Kind("sfpand 0, 0, 1, 0", Data::Integer, "L0 L1", "L1", ""),
    Kind("sfpor 0, 0, 1, 0", Data::Integer, "L0 L1", "L1", ""),
    Kind("sfpand 2, 0, 1, 1", Data::Integer, "L0 L2", "L1", "bh"),
    Kind("sfpor 2, 0, 1, 1", Data::Integer, "L0 L2", "L1", "bh"),
    Kind("sfpxor 0, 1", Data::Integer, "L0 L1", "L1", ""),
    Kind("sfpexexp 0, 4, 2", Data::Float, "L0", "L4 flag", ""),
    Kind("sfpexexp 0, 4, 10", Data::Float, "L0", "L4 flag", ""),
    Kind("sfplz 0, 4, 2", Data::Integer, "L0", "L4 flag", ""),
    Kind("sfpsetcc 0, 0, 0, 0", Data::Integer, "L0", "flag", ""),
    Kind("sfpsetcc 0, 0, 0, 2", Data::Integer, "L0", "flag", ""),
    Kind("sfpsetcc 0, 0, 0, 4", Data::Integer, "L0", "flag", ""),
    Kind("sfpsetcc 0, 0, 0, 6", Data::Integer, "L0", "flag", ""),
    Kind("sfpsetexp 0, 0, 1, 0", Data::Float, "L0 L1", "L1", ""),
    Kind("sfpsetexp 0, 0, 1, 2", Data::Float, "L0 L1", "L1", ""),
    Kind("sfpsetman 0, 0, 1, 0", Data::Float, "L0 L1", "L1", ""),
    Kind("sfpsetsgn 0, 0, 1, 0", Data::Float, "L0 L1", "L1", ""),
    Kind("sfpswap 0, 1, 0", Data::Float, "L0 L1", "L0 L1", ""),
    Kind("sfpswap 0, 1, 1", Data::Float, "L0 L1", "L0 L1", ""),
    Kind("sfpswap 0, 1, 2", Data::Float, "L0 L1", "L0 L1 L1.16", ""),
    Kind("sfpswap 0, 1, 3", Data::Float, "L0 L1", "L0 L1 L1.8", ""),
    Kind("sfpswap 0, 1, 9", Data::Float, "L0 L1", "L0 L1", ""),
    Kind(
        "sfpswap 0, 1, 1",
        Data::Float,
        "L0 L1 lanes=100",
        "L0 L1",
        "",
    ),
    Kind(
        "sfpswap 0, 1, 1",
        Data::Float,
        "L0 L1 L4 L5 lanes=4",
        "L0 L1 L4 L5",
        "",
    ),
    Kind("sfpmov 0, 4, 0", Data::Float, "L0 L4 flag=0", "L4", ""),
    Kind("sfpmov 0, 4, 2", Data::Float, "L0 L4 flag=0", "L4", ""),
    Kind("sfpcompc 0", Data::Integer, "flag=1", "flag", ""),
    Kind("sfpcompc 0", Data::Integer, "flag=0", "flag", ""),
    Kind("sfpencc 1, 0, 10", Data::Integer, "flag=1", "flag", ""),
    Kind("sfpencc 3, 0, 10", Data::Integer, "flag=0", "flag", ""),
    Kind("sfpencc 0, 0, 0", Data::Integer, "flag=0", "flag", ""),
    Kind("sfpconfig 0, 11, 0", Data::Float, "L0", "L11", ""),
    Kind("sfpconfig 0, 11, 1", Data::Float, "L0", "L11", ""),
    Kind("sfpconfig 0, 12, 0", Data::Float, "L0", "L12", ""),
    Kind("sfple 0, 1, 1", Data::Float, "L0 L1", "L1 flag", "bh"),
    Kind("sfple 0, 1, 8", Data::Float, "L0 L1", "L1 flag", "bh"),
    Kind("sfpgt 0, 1, 1", Data::Float, "L0 L1", "L1 flag", "bh"),
    Kind("sfpgt 0, 1, 8", Data::Float, "L0 L1", "L1 flag", "bh"),
    Kind("sfploadi 0, 0, #16", Data::Integer, "L0", "L0", ""),
    Kind("sfploadi 0, 1, #16", Data::Integer, "L0", "L0", ""),
    Kind("sfploadi 0, 2, #16", Data::Integer, "L0", "L0", ""),
    Kind("sfploadi 0, 4, #16", Data::Integer, "L0", "L0", ""),
    Kind("sfploadi 0, 8, #16", Data::Integer, "L0", "L0", ""),
    Kind("sfploadi 0, 10, #16", Data::Integer, "L0", "L0", ""),
    Kind("sfpmov 9, 4, 8", Data::Integer, "seed", "L4 L4.1 L4.31", ""),
    Kind("sfpload 0, 0, 0, 0", Data::Float, "wide dst32", "L0", ""),
    Kind("sfpload 0, 3, 0, 0", Data::Float, "wide dst32", "L0", ""),
    Kind("sfpload 0, 4, 0, 0", Data::Integer, "wide dst32", "L0", ""),
    Kind("sfpload 0, 12, 0, 0", Data::Integer, "wide dst32", "L0", ""),
    Kind(
        "sfpload 0, 0, 0, 0",
        Data::Float,
        "fmt=bf16 dst16",
        "L0",
        "",
    ),
    Kind(
        "sfpload 0, 0, 0, 0",
        Data::Float,
        "fmt=fp16 dst16",
        "L0",
        "",
    ),
    Kind("sfpload 0, 2, 0, 0", Data::Float, "dst16", "L0", ""),
    Kind("sfpload 0, 6, 0, 0", Data::Integer, "dst16", "L0", ""),
    Kind("sfpload 0, 14, 0, 0", Data::Integer, "L0 dst16", "L0", ""),
    Kind("sfpload 0, 15, 0, 0", Data::Integer, "L0 dst16", "L0", ""),
    Kind("sfpstore 0, 0, 0, 0", Data::Float, "wide L0", "dst32", ""),
    Kind("sfpstore 0, 3, 0, 0", Data::Float, "wide L0", "dst32", ""),
    Kind("sfpstore 0, 4, 0, 0", Data::Integer, "wide L0", "dst32", ""),
    Kind("sfpstore 0, 7, 0, 0", Data::Integer, "wide L0", "dst32", ""),
    Kind("sfpstore 0, 9, 0, 0", Data::Integer, "wide L0", "dst32", ""),
    Kind(
        "sfpstore 0, 12, 0, 0",
        Data::Integer,
        "wide L0",
        "dst32",
        "",
    ),
    Kind(
        "sfpstore 0, 0, 0, 0",
        Data::Float,
        "fmt=bf16 L0",
        "dst16",
        "",
    ),
    Kind(
        "sfpstore 0, 0, 0, 0",
        Data::Float,
        "fmt=fp16 L0",
        "dst16",
        "",
    ),
    Kind("sfpstore 0, 2, 0, 0", Data::Float, "L0", "dst16", ""),
    Kind("sfpstore 0, 6, 0, 0", Data::Integer, "L0", "dst16", ""),
    Kind("sfpstore 0, 14, 0, 0", Data::Integer, "L0", "dst16", ""),
    Kind("sfpstore 0, 15, 0, 0", Data::Integer, "L0", "dst16", ""),
];

/// Instructions that ttsim refuses, and tt-sim executes.
const FURTHER: &[Kind] = &[
    Kind("sfpstochrnd 0, 0, 0, 0, 4, 0", Data::Float, "L0", "L4", ""),
    Kind(
        "sfpstochrnd 0, 0, 1, 0, 4, 4",
        Data::Integer,
        "L0 L1",
        "L4",
        "",
    ),
    Kind(
        "sfpstochrnd 0, 0, 1, 0, 4, 5",
        Data::Integer,
        "L0 L1",
        "L4",
        "",
    ),
    Kind(
        "sfpstochrnd 0, #5, 0, 0, 4, 12",
        Data::Integer,
        "L0",
        "L4",
        "",
    ),
    Kind(
        "sfpstochrnd 0, #5, 0, 0, 4, 13",
        Data::Integer,
        "L0",
        "L4",
        "",
    ),
    Kind(
        "sfpstochrnd 2, 0, 0, 0, 4, 0",
        Data::Float,
        "L0",
        "L4",
        "bh",
    ),
    Kind(
        "sfpstochrnd 2, 0, 0, 0, 4, 1",
        Data::Float,
        "L0",
        "L4",
        "bh",
    ),
    Kind(
        "sfpstochrnd 2, 0, 0, 0, 4, 2",
        Data::Round,
        "L0",
        "L4",
        "bh",
    ),
    Kind(
        "sfpstochrnd 2, 0, 0, 0, 4, 3",
        Data::Round,
        "L0",
        "L4",
        "bh",
    ),
    Kind(
        "sfpstochrnd 2, 0, 0, 0, 4, 6",
        Data::Round,
        "L0",
        "L4",
        "bh",
    ),
    Kind(
        "sfpstochrnd 2, 0, 0, 0, 4, 7",
        Data::Round,
        "L0",
        "L4",
        "bh",
    ),
    Kind(
        "sfpstochrnd 2, #5, 0, 0, 4, 12",
        Data::Integer,
        "L0",
        "L4",
        "bh",
    ),
    Kind(
        "sfpstochrnd 2, #5, 0, 0, 4, 13",
        Data::Integer,
        "L0",
        "L4",
        "bh",
    ),
    Kind("sfplut 4, 0", Data::Table, "L0 L1 L2 L3", "L4", ""),
    Kind(
        "sfplutfp32 7, 0",
        Data::Mad,
        "L0 L1 L2 L3 L4 L5 L6",
        "L7",
        "",
    ),
    Kind(
        "sfplutfp32 7, 3",
        Data::Table,
        "L0 L1 L2 L3 L4 L5 L6",
        "L7",
        "",
    ),
    Kind(
        "sfplutfp32 7, 4",
        Data::Mad,
        "L0 L1 L2 L3 L4 L5 L6",
        "L7",
        "",
    ),
    Kind(
        "sfplutfp32 7, 6",
        Data::Table,
        "L0 L1 L2 L3 L4 L5 L6",
        "L7",
        "",
    ),
    Kind(
        "sfplutfp32 7, 7",
        Data::Table,
        "L0 L1 L2 L3 L4 L5 L6",
        "L7",
        "",
    ),
    Kind(
        "sfplutfp32 7, 10",
        Data::Table,
        "L0 L1 L2 L3 L7=6",
        "L6",
        "",
    ),
    Kind(
        "sfplutfp32 7, 14",
        Data::Table,
        "L0 L1 L2 L3 L7=6",
        "L6",
        "",
    ),
    Kind("sfpmad 0, 1, 2, 4, 4", Data::Mad, "L0 L1 L2 L7=1", "L4", ""),
    Kind("sfpmad 0, 1, 2, 4, 8", Data::Mad, "L0 L1 L2 L7=5", "L5", ""),
    Kind("sfpsetcc 1, 0, 0, 1", Data::Integer, "L0", "flag", ""),
    Kind("sfpsetcc 0, 0, 0, 1", Data::Integer, "L0", "flag", ""),
    Kind("sfpsetcc 0, 0, 0, 8", Data::Integer, "L0", "flag", ""),
    Kind("sfpexexp 0, 4, 3", Data::Float, "L0", "L4 flag", ""),
    Kind("sfpexexp 0, 4, 8", Data::Float, "L0", "L4 flag", ""),
    Kind("sfpexexp 0, 4, 11", Data::Float, "L0", "L4 flag", ""),
    Kind("sfpsetman #12, 0, 4, 1", Data::Float, "L0", "L4", ""),
    Kind("sfpswap 0, 1, 4", Data::Float, "L0 L1", "L0 L1 L1.8", ""),
    Kind("sfpswap 0, 1, 6", Data::Float, "L0 L1", "L0 L1 L1.16", ""),
    Kind("sfpswap 0, 1, 8", Data::Float, "L0 L1", "L0 L1 L1.24", ""),
];

/// Writes `count` lines of each kind and class, and more of those classes that have many cases.
pub fn lines(chip: &str, count: u32, r: &mut Random, write: impl FnMut(String)) {
    let unaries = UNARIES
        .iter()
        .map(|&(text, data, only)| Kind(text, data, UNARY.0, UNARY.1, only));
    write_lines(unaries.chain(KINDS.iter().copied()), chip, count, r, write);
}

/// Does the same for instructions that ttsim refuses.
pub fn further_lines(chip: &str, count: u32, r: &mut Random, write: impl FnMut(String)) {
    write_lines(FURTHER.iter().copied(), chip, count, r, write);
}

fn write_lines(
    kinds: impl Iterator<Item = Kind>,
    chip: &str,
    count: u32,
    r: &mut Random,
    mut write: impl FnMut(String),
) {
    for kind in kinds.filter(|kind| kind.4.is_empty() || kind.4 == chip) {
        for &class in classes(kind.1) {
            let often = if matches!(class, "special" | "ends" | "cancel") {
                3
            } else {
                1
            };
            for _ in 0..often * count {
                write(line(chip, &kind, class, r));
            }
        }
    }
}

fn classes(data: Data) -> &'static [&'static str] {
    match data {
        Data::Float => &FLOATS,
        Data::Round => &["random", "special", "edge", "near", "range"],
        Data::Mad => &SUMS,
        Data::Integer => &INTEGERS,
        Data::Table => &["near", "random", "special"],
    }
}

fn line(chip: &str, kind: &Kind, class: &str, r: &mut Random) -> String {
    let &Kind(text, data, before, after, _) = kind;
    let arch = arch_of(chip);
    let word = encode(arch, &with_immediate(text, data, class, r));
    let mut factors = factors(class, r).into_iter();
    let mut values = Vec::new();
    for name in before.split(' ') {
        let value = match name {
            "wide" => "1".to_owned(),
            "dst16" => format!("{:04x}", dst16(data, before.contains("fp16"), class, r)),
            "dst32" if data == Data::Float => {
                format!("{:08x}", bits::dst_from_fp32(fp32(class, r)))
            }
            "L3" => format!("{:08x}", argument(class, r)),
            _ if name.contains('=') => String::new(),
            _ => {
                let value = match data {
                    Data::Mad => factors.next().unwrap_or_else(|| fp32("near", r)),
                    Data::Round if class == "range" => in_range(r),
                    Data::Float | Data::Round => fp32(class, r),
                    Data::Integer => integer(class, r),
                    Data::Table => table(class, r),
                };
                format!("{value:08x}")
            }
        };
        values.push(match name.contains('=') {
            true => name.to_owned(),
            false => format!("{name}={value}"),
        });
    }
    let instruction = Instruction::decode(arch, word).expect("it was encoded");
    let mnemonic = instruction.row().mnemonic;
    let (word, values) = (format!("{word:08x}"), values.join(" "));
    let after: Vec<_> = after.split(' ').map(|name| format!("{name}=")).collect();
    [chip, mnemonic, &word, class, &values, &after.join(" ")].join("\t")
}

/// Returns the text of an instruction with a value for its immediate: `#5` has five bits, `#-5`
/// also the negative of such a number in twelve bits.
fn with_immediate(text: &str, data: Data, class: &str, r: &mut Random) -> String {
    let Some((head, rest)) = text.split_once('#') else {
        return text.to_owned();
    };
    let (width, tail) = rest.split_once(',').unwrap_or((rest, ""));
    let width: i32 = width.parse().expect("a number of bits");
    let any = match data {
        Data::Float if width == 16 => fp32(class, r) >> 16,
        _ => integer(class, r),
    };
    let value = any & ((1 << width.unsigned_abs()) - 1);
    let value = match width < 0 && r.below(2) == 1 {
        true => value.wrapping_neg() & 0xFFF,
        false => value,
    };
    let comma = if tail.is_empty() { "" } else { "," };
    format!("{head}{value}{comma}{tail}")
}

/// Returns 16 bits as they are in Dst.
fn dst16(data: Data, five: bool, class: &str, r: &mut Random) -> u16 {
    match (data, five) {
        (Data::Float, true) => bits::dst_from_fp16(float(class, (5, 10), r) as u16),
        (Data::Float, false) => bits::dst_from_bf16(float(class, (8, 7), r) as u16),
        _ => integer(class, r) as u16,
    }
}

/// Returns coefficients of a table: two of 16 bits or four of 8 bits.
fn table(class: &str, r: &mut Random) -> u32 {
    const CODES: [u32; 6] = [0xFFFF, 0x7C00, 0xFC00, 0xFF, 0xFF00, 0];
    match class {
        "special" => (r.pick(&CODES) << 16 | r.pick(&CODES)) ^ r.bits() & 0x0010_0010,
        _ => r.bits(),
    }
}

/// Returns a float of which an integer of up to 16 bits remains, or a little more.
fn in_range(r: &mut Random) -> u32 {
    r.bits() & 0x807F_FFFF | (124 + r.below(21)) << 23
}

/// Returns the argument of a table.
fn argument(class: &str, r: &mut Random) -> u32 {
    const ENDS: [f32; 7] = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0];
    let end = r.pick(&ENDS).to_bits();
    match class {
        "special" => {
            let near = r.pick(&[end, end + 1, end.wrapping_sub(1), 0x7F80_0000]);
            near ^ r.bits() << 31
        }
        _ => fp32(class, r),
    }
}
