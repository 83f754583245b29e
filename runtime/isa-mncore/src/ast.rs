//! A program as typed statements: what the parser makes, the checker judges, the printer prints, the emulator executes.
//!
//! Sugar is resolved: `nop/n` is n statements, a `mask` statement is a mask on each destination behind it, immediates are words, an
//! address of four cycles is one [`Pattern`]. Spans say where a part stood; they take no part in its meaning.

use crate::diagnostic::Span;
use crate::memory::{Bank, Precision, Side, Width};
use crate::table::{AluOp, Group, L1bmOp, L2bmOp, MauOp, MvMode, Rrn};

/// The statements of a source text, up to `quit`.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// In order.
    pub statements: Vec<Statement>,
}

/// One statement.
#[derive(Clone, Debug)]
pub struct Statement {
    /// The whole statement.
    pub span: Span,
    /// What it says.
    pub kind: StatementKind,
}

/// What a statement says.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// A PE instruction: one step.
    Step(Step),
    /// An MV instruction.
    Mv(Mv),
    /// `d get`.
    Get(Get),
    /// `d set`.
    Set(Set),
    /// A transfer between host and board.
    Host(Host),
}

/// A PE instruction: expressions issued together, for four cycles.
#[derive(Clone, Debug)]
pub struct Step {
    /// At least one, at most one of each [`Group`].
    pub expressions: Vec<Expression>,
}

impl Step {
    /// The expression of a group.
    pub fn find(&self, group: Group) -> Option<&Expression> {
        self.expressions.iter().find(|e| e.op.group() == group)
    }

    /// Whether it is a `nop`, perhaps with a `wait`.
    pub fn is_nop(&self) -> bool {
        self.find(Group::Nop).is_some()
    }
}

/// One expression of a step.
#[derive(Clone, Debug)]
pub struct Expression {
    /// Where it stands.
    pub span: Span,
    /// What it does.
    pub op: Op,
    /// The mask that sets parts of its output to zero (section 3.6.2.2).
    pub zero_flush: Option<Mask>,
}

/// What an expression does.
#[derive(Clone, Debug)]
pub enum Op {
    /// Nothing, for a step.
    Nop,
    /// Keeps forwarding and turn-around registers.
    Noforward,
    /// Waits for the MV instruction with this tag, 1 to 255.
    Wait(u8),
    /// `l2bmdars`.
    DarStart {
        /// Long word address in L2BM.
        l2: u16,
        /// Which L2B of the group, 0 or 1.
        l2b: u8,
        /// The first DAR entry that `l2bmdarw` writes.
        dar: u16,
    },
    /// `l2bmdarw`.
    DarWrite,
    /// A transfer between L2BM and L1BM.
    L2bm {
        /// Which.
        op: L2bmOp,
        /// Long word address in L2BM; for a multicast, the source's address in L1BM.
        l2: u16,
        /// Long word address in L1BM; for a multicast, the target's.
        l1: u16,
    },
    /// A transfer between L1BM and PEs.
    L1bm(L1bm),
    /// MAU arithmetic.
    Mau(Mau),
    /// A write to a matrix register.
    Mwrite {
        /// The format.
        precision: Precision,
        /// What is written.
        input: Input,
        /// Where to.
        matrix: MatrixRows,
    },
    /// A transposed read of a matrix register.
    Mread {
        /// The format.
        precision: Precision,
        /// Where from.
        matrix: MatrixRows,
        /// Where to.
        outputs: Vec<Output>,
    },
    /// ALU arithmetic.
    Alu(Alu),
}

impl Op {
    /// The slot it takes.
    pub fn group(&self) -> Group {
        match self {
            Op::Nop => Group::Nop,
            Op::Noforward => Group::Noforward,
            Op::Wait(_) => Group::Wait,
            Op::DarStart { .. } | Op::L2bm { .. } => Group::L2bm,
            Op::DarWrite => Group::L2bmdarw,
            Op::L1bm(l1bm) if l1bm.is_turnaround() => Group::Turnaround,
            Op::L1bm(_) => Group::L1bm,
            Op::Mau(_) => Group::MauCalc,
            Op::Mwrite { .. } => Group::Mwrite,
            Op::Mread { .. } => Group::Mread,
            Op::Alu(_) => Group::Alu,
        }
    }

