//! Numbers as `d get` prints them.
//!
//! Manual, section 3.4.3 and table 3.1. Floats are printed as C's `%g` prints them, six significant
//! digits; integers in capitals when half words are shown beside them, else in small letters at
//! full length. An exponent of zero prints as a zero with its sign, whatever the mantissa; one of
//! all ones as infinity (manual, section 1.3: no other values exist).

/// How words are read; the letter after `d get`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// No letter: a long word as a double precision number, as half words and as an integer.
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
    /// Bits of an element.
    pub const fn bits(self) -> u32 {
        match self {
            Format::Plain | Format::Double | Format::BlockDouble => 64,
            Format::Single | Format::BlockSingle | Format::BlockPseudo => 32,
            Format::Half | Format::BlockHalf => 16,
        }
    }

    /// Whether elements have no hidden bit and share the exponent of their block.
    pub const fn is_block(self) -> bool {
        matches!(
            self,
            Format::BlockDouble | Format::BlockSingle | Format::BlockPseudo | Format::BlockHalf
        )
    }

    /// Bits of an element's mantissa, without a hidden one; section 1.3.
    const fn mantissa(self) -> u32 {
        match self.bits() {
            64 => 52,
            32 => 23,
            _ => 9,
        }
    }

    /// The exponent bits of an element.
    pub fn exponent(self, element: u64) -> u64 {
        let bits = self.bits() - 1 - self.mantissa();
        element >> self.mantissa() & ((1 << bits) - 1)
    }

    /// The number an element stands for.
    fn value(self, element: u64) -> f64 {
        let exponent_bits = self.bits() - 1 - self.mantissa();
        let exponent = self.exponent(element);
        let fraction = (element & ((1 << self.mantissa()) - 1)) as f64;
        let unit = f64::from(2).powi(self.mantissa() as i32);
        // Powers of two in two steps: a double's smallest exponent is out of reach of one.
        let scale =
            |power: i32| f64::from(2).powi(power / 2) * f64::from(2).powi(power - power / 2);
        let power = exponent as i32 - ((1 << (exponent_bits - 1)) - 1);
        let magnitude = if exponent == 0 {
            0.0
        } else if exponent == (1 << exponent_bits) - 1 {
            f64::INFINITY
        } else if self.is_block() {
            // The most significant mantissa bit weighs one.
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

    /// `bits` bits at the most significant end of `word`, as `d get` shows them.
    pub fn show(self, word: u64, bits: u32) -> String {
        if self == Format::Plain {
            let half = |at: u32| word >> at & 0xffff;
            return format!(
                "(f:{}, i:{{{{0x{:X},0x{:X}}},{{0x{:X},0x{:X}}}}}, v:0x{:X})",
                general(self.value(word)),
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
            .map(|element| general(self.value(element)))
            .collect();
        let digits = size as usize / 4;
        let words: Vec<_> = elements
            .map(|element| format!("0x{element:0digits$x}"))
            .collect();
        format!("({}) ({})", numbers.join(", "), words.join(", "))
    }
}

/// `value` as C's `printf("%g")` has it.
pub fn general(value: f64) -> String {
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

/// A decimal fraction without its last zeros.
fn trim(digits: &str) -> &str {
    if digits.contains('.') {
        digits.trim_end_matches('0').trim_end_matches('.')
    } else {
        digits
    }
}

#[cfg(test)]
mod tests;
