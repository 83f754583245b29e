//! SFPLOADMACRO: schedules at most one instruction per sub-unit, each made from a template
//! (`SFPLOADMACRO.md`, functional model).
//!
//! If a macro has nothing for a sub-unit, that sub-unit keeps what was scheduled before. The page's
//! functional model drops instructions that would execute in the next cycle. LLK's reciprocals
//! (`ckernel_sfpu_recip.h`, of FP32 and of BF16) would then lose stores and additions.
//!
//! Columns of lanes may have different macros, which the page advises against. Each lane then
//! executes the instructions of its own macro at its own time; either all lanes schedule a store or
//! none. Some combinations are not modelled because the page does not define them. These are
//! instructions for some lanes that involve other lanes, take two cycles or draw random bits; and
//! mixtures of lanes that count instructions and lanes that count cycles.

use tessera_isa_tensix::table::{Sfpload, Sfploadmacro, Sfpstore};
use tessera_isa_tensix::{Arch, Instruction, Opcode, Unit};

use super::lregs::STAGING;
use super::traits::sub_unit;
use crate::state::vector::{Action, Address, Configuration, Macros, Overlay, Plan, SubUnit};
use crate::trap::Fault;

impl SubUnit {
    /// All sub-units, in the order of a sequence's bytes.
    pub(super) const ALL: [SubUnit; 4] = [
        SubUnit::Simple,
        SubUnit::Mad,
        SubUnit::Round,
        SubUnit::Store,
    ];

    pub(super) fn name(self) -> &'static str {
        ["simple", "MAD", "round", "store"][self as usize]
    }
}

impl Action {
    pub(super) fn opcode(&self) -> Opcode {
        match self {
            Action::Idle => Opcode::Sfpnop,
            Action::Compute(instruction, _) => instruction.opcode(),
            Action::Store(..) => Opcode::Sfpstore,
        }
    }
}

/// Returns the macro number and the load of an SFPLOADMACRO.
pub(super) fn load_of(i: &Sfploadmacro) -> (usize, Sfpload) {
    let load = Sfpload {
        lreg_ind: (i.dest_reg_addr & 1) << 2 | i.lreg_ind & 3,
        instr_mod0: i.instr_mod0,
        sfpu_addr_mode: i.sfpu_addr_mode,
        dest_reg_addr: i.dest_reg_addr,
    };
    ((i.lreg_ind >> 2) as usize, load)
}

/// Returns the instructions that an SFPLOADMACRO schedules, whose load goes to `address`.
pub(super) fn plans(
    i: &Sfploadmacro,
    address: Address,
    config: &Configuration,
    arch: Arch,
) -> Result<Vec<Plan>, Fault> {
    let mut plans: Vec<Plan> = Vec::new();
    for (macros, lanes) in config.distinct_macros() {
        let gather = Lanes { i, macros, lanes };
        for unit in SubUnit::ALL {
            let Some(plan) = gather.plan(unit, address, arch)? else {
                continue;
            };
            match plans.iter_mut().find(|other| other.is_like(&plan)) {
                Some(other) => other.lanes |= lanes,
                None => plans.push(plan),
            }
        }
    }
    let stores = plans.iter().filter(|plan| plan.unit == SubUnit::Store);
    let storing = stores.fold(0, |lanes, plan| lanes | plan.lanes);
    match storing {
        0 | u32::MAX => Ok(plans),
        _ => Err(Fault::undefined(
            "SFPLOADMACRO of a macro that schedules a store in some lanes and none in others; give \
             all lanes one",
        )),
    }
}

impl Plan {
    /// Returns whether two plans are equal except for their lanes.
    fn is_like(&self, other: &Plan) -> bool {
        let but_lanes = |plan: &Plan| (plan.unit, plan.action, plan.delay, plan.by_instructions);
        but_lanes(self) == but_lanes(other)
    }
}

/// An SFPLOADMACRO with the configuration of some lanes.
struct Lanes<'a> {
    i: &'a Sfploadmacro,
    macros: &'a Macros,
    lanes: u32,
}

