//! Helpers shared by the tests of the unpackers.

use tessera_isa_tensix::{cfg, Arch};

use crate::arith::spec::format::Format;
use crate::state::adc::Axis;
use crate::state::banks::Src;
use crate::testing::Bench;

/// Address of the input tile in L1.
pub(super) const L1: u32 = 0x18000;
/// For each unpacker, the instruction that unpacks the whole tile to its source, with context 0.
pub(super) const WHOLE: [&str; 2] = [
    "ttunpacr 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1",
    "ttunpacr 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1",
];

/// Returns the code of a format.
pub(super) fn code(format: Format) -> u32 {
    (0..16)
        .find(|&code| Format::from_code(code) == format)
        .unwrap()
}

/// Returns a bench for Wormhole B0 with both unpackers configured for the tile at [`L1`]: four
/// planes of one row of 256 datums, unpacked to Src. The counters of thread 0 span the whole tile.
pub(super) fn bench(input: Format, output: Format) -> Bench {
    bench_on(Arch::WormholeB0, input, output)
}

/// Returns the bench of [`bench`] for a given architecture.
pub(super) fn bench_on(arch: Arch, input: Format, output: Format) -> Bench {
    let mut bench = Bench::on(arch);
    for u in 0..2 {
        let descriptor = cfg::THCON_REG0_TileDescriptor.nth(u);
        bench.set(descriptor.nth(0), 256 << 16 | 1 << 4 | code(input));
        bench.set(descriptor.nth(1), 4 << 16 | 1);
        bench.set(cfg::THCON_REG2_Out_data_format.nth(u), code(output));
        for context in 0..8 {
            let base = cfg::THCON_REG3_Base_address.nth(u).nth(context);
            bench.set(base, L1 / 16 - 1);
        }
        for context in 0..4 {
            let [lo, hi] = [
                cfg::THCON_REG2_Disable_zero_compress,
                cfg::THCON_REG2_Disable_zero_compress_hi,
            ];
            bench.set(lo.nth(u).nth(context), 1);
            bench.set(hi.nth(u).nth(context), 1);
        }
        span(&mut bench, 0, 1023);
    }
    for context in 0..4 {
        bench.set(cfg::THCON_REG5_Dest_address.nth(0).nth(context), 64);
        bench.set(cfg::THCON_REG5_Tile_x_dim.nth(0).nth(context), 256);
    }
    bench.set_thread(cfg::SRCA_SET_SetOvrdWithAddr, 1);
    bench
}

/// Sets the first and last datum of a row, for both unpackers.
pub(super) fn span(bench: &mut Bench, first: u32, last: u32) {
    for channels in &mut bench.core.adcs[0].unpacker {
        channels[0].set(Axis::X, first);
        channels[1].set(Axis::X, last);
    }
}

/// Sends unpacker 0 to Dst.
pub(super) fn to_dst(bench: &mut Bench) {
    bench.set(cfg::THCON_REG2_Unpack_if_sel.nth(0).nth(0), 1);
    bench.set_thread(cfg::SRCA_SET_SetOvrdWithAddr, 0);
}

/// Returns the datums of rows of the bank that the unpacker has.
pub(super) fn src(bench: &Bench, src: Src, first: usize, rows: usize) -> Vec<u32> {
    let bank = bench.core.banks.unpacker_bank(src);
    datums(bench, src, bank, first, rows)
}

/// Returns the datums of rows of a bank.
pub(super) fn datums(bench: &Bench, src: Src, bank: usize, first: usize, rows: usize) -> Vec<u32> {
    let rows = bench.core.regs.src(src).rows(bank, first, rows);
    rows.unwrap().concat()
}

/// Bits that look random.
pub(crate) struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u32 {
        self.0 = self
            .0
            .wrapping_mul(0x5851_F42D_4C95_7F2D)
            .wrapping_add(0x1405_7B7E_F767_814F);
        (self.0 >> 32) as u32 ^ (self.0 >> 61) as u32
    }

    pub fn below(&mut self, limit: u32) -> u32 {
        ((u64::from(self.next()) * u64::from(limit)) >> 32) as u32
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u32) as usize]
    }

    /// Returns bytes, among which zeros and those with all bits set are not rare.
    pub fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len)
            .map(|_| match self.below(16) {
                0 => 0,
                1 => 0xFF,
                2 => 0x80,
                _ => self.next() as u8,
            })
            .collect()
    }
}
