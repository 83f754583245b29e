//! A random graph as TTIR.
//!
//! It grows from one value. Each operation takes the last value and perhaps a new argument or an
//! earlier value. [`OPERATIONS`] lists the operations.

use std::slice::from_ref;

use tessera_test_support::random::Rng;

/// The element types of a graph's tensors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elements {
    Bf16,
    F32,
    /// Both, with casts between them.
    Both,
}

/// The operands of an operation other than the last value.
#[derive(Clone, Copy, Debug)]
enum OtherOperands {
    Nothing,
    /// A tensor that it is broadcast with.
    Another,
    /// Two such tensors.
    TwoOthers,
    /// The other factor of a matrix product.
    Factor,
    /// A factor and a bias.
    FactorAndBias,
    /// None, for a cast.
    Cast,
    /// A tensor to concatenate along a dimension.
    Neighbour,
    /// None, for a reshape.
    Shape,
    /// None, for a permutation of dimensions.
    Order,
    /// None, for a slice.
    Bounds,
    /// None, for padding.
    Padding,
    /// None, for a reversal of dimensions.
    Dimensions,
    /// None, for repetitions along a dimension.
    Repetitions,
}

/// Operations: the weight, the name, the other operands.
const OPERATIONS: &[(usize, (&str, OtherOperands))] = &[
    (6, ("matmul", OtherOperands::Factor)),
    (4, ("linear", OtherOperands::FactorAndBias)),
    (3, ("add", OtherOperands::Another)),
    (3, ("subtract", OtherOperands::Another)),
    (3, ("multiply", OtherOperands::Another)),
    (3, ("relu", OtherOperands::Nothing)),
    (2, ("neg", OtherOperands::Nothing)),
    (1, ("abs", OtherOperands::Nothing)),
    (1, ("sigmoid", OtherOperands::Nothing)),
    (1, ("tanh", OtherOperands::Nothing)),
    (1, ("erf", OtherOperands::Nothing)),
    (1, ("gelu", OtherOperands::Nothing)),
    (1, ("silu", OtherOperands::Nothing)),
    (1, ("maximum", OtherOperands::Another)),
    (1, ("minimum", OtherOperands::Another)),
    (1, ("lt", OtherOperands::Another)),
    (1, ("ge", OtherOperands::Another)),
    (1, ("logical_not", OtherOperands::Nothing)),
    (1, ("logical_and", OtherOperands::Another)),
    (1, ("where", OtherOperands::TwoOthers)),
    (2, ("typecast", OtherOperands::Cast)),
    (2, ("concat", OtherOperands::Neighbour)),
    (2, ("reshape", OtherOperands::Shape)),
    (1, ("permute", OtherOperands::Order)),
    (1, ("slice_static", OtherOperands::Bounds)),
    (1, ("pad", OtherOperands::Padding)),
    (1, ("reverse", OtherOperands::Dimensions)),
    (1, ("repeat", OtherOperands::Repetitions)),
    (1, ("repeat_interleave", OtherOperands::Repetitions)),
];

/// The most elements of a tensor that has been broadcast.
const MOST_ELEMENTS: u64 = 20_000;

/// The most rows or columns of a reshaped tensor.
const MOST_EXTENT: u64 = 600;

const EXTENTS: &[u64] = &[1, 2, 3, 7, 16, 17, 31, 32, 33, 48, 65, 97, 130];

/// A value: its name, its shape, its elements.
#[derive(Clone, Debug)]
struct Value {
    name: String,
    shape: Vec<u64>,
    element: &'static str,
}

impl Value {
    fn r#type(&self) -> String {
        let extents = self.shape.iter().map(|extent| format!("{extent}x"));
        format!("tensor<{}{}>", extents.collect::<String>(), self.element)
    }

    /// Returns the rows and columns of the value's matrices.
    fn matrix(&self) -> [u64; 2] {
        let [.., rows, columns] = self.shape[..] else {
            return [1, self.shape[0]];
        };
        [rows, columns]
    }
}

struct Graph<'d> {
    rng: &'d mut Rng,
    elements: Elements,
    arguments: Vec<Value>,
    values: Vec<Value>,
    lines: String,
}

/// Returns the shape that two shapes broadcast to.
fn broadcast(one: &[u64], other: &[u64]) -> Vec<u64> {
    let rank = one.len().max(other.len());
    let extent = |shape: &[u64], dim: usize| {
        let own = (dim + shape.len()).checked_sub(rank);
        own.map_or(1, |own| shape[own])
    };
    (0..rank)
        .map(|dim| extent(one, dim).max(extent(other, dim)))
        .collect()
}

