use super::*;

fn drain(f: &mut Frontend) -> Vec<(String, usize)> {
    std::iter::from_fn(|| {
        f.advance_to_gate().unwrap();
        let (at, entry) = f.gate_with_entry()?;
        let text = at.instruction.text(Arch::WormholeB0).to_string();
        f.pop_gate();
        Some((text, entry))
    })
    .collect()
}

#[test]
fn bounded_and_in_order() {
    let mut f = Frontend::new(Arch::WormholeB0, 1);
    assert!((0..16).all(|k| f.push(0x0200_0000, k)));
    assert!(!f.push(0x0200_0000, 16));
    // One at the gate, two before it and eight before the replay expander make room.
    f.advance_to_gate().unwrap();
    assert!((16..27).all(|k| f.push(0x0200_0000, k)));
    assert!(!f.push(0x0200_0000, 27) && !f.push_after_mop(0x0200_0000, 27));
    let out = drain(&mut f);
    assert_eq!(out.len(), 27);
    assert_eq!(out[26], ("ttnop".to_owned(), 26));
    assert!(f.is_empty() && f.issued == 27);
}

#[test]
fn expansion_keeps_the_entry() {
    let mut f = Frontend::new(Arch::WormholeB0, 0);
    for (index, value) in [
        1,
        2,
        0x0200_0000,
        0x0200_0000,
        0x0200_0000,
        0x6000_0000,
        0x0200_0000,
        0x6000_0000,
        0x6000_0000,
    ]
    .into_iter()
    .enumerate()
    {
        f.set_mop_config(index, value).unwrap();
    }
    f.push(0x0180_0000, 7);
    assert!(!f.is_mop_done());
    assert_eq!(
        f.set_mop_config(0, 1).unwrap_err().to_string(),
        "MopCfg[0] is written while a MOP expands; wait for the expander first (wait_mop)"
    );
    assert_eq!(
        drain(&mut f),
        [("ttdmanop".to_owned(), 7), ("ttdmanop".to_owned(), 7)]
    );
    assert!(f.is_mop_done());
    // Behind a MOP another MOP costs nothing, anything else a cycle.
    for (word, ends) in [(0x0180_0000, 0), (NOP, 1), (NOP, 1)] {
        f.push(word, 8);
        drain(&mut f);
        assert_eq!(f.mop_ends, ends, "{word:#x}");
    }
}

/// Expanded instructions of a MOP wait after the expander, which works ahead of the gate.
#[test]
fn expanders_run_ahead() {
    let mut f = Frontend::new(Arch::WormholeB0, 0);
    for (index, value) in [
        12,
        1,
        NOP,
        NOP,
        NOP,
        0x6000_0000,
        NOP,
        0x6000_0000,
        0x6000_0000,
    ]
    .into_iter()
    .enumerate()
    {
        f.set_mop_config(index, value).unwrap();
    }
    f.push(0x0180_0000, 7);
    f.advance_to_gate().unwrap();
    assert!(!f.is_mop_done() && f.queued() == [8, 0]);
    f.pop_gate();
    f.advance_to_gate().unwrap();
    assert!(f.is_mop_done() && !f.is_empty() && f.queued() == [8, 0]);
    assert_eq!(drain(&mut f).len(), 11);
    assert!(f.is_empty());
    // Words pushed by core B do not overtake the MOP expander.
    f.push_after_mop(0x6000_0000, 9);
    assert_eq!(f.queued(), [0, 1]);
    assert_eq!(drain(&mut f), [("ttdmanop".to_owned(), 9)]);
    assert_eq!(f.queued(), [0, 0]);
}

fn word(text: &str) -> u32 {
    let instruction = Instruction::parse(Arch::Blackhole, text).unwrap();
    instruction.encode(Arch::Blackhole).unwrap()
}

/// On Blackhole, words before the gate count towards the room, but expanded words do not.
#[test]
fn room_on_blackhole() {
    let mut f = Frontend::new(Arch::Blackhole, 2);
    let fill = |f: &mut Frontend| (0..100).take_while(|&k| f.push(NOP, k)).count();
    assert_eq!(fill(&mut f), 29);
    f.advance_to_gate().unwrap();
    assert_eq!(fill(&mut f), 0);
    f.pop_gate();
    assert_eq!(fill(&mut f), 1);
    drain(&mut f);
    // A recording of four, which makes room at once, played: two words in front of the gate,
    // one at it.
    for text in [
        "ttreplay 0, 4, 0, 1",
        "ttdmanop",
        "ttdmanop",
        "ttdmanop",
        "ttdmanop",
    ] {
        assert!(f.push(word(text), 0));
    }
    assert!(f.push(word("ttreplay 0, 4, 0, 0"), 0));
    f.advance_to_gate().unwrap();
    assert_eq!(fill(&mut f), 29);
    assert_eq!(drain(&mut f).len(), 4 + 29);
    assert!(f.tracked == 0 && f.is_empty());
    // Core B's words do not count either, and RESOURCEDECL goes no further.
    assert!(f.push_after_mop(NOP, 0) && f.push(word("ttresourcedecl 0, 0, 13"), 0));
    assert_eq!(fill(&mut f), 29);
    assert_eq!(drain(&mut f).len(), 30);
}

