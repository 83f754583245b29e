//! What the arithmetic units compute, as pure integer functions.
//!
//! Nothing here knows of register files, threads or configuration: the inputs are bit patterns, the
//! outputs are bit patterns. Floating-point arithmetic of the host is never used (the crate denies
//! it by lint).
//!
//! * [`bits`]: bit layouts of the datums in `SrcA`/`SrcB`, in `Dst` and in L1, and the
//!   rearrangements between them.
//! * [`fast`]: what [`fpu`] and [`sfpu`] do, for whole rows and vectors in vector instructions.
//! * [`fpu`]: the Matrix Unit's multiply-accumulate path (MVMUL, ELWMUL, ELWADD, ELWSUB).
//! * [`sfpu`]: the Vector Unit's fused multiply-add, load/store conversions and rounding to 16
//!   bits.
//! * [`packer`]: the packer's early format conversion and its ReLU.
//! * [`unpacker`]: the unpackers' conversions to 16-bit floats.

pub mod bits;
pub mod fast;
pub mod fpu;
pub mod packer;
pub mod sfpu;
pub mod unpacker;
