//! What must come how far after what.
//!
//! Places that items name are looked at in every iteration, word by word: who wrote a word last, who has read it since. What is found is a set
//! of [`Edge`]s: an item in iteration `n + distance` issues at least `steps` steps after another one in iteration `n`. How many steps
//! says the table of hazards of the ISA crate, asked about the two expressions. A memory that nobody writes costs nothing.
//!
//! A step reads everything before it writes anything, so what is read may be written in the same step. Two writes of a word are at least a step
//! apart; two steps if they come to an L1BM by ways of different length.
//!
//! MV instructions run beside the steps until the `wait` for their tag. They read and write their regions from their issue to that `wait`; to touch a
//! region meanwhile is an error of the body, not of a schedule. A `wait` for what was issued before the loop stands before everything behind it that
//! touches such memories.
//!
//! Values are not followed here: who writes and reads them is in the items.

use std::collections::{HashMap, HashSet};

use tessera_isa_mncore::check::hazard::{may_write, Effects, L1Kind};
use tessera_isa_mncore::memory::{CYCLES, L1BM_WORDS};
use thiserror::Error;

use crate::address::Address;
use crate::body::{indices, Body};
use crate::emit::{EmitError, Emitter, Reads};
use crate::item::{Dest, Item, Masking, Move, Op, Place, Source, Target};
use crate::probe;
use crate::regions::{self, Region};
use crate::schedule::Schedule;

/// An order of two items.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge {
    /// Who is first.
    pub from: usize,
    /// Who comes later.
    pub to: usize,
    /// By how many iterations.
    pub distance: u32,
    /// And by how many steps at least.
    pub steps: u32,
}

/// Why there is no order.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DependenceError {
    /// An item cannot be emitted.
    #[error(transparent)]
    Emit(#[from] EmitError),
    /// An item touches what an MV instruction still moves.
    #[error("item {item} touches {memory} {address}, which the MV instruction of item {mover} moves, in iteration {iteration}; put a `wait` for its tag before it")]
    UnderWay {
        /// Who touches it.
        item: usize,
        /// The memory.
        memory: &'static str,
        /// The first address of what both touch, in long words.
        address: u64,
        /// The MV instruction.
        mover: usize,
        /// The iteration of the item that touches it.
        iteration: u64,
    },
}

/// The edges of a body.
///
/// # Errors
/// See [`DependenceError`].
pub fn dependences(body: &Body) -> Result<Vec<Edge>, DependenceError> {
    let probe = probe::bare(body);
    let mut walk = Walk::new(body, &probe)?;
    if walk.is_needed() {
        let mut known = HashSet::new();
        for outer in indices(&body.outer) {
            if known.insert(walk.pattern(&outer)) {
                walk.all(&outer)?;
            }
        }
    }
    Ok(walk.edges())
}

/// Who touched a cell.
#[derive(Clone, Copy, Debug)]
struct Access {
    item: u32,
    iteration: u64,
    cycle: u8,
    /// The L1B, or the L2B, whose cell it is.
    set: u8,
    kind: Way,
}

/// How a cell is touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Plain,
    L1(L1Kind),
}

/// What is known of a word, or of a block of words.
#[derive(Clone, Debug, Default)]
struct Cell {
    writers: Vec<Access>,
    readers: Vec<Access>,
}

/// The memories that are followed.
const PE: usize = 4;
const MATRIX: usize = PE;
const L1BM: usize = PE + 2;
const SPACES: usize = L1BM + 1;
/// Rows of a matrix register.
const ROWS: u32 = 16;

/// A part of an access: an offset from its address, in a cycle.
#[derive(Clone, Copy, Debug)]
struct Part {
    offset: u32,
    cycle: u8,
}

/// What an item does to a memory.
#[derive(Clone, Debug)]
struct Touch {
    space: usize,
    address: Address,
    parts: Vec<Part>,
    write: bool,
    /// Whether everything is written for sure.
    whole: bool,
    set: u8,
    kind: Way,
}

