//! Products whose depth goes over places of the chip besides time: each place multiplies its part,
//! and partial sums are added on their way out.
//!
//! | depth over | rows over | columns over | partial sums are added by |
//! |---|---|---|---|
//! | MABs, L1Bs | L2Bs | cycles | `l1bmr`, `l2bmr` |
//! | MABs, L1Bs, L2Bs | | cycles | `l1bmr`, `l2bmr`, `mvr` |
//!
//! Where columns go over MABs, each of them multiplies the whole depth, and of few columns most
//! have nothing to do. Here both sides come to where they are multiplied, and nothing comes twice,
//! but for the column side to L2Bs that have their own rows.
//!
//! The sums of a block come one behind the other to L2BM. If nothing follows the product, they
//! leave as they lie there. Else they come to the PEs once more, as a vector in which words, PEs
//! and all places above hold other elements than in a vector of sums.
//!
//! Networks round at each of their stages: two of `l1bmr`, one of `l2bmr`, two of `mvr`.

use tessera_isa_mncore::layout::Place::{Address as Word, Group, Part};
use tessera_isa_mncore::memory::{Precision, Width, L1BM_WORDS};
use tessera_isa_mncore::table::l1bm::L1bmKind;
use tessera_isa_mncore::table::l2bm::L2bmKind;
use tessera_isa_mncore::table::{L1bmOp, L2bmOp, MvMode, Rrn, RrnKind};

use super::digits::Stated;
use super::rows::over_groups;
use super::shape::{Shape, CYCLES, L2BS, MABS, VECTOR_WORDS};
use super::streams::{Direction, Lane, L1BM_VECTOR, TRANSFER};
use super::vectors::{Outer, Vectors, L2BM_CYCLE};
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::{Body, Home};
use tessera_mncore_ir::item::{Move, MoveMemory, MovePlace, Op, Operand, Place};

/// Over which places the depth of a product goes, besides time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Split {
    /// MABs and L1Bs.
    Mabs,
    /// All.
    L2bs,
}

/// Long words of a sum of eight rows and four columns behind `l1bmr`, and those that `l2bmr` joins
/// in a step.
const SUM: u32 = 4 * CYCLES;
const JOINED: u32 = 64;
/// Where sums lie in L1BM before they are joined, and where joined ones do on their way to the PEs:
/// behind those that leave.
const L1BM: u32 = 0;
const L1BM_JOINED: u32 = L1BM_WORDS - L1BM_VECTOR;
/// Where they lie in L2BM and PDM on their way to the PEs: in a lane that products have no stream
/// in.
const L2BM: u32 = 0;
const PDM: u32 = 0;
/// The tags of the MV instructions between, which no stream has.
const OUT_TAG: u32 = 250;
const IN_TAG: u32 = 251;
/// What adds partial sums.
pub(super) const ADD: Rrn = Rrn {
    precision: Precision::Single,
    kind: RrnKind::FloatAdd,
};

/// How many long words the joined sums of a block take: what is left over repeats them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fill {
    /// As few as are joined in a step.
    Least,
    /// Whole cycles of a vector.
    Whole,
}

/// Long words of the joined sums of a block.
pub(super) fn joined_words(shape: &Shape, fill: Fill) -> u32 {
    let least = match fill {
        Fill::Least => JOINED,
        Fill::Whole => L2BM_CYCLE,
    };
    (shape.vectors() * SUM).next_multiple_of(least)
}

impl Split {
    /// Whether L2Bs have their own parts of the depth, too.
    pub fn has_l2bs(self) -> bool {
        self == Split::L2bs
    }

    /// How many parts there are.
    pub fn parts(self) -> u32 {
        MABS * if self.has_l2bs() { L2BS } else { 1 }
    }

    /// The digits of the places in a vector of the column side, or of the row side.
    pub fn digits(self, side: u64) -> Vec<Stated> {
        let places = [(Word, 2, 4), (Word, 8, 64), (Word, 8, 8)];
        match self {
            Split::Mabs => over_groups(&places),
            Split::L2bs => [&places[..], &[(Word, 2, side), (Group, 4, 1)]].concat(),
        }
    }

    /// The same of the row side, whose L2Bs have their own rows if not their own depth.
    pub fn row_digits(self, side: u64) -> Vec<Stated> {
        match self {
            Split::Mabs => vec![(Word, 2, 4), (Word, 8, 64), (Word, 8, 8)],
            Split::L2bs => self.digits(side),
        }
    }

    /// The digits of the columns in a vector of the column side.
    pub fn columns(self) -> Vec<Stated> {
        let cycles = (Word, CYCLES, L2BM_CYCLE.into());
        match self {
            Split::Mabs => over_groups(&[cycles]),
            Split::L2bs => vec![cycles],
        }
    }

    /// The digits of places that have the same, if joined sums take so many long words.
    pub fn repeated(self, shape: &Shape, words: u32) -> Vec<Stated> {
        let own = shape.vectors() * SUM;
        let digits = [(Word, words / own, own.into())];
        match self {
            Split::Mabs => digits.to_vec(),
            Split::L2bs => over_groups(&digits),
        }
    }

