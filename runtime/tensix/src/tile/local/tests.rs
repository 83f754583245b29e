use super::*;

#[test]
fn code_has_to_be_moved_there() {
    let mut m = CodeMemory::new();
    let text = |r: Result<u32, Fault>| r.unwrap_err().to_string();
    assert_eq!(
        text(m.fetch(map::NC_CODE + 16)),
        "undefined behaviour: there is no code here; nothing has been moved to this place of NC's \
         instruction memory"
    );
    let before = m.version();
    m.write(16, &[0x13, 0, 0, 0]).unwrap();
    assert_eq!(m.fetch(map::NC_CODE + 16), Ok(0x13));
    assert_ne!(m.version(), before);
    assert!(m.fetch(map::NC_CODE + 0x4000).is_err());
    assert_eq!(
        m.write(0x3ff8, &[0; 16]).unwrap_err().to_string(),
        "undefined behaviour: moves 16 bytes to 0x3ff8 of NC's instruction memory, which has 0x4000"
    );
}

#[test]
fn zeros_or_nothing() {
    let zeros = Local::new(16, CheckPolicy::Vendor);
    assert_eq!(zeros.load(map::LOCAL + 4, Width::Word), Ok(0));
    let mut nothing = Local::new(16, CheckPolicy::Strict);
    assert!(nothing.load(map::LOCAL + 4, Width::Byte).is_err());
    nothing.store(map::LOCAL + 4, Width::Byte, 0x1ff).unwrap();
    assert_eq!(nothing.load(map::LOCAL + 4, Width::Byte), Ok(0xff));
    assert!(nothing.store(map::LOCAL + 16, Width::Byte, 0).is_err());
}
