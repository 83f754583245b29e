use super::*;

#[test]
fn once_for_each_cause() {
    let mut kept = StallTracker::default();
    let noted = [
        (0, Cause::SrcA),
        (0, Cause::SrcA),
        (0, Cause::Unit),
        (0, Cause::SrcA),
        (1, Cause::SrcA),
    ];
    let first = noted.map(|(issued, cause)| kept.note(issued, cause));
    assert_eq!(first, [true, false, true, false, true]);
}

#[test]
fn causes_are_in_order() {
    for (k, cause) in Cause::ALL.into_iter().enumerate() {
        assert_eq!(cause as usize, k);
    }
}
