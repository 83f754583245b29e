//! Execution of a group: all agents, the state that they share, and launches.

use tessera_ops::IndexError;

use crate::agent::{Agent, Step};
use crate::kernel::{Direction, Group, Pipe, TileType};
use crate::race::{Accesses, VectorClock};
use crate::rearrange::Rearrangement;
use crate::ring::{Channel, Protocol};
use crate::schedule::{Schedule, Scheduler};
use crate::semantics::Semantics;
use crate::trap::{FailedOperation, Reason, Trap, Wait, WaitCause};
use crate::validate::{self, Invalid};

/// The state that all agents share.
#[derive(Clone)]
pub struct SharedState<'g, S: Semantics> {
    /// The group that is executed.
    pub group: &'g Group,
    /// Global memory.
    pub tensors: Vec<S::Tensor>,
    /// The history of accesses to global memory.
    pub accesses: Accesses,
    /// The channels of each pipe, by lane.
    rings: Vec<Vec<Channel<Sent<S>>>>,
    protocol: Protocol,
}

/// A tile in a slot, and the type as which it was pushed.
type Sent<S> = (<S as Semantics>::Tile, TileType);

/// A group and its memory, which can be launched any number of times.
#[derive(Clone)]
pub struct Machine<'g, S: Semantics> {
    /// The state that all agents share.
    pub world: SharedState<'g, S>,
    /// The agents of the current launch, one for each kernel.
    agents: Vec<Agent<'g, S>>,
    /// The vector clock at the beginning of a launch.
    clock: VectorClock,
}

/// The default limit on the number of operations of a launch.
pub const LIMIT: u64 = 100_000_000;

/// Statistics of a launch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Number of operations executed.
    pub operations: u64,
    /// For each pipe, the greatest number of slots in use at once.
    pub watermarks: Vec<u64>,
}

impl<'g, S: Semantics> Machine<'g, S> {
    /// Creates a machine with all tensors at zero.
    pub fn new(group: &'g Group, protocol: Protocol) -> Result<Self, Invalid> {
        validate::group(group)?;
        let channels = |pipe: &Pipe| vec![Channel::new(pipe.slots); pipe.split.lanes()];
        Ok(Machine {
            world: SharedState {
                group,
                tensors: group.tensors.iter().map(|one| S::zeros(*one)).collect(),
                accesses: Accesses::new(group),
                rings: group.pipes.iter().map(channels).collect(),
                protocol,
            },
            agents: Vec::new(),
            clock: VectorClock::default(),
        })
    }

    /// Places all agents at the beginnings of their kernels.
    pub fn begin(&mut self) -> Result<(), Trap> {
        for agent in &self.agents {
            self.clock.merge(&agent.clock);
        }
        let protocol = self.world.protocol;
        let clock = |number| {
            let mut clock = self.clock.clone();
            clock.tick(number);
            clock
        };
        let group = self.world.group;
        self.agents = (0..group.kernels.len())
            .map(|number| Agent::new(group, number, clock(number)))
            .collect();
        for (ring, pipe) in self.world.rings.iter_mut().zip(&group.pipes) {
            let at = self.agents[pipe.producers()[0]].location(group);
            for channel in ring {
                let launched = channel.launch(&protocol);
                launched.map_err(|reason| {
                    let at = at.clone();
                    Trap::Operation(Box::new(FailedOperation { at, reason }))
                })?;
            }
        }
        Ok(())
    }

