//! Execution of one kernel on one core: the position, the values, and the execution of operations.
//!
//! An operation that must wait changes nothing, so it can simply be retried.

use crate::kernel::{Element, Group, Kernel, Op, OpKind, Region, ScalarOp, TileType, Type, Value};
use crate::local::LocalTensor;
use crate::machine::SharedState;
use crate::race::{AccessedTile, VectorClock};
use crate::semantics::Semantics;
use crate::trap::{access, FailedOperation, Location, Reason, Trap, WaitCause};

/// A core during a launch.
pub struct Agent<'g, S: Semantics> {
    /// Which kernel it runs.
    pub number: usize,
    /// Vector clock: the events of all agents that happened before.
    pub clock: VectorClock,
    kernel: &'g Kernel,
    /// Regions under execution, the innermost last.
    frames: Vec<Frame<'g>>,
    values: Vec<ValueState<S::Tile>>,
    /// The tensors in the core's memory.
    local: Vec<LocalTensor<S>>,
}

// A derived implementation would require that `S` can be cloned.
impl<S: Semantics> Clone for Agent<'_, S> {
    fn clone(&self) -> Self {
        Agent {
            clock: self.clock.clone(),
            frames: self.frames.clone(),
            values: self.values.clone(),
            local: self.local.clone(),
            ..*self
        }
    }
}

/// The content of a value.
#[derive(Clone)]
enum ValueState<T> {
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

/// A region under execution.
#[derive(Clone)]
struct Frame<'g> {
    region: &'g Region,
    next: usize,
    /// The operation that contains the region; `None` for the body of the kernel.
    owner: Option<&'g Op>,
    /// For a loop: the counter, its bound and its step.
    counter: Option<[i64; 3]>,
}

/// The outcome of one attempt to execute an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// An operation was executed.
    Ran,
    /// The operation must wait for a pipe.
    Waits(WaitCause, usize),
    /// The kernel has ended.
    Ended,
}

