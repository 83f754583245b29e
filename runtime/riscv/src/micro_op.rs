//! Micro-operations: decoded instructions in the form in which a core in order executes them.
//!
//! A page of code has one micro-operation per word ([`crate::page_code::PageCode`]), so every
//! word can be entered by a jump. Operands are computed as far as the address and the word
//! determine them: targets of branches are absolute, and results that do not depend on registers
//! are immediates.
//!
//! Frequent pairs of instructions are fused (Celio et al., "The Renewed Case for the Reduced
//! Instruction Set Computer: Avoiding ISA Bloat with Macro-Op Fusion for RISC-V", 2016): the kind
//! of the first one's micro-operation also tells what the second one does. The operands of the
//! second one are those of the next word, which keeps its own micro-operation for jumps to it.
//!
//! Instructions without a kind ([`Kind::Issue`]) are executed by `Core::issue`.

use crate::alu::{bits, div, divu, mulh, mulhsu, mulhu, rem, remu};
use crate::decoded::{Decoded, SINK};
use crate::table::{Format, Op};

/// Calls a macro with the kinds: those that are not named after one instruction, instructions, and
/// fused pairs.
macro_rules! with_kinds {
    ($callback:ident) => {
        $callback! {
            special { Issue Constant Bits }
            single {
                Add Addi Sub Slt Slti Sltu Sltiu Xor Xori Or Ori And Andi
                Sll Slli Srl Srli Sra Srai Mul Mulh Mulhsu Mulhu Div Divu Rem Remu
                Sh1add Sh2add Sh3add
                Jal Jalr Beq Bne Blt Bge Bltu Bgeu
                Lb Lbu Lh Lhu Lw Sb Sh Sw Ttinsn
            }
            pairs {
                Constant {
                    ConstantAddi: Addi, ConstantConstant: Constant, ConstantLw: Lw, ConstantSw: Sw,
                }
                Addi {
                    AddiAddi: Addi, AddiAdd: Add, AddiSub: Sub, AddiSlli: Slli, AddiSrli: Srli,
                    AddiAndi: Andi, AddiAnd: And, AddiOr: Or, AddiXor: Xor, AddiMul: Mul,
                    AddiLw: Lw, AddiSw: Sw, AddiBeq: Beq, AddiBne: Bne, AddiBlt: Blt, AddiBge: Bge,
                    AddiBltu: Bltu, AddiBgeu: Bgeu, AddiJal: Jal, AddiJalr: Jalr,
                }
                Add {
                    AddAddi: Addi, AddAdd: Add, AddSub: Sub, AddSlli: Slli, AddSrli: Srli,
                    AddAndi: Andi, AddOr: Or, AddXor: Xor, AddMul: Mul, AddLw: Lw, AddLbu: Lbu,
                    AddLhu: Lhu, AddSw: Sw, AddSb: Sb, AddSh: Sh, AddBne: Bne, AddBltu: Bltu,
                }
                Sub { SubAddi: Addi, SubAdd: Add, SubSlli: Slli, SubSrli: Srli, SubAndi: Andi, }
                Slli {
                    SlliAddi: Addi, SlliAdd: Add, SlliSub: Sub, SlliSrli: Srli, SlliSrai: Srai,
                    SlliOr: Or,
                }
                Srli {
                    SrliAddi: Addi, SrliAdd: Add, SrliSlli: Slli, SrliAndi: Andi, SrliOr: Or,
                    SrliXor: Xor, SrliMul: Mul,
                }
                Andi {
                    AndiAddi: Addi, AndiAdd: Add, AndiSlli: Slli, AndiSrli: Srli, AndiOr: Or,
                    AndiBeq: Beq, AndiBne: Bne,
                }
                And { AndAdd: Add, AndOr: Or, AndBeq: Beq, AndBne: Bne, }
                Or { OrAddi: Addi, OrAdd: Add, OrSlli: Slli, OrOr: Or, OrSw: Sw, }
                Xor { XorAddi: Addi, XorAdd: Add, XorSlli: Slli, XorSrli: Srli, XorXor: Xor, }
                Mul { MulAddi: Addi, MulAdd: Add, MulSlli: Slli, }
                Lw {
                    LwAddi: Addi, LwAdd: Add, LwSlli: Slli, LwAndi: Andi, LwAnd: And, LwXor: Xor,
                    LwMul: Mul, LwLw: Lw, LwSw: Sw, LwBeq: Beq, LwBne: Bne, LwBltu: Bltu,
                }
                Lbu { LbuLbu: Lbu, LbuAddi: Addi, }
                Sw { SwAddi: Addi, SwAdd: Add, SwLw: Lw, SwSw: Sw, SwBne: Bne, }
                Sb { SbAddi: Addi, }
                Ttinsn { TtinsnTtinsn: Ttinsn, }
            }
        }
    };
}
pub(crate) use with_kinds;

