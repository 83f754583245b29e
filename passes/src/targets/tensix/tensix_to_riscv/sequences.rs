//! What the cores do, as the assembly that does it. Each sequence stands here once, with the reason
//! for its form.
//!
//! A sequence is inline assembly that has side effects and may touch all of memory, so LLVM keeps
//! all of them, in order. `$0` is its result or its scratch register, the operands follow (without
//! either, operands begin at `$0`). Addresses are given as [`Address`]: a register with the upper
//! part and an offset, so that neighbours share the register.
//!
//! Memory is weakly ordered between regions (`runtime/riscv`): a load of what was stored last, the
//! result of which is used, is what makes a store have happened.

use tessera_isa_tensix::tile::{self, B};
use tessera_isa_tensix::{noc, Arch, Opcode};

/// Inline assembly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Asm {
    pub(super) text: String,
    /// Whether `$0` is written.
    pub(super) writes: bool,
}

impl Asm {
    fn new(text: impl Into<String>) -> Self {
        Asm {
            text: text.into(),
            writes: false,
        }
    }

    fn writing(text: impl Into<String>) -> Self {
        Asm {
            writes: true,
            ..Asm::new(text)
        }
    }

    /// The constraints of LLVM for that many operands.
    pub(super) fn constraints(&self, operands: usize) -> String {
        let result = self.writes.then_some("=&r");
        let operands = std::iter::repeat_n("r", operands);
        let all: Vec<_> = result
            .into_iter()
            .chain(operands)
            .chain(["~{memory}"])
            .collect();
        all.join(",")
    }
}

/// An address as loads and stores take it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Address {
    /// For the register: a multiple of 4096, so that one instruction loads it.
    pub(super) upper: u32,
    /// For the instruction.
    pub(super) offset: i32,
}

impl Address {
    pub(super) fn new(address: u32) -> Self {
        let upper = address.wrapping_add(0x800) & !0xfff;
        Address {
            upper,
            offset: address.wrapping_sub(upper) as i32,
        }
    }
}

/// `ttinsn` for each word: one instruction that stores its operand to where instructions are
/// pushed.
pub(super) fn push(words: &[u32]) -> Asm {
    let lines = words
        .iter()
        .map(|word| format!(".word {:#010x}", ttinsn(*word)));
    Asm::new(lines.collect::<Vec<_>>().join("\n"))
}

/// The encoding of `ttinsn`, which has room for every word that begins with an opcode of the table.
fn ttinsn(word: u32) -> u32 {
    tessera_riscv::Instruction::push(word)
        .encode()
        .expect("no instruction's opcode is above 0xbf")
}

/// Stores `$0` to `$1`: pushes a computed word, or writes MopCfg. Both keep their order among each
/// other.
pub(super) fn store(offset: i32) -> Asm {
    Asm::new(format!("sw $0, {offset}($1)"))
}

/// Stops at an `ebreak` if `$0` is more than `$1`.
pub(super) fn require_at_most() -> Asm {
    Asm::new("bgeu $1, $0, 1f\nebreak\n1:")
}

/// Stores 0 to `$0`: posts a semaphore.
pub(super) fn store_zero(offset: i32) -> Asm {
    Asm::new(format!("sw zero, {offset}($0)"))
}

/// Waits for the coprocessor, address in `$1`. The load is held up until it is done; the store
/// before it makes sure that what was pushed is seen; using the result makes the core wait for it.
/// Nothing else may touch these registers between.
pub(super) fn wait(offset: i32) -> Asm {
    Asm::writing(format!(
        "sw zero, {offset}($1)\nlw $0, {offset}($1)\nandi $0, $0, 0"
    ))
}

/// Polls the word at `$1` until it is at least `$2`.
pub(super) fn poll(offset: i32) -> Asm {
    Asm::writing(format!("1:\nlw $0, {offset}($1)\nbltu $0, $2, 1b"))
}

