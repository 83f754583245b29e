//! How many cycles a run takes at least: for each part of a tile the time that what it did takes at its documented rate, as
//! if nothing ever waited for anything else. The part that takes longest is the bound. It is an estimate of speed, not a model
//! of it: latencies, conflicts and hand-overs are not counted, nor is what other tiles ask of the DRAM at the same time.
//!
//! Rates (Wormhole; ISA documentation unless said otherwise):
//!
//! | part | rate | source |
//! |---|---|---|
//! | a thread's front end | one instruction a cycle, one more cycle behind a MOP if what comes there is none | `MOPExpander.md` (Performance) |
//! | a RISC-V core | one instruction a cycle | `BabyRISCV/README.md`: single issue |
//! | matrix unit, vector unit | one instruction a cycle | `MatrixUnit.md`, `VectorUnit.md` |
//! | unpackers | 64 bytes a cycle each, 80 both; 2 cycles more for each instruction | `L1.md`, `UNPACR_Regular.md` |
//! | packers | 16 bytes a cycle each | `L1.md` |
//! | NoC | 32 bytes a cycle in each direction | `L1.md`, `NoC/README.md` |

use tessera_isa_tensix::{rows, Opcode, Unit};

use crate::stats::Stats;

/// Bytes a cycle of one unpacker, of both, of the packers, and of the NoC in one direction.
const UNPACKER: u64 = 64;
const UNPACKERS: u64 = 80;
const PACKERS: u64 = 64;
const NOC: u64 = 32;
/// Cycles before an UNPACR begins to read.
const UNPACR: u64 = 2;

/// A part of a tile, and for how many cycles it was busy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Busy {
    /// The part.
    pub part: &'static str,
    /// The cycles.
    pub cycles: u64,
}

/// What each part of a tile did, in cycles.
pub fn busy(stats: &Stats) -> Vec<Busy> {
    let executed = |thread: usize| stats.by_thread(thread) + stats.mop_ends(thread);
    let of_unit = |unit: Unit| -> u64 {
        let rows = rows().iter().filter(|row| row.unit == unit);
        rows.map(|row| stats.count(row.opcode)).sum()
    };
    let [b, t0, t1, t2, nc] = stats.retired();
    let [first, second] = stats.unpacked();
    let unpackers = [first, second]
        .map(|bytes| bytes.div_ceil(UNPACKER))
        .into_iter()
        .fold((first + second).div_ceil(UNPACKERS), u64::max);
    let [read, written] = stats.noc();
    let part = |part, cycles| Busy { part, cycles };
    vec![
        part("B", b),
        part("T0", t0.max(executed(0))),
        part("T1", t1.max(executed(1))),
        part("T2", t2.max(executed(2))),
        part("NC", nc),
        part(
            "unpackers",
            unpackers + UNPACR * stats.count(Opcode::Unpacr) / 2,
        ),
        part("matrix unit", of_unit(Unit::Matrix)),
        part("vector unit", of_unit(Unit::Vector)),
        part("packers", stats.packed().div_ceil(PACKERS)),
        part("NoC, in", read.div_ceil(NOC)),
        part("NoC, out", written.div_ceil(NOC)),
    ]
}

/// The part that was busy longest.
pub fn bound(stats: &Stats) -> Busy {
    let none = Busy {
        part: "nothing",
        cycles: 0,
    };
    let longest = busy(stats).into_iter().reduce(|longest, next| {
        if next.cycles > longest.cycles {
            next
        } else {
            longest
        }
    });
    longest.unwrap_or(none)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_bounds() {
        let mut stats = Stats::default();
        assert_eq!(bound(&stats).cycles, 0);
        for _ in 0..10 {
            stats.note(1, Opcode::Mvmul, 0);
        }
        assert_eq!(
            bound(&stats),
            Busy {
                part: "T1",
                cycles: 10
            }
        );
        stats.note_moved(Some(0), 2048, 0);
        assert_eq!(
            bound(&stats),
            Busy {
                part: "unpackers",
                cycles: 32
            }
        );
        stats.note_moved(Some(1), 2048, 0);
        assert_eq!(bound(&stats).cycles, 52);
        stats.note_moved(None, 0, 4096);
        assert_eq!(
            bound(&stats),
            Busy {
                part: "packers",
                cycles: 64
            }
        );
        stats.note_noc(4096, 0);
        assert_eq!(
            bound(&stats),
            Busy {
                part: "NoC, in",
                cycles: 128
            }
        );
        stats.set_retired([0, 0, 0, 0, 500]);
        assert_eq!(
            bound(&stats),
            Busy {
                part: "NC",
                cycles: 500
            }
        );
    }
}
