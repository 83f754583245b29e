//! Cursors over operations, values, blocks and regions.
//!
//! They are copyable handles with the lifetime `'a` of the borrow of their module. They only read;
//! every change goes through a [`Rewriter`](super::Rewriter). Nothing they point to is freed during `'a`.

use super::diagnostic::{Place, Severity};
use super::ffi;
use super::module::{Alive, Invalid};
use melior::ir::{Attribute, AttributeLike, Location, Type};
use mlir_sys::*;
use std::ffi::c_void;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

/// Proof that an error was reported; what a failing pass returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an error was reported")]
#[must_use]
pub struct Reported(());

impl Reported {
    pub(super) fn new() -> Self {
        Self(())
    }
}

/// Reports an error at a location that is no operation's.
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

/// How to print an operation.
#[derive(Clone, Copy, Debug, Default)]
pub struct PrintOptions {
    /// With locations, in the form that parses again.
    pub debug_info: bool,
    /// Without aliases, each operation complete in itself.
    pub local_scope: bool,
    /// In the generic form.
    pub generic: bool,
}

/// The order in which [`Op::walk`] lists an operation and what is inside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalkOrder {
    /// The operation first.
    Pre,
    /// The operation last.
    Post,
}

/// An operation.
#[derive(Clone, Copy)]
pub struct Op<'a> {
    raw: MlirOperation,
    alive: Alive<'a>,
}

/// An SSA value: the result of an operation or the argument of a block.
#[derive(Clone, Copy)]
pub struct Value<'a> {
    raw: MlirValue,
    alive: Alive<'a>,
}

/// A block.
#[derive(Clone, Copy)]
pub struct Block<'a> {
    raw: MlirBlock,
    alive: Alive<'a>,
}

