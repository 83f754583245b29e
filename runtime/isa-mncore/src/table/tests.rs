use super::*;

#[test]
fn every_mnemonic_is_found() {
    let all = mnemonics();
    assert!(all.len() > 250, "{}", all.len());
    for mnemonic in all {
        assert!(find_opcode(&mnemonic).is_some(), "{mnemonic}");
    }
}

#[test]
fn invalid_mnemonics_are_not_found() {
    for text in [
        "",
        "passa",
        "gpassa",
        "lrsqrt",
        "uland",
        "dvfma",
        "gvadd",
        "fmfmau",
        "hbfn/9",
        "l1bmrgfadd",
        "gmfmar",
        "dfoo",
        "umsl",
        "l1bmr",
        "l2bmr2",
    ] {
        assert_eq!(find_opcode(text), None, "{text}");
    }
}