/// Going through the iterations.
struct Walk<'a> {
    body: &'a Body,
    emitter: Emitter<'a>,
    touches: Vec<Vec<Touch>>,
    spaces: [Vec<Cell>; SPACES],
    /// Blocks of memories that MV instructions reach, and what is under way.
    blocks: HashMap<(regions::Memory, u64), Cell>,
    tags: HashMap<u32, Cell>,
    moving: Vec<Moving>,
    /// Of each item that waits for what was issued before the loop, the first time.
    earlier: Vec<Access>,
    has_moves: bool,
    /// Where the loops around are.
    outer: Vec<u32>,
    ties: Ties,
    found: Vec<Edge>,
}

/// How two items are tied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum TieKind {
    WriteRead,
    ReadWrite,
    WriteWrite,
    /// From a write to the MV instruction that reads it.
    WriteMove,
    /// From what comes before an MV instruction is issued: in another step.
    BeforeMove,
    /// From an MV instruction to its `wait`.
    MoveWait,
}

impl TieKind {
    const COUNT: usize = 6;
}

/// The least distance, in iterations, of each two items for each way in which they are tied.
struct Ties {
    items: usize,
    /// Of each two items, which of `least` is theirs; 0 is none.
    pairs: Vec<u32>,
    least: Vec<[u32; Ties::WAYS]>,
    /// Those that are nearer than what was known.
    fresh: Vec<(TieKind, Access, Access)>,
}

impl Ties {
    /// By how many cycles the later access of a step can be behind the earlier.
    const CYCLES: usize = 2 * CYCLES - 1;
    const WAYS: usize = TieKind::COUNT * Ties::CYCLES;

    fn new(items: usize) -> Self {
        Ties {
            items,
            pairs: vec![0; items * items],
            least: vec![[u32::MAX; Ties::WAYS]],
            fresh: Vec::new(),
        }
    }

    /// Notes that an access comes after another one.
    fn note(&mut self, kind: TieKind, before: &Access, after: &Access) {
        let apart = after.iteration - before.iteration;
        // What is as far apart as this is no matter of a schedule.
        let distance = u32::try_from(apart).unwrap_or(u32::MAX);
        if distance == 0 && before.item == after.item || distance == u32::MAX {
            return;
        }
        let pair = &mut self.pairs[before.item as usize * self.items + after.item as usize];
        if *pair == 0 {
            *pair = self.least.len() as u32;
            self.least.push([u32::MAX; Ties::WAYS]);
        }
        let cycles = usize::from(after.cycle) + CYCLES - 1 - usize::from(before.cycle);
        let least = &mut self.least[*pair as usize][kind as usize * Ties::CYCLES + cycles];
        if distance < *least {
            *least = distance;
            self.fresh.push((kind, *before, *after));
        }
    }
}

/// An MV instruction under way.
struct Moving {
    item: usize,
    tag: u32,
    reads: Vec<Region>,
    writes: Vec<Region>,
}

impl<'a> Walk<'a> {
    fn new(body: &'a Body, probe: &'a Schedule) -> Result<Self, DependenceError> {
        let emitter = Emitter::reading(body, probe, Reads::Forwards);
        let mut touches = Vec::with_capacity(body.items.len());
        for (number, item) in body.items.iter().enumerate() {
            touches.push(touches_of(item, &emitter, number)?);
        }
        let mut written = [false; SPACES];
        touches
            .iter()
            .flatten()
            .for_each(|touch| written[touch.space] |= touch.write);
        for of_item in &mut touches {
            of_item.retain(|touch| written[touch.space]);
        }
        let spaces = std::array::from_fn(|space| match written[space] {
            true => vec![Cell::default(); size_of_space(space) as usize],
            false => Vec::new(),
        });
        let moves = |item: &Item| matches!(item.op, Op::Mv(_) | Op::Wait(_));
        Ok(Walk {
            body,
            emitter,
            touches,
            spaces,
            blocks: HashMap::new(),
            tags: HashMap::new(),
            moving: Vec::new(),
            earlier: Vec::new(),
            has_moves: body.items.iter().any(moves) || writes_l2bm(body),
            outer: vec![0; body.outer.len()],
            ties: Ties::new(body.items.len()),
            found: Vec::new(),
        })
    }

    fn is_needed(&self) -> bool {
        self.has_moves || self.touches.iter().any(|touches| !touches.is_empty())
    }

