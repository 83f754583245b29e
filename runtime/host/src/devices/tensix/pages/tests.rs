use super::*;
use tessera_program::{DataType, MemorySpace};

fn pages(shape: &[u64], data_type: DataType, layout: Layout) -> Pages {
    Pages::new(&TensorDesc {
        name: None,
        shape: shape.to_vec(),
        data_type,
        layout,
        memory: MemorySpace::Dram,
    })
}

#[test]
fn counts_and_sizes() {
    use DataType::{BF16, F32};
    use Layout::{RowMajor, Tile};
    for (shape, data_type, layout, expected) in [
        (&[][..], BF16, Tile, (1, 2048, true)),
        (&[32], BF16, Tile, (1, 2048, true)),
        (&[32, 32], BF16, Tile, (1, 2048, false)),
        (&[33, 65], BF16, Tile, (6, 2048, true)),
        (&[33, 65], F32, Tile, (6, 4096, true)),
        (&[2, 3, 16, 32], BF16, Tile, (6, 2048, true)),
        (&[2, 33, 65], BF16, Tile, (12, 2048, true)),
        (&[2, 3, 64, 32], BF16, Tile, (12, 2048, false)),
        (&[2, 3, 64, 32], F32, Tile, (12, 4096, false)),
        (&[5, 16], BF16, RowMajor, (5, 32, false)),
        (&[5, 17], BF16, RowMajor, (5, 64, true)),
        (&[5, 8], F32, RowMajor, (5, 32, false)),
        (&[5, 17], F32, RowMajor, (5, 96, true)),
    ] {
        let pages = pages(shape, data_type, layout);
        assert_eq!(
            (pages.count(), pages.page_bytes(), pages.has_padding()),
            expected,
            "{shape:?} {data_type} {layout}"
        );
    }
}

/// Places of single elements, by hand.
#[test]
fn tiles_and_faces() {
    let of = |data_type| pages(&[64, 96], data_type, Layout::Tile);
    let (bf16, f32) = (of(DataType::BF16), of(DataType::F32));
    for ((row, column), (page, face, element)) in [
        ((0, 0), (0, 0, 0)),
        ((0, 16), (0, 1, 0)),
        ((16, 0), (0, 2, 0)),
        ((31, 31), (0, 3, 255)),
        ((1, 2), (0, 0, 18)),
        ((0, 32), (1, 0, 0)),
        ((32, 0), (3, 0, 0)),
        ((63, 95), (5, 3, 255)),
    ] {
        let bytes = page * 2048 + face * 512 + element * 2;
        assert_eq!(bf16.offset(row, column), bytes, "{row} {column}");
        assert_eq!(f32.offset(row, column), 2 * bytes, "{row} {column}");
    }
}

#[test]
fn elements_survive_and_padding_is_zero() {
    for layout in [Layout::Tile, Layout::RowMajor] {
        for data_type in [DataType::BF16, DataType::F32] {
            for shape in [
                &[][..],
                &[7],
                &[33, 65],
                &[2, 3, 5],
                &[2, 33, 40],
                &[64, 32],
            ] {
                check_elements(&pages(shape, data_type, layout), shape);
            }
        }
    }
}

#[track_caller]
fn check_elements(pages: &Pages, shape: &[u64]) {
    let count: u64 = shape.iter().product();
    let bytes = |number: u32| number.to_le_bytes().into_iter().take(pages.element);
    let elements: Vec<u8> = (1..=count as u32).flat_map(bytes).collect();
    let mut scattered = pages.scatter(&elements);
    assert_eq!(pages.gather(&scattered), elements, "{pages:?}");
    assert_eq!(pages.dirty_padding(&scattered), None, "{pages:?}");
    if pages.has_padding() {
        let (rows, columns) = pages.padded();
        let rows = pages.matrices * rows;
        let last = pages.offset(rows - 1, columns - 1);
        scattered[last + pages.element - 1] = 0x80;
        let minus_zero = 0x80 << (8 * (pages.element - 1));
        let found = pages.dirty_padding(&scattered);
        assert_eq!(found, Some((rows - 1, columns - 1, minus_zero)));
    }
}
