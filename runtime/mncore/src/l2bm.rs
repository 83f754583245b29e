//! L2BM instructions: transfers between L2BM and L1BM, and to the DRAM address registers.
//!
//! Manual, section 3.6.7. A step reads everything before it writes anything, so a transfer is
//! split: [`L2bmTransfer::collect`] reads at the start of the step, [`L2bmTransfer::deliver`]
//! writes at its end. Transfers stay inside an L2B. The alignment of addresses is not checked here.

use std::ops::Range;

use tessera_isa_mncore::table::l2bm::Direction;
use tessera_isa_mncore::table::{L2bmKind, L2bmOp};

use crate::block::{Block, L1BM_WORDS};
use crate::board::{read_wrapping, write_wrapping, Board, DARBUF_ENTRIES, DAR_ENTRIES, L2BM_WORDS};
use crate::copy_on_write::Part;
use crate::footprint::{Footprint, Memory, Region};
use crate::geometry::{Geometry, CYCLES};
use crate::memory::MemoryWords;
use crate::reduction;
use crate::trap::{check_exists, Reason};
use crate::undetermined::UndeterminedSet;

/// A transfer between L2BM and L1BM, or from L1BM to L1BM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct L2bmTransfer {
    /// The opcode.
    pub op: L2bmOp,
    /// The source address in long words.
    pub source: u16,
    /// The target address in long words.
    pub target: u16,
}

/// The data that a transfer moves in one L2B. The buffers are reused.
#[derive(Clone, Debug, Default)]
pub struct Collected {
    /// The words of each sender, one after the other, in delivery order: 64 long words, or 256 from
    /// the L2BM at the high rate.
    words: Vec<u64>,
    /// The words of each L1B before a reduction.
    parts: Vec<u64>,
}

impl L2bmTransfer {
    /// Creates a transfer from its addresses in L2BM and L1BM; for a multicast, source and target
    /// address.
    pub fn new(op: L2bmOp, l2: u16, l1: u16) -> Self {
        let (source, target) = match op.kind.row().flow {
            Direction::Down | Direction::Across => (l2, l1),
            Direction::Up => (l1, l2),
        };
        L2bmTransfer { op, source, target }
    }

    /// Returns the address and the number of long words that the transfer accesses in each L2BM, if
    /// it does.
    pub fn l2bm_words(&self) -> Option<(u64, u64)> {
        let row = self.op.kind.row();
        let address = match row.flow {
            Direction::Down => self.source,
            Direction::Up => self.target,
            Direction::Across => return None,
        };
        Some((address.into(), u64::from(row.l2_rate) * CYCLES as u64))
    }

    /// Returns the accesses to L2BM.
    pub fn footprint(&self, geometry: &Geometry) -> Footprint {
        let count = u64::from(self.op.kind.row().l2_rate) * CYCLES as u64;
        let regions = |address: u16| {
            (0..geometry.l2_count())
                .flat_map(|l2| {
                    let memory = Memory::L2bm(l2 / geometry.l2bs, l2 % geometry.l2bs);
                    Region::wrapping(memory, u64::from(address), count, L2BM_WORDS as u64)
                })
                .collect()
        };
        match self.op.kind.row().flow {
            Direction::Down => Footprint {
                reads: regions(self.source),
                writes: vec![],
            },
            Direction::Up => Footprint {
                reads: vec![],
                writes: regions(self.target),
            },
            Direction::Across => Footprint::default(),
        }
    }

    /// Reads the data of a transfer such as `l2bmd` or `l2bmr` in an L2B: from `memory`, its L2BM,
    /// or from `members`, its L1B.
    pub fn collect(
        &self,
        memory: &[u64],
        members: &Part<Block>,
        collected: &mut Collected,
        undetermined: &mut UndeterminedSet,
    ) -> Result<(), Reason> {
        self.check(members.len())?;
        let Collected { words, parts } = collected;
        words.clear();
        let row = self.op.kind.row();
        let count = usize::from(row.l1_rate) * CYCLES;
        let source = usize::from(self.source);
        match self.op.kind {
            L2bmKind::Broadcast | L2bmKind::PairScatter | L2bmKind::Distribute => {
                append(memory, source, usize::from(row.l2_rate) * CYCLES, words);
            }
            L2bmKind::Pick => {
                let sender = &members[usize::from(self.op.set.base())];
                append(&sender.l1bm, source, count, words);
            }
            L2bmKind::Multicast => {
                let senders = members.iter();
                senders.for_each(|sender| append(&sender.l1bm, source, count, words));
            }
            L2bmKind::Collect => {
                for at in (source..source + count).step_by(count / CYCLES) {
                    let senders = members.iter();
                    senders.for_each(|sender| append(&sender.l1bm, at, count / CYCLES, words));
                }
            }
            L2bmKind::Reduce | L2bmKind::PairReduce => {
                parts.clear();
                let senders = members.iter();
                senders.for_each(|sender| append(&sender.l1bm, source, count, parts));
                if self.op.kind == L2bmKind::Reduce {
                    self.reduce(parts, words, undetermined)?;
                } else {
                    self.reduce_pairs(parts, words, undetermined)?;
                }
            }
        }
        Ok(())
    }

