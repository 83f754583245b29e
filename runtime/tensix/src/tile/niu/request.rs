//! What an initiator's words ask for.

use tessera_isa_tensix::noc::{
    ATOMIC, BROADCAST, BYTE_ENABLES, CHANNEL_BIT, COMMAND, CONTROL, DATA, INCREMENT,
    INCREMENT_WIDTH_BIT, INLINE, KIND, LENGTH, LINKED, LONGEST, MARKED, NO_NOTICE, PRIORITY_BIT,
    READ, RESERVE, RETURN, SENDER_INCLUDED, STATIC_CHANNEL, TAG, TARGET, TRANSACTIONS,
    TRANSACTION_BIT, WRITE, Y_MAJOR,
};

use super::super::map::{self, Coordinate};
use super::registers::Configuration;
use crate::trap::Fault;

/// The words of an initiator.
pub(crate) type Words = [u32; COMMAND + 1];

/// Where on the chip bytes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Location {
    Dram {
        bank: u32,
        offset: u64,
    },
    L1 {
        tile: Coordinate,
        addr: u32,
    },
    /// A register of a tile, which is read and written as a word.
    Device {
        tile: Coordinate,
        addr: u32,
    },
}

impl Location {
    pub(crate) fn plus(self, bytes: u32) -> Self {
        match self {
            Location::Dram { bank, offset } => Location::Dram {
                bank,
                offset: offset + u64::from(bytes),
            },
            Location::L1 { tile, addr } => Location::L1 {
                tile,
                addr: addr + bytes,
            },
            device @ Location::Device { .. } => device,
        }
    }

    /// The lowest bits of the address.
    pub(crate) fn low_bits(self) -> u32 {
        match self {
            Location::Dram { offset, .. } => offset as u32,
            Location::L1 { addr, .. } | Location::Device { addr, .. } => addr,
        }
    }

    /// As it is called in a message.
    fn name(self) -> String {
        match self {
            Location::Dram { offset, .. } => format!("DRAM offset {offset:#x}"),
            Location::L1 { addr, .. } => format!("remote L1 address {addr:#x}"),
            Location::Device { addr, .. } => format!("register {addr:#x}"),
        }
    }
}

/// What a request does where it arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Read,
    /// Of `length` bytes, of which those of the mask are written.
    Write {
        enabled: u32,
    },
    /// Of a word, at those of 16 bytes that the mask has.
    Inline {
        word: u32,
        enabled: u16,
    },
    /// Adds to the bits of `mask` in a word.
    Increment {
        by: u32,
        mask: u32,
    },
}

/// A request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wish {
    pub(crate) operation: Operation,
    /// Where it takes bytes: a read there, a write here.
    pub(crate) from: Location,
    /// Where it brings them, which can be many tiles; for an increment where it adds.
    pub(crate) to: Vec<Location>,
    /// Where the old value of an increment goes.
    pub(crate) answer: Option<Location>,
    pub(crate) length: u32,
    pub(crate) transaction: usize,
    /// Whether it is answered.
    pub(crate) is_marked: bool,
    /// The virtual channel that software has chosen.
    pub(crate) channel: Option<u32>,
    pub(crate) is_linked: bool,
}

/// Names of registers that requests need.
const NAMES: [(usize, &str); 8] = [
    (TARGET, "NOC_TARG_ADDR_LO"),
    (TARGET + 1, "NOC_TARG_ADDR_MID"),
    (RETURN, "NOC_RET_ADDR_LO"),
    (RETURN + 1, "NOC_RET_ADDR_MID"),
    (TAG, "NOC_PACKET_TAG"),
    (CONTROL, "NOC_CTRL"),
    (LENGTH, "NOC_AT_LEN_BE"),
    (DATA, "NOC_AT_DATA"),
];

/// The register that a request needs and that has not been written; `written` has a bit for each.
pub(crate) fn missing(words: &Words, written: u32) -> Option<&'static str> {
    let control = words[CONTROL];
    let is_inline = control & KIND == WRITE & KIND && control & INLINE != 0;
    let is_atomic = control & KIND == ATOMIC & KIND;
    let needed = |word: usize| match word {
        DATA => is_inline || is_atomic,
        RETURN.. if word <= RETURN + 1 => !(is_inline || is_atomic && control & MARKED == 0),
        _ => true,
    };
    NAMES
        .iter()
        .find(|&&(word, _)| needed(word) && written >> word & 1 == 0)
        .map(|&(_, name)| name)
}

