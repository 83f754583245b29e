//! A lower bound of a run's cycles: for each part of a tile, its work divided by its documented
//! rate, as if nothing ever waited. The busiest part determines the bound. This is an estimate, not
//! a timing model: latencies, conflicts and handovers are ignored, and so are links of the NoC that
//! tiles share. [`dram`] gives the time of the chip's DRAM, which is not a part of a tile.
//!
//! [`Busy::rate`] gives each rate with its page of the ISA documentation. A part without a
//! documented rate on a chip has no cycles there and does not contribute to the bound.

use tessera_isa_tensix::{rows, Arch, Opcode, Unit};

use crate::issue::stats::Stats;

/// Cycles before an UNPACR begins to read.
const UNPACR: u64 = 2;

/// The rates of a chip.
struct Rates {
    /// Instructions per cycle of a T core.
    thread_core: u64,
    /// Bytes per cycle of one unpacker, and of both.
    unpacker: u64,
    unpackers: u64,
    /// Bytes per cycle of all packers, and of each NoC in one direction.
    packers: Option<u64>,
    noc: u64,
    /// Bytes per cycle of the chip's DRAM, in both directions together.
    dram: Option<u64>,
    /// Whether the configuration unit is counted.
    config: bool,
    texts: Texts,
}

/// Descriptions of the rates, with their sources.
struct Texts {
    thread: &'static str,
    unpackers: &'static str,
    vector: &'static str,
    packers: &'static str,
    noc: &'static str,
    dram: &'static str,
}

const WORMHOLE: Rates = Rates {
    thread_core: 1,
    unpacker: 64,
    unpackers: 80,
    packers: Some(64),
    noc: 32,
    dram: Some(12 * 24),
    config: false,
    texts: Texts {
        thread: "an instruction a cycle of the core (BabyRISCV/README.md) or of the \
                 front end, which takes one more after a MOP (MOPExpander.md)",
        unpackers: "64 bytes a cycle each, 80 both (L1.md), and 2 cycles for each UNPACR \
                    (UNPACR_Regular.md)",
        vector: "an instruction a cycle (VectorUnit.md)",
        packers: "16 bytes a cycle each (L1.md)",
        noc: "32 bytes a cycle of each NoC (L1.md, NoC/README.md)",
        dram: "24 bytes a cycle of each of 12 channels, at 12 GT/s and 1 GHz (DRAMTile/README.md)",
    },
};
/// `UNPACR_Regular.md` (at d0ade265) gives 64 bytes for the unpackers of both chips under
/// Performance; its functional model of bursts doubles that on Blackhole.
const BLACKHOLE: Rates = Rates {
    thread_core: 4,
    unpacker: 128,
    unpackers: 2 * 128,
    packers: None,
    noc: 64,
    dram: None,
    config: true,
    texts: Texts {
        thread: "up to four instructions a cycle of the core, where they push \
                 (Blackhole's BabyRISCV/README.md, Frontend), or one of the front end, which \
                 takes one more after a MOP (MOPExpander.md)",
        unpackers: "128 bytes a cycle each (bursts in UNPACR_Regular.md), and 2 cycles for each \
                    UNPACR",
        vector: "an instruction a cycle (Blackhole's VectorUnit.md)",
        packers: "",
        noc: "64 bytes a cycle of each NoC (Blackhole's NoC/README.md)",
        dram: "",
    },
};
const CORE: &str = "an instruction a cycle (BabyRISCV/README.md: single issue)";
const MATRIX: &str = "an instruction a cycle (MatrixUnit.md, which is both chips')";
const CONFIG: &str =
    "an instruction a cycle but SETC16, two for CFGSHIFTMASK (Blackhole's ConfigurationUnit.md)";

/// The directions of each NoC.
const NOC_PARTS: [[&str; 2]; 2] = [["NoC 0, in", "NoC 0, out"], ["NoC 1, in", "NoC 1, out"]];

/// The busy cycles of a part of a tile, or of the chip's DRAM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Busy {
    /// The part.
    pub part: &'static str,
    /// The cycles; `None` if it was busy and its rate is not documented.
    pub cycles: Option<u64>,
    /// The rate and its source; empty if there is none.
    pub rate: &'static str,
}

const fn rates(arch: Arch) -> Rates {
    match arch {
        Arch::WormholeB0 => WORMHOLE,
        Arch::Blackhole => BLACKHOLE,
    }
}

/// Returns the busy cycles of a chip's DRAM, given the bytes that all tiles move.
pub fn dram(arch: Arch, bytes: u64) -> Busy {
    let rates = rates(arch);
    let cycles = match rates.dram {
        Some(rate) => Some(bytes.div_ceil(rate)),
        None => (bytes == 0).then_some(0),
    };
    Busy {
        part: "DRAM",
        cycles,
        rate: rates.texts.dram,
    }
}

/// Returns the busy cycles of each part of a tile.
pub fn busy(arch: Arch, stats: &Stats) -> Vec<Busy> {
    let rates = rates(arch);
    let texts = rates.texts;
    let executed = |thread: usize| stats.by_thread(thread) + stats.mop_ends(thread);
    let of_unit = |unit: Unit| -> u64 {
        let rows = rows().iter().filter(|row| row.unit == unit);
        rows.map(|row| stats.count(row.opcode)).sum()
    };
    let [b, t0, t1, t2, nc] = stats.retired();
    let core = |retired: u64| retired.div_ceil(rates.thread_core);
    let [first, second] = stats.unpacked();
    let unpackers = [first, second]
        .map(|bytes| bytes.div_ceil(rates.unpacker))
        .into_iter()
        .fold((first + second).div_ceil(rates.unpackers), u64::max)
        + UNPACR * stats.count(Opcode::Unpacr) / 2;
    let packed = stats.packed();
    let packers = match rates.packers {
        Some(rate) => Some(packed.div_ceil(rate)),
        None => (packed == 0).then_some(0),
    };
    let part = |part, cycles, rate| Busy {
        part,
        cycles: Some(cycles),
        rate,
    };
    let mut parts = vec![
        part("B", b, CORE),
        part("T0", core(t0).max(executed(0)), texts.thread),
        part("T1", core(t1).max(executed(1)), texts.thread),
        part("T2", core(t2).max(executed(2)), texts.thread),
        part("NC", nc, CORE),
        part("unpackers", unpackers, texts.unpackers),
        part("matrix unit", of_unit(Unit::Matrix), MATRIX),
        part("vector unit", of_unit(Unit::Vector), texts.vector),
        Busy {
            part: "packers",
            cycles: packers,
            rate: texts.packers,
        },
    ];
    for (parts_of_noc, bytes) in NOC_PARTS.iter().zip(stats.noc()) {
        for (name, bytes) in parts_of_noc.iter().zip(bytes) {
            parts.push(part(name, bytes.div_ceil(rates.noc), texts.noc));
        }
    }
    if rates.config {
        let cycles =
            of_unit(Unit::Config) + stats.count(Opcode::Cfgshiftmask) - stats.count(Opcode::Setc16);
        parts.push(part("configuration unit", cycles, CONFIG));
    }
    parts
}

/// Returns the part with the most known cycles, and these cycles.
pub fn bound(arch: Arch, stats: &Stats) -> (&'static str, u64) {
    let known = busy(arch, stats).into_iter();
    known
        .filter_map(|busy| Some((busy.part, busy.cycles?)))
        .fold(("nothing", 0), |longest, next| {
            if next.1 > longest.1 {
                next
            } else {
                longest
            }
        })
}

#[cfg(test)]
mod tests;
