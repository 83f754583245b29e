//! `ttnn-share-kernels`: records that kernels over tiles are made for a second target, too.
//!
//! A program for several chips has one tile kernel for all of them. The pipeline of the first
//! target makes it, and `convert-ttnn-to-pto` then makes stages only if both targets lower them.
//! The record is an attribute of the module, which `convert-ttnn-to-pto` removes ([`take`]).

use tessera_dialects::builtin;
use tessera_dialects::mlir::attribute_key::Text;
use tessera_dialects::mlir::{AttributeKey, Op, Pass, Reported, Rewriter};

use crate::driver::registry::PassInfo;
use crate::target::Target;
use crate::targets;

/// `ttnn-share-kernels`
pub const INFO: PassInfo = PassInfo {
    name: "ttnn-share-kernels",
    description: "Records that kernels over tiles are also made for this target",
    anchor: Some(builtin::ModuleOp::NAME),
    options: &[targets::OPTION],
    make: |options| {
        Ok(Box::new(ShareKernels {
            target: targets::from_options(options)?,
        }))
    },
};

/// The attribute with the name of the second target.
const SHARED_WITH: AttributeKey<Text> = AttributeKey::new("tt.shared_with");

struct ShareKernels {
    target: &'static dyn Target,
}

impl Pass for ShareKernels {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run<'a>(&self, module: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
        rewriter.set(module, SHARED_WITH, self.target.name());
        Ok(())
    }
}

/// Removes the record from a module, and returns the second target if there is one.
pub fn take<'a>(module: Op<'a>, rewriter: &Rewriter<'a>) -> Option<&'static dyn Target> {
    let target = SHARED_WITH.get(module).and_then(targets::from_name);
    rewriter.remove_attribute(module, SHARED_WITH.name());
    target
}