/// Returns a shape that broadcasts to this one: some extents are 1, some leading dimensions are
/// missing.
fn part_of(rng: &mut Rng, shape: &[u64]) -> Vec<u64> {
    let mut part = shape.to_vec();
    let end = part.len();
    match rng.below(5) {
        0 => part[end - 1] = 1,
        1 => part[end - 2] = 1,
        2 => part[end - 2..].fill(1),
        3 => part = vec![shape[end - 1]],
        _ => {}
    }
    let matrices = part.len().saturating_sub(2);
    for extent in &mut part[..matrices] {
        if rng.percent(30) {
            *extent = 1;
        }
    }
    if matrices > 0 && rng.percent(50) {
        part.drain(..1 + rng.below(matrices));
    }
    part
}

/// Returns numbers, each followed by `suffix`.
fn joined<T: std::fmt::Display>(numbers: &[T], suffix: &str) -> String {
    let numbers: Vec<String> = numbers.iter().map(|one| format!("{one}{suffix}")).collect();
    numbers.join(", ")
}

/// Returns a function of a random graph, named by its seed.
pub fn graph(seed: u64, elements: Elements) -> String {
    let mut graph = Graph {
        rng: &mut Rng::new(seed),
        elements,
        arguments: Vec::new(),
        values: Vec::new(),
        lines: String::new(),
    };
    let element = match elements {
        Elements::Bf16 => "bf16",
        Elements::F32 => "f32",
        Elements::Both => graph.rng.pick(&["bf16", "f32"]),
    };
    let mut shape = vec![graph.extent(), graph.extent()];
    if graph.rng.percent(25) {
        shape.insert(0, graph.rng.pick(&[1, 2, 3]));
    }
    let first = graph.argument(shape, element);
    graph.values.push(first);
    for _ in 0..1 + graph.rng.below(7) {
        graph.grow();
    }
    if graph.lines.is_empty() {
        let last = graph.last().clone();
        graph.operation("neg", from_ref(&last), last.shape.clone(), last.element);
    }
    graph.text(seed)
}