/// A region.
#[derive(Clone, Copy)]
pub struct Region<'a> {
    raw: MlirRegion,
    alive: Alive<'a>,
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Definition<'a> {
    /// The result of this operation with this number.
    Result(Op<'a>, usize),
    /// The argument of this block with this number.
    Argument(Block<'a>, usize),
}

/// One operand slot that reads a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Use<'a> {
    /// The reader.
    pub op: Op<'a>,
    /// The number of its operand.
    pub operand: usize,
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

    /// The full name, such as `ttir.matmul`.
    pub fn name(self) -> &'a str {
        // SAFETY: the operation is alive; identifiers live as long as the context.
        unsafe { ffi::str_of(mlirIdentifierStr(mlirOperationGetName(self.raw))) }
    }

    /// Whether this is an operation of that name.
    pub fn is(self, name: &str) -> bool {
        self.name() == name
    }

    /// Where it comes from.
    pub fn location(self) -> Location<'a> {
        // SAFETY: the operation is alive; locations live as long as the context.
        unsafe { Location::from_raw(mlirOperationGetLocation(self.raw)) }
    }

    /// Where it comes from, as a place in a file.
    pub fn place(self) -> Option<Place> {
        Place::of(self.location())
    }

    /// The number of operands.
    pub fn operand_count(self) -> usize {
        // SAFETY: the operation is alive.
        count(unsafe { mlirOperationGetNumOperands(self.raw) })
    }

    /// The operand with a number, if there is one. There is none where a pass erased what defined it.
    pub fn operand(self, index: usize) -> Option<Value<'a>> {
        if index >= self.operand_count() {
            return None;
        }
        // SAFETY: the operation is alive and the index in range; a value lives as long as what defines it.
        unsafe {
            let raw = mlirOperationGetOperand(self.raw, index as isize);
            (!raw.ptr.is_null()).then(|| Value::from_raw(raw))
        }
    }

    /// The operands, in order.
    pub fn operands(self) -> Vec<Value<'a>> {
        (0..self.operand_count())
            .filter_map(|index| self.operand(index))
            .collect()
    }

    /// The number of results.
    pub fn result_count(self) -> usize {
        // SAFETY: the operation is alive.
        count(unsafe { mlirOperationGetNumResults(self.raw) })
    }

    /// The result with a number, if there is one.
    pub fn result(self, index: usize) -> Option<Value<'a>> {
        // SAFETY: the operation is alive and the index in range.
        (index < self.result_count())
            .then(|| unsafe { Value::from_raw(mlirOperationGetResult(self.raw, index as isize)) })
    }

    /// The results, in order.
    pub fn results(self) -> Vec<Value<'a>> {
        (0..self.result_count())
            .filter_map(|index| self.result(index))
            .collect()
    }

    /// The attribute of that name, inherent or discardable.
    pub fn attribute(self, name: &str) -> Option<Attribute<'a>> {
        // SAFETY: the operation is alive; attributes live as long as the context.
        unsafe {
            Attribute::from_option_raw(mlirOperationGetAttributeByName(
                self.raw,
                ffi::string_ref(name),
            ))
        }
    }

    /// All attributes, inherent and discardable, by name.
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

    /// Whether a boolean attribute is there and true.
    pub fn flag(self, name: &str) -> bool {
        // SAFETY: the attribute is a boolean one.
        self.attribute(name).is_some_and(|attribute| {
            attribute.is_bool() && unsafe { mlirBoolAttrGetValue(attribute.to_raw()) }
        })
    }

    /// The text of a string attribute.
    pub fn string(self, name: &str) -> Option<&'a str> {
        let attribute = self
            .attribute(name)
            .filter(|attribute| attribute.is_string())?;
        // SAFETY: the attribute is a string one and lives as long as the context.
        Some(unsafe { ffi::str_of(mlirStringAttrGetValue(attribute.to_raw())) })
    }

    /// The name an operation declares in its symbol table (`sym_name`).
    pub fn symbol(self) -> Option<&'a str> {
        self.string("sym_name")
    }

    /// The regions, in order.
    pub fn regions(self) -> Vec<Region<'a>> {
        // SAFETY: the operation is alive and the indices are in range.
        unsafe {
            (0..mlirOperationGetNumRegions(self.raw))
                .map(|index| Region {
                    raw: mlirOperationGetRegion(self.raw, index),
                    alive: PhantomData,
                })
                .collect()
        }
    }

    /// The first block of the first region: the body of a module or function.
    pub fn body(self) -> Option<Block<'a>> {
        self.regions().first()?.blocks().first().copied()
    }

    /// The operations directly inside, in order.
    pub fn children(self) -> Vec<Op<'a>> {
        self.regions()
            .into_iter()
            .flat_map(Region::blocks)
            .flat_map(Block::ops)
            .collect()
    }

    /// The block it stands in; nothing for the module and for an erased operation.
    pub fn block(self) -> Option<Block<'a>> {
        // SAFETY: the operation is alive.
        unsafe { Block::from_option_raw(mlirOperationGetBlock(self.raw)) }
    }

    /// The operation around it.
    pub fn parent(self) -> Option<Op<'a>> {
        // SAFETY: the operation is alive. MLIR wants one that stands in a block.
        self.block()
            .and_then(|_| unsafe { Op::from_option_raw(mlirOperationGetParentOperation(self.raw)) })
    }

    /// The nearest operation of that name around it.
    pub fn ancestor(self, name: &str) -> Option<Op<'a>> {
        std::iter::successors(self.parent(), |op| op.parent()).find(|op| op.is(name))
    }

    /// The operation behind it in its block.
    pub fn next(self) -> Option<Op<'a>> {
        // SAFETY: the operation is alive and stands in a block.
        self.block()
            .and_then(|_| unsafe { Op::from_option_raw(mlirOperationGetNextInBlock(self.raw)) })
    }

    /// The operation and everything inside it, collected before the first is handed out.
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

    /// Every operation of that name inside, in pre-order.
    pub fn find_all(self, name: &str) -> Vec<Op<'a>> {
        self.walk(WalkOrder::Pre)
            .into_iter()
            .filter(|op| op.is(name))
            .collect()
    }

    /// Checks every invariant of the operation and of what is inside it.
    ///
    /// # Errors
    /// [`Invalid`], with the reasons in the diagnostics of the context.
    pub fn verify(self) -> Result<(), Invalid> {
        // SAFETY: the operation is alive.
        if unsafe { mlirOperationVerify(self.raw) } {
            Ok(())
        } else {
            Err(Invalid)
        }
    }

    /// Reports an error here, prefixed with `'name' op ` as MLIR does.
    pub fn error(self, message: impl AsRef<str>) -> Reported {
        self.emit(Severity::Error, message.as_ref());
        Reported::new()
    }

    /// Reports a warning here.
    pub fn warning(self, message: impl AsRef<str>) {
        self.emit(Severity::Warning, message.as_ref());
    }

    fn emit(self, severity: Severity, message: &str) {
        // SAFETY: the operation is alive and the message is borrowed for the call.
        unsafe { ffi::tesseraOperationEmit(self.raw, severity.to_raw(), ffi::string_ref(message)) };
    }

    /// The text of the operation.
    pub fn print(self, options: PrintOptions) -> String {
        let mut text = String::new();
        // SAFETY: the flags are made, used and destroyed here; the callback only writes to `text`.
        unsafe {
            let flags = mlirOpPrintingFlagsCreate();
            if options.debug_info {
                mlirOpPrintingFlagsEnableDebugInfo(flags, true, false);
            }
            if options.local_scope {
                mlirOpPrintingFlagsUseLocalScope(flags);
            }
            if options.generic {
                mlirOpPrintingFlagsPrintGenericOpForm(flags);
            }
            mlirOperationPrintWithFlags(
                self.raw,
                flags,
                Some(ffi::append_to_string),
                (&raw mut text).cast(),
            );
            mlirOpPrintingFlagsDestroy(flags);
        }
        text
    }
}

impl<'a> Value<'a> {
    /// # Safety
    /// What defines `raw` must stay allocated for `'a`.
    pub(super) unsafe fn from_raw(raw: MlirValue) -> Self {
        Self {
            raw,
            alive: PhantomData,
        }
    }

    pub(super) fn to_raw(self) -> MlirValue {
        self.raw
    }

