//! Cores in the state that the measured instructions need.

pub mod registers;
pub mod unit;

use tessera_isa_tensix::cfg::{ConfigField, ThreadField};
use tessera_isa_tensix::{Arch, Instruction};
use tessera_tensix::state::core_state::CoreState;

/// The thread that issues.
pub const THREAD: usize = 0;

/// Sets a configuration field.
pub fn set(core: &mut CoreState, field: ConfigField, value: u32) {
    core.config
        .set(THREAD, field, value)
        .expect("the field exists");
}

/// Sets a field of the thread.
pub fn set_thread(core: &mut CoreState, field: ThreadField, value: u16) {
    let field = field.place_on(core.arch).expect("the chip has it");
    core.config
        .write_thread(THREAD, field.addr32(), field.encode(value.into()) as u16)
        .expect("the word exists");
}

pub fn parse(arch: Arch, text: &str) -> Instruction {
    Instruction::parse(arch, text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Returns numbers of a linear congruential generator, near one as floats of any format.
pub fn numbers() -> impl FnMut() -> u32 {
    let mut state = 1_u64;
    move || {
        state = state
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(0x1405_7b7e_f767_814f);
        (state >> 32) as u32 & 0x83FF_FFFF | 0x3C00_0000
    }
}

/// Sets whether Dst is 32 bits wide, for all units.
pub fn set_width(core: &mut CoreState, wide: bool) {
    use tessera_isa_tensix::cfg;
    for field in [
        cfg::ALU_ACC_CTRL_Fp32_enabled,
        cfg::ALU_ACC_CTRL_SFPU_Fp32_enabled,
        cfg::PCK_DEST_RD_CTRL_Read_32b_data,
    ] {
        set(core, field, wide.into());
    }
}
