//! Unpacking tiles of 32-bit datums: to Dst, where they are unchanged, and to Src, which drops 13
//! bits.

use proptest::prelude::*;
use tessera_isa_tensix::cfg;

use crate::arith::spec::bits::{fp32_from_dst, src_from_tf32};
use crate::state::access::RowSet;
use crate::state::adc::Axis;
use crate::state::banks::{Client, Src};
use crate::state::row32::Row32;
use crate::testing::{Bench, THREAD};

const FP32: u32 = 0;
const TF32: u32 = 4;
const BF16: u32 = 5;
const INT32: u32 = 8;

const L1: u32 = 0x18000;
/// The whole tile in context 0, and in context 1.
const CONTEXT_0: &str = "ttunpacr 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1";
const CONTEXT_1: &str = "ttunpacr 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1";

/// Returns the `OutAddr` in datums of a row of Dst: unpacker 0 counts rows from 4.
fn address(row: u32) -> u32 {
    16 * (4 + row)
}

/// Returns a bench with unpacker 0 configured for a tile at [`L1`] in both contexts: context 0 to
/// Dst from row 0 on, context 1 to SrcA.
fn bench(input: u32, output: u32) -> Bench {
    let mut bench = Bench::new();
    for u in 0..2 {
        // Uncompressed, rows of 256 datums (for unpacker 1 and without contexts), four of them to a
        // plane, one plane.
        let word = 256 << 16 | 1 << 4 | input;
        bench.set(cfg::THCON_REG0_TileDescriptor.nth(u).nth(0), word);
        bench.set(cfg::THCON_REG0_TileDescriptor.nth(u).nth(1), 1 << 16 | 4);
        bench.set(cfg::THCON_REG2_Out_data_format.nth(u), output);
        bench.core.adcs[0].unpacker[u as usize][1].set(Axis::X, 1023);
        for context in 0..2 {
            let base = cfg::THCON_REG3_Base_address.nth(u).nth(context);
            bench.set(base, L1 / 16 - 1);
            bench.set(cfg::THCON_REG2_Disable_zero_compress.nth(u).nth(context), 1);
        }
    }
    for context in 0..2 {
        bench.set(cfg::THCON_REG5_Tile_x_dim.nth(0).nth(context), 256);
        bench.set(cfg::THCON_REG5_Dest_address.nth(0).nth(context), address(0));
    }
    bench.set(cfg::THCON_REG2_Unpack_if_sel.nth(0).nth(0), 1);
    bench
}

/// Unpacking to Dst invalidates the bank of SrcA that the unpacker owns, and no other.
#[test]
fn a_bank_of_src_a_is_lost() {
    let mut bench = bench(FP32, TF32);
    put(&mut bench, &[0x3F80_0000; 1024]);
    for src in [Src::A, Src::B] {
        (0..2).for_each(|bank| bench.core.regs.src_mut(src).fill(bank, 1));
    }
    bench.run(CONTEXT_0);
    let lost = |src, bank, row| bench.core.regs.src(src).row(bank, row).is_err();
    assert!((0..64).all(|row| lost(Src::A, 0, row)));
    assert!((0..64).all(|row| !lost(Src::A, 1, row) && !lost(Src::B, 0, row)));
}

/// Returns 1024 datums: special ones first.
fn tile() -> impl Strategy<Value = Vec<u32>> {
    const SPECIAL: [u32; 12] = [
        0x0000_0000,
        0x8000_0000,
        0x0000_0001,
        0x807F_FFFF,
        0x0080_0000,
        0x7F7F_FFFF,
        0x7F80_0000,
        0xFF80_0000,
        0x7FC0_0000,
        0xFFFF_FFFF,
        0x7F80_0001,
        0x3F80_2000,
    ];
    prop::collection::vec(any::<u32>(), 1024 - SPECIAL.len())
        .prop_map(|random| [SPECIAL.to_vec(), random].concat())
}

fn put(bench: &mut Bench, tile: &[u32]) {
    let bytes: Vec<u8> = tile.iter().flat_map(|x| x.to_le_bytes()).collect();
    bench.core.l1.write(L1, &bytes).unwrap();
}

/// Returns 32-bit rows of Dst as stored in L1.
fn dst(bench: &Bench, first: u32, rows: u32) -> Vec<u32> {
    (first..first + rows)
        .flat_map(|row| bench.dst32(row as usize))
        .collect()
}

