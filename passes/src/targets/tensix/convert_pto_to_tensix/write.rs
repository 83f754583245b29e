//! The code of B: what must be before the others start, then the results of every block, from L1 to
//! DRAM.

use tessera_dialects::mlir::Value;
use tessera_isa_tensix::table::Seminit;

use super::code::{Code, Compare};
use super::expr::Arith;
use super::plan::{Block, Target, Tiles};
use super::thread::{counter, semaphore, Buffers};
use super::unpack::unpacks_to_dst;
use super::walk::Work;

/// Makes the code.
pub fn lower(code: &mut Code, work: &Work) {
    let mut semaphores = vec![
        (semaphore::MATH_PACK, work.halves()),
        (semaphore::PACK_DONE, 1),
        (semaphore::UNPACK_DONE, 1),
    ];
    if unpacks_to_dst(work) {
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
    // The number of the block, and the offset of its slot.
    code.state = vec![code.constant(0), code.constant(0)];
    work.blocks(code, |code, block| {
        if !block.stores.is_empty() {
            lower_block(code, &work.buffers, block);
        }
    });
}

fn lower_block(code: &mut Code, buffers: &Buffers, block: &Block) {
    code.place(block.place);
    let [number, offset] = code.state[..] else {
        unreachable!("two numbers are counted")
    };
    let next = code.arith_by(Arith::Add, number, 1);
    code.r#await(counter::PACKED, next);
    let slot = code.arith_by(Arith::Add, offset, buffers.results().into());
    for (number, store) in (0..).zip(&block.stores) {
        let Target::Memory(to) = &store.to else {
            continue;
        };
        code.place(store.place);
        let first = number * block.tiles() * buffers.result_tile;
        write(code, to, code.arith_by(Arith::Add, slot, first.into()));
    }
    code.wait_for_transaction(code.constant(0));
    code.post(counter::DRAINED);
    let offset = code.round(
        offset,
        buffers.result_bytes(),
        buffers.out_slots * buffers.result_bytes(),
    );
    code.state = vec![next, offset];
}

/// Writes the tiles of a result; what lies beyond the tensor is left out.
fn write<'a>(code: &mut Code<'_, 'a>, tiles: &Tiles, l1: Value<'a>) {
    let extents = tiles.tensor.tiles();
    let bytes = tiles.tensor.element.tile_bytes();
    for number in 0..tiles.count() {
        let at = tiles.at(number, false);
        let from = code.arith_by(Arith::Add, l1, (number * bytes).into());
        let mut inside = None;
        for ((extent, shape), tile) in extents.into_iter().zip(tiles.shape).zip(&at.tile) {
            if extent % shape != 0 {
                let end = code.constant(extent.into());
                let holds = code.compare(Compare::Less, code.expr(tile), end);
                inside = Some(inside.map_or(holds, |other| code.and(other, holds)));
            }
        }
        let to = |code: &mut Code<'_, 'a>| {
            code.noc_write(&at.page, tiles.tensor, from, code.constant(0));
        };
        match inside {
            None => to(code),
            Some(inside) => code.r#if(inside, to),
        }
    }
}
