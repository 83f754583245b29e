//! The DRAM banks, sparse.
//!
//! Checked: offsets lie inside a bank; bytes that are read have been written, in pieces of 32 bytes.

use std::collections::HashMap;

use tessera_isa_tensix::Arch;

const CHUNK: usize = 4096;
const PIECE: usize = 32;

/// Why DRAM cannot be accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DramError {
    /// No such bank.
    #[error("there is no DRAM bank {bank}; {arch} has banks 0 to {}", arch.dram_banks() - 1)]
    NoBank {
        /// The bank asked for.
        bank: u32,
        /// The chip.
        arch: Arch,
    },
    /// Beyond the bank's end.
    #[error("DRAM bank {bank} ends at {:#x}; {len} bytes at {offset:#x} do not fit", arch.dram_bank_bytes())]
    Bounds {
        /// The bank.
        bank: u32,
        /// First byte.
        offset: u64,
        /// How many.
        len: usize,
        /// The chip.
        arch: Arch,
    },
    /// Never written.
    #[error("DRAM bank {bank} was never written at {offset:#x}")]
    Unwritten {
        /// The bank.
        bank: u32,
        /// The first such piece.
        offset: u64,
    },
}

#[derive(Clone)]
struct Chunk {
    bytes: Box<[u8; CHUNK]>,
    /// One bit per piece.
    written: u128,
}

/// All banks of a device.
#[derive(Clone)]
pub struct Dram {
    arch: Arch,
    chunks: HashMap<(u32, u64), Chunk>,
}

/// One stretch of an access that lies in one chunk.
struct Stretch {
    chunk: u64,
    at: usize,
    done: usize,
    len: usize,
}

fn stretches(offset: u64, len: usize) -> impl Iterator<Item = Stretch> {
    let mut done = 0;
    std::iter::from_fn(move || {
        let position = offset + done as u64;
        let at = (position % CHUNK as u64) as usize;
        let stretch = Stretch {
            chunk: position / CHUNK as u64,
            at,
            done,
            len: (CHUNK - at).min(len - done),
        };
        done += stretch.len;
        (stretch.len > 0).then_some(stretch)
    })
}

fn pieces(stretch: &Stretch) -> u128 {
    let (from, to) = (
        stretch.at / PIECE,
        (stretch.at + stretch.len).div_ceil(PIECE),
    );
    (u128::MAX >> (128 - (to - from))) << from
}

impl Dram {
    /// The DRAM of `arch`, never written.
    pub fn new(arch: Arch) -> Self {
        Dram {
            arch,
            chunks: HashMap::new(),
        }
    }

    fn check(&self, bank: u32, offset: u64, len: usize) -> Result<(), DramError> {
        let arch = self.arch;
        if bank >= arch.dram_banks() {
            return Err(DramError::NoBank { bank, arch });
        }
        match offset.checked_add(len as u64) {
            Some(end) if end <= arch.dram_bank_bytes() => Ok(()),
            _ => Err(DramError::Bounds {
                bank,
                offset,
                len,
                arch,
            }),
        }
    }

    /// Fills `out` from byte `offset` of `bank`.
    pub fn read(&self, bank: u32, offset: u64, out: &mut [u8]) -> Result<(), DramError> {
        self.check(bank, offset, out.len())?;
        for s in stretches(offset, out.len()) {
            let unwritten = |bits: u128| DramError::Unwritten {
                bank,
                offset: s.chunk * CHUNK as u64 + u64::from(bits.trailing_zeros()) * PIECE as u64,
            };
            let chunk = self
                .chunks
                .get(&(bank, s.chunk))
                .ok_or_else(|| unwritten(pieces(&s)))?;
            let missing = pieces(&s) & !chunk.written;
            if missing != 0 {
                return Err(unwritten(missing));
            }
            out[s.done..s.done + s.len].copy_from_slice(&chunk.bytes[s.at..s.at + s.len]);
        }
        Ok(())
    }

    /// Writes `data` from byte `offset` of `bank` on.
    pub fn write(&mut self, bank: u32, offset: u64, data: &[u8]) -> Result<(), DramError> {
        self.check(bank, offset, data.len())?;
        for s in stretches(offset, data.len()) {
            let chunk = self.chunks.entry((bank, s.chunk)).or_insert_with(|| Chunk {
                bytes: Box::new([0; CHUNK]),
                written: 0,
            });
            chunk.written |= pieces(&s);
            chunk.bytes[s.at..s.at + s.len].copy_from_slice(&data[s.done..s.done + s.len]);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_and_reads_across_chunks() {
        let mut d = Dram::new(Arch::WormholeB0);
        let data: Vec<u8> = (0..9000u32).map(|i| i as u8).collect();
        d.write(11, 4000, &data).unwrap();
        let mut out = vec![0; 9000];
        d.read(11, 4000, &mut out).unwrap();
        assert_eq!(out, data);
    }

    #[test]
    fn refusals() {
        let mut d = Dram::new(Arch::WormholeB0);
        d.write(0, 64, &[0; 64]).unwrap();
        let mut out = [0; 64];
        let mut text = |bank, offset| d.read(bank, offset, &mut out).unwrap_err().to_string();
        assert_eq!(
            text(12, 0),
            "there is no DRAM bank 12; wormhole_b0 has banks 0 to 11"
        );
        assert_eq!(text(1, 0), "DRAM bank 1 was never written at 0x0");
        assert_eq!(text(0, 96), "DRAM bank 0 was never written at 0x80");
        assert_eq!(
            text(0, 0x3fff_ffff),
            "DRAM bank 0 ends at 0x40000000; 64 bytes at 0x3fffffff do not fit"
        );
        assert!(d.write(0, u64::MAX, &[0]).is_err());
    }
}
