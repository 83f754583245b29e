//! When each item issues, and where each value lies.

use std::ops::Range;

use tessera_isa_mncore::fields::Field;
use tessera_isa_mncore::memory::Bank;
use tessera_mncore_ir::schedule::{Bound, Report, Schedule};
use tessera_mncore_ir::words;
use thiserror::Error;

use crate::allocate::{self, Full};
use crate::bounds;
use crate::branch;
use crate::dependence::{self, DependenceError};
use crate::emit::EmitError;
use crate::guards::Guards;
use crate::modulo;
use crate::plan::{Chains, Plan, PlanError, Style};
use crate::values::{self, Uses};
use tessera_mncore_ir::body::{Body, BodyError};

/// What a scheduler is told.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options {
    /// Words that values and constants must not lie in, besides those that the body names: what
    /// others left there for later. Values lie in register files, constants there or in LM1.
    pub reserved: Vec<(Bank, Range<u16>)>,
}

impl Options {
    /// Those of a loop of a kernel with these bodies: what lies where one of them names words, the
    /// others leave alone.
    pub fn among<'b>(bodies: impl IntoIterator<Item = &'b Body>) -> Self {
        Options {
            reserved: bodies.into_iter().flat_map(words::named_ranges).collect(),
        }
    }
}

/// Why a body has no schedule.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ScheduleError {
    /// The body is none.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// The order of its items cannot be told.
    #[error(transparent)]
    Dependence(#[from] DependenceError),
    /// An item cannot be emitted.
    #[error(transparent)]
    Emit(#[from] EmitError),
    /// A value is read in an iteration in which it is not written.
    #[error("item {item} reads value {value} in iteration {iteration}, in which item {writer} does not write it; give both the same conditions")]
    Unissued {
        /// Who reads.
        item: usize,
        /// The value's number.
        value: u32,
        /// Who writes it.
        writer: usize,
        /// The first such iteration.
        iteration: u64,
    },
    /// An item needs two values of a field of the word.
    #[error("item {item} by itself gives field `{}`, {}, two values; let what it reads lie in different memories, or copy one operand", field.name(), field.doc())]
    Clash {
        /// The item.
        item: usize,
        /// The field.
        field: Field,
    },
    /// A value, or a constant, has no place.
    #[error("{what} needs {words} of the words of {memory}, of which {size} are free, and a longer interval does not help; split the loop, or let the value lie elsewhere")]
    Full {
        /// The value, or that it is a constant.
        what: String,
        /// Where.
        memory: &'static str,
        /// Words it needs.
        words: u32,
        /// Words that are free.
        size: u32,
    },
    /// Items cannot be put in an order whatever the interval.
    #[error("{items} items have no order up to an interval of {ii} steps: items that are tied by forwarding are in one another's way; let a value lie in a register")]
    NoOrder {
        /// How many items.
        items: usize,
        /// The longest interval tried.
        ii: u32,
    },
}

/// Schedules a body: the shortest interval that is found, the first step that is found for each
/// item.
///
/// # Errors
/// See [`ScheduleError`].
pub fn schedule(body: &Body, options: &Options) -> Result<(Schedule, Report), ScheduleError> {
    body.check()?;
    let uses = values::uses(body);
    let guards = Guards::new(body);
    check_guards(body, &uses, &guards)?;
    let edges = dependence::dependences(body)?;
    let files = allocate::files(body, &options.reserved);
    let plan = |(chains, t)| {
        let style = Style { chains, t, files };
        Plan::new(body, &uses, &guards, &edges, style)
    };
    let chains = [Chains::ALL, Chains::UpTo(4), Chains::UpTo(2), Chains::None];
    let styles = [true, false]
        .into_iter()
        .flat_map(|t| chains.map(|chains| (chains, t)));
    let plans = plans(styles.map(plan))?;
    if body.iterations() > 1 {
        schedule_loop(&plans, options)
    } else {
        schedule_block(&plans, options)
    }
}

/// How many longer intervals are tried for a loop of few iterations, whose steps are mostly those
/// of one iteration.
const LONGER: u32 = 4;

/// The shortest interval, and in it the shortest iteration; or a longer interval, if that makes the
/// whole loop shorter.
fn schedule_loop(plans: &[Plan], options: &Options) -> Result<(Schedule, Report), ScheduleError> {
    let body = plans[0].body;
    let (mii, bound_by) = bounds::least(&plans[0]);
    let most = bounds::most(&plans[0]).max(mii);
    let mut full = None;
    let mut at = |ii: u32| {
        let tried = plans.iter().map(|plan| (plan, modulo::place(plan, ii)));
        shortest(tried, ii, options, &mut full)
    };
    let least = mii.max(body.pace);
    let Some(mut schedule) = (least..=most.max(least)).find_map(&mut at) else {
        return Err(none(&plans[0], most, full));
    };
    for ii in schedule.ii + 1..=most.min(schedule.ii + LONGER) {
        // No more than what overlaps can be gained.
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

/// The shortest block: in the order of a list, and if it is small, by trying what is shorter.
fn schedule_block(plans: &[Plan], options: &Options) -> Result<(Schedule, Report), ScheduleError> {
    let most = bounds::most(&plans[0]);
    let mut full = None;
    let tried = plans.iter().map(|plan| (plan, modulo::place(plan, most)));
    let found = shortest(tried, most, options, &mut full);
    let mut found = found.ok_or_else(|| none(&plans[0], most, full))?;
    let bounds = plans.iter().map(|plan| branch::least(plan, most));
    let least = bounds.min().unwrap_or(1).min(found.length().max(1));
    if found.length() <= branch::LONGEST {
        let shorter = (least..found.length()).find_map(|length| {
            let tried = plans
                .iter()
                .map(|plan| (plan, branch::place(plan, length, most)));
            shortest(tried, most, options, &mut None)
        });
        found = shorter.unwrap_or(found);
    }
    // Nothing comes after it.
    found.ii = found.length().max(1);
    let report = Report {
        ii: found.ii,
        mii: least,
        bound_by: Bound::Block,
        length: found.length(),
    };
    Ok((found, report))
}

/// The shortest of those schedules that have registers.
fn shortest<'a>(
    tried: impl Iterator<Item = (&'a Plan<'a>, Option<Vec<u32>>)>,
    ii: u32,
    options: &Options,
    full: &mut Option<Full>,
) -> Option<Schedule> {
    let made = tried.filter_map(|(plan, at)| {
        let made = allocate::allocate(plan, at?, ii, &options.reserved);
        made.map_err(|error| *full = Some(error)).ok()
    });
    made.min_by_key(Schedule::length)
}

/// Why there is no schedule.
fn none(plan: &Plan, most: u32, full: Option<Full>) -> ScheduleError {
    match full {
        Some(full) => no_room(full),
        None => ScheduleError::NoOrder {
            items: plan.body.items.len(),
            ii: most,
        },
    }
}

/// Steps that keep an item from seeing the one before it under way.
const APART: u32 = 3;

/// Schedules a body one item after the other, each with nothing else under way; what a forwarding
/// register carries follows at once.
///
/// # Errors
/// See [`ScheduleError`].
pub fn sequential(body: &Body, reserved: &[(Bank, Range<u16>)]) -> Result<Schedule, ScheduleError> {
    body.check()?;
    let uses = values::uses(body);
    let guards = Guards::new(body);
    check_guards(body, &uses, &guards)?;
    let edges = dependence::dependences(body)?;
    let files = allocate::files(body, reserved);
    let plan = |(chains, t)| {
        let style = Style { chains, t, files };
        Plan::new(body, &uses, &guards, &edges, style)
    };
    let styles = [
        (Chains::Adjacent, true),
        (Chains::Adjacent, false),
        (Chains::None, true),
        (Chains::None, false),
        (Chains::ALL, true),
        (Chains::ALL, false),
    ];
    let mut full = None;
    for plan in plans(styles.into_iter().map(plan))? {
        let Some((at, end)) = one_by_one(&plan) else {
            continue;
        };
        match allocate::allocate(&plan, at, end, reserved) {
            Ok(schedule) => return Ok(schedule),
            Err(error) => full = Some(error),
        }
    }
    Err(full.map_or(ScheduleError::NoOrder { items: 0, ii: 0 }, no_room))
}

/// Those plans that can be made; if none can, why.
fn plans<'a>(
    made: impl Iterator<Item = Result<Plan<'a>, PlanError>>,
) -> Result<Vec<Plan<'a>>, ScheduleError> {
    let mut plans = Vec::new();
    let mut failed = None;
    for plan in made {
        match plan {
            Ok(plan) => plans.push(plan),
            Err(PlanError::Emit(error)) => return Err(error.into()),
            Err(PlanError::Clash { item, field }) => failed = Some((item, field)),
        }
    }
    // Where no value lies in the T register, it does not matter whether one may.
    let mut kept: Vec<Plan> = Vec::new();
    for plan in plans {
        if !kept.iter().any(|other| plan.is_like(other)) {
            kept.push(plan);
        }
    }
    let plans = kept;
    match failed {
        Some((item, field)) if plans.is_empty() => Err(ScheduleError::Clash { item, field }),
        _ => Ok(plans),
    }
}