    /// The PE operands it reads.
    pub fn inputs(&self) -> &[Input] {
        match self {
            Op::L1bm(L1bm {
                pe: PeSide::Up(input),
                ..
            })
            | Op::Mwrite { input, .. } => std::slice::from_ref(input),
            Op::Mau(mau) => &mau.inputs,
            Op::Alu(alu) => &alu.inputs,
            _ => &[],
        }
    }

    /// The PE operands it writes.
    pub fn outputs(&self) -> &[Output] {
        match self {
            Op::L1bm(L1bm {
                pe: PeSide::Down(outputs),
                ..
            })
            | Op::Mread { outputs, .. } => outputs,
            Op::Mau(mau) => &mau.outputs,
            Op::Alu(alu) => &alu.outputs,
            _ => &[],
        }
    }

    /// The PE operands it writes, to change.
    pub fn outputs_mut(&mut self) -> &mut [Output] {
        match self {
            Op::L1bm(L1bm {
                pe: PeSide::Down(outputs),
                ..
            })
            | Op::Mread { outputs, .. } => outputs,
            Op::Mau(mau) => &mut mau.outputs,
            Op::Alu(alu) => &mut alu.outputs,
            _ => &mut [],
        }
    }

    /// The precision of an expression on matrix registers or of the MAU.
    pub fn mau_precision(&self) -> Option<Precision> {
        match self {
            Op::Mau(mau) => Some(mau.op.precision),
            Op::Mwrite { precision, .. } | Op::Mread { precision, .. } => Some(*precision),
            _ => None,
        }
    }
}

/// A transfer between L1BM and PEs.
#[derive(Clone, Debug)]
pub struct L1bm {
    /// Which.
    pub op: L1bmOp,
    /// The L1BM operand.
    pub l1: L1Place,
    /// The PE operands.
    pub pe: PeSide,
}

impl L1bm {
    /// Whether it reads the turn-around register.
    pub fn is_turnaround(&self) -> bool {
        self.l1 == L1Place::Turnaround && matches!(self.pe, PeSide::Down(_))
    }
}

/// The L1BM operand of a transfer to or from PEs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum L1Place {
    /// A long word address.
    Address(u16),
    /// The turn-around register, `$lbi`.
    Turnaround,
}

/// The PE operands of an L1BM transfer.
#[derive(Clone, Debug)]
pub enum PeSide {
    /// From L1BM: where PEs put the data.
    Down(Vec<Output>),
    /// To L1BM: where PEs take the data.
    Up(Input),
}

/// MAU arithmetic.
#[derive(Clone, Debug)]
pub struct Mau {
    /// Which.
    pub op: MauOp,
    /// The matrix register of a matrix product.
    pub matrix: Option<Side>,
    /// One for each port of the operation's row.
    pub inputs: Vec<Input>,
    /// Where the result goes.
    pub outputs: Vec<Output>,
}

/// ALU arithmetic.
#[derive(Clone, Debug)]
pub struct Alu {
    /// Which.
    pub op: AluOp,
    /// The word of `imm` and `immu`, else 0.
    pub immediate: u32,
    /// As many as the operation's row says.
    pub inputs: Vec<Input>,
    /// Where the result and the mask flags go.
    pub outputs: Vec<Output>,
}

/// Rows (written) or columns (read) of a matrix register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MatrixRows {
    /// Which register.
    pub side: Side,
    /// The first row or column, in the numbering of the precision.
    pub first: u8,
    /// Two rows or columns a cycle; half precision only.
    pub wide: bool,
}

/// An operand that is read.
#[derive(Clone, Copy, Debug)]
pub struct Input {
    /// Where it stands.
    pub span: Span,
    /// What is read.
    pub source: Source,
    /// The prefix `-`: signs are inverted.
    pub negate: bool,
    /// The suffix `e` or `r`.
    pub convert: Convert,
}

/// A conversion of an operand that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Convert {
    /// None.
    None,
    /// `e`: from the next narrower precision.
    Widen,
    /// `r`: from the next wider precision.
    Narrow,
}

