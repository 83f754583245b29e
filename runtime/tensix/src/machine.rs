//! The machine: DRAM, one Tensix core, and the executor of a kernel's four lists.
//!
//! Fifteen parties advance independently, in an order that the seed decides: the three RISC-V traces, data movement,
//! the three front ends, and the eight units in which instructions stay in flight ([`crate::flight`]). A party that
//! cannot advance is skipped until someone else has; when nobody can, the run is over or deadlocked.
//!
//! Invariants checked: every hazard of [`crate::flight`]; a configuration word is not used by the instruction right
//! after the WRCFG that changes it; an LReg is not read by the vector instruction right after the multiply-add that
//! writes it; the vector unit does not read Dst rows that one of the thread's last three instructions makes the matrix
//! unit write, unless a wait for that unit has ended since; a kernel leaves banks, semaphores, mutexes and expanders as it must find them. Each run starts with a
//! core fresh from reset, so no kernel can lean on what another left; DRAM stays.
//!
//! Not modelled: cycles, the mover, stores of the RISC-V cores to configuration, the fourth front-end input (BRISC).

use tessera_isa_tensix::list::{DmEntry, Entry, Lists};
use tessera_isa_tensix::{Arch, Instruction, Opcode};

use crate::access::{RowSet, WordSet};
use crate::core_state::CoreState;
use crate::dram::Dram;
use crate::exec;
use crate::flight::{units_of, Effects, Flights, MATRIX, UNITS, VECTOR};
use crate::frontend::Frontend;
use crate::gate::{missing_bank, Latch};
use crate::scheduler::Scheduler;
use crate::stats::Stats;
use crate::sync::Sync;
use crate::trap::{Fault, Reason, Source, Trap};

/// Where a tensor lies in DRAM: page p is in bank `p % banks`, at `base + (p / banks) * page_bytes`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TensorArg {
    /// Byte offset in every bank.
    pub base: u64,
    /// Bytes of a page.
    pub page_bytes: u32,
    /// How many pages there are.
    pub pages: u32,
}

/// A chip of one core.
#[derive(Clone)]
pub struct Machine {
    arch: Arch,
    dram: Dram,
}

impl Machine {
    /// A machine with nothing in DRAM.
    ///
    /// # Errors
    /// [`Reason::Setup`] for a chip that the instruction table does not cover yet.
    pub fn new(arch: Arch) -> Result<Self, Trap> {
        Instruction::decode(arch, (Opcode::Nop as u32) << 24).map_err(|e| Trap {
            source: None,
            entry: None,
            instruction: None,
            reason: Reason::Setup(e.to_string()),
        })?;
        Ok(Machine {
            arch,
            dram: Dram::new(arch),
        })
    }

    /// The chip.
    pub fn arch(&self) -> Arch {
        self.arch
    }

    /// The DRAM banks.
    pub fn dram(&mut self) -> &mut Dram {
        &mut self.dram
    }

    /// Runs a kernel to its end, with the schedule that `seed` gives.
    ///
    /// # Errors
    /// A [`Trap`]; DRAM then holds whatever had been written.
    pub fn run(&mut self, lists: &Lists, args: &[TensorArg], seed: u64) -> Result<Stats, Trap> {
        Run::new(self.arch, &mut self.dram, lists, args).finish(seed)
    }
}

/// Parties of the scheduler: three traces, data movement, three front ends, the units.
const DM: usize = 3;
const FRONTEND: usize = 4;
const UNIT: usize = 7;
const PARTIES: usize = UNIT + UNITS;

/// What the instruction before did that the next one must not use.
#[derive(Clone, Copy, Debug, Default)]
struct Previous {
    config: WordSet,
    lregs: u32,
    /// Dst rows that the matrix unit writes for the last three instructions, newest first.
    matrix: [RowSet; 3],
}

struct Run<'a> {
    dram: &'a mut Dram,
    banks: u32,
    lists: &'a Lists,
    args: &'a [TensorArg],
    core: CoreState,
    sync: Sync,
    flights: Flights,
    frontends: [Frontend; 3],
    previous: [Previous; 3],
    /// Next entry of each trace and of data movement.
    at: [usize; 4],
    counters: Vec<u32>,
    page: Vec<u8>,
    stats: Stats,
}

/// Whether a party advanced.
type Advanced = bool;

