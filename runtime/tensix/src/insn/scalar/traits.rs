//! The instructions of the scalar unit, one row each.

use tessera_isa_tensix::Unit;

use super::unit::ScalarUnit;
use super::{arithmetic, memory};
use crate::insn::traits::{
    by_operands, unit, Occupies, ResourceClass, ThreadEffect, Traits, WaitsFor, WaitsInside,
};
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
    fn execute(i, thread: usize, unit: &mut ScalarUnit<'_>);

    Adddmareg => arithmetic::adddmareg(i, &mut unit.gprs[thread]), of(Arithmetic);
    Subdmareg => arithmetic::subdmareg(i, &mut unit.gprs[thread]), of(Arithmetic);
    Muldmareg => arithmetic::muldmareg(i, &mut unit.gprs[thread]), of(Arithmetic);
    Bitwopdmareg => arithmetic::bitwopdmareg(i, &mut unit.gprs[thread]), of(Arithmetic);
    Shiftdmareg => arithmetic::shiftdmareg(i, &mut unit.gprs[thread]), of(Arithmetic);
    Cmpdmareg => arithmetic::cmpdmareg(i, &mut unit.gprs[thread]), of(Arithmetic);
    Setdmareg => arithmetic::setdmareg(i, thread, unit), Traits {
        traps: [Some("the packers' tile sizes and zero flags"), Some("results of the packer")],
        ..of(Arithmetic)
    };
    Reg2flop => arithmetic::reg2flop(i, thread, unit), Traits {
        refused: Some("which the documents call unsupported on Blackhole; use WRCFG or SETADC"),
        ..of(Reg2flop)
    };
    Dmanop => arithmetic::no_effect(), of(Other);
    Flushdma => arithmetic::no_effect(), Traits {
        waits_inside: WaitsInside::ForUnits(by_operands!(Flushdma, |i| i.flush_spec)),
        on_thread: ThreadEffect::EndsLoads(by_operands!(Flushdma, |i| i.flush_spec)),
        ..of(Flushdma)
    };

    Loadind => memory::loadind(i, (&mut unit.gprs[thread], unit.l1)), requesting(Indirect);
    // The form that writes Src is complete at issue.
    Storeind => memory::storeind(i, thread, unit), Traits {
        occupies: Occupies::ByOperands(by_operands!(Storeind, |i| {
            u32::from(!memory::is_to_src(i)) << SCALAR
        })),
        waits_inside: WaitsInside::ForMemory(by_operands!(Storeind, |i, _gprs, _l1, banks| {
            memory::storeind_is_ready(i, banks)
        }, else Ok(true))),
        ..of(Indirect)
    };
    Loadreg => memory::loadreg(i, thread, unit), requesting(Loadreg);
    Storereg => memory::storereg(i, &unit.gprs[thread], unit.request), requesting(Storereg);
    Atincget => memory::atincget(i, (&mut unit.gprs[thread], unit.l1)), requesting(Atomic);
    Atswap => memory::atswap(i, (&unit.gprs[thread], unit.l1)), requesting(Atomic);
    Atincgetptr => memory::atincgetptr(i, (&mut unit.gprs[thread], unit.l1)), Traits {
        waits_inside: WaitsInside::ForMemory(by_operands!(Atincgetptr, |i, gprs, l1, _banks| {
            memory::atincgetptr_is_ready(i, (gprs, l1))
        }, else Ok(true))),
        ..of(Atomic)
    };
    Atcas => memory::atcas(i, (&unit.gprs[thread], unit.l1)), Traits {
        waits_inside: WaitsInside::ForMemory(by_operands!(Atcas, |i, gprs, l1, _banks| {
            memory::atcas_is_ready(i, (gprs, l1))
        }, else Ok(true))),
        ..of(Atomic)
    };
}
