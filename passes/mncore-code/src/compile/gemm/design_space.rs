//! The design space of a product: enumerates its legal plans, with the cost of each.

use super::k_over_mabs::KOverMabs;
use super::packed::Packed;
use super::pipelined::Pipelined;
use super::plan::Plan;
use super::problem::{Blocking, Problem};
use super::split_k::SplitKProduct;
use super::strategy::ProductStrategy;
use super::streamed::Streamed;
use crate::compile::data::distribution::{vector_extent, Mapping};
use crate::compile::data::vector_layout::SplitK;

/// Maximum numbers of row tiles to try.
const MAX_TILES: [u32; 7] = [64, 32, 16, 8, 4, 2, 1];

/// Returns the distinct plans of a product, each with its cost.
pub(crate) fn plans(problem: &Problem) -> Vec<(Plan, u64)> {
    let mut plans = Vec::new();
    for steps in [1, 2, 4, 8] {
        for max_tiles in MAX_TILES {
            let over = |over| Blocking::new(problem, (steps, over), (1, max_tiles));
            let streamed = Streamed::new(over(Mapping::ColumnsOverL2bs), problem.arithmetic);
            plans.extend(streamed.map(Plan::Streamed));
            if problem.traits.can_pipeline {
                plans.extend(pipelined_plans(problem, &over).map(Plan::Pipelined));
            }
            for parts in [1, 2, 4, 8] {
                let block = (steps, Mapping::RowsOverL2bs);
                let blocking = Blocking::new(problem, block, (parts, max_tiles));
                plans.extend(chunked_plans(problem, blocking, parts));
            }
        }
    }
    let deferred = plans.iter();
    let deferred = deferred.filter_map(|plan: &Plan| plan.with_deferred_results(problem));
    let deferred: Vec<Plan> = deferred.collect();
    plans.extend(deferred);
    for split in [SplitK::Mabs, SplitK::L2bs] {
        for steps in [1, 2, 4, 8, 16] {
            let of = |most| SplitKProduct::new(problem, (steps, split), most);
            plans.extend(MAX_TILES.into_iter().filter_map(of).map(Plan::SplitK));
        }
    }
    let of = |steps| KOverMabs::new(problem, steps);
    plans.extend([2, 4, 8].into_iter().filter_map(of).map(Plan::KOverMabs));
    let mut costs: Vec<(Plan, u64)> = Vec::new();
    for plan in plans {
        if costs.iter().all(|(other, _)| *other != plan) {
            costs.push((plan, plan.cost(problem.arithmetic)));
        }
    }
    costs
}

/// Returns the streamed and packed plans with at least `parts` chunks.
fn chunked_plans(problem: &Problem, blocking: Blocking, parts: u32) -> Vec<Plan> {
    let mut plans = Vec::new();
    let prefetches = problem.traits.can_prefetch;
    if let Some(streamed) = Streamed::new(blocking, problem.arithmetic) {
        plans.extend((parts == 1).then_some(Plan::Streamed(streamed)));
        let prefetching = streamed.with_prefetch().filter(|_| prefetches);
        plans.extend(prefetching.map(Plan::Streamed));
    }
    if let Some(packed) = Packed::new(&blocking, problem.arithmetic) {
        plans.extend((parts == 1).then_some(Plan::Packed(packed)));
        let prefetching = packed.with_prefetch().filter(|_| prefetches);
        plans.extend(prefetching.map(Plan::Packed));
    }
    plans
}

/// Returns the pipelined plans with blocks over given parts of the chip.
fn pipelined_plans(
    problem: &Problem,
    over: &dyn Fn(Mapping) -> Blocking,
) -> impl Iterator<Item = Pipelined> {
    let mut mappings = vec![Mapping::RowsOverL2bs];
    let [_, columns] = vector_extent(Mapping::RowsOverL2bs);
    // One vector holds all columns when L1Bs have their own.
    if problem.extents.j <= columns {
        mappings.extend([Mapping::RowsOverL1bPairs, Mapping::RowsOverL1bs]);
    }
    let mut blocked: Vec<Blocking> = mappings.into_iter().map(over).collect();
    // With columns over groups, results are column sides of one vector each.
    let in_groups = over(Mapping::ColumnsOverGroups);
    if in_groups.distribution.steps == 1 {
        let packs = problem.traits.bf16.columns || problem.traits.bf16.result;
        blocked.extend(packs.then_some(in_groups));
        blocked.push(in_groups.unpacked());
    }
    let mut plans = Vec::new();
    for blocking in blocked {
        for turns in [2, 4, 8, 16] {
            let at_end = Pipelined::new(&blocking, turns, problem);
            let variants = [
                at_end,
                at_end.and_then(|plan| plan.with_split_epilogue(problem)),
                Pipelined::new_row_ordered(&blocking, turns, problem),
                Pipelined::new_resident(&blocking, turns, problem),
            ];
            plans.extend(variants.into_iter().flatten());
        }
    }
    plans.into_iter()
}
