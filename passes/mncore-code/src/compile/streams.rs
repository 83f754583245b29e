//! Vectors on their way to the PEs and back.
//!
//! A vector comes from DRAM by MV to L2BM, by `l2bmd` to the L1BMs, by `l1bmd` to the PEs, and goes
//! the same way back. While one is worked on, the next is on its way: L2BM has two places or more
//! for each stream, L1BM four. Tags take turns with the places in L2BM.

use tessera_isa_mncore::memory::{Precision, Width};
use tessera_isa_mncore::table::l1bm::L1bmKind;
use tessera_isa_mncore::table::l2bm::L2bmKind;
use tessera_isa_mncore::table::{AluKind, AluOp, L1bmOp, L2bmOp, MvMode, Rrn, RrnKind};

use super::shape::{Shape, CYCLES, L1BS};
use super::times;
use super::vectors::{scaled, Form, Outer, Vectors, L2BM_VECTOR};
use crate::functions::{from_bf16, to_bf16};
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::{Body, Home};
use tessera_mncore_ir::item::{Dest, Guard, Move, MoveMemory, MovePlace, Op, Operand, Test};

/// Long words of a vector in an L1BM.
pub(super) const L1BM_VECTOR: u32 = 256;
/// What a transfer between L2BM and L1BM moves: long words of L2BM, and of L1BM.
pub(super) const TRANSFER: (u32, u32) = (256, 32);
/// What one moves that both L1Bs of a pair get, or all.
pub(super) const TO_PAIRS: (u32, u32) = (256, 64);
pub(super) const TO_L1BS: (u32, u32) = (64, 64);
/// Vectors in L1BM at once, of those that come to PEs or come from them at once.
const L1BM_SLOTS: u32 = 4;

/// What joins long words that are the same: they stay as they are.
const SAME: Rrn = Rrn {
    precision: Precision::Long,
    kind: RrnKind::BitOr,
};

/// The places and tags of a stream: streams that go on at the same time have different lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lane {
    /// Where its vectors lie in L2BM.
    l2bm: u32,
    /// How many of them, each of so many long words at most, and tags for each side.
    slots: u32,
    vector: u32,
    /// Where its vectors lie in L1BM, of how many long words, and how many.
    l1bm: u32,
    l1bm_vector: u32,
    l1bm_slots: u32,
    /// Its first tag.
    tag: u32,
    /// In how many pieces a vector leaves, so that the first need not wait for all of it in L2BM.
    pieces: u32,
}

/// How many lanes for two vectors there are: all of them, and those that leave the row side of a
/// product its place.
pub(super) const LANES: u32 = 8;
pub(super) const LANES_OF_PRODUCT: u32 = 4;
/// How many tensors a group without a product streams at most.
pub const MOST_STREAMS: usize = LANES as usize - 1;
/// How many one with a product does, beside the factors.
pub const MOST_STREAMS_OF_PRODUCT: usize = LANES_OF_PRODUCT as usize - 1;
/// Their first tag; those before are for others.
const FIRST_TAG: u32 = 16;
/// The first tag of the lane that has all of their L2BM.
const WIDE_TAG: u32 = FIRST_TAG + LANES * 4;
/// The lane that goes on beside all others, and beside the row side.
const APART_L2BM: u32 = 16384;
const APART_L1BM: u32 = 4096;
const APART_TAG: u32 = 64;
/// The first tag of the lane for vectors that all L1Bs get: behind those of the row side.
const L1BS_TAG: u32 = 96;

impl Lane {
    /// One of the lanes for two vectors.
    pub(super) const fn of(number: u32) -> Self {
        Lane {
            l2bm: number * 2 * L2BM_VECTOR,
            slots: 2,
            vector: L2BM_VECTOR,
            l1bm: number * L1BM_SLOTS * L1BM_VECTOR,
            l1bm_vector: L1BM_VECTOR,
            l1bm_slots: L1BM_SLOTS,
            tag: FIRST_TAG + number * 4,
            pieces: 1,
        }
    }

    /// A lane for up to eight vectors, where no other goes on.
    pub(super) const fn wide(slots: u32) -> Self {
        Lane {
            l2bm: 0,
            slots,
            vector: L2BM_VECTOR,
            l1bm: L1BM_SLOTS * L1BM_VECTOR,
            l1bm_vector: L1BM_VECTOR,
            l1bm_slots: L1BM_SLOTS,
            tag: WIDE_TAG,
            pieces: 1,
        }
    }

