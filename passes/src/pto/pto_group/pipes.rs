//! The pipes of a group, assembled from their ends.

use std::collections::HashMap;

use tessera_dialects::mlir::{Op, Value};
use tessera_dialects::pto::{self, Direction, FuncOp, Split};
use tessera_pto::kernel::{self as group, Pipe};
use tessera_pto::liveness::MAX_SLOTS;
use tessera_pto::target::{Buffer, Ring, RingEnd};

use super::refused::{expect_verified, Refused, Why};
use super::Member;

/// The pipes of a group.
#[derive(Default)]
pub struct Pipes {
    pipes: Vec<Pipe>,
    /// By the name of the ring.
    numbers: HashMap<String, usize>,
    /// For each pipe, whether its cube end was found.
    has_cube: Vec<bool>,
}

impl Pipes {
    /// Collects the pipes between the kernels that `at` starts.
    ///
    /// # Errors
    /// A pipe ends outside of the group, or has more slots than the interpreter.
    pub fn between<'a>(at: Op<'a>, members: &[Member<'a>]) -> Result<Self, Refused<'a>> {
        let mut pipes = Pipes::default();
        for (number, member) in members.iter().enumerate() {
            pipes.add(number, member)?;
        }
        pipes.require_both_ends(at, members)?;
        Ok(pipes)
    }

    /// Adds the pipe ends of a kernel.
    fn add<'a>(&mut self, number: usize, member: &Member<'a>) -> Result<(), Refused<'a>> {
        for initialize in member.kernel.children() {
            for end in initialize.results() {
                let Some((_, side)) = pto::initialized_by(end) else {
                    continue;
                };
                let known = pto::pipe(end.r#type()).zip(pto::ring(member.kernel, end));
                let (r#type, ring) = expect_verified(initialize, known)?;
                let index = self.pipe(initialize, ring, r#type)?;
                match side {
                    pto::Side::Cube => {
                        self.pipes[index].cube = number;
                        self.has_cube[index] = true;
                    }
                    pto::Side::Vector => self.pipes[index].vector.push(number),
                }
            }
        }
        Ok(())
    }

    /// Returns the number of a pipe; creates it at its first end.
    fn pipe<'a>(
        &mut self,
        at: Op<'a>,
        ring: String,
        r#type: pto::Pipe,
    ) -> Result<usize, Refused<'a>> {
        if let Some(number) = self.numbers.get(&ring) {
            return Ok(*number);
        }
        let slots = u32::try_from(r#type.slot_num).ok();
        let slots = slots.filter(|slots| *slots <= MAX_SLOTS);
        let slots = slots.ok_or_else(|| Refused::new(at, Why::Slots(r#type)))?;
        self.numbers.insert(ring.clone(), self.pipes.len());
        self.has_cube.push(false);
        self.pipes.push(Pipe {
            name: ring,
            direction: match r#type.direction {
                Direction::C2V => group::Direction::CubeToVector,
                Direction::V2C => group::Direction::VectorToCube,
            },
            slots,
            split: match r#type.split {
                Split::None => group::Split::None,
                Split::UpDown => group::Split::UpDown,
                Split::LeftRight => group::Split::LeftRight,
            },
            cube: 0,
            vector: vec![],
            ring: Ring {
                slot_bytes: r#type.slot_size,
                ends: vec![],
            },
        });
        Ok(self.pipes.len() - 1)
    }

    /// Checks that no pipe ends outside of the group.
    fn require_both_ends<'a>(&self, at: Op<'a>, members: &[Member<'a>]) -> Result<(), Refused<'a>> {
        for (pipe, has_cube) in self.pipes.iter().zip(&self.has_cube) {
            let lanes = pipe.split.lanes();
            if *has_cube && pipe.vector.len() == lanes {
                continue;
            }
            let names: Vec<_> = members.iter().map(|member| member.name.as_str()).collect();
            let why = Why::OneEnd {
                kernels: names.join(" and "),
                pipe: pipe.name.clone(),
            };
            return Err(Refused::new(at, why));
        }
        Ok(())
    }

    /// Records the ring address that a kernel gives at result `number` of an initialization. `ops`
    /// are the operations of all locations so far; the last one is the initialization.
    ///
    /// Returns the number of the pipe, or `None` if it is not in the group.
    pub fn initialize(
        &mut self,
        kernel: (usize, FuncOp),
        number: usize,
        ops: &[Op],
    ) -> Option<usize> {
        let location = ops.len() - 1;
        let initialize = ops[location];
        let ring = pto::ring(kernel.1, *initialize.results().get(number)?)?;
        let pipe = *self.numbers.get(&ring)?;
        let buffer = initialize.operand(number).and_then(Value::defining_op);
        let buffer = buffer.and_then(|buffer| {
            Some(Buffer {
                address: buffer.dyn_cast().and_then(pto::address::buffer_address),
                location: ops.iter().rposition(|op| *op == buffer)?,
            })
        });
        self.pipes[pipe].ring.ends.push(RingEnd {
            kernel: kernel.0,
            buffer,
            location,
        });
        Some(pipe)
    }

    /// Returns the pipes in the order of their numbers.
    pub fn finish(self) -> Vec<Pipe> {
        self.pipes
    }
}
