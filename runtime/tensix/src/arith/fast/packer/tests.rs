//! The stages equal the specification datum by datum, at every level.

use tessera_test_support::is_long_run;
use tessera_test_support::random::Rng;

use super::*;
use crate::arith::spec::format::Format;
use crate::arith::spec::packer::accumulate;
use crate::arith::spec::packer::block::Block;

struct Numbers(Rng);

impl Numbers {
    fn new(seed: u64) -> Self {
        Numbers(Rng::new(seed))
    }

    fn next(&mut self) -> u32 {
        (self.0.next_u64() >> 32) as u32
    }

    /// Returns a datum of any kind: denormal, special, small, near one.
    fn datum(&mut self) -> u32 {
        let x = self.next();
        match self.next() % 8 {
            0 => x & 0x807F_FFFF,
            1 => x | 0x7F80_0000,
            2 => x & 0x8000_00FF,
            3 => x & 0x80FF_8000 | 0x3F00_0000,
            4 => x & 0x8000_FFFF,
            5 => x,
            _ => x & 0x87FF_FFFF | 0x3C00_0000,
        }
    }

    fn rows(&mut self) -> [Row; 4] {
        std::array::from_fn(|_| std::array::from_fn(|_| self.datum()))
    }
}

fn rounds() -> usize {
    if is_long_run() {
        100_000
    } else {
        300
    }
}

const READINGS: [Reading; 5] = [
    Reading::Wide,
    Reading::WideHigh,
    Reading::Bf16,
    Reading::Fp16,
    Reading::Narrow,
];
const EARLY: [EarlyConversion; 10] = [
    EarlyConversion::Identity,
    EarlyConversion::Truncate,
    EarlyConversion::Round8,
    EarlyConversion::RoundNarrow8,
    EarlyConversion::Round5,
    EarlyConversion::Rebase,
    EarlyConversion::Descale { shift: 0 },
    EarlyConversion::Descale { shift: 9 },
    EarlyConversion::LowBits,
    EarlyConversion::Sign,
];
const TYPES: [Type; 11] = [
    Type::Bits32,
    Type::Tf32,
    Type::Bf16,
    Type::E8m6,
    Type::Fp16,
    Type::E5m7,
    Type::E5m6,
    Type::Fp8,
    Type::Int16,
    Type::Int8,
    Type::Uint8,
];
const FORMATS: [Format; 12] = [
    Format::FP32,
    Format::TF32,
    Format::BF16,
    Format::FP16,
    Format::FP8,
    Format::BFP8,
    Format::BFP4,
    Format::BFP8A,
    Format::BFP2A,
    Format::INT32,
    Format::INT16,
    Format::INT8,
];

/// Returns random stages for which there is a late conversion.
fn stages(numbers: &mut Numbers) -> Stages {
    let mut pick = |count: usize| numbers.next() as usize % count;
    loop {
        let typ = TYPES[pick(TYPES.len())];
        let kind = typ.kind(pick(2) == 1);
        let Some(late) = LateConversion::new(typ, kind, FORMATS[pick(FORMATS.len())]) else {
            continue;
        };
        let relus = [
            Relu::Off,
            Relu::Zero,
            Relu::BelowThreshold(0x4000_0000),
            Relu::Clamp(0x3F80_0000),
            Relu::Clamp(0x3C00),
        ];
        return Stages {
            reading: READINGS[pick(READINGS.len())],
            early: EARLY[pick(EARLY.len())],
            typ,
            kind,
            relu: relus[pick(relus.len())],
            threshold: (pick(2) == 1).then(|| Threshold {
                exponent: pick(140) as u32,
                has_exponent8: pick(2) == 1,
            }),
            late,
        };
    }
}

/// Returns the result of a datum, its exponent, and whether a stage is undefined for it.
fn specified(stages: &Stages, replacement: Option<u32>, x: u32) -> (u32, u32, bool) {
    let x = match stages.reading {
        Reading::Wide => bits::fp32_from_dst(x),
        Reading::WideHigh => x >> 16,
        Reading::Bf16 => u32::from(bits::bf16_from_dst(x as u16)) << 16,
        Reading::Fp16 => bits::fp16_from_dst(x as u16).into(),
        Reading::Narrow => x & 0xFFFF,
    };
    let x = replacement.unwrap_or_else(|| stages.early.apply(stages.typ, x));
    let is_undefined = stages.relu.is_undefined(stages.kind, x);
    let x = stages.relu.apply(stages.kind, x);
    let exponent = match stages.kind {
        DatumKind::Exponent8 | DatumKind::Int32 => exponent8(x),
        DatumKind::Exponent5 => exponent5(x),
        DatumKind::Int16 => x & 0xFF,
        DatumKind::Int8 => 0,
    };
    let x = stages.threshold.map_or(x, |threshold| threshold.apply(x));
    let is_undefined = is_undefined || stages.late.is_undefined(x);
    (stages.late.apply(x), exponent, is_undefined)
}

