//! Formatting of numbers for `d get`.
//!
//! Manual, section 3.4.3 and table 3.1. Floating-point numbers are printed like C's `%g`, with six
//! significant digits. Integers are printed in upper case if half words are shown beside them,
//! otherwise in lower case at full length. A word with exponent zero prints as a signed zero,
//! whatever its mantissa. A word with an exponent of all ones prints as infinity (section 1.3:
//! there is no NaN).

/// The format of a word: the letter after `d get`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// No letter: a double, four half words and an integer.
    Plain,
    /// `d`: double precision.
    Double,
    /// `bd`: block float, double precision.
    BlockDouble,
    /// `f`: single precision.
    Single,
    /// `bf`: block float, single precision.
    BlockSingle,
    /// `bg`: block float, pseudo-single precision.
    BlockPseudo,
    /// `h`: half precision.
    Half,
    /// `bh`: block float, half precision.
    BlockHalf,
}

impl Format {
    /// Returns the size of an element in bits.
    pub const fn bits(self) -> u32 {
        match self {
            Format::Plain | Format::Double | Format::BlockDouble => 64,
            Format::Single | Format::BlockSingle | Format::BlockPseudo => 32,
            Format::Half | Format::BlockHalf => 16,
        }
    }

    /// Returns whether elements have no hidden bit and share the exponent of their block.
    pub const fn is_block(self) -> bool {
        matches!(
            self,
            Format::BlockDouble | Format::BlockSingle | Format::BlockPseudo | Format::BlockHalf
        )
    }

    /// Returns the mantissa size of an element in bits, without a hidden bit (section 1.3).
    const fn mantissa(self) -> u32 {
        match self.bits() {
            64 => 52,
            32 => 23,
            _ => 9,
        }
    }

    /// Returns the exponent field of an element.
    pub fn exponent(self, element: u64) -> u64 {
        let bits = self.bits() - 1 - self.mantissa();
        element >> self.mantissa() & ((1 << bits) - 1)
    }

    /// Returns the value of an element.
    fn value(self, element: u64) -> f64 {
        let exponent_bits = self.bits() - 1 - self.mantissa();
        let exponent = self.exponent(element);
        let fraction = (element & ((1 << self.mantissa()) - 1)) as f64;
        let unit = f64::from(2).powi(self.mantissa() as i32);
        // Scales in two steps, since a single power of two cannot reach a double's smallest
        // exponent.
        let scale =
            |power: i32| f64::from(2).powi(power / 2) * f64::from(2).powi(power - power / 2);
        let power = exponent as i32 - ((1 << (exponent_bits - 1)) - 1);
        let magnitude = if exponent == 0 {
            0.0
        } else if exponent == (1 << exponent_bits) - 1 {
            f64::INFINITY
        } else if self.is_block() {
            // The most significant mantissa bit has weight one.
            fraction / unit * 2.0 * scale(power)
        } else {
            (1.0 + fraction / unit) * scale(power)
        };
        let negative = element >> (self.bits() - 1) & 1 == 1;
        if negative {
            -magnitude
        } else {
            magnitude
        }
    }

    /// Formats `bits` bits at the most significant end of `word` as `d get` does.
    pub fn format_word(self, word: u64, bits: u32) -> String {
        if self == Format::Plain {
            let half = |at: u32| word >> at & 0xffff;
            return format!(
                "(f:{}, i:{{{{0x{:X},0x{:X}}},{{0x{:X},0x{:X}}}}}, v:0x{:X})",
                format_general(self.value(word)),
                half(48),
                half(32),
                half(16),
                half(0),
                word
            );
        }
        let size = self.bits();
        let elements = (0..bits / size).map(|index| word << (index * size) >> (64 - size));
        let numbers: Vec<_> = elements
            .clone()
            .map(|element| format_general(self.value(element)))
            .collect();
        let digits = size as usize / 4;
        let words: Vec<_> = elements
            .map(|element| format!("0x{element:0digits$x}"))
            .collect();
        format!("({}) ({})", numbers.join(", "), words.join(", "))
    }
}

/// Formats `value` as C's `printf("%g")` does.
pub fn format_general(value: f64) -> String {
    if value.is_infinite() {
        return if value < 0.0 { "-inf" } else { "inf" }.into();
    }
    if value == 0.0 {
        return if value.is_sign_negative() { "-0" } else { "0" }.into();
    }
    let scientific = format!("{value:.5e}");
    let (digits, exponent) = scientific
        .split_once('e')
        .unwrap_or((scientific.as_str(), "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if !(-4..6).contains(&exponent) {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{}e{sign}{:02}", trim(digits), exponent.abs());
    }
    let decimals = (5 - exponent) as usize;
    trim(&format!("{value:.decimals$}")).into()
}

/// Removes trailing zeros of a decimal fraction.
fn trim(digits: &str) -> &str {
    if digits.contains('.') {
        digits.trim_end_matches('0').trim_end_matches('.')
    } else {
        digits
    }
}

#[cfg(test)]
mod tests;
