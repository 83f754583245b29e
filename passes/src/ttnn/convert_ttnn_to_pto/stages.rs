//! Joins the groups of an attention, or of a normalisation, to one kernel of several stages, whose
//! intermediate results never leave the memory of a core.
//!
//! Each core computes rows of tiles of the result, one after the other. The groups become stages
//! ([`super::kernel`]): the scores, which are a product with their scale and mask; the steps of the
//! softmax; and the product with the values, which the sums of the softmax may divide afterwards. A
//! stage reads a row of what earlier stages computed.
//! So that nothing is rounded otherwise than in separate kernels, a local tensor has the elements
//! of the tensor that it stands for. This is the attention of FlashAttention (Dao et al., 2022)
//! without its running softmax: a row of scores fits into the memory of a core.
//!
//! Joined are a product, whose left factor is computed from the result of another product, and the
//! groups in between; and an element-wise group after it that also reads one of these. Conditions:
//!
//! - only groups of the kernel read intermediate results;
//! - all of them have the same matrices and rows as the result, and every group reads them along
//!   its own row ([`reads_own_row`]);
//! - the last product reads no other of them than its factor, unless its group is the last one;
//! - every target that lowers the kernel supports the stages, and has memory for the local tensors
//!   ([`Target::joins`](crate::target::Target::joins));
//! - all of them have the default view, since stages share tensors that kernels of their own may
//!   view differently;
//! - all groups have the same precision, because the matrix unit may also compute element-wise
//!   operations;
//! - there are an exponential and a sum of rows in between. Without a softmax, as in a perceptron,
//!   products have kernels of their own, which use a core for every rectangle of tiles instead of
//!   one for every row of tiles.
//!
//! A normalisation has no products: a softmax alone, or a layer normalisation. Joined are an
//! element-wise group and those before it, of which one reduces rows, under the same conditions.

use std::collections::{BTreeSet, HashMap};

use tessera_dialects::mlir::{Op, Value};
use tessera_dialects::pto::{Broadcast, Dst, Fidelity};
use tessera_ops::{Reduce, Unary};

use crate::target::Target;
use crate::ttnn::fusion::chains::{Chains, Source};
use crate::ttnn::fusion::compute::Compute;
use crate::ttnn::fusion::extent::{Extent, MatrixIndex};
use crate::ttnn::fusion::joined::JoinedStage;
use crate::ttnn::fusion::tensor::Tensor;
use crate::ttnn::fusion::{Abilities, Candidate};
use crate::ttnn::layout::TILE;

/// Operations that share a kernel or a stage, first to last.
pub type Group<'a> = Vec<(Op<'a>, Compute)>;

/// Joins groups, which are in the order of their last operations, where all targets can. Returns
/// the stages of each kernel, in the same order.
pub fn join_groups<'a>(
    groups: Vec<Group<'a>>,
    abilities: Abilities,
    targets: &[&dyn Target],
) -> Vec<Vec<Group<'a>>> {
    let groups = Groups::new(groups, abilities, targets);
    let mut stages: Vec<Vec<usize>> = Vec::new();
    for number in (0..groups.all.len()).rev() {
        if stages.iter().any(|of| of.contains(&number)) {
            continue;
        }
        let joined = groups
            .attention(number)
            .or_else(|| groups.normalisation(number));
        stages.push(joined.unwrap_or_else(|| vec![number]));
    }
    stages.reverse();
    let mut all: Vec<Option<Group>> = groups.all.into_iter().map(Some).collect();
    let kernels = stages.into_iter().map(|stages| {
        let groups = stages.into_iter();
        groups.filter_map(|number| all[number].take()).collect()
    });
    kernels.collect()
}

/// Returns the tensor of one row of tiles that stands for a tensor.
pub fn local(tensor: &Tensor) -> Tensor {
    Tensor {
        extent: Extent {
            matrices: 1,
            rows: TILE,
            ..tensor.extent
        },
        element: tensor.element,
        index: MatrixIndex { digits: Vec::new() },
    }
}

/// The maximum number of columns of tiles that the last stage computes at a time: the tiles of half
/// an accumulator, but for the running reduction of another stage.
const MAX_WIDTH: u64 = 3;

