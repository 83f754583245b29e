//! The vector library: element-wise functions as sequences of virtual instructions.
//!
//! One table, [`all`], lists the functions with their error bounds and edge cases; [`markdown`]
//! prints it. Each file holds the table rows of its functions and their recipes. A recipe leaves
//! its operand registers unchanged and returns a new register.
//!
//! | file | holds |
//! |---|---|
//! | `arithmetic.rs` | arithmetic, signs, `floor`, minimum and maximum, selection, rounding |
//! | `compare.rs` | comparisons and logical functions |
//! | `integral.rs` | rounding to integers, remainders of divisions |
//! | `reciprocal.rs`, `root.rs` | reciprocals, quotients, square and cube roots |
//! | `exponential.rs`, `logarithm.rs` | exponentials, powers and logarithms |
//! | `trigonometric.rs` | trigonometric and hyperbolic functions |
//! | `inverse_trigonometric.rs` | inverse trigonometric and hyperbolic functions |
//! | `error_function.rs` | the error function, its complement and GELU |
//! | `bf16` | shorter code for tensors of bf16 |
//! | `integer.rs` | integer functions, conversions between integers and floats |
//!
//! The coefficients of polynomials are those of [`tessera_pto::polynomials`].
//!
//! # Numbers
//! The multiply-add treats denormals as zeros. On Wormhole it returns +0 for results below 2^-126,
//! never returns -0, and produces non-standard NaNs (`SFPMAD.md`). Functions propagate NaN unless
//! the table says otherwise. Tensors of bf16 have none: the matrix unit, which widens them, and the
//! packers, which round results, turn NaN into infinities, and denormals and -0 into +0.
//!
//! # Tests
//! The error bounds are checked against double precision on the models of both chips, for every
//! bf16 number, special values and a sample of others. `TESSERA_LONG_TESTS` enlarges the sample.
//! Other tests check that no instruction reads a result still in the pipeline, and that the
//! generated page matches the table.
#![doc = include_str!("../../../../docs/reference/tensix/functions.md")]

mod arithmetic;
mod bf16;
mod compare;
mod error_function;
mod exponential;
mod integer;
mod integral;
mod inverse_trigonometric;
mod logarithm;
mod reciprocal;
mod root;
mod trigonometric;

use std::hash::{Hash, Hasher};

use tessera_ops::{Binary, Unary};
use tessera_pto::bounds::{Bound, TENSIX, UNITS_OF_BF16};
use tessera_pto::kernel::Element;
use tessera_pto::target::Precision;

use crate::builder::SfpuBuilder;
use crate::vector::{self, VectorNode, VectorProgram};
use crate::virtual_inst::Reg;

/// A function that the library implements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Function {
    /// A unary function.
    Unary(Unary),
    /// A binary function.
    Binary(Binary),
    /// Selects the second of three operands where the first is nonzero, else the third.
    Select,
    /// Conversion between float and integer, rounded towards zero.
    Convert,
    /// Rounds a float to bf16 as the packers do.
    Round,
}

impl Function {
    /// Returns the number of operands.
    const fn arity(self) -> usize {
        match self {
            Function::Unary(_) | Function::Convert | Function::Round => 1,
            Function::Binary(_) => 2,
            Function::Select => 3,
        }
    }
}

/// The implementation of a function: a row of the table.
#[derive(Clone, Copy, Debug)]
pub struct FunctionImpl {
    /// The function.
    pub function: Function,
    /// The element type of its tensors. The code for f32 also serves bf16 if there is no shorter
    /// code for that.
    pub element: Element,
    /// Number of operands.
    pub arity: usize,
    /// Error bound of the result before it is rounded.
    pub bound: Bound,
    /// Edge cases: zeros, infinities, NaN, overflow and underflow. `None` for code for bf16 if they
    /// are those of the code for f32.
    pub edges: Option<&'static str>,
    recipe: Recipe,
}

/// Appends the instructions that compute a function of the operands, and returns the result
/// register.
type Recipe = fn(&mut SfpuBuilder, &[Reg]) -> Reg;

