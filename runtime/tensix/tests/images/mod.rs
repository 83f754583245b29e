//! RISC-V images equivalent to list programs, with the calling convention and the instruction
//! sequences of real kernels.

#![allow(dead_code, reason = "each test binary uses a part")]

use tessera_isa_tensix::list::{DmEntry, Entry, Lists};
use tessera_isa_tensix::{Arch, Instruction as Word, Opcode};
use tessera_riscv::{Instruction as I, Op};
use tessera_tensix::map::{ARGS, ARG_WORDS, BANKS, DONE, LINE, LINES};
use tessera_tensix::{Launch, TensorArg};

pub const MOP_CFG: u32 = 0xffb8_0000;
pub const GPRS: u32 = 0xffe0_0000;
pub const PC_BUF: u32 = 0xffe8_0000;
pub const CONFIG: u32 = 0xffef_0000;
pub const SOFT_RESET: u32 = 0xffb1_21b0;

/// Registers by purpose: values, addresses, the control lines.
const VALUE: u8 = 5;
const BOUND: u8 = 6;
const ADDRESS: u8 = 7;
const CONTROL: u8 = 10;

/// A core's program under construction.
#[derive(Clone, Default)]
pub struct Code(pub Vec<I>);

impl Code {
    pub fn words(&self) -> Vec<u32> {
        self.0.iter().map(|i| i.encode().unwrap()).collect()
    }

    pub fn add(mut self, code: &[I]) -> Self {
        self.0.extend(code);
        self
    }

    /// Loads a 32-bit constant.
    pub fn li(self, rd: u8, value: u32) -> Self {
        let low = (value << 20) as i32 >> 20;
        let high = value.wrapping_sub(low as u32) as i32;
        self.add(&[I::i(Op::Lui, rd, 0, high), I::i(Op::Addi, rd, rd, low)])
    }

    pub fn push(self, text: &str) -> Self {
        let word = Word::parse(Arch::WormholeB0, text).unwrap();
        self.add(&[I::push(word.encode(Arch::WormholeB0).unwrap())])
    }

    /// Stores a constant.
    pub fn store(self, addr: u32, value: u32) -> Self {
        self.li(VALUE, value)
            .li(ADDRESS, addr)
            .add(&[I::s(Op::Sw, ADDRESS, VALUE, 0)])
    }

    /// Loads from the address stored last, and waits for the result before the program continues.
    pub fn read_back(self) -> Self {
        self.add(&[
            I::i(Op::Lw, VALUE, ADDRESS, 0),
            I::i(Op::Andi, VALUE, VALUE, 0),
        ])
    }

    /// Executes `wait_mop` (8) or `wait_idle` (4).
    pub fn wait(self, check: u32) -> Self {
        self.li(ADDRESS, PC_BUF + check)
            .add(&[I::s(Op::Sw, ADDRESS, 0, 0)])
            .read_back()
    }

    /// Polls until a word is at least `bound`.
    pub fn poll(self, addr: u32, bound: u32) -> Self {
        self.li(ADDRESS, addr).li(BOUND, bound).add(&[
            I::i(Op::Lw, VALUE, ADDRESS, 0),
            I::s(Op::Bltu, VALUE, BOUND, -4),
        ])
    }

    /// Computes the address of a counter from the argument.
    fn line(self, counter: u16) -> Self {
        self.li(ADDRESS, u32::from(counter) * LINE)
            .add(&[I::r(Op::Add, ADDRESS, ADDRESS, CONTROL)])
    }