    /// What an iteration of the loops around has to do with the order of items: which conditions hold, and by how much addresses have moved.
    /// Addresses around the same ring, or without one, that move together stay as they are to one another.
    fn pattern(&self, outer: &[u32]) -> Vec<u64> {
        let guards = self.body.items.iter().flat_map(|item| &item.when);
        let guards = guards.filter(|guard| guard.dimension < outer.len());
        let mut pattern: Vec<u64> = guards.map(|guard| guard.holds(outer).into()).collect();
        let moved = |address: &Address| {
            let steps = address.steps.iter().zip(outer);
            let sum: u64 = steps
                .map(|(&step, &at)| u64::from(step) * u64::from(at))
                .sum();
            sum % address.ring.map_or(u64::MAX, u64::from)
        };
        let mut first: HashMap<usize, (Option<u32>, u32, u64)> = HashMap::new();
        for touch in self.touches.iter().flatten() {
            let (ring, offset) = (touch.address.ring, touch.address.offset);
            let now = moved(&touch.address);
            let (first_ring, first_offset, start) =
                *first.entry(touch.space).or_insert((ring, offset, now));
            let size = u64::from(ring.unwrap_or(size_of_space(touch.space)));
            match ring == first_ring && (ring.is_none() || offset == first_offset) {
                true => pattern.push((now % size + size - start % size) % size),
                // Not of one kind: how far each has moved by itself.
                false => pattern.extend([now, start]),
            }
        }
        if self.has_moves {
            for item in &self.body.items {
                match &item.op {
                    Op::Mv(transfer) => pattern.extend(
                        [
                            &transfer.source.address,
                            &transfer.target.address,
                            &transfer.tag,
                        ]
                        .map(moved),
                    ),
                    Op::L2bm { l2, .. } => pattern.push(moved(l2)),
                    Op::Wait(tag) => pattern.push(moved(tag)),
                    _ => {}
                }
            }
        }
        pattern
    }

    /// Goes through all iterations in one of the loops around. Nothing is known of what was before.
    fn all(&mut self, outer: &[u32]) -> Result<(), DependenceError> {
        let body = self.body;
        for space in &mut self.spaces {
            space.iter_mut().for_each(|cell| *cell = Cell::default());
        }
        self.blocks.clear();
        self.tags.clear();
        self.moving.clear();
        self.earlier.clear();
        let mut index = outer.to_vec();
        index.resize(body.dimensions(), 0);
        self.outer = outer.to_vec();
        for iteration in 0..body.iterations() {
            body.index_into(iteration, &mut index);
            for (number, item) in body.items.iter().enumerate() {
                if !item.issues(&index) {
                    continue;
                }
                for of_item in 0..self.touches[number].len() {
                    self.touch(number, of_item, iteration, &index)?;
                }
                if self.has_moves {
                    self.beside(number, item, iteration, &index)?;
                }
            }
        }
        Ok(())
    }

    /// An access to a PE memory, a matrix register or an L1BM. Reads of an item stand before its writes.
    fn touch(
        &mut self,
        number: usize,
        which: usize,
        iteration: u64,
        index: &[u32],
    ) -> Result<(), DependenceError> {
        let touch = &self.touches[number][which];
        let size = size_of_space(touch.space);
        let address = touch.address.at(index);
        let cells = &mut self.spaces[touch.space];
        let ties = &mut self.ties;
        for part in &touch.parts {
            let cell = &mut cells[((address + part.offset) % size) as usize];
            let access = Access {
                item: number as u32,
                iteration,
                cycle: part.cycle,
                set: touch.set,
                kind: touch.kind,
            };
            let mut tie = |kind, before: &Access| ties.note(kind, before, &access);
            if touch.write {
                cell.written(access, touch.whole, &mut tie);
            } else {
                cell.read(access, &mut tie);
            }
        }
        self.measure()
    }

    /// What `wait`, MV instructions and transfers of L2BM do to the memories that MV instructions reach.
    fn beside(
        &mut self,
        number: usize,
        item: &Item,
        iteration: u64,
        index: &[u32],
    ) -> Result<(), DependenceError> {
        let access = Access {
            item: number as u32,
            iteration,
            cycle: 0,
            set: 0xff,
            kind: Way::Plain,
        };
        match &item.op {
            Op::Mv(transfer) => self.issue(number, transfer, access, index),
            Op::Wait(tag) => self.complete(tag.at(index), access),
            Op::L2bm { op, l2, .. } => {
                let Some((region, write)) = regions::of_l2bm(op, l2.at(index)) else {
                    return Ok(());
                };
                self.is_still(number, iteration, &region, write)?;
                self.mark(&region, access, write, false)
            }
            _ => Ok(()),
        }
    }

