//! Addresses that are affine in the loop indices, optionally modulo the size of a ring.

use std::fmt::{self, Display, Formatter};
use std::ops::Rem;

/// `offset + (base + Σ steps[d] · iteration[d]) mod ring`, without the `mod` if there is no ring.
///
/// The unit is that of the memory: single words in a PE, long words elsewhere. Missing steps are 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Address {
    /// The start of the ring.
    pub offset: u32,
    /// The address in the first iteration, relative to the start of the ring.
    pub base: u32,
    /// The increment per iteration of each dimension, outermost first.
    pub steps: Vec<u32>,
    /// The size of the ring.
    pub ring: Option<u32>,
}

impl Address {
    /// Returns an address that is the same in every iteration.
    pub fn fixed(base: u32) -> Self {
        Address {
            base,
            ..Address::default()
        }
    }

    /// Returns an address that advances by `steps` with each iteration of a dimension.
    pub fn affine(base: u32, steps: &[u32]) -> Self {
        Address {
            base,
            steps: steps.to_vec(),
            ..Address::default()
        }
    }

    /// Returns the same address modulo a ring of `size` that starts at `offset`.
    #[must_use]
    pub fn with_ring(mut self, offset: u32, size: u32) -> Self {
        self.offset = offset;
        self.ring = Some(size);
        self
    }

    /// Returns the address advanced by `distance` within the ring.
    #[must_use]
    pub fn advanced_by(mut self, distance: u32) -> Self {
        self.base += distance;
        self
    }

    /// Returns the address offset by `distance`, ring included.
    #[must_use]
    pub fn offset_by(mut self, distance: u32) -> Self {
        self.offset += distance;
        self
    }

    /// Returns the address in an iteration.
    pub fn eval(&self, iteration: &[u32]) -> u32 {
        let moved = self.steps.iter().zip(iteration);
        let sum = moved.fold(u64::from(self.base), |sum, (&step, &index)| {
            sum + u64::from(step) * u64::from(index)
        });
        let inside = match self.ring {
            Some(size) => sum % u64::from(size),
            None => sum,
        };
        self.offset + inside as u32
    }

    /// Returns the displacement in an iteration of the outer loops, modulo the ring.
    pub fn outer_displacement(&self, outer: &[u32]) -> u64 {
        let steps = self.steps.iter().zip(outer);
        let sum: u64 = steps
            .map(|(&step, &at)| u64::from(step) * u64::from(at))
            .sum();
        sum % self.ring.map_or(u64::MAX, u64::from)
    }

    /// Returns whether it is the same in every iteration.
    pub fn is_fixed(&self) -> bool {
        self.steps.iter().all(|&step| step == 0)
    }
}

impl From<u32> for Address {
    fn from(base: u32) -> Self {
        Address::fixed(base)
    }
}

impl Display for Address {
    /// Formats as `16 + 8·i1`, `4096 + (32·i0 mod 2048)`.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut terms = Vec::new();
        if self.base != 0 || self.is_fixed() {
            terms.push(self.base.to_string());
        }
        let moving = self
            .steps
            .iter()
            .enumerate()
            .filter(|(_, step)| **step != 0);
        terms.extend(moving.map(|(dimension, step)| format!("{step}·i{dimension}")));
        let sum = terms.join(" + ");
        match (self.ring, self.offset) {
            (Some(size), 0) => write!(f, "({sum} mod {size})"),
            (Some(size), offset) => write!(f, "{offset} + ({sum} mod {size})"),
            (None, 0) => f.write_str(&sum),
            (None, offset) => write!(f, "{offset} + {sum}"),
        }
    }
}

/// Returns the greatest common divisor; 0 is divisible by every number.
pub fn gcd<N>(a: N, b: N) -> N
where
    N: Copy + Default + PartialEq + Rem<Output = N>,
{
    match b == N::default() {
        true => a,
        false => gcd(b, a % b),
    }
}

#[cfg(test)]
mod tests;
