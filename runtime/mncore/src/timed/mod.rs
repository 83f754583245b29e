//! The timed model: detects reads of data before their arrival and accesses to busy ports (manual,
//! section 3.6.3, all nine rules).
//!
//! The functional model completes each step at once. This checker runs beside it and records
//! pending writes: for each written word the first cycle in which it can be read, and for each port
//! the first cycle in which it is free. An earlier read traps with the location, the line of the
//! write and the number of missing cycles. The static checker (`tessera_isa_mncore::hazards`)
//! compares pairs of steps using its own table. This module is an independent second reading of the
//! manual, in [`latency`] and [`rates`], and shares no number with it. A test compares both.
//!
//! Time counts PE statements, four cycles each. An MV instruction reads at the beginning of the
//! next step. A `wait` takes its own step and no longer. A step performs all reads before any
//! write.
//!
//! Unlike the static checker, this one knows which words of which PE a mask register lets through.
//! Addresses that depend on the T register or a base address register need no special treatment:
//! only local memories have such addresses, and their rule concerns the port, whatever the address.
//! Such an access reads the T or base address register, however, even if a mask suppresses its
//! write.
//!
//! Mask and matrix registers need no entry. What is written to them can be used in the next step
//! (3.6.3.9, 3.6.1.14), and the functional model does not provide it earlier. Forwarding registers
//! are valid for one step in every model. `d get` and the other control statements take no time and
//! observe all completed writes, as the manual specifies (3.4.3).
//!
//! Choices where the manual is silent are in [`crate::undetermined`]: `lm-turnaround-masked`,
//! `base-address-latency`, `dar-latency`, `dar-start-distance`. Not checked: two writes to the same
//! word with different latencies, for which the manual does not define the order.

pub mod latency;
mod masks;
pub mod rates;

#[cfg(test)]
mod tests;

pub use crate::violation::{LatencyViolation, Resource, WriteLocation};

use tessera_isa_mncore::ast::{
    L1Operand, L1bm, MemoryOperand, Modify, Op, Output, PeOperands, Source, Step, Target,
};
use tessera_isa_mncore::memory::{Bank, Width};
use tessera_isa_mncore::table::L2bmOp;

use crate::block::{Block, L1BM_WORDS};
use crate::board::L2BM_WORDS;
use crate::copy_on_write::CopyOnWrite;
use crate::footprint::{Footprint, Memory};
use crate::geometry::{Geometry, CYCLES};
use latency::STEP;
use masks::{Written, HALVES};
use rates::Direction;

/// The pending writes and the current time.
#[derive(Clone, Debug)]
pub struct TimingChecker {
    /// The first cycle of the next step.
    now: u64,
    pending: Vec<Pending>,
    /// The L1B of the machine, bit i for L1B i.
    l1bs: u8,
}

/// Words that cannot be read yet, or a busy port.
#[derive(Clone, Copy, Debug)]
struct Pending {
    resource: Resource,
    /// The first address and the number of words; 0 and 1 for a port or register.
    words: (u32, u32),
    /// The L1B concerned, bit i for L1B i.
    l1bs: u8,
    place: WriteLocation,
    /// The first cycle in which they can be read.
    readable: u64,
    line: u32,
    section: &'static str,
}

/// The range of a resource without addresses.
const WHOLE: (u32, u32) = (0, 1);

/// All L1B of an L2B.
const ALL: u8 = 0xff;

impl TimingChecker {
    /// Creates a checker without pending writes.
    pub fn new(geometry: &Geometry) -> Self {
        TimingChecker {
            now: 0,
            pending: Vec::new(),
            l1bs: (1u16 << geometry.l1bs).wrapping_sub(1) as u8,
        }
    }

    /// Returns whether the writes of a step depend on mask registers. If so, `blocks` must be in
    /// the state before the step.
    pub fn needs_blocks(step: &Step) -> bool {
        let mut outputs = step.expressions.iter().flat_map(|e| e.op.outputs());
        outputs.any(|output| matches!(output.mask, Some(mask) if (1..16).contains(&mask.entry)))
    }

