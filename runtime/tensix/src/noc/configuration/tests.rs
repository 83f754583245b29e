use super::*;
use crate::noc::coordinates::{endpoint_id, node_id};
use tessera_isa_tensix::noc::{ID_LOGICAL, TRANSLATE_TABLE};

const WORMHOLE: Arch = Arch::WormholeB0;

/// Another Tensix tile by its name on NoC 0; itself and DRAM as on NoC 1.
#[test]
fn names_of_noc_0() {
    let c = Configuration::new(WORMHOLE, 1, (1, 1), TileNaming::Noc0);
    let tiles = [(1, 2), (8, 10), (9, 0), (4, 6)].map(|named| c.tile(named).unwrap());
    assert_eq!(tiles, [(1, 2), (1, 1), (0, 11), (5, 5)]);
    let c = Configuration::new(WORMHOLE, 0, (1, 1), TileNaming::Noc0);
    assert_eq!(c.tile((8, 10)), Ok((8, 10)));
}

#[test]
fn coordinates() {
    let at = |noc| on_noc(WORMHOLE, noc, (1, 2));
    assert_eq!((at(0), at(1)), ((1, 2), (8, 9)));
    assert_eq!(node_id(WORMHOLE, 0, (1, 2)), 0x1060_a081);
    assert_eq!(node_id(WORMHOLE, 1, (1, 2)), 0x0060_a248);
    let mut c = Configuration::new(WORMHOLE, 1, (1, 2), TileNaming::PerNoc);
    assert_eq!(c.word(ID_LOGICAL), 8 | 9 << 6);
    assert_eq!(c.tile((8, 9)), Ok((1, 2)));
    assert_eq!(
        c.tile((18, 3)).unwrap_err().to_string(),
        "undefined behaviour: makes a NoC request of (18, 3); the NoC has tiles (0, 0) to (9, 11)"
    );
    // As firmware translates 18 and 19: columns 8 and 7, rows 10 and 9 of NoC 1.
    c.set_word(0, 1 << TRANSLATE_BIT);
    c.set_word(TRANSLATE_TABLE + 2, 0x7800);
    c.set_word(TRANSLATE_TABLE + 4 + 2, 0x9a00);
    assert_eq!(c.tile((18, 19)), Ok((1, 2)));
}

/// Translated as the chip's firmware has it, and raw.
#[test]
fn coordinates_of_blackhole() {
    const CHIP: Arch = Arch::Blackhole;
    assert_eq!(node_id(CHIP, 0, (1, 2)), 0x1061_1081);
    assert_eq!(node_id(CHIP, 1, (1, 2)), 0x0061_124f);
    assert_eq!(endpoint_id(CHIP, 1, (10, 3)), Some(0x0101_0015));
    assert_eq!(endpoint_id(CHIP, 0, (0, 3)), None);
    for noc in 0..2 {
        let c = Configuration::new(CHIP, noc, (1, 2), TileNaming::Noc0);
        assert_eq!(c.word(layout(CHIP).id_logical), 1 | 2 << 6);
        // Tensix tiles, DRAM, Ethernet, PCI Express, and the column of processors.
        let named = [
            ((16, 11), (16, 11)),
            ((3, 4), (3, 4)),
            ((17, 12), (9, 0)),
            ((18, 23), (0, 8)),
            ((17, 17), (9, 3)),
            ((20, 25), (1, 1)),
            ((21, 25), (16, 1)),
            ((31, 25), (11, 1)),
            ((19, 24), (2, 0)),
            ((8, 26), (8, 3)),
            ((8, 0), (8, 0)),
        ];
        for (named, tile) in named {
            assert_eq!(c.tile(named), Ok(tile), "{named:?} on NoC {noc}");
        }
        let c = Configuration::new(CHIP, noc, (1, 2), TileNaming::PerNoc);
        assert_eq!(c.tile((3, 4)), Ok([(3, 4), (13, 7)][noc]));
        assert_eq!(
            c.tile((17, 12)).unwrap_err().to_string(),
            "undefined behaviour: makes a NoC request of (17, 12); the NoC has tiles (0, 0) to \
             (16, 11)"
        );
    }
    // X is not translated in the first two rows.
    let tiles =
        [0, 1].map(|noc| Configuration::new(CHIP, noc, (1, 2), TileNaming::Noc0).tile((3, 1)));
    assert_eq!(tiles, [Ok((3, 1)), Ok((13, 1))]);
}
