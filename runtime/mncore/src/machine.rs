//! The machine: executes a program statement by statement.
//!
//! A step is complete before the next statement begins, as in the vendor's emulator (manual,
//! section 3.4.3); so are MV instructions, whose races and tags [`crate::race`] follows. Steps that
//! stay inside L1 blocks run together ([`crate::batch`]). The timed model checks each step before
//! that ([`crate::timed`]).
//!
//! After a trap memories hold what the statements before it left, except that other blocks may be a
//! few steps ahead.

use std::num::NonZero;
use std::ops::ControlFlow;

use tessera_isa_mncore::ast::{Host, Op, Program, Statement, StatementKind, Step, Transfer};
use tessera_isa_mncore::diagnostic::Span;

use crate::batch::{self, Batch, Workers};
use crate::block::Block;
use crate::board::Board;
use crate::geometry::Geometry;
use crate::place::Place;
use crate::race::{Footprint, InFlight, Memory, RacePolicy, Region};
use crate::step::{Plan, Uses, FORWARDS};
use crate::timed::Timed;
use crate::trap::{check_exists, Reason, Trap};
use crate::undetermined::{Undetermined, UndeterminedPolicy, UndeterminedSet};
use crate::{board, debug, l2bm, reference, transfer};

/// How a machine executes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Model {
    /// Each step is complete before the next begins.
    #[default]
    Fast,
    /// The same, and a read of what would not have arrived yet traps: [`crate::timed`].
    Timed,
    /// The manual's pseudo-code, word by word: slow, and what the others are measured against:
    /// [`crate::reference`].
    Reference,
}

/// How a machine is set up.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Its size.
    pub geometry: Geometry,
    /// How it executes.
    pub model: Model,
    /// Whether DRAM that was never written reads as zero.
    pub zero_dram: bool,
    /// What races do.
    pub races: RacePolicy,
    /// What results do that the manual does not determine.
    pub undetermined: UndeterminedPolicy,
    /// The most steps it executes.
    pub limit_steps: Option<u64>,
    /// On how many threads L1 blocks run; as many as there are cores without it.
    pub threads: Option<NonZero<usize>>,
}

/// What a running program tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event<'a> {
    /// A line of a `d get`.
    Dump(&'a str),
    /// A long word that an `e` statement sends to the host, with its address in the PDM.
    ToHost(u32, u64),
    /// A race at a place of the source, where races do not stop the machine.
    Race(Span, &'a Reason),
}

/// Who hears of events, and whether he wants to hear more.
pub type EventHandler<'a> = dyn FnMut(Event) -> ControlFlow<()> + 'a;

/// What is to be done after someone was told.
pub(crate) fn continue_if(flow: ControlFlow<()>) -> Result<(), Reason> {
    match flow {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Reason::Stopped),
    }
}

/// A whole machine.
#[derive(Clone, Debug)]
pub struct Machine {
    /// PDM, DRAM, DRAM address registers and L2BM.
    pub board: Board,
    /// The L1 blocks, group by group, L2B by L2B.
    pub blocks: Vec<Block>,
    options: Options,
    in_flight: InFlight,
    /// What is on its way, in the timed model.
    timed: Option<Timed>,
    workers: Workers,
    /// Which units put out a result in the last step that forwards.
    forwarded: [bool; 4],
    /// Whether the last step that used the turn-around register only read it.
    turnaround_spent: bool,
    marks: UndeterminedSet,
    steps: u64,
}

impl Machine {
    /// A machine with on-chip memories at zero.
    pub fn new(options: Options) -> Self {
        let geometry = options.geometry;
        let blocks = (0..geometry.block_count())
            .map(|index| Block::new(&geometry, geometry.block_id(index)));
        Machine {
            board: Board::new(&geometry, options.zero_dram),
            blocks: blocks.collect(),
            options,
            in_flight: InFlight::new(options.races),
            timed: (options.model == Model::Timed).then(|| Timed::new(&geometry)),
            workers: Workers::new(options.threads, &geometry),
            forwarded: [false; 4],
            turnaround_spent: false,
            marks: UndeterminedSet::NONE,
            steps: 0,
        }
    }

    /// Its size.
    pub fn geometry(&self) -> &Geometry {
        &self.options.geometry
    }

    /// Tells the machine that the host completed what a tag stands for.
    pub fn arm(&mut self, tag: u8) {
        self.in_flight.arm(tag);
    }

    /// The open points of the manual that results so far depend on.
    pub fn undetermined_points(&self) -> UndeterminedSet {
        self.marks
    }