/// Polls the counter at `$1` until it is at least `$2`, where both wrap: until their difference is
/// not negative. One load and computations, which is the form in which cores park.
pub(super) fn await_counter(offset: i32) -> Asm {
    Asm::writing(format!(
        "1:\nlw $0, {offset}($1)\nsub $0, $0, $2\nbltz $0, 1b"
    ))
}

/// Adds one to the counter at `$1`. Nobody else writes it. Reading it back makes it come before
/// whatever follows.
pub(super) fn post(offset: i32) -> Asm {
    Asm::writing(format!(
        "lw $0, {offset}($1)\naddi $0, $0, 1\nsw $0, {offset}($1)\nlw $0, {offset}($1)\nandi $0, $0, 0"
    ))
}

/// Stores to the registers of an initiator at `$1`.
struct Registers {
    layout: &'static noc::Layout,
    text: String,
}

impl Registers {
    fn new(arch: Arch) -> Self {
        Registers {
            layout: noc::layout(arch),
            text: String::new(),
        }
    }

    /// Where a register is, from `$1` on.
    fn offset(&self, register: usize) -> usize {
        let word = self.layout.word(register);
        4 * word.expect("every chip has the registers of requests")
    }

    /// Stores what a machine register holds.
    fn store(mut self, register: usize, from: &str) -> Self {
        self.text += &format!("sw {from}, {}($1)\n", self.offset(register));
        self
    }

    /// Stores a constant, by way of `$0`.
    fn set(mut self, register: usize, value: u32) -> Self {
        self.text += &format!("li $0, {value}\n");
        self.store(register, "$0")
    }

    /// Stores the lower and the upper half of an address. What is between them, the upper half of
    /// an address in a tile, is 0.
    fn address(self, register: usize, [lower, upper]: [&str; 2]) -> Self {
        let at = self.layout.upper;
        let lower = self.store(register, lower);
        let between = (1..at).fold(lower, |all, k| all.store(register + k, "zero"));
        between.store(register + at, upper)
    }

    /// Lets the initiator begin, and waits until it has.
    fn begin(self) -> Asm {
        let command = self.offset(noc::COMMAND);
        let text = self.set(noc::COMMAND, 1).text;
        Asm::writing(format!("{text}1:\nlw $0, {command}($1)\nbnez $0, 1b"))
    }
}

/// Makes a request of the NoC, the initiator's registers at `$1`: `$2` and `$3` are the lower and
/// upper half of the address elsewhere, `$4` and `$5` of the one in L1, `$6` is the packet's tag,
/// `$7` the length. Waits until it has started: only then may the registers be written again, or
/// counters tell of it.
pub(super) fn noc_request(arch: Arch, writes: bool) -> Asm {
    let (far, near, control) = if writes {
        (noc::RETURN, noc::TARGET, noc::WRITE)
    } else {
        (noc::TARGET, noc::RETURN, noc::READ)
    };
    Registers::new(arch)
        .address(far, ["$2", "$3"])
        .address(near, ["$4", "$5"])
        .store(noc::TAG, "$6")
        .set(noc::CONTROL, control)
        .store(noc::LENGTH, "$7")
        .begin()
}

/// Has the NoC add one to a word of another tile's L1, the initiator's registers at `$1`: `$2` and
/// `$3` are the lower and upper half of its address, `$4` and `$5` of where the old value goes,
/// `$6` is the packet's tag, `$7` what is to be done to which word. Waits until it has started.
pub(super) fn noc_increment(arch: Arch) -> Asm {
    Registers::new(arch)
        .address(noc::TARGET, ["$2", "$3"])
        .address(noc::RETURN, ["$4", "$5"])
        .store(noc::TAG, "$6")
        .set(noc::CONTROL, noc::ATOMIC)
        .store(noc::LENGTH, "$7")
        .set(noc::DATA, 1)
        .begin()
}

/// Loads the word, or the half of one, at `$1`.
pub(super) fn load_l1(bytes: u32) -> Asm {
    let load = if bytes == 2 { "lhu" } else { "lw" };
    Asm::writing(format!("{load} $0, 0($1)"))
}

