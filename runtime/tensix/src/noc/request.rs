//! Decoding and checking the requests of an initiator.

use tessera_isa_tensix::noc::{
    layout, Layout, ATOMIC, BROADCAST, BYTE_ENABLES, CHANNEL_BIT, CONTROL, DATA, EXCLUDE, HIGH,
    INLINE, KIND, LENGTH, LENGTH_HIGH, LINKED, MARKED, NO_NOTICE, PRIORITY_BIT, READ, REGISTERS,
    RESERVE, RETURN, SENDER_INCLUDED, STATIC_CHANNEL, TAG, TARGET, TRANSACTIONS, TRANSACTION_BIT,
    WRITE, Y_MAJOR,
};
use tessera_isa_tensix::Arch;

use super::atomic::Atomic;
use super::registers::{on_noc, Configuration};
use crate::map::{self, Coordinate, NodeKind};
use crate::trap::Fault;

/// The words of an initiator.
pub(crate) type Words = [u32; REGISTERS];

/// A location of bytes on the chip.
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
    /// A register of a tile, accessed as a word.
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

    /// Returns the location of the surrounding 16 bytes in L1.
    pub(crate) fn line(self) -> Self {
        match self {
            Location::L1 { tile, addr } => Location::L1 {
                tile,
                addr: addr & !15,
            },
            other => other,
        }
    }

    /// Returns the lowest bits of the address.
    pub(crate) fn low_bits(self) -> u32 {
        match self {
            Location::Dram { offset, .. } => offset as u32,
            Location::L1 { addr, .. } | Location::Device { addr, .. } => addr,
        }
    }

    /// Returns the name for messages.
    fn name(self) -> String {
        match self {
            Location::Dram { offset, .. } => format!("DRAM offset {offset:#x}"),
            Location::L1 { addr, .. } => format!("remote L1 address {addr:#x}"),
            Location::Device { addr, .. } => format!("register {addr:#x}"),
        }
    }
}

/// The operation at the destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Read,
    /// Writes `length` bytes; only those enabled by the mask, unless it is all ones.
    Write {
        enabled: u64,
    },
    /// Writes a word to those of 16 bytes that the mask enables.
    Inline {
        word: u32,
        enabled: u16,
    },
    Atomic(Atomic),
}

/// A decoded request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RequestSpec {
    pub(crate) operation: Operation,
    /// The source of the bytes: remote for a read, local for a write.
    pub(crate) from: Location,
    /// The destinations; for an atomic operation its location.
    pub(crate) to: Vec<Location>,
    /// The location for the old value of an atomic operation.
    pub(crate) answer: Option<Location>,
    pub(crate) length: u32,
    pub(crate) transaction: usize,
    /// Whether it has a response.
    pub(crate) is_marked: bool,
    /// The virtual channel that software has selected.
    pub(crate) channel: Option<u32>,
    pub(crate) is_linked: bool,
}

/// Names of registers that requests need.
const NAMES: [(usize, &str); 10] = [
    (TARGET, "NOC_TARG_ADDR_LO"),
    (TARGET + 1, "NOC_TARG_ADDR_MID"),
    (TARGET + HIGH, "NOC_TARG_ADDR_HI"),
    (RETURN, "NOC_RET_ADDR_LO"),
    (RETURN + 1, "NOC_RET_ADDR_MID"),
    (RETURN + HIGH, "NOC_RET_ADDR_HI"),
    (TAG, "NOC_PACKET_TAG"),
    (CONTROL, "NOC_CTRL"),
    (LENGTH, "NOC_AT_LEN_BE"),
    (DATA, "NOC_AT_DATA"),
];

/// Returns the name of a required register that has not been written; `written` has a bit for each.
pub(crate) fn missing(arch: Arch, words: &Words, written: u32) -> Option<&'static str> {
    let control = words[CONTROL];
    let is_inline = control & KIND == WRITE & KIND && control & INLINE != 0;
    let is_atomic = control & KIND == ATOMIC & KIND;
    let needed = |word: usize| match word {
        DATA => is_inline || is_atomic,
        RETURN.. if word <= RETURN + HIGH => !(is_inline || is_atomic && control & MARKED == 0),
        _ => true,
    };
    let exists = |word: usize| layout(arch).registers.contains(&Some(word));
    NAMES
        .iter()
        .filter(|&&(word, _)| exists(word))
        .find(|&&(word, _)| needed(word) && written >> word & 1 == 0)
        .map(|&(_, name)| name)
}

