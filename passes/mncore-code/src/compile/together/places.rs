//! Where the tensors of a program lie in DRAM: each from the first kernel that has it to the last,
//! beside all others that are there meanwhile.
//!
//! What two kernels have in one layout lies there once, but for what is laid out anew: that lies
//! beside what it is made of, which stays as long. In particular it never takes the place of the
//! same tensor in the same layout: the host would leave that there, with the padding for which it
//! is laid out anew.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use tessera_isa_mncore::layout::Layout;
use tessera_ops::View;

use super::{Call, Moved, Relaid};
use crate::compile::arguments::ALIGNMENT;
use crate::compile::Kernel;

/// A tensor in DRAM.
struct Resident {
    layout: Layout,
    view: Option<View>,
    last: usize,
    base: u64,
}

impl Resident {
    fn end(&self) -> u64 {
        (self.base + self.layout.padded_words()).next_multiple_of(ALIGNMENT)
    }
}

/// Tensors in DRAM, found by which they are and whether they were laid out anew.
#[derive(Default)]
struct Residents {
    residents: Vec<Resident>,
    numbers: HashMap<(usize, bool), Vec<usize>>,
}

impl Residents {
    /// The number of a tensor in a layout that a call uses, which is new if no call before did.
    fn use_by(
        &mut self,
        call: usize,
        (tensor, is_anew): (usize, bool),
        (layout, view): (Layout, Option<View>),
    ) -> usize {
        let is_known = |number: &usize| {
            let there = &self.residents[*number];
            there.layout == layout && there.view == view
        };
        let known = self.of(tensor, is_anew).iter().copied().find(is_known);
        let found = known.unwrap_or(self.residents.len());
        if is_anew {
            self.keep_made(tensor, &layout, call);
        }
        if known.is_none() {
            let same = self.numbers.entry((tensor, is_anew)).or_default();
            same.push(found);
            self.residents.push(Resident {
                layout,
                view,
                last: call,
                base: 0,
            });
        }
        self.residents[found].last = call;
        found
    }

    /// The numbers of a tensor, in each of its layouts.
    fn of(&self, tensor: usize, is_anew: bool) -> &[usize] {
        let numbers = self.numbers.get(&(tensor, is_anew));
        numbers.map_or(&[], Vec::as_slice)
    }

    /// Keeps a tensor in the layout in which its maker left it for as long as it is used laid out
    /// anew in the same layout.
    fn keep_made(&mut self, tensor: usize, layout: &Layout, last: usize) {
        let numbers = self.numbers.get(&(tensor, false));
        for &number in numbers.into_iter().flatten() {
            let there = &mut self.residents[number];
            if there.layout == *layout {
                there.last = there.last.max(last);
            }
        }
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
    let by_host = relaid.iter().map(|one| (one.call, one.tensor));
    let by_chip = moved.iter().map(|one| (one.call, one.tensor));
    let anew: HashSet<(usize, usize)> = by_host.chain(by_chip).collect();
    let mut all = Residents::default();
    let mut uses: Vec<Vec<usize>> = Vec::new();
    for (number, (call, kernel)) in calls.iter().zip(kernels).enumerate() {
        let mut tensors: Vec<_> = kernel.tensors.iter().enumerate().collect();
        tensors.sort_by_key(|(_, tensor)| tensor.layout.base());
        let used = tensors.into_iter().map(|(at, of)| {
            let layout = super::without_place(&of.layout);
            let is_anew = anew.contains(&(number, at));
            let laid = (layout, of.view.clone());
            all.use_by(number, (call.tensors[of.argument], is_anew), laid)
        });
        uses.push(used.collect());
    }
    let sources = moved.iter().map(|one| {
        let made = kernels[one.from].tensors.last().expect("there is a result");
        let tensor = calls[one.from].tensors[made.argument];
        let known = all.of(tensor, false).first().copied();
        let known = known.expect("its maker has it");
        let last = &mut all.residents[known].last;
        *last = one.call.max(*last);
        known
    });
    let sources: Vec<usize> = sources.collect();
    let mut residents = all.residents;
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
