use super::*;

#[test]
fn slots_follow_one_another() {
    let mut next = 0;
    for place in Place::ALL {
        let (first, count) = place.slots();
        assert_eq!(first, next, "{place:?}");
        next = first + count;
        for bit in 0..count {
            assert_eq!(place.slot(bit).place(), (place, bit));
        }
    }
    assert_eq!(usize::from(next), SLOTS);
    assert_eq!(1 << Place::Address.slots().1, Memory::Dram.words());
}

#[test]
fn names_are_found() {
    for memory in Memory::ALL {
        assert_eq!(Memory::from_name(memory.name()), Some(memory));
    }
    assert_eq!(Memory::from_name("LM2"), None);
    for element in ElementBits::ALL {
        assert_eq!(ElementBits::from_bits(element.bits()), Some(element));
    }
    assert_eq!(Slot::address(3).to_string(), "a3");
}

#[test]
fn fields_of_a_location() {
    let at = Location(2 | 1 << 2 | 5 << 3 | 13 << 6 | 1 << 10 | 3 << 12 | 5 << 14).advanced(2);
    assert_eq!((at.group(), at.l2b(), at.l1b()), (2, 1, 5));
    assert_eq!((at.mab(), at.pe(), at.address()), (13, 1, 7));
    assert_eq!(at.shift(ElementBits::Sixteen), 0);
    assert_eq!(Location(1 << 13).shift(ElementBits::ThirtyTwo), 0);
    assert_eq!(Location(1 << 12).shift(ElementBits::Sixteen), 32);
    assert_eq!(Location(0).shift(ElementBits::SixtyFour), 0);
}
