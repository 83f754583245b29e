//! Where an UNPACR reads in L1 and writes in Src or Dst, as configuration and address counters say.
//!
//! An input address is counted in bits, that of an exponent in 16ths of a byte, one for each datum.
//!
//! Undefined by the documentation, and refused: tilizing or transposing from an L1 address that is no multiple of 16, tilizing
//! BFP4 and BFP2 or compressed or upsampled data, transposing or shifting columns into Dst, rows beyond the register, bursts
//! into SrcA that are not aligned. Defined, but refused because the documentation wants nobody to use it and ttsim refuses
//! it, too: output addresses below row 4 of unpacker 0, which SrcA drops and Dst wraps to its end; rows beyond the end of Dst,
//! which wrap; `Haloize_mode` of unpacker 1, which current chips ignore.
//!
//! Rows of SrcA from 64 on are undefined in the newest documentation; a revision before let them wrap. tt-llk's
//! (On Blackhole they wrap by both.)
//! `unpack_to_dest_tile_done` writes a row of zeros to row 64 after each tile in Dst. So a transfer that begins there is let
//! through, and what the row that it might wrap to holds is not known until it is written again: reading it is refused.
//!
//! Source: ISA documentation, `UNPACR_Regular.md`, `Packers/Compression.md`.

use tessera_isa_tensix::cfg;
use tessera_isa_tensix::table::Unpacr;
use tessera_isa_tensix::Arch;

use super::compressed;
use super::conversion::{Conversion, Target};
use super::settings::{Choice, Settings};
use crate::adc::Axis;
use crate::banks::Src;
use crate::core_state::CoreState;
use crate::formats::{must_be_zero, Format};
use crate::regs::COLUMNS;
use crate::trap::Fault;

/// Rows of a bank of Src.
const SRC_ROWS: u32 = 64;
/// Bytes of a row of datums, of which the unpackers count the datums.
const MOST_BYTES: u32 = 8192;
/// Rows of Dst, by number: as 32-bit rows half of them have a second name.
const DST_ROWS: u32 = 1024;
/// Unpacker 0 counts output rows from here.
const FIRST_ROW: u32 = 4;

/// One UNPACR, resolved.
pub(super) struct Transfer {
    /// Unpacker, context and counters.
    pub choice: Choice,
    /// What becomes of each datum.
    pub conversion: Conversion,
    /// Where datums come from.
    pub input: Input,
    /// Where they go.
    pub output: Output,
}

/// Where datums come from.
pub(super) struct Input {
    /// First datum, in bits.
    pub datums: u64,
    /// Their exponents.
    pub exponents: Exponents,
    /// How many datums are read; of compressed ones as many as it takes, if none.
    pub count: Option<u32>,
    /// Datums that lie side by side.
    pub row: u32,
    /// Bytes from one such row to the next.
    pub stride: u32,
    /// Where addresses wrap.
    pub fifo: Fifo,
    /// What else there is to compressed datums.
    pub compressed: Option<Compressed>,
}

/// Where the exponents of datums come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exponents {
    /// All have this one; formats without blocks have 0.
    All(u8),
    /// From here on, in 16ths of a byte, one for each datum.
    At(u64),
}

/// A buffer in L1 whose end is followed by its beginning.
#[derive(Clone, Copy, Default)]
pub(super) struct Fifo {
    /// The last address that does not wrap.
    pub limit: u64,
    /// Bytes to go back; 0 if nothing wraps.
    pub size: u64,
}

impl Fifo {
    /// An address in units of which there are `units` in a byte.
    pub fn wrap(&self, address: u64, units: u64) -> u64 {
        if address > self.limit * units {
            address.saturating_sub(self.size * units)
        } else {
            address
        }
    }
}

/// What else there is to compressed datums.
#[derive(Clone, Copy)]
pub(super) struct Compressed {
    /// How many zeros follow the first datum, in half bytes.
    pub zeros: u64,
    /// Datums and zeros that are dropped first.
    pub drop: u32,
    /// Datums and zeros that are kept then, if that is limited.
    pub keep: Option<u32>,
}

/// Where datums go.
pub(super) struct Output {
    pub target: Target,
    /// First datum, from row 0 of the register.
    pub first: u32,
    /// Rows that may be addressed.
    limit: u32,
    /// The unpacker's own row counter, added to the row.
    counter: u32,
    /// What becomes of rows of SrcA beyond its end.
    beyond: Beyond,
    /// 16x16 faces are transposed.
    pub transpose: bool,
    /// Columns that datums move to the left; those that leave the row are dropped.
    pub shift: u32,
    /// Places that follow each datum.
    pub gap: u32,
    /// Whether those places stay as they are, instead of becoming zero.
    pub skip: bool,
}

