//! The order of memory requests, as weak as the chip permits.
//!
//! A store enters a queue of four and is sent from there in order, at some later time. A load is
//! sent at once and bypasses the stores in the queue, with one exception. On Wormhole it waits for
//! a store with exactly its address, so that a byte load can miss the previous word store, as on
//! the chip. On Blackhole it waits for stores that overlap it. Sent requests complete in order
//! within a region of memory, and in any order between regions.
//!
//! A register is not available before its load completes, and at most seven instructions run ahead
//! of an incomplete load. Nothing waits for a load whose result is unused. On Blackhole a `fence`
//! and an atomic operation wait until the queue is empty and all loads are complete. An atomic
//! operation stays in order with requests to its own region; later requests to other regions do not
//! wait for it. Each element of a vector load or store is a request of its own. The chip combines
//! them, so every order of the chip is also possible here.
//!
//! The number of requests that the memory system holds ([`SENT`]) is undocumented and chosen here.
//! The seed decides when requests advance, and how often on average.
//!
//! Source: Tensix ISA documentation, `BabyRISCV/MemoryOrdering.md`.

use std::collections::VecDeque;

use crate::alu::atomic;
use crate::bus::{Bus, Refusal, Width};
use crate::decoded::{SINK, VECTORS};
use crate::isa::Isa;
use crate::table::Op;

/// Capacity of the store queue.
pub const STORE_QUEUE: usize = 4;
/// Maximum number of sent requests that are not complete.
const SENT: usize = 8;
/// Maximum number of instructions in flight from the oldest load on.
const RETIRE_QUEUE: u64 = 8;

/// The kind of a request.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Store(u32),
    Load(Target),
    /// An atomic operation with its operand.
    Change(Target, u32),
}

impl Kind {
    /// Returns the destination of a result, if there is one.
    fn target(&mut self) -> Option<&mut Target> {
        match self {
            Kind::Store(_) => None,
            Kind::Load(target) | Kind::Change(target, _) => Some(target),
        }
    }

    fn is_store(&self) -> bool {
        matches!(self, Kind::Store(_))
    }
}

/// The destination of a load's result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    /// The load instruction.
    pub(crate) op: Op,
    pub(crate) rd: u8,
    /// The byte offset in a vector register.
    pub(crate) byte: u8,
}

#[derive(Clone, Copy, Debug)]
struct Request {
    pc: u32,
    addr: u32,
    width: Width,
    kind: Kind,
    region: u8,
    /// Number of instructions issued before.
    issued: u64,
}

/// A completed load or atomic operation.
pub(crate) struct Loaded {
    pub(crate) to: Target,
    /// Whether memory has changed.
    pub(crate) changed: bool,
    pub(crate) addr: u32,
    pub(crate) width: Width,
    pub(crate) raw: u32,
}

/// The result of a step of memory.
pub(crate) enum MemoryStep {
    /// No request can advance.
    Stuck,
    Moved,
    Loaded(Loaded),
}

/// Pseudo-random numbers: a linear congruential generator with Knuth's MMIX constants, of which the
/// upper half is used.
#[derive(Clone, Debug)]
struct Random(u64);

impl Random {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (((self.0 >> 32) * u64::from(n)) >> 32) as u32
    }
}

/// The memory requests of one core.
#[derive(Clone, Debug)]
pub(crate) struct WeakMemory {
    isa: Isa,
    random: Random,
    /// In how many of 16 steps memory comes first.
    memory_priority: u32,
    stores: VecDeque<Request>,
    sent: Vec<Request>,
    /// Registers whose load is not complete, one bit each.
    pending: u128,
    issued: u64,
}

impl WeakMemory {
    pub(crate) fn new(isa: Isa, seed: u64) -> Self {
        let mut random = Random(seed);
        random.below(1);
        let memory_priority = random.below(16);
        WeakMemory {
            isa,
            random,
            memory_priority,
            stores: VecDeque::with_capacity(STORE_QUEUE),
            sent: Vec::with_capacity(SENT),
            pending: 0,
            issued: 0,
        }
    }

    /// Discards outstanding requests.
    pub(crate) fn forget_requests(&mut self) {
        self.stores.clear();
        self.sent.clear();
        self.pending = 0;
    }

    /// Returns whether all requests have completed.
    pub(crate) fn is_empty(&self) -> bool {
        self.stores.is_empty() && self.sent.is_empty()
    }

