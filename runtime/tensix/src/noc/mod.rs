//! The NoC interface unit (NIU) of a tile: its four initiators, their requests, and its registers.
//!
//! An initiator accepts a request upon a store of 1 to its command register, which reads 1 until
//! the request has started. Requests start in order, but arrive in any order; even an increment may
//! arrive before an earlier write. Requests stay in order only if they have the same destination
//! and are linked or use the same virtual channel, selected by software. In general only the
//! counters tell what has arrived.
//!
//! A write has been *sent* once its bytes have been read from the tile. Until then they must not
//! change. The counters of sent and of outgoing requests then change together (the documentation
//! has the first change a little earlier). Data arrives in one piece or, if the launch requests it,
//! in units of 16 bytes. The units at 0 mod 32 and those at 16 mod 32 form two streams. Each stream
//! is in order, but there is no order between streams or between requests.
//!
//! Checked: registers that a request uses are written ([`CheckPolicy::Strict`]), and do not change
//! before it has started; addresses are aligned as in `Alignment.md`; lengths are 1 to 8192
//! (Blackhole: 16384); the bytes of a write do not change before it has been sent; units do not
//! access bytes that are being moved; images do not change; a core that reports completion has no
//! request left.
//!
//! Refused by name: split requests, deliveries to the overlay, parallel atomic additions, byte
//! enables for registers, requests between two other tiles; on Blackhole inline writes to L1, which
//! the hardware executes incorrectly, and broadcasts that exclude tiles.
//!
//! Source: ISA documentation, for both chips `NoC/MemoryMap.md`, `NoC/Counters.md`,
//! `NoC/Coordinates.md` (also the locations of DRAM), `NoC/Atomics.md`; for Blackhole
//! `NoC/Interrupts.md`; for Wormhole `NoC/Alignment.md`, `NoC/Ordering.md`, `DRAMTile/README.md`.
//! Blackhole has no pages for the latter and is assumed to be the same, except for the alignment of
//! DRAM ([`tessera_isa_tensix::noc::Layout`]).

mod alignment;
mod atomic;
mod configuration;
mod coordinates;
mod counters;
mod delivery;
pub(crate) mod grid;
mod interrupts;
mod location;
mod niu;
mod operation;
mod request;
mod transit;
mod translation;

pub(crate) use configuration::{Configuration, TileNaming};
pub(crate) use counters::Served;
pub(crate) use delivery::{noc_trap, Delivery, Payload, Progress};
pub(crate) use location::{dram_place, Location};
pub(crate) use niu::Niu;
