//! Symbol lookup among sibling operations.
//!
//! Verifiers look up symbols among the siblings of an operation, for every operation of a module.
//! During verification the IR does not change, so the symbols of an operation's children are cached
//! ([`Verifying`]). At other times, each lookup scans the children.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::c_void;

use mlir_sys::MlirOperation;

use super::op::Op;
use super::op_view::OpView;

/// The children of operations that have a symbol, by the address of the parent.
type Known = HashMap<*mut c_void, HashMap<String, Vec<MlirOperation>>>;

thread_local! {
    /// The cache of the verification that runs on this thread, if any.
    static KNOWN: RefCell<Option<Known>> = const { RefCell::new(None) };
}

/// A running verification on this thread. The IR must not change until it is dropped.
pub(super) struct Verifying(());

impl Verifying {
    pub(super) fn begin() -> Self {
        KNOWN.set(Some(Known::new()));
        Verifying(())
    }

    /// Clears the cache of a verification that ended in a crash, which runs no destructors.
    pub(super) fn forget() {
        KNOWN.set(None);
    }
}

impl Drop for Verifying {
    fn drop(&mut self) {
        KNOWN.set(None);
    }
}

impl<'a> Op<'a> {
    /// Returns the first operation with a view and a symbol among the siblings of an operation and
    /// itself.
    pub fn beside<V: OpView<'a>>(self, symbol: &str) -> Option<V> {
        let parent = self.parent()?;
        let of_symbol = KNOWN.with_borrow_mut(|known| {
            let known = known.as_mut()?;
            let children = known
                .entry(parent.to_raw().ptr)
                .or_insert_with(|| by_symbol(parent));
            Some(children.get(symbol).cloned().unwrap_or_default())
        });
        let wanted = |op: Op<'a>| op.dyn_cast().filter(|_| op.symbol() == Some(symbol));
        match of_symbol {
            // SAFETY: a verification runs, so what it found beside this operation is alive.
            Some(found) => found
                .into_iter()
                .map(|raw| unsafe { Op::from_raw(raw) })
                .find_map(wanted),
            None => parent.children().into_iter().find_map(wanted),
        }
    }
}

fn by_symbol(parent: Op) -> HashMap<String, Vec<MlirOperation>> {
    let mut children: HashMap<String, Vec<MlirOperation>> = HashMap::new();
    for child in parent.children() {
        if let Some(symbol) = child.symbol() {
            children
                .entry(symbol.to_owned())
                .or_default()
                .push(child.to_raw());
        }
    }
    children
}
