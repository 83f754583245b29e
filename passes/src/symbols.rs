//! Symbol names of operations that passes add to a module.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use tessera_dialects::mlir::{Op, Reported};

/// The symbols of modules, collected once per module.
#[derive(Default)]
pub struct Symbols<'a>(RefCell<HashMap<Op<'a>, HashSet<String>>>);

impl<'a> Symbols<'a> {
    /// Reserves a symbol name in `module` for the lowered form of `kernel`.
    ///
    /// # Errors
    /// The name is taken, for example because the kernel was lowered before. Reported at the
    /// kernel.
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
