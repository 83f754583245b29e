//! `convert-ttnn-to-pto`: one kernel per operation, outlined beside the function.
//!
//! The operation stays, inside a `ttnn.kernel_region` that names its kernel (rulings 1.1): a reference evaluates the
//! region, a device runs the kernel, a golden compares the two. Layout, creation and deallocation operations need no
//! kernel; the runtime does them.
//!
//! A tensor of more than two dimensions is a sequence of matrices, each padded to whole tiles. Checked here: bf16, a
//! broadcast that is one of the matrix unit's (row, column, scalar) within matrices and of all or of one of them, no
//! transposition. The unit of every element-wise operation is fixed here (rulings 2.4): sums and products on the
//! matrix unit, negation on the vector unit, relu and rounding in the packer.

mod kernel;

use std::collections::HashSet;

use tessera_dialects::mlir::{
    At, ContextRef, NewOp, Op, Pass, Reported, Rewriter, TensorType, Value,
};
use tessera_dialects::pto::{Broadcast, Unit};
use tessera_dialects::ttcore::{Arch, SystemDesc};

use crate::layout::TILE;
use crate::registry::PassInfo;
use kernel::Kernel;

/// How the registry knows the pass.
pub const INFO: PassInfo = PassInfo {
    name: "convert-ttnn-to-pto",
    description: "Outlines a kernel over tiles for every operation that computes",
    anchor: Some("builtin.module"),
    options: &[],
    make: |_| Ok(Box::new(ConvertTtnnToPto)),
};

struct ConvertTtnnToPto;

impl Pass for ConvertTtnnToPto {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run<'a>(&self, module: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
        let functions = module.find_all("func.func");
        let mut taken = functions
            .iter()
            .filter_map(|func| func.symbol())
            .map(str::to_owned)
            .collect();
        for func in functions {
            let ops = func.body().map(|body| body.ops()).unwrap_or_default();
            let computing = ops
                .into_iter()
                .filter_map(|op| Some((op, Compute::of(op)?)));
            for (number, (op, compute)) in computing.enumerate() {
                outline(func, op, &compute?, number, &mut taken, rewriter)?;
            }
        }
        Ok(())
    }
}

/// A tensor as a sequence of matrices.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Extent {
    matrices: u64,
    rows: u64,
    columns: u64,
}

impl Extent {
    /// How tensors of this extent are spread over others; nothing if they are not.
    fn spread_over(self, to: Extent) -> Option<Broadcast> {
        if self.matrices != 1 && self.matrices != to.matrices {
            return None;
        }
        match (self.rows, self.columns) {
            (rows, columns) if (rows, columns) == (to.rows, to.columns) => Some(Broadcast::None),
            (1, 1) => Some(Broadcast::Scalar),
            (1, columns) if columns == to.columns => Some(Broadcast::Row),
            (rows, 1) if rows == to.rows => Some(Broadcast::Column),
            _ => None,
        }
    }

    /// Tiles of one matrix, down and across.
    fn tiles(self) -> [u64; 2] {
        [self.rows.div_ceil(TILE), self.columns.div_ceil(TILE)]
    }
}

impl std::fmt::Display for Extent {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        if self.matrices != 1 {
            write!(f, "{}x", self.matrices)?;
        }
        write!(f, "{}x{}", self.rows, self.columns)
    }
}

