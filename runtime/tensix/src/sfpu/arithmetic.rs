//! SFPMAD and its twins SFPADD and SFPMUL; SFPMULI and SFPADDI, which have an immediate.

use tessera_isa_tensix::table::{Sfpaddi, Sfpmuli};

use super::{check_known, mode_fault, read, write, Lanes, LANES, LREGS, WRITABLE};
use crate::core_state::CoreState;
use crate::model::Model;
use crate::numerics::{fast, sfpu};
use crate::trap::Fault;

/// Mode bits: the first factor is in the register that each lane of LReg 7 names; and so is the result.
const INDIRECT_FACTOR: u32 = 4;
pub(super) const INDIRECT_DEST: u32 = 8;
/// The register that names others.
const NAMES: u32 = 7;
const ONE: u32 = 0x3F80_0000;

/// `VD = VA·VB + VC`. SFPADD and SFPMUL compute the same; their names say which operand is the constant.
pub(super) fn mad(
    sources: [u32; 3],
    dest: u32,
    mode: u32,
    core: &mut CoreState,
) -> Result<(), Fault> {
    if mode & 3 != 0 {
        return Err(mode_fault(
            "a multiply-add",
            mode,
            "sums of 4 (factor named by LReg 7), 8 (destination named by LReg 7)",
        ));
    }
    let lanes = core.regs.vector.enabled();
    if let (Model::Fast(level), 0) = (core.model, mode) {
        for source in sources {
            check_known(core, source, lanes)?;
        }
        let lregs = &core.regs.vector.lregs;
        let [a, b, c] = sources.map(|source| &lregs[source as usize]);
        let values = fast::mad(level, a, b, c);
        return write(core, dest, lanes, values);
    }
    let a = match mode & INDIRECT_FACTOR {
        0 => read(core, sources[0], lanes)?,
        _ => read_named(core, lanes)?,
    };
    let b = read(core, sources[1], lanes)?;
    let c = read(core, sources[2], lanes)?;
    multiply_add([a, b, c], dest, mode, lanes, core)
}

/// `VD = VD·immediate`
pub(super) fn multiply_immediate(i: &Sfpmuli, core: &mut CoreState) -> Result<(), Fault> {
    let own = immediate_operand("SFPMULI", i.lreg_dest, i.instr_mod1, core)?;
    let (lanes, factor) = (core.regs.vector.enabled(), [i.imm16_math << 16; LANES]);
    let operands = [factor, own, [0; LANES]];
    multiply_add(operands, i.lreg_dest, i.instr_mod1, lanes, core)
}

/// `VD = VD + immediate`
pub(super) fn add_immediate(i: &Sfpaddi, core: &mut CoreState) -> Result<(), Fault> {
    let own = immediate_operand("SFPADDI", i.lreg_dest, i.instr_mod1, core)?;
    let (lanes, summand) = (core.regs.vector.enabled(), [i.imm16_math << 16; LANES]);
    let operands = [summand, [ONE; LANES], own];
    multiply_add(operands, i.lreg_dest, i.instr_mod1, lanes, core)
}

/// VD of an instruction with an immediate, whose mode can only be that of its destination.
fn immediate_operand(
    mnemonic: &str,
    dest: u32,
    mode: u32,
    core: &mut CoreState,
) -> Result<Lanes, Fault> {
    if mode & !INDIRECT_DEST != 0 {
        let modes = "0, 8 (destination named by LReg 7)";
        return Err(mode_fault(mnemonic, mode, modes));
    }
    let lanes = core.regs.vector.enabled();
    read(core, dest, lanes)
}

fn multiply_add(
    [a, b, c]: [Lanes; 3],
    dest: u32,
    mode: u32,
    lanes: u32,
    core: &mut CoreState,
) -> Result<(), Fault> {
    let values = match core.model {
        Model::Fast(level) => fast::mad(level, &a, &b, &c),
        Model::Reference => std::array::from_fn(|l| sfpu::mad_wormhole(a[l], b[l], c[l])),
    };
    write_to(core, dest, mode & INDIRECT_DEST != 0, lanes, values)
}

/// In each lane the register that LReg 7 names there.
fn read_named(core: &mut CoreState, lanes: u32) -> Result<Lanes, Fault> {
    let mut values = [0; LANES];
    for (index, own) in named(core, lanes)?.into_iter().enumerate() {
        if own != 0 {
            let from = read(core, index as u32, own)?;
            let lanes = (0..LANES).filter(|lane| own >> lane & 1 != 0);
            lanes.for_each(|lane| values[lane] = from[lane]);
        }
    }
    Ok(values)
}

/// For each register the lanes in which LReg 7 names it.
fn named(core: &mut CoreState, lanes: u32) -> Result<[u32; LREGS], Fault> {
    let names = read(core, NAMES, lanes)?;
    let mut named = [0; LREGS];
    for lane in (0..LANES).filter(|lane| lanes >> lane & 1 != 0) {
        named[(names[lane] & 15) as usize] |= 1 << lane;
    }
    Ok(named)
}

/// Writes the lanes of `lanes` of a register, or of those that LReg 7 names; naming one that cannot be written writes nothing.
pub(super) fn write_to(
    core: &mut CoreState,
    dest: u32,
    indirect: bool,
    lanes: u32,
    values: Lanes,
) -> Result<(), Fault> {
    if !indirect {
        return write(core, dest, lanes, values);
    }
    let named = named(core, lanes)?;
    for (index, own) in (0..WRITABLE).zip(named) {
        if own != 0 {
            write(core, index, own, values)?;
        }
    }
    Ok(())
}
