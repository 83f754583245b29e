//! The handle of an operation, like those of [`super::structure`].

use super::diagnostic::{FileLineCol, Severity};
use super::ffi;
use super::make::AttributeValue;
use super::module::{Alive, Invalid};
use super::op_view::OpView;
use super::print::PrintOptions;
use super::siblings::Verifying;
use super::structure::{count, Block, Region, Value};
use melior::ir::{Attribute, Location};
use mlir_sys::*;
use std::ffi::c_void;
use std::fmt;
use std::marker::PhantomData;

/// Proof that an error was reported; the error type of passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an error was reported")]
#[must_use]
pub struct Reported(());

impl Reported {
    pub(super) fn new() -> Self {
        Self(())
    }
}

/// Reports an error at a location that does not belong to an operation.
pub fn error_at(location: Location, message: impl AsRef<str>) -> Reported {
    // SAFETY: the location is alive and the message is borrowed for the call.
    unsafe {
        ffi::tesseraLocationEmit(
            location.to_raw(),
            Severity::Error.to_raw(),
            ffi::string_ref(message.as_ref()),
        );
    }
    Reported::new()
}

/// The order in which [`Op::walk`] visits operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalkOrder {
    /// Parents before their children.
    Pre,
    /// Children before their parents.
    Post,
}

/// An operation.
#[derive(Clone, Copy)]
pub struct Op<'a> {
    raw: MlirOperation,
    alive: Alive<'a>,
}

/// Verifies operations and their nested operations.
///
/// # Errors
/// [`Invalid`] at the first that breaks one, with the reasons in the diagnostics of the context.
pub(super) fn verify_all<'a>(ops: impl IntoIterator<Item = Op<'a>>) -> Result<(), Invalid> {
    let _verifying = Verifying::begin();
    // SAFETY: the operations are alive.
    let verifies = |op: Op| unsafe { mlirOperationVerify(op.raw) };
    match ops.into_iter().all(verifies) {
        true => Ok(()),
        false => Err(Invalid),
    }
}

impl<'a> Op<'a> {
    /// # Safety
    /// `raw` must be non-null and stay allocated for `'a`.
    pub(super) unsafe fn from_raw(raw: MlirOperation) -> Self {
        Self {
            raw,
            alive: PhantomData,
        }
    }

    /// # Safety
    /// `raw` must be null or stay allocated for `'a`.
    pub(super) unsafe fn from_option_raw(raw: MlirOperation) -> Option<Self> {
        // SAFETY: the caller's promise.
        (!raw.ptr.is_null()).then(|| unsafe { Self::from_raw(raw) })
    }

    pub(super) fn to_raw(self) -> MlirOperation {
        self.raw
    }

