//! Refused instructions and configurations, with the exact messages.

use super::*;

/// A change of the configuration, an instruction, the message.
type Refusal = (fn(&mut Bench), &'static str, &'static str);

#[test]
fn refusals() {
    use cfg::*;
    let rows: &[Refusal] = &[
        (
            |b| b.core.regs.last_src_a_row = None,
            "ttshiftxa 0, 2",
            "undefined behaviour: SHIFTXA where the instruction that chooses its rows is a move \
             between SrcB and Dst, or none; put one that reads SrcA before it",
        ),
        (
            |b| b.run("ttzeroacc 3, 0, 0\n ttmova2d 1, 16, 0, 2, 0"),
            "ttshiftxa 0, 0",
            "undefined behaviour: SHIFTXA in mode 0; 2 shifts to the right, 3 to the left",
        ),
        (
            |_| (),
            "ttgmpool 0, 0, 0, 0, 0",
            "undefined behaviour: GMPOOL with instr_mod19 = 0; the documentation has 1",
        ),
        (
            |_| (),
            "ttgapool 0, 1, 0, 1, 0",
            "undefined behaviour: GAPOOL with indices (max_pool_index_en = 1); sums have none",
        ),
        (
            |b| b.core.banks.hand_to_unpacker(Src::A, true, true).unwrap(),
            "ttmovb2a 0, 0, 0, 0",
            "hazard: writes a bank of SrcA that the unpacker has; STALLWAIT for the bank before \
             the move",
        ),
        (
            |b| b.set_thread(FP16A_FORCE_Enable, 1),
            "ttmvmul 0, 0, 0, 0",
            "not modelled: FP16A_FORCE_Enable; clear it",
        ),
        (
            |b| b.set(ALU_FORMAT_SPEC_REG_SrcB_override, 1),
            "ttmvmul 0, 0, 0, 0",
            "not modelled: the SrcB format override (ALU_FORMAT_SPEC_REG_SrcB_override, word 0, is \
             1 and must be 0)",
        ),
        (
            |b| b.set(ALU_ROUNDING_MODE_Fpu_srnd_en, 1),
            "ttmvmul 0, 0, 0, 0",
            "not modelled: stochastic rounding in the matrix unit (ALU_ROUNDING_MODE_Fpu_srnd_en, \
             word 1, is 1 and must be 0)",
        ),
        (
            |b| {
                b.set(ALU_ACC_CTRL_Zero_Flag_disabled_src, 1);
                b.core.regs.src_mut(Src::B).write_row(0, 3, [1 << 12; 16]);
            },
            "ttmvmul 0, 0, 0, 0",
            "not modelled: arithmetic on denormals or -0 in SrcB rows from 0 \
             (ALU_ACC_CTRL_Zero_Flag_disabled_src is 1); clear the field",
        ),
        (
            |b| {
                let bank = b.core.banks.matrix_bank(Src::B);
                b.core.regs.src_mut(Src::B).write(bank, 5, 3, 0);
                b.set(ALU_ACC_CTRL_Zero_Flag_disabled_src, 1);
            },
            "ttelwmul 0, 0, 0, 0, 0",
            "not modelled: ELWMUL or ELWSUB of zero in SrcB while \
             ALU_ACC_CTRL_Zero_Flag_disabled_src is 1; clear the field",
        ),
        (
            |b| b.set(ALU_FORMAT_SPEC_REG0_SrcA, 9),
            "ttmvmul 0, 0, 0, 0",
            "not modelled: arithmetic with SrcA in INT16 and SrcB in BF16; give both the same \
             format of floats, or set ALU_ACC_CTRL_INT8_math_enabled",
        ),
        (
            |b| b.set(ALU_FORMAT_SPEC_REG1_SrcB, 1),
            "ttmvmul 0, 0, 0, 0",
            "not modelled: arithmetic with SrcA in BF16 and SrcB in FP16; give both the same \
             format of floats, or set ALU_ACC_CTRL_INT8_math_enabled",
        ),
        (
            |b| b.set(ALU_FORMAT_SPEC_REG0_SrcA, 12),
            "ttmvmul 0, 0, 0, 0",
            "undefined behaviour: source format 12 in the matrix unit, which is none; set the \
             format of what was unpacked",
        ),
        (
            |b| {
                b.set(ALU_FORMAT_SPEC_REG1_SrcB, 4);
                let bank = b.core.banks.matrix_bank(Src::B);
                b.core.regs.src_mut(Src::B).write(bank, 3, 0, 1 << 8);
            },
            "ttelwmul 0, 0, 0, 0, 0",
            "not modelled: SrcB rows from 0 hold mantissas of TF32 where one source is BF16, which \
             the documentation and ttsim read differently; give both sources the same format",
        ),
        (
            |_| (),
            "ttmvmul 0, 1, 0, 2",
            "not modelled: MVMUL of a broadcast row to Dst row 2, of which bits 1 and 2 must be \
             clear; check the row counters",
        ),
        (
            |b| b.set(PCK_DEST_RD_CTRL_Read_32b_data, 0),
            "ttmvmul 0, 0, 0, 0",
            "not modelled: the units disagree on the width of Dst: ALU_ACC_CTRL_Fp32_enabled = 1, \
             ALU_ACC_CTRL_INT8_math_enabled = 0, ALU_ACC_CTRL_SFPU_Fp32_enabled = 1, \
             PCK_DEST_RD_CTRL_Read_32b_data = 0; set the first and the last two, of integers only \
             the last, or none",
        ),
        (
            |b| b.core.regs.rwcs[THREAD].src_a.value = 8,
            "ttmvmul 0, 0, 0, 0",
            "not modelled: SrcA row 8 where a multiple of 16 is wanted; check the row counters",
        ),
        (
            |b| b.core.regs.rwcs[THREAD].src_b.value = 4,
            "ttelwmul 0, 0, 0, 0, 0",
            "not modelled: SrcB row 4 where a multiple of 8 is wanted; check the row counters",
        ),
        (|_| (), "ttmvmul 0, 0, 0, 4", "not modelled: Dst row 4 where a multiple of 8 is wanted; \
                                        check the row counters"),
        (
            |b| {
                let formats = [ALU_FORMAT_SPEC_REG0_SrcA, ALU_FORMAT_SPEC_REG1_SrcB];
                formats.into_iter().for_each(|field| b.set(field, 1));
            },
            "ttmvmul 0, 0, 0, 0",
            "not modelled: SrcA rows from 0 read as FP16 or integers hold datums with more than 5 \
             exponent bits; unpack such data",
        ),
        (
            |_| (),
            "ttelwmul 0, 1, 0, 0, 0",
            "undefined behaviour: ELWMUL with dest_accum_en; it always accumulates, leave the bit \
             clear",
        ),
        (
            |b| b.core.regs.rwcs[THREAD].fidelity = 2,
            "ttelwsub 0, 0, 0, 0, 0",
            "not modelled: ELWADD or ELWSUB in fidelity phase 2, which divides the result; clear \
             the phase first",
        ),
        (
            |b| b.set(ALU_FORMAT_SPEC_REG0_SrcA, 4),
            "ttmova2d 1, 0, 0, 2, 0",
            "undefined behaviour: a move of TF32 to the low halves of Dst rows; set \
             ALU_FORMAT_SPEC_REG0_SrcA to BF16",
        ),
        (
            |_| (),
            "ttmova2d 0, 0, 0, 2, 0",
            "undefined behaviour: a move to 16-bit rows of a 32-bit Dst; set \
             ALU_FORMAT_SPEC_REG0_SrcA to TF32, which moves BF16 exactly",
        ),
        (|_| (), "ttmovd2a 0, 0, 0, 3, 0", "undefined behaviour: instr_mod = 3; 0 moves one row, 2 \
                                            moves 4"),
        (
            |b| b.core.banks.hand_to_unpacker(Src::B, true, true).unwrap(),
            "ttmovd2b 0, 0, 0, 2, 0",
            "hazard: writes a bank of SrcB that the unpacker has; STALLWAIT for the bank before \
             the move",
        ),
    ];
    for (change, text, fault) in rows {
        let mut bench = sources(Arch::WormholeB0);
        change(&mut bench);
        bench.refuses(text, fault);
    }
    for (format, text, fault) in [
        (
            4,
            "ttmova2d 0, 0, 0, 2, 0",
            "undefined behaviour: a move of TF32 to a 16-bit Dst; set ALU_FORMAT_SPEC_REG0_SrcA to \
             BF16",
        ),
        (
            5,
            "ttmova2d 1, 0, 0, 2, 0",
            "undefined behaviour: a move of low halves (dest_32b_lo = 1) with a 16-bit Dst, which \
             has none",
        ),
        (
            5,
            "ttmovd2b 1, 0, 0, 2, 0",
            "undefined behaviour: a move of low halves (dest_32b_lo = 1) with a 16-bit Dst, which \
             has none",
        ),
        (
            4,
            "ttmovd2a 0, 0, 0, 2, 0",
            "undefined behaviour: a move of TF32 from a 16-bit Dst; set ALU_FORMAT_SPEC_REG0_SrcA \
             to BF16",
        ),
    ] {
        let mut bench = sources(Arch::WormholeB0).dst_width(0);
        bench.set(ALU_FORMAT_SPEC_REG0_SrcA, format);
        bench.refuses(text, fault);
    }
}