    /// Checks that an L2B of `l1bs` L1B has the blocks that the opcode names or spans.
    pub fn check(&self, l1bs: usize) -> Result<(), Reason> {
        let base = usize::from(self.op.set.base());
        if self.op.kind == L2bmKind::Pick {
            check_exists("L1B", base, l1bs)?;
        }
        let spans = matches!(self.op.kind, L2bmKind::Collect | L2bmKind::PairReduce);
        if spans && l1bs != Geometry::BOARD.l1bs {
            return Err(Reason::Geometry {
                what: self.op.kind.row().stem,
                needs: "8 L1B".into(),
                has: l1bs.to_string(),
            });
        }
        Ok(())
    }

    /// Reduces the parts of eight L1B to one. L1B outside the set and those that a smaller machine
    /// lacks contribute the operation's identity.
    fn reduce(
        &self,
        parts: &[u64],
        words: &mut Vec<u64>,
        undetermined: &mut UndeterminedSet,
    ) -> Result<(), Reason> {
        let reduction = reduction::from_opcode(self.op.rrn.ok_or(Reason::NoReduction)?);
        let mut column = [reduction.identity(); 8];
        let count = usize::from(self.op.kind.row().l1_rate) * CYCLES;
        for index in 0..count {
            for (number, part) in parts.chunks_exact(count).enumerate() {
                if self.op.set.contains(number as u8) {
                    column[number] = part[index];
                }
            }
            words.push(reduction.stage(&column, undetermined));
        }
        Ok(())
    }

    /// Reduces the parts of each pair of L1B to one. In each cycle, the sums of all pairs follow
    /// one another.
    fn reduce_pairs(
        &self,
        parts: &[u64],
        words: &mut Vec<u64>,
        undetermined: &mut UndeterminedSet,
    ) -> Result<(), Reason> {
        let reduction = reduction::from_opcode(self.op.rrn.ok_or(Reason::NoReduction)?);
        let rate = usize::from(self.op.kind.row().l1_rate);
        let count = rate * CYCLES;
        for cycle in 0..CYCLES {
            for pair in parts.chunks_exact(2 * count) {
                let (one, other) = pair.split_at(count);
                for index in cycle * rate..(cycle + 1) * rate {
                    words.push(reduction.stage(&[one[index], other[index]], undetermined));
                }
            }
        }
        Ok(())
    }

    /// Returns whether the transfer writes long words of L1BM that PEs write in the same step:
    /// `count` long words at `address` in every one of `l1bs` L1B.
    pub fn overlaps(&self, l1bs: usize, (address, count): (usize, usize)) -> bool {
        let (row, set) = (self.op.kind.row(), self.op.set);
        let l1bs = 0..l1bs as u8;
        let writes = |to: u8| match row.flow {
            Direction::Up => false,
            Direction::Down => set.contains(to),
            Direction::Across => l1bs.clone().any(|from| {
                from != to && set.contains(from) && from & set.hidden() == to & set.hidden()
            }),
        };
        if !l1bs.clone().any(writes) {
            return false;
        }
        let apart = |from: usize, to: usize| (to + L1BM_WORDS - from) % L1BM_WORDS;
        let own = usize::from(self.target);
        let own_count = usize::from(row.l1_rate) * CYCLES;
        apart(address, own) < count || apart(own, address) < own_count
    }

