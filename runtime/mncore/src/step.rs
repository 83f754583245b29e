//! A PE instruction, decoded once, and what it does to one L1 block.
//!
//! Manual, sections 1.2, 3.6 and 3.6.6. Within a step everything is read before anything is
//! written: results need longer than the four cycles of a step to arrive. Writes of later cycles
//! win over those of earlier ones.
//!
//! A zero-flush mask acts on a unit's result before it is forwarded or written, and not on its mask
//! flags; a write mask acts on the write alone. Not checked here: conditions of parallel issue and
//! hazards, which the assembler rejects.

use tessera_isa_mncore::ast::{
    Alu, Expression, Input, L1Operand, L1bm, Mask, MatrixRows, Mau, Op, Output, PeOperands, Source,
    Step, Target,
};
use tessera_isa_mncore::memory::Precision;

use crate::block::Block;
use crate::bus::{Bus, Flags, MaskWidth};
use crate::geometry::CYCLES;
use crate::l1bm::{self, Rows};
use crate::l2bm::L2bmStep;
use crate::trap::Reason;
use crate::undetermined::UndeterminedSet;
use crate::{alu, mau};

/// A PE instruction, decoded.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The tag it waits for first.
    pub wait: Option<u8>,
    /// Whether forwarding and turn-around registers stay as they are: `nop` and `noforward`.
    pub holds: bool,
    /// A transfer between L2BM and L1BM.
    pub l2bm: Option<L2bmStep>,
    /// `l2bmdars`: address in L2BM, L2B, first entry.
    pub dar_start: Option<(u16, u8, u16)>,
    /// `l2bmdarw`.
    pub dar_write: bool,
    /// What happens inside each L1 block.
    pub block: BlockPlan,
}

/// What a PE instruction does inside each L1 block.
#[derive(Clone, Debug, Default)]
pub struct BlockPlan {
    alu: Option<Alu>,
    mau: Option<Mau>,
    mwrite: Option<(Precision, Input, MatrixRows)>,
    mread: Option<(Precision, MatrixRows)>,
    /// From L1BM or the turn-around register to PE.
    down: Option<L1bm>,
    /// From PE to L1BM or the turn-around register.
    up: Option<(L1bm, Input)>,
    /// What each unit writes, in the order of the forwarding registers.
    outputs: [Vec<Output>; 4],
    /// The mask on a unit's result.
    zero_flush: [Option<Mask>; 4],
    /// The entry of the mask registers that all masks of the step read.
    entry: Option<u8>,
}

/// The units whose results are forwarded, in the order of [`tessera_isa_mncore::ast::Forward`].
const MAU: usize = 0;
const ALU: usize = 1;
const L1BM: usize = 2;
const MREAD: usize = 3;

/// The operands that read what units forward.
pub const FORWARDS: [&str; 4] = ["$mauf", "$aluf", "$lbf", "$mreadf"];

impl Plan {
    /// Decodes a step.
    pub fn new(step: &Step) -> Self {
        let mut plan = Plan::default();
        for expression in &step.expressions {
            plan.add(expression);
        }
        plan
    }

    fn add(&mut self, expression: &Expression) {
        let block = &mut self.block;
        let masks = expression.op.outputs().iter().map(|output| output.mask);
        for mask in masks.chain([expression.zero_flush]).flatten() {
            block.entry = Some(mask.entry);
        }
        let outputs = expression.op.outputs().to_vec();
        let unit = match &expression.op {
            Op::Nop | Op::Noforward => {
                self.holds = true;
                return;
            }
            Op::Wait(tag) => {
                self.wait = Some(*tag);
                return;
            }
            Op::DarStart { l2, l2b, dar } => {
                self.dar_start = Some((*l2, *l2b, *dar));
                return;
            }
            Op::DarWrite => {
                self.dar_write = true;
                return;
            }
            Op::L2bm { op, l2, l1 } => {
                self.l2bm = Some(L2bmStep::new(*op, *l2, *l1));
                return;
            }
            Op::Mwrite {
                precision,
                input,
                matrix,
            } => {
                block.mwrite = Some((*precision, *input, *matrix));
                return;
            }
            Op::L1bm(l1bm) => match &l1bm.pe {
                PeOperands::Up(input) => {
                    block.up = Some((l1bm.clone(), *input));
                    return;
                }
                PeOperands::Down(_) => {
                    block.down = Some(l1bm.clone());
                    L1BM
                }
            },
            Op::Mread {
                precision, matrix, ..
            } => {
                block.mread = Some((*precision, *matrix));
                MREAD
            }
            Op::Mau(mau) => {
                block.mau = Some(mau.clone());
                MAU
            }
            Op::Alu(alu) => {
                block.alu = Some(alu.clone());
                ALU
            }
        };
        block.outputs[unit] = outputs;
        block.zero_flush[unit] = expression.zero_flush;
    }

