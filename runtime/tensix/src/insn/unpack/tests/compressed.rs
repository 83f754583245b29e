//! Tests of compressed tiles, encoded here according to the documentation.

use tessera_isa_tensix::cfg;
use tessera_test_support::is_long_run;

use crate::arith::spec::bits::src_from_bf16;
use crate::arith::spec::format::Format as F;
use crate::insn::unpack::testing::{bench, span, src, to_dst, Random, L1, WHOLE};
use crate::state::adc::Axis;
use crate::state::banks::Src;
use crate::testing::Bench;

/// Compresses a row to its stored datums, each with the number of zeros that follow it. The first
/// and the last datum of a row are always stored.
fn compress(row: &[u32]) -> Vec<(u32, u32)> {
    let mut there: Vec<(u32, u32)> = Vec::new();
    for (k, &datum) in row.iter().enumerate() {
        match there.last_mut() {
            Some((_, zeros)) if datum == 0 && *zeros < 15 && k + 1 < row.len() => *zeros += 1,
            _ => there.push((datum, 0)),
        }
    }
    there
}

/// Encodes a tile: row starts, exponents (one for 16 stored datums), groups of 32 datums and 32
/// counts.
fn tile(rows: &[Vec<u32>], bits: usize, exponent: Option<&dyn Fn(usize) -> u8>) -> Vec<u8> {
    let rows: Vec<_> = rows.iter().map(|row| compress(row)).collect();
    let pad = |bytes: &mut Vec<u8>| bytes.resize(bytes.len().next_multiple_of(16), 0xEE);
    let mut start = 0;
    let mut bytes = 0u16.to_le_bytes().to_vec();
    for row in &rows {
        start += row.len() as u16;
        bytes.extend(start.to_le_bytes());
    }
    pad(&mut bytes);
    let there: Vec<_> = rows.concat();
    if let Some(exponent) = exponent {
        // As many as there would be without compression; a tile has 1024 datums here.
        bytes.extend((0..64).map(exponent));
    }
    for group in there.chunks(32) {
        let mut datums = vec![0u8; 32 * bits / 8];
        let mut zeros = vec![0u8; 16];
        for (k, &(datum, count)) in group.iter().enumerate() {
            let place = k * bits;
            for byte in 0..bits.div_ceil(8) {
                datums[place / 8 + byte] |= (datum << (place % 8) >> (8 * byte)) as u8;
            }
            zeros[k / 2] |= (count << (4 * (k % 2))) as u8;
        }
        bytes.extend(datums);
        bytes.extend(zeros);
    }
    bytes
}

/// Returns rows of datums most of which are zero.
fn sparse(random: &mut Random, rows: usize, columns: usize, bits: u32) -> Vec<Vec<u32>> {
    let rare = random.pick(&[2, 8, 30]);
    let mut datum = || match random.below(rare) {
        0 => random.next() >> (32 - bits),
        _ => 0,
    };
    (0..rows)
        .map(|_| (0..columns).map(|_| datum()).collect())
        .collect()
}

/// Returns a bench with both unpackers configured for a tile of rows of `columns`, four planes of
/// which have `y_dim`.
fn compressed(format: F, columns: u32, y_dim: u32) -> Bench {
    let mut bench = bench(format, format);
    for u in 0..2 {
        bench.set(cfg::THCON_REG2_Disable_zero_compress.nth(u).nth(0), 0);
        bench.set(
            cfg::THCON_REG0_TileDescriptor.nth(u).nth(1),
            4 << 16 | y_dim,
        );
        let word = cfg::THCON_REG0_TileDescriptor.nth(u).nth(0);
        bench.set(
            word,
            columns << 16 | crate::insn::unpack::testing::code(format),
        );
    }
    bench.set(cfg::THCON_REG5_Tile_x_dim.nth(0).nth(0), columns);
    span(&mut bench, 0, columns - 1);
    bench
}

fn select(bench: &mut Bench, y: u32, z: u32) {
    for adcs in &mut bench.core.adcs {
        for unpacker in &mut adcs.unpacker {
            unpacker[0].set(Axis::Y, y);
            unpacker[0].set(Axis::Z, z);
        }
    }
}

