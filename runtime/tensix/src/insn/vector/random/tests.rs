use super::*;

/// The register by hand: its taps are bits 31, 21, 1 and 0, and their inverted parity comes in
/// on top.
#[test]
fn steps() {
    for (state, next) in [
        (0, 0x8000_0000),
        (1, 0),
        (2, 1),
        (3, 0x8000_0001),
        (0x8000_0000, 0x4000_0000),
        (0x0020_0000, 0x0010_0000),
        (0x8020_0003, 0xC010_0001),
        (0xFFFF_FFFF, 0xFFFF_FFFF),
    ] {
        assert_eq!(step(state), next, "{state:#x}");
    }
}

/// Lanes are two steps apart, the last one first.
#[test]
fn seeds() {
    let mut generators = Generators::seeded(0x1234_5678);
    let mut state = (0..34).fold(0x1234_5678, |state, _| step(state));
    for lane in (0..LANES).rev() {
        assert_eq!(generators.0[lane], state, "lane {lane}");
        state = step(step(state));
    }
    let before = generators.0;
    assert_eq!(generators.draw(0xFF), before);
    for (lane, &state) in before.iter().enumerate() {
        let expected = if lane < 8 { step(state) } else { state };
        assert_eq!(generators.0[lane], expected, "lane {lane}");
    }
}
