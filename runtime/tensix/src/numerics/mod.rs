//! The arithmetic of the units, as pure functions on bit patterns.
//!
//! Nothing here depends on register files, threads or configuration. The reference implementations
//! ([`fpu`], [`sfpu`], [`packer`], [`unpacker`]) do no arithmetic on the host's floats, which the
//! crate enforces by lint; they only convert integers to float32, which rounds as the hardware
//! does. The one exception is the module `fused` of [`fast`]: there, every operation on the host's
//! floats is exact or rounds as the hardware does.
//!
//! * [`bits`]: bit layouts of the datums in `SrcA`/`SrcB`, in `Dst` and in L1, and conversions
//!   between them.
//! * [`fast`]: [`fpu`] and [`sfpu`] for whole rows and vectors, in vector instructions of the host.
//! * [`fpu`]: the Matrix Unit's multiply-accumulate path (MVMUL, ELWMUL, ELWADD, ELWSUB).
//! * [`sfpu`]: the Vector Unit's fused multiply-add, load/store conversions and rounding to 16
//!   bits.
//! * [`packer`]: the packers' format conversions, ReLU and accumulation.
//! * [`unpacker`]: the unpackers' conversions to 16-bit floats.

pub mod bits;
pub mod fast;
pub mod fpu;
pub mod packer;
pub mod sfpu;
pub mod unpacker;
