//! Work of LLVM on several threads, within the phase of the calling thread: a crash of any of them
//! becomes the error of that phase ([`crash`]).

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::OnceLock;
use std::thread;

use super::crash;

/// Returns how many threads [`map`] uses at most: one for each processor.
pub fn threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Applies a function to all items, on this thread and on others with a stack of `stack` bytes.
/// Starts with the first items.
pub fn map<T: Sync, R: Send + Sync>(
    items: &[T],
    stack: usize,
    apply: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let results: Vec<OnceLock<R>> = items.iter().map(|_| OnceLock::new()).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some((item, result)) = {
            let k = next.fetch_add(1, Ordering::Relaxed);
            items.get(k).zip(results.get(k))
        } {
            result.get_or_init(|| apply(item));
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads().min(items.len()) {
            let phase = crash::inherited();
            let adopted = || {
                // SAFETY: the scope joins this thread, and the phase lasts longer than the scope.
                unsafe { phase.adopt() };
                work();
            };
            // The work of a thread that cannot be started is done by the others.
            let _ = thread::Builder::new()
                .stack_size(stack)
                .spawn_scoped(scope, adopted);
        }
        work();
    });
    let done = results.into_iter().map(OnceLock::into_inner);
    done.map(|result| result.expect("this thread leaves no item"))
        .collect()
}
