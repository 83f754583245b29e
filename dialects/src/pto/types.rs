//! The types of the pto dialect and their verification.

use super::enums::{Direction, Layout, Space, Split};
use crate::mlir::{
    pto_buffer, pto_pipe, pto_tile, ContextRef, Scalar, ScalarType, TensorType, Type, TypeLike,
    Value,
};
use std::fmt;

/// A side: one of the two kinds of cores, or of parts of a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The cube side, with the matrix unit.
    Cube,
    /// The vector side, for element-wise operations.
    Vector,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Side::Cube => "cube",
            Side::Vector => "vector",
        })
    }
}

impl Space {
    /// Returns the side it is on.
    pub fn side(self) -> Side {
        match self {
            Space::Mat | Space::Acc | Space::Left | Space::Right | Space::Bias => Side::Cube,
            Space::Vec => Side::Vector,
        }
    }
}

impl Direction {
    /// Returns its bit in a mask of directions.
    pub fn mask(self) -> u8 {
        match self {
            Direction::C2V => 1,
            Direction::V2C => 2,
        }
    }

    /// Returns the side that pushes.
    pub fn producer(self) -> Side {
        match self {
            Direction::C2V => Side::Cube,
            Direction::V2C => Side::Vector,
        }
    }

    /// Returns the side that pops.
    pub fn consumer(self) -> Side {
        match self {
            Direction::C2V => Side::Vector,
            Direction::V2C => Side::Cube,
        }
    }

    /// Returns the space that tiles are popped in.
    pub fn ring(self) -> Space {
        match self {
            Direction::C2V => Space::Vec,
            Direction::V2C => Space::Mat,
        }
    }
}

impl Split {
    /// Returns the number of vector kernels at the end of the pipe.
    pub fn lanes(self) -> usize {
        match self {
            Split::None => 1,
            Split::UpDown | Split::LeftRight => 2,
        }
    }

    /// Returns the dimension that is split.
    pub fn axis(self) -> Option<usize> {
        match self {
            Split::None => None,
            Split::UpDown => Some(0),
            Split::LeftRight => Some(1),
        }
    }
}

/// The content of a tile type.
#[derive(Clone, Debug, PartialEq)]
pub struct Tile<'a> {
    /// Rows and columns.
    pub shape: Vec<u64>,
    /// Valid rows and columns.
    pub valid: Vec<u64>,
    /// The type of its elements.
    pub element: Type<'a>,
    /// Its memory space.
    pub space: Space,
    /// The order of its elements.
    pub layout: Layout,
}

impl<'a> Tile<'a> {
    /// Returns the tile type, or `None` if it is invalid. The diagnostics of the context contain
    /// the reason.
    pub fn to_type(&self, context: ContextRef<'a>) -> Option<Type<'a>> {
        context.parse_type(&self.to_string())
    }

    /// Returns its size in bytes, or `None` if its elements have no size or it is larger than any
    /// memory.
    pub fn bytes(&self) -> Option<u64> {
        let bits = match self.element.scalar()? {
            Scalar::BF16 | Scalar::F16 => 16,
            Scalar::F32 => 32,
            Scalar::F64 => 64,
            Scalar::Integer { width, .. } => u64::from(width).next_multiple_of(8),
            Scalar::Index => return None,
        };
        self.shape
            .iter()
            .try_fold(bits / 8, |bytes, extent| bytes.checked_mul(*extent))
    }
}

impl fmt::Display for Tile<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let dimensions: String = self
            .shape
            .iter()
            .map(|extent| format!("{extent}x"))
            .collect();
        let (element, space) = (self.element, self.space);
        write!(f, "!pto.tile<tensor<{dimensions}{element}>, {space}")?;
        if self.layout != Layout::Nd {
            write!(f, ", layout = {}", self.layout)?;
        }
        if self.valid != self.shape {
            write!(f, ", valid = {}", extents(&self.valid))?;
        }
        f.write_str(">")
    }
}

/// Returns the content of a tile type, or `None` for another type.
pub fn tile(r#type: Type<'_>) -> Option<Tile<'_>> {
    let parts = pto_tile(r#type)?;
    let shape = parts.contents.static_shape()?;
    Some(Tile {
        valid: if parts.valid.is_empty() {
            shape.clone()
        } else {
            parts.valid
        },
        shape,
        element: parts.contents.element_type()?,
        space: Space::from_word(parts.space)?,
        layout: Layout::from_word(parts.layout)?,
    })
}

/// The content of a buffer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// Its size in bytes.
    pub bytes: u64,
    /// Its memory space.
    pub space: Space,
}

impl Buffer {
    /// Returns the buffer type, or `None` if it is invalid. The diagnostics of the context contain
    /// the reason.
    pub fn to_type(self, context: ContextRef) -> Option<Type> {
        context.parse_type(&self.to_string())
    }
}

impl fmt::Display for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "!pto.buffer<{}, {}>", self.bytes, self.space)
    }
}

