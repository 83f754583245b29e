//! Consistency of the table of functions.

use tessera_isa_mncore::ast::Convert;
use tessera_isa_mncore::memory::{Bank, Width};
use tessera_isa_mncore::table::Group;
use tessera_mncore_code::functions::{markdown, rows, Function, FunctionError, Row};
use tessera_mncore_ir::body::{Body, Home};
use tessera_mncore_ir::item::{Operand, Place, Source};
use tessera_ops::{Arithmetic, Binary, Unary};
use tessera_pto::bounds::{binary_has_bf16_code, unary_has_bf16_code};
use tessera_pto::target::Precision;
use tessera_test_support::check_generated_page;

use crate::{accuracy, exact};

/// Returns operands for a function.
fn operands(body: &mut Body, row: &Row) -> Vec<Operand> {
    let operand = |index| match (row.function, index) {
        (Function::LeakyRelu, 1) => Source::Constant(0.01f32.to_bits()).into(),
        (function, _) if function.is_along_cycles() => {
            Place::consecutive(Bank::Lm0, Width::Long, 0).into()
        }
        (Function::ToHalf, _) => body.value(Width::Double, Home::Any).into(),
        _ => body.value(Width::Long, Home::Any).into(),
    };
    (0..row.arity).map(operand).collect()
}

#[test]
fn costs_are_those_of_the_items() {
    for row in rows() {
        let mut body = Body::new(&[], &[]);
        let operands = operands(&mut body, row);
        row.function.append(&mut body, &operands).unwrap();
        let count = |group| {
            let items = body.items.iter();
            items.filter(|item| item.group() == Some(group)).count()
        };
        let counts = (count(Group::MauCalc), count(Group::Alu));
        assert_eq!(counts, (row.mau, row.alu), "{}", row.name);
        assert_eq!(body.items.len(), row.mau + row.alu, "{}", row.name);
    }
}

#[test]
fn costs_stay_within_their_limits() {
    // Expected steps of the busier unit.
    for (function, most) in [
        (Function::Unary(Unary::Exp), 10),
        (Function::Unary(Unary::Reciprocal), 6),
        (Function::Binary(Binary::Divide), 9),
        (Function::Unary(Unary::Rsqrt), 9),
        (Function::Unary(Unary::Sqrt), 9),
        (Function::Unary(Unary::Log), 14),
        (Function::Unary(Unary::Sigmoid), 17),
        (Function::Unary(Unary::Tanh), 26),
        (Function::Unary(Unary::Erf), 26),
        (Function::Unary(Unary::Gelu), 28),
        (Function::Unary(Unary::Floor), 2),
        (Function::Relu, 1),
        (Function::Max, 1),
        (Function::Abs, 1),
        (Function::Neg, 1),
    ] {
        let row = function.row();
        assert!(row.mau.max(row.alu) <= most, "{}", row.name);
    }
}

#[test]
fn every_function_has_one_row() {
    for row in rows() {
        let own = rows().filter(|other| other.function == row.function);
        assert_eq!(own.count(), 1, "{}", row.name);
    }
    // What the compiler makes of the machine's operations.
    let composed = [Unary::Neg, Unary::Abs, Unary::Relu, Unary::LogicalNot];
    for function in Unary::ALL {
        let has_recipe = rows().any(|row| row.function == Function::Unary(*function));
        let is_float = function.domain().contains(Arithmetic::Float);
        assert_eq!(
            has_recipe,
            is_float && !composed.contains(function),
            "{function}"
        );
    }
}

/// Functions that have bounds for bf16 have code for it.
#[test]
fn bounds_for_bf16_have_code() {
    for function in Unary::ALL {
        let short = Function::unary(*function, Precision::Bf16);
        assert_eq!(
            short.is_bf16(),
            unary_has_bf16_code(*function),
            "{function}"
        );
    }
    for function in Binary::ALL {
        let short = Function::binary(*function, Precision::Bf16);
        assert_eq!(
            short.is_bf16(),
            binary_has_bf16_code(*function),
            "{function}"
        );
    }
}

