//! `convert-ttnn-to-pto`: a kernel for every group of operations that compute, outlined beside the function.
//!
//! The operations stay, inside a `ttnn.kernel_region` that names their kernel (rulings 1.1): a
//! reference evaluates the region, a device runs the kernel, a golden compares the two. Layout and
//! creation operations need no kernel; the runtime does them. Deallocations are dropped:
//! `ttnn-deallocate`, which runs next, finds where lives end now.
//!
//! Groups that compute the same share their kernel ([`kernel_cache`]).
//!
//! [`seen`] says which matrices a tensor is, [`group`] which operations share a kernel, [`chains`] how they hang together, [`steps`] what is done for them and by which
//! unit, [`block`] for how many tiles at a time, [`kernel`] writes it down. Between the operations of a group nothing is rounded but
//! what becomes a factor of bf16; factors have padding of +0 (rulings 1.7). A cast to bf16 is rounded where it says, or where that
//! makes no difference.
//!
//! A tensor of more than two dimensions is a sequence of matrices, each padded to whole tiles.
//! Checked here: bf16, f32 and i32, but no product of integers, and on Tensix, whose matrix unit
//! cuts f32 to TF32 (`chip`), none with a bias of f32; operands of one type; tiles in DRAM, where
//! there is a layout; transpositions of the last two dimensions. Kernels of Tensix have no
//! transposed factors of products, no products by vectors, and reductions of the last two
//! dimensions; those of MN-Core 2 may see a tensor as other matrices ([`seen`]), and read
//! transposed factors. Groups for MN-Core 2 read no more tensors than it streams at once, and
//! compute one factor of a product at most; what else it can have no code for it says when it
//! compiles them.

mod block;
mod chains;
mod compute;
mod extent;
mod group;
mod kernel;
mod kernel_cache;
mod loop_length;
mod reduction;
pub(crate) mod seen;
mod steps;
mod tensor;
mod vector_unit;

use std::collections::HashMap;

use tessera_dialects::mlir::{At, NewOp, Op, Pass, Reported, Rewriter, Value};
use tessera_dialects::pto::{Dst, Fidelity, Placement};
use tessera_dialects::ttcore;
use tessera_dialects::ttnn::ComputeConfig;

use tessera_isa_tensix::Arch;
use tessera_mncore_code::compile;

use crate::driver::options::{joined, Kind, OptionInfo, Options};
use crate::driver::registry::PassInfo;
use crate::functions::{erase_deallocations, is_private};
use crate::ttcore::system_desc;
use block::Costs;
use chains::Chains;
use compute::{require_tensors, Compute};
use group::{groups, Fusion, Node};
use kernel::Parts;
use kernel_cache::KernelCache;
use steps::Step;
use tensor::Element;

/// The options that pipelines have, too.
pub const OPTIONS: &[OptionInfo] = &[
    OptionInfo {
        name: "fusion",
        description: "Which operations share a kernel: none; a product with those behind it, and chains of others; with those \
                      before its factors, too, if they are computed once (auto) or even if again for each block (all)",
        kind: Kind::Choice(&["none", "epilogue", "auto", "all"]),
        default: "epilogue",
    },
    OptionInfo {
        name: "placement",
        description: "Where kernels run that work on both sides: on one core, or on a cluster of them; auto is one core, unless \
                      something crosses from the vector to the cube side",
        kind: Kind::Choice(&["auto", "same_core", "cluster"]),
        default: "auto",
    },
    OptionInfo {
        name: "block",
        description: "Tiles that kernels compute at a time, down and across, where Dst has room",
        kind: Kind::Choice(&[
            "auto", "1x1", "1x2", "2x1", "2x2", "1x4", "4x1", "2x4", "4x2", "1x8", "8x1",
        ]),
        default: "auto",
    },
];

/// Its pipeline says it.
const CHIP: OptionInfo = OptionInfo {
    name: "chip",
    description: "Whose kernels: those for mncore multiply f32 with all its bits, and read no more tensors than stream at once",
    kind: Kind::Choice(&["tensix", "mncore"]),
    default: "tensix",
};

