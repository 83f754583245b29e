//! Sample operands, and the errors of results.

/// A deterministic generator of words.
pub struct Words(pub u64);

impl Words {
    /// Returns the next word.
    pub fn next(&mut self) -> u32 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (word ^ word >> 31) as u32
    }
}

/// Returns words with every exponent, mantissas at both ends and in the middle, and both signs.
/// Infinities have no mantissa.
pub fn special() -> Vec<u32> {
    let mut all = Vec::new();
    for exponent in 0..=255 {
        for mantissa in [0, 1, 0x3f_ffff, 0x40_0000, 0x40_0001, 0x7f_fffe, 0x7f_ffff] {
            let mantissa = if exponent == 255 { 0 } else { mantissa };
            all.extend([0, 1 << 31].map(|sign: u32| sign | exponent << 23 | mantissa));
        }
    }
    all
}

/// Returns the special words, followed alternately by numbers from -`range` to `range` and by
/// arbitrary words.
pub fn mixture(length: usize, range: f32, seed: u64) -> Vec<u32> {
    let mut words = Words(seed);
    let mut all = special();
    while all.len() < length {
        let word = words.next();
        let word = match all.len() % 2 {
            0 => ((word as i32 as f32) * (range / i32::MAX as f32)).to_bits(),
            _ if word & 0x7f80_0000 == 0x7f80_0000 => word & 0xff80_0000,
            _ => word,
        };
        all.push(word);
    }
    all.truncate(length);
    all
}

/// Returns the value of a word on the chip.
pub fn number(word: u32) -> f64 {
    let sign = if word >> 31 == 0 { 1.0 } else { -1.0 };
    match word >> 23 & 0xff {
        0 => 0.0f64.copysign(sign),
        255 => f64::INFINITY.copysign(sign),
        _ => f64::from(f32::from_bits(word)),
    }
}

/// Returns whether the MAU can output a word: zeros and infinities have no mantissa.
pub fn is_normal_form(word: u32) -> bool {
    !matches!(word >> 23 & 0xff, 0 | 255) || word & 0x7f_ffff == 0
}

/// Returns the distance of a result from the exact number, in units of the last place of single
/// precision. Numbers beyond its range are clamped to its end.
pub fn ulps(result: f64, exact: f64) -> f64 {
    let end = 2.0f64.powi(128);
    let (result, exact) = (result.clamp(-end, end), exact.clamp(-end, end));
    let exponent = (exact.abs().to_bits() >> 52) as i32 - 1023;
    let unit = f64::from_bits(((exponent.clamp(-126, 127) - 23 + 1023) as u64) << 52);
    (result - exact).abs() / unit
}
