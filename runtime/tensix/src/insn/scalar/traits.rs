//! The instructions of the scalar unit, one row each.

use tessera_isa_tensix::Unit;

use super::{arithmetic, memory};
use crate::insn::traits::{
    by_operands, unit, Occupies, ResourceClass, ThreadEffect, Traits, WaitsFor, WaitsInside,
};
use crate::state::core_state::CoreState;
use crate::state::units::SCALAR;

/// Returns the traits of an instruction that is complete at issue.
const fn of(resources: ResourceClass) -> Traits {
    Traits {
        waits_for: WaitsFor::ScalarUnit,
        resources: Some(resources),
        ..Traits::of(Unit::Scalar)
    }
}

/// Returns the traits of an instruction with a memory request that stays in flight.
const fn requesting(resources: ResourceClass) -> Traits {
    Traits {
        occupies: Occupies::One(SCALAR),
        ..of(resources)
    }
}

use ResourceClass::{Arithmetic, Atomic, Flushdma, Indirect, Loadreg, Other, Reg2flop, Storereg};

unit! {
    fn execute(i, thread: usize, core: &mut CoreState);

    Adddmareg => arithmetic::adddmareg(i, &mut core.gprs[thread]), of(Arithmetic);
    Subdmareg => arithmetic::subdmareg(i, &mut core.gprs[thread]), of(Arithmetic);
    Muldmareg => arithmetic::muldmareg(i, &mut core.gprs[thread]), of(Arithmetic);
    Bitwopdmareg => arithmetic::bitwopdmareg(i, &mut core.gprs[thread]), of(Arithmetic);
    Shiftdmareg => arithmetic::shiftdmareg(i, &mut core.gprs[thread]), of(Arithmetic);
    Cmpdmareg => arithmetic::cmpdmareg(i, &mut core.gprs[thread]), of(Arithmetic);
    Setdmareg => arithmetic::setdmareg(i, thread, core), Traits {
        traps: [Some("the packers' tile sizes and zero flags"), Some("results of the packer")],
        ..of(Arithmetic)
    };
    Reg2flop => arithmetic::reg2flop(i, thread, core), Traits {
        refused: Some("which the documents call unsupported on Blackhole; use WRCFG or SETADC"),
        ..of(Reg2flop)
    };
    Dmanop => arithmetic::no_effect(), of(Other);
    Flushdma => arithmetic::no_effect(), Traits {
        waits_inside: WaitsInside::ForUnits(by_operands!(Flushdma, |i| i.flush_spec)),
        on_thread: ThreadEffect::EndsLoads(by_operands!(Flushdma, |i| i.flush_spec)),
        ..of(Flushdma)
    };

    Loadind => memory::loadind(i, thread, core), requesting(Indirect);
    // The form that writes Src is complete at issue.
    Storeind => memory::storeind(i, thread, core), Traits {
        occupies: Occupies::ByOperands(by_operands!(Storeind, |i| {
            u32::from(!memory::is_to_src(i)) << SCALAR
        })),
        waits_inside: WaitsInside::ForMemory(by_operands!(Storeind, |i, _thread, core| {
            memory::storeind_is_ready(i, &core.banks)
        }, else Ok(true))),
        ..of(Indirect)
    };
    Loadreg => memory::loadreg(i, thread, core), requesting(Loadreg);
    Storereg => memory::storereg(i, thread, core), requesting(Storereg);
    Atincget => memory::atincget(i, thread, core), requesting(Atomic);
    Atswap => memory::atswap(i, thread, core), requesting(Atomic);
    Atincgetptr => memory::atincgetptr(i, thread, core), Traits {
        waits_inside: WaitsInside::ForMemory(by_operands!(Atincgetptr, |i, thread, core| {
            memory::atincgetptr_is_ready(i, thread, core)
        }, else Ok(true))),
        ..of(Atomic)
    };
    Atcas => memory::atcas(i, thread, core), Traits {
        waits_inside: WaitsInside::ForMemory(by_operands!(Atcas, |i, thread, core| {
            memory::atcas_is_ready(i, thread, core)
        }, else Ok(true))),
        ..of(Atomic)
    };
}
