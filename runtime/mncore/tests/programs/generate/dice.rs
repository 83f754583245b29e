//! Seeded random choices.

/// A source of random choices, deterministic for a seed.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Dice(seed)
    }

    /// Returns 64 random bits (SplitMix64). The generators of `proptest` would dominate the test's
    /// time in builds with unoptimised dependencies.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// Returns a number below `count`, which is not 0.
    pub fn below(&mut self, count: usize) -> usize {
        (((self.word() >> 32) * count as u64) >> 32) as usize
    }

    /// Returns true with a probability of this many percent.
    pub fn percent(&mut self, often: usize) -> bool {
        self.below(100) < often
    }

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

/// Draws items without replacement and reshuffles when all are drawn, so that each occurs soon.
pub struct Deck<T> {
    cards: Vec<T>,
    next: usize,
}

impl<T: Copy> Deck<T> {
    pub fn new(cards: Vec<T>) -> Self {
        let next = cards.len();
        Deck { cards, next }
    }

    /// Returns the next item; `None` if there are no items.
    pub fn draw(&mut self, dice: &mut Dice) -> Option<T> {
        if self.next == self.cards.len() {
            for last in (1..self.cards.len()).rev() {
                self.cards.swap(last, dice.below(last + 1));
            }
            self.next = 0;
        }
        let card = self.cards.get(self.next).copied();
        self.next = (self.next + 1).min(self.cards.len());
        card
    }
}
