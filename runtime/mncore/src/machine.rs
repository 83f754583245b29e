//! The machine: executes a program statement by statement.
//!
//! Each step completes before the next statement starts, as in the vendor's emulator (manual,
//! section 3.4.3). MV instructions also complete at once; [`crate::race`] tracks their tags and
//! detects races with them. Consecutive steps that stay inside the L2B are executed as a batch
//! ([`crate::batch`]), with most of the MV instructions between them. The timed model additionally
//! checks the latencies of each step ([`crate::timed`]).
//!
//! After a trap, memories contain the effects of the preceding statements, except that other blocks
//! and L2BM may be a few steps ahead.

mod places;

use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::Arc;

use tessera_isa_mncore::ast::{Host, Op, Program, Statement, StatementKind, Step, Transfer};
use tessera_isa_mncore::diagnostic::Span;

use crate::batch::{self, Item, Workers};
use crate::block::Block;
use crate::board::Board;
use crate::copy_on_write::CopyOnWrite;
use crate::decoded::{DecodedProgram, Prepared};
use crate::footprint::{Footprint, Memory, Region};
use crate::geometry::Geometry;
use crate::l2bm::L2bmTransfer;
use crate::place::Place;
use crate::race::{InFlight, RacePolicy};
use crate::step::{DecodedStep, RegisterUses, FORWARDS};
use crate::timed::TimingChecker;
use crate::transfer::{StagedTransfers, StagingPlan};
use crate::trap::{check_continue, check_exists, Reason, Trap};
use crate::undetermined::{Undetermined, UndeterminedPolicy, UndeterminedSet};
use crate::{board, debug, l2bm, reference, transfer};

/// The execution model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Model {
    /// Each step completes before the next one starts.
    #[default]
    Fast,
    /// As [`Model::Fast`], but a read of data that would not have arrived yet traps; see
    /// [`crate::timed`].
    Timed,
    /// The manual's pseudo-code, transcribed literally. It is slow and serves as the reference for
    /// the other models; see [`crate::reference`].
    Reference,
}

/// The configuration of a machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// The number of groups, blocks and MABs.
    pub geometry: Geometry,
    /// The execution model.
    pub model: Model,
    /// Whether DRAM that was never written reads as zero.
    pub zero_dram: bool,
    /// The reaction to races.
    pub races: RacePolicy,
    /// The reaction to results that the manual does not determine.
    pub undetermined: UndeterminedPolicy,
    /// The maximum number of steps.
    pub limit_steps: Option<u64>,
    /// The number of threads that execute L1 blocks; `None` uses all cores.
    pub threads: Option<NonZero<usize>>,
}

