//! CPU time of this process.

use std::time::Duration;

/// Returns the user time of all threads of this process.
pub fn user_time() -> Duration {
    // SAFETY: the structure is plain numbers, and is written by the call, which cannot fail for
    // this process.
    let time = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &raw mut usage);
        usage.ru_utime
    };
    let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
    Duration::from_secs(seconds)
        + Duration::from_micros(u64::try_from(time.tv_usec).unwrap_or_default())
}
