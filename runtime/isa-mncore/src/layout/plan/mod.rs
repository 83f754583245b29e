//! Transfer plans: the cheapest chain of instructions that takes a tensor from one layout to
//! another.
//!
//! A plan is a list of legs ([`Leg`]), grouped into phases: where a memory in between has no room
//! for all of the tensor, the legs on its two sides take turns, round by round. The cost counts
//! cycles as the instruction table gives them, every instruction alone: what overlaps, and the
//! waits between dependent instructions, is the scheduler's. No plan shuffles inside the PEs but by
//! matrix registers, and none uses the MAU or the ALU.
//!
//! [`Planner::plan`] knows both ends. [`Planner::feed`] knows what a kernel needs and declares the
//! layout in DRAM or PDM, to which the host packs; [`Planner::drain`] knows what a kernel leaves
//! and declares the layout there.
//!
//! ```
//! use tessera_isa_mncore::layout::plan::{Planner, Region, ScratchRegions};
//! use tessera_isa_mncore::layout::{Layout, Memory};
//!
//! let kernel: Layout = "k:(w:2,p:4,a:8) n:(a:4,m:16,b:8) @LM0+0, rep(g,c)".parse().unwrap();
//! let mut planner = Planner::default();
//! let found = planner.feed(&kernel, Region::all(Memory::Dram), &ScratchRegions::between()).unwrap();
//! let (dram, plan) = &*found;
//! assert_eq!(dram.to_string(), "k:(w:2,a:4*1,a:8*512) n:(a:4*128,a:2*4,a:8*16,a:2*8,g:4) @DRAM+0");
//! assert_eq!(plan.to_string(), "DRAM mvb L2BM l2bmd L1BM l1bmd LM0: 200 steps");
//! assert_eq!(plan.instructions().next().unwrap().to_string(), "mvb/n16384 $d0 $lc0");
//! ```

mod open;
mod route;
mod search;
mod state;
#[cfg(test)]
mod tests;
mod way;

use std::collections::HashMap;
use std::fmt::{self, Display, Formatter};
use std::rc::Rc;

use super::emit::Instruction;
use super::leg::{Leg, Stage};
use super::mover::{Level, TransferOp};
use super::place::Memory;
use super::{Bit, Layout, LayoutError};
use crate::memory::{Side, CYCLES};
use crate::table::Rrn;

/// Long words that a plan may use on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Region {
    /// The memory.
    pub memory: Memory,
    /// The first long word.
    pub base: u32,
    /// How many.
    pub words: u32,
}

impl Region {
    /// All of a memory.
    pub fn all(memory: Memory) -> Region {
        Region {
            memory,
            base: 0,
            words: memory.words(),
        }
    }
}

impl Region {
    /// The larger part of it beside a layout.
    fn beside(self, layout: &Layout) -> Region {
        let (base, end) = (self.base, self.base + self.words);
        let first = layout.base();
        // Every instruction's addresses are multiples of this or of less.
        let unit = if self.memory.level() == Level::Pe {
            2
        } else {
            512
        };
        let next = (first + layout.words() as u32).next_multiple_of(unit);
        if layout.memory() != self.memory || next <= base || end <= first {
            return self;
        }
        let (below, above) = (first.saturating_sub(base), end.saturating_sub(next));
        if below >= above {
            return Region {
                words: below,
                ..self
            };
        }
        Region {
            base: next,
            words: above,
            ..self
        }
    }
}

/// What a plan may use on its way, one room of each memory at most. Of a room in which an end of
/// the plan lies the larger part beside it is used.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ScratchRegions(Vec<Region>);

impl ScratchRegions {
    /// These rooms.
    pub fn new(rooms: &[Region]) -> ScratchRegions {
        ScratchRegions(rooms.to_vec())
    }

    /// L2BM, L1BM and a matrix register, all of them.
    pub fn between() -> ScratchRegions {
        ScratchRegions::new(&[Memory::L2bm, Memory::L1bm, Memory::Matrix(Side::X)].map(Region::all))
    }

    /// These and another one.
    #[must_use]
    pub fn and(mut self, room: Region) -> ScratchRegions {
        self.0.push(room);
        self
    }

    fn of(&self, level: Level) -> impl Iterator<Item = Region> + '_ {
        let rooms = self.0.iter().copied();
        rooms.filter(move |room| room.memory.level() == level)
    }
}