impl<'g, S: Semantics> Agent<'g, S> {
    /// Creates an agent at the beginning of a kernel.
    pub fn new(group: &'g Group, number: usize, clock: VectorClock) -> Self {
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
            values: vec![ValueState::Nothing; kernel.values.len()],
            local: kernel.local.iter().copied().map(LocalTensor::new).collect(),
        }
    }

    /// Returns the current operation, or `None` at the end of the kernel.
    fn op(&self) -> Option<&'g Op> {
        let frame = self.frames.last()?;
        frame.region.ops.get(frame.next).or(frame.owner)
    }

    /// Returns the current location.
    pub fn location(&self, group: &Group) -> Location {
        let number = self.op().map(|op| op.location);
        let location = number.and_then(|number| group.locations.get(number));
        let counters = self.frames.iter().filter_map(|frame| frame.counter);
        Location {
            kernel: self.kernel.name.clone(),
            location: location.cloned().unwrap_or_else(|| "its end".to_owned()),
            number,
            iteration: counters.map(|[counter, _, _]| counter).collect(),
        }
    }

    /// Appends numbers that identify the state among those of the same kernel; contents of tiles
    /// are not included.
    pub fn append_state_key(&self, key: &mut Vec<u64>) {
        for frame in &self.frames {
            key.push(std::ptr::from_ref(frame.region) as u64);
            key.push(frame.next as u64);
            key.extend(frame.counter.map(|[counter, _, _]| counter as u64));
        }
        key.push(u64::MAX);
        for held in &self.values {
            key.push(match held {
                ValueState::Number(number) => *number as u64,
                ValueState::Popped { number, .. } => *number,
                ValueState::Nothing | ValueState::Tile(_) => u64::MAX,
            });
        }
    }

    /// Tries to execute the next operation.
    pub fn step(&mut self, world: &mut SharedState<'g, S>) -> Result<Step, Trap> {
        let done = self.advance(world);
        done.map_err(|reason| {
            let at = self.location(world.group);
            Trap::Operation(Box::new(FailedOperation { at, reason }))
        })
    }

    fn advance(&mut self, world: &mut SharedState<'g, S>) -> Result<Step, Reason> {
        let Some(frame) = self.frames.last() else {
            return Ok(match world.find_undrained_pipe(self.number) {
                Some(pipe) => Step::Waits(WaitCause::Drain, pipe),
                None => Step::Ended,
            });
        };
        let Some(op) = frame.region.ops.get(frame.next) else {
            self.leave_region();
            return Ok(Step::Ran);
        };
        if let Some((cause, pipe)) = self.find_wait(op, world) {
            return Ok(Step::Waits(cause, pipe));
        }
        self.execute(op, world)?;
        Ok(Step::Ran)
    }

    /// Returns what an operation must wait for, if anything.
    fn find_wait(&self, op: &Op, world: &SharedState<'g, S>) -> Option<(WaitCause, usize)> {
        match op.kind {
            OpKind::Push { pipe } if !world.can_push(pipe, self.number) => {
                Some((WaitCause::Free, pipe))
            }
            OpKind::Pop { pipe } if !world.can_pop(pipe, self.number) => {
                Some((WaitCause::Ready, pipe))
            }
            _ => None,
        }
    }

    /// Leaves a region at its end: starts the next iteration, or continues after its operation.
    fn leave_region(&mut self) {
        let Some(frame) = self.frames.pop() else {
            return;
        };
        let Some(owner) = frame.owner else { return };
        let yields = frame.region.yields.iter();
        let yields: Vec<_> = yields.map(|value| self.values[*value].clone()).collect();
        if let Some([counter, upper, step]) = frame.counter {
            let next = counter.checked_add(step).filter(|next| *next < upper);
            if let Some(next) = next {
                self.enter_region(owner, frame.region, Some([next, upper, step]), yields);
                return;
            }
        }
        self.finish_op(owner, yields);
    }

    /// Defines the results of an operation with regions, and continues after it.
    fn finish_op(&mut self, op: &Op, values: Vec<ValueState<S::Tile>>) {
        for (result, value) in op.results.iter().zip(values) {
            self.values[*result] = value;
        }
        self.advance_pc();
    }

    fn advance_pc(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.next += 1;
        }
    }

    fn enter_region(
        &mut self,
        owner: &'g Op,
        region: &'g Region,
        counter: Option<[i64; 3]>,
        values: Vec<ValueState<S::Tile>>,
    ) {
        let counted = counter.map(|[counter, _, _]| ValueState::Number(counter));
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

    /// Returns a scalar. Validation ensures that the value is one.
    fn number(&self, value: Value) -> i64 {
        match self.values[value] {
            ValueState::Number(number) => number,
            _ => 0,
        }
    }

    /// Returns a tile, unless its slot was freed.
    fn tile(&self, value: Value, world: &SharedState<'g, S>) -> Result<S::Tile, Reason> {
        match &self.values[value] {
            ValueState::Tile(tile) => Ok(tile.clone()),
            ValueState::Popped { pipe, number, tile } => {
                if world.holds(*pipe, self.number, *number) {
                    return Ok(tile.clone());
                }
                Err(Reason::UsedAfterFree {
                    number: *number,
                    pipe: world.group.pipes[*pipe].name.clone(),
                })
            }
            // Validated: a tile was put there.
            ValueState::Nothing | ValueState::Number(_) => Err(Reason::NotPopped),
        }
    }

    /// Defines the result of an operation and continues after it.
    fn set_result(&mut self, op: &Op, value: ValueState<S::Tile>) {
        if let Some(result) = op.results.first() {
            self.values[*result] = value;
        }
        self.advance_pc();
    }

    /// Executes an operation.
    fn execute(&mut self, op: &'g Op, world: &mut SharedState<'g, S>) -> Result<(), Reason> {
        match &op.kind {
            OpKind::Constant(number) => self.set_result(op, ValueState::Number(*number)),
            OpKind::Scalar(scalar) => {
                let [left, right] = [0, 1].map(|index| self.number(op.operands[index]));
                self.set_result(op, ValueState::Number(eval_scalar(*scalar, left, right)?));
            }
            OpKind::For(region) => {
                let [lower, upper, step] = [0, 1, 2].map(|index| self.number(op.operands[index]));
                let carried = op.operands[3..].iter();
                let carried: Vec<_> = carried.map(|value| self.values[*value].clone()).collect();
                if step <= 0 {
                    return Err(Reason::Step { step });
                }
                if lower < upper {
                    self.enter_region(op, region, Some([lower, upper, step]), carried);
                } else {
                    self.finish_op(op, carried);
                }
            }
            OpKind::If(regions) => {
                let taken = usize::from(self.number(op.operands[0]) == 0);
                self.enter_region(op, &regions[taken], None, vec![]);
            }
            OpKind::Load { tensor } => {
                let tile = self.load(op, *tensor, world)?;
                self.set_result(op, ValueState::Tile(tile));
            }
            OpKind::Store { tensor } => {
                self.store(op, *tensor, world)?;
                self.advance_pc();
            }
            OpKind::Compute(compute) => {
                let tiles = op.operands.iter().map(|value| self.tile(*value, world));
                let tiles = tiles.collect::<Result<Vec<_>, _>>()?;
                let types = op.operands.iter().map(|value| self.tile_type(*value));
                let operands: Vec<_> = tiles.iter().zip(types).collect();
                let tile = S::compute(*compute, &operands, self.result_type(op));
                self.set_result(op, ValueState::Tile(tile));
            }
            OpKind::Rearrange(rearrangement) => {
                world.rearrange(rearrangement)?;
                self.advance_pc();
            }
            OpKind::Push { pipe } => {
                let tile = self.tile(op.operands[0], world)?;
                let r#type = self.tile_type(op.operands[0]);
                world.push(*pipe, self.number, (&tile, r#type), &mut self.clock)?;
                self.clock.tick(self.number);
                self.advance_pc();
            }
            OpKind::Pop { pipe } => {
                let r#type = self.result_type(op);
                let (number, tile) = world.pop(*pipe, self.number, r#type, &mut self.clock)?;
                self.set_result(
                    op,
                    ValueState::Popped {
                        pipe: *pipe,
                        number,
                        tile,
                    },
                );
            }
            OpKind::Free { pipe } => {
                match self.values[op.operands[0]] {
                    ValueState::Popped {
                        pipe: from, number, ..
                    } if from == *pipe => world.free(*pipe, self.number, number, &self.clock)?,
                    _ => return Err(Reason::NotPopped),
                }
                self.clock.tick(self.number);
                self.advance_pc();
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

    /// Loads a tile from a tensor in global or local memory.
    fn load(
        &self,
        op: &Op,
        tensor: usize,
        world: &mut SharedState<'g, S>,
    ) -> Result<S::Tile, Reason> {
        let (position, tile) = ([op.operands[0], op.operands[1]], self.result_type(op));
        let place = self.check_bounds(world.group, tensor, position, tile)?;
        match world.group.local_index(tensor) {
            None => {
                self.check_race(world, (tensor, place, tile.shape()), false)?;
                Ok(S::load(&world.tensors[tensor], place, tile))
            }
            Some(local) => {
                let loaded = self.local[local].load(place, tile);
                loaded.ok_or(Reason::UndefinedTile {
                    tensor,
                    place,
                    shape: tile.shape(),
                })
            }
        }
    }

    /// Stores a tile to a tensor in global or local memory.
    fn store(
        &mut self,
        op: &Op,
        tensor: usize,
        world: &mut SharedState<'g, S>,
    ) -> Result<(), Reason> {
        let tile = self.tile(op.operands[0], world)?;
        let r#type = self.tile_type(op.operands[0]);
        let position = [op.operands[1], op.operands[2]];
        let place = self.check_bounds(world.group, tensor, position, r#type)?;
        match world.group.local_index(tensor) {
            None => {
                self.check_race(world, (tensor, place, r#type.shape()), true)?;
                S::store(&mut world.tensors[tensor], place, &tile, r#type);
            }
            Some(local) => self.local[local].store(place, &tile, r#type),
        }
        Ok(())
    }

    /// Checks the bounds of an access to a tensor; returns the tile's row and column.
    fn check_bounds(
        &self,
        group: &Group,
        tensor: usize,
        position: [Value; 2],
        tile: TileType,
    ) -> Result<[u64; 2], Reason> {
        // Validated: the tensor exists.
        let r#type = group.tensor_type(self.kernel, tensor);
        let [rows, columns] = r#type.map_or([0; 2], |one| one.tiles(tile.shape()));
        let [row, column] = position.map(|value| self.number(value));
        let within = |at: i64, count| u64::try_from(at).ok().filter(|at| *at < count);
        match (within(row, rows), within(column, columns)) {
            (Some(row), Some(column)) => Ok([row, column]),
            _ => Err(Reason::Outside {
                row,
                column,
                rows,
                columns,
            }),
        }
    }

    /// Records an access to global memory and checks that it does not race.
    fn check_race(
        &self,
        world: &mut SharedState<'g, S>,
        tile: AccessedTile,
        writes: bool,
    ) -> Result<(), Reason> {
        let location = self.op().map_or(usize::MAX, |op| op.location);
        let races = world
            .accesses
            .record(tile, self.number, &self.clock, (location, writes));
        let Some(other) = races else { return Ok(()) };
        let group = world.group;
        let place = group.locations.get(other.location);
        Err(Reason::Race {
            writes,
            other: access(other.writes),
            kernel: group.kernels[other.agent].name.clone(),
            location: place.cloned().unwrap_or_default(),
            number: other.location,
        })
    }
}

/// Evaluates arithmetic on scalars; fails if the result does not exist or overflows.
fn eval_scalar(op: ScalarOp, left: i64, right: i64) -> Result<i64, Reason> {
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
