//! The kernel pool of a program file: each kernel once, in all of its forms.
//!
//! Compiled kernels are converted by the target's [`Packager`], tile kernels to groups here.
//! Checked: a tile kernel has as many arguments as the regions that run it.

use std::collections::{HashMap, HashSet};

use tessera_dialects::mlir::{Context, Op as MlirOp, OpView, Reported, WalkOrder};
use tessera_dialects::pto::FuncOp;
use tessera_dialects::ttnn::KernelRegionOp;
use tessera_program::{Binary, GlobalId, Kernel, KernelBody, KernelRef, PtoGroups};

use crate::pto::kernel_index::KernelIndex;
use crate::pto::pto_group;
use crate::target::{Packaged, Packager};
use crate::targets;

/// The kernels of the module, and the numbers of those already in the file.
pub(super) struct Pool<'m, 'p> {
    /// All forms of each tile kernel, by its symbol, with the number of the packager.
    forms: HashMap<&'m str, Vec<(usize, MlirOp<'m>)>>,
    /// The packagers, in the order of the targets.
    packagers: Vec<Box<dyn Packager<'m> + 'p>>,
    /// Called with the name of each kernel before it is compiled.
    progress: &'p dyn Fn(&str),
    /// Kernels in the file, by tile kernel and the forms that their regions run.
    made: HashMap<Key<'m>, Vec<Made>>,
    /// The kernels over tiles.
    tiles: KernelIndex<'m>,
}

type Key<'m> = (&'m str, Vec<Option<&'m str>>);

/// A kernel in the file.
#[derive(Debug, Clone)]
pub(super) struct Made {
    number: u32,
    /// The region's operand or result that each argument is, if the order differs.
    arguments: Option<Vec<usize>>,
}

impl Made {
    /// Returns the reference of a region with these operands and results.
    pub fn reference(self, region: &[GlobalId]) -> KernelRef {
        let args = match self.arguments {
            Some(arguments) => arguments.iter().map(|&number| region[number]).collect(),
            None => region.to_vec(),
        };
        KernelRef {
            kernel: self.number,
            args,
        }
    }
}

impl<'m, 'p> Pool<'m, 'p> {
    /// Collects the kernels of a module, and prepares those that its regions name.
    ///
    /// # Errors
    /// If a compiled kernel cannot be prepared, reported at it.
    pub fn new(
        context: &'p Context,
        module: MlirOp<'m>,
        progress: &'p dyn Fn(&str),
    ) -> Result<Self, Reported>
    where
        'm: 'p,
    {
        // Compiled kernels come first, in the order of targets and their operations, then tile
        // kernels, which have no packager.
        let compiled = targets::ALL
            .iter()
            .enumerate()
            .flat_map(|(number, target)| {
                let ops = target.kernel_ops().iter();
                ops.map(move |op| (number, *op))
            });
        let kinds: Vec<(usize, &str)> = compiled
            .chain([(targets::ALL.len(), FuncOp::NAME)])
            .collect();
        let kind = |op: &MlirOp| kinds.iter().position(|(_, kind)| op.is(kind));
        let found = module.walk(WalkOrder::Pre).into_iter();
        let mut found: Vec<_> = found.filter_map(|op| Some((kind(&op)?, op))).collect();
        found.sort_by_key(|(kind, _)| *kind);
        let mut forms: HashMap<&str, Vec<(usize, MlirOp)>> = HashMap::new();
        let mut compiled: Vec<Vec<MlirOp>> = vec![Vec::new(); targets::ALL.len()];
        let regions = module.find_all::<KernelRegionOp>().into_iter();
        let named: HashSet<&str> = regions.filter_map(KernelRegionOp::kernel).collect();
        for (kind, op) in found {
            let target = targets::ALL.get(kinds[kind].0);
            let implements = target.and_then(|target| target.implements(op));
            let Some(name) = implements.or(op.symbol()) else {
                continue;
            };
            forms.entry(name).or_default().push((kinds[kind].0, op));
            if let Some(of_target) = compiled.get_mut(kinds[kind].0) {
                of_target.extend(named.contains(name).then_some(op));
            }
        }
        let packagers = targets::ALL.iter().zip(compiled).map(|(target, kernels)| {
            let mut packager = target.packager(context, module);
            packager.prepare(&kernels)?;
            Ok(packager)
        });
        Ok(Pool {
            forms,
            packagers: packagers.collect::<Result<_, Reported>>()?,
            progress,
            made: HashMap::new(),
            tiles: KernelIndex::new(module),
        })
    }

    /// Returns the kernels of the file that can run a region: those compiled from the kernel that
    /// it names, and that kernel itself.
    pub fn kernels(
        &mut self,
        region: KernelRegionOp<'m>,
        binary: &mut Binary,
    ) -> Result<Vec<Made>, Reported> {
        let name = region.kernel().unwrap_or_default();
        let forms = self.packagers.iter().map(|packager| packager.form(*region));
        let key = (name, forms.collect());
        if let Some(made) = self.made.get(&key) {
            return Ok(made.clone());
        }
        (self.progress)(name);
        let mut kernels = Vec::new();
        for (packager, form) in self.forms.get(name).cloned().unwrap_or_default() {
            kernels.extend(match self.packagers.get_mut(packager) {
                Some(packager) => packager.package(form, *region, name)?,
                None => {
                    let kernel = FuncOp::view(form);
                    Some(groups(kernel, &self.tiles, (*region, name))?)
                }
            });
        }
        if kernels.is_empty() {
            return Err(region.error(format!(
                "names kernel @{name}, which the module has neither as a pto.func nor as a compiled kernel"
            )));
        }
        let made = kernels
            .into_iter()
            .map(|Packaged { kernel, arguments }| Made {
                number: binary.intern_kernel(kernel),
                arguments,
            });
        let made: Vec<Made> = made.collect();
        self.made.insert(key, made.clone());
        Ok(made)
    }

    /// Returns the packagers' summaries.
    pub fn summaries(&self) -> Vec<String> {
        let summaries = self.packagers.iter();
        summaries
            .filter_map(|packager| packager.summary())
            .collect()
    }
}

/// Converts a `pto.func` to a kernel of the file.
fn groups<'m>(
    kernel: FuncOp<'m>,
    kernels: &KernelIndex<'m>,
    (region, name): (MlirOp, &str),
) -> Result<Packaged, Reported> {
    let groups = pto_group::translate(kernel, kernels).map_err(|refused| refused.report())?;
    let groups = groups.into_iter();
    let groups: Vec<_> = groups
        .map(|translated| translated.group.without_target_data())
        .collect();
    let arguments = groups.first().map_or(0, |group| group.tensors.len());
    let (inputs, outputs) = (region.operand_count(), region.result_count());
    if arguments != inputs + outputs {
        return Err(region.error(format!(
            "has {inputs} inputs and {outputs} results, but kernel @{name} takes {arguments} tensors",
        )));
    }
    Ok(Packaged {
        kernel: Kernel {
            name: name.into(),
            body: KernelBody::Pto(PtoGroups {
                inputs: inputs as u16,
                groups,
            }),
        },
        arguments: None,
    })
}
