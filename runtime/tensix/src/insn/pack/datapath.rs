//! The stages of a packer, as configured.

use tessera_isa_tensix::{cfg, Arch};

use super::of_packer;
use crate::arith::fast::packer::Stages;
use crate::arith::spec::format::Format;
use crate::arith::spec::packer::early::{EarlyConversion, Reading, Type};
use crate::arith::spec::packer::late::LateConversion;
use crate::arith::spec::packer::relu::Relu;
use crate::arith::spec::packer::threshold::Threshold;
use crate::arith::spec::packer::{is_nan, DatumKind};
use crate::state::config::View;
use crate::state::packer::Datapath;
use crate::trap::Fault;

/// Settings that determine the early conversion.
struct Stage<'a> {
    view: View<'a>,
    intermediate: Format,
    from: Format,
    to: Format,
}

impl Datapath {
    /// Reads the stages of `packer`, for datums that come from L1 if `from_l1`.
    pub(super) fn read(view: View<'_>, packer: u32, from_l1: bool) -> Result<Datapath, Fault> {
        refuse(view, packer)?;
        let get = |field| view.get(field);
        let at = |family| of_packer(family, packer);
        let from = view.format(at(cfg::THCON_PACK_In_data_format));
        let to = view.format(at(cfg::THCON_PACK_Out_data_format));
        let intermediate = intermediate(view);
        let (reading, early, typ) = if from_l1 {
            (Reading::Wide, EarlyConversion::Identity, type_in_l1(from)?)
        } else {
            Stage {
                view,
                intermediate,
                from,
                to,
            }
            .resolve()?
        };
        let rebased = typ == Type::Tf32 && intermediate == Format::FP16;
        check_handover(typ, from, intermediate, rebased)?;
        let late = LateConversion::new(typ, typ.kind(from == Format::INT32), to);
        let late = small_fp8(view, (from, to), late)?;
        let Some(late) = late else {
            return Err(Fault::undefined(format!(
                "packing {from} datums as {to}; the late conversion does not have this pair"
            )));
        };
        let kind = typ.kind(intermediate == Format::INT32);
        let mut relu = relu(view, typ, kind)?;
        if from_l1 {
            if relu != Relu::Off {
                return Err(Fault::unmodelled(
                    "ReLU of datums from L1; set STACC_RELU_ApplyRelu to 0",
                ));
            }
            relu = Relu::Off;
        }
        let accumulate = get(at(cfg::THCON_PACK_Pack_L1_Acc)) != 0;
        if accumulate && !matches!(to, Format::FP32 | Format::FP16 | Format::BF16) {
            return Err(Fault::unmodelled(format!(
                "accumulating {to} in L1; FP32, FP16 and BF16 are modelled"
            )));
        }
        let downsample = get(at(cfg::THCON_PACK_Downsample_mask)) as u16;
        Ok(Datapath {
            reading,
            early,
            typ,
            kind,
            relu,
            threshold: threshold(view, packer, (from, rebased))?,
            downsample: if downsample == 0 { 0xFFFF } else { downsample },
            late,
            out: to,
            accumulate,
        })
    }

    /// Returns the replacement of a datum that an edge mask removes.
    pub(super) fn masked(&self, to_infinity: bool) -> Result<u32, Fault> {
        match (to_infinity, self.kind) {
            (false, _) => Ok(0),
            (true, DatumKind::Exponent8) => Ok(0xFF80_0000),
            (true, DatumKind::Exponent5) => Ok(0xFFFF & self.typ.mask()),
            (true, _) => Err(Fault::undefined(
                "edge masks to negative infinity for integers; clear PCK_EDGE_MODE_mode",
            )),
        }
    }

    /// Returns the stages of datums from Dst.
    pub(super) fn stages(&self) -> Stages {
        Stages {
            reading: self.reading,
            early: self.early,
            typ: self.typ,
            kind: self.kind,
            relu: self.relu,
            threshold: self.threshold,
            late: self.late,
        }
    }

