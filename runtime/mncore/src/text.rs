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
mod tests {
    use super::*;

    #[test]
    fn floats_print_as_c_prints_them() {
        for (value, expect) in [
            (0.0, "0"),
            (-0.0, "-0"),
            (1.0, "1"),
            (-15.5, "-15.5"),
            (496.0, "496"),
            (100000.0, "100000"),
            (999999.5, "1e+06"),
            (1234567.0, "1.23457e+06"),
            (0.0001, "0.0001"),
            (0.0000123456, "1.23456e-05"),
            // Ties go to the even digit.
            (2.765625, "2.76562"),
            (5.421875, "5.42188"),
            (2.00268e-307, "2.00268e-307"),
            (1e100, "1e+100"),
            (f64::INFINITY, "inf"),
            (f64::NEG_INFINITY, "-inf"),
        ] {
            assert_eq!(general(value), expect);
        }
    }

    #[test]
    fn words_print_as_the_manual_prints_them() {
        use Format::{BlockDouble, BlockHalf, Double, Half, Plain, Single};
        for (format, word, bits, expect) in [
            (Plain, 0, 64, "(f:0, i:{{0x0,0x0},{0x0,0x0}}, v:0x0)"),
            (
                Plain,
                0x1234_5678_9abc_def0,
                64,
                "(f:5.62635e-221, i:{{0x1234,0x5678},{0x9ABC,0xDEF0}}, v:0x123456789ABCDEF0)",
            ),
            (
                Plain,
                0x5555_6666_7777_8888,
                64,
                "(f:1.19826e+103, i:{{0x5555,0x6666},{0x7777,0x8888}}, v:0x5555666677778888)",
            ),
            (
                Plain,
                0x42_0042_0000_0042,
                64,
                "(f:2.00268e-307, i:{{0x42,0x42},{0x0,0x42}}, v:0x42004200000042)",
            ),
            (Double, 0x3ff0 << 48, 64, "(1) (0x3ff0000000000000)"),
            (Double, 0x8000 << 48 | 1, 64, "(-0) (0x8000000000000001)"),
            (Double, 0x7ff0 << 48 | 1, 64, "(inf) (0x7ff0000000000001)"),
            (
                Single,
                0x3f80_0000_c234_0000,
                64,
                "(1, -45) (0x3f800000, 0xc2340000)",
            ),
            (Single, 0x3f80_0000_c234_0000, 32, "(1) (0x3f800000)"),
            (
                Half,
                0x3f90_07c0_4234_803e,
                64,
                "(1.78125, 6.98492e-09, 4.40625, -0) (0x3f90, 0x07c0, 0x4234, 0x803e)",
            ),
            (Half, 0x3f00_3f00 << 32, 32, "(1.5, 1.5) (0x3f00, 0x3f00)"),
            (BlockDouble, 0x3ff8 << 48, 64, "(1) (0x3ff8000000000000)"),
            (BlockDouble, 0x400c << 48, 64, "(3) (0x400c000000000000)"),
            (
                BlockHalf,
                0xbf00_4100_4080_3f00,
                64,
                "(-1, 2, 1, 1) (0xbf00, 0x4100, 0x4080, 0x3f00)",
            ),
        ] {
            assert_eq!(format.show(word, bits), expect);
        }
    }
}
