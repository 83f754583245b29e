//! Functions of floats against double precision.
//!
//! A unit in the last place is that of the exact value. `TESSERA_LONG_TESTS=1` takes a 512th of all
//! words and many more pairs, `all` takes all words.

use tessera_isa_tensix::Arch;
use tessera_ops::{Binary, Unary};
use tessera_pto::bounds::{Bound, MAX_ANGLE, MAX_QUOTIENT};
use tessera_pto::kernel::Element;
use tessera_tensix_code::functions::{self, Function, FunctionImpl};
use tessera_test_support::{is_exhaustive_run, is_long_run};

use crate::machine::Kernel;
use crate::sample::floats;

fn number(word: u32) -> f64 {
    f64::from(f32::from_bits(word))
}

/// With +0 for denormals: what the vector unit makes of an operand.
fn flushed(word: u32) -> f64 {
    match word & 0x7f80_0000 {
        0 => 0.0,
        _ => number(word),
    }
}

/// With zeros of the same sign for denormals.
fn signed_zero(word: u32) -> f64 {
    flushed(word).copysign(number(word & 1 << 31 | 0x3f80_0000))
}

/// Units of f32 in the last place of a number.
fn unit(value: f64) -> f64 {
    let exponent = value.abs().max(f64::from(f32::MIN_POSITIVE)).log2().floor() as i32;
    let exponent = match 2f64.powi(exponent) > value.abs() {
        true if value.abs() >= f64::from(f32::MIN_POSITIVE) => exponent - 1,
        _ => exponent,
    };
    2f64.powi(exponent - 23)
}

/// Returns the error of a result, as a fraction of the bound.
fn error_of(bound: Bound, found: f64, exact: f64) -> f64 {
    if found == exact || found.is_nan() && exact.is_nan() {
        return 0.0;
    }
    let underflow = match bound {
        Bound::Ulp { underflow, .. } => underflow,
        _ => f64::from(f32::MIN_POSITIVE),
    };
    if found == 0.0 && exact.abs() < underflow {
        return 0.0;
    }
    // Results nearer to 2^128 than to the largest number may be infinite.
    let most = f64::from(f32::MAX);
    let far = |value: f64| {
        if value.is_infinite() {
            2f64.powi(128).copysign(value)
        } else {
            value
        }
    };
    if found.is_infinite() && exact.abs() < most || exact.is_nan() || found.is_nan() {
        return f64::INFINITY;
    }
    let exact = match found.is_infinite() && exact.abs() > most {
        true => far(found),
        false => exact,
    };
    (far(found) - exact).abs() / unit(exact)
}

/// Returns a bound in units in the last place.
fn most(bound: Bound) -> f64 {
    match bound {
        Bound::Exact => 0.0,
        // The product keeps three bits more.
        Bound::Rounded => 0.5001,
        Bound::Ulp { most, .. } => most,
        Bound::Absolute { .. } => unreachable!("no function of Tensix has such a bound"),
    }
}

/// The worst error, and where.
#[derive(Clone, Copy, Debug, Default)]
struct Worst {
    error: f64,
    at: [u32; 2],
    found: u32,
}

fn compare(row: &FunctionImpl, operands: &[&[u32]], results: &[u32]) -> Worst {
    let mut worst = Worst::default();
    for (index, &found) in results.iter().enumerate() {
        let at = [
            operands[0][index],
            operands.get(1).map_or(0, |words| words[index]),
        ];
        let Some(exact) = exact(row.function, at) else {
            continue;
        };
        let exact = match row.bound {
            Bound::Ulp { limit, .. } if number(at[0]).abs() >= limit && limit.is_finite() => {
                f64::NAN
            }
            _ => exact,
        };
        let mut error = error_of(row.bound, number(found), exact);
        if row.function == Function::Binary(Binary::Divide) && number(at[0]).abs() < 2f64.powi(-124)
        {
            // Such dividends may count as zeros.
            let of_zero = Binary::Divide.eval(Element::F32, 0.0, flushed(at[1]));
            error = error.min(error_of(row.bound, number(found), of_zero));
        }
        let quotient = number(at[0]) / flushed(at[1]);
        if row.function == Function::Binary(Binary::Remainder)
            && quotient.abs() >= f64::from(MAX_QUOTIENT)
            && number(found).is_nan()
        {
            error = 0.0;
        }
        if error > worst.error {
            worst = Worst { error, at, found };
        }
    }
    worst
}

/// The exact value; nothing where the table says something else than the reference.
fn exact(function: Function, at: [u32; 2]) -> Option<f64> {
    let x = at.map(flushed);
    let nan = x.iter().any(|x| x.is_nan());
    Some(match function {
        Function::Unary(Unary::Neg | Unary::Abs | Unary::Relu) => return None,
        // The reference multiplies an infinity with zero.
        Function::Unary(Unary::Gelu) if x[0] == f64::NEG_INFINITY => 0.0,
        // A sign bit is that of a denormal, too.
        Function::Unary(Unary::Signbit) => f64::from(at[0] >> 31),
        Function::Unary(function) => function.eval(Element::F32, x[0]),
        Function::Binary(Binary::Max | Binary::Min) if nan => return None,
        Function::Binary(Binary::Max | Binary::Min | Binary::Prelu) if at.map(number) != x => {
            return None
        }
        Function::Binary(Binary::Prelu) if nan => f64::NAN,
        // Denormals are zeros with their signs.
        Function::Binary(Binary::Power) => {
            Binary::Power.eval(Element::F32, signed_zero(at[0]), flushed(at[1]))
        }
        Function::Binary(Binary::Atan2) => {
            Binary::Atan2.eval(Element::F32, signed_zero(at[0]), signed_zero(at[1]))
        }
        // The dividend itself keeps its bits.
        Function::Binary(Binary::Remainder) if x[0].abs() < x[1].abs() => number(at[0]),
        Function::Binary(function) => function.eval(Element::F32, x[0], x[1]),
        _ => return None,
    })
}

