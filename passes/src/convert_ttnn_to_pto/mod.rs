//! `convert-ttnn-to-pto`: a kernel for every group of operations that compute, outlined beside the function.
//!
//! The operations stay, inside a `ttnn.kernel_region` that names their kernel (rulings 1.1): a reference evaluates the
//! region, a device runs the kernel, a golden compares the two. Layout, creation and deallocation operations need no
//! kernel; the runtime does them.
//!
//! [`group`] says which operations share a kernel, [`steps`] what is done for them and by which unit, [`kernel`] writes it down.
//! Between the operations of a group nothing is rounded.
//!
//! A tensor of more than two dimensions is a sequence of matrices, each padded to whole tiles. Checked here: bf16, a
//! broadcast that is one of the matrix unit's (row, column, scalar) within matrices and of all or of one of them, no
//! transposition.

mod compute;
mod extent;
mod group;
mod kernel;
mod steps;

use std::collections::{HashMap, HashSet};

use tessera_dialects::mlir::{At, NewOp, Op, Pass, Reported, Rewriter, Value};
use tessera_dialects::pto::{Dst, Fidelity};
use tessera_dialects::ttcore::{Arch, SystemDesc};
use tessera_dialects::ttnn::ComputeConfig;

use crate::options::{Kind, OptionInfo, Options};
use crate::registry::PassInfo;
use compute::{require_bf16, Compute};
use extent::Extent;
use group::{groups, Fusion, Node};
use kernel::Parts;
use steps::{Member, Source};

/// The options of the pass, which pipelines have, too.
pub const OPTIONS: &[OptionInfo] = &[
    OptionInfo {
        name: "fusion",
        description: "Which operations share a kernel: none, or a product with those behind it and chains of others",
        kind: Kind::Choice(&["none", "epilogue"]),
        default: "epilogue",
    },
    OptionInfo {
        name: "block",
        description: "Tiles that kernels compute at a time, down and across, where Dst has room",
        kind: Kind::Choice(&["auto", "1x1", "1x2", "2x1", "2x2", "1x4", "4x1"]),
        default: "auto",
    },
];

/// How the registry knows the pass.
pub const INFO: PassInfo = PassInfo {
    name: "convert-ttnn-to-pto",
    description: "Outlines kernels over tiles for the operations that compute",
    anchor: Some("builtin.module"),
    options: OPTIONS,
    make: |options| Ok(Box::new(ConvertTtnnToPto::new(options))),
};

struct ConvertTtnnToPto {
    fusion: Fusion,
    /// Nothing if it is chosen for each kernel.
    block: Option<[u64; 2]>,
}

impl ConvertTtnnToPto {
    fn new(options: &Options) -> Self {
        let fusion = match options.text("fusion") {
            "none" => Fusion::None,
            _ => Fusion::Epilogue,
        };
        let block = options.text("block").split_once('x');
        let block =
            block.map(|(rows, columns)| [rows, columns].map(|text| text.parse().unwrap_or(1)));
        ConvertTtnnToPto { fusion, block }
    }
}

impl Pass for ConvertTtnnToPto {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run<'a>(&self, module: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
        let functions = module.find_all("func.func");
        let mut taken = functions
            .iter()
            .filter_map(|func| func.symbol())
            .map(str::to_owned)
            .collect();
        for func in functions {
            let ops = func.body().map(|body| body.ops()).unwrap_or_default();
            let mut computing = Vec::new();
            for op in &ops {
                if let Some(compute) = Compute::of(*op) {
                    require_bf16(*op, rewriter.context())?;
                    computing.push((*op, compute?));
                }
            }
            let frees = Frees::of(&ops);
            for (number, group) in self.groups(&computing).into_iter().enumerate() {
                self.outline(func, &group, number, &mut taken, &frees, rewriter)?;
            }
        }
        Ok(())
    }
}