    /// Its type.
    pub fn r#type(self) -> Type<'a> {
        // SAFETY: the value is alive; types live as long as the context.
        unsafe { Type::from_raw(mlirValueGetType(self.raw)) }
    }

    /// Where it comes from.
    pub fn definition(self) -> Definition<'a> {
        // SAFETY: the value is alive, and each accessor is called for its own kind of value.
        unsafe {
            if mlirValueIsAOpResult(self.raw) {
                let index = count(mlirOpResultGetResultNumber(self.raw));
                Definition::Result(Op::from_raw(mlirOpResultGetOwner(self.raw)), index)
            } else {
                let index = count(mlirBlockArgumentGetArgNumber(self.raw));
                Definition::Argument(Block::from_raw(mlirBlockArgumentGetOwner(self.raw)), index)
            }
        }
    }

    /// The operation it is a result of; nothing for a block argument.
    pub fn defining_op(self) -> Option<Op<'a>> {
        match self.definition() {
            Definition::Result(op, _) => Some(op),
            Definition::Argument(..) => None,
        }
    }

    /// Every operand slot that reads it, collected. The order is that of MLIR's use list: most recent first.
    pub fn uses(self) -> Vec<Use<'a>> {
        let mut uses = Vec::new();
        // SAFETY: the value is alive; the list is only read.
        unsafe {
            let mut at = mlirValueGetFirstUse(self.raw);
            while !mlirOpOperandIsNull(at) {
                uses.push(Use {
                    op: Op::from_raw(mlirOpOperandGetOwner(at)),
                    operand: mlirOpOperandGetOperandNumber(at) as usize,
                });
                at = mlirOpOperandGetNextUse(at);
            }
        }
        uses
    }

    /// Whether anything reads it.
    pub fn has_uses(self) -> bool {
        // SAFETY: the value is alive.
        unsafe { !mlirOpOperandIsNull(mlirValueGetFirstUse(self.raw)) }
    }
}

impl<'a> Block<'a> {
    /// # Safety
    /// `raw` must be non-null and stay allocated for `'a`.
    pub(super) unsafe fn from_raw(raw: MlirBlock) -> Self {
        Self {
            raw,
            alive: PhantomData,
        }
    }

    /// # Safety
    /// `raw` must be null or stay allocated for `'a`.
    unsafe fn from_option_raw(raw: MlirBlock) -> Option<Self> {
        // SAFETY: the caller's promise.
        (!raw.ptr.is_null()).then(|| unsafe { Self::from_raw(raw) })
    }

    pub(super) fn to_raw(self) -> MlirBlock {
        self.raw
    }

    /// Its operations, collected.
    pub fn ops(self) -> Vec<Op<'a>> {
        // SAFETY: the block is alive; the list is only read.
        let first = unsafe { Op::from_option_raw(mlirBlockGetFirstOperation(self.raw)) };
        std::iter::successors(first, |op| op.next()).collect()
    }

    /// Its arguments.
    pub fn arguments(self) -> Vec<Value<'a>> {
        // SAFETY: the block is alive and the indices are in range.
        unsafe {
            (0..mlirBlockGetNumArguments(self.raw))
                .map(|index| Value::from_raw(mlirBlockGetArgument(self.raw, index)))
                .collect()
        }
    }

    /// Its last operation if that is a terminator.
    pub fn terminator(self) -> Option<Op<'a>> {
        // SAFETY: the block is alive.
        unsafe { Op::from_option_raw(mlirBlockGetTerminator(self.raw)) }
    }

    /// The operation around it.
    pub fn parent(self) -> Option<Op<'a>> {
        // SAFETY: the block is alive.
        unsafe { Op::from_option_raw(mlirBlockGetParentOperation(self.raw)) }
    }
}

impl<'a> Region<'a> {
    pub(super) fn to_raw(self) -> MlirRegion {
        self.raw
    }

    /// Its blocks, the entry first.
    pub fn blocks(self) -> Vec<Block<'a>> {
        // SAFETY: the region is alive; the list is only read.
        unsafe {
            let first = Block::from_option_raw(mlirRegionGetFirstBlock(self.raw));
            std::iter::successors(first, |block| {
                Block::from_option_raw(mlirBlockGetNextInRegion(block.raw))
            })
            .collect()
        }
    }
}

/// A count or index of MLIR, which is never negative.
fn count(number: isize) -> usize {
    usize::try_from(number).unwrap_or(0)
}

macro_rules! identity {
    ($($handle:ident)*) => {$(
        impl PartialEq for $handle<'_> {
            fn eq(&self, other: &Self) -> bool {
                self.raw.ptr == other.raw.ptr
            }
        }

        impl Eq for $handle<'_> {}

        impl Hash for $handle<'_> {
            fn hash<H: Hasher>(&self, state: &mut H) {
                self.raw.ptr.hash(state);
            }
        }
    )*};
}

identity!(Op Value Block Region);

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

impl fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.definition() {
            Definition::Result(op, index) => write!(f, "result {index} of {op:?}"),
            Definition::Argument(_, index) => {
                write!(f, "block argument {index} : {}", self.r#type())
            }
        }
    }
}

impl fmt::Debug for Block<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_list().entries(self.ops()).finish()
    }
}

impl fmt::Debug for Region<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_list().entries(self.blocks()).finish()
    }
}