    /// The same for vectors of which both L1Bs of a pair get the same.
    pub(super) const fn wide_of_pairs(slots: u32) -> Self {
        Lane {
            vector: L2BM_VECTOR / 2,
            ..Lane::wide(slots)
        }
    }

    /// The same for vectors that all L1Bs get: they are so short that there are places for many,
    /// which have tags of their own.
    pub(super) const fn wide_of_l1bs(slots: u32) -> Self {
        Lane {
            vector: L2BM_VECTOR / L1BS,
            tag: L1BS_TAG,
            ..Lane::wide(slots)
        }
    }

    /// A lane beside all others.
    pub(super) const fn apart() -> Self {
        Lane {
            l2bm: APART_L2BM,
            slots: 4,
            vector: L2BM_VECTOR,
            l1bm: APART_L1BM,
            l1bm_vector: L1BM_VECTOR,
            l1bm_slots: 16,
            tag: APART_TAG,
            pieces: 1,
        }
    }

    /// The same for pieces of its vectors, of so many long words, as many as there are tags for. In
    /// L1BM they are those of all vectors.
    pub(super) const fn of_pieces(self, words: u32) -> Self {
        /// For each side of a piece of a vector there is one.
        const TAGS: u32 = 2;
        let of_vector = self.vector / words;
        let slots = if of_vector < TAGS { of_vector } else { TAGS } * self.slots;
        Lane {
            slots,
            vector: words,
            l1bm_vector: self.l1bm_vector / of_vector,
            l1bm_slots: self.l1bm_slots * of_vector,
            ..self
        }
    }

    /// The same, whose vectors leave in two pieces.
    pub(super) const fn in_pieces(self) -> Self {
        Lane { pieces: 2, ..self }
    }

    /// Where the first of its vectors lies in L2BM.
    pub(super) const fn first(self) -> u32 {
        self.l2bm
    }

    /// How many vectors L2BM has places for.
    pub(super) const fn slots(self) -> u32 {
        self.slots
    }

    /// How many L1BM has places for.
    pub(super) const fn l1bm_slots(self) -> u32 {
        self.l1bm_slots
    }

    fn l2bm(self, steps: &[u32], ahead: u32) -> Address {
        Address::moving(ahead * self.vector, &scaled(steps, self.vector))
            .around(self.l2bm, self.slots * self.vector)
    }

    fn l1bm(self, steps: &[u32], ahead: u32) -> Address {
        Address::moving(ahead * self.l1bm_vector, &scaled(steps, self.l1bm_vector))
            .around(self.l1bm, self.l1bm_slots * self.l1bm_vector)
    }

    /// The tag of the MV instructions for one side of a vector, or of a piece of it: number `2 *
    /// piece + side`.
    fn tag(self, side: u32, steps: &[u32], ahead: u32) -> Address {
        Address::moving(ahead, steps).around(self.tag + side * self.slots, self.slots)
    }
}

impl Lane {
    /// The `wait` for a side of the vector `ahead`.
    pub(super) fn wait(self, side: u32, walk: &[u32], ahead: u32) -> Op {
        Op::Wait(self.tag(side, walk, ahead))
    }

    /// A transfer of a part of a vector from L2BM to L1BM.
    pub(super) fn down(self, walk: &[u32], ahead: u32, number: u32) -> Op {
        Op::L2bm {
            op: L2bmOp::new(L2bmKind::Distribute),
            l2: self.l2bm(walk, ahead).beyond(number * TRANSFER.0),
            l1: self.l1bm(walk, ahead).beyond(number * TRANSFER.1),
        }
    }

    /// The same in a form: where several L1Bs get the same, a cycle. Parts are counted in L2BM and
    /// in L1BM.
    fn down_in(self, form: Form, walk: &[u32], ahead: u32, [from, to]: [u32; 2]) -> Op {
        let kind = match form {
            Form::SamePairs => L2bmKind::PairScatter,
            Form::SameL1bs => L2bmKind::Broadcast,
            _ => L2bmKind::Distribute,
        };
        let (l2, l1) = form.transfer();
        Op::L2bm {
            op: L2bmOp::new(kind),
            l2: self.l2bm(walk, ahead).beyond(from * l2),
            l1: self.l1bm(walk, ahead).beyond(to * l1),
        }
    }

