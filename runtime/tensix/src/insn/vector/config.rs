//! SFPCONFIG and the state that it configures: LRegs 11 to 14, the lanes, the macros of
//! SFPLOADMACRO, and the columns that moves of the matrix unit skip (BLOCK_DEST_MOV).
//!
//! All of it has one value per column of lanes. SFPCONFIG reads its input from the first eight
//! lanes and applies it to the lanes below them.

use tessera_isa_tensix::table::Sfpconfig;
use tessera_isa_tensix::Instruction;

use super::flags;
use super::lregs::read;
use crate::arith::{Lanes, LANES};
use crate::state::vector::DEFAULTS;
use crate::state::vector::{Configuration, Content, Macros, Vector, Write, COLUMNS};
use crate::trap::Fault;

/// The lanes of the first column.
const COLUMN: u32 = 0x0101_0101;

/// Bits of a lane's configuration (`SFPCONFIG.md`, LaneConfig).
pub(super) const FP16_INFINITY: u32 = 1;
pub(super) const NO_BACKDOOR: u32 = 1 << 1;
pub(super) const INDEX: u32 = 1 << 2;
pub(super) const CAPTURE_INDEX: u32 = 1 << 3;
pub(super) const NO_STORE: u32 = 1 << 4;
pub(super) const NO_LOAD: u32 = 1 << 5;
pub(super) const LOAD_ODD: u32 = 1 << 6;
pub(super) const STORE_ODD: u32 = 1 << 7;
pub(super) const INVERT_SWAP: u32 = 1 << 8;
/// The first of two bits, for the two columns of Src and Dst that correspond to a column of lanes.
const NO_MOVE: u32 = 9;
const ROW_MASK: u32 = 12;
/// Mask of the existing bits.
const LANE_CONFIG: u32 = (1 << 18) - 1;

/// Mode bits of SFPCONFIG.
const IMMEDIATE: u32 = 1;
const OPERATION: u32 = 6;
const LANE_MASK: u32 = 8;

impl Configuration {
    /// Returns the lanes in which a bit is set.
    #[inline(always)]
    pub(super) fn lanes_with(&self, bit: u32) -> u32 {
        match self.any & bit {
            0 => 0,
            _ => lanes_where(|column| self.lanes[column] & bit != 0),
        }
    }

    /// Returns whether the last instruction has changed whether VD can name a template, and clears
    /// that note.
    #[inline]
    pub(super) fn take_backdoor_moves(&mut self) -> bool {
        std::mem::take(&mut self.backdoor_moves)
    }

    /// Returns the distinct macro configurations, each with the lanes that have it.
    pub(super) fn distinct_macros(&self) -> Vec<(&Macros, u32)> {
        let mut distinct: Vec<(&Macros, u32)> = Vec::new();
        for (column, macros) in self.macros.iter().enumerate() {
            let lanes = COLUMN << column;
            match distinct.iter_mut().find(|(other, _)| *other == macros) {
                Some((_, of)) => *of |= lanes,
                None => distinct.push((macros, lanes)),
            }
        }
        distinct
    }

    fn set_lanes(&mut self, column: usize, value: u32) {
        let skipped_columns = (value >> NO_MOVE & 3) as u16;
        let others = self.skipped_columns & !(3 << (2 * column));
        let before = std::mem::replace(
            &mut self.skipped_columns,
            others | skipped_columns << (2 * column),
        );
        self.skipped_columns_unsettled |= before != self.skipped_columns;
        self.backdoor_moves |= (self.lanes[column] ^ value) & NO_BACKDOOR != 0;
        self.lanes[column] = value;
        self.any = self.lanes.iter().fold(0, |all, lane| all | lane);
        self.masked = (0..4).fold(0, |masked, row| {
            let of_row = lanes_where(|column| self.lanes[column] >> (ROW_MASK + row) & 1 != 0);
            masked | of_row & 0xFF << (8 * row)
        });
    }

    /// Returns a special register, as SFPMOV numbers them, in a column.
    fn special(&self, index: u32, column: usize) -> u32 {
        let macros = &self.macros[column];
        match index {
            0..=3 => macros.templates[index as usize],
            4..=7 => macros.sequences[index as usize - 4],
            8 => macros.misc,
            15 => self.lanes[column],
            _ => 0,
        }
    }

    /// Returns a special register other than the random bits, in all lanes.
    pub(super) fn lanes_of_special(&self, index: u32) -> Lanes {
        std::array::from_fn(|lane| self.special(index, lane % COLUMNS))
    }
}

impl Vector {
    /// Returns the columns that moves between Src and Dst skip, one bit each, and whether they have
    /// changed without a wait for the vector unit since.
    pub(crate) fn skipped_columns(&self) -> (u16, bool) {
        (
            self.config.skipped_columns,
            self.config.skipped_columns_unsettled,
        )
    }

