use super::*;
use crate::geometry::Geometry;

#[test]
fn bytes_come_back_in_memory_order() {
    let bytes: Vec<u8> = (0..=255).cycle().take(CHUNK * 8 + 64).collect();
    for (memory, offset) in [
        (Memory::Pdm(0), 8),
        (Memory::Dram(0), 0x7fff_0000),
        (
            Memory::Dram(0),
            Memory::Dram(0).size() - CHUNK as u64 * 8 - 64,
        ),
    ] {
        let mut board = Board::new(&Geometry::SMALL, false);
        load(&mut board, memory, offset, &bytes).expect("it fits");
        let region = Region {
            memory,
            offset,
            length: bytes.len() as u64,
        };
        let mut saved = Vec::new();
        save(&board, &region, &mut saved).expect("it was written");
        assert!(saved == bytes, "{memory}");
        if memory == Memory::Pdm(0) {
            assert_eq!(board.groups[0].pdm[1], 0x0001_0203_0405_0607);
        }
    }
}

#[test]
fn bad_regions_are_refused() {
    let board = Board::new(&Geometry::SMALL, false);
    for (memory, offset, length, message) in [
        (
            Memory::Pdm(0),
            4,
            8,
            "offset 0x4 is not a multiple of 8: PDM of group 0 consists of long words of 8 bytes",
        ),
        (
            Memory::Pdm(0),
            8,
            9,
            "length 0x9 is not a multiple of 8: PDM of group 0 consists of long words of 8 bytes",
        ),
        (
            Memory::Pdm(0),
            0x3f_fff8,
            16,
            "0x10 bytes from 0x3ffff8 on go beyond the end of PDM of group 0, which has 0x400000 \
             bytes",
        ),
        (
            Memory::Dram(0),
            u64::MAX - 7,
            8,
            "0x8 bytes from 0xfffffffffffffff8 on go beyond the end of DRAM of group 0, which has \
             0x100000000 bytes",
        ),
        (
            Memory::Dram(1),
            0,
            8,
            "there is no DRAM of group 1: this machine has 1 groups",
        ),
        (
            Memory::Dram(0),
            64,
            8,
            "DRAM of group 0 was never written at byte 0x40; write it first, or begin with zeros",
        ),
    ] {
        let region = Region {
            memory,
            offset,
            length,
        };
        let mut saved = Vec::new();
        let error = save(&board, &region, &mut saved).expect_err(message);
        assert_eq!((error.to_string().as_str(), saved.len()), (message, 0));
    }
}
