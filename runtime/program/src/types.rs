//! A program file as owned Rust values: the file, its programs, and the vocabulary of tensors.
//!
//! Writers fill these in, [`Binary::to_bytes`] checks and encodes them; [`Binary::read`] decodes
//! and checks. The fields are public, so a value may be inconsistent until [`Binary::validate`] has
//! passed over it.

use std::fmt;

use serde::Serialize;
use tessera_isa_tensix::Arch;
use tessera_ops::{ElementType, TensorType};

use crate::{Kernel, Operation};

/// A whole program file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Binary {
    /// The Tessera that wrote the file.
    pub version: Version,
    /// The system the program was compiled for.
    pub system_desc: SystemDesc,
    /// The MLIR module the programs were translated from, if it was kept.
    pub mlir: Option<Mlir>,
    /// Kernels, shared between operations; no two have the same content. Filled by
    /// [`Binary::intern_kernel`].
    pub kernels: Vec<Kernel>,
    /// Programs; those that can be run by themselves come first.
    pub programs: Vec<Program>,
}

impl Binary {
    /// Returns a file without programs, written by this version for a system.
    pub fn new(system_desc: impl Into<SystemDesc>) -> Self {
        Self {
            version: Version::CURRENT,
            system_desc: system_desc.into(),
            mlir: None,
            kernels: Vec::new(),
            programs: Vec::new(),
        }
    }

    /// Returns the index of the kernel with the content of `kernel`, adding it if there is none.
    /// The first name is kept.
    pub fn intern_kernel(&mut self, kernel: Kernel) -> u32 {
        let found = self.kernels.iter().position(|k| k.body == kernel.body);
        let index = found.unwrap_or_else(|| {
            self.kernels.push(kernel);
            self.kernels.len() - 1
        });
        u32::try_from(index).expect("a pool of more than 2^32 kernels does not fit in memory")
    }
}

/// The version of the Tessera that wrote a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Version {
    /// Changes when nothing stays compatible.
    pub major: u16,
    /// Changes with features.
    pub minor: u16,
    /// Changes with repairs.
    pub patch: u32,
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

/// What a program was compiled for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SystemDesc {
    /// Its chips, one of each family at most.
    pub chips: Vec<Chip>,
}

impl SystemDesc {
    /// Returns the generation of its Tensix chip, if it has one.
    pub fn tensix(&self) -> Option<Arch> {
        self.chips.iter().find_map(|chip| match chip {
            Chip::Tensix(arch) => Some(*arch),
            Chip::MnCore2 => None,
        })
    }
}

impl From<Arch> for SystemDesc {
    fn from(arch: Arch) -> Self {
        SystemDesc {
            chips: vec![Chip::Tensix(arch)],
        }
    }
}

/// A chip that a program can be compiled for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Chip {
    /// Tensix of a generation.
    Tensix(Arch),
    /// MN-Core 2.
    MnCore2,
}

impl Chip {
    /// All of them.
    pub const ALL: [Chip; 3] = [
        Chip::Tensix(Arch::WormholeB0),
        Chip::Tensix(Arch::Blackhole),
        Chip::MnCore2,
    ];

    /// Returns its name, such as `wormhole_b0`.
    pub fn name(self) -> &'static str {
        match self {
            Chip::Tensix(arch) => arch.name(),
            Chip::MnCore2 => "mncore2",
        }
    }

    /// Returns whether another chip is of the same family; a system has at most one of each.
    pub fn is_alike(self, other: Chip) -> bool {
        std::mem::discriminant(&self) == std::mem::discriminant(&other)
    }
}

impl fmt::Display for Chip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for Chip {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// The module a program was translated from, for people and tools that want to see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Mlir {
    /// Stage of compilation, such as `ttnn`.
    pub name: String,
    /// Text of the module.
    pub source: String,
}

/// Index of a tensor in [`Program::tensors`].
pub type GlobalId = u32;

/// One function of a model: tensors in, operations, tensors out.
///
/// A tensor is defined once, as an input, by a cached call or by one operation, and used after that
/// only; a `Deallocate` is its last use.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Program {
    /// Name of the function.
    pub name: String,
    /// Whether only other programs call it.
    pub private: bool,
    /// Every tensor of the program; its index here is its `global_id`.
    pub tensors: Vec<TensorDesc>,
    /// Tensors the caller gives, in the order of the function's arguments.
    pub inputs: Vec<GlobalId>,
    /// Tensors that private programs compute before the first operation.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cached: Vec<CachedCall>,
    /// Tensors the caller gets.
    pub outputs: Vec<GlobalId>,
    /// Operations in the order they run.
    pub operations: Vec<Operation>,
}

