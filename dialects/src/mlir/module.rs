//! Modules: parsing, verification, printing and modification.

use super::context::Context;
use super::crash;
use super::diagnostic::{Diagnostic, Severity};
use super::ffi;
use super::memory_limit::MemoryLimit;
use super::op::Op;
use super::rewrite::Rewriter;
use super::siblings::Verifying;
use super::source::Source;
use mlir_sys::*;
use std::marker::PhantomData;

/// Stack size of the parser thread. The nesting limit of [`Source`] bounds recursion on brackets;
/// the larger stack covers other recursion of the parser.
const PARSE_STACK: usize = 256 << 20;

/// The input or module is invalid. The diagnostics of the context contain the errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the module is not valid")]
pub struct Invalid;

/// An owned `builtin.module`.
#[derive(Debug)]
pub struct Module<'c> {
    raw: MlirOperation,
    context: &'c Context,
}

/// A handle that may be sent to the parser thread and back.
struct Handle<T>(T);

// SAFETY: only used by `Module::parse`, whose thread borrows the context exclusively: the caller
// waits for it.
unsafe impl<T> Send for Handle<T> {}

impl<T> Handle<T> {
    /// Returns the handle. A method, so that closures capture the wrapper instead of its field.
    fn into_inner(self) -> T {
        self.0
    }
}

impl<'c> Module<'c> {
    /// Parses and verifies a text.
    ///
    /// # Errors
    /// [`Invalid`] if the text does not parse or verify; the reasons are in the diagnostics of the
    /// context.
    pub fn parse(context: &'c Context, source: &Source) -> Result<Self, Invalid> {
        let what = match source.is_bytecode() {
            true => "MLIR's bytecode reader",
            false => "MLIR's parser",
        };
        let errors = context.diagnostics().errors();
        let parsed = crash::guard_source(what, source, || Self::parse_guarded(context, source));
        if parsed.is_err() {
            if context.diagnostics().errors() == errors {
                // MLIR 19 rejects some corrupt bytecode attributes without a diagnostic.
                let message = format!("{what} rejects this input without a reason; it is corrupt");
                report(context, source, message);
            }
            // MLIR 19 frees the regions of an operation that does not parse while others use them.
            crash::blame(what);
        }
        parsed
    }

    fn parse_guarded(context: &'c Context, source: &Source) -> Result<Self, Invalid> {
        let raw_context = Handle(context.to_raw());
        let phase = crash::inherited();
        let parse = move || {
            let raw_context = raw_context.into_inner();
            // SAFETY: this thread is joined below, inside of the phase.
            unsafe { phase.adopt() };
            // A failed allocation is reported as an error only if crashes are.
            let limited = source.is_bytecode() && crash::is_installed();
            let _limit = limited.then(|| MemoryLimit::for_file(source.bytes().len()));
            // The parser verifies the finished module, which no longer changes.
            let _verifying = Verifying::begin();
            // SAFETY: `Source` guarantees the NUL byte after the text; the context outlives the
            // thread.
            let module = unsafe {
                ffi::tesseraModuleParse(
                    raw_context,
                    ffi::bytes_ref(source.bytes()),
                    ffi::string_ref(source.name()),
                )
            };
            Handle(module)
        };
        let parsed = std::thread::scope(|scope| {
            let builder = std::thread::Builder::new().stack_size(PARSE_STACK);
            builder
                .spawn_scoped(scope, parse)
                .map(|thread| thread.join())
        });
        let module = match parsed {
            Ok(Ok(module)) => module.into_inner(),
            Ok(Err(_)) => {
                return Err(report(
                    context,
                    source,
                    "internal error: the parser panicked".into(),
                ))
            }
            Err(error) => {
                return Err(report(
                    context,
                    source,
                    format!("no thread to parse in: {error}"),
                ))
            }
        };
        if module.ptr.is_null() {
            return Err(Invalid);
        }
        // SAFETY: the module was just made and is owned by nobody else.
        Ok(Self {
            raw: unsafe { mlirModuleGetOperation(module) },
            context,
        })
    }

    /// # Safety
    /// `raw` must be a living module of `context` that nobody else owns.
    pub(super) unsafe fn from_raw(raw: MlirOperation, context: &'c Context) -> Self {
        Self { raw, context }
    }

    /// Returns its context.
    pub fn context(&self) -> &'c Context {
        self.context
    }

    /// Returns the module operation.
    pub fn op(&self) -> Op<'_> {
        // SAFETY: the module lives as long as the borrow, and only `edit`, which needs it mutably,
        // changes it.
        unsafe { Op::from_raw(self.raw) }
    }

    /// Verifies every operation.
    ///
    /// # Errors
    /// [`Invalid`], with the reasons in the diagnostics of the context.
    pub fn verify(&self) -> Result<(), Invalid> {
        self.op().verify()
    }

    /// Lends the module to a function that may change it.
    ///
    /// Operations erased by the function stay allocated until it returns, so no handle it holds
    /// ever dangles.
    pub fn edit<R>(&mut self, edit: impl for<'a> FnOnce(Op<'a>, &Rewriter<'a>) -> R) -> R {
        let rewriter = Rewriter::new(self.context.as_ref());
        // SAFETY: `&mut self` makes this the only way to the module; `'a` ends before `rewriter`
        // frees anything, because the function must accept any `'a`.
        let op = unsafe { Op::from_raw(self.raw) };
        edit(op, &rewriter)
    }
}

impl Drop for Module<'_> {
    fn drop(&mut self) {
        // SAFETY: the module owns its operation and no borrow of it is left.
        unsafe { mlirOperationDestroy(self.raw) };
    }
}

fn report(context: &Context, source: &Source, message: String) -> Invalid {
    let place = Some(super::diagnostic::FileLineCol {
        file: source.name().into(),
        line: 1,
        column: 1,
    });
    context.diagnostics().push(Diagnostic {
        severity: Severity::Error,
        place,
        message,
        notes: Vec::new(),
    });
    Invalid
}

/// Lifetime marker of handles: alive while the module is.
pub(super) type Alive<'a> = PhantomData<&'a ()>;