    /// Refuses a datum for which the sources of ReLU disagree.
    pub(super) fn check_relu(&self, x: u32) -> Result<(), Fault> {
        if !self.relu.is_undefined(self.kind, x) {
            return Ok(());
        }
        Err(Fault::undefined(format!(
            "ReLU of {x:#010x}, which is not a number: the sources disagree on it; pack through \
             BF16 and clear PCK_DEST_RD_CTRL_Read_int8"
        )))
    }

    /// Refuses a datum for which the late conversion is undefined.
    pub(super) fn check_late(&self, x: u32) -> Result<(), Fault> {
        if !self.late.is_undefined(x) {
            return Ok(());
        }
        Err(Fault::undefined(format!(
            "packing the datum {x:#x} as {}, which the hardware mishandles or gives an unknown \
             sign; flush such datums by rounding or by an exponent threshold",
            self.out
        )))
    }
}

/// Returns the intermediate format of all packers.
fn intermediate(view: View<'_>) -> Format {
    let own = cfg::ALU_FORMAT_SPEC_REG2_Dstacc;
    let overrides = [
        cfg::ALU_FORMAT_SPEC_REG_Dstacc_override,
        cfg::ALU_FORMAT_SPEC_REG_Dstacc_val,
    ];
    view.overridden_format(own, overrides)
}

