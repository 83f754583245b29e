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

/// Appends the instructions that compute a function of the operands, and returns the result
/// register.
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
         The instruction count is for 32 elements and includes the loads and the store. The error\n\
         is the largest distance from the exact result, in f32 and after rounding to bf16.\n\n\
         The edge cases describe the results of the vector unit, and so those of f32 tensors.\n\
         Tensors of bf16 hold neither NaN nor -0: the packers round NaN to an infinity\n\
         (Packers/FormatConversion.md). So where the table says NaN, a bf16 tensor has an infinity.\n\
         A NaN operand counts as the infinity of its sign, and -0 as +0.\n\
         For example, `sqrt(-1)` is NaN in f32 and inf in bf16.\n\
         If the matrix unit adds, subtracts or multiplies two tensors of bf16, it treats infinities\n\
         as numbers of magnitude 2^128, and a result that overflows need not become infinite.\n\n\
         | function | operands | instructions | f32 error at most | bf16 error at most | edge cases |\n\
         |---|---|---|---|---|---|\n",
    );
    let floats = all().filter(|row| !row.integer);
    for row in floats.chain(all().filter(|row| row.integer)) {
        let name = row.name();
        let operands = if row.integer { "i32" } else { "floats" };
        let count = instruction_count(row);
        let rounded = |most: f64| format!("{:.5} ULP", 0.5 + most / 65_536.0);
        let (f32, bf16) = match row.bound {
            Bound::Ulp { most, .. } => (format!("{most} ULP"), rounded(most)),
            Bound::Rounded => ("one rounding".to_owned(), rounded(0.5)),
            Bound::Exact if row.integer => ("0".to_owned(), "-".to_owned()),
            _ => ("0".to_owned(), "one rounding".to_owned()),
        };
        page += &format!(
            "| `{name}` | {operands} | {count} | {f32} | {bf16} | {} |\n",
            row.edges
        );
    }
    page
}
