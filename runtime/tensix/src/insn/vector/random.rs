//! The generators of random bits: a 32-bit shift register per lane.
//!
//! The step of a generator is documented (`Vector.md`, PRNG), and that a write of
//! PRNG_SEED_Seed_Val seeds all of them (`BackendConfiguration.md`). The states after seeding
//! follow ttsim. A register starts from the seed and makes 32 steps. Then, from lane 31 down, each
//! lane takes the register's state, which makes two steps per lane.
//!
//! The states after reset and the duration of seeding are undocumented; LLK waits for 600 SFPNOPs.
//! Drawing before a seed therefore traps, and a seed takes effect at once. Rounding to nearest
//! draws bits, too, and ignores them.

use super::lregs::lanes_of;
use crate::arith::{Lanes, LANES};
use crate::state::config::Config;
use crate::state::vector::{Generators, Vector};
use crate::trap::Fault;

/// Steps before the first generator takes its state, and before each further one.
const WARM_UP: usize = 32;
const STRIDE: usize = 2;

/// Returns the successor of a state.
fn step(state: u32) -> u32 {
    let taps = (state & 0x8020_0003).count_ones();
    !taps << 31 | state >> 1
}

impl Generators {
    fn seeded(seed: u32) -> Self {
        let steps = |from: u32, count: usize| (0..count).fold(from, |state, _| step(state));
        let mut state = steps(seed, WARM_UP);
        let mut lanes = [0; LANES];
        for lane in lanes.iter_mut().rev() {
            state = steps(state, STRIDE);
            *lane = state;
        }
        Generators(lanes)
    }

    /// Returns the states of the lanes in `lanes` and advances them.
    fn draw(&mut self, lanes: u32) -> Lanes {
        let drawn = self.0;
        lanes_of(lanes).for_each(|lane| self.0[lane] = step(self.0[lane]));
        drawn
    }
}

/// Advances the generators for an instruction that ignores the bits.
pub(super) fn ignore(unit: &mut Vector, lanes: u32) {
    if let Some(generators) = &mut unit.generators {
        generators.draw(lanes);
    }
}

/// Returns random bits for the lanes in `lanes`.
pub(super) fn draw(unit: &mut Vector, lanes: u32) -> Result<Lanes, Fault> {
    let generators = unit.generators.as_mut();
    generators
        .map(|generators| generators.draw(lanes))
        .ok_or_else(|| {
            Fault::undefined(
                "random bits from generators that have no seed; write one to PRNG_SEED_Seed_Val \
                 first",
            )
        })
}

/// Applies a seed that has been written; to be called before an instruction draws.
pub(super) fn seed(config: &mut Config, unit: &mut Vector) {
    if let Some(seed) = config.take_seed() {
        unit.generators = Some(Box::new(Generators::seeded(seed)));
    }
}

#[cfg(test)]
mod tests;
