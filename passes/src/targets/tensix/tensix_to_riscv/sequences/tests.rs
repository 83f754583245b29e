use super::*;
use tessera_isa_tensix::{rows, Instruction};

#[test]
fn addresses_are_split_as_loads_add_them() {
    for address in [0, 0x7ff, 0x800, 0x16800, 0x17eff, 0xffb2_0000, 0xffff_ffff] {
        let Address { upper, offset } = Address::new(address);
        assert_eq!(upper.wrapping_add_signed(offset), address);
        assert!(upper % 4096 == 0 && (-2048..2048).contains(&offset));
    }
}

#[test]
fn every_instruction_can_be_pushed() {
    for row in rows() {
        ttinsn((row.opcode as u32) << 24 | 0x00ff_ffff);
    }
}

#[test]
fn the_marker_is_set_behind_everything() {
    for (arch, stall) in [
        (Arch::WormholeB0, "ttstallwait 32, 20735"),
        (Arch::Blackhole, "ttstallwait 32, 2591"),
    ] {
        let text = set_marker(arch).map(|word| {
            let instruction = Instruction::decode(arch, word).unwrap();
            instruction.text(arch).to_string()
        });
        assert_eq!(text, [stall, "ttsetdmareg 0, 1, 0, 120"], "{arch}");
    }
}
