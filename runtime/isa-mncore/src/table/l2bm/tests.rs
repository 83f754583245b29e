use super::*;

#[test]
fn the_sets_of_table_3_7() {
    for (members, base, hidden) in [
        (0b0000_0001, 0, 0),
        (0b1000_0000, 7, 0),
        (0b0010_0010, 1, 4),
        (0b0000_1100, 2, 1),
        (0b0011_0011, 0, 5),
        (0b1010_1010, 1, 6),
        (0b1111_1111, 0, 7),
    ] {
        let set = L1bSet::from_members(members).unwrap();
        assert_eq!((set.base(), set.hidden()), (base, hidden));
    }
    assert_eq!(L1bSet::all().count(), 27);
    assert_eq!(L1bSet::from_members(0b111), None);
    assert_eq!(L1bSet::new(5, 1), L1bSet::new(4, 1));
}

#[test]
fn across_from_one_reaches_all_others() {
    assert_eq!(L1bSet::new(2, 0).receivers(), 0b1111_1011);
    assert_eq!(L1bSet::new(0, 6).receivers(), 0b1010_1010);
    assert_eq!(L1bSet::new(0, 4).receivers(), 0b1110_1110);
}

#[test]
fn the_number_fits_ten_bits() {
    assert!(L2bmOp::all().len() < 1023, "{}", L2bmOp::all().len());
}
