//! A functional, bit-exact model of MN-Core 2, after the vendor's software developer manual.
//!
//! | manual | module |
//! |---|---|
//! | 1.1, 1.5 levels and sizes | [`geometry`] |
//! | 1.2 data path, 3.6.2 widths of masks | [`bus`] |
//! | 3.4.3 what `d get` prints | [`text`] |
//! | 3.5.2 PDM, DRAM, L2BM, 3.6.1.3 DRAM address registers | [`board`], [`dram`] |
//! | 3.6.1 operands of PE instructions, PE memory | [`operand`], [`block`] |
//! | 3.6.12 ALU operations, 4 arithmetic | [`numerics`] |
//!
//! What the manual leaves open is one table, [`undetermined`].

pub mod block;
pub mod board;
pub mod bus;
pub mod dram;
pub mod geometry;
pub mod numerics;
pub mod operand;
pub mod text;
pub mod undetermined;
