//! Host traces: what a host has sent to a chip, and what the chip answered, line by line.
//!
//! The format is that of the recordings of mesham/tt-sim (`docs` and `driver/*/server/README.md`
//! there): a line is a command, the place of a tile on NoC 0, an address, a size, the bytes
//! written, and for reads the bytes answered:
//!
//! ```text
//! WRITE core=1,1 addr=0x2010 size=4 data=01020304
//! READ core=1,1 addr=0x4a0 size=4 data=- reply=00000000
//! RESET_DEASSERT core=1,1 addr=0x0 size=0 data=-
//! EXIT core=0,0 addr=0x0 size=0 data=-
//! ```
//!
//! [`Trace::parse`] refuses whatever is not that, with the number of the line; [`Replay`] does to a
//! chip what the host did.

mod parse;
mod replay;

pub use parse::{Command, Event, Problem, Trace, TraceError};
pub use replay::{Limits, Mismatch, Outcome, Replay, ReplayError};
