//! The instructions of the Matrix Unit, one row each.

use tessera_isa_tensix::Unit;

use super::unit::MatrixUnit;
use super::{clear, elementwise, handover, moves, multiply, pool, sources};
use crate::insn::traits::{by_operands, on_both, unit, DstOrder, Occupies, Traits, WaitsFor};
use crate::state::banks::Src;
use crate::state::units::MATRIX;

const PLAIN: Traits = Traits {
    occupies: Occupies::One(MATRIX),
    ..Traits::of(Unit::Matrix)
};

/// Returns the traits of an instruction that waits for banks.
const fn reading(banks: &'static [Src]) -> Traits {
    Traits {
        waits_for: WaitsFor::Banks(banks),
        ..PLAIN
    }
}

const A: &[Src] = &[Src::A];
const B: &[Src] = &[Src::B];
const BOTH: &[Src] = &[Src::A, Src::B];

/// Forms of products and of sums that trap.
const PRODUCTS: &str =
    "denormal floats, stochastic rounding, forced FP16, an override of SrcB's format, sources of \
     different formats";
const SUMS: &str =
    "floats in a phase but 0, denormal floats, stochastic rounding, forced FP16, an override of \
     SrcB's format, sources of different formats";
/// Forms of all moves between Src and Dst, and of moves to Dst, that trap.
const MODES: &str = "forced FP16, an override of SrcB's format";
const MOVES: &str =
    "16-bit rows in a 32-bit Dst, parts of unwritten rows of Dst, forced FP16, an override \
     of SrcB's format";

const PRODUCT: Traits = Traits {
    traps: on_both(PRODUCTS),
    ..reading(BOTH)
};
const SUM: Traits = Traits {
    dst_order: DstOrder::ReadsEarly,
    traps: on_both(SUMS),
    ..reading(BOTH)
};

unit! {
    fn execute<'a>(i, thread: usize, unit: impl FnOnce() -> MatrixUnit<'a>);

    Mvmul => multiply::mvmul(i, thread, &mut unit()), PRODUCT;
    Gapool => multiply::gapool(i, thread, &mut unit()), PRODUCT;
    Elwmul => elementwise::elwmul(i, thread, &mut unit()), PRODUCT;
    Elwadd => elementwise::elwadd(i, thread, &mut unit()), SUM;
    Elwsub => elementwise::elwsub(i, thread, &mut unit()), SUM;
    Gmpool => pool::gmpool(i, thread, &mut unit()), reading(BOTH);

    Mova2d => moves::mova2d(i, thread, unit()), Traits {
        dst_order: DstOrder::WritesLate,
        traps: on_both(MOVES),
        ..reading(A)
    };
    Movdbga2d => moves::movdbga2d(i, thread, unit()), Traits {
        dst_order: DstOrder::WritesLate,
        reads_unowned: Some(Src::A),
        traps: on_both(MOVES),
        ..PLAIN
    };
    Movb2d => moves::movb2d(i, thread, unit()), Traits {
        dst_order: DstOrder::WritesLate,
        traps: [
            Some(
                "16-bit rows in a 32-bit Dst, parts of unwritten rows of Dst, datums with more \
                 bits than their format, forced FP16, an override of SrcB's format",
            ),
            Some(
                "16-bit rows in a 32-bit Dst, parts of unwritten rows of Dst, datums with more \
                 bits than their format, the implied format of one source only, forced FP16, an \
                 override of SrcB's format",
            ),
        ],
        ..reading(B)
    };
    Movd2a => moves::movd2a(i, thread, unit()), Traits {
        traps: on_both(MODES),
        ..PLAIN
    };
    Movd2b => moves::movd2b(i, thread, unit()), Traits {
        traps: [
            Some(MODES),
            Some(
                "the implied format of one source only, forced FP16, an override of SrcB's format",
            ),
        ],
        ..PLAIN
    };

    Movb2a => sources::movb2a(i, thread, unit()), Traits {
        traps: on_both("datums with more bits than their format"),
        ..reading(B)
    };
    Trnspsrcb => sources::trnspsrcb(&mut unit()), reading(B);
    Shiftxa => sources::shiftxa(i, &mut unit()), Traits {
        refused: Some(
            "whose rows are not documented on Blackhole; use SHIFTXB and MOVB2A",
        ),
        traps: [Some("rows chosen by a move between SrcB and Dst"), None],
        ..reading(A)
    };
    Shiftxb => sources::shiftxb(i, thread, &mut unit()), reading(B);

    Zeroacc => clear::zeroacc(i, thread, &mut unit()), Traits {
        traps: [
            None,
            Some(
                "taking back other marks than of sixteen 32-bit rows, 16-bit rows in another \
                 layout, groups in the other half of a 32-bit Dst",
            ),
        ],
        ..PLAIN
    };
    Zerosrc => clear::zerosrc(i, &mut unit()), PLAIN;
    Clrexphist => clear::clrexphist(unit().packers), PLAIN;

    Setrwc => handover::setrwc(i, thread, unit()), Traits {
        waits_for: WaitsFor::HandBack(by_operands!(Setrwc, |i| i.clear_ab_vld)),
        traps: [None, Some("with data on the vector unit's stack")],
        ..PLAIN
    };
    Incrwc => handover::incrwc(i, &mut unit().rwcs[thread]), PLAIN;
    Cleardvalid => handover::cleardvalid(i, unit().banks), PLAIN;
    Gatesrcrst => handover::gatesrcrst(), PLAIN;
}
