//! A progress bar for runs that take longer than two seconds.
//!
//! The bar is drawn on the standard error, and only if that is a terminal. It disappears when the
//! [`Progress`] is dropped, so that what a tool leaves on the terminal does not depend on it.

use std::borrow::Cow;
use std::io::{self, IsTerminal};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The time after which the progress of a run is shown.
const DELAY: Duration = Duration::from_secs(2);

/// The time between two redraws, which keep the elapsed time up to date.
const TICK: Duration = Duration::from_millis(200);

/// The progress of one run.
pub struct Progress {
    bar: ProgressBar,
    waiter: Option<Waiter>,
}

/// The thread that shows the bar after the delay; it ends early when the sender is dropped.
struct Waiter {
    end: Sender<()>,
    thread: JoinHandle<()>,
}

impl Progress {
    /// Starts a bar for `total` units of work; without a total, it shows the elapsed time only.
    pub fn start(total: Option<u64>) -> Self {
        if !io::stderr().is_terminal() {
            let (bar, waiter) = (ProgressBar::hidden(), None);
            return Progress { bar, waiter };
        }
        Progress::start_on(total, DELAY, ProgressDrawTarget::stderr)
    }

    /// Starts a bar that is drawn on `target` after `delay`.
    fn start_on(
        total: Option<u64>,
        delay: Duration,
        target: impl FnOnce() -> ProgressDrawTarget + Send + 'static,
    ) -> Self {
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden());
        bar.set_style(style(total.is_some()));
        let (end, ended) = mpsc::channel::<()>();
        let shown = bar.clone();
        let thread = thread::Builder::new().spawn(move || {
            if ended.recv_timeout(delay) == Err(RecvTimeoutError::Timeout) {
                shown.set_draw_target(target());
                shown.enable_steady_tick(TICK);
            }
        });
        // Without a thread there is no bar, and the run goes on.
        let waiter = thread.ok().map(|thread| Waiter { end, thread });
        Progress { bar, waiter }
    }

    /// Names what is being done now.
    pub fn set_message(&self, message: impl Into<Cow<'static, str>>) {
        self.bar.set_message(message);
    }

    /// Counts units of work as done.
    pub fn advance(&self, units: u64) {
        self.bar.inc(units);
    }

    /// Sets the total, once it is known, and begins at zero.
    pub fn restart(&self, total: u64) {
        self.bar.set_style(style(true));
        self.bar.set_length(total);
        self.bar.set_position(0);
    }

    /// Hides the bar while `print` writes to the terminal.
    pub fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(Waiter { end, thread }) = self.waiter.take() {
            drop(end);
            // A panic of that thread concerns the bar only.
            let _ = thread.join();
        }
        self.bar.finish_and_clear();
    }
}

fn style(has_total: bool) -> ProgressStyle {
    let template = match has_total {
        true => "[{elapsed_precise}] {bar:30} {pos}/{len} {wide_msg}",
        false => "[{elapsed_precise}] {spinner} {wide_msg}",
    };
    let style = ProgressStyle::with_template(template).expect("the templates are well formed");
    style.progress_chars("=> ")
}

#[cfg(test)]
mod tests;
