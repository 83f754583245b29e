//! `convert-ttnn-to-pto`: one kernel per operation, outlined beside the function.
//!
//! The operation stays, inside a `ttnn.kernel_region` that names its kernel (rulings 1.1): a reference evaluates the
//! region, a device runs the kernel, a golden compares the two. Layout, creation and deallocation operations need no
//! kernel; the runtime does them.
//!
//! A tensor of more dimensions is laid out as a matrix: all but the last dimension are its rows. Checked here: bf16,
//! a broadcast that is one of the matrix unit's (row, column, scalar), a right factor that is one matrix, no
//! transposition. The unit of every element-wise operation is fixed here (rulings 2.4): sums and products on the
//! matrix unit, negation on the vector unit, relu and rounding in the packer.

use tessera_dialects::mlir::{
    At, AttributeValue, Block, ContextRef, Location, NewOp, Op, Pass, Reported, Rewriter,
    TensorType, Type, Value,
};
use tessera_dialects::pto::{Broadcast, Dst, Fidelity, Kind, Unit};
use tessera_dialects::ttcore::{Arch, SystemDesc};
use tessera_dialects::ttnn::ComputeConfig;

use crate::registry::PassInfo;

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
        for func in module.find_all("func.func") {
            let ops = func.body().map(|body| body.ops()).unwrap_or_default();
            let computing = ops
                .into_iter()
                .filter_map(|op| Some((op, Compute::of(op)?)));
            for (number, (op, compute)) in computing.enumerate() {
                outline(func, op, &compute?, number, rewriter)?;
            }
        }
        Ok(())
    }
}

/// Rows and columns of a tile.
const TILE: u64 = 32;

/// A matrix: rows and columns.
type Extent = [u64; 2];

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

