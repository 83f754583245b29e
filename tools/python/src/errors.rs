//! Exceptions that the native module raises besides `ValueError`.

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyRuntimeError};

create_exception!(
    tessera,
    RejectedModule,
    PyException,
    "A module that does not compile: the rendered text, and the diagnostics as JSON."
);

create_exception!(
    tessera,
    ExecutionError,
    PyRuntimeError,
    "A program that stopped on its device: a trap, a deadlock, or an operation without a kernel."
);

create_exception!(
    tessera,
    InternalError,
    PyRuntimeError,
    "A defect of Tessera: please report it."
);
