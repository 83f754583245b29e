//! The memory access path of a core.

use crate::alu::atomic;
use crate::bus::{Bus, Refusal, Width};
use crate::spin_detector::{CompletedLoad, SpinDetector};
use crate::weak_memory::{Target, WeakMemory};

/// The path to memory: directly, or through the queues of a weakly ordered core.
pub(super) trait MemoryPort {
    type Fault;
    type Bus: Bus<Fault = Self::Fault>;
    fn bus(&mut self) -> &mut Self::Bus;
    /// Executes an atomic operation; returns the old value, if it is known at once.
    fn change(
        &mut self,
        pc: u32,
        addr: u32,
        with: (Target, u32),
    ) -> Result<Option<u32>, Refusal<Self::Fault>>;
    /// Returns whether a fence may complete.
    fn is_drained(&self) -> bool;
    fn load(&mut self, pc: u32, addr: u32, width: Width, to: Target) -> Answer<Self::Fault>;
    fn store(&mut self, pc: u32, addr: u32, width: Width, value: u32) -> Answer<Self::Fault>;
    /// Returns whether all requests have completed.
    fn is_settled(&self) -> bool;
    /// Reports a completed load to the detection of polling loops.
    fn note_load(&self, spin: &mut SpinDetector, seen: CompletedLoad);
    /// Returns the version of the code at an address after a store there.
    fn code_version(&self, addr: u32) -> u32;
}

pub(super) type Answer<F> = Result<u32, Refusal<F>>;

pub(super) struct InOrder<'a, B>(pub(super) &'a mut B);

impl<B: Bus> MemoryPort for InOrder<'_, B> {
    type Fault = B::Fault;
    type Bus = B;

    fn bus(&mut self) -> &mut B {
        self.0
    }

    fn change(
        &mut self,
        pc: u32,
        addr: u32,
        (to, value): (Target, u32),
    ) -> Result<Option<u32>, Refusal<B::Fault>> {
        let change = |old| atomic(to.op, old, value).unwrap_or(old);
        self.0.change(pc, addr, change).map(Some)
    }

    fn is_drained(&self) -> bool {
        true
    }

    #[inline(always)]
    fn load(&mut self, _: u32, addr: u32, width: Width, _: Target) -> Answer<B::Fault> {
        self.0.load(addr, width)
    }

    #[inline(always)]
    fn store(&mut self, pc: u32, addr: u32, width: Width, value: u32) -> Answer<B::Fault> {
        self.0.store(pc, addr, width, value).map(|()| 0)
    }

    fn is_settled(&self) -> bool {
        true
    }

    #[inline(always)]
    fn note_load(&self, spin: &mut SpinDetector, seen: CompletedLoad) {
        note_load(self.0, spin, seen);
    }

    fn code_version(&self, addr: u32) -> u32 {
        self.0.code_version(addr)
    }
}

#[inline(always)]
pub(super) fn note_load<B: Bus>(bus: &B, spin: &mut SpinDetector, seen: CompletedLoad) {
    if bus.reading_changes(seen.addr) {
        spin.disturb();
    }
    spin.load(seen);
}

pub(super) struct WeaklyOrdered<'a, B> {
    pub(super) bus: &'a mut B,
    pub(super) order: &'a mut WeakMemory,
}

impl<B: Bus> MemoryPort for WeaklyOrdered<'_, B> {
    type Fault = B::Fault;
    type Bus = B;

    fn bus(&mut self) -> &mut B {
        self.bus
    }

    fn change(
        &mut self,
        pc: u32,
        addr: u32,
        with: (Target, u32),
    ) -> Result<Option<u32>, Refusal<B::Fault>> {
        let sent = self.order.change(self.bus, pc, addr, with);
        sent.then_some(None).ok_or(Refusal::Busy)
    }

    fn is_drained(&self) -> bool {
        self.order.is_drained()
    }

    /// The register is 0 until the load completes, which is not observable.
    fn load(&mut self, pc: u32, addr: u32, width: Width, to: Target) -> Answer<B::Fault> {
        let sent = self.order.load(self.bus, pc, addr, width, to);
        sent.then_some(0).ok_or(Refusal::Busy)
    }

    fn store(&mut self, pc: u32, addr: u32, width: Width, value: u32) -> Answer<B::Fault> {
        let taken = self.order.store(self.bus, pc, addr, width, value);
        taken.then_some(0).ok_or(Refusal::Busy)
    }

    fn is_settled(&self) -> bool {
        self.order.is_empty()
    }

    /// The load has not completed.
    fn note_load(&self, _: &mut SpinDetector, _: CompletedLoad) {}

    fn code_version(&self, addr: u32) -> u32 {
        self.bus.code_version(addr)
    }
}
