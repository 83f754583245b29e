//! Conversion between `#mncore.place` and addresses, memories and widths.

use tessera_isa_mncore::memory::{Bank, Width};
use tessera_mncore_ir::address::Address;

use crate::mlir::{Attribute, MncorePlace};

/// A place of an operand.
#[derive(Clone, Debug)]
pub(super) struct OperandPlace {
    /// The memory as in the assembler, without `$`.
    pub memory: String,
    /// The address.
    pub address: Address,
    /// The address increment per cycle.
    pub stride: u16,
    /// The group, if specified.
    pub group: Option<u8>,
    /// The L2B, if specified.
    pub l2b: Option<u8>,
}

impl OperandPlace {
    /// Parses a place attribute.
    pub fn from_attribute(attribute: Attribute) -> Result<OperandPlace, String> {
        let parts = MncorePlace::from_attribute(attribute)
            .ok_or_else(|| format!("expects a place, such as lm[0]; got {attribute}"))?;
        let word = |number: i64| {
            u32::try_from(number)
                .map_err(|_| format!("internal error: {number} is not an unsigned 32-bit number"))
        };
        let byte = |number: Option<i64>| match number.map(u8::try_from) {
            None => Ok(None),
            Some(Ok(number)) => Ok(Some(number)),
            Some(Err(_)) => Err("the board has no group or L2B with that number".to_owned()),
        };
        Ok(OperandPlace {
            address: Address {
                offset: word(parts.offset)?,
                base: word(parts.base)?,
                steps: parts
                    .steps
                    .into_iter()
                    .map(word)
                    .collect::<Result<_, _>>()?,
                ring: Some(word(parts.ring)?).filter(|&ring| ring != 0),
            },
            stride: u16::try_from(parts.stride)
                .map_err(|_| format!("no address grows by {} a cycle", parts.stride))?,
            group: byte(parts.group)?,
            l2b: byte(parts.l2b)?,
            memory: parts.memory,
        })
    }

    /// Converts to an IR place in this memory.
    pub fn new(memory: impl Into<String>, address: Address) -> Self {
        OperandPlace {
            memory: memory.into(),
            address,
            stride: 0,
            group: None,
            l2b: None,
        }
    }

    /// Returns the parts of its attribute. Outside a ring, the base is the start address.
    pub fn parts(&self) -> MncorePlace {
        let Address {
            offset,
            base,
            steps,
            ring,
        } = &self.address;
        let moving = steps.iter().rposition(|&step| step != 0);
        let steps = &steps[..moving.map_or(0, |last| last + 1)];
        let (offset, base) = match ring {
            Some(_) => (*offset, *base),
            None => (0, offset + base),
        };
        MncorePlace {
            memory: self.memory.clone(),
            offset: offset.into(),
            base: base.into(),
            steps: steps.iter().copied().map(i64::from).collect(),
            ring: ring.unwrap_or(0).into(),
            stride: self.stride.into(),
            group: self.group.map(i64::from),
            l2b: self.l2b.map(i64::from),
        }
    }

    /// Formats the place in assembler syntax, at an index of the enclosing loops.
    pub fn spell(&self, index: &[u32]) -> String {
        let mut text = format!("${}{}", self.memory, self.address.eval(index));
        if self.stride != 0 {
            text += &format!("v{}", self.stride);
        }
        if self.group.is_some() || self.l2b.is_some() {
            text.push('@');
        }
        text.extend(self.group.map(|group| group.to_string()));
        text.extend(self.l2b.map(|l2b| format!(".{l2b}")));
        text
    }
}

/// Returns the keyword of a width.
pub(super) fn width_word(width: Width) -> &'static str {
    match width {
        Width::Single => "single",
        Width::Long => "long",
        Width::Double => "double",
    }
}

/// Returns the width with a keyword.
pub(super) fn width(word: &str) -> Option<Width> {
    Width::ALL
        .into_iter()
        .find(|&width| width_word(width) == word)
}

/// Returns the register bank with a letter.
pub(super) fn bank(word: &str) -> Option<Bank> {
    let mut letters = word.chars();
    let bank = letters.next().and_then(Bank::from_letter);
    bank.filter(|_| letters.next().is_none())
}
