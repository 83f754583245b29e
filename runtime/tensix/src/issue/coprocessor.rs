//! The coprocessor of one core: three front ends, the units, and the instructions in flight.
//!
//! Either the traces of a list program ([`crate::machine`]) or RISC-V cores ([`crate::tile`]) push
//! words into the front ends. Front ends and units then advance in any order.
//!
//! Checked: the hazards of [`crate::issue::flight`] and of [`issue_history`]. A kernel must leave
//! banks, semaphores, mutexes, expanders and unpacker 0 in their initial states
//! ([`Coprocessor::left_over`]).

mod batch;
mod incrwc_batch;
mod issue_history;
mod mvmul_batch;
mod nop_batch;
mod vector_batch;

use issue_history::IssueHistory;
use tessera_isa_tensix::{cfg, Arch, Instruction, Opcode, Unit};

use crate::insn;
use crate::insn::mover::{Mover, Transfer};
use crate::insn::traits::{ThreadEffect, WaitsFor, WaitsInside};
use crate::insn::vector::{self, VectorUnit};
use crate::issue::decoded_words::Decoded;
use crate::issue::flight::{Effects, InFlight, TDMA};
use crate::issue::frontend::Frontend;
use crate::issue::gate::{
    flush_keeps_waiting, flush_waits_for_requests, missing_bank, missing_return, HoldReason,
};
use crate::issue::stalls::{Cause, StallTracker};
use crate::issue::stats::Stats;
use crate::issue::timeline::Timeline;
use crate::state::access::WordSet;
use crate::state::changes::{Changes, Counts};
use crate::state::check_policy::CheckPolicy;
use crate::state::core_state::{CoreState, Slot};
use crate::state::gpr::Gprs;
use crate::state::latch::Latch;
use crate::state::request::Sent;
use crate::state::sync::Sync;
use crate::state::units::{MOVER, PACKERS, VECTOR};
use crate::state::vector::Vector;
use crate::trap::{Fault, Source, Trap, TrapLocation};

/// Whether an agent advanced.
pub(crate) type Advanced = bool;

/// The state of a coprocessor and of the core that it works on.
#[derive(Clone)]
pub(crate) struct Coprocessor {
    pub(crate) core: CoreState,
    pub(crate) sync: Sync,
    pub(crate) flights: InFlight,
    pub(crate) frontends: [Frontend; 3],
    previous: [IssueHistory; 3],
    /// Configuration words stored by each thread's RISC-V core without a STALLWAIT for them since.
    pub(crate) unguarded: [WordSet; 3],
    /// Whether each thread's RISC-V core has stores to GPRs or configuration in flight.
    pub(crate) storing: [bool; 3],
    /// Configuration words written by each thread's STREAMWRCFGs without a wait for them since.
    streamed: [WordSet; 3],
    /// The threads with such words, one bit each.
    streaming: u8,
    /// The thread whose instruction occupies the scalar unit while it waits for its operands.
    scalar: Option<usize>,
    /// The number of completed waits by STALLWAIT, SEMWAIT or STREAMWAIT.
    ended_waits: u64,
    /// The semaphores' change counter when waits were last evaluated. It is `u64::MAX` if a wait
    /// has begun since.
    synced: u64,
    /// What has stalled each thread's instruction at the gate.
    stall_trackers: [StallTracker; 3],
    pub(crate) stats: Stats,
    /// The recorded time line, if requested.
    pub(crate) timeline: Option<Timeline>,
}

impl Coprocessor {
    /// Creates a coprocessor after reset, whose L1 is unwritten.
    pub(crate) fn new(arch: Arch) -> Self {
        Self::with_check_policy(arch, CheckPolicy::Strict)
    }

    /// Creates a coprocessor after reset.
    pub(crate) fn with_check_policy(arch: Arch, check_policy: CheckPolicy) -> Self {
        let mut core = CoreState::new(arch);
        core.check_policy = check_policy;
        match check_policy {
            CheckPolicy::Strict => core.l1.reserve(),
            CheckPolicy::Vendor => {
                core.l1.fill_with_zeros();
                core.gprs = [Gprs::zeroed(); 3];
                core.regs.vector = Vector::after_reset(core.arch);
            }
        }
        Coprocessor {
            core,
            sync: Sync::new(arch),
            flights: match check_policy {
                CheckPolicy::Strict => InFlight::default(),
                CheckPolicy::Vendor => InFlight::allowing_races(),
            },
            frontends: std::array::from_fn(|thread| Frontend::new(arch, thread)),
            previous: Default::default(),
            unguarded: Default::default(),
            storing: [false; 3],
            streamed: Default::default(),
            streaming: 0,
            scalar: None,
            ended_waits: 0,
            synced: u64::MAX,
            stall_trackers: Default::default(),
            stats: Stats::default(),
            timeline: None,
        }
    }

