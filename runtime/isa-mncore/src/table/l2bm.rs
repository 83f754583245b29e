//! Transfers between L2BM and L1BM (manual, section 3.6.7).

use super::{Opcode, Rrn};

/// A row.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The transfer.
    pub kind: L2bmKind,
    /// Its spelling, without the reduction.
    pub stem: &'static str,
    /// Where data go.
    pub flow: Direction,
    /// Long words of L2BM per cycle; addresses are multiples of it. 0 if L2BM has no part.
    pub l2_rate: u16,
    /// Long words of an L1BM per cycle; addresses are multiples of it.
    pub l1_rate: u16,
    /// What stands behind `@`.
    pub select: L1bSelection,
    /// Whether it reduces.
    pub reduces: bool,
    /// The section that describes it.
    pub section: &'static str,
    /// What it does, in a line.
    pub doc: &'static str,
}

/// The direction of an L2BM transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// L2BM to L1BM.
    Down,
    /// L1BM to L2BM.
    Up,
    /// L1BM to L1BM.
    Across,
}

/// Which L1B an opcode may name behind `@`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum L1bSelection {
    /// None.
    None,
    /// A set; all if it is left out.
    Optional,
    /// A set other than that of all.
    Proper,
    /// A single one.
    One,
}

macro_rules! opcodes {
    ($( $Name:ident $stem:literal $flow:ident $l2:literal $l1:literal $select:ident $reduces:literal $section:literal $doc:literal )*) => {
        /// A transfer between L2BM and L1BM.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum L2bmKind { $( #[doc = $doc] $Name ),* }

        static ROWS: &[Row] = &[ $( Row {
            kind: L2bmKind::$Name, stem: $stem, flow: Direction::$flow, l2_rate: $l2, l1_rate: $l1,
            select: L1bSelection::$select, reduces: $reduces, section: $section, doc: $doc,
        } ),* ];
    };
}

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
    /// Its row.
    pub fn row(self) -> &'static Row {
        ROWS.iter()
            .find(|row| row.kind == self)
            .expect("every kind has a row")
    }
}

/// A set of L1B: those that agree with `base` in the bits that `hidden` does not hide (section
/// 3.6.7.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct L1bSet {
    base: u8,
    hidden: u8,
}

impl L1bSet {
    /// All eight.
    pub const ALL: L1bSet = L1bSet { base: 0, hidden: 7 };

    /// The set `base/hidden`, both 0 to 7.
    pub const fn new(base: u8, hidden: u8) -> L1bSet {
        let hidden = hidden & 7;
        L1bSet {
            base: base & 7 & !hidden,
            hidden,
        }
    }

    /// The set with exactly these members (bit i for L1B i), if there is one.
    pub fn from_members(members: u8) -> Option<L1bSet> {
        L1bSet::all().find(|set| set.members() == members)
    }

    /// Every set.
    pub fn all() -> impl Iterator<Item = L1bSet> {
        (0..64)
            .map(|bits| L1bSet {
                base: bits & 7,
                hidden: bits >> 3,
            })
            .filter(|set| set.base & set.hidden == 0)
    }

    /// Its least member.
    pub const fn base(self) -> u8 {
        self.base
    }

    /// The bits of an L1B's number that do not matter, called immode.
    pub const fn hidden(self) -> u8 {
        self.hidden
    }

    /// Whether L1B `number` belongs to it.
    pub const fn contains(self, number: u8) -> bool {
        number & !self.hidden == self.base
    }

    /// Its members, bit i for L1B i.
    pub fn members(self) -> u8 {
        (0..8)
            .filter(|&number| self.contains(number))
            .fold(0, |members, number| members | 1 << number)
    }

    /// Its members when data go across: those that are written to (section 3.6.7.9).
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

/// An L2BM opcode in full.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct L2bmOp {
    /// The transfer.
    pub kind: L2bmKind,
    /// The L1B it concerns.
    pub set: L1bSet,
    /// The operation of a reduction.
    pub rrn: Option<Rrn>,
}

impl L2bmOp {
    /// The transfer with all L1B, without a reduction.
    pub const fn plain(kind: L2bmKind) -> Self {
        L2bmOp {
            kind,
            set: L1bSet::ALL,
            rrn: None,
        }
    }

    /// The spelling, with its parameters.
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

    /// Every L2BM opcode; the position is its number.
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
    /// Whether an opcode may have this set; an opcode that takes none has that of all.
    pub fn allows(self, set: L1bSet) -> bool {
        match self {
            L1bSelection::None => set == L1bSet::ALL,
            L1bSelection::Optional => true,
            L1bSelection::Proper => set != L1bSet::ALL,
            L1bSelection::One => set.hidden == 0,
        }
    }
}

/// The opcode of a mnemonic; of two kinds with the same stem the one towards L1BM.
pub(super) fn find(mnemonic: &str) -> Option<Opcode> {
    ROWS.iter().find_map(|row| {
        let rest = mnemonic.strip_prefix(row.stem)?;
        if row.reduces {
            Rrn::find(rest).map(|rrn| Opcode::L2bm(row.kind, Some(rrn)))
        } else {
            rest.is_empty().then_some(Opcode::L2bm(row.kind, None))
        }
    })
}

/// The kind with the same stem in the other direction.
pub fn reversed(kind: L2bmKind) -> Option<L2bmKind> {
    let row = kind.row();
    ROWS.iter()
        .find(|other| other.stem == row.stem && other.flow != row.flow)
        .map(|other| other.kind)
}

/// The mnemonics.
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
