//! Marks the arguments that hold weights.

use crate::functions::{is_private, ARGUMENT_TYPE};
use tessera_dialects::func::FuncOp;
use tessera_dialects::mlir::{Attribute, AttributeValue, Op, Reported, Rewriter, Signature};
use tessera_dialects::ttcore::ArgumentType;

/// Marks arguments of public functions as `parameter`.
///
/// # Errors
/// Reported if a function does not have an argument of one of these indices.
pub fn mark<'a>(
    module: Op<'a>,
    indices: &[usize],
    rewriter: &Rewriter<'a>,
) -> Result<(), Reported> {
    if indices.is_empty() {
        return Ok(());
    }
    let mark = ArgumentType::Parameter.attribute(rewriter.context());
    let functions = module.find_all::<FuncOp>().into_iter();
    let mut public = functions.filter(|function| !is_private(*function));
    public.try_for_each(|function| mark_arguments(function, indices, mark, rewriter))
}

/// Sets the attribute that says what an argument holds.
fn mark_arguments<'a>(
    function: FuncOp<'a>,
    indices: &[usize],
    mark: Attribute<'a>,
    rewriter: &Rewriter<'a>,
) -> Result<(), Reported> {
    let context = rewriter.context();
    let signature = function.function_type().and_then(Signature::signature);
    let count = signature.map_or(0, |(inputs, _)| inputs.len());
    let mut attributes = function.arg_attrs().unwrap_or_default();
    attributes.resize(count, context.dictionary_attribute(&[]));
    for &index in indices {
        let Some(attribute) = attributes.get_mut(index) else {
            return Err(function.error(format!(
                "has {count} arguments; argument {index} cannot be a parameter"
            )));
        };
        let mut entries = attribute.entries().unwrap_or_default();
        entries.retain(|(name, _)| *name != ARGUMENT_TYPE);
        entries.push((ARGUMENT_TYPE, mark));
        *attribute = context.dictionary_attribute(&entries);
    }
    rewriter.set(*function, FuncOp::ARG_ATTRS, &attributes);
    Ok(())
}
