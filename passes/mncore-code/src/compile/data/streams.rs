//! Streams of vectors between DRAM and the PEs.
//!
//! A load moves a vector by MV from DRAM to L2BM, by `l2bmd` to the L1BMs, and by `l1bmd` to the
//! PEs. A store takes the reverse path. Streams are multiply buffered, so that transfers overlap
//! computation: each has at least two slots in L2BM and four in L1BM. Tags rotate with the slots of
//! L2BM.

use tessera_isa_mncore::memory::{Precision, Width};
use tessera_isa_mncore::table::l1bm::L1bmKind;
use tessera_isa_mncore::table::l2bm::{L1bSet, L2bmKind};
use tessera_isa_mncore::table::{AluKind, AluOp, L1bmOp, L2bmOp, MvMode, Rrn, RrnKind};

use super::distribution::Distribution;
use super::geometry::{CYCLES, L1BM_VECTOR, L1BS, L2BM_VECTOR, TRANSFER};
use super::guards::{guards_from, Guards};
use super::outer_loops::{scaled, OuterLoops};
use super::vector_layout::VectorLayout;
use super::vectors::TensorVectors;
use crate::compile::scratchpad::{self, Region};
use crate::functions::{from_bf16, to_bf16};
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::{Body, Home};
use tessera_mncore_ir::item::{Dest, Guard, Move, MoveMemory, MovePlace, Op, Operand, Test};

/// Slots of L1BM for the vectors of one direction.
const L1BM_SLOTS: u32 = 4;

/// The reduction operation for identical copies: it preserves them.
const SAME: Rrn = Rrn {
    precision: Precision::Long,
    kind: RrnKind::BitOr,
};

/// The buffers and tags of a stream. Concurrent streams need different stream buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StreamBuffer {
    /// Its first address in L2BM.
    l2bm: u32,
    /// Slots in L2BM and tags per side, and long words per slot.
    slots: u32,
    vector: u32,
    /// Its first address in L1BM, long words per slot there, and slots.
    l1bm: u32,
    l1bm_vector: u32,
    l1bm_slots: u32,
    /// Its first tag.
    tag: u32,
    /// Pieces in which a vector is stored, so that the first need not wait for all of it in L2BM.
    pieces: u32,
}

/// Number of double-buffered stream buffers: in all, and those that leave room for the row side of
/// a product.
pub(crate) const STREAM_BUFFERS: u32 = scratchpad::STREAMS.slots(STREAM_BUFFER);
pub(crate) const STREAM_BUFFERS_OF_PRODUCT: u32 = scratchpad::PRODUCT_STREAMS.end() / STREAM_BUFFER;
/// Long words of L2BM of each, and its tags.
const STREAM_BUFFER: u32 = 2 * L2BM_VECTOR;
const STREAM_BUFFER_TAGS: u32 = 4;
/// Maximum number of tensors that a group without a product streams.
pub const MAX_STREAMS: usize = STREAM_BUFFERS as usize - 1;
/// Maximum number of tensors that a group with a product streams, besides the factors.
pub const MAX_STREAMS_OF_PRODUCT: usize = STREAM_BUFFERS_OF_PRODUCT as usize - 1;

// L1BM and the tags have room for as many slots as L2BM.
const _: () = {
    let of_columns = StreamBuffer::wide(scratchpad::COLUMN_STREAM_ALONE);
    let of_pairs = StreamBuffer::wide_of_pairs(scratchpad::COLUMN_STREAM);
    let of_l1bs = StreamBuffer::wide_of_l1bs(scratchpad::COLUMN_STREAM);
    assert!(STREAM_BUFFERS * L1BM_SLOTS * L1BM_VECTOR <= scratchpad::STREAMS_L1BM.words);
    assert!(STREAM_BUFFERS * STREAM_BUFFER_TAGS <= scratchpad::STREAM_TAGS.words);
    assert!(of_columns.slots <= scratchpad::COLUMN_TAGS.words);
    assert!(of_pairs.slots <= scratchpad::COLUMN_TAGS.words);
    assert!(of_l1bs.slots <= scratchpad::COLUMN_TAGS_OF_L1BS.words);
    // Two sides of two pieces.
    assert!(4 * StreamBuffer::separate().slots <= scratchpad::RESULT_TAGS.words);
};

