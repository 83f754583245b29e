use super::*;

#[test]
fn counters_wrap() {
    let bits = [
        (Arch::WormholeB0, [18, 13, 8, 8]),
        (Arch::Blackhole, [18, 13, 13, 13]),
    ];
    for (arch, bits) in bits {
        for (axis, bits) in Axis::ALL.into_iter().zip(bits) {
            let mut c = Channel::new(arch);
            let last = (1 << bits) - 1;
            c.set(axis, last);
            c.add(axis, 2);
            assert_eq!((c.get(axis), c.cr(axis)), (1, last), "{arch} {axis:?}");
            c.carriage_return(axis, 3);
            assert_eq!((c.get(axis), c.cr(axis)), (2, 2), "{arch} {axis:?}");
            c.set(axis, last + 6);
            assert_eq!(c.get(axis), 5, "{arch} {axis:?}");
        }
    }
}

#[test]
fn masks_select() {
    let mut t = ThreadAdcs::new(Arch::WormholeB0);
    t.selected(0b101).for_each(|c| c[1].set(Axis::X, 9));
    let x = |c: &[Channel; 2]| c[1].get(Axis::X);
    assert_eq!(
        [x(&t.unpacker[0]), x(&t.unpacker[1]), x(&t.packers)],
        [9, 0, 9]
    );
}
