use super::*;

/// Follows the banks through the visits of a product and counts what is unpacked.
#[test]
fn products_keep_what_they_need() {
    for (shape, unpacked) in [
        ([1, 1], 2),
        ([1, 2], 3),
        ([2, 1], 3),
        ([2, 2], 5),
        ([1, 4], 5),
        ([4, 1], 5),
        ([1, 3], 4),
    ] {
        let mut banks: [Option<u32>; 2] = [None; 2];
        let mut count = 0;
        let mut seen = Vec::new();
        for visit in product_visits(shape) {
            for (bank, brought) in banks.iter_mut().zip([visit.srca, visit.srcb]) {
                if let Some(tile) = brought {
                    assert_eq!(bank.replace(tile), None, "{shape:?}: the bank is taken");
                    count += 1;
                }
            }
            let [Some(column), Some(row)] = banks else {
                panic!("{shape:?}: a bank is empty")
            };
            assert_eq!(row * shape[1] + column, visit.tile, "{shape:?}");
            seen.push(visit.tile);
            for (k, bank) in banks.iter_mut().enumerate() {
                if visit.release >> k & 1 != 0 {
                    *bank = None;
                }
            }
        }
        assert_eq!(banks, [None; 2], "{shape:?}: all is handed back");
        seen.sort_unstable();
        assert_eq!(seen, (0..shape[0] * shape[1]).collect::<Vec<_>>());
        assert_eq!(count, unpacked, "{shape:?}");
    }
}
