//! A functional, bit-exact model of MN-Core 2, after the vendor's software developer manual.
//!
//! | manual | module | transcription | tests |
//! |---|---|---|---|
//! | 1.1, 1.5 levels and sizes | [`geometry`] | | `geometry::tests` |
//! | 1.2 data path, 3.6.2 widths of masks | [`bus`] | [`reference::operands`] | `bus::tests`, `tests/programs/execution.rs` |
//! | 3.4.3, 3.4.4 `d get`, `d set` | [`debug`], [`text`] | | `text::tests`, `tests/programs/manual.rs` |
//! | 3.5 MV instructions | [`transfer`]; tags and races: [`race`] | [`reference::transfer`] | `tests/programs/transfers.rs`, `race::tests` |
//! | 3.5.2 PDM, DRAM, L2BM, 3.6.1.3 DRAM address registers | [`board`], [`dram`] | | `board::tests`, `dram::tests` |
//! | 3.5.5 reductions | [`reduction`], [`numerics::rrn`] | [`reference::reduction`] | `numerics::rrn::tests`, `tests/numerics.rs` |
//! | 3.6, 3.6.6 steps, masks, forwarding | [`step`] | [`reference::step`] | `tests/programs/execution.rs` |
//! | 3.6.1 operands of PE instructions, PE memory | [`block`] | [`reference::operands`] | `block::tests`, `tests/programs/execution.rs` |
//! | 3.6.3 what is not there yet | [`timed`] | | `timed::tests`, `tests/programs/pairs.rs`, `tests/programs/mutated_loops.rs` |
//! | 3.6.7 L2BM instructions | [`l2bm`] | [`reference::l2bm`] | `tests/programs/transfers.rs` |
//! | 3.6.8 L1BM instructions | [`l1bm`] | [`reference::l1bm`] | `tests/programs/transfers.rs` |
//! | 3.6.9 to 3.6.11 MAU instructions | [`mau`], [`matrix_register`] | [`reference::mau`], [`reference::matrix`] | `tests/programs/execution.rs`, `tests/programs/loops.rs` |
//! | 3.6.12 ALU instructions | [`alu`], [`numerics::alu`] | [`reference::alu`] | `numerics::alu` |
//! | 4 arithmetic | [`numerics`] | [`numerics::oracle`] | `numerics`, `tests/numerics.rs` |
//!
//! The manual's pseudo-code is there twice: in the fast modules, and word by word in [`mod@reference`]; `tests/programs/differential.rs`
//! holds one against the other on random programs over all instructions.
//!
//! Beside the execution: [`stats`] and [`trace`] tell what a program did and when, on the [`timeline`] that the manual allows to
//! estimate; [`image`] moves files to and from PDM and DRAM.
//!
//! [`machine`] runs programs of `tessera_isa_mncore`; why it stops is in [`trap`]. What the manual leaves open is one
//! table, [`undetermined`].
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

pub mod alu;
pub mod batch;
pub mod block;
pub mod board;
pub mod bus;
pub mod debug;
pub mod dram;
pub mod geometry;
pub mod image;
pub mod l1bm;
pub mod l2bm;
pub mod machine;
pub mod matrix_register;
pub mod mau;
pub mod numerics;
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
pub mod undetermined;
