//! Refused configurations, with the exact messages.

use super::*;

/// A change of the configuration, and the message of a PACR on all packers.
type Refusal = (fn(&mut Bench), &'static str);

#[test]
fn refusals() {
    use cfg::*;
    fn first(family: ConfigField) -> ConfigField {
        of_packer(family, 0)
    }
    let rows: &[Refusal] = &[
        (
            |b| b.set(first(THCON_PACK_Downsample_rate), 1),
            "not modelled: the packers' downsampling rate (THCON_SEC*_REG{1,8}_Downsample_rate, \
             word 59, is 1 and must be 0)",
        ),
        (
            |b| b.set(first(THCON_PACK_Read_mode), 1),
            "not modelled: the packers' read mode (THCON_SEC*_REG{1,8}_Read_mode, word 59, is 1 \
             and must be 0)",
        ),
        (
            |b| b.set(first(THCON_PACK_Enable_out_fifo), 1),
            "not modelled: the packers' output FIFO (THCON_SEC*_REG{1,8}_Enable_out_fifo, word 58, \
             is 1 and must be 0)",
        ),
        (
            |b| b.set(first(THCON_PACK_Force_pack_per_max_xy_plane), 1),
            "not modelled: forced packing per plane \
             (THCON_SEC*_REG{1,8}_Force_pack_per_max_xy_plane, word 58, is 1 and must be 0)",
        ),
        (
            |b| b.set(first(THCON_PACK_Dis_shared_exp_assembler), 1),
            "not modelled: packing without sharing exponents \
             (THCON_SEC*_REG{1,8}_Dis_shared_exp_assembler, word 58, is 1 and must be 0)",
        ),
        (
            |b| b.set(PACK_COUNTERS_pack_per_xy_plane.nth(0), 1),
            "not modelled: the packers' automatic end of a tile \
             (PACK_COUNTERS_SEC*_pack_per_xy_plane, word 24, is 1 and must be 0)",
        ),
        (
            |b| b.set(THCON_REG9_Pack_fifo_size.nth(0).nth(0), 4),
            "undefined behaviour: the output address 0x80002000 of packer 0, which has a FIFO: \
             whether the bits above 16 count for its limit is not documented",
        ),
        (
            |b| b.set(first(THCON_PACK_Out_data_format), 8),
            "undefined behaviour: packing BF16 datums as INT32; the late conversion does not have \
             this pair",
        ),
        (
            |b| b.set(first(THCON_PACK_Disable_zero_compress), 0),
            "not modelled: compression while packing; set Disable_zero_compress",
        ),
        (
            |b| b.set(ALU_FORMAT_SPEC_REG2_Dstacc, 0),
            "undefined behaviour: In_data_format BF16 of a packer with the intermediate format \
             FP32; set both to the same",
        ),
        (
            |b| b.set(ALU_FORMAT_SPEC_REG2_Dstacc, 1),
            "undefined behaviour: packing through the intermediate format FP16 from a 32-bit Dst; \
             the early conversion does not have this",
        ),
        (
            |b| {
                b.set(ALU_FORMAT_SPEC_REG2_Dstacc, 10);
                b.set(PCK_DEST_RD_CTRL_Read_32b_data, 0);
            },
            "undefined behaviour: packing through the intermediate format FP8 from a 16-bit Dst; \
             the early conversion does not have this",
        ),
        (
            |b| {
                b.set(ALU_FORMAT_SPEC_REG2_Dstacc, 0);
                b.set(PCK_DEST_RD_CTRL_Read_32b_data, 0);
                b.set(PCK_DEST_RD_CTRL_Read_int8, 1);
            },
            "undefined behaviour: packing through the intermediate format FP32 from a 16-bit Dst, \
             raw; the early conversion does not have this",
        ),
        (
            |b| {
                b.set(PCK_DEST_RD_CTRL_Round_10b_mant, 1);
                b.set(first(THCON_PACK_Out_data_format), 1);
            },
            "undefined behaviour: packing BF16 as FP16 with PCK_DEST_RD_CTRL_Round_10b_mant; clear \
             it, or set In_data_format to TF32",
        ),
        (
            |b| {
                formats(b, 14, 14);
                b.set(INT_DESCALE_Enable, 1);
                b.set(INT_DESCALE_Mode, 1);
            },
            "undefined behaviour: INT_DESCALE_Mode = 1, whose shift amount is not documented",
        ),
        (
            |b| b.set(ALU_ROUNDING_MODE_Packer_srnd_en, 1),
            "not modelled: stochastic rounding in the packers (ALU_ROUNDING_MODE_Packer_srnd_en, \
             word 1, is 1 and must be 0)",
        ),
        (
            |b| {
                formats(b, 8, 8);
                b.set(STACC_RELU_ApplyRelu, 2);
            },
            "undefined behaviour: STACC_RELU_ApplyRelu = 2 for integers; 0 and 1, and for unsigned \
             ones 0, are defined",
        ),
        (
            |b| {
                b.set(STACC_RELU_ApplyRelu, 2);
                b.set(STACC_RELU_ReluThreshold, 0x8000);
            },
            "undefined behaviour: a negative ReLU threshold (0x8000)",
        ),
        (
            |b| {
                formats(b, 6, 6);
                b.set(STACC_RELU_ApplyRelu, 3);
                b.set(STACC_RELU_ReluThreshold, 0x3F81);
            },
            "undefined behaviour: the ReLU threshold 0x3f81, which is not a number of the \
             intermediate format",
        ),
        (
            |b| {
                formats(b, 0, 0);
                b.set(STACC_RELU_ApplyRelu, 1);
                b.put_dst32(0, [0xFFC0_0000; 16]);
            },
            "undefined behaviour: ReLU of 0xffc00000, which is not a number: the sources disagree \
             on it; pack through BF16 and clear PCK_DEST_RD_CTRL_Read_int8",
        ),
        (
            |b| {
                formats(b, 0, 5);
                b.put_dst32(0, [0x8000_0000; 16]);
            },
            "undefined behaviour: packing the datum 0x80000000 as BF16, which the hardware \
             mishandles or gives an unknown sign; flush such datums by rounding or by an exponent \
             threshold",
        ),
        (
            |b| {
                formats(b, 8, 8);
                b.set(PCK_EDGE_MODE_mode, 1);
                b.set(PCK_EDGE_OFFSET_mask.nth(0), 1);
            },
            "undefined behaviour: edge masks to negative infinity for integers; clear \
             PCK_EDGE_MODE_mode",
        ),
        (
            |b| {
                b.set(PACK_COUNTERS_pack_reads_per_xy_plane.nth(0), 0);
                b.set(PCK_EDGE_OFFSET_mask.nth(0), 1);
            },
            "not modelled: edge masks with pack_reads_per_xy_plane = 0; set it to the rows of a \
             face, 16",
        ),
        (
            |b| b.core.adcs[THREAD].packers[0].set(Axis::X, 257),
            "undefined behaviour: packing from datum 257 to datum 255",
        ),
        (
            |b| b.set(PCK0_ADDR_BASE.nth(0), 1),
            "undefined behaviour: a packer's input address of 1 bytes, in the middle of a datum",
        ),
        (
            |b| b.set(DEST_TARGET_REG_CFG_PACK_Offset.nth(3), 128),
            "undefined behaviour: reads Dst row 256 (of 1024), which nothing has written; ZEROACC \
             the rows that are accumulated onto, write those that are packed",
        ),
        (
            |b| b.set(first(THCON_PACK_L1_Dest_addr), 0x1_6DFF),
            "undefined behaviour: L1 bytes 0x16e000 to 0x16e010 are beyond its end 0x16e000",
        ),
        (
            |b| {
                b.set(first(THCON_PACK_Source_interface_selection), 1);
                b.set(STACC_RELU_ApplyRelu, 1);
            },
            "not modelled: ReLU of datums from L1; set STACC_RELU_ApplyRelu to 0",
        ),
        (
            |b| {
                b.set(first(THCON_PACK_Source_interface_selection), 1);
                formats(b, 6, 6);
            },
            "not modelled: packing BFP8 datums from L1; use a format of whole bytes without shared \
             exponents",
        ),
        (
            |b| {
                b.set(first(THCON_PACK_Source_interface_selection), 1);
                b.set(PCK_EDGE_OFFSET_mask.nth(3), 1);
                b.set(TILE_ROW_SET_MAPPING.nth(0).nth(0), 3);
            },
            "undefined behaviour: edge masks for datums that do not come from Dst; set all four \
             masks to 0xffff",
        ),
        (
            |b| {
                formats(b, 6, 6);
                b.set(first(THCON_PACK_Pack_L1_Acc), 1);
            },
            "not modelled: accumulating BFP8 in L1; FP32, FP16 and BF16 are modelled",
        ),
        (
            |b| {
                formats(b, 6, 6);
                b.core.adcs[THREAD].packers[1].set(Axis::X, 19);
            },
            "undefined behaviour: ends an output of BFP8 after 4 of 16 datums that share an \
             exponent; pack whole blocks",
        ),
        (
            |b| {
                b.set(first(THCON_PACK_Pack_L1_Acc), 1);
                b.core.l1.write(OUT, &[0; 512]).unwrap();
                b.core.adcs[THREAD].packers[1].set(Axis::X, 19);
            },
            "undefined behaviour: ends an output that is added to L1 after 8 of 16 bytes; \
             accumulate whole lines",
        ),
    ];
    for (change, fault) in rows {
        let mut bench = bench();
        change(&mut bench);
        bench.refuses(ALL, fault);
    }
    for (text, fault) in [
        (
            "ttpacr 0, 0, 5, 0, 0, 0, 1",
            "undefined behaviour: PACR on the packers 0b0101; one, 0 and 1, 2 and 3, or all can be \
             selected",
        ),
        (
            "ttpacr_setreg 1, 0, 0, 15, 0, 1, 0",
            "undefined behaviour: PACR_SETREG while packer 0 has an output that has not ended; end \
             it first (last)",
        ),
    ] {
        let mut bench = bench();
        bench.run("ttpacr 0, 0, 1, 0, 0, 0, 0");
        bench.refuses(text, fault);
    }
    let mut bench = bench();
    bench.run("ttpacr 0, 0, 1, 0, 0, 0, 0");
    formats(&mut bench, 0, 0);
    bench.refuses(
        "ttpacr 0, 0, 1, 0, 0, 0, 1",
        "undefined behaviour: packing FP32 after BF16 in one output; end it first (last)",
    );
}
