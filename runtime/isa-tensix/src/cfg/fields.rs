//! The table of fields.

use super::{ConfigField, Dim, Field, FieldPlace, ThreadField};

macro_rules! place {
    (-) => {
        None
    };
    ([$word:literal @ $shift:literal + $width:literal $(, $count:literal x $step:literal)*]) => {
        Some(FieldPlace {
            bit: $word * 32 + $shift,
            width: $width,
            dims: &[ $( Dim { count: $count, step: $step } ),* ],
        })
    };
}

/// Parses the places of a row: one for both chips, or one each.
macro_rules! places {
    ($both:tt) => {
        [place!($both), place!($both)]
    };
    ($wormhole:tt $blackhole:tt) => {
        [place!($wormhole), place!($blackhole)]
    };
}

macro_rules! fields {
    ($ALL:ident, $Type:ident: $( $name:ident $text:literal $place:tt $(| $blackhole:tt)? )*) => {
        $(
            #[doc = concat!("`", $text, "`, at `", stringify!($place $(| $blackhole)?), "`: word, lowest bit, width, and numbers and steps of members.")]
            #[allow(non_upper_case_globals, reason = "the vendor's spelling, to be searchable")]
            pub const $name: $Type = Field {
                name: $text,
                places: places!($place $($blackhole)?),
            };
        )*
        #[doc = concat!("Every [`", stringify!($Type), "`] family.")]
        pub const $ALL: &[$Type] = &[ $( $name ),* ];
    };
}

