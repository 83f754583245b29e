//! Where an UNPACR reads in L1 and writes in Src or Dst, as configuration and address counters say.

use tessera_isa_tensix::cfg::{self, ConfigField};
use tessera_isa_tensix::table::Unpacr;

use super::conversion::{Conversion, Target};
use crate::adc::{Axis, Channel};
use crate::banks::Src;
use crate::core_state::CoreState;
use crate::formats::{must_be_zero, Format};
use crate::regs::COLUMNS;
use crate::trap::Fault;

/// One UNPACR, resolved.
pub(super) struct Transfer {
    /// Unpacker 0 or 1.
    pub unpacker: usize,
    /// Where the datums go.
    pub target: Target,
    /// What becomes of each datum.
    pub conversion: Conversion,
    /// Configuration context.
    pub context: u32,
    /// The thread whose counters say which part of the tile.
    pub adc_thread: usize,
    /// First byte in L1.
    pub l1: u32,
    /// Datums, a multiple of 16.
    pub datums: u32,
    /// First row in the register; for Src before the unpacker's row counter.
    pub row: u32,
    /// 16x16 faces are transposed.
    pub transpose: bool,
}

impl Transfer {
    pub fn resolve(i: &Unpacr, thread: usize, core: &CoreState) -> Result<Transfer, Fault> {
        let unpacker = i.unpack_block_selection as usize;
        let (context, adc_thread) = context(i, unpacker, thread, core)?;
        let reader = Reader {
            core,
            thread,
            unpacker: unpacker as u32,
            context,
            multi: i.ovrd_thread_id != 0,
        };
        reader.refuse()?;
        let xy = &core.adcs[adc_thread].unpacker[unpacker];
        let zw = &core.adcs[thread].unpacker[unpacker];
        let datums = (xy[1].get(Axis::X) + 1)
            .checked_sub(xy[0].get(Axis::X))
            .filter(|&n| n > 0 && n % 16 == 0);
        let Some(datums) = datums else {
            return Err(Fault::unmodelled(format!(
                "unpacking from datum {} to datum {}; the X counters must span whole rows of 16",
                xy[0].get(Axis::X),
                xy[1].get(Axis::X)
            )));
        };
        let target = reader.target();
        let conversion = reader.conversion(target)?;
        let width = conversion.width();
        let transfer = Transfer {
            unpacker,
            target,
            conversion,
            context,
            adc_thread,
            l1: reader.l1_base()? + reader.first_datum(&xy[0], &zw[0]) * width,
            datums,
            row: reader.first_row(&zw[1], width, target)?,
            transpose: unpacker == 0 && reader.section(cfg::THCON_REG2_Haloize_mode) != 0,
        };
        transfer.check(&reader)?;
        Ok(transfer)
    }

    fn check(&self, reader: &Reader) -> Result<(), Fault> {
        let rows = self.datums / COLUMNS as u32;
        if self.transpose && self.target == Target::Dst {
            return Err(Fault::undefined(
                "transposing while unpacking to Dst; clear Haloize_mode",
            ));
        }
        if self.transpose && (self.l1 % 16 != 0 || rows % 16 != 0 || self.row % 16 != 0) {
            return Err(Fault::unmodelled(format!(
                "transposing {rows} rows from row {} and L1 {:#x}; whole faces of 16 rows, 16-byte aligned, are modelled",
                self.row, self.l1
            )));
        }
        let throttle = reader.section(cfg::THCON_REG2_Throttle_mode);
        if throttle > 2 {
            return Err(Fault::undefined(
                "Throttle_mode 3; 0 to 2 select the unpacker's speed",
            ));
        }
        // Faster than 16 bytes a cycle, rows reach SrcA in bursts, which the hardware drops if they cross a set of 16 rows.
        let burst_rows = ((16 << throttle) / (COLUMNS as u32 * self.conversion.width())).max(1);
        if self.target == Target::Src(Src::A) && rows > 1 && self.row % burst_rows != 0 {
            return Err(Fault::undefined(format!(
                "unpacking to SrcA from row {} in bursts of {burst_rows} rows; start at a multiple or lower Throttle_mode",
                self.row
            )));
        }
        Ok(())
    }
}

