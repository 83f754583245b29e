//! Tests of single instructions.

mod chips;
mod compressed;
mod conversion;
mod dst;
mod modes;
mod random;

use tessera_isa_tensix::cfg;

use crate::arith::spec::bits::src_from_bf16;
use crate::state::adc::{Axis, Channel};
use crate::state::banks::{Client, Src};
use crate::testing::{Bench, THREAD};

use super::testing::datums;

/// Returns the address of tile `n`.
fn tile(n: u32) -> u32 {
    0x18000 + 0x800 * n
}

/// Returns datum `index` of tile `n`.
fn datum(n: u32, index: usize) -> u16 {
    (n as u16 + 1) << 12 | index as u16
}

/// Returns a bench with both unpackers configured for tiles 0 (context 0) and 1 (context 1) of four
/// in L1: whole tiles by the counters of thread 0, SrcA addressed from row 4 on.
fn bench() -> Bench {
    let mut bench = Bench::new();
    for n in 0..4 {
        let bytes: Vec<u8> = (0..1024).flat_map(|i| datum(n, i).to_le_bytes()).collect();
        bench.core.l1.write(tile(n), &bytes).unwrap();
    }
    for u in 0..2 {
        // BF16, uncompressed, rows of 256 datums, one row, four planes.
        bench.set(
            cfg::THCON_REG0_TileDescriptor.nth(u).nth(0),
            256 << 16 | 1 << 4 | 5,
        );
        bench.set(cfg::THCON_REG0_TileDescriptor.nth(u).nth(1), 4 << 16 | 1);
        bench.set(cfg::THCON_REG2_Out_data_format.nth(u), 5);
        for context in 0..2 {
            bench.set(
                cfg::THCON_REG3_Base_address.nth(u).nth(context),
                tile(context) / 16 - 1,
            );
            bench.set(cfg::THCON_REG2_Disable_zero_compress.nth(u).nth(context), 1);
        }
        bench.core.adcs[0].unpacker[u as usize][1].set(Axis::X, 1023);
    }
    for context in 0..2 {
        bench.set(cfg::THCON_REG5_Dest_address.nth(0).nth(context), 64);
        bench.set(cfg::THCON_REG5_Tile_x_dim.nth(0).nth(context), 256);
    }
    bench.set_thread(cfg::SRCA_SET_SetOvrdWithAddr, 1);
    bench
}

fn expected(n: u32, from: usize, count: usize) -> Vec<u32> {
    (from..from + count)
        .map(|i| src_from_bf16(datum(n, i)))
        .collect()
}

#[test]
fn whole_tiles_go_to_both_banks() {
    let mut bench = bench();
    bench.run(
        "ttunpacr 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1
         ttunpacr 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1
         ttunpacr 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 0, 0, 1
         ttunpacr 1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1",
    );
    for src in [Src::A, Src::B] {
        for bank in 0..2 {
            assert_eq!(
                datums(&bench, src, bank, 0, 64),
                expected(bank as u32, 0, 1024),
                "{src:?} {bank}"
            );
        }
        assert_eq!(bench.core.banks.owner(src, 0), Client::MatrixUnit);
    }
    assert_eq!(bench.core.banks.owner(Src::A, 1), Client::MatrixUnit);
    assert_eq!(
        bench.core.banks.owner(Src::B, 1),
        Client::Unpackers,
        "without set_dat_valid"
    );
    assert_eq!(bench.core.banks.unpacker_bank(Src::B), 1);
}

#[test]
fn the_context_counter_alternates() {
    let mut bench = bench();
    bench.set(cfg::THCON_REG2_Context_count.nth(0), 1);
    for context in [0, 1, 0] {
        assert_eq!(bench.core.context_counter[0][THREAD], context);
        bench.run("ttunpacr 0, 0, 0, 7, 0, 1, 0, 0, 0, 1, 0, 0, 1");
        assert_eq!(datums(&bench, Src::A, 0, 0, 64), expected(context, 0, 1024));
    }
    // An offset is added to the number, and the counter goes on from there.
    bench.core.context_counter[0][THREAD] = 0;
    bench.set_thread(cfg::UNPACK_MISC_CFG_CfgContextOffset.nth(0), 1);
    bench.run("ttunpacr 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1");
    assert_eq!(datums(&bench, Src::A, 0, 0, 64), expected(1, 0, 1024));
    assert_eq!(bench.core.context_counter[0][THREAD], 0);
}