/// Unpacks every row of random tiles, whole and in parts.
#[test]
fn rows_are_expanded() {
    let mut random = Random(5);
    for _ in 0..if is_long_run() { 2000 } else { 10 } {
        let format = random.pick(&[F::BF16, F::FP16, F::INT16, F::FP8, F::INT8]);
        let bits = format.bits().unwrap();
        let columns = random.pick(&[16, 64, 256]);
        let per_plane = 1024 / columns / 4;
        let rows = sparse(&mut random, 4 * per_plane, columns, bits);
        let mut bench = compressed(format, columns as u32, per_plane as u32);
        let bytes = tile(&rows, bits as usize, None);
        bench.core.l1.write(L1, &bytes).unwrap();
        let mut plain = crate::insn::unpack::testing::bench(format, format);
        for (number, row) in rows.iter().enumerate() {
            select(
                &mut bench,
                (number % per_plane) as u32,
                (number / per_plane) as u32,
            );
            let flat: Vec<u8> = row
                .iter()
                .flat_map(|x| x.to_le_bytes().into_iter().take(bits as usize / 8))
                .collect();
            let flat = [flat, vec![0; 16]].concat();
            plain.core.l1.write(L1, &flat).unwrap();
            let (first, count) = match random.below(2) {
                0 => (0, columns),
                _ => {
                    let count = 16 * (1 + random.below(columns as u32 / 16)) as usize;
                    (random.below((columns - count) as u32 + 1) as usize, count)
                }
            };
            for bench in [&mut bench, &mut plain] {
                span(bench, first as u32, (first + count - 1) as u32);
                bench.run(WHOLE[0]);
                bench.run(WHOLE[1]);
            }
            for source in [Src::A, Src::B] {
                let [got, expect] = [&bench, &plain].map(|b| src(b, source, 0, count / 16));
                assert_eq!(got, expect, "{format} row {number} {first} {count}");
            }
        }
    }
}

/// Exponents belong to 16 stored datums, not to positions in the row.
#[test]
fn exponents_count_what_is_there() {
    let row: Vec<u32> = (0..256)
        .map(|k| if k % 3 == 0 { 0x40 } else { 0 })
        .collect();
    let rows = vec![row; 4];
    let exponent = |k: usize| 100 + k as u8;
    let bytes = tile(&rows, 8, Some(&exponent));
    let mut bench = compressed(F::BFP8, 256, 1);
    bench.core.l1.write(L1, &bytes).unwrap();
    for number in 0..4 {
        select(&mut bench, 0, number as u32);
        bench.run(WHOLE[1]);
        // 86 datums of each row are stored.
        let datum = |k: usize| match k % 3 {
            0 => src_from_bf16((100 + (86 * number + k / 3) as u16 / 16) << 7),
            _ => 0,
        };
        let got = src(&bench, Src::B, 0, 16);
        assert_eq!(got, (0..256).map(datum).collect::<Vec<_>>(), "{number}");
    }
}

/// Unpacks to Dst, and writes zeros instead of datums: as many as are stored.
#[test]
fn other_targets() {
    let rows = vec![[vec![1; 32], vec![0; 224]].concat(); 4];
    let mut bench = compressed(F::BF16, 256, 1);
    bench.core.l1.write(L1, &tile(&rows, 16, None)).unwrap();
    select(&mut bench, 0, 0);
    bench.run("ttunpacr 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1");
    // Zeros after a datum are none.
    let there = compress(&rows[0]).len();
    let file = bench.core.regs.src(Src::B);
    for row in 0..16 {
        assert_eq!(
            file.row(0, row).is_ok(),
            16 * (row + 1) <= there,
            "{row} {there}"
        );
    }
    to_dst(&mut bench);
    bench.run(WHOLE[0]);
    let row = |r| bench.dst16(r);
    assert_eq!(
        [row(0), row(1), row(2), row(15)],
        [[1; 16], [1; 16], [0; 16], [0; 16]]
    );
}

