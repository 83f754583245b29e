//! Attributes of operations: declarations and values.

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde::Serialize as DeriveSerialize;

/// The kind of an attribute, with the type by which the tensor dialects declare it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttributeKind {
    /// A flag, `BoolAttr`.
    Bool,
    /// A signed integer of 32 bits, `SI32Attr`.
    Int,
    /// An unsigned integer of 32 bits, `UI32Attr`.
    Unsigned,
    /// An integer of 32 bits without sign semantics, `I32Attr`.
    I32,
    /// An integer of 64 bits without sign semantics, `I64Attr`.
    I64,
    /// A signed integer of 64 bits, `SI64Attr`.
    SignedI64,
    /// A floating-point number, `F32Attr`.
    Float,
    /// A floating-point number or an integer, `F32Attr` or `I32Attr`.
    Number,
    /// Dimensions, an `I32ArrayAttr`.
    IntArray,
    /// Numbers of 64 bits, a `DenseI64ArrayAttr`.
    DenseInts,
    /// Numbers of 32 bits, a `DenseI32ArrayAttr`.
    DenseI32s,
    /// One number for all positions, an `I32Attr`, or one for each, a `DenseI32ArrayAttr`.
    IntOrDenseI32s,
    /// The number of tensors of each declared operand, a `DenseI32ArrayAttr`.
    Segments,
    /// The elements of a constant, an `ElementsAttr`.
    Elements,
    /// A string, `StrAttr`.
    Text,
    /// The precision of a device's matrix unit, `#ttnn.device_compute_kernel_config`.
    ComputeConfig,
}

impl std::fmt::Display for AttributeKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            AttributeKind::Bool => "a boolean",
            AttributeKind::Int
            | AttributeKind::I32
            | AttributeKind::I64
            | AttributeKind::SignedI64 => "an integer",
            AttributeKind::Unsigned => "an unsigned integer",
            AttributeKind::Float | AttributeKind::Number => "a floating-point number",
            AttributeKind::IntArray
            | AttributeKind::DenseInts
            | AttributeKind::DenseI32s
            | AttributeKind::Segments => "an array of integers",
            AttributeKind::IntOrDenseI32s => "an integer or an array of integers",
            AttributeKind::Elements => "the bytes of elements",
            AttributeKind::Text => "a text",
            AttributeKind::ComputeConfig => "a compute configuration",
        })
    }
}

/// Whether an attribute is required.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// It is required.
    Required,
    /// It may be absent, which has a meaning of its own.
    Optional,
    /// It is `false` if absent.
    DefaultFalse,
    /// It is this value if absent.
    Default(&'static str),
}

/// The dialects that declare an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialects {
    /// `ttir` and `ttnn`.
    Both,
    /// `ttir` only: it is an option of the compiler.
    Ttir,
    /// `ttnn` only: it is an option of the device.
    Ttnn,
}

/// The declaration of an attribute.
#[derive(Clone, Copy, Debug)]
pub struct AttributeInfo {
    /// Its name in MLIR and in the program file.
    pub name: &'static str,
    /// The kind of its value.
    pub kind: AttributeKind,
    /// Whether it is required.
    pub presence: Presence,
    /// The dialects that declare it.
    pub dialects: Dialects,
}

impl AttributeInfo {
    /// Returns an attribute that both dialects require.
    pub const fn required(name: &'static str, kind: AttributeKind) -> Self {
        AttributeInfo {
            name,
            kind,
            presence: Presence::Required,
            dialects: Dialects::Both,
        }
    }

    /// Returns an attribute of both dialects that may be absent.
    pub const fn optional(name: &'static str, kind: AttributeKind) -> Self {
        AttributeInfo {
            presence: Presence::Optional,
            ..Self::required(name, kind)
        }
    }

    /// Returns a flag of both dialects that is `false` if absent.
    pub const fn flag(name: &'static str) -> Self {
        AttributeInfo {
            presence: Presence::DefaultFalse,
            ..Self::required(name, AttributeKind::Bool)
        }
    }

    /// Returns the same attribute, declared by fewer dialects.
    pub const fn only_in(self, dialects: Dialects) -> Self {
        AttributeInfo { dialects, ..self }
    }
}

/// The number of partial products of significands that a matrix unit adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, DeriveSerialize)]
#[serde(rename_all = "lowercase")]
pub enum MathFidelity {
    /// One phase.
    LoFi,
    /// Two phases.
    HiFi2,
    /// Three phases.
    HiFi3,
    /// Four phases: every bit of both bf16 significands.
    HiFi4,
}

/// The precision of a device's matrix unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, DeriveSerialize)]
pub struct ComputeConfig {
    /// The number of partial products that are added.
    pub math_fidelity: MathFidelity,
    /// Whether sums are kept in 32 bits.
    pub fp32_dest_acc: bool,
}

impl MathFidelity {
    /// All fidelities, by the number of phases.
    pub const ALL: [Self; 4] = [Self::LoFi, Self::HiFi2, Self::HiFi3, Self::HiFi4];