/// How a matrix is spread over another; nothing if it is not.
fn spread(from: Extent, to: Extent) -> Option<Broadcast> {
    match from {
        _ if from == to => Some(Broadcast::None),
        [1, 1] => Some(Broadcast::Scalar),
        [1, columns] if columns == to[1] => Some(Broadcast::Row),
        [rows, 1] if rows == to[0] => Some(Broadcast::Column),
        _ => None,
    }
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
        let rank = |operand| {
            op.operand(operand)
                .and_then(|v| v.r#type().shape())
                .map_or(0, |shape| shape.len())
        };
        if rank(1) < 2 {
            return Err(
                op.error("by a vector has no kernel yet; give the right factor two dimensions")
            );
        }
        let right = op
            .operand(1)
            .and_then(|v| v.r#type().static_shape())
            .unwrap_or_default();
        if right[..right.len() - 2].iter().any(|batch| *batch != 1) {
            return Err(
                op.error("of batches has no kernel yet; the right factor must be one matrix")
            );
        }
        let to = extent(op, op.result(0))?;
        let bias = match op.operand(2) {
            None => None,
            Some(bias) => {
                let from = extent(op, Some(bias))?;
                Some(spread(from, to).ok_or_else(|| no_spread(op, from, to))?)
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
        let spread = spread(other, to).ok_or_else(|| no_spread(op, other, to))?;
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
        "spreads {}x{} over {}x{}, which has no kernel; a row, a column or one element can be spread",
        from[0], from[1], to[0], to[1]
    ))
}

/// A tensor as a matrix: all but the last dimension are rows.
fn extent(op: Op, value: Option<Value>) -> Result<Extent, Reported> {
    let shape = value.and_then(|value| value.r#type().static_shape());
    let shape = shape.ok_or_else(|| op.error("has no kernel for a shape that is not known"))?;
    let Some((columns, rows)) = shape.split_last() else {
        return Err(op.error("has no kernel for a tensor without dimensions; give it shape 1"));
    };
    Ok([rows.iter().product(), *columns])
}

fn outline<'a>(
    func: Op<'a>,
    op: Op<'a>,
    compute: &Compute,
    number: usize,
    rewriter: &Rewriter<'a>,
) -> Result<(), Reported> {
    let context = rewriter.context();
    require_bf16(op, context)?;
    let function = func
        .attribute("sym_name")
        .and_then(AttributeValue::text)
        .unwrap_or_default();
    let name = format!(
        "{function}_{}_{number}",
        op.name().trim_start_matches("ttnn.")
    );
    let inputs = op.operands();
    let extents = inputs
        .iter()
        .map(|input| extent(op, Some(*input)))
        .collect::<Result<Vec<_>, _>>()?;
    let result = extent(op, op.result(0))?;
    let kernel = Kernel::new(rewriter, op, &name, func, &extents, result);
    match compute {
        Compute::Matmul { bias } => kernel.matmul(*bias, extents[0][1].div_ceil(TILE)),
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

/// A kernel under construction.
struct Kernel<'r, 'a> {
    rewriter: &'r Rewriter<'a>,
    location: Location<'a>,
    body: Block<'a>,
    /// Tiles of the result, down and across.
    tiles: [u64; 2],
    /// Tile types in memory, in the accumulator, and in the accumulator after rounding.
    mat: Type<'a>,
    acc: Type<'a>,
    rounded: Type<'a>,
}

impl<'r, 'a> Kernel<'r, 'a> {
    fn new(
        rewriter: &'r Rewriter<'a>,
        op: Op<'a>,
        name: &str,
        func: Op<'a>,
        inputs: &[Extent],
        result: Extent,
    ) -> Self {
        let (context, location) = (rewriter.context(), op.location());
        let r#type = |text: &str| context.parse_type(text).expect("a type of ours parses");
        let memory: Vec<_> = inputs
            .iter()
            .chain([&result])
            .map(|[rows, columns]| r#type(&format!("memref<{rows}x{columns}xbf16>")))
            .collect();
        let config = op
            .attribute("compute_config")
            .and_then(ComputeConfig::from_attribute);
        let fidelity = config
            .and_then(ComputeConfig::math_fidelity)
            .and_then(|fidelity| Fidelity::from_word(fidelity.word()))
            .unwrap_or(Fidelity::HiFi4);
        let dst = match config.and_then(ComputeConfig::fp32_dest_acc_en) {
            Some(false) => Dst::B16,
            Some(true) | None => Dst::F32,
        };
        let kernel = NewOp::new("pto.func", location)
            .attribute("sym_name", context.string_attribute(name))
            .attribute(
                "function_type",
                context.type_attribute(context.function(&memory, &[])),
            )
            .attribute("kind", Kind::Mixed.attribute(context))
            .attribute("fidelity", fidelity.attribute(context))
            .attribute("dst", dst.attribute(context))
            .region(memory.iter().map(|memory| (*memory, location)));
        let kernel = rewriter.insert(At::Before(func), kernel);
        let body = kernel.body().expect("the region was made with a block");
        Kernel {
            rewriter,
            location,
            body,
            tiles: result.map(|extent| extent.div_ceil(TILE)),
            mat: r#type("!pto.tile<tensor<32x32xbf16>, mat>"),
            acc: r#type("!pto.tile<tensor<32x32xf32>, acc>"),
            rounded: r#type("!pto.tile<tensor<32x32xbf16>, acc>"),
        }
    }

    fn argument(&self, number: usize) -> Value<'a> {
        self.body.arguments()[number]
    }

    /// Ends the kernel: for every tile of the result, what `compute` makes of its row and column is rounded and stored.
    fn for_every_tile(&self, compute: impl Fn(&At<'a>, Value<'a>, Value<'a>) -> Value<'a>) {
        let end = At::End(self.body);
        let [down, across] = self.tiles;
        self.r#for(&end, 0, down, None, |at, row, _| {
            self.r#for(at, 0, across, None, |at, column, _| {
                let tile = compute(at, row, column);
                let rounded = self.op(
                    at,
                    "pto.tcvt",
                    &[tile],
                    &[self.rounded],
                    Some(Unit::Pack),
                    Broadcast::None,
                );
                let target = *self.body.arguments().last().expect("a kernel has a result");
                self.op(
                    at,
                    "pto.tstore",
                    &[rounded[0], target, row, column],
                    &[],
                    None,
                    Broadcast::None,
                );
                Vec::new()
            });
            Vec::new()
        });
        self.rewriter
            .insert(end, NewOp::new("pto.return", self.location));
    }

    fn matmul(&self, bias: Option<Broadcast>, depth: u64) {
        self.for_every_tile(|at, row, column| {
            let product = |at: &At<'a>, k: Value<'a>, sum: Option<Value<'a>>| {
                let a = self.load(at, 0, row, k);
                let b = self.load(at, 1, k, column);
                let name = if sum.is_some() {
                    "pto.tmatmul_acc"
                } else {
                    "pto.tmatmul"
                };
                let operands: Vec<_> = sum.into_iter().chain([a, b]).collect();
                self.op(at, name, &operands, &[self.acc], None, Broadcast::None)[0]
            };
            let first = product(at, self.index(at, 0), None);
            let sum = if depth > 1 {
                self.r#for(at, 1, depth, Some(first), |at, k, sum| {
                    sum.into_iter()
                        .map(|sum| product(at, k, Some(sum)))
                        .collect()
                })[0]
            } else {
                first
            };
            match bias {
                None => sum,
                Some(spread) => {
                    let bias = self.load_spread(at, 2, row, column, spread);
                    self.op(
                        at,
                        "pto.tadd",
                        &[sum, bias],
                        &[self.acc],
                        Some(Unit::Fpu),
                        spread,
                    )[0]
                }
            }
        });
    }

    fn binary(&self, name: &str, spread: Broadcast, swap: bool, negate: bool) {
        let (left, right) = if swap { (1, 0) } else { (0, 1) };
        self.for_every_tile(|at, row, column| {
            let left = self.load(at, left, row, column);
            let right = self.load_spread(at, right, row, column, spread);
            let result = self.op(
                at,
                name,
                &[left, right],
                &[self.acc],
                Some(Unit::Fpu),
                spread,
            )[0];
            if negate {
                self.op(
                    at,
                    "pto.tneg",
                    &[result],
                    &[self.acc],
                    Some(Unit::Sfpu),
                    Broadcast::None,
                )[0]
            } else {
                result
            }
        });
    }

    fn unary(&self, name: &str, unit: Unit) {
        self.for_every_tile(|at, row, column| {
            let tile = self.load(at, 0, row, column);
            let wide = self.op(
                at,
                "pto.tcvt",
                &[tile],
                &[self.acc],
                Some(Unit::Fpu),
                Broadcast::None,
            )[0];
            self.op(at, name, &[wide], &[self.acc], Some(unit), Broadcast::None)[0]
        });
    }

    fn load(&self, at: &At<'a>, argument: usize, row: Value<'a>, column: Value<'a>) -> Value<'a> {
        self.op(
            at,
            "pto.tload",
            &[self.argument(argument), row, column],
            &[self.mat],
            None,
            Broadcast::None,
        )[0]
    }

    /// Loads the tile of a tensor that is spread over the result: its only row or column for all of them.
    fn load_spread(
        &self,
        at: &At<'a>,
        argument: usize,
        row: Value<'a>,
        column: Value<'a>,
        spread: Broadcast,
    ) -> Value<'a> {
        let row = if matches!(spread, Broadcast::Row | Broadcast::Scalar) {
            self.index(at, 0)
        } else {
            row
        };
        let column = if matches!(spread, Broadcast::Column | Broadcast::Scalar) {
            self.index(at, 0)
        } else {
            column
        };
        self.load(at, argument, row, column)
    }

    fn op(
        &self,
        at: &At<'a>,
        name: &str,
        operands: &[Value<'a>],
        results: &[Type<'a>],
        unit: Option<Unit>,
        spread: Broadcast,
    ) -> Vec<Value<'a>> {
        let context = self.rewriter.context();
        let mut op = NewOp::new(name, self.location)
            .operands(operands.iter().copied())
            .results(results.iter().copied());
        if let Some(unit) = unit {
            op = op.attribute("unit", unit.attribute(context));
        }
        if spread != Broadcast::None {
            op = op.attribute("broadcast", spread.attribute(context));
        }
        self.rewriter.insert(*at, op).results()
    }

    fn index(&self, at: &At<'a>, value: u64) -> Value<'a> {
        let context = self.rewriter.context();
        let constant = NewOp::new("arith.constant", self.location)
            .attribute(
                "value",
                context.integer_attribute(context.index(), value as i64),
            )
            .results([context.index()]);
        self.rewriter.insert(*at, constant).results()[0]
    }

    /// A loop that may carry one value.
    fn r#for(
        &self,
        at: &At<'a>,
        low: u64,
        high: u64,
        carried: Option<Value<'a>>,
        body: impl Fn(&At<'a>, Value<'a>, Option<Value<'a>>) -> Vec<Value<'a>>,
    ) -> Vec<Value<'a>> {
        let bounds = [self.index(at, low), self.index(at, high), self.index(at, 1)];
        let arguments = [self.rewriter.context().index()]
            .into_iter()
            .chain(carried.map(Value::r#type));
        let new = NewOp::new("scf.for", self.location)
            .operands(bounds.into_iter().chain(carried))
            .results(carried.map(Value::r#type))
            .region(arguments.map(|r#type| (r#type, self.location)));
        let new = self.rewriter.insert(*at, new);
        let block = new.body().expect("the region was made with a block");
        let arguments = block.arguments();
        let inside = At::End(block);
        let values = body(&inside, arguments[0], arguments.get(1).copied());
        self.rewriter.insert(
            inside,
            NewOp::new("scf.yield", self.location).operands(values),
        );
        new.results()
    }
}