    /// A transfer of a part of a vector from L1BM to L2BM.
    pub(super) fn up(self, walk: &[u32], ahead: u32, number: u32) -> Op {
        Op::L2bm {
            op: L2bmOp::new(L2bmKind::Collect),
            l2: self.l2bm(walk, ahead).beyond(number * TRANSFER.0),
            l1: self.l1bm(walk, ahead).beyond(number * TRANSFER.1),
        }
    }

    /// The transfer of a vector from PEs to L1BM.
    pub(super) fn collect(self, walk: &[u32], ahead: u32) -> Op {
        let up = L1bmOp::new(L1bmKind::Collect, false);
        Op::L1bm(up, self.l1bm(walk, ahead))
    }

    /// The items that put zeros where its vectors lie in L1BM.
    ///
    /// Of cycles that hold no columns nothing is moved. The matrix unit multiplies them all the
    /// same, and what there was before need not be numbers.
    pub(super) fn clear(self, body: &mut Body) {
        let zero = body.value(Width::Long, Home::Any);
        let op = Op::Alu(AluOp::new(AluKind::Zero, None), 0);
        body.push(op, Vec::new(), vec![zero.into()]);
        for slot in 0..L1BM_SLOTS {
            let up = L1bmOp::new(L1bmKind::Collect, false);
            let to = Address::fixed(self.l1bm + slot * L1BM_VECTOR);
            body.push(Op::L1bm(up, to), vec![zero.into()], Vec::new());
        }
    }

    /// The transfer of a vector from L1BM to PEs.
    pub(super) fn to_pes(self, walk: &[u32], ahead: u32) -> Op {
        let down = L1bmOp::new(L1bmKind::Distribute, false);
        Op::L1bm(down, self.l1bm(walk, ahead))
    }
}

/// One of the vectors that an iteration takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Turn {
    /// Its number.
    pub number: u32,
    /// Of how many.
    pub of: u32,
}

impl Turn {
    /// The only one.
    pub const ONLY: Turn = Turn { number: 0, of: 1 };

    /// All of so many.
    pub fn all(of: u32) -> impl Iterator<Item = Turn> {
        (0..of).map(move |number| Turn { number, of })
    }
}

/// How a transfer moves on from iteration to iteration: `parts` in `of` of them, from one of them
/// on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    pub parts: u32,
    pub of: u32,
    pub from: u32,
}

/// A transfer of parts that move on with some dimensions, of which an index is so many iterations.
pub(super) fn moving(mut transfer: Op, by: &[(usize, u32)], pace: Pace) -> Op {
    let Pace { parts, of, from } = pace;
    if let Op::L2bm { l2, l1, .. } = &mut transfer {
        for (address, part) in [(l2, TRANSFER.0), (l1, TRANSFER.1)] {
            if let Some(ring) = address.ring {
                address.base += ring - from * parts * part / of;
            }
            for &(dimension, count) in by {
                let steps = address.steps.len().max(dimension + 1);
                address.steps.resize(steps, 0);
                address.steps[dimension] += count * parts * part / of;
            }
        }
    }
    transfer
}

