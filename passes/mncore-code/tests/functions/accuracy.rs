//! Accuracy of functions that round, against double precision.

use std::thread;

use tessera_mncore_code::functions::{Bound, Function};
use tessera_ops::{Binary, Unary};
use tessera_pto::bounds::{MAX_ANGLE, MAX_QUOTIENT, MNCORE, UNITS_OF_BF16};
use tessera_pto::target::Precision;
use tessera_test_support::{is_exhaustive_run, is_long_run};

use crate::machine::{Argument, Kernel, LONG};
use crate::sample::{is_normal_form, mixture, number, ulps};

/// A function of one operand, its reference in double precision, and the magnitude up to which
/// random operands are drawn.
type Case = (Function, fn(f64) -> f64, f32);

const CASES: &[Case] = &[
    (Function::Unary(Unary::Reciprocal), f64::recip, 4.0),
    (Function::Unary(Unary::Sqrt), |x| x.max(0.0).sqrt(), 4.0),
    (
        Function::Unary(Unary::Rsqrt),
        |x| x.max(0.0).sqrt().abs().recip(),
        4.0,
    ),
    (Function::Unary(Unary::Cbrt), f64::cbrt, 4.0),
    (Function::Unary(Unary::Exp), f64::exp, 100.0),
    (Function::Unary(Unary::Exp2), f64::exp2, 140.0),
    (Function::Unary(Unary::Expm1), f64::exp_m1, 30.0),
    (Function::Unary(Unary::Log), |x| x.max(0.0).ln(), 4.0),
    (
        Function::Unary(Unary::Sigmoid),
        |x| (1.0 + (-x).exp()).recip(),
        100.0,
    ),
    (Function::Unary(Unary::Silu), silu, 100.0),
    (Function::Unary(Unary::Log1p), |x| x.max(-1.0).ln_1p(), 4.0),
    (
        Function::Unary(Unary::Sin),
        |x| of_angle(x, f64::sin),
        100.0,
    ),
    (
        Function::Unary(Unary::Cos),
        |x| of_angle(x, f64::cos),
        100.0,
    ),
    (
        Function::Unary(Unary::Tan),
        |x| of_angle(x, f64::tan),
        100.0,
    ),
    (
        Function::Unary(Unary::Asin),
        |x| x.clamp(-1.0, 1.0).asin(),
        1.25,
    ),
    (
        Function::Unary(Unary::Acos),
        |x| x.clamp(-1.0, 1.0).acos(),
        1.25,
    ),
    (Function::Unary(Unary::Atan), f64::atan, 4.0),
    (Function::Unary(Unary::Asinh), f64::asinh, 4.0),
    (Function::Unary(Unary::Tanh), f64::tanh, 10.0),
    (Function::Unary(Unary::Erf), libm::erf, 5.0),
    (Function::Unary(Unary::Erfc), libm::erfc, 10.0),
    (Function::Unary(Unary::Gelu), gelu, 8.0),
];

/// Returns the functions of one operand that are tested here.
pub fn functions() -> impl Iterator<Item = Function> {
    CASES.iter().copied().chain(bf16_cases()).map(|case| case.0)
}

/// The functions of one operand with code for bf16.
fn bf16_cases() -> impl Iterator<Item = Case> {
    CASES.iter().filter_map(|&(function, exact, range)| {
        let Function::Unary(function) = function else {
            return None;
        };
        let short = Function::unary(function, Precision::Bf16);
        short.is_bf16().then_some((short, exact, range))
    })
}

/// Evaluates a trigonometric function; infinite from [`MAX_ANGLE`] on, as on the chip.
fn of_angle(x: f64, function: fn(f64) -> f64) -> f64 {
    match x.abs() < f64::from(MAX_ANGLE) {
        true => function(x),
        false => f64::INFINITY,
    }
}

fn silu(x: f64) -> f64 {
    if x == f64::NEG_INFINITY {
        return 0.0;
    }
    x / (1.0 + (-x).exp())
}

fn gelu(x: f64) -> f64 {
    if x == f64::NEG_INFINITY {
        return 0.0;
    }
    0.5 * x * libm::erfc(-x * std::f64::consts::FRAC_1_SQRT_2)
}

/// The largest error found, in the unit of the bound, and its operand.
#[derive(Clone, Copy, Debug, Default)]
struct Worst {
    error: f64,
    at: u32,
}

