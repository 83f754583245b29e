use super::*;

fn start() -> Rwc {
    Rwc {
        dst: Counter {
            value: 40,
            home: 32,
        },
        src_a: Counter {
            value: 20,
            home: 16,
        },
        src_b: Counter { value: 60, home: 8 },
        fidelity: 2,
        upper_modes: false,
        stack: 0,
    }
}

#[test]
fn address_modes() {
    use cfg::*;
    let ab = |f: ThreadField, v| part(f).encode(v);
    let rows: &[(&str, u32, u32, Rwc)] = &[
        ("nothing", 0, 0, start()),
        (
            "increments wrap",
            ab(ADDR_MOD_AB_SrcAIncr, 16) | ab(ADDR_MOD_AB_SrcBIncr, 8),
            ab(ADDR_MOD_DST_DestIncr, 0x3F8) | ab(ADDR_MOD_DST_FidelityIncr, 3),
            Rwc {
                dst: Counter {
                    value: 32,
                    home: 32,
                },
                src_a: Counter {
                    value: 36,
                    home: 16,
                },
                src_b: Counter { value: 4, home: 8 },
                fidelity: 1,
                ..start()
            },
        ),
        (
            "carriage returns",
            ab(ADDR_MOD_AB_SrcAIncr, 16) | ab(ADDR_MOD_AB_SrcACR, 1) | ab(ADDR_MOD_AB_SrcBCR, 1),
            ab(ADDR_MOD_DST_DestIncr, 8) | ab(ADDR_MOD_DST_DestCR, 1),
            Rwc {
                dst: Counter {
                    value: 40,
                    home: 40,
                },
                src_a: Counter {
                    value: 32,
                    home: 32,
                },
                src_b: Counter { value: 8, home: 8 },
                ..start()
            },
        ),
        (
            "counter to carriage return",
            0,
            ab(ADDR_MOD_DST_DestIncr, 8)
                | ab(ADDR_MOD_DST_DestCToCR, 1)
                | ab(ADDR_MOD_DST_DestCR, 1),
            Rwc {
                dst: Counter {
                    value: 48,
                    home: 48,
                },
                ..start()
            },
        ),
        (
            "clear wins",
            ab(ADDR_MOD_AB_SrcAIncr, 3)
                | ab(ADDR_MOD_AB_SrcAClear, 1)
                | ab(ADDR_MOD_AB_SrcACR, 1)
                | ab(ADDR_MOD_AB_SrcBClear, 1),
            ab(ADDR_MOD_DST_DestIncr, 8)
                | ab(ADDR_MOD_DST_DestClear, 1)
                | ab(ADDR_MOD_DST_FidelityClear, 1)
                | ab(ADDR_MOD_DST_FidelityIncr, 1),
            Rwc::default(),
        ),
    ];
    for &(name, ab, dst, expected) in rows {
        let mode = AddrMod::new([ab as u16, dst as u16, 0, 0]);
        let mut rwc = start();
        rwc.apply(mode, true);
        assert_eq!(rwc, expected, "{name}");
        let mut partial = start();
        partial.apply(mode, false);
        assert_eq!(
            partial,
            Rwc {
                fidelity: 2,
                ..expected
            },
            "{name}, fidelity left alone"
        );
    }
}

#[test]
fn bias_toggles_the_half_of_the_table() {
    let mut config = Config::new(Arch::WormholeB0);
    let set = |config: &mut Config, field: cfg::ThreadField, value: u32| {
        config.set_thread(0, field, value).unwrap();
    };
    set(&mut config, cfg::ADDR_MOD_DST_DestIncr.nth(1), 8);
    set(&mut config, cfg::ADDR_MOD_BIAS_BiasIncr.nth(1), 1);
    set(&mut config, cfg::ADDR_MOD_DST_DestIncr.nth(5), 100);
    set(&mut config, cfg::ADDR_MOD_BIAS_BiasClear.nth(5), 1);
    let mut rwc = Rwc::default();
    let mut step = |expected: u32| {
        rwc.apply(AddrMod::select(&config, 0, &rwc, 1).unwrap(), true);
        assert_eq!(rwc.dst.value, expected);
    };
    step(8);
    step(108);
    step(116);
    set(&mut config, cfg::ADDR_MOD_SET_Base, 1);
    rwc = Rwc::default();
    rwc.apply(AddrMod::select(&config, 0, &rwc, 1).unwrap(), true);
    assert_eq!(rwc.dst.value, 100);
}

