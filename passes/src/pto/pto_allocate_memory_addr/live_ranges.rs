//! Live ranges of the tiles of a kernel.
//!
//! Time is the position in the text, with two ticks per operation: operands are read at the first,
//! results written at the second. A tile that is defined before a loop and read inside of it lives
//! to the end of the loop. A loop-carried tile is dead between its last use in the body and the
//! yield, and nothing happens between the yield and the next iteration. A popped tile lies in its
//! slot and needs no memory of its own.
//!
//! Coalescing: tiles share an address where that saves a move, if their live ranges do not overlap.
//! Candidates are an accumulator and its update, loop-carried values and the values that branches
//! yield. All other operations may write their results while they read.

use std::collections::HashMap;
use std::ops::Range;

use tessera_dialects::mlir::{Block, Op, Reported, Value};
use tessera_dialects::pto::{self, Space};
use tessera_dialects::scf;

use super::place::overlap;

/// Coalesced tiles, which share one address, and their live range.
pub struct LiveRange<'a> {
    /// The results that define the tiles.
    pub results: Vec<(Op<'a>, usize)>,
    /// Memory space of the tiles.
    pub space: Space,
    /// Bytes of a tile.
    pub bytes: u64,
    /// Time intervals in which one of the tiles is live.
    pub times: Vec<Range<u64>>,
}

/// Computes the live ranges of a kernel's tiles, after coalescing.
///
/// # Errors
/// A tile whose element type has no size.
pub fn live_ranges<'a>(kernel: Op<'a>) -> Result<Vec<LiveRange<'a>>, Reported> {
    let mut walk = Walk::default();
    if let Some(block) = kernel.body() {
        walk.block(block, &[])?;
    }
    let mut merged = walk.merge();
    for tenant in &mut merged {
        // Round to whole operations: tiles that were not coalesced must not share memory within one
        // operation.
        for time in &mut tenant.times {
            *time = time.start / 2 * 2..time.end.next_multiple_of(2);
        }
    }
    Ok(merged)
}

/// Number of a tile.
type Number = usize;

#[derive(Default)]
struct Walk<'a> {
    now: u64,
    live_ranges: Vec<LiveRange<'a>>,
    of: HashMap<Value<'a>, Number>,
    /// For each enclosing loop: the number of tiles defined before it, and those of them that it
    /// reads.
    loops: Vec<(usize, Vec<Number>)>,
    /// Coalescing candidates, in the order of the text.
    pairs: Vec<(Number, Number)>,
}

impl<'a> Walk<'a> {
    /// Advances to the next operation and returns the time at which it reads.
    fn tick(&mut self) -> u64 {
        self.now += 2;
        self.now
    }

    fn block(&mut self, block: Block<'a>, yields: &[Option<Number>]) -> Result<(), Reported> {
        for op in block.ops() {
            match op.name() {
                scf::ForOp::NAME => self.r#for(op)?,
                scf::IfOp::NAME => self.r#if(op)?,
                scf::YieldOp::NAME => self.hand_over(&op.operands(), yields),
                _ => self.op(op)?,
            }
        }
        Ok(())
    }

    fn op(&mut self, op: Op<'a>) -> Result<(), Reported> {
        let now = self.tick();
        let accumulator = self.accumulator(op);
        for (number, operand) in op.operands().into_iter().enumerate() {
            let in_place = number == 0 && accumulator.is_some();
            self.read(operand, now + if in_place { 1 } else { 2 });
        }
        if op.isa::<pto::TPopOp>() {
            return Ok(());
        }
        let result = self.declare(op, 0)?;
        if let Some(result) = result {
            let begins = now + u64::from(accumulator.is_some());
            self.write(result, begins, now + 2);
            self.prefer(accumulator, Some(result));
        }
        Ok(())
    }

