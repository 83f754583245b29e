//! `#ttnn.ttnn_layout`: the memory and the element order of a tensor.
//!
//! Only layouts on one core without sharding are created here. Any other attribute is not a
//! [`Layout`], so that no pass changes it by accident.

use tessera_dialects::mlir::{ContextRef, TensorType, Type, TypeLike};

/// Rows and columns of a tile.
pub const TILE: u64 = 32;

/// Upper limit of elements; more than any chip has bytes of DRAM.
const MAX_ELEMENTS: u64 = 1 << 40;

/// Returns why tensors of a type have neither layouts nor kernels, if their shape is the reason.
pub fn unsupported_shape(r#type: Type) -> Option<&'static str> {
    if r#type.is_unranked_tensor() {
        return Some("give it a shape");
    }
    if !r#type.is_ranked_tensor() {
        return None;
    }
    match r#type.static_shape() {
        None => Some("give every dimension a size"),
        Some(shape) if shape.contains(&0) => Some("it has no elements"),
        Some(shape) if fits(&shape) => None,
        Some(_) => Some("it is larger than the memory of any chip"),
    }
}

/// Returns whether a tensor is small enough for any memory. The limit also ensures that no size
/// computed here overflows.
fn fits(shape: &[u64]) -> bool {
    // Rows and columns are padded by less than a tile each.
    let mut padded = shape.iter().map(|extent| extent.checked_add(TILE));
    let elements = padded.try_fold(1u64, |product, extent| product.checked_mul(extent?));
    elements.is_some_and(|elements| elements <= MAX_ELEMENTS)
}

/// The memory of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Memory {
    /// DRAM of the device, with pages interleaved over its banks.
    Dram,
    /// L1 of the device, with pages interleaved over its cores.
    L1,
    /// Host memory.
    System,
}

/// The order of a tensor's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// In tiles of [`TILE`] rows and columns.
    Tile,
    /// Row by row.
    RowMajor,
}

/// A layout without the parts that follow from the tensor type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    /// The memory.
    pub memory: Memory,
    /// The element order.
    pub order: Order,
}

impl Layout {
    /// All layouts created here, the common ones first.
    const ALL: [Layout; 6] = [
        Layout::DEFAULT,
        Layout::new(Memory::Dram, Order::RowMajor),
        Layout::new(Memory::System, Order::RowMajor),
        Layout::new(Memory::System, Order::Tile),
        Layout::new(Memory::L1, Order::Tile),
        Layout::new(Memory::L1, Order::RowMajor),
    ];

    /// The default layout of tensors.
    pub const DEFAULT: Layout = Layout::new(Memory::Dram, Order::Tile);

    /// Creates a layout.
    pub const fn new(memory: Memory, order: Order) -> Self {
        Self { memory, order }
    }

    /// Returns the layout of a tensor type, or `None` if it has none or another kind.
    pub fn from_type<'a>(context: ContextRef<'a>, tensor: Type<'a>) -> Option<Layout> {
        let encoding = tensor.encoding()?;
        let has = |layout: &Layout| {
            layout.of_tensor(context, tensor).and_then(Type::encoding) == Some(encoding)
        };
        Self::ALL.into_iter().find(has)
    }

    /// Returns the tensor type with this layout. Returns `None` for a shape with dynamic
    /// dimensions, or one that fits no chip.
    pub fn of_tensor<'a>(self, context: ContextRef<'a>, tensor: Type<'a>) -> Option<Type<'a>> {
        let shape = tensor.static_shape().filter(|shape| fits(shape))?;
        let element = tensor.element_type()?;
        let encoding = context.parse_attribute(&self.text(&shape, element))?;
        Some(context.tensor(&shape, element, Some(encoding)))
    }

    /// Returns the type of a tensor like another one, with another shape. Returns `None` if the
    /// other one has another kind of layout, or the shape fits no chip.
    pub fn with_shape<'a>(
        context: ContextRef<'a>,
        tensor: Type<'a>,
        shape: &[u64],
    ) -> Option<Type<'a>> {
        let plain = context.tensor(shape, tensor.element_type()?, None);
        match tensor.encoding() {
            None => Some(plain),
            Some(_) => Layout::from_type(context, tensor)?.of_tensor(context, plain),
        }
    }

    /// Returns the attribute for a shape and element type, as text.
    ///
    /// The tensor is seen as a matrix: its last dimension by all others together. In tiles, the
    /// last two dimensions are padded to whole tiles first, so that no tile holds rows of two
    /// matrices of a batch.
    fn text(self, shape: &[u64], element: Type) -> String {
        let padded = match self.order {
            Order::Tile => padded(shape),
            Order::RowMajor => shape.to_vec(),
        };
        let (mut rows, mut columns) = matrix(&padded);
        let element = match self.order {
            Order::Tile => {
                (rows, columns) = (rows.div_ceil(TILE), columns.div_ceil(TILE));
                format!("!ttcore.tile<{TILE}x{TILE}, {}>", data_type(element))
            }
            Order::RowMajor => element.to_string(),
        };
        // A core's share of interleaved pages is a sequence, not a matrix.
        if self.memory == Memory::L1 {
            (rows, columns) = (1, rows * columns);
        }
        let (memory, layout) = match self.memory {
            Memory::Dram => ("dram", ", <interleaved>"),
            Memory::L1 => ("l1", ", <interleaved>"),
            Memory::System => ("system_memory", ""),
        };
        format!(
            "#ttnn.ttnn_layout<{}, <1x1>, memref<{rows}x{columns}x{element}, #ttnn.buffer_type<{memory}>>{layout}>",
            linear(&padded)
        )
    }
}

/// Pads the last two dimensions to whole tiles.
fn padded(shape: &[u64]) -> Vec<u64> {
    let batch = shape.len().saturating_sub(2);
    let pad = |(axis, extent): (usize, &u64)| match axis < batch {
        true => *extent,
        false => extent.next_multiple_of(TILE),
    };
    shape.iter().enumerate().map(pad).collect()
}

/// Returns the rows and columns of the matrix that a tensor is collapsed to.
fn matrix(shape: &[u64]) -> (u64, u64) {
    match shape {
        [] => (1, 1),
        [rows @ .., columns] => (rows.iter().product(), *columns),
    }
}

/// Returns the affine map from an element's position in the tensor to its position in the matrix.
fn linear(shape: &[u64]) -> String {
    let dims: Vec<_> = (0..shape.len()).map(|axis| format!("d{axis}")).collect();
    let mut terms = Vec::new();
    let mut stride = 1;
    for axis in (0..shape.len().saturating_sub(1)).rev() {
        terms.push(match stride {
            1 => format!("d{axis}"),
            _ => format!("d{axis} * {stride}"),
        });
        stride *= shape[axis];
    }
    terms.reverse();
    let row = if terms.is_empty() {
        "0".into()
    } else {
        terms.join(" + ")
    };
    let column = dims.last().map_or("0", String::as_str);
    format!("({}) -> ({row}, {column})", dims.join(", "))
}

/// Returns the name of an element type inside a tile type.
fn data_type(element: Type) -> String {
    let name = element.to_string();
    match name.strip_prefix("ui") {
        Some(bits) => format!("u{bits}"),
        None => name,
    }
}

#[cfg(test)]
mod tests;
