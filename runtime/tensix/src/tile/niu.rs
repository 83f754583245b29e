//! The interface of a tile to NoC 0: its four initiators, and the requests that they have made.
//!
//! Source: ISA documentation, `NoC/MemoryMap.md`, `NoC/Counters.md`, `NoC/Coordinates.md` (also for where DRAM is), `NoC/Atomics.md`,
//! `NoC/Ordering.md`, `DRAMTile/README.md`. Each initiator takes a request with a store of 1 to its command register,
//! which reads 1 until the request has started. Requests start in the order in which they were made; what they carry
//! arrives in any order, an increment before a write that was made before it, too. So only the counters tell what has
//! arrived. Data goes in one piece, or, if the launch says so, in units of 16 bytes: those at 0 mod 32 and those at
//! 16 mod 32 are two streams, each of which keeps its order; between them, and between requests, there is none. This
//! is weaker than what the chip does for requests that share a virtual channel, which software cannot choose here.
//!
//! Checked: registers that a request uses have been written, and are not written before it has started; addresses agree
//! modulo 32; lengths are 1 to 8192; the bytes that a write takes from L1 do not change before it has ended, and the tiles'
//! units do not touch what is moved; images do not change; a core that says it is done has no request left. Refused with
//! its name: whatever else a request can ask for (posted and inline writes, broadcasts, chosen or linked virtual
//! channels, atomic operations other than the increment), other counters, NoC 1.

use tessera_isa_tensix::noc::{
    ALIGNMENT, ATOMIC, COMMAND, CONTROL, COUNTERS, DATA, INCREMENT, INCREMENT_WIDTH_BIT, LENGTH,
    LONGEST, OUTSTANDING, READ, RETURN, STRIDE, TAG, TARGET, TRANSACTIONS, TRANSACTION_BIT, WRITE,
};

use super::map::{self, Coordinate};
use crate::coprocessor::Coprocessor;
use crate::scheduler::SplitMix64;
use crate::stats::Stats;
use crate::trap::Fault;

/// What a request needs, with names.
const NEEDED: [(usize, &str); 7] = [
    (TARGET, "NOC_TARG_ADDR_LO"),
    (TARGET + 1, "NOC_TARG_ADDR_MID"),
    (RETURN, "NOC_RET_ADDR_LO"),
    (RETURN + 1, "NOC_RET_ADDR_MID"),
    (TAG, "NOC_PACKET_TAG"),
    (CONTROL, "NOC_CTRL"),
    (LENGTH, "NOC_AT_LEN_BE"),
];
/// Bytes of a DRAM channel; each DRAM tile has two.
const CHANNEL: u64 = 1 << 30;

#[derive(Clone, Copy, Debug, Default)]
struct Initiator {
    words: [u32; COMMAND + 1],
    written: u32,
}

/// Bytes of the units in which data arrives.
const UNIT: u32 = 16;

/// Where on the chip bytes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Location {
    Dram { bank: u32, offset: u64 },
    L1 { tile: Coordinate, addr: u32 },
}

impl Location {
    fn plus(self, bytes: u32) -> Self {
        match self {
            Location::Dram { bank, offset } => Location::Dram {
                bank,
                offset: offset + u64::from(bytes),
            },
            Location::L1 { tile, addr } => Location::L1 {
                tile,
                addr: addr + bytes,
            },
        }
    }
}

/// What a request does where it arrives.
#[derive(Clone, Debug)]
enum Operation {
    /// Moves bytes; those of a write are to be as they were when it was made.
    Move { source: Option<Vec<u8>> },
    /// Adds to the bits of `mask` in the word at `from`, whose old value goes `to` its answer.
    Increment { by: u32, mask: u32 },
}

/// A request that has been made and not ended.
#[derive(Clone, Debug)]
struct Request {
    core: usize,
    /// Where the instruction was that made it.
    pc: u32,
    initiator: usize,
    started: bool,
    transaction: usize,
    operation: Operation,
    from: Location,
    to: Location,
    /// Which bytes are still to arrive, in each stream; those of a request in one piece are in the first.
    left: [std::ops::Range<u32>; 2],
    length: u32,
    split: bool,
}

/// What the chip has to do for a request now.
#[derive(Clone, Debug)]
pub(crate) struct Delivery {
    pub(crate) pc: u32,
    pub(crate) from: Location,
    pub(crate) to: Location,
    pub(crate) what: Carried,
    /// The request's place in the list, to be handed back.
    request: usize,
}

/// What is delivered.
#[derive(Clone, Debug)]
pub(crate) enum Carried {
    /// So many bytes, for a write those which they must still be.
    Bytes(u32, Option<Vec<u8>>),
    /// Addition to a word within a mask, with the old value as the answer.
    Increment { by: u32, mask: u32 },
}

