use super::*;

#[test]
fn places() {
    let cases = [
        ("T1:0x6100", Break::Pc(2, 0x6100)),
        ("NC:0xffc00000", Break::Pc(4, 0xffc0_0000)),
        ("mvmul", Break::Instruction(Opcode::Mvmul, 1)),
        ("PACR:12", Break::Instruction(Opcode::Pacr, 12)),
    ];
    for (text, expect) in cases {
        assert_eq!(text.parse(), Ok(expect), "{text}");
    }
    for text in [
        "", "T1", "T1:6100", "T3:0x0", "MVMULL", "MVMUL:x", "MVMUL:0",
    ] {
        assert_eq!(
            text.parse::<Break>().unwrap_err().to_string(),
            format!(
                "{text:?} is not a breakpoint; write CORE:ADDRESS, such as T1:0x6100, or MNEMONIC \
                 or MNEMONIC:COUNT, such as MVMUL:16"
            )
        );
    }
}
