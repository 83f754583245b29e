//! Builds the `pto.func` of a kernel: loops over rectangles of tiles of the result, with the steps
//! of the group inside. Reductions are built by `folds`.
//!
//! A kernel may have several *stages*, each with the steps of a group ([`super::stages`]). All are
//! inside of the loops over matrices and rows of tiles; each has its own loop over columns. The
//! results of all stages but the last are local tensors of one row of tiles. They are in the memory
//! of the vector side; tiles from and to the matrix unit cross.
//!
//! Rows of rectangles are counted through all matrices of a tensor. An operand with a single matrix
//! is addressed by the row within the matrix; any other operand by that plus the rows of the
//! preceding matrices.

use tessera_dialects::mlir::{At, Location, NamedOp, NewOp, Op, Rewriter, Type, Value};
use tessera_dialects::pto::{
    self, Broadcast, Dst, Fidelity, FuncOp, Kind, Placement, Space, Tile, Unit,
};
use tessera_dialects::{arith, scf};
use tessera_ops::{Binary, Unary};
use tessera_pto::target::Precision;

use crate::ttnn::fusion::steps::{Choice, Factor, Step};
use crate::ttnn::fusion::tensor::{Element, Tensor};
use crate::ttnn::layout::TILE;

mod folds;

/// Everything that a kernel is built from.
pub struct Parts<'a> {
    /// The function beside which it is placed.
    pub func: Op<'a>,
    /// The kernel's inputs.
    pub inputs: Vec<Tensor>,
    /// Its stages.
    pub stages: Vec<Stage<'a>>,
    /// Fidelity of products.
    pub fidelity: Fidelity,
    /// What accumulators hold.
    pub dst: Dst,
    /// Where the kernels of its two sides run, if it has both.
    pub placement: Option<Placement>,
}

/// A group of operations of a kernel.
pub struct Stage<'a> {
    /// The operations, first to last.
    pub ops: Vec<Op<'a>>,
    /// Its steps.
    pub steps: Vec<Step>,
    /// Its inputs.
    pub inputs: Vec<(Memory, Tensor)>,
    /// Tiles along the summed dimension of its product, if it has one.
    pub depth: u64,
    /// Its result.
    pub result: Tensor,
    /// Tiles computed at a time, down and across.
    pub block: [u64; 2],
}

/// The place of a tensor of a stage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Memory {
    /// The kernel's input with this number.
    Input(usize),
    /// The result of the stage with this number.
    Stage(usize),
    /// None, since all elements are this number.
    Number(f64),
}

impl<'a> Parts<'a> {
    /// Returns the operations of all stages.
    pub fn ops(&self) -> Vec<Op<'a>> {
        let stages = self.stages.iter();
        stages.flat_map(|stage| stage.ops.iter().copied()).collect()
    }

    /// Returns the last stage, whose result is the kernel's.
    pub fn last(&self) -> &Stage<'a> {
        self.stages.last().expect("a kernel has a stage")
    }
}

/// The rectangle of the result, or of a factor, that is computed.
#[derive(Clone, Copy)]
struct ComputedRect<'a> {
    at: At<'a>,
    /// Its shape in tiles, down and across.
    tiles: [u64; 2],
    /// The matrix; `None` if there is only one.
    matrix: Option<Value<'a>>,
    /// Row and column of the rectangle in its matrix.
    row: Value<'a>,
    column: Value<'a>,
    /// Valid extents, down and across, where not all elements are valid.
    valid: [Option<u64>; 2],
}

impl ComputedRect<'_> {
    /// Returns the rectangle with the valid extents of a computed tile.
    fn with_valid_extents_of(self, value: Value) -> Self {
        let tile = pto::tile(value.r#type()).expect("steps compute tiles");
        let extent = |axis: usize| Some(tile.valid[axis]).filter(|&one| one != tile.shape[axis]);
        ComputedRect {
            valid: [0, 1].map(extent),
            ..self
        }
    }

    /// Returns the transposed place.
    fn mirrored(self) -> Self {
        let [rows, columns] = self.tiles;
        ComputedRect {
            tiles: [columns, rows],
            row: self.column,
            column: self.row,
            ..self
        }
    }
}

