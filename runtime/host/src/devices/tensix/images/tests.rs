use super::*;

const CHIP: Arch = Arch::WormholeB0;

fn share(place: [u32; 2]) -> GridShare {
    GridShare {
        pieces: [16, 8],
        size: [8, 8],
        place,
    }
}

#[test]
fn rectangles_of_pieces() {
    let bounds = |place| {
        let share = share(place);
        [0, 1].map(|axis| [share.begin(axis, 0), share.begin(axis, 1)])
    };
    assert_eq!(bounds([0, 0]), [[0, 2], [0, 1]]);
    assert_eq!(bounds([7, 3]), [[14, 16], [3, 4]]);
}

/// A column from (2, 1) to (2, 11) on NoC 0; a row from (1, 2) to (9, 2), whose coordinates on NoC
/// 1 count from the other end.
#[test]
fn rectangles_of_tiles() {
    let share = share([1, 1]);
    let word = |[x, y]: [u32; 2]| x << 4 | y << 10;
    let expect = |start, end| word(end) | word(start) << 12;
    assert_eq!(share.rectangle(CHIP, 0), expect([2, 1], [2, 11]));
    assert_eq!(share.rectangle(CHIP, 1), expect([0, 9], [8, 9]));
}

/// The last tile of the last row is at (0, 0) of NoC 1, so that 0 is its address.
#[test]
fn senders_and_receivers() {
    let address = |place, noc| share(place).sender_address(CHIP, noc);
    assert_eq!(address([7, 0], 1), 0);
    assert_eq!(address([7, 7], 1), u32::MAX);
    assert_eq!(address([7, 7], 0), 9 << 4 | 1 << 10);
    let count = |place, noc| share(place).receiver_count(noc);
    assert_eq!([count([7, 7], 0), count([7, 7], 1)], [0, 7]);
    assert_eq!([count([0, 7], 0), count([0, 7], 1)], [7, 0]);
}