/// How the registry knows the pass.
pub const INFO: PassInfo = PassInfo {
    name: "convert-ttnn-to-pto",
    description: "Outlines kernels over tiles for the operations that compute",
    anchor: Some("builtin.module"),
    options: &joined::<{ OPTIONS.len() + 1 }>(OPTIONS, &[CHIP]),
    make: |options| Ok(Box::new(ConvertTtnnToPto::new(options))),
};

struct ConvertTtnnToPto {
    fusion: Fusion,
    /// Nothing if it is chosen for each kernel.
    block: Option<[u64; 2]>,
    /// Nothing if it is chosen for each kernel.
    placement: Option<Placement>,
    /// Whether kernels are those of MN-Core 2.
    mncore: bool,
}

impl ConvertTtnnToPto {
    fn new(options: &Options) -> Self {
        let fusion = match options.text("fusion") {
            "none" => Fusion::None,
            "auto" => Fusion::Auto,
            "all" => Fusion::All,
            _ => Fusion::Epilogue,
        };
        let block = options.text("block").split_once('x');
        let block =
            block.map(|(rows, columns)| [rows, columns].map(|text| text.parse().unwrap_or(1)));
        ConvertTtnnToPto {
            fusion,
            block,
            placement: Placement::from_word(options.text("placement")),
            mncore: options.text(CHIP.name) == "mncore",
        }
    }
}

impl Pass for ConvertTtnnToPto {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run<'a>(&self, module: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
        let mut functions = module.find_all("func.func");
        // A kernel has the locations of its first use, and program files begin with the public
        // functions.
        functions.sort_by_key(|func| is_private(*func));
        let mut cache = KernelCache::new(&functions);
        for func in functions {
            let Some(body) = func.body() else {
                continue;
            };
            let ops = erase_deallocations(body, rewriter);
            let mut computing = Vec::new();
            for op in &ops {
                if let Some(compute) = Compute::of(*op, self.mncore) {
                    require_tensors(*op, rewriter.context(), self.mncore)?;
                    computing.push((*op, compute?));
                }
            }
            let Some((first, _)) = computing.first() else {
                continue;
            };
            let arch = arch(*first)?;
            let groups = self.groups(&computing, arch);
            if !self.mncore && self.fusion != Fusion::None {
                groups
                    .iter()
                    .for_each(|group| remark_alone(group, &computing));
            }
            for (number, group) in groups.into_iter().enumerate() {
                let kernel = (number, arch);
                self.outline(func, &group, kernel, &mut cache, rewriter)?;
            }
        }
        Ok(())
    }
}

