//! Checks the addresses of pto-allocate-memory-addr by symbolic execution: kernels run on random
//! paths, with numbers instead of tiles. Each number is written to its tile's address, and must be
//! found there when the tile is read.
//!
//! Loops iterate up to three times and conditions are random, whatever the kernel computes, so that
//! every path counts. `TESSERA_LONG_TESTS=1` tries more kernels and more paths of each.

use std::collections::HashMap;
use std::ops::Range;

use tessera_dialects::mlir::{Block, Context, Module, Op, OpView, Source, Value, WalkOrder};
use tessera_dialects::pto::{
    self, address, BufferOp, FuncOp, Kind, ReserveBufferOp, Space, TAddOp, TMatmulAccOp, TPopOp,
};
use tessera_pto::schedule::Random;
use tessera_test_support::is_long_run;

use super::common::lower;
use super::expanded::{random, SPLITS};

/// A tile, by number.
type Number = u64;

/// The contents of memory during an execution.
struct Memory<'a> {
    random: Random,
    numbers: Number,
    /// The tile of each value.
    values: HashMap<Value<'a>, Number>,
    /// The tiles in memory with their addresses; rings have number 0.
    pieces: Vec<(Space, Range<u64>, Number)>,
    reads: usize,
}

/// Returns the space and the addresses of a tile, if it has an address.
fn place(value: Value) -> Option<(Space, Range<u64>)> {
    let tile = pto::tile(value.r#type())?;
    let at = address::tile_address(value)?;
    Some((tile.space, at..at + tile.bytes()?))
}

/// Returns whether a result overlaps an operand other than the one that is accumulated in place.
fn overlaps(op: Op, result: Value) -> bool {
    let Some((space, range)) = place(result) else {
        return false;
    };
    let adds = op.isa::<TMatmulAccOp>() || (op.isa::<TAddOp>() && space == Space::Acc);
    op.operands()
        .into_iter()
        .enumerate()
        .any(|(number, operand)| {
            place(operand).is_some_and(|(other, taken)| {
                let meets = other == space && taken.start < range.end && range.start < taken.end;
                meets && !(adds && number == 0 && taken == range)
            })
        })
}

impl<'a> Memory<'a> {
    fn fresh(&mut self) -> Number {
        self.numbers += 1;
        self.numbers
    }

    /// Reads a tile; an error if it is not at its address.
    fn read(&mut self, value: Value<'a>) -> Result<Option<Number>, String> {
        if pto::tile(value.r#type()).is_none() {
            return Ok(None);
        }
        let number = self.values[&value];
        if let Some((space, range)) = place(value) {
            self.reads += 1;
            if !self.pieces.contains(&(space, range.clone(), number)) {
                return Err(format!(
                    "tile {number} does not lie at {range:?} of {space}"
                ));
            }
        }
        Ok(Some(number))
    }

    /// Writes a tile to a value's address. Overlapping tiles are lost, except rings.
    fn write(&mut self, value: Value<'a>, number: Number) -> Result<(), String> {
        self.values.insert(value, number);
        let Some((space, range)) = place(value) else {
            return Ok(());
        };
        let meets = |(other, taken, _): &(Space, Range<u64>, Number)| {
            *other == space && taken.start < range.end && range.start < taken.end
        };
        let mut lost = self.pieces.iter().filter(|piece| meets(piece));
        if lost.any(|(_, _, number)| *number == 0) {
            return Err(format!(
                "tile {number} at {range:?} of {space} lies in a ring"
            ));
        }
        self.pieces.retain(|piece| !meets(piece));
        self.pieces.push((space, range, number));
        Ok(())
    }

    /// Moves tiles to the addresses of others, in parallel.
    fn hand_over(&mut self, from: &[Value<'a>], to: &[Value<'a>]) -> Result<(), String> {
        for (one, other) in from
            .iter()
            .flat_map(|one| to.iter().map(move |other| (one, other)))
        {
            if let (Some((space, one)), Some((other_space, other))) = (place(*one), place(*other)) {
                let meets = space == other_space && one.start < other.end && other.start < one.end;
                if meets && one != other {
                    return Err(format!(
                        "a tile at {one:?} of {space} moves to {other:?} or stands in the way"
                    ));
                }
            }
        }
        let numbers = from.iter().map(|value| self.read(*value));
        let numbers = numbers.collect::<Result<Vec<_>, _>>()?;
        for (to, number) in to.iter().zip(numbers) {
            if let Some(number) = number {
                self.write(*to, number)?;
            }
        }
        Ok(())
    }

    fn block(&mut self, block: Block<'a>, yields: &[Value<'a>]) -> Result<(), String> {
        for op in block.ops() {
            match op.name() {
                "scf.for" => self.r#for(op)?,
                "scf.if" => self.r#if(op)?,
                "scf.yield" => self.hand_over(&op.operands(), yields)?,
                _ => self.op(op).map_err(|error| format!("{op}: {error}"))?,
            }
        }
        Ok(())
    }

    fn op(&mut self, op: Op<'a>) -> Result<(), String> {
        for operand in op.operands() {
            self.read(operand)?;
        }
        if let Some(buffer) = op.result(0).and_then(|ring| pto::buffer(ring.r#type())) {
            if op.isa::<ReserveBufferOp>() {
                let at = address::buffer_address(BufferOp::view(op)).ok_or("has no address")?;
                self.pieces.push((buffer.space, at..at + buffer.bytes, 0));
            }
        }
        for result in op.results() {
            if pto::tile(result.r#type()).is_some() {
                if place(result).is_none() != op.isa::<TPopOp>() {
                    return Err("only popped tiles have no address".into());
                }
                if overlaps(op, result) {
                    return Err("writes to what it still reads".into());
                }
                let number = self.fresh();
                self.write(result, number)?;
            }
        }
        Ok(())
    }

    fn r#for(&mut self, op: Op<'a>) -> Result<(), String> {
        let (results, body) = (op.results(), op.body().expect("a loop has a body"));
        let initial = op.operands().split_off(3);
        self.hand_over(&initial, &results)?;
        let carried = body.arguments().split_off(1);
        for _ in 0..self.random.below(4) {
            for (argument, result) in carried.iter().zip(&results) {
                let number = self.values.get(result).copied();
                self.values.extend(number.map(|number| (*argument, number)));
            }
            self.block(body, &results)?;
        }
        Ok(())
    }

    fn r#if(&mut self, op: Op<'a>) -> Result<(), String> {
        let regions = op.regions();
        let taken = regions[self.random.below(2) as usize].blocks();
        let mut taken = taken.into_iter();
        taken.try_for_each(|block| self.block(block, &op.results()))
    }
}

