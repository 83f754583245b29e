//! L1BM instructions: transfers between an L1BM and its processing elements.
//!
//! Manual, section 3.6.8. In each cycle, a *row* of long words of the L1BM corresponds to one or
//! two long words of each participating PE. With two, the row has the most significant long words
//! of four PEs before their least significant ones; in the 4x4 modes, the four groups of MABs
//! follow one another. Transfers with the same row length use the same order, and only these may be
//! combined through the turn-around register.
//!
//! Section 3.6.8.5 describes the order of rounded results as the inverse of the permutation of
//! section 3.6.8.4. Its sentence that the first four results come from PE 0 contradicts that. This
//! model implements the inverse permutation: the four results of a PE stay together.

use tessera_isa_mncore::ast::{Convert, Input, L1bm};
use tessera_isa_mncore::table::{L1bmKind, L1bmOp};

use crate::block::Block;
use crate::board::{read_wrapping, write_wrapping};
use crate::bus::{Bus, Words};
use crate::geometry::{CYCLES, PES};
use crate::numerics::convert;
use crate::numerics::lanes::Width;
use crate::numerics::rrn::{Grouping, Operation, Reduction};
use crate::reduction;
use crate::trap::{check_exists, Reason};
use crate::turnaround::{Rows, ROW};
use crate::undetermined::{Undetermined, UndeterminedSet};

/// Reads the rows of a transfer to PEs and puts them on the bus. Reads from L1BM at `address`, or
/// from the turn-around register if it is `None`.
pub fn fetch(
    op: &L1bmOp,
    address: Option<u16>,
    block: &Block,
    bus: &mut Bus,
) -> Result<(), Reason> {
    let rate = op.l1_rate();
    if address.is_none() && block.turnaround.rate != rate {
        return Err(Reason::TurnaroundKind {
            wrote: block.turnaround.rate,
            reads: rate,
        });
    }
    let mut buffer = [0; ROW];
    for cycle in 0..CYCLES {
        let row = match address {
            None => &block.turnaround.rows[cycle][..],
            Some(address) if op.kind == L1bmKind::PeBroadcast => {
                let address = usize::from(address) + cycle;
                read_wrapping(&block.l1bm, address, &mut buffer[..1]);
                read_wrapping(&block.l1bm, address + 4, &mut buffer[1..2]);
                &buffer[..]
            }
            Some(address) => {
                let rate = usize::from(rate);
                let address = usize::from(address) + cycle * rate;
                borrow_wrapping(&block.l1bm, address, &mut buffer[..rate])
            }
        };
        if op.wide {
            let (high, low) = bus.cycle_mut(cycle);
            distribute(op, row, 0, high);
            distribute(op, row, 1, low);
        } else {
            distribute(op, row, 0, bus.high_mut(cycle));
        }
        if matches!(op.kind, L1bmKind::PeBroadcast | L1bmKind::Broadcast) {
            bus.mark_same(cycle);
        }
    }
    Ok(())
}

/// Returns `buffer.len()` long words starting at `address`; if they wrap around the end of
/// `memory`, in the buffer.
fn borrow_wrapping<'a>(memory: &'a [u64], address: usize, buffer: &'a mut [u64]) -> &'a [u64] {
    let start = address % memory.len();
    match memory.get(start..start + buffer.len()) {
        Some(straight) => straight,
        None => {
            read_wrapping(memory, address, buffer);
            buffer
        }
    }
}

/// Distributes the long words of a row to the PEs: with `part` 0 the most significant ones, with 1
/// the others, which follow them.
fn distribute(op: &L1bmOp, row: &[u64], part: usize, words: &mut [u64]) {
    let count = words.len();
    match op.kind {
        L1bmKind::PeBroadcast => words.fill(row[part]),
        L1bmKind::Broadcast4 => {
            for (group, words) in words.chunks_mut(4 * PES).enumerate() {
                broadcast(&row[group_start(op, group) + part * PES..], words);
            }
        }
        // Each MAB gets the words of the one `shift` before it; the last one follows on the first.
        L1bmKind::Distribute => {
            let shift = (PES as i32 * i32::from(op.shift)).rem_euclid(count as i32) as usize;
            let row = &row[part * PES..][..count];
            let (last, first) = row.split_at(count - shift);
            words[..shift].copy_from_slice(first);
            words[shift..].copy_from_slice(last);
        }
        _ => broadcast(&row[part * PES..], words),
    }
}

/// Copies the first long words of a row, one for each PE, to all MABs.
fn broadcast(row: &[u64], words: &mut [u64]) {
    let row: [u64; PES] = std::array::from_fn(|pe| row[pe]);
    for words in words.chunks_exact_mut(PES) {
        words.copy_from_slice(&row);
    }
}

/// Returns the position of a group of four MABs in a row of the 4x4 modes.
fn group_start(op: &L1bmOp, group: usize) -> usize {
    if op.wide && !op.halves_result() {
        group * 2 * PES
    } else {
        group * PES
    }
}

