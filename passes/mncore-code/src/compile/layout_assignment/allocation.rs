//! Allocation of a program's tensors in DRAM by lifetime: first fit, from the first call that uses
//! a tensor to the last.
//!
//! Tensors in the same layout share their place. The target of a relayout is separate from its
//! source, which stays allocated as long. In particular, the host's relayout never reuses the place
//! of the same tensor in the same layout: the host would leave that untouched, including the
//! padding for which the relayout is made.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use tessera_isa_mncore::layout::Layout;
use tessera_ops::View;

use super::{Call, ChipRelayout, HostRelayout};
use crate::compile::data::arguments::ALIGNMENT;
use crate::compile::kernel::Kernel;

/// A tensor in DRAM with its lifetime.
struct Resident {
    layout: Layout,
    view: Option<View>,
    /// The last call that uses it.
    last: usize,
    base: u64,
}

impl Resident {
    fn end(&self) -> u64 {
        (self.base + self.layout.padded_words()).next_multiple_of(ALIGNMENT)
    }
}

/// Tensors in DRAM, indexed by tensor and whether they are targets of a relayout.
#[derive(Default)]
struct Residents {
    residents: Vec<Resident>,
    numbers: HashMap<(usize, bool), Vec<usize>>,
}

impl Residents {
    /// Returns the number of a tensor in a layout that a call uses, allocating a new one on first
    /// use. The call uses the `taken` ones already: its arguments do not overlap, even if they are
    /// the same tensor with different padding.
    fn record_use(
        &mut self,
        (call, taken): (usize, &[usize]),
        (tensor, is_relayout): (usize, bool),
        (layout, view): (Layout, Option<View>),
    ) -> usize {
        let is_known = |number: &usize| {
            let there = &self.residents[*number];
            !taken.contains(number) && there.layout == layout && there.view == view
        };
        let known = self
            .numbers_of(tensor, is_relayout)
            .iter()
            .copied()
            .find(is_known);
        let found = known.unwrap_or(self.residents.len());
        if is_relayout {
            self.extend_source_lifetime(tensor, &layout, call);
        }
        if known.is_none() {
            let same = self.numbers.entry((tensor, is_relayout)).or_default();
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

    /// Returns the numbers of a tensor in all of its layouts.
    fn numbers_of(&self, tensor: usize, is_relayout: bool) -> &[usize] {
        let numbers = self.numbers.get(&(tensor, is_relayout));
        numbers.map_or(&[], Vec::as_slice)
    }

    /// Extends the lifetime of a producer's tensor to that of its relayout in the same layout.
    fn extend_source_lifetime(&mut self, tensor: usize, layout: &Layout, last: usize) {
        let numbers = self.numbers.get(&(tensor, false));
        for &number in numbers.into_iter().flatten() {
            let there = &mut self.residents[number];
            if there.layout == *layout {
                there.last = there.last.max(last);
            }
        }
    }
}

/// The addresses of all tensors.
pub(super) struct Allocation {
    /// For each kernel, those of its tensors in order of allocation.
    pub tensors: Vec<Vec<u32>>,
    /// Sources of relayouts by the chip.
    pub sources: Vec<u32>,
}

/// Allocates the tensors of all kernels.
pub(super) fn allocate(
    calls: &[Call],
    kernels: &[Rc<Kernel>],
    host_relayouts: &[HostRelayout],
    moved: &[ChipRelayout],
) -> Allocation {
    let by_host = host_relayouts.iter().map(|one| (one.call, one.tensor));
    let by_chip = moved.iter().map(|one| (one.call, one.tensor));
    let anew: HashSet<(usize, usize)> = by_host.chain(by_chip).collect();
    let mut all = Residents::default();
    let mut uses: Vec<Vec<usize>> = Vec::new();
    for (number, (call, kernel)) in calls.iter().zip(kernels).enumerate() {
        let mut tensors: Vec<_> = kernel.tensors.iter().enumerate().collect();
        tensors.sort_by_key(|(_, tensor)| tensor.layout.base());
        let mut used = Vec::new();
        for (at, of) in tensors {
            let layout = super::without_base(&of.layout);
            let is_relayout = anew.contains(&(number, at));
            let laid = (layout, of.view.clone());
            let tensor = (call.tensors[of.argument], is_relayout);
            used.push(all.record_use((number, &used), tensor, laid));
        }
        uses.push(used);
    }
    let sources = moved.iter().map(|one| {
        let made = kernels[one.from].tensors.last().expect("there is a result");
        let tensor = calls[one.from].tensors[made.argument];
        let known = all.numbers_of(tensor, false).first().copied();
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
                residents[one].base = first_fit(placed.iter().map(|&there| &residents[there]), end);
                placed.push(one);
            }
        }
    }
    let base = |one: &usize| u32::try_from(residents[*one].base).unwrap_or(u32::MAX);
    Allocation {
        tensors: uses
            .iter()
            .map(|used| used.iter().map(base).collect())
            .collect(),
        sources: sources.iter().map(base).collect(),
    }
}

/// Returns the first address with this many free long words.
fn first_fit<'r>(residents: impl Iterator<Item = &'r Resident>, words: u64) -> u64 {
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
