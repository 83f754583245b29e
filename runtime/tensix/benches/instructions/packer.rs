//! A core whose packers pack a tile, or on Blackhole four rows.

use tessera_isa_tensix::cfg::{self, ConfigField};
use tessera_isa_tensix::Arch;
use tessera_tensix::arith::spec::bits;
use tessera_tensix::state::adc::Axis;
use tessera_tensix::state::core_state::CoreState;
use tessera_tensix::state::row32::Row32;
use tessera_tensix::Model;

use crate::common::{set, set_width, THREAD};
use crate::L1;

/// What the packers do.
#[derive(Clone, Copy)]
pub struct Packing {
    pub name: &'static str,
    /// Whether Dst is 32 bits wide.
    pub wide: bool,
    /// The codes of the intermediate and of the output format.
    pub formats: [u32; 2],
    /// More settings.
    pub more: &'static [(ConfigField, u32)],
    /// Whether datums are added to those in L1.
    pub accumulates: bool,
}

/// Returns the instruction that packs all datums.
pub fn pacr(arch: Arch) -> &'static str {
    match arch {
        Arch::WormholeB0 => "ttpacr 0, 0, 15, 0, 0, 0, 1",
        Arch::Blackhole => "ttpacr 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1",
    }
}

/// Returns the datum of Dst in a row and column, as FP32.
fn datum(row: u32, column: u32) -> u32 {
    0x3F80_0000 + (row * 16 + column).wrapping_mul(0x9E37_79B9) % 0x200_0000
}

/// Returns a core for a task.
pub fn core(arch: Arch, model: Model, packing: Packing) -> CoreState {
    let mut core = CoreState::with_model(arch, model);
    let [between, to] = packing.formats;
    for row in 0..64 {
        let datums = std::array::from_fn(|column| datum(row, column as u32));
        let at = row as usize;
        match packing.wide {
            true => (core.regs.dst).write_row32(Row32::new(at), datums.map(bits::dst_from_fp32)),
            false => (core.regs.dst).write_row16(at, datums.map(|x| half(x, between))),
        }
    }
    set_width(&mut core, packing.wide);
    set(&mut core, cfg::ALU_FORMAT_SPEC_REG2_Dstacc, between);
    (0..4).for_each(|k| set(&mut core, cfg::PCK_EDGE_OFFSET_mask.nth(k), 0xFFFF));
    set(
        &mut core,
        cfg::PCK0_ADDR_CTRL_Xstride.nth(0),
        if packing.wide { 4 } else { 2 },
    );
    let packers = match arch {
        Arch::WormholeB0 => 4,
        Arch::Blackhole => 1,
    };
    for packer in 0..packers {
        configure(&mut core, packer, packing, to);
    }
    let last = match arch {
        Arch::WormholeB0 => 255,
        Arch::Blackhole => 15,
    };
    core.adcs[THREAD].packers[1].set(Axis::X, last);
    (packing.more.iter()).for_each(|&(field, value)| set(&mut core, field, value));
    core.l1.write(L1, &[0; 8192]).expect("L1 is larger");
    core
}

/// Returns the 16-bit datum for a number, in Dst's bit order.
fn half(number: u32, format: u32) -> u16 {
    match format {
        1 => bits::dst_from_fp16((number >> 13) as u16 & 0x3FF | 0x3C00),
        _ => bits::dst_from_bf16((number >> 16) as u16),
    }
}

fn configure(core: &mut CoreState, packer: u32, packing: Packing, to: u32) {
    let mut of = |family: ConfigField, value| {
        set(core, family.nth(packer / 2).nth(packer % 2), value);
    };
    of(cfg::THCON_PACK_In_data_format, packing.formats[0]);
    of(cfg::THCON_PACK_Out_data_format, to);
    of(cfg::THCON_PACK_Disable_zero_compress, 1);
    of(cfg::THCON_PACK_Exp_section_size, 1);
    of(cfg::THCON_PACK_L1_Dest_addr, L1 / 16 + 0x80 * packer - 1);
    of(cfg::THCON_PACK_Pack_L1_Acc, packing.accumulates.into());
    let offset = cfg::DEST_TARGET_REG_CFG_PACK_Offset.nth(packer);
    set(core, offset, 16 * packer);
    let reads = cfg::PACK_COUNTERS_pack_reads_per_xy_plane.nth(packer);
    set(core, reads, 16);
}
