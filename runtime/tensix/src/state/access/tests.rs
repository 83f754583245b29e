use super::*;

#[test]
fn ranges_merge_and_meet() {
    let set = |ranges: &[(u32, u32)]| {
        let mut s = RangeSet::default();
        ranges.iter().for_each(|&(start, len)| s.insert(start, len));
        s
    };
    assert_eq!(
        set(&[(0, 16), (16, 16), (64, 4)]),
        RangeSet(vec![(0, 32), (64, 68)])
    );
    assert_eq!(
        set(&[(0, 16), (64, 16)]).first_common(&set(&[(16, 48)])),
        None
    );
    assert_eq!(
        set(&[(0, 16), (64, 16)]).first_common(&set(&[(16, 49)])),
        Some(64)
    );
}

#[test]
fn rows_and_words_meet() {
    let mut a = RowSet::default();
    let mut b = RowSet::default();
    (60..70).for_each(|r| a.insert(r));
    (69..80).for_each(|r| b.insert(r));
    assert_eq!(a.first_common(&b), Some(69));
    assert_eq!(a.first_common(&RowSet::default()), None);
    let mut copy = b;
    copy.copy_from_set(&a);
    assert_eq!(copy, a);
    copy.clear();
    assert_eq!(copy, RowSet::default());
    let mut w = WordSet::default();
    let mut v = WordSet::default();
    w.insert(0, 64);
    v.insert(1, 64);
    assert_eq!(w.first_common(&v), None);
    w.insert(1, 223);
    v.insert(1, 223);
    assert_eq!(w.first_common(&v), Some(223));
    assert!(w.contains(1, 223) && !w.contains(0, 223));
    w.remove(1, 223);
    assert_eq!(w.first_common(&v), None);
    w.extend(&v);
    assert_eq!(w, {
        v.insert(0, 64);
        v
    });
}
