//! The ttcore dialect.

use crate::builtin::ModuleOp;
use crate::mlir::{Op, Type};
use crate::string_enum::string_enum;
use crate::verify::Verifier;
pub use crate::views::ttcore::*;

pub use crate::mlir::{ChipDesc, SystemDesc, Tile};

string_enum! {
    /// The format of an element.
    DataType = "ttcore.supportedDataTypes" {
        /// IEEE single precision.
        Float32 = "f32",
        /// IEEE half precision.
        Float16 = "f16",
        /// The upper half of a single-precision number.
        BFloat16 = "bf16",
        /// 8-bit block float with a 5-bit exponent.
        BfpFloat8 = "bfp_f8",
        /// 8-bit block float with an 8-bit exponent.
        BfpBFloat8 = "bfp_bf8",
        /// 4-bit block float with a 5-bit exponent.
        BfpFloat4 = "bfp_f4",
        /// 4-bit block float with an 8-bit exponent.
        BfpBFloat4 = "bfp_bf4",
        /// 2-bit block float with a 5-bit exponent.
        BfpFloat2 = "bfp_f2",
        /// 2-bit block float with an 8-bit exponent.
        BfpBFloat2 = "bfp_bf2",
        /// Unsigned, 32 bits.
        UInt32 = "u32",
        /// Unsigned, 16 bits.
        UInt16 = "u16",
        /// Unsigned, 8 bits.
        UInt8 = "u8",
        /// Signed, 32 bits.
        Int32 = "si32",
        /// One bit.
        Bool = "i1",
    }
}

string_enum! {
    /// The generation of a chip.
    Arch = "ttcore.arch" {
        /// Wormhole B0.
        WormholeB0 = "wormhole_b0",
        /// Blackhole.
        Blackhole = "blackhole",
    }
}

string_enum! {
    /// What a function argument holds.
    ArgumentType = "ttcore.argument_type" {
        /// Differs from run to run.
        Input = "input",
        /// A weight.
        Parameter = "parameter",
        /// The same in every run.
        Constant = "constant",
        /// Unspecified.
        Default = "default",
    }
}

impl DataType {
    /// Returns the format that represents a scalar type exactly.
    pub fn from_element_type(r#type: Type) -> Option<Self> {
        Some(match r#type.to_string().as_str() {
            "f32" => Self::Float32,
            "f16" => Self::Float16,
            "bf16" => Self::BFloat16,
            "ui32" => Self::UInt32,
            "ui16" => Self::UInt16,
            "ui8" => Self::UInt8,
            "si32" | "i32" => Self::Int32,
            _ => return None,
        })
    }

    /// Returns whether elements share exponents.
    pub fn is_block_float(self) -> bool {
        self.word().starts_with("bfp")
    }
}

/// Returns the verifier of an operation.
pub(crate) fn verifier(name: &str) -> Option<Verifier> {
    Some(match name {
        DeviceModuleOp::NAME => verify_device_module,
        _ => return None,
    })
}

fn verify_device_module(op: Op) -> Result<(), String> {
    let children = op.children();
    let modules = children
        .iter()
        .filter(|child| child.isa::<ModuleOp>())
        .count();
    if children.len() != 1 {
        return Err("Expected exactly one block".into());
    }
    if modules != 1 {
        return Err(format!("Expected exactly one ModuleOp but found {modules}"));
    }
    Ok(())
}

/// Checks the parameters of `!ttcore.tile`.
pub(crate) fn verify_tile(shape: &[i64]) -> Vec<String> {
    if shape.len() != 2 {
        return vec!["expected 2D shape".into()];
    }
    if shape.iter().any(|extent| *extent <= 0) {
        return vec!["expected positive tile extents".into()];
    }
    Vec::new()
}

/// Checks the list lengths of `#ttcore.system_desc`.
pub(crate) fn verify_system_desc(
    chip_descs: usize,
    indices: &[u32],
    capabilities: usize,
    coords: usize,
) -> Vec<String> {
    let mut errors = Vec::new();
    if let Some(index) = indices.iter().find(|index| **index as usize >= chip_descs) {
        errors.push(format!(
            "chip description index {index} is out of range, there are {chip_descs}"
        ));
    }
    let chips = indices.len();
    if capabilities != chips || coords != chips {
        errors.push(format!(
            "expected as many capabilities and coordinates as chips ({chips}), got {capabilities} and {coords}"
        ));
    }
    errors
}