/// Why there is no plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// Different tensors.
    #[error("{from} and {to} are layouts of different tensors: dimensions and width of elements must agree")]
    Tensors {
        /// The source.
        from: String,
        /// The target.
        to: String,
    },
    /// A room that is no part of its memory, or one too many.
    #[error("the room of {words} long words of {memory} from {base} on {what}")]
    Region {
        /// The memory.
        memory: Memory,
        /// The first long word.
        base: u32,
        /// How many.
        words: u32,
        /// What is wrong with it.
        what: &'static str,
    },
    /// No chain of instructions.
    #[error("no chain of up to {legs} transfers takes {from} to {to}: {hint}")]
    None {
        /// The source.
        from: String,
        /// The target.
        to: String,
        /// The longest chain that was tried.
        legs: usize,
        /// What may help.
        hint: &'static str,
    },
    /// A layout that came out wrong.
    #[error(transparent)]
    Layout(#[from] LayoutError),
}

/// Legs that take turns, round by round.
#[derive(Clone, Debug)]
pub struct Phase {
    legs: Vec<Leg>,
    /// How often: two to the number of outer index bits.
    rounds: u64,
}

impl Phase {
    /// The legs, in order.
    pub fn legs(&self) -> &[Leg] {
        &self.legs
    }

    /// How many rounds there are.
    pub fn rounds(&self) -> u64 {
        self.rounds
    }

    /// The instructions, in order.
    pub fn instructions(&self) -> impl Iterator<Item = Instruction> + '_ {
        (0..self.rounds).flat_map(|round| {
            let legs = self.legs.iter();
            legs.flat_map(move |leg| leg.instructions(round))
        })
    }
}

/// A chain of transfers.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    phases: Vec<Phase>,
    cycles: u64,
}

impl Plan {
    /// The phases, in order.
    pub fn phases(&self) -> &[Phase] {
        &self.phases
    }

    /// The legs of all phases.
    pub fn legs(&self) -> impl Iterator<Item = &Leg> {
        self.phases.iter().flat_map(|phase| &phase.legs)
    }

    /// What its instructions take, one after the other.
    pub fn cycles(&self) -> u64 {
        self.cycles
    }

    /// The same in steps, rounded up.
    pub fn steps(&self) -> u64 {
        self.cycles.div_ceil(CYCLES as u64)
    }

    /// The instructions, in order.
    pub fn instructions(&self) -> impl Iterator<Item = Instruction> + '_ {
        self.phases.iter().flat_map(Phase::instructions)
    }

    /// The long words that are touched of a memory, from the base of the layout or room on: those
    /// of the plan's ends may be more than the layout has, since instructions move rows whole.
    pub fn words(&self, memory: Memory) -> u64 {
        let ends = self.legs().flat_map(|leg| {
            let [read, write] = leg.words();
            [(leg.from().memory, read), (leg.to().memory, write)]
        });
        ends.filter(|end| end.0 == memory)
            .map(|end| end.1)
            .max()
            .unwrap_or(0)
    }
}

impl Display for Plan {
    /// The chain, such as `DRAM mvb L2BM l2bmd L1BM l1bmd LM0: 3200 steps`.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut legs = self.legs().peekable();
        if let Some(first) = legs.peek() {
            write!(f, "{}", first.from().memory)?;
        }
        for leg in legs {
            write!(f, " {} {}", leg.mover().name(), leg.to().memory)?;
        }
        write!(f, ": {} steps", self.steps())
    }
}

/// What a plan is kept by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    Plan(Layout, Layout, ScratchRegions, Option<Rrn>),
    Feed(Layout, Region, ScratchRegions),
    Drain(Layout, Region, ScratchRegions, Option<Rrn>),
}

/// Finds plans, and keeps them.
#[derive(Clone, Debug, Default)]
pub struct Planner {
    known: HashMap<Key, Rc<(Layout, Plan)>>,
}

impl Planner {
    /// The cheapest way from one layout to another; `rrn` is what partial sums are summed with.
    ///
    /// # Errors
    /// Layouts of different tensors, rooms that are taken, and where there is no way.
    pub fn plan(
        &mut self,
        from: &Layout,
        to: &Layout,
        rooms: &ScratchRegions,
        rrn: Option<Rrn>,
    ) -> Result<Rc<(Layout, Plan)>, PlanError> {
        let key = Key::Plan(from.clone(), to.clone(), rooms.clone(), rrn);
        self.known(key, || {
            same_tensor(from, to)?;
            let rooms = free(rooms, &[from, to])?;
            let plan = search::between(from, to, &rooms, rrn)?;
            Ok((to.clone(), plan))
        })
    }

    /// The cheapest way to a layout from the memory of `source`, in whose room the tensor then
    /// lies; and the layout it has there.
    ///
    /// # Errors
    /// ScratchRegions that are taken, and where there is no way.
    pub fn feed(
        &mut self,
        to: &Layout,
        source: Region,
        rooms: &ScratchRegions,
    ) -> Result<Rc<(Layout, Plan)>, PlanError> {
        self.known(Key::Feed(to.clone(), source, rooms.clone()), || {
            open::backward(to, source, &free(rooms, &[to])?)
        })
    }

