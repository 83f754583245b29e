//! What the arithmetic units compute, as pure functions on words: chapter 4 of the manual bit for
//! bit, and the ALU.
//!
//! | section | module | what |
//! |---|---|---|
//! | 1.3, 4.1 | [`mod@format`] | half 1-6-9, single, double; no NaN, no denormals; normalisation of results |
//! | 1.3 | [`lanes`] | elements of a long word, replication of mask flags |
//! | 3.6.9.23–25, 3.6.12.19 | [`convert`] | widening and narrowing |
//! | 4.2, 3.5.5 | [`rrn`] | the reduction network: add, max, min, bitwise and logical operations |
//! | 4.3 | [`vector`], [`product`] | vector fused multiply-add, omitted partial products and their correction |
//! | 4.4 | [`block`] | block float conversion |
//! | 4.5 | [`matrix`] | matrix-vector fused multiply-add |
//! | 4.2, 4.4, 4.5 | [`batch`] | what programs spend their time in, vectorised |
//! | 3.6.12 | [`alu`] | ALU operations and their mask flags |
//! | 4.2 to 4.5 again | [`oracle`] | the formulas transcribed term by term over big integers, to compare with |
//!
//! **Words.** Every function takes and returns bit patterns. A single element is right-aligned in a
//! `u64`; a long word holds its elements from the most significant end, lane 0 first; two long
//! words are `[u64; 2]`, the "MSB side" first.
//!
//! **Integers only.** The host's floating point is not used ([`exact`] holds the one place where
//! results are rounded); the lint below keeps it so. The exception is [`batch`], where
//! floating-point numbers hold integers and sums exactly; it says why they do.
//!
//! **UndeterminedSet.** Where the manual does not determine a result, the function records it in a
//! [`UndeterminedSet`] set, which the caller checks once per instruction; see [`crate::undetermined`].
//!
//! [`UndeterminedSet`]: crate::undetermined::UndeterminedSet
#![deny(clippy::float_arithmetic)]

pub mod alu;
pub mod batch;
pub mod block;
pub mod convert;
pub mod exact;
pub mod format;
pub mod lanes;
pub mod matrix;
pub mod oracle;
pub mod product;
pub mod rrn;
pub mod vector;
