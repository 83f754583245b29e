//! The code of NC: the operand tiles of every step, from DRAM to the next slot of the rings.
//!
//! While the tiles of a step are on their way those of the next are asked for: a step is announced
//! once the one after it has been asked for, so announcements are one step late and begin with one
//! for no step.

use std::cell::Cell;

use tessera_dialects::mlir::Value;

use super::code::Code;
use super::expr::Arith;
use super::plan::{Step, Tiles};
use super::rings::{operands, reads_memory, Count, SLOTS};
use super::thread::{counter, Buffers};
use super::walk::{steps, Met, Work};

/// Makes the code.
pub fn lower(code: &mut Code, work: &Work) {
    let rings = &work.buffers.rings;
    // The number of the step, its transaction, and the offsets of its slots.
    code.state = vec![code.constant(0); POSITIONS + rings.positions().len()];
    // For each unpacker, whether tiles that stay must be read in this piece.
    let fresh = Cell::new([None; 2]);
    work.walk(
        code,
        |code, turn| {
            rings.start(code, turn, POSITIONS, Count::Bytes);
            fresh.set([0, 1].map(|unpacker| rings.fresh(code, turn, unpacker)));
        },
        |code, met| {
            let Met::Block(block) = met else { return };
            steps(code, &block.items, &mut |code, step| {
                if reads_memory(step) {
                    lower_step(code, &work.buffers, step, fresh.get());
                }
            })
        },
    );
    // The last step has used the other transaction than the next one would.
    let last = code.arith(Arith::Sub, code.constant(1), code.state[TRANSACTION]);
    announce(code, last);
}

/// Where in the state the number of a step is, its transaction, the offsets of its slots.
const NUMBER: usize = 0;
const TRANSACTION: usize = 1;
const POSITIONS: usize = 2;

fn lower_step<'a>(
    code: &mut Code<'_, 'a>,
    buffers: &Buffers,
    step: &Step,
    fresh: [Option<Value<'a>>; 2],
) {
    code.place(step.place);
    let rings = &buffers.rings;
    let (number, transaction) = (code.state[NUMBER], code.state[TRANSACTION]);
    let free = i64::from(SLOTS) - 2;
    code.r#await(counter::FREED, code.arith_by(Arith::Sub, number, free));
    for (unpacker, tiles) in operands(step).into_iter().enumerate() {
        let Some(tiles) = tiles else { continue };
        let offset = code.state[POSITIONS + rings.position(unpacker)];
        let read = |code: &mut Code<'_, 'a>| {
            let ring = buffers.operand(unpacker as u32);
            let slot = code.arith_by(Arith::Add, offset, ring.into());
            read(code, tiles, slot, transaction);
        };
        match fresh[unpacker] {
            Some(fresh) if rings.stays(unpacker, tiles) => code.r#if(fresh, read),
            _ => read(code),
        }
    }
    let next = code.arith(Arith::Sub, code.constant(1), transaction);
    code.state[NUMBER] = code.arith_by(Arith::Add, number, 1);
    code.state[TRANSACTION] = next;
    rings.advance(code, POSITIONS, Count::Bytes);
    // The next step will use the transaction that the step before used.
    announce(code, next);
}

/// Says that the tiles of a step lie in L1, once those of its transaction do.
fn announce<'a>(code: &Code<'_, 'a>, transaction: Value<'a>) {
    code.wait_for_transaction(transaction);
    code.post(counter::READY);
}

fn read<'a>(code: &Code<'_, 'a>, tiles: &Tiles, l1: Value<'a>, transaction: Value<'a>) {
    let bytes = tiles.tensor.element.tile_bytes();
    for tile in 0..tiles.count() {
        let at = tiles.at(tile, true);
        let to = code.arith_by(Arith::Add, l1, (tile * bytes).into());
        code.noc_read(&at.page, tiles.tensor, to, transaction);
    }
}
