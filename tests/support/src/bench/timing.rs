//! Times on one core.

use std::hint::black_box;
use std::time::{Duration, Instant};

use rustix::time::{clock_gettime, ClockId};

/// Parts of a measurement, of which the fastest counts, because other processes may be running.
const PARTS: u32 = 6;
/// The length of a part.
const PART: Duration = Duration::from_millis(60);

/// Returns the time that this thread has spent on a core.
pub fn time_on_cpu() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Returns the time that `run` takes on a core.
fn time_of(run: impl FnOnce()) -> Duration {
    let start = time_on_cpu();
    run();
    time_on_cpu().saturating_sub(start)
}

/// Returns the least time on a core of several runs.
pub fn least_time(runs: u32, mut run: impl FnMut()) -> Duration {
    let times = (0..runs).map(|_| time_of(&mut run));
    times.min().unwrap_or_default()
}

/// Measures `run`, which processes `count` items, and returns nanoseconds per item.
pub fn nanoseconds(count: u64, mut run: impl FnMut()) -> f64 {
    run();
    let mut best = f64::MAX;
    for _ in 0..PARTS {
        let mut rounds = 0;
        let time = time_of(|| {
            let started = Instant::now();
            while started.elapsed() < PART {
                run();
                rounds += 1;
            }
        });
        best = best.min(time.as_nanos() as f64 / (rounds * count) as f64);
    }
    best
}

/// Returns the nanoseconds of a step of a fixed scalar computation: a generator of random numbers
/// whose every number selects a word of a small table and a side of a branch.
///
/// The ratio of two such values is that of the speeds of two machines, or of one machine at two
/// times, for code of this kind.
pub fn scalar_nanoseconds() -> f64 {
    const STEPS: u64 = 100_000;
    let table: Vec<u32> = (0..1024u32).map(|k| k.wrapping_mul(0x9E37_79B9)).collect();
    nanoseconds(STEPS, || {
        let (mut state, mut sum) = (1u64, 0u32);
        for _ in 0..STEPS {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let word = table[state as usize % table.len()];
            match state >> 32 & 3 {
                0 => sum = sum.rotate_left(word & 31),
                1 => sum = sum.wrapping_mul(word | 1),
                _ => sum = sum.wrapping_add(word),
            }
        }
        black_box(sum);
    })
}
