//! Assembly sequences of the cores' operations. Each is defined once, with the reason for its form.
//!
//! A sequence is inline assembly with side effects that may touch all of memory, so LLVM keeps all
//! sequences in order. `$0` is the result or the scratch register, and the operands follow; without
//! either, operands begin at `$0`. Addresses are given as [`Address`]: a register with the upper
//! part and an offset, so that neighbouring addresses share the register.
//!
//! Memory is weakly ordered between regions (`runtime/riscv`). A store is complete once a load of
//! the stored word has been used.

use tessera_isa_tensix::tile::{self, B};
use tessera_isa_tensix::{noc, Arch, Opcode};

/// Inline assembly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Asm {
    pub(super) text: String,
    /// Whether `$0` is a result.
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

    /// Returns LLVM's constraint string for a number of operands.
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
    /// Upper part: a multiple of 4096, which a single instruction loads.
    pub(super) upper: u32,
    /// Offset for the instruction.
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

/// Pushes constant words, one `ttinsn` each.
pub(super) fn push(words: &[u32]) -> Asm {
    let lines = words
        .iter()
        .map(|word| format!(".word {:#010x}", ttinsn(*word)));
    Asm::new(lines.collect::<Vec<_>>().join("\n"))
}

/// Encodes a `ttinsn`. Its encoding has room for every word with an opcode of the table.
fn ttinsn(word: u32) -> u32 {
    tessera_riscv::Instruction::push(word)
        .encode()
        .expect("no instruction's opcode is above 0xbf")
}

/// Stores `$0` to `$1`: pushes a computed word, or writes MopCfg. Stores of both kinds stay in
/// order.
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

/// Waits for the coprocessor, register address in `$1`. The load blocks until the coprocessor is
/// done. The store before it ensures that all pushes are seen, and using the result makes the core
/// wait for the load. No other access to these registers may come between.
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

/// Increments the counter at `$1`, which no other agent writes. Reading it back orders the store
/// before everything that follows.
pub(super) fn post(offset: i32) -> Asm {
    Asm::writing(format!(
        "lw $0, {offset}($1)\naddi $0, $0, 1\nsw $0, {offset}($1)\nlw $0, {offset}($1)\nandi $0, $0, 0"
    ))
}

/// Builder of stores to the registers of a NoC initiator at `$1`.
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

    /// Returns the offset of a register from `$1`.
    fn offset(&self, register: usize) -> usize {
        let word = self.layout.word(register);
        4 * word.expect("every chip has the registers of requests")
    }

    /// Stores a machine register.
    fn store(mut self, register: usize, from: &str) -> Self {
        self.text += &format!("sw {from}, {}($1)\n", self.offset(register));
        self
    }

    /// Stores a constant, by way of `$0`.
    fn set(mut self, register: usize, value: u32) -> Self {
        self.text += &format!("li $0, {value}\n");
        self.store(register, "$0")
    }

    /// Stores the lower and the upper half of an address. Words in between, the upper half of an
    /// address within a tile, are 0.
    fn address(self, register: usize, [lower, upper]: [&str; 2]) -> Self {
        let at = self.layout.upper;
        let lower = self.store(register, lower);
        let between = (1..at).fold(lower, |all, k| all.store(register + k, "zero"));
        between.store(register + at, upper)
    }

    /// Starts the request and waits until it has begun.
    fn begin(self) -> Asm {
        let command = self.offset(noc::COMMAND);
        let text = self.set(noc::COMMAND, 1).text;
        Asm::writing(format!("{text}1:\nlw $0, {command}($1)\nbnez $0, 1b"))
    }
}

/// A move that the NoC makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Move {
    /// To L1.
    Read,
    /// From L1.
    Write,
    /// From L1 to all other tiles of a rectangle.
    Broadcast,
}

/// Makes a request of the NoC, the initiator's registers at `$1`: `$2` and `$3` are the lower and
/// upper half of the address elsewhere, `$4` and `$5` of the one in L1, `$6` is the packet's tag,
/// `$7` the length. Waits until it has started: only then may the registers be written again, or
/// counters tell of it.
pub(super) fn noc_request(arch: Arch, kind: Move) -> Asm {
    let (far, near, control) = match kind {
        Move::Read => (noc::TARGET, noc::RETURN, noc::READ),
        Move::Write => (noc::RETURN, noc::TARGET, noc::WRITE),
        Move::Broadcast => (noc::RETURN, noc::TARGET, noc::WRITE | noc::BROADCAST),
    };
    Registers::new(arch)
        .address(far, ["$2", "$3"])
        .address(near, ["$4", "$5"])
        .store(noc::TAG, "$6")
        .set(noc::CONTROL, control)
        .store(noc::LENGTH, "$7")
        .begin()
}

