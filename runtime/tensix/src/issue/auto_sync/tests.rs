use super::*;
use tessera_isa_tensix::Arch;

fn push(tracker: &mut Tracker, text: &str) -> Uses {
    let instruction = Instruction::parse(Arch::Blackhole, text);
    tracker.push(&instruction.unwrap_or_else(|e| panic!("{text}: {e}")))
}

/// The table of the page, with state 1: parts of unpackers and the rest, GPRs (G) and TDMA-RISC
/// (T).
#[test]
fn default_mapping() {
    const ALL: u8 = 0b111_000;
    const REST: u8 = 0b100_000;
    const G: u8 = resource::GPRS;
    const T: u8 = resource::TDMA;
    let mut tracker = Tracker::default();
    push(&mut tracker, "ttsetc16 0, 1");
    for (text, reads, writes) in [
        ("ttnop", 0, 0),
        ("ttmop_cfg 0", 0, 0),
        ("ttadddmareg 0, 0, 0, 0", G, G),
        ("ttsetdmareg 0, 0, 0, 0", G, G),
        ("ttatcas 0, 0, 0, 0, 0", G, G),
        ("ttreg2flop 0, 0, 0, 0, 0, 0", G | T, G | T),
        ("ttloadind 0, 0, 0, 0, 0", G, G),
        ("ttcfgshiftmask 0, 0, 0, 0, 0, 0", ALL, ALL),
        ("ttstorereg 0, 0", G, 0),
        ("ttloadreg 0, 0", 0, G),
        ("ttflushdma 0", 0, T),
        ("ttwrcfg 0, 0, 0", G, ALL),
        ("ttrdcfg 0, 0", ALL, G),
        ("ttxmov 0, 0", ALL | G, ALL | G),
        ("ttunpacr_nop 0, 0, 0, 0, 0, 0, 0, 0, 0", ALL | T, T),
        ("ttpacr 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0", REST | T, T),
        ("ttmop 1, 0, 0", ALL | G | T, ALL | G | T),
        ("ttreplay 0, 1, 0, 0", ALL | G | T, ALL | G | T),
        ("ttmvmul 0, 0, 0, 0", REST, 0),
        ("ttsetc16 5, 0", REST, 0),
        ("sfpnop", REST, 0),
    ] {
        assert_eq!(push(&mut tracker, text), Uses { reads, writes }, "{text}");
    }
    tracker.subdivided = true;
    for (unpacker, part) in [(0, 0b001_000), (1, 0b010_000)] {
        let nop = format!("ttunpacr_nop {unpacker}, 0, 0, 0, 0, 0, 0, 0, 0");
        let expect = Uses {
            reads: part | T,
            writes: T,
        };
        assert_eq!(push(&mut tracker, &nop), expect, "{unpacker}");
    }
}

#[test]
fn states_and_declarations() {
    let mut tracker = Tracker::default();
    let mvmul = |tracker: &mut Tracker| push(tracker, "ttmvmul 0, 0, 0, 0").reads;
    assert_eq!(mvmul(&mut tracker), 0b100_100);
    push(&mut tracker, "ttsetc16 0, 0");
    assert_eq!(mvmul(&mut tracker), 0b100);
    push(&mut tracker, "ttresourcedecl 0, 0x60, 15");
    assert_eq!(mvmul(&mut tracker), resource::GPRS);
    // A replay that only computes.
    push(&mut tracker, "ttresourcedecl 1, 0, 14");
    assert_eq!(push(&mut tracker, "ttreplay 0, 1, 0, 0"), Uses::default());
}

#[test]
fn conflicts_are_of_writes() {
    let uses = |reads, writes| Uses { reads, writes };
    for (one, other, conflict) in [
        (uses(1, 0), uses(1, 0), false),
        (uses(1, 0), uses(0, 1), true),
        (uses(0, 1), uses(1, 0), true),
        (uses(0, 1), uses(0, 1), true),
        (uses(3, 4), uses(3, 8), false),
    ] {
        assert_eq!(one.conflicts(other), conflict, "{one:?} {other:?}");
    }
    assert_eq!(uses(1, 2).union(uses(4, 8)), uses(5, 10));
}
