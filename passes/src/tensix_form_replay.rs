//! `tensix-form-replay`: sequences of words that a thread pushes again and again go into its replay buffer.
//!
//! The buffer holds 32 words; what it holds is recorded at the start and stays. Candidates are all sequences of 2 to 32
//! words; a set of them is chosen, by branch and bound, that leaves the fewest pushes, where each loop counts as often as it
//! turns (rulings 4, step 3). A part of a recorded sequence can be replayed, too. The words that are executed stay the same, one
//! by one.

use std::collections::{HashMap, HashSet};

use tessera_dialects::mlir::{At, Block, Op, Pass, Reported, Rewriter};
use tessera_dialects::tensix::program::{Builder, Core};
use tessera_isa_tensix::table::Replay;
use tessera_isa_tensix::Instruction;

use crate::registry::PassInfo;
use crate::tensix_words::{is_expanded, parts, weight, Part};

/// How the registry knows the pass.
pub const INFO: PassInfo = PassInfo {
    name: "tensix-form-replay",
    description: "Lets threads replay the sequences of instructions that they repeat",
    anchor: Some("builtin.module"),
    options: &[],
    make: |_| Ok(Box::new(TensixFormReplay)),
};

/// Words that the replay buffer holds.
const BUFFER: usize = 32;
/// Sequences among which a set is chosen: those that would save most on their own.
const MOST_CANDIDATES: usize = 14;

struct TensixFormReplay;

impl Pass for TensixFormReplay {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run<'a>(&self, module: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
        for program in module.find_all("tensix.program") {
            for (core, region) in Core::ALL.into_iter().zip(program.regions()) {
                if let (true, Some(block)) = (core.has_thread(), region.blocks().first()) {
                    form(program, *block, rewriter);
                }
            }
        }
        Ok(())
    }
}

/// Words pushed one after the other, and how often.
struct Run<'a, W> {
    words: Vec<W>,
    ops: Vec<Op<'a>>,
    weight: u64,
}

fn form<'a>(program: Op<'a>, block: Block<'a>, rewriter: &Rewriter<'a>) {
    let mut runs = Vec::new();
    collect(&parts(block), 1, &mut runs);
    let windows = choose(&runs);
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
        for instruction in window {
            rewriter.insert(At::Before(first), build.instruction(*instruction));
        }
        start += window.len() as u32;
    }
}

/// The runs in a list, and in those inside.
fn collect<'a>(list: &[Part<'a>], times: u64, runs: &mut Vec<Run<'a, Instruction>>) {
    let mut run = Run {
        words: Vec::new(),
        ops: Vec::new(),
        weight: times,
    };
    let end = |run: &mut Run<'a, Instruction>, runs: &mut Vec<Run<'a, Instruction>>| {
        let next = Run {
            words: Vec::new(),
            ops: Vec::new(),
            weight: times,
        };
        let run = std::mem::replace(run, next);
        if run.words.len() > 1 {
            runs.push(run);
        }
    };
    for part in list {
        match part {
            Part::Word(word, op) if !is_expanded(*word) => {
                run.words.push(*word);
                run.ops.push(*op);
            }
            Part::Word(..) => end(&mut run, runs),
            Part::Loop { trip, body, .. } => {
                end(&mut run, runs);
                collect(body, times.saturating_mul(weight(*trip)), runs);
            }
            Part::Other { bodies, op } => {
                // What only computes does not come between words.
                if !bodies.is_empty() || !op.name().starts_with("arith.") {
                    end(&mut run, runs);
                }
                for body in bodies {
                    collect(body, times, runs);
                }
            }
        }
    }
    end(&mut run, runs);
}

/// What is chosen among: instructions, or in tests numbers.
trait Word: Copy + Eq + std::hash::Hash {}
impl<W: Copy + Eq + std::hash::Hash> Word for W {}

/// The sequences to record.
fn choose<W: Word>(runs: &[Run<W>]) -> Vec<Vec<W>> {
    let mut occurring: HashMap<&[W], u64> = HashMap::new();
    for run in runs {
        for length in 2..=BUFFER.min(run.words.len()) {
            for window in run.words.windows(length) {
                *occurring.entry(window).or_default() += run.weight;
            }
        }
    }
    // What occurs once is not worth its recording; and of sequences that always occur together the longest will do.
    let mut candidates: Vec<(u64, &[W])> = in_order(runs, &occurring)
        .into_iter()
        .map(|window| (saved(runs, &[window]), window))
        .filter(|(saved, _)| *saved > 0)
        .collect();
    candidates.sort_by_key(|(saved, window)| std::cmp::Reverse((*saved, window.len())));
    candidates.truncate(MOST_CANDIDATES);
    let mut search = Search {
        runs,
        candidates: &candidates,
        best: (0, Vec::new()),
    };
    search.from(0, &mut Vec::new(), 0);
    search.best.1.into_iter().map(<[W]>::to_vec).collect()
}

/// The sequences that occur more than once, in the order in which they are met first.
fn in_order<'r, W: Word>(runs: &'r [Run<W>], occurring: &HashMap<&'r [W], u64>) -> Vec<&'r [W]> {
    let mut seen = HashSet::new();
    let mut order = Vec::new();
    for run in runs {
        for length in 2..=BUFFER.min(run.words.len()) {
            let windows = run.words.windows(length);
            order.extend(windows.filter(|window| occurring[window] > 1 && seen.insert(*window)));
        }
    }
    order
}

/// A search through the sets of candidates that fit into the buffer.
struct Search<'s, W> {
    runs: &'s [Run<'s, W>],
    candidates: &'s [(u64, &'s [W])],
    best: (u64, Vec<&'s [W]>),
}

