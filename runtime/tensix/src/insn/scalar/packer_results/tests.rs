use super::*;
use crate::arith::spec::packer::DatumKind;
use crate::testing::{Bench, THREAD};

/// Returns a bench in which packer 2 has seen exponents 128 (three times), 130 and 31; it packs
/// BFP4, uncompressed.
fn bench() -> Bench {
    let mut bench = Bench::new();
    let datums = [0x4000_0000, 0x4000_0001, 0xC000_0000, 0x4100_0000, 31 << 23];
    for packer in [0, 2] {
        bench.core.regs.packers[packer]
            .histogram
            .update(DatumKind::Exponent8, &datums, true);
    }
    bench.set(of_packer(cfg::THCON_PACK_Out_data_format, 2), 7);
    bench.set(of_packer(cfg::THCON_PACK_Disable_zero_compress, 2), 1);
    (8..12).for_each(|k| bench.core.gprs[THREAD].set(k, 0xABCD_EF00 + k));
    bench
}

#[test]
fn results_go_to_gprs() {
    let select = |packers: u32, source: u32, half: u32| packers << 7 | source << 3 | half;
    // Size, selection, half of a GPR; GPRs 8 to 11.
    let old = [8, 9, 10, 11].map(|k| 0xABCD_EF00 + k);
    for (size, selection, target, expect) in [
        (
            1,
            select(2, 6, 0),
            18,
            [old[0], 0x0001_0003, old[2], old[3]],
        ),
        (
            0,
            select(2, 6, 1),
            17,
            [0x0001_EF08, old[1], old[2], old[3]],
        ),
        (2, select(2, 7, 0), 18, [0, 0, 0, 0x0100_0000]),
        (1, select(0, 9, 0), 22, [old[0], old[1], old[2], 130]),
        (2, select(0, 10, 0), 16, [0; 4]),
        (
            1,
            select(0, 4, 2),
            16,
            [7 << 16 | 1 << 20, old[1], old[2], old[3]],
        ),
        (
            0,
            select(0, 4, 3),
            16,
            [0xABCD_0017, old[1], old[2], old[3]],
        ),
    ] {
        let mut bench = bench();
        let text = format!("ttsetdmareg {size}, {selection}, 1, {target}");
        bench.run(&text);
        let gprs = [8, 9, 10, 11].map(|k| bench.core.gprs[THREAD].get(k).unwrap());
        assert_eq!(gprs, expect, "{text}");
    }
}

#[test]
fn refusals() {
    for (size, source, word) in [(1, 0, 0), (2, 1, 0), (1, 2, 0), (0, 8, 0), (3, 5, 0)] {
        bench().refuses(
            &format!("ttsetdmareg {size}, {}, 1, 16", source << 3),
            &format!(
                "undefined behaviour: SETDMAREG of word {word} of the packers' results {source}, a \
                 tile size or zero flags, which have no documented value"),
        );
    }
}