    /// Returns whether a thread has nothing queued, expanding or in flight. If so, its loads count
    /// as waited for.
    pub(crate) fn idle(&mut self, thread: usize) -> bool {
        let idle = self.frontends[thread].is_empty() && !self.flights.is_busy(u32::MAX, thread);
        if idle {
            self.core.gprs[thread].end_loads();
        }
        idle
    }

    /// Retires the oldest instruction of a unit, if there is one. Returns its thread and its
    /// request to the tile. The vector unit keeps its last instruction while it has scheduled work
    /// left and a thread can issue more to it.
    pub(crate) fn finish(
        &mut self,
        unit: usize,
    ) -> Result<Option<(usize, Option<Box<Sent>>)>, Trap> {
        if unit == VECTOR
            && self.flights.count(unit) == 1
            && self.core.regs.vector.has_pending_work()
        {
            if (0..3).any(|thread| self.can_issue(thread)) {
                return Ok(None);
            }
            self.settle_vector()?;
        }
        let finished = self.flights.retire_oldest(unit);
        if let Some(timeline) = self.timeline.as_mut().filter(|_| finished.is_some()) {
            timeline.left(|unit| self.flights.count(unit));
        }
        Ok(finished)
    }

    /// Lets the vector unit do its scheduled work, without counting instructions.
    fn settle_vector(&mut self) -> Result<(), Trap> {
        let thread = self.core.regs.vector.last_thread();
        self.core.access.clear();
        vector::settle(&mut VectorUnit::of(&mut self.core)).map_err(|fault| Trap {
            source: Some(Source::of_thread(thread)),
            place: None,
            instruction: None,
            reason: fault.into(),
        })
    }

    /// Returns whether a thread has an instruction that is not held at the gate.
    fn can_issue(&self, thread: usize) -> bool {
        let frontend = &self.frontends[thread];
        match frontend.gate() {
            Some(at) => self.held(thread, at).is_none(),
            None => !frontend.is_empty(),
        }
    }

    /// Retires the oldest instruction of each full unit of a mask.
    fn make_room(&mut self, units: u32) {
        self.flights.make_room(units);
        if let Some(timeline) = &mut self.timeline {
            timeline.left(|unit| self.flights.count(unit));
        }
    }

    /// Starts a transfer of TDMA-RISC on the mover; returns false if the mover is full.
    pub(crate) fn start_mover(&mut self, transfer: &Transfer) -> Result<Advanced, Fault> {
        if !self.flights.has_room(1 << MOVER) {
            return Ok(false);
        }
        self.core.access.clear();
        let request = transfer.run(&mut Mover::of(&mut self.core))?;
        let (l1_read, l1_write) = self.core.l1.recorded();
        let added = self.flights.add(Effects {
            thread: TDMA,
            opcode: Opcode::Xmov,
            issued: 0,
            units: 1 << MOVER,
            behind_requests: false,
            access: &self.core.access,
            config: &WordSet::default(),
            l1_read,
            l1_write,
            request: request.map(|request| {
                Box::new(Sent {
                    request,
                    origin: None,
                })
            }),
        });
        self.core.l1.clear_recorded();
        added?;
        self.note_issued(TDMA, 1 << MOVER, None);
        Ok(true)
    }

    #[inline]
    fn note_issued(&mut self, thread: usize, units: u32, instruction: Option<Instruction>) {
        if let Some(timeline) = &mut self.timeline {
            timeline.issued(thread, units, instruction);
            // Some units retire older instructions when a new one arrives.
            timeline.left(|unit| self.flights.count(unit));
        }
    }

