//! Creation and inspection of types and attributes of Tessera's dialects.
//!
//! A view is created only for a type or attribute of its kind, so its accessors cannot fail.

use super::context::ContextRef;
use super::{ffi, make};
use crate::ttcore::{Arch, DataType};
use crate::ttnn::{BufferType, MathFidelity, TensorMemoryLayout};
use melior::ir::{Attribute, AttributeLike, Location, Type, TypeLike};
use mlir_sys::*;
use std::fmt;

/// Returns the keyword of an enumeration attribute of the kind `kind`: `dram` for
/// `#ttnn.buffer_type<dram>` of kind `ttnn.buffer_type`.
pub fn word<'a>(attribute: Attribute<'a>, kind: &str) -> Option<&'a str> {
    let (dialect, mnemonic) = kind.split_once('.')?;
    let (raw, mnemonic) = (attribute.to_raw(), ffi::string_ref(mnemonic));
    // SAFETY: the attribute is alive and the mnemonic borrowed for the call; the words are static.
    let word = unsafe {
        ffi::str_of(match dialect {
            "pto" => ffi::tesseraPTOWord(raw, mnemonic),
            "ttcore" => ffi::tesseraTTCoreWord(raw, mnemonic),
            "ttnn" => ffi::tesseraTTNNWord(raw, mnemonic),
            _ => return None,
        })
    };
    (!word.is_empty()).then_some(word)
}

/// Declares a view of an attribute.
macro_rules! attribute_view {
    ($(#[$meta:meta])* $name:ident, $is:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq)]
        pub struct $name<'a>(Attribute<'a>);

        impl<'a> $name<'a> {
            /// Returns the view, if the attribute is of this kind.
            pub fn from_attribute(attribute: Attribute<'a>) -> Option<Self> {
                // SAFETY: the attribute is alive.
                unsafe { ffi::$is(attribute.to_raw()) }.then_some(Self(attribute))
            }

            /// Returns the attribute.
            pub fn attribute(self) -> Attribute<'a> {
                self.0
            }
        }

        impl fmt::Debug for $name<'_> {
            fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }

        impl<'a> From<$name<'a>> for Attribute<'a> {
            fn from(view: $name<'a>) -> Self {
                view.0
            }
        }
    };
}

/// `!ttcore.tile`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    /// Rows.
    pub height: u64,
    /// Columns.
    pub width: u64,
    /// The format of its elements.
    pub data_type: DataType,
}

impl Tile {
    /// Returns the view, if the type is a tile.
    pub fn from_type(r#type: Type) -> Option<Self> {
        let (mut height, mut width) = (0, 0);
        // SAFETY: the type is alive, and a tile when its parameters are read; the words are static.
        let word = unsafe {
            if !ffi::tesseraIsTile(r#type.to_raw()) {
                return None;
            }
            ffi::tesseraTileShape(r#type.to_raw(), &mut height, &mut width);
            ffi::str_of(ffi::tesseraTileDataType(r#type.to_raw()))
        };
        let data_type = DataType::from_word(word)?;
        Some(Self {
            height: height.unsigned_abs(),
            width: width.unsigned_abs(),
            data_type,
        })
    }

    /// Returns the type.
    pub fn r#type(self, context: ContextRef) -> Option<Type> {
        context.parse_type(&format!(
            "!ttcore.tile<{}x{}, {}>",
            self.height, self.width, self.data_type
        ))
    }
}

attribute_view! {
    /// `#ttcore.system_desc`
    SystemDesc, tesseraIsSystemDesc
}

impl<'a> SystemDesc<'a> {
    /// Returns the chips, in order.
    pub fn chips(self) -> Vec<ChipDesc<'a>> {
        // SAFETY: a system description; its verifier keeps the indices in range.
        unsafe {
            (0..ffi::tesseraSystemDescNumChips(self.0.to_raw()))
                .map(|chip| {
                    ChipDesc(Attribute::from_raw(ffi::tesseraSystemDescChip(
                        self.0.to_raw(),
                        chip,
                    )))
                })
                .collect()
        }
    }
}

/// `#ttcore.chip_desc`, from a [`SystemDesc`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChipDesc<'a>(Attribute<'a>);

impl ChipDesc<'_> {
    /// Returns the generation of the chip.
    pub fn arch(self) -> Option<Arch> {
        // SAFETY: a chip description.
        Arch::from_attribute(unsafe { Attribute::from_raw(ffi::tesseraChipArch(self.0.to_raw())) })
    }

