//! Printing operations.

use super::ffi;
use super::op::Op;
use mlir_sys::*;

/// How to print an operation.
#[derive(Clone, Copy, Debug, Default)]
pub struct PrintOptions {
    /// With locations, in the form that parses again.
    pub debug_info: bool,
    /// Without aliases, each operation complete in itself.
    pub local_scope: bool,
    /// In the generic form.
    pub generic: bool,
    /// Without verifying first. MLIR verifies the whole module for every operation printed, and prints an invalid one
    /// in the generic form; to print many operations one by one, verify once and set this.
    pub verified: bool,
}

impl PrintOptions {
    /// MLIR's form of the options; to be destroyed by the caller.
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
            if self.verified {
                mlirOpPrintingFlagsAssumeVerified(flags);
            }
            flags
        }
    }
}

impl Op<'_> {
    /// The text of the operation.
    pub fn print(self, options: PrintOptions) -> String {
        let mut text = String::new();
        let flags = options.to_raw();
        // SAFETY: the operation is alive; the callback only writes to `text` during the call; the flags are destroyed
        // behind it.
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