    /// Returns the full name, such as `ttir.matmul`.
    pub fn name(self) -> &'a str {
        // SAFETY: the operation is alive; identifiers live as long as the context.
        unsafe { ffi::str_of(mlirIdentifierStr(mlirOperationGetName(self.raw))) }
    }

    /// Returns whether the operation has a name.
    pub fn is(self, name: &str) -> bool {
        self.name() == name
    }

    /// Returns its location.
    pub fn location(self) -> Location<'a> {
        // SAFETY: the operation is alive; locations live as long as the context.
        unsafe { Location::from_raw(mlirOperationGetLocation(self.raw)) }
    }

    /// Returns its location as a place in a file.
    pub fn place(self) -> Option<FileLineCol> {
        FileLineCol::from_location(self.location())
    }

    /// Returns the number of operands.
    pub fn operand_count(self) -> usize {
        // SAFETY: the operation is alive.
        count(unsafe { mlirOperationGetNumOperands(self.raw) })
    }

    /// Returns an operand by index. Returns `None` for an operand whose definition was erased.
    pub fn operand(self, index: usize) -> Option<Value<'a>> {
        if index >= self.operand_count() {
            return None;
        }
        // SAFETY: the operation is alive and the index in range; a value lives as long as what
        // defines it.
        unsafe {
            let raw = mlirOperationGetOperand(self.raw, index as isize);
            (!raw.ptr.is_null()).then(|| Value::from_raw(raw))
        }
    }

    /// Returns the operands, in order.
    pub fn operands(self) -> Vec<Value<'a>> {
        (0..self.operand_count())
            .filter_map(|index| self.operand(index))
            .collect()
    }

    /// Returns the number of results.
    pub fn result_count(self) -> usize {
        // SAFETY: the operation is alive.
        count(unsafe { mlirOperationGetNumResults(self.raw) })
    }

    /// Returns a result by index.
    pub fn result(self, index: usize) -> Option<Value<'a>> {
        // SAFETY: the operation is alive and the index in range.
        (index < self.result_count())
            .then(|| unsafe { Value::from_raw(mlirOperationGetResult(self.raw, index as isize)) })
    }

    /// Returns the results, in order.
    pub fn results(self) -> Vec<Value<'a>> {
        (0..self.result_count())
            .filter_map(|index| self.result(index))
            .collect()
    }

    /// Returns an attribute by name, inherent or discardable.
    pub fn attribute(self, name: &str) -> Option<Attribute<'a>> {
        // SAFETY: the operation is alive; attributes live as long as the context.
        unsafe {
            Attribute::from_option_raw(mlirOperationGetAttributeByName(
                self.raw,
                ffi::string_ref(name),
            ))
        }
    }

    /// Returns all attributes, inherent and discardable, by name.
    pub fn attributes(self) -> Vec<(&'a str, Attribute<'a>)> {
        // SAFETY: the operation is alive and the indices are in range.
        unsafe {
            (0..mlirOperationGetNumAttributes(self.raw))
                .map(|index| {
                    let named = mlirOperationGetAttribute(self.raw, index);
                    (
                        ffi::str_of(mlirIdentifierStr(named.name)),
                        Attribute::from_raw(named.attribute),
                    )
                })
                .collect()
        }
    }

    /// Returns the symbol name that the operation declares (`sym_name`).
    pub fn symbol(self) -> Option<&'a str> {
        self.attribute("sym_name").and_then(AttributeValue::text)
    }

    /// Returns the regions, in order.
    pub fn regions(self) -> Vec<Region<'a>> {
        // SAFETY: the operation is alive and the indices are in range.
        unsafe {
            (0..mlirOperationGetNumRegions(self.raw))
                .map(|index| Region::from_raw(mlirOperationGetRegion(self.raw, index)))
                .collect()
        }
    }

    /// Returns a region by index.
    pub fn region(self, index: usize) -> Option<Region<'a>> {
        // SAFETY: the operation is alive and the index in range.
        (index < count(unsafe { mlirOperationGetNumRegions(self.raw) }))
            .then(|| unsafe { Region::from_raw(mlirOperationGetRegion(self.raw, index as isize)) })
    }

    /// Returns the first block of the first region: the body of a module or function.
    pub fn body(self) -> Option<Block<'a>> {
        self.regions().first()?.blocks().first().copied()
    }

    /// Returns the operations in its body, in order.
    pub fn children(self) -> Vec<Op<'a>> {
        self.regions()
            .into_iter()
            .flat_map(Region::blocks)
            .flat_map(Block::ops)
            .collect()
    }

    /// Returns the block that contains it, or `None` for the top-level module and for an erased
    /// operation.
    pub fn block(self) -> Option<Block<'a>> {
        // SAFETY: the operation is alive.
        unsafe { Block::from_option_raw(mlirOperationGetBlock(self.raw)) }
    }

    /// Returns its parent operation.
    pub fn parent(self) -> Option<Op<'a>> {
        // SAFETY: the operation is alive. MLIR wants one that stands in a block.
        self.block()
            .and_then(|_| unsafe { Op::from_option_raw(mlirOperationGetParentOperation(self.raw)) })
    }

    /// Returns the next operation in its block.
    pub fn next(self) -> Option<Op<'a>> {
        // SAFETY: the operation is alive and stands in a block.
        self.block()
            .and_then(|_| unsafe { Op::from_option_raw(mlirOperationGetNextInBlock(self.raw)) })
    }

    /// Returns the operation and all nested operations, collected in advance.
    pub fn walk(self, order: WalkOrder) -> Vec<Op<'a>> {
        unsafe extern "C" fn push(op: MlirOperation, user: *mut c_void) -> MlirWalkResult {
            // SAFETY: `user` is the vector below, which nothing else touches during the walk.
            unsafe { (*user.cast::<Vec<MlirOperation>>()).push(op) };
            MlirWalkResult_MlirWalkResultAdvance
        }
        let mut found: Vec<MlirOperation> = Vec::new();
        let order = match order {
            WalkOrder::Pre => MlirWalkOrder_MlirWalkPreOrder,
            WalkOrder::Post => MlirWalkOrder_MlirWalkPostOrder,
        };
        // SAFETY: the operation is alive and the callback does not change it.
        unsafe { mlirOperationWalk(self.raw, Some(push), (&raw mut found).cast(), order) };
        // SAFETY: what is inside a living operation stays allocated as long as it does.
        found
            .into_iter()
            .map(|raw| unsafe { Op::from_raw(raw) })
            .collect()
    }

    /// Returns all nested operations with a view, in pre-order.
    pub fn find_all<V: OpView<'a>>(self) -> Vec<V> {
        let ops = self.walk(WalkOrder::Pre).into_iter();
        ops.filter_map(Op::dyn_cast).collect()
    }

    /// Verifies the operation and all nested operations.
    ///
    /// # Errors
    /// [`Invalid`], with the reasons in the diagnostics of the context.
    pub fn verify(self) -> Result<(), Invalid> {
        verify_all([self])
    }

    /// Reports an error at the operation, prefixed with `'name' op ` as MLIR does.
    pub fn error(self, message: impl AsRef<str>) -> Reported {
        self.emit(Severity::Error, message.as_ref());
        Reported::new()
    }

    /// Reports an error at the operation, with notes at other operations.
    pub fn error_with_notes(self, message: impl AsRef<str>, notes: &[(Op, String)]) -> Reported {
        let locations: Vec<_> = notes.iter().map(|(op, _)| op.location().to_raw()).collect();
        let texts: Vec<_> = notes
            .iter()
            .map(|(_, text)| ffi::string_ref(text))
            .collect();
        // SAFETY: the operation is alive; both arrays have as many entries as is said, and they and
        // the texts are borrowed for the call.
        unsafe {
            ffi::tesseraOperationEmitErrorWithNotes(
                self.raw,
                ffi::string_ref(message.as_ref()),
                notes.len() as isize,
                locations.as_ptr(),
                texts.as_ptr(),
            );
        }
        Reported::new()
    }

    /// Reports a warning at the operation.
    pub fn warning(self, message: impl AsRef<str>) {
        self.emit(Severity::Warning, message.as_ref());
    }

    /// Reports a remark at the operation, such as requested information.
    pub fn remark(self, message: impl AsRef<str>) {
        self.emit(Severity::Remark, message.as_ref());
    }

    fn emit(self, severity: Severity, message: &str) {
        // SAFETY: the operation is alive and the message is borrowed for the call.
        unsafe { ffi::tesseraOperationEmit(self.raw, severity.to_raw(), ffi::string_ref(message)) };
    }
}

impl fmt::Display for Op<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.print(PrintOptions::default()))
    }
}

impl fmt::Debug for Op<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.print(PrintOptions {
            generic: true,
            ..PrintOptions::default()
        }))
    }
}
