//! A tile whose lists are RISC-V code: five cores, the coprocessor, data movement.
//!
//! A launch writes images, arguments and zeroed control lines into L1 while all cores are in reset, and releases B. B
//! releases the others. A core is done when it has made its DONE word 1 and jumped to itself; the run is over when
//! nobody can advance, and good if then all cores are done, no ERR word is set and the coprocessor is as a kernel must
//! leave it. Polling cores park ([`tessera_riscv`]), so a run in which the cores wait for each other ends, too, and says who
//! waits for what.
//!
//! Parties are the cores, data movement, the front ends, the units and the NoC; a core's turn ends when it touches what others
//! see. [`Launch::order`] makes the cores' memory requests weakly ordered.
//!
//! Cores move pages and tiles through the NoC, to and from other tiles, too ([`ChipLaunch`]). A launch can also have the data movement list of a list program, which moves them
//! in NC's stead, from NC's release on; its counter k is the first word of control line k.

mod bus;
mod chip;
pub mod map;
mod niu;

use tessera_isa_tensix::list::DmEntry;
use tessera_isa_tensix::noc::upper_half;
use tessera_isa_tensix::Arch;
use tessera_riscv::{Core, Step};

use crate::coprocessor::{Advanced, Coprocessor};
use crate::data_movement::DataMovement;
use crate::dram::Dram;
use crate::flight::UNITS;
use crate::machine::TensorArg;
use crate::scheduler::Scheduler;
use crate::stats::Stats;
use crate::trap::{Fault, Place, Reason, Source, Trap};
use crate::ARCH;
use bus::{Local, View};
use map::{Region, ARGS, ARG_WORDS, BANKS, CORES, DONE, ERR, IMAGES, LINE, LINES};
use niu::Niu;

pub(crate) use chip::run as run_chip;
pub use chip::{ChipLaunch, ChipTrap, Ring, TileLaunch};

/// A kernel of RISC-V images, and what it is given. What is of each core stands in the order of [`map::CORES`].
#[derive(Clone, Debug)]
pub struct Launch<'a> {
    /// The code of each core. A core without code stays in reset.
    pub images: [&'a [u32]; 5],
    /// The arguments of each core.
    pub args: [&'a [u32]; 5],
    /// Data movement.
    pub dm: &'a [DmEntry],
    /// The tensors that data movement names.
    pub tensors: &'a [TensorArg],
    /// The seed of the cores' memory order; `None` for the order of the program.
    pub order: Option<u64>,
    /// How many instructions a core may execute.
    pub limit: u64,
}

/// Parties of the scheduler: five cores, data movement, three front ends, the units, the NoC.
const DM: usize = 5;
const FRONTEND: usize = 6;
const UNIT: usize = 9;
const NIU: usize = UNIT + UNITS;
const PARTIES: usize = NIU + 1;
/// Instructions of a turn that touches nothing others see.
const TURN: u64 = 64;

pub(crate) struct Tile<'a> {
    launch: &'a Launch<'a>,
    cores: [Core; 5],
    /// How each core's last turn ended.
    last: [Step; 5],
    locals: [Local; 5],
    in_reset: u32,
    niu: Niu,
    image_words: [usize; 5],
    data: DataMovement<'a>,
    coprocessor: Coprocessor,
    /// Next entry of data movement.
    next_dm: usize,
    scheduler: Scheduler<PARTIES>,
    /// Parties that could not advance since anything changed.
    blocked: u32,
}

fn source(core: usize) -> Source {
    match core {
        map::B => Source::B,
        map::NC => Source::Nc,
        _ => Source::of_thread(core - 1),
    }
}

fn trap(source: Option<Source>, reason: impl Into<Reason>) -> Trap {
    Trap {
        source,
        place: None,
        instruction: None,
        reason: reason.into(),
    }
}

/// The address of a word of data movement's counter.
fn line(counter: u16) -> Result<u32, Fault> {
    let addr = LINES.start + u32::from(counter) * LINE;
    if !LINES.contains(&addr) {
        return Err(Fault::undefined(format!(
            "there is no control line {counter}; there are {}",
            LINES.len() / LINE as usize
        )));
    }
    Ok(addr)
}

/// The words from [`BANKS`] on.
fn bank_table(arch: Arch, own: map::Coordinate) -> Vec<u32> {
    let bank = |k: u32| {
        let [(x, y), ..] = map::DRAM_TILES[k as usize / 2];
        [upper_half((x, y)), (k % 2) << 30]
    };
    let own = upper_half(own);
    (0..arch.dram_banks()).flat_map(bank).chain([own]).collect()
}

fn write_words(coprocessor: &mut Coprocessor, addr: u32, words: &[u32]) -> Result<(), Fault> {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    coprocessor.core.l1.write(addr, &bytes)
}

