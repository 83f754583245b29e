//! The vector library: functions of elements, as items of a vector program.
//!
//! What there is, how good it is and what it does at the edges stands in one table, [`ROWS`]; [`markdown`] prints it. A function takes
//! registers that it does not change, and gives a new one.
//!
//! | file | holds |
//! |---|---|
//! | `arithmetic.rs` | sums, products, signs, extremes, choices |
//! | `compare.rs` | comparisons and logical functions |
//! | `reciprocal.rs`, `root.rs` | reciprocals, quotients, roots |
//! | `exponential.rs`, `logarithm.rs`, `error_function.rs` | what needs polynomials |
//! | `polynomials.rs` | their coefficients, and how far they are off |
//! | `integer.rs` | integers, and floats of them |
//!
//! # Numbers
//! The multiply-add takes denormals for zeros; on Wormhole it has no result below 2^-126 but +0, no -0, and odd NaNs (`SFPMAD.md`). Functions
//! keep NaN, unless the table says otherwise. Tensors of bf16 have none: the matrix unit, which widens them, and the packers, which round results,
//! make infinities of NaN, and +0 of denormals and of -0.
//!
//! Checked by tests: the bounds on the models of both chips against double precision, for every bf16 number, special numbers and many others, with
//! `TESSERA_LONG_TESTS` for very many; that no instruction reads what the one before is still computing; that the page is the table's.
#![doc = include_str!("../../FUNCTIONS.md")]

mod arithmetic;
mod compare;
mod error_function;
mod exponential;
mod integer;
mod logarithm;
mod polynomials;
mod reciprocal;
mod root;

use tessera_ops::{Binary, Unary};
use tessera_pto::bounds::{Bound, TENSIX};
use tessera_pto::kernel::Element;

use crate::code::Code;
use crate::item::Reg;
pub use polynomials::{Polynomial, POLYNOMIALS};

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

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
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
    recipe: fn(&mut Code, &[Reg]) -> Reg,
}

/// A row is known by what it computes, and of what.
impl PartialEq for Row {
    fn eq(&self, other: &Self) -> bool {
        (self.function, self.integer) == (other.function, other.integer)
    }
}