    fn entry(self, entry: Entry) -> Self {
        let semaphore = |sem: u8| PC_BUF + 0x20 + 4 * u32::from(sem);
        match entry {
            Entry::Push(word) => self.add(&[I::push(word)]),
            Entry::MopCfg { index, value } => self.store(MOP_CFG + 4 * u32::from(index), value),
            Entry::WaitMop => self.wait(8),
            Entry::WaitIdle => self.wait(4),
            Entry::SemPost(sem) => self.store(semaphore(sem), 0),
            Entry::SemGet(sem) => self.store(semaphore(sem), 1),
            Entry::SemPoll { sem, at_least } => self.poll(semaphore(sem), at_least.into()),
            Entry::Post { counter } => self
                .line(counter)
                .add(&[
                    I::i(Op::Lw, VALUE, ADDRESS, 0),
                    I::i(Op::Addi, VALUE, VALUE, 1),
                    I::s(Op::Sw, ADDRESS, VALUE, 0),
                ])
                .read_back(),
            Entry::Wait { counter, at_least } => self.line(counter).li(BOUND, at_least).add(&[
                I::i(Op::Lw, VALUE, ADDRESS, 0),
                I::s(Op::Bltu, VALUE, BOUND, -4),
            ]),
        }
    }

    /// Stores 1 to the core's DONE word and halts.
    pub fn end(self, core: u32) -> Self {
        self.store(DONE + 4 * core, 1).halt()
    }

    pub fn halt(self) -> Self {
        self.add(&[I::i(Op::Jal, 0, 0, 0)])
    }
}

/// Starts T core `core`: loads the address of the control lines.
pub fn start(core: u32) -> Code {
    Code::default()
        .li(ADDRESS, ARGS + 4 * ARG_WORDS as u32 * core)
        .add(&[I::i(Op::Lw, CONTROL, ADDRESS, 0)])
}

/// Returns a T core's image: its list, then the wait for the coprocessor.
pub fn of_list(core: u32, list: &[Entry]) -> Code {
    list.iter()
        .fold(start(core), |code, &entry| code.entry(entry))
        .wait(4)
        .end(core)
}

/// Addresses of NoC 0 and of its registers that kernels use.
pub const NOC: u32 = 0xffb2_0000;
const COMMAND: i32 = 0x28;
const READ: u32 = 0;
const ACKNOWLEDGED_WRITE: u32 = 0x12;
/// More registers by purpose: an initiator, the bank table, the NoC's counters.
const INITIATOR: u8 = 11;
const TABLE: u8 = 12;
const COUNTERS: u8 = 13;

impl Code {
    fn set(self, register: i32, value: u32) -> Self {
        self.li(VALUE, value)
            .add(&[I::s(Op::Sw, INITIATOR, VALUE, register)])
    }

    /// Moves a page of 2048 bytes; `transaction` counts it.
    fn page(self, write: bool, (bank, offset): (u32, u32), l1: u32, transaction: u32) -> Self {
        let (near, far, control) = if write {
            (0, 12, ACKNOWLEDGED_WRITE)
        } else {
            (12, 0, READ)
        };
        let entry = 8 * bank as i32;
        self.li(ADDRESS, offset)
            .add(&[
                I::i(Op::Lw, VALUE, TABLE, entry),
                I::s(Op::Sw, INITIATOR, VALUE, far + 4),
                I::i(Op::Lw, VALUE, TABLE, entry + 4),
                I::r(Op::Add, VALUE, VALUE, ADDRESS),
                I::s(Op::Sw, INITIATOR, VALUE, far),
                I::i(Op::Lw, VALUE, TABLE, 8 * 12),
                I::s(Op::Sw, INITIATOR, VALUE, near + 4),
            ])
            .set(near, l1)
            .set(0x18, transaction << 10)
            .set(0x1c, control)
            .set(0x20, 2048)
            .set(COMMAND, 1)
            .started()
    }

    /// Issues a request with constant registers: target, return (low and upper halves), tag,
    /// control, length, data.
    pub fn request(self, values: [u32; 8]) -> Self {
        let registers = [0, 4, 0xc, 0x10, 0x18, 0x1c, 0x20, 0x24];
        registers
            .into_iter()
            .zip(values)
            .fold(self, |code, (register, value)| code.set(register, value))
            .set(COMMAND, 1)
            .started()
    }

    /// Waits until the request has started. Before that, the counters may not include it, because
    /// loads overtake stores.
    pub fn started(self) -> Self {
        self.add(&[
            I::i(Op::Lw, VALUE, INITIATOR, COMMAND),
            I::s(Op::Bne, VALUE, 0, -4),
        ])
    }

