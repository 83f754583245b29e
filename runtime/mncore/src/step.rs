//! A decoded PE instruction and its execution in one L1 block.
//!
//! Manual, sections 1.2, 3.6 and 3.6.6. A step reads all operands before it writes any result,
//! because results take longer than the four cycles of a step. Writes of later cycles take
//! precedence over those of earlier ones.
//!
//! A zero-flush mask changes a unit's result before it is forwarded or written, but not its mask
//! flags. A write mask affects only the write. The rules of parallel issue and the hazards are not
//! checked here; the assembler checks them.

use tessera_isa_mncore::ast::{
    Alu, Expression, Fixed, Input, L1Operand, L1bm, Mask, MatrixRows, Mau, Op, Output, PeOperands,
    Source, Step, Target,
};
use tessera_isa_mncore::memory::Precision;

use crate::block::Block;
use crate::bus::{Bus, Flags, MaskWidth};
use crate::geometry::CYCLES;
use crate::l1bm;
use crate::l2bm::{Collected, L2bmTransfer};
use crate::trap::Reason;
use crate::turnaround::{Rows, ROW};
use crate::undetermined::UndeterminedSet;
use crate::{alu, mau};

/// A decoded PE instruction.
#[derive(Clone, Debug, Default)]
pub struct DecodedStep {
    /// The tag to wait for first.
    pub wait: Option<u8>,
    /// Whether the forwarding and turn-around registers keep their content: `nop` and `noforward`.
    pub keeps_registers: bool,
    /// A transfer between L2BM and L1BM.
    pub l2bm: Option<L2bmTransfer>,
    /// `l2bmdars`: address in L2BM, L2B, first DAR entry.
    pub dar_start: Option<(u16, u8, u16)>,
    /// `l2bmdarw`.
    pub dar_write: bool,
    /// The part of the instruction that executes inside each L1 block.
    pub block: DecodedBlockStep,
    /// The use of forwarding and turn-around registers.
    pub uses: RegisterUses,
}

/// The part of a decoded PE instruction that executes inside each L1 block.
#[derive(Clone, Debug, Default)]
pub struct DecodedBlockStep {
    alu: Option<Alu>,
    mau: Option<Mau>,
    mwrite: Option<(Precision, Input, MatrixRows)>,
    mread: Option<(Precision, MatrixRows)>,
    /// A transfer from L1BM or the turn-around register to PEs.
    down: Option<L1bm>,
    /// A transfer from PEs to L1BM or the turn-around register.
    up: Option<(L1bm, Input)>,
    /// The destinations of each unit, in the order of the forwarding registers.
    outputs: [Vec<Output>; 4],
    /// The zero-flush mask of each unit.
    zero_flush: [Option<Mask>; 4],
    /// The mask register entry that all masks of the step read.
    entry: Option<u8>,
    /// Whether an operand is the position of the block on the board.
    reads_position: bool,
}

/// The indices of the units whose results are forwarded, in the order of
/// [`tessera_isa_mncore::ast::Forward`].
const MAU: usize = 0;
const ALU: usize = 1;
const L1BM: usize = 2;
const MREAD: usize = 3;

/// The operands that read the forwarding registers.
pub const FORWARDS: [&str; 4] = ["$mauf", "$aluf", "$lbf", "$mreadf"];

impl DecodedStep {
    /// Decodes a step.
    pub fn new(step: &Step) -> Self {
        let mut plan = DecodedStep::default();
        for expression in &step.expressions {
            plan.add(expression);
        }
        plan.uses = plan.register_uses();
        let reads_position = plan.block.inputs().any(|input| is_position(input.source));
        plan.block.reads_position = reads_position;
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
                self.keeps_registers = true;
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
                self.l2bm = Some(L2bmTransfer::new(*op, *l2, *l1));
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

    /// Returns how the step uses forwarding and turn-around registers.
    fn register_uses(&self) -> RegisterUses {
        let block = &self.block;
        let mut forwards_read = [false; 4];
        for input in block.inputs() {
            if let Source::Forward(unit) = input.source {
                forwards_read[unit as usize] = true;
            }
        }
        RegisterUses {
            keeps_registers: self.keeps_registers,
            forwards_read,
            forwards_filled: block.issued(),
            turnaround_read: block.down.as_ref().is_some_and(L1bm::is_turnaround),
            turnaround_filled: block.up.is_some(),
        }
    }

    /// Returns whether the step acts only inside the L2B: it does not access DAR.
    pub fn is_local(&self) -> bool {
        self.dar_start.is_none() && !self.dar_write
    }

    /// Returns whether the step does not change L1B and L2BM.
    pub fn leaves_l2bs_unchanged(&self) -> bool {
        self.l2bm.is_none() && self.block.is_empty()
    }
}

/// The use of forwarding and turn-around registers by a step.
#[derive(Clone, Copy, Debug, Default)]
pub struct RegisterUses {
    /// Whether the step keeps their content.
    pub keeps_registers: bool,
    /// The forwarding registers that are read.
    pub forwards_read: [bool; 4],
    /// The units that produce a result.
    pub forwards_filled: [bool; 4],
    /// Whether the turn-around register is read.
    pub turnaround_read: bool,
    /// Whether data are sent to L1BM or the turn-around register.
    pub turnaround_filled: bool,
}

/// Buffers for the intermediate values of a step, allocated once.
#[derive(Clone, Debug)]
pub struct Scratch {
    inputs: [Bus; 3],
    /// The results of the units.
    results: [Bus; 4],
    mau_flags: Flags,
    alu_flags: Flags,
    mask: Flags,
    /// The rows to write to L1BM.
    rows: Box<Rows>,
    /// The data of a transfer between L2BM and L1BM.
    pub collected: Collected,
}

impl Scratch {
    /// Creates buffers for this many lanes.
    pub fn new(lanes: usize) -> Self {
        let bus = || Bus::new(lanes);
        let flags = || Flags::new(lanes);
        Scratch {
            inputs: [bus(), bus(), bus()],
            results: [bus(), bus(), bus(), bus()],
            mau_flags: flags(),
            alu_flags: flags(),
            mask: flags(),
            rows: Box::new([[0; ROW]; CYCLES]),
            collected: Collected::default(),
        }
    }
}

/// Returns whether an operand is the position of the block on the board.
fn is_position(source: Source) -> bool {
    matches!(source, Source::Fixed(Fixed::L2bId | Fixed::L1bId))
}

impl DecodedBlockStep {
    /// Returns the operands that PEs read.
    fn inputs(&self) -> impl Iterator<Item = &Input> {
        let mau = self.mau.iter().flat_map(|mau| &mau.inputs);
        let alu = self.alu.iter().flat_map(|alu| &alu.inputs);
        let mwrite = self.mwrite.iter().map(|(_, input, _)| input);
        let up = self.up.iter().map(|(_, input)| input);
        mau.chain(alu).chain(mwrite).chain(up)
    }

