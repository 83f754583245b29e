//! Where packers write in L1.

use tessera_isa_tensix::cfg::{self, ConfigField};

use crate::adc::Axis;
use crate::core_state::CoreState;
use crate::formats::{must_be_zero, Format};
use crate::trap::Fault;

/// The member for `packer` of a family with the dimensions THCON section and register pair.
pub(super) fn of_packer(family: ConfigField, packer: u32) -> ConfigField {
    family.at(packer / 2).at(packer % 2)
}

/// Refuses what is configured for `packer` and not modelled. Datums come, stay and go in `between`.
pub(super) fn refuse(
    core: &CoreState,
    thread: usize,
    packer: u32,
    between: Format,
) -> Result<(), Fault> {
    let at = |family| of_packer(family, packer);
    must_be_zero(
        core,
        thread,
        &[
            (
                at(cfg::THCON_PACK_Add_l1_dest_addr_offset),
                "the packers' address offset",
            ),
            (
                at(cfg::THCON_PACK_Source_interface_selection),
                "packing from L1",
            ),
            (
                at(cfg::THCON_PACK_Downsample_mask),
                "downsampling while packing",
            ),
            (
                at(cfg::THCON_PACK_Downsample_rate),
                "downsampling while packing",
            ),
            (at(cfg::THCON_PACK_Read_mode), "the packers' read mode"),
            (
                at(cfg::THCON_PACK_Exp_threshold_en),
                "exponent thresholds while packing",
            ),
            (at(cfg::THCON_PACK_Pack_L1_Acc), "accumulation in L1"),
            (
                at(cfg::THCON_PACK_Enable_out_fifo),
                "the packers' output FIFO",
            ),
            (
                at(cfg::THCON_PACK_Force_pack_per_max_xy_plane),
                "forced packing per plane",
            ),
            (
                cfg::THCON_REG9_Pack_fifo_size.at(packer / 2).at(packer % 2),
                "a wrapping output FIFO of the packer",
            ),
        ],
    )?;
    let formats = [
        ("In_data_format", cfg::THCON_PACK_In_data_format),
        ("Out_data_format", cfg::THCON_PACK_Out_data_format),
    ];
    for (name, family) in formats {
        let format = Format::read(core, thread, at(family));
        if format != between {
            return Err(Fault::unmodelled(format!(
                "{format} as {name} of packer {packer} with the intermediate format {between}; one format for all is modelled"
            )));
        }
    }
    let overridden = core.config.get(
        thread,
        cfg::THCON_REG1_All_pack_disable_zero_compress_ovrd.at(0),
    ) != 0;
    let uncompressed = match overridden {
        true => {
            core.config
                .get(thread, cfg::THCON_REG1_All_pack_disable_zero_compress.at(0))
                >> packer
                & 1
        }
        false => core
            .config
            .get(thread, at(cfg::THCON_PACK_Disable_zero_compress)),
    };
    if uncompressed == 0 {
        return Err(Fault::unmodelled(
            "compression while packing; set Disable_zero_compress",
        ));
    }
    Ok(())
}

/// The L1 byte address at which an output of `packer` that begins now lies.
///
/// If bit 31 of packer 0's address is set, the other packers' addresses count from it.
pub(super) fn start(core: &CoreState, thread: usize, packer: u32) -> u32 {
    let configured = |packer| {
        let header = core.config.get(
            thread,
            of_packer(cfg::THCON_PACK_Sub_l1_tile_header_size, packer),
        );
        core.config
            .get(thread, of_packer(cfg::THCON_PACK_L1_Dest_addr, packer))
            .wrapping_add(1 - header)
    };
    let first = configured(0);
    let mut units = configured(packer);
    if packer != 0 && first >> 31 != 0 {
        units = units.wrapping_add(first);
    }
    let channel = &core.adcs[thread].packers[1];
    let stride = |family: ConfigField| core.config.get(thread, family.at(1));
    let by_counters = core.config.get(thread, cfg::PCK0_ADDR_BASE.at(1))
        + channel.get(Axis::Y) * stride(cfg::PCK0_ADDR_CTRL_Ystride)
        + channel.get(Axis::Z) * stride(cfg::PCK0_ADDR_CTRL_Zstride)
        + channel.get(Axis::W) * stride(cfg::PCK0_ADDR_CTRL_Wstride);
    (units.wrapping_add(by_counters & !0xF) & 0x1_FFFF) << 4
}
