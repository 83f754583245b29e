//! Every MAU opcode of the table, with every operand suffix, compared with the sums of sections
//! 3.6.9.2 to 3.6.9.26. The operands are small whole numbers, so that products and sums are exact
//! in every format.

use tessera_isa_mncore::memory::Precision;
use tessera_isa_mncore::table::mau::{Half, MauOp, Port};
use tessera_mncore::geometry::{Geometry, CYCLES, PES};
use tessera_mncore::machine::{Machine, Options};

use super::common::run_on;
use super::stated::same;

const GEOMETRY: Geometry = Geometry {
    groups: 1,
    l2bs: 1,
    l1bs: 1,
    mabs: 4,
};
const MABS: usize = 4;

/// A floating-point format: word size and mantissa size in bits, and exponent bias.
#[derive(Clone, Copy, PartialEq)]
pub struct Format(pub u32, u32, i32);

pub const DOUBLE: Format = Format(64, 52, 1023);
pub const SINGLE: Format = Format(32, 23, 127);
pub const HALF: Format = Format(16, 9, 31);

impl Format {
    /// Returns the word of a whole number.
    pub fn word(self, number: i32) -> u128 {
        let Format(bits, mantissa, bias) = self;
        if number == 0 {
            return 0;
        }
        let double = f64::from(number.abs()).to_bits();
        let exponent = (double >> 52) as i32 - 1023 + bias;
        let fraction = (double & ((1 << 52) - 1)) >> (52 - mantissa);
        let sign = u64::from(number < 0) << (bits - 1);
        u128::from(sign | (exponent as u64) << mantissa | fraction)
    }

    /// Returns the formats that conversions with `e` and with `r` read.
    fn neighbour(self, suffix: &str) -> Option<Format> {
        match (suffix, self) {
            ("", _) => Some(self),
            ("e", DOUBLE) => Some(SINGLE),
            ("e", SINGLE) => Some(HALF),
            ("r", HALF) => Some(SINGLE),
            _ => None,
        }
    }
}

/// The values of one operand: for each cycle, MAB and PE, its elements.
type Numbers = Vec<Vec<i32>>;

/// Returns the index of a PE's values in [`Numbers`].
const fn place(cycle: usize, mab: usize, pe: usize) -> usize {
    (cycle * MABS + mab) * PES + pe
}

/// The number of elements of an operand or of the result in each PE, and their format without
/// suffix.
fn elements(op: MauOp, port: Port) -> (usize, Format) {
    match (op.precision, port) {
        (Precision::Double, _) => (1, DOUBLE),
        (Precision::Half, Port::C) => (4, SINGLE),
        (Precision::Half, _) => (4, HALF),
        (Precision::Single, Port::Vector) => (1, SINGLE),
        _ => (2, SINGLE),
    }
}

/// Returns an operand `$llm0v` as wide as its elements: its text without `v`.
fn operand(bank: char, count: usize, format: Format) -> String {
    let width = match count * format.0 as usize {
        32 => "",
        64 => "l",
        _ => "ll",
    };
    format!("${width}{bank}0")
}

/// Returns two long words with elements from the most significant end.
fn packed(numbers: &[i32], format: Format) -> u128 {
    let places = numbers.iter().enumerate();
    places.fold(0, |all, (index, number)| {
        all | format.word(*number) << (128 - format.0 as usize * (index + 1))
    })
}

/// Stores an operand at a long word address for an access with `v`.
fn poke(machine: &mut Machine, bank: usize, first: usize, numbers: &Numbers, format: Format) {
    for cycle in 0..CYCLES {
        for lane in 0..MABS * PES {
            let elements = &numbers[cycle * MABS * PES + lane];
            let words = packed(elements, format);
            let (high, low) = ((words >> 64) as u64, words as u64);
            let mut put = |address: usize, word: u64, mask: u64| {
                let long = &mut machine.blocks[0].memory[bank].plane_mut(first + address)[lane];
                *long = *long & !mask | word & mask;
            };
            match elements.len() * format.0 as usize {
                32 if cycle % 2 == 1 => put(cycle / 2, high >> 32, u64::MAX >> 32),
                32 => put(cycle / 2, high, u64::MAX << 32),
                64 => put(cycle, high, u64::MAX),
                _ => {
                    put(2 * cycle, high, u64::MAX);
                    put(2 * cycle + 1, low, u64::MAX);
                }
            }
        }
    }
}

