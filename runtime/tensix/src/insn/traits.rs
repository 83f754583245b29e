//! The traits of an instruction: all that the front end, the wait gate and the hazard checks know
//! about it apart from its semantics.
//!
//! Each unit has a table with one row per mnemonic (`insn/*/traits.rs`), which [`unit!`] turns into
//! the unit's dispatch. [`crate::insn::table`] joins the tables and checks at compile time that
//! every row of the instruction table has exactly one.

use tessera_isa_tensix::{Arch, Instruction, Opcode, Unit};

use crate::state::banks::{Banks, Src};
use crate::state::config::Config;
use crate::state::gpr::Gprs;
use crate::state::l1::L1;
use crate::state::latch::Latch;
use crate::trap::Fault;

/// The traits of an instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Traits {
    pub(crate) opcode: Opcode,
    pub(crate) unit: Unit,
    /// The function that executes it, as a path in this crate through the module with the row.
    pub(crate) function: &'static str,
    /// The units that stay busy after its issue.
    pub(crate) occupies: Occupies,
    /// What it waits for at the wait gate, besides the thread's latched wait and room in its units.
    pub(crate) waits_for: WaitsFor,
    /// What it waits for inside its unit, which it occupies.
    pub(crate) waits_inside: WaitsInside,
    /// Whether every block bit of a latched wait blocks it, on each chip. Otherwise its unit's do.
    pub(crate) is_blocked_always: [bool; Arch::ALL.len()],
    /// What else it does to its thread.
    pub(crate) on_thread: ThreadEffect,
    /// Its order with other matrix instructions that access the same rows of Dst.
    pub(crate) dst_order: DstOrder,
    /// The Src of which it reads the matrix unit's bank without waiting for it.
    pub(crate) reads_unowned: Option<Src>,
    /// Whether the thread's next instruction may still see the configuration from before.
    pub(crate) configures_late: bool,
    /// The class that determines which resources it uses (Blackhole's `AutoTTSync.md`), if any.
    pub(crate) resources: Option<ResourceClass>,
    /// Why every use traps on Blackhole, with the alternative; `None` if it does not.
    pub(crate) refused: Option<&'static str>,
    /// The forms that trap, on each chip.
    pub(crate) traps: [Option<&'static str>; Arch::ALL.len()],
}

/// The units that an instruction occupies.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Occupies {
    /// None: it is complete at issue.
    Nothing,
    /// The unit with this index (`state::units`).
    One(usize),
    /// A mask of units, which depends on operands.
    ByOperands(fn(&Instruction) -> u32),
}

/// What an instruction waits for at the wait gate.
#[derive(Clone, Copy, Debug)]
pub(crate) enum WaitsFor {
    Nothing,
    /// The matrix unit's banks.
    Banks(&'static [Src]),
    /// A bank of an unpacker, which depends on operands.
    UnpackerBank(fn(&Instruction, &Banks) -> Option<Src>),
    /// The banks of this mask, to hand them back; bit 0 is SrcA.
    HandBack(fn(&Instruction) -> u32),
    /// The scalar unit, while another thread's instruction waits inside.
    ScalarUnit,
    /// All packers.
    IdlePackers,
    /// A mutex, until it is free.
    FreeMutex(fn(&Instruction) -> u32),
    /// A mutex, which must exist.
    Mutex(fn(&Instruction) -> u32),
}

/// What an instruction waits for inside the scalar unit.
#[derive(Clone, Copy, Debug)]
pub(crate) enum WaitsInside {
    Nothing,
    /// The memory that its operands and its thread's GPRs name, until this holds.
    ForMemory(fn(&Instruction, &Gprs, &mut L1, &Banks) -> Result<bool, Fault>),
    /// Its thread's instructions in the units of this mask (`FLUSHDMA.md`).
    ForUnits(fn(&Instruction) -> u32),
}

/// The effect of an executed instruction on its thread rather than its unit.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ThreadEffect {
    Nothing,
    /// The front end sees the changed configuration.
    Configures,
    /// Loads have ended, if the mask of units includes the scalar unit's memory requests.
    EndsLoads(fn(&Instruction) -> u32),
    /// A mutex may pass to another thread.
    ReleasesMutex(fn(&Instruction) -> u32),
    /// The thread waits.
    Latches(fn(&Instruction, &Config, usize) -> Option<Latch>),
}

/// The order of an instruction that accesses Dst with other instructions of the matrix unit
/// (`MOVA2D.md`, scheduling).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DstOrder {
    /// The hardware keeps the order.
    Kept,
    /// It writes late, and [`DstOrder::ReadsEarly`] instructions do not wait.
    WritesLate,
    /// It does not wait for [`DstOrder::WritesLate`] instructions.
    ReadsEarly,
}