    /// The steps executed so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Executes a program on what the machine holds; `tell` hears of dumps, host transfers and
    /// races in order.
    pub fn run(&mut self, program: &Program, tell: &mut dyn FnMut(Event)) -> Result<(), Trap> {
        self.run_while(program, &mut |event| {
            tell(event);
            ControlFlow::Continue(())
        })
    }

    /// [`Machine::run`], as long as `tell` wants to hear more: if not, the statement that told is
    /// where it stops.
    pub fn run_while(&mut self, program: &Program, tell: &mut EventHandler) -> Result<(), Trap> {
        let mut batch: Vec<(Span, Plan)> = Vec::new();
        for statement in &program.statements {
            let trap = |reason| Trap {
                span: statement.span,
                reason,
            };
            if let StatementKind::Step(step) = &statement.kind {
                if self.options.model == Model::Reference {
                    self.transcribed(statement.span, step, tell)?;
                    continue;
                }
                let plan = Plan::new(step);
                if self.timed.is_some() && Timed::needs_blocks(step) {
                    self.flush(&mut batch)?;
                }
                let begun = self
                    .begin(plan.uses())
                    .and_then(|()| self.clock(statement.span, step));
                if begun.is_ok() && plan.is_local() {
                    batch.push((statement.span, plan));
                    if batch.len() == batch::MAX_BATCH_STEPS {
                        self.flush(&mut batch)?;
                    }
                    continue;
                }
                self.flush(&mut batch)?;
                begun.map_err(trap)?;
                self.step(statement.span, plan, tell)?;
            } else {
                self.flush(&mut batch)?;
                self.other(statement, tell).map_err(trap)?;
            }
        }
        self.flush(&mut batch)
    }

    /// What is known about a step before it runs: limits, forwarding and turn-around registers,
    /// which every block has alike.
    fn begin(&mut self, uses: Uses) -> Result<(), Reason> {
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
        if !uses.holds {
            self.forwarded = uses.forwards_filled;
            if uses.turnaround_read || uses.turnaround_filled {
                self.turnaround_spent = !uses.turnaround_filled;
            }
        }
        self.steps += 1;
        Ok(())
    }

    /// In the timed model, whether all that a step reads is there.
    fn clock(&mut self, span: Span, step: &Step) -> Result<(), Reason> {
        let Some(timed) = &mut self.timed else {
            return Ok(());
        };
        let on_time = timed.step(span.line, step, &self.blocks);
        on_time.map_err(Reason::LatencyViolation)
    }

    /// A step that leaves the L1 blocks.
    fn step(&mut self, span: Span, plan: Plan, tell: &mut EventHandler) -> Result<(), Trap> {
        let batch = [(span, plan)];
        let plan = &batch[0].1;
        let trap = |reason| Trap { span, reason };
        if let Some(tag) = plan.wait {
            self.in_flight.wait(tag).map_err(trap)?;
        }
        let geometry = self.options.geometry;
        let mut undetermined = UndeterminedSet::NONE;
        let mut collected = None;
        if let Some(l2bm) = &plan.l2bm {
            self.look(span, &l2bm.footprint(&geometry), tell)?;
            let words = l2bm.collect(&self.board, &self.blocks, &geometry, &mut undetermined);
            collected = Some((l2bm, words.map_err(trap)?));
            let sent = plan.block.sent();
            let twice = sent.is_some_and(|sent| l2bm.overlaps(&geometry, sent));
            undetermined.add_if(twice, Undetermined::WrittenTwice);
        }
        if let Some((l2, l2b, entry)) = plan.dar_start {
            self.look(span, &self.dar_footprint(l2, l2b), tell)?;
            self.start_dar(l2, l2b, entry).map_err(trap)?;
        }
        self.settle(undetermined).map_err(trap)?;
        self.run_blocks(&batch)?;
        if let Some((l2bm, words)) = collected {
            l2bm.deliver(&words, &mut self.board, &mut self.blocks, &geometry);
        }
        if plan.dar_write {
            l2bm::write_dar(&mut self.board);
        }
        Ok(())
    }

