//! The address counters (ADCs) of unpackers and packers.
//!
//! X has 18 bits, Y 13, Z and W 8 (13 on Blackhole); they wrap. (ttsim 1.10.0 has 8 bits of Z and W
//! on Blackhole, too; LLK does not count that far.) Every thread has a set of counters for each
//! unpacker and one for all packers.
//!
//! Source: ISA documentation, `ADCs.md` (at acaf0105 for Blackhole).

use tessera_isa_tensix::Arch;

/// One of the four counters of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// Datum within a row.
    X,
    /// Row.
    Y,
    /// Face, by convention.
    Z,
    /// Tile, by convention.
    W,
}

impl Axis {
    /// In encoding order.
    pub const ALL: [Axis; 4] = [Axis::X, Axis::Y, Axis::Z, Axis::W];

    fn mask(self, arch: Arch) -> u32 {
        let bits = match (self, arch) {
            (Axis::X, _) => 18,
            (Axis::Y, _) | (_, Arch::Blackhole) => 13,
            (Axis::Z | Axis::W, Arch::WormholeB0) => 8,
        };
        (1 << bits) - 1
    }
}

/// Four counters with their carriage-return values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Channel {
    arch: Arch,
    value: [u32; 4],
    cr: [u32; 4],
}

impl Channel {
    /// Creates the counters of a chip, all 0.
    pub fn new(arch: Arch) -> Self {
        Channel {
            arch,
            value: [0; 4],
            cr: [0; 4],
        }
    }

    /// Returns the counter of an axis.
    pub fn get(&self, axis: Axis) -> u32 {
        self.value[axis as usize]
    }

    /// Returns the carriage-return value of an axis.
    pub fn cr(&self, axis: Axis) -> u32 {
        self.cr[axis as usize]
    }

    /// Sets the counter alone.
    pub fn set_value(&mut self, axis: Axis, value: u32) {
        self.value[axis as usize] = value & axis.mask(self.arch);
    }

    /// Sets the carriage-return value alone.
    pub fn set_cr(&mut self, axis: Axis, value: u32) {
        self.cr[axis as usize] = value & axis.mask(self.arch);
    }

    /// Sets counter and carriage-return value.
    pub fn set(&mut self, axis: Axis, value: u32) {
        self.set_value(axis, value);
        self.set_cr(axis, value);
    }

    /// Adds to the counter.
    pub fn add(&mut self, axis: Axis, increment: u32) {
        self.set_value(axis, self.get(axis) + increment);
    }

    /// Adds to the carriage-return value and sets the counter to it.
    pub fn carriage_return(&mut self, axis: Axis, increment: u32) {
        let value = self.cr(axis) + increment;
        self.set(axis, value);
    }

    /// Sets counter and carriage-return value to zero.
    pub fn clear(&mut self, axis: Axis) {
        self.set(axis, 0);
    }
}

/// The counters of one thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadAdcs {
    /// Counters of unpackers 0 and 1, two channels each.
    pub unpacker: [[Channel; 2]; 2],
    /// Counters of all packers, two channels.
    pub packers: [Channel; 2],
}

impl ThreadAdcs {
    /// Creates the counters of a chip, all 0.
    pub fn new(arch: Arch) -> Self {
        let channels = [Channel::new(arch); 2];
        ThreadAdcs {
            unpacker: [channels; 2],
            packers: channels,
        }
    }

    /// Returns the counters that a `cnt_set_mask` selects: bit 0 and 1 the unpackers, bit 2 the
    /// packers.
    pub fn selected(&mut self, mask: u32) -> impl Iterator<Item = &mut [Channel; 2]> {
        let [u0, u1] = &mut self.unpacker;
        [u0, u1, &mut self.packers]
            .into_iter()
            .enumerate()
            .filter(move |(k, _)| mask >> k & 1 != 0)
            .map(|(_, c)| c)
    }
}

#[cfg(test)]
mod tests;
