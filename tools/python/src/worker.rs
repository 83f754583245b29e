//! Runs work on a thread of its own, without the GIL.

use std::any::Any;
use std::panic::resume_unwind;
use std::thread;

use pyo3::{PyErr, PyResult, Python};

use crate::errors::InternalError;

/// Stack size of the thread. Passes, verifiers and printers recurse along the nesting of a module;
/// threads of Python may have small stacks.
const STACK: usize = 64 << 20;

/// Runs `work` on a new thread while other threads of Python run.
///
/// # Errors
/// `InternalError` if it panics or the thread cannot be started.
pub fn run<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let joined = py.detach(|| {
        thread::scope(|scope| {
            let builder = thread::Builder::new().name("tessera".into());
            let spawned = builder.stack_size(STACK).spawn_scoped(scope, work);
            spawned.map(|thread| thread.join())
        })
    });
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