impl StreamBuffer {
    /// Returns one of the double-buffered stream buffers.
    pub(crate) const fn numbered(number: u32) -> Self {
        StreamBuffer {
            l2bm: scratchpad::STREAMS.start + number * STREAM_BUFFER,
            slots: 2,
            vector: L2BM_VECTOR,
            l1bm: scratchpad::STREAMS_L1BM.start + number * L1BM_SLOTS * L1BM_VECTOR,
            l1bm_vector: L1BM_VECTOR,
            l1bm_slots: L1BM_SLOTS,
            tag: scratchpad::STREAM_TAGS.start + number * STREAM_BUFFER_TAGS,
            pieces: 1,
        }
    }

    /// Returns the stream buffer of a product's column side, with slots for vectors in this region
    /// of L2BM. It takes the place of numbered ones.
    pub(crate) const fn wide(region: Region) -> Self {
        StreamBuffer::of_columns(region, L2BM_VECTOR, scratchpad::COLUMN_TAGS)
    }

    /// Returns the same for vectors that both L1Bs of a pair receive.
    pub(crate) const fn wide_of_pairs(region: Region) -> Self {
        StreamBuffer::of_columns(region, L2BM_VECTOR / 2, scratchpad::COLUMN_TAGS)
    }

    /// Returns the same for vectors that all L1Bs receive. These are short, so there are many
    /// slots, which have tags of their own.
    pub(crate) const fn wide_of_l1bs(region: Region) -> Self {
        let tags = scratchpad::COLUMN_TAGS_OF_L1BS;
        StreamBuffer::of_columns(region, L2BM_VECTOR / L1BS, tags)
    }

    const fn of_columns(region: Region, vector: u32, tags: Region) -> Self {
        StreamBuffer {
            l2bm: region.start,
            slots: region.slots(vector),
            vector,
            l1bm: scratchpad::COLUMN_STREAM_L1BM.start,
            l1bm_vector: L1BM_VECTOR,
            l1bm_slots: scratchpad::COLUMN_STREAM_L1BM.slots(L1BM_VECTOR),
            tag: tags.start,
            pieces: 1,
        }
    }

    /// Returns the stream buffer of a product's results, which is disjoint from all others.
    pub(crate) const fn separate() -> Self {
        StreamBuffer {
            l2bm: scratchpad::RESULTS.start,
            slots: scratchpad::RESULTS.slots(L2BM_VECTOR),
            vector: L2BM_VECTOR,
            l1bm: scratchpad::RESULTS_L1BM.start,
            l1bm_vector: L1BM_VECTOR,
            l1bm_slots: scratchpad::RESULTS_L1BM.slots(L1BM_VECTOR),
            tag: scratchpad::RESULT_TAGS.start,
            pieces: 1,
        }
    }

    /// Returns a stream buffer for pieces of vectors, with as many slots as there are tags. Its
    /// L1BM space stays the same.
    pub(crate) const fn with_piece_slots(self, words: u32) -> Self {
        /// Tags per vector slot of a side.
        const TAGS: u32 = 2;
        let of_vector = self.vector / words;
        let slots = if of_vector < TAGS { of_vector } else { TAGS } * self.slots;
        StreamBuffer {
            slots,
            vector: words,
            l1bm_vector: self.l1bm_vector / of_vector,
            l1bm_slots: self.l1bm_slots * of_vector,
            ..self
        }
    }

    /// Returns the same stream buffer with vectors stored in two pieces.
    pub(crate) const fn with_two_pieces(self) -> Self {
        StreamBuffer { pieces: 2, ..self }
    }

    /// Returns the first address in L2BM.
    pub(crate) const fn first(self) -> u32 {
        self.l2bm
    }

    /// Returns the number of slots in L2BM.
    pub(crate) const fn slots(self) -> u32 {
        self.slots
    }

    /// Returns the number of slots in L1BM.
    pub(crate) const fn l1bm_slots(self) -> u32 {
        self.l1bm_slots
    }

