//! The plans of element-wise kernels.

use tessera_pto::kernel::{Element, TensorType};

use super::elements::Elements;
use crate::compile::data::arguments::Arguments;
use crate::compile::data::distribution::{Distribution, Extents};
use crate::compile::data::geometry::OWN_STEPS;
use crate::compile::data::outer_loops::OuterLoops;
use crate::compile::data::tensor_use::Role;
use crate::compile::error::CompileError;
use crate::compile::kernel::Kernel;
use crate::compile::padding::Fill;
use crate::compile::stages::repeat;
use crate::compile::strategy::Strategy;
use crate::raise::{BroadcastView, ExprKind, Store, TensorProgram};

/// The plan of a kernel without a product or reductions. All distributions are legal.
#[derive(Clone, Copy)]
pub(crate) struct ElementwisePlan<'a> {
    whole: &'a TensorProgram,
    store: &'a Store,
    fill: Fill,
    /// The roles of rows and columns.
    roles: [Role; 2],
    distribution: Distribution,
    cost: u64,
}

impl<'a> ElementwisePlan<'a> {
    /// Returns the plans of a kernel, cheapest first: every distribution, with and without rows and
    /// columns flipped.
    pub fn all(whole: &'a TensorProgram, store: &'a Store, fill: Fill) -> Vec<Self> {
        let result = whole.tensors[store.tensor];
        let of = |i, j| Extents {
            matrices: result.matrices,
            i,
            j,
            k: 0,
        };
        let turned = [
            ([Role::I, Role::J], of(result.rows, result.columns)),
            ([Role::J, Role::I], of(result.columns, result.rows)),
        ];
        let halves = streamed_halves(whole, store);
        let mut plans = Vec::new();
        for (roles, extents) in turned {
            let distributions = Distribution::for_elementwise(&extents).into_iter();
            plans.extend(distributions.map(|distribution| {
                let streams = halves.iter().map(|&half| stream_steps(&distribution, half));
                ElementwisePlan {
                    whole,
                    store,
                    fill,
                    roles,
                    distribution,
                    cost: streams.sum(),
                }
            }));
        }
        plans.sort_by_key(|plan| plan.cost);
        plans
    }

    /// Returns the cheapest plan of a kernel.
    pub fn cheapest(whole: &'a TensorProgram, store: &'a Store, fill: Fill) -> Self {
        ElementwisePlan::all(whole, store, fill).swap_remove(0)
    }
}

impl Strategy for ElementwisePlan<'_> {
    fn cost(&self) -> u64 {
        self.cost
    }

    fn emit(&self, bases: &[u32]) -> Result<Kernel, CompileError> {
        let arguments = Arguments::new(self.whole, self.fill, self.distribution, bases);
        kernel(arguments, self.store, self.roles)
    }
}

/// Returns for each tensor that a kernel loads or stores whether its elements are bf16.
fn streamed_halves(whole: &TensorProgram, store: &Store) -> Vec<bool> {
    let mut tensors = Vec::new();
    store.value.visit(&mut |part| match part.kind {
        ExprKind::Tensor(tensor, broadcast) if !tensors.contains(&(tensor, broadcast)) => {
            tensors.push((tensor, broadcast));
        }
        _ => {}
    });
    let read = tensors.into_iter().map(|(tensor, _)| tensor);
    let all = read.chain([store.tensor]);
    all.map(|tensor| whole.tensors[tensor].element == Element::Bf16)
        .collect()
}

/// Returns the minimum number of steps to load or store a tensor.
pub(crate) fn min_stream_steps(tensor: TensorType) -> u64 {
    let [rows, columns] = [tensor.rows, tensor.columns];
    let of = |i, j| Extents {
        matrices: tensor.matrices,
        i,
        j,
        k: 0,
    };
    let both = [of(rows, columns), of(columns, rows)].into_iter();
    let distributions = both.flat_map(|extents| Distribution::for_elementwise(&extents));
    let steps = distributions.map(|distribution| stream_steps(&distribution, false));
    steps.min().unwrap_or(u64::MAX)
}

/// Returns the steps to load or store a tensor in a distribution, block by block. `halves` tells
/// whether it is packed if the number of vectors is even.
fn stream_steps(distribution: &Distribution, halves: bool) -> u64 {
    /// Steps of prologue and epilogue per block.
    const BEGIN: u64 = 48;
    let iterations = distribution.vectors() / distribution.vectors_per_iteration(halves);
    let vectors = u64::from(iterations * distribution.cycles) * OWN_STEPS;
    u64::from(distribution.blocks()) * (vectors + BEGIN)
}

/// Builds a kernel without a product or reductions. `roles` are those of its rows and columns.
fn kernel(
    mut arguments: Arguments,
    store: &Store,
    roles: [Role; 2],
) -> Result<Kernel, CompileError> {
    let distribution = arguments.distribution();
    let tensors = arguments.tensors();
    let around = OuterLoops::new(&distribution, true, false);
    let width = distribution.vectors_per_iteration(arguments.has_bf16(store));
    let mut elements = Elements::new(
        &mut arguments,
        around,
        distribution.results_layout(),
        roles,
        width,
    )
    .alone();
    let mut body = elements.body(distribution.vectors());
    match copied(tensors, store) {
        Some(tensor) => elements.copy(&mut body, store, tensor)?,
        None => elements.store(&mut body, store, None)?,
    }
    let stages = elements.stages("elements", body);
    let blocks = repeat(distribution.j_blocks, repeat(distribution.i_blocks, stages));
    arguments.kernel(store.tensor, repeat(distribution.matrices, blocks), None)
}

/// Returns the tensor that a store copies, if it does nothing else.
fn copied(tensors: &[TensorType], store: &Store) -> Option<usize> {
    match store.value.kind {
        ExprKind::Tensor(tensor, broadcast) => {
            let is_plain = broadcast == BroadcastView::default();
            (is_plain && tensors[tensor] == tensors[store.tensor]).then_some(tensor)
        }
        _ => None,
    }
}
