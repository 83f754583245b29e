//! The vector library: element-wise functions as items of a loop body.
//!
//! A function takes operands of four long words, with two single-precision numbers or integers
//! each, and appends the items that compute it ([`Function::append`]). One table, [`rows`], has the
//! cost and the accuracy of each; [`markdown`] prints it.
//!
//! | file | holds |
//! |---|---|
//! | `recipe.rs` | a builder of items, one operation per line |
//! | `arithmetic.rs` | sums, products, signs, maxima and minima |
//! | `integral.rs` | rounding to integers, remainders of divisions |
//! | `compare.rs` | comparisons and selection |
//! | `reciprocal.rs`, `root.rs` | reciprocals, quotients, roots |
//! | `exponential.rs`, `logarithm.rs` | exponentials and logarithms |
//! | `trigonometric.rs` | trigonometric and hyperbolic functions |
//! | `inverse_trigonometric.rs` | inverse trigonometric and hyperbolic functions |
//! | `error_function.rs` | the error function, its complement and gelu |
//! | `bf16` | shorter code for tensors of bf16 |
//! | `cast.rs`, `integer.rs` | conversions and integer functions |
//! | `reduce.rs` | reductions along words, PEs and cycles of a MAB |
//!
//! # Numbers
//! MN-Core 2 has no NaN and no subnormal numbers (developer manual, sections 1.3 and 4.1). Words
//! with an exponent of 0 are zeros; those whose exponent is all ones are infinities. The MAU
//! flushes results below 2^-126 to +0. The manual leaves `inf - inf` and `inf · 0` undetermined,
//! and for the ALU the conversion of large negative numbers. The functions clamp their operands
//! before that, except [`Function::Add`], [`Function::Sub`], [`Function::Mul`], [`Function::Fma`]
//! and the sums, which are operations of the MAU itself.
//!
//! No function uses the ALU's `rsqrt`, whose bits the manual does not specify. Results are
//! therefore the same on every machine that conforms to the manual.
//!
//! # Costs
//! Each item takes one step of the MAU or the ALU. Consecutive steps forward their results, so a
//! chain of operations takes one step each. An item that reads two constants and a value, or three
//! values, takes one of them from the item just before it: a register file has only one read port,
//! and forwarding avoids it.
//!
//! Checked by tests: the costs of all rows; the error bounds, on the emulator against double
//! precision, for special values and many others; that no result depends on what the manual leaves
//! undetermined. With `TESSERA_LONG_TESTS` set, they cover all 2^32 words or a sixteenth of them.
//!
#![doc = include_str!("../../../../docs/reference/mncore/functions.md")]

mod arithmetic;
mod bf16;
mod cast;
mod compare;
mod error_function;
mod exponential;
mod integer;
mod integral;
mod inverse_trigonometric;
mod logarithm;
mod recipe;
mod reciprocal;
mod reduce;
mod root;
mod trigonometric;

use tessera_ops::{Binary, Unary};
use tessera_pto::bounds::{MNCORE, UNITS_OF_BF16};
use tessera_pto::target::Precision;
use thiserror::Error;

use recipe::ItemBuilder;
use tessera_mncore_ir::body::Body;
use tessera_mncore_ir::item::{Operand, Value};
pub use tessera_pto::bounds::Bound;

/// A row of the table of functions.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The function.
    pub function: Function,
    /// Its name.
    pub name: &'static str,
    /// The number of operands.
    pub arity: usize,
    /// Steps of the MAU.
    pub mau: usize,
    /// Steps of the ALU.
    pub alu: usize,
    /// The error bound.
    pub bound: Bound,
    /// What it computes, in one line.
    pub doc: &'static str,
    /// Its behaviour at zeros, infinities, underflow and overflow. `None` for code for bf16 if it
    /// is that of the code for f32.
    pub edges: Option<&'static str>,
    /// Whether only the MAU reads its operands, which may then be negated.
    negatable: bool,
    build: BuildFn,
}

/// Appends the items of a function to a body.
type BuildFn = fn(&mut ItemBuilder, &[Operand]) -> Vec<Value>;