    /// Returns the numbers of rows and columns of worker cores.
    pub fn grid(self) -> Vec<u64> {
        // SAFETY: a chip description; the indices are in range.
        unsafe {
            (0..ffi::tesseraChipGridRank(self.0.to_raw()))
                .map(|index| ffi::tesseraChipGrid(self.0.to_raw(), index).unsigned_abs())
                .collect()
        }
    }

    /// Returns the size of a core's L1 in bytes.
    pub fn l1_size(self) -> u32 {
        // SAFETY: a chip description.
        unsafe { ffi::tesseraChipL1Size(self.0.to_raw()) }
    }
}

attribute_view! {
    /// `#ttnn.shape`
    Shape, tesseraIsShape
}

impl<'a> Shape<'a> {
    /// Returns the attribute for a shape.
    ///
    /// # Panics
    /// If an extent does not fit into 63 bits.
    pub fn new(context: ContextRef<'a>, extents: &[u64]) -> Self {
        let extents: Vec<i64> = extents
            .iter()
            .map(|extent| i64::try_from(*extent).expect("extents fit into 63 bits"))
            .collect();
        // SAFETY: the context is alive, and the strings and the array are read during the calls.
        // MLIR ends the process where an attribute of a dialect is made that is not loaded.
        Self(unsafe {
            mlirContextGetOrLoadDialect(context.to_raw(), ffi::string_ref("ttnn"));
            Attribute::from_raw(ffi::tesseraShapeGet(
                context.to_raw(),
                extents.len() as isize,
                extents.as_ptr(),
            ))
        })
    }

    /// Returns the extents.
    pub fn extents(self) -> Vec<u64> {
        // SAFETY: a shape; the indices are in range.
        unsafe {
            (0..ffi::tesseraShapeRank(self.0.to_raw()))
                .map(|index| ffi::tesseraShapeExtent(self.0.to_raw(), index).unsigned_abs())
                .collect()
        }
    }
}

attribute_view! {
    /// `#ttnn.ttnn_layout`: the memory layout of a tensor.
    Layout, tesseraIsTTNNLayout
}

/// The parts of a [`Layout`] without a set of cores.
#[derive(Clone, Debug)]
pub struct LayoutParts<'a> {
    /// Factors of the leading dimensions in the first of the two dimensions laid out: the map is
    /// `(d0, .., dn) -> (d0 * collapse[0] + .., dn)`. A tensor of rank `r` has `r - 1` of them; the
    /// last is 1.
    pub collapse: Vec<u64>,
    /// The grid that it is distributed over.
    pub grid: Vec<u64>,
    /// The shape of one shard, in tiles if the element is a tile.
    pub shard: Vec<u64>,
    /// A tile or a scalar.
    pub element: Type<'a>,
    /// The memory that holds it.
    pub buffer_type: BufferType,
    /// The distribution of its pages; `None` in system memory.
    pub memory_layout: Option<TensorMemoryLayout>,
}

impl<'a> Layout<'a> {
    /// Creates the layout with these parts. If they are inconsistent, returns `None` and reports
    /// the reason at `location`.
    pub fn new(
        context: ContextRef<'a>,
        location: Location<'a>,
        parts: &LayoutParts<'a>,
    ) -> Option<Self> {
        let signed = |list: &[u64]| {
            list.iter()
                .map(|n| i64::try_from(*n).ok())
                .collect::<Option<Vec<i64>>>()
        };
        let (grid, shard) = (signed(&parts.grid)?, signed(&parts.shard)?);
        let linear = make::collapsing_map(context, &parts.collapse)?;
        let space = parts.buffer_type.attribute(context);
        let memory_layout = parts
            .memory_layout
            .map(|layout| layout.attribute(context).to_raw());
        // SAFETY: all handles are alive and the arrays read during the calls; a memref type that
        // does not verify is null, and is not used.
        unsafe {
            let memref = mlirMemRefTypeContiguousGetChecked(
                location.to_raw(),
                parts.element.to_raw(),
                shard.len() as isize,
                shard.as_ptr(),
                space.to_raw(),
            );
            if memref.ptr.is_null() {
                return None;
            }
            Attribute::from_option_raw(ffi::tesseraTTNNLayoutGet(
                location.to_raw(),
                linear,
                grid.len() as isize,
                grid.as_ptr(),
                memref,
                memory_layout.unwrap_or_else(|| mlirAttributeGetNull()),
            ))
            .map(Self)
        }
    }

    /// Returns the map from the tensor's indices to the two dimensions laid out, as text.
    pub fn linear(self) -> String {
        // SAFETY: a layout; maps live as long as the context.
        unsafe {
            Attribute::from_raw(mlirAffineMapAttrGet(ffi::tesseraTTNNLayoutLinear(
                self.0.to_raw(),
            )))
        }
        .to_string()
        .trim_start_matches("affine_map<")
        .trim_end_matches('>')
        .to_owned()
    }

