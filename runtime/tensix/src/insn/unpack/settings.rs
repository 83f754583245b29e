//! The configuration that an UNPACR uses: that of its unpacker and context, in the thread's state.
//!
//! Only the required fields are read, because every recorded word must not change while the
//! unpacker is busy. Software may write the words of other contexts meanwhile.
//!
//! Source: ISA documentation, `UNPACR_Regular.md` ("Configuration" for the tile descriptor).

use tessera_isa_tensix::cfg::{self, ConfigField};
use tessera_isa_tensix::table::Unpacr;
use tessera_isa_tensix::Arch;

use super::conversion::{Bytes, Fp8Kind};
use crate::arith::spec::format::Format;
use crate::state::banks::Src;
use crate::state::config::{Config, View};
use crate::state::unpacker::{Key, OutputAddress, Target};
use crate::trap::Fault;

/// The unpacker, context and counters of an instruction.
#[derive(Clone, Copy)]
pub(super) struct Selection {
    pub thread: usize,
    /// The thread whose X and Y counters apply.
    pub adc_thread: usize,
    pub key: Key,
}

impl Selection {
    /// Reads the selection of an instruction.
    ///
    /// # Errors
    /// Undefined for contexts and counters that do not exist.
    pub fn new(
        i: &Unpacr,
        thread: usize,
        (config, context_counter): (&Config, &[[u32; 3]; 2]),
    ) -> Result<Selection, Fault> {
        let unpacker = i.unpack_block_selection;
        let multi = i.ovrd_thread_id != 0;
        let (context, adc_thread) = match multi {
            true => {
                let counter = context_counter[unpacker as usize][thread];
                context(i, unpacker, counter, (config, thread))?
            }
            false => (0, thread),
        };
        Ok(Selection {
            thread,
            adc_thread,
            key: Key {
                unpacker,
                context,
                multi,
                zeros: i.zero_write2 != 0,
            },
        })
    }

    /// Returns the unpacker.
    pub fn unpacker(&self) -> usize {
        self.key.unpacker as usize
    }

    /// Returns the unpacker's configuration.
    pub fn settings(self, config: &Config) -> Settings<'_> {
        Settings::new(config.view(self.thread), self.key)
    }

    /// Returns the L1 address of the tile, in units of 16 bytes, without header and offset. LLK
    /// rewrites it before every tile.
    pub fn base(&self, config: &Config) -> u32 {
        self.of_context(&cfg::THCON_REG3_Base_address, self.key.context, config)
    }

    /// Returns the start of the output according to the context. LLK writes it for every tile that
    /// goes to Dst.
    pub fn destination(&self, config: &Config) -> u32 {
        self.of_context(&cfg::THCON_REG5_Dest_address, self.key.context & 3, config)
    }

    #[inline(always)]
    fn of_context(&self, family: &ConfigField, context: u32, config: &Config) -> u32 {
        let indices = [self.key.unpacker, context];
        config.get_member(self.thread, family, indices)
    }
}

/// The applicable configuration, except for addresses that change from tile to tile.
pub(super) struct Settings<'a> {
    pub view: View<'a>,
    pub key: Key,
    /// The first word of the tile descriptor.
    descriptor: u32,
}

impl<'a> Settings<'a> {
    pub fn new(view: View<'a>, key: Key) -> Settings<'a> {
        let indices = [key.unpacker, 0];
        Settings {
            view,
            key,
            descriptor: view.get_member(&cfg::THCON_REG0_TileDescriptor, indices),
        }
    }
}

impl Settings<'_> {
    /// Returns a field of this unpacker.
    #[inline(always)]
    pub fn own(&self, family: ConfigField) -> u32 {
        self.view.get_member(&family, [self.key.unpacker])
    }

    /// Returns a field of unpacker 0, whichever this one is.
    #[inline(always)]
    pub fn own_section0(&self, family: ConfigField) -> u32 {
        self.view.get_member(&family, [0])
    }

    /// Returns a field of this unpacker and context; its eight contexts are in two families.
    fn of_eight(&self, families: [ConfigField; 2]) -> u32 {
        self.of_four(families[(self.key.context >> 2) as usize])
    }

