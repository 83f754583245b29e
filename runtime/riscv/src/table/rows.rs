//! The rows of the instruction table, one per line.
//!
//! Columns: the operation, its mnemonic, its format, opcode, funct3, and the upper bits as the
//! format requires. Mnemonics of vector instructions that also have a scalar form are those of the
//! vector form.

use super::{row, Format, Row};
use crate::isa::Extension;

macro_rules! table {
    ($($extension:ident {
        $($op:ident $mnemonic:literal $format:ident $opcode:literal $funct3:literal $high:literal;)*
    })*) => {
        /// Every operation. Vector instructions have one for the forms with a vector and with a
        /// scalar.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u16)]
        #[allow(missing_docs, reason = "the names are the specification's")]
        pub enum Op { $($($op),*),* }

        /// Every row, in the order of [`Op`].
        pub const ROWS: &[Row] = &[
            $($(row(
                (Op::$op, Extension::$extension),
                $mnemonic, Format::$format, $opcode, $funct3, $high,
            )),*),*
        ];
    };
}

table! {
    Base {
        Lui    "lui"    Upper  0x37 0 0;
        Auipc  "auipc"  Upper  0x17 0 0;
        Jal    "jal"    Jump   0x6f 0 0;
        Jalr   "jalr"   Load   0x67 0 0;
        Beq    "beq"    Branch 0x63 0 0;
        Bne    "bne"    Branch 0x63 1 0;
        Blt    "blt"    Branch 0x63 4 0;
        Bge    "bge"    Branch 0x63 5 0;
        Bltu   "bltu"   Branch 0x63 6 0;
        Bgeu   "bgeu"   Branch 0x63 7 0;
        Lb     "lb"     Load   0x03 0 0;
        Lh     "lh"     Load   0x03 1 0;
        Lw     "lw"     Load   0x03 2 0;
        Lbu    "lbu"    Load   0x03 4 0;
        Lhu    "lhu"    Load   0x03 5 0;
        Sb     "sb"     Store  0x23 0 0;
        Sh     "sh"     Store  0x23 1 0;
        Sw     "sw"     Store  0x23 2 0;
        Addi   "addi"   I      0x13 0 0;
        Slti   "slti"   I      0x13 2 0;
        Sltiu  "sltiu"  I      0x13 3 0;
        Xori   "xori"   I      0x13 4 0;
        Ori    "ori"    I      0x13 6 0;
        Andi   "andi"   I      0x13 7 0;
        Slli   "slli"   Shift  0x13 1 0x00;
        Srli   "srli"   Shift  0x13 5 0x00;
        Srai   "srai"   Shift  0x13 5 0x20;
        Add    "add"    R      0x33 0 0x00;
        Sub    "sub"    R      0x33 0 0x20;
        Sll    "sll"    R      0x33 1 0x00;
        Slt    "slt"    R      0x33 2 0x00;
        Sltu   "sltu"   R      0x33 3 0x00;
        Xor    "xor"    R      0x33 4 0x00;
        Srl    "srl"    R      0x33 5 0x00;
        Sra    "sra"    R      0x33 5 0x20;
        Or     "or"     R      0x33 6 0x00;
        And    "and"    R      0x33 7 0x00;
        Fence  "fence"  Fence  0x0f 0 0;
        FenceTso "fence.tso" Exact 0x0f 0 0x833;
        Ecall  "ecall"  Exact  0x73 0 0;
        Ebreak "ebreak" Exact  0x73 0 1;
        Mul    "mul"    R      0x33 0 0x01;
        Mulh   "mulh"   R      0x33 1 0x01;
        Mulhsu "mulhsu" R      0x33 2 0x01;
        Mulhu  "mulhu"  R      0x33 3 0x01;
        Div    "div"    R      0x33 4 0x01;
        Divu   "divu"   R      0x33 5 0x01;
        Rem    "rem"    R      0x33 6 0x01;
        Remu   "remu"   R      0x33 7 0x01;
        Ttinsn "ttinsn" Push   0    0 0;
    }
    Zicsr {
        Csrrw  "csrrw"  Csr 0x73 1 0;
        Csrrs  "csrrs"  Csr 0x73 2 0;
        Csrrc  "csrrc"  Csr 0x73 3 0;
        Csrrwi "csrrwi" CsrImmediate 0x73 5 0;
        Csrrsi "csrrsi" CsrImmediate 0x73 6 0;
        Csrrci "csrrci" CsrImmediate 0x73 7 0;
    }
    Zaamo {
        Amoadd  "amoadd.w"  Atomic 0x2f 2 0x00;
        Amoswap "amoswap.w" Atomic 0x2f 2 0x01;
        Amoxor  "amoxor.w"  Atomic 0x2f 2 0x04;
        Amoor   "amoor.w"   Atomic 0x2f 2 0x08;
        Amoand  "amoand.w"  Atomic 0x2f 2 0x0c;
        Amomin  "amomin.w"  Atomic 0x2f 2 0x10;
        Amomax  "amomax.w"  Atomic 0x2f 2 0x14;
        Amominu "amominu.w" Atomic 0x2f 2 0x18;
        Amomaxu "amomaxu.w" Atomic 0x2f 2 0x1c;
    }
    Zba {
        Sh1add "sh1add" R 0x33 2 0x10;
        Sh2add "sh2add" R 0x33 4 0x10;
        Sh3add "sh3add" R 0x33 6 0x10;
    }
    Zbb {
        Andn  "andn"   R     0x33 7 0x20;
        Orn   "orn"    R     0x33 6 0x20;
        Xnor  "xnor"   R     0x33 4 0x20;
        Clz   "clz"    Unary 0x13 1 0x600;
        Ctz   "ctz"    Unary 0x13 1 0x601;
        Cpop  "cpop"   Unary 0x13 1 0x602;
        Sextb "sext.b" Unary 0x13 1 0x604;
        Sexth "sext.h" Unary 0x13 1 0x605;
        Max   "max"    R     0x33 6 0x05;
        Maxu  "maxu"   R     0x33 7 0x05;
        Min   "min"    R     0x33 4 0x05;
        Minu  "minu"   R     0x33 5 0x05;
        Rol   "rol"    R     0x33 1 0x30;
        Ror   "ror"    R     0x33 5 0x30;
        Rori  "rori"   Shift 0x13 5 0x30;
        Orcb  "orc.b"  Unary 0x13 5 0x287;
    }
    Bits {
        Pack  "pack"   R     0x33 4 0x04;
        Grevi "grevi"  Shift 0x13 5 0x34;
    }
    F {
        Flw     "flw"       Load         0x07 2 0;
        Fsw     "fsw"       Store        0x27 2 0;
        FmaddS  "fmadd.s"   Fused        0x43 0 0;
        FmsubS  "fmsub.s"   Fused        0x47 0 0;
        FnmsubS "fnmsub.s"  Fused        0x4b 0 0;
        FnmaddS "fnmadd.s"  Fused        0x4f 0 0;
        FaddS   "fadd.s"    Rounded      0x53 0 0x00;
        FsubS   "fsub.s"    Rounded      0x53 0 0x04;
        FmulS   "fmul.s"    Rounded      0x53 0 0x08;
        FsgnjS  "fsgnj.s"   R            0x53 0 0x10;
        FsgnjnS "fsgnjn.s"  R            0x53 1 0x10;
        FsgnjxS "fsgnjx.s"  R            0x53 2 0x10;
        FminS   "fmin.s"    R            0x53 0 0x14;
        FmaxS   "fmax.s"    R            0x53 1 0x14;
        FeqS    "feq.s"     R            0x53 2 0x50;
        FltS    "flt.s"     R            0x53 1 0x50;
        FleS    "fle.s"     R            0x53 0 0x50;
        FclassS "fclass.s"  Unary        0x53 1 0xe00;
        FmvXW   "fmv.x.w"   Unary        0x53 0 0xe00;
        FmvWX   "fmv.w.x"   Unary        0x53 0 0xf00;
        FcvtWS  "fcvt.w.s"  UnaryRounded 0x53 0 0xc00;
        FcvtWuS "fcvt.wu.s" UnaryRounded 0x53 0 0xc01;
        FcvtSW  "fcvt.s.w"  UnaryRounded 0x53 0 0xd00;
        FcvtSWu "fcvt.s.wu" UnaryRounded 0x53 0 0xd01;
    }
    Zfh {
        Flh     "flh"       Load         0x07 1 0;
        Fsh     "fsh"       Store        0x27 1 0;
        FmaddH  "fmadd.h"   Fused        0x43 0 2;
        FmsubH  "fmsub.h"   Fused        0x47 0 2;
        FnmsubH "fnmsub.h"  Fused        0x4b 0 2;
        FnmaddH "fnmadd.h"  Fused        0x4f 0 2;
        FaddH   "fadd.h"    Rounded      0x53 0 0x02;
        FsubH   "fsub.h"    Rounded      0x53 0 0x06;
        FmulH   "fmul.h"    Rounded      0x53 0 0x0a;
        FsgnjH  "fsgnj.h"   R            0x53 0 0x12;
        FsgnjnH "fsgnjn.h"  R            0x53 1 0x12;
        FsgnjxH "fsgnjx.h"  R            0x53 2 0x12;
        FminH   "fmin.h"    R            0x53 0 0x16;
        FmaxH   "fmax.h"    R            0x53 1 0x16;
        FeqH    "feq.h"     R            0x53 2 0x52;
        FltH    "flt.h"     R            0x53 1 0x52;
        FleH    "fle.h"     R            0x53 0 0x52;
        FclassH "fclass.h"  Unary        0x53 1 0xe40;
        FmvXH   "fmv.x.h"   Unary        0x53 0 0xe40;
        FmvHX   "fmv.h.x"   Unary        0x53 0 0xf40;
        FcvtWH  "fcvt.w.h"  UnaryRounded 0x53 0 0xc40;
        FcvtWuH "fcvt.wu.h" UnaryRounded 0x53 0 0xc41;
        FcvtHW  "fcvt.h.w"  UnaryRounded 0x53 0 0xd40;
        FcvtHWu "fcvt.h.wu" UnaryRounded 0x53 0 0xd41;
        FcvtSH  "fcvt.s.h"  UnaryRounded 0x53 0 0x402;
        FcvtHS  "fcvt.h.s"  UnaryRounded 0x53 0 0x440;
    }
    V {
        Vsetvli      "vsetvli"           Vsetvli  0x57 7 0;
        Vsetivli     "vsetivli"          Vsetivli 0x57 7 3;
        Vsetvl       "vsetvl"            R        0x57 7 0x40;
        Vle8         "vle8.v"            Vunit    0x07 0 0x000;
        Vle16        "vle16.v"           Vunit    0x07 5 0x000;
        Vle32        "vle32.v"           Vunit    0x07 6 0x000;
        Vle8ff       "vle8ff.v"          Vunit    0x07 0 0x010;
        Vle16ff      "vle16ff.v"         Vunit    0x07 5 0x010;
        Vle32ff      "vle32ff.v"         Vunit    0x07 6 0x010;
        Vlm          "vlm.v"             Vwhole   0x07 0 0x02b;
        Vlse8        "vlse8.v"           Vstrided 0x07 0 0x080;
        Vlse16       "vlse16.v"          Vstrided 0x07 5 0x080;
        Vlse32       "vlse32.v"          Vstrided 0x07 6 0x080;
        Vluxei8      "vluxei8.v"         Vindexed 0x07 0 0x040;
        Vluxei16     "vluxei16.v"        Vindexed 0x07 5 0x040;
        Vluxei32     "vluxei32.v"        Vindexed 0x07 6 0x040;
        Vloxei8      "vloxei8.v"         Vindexed 0x07 0 0x0c0;
        Vloxei16     "vloxei16.v"        Vindexed 0x07 5 0x0c0;
        Vloxei32     "vloxei32.v"        Vindexed 0x07 6 0x0c0;
        Vl1re8       "vl1re8.v"          Vwhole   0x07 0 0x028;
        Vl1re16      "vl1re16.v"         Vwhole   0x07 5 0x028;
        Vl1re32      "vl1re32.v"         Vwhole   0x07 6 0x028;
        Vl2re8       "vl2re8.v"          Vwhole   0x07 0 0x228;
        Vl2re16      "vl2re16.v"         Vwhole   0x07 5 0x228;
        Vl2re32      "vl2re32.v"         Vwhole   0x07 6 0x228;
        Vl4re8       "vl4re8.v"          Vwhole   0x07 0 0x628;
        Vl4re16      "vl4re16.v"         Vwhole   0x07 5 0x628;
        Vl4re32      "vl4re32.v"         Vwhole   0x07 6 0x628;
        Vl8re8       "vl8re8.v"          Vwhole   0x07 0 0xe28;
        Vl8re16      "vl8re16.v"         Vwhole   0x07 5 0xe28;
        Vl8re32      "vl8re32.v"         Vwhole   0x07 6 0xe28;
        Vse8         "vse8.v"            Vunit    0x27 0 0x000;
        Vse16        "vse16.v"           Vunit    0x27 5 0x000;
        Vse32        "vse32.v"           Vunit    0x27 6 0x000;
        Vsm          "vsm.v"             Vwhole   0x27 0 0x02b;
        Vsse8        "vsse8.v"           Vstrided 0x27 0 0x080;
        Vsse16       "vsse16.v"          Vstrided 0x27 5 0x080;
        Vsse32       "vsse32.v"          Vstrided 0x27 6 0x080;
        Vsuxei8      "vsuxei8.v"         Vindexed 0x27 0 0x040;
        Vsuxei16     "vsuxei16.v"        Vindexed 0x27 5 0x040;
        Vsuxei32     "vsuxei32.v"        Vindexed 0x27 6 0x040;
        Vsoxei8      "vsoxei8.v"         Vindexed 0x27 0 0x0c0;
        Vsoxei16     "vsoxei16.v"        Vindexed 0x27 5 0x0c0;
        Vsoxei32     "vsoxei32.v"        Vindexed 0x27 6 0x0c0;
        Vs1r         "vs1r.v"            Vwhole   0x27 0 0x028;
        Vs2r         "vs2r.v"            Vwhole   0x27 0 0x228;
        Vs4r         "vs4r.v"            Vwhole   0x27 0 0x628;
        Vs8r         "vs8r.v"            Vwhole   0x27 0 0xe28;
        Vadd         "vadd.vv"           Vvx      0x57 0 0x00;
        VaddI        "vadd.vi"           Vi       0x57 3 0x00;
        Vsub         "vsub.vv"           Vvx      0x57 0 0x02;
        Vrsub        "vrsub.vx"          Vx       0x57 4 0x03;
        VrsubI       "vrsub.vi"          Vi       0x57 3 0x03;
        Vminu        "vminu.vv"          Vvx      0x57 0 0x04;
        Vmin         "vmin.vv"           Vvx      0x57 0 0x05;
        Vmaxu        "vmaxu.vv"          Vvx      0x57 0 0x06;
        Vmax         "vmax.vv"           Vvx      0x57 0 0x07;
        Vand         "vand.vv"           Vvx      0x57 0 0x09;
        VandI        "vand.vi"           Vi       0x57 3 0x09;
        Vor          "vor.vv"            Vvx      0x57 0 0x0a;
        VorI         "vor.vi"            Vi       0x57 3 0x0a;
        Vxor         "vxor.vv"           Vvx      0x57 0 0x0b;
        VxorI        "vxor.vi"           Vi       0x57 3 0x0b;
        Vrgather     "vrgather.vv"       Vvx      0x57 0 0x0c;
        VrgatherI    "vrgather.vi"       Vu       0x57 3 0x0c;
        Vrgatherei16 "vrgatherei16.vv"   Vv       0x57 0 0x0e;
        Vslideup     "vslideup.vx"       Vx       0x57 4 0x0e;
        VslideupI    "vslideup.vi"       Vu       0x57 3 0x0e;
        Vslidedown   "vslidedown.vx"     Vx       0x57 4 0x0f;
        VslidedownI  "vslidedown.vi"     Vu       0x57 3 0x0f;
        Vadc         "vadc.vvm"          VvxM     0x57 0 0x10;
        VadcI        "vadc.vim"          ViM      0x57 3 0x10;
        VmadcM       "vmadc.vvm"         VvxM     0x57 0 0x11;
        VmadcMI      "vmadc.vim"         ViM      0x57 3 0x11;
        Vmadc        "vmadc.vv"          VvxU     0x57 0 0x11;
        VmadcI       "vmadc.vi"          ViU      0x57 3 0x11;
        Vsbc         "vsbc.vvm"          VvxM     0x57 0 0x12;
        VmsbcM       "vmsbc.vvm"         VvxM     0x57 0 0x13;
        Vmsbc        "vmsbc.vv"          VvxU     0x57 0 0x13;
        Vmerge       "vmerge.vvm"        VvxM     0x57 0 0x17;
        VmergeI      "vmerge.vim"        ViM      0x57 3 0x17;
        VmvV         "vmv.v.v"           Vsplat   0x57 0 0x17;
        VmvI         "vmv.v.i"           VsplatI  0x57 3 0x17;
        Vmseq        "vmseq.vv"          Vvx      0x57 0 0x18;
        VmseqI       "vmseq.vi"          Vi       0x57 3 0x18;
        Vmsne        "vmsne.vv"          Vvx      0x57 0 0x19;
        VmsneI       "vmsne.vi"          Vi       0x57 3 0x19;
        Vmsltu       "vmsltu.vv"         Vvx      0x57 0 0x1a;
        Vmslt        "vmslt.vv"          Vvx      0x57 0 0x1b;
        Vmsleu       "vmsleu.vv"         Vvx      0x57 0 0x1c;
        VmsleuI      "vmsleu.vi"         Vi       0x57 3 0x1c;
        Vmsle        "vmsle.vv"          Vvx      0x57 0 0x1d;
        VmsleI       "vmsle.vi"          Vi       0x57 3 0x1d;
        Vmsgtu       "vmsgtu.vx"         Vx       0x57 4 0x1e;
        VmsgtuI      "vmsgtu.vi"         Vi       0x57 3 0x1e;
        Vmsgt        "vmsgt.vx"          Vx       0x57 4 0x1f;
        VmsgtI       "vmsgt.vi"          Vi       0x57 3 0x1f;
        Vsaddu       "vsaddu.vv"         Vvx      0x57 0 0x20;
        VsadduI      "vsaddu.vi"         Vi       0x57 3 0x20;
        Vsadd        "vsadd.vv"          Vvx      0x57 0 0x21;
        VsaddI       "vsadd.vi"          Vi       0x57 3 0x21;
        Vssubu       "vssubu.vv"         Vvx      0x57 0 0x22;
        Vssub        "vssub.vv"          Vvx      0x57 0 0x23;
        Vsll         "vsll.vv"           Vvx      0x57 0 0x25;
        VsllI        "vsll.vi"           Vu       0x57 3 0x25;
        Vsmul        "vsmul.vv"          Vvx      0x57 0 0x27;
        Vmv1r        "vmv1r.v"           VunaryU  0x57 3 0x027;
        Vmv2r        "vmv2r.v"           VunaryU  0x57 3 0x067;
        Vmv4r        "vmv4r.v"           VunaryU  0x57 3 0x0e7;
        Vmv8r        "vmv8r.v"           VunaryU  0x57 3 0x1e7;
        Vsrl         "vsrl.vv"           Vvx      0x57 0 0x28;
        VsrlI        "vsrl.vi"           Vu       0x57 3 0x28;
        Vsra         "vsra.vv"           Vvx      0x57 0 0x29;
        VsraI        "vsra.vi"           Vu       0x57 3 0x29;
        Vssrl        "vssrl.vv"          Vvx      0x57 0 0x2a;
        VssrlI       "vssrl.vi"          Vu       0x57 3 0x2a;
        Vssra        "vssra.vv"          Vvx      0x57 0 0x2b;
        VssraI       "vssra.vi"          Vu       0x57 3 0x2b;
        Vnsrl        "vnsrl.wv"          Vvx      0x57 0 0x2c;
        VnsrlI       "vnsrl.wi"          Vu       0x57 3 0x2c;
        Vnsra        "vnsra.wv"          Vvx      0x57 0 0x2d;
        VnsraI       "vnsra.wi"          Vu       0x57 3 0x2d;
        Vnclipu      "vnclipu.wv"        Vvx      0x57 0 0x2e;
        VnclipuI     "vnclipu.wi"        Vu       0x57 3 0x2e;
        Vnclip       "vnclip.wv"         Vvx      0x57 0 0x2f;
        VnclipI      "vnclip.wi"         Vu       0x57 3 0x2f;
        Vwredsumu    "vwredsumu.vs"      Vv       0x57 0 0x30;
        Vwredsum     "vwredsum.vs"       Vv       0x57 0 0x31;
        Vredsum      "vredsum.vs"        Vv       0x57 2 0x00;
        Vredand      "vredand.vs"        Vv       0x57 2 0x01;
        Vredor       "vredor.vs"         Vv       0x57 2 0x02;
        Vredxor      "vredxor.vs"        Vv       0x57 2 0x03;
        Vredminu     "vredminu.vs"       Vv       0x57 2 0x04;
        Vredmin      "vredmin.vs"        Vv       0x57 2 0x05;
        Vredmaxu     "vredmaxu.vs"       Vv       0x57 2 0x06;
        Vredmax      "vredmax.vs"        Vv       0x57 2 0x07;
        Vaaddu       "vaaddu.vv"         Vvx      0x57 2 0x08;
        Vaadd        "vaadd.vv"          Vvx      0x57 2 0x09;
        Vasubu       "vasubu.vv"         Vvx      0x57 2 0x0a;
        Vasub        "vasub.vv"          Vvx      0x57 2 0x0b;
        Vslide1up    "vslide1up.vx"      Vx       0x57 6 0x0e;
        Vslide1down  "vslide1down.vx"    Vx       0x57 6 0x0f;
        VmvXS        "vmv.x.s"           VunaryU  0x57 2 0x010;
        VmvSX        "vmv.s.x"           VsplatX  0x57 6 0x10;
        Vcpop        "vcpop.m"           Vunary   0x57 2 0x410;
        Vfirst       "vfirst.m"          Vunary   0x57 2 0x450;
        VzextVf4     "vzext.vf4"         Vunary   0x57 2 0x112;
        VsextVf4     "vsext.vf4"         Vunary   0x57 2 0x152;
        VzextVf2     "vzext.vf2"         Vunary   0x57 2 0x192;
        VsextVf2     "vsext.vf2"         Vunary   0x57 2 0x1d2;
        Vmsbf        "vmsbf.m"           Vunary   0x57 2 0x054;
        Vmsof        "vmsof.m"           Vunary   0x57 2 0x094;
        Vmsif        "vmsif.m"           Vunary   0x57 2 0x0d4;
        Viota        "viota.m"           Vunary   0x57 2 0x414;
        Vid          "vid.v"             Vid      0x57 2 0x454;
        Vcompress    "vcompress.vm"      Vmm      0x57 2 0x17;
        Vmandn       "vmandn.mm"         Vmm      0x57 2 0x18;
        Vmand        "vmand.mm"          Vmm      0x57 2 0x19;
        Vmor         "vmor.mm"           Vmm      0x57 2 0x1a;
        Vmxor        "vmxor.mm"          Vmm      0x57 2 0x1b;
        Vmorn        "vmorn.mm"          Vmm      0x57 2 0x1c;
        Vmnand       "vmnand.mm"         Vmm      0x57 2 0x1d;
        Vmnor        "vmnor.mm"          Vmm      0x57 2 0x1e;
        Vmxnor       "vmxnor.mm"         Vmm      0x57 2 0x1f;
        Vmulhu       "vmulhu.vv"         Vvx      0x57 2 0x24;
        Vmul         "vmul.vv"           Vvx      0x57 2 0x25;
        Vmulhsu      "vmulhsu.vv"        Vvx      0x57 2 0x26;
        Vmulh        "vmulh.vv"          Vvx      0x57 2 0x27;
        Vmadd        "vmadd.vv"          VvxA     0x57 2 0x29;
        Vnmsub       "vnmsub.vv"         VvxA     0x57 2 0x2b;
        Vmacc        "vmacc.vv"          VvxA     0x57 2 0x2d;
        Vnmsac       "vnmsac.vv"         VvxA     0x57 2 0x2f;
        Vwaddu       "vwaddu.vv"         Vvx      0x57 2 0x30;
        Vwadd        "vwadd.vv"          Vvx      0x57 2 0x31;
        Vwsubu       "vwsubu.vv"         Vvx      0x57 2 0x32;
        Vwsub        "vwsub.vv"          Vvx      0x57 2 0x33;
        VwadduW      "vwaddu.wv"         Vvx      0x57 2 0x34;
        VwaddW       "vwadd.wv"          Vvx      0x57 2 0x35;
        VwsubuW      "vwsubu.wv"         Vvx      0x57 2 0x36;
        VwsubW       "vwsub.wv"          Vvx      0x57 2 0x37;
        Vwmulu       "vwmulu.vv"         Vvx      0x57 2 0x38;
        Vwmulsu      "vwmulsu.vv"        Vvx      0x57 2 0x3a;
        Vwmul        "vwmul.vv"          Vvx      0x57 2 0x3b;
        Vwmaccu      "vwmaccu.vv"        VvxA     0x57 2 0x3c;
        Vwmacc       "vwmacc.vv"         VvxA     0x57 2 0x3d;
        Vwmaccus     "vwmaccus.vx"       VxA      0x57 6 0x3e;
        Vwmaccsu     "vwmaccsu.vv"       VvxA     0x57 2 0x3f;
        Vfadd        "vfadd.vv"          Vvx      0x57 1 0x00;
        Vfredusum    "vfredusum.vs"      Vv       0x57 1 0x01;
        Vfsub        "vfsub.vv"          Vvx      0x57 1 0x02;
        Vfredosum    "vfredosum.vs"      Vv       0x57 1 0x03;
        Vfmin        "vfmin.vv"          Vvx      0x57 1 0x04;
        Vfredmin     "vfredmin.vs"       Vv       0x57 1 0x05;
        Vfmax        "vfmax.vv"          Vvx      0x57 1 0x06;
        Vfredmax     "vfredmax.vs"       Vv       0x57 1 0x07;
        Vfsgnj       "vfsgnj.vv"         Vvx      0x57 1 0x08;
        Vfsgnjn      "vfsgnjn.vv"        Vvx      0x57 1 0x09;
        Vfsgnjx      "vfsgnjx.vv"        Vvx      0x57 1 0x0a;
        Vfslide1up   "vfslide1up.vf"     Vx       0x57 5 0x0e;
        Vfslide1down "vfslide1down.vf"   Vx       0x57 5 0x0f;
        VfmvFS       "vfmv.f.s"          VunaryU  0x57 1 0x010;
        VfmvSF       "vfmv.s.f"          VsplatX  0x57 5 0x10;
        VfcvtXuF     "vfcvt.xu.f.v"      Vunary   0x57 1 0x012;
        VfcvtXF      "vfcvt.x.f.v"       Vunary   0x57 1 0x052;
        VfcvtFXu     "vfcvt.f.xu.v"      Vunary   0x57 1 0x092;
        VfcvtFX      "vfcvt.f.x.v"       Vunary   0x57 1 0x0d2;
        VfcvtRtzXuF  "vfcvt.rtz.xu.f.v"  Vunary   0x57 1 0x192;
        VfcvtRtzXF   "vfcvt.rtz.x.f.v"   Vunary   0x57 1 0x1d2;
        VfwcvtFXu    "vfwcvt.f.xu.v"     Vunary   0x57 1 0x292;
        VfwcvtFX     "vfwcvt.f.x.v"      Vunary   0x57 1 0x2d2;
        VfncvtXuF    "vfncvt.xu.f.w"     Vunary   0x57 1 0x412;
        VfncvtXF     "vfncvt.x.f.w"      Vunary   0x57 1 0x452;
        VfncvtRtzXuF "vfncvt.rtz.xu.f.w" Vunary   0x57 1 0x592;
        VfncvtRtzXF  "vfncvt.rtz.x.f.w"  Vunary   0x57 1 0x5d2;
        Vfclass      "vfclass.v"         Vunary   0x57 1 0x413;
        Vfmerge      "vfmerge.vfm"       VxM      0x57 5 0x17;
        VfmvVF       "vfmv.v.f"          VsplatX  0x57 5 0x17;
        Vmfeq        "vmfeq.vv"          Vvx      0x57 1 0x18;
        Vmfle        "vmfle.vv"          Vvx      0x57 1 0x19;
        Vmflt        "vmflt.vv"          Vvx      0x57 1 0x1b;
        Vmfne        "vmfne.vv"          Vvx      0x57 1 0x1c;
        Vmfgt        "vmfgt.vf"          Vx       0x57 5 0x1d;
        Vmfge        "vmfge.vf"          Vx       0x57 5 0x1f;
        Vfmul        "vfmul.vv"          Vvx      0x57 1 0x24;
        Vfrsub       "vfrsub.vf"         Vx       0x57 5 0x27;
        Vfmadd       "vfmadd.vv"         VvxA     0x57 1 0x28;
        Vfnmadd      "vfnmadd.vv"        VvxA     0x57 1 0x29;
        Vfmsub       "vfmsub.vv"         VvxA     0x57 1 0x2a;
        Vfnmsub      "vfnmsub.vv"        VvxA     0x57 1 0x2b;
        Vfmacc       "vfmacc.vv"         VvxA     0x57 1 0x2c;
        Vfnmacc      "vfnmacc.vv"        VvxA     0x57 1 0x2d;
        Vfmsac       "vfmsac.vv"         VvxA     0x57 1 0x2e;
        Vfnmsac      "vfnmsac.vv"        VvxA     0x57 1 0x2f;
    }
    Mret {
        Mret  "mret"   Exact 0x73 0 0x302;
    }
}