/// The context and the thread of the X and Y counters.
fn context(
    i: &Unpacr,
    unpacker: usize,
    thread: usize,
    core: &CoreState,
) -> Result<(u32, usize), Fault> {
    if i.ovrd_thread_id == 0 {
        return Ok((0, thread));
    }
    let chosen = match i.auto_inc_context_id {
        0 => i.cfg_context_id,
        _ => core.context_counter[unpacker][thread],
    };
    let offset = core.config.thread(
        thread,
        cfg::UNPACK_MISC_CFG_CfgContextOffset.at(unpacker as u32),
    );
    let context = (chosen + offset) & 7;
    if context > 1 {
        return Err(Fault::unmodelled(format!(
            "unpacker context {context}; contexts 0 and 1 are modelled"
        )));
    }
    match i.addr_cnt_context_id {
        3 => Err(Fault::undefined(
            "UNPACR with the address counters of thread 3; there are threads 0 to 2",
        )),
        other => Ok((context, other as usize)),
    }
}

struct Reader<'a> {
    core: &'a CoreState,
    thread: usize,
    unpacker: u32,
    context: u32,
    /// Fields are taken per context.
    multi: bool,
}

impl Reader<'_> {
    fn get(&self, field: ConfigField) -> u32 {
        self.core.config.get(self.thread, field)
    }

    /// A field of this unpacker's THCON section.
    fn section(&self, family: ConfigField) -> u32 {
        self.get(family.at(self.unpacker))
    }

    fn descriptor(&self, word: u32) -> u32 {
        self.get(cfg::THCON_REG0_TileDescriptor.at(self.unpacker).at(word))
    }

    /// Everything configured that the model does not have.
    fn refuse(&self) -> Result<(), Fault> {
        let at = |family: ConfigField| family.at(self.unpacker);
        must_be_zero(
            self.core,
            self.thread,
            &[
                (at(cfg::THCON_REG2_Tileize_mode), "tilizing while unpacking"),
                (
                    at(cfg::THCON_REG2_Upsample_rate),
                    "upsampling while unpacking",
                ),
                (
                    at(cfg::THCON_REG2_Upsample_and_interleave),
                    "upsampling while unpacking",
                ),
                (
                    at(cfg::THCON_REG2_Ovrd_data_format),
                    "unpacker formats per context",
                ),
                (
                    at(cfg::THCON_REG2_Unpack_fifo_size),
                    "a wrapping input FIFO of the unpacker",
                ),
            ],
        )?;
        if self.unpacker == 1 && self.section(cfg::THCON_REG2_Haloize_mode) != 0 {
            return Err(Fault::unmodelled(
                "transposing in unpacker 1, which cannot; clear its Haloize_mode",
            ));
        }
        let shift = self.get(
            cfg::THCON_REG2_Shift_amount
                .at(self.unpacker)
                .at(self.context),
        );
        if self.unpacker == 0 && shift != 0 {
            return Err(Fault::unmodelled(
                "shifting columns while unpacking (Shift_amount must be 0)",
            ));
        }
        self.refuse_compression()
    }

    /// Where the datums go: unpacker 1 has no choice.
    fn target(&self) -> Target {
        let to_dst = match self.multi {
            true => self.get(
                cfg::THCON_REG2_Unpack_if_sel
                    .at(self.unpacker)
                    .at(self.context),
            ),
            false => self.section(cfg::THCON_REG2_Unpack_If_Sel),
        };
        match self.unpacker {
            0 if to_dst != 0 => Target::Dst,
            unpacker => Target::Src(Src::of_unpacker(unpacker as usize)),
        }
    }

    fn conversion(&self, target: Target) -> Result<Conversion, Fault> {
        let output = cfg::THCON_REG2_Out_data_format.at(self.unpacker);
        Conversion::new(
            target,
            Format::from_code(self.descriptor(0)),
            Format::read(self.core, self.thread, output),
        )
    }

    fn refuse_compression(&self) -> Result<(), Fault> {
        let uncompressed = match self.multi {
            true => self.get(
                cfg::THCON_REG2_Disable_zero_compress
                    .at(self.unpacker)
                    .at(self.context),
            ),
            false => self.descriptor(0) >> 4 & 1,
        };
        if uncompressed == 0 {
            return Err(Fault::unmodelled("unpacking compressed data; set IsUncompressed, or Disable_zero_compress of the context"));
        }
        Ok(())
    }

    /// L1 byte address of the tile's first datum.
    fn l1_base(&self) -> Result<u32, Fault> {
        let base = self.get(
            cfg::THCON_REG3_Base_address
                .at(self.unpacker)
                .at(self.context),
        );
        let offset = self.get(
            cfg::THCON_REG7_Offset_address
                .at(self.unpacker)
                .at(self.context),
        );
        let digest = self.descriptor(3) >> 24;
        let units = u64::from(base) + u64::from(offset) + 1 + u64::from(digest);
        u32::try_from(units * 16).map_err(|_| {
            Fault::undefined(format!(
                "unpacking from L1 address {:#x}; check the base address",
                units * 16
            ))
        })
    }

    /// Index of the first datum within the tensor of tiles that the descriptor describes.
    fn first_datum(&self, xy: &Channel, zw: &Channel) -> u32 {
        let x_dim = match self.multi && self.unpacker == 0 {
            true => self.get(cfg::THCON_REG5_Tile_x_dim.at(0).at(self.context)),
            false => self.descriptor(0) >> 16,
        };
        let y_dim = self.descriptor(1) & 0xFF;
        let z_dim = (self.descriptor(1) >> 16 & 0xFF).max(1);
        let row = (zw.get(Axis::W) * z_dim + zw.get(Axis::Z)) * y_dim + xy.get(Axis::Y);
        row.wrapping_mul(x_dim).wrapping_add(xy.get(Axis::X))
    }

    /// First row in the register; `width` bytes of the output counters' strides are a datum.
    fn first_row(&self, out: &Channel, width: u32, target: Target) -> Result<u32, Fault> {
        let at = |family: ConfigField| self.get(family.at(self.unpacker).at(1));
        let bytes = self.get(cfg::UNP_ADDR_BASE.at(self.unpacker).at(1))
            + out.get(Axis::Y) * at(cfg::UNP_ADDR_CTRL_Ystride)
            + out.get(Axis::Z) * at(cfg::UNP_ADDR_CTRL_Zstride)
            + out.get(Axis::W) * at(cfg::UNP_ADDR_CTRL_Wstride);
        if bytes % width != 0 {
            return Err(Fault::undefined(format!(
                "an unpacker's output address of {bytes} bytes, in the middle of a datum"
            )));
        }
        let mut datum = bytes / width;
        if self.multi && self.unpacker == 0 {
            let of_context = self.get(cfg::THCON_REG5_Dest_address.at(0).at(self.context));
            let add = target == Target::Dst || self.get(cfg::UNP_ADD_DEST_ADDR_CNTR.at(0)) != 0;
            datum = of_context + if add { datum } else { 0 };
        }
        if datum % COLUMNS as u32 != 0 {
            return Err(Fault::unmodelled(format!(
                "unpacking from column {} on; start at column 0",
                datum % COLUMNS as u32
            )));
        }
        register_row(datum / COLUMNS as u32, target)
    }
}

/// Unpacker 0 counts rows from 4. Below, SrcA drops them and Dst has them wrap.
fn register_row(row: u32, target: Target) -> Result<u32, Fault> {
    let (name, what) = match target {
        Target::Src(Src::B) => return Ok(row),
        Target::Src(Src::A) => ("SrcA", "are dropped"),
        Target::Dst => ("Dst", "wrap to its end"),
    };
    row.checked_sub(4).ok_or_else(|| {
        Fault::unmodelled(format!("unpacking to address row {row} of {name}; rows below 4 {what}, add 64 datums to the address"))
    })
}
