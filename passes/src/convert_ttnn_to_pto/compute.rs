//! What an operation computes, as far as kernels can.

use tessera_dialects::mlir::{ContextRef, Op, Reported, TensorType, Value};
use tessera_dialects::pto::Broadcast;

use super::extent::Extent;
use super::tensor::Element;
use crate::layout::Layout;

/// What a kernel computes for an operation, from its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compute {
    /// The product of the first two; plus the third, spread.
    Matmul {
        /// How the third is spread, if there is one.
        bias: Option<Broadcast>,
    },
    /// An operation on two.
    Binary {
        /// The operation, as pto names it.
        name: &'static str,
        /// How the right operand is spread.
        spread: Broadcast,
        /// Whether the operands change places, because only the right one can be spread.
        swap: bool,
    },
    /// An operation on one, as pto names it.
    Unary(&'static str),
    /// Another element type.
    Cast {
        /// Whether it rounds.
        narrows: bool,
    },
}

impl Compute {
    /// What an operation computes; nothing if it needs no kernel.
    pub fn of(op: Op) -> Option<Result<Self, Reported>> {
        let compute = match op.name() {
            "ttnn.matmul" | "ttnn.linear" => Self::matmul(op),
            "ttnn.add" => Self::binary(op, "pto.tadd"),
            "ttnn.subtract" => Self::binary(op, "pto.tsub"),
            "ttnn.multiply" => Self::binary(op, "pto.tmul"),
            "ttnn.relu" => Self::unary(op, "pto.trelu"),
            "ttnn.neg" => Self::unary(op, "pto.tneg"),
            "ttnn.typecast" => Self::cast(op),
            _ => return None,
        };
        Some(compute)
    }

    fn matmul(op: Op) -> Result<Self, Reported> {
        if op.flag("transpose_a") || op.flag("transpose_b") {
            return Err(op.error("with a transposed factor has no kernel yet; transpose it before"));
        }
        if op.attribute("activation").is_some() {
            return Err(op.error(
                "with an activation has no kernel yet; apply it in an operation of its own",
            ));
        }
        let rank = op
            .operand(1)
            .and_then(|value| value.r#type().shape())
            .map_or(0, |shape| shape.len());
        if rank < 2 {
            return Err(
                op.error("by a vector has no kernel yet; give the right factor two dimensions")
            );
        }
        let to = Extent::of(op, op.result(0))?;
        for factor in [op.operand(0), op.operand(1)] {
            let extent = Extent::of(op, factor)?;
            if extent.matrices != 1 && extent.matrices != to.matrices {
                return Err(op.error(format!(
                    "spreads {} matrices over {}, which has no kernel; one matrix can be spread",
                    extent.matrices, to.matrices
                )));
            }
        }
        let bias = match op.operand(2) {
            None => None,
            Some(bias) => {
                let from = Extent::of(op, Some(bias))?;
                Some(
                    from.spread_over(to)
                        .ok_or_else(|| no_spread(op, from, to))?,
                )
            }
        };
        Ok(Compute::Matmul { bias })
    }

    fn binary(op: Op, name: &'static str) -> Result<Self, Reported> {
        let (left, right, to) = (
            Extent::of(op, op.operand(0))?,
            Extent::of(op, op.operand(1))?,
            Extent::of(op, op.result(0))?,
        );
        let swap = left != to;
        let (full, other) = if swap { (right, left) } else { (left, right) };
        if full != to {
            return Err(no_spread(op, full, to));
        }
        let spread = other
            .spread_over(to)
            .ok_or_else(|| no_spread(op, other, to))?;
        Ok(Compute::Binary { name, spread, swap })
    }

    fn unary(op: Op, name: &'static str) -> Result<Self, Reported> {
        Extent::of(op, op.result(0))?;
        Ok(Compute::Unary(name))
    }

    fn cast(op: Op) -> Result<Self, Reported> {
        Extent::of(op, op.result(0))?;
        let element = |value: Option<Value>| value.and_then(Element::of);
        let (from, to) = (element(op.operand(0)), element(op.result(0)));
        let narrows = (from, to) == (Some(Element::F32), Some(Element::Bf16));
        Ok(Compute::Cast { narrows })
    }

    /// Whether rounding before it gives what rounding after it gives.
    pub fn commutes_with_rounding(self) -> bool {
        matches!(self, Compute::Unary("pto.trelu" | "pto.tneg"))
    }

    /// Whether it is a matrix product.
    pub fn is_product(self) -> bool {
        matches!(self, Compute::Matmul { .. })
    }
}

fn no_spread(op: Op, from: Extent, to: Extent) -> Reported {
    op.error(format!(
        "spreads {from} over {to}, which has no kernel; a row, a column or one element can be spread, within each \
         matrix or the same in all"
    ))
}

/// Checks that an operation's tensors are such as kernels compute with: bf16, or f32 where it is cast or `f32` says so; in tiles in DRAM, if
/// they have a layout.
pub fn require_tensors(op: Op, context: ContextRef, f32: bool) -> Result<(), Reported> {
    let tensors: Vec<_> = op.operands().into_iter().chain(op.results()).collect();
    for value in &tensors {
        let r#type = value.r#type();
        if r#type.encoding().is_some() && Layout::of(context, r#type) != Some(Layout::DEFAULT) {
            return Err(op.error(format!(
                "has no kernel for '{type}'; kernels work on tiles in DRAM: convert it before"
            )));
        }
    }
    let name = |value: Value| {
        let element = value.r#type().element_type();
        element.map(|element| element.to_string())
    };
    if op.is("ttnn.typecast") {
        if tensors.iter().all(|value| Element::of(*value).is_some()) {
            return Ok(());
        }
        let names: Vec<_> = tensors.iter().copied().filter_map(name).collect();
        return Err(op.error(format!(
            "has no kernel from {}; those from f32 to bf16 and from bf16 to f32 have one",
            names.join(" to ")
        )));
    }
    for value in tensors {
        match Element::of(value) {
            Some(Element::Bf16) => {}
            Some(Element::F32) if f32 => {}
            Some(Element::F32) => {
                return Err(op.error(
                    "has no kernel for f32: fp32 operands would be cut to TF32 by the unpacker; cast them to bf16 with ttir.typecast",
                ))
            }
            None => {
                return Err(op.error(format!(
                    "has no kernel for {}; kernels compute with {}",
                    name(value).unwrap_or_default(),
                    if f32 { "bf16 and f32" } else { "bf16" }
                )))
            }
        }
    }
    Ok(())
}
