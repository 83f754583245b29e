//! Who touched a cell of a memory last, and how near the touches of two items come.

use tessera_isa_mncore::check::hazard::L1Kind;
use tessera_isa_mncore::memory::CYCLES;

/// Who touched a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Access {
    pub item: u32,
    pub iteration: u64,
    pub cycle: u8,
    /// The L1B, or the L2B, whose cell it is.
    pub set: u8,
    pub kind: Way,
}

/// How a cell is touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    Plain,
    L1(L1Kind),
}

/// What is known of a word, or of a block of words.
#[derive(Clone, Debug, Default)]
pub(super) struct Cell {
    pub writers: Vec<Access>,
    pub readers: Vec<Access>,
}

impl Cell {
    /// A read: it comes after those who wrote.
    pub fn read(&mut self, access: Access, tie: &mut impl FnMut(TieKind, &Access)) {
        for writer in &self.writers {
            if writer.set & access.set != 0 {
                tie(TieKind::WriteRead, writer);
            }
        }
        // The latest read of an item is the one that a write must wait for longest.
        match self.readers.iter_mut().find(|r| r.item == access.item) {
            Some(reader) => *reader = access,
            None => self.readers.push(access),
        }
    }

    /// A write: it comes after those who read and wrote.
    pub fn written(&mut self, access: Access, whole: bool, tie: &mut impl FnMut(TieKind, &Access)) {
        for reader in &self.readers {
            if reader.set & access.set != 0 {
                tie(TieKind::ReadWrite, reader);
            }
        }
        for writer in &self.writers {
            if writer.set & access.set != 0 {
                tie(TieKind::WriteWrite, writer);
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

/// How two items are tied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum TieKind {
    WriteRead,
    ReadWrite,
    WriteWrite,
    /// From a write to the MV instruction that reads it.
    WriteMove,
    /// From what comes before an MV instruction is issued: in another step.
    BeforeMove,
    /// From an MV instruction to its `wait`.
    MoveWait,
}

impl TieKind {
    const COUNT: usize = 6;
}

/// The least distance, in iterations, of each two items for each way in which they are tied.
pub(super) struct Ties {
    items: usize,
    /// Of each two items, which of `least` is theirs; 0 is none.
    pairs: Vec<u32>,
    least: Vec<[u32; Ties::WAYS]>,
    /// Those that are nearer than what was known.
    pub fresh: Vec<(TieKind, Access, Access)>,
}

impl Ties {
    /// By how many cycles the later access of a step can be behind the earlier.
    const CYCLES: usize = 2 * CYCLES - 1;
    const WAYS: usize = TieKind::COUNT * Ties::CYCLES;

    pub fn new(items: usize) -> Self {
        Ties {
            items,
            pairs: vec![0; items * items],
            least: vec![[u32::MAX; Ties::WAYS]],
            fresh: Vec::new(),
        }
    }

    /// Notes that an access comes after another one.
    pub fn note(&mut self, kind: TieKind, before: &Access, after: &Access) {
        let apart = after.iteration - before.iteration;
        // What is as far apart as this is no matter of a schedule.
        let distance = u32::try_from(apart).unwrap_or(u32::MAX);
        if distance == 0 && before.item == after.item || distance == u32::MAX {
            return;
        }
        let pair = &mut self.pairs[before.item as usize * self.items + after.item as usize];
        if *pair == 0 {
            *pair = self.least.len() as u32;
            self.least.push([u32::MAX; Ties::WAYS]);
        }
        let cycles = usize::from(after.cycle) + CYCLES - 1 - usize::from(before.cycle);
        let least = &mut self.least[*pair as usize][kind as usize * Ties::CYCLES + cycles];
        if distance < *least {
            *least = distance;
            self.fresh.push((kind, *before, *after));
        }
    }
}