    /// Runs all kernels until they end.
    pub fn launch(&mut self, schedule: Schedule, limit: u64) -> Result<Outcome, Trap> {
        self.begin()?;
        let mut scheduler = Scheduler::new(schedule, self.agents.len());
        let mut operations = 0;
        // A blocked agent is retried after another one has progressed.
        let mut can_run = vec![true; self.agents.len()];
        let mut ended = vec![false; self.agents.len()];
        while !ended.iter().all(|ended| *ended) {
            if !can_run.contains(&true) {
                return Err(Trap::Deadlock(self.waits()?));
            }
            let number = scheduler.choose(&can_run);
            match self.step(number)? {
                Step::Ran => {
                    operations += 1;
                    if operations > limit {
                        return Err(Trap::Limit(limit));
                    }
                    for (can_run, ended) in can_run.iter_mut().zip(&ended) {
                        *can_run = !ended;
                    }
                }
                Step::Waits(..) => can_run[number] = false,
                Step::Ended => (can_run[number], ended[number]) = (false, true),
            }
        }
        self.end()?;
        let watermark = |ring: &Vec<Channel<_>>| ring.iter().map(Channel::watermark).max();
        let rings = self.world.rings.iter();
        Ok(Outcome {
            operations,
            watermarks: rings.map(|ring| watermark(ring).unwrap_or(0)).collect(),
        })
    }

    /// Lets one agent try to execute its next operation.
    pub fn step(&mut self, number: usize) -> Result<Step, Trap> {
        self.agents[number].step(&mut self.world)
    }

    /// Checks after all kernels have ended that no tile is left in a pipe.
    pub fn end(&self) -> Result<(), Trap> {
        for (ring, pipe) in self.world.rings.iter().zip(&self.world.group.pipes) {
            for channel in ring {
                let [pushed, popped, freed] = channel.counts();
                if freed < pushed {
                    return Err(Trap::Leftover {
                        pipe: pipe.name.clone(),
                        left: pushed - freed,
                        pushed,
                        popped,
                    });
                }
            }
        }
        Ok(())
    }

    /// Returns what each blocked agent waits for.
    pub fn waits(&mut self) -> Result<Vec<Wait>, Trap> {
        let mut waits = Vec::new();
        for number in 0..self.agents.len() {
            if let Step::Waits(cause, pipe) = self.step(number)? {
                waits.push(self.wait(number, cause, pipe));
            }
        }
        Ok(waits)
    }

    fn wait(&self, number: usize, cause: WaitCause, pipe: usize) -> Wait {
        let group = self.world.group;
        let described = &group.pipes[pipe];
        let others = match cause {
            WaitCause::Ready => described.producers(),
            WaitCause::Free | WaitCause::Drain => described.consumers(),
        };
        let channels = self.world.channels(pipe, number);
        // The lane with the least progress.
        let behind = self.world.rings[pipe][channels]
            .iter()
            .min_by_key(|channel| channel.counts().iter().sum::<u64>());
        Wait {
            at: self.agents[number].location(group),
            cause,
            pipe: described.name.clone(),
            for_kernels: others
                .iter()
                .map(|other| group.kernels[*other].name.clone())
                .collect(),
            counts: behind.map_or([0; 3], Channel::counts),
            slots: described.slots,
        }
    }

    /// Returns numbers that identify the state among those of the same group; contents of tiles are
    /// not included.
    pub fn key(&self) -> Vec<u64> {
        let mut key = Vec::new();
        self.agents
            .iter()
            .for_each(|agent| agent.append_state_key(&mut key));
        for channel in self.world.rings.iter().flatten() {
            key.extend(channel.counts());
        }
        key
    }
}