impl Row {
    /// The row of a function of floats, or of integers.
    pub fn of(function: Function, integer: bool) -> Option<&'static Row> {
        let mut rows = ROWS.iter();
        rows.find(|row| row.function == function && row.integer == integer)
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
    pub fn of_zeros(&self) -> f64 {
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
    pub fn append(&self, code: &mut Code, operands: &[Reg]) -> Reg {
        (self.recipe)(code, operands)
    }
}

macro_rules! rows {
    ($($integer:literal { $($function:expr, $arity:literal, $bound:expr, $recipe:path: $edges:literal;)* })*) => {
        /// The table: floats, then integers.
        pub const ROWS: &[Row] = &[$($(Row {
            function: $function,
            integer: $integer,
            arity: $arity,
            bound: $bound,
            edges: $edges,
            recipe: $recipe,
        }),*),*];
    };
}

use Function::{Convert, Round, Select};

const fn one(function: Unary) -> Function {
    Function::Unary(function)
}

const fn two(function: Binary) -> Function {
    Function::Binary(function)
}

const fn bound(function: Unary) -> Bound {
    TENSIX.unary(function)
}

rows! {
    false {
        one(Unary::Neg), 1, bound(Unary::Neg), arithmetic::neg: "All bits but the sign are kept.";
        one(Unary::Abs), 1, bound(Unary::Abs), arithmetic::abs: "All bits but the sign are kept.";
        one(Unary::Relu), 1, bound(Unary::Relu), arithmetic::relu: "+0 for -0 and for NaN with a sign.";
        one(Unary::LogicalNot), 1, bound(Unary::LogicalNot), compare::logical_not: "Denormals are zeros; NaN is none.";
        one(Unary::Exp), 1, bound(Unary::Exp), exponential::exp:
            "inf from 88.7229 on; 0 below -86.99, where results are less than 1.42 · 2^-126.";
        one(Unary::Log), 1, bound(Unary::Log), logarithm::log: "-inf for zeros and denormals, NaN below zero.";
        one(Unary::Sqrt), 1, bound(Unary::Sqrt), root::sqrt: "+0 for zeros and denormals, NaN below zero.";
        one(Unary::Rsqrt), 1, bound(Unary::Rsqrt), root::rsqrt: "inf for zeros and denormals, NaN below zero, +0 for inf.";
        one(Unary::Reciprocal), 1, bound(Unary::Reciprocal), reciprocal::recip:
            "An infinity with the sign of x for zeros and denormals; +0 for infinities, and above 2^126, where results are denormal.";
        one(Unary::Sigmoid), 1, bound(Unary::Sigmoid), exponential::sigmoid: "0 below -87.3, where results are near 2^-126; 1 for inf.";
        one(Unary::Tanh), 1, bound(Unary::Tanh), exponential::tanh: "1 with the sign of x where that is nearest; +0 for zeros.";
        one(Unary::Erf), 1, bound(Unary::Erf), error_function::erf: "1 with the sign of x from 4 on; +0 for zeros.";
        one(Unary::Gelu), 1, bound(Unary::Gelu), error_function::gelu: "0 below -12.8, where results are less than 10^-35, and for -inf.";
        one(Unary::Silu), 1, bound(Unary::Silu), exponential::silu: "0 below -87.3, where results are less than 1.2 · 10^-36; NaN for -inf.";
        two(Binary::Add), 2, TENSIX.binary(Binary::Add), arithmetic::add: "NaN for inf - inf; zeros are +0.";
        two(Binary::Subtract), 2, TENSIX.binary(Binary::Subtract), arithmetic::subtract: "NaN for inf - inf; zeros are +0.";
        two(Binary::Multiply), 2, TENSIX.binary(Binary::Multiply), arithmetic::multiply: "NaN for inf · 0; zeros are +0.";
        two(Binary::Divide), 2, TENSIX.binary(Binary::Divide), reciprocal::divide:
            "Infinities for x / 0, with the sign of both; NaN for 0 / 0 and inf / inf; zeros are +0. Dividends below 2^-124 may count as 0.";
        two(Binary::Prelu), 2, TENSIX.binary(Binary::Prelu), arithmetic::prelu: "The product where the sign of x is set.";
        two(Binary::Max), 2, TENSIX.binary(Binary::Max), arithmetic::max: "Zeros by their signs. NaN is above inf, or with a sign below -inf.";
        two(Binary::Min), 2, TENSIX.binary(Binary::Min), arithmetic::min: "Zeros by their signs. NaN is above inf, or with a sign below -inf.";
        two(Binary::Equal), 2, TENSIX.binary(Binary::Equal), compare::equal: "0 for NaN; denormals are zeros, which are equal.";
        two(Binary::NotEqual), 2, TENSIX.binary(Binary::NotEqual), compare::not_equal: "1 for NaN; denormals are zeros, which are equal.";
        two(Binary::Greater), 2, TENSIX.binary(Binary::Greater), compare::greater: "0 for NaN; denormals are zeros, which are equal.";
        two(Binary::GreaterEqual), 2, TENSIX.binary(Binary::GreaterEqual), compare::greater_equal:
            "0 for NaN; denormals are zeros, which are equal.";
        two(Binary::Less), 2, TENSIX.binary(Binary::Less), compare::less: "0 for NaN; denormals are zeros, which are equal.";
        two(Binary::LessEqual), 2, TENSIX.binary(Binary::LessEqual), compare::less_equal: "0 for NaN; denormals are zeros, which are equal.";
        two(Binary::LogicalAnd), 2, TENSIX.binary(Binary::LogicalAnd), compare::logical_and: "Denormals are zeros; NaN is none.";
        two(Binary::LogicalOr), 2, TENSIX.binary(Binary::LogicalOr), compare::logical_or: "Denormals are zeros; NaN is none.";
        two(Binary::LogicalXor), 2, TENSIX.binary(Binary::LogicalXor), compare::logical_xor: "Denormals are zeros; NaN is none.";
        Select, 3, Bound::Exact, arithmetic::select: "Denormals are zeros; NaN is none. What is chosen keeps its bits.";
        Convert, 1, Bound::Exact, integer::from_float:
            "Beyond the integers that there are, the one nearest; NaN counts as beyond, by its sign.";
        Round, 1, Bound::Exact, arithmetic::round_bf16: "Ties away from zero; an infinity for NaN, +0 for zeros and denormals.";
    }
    true {
        one(Unary::Neg), 1, Bound::Exact, integer::neg: "Wraps.";
        one(Unary::Abs), 1, Bound::Exact, integer::abs: "Wraps.";
        one(Unary::Relu), 1, Bound::Exact, arithmetic::relu: "None.";
        one(Unary::LogicalNot), 1, Bound::Exact, compare::int_logical_not: "None.";
        one(Unary::BitwiseNot), 1, Bound::Exact, integer::not: "None.";
        two(Binary::Add), 2, Bound::Exact, integer::add: "Wraps.";
        two(Binary::Subtract), 2, Bound::Exact, integer::subtract: "Wraps.";
        two(Binary::Multiply), 2, Bound::Exact, integer::multiply: "Wraps.";
        two(Binary::Max), 2, Bound::Exact, integer::max: "None.";
        two(Binary::Min), 2, Bound::Exact, integer::min: "None.";
        two(Binary::Equal), 2, Bound::Exact, compare::int_equal: "None.";
        two(Binary::NotEqual), 2, Bound::Exact, compare::int_not_equal: "None.";
        two(Binary::Greater), 2, Bound::Exact, compare::int_greater: "None.";
        two(Binary::GreaterEqual), 2, Bound::Exact, compare::int_greater_equal: "None.";
        two(Binary::Less), 2, Bound::Exact, compare::int_less: "None.";
        two(Binary::LessEqual), 2, Bound::Exact, compare::int_less_equal: "None.";
        two(Binary::LogicalAnd), 2, Bound::Exact, compare::int_logical_and: "None.";
        two(Binary::LogicalOr), 2, Bound::Exact, compare::int_logical_or: "None.";
        two(Binary::LogicalXor), 2, Bound::Exact, compare::int_logical_xor: "None.";
        two(Binary::BitwiseAnd), 2, Bound::Exact, integer::and: "None.";
        two(Binary::BitwiseOr), 2, Bound::Exact, integer::or: "None.";
        two(Binary::BitwiseXor), 2, Bound::Exact, integer::xor: "None.";
        two(Binary::ShiftLeft), 2, Bound::Exact, integer::shift_left: "0 for amounts that are not from 0 to 31.";
        two(Binary::ShiftRight), 2, Bound::Exact, integer::shift_right: "0 for amounts that are not from 0 to 31.";
        Select, 3, Bound::Exact, arithmetic::int_select: "None.";
        Convert, 1, Bound::Exact, integer::to_float: "Rounded, ties to even.";
    }
}

/// The instructions of a row for 32 elements, its operands' loads and the store of its result among them.
fn instructions(row: &Row) -> usize {
    let mut code = Code::default();
    let operands: Vec<Reg> = (0..row.arity as u32).map(|k| code.load(64 * k)).collect();
    let result = row.append(&mut code, &operands);
    code.store(result, 0);
    code.instructions(1)
        .map_or(0, |instructions| instructions.len())
}

/// The table as Markdown: `FUNCTIONS.md` of this crate.
pub fn markdown() -> String {
    let mut page = String::from(
        "<!-- Generated from src/functions/mod.rs: TESSERA_BLESS=1 cargo test -p tessera-tensix-code. -->\n\n\
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
    for row in ROWS {
        let name = row.name();
        let of = if row.integer { "i32" } else { "floats" };
        let count = instructions(row);
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
