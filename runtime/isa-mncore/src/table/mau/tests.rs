use super::*;

#[test]
fn spellings() {
    for text in [
        "dmfmaur", "gmfma", "hvfmar", "dvpassar", "fmmul", "dvmuld", "hvaddr",
    ] {
        let Some(Opcode::Mau(op)) = find(text) else {
            panic!("{text}")
        };
        assert_eq!(op.mnemonic(), text);
        assert!(op.section().starts_with("3.6.9."));
    }
    assert_eq!(find("gmread"), Some(Opcode::Mread(Precision::Pseudo)));
}

#[test]
fn the_number_fits_six_bits() {
    assert!(MauOp::all().len() < 64, "{}", MauOp::all().len());
}
