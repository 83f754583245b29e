//! Numbers, tags and immediates (manual, section 3.2).

use super::cursor::Cursor;
use super::Parsed;

impl Cursor<'_> {
    /// Parses a natural number (section 3.2.1): decimal, or with the prefix 0b, 0o or 0x.
    pub fn natural(&mut self, what: &str) -> Parsed<u64> {
        let start = *self;
        let radix = [("0x", 16), ("0o", 8), ("0b", 2)]
            .into_iter()
            .find(|(prefix, radix)| {
                let tail = self
                    .rest()
                    .strip_prefix(prefix)
                    .and_then(|t| t.chars().next());
                tail.is_some_and(|c| c.is_digit(*radix))
            });
        let radix = match radix {
            Some((prefix, radix)) => {
                self.eat(prefix);
                radix
            }
            None => 10,
        };
        let digits = self.take_while(|c| c.is_digit(radix));
        if digits.is_empty() {
            return Err(start
                .error_here(format!("expected {what}"))
                .with_section("3.2.1"));
        }
        u64::from_str_radix(digits, radix).map_err(|_| {
            let mut error = start.error_here(format!("{what} does not fit 64 bits"));
            error.span = start.span_to(self);
            error.with_section("3.2.1")
        })
    }

    /// Parses a natural number below `limit`.
    pub fn natural_below(&mut self, limit: u64, what: &str) -> Parsed<u64> {
        let start = *self;
        let value = self.natural(what)?;
        if value < limit {
            return Ok(value);
        }
        let mut error = start.error_here(format!("{what} is 0 to {}, not {value}", limit - 1));
        error.span = start.span_to(self);
        Err(error)
    }

    /// Parses a decimal number below `limit`. Locations of `d get` use this form, since `0b…` there
    /// is address 0 followed by the L1B letter `b`.
    pub fn decimal_below(&mut self, limit: u64, what: &str) -> Parsed<u64> {
        let start = *self;
        let value = self.take_while(|c| c.is_ascii_digit()).parse::<u64>();
        match value {
            Ok(value) if value < limit => Ok(value),
            _ => {
                let message = format!("{what} is a decimal number, 0 to {}", limit - 1);
                let mut error = start.error_here(message);
                error.span = start.span_to(self);
                Err(error.with_section("3.4.3"))
            }
        }
    }

    /// Parses exactly `digits` hexadecimal digits, without a prefix.
    pub fn hex(&mut self, digits: usize, what: &str) -> Parsed<u64> {
        let start = *self;
        let text = self.take_while(|c| c.is_ascii_hexdigit());
        let value = u64::from_str_radix(text, 16);
        match value {
            Ok(value) if text.len() == digits => Ok(value),
            _ => {
                let message = format!("{what} is {digits} hexadecimal digits");
                let mut error = start.error_here(message);
                error.span = start.span_to(self);
                Err(error)
            }
        }
    }

    /// Parses a tag (section 3.2.3): `i` and two hexadecimal digits.
    pub fn tag(&mut self) -> Parsed<u8> {
        let start = *self;
        if !self.eat("i") {
            return Err(self
                .error_here("expected a tag: i and two hexadecimal digits, such as i01")
                .with_section("3.2.3"));
        }
        let text = self.take_while(|c| c.is_ascii_hexdigit());
        if text.len() != 2 {
            let mut error = start.error_here("a tag is i and two hexadecimal digits, such as i01");
            error.span = start.span_to(self);
            return Err(error.with_section("3.2.3"));
        }
        Ok(u8::from_str_radix(text, 16).expect("two hexadecimal digits"))
    }

    /// Parses an immediate (section 3.2.2) and returns its word.
    pub fn immediate(&mut self) -> Parsed<u32> {
        let start = *self;
        let bad = |message: &str| start.error_here(message.to_owned()).with_section("3.2.2");
        let kind = self.take_while(|c| c.is_ascii_alphabetic());
        let grammar =
            "an immediate is f, h, i, s, ui or us and a number in double quotes, such as i\"1\"";
        if !self.eat("\"") {
            return Err(bad(grammar));
        }
        let literal = self.take_while(|c| c != '"').trim();
        if !self.eat("\"") {
            return Err(bad("the immediate's closing quote is missing"));
        }
        let both = |half: u16| u32::from(half) * 0x1_0001;
        match kind {
            "f" | "h" => {
                let value = float_literal(literal).ok_or_else(|| {
                    bad("not a floating-point number of C")
                        .with_hint("there is no NaN on this machine")
                })?;
                Ok(if kind == "f" {
                    value.to_bits()
                } else {
                    both(half_bits(value))
                })
            }
            "i" | "s" | "ui" | "us" => {
                let bits = if kind.ends_with('i') { 32 } else { 16 };
                let word = integer_literal(literal, bits, kind.starts_with('u'));
                let word = word.map_err(|message| bad(&message))?;
                Ok(if bits == 32 { word } else { both(word as u16) })
            }
            "d" | "l" | "ul" => Err(bad("an immediate has no room for a long word")
                .with_hint("use f, h, i, s, ui or us, or `immu` for the upper half of long words")),
            _ => Err(bad(grammar)),
        }
    }
}

