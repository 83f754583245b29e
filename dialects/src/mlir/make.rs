//! Creation and inspection of types, attributes and locations.

use super::context::ContextRef;
use super::{ffi, source};
use melior::ir::attribute::{
    ArrayAttribute, BoolAttribute, DenseI32ArrayAttribute, DenseI64ArrayAttribute,
    FlatSymbolRefAttribute, FloatAttribute, IntegerAttribute, StringAttribute, TypeAttribute,
};
use melior::ir::r#type::{FunctionType, IntegerType, RankedTensorType};
use melior::ir::{Attribute, AttributeLike, Location, Type, TypeLike};
use mlir_sys::*;

impl<'a> ContextRef<'a> {
    /// Parses a type. On failure, returns `None` and reports the reason to the context.
    pub fn parse_type(self, text: &str) -> Option<Type<'a>> {
        if let Some(known) = self.0.parsed.types.borrow().get(text) {
            // SAFETY: types live as long as their context.
            return Some(unsafe { Type::from_raw(*known) });
        }
        let parsed = Type::parse(&self.0.raw, source::parseable(text)?)?;
        let mut types = self.0.parsed.types.borrow_mut();
        types.insert(text.to_owned(), parsed.to_raw());
        Some(parsed)
    }

    /// Parses an attribute. On failure, returns `None` and reports the reason to the context.
    pub fn parse_attribute(self, text: &str) -> Option<Attribute<'a>> {
        if let Some(known) = self.0.parsed.attributes.borrow().get(text) {
            // SAFETY: attributes live as long as their context.
            return Some(unsafe { Attribute::from_raw(*known) });
        }
        let parsed = Attribute::parse(&self.0.raw, source::parseable(text)?)?;
        let mut attributes = self.0.parsed.attributes.borrow_mut();
        attributes.insert(text.to_owned(), parsed.to_raw());
        Some(parsed)
    }

    /// Returns `bf16`.
    pub fn bf16(self) -> Type<'a> {
        Type::bfloat16(&self.0.raw)
    }

    /// Returns `f16`.
    pub fn f16(self) -> Type<'a> {
        Type::float16(&self.0.raw)
    }

    /// Returns `f32`.
    pub fn f32(self) -> Type<'a> {
        Type::float32(&self.0.raw)
    }

    /// Returns `f64`.
    pub fn f64(self) -> Type<'a> {
        Type::float64(&self.0.raw)
    }

    /// Returns `index`.
    pub fn index(self) -> Type<'a> {
        Type::index(&self.0.raw)
    }

    /// Returns `i<width>`, a signless integer.
    pub fn integer(self, width: u32) -> Type<'a> {
        IntegerType::new(&self.0.raw, width).into()
    }

    /// Returns `si<width>`.
    pub fn signed(self, width: u32) -> Type<'a> {
        IntegerType::signed(&self.0.raw, width).into()
    }

    /// Returns `ui<width>`.
    pub fn unsigned(self, width: u32) -> Type<'a> {
        IntegerType::unsigned(&self.0.raw, width).into()
    }

    /// Returns a tensor type of static shape.
    pub fn tensor(
        self,
        shape: &[u64],
        element: Type<'a>,
        encoding: Option<Attribute<'a>>,
    ) -> Type<'a> {
        RankedTensorType::new(shape, element, encoding).into()
    }

    /// Returns a function type.
    pub fn function(self, inputs: &[Type<'a>], results: &[Type<'a>]) -> Type<'a> {
        FunctionType::new(&self.0.raw, inputs, results).into()
    }

    /// Returns `unit`.
    pub fn unit_attribute(self) -> Attribute<'a> {
        Attribute::unit(&self.0.raw)
    }

    /// Returns `true` or `false`.
    pub fn bool_attribute(self, value: bool) -> Attribute<'a> {
        BoolAttribute::new(&self.0.raw, value).into()
    }

    /// Returns `value : type`, for an integer or index type.
    pub fn integer_attribute(self, r#type: Type<'a>, value: i64) -> Attribute<'a> {
        IntegerAttribute::new(r#type, value).into()
    }

    /// Returns `value : type`, for a floating-point type.
    pub fn float_attribute(self, r#type: Type<'a>, value: f64) -> Attribute<'a> {
        FloatAttribute::new(&self.0.raw, r#type, value).into()
    }

    /// Returns `"text"`.
    pub fn string_attribute(self, text: &str) -> Attribute<'a> {
        StringAttribute::new(&self.0.raw, text).into()
    }

    /// Returns `@name`.
    pub fn symbol_attribute(self, name: &str) -> Attribute<'a> {
        FlatSymbolRefAttribute::new(&self.0.raw, name).into()
    }

    /// Returns a type as an attribute.
    pub fn type_attribute(self, r#type: Type<'a>) -> Attribute<'a> {
        TypeAttribute::new(r#type).into()
    }

    /// Returns `[a, b, ...]`.
    pub fn array_attribute(self, values: &[Attribute<'a>]) -> Attribute<'a> {
        ArrayAttribute::new(&self.0.raw, values).into()
    }

    /// Returns `array<i32: a, b, ...>`.
    pub fn i32_array_attribute(self, values: &[i32]) -> Attribute<'a> {
        DenseI32ArrayAttribute::new(&self.0.raw, values).into()
    }

    /// Returns `array<i64: a, b, ...>`.
    pub fn i64_array_attribute(self, values: &[i64]) -> Attribute<'a> {
        DenseI64ArrayAttribute::new(&self.0.raw, values).into()
    }

    /// Returns `{name = value, ...}`.
    pub fn dictionary_attribute(self, entries: &[(&str, Attribute<'a>)]) -> Attribute<'a> {
        // SAFETY: context and attributes are alive; the names are copied and the array is read
        // during the call.
        unsafe {
            let entries: Vec<MlirNamedAttribute> = entries
                .iter()
                .map(|(name, attribute)| MlirNamedAttribute {
                    name: mlirIdentifierGet(self.to_raw(), ffi::string_ref(name)),
                    attribute: attribute.to_raw(),
                })
                .collect();
            Attribute::from_raw(mlirDictionaryAttrGet(
                self.to_raw(),
                entries.len() as isize,
                entries.as_ptr(),
            ))
        }
    }

    /// Returns a place in a file.
    pub fn file_location(self, file: &str, line: usize, column: usize) -> Location<'a> {
        Location::new(&self.0.raw, file, line, column)
    }

    /// Returns `unknown`.
    pub fn unknown_location(self) -> Location<'a> {
        Location::unknown(&self.0.raw)
    }
}

/// Returns `(d0, .., dn) -> (d0 * factors[0] + .., dn)`; `None` if a factor exceeds 63 bits.
pub(super) fn collapsing_map(context: ContextRef, factors: &[u64]) -> Option<MlirAffineMap> {
    let factors = factors
        .iter()
        .map(|factor| i64::try_from(*factor).ok())
        .collect::<Option<Vec<_>>>()?;
    let rank = factors.len() as isize + 1;
    // SAFETY: the context is alive; expressions live as long as it, and the array is read during
    // the call.
    unsafe {
        let dimension = |index| mlirAffineDimExprGet(context.to_raw(), index);
        let constant = |value| mlirAffineConstantExprGet(context.to_raw(), value);
        let rows = factors
            .iter()
            .zip(0..)
            .map(|(factor, index)| mlirAffineMulExprGet(dimension(index), constant(*factor)))
            .reduce(|sum, term| mlirAffineAddExprGet(sum, term))
            .unwrap_or_else(|| constant(0));
        let mut results = [rows, dimension(rank - 1)];
        Some(mlirAffineMapGet(
            context.to_raw(),
            rank,
            0,
            2,
            results.as_mut_ptr(),
        ))
    }
}

/// Accessors of tensor types.
pub trait TensorType<'a>: Copy {
    /// Returns the shape of a ranked tensor or memref; a dynamic dimension is `None`. Returns
    /// `None` for other types.
    fn shape(self) -> Option<Vec<Option<u64>>>;
    /// Returns the shape if it is static.
    fn static_shape(self) -> Option<Vec<u64>>;
    /// Returns the element type of a tensor or memref.
    fn element_type(self) -> Option<Type<'a>>;
    /// Returns the encoding of a ranked tensor.
    fn encoding(self) -> Option<Attribute<'a>>;
}

