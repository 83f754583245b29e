//! The Tensix device executes the words of a kernel in the program file: damage to a word is
//! detected.

use std::sync::Arc;

use tessera_program::{Binary, Image, KernelBody, TensixImages};
use tessera_reference::Tensor;
use tessera_runtime::devices::tensix::TensixOptions;

use crate::bench::{compile_operation, inputs, on_tensix, only};

fn images(binary: &mut Binary) -> &mut TensixImages {
    binary
        .kernels
        .iter_mut()
        .find_map(|kernel| match &mut kernel.body {
            KernelBody::TensixImages(images) => Some(&mut **images),
            _ => None,
        })
        .expect("a kernel of images")
}

/// Returns the file with one bit of one core's code flipped, written and read again.
fn flipped(binary: &Binary, core: usize, word: usize, bit: u32) -> Binary {
    let mut mutant = binary.clone();
    let image = &mut images(&mut mutant).tiles[0][core].image;
    let mut words = image.words().to_vec();
    words[word] ^= 1 << bit;
    *image = Arc::new(Image::new(words, image.steps().to_vec()));
    let bytes = mutant.to_bytes().expect("any word can be written");
    Binary::read(&bytes).expect("and read")
}

/// Returns the words whose bits have no effect, as core and disassembly, and the number of all
/// words.
fn survivors(binary: &Binary) -> (Vec<String>, usize) {
    let inputs = inputs(only(binary), 3);
    let options = TensixOptions {
        limit: Some(200_000),
        ..TensixOptions::default()
    };
    let result = |binary: &Binary| -> Result<Vec<Tensor>, String> {
        on_tensix(binary, only(binary), &inputs, options).map(|(outputs, _)| outputs)
    };
    let expect = result(binary).unwrap_or_else(|error| panic!("{error}"));
    let mut survivors = Vec::new();
    let mut words = 0;
    for (core, found) in images(&mut binary.clone()).tiles[0].iter().enumerate() {
        for (at, word) in found.image.words().iter().enumerate() {
            words += 1;
            // Bits of what is done before bits of what it is done to.
            let is_noticed = |bit| result(&flipped(binary, core, at, bit)).as_ref() != Ok(&expect);
            if !(0..32).any(is_noticed) {
                survivors.push(format!("core {core}, word {at}, {word:#010x}"));
            }
        }
    }
    (survivors, words)
}

/// Checks that at most one word in twenty has no effect.
#[track_caller]
fn check(binary: &Binary) {
    let (survivors, words) = survivors(binary);
    assert!(
        survivors.len() * 20 <= words,
        "{} of {words} words do not matter: {survivors:#?}",
        survivors.len()
    );
}

#[test]
fn every_word_of_a_product_matters() {
    check(&compile_operation(
        "words",
        "matmul",
        &["32x64", "64x32"],
        "32x32",
    ));
}

/// The kernel adds a bias element by element and uses edge masks.
#[test]
fn every_word_of_a_linear_layer_matters() {
    check(&compile_operation(
        "words_linear",
        "linear",
        &["31x32", "32x17", "17"],
        "31x17",
    ));
}

/// The kernel uses the vector unit.
#[test]
fn every_word_of_a_negation_matters() {
    check(&compile_operation("words_neg", "neg", &["31x17"], "31x17"));
}