/// Returns the block shapes of the last stage, the preferred one first: as many columns of a row of
/// tiles at a time as divide the result, at most [`MAX_WIDTH`]. Other stages compute single tiles,
/// as tiles of local tensors are stored and loaded in one shape.
pub fn last_blocks(result: &Tensor) -> impl Iterator<Item = [u64; 2]> {
    let [_, across] = result.extent.tiles();
    let widths = (1..=across.min(MAX_WIDTH))
        .rev()
        .filter(move |width| across % width == 0);
    widths.map(|width| [1, width])
}

/// The groups of a function.
struct Groups<'a, 't> {
    all: Vec<Group<'a>>,
    chains: Vec<Chains<'a>>,
    /// Whether the chains have the default view.
    has_default_view: Vec<bool>,
    /// The group that computes each result.
    makers: HashMap<Value<'a>, usize>,
    /// The targets that lower the kernels.
    targets: &'t [&'t dyn Target],
}

impl<'a, 't> Groups<'a, 't> {
    fn new(all: Vec<Group<'a>>, abilities: Abilities, targets: &'t [&'t dyn Target]) -> Self {
        let (chains, has_default_view) = all
            .iter()
            .map(|group| {
                let default = Chains::build(group, abilities.for_stages());
                let default = default.filter(Chains::preserve_extents);
                let is_default = default.is_some();
                let chains = default.or_else(|| Chains::build(group, abilities));
                (chains.expect("groups are chains"), is_default)
            })
            .unzip();
        let results = all.iter().enumerate().filter_map(|(number, group)| {
            let (last, _) = group.last()?;
            Some((last.result(0)?, number))
        });
        Groups {
            chains,
            has_default_view,
            makers: results.collect(),
            all,
            targets,
        }
    }

    /// Returns the groups of the attention that ends with a group, in order.
    fn attention(&self, last: usize) -> Option<Vec<usize>> {
        let product = self.last_product(last)?;
        let weights = self.left_factor(product)?;
        let mut stages = vec![weights, product];
        let scores = self.add_makers(&mut stages, vec![weights])?;
        // What else the last group reads, such as the sums of rows.
        let others: Vec<usize> = self.makers_of_inputs(last).collect();
        let others: Vec<usize> = others
            .into_iter()
            .filter(|one| !stages.contains(one))
            .collect();
        stages.extend(others.iter().copied().chain([last]));
        self.add_makers(&mut stages, others);
        stages.sort_unstable();
        stages.dedup();
        self.keep_dependent(&mut stages, scores);
        self.is_attention(&stages, scores, [product, last])
            .then_some(stages)
    }

    /// Returns the groups of the normalisation that ends with an element-wise group, in order: the
    /// most groups that can be its stages, without products.
    fn normalisation(&self, last: usize) -> Option<Vec<usize>> {
        let is_elementwise = !self.multiplies(last) && !self.reduces_rows(last);
        if !is_elementwise || !self.has_default_view[last] {
            return None;
        }
        let mut stages = vec![last];
        // All readers of a stage are stages, so the candidates are visited from the last one on.
        let mut candidates: BTreeSet<usize> = self.makers_of_inputs(last).collect();
        while let Some(number) = candidates.pop_last() {
            if !self.multiplies(number) && self.can_precede(number, last, &stages) {
                stages.push(number);
                candidates.extend(self.makers_of_inputs(number));
            }
        }
        stages.sort_unstable();
        while stages.len() > 1 && !self.is_normalisation(&stages) {
            stages.remove(0);
        }
        (stages.len() > 1).then_some(stages)
    }

    /// Returns whether groups, of which each can precede the last one, can be the stages of a
    /// normalisation.
    fn is_normalisation(&self, stages: &[usize]) -> bool {
        stages.iter().any(|&number| self.reduces_rows(number)) && self.can_join(stages)
    }

    /// Returns whether a group reduces rows.
    fn reduces_rows(&self, number: usize) -> bool {
        let mut members = self.all[number].iter();
        members.any(|(_, compute)| {
            matches!(compute, Compute::Reduce(reduction) if reduction.axes == [false, true])
        })
    }

    /// Returns the product with the values: a group that begins with it, or the only group that
    /// does so whose result an element-wise group reads.
    fn last_product(&self, last: usize) -> Option<usize> {
        if self.multiplies(last) {
            return Some(last);
        }
        let mut products = self.makers_of_inputs(last);
        let product = products.find(|maker| self.multiplies(*maker))?;
        let is_only = !products.any(|maker| self.multiplies(maker));
        is_only.then_some(product)
    }

    /// Adds the groups from which the inputs of some groups are computed, up to products. Returns
    /// one of these products.
    fn add_makers(&self, stages: &mut Vec<usize>, mut open: Vec<usize>) -> Option<usize> {
        let mut product = None;
        while let Some(number) = open.pop() {
            if self.multiplies(number) {
                product = Some(number);
                continue;
            }
            for maker in self.makers_of_inputs(number) {
                if !stages.contains(&maker) {
                    stages.push(maker);
                    open.push(maker);
                }
            }
        }
        product
    }

    /// Returns whether a group begins with a product.
    fn multiplies(&self, number: usize) -> bool {
        self.chains[number].product().is_some()
    }

    /// Returns the group that computes the left factor of the product with which a group begins.
    fn left_factor(&self, number: usize) -> Option<usize> {
        let chains = &self.chains[number];
        let first = chains.main.first()?;
        match (first.compute, first.operands.first()?) {
            (
                Compute::Matmul {
                    transposed: [false, _],
                    ..
                },
                Source::Input(input),
            ) => self.makers.get(&chains.inputs[*input]).copied(),
            _ => None,
        }
    }

    /// Returns the groups that compute inputs of a group.
    fn makers_of_inputs(&self, number: usize) -> impl Iterator<Item = usize> + '_ {
        let inputs = self.chains[number].inputs.iter();
        inputs.filter_map(|input| self.makers.get(input).copied())
    }

