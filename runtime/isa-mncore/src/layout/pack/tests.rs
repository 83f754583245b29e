use super::super::Location;
use super::*;

/// Tensors of bytes counted from 1, packed and unpacked; what lies where the layout says.
#[track_caller]
fn check<C: Codec>(text: &str, codec: &C) {
    let layout: Layout = text.parse().expect(text);
    let count = layout.elements() as usize;
    let bytes: Vec<u8> = (1..=count * codec.bytes()).map(|i| (i * 7) as u8).collect();
    let image = pack(&layout, codec, &bytes).expect(text);
    assert_eq!(unpack(&layout, codec, &image).expect(text), bytes, "{text}");
    let mut seen = 0;
    for (group, words) in image.groups.iter().enumerate() {
        for (address, word) in words.iter().enumerate() {
            for part in (0..4).step_by(layout.element().bits() as usize / 16) {
                let at = Location((group | part << 12 | address << 14) as u64);
                let at = at.advanced(layout.base());
                let chip = word << (16 * part) >> (64 - layout.element().bits());
                let expect = layout.index_at(at).map_or(0, |index| {
                    seen += 1;
                    let mut number = 0;
                    for (value, extent) in index.iter().zip(layout.extents()) {
                        number = number * extent as usize + *value as usize;
                    }
                    codec.encode(&bytes[number * codec.bytes()..][..codec.bytes()])
                });
                assert_eq!(chip, expect, "{text}: group {group}, {address}, {part}");
            }
        }
    }
    assert_eq!(seen, count << layout.replicated().count_ones(), "{text}");
}

#[test]
fn tensors_of_all_widths() {
    check("i:(w:2,a:8) j:(a:2,g:4) @DRAM+64", &Raw::<4>);
    check("i[13]:(h:4,g:4) j[5]:(a:5) @DRAM+0", &Raw::<2>);
    check("i:(a:4*2) j:(g:2) @PDM+7, rep(a:2*1,g)", &Raw::<8>);
    check("i:(a:16) j:(h:2*2) @PDM+0, rep(h:2*1), at(g=3)", &Raw::<2>);
    check(
        "i:(h:2*1,a:3) j:(g:2*2) @DRAM+0, rep(h:2*2,g:2*1,a:2*4)",
        &Raw::<2>,
    );
    check("i:(a:4) j:(g:2*1) @DRAM+9, rep(w,g:2*2,a:4*16)", &Raw::<4>);
    check("@DRAM+5, rep(g), at(w=1)", &Raw::<4>);
    let negated = Converted {
        element: ElementBits::Sixteen,
        bytes: 4,
        encode: |host: u64| (!host & 0xffff_ffff) >> 16,
        decode: |chip: u64| !(chip << 16) & 0xffff_ffff,
    };
    let layout: Layout = "i:(h:4) @DRAM+0, rep(g)".parse().unwrap();
    let bytes: Vec<u8> = (0..4_u32)
        .flat_map(|i| (i << 16 | 0xffff).to_le_bytes())
        .collect();
    let image = pack(&layout, &negated, &bytes).unwrap();
    assert_eq!(image.groups[3], [0xffff_fffe_fffd_fffc]);
    assert_eq!(unpack(&layout, &negated, &image).unwrap(), bytes);
}

#[test]
fn edges_repeat_the_last_element() {
    let text = "i[2]:(a:4) j[3, edge]:(w:2,a:2*4) @DRAM+0, rep(g)";
    let layout: Layout = text.parse().expect(text);
    let pack = |layout: &Layout| {
        let bytes: Vec<u8> = (1..=6_u32).flat_map(u32::to_le_bytes).collect();
        let image = super::pack(layout, &Raw::<4>, &bytes).expect(text);
        assert_eq!(unpack(layout, &Raw::<4>, &image).expect(text), bytes);
        image.groups[3].clone()
    };
    let long = |first: u64, second: u64| first << 32 | second;
    let rows = [long(1, 2), long(4, 5)];
    let rest = [long(3, 3), long(6, 6)];
    assert_eq!(pack(&layout), [&rows[..], &[0; 2], &rest, &[0; 2]].concat());
    let both = layout.clone().with_edges(&["i", "j"]);
    let [rows, rest] = [rows, rest].map(|[first, last]| [first, last, last, last]);
    assert_eq!(pack(&both), [rows, rest].concat());
    let neither = layout.with_edges(&[]);
    assert_eq!(pack(&neither)[4..], [long(3, 0), long(6, 0), 0, 0]);
}

#[test]
fn layouts_that_the_host_cannot_pack() {
    let layout = |text: &str| text.parse::<Layout>().expect(text);
    let (dram, on_chip) = (
        layout("i:(w:2,a:8) @DRAM+0, rep(g)"),
        layout("i:(w:2,a:8) @L2BM+0, rep(g,c)"),
    );
    let error = |result: Result<Image, LayoutError>| result.expect_err("an error").to_string();
    assert_eq!(
        error(pack(&on_chip, &Raw::<4>, &[0; 64])),
        "the host packs tensors for DRAM and PDM, not for L2BM: plan a transfer from there"
    );
    assert_eq!(
        error(pack(&dram, &Raw::<2>, &[0; 32])),
        "the layout has elements of 32 bits, the format 16: choose a layout with h"
    );
    assert_eq!(
        error(pack(&dram, &Raw::<4>, &[0; 63])),
        "63 bytes for a tensor of 16 elements of 4 bytes"
    );
    let image = Image {
        base: 0,
        groups: [vec![0; 8], vec![0; 8], vec![0; 7], vec![0; 8]],
    };
    let short = unpack(&dram, &Raw::<4>, &image).expect_err("an error");
    assert_eq!(
        short.to_string(),
        "group 2 has 7 long words, but the layout needs 8"
    );
    let sums = layout("i:(w:2,a:8) @DRAM+0, sum(g)");
    let sums = unpack(&sums, &Raw::<4>, &Image::new(&dram).unwrap()).expect_err("an error");
    assert!(
        sums.to_string()
            .starts_with("the layout holds partial sums"),
        "{sums}"
    );
}

#[test]
fn runs_are_repeated() {
    let cases: [(usize, &[u64], &[u64]); 4] = [
        (1, &[1, 0, 2, 0], &[1, 1, 2, 2]),
        (2, &[1, 2, 0, 0, 3], &[1, 2, 1, 2, 3]),
        (2, &[1, 2, 0], &[1, 2, 1]),
        (4, &[1, 2], &[1, 2]),
    ];
    for (count, words, expect) in cases {
        let mut words = words.to_vec();
        repeat_runs(&mut words, count);
        assert_eq!(words, expect, "runs of {count}");
    }
}
