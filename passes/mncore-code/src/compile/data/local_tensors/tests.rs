use super::*;

fn shapes(columns: &[u32]) -> Vec<LocalShape> {
    let shape = |(number, &columns): (usize, &u32)| LocalShape {
        columns,
        is_product: number == 0,
    };
    columns.iter().enumerate().map(shape).collect()
}

/// Returns the memory, the first word and the number of words of each tensor.
fn ranges(columns: &[u32], steps: u32) -> Option<Vec<(Bank, u32, u32)>> {
    let shapes = shapes(columns);
    let found = allocate(&shapes, steps, Bank::Lm1)?;
    let words = shapes
        .iter()
        .map(|shape| shape.vectors() * steps * VECTOR_WORDS);
    let ranges = found.iter().zip(words);
    Some(
        ranges
            .map(|(local, words)| (local.bank, local.first, words))
            .collect(),
    )
}

#[test]
fn tensors_are_apart() {
    for (columns, steps) in [
        (&[128, 1, 128, 1, 128][..], 1),
        (&[128, 1, 128, 1, 128], 4),
        (&[992, 1, 992, 1, 992], 1),
        (&[1536, 1536], 1),
        (&[768, 768, 768, 768], 1),
        (&[1, 1, 1, 1], 32),
    ] {
        let found = ranges(columns, steps).unwrap_or_else(|| panic!("{columns:?}"));
        for (number, (bank, first, words)) in found.iter().enumerate() {
            let region = if *bank == Bank::Lm0 {
                LOCAL_LM0
            } else {
                LOCAL_LM1
            };
            assert!(
                *first >= region.start && first + words <= region.end(),
                "{columns:?}: {found:?}"
            );
            for (other, start, length) in &found[..number] {
                let apart = bank != other || first + words <= *start || start + length <= *first;
                assert!(apart, "{columns:?}: {found:?}");
            }
        }
    }
}

#[test]
fn memories_alternate() {
    let found = ranges(&[64, 1, 64, 1, 64], 1).expect("they are small");
    let banks: Vec<Bank> = found.iter().map(|(bank, ..)| *bank).collect();
    assert_eq!(banks[0], Bank::Lm1);
    assert_eq!(banks[2], Bank::Lm0);
    assert_eq!(banks[4], Bank::Lm1);
}

#[test]
fn what_is_too_large_is_refused() {
    for (columns, fits) in [
        (&[992, 1, 992, 1, 992][..], true),
        (&[1000, 1, 1000, 1, 1000], false),
        (&[1792], true),
        (&[1793], true),
        (&[2049], false),
    ] {
        assert_eq!(holds_local_tensors(&shapes(columns)), fits, "{columns:?}");
    }
}

#[test]
fn vectors_fill_tiles_of_products() {
    for (columns, is_product, expect) in [
        (1, true, 1),
        (2, true, 4),
        (40, true, 8),
        (40, false, 8),
        (70, true, 16),
        (70, false, 12),
        (257, true, 64),
        (257, false, 36),
    ] {
        let shape = LocalShape {
            columns,
            is_product,
        };
        assert_eq!(shape.vectors(), expect, "{shape:?}");
    }
}