impl Vectors {
    /// The sides that MV instructions go to or come from one after the other.
    pub(super) fn sides(&self) -> &'static [u32] {
        if self.form.is_same() {
            &[0]
        } else {
            &[0, 1]
        }
    }

    /// Transfers between L2BM and L1BM for a vector.
    pub(super) fn transfers(&self) -> u32 {
        self.form.transfers(self.cycles)
    }

    /// A transfer of a part of the vector `ahead` from L2BM to L1BM.
    pub(super) fn down(&self, lane: Lane, walk: &[u32], ahead: u32, number: u32) -> Op {
        lane.down_in(self.form, walk, ahead, [number, number])
    }

    /// The parts of a vector in L2BM, and where each goes in L1BM: to other cycles, too, if those
    /// repeat.
    fn parts_down(&self) -> impl Iterator<Item = [u32; 2]> {
        let own = self.transfers();
        let all = if self.repeats_cycles {
            self.form.transfers(CYCLES)
        } else {
            own
        };
        (0..all).map(move |to| [to % own, to])
    }

    /// The MV instruction that brings a side of the vector `ahead` of an iteration, or takes one
    /// away.
    pub(super) fn r#move(
        &self,
        lane: Lane,
        outer: &Outer,
        walk: &[u32],
        side: u32,
        direction: Direction,
        ahead: u32,
    ) -> Op {
        let place = |memory, address, l2b| MovePlace {
            memory,
            address,
            group: None,
            l2b,
        };
        let same = self.form.is_same();
        let l2b = (!same).then_some(side as u8);
        let dram = place(MoveMemory::Dram, self.dram(outer, walk, ahead, side), None);
        let l2bm = place(MoveMemory::L2bm, lane.l2bm(walk, ahead), l2b);
        let (mode, source, target) = match direction {
            Direction::In if self.form == Form::SameL1bs => (MvMode::DramBroadcast4, dram, l2bm),
            Direction::In if same => (MvMode::DramBroadcast, dram, l2bm),
            Direction::In => (MvMode::DramToL2bmEach, dram, l2bm),
            Direction::Out if same => (MvMode::DramReduce, l2bm, dram),
            Direction::Out => (MvMode::L2bmToDramEach, l2bm, dram),
        };
        Op::Mv(Move {
            mode,
            // Of numbers that are the same everywhere.
            rrn: mode.reduces().then_some(SAME),
            words: self.words,
            tag: lane.tag(side, walk, ahead),
            source,
            target,
        })
    }

    /// What brings the first vector behind so many, before the loop.
    pub fn fetch(&self, body: &mut Body, lane: Lane, outer: &Outer, ahead: u32) {
        let walk = vec![0; body.dimensions()];
        for &side in self.sides() {
            let first = self.r#move(lane, outer, &walk, side, Direction::In, ahead);
            body.push(first, Vec::new(), Vec::new());
        }
    }

    /// The items that bring so many of the PEs' vectors in each iteration of a loop over all of
    /// them, and fetch the next: two if the vectors of any of its streams are two of theirs each.
    pub fn bring(&self, body: &mut Body, lane: Lane, outer: &Outer, width: u32) -> Vec<Operand> {
        let mut all = Vec::new();
        for turn in Turn::all(width / self.parts) {
            let value = body.value(Width::Long, Home::Any);
            self.bring_to(body, lane, outer, turn, value);
            all.extend(self.unpacked(body, value));
        }
        all
    }

    /// The PEs' vectors that one from DRAM is.
    pub fn unpacked(&self, body: &mut Body, value: impl Into<Operand>) -> Vec<Operand> {
        if self.parts == 1 {
            return vec![value.into()];
        }
        let both = from_bf16(body, value);
        both.into_iter().map(Operand::from).collect()
    }

    /// The items that bring one of the vectors of an iteration to a value or place, and fetch the
    /// one behind it.
    pub fn bring_to(
        &self,
        body: &mut Body,
        lane: Lane,
        outer: &Outer,
        turn: Turn,
        to: impl Into<Dest>,
    ) {
        let time = body.dimensions() - 1;
        let walk = body.along(turn.of);
        let Turn { number, of } = turn;
        for &side in self.sides() {
            let next = self.r#move(lane, outer, &walk, side, Direction::In, number + 1);
            let item = body.push(next, Vec::new(), Vec::new());
            if number + 1 == of {
                item.when.push(Guard {
                    dimension: time,
                    test: Test::Below(self.count / of - 1),
                });
            }
        }
        for &side in self.sides() {
            body.push(lane.wait(side, &walk, number), Vec::new(), Vec::new());
        }
        for parts in self.parts_down() {
            let down = lane.down_in(self.form, &walk, number, parts);
            body.push(down, Vec::new(), Vec::new());
        }
        body.push(lane.to_pes(&walk, number), Vec::new(), vec![to.into()]);
    }

    /// The vectors in DRAM that those of the PEs are.
    pub fn packed(&self, body: &mut Body, values: Vec<Operand>) -> Vec<(Turn, Operand)> {
        let of = values.len() as u32 / self.parts;
        let packed = match &values[..] {
            [upper, lower] if self.parts == 2 => to_bf16(body, upper, lower)
                .into_iter()
                .map(Operand::from)
                .collect(),
            _ => values,
        };
        Turn::all(of).zip(packed).collect()
    }

    /// The items that take the PEs' vectors of an iteration away, in each iteration of a loop over
    /// all of them.
    pub fn take(&self, body: &mut Body, lane: Lane, outer: &Outer, values: Vec<Operand>) {
        for (turn, value) in self.packed(body, values) {
            self.take_one(body, lane, outer, turn, value);
        }
    }

    /// The items that take one of the vectors of an iteration away, as it lies in DRAM.
    pub fn take_one(&self, body: &mut Body, lane: Lane, outer: &Outer, turn: Turn, value: Operand) {
        let walk = body.along(turn.of);
        let op = lane.collect(&walk, turn.number);
        body.push(op, vec![value], Vec::new());
        self.take_up(body, lane, outer, turn);
    }

    /// In how many pieces a vector leaves. Joined sums leave at once.
    fn pieces(&self, lane: Lane) -> u32 {
        match self.form {
            Form::Joined(..) => 1,
            _ => lane.pieces,
        }
    }

    /// The sides of all pieces, as tags count them.
    fn all_sides(&self, lane: Lane) -> impl Iterator<Item = u32> + '_ {
        let of_piece = move |piece| self.sides().iter().map(move |side| 2 * piece + side);
        (0..self.pieces(lane)).flat_map(of_piece)
    }

    /// The MV instruction that takes a side of a piece of a vector of an iteration away.
    fn away(
        &self,
        lane: Lane,
        outer: &Outer,
        walk: &[u32],
        number: u32,
        (piece, side): (u32, u32),
    ) -> Op {
        // Of each group's DRAM a quarter, where all L2Bs have the same.
        let groups = if self.form.is_same() { 4 } else { 1 };
        let mut away = self.r#move(lane, outer, walk, side, Direction::Out, number);
        if let Op::Mv(transfer) = &mut away {
            transfer.words /= self.pieces(lane);
            let words = transfer.words;
            transfer.tag = lane.tag(2 * piece + side, walk, number);
            transfer.source.address = transfer.source.address.clone().beyond(piece * words);
            transfer.target.address = transfer.target.address.clone().plus(piece * words / groups);
        }
        away
    }

    /// The items that take a vector of an iteration away from L1BM.
    pub fn take_up(&self, body: &mut Body, lane: Lane, outer: &Outer, turn: Turn) {
        let time = body.dimensions() - 1;
        let walk = body.along(turn.of);
        let Turn { number, of } = turn;
        for side in self.all_sides(lane) {
            let wait = lane.wait(side, &walk, number);
            body.push(wait, Vec::new(), Vec::new()).when.push(Guard {
                dimension: time,
                test: Test::From((lane.slots - number).div_ceil(of)),
            });
        }
        let ups = self.transfers() / self.pieces(lane);
        for piece in 0..self.pieces(lane) {
            for part in piece * ups..(piece + 1) * ups {
                body.push(lane.up(&walk, number, part), Vec::new(), Vec::new());
            }
            for &side in self.sides() {
                let away = self.away(lane, outer, &walk, number, (piece, side));
                body.push(away, Vec::new(), Vec::new());
            }
        }
    }

    /// What waits for the last vectors that were taken away, behind the loop.
    pub fn wait_last(&self, body: &mut Body, lane: Lane) {
        for vector in self.count.saturating_sub(lane.slots)..self.count {
            for side in self.all_sides(lane) {
                let tag = lane.tag(side, &[], vector);
                body.push(Op::Wait(tag), Vec::new(), Vec::new());
            }
        }
    }
}

impl Vectors {
    /// The same, of the block before, if there is one.
    pub fn wait_before(&self, body: &mut Body, lane: Lane, outer: &Outer, shape: &Shape) {
        let loops = outer.blocks(shape).into_iter();
        let loops = loops.filter_map(|(dimension, count)| Some((dimension?, count)));
        for guards in times::from(&loops.collect::<Vec<_>>(), 1) {
            let begin = body.items.len();
            self.wait_last(body, lane);
            for item in &mut body.items[begin..] {
                item.when.clone_from(&guards);
            }
        }
    }
}

/// Whether a stream goes to the PEs or comes from them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    In,
    Out,
}