impl<'a> Run<'a> {
    fn new(arch: Arch, dram: &'a mut Dram, lists: &'a Lists, args: &'a [TensorArg]) -> Self {
        Run {
            dram,
            banks: arch.dram_banks(),
            lists,
            args,
            core: CoreState::new(arch),
            sync: Sync::default(),
            flights: Flights::default(),
            frontends: std::array::from_fn(|thread| Frontend::new(arch, thread)),
            previous: Default::default(),
            at: [0; 4],
            counters: Vec::new(),
            page: Vec::new(),
            stats: Stats::default(),
        }
    }

    fn finish(mut self, seed: u64) -> Result<Stats, Trap> {
        let mut scheduler = Scheduler::<PARTIES>::new(seed);
        let mut blocked = 0;
        while let Some(party) = scheduler.choose(blocked) {
            if self.advance(party)? {
                blocked = 0;
                self.forget_satisfied_waits();
            } else {
                blocked |= 1 << party;
            }
        }
        self.check_ended()?;
        Ok(self.stats)
    }

    fn advance(&mut self, party: usize) -> Result<Advanced, Trap> {
        match party {
            DM => self
                .data_movement()
                .map_err(|reason| self.trap_at_list(Source::Dm, DM, reason)),
            FRONTEND..UNIT => self.issue(party - FRONTEND),
            UNIT.. => Ok(self.flights.finish_oldest(party - UNIT)),
            thread => self
                .trace(thread)
                .map_err(|reason| self.trap_at_list(Source::of_thread(thread), thread, reason)),
        }
    }

    fn trap_at_list(&self, source: Source, list: usize, reason: Reason) -> Trap {
        Trap {
            source: Some(source),
            entry: Some(self.at[list]),
            instruction: None,
            reason,
        }
    }

    fn forget_satisfied_waits(&mut self) {
        for (thread, frontend) in self.frontends.iter_mut().enumerate() {
            if let Some(latch) = frontend.latch {
                if !latch.keeps_waiting(thread, &self.flights, &self.core.banks, &self.sync) {
                    frontend.latch = None;
                    if latch.waits_for_matrix_unit() {
                        self.previous[thread].matrix = Default::default();
                    }
                }
            }
        }
    }

    /// Retires the next entry of a trace, if it can.
    fn trace(&mut self, thread: usize) -> Result<Advanced, Reason> {
        let at = self.at[thread];
        let Some(entry) = self.lists.thread(thread).get(at) else {
            return Ok(false);
        };
        entry.check()?;
        let frontend = &mut self.frontends[thread];
        let advanced = match *entry {
            Entry::Push(word) => frontend.push(word, at),
            Entry::MopCfg { index, value } => {
                frontend.set_mop_config(index.into(), value)?;
                true
            }
            Entry::WaitMop => frontend.mop_done(),
            Entry::WaitIdle => frontend.empty() && !self.flights.busy(u32::MAX, thread),
            Entry::SemPost(sem) => {
                self.sync.post(1 << sem);
                true
            }
            Entry::SemGet(sem) => {
                self.sync.get(1 << sem);
                true
            }
            Entry::SemPoll { sem, at_least } => self.sync.value(sem.into()) >= at_least,
            Entry::Post { counter } => self.post(counter),
            Entry::Wait { counter, at_least } => self.counter(counter) >= at_least,
        };
        self.at[thread] += usize::from(advanced);
        Ok(advanced)
    }

    fn post(&mut self, counter: u16) -> Advanced {
        let counter = usize::from(counter);
        if self.counters.len() <= counter {
            self.counters.resize(counter + 1, 0);
        }
        self.counters[counter] += 1;
        true
    }

    fn counter(&self, counter: u16) -> u32 {
        self.counters
            .get(usize::from(counter))
            .copied()
            .unwrap_or(0)
    }

    /// Retires the next entry of the data-movement list, if it can.
    fn data_movement(&mut self) -> Result<Advanced, Reason> {
        let Some(entry) = self.lists.dm.get(self.at[DM]) else {
            return Ok(false);
        };
        let advanced = match *entry {
            DmEntry::Read { arg, page, l1 } => self.read_page(arg, page, l1)?,
            DmEntry::Write { arg, page, l1 } => self.write_page(arg, page, l1)?,
            DmEntry::Post { counter } => self.post(counter),
            DmEntry::Wait { counter, at_least } => self.counter(counter) >= at_least,
        };
        self.at[DM] += usize::from(advanced);
        Ok(advanced)
    }

