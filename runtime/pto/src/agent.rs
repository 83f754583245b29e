//! One core that runs a kernel: where it is, what its values are, and one operation after the
//! other.
//!
//! An operation that has to wait leaves everything as it was, so it is simply tried again.

use crate::kernel::{Element, Group, Kernel, Op, OpKind, Region, ScalarOp, TileType, Type, Value};
use crate::machine::World;
use crate::race::Clock;
use crate::semantics::Semantics;
use crate::trap::{access, At, Cause, Reason, Stop, Trap};

/// A core, in a launch.
#[derive(Clone)]
pub struct Agent<'g, T> {
    /// Which kernel it runs.
    pub number: usize,
    /// What it knows of the time of all.
    pub clock: Clock,
    kernel: &'g Kernel,
    /// Regions it is in, the innermost last.
    frames: Vec<Frame<'g>>,
    values: Vec<Held<T>>,
}

/// What a value holds.
#[derive(Clone)]
enum Held<T> {
    Nothing,
    Number(i64),
    Tile(T),
    /// A tile that lies in a slot of a pipe.
    Popped {
        pipe: usize,
        number: u64,
        tile: T,
    },
}

/// A region being run.
#[derive(Clone)]
struct Frame<'g> {
    region: &'g Region,
    next: usize,
    /// The operation it belongs to; none of the whole kernel.
    owner: Option<&'g Op>,
    /// Of a loop: the counter, its bound and its step.
    counter: Option<[i64; 3]>,
}

/// What became of a try to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// An operation was done.
    Ran,
    /// It has to wait for a pipe.
    Waits(Cause, usize),
    /// The kernel has ended.
    Ended,
}

impl<'g, T: Clone> Agent<'g, T> {
    /// At the beginning of a kernel.
    pub fn new(group: &'g Group, number: usize, clock: Clock) -> Self {
        let kernel = &group.kernels[number];
        Agent {
            number,
            clock,
            kernel,
            frames: vec![Frame {
                region: &kernel.body,
                next: 0,
                owner: None,
                counter: None,
            }],
            values: vec![Held::Nothing; kernel.values.len()],
        }
    }