impl<'s, W: Word> Search<'s, W> {
    /// Decides on the candidates from number `at` on.
    fn from(&mut self, at: usize, chosen: &mut Vec<&'s [W]>, value: u64) {
        if value > self.best.0 {
            self.best = (value, chosen.clone());
        }
        let rest = &self.candidates[at..];
        // No set saves more than its members do on their own.
        let bound: u64 = rest.iter().map(|(saved, _)| saved).sum();
        if rest.is_empty() || value + bound <= self.best.0 {
            return;
        }
        let window = rest[0].1;
        let taken: usize = chosen.iter().map(|window| window.len()).sum();
        if taken + window.len() <= BUFFER {
            chosen.push(window);
            let value = saved(self.runs, chosen);
            self.from(at + 1, chosen, value);
            chosen.pop();
        }
        self.from(at + 1, chosen, value);
    }
}

/// Pushes that are saved if these sequences are recorded, which costs some, too.
fn saved<W: Word>(runs: &[Run<W>], windows: &[&[W]]) -> u64 {
    let recorded: u64 = windows.iter().map(|window| window.len() as u64 + 1).sum();
    let saved: u64 = runs
        .iter()
        .map(|run| {
            let pushes = cover(&run.words, windows).len() as u64;
            run.weight.saturating_mul(run.words.len() as u64 - pushes)
        })
        .sum();
    saved.saturating_sub(recorded)
}

/// One push of a cover: a word, or some words that lie in the buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pushed {
    /// Where the words begin in the buffer; nothing for one that is pushed itself.
    start: Option<usize>,
    /// How many words.
    length: usize,
}

/// The fewest pushes that give these words.
fn cover<W: Word>(words: &[W], windows: &[&[W]]) -> Vec<Pushed> {
    let alone = Pushed {
        start: None,
        length: 1,
    };
    // For each place the number of pushes from there on, and the first of them.
    let mut best = vec![(0, alone); words.len() + 1];
    for at in (0..words.len()).rev() {
        best[at] = (best[at + 1].0 + 1, alone);
        for (start, length) in matches(&words[at..], windows) {
            // A part of what matches does as well: a shorter one may leave a better rest.
            for length in 2..=length {
                let pushes = best[at + length].0 + 1;
                if pushes < best[at].0 {
                    let start = Some(start);
                    best[at] = (pushes, Pushed { start, length });
                }
            }
        }
    }
    let mut cover = Vec::new();
    let mut at = 0;
    while at < words.len() {
        cover.push(best[at].1);
        at += best[at].1.length;
    }
    cover
}

/// Where in the buffer a sequence begins like `words`, and for how long it goes on so.
fn matches<'w, W: Word>(
    words: &'w [W],
    windows: &'w [&[W]],
) -> impl Iterator<Item = (usize, usize)> + 'w {
    let mut first = 0;
    windows.iter().flat_map(move |window| {
        let base = first;
        first += window.len();
        (0..window.len()).filter_map(move |start| {
            let same = window[start..]
                .iter()
                .zip(words)
                .take_while(|(a, b)| a == b);
            let length = same.count();
            (length > 1).then_some((base + start, length))
        })
    })
}

fn replace<'a>(run: &Run<'a, Instruction>, windows: &[Vec<Instruction>], rewriter: &Rewriter<'a>) {
    let windows: Vec<&[Instruction]> = windows.iter().map(Vec::as_slice).collect();
    let mut at = 0;
    for pushed in cover(&run.words, &windows) {
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
mod tests {
    use super::*;

    fn run(words: &[u32], weight: u64) -> Run<'static, u32> {
        Run {
            words: words.to_vec(),
            ops: Vec::new(),
            weight,
        }
    }

    #[test]
    fn sets_that_save_most_are_chosen() {
        let long: Vec<u32> = (0..40).collect();
        for (runs, expect) in [
            // Nothing is repeated.
            (vec![run(&[1, 2, 3], 1)], vec![]),
            // A loop repeats what is in it.
            (vec![run(&[1, 2, 3], 16)], vec![vec![1, 2, 3]]),
            // Recording costs more than it saves.
            (vec![run(&[1, 2], 3)], vec![]),
            (vec![run(&[1, 2], 4)], vec![vec![1, 2]]),
            // A part of what is recorded serves elsewhere.
            (
                vec![run(&[1, 2, 3, 4], 16), run(&[9, 2, 3, 9], 2)],
                vec![vec![1, 2, 3, 4]],
            ),
            // What does not fit is recorded as far as it does.
            (vec![run(&long, 16)], vec![long[..32].to_vec()]),
            // Twice the same within a run.
            (
                vec![run(&[5, 6, 7, 0, 5, 6, 7], 8)],
                vec![vec![5, 6, 7, 0, 5, 6, 7]],
            ),
        ] {
            let words: Vec<_> = runs.iter().map(|run| run.words.clone()).collect();
            assert_eq!(choose(&runs), expect, "{words:?}");
        }
    }

    #[test]
    fn covers_give_the_words() {
        let windows: [&[u32]; 2] = [&[1, 2, 3, 4], &[7, 7]];
        let buffer: Vec<u32> = windows.concat();
        for (words, pushes) in [
            (vec![1, 2, 3, 4], 1),
            (vec![2, 3], 1),
            (vec![1, 2, 1, 2, 3], 2),
            (vec![4, 7, 7, 9], 3),
            (vec![7, 7, 7], 2),
            (vec![5], 1),
            (vec![], 0),
        ] {
            let cover = cover(&words, &windows);
            assert_eq!(cover.len(), pushes, "{words:?}");
            let mut given = Vec::new();
            for pushed in cover {
                match pushed.start {
                    Some(start) => given.extend(&buffer[start..start + pushed.length]),
                    None => given.push(words[given.len()]),
                }
            }
            assert_eq!(given, words);
        }
    }
}
