//! Execution statistics: steps, occupancy of the units, arithmetic, transfers, estimated cycles.
//!
//! They are collected from statements rather than during execution. Control flow does not depend on
//! data, so the program text and the location of a trap determine which statements were executed.
//!
//! Source: section 1.4 for MAU operation counts, [`crate::timeline`] for cycles.

use std::collections::BTreeMap;
use std::fmt;

use tessera_isa_mncore::ast::{Mau, Op, Statement, StatementKind};
use tessera_isa_mncore::memory::Precision;
use tessera_isa_mncore::table::mv::rows;
use tessera_isa_mncore::table::{Group, MauKind, MvMode};

use crate::geometry::{Geometry, CYCLES};
use crate::timeline::{self, Timeline};

/// The units for which occupancy is reported.
pub const UNITS: [Group; 8] = [
    Group::MauCalc,
    Group::Mwrite,
    Group::Mread,
    Group::Alu,
    Group::L1bm,
    Group::Turnaround,
    Group::L2bm,
    Group::L2bmdarw,
];

/// Execution statistics of a program.
#[derive(Clone, Debug)]
pub struct Stats {
    geometry: Geometry,
    /// The number of executed steps.
    pub steps: u64,
    /// Steps with only a `nop` or a `wait`.
    pub idle: u64,
    /// Steps with an expression of each of [`UNITS`].
    pub occupied: [u64; UNITS.len()],
    /// Multiply-adds of matrix-vector and of vector operations, in the order of [`PRECISIONS`].
    pub products: [[u64; PRECISIONS.len()]; 2],
    /// Transfers by mode, indexed by the mode's position in the table.
    pub transfers: BTreeMap<usize, Transfers>,
    clock: Timeline,
    issued: usize,
}

/// The precisions of multiply-adds.
pub const PRECISIONS: [Precision; 4] = [
    Precision::Half,
    Precision::Pseudo,
    Precision::Single,
    Precision::Double,
];

/// Statistics of the transfers of one mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Transfers {
    /// The number of transfers.
    pub count: u64,
    /// Their total length in long words, as the instruction counts them (3.5.3).
    pub words: u64,
    /// Their total duration in cycles, each running alone.
    pub cycles: u64,
}

impl Stats {
    /// Creates empty statistics for a machine of this geometry.
    pub fn new(geometry: Geometry) -> Self {
        Stats {
            geometry,
            steps: 0,
            idle: 0,
            occupied: [0; UNITS.len()],
            products: [[0; PRECISIONS.len()]; 2],
            transfers: BTreeMap::new(),
            clock: Timeline::default(),
            issued: 0,
        }
    }

    /// Adds executed statements.
    pub fn add(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.clock.advance(statement, self.issued);
            match &statement.kind {
                StatementKind::Step(step) => {
                    self.steps += 1;
                    let mut idle = true;
                    for expression in &step.expressions {
                        let group = expression.op.group();
                        if let Some(unit) = UNITS.iter().position(|unit| *unit == group) {
                            self.occupied[unit] += 1;
                            idle = false;
                        }
                        if let Op::Mau(mau) = &expression.op {
                            self.arithmetic(mau);
                        }
                    }
                    self.idle += u64::from(idle);
                }
                StatementKind::Mv(mv) => {
                    let Some(transfer) = &mv.transfer else {
                        continue;
                    };
                    self.issued += 1;
                    let mode = self.transfers.entry(place(transfer.mode)).or_default();
                    mode.count += 1;
                    mode.words += u64::from(transfer.words);
                    mode.cycles += timeline::cycles(transfer);
                }
                _ => {}
            }
        }
    }

    /// Counts the multiply-adds of a MAU expression over all MABs and cycles.
    fn arithmetic(&mut self, mau: &Mau) {
        let precision = PRECISIONS.iter().position(|one| *one == mau.op.precision);
        let Some(precision) = precision else { return };
        let mabs = (self.geometry.block_count() * self.geometry.mabs) as u64;
        let a_cycle = products(mau.op.kind, mau.op.precision);
        let kind = usize::from(!mau.op.kind.is_matrix());
        self.products[kind][precision] += a_cycle * mabs * CYCLES as u64;
    }

    /// Returns the cycles of the steps alone: four each (1.2).
    pub fn step_cycles(&self) -> u64 {
        self.steps * CYCLES as u64
    }

    /// Returns the cycles in which transfers move their long words.
    pub fn transfer_cycles(&self) -> u64 {
        self.transfers.values().map(|mode| mode.cycles).sum()
    }

    /// Returns the estimated cycles of steps and transfers; see [`crate::timeline`].
    pub fn cycles(&self) -> u64 {
        self.clock.end()
    }
}

/// Returns the multiplications of one MAB in a cycle (1.4); additions and copies have none.
fn products(kind: MauKind, precision: Precision) -> u64 {
    match kind {
        MauKind::Mfma | MauKind::Mmul => match precision {
            Precision::Half => 16 * 16,
            Precision::Pseudo => 8 * 8,
            Precision::Single => 8 * 4,
            _ => 2 * 4,
        },
        MauKind::Vfma | MauKind::Vmul => match precision {
            Precision::Half => 16,
            Precision::Single => 8,
            _ => 2,
        },
        MauKind::Vadd | MauKind::Vpassa => 0,
    }
}

/// Returns the position of a mode in the table.
fn place(mode: MvMode) -> usize {
    let here = rows().iter().position(|row| row.mode == mode);
    here.expect("every mode has a row")
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "steps: {}", self.steps)?;
        let percent = |part: u64| part as f64 * 100.0 / self.steps.max(1) as f64;
        for (unit, steps) in UNITS.iter().zip(self.occupied) {
            if steps > 0 {
                let (name, percent) = (unit.name(), percent(steps));
                writeln!(f, "  {name}: {steps} of them, {percent:.1} %")?;
            }
        }
        if self.idle > 0 {
            let percent = percent(self.idle);
            writeln!(f, "  nothing: {} of them, {percent:.1} %", self.idle)?;
        }
        for (kind, products) in ["matrix", "element"].iter().zip(self.products) {
            for (precision, count) in PRECISIONS.iter().zip(products) {
                if count > 0 {
                    let precision = precision.name();
                    writeln!(
                        f,
                        "{kind} multiply-adds in {precision}: {count} (1.4, all MAB)"
                    )?;
                }
            }
        }
        for (
            mode,
            Transfers {
                count,
                words,
                cycles,
            },
        ) in &self.transfers
        {
            let row = &rows()[*mode];
            let (stem, section) = (row.stem, row.section);
            writeln!(
                f,
                "{stem}: transfers {count}, long words {words}, cycles {cycles} at its throughput \
                 ({section})"
            )?;
        }
        let (alone, all, mau) = (self.step_cycles(), self.cycles(), self.occupied[0]);
        writeln!(f, "cycles of the steps: {alone} (four each, 1.2)")?;
        writeln!(
            f,
            "estimated cycles: {all} (transfers one after the other at the throughput of 3.5.8, \
             waits hold the steps; latency and contention are not documented)"
        )?;
        let share = |cycles: u64| cycles as f64 * 100.0 / all.max(1) as f64;
        let (mau, mv) = (mau * CYCLES as u64, self.transfer_cycles());
        writeln!(f, "  MAU arithmetic: {mau} of them, {:.1} %", share(mau))?;
        writeln!(f, "  MV transfers: {mv} of them, {:.1} %", share(mv))
    }
}

#[cfg(test)]
mod tests;