    /// Ends the waits whose conditions hold now. Must be called after every change.
    #[inline]
    pub(crate) fn forget_satisfied_waits(&mut self) {
        let synced = self.sync.changes();
        let is_seen = std::mem::replace(&mut self.synced, synced) == synced;
        for thread in 0..3 {
            let Some(latch) = &self.frontends[thread].latch else {
                continue;
            };
            // Most waits are for semaphores, which seldom change.
            if is_seen && latch.waits_for_semaphores() {
                continue;
            }
            let keeps_waiting = latch.keeps_waiting(thread, &self.flights, &self.core, &self.sync);
            if !(keeps_waiting || latch.waits_for_stores() && self.storing[thread]) {
                self.end_wait(thread, *latch);
            }
        }
    }

    /// Ends the wait of a thread, which afterwards may rely on its condition.
    #[cold]
    fn end_wait(&mut self, thread: usize, latch: Latch) {
        self.frontends[thread].latch = None;
        self.ended_waits += 1;
        if latch.waits_for_matrix_unit() {
            self.previous[thread].matrix = Default::default();
        }
        if latch.waits_for_stores() {
            self.unguarded[thread] = WordSet::default();
        }
        if latch.waits_for_config_unit() {
            self.streamed[thread] = WordSet::default();
            self.streaming &= !(1 << thread);
        }
        if latch.waits_for_requests() {
            self.core.gprs[thread].end_loads();
        }
    }

    /// Returns the change counters, except those of NoCs and `OTHER`.
    pub(crate) fn changes(&self) -> Counts {
        let [pushes, moves, rooms] = (self.frontends.iter())
            .map(Frontend::changes)
            .fold([0; 3], |sums, more| [0, 1, 2].map(|k| sums[k] + more[k]));
        let (core, flights) = (&self.core, self.flights.changes());
        [
            core.l1.changes(),
            flights,
            moves,
            pushes,
            self.sync.changes(),
            core.banks.changes(),
            self.ended_waits,
            rooms,
            0,
            0,
        ]
    }

    /// Returns the changes that may unblock a front end.
    pub(crate) fn waits_for(&self, thread: usize) -> Changes {
        // Even if the gate is held, pushed words move up to it.
        let at = self.frontends[thread].gate();
        at.map_or(Changes::PUSHES, |at| match self.held(thread, at) {
            Some(held) => Changes::PUSHES.or(held.waits_for()),
            None => Changes::ANY,
        })
    }

    /// Takes the statistics of a run that has ended.
    pub(crate) fn take_stats(&mut self) -> Stats {
        self.stats
            .set_mop_ends([0, 1, 2].map(|thread: usize| self.frontends[thread].mop_ends));
        std::mem::take(&mut self.stats)
    }

    /// Checks the access to L1 that an agent outside the units has just made.
    pub(crate) fn check_l1(&mut self) -> Result<(), Fault> {
        let (read, write) = self.core.l1.recorded();
        let checked = self.flights.check_l1(read, write, 0);
        self.core.l1.clear_recorded();
        checked
    }

    /// Issues instructions of a thread, with at most `steps` steps. Returns the steps done, and
    /// whether the thread could advance in the last one.
    pub(crate) fn issue(&mut self, thread: usize, steps: u32) -> Result<(u32, bool), Trap> {
        let issued = self.issue_steps(thread, steps);
        if issued.is_err() {
            self.settle(thread)?;
        }
        issued
    }

    fn issue_steps(&mut self, thread: usize, steps: u32) -> Result<(u32, bool), Trap> {
        let mut done = 0;
        while done < steps {
            let mut moved = self.advance_to_gate(thread, steps - done)?;
            if self.can_start_nop_batch(thread) {
                (done, moved) = self.issue_nop_batch(thread, [done, steps])?;
                if done == steps {
                    break;
                }
            }
            if self.can_start_vector_batch(thread) {
                (done, moved) = self.issue_vector_batch(thread, [done, steps])?;
                if done == steps {
                    break;
                }
            }
            if self.can_start_incrwc_batch(thread) {
                (done, moved) = self.issue_incrwc_batch(thread, [done, steps])?;
                if done == steps {
                    break;
                }
            }
            if self.can_start_mvmul_batch(thread) {
                (done, moved) = self.issue_mvmul_batch(thread, [done, steps], moved)?;
                if done == steps {
                    break;
                }
            }
            if !self.issue_filled(thread, moved)? {
                return Ok((done, false));
            }
            done += 1;
            self.forget_satisfied_waits();
        }
        Ok((done, true))
    }

