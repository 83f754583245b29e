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

/// The expansion of a MOP is traced right although its words displace each other from the table,
/// and although others are forgotten meanwhile.
#[test]
fn traces_with_colliding_words() {
    let first = sfploadi(1);
    let second = (2..)
        .map(sfploadi)
        .find(|&word| hash(word) == hash(first))
        .unwrap();
    let nop = (Opcode::Nop as u32) << 24;
    for missing in 0..6 {
        let mut frontend = Frontend::new(Arch::WormholeB0, 0);
        let pass = |frontend: &mut Frontend, word: u32, count: usize| -> Vec<u32> {
            assert!(frontend.push(word, 0));
            let passed = std::iter::from_fn(|| {
                frontend.advance_to_gate().unwrap();
                let (at, _) = frontend.gate_with_entry()?;
                let word = at.word;
                frontend.pop_gate();
                Some(word)
            });
            passed.take(count).collect()
        };
        for k in 0..MAX_WORDS - missing {
            let other = (Opcode::Setc16 as u32) << 24 | k as u32;
            assert_eq!(pass(&mut frontend, other, 1), [other]);
        }
        let config = [1, 100, nop, nop, nop, first, second, first, first];
        for (index, value) in config.into_iter().enumerate() {
            frontend.set_mop_config(index, value).unwrap();
        }
        let mop = (Opcode::Mop as u32) << 24 | 1 << 23;
        let mut expected = [first, second].repeat(100);
        expected[199] = first;
        for _ in 0..2 {
            assert_eq!(pass(&mut frontend, mop, 200), expected, "{missing}");
        }
        assert!(frontend.is_empty() && frontend.allows_fetching());
    }
}