    /// Returns the grid that it is distributed over.
    pub fn grid(self) -> Vec<u64> {
        // SAFETY: a layout; the indices are in range.
        unsafe {
            (0..ffi::tesseraTTNNLayoutGridRank(self.0.to_raw()))
                .map(|index| ffi::tesseraTTNNLayoutGrid(self.0.to_raw(), index).unsigned_abs())
                .collect()
        }
    }

    /// Returns the type of one shard, with its memory space.
    pub fn memref(self) -> Type<'a> {
        // SAFETY: a layout.
        unsafe { Type::from_raw(ffi::tesseraTTNNLayoutMemref(self.0.to_raw())) }
    }

    /// Returns the shape of one shard, in tiles if it is tiled.
    pub fn shard(self) -> Vec<u64> {
        make::TensorType::static_shape(self.memref()).unwrap_or_default()
    }

    /// Returns the element of the shard: a tile or a scalar.
    pub fn element(self) -> Type<'a> {
        // SAFETY: a memref type is a shaped one.
        unsafe { Type::from_raw(mlirShapedTypeGetElementType(self.memref().to_raw())) }
    }

    /// Returns the element as a tile, if it is tiled.
    pub fn tile(self) -> Option<Tile> {
        Tile::from_type(self.element())
    }

    /// Returns whether its pages are tiles.
    pub fn is_tiled(self) -> bool {
        self.tile().is_some()
    }

    /// Returns the format of its scalars. Returns `None` for block floats, whose tensors have
    /// `bf16` or `f32` elements, and for scalar types that tiles do not support.
    pub fn scalar(self) -> Option<DataType> {
        match self.tile() {
            Some(tile) => Some(tile.data_type).filter(|data_type| !data_type.is_block_float()),
            None => DataType::from_element_type(self.element()),
        }
    }

    /// Returns the memory that holds it.
    pub fn buffer_type(self) -> BufferType {
        // SAFETY: a layout; its verifier wants a buffer type for the memory space.
        let space =
            unsafe { Attribute::from_raw(ffi::tesseraTTNNLayoutMemorySpace(self.0.to_raw())) };
        BufferType::from_attribute(space).unwrap_or(BufferType::SystemMemory)
    }

    /// Returns the distribution of its pages; `None` in system memory.
    pub fn memory_layout(self) -> Option<TensorMemoryLayout> {
        // SAFETY: a layout.
        unsafe { Attribute::from_option_raw(ffi::tesseraTTNNLayoutMemoryLayout(self.0.to_raw())) }
            .and_then(TensorMemoryLayout::from_attribute)
    }
}

attribute_view! {
    /// `#ttnn.device_compute_kernel_config`: the compute configuration of a kernel.
    ComputeConfig, tesseraIsComputeConfig
}

impl ComputeConfig<'_> {
    /// Returns the number of fidelity phases, if specified.
    pub fn math_fidelity(self) -> Option<MathFidelity> {
        // SAFETY: a compute configuration; the words are static.
        MathFidelity::from_name(unsafe {
            ffi::str_of(ffi::tesseraComputeConfigFidelity(self.0.to_raw()))
        })
    }

    /// Returns whether accumulators have 32 bits, if specified.
    pub fn fp32_dest_acc_en(self) -> Option<bool> {
        // SAFETY: a compute configuration; the attribute is a boolean one.
        unsafe { Attribute::from_option_raw(ffi::tesseraComputeConfigFp32Dest(self.0.to_raw())) }
            .and_then(make::AttributeValue::boolean)
    }

    /// Returns whether Dst is used as a whole instead of double-buffered in halves, if specified.
    pub fn dst_full_sync_en(self) -> Option<bool> {
        // SAFETY: a compute configuration; the attribute is a boolean one.
        unsafe { Attribute::from_option_raw(ffi::tesseraComputeConfigDstFullSync(self.0.to_raw())) }
            .and_then(make::AttributeValue::boolean)
    }
}

/// Returns the corners of `#ttnn.core_range`: start x, start y, end x, end y.
pub(super) fn core_range_corners(attribute: Attribute) -> Option<[u64; 4]> {
    let mut corners = [0; 4];
    // SAFETY: the attribute is alive, and a core range when its corners are read.
    unsafe {
        if !ffi::tesseraIsCoreRange(attribute.to_raw()) {
            return None;
        }
        ffi::tesseraCoreRangeCorners(attribute.to_raw(), corners.as_mut_ptr());
    }
    Some(corners)
}