/// What becomes of rows of SrcA beyond its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Beyond {
    /// There may be none.
    Refused,
    /// All wrap, and what the rows hold then depends on the revision of the documentation.
    Lost,
    /// They wrap.
    Wrapped,
}

/// A row of the register that the datums go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// This one.
    Row(usize),
    /// None, or this one.
    Lost(usize),
}

impl Output {
    /// The row of a datum, counted as `first`.
    ///
    /// # Errors
    /// Undefined beyond the register, not modelled beyond Dst.
    pub fn row(&self, datum: u32) -> Result<Place, Fault> {
        let row = datum / COLUMNS as u32;
        let wrapped = (row % SRC_ROWS) as usize;
        match self.beyond {
            Beyond::Lost => return Ok(Place::Lost(wrapped)),
            Beyond::Wrapped => return Ok(Place::Row(wrapped)),
            Beyond::Refused => {}
        }
        let from = self.first / COLUMNS as u32;
        let name = self.target.name();
        if row < self.limit && (self.target == Target::Dst || row + self.counter < SRC_ROWS) {
            return Ok(Place::Row((row + self.counter) as usize));
        }
        if self.target == Target::Dst {
            return Err(Fault::unmodelled(format!(
                "unpacking from row {from} to row {row} of Dst, beyond its end {DST_ROWS}"
            )));
        }
        let hint = match self.limit {
            SRC_ROWS => "",
            _ => " unless SRCA_SET_SetOvrdWithAddr is set",
        };
        Err(Fault::undefined(format!(
            "unpacking from row {} to row {} of {name}; there are {}{hint}",
            from + self.counter,
            row + self.counter,
            self.limit
        )))
    }
}

impl Transfer {
    /// # Errors
    /// Undefined or not modelled, as the head of the file says.
    pub fn resolve(i: &Unpacr, thread: usize, core: &mut CoreState) -> Result<Transfer, Fault> {
        let choice = Choice::new(i, thread, core)?;
        let row = match compressed::Row::new(&choice.settings(core), i.row_search != 0)? {
            Some(row) => Some(row.read(choice, core)?),
            None => None,
        };
        let settings = choice.settings(core);
        let target = settings.target();
        let formats = settings.formats();
        refuse_unknown(&settings)?;
        let bytes = settings.bytes(formats[0]);
        let conversion = Conversion::new(target, formats, bytes, i.zero_write2 != 0)?;
        let input = match row {
            Some(row) => row.input(&settings, &conversion)?,
            None => uncompressed(i.row_search != 0, &settings, &conversion)?,
        };
        let output = Output::new(&settings, &conversion, target)?;
        check(&settings, &conversion, &input, &output)?;
        Ok(Transfer {
            choice,
            conversion,
            input,
            output,
        })
    }
}

/// Addresses within the tile once its row starts, if it has such, are passed.
pub(super) struct Sections {
    /// The exponent of datum 0.
    exponents: Exponents,
    /// Datum 0, in bytes.
    pub datums: u64,
    pub fifo: Fifo,
}

impl Sections {
    /// `from` is the first byte that is left.
    ///
    /// # Errors
    /// Undefined if exponents and datums would be the same bytes.
    pub fn new(settings: &Settings, format: Format, from: u64) -> Result<Sections, Fault> {
        let forced = settings.forced_exponent();
        let mut datums = from;
        let exponents = match forced {
            Some(exponent) => Exponents::All(exponent),
            None if !format.is_block() => Exponents::All(0),
            None => {
                let has_section = format.bits() == Some(8) || !settings.no_exponent_section();
                if !has_section {
                    return Err(Fault::undefined(format!(
                        "unpacking {format} with NoBFPExpSection; clear it, or set Force_shared_exp"
                    )));
                }
                let [x, y, z, w] = [
                    settings.x_dim(),
                    settings.y_dim(),
                    settings.z_dim(),
                    settings.w_dim(),
                ]
                .map(u64::from);
                datums += (x * y * z * w).div_ceil(16).next_multiple_of(16);
                Exponents::At(from * 16)
            }
        };
        let fifo = Fifo {
            limit: u64::from(settings.own(cfg::THCON_REG2_Unpack_limit_address)) * 16,
            size: u64::from(settings.own(cfg::THCON_REG2_Unpack_fifo_size)) * 16,
        };
        Ok(Sections {
            exponents,
            datums,
            fifo,
        })
    }

    /// The exponent of a datum.
    pub fn exponent(&self, datum: u64) -> Exponents {
        match self.exponents {
            Exponents::At(from) => Exponents::At(self.fifo.wrap(from + datum, 16)),
            all => all,
        }
    }
}