/// Rows are identified by function and element type.
impl PartialEq for FunctionImpl {
    fn eq(&self, other: &Self) -> bool {
        (self.function, self.element) == (other.function, other.element)
    }
}

impl Eq for FunctionImpl {}

impl Hash for FunctionImpl {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.function, self.element).hash(state);
    }
}

impl FunctionImpl {
    /// Creates a row for a unary function of floats.
    const fn unary(function: Unary, recipe: Recipe, edges: &'static str) -> FunctionImpl {
        FunctionImpl {
            bound: TENSIX.unary(function, Precision::F32),
            ..FunctionImpl::exact(Function::Unary(function), recipe, edges)
        }
    }

    /// Creates a row for a unary function of bf16.
    const fn unary_bf16(
        function: Unary,
        recipe: Recipe,
        edges: Option<&'static str>,
    ) -> FunctionImpl {
        FunctionImpl {
            element: Element::Bf16,
            edges,
            bound: TENSIX.unary(function, Precision::Bf16),
            ..FunctionImpl::exact(Function::Unary(function), recipe, "")
        }
    }

    /// Creates a row for a binary function of floats.
    const fn binary(function: Binary, recipe: Recipe, edges: &'static str) -> FunctionImpl {
        FunctionImpl {
            bound: TENSIX.binary(function, Precision::F32),
            ..FunctionImpl::exact(Function::Binary(function), recipe, edges)
        }
    }

    /// Creates a row for a binary function of bf16.
    const fn binary_bf16(
        function: Binary,
        recipe: Recipe,
        edges: Option<&'static str>,
    ) -> FunctionImpl {
        FunctionImpl {
            element: Element::Bf16,
            edges,
            bound: TENSIX.binary(function, Precision::Bf16),
            ..FunctionImpl::exact(Function::Binary(function), recipe, "")
        }
    }

    /// Creates a row for an exact function of floats.
    const fn exact(function: Function, recipe: Recipe, edges: &'static str) -> FunctionImpl {
        FunctionImpl {
            function,
            element: Element::F32,
            arity: function.arity(),
            bound: Bound::Exact,
            edges: Some(edges),
            recipe,
        }
    }

    /// Creates a row for integers.
    const fn integer(function: Function, recipe: Recipe, edges: &'static str) -> FunctionImpl {
        FunctionImpl {
            element: Element::I32,
            ..FunctionImpl::exact(function, recipe, edges)
        }
    }

    /// Finds the implementation of a function of tensors of an element type. The code for f32
    /// serves bf16 where there is no shorter code.
    pub fn find(function: Function, element: Element) -> Option<&'static FunctionImpl> {
        let row =
            |element| all().find(move |row| (row.function, row.element) == (function, element));
        match element {
            Element::Bf16 => row(element).or_else(|| row(Element::F32)),
            Element::F32 | Element::I32 => row(element),
        }
    }

    /// Returns the function's name.
    pub fn name(&self) -> &'static str {
        match self.function {
            Function::Unary(function) => function.name(),
            Function::Binary(function) => function.name(),
            Function::Select => "where",
            Function::Convert if self.element.is_integer() => "typecast to f32",
            Function::Convert => "typecast to i32",
            Function::Round => "typecast to bf16",
        }
    }

    /// Returns the result for operands of +0.
    pub fn value_at_zero(&self) -> f64 {
        match self.function {
            Function::Unary(function) => function.eval(self.element, 0.0),
            Function::Binary(function) => function.eval(self.element, 0.0, 0.0),
            Function::Select | Function::Convert | Function::Round => 0.0,
        }
    }

    /// Appends the instructions that compute the function.
    pub fn emit(&self, code: &mut SfpuBuilder, operands: &[Reg]) -> Reg {
        (self.recipe)(code, operands)
    }
}

/// The tables of all families of functions.
const FAMILIES: &[&[FunctionImpl]] = &[
    arithmetic::ROWS,
    integral::ROWS,
    compare::ROWS,
    reciprocal::ROWS,
    root::ROWS,
    exponential::ROWS,
    logarithm::ROWS,
    trigonometric::ROWS,
    inverse_trigonometric::ROWS,
    error_function::ROWS,
    integer::ROWS,
];

