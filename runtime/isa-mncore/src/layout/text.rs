//! The text form of a layout.
//!
//! ```text
//! k:(h:4,p:4,a:64) n[1000]:(a:8,m:16,b:8) @LM0+0, rep(g,c)
//! ```
//! Dimensions are listed in row-major order, outermost first. `[1000]` gives the number of elements
//! if the digits hold more. The padding is zero, or repeats the last element with `[1000, edge]`. A
//! digit consists of a place letter, an extent and optionally `*` and a stride. `T`, the cycles of
//! a step, is an alias for address bits, since the four cycles access four addresses. After the
//! memory and its base address come clauses for the place bits without an index bit. `rep(b:2*1)`
//! replicates over the lowest bit of `b`. `sum(m)` marks the values of all MABs as summands.
//! `at(c=1)` restricts the data to L2B 1. A place without an extent means all its bits that are not
//! otherwise assigned.

use std::fmt::{self, Display, Formatter, Write};
use std::str::FromStr;

use super::place::{ElementBits, Memory, Place, Slot};
use super::spec::{Digit, PlaceBits, Spec, SpecDim};
use super::{Bit, Layout, LayoutError};

impl FromStr for Layout {
    type Err = LayoutError;

    fn from_str(text: &str) -> Result<Layout, LayoutError> {
        Reader::new(text).layout()?.build()
    }
}

/// A recursive-descent parser for the text form.
struct Reader<'a> {
    text: &'a str,
    at: usize,
    /// The element width implied by the letters parsed so far.
    element: Option<ElementBits>,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        Reader {
            text,
            at: 0,
            element: None,
        }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn eat(&mut self, token: &str) -> bool {
        self.blanks();
        let found = self.rest().starts_with(token);
        self.at += if found { token.len() } else { 0 };
        found
    }

    fn error(&self, expected: &'static str) -> LayoutError {
        let found = self.rest().split_whitespace().next();
        LayoutError::Text {
            at: self.text[..self.at].chars().count() + 1,
            expected,
            found: found.map_or_else(|| "the end".into(), |word| format!("`{word}`")),
        }
    }

    fn expect(&mut self, token: &str, expected: &'static str) -> Result<(), LayoutError> {
        if self.eat(token) {
            Ok(())
        } else {
            Err(self.error(expected))
        }
    }

    /// Parses a word of letters, digits and underscores.
    fn word(&mut self, expected: &'static str) -> Result<&'a str, LayoutError> {
        self.blanks();
        let rest = self.rest();
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let word = &rest[..end.unwrap_or(rest.len())];
        if word.is_empty() {
            return Err(self.error(expected));
        }
        self.at += word.len();
        Ok(word)
    }

    fn number(&mut self) -> Result<u64, LayoutError> {
        let start = self.at;
        let word = self.word("a number")?;
        word.parse().map_err(|_| {
            self.at = start;
            self.blanks();
            self.error("a number")
        })
    }

    fn layout(mut self) -> Result<Spec, LayoutError> {
        // The element width is known only after all letters have been parsed.
        let mut spec = Spec::new(Memory::Dram, ElementBits::SixtyFour);
        while !self.eat("@") {
            let dim = self.dim()?;
            spec.dims.push(dim);
        }
        let name = self.word("a memory")?;
        spec.memory =
            Memory::from_name(name).ok_or_else(|| LayoutError::Memory { name: name.into() })?;
        if self.eat("+") {
            let start = self.at;
            spec.base = u32::try_from(self.number()?).map_err(|_| {
                self.at = start;
                self.error("an address below 2^32")
            })?;
        }
        while self.eat(",") {
            self.clause(&mut spec)?;
        }
        self.blanks();
        if !self.rest().is_empty() {
            return Err(self.error("a comma or the end"));
        }
        spec.element = self.element.unwrap_or(ElementBits::SixtyFour);
        Ok(spec)
    }

    fn dim(&mut self) -> Result<SpecDim, LayoutError> {
        let name = self.word("a dimension or `@` and a memory")?.to_owned();
        let mut extent = None;
        let mut edge = false;
        if self.eat("[") {
            extent = Some(self.number()?);
            edge = self.eat(",");
            if edge {
                self.expect("edge", "`edge`")?;
            }
            self.expect("]", if edge { "`]`" } else { "`,` or `]`" })?;
        }
        self.expect(":", "`:` and the digits of the dimension")?;
        self.expect("(", "`(`")?;
        let mut digits = Vec::new();
        while !self.eat(")") {
            if !digits.is_empty() {
                self.expect(",", "`,` or `)`")?;
            }
            let place = self.place()?;
            self.expect(":", "`:` and an extent")?;
            let (extent, stride) = self.extent()?;
            digits.push(Digit {
                place,
                extent,
                stride,
            });
        }
        Ok(SpecDim {
            name,
            extent,
            edge,
            digits,
        })
    }

    /// Parses an extent, optionally with a stride.
    fn extent(&mut self) -> Result<(u64, Option<u64>), LayoutError> {
        let extent = self.number()?;
        let stride = if self.eat("*") {
            Some(self.number()?)
        } else {
            None
        };
        Ok((extent, stride))
    }

    /// Parses a place letter.
    fn place(&mut self) -> Result<Place, LayoutError> {
        self.blanks();
        let start = self.at;
        let expected = "a place: g, c, b, m, p, h, w, a or T";
        let (place, element) = match self.word(expected)? {
            "g" => (Place::Group, None),
            "c" => (Place::L2b, None),
            "b" => (Place::L1b, None),
            "m" => (Place::Mab, None),
            "p" => (Place::Pe, None),
            "a" | "T" => (Place::Address, None),
            "h" => (Place::Part, Some(ElementBits::Sixteen)),
            "w" => (Place::Part, Some(ElementBits::ThirtyTwo)),
            _ => {
                self.at = start;
                return Err(self.error(expected));
            }
        };
        if element.is_some() {
            if self.element.is_some() && self.element != element {
                return Err(LayoutError::TwoWidths);
            }
            self.element = element;
        }
        Ok(place)
    }

    /// Parses `rep(…)`, `sum(…)` or `at(…)`.
    fn clause(&mut self, spec: &mut Spec) -> Result<(), LayoutError> {
        self.blanks();
        let start = self.at;
        let kind = self.word("rep, sum or at")?;
        if !matches!(kind, "rep" | "sum" | "at") {
            self.at = start;
            return Err(self.error("rep, sum or at"));
        }
        self.expect("(", "`(`")?;
        loop {
            let place = self.place()?;
            let bits = if self.eat(":") {
                Some(self.extent()?)
            } else {
                None
            };
            let part = PlaceBits { place, bits };
            match kind {
                "rep" => spec.replicated.push(part),
                "sum" => spec.summed.push(part),
                _ => {
                    self.expect("=", "`=` and a number")?;
                    spec.fixed.push((part, self.number()?));
                }
            }
            if self.eat(")") {
                return Ok(());
            }
            self.expect(",", "`,` or `)`")?;
        }
    }
}

