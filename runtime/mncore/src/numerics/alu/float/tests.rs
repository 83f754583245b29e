use super::super::SingleEvaluation;
use super::*;
use Operation::*;

#[track_caller]
fn check(
    operation: Operation,
    width: Width,
    (x, y): (u64, u64),
    expect: (u64, u8),
    point: Option<Undetermined>,
) {
    check_mode(operation, width, false, (x, y), expect, point);
}

#[track_caller]
fn check_mode(
    operation: Operation,
    width: Width,
    unsigned: bool,
    (x, y): (u64, u64),
    expect: (u64, u8),
    point: Option<Undetermined>,
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
        "{operation:?} {x:#x} {y:#x}: {:#x}",
        result.0
    );
    assert_eq!(
        undetermined.iter().collect::<Vec<_>>(),
        Vec::from_iter(point)
    );
}

#[test]
fn floors() {
    // 1.5, -1.5, -0.25, 0.75; then -2, a large odd number, infinity and -0 with a mantissa.
    let (x, floor) = (0x3f00_bf00_ba00_3d00, 0x3e00_c000_be00_0000);
    check(Floor, Width::Half, (x, 0), (floor, 0), None);
    let x = 0xc000_5001_7e01_8001;
    check(Floor, Width::Half, (x, 0), (x, 0), None);
    let (x, floor) = (0x4b00_0001_cb00_0001, 0x4b00_0001_cb00_0001);
    check(Floor, Width::Single, (x, 0), (floor, 0), None);
    // -(2^52 - 0.5) carries into the exponent.
    let (x, floor) = (0xc32f_ffff_ffff_ffff, 0xc330_0000_0000_0000);
    check(Floor, Width::Long, (x, 0), (floor, 0), None);
}

#[test]
fn float_to_integer() {
    // 1.5, -1.5, 0.75, -0; then 2^15, 2^31.
    let x = 0x3f00_bf00_3d00_8000;
    check(
        ToInteger,
        Width::Half,
        (x, 0),
        (0x0001_ffff_0000_0000, 0),
        None,
    );
    check_mode(
        ToInteger,
        Width::Half,
        true,
        (x, 0),
        (0x0001_0001_0000_0000, 0),
        None,
    );
    let x = 0x5c00_dc00_7c00_7e00;
    check(
        ToInteger,
        Width::Half,
        (x, 0),
        (0x7fff_8000_7fff_7fff, 0),
        None,
    );
    check_mode(
        ToInteger,
        Width::Half,
        true,
        (x, 0),
        (0x8000_8000_ffff_ffff, 0),
        None,
    );
    let x = 0xcf00_0000_4eff_ffff;
    check(
        ToInteger,
        Width::Single,
        (x, 0),
        (0x8000_0000_7fff_ff80, 0),
        None,
    );
    let point = Some(Undetermined::ToIntegerMinimum);
    let x = 0xcf00_0001_ff80_0000;
    check(
        ToInteger,
        Width::Single,
        (x, 0),
        (0x8000_0000_8000_0000, 0),
        point,
    );
    check_mode(
        ToInteger,
        Width::Single,
        true,
        (x, 0),
        (0x8000_0100_ffff_ffff, 0),
        None,
    );
    let x = 0x43df_ffff_ffff_ffff;
    check(
        ToInteger,
        Width::Long,
        (x, 0),
        (0x7fff_ffff_ffff_fc00, 0),
        None,
    );
    check(
        ToInteger,
        Width::Long,
        (0x43e0 << 48, 0),
        (i64::MAX as u64, 0),
        None,
    );
    check_mode(
        ToInteger,
        Width::Long,
        true,
        (0x43e0 << 48, 0),
        (1 << 63, 0),
        None,
    );
    check(
        ToInteger,
        Width::Long,
        (0x3fef_ffff_ffff_ffff, 0),
        (0, 0),
        None,
    );
    check(ToInteger, Width::Long, (1 << 52, 0), (0, 0), None);
}