#[test]
fn counters_select_parts_of_a_tile() {
    let mut bench = bench();
    // A face at a time: X spans 256 datums, Z steps through the planes, the output through rows of
    // 16.
    for thread in [0, THREAD] {
        bench.core.adcs[thread].unpacker[1][1].set(Axis::X, 255);
    }
    bench.set(cfg::UNP_ADDR_CTRL_Zstride.nth(1).nth(1), 16 * 16 * 2);
    for _ in 0..4 {
        bench.run("ttunpacr 1, 17, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1");
    }
    assert_eq!(datums(&bench, Src::B, 0, 0, 64), expected(0, 0, 1024));
    for thread in [0, THREAD] {
        let channels = bench.core.adcs[thread].unpacker[1];
        assert_eq!(
            (channels[0].get(Axis::Z), channels[1].get(Axis::Z)),
            (4, 4),
            "thread {thread}"
        );
    }
    assert_eq!(bench.core.adcs[2].unpacker[1][0].get(Axis::Z), 0);
    // All four increments, and W, which is a whole tile further on.
    bench.core.adcs[THREAD].unpacker[1][0] = Channel::new(bench.core.arch);
    bench.core.adcs[THREAD].unpacker[1][1].set(Axis::Z, 0);
    bench.core.adcs[THREAD].unpacker[1][0].set(Axis::W, 2);
    bench.run(
        "ttunpacr 1, 0b00111001, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1"
            .replace("0b00111001", "57")
            .as_str(),
    );
    assert_eq!(datums(&bench, Src::B, 0, 0, 16), expected(2, 0, 256));
    let [input, output] = bench.core.adcs[THREAD].unpacker[1];
    assert_eq!(
        [
            input.get(Axis::Z),
            input.get(Axis::Y),
            output.get(Axis::Z),
            output.get(Axis::Y)
        ],
        [1, 2, 3, 0]
    );
}

/// The address of an uncompressed row has eight bits of the counter of rows.
#[test]
fn rows_are_counted_in_eight_bits() {
    let mut bench = bench();
    for thread in [0, THREAD] {
        bench.core.adcs[thread].unpacker[1][1].set(Axis::X, 255);
        bench.core.adcs[thread].unpacker[1][0].set(Axis::Y, 256);
    }
    bench.run("ttunpacr 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1");
    assert_eq!(datums(&bench, Src::B, 0, 0, 16), expected(0, 0, 256));
}

#[test]
fn without_contexts_the_thread_has_its_own_counters() {
    let mut bench = bench();
    bench.core.adcs[THREAD].unpacker[0][0].set(Axis::X, 32);
    bench.core.adcs[THREAD].unpacker[0][1].set(Axis::X, 63);
    bench.set(cfg::THCON_REG7_Offset_address.nth(0).nth(0), 0x80);
    bench.set(cfg::UNP_ADDR_BASE.nth(0).nth(1), 6 * 32);
    bench.run("ttunpacr 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1");
    assert_eq!(datums(&bench, Src::A, 0, 2, 2), expected(1, 32, 32));
    assert!(bench.core.regs.src(Src::A).row(0, 4).is_err());
}

#[test]
fn faces_are_transposed() {
    let mut bench = bench();
    bench.set(cfg::THCON_REG2_Haloize_mode.nth(0), 1);
    bench.run("ttunpacr 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1");
    let rows = bench.core.regs.src(Src::A).rows(0, 0, 64).unwrap();
    for (row, column) in [(0, 0), (3, 15), (16, 1), (63, 8)] {
        let (face, r) = (row / 16, row % 16);
        assert_eq!(
            rows[row][column],
            src_from_bf16(datum(0, 256 * face + 16 * column + r))
        );
    }
}

#[test]
fn zeros_instead_of_datums() {
    let mut bench = bench();
    bench.run("ttunpacr 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1");
    assert_eq!(datums(&bench, Src::B, 0, 0, 64), [0; 1024]);
    // Datums that are read and discarded need not have been written.
    bench.set(cfg::THCON_REG3_Base_address.nth(1).nth(0), tile(4) / 16 - 1);
    bench.run("ttunpacr 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1");
    assert_eq!(datums(&bench, Src::B, 0, 0, 64), [0; 1024]);
}

