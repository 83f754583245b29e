//! Building a `pto.func`: loops over the tiles of the result, and what each operation does inside.
//!
//! Rows of tiles are counted through all matrices of a tensor, so that an operand that is one matrix is addressed by the
//! row within the matrix, and any other by that plus the rows of the matrices before.

use tessera_dialects::mlir::{At, Block, Location, NewOp, Op, Rewriter, Type, Value};
use tessera_dialects::pto::{Broadcast, Dst, Fidelity, Kind, Unit};
use tessera_dialects::ttnn::ComputeConfig;

use super::Extent;

/// A kernel under construction.
pub struct Kernel<'r, 'a> {
    rewriter: &'r Rewriter<'a>,
    location: Location<'a>,
    body: Block<'a>,
    inputs: Vec<Extent>,
    result: Extent,
    /// Tile types in memory, in the accumulator, and in the accumulator after rounding.
    mat: Type<'a>,
    acc: Type<'a>,
    rounded: Type<'a>,
}

/// Where in the result a tile is computed.
#[derive(Clone, Copy)]
struct Place<'a> {
    at: At<'a>,
    /// Which matrix; nothing if there is only one.
    matrix: Option<Value<'a>>,
    /// Row and column of the tile in its matrix.
    row: Value<'a>,
    column: Value<'a>,
}

impl<'r, 'a> Kernel<'r, 'a> {
    /// Begins the kernel of an operation, beside its function.
    pub fn new(
        rewriter: &'r Rewriter<'a>,
        op: Op<'a>,
        name: &str,
        func: Op<'a>,
        inputs: Vec<Extent>,
        result: Extent,
    ) -> Self {
        let (context, location) = (rewriter.context(), op.location());
        let r#type = |text: &str| context.parse_type(text).expect("a type of ours parses");
        let tensors = inputs.iter().chain([&result]);
        let memory: Vec<_> = tensors
            .map(|extent| r#type(&format!("memref<{extent}xbf16>")))
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
            inputs,
            result,
            mat: r#type("!pto.tile<tensor<32x32xbf16>, mat>"),
            acc: r#type("!pto.tile<tensor<32x32xf32>, acc>"),
            rounded: r#type("!pto.tile<tensor<32x32xbf16>, acc>"),
        }
    }

