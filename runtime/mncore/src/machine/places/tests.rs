use tessera_isa_mncore::memory::Bank;

use super::*;
use crate::geometry::Geometry;
use crate::machine::Options;

const BLOCK: BlockId = BlockId {
    group: 0,
    l2b: 1,
    l1b: 1,
};

fn machine() -> Machine {
    Machine::new(Options {
        geometry: Geometry::SMALL,
        ..Options::default()
    })
}

#[test]
fn a_write_changes_its_place_only() {
    let pe = |mab, pe, address| Place::Pe {
        block: BLOCK,
        mab,
        pe,
        bank: Bank::Grf1,
        address,
    };
    // A place, the last of its memory, and another one.
    for (place, last, other) in [
        (
            Place::Pdm {
                group: 0,
                address: 3,
            },
            Place::Pdm {
                group: 0,
                address: (512 << 10) - 1,
            },
            Place::Dram {
                group: 0,
                address: 8,
            },
        ),
        (
            Place::Dram {
                group: 0,
                address: 3,
            },
            Place::Dram {
                group: 0,
                address: (512 << 20) - 1,
            },
            Place::Pdm {
                group: 0,
                address: 3,
            },
        ),
        (
            Place::L2bm {
                group: 0,
                l2b: 1,
                address: 3,
            },
            Place::L2bm {
                group: 0,
                l2b: 1,
                address: (32 << 10) - 1,
            },
            Place::L2bm {
                group: 0,
                l2b: 0,
                address: 3,
            },
        ),
        (
            Place::L1bm {
                block: BLOCK,
                address: 3,
            },
            Place::L1bm {
                block: BLOCK,
                address: (8 << 10) - 1,
            },
            Place::L1bm {
                block: BlockId { l1b: 0, ..BLOCK },
                address: 3,
            },
        ),
        (pe(2, 3, 3), pe(2, 3, 255), pe(2, 2, 3)),
    ] {
        let mut machine = machine();
        machine.set(other, &[9, 9]).unwrap();
        machine.set(place, &[1, 2]).unwrap();
        machine.set(last, &[3, 4]).unwrap();
        let mut words = [0; 2];
        machine.get(place, &mut words).unwrap();
        assert_eq!(words, [1, 2], "{place:?}");
        machine.get(last, &mut words).unwrap();
        assert_eq!(words, [3, 4], "{last:?} goes around");
        machine.get(other, &mut words).unwrap();
        assert_eq!(words, [9, 9], "{other:?}");
    }
}

#[test]
fn places_that_are_not_there() {
    let pe = |block, mab, pe| Place::Pe {
        block,
        mab,
        pe,
        bank: Bank::Lm0,
        address: 0,
    };
    let mut machine = machine();
    for (place, expect) in [
        (
            Place::Pdm {
                group: 1,
                address: 0,
            },
            "there is no group 1 on this machine, which has 1",
        ),
        (
            Place::L2bm {
                group: 0,
                l2b: 2,
                address: 0,
            },
            "there is no L2B 2 on this machine, which has 2",
        ),
        (
            pe(BlockId { l1b: 2, ..BLOCK }, 0, 0),
            "there is no L1B 2 on this machine, which has 2",
        ),
        (
            pe(BLOCK, 4, 0),
            "there is no MAB 4 on this machine, which has 4",
        ),
        (
            pe(BLOCK, 0, 4),
            "there is no PE 4 on this machine, which has 4",
        ),
    ] {
        let read = machine.get(place, &mut [0]).expect_err(expect);
        assert_eq!(read.to_string(), expect);
        assert_eq!(machine.set(place, &[0]), Err(read));
    }
    let dram = Place::Dram {
        group: 0,
        address: 5,
    };
    let read = machine
        .get(dram, &mut [0])
        .expect_err("it was never written");
    assert!(matches!(
        read,
        Reason::NeverWritten {
            group: 0,
            address: 5
        }
    ));
}
