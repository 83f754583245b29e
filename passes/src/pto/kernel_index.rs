//! Index of the tile kernels of a module by symbol.

use std::collections::{HashMap, HashSet};

use tessera_dialects::mlir::Op;
use tessera_dialects::pto::{launched, FuncOp, LaunchOp};

/// Index of a module's kernels. The module must not change while it is in use.
pub struct KernelIndex<'a> {
    all: Vec<FuncOp<'a>>,
    by_symbol: HashMap<(Option<Op<'a>>, &'a str), FuncOp<'a>>,
    launched: HashSet<&'a str>,
}

impl<'a> KernelIndex<'a> {
    /// Indexes the kernels of a module and of modules inside it.
    pub fn new(module: Op<'a>) -> Self {
        let all = module.find_all::<FuncOp>();
        let mut by_symbol = HashMap::new();
        for kernel in all.iter().rev() {
            if let Some(symbol) = kernel.symbol() {
                by_symbol.insert((kernel.parent(), symbol), *kernel);
            }
        }
        let launches = all.iter().flat_map(|kernel| kernel.find_all::<LaunchOp>());
        KernelIndex {
            launched: launches.flat_map(launched).collect(),
            by_symbol,
            all,
        }
    }

    /// Returns all kernels, in order.
    pub fn all(&self) -> &[FuncOp<'a>] {
        &self.all
    }

    /// Returns the kernel with a symbol in the same module as `kernel`.
    pub fn beside(&self, kernel: FuncOp<'a>, symbol: &'a str) -> Option<FuncOp<'a>> {
        self.by_symbol.get(&(kernel.parent(), symbol)).copied()
    }

    /// Returns whether another kernel launches a kernel.
    pub fn is_launched(&self, kernel: FuncOp<'a>) -> bool {
        kernel
            .symbol()
            .is_some_and(|symbol| self.launched.contains(symbol))
    }
}
