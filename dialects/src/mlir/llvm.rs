//! Translation of control code from MLIR to LLVM IR, and changes of the latter that inkwell does
//! not offer safely.
//!
//! Invariant: the LLVM module is owned by the caller and lives no longer than its LLVM context.

use super::context::Context;
use super::crash;
use super::ffi;
use super::module::{Invalid, Module};
use super::op::{Op, WalkOrder};
use super::pass::UpstreamPass;
use super::structure::{Definition, Value};
use crate::builtin::ModuleOp;
use inkwell::values::{BasicValue, FunctionValue};
use melior::dialect::DialectRegistry;
use mlir_sys::*;
use std::collections::HashSet;

/// Lowers structured control flow and integer arithmetic to the LLVM dialect. An `index` has 32
/// bits. Every function gets a debug information scope.
const TO_LLVM_DIALECT: &str = "convert-scf-to-cf,convert-cf-to-llvm{index-bitwidth=32},\
    convert-arith-to-llvm{index-bitwidth=32},convert-func-to-llvm{index-bitwidth=32},\
    reconcile-unrealized-casts,ensure-debug-info-scope-on-llvm-func";

impl Context {
    /// Registers the LLVM dialect and its translation to LLVM IR in this context.
    pub fn allow_llvm(&self) {
        let registry = DialectRegistry::new();
        // SAFETY: registry and context are alive; the context keeps what is registered.
        unsafe {
            ffi::tesseraRegisterLLVM(registry.to_raw());
            mlirContextAppendDialectRegistry(self.to_raw(), registry.to_raw());
        }
    }
}

/// Deletes the functions of a module that do not have one of these names and are not used.
pub fn retain_functions(module: &inkwell::module::Module, names: &[&str]) {
    let is_other = |function: &FunctionValue| {
        let name = function.get_name().to_string_lossy();
        let value = function.as_global_value().as_pointer_value();
        value.get_first_use().is_none() && !names.iter().any(|kept| *kept == name)
    };
    let others: Vec<_> = module.get_functions().filter(is_other).collect();
    for function in others {
        // SAFETY: the function is in the module and is deleted once; nothing uses it.
        unsafe { function.delete() };
    }
}

impl<'c> Module<'c> {
    /// Creates a module that contains only a copy of an operation.
    ///
    /// # Panics
    /// The operation uses a value defined outside it.
    pub fn with_copy_of(context: &'c Context, op: Op) -> Self {
        let inside: HashSet<Op> = op.walk(WalkOrder::Pre).into_iter().collect();
        let is_inside = |value: Value| match value.definition() {
            Definition::Result(by, _) => inside.contains(&by) && by != op,
            Definition::Argument(block, _) => block.parent().is_some_and(|of| inside.contains(&of)),
        };
        let mut operands = inside.iter().flat_map(|op| op.operands());
        assert!(
            operands.all(is_inside),
            "only an isolated operation can be copied"
        );
        // SAFETY: the operation is alive, and reads nothing that the copy would keep reading; the
        // module is owned by nobody else, and owns the copy.
        unsafe {
            let location = mlirOperationGetLocation(op.to_raw());
            let module = mlirModuleCreateEmpty(location);
            mlirBlockAppendOwnedOperation(
                mlirModuleGetBody(module),
                mlirOperationClone(op.to_raw()),
            );
            Self::from_raw(mlirModuleGetOperation(module), context)
        }
    }

    /// Translates a module of `func`, `scf`, `arith` and LLVM operations to LLVM IR. Requires a
    /// call of [`Context::allow_llvm`] before.
    ///
    /// # Errors
    /// [`Invalid`], with the reasons in the diagnostics of the context. The module is then in an
    /// unspecified state.
    pub fn into_llvm<'l>(
        self,
        llvm: &'l inkwell::context::Context,
    ) -> Result<inkwell::module::Module<'l>, Invalid> {
        crash::guard("the translation to LLVM IR", || {
            self.into_llvm_guarded(llvm)
        })
    }

    fn into_llvm_guarded<'l>(
        self,
        llvm: &'l inkwell::context::Context,
    ) -> Result<inkwell::module::Module<'l>, Invalid> {
        let passes = UpstreamPass::new(self.context(), ModuleOp::NAME, TO_LLVM_DIALECT);
        let passes = passes.map_err(|message| self.report(message))?;
        passes
            .run(self.context(), self.op())
            .map_err(|message| self.report(message))?;
        // SAFETY: the module is alive and so is the LLVM context; nobody else owns what the
        // translation makes.
        let raw =
            unsafe { ffi::mlirTranslateModuleToLLVMIR(self.op().to_raw(), llvm.raw().cast()) };
        if raw.is_null() {
            return Err(self.report("cannot be translated to LLVM IR".into()));
        }
        // SAFETY: as above.
        Ok(unsafe { inkwell::module::Module::new(raw.cast()) })
    }

    fn report(&self, message: String) -> Invalid {
        let _ = self.op().error(message);
        Invalid
    }
}