    /// Checks that all data which a step reads have arrived, then records its writes.
    pub fn check_step(
        &mut self,
        line: u32,
        step: &Step,
        blocks: &CopyOnWrite<Block>,
    ) -> Result<(), LatencyViolation> {
        self.pending.retain(|pending| pending.readable > self.now);
        let mut reads = Reads {
            timed: self,
            worst: None,
        };
        for expression in &step.expressions {
            reads.expression(&expression.op);
        }
        if let Some(early) = reads.worst {
            return Err(early);
        }
        for expression in &step.expressions {
            self.record_writes(line, &expression.op, blocks);
        }
        self.now += STEP;
        Ok(())
    }

    /// Checks that all data have arrived that an MV instruction reads before the next step.
    pub fn check_mv(&self, footprint: &Footprint) -> Result<(), LatencyViolation> {
        let mut reads = Reads {
            timed: self,
            worst: None,
        };
        for region in &footprint.reads {
            if let Memory::L2bm(..) = region.memory {
                let length = region.words.end - region.words.start;
                let words = (region.words.start as u32, length as u32);
                reads.read(Resource::L2bmForMv, words, ALL, 0);
            }
        }
        reads.worst.map_or(Ok(()), Err)
    }

    /// Records the writes of an expression.
    fn record_writes(&mut self, line: u32, op: &Op, blocks: &CopyOnWrite<Block>) {
        let mut writes = Writes { timed: self, line };
        for output in op.outputs() {
            writes.output(output, blocks);
        }
        match op {
            Op::L1bm(L1bm {
                op,
                l1: L1Operand::Address(address),
                pe: PeOperands::Up(_),
            }) => writes.l1bm_from_pes(op, (*address).into()),
            Op::L2bm { op, l2, l1 } => writes.l2bm(op, (*l2).into(), (*l1).into()),
            _ => {}
        }
    }
}

/// The reads of a step or an MV instruction.
struct Reads<'a> {
    timed: &'a TimingChecker,
    /// The read that is too early by the most cycles.
    worst: Option<LatencyViolation>,
}

impl Reads<'_> {
    fn expression(&mut self, op: &Op) {
        for input in op.inputs() {
            match &input.source {
                Source::Memory(operand) => {
                    self.addresses(operand);
                    self.memory(operand);
                }
                Source::T => self.t(2),
                // Forwarding registers are valid in this step or have trapped already; fixed values
                // are constant.
                Source::Forward(_) | Source::Fixed(_) => {}
            }
        }
        for output in op.outputs() {
            if let Target::Memory(operand) = &output.target {
                self.addresses(operand);
            }
        }
        match op {
            Op::L1bm(L1bm {
                op,
                l1: L1Operand::Address(address),
                pe: PeOperands::Down(_),
            }) => {
                self.read(Resource::L1bmPePort, WHOLE, ALL, 0);
                for cycle in 0..CYCLES as u32 {
                    for words in rates::l1bm_runs(op, (*address).into(), cycle) {
                        self.read(Resource::L1bmForPe, words, ALL, cycle);
                    }
                }
            }
            Op::L2bm { op, l2, l1 } => self.l2bm(op, (*l2).into(), (*l1).into()),
            _ => {}
        }
    }

    /// Reads the registers that an address depends on.
    fn addresses(&mut self, operand: &MemoryOperand) {
        if operand.modify == Modify::T {
            // The upper long word (section 3.6.1.6).
            self.t(1);
        }
        if let Some(number) = local(operand.bank) {
            for cycle in 0..CYCLES as u32 {
                self.read(Resource::Base(number), WHOLE, ALL, cycle);
            }
        }
    }

    fn memory(&mut self, operand: &MemoryOperand) {
        if let Some(number) = local(operand.bank) {
            return self.read(Resource::LocalPort(number), WHOLE, ALL, 0);
        }
        for cycle in 0..CYCLES {
            let words = (operand.address(cycle).into(), operand.width.words().into());
            self.read(grf(operand.bank), words, ALL, cycle as u32);
        }
    }

    /// Reads the upper `longs` long words of the T register.
    fn t(&mut self, longs: u32) {
        for cycle in 0..CYCLES as u32 {
            self.read(Resource::T, (2 * cycle, longs), ALL, cycle);
        }
    }

    fn l2bm(&mut self, op: &L2bmOp, l2: u32, l1: u32) {
        let source = match rates::direction(op.kind) {
            Direction::Down => return self.read(Resource::L2bmPort, WHOLE, ALL, 0),
            Direction::Up => l1,
            Direction::Across => l2,
        };
        let readers = rates::readers(op);
        self.read(Resource::L1bmPort, WHOLE, readers, 0);
        for cycle in 0..CYCLES as u32 {
            let words = rates::l2bm_run_in_l1bm(op, source, cycle);
            self.read(Resource::L1bmForL2, words, readers, cycle);
        }
    }

    /// Reads words of a resource in a cycle of the step.
    fn read(&mut self, resource: Resource, words: (u32, u32), l1bs: u8, cycle: u32) {
        let when = self.timed.now + u64::from(cycle);
        for pending in &self.timed.pending {
            let late = pending.readable > when && pending.l1bs & l1bs != 0;
            if !late
                || pending.resource != resource
                || !overlap(size(resource), pending.words, words)
            {
                continue;
            }
            let cycles = pending.readable - when;
            if self.worst.is_none_or(|worst| worst.cycles < cycles) {
                self.worst = Some(LatencyViolation {
                    resource,
                    address: pending.words.0 % size(resource),
                    place: pending.place,
                    line: pending.line,
                    cycles,
                    section: pending.section,
                });
            }
        }
    }
}

