//! Code for the vector unit of Tensix, without MLIR.
//!
//! | module | holds |
//! |---|---|
//! | [`item`] | operations on virtual registers |
//! | [`code`] | a program of them, written one operation a line |
//! | `order` | what is put into the cycle behind a multiply-add |
//! | `emit` | instructions: LRegs, numbers, SFPNOPs |
//! | `faces` | the vectors of a tile, moved as they are |
//! | [`functions`] | functions of elements, and how good they are |
//! | [`reduce`] | what is kept of rows and columns of tiles |
//! | [`spread`] | spreading rows, columns and elements of tiles |
//! | [`vector`] | programs of functions, and whether a kernel can hold one |

pub mod broadcast;
pub mod builder;
mod emit;
mod faces;
pub mod functions;
pub mod reduce;
mod schedule;
pub mod vector;
pub mod virtual_inst;