    /// Records a wait for the vector unit.
    pub(crate) fn settle_skipped_columns(&mut self) {
        self.config.skipped_columns_unsettled = false;
    }
}

/// Returns the lanes of the columns for which a condition holds.
fn lanes_where(condition: impl Fn(usize) -> bool) -> u32 {
    (0..COLUMNS).fold(0, |lanes, column| match condition(column) {
        true => lanes | COLUMN << column,
        false => lanes,
    })
}

/// Stores an instruction whose VD names a template of SFPLOADMACRO into that template, and returns
/// whether it did. Other instructions are to be executed. `backdoor_moves` belongs to the previous
/// instruction.
#[cold]
pub(super) fn store_template(
    instruction: &Instruction,
    slot: usize,
    backdoor_moves: bool,
    unit: &mut Vector,
) -> Result<bool, Fault> {
    let mnemonic = instruction.row().mnemonic;
    if backdoor_moves {
        return Err(Fault::hazard(format!(
            "{mnemonic} with destination {}, right after an SFPCONFIG that changes whether it is \
             a template; put an SFPNOP between them",
            slot + 12
        )));
    }
    let refused = unit.config.lanes_with(NO_BACKDOOR);
    if refused == u32::MAX {
        return Ok(false);
    }
    if refused != 0 || unit.enabled() != u32::MAX {
        return Err(Fault::undefined(format!(
            "{mnemonic} as a template (destination {}) with lanes disabled, or with \
             DISABLE_BACKDOOR_LOAD in some lanes; no document says which get it",
            slot + 12
        )));
    }
    let word = instruction
        .encode(unit.arch)
        .map_err(|error| Fault::undefined(format!("{mnemonic} as a template: {error}")))?;
    for macros in &mut unit.config.macros {
        macros.templates[slot] = word;
    }
    Ok(true)
}

/// Combines an old configuration value with a new one as SFPCONFIG's mode says.
fn combined(mode: u32, old: u32, value: u32) -> u32 {
    match mode & OPERATION {
        0 => value,
        2 => old | value,
        4 => old & value,
        _ => old ^ value,
    }
}

pub(super) fn config(i: &Sfpconfig, dest: u32, unit: &mut Vector) -> Result<(), Fault> {
    let mut columns = flags::deciding(unit) & 0xFF;
    if i.instr_mod1 & LANE_MASK != 0 {
        let selected = |column: &u32| i.imm16_math >> (2 * column) & 1;
        columns &= (0..COLUMNS as u32).fold(0, |mask, column| mask | selected(&column) << column);
    }
    let immediate = i.instr_mod1 & IMMEDIATE != 0;
    // These registers have defaults instead.
    let by_immediate = immediate && dest > 3;
    let values = match by_immediate {
        true => [i.imm16_math; LANES],
        false => read(unit, 0, columns)?,
    };
    let selected = || (0..COLUMNS).filter(move |column| columns >> column & 1 != 0);
    match dest {
        0..=3 => {
            for column in selected() {
                unit.config.macros[column].templates[dest as usize] = values[column];
            }
        }
        4..=7 => {
            for column in selected() {
                unit.config.macros[column].sequences[dest as usize - 4] = values[column];
            }
        }
        8 => {
            for column in selected() {
                let misc = &mut unit.config.macros[column].misc;
                *misc = combined(i.instr_mod1, *misc, values[column]) & 0xFFF;
            }
        }
        9 | 10 => {}
        11..=14 => {
            let default = DEFAULTS[dest as usize - 11];
            let value = |lane: usize| {
                if immediate {
                    default
                } else {
                    values[lane % COLUMNS]
                }
            };
            fill(unit, dest, columns, std::array::from_fn(value));
        }
        15 => {
            for column in selected() {
                let config = &mut unit.config;
                let old = config.lanes[column];
                let kept = if immediate { old & !0xFFFF } else { 0 };
                let new = combined(i.instr_mod1, old, values[column]) | kept;
                config.set_lanes(column, new & LANE_CONFIG);
            }
        }
        _ => {
            return Err(Fault::undefined(
                "SFPCONFIG scheduled with LReg 16 as its destination",
            ))
        }
    }
    Ok(())
}

/// Writes an LReg that only SFPCONFIG can write, in some columns.
fn fill(unit: &mut Vector, index: u32, columns: u32, values: Lanes) {
    unit.access.written |= 1 << index;
    let lanes = lanes_where(|column| columns >> column & 1 != 0);
    unit.write_lreg(Write {
        index,
        lanes,
        content: Content {
            values,
            known: lanes,
        },
    });
}
