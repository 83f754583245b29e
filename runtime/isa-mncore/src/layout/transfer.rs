//! Transfer instructions as renamings of place bits.
//!
//! In `k → l`, bit `k` of the source location becomes bit `l` of the target location. Place bits
//! that operands or opcodes *name* (addresses above a unit, selected owners) are under program
//! control: the program may connect any named source bit with any named target bit. `broadcast`
//! bits are those over which an instruction replicates, `summed` bits those over which it reduces.
//! Two kinds of rows of the instruction table have no renaming: multicasts (`l2bmi`), which copy
//! between L1B, and shifts (`l1bmd+1`), which rotate.
//!
//! Rates, units and alignment come from the instruction table. The renamings follow the pseudo-code
//! of sections 3.5.8, 3.6.7, 3.6.8, 3.6.10 and 3.6.11 of the manual. `runtime/mncore/tests/layouts`
//! compares each of them with the emulator.

use super::place::{ElementBits, Memory, Place, Slot};
use crate::memory::{Precision, CYCLES};
use crate::table::mv::OperandForm;
use crate::table::{mv, L1bmKind, L1bmOp, L2bmKind, MvMode, Rrn};

/// A kind of memory, independent of bank and side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Level {
    /// A matrix register.
    Matrix,
    /// A memory of the PEs.
    Pe,
    /// L1BM.
    L1bm,
    /// L2BM.
    L2bm,
    /// PDM.
    Pdm,
    /// DRAM.
    Dram,
}

impl Memory {
    /// Returns the kind of the memory.
    pub const fn level(self) -> Level {
        match self {
            Memory::Dram => Level::Dram,
            Memory::Pdm => Level::Pdm,
            Memory::L2bm => Level::L2bm,
            Memory::L1bm => Level::L1bm,
            Memory::Pe(_) => Level::Pe,
            Memory::Matrix(_) => Level::Matrix,
        }
    }
}

/// A transfer instruction without operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TransferOp {
    /// An MV instruction.
    Mv(MvMode),
    /// A transfer between L2BM and L1BM. The mask holds the bits of the L1B number that the opcode
    /// leaves open.
    L2bm(L2bmKind, u8),
    /// A transfer between L1BM and PEs; `true` for two long words per PE.
    L1bm(L1bmKind, bool),
    /// A write to a matrix register; half precision writes two rows a cycle.
    Mwrite(Precision),
    /// A transposed read of a matrix register; half precision reads two columns a cycle.
    Mread(Precision),
}

/// The renaming of place bits by a transfer instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BitRenaming {
    /// The source memory.
    pub source: Level,
    /// The target memory.
    pub target: Level,
    /// The bits that the hardware moves, as pairs of source and target slot.
    pub moved: Vec<(Slot, Slot)>,
    /// The source bits that operands or opcode name.
    pub source_named: u64,
    /// The target bits that operands or opcode name.
    pub target_named: u64,
    /// The named bits that must have the same value in both operands.
    pub shared: u64,
    /// The target bits over which the data are replicated.
    pub broadcast: u64,
    /// The source bits over which the data are summed.
    pub summed: u64,
    /// The two named bits that select the cycle of a step, and the end they are at. At the other
    /// end, the four cycles may access any addresses of a PE memory.
    pub cycle_bits: Option<(End, [Slot; 2])>,
    /// The address alignment of source and target in long words.
    pub units: (u32, u32),
    /// The duration without overlap in cycles; of an MV instruction, per unit.
    pub cycles: u64,
}

/// An end of a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// The source.
    Source,
    /// The target.
    Target,
}

/// Returns the mask of all slots of a place.
const fn all(place: Place) -> u64 {
    let (first, count) = place.slots();
    ((1 << count) - 1) << first
}

/// A builder for renamings.
struct Draft(BitRenaming);

impl Draft {
    fn new(source: Level, target: Level) -> Draft {
        Draft(BitRenaming {
            source,
            target,
            moved: Vec::new(),
            source_named: 0,
            target_named: 0,
            shared: 0,
            broadcast: 0,
            summed: 0,
            cycle_bits: None,
            units: (1, 1),
            cycles: CYCLES as u64,
        })
    }

