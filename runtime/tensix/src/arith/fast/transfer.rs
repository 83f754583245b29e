//! SFPLOAD and SFPSTORE of all lanes: rows of Dst, of which every other column is accessed.
//!
//! The common formats are in `direct`. The others are loops over all lanes whose bodies are
//! functions of [`Formats`] for a constant format, so that the compiler turns them into vector
//! instructions.

use super::{vectors, Level, Set};
use crate::arith::spec::sfpu::transfer::{Datum, Direction, Formats};
use crate::arith::{Lanes, COLUMNS, LANES};

pub mod direct;
#[cfg(test)]
mod tests;

/// The four rows of Dst that a vector accesses: 16-bit rows, or one half of 32-bit rows.
pub type Rows = [[u16; COLUMNS]; 4];

/// What a transfer does.
#[derive(Clone, Copy, Debug)]
pub struct Transfer {
    /// The conversions of the chip.
    pub formats: Formats,
    /// The format of the datums.
    pub datum: Datum,
    /// Whether the odd columns are accessed.
    pub odd: bool,
}

/// Evaluates an expression for a format that is a constant in it.
macro_rules! with_constant {
    ($datum:ident: [$($variant:ident),*], $work:expr) => {
        match $datum {
            $(Datum::$variant => {
                const DATUM: Datum = Datum::$variant;
                let $datum = DATUM;
                $work
            })*
        }
    };
    ($datum:ident, $work:expr) => {
        with_constant!($datum: [
            Fp16, Bf16, Fp32, Int32, Int32All, Int32Complement, Int8, Int16, Int8Complement, Uint16,
            Low16, High16, Low16Only, High16Only, Zero
        ], $work)
    };
}

for_each_level! {
    /// Loads the values of some lanes from 16-bit rows, or from the high and low halves of 32-bit
    /// rows. Of 16-bit rows, `low` is ignored.
    load = load_with, (how: Transfer, lanes: u32, high: &Rows, low: &Rows, values: &mut Lanes)
}

#[inline(always)]
fn load_with<V: vectors::Vector>(
    how: Transfer,
    lanes: u32,
    high: &Rows,
    low: &Rows,
    values: &mut Lanes,
) {
    let Transfer {
        formats,
        datum,
        odd,
    } = how;
    let [high, low] = [high, low].map(|rows| rows.as_flattened().as_chunks::<2>().0);
    let shift = 16 * u32::from(odd);
    let half = |pair: [u16; 2]| (u32::from(pair[0]) | u32::from(pair[1]) << 16) >> shift & 0xFFFF;
    let loaded = with_constant!(datum, {
        let mut loaded = [0; LANES];
        for lane in 0..LANES {
            let raw = match datum.is_wide(Direction::Load) {
                true => half(high[lane]) << 16 | half(low[lane]),
                false => half(high[lane]),
            };
            loaded[lane] = formats.load(datum, raw);
        }
        loaded
    });
    let kept = datum.kept();
    if lanes == u32::MAX && kept == 0 {
        *values = loaded;
        return;
    }
    for lane in 0..LANES {
        let mask = mask_of(lanes, lane) & !kept;
        values[lane] = values[lane] & !mask | loaded[lane] & mask;
    }
}

/// Returns all bits for a lane that is set, and none otherwise.
#[inline(always)]
fn mask_of(lanes: u32, lane: usize) -> u32 {
    (lanes >> lane & 1).wrapping_neg()
}

for_each_level! {
    /// Stores the values of some lanes to 16-bit rows, or to the high and low halves of 32-bit
    /// rows.
    store = store_with, (
        how: Transfer,
        lanes: u32,
        values: &Lanes,
        high: &mut Rows,
        low: Option<&mut Rows>,
    )
}

#[inline(always)]
fn store_with<V: vectors::Vector>(
    how: Transfer,
    lanes: u32,
    values: &Lanes,
    high: &mut Rows,
    low: Option<&mut Rows>,
) {
    let Transfer {
        formats,
        datum,
        odd,
    } = how;
    let stored = with_constant!(datum, {
        let mut stored = [0; LANES];
        for lane in 0..LANES {
            stored[lane] = formats.store(datum, values[lane]);
        }
        stored
    });
    match low {
        None => put(odd, lanes, &stored, high),
        Some(low) => {
            let mut upper = [0; LANES];
            for lane in 0..LANES {
                upper[lane] = stored[lane] >> 16;
            }
            put(odd, lanes, &upper, high);
            put(odd, lanes, &stored, low);
        }
    }
}

/// Stores the low halves of the values of some lanes.
#[inline(always)]
fn put(odd: bool, lanes: u32, values: &Lanes, rows: &mut Rows) {
    let pairs = rows.as_flattened_mut().as_chunks_mut::<2>().0;
    let shift = 16 * u32::from(odd);
    for lane in 0..LANES {
        let pair = u32::from(pairs[lane][0]) | u32::from(pairs[lane][1]) << 16;
        let mask = mask_of(lanes, lane) & 0xFFFF << shift;
        let pair = pair & !mask | values[lane] << shift & mask;
        pairs[lane] = [pair as u16, (pair >> 16) as u16];
    }
}

for_each_level! {
    /// Returns whether a lane has a denormal of FP32.
    has_denormal = has_denormal_with, (values: &Lanes) -> bool
}

#[inline(always)]
fn has_denormal_with<V: vectors::Vector>(values: &Lanes) -> bool {
    let mut found = 0;
    for lane in 0..LANES {
        let magnitude = values[lane] & 0x7FFF_FFFF;
        found |= u32::from(magnitude != 0) & u32::from(magnitude < 0x80_0000);
    }
    found != 0
}
