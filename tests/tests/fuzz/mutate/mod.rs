//! Random damage: to text by tokens and lines, to bytes by numbers and blocks.

pub mod array_header;
pub mod bytes;
mod lines;
pub mod numbers;
pub mod text;
pub mod tokens;