/// Why a function cannot be appended.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FunctionError {
    /// The number of operands is wrong.
    #[error("{function} takes {takes} operands, not {given}")]
    Arity {
        /// The number of operands it takes.
        function: &'static str,
        /// The number of operands it takes.
        takes: usize,
        /// The number of operands given.
        given: usize,
    },
    /// An operand is converted, or negated although the ALU reads it.
    #[error("operand {operand} of {function} is negated or converted on the way, which its operations do not do; make a value of it first")]
    Modified {
        /// The function.
        function: &'static str,
        /// The operand's index.
        operand: usize,
    },
    /// The slope of a leaky ReLU is not a finite nonzero constant.
    #[error("the slope of leaky_relu must be a finite constant other than 0; with a slope of 0 it is relu")]
    Slope,
    /// The operand of a reduction along cycles is not a place in memory.
    #[error("{function} reads the words of one step apart: put its operand into four consecutive long words of a memory first")]
    NoPlace {
        /// The function.
        function: &'static str,
    },
}

macro_rules! functions {
    ($($Function:ident $name:literal $arity:literal ($mau:literal, $alu:literal) $bound:expr, $negatable:literal, $recipe:path:
        $doc:literal $edges:literal;)*) => {
        /// A function of each element.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Function {
            $(#[doc = $doc] $Function,)*
            /// A function of one element that has a recipe of its own.
            Unary(Unary),
            /// A function of two elements that has a recipe of its own.
            Binary(Binary),
            /// A function of one element of bf16 with shorter code.
            UnaryBf16(Unary),
            /// A function of two elements of bf16 with shorter code.
            BinaryBf16(Binary),
        }

        /// The rows of the machine's own operations and of short sequences of them.
        const OPERATIONS: &[Row] = &[$(Row {
            function: Function::$Function,
            name: $name,
            arity: $arity,
            mau: $mau,
            alu: $alu,
            bound: $bound,
            doc: $doc,
            edges: Some($edges),
            negatable: $negatable,
            build: $recipe,
        }),*];
    };
}

use Bound::{Exact, Rounded};

