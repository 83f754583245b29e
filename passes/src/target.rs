//! The seam between the passes and their targets.
//!
//! Passes above the seam work for every target. Where they have to know something of one, they ask
//! its [`Target`], never which one it is. [`crate::targets`] has the implementations.

use tessera_dialects::mlir::{Context, Op, Reported};
use tessera_dialects::ttcore;
use tessera_program::{Chip, Kernel};

use crate::pto::machine::Machine;
use crate::ttnn::fusion::chains::Chains;
use crate::ttnn::fusion::steps::Step;
use crate::ttnn::fusion::{Abilities, Candidate};

/// What one target is to the passes.
pub trait Target: Sync {
    /// Its name, in options and as the `target` of a `ttnn.kernel_region`.
    fn name(&self) -> &'static str;

    /// The descriptions of systems with its chips.
    fn system(&self) -> &'static SystemInfo;

    /// The generation of the chip that an operation is compiled for, if the target has several.
    ///
    /// # Errors
    /// If it has several, and no module around the operation says which.
    fn arch(&self, op: Op) -> Result<Option<ttcore::Arch>, Reported>;

    /// What its kernels can do with tensors.
    fn abilities(&self) -> Abilities;

    /// Tells whether the vector unit does all that a group computes, loads included.
    fn runs_on_vector_unit(&self, chains: &Chains) -> bool;

    /// The tiles that a kernel computes at a time, down and across: `asked`, where there is room.
    fn block(&self, group: &Candidate, steps: &[Step], asked: Option<[u64; 2]>) -> [u64; 2];

    /// Tells whether operations can share a kernel that computes so many tiles at a time.
    fn fits(&self, group: &Candidate, steps: &[Step], block: [u64; 2]) -> bool;

    /// Remarks why `reader`, an element-wise operation which alone reads what `product` computes,
    /// has a kernel of its own, where that is for a reason which a program can change.
    fn remark_unfused(&self, _product: Op, _reader: Op) {}

    /// The memories of a core of the chip that a module is compiled for, if passes place kernels
    /// over tiles in them.
    fn machine(&self, _module: Op) -> Option<Machine> {
        None
    }

    /// The operations that are its compiled kernels, in the order in which those of one kernel come
    /// in a program file.
    fn kernel_ops(&self) -> &'static [&'static str];

    /// The symbol of the kernel over tiles that a compiled kernel was made from, if it was.
    fn implements<'m>(&self, kernel: Op<'m>) -> Option<&'m str>;

    /// What makes kernels of the program file of the compiled kernels of a module.
    fn packager<'p, 'm: 'p>(
        &self,
        context: &'p Context,
        module: Op<'m>,
    ) -> Box<dyn Packager<'m> + 'p>;
}

/// How modules describe a system with the chips of a target.
pub struct SystemInfo {
    /// The attribute of a module that holds the description.
    pub attribute: &'static str,
    /// What a description begins with.
    pub prefix: &'static str,
    /// The chips that have a built-in description.
    pub chips: &'static [&'static str],
    /// The built-in description of a host with one such chip, as attribute text.
    pub built_in: fn(chip: &str) -> String,
    /// The `ttcore.device` attribute for the only chip of a description, if modules say so much;
    /// both are attribute text. The error is for the person who wrote the description.
    pub device: fn(description: &str) -> Result<Option<String>, String>,
    /// The chip that an operation's own attribute describes, if it has one.
    pub chip: fn(op: Op) -> Option<Chip>,
}

/// Makes kernels of the program file.
pub trait Packager<'m> {
    /// The name of the form of its kernel that a region runs, if it runs a particular one. Regions
    /// that run the same form of a kernel run the same kernel of the file.
    fn form(&self, _region: Op<'m>) -> Option<&'m str> {
        None
    }

    /// Makes the code of these compiled kernels, so that [`Packager::package`] finds it: on all
    /// processors, if that can be. What is wrong with one says [`Packager::package`].
    fn prepare(&mut self, _kernels: &[Op<'m>]) {}

    /// The kernel of the file that a compiled kernel becomes, where a region runs it for the kernel
    /// over tiles called `name`; nothing if the region runs another form of it.
    ///
    /// # Errors
    /// If it cannot be run so, at the compiled kernel or at the region.
    fn package(
        &mut self,
        kernel: Op<'m>,
        region: Op<'m>,
        name: &str,
    ) -> Result<Option<Packaged>, Reported>;

    /// What it did, in a sentence for those who want to know.
    fn summary(&self) -> Option<String> {
        None
    }
}

/// A kernel of the file.
pub struct Packaged {
    /// The kernel.
    pub kernel: Kernel,
    /// Which operand or result of the region each of its arguments is, if it is not the one of its
    /// number.
    pub arguments: Option<Vec<usize>>,
}