/// Builds the kernel, named `name`.
pub fn build<'a>(name: &str, parts: &Parts<'a>, rewriter: &Rewriter<'a>) {
    let context = rewriter.context();
    let location = location_of(parts.last());
    let tensors = parts.inputs.iter().chain([&parts.last().result]);
    let memory: Vec<_> = tensors
        .map(|tensor| memory_type(tensor, rewriter))
        .collect();
    let mut kernel = FuncOp::build(location)
        .with(context, FuncOp::SYM_NAME, name)
        .with(
            context,
            FuncOp::FUNCTION_TYPE,
            context.function(&memory, &[]),
        )
        .with(context, FuncOp::KIND, Kind::Mixed)
        .with(context, FuncOp::FIDELITY, parts.fidelity)
        .with(context, FuncOp::DST, parts.dst)
        .region(memory.iter().map(|memory| (*memory, location)));
    if let Some(placement) = parts.placement {
        kernel = kernel.with(context, FuncOp::PLACEMENT, placement);
    }
    let kernel = rewriter.insert(At::Before(parts.func), kernel);
    let body = kernel.body().expect("the region was made with a block");
    let (_, before) = parts.stages.split_last().expect("a kernel has a stage");
    let locals = before.iter().map(|stage| {
        let alloc = pto::AllocTensorOp::build(location_of(stage));
        let alloc = alloc.results([memory_type(&stage.result, rewriter)]);
        rewriter.insert(At::End(body), alloc).results()[0]
    });
    let locals: Vec<Value> = locals.collect();
    let builder = |stage| Builder {
        rewriter,
        location: location_of(stage),
        arguments: body.arguments(),
        locals: locals.clone(),
        stage,
    };
    let last = builder(parts.last());
    last.for_every_row(At::End(body), |at, matrix, row| {
        for (stage, local) in before.iter().zip(&locals) {
            let stage = builder(stage);
            stage.for_every_column((at, matrix, row), *local);
        }
        let target = last.arguments[parts.inputs.len()];
        last.for_every_column((at, matrix, row), target);
    });
    rewriter.insert(At::End(body), pto::ReturnOp::build(location));
}

/// Returns the location of a stage, that of its last operation.
fn location_of<'a>(stage: &Stage<'a>) -> Location<'a> {
    stage.ops[stage.ops.len() - 1].location()
}

/// Returns the type of a tensor in memory.
fn memory_type<'a>(tensor: &Tensor, rewriter: &Rewriter<'a>) -> Type<'a> {
    let Tensor {
        extent, element, ..
    } = tensor;
    let text = format!("memref<{extent}x{element}>");
    let context = rewriter.context();
    context.parse_type(&text).expect("a type of ours parses")
}