impl Worst {
    fn with(self, other: Worst) -> Worst {
        if other.error > self.error {
            other
        } else {
            self
        }
    }
}

/// Returns the error of a result: for absolute bounds as a fraction of the bound, otherwise in
/// units of the last place.
fn error(bound: Bound, operand: f64, result: f64, exact: f64) -> f64 {
    match bound {
        Bound::Ulp { underflow, .. } if result == 0.0 && exact.abs() < underflow => 0.0,
        Bound::Ulp { .. } | Bound::Rounded => ulps(result, exact),
        Bound::Absolute { most, slope } if exact.is_finite() => {
            (result - exact).abs() / (most + slope * operand.abs())
        }
        Bound::Exact | Bound::Absolute { .. } if result == exact => 0.0,
        Bound::Exact | Bound::Absolute { .. } => f64::INFINITY,
    }
}

/// Returns the maximum of [`error`] that the bound permits.
fn most(bound: Bound) -> f64 {
    match bound {
        Bound::Exact => 0.0,
        // Half a unit, and the products of the lowest bits.
        Bound::Rounded => 0.5002,
        Bound::Ulp { most, .. } => most,
        Bound::Absolute { .. } => 1.0,
    }
}

/// Returns the largest error of some results.
fn compare(case: &Case, operands: &[u32], results: &[u32]) -> Worst {
    let &(function, exact, _) = case;
    let bound = function.row().bound;
    let mut worst = Worst::default();
    for (&at, &result) in operands.iter().zip(results) {
        let x = number(at);
        assert!(
            is_normal_form(result),
            "{function:?} {at:#010x}: {result:#010x}"
        );
        let error = error(bound, x, number(result), exact(x));
        worst = worst.with(Worst { error, at });
    }
    worst
}

/// Runs a function on operands. Returns the largest error.
fn run(kernel: &mut Kernel, case: &Case, operands: &[u32]) -> Worst {
    let results = kernel.run(&[operands]).remove(0);
    let half = operands.len() / 2;
    thread::scope(|scope| {
        let (upper, lower) = (operands.split_at(half), results.split_at(half));
        let other = scope.spawn(|| compare(case, upper.0, lower.0));
        let worst = compare(case, upper.1, lower.1);
        worst.with(other.join().expect("results are normal"))
    })
}

/// Checks that an error is within the bound of its function.
#[track_caller]
fn check(function: Function, worst: Worst) {
    let most = most(function.row().bound);
    assert!(
        worst.error <= most,
        "{function:?}: {} > {most} at {:#010x} = {:e}",
        worst.error,
        worst.at,
        number(worst.at)
    );
}

#[test]
fn functions_of_one_operand_are_within_their_bounds() {
    for (case, seed) in CASES.iter().zip(1..) {
        let &(function, _, range) = case;
        let mut kernel = Kernel::new(function, &[LONG], 4);
        let operands = mixture(kernel.len(), range, seed);
        let worst = run(&mut kernel, case, &operands);
        println!("{function:?}: {worst:?}");
        check(function, worst);
    }
}

/// The code for bf16 keeps its bounds for all bf16 numbers, and for others: in a fused group
/// operands are not rounded.
#[test]
fn every_bf16_number_keeps_the_bounds() {
    let bf16 = (0..1 << 16).map(|upper: u32| upper << 16);
    // Infinities without mantissa.
    let plain = |word: u32| match word >> 23 & 0xff {
        255 => word & 0xff80_0000,
        _ => word,
    };
    let all: Vec<u32> = bf16.map(plain).collect();
    let cases = bf16_cases().chain(CASES.iter().copied());
    for (case, seed) in cases.zip(1..) {
        let mut kernel = Kernel::new(case.0, &[LONG], 8);
        let mut operands = all.clone();
        operands.extend(mixture(kernel.len(), case.2, seed));
        operands.resize(operands.len().next_multiple_of(kernel.len()), 0);
        let chunks = operands.chunks(kernel.len());
        let worst = chunks.fold(Worst::default(), |worst, operands| {
            worst.with(run(&mut kernel, &case, operands))
        });
        println!(
            "{:?}: {worst:x?}, {} bf16",
            case.0,
            worst.error / UNITS_OF_BF16
        );
        check(case.0, worst);
    }
}

/// The words from `first` to below `end`, with a stride.
#[derive(Clone, Copy, Debug)]
struct Range {
    first: u64,
    end: u64,
    stride: u64,
}