/// A row search takes the datums from the row of Y to the end of that of X; a tile of blobs has a
/// row start for each.
#[test]
fn row_search() {
    let rows: Vec<Vec<u32>> = (0..16).map(|r| vec![r + 1; 16]).collect();
    let search = "ttunpacr 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1";
    let mut bench = compressed(F::BF16, 16, 4);
    bench.core.l1.write(L1, &tile(&rows, 16, None)).unwrap();
    select(&mut bench, 1, 2);
    span(&mut bench, 2, 0);
    bench.run(search);
    assert_eq!(
        src(&bench, Src::B, 0, 2).as_slice(),
        [[src_from_bf16(10); 16], [src_from_bf16(11); 16]].concat()
    );
    // Two blobs of two rows in each of four planes.
    let rows: Vec<Vec<u32>> = (0..8).map(|r| vec![r + 1; 32]).collect();
    let mut bench = compressed(F::BF16, 16, 4);
    let word = 16 << 16 | 2 << 8 | crate::insn::unpack::testing::code(F::BF16);
    bench.set(cfg::THCON_REG0_TileDescriptor.nth(1).nth(0), word);
    bench.core.l1.write(L1, &tile(&rows, 16, None)).unwrap();
    select(&mut bench, 1, 3);
    span(&mut bench, 1, 0);
    bench.run(search);
    assert_eq!(src(&bench, Src::B, 0, 2), [src_from_bf16(8); 32]);
}

/// Row starts that an unpacker may still cache, depending on flushes and later reads.
#[test]
fn stale_row_starts() {
    let one = vec![vec![1; 256]; 4];
    let two = vec![[vec![1], vec![0; 255]].concat(); 4];
    let without = "ttunpacr 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1";
    let flush = "ttunpacr 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0";
    let flush_all = "ttunpacr 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0";
    let stale =
        "hazard: uses the row start 17 at L1 0x18002, which was 256 when the unpacker read it \
         before; flush its cache (UNPACR with search_cache_flush) after writing compressed data";
    for (first, flush, again, fresh) in [
        (without, None, without, false),
        (without, Some(flush), without, true),
        (without, Some(flush_all), without, true),
        (without, None, WHOLE[1], false),
        (without, Some(flush), WHOLE[1], true),
        (WHOLE[1], Some(flush), without, false),
        (WHOLE[1], Some(flush_all), without, true),
        (WHOLE[1], None, WHOLE[1], false),
        // Unpacker 0 has caches of its own.
        (WHOLE[1], None, WHOLE[0], true),
    ] {
        let mut bench = compressed(F::BF16, 256, 1);
        bench.core.adcs[1] = bench.core.adcs[0];
        bench.core.l1.write(L1, &tile(&one, 16, None)).unwrap();
        bench.run(first);
        bench.run(first);
        bench.core.l1.write(L1, &tile(&two, 16, None)).unwrap();
        if let Some(flush) = flush {
            bench.run(flush);
        }
        let done = bench.try_run(again);
        let expect = if fresh { Ok(()) } else { Err(stale.to_owned()) };
        assert_eq!(done, expect, "{first}, {flush:?}, {again}");
    }
}

#[test]
fn refusals() {
    let rows: &[(fn(&mut Bench), &str)] = &[
        (
            |b| span(b, 20, 19),
            "undefined behaviour: unpacking from datum 20 to datum 19 of compressed data; check \
             the X counters",
        ),
        (
            |b| b.core.l1.write(L1 + 4, &[0, 0]).unwrap(),
            "undefined behaviour: unpacking compressed data from datum 17 to its end at 0; row \
             starts must not decrease",
        ),
        (
            |b| b.set(cfg::THCON_REG2_Tileize_mode.nth(1), 1),
            "undefined behaviour: tilizing with compressed data; clear Tileize_mode",
        ),
        (
            |b| {
                b.set(cfg::THCON_REG0_TileDescriptor.nth(1).nth(0), 256 << 16 | 15);
                b.set(cfg::THCON_REG2_Out_data_format.nth(1), 15);
            },
            "undefined behaviour: unpacking compressed BFP2; compressed datums have 4 bits or more",
        ),
        (
            |b| b.set(cfg::THCON_REG3_Base_address.nth(1).nth(0), u32::MAX - 1),
            "undefined behaviour: unpacking from L1 address 0xffffffff2; check the base address",
        ),
    ];
    for (change, fault) in rows {
        let two = vec![[vec![1], vec![0; 255]].concat(); 4];
        let mut bench = compressed(F::BF16, 256, 1);
        bench.core.l1.write(L1, &tile(&two, 16, None)).unwrap();
        // Plane 1, whose row begins where the first one ends.
        select(&mut bench, 0, 1);
        change(&mut bench);
        bench.refuses(WHOLE[1], fault);
    }
}
