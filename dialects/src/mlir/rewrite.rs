//! Modification of the IR.
//!
//! Invariant: an erased operation is unlinked at once and freed when the [`Rewriter`] is dropped,
//! which is after the last handle to it. Invariant checked: only an operation whose results are
//! unread is erased.

use super::attribute_key::{AttributeKey, AttributeKind};
use super::context::ContextRef;
use super::ffi;
use super::op::{Op, WalkOrder};
use super::structure::{Block, Region, Value};
use super::touched::Touched;
use melior::ir::{Attribute, AttributeLike, Location, Type, TypeLike};
use mlir_sys::*;
use std::cell::{Ref, RefCell};
use std::collections::HashSet;

/// The insertion point of a new or moved operation.
#[derive(Clone, Copy, Debug)]
pub enum At<'a> {
    /// Right before an operation.
    Before(Op<'a>),
    /// Right after an operation.
    After(Op<'a>),
    /// First in a block.
    Start(Block<'a>),
    /// Last in a block.
    End(Block<'a>),
}

/// A description of an operation to create. Inherent attributes are set like discardable ones, by
/// name.
#[derive(Clone, Debug)]
#[must_use]
pub struct NewOp<'a> {
    name: String,
    location: Location<'a>,
    operands: Vec<Value<'a>>,
    results: Vec<Type<'a>>,
    attributes: Vec<(String, Attribute<'a>)>,
    /// The block argument types of each region; `None` for a region without a block.
    regions: Vec<Option<Vec<(Type<'a>, Location<'a>)>>>,
}

impl<'a> NewOp<'a> {
    /// Describes an operation without operands, results, attributes and regions.
    pub fn new(name: &str, location: Location<'a>) -> Self {
        Self {
            name: name.into(),
            location,
            operands: Vec::new(),
            results: Vec::new(),
            attributes: Vec::new(),
            regions: Vec::new(),
        }
    }

    /// Adds operands.
    pub fn operands(mut self, operands: impl IntoIterator<Item = Value<'a>>) -> Self {
        self.operands.extend(operands);
        self
    }

    /// Adds results of these types.
    pub fn results(mut self, types: impl IntoIterator<Item = Type<'a>>) -> Self {
        self.results.extend(types);
        self
    }

    /// Adds an attribute.
    pub fn attribute(mut self, name: &str, attribute: impl Into<Attribute<'a>>) -> Self {
        self.attributes.push((name.into(), attribute.into()));
        self
    }

    /// Adds an attribute that its declaration names.
    pub fn with<'b, K: AttributeKind>(
        self,
        context: ContextRef<'a>,
        key: AttributeKey<K>,
        value: K::Given<'a, 'b>,
    ) -> Self
    where
        'a: 'b,
    {
        self.attribute(key.name(), K::write(context, value))
    }

    /// Adds attributes, such as those of the replaced operation.
    pub fn attributes(
        mut self,
        attributes: impl IntoIterator<Item = (&'a str, Attribute<'a>)>,
    ) -> Self {
        self.attributes.extend(
            attributes
                .into_iter()
                .map(|(name, attribute)| (name.to_owned(), attribute)),
        );
        self
    }

    /// Adds a region of one empty block with arguments of these types.
    pub fn region(mut self, arguments: impl IntoIterator<Item = (Type<'a>, Location<'a>)>) -> Self {
        self.regions.push(Some(arguments.into_iter().collect()));
        self
    }

    /// Adds a region without a block, such as the `else` that an `scf.if` does not have.
    pub fn empty_region(mut self) -> Self {
        self.regions.push(None);
        self
    }
}

/// Exclusive access for modifying the IR during `'a`, from [`Module::edit`](super::Module::edit) or
/// a running pass.
#[derive(Debug)]
pub struct Rewriter<'a> {
    context: ContextRef<'a>,
    erased: RefCell<HashSet<Op<'a>>>,
    touched: RefCell<Touched<'a>>,
}

impl<'a> Rewriter<'a> {
    pub(super) fn new(context: ContextRef<'a>) -> Self {
        Self {
            context,
            erased: RefCell::default(),
            touched: RefCell::default(),
        }
    }

    /// Returns the extent of the changes so far.
    pub(super) fn touched(&self) -> Ref<'_, Touched<'a>> {
        self.touched.borrow()
    }

    /// Returns the context, for making types and attributes.
    pub fn context(&self) -> ContextRef<'a> {
        self.context
    }

    /// Creates an operation at an insertion point.
    ///
    /// # Panics
    /// The name is not registered, and the context does not allow unregistered dialects.
    pub fn insert(&self, at: At<'a>, op: NewOp<'a>) -> Op<'a> {
        require_registered(op.location, &op.name);
        // SAFETY: the state is made, filled and consumed here; every handle in it is alive. The new
        // operation is owned by the block it is put into.
        let made = unsafe { Op::from_raw(create(&op)) };
        for (region, new) in made.regions().into_iter().zip(&op.regions) {
            if let Some(arguments) = new {
                fill_region(region, arguments);
            }
        }
        link(at, made);
        self.touched.borrow_mut().op(made);
        made
    }

    /// Unlinks an operation with its nested operations, which are freed when the rewriter is
    /// dropped. Erasing an erased operation has no effect.
    ///
    /// # Panics
    /// A result has uses, or the operation is the top-level module.
    pub fn erase(&self, op: Op<'a>) {
        if self.erased.borrow().contains(&op) {
            return;
        }
        assert!(op.block().is_some(), "cannot erase the top-level operation");
        for result in op.results() {
            assert!(
                !result.has_uses(),
                "cannot erase an operation whose result is read: {op}"
            );
        }
        self.touched.borrow_mut().around(op);
        // SAFETY: the operation stands in a block, which gives up its ownership; nobody reads its
        // results, and after the second call it reads nobody's. It is kept in `erased` until no
        // handle is left.
        unsafe {
            mlirOperationRemoveFromParent(op.to_raw());
            ffi::tesseraOperationDropReferences(op.to_raw());
        }
        self.erased.borrow_mut().insert(op);
    }

    /// Returns whether [`erase`](Self::erase) was called for this operation.
    pub fn is_erased(&self, op: Op<'a>) -> bool {
        self.erased.borrow().contains(&op)
    }

    /// Replaces all uses of `old` by `new`.
    pub fn replace_all_uses(&self, old: Value<'a>, new: Value<'a>) {
        self.touched.borrow_mut().value(old);
        // SAFETY: both values are alive.
        unsafe { mlirValueReplaceAllUsesOfWith(old.to_raw(), new.to_raw()) };
    }

    /// Replaces all uses of the results of `op` by values, and erases `op`.
    ///
    /// # Panics
    /// The number of values is not the number of results.
    pub fn replace(&self, op: Op<'a>, values: &[Value<'a>]) {
        let results = op.results();
        assert_eq!(
            results.len(),
            values.len(),
            "one value for each result of {op}"
        );
        for (result, value) in results.into_iter().zip(values) {
            self.replace_all_uses(result, *value);
        }
        self.erase(op);
    }

    /// Sets an attribute that the declaration of an operation names.
    pub fn set<'b, K: AttributeKind>(
        &self,
        op: Op<'a>,
        key: AttributeKey<K>,
        value: K::Given<'a, 'b>,
    ) where
        'a: 'b,
    {
        self.set_attribute(op, key.name(), K::write(self.context, value));
    }

    /// Sets an attribute, inherent or discardable.
    pub fn set_attribute(&self, op: Op<'a>, name: &str, attribute: impl Into<Attribute<'a>>) {
        self.touched.borrow_mut().op(op);
        // SAFETY: operation and attribute are alive.
        unsafe {
            mlirOperationSetAttributeByName(
                op.to_raw(),
                ffi::string_ref(name),
                attribute.into().to_raw(),
            );
        }
    }

    /// Removes an attribute, if there is one of that name.
    pub fn remove_attribute(&self, op: Op<'a>, name: &str) {
        self.touched.borrow_mut().op(op);
        // SAFETY: the operation is alive.
        unsafe { mlirOperationRemoveAttributeByName(op.to_raw(), ffi::string_ref(name)) };
    }

    /// Replaces all operands.
    pub fn set_operands(&self, op: Op<'a>, operands: &[Value<'a>]) {
        let raw: Vec<MlirValue> = operands.iter().map(|value| value.to_raw()).collect();
        self.touched.borrow_mut().op(op);
        // SAFETY: operation and values are alive; the array is read during the call.
        unsafe { mlirOperationSetOperands(op.to_raw(), raw.len() as isize, raw.as_ptr()) };
    }

    /// Replaces one operand.
    ///
    /// # Panics
    /// The operation has no such operand.
    pub fn set_operand(&self, op: Op<'a>, index: usize, value: Value<'a>) {
        assert!(index < op.operand_count(), "no operand {index} in {op}");
        self.touched.borrow_mut().op(op);
        // SAFETY: operation and value are alive and the index in range.
        unsafe { mlirOperationSetOperand(op.to_raw(), index as isize, value.to_raw()) };
    }

    /// Changes the type of a value in place. The caller keeps its definition and uses consistent.
    pub fn set_type(&self, value: Value<'a>, r#type: Type<'a>) {
        self.touched.borrow_mut().value(value);
        // SAFETY: value and type are alive.
        unsafe { mlirValueSetType(value.to_raw(), r#type.to_raw()) };
    }

    /// Moves an operation with its nested operations.
    ///
    /// # Panics
    /// The operation is the top-level module.
    pub fn move_to(&self, op: Op<'a>, at: At<'a>) {
        assert!(op.block().is_some(), "cannot move the top-level operation");
        if matches!(at, At::Before(other) | At::After(other) if other == op) {
            return;
        }
        self.touched.borrow_mut().around(op);
        // SAFETY: the operation stands in a block, which gives up its ownership to the block it is
        // put into.
        unsafe { mlirOperationRemoveFromParent(op.to_raw()) };
        link(at, op);
        let mut touched = self.touched.borrow_mut();
        touched.forget_blocks();
        touched.around(op);
    }

    /// Changes the location of an inlined operation to its own location, called from that of
    /// `call`. Nested operations keep theirs.
    pub fn set_caller(&self, op: Op<'a>, call: Op<'a>) {
        // SAFETY: both operations are alive; locations live as long as the context.
        unsafe { ffi::tesseraOperationSetCaller(op.to_raw(), call.location().to_raw()) };
    }

    /// Clones an operation with its nested operations.
    ///
    /// # Panics
    /// The operation was erased, which removed its operands.
    pub fn clone_to(&self, op: Op<'a>, at: At<'a>) -> Op<'a> {
        assert!(!self.is_erased(op), "cannot copy an erased operation");
        // SAFETY: the operation is alive and its operands are set; the copy is owned by the block
        // it is put into.
        let copy = unsafe { Op::from_raw(mlirOperationClone(op.to_raw())) };
        link(at, copy);
        self.touched.borrow_mut().op(copy);
        copy_properties(op, copy);
        copy
    }
}