functions! {
    Add "add" 2 (1, 0) Rounded, true, arithmetic::add: "x + y."
        "inf - inf is open: keep one of them finite (max, min).";
    Sub "sub" 2 (1, 0) Rounded, true, arithmetic::sub: "x - y."
        "inf - inf is open: keep one of them finite (max, min).";
    Mul "mul" 2 (1, 0) Rounded, true, arithmetic::mul: "x · y, but for the products of the lowest 5 bits (manual, section 4.3)."
        "inf · 0 is open.";
    Fma "fma" 3 (1, 0) Rounded, true, arithmetic::fma: "x · y + z, rounded once, but for the products of the lowest 5 bits."
        "inf · 0 and inf - inf are open.";
    Neg "neg" 1 (0, 1) Exact, false, arithmetic::neg: "-x: the sign is inverted."
        "-0 for +0.";
    Abs "abs" 1 (0, 1) Exact, false, arithmetic::abs: "|x|: the sign is cleared."
        "None.";
    Max "max" 2 (0, 1) Exact, false, arithmetic::max: "The greater of x and y, with all its bits."
        "Of two zeros the first. Two -inf with different mantissas, which only come from outside, are open.";
    Min "min" 2 (0, 1) Exact, false, arithmetic::min: "The lesser of x and y, with all its bits."
        "Of two zeros the first. Two -inf with different mantissas, which only come from outside, are open.";
    Relu "relu" 1 (0, 1) Exact, false, arithmetic::relu: "x where it is not negative, else -0."
        "-0 for negative x, -inf and -0.";
    LeakyRelu "leaky_relu" 2 (1, 1) Rounded, false, arithmetic::leaky_relu: "x where it is positive, else x times the slope y, a constant."
        "Where the product underflows, 0.";
    Lt "lt" 2 (0, 3) Exact, false, compare::lt: "1 where x < y, else 0."
        "Zeros are equal. Infinities are ordered by their mantissas.";
    Le "le" 2 (0, 3) Exact, false, compare::le: "1 where x <= y, else 0."
        "As lt.";
    Gt "gt" 2 (0, 3) Exact, false, compare::gt: "1 where x > y, else 0."
        "As lt.";
    Ge "ge" 2 (0, 3) Exact, false, compare::ge: "1 where x >= y, else 0."
        "As lt.";
    Eq "eq" 2 (0, 4) Exact, false, compare::eq: "1 where x = y, else 0."
        "As lt.";
    Ne "ne" 2 (0, 4) Exact, false, compare::ne: "1 where x and y differ, else 0."
        "As lt.";
    Where "where" 3 (0, 3) Exact, false, compare::select: "y where x is not 0, else z."
        "Words with an exponent of 0 are zeros.";
    FromBf16 "from_bf16" 1 (0, 2) Exact, false, cast::from_bf16: "Two bf16 in a word as two numbers: the upper, then the lower."
        "None.";
    ToBf16 "to_bf16" 2 (2, 11) Exact, false, cast::to_bf16: "x in the upper and y in the lower half of a word, rounded to bf16, ties to even."
        "From 2^128 - 2^119 on ±inf; zeros are +0.";
    RoundBf16 "round_bf16" 1 (1, 5) Exact, false, cast::round_bf16: "x rounded to bf16, ties to even, as a number."
        "From 2^128 - 2^119 on ±inf; zeros are +0.";
    FromHalf "from_half" 1 (1, 0) Exact, true, cast::from_half: "Four halves of a long word as four numbers in two long words."
        "Zeros are +0, infinities have no mantissa.";
    ToHalf "to_half" 1 (1, 0) Exact, false, cast::to_half: "Four numbers in two long words as four halves in one, rounded, ties to even."
        "Below 2^-30 +0, from the largest half on ±inf.";
    ToInt "to_int" 1 (0, 2) Exact, false, cast::to_int: "x as an integer, towards zero."
        "Clamped to the integers there are; ±inf are the largest and the least.";
    FromInt "from_int" 1 (2, 4) Exact, false, cast::from_int: "An integer as a number, rounded, ties to even."
        "None.";
    IntAdd "int_add" 2 (0, 1) Exact, false, integer::add: "x + y modulo 2^32."
        "None.";
    IntSub "int_sub" 2 (0, 1) Exact, false, integer::sub: "x - y modulo 2^32."
        "None.";
    IntMul "int_mul" 2 (12, 21) Exact, false, integer::mul: "x · y modulo 2^32."
        "None.";
    IntAnd "int_and" 2 (0, 1) Exact, false, integer::and: "Bitwise and."
        "None.";
    IntOr "int_or" 2 (0, 1) Exact, false, integer::or: "Bitwise or."
        "None.";
    IntXor "int_xor" 2 (0, 1) Exact, false, integer::xor: "Bitwise exclusive or."
        "None.";
    IntNot "int_not" 1 (0, 1) Exact, false, integer::not: "Bitwise not."
        "None.";
    IntShiftLeft "int_shift_left" 2 (0, 1) Exact, false, integer::shift_left: "x shifted left by y modulo 64."
        "0 from 32 on.";
    IntShiftRight "int_shift_right" 2 (0, 1) Exact, false, integer::shift_right: "x shifted right by y modulo 64, with its sign."
        "0 or -1 from 32 on.";
    IntShiftRightUnsigned "int_shift_right_unsigned" 2 (0, 1) Exact, false, integer::shift_right_unsigned:
        "x shifted right by y modulo 64."
        "0 from 32 on.";
    IntDiv "int_div" 2 (38, 81) Exact, false, integer::div:
        "x / y, rounded towards zero."
        "-1 for x / 0; the least integer divided by -1 is itself.";
    IntRem "int_rem" 2 (38, 81) Exact, false, integer::rem:
        "The remainder of x / y with the sign of x."
        "x for x / 0; 0 for the least integer divided by -1.";
    IntMax "int_max" 2 (0, 1) Exact, false, integer::max: "The greater of two signed integers."
        "None.";
    IntMin "int_min" 2 (0, 1) Exact, false, integer::min: "The lesser of two signed integers."
        "None.";
    IntLt "int_lt" 2 (0, 3) Exact, false, compare::int_lt: "1 where x < y, signed, else 0: an integer."
        "None.";
    IntLe "int_le" 2 (0, 3) Exact, false, compare::int_le: "1 where x <= y, signed, else 0: an integer."
        "None.";
    IntGt "int_gt" 2 (0, 3) Exact, false, compare::int_gt: "1 where x > y, signed, else 0: an integer."
        "None.";
    IntGe "int_ge" 2 (0, 3) Exact, false, compare::int_ge: "1 where x >= y, signed, else 0: an integer."
        "None.";
    IntEq "int_eq" 2 (0, 3) Exact, false, compare::int_eq: "1 where x = y, else 0: an integer."
        "None.";
    IntNe "int_ne" 2 (0, 3) Exact, false, compare::int_ne: "1 where x and y differ, else 0: an integer."
        "None.";
    IntWhere "int_where" 3 (0, 3) Exact, false, compare::int_select: "y where the integer x is not 0, else z."
        "None.";
    SumWords "sum_words" 1 (1, 1) Rounded, false, reduce::sum_words: "The sum of the words of each long word, in both."
        "As add.";
    MaxWords "max_words" 1 (0, 2) Exact, false, reduce::max_words: "The greatest word of each long word, in both."
        "As max.";
    MinWords "min_words" 1 (0, 2) Exact, false, reduce::min_words: "The least word of each long word, in both."
        "As min.";
    IntSumWords "int_sum_words" 1 (0, 2) Exact, false, reduce::int_sum_words: "The sum of the integers of each long word, in both."
        "None.";
    IntMaxWords "int_max_words" 1 (0, 2) Exact, false, reduce::int_max_words: "The greatest of the signed integers of each long word, in both."
        "None.";
    IntMinWords "int_min_words" 1 (0, 2) Exact, false, reduce::int_min_words: "The least of the signed integers of each long word, in both."
        "None.";
    SumPes "sum_pes" 1 (2, 3) Rounded, false, reduce::sum_pes: "The sum over the PEs of a MAB, in each: (x + the opposite PE's) + the neighbours'."
        "As add.";
    MaxPes "max_pes" 1 (0, 5) Exact, false, reduce::max_pes: "The maximum over the PEs of a MAB, in each."
        "As max.";
    MinPes "min_pes" 1 (0, 5) Exact, false, reduce::min_pes: "The minimum over the PEs of a MAB, in each."
        "As min.";
    IntSumPes "int_sum_pes" 1 (0, 5) Exact, false, reduce::int_sum_pes: "The sum of the integers of the PEs of a MAB, in each."
        "None.";
    IntMaxPes "int_max_pes" 1 (0, 5) Exact, false, reduce::int_max_pes: "The greatest of the signed integers of the PEs of a MAB, in each."
        "None.";
    IntMinPes "int_min_pes" 1 (0, 5) Exact, false, reduce::int_min_pes: "The least of the signed integers of the PEs of a MAB, in each."
        "None.";
    SumCycles "sum_cycles" 1 (3, 1) Rounded, false, reduce::sum_cycles: "The sum of the long words of a place, in each cycle, from the first to the last."
        "As add.";
    MaxCycles "max_cycles" 1 (0, 4) Exact, false, reduce::max_cycles: "The maximum of the long words of a place, in each cycle."
        "As max.";
    MinCycles "min_cycles" 1 (0, 4) Exact, false, reduce::min_cycles: "The minimum of the long words of a place, in each cycle."
        "As min.";
    IntSumCycles "int_sum_cycles" 1 (0, 4) Exact, false, reduce::int_sum_cycles: "The sum of the integers in the long words of a place, in each cycle."
        "None.";
    IntMaxCycles "int_max_cycles" 1 (0, 4) Exact, false, reduce::int_max_cycles: "The greatest of the signed integers in the long words of a place, in each cycle."
        "None.";
    IntMinCycles "int_min_cycles" 1 (0, 4) Exact, false, reduce::int_min_cycles: "The least of the signed integers in the long words of a place, in each cycle."
        "None.";
}

