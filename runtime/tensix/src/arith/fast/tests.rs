//! Every vectorisation level gives the same bits as the reference.

use tessera_test_support::is_long_run;

use super::*;
use crate::arith::spec::bits;
use crate::arith::spec::fpu::SrcStyle;
use crate::arith::spec::sfpu::Arithmetic;
use crate::arith::LANES;

/// Multiplies by fused multiply-adds if the operands permit; returns whether they do.
fn fused(
    level: Level,
    how: (Mode, Phase),
    a: &[Row; COLUMNS],
    b: &[Row; 8],
    (high, low): (&mut Block, &mut Block),
) -> bool {
    let ((mut columns, mut lines), [part_a, part_b]) = (Default::default(), Part::for_phase(how.1));
    decode_a(level, (how.0.style, part_a), a, &mut columns);
    decode_b(level, (how.0.style, part_b), b, &mut lines);
    let fits = fits(how.0.style, &columns, &lines);
    if fits {
        multiply(
            level,
            how,
            &columns,
            &lines,
            &mut Sums::default(),
            (high, low),
        );
    }
    fits
}

/// A linear congruential generator.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u32 {
        self.0 = self
            .0
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 32) as u32
    }

    fn below(&mut self, end: u32) -> u32 {
        ((u64::from(self.next()) * u64::from(end)) >> 32) as u32
    }

    /// Returns an exponent field around `middle`, of a zero, or arbitrary.
    fn exponent(&mut self, middle: u32, spread: u32, most: u32) -> u32 {
        match self.below(16) {
            0 => 0,
            1 => most,
            2 => self.next() & most,
            _ => (middle + self.below(spread)).min(most),
        }
    }

    fn src(&mut self, style: SrcStyle, spread: u32) -> u32 {
        let (middle, most) = exponents(style);
        let exponent = self.exponent(middle, spread, most);
        self.datum(exponent)
    }

    fn datum(&mut self, exponent: u32) -> u32 {
        let mantissa = match self.below(4) {
            0 => 0,
            1 => 0x3FF,
            _ => self.next() & 0x3FF,
        };
        (self.next() & 1) << 18 | mantissa << 8 | exponent
    }

    /// Returns rows whose exponents are unbounded or lie in a range, sometimes at its ends, and
    /// sometimes with zeros.
    fn rows<const N: usize>(&mut self, style: SrcStyle, spread: u32, bounded: bool) -> [Row; N] {
        let (middle, most) = exponents(style);
        let first = match self.below(4) {
            0 => self.below(most) + 1,
            1 => self.below(12) + 1,
            _ => middle,
        };
        let zeros = self.below(2) * 4;
        std::array::from_fn(|_| {
            std::array::from_fn(|_| match bounded {
                true if self.below(16) < zeros => self.datum(0),
                true => {
                    let exponent = (first + self.below(spread)).min(most);
                    self.datum(exponent)
                }
                false => self.src(style, spread),
            })
        })
    }

    fn f32(&mut self, middle: u32, spread: u32) -> u32 {
        let mantissa = match self.below(8) {
            0 => 0,
            1 => 0x7F_FFFF,
            2 => 1 << self.below(23),
            _ => self.next() & 0x7F_FFFF,
        };
        self.next() & 1 << 31 | self.exponent(middle, spread, 255) << 23 | mantissa
    }
}

/// Returns a middle exponent field of a format, and the largest.
fn exponents(style: SrcStyle) -> (u32, u32) {
    match style {
        SrcStyle::Fp16 => (12, 31),
        _ => (122, 255),
    }
}

/// Returns the number of iterations of a comparison: `many` in long tests.
fn rounds(few: usize, many: usize) -> usize {
    if is_long_run() {
        many
    } else {
        few
    }
}

/// Returns the best level in most iterations, and all levels in some.
fn levels(round: usize) -> Vec<Level> {
    match round % 8 {
        0 => Level::all(),
        _ => vec![Level::best()],
    }
}

