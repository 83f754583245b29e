//! Where the tensors of a program lie in DRAM: each from the first kernel that has it to the last, beside all others that are there meanwhile.
//!
//! What two kernels have in one layout lies there once, but for what is laid out anew: that lies
//! beside what it is made of, which stays as long. In particular it never takes the place of the
//! same tensor in the same layout: the host would leave that there, with the padding for which it
//! is laid out anew.

use std::rc::Rc;

use tessera_isa_mncore::layout::Layout;

use super::{Call, Moved, Relaid};
use crate::compile::arguments::ALIGNMENT;
use crate::compile::Kernel;

/// A tensor in DRAM.
struct Resident {
    tensor: usize,
    layout: Layout,
    /// Whether it was laid out anew.
    is_anew: bool,
    last: usize,
    base: u64,
}

impl Resident {
    fn end(&self) -> u64 {
        (self.base + self.layout.padded_words()).next_multiple_of(ALIGNMENT)
    }
}

/// Where all of them lie.
pub(super) struct Places {
    /// For each kernel its tensors, in the order in which they get their places.
    pub tensors: Vec<Vec<u32>>,
    /// What the chip lays out anew, as its maker left it.
    pub sources: Vec<u32>,
}

pub(super) fn places(
    calls: &[Call],
    kernels: &[Rc<Kernel>],
    relaid: &[Relaid],
    moved: &[Moved],
) -> Places {
    let mut residents: Vec<Resident> = Vec::new();
    let mut uses: Vec<Vec<usize>> = Vec::new();
    for (number, (call, kernel)) in calls.iter().zip(kernels).enumerate() {
        let mut tensors: Vec<_> = kernel.tensors.iter().enumerate().collect();
        tensors.sort_by_key(|(_, tensor)| tensor.layout.base());
        let used = tensors.into_iter().map(|(at, of)| {
            let tensor = call.tensors[of.argument];
            let layout = super::without_place(&of.layout);
            let by_host = relaid.iter().map(|one| (one.call, one.tensor));
            let by_chip = moved.iter().map(|one| (one.call, one.tensor));
            let is_anew = by_host.chain(by_chip).any(|one| one == (number, at));
            let known = residents.iter().position(|there| {
                (there.tensor, there.is_anew) == (tensor, is_anew) && there.layout == layout
            });
            let found = known.unwrap_or_else(|| {
                residents.push(Resident {
                    tensor,
                    layout,
                    is_anew,
                    last: number,
                    base: 0,
                });
                residents.len() - 1
            });
            residents[found].last = number;
            if is_anew {
                keep_made(&mut residents, found);
            }
            found
        });
        uses.push(used.collect());
    }
    let sources = moved.iter().map(|one| {
        let made = kernels[one.from].tensors.last().expect("there is a result");
        let tensor = calls[one.from].tensors[made.argument];
        let is_made = |there: &Resident| (there.tensor, there.is_anew) == (tensor, false);
        let known = residents.iter().position(is_made);
        let known = known.expect("its maker has it");
        residents[known].last = residents[known].last.max(one.call);
        known
    });
    let sources: Vec<usize> = sources.collect();
    let mut placed: Vec<usize> = Vec::new();
    for (number, used) in uses.iter().enumerate() {
        placed.retain(|&there| residents[there].last >= number);
        for &one in used {
            if !placed.contains(&one) {
                let end = residents[one].end();
                residents[one].base = free(placed.iter().map(|&there| &residents[there]), end);
                placed.push(one);
            }
        }
    }
    let base = |one: &usize| u32::try_from(residents[*one].base).unwrap_or(u32::MAX);
    Places {
        tensors: uses
            .iter()
            .map(|used| used.iter().map(base).collect())
            .collect(),
        sources: sources.iter().map(base).collect(),
    }
}

/// Keeps a tensor in the layout in which its maker left it for as long as it is used laid out anew
/// in the same layout.
fn keep_made(residents: &mut [Resident], anew: usize) {
    let (tensor, last) = (residents[anew].tensor, residents[anew].last);
    let layout = residents[anew].layout.clone();
    let is_made = |there: &&mut Resident| {
        (there.tensor, there.is_anew) == (tensor, false) && there.layout == layout
    };
    for there in residents.iter_mut().filter(is_made) {
        there.last = there.last.max(last);
    }
}

/// The first long word from which on so many are free.
fn free<'r>(residents: impl Iterator<Item = &'r Resident>, words: u64) -> u64 {
    let mut taken: Vec<(u64, u64)> = residents.map(|there| (there.base, there.end())).collect();
    taken.sort_unstable();
    let mut base = 0;
    for (begin, end) in taken {
        if base + words <= begin {
            break;
        }
        base = base.max(end);
    }
    base
}