/// The classes of RESOURCEDECL (Blackhole's `AutoTTSync.md`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum ResourceClass {
    Arithmetic,
    Atomic,
    Reg2flop,
    Indirect,
    StreamOrShift,
    Storereg,
    Loadreg,
    Flushdma,
    Wrcfg,
    Rdcfg,
    Xmov,
    Unpack,
    Pack,
    Mop,
    Replay,
    Other,
}

impl Traits {
    /// Creates the traits of an instruction that is complete at issue and waits for nothing.
    pub(crate) const fn of(unit: Unit) -> Traits {
        Traits {
            opcode: Opcode::Nop,
            unit,
            function: "",
            occupies: Occupies::Nothing,
            waits_for: WaitsFor::Nothing,
            waits_inside: WaitsInside::Nothing,
            is_blocked_always: [false; 2],
            on_thread: ThreadEffect::Nothing,
            dst_order: DstOrder::Kept,
            reads_unowned: None,
            configures_late: false,
            resources: Some(ResourceClass::Other),
            refused: None,
            traps: [None; 2],
        }
    }

    /// Returns the source file of the function that executes the instruction, relative to that of
    /// the crate, and the function's name.
    pub(crate) fn source(&self) -> (String, &'static str) {
        let parts = self.function.split("::").skip(1);
        let mut parts: Vec<_> = parts.filter(|part| *part != "traits").collect();
        let name = parts.pop().unwrap_or_default();
        (parts.join("/") + ".rs", name)
    }

    /// Returns the units that an instruction with these traits occupies, one bit each.
    pub(crate) fn units(&self, instruction: &Instruction) -> u32 {
        match self.occupies {
            Occupies::Nothing => 0,
            Occupies::One(unit) => 1 << unit,
            Occupies::ByOperands(units) => units(instruction),
        }
    }

    /// Returns whether the instruction may wait inside its unit, occupying it.
    pub(crate) fn waits_inside_its_unit(&self) -> bool {
        !matches!(self.waits_inside, WaitsInside::Nothing)
    }
}

/// Forms that trap on both chips.
pub(crate) const fn on_both(what: &'static str) -> [Option<&'static str>; 2] {
    [Some(what), Some(what)]
}

/// Returns a function of the operands of one instruction and of more arguments, with a value for
/// other instructions: the default, if none is given.
macro_rules! by_operands {
    ($Mnemonic:ident, |$i:ident $(, $argument:ident)*| $value:expr) => {
        $crate::insn::traits::by_operands!(
            $Mnemonic, |$i $(, $argument)*| $value, else Default::default()
        )
    };
    ($Mnemonic:ident, |$i:ident $(, $argument:ident)*| $value:expr, else $other:expr) => {
        |instruction $(, $argument)*| match instruction {
            ::tessera_isa_tensix::Instruction::$Mnemonic($i) => $value,
            _ => $other,
        }
    };
}

/// Builds a unit from its rows. A row has the mnemonic, the call that executes it, and its traits.
///
/// Generates the function `execute`, which dispatches over the rows, and the constant `TRAITS`.
/// The instruction's operands have the name before the arrow; the other arguments are those of
/// `execute`. If one is a function that borrows the parts of the state, only the rows that use them
/// call it: borrowing more than a dozen parts takes longer than a short instruction.
macro_rules! unit {
    (
        fn execute $(<$life:lifetime>)? ($i:ident, $($argument:ident: $Type:ty),*);
        $(
            $Mnemonic:ident => $($function:ident)::+ ( $($passed:expr),* ), $traits:expr;
        )*
    ) => {
        /// Executes one instruction of this unit.
        pub fn execute $(<$life>)? (
            instruction: &::tessera_isa_tensix::Instruction,
            $($argument: $Type),*
        ) -> Result<(), $crate::trap::Fault> {
            $( let _ = &$argument; )*
            match instruction {
                $(
                    ::tessera_isa_tensix::Instruction::$Mnemonic($i) => {
                        let _ = $i;
                        $($function)::+($($passed),*)
                    }
                )*
                other => Err($crate::trap::Fault::unmodelled_instruction(other)),
            }
        }

        /// The traits of the unit's instructions.
        pub(in crate::insn) const TRAITS: &[$crate::insn::traits::Traits] = &[
            $(
                $crate::insn::traits::Traits {
                    opcode: ::tessera_isa_tensix::Opcode::$Mnemonic,
                    function: concat!(module_path!() $(, "::", stringify!($function))+),
                    ..$traits
                },
            )*
        ];
    };
}

pub(in crate::insn) use {by_operands, unit};
