//! The interface unit: its registers, and its requests from issue to delivery.

use std::sync::Arc;

use tessera_isa_tensix::noc::{
    layout, Layout, COMMAND, CONFIG, COUNTERS as COUNTERS_AT, TRANSACTIONS,
};
use tessera_isa_tensix::Arch;

use super::configuration::{Configuration, TileNaming};
use super::coordinates::{endpoint_id, node_id};
use super::counters::{lines, Counters, Served};
use super::delivery::{Delivery, Payload, Progress};
use super::interrupts::Interrupts;
use super::location::Location;
use super::operation::{Operation, Words};
use super::request::{missing, Interface, RequestSpec};
use super::transit::{tile_with_devices, Request, Stage};
use crate::issue::coprocessor::Coprocessor;
use crate::issue::scheduler::{ChoiceSource, Schedule};
use crate::issue::stats::Stats;
use crate::map::Coordinate;
use crate::state::check_policy::CheckPolicy;
use crate::trap::Fault;

/// The channel of linked requests.
const LINK: u32 = 8;

#[derive(Clone, Copy, Debug, Default)]
struct Initiator {
    words: Words,
    written: u32,
}

/// The interface unit.
#[derive(Clone, Debug)]
pub(crate) struct Niu {
    arch: Arch,
    noc: usize,
    /// The coordinates of the tile on NoC 0.
    at: Coordinate,
    /// The address of its first register.
    base: u32,
    /// Whether data arrives in units.
    split: bool,
    initiators: [Initiator; 4],
    configuration: Configuration,
    counters: Counters,
    interrupts: Interrupts,
    requests: Vec<Request>,
    /// Whether the last request is linked to the next one.
    linked: bool,
    choices: ChoiceSource,
    /// Whether started requests are delayed.
    is_late: bool,
}

/// A delayed request arrives in one of this many steps.
const LATE: u64 = 16;

impl Niu {
    /// Creates the interface to a NoC of the tile at `at`.
    pub(crate) fn new(
        arch: Arch,
        (noc, base): (usize, u32),
        at: Coordinate,
        (split, names): (bool, TileNaming),
        check_policy: CheckPolicy,
        schedule: Schedule,
    ) -> Self {
        let mut choices = schedule.choice_source(|seed| seed ^ noc as u64);
        let is_late = choices.below(2) == 1;
        let written = match check_policy {
            CheckPolicy::Strict => 0,
            CheckPolicy::Vendor => u32::MAX,
        };
        Niu {
            arch,
            noc,
            at,
            base,
            split,
            initiators: [Initiator {
                words: Words::default(),
                written,
            }; 4],
            configuration: Configuration::new(arch, noc, at, names),
            counters: Counters::new(),
            interrupts: Interrupts::default(),
            requests: Vec::new(),
            linked: false,
            choices,
            is_late,
        }
    }

    fn not_modelled<T>(&self, addr: u32) -> Result<T, Fault> {
        Err(Fault::unmodelled(format!(
            "this register of NoC {} ({addr:#x})",
            self.noc
        )))
    }

