use tessera_isa_mncore::ast::Pattern;

use super::*;

const LANES: usize = 16;

fn block() -> Block {
    let id = BlockId {
        group: 1,
        l2b: 1,
        l1b: 1,
    };
    Block::new(&Geometry::SMALL, id)
}

/// A bus whose words encode cycle, half and lane.
fn numbered() -> Bus {
    let mut bus = Bus::new(LANES);
    for cycle in 0..CYCLES {
        let (high, low) = bus.cycle_mut(cycle);
        for lane in 0..LANES {
            high[lane] = 0x1111_0000_2222_0000 | (cycle << 32 | lane) as u64;
            low[lane] = 0x3333_0000_4444_0000 | (cycle << 32 | lane) as u64;
        }
    }
    bus
}

fn operand(bank: Bank, width: Width, addresses: [u16; 4], modify: Modify) -> MemoryOperand {
    MemoryOperand {
        bank,
        width,
        pattern: Pattern::Flat(addresses),
        modify,
    }
}

fn grf(width: Width, addresses: [u16; 4]) -> MemoryOperand {
    operand(Bank::Grf1, width, addresses, Modify::None)
}

#[test]
fn written_words_are_read_at_their_width() {
    for (width, address) in [
        (Width::Single, [0, 1, 2, 511]),
        (Width::Long, [0, 510, 4, 6]),
        (Width::Double, [0, 4, 508, 100]),
    ] {
        let mut block = block();
        let (written, flags) = (numbered(), Flags::new(LANES));
        let access = grf(width, address);
        block.write(&Target::Memory(access), &written, &flags, None);
        let mut bus = Bus::new(LANES);
        let read = block.read(&Source::Memory(access), 64, &mut bus);
        for cycle in 0..CYCLES {
            let (high, low) = written.cycle(cycle);
            let kept = if width == Width::Single {
                0xffff_ffff << 32
            } else {
                u64::MAX
            };
            let (got_high, got_low) = read.cycle(cycle);
            for lane in 0..LANES {
                assert_eq!(got_high[lane], high[lane] & kept, "{width:?} {cycle}");
                let expect = if width == Width::Double { low[lane] } else { 0 };
                assert_eq!(got_low[lane], expect, "{width:?} {cycle}");
            }
        }
    }
}

#[test]
fn masked_writes_leave_the_rest() {
    let mut mask = Flags::new(LANES);
    mask.set_cycles([true, false, true, false]);
    let mut block = block();
    let access = grf(Width::Double, [0, 4, 8, 12]);
    let target = Target::Memory(access);
    let (bus, flags) = (numbered(), Flags::new(LANES));
    block.write(&target, &bus, &flags, Some((&mask, MaskWidth::Long)));
    let (high, low) = bus.cycle(1);
    assert_eq!(block.memory[Bank::Grf1 as usize].plane(0), bus.cycle(0).0);
    assert_eq!(block.memory[Bank::Grf1 as usize].plane(2), [0; LANES]);
    assert_eq!(
        block.memory[Bank::Grf1 as usize].plane(3),
        low,
        "padded: the mask is long"
    );
    block.write(&target, &bus, &flags, Some((&mask, MaskWidth::TwoLong)));
    assert_eq!(block.memory[Bank::Grf1 as usize].plane(2), [0; LANES]);
    block.write(&target, &bus, &flags, None);
    assert_eq!(block.memory[Bank::Grf1 as usize].plane(2), high);
}

#[test]
fn local_memory_adds_base_indirection_and_neighbour() {
    let mut block = block();
    for index in 0..2048 {
        let planes = &mut block.memory[Bank::Lm0 as usize];
        planes.plane_mut(index).fill(index as u64);
    }
    let read = |block: &Block, address: u16, modifier| {
        let operand = operand(Bank::Lm0, Width::Long, [address; 4], modifier);
        let mut bus = Bus::new(LANES);
        let words = block.read(&Source::Memory(operand), 64, &mut bus);
        let high = words.cycle(2).0;
        [high[0], high[1], high[2], high[3]]
    };
    assert_eq!(read(&block, 10, Modify::None), [5; 4]);
    assert_eq!(read(&block, 10, Modify::UpToPe(1)), [6, 6, 5, 5]);
    block.t.cycle_mut(2).0[1] = 7;
    block.t.cycle_mut(2).0[3] = (1 << 40) + 4095;
    assert_eq!(read(&block, 0, Modify::T), [0, 3, 0, 2047]);
    // The base address register takes 12 bits of the word at the top.
    let mut bus = Bus::new(LANES);
    for cycle in 0..CYCLES {
        bus.cycle_mut(cycle).0.fill(0xffff_f004_0000_0008);
    }
    let flags = Flags::new(LANES);
    let base = |width| Target::Base(Bank::Lm0, width);
    block.write(&base(Width::Single), &bus, &flags, None);
    assert_eq!(read(&block, 10, Modify::None), [7; 4]);
    block.write(&base(Width::Long), &bus, &flags, None);
    assert_eq!(read(&block, 10, Modify::None), [9; 4]);
    assert_eq!(read(&block, 4094, Modify::None), [3; 4], "around the end");
}

#[test]
fn mask_registers_take_flags_and_the_mask() {
    let mut block = block();
    let (mut flags, mut mask) = (Flags::new(LANES), Flags::new(LANES));
    flags.cycle_mut(0).fill(0b1010);
    flags.cycle_mut(1).fill(0b1010);
    mask.set_cycles([true, false, true, true]);
    let bus = Bus::new(LANES);
    let mask = Some((&mask, MaskWidth::Long));
    block.write(&Target::MaskRegister(3), &bus, &flags, mask);
    let got: Vec<_> = (0..CYCLES)
        .map(|cycle| block.masks[3].cycle(cycle)[5])
        .collect();
    assert_eq!(got, [0b1010, 0, 0, 0]);
}

#[test]
fn fixed_inputs_fill_both_long_words() {
    for (fixed, bits, lane, expect) in [
        (Fixed::L2bId, 64, 0, 3),
        (Fixed::L1bId, 16, 0, 0x0001_0001_0001_0001),
        (Fixed::MabId, 64, 9, 2),
        (Fixed::PeId, 32, 9, 0x0000_0009_0000_0009),
        (Fixed::SubPeId, 64, 9, 1),
        (Fixed::Msb1, 32, 0, 0x8000_0000_8000_0000),
        (Fixed::Msb1, 64, 0, 1 << 63),
    ] {
        let mut bus = Bus::new(LANES);
        let block = block();
        let (high, low) = block.read(&Source::Fixed(fixed), bits, &mut bus).cycle(3);
        assert_eq!((high[lane], low[lane]), (expect, expect), "{fixed:?}");
    }
}
