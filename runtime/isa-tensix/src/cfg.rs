//! The backend configuration, field by field, of both chips.
//!
//! A field has the vendor's name and a place: word (`ADDR32`), shift, width. Families of equal
//! fields stand in the table once, with their dimensions: `{}` in the name is an index,
//! [`Field::at`] fixes the first free one. `cfg::THCON_REG3_Base_address.at(1).at(0)` is
//! `THCON_SEC1_REG3_Base_cntx0_address`.
//!
//! [`ConfigField`]s lie in `Config` (two states shared by all threads, words below
//! [`global_words_from`] per state, the others common), [`ThreadField`]s in `ThreadConfig` (one
//! copy per thread, 16-bit words).
//!
//! A row has the place on Wormhole B0, and behind `|` that on Blackhole if it is another one; `-`
//! stands for a chip that does not have the field. [`Field::on`] is the place on a chip.
//!
//! Source: ISA documentation, `BackendConfiguration.md`, for the meaning; ttsim's
//! `tensix_regs.json` for the places. Left out: clock gating, performance counters, and the bias
//! counter fields of ADDR_MOD_AB, which the documentation does not explain.

mod fields;

pub use fields::*;

use crate::Arch;

/// Returns the number of words of `Config` per state.
pub const fn config_words(arch: Arch) -> usize {
    match arch {
        Arch::WormholeB0 => 188,
        Arch::Blackhole => 224,
    }
}

/// Returns the number of words of `ThreadConfig` per thread.
pub const fn thread_words(arch: Arch) -> usize {
    match arch {
        Arch::WormholeB0 => 57,
        Arch::Blackhole => 68,
    }
}

/// Returns the first word of `Config` that is common to both states.
pub const fn global_words_from(arch: Arch) -> u32 {
    match arch {
        Arch::WormholeB0 => 152,
        Arch::Blackhole => 180,
    }
}

/// REG2FLOP reaches words from here to [`global_words_from`].
pub const fn thcon_words_from(arch: Arch) -> u32 {
    match arch {
        Arch::WormholeB0 => 52,
        Arch::Blackhole => 64,
    }
}

/// One dimension of a family of fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dim {
    /// How many there are.
    pub count: u32,
    /// Bits from one to the next.
    pub step: u32,
}

/// Where a chip has a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    bit: u32,
    width: u32,
    dims: &'static [Dim],
}

impl Place {
    /// Returns the member of a family, if there is one.
    #[inline]
    const fn at(self, index: u32) -> Option<Place> {
        let [dim, rest @ ..] = self.dims else {
            panic!("the field has no free dimension")
        };
        if index >= dim.count {
            return None;
        }
        Some(Place {
            bit: self.bit + index * dim.step,
            width: self.width,
            dims: rest,
        })
    }

    /// Returns the configuration word that holds the field.
    pub const fn addr32(self) -> u32 {
        assert!(self.dims.is_empty(), "the field has a free dimension");
        self.bit / 32
    }

    /// Returns the field's lowest bit in its word.
    pub const fn shift(self) -> u32 {
        self.bit % 32
    }

    /// Returns the field's width in bits.
    pub const fn width(self) -> u32 {
        self.width
    }

    /// Returns the largest value the field holds.
    pub const fn max(self) -> u32 {
        u32::MAX >> (32 - self.width)
    }

    /// Returns the bits of the word that the field covers.
    pub const fn mask(self) -> u32 {
        self.max() << self.shift()
    }

    /// Returns the field's value in its word.
    pub const fn get(self, word: u32) -> u32 {
        word >> self.shift() & self.max()
    }

    /// `value` in the field's place, other bits zero.
    ///
    /// # Panics
    /// If `value` does not fit: a mistake in the calling code.
    pub const fn put(self, value: u32) -> u32 {
        assert!(value <= self.max(), "the value does not fit the field");
        value << self.shift()
    }

    /// Returns the dimensions that are still free.
    pub const fn dims(self) -> &'static [Dim] {
        self.dims
    }
}

/// A configuration field, or a family of them while it has free dimensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field<const THREAD: bool> {
    /// The vendor's name, `{}` for indices.
    pub name: &'static str,
    /// By chip.
    places: [Option<Place>; 2],
}

/// A field of `Config`.
pub type ConfigField = Field<false>;
/// A field of `ThreadConfig`.
pub type ThreadField = Field<true>;

impl<const THREAD: bool> Field<THREAD> {
    /// Fixes the first free dimension. A chip that has fewer of them does not have the member.
    ///
    /// # Panics
    /// If there is none, or `index` is beyond it on both chips: a mistake in the calling code.
    pub const fn at(self, index: u32) -> Self {
        const fn member(place: Option<Place>, index: u32) -> Option<Place> {
            match place {
                Some(place) => place.at(index),
                None => None,
            }
        }
        let [wormhole, blackhole] = self.places;
        let places = [member(wormhole, index), member(blackhole, index)];
        assert!(
            places[0].is_some() || places[1].is_some(),
            "the index is beyond the field's dimension"
        );
        Field {
            name: self.name,
            places,
        }
    }

    /// Returns where a chip has a member of a family, if it does: what [`Field::at`] for each
    /// dimension and [`Field::on`] give, but it takes less time.
    ///
    /// # Panics
    /// If the chip's family has fewer dimensions: a mistake in the calling code.
    #[inline]
    pub fn member<const N: usize>(&self, arch: Arch, indices: [u32; N]) -> Option<Place> {
        let family = self.places[arch as usize];
        indices
            .into_iter()
            .fold(family, |place, index| place?.at(index))
    }

    /// Returns where a chip has the field, if it does.
    pub const fn on(&self, arch: Arch) -> Option<Place> {
        self.places[arch as usize]
    }
}

#[cfg(test)]
mod tests;
