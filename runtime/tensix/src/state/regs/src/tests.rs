use super::*;

#[test]
fn rows_begin_unknown() {
    let mut src = SrcFile::new(Src::B);
    src.write_row(1, 62, [7; COLUMNS]);
    (0..15).for_each(|column| src.write(1, 63, column, 8));
    assert!(src.row(1, 63).is_err());
    src.write(1, 63, 15, 9);
    assert_eq!(src.rows(1, 62, 2).unwrap()[1][14..], [8, 9]);
    src.forget(1, 63);
    src.write(1, 63, 0, 1);
    assert!(src.row(1, 63).is_err());
    src.rows_mut(1, 60, 4).fill([2; COLUMNS]);
    assert_eq!(src.row(1, 63), Ok(&[2; COLUMNS]));
    assert_eq!(
        src.rows(1, 56, 8).unwrap_err().to_string(),
        "undefined behaviour: reads SrcB bank 1 row 56, which nothing has written; unpack or clear \
         every row that is read"
    );
    assert!(src.row(0, 62).is_err());
    src.fill(0, 1);
    assert_eq!(src.rows(0, 0, 64).unwrap(), [[1; COLUMNS]; 64]);
    src.forget_bank(0);
    assert!((0..64).all(|row| src.row(0, row).is_err()) && src.row(1, 62).is_ok());
}
