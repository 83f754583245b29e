//! Building a `pto.func`: loops over rectangles of tiles of the result, and the steps of the group inside.
//!
//! Rows of rectangles are counted through all matrices of a tensor, so that an operand that is one matrix is addressed by the
//! row within the matrix, and any other by that plus the rows of the matrices before.

use tessera_dialects::mlir::{At, Block, Location, NewOp, Op, Rewriter, Type, Value};
use tessera_dialects::pto::{Broadcast, Dst, Fidelity, Kind, Placement, Unit};

use super::extent::Extent;
use super::steps::{Factor, Step};
use super::tensor::{Element, Tensor};
use crate::layout::TILE;

/// What a kernel is made of.
pub struct Parts<'a> {
    /// Its name.
    pub name: String,
    /// The function that it stands beside.
    pub func: Op<'a>,
    /// The operations of the group, first to last.
    pub ops: Vec<Op<'a>>,
    /// The group's inputs.
    pub inputs: Vec<Tensor>,
    /// Tiles along the common dimension of the factors of its product, if it has one.
    pub depth: u64,
    /// Its result.
    pub result: Tensor,
    /// Tiles that are computed at a time, down and across.
    pub block: [u64; 2],
    /// Phases of products.
    pub fidelity: Fidelity,
    /// What accumulators hold.
    pub dst: Dst,
    /// Where the kernels of its two sides run, if it has both.
    pub placement: Option<Placement>,
}

/// Where in the result, or in a factor, a rectangle is computed.
#[derive(Clone, Copy)]
struct Place<'a> {
    at: At<'a>,
    /// Its tiles, down and across.
    tiles: [u64; 2],
    /// Which matrix; nothing if there is only one.
    matrix: Option<Value<'a>>,
    /// Row and column of the rectangle in its matrix.
    row: Value<'a>,
    column: Value<'a>,
}

/// Makes the kernel.
pub fn build<'a>(parts: &Parts<'a>, steps: &[Step], rewriter: &Rewriter<'a>) {
    let context = rewriter.context();
    let location = parts.ops[parts.ops.len() - 1].location();
    let tensors = parts.inputs.iter().chain([&parts.result]);
    let memory: Vec<_> = tensors
        .map(|Tensor { extent, element }| {
            let text = format!("memref<{extent}x{element}>");
            context.parse_type(&text).expect("a type of ours parses")
        })
        .collect();
    let placement = parts.placement;
    let placement = placement.map(|placement| ("placement", placement.attribute(context)));
    let kernel = NewOp::new("pto.func", location)
        .attribute("sym_name", context.string_attribute(&parts.name))
        .attribute(
            "function_type",
            context.type_attribute(context.function(&memory, &[])),
        )
        .attribute("kind", Kind::Mixed.attribute(context))
        .attribute("fidelity", parts.fidelity.attribute(context))
        .attribute("dst", parts.dst.attribute(context))
        .attributes(placement)
        .region(memory.iter().map(|memory| (*memory, location)));
    let kernel = rewriter.insert(At::Before(parts.func), kernel);
    let body = kernel.body().expect("the region was made with a block");
    let builder = Builder {
        rewriter,
        location,
        body,
        parts,
    };
    let to = parts.result.element;
    builder.for_every_rectangle(|place| builder.compute(place, steps, to));
}

/// Tiles of an operand that is spread over a rectangle.
fn shape(place: Place, spread: Broadcast) -> [u64; 2] {
    let [rows, columns] = place.tiles;
    match spread {
        Broadcast::None => [rows, columns],
        Broadcast::Row => [1, columns],
        Broadcast::Column => [rows, 1],
        Broadcast::Scalar => [1, 1],
    }
}

struct Builder<'k, 'a> {
    rewriter: &'k Rewriter<'a>,
    location: Location<'a>,
    body: Block<'a>,
    parts: &'k Parts<'a>,
}

