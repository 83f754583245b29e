//! The cores' side of Blackhole's automatic synchronisation: which loads and stores of the T cores
//! wait for instructions that they have pushed.
//!
//! [`crate::issue::auto_sync`] tracks which resources instructions use. Cores execute one access
//! after the other, so an instruction never waits for an earlier access. Refused: tracked accesses
//! of cores whose memory is weakly ordered. Cores B and NC are not synchronised.
//!
//! Source: ISA documentation, `BlackholeA0/TensixTile/BabyRISCV/AutoTTSync.md`.

use std::sync::LazyLock;

use tessera_isa_tensix::{cfg, Arch};

use super::core_ids::thread_of;
use crate::issue::auto_sync::{resource, Uses};
use crate::issue::coprocessor::Coprocessor;
use crate::map::{self, ConfigWord, Region};
use crate::state::config::Config;
use crate::trap::Fault;

/// Parts of a state of `Config`: those of each unpacker, and the rest.
const UNPACKERS: [u8; 2] = [1, 2];
const REST: u8 = 4;
const ALL: u8 = 7;

/// The parts to which each word of a state belongs if they are distinguished. Some follow the
/// page's list rather than what the hardware uses.
static PARTS: LazyLock<Vec<u8>> = LazyLock::new(parts);

fn parts() -> Vec<u8> {
    let mut parts = vec![REST; cfg::config_words(Arch::Blackhole)];
    let mut set = |field: cfg::ConfigField, part: u8| {
        if let Some(place) = field.place_on(Arch::Blackhole) {
            parts[place.addr32() as usize] = part;
        }
    };
    for (unpacker, &part) in (0..).zip(&UNPACKERS) {
        // Unpacker 1's last contexts and its limits belong to the rest.
        let whole = |of_first: u32, of_second: u32| [of_first, of_second][unpacker as usize];
        set(cfg::THCON_REG0_TileDescriptor.nth(unpacker).nth(0), part);
        set(cfg::THCON_REG2_Out_data_format.nth(unpacker), part);
        set(cfg::THCON_REG2_Force_shared_exp.nth(unpacker), part);
        for context in 0..whole(8, 2) {
            set(
                cfg::THCON_REG3_Base_address.nth(unpacker).nth(context),
                part,
            );
        }
        for context in 0..whole(4, 2) {
            set(
                cfg::THCON_REG7_Offset_address.nth(unpacker).nth(context),
                part,
            );
        }
        set(cfg::UNP_NOP_REG_CLR_VAL.nth(unpacker), part);
    }
    let [first, second] = UNPACKERS;
    set(cfg::THCON_REG2_Unpack_limit_address.nth(0), first);
    set(cfg::THCON_REG2_Unpack_fifo_size.nth(0), first);
    set(cfg::THCON_REG10_Unpack_limit_address.nth(0), first);
    set(cfg::THCON_REG10_Unpack_fifo_size.nth(0), first);
    for context in 0..4 {
        set(cfg::THCON_REG5_Dest_address.nth(0).nth(context), first);
        set(cfg::THCON_REG5_Tile_x_dim.nth(0).nth(context), first);
    }
    for contexts in 0..2 {
        set(cfg::UNP0_BLOBS_Y_START.nth(contexts), first);
        set(cfg::UNP_ADDR_BASE.nth(0).nth(contexts), ALL);
        set(cfg::UNP_ADDR_BASE.nth(1).nth(contexts), second);
        set(cfg::UNP_ADDR_CTRL_Xstride.nth(1).nth(contexts), second);
        set(cfg::UNP_ADDR_CTRL_Zstride.nth(1).nth(contexts), second);
    }
    set(cfg::UNP_ADDR_CTRL_Xstride.nth(0).nth(0), first);
    set(cfg::UNP_ADDR_CTRL_Zstride.nth(0).nth(0), first | second);
    set(cfg::UNP_FORCED_SHARED_EXP.nth(0), ALL);
    set(cfg::UNP_FORCED_SHARED_EXP.nth(1), second);
    parts
}

/// Returns parts for both states.
fn both(parts: u8) -> u8 {
    parts * (resource::CONFIG_0 | resource::CONFIG_1)
}

/// Returns whether a word of `ThreadConfig` holds the offset of Dst, which the page counts among
/// the unpackers' words.
fn is_offset_of_dst(word: u32) -> bool {
    let field = cfg::DEST_TARGET_REG_CFG_MATH_Offset.place_on(Arch::Blackhole);
    field.is_some_and(|place| place.addr32() == word)
}

/// Returns the resources to which a word of configuration belongs.
fn resources_of_config(word: ConfigWord, subdivided: bool) -> u8 {
    let unpackers = UNPACKERS[0] | UNPACKERS[1];
    match word {
        ConfigWord::State(state, word) if word < cfg::global_words_from(Arch::Blackhole) => {
            let parts = if subdivided {
                PARTS[word as usize]
            } else {
                ALL
            };
            match state {
                0 => parts * resource::CONFIG_0,
                _ => parts * resource::CONFIG_1,
            }
        }
        _ if !subdivided => both(ALL),
        ConfigWord::Thread(0, word) if is_offset_of_dst(word) => both(unpackers),
        _ => both(REST),
    }
}

/// Returns the tracked resources at an address.
fn resources(config: &Config, thread: usize, addr: u32) -> u8 {
    let is_set = |field| config.thread(thread, field) != 0;
    if !is_set(cfg::TENSIX_TRISC_SYNC_TrackTensixInstructions) {
        return 0;
    }
    match map::region(Arch::Blackhole, addr) {
        Region::Gprs if is_set(cfg::TENSIX_TRISC_SYNC_TrackGPR) => resource::GPRS,
        Region::Tdma if is_set(cfg::TENSIX_TRISC_SYNC_TrackTDMARegs) => resource::TDMA,
        Region::Config if is_set(cfg::TENSIX_TRISC_SYNC_TrackGlobalCfg) => {
            let word = map::config_word(Arch::Blackhole, (addr - map::CONFIG) as usize / 4);
            let subdivided = is_set(cfg::TENSIX_TRISC_SYNC_EnSubdividedCfgForUnpacr);
            word.map_or(0, |word| resources_of_config(word, subdivided))
        }
        _ => 0,
    }
}

/// Returns whether a core's access has to wait for instructions that it has pushed.
pub(super) fn waits_for_pushed(
    coprocessor: &Coprocessor,
    is_weak: bool,
    (who, addr): (usize, u32),
    stores: bool,
) -> Result<bool, Fault> {
    let core = &coprocessor.core;
    let Some(thread) = thread_of(who).filter(|_| core.arch == Arch::Blackhole) else {
        return Ok(false);
    };
    let used = resources(&core.config, thread, addr);
    if used == 0 {
        return Ok(false);
    }
    if is_weak {
        return Err(Fault::unmodelled(format!(
            "the automatic synchronisation of a core whose memory is weakly ordered ({addr:#x}); \
             run it in order"
        )));
    }
    let access = match stores {
        true => Uses {
            reads: 0,
            writes: used,
        },
        false => Uses {
            reads: used,
            writes: 0,
        },
    };
    Ok(access.conflicts(coprocessor.frontends[thread].uses()))
}

#[cfg(test)]
mod tests;
