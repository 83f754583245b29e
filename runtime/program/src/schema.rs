//! Identity of the format: identifier, schema hash, version.

use std::sync::LazyLock;

use crate::{hash::sha256, Digest, Version};

/// Bytes 8 to 11 of every program file.
pub const FILE_IDENTIFIER: &str = crate::generated::BINARY_IDENTIFIER;

/// SHA-256 of `program.fbs` as this build was made from it. A file can be read only by a build with
/// its hash.
pub fn schema_hash() -> Digest {
    static HASH: LazyLock<Digest> = LazyLock::new(|| sha256(include_bytes!("../program.fbs")));
    *HASH
}

impl Version {
    /// The version of this build.
    pub const CURRENT: Self = Self {
        major: number(env!("CARGO_PKG_VERSION_MAJOR")) as u16,
        minor: number(env!("CARGO_PKG_VERSION_MINOR")) as u16,
        patch: number(env!("CARGO_PKG_VERSION_PATCH")),
    };
}

/// Returns a decimal number, at compile time.
const fn number(text: &str) -> u32 {
    match u32::from_str_radix(text, 10) {
        Ok(number) => number,
        Err(_) => panic!("Cargo's version numbers are decimal"),
    }
}

#[cfg(test)]
mod tests;