/// An event reported by a running program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event<'a> {
    /// A line printed by `d get`.
    Dump(&'a str),
    /// A long word that an `e` statement sends to the host, with its PDM address.
    ToHost(u32, u64),
    /// A race, if races do not stop the machine.
    Race(Span, &'a Reason),
}

/// A callback for events; it can stop the execution.
pub type EventHandler<'a> = dyn FnMut(Event) -> ControlFlow<()> + 'a;

/// A machine with all its memories and registers.
#[derive(Clone, Debug)]
pub struct Machine {
    /// PDM, DRAM, DRAM address registers and L2BM.
    pub board: Board,
    /// The L1 blocks, ordered by group, then L2B.
    pub blocks: CopyOnWrite<Block>,
    options: Options,
    in_flight: InFlight,
    /// The latency checker of the timed model.
    timed: Option<TimingChecker>,
    workers: Workers,
    /// Statements that wait for their execution.
    batch: Vec<Item>,
    /// The transfers of these statements.
    staged: StagedTransfers,
    /// The units that produced a result in the last step that forwards.
    forwarded: [bool; 4],
    /// Whether the last step that used the turn-around register only read it, so that its content
    /// is undefined.
    turnaround_spent: bool,
    marks: UndeterminedSet,
    steps: u64,
}

/// Returns the latency checker if the model is the timed one.
fn timing_checker(options: &Options) -> Option<TimingChecker> {
    (options.model == Model::Timed).then(|| TimingChecker::new(&options.geometry))
}

impl Machine {
    /// Creates a machine with zeroed on-chip memories.
    pub fn new(options: Options) -> Self {
        let geometry = options.geometry;
        let mut blocks: CopyOnWrite<_> = (0..geometry.block_count())
            .map(|index| Block::new(&geometry, geometry.block_id(index)))
            .collect();
        blocks.clear();
        Machine {
            board: Board::new(&geometry, options.zero_dram),
            blocks,
            options,
            in_flight: InFlight::new(options.races),
            timed: timing_checker(&options),
            workers: Workers::new(options.threads, &geometry),
            batch: Vec::new(),
            staged: StagedTransfers::new(&geometry),
            forwarded: [false; 4],
            turnaround_spent: false,
            marks: UndeterminedSet::NONE,
            steps: 0,
        }
    }

    /// Returns the machine to the state after [`Machine::new`], without new allocations. The time
    /// is proportional to the memory that was written.
    pub fn reset(&mut self) {
        self.board.clear();
        self.batch.clear();
        self.staged
            .finish(0, &mut self.board, &self.options.geometry);
        self.blocks.clear();
        self.in_flight = InFlight::new(self.options.races);
        self.timed = timing_checker(&self.options);
        self.forwarded = [false; 4];
        self.turnaround_spent = false;
        self.marks = UndeterminedSet::NONE;
        self.steps = 0;
    }

    /// Returns the geometry.
    pub fn geometry(&self) -> &Geometry {
        &self.options.geometry
    }

    /// Marks a tag as completed by the host, so that a `wait` for it succeeds.
    pub fn arm(&mut self, tag: u8) {
        self.in_flight.arm(tag);
    }

    /// Returns the undetermined points on which the results so far depend.
    pub fn undetermined_points(&self) -> UndeterminedSet {
        self.marks
    }

    /// Returns the number of executed steps.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Executes a program on the current state. `handler` receives dumps, host transfers and races
    /// in order.
    pub fn run(&mut self, program: &Program, handler: &mut dyn FnMut(Event)) -> Result<(), Trap> {
        self.run_while(program, &mut |event| {
            handler(event);
            ControlFlow::Continue(())
        })
    }

    /// As [`Machine::run`], but stops at the statement whose event `handler` answers with `Break`.
    pub fn run_while(&mut self, program: &Program, handler: &mut EventHandler) -> Result<(), Trap> {
        for statement in &program.statements {
            self.add_statement(statement, &Prepared::Nothing, handler)?;
        }
        self.flush()
    }

    /// As [`Machine::run`], for a decoded program.
    pub fn run_decoded(
        &mut self,
        decoded: &DecodedProgram,
        handler: &mut dyn FnMut(Event),
    ) -> Result<(), Trap> {
        let handler = &mut |event: Event| {
            handler(event);
            ControlFlow::Continue(())
        };
        for (statement, prepared) in decoded.statements(&self.options.geometry) {
            self.add_statement(statement, prepared, handler)?;
        }
        self.flush()
    }

    /// Adds a statement to the batch, or executes it.
    fn add_statement(
        &mut self,
        statement: &Statement,
        prepared: &Prepared,
        handler: &mut EventHandler,
    ) -> Result<(), Trap> {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Step(step) if self.options.model == Model::Reference => {
                self.run_reference_step(span, step, handler)
            }
            StatementKind::Step(step) => {
                let decoded = match prepared {
                    Prepared::Step(decoded) => Arc::clone(decoded),
                    _ => Arc::new(DecodedStep::new(step)),
                };
                self.add_step(span, step, decoded, handler)
            }
            StatementKind::Mv(mv) => match &mv.transfer {
                Some(transfer) => self.add_transfer(span, transfer, prepared.plan(), handler),
                None => Ok(()),
            },
            _ => {
                self.flush()?;
                let ran = self.run_statement(statement, handler);
                ran.map_err(|reason| Trap { span, reason })
            }
        }
    }

    /// Adds a step to the batch, or executes it if it accesses DAR.
    fn add_step(
        &mut self,
        span: Span,
        step: &Step,
        decoded: Arc<DecodedStep>,
        handler: &mut EventHandler,
    ) -> Result<(), Trap> {
        if self.timed.is_some() && TimingChecker::needs_blocks(step) {
            self.flush()?;
        }
        let begun = self.begin_step(span, step, &decoded);
        if !matches!(begun, Ok(None)) || !decoded.is_local() {
            // Traps of preceding steps come first.
            self.flush()?;
        }
        if let Some(race) = begun.map_err(|reason| Trap { span, reason })? {
            self.report_race(span, race, handler)?;
        }
        if !decoded.is_local() {
            return self.run_dar_step(span, decoded, handler);
        }
        if !decoded.leaves_l2bs_unchanged() {
            self.add(span, Some(decoded))?;
        }
        Ok(())
    }

    /// Adds a step or a staged transfer to the batch, and executes the batch if it is large.
    fn add(&mut self, span: Span, step: Option<Arc<DecodedStep>>) -> Result<(), Trap> {
        self.batch.push(Item { span, step });
        if self.batch.len() == batch::MAX_BATCH_STEPS {
            self.flush()?;
        }
        Ok(())
    }

    /// Adds an MV instruction to the batch, or executes it.
    fn add_transfer(
        &mut self,
        span: Span,
        transfer: &Transfer,
        plan: Option<&StagingPlan>,
        handler: &mut EventHandler,
    ) -> Result<(), Trap> {
        let trap = |reason| Trap { span, reason };
        let footprint = match self.stage(transfer, plan) {
            Some(footprint) => {
                self.add(span, None)?;
                footprint
            }
            None => {
                self.flush()?;
                Arc::new(self.transfer(transfer).map_err(trap)?)
            }
        };
        let begun = self.begin_transfer(&footprint);
        if !matches!(begun, Ok(None)) {
            // Traps of preceding steps come first.
            self.flush()?;
        }
        if let Some(race) = begun.map_err(trap)? {
            self.report_race(span, race, handler)?;
        }
        self.issue(span, transfer, footprint)
    }

    /// Stages an MV instruction, by its plan if it was made before. Returns its memory accesses, or
    /// `None` if it must run after the batch, or fails.
    fn stage(&mut self, transfer: &Transfer, plan: Option<&StagingPlan>) -> Option<Arc<Footprint>> {
        if self.options.model == Model::Reference {
            return None;
        }
        let (item, geometry) = (self.batch.len(), &self.options.geometry);
        let new;
        let plan = match plan {
            Some(plan) => plan,
            None => {
                new = StagingPlan::new(transfer, &self.board.groups, geometry)?;
                &new
            }
        };
        self.staged.stage(plan, item, &self.board, geometry)?;
        Some(Arc::clone(&plan.footprint))
    }

    /// Performs the part of a step that does not depend on the blocks: its checks and its wait.
    /// Returns the race of its transfer, if any.
    fn begin_step(
        &mut self,
        span: Span,
        step: &Step,
        plan: &DecodedStep,
    ) -> Result<Option<Reason>, Reason> {
        self.check_registers(plan.uses)?;
        self.check_timing(span, step)?;
        if let Some(tag) = plan.wait {
            self.in_flight.wait(tag)?;
        }
        let may_race = |transfer: &L2bmTransfer| {
            let words = transfer.l2bm_words();
            words.is_some_and(|(address, count)| self.in_flight.may_race_in_l2bms(address, count))
        };
        Ok(plan.l2bm.filter(may_race).and_then(|transfer| {
            let footprint = transfer.footprint(&self.options.geometry);
            self.in_flight.find_race(&footprint)
        }))
    }

    /// Checks the step limit and the use of forwarding and turn-around registers, which is the same
    /// in every block.
    fn check_registers(&mut self, uses: RegisterUses) -> Result<(), Reason> {
        if let Some(limit) = self
            .options
            .limit_steps
            .filter(|limit| self.steps >= *limit)
        {
            return Err(Reason::StepLimit(limit));
        }
        let stale = (0..4).find(|unit| uses.forwards_read[*unit] && !self.forwarded[*unit]);
        if let Some(unit) = stale {
            return Err(Reason::StaleForward {
                operand: FORWARDS[unit],
            });
        }
        if uses.turnaround_read && self.turnaround_spent {
            return Err(Reason::SpentTurnaround);
        }
        if !uses.keeps_registers {
            self.forwarded = uses.forwards_filled;
            if uses.turnaround_read || uses.turnaround_filled {
                self.turnaround_spent = !uses.turnaround_filled;
            }
        }
        self.steps += 1;
        Ok(())
    }

    /// Checks, in the timed model, that all data that the step reads has arrived.
    fn check_timing(&mut self, span: Span, step: &Step) -> Result<(), Reason> {
        let Some(timed) = &mut self.timed else {
            return Ok(());
        };
        let on_time = timed.check_step(span.line, step, &self.blocks);
        on_time.map_err(Reason::LatencyViolation)
    }

    /// Executes a step that accesses DAR.
    fn run_dar_step(
        &mut self,
        span: Span,
        plan: Arc<DecodedStep>,
        handler: &mut EventHandler,
    ) -> Result<(), Trap> {
        if let Some((l2, l2b, entry)) = plan.dar_start {
            self.check_race(span, &self.dar_footprint(l2, l2b), handler)?;
            let started = self.start_dar(l2, l2b, entry);
            started.map_err(|reason| Trap { span, reason })?;
        }
        let dar_write = plan.dar_write;
        self.add(span, Some(plan))?;
        self.flush()?;
        if dar_write {
            l2bm::write_dar(&mut self.board);
        }
        Ok(())
    }

    /// Executes a step in the reference model.
    fn run_reference_step(
        &mut self,
        span: Span,
        step: &Step,
        handler: &mut EventHandler,
    ) -> Result<(), Trap> {
        let trap = |reason| Trap { span, reason };
        let geometry = self.options.geometry;
        self.check_registers(reference::step::uses(step))
            .map_err(trap)?;
        for expression in &step.expressions {
            if let Op::Wait(tag) = expression.op {
                self.in_flight.wait(tag).map_err(trap)?;
            }
        }
        self.check_race(span, &reference::l2bm::footprint(step, &geometry), handler)?;
        let mut undetermined = UndeterminedSet::NONE;
        let moved = reference::l2bm::read(
            step,
            &self.board,
            self.blocks.all_mut(),
            &geometry,
            &mut undetermined,
        );
        let moved = moved.map_err(trap)?;
        undetermined.add_if(moved.overlaps(step), Undetermined::WrittenTwice);
        reference::l2bm::start_dar(step, &mut self.board, &geometry).map_err(trap)?;
        self.record_undetermined(undetermined).map_err(trap)?;
        for block in 0..self.blocks.len() {
            let mut undetermined = UndeterminedSet::NONE;
            let block = &mut self.blocks.all_mut()[block];
            let ran = reference::step::run(step, block, &mut undetermined);
            self.record_undetermined(undetermined).map_err(trap)?;
            ran.map_err(trap)?;
        }
        moved.write(&mut self.board, self.blocks.all_mut());
        reference::l2bm::write_dar(step, &mut self.board);
        Ok(())
    }

    fn start_dar(&mut self, l2: u16, l2b: u8, entry: u16) -> Result<(), Reason> {
        let geometry = &self.options.geometry;
        let l2b = check_exists("L2B", l2b.into(), geometry.l2bs)?;
        l2bm::start_dar(&mut self.board, geometry, l2, l2b, usize::from(entry));
        Ok(())
    }

    /// Returns the memory that `l2bmdars` reads.
    fn dar_footprint(&self, l2: u16, l2b: u8) -> Footprint {
        let count = board::DARBUF_ENTRIES as u64 / 2;
        let size = board::L2BM_WORDS as u64;
        let of_group = |group| {
            Region::wrapping(
                Memory::L2bm(group, usize::from(l2b)),
                u64::from(l2),
                count,
                size,
            )
        };
        Footprint {
            reads: (0..self.options.geometry.groups)
                .flat_map(of_group)
                .collect(),
            writes: vec![],
        }
    }

    /// Checks for races with transfers in flight.
    fn check_race(
        &self,
        span: Span,
        footprint: &Footprint,
        handler: &mut EventHandler,
    ) -> Result<(), Trap> {
        match self.in_flight.find_race(footprint) {
            Some(race) => self.report_race(span, race, handler),
            None => Ok(()),
        }
    }

    /// Traps or reports a race, according to the policy.
    fn report_race(
        &self,
        span: Span,
        race: Reason,
        handler: &mut EventHandler,
    ) -> Result<(), Trap> {
        let trap = |reason| Trap { span, reason };
        if self.in_flight.races_trap() {
            return Err(trap(race));
        }
        check_continue(handler(Event::Race(span, &race))).map_err(trap)
    }

    /// Traps or marks the run for undetermined points, according to the policy.
    fn record_undetermined(&mut self, undetermined: UndeterminedSet) -> Result<(), Reason> {
        self.marks.merge(undetermined);
        let stop = self.options.undetermined.stop(undetermined);
        stop.map_or(Ok(()), |point| Err(Reason::Undetermined(point)))
    }

    /// Executes the batch in every L2B.
    fn flush(&mut self) -> Result<(), Trap> {
        let ran = self.workers.run(
            &self.batch,
            &mut self.staged,
            &mut self.board.l2bm,
            &mut self.blocks,
            self.options.undetermined,
            &mut self.marks,
        );
        let end = match &ran {
            Ok(()) => self.batch.len(),
            Err((item, _)) => *item,
        };
        self.staged
            .finish(end, &mut self.board, &self.options.geometry);
        self.batch.clear();
        ran.map_err(|(_, trap)| trap)
    }

    /// Executes a statement other than a step or MV instruction.
    fn run_statement(
        &mut self,
        statement: &Statement,
        handler: &mut EventHandler,
    ) -> Result<(), Reason> {
        let geometry = self.options.geometry;
        match &statement.kind {
            StatementKind::Step(_) | StatementKind::Mv(_) => Ok(()),
            StatementKind::Get(get) => {
                let mut line = |line: &str| handler(Event::Dump(line));
                debug::get(get, &self.board, &self.blocks, &geometry, &mut line)
            }
            StatementKind::Set(set) => {
                debug::set(set, &mut self.board, &mut self.blocks, &geometry)
            }
            StatementKind::Host(host) => self.host(host, handler),
        }
    }

    /// Executes an MV instruction and returns its memory accesses.
    fn transfer(&mut self, transfer: &Transfer) -> Result<Footprint, Reason> {
        let mut undetermined = UndeterminedSet::NONE;
        let geometry = self.options.geometry;
        let run = match self.options.model {
            Model::Fast | Model::Timed => transfer::run,
            Model::Reference => reference::transfer::run,
        };
        let footprint = run(transfer, &mut self.board, &geometry, &mut undetermined)?;
        self.record_undetermined(undetermined)?;
        Ok(footprint)
    }

    /// Checks the memory accesses of an MV instruction: in the timed model, that all data that it
    /// reads has arrived. Returns its race with another one, if any.
    fn begin_transfer(&self, footprint: &Footprint) -> Result<Option<Reason>, Reason> {
        if let Some(timed) = &self.timed {
            let on_time = timed.check_mv(footprint);
            on_time.map_err(Reason::LatencyViolation)?;
        }
        Ok(self.in_flight.find_race(footprint))
    }

    /// Records that an MV instruction is in flight. If it cannot be, preceding steps trap first.
    fn issue(
        &mut self,
        span: Span,
        transfer: &Transfer,
        footprint: Arc<Footprint>,
    ) -> Result<(), Trap> {
        let tag = transfer.tag.unwrap_or(0);
        let issued = self.in_flight.issue(span.line, tag, footprint);
        if issued.is_err() {
            self.flush()?;
        }
        issued.map_err(|reason| Trap { span, reason })
    }

    /// Executes a transfer between host and board.
    fn host(&mut self, host: &Host, handler: &mut EventHandler) -> Result<(), Reason> {
        // The host accesses only the PDM of group 0.
        let pdm = |address: u32| Place::Pdm {
            group: 0,
            address: address.into(),
        };
        match host {
            Host::WriteDram {
                group,
                address,
                payload,
            } => {
                let (group, address) = (usize::from(*group), u64::from(*address));
                self.set(Place::Dram { group, address }, payload)?;
            }
            Host::ToPdm {
                tag,
                address,
                payload,
            } => {
                self.set(pdm(*address), payload)?;
                self.arm(*tag);
            }
            Host::FromPdm {
                tag,
                address,
                words,
            } => {
                for address in *address..*address + *words {
                    let mut word = [0];
                    self.get(pdm(address), &mut word)?;
                    check_continue(handler(Event::ToHost(address, word[0])))?;
                }
                self.arm(*tag);
            }
            Host::Fence => {}
        }
        Ok(())
    }
}