/// Collects the rows of a transfer to L1BM from the operand on the bus in `rows`, before the shift
/// of `l1bmd`.
pub fn gather(
    l1bm: &L1bm,
    input: &Input,
    words: Words,
    rows: &mut Rows,
    undetermined: &mut UndeterminedSet,
) -> Result<(), Reason> {
    let (op, widen) = (&l1bm.op, input.convert == Convert::Widen);
    *rows = [[0; ROW]; CYCLES];
    for (cycle, row) in rows.iter_mut().enumerate() {
        let (high, low) = words.cycle(cycle);
        let mabs = high.len() / PES;
        let pick = |row: &mut [u64], mab: usize, start: usize| {
            for pe in 0..PES {
                row[start + pe] = high[mab * PES + pe];
                if op.wide {
                    row[start + PES + pe] = low[mab * PES + pe];
                }
            }
        };
        let exists = |mab: usize| check_exists("MAB", mab, mabs);
        match op.kind {
            L1bmKind::Pick => pick(row, exists(usize::from(op.mab))?, 0),
            L1bmKind::Pick4 => {
                for group in 0..mabs.div_ceil(4) {
                    let mab = exists(group * 4 + usize::from(op.mab))?;
                    pick(row, mab, group_start(op, group));
                }
            }
            L1bmKind::Collect => row[..high.len()].copy_from_slice(high),
            L1bmKind::Reduce => reduce(op, widen, (high, low), 0..mabs, row, undetermined)?,
            L1bmKind::Reduce4 => {
                for group in 0..mabs.div_ceil(4) {
                    let start = group_start(op, group);
                    let members = group * 4..mabs.min(group * 4 + 4);
                    reduce(
                        op,
                        widen,
                        (high, low),
                        members,
                        &mut row[start..],
                        undetermined,
                    )?;
                }
            }
            // Transfers from L1BM collect nothing.
            _ => {}
        }
    }
    Ok(())
}

/// Reduces over some MABs, PE by PE.
fn reduce(
    op: &L1bmOp,
    widen: bool,
    (high, low): (&[u64], &[u64]),
    mabs: std::ops::Range<usize>,
    row: &mut [u64],
    undetermined: &mut UndeterminedSet,
) -> Result<(), Reason> {
    let mut reduction = reduction::from_opcode(op.rrn.ok_or(Reason::NoReduction)?);
    let widen = widen || op.is_half_reduction();
    if widen {
        // Half precision reductions are computed in single precision (section 3.6.8.5).
        reduction.width = Width::Single;
    }
    let network = Network {
        reduction,
        two_stages: op.kind == L1bmKind::Reduce,
    };
    for pe in 0..PES {
        let mut longs = [[reduction.identity(); MABS]; 2];
        for (index, mab) in mabs.clone().enumerate() {
            let lane = mab * PES + pe;
            let words = if widen {
                widened(&reduction, high[lane], undetermined)
            } else {
                [high[lane], low[lane]]
            };
            [longs[0][index], longs[1][index]] = words;
        }
        if op.halves_result() {
            let [first, second] =
                longs.map(|longs| u64::from(network.narrowed(&longs, undetermined)));
            row[pe] = first << 32 | second;
        } else {
            row[pe] = network.long(&longs[0], undetermined);
            if op.wide {
                row[PES + pe] = network.long(&longs[1], undetermined);
            }
        }
    }
    Ok(())
}

/// Number of MABs of a full L1B. Those that a smaller machine lacks contribute the operation's
/// identity.
const MABS: usize = 16;

/// A reduction over 16 MABs in two stages, or over 4 in one.
struct Network {
    reduction: Reduction,
    two_stages: bool,
}

impl Network {
    fn long(&self, longs: &[u64; MABS], undetermined: &mut UndeterminedSet) -> u64 {
        if self.two_stages {
            self.reduction
                .reduce_16(longs, Grouping::default(), undetermined)
        } else {
            self.reduction.stage(&longs[..4], undetermined)
        }
    }

    /// Reduces two singles to two halves.
    fn narrowed(&self, longs: &[u64; MABS], undetermined: &mut UndeterminedSet) -> u32 {
        if self.two_stages {
            let grouping = Grouping::default();
            self.reduction
                .reduce_16_narrowed(longs, grouping, undetermined)
        } else {
            self.reduction.stage_narrowed(&longs[..4], undetermined)
        }
    }
}

/// Widens four halves to singles. Operations that compare bit patterns record undetermined bits.
fn widened(reduction: &Reduction, long: u64, undetermined: &mut UndeterminedSet) -> [u64; 2] {
    if reduction.operation == Operation::FloatAdd {
        convert::widen_halves(long)
    } else {
        convert::widen_halves_visible(long, Undetermined::ReductionExtremeWidened, undetermined)
    }
}

/// Writes rows to the L1BM, shifted as `op` requires.
pub fn store(op: &L1bmOp, address: u16, rows: &Rows, block: &mut Block) {
    let rate = usize::from(op.l1_rate());
    let lanes = block.lanes();
    for (cycle, row) in rows.iter().enumerate() {
        let address = usize::from(address) + cycle * rate;
        if op.kind != L1bmKind::Collect || op.shift == 0 {
            write_wrapping(&mut block.l1bm, address, &row[..rate]);
            continue;
        }
        let by = (PES as i32 * i32::from(op.shift)).rem_euclid(lanes as i32);
        let mut row = *row;
        row[..lanes].rotate_right(by as usize);
        write_wrapping(&mut block.l1bm, address, &row[..rate]);
    }
}