impl Stage<'_> {
    fn get(&self, field: cfg::ConfigField) -> u32 {
        self.view.get(field)
    }

    /// Returns how Dst is read, the early conversion, and its result type.
    fn resolve(&self) -> Result<(Reading, EarlyConversion, Type), Fault> {
        let wide = self.get(cfg::PCK_DEST_RD_CTRL_Read_32b_data) != 0;
        let raw = self.get(cfg::PCK_DEST_RD_CTRL_Read_int8) != 0;
        let ten = self.get(cfg::PCK_DEST_RD_CTRL_Round_10b_mant) != 0;
        let (truncate, round8) = match wide {
            true => (EarlyConversion::Truncate, EarlyConversion::Round8),
            false => (EarlyConversion::Identity, EarlyConversion::RoundNarrow8),
        };
        let reading = if wide { Reading::Wide } else { Reading::Bf16 };
        let float8 = |early, typ| Ok((reading, early, typ));
        let float5 = |early, typ| Ok((Reading::Fp16, early, typ));
        if self.view.arch() == Arch::Blackhole && self.intermediate == Format::FP16 && ten {
            return self.fp16_through_ten(wide, raw);
        }
        match (self.intermediate, wide, raw) {
            (Format::INT32, true, _) | (Format::TF32, true, true) => {
                float8(EarlyConversion::Identity, Type::Bits32)
            }
            (Format::FP32, true, _) if raw || !ten => {
                float8(EarlyConversion::Identity, Type::Bits32)
            }
            (Format::FP32, _, false) if ten => float8(round8, Type::Tf32),
            (Format::TF32, _, false) => float8(round8, Type::Tf32),
            (Format::BF16, _, _) => match self.bf16(ten, raw)? {
                Type::Bf16 if raw => float8(truncate, Type::Bf16),
                typ => float8(round8, typ),
            },
            (Format::BFP8, _, true) => float8(truncate, Type::Bf16),
            (Format::BFP8, _, false) => float8(round8, Type::E8m6),
            (Format::FP16, false, true) => float5(EarlyConversion::Identity, Type::Fp16),
            (Format::FP16, false, false) => float5(EarlyConversion::Round5, Type::Fp16),
            (Format::BFP8A, false, true) => float5(EarlyConversion::Truncate, Type::E5m7),
            (Format::BFP8A, false, false) => float5(EarlyConversion::Round5, Type::E5m6),
            (Format::FP8, false, true) => float5(EarlyConversion::Truncate, Type::Fp8),
            (Format::INT16, true, _) => {
                Ok((Reading::WideHigh, EarlyConversion::Identity, Type::Int16))
            }
            (Format::INT16, false, _) => {
                Ok((Reading::Narrow, EarlyConversion::Identity, Type::Int16))
            }
            (Format::INT8, _, _) => self.int8(wide, raw),
            _ => Err(self.no_such(wide, raw)),
        }
    }

    /// Handles `Round_10b_mant` on Blackhole, which converts other floats to FP16 as in ttsim: BF16
    /// on the way to FP8, FP32 after ReLU.
    fn fp16_through_ten(
        &self,
        wide: bool,
        raw: bool,
    ) -> Result<(Reading, EarlyConversion, Type), Fault> {
        match (wide, raw, self.to) {
            (true, false, Format::FP16 | Format::FP8) => {
                Ok((Reading::Wide, EarlyConversion::Round8, Type::Tf32))
            }
            (false, false, Format::FP8) => Ok((Reading::Bf16, EarlyConversion::Rebase, Type::Fp16)),
            _ => Err(Fault::unmodelled(
                "packing FP16 with PCK_DEST_RD_CTRL_Round_10b_mant, other than a 32-bit Dst as \
                 FP16 or FP8 and a 16-bit Dst as FP8, not raw",
            )),
        }
    }

    /// Handles `Round_10b_mant` for BF16: it means TF32 if the datum is then converted to FP16.
    fn bf16(&self, ten: bool, raw: bool) -> Result<Type, Fault> {
        match (ten && self.to == Format::FP16, self.from) {
            (true, Format::TF32) if !raw => Ok(Type::Tf32),
            (true, Format::BF16) => Err(Fault::undefined(
                "packing BF16 as FP16 with PCK_DEST_RD_CTRL_Round_10b_mant; clear it, or set \
                 In_data_format to TF32",
            )),
            _ => Ok(Type::Bf16),
        }
    }

    fn int8(&self, wide: bool, raw: bool) -> Result<(Reading, EarlyConversion, Type), Fault> {
        let unsigned = self.get(cfg::PCK_DEST_RD_CTRL_Read_unsigned) != 0;
        let typ = if unsigned { Type::Uint8 } else { Type::Int8 };
        match (wide, raw) {
            (true, true) => Ok((Reading::Wide, EarlyConversion::LowBits, typ)),
            (true, false) => {
                let shift = self.shift()?;
                Ok((Reading::Wide, EarlyConversion::Descale { shift }, typ))
            }
            (false, true) if !unsigned => Ok((Reading::Narrow, EarlyConversion::Sign, typ)),
            _ => Err(self.no_such(wide, raw)),
        }
    }

    fn shift(&self) -> Result<u32, Fault> {
        if self.get(cfg::INT_DESCALE_Enable) == 0 {
            return Ok(0);
        }
        if self.get(cfg::INT_DESCALE_Mode) != 0 {
            return Err(Fault::undefined(
                "INT_DESCALE_Mode = 1, whose shift amount is not documented",
            ));
        }
        Ok(self.get(cfg::INT_DESCALE_VALUES_Value.nth(0)) & 31)
    }

    fn no_such(&self, wide: bool, raw: bool) -> Fault {
        let width = if wide { 32 } else { 16 };
        let raw = if raw { ", raw" } else { "" };
        Fault::undefined(format!(
            "packing through the intermediate format {} from a {width}-bit Dst{raw}; the early \
             conversion does not have this",
            self.intermediate
        ))
    }
}

/// Returns the intermediate type of datums that packer 0 reads from L1.
fn type_in_l1(format: Format) -> Result<Type, Fault> {
    Ok(match format {
        Format::FP32 | Format::INT32 => Type::Bits32,
        Format::BF16 => Type::Bf16,
        Format::FP16 => Type::Fp16,
        Format::FP8 => Type::Fp8,
        Format::INT16 => Type::Int16,
        Format::INT8 => Type::Int8,
        other => {
            return Err(Fault::unmodelled(format!(
            "packing {other} datums from L1; use a format of whole bytes without shared exponents"
        )))
        }
    })
}

