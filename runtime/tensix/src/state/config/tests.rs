use super::*;

/// Reads by an unpacker of words that also hold packer fields are recorded separately from reads by
/// packers.
#[test]
fn fields_of_unpackers_in_words_of_packers() {
    let four_bits = cfg::THCON_REG1_Unp_LF8_4b_exp.nth(1);
    let format = cfg::THCON_PACK_Pack_L1_Acc.nth(1).nth(0);
    for (arch, changed_field, read_field, meets) in [
        (Arch::Blackhole, format, four_bits, None),
        (Arch::Blackhole, four_bits, format, None),
        (Arch::Blackhole, format, format, Some(119)),
        (Arch::Blackhole, four_bits, four_bits, Some(119)),
        (Arch::WormholeB0, format, format, Some(99)),
    ] {
        let mut config = Config::new(arch);
        let place = changed_field.place_on(arch).unwrap();
        let mut changed = WordSet::default();
        let (value, mask) = (place.mask(), u32::MAX);
        config
            .write(0, place.addr32(), value, mask, &mut changed)
            .unwrap();
        config.take_reads();
        config.get(0, read_field);
        let met = config.take_reads().first_common(&changed);
        assert_eq!(met.map(word_of), meets, "{arch}, {}", read_field.name);
        config.word(0, place.addr32());
        let met = config.take_reads().first_common(&changed);
        assert_eq!(met.map(word_of), Some(place.addr32()), "{arch}");
    }
}

#[test]
fn two_states_and_common_words() {
    let mut c = Config::new(Arch::WormholeB0);
    let mut changed = WordSet::default();
    let mut write = |c: &mut Config, thread, word, value, mask| {
        c.write(thread, word, value, mask, &mut changed).unwrap()
    };
    write(&mut c, 0, 64, 0x1234_5678, u32::MAX);
    c.write_thread(1, 0, 1).unwrap();
    assert_eq!(
        (c.word(0, 64), c.word(1, 64), c.word(2, 64)),
        (0x1234_5678, 0, 0x1234_5678)
    );
    write(&mut c, 1, 64, 0xff00, 0xff00);
    write(&mut c, 1, 152, 7, u32::MAX);
    assert_eq!(
        (c.word(0, 64), c.word(1, 64), c.word(0, 152)),
        (0x1234_5678, 0xff00, 7)
    );
}

/// Each chip has its own position of a field; a field that a chip lacks is 0.
#[test]
fn chips() {
    let fields = [
        (cfg::THCON_REG2_Out_data_format.nth(1), [100, 120]),
        (cfg::DEST_TARGET_REG_CFG_PACK_Offset.nth(0), [152, 180]),
    ];
    for (arch, k) in [(Arch::WormholeB0, 0), (Arch::Blackhole, 1)] {
        let mut c = Config::new(arch);
        for (field, words) in fields {
            c.set(2, field, 9).unwrap();
            assert_eq!((c.get(2, field), c.word(2, words[k])), (9, 9), "{arch}");
        }
        c.set_thread(1, cfg::FIDELITY_BASE_Phase, 3).unwrap();
        assert_eq!(c.thread_word(1, [6, 11][k]), 3, "{arch}");
        assert_eq!(c.thread(1, cfg::FIDELITY_BASE_Phase), 3, "{arch}");
    }
    let mut c = Config::new(Arch::WormholeB0);
    assert_eq!(c.get(0, cfg::DEST_ACCESS_CFG_remap_addrs), 0);
    c.write_thread(0, 2, 1).unwrap();
    assert_eq!(c.thread(0, cfg::DISABLE_IMPLIED_SRCA_FMT_Base), 0);
    let mut c = Config::new(Arch::Blackhole);
    let words = &mut WordSet::default();
    assert!(c.write(0, 223, 1, 1, words).is_ok() && c.write(0, 224, 1, 1, words).is_err());
    for (value, mask, source) in [
        (1, 1, Some('a')),
        (0xE, 0xE, Some('b')),
        (0xFC, 0xFF, None),
        (3, 4, None),
    ] {
        let written = c
            .write(0, 221, value, mask, words)
            .map_err(|fault| fault.to_string());
        let refusal = source.map_or(Ok(()), |source| {
            Err(format!(
                "not modelled: SRC_ACCESS_CFG_math_view_src{source}_as_one_bank = 1, by which the \
                 matrix unit sees two banks as one; clear it"
            ))
        });
        assert_eq!(written, refusal, "{value:#x}, {mask:#x}");
    }
    assert!(c.write_thread(0, 67, 1).is_ok() && c.write_thread(0, 68, 1).is_err());
}

#[test]
fn reads_and_changes_are_noted() {
    let mut c = Config::new(Arch::WormholeB0);
    c.get(0, cfg::THCON_REG3_Base_address.nth(1).nth(0));
    let reads = c.take_reads();
    let changed = |c: &mut Config, word, value| {
        let mut set = WordSet::default();
        c.write(0, word, value, u32::MAX, &mut set).unwrap();
        set
    };
    assert_eq!(reads.first_common(&changed(&mut c, 64, 1)), None);
    assert_eq!(reads.first_common(&changed(&mut c, 104, 1)), Some(104));
    assert_eq!(reads.first_common(&changed(&mut c, 104, 1)), None);
    assert_eq!(c.take_reads(), WordSet::default());
}

#[test]
fn refusals() {
    let mut c = Config::new(Arch::WormholeB0);
    let mut set = WordSet::default();
    let mut text = |word| c.write(0, word, 1, 1, &mut set).unwrap_err().to_string();
    assert_eq!(
        text(188),
        "undefined behaviour: configuration has words 0 to 187, not 188"
    );
    assert_eq!(
        text(4),
        "not modelled: resetting a configuration state by writing STATE_RESET_EN"
    );
    assert_eq!(
        c.write_thread(0, 57, 0).unwrap_err().to_string(),
        "undefined behaviour: thread configuration has words 0 to 56, not 57"
    );
    assert_eq!(
        c.set(0, cfg::DEST_ACCESS_CFG_remap_addrs, 1)
            .unwrap_err()
            .to_string(),
        "undefined behaviour: the field DEST_ACCESS_CFG_remap_addrs, which wormhole_b0 has not"
    );
}