    /// An MV instruction is issued.
    fn issue(
        &mut self,
        number: usize,
        transfer: &Move,
        access: Access,
        index: &[u32],
    ) -> Result<(), DependenceError> {
        let (reads, writes) = regions::of_move(transfer, index);
        for region in &reads {
            self.is_still(number, access.iteration, region, false)?;
            self.mark(region, access, false, true)?;
        }
        for region in &writes {
            self.is_still(number, access.iteration, region, true)?;
            self.mark(region, access, true, true)?;
        }
        let tag = transfer.tag.at(index);
        let cell = self.tags.entry(tag).or_default();
        // Those that waited for the last MV instruction of this tag.
        for reader in &cell.readers {
            self.ties.note(TieKind::BeforeMove, reader, &access);
        }
        cell.writers.retain(|writer| writer.item != access.item);
        cell.writers.push(access);
        self.measure()?;
        self.moving.push(Moving {
            item: number,
            tag,
            reads,
            writes,
        });
        Ok(())
    }

    /// A `wait`: what its tag moves is there.
    fn complete(&mut self, tag: u32, access: Access) -> Result<(), DependenceError> {
        let cell = self.tags.entry(tag).or_default();
        let writers = std::mem::take(&mut cell.writers);
        cell.readers.retain(|reader| reader.item != access.item);
        cell.readers.push(access);
        for before in &writers {
            self.ties.note(TieKind::MoveWait, before, &access);
        }
        let (done, moving) = std::mem::take(&mut self.moving)
            .into_iter()
            .partition(|moving| moving.tag == tag);
        self.moving = moving;
        let done: Vec<Moving> = done;
        let known = self.earlier.iter().any(|other| other.item == access.item);
        if done.is_empty() && !known {
            self.earlier.push(access);
        }
        for moved in done {
            for region in &moved.reads {
                self.mark(region, access, false, false)?;
            }
            for region in &moved.writes {
                self.mark(region, access, true, false)?;
            }
        }
        Ok(())
    }

    /// That no MV instruction under way is in the way.
    fn is_still(
        &self,
        item: usize,
        iteration: u64,
        region: &Region,
        write: bool,
    ) -> Result<(), DependenceError> {
        for moving in &self.moving {
            let borrowed = moving.reads.iter().filter(|_| write);
            for other in moving.writes.iter().chain(borrowed) {
                if let Some(address) = region.meets(other) {
                    return Err(DependenceError::UnderWay {
                        item,
                        memory: region.memory.name(),
                        address,
                        mover: moving.item,
                        iteration,
                    });
                }
            }
        }
        Ok(())
    }

    /// An access to a region that MV instructions reach.
    fn mark(
        &mut self,
        region: &Region,
        access: Access,
        write: bool,
        by_move: bool,
    ) -> Result<(), DependenceError> {
        let access = Access {
            set: region.set,
            ..access
        };
        // What was issued before the loop may have moved this.
        let kind = if by_move {
            TieKind::BeforeMove
        } else {
            TieKind::MoveWait
        };
        for waited in &self.earlier {
            self.ties.note(kind, waited, &access);
        }
        let ties = &mut self.ties;
        for block in region.blocks() {
            let cell = self.blocks.entry((region.memory, block)).or_default();
            let mut tie = |kind, before: &Access| {
                let kind = match (by_move, kind) {
                    (false, kind) => kind,
                    (true, TieKind::WriteRead) => TieKind::WriteMove,
                    (true, _) => TieKind::BeforeMove,
                };
                ties.note(kind, before, &access);
            };
            if write {
                cell.written(access, true, &mut tie);
            } else {
                cell.read(access, &mut tie);
            }
        }
        self.measure()
    }