impl Drop for Rewriter<'_> {
    fn drop(&mut self) {
        for op in self.erased.get_mut().drain() {
            // SAFETY: `erase` took the operation out of the IR; `'a`, and with it every handle, is
            // over. A reader that a pass left behind loses its operand, which the verifier reports.
            unsafe {
                ffi::tesseraOperationDropUses(op.to_raw());
                mlirOperationDestroy(op.to_raw());
            }
        }
    }
}

/// Copies the properties of an operation and of those nested in it to a clone: MLIR 19 clones
/// operations that are not registered without them.
fn copy_properties(original: Op, clone: Op) {
    let [originals, clones] = [original, clone].map(|op| op.walk(WalkOrder::Pre));
    for (original, clone) in originals.into_iter().zip(clones) {
        // SAFETY: both operations are alive and have the same name.
        unsafe { ffi::tesseraOperationCopyProperties(original.to_raw(), clone.to_raw()) };
    }
}

/// Panics if a name is not registered, since MLIR would abort the process without naming it.
fn require_registered(location: Location, name: &str) {
    // SAFETY: the location is alive.
    let context = unsafe { mlirLocationGetContext(location.to_raw()) };
    let dialect = name.split('.').next().unwrap_or_default();
    // SAFETY: the context is alive and the strings are borrowed for the calls.
    let known = unsafe {
        mlirContextGetOrLoadDialect(context, ffi::string_ref(dialect));
        mlirContextIsRegisteredOperation(context, ffi::string_ref(name))
            || mlirContextGetAllowUnregisteredDialects(context)
    };
    assert!(known, "no dialect registers the operation '{name}'");
}

