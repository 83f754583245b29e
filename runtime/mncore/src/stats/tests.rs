use super::*;

fn stats(source: &str) -> Stats {
    let program = tessera_isa_mncore::parse(source).expect(source);
    let mut stats = Stats::new(Geometry::BOARD);
    stats.add(&program.statements);
    stats
}

#[test]
fn peak_rates_are_those_of_the_manual() {
    // Per step of the board: 2 to the power of 20, 18, 17, 15 for matrices.
    for (source, kind, precision, expect) in [
        ("hmmul $lx $lm0v $llr0v", 0, 0, 1 << 20),
        ("gmfma $lx $lm0v $lr0v $lr0v", 0, 1, 1 << 18),
        ("fmmul $lx $lm0v $lr0v", 0, 2, 1 << 17),
        ("dmmulu $lx $lm0v $lr0v", 0, 3, 1 << 15),
        ("hvmul $lm0v $lr0v $llr0v", 1, 0, 1 << 16),
        ("fvfma $lm0v $lr0v $ls0v $lr0v", 1, 2, 1 << 15),
        ("dvmuld $lm0v $lr0v $lr0v", 1, 3, 1 << 13),
    ] {
        let found = stats(source);
        assert_eq!(found.products[kind][precision], expect, "{source}");
        assert_eq!(
            found.products.iter().flatten().sum::<u64>(),
            expect,
            "{source}"
        );
    }
    assert_eq!(stats("fvadd $lm0v $lr0v $lr0v").products, [[0; 4]; 2]);
}

#[test]
fn printed() {
    let found = stats(
        "mvp/n640i01 $p0@0 $lc0@0.0\nmvp/n64i02 $d0 $lc0@.1\nnop; wait i01\nl2bmb $lc0 \
         $lb0\nnop/2\nhmmul $lx $lm0v $llr0v; hmwrite $lln0v $lly0\nlinc $ls0v $ls0v; l1bmrdfadd \
         $lr8v $lb64; noforward\n",
    );
    let expect = "\
steps: 6
  mau-calc: 1 of them, 16.7 %
  mau-mwrite: 1 of them, 16.7 %
  alu: 1 of them, 16.7 %
  l1bm: 1 of them, 16.7 %
  l2bm: 1 of them, 16.7 %
  nothing: 3 of them, 50.0 %
matrix multiply-adds in half precision: 1048576 (1.4, all MAB)
mvp: transfers 1, long words 640, cycles 40 at its throughput (3.5.8.4)
mvp: transfers 1, long words 64, cycles 4 at its throughput (3.5.8.11)
cycles of the steps: 24 (four each, 1.2)
estimated cycles: 64 (transfers one after the other at the throughput of 3.5.8, waits hold the steps; latency and contention are not documented)
  MAU arithmetic: 4 of them, 6.2 %
  MV transfers: 44 of them, 68.8 %
";
    assert_eq!(found.to_string(), expect);
    assert_eq!(
        stats("").to_string().lines().next(),
        Some("steps: 0"),
        "no division by zero"
    );
}