#[test]
fn blackhole_names_eight_modes() {
    let mut config = Config::new(Arch::Blackhole);
    let mut set = |field, value| config.set_thread(0, field, value).unwrap();
    for mode in 0..8 {
        set(cfg::ADDR_MOD_DST_DestIncr.nth(mode), 10 + mode);
    }
    set(cfg::ADDR_MOD_BIAS_BiasIncr.nth(6), 1);
    set(cfg::ADDR_MOD_AB2_SrcBIncr.nth(7), 1);
    let select = |mode| AddrMod::select(&config, 0, &Rwc::default(), mode);
    for mode in 0..6 {
        let mut rwc = Rwc::default();
        rwc.apply(select(mode).unwrap(), true);
        assert_eq!(rwc.dst.value, 10 + mode);
    }
    for (mode, text) in [
        (
            6,
            "not modelled: address mode 6 with ADDR_MOD_BIAS_SEC6 = 0x1 on Blackhole; set it to 0",
        ),
        (
            7,
            "not modelled: address mode 7 with ADDR_MOD_AB2_SEC7 = 0x2 on Blackhole; set it to 0",
        ),
    ] {
        assert_eq!(select(mode).unwrap_err().to_string(), text);
    }
}

/// Assumptions of [`Rwc::apply`].
#[test]
fn entries_look_the_same() {
    for family in cfg::THREAD_FIELDS {
        let kinds = ["ADDR_MOD_AB_", "ADDR_MOD_DST_", "ADDR_MOD_BIAS_"];
        if kinds.iter().any(|kind| family.name.starts_with(kind)) {
            let places = Arch::ALL.map(|arch| family.nth(0).place_on(arch).unwrap());
            let [wormhole, blackhole] = places.map(|place| (place.shift(), place.width()));
            assert_eq!(wormhole, blackhole, "{}", family.name);
        }
    }
}

#[test]
fn setrwc() {
    let none = Setrwc {
        rwc_a: 5,
        rwc_b: 6,
        rwc_d: 7,
        ..Default::default()
    };
    let at = |value| Counter { value, home: value };
    let rows = [
        ("nothing selected", none, start()),
        (
            "sources and phase",
            Setrwc {
                bit_mask: 0b1011,
                ..none
            },
            Rwc {
                src_a: at(5),
                src_b: at(6),
                fidelity: 0,
                ..start()
            },
        ),
        (
            "relative to home",
            Setrwc {
                bit_mask: 0b0111,
                rwc_cr: 0b0111,
                ..none
            },
            Rwc {
                src_a: at(21),
                src_b: at(14),
                dst: at(39),
                ..start()
            },
        ),
        (
            "Dst set",
            Setrwc {
                bit_mask: 0b0100,
                ..none
            },
            Rwc {
                dst: at(7),
                ..start()
            },
        ),
        (
            "Dst counter to home, without selection",
            Setrwc {
                rwc_cr: 0b1100,
                ..none
            },
            Rwc {
                dst: at(47),
                ..start()
            },
        ),
    ];
    for (name, instruction, expected) in rows {
        let mut rwc = start();
        rwc.set(&instruction);
        assert_eq!(rwc, expected, "{name}");
    }
}

#[test]
fn incrwc() {
    let mut rwc = start();
    rwc.increment(&Incrwc {
        rwc_cr: 0b011,
        rwc_d: 8,
        rwc_b: 8,
        rwc_a: 4,
    });
    let expected = Rwc {
        dst: Counter {
            value: 48,
            home: 32,
        },
        src_a: Counter {
            value: 20,
            home: 20,
        },
        src_b: Counter {
            value: 16,
            home: 16,
        },
        ..start()
    };
    assert_eq!(rwc, expected);
    rwc.increment(&Incrwc {
        rwc_cr: 0b100,
        rwc_d: 8,
        rwc_b: 0,
        rwc_a: 0,
    });
    assert_eq!(
        rwc.dst,
        Counter {
            value: 40,
            home: 40
        }
    );
}
