//! Measures rates of repeated work.

use std::hint::black_box;
use std::time::{Duration, Instant};

use tessera_isa_tensix::cfg::ConfigField;
use tessera_tensix::state::core_state::CoreState;

/// The thread that issues.
pub const THREAD: usize = 0;

/// Returns the processor time of this thread where the system reports it, as other processes may be
/// running.
fn time_on_cpu() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = text.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

/// Does something for a while, and what the machine does to the notes of accesses after it, and
/// gives thousands a second.
pub fn rate(core: &mut CoreState, mut work: impl FnMut(&mut CoreState)) -> f64 {
    let started = Instant::now();
    let start = time_on_cpu();
    let mut count = 0;
    while started.elapsed() < Duration::from_millis(300) {
        for _ in 0..100 {
            core.access.clear();
            core.config.take_reads();
            work(core);
            black_box(core.l1.recorded());
            core.l1.clear_recorded();
        }
        count += 100;
    }
    let elapsed = match (start, time_on_cpu()) {
        (Some(start), Some(end)) => end - start,
        _ => started.elapsed(),
    };
    f64::from(count) / elapsed.as_secs_f64() / 1e3
}

/// Sets a configuration field.
pub fn set(core: &mut CoreState, field: ConfigField, value: u32) {
    core.config
        .set(THREAD, field, value)
        .expect("the field exists");
}
