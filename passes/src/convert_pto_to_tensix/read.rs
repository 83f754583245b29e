//! The code of NC: the operand tiles of every step, from DRAM to the next slot of the rings.
//!
//! While the tiles of a step are on their way those of the next are asked for: a step is announced once the one after it has
//! been asked for, so announcements are one step late and begin with one for no step.

use tessera_dialects::mlir::Value;

use super::code::Code;
use super::expr::Arith;
use super::plan::{Operand, Step, Tiles};
use super::thread::{counter, Buffers, TILE_BYTES};
use super::unpack::reads_memory;
use super::walk::{steps, Work};

/// Makes the code.
pub fn lower(code: &mut Code, work: &Work) {
    // The number of the step, the offset of its slot, its transaction.
    code.state = vec![code.constant(0), code.constant(0), code.constant(0)];
    work.blocks(code, |code, block| {
        steps(code, &block.items, &mut |code, step| {
            if reads_memory(step) {
                lower_step(code, &work.buffers, step);
            }
        })
    });
    // The last step has used the other transaction than the next one would.
    let last = code.arith(Arith::Sub, code.constant(1), code.state[2]);
    announce(code, last);
}

fn lower_step(code: &mut Code, buffers: &Buffers, step: &Step) {
    code.place(step.place);
    let [number, offset, transaction] = code.state[..] else {
        unreachable!("three numbers are counted")
    };
    let free = i64::from(buffers.slots) - 2;
    code.r#await(counter::FREED, code.arith_by(Arith::Sub, number, free));
    for (unpacker, operand) in (0..).zip(step.operands()) {
        if let Some(Operand::Memory(tiles)) = operand {
            let slot = code.arith_by(Arith::Add, offset, buffers.operand(unpacker).into());
            read(code, tiles, slot, transaction);
        }
    }
    let next = code.arith(Arith::Sub, code.constant(1), transaction);
    code.state = vec![
        code.arith_by(Arith::Add, number, 1),
        code.round(
            offset,
            buffers.operand_bytes(),
            buffers.slots * buffers.operand_bytes(),
        ),
        next,
    ];
    // The next step will use the transaction that the step before used.
    announce(code, next);
}

/// Says that the tiles of a step lie in L1, once those of its transaction do.
fn announce<'a>(code: &Code<'_, 'a>, transaction: Value<'a>) {
    code.wait_for_transaction(transaction);
    code.post(counter::READY);
}

fn read<'a>(code: &Code<'_, 'a>, tiles: &Tiles, l1: Value<'a>, transaction: Value<'a>) {
    for tile in 0..tiles.count() {
        let at = tiles.at(tile, true);
        let to = code.arith_by(Arith::Add, l1, (tile * TILE_BYTES).into());
        code.noc_read(&at.page, tiles.tensor.arg, to, transaction);
    }
}
