//! `tensix-form-replay`: records repeated sequences of pushed words in the thread's replay buffer
//! and replays them.
//!
//! The buffer holds 32 words; it is recorded once at the start. Candidates are all repeated
//! sequences of 2 to 32 words. A branch-and-bound search selects the set of candidates that
//! minimizes pushes, where a push in a loop counts once per iteration. Parts of a recorded sequence
//! can be replayed as well. The executed words stay the same, one by one.

use std::cmp::Reverse;
use std::collections::HashMap;

use tessera_dialects::builtin;
use tessera_dialects::mlir::{At, Block, Op, Pass, Reported, Rewriter};
use tessera_dialects::tensix::program::Builder;
use tessera_dialects::tensix::ProgramOp;
use tessera_isa_tensix::table::Replay;
use tessera_isa_tensix::Instruction;

use crate::driver::registry::PassInfo;
use crate::targets::tensix::tensix_words::{is_expanded, parts, threads, weight, Part};

/// The pass's entry in the registry.
pub const INFO: PassInfo = PassInfo {
    name: "tensix-form-replay",
    description: "Replays repeated instruction sequences from the replay buffer",
    anchor: Some(builtin::ModuleOp::NAME),
    options: &[],
    make: |_| Ok(Box::new(TensixFormReplay)),
};

/// Capacity of the replay buffer, in words.
const BUFFER: usize = 32;
/// Number of candidates for the search: those that save most on their own.
const MAX_CANDIDATES: usize = 14;

struct TensixFormReplay;

impl Pass for TensixFormReplay {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run<'a>(&self, module: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
        let mut chosen = Chosen::default();
        for (program, block) in threads(module) {
            form(program, block, &mut chosen, rewriter);
        }
        Ok(())
    }
}

/// Consecutively pushed words and their number of executions. Words are numbers of a [`Table`].
struct Run<'a> {
    words: Vec<u32>,
    ops: Vec<Op<'a>>,
    weight: u64,
}

impl Run<'_> {
    fn new(weight: u64) -> Self {
        Run {
            words: Vec::new(),
            ops: Vec::new(),
            weight,
        }
    }
}

/// Distinct instructions, numbered.
#[derive(Default)]
struct Table {
    numbers: HashMap<Instruction, u32>,
    instructions: Vec<Instruction>,
}

impl Table {
    fn number(&mut self, instruction: Instruction) -> u32 {
        let instructions = &mut self.instructions;
        *self.numbers.entry(instruction).or_insert_with(|| {
            instructions.push(instruction);
            instructions.len() as u32 - 1
        })
    }
}

/// Cache of selected sequences by the words and weights of runs. Words are numbered in order of
/// first occurrence, so threads that differ only in their instructions share an entry.
#[derive(Default)]
struct Chosen(HashMap<Vec<(Vec<u32>, u64)>, Vec<Vec<u32>>>);

impl Chosen {
    fn windows(&mut self, runs: &[Run]) -> &[Vec<u32>] {
        let key = runs.iter().map(|run| (run.words.clone(), run.weight));
        self.0.entry(key.collect()).or_insert_with(|| {
            let windows = choose(runs).into_iter();
            windows.map(<[u32]>::to_vec).collect()
        })
    }
}

fn form<'a>(
    program: ProgramOp<'a>,
    block: Block<'a>,
    chosen: &mut Chosen,
    rewriter: &Rewriter<'a>,
) {
    let (mut runs, mut table) = (Vec::new(), Table::default());
    collect(&parts(block), 1, &mut runs, &mut table);
    let windows: Vec<&[u32]> = chosen.windows(&runs).iter().map(Vec::as_slice).collect();
    if windows.is_empty() {
        return;
    }
    for run in &runs {
        replace(run, &windows, rewriter);
    }
    let Some(first) = block.ops().first().copied() else {
        return;
    };
    let build = Builder::new(rewriter, program.location());
    let mut start = 0;
    for window in &windows {
        let load = Replay {
            start_idx: start,
            len: window.len() as u32,
            execute_while_loading: 0,
            load_mode: 1,
        };
        rewriter.insert(At::Before(first), build.instruction(load));
        for word in *window {
            let instruction = table.instructions[*word as usize];
            rewriter.insert(At::Before(first), build.instruction(instruction));
        }
        start += window.len() as u32;
    }
}