    /// Returns whether the step reads the position of the block on the board, so that it acts
    /// differently in blocks of equal states.
    pub fn reads_position(&self) -> bool {
        self.reads_position
    }

    /// Returns the units that produce a result, in the order of the forwarding registers.
    fn issued(&self) -> [bool; 4] {
        [
            self.mau.is_some(),
            self.alu.is_some(),
            self.down.is_some(),
            self.mread.is_some(),
        ]
    }

    /// Returns whether the part does not change the block.
    pub fn is_empty(&self) -> bool {
        self.issued() == [false; 4] && self.mwrite.is_none() && self.up.is_none()
    }

    /// Returns the range of L1BM that PEs write: address and length in long words.
    pub fn l1bm_write_range(&self) -> Option<(usize, usize)> {
        let (up, _) = self.up.as_ref()?;
        let L1Operand::Address(address) = up.l1 else {
            return None;
        };
        Some((address.into(), usize::from(up.op.l1_rate()) * CYCLES))
    }

    /// Executes the step in one block.
    pub fn run(
        &self,
        keeps_registers: bool,
        block: &mut Block,
        scratch: &mut Scratch,
        undetermined: &mut UndeterminedSet,
    ) -> Result<(), Reason> {
        self.compute(block, scratch, undetermined)?;
        self.flush(scratch);
        self.store(keeps_registers, block, scratch);
        Ok(())
    }

    /// Reads all operands, computes the results and the rows to write to L1BM, and writes the
    /// matrix registers.
    fn compute(
        &self,
        block: &mut Block,
        scratch: &mut Scratch,
        undetermined: &mut UndeterminedSet,
    ) -> Result<(), Reason> {
        match self.entry {
            Some(entry @ 1..=15) => scratch.mask.copy_from(&block.masks[usize::from(entry)]),
            // Bit 3 of a fixed entry's number is the flag of cycle 0 (section 3.6.2).
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
        if let Some((up, input)) = &self.up {
            let words = block.read(&input.source, 64, &mut scratch.inputs[0]);
            l1bm::gather(up, input, words, &mut scratch.rows, undetermined)?;
        }
        // All reads of matrix registers are done, and the data to write to them have not been
        // overwritten.
        if let Some((precision, input, matrix)) = &self.mwrite {
            let bus = &mut scratch.inputs[0];
            mau::write_rows(*precision, input, matrix, block, bus, undetermined);
        }
        Ok(())
    }

    /// Returns whether the mask flags of a unit are written.
    fn sets_mask(&self, unit: usize) -> bool {
        let mut targets = self.outputs[unit].iter().map(|output| &output.target);
        targets.any(|target| matches!(target, Target::MaskRegister(_)))
    }

    /// Applies the zero-flush masks to the results.
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

    /// Writes the results and the L1BM rows, and updates the forwarding registers.
    fn store(&self, keeps_registers: bool, block: &mut Block, scratch: &mut Scratch) {
        // Memories are written before the T register and base addresses, since a step forms its
        // addresses before it writes.
        self.write(block, scratch, |target| matches!(target, Target::Memory(_)));
        self.write(block, scratch, |target| {
            !matches!(target, Target::Memory(_))
        });
        if let Some((up, _)) = &self.up {
            if let L1Operand::Address(address) = up.l1 {
                l1bm::store(&up.op, address, &scratch.rows, block);
            }
            if !keeps_registers {
                std::mem::swap(&mut block.turnaround.rows, &mut scratch.rows);
                block.turnaround.rate = up.op.l1_rate();
            }
        }
        if !keeps_registers {
            let issued = self.issued();
            for unit in (0..4).filter(|unit| issued[*unit]) {
                std::mem::swap(&mut block.forward[unit], &mut scratch.results[unit]);
            }
        }
    }

    /// Writes results and flags of all units to the targets that `kind` selects.
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
