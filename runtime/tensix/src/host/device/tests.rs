use super::*;

/// Accesses from outside a tile do not wait until TDMA-RISC has room for a fifth command.
#[test]
fn busy_units_do_not_block_the_host() {
    let mut device = Device::new(Arch::WormholeB0, 0);
    let command = 0x8000_0000_u32 | 0x89;
    let at = (1, 1);
    let mut store = || device.write(at, (map::TDMA + 0x10).into(), &command.to_le_bytes());
    for _ in 0..4 {
        store().unwrap();
    }
    let refused = store().unwrap_err().to_string();
    assert!(
        refused.ends_with(
            "not modelled: waiting for 0xffb11010 from outside the tile; let a core do that"
        ),
        "{refused}"
    );
}