// Steps are in bits: 32 is the next word, 1280 the next THCON section (40 words; on Blackhole 48,
// 1536).
#[rustfmt::skip]
fields! { CONFIG_FIELDS, ConfigField:
    // Formats and accumulation
    ALU_FORMAT_SPEC_REG_SrcA_val "ALU_FORMAT_SPEC_REG_SrcA_val" [0 @ 0 + 4]
    ALU_FORMAT_SPEC_REG_SrcA_override "ALU_FORMAT_SPEC_REG_SrcA_override" [0 @ 4 + 1]
    ALU_FORMAT_SPEC_REG_SrcB_val "ALU_FORMAT_SPEC_REG_SrcB_val" [0 @ 5 + 4]
    ALU_FORMAT_SPEC_REG_SrcB_override "ALU_FORMAT_SPEC_REG_SrcB_override" [0 @ 9 + 1]
    ALU_FORMAT_SPEC_REG_Dstacc_val "ALU_FORMAT_SPEC_REG_Dstacc_val" [0 @ 10 + 4]
    ALU_FORMAT_SPEC_REG_Dstacc_override "ALU_FORMAT_SPEC_REG_Dstacc_override" [0 @ 14 + 1]
    ALU_ROUNDING_MODE_Fpu_srnd_en "ALU_ROUNDING_MODE_Fpu_srnd_en" [1 @ 0 + 1]
    ALU_ROUNDING_MODE_Gasket_srnd_en "ALU_ROUNDING_MODE_Gasket_srnd_en" [1 @ 1 + 1]
    ALU_ROUNDING_MODE_Packer_srnd_en "ALU_ROUNDING_MODE_Packer_srnd_en" [1 @ 2 + 1]
    ALU_ROUNDING_MODE_Padding "ALU_ROUNDING_MODE_Padding" [1 @ 3 + 10]
    ALU_ROUNDING_MODE_GS_LF "ALU_ROUNDING_MODE_GS_LF" [1 @ 13 + 1]
    ALU_ROUNDING_MODE_Bfp8_HF "ALU_ROUNDING_MODE_Bfp8_HF" [1 @ 14 + 1]
    ALU_FORMAT_SPEC_REG0_SrcAUnsigned "ALU_FORMAT_SPEC_REG0_SrcAUnsigned" [1 @ 15 + 1]
    ALU_FORMAT_SPEC_REG0_SrcBUnsigned "ALU_FORMAT_SPEC_REG0_SrcBUnsigned" [1 @ 16 + 1]
    ALU_FORMAT_SPEC_REG0_SrcA "ALU_FORMAT_SPEC_REG0_SrcA" [1 @ 17 + 4]
    ALU_FORMAT_SPEC_REG1_SrcB "ALU_FORMAT_SPEC_REG1_SrcB" [1 @ 21 + 4]
    ALU_FORMAT_SPEC_REG2_Dstacc "ALU_FORMAT_SPEC_REG2_Dstacc" [1 @ 25 + 4]
    ALU_ACC_CTRL_Fp32_enabled "ALU_ACC_CTRL_Fp32_enabled" [1 @ 29 + 1]
    ALU_ACC_CTRL_SFPU_Fp32_enabled "ALU_ACC_CTRL_SFPU_Fp32_enabled" [1 @ 30 + 1]
    ALU_ACC_CTRL_INT8_math_enabled "ALU_ACC_CTRL_INT8_math_enabled" [1 @ 31 + 1]
    ALU_ACC_CTRL_Zero_Flag_disabled_src "ALU_ACC_CTRL_Zero_Flag_disabled_src" [2 @ 0 + 1]
    ALU_ACC_CTRL_Zero_Flag_disabled_dst "ALU_ACC_CTRL_Zero_Flag_disabled_dst" [2 @ 1 + 1]
    STACC_RELU_ApplyRelu "STACC_RELU_ApplyRelu" [2 @ 2 + 4]
    STACC_RELU_ReluThreshold "STACC_RELU_ReluThreshold" [2 @ 6 + 16]
    // How T0, T1 and T2 see Dst
    RISC_DEST_ACCESS_CTRL_no_swizzle "RISC_DEST_ACCESS_CTRL_SEC{}_no_swizzle" - | [3 @ 14 + 1, 3 x 5]
    RISC_DEST_ACCESS_CTRL_unsigned_int "RISC_DEST_ACCESS_CTRL_SEC{}_unsigned_int" - | [3 @ 15 + 1, 3 x 5]
    RISC_DEST_ACCESS_CTRL_fmt "RISC_DEST_ACCESS_CTRL_SEC{}_fmt" - | [3 @ 16 + 3, 3 x 5]
    STATE_RESET_EN "STATE_RESET_EN" [4 @ 0 + 1]
    DEST_OFFSET_Enable "DEST_OFFSET_Enable" [5 @ 0 + 1]
    DEST_REGW_BASE_Base "DEST_REGW_BASE_Base" [6 @ 0 + 16]
    DEST_SP_BASE_Base "DEST_SP_BASE_Base" - | [7 @ 0 + 16]
    INT_DESCALE_Enable "INT_DESCALE_Enable" [7 @ 0 + 1] | [8 @ 0 + 1]
    INT_DESCALE_Mode "INT_DESCALE_Mode" [7 @ 1 + 1] | [8 @ 1 + 1]
    // Packers: input address generator; the dimension is the channel
    PCK0_ADDR_CTRL_Xstride "PCK0_ADDR_CTRL_XY_REG_{}_Xstride" [8 @ 0 + 12, 2 x 64] | [12 @ 0 + 16, 2 x 64]
    PCK0_ADDR_CTRL_Ystride "PCK0_ADDR_CTRL_XY_REG_{}_Ystride" [8 @ 12 + 12, 2 x 64] | [12 @ 16 + 16, 2 x 64]
    PCK0_ADDR_CTRL_Zstride "PCK0_ADDR_CTRL_ZW_REG_{}_Zstride" [9 @ 0 + 12, 2 x 64] | [13 @ 0 + 16, 2 x 64]
    PCK0_ADDR_CTRL_Wstride "PCK0_ADDR_CTRL_ZW_REG_{}_Wstride" [9 @ 12 + 16, 2 x 64] | [13 @ 16 + 16, 2 x 64]
    PCK0_ADDR_BASE "PCK0_ADDR_BASE_REG_{}_Base" [12 @ 0 + 16, 2 x 32] | [16 @ 0 + 18, 2 x 32]
    PCK_DEST_RD_CTRL_Read_32b_data "PCK_DEST_RD_CTRL_Read_32b_data" [14 @ 0 + 1] | [18 @ 0 + 1]
    PCK_DEST_RD_CTRL_Read_unsigned "PCK_DEST_RD_CTRL_Read_unsigned" [14 @ 1 + 1] | [18 @ 1 + 1]
    PCK_DEST_RD_CTRL_Read_int8 "PCK_DEST_RD_CTRL_Read_int8" [14 @ 2 + 1] | [18 @ 2 + 1]
    PCK_DEST_RD_CTRL_Round_10b_mant "PCK_DEST_RD_CTRL_Round_10b_mant" [14 @ 3 + 1] | [18 @ 3 + 1]
    // Packers: edge masks
    PCK_EDGE_TILE_FACE_SET_SELECT_select "PCK_EDGE_TILE_FACE_SET_SELECT_select" [15 @ 0 + 8] | [19 @ 0 + 8]
    PCK_EDGE_TILE_FACE_SET_SELECT_enable "PCK_EDGE_TILE_FACE_SET_SELECT_enable" [15 @ 8 + 1] | [19 @ 8 + 1]
    TILE_ROW_SET_MAPPING "TILE_ROW_SET_MAPPING_{}_row_set_mapping_{}" [16 @ 0 + 2, 4 x 32, 16 x 2] | [20 @ 0 + 2, 4 x 32, 16 x 2]
    PCK_EDGE_OFFSET_mask "PCK_EDGE_OFFSET_SEC{}_mask" [20 @ 0 + 16, 4 x 32] | [24 @ 0 + 16, 4 x 32]
    PCK_EDGE_MODE_mode "PCK_EDGE_MODE_mode" [20 @ 16 + 1] | [24 @ 16 + 1]
    PCK_EDGE_TILE_ROW_SET_SELECT_select "PCK_EDGE_TILE_ROW_SET_SELECT_select" [20 @ 17 + 8] | [24 @ 17 + 8]
    TILE_FACE_SET_MAPPING "TILE_FACE_SET_MAPPING_{}_face_set_mapping_{}" [32 @ 0 + 2, 4 x 32, 16 x 2] | [36 @ 0 + 2, 4 x 32, 16 x 2]
    // Packers: counters; the dimension is the packer
    PACK_COUNTERS_pack_per_xy_plane "PACK_COUNTERS_SEC{}_pack_per_xy_plane" [24 @ 0 + 8, 4 x 32] | [28 @ 0 + 8, 4 x 32]
    PACK_COUNTERS_pack_reads_per_xy_plane "PACK_COUNTERS_SEC{}_pack_reads_per_xy_plane" [24 @ 8 + 8, 4 x 32] | [28 @ 8 + 8, 4 x 32]
    PACK_COUNTERS_pack_xys_per_tile "PACK_COUNTERS_SEC{}_pack_xys_per_tile" [24 @ 16 + 7, 4 x 32] | [28 @ 16 + 7, 4 x 32]
    PACK_COUNTERS_pack_yz_transposed "PACK_COUNTERS_SEC{}_pack_yz_transposed" [24 @ 23 + 1, 4 x 32] | [28 @ 23 + 1, 4 x 32]
    PACK_COUNTERS_pack_per_xy_plane_offset "PACK_COUNTERS_SEC{}_pack_per_xy_plane_offset" [24 @ 24 + 8, 4 x 32] | -
    PACK_COUNTERS_auto_ctxt_inc_xys_cnt "PACK_COUNTERS_SEC{}_auto_ctxt_inc_xys_cnt" - | [28 @ 24 + 8, 4 x 32]
    PACK_CONCAT_MASK_pack_concat_mask "PACK_CONCAT_MASK_SEC{}_pack_concat_mask" [28 @ 0 + 16, 4 x 32] | [32 @ 0 + 16, 4 x 32]
    // Unpackers: address generators; dimensions are unpacker and channel
    UNP_ADDR_CTRL_Xstride "UNP{}_ADDR_CTRL_XY_REG_{}_Xstride" [36 @ 0 + 12, 2 x 64, 2 x 256] | [44 @ 0 + 16, 2 x 64, 2 x 384]
    UNP_ADDR_CTRL_Ystride "UNP{}_ADDR_CTRL_XY_REG_{}_Ystride" [36 @ 12 + 12, 2 x 64, 2 x 256] | [44 @ 16 + 16, 2 x 64, 2 x 384]
    UNP_ADDR_CTRL_Zstride "UNP{}_ADDR_CTRL_ZW_REG_{}_Zstride" [37 @ 0 + 12, 2 x 64, 2 x 256] | [45 @ 0 + 16, 2 x 64, 2 x 384]
    UNP_ADDR_CTRL_Wstride "UNP{}_ADDR_CTRL_ZW_REG_{}_Wstride" [37 @ 12 + 16, 2 x 64, 2 x 256] | [45 @ 16 + 16, 2 x 64, 2 x 384]
    UNP_ADDR_BASE "UNP{}_ADDR_BASE_REG_{}_Base" [40 @ 0 + 16, 2 x 256, 2 x 16] | [48 @ 0 + 18, 2 x 384, 2 x 32]
    UNP_FORCED_SHARED_EXP "UNP{}_FORCED_SHARED_EXP_shared_exp" [41 @ 0 + 8, 2 x 256] | [50 @ 0 + 8, 2 x 384]
    UNP_ADD_DEST_ADDR_CNTR "UNP{}_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr" [41 @ 8 + 1, 2 x 256] | [50 @ 8 + 1, 2 x 384]
    UNP0_BLOBS_Y_START "UNP0_BLOBS_Y_START_CNTX_{01,23}_blobs_y_start" [42 @ 0 + 32, 2 x 32] | [51 @ 0 + 32, 2 x 32]
    UNP_NOP_REG_CLR_VAL "UNP{}_NOP_REG_CLR_VAL_nop_reg_clr_val" - | [53 @ 0 + 32, 2 x 320]
    // THCON sections; the first dimension is the section: unpacker 0 or 1 (and packers 0/1 or 2/3)
    THCON_REG0_TileDescriptor "THCON_SEC{}_REG0_TileDescriptor word {}" [52 @ 0 + 32, 2 x 1280, 4 x 32] | [64 @ 0 + 32, 2 x 1536, 4 x 32]
    // Packers: REG1 is packer 0 (section 0) and 2 (section 1), REG8 is 1 and 3; so the second
    // dimension is 28 words on. On Blackhole they are not packers, but contexts of the only one
    THCON_PACK_Row_start_section_size "THCON_SEC{}_REG{1,8}_Row_start_section_size" [56 @ 0 + 16, 2 x 1280, 2 x 896] | [68 @ 0 + 16, 2 x 1536, 2 x 896]
    THCON_PACK_Exp_section_size "THCON_SEC{}_REG{1,8}_Exp_section_size" [56 @ 16 + 16, 2 x 1280, 2 x 896] | [68 @ 16 + 16, 2 x 1536, 2 x 896]
    THCON_PACK_L1_Dest_addr "THCON_SEC{}_REG{1,8}_L1_Dest_addr" [57 @ 0 + 32, 2 x 1280, 2 x 896] | [69 @ 0 + 32, 2 x 1536, 2 x 896]
    THCON_PACK_Disable_zero_compress "THCON_SEC{}_REG{1,8}_Disable_zero_compress" [58 @ 0 + 1, 2 x 1280, 2 x 896] | [70 @ 0 + 1, 2 x 1536, 2 x 896]
    THCON_PACK_Add_l1_dest_addr_offset "THCON_SEC{}_REG{1,8}_Add_l1_dest_addr_offset" [58 @ 1 + 1, 2 x 1280, 2 x 896] | [70 @ 1 + 1, 2 x 1536, 2 x 896]
    THCON_PACK_Addr_cnt_context "THCON_SEC{}_REG{1,8}_Addr_cnt_context" [58 @ 2 + 2, 2 x 1280, 2 x 896] | -
    THCON_PACK_Out_data_format "THCON_SEC{}_REG{1,8}_Out_data_format" [58 @ 4 + 4, 2 x 1280, 2 x 896] | [70 @ 4 + 4, 2 x 1536, 2 x 896]
    THCON_PACK_In_data_format "THCON_SEC{}_REG{1,8}_In_data_format" [58 @ 8 + 4, 2 x 1280, 2 x 896] | [70 @ 8 + 4, 2 x 1536, 2 x 896]
    THCON_PACK_Dis_shared_exp_assembler "THCON_SEC{}_REG{1,8}_Dis_shared_exp_assembler" [58 @ 12 + 1, 2 x 1280, 2 x 896] | [70 @ 12 + 1, 2 x 1536, 2 x 896]
    THCON_PACK_Force_pack_per_max_xy_plane "THCON_SEC{}_REG{1,8}_Force_pack_per_max_xy_plane" [58 @ 13 + 1, 2 x 1280, 2 x 896] | -
    THCON_PACK_Enable_out_fifo "THCON_SEC{}_REG{1,8}_Enable_out_fifo" [58 @ 14 + 1, 2 x 1280, 2 x 896] | [70 @ 14 + 1, 2 x 1536, 2 x 896]
    THCON_PACK_Sub_l1_tile_header_size "THCON_SEC{}_REG{1,8}_Sub_l1_tile_header_size" [58 @ 15 + 1, 2 x 1280, 2 x 896] | [70 @ 15 + 1, 2 x 1536, 2 x 896]
    THCON_PACK_Source_interface_selection "THCON_SEC{}_REG{1,8}_Source_interface_selection" [58 @ 16 + 1, 2 x 1280, 2 x 896] | [70 @ 16 + 1, 2 x 1536, 2 x 896]
    THCON_PACK_L1_source_addr "THCON_SEC{}_REG{1,8}_L1_source_addr" [58 @ 24 + 8, 2 x 1280, 2 x 896] | [70 @ 24 + 8, 2 x 1536, 2 x 896]
    THCON_PACK_Downsample_mask "THCON_SEC{}_REG{1,8}_Downsample_mask" [59 @ 0 + 16, 2 x 1280, 2 x 896] | [71 @ 0 + 16, 2 x 1536, 2 x 896]
    THCON_PACK_Downsample_rate "THCON_SEC{}_REG{1,8}_Downsample_rate" [59 @ 16 + 3, 2 x 1280, 2 x 896] | [71 @ 16 + 3, 2 x 1536, 2 x 896]
    THCON_PACK_Read_mode "THCON_SEC{}_REG{1,8}_Read_mode" [59 @ 19 + 1, 2 x 1280, 2 x 896] | -
    THCON_PACK_Exp_threshold_en "THCON_SEC{}_REG{1,8}_Exp_threshold_en" [59 @ 20 + 1, 2 x 1280, 2 x 896] | [71 @ 20 + 1, 2 x 1536, 2 x 896]
    THCON_PACK_Pack_L1_Acc "THCON_SEC{}_REG{1,8}_Pack_L1_Acc" [59 @ 21 + 1, 2 x 1280, 2 x 896] | [71 @ 19 + 1, 2 x 1536, 2 x 896]
    THCON_PACK_Disable_pack_zero_flags "THCON_SEC{}_REG{1,8}_Disable_pack_zero_flags" [59 @ 22 + 1, 2 x 1280, 2 x 896] | [70 @ 2 + 1, 2 x 1536, 2 x 896]
    THCON_PACK_Exp_threshold "THCON_SEC{}_REG{1,8}_Exp_threshold" [59 @ 24 + 8, 2 x 1280, 2 x 896] | [71 @ 24 + 8, 2 x 1536, 2 x 896]
    THCON_PACK_Auto_set_last_pacr_intf_sel "THCON_SEC{}_REG{1,8}_Auto_set_last_pacr_intf_sel" - | [70 @ 13 + 1, 2 x 1536, 2 x 896]
    THCON_REG1_ovrd_default_throttle_mode "THCON_SEC{}_REG1_ovrd_default_throttle_mode" - | [70 @ 3 + 1, 2 x 1536]
    THCON_REG1_pack_start_intf_pos "THCON_SEC{}_REG1_pack_start_intf_pos" - | [70 @ 17 + 4, 2 x 1536]
    THCON_REG1_pack_dis_y_pos_start_offset "THCON_SEC{}_REG1_pack_dis_y_pos_start_offset" - | [70 @ 23 + 1, 2 x 1536]
    THCON_REG8_pack_dis_y_pos_start_offset "THCON_SEC{}_REG8_pack_dis_y_pos_start_offset" - | [98 @ 18 + 1, 2 x 1536]
    THCON_REG1_Unp_LF8_4b_exp "THCON_SEC{}_REG1_Unp_LF8_4b_exp" - | [71 @ 22 + 1, 2 x 1536]
    THCON_REG1_Pac_LF8_4b_exp "THCON_SEC{}_REG1_Pac_LF8_4b_exp" - | [71 @ 23 + 1, 2 x 1536]
    THCON_REG8_unpack_tile_offset "THCON_SEC{}_REG8_unpack_tile_offset" - | [98 @ 19 + 5, 2 x 1536]
    THCON_REG1_All_pack_disable_zero_compress "THCON_SEC{}_REG1_All_pack_disable_zero_compress" [58 @ 17 + 4, 2 x 1280] | -
    THCON_REG1_All_pack_disable_zero_compress_ovrd "THCON_SEC{}_REG1_All_pack_disable_zero_compress_ovrd" [58 @ 21 + 1, 2 x 1280] | [70 @ 21 + 1, 2 x 1536]
    THCON_REG1_Add_tile_header_size "THCON_SEC{}_REG1_Add_tile_header_size" [58 @ 22 + 1, 2 x 1280] | [70 @ 22 + 1, 2 x 1536]
    THCON_REG8_Add_tile_header_size "THCON_SEC{}_REG8_Add_tile_header_size" [86 @ 17 + 1, 2 x 1280] | [98 @ 17 + 1, 2 x 1536]
    THCON_REG9_Pack_limit_address "THCON_SEC{}_REG9_Pack_{0_2,1_3}_limit_address" [88 @ 0 + 17, 2 x 1280, 2 x 64] | [100 @ 0 + 17, 2 x 1536, 2 x 64]
    THCON_REG9_Pack_fifo_size "THCON_SEC{}_REG9_Pack_{0_2,1_3}_fifo_size" [89 @ 0 + 17, 2 x 1280, 2 x 64] | [101 @ 0 + 17, 2 x 1536, 2 x 64]
    // Unpackers
    THCON_REG2_Out_data_format "THCON_SEC{}_REG2_Out_data_format" [60 @ 0 + 4, 2 x 1280] | [72 @ 0 + 4, 2 x 1536]
    THCON_REG2_Throttle_mode "THCON_SEC{}_REG2_Throttle_mode" [60 @ 4 + 2, 2 x 1280] | [72 @ 4 + 2, 2 x 1536]
    THCON_REG2_Context_count "THCON_SEC{}_REG2_Context_count" [60 @ 6 + 2, 2 x 1280] | [72 @ 6 + 2, 2 x 1536]
    THCON_REG2_Haloize_mode "THCON_SEC{}_REG2_Haloize_mode" [60 @ 8 + 1, 2 x 1280] | [72 @ 8 + 1, 2 x 1536]
    THCON_REG2_Tileize_mode "THCON_SEC{}_REG2_Tileize_mode" [60 @ 9 + 1, 2 x 1280] | [72 @ 9 + 1, 2 x 1536]
    THCON_REG2_Unpack_Src_Reg_Set_Upd "THCON_SEC{}_REG2_Unpack_Src_Reg_Set_Upd" [60 @ 10 + 1, 2 x 1280] | [72 @ 10 + 1, 2 x 1536]
    THCON_REG2_Unpack_If_Sel "THCON_SEC{}_REG2_Unpack_If_Sel" [60 @ 11 + 1, 2 x 1280] | [72 @ 11 + 1, 2 x 1536]
    THCON_REG2_Upsample_rate "THCON_SEC{}_REG2_Upsample_rate" [60 @ 12 + 2, 2 x 1280] | [72 @ 12 + 2, 2 x 1536]
    THCON_REG2_Ovrd_data_format "THCON_SEC{}_REG2_Ovrd_data_format" [60 @ 14 + 1, 2 x 1280] | [72 @ 14 + 1, 2 x 1536]
    THCON_REG2_Upsample_and_interleave "THCON_SEC{}_REG2_Upsample_and_interleave" [60 @ 15 + 1, 2 x 1280] | [72 @ 15 + 1, 2 x 1536]
    THCON_REG2_Shift_amount "THCON_SEC{}_REG2_Shift_amount_cntx{}" [60 @ 16 + 4, 2 x 1280, 4 x 4] | [72 @ 16 + 4, 2 x 1536, 4 x 4]
    THCON_REG2_Disable_zero_compress "THCON_SEC{}_REG2_Disable_zero_compress_cntx{0..3}" [61 @ 0 + 1, 2 x 1280, 4 x 1] | [73 @ 0 + 1, 2 x 1536, 4 x 1]
    THCON_REG2_Unpack_if_sel "THCON_SEC{}_REG2_Unpack_if_sel_cntx{0..3}" [61 @ 4 + 1, 2 x 1280, 4 x 1] | [73 @ 4 + 1, 2 x 1536, 4 x 1]
    THCON_REG2_Force_shared_exp "THCON_SEC{}_REG2_Force_shared_exp" [61 @ 8 + 1, 2 x 1280] | [73 @ 8 + 1, 2 x 1536]
    THCON_REG2_Context_count_non_log2 "THCON_SEC{}_REG2_Context_count_non_log2" - | [73 @ 9 + 3, 2 x 1536]
    THCON_REG2_Context_count_non_log2_en "THCON_SEC{}_REG2_Context_count_non_log2_en" - | [73 @ 12 + 1, 2 x 1536]
    THCON_REG2_Metadata_x_end "THCON_SEC{}_REG2_Metadata_x_end" - | [73 @ 24 + 8, 2 x 1536]
    THCON_REG2_Disable_zero_compress_hi "THCON_SEC{}_REG2_Disable_zero_compress_cntx{4..7}" [61 @ 16 + 1, 2 x 1280, 4 x 1] | [73 @ 16 + 1, 2 x 1536, 4 x 1]
    THCON_REG2_Unpack_if_sel_hi "THCON_SEC{}_REG2_Unpack_if_sel_cntx{4..7}" [61 @ 20 + 1, 2 x 1280, 4 x 1] | [73 @ 20 + 1, 2 x 1536, 4 x 1]
    THCON_REG2_Unpack_limit_address "THCON_SEC{}_REG2_Unpack_limit_address" [62 @ 0 + 17, 2 x 1280] | [74 @ 0 + 17, 2 x 1536]
    THCON_REG2_Unpack_fifo_size "THCON_SEC{}_REG2_Unpack_fifo_size" [63 @ 0 + 17, 2 x 1280] | [75 @ 0 + 17, 2 x 1536]
    THCON_REG3_Base_address "THCON_SEC{}_REG{3,4}_Base_cntx{}_address" [64 @ 0 + 32, 2 x 1280, 8 x 32] | [76 @ 0 + 32, 2 x 1536, 8 x 32]
    THCON_REG5_Dest_address "THCON_SEC{}_REG5_Dest_cntx{}_address" [72 @ 0 + 16, 2 x 1280, 4 x 16] | [84 @ 0 + 16, 2 x 1536, 4 x 16]
    THCON_REG5_Tile_x_dim "THCON_SEC{}_REG5_Tile_x_dim_cntx{}" [74 @ 0 + 16, 2 x 1280, 4 x 16] | [86 @ 0 + 16, 2 x 1536, 4 x 16]
    // The mover
    THCON_REG6_Source_address "THCON_SEC{}_REG6_Source_address" [76 @ 0 + 32, 2 x 1280] | [88 @ 0 + 32, 2 x 1536]
    THCON_REG6_Destination_address "THCON_SEC{}_REG6_Destination_address" [77 @ 0 + 32, 2 x 1280] | [89 @ 0 + 32, 2 x 1536]
    THCON_REG6_Buffer_size "THCON_SEC{}_REG6_Buffer_size" [78 @ 0 + 30, 2 x 1280] | [90 @ 0 + 30, 2 x 1536]
    THCON_REG6_Transfer_direction "THCON_SEC{}_REG6_Transfer_direction" [78 @ 30 + 2, 2 x 1280] | [90 @ 30 + 2, 2 x 1536]
    // Unpackers again
    THCON_REG7_Offset_address "THCON_SEC{}_REG7_Offset_cntx{}_address" [80 @ 0 + 16, 2 x 1280, 4 x 32] | [92 @ 0 + 16, 2 x 1536, 4 x 32]
    THCON_REG7_Unpack_data_format "THCON_SEC{}_REG7_Unpack_data_format_cntx{0..3}" [80 @ 16 + 4, 2 x 1280, 4 x 32] | [92 @ 16 + 4, 2 x 1536, 4 x 32]
    THCON_REG7_Unpack_out_data_format "THCON_SEC{}_REG7_Unpack_out_data_format_cntx{0..3}" [80 @ 20 + 4, 2 x 1280, 4 x 32] | [92 @ 20 + 4, 2 x 1536, 4 x 32]
    THCON_REG7_Unpack_data_format_hi "THCON_SEC{}_REG7_Unpack_data_format_cntx{4..7}" [80 @ 24 + 4, 2 x 1280, 4 x 32] | [92 @ 24 + 4, 2 x 1536, 4 x 32]
    THCON_REG7_Unpack_out_data_format_hi "THCON_SEC{}_REG7_Unpack_out_data_format_cntx{4..7}" [80 @ 28 + 4, 2 x 1280, 4 x 32] | [92 @ 28 + 4, 2 x 1536, 4 x 32]
    THCON_REG10_Unpack_limit_address "THCON_SEC{}_REG10_Unpack_limit_address" - | [104 @ 0 + 17, 2 x 1536]
    THCON_REG10_Unpack_fifo_size "THCON_SEC{}_REG10_Unpack_fifo_size" - | [105 @ 0 + 17, 2 x 1536]
    THCON_REG10_Unpack_limit_address_en "THCON_SEC{}_REG10_Unpack_limit_address_en" - | [105 @ 17 + 1, 2 x 1536]
    THCON_REG10_Unpacker_Reg_Wr_Addr "THCON_SEC{}_REG10_Unpacker_Reg_Wr_Addr" - | [106 @ 0 + 24, 2 x 1536]
    THCON_REG10_Packer_Reg_Wr_Addr "THCON_SEC{}_REG10_Packer_Reg_Wr_Addr" - | [107 @ 0 + 24, 2 x 1536]
    // Common to both states
    DEST_TARGET_REG_CFG_PACK_Offset "DEST_TARGET_REG_CFG_PACK_SEC{}_Offset" [152 @ 0 + 12, 4 x 32] | [180 @ 0 + 12, 4 x 32]
    DEST_TARGET_REG_CFG_PACK_ZOffset "DEST_TARGET_REG_CFG_PACK_SEC{}_ZOffset" [152 @ 12 + 6, 4 x 32] | [180 @ 12 + 6, 4 x 32]
    CG_SRC_PIPELINE_GateSrcAPipeEn "CG_SRC_PIPELINE_GateSrcAPipeEn" [156 @ 0 + 1] | [184 @ 0 + 1]
    CG_SRC_PIPELINE_GateSrcBPipeEn "CG_SRC_PIPELINE_GateSrcBPipeEn" [156 @ 1 + 1] | [184 @ 1 + 1]
    RISCV_IC_INVALIDATE_InvalidateAll "RISCV_IC_INVALIDATE_InvalidateAll" [157 @ 0 + 5] | [185 @ 0 + 5]
    // Where the T cores and NC begin when they leave reset
    TRISC_RESET_PC_PC "TRISC_RESET_PC_SEC{}_PC" [158 @ 0 + 32, 3 x 32] | -
    TRISC_RESET_PC_OVERRIDE_Reset_PC_Override_en "TRISC_RESET_PC_OVERRIDE_Reset_PC_Override_en" [161 @ 0 + 3] | -
    NCRISC_RESET_PC_PC "NCRISC_RESET_PC_PC" [162 @ 0 + 32] | -
    NCRISC_RESET_PC_OVERRIDE_Reset_PC_Override_en "NCRISC_RESET_PC_OVERRIDE_Reset_PC_Override_en" [163 @ 0 + 1] | -
    PRNG_SEED_Seed_Val "PRNG_SEED_Seed_Val" [164 @ 0 + 32] | [186 @ 0 + 32]
    INT_DESCALE_VALUES_Value "INT_DESCALE_VALUES_SEC{}_Value" [165 @ 0 + 32, 16 x 32] | [187 @ 0 + 32, 16 x 32]
    // The cores' instruction caches
    TRISC_END_PC_PC "TRISC_END_PC_SEC{}_PC" - | [203 @ 0 + 32, 3 x 32]
    BRISC_END_PC_PC "BRISC_END_PC_PC" - | [206 @ 0 + 32]
    NOC_RISC_END_PC_PC "NOC_RISC_END_PC_PC" - | [207 @ 0 + 32]
    RISC_PREFETCH_CTRL_Enable_Trisc "RISC_PREFETCH_CTRL_Enable_Trisc" - | [208 @ 0 + 3]
    RISC_PREFETCH_CTRL_Enable_Brisc "RISC_PREFETCH_CTRL_Enable_Brisc" - | [208 @ 3 + 1]
    RISC_PREFETCH_CTRL_Enable_NocRisc "RISC_PREFETCH_CTRL_Enable_NocRisc" - | [208 @ 4 + 1]
    RISC_PREFETCH_CTRL_Max_Req_Count "RISC_PREFETCH_CTRL_Max_Req_Count" - | [208 @ 5 + 8]
    // Operands of CFGSHIFTMASK
    SCRATCH_val "SCRATCH_SEC{}_val" - | [209 @ 0 + 32, 3 x 32]
    // How Dst and the sources are addressed
    DEST_ACCESS_CFG_swizzle_32b "DEST_ACCESS_CFG_swizzle_32b" - | [220 @ 0 + 1]
    DEST_ACCESS_CFG_remap_addrs "DEST_ACCESS_CFG_remap_addrs" - | [220 @ 1 + 1]
    DEST_ACCESS_CFG_disable_full_write_dest_q_bypass "DEST_ACCESS_CFG_disable_full_write_dest_q_bypass" - | [220 @ 2 + 1]
    DEST_ACCESS_CFG_zeroacc_absolute_tile_mode "DEST_ACCESS_CFG_zeroacc_absolute_tile_mode" - | [220 @ 3 + 1]
    SRC_ACCESS_CFG_math_view_srca_as_one_bank "SRC_ACCESS_CFG_math_view_srca_as_one_bank" - | [221 @ 0 + 1]
    SRC_ACCESS_CFG_math_view_srcb_as_one_bank "SRC_ACCESS_CFG_math_view_srcb_as_one_bank" - | [221 @ 1 + 1]
    CHICKEN_BITS_sfpu_scbd_disable "CHICKEN_BITS_sfpu_scbd_disable" - | [222 @ 0 + 1]
}

