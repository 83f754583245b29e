use super::*;

#[test]
fn the_longest_bounds() {
    let mut stats = Stats::default();
    let bound = |stats: &Stats| Arch::ALL.map(|arch| bound(arch, stats));
    assert_eq!(bound(&stats), [("nothing", 0); 2]);
    for _ in 0..10 {
        stats.note(1, Opcode::Mvmul, 0);
    }
    assert_eq!(bound(&stats), [("T1", 10); 2]);
    stats.note_moved(Some(0), 2048, 0);
    assert_eq!(bound(&stats), [("unpackers", 32), ("unpackers", 16)]);
    stats.note_moved(Some(1), 2048, 0);
    assert_eq!(bound(&stats), [("unpackers", 52), ("unpackers", 16)]);
    stats.note_moved(None, 0, 4096);
    assert_eq!(bound(&stats), [("packers", 64), ("unpackers", 16)]);
    stats.note_noc(0, [4096, 0]);
    assert_eq!(bound(&stats), [("NoC 0, in", 128), ("NoC 0, in", 64)]);
    stats.note_noc(1, [0, 4160]);
    assert_eq!(bound(&stats), [("NoC 1, out", 130), ("NoC 1, out", 65)]);
    stats.set_retired([0, 0, 400, 0, 0]);
    assert_eq!(bound(&stats), [("T1", 400), ("T1", 100)]);
    stats.set_retired([0, 0, 0, 0, 500]);
    assert_eq!(bound(&stats), [("NC", 500); 2]);
    (0..200).for_each(|_| stats.note(0, Opcode::Wrcfg, 0));
    (0..200).for_each(|_| stats.note(1, Opcode::Cfgshiftmask, 0));
    (0..200).for_each(|_| stats.note(2, Opcode::Setc16, 0));
    assert_eq!(bound(&stats), [("NC", 500), ("configuration unit", 600)]);
}

/// Every rate has a source.
#[test]
fn sources() {
    for arch in Arch::ALL {
        for Busy { part, rate, .. } in busy(arch, &Stats::default()) {
            let has_none = (arch, part) == (Arch::Blackhole, "packers");
            assert_eq!(rate.contains(".md"), !has_none, "{arch}: {part}");
        }
    }
}

/// All channels of Wormhole; the rate of Blackhole's DRAM is not documented.
#[test]
fn dram_of_the_chip() {
    let cycles = |bytes| Arch::ALL.map(|arch| dram(arch, bytes).cycles);
    assert_eq!(cycles(289), [Some(2), None]);
    assert_eq!(cycles(0), [Some(0); 2]);
}

/// Operations without a sourced rate have no cycle count, unless there were none.
#[test]
fn unknown_rates() {
    let mut stats = Stats::default();
    let packers = |stats: &Stats| {
        let parts = busy(Arch::Blackhole, stats);
        parts
            .iter()
            .find(|busy| busy.part == "packers")
            .unwrap()
            .cycles
    };
    assert_eq!(packers(&stats), Some(0));
    stats.note_moved(None, 0, 16);
    assert_eq!(packers(&stats), None);
}