/// # Safety
/// Every handle in `op` must be alive. The result is owned by the caller.
unsafe fn create(op: &NewOp) -> MlirOperation {
    let operands: Vec<MlirValue> = op.operands.iter().map(|value| value.to_raw()).collect();
    let results: Vec<MlirType> = op.results.iter().map(|r#type| r#type.to_raw()).collect();
    // SAFETY: the caller's promise; the arrays live until the state is consumed by
    // `mlirOperationCreate`.
    unsafe {
        let context = mlirLocationGetContext(op.location.to_raw());
        let attributes: Vec<MlirNamedAttribute> = op
            .attributes
            .iter()
            .map(|(name, attribute)| MlirNamedAttribute {
                name: mlirIdentifierGet(context, ffi::string_ref(name)),
                attribute: attribute.to_raw(),
            })
            .collect();
        let regions: Vec<MlirRegion> = op.regions.iter().map(|_| mlirRegionCreate()).collect();
        let mut state = mlirOperationStateGet(ffi::string_ref(&op.name), op.location.to_raw());
        mlirOperationStateAddOperands(&mut state, operands.len() as isize, operands.as_ptr());
        mlirOperationStateAddResults(&mut state, results.len() as isize, results.as_ptr());
        mlirOperationStateAddAttributes(&mut state, attributes.len() as isize, attributes.as_ptr());
        mlirOperationStateAddOwnedRegions(&mut state, regions.len() as isize, regions.as_ptr());
        mlirOperationCreate(&mut state)
    }
}

/// Appends a block with these arguments.
fn fill_region(region: Region, arguments: &[(Type, Location)]) {
    let types: Vec<MlirType> = arguments
        .iter()
        .map(|(r#type, _)| r#type.to_raw())
        .collect();
    let locations: Vec<MlirLocation> = arguments
        .iter()
        .map(|(_, location)| location.to_raw())
        .collect();
    // SAFETY: the arrays have one entry for each argument; the region takes over the block.
    unsafe {
        let block = mlirBlockCreate(types.len() as isize, types.as_ptr(), locations.as_ptr());
        mlirRegionAppendOwnedBlock(region.to_raw(), block);
    }
}

/// Inserts an operation that has no parent block.
fn link<'a>(at: At<'a>, op: Op<'a>) {
    let null = MlirOperation {
        ptr: std::ptr::null_mut(),
    };
    let block_of = |other: Op<'a>| {
        other
            .block()
            .expect("an insertion point stands in a block")
            .to_raw()
    };
    // SAFETY: all handles are alive, `op` is unlinked, and the reference operations stand in the
    // block named.
    unsafe {
        match at {
            At::Before(other) => {
                mlirBlockInsertOwnedOperationBefore(block_of(other), other.to_raw(), op.to_raw());
            }
            At::After(other) => {
                mlirBlockInsertOwnedOperationAfter(block_of(other), other.to_raw(), op.to_raw());
            }
            At::Start(block) => {
                mlirBlockInsertOwnedOperationAfter(block.to_raw(), null, op.to_raw())
            }
            At::End(block) => {
                mlirBlockInsertOwnedOperationBefore(block.to_raw(), null, op.to_raw())
            }
        }
    }
}
