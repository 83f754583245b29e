//! Transfers between L1BM and PEs (manual, section 3.6.8).
//!
//! A *row* is the data that one cycle moves on the L1BM side: 1, 2, 4, 8, 16, 32 or 64 long words.

use tessera_isa_mncore::ast::{Convert, Input, L1Operand, L1bm};
use tessera_isa_mncore::memory::Precision;
use tessera_isa_mncore::table::{L1bmKind, L1bmOp};

use super::reduction::Network;
use super::{operands, Longs, Words};
use crate::block::Block;
use crate::geometry::CYCLES;
use crate::numerics::convert;
use crate::numerics::format::{Half, Single};
use crate::trap::Reason;
use crate::turnaround::{Rows, ROW};
use crate::undetermined::{Undetermined, UndeterminedSet};

/// Number of MABs of an L1B.
const MABS: usize = 16;

/// Returns whether the results of a reduction are halves (section 3.6.8.5).
fn narrows(op: &L1bmOp) -> bool {
    op.narrow || reduces_halves(op)
}

/// Returns whether the opcode reduces halves: an alias of a widened and narrowed single precision
/// reduction.
fn reduces_halves(op: &L1bmOp) -> bool {
    op.rrn.is_some_and(|rrn| rrn.precision == Precision::Half)
}

/// Returns the row length in long words (table 3.8).
pub fn rate(op: &L1bmOp) -> u16 {
    let one = match op.kind {
        L1bmKind::PeBroadcast => 1,
        L1bmKind::Broadcast | L1bmKind::Pick | L1bmKind::Reduce => 4,
        L1bmKind::Broadcast4 | L1bmKind::Pick4 | L1bmKind::Reduce4 => 16,
        L1bmKind::Distribute | L1bmKind::Collect => 64,
    };
    if op.wide && !narrows(op) {
        2 * one
    } else {
        one
    }
}

fn get(block: &Block, address: usize) -> u64 {
    block.l1bm[address % block.l1bm.len()]
}

/// Executes a transfer from L1BM or the turn-around register to PEs.
pub fn l1bm_to_pes(l1bm: &L1bm, block: &Block) -> Result<Words, Reason> {
    let op = &l1bm.op;
    let mabs = block.lanes() / 4;
    let rate = rate(op);
    if l1bm.l1 == L1Operand::Turnaround && block.turnaround.rate != rate {
        return Err(Reason::TurnaroundKind {
            wrote: block.turnaround.rate,
            reads: rate,
        });
    }
    let mut words = vec![[[0; 2]; CYCLES]; block.lanes()];
    let rows: [Vec<u64>; CYCLES] = std::array::from_fn(|cycle| match l1bm.l1 {
        L1Operand::Turnaround => block.turnaround.rows[cycle].to_vec(),
        L1Operand::Address(address) if op.kind == L1bmKind::PeBroadcast => {
            let src_addr = usize::from(address) + cycle;
            vec![get(block, src_addr), get(block, src_addr + 4)]
        }
        L1Operand::Address(address) => {
            let src_addr = usize::from(address) + cycle * usize::from(rate);
            (0..usize::from(rate))
                .map(|offset| get(block, src_addr + offset))
                .collect()
        }
    });
    for (cycle, row) in rows.iter().enumerate() {
        for mab in 0..mabs {
            for pe in 0..4 {
                let (to, data) = match (op.kind, op.wide) {
                    (L1bmKind::PeBroadcast, false) => (mab, [row[0], 0]),
                    (L1bmKind::PeBroadcast, true) => (mab, [row[0], row[1]]),
                    (L1bmKind::Broadcast4, false) => (mab, [row[(mab >> 2) * 4 + pe], 0]),
                    (L1bmKind::Broadcast4, true) => {
                        let i = mab >> 2;
                        (mab, [row[i * 8 + pe], row[i * 8 + 4 + pe]])
                    }
                    (L1bmKind::Distribute, _) => {
                        (shifted(mab, op.shift, mabs), [row[mab * 4 + pe], 0])
                    }
                    (_, false) => (mab, [row[pe], 0]),
                    (_, true) => (mab, [row[pe], row[4 + pe]]),
                };
                words[to * 4 + pe][cycle] = data;
            }
        }
    }
    Ok(words)
}

/// Returns `(mab + mabdiff) % 16`, on a machine of `mabs` MABs.
fn shifted(mab: usize, mabdiff: i8, mabs: usize) -> usize {
    (mab as i64 + i64::from(mabdiff)).rem_euclid(mabs as i64) as usize
}

