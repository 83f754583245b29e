//! Differences on Blackhole.

use tessera_isa_tensix::{cfg, Arch};

use crate::arith::spec::bits;
use crate::arith::spec::format::Format as F;
use crate::insn::unpack::testing::{bench_on, datums, span, src, L1, WHOLE};
use crate::state::adc::Axis;
use crate::state::banks::{Client, Src};
use crate::testing::{Bench, THREAD};

fn bench(input: F, output: F) -> Bench {
    bench_on(Arch::Blackhole, input, output)
}

/// Returns bytes of 16-bit datums that count up from `first`.
fn counting(first: u16, count: u16) -> Vec<u8> {
    (first..first + count).flat_map(u16::to_le_bytes).collect()
}

#[test]
fn fp8_has_two_kinds() {
    for (four_bits, expected) in [(0, [0x3800, 0x7FFF, 0x0500]), (1, [0x3C00, 0x5FFF, 0x0280])] {
        let mut bench = bench(F::FP8, F::FP8);
        let line: [u8; 16] = std::array::from_fn(|k| [0x38, 0x7F, 0x05][k % 3]);
        bench.core.l1.write(L1, &line).unwrap();
        bench.set(cfg::THCON_REG1_Unp_LF8_4b_exp.nth(1), four_bits);
        span(&mut bench, 0, 15);
        bench.run(WHOLE[1]);
        let found = src(&bench, Src::B, 0, 1);
        assert_eq!(found[..3], expected.map(bits::src_from_fp16));
    }
}

/// While tilizing, rows of 32 datums of two bytes lie together, of bytes rows of 16.
#[test]
fn tilizing_takes_wide_rows() {
    let mut bench = bench(F::BF16, F::BF16);
    bench.core.l1.write(L1, &counting(0, 1024)).unwrap();
    bench.set(cfg::THCON_REG2_Tileize_mode.nth(0), 1);
    bench.set(cfg::THCON_REG2_Shift_amount.nth(0).nth(0), 8);
    span(&mut bench, 0, 63);
    bench.run(WHOLE[0]);
    let found = src(&bench, Src::A, 0, 4);
    let expected = (0..32).chain(64..96).map(bits::src_from_bf16);
    assert_eq!(found, expected.collect::<Vec<_>>());
}

#[test]
fn rows_of_srca_wrap() {
    let mut bench = bench(F::BF16, F::BF16);
    bench.core.l1.write(L1, &counting(0, 256)).unwrap();
    bench.set(cfg::THCON_REG5_Dest_address.nth(0).nth(0), 64 + 16 * 56);
    bench.set(cfg::THCON_REG1_ovrd_default_throttle_mode.nth(0), 1);
    span(&mut bench, 0, 255);
    bench.run(WHOLE[0]);
    assert_eq!(src(&bench, Src::A, 0, 1)[0], bits::src_from_bf16(128));
    assert_eq!(src(&bench, Src::A, 63, 1)[15], bits::src_from_bf16(127));
}

/// The generator gets eight bits of the counters of channel 0, and the output all.
#[test]
fn counters_have_thirteen_bits() {
    let mut bench = bench(F::BF16, F::BF16);
    bench.core.l1.write(L1, &counting(0, 1024)).unwrap();
    let [from, to] = &mut bench.core.adcs[THREAD].unpacker[1];
    from.set(Axis::Z, 0x102);
    from.set(Axis::W, 0x300);
    to.set(Axis::Z, 0);
    bench.core.adcs[0].unpacker[1][0].set(Axis::Y, 0x100);
    span(&mut bench, 0, 15);
    bench.run(WHOLE[1]);
    assert_eq!(src(&bench, Src::B, 0, 1)[0], bits::src_from_bf16(512));
}

#[test]
fn banks_are_handed_over_with_their_format() {
    let mut bench = bench(F::FP32, F::TF32);
    bench.core.l1.write(L1, &[0; 64]).unwrap();
    span(&mut bench, 0, 15);
    bench.run("ttunpacr 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1");
    assert_eq!(bench.core.banks.implied_format(Src::A, 0), Some(F::TF32));
    bench.set(cfg::THCON_REG2_Out_data_format.nth(1), 7);
    bench.run("ttunpacr_nop 1, 0, 0, 1, 0, 0, 0, 1, 1");
    assert_eq!(bench.core.banks.implied_format(Src::B, 0), Some(F::BFP4));
    assert_eq!(bench.core.banks.owner(Src::B, 0), Client::MatrixUnit);
    assert_eq!(datums(&bench, Src::B, 0, 0, 64), [bits::SRC_MASK; 1024]);
    bench.run("ttunpacr_nop 1, 0, 0, 0, 0, 0, 0, 0, 2\n ttunpacr_nop 0, 0, 0, 0, 0, 0, 0, 0, 1");
    assert_eq!(src(&bench, Src::A, 0, 64), [0; 1024]);
}

#[test]
fn refusals() {
    type SetUp = fn(&mut Bench);
    let words = "not modelled: UNPACR_NOP with operands that no source describes: unpack_pop = 1 \
                 clears the bank, by src_clrval_ctrl to 0 or negative infinity, and hands it over \
                 if set_dvalid is 1, unpack_pop = 2 alone does nothing";
    let rows: [(&str, SetUp, &str); 9] = [
        ("ttunpacr_nop 0, 0, 0, 0, 0, 0, 0, 0, 3", |_| (), "not modelled: UNPACR_NOP with \
             unpack_pop = 3, which clears messages of a NoC stream"),
        ("ttunpacr_nop 0, 0, 0, 0, 0, 0, 0, 2, 1", |_| (), "not modelled: UNPACR_NOP with \
             src_clrval_ctrl = 2; 0 clears to 0, 1 to negative infinity"),
        ("ttunpacr_nop 0, 0, 0, 1, 0, 0, 0, 0, 2", |_| (), words),
        ("ttunpacr_nop 0, 0, 0, 1, 3, 0, 0, 0, 1", |_| (), words),
        (
            WHOLE[0],
            |b| b.set(cfg::THCON_REG10_Unpack_limit_address_en.nth(0), 1),
            "not modelled: another buffer's end of an unpacker \
             (THCON_SEC*_REG10_Unpack_limit_address_en, word 105, is 1 and must be 0)",
        ),
        (
            WHOLE[0],
            |b| b.set(cfg::THCON_REG8_unpack_tile_offset.nth(0), 1),
            "not modelled: an unpacker's tile offset (THCON_SEC*_REG8_unpack_tile_offset, word 98, \
             is 1 and must be 0)",
        ),
        (
            "ttunpacr 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0",
            |b| b.set(cfg::THCON_REG2_Context_count_non_log2_en.nth(0), 1),
            "not modelled: numbers of contexts that are no powers of two \
             (THCON_SEC*_REG2_Context_count_non_log2_en, word 73, is 1 and must be 0)",
        ),
        (
            WHOLE[0],
            |b| b.set(cfg::THCON_REG5_Dest_address.nth(0).nth(0), 64 + 16 * 2),
            "undefined behaviour: unpacking to SrcA from row 2 in bursts of 4 rows; start at a \
             multiple or lower Throttle_mode",
        ),
        (
            WHOLE[1],
            |b| span(b, 4000, 4096),
            "undefined behaviour: unpacking up to datum 4097 of a row; an unpacker counts 4096 of \
             BF16",
        ),
    ];
    for (text, set_up, fault) in rows {
        let mut bench = bench(F::BF16, F::BF16);
        set_up(&mut bench);
        bench.refuses(text, fault);
    }
}
