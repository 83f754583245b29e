//! The interface between target-independent passes and targets.
//!
//! Target-independent passes query the [`Target`] trait and never test which target it is.
//! [`crate::targets`] has the implementations.

use tessera_dialects::mlir::{Context, Op, Reported};
use tessera_dialects::ttcore;
use tessera_program::{Chip, Kernel};

use crate::pto::machine::Machine;
use crate::ttnn::fusion::chains::Chains;
use crate::ttnn::fusion::joined::JoinedStage;
use crate::ttnn::fusion::steps::Step;
use crate::ttnn::fusion::{Abilities, Candidate};

/// A target of the compiler.
pub trait Target: Sync {
    /// Returns its name, in options and as the `target` of a `ttnn.kernel_region`.
    fn name(&self) -> &'static str;

    /// Returns the descriptions of systems with its chips.
    fn system(&self) -> &'static SystemInfo;

    /// Returns the generation of the chip that an operation is compiled for, if the target has
    /// several.
    ///
    /// # Errors
    /// If it has several, and no module around the operation says which.
    fn arch(&self, op: Op) -> Result<Option<ttcore::Arch>, Reported>;

    /// Returns what the target's kernels support.
    fn abilities(&self) -> Abilities;

    /// Returns whether the vector unit computes all of a group, including the loads.
    fn runs_on_vector_unit(&self, chains: &Chains) -> bool;

    /// Returns the block shape of a kernel in tiles: `asked`, if it fits.
    fn block(&self, group: &Candidate, steps: &[Step], asked: Option<[u64; 2]>) -> [u64; 2];

    /// Returns whether operations can share a kernel with the given block shape.
    fn fits(&self, group: &Candidate, steps: &[Step], block: [u64; 2]) -> bool;

    /// Returns whether groups can be the stages of one kernel, whose local tensors fit into memory.
    fn joins(&self, stages: &[JoinedStage]) -> bool;

    /// Emits a remark if `reader`, the only reader of `product`, was not fused with it for a reason
    /// that the user can change.
    fn remark_unfused(&self, _product: Op, _reader: Op) {}

    /// Returns the memories of a core of the chip that a module is compiled for, if passes place
    /// kernels over tiles in them.
    fn machine(&self, _module: Op) -> Option<Machine> {
        None
    }

    /// Returns the operations that are compiled kernels, in the order of the forms of one kernel in
    /// a program file.
    fn kernel_ops(&self) -> &'static [&'static str];

    /// Returns the symbol of the tile kernel that a compiled kernel was made from.
    fn implements<'m>(&self, kernel: Op<'m>) -> Option<&'m str>;

    /// Returns the packager that turns compiled kernels of a module into kernels of the program
    /// file.
    fn packager<'p, 'm: 'p>(
        &self,
        context: &'p Context,
        module: Op<'m>,
    ) -> Box<dyn Packager<'m> + 'p>;
}

/// The representation of system descriptions in modules.
pub struct SystemInfo {
    /// The attribute of a module that holds the description.
    pub attribute: &'static str,
    /// Prefix of the description's text.
    pub prefix: &'static str,
    /// The chips that have a built-in description.
    pub chips: &'static [&'static str],
    /// The built-in description of a host with one such chip, as attribute text.
    pub built_in: fn(chip: &str) -> String,
    /// Returns the `ttcore.device` attribute for the only chip of a description, if the target uses
    /// one; both are attribute text. The error is a message about the description.
    pub device: fn(description: &str) -> Result<Option<String>, String>,
    /// The chip that an operation's own attribute describes, if it has one.
    pub chip: fn(op: Op) -> Option<Chip>,
}

/// Converts compiled kernels to kernels of the program file.
pub trait Packager<'m> {
    /// Returns the form of its kernel that a region runs, if it names one. Regions that run the
    /// same form of a kernel share a kernel of the file.
    fn form(&self, _region: Op<'m>) -> Option<&'m str> {
        None
    }

    /// Prepares the code of all compiled kernels that [`Packager::package`] gets later, in parallel
    /// where possible.
    ///
    /// # Errors
    /// Reported at the kernel. Others are reported by [`Packager::package`].
    fn prepare(&mut self, _kernels: &[Op<'m>]) -> Result<(), Reported> {
        Ok(())
    }

    /// Converts a compiled form of the tile kernel `name` for a region that runs it. Returns `None`
    /// if the region runs another form.
    ///
    /// # Errors
    /// Reported at the compiled kernel or at the region if the two do not match.
    fn package(
        &mut self,
        kernel: Op<'m>,
        region: Op<'m>,
        name: &str,
    ) -> Result<Option<Packaged>, Reported>;

    /// Returns a one-sentence summary of the packager's work.
    fn summary(&self) -> Option<String> {
        None
    }
}

/// A kernel of the file.
pub struct Packaged {
    /// The kernel.
    pub kernel: Kernel,
    /// The region's operand or result that each argument is, if the order differs.
    pub arguments: Option<Vec<usize>>,
}