/// Stores `$0`, or its lower half, to `$1`.
pub(super) fn store_l1(bytes: u32) -> Asm {
    let store = if bytes == 2 { "sh" } else { "sw" };
    Asm::new(format!("{store} $0, 0($1)"))
}

/// Stores 0 at `$1` and reads it back. Stores are done in order, and the load waits for the one to
/// its own address; using the result makes the core wait for it.
pub(super) fn settle_l1() -> Asm {
    Asm::writing("sw zero, 0($1)\nlw $0, 0($1)\nandi $0, $0, 0")
}

/// Polls the word at `$1` until it is 0.
pub(super) fn poll_zero() -> Asm {
    Asm::writing("1:\nlw $0, 0($1)\nbnez $0, 1b")
}

/// The coprocessor's register of thread 0 that B has it set when everything that B pushed is done.
/// Nothing else is known to use it before the cores are released.
const MARKER: u32 = 60;
/// STALLWAIT: what the scalar unit executes waits.
const BLOCK_SCALAR: u32 = 1 << 5;
/// STALLWAIT: until memory requests of the scalar unit (C0), unpackers, packers, the matrix unit
/// (on Wormhole C1 to C7), the mover (C12) and the vector unit (C14) are done.
const fn everything(arch: Arch) -> u32 {
    match arch {
        Arch::WormholeB0 => 0xff | 1 << 12 | 1 << 14,
        Arch::Blackhole => 0x1f | 1 << 9 | 1 << 11,
    }
}

/// The instructions that set the marker when all before them are done.
fn set_marker(arch: Arch) -> [u32; 2] {
    let encode = |opcode: Opcode, operands: &[(&str, u32)]| {
        let row = opcode.row();
        let value = |name| {
            let given = operands.iter().find(|(operand, _)| *operand == name);
            given.map_or(0, |(_, value)| *value)
        };
        let fields = row.fields(arch).iter();
        let values: Vec<u32> = fields.map(|field| value(field.name)).collect();
        row.encode(arch, &values)
            .expect("the operands are constants that fit")
    };
    let all_is_done = [("stall_res", BLOCK_SCALAR), ("wait_res", everything(arch))];
    let set = [("payload_sig_sel", 1), ("reg_index_16b", 2 * MARKER)];
    [
        encode(Opcode::Stallwait, &all_is_done),
        encode(Opcode::Setdmareg, &set),
    ]
}

/// Waits for what B has pushed, then takes the other cores out of reset; `$1` is where the
/// registers of thread 0 are, `$2` the upper part of the soft reset's address. B cannot ask whether
/// a thread is idle, so it has the thread tell: the marker is cleared, read back, and set by the
/// thread behind everything else.
pub(super) fn release(arch: Arch, reset: i32) -> Asm {
    let marker = 4 * MARKER;
    let [stall, set] = set_marker(arch).map(ttinsn);
    Asm::writing(format!(
        "sw zero, {marker}($1)\nlw $0, {marker}($1)\nandi $0, $0, 0\n\
         .word {stall:#010x}\n.word {set:#010x}\n1:\nlw $0, {marker}($1)\nbeqz $0, 1b\nsw zero, {reset}($2)"
    ))
}

/// The end of a core: B waits for the others, whose DONE words are at `$1`; then the core's own
/// becomes 1, and it jumps to itself, which parks it.
pub(super) fn end(core: usize, done: i32) -> Asm {
    let word = |core: usize| done + 4 * core as i32;
    let mut text = String::new();
    if core == B {
        for other in (0..tile::CORES.len()).filter(|other| *other != B) {
            text += &format!("{other}:\nlw $0, {}($1)\nbeqz $0, {other}b\n", word(other));
        }
    }
    text += &format!("li $0, 1\nsw $0, {}($1)\n9:\nj 9b", word(core));
    Asm::writing(text)
}

#[cfg(test)]
mod tests;
