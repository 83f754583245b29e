//! The arithmetic of the units as a readable specification.
//!
//! * [`bits`]: bit layouts of the datums in `SrcA`/`SrcB`, in `Dst` and in L1, and conversions
//!   between them.
//! * [`format`](mod@format): data formats.
//! * [`fpu`]: the Matrix Unit's multiply-accumulate path (MVMUL, ELWMUL, ELWADD, ELWSUB).
//! * [`sfpu`]: the Vector Unit's fused multiply-add, load/store conversions and rounding to 16
//!   bits.
//! * [`packer`]: the packers' format conversions, ReLU and accumulation.
//! * [`pool`]: the Matrix Unit's maximum of columns (GMPOOL).
//! * [`unpacker`]: the unpackers' conversions to 16-bit floats.

pub mod bits;
pub mod format;
pub mod fpu;
pub mod packer;
pub mod pool;
pub mod sfpu;
pub mod unpacker;