#[test]
fn the_unpackers_own_row_counter() {
    let mut bench = bench();
    bench.set_thread(cfg::SRCA_SET_SetOvrdWithAddr, 0);
    bench.set_thread(cfg::SRCA_SET_Base, 1);
    bench.set(cfg::THCON_REG2_Unpack_Src_Reg_Set_Upd.nth(0), 1);
    bench.core.adcs[0].unpacker[0][1].set(Axis::X, 255);
    bench.run(
        "ttunpacr 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1\n ttunpacr 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, \
         0, 0, 1",
    );
    assert_eq!(datums(&bench, Src::A, 0, 0, 16), expected(0, 0, 256));
    assert_eq!(datums(&bench, Src::A, 0, 32, 16), expected(1, 0, 256));
    assert_eq!(
        bench.core.banks.src_row[0][THREAD], 0,
        "16 and the base, twice, is 64, and wraps"
    );
    bench.run("ttunpacr 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1");
    assert_eq!(
        bench.core.banks.src_row[0][THREAD], 16,
        "a handover restarts at the base"
    );
    // SrcB always adds its counter.
    bench.core.banks.src_row[1][THREAD] = 40;
    bench.core.adcs[0].unpacker[1][1].set(Axis::X, 255);
    bench.run("ttunpacr 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1");
    assert_eq!(datums(&bench, Src::B, 0, 40, 16), expected(0, 0, 256));
}

#[test]
fn unpacr_nop_clears_and_hands_over() {
    for (text, src, value) in [
        ("ttunpacr_nop 0, 1", Src::A, 0),
        ("ttunpacr_nop 0, 0x11", Src::A, 0),
        ("ttunpacr_nop 0, 5", Src::A, 0x7_FFFF),
        ("ttunpacr_nop 0, 0x15", Src::A, 0x7_FFFF),
        ("ttunpacr_nop 1, 1", Src::B, 0),
        ("ttunpacr_nop 1, 5", Src::B, 0),
        ("ttunpacr_nop 0, 0xd", Src::A, 0x7_FFFF),
        ("ttunpacr_nop 1, 0x19", Src::B, 0),
    ] {
        let mut bench = bench();
        bench.run(text);
        assert_eq!(datums(&bench, src, 0, 0, 64), [value; 1024], "{text}");
        let both = text.ends_with("0xd") || text.ends_with("0x19");
        let other = bench.core.regs.src(src).rows(1, 0, 64);
        assert_eq!(
            other.is_ok_and(|rows| rows == [[value; 16]; 64]),
            both,
            "{text}"
        );
        assert_eq!(bench.core.banks.owner(src, 0), Client::Unpackers);
    }
    let mut bench = bench();
    bench.run("ttunpacr_nop 1, 2\n ttunpacr_nop 1, 7");
    assert_eq!(
        (
            bench.core.banks.owner(Src::B, 0),
            bench.core.banks.unpacker_bank(Src::B)
        ),
        (Client::MatrixUnit, 1)
    );
    assert_eq!(bench.core.banks.owner(Src::A, 0), Client::Unpackers);
}

/// A change of the configuration, an instruction, the message.
type Refusal = (fn(&mut Bench), &'static str, &'static str);

const A: &str = "ttunpacr 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1";
const B: &str = "ttunpacr 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1";

