//! The words of PE memories that a body addresses explicitly.

use std::ops::Range;

use tessera_isa_mncore::memory::{Bank, CYCLES};

use crate::body::{indices, Body};
use crate::item::{Item, Place, Source, Target};

/// Returns the words that a body addresses, as sorted ranges.
pub fn addressed_ranges(body: &Body) -> Vec<(Bank, Range<u16>)> {
    let words = addressed_words(body);
    let mut runs = Vec::new();
    for bank in Bank::ALL {
        let mut first = 0;
        for run in words[bank as usize].chunk_by(|one, other| one == other) {
            let end = first + run.len() as u16;
            if run[0] {
                runs.push((bank, first..end));
            }
            first = end;
        }
    }
    runs
}

/// Returns, for each memory, which words a body addresses in any iteration.
pub fn addressed_words(body: &Body) -> [Vec<bool>; 4] {
    let mut named = Bank::ALL.map(|bank| vec![false; bank.words().into()]);
    let counts: Vec<u32> = body.outer.iter().chain(&body.trip).copied().collect();
    for place in body.items.iter().flat_map(places) {
        let named = &mut named[place.bank as usize];
        let size = named.len();
        // Dimensions that do not move the address need not be enumerated.
        let extents = counts.iter().enumerate().map(|(dimension, &count)| {
            match place.address.steps.get(dimension) {
                None | Some(0) => 1,
                Some(_) => count,
            }
        });
        for index in indices(&extents.collect::<Vec<_>>()) {
            let first = place.address.eval(&index) as usize;
            for cycle in 0..CYCLES {
                let first = first + usize::from(place.stride) * cycle;
                for word in first..first + usize::from(place.width.words()) {
                    named[word % size] = true;
                }
            }
        }
    }
    named
}

/// Returns the places that an item addresses.
fn places(item: &Item) -> impl Iterator<Item = &Place> {
    let inputs = item.inputs.iter().filter_map(|input| match &input.source {
        Source::Memory(place) => Some(place),
        _ => None,
    });
    let outputs = item
        .outputs
        .iter()
        .filter_map(|output| match &output.target {
            Target::Memory(place) => Some(place),
            Target::Value(_) => None,
        });
    inputs.chain(outputs)
}