/// The steps of items that issue one after the other, and the step after the last; none if what is
/// tied cannot stand together.
fn one_by_one(plan: &Plan) -> Option<(Vec<u32>, u32)> {
    let count = plan.rigid.len();
    let mut before = vec![Vec::new(); count];
    for edge in plan.edges.iter().filter(|edge| edge.distance == 0) {
        before[plan.group_of[edge.to]].push(plan.group_of[edge.from]);
    }
    let mut at = vec![0; plan.body.items.len()];
    let mut done = vec![false; count];
    let mut next = APART;
    for _ in 0..count {
        let ready = (0..count).filter(|&group| !done[group]);
        let mut ready = ready.filter(|&group| {
            before[group]
                .iter()
                .all(|&other| done[other] || other == group)
        });
        let group = ready.next()?;
        done[group] = true;
        let members = &plan.rigid[group].members;
        for &(item, step) in members {
            at[item] = next + step as u32;
        }
        let last = members.iter().map(|&(_, step)| step as u32).max();
        next += last.unwrap_or(0) + 1 + APART;
    }
    modulo::fits(plan, next).then_some((at, next))
}

/// That values are written where they are read.
fn check_guards(body: &Body, uses: &[Uses], guards: &Guards) -> Result<(), ScheduleError> {
    for item in 0..body.items.len() {
        for value in body.items[item].reads() {
            let writer = uses[value.0 as usize].writers[0];
            if let Some(iteration) = guards.first_without(item, writer) {
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

fn no_room(full: Full) -> ScheduleError {
    let what = match full.value {
        usize::MAX => "a constant".to_owned(),
        value => format!("value {value}"),
    };
    ScheduleError::Full {
        what,
        memory: full.memory,
        words: full.words,
        size: full.size,
    }
}
