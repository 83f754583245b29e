use super::*;

#[test]
fn writes_and_reads_across_chunks() {
    let mut d = Dram::new(Arch::WormholeB0);
    let data: Vec<u8> = (0..9000u32).map(|i| i as u8).collect();
    d.write(11, 4000, &data).unwrap();
    let mut out = vec![0; 9000];
    d.read(11, 4000, &mut out).unwrap();
    assert_eq!(out, data);
}

#[test]
fn jobs_do_not_see_each_other() {
    for workers in [0, 1, 4] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(workers).build();
        let pool = pool.ok().filter(|_| workers > 0);
        let mut d = Dram::new(Arch::WormholeB0);
        d.write(0, 0, &[9; 4 * GRANULE]).unwrap();
        // Each job writes a piece; it reads the previous content of the other pieces.
        let results = d.run_isolated(4, pool.as_ref(), |number, dram| {
            dram.write(0, (number * GRANULE) as u64, &[number as u8; GRANULE])
                .unwrap();
            dram.write(1, (number * GRANULE) as u64, &[number as u8; GRANULE])
                .unwrap();
            let mut out = [0; 4 * GRANULE];
            dram.read(0, 0, &mut out).unwrap();
            let others = out.iter().filter(|byte| **byte == 9).count();
            assert_eq!(others, 3 * GRANULE);
            assert!(dram.read(1, 0, &mut out).is_err());
            if number == 2 {
                Err(number)
            } else {
                Ok(number)
            }
        });
        assert_eq!(results, [Ok(0), Ok(1), Err(2)]);
        let mut out = [0; 4 * GRANULE];
        d.read(0, 0, &mut out).unwrap();
        let expect = [0, 1, 2, 9].map(|byte| [byte; GRANULE]);
        assert_eq!(out, expect.as_flattened());
        assert!(
            d.read(1, 0, &mut out).is_err(),
            "the last job is not counted"
        );
        d.read(1, 0, &mut out[..3 * GRANULE]).unwrap();
    }
}

#[test]
fn zeros_where_nothing_was_written() {
    let mut d = Dram::zeroed(Arch::WormholeB0);
    d.write(0, 64, &[9]).unwrap();
    let mut out = [7; 80];
    d.read(0, 0, &mut out).unwrap();
    let count = |byte: u8| out.iter().filter(|&&b| b == byte).count();
    assert_eq!((out[64], count(0)), (9, 79));
    d.read(3, 1 << 20, &mut out).unwrap();
    assert_eq!(out, [0; 80]);
}

#[test]
fn refusals() {
    let mut d = Dram::new(Arch::WormholeB0);
    d.write(0, 64, &[0; 64]).unwrap();
    let mut out = [0; 64];
    let mut text = |bank, offset| d.read(bank, offset, &mut out).unwrap_err().to_string();
    assert_eq!(
        text(12, 0),
        "there is no DRAM bank 12; wormhole_b0 has banks 0 to 11"
    );
    assert_eq!(text(1, 0), "DRAM bank 1 was never written at 0x0");
    assert_eq!(text(0, 96), "DRAM bank 0 was never written at 0x80");
    assert_eq!(
        text(0, 0x3fff_ffff),
        "DRAM bank 0 ends at 0x40000000; 64 bytes at 0x3fffffff do not fit"
    );
    assert!(d.write(0, u64::MAX, &[0]).is_err());
}
