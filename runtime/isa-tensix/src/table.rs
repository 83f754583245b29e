//! The instruction table: the fields of a row, and the code generated from the rows.
//!
//! The rows are in `rows.rs`. The macro here generates from them a struct per instruction, whose
//! members are its operands on either chip, the enums [`Opcode`] and [`Instruction`], and the
//! table.

use std::collections::HashMap;
use std::fmt;
use std::sync::{LazyLock, OnceLock};

use crate::Arch;

/// The part of the coprocessor that executes an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// MOP expander, in the front end.
    MopExpander,
    /// Replay expander, in the front end.
    ReplayExpander,
    /// Automatic synchronisation with the RISC-V cores, before the MOP expander.
    AutoSync,
    /// Executes nothing.
    Nop,
    /// Sync unit: waits, semaphores, mutexes.
    Sync,
    /// Miscellaneous unit: address counters, explicit dvalid.
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

impl Unit {
    /// Returns the page of Tenstorrent's ISA documentation with the latencies of its instructions.
    pub const fn page(self) -> &'static str {
        match self {
            Unit::MopExpander => "MOPExpander.md",
            Unit::ReplayExpander => "REPLAY.md",
            Unit::AutoSync => "BabyRISCV/AutoTTSync.md",
            Unit::Nop => "NOP.md",
            Unit::Sync => "SyncUnit.md",
            Unit::Misc => "MiscellaneousUnit.md",
            Unit::Config => "ConfigurationUnit.md",
            Unit::Scalar => "ScalarUnit.md",
            Unit::Unpacker => "Unpackers/README.md",
            Unit::Matrix => "MatrixUnit.md",
            Unit::Packer => "Packers/README.md",
            Unit::Vector => "VectorUnit.md",
            Unit::Mover => "XMOV.md",
        }
    }
}

/// One operand of an instruction on one chip: a bit range of its word.
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
    /// Returns the largest value of the field.
    pub const fn max(&self) -> u32 {
        (1 << self.width) - 1
    }

    /// Returns the mask of the field in its word.
    pub const fn mask(&self) -> u32 {
        self.max() << self.low
    }

    /// Returns its bits as text: `16:15`, or `10` if it is one bit.
    pub fn bits(&self) -> String {
        match self.width {
            1 => self.low.to_string(),
            width => format!("{}:{}", self.low + width - 1, self.low),
        }
    }

    /// Extracts the field from `word`.
    pub const fn get(&self, word: u32) -> u32 {
        word >> self.low & self.max()
    }
}

/// The latency of an instruction: cycles until its results can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Latency {
    /// Exactly this many.
    Cycles(u32),
    /// At least this many.
    AtLeast(u32),
    /// Not published.
    Unpublished,
}

impl fmt::Display for Latency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Latency::Cycles(cycles) => write!(f, "{cycles}"),
            Latency::AtLeast(cycles) => write!(f, "≥ {cycles}"),
            Latency::Unpublished => f.write_str("unpublished"),
        }
    }
}

/// A row of the table: one instruction.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The vendor's mnemonic, upper-case.
    pub mnemonic: &'static str,
    /// Bits 31:24 of the word.
    pub opcode: Opcode,
    /// The unit that executes it.
    pub unit: Unit,
    /// Its latency.
    pub latency: Latency,
    /// The chip that has it, if not both do.
    only: Option<Arch>,
    /// The operands on each chip, in text order.
    fields: [&'static [Field]; Arch::ALL.len()],
    /// A description in one line.
    pub doc: &'static str,
}

/// The maximum number of operands of a row on a chip.
pub const MAX_OPERANDS: usize = 13;

