//! One row per instruction (Wormhole B0).
//!
//! A row is `opcode MNEMONIC Type unit { operand[high:low], … } "what it does"`. The operands stand in the
//! order of LLK's `TT_OP_*` macros; where such a macro has an argument that the hardware ignores, the row
//! leaves it out and its bits are reserved (must be zero). Operand names are stable identifiers: the
//! compiler's dialect uses them as attribute names.

use std::sync::OnceLock;

/// The part of the coprocessor that executes an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// MOP expander, in the front end.
    MopExpander,
    /// Replay expander, in the front end.
    ReplayExpander,
    /// Executes nothing.
    Nop,
    /// Sync unit: waits, semaphores, mutexes.
    Sync,
    /// Miscellaneous unit: address counters, dvalid by hand.
    Misc,
    /// Configuration unit.
    Config,
    /// Scalar unit (ThCon): general-purpose registers and small memory operations.
    Scalar,
    /// Unpacker 0 or 1, by the operand `unpack_block_selection`.
    Unpacker,
    /// Matrix unit (FPU).
    Matrix,
    /// Packers 0 to 3, by the operand `pack_sel`.
    Packer,
    /// Vector unit (SFPU).
    Vector,
    /// The mover between L1 and configuration.
    Mover,
}

/// One operand of an instruction: a bit range of its word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The operand's name, a lower-case identifier.
    pub name: &'static str,
    /// Its lowest bit.
    pub low: u32,
    /// Its width in bits, 1 to 23.
    pub width: u32,
}

impl Field {
    /// The largest value the field holds.
    pub const fn max(&self) -> u32 {
        (1 << self.width) - 1
    }

    /// The bits of the word that the field covers.
    pub const fn mask(&self) -> u32 {
        self.max() << self.low
    }

    /// The field's value in `word`.
    pub const fn get(&self, word: u32) -> u32 {
        word >> self.low & self.max()
    }
}

/// One instruction of the set.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The vendor's mnemonic, upper-case.
    pub mnemonic: &'static str,
    /// Bits 31:24 of the word.
    pub opcode: Opcode,
    /// Where it executes.
    pub unit: Unit,
    /// The operands, in text order.
    pub fields: &'static [Field],
    /// What it does, in one line.
    pub doc: &'static str,
}

/// The most operands a row has.
pub const MAX_OPERANDS: usize = 13;