/// Returns FP8 with a 4-bit exponent, if Blackhole is configured for it.
fn small_fp8(
    view: View<'_>,
    (from, to): (Format, Format),
    late: Option<LateConversion>,
) -> Result<Option<LateConversion>, Fault> {
    let is_small = view.get(cfg::THCON_REG1_Pac_LF8_4b_exp.nth(0)) != 0;
    match (late, to) {
        (Some(late), Format::FP8) if is_small => match (late, from) {
            (LateConversion::Rebase { to_fp8: true }, Format::FP16) => {
                Ok(Some(LateConversion::SmallFp8 { rebase: true }))
            }
            (LateConversion::Fp8From5 { narrows: true }, Format::FP16) => {
                Ok(Some(LateConversion::SmallFp8 { rebase: false }))
            }
            _ => Err(Fault::unmodelled(format!(
                "packing {from} as FP8 with 4 bits of exponent; pack FP16, or clear Pac_LF8_4b_exp"
            ))),
        },
        (late, _) => Ok(late),
    }
}

/// Checks that the late conversion assumes the type that the early one produces.
fn check_handover(
    typ: Type,
    from: Format,
    intermediate: Format,
    rebased: bool,
) -> Result<(), Fault> {
    let fits = match typ {
        Type::Bits32 => matches!(from, Format::FP32 | Format::INT32),
        Type::Tf32 if rebased => from == Format::FP16,
        Type::Tf32 => from == Format::TF32,
        Type::Bf16 => matches!(from, Format::BF16 | Format::BFP8),
        Type::E8m6 => from == Format::BFP8,
        Type::Fp16 => from == Format::FP16,
        Type::E5m7 | Type::E5m6 => from == Format::BFP8A,
        Type::Fp8 => from == Format::FP8,
        Type::Int16 => from == Format::INT16,
        Type::Int8 | Type::Uint8 => from == Format::INT8,
    };
    if fits {
        return Ok(());
    }
    Err(Fault::undefined(format!(
        "In_data_format {from} of a packer with the intermediate format {intermediate}; set both \
         to the same"
    )))
}

fn relu(view: View<'_>, typ: Type, kind: DatumKind) -> Result<Relu, Fault> {
    // Only the low two of the four bits are significant.
    let mode = view.get(cfg::STACC_RELU_ApplyRelu) & 3;
    let threshold = view.get(cfg::STACC_RELU_ReluThreshold);
    match (mode, kind) {
        (0, _) => return Ok(Relu::Off),
        (1, _) if typ != Type::Uint8 => return Ok(Relu::Zero),
        (2 | 3, DatumKind::Exponent8 | DatumKind::Exponent5) => {}
        _ => {
            return Err(Fault::undefined(format!(
                "STACC_RELU_ApplyRelu = {mode} for integers; 0 and 1, and for unsigned ones 0, are \
                 defined"
            )))
        }
    }
    if threshold & 0x8000 != 0 {
        return Err(Fault::undefined(format!(
            "a negative ReLU threshold ({threshold:#06x})"
        )));
    }
    let value = match kind {
        DatumKind::Exponent5 => threshold,
        _ => threshold << 16,
    };
    if kind == DatumKind::Exponent8 && is_nan(value) || mode == 3 && value & !typ.mask() != 0 {
        return Err(Fault::undefined(format!(
            "the ReLU threshold {threshold:#06x}, which is not a number of the intermediate format"
        )));
    }
    Ok(match mode {
        2 => Relu::BelowThreshold(value),
        _ => Relu::Clamp(value),
    })
}