/// The interface that a request is made of.
pub(crate) struct Interface<'a> {
    pub(crate) noc: usize,
    /// Where the tile is.
    pub(crate) at: Coordinate,
    pub(crate) configuration: &'a Configuration,
}

/// X and Y of the upper half of an address, and of what a broadcast has behind them.
fn named(mid: u32, low_bit: u32) -> (u32, u32) {
    (mid >> low_bit & 63, mid >> (low_bit + 6) & 63)
}

impl Interface<'_> {
    /// The request that an initiator's words describe.
    pub(crate) fn wish(&self, words: &Words) -> Result<Wish, Fault> {
        let control = words[CONTROL];
        check_flags(words)?;
        let (operation, length) = operation(words)?;
        // Reads and atomic operations name the other side as their target, writes with data of the tile as their return.
        let (near, far) = match operation {
            Operation::Write { .. } => (TARGET, RETURN),
            _ => (RETURN, TARGET),
        };
        let near_location = || self.own_location(words[near], words[near + 1]);
        let is_marked = operation == Operation::Read || control & MARKED != 0;
        let mut wish = Wish {
            operation,
            from: self.far_location(words[far], words[far + 1])?,
            to: Vec::new(),
            answer: None,
            length,
            transaction: (words[TAG] >> TRANSACTION_BIT) as usize,
            is_marked,
            channel: (control & STATIC_CHANNEL != 0).then_some(control >> CHANNEL_BIT & 7),
            is_linked: control & LINKED != 0,
        };
        match operation {
            Operation::Read => wish.to = vec![near_location()?],
            Operation::Write { .. } => {
                wish.to = self.targets(control, words[far], words[far + 1])?;
                wish.from = near_location()?;
            }
            Operation::Inline { .. } => {
                wish.to = self.targets(control, words[far], words[far + 1])?;
            }
            Operation::Increment { .. } => {
                wish.to = self.targets(control, words[far], words[far + 1])?;
                wish.answer = is_marked.then(near_location).transpose()?;
            }
        }
        wish.check()?;
        Ok(wish)
    }

    /// A place in the tile itself.
    fn own_location(&self, low: u32, mid: u32) -> Result<Location, Fault> {
        let tile = self.configuration.tile(named(mid, 4))?;
        if tile != self.at {
            let (x, y) = named(mid, 4);
            return Err(Fault::unmodelled(format!(
                "NoC requests between two other tiles, of which ({x}, {y}) is one"
            )));
        }
        in_tile(tile, low, mid)
    }

    fn far_location(&self, low: u32, mid: u32) -> Result<Location, Fault> {
        let tile = self.configuration.tile(named(mid, 4))?;
        let is_dram = map::DRAM_TILES.iter().flatten().any(|&dram| dram == tile);
        if is_dram {
            return dram_location(tile, low, mid);
        }
        in_tile(tile, low, mid)
    }

    /// Where a write or an atomic operation goes.
    fn targets(&self, control: u32, low: u32, mid: u32) -> Result<Vec<Location>, Fault> {
        if control & BROADCAST == 0 {
            return Ok(vec![self.far_location(low, mid)?]);
        }
        let mut targets = Vec::new();
        for tile in self.rectangle(mid)? {
            let is_sender = tile == self.at;
            if map::is_tensix(tile) && (!is_sender || control & SENDER_INCLUDED != 0) {
                targets.push(in_tile(tile, low, mid & 15)?);
            }
        }
        if targets.is_empty() {
            return Err(Fault::undefined(
                "broadcasts a NoC request to a rectangle in which no tile receives it",
            ));
        }
        Ok(targets)
    }

    /// The tiles of a broadcast's rectangle, whose corners may be the other way round: then it goes over the edge.
    fn rectangle(&self, mid: u32) -> Result<Vec<Coordinate>, Fault> {
        let corner = |low_bit| {
            let tile = self.configuration.tile(named(mid, low_bit))?;
            Ok(super::registers::on_noc(self.noc, tile))
        };
        let ((end_x, end_y), (start_x, start_y)) = (corner(4)?, corner(16)?);
        let within = |start, end, k| match start <= end {
            true => (start..=end).contains(&k),
            false => k <= end || start <= k,
        };
        let (width, height) = (
            tessera_isa_tensix::noc::WIDTH,
            tessera_isa_tensix::noc::HEIGHT,
        );
        let columns: Vec<u32> = (0..width).filter(|&x| within(start_x, end_x, x)).collect();
        let rows = (0..height).filter(|&y| within(start_y, end_y, y));
        Ok(rows
            .flat_map(|y| columns.iter().map(move |&x| (x, y)))
            .map(|place| super::registers::on_noc(self.noc, place))
            .collect())
    }
}