    /// What the step does with registers that hold what earlier steps put out.
    pub fn uses(&self) -> Uses {
        let block = &self.block;
        let mau = block.mau.iter().flat_map(|mau| &mau.inputs);
        let alu = block.alu.iter().flat_map(|alu| &alu.inputs);
        let mwrite = block.mwrite.iter().map(|(_, input, _)| input);
        let up = block.up.iter().map(|(_, input)| input);
        let mut forwards_read = [false; 4];
        for input in mau.chain(alu).chain(mwrite).chain(up) {
            if let Source::Forward(unit) = input.source {
                forwards_read[unit as usize] = true;
            }
        }
        Uses {
            holds: self.holds,
            forwards_read,
            forwards_filled: block.issued(),
            turnaround_read: block.down.as_ref().is_some_and(L1bm::is_turnaround),
            turnaround_filled: block.up.is_some(),
        }
    }

    /// Whether nothing happens outside the L1 blocks.
    pub fn is_local(&self) -> bool {
        self.wait.is_none() && self.l2bm.is_none() && self.dar_start.is_none() && !self.dar_write
    }

    /// Whether nothing happens inside the L1 blocks.
    pub fn has_external_transfer(&self) -> bool {
        self.block.issued() == [false; 4] && self.block.mwrite.is_none() && self.block.up.is_none()
    }
}

/// What a step does with registers that hold what earlier steps put out.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uses {
    /// Whether it keeps them as they are.
    pub holds: bool,
    /// Which forwarding registers it reads.
    pub forwards_read: [bool; 4],
    /// Which units put out a result.
    pub forwards_filled: [bool; 4],
    /// Whether it reads the turn-around register.
    pub turnaround_read: bool,
    /// Whether it sends something to L1BM or the turn-around register.
    pub turnaround_filled: bool,
}

/// Region for the intermediate values of a step, so that none is allocated while steps run.
#[derive(Clone, Debug)]
pub struct Scratch {
    inputs: [Bus; 3],
    /// The units' results.
    results: [Bus; 4],
    mau_flags: Flags,
    alu_flags: Flags,
    mask: Flags,
}

impl Scratch {
    /// Region for so many lanes.
    pub fn new(lanes: usize) -> Self {
        let bus = || Bus::new(lanes);
        let flags = || Flags::new(lanes);
        Scratch {
            inputs: [bus(), bus(), bus()],
            results: [bus(), bus(), bus(), bus()],
            mau_flags: flags(),
            alu_flags: flags(),
            mask: flags(),
        }
    }
}

impl BlockPlan {
    /// Which units put out a result, in the order of the forwarding registers.
    fn issued(&self) -> [bool; 4] {
        [
            self.mau.is_some(),
            self.alu.is_some(),
            self.down.is_some(),
            self.mread.is_some(),
        ]
    }

    /// What PEs send to L1BM: address, long words.
    pub fn sent(&self) -> Option<(usize, usize)> {
        let (up, _) = self.up.as_ref()?;
        let L1Operand::Address(address) = up.l1 else {
            return None;
        };
        Some((address.into(), usize::from(up.op.l1_rate()) * CYCLES))
    }

    /// Executes the step in one block.
    pub fn run(
        &self,
        holds: bool,
        block: &mut Block,
        scratch: &mut Scratch,
        undetermined: &mut UndeterminedSet,
    ) -> Result<(), Reason> {
        let rows = self.compute(block, scratch, undetermined)?;
        self.flush(scratch);
        self.store(rows, holds, block, scratch);
        Ok(())
    }

