//! MAU instructions on the lanes of a block: arithmetic, and writes to and transposed reads of the
//! matrix registers.
//!
//! Manual, sections 3.6.9 to 3.6.11. [`crate::numerics`] contains the arithmetic itself. This
//! module converts inputs, distributes words over PEs and rows, and places results on the data
//! path.

use std::ops::Range;

use bytemuck::{cast_slice, cast_slice_mut};
use tessera_isa_mncore::ast::{Convert, Input, MatrixRows, Mau};
use tessera_isa_mncore::memory::{Precision, Side};
use tessera_isa_mncore::table::mau::Port;
use tessera_isa_mncore::table::Half as Rows;

use crate::block::Block;
use crate::bus::{Bus, Flags, Words};
use crate::geometry::{Geometry, CYCLES, PES};
use crate::matrix_register::{row_stride, Cached, MatrixRegister, MATRIX_ROWS};
use crate::numerics::batch;
use crate::numerics::batch::matrix::{Half, PseudoSingle, Single};
use crate::numerics::format::{self, Format};
use crate::numerics::{self, lanes, matrix, vector};
use crate::undetermined::{Undetermined, UndeterminedSet};

/// Returns the element format of a port, before `e` or `r`.
fn elements(precision: Precision, port: Port) -> Precision {
    match (precision, port) {
        // Half precision accumulates in single precision (section 3.6.9.1).
        (Precision::Half, Port::C) | (Precision::Pseudo, _) => Precision::Single,
        _ => precision,
    }
}

/// Returns the value of `input`, converted and negated; `precision` is the element format after
/// conversion. `visible` means that the bits are stored rather than used in arithmetic.
fn prepare<'a>(
    input: &Input,
    bits: u32,
    (precision, visible): (Precision, bool),
    block: &'a Block,
    bus: &'a mut Bus,
    undetermined: &mut UndeterminedSet,
) -> Words<'a> {
    if input.convert == Convert::None && !input.negate {
        return block.read(&input.source, bits, bus);
    }
    block.copy(&input.source, bits, bus);
    convert(input, precision, visible, bus, undetermined);
    bus.words()
}

/// Converts and negates an operand.
fn convert(
    input: &Input,
    precision: Precision,
    visible: bool,
    bus: &mut Bus,
    undetermined: &mut UndeterminedSet,
) {
    let sign = match precision {
        Precision::Double => 1 << 63,
        Precision::Half => 0x8000_8000_8000_8000,
        _ => 0x8000_0000_8000_0000,
    };
    for cycle in 0..CYCLES {
        let (high, low) = bus.cycle_mut(cycle);
        for (high, low) in high.iter_mut().zip(low) {
            [*high, *low] = match (input.convert, precision) {
                (Convert::None, _) => [*high, *low],
                (Convert::Narrow, _) if visible => [
                    numerics::convert::narrow_singles([*high, *low], undetermined),
                    0,
                ],
                // Arithmetic does not observe the undetermined bits.
                (Convert::Narrow, _) => {
                    let unseen = &mut UndeterminedSet::default();
                    [numerics::convert::narrow_singles([*high, *low], unseen), 0]
                }
                (Convert::Widen, Precision::Double) if visible => {
                    let (single, point) = (*high >> 32, Undetermined::WidenedMatrixInput);
                    let double = numerics::convert::widen_visible::<format::Single, format::Double>(
                        single,
                        point,
                        undetermined,
                    );
                    [double, 0]
                }
                (Convert::Widen, Precision::Double) => {
                    [numerics::convert::widen_single((*high >> 32) as u32), 0]
                }
                // A row takes one long word of singles, converted from two halves.
                (Convert::Widen, _) if visible => numerics::convert::widen_halves_visible(
                    *high & 0xffff_ffff << 32,
                    Undetermined::WidenedMatrixInput,
                    undetermined,
                ),
                (Convert::Widen, _) => numerics::convert::widen_halves(*high),
            };
            if input.negate {
                *high ^= sign;
                *low ^= sign;
            }
        }
    }
}

/// Returns the factor 1.0 for `vadd` and `vpassa`, in all lanes.
fn one_factors(precision: Precision) -> &'static [u64] {
    static DOUBLES: [u64; Geometry::MAX_LANES] =
        [vector::ones::<format::Double>(); Geometry::MAX_LANES];
    static HALVES: [u64; Geometry::MAX_LANES] =
        [vector::ones::<format::Half>(); Geometry::MAX_LANES];
    static SINGLES: [u64; Geometry::MAX_LANES] =
        [vector::ones::<format::Single>(); Geometry::MAX_LANES];
    match precision {
        Precision::Double => &DOUBLES,
        Precision::Half => &HALVES,
        _ => &SINGLES,
    }
}