/// Flags that are refused.
fn check_flags(words: &Words) -> Result<(), Fault> {
    if words[TAG] & !((TRANSACTIONS - 1) << TRANSACTION_BIT) != 0 {
        return Err(Fault::unmodelled(format!(
            "NOC_PACKET_TAG {:#x}: flags other than the transaction",
            words[TAG]
        )));
    }
    let control = words[CONTROL];
    let known = KIND
        | BYTE_ENABLES
        | INLINE
        | MARKED
        | BROADCAST
        | LINKED
        | STATIC_CHANNEL
        | RESERVE
        | NO_NOTICE
        | 7 << CHANNEL_BIT
        | Y_MAJOR
        | SENDER_INCLUDED
        | 15 << PRIORITY_BIT;
    if control & !known != 0 {
        return Err(Fault::undefined(format!(
            "makes a NoC request with reserved bits {:#x} of NOC_CTRL set",
            control & !known
        )));
    }
    if control & (KIND | BROADCAST) == READ | BROADCAST {
        return Err(Fault::undefined("broadcasts a NoC read"));
    }
    Ok(())
}

/// What is done, and to how many bytes.
fn operation(words: &Words) -> Result<(Operation, u32), Fault> {
    let (control, length) = (words[CONTROL], words[LENGTH]);
    let sized = |operation| match (1..=LONGEST).contains(&length) {
        true => Ok((operation, length)),
        false => Err(Fault::undefined(format!(
            "makes a NoC request of {length} bytes; it can be 1 to {LONGEST}"
        ))),
    };
    const WRITES: u32 = WRITE & KIND;
    const ATOMICS: u32 = ATOMIC & KIND;
    match control & KIND {
        READ => sized(Operation::Read),
        WRITES if control & INLINE != 0 => {
            let enabled = (length | length >> 16) as u16;
            let word = words[DATA];
            Ok((Operation::Inline { word, enabled }, 16))
        }
        WRITES if control & BYTE_ENABLES != 0 => Ok((Operation::Write { enabled: length }, 32)),
        WRITES => sized(Operation::Write { enabled: u32::MAX }),
        ATOMICS => Ok((increment(words)?, 4)),
        _ => Err(Fault::undefined(
            "makes a NoC request of kind 3, which is reserved",
        )),
    }
}

