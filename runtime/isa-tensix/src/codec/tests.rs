use super::*;
use crate::table::*;
use proptest::prelude::*;

const WH: Arch = Arch::WormholeB0;
const BH: Arch = Arch::Blackhole;

/// Words met in the documentation and in disassembled programs. Source: ISA documentation, the
/// diagrams `Bits32_*`; LLK's `assembly.yaml` for Blackhole.
#[test]
fn known_words() {
    let cases: &[(Instruction, u32)] = &[
        (
            Replay {
                start_idx: 16,
                len: 16,
                execute_while_loading: 0,
                load_mode: 1,
            }
            .into(),
            0x0404_0101,
        ),
        (
            Replay {
                start_idx: 0,
                len: 5,
                execute_while_loading: 1,
                load_mode: 1,
            }
            .into(),
            0x0400_0053,
        ),
        (
            Replay {
                start_idx: 0,
                len: 5,
                ..Default::default()
            }
            .into(),
            0x0400_0050,
        ),
        (
            Mop {
                mop_type: 1,
                loop_count: 0,
                zmask_lo16: 0,
            }
            .into(),
            0x0180_0000,
        ),
        (Nop {}.into(), 0x0200_0000),
        (
            Setadczw {
                cnt_set_mask: 3,
                bit_mask: 15,
                ..Default::default()
            }
            .into(),
            0x5460_000f,
        ),
        (
            Setc16 {
                setc16_reg: 39,
                setc16_value: 257,
            }
            .into(),
            0xb227_0101,
        ),
        (Semget { sem_sel: 32 }.into(), 0xa500_0080),
        (
            Setc16 {
                setc16_reg: 5,
                setc16_value: 4,
            }
            .into(),
            0xb205_0004,
        ),
        (
            Rmwcib0 {
                mask: 0xff,
                data: 0x12,
                cfg_reg_addr: 0x34,
            }
            .into(),
            0xb3ff_1234,
        ),
        (
            Stallwait {
                stall_res: 128,
                wait_res: 1,
            }
            .into(),
            0xa240_0001,
        ),
        (
            Mvmul {
                clear_dvalid: 1,
                addr_mode: 3,
                dst: 8,
                ..Default::default()
            }
            .into(),
            0x2641_8008,
        ),
        (
            Elwadd {
                clear_dvalid: 3,
                dest_accum_en: 1,
                instr_mod19: 2,
                addr_mode: 1,
                dst: 0,
            }
            .into(),
            0x28f0_8000,
        ),
    ];
    for (instruction, word) in cases {
        assert_eq!(instruction.encode(WH), Ok(*word), "{instruction:?}");
        assert_eq!(Instruction::decode(WH, *word), Ok(*instruction));
    }
    // Blackhole's fields are others.
    let hand_over = UnpacrNop {
        unpack_block_selection: 1,
        set_dvalid: 1,
        unpack_pop: 1,
        ..Default::default()
    };
    assert_eq!(Instruction::decode(BH, 0x4380_0101), Ok(hand_over.into()));
}

