//! Execution with weakly ordered memory: steps of the core interleaved with steps of memory.

use super::port::{note_load, WeaklyOrdered};
use super::{extend, Core, State, Step};
use crate::bus::Bus;
use crate::decoded::{Decoded, FUSED, HAS_DEFERRED_RESULT, IS_VECTOR, TOUCHES_MEMORY, VECTORS};
use crate::spin_detector::CompletedLoad;
use crate::trap::{Reason, Trap};
use crate::weak_memory::{Loaded, MemoryStep, Target, WeakMemory};

impl Core {
    pub(super) fn run_weakly<B: Bus>(
        &mut self,
        bus: &mut B,
        order: &mut WeakMemory,
        limit: u64,
    ) -> Result<Step, Trap<B::Fault>> {
        for turn in 0..limit {
            if order.is_memory_first() && self.step_memory(bus, order)? {
                continue;
            }
            let ends = |step| Ok(if turn == 0 { step } else { Step::Ran });
            if self.state != State::Running {
                if self.step_memory(bus, order)? {
                    continue;
                }
                if !order.is_empty() {
                    return ends(Step::Busy);
                }
                if let Some(step) = self.wait(bus)? {
                    return ends(step);
                }
            }
            let mut next = self.code.lookup(self.pc);
            if next.op.is_none() {
                next = self.decode_next(bus)?;
            }
            if !(self.issue_weakly(next, bus, order)? || self.step_memory(bus, order)?) {
                return ends(Step::Busy);
            }
            if bus.wants_a_break() {
                break;
            }
        }
        Ok(Step::Ran)
    }

    /// Issues an instruction if its operands are available and its request is accepted.
    fn issue_weakly<B: Bus>(
        &mut self,
        next: Decoded,
        bus: &mut B,
        order: &mut WeakMemory,
    ) -> Result<bool, Trap<B::Fault>> {
        let is = |bit: u8| next.traits & bit != 0;
        let third = if is(FUSED) { next.rs3() } else { 0 };
        let waits = self.csrs.orders_everything() && is(TOUCHES_MEMORY) && !order.is_drained();
        let vectors = if is(IS_VECTOR) { self.touched(next) } else { 0 };
        // An instruction that has begun does not wait for itself.
        let may_issue = self.accessed > 0 || order.may_issue([next.rs1, next.rs2, third], vectors);
        if waits || !may_issue || !self.issue(next, &mut WeaklyOrdered { bus, order })? {
            return Ok(false);
        }
        if is(HAS_DEFERRED_RESULT) {
            order.issued(0);
            order.expect(next.rd);
        } else {
            order.issued(next.rd);
        }
        Ok(true)
    }

    /// Lets memory make one step, if it can.
    fn step_memory<B: Bus>(
        &mut self,
        bus: &mut B,
        order: &mut WeakMemory,
    ) -> Result<bool, Trap<B::Fault>> {
        match order.step(bus) {
            Ok(MemoryStep::Stuck) => Ok(false),
            Ok(MemoryStep::Moved) => {
                self.code.enter(self.pc, bus);
                Ok(true)
            }
            Ok(MemoryStep::Loaded(Loaded {
                to: Target { op, rd, byte },
                changed,
                addr,
                width,
                raw,
            })) => {
                match rd {
                    VECTORS.. => self.set_element(rd, byte, width, raw),
                    _ => self.registers[usize::from(rd)] = extend(op, raw),
                }
                match changed {
                    true => {
                        self.spin.disturb();
                        self.code.enter(self.pc, bus);
                    }
                    false => note_load(bus, &mut self.spin, CompletedLoad { addr, width, raw }),
                }
                Ok(true)
            }
            Err((pc, fault)) => Err(Trap {
                pc,
                instruction: self.code.cached(pc),
                reason: Reason::Bus(fault),
            }),
        }
    }
}
