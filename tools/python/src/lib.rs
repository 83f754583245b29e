//! The native module of the Python package `tessera`: compiler and runtime in one library.
//!
//! It converts between Python objects and the values of [`tessera_passes::driver::compile`] and
//! `tessera_runtime`, and nothing else; the package's Python files check arguments, flatten trees
//! of arrays and render errors.
//!
//! Invariants:
//! * Work runs on a thread of its own without the GIL (`worker`). A panic there is a Python
//!   exception, and the depth of Python's stack does not matter.
//! * Nothing is written to files. Tensors cross the border as bytes of little-endian elements.
//! * Errors are exceptions of the module `errors`.

mod compiler;
mod errors;
mod executable;
mod interruptible_device;
mod tensor;
mod worker;

/// The module `tessera._native`.
#[pyo3::pymodule]
#[pyo3(name = "_native")]
mod native {
    #[pymodule_export]
    use crate::compiler::{
        compile, llvm_version, pipeline_options, report_crashes, targets, CompiledModule,
    };
    #[pymodule_export]
    use crate::errors::{ExecutionError, InternalError, RejectedModule};
    #[pymodule_export]
    use crate::executable::{device_names, program_names, Executable, Prepared};
    #[pymodule_export]
    use crate::tensor::Tensor;
}
