//! Operands: special words, and made up ones.

/// Words at which functions do something special.
const SPECIAL: &[u32] = &[
    0,
    1,
    0x7f_ffff,
    0x80_0000,
    0x80_0001,
    0x3f80_0000,
    0x3f7f_ffff,
    0x3f80_0001,
    0x4000_0000,
    0x3f00_0000,
    0x7f7f_ffff,
    0x7f80_0000,
    0x7f80_0001,
    0x7fc0_0000,
    0x7fff_ffff,
    0x7f00_0000,
    0x7e80_0000,
    0x7eff_ffff,
    0x42b1_7217,
    0x42b1_7218,
    0x42ae_ac50,
    0x4b00_0000,
    0x4b7f_ffff,
    0x4f00_0000,
    0x4eff_ffff,
    0x3f19_999a,
    0x4080_0000,
    0x3fb5_04f3,
    0x4158_0000,
    0x3f2a_aaab,
    0x3faa_aaab,
    0x3f2a_aaaa,
];

/// A generator of numbers that are the same each time.
pub struct Rng(u64);

impl Rng {
    /// A generator of its own for each seed.
    pub fn new(seed: u64) -> Self {
        Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// The next word.
    pub fn next_u32(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32) as u32
    }
}

/// Special words with either sign, then words of which half have moderate exponents.
pub fn floats(count: usize, seed: u64) -> Vec<u32> {
    let mut rng = Rng::new(seed);
    let signs = SPECIAL.iter().flat_map(|word| [*word, word ^ 1 << 31]);
    let mut words: Vec<u32> = signs.collect();
    while words.len() < count {
        let word = rng.next_u32();
        let exponent = 127 - 8 + rng.next_u32() % 16;
        words.push(match rng.next_u32() % 2 {
            0 => word,
            _ => word & 0x807f_ffff | exponent << 23,
        });
    }
    words.truncate(count);
    words
}

/// Integers: special ones, small ones, and any.
pub fn integers(count: usize, seed: u64) -> Vec<u32> {
    let mut rng = Rng::new(seed);
    let special = [
        0,
        1,
        u32::MAX,
        1 << 31,
        i32::MAX as u32,
        31,
        32,
        33,
        1 << 24,
        (1 << 24) + 1,
    ];
    let mut words = special.to_vec();
    while words.len() < count {
        let word = rng.next_u32();
        words.push(match rng.next_u32() % 4 {
            0 => word,
            1 => (word % 64).wrapping_sub(16),
            2 => special[word as usize % special.len()].wrapping_add(rng.next_u32() % 3),
            _ => word >> (rng.next_u32() % 32),
        });
    }
    words
}