/// Collects the runs of a list and its nested lists.
fn collect<'a>(list: &[Part<'a>], times: u64, runs: &mut Vec<Run<'a>>, table: &mut Table) {
    let mut run = Run::new(times);
    let end = |run: &mut Run<'a>, runs: &mut Vec<Run<'a>>| {
        let run = std::mem::replace(run, Run::new(times));
        if run.words.len() > 1 {
            runs.push(run);
        }
    };
    for part in list {
        match part {
            Part::Word(word, op) if !is_expanded(*word) => {
                run.words.push(table.number(*word));
                run.ops.push(*op);
            }
            Part::Word(..) => end(&mut run, runs),
            Part::Loop { trip, body, .. } => {
                end(&mut run, runs);
                collect(body, times.saturating_mul(weight(*trip)), runs, table);
            }
            Part::Other { bodies, op } => {
                // Pure arithmetic does not separate words.
                if !bodies.is_empty() || !op.name().starts_with("arith.") {
                    end(&mut run, runs);
                }
                for body in bodies {
                    collect(body, times, runs, table);
                }
            }
        }
    }
    end(&mut run, runs);
}

/// Selects the sequences to record.
fn choose<'r>(runs: &'r [Run]) -> Vec<&'r [u32]> {
    let pairs = pairs(runs);
    let candidates = candidates(runs, &pairs);
    let mut search = Search {
        runs,
        candidates: &candidates,
        pairs: &pairs,
        best: (0, Vec::new()),
    };
    search.search_from(0, &mut Vec::new(), 0);
    search.best.1
}

/// Returns the sequences that save most on their own, with their savings. Ties prefer longer
/// sequences, then earlier ones.
fn candidates<'r>(runs: &'r [Run], pairs: &Pairs) -> Vec<(u64, &'r [u32])> {
    let mut windows: Vec<_> = repeated(runs).into_iter().enumerate().collect();
    windows.sort_by_cached_key(|(_, window)| Reverse(most_saved(window, pairs)));
    let mut best = Vec::new();
    for (number, window) in windows {
        let last = best.get(MAX_CANDIDATES - 1);
        let least = last.map_or(1, |(Reverse((saved, _)), _, _)| *saved);
        if most_saved(window, pairs) < least {
            break;
        }
        let saved = saved(runs, &[window]);
        if saved > 0 {
            let found = (Reverse((saved, window.len())), number, window);
            let at = best.partition_point(|other| *other < found);
            best.insert(at, found);
            best.truncate(MAX_CANDIDATES);
        }
    }
    let best = best.into_iter();
    best.map(|(Reverse((saved, _)), _, window)| (saved, window))
        .collect()
}

/// How often each word is followed by each other word.
type Pairs = HashMap<(u32, u32), u64>;

fn pairs(runs: &[Run]) -> Pairs {
    let mut pairs = Pairs::new();
    for run in runs {
        for pair in run.words.windows(2) {
            let times = pairs.entry((pair[0], pair[1])).or_default();
            *times = times.saturating_add(run.weight);
        }
    }
    pairs
}

/// Returns an upper bound of the pushes that sequences save together, before recording costs: one
/// push per occurrence of each of their word pairs.
fn pushes_within<'w>(windows: impl IntoIterator<Item = &'w [u32]>, pairs: &Pairs) -> u64 {
    let windows = windows.into_iter();
    let mut own: Vec<_> = windows
        .flat_map(|window| window.windows(2).map(|pair| (pair[0], pair[1])))
        .collect();
    own.sort_unstable();
    own.dedup();
    own.iter().fold(0, |sum, pair| {
        sum.saturating_add(pairs.get(pair).copied().unwrap_or(0))
    })
}

/// Returns an upper bound of what a sequence saves on its own.
fn most_saved(window: &[u32], pairs: &Pairs) -> u64 {
    pushes_within([window], pairs).saturating_sub(recording(&[window]))
}

/// Returns the pushes that recording costs.
fn recording(windows: &[&[u32]]) -> u64 {
    windows.iter().map(|window| window.len() as u64 + 1).sum()
}

/// Returns the sequences that occur more than once, in order of first occurrence.
fn repeated<'r>(runs: &'r [Run]) -> Vec<&'r [u32]> {
    let windows = || {
        runs.iter().flat_map(|run| {
            let lengths = 2..=BUFFER.min(run.words.len());
            let windows = lengths.flat_map(|length| run.words.windows(length));
            windows.map(|window| (window, run.weight))
        })
    };
    let mut occurring: HashMap<&[u32], u64> = HashMap::new();
    for (window, weight) in windows() {
        let times = occurring.entry(window).or_default();
        *times = times.saturating_add(weight);
    }
    let mut order = Vec::new();
    for (window, _) in windows() {
        // Without duplicates.
        if occurring.remove(window).is_some_and(|times| times > 1) {
            order.push(window);
        }
    }
    order
}