macro_rules! define_kinds {
    (
        special { $($special:ident)* }
        single { $($single:ident)* }
        pairs { $($first:ident { $($pair:ident: $second:ident,)* })* }
    ) => {
        /// What a micro-operation does: `Issue` is an instruction without a kind of its own, or a
        /// word that has not been decoded. `Constant` sets rd to the immediate. `Bits` is an
        /// instruction of Zba or Zbb without a kind of its own, `pack` or `grevi`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub(crate) enum Kind {
            $($special,)*
            $($single,)*
            $($($pair,)*)*
        }

        impl Kind {
            /// Returns the kind of an instruction that has one under its own name.
            fn from_op(op: Op) -> Option<Self> {
                Some(match op {
                    $(Op::$single => Kind::$single,)*
                    _ => return None,
                })
            }

            /// Returns the kind that executes two kinds one after the other.
            fn of_pair(first: Self, second: Self) -> Option<Self> {
                Some(match (first, second) {
                    $($((Kind::$first, Kind::$second) => Kind::$pair,)*)*
                    _ => return None,
                })
            }

            /// Returns the kind without the second instruction of a pair.
            fn unfused(self) -> Self {
                match self {
                    $($(Kind::$pair)|* => Kind::$first,)*
                    single => single,
                }
            }
        }
    };
}

with_kinds!(define_kinds);

/// A micro-operation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MicroOp {
    pub(crate) kind: Kind,
    pub(crate) rd: u8,
    pub(crate) rs1: u8,
    pub(crate) rs2: u8,
    /// The immediate; of jumps and branches the target.
    pub(crate) imm: u32,
}

impl MicroOp {
    pub(crate) const ISSUE: Self = MicroOp {
        kind: Kind::Issue,
        rd: SINK,
        rs1: 0,
        rs2: 0,
        imm: 0,
    };

    /// Translates an instruction at an address, without the next one.
    pub(crate) fn new(decoded: Decoded, pc: u32) -> Self {
        let Decoded { rd, rs1, rs2, .. } = decoded;
        let of = |kind, imm| MicroOp {
            kind,
            rd,
            rs1,
            rs2,
            imm,
        };
        let target = pc.wrapping_add(decoded.imm);
        let Some(op) = decoded.op else {
            return Self::ISSUE;
        };
        match (op.row().format, Kind::from_op(op)) {
            // The next instruction is at address 0, which counts as a jump back.
            _ if pc.wrapping_add(4) == 0 => Self::ISSUE,
            (Format::Upper, _) if op == Op::Lui => of(Kind::Constant, decoded.imm),
            (Format::Upper, _) => of(Kind::Constant, target),
            // Memory in order is always drained.
            (Format::Fence, _) => of(Kind::Constant, 0),
            (Format::Jump | Format::Branch, Some(kind)) if target % 4 == 0 => of(kind, target),
            (Format::Jump | Format::Branch, _) => Self::ISSUE,
            (_, Some(kind)) => of(kind, decoded.imm),
            _ if bits(op, 0, 0).is_some() => of(Kind::Bits, decoded.imm),
            _ => Self::ISSUE,
        }
    }

    /// Computes a result from the values of the sources; `kind` is a constant at each call.
    #[inline(always)]
    pub(crate) fn compute(&self, kind: Kind, a: u32, b: u32) -> u32 {
        let imm = self.imm;
        match kind {
            Kind::Constant => imm,
            Kind::Add => a.wrapping_add(b),
            Kind::Addi => a.wrapping_add(imm),
            Kind::Sub => a.wrapping_sub(b),
            Kind::Slt => u32::from((a as i32) < b as i32),
            Kind::Slti => u32::from((a as i32) < imm as i32),
            Kind::Sltu => u32::from(a < b),
            Kind::Sltiu => u32::from(a < imm),
            Kind::Xor => a ^ b,
            Kind::Xori => a ^ imm,
            Kind::Or => a | b,
            Kind::Ori => a | imm,
            Kind::And => a & b,
            Kind::Andi => a & imm,
            Kind::Sll => a.wrapping_shl(b),
            Kind::Slli => a.wrapping_shl(imm),
            Kind::Srl => a.wrapping_shr(b),
            Kind::Srli => a.wrapping_shr(imm),
            Kind::Sra => (a as i32).wrapping_shr(b) as u32,
            Kind::Srai => (a as i32).wrapping_shr(imm) as u32,
            Kind::Mul => a.wrapping_mul(b),
            Kind::Mulh => mulh(a, b),
            Kind::Mulhsu => mulhsu(a, b),
            Kind::Mulhu => mulhu(a, b),
            Kind::Div => div(a, b),
            Kind::Divu => divu(a, b),
            Kind::Rem => rem(a, b),
            Kind::Remu => remu(a, b),
            Kind::Sh1add => (a << 1).wrapping_add(b),
            Kind::Sh2add => (a << 2).wrapping_add(b),
            Kind::Sh3add => (a << 3).wrapping_add(b),
            _ => 0,
        }
    }
}

/// Fuses the first micro-operation with the second one, if the pair has a kind.
pub(crate) fn fuse(ops: &mut [MicroOp]) {
    if let [first, second, ..] = ops {
        let kinds = (first.kind.unfused(), second.kind.unfused());
        first.kind = Kind::of_pair(kinds.0, kinds.1).unwrap_or(kinds.0);
    }
}
