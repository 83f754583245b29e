//! A limit on the memory of this process while MLIR reads bytecode.
//!
//! LLVM 19's bytecode reader allocates the number of entries that a file declares before reading
//! them, so a corrupt file of a kilobyte may allocate gigabytes. With the limit, the allocation
//! fails, which [`super::crash`] reports as an error.

use std::fs;

/// Memory allowed for a small file.
const ROOM: u64 = 1 << 30;

/// Additional memory per byte of the file: an operation takes a few bytes there and some hundred in
/// memory.
const ROOM_OF_BYTE: u64 = 256;

/// Restores the previous limit when it is dropped.
pub(super) struct MemoryLimit(libc::rlimit);

impl MemoryLimit {
    /// Limits the memory to the current use plus the allowance for a file. Returns `None` if the
    /// system does not support this.
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

/// Returns the size of the address space of this process in bytes.
fn address_space() -> Option<u64> {
    let statm = fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split_whitespace().next()?.parse().ok()?;
    // SAFETY: it only asks for a number.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    pages.checked_mul(page.try_into().ok()?)
}