/// Parses a floating-point literal as C's strtod does, except for NaN.
fn float_literal(text: &str) -> Option<f32> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    // Rust's parser would accept a second sign.
    if digits.starts_with(['+', '-']) {
        return None;
    }
    let lower = digits.to_ascii_lowercase();
    let value = match lower.strip_prefix("0x") {
        Some(hex) => hex_float(hex)?,
        None => lower.parse::<f64>().ok().filter(|value| !value.is_nan())?,
    };
    Some(if negative { -value } else { value } as f32)
}

/// Parses a C hexadecimal floating-point number without 0x, of at most 52 bits of digits, so that
/// the result is exact.
fn hex_float(text: &str) -> Option<f64> {
    let (digits, exponent) = text.split_once('p').unwrap_or((text, "0"));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all = format!("{whole}{fraction}");
    if all.is_empty() || all.len() > 13 {
        return None;
    }
    let mantissa = u64::from_str_radix(&all, 16).ok()?;
    let exponent: i32 = exponent.parse().ok()?;
    let exponent = exponent.checked_sub(4 * fraction.len() as i32)?;
    Some(mantissa as f64 * 2f64.powi(exponent.clamp(-1100, 1100)))
}

/// Rounds a float to the nearest half precision number (1 sign, 6 exponent and 9 mantissa bits,
/// bias 31), ties to even. There are no denormals, so tiny values become zero.
fn half_bits(value: f32) -> u16 {
    let bits = value.to_bits();
    let sign = (bits >> 16) as u16 & 0x8000;
    let exponent = (bits >> 23 & 0xff) as i32 - 127 + 31;
    if bits & 0x7fff_ffff == 0x7f80_0000 {
        return sign | 0x7e00;
    }
    let mantissa = bits & 0x7f_ffff;
    let dropped = mantissa & 0x3fff;
    let kept = mantissa >> 14;
    let up = dropped > 0x2000 || dropped == 0x2000 && kept & 1 == 1;
    let rounded = (exponent << 9) + kept as i32 + i32::from(up);
    match rounded >> 9 {
        e if e <= 0 => sign,
        e if e >= 63 => sign | 0x7e00,
        _ => sign | rounded as u16,
    }
}

/// Returns an integer literal as a word of `bits` bits.
fn integer_literal(text: &str, bits: u32, unsigned: bool) -> Result<u32, String> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) if !unsigned => (true, digits),
        Some(_) => return Err("an unsigned immediate has no sign".to_owned()),
        None if unsigned => (false, text),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let mut cursor = Cursor::new(1, digits);
    let value = cursor.natural("a number").ok().filter(|_| cursor.is_end());
    let value = i128::from(value.ok_or_else(|| format!("`{text}` is not an integer"))?);
    let value = if negative { -value } else { value };
    let (least, most) = if unsigned {
        (0, (1i128 << bits) - 1)
    } else {
        (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1)
    };
    if (least..=most).contains(&value) {
        Ok(value as u32 & (u32::MAX >> (32 - bits)))
    } else {
        Err(format!("{value} is not in {least} to {most}"))
    }
}

#[cfg(test)]
mod tests;
