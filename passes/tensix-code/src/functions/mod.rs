//! The vector library: element-wise functions as sequences of virtual instructions.
//!
//! One table, [`all`], lists the functions with their error bounds and edge cases; [`markdown`]
//! prints it. Each file holds the table rows of its functions and their recipes. A recipe leaves
//! its operand registers unchanged and returns a new register.
//!
//! | file | holds |
//! |---|---|
//! | `arithmetic.rs` | sums, products, signs, extremes, choices |
//! | `compare.rs` | comparisons and logical functions |
//! | `reciprocal.rs`, `root.rs` | reciprocals, quotients, roots |
//! | `exponential.rs`, `logarithm.rs` | exponentials and logarithms |
//! | `trigonometric.rs` | trigonometric and hyperbolic functions |
//! | `error_function.rs` | the error function and gelu |
//! | `integer.rs` | integers, and floats of them |
//!
//! The coefficients of polynomials are those of [`tessera_pto::polynomials`].
//!
//! # Numbers
//! The multiply-add treats denormals as zeros. On Wormhole it returns +0 for results below 2^-126,
//! never returns -0, and produces non-standard NaNs (`SFPMAD.md`). Functions propagate NaN unless
//! the table says otherwise. Tensors of bf16 have none: the matrix unit, which widens them, and the
//! packers, which round results, turn NaN into infinities, and denormals and -0 into +0.
//!
//! Checked by tests: the bounds on the models of both chips against double precision, for every
//! bf16 number, special numbers and many others, with `TESSERA_LONG_TESTS` for very many; that no
//! instruction reads what the one before is still computing; that the page is the table's.
#![doc = include_str!("../../../../docs/reference/tensix/functions.md")]

mod arithmetic;
mod compare;
mod error_function;
mod exponential;
mod integer;
mod logarithm;
mod reciprocal;
mod root;
mod trigonometric;

use std::hash::{Hash, Hasher};

use tessera_ops::{Binary, Unary};
use tessera_pto::bounds::{Bound, TENSIX};
use tessera_pto::kernel::Element;

use crate::builder::SfpuBuilder;
use crate::virtual_inst::Reg;

/// A function that the library implements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Function {
    /// A unary function.
    Unary(Unary),
    /// A binary function.
    Binary(Binary),
    /// The second of three where the first is not zero, else the third.
    Select,
    /// Conversion between float and integer, rounded towards zero.
    Convert,
    /// A float rounded to bf16 as packers do.
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
    /// Whether its operands are integers.
    pub integer: bool,
    /// Number of operands.
    pub arity: usize,
    /// Error bound in f32.
    pub bound: Bound,
    /// Edge cases: zeros, infinities, NaN, overflow and underflow.
    pub edges: &'static str,
    recipe: Recipe,
}

/// Appends the instructions of a function of some registers, and returns the result's register.
type Recipe = fn(&mut SfpuBuilder, &[Reg]) -> Reg;

/// Rows are identified by function and element kind.
impl PartialEq for FunctionImpl {
    fn eq(&self, other: &Self) -> bool {
        (self.function, self.integer) == (other.function, other.integer)
    }
}

impl Eq for FunctionImpl {}

impl Hash for FunctionImpl {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.function, self.integer).hash(state);
    }
}

impl FunctionImpl {
    /// Creates a row for a unary function of floats.
    const fn unary(function: Unary, recipe: Recipe, edges: &'static str) -> FunctionImpl {
        FunctionImpl {
            bound: TENSIX.unary(function),
            ..FunctionImpl::exact(Function::Unary(function), recipe, edges)
        }
    }

    /// Creates a row for a binary function of floats.
    const fn binary(function: Binary, recipe: Recipe, edges: &'static str) -> FunctionImpl {
        FunctionImpl {
            bound: TENSIX.binary(function),
            ..FunctionImpl::exact(Function::Binary(function), recipe, edges)
        }
    }

    /// Creates a row for an exact function of floats.
    const fn exact(function: Function, recipe: Recipe, edges: &'static str) -> FunctionImpl {
        FunctionImpl {
            function,
            integer: false,
            arity: function.arity(),
            bound: Bound::Exact,
            edges,
            recipe,
        }
    }

