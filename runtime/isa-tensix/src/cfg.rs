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

/// Words of `Config` per state.
pub const fn config_words(arch: Arch) -> usize {
    match arch {
        Arch::WormholeB0 => 188,
        Arch::Blackhole => 224,
    }
}

/// Words of `ThreadConfig` per thread.
pub const fn thread_words(arch: Arch) -> usize {
    match arch {
        Arch::WormholeB0 => 57,
        Arch::Blackhole => 68,
    }
}

/// Words of `Config` from here on are common to both states.
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
    /// The member of a family, if there is one.
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

    /// The configuration word that holds the field.
    pub const fn addr32(self) -> u32 {
        assert!(self.dims.is_empty(), "the field has a free dimension");
        self.bit / 32
    }

    /// The field's lowest bit in its word.
    pub const fn shift(self) -> u32 {
        self.bit % 32
    }

    /// The field's width in bits.
    pub const fn width(self) -> u32 {
        self.width
    }

    /// The largest value the field holds.
    pub const fn max(self) -> u32 {
        u32::MAX >> (32 - self.width)
    }

    /// The bits of the word that the field covers.
    pub const fn mask(self) -> u32 {
        self.max() << self.shift()
    }

    /// The field's value in its word.
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

    /// The dimensions that are still free.
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

    /// Where a chip has a member of a family, if it does: what [`Field::at`] for each dimension and
    /// [`Field::on`] give, but it takes less time.
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

    /// Where a chip has the field, if it does.
    pub const fn on(&self, arch: Arch) -> Option<Place> {
        self.places[arch as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The places of every member of a family.
    fn members(place: Place, out: &mut Vec<Place>) {
        match place.dims() {
            [] => out.push(place),
            [dim, ..] => (0..dim.count).for_each(|i| members(place.at(i).unwrap(), out)),
        }
    }

    fn check_disjoint<const T: bool>(arch: Arch, all: &[Field<T>], words: usize, bits: u32) {
        let mut used = vec![0u32; words];
        for family in all {
            let mut places = Vec::new();
            if let Some(place) = family.on(arch) {
                members(place, &mut places);
            }
            for place in places {
                let name = family.name;
                assert!(
                    place.shift() + place.width() <= bits,
                    "{name} leaves its word"
                );
                let word = &mut used[place.addr32() as usize];
                assert_eq!(*word & place.mask(), 0, "{name} overlaps");
                *word |= place.mask();
            }
        }
    }

    #[test]
    fn fields_are_disjoint() {
        for arch in Arch::ALL {
            check_disjoint(arch, CONFIG_FIELDS, config_words(arch), 32);
            check_disjoint(arch, THREAD_FIELDS, thread_words(arch), 16);
        }
    }

    /// Last members of families, at the places the vendor gives them on Wormhole B0 and on
    /// Blackhole.
    #[test]
    fn places() {
        let place = |f: ConfigField, arch| f.on(arch).map(|f| (f.addr32(), f.shift(), f.width()));
        let cases = [
            (
                THCON_REG3_Base_address.at(1).at(0),
                (104, 0, 32),
                (124, 0, 32),
            ),
            (
                THCON_REG3_Base_address.at(0).at(7),
                (71, 0, 32),
                (83, 0, 32),
            ),
            (
                THCON_REG5_Dest_address.at(0).at(3),
                (73, 16, 16),
                (85, 16, 16),
            ),
            (
                THCON_REG5_Tile_x_dim.at(1).at(1),
                (114, 16, 16),
                (134, 16, 16),
            ),
            (
                THCON_REG7_Unpack_out_data_format.at(1).at(3),
                (123, 20, 4),
                (143, 20, 4),
            ),
            (
                THCON_REG2_Shift_amount.at(1).at(3),
                (100, 28, 4),
                (120, 28, 4),
            ),
            (
                THCON_PACK_L1_Dest_addr.at(0).at(1),
                (85, 0, 32),
                (97, 0, 32),
            ),
            (
                THCON_PACK_Pack_L1_Acc.at(1).at(1),
                (127, 21, 1),
                (147, 19, 1),
            ),
            (
                THCON_REG9_Pack_fifo_size.at(1).at(1),
                (131, 0, 17),
                (151, 0, 17),
            ),
            (UNP_ADDR_CTRL_Zstride.at(1).at(1), (47, 0, 12), (59, 0, 16)),
            (UNP_ADDR_CTRL_Zstride.at(0).at(1), (45, 0, 12), (57, 0, 16)),
            (UNP_ADDR_BASE.at(1).at(1), (48, 16, 16), (61, 0, 18)),
            (PCK0_ADDR_CTRL_Wstride.at(1), (11, 12, 16), (15, 16, 16)),
            (TILE_FACE_SET_MAPPING.at(3).at(15), (35, 30, 2), (39, 30, 2)),
            (
                PACK_COUNTERS_pack_reads_per_xy_plane.at(3),
                (27, 8, 8),
                (31, 8, 8),
            ),
            (
                DEST_TARGET_REG_CFG_PACK_Offset.at(3),
                (155, 0, 12),
                (183, 0, 12),
            ),
        ];
        for (field, wormhole, blackhole) in cases {
            let both = [Arch::WormholeB0, Arch::Blackhole].map(|arch| place(field, arch));
            assert_eq!(both, [Some(wormhole), Some(blackhole)], "{}", field.name);
        }
        for (field, blackhole) in [
            (UNP_NOP_REG_CLR_VAL.at(1), (63, 0, 32)),
            (RISC_DEST_ACCESS_CTRL_fmt.at(2), (3, 26, 3)),
            (THCON_REG1_Pac_LF8_4b_exp.at(1), (119, 23, 1)),
            (
                THCON_PACK_Auto_set_last_pacr_intf_sel.at(1).at(1),
                (146, 13, 1),
            ),
            (SCRATCH_val.at(2), (211, 0, 32)),
        ] {
            let both = [Arch::WormholeB0, Arch::Blackhole].map(|arch| place(field, arch));
            assert_eq!(both, [None, Some(blackhole)], "{}", field.name);
        }
        let place = |f: ThreadField, arch| f.on(arch).map(|f| (f.addr32(), f.shift(), f.width()));
        for (field, wormhole, blackhole) in [
            (
                ADDR_MOD_AB_SrcBClear.at(7),
                Some((21, 15, 1)),
                Some((19, 15, 1)),
            ),
            (
                ADDR_MOD_DST_FidelityIncr.at(7),
                Some((30, 13, 2)),
                Some((35, 13, 2)),
            ),
            (ADDR_MOD_PACK_ZdstClear.at(7), Some((38, 15, 1)), None),
            (
                ADDR_MOD_PACK_ZdstClear.at(3),
                Some((34, 15, 1)),
                Some((40, 15, 1)),
            ),
            (
                UNPACK_MISC_CFG_CfgContextOffset.at(1),
                Some((39, 8, 4)),
                Some((41, 8, 4)),
            ),
            (DISABLE_IMPLIED_SRCB_FMT_Base, None, Some((3, 0, 1))),
        ] {
            let both = [Arch::WormholeB0, Arch::Blackhole].map(|arch| place(field, arch));
            assert_eq!(both, [wormhole, blackhole], "{}", field.name);
        }
    }

    #[test]
    fn put_and_get() {
        let field = ALU_FORMAT_SPEC_REG0_SrcA.on(Arch::WormholeB0).unwrap();
        assert_eq!(field.put(5), 5 << 17);
        assert_eq!(field.get(0xffff_ffff), 15);
        let word = THCON_REG0_TileDescriptor.at(0).at(0);
        assert_eq!(word.on(Arch::Blackhole).unwrap().mask(), u32::MAX);
    }
}
