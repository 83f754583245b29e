use super::*;
use crate::testing::{Bench, THREAD};

fn bench(destination: u32, source: u32, count: u32, direction: u32) -> Bench {
    let mut bench = Bench::new();
    let bytes: Vec<u8> = (0..=255).collect();
    bench.core.l1.write(0x1000, &bytes).unwrap();
    bench.set(cfg::THCON_REG6_Destination_address.nth(0), destination / 16);
    bench.set(cfg::THCON_REG6_Source_address.nth(0), source / 16);
    bench.set(cfg::THCON_REG6_Buffer_size.nth(0), count / 16);
    bench.set(cfg::THCON_REG6_Transfer_direction.nth(0), direction);
    bench
}

#[test]
fn copies_and_clears_l1() {
    for (direction, first) in [(0, 0), (3, 0x20)] {
        let mut bench = bench(0x2000, 0x1020, 0x40, direction);
        bench.run("ttxmov 0, 0");
        let expect: Vec<u8> = (0..0x40)
            .map(|k| if first == 0 { 0 } else { first + k })
            .collect();
        assert_eq!(bench.core.l1.read(0x2000, 0x40).unwrap(), expect);
    }
}

#[test]
fn writes_configuration_of_both_states() {
    // Word 56 of state 1.
    let mut bench = bench((188 + 56) * 4, 0x1010, 0x20, 1);
    bench.run("ttxmov 0, 0");
    let words = [56, 57, 63].map(|word| bench.core.config.word_in_state(1, word));
    assert_eq!(words, [0x1312_1110, 0x1716_1514, 0x2f2e_2d2c]);
    assert_eq!(bench.core.config.word_in_state(0, 56), 0);
    let mut changed = crate::state::access::WordSet::default();
    (56..64).for_each(|word| changed.insert(1, word));
    assert_eq!(bench.core.access.config_write, changed);
    let mut clear = self::bench((188 + 56) * 4, 0, 0x20, 2);
    clear
        .core
        .config
        .write_state(1, 56, 5, 7, &mut Default::default())
        .unwrap();
    clear.run("ttxmov 0, 0");
    assert_eq!(clear.core.config.word_in_state(1, 56), 0);
}

#[test]
fn leaves_instruction_ram_to_the_tile() {
    let mut bench = bench(0x4_0100, 0x1010, 0x10, 1);
    bench.run("ttxmov 0, 0");
    let expect = Request::InstructionRam {
        offset: 0x100,
        bytes: (0x10..0x20).collect(),
    };
    assert_eq!(bench.core.request, Some(expect));
    // Elsewhere nothing is written.
    let mut bench = self::bench(0x2_0000, 0x1010, 0x10, 1);
    bench.run("ttxmov 0, 0");
    assert_eq!(bench.core.request, None);
    assert_eq!(bench.core.config.word(THREAD, 0), 0);
}

#[test]
fn refusals() {
    let cases = [
        (
            (0x1010, 0x1000, 0x20, 3),
            "undefined behaviour: the mover copies 0x20 bytes from L1 0x1000 to 0x1010, which \
             overlap",
        ),
        (
            (0x17_0000, 0x1000, 0x20, 3),
            "undefined behaviour: L1 bytes 0x170000 to 0x170020 are beyond its end 0x16e000",
        ),
        (
            (0xfff0, 0x1000, 0x20, 1),
            "undefined behaviour: the mover accesses memory from 0xfff0 on beyond the end of \
             configuration or instruction RAM",
        ),
        (
            (0x600, 0x1000, 0x20, 1),
            "undefined behaviour: the mover writes byte 0x600 of the configuration, which has \
             0x5e0",
        ),
        (
            (0, 0x1000, 0x20, 1),
            "not modelled: resetting a configuration state by writing STATE_RESET_EN",
        ),
    ];
    for ((destination, source, count, direction), fault) in cases {
        bench(destination, source, count, direction).refuses("ttxmov 0, 0", fault);
    }
    bench(0x2000, 0x1000, 16, 3).refuses(
        "ttxmov 0, 1",
        "undefined behaviour: XMOV with an operand that is not 0",
    );
}