/// Returns the words of a long test: all with magnitudes from 1/2 to 8, which cover all mantissas
/// with even and odd exponents, and every 16th of the others. With `TESSERA_LONG_TESTS=all`,
/// returns all words.
fn ranges() -> Vec<Range> {
    let range = |first: u64, end: u64, stride| Range { first, end, stride };
    if is_exhaustive_run() {
        vec![range(0, 1 << 32, 1)]
    } else if is_long_run() {
        vec![
            range(0x3f00_0000, 0x4100_0000, 1),
            range(0xbf00_0000, 0xc100_0000, 1),
            range(0, 1 << 32, 16),
        ]
    } else {
        vec![]
    }
}

#[test]
fn very_many_words_keep_their_bounds() {
    let ranges = ranges();
    let cases = CASES.iter().copied().chain(bf16_cases());
    for case in cases.filter(|_| !ranges.is_empty()) {
        let (function, ..) = case;
        let mut kernel = Kernel::new(function, &[LONG], 128);
        let length = kernel.len() as u64;
        let mut worst = Worst::default();
        for Range { first, end, stride } in &ranges {
            for first in (*first..*end).step_by((length * stride) as usize) {
                let word = |index: u64| (first + index * stride + (index * 7) % stride) as u32;
                let operands: Vec<u32> = (0..length).map(word).collect();
                worst = worst.with(run(&mut kernel, &case, &operands));
            }
        }
        println!("{function:?}: {worst:?}");
        check(function, worst);
    }
}

/// A function of several operands, and its reference in double precision.
type Several = (Function, fn(&[f64]) -> f64);

/// Replaces operands that are not finite by 1, since the MAU's results for them are not compared.
fn finite(words: Vec<u32>) -> Vec<u32> {
    let finite = |word: u32| {
        if number(word).is_finite() {
            word
        } else {
            0x3f80_0000
        }
    };
    words.into_iter().map(finite).collect()
}

#[test]
fn arithmetic_rounds_once() {
    let cases: [Several; 4] = [
        (Function::Add, |x| x[0] + x[1]),
        (Function::Sub, |x| x[0] - x[1]),
        (Function::Mul, |x| x[0] * x[1]),
        (Function::Fma, |x| x[0] * x[1] + x[2]),
    ];
    for (function, exact) in cases {
        let arguments = vec![LONG; function.row().arity];
        let mut kernel = Kernel::new(function, &arguments, 2);
        let operands = |seed| finite(mixture(kernel.len(), 4.0, seed));
        let mut operands = [operands(1), operands(2), operands(3)];
        // Special words meet others.
        operands[1].rotate_left(1000);
        operands[2].rotate_left(2000);
        let operands: Vec<&[u32]> = operands[..arguments.len()]
            .iter()
            .map(Vec::as_slice)
            .collect();
        let results = kernel.run(&operands).remove(0);
        for (index, &result) in results.iter().enumerate() {
            let x: Vec<f64> = operands.iter().map(|words| number(words[index])).collect();
            let exact = exact(&x);
            // Half a unit of the sum, and what the product of the lowest bits comes to; near 2^-126
            // all of it.
            let unit = (exact.abs() * 2.0f64.powi(-24)).max(2.0f64.powi(-149));
            let omitted = x[0].abs() * x[1].abs() * 2.0f64.powi(-36);
            let far = ulps(number(result), exact) > 0.5
                && (number(result) - exact).abs() > unit + omitted;
            let vanished = result == 0 && exact.abs() < f64::from(f32::MIN_POSITIVE) + omitted;
            assert!(
                !far || vanished,
                "{function:?} {x:?}: {:e}, not {exact:e}",
                number(result)
            );
        }
    }
}

#[test]
fn leaky_relu_of_any_slope() {
    for slope in [0.01f32, 0.5, 0.125, 1.0, 3.0, -0.25] {
        let mut kernel = Kernel::new(Function::LeakyRelu, &[LONG, Argument::Constant(slope)], 1);
        let operand = mixture(kernel.len(), 4.0, 4);
        let results = kernel.run(&[&operand]).remove(0);
        for (&word, &result) in operand.iter().zip(&results) {
            let x = number(word);
            let exact = if x < 0.0 { f64::from(slope) * x } else { x };
            let vanished = number(result) == 0.0 && exact.abs() < f64::from(f32::MIN_POSITIVE);
            let error = ulps(number(result), exact);
            assert!(vanished || error <= 0.5002, "{slope} {x:e}: {error}");
        }
    }
}

