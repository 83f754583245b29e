//! A random program whose operands lie inside the domains of its functions.
//!
//! The generator tracks bounds of each value. It applies logarithms, roots and reciprocals only to
//! positive values, and powers only where they do not overflow. Arguments lie between [`LEAST`] and
//! [`MOST`].

use tessera_test_support::random::Rng;

/// The smallest element of an argument.
pub const LEAST: f64 = 0.5;
/// The largest element of an argument.
pub const MOST: f64 = 2.0;

/// A lower bound that stays positive in spite of rounding errors.
const POSITIVE: f64 = 0.01;
/// Values that may exceed this magnitude are squashed by `tanh`.
const LARGE: f64 = 1e4;
/// The largest operand of a power.
const LARGE_POWER: f64 = 9.0;

const EXTENTS: &[u64] = &[1, 2, 7, 16, 17, 32, 33, 64, 65, 100, 128, 160, 200];

/// The most columns of a reshaped tensor.
const MOST_EXTENT: u64 = 600;

/// Functions of an element.
const UNARY: &[&str] = &[
    "abs",
    "neg",
    "relu",
    "exp",
    "log",
    "sqrt",
    "rsqrt",
    "reciprocal",
    "sigmoid",
    "tanh",
    "gelu",
    "log",
    "rsqrt",
    "reciprocal",
];

/// Functions of two elements.
const BINARY: &[&str] = &[
    "add", "subtract", "multiply", "div", "maximum", "minimum", "multiply", "div",
];

const REDUCTIONS: &[&str] = &["sum", "mean", "max", "min"];

#[derive(Clone, Debug)]
struct Value {
    name: String,
    shape: [u64; 2],
    bounds: [f64; 2],
}

struct Graph {
    rng: Rng,
    element: &'static str,
    arguments: Vec<Value>,
    values: Vec<Value>,
    lines: String,
    names: usize,
}

/// Returns a function of a random graph, named by its seed.
pub fn graph(seed: u64) -> String {
    let mut rng = Rng::new(seed ^ 0x5eed);
    let element = rng.pick(&["bf16", "f32"]);
    let shape = [rng.pick(EXTENTS), rng.pick(EXTENTS)];
    let mut graph = Graph {
        rng,
        element,
        arguments: Vec::new(),
        values: Vec::new(),
        lines: String::new(),
        names: 0,
    };
    let first = graph.argument(shape);
    graph.values.push(first);
    for _ in 0..2 + graph.rng.below(6) {
        graph.grow();
    }
    graph.text(seed)
}

impl Graph {
    fn last(&self) -> Value {
        self.values[self.values.len() - 1].clone()
    }

    /// Returns a new argument.
    fn argument(&mut self, shape: [u64; 2]) -> Value {
        let argument = Value {
            name: format!("%a{}", self.arguments.len()),
            shape,
            bounds: [LEAST, MOST],
        };
        self.arguments.push(argument.clone());
        argument
    }