    /// Moves `count` bits from one place to another.
    fn bits(mut self, from: (Place, u8), to: (Place, u8), count: u8) -> Draft {
        let pairs = (0..count).map(|i| (from.0.slot(from.1 + i), to.0.slot(to.1 + i)));
        self.0.moved.extend(pairs);
        self
    }

    /// Keeps the lowest `count` address bits.
    fn low(self, count: u8) -> Draft {
        self.bits((Place::Address, 0), (Place::Address, 0), count)
    }

    /// Keeps all bits of these places.
    fn same(self, places: &[Place]) -> Draft {
        places.iter().fold(self, |draft, place| {
            draft.bits((*place, 0), (*place, 0), place.slots().1)
        })
    }

    fn fills(mut self, mask: u64) -> Draft {
        self.0.broadcast |= mask;
        self
    }

    fn sums(mut self, mask: u64) -> Draft {
        self.0.summed |= mask;
        self
    }

    fn ties(mut self, mask: u64) -> Draft {
        self.0.shared |= mask;
        self
    }

    fn picks(mut self, mask: u64) -> Draft {
        self.0.source_named |= mask;
        self
    }

    fn puts(mut self, mask: u64) -> Draft {
        self.0.target_named |= mask;
        self
    }

    /// Reverses the direction.
    fn reversed(self) -> Draft {
        Draft(self.0.reversed())
    }

    /// Names all remaining address bits at both ends.
    fn addressed(mut self) -> Draft {
        let one = &mut self.0;
        let moved =
            |side: fn(&(Slot, Slot)) -> Slot| one.moved.iter().fold(0, |m, p| m | side(p).mask());
        let (from, to) = (moved(|pair| pair.0), moved(|pair| pair.1));
        one.source_named |= all(Place::Address) & !from;
        one.target_named |= all(Place::Address) & !to;
        self
    }

    /// Lets the four cycles select the lowest two named address bits at one end.
    fn walks(mut self, end: End) -> Draft {
        let named = match end {
            End::Source => self.0.source_named,
            End::Target => self.0.target_named,
        };
        let mut lowest = Slot::all().filter(|slot| named & all(Place::Address) & slot.mask() != 0);
        if let (Some(first), Some(second)) = (lowest.next(), lowest.next()) {
            self.0.cycle_bits = Some((end, [first, second]));
        }
        self
    }

    fn units(mut self, source: u32, target: u32) -> Draft {
        self.0.units = (source, target);
        self
    }
}

impl BitRenaming {
    /// Returns the renaming of the opposite direction; broadcasts become sums.
    #[must_use]
    pub fn reversed(self) -> BitRenaming {
        let walk = self.cycle_bits.map(|(end, slots)| match end {
            End::Source => (End::Target, slots),
            End::Target => (End::Source, slots),
        });
        BitRenaming {
            source: self.target,
            target: self.source,
            moved: self
                .moved
                .into_iter()
                .map(|(from, to)| (to, from))
                .collect(),
            source_named: self.target_named,
            target_named: self.source_named,
            broadcast: self.summed,
            summed: self.broadcast,
            cycle_bits: walk,
            units: (self.units.1, self.units.0),
            ..self
        }
    }
}

impl TransferOp {
    /// Returns every instruction that renames place bits, with one entry for each L1B mask of
    /// `l2bmb` and similar opcodes.
    pub fn all() -> Vec<TransferOp> {
        let mut ops: Vec<TransferOp> = mv::rows()
            .iter()
            .map(|row| TransferOp::Mv(row.mode))
            .collect();
        for hidden in 0..8 {
            ops.push(TransferOp::L2bm(L2bmKind::Broadcast, hidden));
            ops.push(TransferOp::L2bm(L2bmKind::Reduce, hidden));
        }
        ops.push(TransferOp::L2bm(L2bmKind::PairScatter, 6));
        for kind in [
            L2bmKind::PairScatter,
            L2bmKind::Distribute,
            L2bmKind::PairReduce,
            L2bmKind::Collect,
        ] {
            ops.push(TransferOp::L2bm(kind, 7));
        }
        ops.push(TransferOp::L2bm(L2bmKind::Pick, 0));
        for l1bm in L1bmOp::all() {
            let op = TransferOp::L1bm(l1bm.kind, l1bm.wide && !l1bm.halves_result());
            if l1bm.shift == 0 && l1bm.mab == 0 && !ops.contains(&op) {
                ops.push(op);
            }
        }
        for precision in [Precision::Double, Precision::Single, Precision::Half] {
            ops.push(TransferOp::Mwrite(precision));
            ops.push(TransferOp::Mread(precision));
        }
        ops
    }

