//! Addresses of an UNPACR in L1 and in Src or Dst, from configuration and address counters.
//!
//! Addresses of datums are in bits. Addresses of exponents are in 16ths of a byte, so that both
//! advance per datum.
//!
//! Undefined by the documentation and refused:
//!
//! * tilizing or transposing from an L1 address that is not a multiple of 16;
//! * tilizing BFP4, BFP2, compressed or upsampled data;
//! * transposing or shifting columns into Dst;
//! * rows beyond the register; unaligned bursts into SrcA.
//!
//! Defined, but discouraged by the documentation and refused here as in ttsim:
//!
//! * output addresses below row 4 of unpacker 0, which SrcA drops and Dst wraps to its end;
//! * rows beyond the end of Dst, which wrap;
//! * `Haloize_mode` of unpacker 1, which current chips ignore.
//!
//! Rows of SrcA from 64 on are undefined in the latest documentation; in an earlier revision they
//! wrap. (On Blackhole they wrap in both.) tt-llk's `unpack_to_dest_tile_done` writes a row of
//! zeros to row 64 after each tile in Dst. Such a transfer is accepted; the row to which it might
//! wrap then has unknown contents, and reading it before the next write is refused.
//!
//! Source: ISA documentation, `UNPACR_Regular.md`, `Packers/Compression.md`.

use tessera_isa_tensix::cfg;
use tessera_isa_tensix::table::Unpacr;
use tessera_isa_tensix::Arch;

use super::compressed;
use super::input::Input;
use super::settings::{Selection, Settings};
use super::unit::Unpackers;
use crate::arith::COLUMNS;
use crate::state::adc::{Axis, Channel, ThreadAdcs};
use crate::state::banks::Src;
use crate::state::config::{Config, View};
use crate::state::unpacker::{Configured, Conversion, Exponents, Fifo, Sections, Target};
use crate::trap::Fault;

/// Rows of a bank of Src.
const SRC_ROWS: u32 = 64;
/// Rows of Dst by number; half of them are second names of 32-bit rows.
const DST_ROWS: u32 = 1024;
/// The row from which unpacker 0 counts output rows.
const FIRST_ROW: u32 = 4;

/// A resolved UNPACR.
pub(super) struct Transfer {
    /// Unpacker, context and counters.
    pub selection: Selection,
    /// The conversion of each datum.
    pub conversion: Conversion,
    /// Whether the unpacker's own row counter advances by a face.
    pub counts_rows: bool,
    /// The source of datums.
    pub input: Input,
    /// The destination of datums.
    pub output: Output,
}

/// The destination of datums.
pub(super) struct Output {
    pub target: Target,
    /// The first datum, counted from row 0 of the register.
    pub first: u32,
    /// Number of rows that may be addressed.
    limit: u32,
    /// The unpacker's own row counter, added to the row.
    counter: u32,
    /// The treatment of rows of SrcA beyond its end.
    beyond: Beyond,
    /// Whether 16x16 faces are transposed.
    pub transpose: bool,
    /// Columns by which datums move to the left; datums that leave the row are dropped.
    pub shift: u32,
    /// Number of places after each datum (upsampling).
    pub gap: u32,
    /// Whether these places are left unchanged, instead of becoming zero.
    pub skip: bool,
}

/// The treatment of rows of SrcA beyond its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Beyond {
    /// Such rows are refused.
    Refused,
    /// Rows wrap, and their contents become unknown, because revisions of the documentation differ.
    Lost,
    /// Rows wrap.
    Wrapped,
}

/// A destination row of the register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OutputRow {
    /// This row.
    Row(usize),
    /// This row or none, depending on the revision of the documentation.
    Lost(usize),
}

impl Output {
    /// Returns the row of a datum, counted as `first`.
    ///
    /// # Errors
    /// Undefined beyond the register, not modelled beyond Dst.
    pub fn row(&self, datum: u32) -> Result<OutputRow, Fault> {
        let row = datum / COLUMNS as u32;
        let wrapped = (row % SRC_ROWS) as usize;
        match self.beyond {
            Beyond::Lost => return Ok(OutputRow::Lost(wrapped)),
            Beyond::Wrapped => return Ok(OutputRow::Row(wrapped)),
            Beyond::Refused => {}
        }
        if row < self.limit && (self.target == Target::Dst || row + self.counter < SRC_ROWS) {
            return Ok(OutputRow::Row((row + self.counter) as usize));
        }
        Err(self.beyond_the_end(row))
    }

    #[cold]
    fn beyond_the_end(&self, row: u32) -> Fault {
        let from = self.first / COLUMNS as u32;
        let name = self.target.name();
        if self.target == Target::Dst {
            return Fault::unmodelled(format!(
                "unpacking from row {from} to row {row} of Dst, beyond its end {DST_ROWS}"
            ));
        }
        let hint = match self.limit {
            SRC_ROWS => "",
            _ => " unless SRCA_SET_SetOvrdWithAddr is set",
        };
        Fault::undefined(format!(
            "unpacking from row {} to row {} of {name}; there are {}{hint}",
            from + self.counter,
            row + self.counter,
            self.limit
        ))
    }
}

