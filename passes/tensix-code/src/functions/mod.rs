//! The vector library: functions of elements, as items of a vector program.
//!
//! What there is, how good it is and what it does at the edges stands in one table, [`rows`];
//! [`markdown`] prints it. Each file holds the rows of its functions above their recipes. A recipe
//! takes registers that it does not change, and gives a new one.
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
//! The multiply-add takes denormals for zeros; on Wormhole it has no result below 2^-126 but +0, no
//! -0, and odd NaNs (`SFPMAD.md`). Functions keep NaN, unless the table says otherwise. Tensors of
//! bf16 have none: the matrix unit, which widens them, and the packers, which round results, make
//! infinities of NaN, and +0 of denormals and of -0.
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

/// What a row computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Function {
    /// A function of an element.
    Unary(Unary),
    /// A function of two.
    Binary(Binary),
    /// The second of three where the first is not zero, else the third.
    Select,
    /// An element of the other kind, float or integer, as near as there is, towards zero.
    Convert,
    /// A float rounded to bf16 as packers do.
    Round,
}

impl Function {
    /// How many operands it takes.
    const fn arity(self) -> usize {
        match self {
            Function::Unary(_) | Function::Convert | Function::Round => 1,
            Function::Binary(_) => 2,
            Function::Select => 3,
        }
    }
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct FunctionImpl {
    /// What it computes.
    pub function: Function,
    /// Whether its operands are integers.
    pub integer: bool,
    /// How many operands it takes.
    pub arity: usize,
    /// How good it is in f32.
    pub bound: Bound,
    /// What it does at zeros, infinities, NaN, and where results are too small or too large.
    pub edges: &'static str,
    recipe: Recipe,
}

/// Appends the items of a function of some registers.
type Recipe = fn(&mut SfpuBuilder, &[Reg]) -> Reg;

/// A row is known by what it computes, and of what.
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
    /// A row for floats, of a function of one element.
    const fn unary(function: Unary, recipe: Recipe, edges: &'static str) -> FunctionImpl {
        FunctionImpl {
            bound: TENSIX.unary(function),
            ..FunctionImpl::exact(Function::Unary(function), recipe, edges)
        }
    }

    /// A row for floats, of a function of two elements.
    const fn binary(function: Binary, recipe: Recipe, edges: &'static str) -> FunctionImpl {
        FunctionImpl {
            bound: TENSIX.binary(function),
            ..FunctionImpl::exact(Function::Binary(function), recipe, edges)
        }
    }

    /// A row for floats, of a function that is exact.
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

    /// A row for integers.
    const fn integer(function: Function, recipe: Recipe, edges: &'static str) -> FunctionImpl {
        FunctionImpl {
            integer: true,
            ..FunctionImpl::exact(function, recipe, edges)
        }
    }

    /// The row of a function of floats, or of integers.
    pub fn find(function: Function, integer: bool) -> Option<&'static FunctionImpl> {
        all().find(|row| row.function == function && row.integer == integer)
    }

    /// Its name.
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

    /// What it gives if all its operands are +0.
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

    /// Appends what computes it.
    pub fn emit(&self, code: &mut SfpuBuilder, operands: &[Reg]) -> Reg {
        (self.recipe)(code, operands)
    }
}

/// The tables of the families of functions.
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

/// The table: the rows of all families.
pub fn all() -> impl Iterator<Item = &'static FunctionImpl> {
    FAMILIES.iter().copied().flatten()
}

/// The instructions of a row for 32 elements, its operands' loads and the store of its result among
/// them.
fn instruction_count(row: &FunctionImpl) -> usize {
    let mut code = SfpuBuilder::default();
    let operands: Vec<Reg> = (0..row.arity as u32).map(|k| code.load(64 * k)).collect();
    let result = row.emit(&mut code, &operands);
    code.store(result, 0);
    code.instructions(1)
        .map_or(0, |instructions| instructions.len())
}

/// The table as Markdown: `docs/reference/tensix/functions.md`.
pub fn markdown() -> String {
    let mut page = String::from(
        "<!-- Generated from passes/tensix-code/src/functions: TESSERA_BLESS=1 cargo test -p tessera-tensix-code. -->\n\n\
         # The vector library of Tensix\n\n\
         Instructions for 32 elements, loads and store among them; and how far results may be from the exact ones, in f32, and rounded to bf16.\n\n\
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
