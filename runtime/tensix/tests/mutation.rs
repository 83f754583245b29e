//! Every word of the matmul kernel matters: each has a bit whose flip traps, deadlocks or changes
//! the result.

mod common;

use common::{noise, program, run, tile};
use tessera_isa_tensix::list::{Entry, Lists};

const ONE_TILE: &str = include_str!("programs/matmul_one_tile.tensix");

/// Words whose bits may all be flipped, with the reason.
const SURVIVORS: [&str; 1] = [
    // Replaces the last inner instruction of every outer iteration but the last; there is one outer
    // iteration.
    "math entry 33, `.mopcfg 8, 0x04040100`",
];

/// Returns the word of an entry, if it has one.
fn word(entry: &mut Entry) -> Option<&mut u32> {
    match entry {
        Entry::Push(word) | Entry::MopCfg { value: word, .. } => Some(word),
        _ => None,
    }
}

fn lists(kernel: &mut Lists) -> [(&'static str, &mut Vec<Entry>); 3] {
    [
        ("unpack", &mut kernel.unpack),
        ("math", &mut kernel.math),
        ("pack", &mut kernel.pack),
    ]
}

#[test]
fn every_word_matters() {
    let kernel = program(ONE_TILE);
    let a = [tile(|i, k| noise(1, i, k))];
    let b = [tile(|k, j| noise(2, k, j))];
    let result = |kernel: &Lists| run(kernel, &[&a, &b], 1, 0).map(|(out, _)| out);
    let expect = result(&kernel).unwrap_or_else(|trap| panic!("{trap}"));
    let (mut flips, mut noticed, mut survivors) = (0, 0, Vec::new());
    for thread in 0..3 {
        for k in 0..kernel.thread(thread).len() {
            let entry = kernel.thread(thread)[k];
            if word(&mut entry.clone()).is_none() {
                continue;
            }
            let mut noticed_here = 0;
            for bit in 0..32 {
                let mut mutant = kernel.clone();
                if let Some(word) = word(&mut lists(&mut mutant)[thread].1[k]) {
                    *word ^= 1 << bit;
                }
                noticed_here += u32::from(result(&mutant).as_ref() != Ok(&expect));
            }
            flips += 32;
            noticed += noticed_here;
            if noticed_here == 0 {
                survivors.push(format!(
                    "{} entry {k}, `{entry}`",
                    lists(&mut kernel.clone())[thread].0
                ));
            }
        }
    }
    assert_eq!(survivors, SURVIVORS);
    // The other bits affect only what this kernel does not use: other buffers, zeros over zeros,
    // hints.
    assert!(
        noticed * 100 >= flips * 60,
        "{noticed} of {flips} flips noticed"
    );
}
