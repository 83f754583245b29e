//! `convert-ttnn-to-pto`: outlines a tile kernel for every group of operations that compute.
//!
//! The operations are not erased. They move into a `ttnn.kernel_region` that names their kernel:
//! the reference device evaluates the region, a target device runs the kernel, and the golden
//! comparison compares their results. Layout and creation operations need no kernel; the runtime
//! executes them. Deallocations are dropped, and `ttnn-deallocate` inserts them again afterwards.
//!
//! [`fusion`](crate::ttnn::fusion) classifies the operations and arranges groups, [`group`] decides
//! which operations share a kernel, [`stages`] joins the groups of an attention, and [`kernel`]
//! builds it. The target decides what fits into a kernel and how many tiles it computes at a time.
//! Equal groups share a kernel ([`kernel_cache`]). Movements have kernels of their own, which those
//! that follow one another share ([`movement`]).
//!
//! Numerics: intermediate values of a group are not rounded, except factors of bf16. A cast to bf16
//! rounds where it stands, or later if that gives the same result. Factors have zero padding,
//! because products sum over whole tiles.
//!
//! A tensor of more than two dimensions is a sequence of matrices, each padded to whole tiles.
//! Checked here: element types bf16, f32 and i32, and no products of integers; operands of one
//! type; tiled layouts in DRAM, where there is a layout; and the target's
//! [`Abilities`](crate::ttnn::fusion::Abilities). Other limits of a target are reported when it
//! compiles the kernels.

mod group;
mod kernel;
mod kernel_cache;
mod left_to_runtime;
mod movement;
mod stages;

use std::collections::HashMap;

use tessera_dialects::builtin;
use tessera_dialects::mlir::{At, NamedOp, Op, Pass, Reported, Rewriter, Value};
use tessera_dialects::pto::Placement;
use tessera_dialects::ttnn::{self, KernelRegionOp};

use crate::driver::options::{joined, Kind, OptionInfo, Options};
use crate::driver::registry::PassInfo;
use crate::functions::{erase_deallocations, in_file_order};
use crate::target::Target;
use crate::targets;
use crate::ttnn::fusion::chains::Chains;
use crate::ttnn::fusion::compute::{require_tensors, Compute};
use crate::ttnn::fusion::steps::{self, Step};
use crate::ttnn::fusion::tensor::{self, Tensor};
use crate::ttnn::fusion::values::times_computed;
use crate::ttnn::fusion::Candidate;
use crate::ttnn::ttnn_share_kernels;
use group::{groups, Fusion, Node};
use kernel::{Memory, Parts, Stage};
use kernel_cache::KernelCache;
use left_to_runtime::is_left_to_runtime;
use movement::{is_movement, Movement};
use stages::Group;

/// Options that pipelines share with the pass.
pub const OPTIONS: &[OptionInfo] = &[
    OptionInfo {
        name: "fusion",
        description: "Which operations are fused into one kernel: none; producers with \
            element-wise consumers (epilogue); also producers of the factors of a product if they \
            are computed once (auto), or even if each block recomputes them (all)",
        kind: Kind::Choice(&["none", "epilogue", "auto", "all"]),
        default: "epilogue",
    },
    OptionInfo {
        name: "placement",
        description: "Where mixed kernels run: on one core or on a cluster of cores; auto selects \
            one core unless a tile crosses from the vector to the cube side",
        kind: Kind::Choice(&["auto", "same_core", "cluster"]),
        default: "auto",
    },
    OptionInfo {
        name: "block",
        description: "Rows x columns of tiles that kernels compute at a time, if they fit into Dst",
        kind: Kind::Choice(&[
            "auto", "1x1", "1x2", "2x1", "2x2", "1x4", "4x1", "2x4", "4x2", "1x8", "8x1",
        ]),
        default: "auto",
    },
];

/// The pass's entry in the registry.
pub const INFO: PassInfo = PassInfo {
    name: "convert-ttnn-to-pto",
    description: "Outlines compute operations as kernels over tiles",
    anchor: Some(builtin::ModuleOp::NAME),
    options: &joined::<_, { OPTIONS.len() + 1 }>(OPTIONS, &[targets::OPTION]),
    make: |options| Ok(Box::new(ConvertTtnnToPto::new(options)?)),
};