/// The tables of all families of functions.
const FAMILIES: &[&[Row]] = &[
    OPERATIONS,
    integral::ROWS,
    compare::ROWS,
    reciprocal::ROWS,
    root::ROWS,
    exponential::ROWS,
    logarithm::ROWS,
    trigonometric::ROWS,
    inverse_trigonometric::ROWS,
    error_function::ROWS,
];

/// Returns the rows of all families.
pub fn rows() -> impl Iterator<Item = &'static Row> {
    FAMILIES.iter().chain(&bf16::FAMILIES).copied().flatten()
}

impl Row {
    /// Returns the row of a unary function with its steps of the MAU and the ALU.
    const fn unary(
        function: Unary,
        [mau, alu]: [usize; 2],
        recipe: BuildFn,
        doc: &'static str,
        edges: &'static str,
    ) -> Row {
        Row {
            function: Function::Unary(function),
            name: function.name(),
            arity: 1,
            mau,
            alu,
            bound: MNCORE.unary(function, Precision::F32),
            doc,
            edges: Some(edges),
            negatable: false,
            build: recipe,
        }
    }

    /// Returns the row of a unary function of bf16.
    const fn unary_bf16(
        function: Unary,
        steps: [usize; 2],
        recipe: BuildFn,
        edges: Option<&'static str>,
    ) -> Row {
        Row {
            function: Function::UnaryBf16(function),
            edges,
            bound: MNCORE.unary(function, Precision::Bf16),
            ..Row::unary(function, steps, recipe, "", "")
        }
    }