/// Computes quotients. Returns the largest error for dividends of magnitude at least 2^-95, and
/// that for smaller ones.
fn quotients(kernel: &mut Kernel, a: &[u32], b: &[u32], bound: Bound) -> [f64; 2] {
    let Bound::Ulp {
        most, underflow, ..
    } = bound
    else {
        panic!("quotients have a bound in units in the last place, not {bound:?}");
    };
    let stated = MNCORE.small_dividends.expect("small ones have a bound");
    assert_eq!(stated.below, 2.0f64.powi(-95));
    assert_eq!(stated.vanish_below, 2.0f64.powi(-124));
    let results = kernel.run(&[a, b]).remove(0);
    let mut worst = [0.0; 2];
    for ((&a, &b), &result) in a.iter().zip(b).zip(&results) {
        assert!(
            is_normal_form(result),
            "{a:#010x} {b:#010x}: {result:#010x}"
        );
        let (x, y, result) = (number(a), number(b), number(result));
        let vanishes = x.abs() < stated.vanish_below;
        if y == 0.0 {
            let signed = result.is_sign_negative() == (x * y.signum()).is_sign_negative();
            assert!(
                result.is_infinite() && (signed || vanishes),
                "{x:e} / {y:e}"
            );
            continue;
        }
        let exact = x.clamp(-f64::from(f32::MAX), f64::from(f32::MAX)) / y;
        let small = usize::from(x.abs() < stated.below);
        if result == 0.0 && (exact.abs() < underflow || vanishes) {
            continue;
        }
        let error = ulps(result, exact);
        assert!(
            error <= [most, stated.most.max(most)][small],
            "{x:e} / {y:e}: {result:e}, {error} off"
        );
        worst[small] = error.max(worst[small]);
    }
    worst
}

#[test]
fn quotients_keep_their_bounds() {
    assert!(
        matches!(Function::Binary(Binary::Divide).row().bound, Bound::Ulp { most, .. } if most == 0.51)
    );
    let rounds = if is_long_run() { 500 } else { 1 };
    for function in [
        Function::Binary(Binary::Divide),
        Function::BinaryBf16(Binary::Divide),
    ] {
        let bound = function.row().bound;
        let mut kernel = Kernel::new(function, &[LONG, LONG], 4);
        let mut worst = [0.0f64; 2];
        for round in 0..rounds {
            let a = mixture(kernel.len(), 4.0, 2 * round);
            let mut b = mixture(kernel.len(), 4.0, 2 * round + 1);
            b.rotate_left((997 * round as usize + 1000) % kernel.len());
            let found = quotients(&mut kernel, &a, &b, bound);
            worst = [worst[0].max(found[0]), worst[1].max(found[1])];
        }
        println!("{function:?}: {worst:?} ULP");
    }
}

/// Evaluates a power by the operation table. Where it is undefined, the chip returns an infinity.
fn exact_power(x: f64, y: f64) -> f64 {
    match x.powf(y) {
        none if none.is_nan() => f64::INFINITY,
        power => power,
    }
}

#[test]
fn powers_keep_their_bounds() {
    powers(Function::Binary(Binary::Power));
    powers(Function::BinaryBf16(Binary::Power));
}

fn powers(function: Function) {
    let bound = function.row().bound;
    let rounds = if is_long_run() { 500 } else { 4 };
    let mut kernel = Kernel::new(function, &[LONG, LONG], 4);
    let mut worst = (Worst::default(), 0);
    for round in 0..rounds {
        let x = mixture(kernel.len(), 4.0, 2 * round);
        let mut y = mixture(
            kernel.len(),
            [4.0, 50.0, 300.0][round as usize % 3],
            2 * round + 1,
        );
        if round % 2 == 0 {
            // Integers.
            y = y
                .into_iter()
                .map(|y| number(y).round() as f32)
                .map(f32::to_bits)
                .collect();
        }
        for (x, y) in x.iter().zip(&mut y).skip(x.len() / 2) {
            // Results of any exponent.
            let log = number(*x & !(1 << 31)).log2();
            *y = match (log.is_finite() && log != 0.0, round % 4) {
                (true, 1) => (((number(*y) / 2.5).clamp(-129.0, 129.0) / log) as f32).to_bits(),
                _ => *y,
            };
        }
        y[..x.len() / 2].rotate_left((997 * round as usize + 1000) % (x.len() / 2));
        let results = kernel.run(&[&x, &y]).remove(0);
        for ((&x, &y), &result) in x.iter().zip(&y).zip(&results) {
            assert!(
                is_normal_form(result),
                "{x:#010x} {y:#010x}: {result:#010x}"
            );
            let exact = exact_power(number(x), number(y));
            let error = error(bound, 0.0, number(result), exact);
            let (a, b) = (number(x), number(y));
            let found = number(result);
            assert!(
                error <= most(bound),
                "{a:e} ^ {b:e}: {found:e}, not {exact:e}: {error}"
            );
            if error > worst.0.error {
                worst = (Worst { error, at: x }, y);
            }
        }
    }
    println!("{function:?}: {worst:x?}");
}

