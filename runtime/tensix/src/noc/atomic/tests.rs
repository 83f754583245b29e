use super::*;

/// Returns the four words 0, 5, 9 and 0xffffffff after an operation, or its error.
fn after(arch: Arch, fields: u32, data: u32) -> Result<[u32; 4], String> {
    let atomic = Atomic::from_registers(fields, data, arch).map_err(|fault| fault.to_string())?;
    let mut bytes: Vec<u8> = [0u32, 5, 9, u32::MAX]
        .iter()
        .flat_map(|w| w.to_le_bytes())
        .collect();
    let (start, length) = atomic.place();
    atomic.apply(&mut bytes[start as usize..(start + length) as usize]);
    let word = |k: usize| little_endian(&bytes[4 * k..4 * k + 4]);
    Ok([0, 1, 2, 3].map(word))
}

#[test]
fn operations() {
    const M: u32 = u32::MAX;
    let both = [
        // Increments of 32 bits and of three, which do not carry on.
        (0x107d, 7, [0, 12, 9, M]),
        (0x100b, 7, [0, 5, 9, M - 1]),
        // Compares with 5 or 4, sets to 3.
        (0x40d5, 0, [0, 3, 9, M]),
        (0x40d1, 0, [0, 5, 9, M]),
        // Swaps, also of the first and of the last half.
        (0x6006, 8, [0, 5, 8, M]),
        (0x700c, 8, [0, 5, 9, 8]),
        (0x3000 | 0x81 << 2, 0xaaaa_bbbb, [0xbbbb, 5, 9, 0xaaaa_ffff]),
    ];
    for (fields, data, expect) in both {
        for arch in Arch::ALL {
            assert_eq!(after(arch, fields, data), Ok(expect), "{fields:#x}");
        }
    }
    let blackhole = [
        (0xa302, 8, [0, 5, 8, M]),
        (0xa801, 7, [0, 12, 9, M]),
        (0xa901, 7, [0, 2, 9, M]),
        (0xaa01, 2, [0, 7, 9, M]),
        (0xab01, 6, [0, 4, 9, M]),
        (0xac03, 1, [0, 5, 9, M]),
        (0xad03, 1, [0, 5, 9, 1]),
        (0xae03, 1, [0, 5, 9, 1]),
        (0xaf03, 1, [0, 5, 9, M]),
    ];
    for (fields, data, expect) in blackhole {
        assert_eq!(
            after(Arch::Blackhole, fields, data),
            Ok(expect),
            "{fields:#x}"
        );
        assert_eq!(
            after(Arch::WormholeB0, fields, data).unwrap_err(),
            format!(
                "not modelled: NOC_AT_LEN_BE {fields:#x} of an atomic NoC request; increments, \
                 swaps and compare-and-swaps are"
            )
        );
    }
    for fields in [0, 0x6002, 0x9000, 0x1080, 0xa002, 0x1_107c] {
        let refused = after(Arch::Blackhole, fields, 0).unwrap_err();
        assert!(
            refused.ends_with("swaps, compare-and-swaps and the operations of Zaamo are"),
            "{refused}"
        );
    }
}