macro_rules! instructions {
    ($( $code:literal $MNEMONIC:ident $Type:ident $unit:ident
        { $( $field:ident [ $high:literal : $low:literal ] ),* } $doc:literal )*) => {
        /// The opcode of an instruction: bits 31:24 of its word.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Opcode { $( #[doc = $doc] $Type = $code ),* }

        $(
            #[doc = $doc]
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
            pub struct $Type { $( #[doc = concat!("Bits ", $high, ":", $low, ".")] pub $field: u32 ),* }
        )*

        /// A decoded instruction. Operands are as wide as their fields; [`Instruction::encode`] checks.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Instruction { $( #[doc = $doc] $Type($Type) ),* }

        $( impl From<$Type> for Instruction {
            fn from(i: $Type) -> Self { Instruction::$Type(i) }
        } )*

        static ROWS: &[Row] = &[ $( Row {
            mnemonic: stringify!($MNEMONIC),
            opcode: Opcode::$Type,
            unit: Unit::$unit,
            fields: &[ $( Field { name: stringify!($field), low: $low, width: $high - $low + 1 } ),* ],
            doc: $doc,
        } ),* ];

        impl Instruction {
            /// The instruction's opcode.
            pub fn opcode(&self) -> Opcode {
                match self { $( Instruction::$Type(_) => Opcode::$Type ),* }
            }

            /// Writes the operands in row order into `out` and returns how many there are.
            pub(crate) fn store_operands(&self, out: &mut [u32; MAX_OPERANDS]) -> usize {
                match *self { $( Instruction::$Type(_i) => {
                    let operands = [ $( _i.$field ),* ];
                    out[..operands.len()].copy_from_slice(&operands);
                    operands.len()
                } ),* }
            }

            /// The instruction of `opcode` whose operands `word` holds; ignores reserved bits.
            pub(crate) fn extract(opcode: Opcode, word: u32) -> Self {
                match opcode { $( Opcode::$Type => Instruction::$Type($Type {
                    $( $field: word >> $low & ((1 << ($high - $low + 1)) - 1) ),*
                }) ),* }
            }
        }
    };
}

#[rustfmt::skip]
instructions! {
// Front end
0x01 MOP         Mop        MopExpander    { mop_type[23:23], loop_count[22:16], zmask_lo16[15:0] } "Expands to the sequence that MopCfg describes: template 0 (masked loop) or 1 (double loop)."
0x02 NOP         Nop        Nop            {} "Does nothing, for one issue slot."
0x03 MOP_CFG     MopCfg     MopExpander    { zmask_hi16[15:0] } "Sets the high half of the mask of template 0; it keeps its value."
0x04 REPLAY      Replay     ReplayExpander { start_idx[18:14], len[9:4], execute_while_loading[1:1], load_mode[0:0] } "Records the next `len` instructions into the replay buffer, or plays `len` back from it."
// Matrix unit: moves
0x08 MOVD2A      Movd2a     Matrix { dest_32b_lo[23:23], src[22:17], addr_mode[16:15], instr_mod[13:12], dst[9:0] } "Moves one row or four rows from Dst to SrcA."
0x0a MOVD2B      Movd2b     Matrix { dest_32b_lo[23:23], src[22:17], addr_mode[16:15], instr_mod[13:12], dst[9:0] } "Moves one row or four rows from Dst to SrcB."
0x0b MOVB2A      Movb2a     Matrix { srca[22:17], addr_mode[16:15], instr_mod[13:12], srcb[5:0] } "Moves one row or four rows from SrcB to SrcA."
0x12 MOVA2D      Mova2d     Matrix { dest_32b_lo[23:23], src[22:17], addr_mode[16:15], instr_mod[13:12], dst[9:0] } "Moves one row or eight rows from SrcA to Dst."
0x13 MOVB2D      Movb2d     Matrix { dest_32b_lo[23:23], src[22:17], addr_mode[16:15], instr_mod[14:12], dst[9:0] } "Moves one or four rows from SrcB to Dst, or broadcasts one row or column."
0x16 TRNSPSRCB   Trnspsrcb  Matrix {} "Transposes rows 16 to 31 of SrcB in place."
0x17 SHIFTXA     Shiftxa    Matrix { log2_amount2[3:2], shift_mode[1:0] } "Shifts or rotates SrcA rows by columns."
0x18 SHIFTXB     Shiftxb    Matrix { addr_mode[16:15], rot_shift[10:10], shift_row[5:0] } "Shifts or rotates one SrcB row by one column."
// Matrix unit: clearing, banks, counters
0x10 ZEROACC     Zeroacc    Matrix { clear_mode[21:19], addr_mode[16:15], dst[9:0] } "Marks rows, a quarter, a half or all of Dst as undefined or zero."
0x11 ZEROSRC     Zerosrc    Matrix { zero_val[4:4], write_mode[3:3], bank_mask[2:2], src_mask[1:0] } "Clears SrcA and/or SrcB, one bank or both."
0x21 CLREXPHIST  Clrexphist Matrix {} "Clears the packers' exponent histograms."
0x35 GATESRCRST  Gatesrcrst Matrix { reset_srcb_gate_control[1:1], reset_srca_gate_control[0:0] } "Invalidates the cached copies of SrcA and SrcB in front of the multipliers."
0x36 CLEARDVALID Cleardvalid Matrix { cleardvalid[23:22], reset[1:0] } "Hands the SrcA and/or SrcB bank back to the unpackers, or resets the bank state."
0x37 SETRWC      Setrwc     Matrix { clear_ab_vld[23:22], rwc_cr[21:18], rwc_d[17:14], rwc_b[13:10], rwc_a[9:6], bit_mask[3:0] } "Sets the row counters and/or hands the Src banks back."
0x38 INCRWC      Incrwc     Matrix { rwc_cr[20:18], rwc_d[17:14], rwc_b[13:10], rwc_a[9:6] } "Adds to the row counters."
// Matrix unit: arithmetic
0x26 MVMUL       Mvmul      Matrix { clear_dvalid[23:22], instr_mod19[19:19], addr_mode[16:15], dst[9:0] } "Dst (8x16) += SrcB (8x16) @ SrcA (16x16), one fidelity phase."
0x27 ELWMUL      Elwmul     Matrix { clear_dvalid[23:22], dest_accum_en[21:21], instr_mod19[20:19], addr_mode[16:15], dst[9:0] } "Dst (8x16) += SrcA * SrcB, element by element, one fidelity phase."
0x28 ELWADD      Elwadd     Matrix { clear_dvalid[23:22], dest_accum_en[21:21], instr_mod19[20:19], addr_mode[16:15], dst[9:0] } "Dst (8x16) = or += SrcA + SrcB, element by element."
0x30 ELWSUB      Elwsub     Matrix { clear_dvalid[23:22], dest_accum_en[21:21], instr_mod19[20:19], addr_mode[16:15], dst[9:0] } "Dst (8x16) = or += SrcA - SrcB, element by element."
0x33 GMPOOL      Gmpool     Matrix { clear_dvalid[23:22], instr_mod19[19:19], addr_mode[16:15], max_pool_index_en[14:14], dst[9:0] } "Dst (1x16) = column-wise maximum with sixteen SrcA rows."
0x34 GAPOOL      Gapool     Matrix { clear_dvalid[23:22], instr_mod19[19:19], addr_mode[16:15], max_pool_index_en[14:14], dst[9:0] } "Dst (4x16) += SrcB (4x16) @ SrcA (16x16), one fidelity phase."
// Movement between L1 and the register files
0x40 XMOV        Xmov       Mover    { mov_block_selection[23:23], last[0:0] } "Starts the mover between L1 and configuration."
0x41 PACR        Pacr       Packer   { addr_mode[16:15], zero_write[12:12], pack_sel[11:8], ovrd_thread_id[7:7], concat[4:4], flush[1:1], last[0:0] } "Packs datums from Dst (or L1) to L1 on the selected packers."
0x42 UNPACR      Unpacr     Unpacker { unpack_block_selection[23:23], addr_mode[22:15], cfg_context_cnt_inc[13:13], cfg_context_id[12:10], addr_cnt_context_id[9:8], ovrd_thread_id[7:7], set_dat_valid[6:6], rareb_en[5:5], zero_write2[4:4], auto_inc_context_id[3:3], row_search[2:2], search_cache_flush[1:1], last[0:0] } "Unpacks datums from L1 to SrcA, SrcB or Dst and may hand the bank over."
0x43 UNPACR_NOP  UnpacrNop  Unpacker { unpack_block_selection[23:23], no_op[22:0] } "Unpacker side jobs in order with UNPACR: hand a bank over, clear Src, set a register."
0x4a PACR_SETREG PacrSetreg Packer   { push[23:23], addr_sel[22:22], wr_data[21:12], pack_sel[11:8], stream_id[7:2], flush[1:1], last[0:0] } "Writes a register after the packers have finished."
// Scalar unit
0x45 SETDMAREG    Setdmareg    Scalar { payload_sig_sel_size[23:22], payload_sig_sel[21:8], set_signals_mode[7:7], reg_index_16b[6:0] } "Sets half a GPR to a 16-bit immediate, or GPRs to packer results."
0x46 FLUSHDMA     Flushdma     Scalar { flush_spec[3:0] } "Waits until the selected units are idle."
0x48 REG2FLOP     Reg2flop     Scalar { size_sel[23:22], target_sel[21:20], byte_offset[19:18], context_id_2[17:16], flop_index[12:6], reg_index[5:0] } "Copies a GPR to THCON configuration or to an address counter."
0x49 LOADIND      Loadind      Scalar { size_sel[23:22], offset_index[20:14], auto_inc_spec[13:12], data_reg_index[11:6], addr_reg_index[5:0] } "Loads GPRs from L1, address and offset from GPRs."
0x58 ADDDMAREG    Adddmareg    Scalar { op_b_is_const[23:23], result_reg_index[17:12], op_b_reg_index[11:6], op_a_reg_index[5:0] } "GPR = GPR + (GPR or 6-bit immediate)."
0x59 SUBDMAREG    Subdmareg    Scalar { op_b_is_const[23:23], result_reg_index[17:12], op_b_reg_index[11:6], op_a_reg_index[5:0] } "GPR = GPR - (GPR or 6-bit immediate)."
0x5a MULDMAREG    Muldmareg    Scalar { op_b_is_const[23:23], result_reg_index[17:12], op_b_reg_index[11:6], op_a_reg_index[5:0] } "GPR = low half of GPR * low half of (GPR or 6-bit immediate)."
0x5b BITWOPDMAREG Bitwopdmareg Scalar { op_b_is_const[23:23], op_sel[20:18], result_reg_index[17:12], op_b_reg_index[11:6], op_a_reg_index[5:0] } "GPR = bitwise and, or, xor of GPR and (GPR or 6-bit immediate)."
0x5c SHIFTDMAREG  Shiftdmareg  Scalar { op_b_is_const[23:23], op_sel[20:18], result_reg_index[17:12], op_b_reg_index[11:6], op_a_reg_index[5:0] } "GPR = GPR shifted left, right or arithmetically right."
0x5d CMPDMAREG    Cmpdmareg    Scalar { op_b_is_const[23:23], op_sel[20:18], result_reg_index[17:12], op_b_reg_index[11:6], op_a_reg_index[5:0] } "GPR = comparison of GPR and (GPR or 6-bit immediate), 0 or 1."
0x60 DMANOP       Dmanop       Scalar {} "Does nothing, in the scalar unit's order."
0x61 ATINCGET     Atincget     Scalar { mem_hier_sel[23:23], wrap_val[18:14], sel_32b[13:12], data_reg_index[11:6], addr_reg_index[5:0] } "Atomically adds to an L1 word and returns its old value."
0x62 ATINCGETPTR  Atincgetptr  Scalar { mem_hier_sel[23:23], no_incr[22:22], incr_val[21:18], wrap_val[17:14], sel_32b[13:12], data_reg_index[11:6], addr_reg_index[5:0] } "Atomic FIFO pointer operation in L1."
0x63 ATSWAP       Atswap       Scalar { mem_hier_sel[23:23], swap_mask[21:14], data_reg_index[11:6], addr_reg_index[5:0] } "Writes 16-bit pieces of 16 L1 bytes from GPRs."
0x64 ATCAS        Atcas        Scalar { mem_hier_sel[23:23], swap_val[21:18], cmp_val[17:14], sel_32b[13:12], addr_reg_index[5:0] } "Retries compare-and-swap on an L1 word until it succeeds."
0x66 STOREIND     Storeind     Scalar { mem_hier_sel[23:23], size_sel[22:22], reg_size_sel[21:21], offset_index[20:14], auto_inc_spec[13:12], data_reg_index[11:6], addr_reg_index[5:0] } "Stores GPRs to L1, a register or Src, address and offset from GPRs."
0x67 STOREREG     Storereg     Scalar { tdma_data_reg_index[23:18], reg_addr[17:0] } "Stores a GPR to a memory-mapped register."
0x68 LOADREG      Loadreg      Scalar { tdma_data_reg_index[23:18], reg_addr[17:0] } "Loads a GPR from a memory-mapped register."
// Address counters (ADCs)
0x50 SETADC     Setadc    Misc { cnt_set_mask[23:21], channel_index[20:20], dimension_index[19:18], value[17:0] } "Sets one address counter of the selected units."
0x51 SETADCXY   Setadcxy  Misc { cnt_set_mask[23:21], ch1_y[17:15], ch1_x[14:12], ch0_y[11:9], ch0_x[8:6], bit_mask[3:0] } "Sets the selected X and Y counters and their carriage-return values."
0x52 INCADCXY   Incadcxy  Misc { cnt_set_mask[23:21], ch1_y[17:15], ch1_x[14:12], ch0_y[11:9], ch0_x[8:6] } "Adds to the X and Y counters."
0x53 ADDRCRXY   Addrcrxy  Misc { cnt_set_mask[23:21], ch1_y[17:15], ch1_x[14:12], ch0_y[11:9], ch0_x[8:6], bit_mask[3:0] } "Adds to X and Y carriage-return values and returns the counters to them."
0x54 SETADCZW   Setadczw  Misc { cnt_set_mask[23:21], ch1_w[17:15], ch1_z[14:12], ch0_w[11:9], ch0_z[8:6], bit_mask[3:0] } "Sets the selected Z and W counters and their carriage-return values."
0x55 INCADCZW   Incadczw  Misc { cnt_set_mask[23:21], ch1_w[17:15], ch1_z[14:12], ch0_w[11:9], ch0_z[8:6] } "Adds to the Z and W counters."
0x56 ADDRCRZW   Addrcrzw  Misc { cnt_set_mask[23:21], ch1_w[17:15], ch1_z[14:12], ch0_w[11:9], ch0_z[8:6], bit_mask[3:0] } "Adds to Z and W carriage-return values and returns the counters to them."
0x57 SETDVALID  Setdvalid Misc { setvalid[1:0] } "Hands the SrcA and/or SrcB bank to the matrix unit."
0x5e SETADCXX   Setadcxx  Misc { cnt_set_mask[23:21], x_end2[19:10], x_start[9:0] } "Sets the X counters of both channels: first and last datum."
// Vector unit
0x70 SFPLOAD     Sfpload     Vector { lreg_ind[23:20], instr_mod0[19:16], sfpu_addr_mode[15:14], dest_reg_addr[9:0] } "LReg = 32 datums of Dst, converted."
0x71 SFPLOADI    Sfploadi    Vector { lreg_ind[23:20], instr_mod0[19:16], imm16[15:0] } "LReg = immediate, converted, or one half of it."
0x72 SFPSTORE    Sfpstore    Vector { lreg_ind[23:20], instr_mod0[19:16], sfpu_addr_mode[15:14], dest_reg_addr[9:0] } "32 datums of Dst = LReg, converted."
0x73 SFPLUT      Sfplut      Vector { lreg_ind[23:20], instr_mod0[19:16] } "Piecewise linear function from 8-bit tables in LRegs."
0x74 SFPMULI     Sfpmuli     Vector { imm16_math[23:8], lreg_dest[7:4], instr_mod1[3:0] } "VD = VD * bf16 immediate."
0x75 SFPADDI     Sfpaddi     Vector { imm16_math[23:8], lreg_dest[7:4], instr_mod1[3:0] } "VD = VD + bf16 immediate."
0x76 SFPDIVP2    Sfpdivp2    Vector { imm12_math[23:12], lreg_c[11:8], lreg_dest[7:4], instr_mod1[3:0] } "VD = VC with its exponent set or increased."
0x77 SFPEXEXP    Sfpexexp    Vector { lreg_c[11:8], lreg_dest[7:4], instr_mod1[3:0] } "VD = exponent of VC."
0x78 SFPEXMAN    Sfpexman    Vector { lreg_c[11:8], lreg_dest[7:4], instr_mod1[3:0] } "VD = mantissa of VC."
0x79 SFPIADD     Sfpiadd     Vector { imm12_math[23:12], lreg_c[11:8], lreg_dest[7:4], instr_mod1[3:0] } "VD = integer sum or difference; may set the lane flags."
0x7a SFPSHFT     Sfpshft     Vector { imm12_math[23:12], lreg_c[11:8], lreg_dest[7:4], instr_mod1[3:0] } "VD = VD shifted."
0x7b SFPSETCC    Sfpsetcc    Vector { imm12_math[12:12], lreg_c[11:8], lreg_dest[7:4], instr_mod1[3:0] } "Sets the lane flags from VC, or from the immediate."
0x7c SFPMOV      Sfpmov      Vector { lreg_c[11:8], lreg_dest[7:4], instr_mod1[3:0] } "VD = VC or -VC, or a special register."
0x7d SFPABS      Sfpabs      Vector { lreg_c[11:8], lreg_dest[7:4], instr_mod1[3:0] } "VD = absolute value of VC, integer or float."
0x7e SFPAND      Sfpand      Vector { imm12_math[15:12], lreg_c[11:8], lreg_dest[7:4], instr_mod1[3:0] } "VD = VD and VC."
0x7f SFPOR       Sfpor       Vector { imm12_math[15:12], lreg_c[11:8], lreg_dest[7:4], instr_mod1[3:0] } "VD = VD or VC."
0x80 SFPNOT      Sfpnot      Vector { lreg_c[11:8], lreg_dest[7:4] } "VD = not VC."
0x81 SFPLZ       Sfplz       Vector { lreg_c[11:8], lreg_dest[7:4], instr_mod1[3:0] } "VD = leading zeros of VC; may set the lane flags."
0x82 SFPSETEXP   Sfpsetexp   Vector { imm12_math[19:12], lreg_c[11:8], lreg_dest[7:4], instr_mod1[3:0] } "VD = VC with another exponent."
0x83 SFPSETMAN   Sfpsetman   Vector { imm12_math[23:12], lreg_c[11:8], lreg_dest[7:4], instr_mod1[3:0] } "VD = VC with another mantissa."
0x84 SFPMAD      Sfpmad      Vector { lreg_src_a[19:16], lreg_src_b[15:12], lreg_src_c[11:8], lreg_dest[7:4], instr_mod1[3:0] } "VD = VA * VB + VC, partly fused."
0x85 SFPADD      Sfpadd      Vector { lreg_src_a[19:16], lreg_src_b[15:12], lreg_src_c[11:8], lreg_dest[7:4], instr_mod1[3:0] } "VD = VA * VB + VC: a sum if VA or VB is one."
0x86 SFPMUL      Sfpmul      Vector { lreg_src_a[19:16], lreg_src_b[15:12], lreg_src_c[11:8], lreg_dest[7:4], instr_mod1[3:0] } "VD = VA * VB + VC: a product if VC is zero."
0x87 SFPPUSHC    Sfppushc    Vector { lreg_dest[7:4], instr_mod1[3:0] } "Pushes the lane flags on the flag stack."
0x88 SFPPOPC     Sfppopc     Vector { lreg_dest[7:4], instr_mod1[3:0] } "Pops or combines lane flags from the flag stack."
0x89 SFPSETSGN   Sfpsetsgn   Vector { imm12_math[12:12], lreg_c[11:8], lreg_dest[7:4], instr_mod1[3:0] } "VD = VC with another sign."
0x8a SFPENCC     Sfpencc     Vector { imm12_math[13:12], lreg_dest[7:4], instr_mod1[3:0] } "Enables or disables lane predication and sets the flags."
0x8b SFPCOMPC    Sfpcompc    Vector { lreg_dest[7:4] } "Inverts the lane flags within the enclosing ones: the `else` of a lane condition."
0x8c SFPTRANSP   Sfptransp   Vector { lreg_dest[7:4] } "Transposes the 4x4 blocks that LReg 0-3 and 4-7 form."
0x8d SFPXOR      Sfpxor      Vector { lreg_c[11:8], lreg_dest[7:4] } "VD = VD xor VC."
0x8e SFPSTOCHRND Sfpstochrnd Vector { rnd_mode[21:21], imm8_math[20:16], lreg_src_b[15:12], lreg_src_c[11:8], lreg_dest[7:4], instr_mod1[3:0] } "VD = VC rounded to a narrower format, to nearest or stochastically."
0x8f SFPNOP      Sfpnop      Vector {} "Does nothing, in the vector unit's order."
0x90 SFPCAST     Sfpcast     Vector { lreg_src_c[11:8], lreg_dest[7:4], instr_mod1[3:0] } "VD = VC converted from sign-magnitude integer to float."
0x91 SFPCONFIG   Sfpconfig   Vector { imm16_math[23:8], config_dest[7:4], instr_mod1[3:0] } "Sets lane configuration, a constant register or a macro."
0x92 SFPSWAP     Sfpswap     Vector { lreg_src_c[11:8], lreg_dest[7:4], instr_mod1[3:0] } "Swaps VC and VD, or sorts each lane's pair."
0x93 SFPLOADMACRO Sfploadmacro Vector { lreg_ind[23:20], instr_mod0[19:16], sfpu_addr_mode[15:14], dest_reg_addr[9:0] } "SFPLOAD that also starts up to four scheduled instructions."
0x94 SFPSHFT2    Sfpshft2    Vector { imm12_math[23:12], lreg_src_c[11:8], lreg_dest[7:4], instr_mod1[3:0] } "Shifts across lanes or LRegs."
0x95 SFPLUTFP32  Sfplutfp32  Vector { lreg_dest[7:4], instr_mod1[3:0] } "Piecewise linear function from fp16 or fp32 tables in LRegs."
// Sync unit
0xa0 ATGETM    Atgetm    Sync { mutex_index[15:0] } "Waits for a mutex and takes it."
0xa1 ATRELM    Atrelm    Sync { mutex_index[15:0] } "Releases a mutex."
0xa2 STALLWAIT Stallwait Sync { stall_res[23:15], wait_res[14:0] } "Blocks the selected kinds of instruction until the selected conditions hold."
0xa3 SEMINIT   Seminit   Sync { max_value[23:20], init_value[19:16], sem_sel[9:2] } "Sets value and maximum of the selected semaphores."
0xa4 SEMPOST   Sempost   Sync { sem_sel[9:2] } "Adds one to the selected semaphores, up to 15."
0xa5 SEMGET    Semget    Sync { sem_sel[9:2] } "Takes one from the selected semaphores, down to 0."
0xa6 SEMWAIT   Semwait   Sync { stall_res[23:15], sem_sel[9:2], wait_sem_cond[1:0] } "Blocks the selected kinds of instruction while a selected semaphore is 0 or at its maximum."
// Configuration unit
0xb0 WRCFG   Wrcfg   Config { gpr_address[21:16], wr128b[15:15], cfg_reg[10:0] } "Writes one GPR or four to backend configuration."
0xb1 RDCFG   Rdcfg   Config { gpr_address[21:16], cfg_reg[10:0] } "Reads backend configuration to a GPR."
0xb2 SETC16  Setc16  Config { setc16_reg[23:16], setc16_value[15:0] } "Sets a word of this thread's configuration."
0xb3 RMWCIB0 Rmwcib0 Config { mask[23:16], data[15:8], cfg_reg_addr[7:0] } "Writes the masked bits of byte 0 of a configuration word."
0xb4 RMWCIB1 Rmwcib1 Config { mask[23:16], data[15:8], cfg_reg_addr[7:0] } "Writes the masked bits of byte 1 of a configuration word."
0xb5 RMWCIB2 Rmwcib2 Config { mask[23:16], data[15:8], cfg_reg_addr[7:0] } "Writes the masked bits of byte 2 of a configuration word."
0xb6 RMWCIB3 Rmwcib3 Config { mask[23:16], data[15:8], cfg_reg_addr[7:0] } "Writes the masked bits of byte 3 of a configuration word."
}

/// Every instruction of the set.
pub fn rows() -> &'static [Row] {
    ROWS
}

/// The row of an opcode byte, if the set has one.
pub fn row_of_byte(opcode: u8) -> Option<&'static Row> {
    static BY_OPCODE: OnceLock<[Option<&'static Row>; 256]> = OnceLock::new();
    let table = BY_OPCODE.get_or_init(|| {
        let mut table = [None; 256];
        for row in ROWS {
            table[row.opcode as usize] = Some(row);
        }
        table
    });
    table[opcode as usize]
}

impl Opcode {
    /// The opcode's row.
    pub fn row(self) -> &'static Row {
        row_of_byte(self as u8).expect("every opcode comes from a row")
    }
}

