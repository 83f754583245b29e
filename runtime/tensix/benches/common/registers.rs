//! A core whose sources, Dst and LRegs hold datums.

use tessera_isa_tensix::{cfg, Arch};
use tessera_tensix::arith::spec::bits;
use tessera_tensix::insn::vector::{self, VectorUnit};
use tessera_tensix::state::banks::Src;
use tessera_tensix::state::core_state::CoreState;
use tessera_tensix::state::row32::Row32;
use tessera_tensix::Model;

use super::{numbers, parse, set, set_thread, set_width, THREAD};

/// Returns a core with BF16 sources and a Dst of 32 or 16 bits, with all rows written.
pub fn core(arch: Arch, model: Model, wide: bool) -> CoreState {
    let mut core = CoreState::with_model(arch, model);
    for field in [
        cfg::ALU_FORMAT_SPEC_REG0_SrcA,
        cfg::ALU_FORMAT_SPEC_REG1_SrcB,
    ] {
        set(&mut core, field, 5);
    }
    if arch == Arch::Blackhole {
        set_thread(&mut core, cfg::DISABLE_IMPLIED_SRCA_FMT_Base, 1);
        set_thread(&mut core, cfg::DISABLE_IMPLIED_SRCB_FMT_Base, 1);
    }
    set_width(&mut core, wide);
    let mut next = numbers();
    for src in [Src::A, Src::B] {
        for row in 0..64 {
            let datums = std::array::from_fn(|_| bits::src_from_bf16((next() >> 16) as u16));
            core.regs.src_mut(src).write_row(0, row, datums);
        }
        core.banks
            .hand_to_matrix(src, THREAD, 0)
            .expect("the unpacker has the bank");
    }
    fill_dst(&mut core, wide, &mut next);
    for lreg in 0..8 {
        let load = parse(arch, &format!("sfpload {lreg}, 0, 3, {}", 2 * lreg));
        core.access.clear();
        let unit = VectorUnit::of(&mut core);
        vector::execute(&load, THREAD, unit).expect("Dst holds such rows");
    }
    core
}

fn fill_dst(core: &mut CoreState, wide: bool, next: &mut impl FnMut() -> u32) {
    for row in (0..512).filter(|_| wide) {
        let datums = std::array::from_fn(|_| bits::dst_from_fp32(next()));
        core.regs.dst.write_row32(Row32::new(row), datums);
    }
    for row in (0..1024).filter(|_| !wide) {
        let datums = std::array::from_fn(|_| bits::dst_from_bf16((next() >> 16) as u16));
        core.regs.dst.write_row16(row, datums);
    }
}