/// Makes a read that follows another of the same length, transaction and initiator, without a
/// request in between: only the addresses in `$2`, `$3` and `$4` differ.
pub(super) fn noc_next_read(arch: Arch) -> Asm {
    let far = Registers::new(arch).address(noc::TARGET, ["$2", "$3"]);
    far.store(noc::RETURN, "$4").begin()
}

/// Has the NoC add one to a word of another tile's L1, or in a broadcast of all tiles of a
/// rectangle, the initiator's registers at `$1`: `$2` and `$3` are the lower and upper half of its
/// address, `$4` and `$5` of where the old value goes, `$6` is the packet's tag, `$7` what is to be
/// done to which word. Waits until it has started.
pub(super) fn noc_increment(arch: Arch, is_broadcast: bool) -> Asm {
    let control = match is_broadcast {
        true => noc::ATOMIC | noc::BROADCAST | noc::SENDER_INCLUDED,
        false => noc::ATOMIC,
    };
    Registers::new(arch)
        .address(noc::TARGET, ["$2", "$3"])
        .address(noc::RETURN, ["$4", "$5"])
        .store(noc::TAG, "$6")
        .set(noc::CONTROL, control)
        .store(noc::LENGTH, "$7")
        .set(noc::DATA, 1)
        .begin()
}

/// Loads the word, or half word, at `$1`.
pub(super) fn load_l1(bytes: u32) -> Asm {
    let load = if bytes == 2 { "lhu" } else { "lw" };
    Asm::writing(format!("{load} $0, 0($1)"))
}

/// Stores `$0`, or its lower half, to `$1`.
pub(super) fn store_l1(bytes: u32) -> Asm {
    let store = if bytes == 2 { "sh" } else { "sw" };
    Asm::new(format!("{store} $0, 0($1)"))
}

/// Stores 0 at `$1` and reads it back. Stores complete in order, the load waits for the store to
/// its address, and using the result makes the core wait for the load.
pub(super) fn settle_l1() -> Asm {
    Asm::writing("sw zero, 0($1)\nlw $0, 0($1)\nandi $0, $0, 0")
}

/// Polls the word at `$1` until it is 0.
pub(super) fn poll_zero() -> Asm {
    Asm::writing("1:\nlw $0, 0($1)\nbnez $0, 1b")
}

/// Polls the word at `$1` until it is `$2`.
pub(super) fn poll_equal() -> Asm {
    Asm::writing("1:\nlw $0, 0($1)\nbne $0, $2, 1b")
}

/// GPR of thread 0 that the coprocessor sets when everything that B pushed is done. It is unused
/// before the cores are released.
const MARKER: u32 = 60;
/// STALLWAIT block mask: scalar unit instructions.
const BLOCK_SCALAR: u32 = 1 << 5;
/// STALLWAIT: until memory requests of the scalar unit (C0), unpackers, packers, the matrix unit
/// (on Wormhole C1 to C7), the mover (C12) and the vector unit (C14) are done.
const fn everything(arch: Arch) -> u32 {
    match arch {
        Arch::WormholeB0 => 0xff | 1 << 12 | 1 << 14,
        Arch::Blackhole => 0x1f | 1 << 9 | 1 << 11,
    }
}

/// Returns the instructions that set the marker after all earlier ones are done.
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

/// Waits for what B has pushed, then takes the other cores out of reset. `$1` is the address of
/// thread 0's registers, `$2` the upper part of the soft reset's address. B cannot query whether a
/// thread is idle. So it clears a marker register, reads it back, and has the thread set it after
/// everything else.
pub(super) fn release(arch: Arch, reset: i32) -> Asm {
    let marker = 4 * MARKER;
    let [stall, set] = set_marker(arch).map(ttinsn);
    Asm::writing(format!(
        "sw zero, {marker}($1)\nlw $0, {marker}($1)\nandi $0, $0, 0\n\
         .word {stall:#010x}\n.word {set:#010x}\n1:\nlw $0, {marker}($1)\nbeqz $0, 1b\nsw zero, {reset}($2)"
    ))
}

/// Ends a core's program. B waits for the other cores' DONE words, at `$1`. Then the core sets its
/// own DONE word and parks in a jump to itself.
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
