//! SFPMAD and its twins SFPADD and SFPMUL, SFPSWAP (also minimum and maximum), SFPSTOCHRND to nearest.

use tessera_isa_tensix::table::{Sfpstochrnd, Sfpswap};

use super::{map, mode_fault, read, write, LANES};
use crate::core_state::CoreState;
use crate::numerics::sfpu;
use crate::trap::Fault;

/// `VD = VA·VB + VC`. SFPADD and SFPMUL compute the same; their names say which operand is the constant.
pub(super) fn mad(
    sources: [u32; 3],
    dest: u32,
    mode: u32,
    core: &mut CoreState,
) -> Result<(), Fault> {
    if mode != 0 {
        return Err(mode_fault(
            "a multiply-add",
            mode,
            "0 (registers by number)",
        ));
    }
    let lanes = core.regs.vector.enabled();
    let [a, b, c] = [
        read(core, sources[0], lanes)?,
        read(core, sources[1], lanes)?,
        read(core, sources[2], lanes)?,
    ];
    let values = std::array::from_fn(|l| {
        if lanes >> l & 1 != 0 {
            sfpu::mad_wormhole(a[l], b[l], c[l])
        } else {
            0
        }
    });
    write(core, dest, lanes, values)
}

pub(super) fn swap(i: &Sfpswap, core: &mut CoreState) -> Result<(), Fault> {
    // Lanes in which VD gets the smaller value, by mode; in the others it gets the larger one.
    const VD_MINIMUM: [u32; 10] = [
        0,
        0xFFFF_FFFF,
        0x0000_FFFF,
        0x00FF_00FF,
        0xFF00_00FF,
        0x0000_00FF,
        0x0000_FF00,
        0x00FF_0000,
        0xFF00_0000,
        0,
    ];
    let Some(&minimum) = VD_MINIMUM.get(i.instr_mod1 as usize) else {
        return Err(mode_fault(
            "SFPSWAP",
            i.instr_mod1,
            "0 (swap), 1 to 9 (minimum and maximum)",
        ));
    };
    let lanes = core.regs.vector.enabled();
    let (c, d) = (
        read(core, i.lreg_src_c, lanes)?,
        read(core, i.lreg_dest, lanes)?,
    );
    let mut swapped = 0;
    for lane in 0..LANES {
        let exchange = match i.instr_mod1 {
            0 => true,
            _ if minimum >> lane & 1 != 0 => sfpu::is_smaller(c[lane], d[lane]),
            _ => !sfpu::is_smaller(c[lane], d[lane]),
        };
        swapped |= u32::from(exchange) << lane;
    }
    write(core, i.lreg_src_c, lanes & swapped, d)?;
    write(core, i.lreg_dest, lanes & swapped, c)
}

pub(super) fn round(i: &Sfpstochrnd, core: &mut CoreState) -> Result<(), Fault> {
    if i.rnd_mode != 0 {
        return Err(Fault::unmodelled(
            "stochastic rounding in the vector unit; leave rnd_mode 0",
        ));
    }
    if i.imm8_math != 0 || i.lreg_src_b != 0 {
        return Err(Fault::undefined(
            "SFPSTOCHRND between floats with a shift amount; leave it 0",
        ));
    }
    match i.instr_mod1 {
        0 => map(core, i.lreg_src_c, i.lreg_dest, sfpu::round_tf32),
        1 => map(core, i.lreg_src_c, i.lreg_dest, sfpu::round_bf16),
        other => Err(mode_fault(
            "SFPSTOCHRND",
            other,
            "0 (10 mantissa bits), 1 (7 mantissa bits)",
        )),
    }
}