impl ConvertTtnnToPto {
    /// The operations that share kernels.
    fn groups<'a>(&self, computing: &[(Op<'a>, Compute)]) -> Vec<Vec<(Op<'a>, Compute)>> {
        let numbers: HashMap<Op, usize> = computing.iter().map(|(op, _)| *op).zip(0..).collect();
        let nodes: Vec<Node> = computing
            .iter()
            .map(|(op, compute)| {
                let uses = op.result(0).map(Value::uses).unwrap_or_default();
                let mut readers = uses.iter().filter(|of| !of.op.is("ttnn.deallocate"));
                let next = match (readers.next(), readers.next()) {
                    (Some(only), None) => numbers.get(&only.op).copied(),
                    _ => None,
                };
                Node {
                    product: compute.is_product(),
                    next,
                }
            })
            .collect();
        let of = |numbers: &[usize]| -> Vec<_> { numbers.iter().map(|n| computing[*n]).collect() };
        let joins = |group: &[usize], next: usize| {
            let mut group = of(group);
            let extent = |op: Op| Extent::of(op, op.result(0)).ok();
            let same = extent(group[0].0) == extent(computing[next].0);
            group.push(computing[next]);
            same && steps::fits(&members(&group).0)
        };
        groups(&nodes, self.fusion, joins)
            .iter()
            .map(|group| of(group))
            .collect()
    }

    fn outline<'a>(
        &self,
        func: Op<'a>,
        group: &[(Op<'a>, Compute)],
        number: usize,
        taken: &mut HashSet<String>,
        frees: &Frees<'a>,
        rewriter: &Rewriter<'a>,
    ) -> Result<(), Reported> {
        let ops: Vec<Op> = group.iter().map(|(op, _)| *op).collect();
        let (first, last) = (ops[0], ops[ops.len() - 1]);
        let (members, inputs) = members(group);
        let steps = steps::steps(&members);
        let extents = inputs.iter().map(|input| Extent::of(last, Some(*input)));
        let result = Extent::of(last, last.result(0))?;
        let (fidelity, dst) = precision(first);
        let phases = match fidelity {
            Fidelity::LoFi => 1,
            Fidelity::HiFi2 => 2,
            Fidelity::HiFi3 => 3,
            Fidelity::HiFi4 => 4,
        };
        let best = steps::block(&steps, result.tiles(), result.matrices, phases);
        let parts = Parts {
            name: kernel_name(func, &ops, number, taken),
            func,
            ops,
            inputs: extents.collect::<Result<_, _>>()?,
            result,
            block: self
                .block
                .filter(|block| steps::has_room(&steps, *block))
                .unwrap_or(best),
            fidelity,
            dst,
        };
        let arch = arch(last)?;
        kernel::build(&parts, &steps, rewriter);
        frees.adapt(&parts, &inputs, rewriter);
        wrap(&parts, &inputs, arch, rewriter);
        Ok(())
    }
}

/// Where tensors of a function are freed.
struct Frees<'a> {
    position: HashMap<Op<'a>, usize>,
}

impl<'a> Frees<'a> {
    fn of(ops: &[Op<'a>]) -> Self {
        Frees {
            position: ops.iter().copied().zip(0..).collect(),
        }
    }

    /// Frees inputs of a group behind it, and what its operations hand on to each other never.
    fn adapt(&self, parts: &Parts<'a>, inputs: &[Value<'a>], rewriter: &Rewriter<'a>) {
        let (last, inner) = match parts.ops.split_last() {
            Some((last, inner)) => (*last, inner),
            None => return,
        };
        let of = |value: &Value<'a>| {
            let uses = value.uses().into_iter().map(|of| of.op);
            uses.filter(|op| op.is("ttnn.deallocate"))
                .collect::<Vec<_>>()
        };
        for op in inner
            .iter()
            .flat_map(|op| op.results())
            .flat_map(|value| of(&value))
        {
            rewriter.erase(op);
        }
        for free in inputs.iter().flat_map(of) {
            if self.position.get(&free) < self.position.get(&last) {
                rewriter.move_to(free, At::After(last));
            }
        }
    }
}

/// The members of a group, and its inputs in the order of their numbers.
fn members<'a>(group: &[(Op<'a>, Compute)]) -> (Vec<Member>, Vec<Value<'a>>) {
    let mut inputs: Vec<Value> = Vec::new();
    let mut before = None;
    let mut members = Vec::new();
    for (op, compute) in group {
        let mut source = |value: Value<'a>| {
            if before == Some(value) {
                return Source::Chain;
            }
            let known = inputs.iter().position(|input| *input == value);
            Source::Input(known.unwrap_or_else(|| {
                inputs.push(value);
                inputs.len() - 1
            }))
        };
        members.push(Member {
            compute: *compute,
            operands: op.operands().into_iter().map(&mut source).collect(),
        });
        before = op.result(0);
    }
    (members, inputs)
}