/// Executes the sending half of a transfer to L1BM: returns the rows as the turn-around register
/// receives them.
pub fn pes_to_l1bm(
    op: &L1bmOp,
    input: &Input,
    block: &Block,
    undetermined: &mut UndeterminedSet,
) -> Result<Rows, Reason> {
    let words = operands::read_all(block, input, 64);
    let mabs = block.lanes() / 4;
    let mut rows = [[0; ROW]; CYCLES];
    for (cycle, row) in rows.iter_mut().enumerate() {
        let sent = |mab: usize, pe: usize| words[mab * 4 + pe][cycle];
        let existing = |number: usize| {
            if number < mabs {
                Ok(number)
            } else {
                Err(Reason::NoSuchPlace {
                    what: "MAB",
                    number,
                    count: mabs,
                })
            }
        };
        match op.kind {
            L1bmKind::Pick => {
                let mab = existing(usize::from(op.mab))?;
                place(op, row, 0, |pe| sent(mab, pe));
            }
            L1bmKind::Pick4 => {
                for mab_outer in (0..4).filter(|outer| outer * 4 < mabs) {
                    let mab = existing(mab_outer * 4 + usize::from(op.mab))?;
                    place(op, row, mab_outer, |pe| sent(mab, pe));
                }
            }
            L1bmKind::Collect => {
                for mab in 0..mabs {
                    for pe in 0..4 {
                        row[mab * 4 + pe] = sent(mab, pe)[0];
                    }
                }
            }
            L1bmKind::Reduce => {
                let of_pe = |pe| (0..mabs).map(|mab| sent(mab, pe)).collect();
                reduce(op, input, row, 0, MABS, of_pe, undetermined)?;
            }
            L1bmKind::Reduce4 => {
                for outer in (0..4).filter(|outer| outer * 4 < mabs) {
                    let members = outer * 4..(outer * 4 + 4).min(mabs);
                    let of_pe = |pe| members.clone().map(|mab| sent(mab, pe)).collect();
                    reduce(op, input, row, outer, 4, of_pe, undetermined)?;
                }
            }
            _ => {}
        }
    }
    Ok(rows)
}

/// Places the long words of four PEs in a row: `[outer][long word][PE]`.
fn place(op: &L1bmOp, row: &mut [u64; ROW], outer: usize, of_pe: impl Fn(usize) -> Longs) {
    for pe in 0..4 {
        if op.wide {
            row[outer * 8 + pe] = of_pe(pe)[0];
            row[outer * 8 + 4 + pe] = of_pe(pe)[1];
        } else {
            row[outer * 4 + pe] = of_pe(pe)[0];
        }
    }
}

/// The half of four PEs that each single word of eight long words in L1BM comes from: section
/// 3.6.8.4, `014589cd2367abef`.
const WIDENED: [usize; 16] = [0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15];

/// The single word of eight long words that each half of four long words in L1BM comes from:
/// section 3.6.8.5, `018923ab45cd67ef`.
const NARROWED: [usize; 16] = [0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15];

/// Reduces over the MABs whose words `of_pe` returns and stores the result in a part of a row.
/// Absent MABs contribute the identity.
fn reduce(
    op: &L1bmOp,
    input: &Input,
    row: &mut [u64; ROW],
    outer: usize,
    senders: usize,
    of_pe: impl Fn(usize) -> Vec<Longs>,
    undetermined: &mut UndeterminedSet,
) -> Result<(), Reason> {
    let mut network = Network::new(op.rrn.ok_or(Reason::NoReduction)?);
    let widens = input.convert == Convert::Widen || reduces_halves(op);
    if widens {
        network = network.of_singles();
    }
    // The long words of each sender as they go to L1BM: four, or eight.
    let mut sent = vec![[network.identity(); 8]; senders];
    let by_pe: Vec<Vec<Longs>> = (0..4).map(of_pe).collect();
    for (number, longs) in sent.iter_mut().enumerate().take(by_pe[0].len()) {
        let from = |pe: usize| by_pe[pe][number];
        if widens {
            let halves: Vec<u64> = (0..4)
                .flat_map(|pe| [48, 32, 16, 0].map(|at| from(pe)[0] >> at & 0xffff))
                .collect();
            let singles = WIDENED.map(|index| {
                if network.adds() {
                    convert::widen::<Half, Single>(halves[index])
                } else {
                    let point = Undetermined::ReductionExtremeWidened;
                    convert::widen_visible::<Half, Single>(halves[index], point, undetermined)
                }
            });
            *longs = std::array::from_fn(|index| singles[2 * index] << 32 | singles[2 * index + 1]);
        } else {
            *longs = std::array::from_fn(|index| from(index % 4)[index / 4]);
        }
    }
    let column = |index: usize| -> Vec<u64> { sent.iter().map(|longs| longs[index]).collect() };
    if narrows(op) {
        let halves: Vec<u64> = (0..8)
            .flat_map(|index| {
                if senders == MABS {
                    network.sixteen_narrowed(&column(index), undetermined)
                } else {
                    network.stage_narrowed(&column(index), undetermined)
                }
            })
            .collect();
        for index in 0..4 {
            row[outer * 4 + index] = NARROWED[4 * index..4 * index + 4]
                .iter()
                .fold(0, |long, from| long << 16 | halves[*from]);
        }
        return Ok(());
    }
    let count = if op.wide { 8 } else { 4 };
    for index in 0..count {
        row[outer * count + index] = if senders == MABS {
            network.sixteen(&column(index), undetermined)
        } else {
            network.stage(&column(index), undetermined)
        };
    }
    Ok(())
}

/// Writes rows to L1BM, shifted by MABs for `l1bmd`.
pub fn store(op: &L1bmOp, address: u16, rows: &Rows, block: &mut Block) {
    let (rate, size) = (usize::from(rate(op)), block.l1bm.len());
    let mabs = block.lanes() / 4;
    for (cycle, row) in rows.iter().enumerate() {
        let mut data = *row;
        if op.kind == L1bmKind::Collect {
            for mab in 0..mabs {
                let dst_mab = shifted(mab, op.shift, mabs);
                for pe in 0..4 {
                    data[dst_mab * 4 + pe] = row[mab * 4 + pe];
                }
            }
        }
        let dst_addr = usize::from(address) + cycle * rate;
        for (offset, long) in data[..rate].iter().enumerate() {
            block.l1bm[(dst_addr + offset) % size] = *long;
        }
    }
}
