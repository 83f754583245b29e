//! The polynomials of the vector libraries, recomputed by the Remez algorithm in double
//! precision.
//!
//! The powers of a polynomial are given. The algorithm minimises the maximum weighted error. The
//! libraries' coefficients are those found here, rounded to f32;
//! [`polynomials_have_their_stated_errors`] checks the stated errors, and compares them with the
//! optimum. With `TESSERA_BLESS` set it prints the coefficients.

use tessera_pto::polynomials::{Polynomial, POLYNOMIALS};
use tessera_test_support::is_bless_run;

/// The function that a polynomial approximates.
struct Target {
    name: &'static str,
    /// The powers, the highest first.
    powers: &'static [i32],
    /// The function to approximate, without the terms that are added separately.
    function: fn(f64) -> f64,
    /// The weight of the error.
    weight: fn(f64) -> f64,
}

const TARGETS: &[Target] = &[
    Target {
        name: "recip",
        powers: &[2, 1, 0],
        function: |x| -1.0 / x,
        weight: |x| x,
    },
    Target {
        name: "exp",
        powers: &[4, 3, 2, 1, 0],
        function: |x| 2.0 * above_linear(x),
        weight: |x| x * x / (2.0 * x.exp()),
    },
    Target {
        name: "log",
        powers: &[8, 7, 6, 5, 4, 3, 2, 1, 0],
        function: |x| of_small(x, |x| (x.ln_1p() - x) / (x * x), -0.5),
        weight: |x| of_small(x, |x| x * x / x.ln_1p().abs(), 0.0),
    },
    Target {
        name: "log_cubic",
        powers: &[9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
        function: |x| match x.abs() < 1e-2 {
            // Its series, where the difference cancels.
            true => (0..12).map(|k| (-x).powi(k) / f64::from(k + 3)).sum(),
            false => (x.ln_1p() - x + x * x / 2.0) / (x * x * x),
        },
        weight: |x| of_small(x, |x| (x * x * x / x.ln_1p()).abs(), 0.0),
    },
    Target {
        name: "sin",
        powers: &[2, 1, 0],
        // In the square of the argument.
        function: |y| of_small(y, |y| (y.sqrt().sin() / y.sqrt() - 1.0) / y, -1.0 / 6.0),
        weight: |y| of_small(y, |y| y * y.sqrt() / y.sqrt().sin(), 0.0),
    },
    Target {
        name: "cos",
        powers: &[2, 1, 0],
        // In the square of the argument.
        function: |y| match y < 1e-2 {
            // Its series, where the difference cancels.
            true => ((y / 3_628_800.0 - 1.0 / 40_320.0) * -y - 1.0 / 720.0) * y + 1.0 / 24.0,
            false => (y.sqrt().cos() - 1.0 + y / 2.0) / (y * y),
        },
        weight: |y| y * y / y.sqrt().cos(),
    },
    Target {
        name: "tanh",
        powers: &[4, 3, 2, 1, 0],
        // In the square of the argument.
        function: |y| {
            of_small(
                y,
                |y| (y.sqrt().tanh() - y.sqrt()) / (y * y.sqrt()),
                -1.0 / 3.0,
            )
        },
        weight: |y| of_small(y, |y| y * y.sqrt() / y.sqrt().tanh(), 0.0),
    },
    Target {
        name: "erf",
        powers: &[6, 5, 4, 3, 2, 1, 0],
        function: slope_of_erf,
        weight: |y| slope_of_erf(y).recip(),
    },
    Target {
        name: "erfc",
        powers: &[6, 5, 4, 3, 2, 1, 0],
        function: |x| -libm::erfc(x).ln(),
        weight: |x| libm::erfc(x) / libm::erf(x),
    },
    Target {
        name: "gelu_small",
        powers: &[6, 5, 4, 3, 2, 1, 0],
        // In the square of the argument.
        function: |y| slope_of_erf(y / 2.0) * std::f64::consts::FRAC_1_SQRT_2,
        weight: |y| std::f64::consts::SQRT_2 / slope_of_erf(y / 2.0),
    },
    Target {
        name: "gelu_middle",
        powers: &[6, 5, 4, 3, 2, 1, 0],
        function: |x| tail(x) + x * x / 2.0,
        weight: |x| 1.0 / (1.0 + 2.0 * (std::f64::consts::FRAC_1_SQRT_2 * x).powi(4)),
    },
    Target {
        name: "gelu_tail",
        powers: &[7, 6, 5, 4, 3, 2, 1, 0],
        function: tail,
        weight: |_| 1.0,
    },
    Target {
        name: "expm1",
        powers: &[4, 3, 2, 1, 0],
        function: |x| 2.0 * above_linear(x),
        weight: |x| of_small(x, |x| x * x / (2.0 * x.exp_m1().abs()), 0.0),
    },
    Target {
        name: "atan",
        powers: &[8, 7, 6, 5, 4, 3, 2, 1, 0],
        // In the square of the argument.
        function: |y| {
            of_small(
                y,
                |y| (y.sqrt().atan() - y.sqrt()) / (y * y.sqrt()),
                -1.0 / 3.0,
            )
        },
        weight: |y| of_small(y, |y| y * y.sqrt() / y.sqrt().atan(), 0.0),
    },
    Target {
        name: "asin",
        powers: &[4, 3, 2, 1, 0],
        // In the square of the argument.
        function: |y| {
            of_small(
                y,
                |y| (y.sqrt().asin() - y.sqrt()) / (y * y.sqrt()),
                1.0 / 6.0,
            )
        },
        weight: |y| of_small(y, |y| y * y.sqrt() / y.sqrt().asin(), 0.0),
    },
    Target {
        name: "erfcx",
        powers: &[9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
        function: scaled_erfc,
        weight: |q| scaled_erfc(q).recip(),
    },
    Target {
        name: "cbrt",
        powers: &[3, 2, 1, 0],
        function: |x| (1.0 - x).cbrt().recip(),
        weight: |x| (1.0 - x).cbrt(),
    },
    Target {
        name: "exp2_bf16",
        powers: &[3, 2, 1, 0],
        function: |m| (m - 1.0).exp2() / m,
        weight: |m| m / (m - 1.0).exp2(),
    },
    Target {
        name: "expm1_bf16",
        powers: &[2, 1, 0],
        function: |r| of_small(r, |r| (r.exp2() - 1.0) / r, std::f64::consts::LN_2),
        weight: |r| of_small(r, |r| r / (r.exp2() - 1.0), std::f64::consts::LOG2_E),
    },
    Target {
        name: "log_bf16",
        powers: &[3, 2, 1, 0],
        function: |t| of_small(t, |t| t.ln_1p() / t, 1.0),
        weight: |t| of_small(t, |t| t / t.ln_1p(), 1.0),
    },
    Target {
        name: "log2_bf16",
        powers: &[6, 5, 4, 3, 2, 1, 0],
        function: |t| of_small(t, |t| t.ln_1p() / t, 1.0) * std::f64::consts::LOG2_E,
        weight: |t| of_small(t, |t| t / t.ln_1p(), 1.0) * std::f64::consts::LN_2,
    },
    Target {
        name: "cbrt_bf16",
        powers: &[2, 1, 0],
        function: |u| u.cbrt().powi(-2),
        weight: |u| u.cbrt().powi(2),
    },
    Target {
        name: "tanh_bf16",
        powers: &[7, 6, 5, 4, 3, 2, 1, 0],
        function: |x| of_small(x, |x| x.tanh() / x, 1.0),
        weight: |x| of_small(x, |x| x / x.tanh(), 1.0),
    },
    Target {
        name: "erf_bf16",
        powers: &[5, 4, 3, 2, 1, 0],
        function: slope_of_erf,
        weight: |y| slope_of_erf(y).recip(),
    },
    Target {
        name: "erfc_bf16",
        powers: &[7, 6, 5, 4, 3, 2, 1, 0],
        function: log2_erfc,
        weight: |_| std::f64::consts::LN_2,
    },
    Target {
        name: "gelu_bf16",
        powers: &[7, 6, 5, 4, 3, 2, 1, 0],
        function: |x| log2_erfc(x * std::f64::consts::FRAC_1_SQRT_2) - 1.0,
        weight: |_| std::f64::consts::LN_2,
    },
    Target {
        name: "sin_bf16",
        powers: &[2, 1, 0],
        // In the square of the argument.
        function: |y| of_small(y, |y| y.sqrt().sin() / y.sqrt(), 1.0),
        weight: |y| of_small(y, |y| y.sqrt() / y.sqrt().sin(), 1.0),
    },
    Target {
        name: "tan_bf16",
        powers: &[3, 2, 1, 0],
        // In the square of the argument.
        function: |y| of_small(y, |y| y.sqrt().tan() / y.sqrt(), 1.0),
        weight: |y| of_small(y, |y| y.sqrt() / y.sqrt().tan(), 1.0),
    },
    Target {
        name: "asin_bf16",
        powers: &[1, 0],
        // In the square of the argument.
        function: |y| of_small(y, |y| y.sqrt().asin() / y.sqrt(), 1.0),
        weight: |y| of_small(y, |y| y.sqrt() / y.sqrt().asin(), 1.0),
    },
    Target {
        name: "acos_bf16",
        powers: &[2, 1, 0],
        function: |x| {
            of_small(
                1.0 - x,
                |y| (1.0 - y).acos() / y.sqrt(),
                std::f64::consts::SQRT_2,
            )
        },
        weight: |x| {
            of_small(
                1.0 - x,
                |y| y.sqrt() / (1.0 - y).acos(),
                std::f64::consts::FRAC_1_SQRT_2,
            )
        },
    },
    Target {
        name: "atan_bf16",
        powers: &[3, 2, 1, 0],
        // In the square of the argument.
        function: |y| of_small(y, |y| y.sqrt().atan() / y.sqrt(), 1.0),
        weight: |y| of_small(y, |y| y.sqrt() / y.sqrt().atan(), 1.0),
    },
];

/// Returns `-log(erfc(x / √2)) - x² / 2`, by a continued fraction where erfc is small.
fn tail(x: f64) -> f64 {
    let z = x * std::f64::consts::FRAC_1_SQRT_2;
    if z < 3.0 {
        return -libm::erfc(z).ln() - z * z;
    }
    // erfc(z) = e^(-z²) / (√π (z + 1/2 / (z + 1 / (z + 3/2 / …))))
    let fraction = (1..200)
        .rev()
        .fold(z, |below, k| z + 0.5 * f64::from(k) / below);
    (std::f64::consts::PI.sqrt() * fraction).ln()
}

/// `log2(erfc x)`
fn log2_erfc(x: f64) -> f64 {
    -(tail(x * std::f64::consts::SQRT_2) + x * x) * std::f64::consts::LOG2_E
}

/// `(x + 2) · e^(x²) · erfc(x)` of `x = 2 · (1 + q) / (1 - q)`.
fn scaled_erfc(q: f64) -> f64 {
    let x = 2.0 * (1.0 + q) / (1.0 - q);
    (x + 2.0) * (x * x).exp() * libm::erfc(x)
}

/// `erf(√y) / √y`
fn slope_of_erf(y: f64) -> f64 {
    match y == 0.0 {
        true => std::f64::consts::FRAC_2_SQRT_PI,
        false => libm::erf(y.sqrt()) / y.sqrt(),
    }
}

/// `(e^x - 1 - x) / x²`
fn above_linear(x: f64) -> f64 {
    if x.abs() > 1e-2 {
        return (x.exp_m1() - x) / (x * x);
    }
    // Its series.
    (0..12).rev().fold(0.0, |sum, k| {
        let factorial: f64 = (1..=k + 2).map(f64::from).product();
        sum * x + factorial.recip()
    })
}

/// Returns the value of a function, or its limit where the argument vanishes.
fn of_small(x: f64, function: impl Fn(f64) -> f64, limit: f64) -> f64 {
    match x.abs() < 1e-6 {
        true => limit,
        false => function(x),
    }
}

fn evaluate(coefficients: &[f64], powers: &[i32], x: f64) -> f64 {
    let terms = coefficients.iter().zip(powers);
    terms.map(|(c, power)| c * x.powi(*power)).sum()
}

/// Solves a system of linear equations by Gaussian elimination.
fn solve(mut rows: Vec<Vec<f64>>) -> Vec<f64> {
    let count = rows.len();
    for column in 0..count {
        let pivot = (column..count)
            .max_by(|a, b| rows[*a][column].abs().total_cmp(&rows[*b][column].abs()))
            .expect("there are rows left");
        rows.swap(column, pivot);
        let pivot = rows[column].clone();
        for (number, row) in rows.iter_mut().enumerate() {
            if number != column {
                let factor = row[column] / pivot[column];
                for (own, other) in row.iter_mut().zip(&pivot) {
                    *own -= factor * other;
                }
            }
        }
    }
    (0..count)
        .map(|row| rows[row][count] / rows[row][row])
        .collect()
}

const GRID: usize = 20_000;

fn grid([low, high]: [f64; 2]) -> Vec<f64> {
    (0..=GRID)
        .map(|k| {
            // Closer at the ends, where extrema are.
            let angle = std::f64::consts::PI * k as f64 / GRID as f64;
            (low + high) / 2.0 - (high - low) / 2.0 * angle.cos()
        })
        .collect()
}

/// Returns the optimal coefficients and their maximum error.
fn remez(target: &Target, range: [f64; 2]) -> (Vec<f64>, f64) {
    let grid = grid(range);
    let unknown = target.powers.len() + 1;
    let values: Vec<[f64; 2]> = grid
        .iter()
        .map(|x| [(target.function)(*x), (target.weight)(*x)])
        .collect();
    // Near the ends rather than at them, where a weight may vanish.
    let mut nodes: Vec<usize> = (0..unknown)
        .map(|k| (GRID * (8 * k + 1)) / (8 * unknown - 6))
        .collect();
    let mut found = (Vec::new(), f64::INFINITY);
    for _ in 0..60 {
        let rows = nodes.iter().enumerate().map(|(number, &at)| {
            let mut row: Vec<f64> = target
                .powers
                .iter()
                .map(|power| grid[at].powi(*power))
                .collect();
            let sign = if number % 2 == 0 { 1.0 } else { -1.0 };
            row.push(sign / values[at][1]);
            row.push(values[at][0]);
            row
        });
        let mut coefficients = solve(rows.collect());
        coefficients.pop();
        let off: Vec<f64> = (0..=GRID)
            .map(|at| {
                values[at][1] * (evaluate(&coefficients, target.powers, grid[at]) - values[at][0])
            })
            .collect();
        let worst = off.iter().fold(0.0, |most: f64, one| most.max(one.abs()));
        if worst < found.1 {
            found = (coefficients, worst);
        }
        nodes = extrema(&off, unknown);
    }
    found
}

/// Returns `count` extrema of alternating sign.
fn extrema(off: &[f64], count: usize) -> Vec<usize> {
    let mut peaks: Vec<usize> = Vec::new();
    for (at, value) in off.iter().enumerate() {
        match peaks.last_mut() {
            Some(last) if off[*last].signum() == value.signum() => {
                if value.abs() > off[*last].abs() {
                    *last = at;
                }
            }
            _ => peaks.push(at),
        }
    }
    while peaks.len() > count {
        let (first, last) = (off[peaks[0]].abs(), off[peaks[peaks.len() - 1]].abs());
        match first < last {
            true => peaks.remove(0),
            false => peaks.pop().unwrap_or_default(),
        };
    }
    let mut fill = 1;
    while peaks.len() < count {
        peaks.push((fill * 7919) % off.len());
        fill += 1;
        peaks.sort_unstable();
        peaks.dedup();
    }
    peaks
}

/// Returns the maximum error of the library's coefficients.
fn error(target: &Target, polynomial: &Polynomial) -> f64 {
    let coefficients: Vec<f64> = polynomial
        .coefficients
        .iter()
        .map(|c| f64::from(*c))
        .collect();
    let off = grid(polynomial.range).into_iter().map(|x| {
        let value = evaluate(&coefficients, target.powers, x);
        (target.weight)(x) * (value - (target.function)(x)).abs()
    });
    off.fold(0.0, f64::max)
}

#[test]
fn polynomials_have_their_stated_errors() {
    let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
    let own: Vec<&str> = POLYNOMIALS
        .iter()
        .map(|polynomial| polynomial.name)
        .collect();
    assert_eq!(names, own);
    for (target, polynomial) in TARGETS.iter().zip(POLYNOMIALS) {
        let (best, possible) = remez(target, polynomial.range);
        if is_bless_run() {
            let rounded: Vec<f32> = best.iter().map(|c| *c as f32).collect();
            println!("{}: {possible:.3e} {rounded:?}", target.name);
            continue;
        }
        let found = error(target, polynomial);
        println!("{}: {found:.3e}, possible {possible:.3e}", target.name);
        assert!(found <= polynomial.error, "{}: {found:e}", target.name);
        // Coefficients are rounded; what is stated is not much more than what can be.
        assert!(
            polynomial.error <= 1.5 * possible + 2.0f64.powi(-23),
            "{}: {possible:e}",
            target.name
        );
    }
}