/// Splits a number in IEEE order into its halves.
fn to_halves(accumulator: Accumulator, x: u32) -> (u16, u16) {
    match accumulator {
        Accumulator::F32 => {
            let raw = bits::dst_from_fp32(x);
            ((raw >> 16) as u16, raw as u16)
        }
        Accumulator::Bf16 => (bits::dst_from_bf16(x as u16), 0),
        Accumulator::Fp16 => (bits::dst_from_fp16(x as u16), 0),
    }
}

type Block = [[u16; COLUMNS]; 8];

/// Returns rows of Dst with exponents close to those of products of the sources.
fn dst(numbers: &mut Numbers, mode: Mode, spread: u32) -> ([Row; 8], Block, Block) {
    let rows: [Row; 8] = std::array::from_fn(|_| {
        std::array::from_fn(|_| match mode.accumulator() {
            Accumulator::F32 => numbers.f32(120, spread + 8),
            Accumulator::Bf16 => numbers.f32(120, spread + 8) >> 16,
            Accumulator::Fp16 => numbers.next() & 0xFFFF,
        })
    });
    let half = |which: fn((u16, u16)) -> u16| {
        rows.map(|row| row.map(|x| which(to_halves(mode.accumulator(), x))))
    };
    (rows, half(|x| x.0), half(|x| x.1))
}

fn modes(style: SrcStyle) -> [Mode; 4] {
    [(true, true), (true, false), (false, true), (false, false)].map(|(dst32, minus_one_bug)| {
        Mode {
            style,
            dst32,
            minus_one_bug,
        }
    })
}

/// For each format, phase and width of Dst 10^6 elements, or 10^9 if long tests are wanted:
/// half with a fault of the hardware, half without.
fn blocks() -> usize {
    rounds(4000, 4_000_000)
}

/// Compares the Dst that a level produces with the reference's in IEEE order.
fn compare(mode: Mode, expected: &[Row; 8], high: &Block, low: &Block, what: &dyn std::fmt::Debug) {
    for (row, expected) in expected.iter().enumerate() {
        for (lane, &expected) in expected.iter().enumerate() {
            let (upper, lower) = to_halves(mode.accumulator(), expected);
            let found = (high[row][lane], low[row][lane]);
            let expected = if mode.dst32 {
                (upper, lower)
            } else {
                (upper, low[row][lane])
            };
            assert_eq!(found, expected, "{mode:?} {what:?}, row {row}, lane {lane}");
        }
    }
}

fn check_products(style: SrcStyle) {
    for (number, mode) in modes(style).into_iter().enumerate() {
        for phase in Phase::ALL {
            let mut numbers = Numbers(number as u64 * 4 + u64::from(phase.index()));
            let mut fused_rounds = 0;
            for round in 0..blocks() {
                let spread = 1 << (round % 6);
                let bounded = round % 4 != 0;
                let a: [Row; COLUMNS] = numbers.rows(mode.style, spread, bounded);
                let b: [Row; 8] = numbers.rows(mode.style, spread, bounded);
                let (held, high, low) = dst(&mut numbers, mode, spread);
                let operands = a.map(|row| mode.decode_a(&row, phase));
                let expected: [Row; 8] = std::array::from_fn(|m| {
                    mode.dot(phase, &operands, &mode.decode_b(&b[m], phase), &held[m])
                });
                for level in levels(round) {
                    let how = (mode, phase);
                    let mut halves = (high, low);
                    if fused(level, how, &a, &b, (&mut halves.0, &mut halves.1)) {
                        compare(mode, &expected, &halves.0, &halves.1, &(phase, level));
                        fused_rounds += 1;
                    }
                    let (mut high, mut low) = (high, low);
                    multiply_integers(level, how, &a, &b, (&mut high, &mut low));
                    compare(mode, &expected, &high, &low, &(phase, level, "integers"));
                }
            }
            assert!(
                2 * fused_rounds > blocks(),
                "{mode:?} {phase:?}: {fused_rounds} fit"
            );
        }
    }
}