#[test]
fn float_extremes() {
    // 1 and 2; -1 and -2; -0 and +0 with a mantissa; 0 with a mantissa and a small negative
    // number.
    let operands = (0x3e00_be00_8000_01ff, 0x4000_c000_0001_8200);
    check(
        Max,
        Width::Half,
        operands,
        (0x4000_be00_8000_01ff, 0b0111),
        None,
    );
    check(
        Min,
        Width::Half,
        operands,
        (0x3e00_c000_8000_8200, 0b1010),
        None,
    );
    let operands = (0x7f80_0001_7f80_0000, 0x7f80_0000_7f80_0001);
    check(
        Max,
        Width::Single,
        operands,
        (0x7f80_0001_7f80_0001, 0b1100),
        None,
    );
    let operands = (0xff80_0000_ff80_0001, 0x7f80_0000_ff80_0001);
    check(Min, Width::Single, operands, (operands.0, 0b1111), None);
    let operands = (0xfff0_0000_0000_0000, 0xfff0_0000_0000_0001);
    let point = Some(Undetermined::ExtremeInfinities);
    check(Max, Width::Long, operands, (operands.0, 0b1111), point);
    check(Min, Width::Long, operands, (operands.1, 0), point);
}

#[test]
fn relu_family() {
    let (x, y) = (0x8000_4000_2000_1000, 0x3e00_be00_0001_7e01);
    check(
        Relu,
        Width::Half,
        (x, y),
        (0x8000_be00_0001_7e01, 0b0111),
        None,
    );
    check(
        Relu1,
        Width::Half,
        (x, y),
        (0x3e00_8000_0001_7e01, 0b1011),
        None,
    );
    check(
        Relu2,
        Width::Half,
        (x, y),
        (0x3e00_be00_8000_7e01, 0b1101),
        None,
    );
    check(
        Relu3,
        Width::Half,
        (x, y),
        (0x3e00_be00_0001_8000, 0b1110),
        None,
    );
    let x = 0x8000_0000_8000_0000;
    let y = 0x3f80_0001_8080_0001;
    check(
        LeakyHalf,
        Width::Single,
        (x, y),
        (0x3f00_0001_8000_0000, 0),
        None,
    );
    check(
        LeakyEighth,
        Width::Single,
        (x, y),
        (0x3e00_0001_8000_0000, 0),
        None,
    );
    check(
        InverseLeaky,
        Width::Single,
        (x, y),
        (0x4000_0001_8100_0001, 0),
        None,
    );
    // A positive underflow is negative too; above it the smallest number is reached.
    let y = 0x0180_0000_0200_0000;
    check(
        LeakyEighth,
        Width::Single,
        (x, y),
        (0x8000_0000_0080_0000, 0),
        None,
    );
    check(LeakyHalf, Width::Single, (0, y), (y, 0b1111), None);
    let zeros = 0x8000_0000_0000_0000;
    check(
        LeakyHalf,
        Width::Single,
        (x, zeros),
        (x, 0),
        Some(Undetermined::LeakyZero),
    );
    check(LeakyHalf, Width::Single, (x, x), (x, 0), None);
    let y = 0x7f80_0001_3f80_0000;
    let point = Some(Undetermined::LeakyInfinity);
    check(
        LeakyHalf,
        Width::Single,
        (x, y),
        (0x7f80_0001_3f00_0000, 0),
        point,
    );
    // Zeros become nonzero; the largest exponent becomes that of infinity and keeps its
    // mantissa.
    let y = 0x8000_0001_7f00_0001;
    check(
        InverseLeaky,
        Width::Single,
        (x, y),
        (0x8080_0001_7f80_0001, 0),
        None,
    );
    let y = 0xff80_0001_0000_0000;
    check(
        InverseLeaky,
        Width::Single,
        (x, y),
        (0xff80_0001_0080_0000, 0),
        None,
    );
}
