use super::*;
use tessera_isa_tensix::table::*;

/// Row 5 or configuration word 60 or L1 0x100, as a bit mask of what is touched.
const READS_DST: u32 = 1;
const WRITES_DST: u32 = 2;
const READS_L1: u32 = 4;
const WRITES_L1: u32 = 8;
const READS_CFG: u32 = 16;
const WRITES_CFG: u32 = 32;

fn add(
    flights: &mut InFlight,
    thread: usize,
    issued: u64,
    i: Instruction,
    touches: u32,
) -> Result<(), String> {
    let rows = |bit| {
        let mut rows = RowSet::default();
        if touches & bit != 0 {
            rows.insert(5);
        }
        rows
    };
    let words = |bit| {
        let mut words = WordSet::default();
        if touches & bit != 0 {
            words.insert(0, 60);
        }
        words
    };
    let ranges = |bit| {
        let mut ranges = RangeSet::default();
        if touches & bit != 0 {
            ranges.insert(0x100, 16);
        }
        ranges
    };
    let access = AccessLog {
        dst_read: rows(READS_DST),
        dst_write: rows(WRITES_DST),
        config_write: words(WRITES_CFG),
        ..Default::default()
    };
    flights
        .add(Effects {
            thread,
            opcode: i.opcode(),
            issued,
            units: traits(i.opcode()).units(&i),
            behind_requests: false,
            access: &access,
            config: &words(READS_CFG),
            l1_read: &mut ranges(READS_L1),
            l1_write: &mut ranges(WRITES_L1),
            request: None,
        })
        .map_err(|e| e.to_string())
}

fn unpacr(unit: u32) -> Instruction {
    Unpacr {
        unpack_block_selection: unit,
        ..Default::default()
    }
    .into()
}

fn pacr(mask: u32) -> Instruction {
    Pacr {
        pack_sel: mask,
        ..Default::default()
    }
    .into()
}

#[test]
fn conflicts() {
    let mvmul: Instruction = Mvmul::default().into();
    let mova2d: Instruction = Mova2d::default().into();
    let elwadd: Instruction = Elwadd::default().into();
    let sfpload: Instruction = Sfpload::default().into();
    let wrcfg: Instruction = Wrcfg::default().into();
    let xmov: Instruction = Xmov::default().into();
    let loadind: Instruction = Loadind::default().into();
    type Access = (usize, u64, Instruction, u32);
    let cases: &[(Access, Access, Option<&str>)] = &[
        ((1, 0, mvmul, WRITES_DST), (2, 0, pacr(1), READS_DST), Some(
            "hazard: reads Dst row 5 (of 1024) while MVMUL of thread 1 may still access it in the \
             matrix unit; wait for that unit first")),
        ((2, 0, pacr(4), READS_DST), (1, 0, mvmul, WRITES_DST), Some(
            "hazard: writes Dst row 5 (of 1024) while PACR of thread 2 may still access it in \
             packer 2; wait for that unit first")),
        ((2, 0, pacr(1), READS_DST), (2, 1, pacr(2), READS_DST), None),
        ((1, 0, mvmul, WRITES_DST), (1, 1, mvmul, READS_DST | WRITES_DST), None),
        ((0, 0, unpacr(0), READS_L1), (2, 0, pacr(1), WRITES_L1), Some(
            "hazard: writes L1 0x100 while UNPACR of thread 0 may still access it in unpacker 0; \
             wait for that unit first")),
        ((2, 0, pacr(1), WRITES_L1), (0, 0, unpacr(1), READS_L1), Some(
            "hazard: reads L1 0x100 while PACR of thread 2 may still access it in packer 0; wait \
             for that unit first")),
        ((0, 0, unpacr(0), READS_L1), (0, 1, unpacr(1), READS_L1), None),
        ((0, 0, unpacr(0), READS_CFG), (0, 1, wrcfg, WRITES_CFG), Some(
            "hazard: changes configuration word 60 while UNPACR of thread 0 may still access it in \
             unpacker 0; wait for that unit first")),
        ((1, 0, mvmul, READS_CFG), (1, 1, wrcfg, WRITES_CFG), None),
        ((1, 0, mvmul, WRITES_DST), (1, 3, sfpload, READS_DST), Some(
            "hazard: reads Dst row 5 (of 1024) while MVMUL of thread 1 may still access it in the \
             matrix unit; wait for that unit first")),
        ((1, 0, mvmul, WRITES_DST), (1, 4, sfpload, READS_DST), None),
        ((1, 0, sfpload, WRITES_DST), (1, 1, mvmul, READS_DST), None),
        ((1, 0, sfpload, WRITES_DST), (2, 1, mvmul, READS_DST), Some(
            "hazard: reads Dst row 5 (of 1024) while SFPLOAD of thread 1 may still access it in \
             the vector unit; wait for that unit first")),
        ((1, 0, mova2d, WRITES_DST), (1, 3, elwadd, READS_DST), Some(
            "hazard: reads Dst row 5 (of 1024) while MOVA2D of thread 1 may still access it in the \
             matrix unit; wait for that unit first")),
        ((1, 0, mova2d, WRITES_DST), (1, 4, elwadd, READS_DST), None),
        ((1, 0, mova2d, WRITES_DST), (1, 1, mvmul, READS_DST), None),
        ((0, 0, xmov, WRITES_CFG), (0, 1, mvmul, READS_CFG), Some(
            "hazard: uses configuration word 60 while XMOV of thread 0 may still access it in the \
             mover; wait for that unit first")),
        ((0, 0, xmov, WRITES_CFG), (1, 1, wrcfg, WRITES_CFG), Some(
            "hazard: changes configuration word 60 while XMOV of thread 0 may still access it in \
             the mover; wait for that unit first")),
        ((TDMA, 0, xmov, WRITES_L1), (1, 1, loadind, READS_L1), Some(
            "hazard: reads L1 0x100 while TDMA-RISC may still access it in the mover; wait for \
             that unit first")),
        ((0, 0, loadind, READS_L1), (2, 0, pacr(1), WRITES_L1), Some(
            "hazard: writes L1 0x100 while LOADIND of thread 0 may still access it in the scalar \
             unit's memory requests; wait for that unit first")),
    ];
    for (k, (first, second, expect)) in cases.iter().enumerate() {
        let mut flights = InFlight::default();
        add(&mut flights, first.0, first.1, first.2, first.3).unwrap();
        let result = add(&mut flights, second.0, second.1, second.2, second.3);
        assert_eq!(result.err().as_deref(), *expect, "case {k}");
    }
}

#[test]
fn units_fill_and_drain() {
    let mut flights = InFlight::default();
    let all = pacr(15);
    assert_eq!(traits(all.opcode()).units(&all), 0b111_1000);
    assert_eq!(traits(Opcode::Pacr).units(&pacr(0)), 0b1000);
    add(&mut flights, 2, 0, all, 0).unwrap();
    assert!(
        flights.has_room(0b1000)
            && flights.is_busy(0b100_0000, 2)
            && !flights.is_busy(0b100_0000, 1)
    );
    add(&mut flights, 2, 1, pacr(1), 0).unwrap();
    assert!(!flights.has_room(0b1000) && flights.has_room(0b1_0000));
    assert_eq!(flights.retire_oldest(3), Some((2, None)));
    assert!(flights.has_room(0b1000) && flights.is_any_busy(0b1000));
    assert_eq!(flights.retire_oldest(3), Some((2, None)));
    assert_eq!(flights.retire_oldest(3), None);
    assert!(!flights.is_any_busy(0b1000));
}
