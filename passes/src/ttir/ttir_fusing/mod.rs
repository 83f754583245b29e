//! `ttir-fusing`: replaces the expansions of an operation that frameworks export by the operation.
//!
//! Frameworks export `softmax`, norms and activations as sequences of simple operations, and put a
//! reshape or a cast around every reduction. One walk over each function, in program order,
//! replaces such sequences; the operands of an operation are therefore in their final form when it
//! is matched. A sequence is replaced only if the new operation is defined as the same expression:
//! constants must be the same numbers up to one rounding to the element type.
//!
//! Invariant: a function has the same results, but for the rounding of values between the
//! operations of a sequence.

mod activation;
mod contraction;
mod movement;
mod normalization;
mod reduction;

use tessera_dialects::builtin;
use tessera_dialects::func::FuncOp;
use tessera_dialects::mlir::{Op, Pass, Reported, Rewriter, TensorType, Value};
use tessera_dialects::verify::call;
use tessera_ops::{Attributes, ElementType};

use crate::driver::registry::PassInfo;
use crate::ttir::constant_value::splat_number;

/// `ttir-fusing`
pub const INFO: PassInfo = PassInfo {
    name: "ttir-fusing",
    description: "Replaces sequences of operations by the operation that they compute",
    anchor: Some(builtin::ModuleOp::NAME),
    options: &[],
    make: |_| {
        Ok(Box::new(Fusing {
            name: INFO.name,
            patterns: &[MOVEMENTS, COMPOSITES],
        }))
    },
};

/// `ttir-fold-movements`
pub const FOLD_MOVEMENTS: PassInfo = PassInfo {
    name: "ttir-fold-movements",
    description: "Removes reshapes and permutations that other operations make unnecessary",
    make: |_| {
        Ok(Box::new(Fusing {
            name: FOLD_MOVEMENTS.name,
            patterns: &[MOVEMENTS],
        }))
    },
    ..INFO
};

/// A walk with some patterns.
struct Fusing {
    name: &'static str,
    patterns: &'static [&'static [Pattern]],
}

impl Pass for Fusing {
    fn name(&self) -> &str {
        self.name
    }

    fn run<'a>(&self, module: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
        for function in module.find_all::<FuncOp>() {
            for op in function.body().map_or_else(Vec::new, |body| body.ops()) {
                if !rewriter.is_erased(op) {
                    fuse(op, self.patterns, rewriter)?;
                }
            }
        }
        Ok(())
    }
}

/// The result of a pattern that matches an operation at the end of a sequence.
enum Match<'a> {
    /// The operation was changed in place; another pattern may apply.
    Changed,
    /// A value that replaces the result.
    Value(Value<'a>),
}

/// Returns what replaces an operation, or `None` if the pattern does not apply.
type Pattern = for<'a> fn(Op<'a>, &Rewriter<'a>) -> Result<Option<Match<'a>>, Reported>;

/// Patterns that leave fewer movements. They are tried before those of composites.
const MOVEMENTS: &[Pattern] = &[
    movement::fold_reshape,
    movement::fold_permute,
    movement::sink_permute,
    reduction::keep_dimensions,
    contraction::absorb_permute,
    contraction::keep_dimensions,
];

/// Patterns that replace several operations by one.
const COMPOSITES: &[Pattern] = &[
    reduction::drop_casts,
    reduction::form_mean,
    activation::form_silu,
    activation::form_gelu,
    normalization::form_softmax,
    normalization::form_norm,
    normalization::absorb_weight,
];

/// Applies patterns to an operation until none applies. The operation that replaces it is matched
/// again.
fn fuse<'a>(op: Op<'a>, patterns: &[&[Pattern]], rewriter: &Rewriter<'a>) -> Result<(), Reported> {
    let mut next = Some(op);
    while let Some(op) = next.filter(|op| op.name().starts_with("ttir.")) {
        let operands = op.operands();
        next = match first_match(op, patterns, rewriter)? {
            None => return Ok(()),
            Some(Match::Changed) => Some(op),
            Some(Match::Value(value)) => {
                rewriter.replace(op, &[value]);
                value.defining_op()
            }
        };
        erase_dead(operands, rewriter);
    }
    Ok(())
}

/// Applies the first pattern that matches an operation.
fn first_match<'a>(
    op: Op<'a>,
    patterns: &[&[Pattern]],
    rewriter: &Rewriter<'a>,
) -> Result<Option<Match<'a>>, Reported> {
    for pattern in patterns.iter().copied().flatten() {
        if let Some(found) = pattern(op, rewriter)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Erases the operations that define values without uses, and what only they read.
fn erase_dead<'a>(values: Vec<Value<'a>>, rewriter: &Rewriter<'a>) {
    let mut worklist = values;
    while let Some(value) = worklist.pop() {
        let op = value.defining_op().filter(|op| call::info(*op).is_some());
        let Some(op) = op.filter(|op| !rewriter.is_erased(*op)) else {
            continue;
        };
        if !op.results().into_iter().any(Value::has_uses) {
            worklist.extend(op.operands());
            rewriter.erase(op);
        }
    }
}

/// Returns the operation of TTIR with this name that defines a value.
fn defined_by<'a>(value: Value<'a>, name: &str) -> Option<Op<'a>> {
    value
        .defining_op()
        .filter(|op| ttir_name(*op) == Some(name))
}

/// Returns the name of an operation of TTIR without its dialect.
fn ttir_name(op: Op<'_>) -> Option<&str> {
    op.name().strip_prefix("ttir.")
}

/// Returns the name of an operation of TTIR without its dialect, and its attributes.
fn name_and_attributes(op: Op<'_>) -> Option<(&str, Attributes)> {
    Some((ttir_name(op)?, call::attributes(op, call::info(op)?)))
}

/// Returns the operands of a commutative operation of two operands, in both orders.
fn both_orders(op: Op) -> Option<[[Value; 2]; 2]> {
    let [a, b] = op.operands()[..] else {
        return None;
    };
    Some([[a, b], [b, a]])
}

/// Returns the shape of a value.
fn shape(value: Value) -> Option<Vec<u64>> {
    value.r#type().static_shape()
}

/// Returns whether all elements of a value are a number, rounded to its element type.
fn is_splat(value: Value, number: f64) -> bool {
    let found = splat_number(value);
    found.is_some_and(|found| is_rounded(found, number, value))
}

/// Returns whether a number is another one, rounded to the element type of a value: to 8 bits for
/// bf16 and to 24 bits otherwise. A rounding of a rounded number is taken as well.
fn is_rounded(found: f64, number: f64, like: Value) -> bool {
    let element = like.r#type().element_type().and_then(call::element_type);
    let loss = match element {
        Some(ElementType::Bf16) => f64::powi(2.0, -8),
        _ => f64::powi(2.0, -23),
    };
    (found - number).abs() <= loss * number.abs()
}