/// The context in which a request is decoded.
pub(crate) struct Interface<'a> {
    pub(crate) noc: usize,
    /// The coordinates of the tile.
    pub(crate) at: Coordinate,
    pub(crate) configuration: &'a Configuration,
}

/// One end of a request, from its initiator's words.
#[derive(Clone, Copy)]
struct End {
    address: u64,
    /// X and Y, 6 bits each; for a broadcast followed by those of its start.
    tiles: u32,
}

impl End {
    /// Decodes the end whose lowest word is [`TARGET`] or [`RETURN`].
    fn from_words(arch: Arch, words: &Words, first: usize) -> Self {
        let [low, mid, high] = [0, 1, HIGH].map(|k| words[first + k]);
        let (above, tiles) = match arch {
            Arch::WormholeB0 => (mid & 15, mid >> 4),
            Arch::Blackhole => (mid, high),
        };
        End {
            address: u64::from(low) | u64::from(above) << 32,
            tiles,
        }
    }

    /// Returns the tile, or the end of a broadcast.
    fn tile(self) -> (u32, u32) {
        (self.tiles & 63, self.tiles >> 6 & 63)
    }

    /// Returns the start of a broadcast.
    fn start(self) -> (u32, u32) {
        (self.tiles >> 12 & 63, self.tiles >> 18 & 63)
    }
}

impl Interface<'_> {
    fn arch(&self) -> Arch {
        self.configuration.arch()
    }

    /// Decodes the request in an initiator's words.
    pub(crate) fn spec(&self, words: &Words) -> Result<RequestSpec, Fault> {
        let control = words[CONTROL];
        check_flags(words)?;
        let (operation, length) = operation(words, self.arch())?;
        // Reads and atomic operations have the remote side as their target, writes as their return.
        let (near, far) = match operation {
            Operation::Write { .. } => (TARGET, RETURN),
            _ => (RETURN, TARGET),
        };
        let [mut near, mut far] =
            [near, far].map(|first| End::from_words(self.arch(), words, first));
        let is_write = matches!(operation, Operation::Write { .. });
        if self.arch() == Arch::Blackhole && is_write && control & BYTE_ENABLES != 0 {
            near.address &= !15;
            far.address &= !15;
        }
        let near_location = || self.own_location(near);
        let is_marked = operation == Operation::Read || control & MARKED != 0;
        let mut spec = RequestSpec {
            operation,
            from: self.far_location(far)?,
            to: Vec::new(),
            answer: None,
            length,
            transaction: (words[TAG] >> TRANSACTION_BIT) as usize,
            is_marked,
            channel: (control & STATIC_CHANNEL != 0).then_some(control >> CHANNEL_BIT & 7),
            is_linked: control & LINKED != 0,
        };
        match operation {
            Operation::Read => spec.to = vec![near_location()?],
            Operation::Write { .. } => {
                spec.to = self.targets(words, far)?;
                spec.from = near_location()?;
            }
            Operation::Inline { .. } => spec.to = self.targets(words, far)?,
            Operation::Atomic(_) => {
                spec.to = self.targets(words, far)?;
                spec.answer = is_marked.then(near_location).transpose()?;
            }
        }
        spec.check(self.arch())?;
        Ok(spec)
    }

    /// Returns a location in the tile itself.
    fn own_location(&self, end: End) -> Result<Location, Fault> {
        let tile = self.configuration.tile(end.tile())?;
        if tile != self.at {
            let (x, y) = end.tile();
            return Err(Fault::unmodelled(format!(
                "NoC requests between two other tiles, of which ({x}, {y}) is one"
            )));
        }
        in_tile(self.arch(), tile, end.address)
    }

    fn far_location(&self, end: End) -> Result<Location, Fault> {
        let tile = self.configuration.tile(end.tile())?;
        match map::node_kind(self.arch(), tile) {
            NodeKind::Dram(_) => {
                let (bank, offset) = dram_place(self.arch(), tile, end.address)?;
                Ok(Location::Dram { bank, offset })
            }
            _ => in_tile(self.arch(), tile, end.address),
        }
    }

    /// Returns the destinations of a write or an atomic operation.
    fn targets(&self, words: &Words, end: End) -> Result<Vec<Location>, Fault> {
        let control = words[CONTROL];
        if control & BROADCAST == 0 {
            return Ok(vec![self.far_location(end)?]);
        }
        if words[EXCLUDE] != 0 {
            return Err(Fault::unmodelled(format!(
                "NOC_BRCST_EXCLUDE {:#x}: NoC broadcasts that exclude tiles",
                words[EXCLUDE]
            )));
        }
        let mut targets = Vec::new();
        for tile in self.rectangle(end)? {
            let is_sender = tile == self.at;
            let receives = map::node_kind(self.arch(), tile) == NodeKind::Tensix;
            if receives && (!is_sender || control & SENDER_INCLUDED != 0) {
                targets.push(in_tile(self.arch(), tile, end.address)?);
            }
        }
        if targets.is_empty() {
            return Err(Fault::undefined(
                "broadcasts a NoC request to a rectangle in which no tile receives it",
            ));
        }
        Ok(targets)
    }

    /// Returns the tiles of a broadcast's rectangle. With swapped corners it wraps around the edge.
    fn rectangle(&self, end: End) -> Result<Vec<Coordinate>, Fault> {
        let corner = |named| {
            let tile = self.configuration.tile(named)?;
            Ok(on_noc(self.arch(), self.noc, tile))
        };
        let ((end_x, end_y), (start_x, start_y)) = (corner(end.tile())?, corner(end.start())?);
        let within = |start, end, k| match start <= end {
            true => (start..=end).contains(&k),
            false => k <= end || start <= k,
        };
        let &Layout { width, height, .. } = layout(self.arch());
        let columns: Vec<u32> = (0..width).filter(|&x| within(start_x, end_x, x)).collect();
        let rows = (0..height).filter(|&y| within(start_y, end_y, y));
        Ok(rows
            .flat_map(|y| columns.iter().map(move |&x| (x, y)))
            .map(|place| on_noc(self.arch(), self.noc, place))
            .collect())
    }
}

