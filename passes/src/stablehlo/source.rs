//! Reading StableHLO operations. The dialect is unregistered, so that everything is verified here.

use tessera_dialects::mlir::{
    crash, Attribute, AttributeValue, Block, DenseElements, Op, Reported, Scalar, ScalarType,
    TensorType, Type, TypeLike, Value,
};
use tessera_ops::shape::count_elements;

use super::opaque::{self, Record};
use crate::ttir::tensor::Tensor;

/// An operation to convert.
pub struct Source<'a> {
    /// The operation.
    pub op: Op<'a>,
}

impl<'a> Source<'a> {
    /// Returns the reader of an operation.
    pub fn new(op: Op<'a>) -> Self {
        Source { op }
    }

    /// Returns the operands, which must be exactly `N`.
    ///
    /// # Errors
    /// If there are more or fewer.
    pub fn operands<const N: usize>(&self) -> Result<[Tensor<'a>; N], Reported> {
        let operands = self.all_operands()?;
        let found = operands.len();
        operands.try_into().map_err(|_| {
            self.op
                .error(format!("takes {N} operands, but has {found}"))
        })
    }

    /// Returns all operands.
    ///
    /// # Errors
    /// If one is not a tensor of static shape.
    pub fn all_operands(&self) -> Result<Vec<Tensor<'a>>, Reported> {
        let operands = self.op.operands().into_iter();
        operands.map(|value| self.tensor(value)).collect()
    }

    /// Returns the only result.
    ///
    /// # Errors
    /// If there are several or none.
    pub fn result(&self) -> Result<Tensor<'a>, Reported> {
        match self.op.results()[..] {
            [value] => self.tensor(value),
            _ => Err(self.op.error(format!(
                "has {} results where one is needed",
                self.op.result_count()
            ))),
        }
    }

    /// Returns a value as a tensor.
    fn tensor(&self, value: Value<'a>) -> Result<Tensor<'a>, Reported> {
        let r#type = value.r#type();
        let parts = r#type.static_shape().zip(r#type.element_type());
        let (shape, element) = parts.ok_or_else(|| {
            self.op
                .error(format!("has '{type}' where a tensor is needed"))
        })?;
        Ok(Tensor {
            value,
            shape,
            element,
        })
    }

    /// Returns an attribute.
    ///
    /// # Errors
    /// If it is absent.
    fn attribute(&self, name: &str) -> Result<Attribute<'a>, Reported> {
        self.op
            .attribute(name)
            .ok_or_else(|| self.op.error(format!("requires attribute '{name}'")))
    }

    /// Returns an attribute read by a function, which returns `None` if it is malformed.
    fn read<T>(
        &self,
        name: &str,
        expected: &str,
        read: impl FnOnce(Attribute<'a>) -> Option<T>,
    ) -> Result<T, Reported> {
        let attribute = self.attribute(name)?;
        read(attribute).ok_or_else(|| {
            self.op.error(format!(
                "attribute '{name}' must be {expected}, not '{}'",
                text(attribute)
            ))
        })
    }

    /// Returns the value of an integer attribute.
    ///
    /// # Errors
    /// If it is absent or not an integer.
    pub fn integer(&self, name: &str) -> Result<i64, Reported> {
        self.read(name, "an integer", AttributeValue::integer)
    }

    /// Returns the integers of an array, which must be exactly `count`.
    ///
    /// # Errors
    /// If it is absent, not an array of integers, or of another length.
    pub fn integers(&self, name: &str, count: usize) -> Result<Vec<i64>, Reported> {
        let expected = format!("an array of {count} integers");
        self.read(name, &expected, |attribute| {
            integers(attribute).filter(|values| values.len() == count)
        })
    }

    /// Returns the integers of an array of any length.
    ///
    /// # Errors
    /// If it is absent or not an array of integers.
    pub fn any_integers(&self, name: &str) -> Result<Vec<i64>, Reported> {
        self.read(name, "an array of integers", integers)
    }

    /// Returns the integers of an array, or the default if it is absent.
    ///
    /// # Errors
    /// If it is not an array of this many integers.
    pub fn integers_or(
        &self,
        name: &str,
        count: usize,
        default: i64,
    ) -> Result<Vec<i64>, Reported> {
        match self.op.attribute(name) {
            None => Ok(vec![default; count]),
            Some(_) => self.integers(name, count),
        }
    }

    /// Returns the flags of an array, or `false` if it is absent.
    ///
    /// # Errors
    /// If it is not an array of this many flags.
    pub fn flags(&self, name: &str, count: usize) -> Result<Vec<bool>, Reported> {
        if self.op.attribute(name).is_none() {
            return Ok(vec![false; count]);
        }
        let expected = format!("an array of {count} booleans");
        self.read(name, &expected, |attribute| {
            flags(attribute).filter(|flags| flags.len() == count)
        })
    }

    /// Returns dimensions of a tensor: distinct numbers below its rank.
    ///
    /// # Errors
    /// If the attribute is absent or names others.
    pub fn dimensions(&self, name: &str, rank: usize) -> Result<Vec<usize>, Reported> {
        let named = self.any_integers(name)?;
        self.check_dimensions(name, &named, rank)
    }

    /// Checks that numbers are distinct dimensions of a tensor.
    ///
    /// # Errors
    /// If they are not.
    pub fn check_dimensions(
        &self,
        name: &str,
        named: &[i64],
        rank: usize,
    ) -> Result<Vec<usize>, Reported> {
        let mut seen = vec![false; rank];
        let mut dims = Vec::new();
        for &dim in named {
            let index = usize::try_from(dim).ok().filter(|dim| *dim < rank);
            match index {
                Some(index) if !seen[index] => {
                    seen[index] = true;
                    dims.push(index);
                }
                _ => {
                    return Err(self.op.error(format!(
                        "attribute '{name}' names dimension {dim}, which is out of range or \
                         repeated; the tensor has rank {rank}"
                    )))
                }
            }
        }
        Ok(dims)
    }

    /// Returns the keyword of an enumeration attribute of this kind, or `None` if it is absent.
    ///
    /// # Errors
    /// If it is malformed.
    pub fn keyword(&self, name: &str, kind: &str) -> Result<Option<String>, Reported> {
        if self.op.attribute(name).is_none() {
            return Ok(None);
        }
        let expected = format!("'#stablehlo<{kind} ...>'");
        self.read(name, &expected, |attribute| {
            opaque::keyword(&text(attribute), kind).map(str::to_owned)
        })
        .map(Some)
    }

    /// Returns a record of dimension numbers.
    ///
    /// # Errors
    /// If it is absent or malformed.
    pub fn record(&self, name: &str, kind: &str, fields: &[&str]) -> Result<Record, Reported> {
        let expected = format!("'#stablehlo.{kind}<...>' with {}", fields.join(", "));
        self.read(name, &expected, |attribute| {
            Record::parse(&text(attribute), kind, fields)
        })
    }

    /// Returns an attribute as text that a function parses.
    ///
    /// # Errors
    /// If it is absent or malformed.
    pub fn parse<T>(
        &self,
        name: &str,
        expected: &str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, Reported> {
        self.read(name, expected, |attribute| parse(&text(attribute)))
    }

    /// Returns the only block of the only region.
    ///
    /// # Errors
    /// If there is another number of either.
    pub fn body(&self) -> Result<Block<'a>, Reported> {
        self.bodies().map(|[body]| body)
    }

    /// Returns the only block of each region; there must be exactly `N` regions.
    ///
    /// # Errors
    /// If there is another number of either.
    pub fn bodies<const N: usize>(&self) -> Result<[Block<'a>; N], Reported> {
        let blocks = self.all_bodies();
        blocks
            .and_then(|blocks| blocks.try_into().ok())
            .ok_or_else(|| {
                let count = if N == 1 { "one region" } else { "two regions" };
                self.op.error(format!("needs {count} of one block"))
            })
    }

    /// Returns the only block of each region, or `None` if a region has another number.
    pub fn all_bodies(&self) -> Option<Vec<Block<'a>>> {
        let regions = self.op.regions().into_iter();
        let blocks = regions.map(|region| match region.blocks()[..] {
            [block] => Some(block),
            _ => None,
        });
        blocks.collect()
    }

    /// Checks that all operands have the shape and element type of the first one.
    ///
    /// # Errors
    /// If one does not.
    pub fn check_same(&self, operands: &[Tensor<'a>]) -> Result<(), Reported> {
        let types = operands.iter().map(|operand| operand.value.r#type());
        let types: Vec<_> = types.collect();
        match types.iter().find(|r#type| **r#type != types[0]) {
            None => Ok(()),
            Some(other) => Err(self.op.error(format!(
                "has operands of types '{}' and '{other}', which must be the same",
                types[0]
            ))),
        }
    }
}

/// Returns the text of an attribute. MLIR's printer crashes on an `array<i1: 0>`, whose parser
/// makes no element of it.
fn text(attribute: Attribute) -> String {
    crash::guard("MLIR's printer", || attribute.to_string())
}

/// Returns the integers of an array attribute or of a dense constant of integers.
fn integers(attribute: Attribute) -> Option<Vec<i64>> {
    if let Some(values) = attribute.integers() {
        return Some(values);
    }
    let data = attribute.dense()?;
    let width = match data.r#type.element_type()?.scalar()? {
        Scalar::Integer { width: 64, .. } => 8,
        Scalar::Integer { width: 32, .. } => 4,
        _ => return None,
    };
    let values = data.bytes.chunks_exact(width).map(|bytes| match *bytes {
        [a, b, c, d] => i64::from(i32::from_le_bytes([a, b, c, d])),
        [a, b, c, d, e, f, g, h] => i64::from_le_bytes([a, b, c, d, e, f, g, h]),
        _ => 0,
    });
    let values: Vec<i64> = values.collect();
    let elements: u64 = data.r#type.static_shape()?.iter().product();
    match (data.splat, values.first()) {
        (true, Some(&value)) => {
            // A splat of a hostile shape may stand for any number of elements.
            let elements = usize::try_from(elements).ok().filter(|count| *count <= 64);
            Some(vec![value; elements?])
        }
        _ => Some(values),
    }
}