    /// Creates a row for integers.
    const fn integer(function: Function, recipe: Recipe, edges: &'static str) -> FunctionImpl {
        FunctionImpl {
            integer: true,
            ..FunctionImpl::exact(function, recipe, edges)
        }
    }

    /// Finds the implementation of a function for floats or for integers.
    pub fn find(function: Function, integer: bool) -> Option<&'static FunctionImpl> {
        all().find(|row| row.function == function && row.integer == integer)
    }

    /// Returns the function's name.
    pub fn name(&self) -> &'static str {
        match self.function {
            Function::Unary(function) => function.name(),
            Function::Binary(function) => function.name(),
            Function::Select => "where",
            Function::Convert if self.integer => "typecast to f32",
            Function::Convert => "typecast to i32",
            Function::Round => "typecast to bf16",
        }
    }

    /// Returns the result for operands of +0.
    pub fn value_at_zero(&self) -> f64 {
        let element = match self.integer {
            true => Element::I32,
            false => Element::F32,
        };
        match self.function {
            Function::Unary(function) => function.eval(element, 0.0),
            Function::Binary(function) => function.eval(element, 0.0, 0.0),
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
    compare::ROWS,
    reciprocal::ROWS,
    root::ROWS,
    exponential::ROWS,
    logarithm::ROWS,
    trigonometric::ROWS,
    error_function::ROWS,
    integer::ROWS,
];

/// Iterates over the rows of all families.
pub fn all() -> impl Iterator<Item = &'static FunctionImpl> {
    FAMILIES.iter().copied().flatten()
}

/// Returns the number of instructions for 32 elements, including the loads and the store.
fn instruction_count(row: &FunctionImpl) -> usize {
    let mut code = SfpuBuilder::default();
    let operands: Vec<Reg> = (0..row.arity as u32).map(|k| code.load(64 * k)).collect();
    let result = row.emit(&mut code, &operands);
    code.store(result, 0);
    code.instructions(1)
        .map_or(0, |instructions| instructions.len())
}

/// Renders the table as Markdown: `docs/reference/tensix/functions.md`.
pub fn markdown() -> String {
    let mut page = String::from(
        "<!-- Generated from passes/tensix-code/src/functions:\n\
         TESSERA_BLESS=1 cargo test -p tessera-tensix-code. -->\n\n\
         # The vector library of Tensix\n\n\
         The instructions for 32 elements include the loads and the store. Errors are the largest\n\
         distances from exact results, in f32 and rounded to bf16.\n\n\
         The table says what the vector unit computes, and so what tensors of f32 hold.\n\
         Tensors of bf16 hold neither NaN nor -0: where the table says NaN, they have an infinity,\n\
         as the packers round NaN to one (Packers/FormatConversion.md); an operand that is NaN\n\
         counts as the infinity of its sign, and -0 as +0.\n\
         So `sqrt(-1)` is NaN in f32 and inf in bf16.\n\
         Where the matrix unit adds, subtracts or multiplies two tensors of bf16, it takes infinities for\n\
         numbers of 2^128, and what overflows need not become one.\n\n\
         | function | of | instructions | in f32 at most | in bf16 at most | zeros, infinities, NaN, underflow |\n\
         |---|---|---|---|---|---|\n",
    );
    let floats = all().filter(|row| !row.integer);
    for row in floats.chain(all().filter(|row| row.integer)) {
        let name = row.name();
        let of = if row.integer { "i32" } else { "floats" };
        let count = instruction_count(row);
        let rounded = |most: f64| format!("{:.5} ULP", 0.5 + most / 65_536.0);
        let (f32, bf16) = match row.bound {
            Bound::Ulp { most, .. } => (format!("{most} ULP"), rounded(most)),
            Bound::Rounded => ("one rounding".to_owned(), rounded(0.5)),
            Bound::Exact if row.integer => ("0".to_owned(), "-".to_owned()),
            _ => ("0".to_owned(), "one rounding".to_owned()),
        };
        page += &format!(
            "| `{name}` | {of} | {count} | {f32} | {bf16} | {} |\n",
            row.edges
        );
    }
    page
}