impl Transfer {
    /// Resolves an instruction.
    ///
    /// # Errors
    /// Undefined or not modelled cases, listed in the module documentation.
    pub fn resolve(i: &Unpacr, thread: usize, unit: &mut Unpackers<'_>) -> Result<Transfer, Fault> {
        let selection = Selection::new(i, thread, (unit.config, unit.context_counter))?;
        let known = unit
            .config
            .derive(thread, selection.key, |view: View<'_>| {
                Configured::read(&Settings::new(view, selection.key))
            })?;
        let row_search = i.row_search != 0;
        let configured = unit.config.derived::<Configured>(known);
        let tile = configured.tile(selection.base(unit.config));
        let parts = (&*unit.config, &*unit.adcs);
        let input = match configured.compressed {
            false => uncompressed(selection, configured, tile, row_search, parts)?,
            true => {
                let row = compressed::Row::new(selection, tile, row_search, parts)?;
                let row_starts = &mut unit.row_starts[selection.unpacker()];
                row.read(selection, (unit.l1, row_starts))?
                    .input(unit.config.derived::<Configured>(known))?
            }
        };
        let configured = unit.config.derived::<Configured>(known);
        let output = Output::new(selection, configured, unit)?;
        check(configured, &input, &output)?;
        Ok(Transfer {
            selection,
            conversion: configured.conversion,
            counts_rows: configured.counts_rows,
            input,
            output,
        })
    }
}

impl Sections {
    /// Returns the sections of a tile at address 0 whose datums have one common exponent.
    pub fn without_exponents(exponent: u8, fifo: Fifo) -> Sections {
        Sections {
            exponents: Exponents::All(exponent),
            datums: 0,
            fifo,
        }
    }

    /// Returns the sections of a tile at address 0 with `bytes` bytes of exponents before the
    /// datums.
    pub fn with_exponents(bytes: u64, fifo: Fifo) -> Sections {
        Sections {
            exponents: Exponents::At(0),
            datums: bytes,
            fifo,
        }
    }

    /// Returns these sections, moved to a tile whose remaining bytes begin at `from`.
    pub fn offset_by(&self, from: u64) -> Sections {
        Sections {
            exponents: match self.exponents {
                Exponents::At(place) => Exponents::At(place + from * 16),
                all => all,
            },
            datums: self.datums + from,
            fifo: self.fifo,
        }
    }

    /// Returns the exponent of a datum.
    pub fn exponent(&self, datum: u64) -> Exponents {
        match self.exponents {
            Exponents::At(from) => Exponents::At(self.fifo.wrap(from + datum, 16)),
            all => all,
        }
    }
}

/// Returns the source of an uncompressed tile's datums.
fn uncompressed(
    selection: Selection,
    configured: &Configured,
    tile: u64,
    row_search: bool,
    (config, adcs): (&Config, &[ThreadAdcs; 3]),
) -> Result<Input, Fault> {
    let sections = configured.sections(tile);
    let [xy, zw] = [selection.adc_thread, selection.thread]
        .map(|thread| &adcs[thread].unpacker[selection.unpacker()]);
    // The address generator uses eight bits of Y, Z and W.
    let low = |counter: u32| u64::from(counter & 0xFF);
    let (x, y, end) = match row_search {
        false => (
            xy[0].get(Axis::X),
            xy[0].get(Axis::Y),
            xy[1].get(Axis::X) + 1,
        ),
        true => searched(selection, (config, xy)),
    };
    let count = end.checked_sub(x).filter(|&count| count > 0);
    let Some(count) = count else {
        return Err(Fault::undefined(format!(
            "unpacking no datums, from {x} up to {end}; check the X counters"
        )));
    };
    let limit = configured.most_datums;
    if end > limit {
        return Err(Fault::undefined(format!(
            "unpacking up to datum {end} of a row; an unpacker counts {limit} of {}",
            configured.conversion.input
        )));
    }
    let [x_dim, y_dim, z_dim] = configured.dims.map(u64::from);
    let plane = low(zw[0].get(Axis::W)) * z_dim + low(zw[0].get(Axis::Z));
    let row = plane * y_dim + low(y);
    let first = row * x_dim + u64::from(x);
    let bits = u64::from(configured.conversion.bits);
    Ok(Input {
        datums: sections.fifo.wrap(sections.datums * 8 + first * bits, 8),
        exponents: sections.exponent(first),
        count: Some(count),
        row: configured.row,
        stride: configured.stride,
        fifo: sections.fifo,
        compressed: None,
    })
}