/// What is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// A PE memory.
    Memory(MemoryOperand),
    /// The T register, two long words of the cycle.
    T,
    /// A forwarding register.
    Forward(Forward),
    /// A fixed value.
    Fixed(Fixed),
}

/// A forwarding register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Forward {
    /// `$mauf`, section 3.6.1.15.
    Mau,
    /// `$aluf`, section 3.6.1.16.
    Alu,
    /// `$lbf`, section 3.6.1.17.
    L1bm,
    /// `$mreadf`, section 3.6.1.18.
    Mread,
}

/// A fixed value (section 3.6.1.20), one for each element of the ALU's precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fixed {
    /// `$l2bid`: group times 2 plus L2B.
    L2bId,
    /// `$l1bid`: L1B.
    L1bId,
    /// `$mabid`: MAB.
    MabId,
    /// `$peid`: MAB times 4 plus PE.
    PeId,
    /// `$subpeid`: PE.
    SubPeId,
    /// `$msb1`: the top bit.
    Msb1,
}

/// An access to a PE memory in four cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MemoryOperand {
    /// The memory.
    pub bank: Bank,
    /// The width of the access.
    pub width: Width,
    /// The addresses, in single words.
    pub pattern: Pattern,
    /// What is added to them.
    pub modify: Modify,
}

/// What is added to an address, besides the base address register of a local memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Modify {
    /// Nothing.
    None,
    /// `t`: the upper long word of the T register in this cycle; LM0 only.
    T,
    /// `j<n>`: the access's width, in PEs 0 to n; LM0 and LM1 only.
    UpToPe(u8),
}

/// The addresses of four cycles, in single words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// `base`, `base + stride`, …: what both modes express.
    Stride {
        /// The address in cycle 0.
        base: u16,
        /// Added every cycle.
        stride: u16,
    },
    /// Four addresses: flat mode only.
    Flat([u16; 4]),
}

impl Pattern {
    /// The address in a cycle (0 to 3), before it is taken modulo the memory's size.
    pub fn at(self, cycle: usize) -> u16 {
        match self {
            Pattern::Stride { base, stride } => {
                base.wrapping_add(stride.wrapping_mul(cycle as u16))
            }
            Pattern::Flat(addresses) => addresses[cycle],
        }
    }
}

impl MemoryOperand {
    /// The first single word accessed in a cycle (0 to 3), without what is added at run time.
    pub fn address(&self, cycle: usize) -> u16 {
        self.pattern.at(cycle) % self.bank.words()
    }

    /// Whether it accesses the same words in the same way in all cycles.
    pub fn same_region(&self, other: &MemoryOperand) -> bool {
        self.bank == other.bank
            && self.width == other.width
            && self.modify == other.modify
            && (0..4).all(|cycle| self.address(cycle) == other.address(cycle))
    }
}

/// An operand that is written.
#[derive(Clone, Copy, Debug)]
pub struct Output {
    /// Where it stands.
    pub span: Span,
    /// What is written.
    pub target: Target,
    /// The mask that decides what is written (section 3.6.2.1).
    pub mask: Option<Mask>,
}

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// A PE memory.
    Memory(MemoryOperand),
    /// The T register.
    T,
    /// A base address register: of LM0 or LM1, from a single word or a long word.
    Base(Bank, Width),
    /// An entry of the mask registers, 1 to 15: the flags.
    MaskRegister(u8),
    /// Nothing but the forwarding register.
    Nowrite,
}

/// A mask applied to a write or to a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mask {
    /// The entry: 1 to 15 mask registers, 16 to 31 fixed: bit 3 of the number for cycle 0, bit 0 for cycle 3.
    pub entry: u8,
    /// Flags stand for the single words of both long words, not for the half words of the upper one.
    pub wide: bool,
}

/// An MV instruction.
#[derive(Clone, Debug)]
pub struct Mv {
    /// The transfer; none is `mvnop`.
    pub transfer: Option<Transfer>,
}

