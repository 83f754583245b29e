use super::*;

fn masks(transposed: bool, reads_per_plane: u32) -> EdgeMasks {
    EdgeMasks {
        faces: Some(Arc::new(std::array::from_fn(|face| {
            std::array::from_fn(|row| (face * 16 + row) as u16)
        }))),
        first_face: 2,
        reads_per_plane,
        transposed,
        to_infinity: false,
    }
}

/// The face and row of each of ten rows.
fn walk(masks: &EdgeMasks) -> Vec<u16> {
    let mut position = Position::default();
    (0..10)
        .map(|_| {
            let here = masks.columns_at(position);
            masks.advance(&mut position, 5);
            assert_eq!(masks.columns_at(position), here);
            masks.advance(&mut position, 11);
            here
        })
        .collect()
}

#[test]
fn positions() {
    assert_eq!(
        walk(&masks(false, 4)),
        [0x20, 0x21, 0x22, 0x23, 0x30, 0x31, 0x32, 0x33, 0x40, 0x41]
    );
    assert_eq!(
        walk(&masks(true, 3)),
        [0x20, 0x30, 0x40, 0x21, 0x31, 0x41, 0x22, 0x32, 0x42, 0x23]
    );
}