    /// A step in the reference model.
    fn transcribed(
        &mut self,
        span: Span,
        step: &Step,
        tell: &mut EventHandler,
    ) -> Result<(), Trap> {
        let trap = |reason| Trap { span, reason };
        let geometry = self.options.geometry;
        self.begin(reference::step::uses(step)).map_err(trap)?;
        for expression in &step.expressions {
            if let Op::Wait(tag) = expression.op {
                self.in_flight.wait(tag).map_err(trap)?;
            }
        }
        self.look(span, &reference::l2bm::footprint(step, &geometry), tell)?;
        let mut undetermined = UndeterminedSet::NONE;
        let moved = reference::l2bm::read(
            step,
            &self.board,
            &self.blocks,
            &geometry,
            &mut undetermined,
        );
        let moved = moved.map_err(trap)?;
        undetermined.add_if(moved.overlaps(step), Undetermined::WrittenTwice);
        reference::l2bm::start_dar(step, &mut self.board, &geometry).map_err(trap)?;
        self.settle(undetermined).map_err(trap)?;
        for block in 0..self.blocks.len() {
            let mut undetermined = UndeterminedSet::NONE;
            let ran = reference::step::run(step, &mut self.blocks[block], &mut undetermined);
            self.settle(undetermined).map_err(trap)?;
            ran.map_err(trap)?;
        }
        moved.write(&mut self.board, &mut self.blocks);
        reference::l2bm::write_dar(step, &mut self.board);
        Ok(())
    }

    fn start_dar(&mut self, l2: u16, l2b: u8, entry: u16) -> Result<(), Reason> {
        let geometry = &self.options.geometry;
        let l2b = check_exists("L2B", l2b.into(), geometry.l2bs)?;
        l2bm::start_dar(&mut self.board, geometry, l2, l2b, usize::from(entry));
        Ok(())
    }

    /// What `l2bmdars` reads.
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

    /// Looks for a race with what is under way.
    fn look(&self, span: Span, footprint: &Footprint, tell: &mut EventHandler) -> Result<(), Trap> {
        match self.in_flight.check(footprint) {
            Some(reason) if self.in_flight.stops() => Err(Trap { span, reason }),
            Some(reason) => continue_if(tell(Event::Race(span, &reason)))
                .map_err(|reason| Trap { span, reason }),
            None => Ok(()),
        }
    }

    /// Stops at open points that trap, keeps those that mark.
    fn settle(&mut self, undetermined: UndeterminedSet) -> Result<(), Reason> {
        self.marks.merge(undetermined);
        let stop = self.options.undetermined.stop(undetermined);
        stop.map_or(Ok(()), |point| Err(Reason::Undetermined(point)))
    }

    /// Runs the steps gathered so far.
    fn flush(&mut self, batch: &mut Vec<(Span, Plan)>) -> Result<(), Trap> {
        let result = self.run_blocks(batch);
        batch.clear();
        result
    }

    /// Runs steps in every block.
    fn run_blocks(&mut self, batch: &Batch) -> Result<(), Trap> {
        let undetermined = self.options.undetermined;
        self.workers
            .run(batch, &mut self.blocks, undetermined, &mut self.marks)
    }

    /// Every statement that is not a step.
    fn other(&mut self, statement: &Statement, tell: &mut EventHandler) -> Result<(), Reason> {
        let geometry = self.options.geometry;
        match &statement.kind {
            StatementKind::Step(_) => Ok(()),
            StatementKind::Mv(mv) => match &mv.transfer {
                Some(transfer) => self.transfer(statement.span, transfer, tell),
                None => Ok(()),
            },
            StatementKind::Get(get) => {
                let mut line = |line: &str| tell(Event::Dump(line));
                debug::get(get, &self.board, &self.blocks, &geometry, &mut line)
            }
            StatementKind::Set(set) => {
                debug::set(set, &mut self.board, &mut self.blocks, &geometry)
            }
            StatementKind::Host(host) => self.host(host, tell),
        }
    }

    /// An MV instruction.
    fn transfer(
        &mut self,
        span: Span,
        transfer: &Transfer,
        tell: &mut EventHandler,
    ) -> Result<(), Reason> {
        let mut undetermined = UndeterminedSet::NONE;
        let geometry = self.options.geometry;
        let run = match self.options.model {
            Model::Fast | Model::Timed => transfer::run,
            Model::Reference => reference::transfer::run,
        };
        let footprint = run(transfer, &mut self.board, &geometry, &mut undetermined)?;
        self.settle(undetermined)?;
        if let Some(timed) = &self.timed {
            timed.mv(&footprint).map_err(Reason::LatencyViolation)?;
        }
        self.look(span, &footprint, tell)
            .map_err(|trap| trap.reason)?;
        let tag = transfer.tag.unwrap_or(0);
        self.in_flight.issue(span.line, tag, footprint)
    }

    /// A transfer between host and board.
    fn host(&mut self, host: &Host, tell: &mut EventHandler) -> Result<(), Reason> {
        // Only the PDM of group 0 is the host's.
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
                    continue_if(tell(Event::ToHost(address, word[0])))?;
                }
                self.arm(*tag);
            }
            Host::Fence => {}
        }
        Ok(())
    }
}