impl Graph<'_> {
    fn extent(&mut self) -> u64 {
        self.rng.pick(EXTENTS)
    }

    fn last(&self) -> &Value {
        &self.values[self.values.len() - 1]
    }

    /// Returns a new argument.
    fn argument(&mut self, shape: Vec<u64>, element: &'static str) -> Value {
        let name = format!("%a{}", self.arguments.len());
        self.arguments.push(Value {
            name,
            shape,
            element,
        });
        self.arguments[self.arguments.len() - 1].clone()
    }

    /// Appends an operation on the last value.
    fn grow(&mut self) {
        let (name, takes) = self.rng.weighted(OPERATIONS);
        let last = self.last().clone();
        match takes {
            OtherOperands::Nothing => {
                self.operation(name, from_ref(&last), last.shape.clone(), last.element)
            }
            OtherOperands::Another => {
                let other = self.another(&last);
                let shape = broadcast(&last.shape, &other.shape);
                let pair = match self.rng.percent(50) {
                    true => [last.clone(), other],
                    false => [other, last.clone()],
                };
                self.operation(name, &pair, shape, last.element);
            }
            OtherOperands::TwoOthers => {
                let one = self.another(&last);
                let shape = part_of(self.rng, &broadcast(&last.shape, &one.shape));
                let other = self.argument(shape, last.element);
                let shape = broadcast(&broadcast(&last.shape, &one.shape), &other.shape);
                let mut all = [one, last.clone(), other];
                let first = self.rng.below(3);
                all.rotate_left(first);
                self.operation(name, &all, shape, last.element);
            }
            OtherOperands::Factor => {
                let (pair, shape) = self.factors(&last);
                self.operation(name, &pair, shape, last.element);
            }
            OtherOperands::FactorAndBias => {
                let (mut operands, shape) = self.factors(&last);
                let bias = part_of(self.rng, &shape);
                operands.push(self.argument(bias, last.element));
                self.operation(name, &operands, shape, last.element);
            }
            OtherOperands::Cast if self.elements == Elements::Both => {
                let element = if last.element == "f32" { "bf16" } else { "f32" };
                self.operation(name, from_ref(&last), last.shape.clone(), element);
            }
            OtherOperands::Cast => {}
            OtherOperands::Neighbour => self.concatenation(&last),
            OtherOperands::Shape => self.reshape(&last),
            OtherOperands::Order => {
                let mut left: Vec<usize> = (0..last.shape.len()).collect();
                let mut order = Vec::new();
                while !left.is_empty() {
                    order.push(left.swap_remove(self.rng.below(left.len())));
                }
                let shape = order.iter().map(|&dim| last.shape[dim]).collect();
                let attributes = format!(" <{{permutation = array<i64: {}>}}>", joined(&order, ""));
                self.moved(name, &attributes, from_ref(&last), shape);
            }
            OtherOperands::Bounds => self.slice(&last),
            OtherOperands::Padding => self.pad(&last),
            OtherOperands::Dimensions => {
                let mut dims: Vec<usize> = (0..last.shape.len()).collect();
                dims.retain(|_| self.rng.percent(50));
                let attributes = match dims.is_empty() {
                    true => " <{dimensions = array<i64>}>".into(),
                    false => format!(" <{{dimensions = array<i64: {}>}}>", joined(&dims, "")),
                };
                self.moved(name, &attributes, from_ref(&last), last.shape.clone());
            }
            OtherOperands::Repetitions => self.repeat(name, &last),
        }
    }

    /// Appends a slice of a value, in either direction.
    fn slice(&mut self, value: &Value) {
        let [mut begins, mut ends, mut steps] = [const { Vec::new() }; 3];
        let mut shape = Vec::new();
        for &extent in &value.shape {
            let [a, b] = [0; 2].map(|_| self.rng.below(extent as usize) as i64);
            let (begin, end, sign) = match self.rng.percent(30) && a != b {
                true => (a.max(b), a.min(b), -1),
                false => (a.min(b), a.max(b) + 1, 1),
            };
            let step = self.rng.pick(&[1, 1, 1, 2, 3]);
            begins.push(begin);
            ends.push(end);
            steps.push(sign * step);
            shape.push((begin - end).unsigned_abs().div_ceil(step as u64));
        }
        let [begins, ends, steps] = [begins, ends, steps].map(|one| joined(&one, " : i32"));
        let attributes = format!(" <{{begins = [{begins}], ends = [{ends}], step = [{steps}]}}>");
        self.moved("slice_static", &attributes, from_ref(value), shape);
    }

    /// Appends a padding of a value, or a crop at its ends.
    fn pad(&mut self, value: &Value) {
        let mut padding = Vec::new();
        let mut shape = value.shape.clone();
        for extent in &mut shape {
            let least = if *extent > 2 { -1 } else { 0 };
            let [low, high] = [0; 2].map(|_| self.rng.pick(&[least, 0, 0, 1, 5]));
            *extent = extent.saturating_add_signed(low + high);
            padding.extend([low, high]);
        }
        if shape.iter().product::<u64>() > MOST_ELEMENTS {
            return;
        }
        let number = self.rng.pick(&["0.0", "1.0", "-2.5"]);
        let attributes = format!(
            " <{{padding = array<i32: {}>, value = {number} : f32}}>",
            joined(&padding, "")
        );
        self.moved("pad", &attributes, from_ref(value), shape);
    }

    /// Appends a repetition of a value along a dimension, as a whole or element by element.
    fn repeat(&mut self, name: &str, value: &Value) {
        let dim = self.rng.below(value.shape.len());
        let count = self.rng.pick(&[1, 2, 3, 5]);
        let mut shape = value.shape.clone();
        shape[dim] *= count;
        if shape.iter().product::<u64>() > MOST_ELEMENTS {
            return;
        }
        let attributes = match name {
            "repeat" => {
                let mut counts = vec![1; shape.len()];
                counts[dim] = count;
                let counts = joined(&counts, "");
                format!(" <{{repeat_dimensions = array<i64: {counts}>}}>")
            }
            _ => format!(" <{{repeats = {count} : ui32, dim = {dim} : si32}}>"),
        };
        self.moved(name, &attributes, from_ref(value), shape);
    }

    /// Appends a concatenation of a value with an argument before or after it, or with itself.
    fn concatenation(&mut self, value: &Value) {
        let dim = self.rng.below(value.shape.len());
        let mut shape = value.shape.clone();
        shape[dim] = self.extent();
        let other = match self.rng.percent(20) {
            true => value.clone(),
            false => Value {
                shape,
                ..value.clone()
            },
        };
        let mut result = value.shape.clone();
        result[dim] += other.shape[dim];
        if result.iter().product::<u64>() > MOST_ELEMENTS {
            return;
        }
        let other = match other.shape == value.shape {
            true => other,
            false => self.argument(other.shape, other.element),
        };
        let mut both = [value.clone(), other];
        if self.rng.percent(50) {
            both.reverse();
        }
        let attributes = format!(" <{{dim = {dim} : si32}}>");
        self.moved("concat", &attributes, &both, result);
    }

    /// Appends a reshape of a value to other rows and columns, in one matrix or two.
    fn reshape(&mut self, value: &Value) {
        let count: u64 = value.shape.iter().product();
        let matrices = match count % 2 {
            0 if self.rng.percent(30) => 2,
            _ => 1,
        };
        let of_matrix = count / matrices;
        let fits = |rows: &u64| of_matrix % rows == 0 && of_matrix / rows <= MOST_EXTENT;
        let rows: Vec<u64> = (1..=MOST_EXTENT.min(of_matrix)).filter(fits).collect();
        if rows.is_empty() {
            return;
        }
        let rows = self.rng.pick(&rows);
        let mut shape = vec![rows, of_matrix / rows];
        if matrices > 1 {
            shape.insert(0, matrices);
        }
        let attributes = format!(" <{{shape = [{}]}}>", joined(&shape, " : i32"));
        self.moved("reshape", &attributes, from_ref(value), shape);
    }

    /// Returns an earlier value of the same shape, or an argument that broadcasts.
    fn another(&mut self, like: &Value) -> Value {
        let same = |value: &&Value| value.shape == like.shape && value.element == like.element;
        let before: Vec<Value> = self.values.iter().filter(same).cloned().collect();
        if self.rng.percent(30) {
            return before[self.rng.below(before.len())].clone();
        }
        let shape = part_of(self.rng, &like.shape);
        let shape = self.grown(shape, &like.shape);
        self.argument(shape, like.element)
    }

    /// Returns a shape that `other` broadcasts to: larger where that is 1, with more leading
    /// dimensions.
    fn grown(&mut self, mut shape: Vec<u64>, other: &[u64]) -> Vec<u64> {
        let given = shape.clone();
        if self.rng.percent(10) && other.len() < 4 {
            let missing = other.len() - shape.len();
            shape.splice(0..0, vec![1; missing]);
            shape.insert(0, self.rng.pick(&[1, 2, 3]));
        }
        for dim in 0..shape.len() {
            let own = (dim + other.len()).checked_sub(shape.len());
            let is_one = shape[dim] == 1 && own.is_some_and(|own| other[own] == 1);
            if is_one && self.rng.percent(40) {
                shape[dim] = self.extent();
            }
        }
        match broadcast(&shape, other).iter().product::<u64>() {
            0..=MOST_ELEMENTS => shape,
            _ => given,
        }
    }

    /// Returns the factors of a matrix product with a value on either side, and the shape of the
    /// product.
    fn factors(&mut self, value: &Value) -> (Vec<Value>, Vec<u64>) {
        let [rows, columns] = value.matrix();
        let extent = self.extent();
        let (own, is_left) = match self.rng.percent(70) {
            true => ([columns, extent], true),
            false => ([extent, rows], false),
        };
        let mut shape = own.to_vec();
        let mut result = match is_left {
            true => vec![rows, extent],
            false => vec![extent, columns],
        };
        let matrices = &value.shape[..value.shape.len().saturating_sub(2)];
        result.splice(0..0, matrices.iter().copied());
        if self.rng.percent(50) {
            let rng = &mut *self.rng;
            let some = matrices.iter().map(|&extent| match rng.percent(70) {
                true => extent,
                false => 1,
            });
            shape.splice(0..0, some);
        }
        let other = self.argument(shape, value.element);
        match is_left {
            true => (vec![value.clone(), other], result),
            false => (vec![other, value.clone()], result),
        }
    }

    /// Appends an operation on values, whose result becomes the last value.
    fn operation(
        &mut self,
        name: &str,
        operands: &[Value],
        shape: Vec<u64>,
        element: &'static str,
    ) {
        self.with_attributes((name, ""), operands, shape, element);
    }

    /// Appends an operation that moves elements.
    fn moved(&mut self, name: &str, attributes: &str, operands: &[Value], shape: Vec<u64>) {
        let element = operands[0].element;
        self.with_attributes((name, attributes), operands, shape, element);
    }

    fn with_attributes(
        &mut self,
        (name, attributes): (&str, &str),
        operands: &[Value],
        shape: Vec<u64>,
        element: &'static str,
    ) {
        let result = Value {
            name: format!("%{}", self.values.len() - 1),
            shape,
            element,
        };
        let names: Vec<_> = operands.iter().map(|value| value.name.as_str()).collect();
        let types: Vec<_> = operands.iter().map(Value::r#type).collect();
        self.lines += &format!(
            "  {} = \"ttir.{name}\"({}){attributes} : ({}) -> {}\n",
            result.name,
            names.join(", "),
            types.join(", "),
            result.r#type()
        );
        self.values.push(result);
    }

    fn text(&self, seed: u64) -> String {
        let arguments = self.arguments.iter();
        let arguments: Vec<_> = arguments
            .map(|argument| format!("{}: {}", argument.name, argument.r#type()))
            .collect();
        let result = self.last();
        format!(
            "func.func @graph_{seed}({}) -> {} {{\n{}  return {} : {}\n}}\n",
            arguments.join(", "),
            result.r#type(),
            self.lines,
            result.name,
            result.r#type()
        )
    }
}
