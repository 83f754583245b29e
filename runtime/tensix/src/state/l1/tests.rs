use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

#[test]
fn counts_writes_of_what_is_watched() {
    let mut l1 = L1::new(Arch::WormholeB0);
    l1.write(0x100, &[0; 0x200]).unwrap();
    assert_eq!(l1.changes(), 0);
    l1.watch(0x204, 4);
    l1.watch(0x11c, 8);
    l1.watch(1464 * 1024 - 4, u32::MAX);
    l1.watch(u32::MAX, 4);
    let mut counts = |addr: u32, len: usize| {
        let before = l1.changes();
        l1.write(addr, &vec![0; len]).unwrap();
        l1.changes() - before
    };
    for (addr, len, expect) in [
        (0x100, 16, 0),
        (0x10c, 8, 1),
        (0x120, 1, 1),
        (0x130, 0xd0, 0),
        (0x200, 4, 1),
        (0x20c, 1, 1),
        (0x210, 0x1000, 0),
        (0x40, 0x1000, 1),
        (1464 * 1024 - 16, 1, 1),
    ] {
        assert_eq!(counts(addr, len), expect, "{addr:#x}, {len}");
    }
}

#[test]
fn reads_what_was_written() {
    let mut l1 = L1::new(Arch::WormholeB0);
    l1.write(0x100, &[1, 2, 3]).unwrap();
    assert_eq!(l1.read(0x101, 2).unwrap(), [2, 3]);
    let text = |r: Result<&[u8], Fault>| r.unwrap_err().to_string();
    assert_eq!(
        text(l1.read(0x10f, 2)),
        "undefined behaviour: reads L1 0x110, which nothing has written"
    );
    assert_eq!(
        text(l1.read(1464 * 1024 - 1, 2)),
        "undefined behaviour: L1 bytes 0x16dfff to 0x16e001 are beyond its end 0x16e000"
    );
    // Notes of pieces are kept by 64 of them.
    l1.write(0x3f0, &[5; 0x420]).unwrap();
    assert_eq!(l1.read(0x3f0, 0x420).unwrap(), [5; 0x420]);
    for (addr, len, missing) in [
        (0x3e0, 0x40, 0x3e0),
        (0x3f0, 0x421, 0x810),
        (0x800, 0x800, 0x810),
    ] {
        assert_eq!(
            text(l1.read(addr, len)),
            format!("undefined behaviour: reads L1 {missing:#x}, which nothing has written")
        );
    }
    assert!(l1.write(u32::MAX, &[0]).is_err());
    assert_eq!(l1.drop_read(0x200, 16), Ok(()));
    assert!(l1.drop_read(1464 * 1024 - 1, 2).is_err());
}

/// L1 that is used again is as new: granules are complete, and changes count from 0.
#[test]
fn cleared_is_as_new() {
    let mut old = L1::new(Arch::WormholeB0);
    old.write(0x100, &[9; 0x80]).unwrap();
    old.watch(0x100, 0x80);
    old.write(0x108, &[8]).unwrap();
    assert_eq!((old.changes(), old.code_version(0x100)), (1, 2));
    let mut l1 = old.cleared();
    assert_eq!((l1.changes(), l1.code_version(0x100)), (0, 0));
    assert!(l1.recorded().0.is_empty() && l1.recorded().1.is_empty());
    assert!(l1.read(0x100, 1).is_err());
    l1.write(0x11c, &[1; 8]).unwrap();
    let expect: Vec<u8> = (0x110..0x130)
        .map(|addr| u8::from((0x11c..0x124).contains(&addr)))
        .collect();
    assert_eq!(l1.read(0x110, 0x20).unwrap(), expect);
    // A second write to a granule keeps the first one.
    l1.write(0x112, &[2, 2]).unwrap();
    assert_eq!(l1.read(0x110, 4).unwrap(), [0, 0, 2, 2]);
    assert_eq!(l1.read(0x11c, 8).unwrap(), [1; 8]);
    assert!(l1.read(0x130, 1).is_err());
    assert_eq!(l1.changes(), 0);
}

proptest! {
    /// Values loaded and stored without records are those of reads and writes, and code versions
    /// and watched changes are counted alike.
    #[test]
    fn unrecorded_accesses(
        accesses in vec((0u32..3 * CODE_PAGE, 0..3usize, any::<u32>(), 0..10u32), 1..60),
    ) {
        let mut quick = L1::new(Arch::WormholeB0);
        let mut plain = quick.clone();
        for (addr, width, value, kind) in accesses {
            let width = [Width::Byte, Width::Half, Width::Word][width];
            let addr = addr - addr % width.bytes();
            let len = width.bytes() as usize;
            match kind {
                0 => [&mut quick, &mut plain].into_iter().for_each(|l1| l1.watch(addr, 4)),
                1..6 => {
                    let bytes = &value.to_le_bytes()[..len];
                    if !quick.store_unrecorded(addr, width, value) {
                        quick.write(addr, bytes).unwrap();
                    }
                    plain.write(addr, bytes).unwrap();
                }
                _ => {
                    let expected = plain.read(addr, len).ok().map(little_endian);
                    prop_assert_eq!(quick.load_unrecorded(addr, width), expected);
                }
            }
            prop_assert_eq!(quick.changes(), plain.changes());
            prop_assert_eq!(quick.code_version(addr), plain.code_version(addr));
        }
        prop_assert_eq!(quick.bytes, plain.bytes);
    }
}