impl<'a> Tile<'a> {
    /// A tile with everything in L1 and B out of reset.
    pub(crate) fn new(
        arch: Arch,
        launch: &'a Launch<'a>,
        (at, split): (map::Coordinate, bool),
        seed: u64,
    ) -> Result<Self, Trap> {
        for (k, (image, args)) in launch.images.iter().zip(&launch.args).enumerate() {
            let setup = |text| Err(trap(Some(source(k)), Reason::Setup(text)));
            let room = IMAGES[k].len() / 4;
            if image.len() > room {
                return setup(format!(
                    "the image has {} words; there is room for {room}",
                    image.len()
                ));
            }
            if args.len() > ARG_WORDS {
                return setup(format!(
                    "there are {} arguments; there is room for {ARG_WORDS}",
                    args.len()
                ));
            }
        }
        let mut coprocessor = Coprocessor::new(arch);
        let write = |coprocessor: &mut Coprocessor, addr, words: &[u32]| {
            write_words(coprocessor, addr, words).map_err(|fault| trap(None, fault))
        };
        for (k, place) in IMAGES.iter().enumerate() {
            write(&mut coprocessor, place.start, launch.images[k])?;
            let mut args = launch.args[k].to_vec();
            args.resize(ARG_WORDS, 0);
            write(&mut coprocessor, ARGS + (4 * ARG_WORDS * k) as u32, &args)?;
        }
        let lines_and_results = (map::FREE - LINES.start) as usize / 4;
        write(&mut coprocessor, LINES.start, &vec![0; lines_and_results])?;
        write(&mut coprocessor, BANKS, &bank_table(arch, at))?;
        coprocessor.check_l1().map_err(|fault| trap(None, fault))?;
        let mut cores = Vec::with_capacity(CORES.len());
        for (k, image) in IMAGES.iter().enumerate() {
            let mut core = Core::new(image.start);
            if let Some(seed) = launch.order {
                core.weaken(seed.wrapping_mul(CORES.len() as u64).wrapping_add(k as u64));
            }
            cores.push(core);
        }
        let cores: [Core; 5] = cores
            .try_into()
            .unwrap_or_else(|_| unreachable!("there is one core for each image"));
        Ok(Tile {
            launch,
            cores,
            last: [Step::Ran; 5],
            locals: map::LOCAL_BYTES.map(Local::new),
            in_reset: !(1 << map::B) & 0b11111,
            niu: Niu::new(at, split, seed),
            image_words: launch.images.map(<[u32]>::len),
            data: DataMovement::new(arch.dram_banks(), launch.tensors),
            coprocessor,
            next_dm: 0,
            scheduler: Scheduler::new(seed),
            blocked: 0,
        })
    }

    /// The party whose turn it is, or `None` if none can advance before something changes.
    fn choose(&mut self) -> Option<usize> {
        self.scheduler.choose(self.blocked)
    }

    /// Notes that a party has advanced, or could not.
    fn note(&mut self, party: usize, advanced: Advanced) {
        if advanced {
            self.changed();
        } else {
            self.blocked |= 1 << party;
        }
    }

    /// Something has changed: all parties may be able to advance again.
    fn changed(&mut self) {
        self.blocked = 0;
        self.coprocessor.forget_satisfied_waits();
    }

    fn stats(mut self) -> Stats {
        let retired = self.cores.each_ref().map(Core::retired);
        self.coprocessor.stats.set_retired(retired);
        self.coprocessor.into_stats()
    }

    /// Lets a party other than the NoC advance.
    fn advance(&mut self, party: usize, dram: &mut Dram) -> Result<Advanced, Trap> {
        match party {
            DM => self.data_movement(dram).map_err(|fault| Trap {
                place: Some(Place::Entry(self.next_dm)),
                ..trap(Some(Source::Dm), fault)
            }),
            FRONTEND..UNIT => self
                .coprocessor
                .issue(party - FRONTEND)
                .map_err(at_program_counter),
            UNIT..NIU => self.finish_oldest(party - UNIT),
            core => self.run_core(core),
        }
    }

    /// Lets the oldest instruction of a unit finish, and does what it asks of the tile.
    fn finish_oldest(&mut self, unit: usize) -> Result<Advanced, Trap> {
        match self.coprocessor.finish(unit) {
            None => Ok(false),
            Some((_, None)) => Ok(true),
            Some((thread, Some(request))) => {
                let fault = Fault::unmodelled(format!("{request}"));
                Err(trap(Some(Source::of_thread(thread)), fault))
            }
        }
    }

    /// Runs a core until it has touched something, or cannot go on.
    fn run_core(&mut self, k: usize) -> Result<Advanced, Trap> {
        if self.in_reset >> k & 1 != 0 {
            return Ok(false);
        }
        let mut advanced = false;
        // What a weakly ordered core pushes may be on its way at any instruction.
        let (turns, instructions) = match self.launch.order {
            Some(_) => (TURN, 1),
            None => (1, TURN),
        };
        for _ in 0..turns {
            let core = &mut self.cores[k];
            let mut view = View {
                who: k,
                coprocessor: &mut self.coprocessor,
                local: &mut self.locals[k],
                niu: &mut self.niu,
                in_reset: &mut self.in_reset,
                images: &self.image_words,
                pushing: core
                    .sent_stores()
                    .any(|addr| map::region(addr) == Region::FrontEnd),
                touched: false,
            };
            let step = core.run(&mut view, instructions).map_err(|e| Trap {
                place: Some(Place::Pc(e.pc)),
                ..trap(Some(source(k)), Reason::Riscv(Box::new(e)))
            })?;
            let touched = view.touched;
            self.last[k] = step;
            advanced |= step == Step::Ran;
            if step != Step::Ran || touched {
                break;
            }
        }
        self.note_stores(k);
        if self.cores[k].retired() > self.launch.limit {
            return Err(Trap {
                place: Some(Place::Pc(self.cores[k].pc())),
                ..trap(Some(source(k)), Reason::Endless(self.launch.limit))
            });
        }
        Ok(advanced)
    }