/// Tensors that a private program computes before the first operation of the calling program. They
/// depend on `inputs` alone, so a host can keep them for the next run with the same inputs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CachedCall {
    /// Name of the private program.
    pub program: String,
    /// Inputs of the calling program, in the order of the private program's inputs.
    pub inputs: Vec<GlobalId>,
    /// Tensors of the calling program, in the order of the private program's outputs.
    pub outputs: Vec<GlobalId>,
}

impl Program {
    /// Returns the description of tensor `id`, or nothing if the program declares no such tensor.
    pub fn tensor(&self, id: GlobalId) -> Option<&TensorDesc> {
        self.tensors.get(usize::try_from(id).ok()?)
    }

    /// Returns shape and element type of tensor `id`.
    ///
    /// # Errors
    /// `id`, if the program declares no such tensor.
    pub fn tensor_type(&self, id: GlobalId) -> Result<TensorType, GlobalId> {
        self.tensor(id).map(TensorDesc::tensor_type).ok_or(id)
    }

    /// Declares a tensor and returns its id.
    pub fn add_tensor(&mut self, desc: TensorDesc) -> GlobalId {
        self.tensors.push(desc);
        u32::try_from(self.tensors.len() - 1).expect("2^32 tensors do not fit in memory")
    }
}

/// The type and placement of a tensor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TensorDesc {
    /// Name in the source, for messages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Logical extents in elements, outermost first, each at least 1; padding to tiles is not part
    /// of it.
    pub shape: Vec<u64>,
    /// Type of an element.
    pub data_type: DataType,
    /// Order of the elements in memory.
    pub layout: Layout,
    /// Memory the tensor lies in.
    pub memory: MemorySpace,
}

impl TensorDesc {
    /// Returns shape and element type.
    pub fn tensor_type(&self) -> TensorType {
        TensorType {
            shape: self.shape.clone(),
            element: self.data_type.into(),
        }
    }

    /// Returns the number of elements.
    pub fn elements(&self) -> u64 {
        self.shape.iter().product()
    }
}

/// Implements `Display` and `Serialize` of an enumeration from a table of spellings, and
/// conversions from and to the generated type, whose variants have the same names.
macro_rules! vocabulary {
    (
        $(#[$doc:meta])* $name:ident {
            $($(#[$variant_doc:meta])* $variant:ident = $text:literal,)*
        }
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$variant_doc])* $variant,)* }

        impl $name {
            /// Every variant.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            pub(crate) fn to_fb(self) -> crate::generated::$name {
                match self { $(Self::$variant => crate::generated::$name::$variant,)* }
            }

            pub(crate) fn from_fb(value: crate::generated::$name) -> Option<Self> {
                match value {
                    $(crate::generated::$name::$variant => Some(Self::$variant),)*
                    _ => None
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(match self { $(Self::$variant => $text,)* })
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
    };
}
pub(crate) use vocabulary;

vocabulary! {
    /// Type of a tensor's element; its bytes are little-endian.
    DataType {
        /// bfloat16: 1 sign, 8 exponent, 7 mantissa bits.
        BF16 = "bf16",
        /// IEEE binary32.
        F32 = "f32",
        /// Two's complement, 32 bits.
        SI32 = "si32",
        /// Unsigned, 32 bits.
        UI32 = "ui32",
        /// Unsigned, 16 bits.
        UI16 = "ui16",
        /// Unsigned, 8 bits.
        UI8 = "ui8",
    }
}

impl From<DataType> for ElementType {
    fn from(data_type: DataType) -> Self {
        match data_type {
            DataType::BF16 => ElementType::Bf16,
            DataType::F32 => ElementType::F32,
            DataType::SI32 => ElementType::Int(32),
            DataType::UI32 => ElementType::Uint(32),
            DataType::UI16 => ElementType::Uint(16),
            DataType::UI8 => ElementType::Uint(8),
        }
    }
}

impl DataType {
    /// Returns the size of an element in bytes.
    pub const fn size(self) -> usize {
        match self {
            Self::F32 | Self::SI32 | Self::UI32 => 4,
            Self::BF16 | Self::UI16 => 2,
            Self::UI8 => 1,
        }
    }
}

vocabulary! {
    /// Order of a tensor's elements in memory.
    Layout {
        /// Rows one after another, a page a row.
        RowMajor = "row_major",
        /// Tiles of 32x32, a page a tile.
        Tile = "tile",
    }
}

vocabulary! {
    /// A memory a tensor can lie in.
    MemorySpace {
        /// The host's memory.
        System = "system",
        /// The device's DRAM.
        Dram = "dram",
        /// The cores' L1.
        L1 = "l1",
    }
}