/// Runs a kernel on a path. Returns the number of tiles that were read.
fn run(kernel: Op, path: u64) -> Result<usize, String> {
    let mut memory = Memory {
        random: Random(path),
        numbers: 0,
        values: HashMap::new(),
        pieces: Vec::new(),
        reads: 0,
    };
    memory.block(kernel.body().expect("a kernel has a body"), &[])?;
    Ok(memory.reads)
}

/// Runs the kernels of a module on some paths. Returns the number of tiles that were read.
fn run_all(text: &str) -> Result<usize, String> {
    let context = Context::new();
    let source = Source::new("placed.mlir", text.into()).expect("a text");
    let module = Module::parse(&context, &source).expect("a module");
    let kernels = module.op().find_all::<FuncOp>();
    let placed = |kernel: &&FuncOp| matches!(kernel.kind(), Some(Kind::Cube | Kind::Vector));
    let mut reads = 0;
    for kernel in kernels.iter().filter(placed) {
        for path in 0..if is_long_run() { 50 } else { 5 } {
            reads +=
                run(**kernel, path).map_err(|error| format!("path {path}: {error}\n{text}"))?;
        }
    }
    Ok(reads)
}

#[test]
fn tiles_lie_where_they_are_read() {
    let (mut reads, mut several) = (0, 0);
    let count = if is_long_run() { 1000 } else { 30 };
    for seed in 0..count {
        let kernel = random(seed, seed % 2 == 0);
        let split = SPLITS[seed as usize % SPLITS.len()];
        let (expanded, _) = kernel.expand(split, 0);
        let target = ["target=a5", "target=a2a3"][seed as usize / 2 % 2];
        let placed = lower(&expanded, &[("pto-allocate-memory-addr", target)]);
        let placed = placed.unwrap_or_else(|error| panic!("{error}\n{expanded}"));
        reads += run_all(&placed).unwrap_or_else(|error| panic!("{error}"));
        several += usize::from(is_noticed(&placed));
    }
    println!("{count} kernels, {reads} reads, {several} notice that all tiles lie in one place");
    assert!(reads > 100 * count as usize, "{reads}");
    assert!(several > count as usize / 2, "{several} of {count}");
}

/// Returns whether an error is found if all tiles of a module get the address of the first one.
fn is_noticed(text: &str) -> bool {
    let context = Context::new();
    let source = Source::new("placed.mlir", text.into()).expect("a text");
    let mut module = Module::parse(&context, &source).expect("a module");
    module.edit(|module, rewriter| {
        for op in module.walk(WalkOrder::Pre) {
            let lies = |value: Value| address::tile_address(value).map(|_| 1 << 14);
            let all: Vec<_> = op.results().into_iter().map(lies).collect();
            if all.iter().any(Option::is_some) {
                address::set_tiles(rewriter, op, &all);
            }
        }
    });
    run_all(&module.op().to_string()).is_err()
}
