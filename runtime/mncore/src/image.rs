//! Transfer of bytes between files and PDM or DRAM.
//!
//! Files are in memory order: consecutive long words, each with its most significant byte first
//! (manual, section 1.2: big-endian). Offsets and lengths count bytes and must be multiples of
//! eight. Nothing wraps around the end of a memory.

use std::io::{self, Write};

use thiserror::Error;

use crate::board::{Board, PDM_WORDS};
use crate::dram::DRAM_WORDS;

/// A memory that can be loaded from and saved to files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// The PDM of a group.
    Pdm(u8),
    /// The DRAM of a group.
    Dram(u8),
}

/// A byte range of a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// The memory.
    pub memory: Memory,
    /// The start in bytes.
    pub offset: u64,
    /// The length in bytes.
    pub length: u64,
}

/// An error in a region.
#[derive(Debug, Error)]
pub enum ImageError {
    /// The region does not consist of whole long words.
    #[error(
        "{what} {bytes:#x} is not a multiple of 8: {memory} consists of long words of 8 bytes"
    )]
    Unaligned {
        /// The name of the offending value.
        what: &'static str,
        /// The value.
        bytes: u64,
        /// The memory.
        memory: Memory,
    },
    /// The region exceeds the memory.
    #[error(
        "{length:#x} bytes from {offset:#x} on go beyond the end of {memory}, which has {size:#x} \
         bytes"
    )]
    Beyond {
        /// The length of the region.
        length: u64,
        /// The start of the region.
        offset: u64,
        /// The memory.
        memory: Memory,
        /// The size of the memory.
        size: u64,
    },
    /// The machine does not have this group.
    #[error("there is no {memory}: this machine has {count} groups")]
    NoGroup {
        /// The memory.
        memory: Memory,
        /// The number of groups.
        count: usize,
    },
    /// The DRAM region was never written.
    #[error("{memory} was never written at byte {offset:#x}; write it first, or begin with zeros")]
    NeverWritten {
        /// The memory.
        memory: Memory,
        /// The offset of the first unwritten byte.
        offset: u64,
    },
    /// Writing the output failed.
    #[error(transparent)]
    Output(#[from] io::Error),
}

impl std::fmt::Display for Memory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Memory::Pdm(group) => write!(f, "PDM of group {group}"),
            Memory::Dram(group) => write!(f, "DRAM of group {group}"),
        }
    }
}

impl Memory {
    /// Returns the size in bytes.
    pub const fn size(self) -> u64 {
        match self {
            Memory::Pdm(_) => PDM_WORDS as u64 * 8,
            Memory::Dram(_) => DRAM_WORDS * 8,
        }
    }

    const fn group(self) -> usize {
        match self {
            Memory::Pdm(group) | Memory::Dram(group) => group as usize,
        }
    }
}

impl Region {
    /// Checks that the region consists of long words inside the memory.
    pub fn check(&self) -> Result<(), ImageError> {
        let Region {
            memory,
            offset,
            length,
        } = *self;
        for (what, bytes) in [("offset", offset), ("length", length)] {
            if bytes % 8 != 0 {
                return Err(ImageError::Unaligned {
                    what,
                    bytes,
                    memory,
                });
            }
        }
        let size = memory.size();
        if offset > size || length > size - offset {
            return Err(ImageError::Beyond {
                length,
                offset,
                memory,
                size,
            });
        }
        Ok(())
    }

    /// As [`Region::check`], and checks that the board has the memory.
    fn check_on(&self, board: &Board) -> Result<(), ImageError> {
        self.check()?;
        let (memory, count) = (self.memory, board.groups.len());
        if memory.group() >= count {
            return Err(ImageError::NoGroup { memory, count });
        }
        Ok(())
    }
}

/// The number of long words transferred at a time.
const CHUNK: usize = 8 << 10;

/// Writes bytes to a memory starting at `offset`.
pub fn load(
    board: &mut Board,
    memory: Memory,
    offset: u64,
    bytes: &[u8],
) -> Result<(), ImageError> {
    let region = Region {
        memory,
        offset,
        length: bytes.len() as u64,
    };
    region.check_on(board)?;
    let group = &mut board.groups[memory.group()];
    let mut words = Vec::with_capacity(CHUNK);
    for (index, chunk) in bytes.chunks(CHUNK * 8).enumerate() {
        words.clear();
        words.extend(chunk.chunks_exact(8).map(|long| {
            let bytes = long.try_into().expect("chunks have eight bytes");
            u64::from_be_bytes(bytes)
        }));
        let start = offset / 8 + (index * CHUNK) as u64;
        match memory {
            Memory::Pdm(_) => group.pdm[start as usize..][..words.len()].copy_from_slice(&words),
            Memory::Dram(_) => group.dram.write(start, &words),
        }
    }
    Ok(())
}

/// Checks that all bytes of a region can be read.
pub fn check_written(board: &Board, region: &Region) -> Result<(), ImageError> {
    region.check_on(board)?;
    for_chunks(board, region, |_| Ok(()))
}

/// Writes the bytes of a region to `out`. Writes nothing if some of them cannot be read.
pub fn save(board: &Board, region: &Region, out: &mut impl Write) -> Result<(), ImageError> {
    check_written(board, region)?;
    for_chunks(board, region, |bytes| out.write_all(bytes))?;
    Ok(out.flush()?)
}

/// Calls `take` with the bytes of a region, chunk by chunk.
fn for_chunks(
    board: &Board,
    region: &Region,
    mut take: impl FnMut(&[u8]) -> io::Result<()>,
) -> Result<(), ImageError> {
    let group = &board.groups[region.memory.group()];
    let (mut start, mut rest) = (region.offset / 8, (region.length / 8) as usize);
    let mut words = vec![0; CHUNK.min(rest)];
    let mut bytes = Vec::with_capacity(words.len() * 8);
    while rest > 0 {
        let count = rest.min(CHUNK);
        let words = &mut words[..count];
        match region.memory {
            Memory::Pdm(_) => words.copy_from_slice(&group.pdm[start as usize..][..count]),
            Memory::Dram(_) => {
                let read = group.dram.read(start, words);
                read.map_err(|never| ImageError::NeverWritten {
                    memory: region.memory,
                    offset: never.0 * 8,
                })?;
            }
        }
        bytes.clear();
        bytes.extend(words.iter().flat_map(|word| word.to_be_bytes()));
        take(&bytes)?;
        (start, rest) = (start + count as u64, rest - count);
    }
    Ok(())
}

#[cfg(test)]
mod tests;
