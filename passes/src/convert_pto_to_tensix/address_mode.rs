//! Address modes of the matrix unit: how the row counters advance from one instruction to the next.
//!
//! An instruction names one of four entries; a fifth to eighth are reached while the extra bit is set, which an
//! entry itself can set or clear (`RWCs.md`). The rows of Dst are immediates of the instructions, so entries move
//! SrcA and SrcB only. Counters are six bits wide; differences wrap.

use tessera_isa_tensix::cfg;

use super::thread::Thread;

/// What an entry does to the row counters.
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
    /// What becomes of the extra bit: left alone, set or cleared.
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
    /// An entry that moves the Src rows.
    pub const fn advance(srca: i32, srcb: i32) -> Self {
        AddressMode {
            srca,
            srcb,
            dst: 0,
            next_phase: false,
            extra: Extra::Keep,
        }
    }

    /// Writes the entry's three words.
    fn write(self, t: &mut Thread, entry: u32) {
        let next = u32::from(self.next_phase);
        let rows = |difference: i32, all: i32| difference.rem_euclid(all) as u32;
        let ab = cfg::ADDR_MOD_AB_SrcAIncr.at(entry);
        t.configure_thread(
            ab,
            ab.put(rows(self.srca, 64))
                | cfg::ADDR_MOD_AB_SrcBIncr.at(entry).put(rows(self.srcb, 64))
                | cfg::ADDR_MOD_AB_SrcAClear.at(entry).put(next)
                | cfg::ADDR_MOD_AB_SrcBClear.at(entry).put(next),
        );
        let dst = cfg::ADDR_MOD_DST_DestIncr.at(entry);
        t.configure_thread(
            dst,
            dst.put(rows(self.dst, 1024)) | cfg::ADDR_MOD_DST_FidelityIncr.at(entry).put(next),
        );
        let bias = cfg::ADDR_MOD_BIAS_BiasIncr.at(entry);
        t.configure_thread(
            bias,
            match self.extra {
                Extra::Keep => 0,
                Extra::Set => bias.put(1),
                Extra::Clear => cfg::ADDR_MOD_BIAS_BiasClear.at(entry).put(1),
            },
        );
    }
}

/// The eight entries as the thread has set them so far.
#[derive(Default)]
pub struct AddressModes {
    current: [Option<AddressMode>; 8],
}

impl AddressModes {
    /// Sets the entries that differ from what is wanted, from entry 0 on.
    pub fn install(&mut self, t: &mut Thread, wanted: &[AddressMode]) {
        for (entry, mode) in wanted.iter().enumerate() {
            if self.current[entry].replace(*mode) != Some(*mode) {
                mode.write(t, entry as u32);
            }
        }
    }
}