/// What a kernel computes from its inputs.
enum Compute {
    /// The product of the first two inputs; plus the third, spread.
    Matmul { bias: Option<Broadcast> },
    /// An operation on two inputs.
    Binary {
        /// The operation, as pto names it.
        name: &'static str,
        /// How the right operand is spread.
        spread: Broadcast,
        /// Whether the inputs change places, because the matrix unit can only spread the right operand.
        swap: bool,
        /// Whether the sign of the result is flipped: `a − b` is `−(b − a)`.
        negate: bool,
    },
    /// An operation on one input: its name and unit.
    Unary(&'static str, Unit),
}

impl Compute {
    /// What an operation computes; nothing if it needs no kernel.
    fn of(op: Op) -> Option<Result<Self, Reported>> {
        let compute = match op.name() {
            "ttnn.matmul" | "ttnn.linear" => Self::matmul(op),
            "ttnn.add" => Self::binary(op, "pto.tadd"),
            "ttnn.subtract" => Self::binary(op, "pto.tsub"),
            "ttnn.multiply" => Self::binary(op, "pto.tmul"),
            "ttnn.relu" => Ok(Compute::Unary("pto.trelu", Unit::Pack)),
            "ttnn.neg" => Ok(Compute::Unary("pto.tneg", Unit::Sfpu)),
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
        let to = extent(op, op.result(0))?;
        for factor in [op.operand(0), op.operand(1)] {
            let extent = extent(op, factor)?;
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
                let from = extent(op, Some(bias))?;
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
            extent(op, op.operand(0))?,
            extent(op, op.operand(1))?,
            extent(op, op.result(0))?,
        );
        let swap = left != to;
        let (full, other) = if swap { (right, left) } else { (left, right) };
        if full != to {
            return Err(no_spread(op, full, to));
        }
        let spread = other
            .spread_over(to)
            .ok_or_else(|| no_spread(op, other, to))?;
        Ok(Compute::Binary {
            name,
            spread,
            swap,
            negate: swap && name == "pto.tsub",
        })
    }
}

fn no_spread(op: Op, from: Extent, to: Extent) -> Reported {
    op.error(format!(
        "spreads {from} over {to}, which has no kernel; a row, a column or one element can be spread, within each \
         matrix or the same in all"
    ))
}

/// A tensor as a sequence of matrices; a vector is one row.
fn extent(op: Op, value: Option<Value>) -> Result<Extent, Reported> {
    let shape = value.and_then(|value| value.r#type().static_shape());
    let shape = shape.ok_or_else(|| op.error("has no kernel for a shape that is not known"))?;
    match shape[..] {
        [] => Err(op.error("has no kernel for a tensor without dimensions; give it shape 1")),
        [columns] => Ok(Extent {
            matrices: 1,
            rows: 1,
            columns,
        }),
        [ref matrices @ .., rows, columns] => Ok(Extent {
            matrices: matrices.iter().product(),
            rows,
            columns,
        }),
    }
}

fn outline<'a>(
    func: Op<'a>,
    op: Op<'a>,
    compute: &Compute,
    number: usize,
    taken: &mut HashSet<String>,
    rewriter: &Rewriter<'a>,
) -> Result<(), Reported> {
    let context = rewriter.context();
    require_bf16(op, context)?;
    let name = kernel_name(func, op, number, taken);
    let inputs = op.operands();
    let extents = inputs
        .iter()
        .map(|input| extent(op, Some(*input)))
        .collect::<Result<Vec<_>, _>>()?;
    let result = extent(op, op.result(0))?;
    let kernel = Kernel::new(rewriter, op, &name, func, extents, result);
    match compute {
        Compute::Matmul { bias } => kernel.matmul(*bias),
        Compute::Binary {
            name,
            spread,
            swap,
            negate,
        } => kernel.binary(name, *spread, *swap, *negate),
        Compute::Unary(name, unit) => kernel.unary(name, *unit),
    }
    wrap(op, &name, arch(op)?, rewriter);
    Ok(())
}

/// `<function>_<operation>_<number>`, with underscores behind it until no symbol has that name.
fn kernel_name(func: Op, op: Op, number: usize, taken: &mut HashSet<String>) -> String {
    let operation = op.name().trim_start_matches("ttnn.");
    let mut name = format!("{}_{operation}_{number}", func.symbol().unwrap_or_default());
    while !taken.insert(name.clone()) {
        name.push('_');
    }
    name
}

fn require_bf16(op: Op, context: ContextRef) -> Result<(), Reported> {
    for value in op.operands().into_iter().chain(op.results()) {
        let element = value.r#type().element_type();
        if element == Some(context.f32()) {
            return Err(op.error(
                "has no kernel for f32: fp32 operands would be cut to TF32 by the unpacker; cast them to bf16",
            ));
        }
        if element != Some(context.bf16()) {
            let element = element
                .map(|element| element.to_string())
                .unwrap_or_default();
            return Err(op.error(format!(
                "has no kernel for {element}; kernels compute with bf16"
            )));
        }
    }
    Ok(())
}

/// Checks that the system the module is compiled for is one that kernels are made for.
fn arch(op: Op) -> Result<Arch, Reported> {
    match system_arch(op) {
        Some(Arch::WormholeB0) => Ok(Arch::WormholeB0),
        Some(other) => Err(op.error(format!(
            "has no kernel for {other}; kernels are made for wormhole_b0"
        ))),
        None => Err(op.error(
            "stands in no module with a ttcore.system_desc; run ttcore-register-device before",
        )),
    }
}

/// The generation of the first chip of the system that a module around describes.
fn system_arch(op: Op) -> Option<Arch> {
    let modules = std::iter::successors(op.parent(), |around| around.parent());
    let mut systems = modules.filter_map(|module| module.attribute("ttcore.system_desc"));
    SystemDesc::from_attribute(systems.next()?)?
        .chips()
        .first()?
        .arch()
}

/// Puts the operation into a kernel region.
fn wrap<'a>(op: Op<'a>, kernel: &str, arch: Arch, rewriter: &Rewriter<'a>) {
    let context = rewriter.context();
    let (location, inputs) = (op.location(), op.operands());
    let region = NewOp::new("ttnn.kernel_region", location)
        .operands(inputs.iter().copied())
        .results(op.results().into_iter().map(Value::r#type))
        .attribute("kernel", context.symbol_attribute(kernel))
        .attribute("target", context.string_attribute("tensix"))
        .attribute("arch", arch.attribute(context))
        .region(inputs.iter().map(|input| (input.r#type(), location)));
    let region = rewriter.insert(At::Before(op), region);
    if let Some(body) = region.body() {
        let inner = rewriter.clone_to(op, At::End(body));
        rewriter.set_operands(inner, &body.arguments());
        rewriter.insert(
            At::End(body),
            NewOp::new("ttnn.yield", location).operands(inner.results()),
        );
    }
    rewriter.replace(op, &region.results());
}