    fn layout(&self) -> &'static Layout {
        layout(self.arch)
    }

    /// Returns the initiator and register of an offset.
    fn initiator(&self, offset: u32) -> Option<(usize, usize)> {
        let Layout {
            stride, registers, ..
        } = self.layout();
        let word = (offset % stride / 4) as usize;
        let register = registers.get(word).copied().flatten()?;
        (offset < 4 * stride).then_some(((offset / stride) as usize, register))
    }

    pub(crate) fn load(&mut self, addr: u32) -> Result<u32, Fault> {
        let offset = addr - self.base;
        if let Some((k, word)) = self.initiator(offset) {
            return Ok(self.initiators[k].words[word]);
        }
        let &Layout {
            stride,
            node_id: id,
            status,
            ..
        } = self.layout();
        if offset < 4 * stride && offset % stride == id {
            return Ok(node_id(self.arch, self.noc, self.at));
        }
        if offset < 4 * stride && offset % stride == id + 4 {
            let id = endpoint_id(self.arch, self.noc, self.at);
            return id.map_or_else(|| self.not_modelled(addr), Ok);
        }
        if Some(offset) == status {
            let started = |bits, k: usize| bits | self.initiators[k].words[COMMAND] << k;
            return Ok((0..4).fold(0, started));
        }
        if self.arch == Arch::Blackhole {
            if let Some(value) = self.interrupts.load(offset) {
                return Ok(value);
            }
        }
        match offset {
            COUNTERS_AT..0x300 => {
                let counter = self.counters.read(((offset - COUNTERS_AT) / 4) as usize);
                counter.map_or_else(|| self.not_modelled(addr), Ok)
            }
            _ => match self.configuration_word(offset) {
                Some(k) => Ok(self.configuration.word(k)),
                None => self.not_modelled(addr),
            },
        }
    }

    /// Returns whether a load of this address has side effects.
    pub(crate) fn reading_changes(&self, addr: u32) -> bool {
        self.arch == Arch::Blackhole && Interrupts::reading_changes(addr - self.base)
    }

    /// Returns whether the interrupt of this NIU is raised.
    pub(crate) fn interrupts(&self) -> bool {
        self.interrupts.raised()
    }

    /// Returns the configuration word at an offset.
    fn configuration_word(&self, offset: u32) -> Option<usize> {
        let k = (offset.wrapping_sub(CONFIG) / 4) as usize;
        (k < self.layout().config_words).then_some(k)
    }

    pub(crate) fn store(
        &mut self,
        (core, pc): (usize, u32),
        addr: u32,
        value: u32,
        coprocessor: &mut Coprocessor,
    ) -> Result<(), Fault> {
        let offset = addr - self.base;
        let Some((k, word)) = self.initiator(offset) else {
            return self.store_other(addr, value);
        };
        let initiator = &mut self.initiators[k];
        if initiator.words[COMMAND] != 0 {
            return Err(Fault::hazard(format!(
                "writes NoC initiator {k}, whose request has not started; wait until NOC_CMD_CTRL \
                 reads 0"
            )));
        }
        match word {
            COMMAND if value == 1 => self.request((core, pc), k, coprocessor),
            COMMAND => Err(Fault::undefined(format!(
                "writes {value:#x} to NOC_CMD_CTRL; a request is a 1"
            ))),
            _ => {
                initiator.words[word] = value;
                initiator.written |= 1 << word;
                Ok(())
            }
        }
    }

    fn store_other(&mut self, addr: u32, value: u32) -> Result<(), Fault> {
        let offset = addr - self.base;
        if offset == self.layout().clear {
            for id in (0..TRANSACTIONS).filter(|id| value >> id & 1 != 0) {
                self.counters.clear_outstanding(id as usize);
            }
            return Ok(());
        }
        if self.arch == Arch::Blackhole && self.interrupts.store(offset, value) {
            return Ok(());
        }
        match self.configuration_word(offset) {
            Some(k) => {
                self.configuration.set_word(k, value);
                Ok(())
            }
            None => self.not_modelled(addr),
        }
    }

    /// Returns whether a core has an outstanding request.
    pub(crate) fn has_request_of(&self, core: usize) -> bool {
        self.requests.iter().any(|request| request.core == core)
    }

    /// Accepts the request that an initiator describes.
    fn request(
        &mut self,
        (core, pc): (usize, u32),
        k: usize,
        coprocessor: &mut Coprocessor,
    ) -> Result<(), Fault> {
        let Initiator { words, written } = self.initiators[k];
        if let Some(name) = missing(self.arch, &words, written) {
            return Err(Fault::undefined(format!(
                "makes a NoC request, but this kernel has not written {name} of initiator {k}"
            )));
        }
        let interface = Interface {
            noc: self.noc,
            at: self.at,
            configuration: &self.configuration,
        };
        let spec = interface.spec(&words)?;
        let channel = match spec.is_linked || self.linked {
            true => Some(LINK),
            false => spec.channel,
        };
        self.linked = spec.is_linked;
        let is_move = matches!(spec.operation, Operation::Read | Operation::Write { .. });
        let mut request = Request {
            core,
            pc,
            initiator: k,
            stage: Stage::Issued,
            channel,
            data: Arc::default(),
            target: 0,
            left: [0..0, 0..0],
            split: self.split && is_move,
            spec,
        };
        request.begin_target();
        if matches!(request.spec.operation, Operation::Write { .. }) {
            request.data = own_bytes(&request.spec, coprocessor)?.into();
        }
        self.counters.note_issued(&request.spec);
        self.initiators[k].words[COMMAND] = 1;
        self.requests.push(request);
        Ok(())
    }

    /// Returns whether there are no outstanding requests.
    pub(crate) fn is_idle(&self) -> bool {
        self.requests.is_empty()
    }

    /// Returns the coordinates of the tile.
    pub(crate) fn coordinate(&self) -> Coordinate {
        self.at
    }

    /// Starts a request, sends its bytes, or returns a delivery for one that was sent, which is
    /// completed by [`Self::delivered`].
    ///
    /// Under half of the seeds, started requests are delayed most of the time, unless all other
    /// agents are blocked: software sees latencies of hundreds of cycles.
    pub(crate) fn advance(
        &mut self,
        others_are_blocked: bool,
        coprocessor: &mut Coprocessor,
    ) -> Result<Progress, (u32, Fault)> {
        if self.requests.is_empty() {
            return Ok(Progress::Nothing);
        }
        let any = self.choices.below(self.requests.len() as u64) as usize;
        let waits = self.is_late && !others_are_blocked && self.choices.below(LATE) != 0;
        match self.requests[any].stage {
            Stage::Issued => {
                self.start_first();
                Ok(Progress::Advanced)
            }
            _ if waits => Ok(Progress::Nothing),
            Stage::Started => {
                let k = self.first_on_channel(any, Stage::Started);
                self.send(k, coprocessor)
                    .map_err(|fault| (self.requests[k].pc, fault))?;
                Ok(Progress::Advanced)
            }
            Stage::Sent => {
                let k = self.first_on_channel(any, Stage::Sent);
                Ok(Progress::Deliver(self.delivery(k)))
            }
        }
    }

    /// Returns the first request on the same channel as request `k` that is at a stage.
    fn first_on_channel(&self, k: usize, stage: Stage) -> usize {
        let request = &self.requests[k];
        (0..k)
            .find(|&j| {
                let before = &self.requests[j];
                before.stage == stage && request.is_ordered_after(before)
            })
            .unwrap_or(k)
    }

    fn start_first(&mut self) {
        let made = |r: &&mut Request| r.stage == Stage::Issued;
        if let Some(first) = self.requests.iter_mut().find(made) {
            first.stage = Stage::Started;
            self.initiators[first.initiator].words[COMMAND] = 0;
            let spec = first.spec.clone();
            self.counters.note_started(&spec);
        }
    }

    /// Sends a request: reads the bytes of a write.
    fn send(&mut self, k: usize, coprocessor: &mut Coprocessor) -> Result<(), Fault> {
        let request = &mut self.requests[k];
        let spec = request.spec.clone();
        if matches!(spec.operation, Operation::Write { .. }) {
            let now = own_bytes(&spec, coprocessor)?;
            if *now != *request.data {
                return Err(Fault::hazard(format!(
                    "L1 from {:#x} on has changed while a NoC write was taking {} bytes from \
                     there; wait for its acknowledgement first",
                    spec.from.low_bits(),
                    spec.length
                )));
            }
        }
        request.stage = Stage::Sent;
        self.counters.note_sent(&spec, self.layout().flit);
        Ok(())
    }

    fn delivery(&mut self, k: usize) -> Delivery {
        let first = self.choices.below(2) as usize;
        let request = &mut self.requests[k];
        let next = [first, 1 - first]
            .into_iter()
            .find_map(|stream| Some((stream, request.next(stream)?)));
        let (stream, bytes) = next.unwrap_or((0, 0..request.spec.length));
        let to = request.to();
        let what = match request.spec.operation {
            Operation::Read => Payload::Copy {
                from: request.spec.from.plus(bytes.start),
                to: to.plus(bytes.start),
                length: bytes.end - bytes.start,
            },
            Operation::Write { enabled } => Payload::Store {
                to: to.plus(bytes.start),
                data: request.data.clone(),
                range: bytes.start as usize..bytes.end as usize,
                enabled: match enabled {
                    u64::MAX => u64::MAX,
                    mask => mask >> bytes.start,
                },
            },
            Operation::Inline { word, enabled } => Payload::inline(to, word, enabled),
            Operation::Atomic(atomic) => Payload::Atomic {
                at: to,
                atomic,
                answer: request.spec.answer,
            },
        };
        request.carried(stream, &bytes);
        Delivery {
            pc: request.pc,
            what,
            request: k,
        }
    }

    /// Completes a delivery. If it was the last one for its destination, returns what that tile has
    /// served.
    pub(crate) fn delivered(&mut self, delivery: &Delivery, stats: &mut Stats) -> Option<Served> {
        let flit = self.layout().flit;
        let request = &mut self.requests[delivery.request];
        if request.left.iter().any(|left| !left.is_empty()) {
            return None;
        }
        let spec = &request.spec;
        let far = match spec.operation {
            Operation::Read => spec.from,
            _ => request.to(),
        };
        let served = Served {
            operation: spec.operation,
            is_marked: spec.is_marked,
            words: lines(flit, far, spec.length),
            bytes: spec.length,
            tile: tile_with_devices(far),
        };
        let (id, length) = (spec.transaction, u64::from(spec.length));
        match spec.operation {
            Operation::Read => stats.note_noc(self.noc, [length, 0]),
            // A broadcast leaves the tile once.
            Operation::Write { .. } | Operation::Inline { .. } if request.target == 0 => {
                stats.note_noc(self.noc, [0, length]);
            }
            _ => {}
        }
        if let Location::Dram { .. } = far {
            stats.note_dram(length);
        }
        if self.counters.note_answered(served, id) {
            self.interrupts.fell_to_zero(id);
        }
        let request = &mut self.requests[delivery.request];
        request.target += 1;
        if request.target < request.spec.to.len() {
            request.begin_target();
        } else {
            self.requests.remove(delivery.request);
        }
        Some(served)
    }

    /// Counts a request that this tile has served.
    pub(crate) fn note_served(&mut self, served: Served, stats: &mut Stats) {
        self.counters.note_served(served);
        stats.note_noc(self.noc, served.moved());
    }
}

/// Reads the bytes of a write from its tile.
fn own_bytes<'c>(spec: &RequestSpec, coprocessor: &'c mut Coprocessor) -> Result<&'c [u8], Fault> {
    let Location::L1 { addr, .. } = spec.from else {
        return Err(Fault::unmodelled(format!(
            "NoC writes from addresses outside of L1 ({:#x})",
            spec.from.low_bits()
        )));
    };
    let length = spec.length as usize;
    coprocessor.core.l1.read(addr, length)?;
    coprocessor.check_l1()?;
    coprocessor.core.l1.peek(addr, length)
}
