//! Tests of replayed host traces, with own firmware: writes, reads, polls and resets, and the
//! errors reported where the replay differs from the trace.

use proptest::prelude::*;
use tessera_isa_tensix::Arch;
use tessera_riscv::{Instruction as I, Op};
use tessera_tensix::tile::Break;
use tessera_tensix::trace::{Limits, Outcome, Replay, ReplayError, Trace};
use tessera_tensix::Device;
use tessera_test_support::is_long_run;

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn write(tile: &str, addr: u32, bytes: &[u8]) -> String {
    format!(
        "WRITE core={tile} addr={addr:#x} size={} data={}\n",
        bytes.len(),
        hex(bytes)
    )
}

fn read(tile: &str, addr: u32, reply: u32) -> String {
    let reply = hex(&reply.to_le_bytes());
    format!("READ core={tile} addr={addr:#x} size=4 data=- reply={reply}\n")
}

/// Address from which B reads orders, and address at which it counts completed ones.
const ORDER: u32 = 0x1000;
const COUNT: u32 = 0x1004;

/// Returns firmware in which B polls for an order other than 0, clears it and counts it.
fn firmware() -> Vec<u8> {
    let code = [
        I::i(Op::Lui, 1, 0, 0x1000),
        I::i(Op::Lw, 5, 1, 0),
        I::s(Op::Beq, 5, 0, -4),
        I::i(Op::Lw, 6, 1, 4),
        I::i(Op::Addi, 6, 6, 1),
        I::s(Op::Sw, 1, 0, 0),
        I::s(Op::Sw, 1, 6, 4),
        I::i(Op::Jal, 0, 0, -24),
    ];
    code.iter()
        .flat_map(|i| i.encode().unwrap().to_le_bytes())
        .collect()
}

fn boot(tile: &str) -> String {
    format!(
        "RESET_ASSERT core={tile} addr=0x0 size=0 data=-\n{}RESET_DEASSERT core={tile} addr=0x0 \
         size=0 data=-\n",
        write(tile, 0, &firmware())
    )
}

fn replay(text: &str) -> (Result<(), ReplayError>, Outcome) {
    let mut replay = Replay::new(
        Device::new(Arch::WormholeB0, 0),
        Limits {
            read: 20_000,
            total: 200_000,
        },
    );
    let end = replay.run(Trace::parse(text).unwrap());
    (end, replay.outcome().clone())
}

/// Returns the first difference, as text.
fn difference(text: &str) -> String {
    let (end, outcome) = replay(text);
    assert_eq!((end, outcome.mismatches), (Ok(()), 1));
    outcome.first.unwrap().to_string()
}

#[test]
fn hosts_poll_and_go_on() {
    // The tiles are a Tensix and an Ethernet tile; the latter's core takes the place of B.
    for tile in ["1,1", "9,11", "4,6"] {
        let mut text = boot(tile);
        for k in 1..4 {
            text += &write(tile, ORDER, &[1, 0, 0, 0]);
            // The host saw the order for a while; the model may already have executed it.
            text += &read(tile, ORDER, 1).repeat(2);
            text += &read(tile, ORDER, 0);
            text += &read(tile, COUNT, k);
        }
        text += &boot(tile);
        text += &write(tile, ORDER, &[1, 0, 0, 0]);
        text += &read(tile, COUNT, 4);
        text += "EXIT core=0,0 addr=0x0 size=0 data=-\n";
        text += &read(tile, COUNT, 99);
        let (end, outcome) = replay(&text);
        assert_eq!(
            (end, outcome.mismatches),
            (Ok(()), 0),
            "{tile}: {:?}",
            outcome.first
        );
        assert_eq!((outcome.replies, outcome.events), (13, 3 + 3 * 5 + 3 + 2));
    }
}

/// Tiles share decoded code while it is the same. A tile whose host changes a word of it executes
/// the new word, and the others the old one, also those that start later.
#[test]
fn tiles_change_their_own_code() {
    let tiles = ["1,1", "2,1", "3,1", "4,1", "9,11"];
    // In place of counting one order, it counts `step`.
    let change = |tile: &str, step| {
        let word = I::i(Op::Addi, 6, 6, step).encode().unwrap();
        write(tile, 16, &word.to_le_bytes())
    };
    let order = |tile: &str, count| {
        write(tile, ORDER, &[1, 0, 0, 0]) + &read(tile, ORDER, 0) + &read(tile, COUNT, count)
    };
    let mut text: String = tiles[..4].iter().map(|tile| boot(tile)).collect();
    let mut counts = [0; 5];
    for (round, (changed, step)) in [(1, 7), (3, 7), (0, 9), (1, 1), (2, 7)]
        .into_iter()
        .enumerate()
    {
        for (k, tile) in tiles[..4].iter().enumerate() {
            counts[k] += STEPS[round][k];
            text += &order(tile, counts[k]);
        }
        text += &change(tiles[changed], step);
    }
    text += &boot(tiles[4]);
    text += &order(tiles[4], 1);
    text += "EXIT core=0,0 addr=0x0 size=0 data=-\n";
    let (end, outcome) = replay(&text);
    assert_eq!(
        (end, outcome.mismatches),
        (Ok(()), 0),
        "{:?}",
        outcome.first
    );
}

/// What each tile of the test above counts in each round.
const STEPS: [[u32; 4]; 5] = [
    [1, 1, 1, 1],
    [1, 7, 1, 1],
    [1, 7, 1, 7],
    [9, 7, 1, 7],
    [9, 1, 1, 7],
];

