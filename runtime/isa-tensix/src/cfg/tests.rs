use super::*;

/// The places of every member of a family.
fn members(place: FieldPlace, out: &mut Vec<FieldPlace>) {
    match place.dims() {
        [] => out.push(place),
        [dim, ..] => (0..dim.count).for_each(|i| members(place.nth(i).unwrap(), out)),
    }
}

fn check_disjoint<const T: bool>(arch: Arch, all: &[Field<T>], words: usize, bits: u32) {
    let mut used = vec![0u32; words];
    for family in all {
        let mut places = Vec::new();
        if let Some(place) = family.place_on(arch) {
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
    let place = |f: ConfigField, arch| f.place_on(arch).map(|f| (f.addr32(), f.shift(), f.width()));
    let cases = [
        (
            THCON_REG3_Base_address.nth(1).nth(0),
            (104, 0, 32),
            (124, 0, 32),
        ),
        (
            THCON_REG3_Base_address.nth(0).nth(7),
            (71, 0, 32),
            (83, 0, 32),
        ),
        (
            THCON_REG5_Dest_address.nth(0).nth(3),
            (73, 16, 16),
            (85, 16, 16),
        ),
        (
            THCON_REG5_Tile_x_dim.nth(1).nth(1),
            (114, 16, 16),
            (134, 16, 16),
        ),
        (
            THCON_REG7_Unpack_out_data_format.nth(1).nth(3),
            (123, 20, 4),
            (143, 20, 4),
        ),
        (
            THCON_REG2_Shift_amount.nth(1).nth(3),
            (100, 28, 4),
            (120, 28, 4),
        ),
        (
            THCON_PACK_L1_Dest_addr.nth(0).nth(1),
            (85, 0, 32),
            (97, 0, 32),
        ),
        (
            THCON_PACK_Pack_L1_Acc.nth(1).nth(1),
            (127, 21, 1),
            (147, 19, 1),
        ),
        (
            THCON_REG9_Pack_fifo_size.nth(1).nth(1),
            (131, 0, 17),
            (151, 0, 17),
        ),
        (
            UNP_ADDR_CTRL_Zstride.nth(1).nth(1),
            (47, 0, 12),
            (59, 0, 16),
        ),
        (
            UNP_ADDR_CTRL_Zstride.nth(0).nth(1),
            (45, 0, 12),
            (57, 0, 16),
        ),
        (UNP_ADDR_BASE.nth(1).nth(1), (48, 16, 16), (61, 0, 18)),
        (PCK0_ADDR_CTRL_Wstride.nth(1), (11, 12, 16), (15, 16, 16)),
        (
            TILE_FACE_SET_MAPPING.nth(3).nth(15),
            (35, 30, 2),
            (39, 30, 2),
        ),
        (
            PACK_COUNTERS_pack_reads_per_xy_plane.nth(3),
            (27, 8, 8),
            (31, 8, 8),
        ),
        (
            DEST_TARGET_REG_CFG_PACK_Offset.nth(3),
            (155, 0, 12),
            (183, 0, 12),
        ),
    ];
    for (field, wormhole, blackhole) in cases {
        let both = [Arch::WormholeB0, Arch::Blackhole].map(|arch| place(field, arch));
        assert_eq!(both, [Some(wormhole), Some(blackhole)], "{}", field.name);
    }
    for (field, blackhole) in [
        (UNP_NOP_REG_CLR_VAL.nth(1), (63, 0, 32)),
        (RISC_DEST_ACCESS_CTRL_fmt.nth(2), (3, 26, 3)),
        (THCON_REG1_Pac_LF8_4b_exp.nth(1), (119, 23, 1)),
        (
            THCON_PACK_Auto_set_last_pacr_intf_sel.nth(1).nth(1),
            (146, 13, 1),
        ),
        (SCRATCH_val.nth(2), (211, 0, 32)),
    ] {
        let both = [Arch::WormholeB0, Arch::Blackhole].map(|arch| place(field, arch));
        assert_eq!(both, [None, Some(blackhole)], "{}", field.name);
    }
    let place = |f: ThreadField, arch| f.place_on(arch).map(|f| (f.addr32(), f.shift(), f.width()));
    for (field, wormhole, blackhole) in [
        (
            ADDR_MOD_AB_SrcBClear.nth(7),
            Some((21, 15, 1)),
            Some((19, 15, 1)),
        ),
        (
            ADDR_MOD_DST_FidelityIncr.nth(7),
            Some((30, 13, 2)),
            Some((35, 13, 2)),
        ),
        (ADDR_MOD_PACK_ZdstClear.nth(7), Some((38, 15, 1)), None),
        (
            ADDR_MOD_PACK_ZdstClear.nth(3),
            Some((34, 15, 1)),
            Some((40, 15, 1)),
        ),
        (
            UNPACK_MISC_CFG_CfgContextOffset.nth(1),
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
    let field = ALU_FORMAT_SPEC_REG0_SrcA
        .place_on(Arch::WormholeB0)
        .unwrap();
    assert_eq!(field.encode(5), 5 << 17);
    assert_eq!(field.get(0xffff_ffff), 15);
    let word = THCON_REG0_TileDescriptor.nth(0).nth(0);
    assert_eq!(word.place_on(Arch::Blackhole).unwrap().mask(), u32::MAX);
}
