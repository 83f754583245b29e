//! Typed attribute names.
//!
//! ODS declares the attributes of an operation and their kinds. Generated code accesses them
//! through an [`AttributeKey`], which converts between attributes and Rust values. Reading an
//! attribute that is absent or of another kind, as in an unverified operation, returns `None`.

use std::fmt;
use std::marker::PhantomData;

use super::context::ContextRef;
use super::make::AttributeValue;
use super::op::Op;
use super::views;
use melior::ir::{Attribute, AttributeLike, Type};

/// A kind of attribute: the conversion between attributes and Rust values.
pub trait AttributeKind {
    /// The value of an attribute of this kind.
    type Value<'a>;
    /// The value that an attribute of this kind is created from.
    type Given<'a, 'b>
    where
        'a: 'b;

    /// Returns the value of an attribute, or `None` if it is of another kind.
    fn read<'a>(attribute: Attribute<'a>) -> Option<Self::Value<'a>>;

    /// Creates the attribute with a value.
    fn write<'a: 'b, 'b>(context: ContextRef<'a>, value: Self::Given<'a, 'b>) -> Attribute<'a>;
}

/// The value type of an attribute kind.
pub type ValueOf<'a, K> = <K as AttributeKind>::Value<'a>;

/// The name of an attribute and the kind that its operation declares for it.
pub struct AttributeKey<K> {
    name: &'static str,
    kind: PhantomData<fn() -> K>,
}

impl<K> Clone for AttributeKey<K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> Copy for AttributeKey<K> {}

impl<K> fmt::Debug for AttributeKey<K> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl<K> AttributeKey<K> {
    /// Returns the key of an attribute with this name.
    pub const fn new(name: &'static str) -> Self {
        Self {
            name,
            kind: PhantomData,
        }
    }

    /// Returns the name.
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// Returns the attribute of an operation, regardless of its kind.
    pub fn attribute(self, op: Op<'_>) -> Option<Attribute<'_>> {
        op.attribute(self.name)
    }

    /// Returns whether an operation has the attribute, regardless of its kind.
    pub fn is_in(self, op: Op) -> bool {
        self.attribute(op).is_some()
    }
}

impl<K: AttributeKind> AttributeKey<K> {
    /// Returns the value of the attribute in an operation, or `None` if it is absent or of another
    /// kind.
    pub fn get(self, op: Op<'_>) -> Option<K::Value<'_>> {
        self.attribute(op).and_then(K::read)
    }
}

/// `"text"`
pub struct Text;

/// `@name`
pub struct Symbol;

/// `[@a, @b]`
pub struct Symbols;

/// A signless integer of `WIDTH` bits.
pub struct Int<const WIDTH: u32>;

/// A signed integer of `WIDTH` bits.
pub struct SignedInt<const WIDTH: u32>;

/// `f32` or `f64`, by the number of bits.
pub struct Float<const WIDTH: u32>;

/// `true` or `false`
pub struct Bool;

/// `unit`, whose presence is its value.
pub struct Unit;

/// A type.
pub struct TypeValue;

/// `[a, b, ...]`
pub struct List;

/// `[1 : i32, 2 : i32, ...]`, with elements of `WIDTH` bits.
pub struct Ints<const WIDTH: u32>;

/// `array<i32: 1, 2, ...>` or `array<i64: 1, 2, ...>`, by the number of bits.
pub struct DenseInts<const WIDTH: u32>;

/// `{name = value, ...}`
pub struct Dictionary;

/// Any attribute.
pub struct Any;

/// Implements [`AttributeKind`] for a kind, possibly generic over `WIDTH`, with one expression to
/// read and one to write the value.
macro_rules! kind {
    (every $kind:ty, $($rest:tt)*) => {
        kind!(@ [const WIDTH: u32] $kind, $($rest)*);
    };
    (@ [$($width:tt)*] $kind:ty, $value:ty, $given:ty, $read:expr, $write:expr) => {
        impl<$($width)*> AttributeKind for $kind {
            type Value<'a> = $value;
            type Given<'a, 'b>
                = $given
            where
                'a: 'b;

            fn read<'a>(attribute: Attribute<'a>) -> Option<Self::Value<'a>> {
                $read(attribute)
            }

            fn write<'a: 'b, 'b>(
                context: ContextRef<'a>,
                value: Self::Given<'a, 'b>,
            ) -> Attribute<'a> {
                $write(context, value)
            }
        }
    };
    ($($rest:tt)*) => {
        kind!(@ [] $($rest)*);
    };
}

