//! Spilling: an intermediate value that is kept in Dst while the LRegs are needed for others.
//!
//! The value is stored where the program stores a result in the end, so that spilling needs no
//! further tile. What is loaded from there must have been used before. The builder's
//! `with_late_loads` then loads the value again for its uses.
//!
//! At most one value is spilled, the one with the longest live range (Chaitin, "Register allocation
//! and spilling via graph coloring", 1982, spills by cost and interference; a program has few
//! values that live long).

use crate::vector::{Order, Program, VectorProgram, TILE_ROWS};
use crate::virtual_inst::{Op, Reg, VirtualInst};

/// The least live range for which a value is spilled, in items.
const MIN_LIVE_RANGE: usize = 8;

/// A spilled value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spill {
    /// The value, as its number in the program.
    pub(crate) node: usize,
    /// The row of Dst where it is kept.
    pub(crate) row: u32,
}

impl Spill {
    /// Returns the value to spill, if a program evaluated in this order has one.
    pub(crate) fn find(vector: &VectorProgram, order: Order) -> Option<Spill> {
        if order != Order::AsWritten {
            return None;
        }
        let mut program = Program::new(vector, order);
        program.append_code();
        let items = &program.code.items;
        let is_result = |node: usize| vector.results.iter().any(|(result, _)| *result == node);
        let candidates = (0..vector.nodes.len())
            .filter(|&node| vector.nodes[node].is_computed() && !is_result(node))
            .filter_map(|node| Some((node, live_range(items, program.registers[node]?)?)));
        let (node, range) = candidates.max_by_key(|(_, [first, last])| last - first)?;
        if range[1] - range[0] < MIN_LIVE_RANGE {
            return None;
        }
        let rows = vector.results.iter().map(|(_, dst)| dst * TILE_ROWS);
        let row = rows
            .into_iter()
            .find(|&row| is_unused_after(items, row, range[0]))?;
        Some(Spill { node, row })
    }
}

/// Returns the items that define a register and use it last.
fn live_range(items: &[VirtualInst], reg: Reg) -> Option<[usize; 2]> {
    let first = items.iter().position(|item| item.dest == Some(reg))?;
    let last = items
        .iter()
        .rposition(|item| item.inputs().any(|input| input == reg))?;
    Some([first, last])
}

/// Returns whether nothing that is loaded from a row is used after an item.
fn is_unused_after(items: &[VirtualInst], row: u32, number: usize) -> bool {
    let loads = items.iter().filter(|item| item.op == Op::Load(row));
    let mut ranges = loads.filter_map(|item| live_range(items, item.dest?));
    ranges.all(|[_, last]| last <= number)
}

#[cfg(test)]
mod tests;
