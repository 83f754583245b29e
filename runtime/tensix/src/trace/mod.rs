//! Host traces: recordings of a host's commands to a chip, and of the chip's replies.
//!
//! The format is that of the recordings of mesham/tt-sim (`docs` and `driver/*/server/README.md`
//! there). A line has a command, the coordinates of a tile on NoC 0, an address, a size, the bytes
//! written, and for reads the bytes returned:
//!
//! ```text
//! WRITE core=1,1 addr=0x2010 size=4 data=01020304
//! READ core=1,1 addr=0x4a0 size=4 data=- reply=00000000
//! RESET_DEASSERT core=1,1 addr=0x0 size=0 data=-
//! EXIT core=0,0 addr=0x0 size=0 data=-
//! ```
//!
//! [`Trace::parse`] reports the line number of an error; [`Replay`] repeats the commands on a chip.

mod parse;
mod replay;

pub use parse::{Command, Event, Problem, Trace, TraceError};
pub use replay::{Limits, Mismatch, Outcome, Replay, ReplayError};
