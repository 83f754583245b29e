//! The configuration-dependent part of an UNPACR. It is computed once and cached until one of the
//! configuration words changes that it depends on.
//!
//! `address` adds counters, row counters, fields of the instruction and thread-specific settings.

use tessera_isa_tensix::{cfg, Arch};

use super::settings::Settings;
use crate::arith::spec::format::Format;
use crate::arith::COLUMNS;
use crate::state::banks::Src;
use crate::state::formats::must_hold_zero;
use crate::state::unpacker::{Configured, Conversion, Fifo, Sections, Target};
use crate::trap::Fault;

/// Maximum number of bytes of a row.
const MOST_BYTES: u32 = 8192;

impl Configured {
    /// Computes it from the settings.
    ///
    /// # Errors
    /// Undefined or not modelled cases, listed in the documentation of `address`.
    pub(super) fn read(settings: &Settings) -> Result<Configured, Fault> {
        let target = settings.target();
        let formats = settings.formats();
        refuse_unknown(settings)?;
        let bytes = settings.bytes(formats[0]);
        let conversion = Conversion::new(target, formats, bytes, settings.key.zeros)?;
        let (bits, tilizes) = (conversion.bits, settings.tilizes());
        let by_context = settings.key.multi && settings.key.unpacker == 0;
        let sections = sections(settings, conversion.input)?;
        let row = match tilizes || sections.fifo.size != 0 {
            true => row_width(settings.view.arch(), bits),
            // Contiguous rows may be treated as shorter ones.
            false => COLUMNS as u32,
        };
        let mut configured = Configured {
            conversion,
            target,
            compressed: settings.compressed(),
            tilizes,
            header: settings.header(),
            dims: [settings.x_dim(), settings.y_dim(), settings.z_dim()],
            sections,
            row,
            stride: match tilizes {
                true => settings.row_stride(),
                false => row * bits / 8,
            },
            most_datums: 8 * MOST_BYTES / bits.max(8),
            output_address: settings.output_address(),
            by_context,
            by_counters: !by_context || target == Target::Dst || settings.adds_counters(),
            transpose: settings.own(cfg::THCON_REG2_Haloize_mode) != 0,
            shift: settings.column_shift(),
            gap: (1 << settings.own(cfg::THCON_REG2_Upsample_rate)) - 1,
            skip: settings.own(cfg::THCON_REG2_Upsample_and_interleave) != 0,
            burst: 1,
            counts_rows: settings.own(cfg::THCON_REG2_Unpack_Src_Reg_Set_Upd) != 0,
        };
        configured.check(settings)?;
        configured.burst = configured.burst(settings)?;
        Ok(configured)
    }

    /// Returns the L1 byte address of a tile after its header, given the tile's address in units of
    /// 16 bytes.
    pub(super) fn tile(&self, base: u32) -> u64 {
        (u64::from(base) + self.header) * 16
    }

    /// Returns the sections of a tile whose remaining bytes begin at `from`.
    pub(super) fn sections(&self, from: u64) -> Sections {
        self.sections.offset_by(from)
    }

    /// Checks for settings that exclude each other.
    fn check(&self, settings: &Settings) -> Result<(), Fault> {
        if self.transpose && settings.key.unpacker == 1 {
            return Err(Fault::unmodelled(
                "transposing in unpacker 1, which cannot; clear its Haloize_mode",
            ));
        }
        if self.target == Target::Dst && self.transpose {
            return Err(Fault::undefined(
                "transposing while unpacking to Dst; clear Haloize_mode",
            ));
        }
        if self.target == Target::Dst && self.shift != 0 {
            return Err(Fault::undefined(format!(
                "shifting {} columns while unpacking to Dst; clear Shift_amount",
                self.shift
            )));
        }
        if !self.tilizes {
            return Ok(());
        }
        let with = if self.compressed {
            "compressed data"
        } else if self.gap != 0 {
            "upsampling"
        } else if self.conversion.bits < 8 {
            "datums of less than a byte"
        } else {
            return Ok(());
        };
        Err(Fault::undefined(format!(
            "tilizing with {with}; clear Tileize_mode"
        )))
    }

    /// Returns the number of rows per burst. At more than 16 bytes per cycle, rows reach SrcA in
    /// bursts, which the hardware drops if they cross a set of 16 rows. When they do is hard to
    /// predict; as in ttsim, transfers of more than one row must start at the alignment of a burst.
    fn burst(&self, settings: &Settings) -> Result<u32, Fault> {
        let bits = self.conversion.bits;
        let mut throttle = settings.own(cfg::THCON_REG2_Throttle_mode);
        let arch = settings.view.arch();
        if arch == Arch::WormholeB0 && throttle > 2 {
            return Err(Fault::undefined(
                "Throttle_mode 3; 0 to 2 select the unpacker's speed",
            ));
        }
        let overridden = || settings.own_section0(cfg::THCON_REG1_ovrd_default_throttle_mode) != 0;
        if arch == Arch::Blackhole && !overridden() {
            throttle = if bits == 8 { 3 } else { 2 };
        }
        let speed = if self.tilizes {
            2
        } else if self.compressed || self.gap >= 3 || bits == 2 {
            0
        } else if self.gap == 1 {
            throttle.min(1)
        } else {
            throttle
        };
        let bytes = match (arch, speed) {
            (Arch::Blackhole, 2) if bits >= 16 => 128,
            _ => 16 << speed,
        };
        Ok(match self.target {
            Target::Src(Src::A) => (bytes * 8 / (COLUMNS as u32 * bits)).clamp(1, 8),
            _ => 1,
        })
    }
}

/// Refuses settings that only Blackhole has and that no source describes.
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
        let field = family.nth(settings.key.unpacker);
        must_hold_zero(settings.view.arch(), &field, settings.view.get(field), what)?;
    }
    Ok(())
}

/// Returns the number of contiguous datums, before the row stride applies.
fn row_width(arch: Arch, bits: u32) -> u32 {
    match arch {
        Arch::Blackhole if bits > 8 => 32,
        _ => COLUMNS as u32,
    }
}

/// Returns the sections of a tile at address 0.
///
/// # Errors
/// Undefined if exponents and datums overlap.
fn sections(settings: &Settings, format: Format) -> Result<Sections, Fault> {
    let fifo = Fifo {
        limit: u64::from(settings.own(cfg::THCON_REG2_Unpack_limit_address)) * 16,
        size: u64::from(settings.own(cfg::THCON_REG2_Unpack_fifo_size)) * 16,
    };
    let forced = settings.forced_exponent();
    if forced.is_some() || !format.is_block() {
        return Ok(Sections::without_exponents(forced.unwrap_or(0), fifo));
    }
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
    let datums = (x * y * z * w).div_ceil(16).next_multiple_of(16);
    Ok(Sections::with_exponents(datums, fifo))
}
