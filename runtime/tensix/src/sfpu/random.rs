//! The generators of random bits, one a lane: shift registers of 32 bits.
//!
//! How one goes on is documented (`VectorUnit.md`, PRNG), and that a write of PRNG_SEED_Seed_Val
//! seeds all of them (`BackendConfiguration.md`). What a seed makes of them only ttsim says: a
//! register that starts from the seed takes 32 steps, and then two for each lane, from lane 31
//! down, which begins as the register then is. What they hold after a reset nobody says, nor how
//! long seeding takes; LLK waits for 600 SFPNOPs. So random bits before a seed trap, and right
//! after it are those of the seed.
//!
//! Rounding to nearest draws bits, too, and ignores them.

use tessera_isa_tensix::Instruction;

use super::state::{lanes_of, Lanes, LANES};
use crate::core_state::CoreState;
use crate::trap::Fault;

/// Steps before the first generator takes its state from a seed, and before each.
const WARM_UP: usize = 32;
const STRIDE: usize = 2;

#[derive(Clone, Debug)]
pub(super) struct Generators(Lanes);

/// Returns the state after `state`.
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

    /// Returns the states of the lanes of `lanes`, which go on.
    fn draw(&mut self, lanes: u32) -> Lanes {
        let drawn = self.0;
        lanes_of(lanes).for_each(|lane| self.0[lane] = step(self.0[lane]));
        drawn
    }
}

/// Returns whether an instruction draws bits.
pub(super) fn is_drawn_by(instruction: &Instruction) -> bool {
    match instruction {
        Instruction::Sfpstochrnd(_) => true,
        Instruction::Sfpcast(i) => i.instr_mod1 == 1,
        Instruction::Sfpmov(i) => i.instr_mod1 >= 8,
        _ => false,
    }
}

/// The bits that an instruction which needs none draws.
pub(super) fn ignore(core: &mut CoreState, lanes: u32) {
    seed(core);
    if let Some(generators) = &mut core.regs.vector.generators {
        generators.draw(lanes);
    }
}

/// Random bits for the lanes of `lanes`.
pub(super) fn draw(core: &mut CoreState, lanes: u32) -> Result<Lanes, Fault> {
    seed(core);
    let generators = core.regs.vector.generators.as_mut();
    generators
        .map(|generators| generators.draw(lanes))
        .ok_or_else(|| {
            Fault::undefined(
                "random bits from generators that have no seed; write one to PRNG_SEED_Seed_Val first",
            )
        })
}

/// Takes a seed that has been written.
fn seed(core: &mut CoreState) {
    if let Some(seed) = core.config.take_seed() {
        core.regs.vector.generators = Some(Box::new(Generators::seeded(seed)));
    }
}

#[cfg(test)]
mod tests;
