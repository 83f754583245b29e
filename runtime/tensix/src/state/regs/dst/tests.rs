use super::*;

/// Compares rows and places with the formula of `Dst.md`.
#[test]
fn places_of_32_bit_rows() {
    for (row, high) in [
        (0, 0),
        (7, 7),
        (8, 16),
        (15, 23),
        (16, 32),
        (255, 0x1F7),
        (256, 0x200),
        (511, 0x3F7),
        (0x200, 0x200),
        (0x2FF, 0x3F7),
    ] {
        assert_eq!(Row32::new(row).halves(), [high, high + 8], "row {row}");
        let again = Row32::with_half(high + 8).halves();
        assert_eq!(again, [high, high + 8], "row {row}");
    }
}

/// Compares the places of rows on Blackhole with the formulas of its `Dst.md`; every layout has a
/// place for each row.
#[test]
fn layouts() {
    let all = [(false, false), (true, false), (false, true), (true, true)]
        .map(|(remap, swizzle)| Layout { remap, swizzle });
    for (row, narrow, wide) in [
        (0, [0; 4], [0; 4]),
        (5, [5; 4], [5, 5, 17, 17]),
        (8, [8, 32, 8, 32], [16, 64, 4, 64]),
        (16, [16, 8, 16, 8], [32, 16, 48, 4]),
        (32, [32, 16, 32, 16], [64, 32, 64, 48]),
        (1023, [1023; 4], [1015, 1015, 999, 999]),
    ] {
        assert_eq!(all.map(|layout| layout.place16(row)), narrow, "row {row}");
        let high = |layout: Layout| layout.places32(Row32::new(row))[0];
        assert_eq!(all.map(high), wide, "row {row}");
    }
    for layout in all {
        let mut dst = Dst::default();
        dst.set_layout(layout);
        (0..1024).for_each(|row| dst.write_row16(row, [row as u16; 16]));
        assert!((0..1024).all(|row| dst.row16(row) == Ok([row as u16; 16])));
        let mut dst = Dst::default();
        dst.set_layout(layout);
        let rows = || (0..256).chain(512..768).map(Row32::new);
        for row in rows() {
            assert!(row.halves().iter().all(|&half| !dst.holds(half, true)));
            dst.write_row32(row, [row.row as u32; 16]);
            assert!(row.halves().iter().all(|&half| dst.holds(half, true)));
        }
        for row in rows() {
            assert_eq!(dst.row32(row), Ok([row.row as u32; 16]));
        }
        many_rows_at_once(&dst, layout);
    }
}

/// They become what each of them would.
fn many_rows_at_once(dst: &Dst, layout: Layout) {
    let datum = |row: usize, column: usize| (row << 20 | column << 12 | row) as u32;
    for (first, count) in [(0, 64), (8, 8), (21, 11), (3, 1), (512, 17)] {
        let numbers = first..first + count;
        let rows: Vec<Row> = (numbers.clone())
            .map(|row| std::array::from_fn(|column| datum(row, column)))
            .collect();
        for wide in [true, false] {
            let (mut together, mut each) = (dst.clone(), dst.clone());
            together.write_rows(first, &rows, wide);
            for (number, row) in numbers.clone().zip(&rows) {
                match wide {
                    true => each.write_row32(Row32::new(number), *row),
                    false => each.write_row16(number, row.map(|datum| datum as u16)),
                }
            }
            let same = together.datums == each.datums && together.states == each.states;
            assert!(same, "{layout:?}, {count} rows from {first}, wide: {wide}");
        }
    }
}

#[test]
fn marks_are_of_places() {
    let mut dst = Dst::default();
    dst.set_layout(Layout {
        remap: true,
        swizzle: false,
    });
    (0..64).for_each(|row| dst.write_row16(row, [1; 16]));
    (16..32).for_each(|place| dst.mark_place(place));
    let marked: Vec<usize> = (0..64).filter(|&row| dst.is_marked(row, false)).collect();
    assert_eq!(marked, (32..40).chain(48..56).collect::<Vec<_>>());
    dst.mark16(0);
    assert!(dst.is_marked(0, false) && dst.row16(0) == Ok([0; 16]));
    dst.set_layout(Layout::default());
    assert!((16..32).all(|row| dst.is_marked(row, false)));
}

#[test]
fn rows_begin_unknown_and_marked_rows_read_zero() {
    let mut dst = Dst::default();
    let row = Row32::new(12);
    assert!(dst.row32(row).is_err() && dst.row16(3).is_err());
    dst.mark32(row);
    assert_eq!(dst.row32(row), Ok([0; 16]));
    assert!(!dst.holds(20, true) && !dst.holds(28, true));
    dst.write_row32(row, [0x1234_5678; 16]);
    assert_eq!(dst.row32(row), Ok([0x1234_5678; 16]));
    assert!(dst.holds(20, true) && dst.holds(28, true) && !dst.holds(20, false));
    assert_eq!(dst.datums()[20], [0x1234; 16]);
    assert_eq!(dst.datums()[28], [0x5678; 16]);
}

#[test]
fn rows_of_one_width_are_not_read_as_the_other() {
    let mut dst = Dst::default();
    let row = Row32::new(12);
    let text = |fault: Fault| fault.to_string();
    dst.write_row32(row, [0x1234_5678; 16]);
    assert_eq!(
        dst.row16(28).map_err(text),
        Err(
            "not modelled: reads 16-bit datums from Dst row 28 (of 1024), which was written as a \
             half of a 32-bit row"
                .to_owned()
        )
    );
    dst.mark16(28);
    assert_eq!(
        dst.row32(row).map_err(text),
        Err(
            "undefined behaviour: reads 32-bit datums from Dst rows 20 and 28, of which ZEROACC \
             has marked only one; do not mix 16-bit and 32-bit use of a row"
                .to_owned()
        )
    );
    dst.write_row16(20, [7; 16]);
    assert_eq!(
        dst.row32(row).map_err(text),
        Err(
            "not modelled: reads 32-bit datums from Dst rows 20 and 28 (of 1024), written as \
             16-bit rows"
                .to_owned()
        )
    );
    assert_eq!(dst.row16(20), Ok([7; 16]));
}
