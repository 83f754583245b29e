//! Execution with weakly ordered memory: steps of the core interleaved with steps of memory.

use super::port::{note_load, Queued};
use super::{extend, Core, State, Step};
use crate::bus::Bus;
use crate::code::{Decoded, FUSED, GIVES_LATER, OF_VECTORS, TOUCHES_MEMORY, VECTORS};
use crate::order::{Loaded, Order, Target, Turn};
use crate::spin::Seen;
use crate::trap::{Reason, Trap};

impl Core {
    pub(super) fn run_weakly<B: Bus>(
        &mut self,
        bus: &mut B,
        order: &mut Order,
        limit: u64,
    ) -> Result<Step, Trap<B::Fault>> {
        for turn in 0..limit {
            if order.memory_first() && self.memory_turn(bus, order)? {
                continue;
            }
            let ends = |step| Ok(if turn == 0 { step } else { Step::Ran });
            if self.state != State::Running {
                if self.memory_turn(bus, order)? {
                    continue;
                }
                if !order.is_empty() {
                    return ends(Step::Busy);
                }
                if let Some(step) = self.wait(bus)? {
                    return ends(step);
                }
            }
            let mut next = self.code.at(self.pc);
            if next.op.is_none() {
                next = self.decode_next(bus)?;
            }
            if !(self.issue_weakly(next, bus, order)? || self.memory_turn(bus, order)?) {
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
        order: &mut Order,
    ) -> Result<bool, Trap<B::Fault>> {
        let is = |bit: u8| next.traits & bit != 0;
        let third = if is(FUSED) { next.rs3() } else { 0 };
        let waits = self.csrs.orders_everything() && is(TOUCHES_MEMORY) && !order.is_drained();
        let vectors = if is(OF_VECTORS) {
            self.touched(next)
        } else {
            0
        };
        // An instruction that has begun does not wait for itself.
        let may_issue = self.accessed > 0 || order.may_issue([next.rs1, next.rs2, third], vectors);
        if waits || !may_issue || !self.issue(next, &mut Queued { bus, order })? {
            return Ok(false);
        }
        if is(GIVES_LATER) {
            order.issued(0);
            order.expect(next.rd);
        } else {
            order.issued(next.rd);
        }
        Ok(true)
    }

    /// Lets memory make one step, if it can.
    fn memory_turn<B: Bus>(
        &mut self,
        bus: &mut B,
        order: &mut Order,
    ) -> Result<bool, Trap<B::Fault>> {
        match order.turn(bus) {
            Ok(Turn::Stuck) => Ok(false),
            Ok(Turn::Moved) => {
                self.code.enter(self.pc, bus.code_version(self.pc));
                Ok(true)
            }
            Ok(Turn::Loaded(Loaded {
                to: Target { op, rd, byte },
                changed,
                addr,
                width,
                raw,
            })) => {
                match rd {
                    VECTORS.. => self.set_element(rd, byte, width, raw),
                    _ => self.registers[usize::from(rd & 127)] = extend(op, raw),
                }
                match changed {
                    true => {
                        self.spin.disturb();
                        self.code.enter(self.pc, bus.code_version(self.pc));
                    }
                    false => note_load(bus, &mut self.spin, Seen { addr, width, raw }),
                }
                Ok(true)
            }
            Err((pc, fault)) => Err(Trap {
                pc,
                instruction: self.code.seen(pc),
                reason: Reason::Bus(fault),
            }),
        }
    }
}