    /// Returns the accumulator that an operation updates in place.
    fn accumulator(&self, op: Op<'a>) -> Option<Number> {
        let lies_in_acc = |value: Option<Value<'a>>| {
            value
                .and_then(|value| pto::tile(value.r#type()))
                .is_some_and(|tile| tile.space == Space::Acc)
        };
        let adds = match op.name() {
            pto::TMatmulAccOp::NAME => true,
            pto::TAddOp::NAME => lies_in_acc(op.operand(0)) && lies_in_acc(op.result(0)),
            _ => false,
        };
        self.of.get(&op.operand(0).filter(|_| adds)?).copied()
    }

    fn r#for(&mut self, op: Op<'a>) -> Result<(), Reported> {
        let before = self.live_ranges.len();
        let carried = self.declare_all(op)?;
        let initial = op.operands().split_off(op.operand_count() - carried.len());
        self.hand_over(&initial, &carried);
        self.loops.push((before, Vec::new()));
        if let Some(body) = op.body() {
            let arguments = body.arguments();
            for (argument, tile) in arguments.into_iter().skip(1).zip(&carried) {
                self.of.extend(tile.map(|tile| (argument, tile)));
            }
            self.block(body, &carried)?;
        }
        let end = self.tick();
        if let Some((_, read)) = self.loops.pop() {
            for tile in read {
                self.keep(tile, end + 1);
            }
        }
        Ok(())
    }

    fn r#if(&mut self, op: Op<'a>) -> Result<(), Reported> {
        let results = self.declare_all(op)?;
        for region in op.regions() {
            for block in region.blocks() {
                self.block(block, &results)?;
            }
        }
        Ok(())
    }

    /// Records a simultaneous assignment of values to tiles.
    fn hand_over(&mut self, values: &[Value<'a>], to: &[Option<Number>]) {
        let now = self.tick();
        for value in values {
            self.read(*value, now + 1);
        }
        for (value, to) in values.iter().zip(to) {
            if let Some(to) = *to {
                self.write(to, now + 1, now + 2);
                self.prefer(self.of.get(value).copied(), Some(to));
            }
        }
    }

    fn declare_all(&mut self, op: Op<'a>) -> Result<Vec<Option<Number>>, Reported> {
        (0..op.result_count())
            .map(|number| self.declare(op, number))
            .collect()
    }

    /// Creates the live range of a result, if it is a tile.
    fn declare(&mut self, op: Op<'a>, number: usize) -> Result<Option<Number>, Reported> {
        let value = op.result(number);
        let tile = value.and_then(|value| pto::tile(value.r#type()));
        let (Some(value), Some(tile)) = (value, tile) else {
            return Ok(None);
        };
        let bytes = tile.bytes().ok_or_else(|| {
            op.error(format!(
                "makes a tile with elements of type {}, which have no size; it cannot be allocated",
                tile.element
            ))
        })?;
        self.of.insert(value, self.live_ranges.len());
        self.live_ranges.push(LiveRange {
            results: vec![(op, number)],
            space: tile.space,
            bytes,
            times: Vec::new(),
        });
        Ok(Some(self.live_ranges.len() - 1))
    }

    fn read(&mut self, value: Value<'a>, until: u64) {
        let Some(tile) = self.of.get(&value).copied() else {
            return;
        };
        self.keep(tile, until);
        for (before, read) in &mut self.loops {
            if tile < *before {
                read.push(tile);
            }
        }
    }

    fn keep(&mut self, tile: Number, until: u64) {
        if let Some(last) = self.live_ranges[tile].times.last_mut() {
            last.end = last.end.max(until);
        }
    }

    fn write(&mut self, tile: Number, from: u64, until: u64) {
        self.live_ranges[tile].times.push(from..until);
    }

    fn prefer(&mut self, one: Option<Number>, other: Option<Number>) {
        self.pairs.extend(one.zip(other));
    }

    /// Coalesces the candidates whose live ranges do not overlap (union-find).
    fn merge(self) -> Vec<LiveRange<'a>> {
        let mut live_ranges: Vec<Option<LiveRange>> =
            self.live_ranges.into_iter().map(Some).collect();
        let mut host: Vec<Number> = (0..live_ranges.len()).collect();
        let find = |host: &[Number], mut tile: Number| {
            while host[tile] != tile {
                tile = host[tile];
            }
            tile
        };
        for (one, other) in self.pairs {
            let (one, other) = (find(&host, one), find(&host, other));
            let (Some(first), Some(second)) = (&live_ranges[one], &live_ranges[other]) else {
                continue;
            };
            let alike = (first.space, first.bytes) == (second.space, second.bytes);
            if one == other || !alike || overlap(&first.times, &second.times) {
                continue;
            }
            let guest = live_ranges[other].take();
            host[other] = one;
            if let (Some(first), Some(guest)) = (&mut live_ranges[one], guest) {
                first.results.extend(guest.results);
                first.times.extend(guest.times);
            }
        }
        live_ranges.into_iter().flatten().collect()
    }
}
