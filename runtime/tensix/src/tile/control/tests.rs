use tessera_isa_tensix::Arch;

use super::*;

#[test]
fn resets() {
    let mut c = Control::new(Arch::WormholeB0, TileKind::Tensix, 0b00001);
    let config = Config::new(Arch::WormholeB0);
    assert_eq!(c.load(map::SOFT_RESET, &config), Ok(0x47000));
    let change = c.store_reset(0x43800).unwrap();
    assert_eq!((change.entered, change.left), (0b00001, 0b01000));
    assert!(c.is_in_reset(0) && !c.is_in_reset(3));
    assert!(c.store_reset(0x1).is_err());
    let mut ethernet = Control::new(Arch::WormholeB0, TileKind::Ethernet, 0);
    assert_eq!(
        ethernet.store_reset(1).map(|change| change.left),
        Ok(0b00001)
    );
    assert!(ethernet.is_in_reset(4), "there is no such core");
}

#[test]
fn resets_of_blackhole() {
    let mut c = Control::new(Arch::Blackhole, TileKind::Tensix, 0);
    let config = Config::new(Arch::Blackhole);
    assert_eq!(
        c.store_reset(0x8004_7000).map(|change| change.left),
        Ok(0b00001)
    );
    assert!(c.store_reset(1 << 23).is_err());
    for (k, addr) in RESET_PC.into_iter().chain([NC_RESET_PC]).enumerate() {
        c.store(addr, 0x5000 + k as u32).unwrap();
    }
    assert!((0..5).all(|core| c.reset_pc(core).is_none() && c.resets_local(core)));
    c.store(RESET_PC_OVERRIDE, 0b101).unwrap();
    c.store(NC_RESET_PC_OVERRIDE, 1).unwrap();
    assert_eq!(
        [0, 1, 2, 3, 4].map(|core| c.reset_pc(core)),
        [None, Some(0x5000), None, Some(0x5002), Some(0x5003)]
    );
    // NC keeps its local memory, T0 its debugging registers.
    c.store(DISABLE_RESET, 1 << 8 | 1 << 1).unwrap();
    assert_eq!([1, 4].map(|core| c.resets_local(core)), [true, false]);
    assert_eq!(c.load(DISABLE_RESET, &config), Ok(1 << 8 | 1 << 1));
    assert!(c.load(DISABLE_RESET + 4 * KEPT as u32, &config).is_err());
    let mut wormhole = Control::new(Arch::WormholeB0, TileKind::Tensix, 0);
    assert!(wormhole.store(RESET_PC_OVERRIDE, 1).is_err() && !wormhole.resets_local(0));
}

#[test]
fn clock_and_configuration() {
    let mut c = Control::new(Arch::WormholeB0, TileKind::Tensix, 0);
    let config = Config::new(Arch::WormholeB0);
    c.tick(0xffff_ffff);
    assert_eq!(c.load(CLOCK_LOW, &config), Ok(0));
    assert_eq!(
        (c.load(CLOCK_KEPT, &config), c.load(CLOCK_HIGH, &config)),
        (Ok(1), Ok(1))
    );
    c.store(CONFIG_SELECT, 0xf800 | 376).unwrap();
    assert_eq!(
        c.load(CONFIG_DATA, &config).unwrap_err().to_string(),
        "not modelled: reading word 376 of configuration for debugging; there are 376"
    );
    c.store(CONFIG_SELECT, 375).unwrap();
    assert_eq!(c.load(CONFIG_DATA, &config), Ok(0));
    assert_eq!(
        (
            c.store(FEATURE_DISABLE, 0),
            c.load(FEATURE_DISABLE, &config)
        ),
        (Ok(()), Ok(0))
    );
    assert_eq!(
        c.store(FEATURE_DISABLE, 1 << 11).unwrap_err().to_string(),
        "not modelled: disabling features 0x800 for debugging (RISCV_DEBUG_REG_DBG_FEATURE_DISABLE)"
    );
    assert_eq!(
        c.store(map::CONTROL, 0).unwrap_err().to_string(),
        "not modelled: debug registers other than the soft reset, the clock and the reading of \
         configuration (0xffb12000)"
    );
}
