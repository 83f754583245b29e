use super::*;

const AT: u32 = map::INTERRUPTS;

#[test]
fn software_and_hardware() {
    let mut p = Pic::new();
    let slot = |k: u32| AT + 0x18 + 4 * k;
    assert!(p.store(slot(3), 7) && Pic::reading_changes(slot(3)) && !Pic::reading_changes(AT));
    assert_eq!((p.load(slot(3)), p.load(slot(3))), (Some(7), Some(0)));
    p.set_nocs([false, true]);
    assert_eq!(
        [0, 1, 2, 3].map(|k| p.load(AT + 0x98 + 4 * k)),
        [Some(0), Some(0), Some(1), Some(0)]
    );
    for (addr, stored, loaded) in [
        (0, u32::MAX, u32::MAX),
        (4, u32::MAX, 15),
        (8, 5, 0),
        (0xa8, 5, 5),
        (0x134, 6, 6),
    ] {
        assert!(p.store(AT + addr, stored));
        assert_eq!(p.load(AT + addr), Some(loaded), "{addr:#x}");
    }
    assert!(p.load(AT + 0x138).is_none() && !p.store(AT + 0x138, 0));
}

#[test]
fn cores_take_them_in_turn() {
    let mut p = Pic::new();
    (0..36).for_each(|k| assert!(p.store(AT + 0xa8 + 4 * k, 0x100 + k)));
    p.store(AT + 0x18, 1);
    p.store(AT + 0x18 + 4 * 9, 1);
    p.set_nocs([true, false]);
    assert_eq!(p.take_interrupt(B), None);
    p.store(AT, 1 | 1 << 9);
    p.store(AT + 4, 2);
    assert_eq!(
        [(); 4].map(|()| p.take_interrupt(B)),
        [9, 33, 0, 9].map(|k| Some(0x100 + k))
    );
    assert_eq!(
        (
            p.load(AT + 8),
            p.take_interrupt(NC),
            p.take_interrupt(map::B + 1)
        ),
        (Some(9), None, None)
    );
    p.store(AT + 0x0c, 1);
    assert_eq!(
        (p.take_interrupt(NC), p.load(AT + 0x14)),
        (Some(0x100), Some(0))
    );
}