    /// Asks how many steps the ties are that are nearer than those known.
    fn measure(&mut self) -> Result<(), DependenceError> {
        while let Some((kind, before, after)) = self.ties.fresh.pop() {
            let waited = matches!(self.body.items[before.item as usize].op, Op::Wait(_));
            let steps = match kind {
                TieKind::ReadWrite | TieKind::MoveWait => 0,
                // A `wait` holds its own step.
                TieKind::WriteRead if waited => 0,
                TieKind::WriteWrite if before.kind != after.kind => 2,
                TieKind::WriteWrite | TieKind::BeforeMove => 1,
                TieKind::WriteRead | TieKind::WriteMove => self.latency(before, after)?.max(1),
            };
            self.found.push(Edge {
                from: before.item as usize,
                to: after.item as usize,
                distance: (after.iteration - before.iteration) as u32,
                steps,
            });
        }
        Ok(())
    }

    /// How many steps a read comes after a write.
    fn latency(&self, before: Access, after: Access) -> Result<u32, DependenceError> {
        let earlier = self.effects(before)?;
        let later = self.effects(after)?;
        Ok(later.least_distance(&earlier))
    }

    fn effects(&self, access: Access) -> Result<Effects, DependenceError> {
        let mut index = self.outer.clone();
        index.resize(self.body.dimensions(), 0);
        self.body.index_into(access.iteration, &mut index);
        probe::effects(&self.emitter, access.item as usize, &index).map_err(DependenceError::Emit)
    }

    /// What was found, without what follows from the rest.
    fn edges(&self) -> Vec<Edge> {
        let mut edges = self.found.clone();
        edges.sort_unstable();
        // Of the same pair, one that is as near and asks for as much is enough.
        let mut kept: Vec<Edge> = Vec::with_capacity(edges.len());
        for edge in edges {
            let covered = kept
                .iter()
                .rev()
                .take_while(|k| k.from == edge.from && k.to == edge.to);
            let mut covered =
                covered.filter(|k| k.distance <= edge.distance && k.steps >= edge.steps);
            if covered.next().is_some() {
                continue;
            }
            kept.retain(|k| {
                (k.from, k.to, k.distance) != (edge.from, edge.to, edge.distance)
                    || k.steps > edge.steps
            });
            kept.push(edge);
        }
        kept
    }
}

impl Cell {
    /// A read: it comes after those who wrote.
    fn read(&mut self, access: Access, tie: &mut impl FnMut(TieKind, &Access)) {
        for writer in &self.writers {
            if writer.set & access.set != 0 {
                tie(TieKind::WriteRead, writer);
            }
        }
        // The latest read of an item is the one that a write must wait for longest.
        match self.readers.iter_mut().find(|r| r.item == access.item) {
            Some(reader) => *reader = access,
            None => self.readers.push(access),
        }
    }

    /// A write: it comes after those who read and wrote.
    fn written(&mut self, access: Access, whole: bool, tie: &mut impl FnMut(TieKind, &Access)) {
        for reader in &self.readers {
            if reader.set & access.set != 0 {
                tie(TieKind::ReadWrite, reader);
            }
        }
        for writer in &self.writers {
            if writer.set & access.set != 0 {
                tie(TieKind::WriteWrite, writer);
            }
        }
        if whole {
            self.readers.retain(|reader| reader.set & !access.set != 0);
            self.writers.retain(|writer| writer.set & !access.set != 0);
        }
        self.writers
            .retain(|writer| writer.item != access.item || writer.set != access.set);
        self.writers.push(access);
    }
}

/// The cells of a memory.
fn size_of_space(space: usize) -> u32 {
    match space {
        L1BM => L1BM_WORDS,
        MATRIX.. => ROWS,
        _ => u32::from(tessera_isa_mncore::memory::Bank::ALL[space].words()),
    }
}

/// Whether transfers of L2BM write and read it: then they are tied without MV instructions, too.
fn writes_l2bm(body: &Body) -> bool {
    body.items.iter().any(|item| match &item.op {
        Op::L2bm { op, l2, .. } => {
            let region = regions::of_l2bm(op, l2.base);
            region.is_some_and(|(_, write)| write)
        }
        _ => false,
    })
}

/// What an item does to the memories that are followed, reads first.
fn touches_of(
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
    let words = may_write(mask, place.width);
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
fn matrix(side: usize, rows: std::ops::Range<u32>, write: bool) -> Touch {
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
    let touch = |access: &tessera_isa_mncore::check::hazard::L1Access| {
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
