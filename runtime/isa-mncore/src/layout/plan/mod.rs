//! Transfer plans: the cheapest chain of instructions that takes a tensor from one layout to
//! another.
//!
//! A plan is a list of legs ([`Leg`]) grouped into phases. If an intermediate memory cannot hold
//! the whole tensor, the legs on both sides alternate round by round. Costs are the cycles of the
//! instruction table, with all instructions executed one after the other. Overlap and waits between
//! dependent instructions are the scheduler's concern. Inside the PEs, plans rearrange data only
//! through matrix registers, never with the MAU or the ALU.
//!
//! [`Planner::plan`] connects two given layouts. [`Planner::feed`] takes the layout that a kernel
//! needs and chooses the layout in DRAM or PDM, which the host packs. [`Planner::drain`] takes the
//! layout that a kernel produces and chooses the layout in DRAM or PDM.
//!
//! ```
//! use tessera_isa_mncore::layout::plan::{Planner, Region, ScratchRegions};
//! use tessera_isa_mncore::layout::{Layout, Memory};
//!
//! let kernel: Layout = "k:(w:2,p:4,a:8) n:(a:4,m:16,b:8) @LM0+0, rep(g,c)".parse().unwrap();
//! let mut planner = Planner::default();
//! let scratch = ScratchRegions::intermediate();
//! let found = planner.feed(&kernel, Region::whole(Memory::Dram), &scratch).unwrap();
//! let (dram, plan) = &*found;
//! assert_eq!(dram.to_string(), "k:(w:2,a:4*1,a:8*512) n:(a:4*128,a:2*4,a:8*16,a:2*8,g:4) @DRAM+0");
//! assert_eq!(plan.to_string(), "DRAM mvb L2BM l2bmd L1BM l1bmd LM0: 200 steps");
//! assert_eq!(plan.instructions().next().unwrap().to_string(), "mvb/n16384 $d0 $lc0");
//! ```

mod chain;
mod one_ended;
mod route;
mod search;
mod state;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::fmt::{self, Display, Formatter};
use std::rc::Rc;

use super::emit::Instruction;
use super::leg::{Leg, Stage};
use super::place::Memory;
use super::transfer::{Level, TransferOp};
use super::{Bit, Layout, LayoutError};
use crate::memory::{Side, CYCLES};
use crate::table::Rrn;

/// A range of a memory that a plan may use for intermediate data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Region {
    /// The memory.
    pub memory: Memory,
    /// The address of the first long word.
    pub base: u32,
    /// The length in long words.
    pub words: u32,
}

impl Region {
    /// Returns the region that covers a whole memory.
    pub fn whole(memory: Memory) -> Region {
        Region {
            memory,
            base: 0,
            words: memory.words(),
        }
    }
}

impl Region {
    /// Returns the larger remaining part beside a layout.
    fn beside(self, layout: &Layout) -> Region {
        let (base, end) = (self.base, self.base + self.words);
        let first = layout.base();
        // Every instruction's alignment divides this unit.
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

/// The memory regions that a plan may use for intermediate data, at most one per memory. If an end
/// of the plan lies in a region, the larger part beside it is used.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ScratchRegions(Vec<Region>);

impl ScratchRegions {
    /// Creates a set of regions.
    pub fn new(regions: &[Region]) -> ScratchRegions {
        ScratchRegions(regions.to_vec())
    }

    /// Returns the whole of L2BM, L1BM and a matrix register.
    pub fn intermediate() -> ScratchRegions {
        ScratchRegions::new(
            &[Memory::L2bm, Memory::L1bm, Memory::Matrix(Side::X)].map(Region::whole),
        )
    }

    /// Adds a region.
    #[must_use]
    pub fn with(mut self, region: Region) -> ScratchRegions {
        self.0.push(region);
        self
    }

    fn at_level(&self, level: Level) -> impl Iterator<Item = Region> + '_ {
        let regions = self.0.iter().copied();
        regions.filter(move |region| region.memory.level() == level)
    }
}

/// The reason why there is no plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// The layouts belong to different tensors.
    #[error(
        "{from} and {to} are layouts of different tensors: dimensions and width of elements must \
         agree"
    )]
    Tensors {
        /// The source.
        from: String,
        /// The target.
        to: String,
    },
    /// A region that exceeds its memory, or a second region in a memory.
    #[error("the region of {words} long words of {memory} from {base} on {what}")]
    Region {
        /// The memory.
        memory: Memory,
        /// The first long word.
        base: u32,
        /// The length in long words.
        words: u32,
        /// What is wrong.
        what: &'static str,
    },
    /// No chain of instructions was found.
    #[error("no chain of up to {legs} transfers takes {from} to {to}: {hint}")]
    None {
        /// The source.
        from: String,
        /// The target.
        to: String,
        /// The maximum chain length.
        legs: usize,
        /// A suggestion.
        hint: &'static str,
    },
    /// The chosen layout is invalid.
    #[error(transparent)]
    Layout(#[from] LayoutError),
}

/// Legs that alternate round by round.
#[derive(Clone, Debug)]
pub struct Phase {
    legs: Vec<Leg>,
    /// The number of rounds: two to the power of the number of outer index bits.
    rounds: u64,
}

impl Phase {
    /// Returns the legs in order.
    pub fn legs(&self) -> &[Leg] {
        &self.legs
    }

    /// Returns the number of rounds.
    pub fn rounds(&self) -> u64 {
        self.rounds
    }

    /// Returns the instructions of all rounds in order.
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
    /// Returns the phases in order.
    pub fn phases(&self) -> &[Phase] {
        &self.phases
    }

