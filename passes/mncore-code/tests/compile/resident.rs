//! Utilisation of the matrix unit in a product's loops, with operands in LM and L1BM, and as
//! compiled.
//!
//! From a loop that multiplies, the items that load tiles from L1BM and multiply by them form a
//! loop of their own: the loop for operands already in LM and L1BM. It is scheduled as any other.
//! Its *kernel ratio* is the number of matrix operations over the steps from the first to the last
//! of them.

use tessera_isa_mncore::memory::Bank;
use tessera_mncore_code::sched::{schedule, Options};
use tessera_mncore_ir::body::Body;
use tessera_mncore_ir::item::{Item, Op, Source, Target, Value};
use tessera_mncore_ir::program::{Node, Program, ScheduledLoop};
use tessera_mncore_ir::schedule::{Report, Schedule};

/// Matrix operations, steps from the first to the last, and those that the busiest unit or field of
/// the word needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Busy {
    pub operations: u64,
    pub steps: u64,
    pub least: u64,
}

impl Busy {
    /// Counts the operations of a scheduled loop that is executed `times` times.
    fn count(body: &Body, (schedule, report): &(Schedule, Report), times: u64) -> Busy {
        let items = body.items.iter().zip(&schedule.at);
        let at = items
            .filter(|(item, _)| is_matrix(item))
            .inspect(|(item, _)| {
                let mut own = item.when.iter();
                let all = own.all(|guard| guard.dimension < body.outer.len());
                assert!(all, "it multiplies in all iterations of a block");
            })
            .map(|(_, at)| *at);
        let at: Vec<u32> = at.collect();
        let (Some(first), Some(last)) = (at.iter().min(), at.iter().max()) else {
            return Busy::default();
        };
        let iterations = body.iterations();
        let between = (iterations - 1) * u64::from(schedule.ii) + u64::from(last - first);
        Busy {
            operations: times * iterations * at.len() as u64,
            steps: times * (between + 1),
            least: times * iterations * u64::from(report.mii),
        }
    }

    /// Returns operations per step.
    pub fn ratio(self) -> f64 {
        self.operations as f64 / self.steps as f64
    }

    /// Returns the upper bound of the ratio: operations per step that the busiest unit needs.
    #[allow(dead_code)]
    pub fn bound(self) -> f64 {
        self.operations as f64 / self.least as f64
    }

    fn and(self, other: Busy) -> Busy {
        Busy {
            operations: self.operations + other.operations,
            steps: self.steps + other.steps,
            least: self.least + other.least,
        }
    }
}

/// Returns the loops of a program that multiply, and how often each is executed.
pub fn multiplying(program: &Program) -> Vec<(&ScheduledLoop, u64)> {
    fn all<'p>(nodes: &'p [Node], times: u64, found: &mut Vec<(&'p ScheduledLoop, u64)>) {
        for node in nodes {
            match node {
                Node::Loop(part) if part.body.items.iter().any(is_matrix) => {
                    found.push((part, times));
                }
                Node::Loop(_) => {}
                Node::Repeat(count, nodes) => all(nodes, times * u64::from(*count), found),
            }
        }
    }
    let mut found = Vec::new();
    all(&program.nodes, 1, &mut found);
    found
}

/// Returns the utilisation of the matrix unit in all loops of a program that multiply, with
/// operands in LM and L1BM.
pub fn resident(program: &Program) -> Busy {
    let loops = multiplying(program).into_iter().map(|(part, times)| {
        let body = kept(&part.body);
        let options = Options {
            reserved: part.schedule.reserved.clone(),
        };
        let scheduled = schedule(&body, &options);
        let scheduled = scheduled.unwrap_or_else(|error| panic!("{error}"));
        Busy::count(&body, &scheduled, times)
    });
    loops.fold(Busy::default(), Busy::and)
}

/// Returns the items of a loop that load tiles from L1BM to the matrix registers and multiply by
/// them.
fn kept(body: &Body) -> Body {
    let loads = |item: &Item| matches!(item.op, Op::Mwrite(..));
    let mut keep: Vec<bool> = body
        .items
        .iter()
        .map(|i| is_matrix(i) || loads(i))
        .collect();
    // Who writes what one of them reads stands before it.
    for number in (0..body.items.len()).rev() {
        if !keep[number] {
            continue;
        }
        for input in &body.items[number].inputs {
            for (other, keep) in body.items.iter().zip(&mut keep) {
                *keep |= makes(other, &input.source);
            }
        }
    }
    let mut kept = Body::new(&body.outer, &body.trip);
    let mut values: Vec<Option<Value>> = vec![None; body.values.len()];
    for (item, _) in body.items.iter().zip(keep).filter(|(_, keep)| *keep) {
        let mut item = item.clone();
        let mut renumbered = |value: &mut Value| {
            let known = &mut values[value.0 as usize];
            *value = *known.get_or_insert_with(|| {
                let kind = body.kind(*value);
                kept.value(kind.width, kind.home)
            });
        };
        for input in &mut item.inputs {
            if let Source::Value(value) = &mut input.source {
                renumbered(value);
            }
        }
        for output in &mut item.outputs {
            if let Target::Value(value) = &mut output.target {
                renumbered(value);
            }
        }
        kept.items.push(item);
    }
    kept
}

/// Returns whether an item writes what another one reads: a value, or a part of the ring of tiles
/// in GRF1.
fn makes(item: &Item, source: &Source) -> bool {
    item.outputs
        .iter()
        .any(|output| match (&output.target, source) {
            (Target::Value(made), Source::Value(read)) => made == read,
            (Target::Memory(made), Source::Memory(read)) => {
                let [made, read] = [made, read]
                    .map(|place| (place.bank, place.address.ring, place.address.offset));
                made.0 == Bank::Grf1 && made == read
            }
            _ => false,
        })
}

fn is_matrix(item: &Item) -> bool {
    matches!(item.op, Op::Mau(_, Some(_)))
}
