use super::*;

#[test]
fn even_neighbours_come_first() {
    let of = |shape: &[u64], values: &[i32]| Array {
        shape: shape.to_vec(),
        values: values.iter().map(|&value| value.into()).collect(),
    };
    let numbers: Vec<i32> = (1..=20).collect();
    for (given, dimension, expect) in [
        (
            of(&[8], &numbers[..8]),
            0,
            of(&[8], &[1, 3, 5, 7, 2, 4, 6, 8]),
        ),
        (
            of(&[2, 3], &numbers[..6]),
            1,
            of(&[2, 8], &[1, 3, 0, 0, 2, 0, 0, 0, 4, 6, 0, 0, 5, 0, 0, 0]),
        ),
        (
            of(&[3, 2], &numbers[..6]),
            0,
            of(&[8, 2], &[1, 2, 5, 6, 0, 0, 0, 0, 3, 4, 0, 0, 0, 0, 0, 0]),
        ),
    ] {
        let found = interleaved(&given, dimension, 8);
        assert_eq!((found.shape, found.values), (expect.shape, expect.values));
    }
}
