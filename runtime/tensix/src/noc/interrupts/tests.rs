use super::*;

#[test]
fn transactions_that_ended() {
    let mut i = Interrupts::default();
    [3, 5, 9].into_iter().for_each(|k| i.fell_to_zero(k));
    assert!(!i.raised() && i.load(NUMBER) == Some(0));
    assert!(i.store(CONFIGURATION, u32::MAX) && i.load(CONFIGURATION) == Some(0x1000_ffff));
    let named = |i: &mut Interrupts| i.load(NUMBER).unwrap();
    assert_eq!([(); 4].map(|()| named(&mut i)), [3, 5, 9, 3]);
    i.store(CONFIGURATION, 1 << 5 | 1 << 9);
    assert_eq!(
        (i.raised(), named(&mut i), i.load(SOURCE)),
        (true, 5, Some(1 << 3 | 1 << 9))
    );
    i.store(SOURCE, 0);
    i.store(CLEAR, 1 << 9);
    assert_eq!(
        (i.raised(), i.load(SOURCE), i.load(CLEAR)),
        (false, Some(1 << 3), Some(0))
    );
    assert!(!i.store(0x174, 0) && i.load(0x174).is_none());
    assert!(Interrupts::reading_changes(NUMBER) && !Interrupts::reading_changes(SOURCE));
}