/// Returns the result of an access with `v` from `$n0` on.
fn peek(machine: &Machine, cycle: usize, lane: usize, bits: usize) -> u128 {
    let long = |address: usize| u128::from(machine.blocks[0].memory[3].plane(address)[lane]);
    match bits {
        32 if cycle % 2 == 1 => long(cycle / 2) << 96,
        32 => long(cycle / 2) >> 32 << 96,
        64 => long(cycle) << 64,
        _ => long(2 * cycle) << 64 | long(2 * cycle + 1),
    }
}

/// The rows of a matrix for each MAB.
type Matrices = Vec<Vec<Vec<i32>>>;

struct Case {
    op: MauOp,
    /// For each port, a suffix and whether it has a minus.
    forms: Vec<(&'static str, bool)>,
}

impl Case {
    /// Returns the instruction in the manual's syntax.
    fn text(&self) -> String {
        let row = self.op.kind.row();
        let mut text = self.op.mnemonic();
        if row.matrix {
            text += " $lx";
        }
        for (port, (suffix, minus)) in row.ports.iter().zip(&self.forms) {
            let (count, format) = elements(self.op, *port);
            let bank = ['r', 's', 'm'][bank(*port)];
            let stored = format.neighbour(suffix).unwrap_or(format);
            let mut place = operand(bank, count, stored);
            // Single precision block floats are the upper words of long words.
            place += if is_upper_word(self.op, *port) {
                "v2"
            } else {
                "v"
            };
            text += &format!(" {}{place}{suffix}", if *minus { "-" } else { "" });
        }
        let (count, format) = self.result();
        text + &format!(" {}v $omr1", operand('n', count, format))
    }

    /// Elements of the result in each PE, and their format.
    fn result(&self) -> (usize, Format) {
        let (count, format) = elements(self.op, Port::C);
        match (self.op.narrow, format) {
            (true, DOUBLE) => (count, SINGLE),
            (true, _) => (count, HALF),
            _ => (count, format),
        }
    }

    fn is_legal(&self) -> bool {
        let ports = self.op.kind.row().ports.iter().zip(&self.forms);
        let mut formats =
            ports.map(|(port, (suffix, _))| elements(self.op, *port).1.neighbour(suffix));
        let parsed = tessera_isa_mncore::parse(&self.text());
        formats.all(|format| format.is_some())
            && parsed.is_ok_and(|program| tessera_isa_mncore::check(&program).is_empty())
    }

    /// Returns the values of the manual's formula.
    fn expected(&self, matrices: &Matrices, inputs: &[Numbers]) -> Numbers {
        let row = self.op.kind.row();
        let number = |port: Port, place: usize, element: usize| {
            let index = row.ports.iter().position(|one| *one == port)?;
            let number = inputs[index][place][element];
            Some(if self.forms[index].1 { -number } else { number })
        };
        let counts = |index: usize| match self.op.half {
            Some(Half::Upper) => index < 2,
            Some(Half::Lower) => index >= 2,
            None => true,
        };
        let (per_pe, _) = self.result();
        let mut results = Vec::new();
        for (cycle, mab, pe) in places() {
            let element = |element: usize| {
                let here = place(cycle, mab, pe);
                let product = if row.matrix {
                    let index = pe * per_pe + element;
                    let (per_vector, _) = elements(self.op, Port::Vector);
                    let columns = matrices[mab][index].len();
                    // Single precision uses every other column.
                    let step = columns / (per_vector * PES);
                    let sum = (0..per_vector * PES).map(|j| {
                        let (pe, element) = (j / per_vector, j % per_vector);
                        let x = number(Port::Vector, place(cycle, mab, pe), element);
                        matrices[mab][index][j * step] * x.expect("it has a vector")
                    });
                    sum.sum::<i32>() * i32::from(counts(index))
                } else {
                    let x = number(Port::A, here, element).expect("it has a first operand");
                    x * number(Port::B, here, element).unwrap_or(1) * i32::from(counts(pe))
                };
                product + number(Port::C, here, element).unwrap_or(0)
            };
            results.push((0..per_pe).map(element).collect());
        }
        results
    }