impl<'a> Builder<'_, 'a> {
    /// What steps make of a rectangle, rounded if it is to be bf16.
    fn compute(&self, place: Place<'a>, steps: &[Step], to: Element) -> Value<'a> {
        let (mut value, mut space) = (None, "acc");
        for step in steps {
            if matches!(step, Step::WidenVector(_) | Step::Cross) {
                space = "vec";
            }
            value = Some(self.step(place, step, value, space));
        }
        let value = value.expect("a group computes something");
        if to == Element::F32 {
            return value;
        }
        let rounded = self.tile(place.tiles, to, space);
        let unit = Unit::Pack.attribute(self.rewriter.context());
        self.op(place.at, "pto.tcvt", &[value], rounded, &[("unit", unit)])
    }

    /// The value of a step, behind that of the one before; `space` is where it lies.
    fn step(
        &self,
        place: Place<'a>,
        step: &Step,
        before: Option<Value<'a>>,
        space: &str,
    ) -> Value<'a> {
        let so_far = || before.expect("the first step makes a value");
        match step {
            Step::Product(a, b) => self.product(place, [a, b]),
            Step::Elementwise(name, left, right, spread) => {
                let left = self.load(place, *left, Broadcast::None, "mat");
                self.spread(place, name, left, *right, *spread)
            }
            Step::Widen(input) => self.widen(place, *input, Broadcast::None, "mat", "acc"),
            Step::WidenVector(input) => self.widen(place, *input, Broadcast::None, "vec", "vec"),
            Step::Accumulate(name, input, spread) => {
                self.spread(place, name, so_far(), *input, *spread)
            }
            Step::Cross => {
                let crossed = self.tile(place.tiles, Element::F32, "vec");
                self.op(place.at, "pto.tmove", &[so_far()], crossed, &[])
            }
            Step::Unary(name) => self.unary(place, name, so_far(), space, Unit::Sfpu),
            Step::Binary {
                name,
                input,
                spread,
                left,
            } => {
                let other = self.widen(place, *input, *spread, "vec", "vec");
                let operands = if *left {
                    [other, so_far()]
                } else {
                    [so_far(), other]
                };
                self.binary(place, name, operands, *spread, Unit::Sfpu, "vec")
            }
            Step::PackRelu => self.unary(place, "pto.trelu", so_far(), space, Unit::Pack),
        }
    }

    /// Product of two factors, summed up tile by tile along their common dimension.
    fn product(&self, place: Place<'a>, [a, b]: [&Factor; 2]) -> Value<'a> {
        let [rows, columns] = place.tiles;
        let acc = self.tile(place.tiles, Element::F32, "acc");
        let product = |at: At<'a>, k: Value<'a>, sum: Option<Value<'a>>| {
            let left = Place {
                at,
                column: k,
                tiles: [rows, 1],
                ..place
            };
            let right = Place {
                at,
                row: k,
                tiles: [1, columns],
                ..place
            };
            let (a, b) = (self.factor(left, a), self.factor(right, b));
            match sum {
                None => self.op(at, "pto.tmatmul", &[a, b], acc, &[]),
                Some(sum) => self.op(at, "pto.tmatmul_acc", &[sum, a, b], acc, &[]),
            }
        };
        let first = product(place.at, self.index(place.at, 0), None);
        if self.parts.depth == 1 {
            return first;
        }
        self.r#for(place.at, 1, self.parts.depth, Some(first), |at, k, sum| {
            Some(product(at, k, sum))
        })
        .expect("the loop carries the sum")
    }

    /// A rectangle of a factor: loaded, or computed on the vector side, from where it crosses.
    fn factor(&self, place: Place<'a>, factor: &Factor) -> Value<'a> {
        match factor {
            Factor::Input(input) => self.load(place, *input, Broadcast::None, "mat"),
            Factor::Computed(steps) => {
                let value = self.compute(place, steps, Element::Bf16);
                let crossed = self.tile(place.tiles, Element::Bf16, "mat");
                self.op(place.at, "pto.tmove", &[value], crossed, &[])
            }
        }
    }

    /// Ends the kernel: what `compute` makes for every rectangle of the result is stored.
    fn for_every_rectangle(&self, compute: impl Fn(Place<'a>) -> Value<'a>) {
        let end = At::End(self.body);
        let result = self.parts.result.extent;
        let matrix = |at: At<'a>, matrix: Option<Value<'a>>| {
            let [down, across] = result.rectangles(self.parts.block);
            self.r#for(at, 0, down, None, |at, row, _| {
                self.r#for(at, 0, across, None, |at, column, _| {
                    let place = Place {
                        at,
                        tiles: self.parts.block,
                        matrix,
                        row,
                        column,
                    };
                    let value = compute(place);
                    let target = self.body.arguments()[self.parts.inputs.len()];
                    let row = self.row(place, result, self.parts.block);
                    let store = NewOp::new("pto.tstore", self.location);
                    self.rewriter
                        .insert(at, store.operands([value, target, row, column]));
                    None
                })
            })
        };
        if result.matrices == 1 {
            matrix(end, None);
        } else {
            self.r#for(end, 0, result.matrices, None, |at, number, _| {
                matrix(at, Some(number))
            });
        }
        self.rewriter
            .insert(end, NewOp::new("pto.return", self.location));
    }

    /// The type of a rectangle of tiles.
    fn tile(&self, [rows, columns]: [u64; 2], element: Element, space: &str) -> Type<'a> {
        let (rows, columns) = (rows * TILE, columns * TILE);
        let text = format!("!pto.tile<tensor<{rows}x{columns}x{element}>, {space}>");
        let context = self.rewriter.context();
        context.parse_type(&text).expect("a type of ours parses")
    }

    /// What an input has for a rectangle that it is spread over; one that has a single row or column of such, or one matrix,
    /// gives the same for all.
    fn load(&self, place: Place<'a>, input: usize, spread: Broadcast, space: &str) -> Value<'a> {
        let shape = shape(place, spread);
        let Tensor { extent, element } = self.parts.inputs[input];
        let [down, across] = extent.rectangles(shape);
        let zero = |only: bool, index| if only { self.index(place.at, 0) } else { index };
        let place = Place {
            row: zero(down == 1, place.row),
            column: zero(across == 1, place.column),
            ..place
        };
        let row = self.row(place, extent, shape);
        let load = NewOp::new("pto.tload", self.location)
            .operands([self.body.arguments()[input], row, place.column])
            .results([self.tile(shape, element, space)]);
        self.rewriter.insert(place.at, load).results()[0]
    }

    /// An input in another space, widened unless it is f32.
    fn widen(
        &self,
        place: Place<'a>,
        input: usize,
        spread: Broadcast,
        from: &str,
        to: &str,
    ) -> Value<'a> {
        let tile = self.load(place, input, spread, from);
        let wide = self.tile(shape(place, spread), Element::F32, to);
        if self.parts.inputs[input].element == Element::F32 {
            return match from == to {
                true => tile,
                false => self.op(place.at, "pto.tmove", &[tile], wide, &[]),
            };
        }
        let unit = Unit::Fpu.attribute(self.rewriter.context());
        self.op(place.at, "pto.tcvt", &[tile], wide, &[("unit", unit)])
    }

    /// The row of rectangles, counted through all matrices of a tensor, that holds a row of one of them.
    fn row(&self, place: Place<'a>, extent: Extent, shape: [u64; 2]) -> Value<'a> {
        match place.matrix {
            Some(matrix) if extent.matrices != 1 => {
                let [down, _] = extent.rectangles(shape);
                let before = self.arith(place.at, "arith.muli", matrix, self.index(place.at, down));
                self.arith(place.at, "arith.addi", before, place.row)
            }
            _ => place.row,
        }
    }

    fn arith(&self, at: At<'a>, name: &str, a: Value<'a>, b: Value<'a>) -> Value<'a> {
        self.op(at, name, &[a, b], self.rewriter.context().index(), &[])
    }

    fn op(
        &self,
        at: At<'a>,
        name: &str,
        operands: &[Value<'a>],
        result: Type<'a>,
        attributes: &[(&'static str, tessera_dialects::mlir::Attribute<'a>)],
    ) -> Value<'a> {
        let op = NewOp::new(name, self.location)
            .operands(operands.iter().copied())
            .results([result])
            .attributes(attributes.iter().copied());
        self.rewriter.insert(at, op).results()[0]
    }

    /// An operation of the matrix unit on a value and on an input that is spread over it.
    fn spread(
        &self,
        place: Place<'a>,
        name: &str,
        left: Value<'a>,
        right: usize,
        spread: Broadcast,
    ) -> Value<'a> {
        let right = self.load(place, right, spread, "mat");
        self.binary(place, name, [left, right], spread, Unit::Fpu, "acc")
    }

    fn binary(
        &self,
        place: Place<'a>,
        name: &str,
        operands: [Value<'a>; 2],
        spread: Broadcast,
        unit: Unit,
        space: &str,
    ) -> Value<'a> {
        let context = self.rewriter.context();
        let mut attributes = vec![("unit", unit.attribute(context))];
        if spread != Broadcast::None {
            attributes.push(("broadcast", spread.attribute(context)));
        }
        let result = self.tile(place.tiles, Element::F32, space);
        self.op(place.at, name, &operands, result, &attributes)
    }

    fn unary(
        &self,
        place: Place<'a>,
        name: &str,
        tile: Value<'a>,
        space: &str,
        unit: Unit,
    ) -> Value<'a> {
        let unit = unit.attribute(self.rewriter.context());
        let result = self.tile(place.tiles, Element::F32, space);
        self.op(place.at, name, &[tile], result, &[("unit", unit)])
    }

    fn index(&self, at: At<'a>, value: u64) -> Value<'a> {
        let context = self.rewriter.context();
        let value = context.integer_attribute(context.index(), value as i64);
        self.op(
            at,
            "arith.constant",
            &[],
            context.index(),
            &[("value", value)],
        )
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