impl Row {
    /// The row of a mnemonic, in any case (`MVMUL`, `mvmul`).
    pub fn by_mnemonic(mnemonic: &str) -> Option<&'static Row> {
        ROWS.iter()
            .find(|row| row.mnemonic.eq_ignore_ascii_case(mnemonic))
    }

    /// The bits that belong to no field and must be zero.
    pub fn reserved_bits(&self) -> u32 {
        0x00ff_ffff
            & !self
                .fields
                .iter()
                .fold(0, |bits, field| bits | field.mask())
    }

    /// The field of that name.
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_well_formed() {
        let mut opcodes = std::collections::BTreeSet::new();
        let mut mnemonics = std::collections::BTreeSet::new();
        for row in rows() {
            assert!(
                opcodes.insert(row.opcode as u8),
                "{}: opcode taken",
                row.mnemonic
            );
            assert!(
                mnemonics.insert(row.mnemonic),
                "{}: mnemonic taken",
                row.mnemonic
            );
            assert!(row.fields.len() <= MAX_OPERANDS, "{}", row.mnemonic);
            let mut seen = 0u32;
            for field in row.fields {
                assert!(
                    field.low + field.width <= 24,
                    "{}.{}",
                    row.mnemonic,
                    field.name
                );
                assert_eq!(
                    seen & field.mask(),
                    0,
                    "{}.{} overlaps",
                    row.mnemonic,
                    field.name
                );
                seen |= field.mask();
                assert!(field
                    .name
                    .bytes()
                    .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_'));
            }
        }
    }

    #[test]
    fn lookups_agree() {
        for row in rows() {
            assert_eq!(row.opcode.row().mnemonic, row.mnemonic);
            assert_eq!(
                Row::by_mnemonic(&row.mnemonic.to_lowercase())
                    .unwrap()
                    .opcode,
                row.opcode
            );
        }
        assert!(row_of_byte(0x00).is_none());
        assert!(Row::by_mnemonic("mvmul").unwrap().field("dst").is_some());
        assert!(Row::by_mnemonic("mvmul").unwrap().field("nope").is_none());
    }
}