impl Lanes<'_> {
    /// Returns what is scheduled to a sub-unit.
    fn plan(&self, unit: SubUnit, address: Address, arch: Arch) -> Result<Option<Plan>, Fault> {
        let (number, load) = load_of(self.i);
        let misc = self.macros.misc;
        let bits = self.macros.sequences[number] >> (8 * unit as u32) & 0xFF;
        if bits & 7 == 0 {
            return Ok(None);
        }
        let action = match unit {
            SubUnit::Store => {
                let uses_own = misc >> (4 + number) & 1 != 0;
                let mode = if uses_own {
                    self.i.instr_mod0
                } else {
                    misc & 15
                };
                Action::Store(
                    store(bits, load.lreg_ind, mode, self.macros, arch)?,
                    address,
                )
            }
            _ => computation(unit, bits, load.lreg_ind, self.macros, arch)?,
        };
        Ok(Some(Plan {
            unit,
            action,
            lanes: self.lanes,
            delay: bits >> 3 & 7,
            by_instructions: misc >> (8 + unit as u32) & 1 != 0,
        }))
    }
}

/// Returns the template that the low bits of a sequence's byte select.
fn template(bits: u32, macros: &Macros, arch: Arch) -> Result<Option<Instruction>, Fault> {
    let number = match bits & 7 {
        1 => {
            return Err(Fault::undefined(
                "SFPLOADMACRO of a sequence that selects instruction 1, which is reserved",
            ))
        }
        2 => return Ok(None),
        selector => selector as usize - 4,
    };
    let instruction = Instruction::decode(arch, macros.templates[number]).map_err(|error| {
        Fault::undefined(format!(
            "SFPLOADMACRO of template {number}, which is not an instruction: {error}"
        ))
    })?;
    if instruction.row().unit != Unit::Vector {
        return Err(Fault::undefined(format!(
            "SFPLOADMACRO of template {number}, {}, which is not an instruction of the vector unit",
            instruction.row().mnemonic
        )));
    }
    Ok(Some(instruction))
}

/// Bits of a sequence's byte: the loaded register is VB; the staging register is used.
const AS_B: u32 = 0x80;
const STAGED: u32 = 0x40;

/// Returns the operation of the simple, MAD or round sub-unit; none, if the template does not
/// belong to it.
fn computation(
    unit: SubUnit,
    bits: u32,
    loaded: u32,
    macros: &Macros,
    arch: Arch,
) -> Result<Action, Fault> {
    const STORE: u32 = 3;
    let instruction = match bits & 7 {
        STORE => None,
        _ => template(bits, macros, arch)?,
    };
    let overlay = Overlay {
        loaded,
        as_b: bits & AS_B != 0,
        staged: bits & STAGED != 0,
    };
    Ok(match instruction {
        Some(instruction) if sub_unit(instruction.opcode()) == Some(unit) => {
            Action::Compute(instruction, overlay)
        }
        _ => Action::Idle,
    })
}

/// Returns the operation of the store sub-unit.
fn store(
    bits: u32,
    loaded: u32,
    mode: u32,
    macros: &Macros,
    arch: Arch,
) -> Result<Sfpstore, Fault> {
    const PLAIN: u32 = 3;
    let own =
        match bits & 7 {
            PLAIN => 0,
            _ => match template(bits, macros, arch)? {
                Some(Instruction::Sfpstore(i)) => i.lreg_ind,
                _ => return Err(Fault::undefined(
                    "SFPLOADMACRO of a sequence that gives the store sub-unit something else than \
                     SFPSTORE",
                )),
            },
        };
    let lreg_ind = match bits & (AS_B | STAGED) {
        0 => loaded,
        AS_B => own,
        _ => STAGING,
    };
    Ok(Sfpstore {
        lreg_ind,
        instr_mod0: mode,
        sfpu_addr_mode: 0,
        dest_reg_addr: 0,
    })
}