    /// Returns the address in L2BM of the vector `ahead`.
    fn l2bm(self, steps: &[u32], ahead: u32) -> Address {
        Address::affine(ahead * self.vector, &scaled(steps, self.vector))
            .with_ring(self.l2bm, self.slots * self.vector)
    }

    /// Returns the address in L1BM of the vector `ahead`.
    fn l1bm(self, steps: &[u32], ahead: u32) -> Address {
        Address::affine(ahead * self.l1bm_vector, &scaled(steps, self.l1bm_vector))
            .with_ring(self.l1bm, self.l1bm_slots * self.l1bm_vector)
    }

    /// Returns the tag of the MV instructions for one side of a vector or piece; sides of pieces
    /// are numbered `2 · piece + side`.
    fn tag(self, side: u32, steps: &[u32], ahead: u32) -> Address {
        Address::affine(ahead, steps).with_ring(self.tag + side * self.slots, self.slots)
    }
}

impl StreamBuffer {
    /// Returns the `wait` for a side of the vector `ahead`.
    pub(crate) fn wait(self, side: u32, walk: &[u32], ahead: u32) -> Op {
        Op::Wait(self.tag(side, walk, ahead))
    }

    /// Returns the transfer of a part of a vector from L2BM to L1BM.
    pub(crate) fn down(self, walk: &[u32], ahead: u32, number: u32) -> Op {
        Op::L2bm {
            op: L2bmOp::new(L2bmKind::Distribute),
            l2: self.l2bm(walk, ahead).offset_by(number * TRANSFER.0),
            l1: self.l1bm(walk, ahead).offset_by(number * TRANSFER.1),
        }
    }

    /// Returns the transfer of a part of a vector between L2BM and L1BM.
    fn transfer_part(self, kind: L2bmKind, walk: &[u32], ahead: u32, part: VectorPart) -> Op {
        Op::L2bm {
            op: L2bmOp {
                set: part.l1bs,
                ..L2bmOp::new(kind)
            },
            l2: self.l2bm(walk, ahead).offset_by(part.l2),
            l1: self.l1bm(walk, ahead).offset_by(part.l1),
        }
    }

    /// Returns the transfer of a part of a vector from L1BM to L2BM, for vectors that are
    /// distributed over L1Bs.
    pub(crate) fn up(self, walk: &[u32], ahead: u32, number: u32) -> Op {
        let part = VectorPart {
            l2: number * TRANSFER.0,
            l1: number * TRANSFER.1,
            l1bs: L1bSet::ALL,
        };
        self.transfer_part(L2bmKind::Collect, walk, ahead, part)
    }

    /// Returns the transfer of a vector from PEs to L1BM.
    pub(crate) fn collect(self, walk: &[u32], ahead: u32) -> Op {
        let up = L1bmOp::new(L1bmKind::Collect, false);
        Op::L1bm(up, self.l1bm(walk, ahead))
    }

    /// Emits items that zero the stream's slots in L1BM.
    ///
    /// Cycles without columns are not transferred. The matrix unit multiplies them nevertheless,
    /// and previous contents might not be numbers.
    pub(crate) fn clear(self, body: &mut Body) {
        let zero = body.value(Width::Long, Home::Any);
        let op = Op::Alu(AluOp::new(AluKind::Zero, None), 0);
        body.push(op, Vec::new(), vec![zero.into()]);
        for slot in 0..L1BM_SLOTS {
            let up = L1bmOp::new(L1bmKind::Collect, false);
            let to = Address::fixed(self.l1bm + slot * L1BM_VECTOR);
            body.push(Op::L1bm(up, to), vec![zero.into()], Vec::new());
        }
    }

    /// Returns the transfer of a vector from L1BM to PEs.
    pub(crate) fn to_pes(self, walk: &[u32], ahead: u32) -> Op {
        let down = L1bmOp::new(L1bmKind::Distribute, false);
        Op::L1bm(down, self.l1bm(walk, ahead))
    }
}

/// A part of a vector that one instruction transfers between L2BM and L1BM: its first long word in
/// each, and the L1Bs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct VectorPart {
    l2: u32,
    l1: u32,
    l1bs: L1bSet,
}

