//! Transfers between L1BM and PEs (manual, section 3.6.8, table 3.8).

use super::{Opcode, Rrn, RrnKind};

/// A row of table 3.8, for both access widths.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The transfer.
    pub kind: L1bmKind,
    /// The mnemonic, without the reduction.
    pub stem: &'static str,
    /// Whether the transfer goes from L1BM to PEs.
    pub down: bool,
    /// Long words of L1BM per cycle, for each long word of a PE.
    pub rate: u16,
    /// The parameter after the stem.
    pub parameter: Parameter,
    /// The sections of the forms with one and with two long words.
    pub sections: (&'static str, Option<&'static str>),
    /// A one-line description.
    pub doc: &'static str,
}

/// The parameter after the stem of an L1BM opcode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// None.
    None,
    /// `@` and a MAB number below this limit.
    Mab(u8),
    /// Optionally a sign and the number of MABs to shift by, 0 to 15.
    Shift,
    /// A reduction, and `r` if its result is rounded to half precision.
    Reduction,
}

macro_rules! opcodes {
    ($( $Name:ident $stem:literal $down:literal $rate:literal ($($parameter:tt)*)
        ($one:literal, $two:expr) $doc:literal )*) => {
        /// A transfer between L1BM and PEs.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum L1bmKind { $( #[doc = $doc] $Name ),* }

        static ROWS: &[Row] = &[ $( Row {
            kind: L1bmKind::$Name, stem: $stem, down: $down, rate: $rate,
            parameter: Parameter::$($parameter)*, sections: ($one, $two), doc: $doc,
        } ),* ];
    };
}

#[rustfmt::skip]
opcodes! {
    PeBroadcast "l1bmp"  true  1  (None)      ("3.6.8.6",  Some("3.6.8.7"))  "Broadcast of the same long word to all 64 PEs."
    Broadcast   "l1bmm"  true  4  (None)      ("3.6.8.8",  Some("3.6.8.9"))  "Broadcast of four long words, one per PE, to all MABs."
    Pick        "l1bmm"  false 4  (Mab(16))   ("3.6.8.10", Some("3.6.8.11")) "Copy of what one MAB sends."
    Reduce      "l1bmr"  false 4  (Reduction) ("3.6.8.12", Some("3.6.8.13")) "Reduction over the 16 MABs."
    Broadcast4  "l1bmm4" true  16 (None)      ("3.6.8.14", Some("3.6.8.15")) "Broadcast to the four MABs with the same upper bits, distribution over the upper bits."
    Pick4       "l1bmm4" false 16 (Mab(4))    ("3.6.8.16", Some("3.6.8.17")) "Copy of what the MABs with these lower bits send."
    Reduce4     "l1bmr4" false 16 (Reduction) ("3.6.8.18", Some("3.6.8.19")) "Reduction over the lower bits of the MAB number."
    Distribute  "l1bmd"  true  64 (Shift)     ("3.6.8.20", None)             "Distribution, a long word for each PE."
    Collect     "l1bmd"  false 64 (Shift)     ("3.6.8.21", None)             "Collection of a long word from each PE."
}

impl L1bmKind {
    /// Returns the row of the transfer.
    pub fn row(self) -> &'static Row {
        ROWS.iter()
            .find(|row| row.kind == self)
            .expect("every kind has a row")
    }
}

/// An L1BM opcode with its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct L1bmOp {
    /// The transfer.
    pub kind: L1bmKind,
    /// Whether each PE transfers two long words per cycle. Half precision and rounding reductions
    /// are always wide, since they are computed in single precision (section 3.6.8.5).
    pub wide: bool,
    /// The MAB of `Pick` (0 to 15) or `Pick4` (0 to 3), otherwise 0.
    pub mab: u8,
    /// The MAB shift of `Distribute` and `Collect`: -15 to 15, otherwise 0.
    pub shift: i8,
    /// The reduction operation.
    pub rrn: Option<Rrn>,
    /// The suffix `r`: rounds single precision results to half precision.
    pub narrow: bool,
}

impl L1bmOp {
    /// Creates a transfer without parameters.
    pub const fn new(kind: L1bmKind, wide: bool) -> Self {
        L1bmOp {
            kind,
            wide,
            mab: 0,
            shift: 0,
            rrn: None,
            narrow: false,
        }
    }

    /// Returns whether the results of the reduction are half precision, half as wide as the results
    /// of the network.
    pub fn halves_result(&self) -> bool {
        self.narrow || self.is_half_reduction()
    }

    /// Returns whether it reduces half precision numbers. Such an opcode is an alias of a single
    /// precision reduction with widened inputs.
    pub fn is_half_reduction(&self) -> bool {
        self.rrn
            .is_some_and(|rrn| rrn.precision == crate::memory::Precision::Half)
    }