fn check_elements(style: SrcStyle) {
    for (number, mode) in modes(style).into_iter().enumerate() {
        for operation in [Operation::Add, Operation::Subtract, Operation::Multiply] {
            for phase in Phase::ALL {
                if operation != Operation::Multiply && phase.index() != 0 {
                    continue;
                }
                let mut numbers = Numbers(number as u64 * 4 + u64::from(phase.index()));
                for round in 0..blocks() {
                    let spread = 1 << (round % 6);
                    let mut row =
                        || -> Row { std::array::from_fn(|_| numbers.src(mode.style, spread)) };
                    let (a, b): ([Row; 8], [Row; 8]) = (
                        std::array::from_fn(|_| row()),
                        std::array::from_fn(|_| row()),
                    );
                    let (held, high, low) = dst(&mut numbers, mode, spread);
                    for accumulates in [true, false] {
                        let element = |m: usize, n: usize| {
                            let held = if accumulates { held[m][n] } else { 0 };
                            mode.elementwise(operation, phase, a[m][n], b[m][n], held)
                        };
                        let expected =
                            std::array::from_fn(|m| std::array::from_fn(|n| element(m, n)));
                        for level in levels(round) {
                            let (mut high, mut low) = (high, low);
                            let how = (mode, operation, phase, accumulates);
                            elementwise(level, how, &a, &b, (&mut high, &mut low));
                            compare(
                                mode,
                                &expected,
                                &high,
                                &low,
                                &(operation, phase, level, accumulates),
                            );
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn products_of_bf16() {
    check_products(SrcStyle::Bf16);
}

#[test]
fn products_of_tf32() {
    check_products(SrcStyle::Tf32);
}

#[test]
fn products_of_fp16() {
    check_products(SrcStyle::Fp16);
}

#[test]
fn elements_of_bf16() {
    check_elements(SrcStyle::Bf16);
}

#[test]
fn elements_of_tf32() {
    check_elements(SrcStyle::Tf32);
}

#[test]
fn elements_of_fp16() {
    check_elements(SrcStyle::Fp16);
}

/// Returns a mask of lanes: all, or different ones in each round.
fn some_lanes(round: usize) -> u32 {
    match round % 3 {
        0 => u32::MAX,
        _ => (round as u32).wrapping_mul(0x9E37_79B9),
    }
}

/// Compares lanes with arbitrary exponents, and lanes whose product and addend are within two
/// binades.
#[test]
fn multiply_adds_are_the_references() {
    let mut numbers = Numbers(7);
    for round in 0..rounds(4000, 40_000_000) {
        let spread = 1 << (round % 8);
        let mut lanes =
            |middle: u32| -> Lanes { std::array::from_fn(|_| numbers.f32(middle, spread)) };
        let (a, b) = (lanes(127 - spread / 2), lanes(127 - spread / 2));
        let mut c = lanes(128 - spread);
        if round % 2 == 0 {
            for lane in 0..LANES {
                let exponent = (a[lane] >> 23 & 0xFF) as i32 + (b[lane] >> 23 & 0xFF) as i32 - 127;
                let near = (exponent + numbers.below(5) as i32 - 2).clamp(0, 255) as u32;
                c[lane] = c[lane] & 0x807F_FFFF | near << 23;
            }
        }
        for how in [Arithmetic::Wormhole, Arithmetic::Blackhole] {
            let one = how.mad();
            let expected: Lanes = std::array::from_fn(|l| one(a[l], b[l], c[l]));
            for level in levels(round) {
                let found = mad(level, how, &a, &b, &c);
                let (lanes, to) = (some_lanes(round), round % 4);
                let mut registers = [a, b, c, [7; LANES]];
                let before = registers[to];
                mad_registers(level, how, &mut registers, [0, 1, 2, to], lanes);
                let kept = |l: usize| match lanes >> l & 1 {
                    0 => before[l],
                    _ => found[l],
                };
                assert_eq!(
                    registers[to],
                    std::array::from_fn(kept),
                    "{level:?} {lanes:#x}"
                );
                for l in 0..LANES {
                    let (x, y, z) = (a[l], b[l], c[l]);
                    assert_eq!(
                        found[l], expected[l],
                        "{how:?}, {level:?}: {x:#010x}·{y:#010x} + {z:#010x}, found {:#010x}",
                        found[l]
                    );
                }
            }
        }
    }
}

/// Results around the ends of the normal range whose significands are nearly powers of two.
#[test]
fn multiply_adds_at_the_ends_of_the_range_are_the_references() {
    let mut numbers = Numbers(8);
    for round in 0..rounds(4000, 4_000_000) {
        let mut near_power = |exponent: i32| {
            let mantissa = numbers.below(8).wrapping_sub(4) & 0x7F_FFFF;
            let sign = numbers.next() & 1 << 31;
            let exponent = exponent + numbers.below(6) as i32 - 3;
            sign | (exponent.clamp(0, 254) as u32) << 23 | mantissa
        };
        let end = [0, 0, -24, 254][round % 4];
        let triples: [[u32; 3]; LANES] = std::array::from_fn(|lane| {
            let c = if lane % 2 == 0 { 0 } else { end };
            [
                near_power(127 + end / 2),
                near_power(127 + end / 2 - end % 2),
                near_power(c),
            ]
        });
        let [mut a, mut b, c] = [0, 1, 2].map(|k| triples.map(|triple| triple[k]));
        if end <= 0 {
            a.iter_mut().for_each(|x| *x -= 63 << 23);
            b.iter_mut().for_each(|x| *x -= 64 << 23);
        }
        for how in [Arithmetic::Wormhole, Arithmetic::Blackhole] {
            let expected: Lanes = std::array::from_fn(|l| how.mad()(a[l], b[l], c[l]));
            for level in levels(round) {
                let found = mad(level, how, &a, &b, &c);
                assert_eq!(
                    found, expected,
                    "{how:?}, {level:?}: {a:x?}·{b:x?} + {c:x?}"
                );
            }
        }
    }
}

/// All 16-bit numbers as one operand, combined with some others.
#[test]
fn all_numbers_of_sixteen_bits() {
    for mode in [SrcStyle::Bf16, SrcStyle::Fp16].into_iter().flat_map(modes) {
        let (datum, one): (fn(u16) -> u32, u16) = match mode.style {
            SrcStyle::Fp16 => (bits::src_from_fp16, 0x3C00),
            _ => (bits::src_from_bf16, 0x3F80),
        };
        for (operation, other) in [
            (Operation::Multiply, one),
            (Operation::Multiply, one | 0x8055),
            (Operation::Add, 0),
            (Operation::Add, one),
            (Operation::Subtract, one),
        ] {
            let b = [[datum(other); COLUMNS]; 8];
            for block in 0..512_u16 {
                let a: [Row; 8] = std::array::from_fn(|row| {
                    let number = |column| block << 7 | (row << 4 | column) as u16;
                    std::array::from_fn(|column| datum(number(column)))
                });
                let phase = Phase::new(0);
                let one = |x| mode.elementwise(operation, phase, x, datum(other), 0);
                let expected = a.map(|row| row.map(one));
                let (mut high, mut low) = ([[0; COLUMNS]; 8], [[0; COLUMNS]; 8]);
                let how = (mode, operation, phase, false);
                elementwise(Level::best(), how, &a, &b, (&mut high, &mut low));
                compare(mode, &expected, &high, &low, &(operation, other, block));
            }
        }
    }
}

/// Sums that do not accumulate are computed in floats of the host, unless an exponent is so large
/// that these would overflow. All pairs of exponents near each other, near the ends of the range
/// and near that limit, with mantissas that make ties.
#[test]
fn sums_of_all_exponents() {
    const MANTISSAS: [u32; 6] = [0, 1, 8, 0x200, 0x3F8, 0x3FF];
    for mode in [SrcStyle::Bf16, SrcStyle::Tf32, SrcStyle::Fp16]
        .map(modes)
        .as_flattened()
    {
        let (_, most) = exponents(mode.style);
        let exponents = (0..=most).filter(|e| most == 31 || !(30..=220).contains(e));
        for (x, operation) in
            exponents.flat_map(|x| [(x, Operation::Add), (x, Operation::Subtract)])
        {
            // A row for each distance of the exponents; a lane for each pair of signs.
            for distances in (0..16).collect::<Vec<u32>>().chunks(8) {
                for mantissas in MANTISSAS.iter().flat_map(|x| MANTISSAS.map(|y| [*x, y])) {
                    let [a, b] = [0, 1].map(|which| -> [Row; 8] {
                        std::array::from_fn(|row| {
                            std::array::from_fn(|lane| {
                                // The other operand is smaller in half of the lanes.
                                let is_small = (lane >> 2 & 1 == 1) != (which == 0);
                                let by = if is_small { distances[row] } else { 0 };
                                let sign = (lane >> which & 1) as u32;
                                let mantissa = mantissas[which] ^ (lane >> 3 << 9) as u32;
                                sign << 18 | mantissa << 8 | x.saturating_sub(by)
                            })
                        })
                    });
                    let phase = Phase::new(0);
                    let one = |m: usize, n: usize| {
                        mode.elementwise(operation, phase, a[m][n], b[m][n], 0)
                    };
                    let expected = std::array::from_fn(|m| std::array::from_fn(|n| one(m, n)));
                    for level in Level::all() {
                        let (mut high, mut low) = ([[7; COLUMNS]; 8], [[7; COLUMNS]; 8]);
                        let how = (*mode, operation, phase, false);
                        elementwise(level, how, &a, &b, (&mut high, &mut low));
                        compare(*mode, &expected, &high, &low, &(operation, x, level));
                    }
                }
            }
        }
    }
}

/// Results of ttsim 1.10.0 where IEEE 754 differs, at every level, in one lane of many.
#[test]
fn points_where_the_hardware_is_not_ieee() {
    let mode = |dst32| Mode {
        style: SrcStyle::Bf16,
        dst32,
        minus_one_bug: true,
    };
    let (one, minus_one) = (0x3F80_u16, 0xBF80_u16);
    let power = |exponent: u16| (127 - exponent) << 7;
    // The products k·1, the positions of those that are not zero, Dst, the result.
    let dots: &[(&[(usize, u16)], u32, u32)] = &[
        (&[(0, one), (1, power(11))], 0, 0x3F80_2000), // in one group
        (&[(0, one), (1, power(12))], 0, 0x3F80_0000),
        (&[(0, one), (8, power(12))], 0, 0x3F80_0800), // across groups, exact
        (&[(0, one), (8, power(24))], 0, 0x3F80_0001), // half up
        (&[(0, one), (1, minus_one)], 0, 0),
        (&[(0, one)], 0x0000_0001, 0x3F80_0000), // a denormal in Dst is zero
        (&[], 0x7FC0_0000, 0x7F80_0000),         // a NaN there is infinity
        (&[], 0x8000_0000, 0),
    ];
    for level in Level::all() {
        for (products, held, expected) in dots {
            let mut a = [[0; COLUMNS]; COLUMNS];
            products
                .iter()
                .for_each(|&(k, x)| a[k] = [bits::src_from_bf16(x); COLUMNS]);
            let b = [[bits::src_from_bf16(one); COLUMNS]; 8];
            let (upper, lower) = to_halves(Accumulator::F32, *held);
            let (mut high, mut low) = ([[upper; COLUMNS]; 8], [[lower; COLUMNS]; 8]);
            let how = (mode(true), Phase::new(0));
            let (mut high_too, mut low_too) = (high, low);
            assert!(fused(level, how, &a, &b, (&mut high_too, &mut low_too)));
            multiply_integers(level, how, &a, &b, (&mut high, &mut low));
            assert_eq!((high_too, low_too), (high, low), "{level:?} {products:?}");
            compare(
                mode(true),
                &[[*expected; COLUMNS]; 8],
                &high,
                &low,
                &products,
            );
        }
        for (dst32, x, y, expected) in [
            (true, one, power(11), 0x3F80_2000),
            (true, one, power(12), 0x3F80_0000),
            (false, one, power(8), 0x3F81), // half away from zero, not to even
            (true, 0, 0x8000, 0),
            (true, one, minus_one, 0),
        ] {
            let [a, b] = [x, y].map(|x| [[bits::src_from_bf16(x); COLUMNS]; 8]);
            let (mut high, mut low) = ([[0; COLUMNS]; 8], [[0; COLUMNS]; 8]);
            let how = (mode(dst32), Operation::Add, Phase::new(0), false);
            elementwise(level, how, &a, &b, (&mut high, &mut low));
            compare(mode(dst32), &[[expected; COLUMNS]; 8], &high, &low, &(x, y));
        }
    }
}

#[test]
fn piecewise_functions_equal_the_specification() {
    use crate::arith::spec::sfpu::lut::{piece, Table, FOUR, THREE};
    let mut numbers = Numbers(12);
    let tables = [
        Table::Bytes,
        Table::Halves,
        Table::Words,
        Table::SixPieces { last: THREE },
        Table::SixPieces { last: FOUR },
    ];
    for round in 0..if is_long_run() { 1_000_000 } else { 2_000 } {
        let mut lanes = || -> Lanes {
            std::array::from_fn(|_| match numbers.below(4) {
                0 => numbers.next(),
                // Around the ends of pieces.
                _ => numbers.next() & 0x81FF_FFFF | 0x3E00_0000,
            })
        };
        let registers: [Lanes; 8] = std::array::from_fn(|_| lanes());
        let how = Linear {
            table: tables[round % tables.len()],
            keeps_sign: numbers.below(2) != 0,
            argument: 3,
            second: 4,
            dest: numbers.below(8) as usize,
        };
        for arithmetic in [Arithmetic::Wormhole, Arithmetic::Blackhole] {
            let mut used = [false; PIECES];
            let expected: Lanes = std::array::from_fn(|l| {
                let argument = registers[how.argument][l];
                let magnitude = argument & !(1 << 31);
                let piece = piece(magnitude);
                used[piece] = true;
                let [first, second] = [0, how.second].map(|at| registers[at + piece][l]);
                let (a, c) = how.table.coefficients(magnitude, first, second);
                let result = arithmetic.mad()(a, magnitude, c);
                match how.keeps_sign {
                    true => result & !(1 << 31) | argument & 1 << 31,
                    false => result,
                }
            });
            for level in Level::all() {
                let mut found = registers;
                let found_used = linear(level, arithmetic, how, &mut found);
                let mut wanted = registers;
                wanted[how.dest] = expected;
                assert_eq!(
                    (found, found_used),
                    (wanted, used),
                    "{how:?} {arithmetic:?} {level:?}"
                );
            }
        }
    }
}

/// Every combination of formats that a pooling can have, with ties, zeros and marked rows.
#[test]
fn maxima_equal_the_specification() {
    use crate::arith::spec::pool::{DstFormat, Pooling, SrcReading};
    let mut numbers = Numbers(5);
    let floats = [SrcStyle::Bf16, SrcStyle::Tf32, SrcStyle::Fp16];
    for round in 0..rounds(2_000, 100_000) {
        let (from, style) = match numbers.below(4) {
            3 => (SrcReading::Integers, SrcStyle::Fp16),
            k => (SrcReading::Floats(floats[k as usize]), floats[k as usize]),
        };
        let to = match (from, numbers.below(2)) {
            (SrcReading::Integers, _) => DstFormat::Integers,
            (_, 0) => DstFormat::Tf32,
            _ if style == SrcStyle::Fp16 => DstFormat::Fp16,
            _ if style == SrcStyle::Tf32 => DstFormat::Integers,
            _ => DstFormat::Bf16,
        };
        let pooling = Pooling {
            from,
            to,
            indices: numbers.below(2) != 0,
        };
        let mut rows: [Row; COLUMNS] = numbers.rows(style, 3, true);
        // Few mantissas, for ties; integers also have zeros of both signs.
        let few = [0x7_FFFF, 0x4_03FF, 0x4_00FF][numbers.below(3) as usize];
        rows.as_flattened_mut().iter_mut().for_each(|x| *x &= few);
        let [scales]: [Row; 1] = numbers.rows(style, 3, true);
        let held = std::array::from_fn(|_| match numbers.below(4) {
            0 => u32::MAX,
            1 => numbers.next() & 0x8000_0000,
            _ => numbers.next() & (few << 13 | 0xFFF),
        });
        let expected: Row = std::array::from_fn(|column| {
            pooling.column(held[column], |row| (rows[row][column], scales[row]))
        });
        for level in levels(round) {
            let found = pool::maxima(level, pooling, &rows, &scales, &held);
            assert_eq!(found, expected, "{level:?}, {pooling:?}");
        }
    }
}