#[test]
fn refused_configurations() {
    use cfg::*;
    let rows: &[Refusal] = &[
        (
            |b| b.set(THCON_REG2_Haloize_mode.nth(1), 1),
            B,
            "not modelled: transposing in unpacker 1, which cannot; clear its Haloize_mode",
        ),
        (
            |b| {
                b.set(THCON_REG0_TileDescriptor.nth(1).nth(0), 256 << 16 | 1 << 4);
                b.set(THCON_REG2_Out_data_format.nth(1), 0);
            },
            B,
            "undefined behaviour: unpacking FP32 to FP32 in SrcB, which is too narrow; unpack to \
             TF32, or to Dst",
        ),
        (
            |b| b.set(THCON_REG0_TileDescriptor.nth(1).nth(0), 256 << 16 | 1 << 4 | 12),
            B,
            "undefined behaviour: unpacking format 12 to BF16; codes 12 and 13 name no format",
        ),
        (
            |b| {
                b.set(THCON_REG0_TileDescriptor.nth(0).nth(0), 256 << 16 | 1 << 4 | 8);
                b.set(THCON_REG2_Out_data_format.nth(0), 8);
            },
            A,
            "undefined behaviour: unpacking INT32 to INT32 in SrcA, which is too narrow; unpack to \
             Dst",
        ),
        (
            |b| b.set(THCON_REG2_Out_data_format.nth(0), 4),
            A,
            "undefined behaviour: unpacking BF16 to TF32; set the output format to BF16, too",
        ),
        (
            |b| {
                b.set(THCON_REG0_TileDescriptor.nth(0).nth(0), 256 << 16 | 1 << 5 | 1 << 4 | 7);
                b.set(THCON_REG2_Out_data_format.nth(0), 7);
            },
            A,
            "undefined behaviour: unpacking BFP4 with NoBFPExpSection; clear it, or set \
             Force_shared_exp",
        ),
        (
            |b| b.set(THCON_REG2_Throttle_mode.nth(1), 3),
            B,
            "undefined behaviour: Throttle_mode 3; 0 to 2 select the unpacker's speed",
        ),
        (
            |b| {
                b.set(THCON_REG2_Throttle_mode.nth(0), 2);
                b.set(THCON_REG5_Dest_address.nth(0).nth(0), 5 * 16);
                b.core.adcs[0].unpacker[0][1].set(Axis::X, 255);
            },
            A,
            "undefined behaviour: unpacking to SrcA from row 1 in bursts of 2 rows; start at a \
             multiple or lower Throttle_mode",
        ),
        (
            |b| {
                b.set(THCON_REG2_Haloize_mode.nth(0), 1);
                b.core.adcs[0].unpacker[0][0].set(Axis::X, 4);
            },
            A,
            "undefined behaviour: transposing from L1 0x18008; start at a multiple of 16",
        ),
        (
            |b| {
                b.set(THCON_REG2_Tileize_mode.nth(0), 1);
                b.core.adcs[0].unpacker[0][0].set(Axis::X, 7);
            },
            A,
            "undefined behaviour: tilizing from L1 0x1800e; start at a multiple of 16",
        ),
        (
            |b| {
                b.set(THCON_REG2_Tileize_mode.nth(0), 1);
                b.set(THCON_REG2_Upsample_rate.nth(0), 1);
            },
            A,
            "undefined behaviour: tilizing with upsampling; clear Tileize_mode",
        ),
        (
            |b| {
                b.set(THCON_REG2_Tileize_mode.nth(1), 1);
                b.set(THCON_REG0_TileDescriptor.nth(1).nth(0), 256 << 16 | 1 << 4 | 15);
                b.set(THCON_REG2_Out_data_format.nth(1), 15);
                b.set(THCON_REG2_Force_shared_exp.nth(1), 1);
            },
            B,
            "undefined behaviour: tilizing with datums of less than a byte; clear Tileize_mode",
        ),
    ];
    for (change, text, fault) in rows {
        let mut bench = bench();
        change(&mut bench);
        bench.refuses(text, fault);
    }
}

