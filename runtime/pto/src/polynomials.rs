//! Polynomials that approximate functions, shared by the vector libraries of the targets.
//!
//! `tests/polynomials.rs` derives the coefficients by the Remez algorithm. Here they are rounded to
//! f32, that of the highest power first.

/// A polynomial approximation and its error.
#[derive(Clone, Copy, Debug)]
pub struct Polynomial {
    /// The function that it approximates.
    pub name: &'static str,
    /// Its coefficients.
    pub coefficients: &'static [f32],
    /// The interval on which it is used.
    pub range: [f64; 2],
    /// Its greatest error on the interval, with the weight of its derivation.
    pub error: f64,
}

impl Polynomial {
    /// Returns the coefficients of `factor · P(x) + offset`, for a P that has some.
    pub fn scaled(&self, factor: f32, offset: f32) -> Vec<f32> {
        let mut scaled: Vec<f32> = self.coefficients.iter().map(|one| one * factor).collect();
        if let Some(last) = scaled.last_mut() {
            *last += offset;
        }
        scaled
    }
}

/// `-1 / x`
pub const RECIP: Polynomial = Polynomial {
    name: "recip",
    coefficients: &[-0.04040404, 0.36363637, -1.060606],
    range: [2.0, 4.0],
    error: 1.011e-2,
};
/// `2 · (e^x - 1 - x) / x²`
pub const EXP: Polynomial = Polynomial {
    name: "exp",
    coefficients: &[0.0027628867, 0.016737593, 0.08333679, 0.3333304, 0.9999999],
    range: [-0.3470, 0.3470],
    error: 9e-9,
};
/// `(log(1 + x) - x) / x²`
pub const LOG: Polynomial = Polynomial {
    name: "log",
    coefficients: &[
        -0.12948984,
        0.1400477,
        -0.1216715,
        0.14001158,
        -0.16682306,
        0.20010747,
        -0.24999717,
        0.3333321,
        -0.5,
    ],
    range: [-0.333_334, 0.333_334],
    error: 1.2e-8,
};
/// `(log(1 + x) - x + x²/2) / x³`
pub const LOG_CUBIC: Polynomial = Polynomial {
    name: "log_cubic",
    coefficients: &[
        -0.11399501,
        0.1212726,
        -0.095659226,
        0.10720453,
        -0.12527816,
        0.14307778,
        -0.16665861,
        0.19999465,
        -0.2500001,
        0.33333337,
    ],
    range: [-0.333_34, 0.333_34],
    error: 1e-9,
};
/// `(sin x - x) / x³` in the square of x.
pub const SIN: Polynomial = Polynomial {
    name: "sin",
    coefficients: &[-0.00019503069, 0.008332071, -0.16666654],
    range: [0.0, 0.64],
    error: 9e-9,
};
/// `(cos x - 1 + x²/2) / x⁴` in the square of x.
pub const COS: Polynomial = Polynomial {
    name: "cos",
    coefficients: &[2.4419196e-5, -0.0013887194, 0.04166664],
    range: [0.0, 0.64],
    error: 1e-9,
};
/// `(tanh x - x) / x³` in the square of x.
pub const TANH: Polynomial = Polynomial {
    name: "tanh",
    coefficients: &[
        -0.0058951583,
        0.020795971,
        -0.05378383,
        0.13331924,
        -0.333333,
    ],
    range: [0.0, 0.36],
    error: 9e-9,
};
/// `erf(x) / x` in the square of x.
pub const ERF: Polynomial = Polynomial {
    name: "erf",
    coefficients: &[
        7.8538615e-5,
        -0.00080101937,
        0.0051883277,
        -0.026853813,
        0.112835854,
        -0.37612626,
        std::f32::consts::FRAC_2_SQRT_PI,
    ],
    range: [0.0, 1.0],
    error: 7.4e-8,
};
/// `-log(1 - erf x)`
pub const ERFC: Polynomial = Polynomial {
    name: "erfc",
    coefficients: &[
        -0.00018637917,
        0.002947658,
        -0.021838063,
        0.10310675,
        0.63814485,
        1.1270891,
        0.0003415233,
    ],
    range: [1.0, 4.0],
    error: 1e-8,
};
/// `erf(x / √2) / x` in the square of x.
pub const GELU_SMALL: Polynomial = Polynomial {
    name: "gelu_small",
    coefficients: &[
        8.677386e-7,
        -1.7700202e-5,
        0.00022929387,
        -0.002373564,
        0.019946748,
        -0.13298072,
        0.7978846,
    ],
    range: [0.0, 2.0],
    error: 3.1e-8,
};
/// `-log(1 - erf(x / √2))`
pub const GELU_MIDDLE: Polynomial = Polynomial {
    name: "gelu_middle",
    coefficients: &[
        -2.1266289e-5,
        0.0004919695,
        -0.005290447,
        0.0359439,
        0.31991515,
        0.79624754,
        0.0005953113,
    ],
    range: [1.4, 4.0],
    error: 2.7e-8,
};
/// `-log(1 - erf(x / √2)) - x² / 2`
pub const GELU_TAIL: Polynomial = Polynomial {
    name: "gelu_tail",
    coefficients: &[
        2.8242615e-8,
        -2.0447296e-6,
        6.44772e-5,
        -0.0011670869,
        0.013516386,
        -0.10732867,
        0.66337264,
        0.10634082,
    ],
    range: [4.0, 13.5],
    error: 5.5e-6,
};
/// `2 · (e^x - 1 - x) / x²`, with the relative error of `e^x - 1`.
pub const EXPM1: Polynomial = Polynomial {
    name: "expm1",
    coefficients: &[0.0027765015, 0.016733192, 0.0833344, 0.33333087, 0.99999994],
    range: [-0.3470, 0.3470],
    error: 1.8e-8,
};
/// `(atan x - x) / x³` in the square of x.
pub const ATAN: Polynomial = Polynomial {
    name: "atan",
    coefficients: &[
        -0.001793623,
        0.010914612,
        -0.031177856,
        0.057957605,
        -0.08403451,
        0.10952186,
        -0.14264242,
        0.19998549,
        -0.333333,
    ],
    range: [0.0, 1.0],
    error: 1.2e-8,
};
/// `(asin x - x) / x³` in the square of x.
pub const ASIN: Polynomial = Polynomial {
    name: "asin",
    coefficients: &[
        0.042166308,
        0.024179514,
        0.045470376,
        0.074952975,
        0.16666752,
    ],
    range: [0.0, 0.25],
    error: 8e-9,
};
/// `(x + 2) · e^(x²) · erfc(x)` in `q = (x - 2) / (x + 2)`.
pub const ERFCX: Polynomial = Polynomial {
    name: "erfcx",
    coefficients: &[
        -5.5431716e-5,
        -0.00054352154,
        -0.0007244294,
        0.0030545595,
        0.006436882,
        -0.021505836,
        -0.036436394,
        0.27947178,
        -0.6871609,
        1.0215827,
    ],
    range: [-1.0, 0.647],
    error: 4.5e-8,
};
/// `1 / ∛(1 - x)`
pub const CBRT: Polynomial = Polynomial {
    name: "cbrt",
    coefficients: &[0.1734216, 0.22375573, 0.33333445, 0.999998],
    range: [-0.105, 0.101],
    error: 2.5e-6,
};

