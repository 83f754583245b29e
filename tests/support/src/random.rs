//! Random numbers that are a function of a seed.

/// A random number generator, deterministic for a seed.
#[derive(Debug, Clone)]
pub struct Rng(u64);

impl Rng {
    /// Returns the generator of a seed.
    pub fn new(seed: u64) -> Self {
        Rng(seed)
    }

    /// Returns 64 random bits (SplitMix64). The generators of `proptest` would dominate the test's
    /// time in builds with unoptimised dependencies.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// Returns a number below `count`, which is not 0.
    pub fn below(&mut self, count: usize) -> usize {
        (((self.next_u64() >> 32) * count as u64) >> 32) as usize
    }

    /// Returns true with a probability of `probability` percent.
    pub fn percent(&mut self, probability: usize) -> bool {
        self.below(100) < probability
    }

    /// Returns one of several values, each with the same probability.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// Returns one of several values, with probabilities proportional to their weights.
    pub fn weighted<T: Copy>(&mut self, from: &[(usize, T)]) -> T {
        let total: usize = from.iter().map(|(weight, _)| weight).sum();
        let mut left = self.below(total);
        for (weight, one) in from {
            if left < *weight {
                return *one;
            }
            left -= weight;
        }
        from[0].1
    }
}

/// Draws items without replacement, and reshuffles them when all are drawn. No item is
/// drawn again before all others.
#[derive(Debug, Clone)]
pub struct Deck<T> {
    cards: Vec<T>,
    next: usize,
}

impl<T: Copy> Deck<T> {
    /// Returns a deck of these items, shuffled by the first draw.
    pub fn new(cards: Vec<T>) -> Self {
        let next = cards.len();
        Deck { cards, next }
    }

    /// Returns the next item; `None` if there are no items.
    pub fn draw(&mut self, rng: &mut Rng) -> Option<T> {
        if self.next == self.cards.len() {
            for last in (1..self.cards.len()).rev() {
                self.cards.swap(last, rng.below(last + 1));
            }
            self.next = 0;
        }
        let card = self.cards.get(self.next).copied();
        self.next = (self.next + 1).min(self.cards.len());
        card
    }
}

/// Returns the next number of a xorshift generator with 64 bits of state, which is not 0.
pub fn xorshift64(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

#[cfg(test)]
mod tests;
