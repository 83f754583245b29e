//! Guard analysis: the iterations in which items issue, and the items that never issue in one step.
//!
//! Guards on the outer loops split a body into *cases*. Within a case the same items issue in the
//! same iterations. One schedule serves all cases.

use std::cell::RefCell;
use std::collections::HashMap;

use tessera_mncore_ir::body::{indices, Body};
use tessera_mncore_ir::item::Guard;

/// The guards of a body, with the iterations in which they hold.
#[derive(Debug)]
pub(crate) struct Guards {
    /// Iterations of the body.
    iterations: u64,
    /// Number of cases.
    case_count: usize,
    /// The guard set of each item.
    of_item: Vec<usize>,
    /// Of each guard set, the iterations in each case.
    sets: Vec<Vec<Issues>>,
    /// Memoised answers of [`Guards::can_coincide`].
    answers: RefCell<HashMap<(usize, usize, i64), bool>>,
}

/// The iterations in which an item issues, in one case.
#[derive(Debug)]
enum Issues {
    Always,
    /// A bit set: bit `n` stands for iteration `n`.
    Sometimes(Vec<u64>),
}

impl Issues {
    fn contains(&self, iteration: u64) -> bool {
        match self {
            Issues::Always => true,
            Issues::Sometimes(bits) => bits[(iteration / 64) as usize] & 1 << (iteration % 64) != 0,
        }
    }
}

impl Guards {
    /// Analyses the guards of a body.
    pub fn new(body: &Body) -> Self {
        let cases = cases(body);
        let mut known: HashMap<Vec<Guard>, usize> = HashMap::new();
        let mut sets = Vec::new();
        let of_item = body.items.iter().map(|item| {
            *known.entry(item.when.clone()).or_insert_with(|| {
                sets.push(
                    cases
                        .iter()
                        .map(|outer| issue_iterations(body, outer, &item.when))
                        .collect(),
                );
                sets.len() - 1
            })
        });
        Guards {
            of_item: of_item.collect(),
            iterations: body.iterations(),
            case_count: cases.len(),
            sets,
            answers: RefCell::default(),
        }
    }

    /// Returns the number of cases.
    pub fn case_count(&self) -> usize {
        self.case_count
    }

    /// Returns whether one item issues in some iteration `n` and the other in iteration `n +
    /// later`.
    pub fn can_coincide(&self, one: usize, other: usize, later: i64) -> bool {
        if later.unsigned_abs() >= self.iterations {
            return false;
        }
        let key = (self.of_item[one], self.of_item[other], later);
        let pairs = || self.sets[key.0].iter().zip(&self.sets[key.1]);
        if pairs().any(|pair| matches!(pair, (Issues::Always, Issues::Always))) {
            return true;
        }
        if let Some(&known) = self.answers.borrow().get(&key) {
            return known;
        }
        let first = 0.max(-later) as u64;
        let end = (self.iterations as i64 - later.max(0)) as u64;
        let answer = pairs().any(|(one, other)| {
            (first..end).any(|n| one.contains(n) && other.contains(n.wrapping_add_signed(later)))
        });
        self.answers.borrow_mut().insert(key, answer);
        answer
    }

    /// Returns the first iteration, in any case, in which a reader issues but its writer does not.
    pub fn first_unmatched_iteration(&self, reader: usize, writer: usize) -> Option<u64> {
        let (reader, writer) = (self.of_item[reader], self.of_item[writer]);
        if reader == writer {
            return None;
        }
        let mut pairs = self.sets[reader].iter().zip(&self.sets[writer]);
        pairs.find_map(|(reader, writer)| {
            (0..self.iterations).find(|&n| reader.contains(n) && !writer.contains(n))
        })
    }

    /// Returns the number of iterations in which an item issues in a case.
    pub fn issue_count(&self, item: usize, case: usize) -> u64 {
        match &self.sets[self.of_item[item]][case] {
            Issues::Always => self.iterations,
            Issues::Sometimes(bits) => bits.iter().map(|word| u64::from(word.count_ones())).sum(),
        }
    }
}

/// Returns, for each case, the first index of the outer loops that belongs to it.
fn cases(body: &Body) -> Vec<Vec<u32>> {
    let around = body.outer.len();
    let guards = || body.items.iter().flat_map(|item| &item.when);
    let matters = |dimension| guards().any(|guard| guard.dimension == dimension);
    let extents = body.outer.iter().enumerate();
    let extents = extents.map(|(dimension, &count)| if matters(dimension) { count } else { 1 });
    let mut known: HashMap<Vec<bool>, ()> = HashMap::new();
    let mut cases: Vec<Vec<u32>> = indices(&extents.collect::<Vec<_>>())
        .filter(|outer| {
            let truth = guards().filter(|guard| guard.dimension < around);
            let truth = truth.map(|guard| guard.holds(outer)).collect();
            known.insert(truth, ()).is_none()
        })
        .collect();
    if cases.is_empty() {
        cases.push(vec![0; around]);
    }
    cases
}

/// Returns the iterations of a case in which all guards hold.
fn issue_iterations(body: &Body, outer: &[u32], when: &[Guard]) -> Issues {
    let around = body.outer.len();
    let mut index = outer.to_vec();
    index.resize(body.dimensions(), 0);
    if when
        .iter()
        .all(|guard| guard.dimension < around && guard.holds(&index))
    {
        return Issues::Always;
    }
    let mut bits = vec![0; body.iterations().div_ceil(64) as usize];
    for n in 0..body.iterations() {
        body.index_into(n, &mut index);
        if when.iter().all(|guard| guard.holds(&index)) {
            bits[(n / 64) as usize] |= 1 << (n % 64);
        }
    }
    Issues::Sometimes(bits)
}
