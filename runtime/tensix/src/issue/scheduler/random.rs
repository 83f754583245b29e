//! Pseudo-random numbers that depend on a seed alone. SplitMix64 is implemented here, because
//! results must not change with the version of a library.

/// The generator SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators",
/// OOPSLA 2014).
#[derive(Clone, Debug)]
pub(crate) struct SplitMix64(u64);

impl SplitMix64 {
    pub(crate) fn new(seed: u64) -> Self {
        SplitMix64(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }
}

/// A source of non-deterministic choices: random if there is a seed, always the first alternative
/// otherwise.
#[derive(Clone, Debug)]
pub(crate) struct ChoiceSource(pub(super) Option<SplitMix64>);

impl ChoiceSource {
    /// Returns a random number, if there is a seed.
    pub(crate) fn next(&mut self) -> Option<u64> {
        self.0.as_mut().map(SplitMix64::next)
    }

    /// Returns whether choices are random.
    pub(crate) fn is_random(&self) -> bool {
        self.0.is_some()
    }

    /// Returns a number below `n`: random, or 0 without a seed.
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.next().map_or(0, |random| random % n)
    }
}