    /// Removes groups that do not depend on the scores.
    fn keep_dependent(&self, stages: &mut Vec<usize>, scores: usize) {
        let mut dependent = vec![scores];
        for &number in stages.iter() {
            let mut makers = self.makers_of_inputs(number);
            if makers.any(|maker| dependent.contains(&maker)) {
                dependent.push(number);
            }
        }
        stages.retain(|number| dependent.contains(number));
    }

    /// Returns whether groups can be the stages of an attention.
    fn is_attention(&self, stages: &[usize], scores: usize, [product, last]: [usize; 2]) -> bool {
        let is_product = |number: &&usize| self.multiplies(**number);
        let staged = |number: usize| {
            let makers = self.makers_of_inputs(number);
            makers.filter(|maker| stages.contains(maker)).count()
        };
        stages.first() == Some(&scores)
            && stages.iter().filter(is_product).count() == 2
            && self.compute_softmax(stages)
            && self.has_default_view[last]
            && stages
                .iter()
                .all(|&number| number == last || self.can_precede(number, last, stages))
            && (staged(product) == 1 || product == last)
            && (staged(last) > 1 || product == last)
            && self.can_join(stages)
    }

    /// Returns whether a group can be a stage before the last one: its result is alike, and only
    /// these stages read it.
    fn can_precede(&self, number: usize, last: usize, stages: &[usize]) -> bool {
        let extent = |number: usize| {
            let Extent { matrices, rows, .. } = self.chains[number].result().extent;
            (matrices, rows)
        };
        self.has_default_view[number]
            && extent(number) == extent(last)
            && self.precision(number) == self.precision(last)
            && self.is_read_by(number, stages)
    }

    /// Returns whether groups, of which each can precede the last one, can be the stages of a
    /// kernel: they read each other's results along rows, and all targets can compute them.
    fn can_join(&self, stages: &[usize]) -> bool {
        let mut numbers = stages.iter();
        numbers.all(|&number| self.reads_own_row(number, stages))
            && self.shapes_agree(stages)
            && self.targets_join(stages)
    }