    /// Returns the opcode without parameters.
    pub fn name(self) -> String {
        match self {
            TransferOp::Mv(mode) => mode.row().stem.to_owned(),
            TransferOp::L2bm(kind, _) => kind.row().stem.to_owned(),
            TransferOp::L1bm(kind, wide) => {
                let width = if wide { " of two long words" } else { "" };
                format!("{}{width}", kind.row().stem)
            }
            TransferOp::Mwrite(precision) => format!("{}mwrite", precision.letter()),
            TransferOp::Mread(precision) => format!("{}mread", precision.letter()),
        }
    }

    /// Returns whether the instruction reduces.
    pub fn reduces(self) -> bool {
        match self {
            TransferOp::Mv(mode) => mode.reduces(),
            TransferOp::L2bm(kind, _) => kind.row().reduces,
            TransferOp::L1bm(kind, _) => matches!(kind, L1bmKind::Reduce | L1bmKind::Reduce4),
            TransferOp::Mwrite(_) | TransferOp::Mread(_) => false,
        }
    }

    /// Returns whether the instruction supports this reduction on elements of this width.
    pub fn supports(self, rrn: Rrn, element: ElementBits) -> bool {
        let form = match self {
            TransferOp::L1bm(kind, true) => L1bmOp {
                rrn: Some(rrn),
                ..L1bmOp::new(kind, true)
            }
            .has_wide_form(),
            _ => true,
        };
        form && rrn.precision.bits() == element.bits()
    }

    /// Returns the renaming of the instruction.
    pub fn renaming(self) -> BitRenaming {
        match self {
            TransferOp::Mv(mode) => mv_renaming(mode),
            TransferOp::L2bm(kind, hidden) => l2bm_renaming(kind, hidden),
            TransferOp::L1bm(kind, wide) => l1bm_renaming(kind, wide),
            TransferOp::Mwrite(precision) => mwrite_renaming(precision),
            TransferOp::Mread(precision) => mread_renaming(precision),
        }
    }
}

use Place::{Address, Group, L1b, L2b, Mab, Part, Pe};

/// Returns the memory of an MV operand, and the owner bits that the operand names.
const fn operand_level(operand: OperandForm) -> (Level, u64) {
    match operand {
        OperandForm::PdmOne => (Level::Pdm, all(Group)),
        OperandForm::PdmAll => (Level::Pdm, 0),
        OperandForm::DramOne => (Level::Dram, all(Group)),
        OperandForm::DramAll => (Level::Dram, 0),
        OperandForm::L2bmOne => (Level::L2bm, all(Group) | all(L2b)),
        OperandForm::L2bmSide => (Level::L2bm, all(L2b)),
        OperandForm::L2bmGroup => (Level::L2bm, all(Group)),
        OperandForm::L2bmAll => (Level::L2bm, 0),
    }
}

