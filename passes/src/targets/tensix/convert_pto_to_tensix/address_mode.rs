//! Address modes of the matrix unit.
//!
//! An address mode says how the row counters advance after an instruction. [`assign`] chooses the
//! table entries for a sequence of instructions by backtracking, with as few entries as possible.
//!
//! On Wormhole an instruction names one of four entries. Entries 4 to 7 are reached while an extra
//! bit is set, which an entry itself can set or clear (`RWCs.md`). On Blackhole an instruction
//! names one of eight. The matrix unit's instructions have their Dst rows as immediates, so its
//! entries move SrcA and SrcB only; those of the vector unit move Dst ([`super::vector`]). The
//! counters of SrcA and SrcB are six bits wide and wrap.

use tessera_isa_tensix::{cfg, Arch};

use super::code_builder::CodeBuilder;

/// Effect of a table entry on the row counters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AddressMode {
    /// Added to the SrcA row.
    pub srca: i32,
    /// Added to the SrcB row.
    pub srcb: i32,
    /// Added to the Dst row.
    pub dst: i32,
    /// Both Src rows become 0 instead, and the next fidelity phase begins.
    pub next_phase: bool,
    /// Effect on the extra bit.
    pub extra: Extra,
}

/// The extra bit that selects entries 4 to 7.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extra {
    /// Unchanged.
    #[default]
    Keep,
    /// From 0 to 1.
    Set,
    /// To 0.
    Clear,
}

impl AddressMode {
    /// Returns an entry that advances the SrcA and SrcB rows.
    pub const fn advance(srca: i32, srcb: i32) -> Self {
        AddressMode {
            srca,
            srcb,
            dst: 0,
            next_phase: false,
            extra: Extra::Keep,
        }
    }

    /// Emits the writes of the three configuration words of an entry.
    pub fn write(self, t: &CodeBuilder, entry: u32) {
        let next = u32::from(self.next_phase);
        let rows = |difference: i32, all: i32| difference.rem_euclid(all) as u32;
        let ab = cfg::ADDR_MOD_AB_SrcAIncr.nth(entry);
        t.configure_thread(
            ab,
            t.field_bits(ab, rows(self.srca, 64))
                | t.field_bits(cfg::ADDR_MOD_AB_SrcBIncr.nth(entry), rows(self.srcb, 64))
                | t.field_bits(cfg::ADDR_MOD_AB_SrcAClear.nth(entry), next)
                | t.field_bits(cfg::ADDR_MOD_AB_SrcBClear.nth(entry), next),
        );
        let dst = cfg::ADDR_MOD_DST_DestIncr.nth(entry);
        t.configure_thread(
            dst,
            t.field_bits(dst, rows(self.dst, 1024))
                | t.field_bits(cfg::ADDR_MOD_DST_FidelityIncr.nth(entry), next),
        );
        let bias = cfg::ADDR_MOD_BIAS_BiasIncr.nth(entry);
        t.configure_thread(
            bias,
            match self.extra {
                Extra::Keep => 0,
                Extra::Set => t.field_bits(bias, 1),
                Extra::Clear => t.field_bits(cfg::ADDR_MOD_BIAS_BiasClear.nth(entry), 1),
            },
        );
    }
}

/// Number of table entries.
const ENTRIES: usize = 8;

/// Returns whether instructions address half of the table, selected by the extra bit, or all of it.
const fn has_extra_bit(arch: Arch) -> bool {
    match arch {
        Arch::WormholeB0 => true,
        Arch::Blackhole => false,
    }
}

/// Assigns table entries to a sequence of instructions, using as few entries as possible.
/// `moves[i]` is the required movement after instruction `i`, with [`Extra::Keep`]; the effects on
/// the extra bit are chosen here. Returns the entries to set, numbered 0 to 7, and for each
/// instruction the number that it encodes, which the extra bit selects among. That bit is clear
/// before and after the sequence. Returns `None` if eight entries do not suffice.
pub fn assign(arch: Arch, moves: &[AddressMode]) -> Option<(Vec<(u32, AddressMode)>, Vec<u32>)> {
    let found = (1..=ENTRIES).find_map(|room| {
        let mut search = Search {
            moves,
            room,
            has_extra_bit: has_extra_bit(arch),
            table: [None; ENTRIES],
            named: Vec::new(),
        };
        search.search(false).then_some(search)
    });
    let Search { table, named, .. } = found?;
    let entries = (0..).zip(table);
    let modes = entries.filter_map(|(entry, mode)| Some((entry, mode?)));
    Some((modes.collect(), named))
}

/// Backtracking search: extends `table` and `named` until all instructions have an entry.
struct Search<'m> {
    moves: &'m [AddressMode],
    /// Maximum number of entries.
    room: usize,
    has_extra_bit: bool,
    table: [Option<AddressMode>; ENTRIES],
    /// Entry number that each instruction so far encodes.
    named: Vec<u32>,
}

impl Search<'_> {
    /// Assigns the remaining instructions, given the state of the extra bit.
    fn search(&mut self, extra: bool) -> bool {
        let Some(wanted) = self.moves.get(self.named.len()) else {
            return !extra;
        };
        let nameable = if self.has_extra_bit {
            ENTRIES / 2
        } else {
            ENTRIES
        };
        let first = if extra { nameable } else { 0 };
        let used = self.table[first..][..nameable].iter().flatten().count();
        // First try existing entries with the required movement, then a new entry with each
        // possible effect on the extra bit.
        for entry in 0..used {
            let mode = self.table[first + entry].unwrap_or_default();
            if (AddressMode {
                extra: Extra::Keep,
                ..mode
            }) == *wanted
                && self.try_entry(entry, mode, extra)
            {
                return true;
            }
        }
        if used == nameable || self.table.iter().flatten().count() == self.room {
            return false;
        }
        let effects = match (self.has_extra_bit, extra) {
            (false, _) => &[Extra::Keep][..],
            (true, false) => &[Extra::Keep, Extra::Set],
            (true, true) => &[Extra::Keep, Extra::Clear],
        };
        for &effect in effects {
            let mode = AddressMode {
                extra: effect,
                ..*wanted
            };
            self.table[first + used] = Some(mode);
            if self.try_entry(used, mode, extra) {
                return true;
            }
            self.table[first + used] = None;
        }
        false
    }

    /// Lets the next instruction encode `entry`, which is `mode`, and assigns the others. Undoes
    /// that if it fails.
    fn try_entry(&mut self, entry: usize, mode: AddressMode, extra: bool) -> bool {
        self.named.push(entry as u32);
        let found = self.search(match mode.extra {
            Extra::Keep => extra,
            Extra::Set => true,
            Extra::Clear => false,
        });
        if !found {
            self.named.pop();
        }
        found
    }
}

#[cfg(test)]
mod tests;
