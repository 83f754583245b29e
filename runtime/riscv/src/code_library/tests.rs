use super::*;
use crate::bus::CODE_PAGE;
use crate::page_code::WORDS;

fn page(byte: u8) -> Vec<u8> {
    vec![byte; CODE_PAGE as usize]
}

fn find(library: &CodeLibrary, isa: Isa, number: u32, bytes: &[u8]) -> Option<Arc<PageCode>> {
    library.find(Contents { isa, number, bytes })
}

/// `addi x0, x0, 0` in all words.
fn nops() -> Vec<u8> {
    0x13_u32.to_le_bytes().repeat(WORDS)
}

#[test]
fn the_second_core_shares() {
    let library = CodeLibrary::new();
    assert!(find(&library, Isa::WORMHOLE, 3, &nops()).is_none());
    let second = find(&library, Isa::WORMHOLE, 3, &nops()).unwrap();
    let third = find(&library, Isa::WORMHOLE, 3, &nops()).unwrap();
    assert!(Arc::ptr_eq(&second, &third));
    assert!(second.decoded.iter().all(|decoded| decoded.op.is_some()));
}

#[test]
fn only_equal_contents_are_shared() {
    let library = CodeLibrary::new();
    let mut other = nops();
    for k in 0..other.len() {
        for number in [3, 4] {
            assert!(
                find(&library, Isa::WORMHOLE, number, &other).is_none(),
                "{k}"
            );
        }
        other[k] ^= 1;
    }
    // The same bytes at the same place are other instructions for another kind of core.
    find(&library, Isa::WORMHOLE, 9, &page(0))
        .ok_or(())
        .unwrap_err();
    assert!(find(&library, Isa::WORMHOLE, 9, &page(0)).is_some());
    assert!(find(&library, Isa::BLACKHOLE, 9, &page(0)).is_none());
}

#[test]
fn contents_are_forgotten() {
    let library = CodeLibrary::new();
    let known = |number| find(&library, Isa::WORMHOLE, number, &nops()).is_some();
    assert!(!known(0) && known(0));
    (1..MAX_CONTENTS as u32).for_each(|number| assert!(!known(number)));
    assert!(known(0) && !known(MAX_CONTENTS as u32) && !known(0) && known(0));
}
