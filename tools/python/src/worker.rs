//! Runs work on a thread of its own, without the GIL.

use std::any::Any;
use std::io;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use pyo3::{PyErr, PyResult, Python};

use crate::errors::InternalError;

/// Stack size of the thread. Passes, verifiers and printers recurse along the nesting of a module;
/// threads of Python may have small stacks.
const STACK: usize = 64 << 20;

/// The time between calls of Python's signal handlers, such as that of Ctrl-C.
const POLL: Duration = Duration::from_millis(50);

/// Runs `work` on a new thread while other threads of Python run. The flag that `work` gets is set
/// when a signal handler raises an exception. `work` should then end soon; its result is dropped.
///
/// # Errors
/// The exception of a signal handler. `InternalError` if `work` panics or the thread cannot be
/// started.
pub fn run<T: Send>(py: Python<'_>, work: impl FnOnce(&AtomicBool) -> T + Send) -> PyResult<T> {
    let stop = AtomicBool::new(false);
    let mut raised = None;
    let joined = py.detach(|| {
        thread::scope(|scope| {
            // The sender is dropped when the work ends.
            let (running, ended) = mpsc::channel::<()>();
            let stop = &stop;
            let work = move || {
                let _running = running;
                work(stop)
            };
            let builder = thread::Builder::new().name("tessera".into());
            let thread = builder.stack_size(STACK).spawn_scoped(scope, work)?;
            while ended.recv_timeout(POLL) == Err(RecvTimeoutError::Timeout) {
                if let Err(error) = Python::attach(|py| py.check_signals()) {
                    stop.store(true, Ordering::Relaxed);
                    raised = Some(error);
                }
            }
            Ok::<_, io::Error>(thread.join())
        })
    });
    if let Some(error) = raised {
        return Err(error);
    }
    match joined {
        Ok(Ok(done)) => Ok(done),
        Ok(Err(panic)) => Err(describe_panic(panic)),
        Err(error) => {
            let message = format!("cannot start a thread: {error}");
            Err(InternalError::new_err(message))
        }
    }
}

/// Converts a panic to an exception. The panic of an exception itself goes on.
fn describe_panic(panic: Box<dyn Any + Send>) -> PyErr {
    let text = match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(text), _) => (*text).to_owned(),
        (_, Some(text)) => text.clone(),
        _ => resume_unwind(panic),
    };
    InternalError::new_err(format!("internal error, please report it: {text}"))
}
