//! The kernels of a module, as kernels of the file: each once, whatever regions run it, in all
//! forms that were made of it.
//!
//! What a target compiled its [`Packager`] turns into a kernel of the file; kernels over tiles
//! become groups here. Checked: a kernel over tiles has the arguments that the regions give it.

use std::collections::HashMap;

use tessera_dialects::mlir::{Context, Op as MlirOp, OpView, Reported, WalkOrder};
use tessera_dialects::pto::FuncOp;
use tessera_dialects::ttnn::KernelRegionOp;
use tessera_program::{Binary, GlobalId, Kernel, KernelBody, KernelRef, PtoGroups};

use crate::pto::kernel_index::KernelIndex;
use crate::pto::pto_group;
use crate::target::{Packaged, Packager};
use crate::targets;

/// The kernels of the module, and where those already written are in the file.
pub(super) struct Pool<'m, 'p> {
    /// The kernels over tiles, and all that were compiled from each, by its symbol; of each the
    /// number of the packager.
    forms: HashMap<&'m str, Vec<(usize, MlirOp<'m>)>>,
    /// One for each target, in their order.
    packagers: Vec<Box<dyn Packager<'m> + 'p>>,
    /// Is told the name of each kernel before it is compiled.
    progress: &'p dyn Fn(&str),
    /// By the symbol of what they are made from, and the forms that their regions run.
    made: HashMap<Key<'m>, Vec<Made>>,
    /// The kernels over tiles.
    tiles: KernelIndex<'m>,
}

type Key<'m> = (&'m str, Vec<Option<&'m str>>);

/// A kernel in the file.
#[derive(Debug, Clone)]
pub(super) struct Made {
    number: u32,
    /// Which operand or result of a region each of its arguments is, if it is not the one of its
    /// number.
    arguments: Option<Vec<usize>>,
}

impl Made {
    /// How it is run, by a region of these operands and results.
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
    /// The kernels of a module, none of which is in the file yet.
    pub fn new(context: &'p Context, module: MlirOp<'m>, progress: &'p dyn Fn(&str)) -> Self
    where
        'm: 'p,
    {
        // What is compiled comes in the order of the targets and their operations, then kernels
        // over tiles, which have no packager.
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
        for (kind, op) in found {
            if let Some(of_target) = compiled.get_mut(kinds[kind].0) {
                of_target.push(op);
            }
            let target = targets::ALL.get(kinds[kind].0);
            let implements = target.and_then(|target| target.implements(op));
            if let Some(name) = implements.or(op.symbol()) {
                forms.entry(name).or_default().push((kinds[kind].0, op));
            }
        }
        let packagers = targets::ALL.iter().zip(compiled).map(|(target, kernels)| {
            let mut packager = target.packager(context, module);
            packager.prepare(&kernels);
            packager
        });
        Pool {
            forms,
            packagers: packagers.collect(),
            progress,
            made: HashMap::new(),
            tiles: KernelIndex::new(module),
        }
    }

    /// The kernels in the file that a region can be run as: those compiled from the kernel it
    /// names, and that kernel itself.
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

    /// What the packagers did, in sentences.
    pub fn summaries(&self) -> Vec<String> {
        let summaries = self.packagers.iter();
        summaries
            .filter_map(|packager| packager.summary())
            .collect()
    }
}

/// The kernel of a `pto.func`.
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