/// Returns the first X, Y, and the X after the last datum, of a row search. It covers whole blobs
/// of rows of 16 datums, if the tile consists of such, or else a whole row. The documentation lacks
/// the "+ 1" after the counter of the latter.
fn searched(selection: Selection, (config, xy): (&Config, &[Channel; 2])) -> (u32, u32, u32) {
    let settings = selection.settings(config);
    let [x, y] = [Axis::X, Axis::Y].map(|axis| xy[0].get(axis));
    let blobs = settings.blobs_per_plane();
    if blobs == 0 {
        return (0, y, xy[1].get(Axis::X));
    }
    let next = (x & 7) + 1;
    let end = match next {
        _ if next == blobs => settings.x_dim() & 0x1F0,
        // Eight blobs are numbered; there is no ninth one whose start would be the end.
        8 => 0,
        _ => settings.blob_start(next) << 4,
    };
    (settings.blob_start(y & 7) << 4, 0, end)
}

impl Output {
    fn new(
        selection: Selection,
        configured: &Configured,
        unit: &Unpackers<'_>,
    ) -> Result<Output, Fault> {
        let target = configured.target;
        let first = first_output(selection, configured, (unit.config, unit.adcs))?;
        let overridden = selection.key.unpacker == 0
            && unit
                .config
                .thread(selection.thread, cfg::SRCA_SET_SetOvrdWithAddr)
                != 0;
        if overridden && target == Target::Dst {
            return Err(Fault::undefined(
                "unpacking to Dst while SRCA_SET_SetOvrdWithAddr is set, which keeps rows within a \
                 face; clear it",
            ));
        }
        let limit = match target {
            Target::Dst => DST_ROWS,
            Target::Src(Src::A) if !overridden => 16,
            Target::Src(_) => SRC_ROWS,
        };
        let counter = match target {
            Target::Src(src) if !overridden => unit.banks.src_row[src as usize][selection.thread],
            _ => 0,
        };
        let first = match target {
            Target::Src(Src::B) => first,
            _ => above_row_4(first, target)?,
        };
        Ok(Output {
            target,
            first,
            limit,
            counter,
            beyond: match unit.arch {
                Arch::Blackhole if overridden => Beyond::Wrapped,
                Arch::WormholeB0 if overridden && first / COLUMNS as u32 >= SRC_ROWS => {
                    Beyond::Lost
                }
                _ => Beyond::Refused,
            },
            transpose: configured.transpose,
            shift: configured.shift,
            gap: configured.gap,
            skip: configured.skip,
        })
    }
}

/// Returns the first datum to be written, from configuration and counters. Unpacker 0 counts from
/// row 4.
///
/// # Errors
/// Undefined in the middle of a datum.
fn first_output(
    selection: Selection,
    configured: &Configured,
    (config, adcs): (&Config, &[ThreadAdcs; 3]),
) -> Result<u32, Fault> {
    let counters = &adcs[selection.thread].unpacker[selection.unpacker()][1];
    let address = &configured.output_address;
    let axes = [Axis::Y, Axis::Z, Axis::W].into_iter();
    let bytes = (axes.zip(address.strides)).fold(address.base, |bytes, (axis, stride)| {
        bytes + counters.get(axis) * stride
    });
    let width = configured.conversion.width;
    if bytes & (width - 1) != 0 {
        return Err(Fault::undefined(format!(
            "an unpacker's output address of {bytes} bytes, in the middle of a datum"
        )));
    }
    let by_counters = if configured.by_counters {
        bytes >> width.trailing_zeros()
    } else {
        0
    };
    let of_context = if configured.by_context {
        selection.destination(config)
    } else {
        0
    };
    Ok(of_context + by_counters)
}

/// Subtracts unpacker 0's first row, 4. Rows below it are dropped by SrcA and wrap in Dst.
fn above_row_4(first: u32, target: Target) -> Result<u32, Fault> {
    let what = match target {
        Target::Src(_) => "are dropped",
        Target::Dst => "wrap to its end",
    };
    first
        .checked_sub(FIRST_ROW * COLUMNS as u32)
        .ok_or_else(|| {
            Fault::unmodelled(format!(
            "unpacking to address row {} of {}; rows below {FIRST_ROW} {what}, add 64 datums to \
             the address",
            first / COLUMNS as u32,
            target.name()
        ))
        })
}

/// Checks the alignment of the first datum.
fn check(configured: &Configured, input: &Input, output: &Output) -> Result<(), Fault> {
    if (output.transpose || configured.tilizes) && input.datums % 128 != 0 {
        return Err(Fault::undefined(format!(
            "{} from L1 {:#x}; start at a multiple of 16",
            if configured.tilizes {
                "tilizing"
            } else {
                "transposing"
            },
            input.datums / 8
        )));
    }
    let (row, burst) = (output.first / COLUMNS as u32, configured.burst);
    let one_row = input
        .count
        .is_some_and(|count| count <= COLUMNS as u32 && output.gap == 0);
    if !one_row && row & (burst - 1) != 0 {
        return Err(Fault::undefined(format!(
            "unpacking to SrcA from row {row} in bursts of {burst} rows; start at a multiple or \
             lower Throttle_mode"
        )));
    }
    Ok(())
}