/// Returns the element type of a computed tile.
fn kind(value: Value) -> Element {
    let tile = pto::tile(value.r#type());
    match tile.is_some_and(|tile| tile.element.to_string() == "i32") {
        true => Element::I32,
        false => Element::F32,
    }
}

/// Returns the shape in tiles of an operand that is broadcast to a rectangle.
fn shape(place: ComputedRect, broadcast: Broadcast) -> [u64; 2] {
    let [rows, columns] = place.tiles;
    match broadcast {
        Broadcast::None => [rows, columns],
        Broadcast::Row => [1, columns],
        Broadcast::Column => [rows, 1],
        Broadcast::Scalar => [1, 1],
    }
}

struct Builder<'k, 'a> {
    rewriter: &'k Rewriter<'a>,
    location: Location<'a>,
    /// The arguments of the kernel, and the local tensors of its stages.
    arguments: Vec<Value<'a>>,
    locals: Vec<Value<'a>>,
    stage: &'k Stage<'a>,
}

impl<'a> Builder<'_, 'a> {
    /// Builds the steps for a rectangle, and rounds the result if it is bf16.
    fn compute(&self, place: ComputedRect<'a>, steps: &[Step], to: Element) -> Value<'a> {
        let mut value = None;
        for step in steps {
            value = Some(self.step(place, step, value));
        }
        let value = value.expect("a group computes something");
        if to != Element::Bf16 {
            return value;
        }
        let rounded = self.like(value, to);
        let round = self.on(Unit::Pack, pto::TCvtOp::NAME);
        self.op(place.at, round, &[value], rounded)
    }

    /// Builds a step, given the value of the previous one.
    fn step(&self, place: ComputedRect<'a>, step: &Step, before: Option<Value<'a>>) -> Value<'a> {
        let so_far = || before.expect("the first step makes a value");
        match step {
            Step::Product(a, b) => self.product(place, [a, b]),
            Step::Elementwise(function, left, right, broadcast) => {
                let left = self.load(place, *left, Broadcast::None, "mat");
                self.broadcast(place, *function, left, *right, *broadcast)
            }
            Step::Widen(input) => self.widen(place, *input, Broadcast::None, "mat", "acc"),
            Step::WidenVector(input, broadcast) => self.full(place, *input, *broadcast),
            Step::Accumulate(function, input, broadcast) => {
                self.broadcast(place, *function, so_far(), *input, *broadcast)
            }
            Step::Cross => {
                let crossed = self.tile(place, Element::F32, "vec");
                self.r#move(place, so_far(), crossed)
            }
            Step::Unary(function, precision) => {
                let name = pto::op_name(function.mnemonic());
                let op = self.on_vector_unit(&name, *precision);
                self.op(place.at, op, &[so_far()], so_far().r#type())
            }
            Step::Binary {
                function,
                input,
                broadcast,
                left: true,
                precision,
            } => {
                let other = self.full(place, *input, *broadcast);
                let op = self.binary_op(*function, *precision);
                self.on_vector_side(place, op, [other, so_far()], Broadcast::None)
            }
            Step::Binary {
                function,
                input,
                broadcast,
                left: false,
                precision,
            } => {
                let other = self.widen(place, *input, *broadcast, "vec", "vec");
                let op = self.binary_op(*function, *precision);
                self.on_vector_side(place, op, [so_far(), other], *broadcast)
            }
            Step::Number(function, number, precision) => {
                let number = self.fill(place.at, *number, so_far().r#type());
                let op = self.binary_op(*function, *precision);
                self.on_vector_side(place, op, [so_far(), number], Broadcast::None)
            }
            Step::Select(choices) => {
                let place = before.map_or(place, |value| place.with_valid_extents_of(value));
                let of = choices.map(|choice| match choice {
                    Choice::Value => so_far(),
                    Choice::Input(input, broadcast) => self.full(place, input, broadcast),
                });
                let select = self.on(Unit::Sfpu, pto::TSelOp::NAME);
                self.op(place.at, select, &of, of[1].r#type())
            }
            Step::Convert(to) => {
                let converted = self.like(so_far(), *to);
                let convert = self.on(Unit::Sfpu, pto::TCvtOp::NAME);
                self.op(place.at, convert, &[so_far()], converted)
            }
            Step::Reduce(reduction, before) => self.reduced(place, reduction, before),
            Step::Transpose(before) => {
                let value = self.compute(place.mirrored(), before, Element::F32);
                self.transposed(place, value, kind(value))
            }
            Step::PackRelu => {
                let relu = self.on(Unit::Pack, &pto::op_name(Unary::Relu.mnemonic()));
                self.op(place.at, relu, &[so_far()], so_far().r#type())
            }
        }
    }

    /// Builds a product, accumulated tile by tile along the common dimension.
    fn product(&self, place: ComputedRect<'a>, [a, b]: [&Factor; 2]) -> Value<'a> {
        let [rows, columns] = place.tiles;
        let acc = self.tile(place, Element::F32, "acc");
        let product = |at: At<'a>, k: Value<'a>, sum: Option<Value<'a>>| {
            let left = ComputedRect {
                at,
                column: k,
                tiles: [rows, 1],
                ..place
            };
            let right = ComputedRect {
                at,
                row: k,
                tiles: [1, columns],
                ..place
            };
            let (a, b) = (self.factor(left, a), self.factor(right, b));
            match sum {
                None => {
                    let product = pto::TMatmulOp::build(self.location);
                    self.op(at, product, &[a, b], acc)
                }
                Some(sum) => {
                    let product = pto::TMatmulAccOp::build(self.location);
                    self.op(at, product, &[sum, a, b], acc)
                }
            }
        };
        let first = product(place.at, self.index(place.at, 0), None);
        if self.stage.depth == 1 {
            return first;
        }
        self.r#for(place.at, 1, self.stage.depth, Some(first), |at, k, sum| {
            Some(product(at, k, sum))
        })
        .expect("the loop carries the sum")
    }

    /// Builds a rectangle of a factor: a load, or a computation on the vector side and a crossing.
    fn factor(&self, place: ComputedRect<'a>, factor: &Factor) -> Value<'a> {
        match factor {
            Factor::Input(input) => self.load(place, *input, Broadcast::None, "mat"),
            Factor::Transposed(input) => {
                let element = self.stage.inputs[*input].1.element;
                let value = self.load(place.mirrored(), *input, Broadcast::None, "vec");
                let value = self.transposed(place, value, element);
                self.cross_to_matrix(place, value, element)
            }
            Factor::Computed(steps, element) => {
                let value = self.compute(place, steps, *element);
                self.cross_to_matrix(place, value, *element)
            }
        }
    }

    /// Builds the transposition of a rectangle on the vector side.
    fn transposed(&self, place: ComputedRect<'a>, value: Value<'a>, element: Element) -> Value<'a> {
        let transposed = self.tile(place, element, "vec");
        let transpose = self.on(Unit::Fpu, pto::TTransOp::NAME);
        self.op(place.at, transpose, &[value], transposed)
    }

    /// Builds the move of a rectangle from the vector side to the matrix unit.
    fn cross_to_matrix(
        &self,
        place: ComputedRect<'a>,
        value: Value<'a>,
        element: Element,
    ) -> Value<'a> {
        let crossed = self.tile(place, element, "mat");
        self.r#move(place, value, crossed)
    }

    /// Builds a move to a tile of another type.
    fn r#move(&self, place: ComputedRect<'a>, tile: Value<'a>, to: Type<'a>) -> Value<'a> {
        let r#move = pto::TMoveOp::build(self.location);
        self.op(place.at, r#move, &[tile], to)
    }

    /// Builds the loops over all matrices and rows of rectangles of the result.
    fn for_every_row(&self, at: At<'a>, body: impl Fn(At<'a>, Option<Value<'a>>, Value<'a>)) {
        let result = self.stage.result.extent;
        let [down, _] = result.rectangles(self.stage.block);
        let matrix = |at: At<'a>, matrix: Option<Value<'a>>| {
            self.r#for(at, 0, down, None, |at, row, _| {
                body(at, matrix, row);
                None
            })
        };
        if result.matrices == 1 {
            matrix(at, None);
        } else {
            self.r#for(at, 0, result.matrices, None, |at, number, _| {
                matrix(at, Some(number))
            });
        }
    }

    /// Builds the loop over the rectangles of a row, which computes and stores them to `target`.
    fn for_every_column(
        &self,
        (at, matrix, row): (At<'a>, Option<Value<'a>>, Value<'a>),
        target: Value<'a>,
    ) {
        let Stage {
            steps,
            result,
            block,
            ..
        } = self.stage;
        let [_, across] = result.extent.rectangles(*block);
        self.r#for(at, 0, across, None, |at, column, _| {
            let place = ComputedRect {
                at,
                tiles: *block,
                matrix,
                row,
                column,
                valid: [None; 2],
            };
            let value = self.compute(place, steps, result.element);
            let (value, row) = match self.locals.contains(&target) {
                true => (self.on_vector_memory(place, value), self.index(at, 0)),
                false => (value, self.row(place, result, *block)),
            };
            let store = pto::TStoreOp::build(self.location);
            self.rewriter
                .insert(at, store.operands([value, target, row, column]));
            None
        });
    }

    /// Builds the move of a value to the memory of the vector side, if it is not there.
    fn on_vector_memory(&self, place: ComputedRect<'a>, value: Value<'a>) -> Value<'a> {
        let tile = pto::tile(value.r#type()).expect("steps compute tiles");
        if tile.space == Space::Vec {
            return value;
        }
        let context = self.rewriter.context();
        let moved = Tile {
            space: Space::Vec,
            ..tile
        };
        let moved = moved
            .to_type(context)
            .expect("there is a tile of every space");
        self.r#move(place, value, moved)
    }

    /// Returns the place of a tensor's rectangle, given that of the result. A tensor with a single
    /// row or column of rectangles is the same for all places along it.
    fn own_place(
        &self,
        place: ComputedRect<'a>,
        tensor: &Tensor,
        shape: [u64; 2],
    ) -> ComputedRect<'a> {
        let [down, across] = tensor.extent.rectangles(shape);
        let zero = |only: bool, index| if only { self.index(place.at, 0) } else { index };
        ComputedRect {
            row: zero(down == 1, place.row),
            column: zero(across == 1, place.column),
            ..place
        }
    }

    /// Returns the tile type of a place.
    fn tile(&self, place: ComputedRect<'a>, element: Element, space: &str) -> Type<'a> {
        self.broadcast_tile(place, Broadcast::None, element, space)
    }

    /// Returns the tile type of an operand that is broadcast to a place.
    fn broadcast_tile(
        &self,
        place: ComputedRect<'a>,
        broadcast: Broadcast,
        element: Element,
        space: &str,
    ) -> Type<'a> {
        let shape = shape(place, broadcast).map(|tiles| tiles * TILE);
        let [rows, columns] = shape;
        let valid = match broadcast {
            Broadcast::None => [0, 1].map(|axis| place.valid[axis].unwrap_or(shape[axis])),
            _ => shape,
        };
        let valid = match valid == shape {
            true => String::new(),
            false => format!(", valid = {}x{}", valid[0], valid[1]),
        };
        let text = format!("!pto.tile<tensor<{rows}x{columns}x{element}>, {space}{valid}>");
        let context = self.rewriter.context();
        context.parse_type(&text).expect("a type of ours parses")
    }

    /// Returns the type of a tile with another element type.
    fn like(&self, value: Value<'a>, element: Element) -> Type<'a> {
        let context = self.rewriter.context();
        let element = context.parse_type(&element.to_string());
        let like = pto::tile(value.r#type()).zip(element);
        let like = like.and_then(|(tile, element)| Tile { element, ..tile }.to_type(context));
        like.expect("there is a tile of every element")
    }

    /// Builds the load of an input for a place. An input with a single matrix is the same for all.
    fn load(
        &self,
        place: ComputedRect<'a>,
        input: usize,
        broadcast: Broadcast,
        space: &str,
    ) -> Value<'a> {
        let shape = shape(place, broadcast);
        let (memory, tensor) = &self.stage.inputs[input];
        let place = self.own_place(place, tensor, shape);
        let row = self.row(place, tensor, shape);
        let tile = |space| self.broadcast_tile(place, broadcast, tensor.element, space);
        let load = |source, space| {
            let load = pto::TLoadOp::build(self.location)
                .operands([source, row, place.column])
                .results([tile(space)]);
            self.rewriter.insert(place.at, load).results()[0]
        };
        match *memory {
            Memory::Input(number) => load(self.arguments[number], space),
            Memory::Stage(number) => {
                let value = load(self.locals[number], "vec");
                self.move_to_space(place, value, (space, tile(space)))
            }
            Memory::Number(number) => {
                let value = self.fill(place.at, number, tile("vec"));
                self.move_to_space(place, value, (space, tile(space)))
            }
        }
    }

    /// Returns a tile of the vector side in a space, moved there if necessary.
    fn move_to_space(
        &self,
        place: ComputedRect<'a>,
        value: Value<'a>,
        (space, tile): (&str, Type<'a>),
    ) -> Value<'a> {
        match space {
            "vec" => value,
            _ => self.r#move(place, value, tile),
        }
    }

    /// Builds the load of an input to another space, widened from bf16 to f32.
    fn widen(
        &self,
        place: ComputedRect<'a>,
        input: usize,
        broadcast: Broadcast,
        from: &str,
        to: &str,
    ) -> Value<'a> {
        let tile = self.load(place, input, broadcast, from);
        let element = self.stage.inputs[input].1.element;
        let wide = self.broadcast_tile(place, broadcast, element.between(), to);
        if element != Element::Bf16 {
            return match from == to {
                true => tile,
                false => self.r#move(place, tile, wide),
            };
        }
        let widen = self.on(Unit::Fpu, pto::TCvtOp::NAME);
        self.op(place.at, widen, &[tile], wide)
    }

    /// Builds the row of a place in a tensor, counted through all of its matrices.
    fn row(&self, place: ComputedRect<'a>, tensor: &Tensor, shape: [u64; 2]) -> Value<'a> {
        let [down, _] = tensor.extent.rectangles(shape);
        let Some(matrix) = place.matrix else {
            return place.row;
        };
        // Least significant digit first.
        tensor.index.digits.iter().fold(place.row, |row, digit| {
            let by = |name, value, number| self.arith_by(place.at, name, value, number);
            let value = by(arith::DivSIOp::NAME, matrix, digit.divisor);
            let value = match digit.modulus {
                Some(modulus) => by(arith::RemSIOp::NAME, value, modulus),
                None => value,
            };
            let before = by(arith::MulIOp::NAME, value, down * digit.stride);
            self.arith(place.at, arith::AddIOp::NAME, before, row)
        })
    }

    /// Builds arithmetic with a constant; no operation for a division by 1.
    fn arith_by(&self, at: At<'a>, name: &str, value: Value<'a>, number: u64) -> Value<'a> {
        match (name, number) {
            (arith::DivSIOp::NAME, 1) => value,
            _ => self.arith(at, name, value, self.index(at, number)),
        }
    }

    fn arith(&self, at: At<'a>, name: &str, a: Value<'a>, b: Value<'a>) -> Value<'a> {
        let arith = NewOp::new(name, self.location);
        self.op(at, arith, &[a, b], self.rewriter.context().index())
    }

    /// Begins an operation on a unit.
    fn on(&self, unit: Unit, name: &str) -> NewOp<'a> {
        let context = self.rewriter.context();
        NewOp::new(name, self.location).with(context, pto::UnitOp::UNIT, unit)
    }

    fn op(&self, at: At<'a>, op: NewOp<'a>, operands: &[Value<'a>], result: Type<'a>) -> Value<'a> {
        let op = op.operands(operands.iter().copied()).results([result]);
        self.rewriter.insert(at, op).results()[0]
    }

    /// Builds an input broadcast to the full rectangle, by an exact multiplication with ones.
    fn full(&self, place: ComputedRect<'a>, input: usize, broadcast: Broadcast) -> Value<'a> {
        let tile = self.widen(place, input, broadcast, "vec", "vec");
        if broadcast == Broadcast::None {
            return tile;
        }
        let full = self.tile(place, kind(tile), "vec");
        let ones = self.fill(place.at, 1.0, full);
        let op = self.binary_op(Binary::Multiply, Precision::F32);
        self.on_vector_side(place, op, [ones, tile], broadcast)
    }

    fn fill(&self, at: At<'a>, number: f64, r#type: Type<'a>) -> Value<'a> {
        let context = self.rewriter.context();
        let fill = self.on(Unit::Sfpu, pto::TFillOp::NAME);
        let fill = fill.with(context, pto::TFillOp::VALUE, number);
        self.op(at, fill, &[], r#type)
    }

    /// Builds an operation of the matrix unit on a value and a broadcast input.
    fn broadcast(
        &self,
        place: ComputedRect<'a>,
        function: Binary,
        left: Value<'a>,
        right: usize,
        broadcast: Broadcast,
    ) -> Value<'a> {
        let right = self.load(place, right, broadcast, "mat");
        let result = self.tile(place, Element::F32, "acc");
        let op = self.on(Unit::Fpu, &pto::op_name(function.mnemonic()));
        self.binary(place, op, [left, right], broadcast, result)
    }

    /// Builds a function on the vector unit; the result has the type of the left operand.
    fn on_vector_side(
        &self,
        place: ComputedRect<'a>,
        op: NewOp<'a>,
        operands: [Value<'a>; 2],
        broadcast: Broadcast,
    ) -> Value<'a> {
        let result = operands[0].r#type();
        self.binary(place, op, operands, broadcast, result)
    }

    fn binary(
        &self,
        place: ComputedRect<'a>,
        mut op: NewOp<'a>,
        operands: [Value<'a>; 2],
        broadcast: Broadcast,
        result: Type<'a>,
    ) -> Value<'a> {
        if broadcast != Broadcast::None {
            let context = self.rewriter.context();
            op = op.with(context, pto::BinaryOp::BROADCAST, broadcast);
        }
        self.op(place.at, op, &operands, result)
    }

    /// Begins a function of two elements on the vector unit.
    pub(super) fn binary_op(&self, function: Binary, precision: Precision) -> NewOp<'a> {
        self.on_vector_unit(&pto::op_name(function.mnemonic()), precision)
    }

    /// Begins an element-wise function on the vector unit.
    fn on_vector_unit(&self, name: &str, precision: Precision) -> NewOp<'a> {
        let op = self.on(Unit::Sfpu, name);
        let context = self.rewriter.context();
        match precision {
            Precision::F32 => op,
            Precision::Bf16 => {
                op.with(context, pto::ElementwiseOp::PRECISION, pto::Precision::Bf16)
            }
        }
    }

    fn index(&self, at: At<'a>, value: u64) -> Value<'a> {
        let context = self.rewriter.context();
        let value = context.integer_attribute(context.index(), value as i64);
        let constant = arith::ConstantOp::build(self.location);
        let constant = constant.with(context, arith::ConstantOp::VALUE, value);
        self.op(at, constant, &[], context.index())
    }

    /// Builds a loop that may carry one value.
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
        let new = scf::ForOp::build(self.location)
            .operands(bounds.into_iter().chain(carried))
            .results(carried.map(Value::r#type))
            .region(arguments.map(|r#type| (r#type, self.location)));
        let new = self.rewriter.insert(at, new);
        let block = new.body().expect("the region was made with a block");
        let arguments = block.arguments();
        let inside = At::End(block);
        let carried = body(inside, arguments[0], arguments.get(1).copied());
        self.rewriter
            .insert(inside, scf::YieldOp::build(self.location).operands(carried));
        new.result(0)
    }
}