impl ConvertTtnnToPto {
    /// The operations that share kernels.
    fn groups<'a>(
        &self,
        computing: &[(Op<'a>, Compute)],
        arch: Arch,
    ) -> Vec<Vec<(Op<'a>, Compute)>> {
        let numbers: HashMap<Op, usize> = computing.iter().map(|(op, _)| *op).zip(0..).collect();
        let nodes: Vec<Node> = computing
            .iter()
            .map(|(op, compute)| {
                let next = only_reader(*op).and_then(|reader| numbers.get(&reader).copied());
                Node {
                    head: compute.is_head(),
                    next,
                    bytes: op.result(0).map_or(0, tensor::bytes),
                }
            })
            .collect();
        let of = |numbers: &[usize]| -> Vec<_> { numbers.iter().map(|n| computing[*n]).collect() };
        groups(&nodes, self.fusion, |group| self.fits(&of(group), arch))
            .iter()
            .map(|group| of(group))
            .collect()
    }

    /// Whether operations can share a kernel, and may by the options.
    fn fits(&self, group: &[(Op, Compute)], arch: Arch) -> bool {
        let Some(chains) = Chains::of(group, self.mncore) else {
            return false;
        };
        if !chains.keep_their_extents() {
            return false;
        }
        let steps = self.steps(&chains);
        let block = self.block(&steps, &chains, (arch, group));
        let result = chains.result();
        let times = match chains.product() {
            Some(factors) => block::times_computed(&steps, block, factors, result.extent),
            None => [0, 0],
        };
        (!self.mncore || streams_have_room(&chains) && !chains.compute_both_factors())
            && (self.mncore
                || chains.product().is_none()
                || !multiplies_f32(group) && steps::fits_matrix_unit(&chains))
            && chains.keep_padding()
            && chains.round_at_their_ends()
            && block::has_room(&steps, block, self.room(&steps, group))
            && (self.mncore || block::has_room_to_keep(&steps) && steps::transposes_early(&steps))
            && (times == [0, 0] || self.placement != Some(Placement::SameCore))
            && (times.iter().all(|times| *times <= 1) || self.fusion == Fusion::All)
            && match self.mncore {
                true => loop_length::fits(&steps, &chains.tensors),
                false => vector_unit::fits(&steps, &chains.tensors),
            }
    }

    /// What is done for a group.
    fn steps(&self, chains: &Chains) -> Vec<Step> {
        steps::steps(chains, !self.mncore && steps::is_wide(chains))
    }

    /// The tiles that are computed at a time: as the option says, if there is room; one, where the vector unit of Tensix spreads one.
    fn block(
        &self,
        steps: &[Step],
        chains: &Chains,
        (arch, group): (Arch, &[(Op, Compute)]),
    ) -> [u64; 2] {
        if !self.mncore && steps::spreads_wide(steps, &chains.tensors) {
            return [1, 1];
        }
        let extent = chains.result().extent;
        let (fidelity, _) = precision(group);
        let is_wide = multiplies_f32(group) || steps::is_wide(chains);
        let room = self.room(steps, group);
        let costs = Costs {
            phases: fidelity.phases().into(),
            bytes: [if is_wide { 4 } else { 2 }, chains.result().element.bytes()],
            depth: depth(chains),
            room,
        };
        self.block
            .filter(|block| block::has_room(steps, *block, room))
            .unwrap_or_else(|| block::block(arch, steps, extent, costs))
    }

    /// Tiles of Dst that the values of a block may take.
    fn room(&self, steps: &[Step], group: &[(Op, Compute)]) -> u64 {
        let all = config(group).and_then(ComputeConfig::dst_full_sync_en);
        match self.mncore || all == Some(false) {
            true => block::HALF_TILES,
            false => block::room(steps),
        }
    }

    /// Where a kernel runs; nothing if it works on one side only.
    fn placement(&self, steps: &[Step]) -> Option<Placement> {
        let crosses_back = steps::computes_factors(steps);
        if !crosses_back && !steps.contains(&Step::Cross) {
            return None;
        }
        let auto = match crosses_back {
            true => Placement::Cluster,
            false => Placement::SameCore,
        };
        Some(self.placement.unwrap_or(auto))
    }

    fn outline<'a>(
        &self,
        func: Op<'a>,
        group: &[(Op<'a>, Compute)],
        (number, arch): (usize, Arch),
        cache: &mut KernelCache<'a>,
        rewriter: &Rewriter<'a>,
    ) -> Result<(), Reported> {
        let ops: Vec<Op> = group.iter().map(|(op, _)| *op).collect();
        let chains = Chains::of(group, self.mncore).expect("groups are chains");
        let steps = self.steps(&chains);
        let (fidelity, dst) = precision(group);
        let parts = Parts {
            func,
            ops,
            inputs: chains.tensors.clone(),
            result: chains.result(),
            depth: depth(&chains),
            block: self.block(&steps, &chains, (arch, group)),
            fidelity,
            dst,
            placement: self.placement(&steps),
        };
        let (name, is_new) = cache.intern(&parts, &steps, number);
        if is_new {
            kernel::build(&name, &parts, &steps, rewriter);
        }
        wrap(&name, &parts, &chains.inputs, arch, rewriter);
        Ok(())
    }
}

/// Tiles along which the product of a group is summed.
fn depth(chains: &Chains) -> u64 {
    let product = chains.product();
    product.map_or(1, |[left, _]| left.tiles()[1])
}

/// Whether the product of a group is one of f32, which on Tensix has a kernel of its own: its unpackers bring nothing but factors.
fn multiplies_f32(group: &[(Op, Compute)]) -> bool {
    let factor = |op: &Op| op.operand(0).and_then(Element::of);
    let mut products = group.iter().filter(|(_, compute)| compute.is_product());
    products.any(|(op, _)| factor(op) == Some(Element::F32))
}

/// Says of an element-wise operation why the product before it, whose only reader it is, has not taken it in, if that is because of f32.
fn remark_alone(group: &[(Op, Compute)], computing: &[(Op, Compute)]) {
    let [(product, _)] = group else {
        return;
    };
    if !multiplies_f32(group) {
        return;
    }
    let Some(reader) = only_reader(*product) else {
        return;
    };
    let is_elementwise = |(op, compute): &(Op, Compute)| *op == reader && !compute.is_head();
    if computing.iter().any(is_elementwise) {
        reader.remark(format!(
            "{} has a kernel of its own, and the product that it reads goes through DRAM: while Tensix multiplies f32, its unpackers bring nothing but \
             factors; with bf16 factors both would share a kernel",
            reader.name()
        ));
    }
}

/// The only operation that reads the result of one.
fn only_reader(op: Op<'_>) -> Option<Op<'_>> {
    match op.result(0).map(Value::uses).unwrap_or_default()[..] {
        [only] => Some(only.op),
        _ => None,
    }
}

/// Whether MN-Core 2 can stream all inputs of a group at once; the factors of a product come on their own ways.
fn streams_have_room(chains: &Chains) -> bool {
    let most = match chains.product() {
        Some(_) => 2 + compile::MOST_STREAMS_OF_PRODUCT,
        None => compile::MOST_STREAMS,
    };
    chains.inputs.len() <= most
}

/// What the product of a group says about how it is computed, or if it has none its first operation.
fn config<'a>(group: &[(Op<'a>, Compute)]) -> Option<ComputeConfig<'a>> {
    let product = group.iter().find(|(_, compute)| compute.is_product());
    let (op, _) = product.unwrap_or(&group[0]);
    let config = op.attribute("compute_config");
    config.and_then(ComputeConfig::from_attribute)
}

