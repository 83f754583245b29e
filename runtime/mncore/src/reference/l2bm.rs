//! Transfers between L2BM and L1BM, and to the DRAM address registers (manual, section 3.6.7).

use tessera_isa_mncore::ast::{L1Operand, L1bm, Op, PeOperands, Step};
use tessera_isa_mncore::table::l2bm::Direction;
use tessera_isa_mncore::table::{Group, L1bSet, L2bmKind, L2bmOp};

use super::l1bm::rate;
use super::reduction::Network;
use crate::block::{Block, L1BM_WORDS};
use crate::board::{Board, L2BM_WORDS};
use crate::footprint::{add_region, Footprint, Memory};
use crate::geometry::{Geometry, CYCLES};
use crate::l2bm::L2bmTransfer;
use crate::trap::Reason;
use crate::undetermined::UndeterminedSet;

/// A transfer, with its addresses named as in the pseudo-code.
struct Transfer {
    op: L2bmOp,
    /// `addr_c`; for a multicast, `addr0`.
    c: usize,
    /// `addr_b`; for a multicast, `addr1`.
    b: usize,
}

fn transfer(step: &Step) -> Option<Transfer> {
    step.expressions.iter().find_map(|expression| {
        let Op::L2bm { op, l2, l1 } = expression.op else {
            return None;
        };
        Some(Transfer {
            op,
            c: usize::from(l2),
            b: usize::from(l1),
        })
    })
}

/// Returns the `l2bmdars` of a step: address in L2BM, L2B, first entry.
fn dar_start(step: &Step) -> Option<(usize, usize, usize)> {
    step.expressions
        .iter()
        .find_map(|expression| match expression.op {
            Op::DarStart { l2, l2b, dar } => {
                Some((usize::from(l2), usize::from(l2b), usize::from(dar)))
            }
            _ => None,
        })
}

/// Returns whether L1B `number` is in a set (section 3.6.7.1).
fn contains(set: L1bSet, number: usize) -> bool {
    let visible = 0b111 ^ usize::from(set.hidden());
    number & visible == usize::from(set.base()) & visible
}

/// Returns the accesses of a step to L2BM.
pub fn footprint(step: &Step, geometry: &Geometry) -> Footprint {
    let mut footprint = Footprint::default();
    let every = |address: usize, count: usize| {
        (0..geometry.groups)
            .flat_map(move |group| (0..geometry.l2bs).map(move |l2b| (group, l2b)))
            .map(move |(group, l2b)| (Memory::L2bm(group, l2b), address as u64, count as u64))
    };
    if let Some(Transfer { op, c, .. }) = transfer(step) {
        let (reads, per_cycle) = match op.kind {
            L2bmKind::Broadcast => (true, 16),
            L2bmKind::PairScatter | L2bmKind::Distribute => (true, 64),
            L2bmKind::Pick | L2bmKind::Reduce => (false, 16),
            L2bmKind::PairReduce | L2bmKind::Collect => (false, 64),
            L2bmKind::Multicast => (false, 0),
        };
        if per_cycle > 0 {
            let regions = if reads {
                &mut footprint.reads
            } else {
                &mut footprint.writes
            };
            for (memory, address, count) in every(c, CYCLES * per_cycle) {
                add_region(regions, memory, address, count);
            }
        }
    }
    if let Some((address, l2b, _)) = dar_start(step) {
        for group in 0..geometry.groups {
            let memory = Memory::L2bm(group, l2b);
            add_region(&mut footprint.reads, memory, address as u64, 256);
        }
    }
    footprint
}

/// The long words to write, with their destinations.
#[derive(Default)]
pub struct PendingWrites {
    /// Board index of the L2B, address, long word.
    to_l2bm: Vec<(usize, usize, u64)>,
    /// Board index of the L1B, address, long word.
    to_l1bm: Vec<(usize, usize, u64)>,
}

