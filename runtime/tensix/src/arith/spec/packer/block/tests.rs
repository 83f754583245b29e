use super::*;

fn block_of(first: &[u16], bits: u32) -> Block {
    let mut datums = [0; DATUMS];
    datums[..first.len()].copy_from_slice(first);
    Block::from_datums(datums, bits)
}

#[test]
fn datums_share_the_greatest_exponent() {
    // 1, −1.5, 0.0078125 (seven lower), 0.0039 (eight lower), the largest below 2, −2^-7 · 1.0,
    // a denormal.
    let datums = [0x3F80, 0xBFC0, 0x3C00, 0x3B80, 0x3FFF, 0xBC00, 0x807F];
    let block = block_of(&datums, 8);
    assert_eq!(block.exponent, 127);
    assert_eq!(block.datums[..7], [0x40, 0xE0, 1, 0, 0x7F, 0x81, 0]);
    assert_eq!(block_of(&datums, 4).datums[..7], [4, 0xE, 0, 0, 7, 0, 0]);
    assert_eq!(block_of(&datums, 2).datums[..7], [1, 3, 0, 0, 1, 0, 0]);
}

#[test]
fn ties_go_away_from_zero() {
    // Mantissas 1.0000001 at shared exponent: 0x81 / 2 rounds up; one exponent lower: 0x82 / 4.
    assert_eq!(
        block_of(&[0x3F81, 0xBF82, 0x3F02, 0x3F01], 8).datums[..4],
        [0x41, 0xC1, 0x21, 0x20]
    );
    assert_eq!(
        block_of(&[0xFF80, 0xFFFF], 8),
        Block {
            exponent: 255,
            datums: {
                let mut d = [0; 16];
                d[0] = 0xC0;
                d[1] = 0xFF;
                d
            }
        }
    );
}

#[test]
fn several_datums_fill_a_byte() {
    let datums = [0x3F80, 0xBFC0, 0, 0, 0x3FC0];
    assert_eq!(block_of(&datums, 8).bytes(8)[..5], [0x40, 0xE0, 0, 0, 0x60]);
    assert_eq!(block_of(&datums, 4).bytes(4)[..3], [0xE4, 0, 6]);
    assert_eq!(block_of(&datums, 2).bytes(2)[..2], [0b1101, 1]);
}