    fn check(&self, random: &mut impl FnMut() -> i32) {
        let row = self.op.kind.row();
        let mut machine = Machine::new(Options {
            geometry: GEOMETRY,
            ..Options::default()
        });
        let mut numbers = |count: usize| -> Numbers {
            let pe = |_| (0..count).map(|_| random()).collect();
            (0..CYCLES * MABS * PES).map(pe).collect()
        };
        let inputs: Vec<_> = row
            .ports
            .iter()
            .map(|port| numbers(elements(self.op, *port).0))
            .collect();
        let mut program = String::new();
        let mut matrices = Matrices::new();
        if row.matrix {
            matrices = load_matrices(&mut machine, self.op, &mut numbers, &mut program);
        }
        for ((port, (suffix, _)), numbers) in row.ports.iter().zip(&self.forms).zip(&inputs) {
            let (_, format) = elements(self.op, *port);
            let stored = format.neighbour(suffix).expect("it is legal");
            if *port == Port::Vector {
                // The ALU converts to block floats; a single is in the upper word of a long word.
                let padded = numbers
                    .iter()
                    .map(|pe| match is_upper_word(self.op, *port) {
                        true => vec![pe[0], 0],
                        false => pe.clone(),
                    });
                poke(&mut machine, 0, 32, &padded.collect(), stored);
                program += &format!("{} $lr64v $lr0v\n", conversion(self.op.precision));
            } else {
                poke(&mut machine, bank(*port), 0, numbers, stored);
            }
        }
        let text = self.text();
        program += &text;
        run_on(&mut machine, &program).unwrap_or_else(|error| panic!("{program}\n{error}"));
        let (count, format) = self.result();
        for ((cycle, mab, pe), expect) in places().zip(self.expected(&matrices, &inputs)) {
            let lane = mab * PES + pe;
            let got = peek(&machine, cycle, lane, count * format.0 as usize);
            assert_eq!(
                got,
                packed(&expect, format),
                "{text}: {cycle} {mab} {pe} {expect:?}"
            );
            // 3.6.9.26: a flag is the sign inverted, repeated to four bits.
            let flag = |bit: usize| u8::from(expect[bit * count / 4] >= 0) << (3 - bit);
            let flags = machine.blocks[0].masks[1].cycle(cycle)[lane];
            assert_eq!(flags, (0..4).map(flag).sum::<u8>(), "{text}: {expect:?}");
        }
    }
}

/// Cycles, MABs and PEs in the order of [`Numbers`].
fn places() -> impl Iterator<Item = (usize, usize, usize)> {
    (0..CYCLES * MABS * PES).map(|at| (at / (MABS * PES), at / PES % MABS, at % PES))
}

/// The memory an operand lies in: GRF0, GRF1 or LM0.
fn bank(port: Port) -> usize {
    match port {
        Port::Vector | Port::A => 0,
        Port::B => 1,
        Port::C => 2,
    }
}

fn is_upper_word(op: MauOp, port: Port) -> bool {
    (op.precision, port) == (Precision::Single, Port::Vector)
}

fn conversion(precision: Precision) -> &'static str {
    match precision {
        Precision::Double => "dbfn",
        Precision::Single => "fbfn",
        Precision::Half => "hbfn/9",
        _ => "gbfn",
    }
}

