//! Seeded random choices.

/// A source of choices: the same for the same seed.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Dice(seed)
    }

    /// All 64 bits: SplitMix64. The generators of `proptest` take most of a test's time where
    /// dependencies are not optimised.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number below `count`, which is not 0.
    pub fn below(&mut self, count: usize) -> usize {
        (((self.word() >> 32) * count as u64) >> 32) as usize
    }

    /// True this many times out of a hundred.
    pub fn percent(&mut self, often: usize) -> bool {
        self.below(100) < often
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// One of several, as often as its weight says.
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

/// Cards drawn one after the other and shuffled anew when all are drawn, so that each comes up
/// soon.
pub struct Deck<T> {
    cards: Vec<T>,
    next: usize,
}

impl<T: Copy> Deck<T> {
    pub fn new(cards: Vec<T>) -> Self {
        let next = cards.len();
        Deck { cards, next }
    }

    /// The next card; none if there are no cards.
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
