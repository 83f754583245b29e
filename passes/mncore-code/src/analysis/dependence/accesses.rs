//! The accesses of items to PE memories, matrix registers and L1BM.

use std::ops::Range;

use tessera_isa_mncore::check::hazard::{writable_words, Effects, L1Access, L1Kind};
use tessera_isa_mncore::memory::{Bank, CYCLES, L1BM_WORDS};

use super::cells::AccessPath;
use super::DependenceError;
use crate::analysis::probe;
use crate::emit::Emitter;
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::item::{Dest, Item, Masking, Op, Place, Source, Target};

/// The memories that are tracked, as indices: PE memories, matrix registers, L1BM.
const PE: usize = 4;
pub(crate) const MATRIX: usize = PE;
pub(crate) const L1BM: usize = PE + 2;
pub(crate) const SPACES: usize = L1BM + 1;
/// Rows of a matrix register.
const ROWS: u32 = 16;

/// A cell of an access: its offset from the address, and the cycle in which it is accessed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CellOffset {
    pub offset: u32,
    pub cycle: u8,
}

/// An access of an item to a memory.
#[derive(Clone, Debug)]
pub(crate) struct MemoryAccess {
    pub space: usize,
    pub address: Address,
    pub cells: Vec<CellOffset>,
    pub write: bool,
    /// Whether every cell is certainly overwritten.
    pub whole: bool,
    pub set: u8,
    pub kind: AccessPath,
}

/// Returns the number of cells of a memory.
pub(crate) fn space_size(space: usize) -> u32 {
    match space {
        L1BM => L1BM_WORDS,
        MATRIX.. => ROWS,
        _ => u32::from(Bank::ALL[space].words()),
    }
}

/// Returns the accesses of an item to the tracked memories, reads first.
pub(crate) fn item_accesses(
    item: &Item,
    emitter: &Emitter,
    number: usize,
) -> Result<Vec<MemoryAccess>, DependenceError> {
    let mut accesses = Vec::new();
    for input in &item.inputs {
        if let Source::Memory(place) = &input.source {
            accesses.push(place_access(place, None));
        }
    }
    match &item.op {
        Op::Mau(_, Some(side)) => accesses.push(matrix_access(*side as usize, 0..ROWS, false)),
        Op::Mread(_, rows) => accesses.push(matrix_access(rows.side as usize, 0..ROWS, false)),
        Op::Mwrite(_, rows) => {
            let count = CYCLES as u32 * if rows.wide { 2 } else { 1 };
            let first = u32::from(rows.first);
            accesses.push(matrix_access(
                rows.side as usize,
                first..first + count,
                true,
            ));
        }
        Op::L1bm(_, address) => {
            let effects = probe::item_effects(emitter, number, &emitter.body().index(0))?;
            let base = address.eval(&emitter.body().index(0));
            accesses.extend(l1bm_accesses_of(&effects, |_| (address.clone(), base)));
        }
        Op::L2bm { l2, l1, .. } => {
            let effects = probe::item_effects(emitter, number, &emitter.body().index(0))?;
            let across = effects
                .l1bm_accesses()
                .iter()
                .any(|access| access.kind == L1Kind::WriteByMulticast);
            accesses.extend(l1bm_accesses_of(&effects, |kind| {
                // The source address of a multicast takes the place of the address in L2BM.
                let address = if across && kind == L1Kind::ReadUp {
                    l2
                } else {
                    l1
                };
                (address.clone(), address.eval(&emitter.body().index(0)))
            }));
        }
        _ => {}
    }
    for output in &item.outputs {
        if let Target::Memory(place) = &output.target {
            accesses.push(place_access(place, Some(output)));
        }
    }
    accesses.sort_by_key(|memory_access| memory_access.write);
    Ok(accesses)
}

/// Returns the access to an operand in memory; for a write, `output` gives its mask.
fn place_access(place: &Place, output: Option<&Dest>) -> MemoryAccess {
    let (mask, known) = match output.and_then(|output| output.mask.as_ref()) {
        None => (None, true),
        Some(Masking::Fixed(mask)) => (Some(*mask), mask.entry >= 16),
        Some(Masking::Flags(_)) => (None, false),
    };
    let words = writable_words(mask, place.width);
    let cells = words.into_iter().enumerate().flat_map(|(cycle, words)| {
        let first = u32::from(place.stride) * cycle as u32;
        words.map(move |word| CellOffset {
            offset: first + u32::from(word),
            cycle: cycle as u8,
        })
    });
    MemoryAccess {
        space: place.bank as usize,
        address: place.address.clone(),
        cells: cells.collect(),
        write: output.is_some(),
        whole: known,
        set: 0xff,
        kind: AccessPath::Plain,
    }
}

/// Returns an access to rows of a matrix register.
fn matrix_access(side: usize, rows: Range<u32>, write: bool) -> MemoryAccess {
    MemoryAccess {
        space: MATRIX + side,
        address: Address::fixed(0),
        cells: rows.map(|offset| CellOffset { offset, cycle: 0 }).collect(),
        write,
        whole: true,
        set: 0xff,
        kind: AccessPath::Plain,
    }
}

/// Returns accesses to L1BM. `address` gives each its address and the value of that in the first
/// iteration.
fn l1bm_accesses_of(
    effects: &Effects,
    address: impl Fn(L1Kind) -> (Address, u32),
) -> Vec<MemoryAccess> {
    let accesses = effects.l1bm_accesses().iter();
    let memory_access = |access: &L1Access| {
        let (address, base) = address(access.kind);
        let shift = access.first - base;
        let cells = (0..CYCLES as u32).flat_map(|cycle| {
            let first = shift + cycle * access.rate;
            (first..first + access.rate).map(move |offset| CellOffset {
                offset,
                cycle: cycle as u8,
            })
        });
        MemoryAccess {
            space: L1BM,
            address,
            cells: cells.collect(),
            write: access.kind.writes(),
            whole: true,
            set: access.blocks,
            kind: AccessPath::L1(access.kind),
        }
    };
    accesses.map(memory_access).collect()
}