/// The name of an operand and its bits on each chip.
#[derive(Clone, Copy)]
struct Ranges(&'static str, [Option<(u32, u32)>; Arch::ALL.len()]);

impl Ranges {
    /// Returns the operand on a chip, if it exists.
    const fn on(self, arch: Arch) -> Option<Field> {
        match self.1[arch as usize] {
            Some((high, low)) => Some(Field {
                name: self.0,
                low,
                width: high - low + 1,
            }),
            None => None,
        }
    }

    /// Extracts the operand from a word; 0 if the chip does not have it.
    const fn get(self, arch: Arch, word: u32) -> u32 {
        match self.on(arch) {
            Some(field) => field.get(word),
            None => 0,
        }
    }
}

/// Returns the number of operands on a chip.
const fn count(all: &[Ranges], arch: Arch) -> usize {
    let (mut count, mut k) = (0, 0);
    while k < all.len() {
        if all[k].on(arch).is_some() {
            count += 1;
        }
        k += 1;
    }
    count
}

/// Returns the operands on a chip; `N` is their number.
const fn select<const N: usize>(all: &[Ranges], arch: Arch) -> [Field; N] {
    const NONE: Field = Field {
        name: "",
        low: 0,
        width: 0,
    };
    let mut found = [NONE; N];
    let (mut count, mut k) = (0, 0);
    while k < all.len() {
        if let Some(field) = all[k].on(arch) {
            found[count] = field;
            count += 1;
        }
        k += 1;
    }
    found
}

/// Parses the bits of an operand on both chips.
macro_rules! ranges {
    (- | $high:literal : $low:literal) => {
        [None, Some(($high, $low))]
    };
    ($high:literal : $low:literal | -) => {
        [Some(($high, $low)), None]
    };
    ($high:literal : $low:literal | $bh_high:literal : $bh_low:literal) => {
        [Some(($high, $low)), Some(($bh_high, $bh_low))]
    };
    ($high:literal : $low:literal) => {
        [Some(($high, $low)), Some(($high, $low))]
    };
}

/// Parses a latency.
macro_rules! latency {
    (-) => {
        Latency::Unpublished
    };
    ($cycles:literal +) => {
        Latency::AtLeast($cycles)
    };
    ($cycles:literal) => {
        Latency::Cycles($cycles)
    };
}

/// Parses the chip to which a row is limited.
macro_rules! only {
    () => {
        None
    };
    (blackhole) => {
        Some($crate::Arch::Blackhole)
    };
}

macro_rules! instructions {
    ($( $code:literal $MNEMONIC:ident $Type:ident $unit:ident ( $($latency:tt)+ ) $($only:ident)?
        { $( $field:ident [ $($bits:tt)+ ] ),* } $doc:literal )*) => {
        /// The opcode of an instruction: bits 31:24 of its word.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Opcode { $( #[doc = $doc] $Type = $code ),* }

        $(
            #[doc = $doc]
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
            pub struct $Type { $(
                #[doc = concat!("Bits `", stringify!($($bits)+), "`.")]
                pub $field: u32
            ),* }

        )*

        /// A decoded instruction. Operands are as wide as their fields; [`Instruction::encode`]
        /// checks.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Instruction { $( #[doc = $doc] $Type($Type) ),* }

        $( impl From<$Type> for Instruction {
            fn from(i: $Type) -> Self { Instruction::$Type(i) }
        } )*

        pub(super) static ROWS: &[Row] = &[ $( Row {
            mnemonic: stringify!($MNEMONIC),
            opcode: Opcode::$Type,
            unit: Unit::$unit,
            latency: latency!($($latency)+),
            only: only!($($only)?),
            fields: {
                const ALL: &[Ranges] = &[ $( Ranges(stringify!($field), ranges!($($bits)+)) ),* ];
                const WORMHOLE: [Field; count(ALL, Arch::WormholeB0)] =
                    select(ALL, Arch::WormholeB0);
                const BLACKHOLE: [Field; count(ALL, Arch::Blackhole)] =
                    select(ALL, Arch::Blackhole);
                [&WORMHOLE, &BLACKHOLE]
            },
            doc: $doc,
        } ),* ];

        impl Instruction {
            /// Returns the instruction's opcode.
            #[inline]
            pub fn opcode(&self) -> Opcode {
                match self { $( Instruction::$Type(_) => Opcode::$Type ),* }
            }

            /// Writes the operands on a chip in row order to `out` and returns their number.
            ///
            /// # Errors
            /// The name of a non-zero operand that the chip does not have.
            pub(crate) fn store_operands(
                &self,
                arch: Arch,
                out: &mut [u32; MAX_OPERANDS],
            ) -> Result<usize, &'static str> {
                match *self { $( Instruction::$Type(_i) => {
                    let mut _count = 0;
                    $( if const { Ranges("", ranges!($($bits)+)) }.on(arch).is_some() {
                        out[_count] = _i.$field;
                        _count += 1;
                    } else if _i.$field != 0 {
                        return Err(stringify!($field));
                    } )*
                    Ok(_count)
                } ),* }
            }

            /// Returns the non-zero operands, on either chip, by name and in row order.
            pub fn set_operands(&self) -> Vec<(&'static str, u32)> {
                let operands: &[(&'static str, u32)] = match self { $(
                    Instruction::$Type(_i) => &[ $( (stringify!($field), _i.$field) ),* ]
                ),* };
                let set = operands.iter().filter(|(_, value)| *value != 0);
                set.copied().collect()
            }

            /// Decodes the operands of `opcode` on a chip from `word`; ignores reserved bits.
            pub(crate) fn extract(arch: Arch, opcode: Opcode, _word: u32) -> Self {
                match opcode { $( Opcode::$Type => Instruction::$Type($Type {
                    $( $field: const { Ranges("", ranges!($($bits)+)) }.get(arch, _word) ),*
                }) ),* }
            }
        }
    };
}

mod rows;
use rows::ROWS;
pub use rows::*;

/// Returns the instructions of both chips.
pub const fn rows() -> &'static [Row] {
    ROWS
}

/// Returns the row of an opcode byte, if it exists.
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
    /// Returns the opcode's row.
    #[inline]
    pub fn row(self) -> &'static Row {
        row_of_byte(self as u8).expect("every opcode comes from a row")
    }
}

impl Row {
    /// Returns the row of a mnemonic, ignoring case (`MVMUL`, `mvmul`).
    pub fn by_mnemonic(mnemonic: &str) -> Option<&'static Row> {
        static ROWS_BY_MNEMONIC: LazyLock<HashMap<String, &Row>> = LazyLock::new(|| {
            let rows = ROWS.iter().rev();
            rows.map(|row| (row.mnemonic.to_ascii_lowercase(), row))
                .collect()
        });
        let is_lower = !mnemonic.bytes().any(|byte| byte.is_ascii_uppercase());
        let row = match is_lower {
            true => ROWS_BY_MNEMONIC.get(mnemonic),
            false => ROWS_BY_MNEMONIC.get(&mnemonic.to_ascii_lowercase()),
        };
        row.copied()
    }

    /// Returns whether a chip has the instruction.
    pub fn is_on(&self, arch: Arch) -> bool {
        self.only.is_none_or(|only| only == arch)
    }

    /// Returns the operands on a chip, in text order.
    pub fn fields(&self, arch: Arch) -> &'static [Field] {
        self.fields[arch as usize]
    }

    /// Returns the bits that belong to no field on a chip and must be zero.
    pub fn reserved_bits(&self, arch: Arch) -> u32 {
        let fields = self.fields(arch).iter();
        0x00ff_ffff & !fields.fold(0, |bits, field| bits | field.mask())
    }

    /// Returns the field with a name on a chip.
    pub fn field(&self, arch: Arch, name: &str) -> Option<&'static Field> {
        self.fields(arch).iter().find(|field| field.name == name)
    }
}

#[cfg(test)]
mod tests;
