use super::*;
use proptest::prelude::*;

const ALIGN: u64 = 32;

fn block(bytes: u64, at: Option<u64>, lifetime: Lifetime) -> MemoryBlock {
    MemoryBlock {
        bytes,
        align: ALIGN,
        at,
        lifetime,
    }
}

/// `bytes`, `bytes@address` and `bytes:begin-end`, each a piece.
fn pieces(text: &str) -> Vec<MemoryBlock> {
    let number = |text: &str| text.parse::<u64>().unwrap();
    let block = |text: &str| {
        if let Some((bytes, at)) = text.split_once('@') {
            return block(number(bytes), Some(number(at)), Lifetime::Always);
        }
        if let Some((bytes, times)) = text.split_once(':') {
            let times = times.split('+').map(|time| {
                let (begin, end) = time.split_once('-').unwrap();
                number(begin)..number(end)
            });
            return block(number(bytes), None, Lifetime::During(times.collect()));
        }
        block(number(text), None, Lifetime::Always)
    };
    text.split_whitespace().map(block).collect()
}

#[test]
fn places_pieces() {
    let refused = |block, reason| Err((block, reason));
    let rows: &[(Range<u64>, &str, Result<&[u64], (usize, Reason)>)] = &[
        // One after the other, the largest first.
        (0..1024, "64 128 32", Ok(&[128, 0, 192])),
        // Ends are rounded up to where the next may begin; the room need not begin there.
        (0..1024, "100 50", Ok(&[0, 128])),
        (10..1024, "64", Ok(&[32])),
        // Given ones first, wherever they stand; others go into the smallest gap that holds them.
        (0..1024, "64 128@64 512@256", Ok(&[0, 64, 256])),
        (0..1024, "64@64 64 128@192", Ok(&[64, 0, 192])),
        // Exactly as much as there is, and one byte more.
        (0..256, "128@64 64 64", Ok(&[64, 0, 192])),
        (0..256, "128@64 64 65", refused(2, Reason::Full(64))),
        (0..256, "256", Ok(&[0])),
        (0..256, "257", refused(0, Reason::Full(256))),
        (0..0, "1", refused(0, Reason::Full(0))),
        // Buffers with disjoint live ranges may share an address.
        (0..64, "64:0-2 64:2-4 64:4-9", Ok(&[0, 0, 0])),
        (0..128, "64:0-3 64:2-4 64:4-9", Ok(&[0, 64, 0])),
        (0..64, "64:0-2+6-8 64:2-6", Ok(&[0, 0])),
        (0..64, "64:0-2+6-8 64:2-7", refused(1, Reason::Full(0))),
        // A buffer that is always live shares its address with none, and comes first.
        (0..128, "64:0-2 64 64:2-4", Ok(&[64, 0, 64])),
        // Given addresses that are none.
        (0..256, "32@33", refused(0, Reason::Misaligned)),
        (64..256, "32@32", refused(0, Reason::Outside)),
        (0..256, "64@224", refused(0, Reason::Outside)),
        (
            0..256,
            "64@18446744073709551584",
            refused(0, Reason::Outside),
        ),
        (0..256, "64@32 64@0", refused(1, Reason::Overlap(0))),
        (0..256, "64@64 64@0 64@128", Ok(&[64, 0, 128])),
    ];
    for (room, text, expected) in rows {
        let placed = allocate(room, &pieces(text));
        let placed = placed.map_err(|refused| (refused.block, refused.reason));
        assert_eq!(placed.as_deref(), expected.as_deref(), "{text} in {room:?}");
    }
}

fn a_life() -> impl Strategy<Value = Lifetime> {
    let time = (0u64..30, 1u64..10).prop_map(|(begin, length)| begin..begin + length);
    prop_oneof![
        1 => Just(Lifetime::Always),
        4 => prop::collection::vec(time, 1..3).prop_map(Lifetime::During),
    ]
}

fn a_piece() -> impl Strategy<Value = MemoryBlock> {
    let at = prop_oneof![5 => Just(None), 1 => (0u64..64).prop_map(|slot| Some(slot * ALIGN))];
    let align = prop_oneof![Just(ALIGN), Just(4 * ALIGN)];
    (1u64..200, at, a_life(), align).prop_map(|(bytes, at, lifetime, align)| MemoryBlock {
        bytes,
        align,
        at: at.map(|at: u64| at.next_multiple_of(align)),
        lifetime,
    })
}

/// Returns whether two pieces at these addresses are in each other's way.
fn collide(one: (&MemoryBlock, u64), other: (&MemoryBlock, u64)) -> bool {
    let apart = |(block, at): (&MemoryBlock, u64), behind: u64| at + block.bytes <= behind;
    one.0.lifetime.overlaps(&other.0.lifetime) && !apart(one, other.1) && !apart(other, one.1)
}

proptest! {
    #[test]
    fn nothing_lies_in_the_way_of_another(
        room in (0u64..100, 256u64..2048).prop_map(|(begin, size)| begin..begin + size),
        pieces in prop::collection::vec(a_piece(), 0..20),
    ) {
        match allocate(&room, &pieces) {
            Ok(placed) => {
                prop_assert_eq!(placed.len(), pieces.len());
                let all: Vec<_> = pieces.iter().zip(placed).collect();
                for (number, (block, at)) in all.iter().enumerate() {
                    prop_assert_eq!(at % block.align, 0);
                    prop_assert!(*at >= room.start && at + block.bytes <= room.end);
                    prop_assert!(block.at.is_none_or(|given| given == *at));
                    for other in &all[..number] {
                        prop_assert!(!collide(*other, (block, *at)));
                    }
                }
            }
            Err(refused) => {
                // The reason is one: what was placed before leaves no room at any address.
                let block = &pieces[refused.block];
                let first = room.start.next_multiple_of(block.align);
                let free = |at: u64| {
                    let others = pieces.iter().zip(&refused.placed);
                    let mut others = others.filter_map(|(other, at)| Some((other, (*at)?)));
                    at + block.bytes <= room.end && !others.any(|other| collide(other, (block, at)))
                };
                let mut tried = (first..room.end).step_by(block.align as usize);
                match block.at {
                    Some(at) => prop_assert!(at < room.start || !free(at)),
                    None => prop_assert!(!tried.any(free)),
                }
            }
        }
    }

    #[test]
    fn equal_pieces_with_one_time_each_need_as_many_places_as_live_at_once(
        times in prop::collection::vec((0u64..30, 1u64..10), 1..20),
    ) {
        let pieces: Vec<_> = times
            .iter()
            .map(|(begin, length)| {
                let time = *begin..begin + length;
                block(ALIGN, None, Lifetime::During(vec![time]))
            })
            .collect();
        let at_once = |now: u64| times.iter().filter(|(begin, length)| (*begin..begin + length).contains(&now)).count();
        let most = (0..40).map(at_once).max().unwrap_or(0) as u64;
        prop_assert!(allocate(&(0..most * ALIGN), &pieces).is_ok());
        prop_assert!(allocate(&(0..most * ALIGN - 1), &pieces).is_err());
    }
}