#[test]
fn conversions_equal_the_specification() {
    let mut numbers = Numbers::new(1);
    for _ in 0..rounds() {
        let stages = stages(&mut numbers);
        let rows = numbers.rows();
        let columns: [u16; 4] = std::array::from_fn(|_| numbers.next() as u16);
        let kept = (numbers.next() % 2 == 0).then_some(Kept {
            columns: &columns,
            replacement: 0xFF80_0000,
        });
        let is_wide = matches!(stages.reading, Reading::Wide | Reading::WideHigh);
        let low = rows.map(|row| row.map(|x| x as u16));
        let high = match is_wide {
            true => rows.map(|row| row.map(|x| (x >> 16) as u16)),
            false => low,
        };
        let mut expected = rows;
        let mut found = Found {
            greatest: 0,
            is_undefined: false,
        };
        for (row, columns) in expected.iter_mut().zip(columns) {
            for (column, x) in row.iter_mut().enumerate() {
                let is_kept = kept.is_none() || columns >> column & 1 != 0;
                let replacement = (!is_kept).then_some(0xFF80_0000);
                let (result, exponent, is_undefined) = specified(&stages, replacement, *x);
                *x = result;
                found.greatest = found.greatest.max(exponent);
                found.is_undefined |= is_undefined;
            }
        }
        for level in Level::all() {
            let mut converted = rows;
            let result = convert(level, &stages, kept, (&high, &low), &mut converted);
            assert_eq!(result, found, "{stages:?} {level:?}");
            assert_eq!(converted, expected, "{stages:?} {level:?}");
        }
    }
}

#[test]
fn blocks_equal_the_specification() {
    let mut numbers = Numbers::new(2);
    for _ in 0..rounds() {
        let mut rows = numbers.rows();
        let near = numbers.next() % 2 == 0;
        for x in rows.as_flattened_mut() {
            *x = if near {
                *x >> 16 & 0x87FF | 0x3800
            } else {
                *x >> 16
            };
        }
        for bits in [8, 4, 2] {
            let size = 2 * bits as usize;
            let (mut bytes, mut exponents) = (vec![], vec![]);
            for row in &rows {
                let block = Block::from_datums(row.map(|x| x as u16), bits);
                bytes.extend_from_slice(&block.bytes(bits)[..size]);
                exponents.push(block.exponent);
            }
            for level in Level::all() {
                let mut results = (vec![0; 4 * size], vec![0; 4]);
                blocks(level, bits, &rows, &mut results.0, &mut results.1);
                assert_eq!(
                    results,
                    (bytes.clone(), exponents.clone()),
                    "{bits} {level:?}"
                );
            }
        }
    }
}

#[test]
fn datums_are_stored_in_order() {
    let rows = Numbers::new(3).rows();
    for width in [4, 2, 1] {
        let datums = rows.as_flattened().iter();
        let expected: Vec<u8> = datums
            .flat_map(|x| x.to_le_bytes()[..width].to_vec())
            .collect();
        for level in Level::all() {
            let mut bytes = vec![0; 4 * COLUMNS * width];
            store(level, width, &rows, &mut bytes);
            assert_eq!(bytes, expected, "{width} {level:?}");
        }
    }
}

#[test]
fn sums_equal_the_specification() {
    let mut numbers = Numbers::new(4);
    for round in 0..rounds() {
        let [stored, datums] = [(); 2].map(|()| numbers.rows());
        // Also without special values, which take another way.
        let plain = |rows: [Row; 4], format| match format {
            _ if round % 2 == 0 => rows,
            Addend::Fp32 => rows,
            Addend::Bf16 => rows.map(|row| row.map(|x| x & 0xBFFF_BFFF)),
            Addend::Fp16 => rows.map(|row| row.map(|x| x & 0xEFFF_EFFF)),
        };
        for format in [Addend::Fp32, Addend::Bf16, Addend::Fp16] {
            let bytes = |rows| -> Vec<u8> {
                let rows: [Row; 4] = plain(rows, format);
                rows.as_flattened()
                    .iter()
                    .flat_map(|x| x.to_le_bytes())
                    .collect()
            };
            let (stored, datums) = (bytes(stored), bytes(datums));
            let half = |of: &[u8]| u16::from_le_bytes([of[0], of[1]]);
            let word = |of: &[u8]| u32::from_le_bytes([of[0], of[1], of[2], of[3]]);
            let halves = |sum: fn(u16, u16) -> u16| -> Vec<u8> {
                let pairs = stored.chunks(2).zip(datums.chunks(2));
                pairs
                    .flat_map(|(a, b)| sum(half(a), half(b)).to_le_bytes())
                    .collect()
            };
            let expected: Vec<u8> = match format {
                Addend::Fp32 => (stored.chunks(4).zip(datums.chunks(4)))
                    .flat_map(|(a, b)| accumulate::fp32(word(a), word(b)).to_le_bytes())
                    .collect(),
                Addend::Bf16 => halves(accumulate::bf16),
                Addend::Fp16 => halves(accumulate::fp16),
            };
            let rows: Vec<Row> = match format {
                Addend::Fp32 => (datums.chunks(64))
                    .map(|row| std::array::from_fn(|k| word(&row[4 * k..])))
                    .collect(),
                _ => (datums.chunks(32))
                    .map(|row| std::array::from_fn(|k| half(&row[2 * k..]).into()))
                    .collect(),
            };
            for level in Level::all() {
                let mut sums = stored.clone();
                add(level, format, &rows, &mut sums);
                assert_eq!(sums, expected, "{format:?} {level:?}");
            }
        }
    }
}
