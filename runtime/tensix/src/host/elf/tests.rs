use super::*;

/// Returns a file with these segments: type, address, bytes.
pub(crate) fn file(entry: u32, segments: &[(u32, u32, &[u8])]) -> Vec<u8> {
    const HEADERS: u32 = 52;
    const SIZE: u32 = 32;
    let mut bytes = [MAGIC, &[1, 1, 1], &[0; 9]].concat();
    let halves = |halves: &[u16]| halves.iter().flat_map(|half| half.to_le_bytes()).collect();
    let words =
        |words: &[u32]| -> Vec<u8> { words.iter().flat_map(|word| word.to_le_bytes()).collect() };
    let start: Vec<u8> = halves(&[EXECUTABLE, RISCV]);
    bytes.extend(start);
    bytes.extend(words(&[1, entry, HEADERS, 0, 0]));
    let end: Vec<u8> = halves(&[52, SIZE as u16, segments.len() as u16, 0, 0, 0]);
    bytes.extend(end);
    let mut offset = HEADERS + SIZE * segments.len() as u32;
    for (kind, address, content) in segments {
        let length = content.len() as u32;
        // The virtual address is another one.
        bytes.extend(words(&[
            *kind,
            offset,
            0xffb0_0000,
            *address,
            length,
            length,
            7,
            4,
        ]));
        offset += length;
    }
    segments
        .iter()
        .for_each(|(.., content)| bytes.extend(*content));
    bytes
}

#[test]
fn segments_are_found() {
    let bytes = file(
        0x104,
        &[
            (1, 0x100, b"abcd"),
            (0x7000_0003, 0, b"xy"),
            (1, 0x200, b""),
            (1, 0x300, b"e"),
        ],
    );
    assert!(Executable::is_one(&bytes));
    let found = Executable::parse(&bytes).unwrap();
    assert_eq!(found.entry, 0x104);
    assert_eq!(found.segments, [(0x100, &b"abcd"[..]), (0x300, b"e")]);
}

#[test]
fn refusals() {
    let whole = file(0, &[(1, 0x100, b"abcd")]);
    // Every truncated file is reported.
    for length in 0..whole.len() {
        assert!(
            matches!(
                Executable::parse(&whole[..length]),
                Err(ElfError::Truncated(end)) if end > length as u64
            ),
            "{length}"
        );
    }
    let with = |at: usize, byte: u8| {
        let mut bytes = whole.clone();
        bytes[at] = byte;
        Executable::parse(&bytes).unwrap_err().to_string()
    };
    for (at, byte, expect) in [
        (
            4,
            2,
            "the ELF file is not for RISC-V of 32 bits, little-endian (class 2, data 1, machine \
             243)",
        ),
        (
            5,
            2,
            "the ELF file is not for RISC-V of 32 bits, little-endian (class 1, data 2, machine \
             243)",
        ),
        (
            18,
            3,
            "the ELF file is not for RISC-V of 32 bits, little-endian (class 1, data 1, machine 3)",
        ),
        (
            16,
            1,
            "the ELF file is of type 1, not an executable (2); link it",
        ),
        (44, 0, "the ELF file has no segment to load"),
        (
            44,
            2,
            "the ELF file ends before byte 0x68, which its headers name",
        ),
        (
            31,
            0xff,
            "the ELF file ends before byte 0xff000048, which its headers name",
        ),
    ] {
        assert_eq!(with(at, byte), expect);
    }
}