/// Returns the 16-bit rows that overlap 32-bit rows.
fn under(first: u32, rows: u32) -> RowSet {
    let mut set = RowSet::default();
    (first..first + rows).for_each(|row| set.extend(Row32::new(row as usize).halves()));
    set
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    /// One instruction for each of the eight tiles of Dst, which are four in each half. The upper
    /// half has two names.
    #[test]
    fn whole_tiles_arrive_bit_for_bit(tile in tile()) {
        for (input, output) in [(FP32, FP32), (FP32, TF32), (TF32, TF32), (INT32, INT32)] {
            let mut bench = bench(input, output);
            put(&mut bench, &tile);
            for row in (0..8).map(|n| 64 * n).chain([512, 576, 640, 704]) {
                bench.core.regs.dst = Default::default();
                bench.set(cfg::THCON_REG5_Dest_address.nth(0).nth(0), address(row));
                bench.run(CONTEXT_0);
                prop_assert_eq!(dst(&bench, row, 64), tile.clone());
                prop_assert_eq!(bench.core.access.dst_write, under(row, 64));
                let rows = (0..1024).filter(|&row| bench.core.regs.dst.holds(row, true));
                prop_assert_eq!(rows.count(), 128);
            }
            prop_assert_eq!(bench.core.banks.owner(Src::A, 0), Client::Unpackers);
        }
    }

    /// Src keeps sign, exponent and ten bits of the mantissa, of denormals and NaNs, too.
    #[test]
    fn src_gets_tf32(tile in tile()) {
        let mut bench = bench(FP32, TF32);
        bench.set_thread(cfg::SRCA_SET_SetOvrdWithAddr, 1);
        put(&mut bench, &tile);
        bench.run(CONTEXT_1);
        bench.run("ttunpacr 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1");
        let expect: Vec<u32> = tile.iter().map(|x| src_from_tf32(x >> 13)).collect();
        for src in [Src::A, Src::B] {
            let found = bench.core.regs.src(src).rows(0, 0, 64).unwrap().concat();
            prop_assert_eq!(found, expect.clone());
        }
    }

    #[test]
    fn a_16_bit_dst_gets_bf16(tile in tile()) {
        let mut bench = bench(BF16, BF16).dst_width(0);
        put(&mut bench, &tile);
        bench.set(cfg::THCON_REG5_Dest_address.nth(0).nth(0), address(960));
        bench.run(CONTEXT_0);
        let halves = tile.iter().flat_map(|&x| [x as u16, (x >> 16) as u16]);
        let halves: Vec<u16> = halves.take(1024).collect();
        let datums: Vec<u16> = (960..1024).flat_map(|row| bench.dst16(row)).collect();
        prop_assert_eq!(datums, halves);
        let rows = (0..1024).filter(|&row| bench.core.regs.dst.holds(row, false));
        prop_assert_eq!(rows.collect::<Vec<_>>(), (960..1024).collect::<Vec<_>>());
    }
}

fn counting() -> Vec<u32> {
    (0..1024).map(|n| 0x4000_0000 + n).collect()
}

/// As tt-llk does it: a face at a time, the output counter's Z in steps of a face of 4-byte datums
/// on top of the context's address, which is added for Dst whether or not `UNP_ADD_DEST_ADDR_CNTR`
/// is set.
#[test]
fn counters_step_through_faces() {
    let mut bench = bench(FP32, FP32);
    put(&mut bench, &counting());
    bench.core.adcs[0].unpacker[0][1].set(Axis::X, 255);
    bench.set(cfg::THCON_REG0_TileDescriptor.nth(0).nth(1), 4 << 16 | 1);
    bench.set(cfg::UNP_ADDR_CTRL_Zstride.nth(0).nth(1), 16 * 16 * 4);
    bench.set(cfg::THCON_REG5_Dest_address.nth(0).nth(0), address(320));
    for face in 0..4 {
        bench.run("ttunpacr 0, 17, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1");
        assert_eq!(bench.core.access.dst_write, under(320 + 16 * face, 16));
    }
    assert_eq!(dst(&bench, 320, 64), counting());
    let [input, output] = bench.core.adcs[THREAD].unpacker[0];
    assert_eq!((input.get(Axis::Z), output.get(Axis::Z)), (4, 4));
}

#[test]
fn without_contexts_the_counters_are_the_address() {
    let mut bench = bench(FP32, TF32);
    put(&mut bench, &counting());
    bench.core.adcs[THREAD].unpacker[0][0].set(Axis::X, 32);
    bench.core.adcs[THREAD].unpacker[0][1].set(Axis::X, 63);
    bench.set(cfg::THCON_REG2_Unpack_If_Sel.nth(0), 1);
    bench.set(cfg::UNP_ADDR_BASE.nth(0).nth(1), 4 * address(9));
    bench.run("ttunpacr 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1");
    assert_eq!(dst(&bench, 9, 2), counting()[32..64]);
}