    /// Returns whether a form with two long words exists. Among reductions, only those in single
    /// precision and bitwise or have one (sections 3.6.8.13 and 3.6.8.19).
    pub fn has_wide_form(&self) -> bool {
        let reduces = self
            .rrn
            .is_none_or(|rrn| rrn.is_single_float() || rrn.kind == RrnKind::BitOr);
        self.kind.row().sections.1.is_some() && reduces && !self.halves_result()
    }

    /// Returns the number of L1BM long words per cycle.
    pub fn l1_rate(&self) -> u16 {
        let rate = self.kind.row().rate;
        if self.wide && !self.halves_result() {
            rate * 2
        } else {
            rate
        }
    }

    /// Returns the required alignment of the L1BM address.
    pub fn alignment(&self) -> u16 {
        match self.kind {
            L1bmKind::PeBroadcast => 1,
            _ => self.l1_rate(),
        }
    }

    /// Returns the section of the manual.
    pub fn section(&self) -> &'static str {
        let (one, two) = self.kind.row().sections;
        match two {
            Some(two) if self.wide => two,
            _ => one,
        }
    }

    /// Returns the mnemonic with its parameter.
    pub fn mnemonic(&self) -> String {
        let row = self.kind.row();
        match row.parameter {
            Parameter::None => row.stem.to_owned(),
            Parameter::Mab(_) => format!("{}@{}", row.stem, self.mab),
            Parameter::Shift if self.shift == 0 => row.stem.to_owned(),
            Parameter::Shift => format!("{}{:+}", row.stem, self.shift),
            Parameter::Reduction => format!(
                "{}{}{}",
                row.stem,
                self.rrn.expect("a reduction has an operation").mnemonic(),
                if self.narrow { "r" } else { "" }
            ),
        }
    }

    /// Returns every L1BM opcode; the position is the encoding.
    pub fn all() -> Vec<L1bmOp> {
        let mut all = Vec::new();
        for row in ROWS {
            let widths: &[bool] = if row.sections.1.is_some() {
                &[false, true]
            } else {
                &[false]
            };
            for &wide in widths {
                let plain = L1bmOp::new(row.kind, wide);
                match row.parameter {
                    Parameter::None => all.push(plain),
                    Parameter::Mab(count) => {
                        all.extend((0..count).map(|mab| L1bmOp { mab, ..plain }));
                    }
                    Parameter::Shift => {
                        all.extend((-15..=15).map(|shift| L1bmOp { shift, ..plain }));
                    }
                    Parameter::Reduction => {
                        all.extend(reductions().filter_map(|(rrn, narrow)| {
                            let op = L1bmOp {
                                rrn: Some(rrn),
                                narrow,
                                ..plain
                            };
                            let exists = if wide {
                                op.halves_result() || op.has_wide_form()
                            } else {
                                !op.halves_result()
                            };
                            exists.then_some(op)
                        }));
                    }
                }
            }
        }
        all
    }
}

/// Returns all reductions, first those that do not round their result.
fn reductions() -> impl Iterator<Item = (Rrn, bool)> {
    Rrn::all().map(|rrn| (rrn, false)).chain(
        Rrn::all()
            .filter(|r| r.is_single_float())
            .map(|rrn| (rrn, true)),
    )
}

/// Returns the opcode of a mnemonic. If two kinds share the stem, returns the one from L1BM to PEs.
pub(super) fn find(mnemonic: &str) -> Option<Opcode> {
    ROWS.iter().find_map(|row| {
        let rest = mnemonic.strip_prefix(row.stem)?;
        if row.parameter != Parameter::Reduction {
            return rest
                .is_empty()
                .then_some(Opcode::L1bm(row.kind, None, false));
        }
        reductions()
            .find(|(rrn, narrow)| {
                let tail = rest.strip_prefix(rrn.mnemonic().as_str());
                tail == Some(if *narrow { "r" } else { "" })
            })
            .map(|(rrn, narrow)| Opcode::L1bm(row.kind, Some(rrn), narrow))
    })
}

/// Returns the kind with the same stem in the opposite direction.
pub fn reversed(kind: L1bmKind) -> Option<L1bmKind> {
    let row = kind.row();
    ROWS.iter()
        .find(|other| other.stem == row.stem && other.down != row.down)
        .map(|other| other.kind)
}

/// Returns all mnemonics.
pub(super) fn mnemonics() -> Vec<String> {
    let mut all = Vec::new();
    for row in ROWS {
        if row.parameter == Parameter::Reduction {
            all.extend(reductions().map(|(rrn, narrow)| {
                format!(
                    "{}{}{}",
                    row.stem,
                    rrn.mnemonic(),
                    if narrow { "r" } else { "" }
                )
            }));
        } else {
            all.push(row.stem.to_owned());
        }
    }
    all
}

#[cfg(test)]
mod tests;
