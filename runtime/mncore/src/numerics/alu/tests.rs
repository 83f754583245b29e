use super::*;

#[test]
fn immediates() {
    assert_eq!(immediate(0x4048_f5c3, false), [0x4048_f5c3_4048_f5c3; 2]);
    assert_eq!(immediate(0x0001_0001, true), [0x0001_0001_0000_0000; 2]);
}

#[test]
fn rotation_over_the_pes() {
    assert_eq!(rotate_left([0, 1, 2, 3]), [3, 0, 1, 2]);
    assert_eq!(rotate_right(rotate_left([0, 1, 2, 3])), [0, 1, 2, 3]);
}
