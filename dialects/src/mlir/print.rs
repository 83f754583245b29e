//! Printing operations.

use super::module::Alive;
use super::op::Op;
use super::{crash, ffi};
use mlir_sys::*;
use std::ffi::c_void;
use std::marker::PhantomData;

/// How to print an operation.
#[derive(Clone, Copy, Debug, Default)]
pub struct PrintOptions {
    /// Print locations, in a form that can be parsed.
    pub debug_info: bool,
    /// Print without aliases.
    pub local_scope: bool,
    /// Print in the generic form.
    pub generic: bool,
    /// Elide constants of more elements, and resources of more characters, than this. The text
    /// cannot be parsed then.
    pub elide_larger: Option<isize>,
    /// Assume that the module is valid. Otherwise MLIR verifies the whole module for every printed
    /// operation, and prints invalid operations in the generic form. To print many operations,
    /// verify once and set this.
    pub verified: bool,
}

impl PrintOptions {
    /// Converts to MLIR's flags, which the caller must destroy.
    fn to_raw(self) -> MlirOpPrintingFlags {
        // SAFETY: the flags are made and set here.
        unsafe {
            let flags = mlirOpPrintingFlagsCreate();
            if self.debug_info {
                mlirOpPrintingFlagsEnableDebugInfo(flags, true, false);
            }
            if self.local_scope {
                mlirOpPrintingFlagsUseLocalScope(flags);
            }
            if self.generic {
                mlirOpPrintingFlagsPrintGenericOpForm(flags);
            }
            if let Some(most) = self.elide_larger {
                mlirOpPrintingFlagsElideLargeElementsAttrs(flags, most);
                mlirOpPrintingFlagsElideLargeResourceString(flags, most);
            }
            if self.verified {
                mlirOpPrintingFlagsAssumeVerified(flags);
            }
            flags
        }
    }
}

/// Prints many operations of one function or region.
///
/// MLIR numbers all values of the surrounding function before it prints an operation; a printer
/// does so once.
#[derive(Debug)]
pub struct Printer<'a> {
    state: MlirAsmState,
    flags: MlirOpPrintingFlags,
    /// The scope, which outlives the printer.
    scope: Alive<'a>,
}

impl<'a> Printer<'a> {
    /// Returns a printer of the operations directly inside `scope`, a function or region that is
    /// isolated from above and that does not change while the printer lives.
    pub fn new(scope: Op<'a>, options: PrintOptions) -> Self {
        let flags = options.to_raw();
        // SAFETY: the operation is alive, and the flags live as long as the state.
        let state = unsafe { mlirAsmStateCreateForOperation(scope.to_raw(), flags) };
        Printer {
            state,
            flags,
            scope: PhantomData,
        }
    }

    /// Returns the text of an operation inside the scope.
    pub fn print(&self, op: Op<'a>) -> String {
        let mut text = String::new();
        // SAFETY: operation and state are alive; the callback only writes to `text` during the
        // call.
        crash::guard("MLIR's printer", || unsafe {
            ffi::tesseraOperationPrintWithState(
                op.to_raw(),
                self.state,
                Some(ffi::append_to_string),
                (&raw mut text).cast(),
            );
        });
        text
    }
}

impl Drop for Printer<'_> {
    fn drop(&mut self) {
        // SAFETY: both were made in `new`, and nobody else has them.
        unsafe {
            mlirAsmStateDestroy(self.state);
            mlirOpPrintingFlagsDestroy(self.flags);
        }
    }
}

impl Op<'_> {
    /// Returns the text of the operation.
    pub fn print(self, options: PrintOptions) -> String {
        crash::guard("MLIR's printer", || self.print_guarded(options))
    }

    /// Returns the text of a verified operation without locations. Operations are equal up to
    /// locations if their texts are equal.
    pub fn content(self) -> String {
        self.print(PrintOptions {
            generic: true,
            local_scope: true,
            verified: true,
            ..PrintOptions::default()
        })
    }

    /// Returns the operation in MLIR's bytecode format.
    pub fn bytecode(self) -> Vec<u8> {
        unsafe extern "C" fn push(text: MlirStringRef, user: *mut c_void) {
            // SAFETY: `user` is the vector below, which nothing else touches during the call; the
            // bytes are readable.
            unsafe { (*user.cast::<Vec<u8>>()).extend_from_slice(ffi::bytes_of(text)) };
        }
        let mut bytes: Vec<u8> = Vec::new();
        // SAFETY: the operation is alive.
        crash::guard("MLIR's bytecode writer", || unsafe {
            mlirOperationWriteBytecode(self.to_raw(), Some(push), (&raw mut bytes).cast());
        });
        bytes
    }

    fn print_guarded(self, options: PrintOptions) -> String {
        let mut text = String::new();
        let flags = options.to_raw();
        // SAFETY: the operation is alive; the callback only writes to `text` during the call; the
        // flags are destroyed after it.
        unsafe {
            mlirOperationPrintWithFlags(
                self.to_raw(),
                flags,
                Some(ffi::append_to_string),
                (&raw mut text).cast(),
            );
            mlirOpPrintingFlagsDestroy(flags);
        }
        text
    }
}
