//! A limit on the memory of this process while MLIR reads bytecode.
//!
//! LLVM 19's bytecode reader reserves as many entries as a file says it has before it looks for
//! them: a damaged file of a kilobyte takes gigabytes. With the limit, the allocation fails, and
//! [`super::crash`] makes an error of that.

use std::fs;

/// Room for what the reader makes of a small file.
const ROOM: u64 = 1 << 30;

/// Room for each byte of a file: an operation takes a few bytes there and some hundred in memory.
const ROOM_OF_BYTE: u64 = 256;

/// The limit that was there before, until it is dropped.
pub(super) struct MemoryLimit(libc::rlimit);

impl MemoryLimit {
    /// Limits the memory to what this process has now, and room for a file of so many bytes;
    /// nothing if the system does not say or allow that.
    pub(super) fn for_file(bytes: usize) -> Option<Self> {
        let room = ROOM + ROOM_OF_BYTE.saturating_mul(bytes as u64);
        let mut before = libc::rlimit {
            rlim_cur: 0,
            rlim_max: 0,
        };
        // SAFETY: the pointer is to a limit that is alive.
        let known = unsafe { libc::getrlimit(libc::RLIMIT_AS, &raw mut before) } == 0;
        let least = before.rlim_cur.min(address_space()?.saturating_add(room));
        let limit = libc::rlimit {
            rlim_cur: least,
            ..before
        };
        (known && set(&limit)).then_some(MemoryLimit(before))
    }
}

impl Drop for MemoryLimit {
    fn drop(&mut self) {
        set(&self.0);
    }
}

fn set(limit: &libc::rlimit) -> bool {
    // SAFETY: the pointer is to a limit that is alive.
    unsafe { libc::setrlimit(libc::RLIMIT_AS, std::ptr::from_ref(limit)) == 0 }
}

/// Returns the bytes of the address space that this process has.
fn address_space() -> Option<u64> {
    let statm = fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split_whitespace().next()?.parse().ok()?;
    // SAFETY: it only asks for a number.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    pages.checked_mul(page.try_into().ok()?)
}