/// What the first operation of a group says about precision.
fn precision(op: Op) -> (Fidelity, Dst) {
    let config = op
        .attribute("compute_config")
        .and_then(ComputeConfig::from_attribute);
    let fidelity = config
        .and_then(ComputeConfig::math_fidelity)
        .and_then(|fidelity| Fidelity::from_word(fidelity.word()));
    let dst = match config.and_then(ComputeConfig::fp32_dest_acc_en) {
        Some(false) => Dst::B16,
        Some(true) | None => Dst::F32,
    };
    (fidelity.unwrap_or(Fidelity::HiFi4), dst)
}

/// `<function>_<operations>_<number>`, with underscores behind it until no symbol has that name.
fn kernel_name(func: Op, ops: &[Op], number: usize, taken: &mut HashSet<String>) -> String {
    let operations: Vec<_> = ops
        .iter()
        .map(|op| op.name().trim_start_matches("ttnn."))
        .collect();
    let func = func.symbol().unwrap_or_default();
    let mut name = format!("{func}_{}_{number}", operations.join("_"));
    while !taken.insert(name.clone()) {
        name.push('_');
    }
    name
}

/// Checks that the system the module is compiled for is one that kernels are made for.
fn arch(op: Op) -> Result<Arch, Reported> {
    match system_arch(op) {
        Some(Arch::WormholeB0) => Ok(Arch::WormholeB0),
        Some(other) => Err(op.error(format!(
            "has no kernel for {other}; kernels are made for wormhole_b0"
        ))),
        None => Err(op.error(
            "stands in no module with a ttcore.system_desc; run ttcore-register-device before",
        )),
    }
}

/// The generation of the first chip of the system that a module around describes.
fn system_arch(op: Op) -> Option<Arch> {
    let modules = std::iter::successors(op.parent(), |around| around.parent());
    let mut systems = modules.filter_map(|module| module.attribute("ttcore.system_desc"));
    SystemDesc::from_attribute(systems.next()?)?
        .chips()
        .first()?
        .arch()
}

/// Puts the operations of a group into a kernel region, which stands where the last of them stands.
fn wrap<'a>(parts: &Parts<'a>, inputs: &[Value<'a>], arch: Arch, rewriter: &Rewriter<'a>) {
    let context = rewriter.context();
    let last = parts.ops[parts.ops.len() - 1];
    let location = last.location();
    let region = NewOp::new("ttnn.kernel_region", location)
        .operands(inputs.iter().copied())
        .results(last.results().into_iter().map(Value::r#type))
        .attribute("kernel", context.symbol_attribute(&parts.name))
        .attribute("target", context.string_attribute("tensix"))
        .attribute("arch", arch.attribute(context))
        .region(inputs.iter().map(|input| (input.r#type(), location)));
    let region = rewriter.insert(At::Before(last), region);
    let body = region.body().expect("the region was made with a block");
    let mut inside: Vec<(Value, Value)> = inputs.iter().copied().zip(body.arguments()).collect();
    for op in &parts.ops {
        let copy = rewriter.clone_to(*op, At::End(body));
        let operands = op.operands().into_iter().map(|operand| {
            let known = inside.iter().find(|(outside, _)| *outside == operand);
            known.map_or(operand, |(_, inside)| *inside)
        });
        let operands: Vec<Value> = operands.collect();
        rewriter.set_operands(copy, &operands);
        inside.extend(op.results().into_iter().zip(copy.results()));
    }
    let results: Vec<Value> = inside
        .last()
        .map(|(_, inside)| *inside)
        .into_iter()
        .collect();
    rewriter.insert(
        At::End(body),
        NewOp::new("ttnn.yield", location).operands(results),
    );
    rewriter.replace(last, &region.results());
    for op in parts.ops.iter().rev().skip(1) {
        rewriter.erase(*op);
    }
}
