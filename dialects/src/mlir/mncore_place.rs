//! Creation and inspection of `#mncore.place`.

use super::context::ContextRef;
use super::ffi::{self, MncorePlaceParts};
use melior::ir::{Attribute, AttributeLike};
use mlir_sys::MlirStringRef;
use std::ptr;

/// The parts of a `#mncore.place`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MncorePlace {
    /// The memory as in the assembler, without `$`.
    pub memory: String,
    /// The start address of the ring.
    pub offset: i64,
    /// The offset from there in the first iteration.
    pub base: i64,
    /// The step of each loop dimension, outermost first.
    pub steps: Vec<i64>,
    /// The size of the ring; 0 is none.
    pub ring: i64,
    /// The address increment per cycle.
    pub stride: i64,
    /// The group, if specified.
    pub group: Option<i64>,
    /// The L2B, if specified.
    pub l2b: Option<i64>,
}

impl MncorePlace {
    /// Returns the parts of an attribute, or `None` if it is not a place.
    pub fn from_attribute(attribute: Attribute) -> Option<Self> {
        let mut parts = MncorePlaceParts {
            memory: MlirStringRef {
                data: ptr::null(),
                length: 0,
            },
            steps: ptr::null(),
            dimensions: 0,
            offset: 0,
            base: 0,
            ring: 0,
            stride: 0,
            group: 0,
            l2b: 0,
        };
        // SAFETY: the attribute is alive, and `parts` is written during the call only; what it
        // points to then lives as long as the context, which the attribute borrows.
        unsafe {
            if !ffi::tesseraMncorePlaceParts(attribute.to_raw(), &raw mut parts) {
                return None;
            }
            let steps = match usize::try_from(parts.dimensions) {
                Ok(count) if count > 0 => std::slice::from_raw_parts(parts.steps, count).to_vec(),
                _ => Vec::new(),
            };
            let named = |number: i64| (number >= 0).then_some(number);
            Some(Self {
                memory: ffi::str_of(parts.memory).to_owned(),
                offset: parts.offset,
                base: parts.base,
                steps,
                ring: parts.ring,
                stride: parts.stride,
                group: named(parts.group),
                l2b: named(parts.l2b),
            })
        }
    }

    /// Creates the attribute with these parts.
    pub fn attribute<'a>(&self, context: ContextRef<'a>) -> Attribute<'a> {
        let parts = MncorePlaceParts {
            memory: ffi::string_ref(&self.memory),
            steps: self.steps.as_ptr(),
            dimensions: self.steps.len() as isize,
            offset: self.offset,
            base: self.base,
            ring: self.ring,
            stride: self.stride,
            group: self.group.unwrap_or(-1),
            l2b: self.l2b.unwrap_or(-1),
        };
        // SAFETY: the context is alive, and `parts` and what it points to are read during the call
        // only.
        unsafe {
            Attribute::from_raw(ffi::tesseraMncorePlaceGet(
                context.to_raw(),
                &raw const parts,
            ))
        }
    }
}
