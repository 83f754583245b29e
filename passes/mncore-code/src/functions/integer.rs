//! Integers of 32 bits: one step of the ALU each.

use tessera_isa_mncore::memory::Precision;
use tessera_isa_mncore::table::AluKind;

use super::recipe::Recipe;
use crate::item::{Operand, Value};

macro_rules! binary {
    ($($name:ident $kind:ident $unsigned:literal;)*) => {
        $(pub(super) fn $name(r: &mut Recipe, x: &[Operand]) -> Vec<Value> {
            vec![r.alu(AluKind::$kind, Precision::Int, $unsigned, &x[..2])]
        })*
    };
}

binary! {
    add Add false;
    sub Sub false;
    and And false;
    or Or false;
    xor Xor false;
    shift_left Lsl false;
    shift_right Lsr false;
    shift_right_unsigned Lsr true;
    max Max false;
    min Min false;
}

pub(super) fn not(r: &mut Recipe, x: &[Operand]) -> Vec<Value> {
    vec![r.alu(AluKind::Not, Precision::Int, false, &x[..1])]
}
