use super::*;

/// Addresses, by their words in the window of configuration, and what they are with and without
/// subdivision.
#[test]
fn addresses() {
    const WORDS: u32 = cfg::config_words(Arch::Blackhole) as u32;
    let mut config = Config::new(Arch::Blackhole);
    let track = |config: &mut Config, fields: u16| {
        let field = cfg::TENSIX_TRISC_SYNC_TrackGPR.place_on(Arch::Blackhole);
        let addr = field.unwrap().addr32();
        config.write_thread(1, addr, fields).unwrap();
    };
    let window = |word: u32| map::CONFIG + 4 * word;
    let (gpr, tdma) = (map::GPRS + 8, map::TDMA + 0x24);
    for fields in [0, 0b01111, 0b10000] {
        track(&mut config, fields);
        for addr in [gpr, tdma, window(0), map::NOC] {
            assert_eq!(resources(&config, 1, addr), 0, "{fields:#b}: {addr:#x}");
        }
    }
    let cases = [
        (gpr, 1 << 6, 1 << 6),
        (tdma, 1 << 7, 1 << 7),
        (map::NOC, 0, 0),
        // The rest, and what unpackers have of sections 0 and 1.
        (window(1), 0b111, 0b100),
        (window(WORDS + 1), 0b111_000, 0b100_000),
        (window(64), 0b111, 0b001),
        (window(65), 0b111, 0b100),
        (window(73), 0b111, 0b001),
        (window(83), 0b111, 0b001),
        (window(87), 0b111, 0b001),
        (window(105), 0b111, 0b001),
        (window(106), 0b111, 0b100),
        (window(WORDS + 112), 0b111_000, 0b010_000),
        (window(122), 0b111, 0b100),
        (window(125), 0b111, 0b010),
        (window(126), 0b111, 0b100),
        (window(141), 0b111, 0b010),
        (window(142), 0b111, 0b100),
        // Address generators.
        (window(44), 0b111, 0b001),
        (window(45), 0b111, 0b011),
        (window(46), 0b111, 0b010),
        (window(56), 0b111, 0b100),
        (window(48), 0b111, 0b111),
        (window(50), 0b111, 0b111),
        (window(62), 0b111, 0b010),
        (window(53), 0b111, 0b001),
        // Words of both states, and of threads.
        (
            window(cfg::global_words_from(Arch::Blackhole)),
            0b111_111,
            0b100_100,
        ),
        (window(2 * WORDS), 0b111_111, 0b100_100),
        (window(3 * WORDS), 0b111_111, 0b100_100),
        (window(3 * WORDS + 1), 0b111_111, 0b011_011),
    ];
    for (addr, whole, subdivided) in cases {
        track(&mut config, 0b11101);
        assert_eq!(resources(&config, 1, addr), whole, "{addr:#x}");
        track(&mut config, 0b11111);
        assert_eq!(
            resources(&config, 1, addr),
            subdivided,
            "{addr:#x}, subdivided"
        );
        assert_eq!(resources(&config, 2, addr), 0, "another thread");
    }
}
