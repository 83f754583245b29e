//! The search for a schedule over plans and initiation intervals.
//!
//! A loop is software-pipelined. `bounds.rs` gives the minimum initiation interval, `modulo.rs`
//! searches for a schedule at each interval from there on, and `allocate.rs` assigns registers.
//! Each interval is tried with several `Plan`s, which differ in how eagerly they chain items by
//! forwarding. The shortest schedule that has registers wins. Some longer intervals are tried as
//! well, since the length of one iteration dominates in a loop of few iterations.
//!
//! A body with a single iteration is a block. It is list-scheduled in an interval long enough that
//! iterations never overlap; if it is small, `branch_and_bound.rs` looks for a shorter one.
//!
//! [`sequential`] makes the reference schedule, in which items do not overlap; tests compare both.

use std::ops::Range;

use tessera_isa_mncore::fields::Field;
use tessera_isa_mncore::memory::Bank;
use tessera_mncore_ir::schedule::{Bound, Report, Schedule};
use tessera_mncore_ir::words;
use thiserror::Error;

use super::allocate::{self, OutOfRegisters};
use super::bounds;
use super::branch_and_bound;
use super::modulo;
use super::plan::{Plan, PlanError};
use crate::analysis::def_use::{self, DefUse};
use crate::analysis::dependence::{self, DependenceError};
use crate::analysis::guards::Guards;
use crate::emit::EmitError;
use crate::ir::plan_options::{ChainingPolicy, PlanOptions};
use tessera_mncore_ir::body::{Body, BodyError};

/// Options of the scheduler.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options {
    /// Words that values and constants must avoid, besides those that the body addresses. Other
    /// loops of the kernel keep data there.
    pub reserved: Vec<(Bank, Range<u16>)>,
}

impl Options {
    /// Returns the options for any loop of a kernel with these bodies. Words that one body
    /// addresses stay untouched by the values of the others.
    pub fn for_kernel<'b>(bodies: impl IntoIterator<Item = &'b Body>) -> Self {
        Options {
            reserved: bodies
                .into_iter()
                .flat_map(words::addressed_ranges)
                .collect(),
        }
    }
}

/// Why a body has no schedule.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ScheduleError {
    /// The body is malformed.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// Dependence analysis failed.
    #[error(transparent)]
    Dependence(#[from] DependenceError),
    /// An item cannot be emitted.
    #[error(transparent)]
    Emit(#[from] EmitError),
    /// A value is read in an iteration in which it is not written.
    #[error("item {item} reads value {value} in iteration {iteration}, in which item {writer} does not write it; give both the same conditions")]
    Unissued {
        /// The reader.
        item: usize,
        /// The value's number.
        value: u32,
        /// The writer.
        writer: usize,
        /// The first such iteration.
        iteration: u64,
    },
    /// An item by itself gives a field of the word two values.
    #[error(
        "item {item} by itself gives field `{}`, {}, two values; place its operands in different \
         memories, or copy one of them",
        field.name(),
        field.doc()
    )]
    FieldConflict {
        /// The item.
        item: usize,
        /// The field.
        field: Field,
    },
    /// No register is free for a value or constant.
    #[error(
        "{what} needs {words} words of {memory}, of which {size} are free at any initiation \
         interval; split the loop, or place the value in another memory"
    )]
    OutOfRegisters {
        /// The value, or that it is a constant.
        what: String,
        /// Where.
        memory: &'static str,
        /// Words it needs.
        words: u32,
        /// Words that are free.
        size: u32,
    },
    /// No order of the items is feasible at any interval.
    #[error(
        "{items} items have no schedule up to an initiation interval of {ii} steps: items tied \
         by forwarding conflict; give a value a register"
    )]
    NoOrder {
        /// The number of items.
        items: usize,
        /// The longest interval tried.
        ii: u32,
    },
}

/// Schedules a body: at the smallest initiation interval found, or at a slightly longer one if that
/// makes the whole loop shorter. Of the schedules at an interval, that with the shortest iteration
/// is chosen.
///
/// # Errors
/// See [`ScheduleError`].
pub fn schedule(body: &Body, options: &Options) -> Result<(Schedule, Report), ScheduleError> {
    body.check()?;
    let uses = def_use::def_uses(body);
    let guards = Guards::new(body);
    check_guards(body, &uses, &guards)?;
    let edges = dependence::dependences(body)?;
    let register_files = allocate::usable_register_files(body, &options.reserved);
    let plan = |(chaining, use_t_register)| {
        let style = PlanOptions {
            chaining,
            use_t_register,
            register_files,
        };
        Plan::new(body, &uses, &guards, &edges, style)
    };
    let chaining = [
        ChainingPolicy::ALL,
        ChainingPolicy::UpTo(4),
        ChainingPolicy::UpTo(2),
        ChainingPolicy::None,
    ];
    let styles = [true, false]
        .into_iter()
        .flat_map(|t| chaining.map(|chaining| (chaining, t)));
    let plans = plans(styles.map(plan))?;
    if body.iterations() > 1 {
        schedule_loop(&plans, options)
    } else {
        schedule_block(&plans, options)
    }
}

