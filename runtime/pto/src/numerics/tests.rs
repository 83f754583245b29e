use super::*;
use crate::kernel::{Reduce, Unary};

#[test]
fn bf16_rounds_ties_away_from_zero_in_one_step() {
    const SMALLEST: f64 = f32::from_bits(1 << 16) as f64;
    for (number, expect) in [
        (1.0, 1.0),
        (1.0 + 2f64.powi(-8), 1.0 + 2f64.powi(-7)),
        (-1.0 - 2f64.powi(-8), -1.0 - 2f64.powi(-7)),
        // Just below the tie; as an f32 it would be the tie.
        (1.0 + 2f64.powi(-8) - 2f64.powi(-40), 1.0),
        (255.5, 256.0),
        (3.5e38, f64::INFINITY),
        (3.39e38, f32::from_bits(0x7f7f_0000).into()),
        // The tie between the largest bf16 and what would be next.
        (-511.0 * 2f64.powi(119), f64::NEG_INFINITY),
        (
            -511.0 * 2f64.powi(119) + 2f64.powi(76),
            f32::from_bits(0xff7f_0000).into(),
        ),
        (2f64.powi(-133), SMALLEST),
        (2f64.powi(-134), SMALLEST),
        (2f64.powi(-135), 0.0),
        (-2f64.powi(-300), 0.0),
        (f64::NEG_INFINITY, f64::NEG_INFINITY),
    ] {
        assert_eq!(round(Element::Bf16, number), expect, "{number:e}");
    }
    assert!(round(Element::Bf16, f64::NAN).is_nan());
    assert_eq!(round(Element::F32, 1.0 + 2f64.powi(-24)), 1.0);
}

#[test]
fn integers_are_rounded_toward_zero_and_saturate() {
    for (number, expect) in [
        (-1.9, -1),
        (1.9, 1),
        (3e9, i32::MAX),
        (f64::NEG_INFINITY, i32::MIN),
        (f64::NAN, 0),
    ] {
        assert_eq!(round(Element::I32, number), f64::from(expect), "{number:e}");
    }
}

fn numbers(r#type: TileType) -> Tile {
    let next = std::cell::Cell::new(0.0);
    tile(r#type, |_, _| next.replace(next.get() + 1.0))
}

#[test]
fn parts_join_to_the_whole() {
    for (rows, columns) in [(4, 6), (5, 7), (1, 1), (32, 32)] {
        let r#type = TileType::full(rows, columns, Element::F32);
        let whole = numbers(r#type);
        for split in [Split::None, Split::UpDown, Split::LeftRight] {
            let parts: Vec<_> = (0..split.lanes())
                .map(|lane| Numbers::part(&whole, r#type, split, lane))
                .collect();
            assert_eq!(Numbers::join(&parts, r#type, split), whole, "{split:?}");
        }
    }
}

#[test]
fn every_matrix_begins_with_a_tile_of_its_own() {
    let r#type = TensorType {
        matrices: 3,
        rows: 5,
        columns: 3,
        element: Element::F32,
    };
    let mut tensor = Numbers::zeros(r#type);
    let elements = tensor.elements.iter_mut().zip(1u8..);
    elements.for_each(|(element, number)| *element = f64::from(number));
    // The tile with the last row and the last column of the second matrix.
    for (rows, columns, tiles, place, expect) in [
        (
            4,
            2,
            [6, 2],
            [3, 1],
            vec![30.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        ),
        (
            3,
            3,
            [6, 1],
            [3, 0],
            vec![25.0, 26.0, 27.0, 28.0, 29.0, 30.0, 0.0, 0.0, 0.0],
        ),
        (1, 4, [15, 1], [9, 0], vec![28.0, 29.0, 30.0, 0.0]),
        (5, 1, [3, 3], [1, 2], vec![18.0, 21.0, 24.0, 27.0, 30.0]),
    ] {
        let tile = TileType::full(rows, columns, Element::F32);
        assert_eq!(r#type.tiles(tile.shape()), tiles);
        assert_eq!(Numbers::load(&tensor, place, tile)[..], expect);
        let before = tensor.clone();
        for row in 0..tiles[0] {
            for column in 0..tiles[1] {
                let loaded = Numbers::load(&before, [row, column], tile);
                Numbers::store(&mut tensor, [row, column], &loaded, tile);
            }
        }
        assert_eq!(tensor, before);
        let mut changed = tensor.clone();
        let sevens: Tile = vec![7.0; expect.len()].into();
        Numbers::store(&mut changed, place, &sevens, tile);
        assert_eq!((changed.elements[29], changed.elements[30]), (7.0, 31.0));
    }
}

#[test]
fn invalid_elements_are_zero_and_not_reduced() {
    let source = TileType {
        valid: [2, 3],
        ..TileType::full(4, 4, Element::F32)
    };
    let whole = tile(source, |row, column| -((row * 3 + column) as f64) - 1.0);
    assert_eq!(whole[3], 0.0);
    let column = TileType {
        valid: [2, 1],
        ..TileType::full(4, 1, Element::F32)
    };
    let compute = Compute::Reduce(Reduce::Max, Axis::Columns);
    let most = Numbers::compute(compute, &[(&whole, source)], column);
    assert_eq!(most[..], [-1.0, -4.0, 0.0, 0.0]);
    let exp = Numbers::compute(Compute::Unary(Unary::Exp), &[(&whole, source)], source);
    assert_eq!((exp[3], exp[15]), (0.0, 0.0));
}
