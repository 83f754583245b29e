use super::*;

/// Follows the entries and returns the moves.
fn follow(modes: &[(u32, AddressMode)], named: &[u32]) -> Vec<AddressMode> {
    let mut extra = false;
    let moves = named.iter().map(|entry| {
        let entry = entry + if extra { 4 } else { 0 };
        let (_, mode) = *modes.iter().find(|(e, _)| *e == entry).expect("it is set");
        extra = match mode.extra {
            Extra::Keep => extra,
            Extra::Set => true,
            Extra::Clear => false,
        };
        AddressMode {
            extra: Extra::Keep,
            ..mode
        }
    });
    let moves = moves.collect();
    assert!(!extra, "the extra bit stays set");
    moves
}

#[test]
fn sequences_get_entries() {
    let m = |k: i32| AddressMode::advance(k, 0);
    // As many different moves as told, in an order that repeats some.
    let sequences = [
        (vec![1], true),
        (vec![1, 2, 3, 4], true),
        (vec![1, 1, 2, 2, 1, 2], true),
        (vec![1, 2, 3, 4, 5], true),
        (vec![1, 2, 3, 4, 5, 6, 7, 8], true),
        (vec![1, 2, 1, 3, 1, 2, 4, 5, 1, 2, 6], true),
        (vec![1, 2, 3, 4, 5, 6, 7, 8, 9], false),
        (vec![1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 1, 2, 3, 4, 5], true),
    ];
    for (arch, (sequence, fits)) in Arch::ALL
        .into_iter()
        .flat_map(|arch| sequences.iter().map(move |case| (arch, case)))
    {
        let moves: Vec<_> = sequence.iter().map(|k| m(*k)).collect();
        let found = assign(arch, &moves);
        assert_eq!(found.is_some(), *fits, "{arch}, {sequence:?}");
        if let Some((modes, named)) = found {
            assert!(modes.len() <= ENTRIES, "{arch}, {sequence:?}");
            assert_eq!(follow(&modes, &named), moves, "{arch}, {sequence:?}");
        }
    }
}
