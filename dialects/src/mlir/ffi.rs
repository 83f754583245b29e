//! The functions of `cpp/bridge.cpp` and the registration of each dialect.

use mlir_sys::{
    MlirContext, MlirDialectHandle, MlirDialectRegistry, MlirLocation, MlirModule, MlirOperation,
    MlirStringCallback, MlirStringRef, MlirType,
};
use std::ffi::{c_int, c_uint, c_void};

unsafe extern "C" {
    /// `source` must be followed by a NUL byte that its length does not count.
    pub fn tesseraModuleParse(
        context: MlirContext,
        source: MlirStringRef,
        name: MlirStringRef,
    ) -> MlirModule;
    pub fn tesseraOperationEmit(op: MlirOperation, severity: c_int, message: MlirStringRef);
    pub fn tesseraLocationEmit(location: MlirLocation, severity: c_int, message: MlirStringRef);
    pub fn tesseraLocationFile(
        location: MlirLocation,
        file: MlirStringCallback,
        user: *mut c_void,
        line: *mut c_uint,
        column: *mut c_uint,
    ) -> bool;
    pub fn tesseraOperationDropReferences(op: MlirOperation);
    pub fn tesseraOperationDropUses(op: MlirOperation);
    pub fn tesseraRegisterExtensions(registry: MlirDialectRegistry);

    pub fn mlirGetDialectHandle__ttcore__() -> MlirDialectHandle;
    pub fn mlirGetDialectHandle__ttir__() -> MlirDialectHandle;
    pub fn mlirGetDialectHandle__pto__() -> MlirDialectHandle;
    pub fn mlirGetDialectHandle__tensix__() -> MlirDialectHandle;

    pub fn tesseraPtoTile(r#type: MlirType, space: *mut c_int) -> MlirType;
}

/// Borrows a Rust string for one call.
pub fn string_ref(text: &str) -> MlirStringRef {
    MlirStringRef {
        data: text.as_ptr().cast(),
        length: text.len(),
    }
}

/// The `MlirStringCallback` that appends to the `String` behind `user`.
///
/// # Safety
/// `user` must point to a live `String` that nothing else borrows, and `text` to readable bytes.
pub unsafe extern "C" fn append_to_string(text: MlirStringRef, user: *mut c_void) {
    // SAFETY: the caller's promise.
    let (target, bytes) = unsafe { (&mut *user.cast::<String>(), bytes_of(text)) };
    target.push_str(&String::from_utf8_lossy(bytes));
}

/// The bytes of a string that MLIR owns.
///
/// # Safety
/// `text` must be readable for `'a`.
pub unsafe fn bytes_of<'a>(text: MlirStringRef) -> &'a [u8] {
    if text.length == 0 {
        return &[];
    }
    // SAFETY: the caller's promise; a non-empty StringRef has a non-null pointer.
    unsafe { std::slice::from_raw_parts(text.data.cast(), text.length) }
}

/// Text that MLIR owns, as a Rust string; MLIR names are UTF-8 because the wrapper only lets UTF-8 in.
///
/// # Safety
/// `text` must be readable for `'a`.
pub unsafe fn str_of<'a>(text: MlirStringRef) -> &'a str {
    // SAFETY: the caller's promise.
    std::str::from_utf8(unsafe { bytes_of(text) }).unwrap_or("<not UTF-8>")
}
