use super::*;

#[test]
fn lowest_free_stretch() {
    let mut allocator = Allocator::new(1024);
    assert_eq!(allocator.allocate(100), Some(0));
    assert_eq!(allocator.allocate(1), Some(128));
    assert_eq!(allocator.allocate(64), Some(192));
    allocator.free(128);
    assert_eq!(allocator.allocate(65), Some(256), "too large for the gap");
    assert_eq!(allocator.allocate(64), Some(128), "as large as the gap");
    assert_eq!(allocator.allocate(1024), None);
    assert_eq!(allocator.allocate(641), None);
    assert_eq!(allocator.allocate(640), Some(384));
    assert_eq!(allocator.allocate(u64::MAX), None);
}

proptest::proptest! {
    #[test]
    fn never_overlaps(steps in proptest::collection::vec((1..600_u64, 0..4_usize), 1..60)) {
        let mut allocator = Allocator::new(4096);
        let mut live: Vec<(u64, u64)> = Vec::new();
        for (size, free) in steps {
            if let Some(base) = allocator.allocate(size) {
                proptest::prop_assert!(base % 64 == 0 && base + size <= 4096);
                for &(other, other_size) in &live {
                    proptest::prop_assert!(base + size <= other || other + other_size <= base);
                }
                live.push((base, size));
            }
            if free < live.len() {
                allocator.free(live.swap_remove(free).0);
            }
        }
    }
}
