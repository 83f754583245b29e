//! SETDMAREG from configuration and state of the packers.
//!
//! Four words are selected, and 16 to 128 bits of them are written to GPRs. Two kinds of words have
//! no documented value: the size of a tile, whose unit is unknown, and the flags of zero rows
//! without compression. Using one of these traps; the others of the same four can be used.
//!
//! Source: ISA documentation, `SETDMAREG_Special.md`. LLK's `assembly.yaml` for Blackhole names the
//! same sources for its one packer. Which of its read interfaces the results belong to is not
//! published, so they all trap there.

use tessera_isa_tensix::table::Setdmareg;
use tessera_isa_tensix::{cfg, Arch};

use super::unit::ScalarUnit;
use crate::insn::pack::{is_uncompressed, of_packer};
use crate::state::config::Config;
use crate::state::packer::Packer;
use crate::trap::Fault;

/// Four words; `None` for those without a documented value.
type Words = [Option<u32>; 4];

pub(super) fn setdmareg(
    i: &Setdmareg,
    thread: usize,
    unit: &mut ScalarUnit<'_>,
) -> Result<(), Fault> {
    if unit.arch == Arch::Blackhole {
        return Err(Fault::unmodelled(
            "SETDMAREG of the packer's results on Blackhole, which has one packer and no document \
             for them",
        ));
    }
    let (half, source) = (i.payload_sig_sel & 7, i.payload_sig_sel >> 3 & 15);
    let packers = (unit.packers, i.payload_sig_sel >> 7 & 15);
    let words = words(source, packers, thread, unit.config)?;
    let word = |k: u32| {
        words[k as usize].ok_or_else(|| {
            Fault::undefined(format!(
                "SETDMAREG of word {k} of the packers' results {source}, a tile size or zero \
                 flags, which have no documented value"
            ))
        })
    };
    let register = i.reg_index_16b >> 1;
    let gprs = &mut unit.gprs[thread];
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
        // A tile header without its reserved fields; its size and flags are in the other words.
        _ => return word(0).and(word(2)).map(|_| ()),
    }
    Ok(())
}

/// Returns the words of a source; `selected` is a mask or an index of packers.
fn words(
    source: u32,
    (packers, selected): (&[Packer; 4], u32),
    thread: usize,
    config: &Config,
) -> Result<Words, Fault> {
    let zeros = [Some(0); 4];
    Ok(match source {
        0 | 1 => [None; 4],
        2..=5 => {
            let packer = source - 2;
            let format = of_packer(cfg::THCON_PACK_Out_data_format, packer);
            let format = config.get(thread, format);
            let uncompressed = u32::from(is_uncompressed(config.view(thread), packer));
            [None, Some(format << 16 | uncompressed << 20), None, Some(0)]
        }
        6 | 7 => {
            let bins = packers[selected as usize & 3].histogram.bins()?;
            let bins = &bins[(source as usize - 6) * 16..][..16];
            let word =
                |k: usize| u32::from_le_bytes([bins[k], bins[k + 1], bins[k + 2], bins[k + 3]]);
            [0, 4, 8, 12].map(|k| Some(word(k)))
        }
        8 => [None, Some(0), Some(0), Some(0)],
        9 => [
            Some(packers[0].histogram.greatest()?.into()),
            Some(0),
            Some(0),
            Some(0),
        ],
        _ => zeros,
    })
}

#[cfg(test)]
mod tests;