/// Executes the reading half of a step's transfer.
pub fn read(
    step: &Step,
    board: &Board,
    blocks: &[Block],
    geometry: &Geometry,
    undetermined: &mut UndeterminedSet,
) -> Result<PendingWrites, Reason> {
    let mut moved = PendingWrites::default();
    let Some(transfer) = transfer(step) else {
        return Ok(moved);
    };
    let Transfer { op, c, b } = transfer;
    L2bmTransfer::new(op, c as u16, b as u16).check(geometry.l1bs)?;
    for cycle in 0..CYCLES {
        for l2 in 0..geometry.groups * geometry.l2bs {
            let l2b = L2b {
                l2,
                l2bm: &board.l2bm[l2],
                blocks: &blocks[l2 * geometry.l1bs..(l2 + 1) * geometry.l1bs],
            };
            match op.kind.row().flow {
                Direction::Down => l2b.down(&transfer, cycle, &mut moved),
                Direction::Up => l2b.up(&transfer, cycle, &mut moved, undetermined)?,
                Direction::Across => l2b.across(&transfer, cycle, &mut moved),
            }
        }
    }
    Ok(moved)
}

/// One L2B: `MEM[group][l2b]`.
struct L2b<'a> {
    /// The board index.
    l2: usize,
    l2bm: &'a [u64],
    /// The L1 blocks of the L2B.
    blocks: &'a [Block],
}

impl L2b<'_> {
    fn l2bm(&self, address: usize) -> u64 {
        self.l2bm[address % L2BM_WORDS]
    }

    fn l1bm(&self, l1b: usize, address: usize) -> u64 {
        self.blocks[l1b].l1bm[address % L1BM_WORDS]
    }

    /// Returns the members of a set.
    fn members(&self, set: L1bSet) -> impl Iterator<Item = usize> {
        (0..self.blocks.len()).filter(move |l1b| contains(set, *l1b))
    }

    /// Returns the board index of an L1B.
    fn number(&self, l1b: usize) -> usize {
        self.l2 * self.blocks.len() + l1b
    }

    /// `l2bmb`, `l2bmb2` and `l2bmd` from L2BM (sections 3.6.7.2 to 3.6.7.4).
    fn down(&self, Transfer { op, c, b }: &Transfer, cycle: usize, moved: &mut PendingWrites) {
        for l1b in self.members(op.set) {
            let (count, src_addr) = match op.kind {
                L2bmKind::Broadcast => (16, c + cycle * 16),
                L2bmKind::PairScatter => (16, c + cycle * 64 + 16 * (l1b / 2)),
                _ => (8, c + cycle * 64 + 8 * l1b),
            };
            for i in 0..count {
                let to = (self.number(l1b), b + cycle * count + i);
                moved.to_l1bm.push((to.0, to.1, self.l2bm(src_addr + i)));
            }
        }
    }

    /// `l2bm`, `l2bmr`, `l2bmr2` and `l2bmd` from L1BM (sections 3.6.7.5 to 3.6.7.8).
    fn up(
        &self,
        Transfer { op, c, b }: &Transfer,
        cycle: usize,
        moved: &mut PendingWrites,
        undetermined: &mut UndeterminedSet,
    ) -> Result<(), Reason> {
        let mut write = |address: usize, data| moved.to_l2bm.push((self.l2, address, data));
        let network = || op.rrn.map(Network::new).ok_or(Reason::NoReduction);
        match op.kind {
            L2bmKind::Reduce => {
                let network = network()?;
                for i in 0..16 {
                    let mut sent = [network.identity(); 8];
                    for l1b in self.members(op.set) {
                        sent[l1b] = self.l1bm(l1b, b + cycle * 16 + i);
                    }
                    write(c + cycle * 16 + i, network.stage(&sent, undetermined));
                }
            }
            L2bmKind::PairReduce => {
                let network = network()?;
                for first in (0..8).step_by(2) {
                    let data_addr = 16 * (first / 2);
                    for i in 0..16 {
                        let pair = [first, first + 1];
                        let sent = pair.map(|l1b| self.l1bm(l1b, b + cycle * 16 + i));
                        let data = network.stage(&sent, undetermined);
                        write(c + cycle * 64 + data_addr + i, data);
                    }
                }
            }
            L2bmKind::Collect => {
                for (l1b, i) in (0..8).flat_map(|l1b| (0..8).map(move |i| (l1b, i))) {
                    let data = self.l1bm(l1b, b + cycle * 8 + i);
                    write(c + cycle * 64 + 8 * l1b + i, data);
                }
            }
            _ => {
                let l1badr = usize::from(op.set.base());
                for i in 0..16 {
                    write(c + cycle * 16 + i, self.l1bm(l1badr, b + cycle * 16 + i));
                }
            }
        }
        Ok(())
    }

    /// `l2bmi` (section 3.6.7.9).
    fn across(&self, Transfer { op, c, b }: &Transfer, cycle: usize, moved: &mut PendingWrites) {
        let immode = usize::from(op.set.hidden());
        for l1b_src in self.members(op.set) {
            for l1b_dst in 0..self.blocks.len() {
                if l1b_dst == l1b_src || l1b_dst & immode != l1b_src & immode {
                    continue;
                }
                for i in 0..16 {
                    let data = self.l1bm(l1b_src, c + cycle * 16 + i);
                    let to = self.number(l1b_dst);
                    moved.to_l1bm.push((to, b + cycle * 16 + i, data));
                }
            }
        }
    }
}

