//! Transfers between L2BM and L1BM (manual, section 3.6.7).

use super::{Opcode, Rrn};

/// A row: one transfer between L2BM and L1BM.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The transfer.
    pub kind: L2bmKind,
    /// The mnemonic, without the reduction.
    pub stem: &'static str,
    /// The direction.
    pub flow: Direction,
    /// Long words of L2BM per cycle; addresses are multiples of it. 0 if L2BM does not take part.
    pub l2_rate: u16,
    /// Long words of an L1BM per cycle; addresses are multiples of it.
    pub l1_rate: u16,
    /// The L1B selection after `@`.
    pub select: L1bSelection,
    /// Whether the transfer reduces.
    pub reduces: bool,
    /// The section of the manual.
    pub section: &'static str,
    /// A one-line description.
    pub doc: &'static str,
}

/// The direction of an L2BM transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// L2BM to L1BM.
    Down,
    /// L1BM to L2BM.
    Up,
    /// L1BM to L1BM, a multicast.
    Across,
}

/// The L1B selection that an opcode accepts after `@`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum L1bSelection {
    /// No selection.
    None,
    /// An optional set of L1B; all if omitted.
    Optional,
    /// A set of L1B other than the set of all.
    Proper,
    /// A single L1B.
    One,
}

macro_rules! opcodes {
    ($( $Name:ident $stem:literal $flow:ident $l2:literal $l1:literal $select:ident
        $reduces:literal $section:literal $doc:literal )*) => {
        /// A transfer between L2BM and L1BM.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum L2bmKind { $( #[doc = $doc] $Name ),* }

        static ROWS: &[Row] = &[ $( Row {
            kind: L2bmKind::$Name, stem: $stem, flow: Direction::$flow, l2_rate: $l2, l1_rate: $l1,
            select: L1bSelection::$select, reduces: $reduces, section: $section, doc: $doc,
        } ),* ];
    };
}

// `l2bmd` has two rows; the direction follows from its operands (`parse/expression.rs`).
#[rustfmt::skip]
opcodes! {
    Broadcast    "l2bmb"  Down   16 16 Optional false "3.6.7.2" "Broadcast to the L1BM of a set."
    PairScatter  "l2bmb2" Down   64 16 Optional false "3.6.7.3" "Distribution over four pairs of L1BM, broadcast in each."
    Distribute   "l2bmd"  Down   64 8  Optional false "3.6.7.4" "Distribution over the L1BM."
    Pick         "l2bm"   Up     16 16 One      false "3.6.7.5" "Copy of one L1BM."
    Reduce       "l2bmr"  Up     16 16 Optional true  "3.6.7.6" "Reduction over the L1BM of a set."
    PairReduce   "l2bmr2" Up     64 16 None     true  "3.6.7.7" "Reduction in each of four pairs of L1BM, collection over the pairs."
    Collect      "l2bmd"  Up     64 8  None     false "3.6.7.8" "Collection from the L1BM."
    Multicast    "l2bmi"  Across 0  16 Proper   false "3.6.7.9" "Copies from the L1BM of a set to all others."
}

impl L2bmKind {
    /// Returns the row of the transfer.
    pub fn row(self) -> &'static Row {
        ROWS.iter()
            .find(|row| row.kind == self)
            .expect("every kind has a row")
    }
}

/// A set of L1B: those whose number agrees with `base` in all bits outside `hidden` (section
/// 3.6.7.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct L1bSet {
    base: u8,
    hidden: u8,
}

impl L1bSet {
    /// The set of all eight L1B.
    pub const ALL: L1bSet = L1bSet { base: 0, hidden: 7 };

    /// Creates the set `base/hidden`; both are 0 to 7.
    pub const fn new(base: u8, hidden: u8) -> L1bSet {
        let hidden = hidden & 7;
        L1bSet {
            base: base & 7 & !hidden,
            hidden,
        }
    }

    /// Returns the set with exactly these members (bit i for L1B i), if it is representable.
    pub fn from_members(members: u8) -> Option<L1bSet> {
        L1bSet::all().find(|set| set.members() == members)
    }

    /// Returns every set.
    pub fn all() -> impl Iterator<Item = L1bSet> {
        (0..64)
            .map(|bits| L1bSet {
                base: bits & 7,
                hidden: bits >> 3,
            })
            .filter(|set| set.base & set.hidden == 0)
    }