#[test]
fn refused_addresses() {
    use cfg::*;
    let rows: &[Refusal] = &[
        (
            |b| b.core.adcs[0].unpacker[0][0].set(Axis::X, 1024),
            A,
            "undefined behaviour: unpacking no datums, from 1024 up to 1024; check \
             the X counters",
        ),
        (
            |b| b.core.adcs[0].unpacker[0][0].set(Axis::X, 2048),
            A,
            "undefined behaviour: unpacking no datums, from 2048 up to 1024; check \
             the X counters",
        ),
        (
            |b| b.set(UNP_ADDR_BASE.nth(1).nth(1), 3),
            B,
            "undefined behaviour: an unpacker's output address of 3 bytes, in the middle of a \
             datum",
        ),
        (
            |b| b.set(THCON_REG5_Dest_address.nth(0).nth(0), 48),
            A,
            "not modelled: unpacking to address row 3 of SrcA; rows below 4 are dropped, add 64 \
             datums to the address",
        ),
        (
            |b| b.set(THCON_REG5_Dest_address.nth(0).nth(0), 80),
            A,
            "undefined behaviour: unpacking from row 1 to row 64 of SrcA; there are 64",
        ),
        (
            |b| b.set_thread(SRCA_SET_SetOvrdWithAddr, 0),
            A,
            "undefined behaviour: unpacking from row 0 to row 63 of SrcA; there are 16 unless \
             SRCA_SET_SetOvrdWithAddr is set",
        ),
        (
            |b| b.core.banks.src_row[1][THREAD] = 8,
            B,
            "undefined behaviour: unpacking from row 8 to row 71 of SrcB; there are 64",
        ),
        (
            |b| b.set(THCON_REG3_Base_address.nth(0).nth(0), u32::MAX),
            A,
            "undefined behaviour: unpacking from L1 address 0x1000000000; check the base address",
        ),
        (
            |b| b.set(THCON_REG3_Base_address.nth(0).nth(0), 0xFFFF),
            A,
            "undefined behaviour: reads L1 0x100000, which nothing has written",
        ),
    ];
    for (change, text, fault) in rows {
        let mut bench = bench();
        change(&mut bench);
        bench.refuses(text, fault);
    }
}

#[test]
fn refused_modes() {
    for (text, fault) in [
        (
            "ttunpacr 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0",
            "undefined behaviour: UNPACR with cfg_context_cnt_inc and other fields; clear the \
             others",
        ),
        (
            "ttunpacr 1, 4, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0",
            "undefined behaviour: UNPACR with search_cache_flush and other fields; clear the \
             others",
        ),
        ("ttunpacr 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1", "not modelled: rareb_en of UNPACR, \
             which is srcb_bcast on Blackhole"),
        ("ttunpacr 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0", "not modelled: UNPACR without `last`; \
             set it"),
        (
            "ttunpacr 1, 0, 0, 2, 0, 1, 0, 0, 0, 0, 0, 0, 1",
            "undefined behaviour: context 2 of unpacker 1, which has contexts 0 and 1",
        ),
        (
            "ttunpacr 0, 0, 0, 0, 3, 1, 0, 0, 0, 0, 0, 0, 1",
            "undefined behaviour: UNPACR with the address counters of thread 3; there are threads \
             0 to 2",
        ),
        (
            "ttunpacr_nop 0, 0x17",
            "undefined behaviour: UNPACR_NOP 0x17; 1 clears the bank, 5 sets SrcA to negative \
             infinity, either with 8 both banks, with 0x10 with UNPACR's wait, 7 hands the bank \
             over, 2 does nothing",
        ),
        (
            "ttunpacr_nop 0, 6",
            "undefined behaviour: UNPACR_NOP 0x6; 1 clears the bank, 5 sets SrcA to negative \
             infinity, either with 8 both banks, with 0x10 with UNPACR's wait, 7 hands the bank \
             over, 2 does nothing",
        ),
        (
            "ttunpacr_nop 0, 0x41",
            "undefined behaviour: UNPACR_NOP 0x41; 1 clears the bank, 5 sets SrcA to negative \
             infinity, either with 8 both banks, with 0x10 with UNPACR's wait, 7 hands the bank \
             over, 2 does nothing",
        ),
        ("ttunpacr_nop 0, 0", "not modelled: UNPACR_NOP 0x0, which clears a message of a NoC \
                               stream"),
        ("ttunpacr_nop 1, 0x50013", "not modelled: UNPACR_NOP 0x50013, which clears a message of a \
                                     NoC stream"),
        (
            "ttunpacr_nop 1, 0x40001c",
            "undefined behaviour: UNPACR_NOP 0x40001c, which stores to a register whose address it \
             is not documented how to set",
        ),
    ] {
        bench().refuses(text, fault);
    }
    let mut twice = bench();
    twice.run("ttunpacr_nop 0, 7\n ttunpacr_nop 0, 7");
    twice.refuses(
        "ttunpacr_nop 0, 7",
        "hazard: bank 0 of SrcA is handed to the matrix unit, which still has it",
    );
    twice.refuses(
        "ttunpacr_nop 0, 0x1",
        "hazard: clears bank 0 of SrcA, which the matrix unit still has; wait for it (0x10), or \
         clear one bank only",
    );
}