impl<'a> TensorType<'a> for Type<'a> {
    fn shape(self) -> Option<Vec<Option<u64>>> {
        if !self.is_ranked_tensor() && !self.is_mem_ref() {
            return None;
        }
        // SAFETY: a ranked shaped type; the indices are in range.
        unsafe {
            let raw = self.to_raw();
            let dimension = |index| {
                (!mlirShapedTypeIsDynamicDim(raw, index))
                    .then(|| mlirShapedTypeGetDimSize(raw, index) as u64)
            };
            Some(
                (0..mlirShapedTypeGetRank(raw) as isize)
                    .map(dimension)
                    .collect(),
            )
        }
    }

    fn static_shape(self) -> Option<Vec<u64>> {
        self.shape()?.into_iter().collect()
    }

    fn element_type(self) -> Option<Type<'a>> {
        // SAFETY: a shaped type.
        self.is_shaped()
            .then(|| unsafe { Type::from_raw(mlirShapedTypeGetElementType(self.to_raw())) })
    }

    fn encoding(self) -> Option<Attribute<'a>> {
        RankedTensorType::try_from(self).ok()?.encoding()
    }
}

/// Accessors of function types.
pub trait Signature<'a>: Copy {
    /// Returns the argument and result types, or `None` for other types.
    fn signature(self) -> Option<(Vec<Type<'a>>, Vec<Type<'a>>)>;
}