    /// Returns a field of this unpacker that is shared by contexts four apart.
    #[inline(always)]
    fn of_four(&self, family: ConfigField) -> u32 {
        let indices = [self.key.unpacker, self.key.context & 3];
        self.view.get_member(&family, indices)
    }

    /// Returns a field of this unpacker's output address generator.
    #[inline(always)]
    fn output(&self, family: ConfigField) -> u32 {
        self.view.get_member(&family, [self.key.unpacker, 1])
    }

    /// Returns bits of the tile descriptor beyond its first word.
    #[inline(always)]
    fn descriptor(&self, word: u32, shift: u32, width: u32) -> u32 {
        let indices = [self.key.unpacker, word];
        self.view
            .get_member(&cfg::THCON_REG0_TileDescriptor, indices)
            >> shift
            & ((1 << width) - 1)
    }

    /// Returns whether the tile in L1 is compressed.
    pub fn compressed(&self) -> bool {
        let uncompressed = match self.key.multi {
            true => self.of_eight([
                cfg::THCON_REG2_Disable_zero_compress,
                cfg::THCON_REG2_Disable_zero_compress_hi,
            ]),
            false => self.descriptor >> 4 & 1,
        };
        uncompressed == 0
    }

    /// Returns `NoBFPExpSection`.
    pub fn no_exponent_section(&self) -> bool {
        self.descriptor >> 5 & 1 != 0
    }

    /// Returns `BlobsPerXYPlane`.
    pub fn blobs_per_plane(&self) -> u32 {
        self.descriptor >> 8 & 7
    }

    /// Returns the start of blob `k` (0 to 7) in its plane, in rows of 16.
    pub fn blob_start(&self, k: u32) -> u32 {
        let starts = match self.key.multi && self.key.unpacker == 0 {
            true => self
                .view
                .get_member(&cfg::UNP0_BLOBS_Y_START, [self.key.context >> 1 & 1]),
            // The field straddles words 2 and 3.
            false => self.descriptor(2, 16, 16) | self.descriptor(3, 0, 16) << 16,
        };
        starts >> (4 * k) & 0xF
    }

    /// Returns `XDim`: datums per row of the tile.
    pub fn x_dim(&self) -> u32 {
        match self.key.multi && self.key.unpacker == 0 {
            true => self.of_four(cfg::THCON_REG5_Tile_x_dim),
            false => self.descriptor >> 16,
        }
    }

    /// Returns `YDim`.
    pub fn y_dim(&self) -> u32 {
        self.descriptor(1, 0, 8)
    }

    /// Returns `ZDim`, at least 1.
    pub fn z_dim(&self) -> u32 {
        self.descriptor(1, 16, 8).max(1)
    }

    /// Returns `WDim`, at least 1.
    pub fn w_dim(&self) -> u32 {
        self.descriptor(2, 0, 8).max(1)
    }

    /// Returns the format in L1 and the output format.
    pub fn formats(&self) -> [Format; 2] {
        let codes = match self.key.multi && self.own(cfg::THCON_REG2_Ovrd_data_format) != 0 {
            true => [
                self.of_eight([
                    cfg::THCON_REG7_Unpack_data_format,
                    cfg::THCON_REG7_Unpack_data_format_hi,
                ]),
                self.of_eight([
                    cfg::THCON_REG7_Unpack_out_data_format,
                    cfg::THCON_REG7_Unpack_out_data_format_hi,
                ]),
            ],
            false => [self.descriptor, self.own(cfg::THCON_REG2_Out_data_format)],
        };
        codes.map(Format::from_code)
    }

