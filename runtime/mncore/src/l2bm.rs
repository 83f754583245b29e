//! L2BM instructions: transfers between L2BM and L1BM, and to the DRAM address registers.
//!
//! Manual, section 3.6.7. A step reads everything before it writes anything, so a transfer is
//! split: [`L2bmTransfer::collect`] reads at the start of the step, [`L2bmTransfer::deliver`]
//! writes at its end. The alignment of addresses is not checked here.

use tessera_isa_mncore::table::l2bm::Direction;
use tessera_isa_mncore::table::{L2bmKind, L2bmOp};

use crate::block::{Block, L1BM_WORDS};
use crate::board::{read_wrapping, write_wrapping, Board, DARBUF_ENTRIES, DAR_ENTRIES, L2BM_WORDS};
use crate::geometry::{Geometry, CYCLES};
use crate::race::{Footprint, Memory, Region};
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

/// The data read by a transfer: for each L2B a sequence of long words per sender, in delivery
/// order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Collected {
    /// For each L2B and sender, 64 long words, or 256 from the L2BM at the high rate.
    runs: Vec<Vec<u64>>,
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

    /// Reads the data to transfer.
    pub fn collect(
        &self,
        board: &Board,
        blocks: &[Block],
        geometry: &Geometry,
        undetermined: &mut UndeterminedSet,
    ) -> Result<Collected, Reason> {
        self.check(geometry)?;
        let of_block = |block: &Block| {
            let rate = usize::from(self.op.kind.row().l1_rate);
            let mut words = vec![0; rate * CYCLES];
            read_wrapping(&block.l1bm, usize::from(self.source), &mut words);
            words
        };
        let mut runs = Vec::new();
        for l2 in 0..geometry.l2_count() {
            let members = &blocks[geometry.blocks_of(l2)];
            match self.op.kind {
                L2bmKind::Broadcast | L2bmKind::PairScatter | L2bmKind::Distribute => {
                    let rate = usize::from(self.op.kind.row().l2_rate);
                    let mut words = vec![0; rate * CYCLES];
                    read_wrapping(&board.l2bm[l2], usize::from(self.source), &mut words);
                    runs.push(words);
                }
                L2bmKind::Pick => runs.push(of_block(&members[usize::from(self.op.set.base())])),
                L2bmKind::Multicast => runs.extend(members.iter().map(of_block)),
                L2bmKind::Collect => {
                    let parts: Vec<_> = members.iter().map(of_block).collect();
                    let cycle = |at: usize| parts.iter().flat_map(move |part| &part[at..at + 8]);
                    runs.push((0..CYCLES).flat_map(|c| cycle(8 * c)).copied().collect());
                }
                L2bmKind::Reduce => {
                    let parts: Vec<_> = members.iter().map(of_block).collect();
                    runs.push(self.reduce(&parts, undetermined)?);
                }
                L2bmKind::PairReduce => {
                    let parts: Vec<_> = members.iter().map(of_block).collect();
                    let pairs: Vec<_> = parts
                        .chunks(2)
                        .map(|pair| self.reduce_pair(pair, undetermined))
                        .collect::<Result<_, _>>()?;
                    let cycle = |at: usize| pairs.iter().flat_map(move |pair| &pair[at..at + 16]);
                    runs.push((0..CYCLES).flat_map(|c| cycle(16 * c)).copied().collect());
                }
            }
        }
        Ok(Collected { runs })
    }

    /// Checks that the machine has the blocks that the opcode names or spans.
    pub fn check(&self, geometry: &Geometry) -> Result<(), Reason> {
        let base = usize::from(self.op.set.base());
        if self.op.kind == L2bmKind::Pick {
            check_exists("L1B", base, geometry.l1bs)?;
        }
        let spans = matches!(self.op.kind, L2bmKind::Collect | L2bmKind::PairReduce);
        if spans && geometry.l1bs != Geometry::BOARD.l1bs {
            return Err(Reason::Geometry {
                what: self.op.kind.row().stem,
                needs: "8 L1B".into(),
                has: geometry.l1bs.to_string(),
            });
        }
        Ok(())
    }

    /// Reduces over eight L1B. L1B outside the set and those that a smaller machine lacks
    /// contribute the operation's identity.
    fn reduce(
        &self,
        parts: &[Vec<u64>],
        undetermined: &mut UndeterminedSet,
    ) -> Result<Vec<u64>, Reason> {
        let reduction = reduction::from_opcode(self.op.rrn.ok_or(Reason::NoReduction)?);
        let mut column = [reduction.identity(); 8];
        Ok((0..parts[0].len())
            .map(|index| {
                for (number, part) in parts.iter().enumerate() {
                    if self.op.set.contains(number as u8) {
                        column[number] = part[index];
                    }
                }
                reduction.stage(&column, undetermined)
            })
            .collect())
    }

    fn reduce_pair(
        &self,
        pair: &[Vec<u64>],
        undetermined: &mut UndeterminedSet,
    ) -> Result<Vec<u64>, Reason> {
        let reduction = reduction::from_opcode(self.op.rrn.ok_or(Reason::NoReduction)?);
        let both = pair[0].iter().zip(&pair[1]);
        Ok(both
            .map(|(one, other)| reduction.stage(&[*one, *other], undetermined))
            .collect())
    }

    /// Returns whether the transfer writes long words of L1BM that PEs write in the same step:
    /// `count` long words at `address` in every L1B.
    pub fn overlaps(&self, geometry: &Geometry, (address, count): (usize, usize)) -> bool {
        let (row, set) = (self.op.kind.row(), self.op.set);
        let l1bs = 0..geometry.l1bs as u8;
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

    /// Writes the collected data.
    pub fn deliver(
        &self,
        collected: &Collected,
        board: &mut Board,
        blocks: &mut [Block],
        geometry: &Geometry,
    ) {
        let target = usize::from(self.target);
        match self.op.kind.row().flow {
            Direction::Up => {
                for (memory, words) in board.l2bm.iter_mut().zip(&collected.runs) {
                    write_wrapping(memory, target, words);
                }
            }
            Direction::Down => {
                for (block, index) in blocks.iter_mut().zip(0..) {
                    let words = &collected.runs[index / geometry.l1bs];
                    if self.op.set.contains(block.id.l1b as u8) {
                        self.deliver_down(words, block);
                    }
                }
            }
            Direction::Across => {
                let set = self.op.set;
                for (from, words) in collected.runs.iter().enumerate() {
                    let sender = geometry.block_id(from).l1b as u8;
                    if !set.contains(sender) {
                        continue;
                    }
                    for block in &mut blocks[geometry.blocks_of(from / geometry.l1bs)] {
                        let receiver = block.id.l1b as u8;
                        let same = receiver & set.hidden() == sender & set.hidden();
                        if receiver != sender && same {
                            write_wrapping(&mut block.l1bm, target, words);
                        }
                    }
                }
            }
        }
    }

    /// Writes the part of an L1B from its L2BM.
    fn deliver_down(&self, words: &[u64], block: &mut Block) {
        let row = self.op.kind.row();
        let (from, to) = (usize::from(row.l2_rate), usize::from(row.l1_rate));
        let start = match self.op.kind {
            L2bmKind::PairScatter => to * (block.id.l1b / 2),
            L2bmKind::Distribute => to * block.id.l1b,
            _ => 0,
        };
        for (cycle, words) in words.chunks(from).enumerate() {
            let address = (usize::from(self.target) + cycle * to) % L1BM_WORDS;
            write_wrapping(&mut block.l1bm, address, &words[start..start + to]);
        }
    }
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