/// Longer intervals to try after the first feasible one. In a loop of few iterations the length of
/// one iteration dominates.
const EXTRA_INTERVALS: u32 = 4;

/// Schedules a loop at the smallest feasible interval, or at a slightly longer one if that makes
/// the whole loop shorter.
fn schedule_loop(plans: &[Plan], options: &Options) -> Result<(Schedule, Report), ScheduleError> {
    let body = plans[0].body;
    let (mii, bound_by) = bounds::min_ii(&plans[0]);
    let most = bounds::max_ii(&plans[0]).max(mii);
    let mut full = None;
    let mut at = |ii: u32| {
        let tried = plans
            .iter()
            .map(|plan| (plan, modulo::schedule_at(plan, ii)));
        shortest(tried, ii, options, &mut full)
    };
    let least = mii.max(body.min_ii);
    let Some(mut schedule) = (least..=most.max(least)).find_map(&mut at) else {
        return Err(no_schedule(&plans[0], most, full));
    };
    for ii in schedule.ii + 1..=most.min(schedule.ii + EXTRA_INTERVALS) {
        // A longer interval can save no more than the overlap of iterations.
        if (body.iterations() - 1) * u64::from(ii) >= schedule.steps(body) {
            break;
        }
        schedule = match at(ii) {
            Some(other) if other.steps(body) < schedule.steps(body) => other,
            _ => schedule,
        };
    }
    let report = Report {
        ii: schedule.ii,
        mii,
        bound_by,
        length: schedule.length(),
    };
    Ok((schedule, report))
}

/// Schedules a block by list scheduling and, if it is small, by branch and bound.
fn schedule_block(plans: &[Plan], options: &Options) -> Result<(Schedule, Report), ScheduleError> {
    let most = bounds::max_ii(&plans[0]);
    let mut full = None;
    let tried = plans
        .iter()
        .map(|plan| (plan, modulo::schedule_at(plan, most)));
    let found = shortest(tried, most, options, &mut full);
    let mut found = found.ok_or_else(|| no_schedule(&plans[0], most, full))?;
    let bounds = plans
        .iter()
        .map(|plan| branch_and_bound::min_length(plan, most));
    let least = bounds.min().unwrap_or(1).min(found.length().max(1));
    if found.length() <= branch_and_bound::MAX_LENGTH {
        let shorter = (least..found.length()).find_map(|length| {
            let tried = plans
                .iter()
                .map(|plan| (plan, branch_and_bound::schedule_block(plan, length, most)));
            shortest(tried, most, options, &mut None)
        });
        found = shorter.unwrap_or(found);
    }
    // Nothing follows a block, so its interval is its length.
    found.ii = found.length().max(1);
    let report = Report {
        ii: found.ii,
        mii: least,
        bound_by: Bound::Block,
        length: found.length(),
    };
    Ok((found, report))
}

/// Returns the shortest of the placements for which registers can be allocated. `full` receives the
/// last allocation failure, if there is any.
fn shortest<'a>(
    tried: impl Iterator<Item = (&'a Plan<'a>, Option<Vec<u32>>)>,
    ii: u32,
    options: &Options,
    full: &mut Option<OutOfRegisters>,
) -> Option<Schedule> {
    let made = tried.filter_map(|(plan, at)| {
        let made = allocate::allocate(plan, at?, ii, &options.reserved);
        made.map_err(|error| *full = Some(error)).ok()
    });
    made.min_by_key(Schedule::length)
}

/// Returns the error for a body without a schedule.
fn no_schedule(plan: &Plan, most: u32, full: Option<OutOfRegisters>) -> ScheduleError {
    match full {
        Some(full) => out_of_registers(full),
        None => ScheduleError::NoOrder {
            items: plan.body.items.len(),
            ii: most,
        },
    }
}

/// Idle steps between items of a sequential schedule: no item is in flight when the next one
/// issues.
const SEQUENTIAL_GAP: u32 = 3;

