//! The code of B: initializes the semaphores and starts the other cores, then moves the results of
//! every block from L1 to DRAM. It tells the other cores that a stage may start.

use tessera_dialects::mlir::Value;
use tessera_isa_tensix::table::Seminit;

use super::code_builder::{CodeBuilder, Compare};
use super::expr::Arith;
use super::plan::{Block, Target, TileRect};
use super::resources::{counter, semaphore, L1Layout};
use super::tile_moves;
use super::unpack::unpacks_to_dst;
use super::walk::{WalkEvent, Work};

/// Builds the code of B.
pub fn lower(code: &mut CodeBuilder, work: &Work) {
    let mut semaphores = vec![
        (semaphore::MATH_PACK, work.dst_parts()),
        (semaphore::PACK_DONE, 1),
        (semaphore::UNPACK_DONE, 1),
    ];
    if unpacks_to_dst(&work.piece_blocks()) {
        semaphores.extend([(semaphore::DST_OPEN, 1), (semaphore::DST_FILLED, 1)]);
    }
    for (semaphore, max_value) in semaphores {
        code.push(Seminit {
            max_value,
            init_value: 0,
            sem_sel: semaphore::mask(semaphore),
        });
    }
    code.release();
    let mut stage = &work.stages[0];
    // State: the block number, and the offset of its result slot.
    code.state = vec![code.constant(0), code.constant(0)];
    work.for_each_event(code, |code, event| match event {
        WalkEvent::Block(block) if !block.stores.is_empty() => {
            lower_block(code, work, &stage.l1, block)
        }
        WalkEvent::Block(_) | WalkEvent::SlotEvent(_) => {}
        WalkEvent::StageStart(number) => {
            // The results of all blocks before are in memory.
            code.post(counter::STAGE);
            code.state[1] = code.constant(0);
            stage = &work.stages[number];
        }
    });
}

/// Waits for the results of a block, writes those that go to memory, and frees the result slot.
fn lower_block(code: &mut CodeBuilder, work: &Work, l1: &L1Layout, block: &Block) {
    code.set_location(block.location);
    let [number, offset] = code.state[..] else {
        unreachable!("two numbers are counted")
    };
    let next = code.arith_const(Arith::Add, number, 1);
    code.wait_for_counter(counter::PACKED, next);
    let slot = code.arith_const(Arith::Add, offset, l1.result_ring().into());
    for (number, store) in (0..).zip(&block.stores) {
        let Target::Memory(to) = &store.to else {
            continue;
        };
        if to.tensor.local_address().is_some() {
            continue;
        }
        code.set_location(store.location);
        let first = number * block.tiles() * l1.result_tile_bytes;
        write_result(
            code,
            work,
            to,
            code.arith_const(Arith::Add, slot, first.into()),
        );
    }
    code.wait_for_transaction(code.constant(0));
    code.post(counter::DRAINED);
    let offset = code.advance_cyclic(
        offset,
        l1.result_slot_bytes(),
        l1.out_slots * l1.result_slot_bytes(),
    );
    code.state = vec![next, offset];
}

/// Writes the tiles of a result that lie inside of the tensor.
fn write_result<'a>(code: &mut CodeBuilder<'_, 'a>, work: &Work, tiles: &TileRect, l1: Value<'a>) {
    let extents = tiles.tensor.tiles();
    let bytes = tiles.tensor.element.tile_bytes();
    for number in 0..tiles.count() {
        let at = tiles.tile_at(number, false);
        let from = code.arith_const(Arith::Add, l1, (number * bytes).into());
        let mut inside = None;
        for ((extent, shape), tile) in extents.into_iter().zip(tiles.shape).zip(&at.tile) {
            if extent % shape != 0 {
                let end = code.constant(extent.into());
                let holds = code.compare(Compare::Less, code.expr(tile), end);
                inside = Some(inside.map_or(holds, |other| code.and(other, holds)));
            }
        }
        let to = |code: &mut CodeBuilder<'_, 'a>| {
            tile_moves::write(code, work, (tiles, number), from, code.constant(0));
        };
        match inside {
            None => to(code),
            Some(inside) => code.if_then(inside, to),
        }
    }
}