/// Where the datums of a tile that is not compressed come from.
fn uncompressed(
    row_search: bool,
    settings: &Settings,
    conversion: &Conversion,
) -> Result<Input, Fault> {
    let sections = Sections::new(settings, conversion.input, settings.tile())?;
    let [xy, zw] = [settings.choice.adc_thread, settings.choice.thread]
        .map(|thread| &settings.core.adcs[thread].unpacker[settings.choice.unpacker]);
    // The generator gets eight bits of Y, Z and W.
    let low = |counter: u32| u64::from(counter & 0xFF);
    let (x, y, end) = match row_search {
        false => (
            xy[0].get(Axis::X),
            xy[0].get(Axis::Y),
            xy[1].get(Axis::X) + 1,
        ),
        true => searched(settings),
    };
    let count = end.checked_sub(x).filter(|&count| count > 0);
    let Some(count) = count else {
        return Err(Fault::undefined(format!(
            "unpacking from datum {x} up to datum {end}, which is none; check the X counters"
        )));
    };
    let limit = 8 * MOST_BYTES / conversion.bits.max(8);
    if end > limit {
        return Err(Fault::undefined(format!(
            "unpacking up to datum {end} of a row; an unpacker counts {limit} of {}",
            conversion.input
        )));
    }
    let plane = low(zw[0].get(Axis::W)) * u64::from(settings.z_dim()) + low(zw[0].get(Axis::Z));
    let row = plane * u64::from(settings.y_dim()) + low(y);
    let first = row * u64::from(settings.x_dim()) + u64::from(x);
    let bits = u64::from(conversion.bits);
    let row = match settings.tilizes() || sections.fifo.size != 0 {
        true => row_width(settings.core.arch, conversion.bits),
        // Rows that follow each other may be taken for shorter ones.
        false => COLUMNS as u32,
    };
    Ok(Input {
        datums: sections.fifo.wrap(sections.datums * 8 + first * bits, 8),
        exponents: sections.exponent(first),
        count: Some(count),
        row,
        stride: match settings.tilizes() {
            true => settings.row_stride(),
            false => row * conversion.bits / 8,
        },
        fifo: sections.fifo,
        compressed: None,
    })
}

/// First X, Y, and the X behind the last datum, of a row search: whole blobs of rows of 16 datums, if the tile is made of such,
/// or a whole row. The documentation has no "+ 1" behind the counter of the latter.
fn searched(settings: &Settings) -> (u32, u32, u32) {
    let xy = &settings.core.adcs[settings.choice.adc_thread].unpacker[settings.choice.unpacker];
    let [x, y] = [Axis::X, Axis::Y].map(|axis| xy[0].get(axis));
    let blobs = settings.blobs_per_plane();
    if blobs == 0 {
        return (0, y, xy[1].get(Axis::X));
    }
    let next = (x & 7) + 1;
    let end = match next {
        _ if next == blobs => settings.x_dim() & 0x1F0,
        // Eight blobs are numbered; there is no ninth whose start would be the end.
        8 => 0,
        _ => settings.blob_start(next) << 4,
    };
    (settings.blob_start(y & 7) << 4, 0, end)
}

/// What Blackhole can be told beyond Wormhole B0, of which no source says what it does.
fn refuse_unknown(settings: &Settings) -> Result<(), Fault> {
    for (family, what) in [
        (
            cfg::THCON_REG10_Unpack_limit_address_en,
            "another buffer's end of an unpacker",
        ),
        (
            cfg::THCON_REG8_unpack_tile_offset,
            "an unpacker's tile offset",
        ),
    ] {
        let field = family.at(settings.choice.unpacker as u32);
        must_be_zero(settings.core, settings.choice.thread, &[(field, what)])?;
    }
    Ok(())
}

/// Datums that lie side by side before the row stride applies.
fn row_width(arch: Arch, bits: u32) -> u32 {
    match arch {
        Arch::Blackhole if bits > 8 => 32,
        _ => COLUMNS as u32,
    }
}

impl Output {
    fn new(settings: &Settings, conversion: &Conversion, target: Target) -> Result<Output, Fault> {
        let first = settings.first_output(target, conversion.width)?;
        let overridden = settings.choice.unpacker == 0
            && settings
                .core
                .config
                .thread(settings.choice.thread, cfg::SRCA_SET_SetOvrdWithAddr)
                != 0;
        if overridden && target == Target::Dst {
            return Err(Fault::undefined(
                "unpacking to Dst while SRCA_SET_SetOvrdWithAddr is set, which keeps rows within a face; clear it",
            ));
        }
        let limit = match target {
            Target::Dst => DST_ROWS,
            Target::Src(Src::A) if !overridden => 16,
            Target::Src(_) => SRC_ROWS,
        };
        let counter = match target {
            Target::Src(src) if !overridden => {
                settings.core.banks.src_row[src as usize][settings.choice.thread]
            }
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
            beyond: match settings.core.arch {
                Arch::Blackhole if overridden => Beyond::Wrapped,
                Arch::WormholeB0 if overridden && first / COLUMNS as u32 >= SRC_ROWS => {
                    Beyond::Lost
                }
                _ => Beyond::Refused,
            },
            transpose: settings.own(cfg::THCON_REG2_Haloize_mode) != 0,
            shift: settings.column_shift(),
            gap: (1 << settings.own(cfg::THCON_REG2_Upsample_rate)) - 1,
            skip: settings.own(cfg::THCON_REG2_Upsample_and_interleave) != 0,
        })
    }
}

