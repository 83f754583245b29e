use super::*;
use crate::issue::frontend::Frontend;

/// Returns the word of the SFPLOADI with this immediate.
fn sfploadi(immediate: usize) -> u32 {
    (Opcode::Sfploadi as u32) << 24 | immediate as u32
}

/// A word is decoded once, and found at the place where it was added.
#[test]
fn words_are_found() {
    let mut words = DecodedWords::default();
    assert_eq!(words.find(sfploadi(1)), None);
    let place = words.decode(Arch::WormholeB0, sfploadi(1), |_| {});
    assert_eq!(place.ok(), words.find(sfploadi(1)));
    let decoded = words.find(sfploadi(1)).and_then(|place| words.get(place));
    assert_eq!(decoded.map(|at| at.word), Some(sfploadi(1)));
    assert_eq!(words.find(sfploadi(2)), None);
    assert!(words.decode(Arch::WormholeB0, 0xff00_0000, |_| {}).is_err());
}

/// More different words than fit pass in order while others are on the way, and memory stays
/// bounded.
#[test]
fn forgotten_words_leave_those_on_the_way() {
    let mut frontend = Frontend::new(Arch::WormholeB0, 0);
    let mut passed = 0;
    for k in 0..3 * MAX_WORDS {
        assert!(frontend.push(sfploadi(k), k));
        frontend.advance_to_gate().unwrap();
        // Three words stay on the way.
        if k >= 3 {
            let (at, entry) = frontend.gate_with_entry().unwrap();
            assert_eq!((at.word, entry), (sfploadi(passed), passed));
            frontend.pop_gate();
            passed += 1;
        }
    }
    assert!(frontend.decoded.words.len() <= MAX_WORDS);
}