/// Returns the renaming of an MV instruction (section 3.5.8). A burst of 16 long words always stays
/// together.
fn mv_renaming(mode: MvMode) -> BitRenaming {
    let row = mode.row();
    let (source, picked) = operand_level(row.source.0);
    let (target, put) = operand_level(row.target.0);
    let draft = Draft::new(source, target)
        .same(&[Part])
        .picks(picked)
        .puts(put);
    let joined = |draft: Draft| draft.low(4).bits((Group, 0), (Address, 4), 2);
    let scattered = |draft: Draft| draft.low(4).bits((Address, 4), (Group, 0), 2);
    use MvMode::*;
    let draft = match mode {
        PdmToDram | DramToPdm | PdmToL2bm | L2bmToPdm | DramToL2bm | L2bmToDram | PdmToPdm => {
            draft.low(6)
        }
        PdmToL2bmEach | L2bmToPdmEach | DramToL2bmEach | L2bmToDramEach => {
            draft.low(6).same(&[Group])
        }
        DramBroadcast2 => draft.low(6).same(&[Group]).fills(all(L2b)),
        DramReduce2 => draft.low(6).same(&[Group]).sums(all(L2b)),
        PdmReduce2 => draft.low(6).sums(all(L2b)).ties(all(Group)),
        DramBroadcast4 => joined(draft)
            .bits((Address, 4), (L2b, 0), 1)
            .fills(all(Group)),
        DramReduce4 => scattered(draft)
            .bits((L2b, 0), (Address, 4), 1)
            .sums(all(Group)),
        PdmBroadcast => draft.low(6).fills(all(Group) | all(L2b)),
        PdmReduce => draft.low(6).sums(all(Group) | all(L2b)),
        DramBroadcast => joined(draft).fills(all(Group) | all(L2b)),
        DramReduce => scattered(draft).sums(all(Group) | all(L2b)),
        PdmDistribute => draft
            .low(4)
            .bits((Address, 4), (L2b, 0), 1)
            .bits((Address, 5), (Group, 0), 2)
            .bits((Address, 7), (Address, 4), 2),
        PdmCollect => draft
            .low(4)
            .bits((L2b, 0), (Address, 4), 1)
            .bits((Group, 0), (Address, 5), 2)
            .bits((Address, 4), (Address, 7), 2),
        PdmDramDistribute => scattered(draft),
        DramPdmCollect => joined(draft),
    };
    let mut renaming = draft.addressed().units(row.source.1, row.target.1).0;
    renaming.cycles = u64::from(mode.unit().div_ceil(row.rate.0));
    renaming
}

/// Transfers between L2BM and L1BM (section 3.6.7). The four cycles access consecutive rows on both
/// sides.
fn l2bm_renaming(kind: L2bmKind, hidden: u8) -> BitRenaming {
    let open = u64::from(hidden & 7) << L1b.slots().0;
    let named = all(L1b) & !open;
    let down = Draft::new(Level::L2bm, Level::L1bm).same(&[Group, L2b, Part]);
    let whole = |draft: Draft| draft.low(6).fills(open).puts(named);
    let pairs = |draft: Draft| {
        let draft = draft.low(4).bits((Address, 4), (L1b, 1), 2);
        let pair = L1b.slot(0).mask();
        draft
            .bits((Address, 6), (Address, 4), 2)
            .fills(open & pair)
            .puts(named & pair)
    };
    let each = |draft: Draft| {
        let draft = draft.low(3).bits((Address, 3), (L1b, 0), 3);
        draft.bits((Address, 6), (Address, 3), 2)
    };
    let row = kind.row();
    let (l2, l1) = (row.l2_rate.into(), row.l1_rate.into());
    let draft = match kind {
        L2bmKind::Broadcast => whole(down).units(l2, l1),
        L2bmKind::PairScatter => pairs(down).units(l2, l1),
        L2bmKind::Distribute => each(down).units(l2, l1),
        L2bmKind::Pick | L2bmKind::Reduce => whole(down).reversed().units(l1, l2),
        L2bmKind::PairReduce => pairs(down).reversed().units(l1, l2),
        L2bmKind::Collect => each(down).reversed().units(l1, l2),
        // Sender and receivers are different L1B of the same memory, which is not a renaming.
        // [`TransferOp::all`] does not list it.
        L2bmKind::Multicast => Draft::new(Level::L1bm, Level::L1bm),
    };
    draft.addressed().0
}

