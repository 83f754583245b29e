//! The functions that C++ calls: verifiers, folders and patterns.
//!
//! They convert raw handles to safe ones, and panics to diagnostics, since unwinding into C++ would
//! abort the process.

use super::op::Op;
use super::{ffi, views};
use crate::ttnn::{BufferType, TensorMemoryLayout};
use crate::{fold, pto, ttcore, ttnn, verify};
use melior::ir::{Attribute, AttributeLike};
use mlir_sys::{MlirAttribute, MlirOperation, MlirStringRef, MlirValue};
use std::ffi::c_void;
use std::panic::{catch_unwind, AssertUnwindSafe};

/// Runs a check and emits its message at the op; false if it failed.
fn checked(op: MlirOperation, check: impl Fn(Op) -> Result<(), String>) -> bool {
    // SAFETY: MLIR verifies living operations, and the cursor ends with the closure.
    let verdict = catch_unwind(AssertUnwindSafe(|| check(unsafe { Op::from_raw(op) })));
    let message = match verdict {
        Ok(Ok(())) => return true,
        Ok(Err(message)) => message,
        Err(_) => "internal error: its verifier panicked".to_owned(),
    };
    // SAFETY: the operation is alive and the message is borrowed for the call.
    unsafe {
        ffi::tesseraOperationEmit(
            op,
            super::Severity::Error.to_raw(),
            ffi::string_ref(&message),
        );
    }
    false
}

/// Trait `VerifiedInRust`.
#[unsafe(no_mangle)]
extern "C" fn tesseraVerifyOp(op: MlirOperation) -> bool {
    checked(op, verify::op)
}

/// Trait `InputsThenOutput`.
#[unsafe(no_mangle)]
extern "C" fn tesseraVerifyInputs(op: MlirOperation, least: isize, most: isize) -> bool {
    checked(op, |op| {
        verify::inputs(op, least.unsigned_abs(), most.unsigned_abs())
    })
}

/// `foldInRust`: returns the existing value that replaces the result of an operation, or null. A
/// panic counts as null.
#[unsafe(no_mangle)]
extern "C" fn tesseraFoldOp(op: MlirOperation) -> MlirValue {
    // SAFETY: MLIR folds living operations, and the cursor ends with the closure.
    let folded = catch_unwind(AssertUnwindSafe(|| {
        fold::op(unsafe { Op::from_raw(op) }).map(|value| value.to_raw())
    }));
    let nothing = MlirValue {
        ptr: std::ptr::null(),
    };
    folded.ok().flatten().unwrap_or(nothing)
}

/// `EvaluatedInRust`: returns the elements of the result of an operation, or null. A panic counts
/// as null.
#[unsafe(no_mangle)]
extern "C" fn tesseraEvaluateOp(op: MlirOperation) -> MlirAttribute {
    // SAFETY: MLIR canonicalizes living operations, and the cursor ends with the closure.
    let elements = catch_unwind(AssertUnwindSafe(|| {
        fold::elements(unsafe { Op::from_raw(op) }).map(|elements| elements.to_raw())
    }));
    let nothing = MlirAttribute {
        ptr: std::ptr::null(),
    };
    elements.ok().flatten().unwrap_or(nothing)
}

/// Receiver of the messages of a type or attribute verifier: `TesseraErrors` of `cpp/Forward.h`.
#[repr(C)]
struct Errors {
    emit: unsafe extern "C" fn(*mut c_void, MlirStringRef),
    user: *mut c_void,
}

impl Errors {
    /// Runs a check and emits its messages.
    fn emit_all(&self, check: impl FnOnce() -> Vec<String>) {
        let errors = catch_unwind(AssertUnwindSafe(check))
            .unwrap_or_else(|_| vec!["internal error: its verifier panicked".to_owned()]);
        for message in errors {
            // SAFETY: C++ keeps `user` alive during the call of the verifier; the message is
            // borrowed for this one.
            unsafe { (self.emit)(self.user, ffi::string_ref(&message)) };
        }
    }
}

/// # Safety
/// `data` must point to `count` elements that live for `'a`.
unsafe fn slice<'a, T>(data: *const T, count: isize) -> &'a [T] {
    if count <= 0 {
        return &[];
    }
    // SAFETY: the caller's promise.
    unsafe { std::slice::from_raw_parts(data, count.unsigned_abs()) }
}

fn unsigned(list: &[i64]) -> Vec<u64> {
    list.iter().map(|number| number.unsigned_abs()).collect()
}

/// # Safety
/// `shape` must point to `rank` elements.
#[unsafe(no_mangle)]
unsafe extern "C" fn tesseraVerifyTile(shape: *const i64, rank: isize, errors: Errors) {
    // SAFETY: the caller's promise.
    let shape = unsafe { slice(shape, rank) };
    errors.emit_all(|| ttcore::verify_tile(shape));
}