/// A vector among those that an iteration handles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct VectorIndex {
    /// Its index.
    pub number: u32,
    /// The number of vectors per iteration.
    pub count: u32,
}

impl VectorIndex {
    /// The only vector of an iteration.
    pub const ONLY: VectorIndex = VectorIndex {
        number: 0,
        count: 1,
    };

    /// Returns all vectors of an iteration.
    pub fn all(of: u32) -> impl Iterator<Item = VectorIndex> {
        (0..of).map(move |number| VectorIndex { number, count: of })
    }
}

/// The rate at which a transfer advances: `parts` every `of` iterations, starting with iteration
/// `from`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PartRate {
    pub parts: u32,
    pub of: u32,
    pub from: u32,
}

/// Makes a transfer advance with some dimensions, each index of which counts as a number of
/// iterations.
pub(crate) fn advance_parts(mut transfer: Op, by: &[(usize, u32)], pace: PartRate) -> Op {
    let PartRate { parts, of, from } = pace;
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

impl TensorVectors {
    /// Returns the sides of a group that MV instructions address in turn.
    pub(crate) fn sides(&self) -> &'static [u32] {
        if self.vector_layout.is_same_in_groups() {
            &[0]
        } else {
            &[0, 1]
        }
    }

    /// Returns the transfers between L2BM and L1BM for a vector.
    pub(crate) fn transfers(&self) -> u32 {
        self.vector_layout.transfers(self.cycles)
    }

    /// Returns the transfer of a part of the vector `ahead` from L2BM to L1BM.
    pub(crate) fn down(&self, buffer: StreamBuffer, walk: &[u32], ahead: u32, number: u32) -> Op {
        self.load_part(buffer, walk, ahead, self.own_part(number))
    }

    /// Returns the transfer of a part of the vector `ahead` from L2BM to L1BM.
    fn load_part(&self, buffer: StreamBuffer, walk: &[u32], ahead: u32, part: VectorPart) -> Op {
        let kind = match self.vector_layout {
            VectorLayout::ReplicatedInPairs => L2bmKind::PairScatter,
            VectorLayout::ReplicatedOverL1bs
            | VectorLayout::ReplicatedInGroups
            | VectorLayout::SharedColumnsOverGroups
            | VectorLayout::ColumnsOverGroups => L2bmKind::Broadcast,
            _ => L2bmKind::Distribute,
        };
        buffer.transfer_part(kind, walk, ahead, part)
    }

    /// Returns the transfer of a part of the vector `ahead` from L1BM to L2BM.
    fn store_part(&self, buffer: StreamBuffer, walk: &[u32], ahead: u32, number: u32) -> Op {
        let part = self.own_part(number);
        let (kind, l1bs) = match self.vector_layout {
            VectorLayout::ColumnsOverGroups => (L2bmKind::Pick, part.l1bs),
            // All have the same.
            VectorLayout::SharedColumnsOverGroups => (L2bmKind::Pick, L1bSet::new(0, 0)),
            _ => (L2bmKind::Collect, part.l1bs),
        };
        buffer.transfer_part(kind, walk, ahead, VectorPart { l1bs, ..part })
    }

    /// Returns how many L1Bs, or sets of them, parts address in turn.
    fn l1b_sets(&self) -> u32 {
        match self.vector_layout {
            VectorLayout::ColumnsOverGroups => L1BS,
            _ => 1,
        }
    }

    /// Returns the part of a vector with this number in L2BM, for `cycles` of an L1B or a set.
    fn part(&self, number: u32, l1b: u32, cycles: u32) -> VectorPart {
        let (l2, l1) = self.vector_layout.transfer();
        VectorPart {
            l2: number * l2,
            l1: cycles * l1,
            l1bs: match self.l1b_sets() {
                1 => L1bSet::ALL,
                _ => L1bSet::new(l1b as u8, 0),
            },
        }
    }

    /// Returns the part of a vector with this number, at its own cycles.
    fn own_part(&self, number: u32) -> VectorPart {
        let own = self.transfers() / self.l1b_sets();
        self.part(number, number / own, number % own)
    }

    /// Returns the parts of a vector that is loaded. Repeated cycles are loaded several times.
    fn loaded_parts(&self) -> impl Iterator<Item = VectorPart> + '_ {
        let sets = self.l1b_sets();
        let own = self.transfers() / sets;
        let all = if self.repeats_cycles {
            self.vector_layout.transfers(CYCLES) / sets
        } else {
            own
        };
        (0..sets)
            .flat_map(move |set| (0..all).map(move |to| self.part(set * own + to % own, set, to)))
    }

    /// Returns the MV instruction that loads or stores a side of the vector `ahead` of an
    /// iteration.
    pub(crate) fn transfer(
        &self,
        buffer: StreamBuffer,
        outer: &OuterLoops,
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
        let same = self.vector_layout.is_same();
        let in_groups = !same && self.vector_layout.is_same_in_groups();
        let one = !same && (!in_groups || direction == Direction::Out);
        let l2b = one.then_some(side as u8);
        let dram = place(MoveMemory::Dram, self.dram(outer, walk, ahead, side), None);
        let l2bm = place(MoveMemory::L2bm, buffer.l2bm(walk, ahead), l2b);
        let (mode, source, target) = match direction {
            Direction::In if self.vector_layout == VectorLayout::ReplicatedOverL1bs => {
                (MvMode::DramBroadcast4, dram, l2bm)
            }
            Direction::In if in_groups => (MvMode::DramBroadcast2, dram, l2bm),
            Direction::In if same => (MvMode::DramBroadcast, dram, l2bm),
            Direction::In => (MvMode::DramToL2bmEach, dram, l2bm),
            Direction::Out if same => (MvMode::DramReduce, l2bm, dram),
            Direction::Out => (MvMode::L2bmToDramEach, l2bm, dram),
        };
        Op::Mv(Move {
            mode,
            // All copies are equal.
            rrn: mode.reduces().then_some(SAME),
            words: self.words,
            tag: buffer.tag(side, walk, ahead),
            source,
            target,
        })
    }

    /// Emits the MV instructions for the vector `ahead` of the first iteration, before the loop.
    pub fn prefetch(&self, body: &mut Body, buffer: StreamBuffer, outer: &OuterLoops, ahead: u32) {
        let walk = vec![0; body.dimensions()];
        for &side in self.sides() {
            let first = self.transfer(buffer, outer, &walk, side, Direction::In, ahead);
            body.push(first, Vec::new(), Vec::new());
        }
    }

    /// Emits the items that load `width` vectors in each iteration of a loop over all of them, and
    /// prefetch the next. With `width` 2 a packed vector is unpacked.
    pub fn load(
        &self,
        body: &mut Body,
        buffer: StreamBuffer,
        outer: &OuterLoops,
        width: u32,
    ) -> Vec<Operand> {
        let mut all = Vec::new();
        for turn in VectorIndex::all(width / self.parts) {
            let value = body.value(Width::Long, Home::Any);
            self.load_to(body, buffer, outer, turn, value);
            all.extend(self.unpack(body, value));
        }
        all
    }

    /// Emits the items that load `width` vectors in each iteration from a buffer in which other
    /// loops fetch all vectors of a block.
    pub fn load_fetched(&self, body: &mut Body, buffer: StreamBuffer, width: u32) -> Vec<Operand> {
        let mut all = Vec::new();
        for turn in VectorIndex::all(width / self.parts) {
            let value = body.value(Width::Long, Home::Any);
            self.load_to_pes(body, buffer, turn, value);
            all.extend(self.unpack(body, value));
        }
        all
    }

    /// Emits the MV instructions for all vectors of a block, whose address in DRAM is `block`
    /// further on than that of the first one.
    pub fn fetch_block(
        &self,
        body: &mut Body,
        buffer: StreamBuffer,
        block: &Address,
        when: &[Guard],
    ) {
        for ahead in 0..self.count {
            for &side in self.sides() {
                let none = OuterLoops::default();
                let mut fetch = self.transfer(buffer, &none, &[], side, Direction::In, ahead);
                if let Op::Mv(transfer) = &mut fetch {
                    let source = &mut transfer.source.address;
                    *source = block.clone().advanced_by(source.base);
                }
                let item = body.push(fetch, Vec::new(), Vec::new());
                item.when = when.to_vec();
            }
        }
    }

    /// Unpacks a vector from DRAM into those of the PEs.
    pub fn unpack(&self, body: &mut Body, value: impl Into<Operand>) -> Vec<Operand> {
        if self.parts == 1 {
            return vec![value.into()];
        }
        let both = from_bf16(body, value);
        both.into_iter().map(Operand::from).collect()
    }

    /// Emits the items that load one vector of an iteration to a value or memory, and prefetch the
    /// next one.
    pub fn load_to(
        &self,
        body: &mut Body,
        buffer: StreamBuffer,
        outer: &OuterLoops,
        turn: VectorIndex,
        to: impl Into<Dest>,
    ) {
        let time = body.dimensions() - 1;
        let walk = body.innermost_steps(turn.count);
        let VectorIndex { number, count: of } = turn;
        for &side in self.sides() {
            let next = self.transfer(buffer, outer, &walk, side, Direction::In, number + 1);
            let item = body.push(next, Vec::new(), Vec::new());
            if number + 1 == of {
                item.when.push(Guard {
                    dimension: time,
                    test: Test::Below(self.count / of - 1),
                });
            }
        }
        self.load_to_pes(body, buffer, turn, to);
    }

    /// Emits the items that wait for a vector of an iteration and load it to a value or memory.
    fn load_to_pes(
        &self,
        body: &mut Body,
        buffer: StreamBuffer,
        VectorIndex { number, count }: VectorIndex,
        to: impl Into<Dest>,
    ) {
        let walk = body.innermost_steps(count);
        for &side in self.sides() {
            body.push(buffer.wait(side, &walk, number), Vec::new(), Vec::new());
        }
        for part in self.loaded_parts() {
            let down = self.load_part(buffer, &walk, number, part);
            body.push(down, Vec::new(), Vec::new());
        }
        body.push(buffer.to_pes(&walk, number), Vec::new(), vec![to.into()]);
    }

    /// Packs vectors of the PEs into those in DRAM.
    pub fn pack(&self, body: &mut Body, values: Vec<Operand>) -> Vec<(VectorIndex, Operand)> {
        let of = values.len() as u32 / self.parts;
        let packed = match &values[..] {
            [upper, lower] if self.parts == 2 => to_bf16(body, upper, lower)
                .into_iter()
                .map(Operand::from)
                .collect(),
            _ => values,
        };
        VectorIndex::all(of).zip(packed).collect()
    }

    /// Emits the items that store the vectors of an iteration, in a loop over all of them.
    pub fn store(
        &self,
        body: &mut Body,
        buffer: StreamBuffer,
        outer: &OuterLoops,
        values: Vec<Operand>,
    ) {
        for (turn, value) in self.pack(body, values) {
            self.store_vector(body, buffer, outer, turn, value);
        }
    }

    /// Emits the items that store one vector of an iteration, already packed.
    pub fn store_vector(
        &self,
        body: &mut Body,
        buffer: StreamBuffer,
        outer: &OuterLoops,
        turn: VectorIndex,
        value: Operand,
    ) {
        let walk = body.innermost_steps(turn.count);
        let op = buffer.collect(&walk, turn.number);
        body.push(op, vec![value], Vec::new());
        self.store_from_l1bm(body, buffer, outer, turn);
    }

    /// Returns the pieces in which a vector is stored. Reduced sums are stored at once.
    fn pieces(&self, buffer: StreamBuffer) -> u32 {
        match self.vector_layout {
            VectorLayout::ReducedSums(..) => 1,
            _ => buffer.pieces,
        }
    }

    /// Returns the sides of all pieces, numbered as for tags.
    fn all_sides(&self, buffer: StreamBuffer) -> impl Iterator<Item = u32> + '_ {
        let of_piece = move |piece| self.sides().iter().map(move |side| 2 * piece + side);
        (0..self.pieces(buffer)).flat_map(of_piece)
    }

    /// Returns the MV instruction that stores a side of a piece of a vector.
    fn store_piece(
        &self,
        buffer: StreamBuffer,
        outer: &OuterLoops,
        walk: &[u32],
        number: u32,
        (piece, side): (u32, u32),
    ) -> Op {
        // A vector shared by all L2Bs has a quarter in each group's DRAM.
        let groups = if self.vector_layout.is_same() { 4 } else { 1 };
        let mut away = self.transfer(buffer, outer, walk, side, Direction::Out, number);
        if let Op::Mv(transfer) = &mut away {
            transfer.words /= self.pieces(buffer);
            let words = transfer.words;
            transfer.tag = buffer.tag(2 * piece + side, walk, number);
            transfer.source.address = transfer.source.address.clone().offset_by(piece * words);
            transfer.target.address = transfer
                .target
                .address
                .clone()
                .advanced_by(piece * words / groups);
        }
        away
    }

    /// Emits the items that store a vector of an iteration from L1BM to DRAM.
    pub fn store_from_l1bm(
        &self,
        body: &mut Body,
        buffer: StreamBuffer,
        outer: &OuterLoops,
        turn: VectorIndex,
    ) {
        let time = body.dimensions() - 1;
        let walk = body.innermost_steps(turn.count);
        let VectorIndex { number, count: of } = turn;
        for side in self.all_sides(buffer) {
            let wait = buffer.wait(side, &walk, number);
            body.push(wait, Vec::new(), Vec::new()).when.push(Guard {
                dimension: time,
                test: Test::From((buffer.slots - number).div_ceil(of)),
            });
        }
        let ups = self.transfers() / self.pieces(buffer);
        for piece in 0..self.pieces(buffer) {
            for part in piece * ups..(piece + 1) * ups {
                let up = self.store_part(buffer, &walk, number, part);
                body.push(up, Vec::new(), Vec::new());
            }
            for &side in self.sides() {
                let away = self.store_piece(buffer, outer, &walk, number, (piece, side));
                body.push(away, Vec::new(), Vec::new());
            }
        }
    }

    /// Emits the `wait`s for the last stored vectors, after the loop.
    pub fn wait_for_last(&self, body: &mut Body, buffer: StreamBuffer) {
        for vector in self.count.saturating_sub(buffer.slots)..self.count {
            for side in self.all_sides(buffer) {
                let tag = buffer.tag(side, &[], vector);
                body.push(Op::Wait(tag), Vec::new(), Vec::new());
            }
        }
    }
}