#[test]
fn angles_of_points_keep_their_bounds() {
    angles_of_points(Function::Binary(Binary::Atan2));
    angles_of_points(Function::BinaryBf16(Binary::Atan2));
}

fn angles_of_points(function: Function) {
    let bound = function.row().bound;
    let rounds = if is_long_run() { 500 } else { 2 };
    let mut kernel = Kernel::new(function, &[LONG, LONG], 4);
    let mut worst = Worst::default();
    for round in 0..rounds {
        let y = mixture(kernel.len(), 4.0, 2 * round);
        let mut x = mixture(kernel.len(), 4.0, 2 * round + 1);
        x.rotate_left(997 * round as usize % 3000);
        let results = kernel.run(&[&y, &x]).remove(0);
        for ((&y, &x), &result) in y.iter().zip(&x).zip(&results) {
            let exact = number(y).atan2(number(x));
            let error = error(bound, 0.0, number(result), exact);
            let (a, b) = (number(y), number(x));
            assert!(
                error <= most(bound) && is_normal_form(result),
                "{a:e}, {b:e}: {:e}, not {exact:e}: {error}",
                number(result)
            );
            worst = worst.with(Worst { error, at: y });
        }
    }
    println!("{function:?}: {worst:x?}");
}

#[test]
fn remainders_are_exact() {
    let function = Function::Binary(Binary::Remainder);
    let bound = function.row().bound;
    let rounds = if is_long_run() { 500 } else { 4 };
    let mut kernel = Kernel::new(function, &[LONG, LONG], 4);
    for round in 0..rounds {
        let x = mixture(kernel.len(), 4.0, 2 * round);
        let mut y = mixture(kernel.len(), [4.0, 1e-4][round as usize % 2], 2 * round + 1);
        y.rotate_left(997 * round as usize % 3000);
        let results = kernel.run(&[&x, &y]).remove(0);
        for ((&x, &y), &result) in x.iter().zip(&y).zip(&results) {
            let (a, b) = (number(x), number(y));
            let open = a.is_infinite() || b == 0.0;
            let exact = if open { f64::INFINITY } else { a % b };
            let found = number(result);
            let is_large = (a / b).abs() >= f64::from(MAX_QUOTIENT);
            let error = error(bound, 0.0, found, exact);
            assert!(
                is_normal_form(result) && (error == 0.0 || is_large && found == f64::INFINITY),
                "{a:e} % {b:e}: {found:e}, not {exact:e}"
            );
        }
    }
}

/// Tests the angles nearest to multiples of a right angle, where sine or cosine lose most digits.
#[test]
fn angles_near_zeros_keep_their_bounds() {
    let right_angles = 0..(f64::from(MAX_ANGLE) / std::f64::consts::FRAC_PI_2) as u32;
    let near = right_angles.flat_map(|k| {
        let nearest = (f64::from(k) * std::f64::consts::FRAC_PI_2) as f32;
        [-1, 0, 1].map(|by| nearest.to_bits().saturating_add_signed(by))
    });
    let near: Vec<u32> = near.collect();
    for case in CASES.iter().copied().chain(bf16_cases()) {
        let (Function::Unary(function) | Function::UnaryBf16(function)) = case.0 else {
            continue;
        };
        if !matches!(function, Unary::Sin | Unary::Cos | Unary::Tan) {
            continue;
        }
        let mut kernel = Kernel::new(case.0, &[LONG], 16);
        let mut worst = Worst::default();
        for chunk in near.chunks(kernel.len()) {
            let mut operands = chunk.to_vec();
            operands.resize(kernel.len(), 0);
            worst = worst.with(run(&mut kernel, &case, &operands));
        }
        println!("{:?} near zeros: {worst:?}", case.0);
        check(case.0, worst);
    }
}
