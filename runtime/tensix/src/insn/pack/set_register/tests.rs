use super::*;
use crate::testing::Bench;

fn bench() -> Bench {
    let mut bench = Bench::new();
    bench.set(of_packer(cfg::THCON_PACK_Out_data_format, 0), 5);
    let set = &mut bench.core.regs.set_register;
    // Base 0: 0x4_0000 + 0x20; base 1: 0x28.
    set.set_bases(1 << 20 | 10 << 10 | 8);
    set.set_scalers(0, 3 << 18 | 0x1FF << 9 | 7);
    set.set_scalers(3, 9);
    bench
}

#[test]
fn stores() {
    for (text, format, address, value) in [
        (
            "ttpacr_setreg 1, 0, 5, 15, 1, 1, 0",
            4,
            0xFFB4_1020,
            5 + (35 << 12),
        ),
        (
            "ttpacr_setreg 1, 1, 1023, 15, 32, 1, 0",
            5,
            0xFFB2_0028,
            1023 + (((1023 * 0x1FF) & 0x1_FFFF) << 12),
        ),
        (
            "ttpacr_setreg 1, 0, 2, 15, 0, 1, 0",
            15,
            0xFFB4_0020,
            2 + (18 << 12),
        ),
    ] {
        let mut bench = bench();
        bench.set(of_packer(cfg::THCON_PACK_Out_data_format, 0), format);
        bench.run(text);
        assert_eq!(
            bench.core.request,
            Some(Request::Store { address, value }),
            "{text}"
        );
    }
}

#[test]
fn refusals() {
    bench().refuses(
        "ttpacr_setreg 1, 0, 5, 15, 1, 0, 0",
        "undefined behaviour: PACR_SETREG with operands other than push 1, pack_sel 15, flush 1, \
         last 0",
    );
    bench().refuses(
        "ttpacr_setreg 1, 1, 5, 15, 1, 1, 0",
        "undefined behaviour: accesses the register 0xffb01028; those from 0xffb11000 on can be",
    );
    Bench::new().refuses(
        "ttpacr_setreg 1, 0, 5, 15, 1, 1, 0",
        "undefined behaviour: PACR_SETREG before TDMA-RISC has been told its base addresses and \
         scalers",
    );
}
