use super::*;
use proptest::prelude::*;

const FLUSH: Integers = Integers { keep_b: false };
const KEEP: Integers = Integers { keep_b: true };
const MINUS: u32 = 1 << 31;

/// Returns a Src datum as unpackers produce it.
fn src(value: i32) -> u32 {
    let exponent = if value == 0 { 0 } else { 16 };
    u32::from(value < 0) << 18 | value.unsigned_abs() << 8 | exponent
}

fn multiply(phase: Phase, a: u32, b: u32, dst: u32) -> u32 {
    FLUSH.elementwise(Operation::Multiply, phase, a, b, dst)
}

fn add(integers: Integers, a: u32, b: u32) -> u32 {
    integers.elementwise(Operation::Add, Phase::new(0), a, b, 0)
}

fn sign_magnitude(value: i64) -> u32 {
    (if value < 0 { MINUS } else { 0 }) | value.unsigned_abs() as u32
}

#[test]
fn known_results() {
    let (a, b) = (src(-0xFF), src(0x3FF));
    for (phase, product) in [
        (3, 0x1F * 0xF),
        (2, 0xE0 * 0xF),
        (1, 0x1F * 0x3F0),
        (0, 0xE0 * 0x3F0),
    ] {
        let found = multiply(Phase::new(phase), a, b, 0);
        assert_eq!(found, sign_magnitude(-product), "phase {phase}");
    }
    for (value, dst, expected) in [
        (1, 0x7FFF_FFFF, 0x7FFF_FFFF),
        (-1, 0xFFFF_FFFF, 0xFFFF_FFFF),
        (-1, 1, 0),
        (0, MINUS, 0),
        (-5, 3, MINUS | 2),
    ] {
        assert_eq!(accumulate(value, dst), expected, "{value} + {dst:#x}");
    }
    // The two highest bits of SrcA are not multiplied.
    assert_eq!(multiply(Phase::new(3), src(0x300), src(1), 7), 7);
    // A magnitude without exponent.
    let odd = 5 << 8;
    assert_eq!((add(FLUSH, src(1), odd), add(FLUSH, odd, src(1))), (1, 1));
    assert_eq!((add(KEEP, src(1), odd), add(KEEP, odd, src(1))), (6, 1));
}

proptest! {
    #[test]
    fn four_phases_multiply_exactly(
        a in prop::array::uniform16(-255..256_i32),
        b in prop::array::uniform16(-1023..1024_i32),
        dst in -(1 << 30)..1_i32 << 30,
    ) {
        let rows = a.map(|a| [src(a); COLUMNS]);
        let row = b.map(src);
        let held = [sign_magnitude(dst.into()); COLUMNS];
        let sums = Phase::ALL
            .into_iter()
            .fold(held, |sums, phase| FLUSH.dot(phase, &rows, &row, &sums));
        let products: i64 = a.iter().zip(b).map(|(&a, b)| i64::from(a) * i64::from(b)).sum();
        prop_assert_eq!(sums, [sign_magnitude(i64::from(dst) + products); COLUMNS]);
        let one = Phase::ALL
            .into_iter()
            .fold(0, |sum, phase| multiply(phase, src(a[0]), src(b[0]), sum));
        prop_assert_eq!(one, sign_magnitude(i64::from(a[0] * b[0])));
        let phase = Phase::new(0);
        prop_assert_eq!(
            FLUSH.elementwise(Operation::Subtract, phase, src(a[0]), src(b[0]), 0),
            sign_magnitude(i64::from(a[0] - b[0]))
        );
    }
}
