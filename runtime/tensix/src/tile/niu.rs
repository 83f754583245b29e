//! The interface of a tile to NoC 0, as far as it moves pages between DRAM and the tile's own L1.
//!
//! Source: ISA documentation, `NoC/MemoryMap.md`, `NoC/Counters.md`, `NoC/Coordinates.md`, `DRAMTile/README.md`. Each of the
//! four initiators takes a request with a store of 1 to its command register, which reads 1 until the request has
//! started. Requests start in the order in which they were made and end in any order, so only the counters tell what
//! has arrived.
//!
//! Checked: registers that a request uses have been written, and are not written before it has started; addresses agree
//! modulo 32; lengths are 1 to 8192; the bytes that a write takes from L1 do not change before it has ended, and its units
//! do not touch them; images do not change. Refused with its name: whatever else a request can ask for, other tiles,
//! other counters, NoC 1.

use tessera_isa_tensix::noc::{
    ALIGNMENT, COMMAND, CONTROL, COUNTERS, DATA, LENGTH, LONGEST, OUTSTANDING, READ, RETURN,
    STRIDE, TAG, TARGET, TRANSACTIONS, TRANSACTION_BIT, WRITE,
};

use super::map::{self, CORES};
use crate::coprocessor::Coprocessor;
use crate::dram::Dram;
use crate::scheduler::SplitMix64;
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

/// A request that has been made and not ended.
#[derive(Clone, Debug)]
struct Request {
    /// Where the instruction was that made it.
    pc: u32,
    initiator: usize,
    started: bool,
    transaction: usize,
    bank: u32,
    offset: u64,
    l1: u32,
    length: u32,
    /// For writes, what L1 held when the request was made.
    source: Option<Vec<u8>>,
}

/// The interface.
#[derive(Clone, Debug)]
pub(crate) struct Niu {
    initiators: [Initiator; 4],
    requests: Vec<Request>,
    acknowledged: u32,
    read: u32,
    accepted: u32,
    outstanding: [u32; TRANSACTIONS as usize],
    random: SplitMix64,
    page: Vec<u8>,
}

fn not_modelled<T>(what: &str, addr: u32) -> Result<T, Fault> {
    Err(Fault::unmodelled(format!("{what} ({addr:#x})")))
}

/// X and Y of the upper half of an address.
fn coordinates(mid: u32) -> (u32, u32) {
    (mid >> 4 & 63, mid >> 10 & 63)
}

/// The upper half of an address in the tile at (x, y).
pub(crate) const fn upper_half((x, y): (u32, u32)) -> u32 {
    x << 4 | y << 10
}

impl Niu {
    pub(crate) fn new(seed: u64) -> Self {
        Niu {
            initiators: Default::default(),
            requests: Vec::new(),
            acknowledged: 0,
            read: 0,
            accepted: 0,
            outstanding: [0; TRANSACTIONS as usize],
            random: SplitMix64::new(seed),
            page: Vec::new(),
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
            1 => Ok(self.acknowledged),
            2 => Ok(self.read),
            4 => Ok(self.accepted),
            OUTSTANDING.. if counter < OUTSTANDING + TRANSACTIONS => {
                Ok(self.outstanding[(counter - OUTSTANDING) as usize])
            }
            0..64 => not_modelled("this counter of the NoC", addr),
            _ => {
                let (initiator, word) = Self::register(addr)?;
                Ok(self.initiators[initiator].words[word])
            }
        }
    }

