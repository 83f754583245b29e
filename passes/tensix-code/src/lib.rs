//! Code generation for the vector unit (SFPU) of Tensix, independent of MLIR.
//!
//! | module | holds |
//! |---|---|
//! | [`virtual_inst`] | instructions on virtual registers |
//! | [`builder`] | a builder of programs of such instructions |
//! | `schedule` | list scheduling that fills the delay slot of a multiply-add |
//! | `spill` | the choice of a value that is kept in Dst |
//! | `residents` | constants that stay in LRegs during a loop |
//! | [`emit`] | register allocation and emission: LRegs, constants, SFPNOPs |
//! | `faces` | the vectors of a tile, moved unchanged |
//! | [`functions`] | the library of element-wise functions and their error bounds |
//! | [`reduce`] | reductions of rows and columns of tiles |
//! | [`broadcast`] | broadcasts of rows, columns and elements of tiles |
//! | [`vector`] | vector programs: dataflow graphs of functions, and whether a kernel can hold one |

pub mod broadcast;
pub mod builder;
pub mod emit;
mod faces;
pub mod functions;
pub mod reduce;
mod residents;
mod schedule;
mod spill;
pub mod vector;
pub mod virtual_inst;

pub use faces::TilePart;