    /// The cheapest way from a layout to the memory of `target`, and the layout the tensor has
    /// there. Partial sums are summed with `rrn`.
    ///
    /// # Errors
    /// ScratchRegions that are taken, and where there is no way.
    pub fn drain(
        &mut self,
        from: &Layout,
        target: Region,
        rooms: &ScratchRegions,
        rrn: Option<Rrn>,
    ) -> Result<Rc<(Layout, Plan)>, PlanError> {
        self.known(Key::Drain(from.clone(), target, rooms.clone(), rrn), || {
            open::forward(from, target, &free(rooms, &[from])?, rrn)
        })
    }

    fn known(
        &mut self,
        key: Key,
        find: impl FnOnce() -> Result<(Layout, Plan), PlanError>,
    ) -> Result<Rc<(Layout, Plan)>, PlanError> {
        if let Some(found) = self.known.get(&key) {
            return Ok(found.clone());
        }
        let found = Rc::new(find()?);
        self.known.insert(key, found.clone());
        Ok(found)
    }
}

/// Whether two layouts are of the same tensor.
fn same_tensor(from: &Layout, to: &Layout) -> Result<(), PlanError> {
    let dims = |layout: &Layout| -> Vec<(String, u64)> {
        layout
            .dims()
            .iter()
            .map(|dim| (dim.name.clone(), dim.extent))
            .collect()
    };
    if from.element() == to.element() && dims(from) == dims(to) {
        return Ok(());
    }
    Err(PlanError::Tensors {
        from: from.to_string(),
        to: to.to_string(),
    })
}

/// The parts of the rooms in which none of the layouts lies.
fn free(rooms: &ScratchRegions, layouts: &[&Layout]) -> Result<ScratchRegions, PlanError> {
    for (number, room) in rooms.0.iter().enumerate() {
        let end = u64::from(room.base) + u64::from(room.words);
        let twice = |other: &Region| other.memory == room.memory;
        let what = if end > u64::from(room.memory.words()) {
            "is larger than the memory"
        } else if rooms.0[..number].iter().any(twice) {
            "is the second of its memory: give one"
        } else {
            continue;
        };
        return Err(PlanError::Region {
            memory: room.memory,
            base: room.base,
            words: room.words,
            what,
        });
    }
    let beside = |room: &Region| {
        layouts
            .iter()
            .fold(*room, |room, layout| room.beside(layout))
    };
    Ok(ScratchRegions(
        rooms
            .0
            .iter()
            .map(beside)
            .filter(|room| room.words > 0)
            .collect(),
    ))
}

/// The legs of a routing, grouped into phases.
fn assemble(
    chain: &[TransferOp],
    rrn: Option<Rrn>,
    stages: &[Stage],
    outer: &[Vec<Bit>],
    extents: &[u64],
) -> Option<Plan> {
    let mut plan = Plan::default();
    for (number, mover) in chain.iter().enumerate() {
        // The outer loops of the stage in front, or those of the stage behind: where both have
        // some, they are the same.
        let (before, after) = (&outer[number], &outer[number + 1]);
        let around = if before.is_empty() { after } else { before };
        if !before.is_empty() && !after.is_empty() && before != after {
            return None;
        }
        let ends = (&stages[number], &stages[number + 1]);
        let leg = Leg::new(*mover, rrn, ends, extents, around).ok()?;
        plan.cycles += leg.cycles();
        match plan.phases.last_mut() {
            Some(phase) if !before.is_empty() => phase.legs.push(leg),
            _ => plan.phases.push(Phase {
                legs: vec![leg],
                rounds: 1 << around.len(),
            }),
        }
    }
    plan.phases.iter().all(Phase::is_apart).then_some(plan)
}

impl Phase {
    /// Whether nothing is written over what a later round reads, or an earlier one left: the
    /// phase's source and its target lie apart from all that is touched. Stages in between are used
    /// up within their round.
    fn is_apart(&self) -> bool {
        let range = |stage: &Stage, words: u64| {
            let base = u64::from(stage.base);
            (stage.memory, base, base + words)
        };
        let mut touched = Vec::new();
        for (number, leg) in self.legs.iter().enumerate() {
            let [read, write] = leg.words();
            let first = (number == 0).then(|| range(leg.from(), read));
            touched.extend(first.into_iter().chain([range(leg.to(), write)]));
        }
        let meet = |one: &(Memory, u64, u64), other: &(Memory, u64, u64)| {
            one.0 == other.0 && one.1 < other.2 && other.1 < one.2
        };
        let last = touched.len() - 1;
        let clear = |end: usize| {
            (0..=last).all(|other| other == end || !meet(&touched[end], &touched[other]))
        };
        self.rounds == 1 || clear(0) && clear(last)
    }
}
