//! The memory accesses of a statement, as far as hazard rules depend on them.

use std::ops::Range;

use crate::ast::{
    L1Operand, L1bm, Mask, MemoryOperand, Modify, MvMemory, Op, PeOperands, Source, Step, Target,
    Transfer,
};
use crate::diagnostic::Span;
use crate::memory::{Bank, Width, CYCLES, L1BM_WORDS};
use crate::table::l2bm::Direction;
use crate::table::{L1bmKind, L2bmKind, L2bmOp};

/// The memory accesses of a statement, as far as hazard rules depend on them.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    pub(super) reads: Vec<(Span, Words)>,
    pub(super) writes: Vec<(Span, Words)>,
    pub(super) local_reads: [Option<Span>; 2],
    pub(super) local_writes: [Option<Span>; 2],
    /// Accesses to LM0 and LM1 of either kind; each reads the base address register.
    pub(super) local_accesses: [Option<Span>; 2],
    pub(super) base_writes: [Option<(Span, u8)>; 2],
    pub(super) l1: Vec<L1Access>,
    pub(super) l2_write: Option<(Span, u32, u32)>,
    pub(super) l2_read: Option<(Span, u32, u32)>,
    pub(super) l2_to_l1: Option<(Span, u8)>,
    pub(super) multicast: Option<(Span, u8)>,
    /// A transfer from L1BM to L2BM.
    pub(super) l1_to_l2: Option<Span>,
    /// A transfer from L1BM to L2BM, or a multicast, with the set of L1B it reads.
    pub(super) l1_out: Option<(Span, u8)>,
    pub(super) pe_to_l1: Option<Span>,
    pub(super) l1_to_pe: Option<Span>,
}

/// The words accessed in each cycle. Register files count single words. The T register has no
/// addresses, so it counts the long words of the cycle's entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Words {
    pub memory: Registers,
    pub first: [u16; CYCLES],
    pub count: u16,
    /// The cycles in which the access is active; bit c for cycle c.
    pub cycles: u8,
    /// In the inactive cycles, the access covers the words from this one on: a mask for one long
    /// word does not suppress the lower one.
    pub unmasked: u16,
}

/// Memories whose words become readable only after a latency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Registers {
    Grf0,
    Grf1,
    T,
}

/// An access to L1BM: `rate` consecutive long words per cycle, starting at `first`.
#[derive(Clone, Copy, Debug)]
pub struct L1Access {
    pub(super) span: Span,
    /// The initiator and direction of the access.
    pub kind: L1Kind,
    /// The first long word accessed in cycle 0.
    pub first: u32,
    /// Long words per cycle.
    pub rate: u32,
    /// The L1B accessed; bit i for L1B i.
    pub blocks: u8,
}

/// The initiator and direction of an access to L1BM.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum L1Kind {
    /// Write by a transfer from L2BM.
    WriteFromL2,
    /// Write by a multicast.
    WriteByMulticast,
    /// Write by a transfer from PEs.
    WriteFromPe,
    /// Read by a transfer to PEs.
    ReadToPe,
    /// Read by a transfer to L2BM or by a multicast.
    ReadUp,
}

impl L1Kind {
    /// Returns whether the access is a write.
    pub fn writes(self) -> bool {
        !matches!(self, L1Kind::ReadToPe | L1Kind::ReadUp)
    }
}

impl Effects {
    /// Returns the accesses of a step.
    pub fn from_step(step: &Step) -> Effects {
        let mut effects = Effects::default();
        for expression in &step.expressions {
            let op = &expression.op;
            for input in op.inputs() {
                match input.source {
                    Source::Memory(memory) => effects.access(input.span, &memory, None),
                    Source::T => effects.reads.push((input.span, t_words(2, 0xf, 2))),
                    _ => {}
                }
            }
            for output in op.outputs() {
                let cycles = written_cycles(output.mask);
                match output.target {
                    Target::Memory(memory) => {
                        effects.access(output.span, &memory, Some(output.mask));
                    }
                    Target::T => {
                        let unmasked = if is_wide(output.mask) { 2 } else { 1 };
                        let words = t_words(2, cycles, unmasked);
                        effects.writes.push((output.span, words));
                    }
                    Target::Base(bank, _) if cycles != 0 => {
                        effects.base_writes[local(bank)] = Some((output.span, cycles));
                    }
                    _ => {}
                }
            }
            match op {
                Op::L2bm { op, l2, l1 } => {
                    effects.l2bm(expression.span, op, (*l2).into(), (*l1).into());
                }
                Op::L1bm(l1bm) => effects.l1bm(expression.span, l1bm),
                _ => {}
            }
        }
        effects
    }