/// Transfers between L1BM and PEs (section 3.6.8). The four cycles access consecutive rows of the
/// L1BM; the PE addresses come from the operand.
fn l1bm_renaming(kind: L1bmKind, wide: bool) -> BitRenaming {
    let down = Draft::new(Level::L1bm, Level::Pe).same(&[Group, L2b, L1b, Part]);
    // The less significant of two long words is selected by an address bit of the L1BM row and by
    // the lowest address bit of the PE memory.
    let second = |draft: Draft, bit: u8| draft.bits((Address, bit), (Address, 0), u8::from(wide));
    let above = 2 + u8::from(wide);
    let lanes = |draft: Draft| second(draft.bits((Address, 0), (Pe, 0), 2), 2);
    let upper = |draft: Draft| lanes(draft).bits((Address, above), (Mab, 2), 2);
    let lower = Mab.slot(0).mask() | Mab.slot(1).mask();
    let row = L1bmOp::new(kind, wide);
    let l1 = match kind {
        // The second long word lies four after the first, so the address of such an access must be
        // below 57 modulo 64.
        L1bmKind::PeBroadcast if wide => 8,
        _ => row.alignment().into(),
    };
    let pe = 1 + u32::from(wide);
    let draft = match kind {
        L1bmKind::PeBroadcast => second(down, 2).fills(all(Pe) | all(Mab)),
        L1bmKind::Broadcast => lanes(down).fills(all(Mab)),
        L1bmKind::Pick => lanes(down).puts(all(Mab)).reversed(),
        L1bmKind::Reduce => lanes(down).fills(all(Mab)).reversed(),
        L1bmKind::Broadcast4 => upper(down).fills(lower),
        L1bmKind::Pick4 => upper(down).puts(lower).reversed(),
        L1bmKind::Reduce4 => upper(down).fills(lower).reversed(),
        L1bmKind::Distribute => lanes(down).bits((Address, 2), (Mab, 0), 4),
        L1bmKind::Collect => lanes(down).bits((Address, 2), (Mab, 0), 4).reversed(),
    };
    let draft = draft.addressed();
    if kind.row().down {
        draft.walks(End::Source).units(l1, pe).0
    } else {
        draft.walks(End::Target).units(pe, l1).0
    }
}

/// Returns the base-two logarithm of the distance between two matrix rows, in physical rows.
/// Precisions with fewer rows use a larger distance.
const fn row_bit(precision: Precision) -> u8 {
    match precision {
        Precision::Half | Precision::Short => 0,
        Precision::Double | Precision::Long => 2,
        _ => 1,
    }
}

/// Writes to matrix registers (section 3.6.10): rows across all PEs of a MAB.
fn mwrite_renaming(precision: Precision) -> BitRenaming {
    let half = precision == Precision::Half;
    let draft = Draft::new(Level::Pe, Level::Matrix).same(&[Group, L2b, L1b, Mab, Pe, Part]);
    let mut draft = draft.low(half.into()).addressed();
    // Restricts the target to the rows that exist.
    draft.0.target_named = (u8::from(half).max(row_bit(precision))..4)
        .fold(0, |mask, bit| mask | Slot::address(bit).mask());
    draft.walks(End::Target).units(1 + u32::from(half), 1).0
}

/// Transposed reads of matrix registers (section 3.6.11): the row number becomes part and PE, and
/// the operand names a column.
fn mread_renaming(precision: Precision) -> BitRenaming {
    let half = precision == Precision::Half;
    let first = row_bit(precision);
    let draft = Draft::new(Level::Matrix, Level::Pe).same(&[Group, L2b, L1b, Mab]);
    // Part bits inside an element stay; part bits that select an element come from the row number.
    let draft = draft.bits((Part, 0), (Part, 0), first);
    let draft = draft.bits((Address, first), (Part, first), 2 - first);
    let draft = draft.bits((Address, 2), (Pe, 0), 2);
    let draft = draft.bits((Part, 0), (Address, 0), half.into());
    // A column number consists of part bits, then PE bits.
    let number = [Part.slot(0), Part.slot(1), Pe.slot(0), Pe.slot(1)];
    let column = &number[usize::from(first.max(half.into()))..];
    let mask = column.iter().fold(0, |mask, slot| mask | slot.mask());
    let mut draft = draft.picks(mask).addressed();
    // All rows are read, so none is named.
    draft.0.source_named &= !all(Address);
    draft.0.cycle_bits = Some((End::Source, [column[0], column[1]]));
    draft.units(1, 1 + u32::from(half)).0
}