impl Display for Layout {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let strides = self.places_with_strides();
        for (number, dim) in self.dims.iter().enumerate() {
            let digits = self.digits(number);
            f.write_str(&dim.name)?;
            let holds: u64 = digits.iter().map(|digit| digit.extent).product();
            match (dim.edge, holds == dim.extent) {
                (true, _) => write!(f, "[{}, edge]", dim.extent)?,
                (false, false) => write!(f, "[{}]", dim.extent)?,
                (false, true) => {}
            }
            f.write_str(":(")?;
            for (number, digit) in digits.iter().enumerate() {
                let comma = if number == 0 { "" } else { "," };
                let letter = digit.place.letter(self.element);
                write!(f, "{comma}{letter}:{}", digit.extent)?;
                if let (Some(stride), true) = (digit.stride, strides.contains(&digit.place)) {
                    write!(f, "*{stride}")?;
                }
            }
            f.write_str(") ")?;
        }
        write!(f, "@{}+{}", self.memory, self.base)?;
        self.clause(f, "rep", |bit| bit == Bit::Replicated)?;
        self.clause(f, "sum", |bit| bit == Bit::Summed)?;
        self.clause(f, "at", |bit| matches!(bit, Bit::Fixed(_)))
    }
}

impl Layout {
    /// Returns the digits of a dimension with their strides. The last digit's extent is reduced to
    /// what the dimension's extent needs.
    pub fn digits(&self, dim: usize) -> Vec<Digit> {
        let mut digits: Vec<(Slot, Digit)> = Vec::new();
        for bit in 0..self.dims[dim].bits {
            let slot = self.slot_of(dim, bit).expect("every index bit has a place");
            let place = slot.place().0;
            match digits.last_mut() {
                Some((last, digit)) if last.index() + 1 == slot.index() && digit.place == place => {
                    digit.extent *= 2;
                    *last = slot;
                }
                _ => digits.push((
                    slot,
                    Digit {
                        place,
                        extent: 2,
                        stride: Some(1 << self.bit_of(slot)),
                    },
                )),
            }
        }
        let mut digits: Vec<Digit> = digits.into_iter().map(|(_, digit)| digit).collect();
        if let Some((last, lower)) = digits.split_last_mut() {
            let below: u64 = lower.iter().map(|digit| digit.extent).product();
            let needed = self.dims[dim].extent.div_ceil(below);
            // If reducing the extent would drop a bit of the digit, `[extent]` expresses it
            // instead.
            if 2 * needed > last.extent {
                last.extent = needed;
            }
        }
        digits
    }

