//! Layout texts and the layouts they denote.

use tessera_test_support::is_long_run;
use tessera_test_support::random::xorshift64;

use super::*;

#[track_caller]
fn parse(text: &str) -> Layout {
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// A text and how it is printed; the printed text is that of the same layout.
#[track_caller]
fn check(text: &str, printed: &str) {
    let layout = parse(text);
    assert_eq!(layout.to_string(), printed, "{text}");
    assert_eq!(parse(printed), layout, "{text}");
}

#[test]
fn texts_are_printed_and_read_back() {
    check(
        "k:(h:4,p:4,a:64) n:(T:4,a:2,m:16,b:8) @LM0+0, rep(g,c)",
        "k:(h:4,p:4,a:64) n:(a:8,m:16,b:8) @LM0+0, rep(g,c)",
    );
    check(
        "k[999]:(g:4,a:250)@DRAM,at(w=0)",
        "k[999]:(g:4,a:250) @DRAM+0, at(w=0)",
    );
    check(
        "k[1000]:(w:2, a:8, g:4, a:16) @DRAM+512",
        "k[1000]:(w:2,a:8,g:4,a:16) @DRAM+512",
    );
    check("k:(a:5) @PDM, at(g=2)", "k:(a:5) @PDM+0, at(g=2)");
    check("k:(a:4*4) @PDM+1, rep(g)", "k:(a:4*4) @PDM+1, rep(g)");
    check(
        "k:(b:2*2) @L1BM+0, rep(g,c), sum(b:2*1), at(b:2*4=1)",
        "k:(b:2) @L1BM+0, rep(g,c), sum(b:2*1), at(b:2*4=1)",
    );
    check(
        "k:(b:2,a:8) @L1BM+0, rep(g,c), sum(b)",
        "k:(b:2,a:8) @L1BM+0, rep(g,c), sum(b)",
    );
    check(
        "k:(b:2*4,a:8) @L1BM+0, rep(g,c), sum(b)",
        "k:(b:2*4,a:8) @L1BM+0, rep(g,c), sum(b)",
    );
    check(
        "k:(a:8) @L1BM+0, rep(g,c), at(b:4=2,b=1)",
        "k:(a:8) @L1BM+0, rep(g,c), at(b=6)",
    );
    // The parts of a long word that hold nothing, or the same.
    check(
        "k:(a:8,h:2*2) @GRF0+4, rep(g,c,b,m,p,h)",
        "k:(a:8,h:2*2) @GRF0+4, rep(g,c,b,m,p,h)",
    );
    // A constant of the address is part of the base.
    check(
        "k:(a:8) @PDM+8, rep(g), at(a:4*16=3)",
        "k:(a:8) @PDM+56, rep(g)",
    );
    // No dimensions; a dimension of one element; digits for more than the extent.
    check("@DRAM, rep(g)", "@DRAM+0, rep(g)");
    check(
        "x:() y[3]:(a:16) @DRAM, rep(g)",
        "x:() y[3]:(a:16) @DRAM+0, rep(g)",
    );
    // Padding that repeats the last element, where there is some.
    check(
        "y[3, edge]:(a:4) z[8,edge]:(a:8) @DRAM, rep(g)",
        "y[3, edge]:(a:3) z:(a:8) @DRAM+0, rep(g)",
    );
    check(
        "x[1]:(a:2) @X, rep(g,c,b,m,p)",
        "x[1]:(a:2) @X+0, rep(g,c,b,m,p)",
    );
}

#[track_caller]
fn error(text: &str, expect: &str) {
    let error = text.parse::<Layout>().expect_err(text);
    assert_eq!(error.to_string(), expect, "{text}");
}

#[test]
fn invalid_layouts() {
    error(
        "k",
        "character 2 of the layout: expected `:` and the digits of the dimension, found the end",
    );
    error(
        "",
        "character 1 of the layout: expected a dimension or `@` and a memory, found the end",
    );
    error(
        "k[4:(a:4) @DRAM",
        "character 4 of the layout: expected `,` or `]`, found `:(a:4)`",
    );
    error(
        "k[4, all]:(a:4) @DRAM",
        "character 6 of the layout: expected `edge`, found `all]:(a:4)`",
    );
    error(
        "k:a:4 @DRAM",
        "character 3 of the layout: expected `(`, found `a:4`",
    );
    error(
        "k:(a 4) @DRAM",
        "character 6 of the layout: expected `:` and an extent, found `4)`",
    );
    error(
        "k:(a:4;g:4) @DRAM",
        "character 7 of the layout: expected `,` or `)`, found `;g:4)`",
    );
    error(
        "k:(a:4) @",
        "character 10 of the layout: expected a memory, found the end",
    );
    error(
        "k:(a:4) @DRAM, rep g",
        "character 20 of the layout: expected `(`, found `g`",
    );
    error(
        "k:(a:4) @DRAM, at(g)",
        "character 20 of the layout: expected `=` and a number, found `)`",
    );
    error(
        "k:(x:4) @DRAM",
        "character 4 of the layout: expected a place: g, c, b, m, p, h, w, a or T, found `x:4)`",
    );
    error(
        "k:(a:4) @DRAM rep(g)",
        "character 15 of the layout: expected a comma or the end, found `rep(g)`",
    );
    error(
        "k:(a:4) @DRAM, dup(g)",
        "character 16 of the layout: expected rep, sum or at, found `dup(g)`",
    );
    error(
        "k:(a:four) @DRAM",
        "character 6 of the layout: expected a number, found `four)`",
    );
    error(
        "k:(a:4) @DRAM+4294967296, rep(g)",
        "character 15 of the layout: expected an address below 2^32, found `4294967296,`",
    );
    error(
        "k:(a:4) @LM2",
        "unknown memory 'LM2'; expected DRAM, PDM, L2BM, L1BM, LM0, LM1, GRF0, GRF1, X or Y",
    );
    error(
        "k:(a:0) @DRAM",
        "dimension k has no elements: its extents must be at least 1",
    );
    error(
        "k:(a:2) k:(a:2) @DRAM",
        "there are two dimensions k: rename one",
    );
    error(
        "k:(a:3,g:4) @DRAM",
        "a digit of extent 3 in k: only the last digit of a dimension may be no power of two",
    );
    error(
        "k:(a:4*3) @DRAM",
        "stride 3 of address: it must be a power of two",
    );
    error(
        "k:(a:4) @L2BM, rep(c,g:3)",
        "extent 3 of group: it must be a power of two",
    );
    error(
        "k[100]:(a:64) @DRAM",
        "dimension k has 100 elements, its digits hold 64: add a digit",
    );
    error(
        "k:(h:4) n:(w:2) @DRAM",
        "w and h in one layout: they are the same bits, h for elements of 16 bits, w for those of \
         32",
    );
    error(
        "k:(g:8) @DRAM",
        "bit 2 of group in DRAM: there are 2 with elements of 64 bits",
    );
    error(
        "k:(m:16) @L1BM",
        "bit 0 of MAB in L1BM: there are 0 with elements of 64 bits",
    );
    error(
        "k:(w:4) @DRAM",
        "bit 1 of part of the long word in DRAM: there are 1 with elements of 32 bits",
    );
    error(
        "k:(g:4) @DRAM, rep(g)",
        "bit 2 of group in DRAM: there are 2 with elements of 64 bits",
    );
    error(
        "k:(a:4*1) n:(a:4*2) @DRAM, rep(g)",
        "bit 1 of address is assigned twice: by bit 0 of n and by bit 1 of k",
    );
    error(
        "k:(g:2*1) @DRAM, rep(g:2*1)",
        "bit 0 of group is assigned twice: by bit 0 of k and by rep",
    );
    error(
        "k:(g:2) @DRAM",
        "bit 1 of group is not assigned: assign it to a dimension, or add rep, sum or at",
    );
    error(
        "k:(a:2) @PDM, at(g=4)",
        "group has 2 bits here, 4 does not fit",
    );
    error(
        "k:(a:2) @PDM, rep(g,a)",
        "a clause about the address needs an extent, such as rep(a:4*1)",
    );
    error(
        "k:(a:4096) @LM0+0, rep(g,c,b,m,p)",
        "k:(a:4096) @LM0+0, rep(g,c,b,m,p) needs 4096 long words of LM0 from 0 on; it has 2048: \
         split the tensor or take a larger memory",
    );
}

#[test]
fn properties_of_a_layout() {
    let layout = parse("k[1000]:(h:4,p:4,a:63) n:(a:8,m:16,b:8) @LM1+100, rep(g), at(c=1)");
    assert_eq!(
        (
            layout.memory().name(),
            layout.base(),
            layout.element().bits()
        ),
        ("LM1", 100, 16)
    );
    assert_eq!(
        (layout.extents(), layout.elements()),
        (vec![1000, 1024], 1_024_000)
    );
    // k up to 62 in steps of 8 long words, n in eight.
    assert_eq!(layout.words(), 504);
    assert_eq!(layout.replicated(), 0b11);
    let at = layout.location(&[999, 1023]).unwrap();
    assert_eq!((at.l2b(), at.l1b(), at.mab(), at.pe()), (1, 7, 15, 1));
    assert_eq!(at.address(), 100 + 62 * 8 + 7);
    let wrong = layout.location(&[1000, 0]).unwrap_err();
    assert_eq!(
        wrong.to_string(),
        "index [1000, 0] is out of range for a tensor of shape [1000, 1024]"
    );
    assert!(layout.location(&[0]).is_err());
    // Padding, the other L2B, before the first long word.
    let padding = Location(at.0 + (1 << 10));
    assert_eq!(layout.index_at(Location(padding.0 | 3 << 12)), None);
    assert_eq!(layout.index_at(Location(at.0 ^ 1 << 2)), None);
    assert_eq!(layout.index_at(Location(1 << 2)), None);
    // Both groups hold the same.
    assert_eq!(layout.index_at(Location(at.0 | 2)), Some(vec![999, 1023]));
    assert_eq!(layout.with_base(1544).unwrap().base(), 1544);
    assert!(matches!(
        layout.with_base(1545),
        Err(LayoutError::Capacity { words: 504, .. })
    ));
}

#[test]
fn blocks_of_a_tensor() {
    let block = parse("i:(a:4,g:4) k:(w:2,a:8*4) @DRAM+64");
    let whole = block.tiled_layout(1, 50, 64).unwrap();
    assert_eq!(
        whole.to_string(),
        "i:(a:4*1,g:4) k[50]:(w:2,a:8*4,a:4*64) @DRAM+64"
    );
    for (index, number) in [([13, 9], 0), ([13, 25], 1), ([2, 49], 3)] {
        let at = block.with_base(64 + 64 * number).unwrap();
        let inside = at.location(&[index[0], index[1] % 16]);
        assert_eq!(whole.location(&index), inside, "{index:?}");
    }
    // One block is the tensor, and may be a part of it.
    assert_eq!(block.tiled_layout(1, 16, 32).unwrap(), block);
    assert_eq!(block.tiled_layout(1, 9, 32).unwrap().extents(), [16, 9]);
    let error =
        |layout: &Layout, stride| layout.tiled_layout(1, 64, stride).unwrap_err().to_string();
    let blocks = "blocks of 16 elements of k and 32 long words";
    let powers = "elements and stride must be powers of two, the stride no less than a block";
    assert_eq!(error(&block, 48), format!("{blocks}, 48 apart: {powers}"));
    assert_eq!(error(&block, 16), format!("{blocks}, 16 apart: {powers}"));
    let odd = parse("i:(a:4,g:4) k[15]:(w:2,a:8*4) @DRAM+64");
    assert!(error(&odd, 64).starts_with("blocks of 15 elements"));
    let end = block.with_base(536_870_848).unwrap();
    assert!(error(&end, 64).contains("DRAM from 536870848 on; it has 536870912"));
    assert_eq!(
        error(&block, 1 << 28),
        "dimension k has 64 elements, its digits hold 32: add a digit"
    );
}

#[test]
fn live_bits_are_those_below_the_extent() {
    let layout = parse("k[3]:(a:16) n:(g:4) @DRAM+0");
    assert_eq!(layout.used_slots(), 0b11 | 0b11 << 14);
    assert_eq!(layout.slot_of(0, 3), Some(Slot::address(3)));
    assert_eq!(layout.slot_of(0, 4), None);
}

/// A layout of arbitrary bits: each place bit a dimension's, replicated, summed or constant.
pub(super) fn arbitrary(memory: Memory, state: &mut u64) -> Layout {
    let element = ElementBits::ALL[xorshift64(state) as usize % 3];
    let mut spec = Spec::new(memory, element);
    let mut free: Vec<(Place, u8)> = Vec::new();
    for place in Place::ALL.into_iter().filter(|place| memory.has(*place)) {
        let count = match place {
            Place::Address => 4,
            Place::Part => element.parts().1,
            _ => place.slots().1,
        };
        free.extend((0..count).map(|bit| (place, bit)));
    }
    let mut digits: Vec<Vec<Digit>> = vec![Vec::new(); 1 + xorshift64(state) as usize % 3];
    while !free.is_empty() {
        let (place, bit) = free.swap_remove(xorshift64(state) as usize % free.len());
        let part = PlaceBits {
            place,
            bits: Some((2, Some(1 << bit))),
        };
        match xorshift64(state) % 8 {
            0 => spec.replicated.push(part),
            1 => spec.summed.push(part),
            2 => spec.fixed.push((part, xorshift64(state) % 2)),
            _ => {
                let dim = xorshift64(state) as usize % digits.len();
                digits[dim].push(Digit::new(place, 2).from_bit(bit));
            }
        }
    }
    for (number, digits) in digits.iter().enumerate() {
        let most = 1 << digits.len();
        let extent = match xorshift64(state) % 3 {
            0 => 1 + xorshift64(state) % most,
            _ => most,
        };
        spec = spec.with_dim(&format!("d{number}"), extent, digits);
    }
    spec.with_base(xorshift64(state) as u32 % 2)
        .build()
        .expect("it is small and complete")
}

#[test]
fn arbitrary_layouts_are_read_back_and_inverted() {
    let state = &mut 88172645463325252;
    for round in 0..600 {
        let layout = arbitrary(Memory::ALL[round % 8], state);
        assert_eq!(parse(&layout.to_string()), layout, "{layout}");
        let again = parse(&layout.to_string()).to_string();
        assert_eq!(again, layout.to_string());
        let mut last = 0;
        for _ in 0..50 {
            let index: Vec<u64> = layout
                .extents()
                .iter()
                .map(|e| xorshift64(state) % e)
                .collect();
            let at = layout.location(&index).unwrap();
            assert_eq!(layout.index_at(at), Some(index), "{layout}");
            let all = layout.replicated() & xorshift64(state) >> 14 << 14;
            assert!(layout.index_at(Location(at.0 ^ all)).is_some() || layout.base() != 0);
            last = last.max(at.address() as u64);
        }
        assert!(last < u64::from(layout.base()) + layout.words(), "{layout}");
    }
}

/// A large tensor packed and unpacked: a few seconds in a debug build, so in long runs only.
#[test]
fn a_large_tensor_is_packed() {
    if !is_long_run() {
        return;
    }
    let layout = parse("k:(w:2,a:4,g:4,a:128) n:(a:4096) @DRAM+0");
    let bytes: Vec<u8> = (0..layout.elements() as u32)
        .flat_map(u32::to_le_bytes)
        .collect();
    let start = std::time::Instant::now();
    let image = pack(&layout, &pack::Raw::<4>, &bytes).unwrap();
    let packed = start.elapsed();
    assert_eq!(unpack(&layout, &pack::Raw::<4>, &image).unwrap(), bytes);
    println!(
        "4096 x 4096: packed in {packed:?}, unpacked in {:?}",
        start.elapsed() - packed
    );
}

#[test]
fn padding_counts_all_that_digits_reach() {
    for (text, words, padded) in [
        ("k[5]:(w:2,a:4,a:8) @DRAM+64, rep(g)", 3, 32),
        ("k[9]:(w:2,a:5) @DRAM, rep(g)", 5, 8),
        ("k[1]:(a:4*1) n[3]:(a:4*512) @DRAM, rep(g)", 1025, 1540),
        ("k[4]:(a:4) @DRAM, rep(g,a:2*8)", 12, 12),
    ] {
        let layout = parse(text);
        assert_eq!(
            (layout.words(), layout.padded_words()),
            (words, padded),
            "{text}"
        );
    }
}
