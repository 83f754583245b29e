//! `ttnn-layout`: assigns a layout to every tensor.
//!
//! * A tensor without a layout gets [`Layout::DEFAULT`]: tiles in DRAM. One that has a layout keeps
//!   it.
//! * An argument tagged `ttcore.argument_type = #ttcore.argument_type<input>` comes row by row in
//!   DRAM.
//! * Operations read and write tiles in DRAM; where a tensor lies otherwise, a
//!   `ttnn.to_tensor_spec` is put before the reader. A creation operation makes its tensor where
//!   its type says.
//! * A function takes each argument and returns each result in the layout of its signature.

use crate::driver::registry::PassInfo;
use crate::functions::{argument_types, only_block};
use crate::retype::{retype, set_signature, signature};
use crate::ttnn::layout::{unsupported_shape, Layout, Memory, Order};
use tessera_dialects::mlir::{
    At, NamedOp, Op, OpView, Pass, Reported, Rewriter, TensorType, Type, TypeLike, Value, WalkOrder,
};
use tessera_dialects::ttcore::ArgumentType;
use tessera_dialects::verify::call;
use tessera_dialects::{builtin, func, ttnn};
use tessera_ops::Class;

/// `ttnn-layout`
pub const INFO: PassInfo = PassInfo {
    name: "ttnn-layout",
    description: "Assigns a layout to every tensor and converts for users that require another",
    anchor: Some(builtin::ModuleOp::NAME),
    options: &[],
    make: |_| Ok(Box::new(TtnnLayout)),
};

struct TtnnLayout;

impl Pass for TtnnLayout {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run<'a>(&self, op: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
        let ops = op.walk(WalkOrder::Pre);
        ops.iter().try_for_each(|op| require_shapes(*op))?;
        let context = rewriter.context();
        let default = |r#type: Type<'a>| match r#type.encoding() {
            None if r#type.is_ranked_tensor() => Layout::DEFAULT.of_tensor(context, r#type),
            _ => None,
        };
        retype(op, rewriter, |r#type| default(r#type).unwrap_or(r#type));
        let functions = op.find_all::<func::FuncOp>();
        for function in &functions {
            lay_out_inputs(*function, rewriter)?;
        }
        for op in ops {
            match op.name() {
                func::ReturnOp::NAME => convert_returned(op, rewriter),
                func::CallOp::NAME => convert_arguments(op, &functions, rewriter),
                name if name.starts_with("ttir.") && !is_creation(op) => {
                    convert_operands(op, rewriter)?;
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Returns whether an operation creates a tensor without operands.
fn is_creation(op: Op) -> bool {
    matches!(call::class(op), Some(Class::Creation(_)))
}

/// Reports tensors that no layout supports.
fn require_shapes(op: Op) -> Result<(), Reported> {
    let (inputs, results) = signature(op).unwrap_or_default();
    let made = op.results().into_iter().map(|value| value.r#type());
    for r#type in made.chain(inputs).chain(results) {
        if let Some(reason) = unsupported_shape(r#type) {
            return Err(op.error(format!(
                "cannot lay out '{type}': {reason}",
                r#type = r#type
            )));
        }
    }
    Ok(())
}

/// Makes the arguments tagged as inputs row-major.
fn lay_out_inputs<'a>(function: func::FuncOp<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
    let context = rewriter.context();
    let Some((mut inputs, results)) = signature(*function) else {
        return Ok(());
    };
    let body = only_block(*function)?;
    let row_major = Layout::new(Memory::Dram, Order::RowMajor);
    for (index, kind) in argument_types(function).into_iter().enumerate() {
        let is_input = kind == Some(ArgumentType::Input);
        let laid_out = row_major.of_tensor(context, inputs[index]);
        let (true, Some(laid_out)) = (is_input, laid_out) else {
            continue;
        };
        let was = std::mem::replace(&mut inputs[index], laid_out);
        if let Some(argument) = body.and_then(|body| body.arguments().get(index).copied()) {
            let mut uses = argument.uses().into_iter();
            if was != laid_out && uses.any(|one| one.op.name().starts_with("ttnn.")) {
                return Err(function.error(format!(
                    "has input {index}, which is to be '{laid_out}', but TTNN operations read it as '{was}'; lay tensors out before TTIR becomes TTNN"
                )));
            }
            rewriter.set_type(argument, laid_out);
        }
    }
    set_signature(*function, rewriter, &inputs, &results);
    Ok(())
}

/// Makes an operation read tiles in DRAM, and checks that it writes them.
fn convert_operands<'a>(op: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
    let context = rewriter.context();
    for result in op.results() {
        let default = Layout::DEFAULT.of_tensor(context, result.r#type());
        if default != Some(result.r#type()) {
            return Err(op.error(format!(
                "cannot write its result as '{}'; leave out the layout, then tiles in DRAM are written",
                result.r#type()
            )));
        }
    }
    for (index, operand) in op.operands().into_iter().enumerate() {
        if let Some(default) = Layout::DEFAULT.of_tensor(context, operand.r#type()) {
            convert(op, index, operand, default, rewriter);
        }
    }
    Ok(())
}

/// Converts what a function returns to what its signature says.
fn convert_returned<'a>(op: Op<'a>, rewriter: &Rewriter<'a>) {
    let (_, results) = op.parent().and_then(signature).unwrap_or_default();
    convert_to(op, results, rewriter);
}

/// Converts what a function is called with to what its signature says.
fn convert_arguments<'a>(op: Op<'a>, functions: &[func::FuncOp<'a>], rewriter: &Rewriter<'a>) {
    let callee = func::CallOp::view(op).callee();
    let mut functions = functions.iter();
    let function = functions.find(|function| function.symbol() == callee);
    let signature = function.and_then(|function| signature(**function));
    let (inputs, _) = signature.unwrap_or_default();
    convert_to(op, inputs, rewriter);
}

fn convert_to<'a>(op: Op<'a>, wanted: Vec<Type<'a>>, rewriter: &Rewriter<'a>) {
    for (index, (operand, wanted)) in op.operands().into_iter().zip(wanted).enumerate() {
        convert(op, index, operand, wanted, rewriter);
    }
}

fn convert<'a>(
    op: Op<'a>,
    index: usize,
    operand: Value<'a>,
    wanted: Type<'a>,
    rewriter: &Rewriter<'a>,
) {
    if operand.r#type() == wanted {
        return;
    }
    let conversion = ttnn::ToTensorSpecOp::build(op.location())
        .operands([operand])
        .results([wanted]);
    let converted = rewriter.insert(At::Before(op), conversion);
    if let Some(result) = converted.result(0) {
        rewriter.set_operand(op, index, result);
    }
}
