use super::super::SingleEvaluation;
use super::*;
use crate::undetermined::UndeterminedSet;
use Operation::*;

#[track_caller]
fn check(operation: Operation, width: Width, x: u64, y: u64, expect: (u64, u8)) {
    check_mode(operation, width, false, x, y, expect);
}

#[track_caller]
fn check_mode(
    operation: Operation,
    width: Width,
    unsigned: bool,
    x: u64,
    y: u64,
    expect: (u64, u8),
) {
    let mut undetermined = UndeterminedSet::NONE;
    let once = SingleEvaluation {
        x,
        y,
        undetermined: &mut undetermined,
    };
    let result = select(operation, width, unsigned, once);
    assert_eq!(
        result, expect,
        "{operation:?} {width:?} {x:#x} {y:#x}: {:#x}",
        result.0
    );
    assert!(undetermined.is_empty());
}

const X: u64 = 0x0000_ffff_8000_0001;

#[test]
fn copies_and_bits() {
    check(Pass, Width::Half, X, 0, (X, 0b1000));
    check(Pass, Width::Single, 0x8000_0000, 0, (0x8000_0000, 0b1100));
    check(Pass, Width::Long, 0, 0, (0, 0b1111));
    check(Not, Width::Half, X, 0, (0xffff_0000_7fff_fffe, 0b0100));
    check(Not, Width::Long, 0, 0, (u64::MAX, 0));
    check(
        LogicalNot,
        Width::Half,
        X,
        0,
        (0x0001_0000_0000_0000, 0b0111),
    );
    check(LogicalNot, Width::Single, 0, 0, (0x0000_0001_0000_0001, 0));
    let y = 0xffff_0000_8000_0001;
    check(And, Width::Half, X, y, (0x8000_0001, 0b1100));
    check(Or, Width::Single, X, y, (0xffff_ffff_8000_0001, 0));
    check(Xor, Width::Half, X, y, (0xffff_ffff_0000_0000, 0b0011));
}

#[test]
fn sums_wrap() {
    check(
        Increment,
        Width::Half,
        X,
        0,
        (0x0001_0000_8001_0002, 0b1101),
    );
    check_mode(
        Increment,
        Width::Half,
        true,
        X,
        0,
        (0x0001_0000_8001_0002, 0b1011),
    );
    check(
        Decrement,
        Width::Half,
        X,
        0,
        (0xffff_fffe_7fff_0000, 0b0011),
    );
    check_mode(
        Decrement,
        Width::Half,
        true,
        X,
        0,
        (0xffff_fffe_7fff_0000, 0b0111),
    );
    check(Decrement, Width::Half, 0, 0, (u64::MAX, 0));
    check(Add, Width::Single, X, X, (0x0001_fffe_0000_0002, 0b1111));
    check_mode(
        Add,
        Width::Single,
        true,
        X,
        X,
        (0x0001_fffe_0000_0002, 0b1100),
    );
    check(Subtract, Width::Long, 1, 2, (u64::MAX, 0));
    check_mode(Subtract, Width::Long, true, 1, 2, (u64::MAX, 0));
    check_mode(
        Subtract,
        Width::Long,
        true,
        1 << 63,
        1,
        (i64::MAX as u64, 0b1111),
    );
    check_mode(Add, Width::Long, true, u64::MAX, 0, (u64::MAX, 0b1111));
    check_mode(
        Add,
        Width::Long,
        true,
        u64::MAX,
        u64::MAX,
        (u64::MAX - 1, 0),
    );
}

#[test]
fn extremes() {
    let (x, y) = (0x0001_ffff_8000_0005, 0x0002_0001_7fff_0005);
    check(Max, Width::Half, x, y, (0x0002_0001_7fff_0005, 0b0001));
    check_mode(
        Max,
        Width::Half,
        true,
        x,
        y,
        (0x0002_ffff_8000_0005, 0b0111),
    );
    check(Min, Width::Half, x, y, (0x0001_ffff_8000_0005, 0b1111));
    check_mode(
        Min,
        Width::Half,
        true,
        x,
        y,
        (0x0001_0001_7fff_0005, 0b1001),
    );
    check(Max, Width::Long, u64::MAX, 0, (0, 0));
    check(Min, Width::Single, u64::MAX, 0, (u64::MAX, 0b1111));
}

#[test]
fn sign_bits_are_packed() {
    check(
        PackBit,
        Width::Half,
        X,
        0x8000_7fff_0000_ffff,
        (0x0001_fffe_0000_0003, 0b0110),
    );
    check(PackBit, Width::Long, 1 << 63 | 1, 1 << 63, (3, 0));
}

#[test]
fn shift_amounts_are_modulo_twice_the_width() {
    #[track_caller]
    fn check_half(operation: Operation, x: u64, y: u64, expect: u64) {
        let place = |word: u64| word << 48 | word << 32 | word << 16 | word;
        let flags = if expect == 0 { 0b1111 } else { 0 };
        check(
            operation,
            Width::Half,
            place(x),
            place(y),
            (place(expect), flags),
        );
    }
    check_half(ShiftLeft, 0x8421, 4, 0x4210);
    check_half(ShiftLeft, 0x8421, 16, 0);
    check_half(ShiftLeft, 0x8421, 31, 0);
    check_half(ShiftLeft, 0x8421, 32, 0x8421);
    check_half(ShiftLeft, 0x8421, 0xffe1, 0x0842);
    check_half(ShiftRight, 0x8421, 4, 0xf842);
    check_half(ShiftRight, 0x8421, 16, 0xffff);
    check_half(ShiftRight, 0x7fff, 16, 0);
    check_half(RotateLeft, 0x8421, 4, 0x4218);
    check_half(RotateLeft, 0x8421, 20, 0x4218);
    check_half(RotateLeft, 0x8421, 0, 0x8421);
    check_half(RotateRight, 0x8421, 4, 0x1842);
    check_half(RotateRight, 0x8421, 17, 0xc210);
    check_mode(ShiftRight, Width::Half, true, 0x8421, 4, (0x0842, 0b1110));
    check(ShiftRight, Width::Long, 1 << 63, 127, (u64::MAX, 0));
    check(ShiftLeft, Width::Single, 1, 31, (0x8000_0000, 0b1100));
    check(RotateRight, Width::Long, 1, 1, (1 << 63, 0));
}
