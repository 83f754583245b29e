//! Helpers for functions.

use std::collections::HashMap;

use tessera_dialects::func::{FuncOp, ReturnOp};
use tessera_dialects::mlir::{
    At, AttributeValue, Block, NamedOp, NewOp, Op, Reported, Rewriter, Value,
};
use tessera_dialects::ttcore::ArgumentType;
use tessera_dialects::ttnn::{self, GetDeviceOp};

use crate::verified::{self, expect_verified};

/// The attribute of an argument that says what the argument holds.
pub const ARGUMENT_TYPE: &str = "ttcore.argument_type";

/// Returns the only block of a function, or `None` for a declaration.
///
/// # Errors
/// Reported if the function has several blocks; branches are not supported below TTIR. Reported,
/// too, if it ends with another operation than a return, as one of an unregistered dialect can.
pub fn only_block(function: Op) -> Result<Option<Block>, Reported> {
    let blocks: Vec<_> = function
        .regions()
        .into_iter()
        .flat_map(|region| region.blocks())
        .collect();
    match blocks[..] {
        [] => Ok(None),
        [block] => match block.ops().last() {
            Some(last) if !last.isa::<ReturnOp>() => {
                Err(last.error("ends a function, which must end with 'func.return'"))
            }
            _ => Ok(Some(block)),
        },
        _ => Err(function.error(format!(
            "has {} blocks; branches are not supported, write one block",
            blocks.len()
        ))),
    }
}

/// Erases the deallocations of a block, and returns its other operations.
pub fn erase_deallocations<'a>(block: Block<'a>, rewriter: &Rewriter<'a>) -> Vec<Op<'a>> {
    let is_free = |op: &Op| op.isa::<ttnn::DeallocateOp>();
    let (frees, others): (Vec<Op>, Vec<Op>) = block.ops().into_iter().partition(is_free);
    frees.into_iter().for_each(|free| rewriter.erase(free));
    others
}

/// Returns whether a function has private visibility.
pub fn is_private(function: FuncOp) -> bool {
    function.sym_visibility() == Some("private")
}

/// Returns the marks of a function's arguments. The list is empty if no argument has attributes.
pub fn argument_types(function: FuncOp) -> Vec<Option<ArgumentType>> {
    let attributes = function.arg_attrs().unwrap_or_default().into_iter();
    let marks = attributes.map(|dictionary| dictionary.entry(ARGUMENT_TYPE));
    marks
        .map(|mark| mark.and_then(ArgumentType::from_attribute))
        .collect()
}

/// Returns the arguments that are marked as weights, with their indices. `body` is the only block.
pub fn weights<'a>(function: FuncOp<'a>, body: Block<'a>) -> HashMap<Value<'a>, usize> {
    let marked = argument_types(function).into_iter().enumerate();
    let weights = marked.filter(|(_, mark)| mark.is_some_and(ArgumentType::is_weight));
    let arguments = body.arguments();
    weights
        .map(|(index, _)| (arguments[index], index))
        .collect()
}

/// Returns the functions of a module in the order of the program file: public ones first.
pub fn in_file_order(module: Op<'_>) -> Vec<FuncOp<'_>> {
    let mut functions = module.find_all::<FuncOp>();
    functions.sort_by_key(|function| is_private(*function));
    functions
}

/// Returns the device value of an operation's block. Creates a `ttnn.get_device` at the start of
/// the block if there is none.
///
/// # Errors
/// As [`expect_verified`].
pub fn device_at<'a>(op: Op<'a>, rewriter: &Rewriter<'a>) -> Result<Value<'a>, Reported> {
    let block = expect_verified(op, op.block())?;
    let found = block.ops().into_iter().find(|op| op.isa::<GetDeviceOp>());
    let device = match found {
        Some(device) => device,
        None => rewriter.insert(At::Start(block), get_device(op, rewriter)?),
    };
    verified::expect_result(device)
}

/// Builds a `ttnn.get_device` of the only chip.
fn get_device<'a>(op: Op<'a>, rewriter: &Rewriter<'a>) -> Result<NewOp<'a>, Reported> {
    let context = rewriter.context();
    let made = |text: &str| {
        context
            .parse_attribute(text)
            .ok_or_else(|| op.error(format!("internal error: no attribute {text}")))
    };
    let device = context
        .parse_type("!ttnn.device")
        .ok_or_else(|| op.error("internal error: no type !ttnn.device"))?;
    Ok(GetDeviceOp::build(op.location())
        .with(
            context,
            GetDeviceOp::MESH_OFFSET,
            made("#ttnn<mesh_offset 0x0>")?,
        )
        .with(
            context,
            GetDeviceOp::MESH_SHAPE,
            made("#ttnn<mesh_shape 1x1>")?,
        )
        .results([device]))
}
