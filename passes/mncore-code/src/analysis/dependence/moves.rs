//! Effects of `wait`, MV instructions and L2BM transfers on L2BM, DRAM and PDM.

use std::iter;

use super::cells::{Access, AccessPath, DependenceKind};
use super::{DependenceError, Walk};
use crate::ir::regions::{self, Region};
use tessera_mncore_ir::body::Body;
use tessera_mncore_ir::item::{Item, Move, Op};

/// An MV instruction in flight.
pub(super) struct InFlightMove {
    item: usize,
    tag: u32,
    read: Region,
    write: Region,
}

/// Returns whether L2BM transfers of the body write L2BM: they then depend on one another even
/// without MV instructions.
pub(super) fn writes_l2bm(body: &Body) -> bool {
    let transfers = body.items.iter();
    let mut transfers = transfers.filter(|item| matches!(item.op, Op::L2bm { .. }));
    transfers.any(|item| {
        regions::item_regions(item)
            .iter()
            .any(|(_, _, write)| *write)
    })
}

impl Walk<'_> {
    /// Visits a `wait`, an MV instruction or an L2BM transfer.
    pub(super) fn visit_transfer(
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
            kind: AccessPath::Plain,
        };
        match &item.op {
            Op::Mv(transfer) => self.issue(number, transfer, access, index),
            Op::Wait(tag) => self.complete(tag.eval(index), access),
            Op::L2bm { op, l2, .. } => {
                let Some((region, write)) = regions::l2bm_region(op, l2.eval(index)) else {
                    return Ok(());
                };
                self.check_not_in_flight(number, iteration, &region, write)?;
                self.visit_region(&region, number, access, write)
            }
            _ => Ok(()),
        }
    }

    /// Visits an MV instruction at its issue.
    fn issue(
        &mut self,
        number: usize,
        transfer: &Move,
        access: Access,
        index: &[u32],
    ) -> Result<(), DependenceError> {
        let (read, write) = regions::move_regions(transfer, index);
        for (region, writes) in [(&read, false), (&write, true)] {
            self.check_not_in_flight(number, access.iteration, region, writes)?;
            self.visit_region(region, number, access, writes)?;
        }
        let tag = transfer.tag.eval(index);
        let cell = self.tags.entry(tag).or_default();
        // The items that waited for the previous MV instruction with this tag.
        for reader in &cell.readers {
            self.distances
                .record(DependenceKind::MoveAfterAccess, reader, &access);
        }
        cell.writers.retain(|writer| writer.item != access.item);
        cell.writers.push(access);
        self.emit_edges()?;
        self.moving.push(InFlightMove {
            item: number,
            tag,
            read,
            write,
        });
        Ok(())
    }

    /// Visits a `wait`, which completes the MV instructions with its tag.
    fn complete(&mut self, tag: u32, access: Access) -> Result<(), DependenceError> {
        let cell = self.tags.entry(tag).or_default();
        let writers = std::mem::take(&mut cell.writers);
        cell.readers.retain(|reader| reader.item != access.item);
        cell.readers.push(access);
        for before in &writers {
            self.distances
                .record(DependenceKind::WaitAfterMove, before, &access);
        }
        let (done, moving) = std::mem::take(&mut self.moving)
            .into_iter()
            .partition(|moving| moving.tag == tag);
        self.moving = moving;
        let done: Vec<InFlightMove> = done;
        let known = self.earlier.iter().any(|other| other.item == access.item);
        if done.is_empty() && !known {
            self.earlier.push(access);
        }
        for moved in done {
            self.visit_region(&moved.read, moved.item, access, false)?;
            self.visit_region(&moved.write, moved.item, access, true)?;
        }
        Ok(())
    }

    /// Checks that no MV instruction in flight owns the region.
    fn check_not_in_flight(
        &self,
        item: usize,
        iteration: u64,
        region: &Region,
        write: bool,
    ) -> Result<(), DependenceError> {
        if !self.alias.may_alias_write(item, write) {
            return Ok(());
        }
        for moving in &self.moving {
            let borrowed = write.then_some(&moving.read);
            for other in iter::once(&moving.write).chain(borrowed) {
                if let Some(address) = region.first_overlap(other) {
                    return Err(DependenceError::InFlight {
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

    /// Records an access to a region that MV instructions reach. `named` is the item whose operand
    /// it is; `access` is that item or the `wait` for it.
    fn visit_region(
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
        // An MV instruction issued before the loop may have moved the region.
        let kind = if by_move {
            DependenceKind::MoveAfterAccess
        } else {
            DependenceKind::WaitAfterMove
        };
        for waited in &self.earlier {
            self.distances.record(kind, waited, &access);
        }
        let distances = &mut self.distances;
        let tracked = self.alias.may_alias_write(named, write);
        for block in region.blocks().filter(|_| tracked) {
            let cell = self.blocks.entry((region.memory, block)).or_default();
            let mut record = |kind, before: &Access| {
                let kind = match (by_move, kind) {
                    (false, kind) => kind,
                    (true, DependenceKind::ReadAfterWrite) => DependenceKind::MoveAfterWrite,
                    (true, _) => DependenceKind::MoveAfterAccess,
                };
                distances.record(kind, before, &access);
            };
            if write {
                cell.write(access, true, &mut record);
            } else {
                cell.read(access, &mut record);
            }
        }
        self.emit_edges()
    }
}
