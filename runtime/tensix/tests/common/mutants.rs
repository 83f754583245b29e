//! Programs that lack one wait, post or flip.

use tessera_isa_tensix::list::{DmEntry, Entry, Lists};
use tessera_isa_tensix::{Arch, Instruction};

/// Returns whether a word only synchronises: without it the program must fail under some schedule.
fn synchronises(entry: &Entry) -> bool {
    match entry {
        Entry::Push(word) => match Instruction::decode(Arch::WormholeB0, *word).unwrap() {
            Instruction::Stallwait(_)
            | Instruction::Semwait(_)
            | Instruction::Sempost(_)
            | Instruction::Semget(_) => true,
            // Releases a bank without other effects.
            Instruction::UnpacrNop(i) => i.no_op == 7,
            _ => false,
        },
        Entry::WaitMop
        | Entry::WaitIdle
        | Entry::SemPost(_)
        | Entry::SemGet(_)
        | Entry::SemPoll { .. }
        | Entry::Post { .. }
        | Entry::Wait { .. } => true,
        Entry::MopCfg { .. } => false,
    }
}

/// Returns the word without its release of banks, if it releases any.
fn without_flip(word: u32) -> Option<u32> {
    let mut instruction = Instruction::decode(Arch::WormholeB0, word).ok()?;
    match &mut instruction {
        Instruction::Unpacr(i) if i.set_dat_valid != 0 => i.set_dat_valid = 0,
        Instruction::Setrwc(i) if i.clear_ab_vld != 0 => i.clear_ab_vld = 0,
        Instruction::Mvmul(i) if i.clear_dvalid != 0 => i.clear_dvalid = 0,
        // Selects the other half of Dst.
        Instruction::Setc16(i) if i.setc16_reg == 1 => i.setc16_value ^= 256,
        _ => return None,
    }
    instruction.encode(Arch::WormholeB0).ok()
}

/// Returns every variant of `lists` that lacks one wait, post or flip, with a description.
fn mutants(lists: &Lists) -> Vec<(String, Lists)> {
    let mut out = Vec::new();
    for (name, select) in LISTS {
        for k in 0..lists.thread(thread_of(name)).len() {
            let entry = lists.thread(thread_of(name))[k];
            let mut mutant = lists.clone();
            if synchronises(&entry) {
                select(&mut mutant).remove(k);
                out.push((format!("{name} entry {k}, `{entry}`, removed"), mutant));
                continue;
            }
            let changed = match entry {
                Entry::Push(word) => without_flip(word).map(Entry::Push),
                Entry::MopCfg { index, value } => {
                    without_flip(value).map(|value| Entry::MopCfg { index, value })
                }
                _ => None,
            };
            if let Some(changed) = changed {
                select(&mut mutant)[k] = changed;
                out.push((
                    format!("{name} entry {k}, `{entry}`, without its flip"),
                    mutant,
                ));
            }
        }
    }
    for (k, entry) in lists.dm.iter().enumerate() {
        if matches!(entry, DmEntry::Post { .. } | DmEntry::Wait { .. }) {
            let mut mutant = lists.clone();
            mutant.dm.remove(k);
            out.push((format!("dm entry {k}, `{entry}`, removed"), mutant));
        }
    }
    out
}

type Select = fn(&mut Lists) -> &mut Vec<Entry>;
const LISTS: [(&str, Select); 3] = [
    ("unpack", |l| &mut l.unpack),
    ("math", |l| &mut l.math),
    ("pack", |l| &mut l.pack),
];

fn thread_of(name: &str) -> usize {
    LISTS.iter().position(|&(n, _)| n == name).unwrap()
}

/// Checks that exactly the mutants of `lists` that are not in `redundant` fail under some of 100
/// seeds; `passes(mutant, seed)` runs one.
pub fn check_mutants(lists: &Lists, redundant: &[&str], passes: impl Fn(&Lists, u64) -> bool) {
    let mutants = mutants(lists);
    assert!(mutants.len() > 40, "{}", mutants.len());
    let survivors: Vec<&str> = mutants
        .iter()
        .filter(|(_, mutant)| (0..100).all(|seed| passes(mutant, seed)))
        .map(|(what, _)| what.as_str())
        .collect();
    assert_eq!(survivors, redundant, "of {} mutants", mutants.len());
}
