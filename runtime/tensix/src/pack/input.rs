//! Where packers read in Dst, and what becomes of a datum on its way out.

use tessera_isa_tensix::cfg;
use tessera_isa_tensix::table::Pacr;

use crate::adc::Axis;
use crate::core_state::CoreState;
use crate::formats::{dst_is_32bit, must_be_zero, Format};
use crate::numerics::bits;
use crate::numerics::packer::{round_bf16, round_f32, truncate_f32, Relu};
use crate::regs::COLUMNS;
use crate::trap::Fault;

/// Datum addresses in Dst have 14 bits.
const DST_MASK: u32 = 0x3FFF;

/// The datums that a PACR takes, before the packers' offsets are added.
pub(super) struct Input {
    pub first: u32,
    pub datums: u32,
}

impl Input {
    /// `width`: bytes of a datum, by which the counters' strides are measured.
    pub fn resolve(i: &Pacr, width: u32, thread: usize, core: &CoreState) -> Result<Input, Fault> {
        let [from, to] = &core.adcs[thread].packers;
        if i.flush != 0 {
            return Ok(Input {
                first: 0,
                datums: 0,
            });
        }
        let stride = |family: cfg::ConfigField| core.config.get(thread, family.at(0));
        let x = from.get(Axis::X);
        let bytes = core.config.get(thread, cfg::PCK0_ADDR_BASE.at(0))
            + x * (stride(cfg::PCK0_ADDR_CTRL_Xstride) & 0xF)
            + from.get(Axis::Y) * stride(cfg::PCK0_ADDR_CTRL_Ystride)
            + from.get(Axis::Z) * stride(cfg::PCK0_ADDR_CTRL_Zstride)
            + from.get(Axis::W) * stride(cfg::PCK0_ADDR_CTRL_Wstride);
        if bytes % width != 0 {
            return Err(Fault::undefined(format!(
                "a packer's input address of {bytes} bytes, in the middle of a datum"
            )));
        }
        // The lowest bits of X select a datum among 16 bytes.
        let mask = 16 / width - 1;
        let datums = (to.get(Axis::X) + 1)
            .checked_sub(x)
            .filter(|&n| n > 0 && n * width % 16 == 0 && n <= 1024);
        let Some(datums) = datums else {
            return Err(Fault::unmodelled(format!(
                "packing from datum {x} to datum {}; the X counters must span whole 16-byte units",
                to.get(Axis::X)
            )));
        };
        Ok(Input {
            first: ((bytes / width) & !mask) + (x & mask),
            datums,
        })
    }
}

/// Early format conversion and ReLU of all packers.
pub(super) struct Conversion {
    format: Format,
    wide: bool,
    raw: bool,
    relu: Relu,
}

impl Conversion {
    pub fn read(core: &CoreState, thread: usize) -> Result<Conversion, Fault> {
        must_be_zero(
            core,
            thread,
            &[
                (
                    cfg::ALU_FORMAT_SPEC_REG_Dstacc_override,
                    "the packers' format override",
                ),
                (
                    cfg::ALU_ROUNDING_MODE_Packer_srnd_en,
                    "stochastic rounding in the packers",
                ),
                (
                    cfg::ALU_ROUNDING_MODE_Gasket_srnd_en,
                    "stochastic rounding in the packers",
                ),
                (
                    cfg::PCK_DEST_RD_CTRL_Round_10b_mant,
                    "packing with 10 mantissa bits",
                ),
                (
                    cfg::PCK_DEST_RD_CTRL_Read_unsigned,
                    "packing unsigned integers",
                ),
            ],
        )?;
        let format = Format::read(core, thread, cfg::ALU_FORMAT_SPEC_REG2_Dstacc);
        if !matches!(format, Format::BF16 | Format::FP32) {
            return Err(Fault::unmodelled(format!(
                "packing through the intermediate format {format}; BF16 and FP32 are modelled"
            )));
        }
        let wide = dst_is_32bit(core, thread)?;
        if format == Format::FP32 && !wide {
            return Err(Fault::undefined(
                "packing through the intermediate format FP32 from a 16-bit Dst; widen Dst or use BF16",
            ));
        }
        let raw = core.config.get(thread, cfg::PCK_DEST_RD_CTRL_Read_int8) != 0;
        let relu = relu(core, thread)?;
        if raw && relu != Relu::Off {
            return Err(Fault::unmodelled("ReLU of raw datums, on whose NaNs the sources disagree; clear PCK_DEST_RD_CTRL_Read_int8"));
        }
        if format == Format::FP32 && relu != Relu::Off {
            return Err(Fault::unmodelled(
                "ReLU of FP32 datums; let the vector unit do it",
            ));
        }
        Ok(Conversion {
            format,
            wide,
            raw,
            relu,
        })
    }

    /// The row of Dst that holds datum `index`, converted except for ReLU.
    pub fn row(&self, core: &mut CoreState, index: u32) -> Result<[u32; COLUMNS], Fault> {
        let row = ((index & DST_MASK) / COLUMNS as u32) as usize;
        if self.format == Format::FP32 {
            return Ok(core.read_dst32(row)?.map(bits::fp32_from_dst));
        }
        if self.wide {
            let convert = if self.raw { truncate_f32 } else { round_f32 };
            return Ok(core
                .read_dst32(row)?
                .map(|x| convert(bits::fp32_from_dst(x)).into()));
        }
        let datums = core.read_dst16(row)?.map(bits::bf16_from_dst);
        Ok(datums.map(|x| if self.raw { x } else { round_bf16(x) }.into()))
    }

    /// The bytes of a datum after ReLU, little-endian; [`Self::width`] of them.
    pub fn finish(&self, datum: u32) -> [u8; 4] {
        match self.relu {
            Relu::Off => datum,
            relu => relu.apply(datum as u16).into(),
        }
        .to_le_bytes()
    }

    /// What goes in, between and out alike.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Bytes of a datum.
    pub fn width(&self) -> u32 {
        match self.format {
            Format::FP32 => 4,
            _ => 2,
        }
    }
}

fn relu(core: &CoreState, thread: usize) -> Result<Relu, Fault> {
    let threshold = core.config.get(thread, cfg::STACC_RELU_ReluThreshold) as u16;
    let relu = match core.config.get(thread, cfg::STACC_RELU_ApplyRelu) {
        0 => Relu::Off,
        1 => Relu::Zero,
        2 => Relu::BelowThreshold(threshold),
        3 => Relu::Clamp(threshold),
        other => {
            return Err(Fault::undefined(format!(
                "STACC_RELU_ApplyRelu = {other}; 0 to 3 are defined"
            )))
        }
    };
    if matches!(relu, Relu::BelowThreshold(_) | Relu::Clamp(_)) && threshold & 0x8000 != 0 {
        return Err(Fault::undefined(format!(
            "a negative ReLU threshold ({threshold:#06x})"
        )));
    }
    Ok(relu)
}