    fn r#type(&self, [rows, columns]: [u64; 2]) -> String {
        format!("tensor<{rows}x{columns}x{}>", self.element)
    }

    /// Appends an operation on the last value.
    fn grow(&mut self) {
        let last = self.last();
        match self.rng.below(11) {
            10 => self.moved(&last),
            0..=3 => self.unary(&last),
            4..=7 => {
                let other = self.another(last.shape);
                let both = match self.rng.percent(50) {
                    true => [last, other],
                    false => [other, last],
                };
                self.binary(&both);
            }
            8 => {
                let reduced = self.reduced(&last);
                self.binary(&[last, reduced]);
            }
            _ => self.product(&last),
        }
    }

    fn unary(&mut self, value: &Value) {
        let function = self.rng.pick(UNARY);
        let [least, most] = value.bounds;
        let dip = |x: f64| if x >= 0.0 { 0.0 } else { -0.2 };
        let bounds = match function {
            "abs" if least >= 0.0 => [least, most],
            "abs" if most <= 0.0 => [-most, -least],
            "abs" => [0.0, most.max(-least)],
            "neg" => [-most, -least],
            "relu" => [least.max(0.0), most.max(0.0)],
            "exp" if most <= LARGE_POWER => [least.exp(), most.exp()],
            "log" if least >= POSITIVE => [least.ln(), most.ln()],
            "sqrt" if least >= 0.0 => [least.sqrt(), most.sqrt()],
            "rsqrt" if least >= POSITIVE => [most.sqrt().recip(), least.sqrt().recip()],
            "reciprocal" if least >= POSITIVE || most <= -POSITIVE => [most.recip(), least.recip()],
            "sigmoid" => [0.0, 1.0],
            "gelu" => [dip(least), most.max(0.0)],
            _ => return self.squash(value),
        };
        self.operation(function, &[value], "", value.shape, bounds);
    }

    fn squash(&mut self, value: &Value) {
        let bounds = value.bounds.map(f64::tanh);
        self.operation("tanh", &[value], "", value.shape, bounds);
    }

    fn binary(&mut self, both: &[Value; 2]) {
        let function = self.rng.pick(BINARY);
        let [[a, b], [c, d]] = both.each_ref().map(|value| value.bounds);
        let all = |pairs: [f64; 4]| {
            let least = pairs.iter().copied().fold(f64::INFINITY, f64::min);
            [
                least,
                pairs.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            ]
        };
        let (function, bounds) = match function {
            "add" => (function, [a + c, b + d]),
            "subtract" => (function, [a - d, b - c]),
            "div" if c >= POSITIVE || d <= -POSITIVE => {
                (function, all([a / c, a / d, b / c, b / d]))
            }
            "minimum" => (function, [a.min(c), b.min(d)]),
            "multiply" => (function, all([a * c, a * d, b * c, b * d])),
            _ => ("maximum", [a.max(c), b.max(d)]),
        };
        let [rows, columns] = [0, 1].map(|at| both[0].shape[at].max(both[1].shape[at]));
        self.operation(function, &[&both[0], &both[1]], "", [rows, columns], bounds);
    }

    /// Appends a reduction of rows or columns.
    fn reduced(&mut self, value: &Value) -> Value {
        let function = self.rng.pick(REDUCTIONS);
        let along = self.rng.below(2);
        let mut shape = value.shape;
        let count = shape[along] as f64;
        shape[along] = 1;
        let bounds = match function {
            "sum" => value.bounds.map(|bound| bound * count),
            _ => value.bounds,
        };
        let attributes = format!(" <{{dim_arg = [{along} : i32], keep_dim = true}}>");
        self.operation(function, &[value], &attributes, shape, bounds);
        self.values.pop().expect("it was made just now")
    }

    /// Appends a transposition, a reshape or a concatenation with an argument.
    fn moved(&mut self, value: &Value) {
        let [rows, columns] = value.shape;
        let along = self.rng.below(2);
        if self.rng.percent(50) {
            let mut shape = value.shape;
            shape[along] = self.rng.pick(EXTENTS);
            let other = self.argument(shape);
            shape[along] += value.shape[along];
            let bounds = [value.bounds[0].min(LEAST), value.bounds[1].max(MOST)];
            let attributes = format!(" <{{dim = {along} : si32}}>");
            self.operation("concat", &[value, &other], &attributes, shape, bounds);
            return;
        }
        let count = rows * columns;
        let divisors: Vec<u64> = EXTENTS
            .iter()
            .copied()
            .filter(|extent| count % extent == 0 && count / extent <= MOST_EXTENT)
            .collect();
        let rows = match divisors.is_empty() {
            true => columns,
            false => self.rng.pick(&divisors),
        };
        let shape = [rows, count / rows];
        let attributes = format!(" <{{shape = [{rows} : i32, -1 : i32]}}>");
        self.operation("reshape", &[value], &attributes, shape, value.bounds);
    }

    /// Appends a matrix product with an argument.
    fn product(&mut self, value: &Value) {
        let extent = self.rng.pick(EXTENTS);
        let [rows, columns] = value.shape;
        let other = self.argument([columns, extent]);
        let [least, most] = value.bounds;
        let count = columns as f64;
        let sums = [
            (least * LEAST).min(least * MOST),
            (most * LEAST).max(most * MOST),
        ];
        let bounds = sums.map(|bound| bound * count);
        self.operation("matmul", &[value, &other], "", [rows, extent], bounds);
    }

    /// Returns an earlier value of the same shape, or an argument that broadcasts to it.
    fn another(&mut self, shape: [u64; 2]) -> Value {
        let same = |value: &&Value| value.shape == shape;
        let before: Vec<Value> = self.values.iter().filter(same).cloned().collect();
        if self.rng.percent(40) {
            return before[self.rng.below(before.len())].clone();
        }
        let [rows, columns] = shape;
        let shape = self
            .rng
            .pick(&[shape, shape, shape, [1, columns], [rows, 1], [1, 1]]);
        self.argument(shape)
    }

    /// Appends an operation. Its result becomes the last value unless the tensor is too large.
    fn operation(
        &mut self,
        function: &str,
        operands: &[&Value],
        attributes: &str,
        shape: [u64; 2],
        bounds: [f64; 2],
    ) {
        let result = Value {
            name: format!("%{}", self.names),
            shape,
            bounds,
        };
        self.names += 1;
        let names: Vec<_> = operands.iter().map(|value| value.name.as_str()).collect();
        let types: Vec<_> = operands
            .iter()
            .map(|value| self.r#type(value.shape))
            .collect();
        self.lines += &format!(
            "  {} = \"ttir.{function}\"({}){attributes} : ({}) -> {}\n",
            result.name,
            names.join(", "),
            types.join(", "),
            self.r#type(shape)
        );
        let is_large = bounds.iter().any(|bound| bound.abs() > LARGE);
        match is_large {
            true => self.squash(&result),
            false => self.values.push(result),
        }
    }

    fn text(&self, seed: u64) -> String {
        let arguments = self.arguments.iter();
        let arguments: Vec<_> = arguments
            .map(|argument| format!("{}: {}", argument.name, self.r#type(argument.shape)))
            .collect();
        let last = self.last();
        let result = self.r#type(last.shape);
        format!(
            "func.func @determined_{seed}({}) -> {result} {{\n{}  return {} : {result}\n}}\n",
            arguments.join(", "),
            self.lines,
            last.name,
        )
    }
}
