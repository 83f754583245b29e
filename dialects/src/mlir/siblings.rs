//! Lookup of sibling operations by symbol.
//!
//! Verifiers look for symbols beside an operation, and the verifier of MLIR calls them for every
//! operation of a module. While it runs nothing changes, so the symbols of each operation's
//! children are read once ([`Verifying`]); at other times they are read for every look-up.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::c_void;

use mlir_sys::MlirOperation;

use super::op::Op;
use super::op_view::OpView;

/// The children of operations that have a symbol, by the address of the parent.
type Known = HashMap<*mut c_void, HashMap<String, Vec<MlirOperation>>>;

thread_local! {
    /// What has been read during the verification that runs on this thread, if one does.
    static KNOWN: RefCell<Option<Known>> = const { RefCell::new(None) };
}

/// A verification that runs on this thread, until it is dropped. Nothing may change meanwhile.
pub(super) struct Verifying(());

impl Verifying {
    pub(super) fn begin() -> Self {
        KNOWN.set(Some(Known::new()));
        Verifying(())
    }

    /// Forgets a verification that a crash has ended, after which nobody drops anything.
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
    /// Returns the first operation of that view with a symbol that stands beside this one, or is
    /// it.
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