    pub(crate) fn store(
        &mut self,
        pc: u32,
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
            COMMAND if value == 1 => self.request(pc, k, coprocessor),
            COMMAND => Err(Fault::undefined(format!(
                "writes {value:#x} to NOC_CMD_CTRL; a request is a 1"
            ))),
            DATA => not_modelled("requests with data in NOC_AT_DATA", addr),
            _ => {
                initiator.words[word] = value;
                initiator.written |= 1 << word;
                Ok(())
            }
        }
    }

    /// Takes the request that an initiator describes.
    fn request(&mut self, pc: u32, k: usize, coprocessor: &mut Coprocessor) -> Result<(), Fault> {
        let Initiator { words, written } = self.initiators[k];
        if let Some((_, name)) = NEEDED.iter().find(|(word, _)| written >> word & 1 == 0) {
            return Err(Fault::undefined(format!(
                "makes a NoC request, but this kernel has not written {name} of initiator {k}"
            )));
        }
        let writes = match words[CONTROL] {
            READ => false,
            WRITE => true,
            other => {
                return Err(Fault::unmodelled(format!(
                    "NoC requests other than reads ({READ:#x}) and acknowledged writes ({WRITE:#x}) of L1: NOC_CTRL is {other:#x}"
                )))
            }
        };
        if words[TAG] & !((TRANSACTIONS - 1) << TRANSACTION_BIT) != 0 {
            return Err(Fault::unmodelled(format!(
                "NOC_PACKET_TAG {:#x}: flags other than the transaction",
                words[TAG]
            )));
        }
        let length = words[LENGTH];
        if !(1..=LONGEST).contains(&length) {
            return Err(Fault::undefined(format!(
                "makes a NoC request of {length} bytes; it can be 1 to {LONGEST}"
            )));
        }
        let (near, far) = if writes {
            (TARGET, RETURN)
        } else {
            (RETURN, TARGET)
        };
        let l1 = own_address(words[near], words[near + 1])?;
        let (bank, offset) = dram_address(words[far], words[far + 1])?;
        if offset % u64::from(ALIGNMENT) != u64::from(l1 % ALIGNMENT) {
            return Err(Fault::undefined(format!(
                "DRAM offset {offset:#x} and L1 address {l1:#x} differ modulo {ALIGNMENT}; the NoC moves aligned pieces of {ALIGNMENT} bytes"
            )));
        }
        let source = if writes {
            let bytes = coprocessor.core.l1.read(l1, length as usize)?.to_vec();
            coprocessor.check_l1()?;
            Some(bytes)
        } else {
            None
        };
        let transaction = (words[TAG] >> TRANSACTION_BIT) as usize;
        self.outstanding[transaction] += 1;
        self.initiators[k].words[COMMAND] = 1;
        self.requests.push(Request {
            pc,
            initiator: k,
            started: false,
            transaction,
            bank,
            offset,
            l1,
            length,
            source,
        });
        Ok(())
    }

    /// Starts or ends a request, if there is one. A fault comes with the place of the instruction that made it.
    pub(crate) fn advance(
        &mut self,
        coprocessor: &mut Coprocessor,
        dram: &mut Dram,
        images: &[usize; 5],
    ) -> Result<bool, (u32, Fault)> {
        if self.requests.is_empty() {
            return Ok(false);
        }
        let k = (self.random.next() % self.requests.len() as u64) as usize;
        if !self.requests[k].started {
            if let Some(first) = self.requests.iter_mut().find(|r| !r.started) {
                first.started = true;
                self.initiators[first.initiator].words[COMMAND] = 0;
                self.accepted += 1;
            }
            return Ok(true);
        }
        let request = self.requests.remove(k);
        self.transfer(&request, coprocessor, dram, images)
            .map_err(|fault| (request.pc, fault))?;
        self.outstanding[request.transaction] -= 1;
        match request.source {
            Some(_) => self.acknowledged += 1,
            None => self.read += 1,
        }
        Ok(true)
    }

    fn transfer(
        &mut self,
        request: &Request,
        coprocessor: &mut Coprocessor,
        dram: &mut Dram,
        images: &[usize; 5],
    ) -> Result<(), Fault> {
        let &Request {
            bank,
            offset,
            l1,
            length,
            ..
        } = request;
        let dram_fault = |e: crate::dram::DramError| Fault::undefined(e.to_string());
        match &request.source {
            None => {
                if let Some(k) = map::image_at(images, l1, length) {
                    return Err(Fault::undefined(format!(
                        "reads {length} bytes to {l1:#x}, into the image of core {}; images cannot change",
                        CORES[k]
                    )));
                }
                self.page.resize(length as usize, 0);
                dram.read(bank, offset, &mut self.page)
                    .map_err(dram_fault)?;
                coprocessor.core.l1.write(l1, &self.page)?;
            }
            Some(source) => {
                let bytes = coprocessor.core.l1.read(l1, length as usize)?;
                if bytes != source.as_slice() {
                    return Err(Fault::hazard(format!(
                        "L1 from {l1:#x} on has changed while a NoC write was taking {length} bytes from there; wait for its acknowledgement first"
                    )));
                }
                dram.write(bank, offset, bytes).map_err(dram_fault)?;
            }
        }
        coprocessor.check_l1()
    }
}

/// An address in this tile's own L1.
fn own_address(low: u32, mid: u32) -> Result<u32, Fault> {
    let at = coordinates(mid);
    if at != map::OWN_TILE {
        return Err(Fault::unmodelled(format!(
            "NoC requests of another tile's memory, ({}, {})",
            at.0, at.1
        )));
    }
    if mid & 15 != 0 || low >= map::L1_END {
        return Err(Fault::unmodelled(format!(
            "NoC requests of {low:#x}, which is not in L1"
        )));
    }
    Ok(low)
}

/// Bank and offset of an address in a DRAM tile.
fn dram_address(low: u32, mid: u32) -> Result<(u32, u64), Fault> {
    let at = coordinates(mid);
    let Some(group) = map::DRAM_TILES.iter().position(|tiles| tiles.contains(&at)) else {
        return Err(Fault::unmodelled(format!(
            "NoC requests of another tile than DRAM, ({}, {})",
            at.0, at.1
        )));
    };
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