    /// Returns whether all targets can compute these groups as stages of a kernel.
    fn targets_join(&self, stages: &[usize]) -> bool {
        let is_local = |input: &Value<'a>| {
            let maker = self.makers.get(input);
            maker.is_some_and(|maker| stages.contains(maker))
        };
        let joined = stages.iter().map(|&number| {
            let chains = &self.chains[number];
            JoinedStage {
                chains,
                is_local: chains.inputs.iter().map(is_local).collect(),
            }
        });
        let joined: Vec<JoinedStage> = joined.collect();
        self.targets.iter().all(|target| target.joins(&joined))
    }

    /// Returns whether groups apply the exponential function, and sum rows.
    fn compute_softmax(&self, stages: &[usize]) -> bool {
        let computes = |is: fn(Compute) -> bool| {
            let mut members = stages.iter().flat_map(|number| &self.all[*number]);
            members.any(|(_, compute)| is(*compute))
        };
        computes(|compute| compute == Compute::Unary(Unary::Exp))
            && computes(|compute| {
                matches!(compute, Compute::Reduce(reduction)
                    if reduction.reduce == Reduce::Sum && reduction.axes == [false, true])
            })
    }

    /// Returns whether only these groups read the result of a group.
    fn is_read_by(&self, number: usize, stages: &[usize]) -> bool {
        let Some((op, _)) = self.all[number].last() else {
            return false;
        };
        let is_inside = |reader: &Op| {
            let mut ops = stages.iter().flat_map(|stage| &self.all[*stage]);
            ops.any(|(op, _)| op == reader)
        };
        super::readers(*op).iter().all(is_inside)
    }

    /// Returns whether a group reads the results of these groups only in its own row of tiles: as
    /// left factor, along columns in a reduction, or element by element.
    fn reads_own_row(&self, number: usize, stages: &[usize]) -> bool {
        let chains = &self.chains[number];
        let is_staged = |input: usize| {
            let maker = self.makers.get(&chains.inputs[input]);
            maker.is_some_and(|maker| stages.contains(maker))
        };
        let is_input = |source: &Source| match source {
            Source::Input(input) => is_staged(*input),
            Source::Chain => false,
        };
        // Of equally many matrices, each belongs to one of the result.
        let is_own_matrix =
            |(input, tensor): (usize, &Tensor)| !is_staged(input) || tensor.index.is_simple();
        let mut members = chains.factors.iter().flatten().chain(&chains.main);
        members.all(|member| {
            let staged: Vec<bool> = member.operands.iter().map(is_input).collect();
            keeps_rows(member.compute, &staged, member.result.rows == 1)
        }) && chains.tensors.iter().enumerate().all(is_own_matrix)
    }

    /// Returns whether stages describe an input that they share alike.
    fn shapes_agree(&self, stages: &[usize]) -> bool {
        let mut known: HashMap<Value, Extent> = HashMap::new();
        let inputs = stages.iter().flat_map(|number| {
            let chains = &self.chains[*number];
            chains.inputs.iter().zip(&chains.tensors)
        });
        let mut inputs = inputs.map(|(value, tensor)| {
            let extent = known.entry(*value).or_insert(tensor.extent);
            *extent == tensor.extent
        });
        inputs.all(|agrees| agrees)
    }

    /// Returns the precision of a group.
    fn precision(&self, number: usize) -> (Fidelity, Dst) {
        let candidate = Candidate {
            ops: &self.all[number],
            chains: &self.chains[number],
        };
        candidate.precision()
    }
}

/// Returns whether an operation reads rows of its operands for the same rows of its result, of
/// those operands that `staged` tells. If they have a single row, it may be broadcast.
fn keeps_rows(compute: Compute, staged: &[bool], has_one_row: bool) -> bool {
    let are_along_rows = |broadcasts: &[Broadcast]| {
        let mut operands = staged.iter().zip(broadcasts);
        operands.all(|(staged, broadcast)| match broadcast {
            Broadcast::None | Broadcast::Column => true,
            Broadcast::Row | Broadcast::Scalar => !staged || has_one_row,
        })
    };
    match compute {
        Compute::Matmul { transposed, .. } => {
            !(staged[1..].contains(&true) || staged[0] && transposed[0])
        }
        Compute::Reduce(reduction) => !reduction.axes[0] && !reduction.transposed,
        Compute::Transpose => false,
        Compute::Binary { broadcasts, .. } => are_along_rows(&broadcasts),
        Compute::Clamp(broadcasts) | Compute::Where(broadcasts) => are_along_rows(&broadcasts),
        Compute::Unary(_) | Compute::Cast { .. } | Compute::Numbers(_) => true,
    }
}
