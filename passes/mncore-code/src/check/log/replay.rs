//! Replay: applies the accesses of a program to its slots in the order of scheduled steps.
//!
//! Within a step, MV instructions issue first, then `wait` stalls, then all reads take place, then
//! all writes. Content that is overwritten too early across loops is detected at its read.

use tessera_pto::ring::{Owner, Slots};

use super::accesses::{AccessTable, LoopAccesses};
use super::slot_map::SlotMap;
use super::write_numbering::{SlotAccess, WriteNumbering};
use super::{Content, ItemInstance, LogError};
use crate::ir::prepared::Prepared;
use tessera_mncore_ir::body::Body;
use tessera_mncore_ir::item::Op;

/// Statistics of a replay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Replayed {
    /// Writes to a slot.
    pub writes: u64,
    /// Reads of a slot.
    pub reads: u64,
    /// MV instructions issued.
    pub moves: u64,
}

/// Replays a program; returns the first violation as an error.
pub(crate) fn replay(nodes: &[Prepared]) -> Result<Replayed, Box<LogError>> {
    let mut parts = Vec::new();
    collect(nodes, &mut parts)?;
    let slot_map = SlotMap::new(parts.iter().flat_map(|part| {
        let items = part.accesses.items.iter().flatten();
        items.chain(&part.accesses.constants)
    }));
    let mut replay = Replay {
        slot_map,
        numbers: WriteNumbering::default(),
        slots: Slots::new(0),
        uses: Vec::new(),
        moving: Vec::new(),
        replayed: Replayed::default(),
    };
    replay.replay_nodes(nodes, &parts, &mut 0, &mut Vec::new())?;
    replay.end()
}

/// Collects all loops in order.
fn collect<'a>(
    nodes: &'a [Prepared],
    parts: &mut Vec<LoopAccesses<'a>>,
) -> Result<(), Box<LogError>> {
    for node in nodes {
        match node {
            Prepared::Repeat(_, nodes) => collect(nodes, parts)?,
            Prepared::Loop(part, schedule) => parts.push(LoopAccesses {
                name: part.name.clone().into(),
                number: parts.len(),
                body: &part.body,
                schedule,
                accesses: AccessTable::new(&part.body, schedule).map_err(LogError::from)?,
            }),
        }
    }
    Ok(())
}

/// The state of a slot besides its owner.
#[derive(Clone, Copy, Debug, Default)]
struct SlotUse {
    /// How often its content was read.
    reads: u32,
    /// Whether it is the target of an MV instruction in flight.
    is_move_target: bool,
}

/// An MV instruction in flight.
struct InFlightMove {
    tag: u32,
    at: ItemInstance,
    slot_accesses: Vec<SlotAccess>,
}

struct Replay {
    slot_map: SlotMap,
    numbers: WriteNumbering,
    slots: Slots<()>,
    uses: Vec<SlotUse>,
    moving: Vec<InFlightMove>,
    replayed: Replayed,
}

/// An item that issues in a step.
#[derive(Clone, Copy)]
struct Issued {
    item: usize,
    iteration: u64,
    step: u64,
}

impl Replay {
    fn replay_nodes(
        &mut self,
        nodes: &[Prepared],
        parts: &[LoopAccesses],
        next: &mut usize,
        outer: &mut Vec<u32>,
    ) -> Result<(), Box<LogError>> {
        for node in nodes {
            match node {
                Prepared::Loop(..) => {
                    self.replay_loop(&parts[*next], outer)?;
                    *next += 1;
                }
                Prepared::Repeat(count, nodes) => {
                    let first = *next;
                    for index in 0..*count {
                        *next = first;
                        outer.push(index);
                        self.replay_nodes(nodes, parts, next, outer)?;
                        outer.pop();
                    }
                }
            }
        }
        Ok(())
    }

