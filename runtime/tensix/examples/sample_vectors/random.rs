//! Pseudo-random bits, and numbers of the classes that the vectors name.

/// A linear congruential generator.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        let mut random = Random(seed ^ 0x9E37_79B9_7F4A_7C15);
        (0..4).for_each(|_| {
            random.bits();
        });
        random
    }

    pub fn bits(&mut self) -> u32 {
        self.0 = self
            .0
            .wrapping_mul(0x5851_F42D_4C95_7F2D)
            .wrapping_add(0x1405_7B7E_F767_814F);
        (self.0 >> 32) as u32 ^ (self.0 >> 61) as u32
    }

    pub fn below(&mut self, limit: u32) -> u32 {
        ((u64::from(self.bits()) * u64::from(limit)) >> 32) as u32
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u32) as usize]
    }
}

/// Classes of floats: anything; zeros, denormals, infinities and NaNs; exponents next to the
/// greatest and the least of any format; mantissas next to a tie; magnitudes near one.
pub const FLOATS: [&str; 5] = ["random", "special", "edge", "tie", "near"];

/// Returns a float of a class, with `exponent` and `mantissa` bits. Floats of fewer bits than FP32
/// come as FP32 does: sign, exponent, mantissa.
pub fn float(class: &str, (exponent, mantissa): (u32, u32), r: &mut Random) -> u32 {
    let (top, bias) = ((1 << exponent) - 1, (1 << (exponent - 1)) - 1);
    let all = (1_u32 << mantissa) - 1;
    let any = r.bits() & all;
    let (e, m) = match class {
        "special" => match r.below(6) {
            0 => (0, 0),
            1 => (0, any),
            2 => (0, r.pick(&[1, all, all >> 1, all ^ all >> 1])),
            3 => (top, 0),
            4 => (top, any),
            _ => (top, r.pick(&[1, all, all >> 1, all ^ all >> 1])),
        },
        "edge" => {
            // The ends of formats with 8, 5 and 4 bits of exponent.
            let ends = [0, bias - 15, bias - 14, bias - 7, bias + 8, bias + 16, top];
            let around = r.pick(&ends) + r.below(3);
            let m = r.pick(&[0, 1, all, all - 1, any]);
            (around.saturating_sub(1).min(top), m)
        }
        "tie" => {
            let lost = r.pick(&[1, 3, 7, 10, 13, 16, 17]).min(mantissa);
            let half = 1 << lost >> 1;
            let tail = r.pick(&[half, half - 1, half + 1, 0, (1 << lost) - 1]);
            let head = r.pick(&[any, all, any | 1 << lost]);
            (bias - 4 + r.below(8), (head >> lost << lost | tail) & all)
        }
        "near" => (bias - 3 + r.below(6), any),
        _ => (r.below(top + 1), any),
    };
    (r.bits() & 1) << (exponent + mantissa) | e << mantissa | m
}

/// Returns an FP32 of a class.
pub fn fp32(class: &str, r: &mut Random) -> u32 {
    float(class, (8, 23), r)
}

/// Classes of integers.
pub const INTEGERS: [&str; 4] = ["random", "special", "small", "ends"];

/// Returns 32 bits of a class of integers, either in two's complement or as sign and magnitude.
pub fn integer(class: &str, r: &mut Random) -> u32 {
    let sign = r.bits() << 31;
    match class {
        "special" => {
            let power = 1_u32 << r.below(32);
            let near = r.pick(&[power, power - 1, power + 1, 0, u32::MAX, 0x8000_0000]);
            r.pick(&[near, near ^ sign, near.wrapping_neg()])
        }
        "ends" => r.pick(&[0, 0, 1, 0x7FFF_FFFF, 0x8000_0000, u32::MAX]),
        "small" => {
            let small = r.below(300);
            r.pick(&[small, small | sign, small.wrapping_neg()])
        }
        _ => r.bits(),
    }
}

/// Classes of the operands of a sum of products, besides those of single floats.
pub const SUMS: [&str; 8] = [
    "near",
    "random",
    "cancel",
    "special",
    "infinity",
    "underflow",
    "overflow",
    "tie",
];

/// Returns `a`, `b` and `c` of `a * b + c`, of a class.
pub fn factors(class: &str, r: &mut Random) -> [u32; 3] {
    let with = |exponent: u32, r: &mut Random| r.bits() & 0x807F_FFFF | exponent << 23;
    match class {
        "cancel" => {
            let exponent = r.pick(&[127, 100, 1]) + r.below(4);
            let (a, b) = (with(exponent, r), r.pick(&[1.0_f32, 1.5]));
            let product = f32::from_bits(a) * b;
            let near = (product.to_bits() ^ 1 << 31) + r.below(5) - 2;
            [a, b.to_bits(), near]
        }
        "infinity" => {
            let near = [(); 3].map(|()| fp32("near", r));
            let infinity = 0x7F80_0000 | r.bits() << 31;
            let mut all = near;
            all[r.below(3) as usize] = infinity;
            all[r.below(3) as usize] = r.pick(&[infinity ^ 1 << 31, 0, near[0]]);
            all
        }
        "underflow" => {
            let (a, below) = (20 + r.below(80), r.below(30));
            let c = r.below(4);
            [
                with(a, r),
                with((130 - a).saturating_sub(below), r),
                with(c, r),
            ]
        }
        "overflow" => {
            let a = 200 + r.below(55);
            let (b, c) = (379 + r.below(5) - a, 250 + r.below(5));
            [with(a, r), with(b, r), with(c, r)]
        }
        "tie" => {
            // The last bits of one addend are about half of the last one of the other.
            let (c, apart) = (110 + r.below(30), 22 + r.below(5));
            let a = r.pick(&[0, 1, 0x40_0000, 0x20_0000, 0x7F_FFFF]) | (c - apart) << 23;
            let a = a | r.bits() << 31;
            let c = c << 23 | r.pick(&[0, 1, 2, 3, 0x7F_FFFF]) | r.bits() << 31;
            r.pick(&[[a, 0x3F80_0000, c], [0x3F80_0000, c, a]])
        }
        _ => [(); 3].map(|()| fp32(class, r)),
    }
}