    /// Reads everything, computes the results and writes the matrix registers; returns what goes to
    /// the L1BM.
    fn compute(
        &self,
        block: &mut Block,
        scratch: &mut Scratch,
        undetermined: &mut UndeterminedSet,
    ) -> Result<Option<Rows>, Reason> {
        match self.entry {
            Some(entry @ 1..=15) => scratch.mask.copy_from(&block.masks[usize::from(entry)]),
            // Bit 3 of a fixed entry's number is the first cycle's flag: section 3.6.2.
            Some(entry @ 16..) => {
                let cycles = std::array::from_fn(|cycle| entry >> (3 - cycle) & 1 == 1);
                scratch.mask.set_cycles(cycles);
            }
            Some(0) => scratch.mask.set_cycles([true; CYCLES]),
            None => {}
        }
        let results = &mut scratch.results;
        if let Some(mau) = &self.mau {
            mau::decode(mau, block);
            let flags = self.sets_mask(MAU).then_some(&mut scratch.mau_flags);
            mau::arithmetic(
                mau,
                block,
                &mut scratch.inputs,
                &mut results[MAU],
                flags,
                undetermined,
            );
        }
        if let Some(alu) = &self.alu {
            let flags = self.sets_mask(ALU).then_some(&mut scratch.alu_flags);
            alu::run(
                alu,
                block,
                &mut scratch.inputs,
                &mut results[ALU],
                flags,
                undetermined,
            );
        }
        if let Some((precision, columns)) = &self.mread {
            mau::load_columns(*precision, columns, block, &mut results[MREAD]);
        }
        if let Some(down) = &self.down {
            let address = match down.l1 {
                L1Operand::Address(address) => Some(address),
                L1Operand::Turnaround => None,
            };
            l1bm::fetch(&down.op, address, block, &mut results[L1BM])?;
        }
        let rows = match &self.up {
            Some((up, input)) => {
                let words = block.read(&input.source, 64, &mut scratch.inputs[0]);
                Some(l1bm::gather(up, input, words, undetermined)?)
            }
            None => None,
        };
        // All that reads matrix registers has, and what is written to them still lies where it did.
        if let Some((precision, input, matrix)) = &self.mwrite {
            let bus = &mut scratch.inputs[0];
            mau::write_rows(*precision, input, matrix, block, bus, undetermined);
        }
        Ok(rows)
    }

    /// Whether a unit's flags are written.
    fn sets_mask(&self, unit: usize) -> bool {
        let mut targets = self.outputs[unit].iter().map(|output| &output.target);
        targets.any(|target| matches!(target, Target::MaskRegister(_)))
    }

    /// Applies zero-flush masks to the results.
    fn flush(&self, scratch: &mut Scratch) {
        for (result, mask) in scratch.results.iter_mut().zip(&self.zero_flush) {
            let Some(mask) = mask else { continue };
            let width = mask_width(mask);
            for cycle in 0..CYCLES {
                let flags = scratch.mask.cycle(cycle);
                let (high, low) = result.cycle_mut(cycle);
                for lane in 0..high.len() {
                    let (keep_high, keep_low) = width.expand(flags[lane]);
                    high[lane] &= keep_high;
                    low[lane] &= keep_low;
                }
            }
        }
    }

    /// Writes results and the L1BM, and keeps what is forwarded.
    fn store(&self, rows: Option<Rows>, holds: bool, block: &mut Block, scratch: &mut Scratch) {
        // Memories before the T register and base addresses: the addresses of a step are formed
        // before it writes.
        self.write(block, scratch, |target| matches!(target, Target::Memory(_)));
        self.write(block, scratch, |target| {
            !matches!(target, Target::Memory(_))
        });
        if let (Some(rows), Some((up, _))) = (rows, &self.up) {
            if let L1Operand::Address(address) = up.l1 {
                l1bm::store(&up.op, address, &rows, block);
            }
            if !holds {
                *block.turnaround.rows = rows;
                block.turnaround.rate = up.op.l1_rate();
            }
        }
        if !holds {
            let issued = self.issued();
            for unit in (0..4).filter(|unit| issued[*unit]) {
                std::mem::swap(&mut block.forward[unit], &mut scratch.results[unit]);
            }
        }
    }

    /// Writes the units' results and flags to some kind of targets.
    fn write(&self, block: &mut Block, scratch: &Scratch, kind: fn(&Target) -> bool) {
        for (unit, outputs) in self.outputs.iter().enumerate() {
            let flags = if unit == MAU {
                &scratch.mau_flags
            } else {
                &scratch.alu_flags
            };
            for output in outputs.iter().filter(|output| kind(&output.target)) {
                let mask = output.mask.map(|mask| (&scratch.mask, mask_width(&mask)));
                block.write(&output.target, &scratch.results[unit], flags, mask);
            }
        }
    }
}

fn mask_width(mask: &Mask) -> MaskWidth {
    if mask.wide {
        MaskWidth::TwoLong
    } else {
        MaskWidth::Long
    }
}