/// Compares the committed page with the table; `TESSERA_BLESS=1` rewrites it.
#[test]
fn page_matches_the_table() {
    let page = markdown();
    assert!(page.contains("| `exp` | 1 | 10 | 6 | "), "{page}");
    check_generated_page("docs/reference/mncore/functions.md", &page);
}

#[test]
fn operands_that_do_not_fit() {
    let mut body = Body::new(&[], &[]);
    let x = Operand::from(body.value(Width::Long, Home::Any));
    let negated = Operand {
        negate: true,
        ..x.clone()
    };
    let widened = Operand {
        convert: Convert::Widen,
        ..x.clone()
    };
    let zero = Operand::from(Source::Constant(0));
    let nan = Operand::from(Source::Constant(0x7fc0_0000));
    let strided = Operand::from(Place {
        stride: 8,
        ..Place::consecutive(Bank::Lm0, Width::Long, 0)
    });
    for (function, operands, message) in [
        (Function::Unary(Unary::Exp), vec![], "exp takes 1 operands, not 0"),
        (
            Function::Unary(Unary::Exp),
            vec![negated.clone()],
            "operand 0 of exp is negated or converted on the way, which its operations do not do; make a value of it first",
        ),
        (
            Function::Binary(Binary::Divide),
            vec![x.clone(), widened],
            "operand 1 of divide is negated or converted on the way, which its operations do not do; make a value of it first",
        ),
        (
            Function::LeakyRelu,
            vec![x.clone(), zero],
            "the slope of leaky_relu must be a finite constant other than 0; with a slope of 0 it is relu",
        ),
        (
            Function::LeakyRelu,
            vec![x.clone(), nan],
            "the slope of leaky_relu must be a finite constant other than 0; with a slope of 0 it is relu",
        ),
        (
            Function::LeakyRelu,
            vec![x.clone(), x.clone()],
            "the slope of leaky_relu must be a finite constant other than 0; with a slope of 0 it is relu",
        ),
        (
            Function::SumCycles,
            vec![x.clone()],
            "sum_cycles reads the words of one step apart: put its operand into four consecutive long words of a memory first",
        ),
        (
            Function::MaxCycles,
            vec![strided],
            "max_cycles reads the words of one step apart: put its operand into four consecutive long words of a memory first",
        ),
    ] {
        let error: FunctionError = function.append(&mut body, &operands).unwrap_err();
        assert_eq!(error.to_string(), message);
        assert!(body.items.is_empty());
    }
    Function::Add.append(&mut body, &[x, negated]).unwrap();
    assert!(body.items[0].inputs[1].negate);
}

/// Checks that every function is compared with a reference in some test.
#[test]
fn no_function_is_left_out() {
    let alone = [
        Function::Add,
        Function::Sub,
        Function::Mul,
        Function::Fma,
        Function::LeakyRelu,
        Function::Binary(Binary::Divide),
        Function::BinaryBf16(Binary::Divide),
        Function::BinaryBf16(Binary::Atan2),
        Function::BinaryBf16(Binary::Power),
        Function::Binary(Binary::Power),
        Function::Binary(Binary::Remainder),
        Function::Binary(Binary::Atan2),
        Function::FromBf16,
        Function::FromHalf,
        Function::ToHalf,
        Function::SumWords,
        Function::MaxWords,
        Function::MinWords,
        Function::IntSumWords,
        Function::IntMaxWords,
        Function::IntMinWords,
        Function::SumPes,
        Function::MaxPes,
        Function::MinPes,
        Function::IntSumPes,
        Function::IntMaxPes,
        Function::IntMinPes,
        Function::SumCycles,
        Function::MaxCycles,
        Function::MinCycles,
        Function::IntSumCycles,
        Function::IntMaxCycles,
        Function::IntMinCycles,
    ];
    let listed = accuracy::functions().chain(exact::functions());
    let tested: Vec<Function> = listed.chain(alone).collect();
    for row in rows() {
        let times = tested.iter().filter(|function| **function == row.function);
        assert_eq!(times.count(), 1, "{}", row.name);
    }
    assert_eq!(tested.len(), rows().count());
}