struct ConvertTtnnToPto {
    fusion: Fusion,
    /// `None`: chosen for each kernel.
    block: Option<[u64; 2]>,
    /// `None`: chosen for each kernel.
    placement: Option<Placement>,
    target: &'static dyn Target,
}

impl ConvertTtnnToPto {
    fn new(options: &Options) -> Result<Self, String> {
        let target = targets::from_options(options)?;
        let fusion = match options.text("fusion") {
            "none" => Fusion::None,
            "auto" => Fusion::Auto,
            "all" => Fusion::All,
            _ => Fusion::Epilogue,
        };
        let block = options.text("block").split_once('x');
        let block =
            block.map(|(rows, columns)| [rows, columns].map(|text| text.parse().unwrap_or(1)));
        Ok(ConvertTtnnToPto {
            fusion,
            block,
            placement: Placement::from_word(options.text("placement")),
            target,
        })
    }
}

impl Pass for ConvertTtnnToPto {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run<'a>(&self, module: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
        // A shared kernel gets the locations of its first use in the program file.
        let functions = in_file_order(module);
        let shared = ttnn_share_kernels::take(module, rewriter);
        let targets: Vec<&dyn Target> = [self.target].into_iter().chain(shared).collect();
        let mut cache = KernelCache::new(&functions);
        for func in functions {
            let Some(body) = func.body() else {
                continue;
            };
            let ops = erase_deallocations(body, rewriter);
            let abilities = self.target.abilities();
            let mut computing = Vec::new();
            let mut moving = Vec::new();
            let own = ops.iter().filter(|op| !is_left_to_runtime(**op, abilities));
            for op in own {
                if is_movement(*op, abilities) {
                    require_tensors(*op, rewriter.context(), abilities.exact_factors)?;
                    moving.push(*op);
                } else if let Some(compute) = Compute::from_op(*op, abilities) {
                    require_tensors(*op, rewriter.context(), abilities.exact_factors)?;
                    computing.push((*op, compute?));
                }
            }
            let first = computing.first().map(|(op, _)| op);
            let Some(first) = first.or(moving.first()) else {
                continue;
            };
            self.target.arch(*first)?;
            let groups = self.groups(&computing);
            let joins = self.fusion != Fusion::None && self.placement != Some(Placement::Cluster);
            let kernels = match joins {
                true => stages::join_groups(groups, abilities, &targets),
                false => groups.into_iter().map(|group| vec![group]).collect(),
            };
            if self.fusion != Fusion::None {
                self.remark_unfused(&kernels, &computing);
            }
            let count = kernels.len();
            for (number, stages) in kernels.into_iter().enumerate() {
                self.outline(*func, &stages, number, &mut cache, rewriter)?;
            }
            let joined = match self.fusion {
                Fusion::None => movement::join(&moving, |_| Vec::new())?,
                _ => movement::join(&moving, readers)?,
            };
            for (number, ops) in joined.iter().enumerate() {
                self.outline_movement(*func, ops, count + number, &mut cache, rewriter)?;
            }
        }
        Ok(())
    }
}

