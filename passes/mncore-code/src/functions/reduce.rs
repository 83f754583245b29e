//! Reductions along words, PEs and cycles within a MAB.
//!
//! The result is broadcast: to both words of a long word, to all PEs, to all cycles.
//!
//! Sums are rounded after each addition. All words and PEs have the same bits: a word adds the
//! other one, a PE that of the opposite PE and then that of its neighbour, and addition commutes.

use tessera_isa_mncore::ast::Convert;
use tessera_isa_mncore::memory::{Precision, Width};
use tessera_isa_mncore::table::{AluKind, MauKind};

use super::recipe::{word, ItemBuilder};
use tessera_mncore_ir::item::{Operand, Place, Source, Value};

/// A combining operation of two operands.
type Join = fn(&mut ItemBuilder, Operand, Operand) -> Value;

fn sum(r: &mut ItemBuilder, x: Operand, y: Operand) -> Value {
    r.mau(MauKind::Vadd, vec![x, y])
}

fn max(r: &mut ItemBuilder, x: Operand, y: Operand) -> Value {
    r.max(x, y)
}

fn min(r: &mut ItemBuilder, x: Operand, y: Operand) -> Value {
    r.min(x, y)
}

fn int_sum(r: &mut ItemBuilder, x: Operand, y: Operand) -> Value {
    r.int(AluKind::Add, x, y)
}

fn int_max(r: &mut ItemBuilder, x: Operand, y: Operand) -> Value {
    r.int(AluKind::Max, x, y)
}

fn int_min(r: &mut ItemBuilder, x: Operand, y: Operand) -> Value {
    r.int(AluKind::Min, x, y)
}

/// Combines both words of each long word.
fn words(r: &mut ItemBuilder, x: &[Operand], join: Join) -> Vec<Value> {
    let amount = word(32);
    let swapped = r.alu(
        AluKind::Bsl,
        Precision::Long,
        false,
        &[x[0].clone(), amount],
    );
    vec![join(r, x[0].clone(), swapped.into())]
}

/// Combines the four PEs of a MAB.
fn pes(r: &mut ItemBuilder, x: &[Operand], join: Join) -> Vec<Value> {
    let moved = |r: &mut ItemBuilder, x: Operand| r.alu(AluKind::Msl, Precision::Long, false, &[x]);
    let once = moved(r, x[0].clone());
    let opposite = moved(r, once.into());
    let pair = join(r, x[0].clone(), opposite.into());
    let neighbour = moved(r, pair.into());
    vec![join(r, pair.into(), neighbour.into())]
}

/// Returns the place of consecutive long words, each of which can be read in all cycles.
pub(super) fn four_words(operand: &Operand) -> Option<&Place> {
    match &operand.source {
        Source::Memory(place)
            if place.width == Width::Long
                && place.stride == Width::Long.words()
                && operand.convert == Convert::None
                && place.address.ring.is_none() =>
        {
            Some(place)
        }
        _ => None,
    }
}

/// Combines the four long words of a place in memory.
fn cycles(r: &mut ItemBuilder, x: &[Operand], join: Join) -> Vec<Value> {
    let place = four_words(&x[0]).expect("append has looked at it");
    let mut longs = (0..4).map(|cycle| {
        Operand::from(Place {
            address: place
                .address
                .clone()
                .advanced_by(cycle * u32::from(place.stride)),
            stride: 0,
            ..place.clone()
        })
    });
    let first = longs.next().expect("there are four");
    let mut all = r.copy(first);
    for long in longs {
        all = join(r, long, all.into());
    }
    vec![all]
}

macro_rules! along {
    ($($name:ident $places:ident $join:ident;)*) => {
        $(pub(super) fn $name(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
            $places(r, x, $join)
        })*
    };
}

along! {
    sum_words words sum;
    max_words words max;
    min_words words min;
    int_sum_words words int_sum;
    int_max_words words int_max;
    int_min_words words int_min;
    sum_pes pes sum;
    max_pes pes max;
    min_pes pes min;
    int_sum_pes pes int_sum;
    int_max_pes pes int_max;
    int_min_pes pes int_min;
    sum_cycles cycles sum;
    max_cycles cycles max;
    min_cycles cycles min;
    int_sum_cycles cycles int_sum;
    int_max_cycles cycles int_max;
    int_min_cycles cycles int_min;
}