/// Executes MAU arithmetic. `inputs` are buffers for the operands of the ports. Writes the results
/// to `result` and, if requested, the mask flags to `flags`.
pub fn arithmetic(
    mau: &Mau,
    block: &Block,
    inputs: &mut [Bus; 3],
    result: &mut Bus,
    flags: Option<&mut Flags>,
    undetermined: &mut UndeterminedSet,
) {
    let op = mau.op;
    let nothing = Words::zeros(block.lanes());
    let mut operands = Operands {
        a: nothing,
        b: None,
        c: nothing,
    };
    for ((input, port), bus) in mau.inputs.iter().zip(op.kind.row().ports).zip(inputs) {
        let elements = (elements(op.precision, *port), false);
        let words = prepare(
            input,
            op.precision.bits(),
            elements,
            block,
            bus,
            undetermined,
        );
        match port {
            Port::Vector | Port::A => operands.a = words,
            Port::B => operands.b = Some(words),
            Port::C => operands.c = words,
        }
    }
    match mau.matrix.filter(|_| op.kind.is_matrix()) {
        Some(side) => {
            let register = &block.matrix[side_index(side)];
            matrix_vector(mau, register, &operands, result, undetermined);
        }
        None => element_wise(mau, &operands, result, undetermined),
    }
    let Some(flags) = flags else { return };
    for cycle in 0..CYCLES {
        let (high, low) = result.cycle(cycle);
        for (lane, flags) in flags.cycle_mut(cycle).iter_mut().enumerate() {
            *flags = result_flags(mau, [high[lane], low[lane]]);
        }
    }
}

/// The operands of the ports: first factor or vector, second factor, addend. An unused addend or
/// first factor is zero.
struct Operands<'a> {
    a: Words<'a>,
    b: Option<Words<'a>>,
    c: Words<'a>,
}

/// Decodes the matrix that an operation uses, if its precision caches decoded matrices.
pub fn decode(mau: &Mau, block: &mut Block) {
    let Some(side) = mau.matrix.filter(|_| mau.op.kind.is_matrix()) else {
        return;
    };
    let register = &mut block.matrix[side_index(side)];
    match (mau.op.precision, mau.op.narrow) {
        (Precision::Half, true) | (Precision::Double, _) => {}
        (Precision::Half, false) => register.decode::<Half>(),
        (Precision::Pseudo, _) => register.decode::<PseudoSingle>(),
        _ => register.decode::<Single>(),
    }
}

/// Executes a matrix-vector operation: `hmfma`, `hmmul` and those of other precisions.
fn matrix_vector(
    mau: &Mau,
    register: &MatrixRegister,
    operands: &Operands,
    result: &mut Bus,
    undetermined: &mut UndeterminedSet,
) {
    let products = match (mau.op.precision, mau.op.narrow) {
        (Precision::Half, false) => {
            return vectorised::<Half>(mau, register, operands, result, undetermined)
        }
        (Precision::Pseudo, _) => {
            return vectorised::<PseudoSingle>(mau, register, operands, result, undetermined)
        }
        (Precision::Half, true) => products::<matrix::HalfBlocks, format::Half>,
        (Precision::Double, true) => products::<matrix::DoubleBlocks, format::Single>,
        (Precision::Double, false) => products::<matrix::DoubleBlocks, format::Double>,
        _ => return vectorised::<Single>(mau, register, operands, result, undetermined),
    };
    for mab in 0..register.row(0).len() / PES {
        products(
            mau,
            register,
            operands,
            (mab, 0..CYCLES),
            result,
            undetermined,
        );
    }
}

/// Executes the matrix-vector products of all MABs that accumulate in single precision.
fn vectorised<K: Cached>(
    mau: &Mau,
    register: &MatrixRegister,
    operands: &Operands,
    result: &mut Bus,
    undetermined: &mut UndeterminedSet,
) {
    let matrices = register.matrices::<K>();
    for cycle in 0..CYCLES {
        let (vector, _) = operands.a.cycle(cycle);
        let (high, low) = operands.c.cycle(cycle);
        let (to_high, to_low) = result.cycle_mut(cycle);
        let addends = (cast_slice(high), cast_slice(low));
        let results = (cast_slice_mut(to_high), cast_slice_mut(to_low));
        let left = K::fma(matrices, cast_slice(vector), addends, results);
        for mab in numbers(left) {
            let place = (mab, cycle..cycle + 1);
            products::<K::Plain, format::Single>(
                mau,
                register,
                operands,
                place,
                result,
                undetermined,
            );
        }
    }
}

/// Returns the positions of the one bits.
fn numbers(mut bits: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let number = (bits != 0).then(|| bits.trailing_zeros() as usize)?;
        bits &= bits - 1;
        Some(number)
    })
}

