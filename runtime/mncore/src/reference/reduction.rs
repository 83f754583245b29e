//! The result reduction network (manual, sections 3.5.5, 3.6.8.4, 3.6.8.5 and 4.2).
//!
//! A stage reduces the corresponding elements of several long words. Finite floating-point sums use
//! the oracle; all other cases use the scalar implementation.

use tessera_isa_mncore::memory::Precision;
use tessera_isa_mncore::table::{Rrn, RrnKind};

use crate::numerics::format::{Double, Half, Single};
use crate::numerics::lanes::Width;
use crate::numerics::oracle::reduction_add;
use crate::numerics::rrn::{Operation, Reduction};
use crate::undetermined::{Undetermined, UndeterminedSet};

/// A reduction operation of an opcode.
#[derive(Clone, Copy)]
pub struct Network {
    plain: Reduction,
}

impl Network {
    /// Creates the reduction of an opcode's operation.
    pub fn new(rrn: Rrn) -> Self {
        let width = match rrn.precision {
            Precision::Half | Precision::Short => Width::Half,
            Precision::Single | Precision::Pseudo | Precision::Int => Width::Single,
            Precision::Double | Precision::Long => Width::Long,
        };
        let operation = match rrn.kind {
            RrnKind::FloatAdd => Operation::FloatAdd,
            RrnKind::Max => Operation::FloatMax,
            RrnKind::Min => Operation::FloatMin,
            RrnKind::IntAdd => Operation::IntegerAdd,
            RrnKind::BitAnd => Operation::BitAnd,
            RrnKind::LogicalAnd => Operation::And,
            RrnKind::BitOr => Operation::BitOr,
            RrnKind::LogicalOr => Operation::Or,
        };
        Network {
            plain: Reduction { operation, width },
        }
    }

    /// Returns the same reduction on singles, with which L1BM reduces halves.
    pub fn of_singles(self) -> Self {
        Network {
            plain: Reduction {
                width: Width::Single,
                ..self.plain
            },
        }
    }

    /// Returns whether the operation is a floating-point sum.
    pub fn adds(self) -> bool {
        self.plain.operation == Operation::FloatAdd
    }

    /// Returns `get_unit_value`, the contribution of an absent sender.
    pub fn identity(self) -> u64 {
        self.plain.identity()
    }

    /// Executes one stage.
    pub fn stage(self, longs: &[u64], undetermined: &mut UndeterminedSet) -> u64 {
        let plain = self.plain.stage(longs, undetermined);
        if !self.adds() {
            return plain;
        }
        let bits = self.plain.width.bits();
        let mask = u64::MAX >> (64 - bits);
        let mut result = 0;
        for at in (0..64).step_by(bits as usize) {
            let elements: Vec<u64> = longs.iter().map(|long| long >> at & mask).collect();
            let sum = match self.plain.width {
                Width::Half => reduction_add::<Half, Half>(&elements),
                Width::Single => reduction_add::<Single, Single>(&elements),
                Width::Long => reduction_add::<Double, Double>(&elements),
            };
            result |= sum.unwrap_or(plain >> at & mask) << at;
        }
        result
    }

    /// Executes one stage on singles with half precision results, the upper one first.
    pub fn stage_narrowed(self, longs: &[u64], undetermined: &mut UndeterminedSet) -> [u64; 2] {
        let plain = u64::from(self.plain.stage_narrowed(longs, undetermined));
        [32, 0].map(|at| {
            let plain = plain >> (at / 2) & 0xffff;
            if !self.adds() {
                return plain;
            }
            let elements: Vec<u64> = longs.iter().map(|long| long >> at & 0xffff_ffff).collect();
            reduction_add::<Single, Half>(&elements).unwrap_or(plain)
        })
    }

    /// Reduces over the 16 MABs of an L1B in two stages, first over MABs that differ in the low
    /// bits of their number ("rrn-grouping").
    pub fn sixteen(self, longs: &[u64], undetermined: &mut UndeterminedSet) -> u64 {
        self.two_stages(longs, undetermined, Self::stage)
    }

    /// As [`Network::sixteen`], with half precision results.
    pub fn sixteen_narrowed(self, longs: &[u64], undetermined: &mut UndeterminedSet) -> [u64; 2] {
        self.two_stages(longs, undetermined, Self::stage_narrowed)
    }

    fn two_stages<T: PartialEq>(
        self,
        longs: &[u64],
        undetermined: &mut UndeterminedSet,
        last: fn(Self, &[u64], &mut UndeterminedSet) -> T,
    ) -> T {
        let run = |member: fn(usize, usize) -> usize, undetermined: &mut UndeterminedSet| {
            let mut firsts = Vec::new();
            for group in 0..4 {
                let members: Vec<u64> = (0..4).map(|index| longs[member(group, index)]).collect();
                firsts.push(self.stage(&members, undetermined));
            }
            last(self, &firsts, undetermined)
        };
        let result = run(|group, index| 4 * group + index, undetermined);
        if self.adds() {
            let other = run(
                |group, index| 4 * index + group,
                &mut UndeterminedSet::default(),
            );
            undetermined.add_if(other != result, Undetermined::ReductionGrouping);
        }
        result
    }

    /// Reduces over the eight L2B, numbered 2 · group + L2B, in two stages, first over the two of a
    /// group ("rrn-stages").
    pub fn eight(self, longs: &[u64], undetermined: &mut UndeterminedSet) -> u64 {
        let pairs: Vec<u64> = longs
            .chunks(2)
            .map(|pair| self.stage(pair, undetermined))
            .collect();
        let result = self.stage(&pairs, undetermined);
        if self.adds() {
            let unseen = &mut UndeterminedSet::default();
            let across = [0, 1].map(|l2b| {
                let groups: Vec<u64> = (0..4).map(|group| longs[2 * group + l2b]).collect();
                self.stage(&groups, unseen)
            });
            let other = self.stage(&across, unseen);
            undetermined.add_if(other != result, Undetermined::ReductionStages);
        }
        result
    }
}