    /// Returns the accesses of an MV instruction when it is issued.
    pub fn from_mv(transfer: &Transfer) -> Effects {
        let mut effects = Effects::default();
        if let MvMemory::L2bm(address) = transfer.source.memory {
            effects.l2_read = Some((transfer.source.span, address.into(), transfer.words));
        }
        effects
    }

    /// Returns the accesses to L1BM.
    pub fn l1bm_accesses(&self) -> &[L1Access] {
        &self.l1
    }

    /// Records an access to a PE memory. `writes` is `None` for a read and holds the mask of a
    /// write.
    fn access(&mut self, span: Span, memory: &MemoryOperand, writes: Option<Option<Mask>>) {
        if memory.modify == Modify::T {
            // The address modifier is the upper long word of T.
            self.reads.push((span, t_words(1, 0xf, 1)));
        }
        let cycles = writes.map_or(0xf, written_cycles);
        // A mask for one long word does not cover the words after it (section 3.6.2).
        let unmasked = match writes {
            Some(mask) if !is_wide(mask) => Width::Long.words(),
            _ => memory.width.words(),
        };
        let registers = match memory.bank {
            Bank::Lm0 | Bank::Lm1 => {
                let index = local(memory.bank);
                self.local_accesses[index] = Some(span);
                if writes.is_none() {
                    self.local_reads[index] = Some(span);
                } else if cycles != 0 || unmasked < memory.width.words() {
                    self.local_writes[index] = Some(span);
                }
                return;
            }
            Bank::Grf0 => Registers::Grf0,
            Bank::Grf1 => Registers::Grf1,
        };
        let words = Words {
            memory: registers,
            first: std::array::from_fn(|cycle| memory.address(cycle)),
            count: memory.width.words(),
            cycles,
            unmasked,
        };
        match writes {
            None => self.reads.push((span, words)),
            Some(_) => self.writes.push((span, words)),
        }
    }

    fn l2bm(&mut self, span: Span, op: &L2bmOp, l2: u32, l1: u32) {
        let row = op.kind.row();
        let access = |kind, first, blocks| L1Access {
            span,
            kind,
            first,
            rate: row.l1_rate.into(),
            blocks,
        };
        match row.flow {
            Direction::Down => {
                self.l2_to_l1 = Some((span, op.set.members()));
                self.l1
                    .push(access(L1Kind::WriteFromL2, l1, op.set.members()));
            }
            Direction::Up => {
                let words = u32::from(row.l2_rate) * CYCLES as u32;
                self.l2_write = Some((span, l2, words));
                self.l1_to_l2 = Some(span);
                let read = if op.kind == L2bmKind::Pick || op.kind == L2bmKind::Reduce {
                    op.set.members()
                } else {
                    0xff
                };
                self.l1_out = Some((span, read));
                self.l1.push(access(L1Kind::ReadUp, l1, read));
            }
            Direction::Across => {
                self.multicast = Some((span, op.set.receivers()));
                self.l1_out = Some((span, op.set.members()));
                let (from, to) = (op.set.members(), op.set.receivers());
                self.l1.push(access(L1Kind::ReadUp, l2, from));
                self.l1.push(access(L1Kind::WriteByMulticast, l1, to));
            }
        }
    }