/// Returns the flags of a dense array of `i1`.
fn flags(attribute: Attribute) -> Option<Vec<bool>> {
    let text = text(attribute);
    let list = text.strip_prefix("array<i1")?.strip_suffix('>')?;
    let list = list.strip_prefix(':').unwrap_or(list).trim();
    if list.is_empty() {
        return Some(Vec::new());
    }
    list.split(',')
        .map(|flag| flag.trim().parse().ok())
        .collect()
}

/// Returns the direction of a comparison, or `None` if it is absent or malformed.
pub fn comparison_direction(compare: Op) -> Option<String> {
    let attribute = compare.attribute("comparison_direction")?;
    opaque::keyword(&text(attribute), "comparison_direction").map(str::to_owned)
}

/// Rejects tensors that no chip supports: of dynamic shape, of an unsupported element type, or with
/// more elements than can be counted.
///
/// # Errors
/// At the first operand or result.
pub fn require_tensors(op: Op) -> Result<(), Reported> {
    let values = op.operands().into_iter().chain(op.results());
    let block_arguments = op.regions().into_iter().flat_map(|region| region.blocks());
    let arguments = block_arguments.flat_map(|block| block.arguments());
    for value in values.chain(arguments) {
        if let Some(why) = unsupported(value.r#type()) {
            return Err(op.error(format!("has '{}'; {why}", value.r#type())));
        }
    }
    Ok(())
}

/// Returns the diagnostic for an unsupported type, with its remedy.
fn unsupported(r#type: Type) -> Option<&'static str> {
    if !r#type.is_ranked_tensor() {
        return match r#type.is_unranked_tensor() {
            true => Some("unranked tensors are not supported; export the model with static shapes"),
            false => None,
        };
    }
    let Some(shape) = r#type.static_shape() else {
        return Some("dynamic shapes are not supported; export the model with static shapes");
    };
    let count = count_elements(&shape);
    if count.and_then(|count| i64::try_from(count).ok()).is_none() {
        return Some("its number of elements does not fit 64 bits; split the tensor");
    }
    match r#type.element_type().and_then(|element| element.scalar()) {
        Some(Scalar::F64) => Some("element type 'f64' is not supported; export the model in f32"),
        Some(Scalar::Index) | None => Some(
            "its element type is not supported; use bf16, f16, f32, or integers of 1, 8, 16, 32 \
             or 64 bits",
        ),
        Some(_) => None,
    }
}