/// What a turn of the interface comes to.
pub(crate) enum Progress {
    Nothing,
    Started,
    Deliver(Delivery),
}

impl Request {
    /// The next bytes of a stream.
    fn next(&self, stream: usize) -> Option<std::ops::Range<u32>> {
        let left = &self.left[stream];
        if left.is_empty() {
            return None;
        }
        if !self.split {
            return Some(left.clone());
        }
        // Units are aligned at the destination, which agrees with the source modulo 32.
        let phase = self.phase();
        let unit_end = (left.start + phase) / UNIT * UNIT + UNIT - phase;
        Some(left.start..unit_end.min(self.length))
    }

    /// The destination modulo 32.
    fn phase(&self) -> u32 {
        match self.to {
            Location::Dram { offset, .. } => (offset % u64::from(ALIGNMENT)) as u32,
            Location::L1 { addr, .. } => addr % ALIGNMENT,
        }
    }

    /// The bytes of a stream from `start` on, which lies in it or before it.
    fn stream_from(&self, stream: u32, start: u32) -> std::ops::Range<u32> {
        let at = start + self.phase();
        let start = if at / UNIT % 2 == stream {
            start
        } else {
            at / UNIT * UNIT + UNIT - self.phase()
        };
        start.min(self.length)..self.length
    }

    /// Takes what `next` said out of what is left.
    fn carried(&mut self, stream: usize, bytes: &std::ops::Range<u32>) {
        self.left[stream] = if self.split {
            self.stream_from(stream as u32, bytes.end)
        } else {
            0..0
        };
    }
}

/// The interface.
#[derive(Clone, Debug)]
pub(crate) struct Niu {
    /// The tile's own place.
    at: Coordinate,
    /// Whether data arrives in units.
    split: bool,
    initiators: [Initiator; 4],
    requests: Vec<Request>,
    answered: u32,
    acknowledged: u32,
    read: u32,
    accepted: u32,
    outstanding: [u32; TRANSACTIONS as usize],
    random: SplitMix64,
    /// Whether what has started tends to arrive late.
    is_late: bool,
}

fn not_modelled<T>(what: &str, addr: u32) -> Result<T, Fault> {
    Err(Fault::unmodelled(format!("{what} ({addr:#x})")))
}

/// X and Y of the upper half of an address.
fn coordinates(mid: u32) -> (u32, u32) {
    (mid >> 4 & 63, mid >> 10 & 63)
}

/// One of so many turns lets something late arrive.
const LATE: u64 = 16;

impl Niu {
    pub(crate) fn new(at: Coordinate, split: bool, seed: u64) -> Self {
        let mut random = SplitMix64::new(seed);
        let is_late = random.next() % 2 == 1;
        Niu {
            at,
            split,
            initiators: Default::default(),
            requests: Vec::new(),
            answered: 0,
            acknowledged: 0,
            read: 0,
            accepted: 0,
            outstanding: [0; TRANSACTIONS as usize],
            random,
            is_late,
        }
    }

    /// Initiator and register of an address.
    fn register(addr: u32) -> Result<(usize, usize), Fault> {
        let offset = addr - map::NOC;
        let word = (offset % STRIDE / 4) as usize;
        let exists = matches!(word, 0 | 1 | 3 | 4 | TAG..=COMMAND);
        if offset >= 4 * STRIDE || !exists {
            return not_modelled("this register of the NoC or its overlay", addr);
        }
        Ok(((offset / STRIDE) as usize, word))
    }

    pub(crate) fn load(&self, addr: u32) -> Result<u32, Fault> {
        let counter = (addr - map::NOC).wrapping_sub(COUNTERS) / 4;
        match counter {
            0 => Ok(self.answered),
            1 => Ok(self.acknowledged),
            2 => Ok(self.read),
            4 => Ok(self.accepted),
            OUTSTANDING.. if counter < OUTSTANDING + TRANSACTIONS => {
                Ok(self.outstanding[(counter - OUTSTANDING) as usize])
            }
            3 | 5..64 => not_modelled("this counter of the NoC", addr),
            _ => {
                let (initiator, word) = Self::register(addr)?;
                Ok(self.initiators[initiator].words[word])
            }
        }
    }