// The polynomials of the code for bf16.

/// `2^(m - 1) / m`
pub const EXP2_BF16: Polynomial = Polynomial {
    name: "exp2_bf16",
    coefficients: &[-0.1064457, 0.70747584, -1.3773075, 1.7756147],
    range: [1.0, 2.0],
    error: 7e-4,
};
/// `(2^r - 1) / r`
pub const EXPM1_BF16: Polynomial = Polynomial {
    name: "expm1_bf16",
    coefficients: &[0.055503964, 0.24202886, 0.6931783],
    range: [-0.5, 0.5],
    error: 4.5e-4,
};
/// `log(1 + t) / t`
pub const LOG_BF16: Polynomial = Polynomial {
    name: "log_bf16",
    coefficients: &[-0.27432817, 0.35734388, -0.49936044, 0.9996583],
    range: [-0.333_334, 0.333_334],
    error: 3.6e-4,
};
/// `log2(1 + t) / t`, for powers.
pub const LOG2_BF16: Polynomial = Polynomial {
    name: "log2_bf16",
    coefficients: &[
        0.2461998,
        -0.279994,
        0.28569243,
        -0.35838935,
        0.4809609,
        -0.7213799,
        1.4426948,
    ],
    range: [-0.333_334, 0.333_334],
    error: 1.2e-6,
};
/// `u^(-2/3)`
pub const CBRT_BF16: Polynomial = Polynomial {
    name: "cbrt_bf16",
    coefficients: &[0.56010234, -1.7910652, 2.230959],
    range: [0.894, 1.106],
    error: 1.5e-4,
};
/// `tanh(x) / x`
pub const TANH_BF16: Polynomial = Polynomial {
    name: "tanh_bf16",
    coefficients: &[
        -0.00021149578,
        0.0022542484,
        -0.003493049,
        -0.047447234,
        0.26177108,
        -0.47897783,
        0.028987717,
        0.9990638,
    ],
    range: [0.0, 4.0],
    error: 1e-3,
};
/// `erf(x) / x` in the square of x.
pub const ERF_BF16: Polynomial = Polynomial {
    name: "erf_bf16",
    coefficients: &[
        -8.111522e-5,
        0.0018732643,
        -0.018295122,
        0.10156448,
        -0.37020195,
        1.1278223,
    ],
    range: [0.0, 6.25],
    error: 5e-4,
};
/// `log2(erfc x)`
pub const ERFC_BF16: Polynomial = Polynomial {
    name: "erfc_bf16",
    coefficients: &[
        -3.8135724e-6,
        0.00014840475,
        -0.002434505,
        0.02220231,
        -0.12667996,
        -0.94445527,
        -1.6170528,
        -0.00072723813,
    ],
    range: [0.0, 9.1875],
    error: 6e-4,
};
/// `log2((1 - erf(x / √2)) / 2)`
pub const GELU_BF16: Polynomial = Polynomial {
    name: "gelu_bf16",
    coefficients: &[
        -3.419808e-7,
        1.8753206e-5,
        -0.00043362033,
        0.0055762357,
        -0.044890445,
        -0.47203675,
        -1.1435597,
        -1.000713,
    ],
    range: [0.0, 12.9375],
    error: 6e-4,
};
/// `sin(x) / x` in the square of x.
pub const SIN_BF16: Polynomial = Polynomial {
    name: "sin_bf16",
    coefficients: &[0.0076021976, -0.16595879, 0.9998916],
    range: [0.0, 2.47],
    error: 1.2e-4,
};
/// `tan(x) / x` in the square of x.
pub const TAN_BF16: Polynomial = Polynomial {
    name: "tan_bf16",
    coefficients: &[0.0944304, 0.1157464, 0.3356248, 0.9999548],
    range: [0.0, 0.62],
    error: 5e-5,
};
/// `asin(x) / x` in the square of x.
pub const ASIN_BF16: Polynomial = Polynomial {
    name: "asin_bf16",
    coefficients: &[0.18865182, 0.9992669],
    range: [0.0, 0.25],
    error: 7.5e-4,
};
/// `acos(x) / √(1 - x)`
pub const ACOS_BF16: Polynomial = Polynomial {
    name: "acos_bf16",
    coefficients: &[0.04646139, -0.20187669, 1.570182],
    range: [0.0, 1.0],
    error: 4e-4,
};
/// `atan(x) / x` in the square of x.
pub const ATAN_BF16: Polynomial = Polynomial {
    name: "atan_bf16",
    coefficients: &[-0.044328876, 0.1555827, -0.3258104, 0.9997881],
    range: [0.0, 1.0],
    error: 2.2e-4,
};

