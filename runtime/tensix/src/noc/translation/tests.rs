use super::*;

/// The columns of DRAM with tables of their own, which the firmware does not use.
#[test]
fn columns_of_dram() {
    let mut words = [0; 32];
    configure(&mut words, 0);
    words[DRAM_TABLE] = 7 << 5;
    words[DRAM_TABLE + 5] = 1 << 10;
    assert_eq!(translate(&words, (9, 1)), (9, 7));
    assert_eq!(translate(&words, (0, 1)), (0, 1));
    words[DRAM_SWAP] = 1 << 2;
    assert_eq!(translate(&words, (0, 2)), (9, 2));
    words[COLUMN_MASK] = 1 << 4;
    assert_eq!(
        (translate(&words, (4, 24)), translate(&words, (5, 24))),
        ((4, 24), (5, 0))
    );
    assert_eq!(translate(&words, (4, 1)), (4, 1));
}
