//! Decoding the requests of an initiator.

use tessera_isa_tensix::noc::{
    layout, on_noc, Layout, ATOMIC, BROADCAST, BYTE_ENABLES, CHANNEL_BIT, CONTROL, DATA, EXCLUDE,
    HIGH, INLINE, KIND, LENGTH, LINKED, MARKED, NO_NOTICE, PRIORITY_BIT, READ, RESERVE, RETURN,
    SENDER_INCLUDED, STATIC_CHANNEL, TAG, TARGET, TRANSACTIONS, TRANSACTION_BIT, WRITE, Y_MAJOR,
};
use tessera_isa_tensix::Arch;

use super::alignment;
use super::configuration::Configuration;
use super::grid::{node_kind, NodeKind};
use super::location::{dram_place, in_tile, Location};
use super::operation::{Operation, Words};
use crate::map::Coordinate;
use crate::trap::Fault;

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
        let (operation, length) = Operation::from_words(words, self.arch())?;
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
        let places = (spec.from, spec.to[0], spec.answer);
        alignment::check(operation, places, length, self.arch())?;
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
        match node_kind(self.arch(), tile) {
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
            let receives = self.configuration.receives_broadcasts(tile);
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
        let corner = |named| -> Result<Coordinate, Fault> {
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