    /// The digits of rows and columns in them.
    pub fn joined_digits(self, shape: &Shape, side: u64) -> [Vec<Stated>; 2] {
        let tiles = (Word, shape.tiles, u64::from(shape.steps * SUM));
        let rows = [(Part, 2, 1), (Word, 4, 1), tiles];
        let columns = [(Word, CYCLES, 4), (Word, shape.steps, SUM.into())];
        match self {
            Split::Mabs => {
                let own = [(Word, 2, side), (Group, 4, 1)];
                [[&rows[..], &own].concat(), columns.to_vec()]
            }
            Split::L2bs => [over_groups(&rows), over_groups(&columns)],
        }
    }
}

/// The items that join the sums in these places, and put them into L2BM one behind the other, again
/// and again up to so many long words.
fn join(body: &mut Body, sums: &[Place], target: u32, words: u32) {
    let own = (sums.len() as u32 * SUM).next_multiple_of(JOINED);
    let sums: Vec<&Place> = sums.iter().cycle().take((own / SUM) as usize).collect();
    let mut l1 = L1BM;
    for from in in_steps(&sums) {
        let wide = from.width == Width::Double;
        let op = L1bmOp {
            rrn: Some(ADD),
            ..L1bmOp::new(L1bmKind::Reduce, wide)
        };
        body.push(
            Op::L1bm(op, Address::fixed(l1)),
            vec![from.into()],
            Vec::new(),
        );
        l1 += if wide { 2 * SUM } else { SUM };
    }
    for first in (0..words).step_by(JOINED as usize) {
        let op = L2bmOp {
            rrn: Some(ADD),
            ..L2bmOp::new(L2bmKind::Reduce)
        };
        let l1 = Address::fixed(L1BM + first % own);
        let l2 = Address::fixed(target + first);
        body.push(Op::L2bm { op, l2, l1 }, Vec::new(), Vec::new());
    }
}

/// What `l1bmr` takes in each step: two long words in each cycle, where two vectors lie one behind
/// the other.
fn in_steps(sums: &[&Place]) -> Vec<Place> {
    let mut found = Vec::new();
    let mut left = sums;
    while let [first, rest @ ..] = left {
        let next = first.address.clone().plus(VECTOR_WORDS);
        let follows = |second: &&Place| second.address == next;
        if first.stride == Width::Long.words() && rest.first().is_some_and(follows) {
            let address = first.address.clone();
            found.push(Place::consecutive(first.bank, Width::Double, address));
            left = &rest[1..];
        } else {
            found.push((*first).clone());
            left = rest;
        }
    }
    found
}

/// The items that join the sums in these places, and take them away as they lie.
pub(super) fn leave(
    body: &mut Body,
    results: &Vectors,
    (lane, around): (Lane, &Outer),
    sums: &[Place],
) {
    join(body, sums, lane.first(), results.words);
    let walk = vec![0; body.dimensions()];
    for &side in results.sides() {
        let mut away = results.r#move(lane, around, &walk, side, Direction::Out, 0);
        if let Op::Mv(transfer) = &mut away {
            transfer.rrn = transfer.rrn.map(|_| ADD);
        }
        body.push(away, Vec::new(), Vec::new());
    }
}

/// The items that join the sums in these places, and bring them back to the PEs, as so many long
/// words of L2BM.
pub(super) fn joined(body: &mut Body, split: Split, sums: &[Place], words: u32) -> Operand {
    join(body, sums, L2BM, words);
    if split.has_l2bs() {
        over_l2bs(body, words);
    }
    for part in 0..words / TRANSFER.0 {
        let op = Op::L2bm {
            op: L2bmOp::new(L2bmKind::Distribute),
            l2: Address::fixed(L2BM + part * TRANSFER.0),
            l1: Address::fixed(L1BM_JOINED + part * TRANSFER.1),
        };
        body.push(op, Vec::new(), Vec::new());
    }
    let value = body.value(Width::Long, Home::Any);
    let down = L1bmOp::new(L1bmKind::Distribute, false);
    let from = Address::fixed(L1BM_JOINED);
    body.push(Op::L1bm(down, from), Vec::new(), vec![value.into()]);
    value.into()
}

/// The items that join what L2BMs have, through PDM.
fn over_l2bs(body: &mut Body, words: u32) {
    let place = |memory, address, group| MovePlace {
        memory,
        address: Address::fixed(address),
        group,
        l2b: None,
    };
    let pdm = || place(MoveMemory::Pdm, PDM, Some(0));
    let l2bm = || place(MoveMemory::L2bm, L2BM, None);
    for (mode, rrn, tag, source, target) in [
        (MvMode::PdmReduce, Some(ADD), OUT_TAG, l2bm(), pdm()),
        (MvMode::PdmBroadcast, None, IN_TAG, pdm(), l2bm()),
    ] {
        let transfer = Move {
            mode,
            rrn,
            words,
            tag: Address::fixed(tag),
            source,
            target,
        };
        body.push(Op::Mv(transfer), Vec::new(), Vec::new());
        body.push(Op::Wait(Address::fixed(tag)), Vec::new(), Vec::new());
    }
}