/// Returns the content of a buffer type, or `None` for another type.
pub fn buffer(r#type: Type) -> Option<Buffer> {
    let (bytes, space) = pto_buffer(r#type)?;
    Some(Buffer {
        bytes,
        space: Space::from_word(space)?,
    })
}

/// The content of a pipe type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pipe {
    /// Its direction.
    pub direction: Direction,
    /// The number of slots of its ring.
    pub slot_num: u64,
    /// The size of a slot in bytes.
    pub slot_size: u64,
    /// Split of tiles over vector kernels.
    pub split: Split,
}

impl Pipe {
    /// Returns the size of its ring in bytes.
    pub fn bytes(self) -> u64 {
        self.slot_num.saturating_mul(self.slot_size)
    }

    /// Returns the pipe type, or `None` if it is invalid. The diagnostics of the context contain
    /// the reason.
    pub fn to_type(self, context: ContextRef) -> Option<Type> {
        context.parse_type(&self.to_string())
    }
}

impl fmt::Display for Pipe {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (direction, slot_num, slot_size) = (self.direction, self.slot_num, self.slot_size);
        write!(f, "!pto.pipe<{direction}, {slot_num} x {slot_size}")?;
        match self.split {
            Split::None => f.write_str(">"),
            split => write!(f, ", {split}>"),
        }
    }
}

/// Returns the content of a pipe type, or `None` for another type.
pub fn pipe(r#type: Type) -> Option<Pipe> {
    let (direction, slot_num, slot_size, split) = pto_pipe(r#type)?;
    Some(Pipe {
        direction: Direction::from_word(direction)?,
        slot_num,
        slot_size,
        split: Split::from_word(split)?,
    })
}

/// Returns the size of a slot buffer in global memory, or `None` for another type.
pub fn slot_buffer(r#type: Type) -> Option<u64> {
    let bytes = matches!(
        r#type.element_type().and_then(ScalarType::scalar),
        Some(Scalar::Integer { width: 8, .. })
    );
    if !r#type.is_mem_ref() || !bytes {
        return None;
    }
    match r#type.static_shape()?[..] {
        [bytes] => Some(bytes),
        _ => None,
    }
}

/// Returns the tile type of a value that ODS constrains to be a tile.
pub(super) fn tile_of<'a>(value: Value<'a>) -> Result<Tile<'a>, String> {
    tile(value.r#type())
        .ok_or_else(|| format!("{} has a dynamic shape; a tile is 32x32", value.r#type()))
}

fn extents(list: &[impl fmt::Display]) -> String {
    let list: Vec<_> = list.iter().map(ToString::to_string).collect();
    list.join("x")
}

/// An upper bound on the number of elements of a tile.
const MOST_ELEMENTS: i64 = 1 << 40;

/// Checks a tile type; a dynamic extent, which is negative, is left to the operations.
pub(crate) fn verify_tile_type(shape: &[i64], valid: &[i64]) -> Vec<String> {
    if shape.contains(&0) {
        return vec!["expected positive tile extents".into()];
    }
    let mut known = shape.iter().filter(|extent| **extent > 0);
    let elements = known.try_fold(1i64, |product, extent| product.checked_mul(*extent));
    if elements.is_none_or(|elements| elements > MOST_ELEMENTS) {
        return vec![format!(
            "a tile of {} elements is larger than any memory",
            extents(shape)
        )];
    }
    if valid.is_empty() {
        return vec![];
    }
    let (named, whole) = (extents(valid), extents(shape));
    if valid.len() != shape.len() {
        return vec![format!(
            "valid = {named} has {} extents, but the tile {}",
            valid.len(),
            shape.len()
        )];
    }
    let static_shape = shape.iter().all(|extent| *extent >= 0);
    if static_shape && valid.iter().zip(shape).any(|(valid, all)| valid > all) {
        return vec![format!("valid = {named} is more than the tile, {whole}")];
    }
    if valid == shape {
        return vec![format!("valid = {named} is the whole tile; leave it out")];
    }
    vec![]
}

/// Checks a buffer type.
pub(crate) fn verify_buffer_type(bytes: i64, space: &str) -> Vec<String> {
    if bytes < 1 {
        return vec![format!("a buffer of {bytes} bytes holds no ring")];
    }
    if !matches!(Space::from_word(space), Some(Space::Mat | Space::Vec)) {
        return vec![format!(
            "a buffer in {space}; rings are in mat, for the cube side, or in vec, for the vector \
             side"
        )];
    }
    vec![]
}

/// Checks a pipe type.
pub(crate) fn verify_pipe_type(slot_num: i64, slot_size: i64) -> Vec<String> {
    if slot_num < 1 || slot_size < 1 {
        return vec![format!(
            "a ring of {slot_num} slots of {slot_size} bytes; there must be at least one of each"
        )];
    }
    if slot_num.checked_mul(slot_size).is_none() {
        return vec![format!(
            "a ring of {slot_num} slots of {slot_size} bytes is larger than any memory"
        )];
    }
    vec![]
}
