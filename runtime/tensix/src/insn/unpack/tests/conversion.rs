//! Tests of every datum of every format.

use tessera_isa_tensix::cfg;
use tessera_test_support::is_long_run;

use crate::arith::spec::bits;
use crate::arith::spec::format::Format as F;
use crate::arith::{Row, COLUMNS};
use crate::insn::unpack::conversion::{Bytes, Fp8Kind};
use crate::insn::unpack::testing::{bench, code, to_dst, Random, L1, WHOLE};
use crate::state::banks::Src;
use crate::state::unpacker::{Conversion, Target};

const A: Target = Target::Src(Src::A);

/// Format in L1, output format, and whether INT8 is unsigned.
const PAIRS: [(F, F, bool); 18] = [
    (F::FP32, F::FP32, false),
    (F::FP32, F::TF32, false),
    (F::FP32, F::BF16, false),
    (F::FP32, F::FP16, false),
    (F::TF32, F::TF32, false),
    (F::INT32, F::INT32, false),
    (F::BF16, F::BF16, false),
    (F::FP16, F::FP16, false),
    (F::INT16, F::INT16, false),
    (F::FP8, F::FP8, false),
    (F::INT8, F::INT8, false),
    (F::INT8, F::INT8, true),
    (F::BFP8, F::BFP8, false),
    (F::BFP4, F::BFP4, false),
    (F::BFP2, F::BFP2, false),
    (F::BFP8A, F::BFP8A, false),
    (F::BFP4A, F::BFP4A, false),
    (F::BFP2A, F::BFP2A, false),
];

fn bytes(unsigned: bool) -> Bytes {
    Bytes {
        unsigned,
        fp8: Fp8Kind::Wormhole,
    }
}

/// Returns the supported conversions to a register.
fn conversions(target: Target) -> impl Iterator<Item = Conversion> {
    PAIRS
        .into_iter()
        .filter_map(move |(input, output, unsigned)| {
            Conversion::new(target, [input, output], bytes(unsigned), false).ok()
        })
}

/// Returns 16 consecutive datums, as stored in L1.
fn row(datums: [u32; COLUMNS], bits: u32) -> Vec<u8> {
    let mut bytes = vec![0; COLUMNS * bits as usize / 8];
    for (c, datum) in datums.into_iter().enumerate() {
        let place = c * bits as usize;
        for k in 0..bits as usize {
            bytes[(place + k) / 8] |= ((datum >> k & 1) as u8) << ((place + k) % 8);
        }
    }
    bytes
}

fn check(conversion: &Conversion, datums: [u32; COLUMNS], exponent: u8) {
    let mut rows: [Row; 1] = [[0; COLUMNS]];
    let bytes = row(datums, conversion.bits);
    let done = conversion.rows(&bytes, &[exponent], &mut rows);
    let expect: Result<Vec<u32>, _> = datums
        .iter()
        .map(|&datum| conversion.datum(datum, exponent))
        .collect();
    let got = done.map(|()| rows[0].to_vec());
    assert_eq!(got, expect, "{} {datums:x?} {exponent}", conversion.input);
}

/// Converting rows gives the result of converting datums: every datum up to 16 bits, with every
/// exponent of its block.
#[test]
fn rows_are_converted_as_datums() {
    let mut counts = [0; 2];
    for (target, count) in [A, Target::Src(Src::B), Target::Dst]
        .into_iter()
        .zip([0, 0, 1])
    {
        for conversion in conversions(target).filter(|c| c.bits <= 16) {
            let exponents = if conversion.input.is_block() {
                0..=255
            } else {
                0..=0
            };
            for exponent in exponents {
                for first in (0..1 << conversion.bits).step_by(COLUMNS) {
                    let mask = (1 << conversion.bits) - 1;
                    let datums = std::array::from_fn(|c| (first + c as u32) & mask);
                    check(&conversion, datums, exponent);
                }
            }
            counts[count] += 1;
        }
    }
    assert_eq!(counts, [2 * 12, 12]);
}

/// If one datum of a row is undefined, the row is refused.
#[test]
fn a_row_is_refused_for_one_datum() {
    for input in [F::BFP8A, F::BFP4A, F::BFP2A] {
        let conversion = Conversion::new(A, [input; 2], bytes(false), false).unwrap();
        let ones = [1; COLUMNS];
        for column in 0..COLUMNS {
            for exponent in [32, 40, 255, 3] {
                let mut datums = [0; COLUMNS];
                check(&conversion, datums, exponent);
                datums[column] = 1;
                check(&conversion, datums, exponent);
            }
        }
        check(&conversion, ones, 6);
    }
    let bfp2 = Conversion::new(A, [F::BFP2A; 2], bytes(false), false).unwrap();
    assert_eq!(
        bfp2.datum(1, 32).unwrap_err().to_string(),
        "undefined behaviour: unpacking BFP2a with an exponent that is not within 0 to 31 once the \
         magnitude is normal; FP16 has 5 bits for it"
    );
}

