use super::*;

#[test]
fn spellings() {
    let all: Vec<String> = Rrn::all().map(Rrn::mnemonic).collect();
    assert_eq!(all.len(), 24);
    for text in ["dfadd", "fmax", "hmin", "liadd", "sbor", "land", "lor"] {
        assert!(all.iter().any(|m| m == text), "{text}");
    }
    assert_eq!(Rrn::from_mnemonic("gfadd"), None);
    assert_eq!(Rrn::from_mnemonic("dband"), None);
}