/// Branch-and-bound search over sets of candidates that fit into the buffer.
struct Search<'c, 'r> {
    runs: &'r [Run<'r>],
    candidates: &'c [(u64, &'r [u32])],
    pairs: &'c Pairs,
    best: (u64, Vec<&'r [u32]>),
}

impl<'r> Search<'_, 'r> {
    /// Decides on the candidates from number `at` onwards.
    fn search_from(&mut self, at: usize, chosen: &mut Vec<&'r [u32]>, value: u64) {
        if value > self.best.0 {
            self.best = (value, chosen.clone());
        }
        let Some((_, window)) = self.candidates.get(at) else {
            return;
        };
        if self.bound(at, chosen, value) <= self.best.0 {
            return;
        }
        let taken: usize = chosen.iter().map(|window| window.len()).sum();
        let new = !chosen.iter().any(|other| contains(other, window));
        if new && taken + window.len() <= BUFFER {
            chosen.push(window);
            let value = saved(self.runs, chosen);
            self.search_from(at + 1, chosen, value);
            chosen.pop();
        }
        self.search_from(at + 1, chosen, value);
    }

    /// Returns an upper bound of the savings of any set with the chosen candidates and at least one
    /// from number `at` onwards.
    fn bound(&self, at: usize, chosen: &[&[u32]], value: u64) -> u64 {
        let rest = &self.candidates[at..];
        let windows = rest.iter().map(|(_, window)| *window);
        let shortest = windows.clone().min_by_key(|window| window.len());
        let costs = recording(chosen) + recording(shortest.as_slice());
        let within = pushes_within(windows.chain(chosen.iter().copied()), self.pairs);
        // Nor can a set save more than the sum of its members' own savings.
        let alone = rest
            .iter()
            .fold(value, |sum, (saved, _)| sum.saturating_add(*saved));
        within.saturating_sub(costs).min(alone)
    }
}

/// Returns whether a sequence is part of another.
fn contains(whole: &[u32], part: &[u32]) -> bool {
    whole.windows(part.len()).any(|window| window == part)
}

/// Returns the net pushes saved by recording sequences.
fn saved(runs: &[Run], windows: &[&[u32]]) -> u64 {
    let saved: u64 = runs
        .iter()
        .map(|run| {
            let pushes = cover(&run.words, windows).count() as u64;
            run.weight.saturating_mul(run.words.len() as u64 - pushes)
        })
        .sum();
    saved.saturating_sub(recording(windows))
}

/// One push of a cover: a word, or a replay of some words of the buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pushed {
    /// The index of the first word in the buffer; `None` for a word that is pushed itself.
    start: Option<usize>,
    /// The number of words.
    length: usize,
}

/// Returns a minimal cover of `words` by pushes. Greedy: each push takes as many words as possible.
/// This is optimal, since any part of a recorded sequence can be replayed.
fn cover<'w>(words: &'w [u32], windows: &'w [&[u32]]) -> impl Iterator<Item = Pushed> + 'w {
    let mut rest = words;
    std::iter::from_fn(move || {
        let first = *rest.first()?;
        let mut push = Pushed {
            start: None,
            length: 1,
        };
        let mut base = 0;
        for window in windows {
            for start in (0..window.len()).filter(|start| window[*start] == first) {
                let length = common(&window[start..], rest);
                if length > push.length {
                    let start = Some(base + start);
                    push = Pushed { start, length };
                }
            }
            base += window.len();
        }
        rest = &rest[push.length..];
        Some(push)
    })
}

/// Returns the length of the common prefix of two sequences.
fn common(a: &[u32], b: &[u32]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

fn replace<'a>(run: &Run<'a>, windows: &[&[u32]], rewriter: &Rewriter<'a>) {
    let mut at = 0;
    for pushed in cover(&run.words, windows) {
        if let Some(start) = pushed.start {
            let first = run.ops[at];
            let replay = Replay {
                start_idx: start as u32,
                len: pushed.length as u32,
                execute_while_loading: 0,
                load_mode: 0,
            };
            let build = Builder::new(rewriter, first.location());
            rewriter.insert(At::Before(first), build.instruction(replay));
            for op in &run.ops[at..at + pushed.length] {
                rewriter.erase(*op);
            }
        }
        at += pushed.length;
    }
}

#[cfg(test)]
mod tests;