/// Loads a matrix into register x of every MAB: by rows, four or eight at a time.
fn load_matrices(
    machine: &mut Machine,
    op: MauOp,
    numbers: &mut impl FnMut(usize) -> Numbers,
    program: &mut String,
) -> Matrices {
    let (per_pe, steps, wide, format) = match op.precision {
        Precision::Double => (1, 1, "", DOUBLE),
        Precision::Half => (8, 2, "l", HALF),
        _ => (2, 2, "", SINGLE),
    };
    let mut matrices: Matrices = vec![Vec::new(); MABS];
    for step in 0..steps {
        let rows = numbers(per_pe);
        poke(machine, 3, 32 + 8 * step, &rows, format);
        let (from, to) = (64 + 16 * step, 4 * step * if wide == "l" { 2 } else { 1 });
        let precision = op.precision.letter();
        *program += &format!("{} $l{wide}n{from}v $nowrite\n", conversion(op.precision));
        *program += &format!("{precision}mwrite $aluf $l{wide}x{to}\n");
        for cycle in 0..CYCLES {
            for (mab, matrix) in matrices.iter_mut().enumerate() {
                // Half precision writes two rows in each cycle, one of each long word.
                for row in 0..per_pe.div_ceil(4) {
                    let columns = per_pe.min(4);
                    let of_pe = |pe: usize| &rows[place(cycle, mab, pe)][row * 4..][..columns];
                    matrix.push((0..PES).flat_map(of_pe).copied().collect());
                }
            }
        }
    }
    matrices
}

#[test]
fn every_opcode_with_every_form_of_its_operands() {
    const FORMS: [(&str, bool); 6] = [
        ("", false),
        ("", true),
        ("e", false),
        ("e", true),
        ("r", false),
        ("r", true),
    ];
    let mut state = 3u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005) + 1;
        (state >> 60) as i32 - 8
    };
    for op in MauOp::all() {
        let ports = op.kind.row().ports;
        let mut legal = 0;
        for number in 0..FORMS.len().pow(ports.len() as u32) {
            let form = |port: usize| FORMS[number / FORMS.len().pow(port as u32) % FORMS.len()];
            let case = Case {
                op,
                forms: (0..ports.len()).map(form).collect(),
            };
            if case.is_legal() {
                case.check(&mut random);
                legal += 1;
            }
        }
        // Both signs of each operand; and two formats, unless block floats are required.
        let forms = |port: &Port| if *port == Port::Vector { 2 } else { 4 };
        let expect: usize = ports.iter().map(forms).product();
        assert_eq!(legal, expect, "{}", op.mnemonic());
    }
}

/// Operands of matrix register writes can be negated, widened or narrowed (sections 3.6.9.22 to
/// 3.6.9.24).
#[test]
fn writes_of_matrix_registers() {
    for (prepare, with_form, without) in [
        (
            "dvpassa -$lm0v $lr64v",
            "dmwrite -$lm0v $lx0",
            "dmwrite $lr64v $lx0",
        ),
        (
            "dvpassa $m0ve $lr64v",
            "dmwrite $m0ve $lx0",
            "dmwrite $lr64v $lx0",
        ),
        (
            "dvpassa -$m0ve $lr64v",
            "dmwrite -$m0ve $lx0",
            "dmwrite $lr64v $lx0",
        ),
        (
            "fvpassa -$lm0v $lr64v",
            "fmwrite -$lm0v $ly4",
            "fmwrite $lr64v $ly4",
        ),
        (
            "fvpassa $m0ve $lr64v",
            "fmwrite $m0ve $ly0",
            "fmwrite $lr64v $ly0",
        ),
        (
            "fvpassa $m0ve $lr64v",
            "gmwrite $m0ve $lx4",
            "fmwrite $lr64v $lx4",
        ),
        // A single word has zeros beside it.
        (
            "zero $lr64v\nipassa $m0v $r64v2",
            "fmwrite $m0v $lx0",
            "fmwrite $lr64v $lx0",
        ),
        (
            "imm us\"0x8000\" $nowrite\nlxor $lm0v $aluf $lr64v",
            "hmwrite -$lm0v $lx4",
            "hmwrite $lr64v $lx4",
        ),
        (
            "hpassa $llm0vr $lr64v",
            "hmwrite $llm0vr $ly12",
            "hmwrite $lr64v $ly12",
        ),
        // Rows wrap around: those from 14 on are 14, 15, 0 and 1.
        (
            "hmwrite $lm10 $lx0\nhmwrite $lm10 $lx12",
            "hmwrite $lm0v $lx14",
            "hmwrite $lm[4,6,10,10] $lx0\nhmwrite $lm[10,10,0,2] $lx12",
        ),
    ] {
        same(
            &format!("{prepare}\n{with_form}"),
            &format!("{prepare}\n{without}"),
        );
    }
}
