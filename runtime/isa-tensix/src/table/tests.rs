use super::*;

#[test]
fn rows_are_well_formed() {
    let mut opcodes = std::collections::BTreeSet::new();
    let mut mnemonics = std::collections::BTreeSet::new();
    for row in rows() {
        assert!(
            opcodes.insert(row.opcode as u8),
            "{}: opcode taken",
            row.mnemonic
        );
        assert!(
            mnemonics.insert(row.mnemonic),
            "{}: mnemonic taken",
            row.mnemonic
        );
        for arch in Arch::ALL {
            assert!(row.fields(arch).len() <= MAX_OPERANDS, "{}", row.mnemonic);
            let mut seen = 0u32;
            for field in row.fields(arch) {
                assert!(
                    field.low + field.width <= 24,
                    "{}.{}",
                    row.mnemonic,
                    field.name
                );
                assert_eq!(
                    seen & field.mask(),
                    0,
                    "{}.{} overlaps",
                    row.mnemonic,
                    field.name
                );
                seen |= field.mask();
                assert!(field
                    .name
                    .bytes()
                    .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_'));
            }
        }
    }
}

#[test]
fn lookups_agree() {
    for row in rows() {
        assert_eq!(row.opcode.row().mnemonic, row.mnemonic);
        assert_eq!(
            Row::by_mnemonic(&row.mnemonic.to_lowercase())
                .unwrap()
                .opcode,
            row.opcode
        );
    }
    assert!(row_of_byte(0x00).is_none());
    assert!(Row::by_mnemonic("mvmul")
        .unwrap()
        .field(Arch::Blackhole, "dst")
        .is_some());
    assert!(Row::by_mnemonic("mvmul")
        .unwrap()
        .field(Arch::Blackhole, "nope")
        .is_none());
}