impl ConvertTtnnToPto {
    /// Partitions the operations into groups that share a kernel.
    fn groups<'a>(&self, computing: &[(Op<'a>, Compute)]) -> Vec<Vec<(Op<'a>, Compute)>> {
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
        groups(&nodes, self.fusion, |group| self.fits(&of(group)))
            .iter()
            .map(|group| of(group))
            .collect()
    }

    /// Returns whether operations can share a kernel, and the options allow it.
    fn fits(&self, ops: &[(Op, Compute)]) -> bool {
        let Some(chains) = Chains::build(ops, self.target.abilities()) else {
            return false;
        };
        if !chains.preserve_extents() {
            return false;
        }
        let group = Candidate {
            ops,
            chains: &chains,
        };
        let steps = self.steps(&chains);
        let block = self.target.block(&group, &steps, self.block);
        let times = match chains.product() {
            Some(factors) => times_computed(&steps, block, factors, chains.result().extent),
            None => [0, 0],
        };
        chains.have_zero_padding()
            && chains.can_round_at_end()
            && (times == [0, 0] || self.placement != Some(Placement::SameCore))
            && (times.iter().all(|times| *times <= 1) || self.fusion == Fusion::All)
            && self.target.fits(&group, &steps, block)
    }

    /// Lowers a group to steps.
    fn steps(&self, chains: &Chains) -> Vec<Step> {
        steps::steps(chains, self.target.runs_on_vector_unit(chains))
    }

    /// Lets the target remark why an element-wise operation was not fused with the product before
    /// it.
    fn remark_unfused(&self, kernels: &[Vec<Group>], computing: &[(Op, Compute)]) {
        let readers: HashMap<Op, Compute> = computing.iter().copied().collect();
        for kernel in kernels {
            let [group] = &kernel[..] else {
                continue;
            };
            let [(product, compute)] = group[..] else {
                continue;
            };
            let reader = only_reader(product).filter(|_| compute.is_product());
            let is_elementwise = |reader: &Op| readers.get(reader).is_some_and(|c| !c.is_head());
            if let Some(reader) = reader.filter(is_elementwise) {
                self.target.remark_unfused(product, reader);
            }
        }
    }

    /// Returns the placement of a kernel, or `None` if it works on one side only.
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
        stages: &[Group<'a>],
        number: usize,
        cache: &mut KernelCache<'a>,
        rewriter: &Rewriter<'a>,
    ) -> Result<(), Reported> {
        let (parts, inputs) = self.parts(func, stages);
        let ops = parts.ops();
        let (name, is_new) = cache.intern((func, &ops), kernel_cache::content(&parts), number);
        if is_new {
            kernel::build(&name, &parts, rewriter);
        }
        self.wrap(&name, &ops, &inputs, rewriter)
    }

    /// Returns everything that the kernel of these stages is built from, and its inputs.
    fn parts<'a>(&self, func: Op<'a>, groups: &[Group<'a>]) -> (Parts<'a>, Vec<Value<'a>>) {
        let mut tensors = KernelTensors::default();
        let mut stages = Vec::new();
        let mut placement = None;
        let mut precisions = Vec::new();
        let abilities = self.target.abilities();
        let abilities = match groups.len() {
            1 => abilities,
            _ => abilities.for_stages(),
        };
        for group in groups {
            let chains = Chains::build(group, abilities).expect("groups are chains");
            let steps = self.steps(&chains);
            let candidate = Candidate {
                ops: group,
                chains: &chains,
            };
            let inputs = tensors.locate_inputs(&chains);
            let position = (stages.len(), groups.len());
            let (block, result) = self.block_and_result(&candidate, &steps, position, &inputs);
            placement = match groups.len() {
                1 => self.placement(&steps),
                _ => Some(Placement::SameCore),
            };
            // The products of a kernel have the same precision, which goes first.
            precisions.push((chains.product().is_none(), candidate.precision()));
            let ops: Vec<Op> = group.iter().map(|(op, _)| *op).collect();
            tensors
                .results
                .extend(ops.last().and_then(|last| last.result(0)));
            stages.push(Stage {
                ops,
                depth: candidate.depth(),
                steps,
                inputs,
                result,
                block,
            });
        }
        precisions.sort_by_key(|(is_other, _)| *is_other);
        let (_, (fidelity, dst)) = precisions[0];
        let parts = Parts {
            func,
            inputs: tensors.inputs,
            stages,
            fidelity,
            dst,
            placement,
        };
        (parts, tensors.values)
    }

    /// Returns the block shape and the result of the stage with a number among `count` and these
    /// inputs.
    fn block_and_result(
        &self,
        candidate: &Candidate,
        steps: &[Step],
        (number, count): (usize, usize),
        inputs: &[(Memory, Tensor)],
    ) -> ([u64; 2], Tensor) {
        let result = candidate.chains.result();
        if count == 1 {
            return (self.target.block(candidate, steps, self.block), result);
        }
        if number + 1 < count {
            return ([1, 1], stages::local(&result));
        }
        let is_local = |(memory, _): &&(Memory, Tensor)| matches!(memory, Memory::Stage(_));
        if inputs.iter().filter(is_local).count() > 1 {
            return ([1, 1], result);
        }
        let fits = |asked: &[u64; 2]| self.target.block(candidate, steps, Some(*asked)) == *asked;
        let widest = stages::last_blocks(&result).find(fits);
        (widest.unwrap_or([1, 1]), result)
    }

    /// Outlines movements that share a kernel.
    fn outline_movement<'a>(
        &self,
        func: Op<'a>,
        ops: &[Op<'a>],
        number: usize,
        cache: &mut KernelCache<'a>,
        rewriter: &Rewriter<'a>,
    ) -> Result<(), Reported> {
        let movement = Movement::new(ops)?;
        let (name, is_new) = cache.intern((func, ops), movement.content(), number);
        if is_new {
            movement.build(&name, func, rewriter);
        }
        self.wrap(&name, ops, &movement.inputs, rewriter)
    }

    /// Moves the operations of a group into a kernel region at the position of the last one.
    fn wrap<'a>(
        &self,
        name: &str,
        ops: &[Op<'a>],
        inputs: &[Value<'a>],
        rewriter: &Rewriter<'a>,
    ) -> Result<(), Reported> {
        let context = rewriter.context();
        let last = ops[ops.len() - 1];
        let location = last.location();
        let mut region = KernelRegionOp::build(location)
            .operands(inputs.iter().copied())
            .results(last.results().into_iter().map(Value::r#type))
            .with(context, KernelRegionOp::KERNEL, name)
            .with(context, KernelRegionOp::TARGET, self.target.name())
            .region(inputs.iter().map(|input| (input.r#type(), location)));
        if let Some(arch) = self.target.arch(last)? {
            region = region.with(context, KernelRegionOp::ARCH, arch);
        }
        let region = rewriter.insert(At::Before(last), region);
        let body = region.body().expect("the region was made with a block");
        let mut inside: Vec<(Value, Value)> =
            inputs.iter().copied().zip(body.arguments()).collect();
        for op in ops {
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
            ttnn::YieldOp::build(location).operands(results),
        );
        rewriter.replace(last, &region.results());
        // Movements may be part of several kernels.
        for op in ops.iter().rev().skip(1) {
            if readers(*op).is_empty() {
                rewriter.erase(*op);
            }
        }
        Ok(())
    }
}

/// The tensors of a kernel under construction.
#[derive(Default)]
struct KernelTensors<'a> {
    /// Its inputs, and their descriptions.
    values: Vec<Value<'a>>,
    inputs: Vec<Tensor>,
    /// The results of its stages.
    results: Vec<Value<'a>>,
}

impl<'a> KernelTensors<'a> {
    /// Returns where the next stage reads its inputs. Those that no stage computes are the
    /// kernel's.
    fn locate_inputs(&mut self, chains: &Chains<'a>) -> Vec<(Memory, Tensor)> {
        let all = chains.inputs.iter().zip(&chains.tensors);
        let located = all.zip(&chains.numbers).map(|((value, tensor), filling)| {
            if let Some(stage) = self.results.iter().position(|result| result == value) {
                return (Memory::Stage(stage), stages::local(tensor));
            }
            let known = self.values.iter().position(|input| input == value);
            let number = known.unwrap_or_else(|| {
                self.values.push(*value);
                self.inputs.push(tensor.clone());
                self.values.len() - 1
            });
            let memory = filling.map_or(Memory::Input(number), Memory::Number);
            (memory, tensor.clone())
        });
        located.collect()
    }
}

/// Returns the users of an operation's result, once for each use.
fn readers(op: Op<'_>) -> Vec<Op<'_>> {
    let uses = op.result(0).map(Value::uses).unwrap_or_default();
    uses.iter().map(|r#use| r#use.op).collect()
}

/// Returns the only user of an operation's result.
fn only_reader(op: Op<'_>) -> Option<Op<'_>> {
    match readers(op)[..] {
        [only] => Some(only),
        _ => None,
    }
}
