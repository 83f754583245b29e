//! What an SFPLOADMACRO schedules: of each sub-unit at most one instruction, made of a template (`SFPLOADMACRO.md`, functional model).
//!
//! A sub-unit for which the macro has nothing keeps what is scheduled. The page's functional model forgets there, too, what would be executed in the
//! next cycle; with that LLK's reciprocals (`ckernel_sfpu_recip.h`, of FP32 and of BF16) would lose stores and additions.
//!
//! Not modelled: macros that differ between lanes, against which the page advises: it schedules instructions for each lane, but what the
//! sub-units do in one cycle when lanes disagree, and whose delays then count, it does not say.

use tessera_isa_tensix::table::{Sfpload, Sfploadmacro, Sfpstore};
use tessera_isa_tensix::{Instruction, Opcode};

use super::config::Macros;
use super::memory::Address;
use super::operands::Overlay;
use super::state::STAGING;
use crate::core_state::CoreState;
use crate::trap::Fault;

/// The parts of the unit that instructions can be scheduled to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SubUnit {
    Simple,
    Mad,
    Round,
    Store,
}

impl SubUnit {
    /// In the order of a sequence's bytes.
    pub(super) const ALL: [SubUnit; 4] = [
        SubUnit::Simple,
        SubUnit::Mad,
        SubUnit::Round,
        SubUnit::Store,
    ];

    /// That of an instruction of the vector unit; none for loads and SFPNOP, which go to the load sub-unit if a thread issues them.
    pub(super) fn of(opcode: Opcode) -> Option<SubUnit> {
        use Opcode::*;
        Some(match opcode {
            Sfpload | Sfploadi | Sfploadmacro | Sfpnop => return None,
            Sfpmad | Sfpadd | Sfpmul | Sfpmuli | Sfpaddi | Sfplut | Sfplutfp32 | Sfpmul24 => {
                SubUnit::Mad
            }
            Sfpshft2 | Sfpstochrnd => SubUnit::Round,
            Sfpstore => SubUnit::Store,
            _ => SubUnit::Simple,
        })
    }

    pub(super) fn name(self) -> &'static str {
        ["simple", "MAD", "round", "store"][self as usize]
    }
}

/// What a scheduled instruction does.
#[derive(Clone, Copy, Debug)]
pub(super) enum Action {
    /// Nothing.
    Idle,
    Compute(Instruction, Overlay),
    Store(Sfpstore, Address),
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

/// An instruction to be scheduled: for how many cycles or instructions it waits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub(super) unit: SubUnit,
    pub(super) action: Action,
    pub(super) delay: u32,
    pub(super) by_instructions: bool,
}

/// The fields of an SFPLOADMACRO: the number of the macro, and its load.
pub(super) fn load_of(i: &Sfploadmacro) -> (usize, Sfpload) {
    let load = Sfpload {
        lreg_ind: (i.dest_reg_addr & 1) << 2 | i.lreg_ind & 3,
        instr_mod0: i.instr_mod0,
        sfpu_addr_mode: i.sfpu_addr_mode,
        dest_reg_addr: i.dest_reg_addr,
    };
    ((i.lreg_ind >> 2) as usize, load)
}

/// What an SFPLOADMACRO whose load goes to `address` schedules.
pub(super) fn plans(
    i: &Sfploadmacro,
    address: Address,
    core: &CoreState,
) -> Result<[Option<Plan>; 4], Fault> {
    let (number, load) = load_of(i);
    let (sequence, misc) = of_all_lanes(core, |macros| (macros.sequences[number], macros.misc))?;
    let mut plans = [None; 4];
    for (k, unit) in SubUnit::ALL.into_iter().enumerate() {
        let bits = sequence >> (8 * k) & 0xFF;
        if bits & 7 == 0 {
            continue;
        }
        let action = match unit {
            SubUnit::Store => {
                let uses_own = misc >> (4 + number) & 1 != 0;
                let mode = if uses_own { i.instr_mod0 } else { misc & 15 };
                Action::Store(store(bits, load.lreg_ind, mode, core)?, address)
            }
            _ => computation(unit, bits, load.lreg_ind, core)?,
        };
        plans[k] = Some(Plan {
            unit,
            action,
            delay: bits >> 3 & 7,
            by_instructions: misc >> (8 + k) & 1 != 0,
        });
    }
    Ok(plans)
}

/// What the configuration of macros says in every lane.
fn of_all_lanes<T: PartialEq>(core: &CoreState, field: impl Fn(&Macros) -> T) -> Result<T, Fault> {
    let mut values = core.regs.vector.config.macros.iter().map(field);
    let first = values.next().expect("there are columns");
    match values.all(|value| value == first) {
        true => Ok(first),
        false => Err(Fault::unmodelled(
            "SFPLOADMACRO of a macro that differs between lanes; configure it with all lanes enabled",
        )),
    }
}

/// The template that the low bits of a sequence's byte select.
fn template(bits: u32, core: &CoreState) -> Result<Option<Instruction>, Fault> {
    let number = match bits & 7 {
        1 => {
            return Err(Fault::undefined(
                "SFPLOADMACRO of a sequence that selects instruction 1, which is reserved",
            ))
        }
        2 => return Ok(None),
        selector => selector as usize - 4,
    };
    let word = of_all_lanes(core, |macros| macros.templates[number])?;
    let instruction = Instruction::decode(core.arch, word).map_err(|error| {
        Fault::undefined(format!(
            "SFPLOADMACRO of template {number}, which is no instruction: {error}"
        ))
    })?;
    Ok(Some(instruction))
}

/// The overlay bits of a sequence's byte: the loaded register is VB, and the staging register takes part.
const AS_B: u32 = 0x80;
const STAGED: u32 = 0x40;

/// What the simple, MAD or round sub-unit does; nothing, if the template is not one of its instructions.
fn computation(unit: SubUnit, bits: u32, loaded: u32, core: &CoreState) -> Result<Action, Fault> {
    const STORE: u32 = 3;
    let instruction = match bits & 7 {
        STORE => None,
        _ => template(bits, core)?,
    };
    let overlay = Overlay {
        loaded,
        as_b: bits & AS_B != 0,
        staged: bits & STAGED != 0,
    };
    Ok(match instruction {
        Some(instruction) if SubUnit::of(instruction.opcode()) == Some(unit) => {
            Action::Compute(instruction, overlay)
        }
        _ => Action::Idle,
    })
}

/// What the store sub-unit does.
fn store(bits: u32, loaded: u32, mode: u32, core: &CoreState) -> Result<Sfpstore, Fault> {
    const PLAIN: u32 = 3;
    let own = match bits & 7 {
        PLAIN => 0,
        _ => match template(bits, core)? {
            Some(Instruction::Sfpstore(i)) => i.lreg_ind,
            _ => {
                return Err(Fault::undefined(
                    "SFPLOADMACRO of a sequence that gives the store sub-unit something else than SFPSTORE",
                ))
            }
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
