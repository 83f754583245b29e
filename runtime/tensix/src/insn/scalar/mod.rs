//! Scalar unit (ThCon): arithmetic on GPRs, moves to configuration and address counters, results of
//! packers.
//!
//! Source: ISA documentation, `ScalarUnit.md` and the pages of the instructions below. The thread
//! waits for each instruction, so none is in flight when the next one issues. FLUSHDMA waits in
//! [`crate::issue::coprocessor`] and has no effect here.
//!
//! | module | instructions |
//! |---|---|
//! | `arithmetic` | ADDDMAREG and its kind, SETDMAREG, REG2FLOP |
//! | `memory` | LOADIND, STOREIND, LOADREG, STOREREG, ATINCGET, ATINCGETPTR, ATSWAP, ATCAS |
//! | `packer_results` | SETDMAREG from configuration and state of the packers |
//!
//! `traits` has a row for each of them.
//!
//! Blackhole has no pages of its own for this unit. LLK's `assembly.yaml` describes the
//! instructions of both chips identically, except for the packers' results; the latest
//! `REG2FLOP_*.md` (at f6a77780) call REG2FLOP unsupported there.
//!
//! Validation: compared with ttsim 1.10.0, together with the configuration, sync and miscellaneous
//! instructions that it has. GPRs, configuration, semaphores and address counters were equal after
//! each of 151,446 random instructions, and 224,412 on Blackhole (there the low 8 bits of Z and W:
//! [`crate::state::adc`]).

mod arithmetic;
mod memory;
mod packer_results;
mod traits;
mod unit;

pub(super) use traits::{execute, TRAITS};
pub(super) use unit::ScalarUnit;