    /// Moves words of a thread towards the gate; returns whether one has moved. At most `left`
    /// further steps follow before somebody may look where words are. Before the last one, all
    /// words have moved as far as possible.
    #[inline(always)] // Most words take the short way.
    fn advance_to_gate(&mut self, thread: usize, left: u32) -> Result<Advanced, Trap> {
        let frontend = &mut self.frontends[thread];
        if left > 1 && frontend.allows_fetching() && self.timeline.is_none() {
            return Ok(frontend.fetch());
        }
        self.advance_by_steps(thread)
    }

    /// Does the same for words that move step by step.
    #[inline(never)]
    fn advance_by_steps(&mut self, thread: usize) -> Result<Advanced, Trap> {
        match self.frontends[thread].advance_plain() {
            Some(moved) => Ok(moved),
            None => self.advance_any(thread),
        }
    }

    /// Does the same in any state of the front end.
    #[inline(never)]
    fn advance_any(&mut self, thread: usize) -> Result<Advanced, Trap> {
        let frontend = &mut self.frontends[thread];
        frontend.advance_to_gate().map_err(|reason| Trap {
            source: Some(Source::of_thread(thread)),
            place: Some(TrapLocation::Entry(frontend.entry())),
            instruction: None,
            reason,
        })
    }

    /// Moves the words that were left behind when others went directly to the gate; returns whether
    /// one has moved.
    fn settle(&mut self, thread: usize) -> Result<Advanced, Trap> {
        match self.frontends[thread].allows_fetching() {
            true => self.advance_any(thread),
            false => Ok(false),
        }
    }

    /// Issues the instruction at the gate, if there is one and it may pass. Returns whether it, or
    /// a word before it (`moved`), has advanced.
    fn issue_filled(&mut self, thread: usize, moved: bool) -> Result<Advanced, Trap> {
        let Some(at) = self.frontends[thread].gate() else {
            return Ok(moved);
        };
        let held = self.held(thread, at);
        let at = *at;
        match held {
            // The oldest instruction leaves the unit when the new one arrives.
            Some(HoldReason::Unit) if self.flights.can_make_room(at.units) => {
                self.make_room(at.units)
            }
            Some(held) => {
                let latch = self.frontends[thread].latch.as_ref();
                self.note_stall(thread, held.cause(latch));
                return Ok(self.settle(thread)? || moved);
            }
            None => {}
        }
        if at.unit == Unit::Scalar {
            let took = self.occupy_scalar(thread, &at);
            let keeps = self.keeps_scalar(thread, &at);
            if keeps.map_err(|fault| self.trap_at(thread, fault))? {
                self.note_stall(thread, Cause::Operands);
                return Ok(self.settle(thread)? || moved || took);
            }
            self.scalar = self.scalar.filter(|&holder| holder != thread);
        }
        self.execute(thread, &at)
            .map_err(|fault| self.trap_at(thread, fault))?;
        Ok(true)
    }

    /// Makes the trap of an instruction at a thread's gate.
    #[cold]
    fn trap_at(&self, thread: usize, fault: Fault) -> Trap {
        let at = self.frontends[thread].gate_with_entry();
        Trap {
            source: Some(Source::of_thread(thread)),
            place: at.map(|(_, entry)| TrapLocation::Entry(entry)),
            instruction: at.map(|(at, _)| (at.instruction, self.core.arch)),
            reason: fault.into(),
        }
    }

    /// Records what stalls the instruction at a thread's gate.
    #[cold]
    fn note_stall(&mut self, thread: usize, cause: Cause) {
        if self.stall_trackers[thread].note(self.frontends[thread].issued, cause) {
            self.stats.note_stall(thread, cause);
        }
    }

    /// Lets an instruction that waits inside the scalar unit occupy it; returns whether it did not
    /// before.
    fn occupy_scalar(&mut self, thread: usize, at: &Decoded) -> bool {
        at.traits.waits_inside_its_unit() && self.scalar.replace(thread) != Some(thread)
    }