    /// Returns the addresses of the stores that have been sent and are not complete.
    pub(crate) fn sent_stores(&self) -> impl Iterator<Item = u32> + '_ {
        let stores = |r: &&Request| r.kind.is_store();
        self.sent.iter().filter(stores).map(|r| r.addr)
    }

    /// Returns whether memory precedes the next instruction in this step.
    pub(crate) fn is_memory_first(&mut self) -> bool {
        !self.is_empty() && self.random.below(16) < self.memory_priority
    }

    /// Returns whether an instruction with these sources and vector registers may issue. According
    /// to the page, vector instructions also wait for their destination.
    pub(crate) fn may_issue(&self, sources: [u8; 3], vectors: u32) -> bool {
        let oldest = self
            .sent
            .iter()
            .find(|r| !r.kind.is_store())
            .map_or(self.issued, |r| r.issued);
        let is_awaited = self.pending != 0 && {
            let vectors = u128::from(vectors) << VECTORS;
            let sources = sources
                .iter()
                .fold(vectors, |set, &source| set | 1u128 << source);
            self.pending & sources != 0
        };
        !is_awaited && self.issued - oldest < RETIRE_QUEUE
    }

    /// Records the issue of an instruction that writes `rd`; an earlier load no longer determines
    /// the register.
    pub(crate) fn issued(&mut self, rd: u8) {
        self.issued += 1;
        if self.pending >> rd & 1 != 0 {
            self.forget(rd);
        }
    }

    fn forget(&mut self, rd: u8) {
        for request in &mut self.sent {
            if let Some(target) = request.kind.target().filter(|target| target.rd == rd) {
                target.rd = SINK;
            }
        }
        self.pending &= !(1 << rd);
    }

    /// Accepts a store; returns false if the queue is full.
    pub(crate) fn store<B: Bus>(
        &mut self,
        bus: &B,
        pc: u32,
        addr: u32,
        width: Width,
        value: u32,
    ) -> bool {
        let room = self.stores.len() < STORE_QUEUE;
        if room {
            self.stores.push_back(Request {
                pc,
                addr,
                width,
                kind: Kind::Store(value),
                region: bus.region_of_stores(addr),
                issued: self.issued,
            });
        }
        room
    }

    /// Returns whether all stores have been sent, and all loads and atomic operations are complete.
    pub(crate) fn is_drained(&self) -> bool {
        self.stores.is_empty() && self.sent.iter().all(|r| r.kind.is_store())
    }

    /// Sends an atomic operation, unless it has to wait.
    pub(crate) fn change<B: Bus>(
        &mut self,
        bus: &B,
        pc: u32,
        addr: u32,
        (to, value): (Target, u32),
    ) -> bool {
        let sends = self.is_drained() && self.sent.len() < SENT;
        if sends {
            self.sent.push(Request {
                pc,
                addr,
                width: Width::Word,
                kind: Kind::Change(to, value),
                region: bus.region(addr),
                issued: self.issued,
            });
        }
        sends
    }

    /// Returns whether a load has to wait for a queued store.
    fn is_before(&self, store: &Request, addr: u32, width: Width) -> bool {
        match self.isa.is_blackhole() {
            true => {
                let ends = |addr, width: Width| u64::from(addr) + u64::from(width.bytes());
                u64::from(addr) < ends(store.addr, store.width)
                    && u64::from(store.addr) < ends(addr, width)
            }
            false => store.addr == addr,
        }
    }

    /// Sends a load, unless it has to wait.
    pub(crate) fn load<B: Bus>(
        &mut self,
        bus: &B,
        pc: u32,
        addr: u32,
        width: Width,
        to: Target,
    ) -> bool {
        let waits = self.stores.len() == STORE_QUEUE
            || self.sent.len() == SENT
            || self.stores.iter().any(|s| self.is_before(s, addr, width));
        if !waits {
            match to.rd {
                // No other request for that element is outstanding.
                VECTORS.. => self.pending |= 1 << to.rd,
                rd => self.forget(rd),
            }
            self.sent.push(Request {
                pc,
                addr,
                width,
                kind: Kind::Load(to),
                region: bus.region(addr),
                issued: self.issued,
            });
        }
        !waits
    }

    /// Marks the register of a load that has been sent as pending.
    pub(crate) fn expect(&mut self, rd: u8) {
        self.pending |= (1 << rd) & !(1 << SINK);
    }

    /// Sends a queued store or completes a request, chosen at random, if the bus accepts it.
    pub(crate) fn step<B: Bus>(&mut self, bus: &mut B) -> Result<MemoryStep, (u32, B::Fault)> {
        let mut open: Vec<usize> = (0..self.sent.len())
            .filter(|&k| {
                let region = self.sent[k].region;
                self.sent[..k].iter().all(|r| r.region != region)
            })
            .collect();
        let send = self.sent.len();
        if send < SENT && !self.stores.is_empty() {
            open.push(send);
        }
        while !open.is_empty() {
            let k = open.swap_remove(self.random.below(open.len() as u32) as usize);
            if k == send {
                self.sent.extend(self.stores.pop_front());
                return Ok(MemoryStep::Moved);
            }
            if let Some(turn) = self.perform(k, bus)? {
                return Ok(turn);
            }
        }
        Ok(MemoryStep::Stuck)
    }

    fn perform<B: Bus>(
        &mut self,
        k: usize,
        bus: &mut B,
    ) -> Result<Option<MemoryStep>, (u32, B::Fault)> {
        let Request {
            pc,
            addr,
            width,
            kind,
            ..
        } = self.sent[k];
        let done = match kind {
            Kind::Store(value) => bus
                .store(pc, addr, width, value)
                .map(|()| MemoryStep::Moved),
            Kind::Change(to, value) => {
                let change = |old| atomic(to.op, old, value).unwrap_or(old);
                bus.change(pc, addr, change).map(|raw| {
                    MemoryStep::Loaded(Loaded {
                        to,
                        changed: change(raw) != raw,
                        addr,
                        width,
                        raw,
                    })
                })
            }
            Kind::Load(to) => bus.load(addr, width).map(|raw| {
                MemoryStep::Loaded(Loaded {
                    to,
                    changed: false,
                    addr,
                    width,
                    raw,
                })
            }),
        };
        match done {
            Ok(turn) => {
                self.sent.remove(k);
                if let MemoryStep::Loaded(Loaded { to, .. }) = turn {
                    let mut sent = self.sent.iter_mut();
                    let mut is_awaited =
                        || sent.any(|r| r.kind.target().is_some_and(|target| target.rd == to.rd));
                    if to.rd < VECTORS || !is_awaited() {
                        self.pending &= !(1 << to.rd);
                    }
                }
                Ok(Some(turn))
            }
            Err(Refusal::Busy) => Ok(None),
            Err(Refusal::Fault(fault)) => Err((pc, fault)),
        }
    }
}