kind!(
    Text,
    &'a str,
    &'b str,
    AttributeValue::text,
    ContextRef::string_attribute
);
kind!(
    Symbol,
    &'a str,
    &'b str,
    AttributeValue::symbol_name,
    ContextRef::symbol_attribute
);
kind!(
    Bool,
    bool,
    bool,
    AttributeValue::boolean,
    ContextRef::bool_attribute
);
kind!(
    TypeValue,
    Type<'a>,
    Type<'a>,
    AttributeValue::type_value,
    ContextRef::type_attribute
);
kind!(
    List,
    Vec<Attribute<'a>>,
    &'b [Attribute<'a>],
    AttributeValue::elements,
    ContextRef::array_attribute
);
kind!(
    Dictionary,
    Vec<(&'a str, Attribute<'a>)>,
    &'b [(&'b str, Attribute<'a>)],
    AttributeValue::entries,
    ContextRef::dictionary_attribute
);
kind!(Any, Attribute<'a>, Attribute<'a>, Some, |_, value| value);
kind!(
    Unit,
    (),
    (),
    |attribute: Attribute<'a>| attribute.is_unit().then_some(()),
    |context: ContextRef<'a>, ()| context.unit_attribute()
);
kind!(
    Symbols,
    Vec<&'a str>,
    &'b [&'b str],
    |attribute: Attribute<'a>| {
        let symbols = attribute.elements()?.into_iter();
        symbols.map(AttributeValue::symbol_name).collect()
    },
    |context: ContextRef<'a>, value: &[&str]| {
        let symbols = value.iter().map(|name| context.symbol_attribute(name));
        context.array_attribute(&symbols.collect::<Vec<_>>())
    }
);
kind!(
    views::Shape<'static>,
    views::Shape<'a>,
    &'b [u64],
    views::Shape::from_attribute,
    |context: ContextRef<'a>, extents: &[u64]| views::Shape::new(context, extents).attribute()
);
kind!(
    views::ComputeConfig<'static>,
    views::ComputeConfig<'a>,
    views::ComputeConfig<'a>,
    views::ComputeConfig::from_attribute,
    |_, value: views::ComputeConfig<'a>| value.attribute()
);

kind!(
    every Int<WIDTH>,
    i64,
    i64,
    AttributeValue::integer,
    |context: ContextRef<'a>, value| context.integer_attribute(context.integer(WIDTH), value)
);
kind!(
    every SignedInt<WIDTH>,
    i64,
    i64,
    AttributeValue::integer,
    |context: ContextRef<'a>, value| context.integer_attribute(context.signed(WIDTH), value)
);
kind!(
    every Float<WIDTH>,
    f64,
    f64,
    AttributeValue::float,
    |context: ContextRef<'a>, value| {
        let r#type = match WIDTH {
            64 => context.f64(),
            _ => context.f32(),
        };
        context.float_attribute(r#type, value)
    }
);
kind!(
    every Ints<WIDTH>,
    Vec<i64>,
    &'b [i64],
    |attribute: Attribute<'a>| {
        let elements = attribute.elements()?.into_iter();
        elements.map(AttributeValue::integer).collect()
    },
    |context: ContextRef<'a>, value: &[i64]| {
        let integer = |&value: &i64| context.integer_attribute(context.integer(WIDTH), value);
        context.array_attribute(&value.iter().map(integer).collect::<Vec<_>>())
    }
);
kind!(
    DenseInts<32>,
    Vec<i64>,
    &'b [i32],
    AttributeValue::integers,
    ContextRef::i32_array_attribute
);
kind!(
    DenseInts<64>,
    Vec<i64>,
    &'b [i64],
    AttributeValue::integers,
    ContextRef::i64_array_attribute
);