    /// Tells the coprocessor whether the core of a thread has stores on their way that C13 waits for.
    fn note_stores(&mut self, k: usize) {
        if (map::B + 1..map::NC).contains(&k) {
            let waited_for = |addr| matches!(map::region(addr), Region::Gprs | Region::Config);
            self.coprocessor.storing[k - 1] = self.cores[k].sent_stores().any(waited_for);
        }
    }

    fn data_movement(&mut self, dram: &mut Dram) -> Result<Advanced, Fault> {
        let Some(entry) = self.launch.dm.get(self.next_dm) else {
            return Ok(false);
        };
        if self.in_reset >> map::NC & 1 != 0 {
            return Ok(false);
        }
        match *entry {
            DmEntry::Read { arg, page, l1 } => {
                self.data
                    .read_page(dram, &mut self.coprocessor, (arg, page, l1))?
            }
            DmEntry::Write { arg, page, l1 } => {
                self.data
                    .write_page(dram, &mut self.coprocessor, (arg, page, l1))?
            }
            DmEntry::Post { counter } => {
                let value = self.word(line(counter)?)?.wrapping_add(1);
                write_words(&mut self.coprocessor, line(counter)?, &[value])?;
                self.coprocessor.check_l1()?;
            }
            DmEntry::Wait { counter, at_least } => {
                if self.word(line(counter)?)? < at_least {
                    return Ok(false);
                }
            }
        }
        self.next_dm += 1;
        Ok(true)
    }

    fn word(&mut self, addr: u32) -> Result<u32, Fault> {
        let bytes = self.coprocessor.core.l1.read(addr, 4)?;
        let word = bytes.iter().rev().fold(0, |w, &b| w << 8 | u32::from(b));
        self.coprocessor.check_l1()?;
        Ok(word)
    }

    /// What a tile whose parties have all ended leaves wrong.
    fn left_over(&mut self) -> Result<Vec<String>, Trap> {
        let mut left = Vec::new();
        for (k, name) in CORES.iter().enumerate() {
            if self.image_words[k] == 0 {
                continue;
            }
            let result = |tile: &mut Self, base| {
                tile.word(base + 4 * k as u32)
                    .map_err(|fault| trap(Some(source(k)), fault))
            };
            match (result(self, ERR)?, result(self, DONE)?) {
                (0, 1) => {}
                (0, done) => left.push(format!("core {name} stopped with {done} in DONE, not 1")),
                (error, _) => left.push(format!("core {name} reports error {error}")),
            }
        }
        left.extend(self.coprocessor.left_over());
        Ok(left)
    }

    /// What each core, front end and data movement that has not ended waits for.
    /// `name` says more about an address that is polled.
    fn waiting(&self, name: impl Fn(u32) -> String) -> Vec<String> {
        let mut out = Vec::new();
        for (k, core) in self.cores.iter().enumerate() {
            let (core_name, pc) = (CORES[k], core.pc());
            if self.in_reset >> k & 1 != 0 {
                if self.image_words[k] > 0 {
                    out.push(format!("core {core_name} was never released from reset"));
                }
                continue;
            }
            let instruction = core
                .next_instruction()
                .map_or(String::new(), |i| format!(", `{i}`,"));
            match self.last[k] {
                Step::Halted => {}
                Step::Parked { addr } => out.push(format!(
                    "core {core_name} polls {addr:#x}{} in the loop at pc {pc:#x}",
                    name(addr)
                )),
                Step::Busy | Step::Ran => out.push(format!(
                    "core {core_name} at pc {pc:#x}{instruction} is kept waiting"
                )),
            }
        }
        for thread in 0..3 {
            if let Some((instruction, pc, why)) = self.coprocessor.waiting(thread) {
                out.push(format!(
                    "{}: `{}` of pc {pc:#x} waits for {why}",
                    Source::of_thread(thread),
                    instruction.text(ARCH)
                ));
            }
        }
        if let Some(entry) = self.launch.dm.get(self.next_dm) {
            out.push(format!("dm list at entry {}, `{entry}`", self.next_dm));
        }
        out
    }
}

/// The front ends' origins are program counters here.
fn at_program_counter(trap: Trap) -> Trap {
    let place = match trap.place {
        Some(Place::Entry(pc)) => Some(Place::Pc(pc as u32)),
        place => place,
    };
    Trap { place, ..trap }
}
