//! Decomposition of the types of the pto dialect into keywords and numbers.

use super::ffi;
use melior::ir::{Type, TypeLike};
use mlir_sys::MlirStringRef;
use std::ptr;

/// The parts of a `!pto.tile`.
pub struct PtoTile<'a> {
    /// Its shape and elements, as a tensor type.
    pub contents: Type<'a>,
    /// The keyword of its memory space.
    pub space: &'static str,
    /// The keyword of its layout.
    pub layout: &'static str,
    /// Rows and columns that are valid; empty if all are.
    pub valid: Vec<u64>,
}

const NO_WORD: MlirStringRef = MlirStringRef {
    data: ptr::null(),
    length: 0,
};

/// Returns the parts of a `!pto.tile`, or `None` for another type.
pub fn pto_tile(r#type: Type<'_>) -> Option<PtoTile<'_>> {
    let (mut space, mut layout) = (NO_WORD, NO_WORD);
    let (mut valid, mut rank) = (ptr::null(), 0);
    // SAFETY: the type is alive, and the rest is written during the call only; words are static,
    // `valid` lives as long as the context, and what is returned is null or of the context of
    // `type`.
    unsafe {
        let contents = ffi::tesseraPtoTile(
            r#type.to_raw(),
            &raw mut space,
            &raw mut layout,
            &raw mut valid,
            &raw mut rank,
        );
        if contents.ptr.is_null() {
            return None;
        }
        let valid: &[i64] = match usize::try_from(rank) {
            Ok(rank) if rank > 0 => std::slice::from_raw_parts(valid, rank),
            _ => &[],
        };
        Some(PtoTile {
            contents: Type::from_raw(contents),
            space: ffi::str_of(space),
            layout: ffi::str_of(layout),
            valid: valid.iter().map(|extent| extent.unsigned_abs()).collect(),
        })
    }
}

/// Returns the size and the keyword of the space of a `!pto.buffer`, or `None` for another type.
pub fn pto_buffer(r#type: Type) -> Option<(u64, &'static str)> {
    let (mut bytes, mut space) = (0, NO_WORD);
    // SAFETY: the type is alive, and the rest is written during the call only; words are static.
    unsafe {
        ffi::tesseraPtoBuffer(r#type.to_raw(), &raw mut bytes, &raw mut space)
            .then(|| (bytes.unsigned_abs(), ffi::str_of(space)))
    }
}

/// Returns the direction keyword, slot count, slot size and split keyword of a `!pto.pipe`, or
/// `None` for another type.
pub fn pto_pipe(r#type: Type) -> Option<(&'static str, u64, u64, &'static str)> {
    let (mut direction, mut split) = (NO_WORD, NO_WORD);
    let (mut slot_num, mut slot_size) = (0, 0);
    // SAFETY: the type is alive, and the rest is written during the call only; words are static.
    unsafe {
        ffi::tesseraPtoPipe(
            r#type.to_raw(),
            &raw mut direction,
            &raw mut slot_num,
            &raw mut slot_size,
            &raw mut split,
        )
        .then(|| {
            let [direction, split] = [direction, split].map(|word| ffi::str_of(word));
            (
                direction,
                slot_num.unsigned_abs(),
                slot_size.unsigned_abs(),
                split,
            )
        })
    }
}