/// Iterates over the rows of all families.
pub fn all() -> impl Iterator<Item = &'static FunctionImpl> {
    FAMILIES.iter().chain(&bf16::FAMILIES).copied().flatten()
}

/// Returns the number of instructions for 32 elements, including the loads and the store.
fn instruction_count(row: &'static FunctionImpl) -> f64 {
    let mut nodes: Vec<VectorNode> = (0..row.arity as u32).map(VectorNode::Dst).collect();
    nodes.push(VectorNode::Computed {
        function: row,
        operands: (0..row.arity).collect(),
    });
    let program = VectorProgram {
        nodes,
        results: vec![(row.arity, 0)],
    };
    vector::compile(&program, [0; 2]).map_or(0.0, |code| code.length_per_vector())
}

/// Renders the table as Markdown: `docs/reference/tensix/functions.md`.
pub fn markdown() -> String {
    let mut page = String::from(
        "<!-- Generated from passes/tensix-code/src/functions:\n\
         TESSERA_BLESS=1 cargo test -p tessera-tensix-code. -->\n\n\
         # The vector library of Tensix\n\n\
         The instruction counts are for 32 elements and include the loads and the store. They are\n\
         those of a loop whose constants were loaded before; an iteration may compute 64 elements.\n\
         The error is the largest distance from the exact result, in f32 and after rounding to\n\
         bf16. Functions with two counts have shorter code for tensors of bf16.\n\n\
         The edge cases describe the results of the vector unit, and so those of f32 tensors.\n\
         Tensors of bf16 hold neither NaN nor -0: the packers round NaN to an infinity\n\
         (Packers/FormatConversion.md). So where the table says NaN, a bf16 tensor has an infinity.\n\
         A NaN operand counts as the infinity of its sign, and -0 as +0.\n\
         For example, `sqrt(-1)` is NaN in f32 and inf in bf16.\n\
         If the matrix unit adds, subtracts or multiplies two tensors of bf16, it treats infinities\n\
         as numbers of magnitude 2^128, and a result that overflows need not become infinite.\n\n\
         | function | operands | instructions | for bf16 | f32 error at most | bf16 error at most | edge cases |\n\
         |---|---|---|---|---|---|---|\n",
    );
    for element in [Element::F32, Element::I32] {
        for row in all().filter(|row| row.element == element) {
            page += &markdown_row(row);
        }
    }
    page
}

/// Renders a row, with the code for bf16 if it differs.
fn markdown_row(row: &'static FunctionImpl) -> String {
    let narrow = all().find(|other| {
        (other.function, other.element) == (row.function, Element::Bf16)
            && row.element == Element::F32
    });
    let name = row.name();
    let is_integer = row.element.is_integer();
    let operands = if is_integer { "i32" } else { "floats" };
    let count = instruction_count(row);
    let short = narrow.map_or(String::new(), |row| instruction_count(row).to_string());
    let f32 = match row.bound {
        Bound::Ulp { most, .. } => format!("{most} ULP"),
        Bound::Rounded => "one rounding".to_owned(),
        _ => "0".to_owned(),
    };
    let bf16 = match narrow.unwrap_or(row).bound {
        Bound::Ulp { most, .. } => format!("{:.5} ULP", 0.5 + most / UNITS_OF_BF16),
        Bound::Rounded => format!("{:.5} ULP", 0.5 + 0.5 / UNITS_OF_BF16),
        _ if is_integer => "-".to_owned(),
        _ => "one rounding".to_owned(),
    };
    let mut edges = row.edges.unwrap_or_default().to_owned();
    if let Some(narrow) = narrow.and_then(|narrow| narrow.edges) {
        edges += &format!(" For bf16: {narrow}");
    }
    format!("| `{name}` | {operands} | {count} | {short} | {f32} | {bf16} | {edges} |\n")
}
