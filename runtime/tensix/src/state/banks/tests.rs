use super::*;

#[test]
fn handover() {
    let mut b = Banks::default();
    assert!(b.unpacker_may_write(Src::A) && !b.matrix_may_read(Src::A));
    b.hand_to_matrix(Src::A, 0, 16).unwrap();
    assert_eq!((b.unpacker_bank(Src::A), b.src_row[0][0]), (1, 16));
    assert_eq!(b.implied_format(Src::A, 0), None);
    assert!(
        b.matrix_may_read(Src::A) && b.unpacker_may_write(Src::A) && !b.matrix_may_read(Src::B)
    );
    b.hand_filled(Src::A, 0, 0, Format::FP8).unwrap();
    assert_eq!(b.implied_format(Src::A, 1), Some(Format::FP8));
    assert!(!b.unpacker_may_write(Src::A));
    assert_eq!(
        b.hand_to_matrix(Src::A, 0, 0).unwrap_err().to_string(),
        "hazard: bank 0 of SrcA is handed to the matrix unit, which still has it"
    );
    assert_eq!(b.left_over().count(), 2);
    b.hand_to_unpacker(Src::A, true, true).unwrap();
    assert_eq!(b.matrix_bank(Src::A), 1);
    b.hand_to_unpacker(Src::A, true, true).unwrap();
    assert_eq!(
        b.hand_to_unpacker(Src::A, true, true)
            .unwrap_err()
            .to_string(),
        "hazard: bank 0 of SrcA is handed back to the unpackers, which already have it"
    );
    assert_eq!(b.left_over().count(), 0);
}
