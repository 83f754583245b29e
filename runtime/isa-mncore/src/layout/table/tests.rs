use super::*;

#[test]
fn tables_agree_with_the_layout() {
    for text in [
        "k:(h:4,p:4,a:4) n:(T:4,a:2,m:16) @LM0+5, rep(g,c,b)",
        "i[9000]:(w:2,a:5000) @DRAM+3, at(g=2)",
        "i[2]:(a:2) j[4097]:(w:2,a:4096) k[3]:(a:4*8192) @DRAM+3, at(g=2)",
        "@DRAM+5, rep(g), at(w=1)",
        "x:() y[3]:(a:4) z[5]:(c:2,a:3*8) @L2BM+1, rep(g)",
    ] {
        let layout: Layout = text.parse().expect(text);
        let table = LocationTable::new(&layout);
        let extents = layout.extents();
        let mut index = vec![0; extents.len()];
        for _ in 0..layout.elements() {
            assert_eq!(
                table.location(&index),
                layout.location(&index).unwrap(),
                "{text}"
            );
            assert_eq!(
                layout.index_at(table.location(&index)).as_ref(),
                Some(&index)
            );
            advance(&mut index, &extents);
        }
        assert!(index.iter().all(|value| *value == 0));
        let mut found = Vec::new();
        table.for_each_location(|at| found.push(at.advanced(layout.base())));
        let mut expect = Vec::new();
        for _ in 0..layout.elements() {
            expect.push(layout.location(&index).unwrap());
            advance(&mut index, &extents);
        }
        assert_eq!(found, expect, "{text}");
    }
}

/// Advances an index in row-major order.
fn advance(index: &mut [u64], extents: &[u64]) {
    for (value, extent) in index.iter_mut().zip(extents).rev() {
        *value += 1;
        if *value < *extent {
            return;
        }
        *value = 0;
    }
}