    /// Bank, offset and size of a page.
    fn page_place(&self, arg: u16, page: u32, l1: u32) -> Result<(u32, u64, usize), Fault> {
        let tensor = self.args.get(usize::from(arg)).ok_or_else(|| {
            Fault::undefined(format!(
                "argument {arg} does not exist; the kernel was given {}",
                self.args.len()
            ))
        })?;
        if page >= tensor.pages {
            return Err(Fault::undefined(format!(
                "argument {arg} has {} pages; there is no page {page}",
                tensor.pages
            )));
        }
        let offset = tensor.base + u64::from(page / self.banks) * u64::from(tensor.page_bytes);
        if offset % 32 != u64::from(l1 % 32) {
            return Err(Fault::undefined(format!(
                "DRAM offset {offset:#x} and L1 address {l1:#x} differ modulo 32; the NoC moves aligned pieces of 32 bytes"
            )));
        }
        Ok((page % self.banks, offset, tensor.page_bytes as usize))
    }

    fn read_page(&mut self, arg: u16, page: u32, l1: u32) -> Result<Advanced, Fault> {
        let (bank, offset, len) = self.page_place(arg, page, l1)?;
        self.page.resize(len, 0);
        self.dram
            .read(bank, offset, &mut self.page)
            .map_err(|e| Fault::undefined(e.to_string()))?;
        self.core.l1.write(l1, &self.page)?;
        self.check_l1()
    }

    fn write_page(&mut self, arg: u16, page: u32, l1: u32) -> Result<Advanced, Fault> {
        let (bank, offset, len) = self.page_place(arg, page, l1)?;
        let bytes = self.core.l1.read(l1, len)?;
        self.dram
            .write(bank, offset, bytes)
            .map_err(|e| Fault::undefined(e.to_string()))?;
        self.check_l1()
    }

    fn check_l1(&mut self) -> Result<Advanced, Fault> {
        let (read, write) = (self.core.l1.reads().take(), self.core.l1.writes().take());
        self.flights.check_l1(&read, &write, 0)?;
        Ok(true)
    }

    /// Moves the next instruction of a thread through its wait gate, if it may pass.
    fn issue(&mut self, thread: usize) -> Result<Advanced, Trap> {
        let source = Some(Source::of_thread(thread));
        let frontend = &mut self.frontends[thread];
        let moved = frontend.fill_gate().map_err(|reason| {
            let entry = Some(frontend.entry());
            Trap {
                source,
                entry,
                instruction: None,
                reason,
            }
        })?;
        let Some(&at) = frontend.gate() else {
            return Ok(moved);
        };
        if self.held(thread, &at.instruction).is_some() {
            return Ok(moved);
        }
        self.execute(thread, &at.instruction)
            .map_err(|fault| Trap {
                source,
                entry: Some(at.entry),
                instruction: Some(at.instruction),
                reason: fault.into(),
            })?;
        Ok(true)
    }

    /// Why the instruction cannot pass the gate now.
    fn held(&self, thread: usize, instruction: &Instruction) -> Option<String> {
        if self.frontends[thread]
            .latch
            .is_some_and(|latch| latch.blocks(instruction))
        {
            return Some("a STALLWAIT or SEMWAIT before it".to_owned());
        }
        if let Some(src) = missing_bank(instruction, &self.core.banks) {
            return Some(format!("a bank of Src{src:?}"));
        }
        if let Instruction::Atgetm(i) = instruction {
            if !self.sync.mutex_free(i.mutex_index, thread) {
                return Some(format!("mutex {}", i.mutex_index));
            }
        }
        if let Instruction::Atrelm(i) = instruction {
            if i.mutex_index == 1 || i.mutex_index > 7 {
                return Some(format!("mutex {}, which does not exist", i.mutex_index));
            }
        }
        (!self.flights.have_room(units_of(instruction))).then(|| "its unit".to_owned())
    }