impl<'a> Signature<'a> for Type<'a> {
    fn signature(self) -> Option<(Vec<Type<'a>>, Vec<Type<'a>>)> {
        // SAFETY: a function type; the indices are in range.
        self.is_function().then(|| unsafe {
            let raw = self.to_raw();
            let inputs = (0..mlirFunctionTypeGetNumInputs(raw))
                .map(|index| Type::from_raw(mlirFunctionTypeGetInput(raw, index)));
            let results = (0..mlirFunctionTypeGetNumResults(raw))
                .map(|index| Type::from_raw(mlirFunctionTypeGetResult(raw, index)));
            (inputs.collect(), results.collect())
        })
    }
}

/// Accessors of attributes.
pub trait AttributeValue<'a>: Copy {
    /// Returns the value of an integer attribute if it fits into `i64`, regardless of signedness.
    fn integer(self) -> Option<i64>;
    /// Returns the value of a floating-point attribute.
    fn float(self) -> Option<f64>;
    /// Returns the value of a boolean attribute.
    fn boolean(self) -> Option<bool>;
    /// Returns the text of a string attribute.
    fn text(self) -> Option<&'a str>;
    /// Returns the name a flat symbol reference refers to.
    fn symbol_name(self) -> Option<&'a str>;
    /// Returns the type in a type attribute.
    fn type_value(self) -> Option<Type<'a>>;
    /// Returns the elements of an array attribute.
    fn elements(self) -> Option<Vec<Attribute<'a>>>;
    /// Returns the elements of a dense array of `i32` or `i64`.
    fn integers(self) -> Option<Vec<i64>>;
    /// Returns the entry of a dictionary attribute with a name.
    fn entry(self, name: &str) -> Option<Attribute<'a>>;
    /// Returns the entries of a dictionary attribute, by name.
    fn entries(self) -> Option<Vec<(&'a str, Attribute<'a>)>>;
}

