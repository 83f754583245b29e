//! Calls, composites, and what frameworks attach to functions and modules.

use tessera_dialects::func::{CallOp, FuncOp};
use tessera_dialects::mlir::{AttributeValue, NamedOp, Op, Reported, Rewriter, Value};
use tessera_ops::Attributes;

use super::source::Source;
use super::Converter;
use crate::ttir::emitter::Emitter;

/// Dialects of frameworks, whose attributes describe the program to the framework only.
const FRAMEWORKS: &[&str] = &["jax", "mhlo", "sdy", "stablehlo", "tf", "vhlo", "xla"];

/// Custom calls that return their operands on one device.
const IDENTITIES: &[&str] = &[
    "Sharding",
    "SPMDFullToShardShape",
    "SPMDShardToFullShape",
    "annotate_device_placement",
];

/// Returns the converter of a composite or custom call.
pub fn converter(name: &str) -> Option<Converter> {
    Some(match name {
        "stablehlo.composite" => composite,
        "stablehlo.custom_call" => custom_call,
        _ => return None,
    })
}

/// Converts a composite to the operation of TTIR that it names, or else to a call of its
/// decomposition.
fn composite<'a>(
    source: &Source<'a>,
    emitter: &Emitter<'a, '_>,
) -> Result<Vec<Value<'a>>, Reported> {
    let name = source.op.attribute("name").and_then(AttributeValue::text);
    if name == Some("tenstorrent.gelu") {
        let [operand] = source.operands()?;
        let value = emitter.emit("gelu", &[operand.value], Attributes::none())?;
        return Ok(vec![value]);
    }
    let decomposition = source.op.attribute("decomposition");
    let callee = decomposition.and_then(AttributeValue::symbol_name);
    let callee = callee.ok_or_else(|| {
        source
            .op
            .error("requires attribute 'decomposition', the function that computes the composite")
    })?;
    let call = CallOp::build(source.op.location())
        .with(emitter.context(), CallOp::CALLEE, callee)
        .operands(source.op.operands())
        .results(source.op.results().into_iter().map(|value| value.r#type()));
    Ok(emitter.insert_all(call))
}

fn custom_call<'a>(source: &Source<'a>, _: &Emitter<'a, '_>) -> Result<Vec<Value<'a>>, Reported> {
    let target = source.op.attribute("call_target_name");
    let target = target.and_then(AttributeValue::text).unwrap_or_default();
    match IDENTITIES.contains(&target) {
        true => Ok(source.op.operands()),
        false => Err(source.op.error(format!(
            "calls '{target}', which is outside of the program; express it by other operations"
        ))),
    }
}

/// Removes the attributes of frameworks from a module and its functions.
///
/// # Errors
/// If the program is partitioned over several devices.
pub fn strip_foreign_attributes<'a>(
    module: Op<'a>,
    rewriter: &Rewriter<'a>,
) -> Result<(), Reported> {
    for name in ["mhlo.num_partitions", "mhlo.num_replicas"] {
        let count = module.attribute(name).and_then(AttributeValue::integer);
        if let Some(count) = count.filter(|count| *count != 1) {
            return Err(module.error(format!(
                "has {count} as '{name}'; export the program for one device"
            )));
        }
    }
    strip(module, rewriter);
    for function in module.find_all::<FuncOp>() {
        strip(*function, rewriter);
        for list in ["arg_attrs", "res_attrs"] {
            strip_list(*function, list, rewriter);
        }
    }
    Ok(())
}

fn is_foreign(name: &str) -> bool {
    let dialect = name.split_once('.').map(|(dialect, _)| dialect);
    dialect.is_some_and(|dialect| FRAMEWORKS.contains(&dialect))
}

fn strip<'a>(op: Op<'a>, rewriter: &Rewriter<'a>) {
    let names = op.attributes().into_iter().map(|(name, _)| name);
    let names: Vec<_> = names.filter(|name| is_foreign(name)).collect();
    names
        .into_iter()
        .for_each(|name| rewriter.remove_attribute(op, name));
}

/// Removes them from the dictionaries of a list, which arguments or results of a function have.
fn strip_list<'a>(function: Op<'a>, name: &str, rewriter: &Rewriter<'a>) {
    let Some(list) = function.attribute(name).and_then(AttributeValue::elements) else {
        return;
    };
    let context = rewriter.context();
    let kept = list.into_iter().map(|dictionary| {
        let entries = dictionary.entries().unwrap_or_default().into_iter();
        let entries: Vec<_> = entries.filter(|(name, _)| !is_foreign(name)).collect();
        context.dictionary_attribute(&entries)
    });
    let kept: Vec<_> = kept.collect();
    rewriter.set_attribute(function, name, context.array_attribute(&kept));
}