    /// Returns the interpretation of `format`'s datums, if they are single bytes.
    pub fn bytes(&self, format: Format) -> Bytes {
        let unsigned = match self.key.unpacker {
            0 => cfg::ALU_FORMAT_SPEC_REG0_SrcAUnsigned,
            _ => cfg::ALU_FORMAT_SPEC_REG0_SrcBUnsigned,
        };
        let four_bits = || self.own(cfg::THCON_REG1_Unp_LF8_4b_exp) != 0;
        Bytes {
            unsigned: format == Format::INT8 && self.view.get(unsigned) != 0,
            fp8: match self.view.arch() {
                Arch::Blackhole if format == Format::FP8 && four_bits() => Fp8Kind::FourBits,
                Arch::Blackhole => Fp8Kind::Blackhole,
                Arch::WormholeB0 => Fp8Kind::Wormhole,
            },
        }
    }

    /// Returns the destination of datums; unpacker 1 has no choice.
    pub fn target(&self) -> Target {
        if self.key.unpacker == 1 {
            return Target::Src(Src::B);
        }
        let to_dst = match self.key.multi {
            true => self.of_eight([
                cfg::THCON_REG2_Unpack_if_sel,
                cfg::THCON_REG2_Unpack_if_sel_hi,
            ]),
            false => self.own(cfg::THCON_REG2_Unpack_If_Sel),
        };
        match to_dst {
            0 => Target::Src(Src::A),
            _ => Target::Dst,
        }
    }

    /// Returns the distance from the tile's address to the end of its header, in units of 16 bytes.
    pub fn header(&self) -> u64 {
        u64::from(self.of_four(cfg::THCON_REG7_Offset_address))
            + 1
            + u64::from(self.descriptor(3, 24, 8))
    }

    /// Returns the exponent that all datums get, if one is forced.
    pub fn forced_exponent(&self) -> Option<u8> {
        let forced = self.own(cfg::THCON_REG2_Force_shared_exp) != 0;
        forced.then(|| self.own(cfg::UNP_FORCED_SHARED_EXP) as u8)
    }

    /// Returns the bytes between rows of datums while tilizing.
    pub fn row_stride(&self) -> u32 {
        let shift = |k| {
            self.view
                .get_member(&cfg::THCON_REG2_Shift_amount, [self.key.unpacker, k])
        };
        (0..3).fold(0, |stride, k| stride | shift(k) << (4 + 4 * k))
    }

    /// Returns the number of columns by which datums move left; unpacker 0 only, and not while
    /// tilizing.
    pub fn column_shift(&self) -> u32 {
        match self.key.unpacker {
            0 if !self.tilizes() => self.of_four(cfg::THCON_REG2_Shift_amount),
            _ => 0,
        }
    }

    /// Returns whether the rows of datums are apart in L1.
    pub fn tilizes(&self) -> bool {
        self.own(cfg::THCON_REG2_Tileize_mode) != 0
    }

    /// Returns the strides of the output address.
    pub fn output_address(&self) -> OutputAddress {
        OutputAddress {
            base: self.output(cfg::UNP_ADDR_BASE),
            strides: [
                cfg::UNP_ADDR_CTRL_Ystride,
                cfg::UNP_ADDR_CTRL_Zstride,
                cfg::UNP_ADDR_CTRL_Wstride,
            ]
            .map(|family| self.output(family)),
        }
    }

    /// Returns whether the counters are added to the context's address in Src.
    pub fn adds_counters(&self) -> bool {
        self.view.get(cfg::UNP_ADD_DEST_ADDR_CNTR.nth(0)) != 0
    }
}

/// Returns the context and the thread of the X and Y counters.
fn context(
    i: &Unpacr,
    unpacker: u32,
    counter: u32,
    (config, thread): (&Config, usize),
) -> Result<(u32, usize), Fault> {
    let chosen = match i.auto_inc_context_id {
        0 => i.cfg_context_id,
        _ => counter,
    };
    let offset = config.thread_member(thread, &cfg::UNPACK_MISC_CFG_CfgContextOffset, [unpacker]);
    let context = (chosen + offset) & 7;
    if unpacker == 1 && context > 1 {
        return Err(Fault::undefined(format!(
            "context {context} of unpacker 1, which has contexts 0 and 1"
        )));
    }
    match i.addr_cnt_context_id {
        3 => Err(Fault::undefined(
            "UNPACR with the address counters of thread 3; there are threads 0 to 2",
        )),
        other => Ok((context, other as usize)),
    }
}