    /// Waits until the requests of a transaction have completed.
    pub fn transaction(self, transaction: u32) -> Self {
        self.add(&[
            I::i(Op::Lw, VALUE, COUNTERS, 0x240 + 4 * transaction as i32),
            I::s(Op::Bne, VALUE, 0, -4),
        ])
    }
}

/// Starts a core that uses initiator `initiator` of the NoC.
pub fn start_with_noc(core: u32, initiator: u32) -> Code {
    start(core)
        .li(INITIATOR, NOC + 0x400 * initiator)
        .li(TABLE, BANKS)
        .li(COUNTERS, NOC)
}

/// Returns NC's image: the data movement list through the NoC. Everything except the pages is
/// constant. Without `waits` it does not wait for their arrival.
pub fn of_dm(dm: &[DmEntry], tensors: &[TensorArg], waits: bool) -> Code {
    let mut code = start_with_noc(4, 1);
    for (k, &entry) in (0u32..).zip(dm) {
        let transaction = k % 16;
        let place = |arg: u16, page: u32| {
            let base = tensors[usize::from(arg)].base as u32;
            (page % 12, base + page / 12 * 2048)
        };
        code = match entry {
            DmEntry::Read { arg, page, l1 } => {
                let code = code.page(false, place(arg, page), l1, transaction);
                if waits {
                    code.transaction(transaction)
                } else {
                    code
                }
            }
            DmEntry::Write { arg, page, l1 } => code
                .page(true, place(arg, page), l1, transaction)
                .transaction(transaction),
            DmEntry::Post { counter } => code.entry(Entry::Post { counter }),
            DmEntry::Wait { counter, at_least } => code.entry(Entry::Wait { counter, at_least }),
        };
    }
    code.end(4)
}

/// Returns B's image: pushes `setup` into thread 0, waits until it has executed, releases the other
/// cores and waits until they have ended.
pub fn boot(setup: &[I]) -> Code {
    let marker = GPRS + 4 * 60;
    let code = Code::default()
        .store(marker, 0)
        .read_back()
        .add(setup)
        .push("ttsetdmareg 0, 1, 0, 120")
        .poll(marker, 1)
        .store(SOFT_RESET, 0);
    (1..5)
        .fold(code, |code, core| code.poll(DONE + 4 * core, 1))
        .end(0)
}

/// Returns the images of a list program. B executes the initialisation of semaphores.
pub fn of_lists(lists: &Lists) -> [Vec<u32>; 5] {
    let initialises = |entry: &Entry| match entry {
        Entry::Push(word) => matches!(
            Word::decode(Arch::WormholeB0, *word),
            Ok(word) if word.opcode() == Opcode::Seminit
        ),
        _ => false,
    };
    let mut setup = Vec::new();
    let threads = [0, 1, 2].map(|thread| {
        let (first, rest): (Vec<Entry>, Vec<Entry>) =
            lists.thread(thread).iter().copied().partition(initialises);
        setup.extend(first.iter().map(|entry| match entry {
            Entry::Push(word) => I::push(*word),
            _ => unreachable!("only pushes initialise"),
        }));
        of_list(thread as u32 + 1, &rest).words()
    });
    let [t0, t1, t2] = threads;
    [
        boot(&setup).words(),
        t0,
        t1,
        t2,
        Code::default().end(4).words(),
    ]
}

/// The address of the control lines, the only argument of these images.
pub const CONTROL_LINES: &[u32] = &[LINES.start];

pub fn launch<'a>(
    images: &'a [Vec<u32>; 5],
    lists: &'a Lists,
    tensors: &'a [TensorArg],
    order: Option<u64>,
) -> Launch<'a> {
    Launch {
        images: images.each_ref().map(Vec::as_slice),
        args: [CONTROL_LINES; 5],
        dm: &lists.dm,
        tensors,
        order,
        limit: 1_000_000,
    }
}