    /// Returns the keyword in MLIR.
    pub const fn name(self) -> &'static str {
        match self {
            Self::LoFi => "lofi",
            Self::HiFi2 => "hifi2",
            Self::HiFi3 => "hifi3",
            Self::HiFi4 => "hifi4",
        }
    }

    /// Returns the fidelity with that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.name() == name)
    }

    /// Returns the number of phases.
    pub const fn phases(self) -> u32 {
        self as u32 + 1
    }
}

impl std::fmt::Display for MathFidelity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// The value of an attribute.
#[derive(Clone, Debug, PartialEq)]
pub enum AttributeValue {
    /// A flag.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A floating-point number; also a [`AttributeKind::Number`] that was an integer.
    Float(f64),
    /// Integers.
    Ints(Vec<i64>),
    /// Little-endian elements, row-major, without padding.
    Bytes(Vec<u8>),
    /// A string.
    Text(String),
    /// A precision.
    ComputeConfig(ComputeConfig),
}

impl AttributeValue {
    /// Returns whether it is a value of an attribute of this kind.
    pub fn has_kind(&self, kind: AttributeKind) -> bool {
        matches!(
            (self, kind),
            (AttributeValue::Bool(_), AttributeKind::Bool)
                | (
                    AttributeValue::Int(_),
                    AttributeKind::Int
                        | AttributeKind::Unsigned
                        | AttributeKind::I32
                        | AttributeKind::I64
                        | AttributeKind::SignedI64
                )
                | (
                    AttributeValue::Float(_),
                    AttributeKind::Float | AttributeKind::Number
                )
                | (
                    AttributeValue::Ints(_),
                    AttributeKind::IntArray
                        | AttributeKind::DenseInts
                        | AttributeKind::DenseI32s
                        | AttributeKind::IntOrDenseI32s
                        | AttributeKind::Segments
                )
                | (AttributeValue::Bytes(_), AttributeKind::Elements)
                | (AttributeValue::Text(_), AttributeKind::Text)
                | (
                    AttributeValue::ComputeConfig(_),
                    AttributeKind::ComputeConfig
                )
        )
    }
}

/// The attributes of one operation by name, in the order of their declarations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Attributes(Vec<(&'static str, AttributeValue)>);

impl Attributes {
    /// Returns an empty set of attributes.
    pub const fn none() -> Self {
        Attributes(Vec::new())
    }

    /// Returns the attributes and one more.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: AttributeValue) -> Self {
        self.0.push((name, value));
        self
    }

    /// Sets an attribute, or replaces its value.
    pub fn set(&mut self, name: &'static str, value: AttributeValue) {
        match self.0.iter_mut().find(|(found, _)| *found == name) {
            Some((_, old)) => *old = value,
            None => self.0.push((name, value)),
        }
    }

    /// Iterates over names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &AttributeValue)> {
        self.0.iter().map(|(name, value)| (*name, value))
    }

    /// Returns the value of an attribute, if it is there.
    pub fn get(&self, name: &str) -> Option<&AttributeValue> {
        self.0
            .iter()
            .find(|(found, _)| *found == name)
            .map(|(_, value)| value)
    }

    /// Returns whether a flag is present and true.
    pub fn flag(&self, name: &str) -> bool {
        self.get(name) == Some(&AttributeValue::Bool(true))
    }

    /// Returns the value of an integer attribute, if it is present.
    pub fn int(&self, name: &str) -> Option<i64> {
        match self.get(name)? {
            AttributeValue::Int(value) => Some(*value),
            _ => None,
        }
    }

    /// Returns the value of a floating-point attribute, if it is present.
    pub fn float(&self, name: &str) -> Option<f64> {
        match self.get(name)? {
            AttributeValue::Float(value) => Some(*value),
            _ => None,
        }
    }

    /// Returns the value of an attribute of integers, if it is present.
    pub fn ints(&self, name: &str) -> Option<&[i64]> {
        match self.get(name)? {
            AttributeValue::Ints(values) => Some(values),
            _ => None,
        }
    }

    /// Returns the value of an attribute of bytes, if it is present.
    pub fn bytes(&self, name: &str) -> Option<&[u8]> {
        match self.get(name)? {
            AttributeValue::Bytes(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// Returns the value of a compute configuration, if it is present.
    pub fn compute_config(&self, name: &str) -> Option<ComputeConfig> {
        match self.get(name)? {
            AttributeValue::ComputeConfig(config) => Some(*config),
            _ => None,
        }
    }
}

impl Serialize for Attributes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in self.iter() {
            match value {
                AttributeValue::Bool(value) => map.serialize_entry(name, value)?,
                AttributeValue::Int(value) => map.serialize_entry(name, value)?,
                AttributeValue::Float(value) => map.serialize_entry(name, value)?,
                AttributeValue::Ints(values) => map.serialize_entry(name, values)?,
                AttributeValue::Bytes(bytes) => map.serialize_entry(name, &hexadecimal(bytes))?,
                AttributeValue::Text(text) => map.serialize_entry(name, text)?,
                AttributeValue::ComputeConfig(config) => map.serialize_entry(name, config)?,
            }
        }
        map.end()
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
