//! A functional, bit-exact model of MN-Core 2, based on the vendor's Software Developer Manual.
//!
//! [`machine`] executes programs of `tessera_isa_mncore`. Each [`step`] runs on [`block`]s of
//! processing elements and on the [`board`] around them, with the arithmetic of [`numerics`].
//! [`trap`] lists the reasons for which execution stops. [`undetermined`] lists in one table the
//! points that the manual leaves open, with the choice of this model.
//!
//! The manual's pseudo-code is implemented twice: optimised in the fast modules, and transcribed
//! literally in [`mod@reference`]. `tests/programs/differential.rs` compares the two on random
//! programs that cover all instructions.
//!
//! | fast | transcription |
//! |---|---|
//! | [`bus`], [`block`] | [`reference::operands`] |
//! | [`step`] | [`reference::step`] |
//! | [`transfer`] | [`reference::transfer`] |
//! | [`reduction`], [`numerics::rrn`] | [`reference::reduction`] |
//! | [`l2bm`] | [`reference::l2bm`] |
//! | [`l1bm`] | [`reference::l1bm`] |
//! | [`mau`], [`matrix_register`] | [`reference::mau`], [`reference::matrix`] |
//! | [`alu`], [`numerics::alu`] | [`reference::alu`] |
//! | [`numerics`] | [`numerics::oracle`] |
//!
//! Other modules observe or surround the execution. [`stats`] and [`trace`] report what a program
//! did and when, using the estimated [`timeline`]. [`image`] transfers files to and from PDM and
//! DRAM. [`place`] reads and writes any memory. The memories of PEs are [`planes`]. Blocks in equal
//! states are stored and executed once ([`copy_on_write`]).
//!
//! ```
//! use tessera_mncore::machine::{Event, Machine, Options};
//!
//! let program = tessera_isa_mncore::parse("lpassa $subpeid $lm0\nd get $lm0n0c0b0m0p3 1\n").unwrap();
//! let mut machine = Machine::new(Options::default());
//! machine
//!     .run(&program, &mut |event| {
//!         let Event::Dump(line) = event else { panic!() };
//!         assert!(line.starts_with("DEBUG-LM0(n0c0b0m0p3,0):(f:0, i:{{0x0,0x0},{0x0,0x3}}, v:0x3)"));
//!     })
//!     .unwrap();
//! ```
//!
#![doc = include_str!("../../../docs/reference/mncore/sections.md")]

pub mod alu;
pub mod batch;
pub mod block;
pub mod board;
pub mod bus;
pub mod copy_on_write;
pub mod debug;
pub mod decoded;
pub mod dram;
pub mod footprint;
pub mod geometry;
pub mod image;
pub mod l1bm;
pub mod l2bm;
pub mod machine;
pub mod matrix_register;
pub mod mau;
pub mod memory;
pub mod numerics;
pub mod place;
pub mod planes;
pub mod race;
pub mod reduction;
pub mod reference;
pub mod stats;
pub mod step;
pub mod text;
pub mod timed;
pub mod timeline;
pub mod trace;
pub mod transfer;
pub mod trap;
pub mod turnaround;
pub mod undetermined;
pub mod violation;
