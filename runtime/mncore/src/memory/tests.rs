use super::*;

/// A write of one word of a memory of 4 rows of 8 words.
type Write = fn(&mut MemoryWords);

#[test]
fn clearing_zeroes_what_was_written() {
    let writes: [(&str, Write); 6] = [
        ("row", |memory| memory.row_mut(2)[7] = 1),
        ("range", |memory| memory.range_mut(15..17).unwrap()[1] = 1),
        ("last", |memory| memory.range_mut(31..32).unwrap()[0] = 1),
        ("all", |memory| memory.fill(u64::MAX)),
        ("index", |memory| memory[9] = 1),
        ("nothing", |memory| {
            memory.range_mut(3..3).unwrap();
        }),
    ];
    for (first, write) in writes {
        for (second, write_again) in writes {
            let mut memory = MemoryWords::new(4, 8);
            write(&mut memory);
            memory.clear();
            assert_eq!(*memory, [0; 32], "{first}");
            write_again(&mut memory);
            memory.clear();
            assert_eq!(*memory, [0; 32], "{first}, {second}");
        }
    }
}

#[test]
fn ranges_outside_are_rejected() {
    let mut memory = MemoryWords::new(2, 4);
    for (range, is_inside) in [(0..8, true), (8..8, true), (7..9, false), (9..10, false)] {
        assert_eq!(
            memory.range_mut(range.clone()).is_some(),
            is_inside,
            "{range:?}"
        );
    }
}
