//! Declarations of the functions in `cpp/`: additions to MLIR's C API, accessors of the types and
//! attributes of Tessera, and the registration of each dialect. Functions named after a type or
//! attribute require an argument of that kind.

use mlir_sys::*;
use std::ffi::{c_int, c_uint, c_void};

unsafe extern "C" {
    // cpp/bridge.cpp
    /// `source` must be followed by a NUL byte that its length does not count.
    pub fn tesseraModuleParse(
        context: MlirContext,
        source: MlirStringRef,
        name: MlirStringRef,
    ) -> MlirModule;
    pub fn tesseraOperationPrintWithState(
        op: MlirOperation,
        state: MlirAsmState,
        callback: MlirStringCallback,
        user: *mut c_void,
    );
    pub fn tesseraOperationEmit(op: MlirOperation, severity: c_int, message: MlirStringRef);
    pub fn tesseraOperationEmitErrorWithNotes(
        op: MlirOperation,
        message: MlirStringRef,
        count: isize,
        locations: *const MlirLocation,
        notes: *const MlirStringRef,
    );
    pub fn tesseraLocationEmit(location: MlirLocation, severity: c_int, message: MlirStringRef);
    pub fn tesseraOperationSetCaller(op: MlirOperation, caller: MlirLocation);
    pub fn tesseraLocationFile(
        location: MlirLocation,
        file: MlirStringCallback,
        user: *mut c_void,
        line: *mut c_uint,
        column: *mut c_uint,
    ) -> bool;
    pub fn tesseraOperationDropReferences(op: MlirOperation);
    pub fn tesseraOperationDropUses(op: MlirOperation);
    pub fn tesseraOperationCopyProperties(from: MlirOperation, to: MlirOperation);
    pub fn tesseraOperationIsIsolated(op: MlirOperation) -> bool;
    pub fn tesseraContextPrintOpOnDiagnostic(context: MlirContext, enable: bool);
    pub fn tesseraContextDialects(
        context: MlirContext,
        name: MlirStringCallback,
        user: *mut c_void,
    );
    pub fn tesseraContextOperations(
        context: MlirContext,
        dialect: MlirStringRef,
        name: MlirStringCallback,
        user: *mut c_void,
    );
    /// This and the next function require a `dense_resource` attribute.
    pub fn tesseraResourceName(attribute: MlirAttribute) -> MlirStringRef;
    pub fn tesseraResourceData(attribute: MlirAttribute, bytes: *mut MlirStringRef) -> bool;
    pub fn tesseraLLVMVersion() -> MlirStringRef;
    pub fn tesseraRegisterExtensions(registry: MlirDialectRegistry);

    // cpp/llvm.cpp
    pub fn tesseraRegisterLLVM(registry: MlirDialectRegistry);
    pub fn tesseraRegisterLLVMPasses();
    /// MLIR's own. Takes an `LLVMContextRef`, and gives an `LLVMModuleRef`, which is null if there
    /// was an error.
    pub fn mlirTranslateModuleToLLVMIR(module: MlirOperation, context: *mut c_void) -> *mut c_void;

    // cpp/ttcore.cpp
    pub fn tesseraTTCoreWord(attribute: MlirAttribute, mnemonic: MlirStringRef) -> MlirStringRef;
    pub fn tesseraIsTile(r#type: MlirType) -> bool;
    pub fn tesseraTileShape(tile: MlirType, height: *mut i64, width: *mut i64);
    pub fn tesseraTileDataType(tile: MlirType) -> MlirStringRef;
    pub fn tesseraIsSystemDesc(attribute: MlirAttribute) -> bool;
    pub fn tesseraSystemDescNumChips(desc: MlirAttribute) -> isize;
    pub fn tesseraSystemDescChip(desc: MlirAttribute, chip: isize) -> MlirAttribute;
    pub fn tesseraChipArch(chip: MlirAttribute) -> MlirAttribute;
    pub fn tesseraChipGridRank(chip: MlirAttribute) -> isize;
    pub fn tesseraChipGrid(chip: MlirAttribute, index: isize) -> i64;
    pub fn tesseraChipL1Size(chip: MlirAttribute) -> c_uint;

    // cpp/ttnn.cpp
    pub fn tesseraTTNNWord(attribute: MlirAttribute, mnemonic: MlirStringRef) -> MlirStringRef;
    pub fn tesseraIsCoreRange(attribute: MlirAttribute) -> bool;
    /// Writes four corners.
    pub fn tesseraCoreRangeCorners(range: MlirAttribute, corners: *mut u64);
    pub fn tesseraIsShape(attribute: MlirAttribute) -> bool;
    pub fn tesseraShapeRank(shape: MlirAttribute) -> isize;
    pub fn tesseraShapeExtent(shape: MlirAttribute, index: isize) -> i64;
    pub fn tesseraShapeGet(context: MlirContext, rank: isize, extents: *const i64)
        -> MlirAttribute;
    pub fn tesseraIsTTNNLayout(attribute: MlirAttribute) -> bool;
    pub fn tesseraTTNNLayoutLinear(layout: MlirAttribute) -> MlirAffineMap;
    pub fn tesseraTTNNLayoutGridRank(layout: MlirAttribute) -> isize;
    pub fn tesseraTTNNLayoutGrid(layout: MlirAttribute, index: isize) -> i64;
    pub fn tesseraTTNNLayoutMemref(layout: MlirAttribute) -> MlirType;
    pub fn tesseraTTNNLayoutMemorySpace(layout: MlirAttribute) -> MlirAttribute;
    pub fn tesseraTTNNLayoutMemoryLayout(layout: MlirAttribute) -> MlirAttribute;
    pub fn tesseraTTNNLayoutGet(
        location: MlirLocation,
        linear: MlirAffineMap,
        grid_rank: isize,
        grid: *const i64,
        memref: MlirType,
        memory_layout: MlirAttribute,
    ) -> MlirAttribute;
    pub fn tesseraIsComputeConfig(attribute: MlirAttribute) -> bool;
    pub fn tesseraComputeConfigFidelity(config: MlirAttribute) -> MlirStringRef;
    pub fn tesseraComputeConfigFp32Dest(config: MlirAttribute) -> MlirAttribute;
    pub fn tesseraComputeConfigDstFullSync(config: MlirAttribute) -> MlirAttribute;

    pub fn mlirGetDialectHandle__ttcore__() -> MlirDialectHandle;
    pub fn mlirGetDialectHandle__ttir__() -> MlirDialectHandle;
    pub fn mlirGetDialectHandle__pto__() -> MlirDialectHandle;
    pub fn mlirGetDialectHandle__tensix__() -> MlirDialectHandle;
    pub fn mlirGetDialectHandle__mncore__() -> MlirDialectHandle;

    // cpp/mncore.cpp
    pub fn tesseraMncorePlaceGet(
        context: MlirContext,
        parts: *const MncorePlaceParts,
    ) -> MlirAttribute;
    pub fn tesseraMncorePlaceParts(attribute: MlirAttribute, parts: *mut MncorePlaceParts) -> bool;

    pub fn tesseraPTOWord(attribute: MlirAttribute, mnemonic: MlirStringRef) -> MlirStringRef;
    pub fn tesseraPtoTile(
        r#type: MlirType,
        space: *mut MlirStringRef,
        layout: *mut MlirStringRef,
        valid: *mut *const i64,
        valid_rank: *mut isize,
    ) -> MlirType;
    pub fn tesseraPtoBuffer(r#type: MlirType, bytes: *mut i64, space: *mut MlirStringRef) -> bool;
    pub fn tesseraPtoPipe(
        r#type: MlirType,
        direction: *mut MlirStringRef,
        slot_num: *mut i64,
        slot_size: *mut i64,
        split: *mut MlirStringRef,
    ) -> bool;
    pub fn mlirGetDialectHandle__ttnn__() -> MlirDialectHandle;
}

/// `TesseraMncorePlace` of `cpp/mncore.cpp`.
#[repr(C)]
pub struct MncorePlaceParts {
    pub memory: MlirStringRef,
    pub steps: *const i64,
    pub dimensions: isize,
    pub offset: i64,
    pub base: i64,
    pub ring: i64,
    pub stride: i64,
    pub group: i64,
    pub l2b: i64,
}

/// Borrows a Rust string for one call.
pub fn string_ref(text: &str) -> MlirStringRef {
    MlirStringRef {
        data: text.as_ptr().cast(),
        length: text.len(),
    }
}

/// Borrows bytes for one call.
pub fn bytes_ref(bytes: &[u8]) -> MlirStringRef {
    MlirStringRef {
        data: bytes.as_ptr().cast(),
        length: bytes.len(),
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

/// Returns the bytes of a string that MLIR owns.
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

/// Converts text that MLIR owns to a Rust string. It is UTF-8, because the wrapper accepts only
/// UTF-8 input.
///
/// # Safety
/// `text` must be readable for `'a`.
pub unsafe fn str_of<'a>(text: MlirStringRef) -> &'a str {
    // SAFETY: the caller's promise.
    std::str::from_utf8(unsafe { bytes_of(text) }).unwrap_or("<not UTF-8>")
}