/// 32-bit datums: every combination of the upper 19 bits, which Src keeps; in long tests every
/// datum.
#[test]
fn wide_datums() {
    const TILE: usize = 64 * COLUMNS;
    let mut random = Random(3);
    let (count, step) = if is_long_run() {
        (1 << 32, 1)
    } else {
        (1 << 32, 1 << 13)
    };
    for target in [A, Target::Dst] {
        for conversion in conversions(target).filter(|c| c.bits == 32) {
            for first in (0u64..count).step_by(TILE * step) {
                let datums: [u32; TILE] = std::array::from_fn(|k| {
                    (first + (k * step) as u64) as u32 | random.next() & (step as u32 - 1)
                });
                let bytes: Vec<u8> = datums.iter().flat_map(|x| x.to_le_bytes()).collect();
                let mut rows = [[0; COLUMNS]; 64];
                conversion.rows(&bytes, &[0; 64], &mut rows).unwrap();
                for (&datum, &got) in datums.iter().zip(rows.as_flattened()) {
                    let expect = conversion.datum(datum, 0);
                    assert_eq!(Ok(got), expect, "{} {datum:#x}", conversion.input);
                }
            }
        }
    }
}

/// Bits in L1 (and an exponent), formats, what Src gets, what Dst gets. Written out from the
/// layouts in the documentation.
#[test]
fn datums_in_registers() {
    let rows: &[(u32, u8, (F, F), Option<u32>, u32)] = &[
        (0xC049_0FDB, 0, (F::FP32, F::FP32), None, 0xC980_0FDB),
        (
            0xC049_0FDB,
            0,
            (F::FP32, F::TF32),
            Some(0x64880),
            0xC980_0FDB,
        ),
        (0xC049_0FDB, 0, (F::FP32, F::BF16), Some(0x64880), 0xC980),
        (0xC049_1FDB, 0, (F::FP32, F::FP16), Some(0x64810), 0xC910),
        (
            0x8000_0001,
            0,
            (F::FP32, F::TF32),
            Some(0x40000),
            0x8000_0001,
        ),
        (0x807F_FFFF, 0, (F::FP32, F::BF16), Some(0x40000), 0x8000),
        (0x7FFF_FFFF, 0, (F::FP32, F::FP16), Some(0x3FF1F), 0x7FFF),
        (
            0x3F80_1FFF,
            0,
            (F::FP32, F::TF32),
            Some(0x0007F),
            0x007F_1FFF,
        ),
        (0x1234_5678, 0, (F::TF32, F::TF32), None, 0x3424_5678),
        (0x8000_0007, 0, (F::INT32, F::INT32), None, 0x8000_0007),
        (0x3F81, 0, (F::BF16, F::BF16), Some(0x0087F), 0x017F),
        (0x3C01, 0, (F::FP16, F::FP16), Some(0x0010F), 0x002F),
        (0xABCD, 0, (F::INT16, F::INT16), Some(0x558CD), 0xABCD),
        (0x3C, 0, (F::FP8, F::FP8), Some(0x0000F), 0x000F),
        (0x85, 0, (F::INT8, F::INT8), Some(0x40510), 0x80B0),
        (0x80, 0, (F::INT8, F::INT8), Some(0x40000), 0x8000),
        (0x40, 127, (F::BFP8, F::BFP8), Some(0x0007F), 0x007F),
        (0x80, 127, (F::BFP8, F::BFP8), Some(0x400FF), 0x80FF),
        (0x4, 127, (F::BFP4, F::BFP4), Some(0x0007F), 0x007F),
        (0xF, 127, (F::BFP4, F::BFP4), Some(0x7007F), 0xE07F),
        (0x1, 127, (F::BFP2, F::BFP2), Some(0x0007F), 0x007F),
        (0x60, 15, (F::BFP8A, F::BFP8A), Some(0x2000F), 0x400F),
        (0x8, 15, (F::BFP4A, F::BFP4A), Some(0x4001F), 0x801F),
        (0x3, 15, (F::BFP2A, F::BFP2A), Some(0x4000F), 0x800F),
    ];
    for &(datum, exponent, (input, output), in_src, in_dst) in rows {
        let get = |target| {
            let conversion = Conversion::new(target, [input, output], bytes(false), false).ok()?;
            Some(conversion.datum(datum, exponent).unwrap())
        };
        let what = format!("{datum:#x} {input} {output}");
        assert_eq!(get(A), in_src, "{what}: {:x?}", get(A));
        assert_eq!(
            get(Target::Dst),
            Some(in_dst),
            "{what}: {:x?}",
            get(Target::Dst)
        );
    }
    let unsigned = Conversion::new(A, [F::INT8; 2], bytes(true), false).unwrap();
    assert_eq!(unsigned.datum(0x85, 0), Ok(0x8510));
}