    fn execute(&mut self, thread: usize, instruction: &Instruction) -> Result<(), Fault> {
        self.core.access.clear();
        self.core.config.take_reads();
        exec::execute(instruction, thread, &mut self.core, &mut self.sync)?;
        let config = self.core.config.take_reads();
        self.check_previous(thread, instruction, &config)?;
        let frontend = &mut self.frontends[thread];
        self.flights.add(Effects {
            thread,
            opcode: instruction.opcode(),
            issued: frontend.issued,
            units: units_of(instruction),
            access: &self.core.access,
            config,
            l1_read: self.core.l1.reads().take(),
            l1_write: self.core.l1.writes().take(),
        })?;
        if let Some(latch) = Latch::of(instruction) {
            frontend.latch = Some(latch);
        }
        frontend.passed();
        self.stats.note(thread, instruction.opcode());
        Ok(())
    }

    /// Checks what must not follow directly on the thread's instruction before, and notes this one.
    fn check_previous(
        &mut self,
        thread: usize,
        instruction: &Instruction,
        config: &WordSet,
    ) -> Result<(), Fault> {
        let access = &self.core.access;
        let previous = &mut self.previous[thread];
        if let Some(word) = previous.config.meets(config) {
            return Err(Fault::hazard(format!(
                "uses configuration word {word}, which the WRCFG right before it changes; put a NOP between them"
            )));
        }
        let lregs = previous.lregs & access.lreg_read;
        if lregs != 0 {
            return Err(Fault::hazard(format!(
                "reads LReg {}, which the instruction right before it is still computing; put an SFPNOP between them",
                lregs.trailing_zeros()
            )));
        }
        let units = units_of(instruction);
        let written = previous.matrix.iter();
        let early = written
            .filter(|_| units == 1 << VECTOR)
            .find_map(|rows| rows.meets(&access.dst_read));
        if let Some(row) = early {
            return Err(Fault::hazard(format!(
                "reads Dst row {row} (of 1024), which the matrix unit may still be writing for one of the three instructions before; \
                 put a STALLWAIT for the matrix unit or three instructions between them"
            )));
        }
        let opcode = instruction.opcode();
        let [newest, newer, _] = previous.matrix;
        let writes = if units == 1 << MATRIX {
            access.dst_write
        } else {
            RowSet::default()
        };
        *previous = Previous {
            matrix: [writes, newest, newer],
            config: if opcode == Opcode::Wrcfg {
                access.config_write
            } else {
                WordSet::default()
            },
            lregs: if takes_two_cycles(opcode) {
                access.lreg_write
            } else {
                0
            },
        };
        Ok(())
    }

    fn check_ended(&self) -> Result<(), Trap> {
        let trap = |reason| Trap {
            source: None,
            entry: None,
            instruction: None,
            reason,
        };
        let waiting = self.waiting();
        if !waiting.is_empty() {
            return Err(trap(Reason::Deadlock(waiting)));
        }
        let mut left: Vec<String> = self
            .core
            .banks
            .left_over()
            .chain(self.sync.left_over())
            .collect();
        for (thread, frontend) in self.frontends.iter().enumerate() {
            if frontend.recording() {
                left.push(format!("thread {thread} still records a REPLAY"));
            }
            if frontend.latch.is_some() {
                left.push(format!(
                    "thread {thread} still waits by a STALLWAIT or SEMWAIT"
                ));
            }
        }
        if left.is_empty() {
            Ok(())
        } else {
            Err(trap(Reason::Unclean(left)))
        }
    }

    /// What each list and front end that has not ended waits for.
    fn waiting(&self) -> Vec<String> {
        let mut out = Vec::new();
        for thread in 0..3 {
            let source = Source::of_thread(thread);
            if let Some(entry) = self.lists.thread(thread).get(self.at[thread]) {
                out.push(format!(
                    "{source} list at entry {}, `{entry}`",
                    self.at[thread]
                ));
            }
            if let Some(at) = self.frontends[thread].gate() {
                let why = self.held(thread, &at.instruction).unwrap_or_default();
                out.push(format!(
                    "{source}: `{}` of entry {} waits for {why}",
                    at.instruction, at.entry
                ));
            }
        }
        if let Some(entry) = self.lists.dm.get(self.at[DM]) {
            out.push(format!("dm list at entry {}, `{entry}`", self.at[DM]));
        }
        out
    }
}

/// Vector instructions whose result the next one must not read (Wormhole).
fn takes_two_cycles(opcode: Opcode) -> bool {
    matches!(
        opcode,
        Opcode::Sfpmad
            | Opcode::Sfpadd
            | Opcode::Sfpmul
            | Opcode::Sfpmuli
            | Opcode::Sfpaddi
            | Opcode::Sfplut
            | Opcode::Sfplutfp32
    )
}