    /// Replays a loop in one iteration of the loops around it.
    fn replay_loop(&mut self, part: &LoopAccesses, outer: &[u32]) -> Result<(), Box<LogError>> {
        let LoopAccesses { body, schedule, .. } = part;
        let numbered = self.numbers.instance(&mut self.slot_map, part, outer);
        self.slots.grow(self.slot_map.len());
        self.uses.resize(self.slot_map.len(), SlotUse::default());
        for &(slot, number) in &numbered.before {
            // A failure shows up at the read.
            let _ = self.slots.write(slot as usize, number, ());
        }
        let items = body.items.len() as u64;
        let load = Issued {
            item: usize::MAX,
            iteration: 0,
            step: 0,
        };
        for slot_access in &numbered.slot_accesses[..numbered.starts[0]] {
            self.write(load, slot_access)?;
        }
        let ii = u64::from(schedule.ii.max(1));
        let mut order: Vec<Vec<(u64, usize)>> = vec![Vec::new(); ii as usize];
        for (item, &at) in schedule.at.iter().enumerate() {
            order[(u64::from(at) % ii) as usize].push((u64::from(at) / ii, item));
        }
        let mut issued: Vec<(Issued, &[SlotAccess])> = Vec::new();
        for step in 0..schedule.steps(body) {
            issued.clear();
            for &(stage, item) in &order[(step % ii) as usize] {
                let iteration = (step / ii).checked_sub(stage);
                let Some(iteration) = iteration.filter(|&n| n < body.iterations()) else {
                    continue;
                };
                let at = (iteration * items) as usize + item;
                let slot_accesses =
                    &numbered.slot_accesses[numbered.starts[at]..numbered.starts[at + 1]];
                issued.push((
                    Issued {
                        item,
                        iteration,
                        step,
                    },
                    slot_accesses,
                ));
            }
            self.replay_step(body, outer, &issued)?;
        }
        Ok(())
    }

    fn replay_step(
        &mut self,
        body: &Body,
        outer: &[u32],
        issued: &[(Issued, &[SlotAccess])],
    ) -> Result<(), Box<LogError>> {
        let mut index = Vec::new();
        let mut beside = false;
        for &(one, slot_accesses) in issued {
            let item = &body.items[one.item];
            beside |= matches!(item.op, Op::Wait(_));
            if let (Op::Mv(transfer), false) = (&item.op, slot_accesses.is_empty()) {
                place(body, outer, one.iteration, &mut index);
                self.issue(one, transfer.tag.eval(&index), slot_accesses)?;
            }
        }
        for &(one, _) in issued.iter().filter(|_| beside) {
            let item = &body.items[one.item];
            if let Op::Wait(tag) = &item.op {
                place(body, outer, one.iteration, &mut index);
                if item.issues(&index) {
                    self.complete(tag.eval(&index));
                }
            }
        }
        for write in [false, true] {
            for &(one, slot_accesses) in issued {
                if matches!(body.items[one.item].op, Op::Mv(_)) {
                    continue;
                }
                for slot_access in slot_accesses
                    .iter()
                    .filter(|slot_access| slot_access.write == write)
                {
                    if write {
                        self.write(one, slot_access)?;
                    } else {
                        self.read(one, slot_access)?;
                        self.uses[slot_access.slot as usize].reads += 1;
                    }
                }
            }
        }
        Ok(())
    }

    /// Replays the issue of an MV instruction, and checks its source and its target at that time.
    /// The source counts as read, and the target as accessible, from the `wait` on.
    fn issue(
        &mut self,
        issued: Issued,
        tag: u32,
        slot_accesses: &[SlotAccess],
    ) -> Result<(), Box<LogError>> {
        for slot_access in slot_accesses {
            if slot_access.write {
                self.write(issued, slot_access)?;
                self.uses[slot_access.slot as usize].is_move_target = true;
            } else {
                self.read(issued, slot_access)?;
            }
        }
        self.replayed.moves += 1;
        self.moving.push(InFlightMove {
            tag,
            at: self.instance(issued),
            slot_accesses: slot_accesses.to_vec(),
        });
        Ok(())
    }

    /// Completes the MV instructions with a tag.
    fn complete(&mut self, tag: u32) {
        let uses = &mut self.uses;
        self.moving.retain(|moving| {
            let done = moving.tag == tag;
            for slot_access in moving.slot_accesses.iter().filter(|_| done) {
                let slot = &mut uses[slot_access.slot as usize];
                if slot_access.write {
                    slot.is_move_target = false;
                } else {
                    slot.reads += 1;
                }
            }
            !done
        });
    }