    pub(crate) fn store(
        &mut self,
        (core, pc): (usize, u32),
        addr: u32,
        value: u32,
        coprocessor: &mut Coprocessor,
    ) -> Result<(), Fault> {
        let (k, word) = Self::register(addr)?;
        let initiator = &mut self.initiators[k];
        if initiator.words[COMMAND] != 0 {
            return Err(Fault::hazard(format!(
                "writes NoC initiator {k}, whose request has not started; wait until NOC_CMD_CTRL reads 0"
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

    /// Whether a request that a core has made has not ended.
    pub(crate) fn busy_for(&self, core: usize) -> bool {
        self.requests.iter().any(|request| request.core == core)
    }

    /// Takes the request that an initiator describes.
    fn request(
        &mut self,
        (core, pc): (usize, u32),
        k: usize,
        coprocessor: &mut Coprocessor,
    ) -> Result<(), Fault> {
        let Initiator { words, written } = self.initiators[k];
        let data = (words[CONTROL] == ATOMIC).then_some((DATA, "NOC_AT_DATA"));
        let mut needed = NEEDED.iter().copied().chain(data);
        if let Some((_, name)) = needed.find(|(word, _)| written >> word & 1 == 0) {
            return Err(Fault::undefined(format!(
                "makes a NoC request, but this kernel has not written {name} of initiator {k}"
            )));
        }
        if words[TAG] & !((TRANSACTIONS - 1) << TRANSACTION_BIT) != 0 {
            return Err(Fault::unmodelled(format!(
                "NOC_PACKET_TAG {:#x}: flags other than the transaction",
                words[TAG]
            )));
        }
        let (operation, length) = match words[CONTROL] {
            READ | WRITE => (Operation::Move { source: None }, words[LENGTH]),
            ATOMIC => (increment(&words)?, 4),
            other => {
                return Err(Fault::unmodelled(format!(
                    "NoC requests other than reads ({READ:#x}), acknowledged writes ({WRITE:#x}) and answered atomic operations ({ATOMIC:#x}): NOC_CTRL is {other:#x}"
                )))
            }
        };
        if !(1..=LONGEST).contains(&length) {
            return Err(Fault::undefined(format!(
                "makes a NoC request of {length} bytes; it can be 1 to {LONGEST}"
            )));
        }
        let near = if words[CONTROL] == WRITE {
            TARGET
        } else {
            RETURN
        };
        let far = TARGET + RETURN - near;
        let l1 = self.own_address(words[near], words[near + 1])?;
        let there = location(words[far], words[far + 1])?;
        let here = Location::L1 {
            tile: self.at,
            addr: l1,
        };
        let (from, to) = if near == TARGET {
            (here, there)
        } else {
            (there, here)
        };
        let mut request = Request {
            core,
            pc,
            initiator: k,
            started: false,
            transaction: (words[TAG] >> TRANSACTION_BIT) as usize,
            operation,
            from,
            to,
            left: [0..length, 0..0],
            length,
            split: self.split,
        };
        if let Operation::Move { source } = &mut request.operation {
            check_alignment(l1, there)?;
            if words[CONTROL] == WRITE {
                let bytes = coprocessor.core.l1.read(l1, length as usize)?.to_vec();
                coprocessor.check_l1()?;
                *source = Some(bytes);
            }
            if self.split {
                request.left = [0, 1].map(|stream| request.stream_from(stream, 0));
            }
        } else {
            request.split = false;
            check_increment(l1, there)?;
        }
        self.outstanding[request.transaction] += 1;
        self.initiators[k].words[COMMAND] = 1;
        self.requests.push(request);
        Ok(())
    }

    /// Whether there are no requests.
    pub(crate) fn is_idle(&self) -> bool {
        self.requests.is_empty()
    }

    /// Starts a request, or says what is to be done for one that has started. Then comes [`Self::delivered`].
    ///
    /// Half of the seeds let what has started wait most times, unless nobody else can advance: software sees latencies of hundreds
    /// of cycles.
    pub(crate) fn advance(&mut self, others_are_blocked: bool) -> Progress {
        if self.requests.is_empty() {
            return Progress::Nothing;
        }
        let k = (self.random.next() % self.requests.len() as u64) as usize;
        let waits = self.is_late && !others_are_blocked && self.random.next() % LATE != 0;
        if waits && self.requests[k].started {
            return Progress::Nothing;
        }
        if !self.requests[k].started {
            if let Some(first) = self.requests.iter_mut().find(|r| !r.started) {
                first.started = true;
                self.initiators[first.initiator].words[COMMAND] = 0;
                self.accepted += 1;
            }
            return Progress::Started;
        }
        let first = (self.random.next() % 2) as usize;
        let request = &mut self.requests[k];
        let next = [first, 1 - first]
            .into_iter()
            .find_map(|stream| Some((stream, request.next(stream)?)));
        let (stream, bytes) = next.unwrap_or((0, 0..request.length));
        let what = match &request.operation {
            Operation::Increment { by, mask } => Carried::Increment {
                by: *by,
                mask: *mask,
            },
            Operation::Move { source } => {
                let expected = source
                    .as_ref()
                    .map(|source| source[bytes.start as usize..bytes.end as usize].to_vec());
                Carried::Bytes(bytes.end - bytes.start, expected)
            }
        };
        request.carried(stream, &bytes);
        Progress::Deliver(Delivery {
            pc: request.pc,
            from: request.from.plus(bytes.start),
            to: request.to.plus(bytes.start),
            what,
            request: k,
        })
    }

    /// Ends the request of a delivery if that was all of it.
    pub(crate) fn delivered(&mut self, delivery: &Delivery, stats: &mut Stats) {
        let request = &self.requests[delivery.request];
        if request.left.iter().any(|left| !left.is_empty()) {
            return;
        }
        self.outstanding[request.transaction] -= 1;
        match &request.operation {
            Operation::Move { source: Some(_) } => {
                self.acknowledged += 1;
                stats.note_noc(0, request.length.into());
            }
            Operation::Move { source: None } => {
                self.read += 1;
                stats.note_noc(request.length.into(), 0);
            }
            Operation::Increment { .. } => self.answered += 1,
        }
        self.requests.remove(delivery.request);
    }

    /// An address in this tile's own L1.
    fn own_address(&self, low: u32, mid: u32) -> Result<u32, Fault> {
        match location(low, mid)? {
            Location::L1 { tile, addr } if tile == self.at => Ok(addr),
            _ => {
                let (x, y) = coordinates(mid);
                Err(Fault::unmodelled(format!(
                    "NoC requests between two other tiles, of which ({x}, {y}) is one"
                )))
            }
        }
    }
}

/// The increment that an initiator's words describe.
fn increment(words: &[u32; COMMAND + 1]) -> Result<Operation, Fault> {
    let fields = words[LENGTH];
    let word = words[TARGET] >> 2 & 3;
    let width = fields >> INCREMENT_WIDTH_BIT & 31;
    if fields != INCREMENT | width << INCREMENT_WIDTH_BIT | word {
        return Err(Fault::unmodelled(format!(
            "NOC_AT_LEN_BE {fields:#x}: atomic operations other than an increment of the word at NOC_TARG_ADDR, which is word {word} of its 16 bytes"
        )));
    }
    Ok(Operation::Increment {
        by: words[DATA],
        mask: u32::MAX >> (31 - width),
    })
}

fn check_alignment(l1: u32, there: Location) -> Result<(), Fault> {
    let (what, offset) = match there {
        Location::Dram { offset, .. } => ("DRAM offset", offset),
        Location::L1 { addr, .. } => ("remote L1 address", addr.into()),
    };
    if offset % u64::from(ALIGNMENT) == u64::from(l1 % ALIGNMENT) {
        return Ok(());
    }
    Err(Fault::undefined(format!(
        "{what} {offset:#x} and L1 address {l1:#x} differ modulo {ALIGNMENT}; the NoC moves aligned pieces of {ALIGNMENT} bytes"
    )))
}

/// Increments are of aligned words in L1, and so are their answers.
fn check_increment(answer: u32, there: Location) -> Result<(), Fault> {
    match there {
        Location::Dram { .. } => Err(Fault::undefined(
            "makes an atomic NoC request of DRAM; only L1 has atomic operations",
        )),
        Location::L1 { addr, .. } if addr % 4 != 0 || answer % 4 != 0 => {
            Err(Fault::undefined(format!(
                "makes an atomic NoC request of {addr:#x} with its answer to {answer:#x}; both must be multiples of 4"
            )))
        }
        Location::L1 { .. } => Ok(()),
    }
}

/// What an address of the NoC stands for.
fn location(low: u32, mid: u32) -> Result<Location, Fault> {
    let at = coordinates(mid);
    let is_dram = map::DRAM_TILES.iter().flatten().any(|&tile| tile == at);
    if is_dram {
        let (bank, offset) = dram_address(low, mid)?;
        return Ok(Location::Dram { bank, offset });
    }
    if mid & 15 != 0 || low >= map::L1_END {
        return Err(Fault::unmodelled(format!(
            "NoC requests of {low:#x}, which is not in L1"
        )));
    }
    Ok(Location::L1 {
        tile: at,
        addr: low,
    })
}

/// Bank and offset of an address in a DRAM tile.
fn dram_address(low: u32, mid: u32) -> Result<(u32, u64), Fault> {
    let at = coordinates(mid);
    let tiles = map::DRAM_TILES.iter();
    let group = tiles.take_while(|tiles| !tiles.contains(&at)).count();
    let address = u64::from(low) | u64::from(mid & 15) << 32;
    let channel = address / CHANNEL;
    if channel > 1 {
        return Err(Fault::undefined(format!(
            "there is no DRAM at {address:#x} of tile ({}, {})",
            at.0, at.1
        )));
    }
    Ok((group as u32 * 2 + channel as u32, address % CHANNEL))
}