impl<'a> AttributeValue<'a> for Attribute<'a> {
    fn integer(self) -> Option<i64> {
        // SAFETY: each getter is called for the signedness it is made for; wider integers than 64
        // bits are left out.
        unsafe {
            if !mlirAttributeIsAInteger(self.to_raw()) {
                return None;
            }
            let r#type = mlirAttributeGetType(self.to_raw());
            if !mlirTypeIsAInteger(r#type) {
                return Some(mlirIntegerAttrGetValueInt(self.to_raw()));
            }
            if mlirIntegerTypeGetWidth(r#type) > 64 {
                return None;
            }
            if mlirIntegerTypeIsSignless(r#type) {
                Some(mlirIntegerAttrGetValueInt(self.to_raw()))
            } else if mlirIntegerTypeIsSigned(r#type) {
                Some(mlirIntegerAttrGetValueSInt(self.to_raw()))
            } else {
                i64::try_from(mlirIntegerAttrGetValueUInt(self.to_raw())).ok()
            }
        }
    }

    fn float(self) -> Option<f64> {
        // SAFETY: a floating-point attribute.
        self.is_float()
            .then(|| unsafe { mlirFloatAttrGetValueDouble(self.to_raw()) })
    }

    fn boolean(self) -> Option<bool> {
        // SAFETY: a boolean attribute.
        self.is_bool()
            .then(|| unsafe { mlirBoolAttrGetValue(self.to_raw()) })
    }

    fn text(self) -> Option<&'a str> {
        // SAFETY: a string attribute; its text lives as long as the context.
        self.is_string()
            .then(|| unsafe { ffi::str_of(mlirStringAttrGetValue(self.to_raw())) })
    }

    fn symbol_name(self) -> Option<&'a str> {
        // SAFETY: a flat symbol reference; its text lives as long as the context.
        self.is_flat_symbol_ref()
            .then(|| unsafe { ffi::str_of(mlirFlatSymbolRefAttrGetValue(self.to_raw())) })
    }

    fn type_value(self) -> Option<Type<'a>> {
        // SAFETY: a type attribute.
        self.is_type()
            .then(|| unsafe { Type::from_raw(mlirTypeAttrGetValue(self.to_raw())) })
    }

    fn elements(self) -> Option<Vec<Attribute<'a>>> {
        // SAFETY: an array attribute; the indices are in range.
        self.is_array().then(|| unsafe {
            (0..mlirArrayAttrGetNumElements(self.to_raw()))
                .map(|index| Attribute::from_raw(mlirArrayAttrGetElement(self.to_raw(), index)))
                .collect()
        })
    }

    fn integers(self) -> Option<Vec<i64>> {
        // SAFETY: each getter is called for its own kind of array; the indices are in range.
        unsafe {
            let raw = self.to_raw();
            if self.is_dense_i32_array() {
                let element = |index| i64::from(mlirDenseI32ArrayGetElement(raw, index));
                Some(
                    (0..mlirDenseArrayGetNumElements(raw))
                        .map(element)
                        .collect(),
                )
            } else if self.is_dense_i64_array() {
                let element = |index| mlirDenseI64ArrayGetElement(raw, index);
                Some(
                    (0..mlirDenseArrayGetNumElements(raw))
                        .map(element)
                        .collect(),
                )
            } else {
                None
            }
        }
    }

    fn entries(self) -> Option<Vec<(&'a str, Attribute<'a>)>> {
        // SAFETY: a dictionary attribute; the indices are in range, and names live as long as the
        // context.
        unsafe {
            let raw = self.to_raw();
            mlirAttributeIsADictionary(raw).then(|| {
                (0..mlirDictionaryAttrGetNumElements(raw))
                    .map(|index| {
                        let named = mlirDictionaryAttrGetElement(raw, index);
                        (
                            ffi::str_of(mlirIdentifierStr(named.name)),
                            Attribute::from_raw(named.attribute),
                        )
                    })
                    .collect()
            })
        }
    }

    fn entry(self, name: &str) -> Option<Attribute<'a>> {
        // SAFETY: a dictionary attribute; the name is borrowed for the call.
        unsafe {
            mlirAttributeIsADictionary(self.to_raw())
                .then(|| {
                    let name = ffi::string_ref(name);
                    Attribute::from_option_raw(mlirDictionaryAttrGetElementByName(
                        self.to_raw(),
                        name,
                    ))
                })
                .flatten()
        }
    }
}