impl PendingWrites {
    /// Returns whether PEs write one of these words of L1BM in the same step.
    pub fn overlaps(&self, step: &Step) -> bool {
        step.expressions.iter().any(|expression| {
            let Op::L1bm(L1bm {
                op,
                l1: L1Operand::Address(address),
                pe: PeOperands::Up(_),
            }) = &expression.op
            else {
                return false;
            };
            (0..CYCLES * usize::from(rate(op))).any(|offset| {
                let word = (usize::from(*address) + offset) % L1BM_WORDS;
                let mut written = self.to_l1bm.iter();
                written.any(|(_, address, _)| address % L1BM_WORDS == word)
            })
        })
    }

    /// Executes the writing half of the transfer.
    pub fn write(self, board: &mut Board, blocks: &mut [Block]) {
        for (l2, address, long) in self.to_l2bm {
            board.l2bm[l2][address % L2BM_WORDS] = long;
        }
        for (block, address, long) in self.to_l1bm {
            let memory = &mut blocks[block].l1bm;
            let size = memory.len();
            memory[address % size] = long;
        }
    }
}

/// Executes `l2bmdars`, if the step has it.
pub fn start_dar(step: &Step, board: &mut Board, geometry: &Geometry) -> Result<(), Reason> {
    let Some((address, l2b, entry)) = dar_start(step) else {
        return Ok(());
    };
    if l2b >= geometry.l2bs {
        return Err(Reason::NoSuchPlace {
            what: "L2B",
            number: l2b,
            count: geometry.l2bs,
        });
    }
    board.dar_write = entry;
    board.darbuf_read = 0;
    for cycle in 0..CYCLES {
        for group in 0..geometry.groups {
            let src_addr = address + cycle * 64;
            for i in 0..64 {
                let l2 = group * geometry.l2bs + l2b;
                let data = board.l2bm[l2][(src_addr + i) % L2BM_WORDS];
                let dst_addr = cycle * 128 + i * 2;
                board.groups[group].darbuf[dst_addr] = (data >> 32) as u32;
                board.groups[group].darbuf[dst_addr + 1] = (data & ((1 << 32) - 1)) as u32;
            }
        }
    }
    Ok(())
}

/// Executes `l2bmdarw`, if the step has it.
pub fn write_dar(step: &Step, board: &mut Board) {
    if step.find(Group::L2bmdarw).is_none() {
        return;
    }
    for _ in 0..CYCLES {
        for group in &mut board.groups {
            group.dar[board.dar_write] = group.darbuf[board.darbuf_read];
        }
        board.dar_write = (board.dar_write + 1) % 1024;
        board.darbuf_read = (board.darbuf_read + 1) % 512;
    }
}
