//! `convert-stablehlo-to-ttir`: replaces every StableHLO operation by TTIR operations.
//!
//! Each operation is converted on its own, in program order, by the converter that [`converter`]
//! finds for its name. [`source`] reads and verifies operations, which belong to an unregistered
//! dialect; [`Emitter`] writes TTIR in their place, with shapes inferred by the operation table.
//! Attributes that frameworks put on functions and modules are removed. Tensors without elements
//! are not computed: `concatenate`, `pad`, products and reductions leave them out.
//!
//! Invariant: no operation of `stablehlo` or `chlo` is left. What is not supported is an error at
//! its location, which names the operation and the attribute.

mod constant_position;
mod contraction;
mod convolution;
mod creation;
mod decision;
mod derived;
mod elementwise;
mod functions;
mod indexing;
mod movement;
mod reduction;
mod update;
mod window;
mod window_gradient;

use tessera_dialects::builtin;
use tessera_dialects::func::FuncOp;
use tessera_dialects::mlir::{Op, Pass, Reported, Rewriter, TensorType, Value};

use crate::driver::registry::PassInfo;
use crate::functions::only_block;
use crate::stablehlo::source::Source;
use crate::stablehlo::{opaque, source};
use crate::ttir::emitter::Emitter;

/// `convert-stablehlo-to-ttir`
pub const INFO: PassInfo = PassInfo {
    name: "convert-stablehlo-to-ttir",
    description: "Replaces every StableHLO operation by TTIR operations",
    anchor: Some(builtin::ModuleOp::NAME),
    options: &[],
    make: |_| Ok(Box::new(ConvertStablehloToTtir)),
};

struct ConvertStablehloToTtir;

impl Pass for ConvertStablehloToTtir {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run<'a>(&self, module: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
        functions::strip_foreign_attributes(module, rewriter)?;
        for function in module.find_all::<FuncOp>() {
            source::require_tensors(*function)?;
            let block = only_block(*function)?;
            for op in block.map_or_else(Vec::new, |block| block.ops()) {
                convert(op, rewriter)?;
            }
        }
        Ok(())
    }
}

/// Converts an operation: returns the values that replace its results.
type Converter = for<'a> fn(&Source<'a>, &Emitter<'a, '_>) -> Result<Vec<Value<'a>>, Reported>;

/// Replaces an operation if it is one of StableHLO.
fn convert<'a>(op: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
    source::require_tensors(op)?;
    match op.name().split_once('.') {
        Some(("stablehlo" | "chlo" | "mhlo" | "vhlo", _)) => {}
        Some(("func" | "ttir" | "ttcore", _)) => return Ok(()),
        _ => return Err(op.error("is not an operation of StableHLO; replace it by such")),
    }
    let Some(converter) = converter(op.name()) else {
        let remedy = remedy(op.name()).map_or_else(String::new, |remedy| format!("; {remedy}"));
        return Err(op.error(format!(
            "is not supported by 'convert-stablehlo-to-ttir'{remedy}"
        )));
    };
    let source = Source::new(op);
    let emitter = Emitter::new(op, rewriter);
    let results = op.results();
    let is_empty = |value: &Value| {
        value
            .r#type()
            .static_shape()
            .unwrap_or_default()
            .contains(&0)
    };
    let values = match !results.is_empty() && results.iter().all(is_empty) {
        true => results
            .iter()
            .map(|result| emitter.full(0.0, result.r#type()))
            .collect::<Result<Vec<_>, _>>()?,
        false => converter(&source, &emitter)?,
    };
    if values.len() != results.len() {
        return Err(op.error(format!(
            "has {} results where its operands and attributes give {}",
            results.len(),
            values.len()
        )));
    }
    for (value, result) in values.iter().zip(&results) {
        if value.r#type() != result.r#type() {
            return Err(op.error(format!(
                "has a result of type '{}' where its operands and attributes give '{}'",
                result.r#type(),
                value.r#type()
            )));
        }
    }
    rewriter.replace(op, &values);
    Ok(())
}

/// Returns the converter of an operation.
fn converter(name: &str) -> Option<Converter> {
    let families = [
        elementwise::converter,
        derived::converter,
        creation::converter,
        movement::converter,
        indexing::converter,
        update::converter,
        reduction::converter,
        window::converter,
        window_gradient::converter,
        contraction::converter,
        convolution::converter,
        functions::converter,
    ];
    families.into_iter().find_map(|family| family(name))
}

/// Returns what to do instead of using an operation that no chip computes.
fn remedy(name: &str) -> Option<&'static str> {
    let (_, name) = name.split_once('.')?;
    Some(match name {
        "sort" | "top_k" => "sort on the host",
        "rng" | "rng_bit_generator" => "pass random numbers as arguments",
        "complex" | "real" | "imag" | "fft" => "complex numbers are not supported; use two tensors",
        "cholesky" | "triangular_solve" => "decompose the matrix on the host",
        "all_gather"
        | "all_reduce"
        | "all_to_all"
        | "collective_broadcast"
        | "collective_permute"
        | "partition_id"
        | "reduce_scatter"
        | "replica_id" => "export the program for one device",
        "after_all" | "create_token" | "infeed" | "outfeed" | "recv" | "send" => {
            "pass data as arguments and results"
        }
        "bitcast_convert" => "bits of floats are not accessible; compute with values",
        _ if name.starts_with("dynamic_") || name == "real_dynamic_slice" => {
            "export the model with static shapes"
        }
        _ => return None,
    })
}