/// The worst that a row does on any chip.
#[track_caller]
fn check(row: &FunctionImpl, operands: &[&[u32]]) -> Worst {
    let on_each = Arch::ALL.map(|arch| check_on(arch, row, operands));
    let [wormhole, blackhole] = on_each;
    match blackhole.error > wormhole.error {
        true => blackhole,
        false => wormhole,
    }
}

#[track_caller]
fn check_on(arch: Arch, row: &FunctionImpl, operands: &[&[u32]]) -> Worst {
    let results = Kernel::on(arch, row).run(operands);
    let worst = compare(row, operands, &results);
    let [x, y] = worst.at.map(f32::from_bits);
    assert!(
        worst.error <= most(row.bound),
        "{} of {} on {arch}: {} at {x:e} {y:e} ({:#010x?}): {:e}",
        row.name(),
        row.element,
        worst.error,
        worst.at,
        f32::from_bits(worst.found)
    );
    worst
}

fn float_functions() -> impl Iterator<Item = &'static FunctionImpl> {
    functions::all().filter(|row| {
        !row.element.is_integer()
            && matches!(row.function, Function::Unary(_) | Function::Binary(_))
    })
}

#[test]
fn every_bf16_number_keeps_the_bounds() {
    let all: Vec<u32> = (0..1 << 16).map(|word| word << 16).collect();
    for row in float_functions() {
        let mut other = all.clone();
        other.rotate_left(12_345);
        let worst = check(row, &[&all[..], &other[..]][..row.arity]);
        println!(
            "{} of {}: {} {worst:x?}",
            row.name(),
            row.element,
            worst.error / 65_536.0
        );
    }
}

#[test]
fn singles_keep_the_bounds() {
    let count = if cfg!(debug_assertions) {
        4_000
    } else {
        400_000
    };
    for (row, seed) in float_functions().zip(1..) {
        let x = floats(count, seed);
        let mut y = floats(count, seed + 100);
        y.rotate_left(seed as usize);
        let worst = check(row, &[&x[..], &y[..]][..row.arity]);
        println!("{}: {worst:x?}", row.name());
    }
}

/// Powers with results of any exponent: their logarithms have the most digits before the point.
#[test]
fn powers_of_any_size_keep_the_bounds() {
    for element in [Element::F32, Element::Bf16] {
        powers_of_any_size(element);
    }
}

fn powers_of_any_size(element: Element) {
    let row = FunctionImpl::find(Function::Binary(Binary::Power), element).expect("it has a row");
    let count = match (is_long_run(), cfg!(debug_assertions)) {
        (true, _) => 1 << 22,
        (false, true) => 40_000,
        (false, false) => 400_000,
    };
    let magnitude = |word: &u32| word & 0x7fff_ffff;
    let x: Vec<u32> = floats(count, 7).iter().map(magnitude).collect();
    let logarithms = floats(count, 8).into_iter().enumerate();
    let y = logarithms.zip(&x).map(|((at, word), &x)| {
        let of_result = f64::from(word as i32) * 129.0 / 2f64.powi(31);
        let y = (of_result / number(x).log2()) as f32;
        // Roots and integer powers, too.
        if at % 3 == 0 { y.round() } else { y }.to_bits()
    });
    let worst = check(row, &[&x, &y.collect::<Vec<_>>()]);
    println!("pow_tensor of {element}, of any size: {worst:x?}");
}

/// The angles nearest to multiples of a right angle, where sine or cosine loses the most digits.
#[test]
fn angles_near_zeros_keep_the_bounds() {
    let right_angles = 0..(f64::from(MAX_ANGLE) / std::f64::consts::FRAC_PI_2) as u32;
    let near = right_angles.flat_map(|k| {
        let nearest = (f64::from(k) * std::f64::consts::FRAC_PI_2) as f32;
        [-1, 0, 1].map(|by| nearest.to_bits().saturating_add_signed(by))
    });
    let near: Vec<u32> = near.collect();
    for function in [Unary::Sin, Unary::Cos, Unary::Tan] {
        for element in [Element::F32, Element::Bf16] {
            let row = FunctionImpl::find(Function::Unary(function), element);
            let worst = check(row.expect("it has a row"), &[&near]);
            println!("{function} of {element} near zeros: {worst:x?}");
        }
    }
}

#[test]
fn very_many_singles_keep_the_bounds() {
    if !is_long_run() {
        return;
    }
    let stride = if is_exhaustive_run() { 1u64 } else { 512 };
    const CHUNK: u64 = 1 << 20;
    for row in float_functions() {
        let mut worst = Worst::default();
        for chunk in (0..1u64 << 32).step_by((CHUNK * stride) as usize) {
            let word = |k: u64| (chunk + k * stride + k * 7 % stride) as u32;
            let x: Vec<u32> = (0..CHUNK).map(word).collect();
            let y = floats(CHUNK as usize, chunk);
            let found = check(row, &[&x[..], &y[..]][..row.arity]);
            if found.error > worst.error {
                worst = found;
            }
        }
        println!("{}: {worst:x?}", row.name());
    }
}
