//! The accesses of a program in the order of its steps, on slots that change hands.
//!
//! Within a step, MV instructions are issued first, then `wait` holds it, then everything is read,
//! then everything is written. What is overwritten that a later loop reads is found by that read.

use tessera_pto::ring::{Owner, Slots};

use super::areas::Areas;
use super::numbers::{Numbers, Visit};
use super::reaches::{Followed, Reaches};
use super::{At, Content, LogError};
use crate::program::Prepared;
use tessera_mncore_ir::body::Body;
use tessera_mncore_ir::item::Op;

/// What was replayed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Replayed {
    /// Writes to a slot.
    pub writes: u64,
    /// Reads of a slot.
    pub reads: u64,
    /// MV instructions.
    pub moves: u64,
}

/// Replays a program; the first thing that is wrong, if anything is.
pub(crate) fn replay(nodes: &[Prepared]) -> Result<Replayed, Box<LogError>> {
    let mut parts = Vec::new();
    collect(nodes, &mut parts)?;
    let areas = Areas::new(parts.iter().flat_map(|part| {
        let items = part.reaches.items.iter().flatten();
        items.chain(&part.reaches.constants)
    }));
    let mut replay = Replay {
        areas,
        numbers: Numbers::default(),
        slots: Slots::new(0),
        uses: Vec::new(),
        moving: Vec::new(),
        replayed: Replayed::default(),
    };
    replay.all(nodes, &parts, &mut 0, &mut Vec::new())?;
    replay.end()
}

/// All loops, in order.
fn collect<'a>(nodes: &'a [Prepared], parts: &mut Vec<Followed<'a>>) -> Result<(), Box<LogError>> {
    for node in nodes {
        match node {
            Prepared::Repeat(_, nodes) => collect(nodes, parts)?,
            Prepared::Part(part, schedule) => parts.push(Followed {
                name: part.name.clone().into(),
                number: parts.len(),
                body: &part.body,
                schedule,
                reaches: Reaches::of(&part.body, schedule).map_err(LogError::from)?,
            }),
        }
    }
    Ok(())
}

/// How a slot is used.
#[derive(Clone, Copy, Debug, Default)]
struct Use {
    /// How often what it has was read.
    reads: u32,
    /// Whether an MV instruction moves something there.
    coming: bool,
}

/// An MV instruction under way.
struct Moving {
    tag: u32,
    at: At,
    visits: Vec<Visit>,
}

struct Replay {
    areas: Areas,
    numbers: Numbers,
    slots: Slots<()>,
    uses: Vec<Use>,
    moving: Vec<Moving>,
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
    fn all(
        &mut self,
        nodes: &[Prepared],
        parts: &[Followed],
        next: &mut usize,
        outer: &mut Vec<u32>,
    ) -> Result<(), Box<LogError>> {
        for node in nodes {
            match node {
                Prepared::Part(..) => {
                    self.part(&parts[*next], outer)?;
                    *next += 1;
                }
                Prepared::Repeat(count, nodes) => {
                    let first = *next;
                    for index in 0..*count {
                        *next = first;
                        outer.push(index);
                        self.all(nodes, parts, next, outer)?;
                        outer.pop();
                    }
                }
            }
        }
        Ok(())
    }

    /// A loop, in an iteration of those around it.
    fn part(&mut self, part: &Followed, outer: &[u32]) -> Result<(), Box<LogError>> {
        let Followed { body, schedule, .. } = part;
        let numbered = self.numbers.instance(&mut self.areas, part, outer);
        self.slots.grow(self.areas.len());
        self.uses.resize(self.areas.len(), Use::default());
        for &(slot, number) in &numbered.before {
            // What somebody put there is found by the read.
            let _ = self.slots.put(slot as usize, number, ());
        }
        let items = body.items.len() as u64;
        let load = Issued {
            item: usize::MAX,
            iteration: 0,
            step: 0,
        };
        for visit in &numbered.visits[..numbered.starts[0]] {
            self.write(load, visit)?;
        }
        let ii = u64::from(schedule.ii.max(1));
        let mut order: Vec<Vec<(u64, usize)>> = vec![Vec::new(); ii as usize];
        for (item, &at) in schedule.at.iter().enumerate() {
            order[(u64::from(at) % ii) as usize].push((u64::from(at) / ii, item));
        }
        let mut issued: Vec<(Issued, &[Visit])> = Vec::new();
        for step in 0..schedule.steps(body) {
            issued.clear();
            for &(stage, item) in &order[(step % ii) as usize] {
                let iteration = (step / ii).checked_sub(stage);
                let Some(iteration) = iteration.filter(|&n| n < body.iterations()) else {
                    continue;
                };
                let at = (iteration * items) as usize + item;
                let visits = &numbered.visits[numbered.starts[at]..numbered.starts[at + 1]];
                issued.push((
                    Issued {
                        item,
                        iteration,
                        step,
                    },
                    visits,
                ));
            }
            self.step(body, outer, &issued)?;
        }
        Ok(())
    }

