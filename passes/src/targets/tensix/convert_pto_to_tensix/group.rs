//! Translation of a kernel to a group, and reports of refusals at MLIR operations.

use tessera_dialects::mlir::{Op, Reported, TensorType, Type, TypeLike, Value, WalkOrder};
use tessera_dialects::pto::{self, FuncOp, Layout, Space, Tile};
use tessera_isa_tensix::Arch;

use super::cluster::describe_l1_overflow;
use super::planner::{CoreAssignment, NOT_LOWERED, OTHER_CONVERSION};
use super::refusal::{
    describe_dram_overflow, describe_unsupported_tile, Message, Refusal, Subject,
};
use crate::pto::kernel_index::KernelIndex;
use crate::pto::pto_group::{self, Refused, Translated, Why};
use crate::targets::tensix::system_desc;

/// Translates a kernel to its only group.
///
/// # Errors
/// The kernel makes several groups, or an operation cannot be expressed in a group.
pub fn translate<'a>(
    kernel: FuncOp<'a>,
    kernels: &KernelIndex<'a>,
) -> Result<Translated<'a>, Reported> {
    let groups = pto_group::translate(kernel, kernels).map_err(report_untranslated)?;
    pto_group::expect_single_group(*kernel, groups, "Tensix")
}

/// Reports an operation that cannot be expressed in a group.
fn report_untranslated(refused: Refused) -> Reported {
    let op = refused.op;
    let arch = system_desc::assumed_arch(op);
    match refused.why {
        Why::Argument(argument) => report_argument(&refused, argument, arch),
        Why::Value(r#type) => match pto::tile(r#type) {
            Some(tile) => report_tile(op, r#type, &tile),
            None => refused.report(),
        },
        Why::Number => op.error("is not an index; kernels compute only with tiles and indices"),
        Why::Operation | Why::Arithmetic => op.error(NOT_LOWERED),
        Why::Slots(pipe) => {
            let is_end = |end: &Value| pto::pipe(end.r#type()) == Some(pipe);
            let end = op.results().iter().position(is_end);
            let buffer = end
                .and_then(|end| op.operand(end))
                .and_then(Value::defining_op);
            let buffer = buffer.and_then(Op::dyn_cast);
            let address = buffer.and_then(pto::address::buffer_address);
            let text =
                address.and_then(|address| describe_l1_overflow(address, pipe.bytes(), arch));
            text.map_or_else(|| refused.report(), |text| op.error(text))
        }
        _ => refused.report(),
    }
}

/// Reports an unsupported tensor argument, at its first access if the kernel has one.
fn report_argument(refused: &Refused, argument: Value, arch: Arch) -> Reported {
    let accesses = |op: &Op| {
        (op.isa::<pto::TLoadOp>() || op.isa::<pto::TStoreOp>()) && op.operands().contains(&argument)
    };
    let ops = refused.op.walk(WalkOrder::Pre);
    let Some(access) = ops.into_iter().find(accesses) else {
        return refused.report();
    };
    let r#type = argument.r#type();
    match r#type
        .element_type()
        .filter(|element| !is_supported_element(*element))
    {
        Some(element) => access.error(describe_unsupported_element("moves", element)),
        None => access.error(describe_dram_overflow(r#type, arch)),
    }
}

/// Reports an operation with an unsupported tile type.
fn report_tile(op: Op, r#type: Type, tile: &Tile) -> Reported {
    if is_supported_element(tile.element) {
        return op.error(describe_unsupported_tile(r#type));
    }
    op.error(match op.name() {
        pto::TCvtOp::NAME => OTHER_CONVERSION.to_owned(),
        pto::TPopOp::NAME => describe_unsupported_element("pops", tile.element),
        _ => describe_unsupported_element("computes with", tile.element),
    })
}

/// Returns whether groups support an element type.
fn is_supported_element(element: Type) -> bool {
    pto_group::element(element).is_some()
}

/// Returns the diagnostic for an unsupported element type.
fn describe_unsupported_element(verb: &str, element: Type) -> String {
    format!("{verb} {element}, which is not lowered to Tensix; use bf16, f32 or i32")
}

/// Checks properties that a group does not represent because they do not affect results: the
/// element order of tiles, and the use of a kernel's own sub-block index.
///
/// # Errors
/// At the first operation that makes a tile that is not row-major, or that reads the sub-block
/// index in a group that runs on one core.
pub fn require_lowered_forms(
    translated: &Translated,
    cores: &[CoreAssignment],
) -> Result<(), Reported> {
    let is_shared = |core: &CoreAssignment| matches!(core, CoreAssignment::Shared { .. });
    let shares_core = cores.iter().any(is_shared);
    for op in &translated.ops {
        if shares_core && op.isa::<pto::SubblockIndexOp>() {
            return Err(
                op.error("is lowered to Tensix only in a kernel with a cluster tile of its own")
            );
        }
        let results = op.results().into_iter().map(Value::r#type);
        for r#type in results {
            if pto::tile(r#type).is_some_and(|tile| !is_row_major(&tile)) {
                return Err(op.error(describe_unsupported_tile(r#type)));
            }
        }
    }
    Ok(())
}

/// Returns whether a tile is row-major. The layout of matrix-unit operands is ignored: they are not
/// tiles in memory here.
fn is_row_major(tile: &Tile) -> bool {
    tile.layout == Layout::Nd || matches!(tile.space, Space::Left | Space::Right)
}

/// Reports a refusal at its subject.
pub fn report(translated: &Translated, refusal: &Refusal) -> Reported {
    let op = |location: usize| translated.ops.get(location).copied();
    let op = match refusal.subject {
        Subject::Group => None,
        Subject::Kernel(kernel) => translated.kernels.get(kernel).copied(),
        Subject::Operation(location) => op(location),
        Subject::Yield(location) => op(location)
            .and_then(Op::body)
            .and_then(|body| body.terminator()),
    };
    let op = op.unwrap_or(translated.start);
    let types = match refusal.message {
        Message::Text(_) => None,
        Message::Tile { result } => op.results().get(result).map(|value| value.r#type()),
        Message::Tensor { operand, .. } => {
            let types = op.operands().into_iter().map(Value::r#type);
            types.filter(|r#type| r#type.is_mem_ref()).nth(operand)
        }
    };
    let r#type = types.map_or_else(String::new, |r#type| r#type.to_string());
    op.error(refusal.message.text(r#type))
}
