//! The data-movement list: operand tiles in, finished tiles out, two buffers each.
//!
//! Step `s` overwrites the buffers of step `s − 2`, so it waits until that one has been unpacked. A finished tile is
//! written as late as its buffer allows, once the operands of the tile after the next are on their way, so that
//! reading, computing and writing overlap.

use tessera_isa_tensix::list::DmEntry;

use super::plan::{Page, Plan, SrcA};
use super::thread::{counter, Buffer};

/// Makes the list.
pub fn lower(plan: &Plan) -> Vec<DmEntry> {
    let mut list = Vec::new();
    let mut step = 0;
    for (number, tile) in plan.tiles.iter().enumerate() {
        for operands in &tile.steps {
            if step >= 2 {
                list.push(DmEntry::Wait {
                    counter: counter::FREED,
                    at_least: step as u32 - 1,
                });
            }
            if let SrcA::Tile(page) = operands.srca {
                list.push(read(page, Buffer::SrcA.address(step)));
            }
            if let Some(page) = operands.srcb {
                list.push(read(page, Buffer::SrcB.address(step)));
            }
            list.push(DmEntry::Post {
                counter: counter::READY,
            });
            step += 1;
        }
        if let Some(earlier) = number.checked_sub(2) {
            write(plan, earlier, &mut list);
        }
    }
    let count = plan.tiles.len();
    for number in count.saturating_sub(2)..count {
        write(plan, number, &mut list);
    }
    list
}

fn read(Page { arg, page }: Page, l1: u32) -> DmEntry {
    DmEntry::Read { arg, page, l1 }
}

/// Writes output tile `number` once it is packed, and says so if a later tile needs its buffer.
fn write(plan: &Plan, number: usize, list: &mut Vec<DmEntry>) {
    let Page { arg, page } = plan.tiles[number].store;
    list.push(DmEntry::Wait {
        counter: counter::PACKED,
        at_least: number as u32 + 1,
    });
    list.push(DmEntry::Write {
        arg,
        page,
        l1: Buffer::Out.address(number),
    });
    if number + 2 < plan.tiles.len() {
        list.push(DmEntry::Post {
            counter: counter::DRAINED,
        });
    }
}
