use super::*;

#[test]
fn spellings() {
    for (text, kind, unsigned) in [
        ("lpassa", AluKind::Passa, false),
        ("ulmin", AluKind::Min, true),
        ("lnot", AluKind::Not, false),
        ("llnot", AluKind::Lnot, false),
        ("hbfe", AluKind::Bfe, false),
        ("udftoi", AluKind::Ftoi, true),
        ("frelu0", AluKind::Relu, false),
        ("immu", AluKind::Immu, false),
        ("sbsr", AluKind::Bsr, false),
    ] {
        let Some(Opcode::Alu(op)) = find(text) else {
            panic!("{text}")
        };
        assert_eq!((op.kind, op.unsigned), (kind, unsigned), "{text}");
    }
    assert_eq!(find("udmax"), None);
}

#[test]
fn the_number_fits_eight_bits() {
    assert!(AluOp::all().len() < 256, "{}", AluOp::all().len());
}