impl<S: Semantics> SharedState<'_, S> {
    /// Returns the channels of a pipe that a kernel uses: all, or the one of its lane.
    fn channels(&self, pipe: usize, kernel: usize) -> std::ops::Range<usize> {
        let pipe = &self.group.pipes[pipe];
        match pipe.vector.iter().position(|vector| *vector == kernel) {
            Some(lane) if pipe.split.lanes() > 1 => lane..lane + 1,
            _ => 0..pipe.split.lanes(),
        }
    }

    /// Copies elements of tensors to another tensor. The kernel is the only one of its group, so
    /// the accesses cannot race.
    ///
    /// # Errors
    /// An index is out of range.
    pub fn rearrange(&mut self, rearrangement: &Rearrangement) -> Result<(), IndexError> {
        let Rearrangement {
            sources,
            target,
            map,
        } = rearrangement;
        let sources: Vec<_> = sources.iter().map(|one| &self.tensors[*one]).collect();
        let made = S::rearrange(&sources, map, self.group.tensors[*target])?;
        self.tensors[*target] = made;
        Ok(())
    }

    /// Returns whether a slot is free for a kernel to push to.
    pub fn can_push(&self, pipe: usize, kernel: usize) -> bool {
        let channels = &self.rings[pipe][self.channels(pipe, kernel)];
        let pool = || {
            let taken: u64 = self
                .rings
                .iter()
                .flatten()
                .map(Channel::occupied_slots)
                .sum();
            taken < u64::from(self.group.pipes[0].slots)
        };
        channels.iter().all(Channel::can_push) && (!self.protocol.shared_pool || pool())
    }

    /// Returns whether a tile is ready for a kernel to pop.
    pub fn can_pop(&self, pipe: usize, kernel: usize) -> bool {
        let channels = &self.rings[pipe][self.channels(pipe, kernel)];
        channels.iter().all(|one| one.can_pop(&self.protocol))
    }

    /// Returns whether a kernel still holds a tile that it popped.
    pub fn holds(&self, pipe: usize, kernel: usize, number: u64) -> bool {
        let channels = &self.rings[pipe][self.channels(pipe, kernel)];
        channels.iter().all(|one| one.holds(number))
    }

    /// Returns a pipe to which a kernel pushes and whose slots are not all free again. The kernel
    /// must wait for it at its end.
    pub fn find_undrained_pipe(&self, kernel: usize) -> Option<usize> {
        let pipes = 0..self.group.pipes.len();
        let mut pushed = pipes.filter(|pipe| self.group.pipes[*pipe].producers().contains(&kernel));
        pushed.find(|pipe| {
            let channels = &self.rings[*pipe][self.channels(*pipe, kernel)];
            self.protocol.drain && !channels.iter().all(Channel::is_drained)
        })
    }

    /// Pushes a tile, split into two if the consumers are two kernels.
    pub fn push(
        &mut self,
        pipe: usize,
        kernel: usize,
        (tile, r#type): (&S::Tile, TileType),
        clock: &mut VectorClock,
    ) -> Result<(), Reason> {
        let channels = self.channels(pipe, kernel);
        let described = &self.group.pipes[pipe];
        for lane in channels {
            let (split, tile) = (described.split, tile);
            let part = match described.direction {
                Direction::CubeToVector => (
                    S::part(tile, r#type, split, lane),
                    split.lane_tile(r#type, lane),
                ),
                Direction::VectorToCube => (tile.clone(), r#type),
            };
            self.rings[pipe][lane].push(part, clock, &self.protocol)?;
        }
        Ok(())
    }

    /// Pops a tile, joined from two if the producers are two kernels. Returns its number and the
    /// tile.
    pub fn pop(
        &mut self,
        pipe: usize,
        kernel: usize,
        r#type: TileType,
        clock: &mut VectorClock,
    ) -> Result<(u64, S::Tile), Reason> {
        let channels = self.channels(pipe, kernel);
        let described = &self.group.pipes[pipe];
        let mut parts = Vec::with_capacity(channels.len());
        let mut last = 0;
        for lane in channels {
            let (number, (tile, pushed)) = self.rings[pipe][lane].pop(clock)?;
            let popped = match described.direction {
                Direction::CubeToVector => r#type,
                Direction::VectorToCube => described.split.lane_tile(r#type, lane),
            };
            if pushed != popped {
                return Err(Reason::PopType {
                    number,
                    pushed,
                    popped,
                });
            }
            parts.push(tile);
            last = number;
        }
        let tile = match described.direction {
            Direction::CubeToVector => parts[0].clone(),
            Direction::VectorToCube => S::join(&parts, r#type, described.split),
        };
        Ok((last, tile))
    }

    /// Frees the slot of a tile.
    pub fn free(
        &mut self,
        pipe: usize,
        kernel: usize,
        number: u64,
        clock: &VectorClock,
    ) -> Result<(), Reason> {
        for lane in self.channels(pipe, kernel) {
            self.rings[pipe][lane].free(number, clock, &self.protocol)?;
        }
        Ok(())
    }
}
