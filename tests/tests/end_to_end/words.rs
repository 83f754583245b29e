//! The words of a kernel in a program file are what the Tensix device executes.

use tessera_isa_tensix::list::{Entry, Lists};
use tessera_program::{Binary, KernelBody};
use tessera_runtime::TensixOptions;

use crate::bench::{compile_operation, inputs, on_tensix, only};

/// The program that `runtime/tensix/tests` explains word by word and damages bit by bit.
const WRITTEN: &str = include_str!("../../../runtime/tensix/tests/programs/matmul_one_tile.tensix");

const THREADS: [&str; 3] = ["unpack", "math", "pack"];

fn one_tile(name: &str) -> Binary {
    compile_operation(name, "matmul", &["32x32", "32x32"], "32x32")
}

#[test]
fn the_compiled_kernel_is_the_written_one() {
    let written: Lists = WRITTEN.parse().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(
        lists_in(&mut one_tile("written")).to_string(),
        written.to_string()
    );
}

/// The lists of the only kernel.
fn lists_in(binary: &mut Binary) -> &mut Lists {
    let KernelBody::Tensix(kernel) = &mut binary.kernels[0].body else {
        panic!("the kernel is not one of lists")
    };
    &mut kernel.lists
}

/// A thread's list.
fn list_in(binary: &mut Binary, thread: usize) -> &mut Vec<Entry> {
    let lists = lists_in(binary);
    [&mut lists.unpack, &mut lists.math, &mut lists.pack]
        .into_iter()
        .nth(thread)
        .expect("there are three threads")
}

/// The word of an entry that has one.
fn word(entry: &mut Entry) -> Option<&mut u32> {
    match entry {
        Entry::Push(word) | Entry::MopCfg { value: word, .. } => Some(word),
        _ => None,
    }
}

/// What became of a kernel's words when each of their bits was flipped, one at a time, in the file.
struct Flips {
    words: usize,
    /// Words none of whose bits matters, with the place in their list.
    survivors: Vec<String>,
    /// Percentage of all single-bit flips that trapped, deadlocked or changed a bit of the result.
    noticed_bits: u32,
}

fn flip_every_bit(binary: &Binary) -> Flips {
    let inputs = inputs(only(binary), 3);
    let run = |binary: &Binary| on_tensix(binary, only(binary), &inputs, TensixOptions::default());
    let result = |binary: &Binary| run(binary).map(|(outputs, _)| outputs);
    let expect = result(binary).unwrap_or_else(|error| panic!("{error}"));
    let (mut words, mut noticed, mut survivors) = (0, 0, Vec::new());
    let mut mutant = binary.clone();
    for (thread, name) in THREADS.into_iter().enumerate() {
        for at in 0..list_in(&mut mutant, thread).len() {
            let entry = list_in(&mut mutant, thread)[at];
            if word(&mut entry.clone()).is_none() {
                continue;
            }
            let mut noticed_here = 0;
            for bit in 0..32 {
                let flipped = &mut list_in(&mut mutant, thread)[at];
                *flipped = entry;
                word(flipped).into_iter().for_each(|word| *word ^= 1 << bit);
                let bytes = mutant.to_bytes().expect("any word can be written");
                let read = Binary::read(&bytes).expect("and read");
                noticed_here += u32::from(result(&read).as_ref() != Ok(&expect));
            }
            list_in(&mut mutant, thread)[at] = entry;
            words += 1;
            noticed += noticed_here;
            if noticed_here == 0 {
                survivors.push(format!("{name} entry {at}, `{entry}`"));
            }
        }
    }
    Flips {
        words,
        survivors,
        noticed_bits: 100 * noticed / (32 * words as u32),
    }
}

/// Words of a kernel that may be flipped at will are these, and at most one in twenty.
#[track_caller]
fn check(binary: &Binary, survivors: &[&str], least_noticed_bits: u32) {
    let flips = flip_every_bit(binary);
    assert_eq!(flips.survivors, survivors, "of {} words", flips.words);
    assert!(
        flips.survivors.len() * 20 <= flips.words,
        "of {} words",
        flips.words
    );
    // The other bits only touch what a kernel leaves unused: other buffers, zeros over zeros, hints.
    assert!(
        flips.noticed_bits >= least_noticed_bits,
        "{} % of the bits",
        flips.noticed_bits
    );
}

#[test]
fn every_word_of_a_product_matters() {
    let survivors = [
        // Replaces the last inner instruction of every outer iteration but the last; there is one outer iteration.
        "math entry 33, `.mopcfg 8, 0x04040100`",
    ];
    check(&one_tile("words"), &survivors, 60);
}

/// With a bias that is written out after the recorded product, and edge masks.
#[test]
fn every_word_of_a_linear_layer_matters() {
    let binary = compile_operation("words_linear", "linear", &["31x32", "32x17", "17"], "31x17");
    check(&binary, &["math entry 33, `.mopcfg 8, 0x04040100`"], 60);
}

/// With the vector unit, and a copy that waits for one unpacker only.
#[test]
fn every_word_of_a_negation_matters() {
    let survivors = [
        // A loop of one iteration: its first instruction is its last one, which MopCfg[7] holds.
        "math entry 22, `.mopcfg 5, 0x04040080`",
        "math entry 23, `.mopcfg 6, 0x02000000`",
        "math entry 25, `.mopcfg 8, 0x04040080`",
    ];
    check(
        &compile_operation("words_neg", "neg", &["31x17"], "31x17"),
        &survivors,
        60,
    );
}