#[test]
fn memories() {
    let tensor = write("0,11", 0x2000, &[7; 64]) + &write("5,2", 0x4000_0000, &[9; 4]);
    let reads = read("0,0", 0x2000, 0x0707_0707)
        + &read("5,10", 0x4000_0000, 0x0909_0909)
        + &read("5,10", 0, 0)
        + &read("1,1", 0x10_0000, 0)
        // Soft reset: all cores are held.
        + &read("1,1", 0xffb1_21b0, 0x47800);
    let (end, outcome) = replay(&(tensor + &reads));
    assert_eq!((end, outcome.mismatches, outcome.replies), (Ok(()), 0, 5));
}

#[test]
fn replies_that_differ() {
    assert_eq!(
        difference(&(boot("1,1") + &read("1,1", COUNT, 0x100))),
        "line 4: 1 bytes of the reply of tile (1, 1) differ, first 0x1005: 0x00, not 0x01 (core B \
         polls 0x1000 in the loop at pc 0x4)"
    );
    // Values of later reads are considered only up to the host's next write.
    let text = boot("1,1")
        + &read("1,1", COUNT, 1)
        + &write("1,1", ORDER, &[1, 0, 0, 0])
        + &read("1,1", COUNT, 1);
    assert!(difference(&text).starts_with("line 4: 1 bytes"));
}

#[test]
fn chips_that_stop() {
    let error = |text: &str| replay(text).0.unwrap_err().to_string();
    let with_code = |code: I| {
        boot("1,1")
            .replace(
                &hex(&firmware()),
                &hex(&code.encode().unwrap().to_le_bytes()),
            )
            .replace("size=32", "size=4")
            + &read("1,1", COUNT, 1)
    };
    assert_eq!(
        error(&with_code(I::i(Op::Ebreak, 0, 0, 0))),
        "line 4: tile (1, 1): B, pc 0x0, `ebreak`: there is no debugger"
    );
    assert_eq!(
        error(&write("0,3", 0, &[0])),
        "line 1: tile (0, 3): not modelled: the tile at (0, 3), which is neither Tensix, nor \
         Ethernet, nor DRAM"
    );
    assert_eq!(
        error(&write("0,0", 0x8000_0000, &[0])),
        "line 1: tile (0, 0): undefined behaviour: there is no DRAM at 0x80000000 of tile (0, 0)"
    );
    assert_eq!(
        error(&write("1,1", 0xffb1_21b0, &[0; 8])),
        "line 1: tile (1, 1): undefined behaviour: writes 8 bytes to 0xffb121b0; registers are \
         written as words"
    );
    assert_eq!(
        error(&write("1,1", 0xffe4_0000, &[0; 4])),
        "line 1: tile (1, 1): undefined behaviour: writes 0xffe40000, which is not mapped for core \
         (the NoC)"
    );
    assert_eq!(
        error(&write("1,6", 0xffb9_0000, &[0; 4])),
        "line 1: tile (1, 6): not modelled: the transmission and reception of Ethernet (0xffb90000)"
    );
    // Counts up forever.
    let endless = boot("1,1")
        .replace(
            &hex(&firmware()),
            &hex(&[
                I::i(Op::Addi, 5, 5, 1).encode().unwrap().to_le_bytes(),
                I::i(Op::Jal, 0, 0, -4).encode().unwrap().to_le_bytes(),
            ]
            .concat()),
        )
        .replace("size=32", "size=8");
    let text = endless + &read("1,1", COUNT, 1).repeat(20);
    let error = error(&text);
    assert!(
        error.contains(
            "the chip has run 200000 steps, which is the limit; running tiles: 1, first (1, 1): \
             core B at pc"
        ),
        "{error}"
    );
}

#[test]
fn breaks() {
    let mut replay = Replay::new(Device::new(Arch::WormholeB0, 0), Limits::default());
    replay.device().stop_at((1, 1), Break::Pc(0, 0x10)).unwrap();
    let text = boot("1,1") + &write("1,1", ORDER, &[1, 0, 0, 0]) + &read("1,1", COUNT, 1);
    let trace = Trace::parse(&text).unwrap();
    assert_eq!(
        replay.run(trace).unwrap_err().to_string(),
        "line 5: stopped in tile (1, 1)"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if is_long_run() { 200 } else { 24 }))]

    /// Every sequence of writes and reads gives a result or an error that names the line.
    #[test]
    fn hostile_hosts(
        words in prop::collection::vec(any::<u32>(), 1..40),
        addrs in prop::collection::vec(
            prop_oneof![0u32..0x2000, 0xffb0_0000u32..0xfff0_0000, any::<u32>()],
            1..6,
        ),
        tile in prop_oneof![Just("1,1"), Just("1,6"), Just("0,0"), Just("0,3"), Just("77,3")],
    ) {
        let code: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let mut text = boot("1,1") + &write("1,1", 0, &code);
        for addr in addrs {
            text += &write(tile, addr, &code[..4]);
            text += &read(tile, addr, 0);
        }
        let (end, _) = replay(&text);
        if let Err(error) = end {
            prop_assert!(error.to_string().starts_with("line "), "{error}");
        }
    }

    #[test]
    fn hostile_texts(text in "(WRITE|READ|EXIT|START|RESET_ASSERT)? ?(core=[0-9,]{0,4} \
                              ?)?(addr=[0-9a-fx]{0,6} ?)?(size=[0-9]{0,3} ?)?(data=[0-9a-f-]{0,6} \
                              ?)?.{0,9}") {
        if let Err(error) = Trace::parse(&text) {
            prop_assert!(error.to_string().starts_with("line "), "{error}");
        }
    }
}