    fn step(
        &mut self,
        body: &Body,
        outer: &[u32],
        issued: &[(Issued, &[Visit])],
    ) -> Result<(), Box<LogError>> {
        let mut index = Vec::new();
        let mut beside = false;
        for &(one, visits) in issued {
            let item = &body.items[one.item];
            beside |= matches!(item.op, Op::Wait(_));
            if let (Op::Mv(transfer), false) = (&item.op, visits.is_empty()) {
                place(body, outer, one.iteration, &mut index);
                self.issue(one, transfer.tag.at(&index), visits)?;
            }
        }
        for &(one, _) in issued.iter().filter(|_| beside) {
            let item = &body.items[one.item];
            if let Op::Wait(tag) = &item.op {
                place(body, outer, one.iteration, &mut index);
                if item.issues(&index) {
                    self.complete(tag.at(&index));
                }
            }
        }
        for write in [false, true] {
            for &(one, visits) in issued {
                if matches!(body.items[one.item].op, Op::Mv(_)) {
                    continue;
                }
                for visit in visits.iter().filter(|visit| visit.write == write) {
                    if write {
                        self.write(one, visit)?;
                    } else {
                        self.read(one, visit)?;
                        self.uses[visit.slot as usize].reads += 1;
                    }
                }
            }
        }
        Ok(())
    }

    /// An MV instruction: what it reads is read until its `wait`, what it writes is there from then
    /// on.
    fn issue(&mut self, issued: Issued, tag: u32, visits: &[Visit]) -> Result<(), Box<LogError>> {
        for visit in visits {
            if visit.write {
                self.write(issued, visit)?;
                self.uses[visit.slot as usize].coming = true;
            } else {
                self.read(issued, visit)?;
            }
        }
        self.replayed.moves += 1;
        self.moving.push(Moving {
            tag,
            at: self.at(issued),
            visits: visits.to_vec(),
        });
        Ok(())
    }

    fn complete(&mut self, tag: u32) {
        let uses = &mut self.uses;
        self.moving.retain(|moving| {
            let done = moving.tag == tag;
            for visit in moving.visits.iter().filter(|_| done) {
                let slot = &mut uses[visit.slot as usize];
                if visit.write {
                    slot.coming = false;
                } else {
                    slot.reads += 1;
                }
            }
            !done
        });
    }

    /// What is read must be there.
    fn read(&mut self, issued: Issued, visit: &Visit) -> Result<(), Box<LogError>> {
        self.is_still(issued, visit)?;
        self.replayed.reads += 1;
        let (slot, number) = (visit.slot as usize, visit.number);
        match self.slots.owner(slot) {
            Owner::Held(held) if held == number => Ok(()),
            _ => match self.slots.take(slot, number) {
                Ok(()) => Ok(()),
                Err(owner) => Err(Box::new(LogError::Lost {
                    at: self.at(issued),
                    step: issued.step,
                    slot: self.areas.slot(slot),
                    wanted: self.numbers.content(number),
                    found: self.content(owner),
                })),
            },
        }
    }

    /// What is written must be free: everything that reads what is there has done so.
    fn write(&mut self, issued: Issued, visit: &Visit) -> Result<(), Box<LogError>> {
        self.is_still(issued, visit)?;
        self.replayed.writes += 1;
        let slot = visit.slot as usize;
        let owner = self.slots.owner(slot);
        if let (Owner::Ready(number) | Owner::Held(number), 0) = (owner, self.left(slot)) {
            // Nobody reads it, or everybody has.
            let _ = self.slots.take(slot, number);
            let _ = self.slots.give(slot, number);
        }
        if let Err(owner) = self.slots.put(slot, visit.number, ()) {
            return Err(Box::new(LogError::Overwritten {
                at: self.at(issued),
                step: issued.step,
                slot: self.areas.slot(slot),
                found: self.content(owner),
                left: self.left(slot),
            }));
        }
        self.uses[slot] = Use::default();
        Ok(())
    }

    /// How often what a slot has is still to be read.
    fn left(&self, slot: usize) -> u32 {
        match self.slots.owner(slot) {
            Owner::Free => 0,
            Owner::Ready(number) | Owner::Held(number) => {
                self.numbers.reads[number as usize].saturating_sub(self.uses[slot].reads)
            }
        }
    }

    /// That no MV instruction moves something to a slot.
    fn is_still(&self, issued: Issued, visit: &Visit) -> Result<(), Box<LogError>> {
        if !self.uses[visit.slot as usize].coming {
            return Ok(());
        }
        let to = |moving: &&Moving| {
            let mut visits = moving.visits.iter();
            visits.any(|other| other.write && other.slot == visit.slot)
        };
        match self.moving.iter().find(to) {
            None => Ok(()),
            Some(moving) => Err(Box::new(LogError::UnderWay {
                at: self.at(issued),
                step: issued.step,
                slot: self.areas.slot(visit.slot as usize),
                mover: moving.at.clone(),
                tag: moving.tag,
            })),
        }
    }

    fn end(self) -> Result<Replayed, Box<LogError>> {
        match self.moving.into_iter().next() {
            None => Ok(self.replayed),
            Some(Moving { tag, at, .. }) => Err(Box::new(LogError::Unawaited { mover: at, tag })),
        }
    }

    fn at(&self, issued: Issued) -> At {
        self.numbers
            .at(self.numbers.last(), issued.item, issued.iteration)
    }

    fn content(&self, owner: Owner) -> Content {
        match owner {
            Owner::Free => Content::Initial,
            Owner::Ready(number) | Owner::Held(number) => self.numbers.content(number),
        }
    }
}

/// The index of an iteration.
fn place(body: &Body, outer: &[u32], iteration: u64, index: &mut Vec<u32>) {
    index.clear();
    index.extend_from_slice(outer);
    index.resize(body.dimensions(), 0);
    body.index_into(iteration, index);
}