/// Computes matrix-vector products of one MAB in some cycles: blocks of format `P`, results of
/// format `O`.
fn products<P: matrix::Precision, O: Format>(
    mau: &Mau,
    register: &MatrixRegister,
    operands: &Operands,
    (mab, cycles): (usize, Range<usize>),
    result: &mut Bus,
    undetermined: &mut UndeterminedSet,
) {
    let stride = row_stride(mau.op.precision);
    let rows = MATRIX_ROWS / stride;
    // Double precision multiplies two of its four rows (section 3.6.9.2).
    let used = match mau.op.half {
        Some(Rows::Upper) => 0..2,
        Some(Rows::Lower) => 2..4,
        None => 0..rows,
    };
    let lanes = mab * PES..(mab + 1) * PES;
    let decoded: [Option<P::Block>; MATRIX_ROWS] = std::array::from_fn(|row| {
        used.contains(&row).then(|| {
            let longs = &register.row(row * stride)[lanes.clone()];
            let words = block_words::<P>(std::array::from_fn(|pe| longs[pe]));
            P::decode(&words, undetermined)
        })
    });
    for cycle in cycles {
        let vector = &operands.a.cycle(cycle).0[lanes.clone()];
        let vector = P::decode(
            &block_words::<P>(std::array::from_fn(|pe| vector[pe])),
            undetermined,
        );
        let (c_high, c_low) = operands.c.cycle(cycle);
        let (high, low) = result.cycle_mut(cycle);
        high[lanes.clone()].fill(0);
        low[lanes.clone()].fill(0);
        for (index, row) in decoded[..rows].iter().enumerate() {
            let (pe, place) = (index / (rows / PES), index % (rows / PES));
            let lane = mab * PES + pe;
            let c = element(P::Accumulator::BITS, &[c_high[lane], c_low[lane]], place);
            let word = match row {
                Some(row) => matrix::fma::<P, O>(row, &vector, c, undetermined),
                None => vector::fma::<format::Double, O>(0, 0, c, undetermined),
            };
            let at = place as u32 * O::BITS;
            let half = if at < 64 { &mut *high } else { &mut *low };
            half[lane] |= word << (64 - O::BITS - at % 64);
        }
    }
}

/// Returns element `index` of two long words of `bits`-bit elements.
fn element(bits: u32, words: &[u64; 2], index: usize) -> u64 {
    let at = index as u32 * bits;
    words[at as usize / 64] << (at % 64) >> (64 - bits)
}

/// Returns the words of a block in the first long words of four PEs: a matrix register row, or a
/// vector.
fn block_words<P: matrix::Precision>(longs: [u64; PES]) -> [u64; 16] {
    let mut words = [0; 16];
    let bits = P::Word::BITS;
    let per_long = 64 / bits as usize;
    // Single precision uses the upper one of the two words of each long word (section 3.6.9.4).
    let step = if P::SIZE * bits as usize == 128 { 2 } else { 1 };
    for (index, word) in words[..P::SIZE].iter_mut().enumerate() {
        let index = index * step;
        *word = element(bits, &[longs[index / per_long], 0], index % per_long);
    }
    words
}

/// Returns the mask flags of a result (section 3.6.9.26).
fn result_flags(mau: &Mau, words: [u64; 2]) -> u8 {
    match (mau.op.precision, mau.op.narrow) {
        (Precision::Half, false) => lanes::non_negative_singles(words),
        (Precision::Half, true) => lanes::non_negative(lanes::Width::Half, words[0]),
        // A double rounded to a single has its sign at the same end.
        (Precision::Double, _) => lanes::non_negative(lanes::Width::Long, words[0]),
        _ => lanes::non_negative(lanes::Width::Single, words[0]),
    }
}

/// Executes a vector operation.
fn element_wise(
    mau: &Mau,
    operands: &Operands,
    result: &mut Bus,
    undetermined: &mut UndeterminedSet,
) {
    let every_mab = u32::MAX >> (u32::BITS as usize - result.cycle(0).0.len() / PES);
    for cycle in 0..CYCLES {
        let (a, _) = operands.a.cycle(cycle);
        let b = operands.b.map(|b| b.cycle(cycle).0);
        let factors = b.unwrap_or(one_factors(mau.op.precision));
        let (c_high, c_low) = operands.c.cycle(cycle);
        let mut evaluate = |lane: usize| {
            let c = [c_high[lane], c_low[lane]];
            evaluate_pe(mau, lane % PES, a[lane], factors[lane], c, undetermined)
        };
        if (mau.op.precision, mau.op.narrow) == (Precision::Half, false) {
            let (high, low) = result.cycle_mut(cycle);
            let addends = (cast_slice(c_high), cast_slice(c_low));
            let results = (cast_slice_mut(high), cast_slice_mut(low));
            let left = batch::vector::half(cast_slice(a), cast_slice(factors), addends, results);
            for lane in lanes_of_mabs(left) {
                [high[lane], low[lane]] = evaluate(lane);
            }
            continue;
        }
        let high = result.high_mut(cycle);
        let left = match mau.op.precision {
            Precision::Double | Precision::Half => every_mab,
            _ => {
                let b = b.map(cast_slice);
                batch::vector::single(cast_slice(a), b, cast_slice(c_high), cast_slice_mut(high))
            }
        };
        for lane in lanes_of_mabs(left) {
            // The second long word of these results is zero.
            [high[lane], _] = evaluate(lane);
        }
    }
}

