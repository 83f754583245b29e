//! A context with the dialects of Tessera registered.

use super::diagnostic::Diagnostics;
use super::ffi;
use super::siblings::Verifying;
use melior::dialect::DialectRegistry;
use mlir_sys::*;
use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::c_void;
use std::fmt;
use std::sync::Once;

/// Owner of types, attributes and dialects, and of the diagnostics reported while working with
/// them.
///
/// Single-threaded: passes are ordinary Rust values that run one after another on the caller's
/// thread, so their data need not be thread-safe.
#[derive(Debug)]
pub struct Context {
    pub(super) raw: melior::Context,
    diagnostics: Diagnostics,
    pub(super) parsed: Parsed,
}

/// Cache of parsed types and attributes, since passes parse the same texts repeatedly.
#[derive(Debug, Default)]
pub(super) struct Parsed {
    pub types: RefCell<HashMap<String, MlirType>>,
    pub attributes: RefCell<HashMap<String, MlirAttribute>>,
}

/// Registers the dialects of Tessera and the upstream dialects that its programs use: `func`,
/// `arith`, `scf`, `tensor`.
pub fn register_all(registry: &DialectRegistry) {
    // SAFETY: each function returns a handle to a static registration hook.
    let handles = unsafe {
        [
            ffi::mlirGetDialectHandle__ttcore__(),
            ffi::mlirGetDialectHandle__ttir__(),
            ffi::mlirGetDialectHandle__pto__(),
            ffi::mlirGetDialectHandle__tensix__(),
            ffi::mlirGetDialectHandle__mncore__(),
            ffi::mlirGetDialectHandle__ttnn__(),
            mlirGetDialectHandle__arith__(),
            mlirGetDialectHandle__func__(),
            mlirGetDialectHandle__scf__(),
            mlirGetDialectHandle__tensor__(),
        ]
    };
    for handle in handles {
        // SAFETY: handle and registry are alive.
        unsafe { mlirDialectHandleInsertDialect(handle, registry.to_raw()) };
    }
    // SAFETY: the registry is alive; the call adds extensions to it.
    unsafe { ffi::tesseraRegisterExtensions(registry.to_raw()) };
}

/// Returns the version of LLVM and MLIR built in.
pub fn llvm_version() -> &'static str {
    // SAFETY: the text is a literal.
    unsafe { ffi::str_of(ffi::tesseraLLVMVersion()) }
}

impl Context {
    /// Creates a context with the dialects of [`register_all`], which are loaded on first use.
    pub fn new() -> Self {
        static PASSES: Once = Once::new();
        // SAFETY: global registration of the upstream passes, done once.
        PASSES.call_once(|| unsafe {
            mlirRegisterTransformsPasses();
            ffi::tesseraRegisterLLVMPasses();
        });
        let registry = DialectRegistry::new();
        register_all(&registry);
        let raw = melior::Context::new();
        raw.enable_multi_threading(false);
        raw.append_dialect_registry(&registry);
        // Diagnostics show the source line instead of the generic form of the operation.
        // SAFETY: the context is alive.
        unsafe { ffi::tesseraContextPrintOpOnDiagnostic(raw.to_raw(), false) };
        Verifying::forget();
        let diagnostics = Diagnostics::default();
        diagnostics.attach(&raw);
        Self {
            raw,
            diagnostics,
            parsed: Parsed::default(),
        }
    }

    /// Sets whether operations, types and attributes of unregistered dialects are accepted without
    /// verification.
    pub fn allow_unregistered_dialects(&self, allowed: bool) {
        self.raw.set_allow_unregistered_dialects(allowed);
    }

    /// Returns the names of the registered dialects.
    pub fn dialects(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        // SAFETY: the context is alive, and `push_name` is given the vector it wants.
        unsafe {
            let names = (&raw mut names).cast();
            ffi::tesseraContextDialects(self.to_raw(), Some(push_name), names);
        }
        names
    }

    /// Returns the sorted names of the operations of a dialect; empty for an unknown dialect.
    pub fn operations(&self, dialect: &str) -> Vec<String> {
        // SAFETY: the context is alive.
        unsafe { operations(self.to_raw(), dialect) }
    }

    /// Returns the diagnostics reported in this context.
    pub fn diagnostics(&self) -> &Diagnostics {
        &self.diagnostics
    }

    /// Returns a copyable view, for making types and attributes.
    pub fn as_ref(&self) -> ContextRef<'_> {
        ContextRef(self)
    }

    pub(super) fn to_raw(&self) -> MlirContext {
        self.raw.to_raw()
    }
}

/// A copyable reference to a context, which creates types, attributes and locations.
///
/// melior's context is not exposed: its diagnostic handlers may outlive their borrows.
#[derive(Clone, Copy)]
pub struct ContextRef<'a>(pub(super) &'a Context);

impl fmt::Debug for ContextRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.raw.fmt(f)
    }
}

/// Returns the names of the operations of a dialect, sorted.
///
/// # Safety
/// The context must be alive.
pub(super) unsafe fn operations(context: MlirContext, dialect: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    // SAFETY: the caller's promise; the name of the dialect is borrowed for the call, and
    // `push_name` is given the vector it wants.
    unsafe {
        ffi::tesseraContextOperations(
            context,
            ffi::string_ref(dialect),
            Some(push_name),
            (&raw mut names).cast(),
        );
    }
    names.sort_unstable();
    names
}

/// The `MlirStringCallback` that adds a name to the `Vec<String>` behind `user`.
///
/// # Safety
/// `user` must point to a live vector that nothing else borrows, and the name must be readable.
unsafe extern "C" fn push_name(name: MlirStringRef, user: *mut c_void) {
    // SAFETY: the caller's promise.
    unsafe { (*user.cast::<Vec<String>>()).push(ffi::str_of(name).to_owned()) };
}

impl Default for Context {
    fn default() -> Self {
        Self::new()
    }
}

impl ContextRef<'_> {
    pub(super) fn to_raw(self) -> MlirContext {
        self.0.to_raw()
    }
}