    /// Writes the collected data of a transfer such as `l2bmd` or `l2bmr` to `memory`, the L2BM, or
    /// to `members`, the L1B.
    pub fn deliver(
        &self,
        collected: &Collected,
        memory: &mut MemoryWords,
        members: &mut Part<Block>,
    ) {
        let (target, words) = (usize::from(self.target), &collected.words);
        let set = self.op.set;
        match self.op.kind.row().flow {
            Direction::Up => write_wrapping(memory, target, words),
            Direction::Down => {
                let own = |l1b: usize| set.contains(l1b as u8).then(|| self.own_words(words, l1b));
                members.update(own, |block, own| {
                    own.into_iter()
                        .for_each(|own| self.deliver_down(own, block));
                });
            }
            Direction::Across => {
                for (sender, words) in words.chunks(words.len() / members.len()).enumerate() {
                    let sender = sender as u8;
                    if !set.contains(sender) {
                        continue;
                    }
                    let receives = |receiver: usize| {
                        let receiver = receiver as u8;
                        receiver != sender && receiver & set.hidden() == sender & set.hidden()
                    };
                    members.update(receives, |block, receives| {
                        if receives {
                            write_wrapping(&mut block.l1bm, target, words);
                        }
                    });
                }
            }
        }
    }

    /// Returns the part of L1B `l1b` among the words from its L2BM: all words (`l2bmb`), those of
    /// its pair (`l2bmb2`), or its own (`l2bmd`).
    fn own_words<'a>(&self, words: &'a [u64], l1b: usize) -> OwnWords<'a> {
        let row = self.op.kind.row();
        let count = usize::from(row.l1_rate);
        let start = match self.op.kind {
            L2bmKind::PairScatter => count * (l1b / 2),
            L2bmKind::Distribute => count * l1b,
            _ => 0,
        };
        OwnWords {
            words,
            of_cycle: usize::from(row.l2_rate),
            own: start..start + count,
        }
    }

    /// Writes the part of an L1B from its L2BM.
    fn deliver_down(&self, own: OwnWords, block: &mut Block) {
        for (cycle, words) in own.cycles().enumerate() {
            let address = (usize::from(self.target) + cycle * words.len()) % L1BM_WORDS;
            write_wrapping(&mut block.l1bm, address, words);
        }
    }
}

/// The part of an L1B among the words from its L2BM: in each cycle the same range.
#[derive(Clone)]
struct OwnWords<'a> {
    words: &'a [u64],
    of_cycle: usize,
    own: Range<usize>,
}

impl<'a> OwnWords<'a> {
    fn cycles(&self) -> impl Iterator<Item = &'a [u64]> {
        let own = self.own.clone();
        let cycles = self.words.chunks(self.of_cycle);
        cycles.map(move |words| &words[own.clone()])
    }
}

impl PartialEq for OwnWords<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.own == other.own || self.cycles().eq(other.cycles())
    }
}

/// Appends `count` long words of a memory, starting at `address`, to `words`.
fn append(memory: &[u64], address: usize, count: usize, words: &mut Vec<u64>) {
    let start = address % memory.len();
    if let Some(straight) = memory.get(start..start + count) {
        return words.extend_from_slice(straight);
    }
    let start = words.len();
    words.resize(start + count, 0);
    read_wrapping(memory, address, &mut words[start..]);
}

/// `l2bmdars`: fills the buffer of each group from an L2BM, and sets the first DAR entry for the
/// following `l2bmdarw`.
pub fn start_dar(board: &mut Board, geometry: &Geometry, address: u16, l2b: usize, entry: usize) {
    board.dar_write = entry % DAR_ENTRIES;
    board.darbuf_read = 0;
    let mut words = [0; DARBUF_ENTRIES / 2];
    for (number, group) in board.groups.iter_mut().enumerate() {
        let memory = &board.l2bm[geometry.l2_index(number, l2b)];
        read_wrapping(memory, usize::from(address), &mut words);
        for (entries, word) in group.darbuf.chunks_mut(2).zip(words) {
            entries[0] = (word >> 32) as u32;
            entries[1] = word as u32;
        }
    }
}

/// `l2bmdarw`: copies four entries from the buffers to the registers.
pub fn write_dar(board: &mut Board) {
    for _ in 0..CYCLES {
        for group in &mut board.groups {
            group.dar[board.dar_write] = group.darbuf[board.darbuf_read];
        }
        board.dar_write = (board.dar_write + 1) % DAR_ENTRIES;
        board.darbuf_read = (board.darbuf_read + 1) % DARBUF_ENTRIES;
    }
}
