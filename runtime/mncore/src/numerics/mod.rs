//! The arithmetic of MN-Core 2 as pure functions on words: chapter 4 of the manual, bit for bit,
//! and the ALU.
//!
//! | section | module | content |
//! |---|---|---|
//! | 1.3, 4.1 | [`mod@format`] | half 1-6-9, single, double; no NaN, no denormals; normalisation of results |
//! | 1.3 | [`lanes`] | elements of a long word, replication of mask flags |
//! | 3.6.9.23–25, 3.6.12.19 | [`convert`] | widening and narrowing |
//! | 4.2, 3.5.5 | [`rrn`] | the reduction network: add, max, min, bitwise and logical operations |
//! | 4.3 | [`vector`], [`product`] | vector fused multiply-add; multipliers with omitted partial products |
//! | 4.4 | [`block`] | block float conversion |
//! | 4.5 | [`matrix`] | matrix-vector fused multiply-add |
//! | 4.2, 4.4, 4.5 | [`batch`] | vectorised versions of the hot operations |
//! | 3.6.12 | [`alu`] | ALU operations and their mask flags |
//! | 4.2 to 4.5 | [`oracle`] | test oracle: the formulas transcribed term by term over big integers |
//!
//! **Words.** Functions take and return bit patterns. A single element is right-aligned in a `u64`.
//! A long word holds its elements starting at the most significant end, lane 0 first. Two long
//! words are `[u64; 2]`, the "MSB side" first.
//!
//! **Integers only.** The host's floating point is not used, which the lint below enforces. All
//! rounding happens in [`exact`]. The exception is [`batch`], which uses floating-point numbers as
//! containers for exact integers; its modules prove exactness.
//!
//! **Undetermined results.** Where the manual does not determine a result, the function records the
//! point in an [`UndeterminedSet`]. The caller checks the set once per instruction; see
//! [`crate::undetermined`].
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