    /// Returns the number of a slot's bit in its place.
    pub(super) fn bit_of(&self, slot: Slot) -> u8 {
        let (place, bit) = slot.place();
        match place {
            Place::Part => slot.index() as u8 - self.element.parts().0,
            _ => bit,
        }
    }

    /// Returns the places whose digits need explicit strides.
    fn places_with_strides(&self) -> Vec<Place> {
        let mut next: Vec<u64> = vec![0; Place::ALL.len()];
        let mut strided = Vec::new();
        for slot in Slot::all() {
            if !matches!(self.bit(slot), Bit::Index { .. }) {
                continue;
            }
            next[slot.place().0 as usize] |= 1 << self.bit_of(slot);
        }
        // Clause bits come first, with strides; the digits then take the remaining bits from the
        // lowest on.
        let free = next.clone();
        for dim in (0..self.dims.len()).rev() {
            for bit in 0..self.dims[dim].bits {
                let slot = self.slot_of(dim, bit).expect("every index bit has a place");
                let place = slot.place().0;
                let left = &mut next[place as usize];
                let lowest = left.trailing_zeros();
                *left &= !(1 << self.bit_of(slot));
                if lowest != u32::from(self.bit_of(slot)) {
                    strided.push(place);
                }
            }
        }
        // Some address bits, above or in between, are unassigned.
        let address = free[Place::Address as usize] | self.clause_bits(Place::Address);
        if address & (address + 1) != 0 {
            strided.push(Place::Address);
        }
        // Clauses for all remaining bits of a place are printed after the digits, without strides.
        for place in Place::ALL {
            let digits = free[place as usize];
            if self.is_uniform(place) && digits & (digits + 1) != 0 {
                strided.push(place);
            }
        }
        strided
    }

    /// Returns the bits of a place that clauses assign.
    fn clause_bits(&self, place: Place) -> u64 {
        let (first, count) = self.clause_slots(place);
        (first..first + count)
            .map(Slot)
            .filter(|slot| match self.bit(*slot) {
                Bit::Index { .. } => false,
                Bit::Fixed(_) => place != Place::Address,
                _ => true,
            })
            .fold(0, |mask, slot| mask | 1 << self.bit_of(slot))
    }

    /// Returns the slots of a place that a clause may assign.
    fn clause_slots(&self, place: Place) -> (u8, u8) {
        match place {
            Place::Part => self.element.parts(),
            _ if self.memory.has(place) => place.slots(),
            _ => (place.slots().0, 0),
        }
    }

    /// Returns whether all bits of a place without an index bit have the same content, so that one
    /// clause without an extent covers them.
    fn is_uniform(&self, place: Place) -> bool {
        let (first, count) = self.clause_slots(place);
        let mut kinds = (first..first + count)
            .map(|slot| self.bit(Slot(slot)))
            .filter(|bit| !matches!(bit, Bit::Index { .. }))
            .map(|bit| std::mem::discriminant(&bit));
        let Some(kind) = kinds.next() else {
            return false;
        };
        place != Place::Address && kinds.all(|other| other == kind)
    }

    /// Prints the clause for the bits whose content satisfies `is`, if there are any.
    fn clause(&self, f: &mut Formatter<'_>, name: &str, is: impl Fn(Bit) -> bool) -> fmt::Result {
        let mut parts = String::new();
        for place in Place::ALL {
            let (first, count) = self.clause_slots(place);
            let mut slots = (first..first + count)
                .map(Slot)
                .filter(|slot| is(self.bit(*slot)))
                .peekable();
            if place == Place::Address && name == "at" {
                continue;
            }
            let letter = place.letter(self.element);
            let whole = self.is_uniform(place);
            while let Some(start) = slots.next() {
                let mut run = vec![start];
                while let Some(next) =
                    slots.next_if(|next| whole || next.index() == run[run.len() - 1].index() + 1)
                {
                    run.push(next);
                }
                parts.push_str(if parts.is_empty() { "" } else { "," });
                parts.push(letter);
                if !whole {
                    write!(parts, ":{}*{}", 1 << run.len(), 1 << self.bit_of(start))?;
                }
                if name == "at" {
                    let ones = run.iter().enumerate().map(|(number, slot)| {
                        u64::from(self.bit(*slot) == Bit::Fixed(true)) << number
                    });
                    write!(parts, "={}", ones.sum::<u64>())?;
                }
            }
        }
        if parts.is_empty() {
            return Ok(());
        }
        write!(f, ", {name}({parts})")
    }
}