    /// Returns the operation it is at; none at its end.
    fn op(&self) -> Option<&'g Op> {
        let frame = self.frames.last()?;
        frame.region.ops.get(frame.next).or(frame.owner)
    }

    /// Where it is.
    pub fn at(&self, group: &Group) -> At {
        let number = self.op().map(|op| op.location);
        let location = number.and_then(|number| group.locations.get(number));
        let counters = self.frames.iter().filter_map(|frame| frame.counter);
        At {
            kernel: self.kernel.name.clone(),
            location: location.cloned().unwrap_or_else(|| "its end".to_owned()),
            number,
            iteration: counters.map(|[counter, _, _]| counter).collect(),
        }
    }

    /// Numbers that tell its state from others of the same kernel, without tiles.
    pub fn key(&self, key: &mut Vec<u64>) {
        for frame in &self.frames {
            key.push(std::ptr::from_ref(frame.region) as u64);
            key.push(frame.next as u64);
            key.extend(frame.counter.map(|[counter, _, _]| counter as u64));
        }
        key.push(u64::MAX);
        for held in &self.values {
            key.push(match held {
                Held::Number(number) => *number as u64,
                Held::Popped { number, .. } => *number,
                Held::Nothing | Held::Tile(_) => u64::MAX,
            });
        }
    }

    /// Tries to go on.
    pub fn step<S: Semantics<Tile = T>>(&mut self, world: &mut World<'g, S>) -> Result<Step, Trap> {
        let done = self.advance(world);
        done.map_err(|reason| {
            let at = self.at(world.group);
            Trap::At(Box::new(Stop { at, reason }))
        })
    }

    fn advance<S: Semantics<Tile = T>>(
        &mut self,
        world: &mut World<'g, S>,
    ) -> Result<Step, Reason> {
        let Some(frame) = self.frames.last() else {
            return Ok(match world.undrained(self.number) {
                Some(pipe) => Step::Waits(Cause::Drain, pipe),
                None => Step::Ended,
            });
        };
        let Some(op) = frame.region.ops.get(frame.next) else {
            self.leave();
            return Ok(Step::Ran);
        };
        if let Some((cause, pipe)) = self.wait(op, world) {
            return Ok(Step::Waits(cause, pipe));
        }
        self.run(op, world)?;
        Ok(Step::Ran)
    }

    /// What an operation has to wait for.
    fn wait<S: Semantics<Tile = T>>(
        &self,
        op: &Op,
        world: &World<'g, S>,
    ) -> Option<(Cause, usize)> {
        match op.kind {
            OpKind::Push { pipe } if !world.can_push(pipe, self.number) => {
                Some((Cause::Free, pipe))
            }
            OpKind::Pop { pipe } if !world.can_pop(pipe, self.number) => Some((Cause::Ready, pipe)),
            _ => None,
        }
    }

    /// The end of a region: around again, or on behind its operation.
    fn leave(&mut self) {
        let Some(frame) = self.frames.pop() else {
            return;
        };
        let Some(owner) = frame.owner else { return };
        let yields = frame.region.yields.iter();
        let yields: Vec<_> = yields.map(|value| self.values[*value].clone()).collect();
        if let Some([counter, upper, step]) = frame.counter {
            let next = counter.checked_add(step).filter(|next| *next < upper);
            if let Some(next) = next {
                self.enter(owner, frame.region, Some([next, upper, step]), yields);
                return;
            }
        }
        self.finish(owner, yields);
    }

    /// Results of an operation with regions, and on.
    fn finish(&mut self, op: &Op, values: Vec<Held<T>>) {
        for (result, value) in op.results.iter().zip(values) {
            self.values[*result] = value;
        }
        self.go_on();
    }

    fn go_on(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.next += 1;
        }
    }

    fn enter(
        &mut self,
        owner: &'g Op,
        region: &'g Region,
        counter: Option<[i64; 3]>,
        values: Vec<Held<T>>,
    ) {
        let counted = counter.map(|[counter, _, _]| Held::Number(counter));
        for (argument, value) in region
            .arguments
            .iter()
            .zip(counted.into_iter().chain(values))
        {
            self.values[*argument] = value;
        }
        self.frames.push(Frame {
            region,
            next: 0,
            owner: Some(owner),
            counter,
        });
    }

    /// Returns a number; validated to be one.
    fn number(&self, value: Value) -> i64 {
        match self.values[value] {
            Held::Number(number) => number,
            _ => 0,
        }
    }

    /// Returns a tile that may be read.
    fn tile<S: Semantics<Tile = T>>(
        &self,
        value: Value,
        world: &World<'g, S>,
    ) -> Result<T, Reason> {
        match &self.values[value] {
            Held::Tile(tile) => Ok(tile.clone()),
            Held::Popped { pipe, number, tile } => {
                if world.holds(*pipe, self.number, *number) {
                    return Ok(tile.clone());
                }
                Err(Reason::UsedAfterFree {
                    number: *number,
                    pipe: world.group.pipes[*pipe].name.clone(),
                })
            }
            // Validated: a tile was put there.
            Held::Nothing | Held::Number(_) => Err(Reason::NotPopped),
        }
    }

    fn set(&mut self, op: &Op, value: Held<T>) {
        if let Some(result) = op.results.first() {
            self.values[*result] = value;
        }
        self.go_on();
    }

    /// Does an operation.
    fn run<S: Semantics<Tile = T>>(
        &mut self,
        op: &'g Op,
        world: &mut World<'g, S>,
    ) -> Result<(), Reason> {
        match &op.kind {
            OpKind::Constant(number) => self.set(op, Held::Number(*number)),
            OpKind::Scalar(scalar) => {
                let [left, right] = [0, 1].map(|index| self.number(op.operands[index]));
                self.set(op, Held::Number(evaluate(*scalar, left, right)?));
            }
            OpKind::For(region) => {
                let [lower, upper, step] = [0, 1, 2].map(|index| self.number(op.operands[index]));
                let carried = op.operands[3..].iter();
                let carried: Vec<_> = carried.map(|value| self.values[*value].clone()).collect();
                if step <= 0 {
                    return Err(Reason::Step { step });
                }
                if lower < upper {
                    self.enter(op, region, Some([lower, upper, step]), carried);
                } else {
                    self.finish(op, carried);
                }
            }
            OpKind::If(regions) => {
                let taken = usize::from(self.number(op.operands[0]) == 0);
                self.enter(op, &regions[taken], None, vec![]);
            }
            OpKind::Load { tensor } => {
                let (place, r#type) = ([op.operands[0], op.operands[1]], self.result_type(op));
                let place = self.touch(world, *tensor, place, r#type, false)?;
                let tile = S::load(&world.tensors[*tensor], place, r#type);
                self.set(op, Held::Tile(tile));
            }
            OpKind::Store { tensor } => {
                let tile = self.tile(op.operands[0], world)?;
                let r#type = self.tile_type(op.operands[0]);
                let place = [op.operands[1], op.operands[2]];
                let place = self.touch(world, *tensor, place, r#type, true)?;
                S::store(&mut world.tensors[*tensor], place, &tile, r#type);
                self.go_on();
            }
            OpKind::Compute(compute) => {
                let tiles = op.operands.iter().map(|value| self.tile(*value, world));
                let tiles = tiles.collect::<Result<Vec<_>, _>>()?;
                let types = op.operands.iter().map(|value| self.tile_type(*value));
                let operands: Vec<_> = tiles.iter().zip(types).collect();
                let tile = S::compute(*compute, &operands, self.result_type(op));
                self.set(op, Held::Tile(tile));
            }
            OpKind::Rearrange(rearrangement) => {
                world.rearrange(rearrangement);
                self.go_on();
            }
            OpKind::Push { pipe } => {
                let tile = self.tile(op.operands[0], world)?;
                let r#type = self.tile_type(op.operands[0]);
                world.push(*pipe, self.number, (&tile, r#type), &mut self.clock)?;
                self.clock.tick(self.number);
                self.go_on();
            }
            OpKind::Pop { pipe } => {
                let r#type = self.result_type(op);
                let (number, tile) = world.pop(*pipe, self.number, r#type, &mut self.clock)?;
                self.set(
                    op,
                    Held::Popped {
                        pipe: *pipe,
                        number,
                        tile,
                    },
                );
            }
            OpKind::Free { pipe } => {
                match self.values[op.operands[0]] {
                    Held::Popped {
                        pipe: from, number, ..
                    } if from == *pipe => world.free(*pipe, self.number, number, &self.clock)?,
                    _ => return Err(Reason::NotPopped),
                }
                self.clock.tick(self.number);
                self.go_on();
            }
        }
        Ok(())
    }

    fn tile_type(&self, value: Value) -> TileType {
        match self.kernel.values[value] {
            Type::Tile(tile) => tile,
            // Validated: it is a tile.
            Type::Scalar => TileType::full(0, 0, Element::F32),
        }
    }

    fn result_type(&self, op: &Op) -> TileType {
        self.tile_type(op.results[0])
    }

    /// Where an access goes, once nothing is wrong with it.
    fn touch<S: Semantics<Tile = T>>(
        &self,
        world: &mut World<'g, S>,
        tensor: usize,
        place: [Value; 2],
        tile: TileType,
        writes: bool,
    ) -> Result<[u64; 2], Reason> {
        let [rows, columns] = world.group.tensors[tensor].tiles(tile.shape());
        let [row, column] = place.map(|value| self.number(value));
        let within = |at: i64, count| u64::try_from(at).ok().filter(|at| *at < count);
        let (Some(at_row), Some(at_column)) = (within(row, rows), within(column, columns)) else {
            return Err(Reason::Outside {
                row,
                column,
                rows,
                columns,
            });
        };
        let location = self.op().map_or(usize::MAX, |op| op.location);
        let place = (tensor, [at_row, at_column], tile.shape());
        let races = world
            .accesses
            .note(place, self.number, &self.clock, (location, writes));
        match races {
            None => Ok([at_row, at_column]),
            Some(other) => Err(Reason::Race {
                writes,
                other: access(other.writes),
                kernel: world.group.kernels[other.agent].name.clone(),
                location: world
                    .group
                    .locations
                    .get(other.location)
                    .cloned()
                    .unwrap_or_default(),
                number: other.location,
            }),
        }
    }
}

/// Arithmetic on numbers, which must exist and fit.
fn evaluate(op: ScalarOp, left: i64, right: i64) -> Result<i64, Reason> {
    let result = match op {
        ScalarOp::Add => left.checked_add(right),
        ScalarOp::Subtract => left.checked_sub(right),
        ScalarOp::Multiply => left.checked_mul(right),
        ScalarOp::Divide => left.checked_div(right),
        // Where the quotient toward zero is not the one wanted, it is one off.
        ScalarOp::FloorDivide => left
            .checked_div(right)
            .map(|quotient| quotient - i64::from(left % right != 0 && (left < 0) != (right < 0))),
        ScalarOp::CeilDivide => left
            .checked_div(right)
            .map(|quotient| quotient + i64::from(left % right != 0 && (left < 0) == (right < 0))),
        ScalarOp::Remainder => left.checked_rem(right),
        ScalarOp::Min => Some(left.min(right)),
        ScalarOp::Max => Some(left.max(right)),
        ScalarOp::And => Some(left & right),
        ScalarOp::Or => Some(left | right),
        ScalarOp::Xor => Some(left ^ right),
        ScalarOp::Equal => Some(i64::from(left == right)),
        ScalarOp::Less => Some(i64::from(left < right)),
        ScalarOp::Below => Some(i64::from((left as u64) < right as u64)),
        ScalarOp::UnsignedDivide | ScalarOp::UnsignedRemainder | ScalarOp::UnsignedMin
            if left < 0 || right < 0 =>
        {
            None
        }
        ScalarOp::UnsignedDivide => left.checked_div(right),
        ScalarOp::UnsignedRemainder => left.checked_rem(right),
        ScalarOp::UnsignedMin => Some(left.min(right)),
    };
    result.ok_or(Reason::Arithmetic)
}

#[cfg(test)]
mod tests;