/// The increment that an initiator's words describe.
fn increment(words: &Words) -> Result<Operation, Fault> {
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

impl Wish {
    /// Checks addresses (ISA documentation, `NoC/Alignment.md`).
    fn check(&self) -> Result<(), Fault> {
        let to = self.to[0];
        match self.operation {
            Operation::Read => check_alignment(to, self.from, self.length),
            Operation::Write { enabled: u32::MAX } => check_alignment(self.from, to, self.length),
            Operation::Write { .. } => check_enabled(self.from, to),
            Operation::Inline { .. } => check_inline(to),
            Operation::Increment { .. } => check_increment(to, self.answer),
        }
    }
}

/// What addresses agree modulo, if the other one is in L1, too, and if it is not.
const BETWEEN_L1: u32 = 16;
const FROM_L1: u32 = 32;

fn check_alignment(near: Location, far: Location, length: u32) -> Result<(), Fault> {
    let to_device = |l: Location| matches!(l, Location::Device { .. });
    if to_device(near) || to_device(far) {
        let (a, b) = (near.low_bits(), far.low_bits());
        if length == 4 && a % 4 == 0 && b % 4 == 0 {
            return Ok(());
        }
        return Err(Fault::undefined(format!(
            "makes a NoC request of {length} bytes between {a:#x} and {b:#x}; registers are moved as single words"
        )));
    }
    let modulus = match far {
        Location::Dram { .. } => FROM_L1,
        _ => BETWEEN_L1,
    };
    if far.low_bits() % modulus == near.low_bits() % modulus {
        return Ok(());
    }
    Err(Fault::undefined(format!(
        "{} and L1 address {:#x} differ modulo {modulus}; the NoC moves aligned pieces of {modulus} bytes",
        far.name(),
        near.low_bits()
    )))
}

/// Writes with a bit for each byte are of 32 aligned bytes, and to L1.
fn check_enabled(from: Location, to: Location) -> Result<(), Fault> {
    if matches!(to, Location::Device { .. }) || matches!(from, Location::Device { .. }) {
        return Err(Fault::unmodelled(
            "NoC writes with byte enables from or to registers",
        ));
    }
    if from.low_bits() % 32 == 0 && to.low_bits() % 32 == 0 {
        return Ok(());
    }
    Err(Fault::undefined(format!(
        "makes a NoC write with byte enables from {:#x} to {:#x}; both must be multiples of 32",
        from.low_bits(),
        to.low_bits()
    )))
}

fn check_inline(to: Location) -> Result<(), Fault> {
    match to {
        Location::Dram { .. } => Err(Fault::undefined(
            "makes an inline NoC write to DRAM; only Tensix and Ethernet tiles take those",
        )),
        Location::Device { addr, .. } if addr % 4 != 0 => Err(Fault::undefined(format!(
            "makes an inline NoC write to {addr:#x}; registers are at multiples of 4"
        ))),
        _ => Ok(()),
    }
}

/// Increments are of aligned words in L1, and so are their answers.
fn check_increment(to: Location, answer: Option<Location>) -> Result<(), Fault> {
    let bad_answer = answer.filter(|a| !matches!(a, Location::L1 { addr, .. } if addr % 4 == 0));
    match (to, bad_answer) {
        (Location::Dram { .. }, _) => Err(Fault::undefined(
            "makes an atomic NoC request of DRAM; only L1 has atomic operations",
        )),
        (Location::L1 { addr, .. }, None) if addr % 4 == 0 => Ok(()),
        _ => {
            let answer = match answer {
                Some(answer) => format!(" with its answer to {:#x}", answer.low_bits()),
                None => String::new(),
            };
            Err(Fault::undefined(format!(
                "makes an atomic NoC request of {:#x}{answer}; both must be multiples of 4",
                to.low_bits()
            )))
        }
    }
}

/// Registers of tiles are from here on.
const DEVICES: u32 = 0xff00_0000;

/// What an address of a tile with L1 stands for.
fn in_tile(tile: Coordinate, low: u32, mid: u32) -> Result<Location, Fault> {
    match low {
        DEVICES.. if mid & 15 == 0 && !map::is_unmapped_for_noc(low) => {
            Ok(Location::Device { tile, addr: low })
        }
        0..map::L1_END if mid & 15 == 0 => Ok(Location::L1 { tile, addr: low }),
        _ => Err(Fault::unmodelled(format!(
            "NoC requests of {low:#x}, which is not in L1"
        ))),
    }
}

/// Bytes of a DRAM channel; each DRAM tile has two.
const CHANNEL: u64 = 1 << 30;

/// Bank and offset of an address in a DRAM tile.
pub(crate) fn dram_place(at: Coordinate, address: u64) -> Result<(u32, u64), Fault> {
    let tiles = map::DRAM_TILES.iter();
    let group = tiles.take_while(|tiles| !tiles.contains(&at)).count();
    let channel = address / CHANNEL;
    if channel > 1 {
        return Err(Fault::undefined(format!(
            "there is no DRAM at {address:#x} of tile ({}, {})",
            at.0, at.1
        )));
    }
    Ok((group as u32 * 2 + channel as u32, address % CHANNEL))
}

fn dram_location(at: Coordinate, low: u32, mid: u32) -> Result<Location, Fault> {
    let (bank, offset) = dram_place(at, u64::from(low) | u64::from(mid & 15) << 32)?;
    Ok(Location::Dram { bank, offset })
}