    /// Returns the smallest member.
    pub const fn base(self) -> u8 {
        self.base
    }

    /// Returns the don't-care bits of the L1B number, called immode in the manual.
    pub const fn hidden(self) -> u8 {
        self.hidden
    }

    /// Returns whether L1B `number` is a member.
    pub const fn contains(self, number: u8) -> bool {
        number & !self.hidden == self.base
    }

    /// Returns the members; bit i for L1B i.
    pub fn members(self) -> u8 {
        (0..8)
            .filter(|&number| self.contains(number))
            .fold(0, |members, number| members | 1 << number)
    }

    /// Returns the L1B that a multicast with this set writes (section 3.6.7.9).
    pub fn receivers(self) -> u8 {
        (0..8u8)
            .filter(|&to| {
                (0..8).any(|from| {
                    self.contains(from) && from != to && from & self.hidden == to & self.hidden
                })
            })
            .fold(0, |members, number| members | 1 << number)
    }
}

/// An L2BM opcode with its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct L2bmOp {
    /// The transfer.
    pub kind: L2bmKind,
    /// The L1B that take part.
    pub set: L1bSet,
    /// The reduction operation.
    pub rrn: Option<Rrn>,
}

impl L2bmOp {
    /// Creates a transfer with all L1B and no reduction.
    pub const fn new(kind: L2bmKind) -> Self {
        L2bmOp {
            kind,
            set: L1bSet::ALL,
            rrn: None,
        }
    }

    /// Returns the mnemonic with its parameters.
    pub fn mnemonic(&self) -> String {
        let mut text = self.kind.row().stem.to_owned();
        text.extend(self.rrn.map(Rrn::mnemonic));
        match (self.set.base, self.set.hidden) {
            (_, 7) => {}
            (base, 0) => text.push_str(&format!("@{base}")),
            (base, hidden) => text.push_str(&format!("@{base}/{hidden}")),
        }
        text
    }

    /// Returns every L2BM opcode; the position is the encoding.
    pub fn all() -> Vec<L2bmOp> {
        let mut all = Vec::new();
        for row in ROWS {
            let rrns: Vec<Option<Rrn>> = if row.reduces {
                Rrn::all().map(Some).collect()
            } else {
                vec![None]
            };
            for rrn in rrns {
                let sets = L1bSet::all().filter(|set| row.select.allows(*set));
                all.extend(sets.map(|set| L2bmOp {
                    kind: row.kind,
                    set,
                    rrn,
                }));
            }
        }
        all
    }
}

impl L1bSelection {
    /// Returns whether an opcode accepts this set. An opcode without a selection has the set of
    /// all.
    pub fn allows(self, set: L1bSet) -> bool {
        match self {
            L1bSelection::None => set == L1bSet::ALL,
            L1bSelection::Optional => true,
            L1bSelection::Proper => set != L1bSet::ALL,
            L1bSelection::One => set.hidden == 0,
        }
    }
}

/// Returns the opcode of a mnemonic. If two kinds share the stem, returns the one towards L1BM.
pub(super) fn find(mnemonic: &str) -> Option<Opcode> {
    ROWS.iter().find_map(|row| {
        let rest = mnemonic.strip_prefix(row.stem)?;
        if row.reduces {
            Rrn::from_mnemonic(rest).map(|rrn| Opcode::L2bm(row.kind, Some(rrn)))
        } else {
            rest.is_empty().then_some(Opcode::L2bm(row.kind, None))
        }
    })
}

/// Returns the kind with the same stem in the opposite direction.
pub fn reversed(kind: L2bmKind) -> Option<L2bmKind> {
    let row = kind.row();
    ROWS.iter()
        .find(|other| other.stem == row.stem && other.flow != row.flow)
        .map(|other| other.kind)
}

/// Returns all mnemonics.
pub(super) fn mnemonics() -> Vec<String> {
    let mut all = Vec::new();
    for row in ROWS {
        if row.reduces {
            all.extend(Rrn::all().map(|rrn| format!("{}{}", row.stem, rrn.mnemonic())));
        } else {
            all.push(row.stem.to_owned());
        }
    }
    all
}

#[cfg(test)]
mod tests;