/// The conversion selected by formats per context, the sign of INT8, forced exponents and exponent
/// sections.
#[test]
fn configuration_chooses_the_conversion() {
    let int8 = |x: u16| bits::src_from_fp16(x);
    let bf16 = |x: u16| bits::src_from_bf16(x);
    for u in 0..2 {
        let src = [Src::A, Src::B][u];
        let family = u as u32;
        for (input, change, expect) in [
            (F::INT8, None, int8(0xC003)),
            (
                F::INT8,
                Some((cfg::ALU_FORMAT_SPEC_REG0_SrcAUnsigned, 1)),
                [int8(0x4083), int8(0xC003)][u],
            ),
            (
                F::INT8,
                Some((cfg::ALU_FORMAT_SPEC_REG0_SrcBUnsigned, 1)),
                [int8(0xC003), int8(0x4083)][u],
            ),
            // -3/64, the exponents before the datums
            (F::BFP8, None, bf16(0xBD40)),
            // -3/64 * 2, all datums from the beginning on
            (
                F::BFP8,
                Some((cfg::THCON_REG2_Force_shared_exp.nth(family), 1)),
                bf16(0xBDC0),
            ),
        ] {
            let mut bench = bench(input, input);
            let exponents = if input == F::BFP8 && change.is_none() {
                64
            } else {
                0
            };
            bench
                .core
                .l1
                .write(L1, &vec![127; exponents as usize])
                .unwrap();
            bench.core.l1.write(L1 + exponents, &[0x83; 1024]).unwrap();
            bench.set(cfg::UNP_FORCED_SHARED_EXP.nth(family), 128);
            if let Some((field, value)) = change {
                bench.set(field, value);
            }
            bench.run(WHOLE[u]);
            assert_eq!(
                crate::insn::unpack::testing::src(&bench, src, 0, 64),
                [expect; 1024],
                "{input} {change:?}"
            );
        }
    }
    // Contexts 3 and 7 have formats of their own; the others use that of the tile.
    for (context, hi) in [(3, false), (7, true)] {
        let mut bench = bench(F::FP32, F::TF32);
        bench.core.l1.write(L1, &[0x12; 4096]).unwrap();
        bench.set(cfg::THCON_REG2_Ovrd_data_format.nth(0), 1);
        for k in 0..4 {
            let [input, output] = if hi {
                [
                    cfg::THCON_REG7_Unpack_data_format_hi,
                    cfg::THCON_REG7_Unpack_out_data_format_hi,
                ]
            } else {
                [
                    cfg::THCON_REG7_Unpack_data_format,
                    cfg::THCON_REG7_Unpack_out_data_format,
                ]
            };
            let format = code(if k == 3 { F::INT16 } else { F::BF16 });
            bench.set(input.nth(0).nth(k), format);
            bench.set(output.nth(0).nth(k), format);
        }
        bench.run(&format!(
            "ttunpacr 0, 0, 0, {context}, 0, 1, 0, 0, 0, 0, 0, 0, 1"
        ));
        let int16 = 0x1200 << 3 | 0x12;
        assert_eq!(
            crate::insn::unpack::testing::src(&bench, Src::A, 0, 64),
            [int16; 1024]
        );
        // Without contexts there is no override.
        bench.core.adcs[1] = bench.core.adcs[0];
        bench.set(cfg::UNP_ADDR_BASE.nth(0).nth(1), 256);
        bench.run("ttunpacr 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1");
        let tf32 = bits::src_from_tf32(0x1212_1212 >> 13);
        assert_eq!(
            crate::insn::unpack::testing::src(&bench, Src::A, 0, 64),
            [tf32; 1024]
        );
    }
}

/// As tt-llk leads the unpacker back from Dst to SrcA.
#[test]
fn zeros_may_be_too_wide() {
    for format in [F::FP32, F::TF32, F::INT32] {
        for u in 0..2 {
            let mut bench = bench(format, format);
            bench.core.l1.write(L1, &[1; 4096]).unwrap();
            let text = WHOLE[u].replace("1, 0, 0, 0, 0, 0, 0, 1", "1, 0, 0, 1, 0, 0, 0, 1");
            bench.run(&text);
            assert_eq!(
                crate::insn::unpack::testing::src(&bench, [Src::A, Src::B][u], 0, 64),
                [0; 1024]
            );
            assert!(bench.try_run(WHOLE[u]).is_err());
        }
    }
}

/// 16-bit datums to Dst: rows of 16 bits, at addresses of their width.
#[test]
fn narrow_datums_go_to_narrow_rows() {
    let mut random = Random(9);
    for conversion in conversions(Target::Dst).filter(|c| !c.wide && c.bits == 16) {
        let format = conversion.input;
        let mut bench = bench(format, format);
        to_dst(&mut bench);
        let bytes = random.bytes(2048);
        bench.core.l1.write(L1, &bytes).unwrap();
        bench.set(cfg::UNP_ADDR_BASE.nth(0).nth(1), 32 * 5);
        bench.run(WHOLE[0]);
        for (r, row) in bytes.chunks(32).enumerate() {
            let expect: Vec<u16> = row
                .chunks(2)
                .map(|x| {
                    let datum = u32::from(x[0]) | u32::from(x[1]) << 8;
                    conversion.datum(datum, 0).unwrap() as u16
                })
                .collect();
            assert_eq!(
                bench.core.regs.dst.row16(5 + r).unwrap()[..],
                expect[..],
                "{format} {r}"
            );
        }
        assert!(!bench.core.regs.dst.holds(4, false) && !bench.core.regs.dst.holds(69, false));
    }
}
