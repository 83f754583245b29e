//! Layouts of the partial sums of a split-K product, reduced and stored contiguously.

use tessera_isa_mncore::layout::Place::{Address as Word, Group, Part};
use tessera_isa_mncore::memory::Precision;
use tessera_isa_mncore::table::{Rrn, RrnKind};

use super::distribution::Distribution;
use super::geometry::{CYCLES, L2BM_CYCLE};
use super::mixed_radix::{distribute_over_groups, DigitSpec};
use super::vector_layout::{SplitK, SumPadding};

/// Long words of the sums of eight rows and four columns after `l1bmr`, and the long words that
/// `l2bmr` reduces in a step.
pub(crate) const SUM: u32 = 4 * CYCLES;

pub(crate) const REDUCED_PER_STEP: u32 = 64;

/// The operation that reduces partial sums.
pub(crate) const ADD: Rrn = Rrn {
    precision: Precision::Single,
    kind: RrnKind::FloatAdd,
};

/// Returns the long words of a block's reduced sums.
pub(crate) fn reduced_words(distribution: &Distribution, fill: SumPadding) -> u32 {
    let least = match fill {
        SumPadding::Minimal => REDUCED_PER_STEP,
        SumPadding::WholeCycles => L2BM_CYCLE,
    };
    (distribution.vectors() * SUM).next_multiple_of(least)
}

impl SplitK {
    /// Returns the digits of places that hold copies, for reduced sums of this many long words.
    pub fn repeated(self, distribution: &Distribution, words: u32) -> Vec<DigitSpec> {
        let own = distribution.vectors() * SUM;
        let digits = [(Word, words / own, own.into())];
        match self {
            SplitK::Mabs => digits.to_vec(),
            SplitK::L2bs => distribute_over_groups(&digits),
        }
    }

    /// Returns the digits of rows and columns in reduced sums.
    pub fn reduced_digits(self, distribution: &Distribution, side: u64) -> [Vec<DigitSpec>; 2] {
        let tiles = (
            Word,
            distribution.tiles,
            u64::from(distribution.steps * SUM),
        );
        let rows = [(Part, 2, 1), (Word, 4, 1), tiles];
        let columns = [(Word, CYCLES, 4), (Word, distribution.steps, SUM.into())];
        match self {
            SplitK::Mabs => {
                let own = [(Word, 2, side), (Group, 4, 1)];
                [[&rows[..], &own].concat(), columns.to_vec()]
            }
            SplitK::L2bs => [
                distribute_over_groups(&rows),
                distribute_over_groups(&columns),
            ],
        }
    }
}