/// Refuses unsupported flags.
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

/// Returns the operation and its number of bytes.
fn operation(words: &Words, arch: Arch) -> Result<(Operation, u32), Fault> {
    let (control, length) = (words[CONTROL], words[LENGTH]);
    let longest = layout(arch).longest;
    let whole = u64::from(length) | u64::from(words[LENGTH_HIGH]) << 32;
    let sized = |operation| match (1..=u64::from(longest)).contains(&whole) {
        true => Ok((operation, length)),
        false => Err(Fault::undefined(format!(
            "makes a NoC request of {whole} bytes; it can be 1 to {longest}"
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
        WRITES if control & BYTE_ENABLES != 0 => {
            let bytes = match arch {
                Arch::WormholeB0 => 32,
                Arch::Blackhole => 64,
            };
            Ok((Operation::Write { enabled: whole }, bytes))
        }
        WRITES => sized(Operation::Write { enabled: u64::MAX }),
        ATOMICS => Ok((Operation::Atomic(Atomic::from_words(words, arch)?), 4)),
        _ => Err(Fault::undefined(
            "makes a NoC request of kind 3, which is reserved",
        )),
    }
}

impl RequestSpec {
    /// Checks addresses (ISA documentation, `NoC/Alignment.md`).
    fn check(&self, arch: Arch) -> Result<(), Fault> {
        let to = self.to[0];
        let &Layout {
            dram_read_alignment: reads,
            dram_write_alignment: writes,
            ..
        } = layout(arch);
        match self.operation {
            Operation::Read => check_alignment(to, self.from, self.length, reads),
            Operation::Write { enabled: u64::MAX } => {
                check_alignment(self.from, to, self.length, writes)
            }
            Operation::Write { .. } => check_enabled(self.from, to, arch),
            Operation::Inline { .. } => check_inline(to, arch),
            Operation::Atomic(_) => check_atomic(to, self.answer),
        }
    }
}

/// The modulus by which addresses must agree if both are in L1.
const BETWEEN_L1: u32 = 16;

fn check_alignment(
    near: Location,
    far: Location,
    length: u32,
    with_dram: u32,
) -> Result<(), Fault> {
    let to_device = |l: Location| matches!(l, Location::Device { .. });
    if to_device(near) || to_device(far) {
        let (a, b) = (near.low_bits(), far.low_bits());
        if length == 4 && a % 4 == 0 && b % 4 == 0 {
            return Ok(());
        }
        return Err(Fault::undefined(format!(
            "makes a NoC request of {length} bytes between {a:#x} and {b:#x}; registers are moved \
             as single words"
        )));
    }
    let modulus = match far {
        Location::Dram { .. } => with_dram,
        _ => BETWEEN_L1,
    };
    if far.low_bits() % modulus == near.low_bits() % modulus {
        return Ok(());
    }
    Err(Fault::undefined(format!(
        "{} and L1 address {:#x} differ modulo {modulus}; the NoC moves aligned pieces of \
         {modulus} bytes",
        far.name(),
        near.low_bits()
    )))
}

/// Checks writes with byte enables: to L1, with 32 aligned bytes on Wormhole, or 64 bytes at a
/// multiple of 16 on Blackhole.
fn check_enabled(from: Location, to: Location, arch: Arch) -> Result<(), Fault> {
    if matches!(to, Location::Device { .. }) || matches!(from, Location::Device { .. }) {
        return Err(Fault::unmodelled(
            "NoC writes with byte enables from or to registers",
        ));
    }
    let aligned = |l: Location| l.low_bits() % 32 == 0;
    if arch == Arch::Blackhole || aligned(from) && aligned(to) {
        return Ok(());
    }
    Err(Fault::undefined(format!(
        "makes a NoC write with byte enables from {:#x} to {:#x}; both must be multiples of 32",
        from.low_bits(),
        to.low_bits()
    )))
}

fn check_inline(to: Location, arch: Arch) -> Result<(), Fault> {
    match to {
        Location::Dram { .. } => Err(Fault::undefined(
            "makes an inline NoC write to DRAM; only Tensix and Ethernet tiles take those",
        )),
        Location::L1 { addr, .. } if arch == Arch::Blackhole => Err(Fault::undefined(format!(
            "makes an inline NoC write to L1 ({addr:#x}), which Blackhole's hardware does wrongly; \
             write from L1 instead"
        ))),
        Location::Device { addr, .. } if addr % 4 != 0 => Err(Fault::undefined(format!(
            "makes an inline NoC write to {addr:#x}; registers are at multiples of 4"
        ))),
        _ => Ok(()),
    }
}

/// Checks that an atomic operation and its response use aligned words in L1.
fn check_atomic(to: Location, answer: Option<Location>) -> Result<(), Fault> {
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

/// The first address of registers.
const DEVICES: u32 = 0xff00_0000;

/// Returns the location of an address in a tile with L1.
fn in_tile(arch: Arch, tile: Coordinate, address: u64) -> Result<Location, Fault> {
    let nothing = || Fault::unmodelled(format!("NoC requests of {address:#x}, which is not in L1"));
    let addr = u32::try_from(address).map_err(|_| nothing())?;
    match addr {
        DEVICES.. if !map::is_unmapped_for_noc(arch, addr) => Ok(Location::Device { tile, addr }),
        _ if addr < map::l1_end(arch) => Ok(Location::L1 { tile, addr }),
        _ => Err(nothing()),
    }
}

/// Bytes of a DRAM channel of Wormhole; each DRAM tile has two channels.
const CHANNEL: u64 = 1 << 30;

/// Returns bank and offset of an address in a DRAM tile.
pub(crate) fn dram_place(arch: Arch, at: Coordinate, address: u64) -> Result<(u32, u64), Fault> {
    let nothing = || {
        Fault::undefined(format!(
            "there is no DRAM at {address:#x} of tile ({}, {})",
            at.0, at.1
        ))
    };
    let NodeKind::Dram(group) = map::node_kind(arch, at) else {
        return Err(nothing());
    };
    match arch {
        Arch::WormholeB0 if address < 2 * CHANNEL => {
            Ok((2 * group + (address / CHANNEL) as u32, address % CHANNEL))
        }
        Arch::Blackhole if address < arch.dram_bank_bytes() => Ok((group, address)),
        _ => Err(nothing()),
    }
}