/// What a group says about precision.
fn precision(group: &[(Op, Compute)]) -> (Fidelity, Dst) {
    let config = config(group);
    let fidelity = config
        .and_then(ComputeConfig::math_fidelity)
        .and_then(|fidelity| Fidelity::from_word(fidelity.name()));
    let dst = match config.and_then(ComputeConfig::fp32_dest_acc_en) {
        Some(false) => Dst::B16,
        Some(true) | None => Dst::F32,
    };
    (fidelity.unwrap_or(Fidelity::HiFi4), dst)
}

/// The chip of the system that the module around an operation is compiled for.
fn arch(op: Op) -> Result<Arch, Reported> {
    system_desc::arch(op).ok_or_else(|| {
        op.error("stands in no module with a ttcore.system_desc; run ttcore-register-device before")
    })
}

/// Puts the operations of a group into a kernel region, which stands where the last of them stands.
fn wrap<'a>(
    name: &str,
    parts: &Parts<'a>,
    inputs: &[Value<'a>],
    arch: Arch,
    rewriter: &Rewriter<'a>,
) {
    let context = rewriter.context();
    let arch = ttcore::Arch::from_word(arch.name()).expect("both name the same chips");
    let last = parts.ops[parts.ops.len() - 1];
    let location = last.location();
    let region = NewOp::new("ttnn.kernel_region", location)
        .operands(inputs.iter().copied())
        .results(last.results().into_iter().map(Value::r#type))
        .attribute("kernel", context.symbol_attribute(name))
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
