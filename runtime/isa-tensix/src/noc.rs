//! The registers through which RISC-V cores move data over a NoC.
//!
//! Sources: ISA documentation, `NoC/MemoryMap.md`, `NoC/Counters.md`, `NoC/Atomics.md`. Registers are numbers of words from the initiator's
//! first on; counters numbers of words from [`COUNTERS`] on.

/// Bytes from one initiator to the next.
pub const STRIDE: u32 = 0x400;
/// NOC_TARG_ADDR_LO, and NOC_TARG_ADDR_MID behind it: what is read, or where a write takes its data.
pub const TARGET: usize = 0;
/// NOC_RET_ADDR_LO, and NOC_RET_ADDR_MID behind it: where what is read goes, or what is written.
pub const RETURN: usize = 3;
/// NOC_PACKET_TAG.
pub const TAG: usize = 6;
/// NOC_CTRL.
pub const CONTROL: usize = 7;
/// NOC_AT_LEN_BE.
pub const LENGTH: usize = 8;
/// NOC_AT_DATA.
pub const DATA: usize = 9;
/// NOC_CMD_CTRL: a store of 1 makes a request; it reads 1 until that has started.
pub const COMMAND: usize = 10;
/// NOC_CTRL of a read.
pub const READ: u32 = 0;
/// NOC_CTRL of a write that is acknowledged.
pub const WRITE: u32 = 2 | 1 << 4;
/// The lowest bit of the transaction in NOC_PACKET_TAG.
pub const TRANSACTION_BIT: u32 = 10;
/// Transactions that are counted.
pub const TRANSACTIONS: u32 = 16;
/// The most bytes of a request.
pub const LONGEST: u32 = 8192;
/// What both addresses of a request agree modulo.
pub const ALIGNMENT: u32 = 32;
/// Bytes from the first register of initiator 0 to the counters.
pub const COUNTERS: u32 = 0x200;
/// The first of the counters of requests that have not ended, one for each transaction.
pub const OUTSTANDING: u32 = 16;
/// NOC_CTRL of an atomic operation that is answered: the old word goes to NOC_RET_ADDR, which needs a place of its own.
pub const ATOMIC: u32 = 1 | 1 << 4;
/// The operation in NOC_AT_LEN_BE of an atomic increment; below it the width, and the word among four.
pub const INCREMENT: u32 = 1 << 12;
/// The lowest bit of the number of the highest bit that an increment changes.
pub const INCREMENT_WIDTH_BIT: u32 = 2;

/// The upper half of NoC addresses in the tile at (x, y).
#[must_use]
pub const fn upper_half((x, y): (u32, u32)) -> u32 {
    x << 4 | y << 10
}

/// NOC_AT_LEN_BE of an atomic increment by NOC_AT_DATA of the whole word at `addr`.
#[must_use]
pub const fn increment(addr: u32) -> u32 {
    INCREMENT | 31 << INCREMENT_WIDTH_BIT | addr >> 2 & 3
}