/// The writes of a step.
struct Writes<'a> {
    timed: &'a mut TimingChecker,
    line: u32,
}

impl Writes<'_> {
    /// Records words of a resource that can be read `cycles` cycles after the first cycle of the
    /// step.
    fn record(
        &mut self,
        resource: Resource,
        words: (u32, u32),
        place: WriteLocation,
        cycles: u64,
        section: &'static str,
    ) {
        let l1bs = match place {
            WriteLocation::L1bs(set) => set & self.timed.l1bs,
            _ => ALL,
        };
        if l1bs != 0 {
            self.timed.pending.push(Pending {
                resource,
                words,
                l1bs,
                place,
                readable: self.timed.now + cycles,
                line: self.line,
                section,
            });
        }
    }

    /// Records a write to a PE operand (section 3.6.3.9).
    fn output(&mut self, output: &Output, blocks: &CopyOnWrite<Block>) {
        let written = masks::written(output.mask, blocks);
        match &output.target {
            Target::Memory(operand) => match local(operand.bank) {
                Some(number) => self.local(number, operand.width, &written),
                None => self.grf(operand, &written),
            },
            Target::T => {
                for (cycle, halves) in written.iter().enumerate() {
                    for (long, halves) in halves.chunks(HALVES / 2).enumerate() {
                        if let Some(place) = halves.iter().flatten().next() {
                            let address = (2 * cycle + long) as u32;
                            self.record_word(Resource::T, address, cycle, *place);
                        }
                    }
                }
            }
            Target::Base(bank, width) => {
                let Some(number) = local(*bank) else { return };
                // The low 12 bits of the first word of the access (3.6.1.7).
                let half = if *width == Width::Single { 1 } else { 3 };
                for (cycle, halves) in written.iter().enumerate() {
                    if let Some(place) = halves[half] {
                        self.record_word(Resource::Base(number), 0, cycle, place);
                    }
                }
            }
            Target::MaskRegister(_) | Target::Nowrite => {}
        }
    }

    /// Records the write of one word of a PE memory in a cycle.
    fn record_word(
        &mut self,
        resource: Resource,
        address: u32,
        cycle: usize,
        place: WriteLocation,
    ) {
        let cycles = cycle as u64 + latency::PE_CYCLES;
        self.record(resource, (address, 1), place, cycles, "3.6.3.9");
    }

    fn local(&mut self, number: u8, width: Width, written: &Written) {
        let halves = 2 * usize::from(width.words());
        let mut places = written.iter().flat_map(|cycle| &cycle[..halves]);
        if let Some(place) = places.find_map(|place| *place) {
            let cycles = latency::LOCAL_STEPS * STEP;
            self.record(Resource::LocalPort(number), WHOLE, place, cycles, "3.6.3.9");
        }
    }

    fn grf(&mut self, operand: &MemoryOperand, written: &Written) {
        for (cycle, halves) in written.iter().enumerate() {
            for word in 0..operand.width.words() {
                let half = 2 * usize::from(word);
                if let Some(place) = halves[half].or(halves[half + 1]) {
                    let address = operand.address(cycle) + word;
                    self.record_word(grf(operand.bank), address.into(), cycle, place);
                }
            }
        }
    }

    /// Records a transfer from PEs to L1BM.
    fn l1bm_from_pes(&mut self, op: &tessera_isa_mncore::table::L1bmOp, address: u32) {
        let place = WriteLocation::L1bs(ALL);
        let taken = latency::PE_TO_PE_STEPS * STEP;
        self.record(Resource::L1bmPePort, WHOLE, place, taken, "3.6.3.8");
        for cycle in 0..CYCLES as u32 {
            for words in rates::l1bm_runs(op, address, cycle) {
                let cycles = u64::from(cycle) + latency::PE_TO_UP_CYCLES;
                self.record(Resource::L1bmForL2, words, place, cycles, "3.6.3.7");
            }
        }
    }

    /// Records a transfer between L2BM and L1BM, or a multicast.
    fn l2bm(&mut self, op: &L2bmOp, l2: u32, l1: u32) {
        let (port_steps, port_section, cycles, section) = match rates::direction(op.kind) {
            Direction::Up => {
                let words = (l2, rates::written_to_l2bm(op) as u32);
                let (place, steps) = (WriteLocation::EveryL2b, latency::L2BM_TO_MV_STEPS);
                self.record(Resource::L2bmForMv, words, place, steps * STEP, "3.6.3.1");
                let steps = latency::UP_TO_DOWN_STEPS;
                return self.record(Resource::L2bmPort, WHOLE, place, steps * STEP, "3.6.3.2");
            }
            Direction::Down => (
                latency::DOWN_TO_UP_STEPS,
                "3.6.3.3",
                latency::DOWN_TO_PE_CYCLES,
                "3.6.3.6",
            ),
            Direction::Across => (
                latency::MULTICAST_TO_UP_STEPS,
                "3.6.3.4",
                latency::MULTICAST_TO_PE_CYCLES,
                "3.6.3.5",
            ),
        };
        let place = WriteLocation::L1bs(rates::receivers(op));
        let taken = port_steps * STEP;
        self.record(Resource::L1bmPort, WHOLE, place, taken, port_section);
        for cycle in 0..CYCLES as u32 {
            let words = rates::l2bm_run_in_l1bm(op, l1, cycle);
            let cycles = u64::from(cycle) + cycles;
            self.record(Resource::L1bmForPe, words, place, cycles, section);
        }
    }
}

/// Returns the index of a local memory.
fn local(bank: Bank) -> Option<u8> {
    match bank {
        Bank::Lm0 => Some(0),
        Bank::Lm1 => Some(1),
        Bank::Grf0 | Bank::Grf1 => None,
    }
}

/// Returns the resource of a register file.
fn grf(bank: Bank) -> Resource {
    Resource::Grf(u8::from(bank == Bank::Grf1))
}

/// Returns the number of addresses of a resource.
fn size(resource: Resource) -> u32 {
    match resource {
        Resource::Grf(_) => Bank::Grf0.words().into(),
        Resource::T => 2 * CYCLES as u32,
        Resource::L1bmForPe | Resource::L1bmForL2 => L1BM_WORDS as u32,
        Resource::L2bmForMv => L2BM_WORDS as u32,
        _ => 1,
    }
}

/// Returns whether two ranges overlap in a memory that wraps around.
fn overlap(size: u32, one: (u32, u32), other: (u32, u32)) -> bool {
    let ahead = |from: u32, to: u32| (to + size - from % size) % size;
    let inside = |start: (u32, u32), at: (u32, u32)| ahead(start.0, at.0) < start.1;
    one.1 > 0 && other.1 > 0 && (inside(one, other) || inside(other, one))
}