/// # Safety
/// `shape` must point to `rank` elements, `valid` to `valid_rank`.
#[unsafe(no_mangle)]
unsafe extern "C" fn tesseraVerifyPtoTile(
    shape: *const i64,
    rank: isize,
    valid: *const i64,
    valid_rank: isize,
    errors: Errors,
) {
    // SAFETY: the caller's promise.
    let (shape, valid) = unsafe { (slice(shape, rank), slice(valid, valid_rank)) };
    errors.emit_all(|| pto::verify_tile_type(shape, valid));
}

/// # Safety
/// `space` must be readable.
#[unsafe(no_mangle)]
unsafe extern "C" fn tesseraVerifyPtoBuffer(bytes: i64, space: MlirStringRef, errors: Errors) {
    // SAFETY: the caller's promise.
    let space = unsafe { ffi::str_of(space) };
    errors.emit_all(|| pto::verify_buffer_type(bytes, space));
}

#[unsafe(no_mangle)]
extern "C" fn tesseraVerifyPtoPipe(slot_num: i64, slot_size: i64, errors: Errors) {
    errors.emit_all(|| pto::verify_pipe_type(slot_num, slot_size));
}

/// # Safety
/// `indices` must point to `chips` elements.
#[unsafe(no_mangle)]
unsafe extern "C" fn tesseraVerifySystemDesc(
    chip_descs: isize,
    indices: *const u32,
    chips: isize,
    capabilities: isize,
    coords: isize,
    errors: Errors,
) {
    // SAFETY: the caller's promise.
    let indices = unsafe { slice(indices, chips) };
    let [descs, capabilities, coords] = [chip_descs, capabilities, coords].map(isize::unsigned_abs);
    errors.emit_all(|| ttcore::verify_system_desc(descs, indices, capabilities, coords));
}

/// # Safety
/// `corners` must point to four elements.
#[unsafe(no_mangle)]
unsafe extern "C" fn tesseraVerifyCoreRange(corners: *const u64, errors: Errors) {
    // SAFETY: the caller's promise.
    let corners = unsafe { slice(corners, 4) };
    errors.emit_all(|| {
        corners
            .try_into()
            .map_or_else(|_| Vec::new(), ttnn::verify_core_range)
    });
}

/// # Safety
/// `ranges` must point to `count` core ranges.
#[unsafe(no_mangle)]
unsafe extern "C" fn tesseraVerifyCoreRangeSet(
    ranges: *const MlirAttribute,
    count: isize,
    errors: Errors,
) {
    // SAFETY: the caller's promise; attributes live as long as their context.
    let ranges = unsafe { slice(ranges, count) }
        .iter()
        .map(|raw| unsafe { Attribute::from_raw(*raw) });
    let ranges: Vec<_> = ranges
        .filter_map(|range| views::core_range_corners(range).map(|corners| (range, corners)))
        .collect();
    errors.emit_all(|| ttnn::verify_core_ranges(&ranges));
}

/// # Safety
/// Both words must be readable; `memory_layout` is empty if there is none.
#[unsafe(no_mangle)]
unsafe extern "C" fn tesseraVerifyMemoryConfig(
    buffer: MlirStringRef,
    memory_layout: MlirStringRef,
    sharded: bool,
    errors: Errors,
) {
    // SAFETY: the caller's promise.
    let [buffer, layout] = [buffer, memory_layout].map(|word| unsafe { ffi::str_of(word) });
    errors.emit_all(|| match BufferType::from_word(buffer) {
        Some(buffer) => {
            ttnn::verify_memory_config(buffer, TensorMemoryLayout::from_word(layout), sharded)
        }
        None => vec![format!("internal error: no buffer type '{buffer}'")],
    });
}

/// # Safety
/// `grid` must point to `grid_rank` elements, `memory_layout` must be readable; it is empty if
/// there is none, and `memory_space` null.
#[unsafe(no_mangle)]
unsafe extern "C" fn tesseraVerifyTTNNLayout(
    grid: *const i64,
    grid_rank: isize,
    memory_space: MlirAttribute,
    memory_layout: MlirStringRef,
    has_cores: bool,
    ignores_physical_layout: bool,
    errors: Errors,
) {
    // SAFETY: the caller's promise; attributes live as long as their context.
    let (grid, space, layout) = unsafe {
        (
            slice(grid, grid_rank),
            Attribute::from_option_raw(memory_space),
            ffi::str_of(memory_layout),
        )
    };
    let layout = TensorMemoryLayout::from_word(layout);
    errors.emit_all(|| {
        let buffer = space.and_then(BufferType::from_attribute);
        ttnn::verify_layout(
            &unsigned(grid),
            buffer,
            layout,
            has_cores,
            ignores_physical_layout,
        )
    });
}