fn threshold(
    view: View<'_>,
    packer: u32,
    (from, rebased): (Format, bool),
) -> Result<Option<Threshold>, Fault> {
    let get = |family| view.get(of_packer(family, packer));
    if get(cfg::THCON_PACK_Exp_threshold_en) == 0 {
        return Ok(None);
    }
    if rebased {
        return Err(Fault::unmodelled(
            "an exponent threshold for FP16 of a 32-bit Dst; clear Exp_threshold_en",
        ));
    }
    let has_exponent8 = match from {
        Format::FP32 | Format::TF32 | Format::BF16 | Format::BFP8 => true,
        Format::FP16 | Format::FP8 | Format::BFP8A => false,
        _ => return Ok(None),
    };
    let exponent = get(cfg::THCON_PACK_Exp_threshold);
    Ok(Some(Threshold {
        exponent,
        has_exponent8,
    }))
}

/// Refuses undocumented settings, and compression.
fn refuse(view: View<'_>, packer: u32) -> Result<(), Fault> {
    let at = |family| of_packer(family, packer);
    let tile_end = "the packers' automatic end of a tile";
    view.must_be_zero(&[
        (
            cfg::ALU_ROUNDING_MODE_Packer_srnd_en,
            "stochastic rounding in the packers",
        ),
        (
            cfg::ALU_ROUNDING_MODE_Gasket_srnd_en,
            "stochastic rounding in the packers",
        ),
        (
            at(cfg::THCON_PACK_Downsample_rate),
            "the packers' downsampling rate",
        ),
        (at(cfg::THCON_PACK_Read_mode), "the packers' read mode"),
        (
            at(cfg::THCON_PACK_Enable_out_fifo),
            "the packers' output FIFO",
        ),
        (
            at(cfg::THCON_PACK_Force_pack_per_max_xy_plane),
            "forced packing per plane",
        ),
        (
            at(cfg::THCON_PACK_Dis_shared_exp_assembler),
            "packing without sharing exponents",
        ),
        (cfg::PACK_COUNTERS_pack_per_xy_plane.nth(packer), tile_end),
        (cfg::PACK_COUNTERS_pack_xys_per_tile.nth(packer), tile_end),
        (
            cfg::PACK_COUNTERS_pack_per_xy_plane_offset.nth(packer),
            tile_end,
        ),
    ])?;
    if view.arch() == Arch::Blackhole {
        refuse_on_blackhole(view, packer)?;
    }
    if !is_uncompressed(view, packer) {
        return Err(Fault::unmodelled(
            "compression while packing; set Disable_zero_compress",
        ));
    }
    Ok(())
}

/// Refuses settings that only Blackhole has or that it does not document.
fn refuse_on_blackhole(view: View<'_>, packer: u32) -> Result<(), Fault> {
    let interfaces = "where the packer's interfaces begin";
    view.must_be_zero(&[
        (
            of_packer(cfg::THCON_PACK_Auto_set_last_pacr_intf_sel, packer),
            "the packers' automatic end of a tile",
        ),
        (cfg::THCON_REG1_pack_start_intf_pos.nth(0), interfaces),
        (
            cfg::THCON_REG1_pack_dis_y_pos_start_offset.nth(0),
            interfaces,
        ),
        (
            cfg::THCON_REG1_Add_tile_header_size.nth(0),
            "room for the header of a tile",
        ),
        (
            cfg::PACK_COUNTERS_auto_ctxt_inc_xys_cnt.nth(packer),
            "the packers' contexts",
        ),
        (
            cfg::PACK_COUNTERS_pack_yz_transposed.nth(packer),
            "transposed edge masks",
        ),
    ])
}

/// Returns whether compression of zeros is off for a packer.
pub(crate) fn is_uncompressed(view: View<'_>, packer: u32) -> bool {
    let get = |field| view.get(field);
    let uncompressed = match get(cfg::THCON_REG1_All_pack_disable_zero_compress_ovrd.nth(0)) {
        0 => get(of_packer(cfg::THCON_PACK_Disable_zero_compress, packer)),
        _ => get(cfg::THCON_REG1_All_pack_disable_zero_compress.nth(0)) >> packer & 1,
    };
    uncompressed != 0
}