#[test]
fn errors_have_a_reason() {
    let decode = |arch, word| Instruction::decode(arch, word).unwrap_err().to_string();
    assert_eq!(
        decode(WH, 0x0000_0001),
        "word 0x00000001: no instruction has opcode 0x00"
    );
    assert_eq!(
        decode(WH, 0x0210_0001),
        "word 0x02100001: NOP with reserved bits 0x100001 set; they must be zero"
    );
    assert_eq!(
        decode(WH, 0x9900_0000),
        "word 0x99000000: wormhole_b0 has no SFPARECIP"
    );
    assert_eq!(
        decode(WH, 0x0500_0000),
        "word 0x05000000: wormhole_b0 has no RESOURCEDECL"
    );
    assert_eq!(
        decode(WH, 0x5124_0000),
        "word 0x51240000: SETADCXY with reserved bits 0x040000 set; they must be zero"
    );
    assert_eq!(
        decode(WH, 0x1004_0000),
        "word 0x10040000: ZEROACC with reserved bits 0x040000 set; they must be zero"
    );
    assert!(Instruction::decode(BH, 0x1004_0000).is_ok());
    let err = Instruction::from(Mvmul {
        dst: 1024,
        ..Default::default()
    })
    .encode(WH)
    .unwrap_err();
    assert_eq!(
        err.to_string(),
        "MVMUL: dst is 1024, but its field holds 0 to 1023"
    );
    let err = Opcode::Nop.row().encode(WH, &[1]).unwrap_err();
    assert_eq!(err.to_string(), "NOP takes 0 operand(s), but 1 were given");
    let err = Opcode::Sfpgt.row().encode(WH, &[0, 0, 0]).unwrap_err();
    assert_eq!(err.to_string(), "wormhole_b0 has no SFPGT");
    let pack = Instruction::from(Pacr {
        pack_sel: 1,
        ..Default::default()
    });
    assert_eq!(
        pack.encode(BH).unwrap_err().to_string(),
        "PACR has no pack_sel on blackhole; it must be 0"
    );
}

#[test]
#[ignore = "twice four billion words: about two minutes in release"]
fn all_words_decode_to_themselves_or_are_refused() {
    for arch in Arch::ALL {
        for word in 0..=u32::MAX {
            if let Ok(instruction) = Instruction::decode(arch, word) {
                assert_eq!(instruction.encode(arch), Ok(word));
            }
        }
    }
}

/// Every value of every field, the others zero: words, operands and text say the same.
#[test]
fn fields_hold_all_their_values() {
    for arch in Arch::ALL {
        for row in rows().iter().filter(|row| row.is_on(arch)) {
            for (number, field) in row.fields(arch).iter().enumerate() {
                for value in (0..=field.max()).step_by(1 << field.width.saturating_sub(16)) {
                    let word = (row.opcode as u32) << 24 | value << field.low;
                    let i = Instruction::decode(arch, word).unwrap();
                    assert_eq!(i.operands(arch).unwrap()[number], value);
                    assert_eq!(i.encode(arch), Ok(word));
                }
            }
        }
    }
}

fn arch() -> impl Strategy<Value = Arch> {
    prop::sample::select(Arch::ALL.to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn every_word_is_an_instruction_or_refused(
        arch in arch(),
        index in 0..rows().len(),
        bits in 0u32..1 << 24,
    ) {
        let row = &rows()[index];
        let mnemonic = row.mnemonic;
        let word = (row.opcode as u32) << 24 | bits;
        if !row.is_on(arch) {
            let refusal = DecodeError::NotOnArch { word, mnemonic, arch };
            prop_assert_eq!(Instruction::decode(arch, word), Err(refusal));
            return Ok(());
        }
        match Instruction::decode(arch, word) {
            Ok(i) => prop_assert_eq!(i.encode(arch), Ok(word)),
            Err(e) => prop_assert_eq!(e, DecodeError::ReservedBits {
                word, mnemonic, bits: bits & row.reserved_bits(arch) }),
        }
        let clean = word & !row.reserved_bits(arch);
        let i = Instruction::decode(arch, clean).unwrap();
        prop_assert_eq!(i.encode(arch), Ok(clean));
        prop_assert_eq!(Instruction::parse(arch, &i.text(arch).to_string()), Ok(i));
    }

    #[test]
    fn operands_outside_their_field_are_refused(
        arch in arch(), index in 0..rows().len(), which in any::<prop::sample::Index>(),
    ) {
        let row = &rows()[index];
        let fields = row.fields(arch);
        if fields.is_empty() || !row.is_on(arch) { return Ok(()); }
        let k = which.index(fields.len());
        let mut operands = vec![0; fields.len()];
        operands[k] = fields[k].max();
        prop_assert!(row.encode(arch, &operands).is_ok());
        operands[k] += 1;
        prop_assert!(row.encode(arch, &operands).is_err());
    }
}