// ThreadConfig words are 16 bits wide but counted as 32 here, so that one address rule serves both
// spaces.
#[rustfmt::skip]
fields! { THREAD_FIELDS, ThreadField:
    CFG_STATE_ID_StateID "CFG_STATE_ID_StateID" [0 @ 0 + 1]
    DEST_TARGET_REG_CFG_MATH_Offset "DEST_TARGET_REG_CFG_MATH_Offset" [1 @ 0 + 12]
    ADDR_MOD_SET_Base "ADDR_MOD_SET_Base" [2 @ 0 + 1] | -
    // What a bank was unpacked as counts as the format of the source, unless disabled
    DISABLE_IMPLIED_SRCA_FMT_Base "DISABLE_IMPLIED_SRCA_FMT_Base" - | [2 @ 0 + 1]
    DISABLE_IMPLIED_SRCB_FMT_Base "DISABLE_IMPLIED_SRCB_FMT_Base" - | [3 @ 0 + 1]
    SFPU_DEST_FMT_Enable "SFPU_DEST_FMT_Enable" - | [4 @ 0 + 1]
    SFPU_DEST_FMT_Base "SFPU_DEST_FMT_Base" - | [4 @ 1 + 4]
    SRCA_SET_Base "SRCA_SET_Base" [3 @ 0 + 2] | [5 @ 0 + 2]
    SRCA_SET_SetOvrdWithAddr "SRCA_SET_SetOvrdWithAddr" [3 @ 2 + 1] | [5 @ 2 + 1]
    SRCB_SET_Base "SRCB_SET_Base" [4 @ 0 + 2] | [6 @ 0 + 2]
    CLR_DVALID_SrcA_Disable "CLR_DVALID_SrcA_Disable" [5 @ 0 + 1] | [7 @ 0 + 1]
    CLR_DVALID_SrcB_Disable "CLR_DVALID_SrcB_Disable" [5 @ 1 + 1] | [7 @ 1 + 1]
    FIDELITY_BASE_Phase "FIDELITY_BASE_Phase" [6 @ 0 + 2] | [11 @ 0 + 2]
    SCBD_BANK_MASK_32b_Enable "SCBD_BANK_MASK_32b_Enable" - | [8 @ 0 + 1]
    PACK_SCBD_BANK_MASK_32b_Enable "PACK_SCBD_BANK_MASK_32b_Enable" - | [9 @ 0 + 1]
    UNPACK_SCBD_BANK_MASK_32b_Enable "UNPACK_SCBD_BANK_MASK_32b_Enable" - | [10 @ 0 + 1]
    // Address modes; the dimension is the mode
    ADDR_MOD_AB_SrcAIncr "ADDR_MOD_AB_SEC{}_SrcAIncr" [7 @ 0 + 6, 8 x 64] | [12 @ 0 + 6, 8 x 32]
    ADDR_MOD_AB_SrcACR "ADDR_MOD_AB_SEC{}_SrcACR" [7 @ 6 + 1, 8 x 64] | [12 @ 6 + 1, 8 x 32]
    ADDR_MOD_AB_SrcAClear "ADDR_MOD_AB_SEC{}_SrcAClear" [7 @ 7 + 1, 8 x 64] | [12 @ 7 + 1, 8 x 32]
    ADDR_MOD_AB_SrcBIncr "ADDR_MOD_AB_SEC{}_SrcBIncr" [7 @ 8 + 6, 8 x 64] | [12 @ 8 + 6, 8 x 32]
    ADDR_MOD_AB_SrcBCR "ADDR_MOD_AB_SEC{}_SrcBCR" [7 @ 14 + 1, 8 x 64] | [12 @ 14 + 1, 8 x 32]
    ADDR_MOD_AB_SrcBClear "ADDR_MOD_AB_SEC{}_SrcBClear" [7 @ 15 + 1, 8 x 64] | [12 @ 15 + 1, 8 x 32]
    // A seventh bit of increments
    ADDR_MOD_AB2_SrcAIncr "ADDR_MOD_AB2_SEC{}_SrcAIncr" - | [20 @ 0 + 1, 8 x 32]
    ADDR_MOD_AB2_SrcBIncr "ADDR_MOD_AB2_SEC{}_SrcBIncr" - | [20 @ 1 + 1, 8 x 32]
    ADDR_MOD_DST_DestIncr "ADDR_MOD_DST_SEC{}_DestIncr" [23 @ 0 + 10, 8 x 32] | [28 @ 0 + 10, 8 x 32]
    ADDR_MOD_DST_DestCR "ADDR_MOD_DST_SEC{}_DestCR" [23 @ 10 + 1, 8 x 32] | [28 @ 10 + 1, 8 x 32]
    ADDR_MOD_DST_DestClear "ADDR_MOD_DST_SEC{}_DestClear" [23 @ 11 + 1, 8 x 32] | [28 @ 11 + 1, 8 x 32]
    ADDR_MOD_DST_DestCToCR "ADDR_MOD_DST_SEC{}_DestCToCR" [23 @ 12 + 1, 8 x 32] | [28 @ 12 + 1, 8 x 32]
    ADDR_MOD_DST_FidelityIncr "ADDR_MOD_DST_SEC{}_FidelityIncr" [23 @ 13 + 2, 8 x 32] | [28 @ 13 + 2, 8 x 32]
    ADDR_MOD_DST_FidelityClear "ADDR_MOD_DST_SEC{}_FidelityClear" [23 @ 15 + 1, 8 x 32] | [28 @ 15 + 1, 8 x 32]
    SFPU_STACK_Incr "SFPU_STACK_Incr" - | [36 @ 0 + 10]
    ADDR_MOD_PACK_YsrcIncr "ADDR_MOD_PACK_SEC{}_YsrcIncr" [31 @ 0 + 4, 8 x 32] | [37 @ 0 + 4, 4 x 32]
    ADDR_MOD_PACK_YsrcCR "ADDR_MOD_PACK_SEC{}_YsrcCR" [31 @ 4 + 1, 8 x 32] | [37 @ 4 + 1, 4 x 32]
    ADDR_MOD_PACK_YsrcClear "ADDR_MOD_PACK_SEC{}_YsrcClear" [31 @ 5 + 1, 8 x 32] | [37 @ 5 + 1, 4 x 32]
    ADDR_MOD_PACK_YdstIncr "ADDR_MOD_PACK_SEC{}_YdstIncr" [31 @ 6 + 4, 8 x 32] | [37 @ 6 + 4, 4 x 32]
    ADDR_MOD_PACK_YdstCR "ADDR_MOD_PACK_SEC{}_YdstCR" [31 @ 10 + 1, 8 x 32] | [37 @ 10 + 1, 4 x 32]
    ADDR_MOD_PACK_YdstClear "ADDR_MOD_PACK_SEC{}_YdstClear" [31 @ 11 + 1, 8 x 32] | [37 @ 11 + 1, 4 x 32]
    ADDR_MOD_PACK_ZsrcIncr "ADDR_MOD_PACK_SEC{}_ZsrcIncr" [31 @ 12 + 1, 8 x 32] | [37 @ 12 + 1, 4 x 32]
    ADDR_MOD_PACK_ZsrcClear "ADDR_MOD_PACK_SEC{}_ZsrcClear" [31 @ 13 + 1, 8 x 32] | [37 @ 13 + 1, 4 x 32]
    ADDR_MOD_PACK_ZdstIncr "ADDR_MOD_PACK_SEC{}_ZdstIncr" [31 @ 14 + 1, 8 x 32] | [37 @ 14 + 1, 4 x 32]
    ADDR_MOD_PACK_ZdstClear "ADDR_MOD_PACK_SEC{}_ZdstClear" [31 @ 15 + 1, 8 x 32] | [37 @ 15 + 1, 4 x 32]
    ADDR_MOD_BIAS_BiasIncr "ADDR_MOD_BIAS_SEC{}_BiasIncr" [48 @ 0 + 4, 8 x 32] | [47 @ 0 + 4, 8 x 32]
    ADDR_MOD_BIAS_BiasClear "ADDR_MOD_BIAS_SEC{}_BiasClear" [48 @ 4 + 1, 8 x 32] | [47 @ 4 + 1, 8 x 32]
    // Packers: exponent histograms
    ENABLE_ACC_STATS_Enable "ENABLE_ACC_STATS_Enable" [46 @ 0 + 1] | [45 @ 0 + 1]
    // Unpackers; the dimension is the unpacker
    UNPACK_MISC_CFG_CfgContextOffset "UNPACK_MISC_CFG_CfgContextOffset_{}" [39 @ 0 + 4, 2 x 8] | [41 @ 0 + 4, 2 x 8]
    UNPACK_MISC_CFG_CfgContextCntReset "UNPACK_MISC_CFG_CfgContextCntReset_{}" [39 @ 4 + 1, 2 x 8] | [41 @ 4 + 1, 2 x 8]
    UNPACK_MISC_CFG_CfgContextCntInc "UNPACK_MISC_CFG_CfgContextCntInc_{}" [39 @ 5 + 1, 2 x 8] | [41 @ 5 + 1, 2 x 8]
    FP16A_FORCE_Enable "FP16A_FORCE_Enable" [56 @ 0 + 1] | [55 @ 0 + 1]
    // Automatic synchronisation with the RISC-V cores
    TENSIX_TRISC_SYNC_TrackGlobalCfg "TENSIX_TRISC_SYNC_TrackGlobalCfg" - | [56 @ 0 + 1]
    TENSIX_TRISC_SYNC_EnSubdividedCfgForUnpacr "TENSIX_TRISC_SYNC_EnSubdividedCfgForUnpacr" - | [56 @ 1 + 1]
    TENSIX_TRISC_SYNC_TrackGPR "TENSIX_TRISC_SYNC_TrackGPR" - | [56 @ 2 + 1]
    TENSIX_TRISC_SYNC_TrackTDMARegs "TENSIX_TRISC_SYNC_TrackTDMARegs" - | [56 @ 3 + 1]
    TENSIX_TRISC_SYNC_TrackTensixInstructions "TENSIX_TRISC_SYNC_TrackTensixInstructions" - | [56 @ 4 + 1]
    // Streams
    STREAMWAIT_PHASE_HI_Val "STREAMWAIT_PHASE_HI_Val" - | [57 @ 0 + 10]
    STREAMWAIT_NUM_MSGS_HI_Val "STREAMWAIT_NUM_MSGS_HI_Val" - | [58 @ 0 + 7]
    STREAM_ID_SYNC_BankSel "STREAM_ID_SYNC_SEC{}_BankSel" - | [59 @ 0 + 6, 4 x 32]
    STREAM_ID_TRISC_BankSel "STREAM_ID_TRISC_SEC{}_BankSel" - | [63 @ 0 + 6, 4 x 32]
    TENSIX_CSR_CONFIG_RawBusyStatus "TENSIX_CSR_CONFIG_RawBusyStatus" - | [67 @ 0 + 1]
}