    /// Returns the row of a binary function of bf16.
    const fn binary_bf16(
        function: Binary,
        steps: [usize; 2],
        recipe: BuildFn,
        edges: Option<&'static str>,
    ) -> Row {
        Row {
            function: Function::BinaryBf16(function),
            edges,
            bound: MNCORE.binary(function, Precision::Bf16),
            ..Row::binary(function, steps, recipe, "", "")
        }
    }

    /// Returns the row of a binary function.
    const fn binary(
        function: Binary,
        steps: [usize; 2],
        recipe: BuildFn,
        doc: &'static str,
        edges: &'static str,
    ) -> Row {
        Row {
            function: Function::Binary(function),
            name: function.name(),
            arity: 2,
            bound: MNCORE.binary(function, Precision::F32),
            ..Row::unary(Unary::Reciprocal, steps, recipe, doc, edges)
        }
    }
}

impl Function {
    /// Returns a function of one element, with the code for a precision. The code for f32 serves
    /// bf16 where there is no shorter code.
    pub fn unary(function: Unary, precision: Precision) -> Self {
        match (precision, Function::UnaryBf16(function)) {
            (Precision::Bf16, short) if short.has_row() => short,
            _ => Function::Unary(function),
        }
    }

    /// Returns a function of two elements, with the code for a precision.
    pub fn binary(function: Binary, precision: Precision) -> Self {
        match (precision, Function::BinaryBf16(function)) {
            (Precision::Bf16, short) if short.has_row() => short,
            _ => Function::Binary(function),
        }
    }

    /// Returns whether it is code for tensors of bf16.
    pub fn is_bf16(self) -> bool {
        matches!(self, Function::UnaryBf16(_) | Function::BinaryBf16(_))
    }

    fn has_row(self) -> bool {
        rows().any(|row| row.function == self)
    }

