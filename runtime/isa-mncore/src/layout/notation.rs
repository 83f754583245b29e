//! Layouts in the notation of the public test cases, such as `((8_L2B:1, 4:2), (4_PE:1, 2_W:1);
//! B@[MAB])@LM0`.
//!
//! Each dimension lists its digits, outermost first, as count, unit and stride. A digit without a
//! unit counts long word addresses. L2B are numbered over all groups. After `;` follow the
//! replicated units (`B@`) and the partial sums (`S@`, an extension of this crate). Constants are
//! not shown; the text form has them.

use std::fmt::Write;

use super::place::{Place, Slot};
use super::{Bit, Layout};

/// Returns the unit of a place, and the weight of the place's lowest bit in it.
const fn unit(place: Place) -> (&'static str, u64) {
    match place {
        Place::Group => ("L2B", 2),
        Place::L2b => ("L2B", 1),
        Place::L1b => ("L1B", 1),
        Place::Mab => ("MAB", 1),
        Place::Pe => ("PE", 1),
        Place::Part => ("W", 1),
        Place::Address => ("", 1),
    }
}

impl Layout {
    /// Formats the layout in the notation of the public test cases.
    pub fn judge_notation(&self) -> String {
        let dims = (0..self.dims.len()).map(|dim| self.judge_dim(dim));
        let mut text = format!("({}", dims.collect::<Vec<_>>().join(", "));
        for (sign, wanted) in [("B", Bit::Replicated), ("S", Bit::Summed)] {
            let units = self.judge_units(wanted);
            if !units.is_empty() {
                write!(text, "; {sign}@[{units}]").expect("a String takes everything");
            }
        }
        write!(text, ")@{}", self.memory).expect("a String takes everything");
        if self.base != 0 {
            write!(text, "+{}", self.base).expect("a String takes everything");
        }
        text
    }

    fn judge_dim(&self, dim: usize) -> String {
        let mut digits: Vec<(u64, &str, u64)> = Vec::new();
        for digit in self.digits(dim) {
            let (unit, least) = unit(digit.place);
            let stride = least * digit.stride.unwrap_or(1);
            match digits.last_mut() {
                // Groups and the L2B of a group can form one digit.
                Some((extent, last, from)) if *last == unit && *from * *extent == stride => {
                    *extent *= digit.extent;
                }
                _ => digits.push((digit.extent, unit, stride)),
            }
        }
        let texts = digits.iter().rev().map(|(extent, unit, stride)| {
            let underscore = if unit.is_empty() { "" } else { "_" };
            format!("{extent}{underscore}{unit}:{stride}")
        });
        format!("({})", texts.collect::<Vec<_>>().join(", "))
    }

    /// Lists the units of which some bits have this content; partially covered units with extent
    /// and stride.
    fn judge_units(&self, wanted: Bit) -> String {
        let mut units: Vec<String> = Vec::new();
        for slots in [
            vec![Place::L2b, Place::Group],
            vec![Place::L1b],
            vec![Place::Mab],
            vec![Place::Pe],
            vec![Place::Part],
            vec![Place::Address],
        ] {
            let all: Vec<Slot> = slots
                .iter()
                .flat_map(|place| self.judge_slots(*place))
                .collect();
            let held: Vec<Slot> = all
                .iter()
                .copied()
                .filter(|slot| self.bit(*slot) == wanted)
                .collect();
            if held.is_empty() {
                continue;
            }
            let name = unit(slots[0]).0;
            if held.len() == all.len() && slots[0] != Place::Address {
                units.push(name.into());
                continue;
            }
            for slot in held {
                let (place, stride) = (slot.place().0, 1 << self.bit_of(slot));
                let underscore = if name.is_empty() { "" } else { "_" };
                units.push(format!("2{underscore}{name}:{}", stride * unit(place).1));
            }
        }
        units.join(",")
    }

    /// Returns the slots of a place in this memory.
    fn judge_slots(&self, place: Place) -> Vec<Slot> {
        let (first, count) = match place {
            Place::Part => self.element.parts(),
            _ if self.memory.has(place) => place.slots(),
            _ => (0, 0),
        };
        (first..first + count).map(Slot).collect()
    }
}

#[cfg(test)]
mod tests;
