//! The backend configuration of both chips, field by field.
//!
//! A field has the vendor's name and a place: word (`ADDR32`), shift, width. Families of equal
//! fields are in the table once, with their dimensions: `{}` in the name is an index, and
//! [`Field::nth`] fixes the first free one. `cfg::THCON_REG3_Base_address.nth(1).nth(0)` is
//! `THCON_SEC1_REG3_Base_cntx0_address`.
//!
//! [`ConfigField`]s are in `Config` (two states shared by all threads; words below
//! [`global_words_from`] exist per state, the others once). [`ThreadField`]s are in `ThreadConfig`
//! (16-bit words per thread).
//!
//! A row has the place on Wormhole B0, and after `|` that on Blackhole if it differs; `-` means
//! that the chip does not have the field. [`Field::place_on`] returns the place on a chip.
//!
//! Source: ISA documentation, `BackendConfiguration.md`, for the meaning; ttsim's
//! `tensix_regs.json` for the places. Omitted: clock gating, performance counters, and the bias
//! counter fields of ADDR_MOD_AB, which are undocumented.

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

/// Returns the first word that REG2FLOP can write; the last one is below [`global_words_from`].
pub const fn thcon_words_from(arch: Arch) -> u32 {
    match arch {
        Arch::WormholeB0 => 52,
        Arch::Blackhole => 64,
    }
}

/// One dimension of a family of fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dim {
    /// Number of members.
    pub count: u32,
    /// Distance of members in bits.
    pub step: u32,
}

/// The place of a field on a chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldPlace {
    bit: u32,
    width: u32,
    dims: &'static [Dim],
}

impl FieldPlace {
    /// Returns the place of a family member, if it exists.
    #[inline]
    const fn nth(self, index: u32) -> Option<FieldPlace> {
        let [dim, rest @ ..] = self.dims else {
            panic!("the field has no free dimension")
        };
        if index >= dim.count {
            return None;
        }
        Some(FieldPlace {
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

    /// Returns the largest value of the field.
    pub const fn max(self) -> u32 {
        u32::MAX >> (32 - self.width)
    }

    /// Returns the mask of the field in its word.
    pub const fn mask(self) -> u32 {
        self.max() << self.shift()
    }

    /// Extracts the field from its word.
    pub const fn get(self, word: u32) -> u32 {
        word >> self.shift() & self.max()
    }

    /// Returns `value` at the field's place; other bits are zero.
    ///
    /// # Panics
    /// If `value` does not fit: a mistake in the calling code.
    pub const fn encode(self, value: u32) -> u32 {
        assert!(value <= self.max(), "the value does not fit the field");
        value << self.shift()
    }

    /// Returns the free dimensions.
    pub const fn dims(self) -> &'static [Dim] {
        self.dims
    }
}

/// A configuration field, or a family of them while it has free dimensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field<const THREAD: bool> {
    /// The vendor's name, `{}` for indices.
    pub name: &'static str,
    /// The places by chip.
    places: [Option<FieldPlace>; 2],
}

/// A field of `Config`.
pub type ConfigField = Field<false>;
/// A field of `ThreadConfig`.
pub type ThreadField = Field<true>;

impl<const THREAD: bool> Field<THREAD> {
    /// Fixes the first free dimension. On a chip with fewer members, the result does not exist.
    ///
    /// # Panics
    /// If there is no free dimension, or `index` is beyond it on both chips: a mistake in the
    /// calling code.
    pub const fn nth(self, index: u32) -> Self {
        const fn member(place: Option<FieldPlace>, index: u32) -> Option<FieldPlace> {
            match place {
                Some(place) => place.nth(index),
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

    /// Returns the place of a family member on a chip, if it exists. Equivalent to [`Field::nth`]
    /// for each dimension followed by [`Field::place_on`], but faster.
    ///
    /// # Panics
    /// If the chip's family has fewer dimensions: a mistake in the calling code.
    #[inline]
    pub fn member<const N: usize>(&self, arch: Arch, indices: [u32; N]) -> Option<FieldPlace> {
        let family = self.places[arch as usize];
        indices
            .into_iter()
            .fold(family, |place, index| place?.nth(index))
    }

    /// Returns the place of the field on a chip, if it exists.
    pub const fn place_on(&self, arch: Arch) -> Option<FieldPlace> {
        self.places[arch as usize]
    }
}

#[cfg(test)]
mod tests;