    /// Checks that a read finds its write.
    fn read(&mut self, issued: Issued, slot_access: &SlotAccess) -> Result<(), Box<LogError>> {
        self.check_not_in_flight(issued, slot_access)?;
        self.replayed.reads += 1;
        let (slot, number) = (slot_access.slot as usize, slot_access.number);
        match self.slots.owner(slot) {
            Owner::Held(held) if held == number => Ok(()),
            _ => match self.slots.claim(slot, number) {
                Ok(()) => Ok(()),
                Err(owner) => Err(Box::new(LogError::Lost {
                    at: self.instance(issued),
                    step: issued.step,
                    slot: self.slot_map.slot(slot),
                    wanted: self.numbers.content(number),
                    found: self.content(owner),
                })),
            },
        }
    }

    /// Checks that a written slot is free: all reads of its content have taken place.
    fn write(&mut self, issued: Issued, slot_access: &SlotAccess) -> Result<(), Box<LogError>> {
        self.check_not_in_flight(issued, slot_access)?;
        self.replayed.writes += 1;
        let slot = slot_access.slot as usize;
        let owner = self.slots.owner(slot);
        if let (Owner::Ready(number) | Owner::Held(number), 0) = (owner, self.left(slot)) {
            // Nothing reads it any more.
            let _ = self.slots.claim(slot, number);
            let _ = self.slots.release(slot, number);
        }
        if let Err(owner) = self.slots.write(slot, slot_access.number, ()) {
            return Err(Box::new(LogError::Overwritten {
                at: self.instance(issued),
                step: issued.step,
                slot: self.slot_map.slot(slot),
                found: self.content(owner),
                left: self.left(slot),
            }));
        }
        self.uses[slot] = SlotUse::default();
        Ok(())
    }

    /// Returns the number of outstanding reads of a slot's content.
    fn left(&self, slot: usize) -> u32 {
        match self.slots.owner(slot) {
            Owner::Free => 0,
            Owner::Ready(number) | Owner::Held(number) => {
                self.numbers.reads[number as usize].saturating_sub(self.uses[slot].reads)
            }
        }
    }

    /// Checks that no MV instruction in flight writes the slot.
    fn check_not_in_flight(
        &self,
        issued: Issued,
        slot_access: &SlotAccess,
    ) -> Result<(), Box<LogError>> {
        if !self.uses[slot_access.slot as usize].is_move_target {
            return Ok(());
        }
        let to = |moving: &&InFlightMove| {
            let mut slot_accesses = moving.slot_accesses.iter();
            slot_accesses.any(|other| other.write && other.slot == slot_access.slot)
        };
        match self.moving.iter().find(to) {
            None => Ok(()),
            Some(moving) => Err(Box::new(LogError::InFlight {
                at: self.instance(issued),
                step: issued.step,
                slot: self.slot_map.slot(slot_access.slot as usize),
                mover: moving.at.clone(),
                tag: moving.tag,
            })),
        }
    }

    fn end(self) -> Result<Replayed, Box<LogError>> {
        match self.moving.into_iter().next() {
            None => Ok(self.replayed),
            Some(InFlightMove { tag, at, .. }) => {
                Err(Box::new(LogError::Unawaited { mover: at, tag }))
            }
        }
    }

    fn instance(&self, issued: Issued) -> ItemInstance {
        self.numbers
            .item_instance(self.numbers.last(), issued.item, issued.iteration)
    }

    fn content(&self, owner: Owner) -> Content {
        match owner {
            Owner::Free => Content::Initial,
            Owner::Ready(number) | Owner::Held(number) => self.numbers.content(number),
        }
    }
}

/// Computes the index of an iteration.
fn place(body: &Body, outer: &[u32], iteration: u64, index: &mut Vec<u32>) {
    index.clear();
    index.extend_from_slice(outer);
    index.resize(body.dimensions(), 0);
    body.index_into(iteration, index);
}
