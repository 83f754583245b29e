//! Last accesses to memory cells, and the distances of dependences between items.

use tessera_isa_mncore::check::hazard::L1Kind;
use tessera_isa_mncore::memory::CYCLES;

/// An access of an item to a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Access {
    pub item: u32,
    pub iteration: u64,
    pub cycle: u8,
    /// The L1Bs or L2Bs whose instance of the cell is accessed, as a bit mask.
    pub set: u8,
    pub kind: AccessPath,
}

/// The datapath by which a cell is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AccessPath {
    Plain,
    L1(L1Kind),
}

/// The accesses to a word, or a block of words, since it was last overwritten: of each item the
/// latest read, and the latest write to each set of instances.
#[derive(Clone, Debug, Default)]
pub(super) struct Cell {
    pub writers: Vec<Access>,
    pub readers: Vec<Access>,
}

impl Cell {
    /// Records a read: it depends on the earlier writes.
    pub fn read(&mut self, access: Access, record: &mut impl FnMut(DependenceKind, &Access)) {
        for writer in &self.writers {
            if writer.set & access.set != 0 {
                record(DependenceKind::ReadAfterWrite, writer);
            }
        }
        // A write must wait for the latest read of each item.
        match self.readers.iter_mut().find(|r| r.item == access.item) {
            Some(reader) => *reader = access,
            None => self.readers.push(access),
        }
    }

    /// Records a write: it depends on the earlier reads and writes. `whole` tells whether it
    /// overwrites the cell completely.
    pub fn write(
        &mut self,
        access: Access,
        whole: bool,
        record: &mut impl FnMut(DependenceKind, &Access),
    ) {
        for reader in &self.readers {
            if reader.set & access.set != 0 {
                record(DependenceKind::WriteAfterRead, reader);
            }
        }
        for writer in &self.writers {
            if writer.set & access.set != 0 {
                record(DependenceKind::WriteAfterWrite, writer);
            }
        }
        if whole {
            self.readers.retain(|reader| reader.set & !access.set != 0);
            self.writers.retain(|writer| writer.set & !access.set != 0);
        }
        self.writers
            .retain(|writer| writer.item != access.item || writer.set != access.set);
        self.writers.push(access);
    }
}

/// The kind of a dependence between two accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum DependenceKind {
    /// A read after a write (flow dependence).
    ReadAfterWrite,
    /// A write after a read (anti-dependence).
    WriteAfterRead,
    /// A write after a write (output dependence).
    WriteAfterWrite,
    /// An MV instruction that reads what was written.
    MoveAfterWrite,
    /// An MV instruction that must issue in a later step than an access.
    MoveAfterAccess,
    /// The `wait` for an MV instruction; also an access after the `wait` for one that was issued
    /// before the loop.
    WaitAfterMove,
}

impl DependenceKind {
    const COUNT: usize = 6;
}

/// The minimum distance, in iterations, of each pair of items: for each kind of dependence and each
/// difference between the cycles of the accesses.
pub(super) struct DependenceDistances {
    items: usize,
    /// Of each pair of items, its index in `least`; 0 if there is none.
    pairs: Vec<u32>,
    /// The minimum distances of a pair; `u32::MAX` if there is no dependence.
    least: Vec<[u32; DependenceDistances::KINDS]>,
    /// Dependences that are shorter than those recorded before.
    pub shortened: Vec<(DependenceKind, Access, Access)>,
}

impl DependenceDistances {
    /// Number of differences between the cycles of two accesses of a step.
    const CYCLES: usize = 2 * CYCLES - 1;
    const KINDS: usize = DependenceKind::COUNT * DependenceDistances::CYCLES;

    pub fn new(items: usize) -> Self {
        DependenceDistances {
            items,
            pairs: vec![0; items * items],
            least: vec![[u32::MAX; DependenceDistances::KINDS]],
            shortened: Vec::new(),
        }
    }

    /// Records that an access depends on an earlier one. Dependences within one issue of an item do
    /// not count.
    pub fn record(&mut self, kind: DependenceKind, before: &Access, after: &Access) {
        let apart = after.iteration - before.iteration;
        // Distances beyond this never constrain a schedule.
        let distance = u32::try_from(apart).unwrap_or(u32::MAX);
        if distance == 0 && before.item == after.item || distance == u32::MAX {
            return;
        }
        let pair = &mut self.pairs[before.item as usize * self.items + after.item as usize];
        if *pair == 0 {
            *pair = self.least.len() as u32;
            self.least.push([u32::MAX; DependenceDistances::KINDS]);
        }
        let cycles = usize::from(after.cycle) + CYCLES - 1 - usize::from(before.cycle);
        let least =
            &mut self.least[*pair as usize][kind as usize * DependenceDistances::CYCLES + cycles];
        if distance < *least {
            *least = distance;
            self.shortened.push((kind, *before, *after));
        }
    }
}
