//! The ttcore dialect.

use std::iter::successors;

use crate::builtin::ModuleOp;
use crate::func::FuncOp;
use crate::mlir::{Op, OpView, Signature, Type, Value};
use crate::string_enum::string_enum;
use crate::verify::{declared, Verifier};
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

impl ArgumentType {
    /// Returns whether an argument of this type keeps its value from run to run.
    pub fn is_weight(self) -> bool {
        matches!(self, Self::Parameter | Self::Constant)
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
        LoadCachedOp::NAME => verify_load_cached,
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

/// Checks that the callee is a private function with types of the operands and results.
fn verify_load_cached(op: Op) -> Result<(), String> {
    let name = declared(LoadCachedOp::view(op).callee())?;
    let modules = successors(op.parent(), |op| op.parent()).filter(|op| op.isa::<ModuleOp>());
    let siblings = modules.take(1).flat_map(Op::children);
    let mut functions = siblings.filter_map(|op| op.dyn_cast::<FuncOp>());
    let callee = functions.find(|function| function.sym_name() == Some(name));
    let callee = callee.ok_or_else(|| format!("'{name}' does not reference a function"))?;
    if callee.sym_visibility() != Some("private") {
        return Err(format!("calls '{name}', which is not private"));
    }
    let signature = callee.function_type().and_then(Signature::signature);
    let (inputs, results) = declared(signature)?;
    verify_types(("operands", "Operand"), &op.operands(), &inputs)?;
    verify_types(("results", "Result"), &op.results(), &results)?;
    let operands = op.operands();
    if operands.iter().any(|value| value.defining_op().is_some()) {
        return Err("expected arguments of the surrounding function as operands".into());
    }
    Ok(())
}

/// Checks the types of the operands or results of a call, with upstream's texts.
fn verify_types(
    (all, one): (&str, &str),
    values: &[Value],
    expected: &[Type],
) -> Result<(), String> {
    let (found, count) = (values.len(), expected.len());
    if found != count {
        return Err(format!(
            "Incorrect number of {all} for callee -- expected {count} but got: {found}"
        ));
    }
    let mut pairs = values.iter().zip(expected);
    match pairs.position(|(value, expected)| value.r#type() != *expected) {
        Some(index) => Err(format!("{one} type mismatch at index {index}")),
        None => Ok(()),
    }
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