/// The uses declared for a MOP or a REPLAY last until its last word has passed; its first word
/// waits for the core.
#[test]
fn uses_of_expansions() {
    let gprs = Uses {
        reads: crate::issue::auto_sync::resource::GPRS,
        writes: 0,
    };
    let none = Uses::default();
    let mut f = Frontend::new(Arch::Blackhole, 0);
    for (index, value) in [
        1,
        2,
        NOP,
        NOP,
        NOP,
        word("ttmvmul 0, 0, 0, 0"),
        NOP,
        NOP,
        NOP,
    ]
    .into_iter()
    .enumerate()
    {
        f.set_mop_config(index, value).unwrap();
    }
    let pass = |f: &mut Frontend| {
        f.advance_to_gate().unwrap();
        f.pop_gate();
        f.uses()
    };
    f.push(word("ttresourcedecl 0, 0x20, 13"), 0);
    f.push(word("ttmop 1, 0, 0"), 0);
    assert_eq!(f.uses(), gprs);
    assert_eq!(pass(&mut f), gprs);
    assert_eq!(pass(&mut f), none);
    f.push(word("ttresourcedecl 0, 0x20, 14"), 0);
    f.push(word("ttresourcedecl 0, 0, 15"), 0);
    for text in [
        "ttreplay 0, 2, 0, 1",
        "sfpnop",
        "sfpnop",
        "ttreplay 0, 2, 0, 0",
    ] {
        f.push(word(text), 0);
    }
    assert_eq!(pass(&mut f), gprs);
    assert_eq!(pass(&mut f), none);
    // Words pushed by core B are not tracked.
    f.push_after_mop(word("ttadddmareg 0, 0, 0, 0"), 0);
    assert_eq!(pass(&mut f), none);
}

const NOP: u32 = 0x0200_0000;

#[test]
fn bad_words_are_refused() {
    let mut f = Frontend::new(Arch::WormholeB0, 0);
    f.push(0, 0);
    assert_eq!(
        f.advance_to_gate().unwrap_err().to_string(),
        "word 0x00000000: no instruction has opcode 0x00"
    );
}

/// Words that pass right through come to the gate in the same order, with the same origins, as
/// those that wait behind a REPLAY or a recording.
#[test]
fn passing_through_keeps_the_order() {
    let replay = |start: u32, len: u32, execute: u32, load: u32| {
        word(&format!("ttreplay {start}, {len}, {execute}, {load}"))
    };
    let dma = word("ttdmanop");
    let nop = word("ttnop");
    let stream = [
        nop,
        replay(0, 2, 1, 1),
        nop,
        dma,
        dma,
        replay(0, 2, 0, 0),
        nop,
        nop,
    ];
    let expect = [(0, "nop"), (2, "nop"), (3, "dma"), (4, "dma")];
    let expect = expect.into_iter();
    let expect = expect.chain([(5, "nop"), (5, "dma"), (6, "nop"), (7, "nop")]);
    let expect: Vec<_> = (expect)
        .map(|(entry, name)| match name {
            "nop" => ("ttnop".to_owned(), entry),
            _ => ("ttdmanop".to_owned(), entry),
        })
        .collect();
    // Words are pushed together, or the front end advances after every few of them.
    for each in 1..=stream.len() {
        let mut f = Frontend::new(Arch::WormholeB0, 0);
        let mut issued = Vec::new();
        for (chunk, words) in stream.chunks(each).enumerate() {
            for (k, &word) in words.iter().enumerate() {
                assert!(f.push(word, chunk * each + k));
            }
            f.advance_to_gate().unwrap();
            if each % 2 == 0 {
                issued.extend(drain(&mut f));
            }
        }
        issued.extend(drain(&mut f));
        assert_eq!(issued, expect, "{each} at a time");
        assert!(f.is_empty());
    }
}
