use super::*;

const WH: Arch = Arch::WormholeB0;
const BH: Arch = Arch::Blackhole;

#[test]
fn prints_and_parses() {
    for (arch, text) in [
        (WH, "ttreplay 16, 16, 0, 1"),
        (BH, "ttreplay 16, 16, 0, 1"),
        (WH, "ttnop"),
        (WH, "sfpload 0, 3, 0, 0"),
        (WH, "ttunpacr 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1"),
        (WH, "ttunpacr_nop 0, 7"),
        (BH, "ttunpacr_nop 1, 0, 0, 1, 0, 0, 0, 0, 1"),
        (BH, "ttmvmul 0, 0, 7, 8"),
        (BH, "sfparecip 0, 1, 2, 0"),
    ] {
        let i = Instruction::parse(arch, text).unwrap();
        assert_eq!(i.text(arch).to_string(), text);
    }
    assert_eq!(
        Instruction::parse(WH, "  ttsetc16\t0x27,0x101 "),
        Instruction::parse(WH, "ttsetc16 39, 257")
    );
    let replay = Instruction::parse(WH, "ttreplay 16,16,0,1").unwrap();
    assert_eq!(replay.encode(WH), Ok(0x0404_0101));
}

#[test]
fn operands_of_the_other_chip_have_no_text() {
    let pack = Instruction::parse(WH, "ttpacr 0, 0, 1, 0, 0, 0, 1").unwrap();
    assert_eq!(pack.text(BH).to_string(), "ttpacr ?");
}

#[test]
fn errors_name_the_column() {
    let cases = [
        (
            "sfparecip 0, 0, 0, 0",
            "column 1: wormhole_b0 has no SFPARECIP",
        ),
        ("ttfoo 1", "column 1: unknown instruction `ttfoo`"),
        ("mvmul 0, 0, 0, 0", "column 1: unknown instruction `mvmul`"),
        (
            "ttsfpload 0, 0, 0, 0",
            "column 1: unknown instruction `ttsfpload`",
        ),
        (
            " ttmvmul 0, x, 0, 0",
            "column 13: `x` is not a number; write decimal or 0x…",
        ),
        (
            "ttmvmul 0, 0, , 0",
            "column 15: `` is not a number; write decimal or 0x…",
        ),
        (
            "ttmvmul 0, -1, 0, 0",
            "column 12: `-1` is not a number; write decimal or 0x…",
        ),
        (
            "ttmvmul 0, 0, 4, 0",
            "column 15: MVMUL: addr_mode is 4, but its field holds 0 to 3",
        ),
        (
            "ttmvmul 0, 0, 0",
            "column 1: MVMUL takes 4 operand(s), but 3 were given",
        ),
        ("", "column 1: unknown instruction ``"),
    ];
    for (text, expect) in cases {
        assert_eq!(
            Instruction::parse(WH, text).unwrap_err().to_string(),
            expect,
            "{text:?}"
        );
    }
}
