//! The instructions of the packers, one row each.

use tessera_isa_tensix::Unit;

use super::unit::Packers;
use super::{pacr, set_register};
use crate::insn::traits::{by_operands, unit, Occupies, ResourceClass, Traits, WaitsFor};
use crate::state::units::PACKER;

const PACK: Traits = Traits {
    resources: Some(ResourceClass::Pack),
    ..Traits::of(Unit::Packer)
};

unit! {
    fn execute(i, thread: usize, unit: &mut Packers<'_>);

    Pacr => pacr::pacr(i, thread, unit), Traits {
        occupies: Occupies::ByOperands(by_operands!(Pacr, |i| i.pack_sel.max(1) << PACKER)),
        traps: [
            Some(
                "compression, stochastic rounding, output FIFOs, automatic ends of tiles, block \
                 floats from L1, downsampling rates, read modes, packing forced per plane or \
                 without shared exponents",
            ),
            Some(
                "compression, stochastic rounding, output FIFOs, automatic ends of tiles, L1 as a \
                 source, contexts, counters of another thread, downsampling rates, read modes, \
                 packing forced per plane or without shared exponents, positions of interfaces, \
                 room for headers, `row_pad_zero`, first columns of Dst other than 0, downsampled \
                 parts of rows, `dst_access_mode` unless Dst is remapped and swizzled, edge masks \
                 that are transposed or whose faces end within a PACR, exponent thresholds for \
                 FP16 of a 32-bit Dst, FP8 with 4 bits of exponent of other than FP16",
            ),
        ],
        ..PACK
    };
    PacrSetreg => set_register::pacr_setreg(i, thread, unit), Traits {
        occupies: Occupies::ByOperands(by_operands!(PacrSetreg, |i| i.pack_sel.max(1) << PACKER)),
        waits_for: WaitsFor::IdlePackers,
        resources: Some(ResourceClass::Other),
        refused: Some(
            "whose way of passing addresses to TDMA-RISC is not documented on Blackhole; wait for \
             the packer with STALLWAIT and use STOREREG",
        ),
        ..PACK
    };
}