/// All of them.
pub const POLYNOMIALS: &[Polynomial] = &[
    RECIP,
    EXP,
    LOG,
    LOG_CUBIC,
    SIN,
    COS,
    TANH,
    ERF,
    ERFC,
    GELU_SMALL,
    GELU_MIDDLE,
    GELU_TAIL,
    EXPM1,
    ATAN,
    ASIN,
    ERFCX,
    CBRT,
    EXP2_BF16,
    EXPM1_BF16,
    LOG_BF16,
    LOG2_BF16,
    CBRT_BF16,
    TANH_BF16,
    ERF_BF16,
    ERFC_BF16,
    GELU_BF16,
    SIN_BF16,
    TAN_BF16,
    ASIN_BF16,
    ACOS_BF16,
    ATAN_BF16,
];

/// The constants of powers, `x^y = 2^(y · log2 x)`, besides the polynomials.
pub mod power {
    /// Upper bits of a float: 12 of its significand.
    pub const UPPER: u32 = 0xffff_f000;
    /// `1 / ln 2`, its upper 12 bits, and the rest.
    pub const LOG2_E: [f32; 3] = [std::f32::consts::LOG2_E, 1.442_871_1, -0.000_176_052_85];
    /// Exponents y are clamped to these magnitudes: 2^-60 and 2^32. Then powers of all x but 0, 1
    /// and infinity are 1, or 0 or infinite.
    pub const EXPONENTS: [f32; 2] = [8.673_617_4e-19, 4_294_967_296.0];
    /// The value used for the logarithm of infinity, and negated for that of 0: 2^70.
    pub const LOG_OF_INFINITY: f32 = 1_180_591_620_717_411_303_424.0;
    /// Bounds on the logarithm of a result: below them the result is 0, above them infinite.
    pub const LOGARITHMS: [f32; 2] = [-126.0, 129.0];
}