    fn l1bm(&mut self, span: Span, l1bm: &L1bm) {
        let L1Operand::Address(first) = l1bm.l1 else {
            return;
        };
        let kind = if matches!(l1bm.pe, PeOperands::Down(_)) {
            self.l1_to_pe = Some(span);
            L1Kind::ReadToPe
        } else {
            self.pe_to_l1 = Some(span);
            L1Kind::WriteFromPe
        };
        let (op, first) = (l1bm.op, u32::from(first));
        let mut access = |first, rate| {
            self.l1.push(L1Access {
                span,
                kind,
                first,
                rate,
                blocks: 0xff,
            });
        };
        if op.kind == L1bmKind::PeBroadcast {
            // One long word a cycle; the second of two lies four addresses further (section
            // 3.6.8.7).
            (0..u32::from(op.l1_rate())).for_each(|long| access(first + 4 * long, 1));
        } else {
            access(first, op.l1_rate().into());
        }
    }
}

impl Words {
    /// Returns the minimum distance in cycles from a write to a read of the same word, if both
    /// steps were issued at the same time. `None` if they share no word.
    pub fn distance(&self, read: &Words) -> Option<i64> {
        if self.memory != read.memory {
            return None;
        }
        let mut least = None;
        for write_cycle in 0..CYCLES {
            let masked = self.cycles & 1 << write_cycle == 0;
            let skipped = if masked { self.unmasked } else { 0 };
            if skipped >= self.count {
                continue;
            }
            for read_cycle in 0..CYCLES {
                let (write, found) = (self.first[write_cycle], read.first[read_cycle]);
                if write + skipped < found + read.count && found < write + self.count {
                    let distance = read_cycle as i64 - write_cycle as i64;
                    least = Some(least.map_or(distance, |least: i64| least.min(distance)));
                }
            }
        }
        least
    }
}

impl L1Access {
    /// Returns the minimum distance in cycles from a write to a read of the same long word, if both
    /// steps were issued at the same time. `None` if they share no word.
    pub fn distance(&self, read: &L1Access) -> Option<i64> {
        let size = L1BM_WORDS;
        let apart = |from: u32, to: u32| (to + size - from % size) % size;
        let mut least = None;
        for write_cycle in 0..CYCLES as u32 {
            let write = (self.first + write_cycle * self.rate) % size;
            for read_cycle in 0..CYCLES as u32 {
                let found = (read.first + read_cycle * read.rate) % size;
                if apart(write, found) < self.rate || apart(found, write) < read.rate {
                    let distance = i64::from(read_cycle) - i64::from(write_cycle);
                    least = Some(least.map_or(distance, |least: i64| least.min(distance)));
                }
            }
        }
        least
    }
}

/// Returns an access to the upper one or both long words of the T register's entries.
fn t_words(count: u16, cycles: u8, unmasked: u16) -> Words {
    Words {
        memory: Registers::T,
        first: [0, 2, 4, 6],
        count,
        cycles,
        unmasked,
    }
}

/// Returns the words of an access of `width` that a masked write may change, for each cycle, as
/// offsets from the first word of the access.
///
/// A fixed mask writes exactly these words. A mask register may write any subset of them.
pub fn writable_words(mask: Option<Mask>, width: Width) -> [Range<u16>; CYCLES] {
    let cycles = written_cycles(mask);
    let unmasked = if is_wide(mask) {
        width.words()
    } else {
        Width::Long.words().min(width.words())
    };
    std::array::from_fn(|cycle| {
        let first = if cycles & 1 << cycle == 0 {
            unmasked
        } else {
            0
        };
        first..width.words()
    })
}

/// Returns whether a write covers both long words: there is no mask, or a mask for two long words.
fn is_wide(mask: Option<Mask>) -> bool {
    mask.is_none_or(|mask| mask.wide)
}

/// Returns the cycles in which a mask permits writes; bit c for cycle c.
fn written_cycles(mask: Option<Mask>) -> u8 {
    match mask {
        // Bit 3 of a fixed entry is cycle 0.
        Some(mask) if mask.entry >= 16 => (mask.entry & 0xf).reverse_bits() >> 4,
        _ => 0xf,
    }
}

/// Returns the index of a local memory.
fn local(bank: Bank) -> usize {
    usize::from(bank == Bank::Lm1)
}
