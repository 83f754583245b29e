//! What items do to the memories of PEs, the matrix registers and L1BM.

use std::ops::Range;

use tessera_isa_mncore::check::hazard::{writable_words, Effects, L1Access, L1Kind};
use tessera_isa_mncore::memory::{Bank, CYCLES, L1BM_WORDS};

use super::cells::Way;
use super::DependenceError;
use crate::emit::Emitter;
use crate::probe;
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::item::{Dest, Item, Masking, Op, Place, Source, Target};

/// The memories that are followed.
const PE: usize = 4;
pub(crate) const MATRIX: usize = PE;
pub(crate) const L1BM: usize = PE + 2;
pub(crate) const SPACES: usize = L1BM + 1;
/// Rows of a matrix register.
const ROWS: u32 = 16;

/// A part of an access: an offset from its address, in a cycle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub offset: u32,
    pub cycle: u8,
}

/// What an item does to a memory.
#[derive(Clone, Debug)]
pub(crate) struct Touch {
    pub space: usize,
    pub address: Address,
    pub parts: Vec<Part>,
    pub write: bool,
    /// Whether everything is written for sure.
    pub whole: bool,
    pub set: u8,
    pub kind: Way,
}

/// The cells of a memory.
pub(crate) fn size_of_space(space: usize) -> u32 {
    match space {
        L1BM => L1BM_WORDS,
        MATRIX.. => ROWS,
        _ => u32::from(Bank::ALL[space].words()),
    }
}

/// What an item does to the memories that are followed, reads first.
pub(crate) fn touches_of(
    item: &Item,
    emitter: &Emitter,
    number: usize,
) -> Result<Vec<Touch>, DependenceError> {
    let mut touches = Vec::new();
    for input in &item.inputs {
        if let Source::Memory(place) = &input.source {
            touches.push(touch_of_place(place, None));
        }
    }
    match &item.op {
        Op::Mau(_, Some(side)) => touches.push(matrix(*side as usize, 0..ROWS, false)),
        Op::Mread(_, rows) => touches.push(matrix(rows.side as usize, 0..ROWS, false)),
        Op::Mwrite(_, rows) => {
            let count = CYCLES as u32 * if rows.wide { 2 } else { 1 };
            let first = u32::from(rows.first);
            touches.push(matrix(rows.side as usize, first..first + count, true));
        }
        Op::L1bm(_, address) => {
            let effects = probe::effects(emitter, number, &emitter.body().index(0))?;
            let base = address.at(&emitter.body().index(0));
            touches.extend(touches_of_l1bm(&effects, |_| (address.clone(), base)));
        }
        Op::L2bm { l2, l1, .. } => {
            let effects = probe::effects(emitter, number, &emitter.body().index(0))?;
            let across = effects
                .l1bm_accesses()
                .iter()
                .any(|access| access.kind == L1Kind::WriteByMulticast);
            touches.extend(touches_of_l1bm(&effects, |kind| {
                // The source of a multicast stands where the address in L2BM does.
                let address = if across && kind == L1Kind::ReadUp {
                    l2
                } else {
                    l1
                };
                (address.clone(), address.at(&emitter.body().index(0)))
            }));
        }
        _ => {}
    }
    for output in &item.outputs {
        if let Target::Memory(place) = &output.target {
            touches.push(touch_of_place(place, Some(output)));
        }
    }
    touches.sort_by_key(|touch| touch.write);
    Ok(touches)
}

/// An access to a place; of a write, with its mask.
fn touch_of_place(place: &Place, output: Option<&Dest>) -> Touch {
    let (mask, known) = match output.and_then(|output| output.mask.as_ref()) {
        None => (None, true),
        Some(Masking::Fixed(mask)) => (Some(*mask), mask.entry >= 16),
        Some(Masking::Flags(_)) => (None, false),
    };
    let words = writable_words(mask, place.width);
    let parts = words.into_iter().enumerate().flat_map(|(cycle, words)| {
        let first = u32::from(place.stride) * cycle as u32;
        words.map(move |word| Part {
            offset: first + u32::from(word),
            cycle: cycle as u8,
        })
    });
    Touch {
        space: place.bank as usize,
        address: place.address.clone(),
        parts: parts.collect(),
        write: output.is_some(),
        whole: known,
        set: 0xff,
        kind: Way::Plain,
    }
}

/// An access to rows of a matrix register.
fn matrix(side: usize, rows: Range<u32>, write: bool) -> Touch {
    Touch {
        space: MATRIX + side,
        address: Address::fixed(0),
        parts: rows.map(|offset| Part { offset, cycle: 0 }).collect(),
        write,
        whole: true,
        set: 0xff,
        kind: Way::Plain,
    }
}

/// Accesses to L1BM, each with its address and where that is in the first iteration.
fn touches_of_l1bm(effects: &Effects, address: impl Fn(L1Kind) -> (Address, u32)) -> Vec<Touch> {
    let accesses = effects.l1bm_accesses().iter();
    let touch = |access: &L1Access| {
        let (address, base) = address(access.kind);
        let shift = access.first - base;
        let parts = (0..CYCLES as u32).flat_map(|cycle| {
            let first = shift + cycle * access.rate;
            (first..first + access.rate).map(move |offset| Part {
                offset,
                cycle: cycle as u8,
            })
        });
        Touch {
            space: L1BM,
            address,
            parts: parts.collect(),
            write: access.kind.writes(),
            whole: true,
            set: access.blocks,
            kind: Way::L1(access.kind),
        }
    };
    accesses.map(touch).collect()
}