/// Returns the lanes of the MABs that one bits select.
fn lanes_of_mabs(bits: u32) -> impl Iterator<Item = usize> {
    numbers(bits).flat_map(|mab| mab * PES..(mab + 1) * PES)
}

/// Executes a vector operation in one PE.
fn evaluate_pe(
    mau: &Mau,
    pe: usize,
    a: u64,
    b: u64,
    c: [u64; 2],
    undetermined: &mut UndeterminedSet,
) -> [u64; 2] {
    let op = mau.op;
    match (op.precision, op.narrow) {
        (Precision::Double, narrow) => {
            // The product is computed in two of the four PEs (section 3.6.9.10).
            let counts = match op.half {
                Some(Rows::Upper) => pe < 2,
                Some(Rows::Lower) => pe >= 2,
                None => true,
            };
            let (a, b) = if counts { (a, b) } else { (0, 0) };
            if narrow {
                let single = vector::double_narrowed(a, b, c[0], undetermined);
                [u64::from(single) << 32, 0]
            } else {
                [vector::double(a, b, c[0], undetermined), 0]
            }
        }
        (Precision::Half, true) => [vector::half_narrowed(a, b, c, undetermined), 0],
        (Precision::Half, false) => vector::half(a, b, c, undetermined),
        _ => [vector::single(a, b, c[0], undetermined), 0],
    }
}

/// Returns the index of a matrix register: 0 for x, 1 for y.
pub const fn side_index(side: Side) -> usize {
    match side {
        Side::X => 0,
        Side::Y => 1,
    }
}

/// Writes the value of `input` to rows of a matrix register, one row after the other in each cycle.
pub fn write_rows(
    precision: Precision,
    input: &Input,
    rows: &MatrixRows,
    block: &mut Block,
    bus: &mut Bus,
    undetermined: &mut UndeterminedSet,
) {
    let side = side_index(rows.side);
    let mut planes = block.matrix[side].take_rows();
    let elements = (elements(precision, Port::A), true);
    let words = prepare(input, precision.bits(), elements, block, bus, undetermined);
    let (stride, is_same) = (row_stride(precision), words.is_same());
    let mut written = 0;
    for cycle in 0..CYCLES {
        let (high, low) = words.cycle(cycle);
        let per_cycle = if rows.wide { 2 } else { 1 };
        let row = (usize::from(rows.first) + cycle * per_cycle) * stride % MATRIX_ROWS;
        planes.plane_mut(row).copy_from_slice(high);
        written |= 1 << row;
        if rows.wide {
            planes.plane_mut(row + 1).copy_from_slice(low);
            written |= 1 << (row + 1);
        }
    }
    block.matrix[side].restore_rows(planes, written, is_same);
}

/// Reads columns of a matrix register, one after the other in each cycle; half precision reads two.
pub fn load_columns(precision: Precision, columns: &MatrixRows, block: &Block, bus: &mut Bus) {
    let register = &block.matrix[side_index(columns.side)];
    let bits = precision.bits();
    let per_long = 64 / bits as usize;
    let stride = row_stride(precision);
    let columns_in_all = PES * per_long;
    for cycle in 0..CYCLES {
        let (high, low) = bus.cycle_mut(cycle);
        for lane in 0..high.len() {
            let (mab, pe) = (lane / PES, lane % PES);
            // PE `pe` receives the rows starting at `pe * per_long`, one per element.
            let column = |number: usize| {
                let column = number % columns_in_all;
                (0..per_long).fold(0, |long, index| {
                    let row = register.row((pe * per_long + index) * stride);
                    let word = row[mab * PES + column / per_long];
                    let element = word << (column % per_long * bits as usize) >> (64 - bits);
                    long | element << (64 - bits as usize * (index + 1))
                })
            };
            let first = usize::from(columns.first);
            (high[lane], low[lane]) = if precision == Precision::Half {
                (column(first + 2 * cycle), column(first + 2 * cycle + 1))
            } else {
                (column(first + cycle), 0)
            };
        }
    }
}
