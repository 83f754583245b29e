//! The instructions of the unpackers, one row each.

use tessera_isa_tensix::Unit;

use super::unit::Unpackers;
use super::{nop, regular};
use crate::insn::traits::{by_operands, on_both, unit, Occupies, ResourceClass, Traits, WaitsFor};

const UNPACK: Traits = Traits {
    resources: Some(ResourceClass::Unpack),
    ..Traits::of(Unit::Unpacker)
};

unit! {
    fn execute(i, thread: usize, unit: &mut Unpackers<'_>);

    Unpacr => regular::unpacr(i, thread, unit), Traits {
        occupies: Occupies::ByOperands(by_operands!(Unpacr, |i| 1 << i.unpack_block_selection)),
        waits_for: WaitsFor::UnpackerBank(by_operands!(Unpacr, |i, banks| {
            regular::missing_bank(i, banks)
        })),
        traps: [
            Some("`last` clear, rows below 4 of unpacker 0, parts of unwritten rows of Dst"),
            Some(
                "`last` clear, rows below 4 of unpacker 0, parts of unwritten rows of Dst, numbers \
                 of contexts that are no powers of two, ends of other buffers, tile offsets",
            ),
        ],
        ..UNPACK
    };
    UnpacrNop => nop::unpacr_nop(i, thread, unit), Traits {
        occupies: Occupies::ByOperands(by_operands!(UnpacrNop, |i| 1 << i.unpack_block_selection)),
        waits_for: WaitsFor::UnpackerBank(by_operands!(UnpacrNop, |i, banks| {
            nop::missing_bank(i, banks)
        })),
        traps: on_both("messages of streams, stores to registers"),
        ..UNPACK
    };
}