#[test]
fn zeros_go_to_dst() {
    let mut bench = bench(FP32, FP32);
    bench.run("ttunpacr 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1");
    assert_eq!(dst(&bench, 0, 64), [0; 1024]);
}

/// Dst has no owner, but SrcA's bank can still be handed over, as documented.
#[test]
fn a_bank_of_src_a_is_handed_over_on_request() {
    let mut bench = bench(FP32, FP32);
    put(&mut bench, &counting());
    bench.run("ttunpacr 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1");
    assert_eq!(bench.core.banks.owner(Src::A, 0), Client::MatrixUnit);
    assert!(bench.core.regs.src(Src::A).row(0, 0).is_err());
}

/// The last UNPACR decides whether a kernel may end.
#[test]
fn unpacking_to_src_a_takes_the_choice_of_dst_back() {
    let mut bench = bench(FP32, TF32);
    put(&mut bench, &counting());
    bench.core.adcs[0].unpacker[0][1].set(Axis::X, 255);
    for (text, to_dst) in [
        (CONTEXT_0, true),
        ("ttunpacr 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1", true),
        ("ttunpacr_nop 0, 1", true),
        (CONTEXT_1, false),
        (CONTEXT_0, true),
    ] {
        bench.core.adcs[0].unpacker[1][1].set(Axis::X, 255);
        bench.run(text);
        assert_eq!(bench.core.unpacked_to_dst, to_dst, "{text}");
    }
}

#[test]
fn the_vector_unit_loads_what_was_unpacked() {
    let mut bench = bench(FP32, TF32);
    put(&mut bench, &counting());
    bench.run(CONTEXT_0);
    bench.run("sfpencc 3, 0, 10\n sfpload 0, 3, 0, 62");
    let lanes = std::array::from_fn(|lane| {
        let (row, column) = (60 + lane / 8, 1 + 2 * (lane % 8));
        fp32_from_dst(bench.core.regs.dst.row32(Row32::new(row)).unwrap()[column])
    });
    assert_eq!(bench.core.regs.vector.lreg(0), Some(&lanes));
    assert_eq!(lanes[0], 0x4000_0000 + 60 * 16 + 1);
}

#[test]
fn refusals() {
    use cfg::*;
    let rows: &[(fn(&mut Bench), &str)] = &[
        (
            |b| b.set(THCON_REG2_Out_data_format.nth(0), INT32),
            "undefined behaviour: unpacking FP32 to INT32; FP32 becomes FP32, TF32, BF16 or FP16",
        ),
        (
            |b| b.set_thread(SRCA_SET_SetOvrdWithAddr, 1),
            "undefined behaviour: unpacking to Dst while SRCA_SET_SetOvrdWithAddr is set, which \
             keeps rows within a face; clear it",
        ),
        (
            |b| b.set(THCON_REG2_Haloize_mode.nth(0), 1),
            "undefined behaviour: transposing while unpacking to Dst; clear Haloize_mode",
        ),
        (
            |b| b.set(THCON_REG2_Shift_amount.nth(0).nth(0), 1),
            "undefined behaviour: shifting 1 columns while unpacking to Dst; clear Shift_amount",
        ),
        (
            |b| b.set(THCON_REG5_Dest_address.nth(0).nth(0), 48),
            "not modelled: unpacking to address row 3 of Dst; rows below 4 wrap to its end, add 64 \
             datums to the address",
        ),
        (
            |b| b.set(THCON_REG5_Dest_address.nth(0).nth(0), address(961)),
            "not modelled: unpacking from row 961 to row 1024 of Dst, beyond its end 1024",
        ),
        (
            |b| b.set(THCON_REG5_Dest_address.nth(0).nth(0), address(1) + 8),
            "not modelled: unpacking a part of row 1 of Dst, which does not hold 32-bit datums; \
             write the whole row first",
        ),
        (
            |b| b.set(UNP_ADDR_BASE.nth(0).nth(1), 2),
            "undefined behaviour: an unpacker's output address of 2 bytes, in the middle of a \
             datum",
        ),
    ];
    for (change, fault) in rows {
        let mut bench = bench(FP32, FP32);
        put(&mut bench, &counting());
        change(&mut bench);
        bench.refuses(CONTEXT_0, fault);
    }
    // The other units find rows of the other width.
    let mut bench = bench(BF16, BF16);
    put(&mut bench, &counting());
    bench.run(CONTEXT_0);
    bench.run("sfpencc 3, 0, 10");
    bench.refuses(
        "sfpload 0, 3, 0, 0",
        "undefined behaviour: the vector unit touches Dst row 0 (of 1024), which is cleared, was \
         never written or holds datums of another width; move data there first",
    );
}
