//! Changing the types of values throughout, the way a type conversion does.

use tessera_dialects::func::FuncOp;
use tessera_dialects::mlir::{Op, Region, Rewriter, Signature, Type, WalkOrder};

/// Replaces the type of every result and block argument inside `root`, and the types in the
/// signatures of functions.
///
/// The caller keeps attributes that repeat a type consistent.
pub fn retype<'a>(root: Op<'a>, rewriter: &Rewriter<'a>, convert: impl Fn(Type<'a>) -> Type<'a>) {
    for op in root.walk(WalkOrder::Pre) {
        let arguments = op
            .regions()
            .into_iter()
            .flat_map(Region::blocks)
            .flat_map(|block| block.arguments());
        for value in op.results().into_iter().chain(arguments) {
            let converted = convert(value.r#type());
            if converted != value.r#type() {
                rewriter.set_type(value, converted);
            }
        }
        if op.isa::<FuncOp>() {
            if let Some((inputs, results)) = signature(op) {
                let inputs: Vec<_> = inputs.into_iter().map(&convert).collect();
                let results: Vec<_> = results.into_iter().map(&convert).collect();
                set_signature(op, rewriter, &inputs, &results);
            }
        }
    }
}

/// Returns the types of the arguments and results of a function.
pub fn signature(function: Op) -> Option<(Vec<Type>, Vec<Type>)> {
    FuncOp::FUNCTION_TYPE.get(function)?.signature()
}

/// Gives a function new argument and result types; the arguments of its body are left to the
/// caller.
pub fn set_signature<'a>(
    function: Op<'a>,
    rewriter: &Rewriter<'a>,
    inputs: &[Type<'a>],
    results: &[Type<'a>],
) {
    let context = rewriter.context();
    let function_type = context.function(inputs, results);
    rewriter.set(function, FuncOp::FUNCTION_TYPE, function_type);
}
