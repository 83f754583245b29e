//! The DRAM banks, stored sparsely.
//!
//! Checked: offsets are inside a bank; bytes are written before they are read, in granules of 32
//! bytes.
//!
//! Kernels that run on threads of their own get a [`Dram`] each, layered on a shared base that
//! stays unchanged. Their writes are merged into the base when all have ended, so kernels do not
//! see each other's writes, in whatever order they run. Not checked: that they write to different
//! granules; the last one wins.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::ThreadPool;

use tessera_isa_tensix::Arch;

use crate::trap::Fault;

const CHUNK: usize = 4096;
const GRANULE: usize = 32;

/// An error of a DRAM access.
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
    #[error("DRAM bank {bank} ends at {:#x}; {len} bytes at {offset:#x} do not \
             fit", arch.dram_bank_bytes())]
    Bounds {
        /// The bank.
        bank: u32,
        /// The first byte.
        offset: u64,
        /// The number of bytes.
        len: usize,
        /// The chip.
        arch: Arch,
    },
    /// The bytes have never been written.
    #[error("DRAM bank {bank} was never written at {offset:#x}")]
    Unwritten {
        /// The bank.
        bank: u32,
        /// The first unwritten granule.
        offset: u64,
    },
}

impl From<DramError> for Fault {
    fn from(error: DramError) -> Self {
        Fault::undefined(error.to_string())
    }
}

#[derive(Clone)]
struct Chunk {
    /// Shared between copies of a chunk until one of them is written.
    bytes: Arc<[u8; CHUNK]>,
    /// Written granules, one bit each.
    written: u128,
    /// Granules written in this layer, not in the base.
    own: u128,
}

type Chunks = HashMap<(u32, u64), Chunk>;

impl Chunk {
    fn new() -> Self {
        Chunk {
            bytes: Arc::new([0; CHUNK]),
            written: 0,
            own: 0,
        }
    }
}

/// All banks of a device. A clone shares the bytes with the original until one of them writes.
#[derive(Clone)]
pub struct Dram {
    arch: Arch,
    chunks: Chunks,
    /// The layer below, read where this one is unwritten.
    base: Option<Arc<Chunks>>,
    /// Whether unwritten bytes read as zeros instead of being an error.
    zeroed: bool,
}

/// The part of an access that falls into one chunk.
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
        stretch.at / GRANULE,
        (stretch.at + stretch.len).div_ceil(GRANULE),
    );
    (u128::MAX >> (128 - (to - from))) << from
}

impl Dram {
    /// Creates the DRAM of `arch`, unwritten.
    pub fn new(arch: Arch) -> Self {
        Dram {
            arch,
            chunks: HashMap::new(),
            base: None,
            zeroed: false,
        }
    }

    /// Creates the DRAM of `arch`, which reads as zeros.
    #[must_use]
    pub fn zeroed(arch: Arch) -> Self {
        Dram {
            zeroed: true,
            ..Dram::new(arch)
        }
    }

    /// Runs jobs on this thread and on the workers. Each job sees the current DRAM and its own
    /// writes. Returns the results up to and including the first error. DRAM then holds the writes
    /// of these jobs, as if they had run one after the other.
    pub(crate) fn run_isolated<T: Send, E: Send>(
        &mut self,
        jobs: usize,
        workers: Option<&ThreadPool>,
        job: impl Fn(usize, &mut Dram) -> Result<T, E> + Sync,
    ) -> Vec<Result<T, E>> {
        let (arch, zeroed) = (self.arch, self.zeroed);
        let base = Arc::new(std::mem::take(&mut self.chunks));
        let next = AtomicUsize::new(0);
        let all_done = Mutex::new(Vec::new());
        let work = || {
            let mut done = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= jobs {
                    break;
                }
                let mut dram = Dram {
                    arch,
                    chunks: HashMap::new(),
                    base: Some(Arc::clone(&base)),
                    zeroed,
                };
                let result = job(number, &mut dram);
                done.push((number, result, dram.chunks));
            }
            let mut all_done = all_done.lock().unwrap_or_else(PoisonError::into_inner);
            all_done.append(&mut done);
        };
        match workers {
            None => work(),
            Some(workers) => workers.in_place_scope(|scope| {
                let helpers = workers.current_num_threads().min(jobs.saturating_sub(1));
                (0..helpers).for_each(|_| scope.spawn(|_| work()));
                work();
            }),
        }
        let mut done = all_done
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        done.sort_by_key(|(number, ..)| *number);
        self.chunks = Arc::unwrap_or_clone(base);
        let mut results = Vec::new();
        for (_, result, chunks) in done {
            self.merge(chunks);
            let ends = result.is_err();
            results.push(result);
            if ends {
                break;
            }
        }
        results
    }

    /// Merges the chunks of a job.
    fn merge(&mut self, chunks: Chunks) {
        for (place, chunk) in chunks {
            let base = self.chunks.entry(place).or_insert_with(Chunk::new);
            base.written |= chunk.own;
            let pieces = Arc::make_mut(&mut base.bytes)
                .chunks_exact_mut(GRANULE)
                .zip(chunk.bytes.chunks_exact(GRANULE));
            for (number, (base, piece)) in pieces.enumerate() {
                if chunk.own >> number & 1 != 0 {
                    base.copy_from_slice(piece);
                }
            }
        }
    }

    fn chunk(&self, place: (u32, u64)) -> Option<&Chunk> {
        let base = || self.base.as_ref()?.get(&place);
        self.chunks.get(&place).or_else(base)
    }

    /// Checks that a byte range is inside a bank.
    pub(crate) fn check(&self, bank: u32, offset: u64, len: usize) -> Result<(), DramError> {
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
                offset: s.chunk * CHUNK as u64 + u64::from(bits.trailing_zeros()) * GRANULE as u64,
            };
            let chunk = match self.chunk((bank, s.chunk)) {
                Some(chunk) => chunk,
                None if self.zeroed => {
                    out[s.done..s.done + s.len].fill(0);
                    continue;
                }
                None => return Err(unwritten(pieces(&s))),
            };
            let missing = pieces(&s) & !chunk.written;
            if missing != 0 && !self.zeroed {
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
            let place = (bank, s.chunk);
            let base = self.base.as_ref();
            let chunk = self.chunks.entry(place).or_insert_with(|| {
                let base = base.and_then(|base| base.get(&place));
                base.map_or_else(Chunk::new, |chunk| Chunk {
                    own: 0,
                    ..chunk.clone()
                })
            });
            chunk.written |= pieces(&s);
            chunk.own |= pieces(&s);
            let bytes = Arc::make_mut(&mut chunk.bytes);
            bytes[s.at..s.at + s.len].copy_from_slice(&data[s.done..s.done + s.len]);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
