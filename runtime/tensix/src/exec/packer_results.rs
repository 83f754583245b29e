//! SETDMAREG from configuration and state of the packers.
//!
//! Four words are selected, and 16 to 128 bits of them go to GPRs. Words that hold the size of a
//! tile, or which of its rows are zero, have no documented value - the pages do not say in which
//! unit sizes are, nor what the flags are without compression, which is not modelled - so using one
//! traps; the others of the same four can be used.
//!
//! Source: ISA documentation, `SETDMAREG_Special.md`. LLK's `assembly.yaml` for Blackhole names the
//! same sources for its one packer, but which of its read interfaces the results are of is not
//! published, so there they all trap.

use tessera_isa_tensix::table::Setdmareg;
use tessera_isa_tensix::{cfg, Arch};

use crate::core_state::CoreState;
use crate::pack::{is_uncompressed, of_packer};
use crate::trap::Fault;

/// Four words; `None` for those without a documented value.
type Words = [Option<u32>; 4];

pub(super) fn setdmareg(i: &Setdmareg, thread: usize, core: &mut CoreState) -> Result<(), Fault> {
    if core.arch == Arch::Blackhole {
        return Err(Fault::unmodelled(
            "SETDMAREG of the packer's results on Blackhole, which has one packer and no document for them",
        ));
    }
    let (half, source) = (i.payload_sig_sel & 7, i.payload_sig_sel >> 3 & 15);
    let words = words(source, i.payload_sig_sel >> 7 & 15, thread, core)?;
    let word = |k: u32| {
        words[k as usize].ok_or_else(|| {
            Fault::undefined(format!(
                "SETDMAREG of word {k} of the packers' results {source}, a tile size or zero flags, which have no documented value"
            ))
        })
    };
    let register = i.reg_index_16b >> 1;
    let gprs = &mut core.gprs[thread];
    match i.payload_sig_sel_size {
        0 => {
            gprs.check_loaded(register)?;
            let value = word(half >> 1)? >> (16 * (half & 1));
            gprs.set_half(i.reg_index_16b, value as u16);
        }
        1 => {
            gprs.check_loaded(register)?;
            gprs.set(register, word(half >> 1)?);
        }
        2 => {
            for (register, k) in (register & 0x3C..).zip(0..4) {
                gprs.check_loaded(register)?;
                gprs.set(register, word(k)?);
            }
        }
        // A tile header but for its reserved fields; its size and flags are among the rest.
        _ => return word(0).and(word(2)).map(|_| ()),
    }
    Ok(())
}

/// The words of a source; `packers` is a mask or an index.
fn words(source: u32, packers: u32, thread: usize, core: &CoreState) -> Result<Words, Fault> {
    let zeros = [Some(0); 4];
    Ok(match source {
        0 | 1 => [None; 4],
        2..=5 => {
            let packer = source - 2;
            let format = of_packer(cfg::THCON_PACK_Out_data_format, packer);
            let format = core.config.get(thread, format);
            let uncompressed = u32::from(is_uncompressed(core, thread, packer));
            [None, Some(format << 16 | uncompressed << 20), None, Some(0)]
        }
        6 | 7 => {
            let bins = core.regs.packers[packers as usize & 3].histogram.bins()?;
            let bins = &bins[(source as usize - 6) * 16..][..16];
            let word =
                |k: usize| u32::from_le_bytes([bins[k], bins[k + 1], bins[k + 2], bins[k + 3]]);
            [0, 4, 8, 12].map(|k| Some(word(k)))
        }
        8 => [None, Some(0), Some(0), Some(0)],
        9 => [
            Some(core.regs.packers[0].histogram.greatest()?.into()),
            Some(0),
            Some(0),
            Some(0),
        ],
        _ => zeros,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numerics::packer::Kind;
    use crate::testing::{Bench, THREAD};

    /// Packer 2 has seen exponents 128 (three times), 130 and 31; it packs BFP4, uncompressed.
    fn bench() -> Bench {
        let mut bench = Bench::new();
        let datums = [0x4000_0000, 0x4000_0001, 0xC000_0000, 0x4100_0000, 31 << 23];
        for packer in [0, 2] {
            bench.core.regs.packers[packer]
                .histogram
                .update(Kind::Exponent8, &datums, true);
        }
        bench.set(of_packer(cfg::THCON_PACK_Out_data_format, 2), 7);
        bench.set(of_packer(cfg::THCON_PACK_Disable_zero_compress, 2), 1);
        (8..12).for_each(|k| bench.core.gprs[THREAD].set(k, 0xABCD_EF00 + k));
        bench
    }

    #[test]
    fn results_go_to_gprs() {
        let select = |packers: u32, source: u32, half: u32| packers << 7 | source << 3 | half;
        // Size, selection, half of a GPR; GPRs 8 to 11.
        let old = [8, 9, 10, 11].map(|k| 0xABCD_EF00 + k);
        for (size, selection, target, expect) in [
            (
                1,
                select(2, 6, 0),
                18,
                [old[0], 0x0001_0003, old[2], old[3]],
            ),
            (
                0,
                select(2, 6, 1),
                17,
                [0x0001_EF08, old[1], old[2], old[3]],
            ),
            (2, select(2, 7, 0), 18, [0, 0, 0, 0x0100_0000]),
            (1, select(0, 9, 0), 22, [old[0], old[1], old[2], 130]),
            (2, select(0, 10, 0), 16, [0; 4]),
            (
                1,
                select(0, 4, 2),
                16,
                [7 << 16 | 1 << 20, old[1], old[2], old[3]],
            ),
            (
                0,
                select(0, 4, 3),
                16,
                [0xABCD_0017, old[1], old[2], old[3]],
            ),
        ] {
            let mut bench = bench();
            let text = format!("ttsetdmareg {size}, {selection}, 1, {target}");
            bench.run(&text);
            let gprs = [8, 9, 10, 11].map(|k| bench.core.gprs[THREAD].get(k).unwrap());
            assert_eq!(gprs, expect, "{text}");
        }
    }

    #[test]
    fn refusals() {
        for (size, source, word) in [(1, 0, 0), (2, 1, 0), (1, 2, 0), (0, 8, 0), (3, 5, 0)] {
            bench().refuses(
                &format!("ttsetdmareg {size}, {}, 1, 16", source << 3),
                &format!("undefined behaviour: SETDMAREG of word {word} of the packers' results {source}, a tile size or zero flags, which have no documented value"),
            );
        }
    }
}