    /// Returns the legs of all phases.
    pub fn legs(&self) -> impl Iterator<Item = &Leg> {
        self.phases.iter().flat_map(|phase| &phase.legs)
    }

    /// Returns the duration in cycles if the instructions run one after the other.
    pub fn cycles(&self) -> u64 {
        self.cycles
    }

    /// Returns the duration in steps, rounded up.
    pub fn steps(&self) -> u64 {
        self.cycles.div_ceil(CYCLES as u64)
    }

    /// Returns the instructions in order.
    pub fn instructions(&self) -> impl Iterator<Item = Instruction> + '_ {
        self.phases.iter().flat_map(Phase::instructions)
    }

    /// Returns the number of long words of a memory that the plan accesses, from the base of the
    /// layout or region on. At the ends of the plan this may exceed the layout, since instructions
    /// move whole rows.
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
    /// Prints the chain, such as `DRAM mvb L2BM l2bmd L1BM l1bmd LM0: 3200 steps`.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut legs = self.legs().peekable();
        if let Some(first) = legs.peek() {
            write!(f, "{}", first.from().memory)?;
        }
        for leg in legs {
            write!(f, " {} {}", leg.op().name(), leg.to().memory)?;
        }
        write!(f, ": {} steps", self.steps())
    }
}

/// The key of a cached plan.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    Plan(Layout, Layout, ScratchRegions, Option<Rrn>),
    Feed(Layout, Region, ScratchRegions),
    Drain(Layout, Region, ScratchRegions, Option<Rrn>),
}

/// Finds plans and caches them.
#[derive(Clone, Debug, Default)]
pub struct Planner {
    known: HashMap<Key, Rc<(Layout, Plan)>>,
}

impl Planner {
    /// Returns the cheapest plan from one layout to another; `rrn` reduces partial sums.
    ///
    /// # Errors
    /// Layouts of different tensors, overlapping regions, and pairs of layouts that no chain
    /// connects.
    pub fn plan(
        &mut self,
        from: &Layout,
        to: &Layout,
        regions: &ScratchRegions,
        rrn: Option<Rrn>,
    ) -> Result<Rc<(Layout, Plan)>, PlanError> {
        let key = Key::Plan(from.clone(), to.clone(), regions.clone(), rrn);
        self.known(key, || {
            same_tensor(from, to)?;
            let regions = free(regions, &[from, to])?;
            let plan = search::find_plan(from, to, &regions, rrn)?;
            Ok((to.clone(), plan))
        })
    }

    /// Returns the cheapest plan to a layout from the region `source`, with the layout that the
    /// tensor has there.
    ///
    /// # Errors
    /// Overlapping regions, and layouts that no chain leads away from.
    pub fn feed(
        &mut self,
        to: &Layout,
        source: Region,
        regions: &ScratchRegions,
    ) -> Result<Rc<(Layout, Plan)>, PlanError> {
        self.known(Key::Feed(to.clone(), source, regions.clone()), || {
            one_ended::backward(to, source, &free(regions, &[to])?)
        })
    }

    /// Returns the cheapest plan from a layout to the region `target`, with the layout that the
    /// tensor has there. `rrn` reduces partial sums.
    ///
    /// # Errors
    /// Overlapping regions, and layouts that no chain reaches.
    pub fn drain(
        &mut self,
        from: &Layout,
        target: Region,
        regions: &ScratchRegions,
        rrn: Option<Rrn>,
    ) -> Result<Rc<(Layout, Plan)>, PlanError> {
        self.known(
            Key::Drain(from.clone(), target, regions.clone(), rrn),
            || one_ended::forward(from, target, &free(regions, &[from])?, rrn),
        )
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

/// Checks that two layouts belong to the same tensor.
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

/// Returns the parts of the regions that none of the layouts occupies.
fn free(regions: &ScratchRegions, layouts: &[&Layout]) -> Result<ScratchRegions, PlanError> {
    for (number, region) in regions.0.iter().enumerate() {
        let end = u64::from(region.base) + u64::from(region.words);
        let twice = |other: &Region| other.memory == region.memory;
        let what = if end > u64::from(region.memory.words()) {
            "is larger than the memory"
        } else if regions.0[..number].iter().any(twice) {
            "is the second of its memory: give one"
        } else {
            continue;
        };
        return Err(PlanError::Region {
            memory: region.memory,
            base: region.base,
            words: region.words,
            what,
        });
    }
    let beside = |region: &Region| {
        layouts
            .iter()
            .fold(*region, |region, layout| region.beside(layout))
    };
    Ok(ScratchRegions(
        regions
            .0
            .iter()
            .map(beside)
            .filter(|region| region.words > 0)
            .collect(),
    ))
}

/// Creates the legs of a routing, grouped into phases.
fn assemble(
    chain: &[TransferOp],
    rrn: Option<Rrn>,
    stages: &[Stage],
    outer: &[Vec<Bit>],
    extents: &[u64],
) -> Option<Plan> {
    let mut plan = Plan::default();
    for (number, op) in chain.iter().enumerate() {
        // The outer loops of a leg are those of the stage before it or after it. If both have outer
        // loops, they are equal.
        let (before, after) = (&outer[number], &outer[number + 1]);
        let around = if before.is_empty() { after } else { before };
        if !before.is_empty() && !after.is_empty() && before != after {
            return None;
        }
        let ends = (&stages[number], &stages[number + 1]);
        let leg = Leg::new(*op, rrn, ends, extents, around).ok()?;
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
    /// Returns whether source and target of the phase are disjoint from all other accessed words,
    /// so that no round overwrites data which another round reads or has produced. Intermediate
    /// stages are consumed in their round.
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