    /// Returns whether the instruction keeps waiting inside the scalar unit.
    fn keeps_scalar(&mut self, thread: usize, at: &Decoded) -> Result<bool, Fault> {
        match at.traits.waits_inside {
            WaitsInside::Nothing => Ok(false),
            WaitsInside::ForUnits(mask) => {
                let mask = mask(&at.instruction);
                Ok(flush_keeps_waiting(mask, thread, &self.flights))
            }
            WaitsInside::ForMemory(is_ready) => {
                let core = &mut self.core;
                let gprs = &core.gprs[thread];
                Ok(!is_ready(&at.instruction, gprs, &mut core.l1, &core.banks)?)
            }
        }
    }

    /// Returns why the instruction cannot pass the gate now.
    fn held(&self, thread: usize, at: &Decoded) -> Option<HoldReason> {
        if self.frontends[thread]
            .latch
            .is_some_and(|latch| latch.blocks(at.traits))
        {
            return Some(HoldReason::Latch);
        }
        let by_unit = self.held_by_unit(thread, at);
        by_unit.or_else(|| (!self.flights.has_room(at.units)).then_some(HoldReason::Unit))
    }

    /// Returns what its unit lets an instruction wait for, besides room.
    #[inline]
    fn held_by_unit(&self, thread: usize, at: &Decoded) -> Option<HoldReason> {
        let instruction = &at.instruction;
        match at.traits.waits_for {
            WaitsFor::Nothing => None,
            WaitsFor::Banks(needed) => missing_bank(needed, &self.core.banks).map(HoldReason::Bank),
            WaitsFor::UnpackerBank(missing) => {
                missing(instruction, &self.core.banks).map(HoldReason::Bank)
            }
            WaitsFor::HandBack(mask) => self.held_by_return(thread, mask(instruction)),
            WaitsFor::ScalarUnit => {
                let other = self.scalar.filter(|&holder| holder != thread);
                other.map(HoldReason::Scalar)
            }
            WaitsFor::IdlePackers => {
                let is_busy = self.flights.is_any_busy(PACKERS);
                is_busy.then_some(HoldReason::Packers)
            }
            WaitsFor::FreeMutex(index) => {
                let index = index(instruction);
                (!self.sync.mutex_free(index, thread)).then_some(HoldReason::Mutex(index))
            }
            WaitsFor::Mutex(index) => {
                let index = index(instruction);
                (!self.sync.has_mutex(index)).then_some(HoldReason::NoMutex(index))
            }
        }
    }

    /// Returns the bank return that a SETRWC of the banks in `mask` waits for.
    fn held_by_return(&self, thread: usize, mask: u32) -> Option<HoldReason> {
        if self.core.check_policy == CheckPolicy::Strict {
            return None;
        }
        let disabled = |field| self.core.config.thread(thread, field) != 0;
        missing_return(mask, &self.core.banks, disabled).map(HoldReason::Return)
    }

    fn execute(&mut self, thread: usize, at: &Decoded) -> Result<(), Fault> {
        let instruction = &at.instruction;
        let frontend = &self.frontends[thread];
        let entry = frontend.gate_with_entry().map_or(0, |(_, entry)| entry);
        self.core.access.clear();
        self.core.config.forget_reads();
        self.core.request = None;
        self.core.slot = Slot {
            issued: frontend.issued,
            entry,
        };
        let whose = (instruction, at.unit);
        insn::execute(whose, thread, &mut self.core, &mut self.sync)?;
        let config = match self.configuration_matters(thread, at.units) {
            true => self.core.config.take_reads(),
            false => WordSet::default(),
        };
        self.check_issue_history(thread, at, &config)?;
        self.check_guarded(thread, at.units, &config)?;
        self.check_unowned_bank(at)?;
        self.check_streamed(thread, at, &config)?;
        let unpacker = match instruction {
            Instruction::Unpacr(i) => Some(i.unpack_block_selection as usize),
            _ => None,
        };
        let (l1_read, l1_write) = self.core.l1.recorded();
        self.stats
            .note_moved(unpacker, l1_read.bytes(), l1_write.bytes());
        let added = self.flights.add(Effects {
            thread,
            opcode: at.opcode,
            issued: self.core.slot.issued,
            units: at.units,
            behind_requests: at.unit == Unit::Scalar,
            access: &self.core.access,
            config: &config,
            l1_read,
            l1_write,
            request: self.core.request.take().map(|request| {
                let origin = Some((*instruction, entry));
                Box::new(Sent { request, origin })
            }),
        });
        self.core.l1.clear_recorded();
        added?;
        self.act_on_thread(thread, at);
        self.frontends[thread].pop_gate();
        self.stats.note(thread, at.opcode, at.word);
        self.note_issued(thread, at.units, Some(*instruction));
        Ok(())
    }