/// Schedules items one after the other without overlap. Only readers of forwarding registers
/// directly follow their writers.
///
/// # Errors
/// See [`ScheduleError`].
pub fn sequential(body: &Body, reserved: &[(Bank, Range<u16>)]) -> Result<Schedule, ScheduleError> {
    body.check()?;
    let uses = def_use::def_uses(body);
    let guards = Guards::new(body);
    check_guards(body, &uses, &guards)?;
    let edges = dependence::dependences(body)?;
    let register_files = allocate::usable_register_files(body, reserved);
    let plan = |(chaining, use_t_register)| {
        let style = PlanOptions {
            chaining,
            use_t_register,
            register_files,
        };
        Plan::new(body, &uses, &guards, &edges, style)
    };
    let styles = [
        (ChainingPolicy::Adjacent, true),
        (ChainingPolicy::Adjacent, false),
        (ChainingPolicy::None, true),
        (ChainingPolicy::None, false),
        (ChainingPolicy::ALL, true),
        (ChainingPolicy::ALL, false),
    ];
    let mut full = None;
    for plan in plans(styles.into_iter().map(plan))? {
        let Some((at, end)) = place_sequentially(&plan) else {
            continue;
        };
        match allocate::allocate(&plan, at, end, reserved) {
            Ok(schedule) => return Ok(schedule),
            Err(error) => full = Some(error),
        }
    }
    Err(full.map_or(ScheduleError::NoOrder { items: 0, ii: 0 }, out_of_registers))
}

/// Collects the plans that can be made, without duplicates; fails if there is none.
fn plans<'a>(
    made: impl Iterator<Item = Result<Plan<'a>, PlanError>>,
) -> Result<Vec<Plan<'a>>, ScheduleError> {
    let mut plans = Vec::new();
    let mut failed = None;
    for plan in made {
        match plan {
            Ok(plan) => plans.push(plan),
            Err(PlanError::Emit(error)) => return Err(error.into()),
            Err(PlanError::FieldConflict { item, field }) => failed = Some((item, field)),
        }
    }
    // Plans that differ in options only, but not in their outcome, are the same.
    let mut kept: Vec<Plan> = Vec::new();
    for plan in plans {
        if !kept.iter().any(|other| plan.is_equivalent(other)) {
            kept.push(plan);
        }
    }
    let plans = kept;
    match failed {
        Some((item, field)) if plans.is_empty() => {
            Err(ScheduleError::FieldConflict { item, field })
        }
        _ => Ok(plans),
    }
}

/// Places macro nodes one after the other, each after its predecessors. Returns the steps and the
/// total length, gaps included. Returns `None` if the precedences between macro nodes are cyclic or
/// a macro node is infeasible.
fn place_sequentially(plan: &Plan) -> Option<(Vec<u32>, u32)> {
    let count = plan.macro_nodes.len();
    let mut before = vec![Vec::new(); count];
    for edge in plan.edges.iter().filter(|edge| edge.distance == 0) {
        before[plan.node_of[edge.to]].push(plan.node_of[edge.from]);
    }
    let mut at = vec![0; plan.body.items.len()];
    let mut done = vec![false; count];
    let mut next = SEQUENTIAL_GAP;
    for _ in 0..count {
        let ready = (0..count).filter(|&group| !done[group]);
        let mut ready = ready.filter(|&group| {
            before[group]
                .iter()
                .all(|&other| done[other] || other == group)
        });
        let group = ready.next()?;
        done[group] = true;
        let members = &plan.macro_nodes[group].members;
        for &(item, step) in members {
            at[item] = next + step as u32;
        }
        let last = members.iter().map(|&(_, step)| step as u32).max();
        next += last.unwrap_or(0) + 1 + SEQUENTIAL_GAP;
    }
    modulo::is_feasible(plan, next).then_some((at, next))
}

/// Checks that every value is written in each iteration in which it is read.
fn check_guards(body: &Body, uses: &[DefUse], guards: &Guards) -> Result<(), ScheduleError> {
    for item in 0..body.items.len() {
        for value in body.items[item].reads() {
            let writer = uses[value.0 as usize].writers[0];
            if let Some(iteration) = guards.first_unmatched_iteration(item, writer) {
                return Err(ScheduleError::Unissued {
                    item,
                    value: value.0,
                    writer,
                    iteration,
                });
            }
        }
    }
    Ok(())
}

fn out_of_registers(full: OutOfRegisters) -> ScheduleError {
    let what = match full.value {
        usize::MAX => "a constant".to_owned(),
        value => format!("value {value}"),
    };
    ScheduleError::OutOfRegisters {
        what,
        memory: full.memory,
        words: full.words,
        size: full.size,
    }
}