/// The transfer of an MV instruction.
#[derive(Clone, Debug)]
pub struct Transfer {
    /// Which.
    pub mode: MvMode,
    /// The operation of a reduction.
    pub rrn: Option<Rrn>,
    /// Long words, counted as section 3.5.3 says: a positive multiple of the mode's unit.
    pub words: u32,
    /// The tag, 1 to 255, if there is one.
    pub tag: Option<u8>,
    /// 0 to 3.
    pub priority: u8,
    /// With DRAM addresses from DAR: how often an entry is used before the next; none is always the first.
    pub per_entry: Option<u32>,
    /// Where it reads.
    pub source: MvPlace,
    /// Where it writes.
    pub target: MvPlace,
}

/// An operand of an MV instruction.
#[derive(Clone, Copy, Debug)]
pub struct MvPlace {
    /// Where it stands.
    pub span: Span,
    /// The memory and its address.
    pub memory: MvMemory,
    /// The group; none is all of them.
    pub group: Option<u8>,
    /// The L2B; none is both. In `mvp` from L2BM it may be left out although the manual does not say so: then both must hold the same.
    pub l2b: Option<u8>,
}

/// The memory of an MV operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MvMemory {
    /// PDM, long word address.
    Pdm(u32),
    /// DRAM, long word address.
    Dram(u32),
    /// DRAM, addresses from this DAR entry on.
    DramIndirect(u16),
    /// L2BM, long word address.
    L2bm(u16),
}

/// `d get`.
#[derive(Clone, Debug)]
pub struct Get {
    /// How to read the bits.
    pub format: GetFormat,
    /// What to print.
    pub place: DebugPlace,
    /// How many accesses, rows or entries.
    pub count: u32,
    /// The statement as it was written, without comment and outer blanks: the dump repeats it.
    pub text: String,
}

/// `<dtype>` of `d get` (table 3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GetFormat {
    /// None: double precision, half words and long word.
    Plain,
    /// `d f h`: numbers of this precision.
    Number(Precision),
    /// `bd bf bg bh`: block floats of this precision.
    BlockFloat(Precision),
}

/// What `d get` and `d set` name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DebugPlace {
    /// The memory and the address, in its own unit.
    pub memory: DebugMemory,
    /// The only group concerned.
    pub group: Option<u8>,
    /// The only L2B concerned.
    pub l2b: Option<u8>,
    /// The only L1B concerned.
    pub l1b: Option<u8>,
    /// The only MAB concerned.
    pub mab: Option<u8>,
    /// The only PE concerned.
    pub pe: Option<u8>,
}

/// A memory of `d get` and `d set`, with an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DebugMemory {
    /// PDM, long word address.
    Pdm(u32),
    /// DRAM, long word address.
    Dram(u32),
    /// L2BM, long word address.
    L2bm(u32),
    /// L1BM, width of an access, long word address.
    L1bm(Width, u32),
    /// A PE memory, width of an access, single word address.
    Pe(Bank, Width, u32),
    /// The T register, from cycle 0 on; one long word or two.
    T(Width),
    /// A matrix register, row.
    Matrix(Side, u32),
    /// The mask registers, entry.
    Mask(u32),
}

/// `d set`.
#[derive(Clone, Debug)]
pub struct Set {
    /// What to write.
    pub place: DebugPlace,
    /// How many accesses.
    pub count: u32,
    /// The long words, as many as section 3.4.4 wants: one an access (of a single word, the upper half counts), two for two long words.
    pub payload: Vec<u64>,
}

/// Statements that only the host side of an emulator carries out; the manual does not describe them, public programs use them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Host {
    /// `r`: writes DRAM of a group.
    WriteDram {
        /// The group.
        group: u8,
        /// Long word address.
        address: u32,
        /// What is written.
        payload: Vec<u64>,
    },
    /// `c`: a DMA transfer from the host to PDM of group 0.
    ToPdm {
        /// The tag that is done afterwards.
        tag: u8,
        /// Long word address.
        address: u32,
        /// What is written.
        payload: Vec<u64>,
    },
    /// `e`: a DMA transfer from PDM of group 0 to the host, which prints it.
    FromPdm {
        /// The tag that is done afterwards.
        tag: u8,
        /// Long word address.
        address: u32,
        /// How many long words.
        words: u32,
    },
    /// `f`: host transfers before it are complete.
    Fence,
}