    /// Applies the effects of an executed instruction on threads rather than units: waits, the
    /// transfer of mutexes, and the front end's view of the configuration.
    fn act_on_thread(&mut self, thread: usize, at: &Decoded) {
        match at.traits.on_thread {
            ThreadEffect::Nothing => {}
            ThreadEffect::Configures => {
                let field = cfg::TENSIX_TRISC_SYNC_EnSubdividedCfgForUnpacr;
                let subdivided = self.core.config.thread(thread, field) != 0;
                self.frontends[thread].tracker.subdivided = subdivided;
            }
            ThreadEffect::EndsLoads(mask) => {
                if flush_waits_for_requests(mask(&at.instruction)) {
                    self.core.gprs[thread].end_loads();
                }
            }
            ThreadEffect::ReleasesMutex(index) => {
                let index = index(&at.instruction);
                let others = [1, 2].map(|step| (thread + step) % 3);
                if others.map(|other| self.waits_for_mutex(other, index)) == [true; 2] {
                    self.sync.pass_mutex_on(index, thread);
                }
            }
            ThreadEffect::Latches(latch) => {
                let latch = latch(&at.instruction, &self.core.config, thread);
                let frontend = &mut self.frontends[thread];
                frontend.latch = latch.or(frontend.latch);
                self.synced = u64::MAX;
            }
        }
    }

    /// Returns whether the configuration that an instruction uses has to be recorded. If not, no
    /// change of it is pending.
    fn configuration_matters(&self, thread: usize, units: u32) -> bool {
        let changes = self.streaming != 0 || !self.previous[thread].config.is_empty();
        self.core.check_policy == CheckPolicy::Strict
            && (changes || self.flights.configuration_matters(units))
    }

    /// Returns whether a mutex is the only thing that a thread's instruction waits for.
    fn waits_for_mutex(&self, thread: usize, index: u32) -> bool {
        let frontend = &self.frontends[thread];
        frontend.gate().is_some_and(|at| {
            matches!(&at.instruction, Instruction::Atgetm(i) if i.mutex_index == index)
                && !frontend.latch.is_some_and(|latch| latch.blocks(at.traits))
        })
    }

    /// Lists the state that a kernel must not leave behind.
    pub(crate) fn left_over(&self) -> Vec<String> {
        let mut left: Vec<String> = self
            .core
            .banks
            .left_over()
            .chain(self.sync.left_over())
            .collect();
        for (thread, frontend) in self.frontends.iter().enumerate() {
            if frontend.is_recording() {
                left.push(format!("thread {thread} still records a REPLAY"));
            }
            if frontend.latch.is_some() {
                left.push(format!(
                    "thread {thread} still waits by a STALLWAIT, SEMWAIT or STREAMWAIT"
                ));
            }
        }
        if self.core.regs.vector.waiting() != 0 {
            left.push(
                "the vector unit still has to execute what SFPLOADMACRO has scheduled after \
                 instructions that do not come; issue SFPNOPs"
                    .to_owned(),
            );
        }
        // Otherwise the hardware keeps Dst as the destination (tt-llk, issue TEN-3868, pull request
        // 806).
        if self.core.unpacked_to_dst {
            left.push(
                "the last UNPACR of unpacker 0 went to Dst; one to SrcA must follow".to_owned(),
            );
        }
        left
    }

    /// Returns the instruction at a thread's gate, its origin, and what it waits for.
    pub(crate) fn waiting(&self, thread: usize) -> Option<(Instruction, usize, String)> {
        let (at, entry) = self.frontends[thread].gate_with_entry()?;
        let why = match self.held(thread, at) {
            Some(held) => held.to_string(),
            None if at.traits.waits_inside_its_unit() => {
                "the memory that its operands name".to_owned()
            }
            None => String::new(),
        };
        Some((at.instruction, entry, why))
    }
}