/// Unpacker 0 counts rows from 4. Below, SrcA drops them and Dst has them wrap.
fn above_row_4(first: u32, target: Target) -> Result<u32, Fault> {
    let what = match target {
        Target::Src(_) => "are dropped",
        Target::Dst => "wrap to its end",
    };
    first.checked_sub(FIRST_ROW * COLUMNS as u32).ok_or_else(|| {
        Fault::unmodelled(format!(
            "unpacking to address row {} of {}; rows below {FIRST_ROW} {what}, add 64 datums to the address",
            first / COLUMNS as u32,
            target.name()
        ))
    })
}

/// What does not go together.
fn check(
    settings: &Settings,
    conversion: &Conversion,
    input: &Input,
    output: &Output,
) -> Result<(), Fault> {
    let tilizes = settings.tilizes();
    if output.transpose && settings.choice.unpacker == 1 {
        return Err(Fault::unmodelled(
            "transposing in unpacker 1, which cannot; clear its Haloize_mode",
        ));
    }
    if output.target == Target::Dst && output.transpose {
        return Err(Fault::undefined(
            "transposing while unpacking to Dst; clear Haloize_mode",
        ));
    }
    if output.target == Target::Dst && output.shift != 0 {
        return Err(Fault::undefined(format!(
            "shifting {} columns while unpacking to Dst; clear Shift_amount",
            output.shift
        )));
    }
    if tilizes {
        let with = if input.compressed.is_some() {
            Some("compressed data")
        } else if output.gap != 0 {
            Some("upsampling")
        } else if conversion.bits < 8 {
            Some("datums of less than a byte")
        } else {
            None
        };
        if let Some(with) = with {
            return Err(Fault::undefined(format!(
                "tilizing with {with}; clear Tileize_mode"
            )));
        }
    }
    if (output.transpose || tilizes) && input.datums % 128 != 0 {
        return Err(Fault::undefined(format!(
            "{} from L1 {:#x}; start at a multiple of 16",
            if tilizes { "tilizing" } else { "transposing" },
            input.datums / 8
        )));
    }
    check_bursts(settings, conversion, input, output)
}

/// Faster than 16 bytes a cycle, rows reach SrcA in bursts, which the hardware drops if they cross a set of 16 rows. It is hard to
/// tell when they do; as in ttsim, more than one row has to start where a burst may.
fn check_bursts(
    settings: &Settings,
    conversion: &Conversion,
    input: &Input,
    output: &Output,
) -> Result<(), Fault> {
    let mut throttle = settings.own(cfg::THCON_REG2_Throttle_mode);
    let arch = settings.core.arch;
    if arch == Arch::WormholeB0 && throttle > 2 {
        return Err(Fault::undefined(
            "Throttle_mode 3; 0 to 2 select the unpacker's speed",
        ));
    }
    let overridden = || settings.own_section0(cfg::THCON_REG1_ovrd_default_throttle_mode) != 0;
    if arch == Arch::Blackhole && !overridden() {
        throttle = if conversion.bits == 8 { 3 } else { 2 };
    }
    let speed = if settings.tilizes() {
        2
    } else if input.compressed.is_some() || output.gap >= 3 || conversion.bits == 2 {
        0
    } else if output.gap == 1 {
        throttle.min(1)
    } else {
        throttle
    };
    let bytes = match (arch, speed) {
        (Arch::Blackhole, 2) if conversion.bits >= 16 => 128,
        _ => 16 << speed,
    };
    let burst = (bytes * 8 / (COLUMNS as u32 * conversion.bits)).clamp(1, 8);
    let row = output.first / COLUMNS as u32;
    let one_row = input
        .count
        .is_some_and(|count| count <= COLUMNS as u32 && output.gap == 0);
    if output.target == Target::Src(Src::A) && !one_row && row % burst != 0 {
        return Err(Fault::undefined(format!(
            "unpacking to SrcA from row {row} in bursts of {burst} rows; start at a multiple or lower Throttle_mode"
        )));
    }
    Ok(())
}
