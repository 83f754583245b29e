//! Multicast of product operands: which kernels use it.
//!
//! In a product, the pieces in a row of the result need the same tiles of the left operand at every
//! step, and those in a column the same tiles of the right one. The tiles that execute such pieces
//! form a grid ([`tessera_isa_tensix::worker_grid`]) and proceed step by step together. In each row
//! and column of the grid one tile, the leader, reads the shared operand and multicasts it
//! ([`super::read_multicast`]).
//!
//! Kernels with pipes or local tensors do not use multicast, nor do those whose products have
//! different operands.

use tessera_isa_tensix::worker_grid::{WorkerGrid, GROUPS};

use super::operand_rings::{depends_on, operands};
use super::plan::{collect_blocks, Loop, Math, Node, Plan, Step};
use crate::targets::tensix::worker_grid::worker_grid;

/// The multicast of a kernel's operands. Groups are numbered as in [`worker_grid`]: 0 is a row of
/// tiles, which shares the left operand, 1 is a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Multicast {
    /// Rows and columns of the grid of pieces.
    pub pieces: [u32; 2],
    /// The grid of tiles if a kernel runs on the whole chip.
    pub grid: WorkerGrid,
    /// The unpacker of the operand that each group shares.
    pub unpackers: [usize; GROUPS],
    /// The bytes of each of these operands in a step.
    pub bytes: [u32; GROUPS],
}

impl Multicast {
    /// Chooses multicast for the work `nodes` of a piece of a plan whose loops `distributed` are
    /// split among tiles, if it is possible and pays.
    pub fn choose(plan: &Plan, distributed: &[&Loop<Node>], nodes: &[Node]) -> Option<Self> {
        let [outer @ .., row, column] = distributed else {
            return None;
        };
        if !plan.pipes.is_empty() || plan.local_bytes > 0 || plan.row_half.is_some() {
            return None;
        }
        let matrices = outer.iter().filter_map(|of| of.trip_count()).product();
        let blocks = [row.trip_count()?, column.trip_count()?];
        let grid = worker_grid(plan.arch, matrices, blocks)?;
        let vars = [column.var, row.var];
        let blocks_of_piece = collect_blocks(nodes);
        let steps = blocks_of_piece.iter().flat_map(|block| block.steps());
        let mut shared = steps.filter(|step| is_product(step)).map(|step| {
            let unpackers = vars.map(|var| invariant_unpacker(step, var));
            let [of_row, of_column] = [unpackers[0]?, unpackers[1]?];
            let bytes = |unpacker: usize| {
                operands(step)[unpacker]
                    .map_or(0, |tiles| tiles.count() * tiles.tensor.element.tile_bytes())
            };
            let unpackers = [of_row, of_column];
            (of_row != of_column).then_some((unpackers, unpackers.map(bytes)))
        });
        let (unpackers, bytes) = shared.next()??;
        if shared.any(|other| other != Some((unpackers, bytes))) {
            return None;
        }
        Some(Multicast {
            pieces: blocks.map(|extent| extent as u32),
            grid,
            unpackers,
            bytes,
        })
    }
}

/// Returns whether the operands of a step are multicast if the kernel uses multicast.
pub fn is_product(step: &Step) -> bool {
    step.math == Math::Matmul
}

/// Returns the only unpacker whose tiles of a step do not depend on a variable.
fn invariant_unpacker(step: &Step, var: usize) -> Option<usize> {
    let [a, b] = operands(step);
    match (depends_on(a?, var), depends_on(b?, var)) {
        (false, true) => Some(0),
        (true, false) => Some(1),
        _ => None,
    }
}