    /// Returns its row.
    ///
    /// # Panics
    /// If it is a function of the operation table without an implementation of its own.
    pub fn row(self) -> &'static Row {
        let row = rows().find(|row| row.function == self);
        row.unwrap_or_else(|| panic!("{self:?} has a row"))
    }

    /// Returns whether it combines the words of different cycles; its operand must be four long
    /// words of a memory.
    pub fn is_along_cycles(self) -> bool {
        use Function::{IntMaxCycles, IntMinCycles, IntSumCycles, MaxCycles, MinCycles, SumCycles};
        matches!(
            self,
            SumCycles | MaxCycles | MinCycles | IntSumCycles | IntMaxCycles | IntMinCycles
        )
    }

    /// Appends the items that compute the function to a body.
    ///
    /// # Errors
    /// See [`FunctionError`]; then nothing is appended.
    pub fn append(
        self,
        body: &mut Body,
        operands: &[Operand],
    ) -> Result<Vec<Value>, FunctionError> {
        let row = self.row();
        let function = row.name;
        if operands.len() != row.arity {
            return Err(FunctionError::Arity {
                function,
                takes: row.arity,
                given: operands.len(),
            });
        }
        let modified = |operand: &Operand| !row.negatable && !recipe::is_plain(operand);
        if let Some(operand) = operands.iter().position(modified) {
            return Err(FunctionError::Modified { function, operand });
        }
        match self {
            Function::LeakyRelu if arithmetic::slope(&operands[1]).is_none() => {
                return Err(FunctionError::Slope)
            }
            _ if self.is_along_cycles() && reduce::four_words(&operands[0]).is_none() => {
                return Err(FunctionError::NoPlace { function })
            }
            _ => {}
        }
        Ok((row.build)(&mut ItemBuilder::new(body), operands))
    }
}

/// Emits the conversion of the upper and the lower bf16 of each word to numbers.
pub(crate) fn from_bf16(body: &mut Body, x: impl Into<Operand>) -> Vec<Value> {
    cast::from_bf16(&mut ItemBuilder::new(body), &[x.into()])
}

/// Emits the packing of two numbers into the halves of each word, rounded to bf16.
pub(crate) fn to_bf16(body: &mut Body, upper: &Operand, lower: &Operand) -> Vec<Value> {
    cast::to_bf16(&mut ItemBuilder::new(body), &[upper.clone(), lower.clone()])
}

/// Returns the table as Markdown: `docs/reference/mncore/functions.md`.
pub fn markdown() -> String {
    let mut page = String::from(
        "<!-- Generated from passes/mncore-code/src/functions:\n\
         TESSERA_BLESS=1 cargo test -p tessera-mncore-code. -->\n\n\
         # The vector library of MN-Core 2\n\n\
         Steps of the MAU and the ALU for 32,768 elements, eight in each PE. Functions with two\n\
         rows have shorter code for tensors of bf16. The error of that is in units in the last\n\
         place of bf16, after rounding.\n\n\
         | function | operands | MAU | ALU | error at most | computes | zeros, infinities, underflow |\n\
         |---|---|---|---|---|---|---|\n",
    );
    let is_long = |row: &&Row| !row.function.is_bf16();
    for row in rows().filter(is_long) {
        page += &markdown_row(row);
        let mut short = rows().filter(|one| one.function.is_bf16());
        if let Some(short) = short.find(|one| one.name == row.name) {
            page += &markdown_row(&Row {
                edges: short.edges.or(row.edges),
                ..*short
            });
        }
    }
    page
}

fn markdown_row(row: &Row) -> String {
    let is_bf16 = row.function.is_bf16();
    let bound = match row.bound {
        Bound::Exact => "0".to_owned(),
        Bound::Rounded => "one rounding".to_owned(),
        Bound::Ulp { most, .. } if is_bf16 => format!("{:.2} ULP", 0.5 + most / UNITS_OF_BF16),
        Bound::Ulp { most, .. } => format!("{most} ULP"),
        Bound::Absolute { most, slope } => format!("{most:.1e} + {slope:.1e} · \\|x\\|"),
    };
    let Row {
        name,
        arity,
        mau,
        alu,
        ..
    } = row;
    let doc = if is_bf16 {
        "The same, of bf16."
    } else {
        row.doc
    };
    let [doc, edges] = [doc, row.edges.unwrap_or_default()].map(|text| text.replace('|', "\\|"));
    format!("| `{name}` | {arity} | {mau} | {alu} | {bound} | {doc} | {edges} |\n")
}
