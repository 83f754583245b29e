//! Benchmark of the packers on one core: `cargo bench -p tessera-tensix --bench pack`.
//!
//! Each line is a whole tile of 1,024 datums by one PACR on all four packers, through
//! [`tessera_tensix::insn::pack::execute`], including the machine's processing of recorded accesses.
//! The lines "datum by datum" set an exponent threshold that no datum is below, which disables the
//! loops over rows.

mod common;

use std::hint::black_box;

use common::{rate, set, THREAD};
use tessera_isa_tensix::cfg;
use tessera_isa_tensix::{Arch, Instruction};
use tessera_tensix::arith::spec::bits;
use tessera_tensix::insn::pack;
use tessera_tensix::state::adc::Axis;
use tessera_tensix::state::core_state::CoreState;
use tessera_tensix::state::row32::Row32;

/// Output address of the tile, in units of 16 bytes.
const LINE: u32 = 0x1800;

/// Returns a core with packers configured for a tile of four faces from a 32-bit Dst.
fn core(between: u32, to: u32, by_datum: bool) -> CoreState {
    let mut core = CoreState::new(Arch::WormholeB0);
    for row in 0..64 {
        let datum =
            |column: u32| 0x3F80_0000 + (row * 16 + column).wrapping_mul(0x9E37_79B9) % 0x200_0000;
        let row = Row32::new(row as usize);
        let datums = std::array::from_fn(|column| bits::dst_from_fp32(datum(column as u32)));
        core.regs.dst.write_row32(row, datums);
    }
    set(&mut core, cfg::PCK_DEST_RD_CTRL_Read_32b_data, 1);
    set(&mut core, cfg::ALU_FORMAT_SPEC_REG2_Dstacc, between);
    (0..4).for_each(|k| set(&mut core, cfg::PCK_EDGE_OFFSET_mask.nth(k), 0xFFFF));
    for packer in 0..4 {
        let mut of = |family: cfg::ConfigField, value| {
            set(&mut core, family.nth(packer / 2).nth(packer % 2), value)
        };
        of(cfg::THCON_PACK_In_data_format, between);
        of(cfg::THCON_PACK_Out_data_format, to);
        of(cfg::THCON_PACK_Disable_zero_compress, 1);
        of(cfg::THCON_PACK_Exp_section_size, 1);
        of(cfg::THCON_PACK_Exp_threshold_en, by_datum.into());
        of(cfg::THCON_PACK_L1_Dest_addr, LINE + 0x80 * packer);
        set(
            &mut core,
            cfg::DEST_TARGET_REG_CFG_PACK_Offset.nth(packer),
            16 * packer,
        );
        set(
            &mut core,
            cfg::PACK_COUNTERS_pack_reads_per_xy_plane.nth(packer),
            16,
        );
    }
    core.adcs[THREAD].packers[1].set(Axis::X, 255);
    core
}

fn main() {
    let instruction =
        Instruction::parse(Arch::WormholeB0, "ttpacr 0, 0, 15, 0, 0, 0, 1").expect("it is one");
    for (name, between, to) in [
        ("FP32", 0, 0),
        ("BF16", 5, 5),
        ("BFP8 through BF16", 5, 6),
        ("FP16 from FP32", 0, 1),
        ("INT8", 14, 14),
    ] {
        for by_datum in [false, true] {
            let mut core = core(between, to, by_datum);
            let rate = rate(&mut core, |core| {
                pack::execute(black_box(&instruction), THREAD, core).expect("it is set up");
            });
            let how = if by_datum { ", datum by datum" } else { "" };
            println!("{:32} {rate:10.1} k/s", format!("{name}{how}"));
        }
    }
}
