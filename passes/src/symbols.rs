//! Names of what passes add to a module.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use tessera_dialects::mlir::{Op, Reported};

/// The symbols of modules, each module read once.
#[derive(Default)]
pub struct Symbols<'a>(RefCell<HashMap<Op<'a>, HashSet<String>>>);

impl<'a> Symbols<'a> {
    /// Takes a name in `module` for what `kernel` is lowered to.
    ///
    /// # Errors
    /// Something there has the name, as when the kernel was lowered before. Reported at the kernel.
    pub fn claim(&self, module: Op<'a>, kernel: Op<'a>, name: &str) -> Result<(), Reported> {
        let mut modules = self.0.borrow_mut();
        let symbols = modules.entry(module).or_insert_with(|| {
            let children = module.children().into_iter();
            children
                .filter_map(|op| op.symbol().map(str::to_owned))
                .collect()
        });
        match symbols.insert(name.to_owned()) {
            true => Ok(()),
            false => Err(kernel.error(format!(
                "is lowered to '@{name}', but that symbol exists; lower each kernel once"
            ))),
        }
    }

    /// As [`Symbols::claim`], in the module around the kernel.
    pub fn claim_beside(&self, kernel: Op<'a>, name: &str) -> Result<(), Reported> {
        match kernel.parent() {
            Some(module) => self.claim(module, kernel, name),
            None => Ok(()),
        }
    }
}
