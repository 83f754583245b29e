//! What `wait`, MV instructions and transfers of L2BM do to the memories that MV instructions
//! reach.

use std::iter;

use super::cells::{Access, TieKind, Way};
use super::{DependenceError, Walk};
use crate::regions::{self, Region};
use tessera_mncore_ir::body::Body;
use tessera_mncore_ir::item::{Item, Move, Op};

/// An MV instruction under way.
pub(super) struct Moving {
    item: usize,
    tag: u32,
    read: Region,
    write: Region,
}

/// Whether transfers of L2BM write and read it: then they are tied without MV instructions, too.
pub(super) fn writes_l2bm(body: &Body) -> bool {
    let transfers = body.items.iter();
    let mut transfers = transfers.filter(|item| matches!(item.op, Op::L2bm { .. }));
    transfers.any(|item| regions::of_item(item).iter().any(|(_, _, write)| *write))
}

impl Walk<'_> {
    /// What `wait`, MV instructions and transfers of L2BM do to the memories that MV instructions
    /// reach.
    pub(super) fn beside(
        &mut self,
        number: usize,
        item: &Item,
        iteration: u64,
        index: &[u32],
    ) -> Result<(), DependenceError> {
        let access = Access {
            item: number as u32,
            iteration,
            cycle: 0,
            set: 0xff,
            kind: Way::Plain,
        };
        match &item.op {
            Op::Mv(transfer) => self.issue(number, transfer, access, index),
            Op::Wait(tag) => self.complete(tag.at(index), access),
            Op::L2bm { op, l2, .. } => {
                let Some((region, write)) = regions::of_l2bm(op, l2.at(index)) else {
                    return Ok(());
                };
                self.is_still(number, iteration, &region, write)?;
                self.mark(&region, number, access, write)
            }
            _ => Ok(()),
        }
    }

    /// An MV instruction is issued.
    fn issue(
        &mut self,
        number: usize,
        transfer: &Move,
        access: Access,
        index: &[u32],
    ) -> Result<(), DependenceError> {
        let (read, write) = regions::of_move(transfer, index);
        for (region, writes) in [(&read, false), (&write, true)] {
            self.is_still(number, access.iteration, region, writes)?;
            self.mark(region, number, access, writes)?;
        }
        let tag = transfer.tag.at(index);
        let cell = self.tags.entry(tag).or_default();
        // Those that waited for the last MV instruction of this tag.
        for reader in &cell.readers {
            self.ties.note(TieKind::BeforeMove, reader, &access);
        }
        cell.writers.retain(|writer| writer.item != access.item);
        cell.writers.push(access);
        self.measure()?;
        self.moving.push(Moving {
            item: number,
            tag,
            read,
            write,
        });
        Ok(())
    }

    /// A `wait`: what its tag moves is there.
    fn complete(&mut self, tag: u32, access: Access) -> Result<(), DependenceError> {
        let cell = self.tags.entry(tag).or_default();
        let writers = std::mem::take(&mut cell.writers);
        cell.readers.retain(|reader| reader.item != access.item);
        cell.readers.push(access);
        for before in &writers {
            self.ties.note(TieKind::MoveWait, before, &access);
        }
        let (done, moving) = std::mem::take(&mut self.moving)
            .into_iter()
            .partition(|moving| moving.tag == tag);
        self.moving = moving;
        let done: Vec<Moving> = done;
        let known = self.earlier.iter().any(|other| other.item == access.item);
        if done.is_empty() && !known {
            self.earlier.push(access);
        }
        for moved in done {
            self.mark(&moved.read, moved.item, access, false)?;
            self.mark(&moved.write, moved.item, access, true)?;
        }
        Ok(())
    }

    /// That no MV instruction under way is in the way.
    fn is_still(
        &self,
        item: usize,
        iteration: u64,
        region: &Region,
        write: bool,
    ) -> Result<(), DependenceError> {
        if !self.outside.follows(item, write) {
            return Ok(());
        }
        for moving in &self.moving {
            let borrowed = write.then_some(&moving.read);
            for other in iter::once(&moving.write).chain(borrowed) {
                if let Some(address) = region.meets(other) {
                    return Err(DependenceError::UnderWay {
                        item,
                        memory: region.memory.name(),
                        address,
                        mover: moving.item,
                        iteration,
                    });
                }
            }
        }
        Ok(())
    }

    /// An access to a region that MV instructions reach, that an item names: of that item, or of
    /// the `wait` for it.
    fn mark(
        &mut self,
        region: &Region,
        named: usize,
        access: Access,
        write: bool,
    ) -> Result<(), DependenceError> {
        let by_move = matches!(self.body.items[access.item as usize].op, Op::Mv(_));
        let access = Access {
            set: region.set,
            ..access
        };
        // What was issued before the loop may have moved this.
        let kind = if by_move {
            TieKind::BeforeMove
        } else {
            TieKind::MoveWait
        };
        for waited in &self.earlier {
            self.ties.note(kind, waited, &access);
        }
        let ties = &mut self.ties;
        let followed = self.outside.follows(named, write);
        for block in region.blocks().filter(|_| followed) {
            let cell = self.blocks.entry((region.memory, block)).or_default();
            let mut tie = |kind, before: &Access| {
                let kind = match (by_move, kind) {
                    (false, kind) => kind,
                    (true, TieKind::WriteRead) => TieKind::WriteMove,
                    (true, _) => TieKind::BeforeMove,
                };
                ties.note(kind, before, &access);
            };
            if write {
                cell.written(access, true, &mut tie);
            } else {
                cell.read(access, &mut tie);
            }
        }
        self.measure()
    }
}