impl TensorVectors {
    /// Emits the `wait`s for the previous block's last vectors, if there was a block.
    pub fn wait_for_previous_block(
        &self,
        body: &mut Body,
        buffer: StreamBuffer,
        outer: &OuterLoops,
        distribution: &Distribution,
    ) {
        for guards in previous_blocks(outer, distribution) {
            let begin = body.items.len();
            self.wait_for_last(body, buffer);
            for item in &mut body.items[begin..] {
                item.when.clone_from(&guards);
            }
        }
    }

    /// Emits the `wait`s for the previous block's last vectors, if there was a block, in the
    /// iterations of a loop that reuse their slots, before it stores `width` vectors in each.
    pub fn wait_before_reuse(
        &self,
        body: &mut Body,
        buffer: StreamBuffer,
        (outer, distribution): (&OuterLoops, &Distribution),
        width: u32,
    ) {
        let time = body.dimensions() - 1;
        let befores = previous_blocks(outer, distribution);
        for VectorIndex { number, count } in VectorIndex::all(width / self.parts) {
            let walk = body.innermost_steps(count);
            let is_first_use = Guard {
                dimension: time,
                test: Test::Below((buffer.slots.saturating_sub(number)).div_ceil(count)),
            };
            for before in &befores {
                for side in self.all_sides(buffer) {
                    let wait = buffer.wait(side, &walk, number);
                    let item = body.push(wait, Vec::new(), Vec::new());
                    item.when = [&before[..], &[is_first_use]].concat();
                }
            }
        }
    }
}

/// Returns the guards, in disjunction, for blocks with one before them.
fn previous_blocks(outer: &OuterLoops, distribution: &Distribution) -> Vec<Guards> {
    let loops = outer.blocks(distribution).into_iter();
    let loops = loops.filter_map(|(dimension, count)| Some((dimension?, count)));
    guards_from(&loops.collect::<Vec<_>>(), 1)
}

/// The direction of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    In,
    Out,
}