    /// Product of inputs 0 and 1, plus input 2 if there is one.
    pub fn matmul(&self, bias: Option<Broadcast>) {
        let [_, depth] = self.inputs[0].tiles();
        self.for_every_tile(|place| {
            let product = |at: At<'a>, k: Value<'a>, sum: Option<Value<'a>>| {
                let a = self.load(
                    Place {
                        at,
                        column: k,
                        ..place
                    },
                    0,
                );
                let b = self.load(
                    Place {
                        at,
                        row: k,
                        ..place
                    },
                    1,
                );
                match sum {
                    None => self.compute(at, "pto.tmatmul", &[a, b]),
                    Some(sum) => self.compute(at, "pto.tmatmul_acc", &[sum, a, b]),
                }
            };
            let first = product(place.at, self.index(place.at, 0), None);
            let sum = if depth == 1 {
                first
            } else {
                self.r#for(place.at, 1, depth, Some(first), |at, k, sum| {
                    Some(product(at, k, sum))
                })
                .expect("the loop carries the sum")
            };
            match bias {
                None => sum,
                Some(spread) => self.binary_tile(place, "pto.tadd", sum, 2, spread),
            }
        });
    }

    /// An operation on two inputs, in their order or the other one; the sign of the result may be flipped.
    pub fn binary(&self, name: &str, spread: Broadcast, swap: bool, negate: bool) {
        let (left, right) = if swap { (1, 0) } else { (0, 1) };
        self.for_every_tile(|place| {
            let left = self.load(place, left);
            let result = self.binary_tile(place, name, left, right, spread);
            if negate {
                self.unary_tile(place.at, "pto.tneg", result, self.acc, Unit::Sfpu)
            } else {
                result
            }
        });
    }

    /// An operation on one input.
    pub fn unary(&self, name: &str, unit: Unit) {
        self.for_every_tile(|place| {
            let tile = self.load(place, 0);
            let wide = self.unary_tile(place.at, "pto.tcvt", tile, self.acc, Unit::Fpu);
            self.unary_tile(place.at, name, wide, self.acc, unit)
        });
    }

    /// Ends the kernel: what `compute` makes for every tile of the result is rounded and stored.
    fn for_every_tile(&self, compute: impl Fn(Place<'a>) -> Value<'a>) {
        let end = At::End(self.body);
        let matrix = |at: At<'a>, matrix: Option<Value<'a>>| {
            let [down, across] = self.result.tiles();
            self.r#for(at, 0, down, None, |at, row, _| {
                self.r#for(at, 0, across, None, |at, column, _| {
                    let place = Place {
                        at,
                        matrix,
                        row,
                        column,
                    };
                    let rounded =
                        self.unary_tile(at, "pto.tcvt", compute(place), self.rounded, Unit::Pack);
                    let target = self.inputs.len();
                    let row = self.row_of_tiles(place, self.result);
                    let store = NewOp::new("pto.tstore", self.location);
                    let operands = [rounded, self.body.arguments()[target], row, column];
                    self.rewriter.insert(at, store.operands(operands));
                    None
                })
            })
        };
        if self.result.matrices == 1 {
            matrix(end, None);
        } else {
            self.r#for(end, 0, self.result.matrices, None, |at, number, _| {
                matrix(at, Some(number))
            });
        }
        self.rewriter
            .insert(end, NewOp::new("pto.return", self.location));
    }

    /// The tile of an input at a place of the result; an input that has one row or column, or one matrix, gives the same
    /// for all.
    fn load(&self, place: Place<'a>, input: usize) -> Value<'a> {
        let extent = self.inputs[input];
        let [down, across] = extent.tiles();
        let zero = |only: bool, index| if only { self.index(place.at, 0) } else { index };
        let place = Place {
            row: zero(down == 1, place.row),
            column: zero(across == 1, place.column),
            ..place
        };
        let row = self.row_of_tiles(place, extent);
        let load = NewOp::new("pto.tload", self.location)
            .operands([self.body.arguments()[input], row, place.column])
            .results([self.mat]);
        self.rewriter.insert(place.at, load).results()[0]
    }

    /// The row of tiles, counted through all matrices of a tensor, that holds a row of one of them.
    fn row_of_tiles(&self, place: Place<'a>, extent: Extent) -> Value<'a> {
        match place.matrix {
            Some(matrix) if extent.matrices != 1 => {
                let [down, _] = extent.tiles();
                let before = self.arith(place.at, "arith.muli", matrix, self.index(place.at, down));
                self.arith(place.at, "arith.addi", before, place.row)
            }
            _ => place.row,
        }
    }

    fn arith(&self, at: At<'a>, name: &str, a: Value<'a>, b: Value<'a>) -> Value<'a> {
        let op = NewOp::new(name, self.location).operands([a, b]);
        self.rewriter
            .insert(at, op.results([self.rewriter.context().index()]))
            .results()[0]
    }

    fn compute(&self, at: At<'a>, name: &str, operands: &[Value<'a>]) -> Value<'a> {
        let op = NewOp::new(name, self.location).operands(operands.iter().copied());
        self.rewriter.insert(at, op.results([self.acc])).results()[0]
    }

    /// An operation of the matrix unit on a tile and on an input that is spread over it.
    fn binary_tile(
        &self,
        place: Place<'a>,
        name: &str,
        left: Value<'a>,
        right: usize,
        spread: Broadcast,
    ) -> Value<'a> {
        let context = self.rewriter.context();
        let right = self.load(place, right);
        let mut op = NewOp::new(name, self.location)
            .operands([left, right])
            .results([self.acc])
            .attribute("unit", Unit::Fpu.attribute(context));
        if spread != Broadcast::None {
            op = op.attribute("broadcast", spread.attribute(context));
        }
        self.rewriter.insert(place.at, op).results()[0]
    }

    fn unary_tile(
        &self,
        at: At<'a>,
        name: &str,
        tile: Value<'a>,
        to: Type<'a>,
        unit: Unit,
    ) -> Value<'a> {
        let op = NewOp::new(name, self.location)
            .operands([tile])
            .results([to])
            .attribute("unit", unit.attribute(self.rewriter.context()));
        self.rewriter.insert(at, op).results()[0]
    }

    fn index(&self, at: At<'a>, value: u64) -> Value<'a> {
        let context = self.rewriter.context();
        let value = context.integer_attribute(context.index(), value as i64);
        let constant = NewOp::new("arith.constant", self.location).attribute("value", value);
        self.rewriter
            .insert(at, constant.results([context.index()]))
            .results()[0]
    }

    /// A loop that may carry one value.
    fn r#for(
        &self,
        at: At<'a>,
        low: u64,
        high: u64,
        carried: Option<Value<'a>>,
        body: impl Fn(At<'a>, Value<'a>, Option<Value<'a>>) -> Option<Value<'a>>,
    ) -> Option<Value<'a>> {
        let bounds = [self.index(at, low), self.index(at, high), self.index(at, 1)];
        let index = self.rewriter.context().index();
        let arguments = [index].into_iter().chain(carried.map(Value::r#type));
        let new = NewOp::new("scf.for", self.location)
            .operands(bounds.into_iter().chain(carried))
            .results(carried.map(Value::r#type))
            .region(arguments.map(|r#type| (r#type, self.location)));
        let new = self.rewriter.insert(at, new);
        let block = new.body().expect("the region was made with a block");
        let arguments = block.arguments();
        let inside = At::End(block);
        let carried = body(inside, arguments[0], arguments.get(1).copied());
        self.rewriter.insert(
            inside,
            NewOp::new("scf.yield", self.location).operands(carried),
        );
        new.result(0)
    }
}
