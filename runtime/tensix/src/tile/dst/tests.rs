use proptest::prelude::*;
use tessera_isa_tensix::cfg::{self, ConfigField};
use tessera_isa_tensix::{Arch, Instruction};

use super::*;

/// Loads and stores of one element, transcribed bit by bit from the page: sign, exponent and
/// mantissa of both layouts.
mod page {
    /// Bits `from..` of `x`, `count` of them, moved to `to`.
    fn field(x: u32, from: u32, count: u32, to: u32) -> u32 {
        (0..count).fold(0, |out, k| out | (x >> (from + k) & 1) << (to + k))
    }

    pub(super) fn load(format: u32, raw: bool, unsigned: bool, x: u32) -> u32 {
        let wide = |x| {
            let (sign, high) = (field(x, 31, 1, 31), field(x, 24, 7, 16));
            sign | high | field(x, 16, 8, 23) | field(x, 0, 16, 0)
        };
        let negated = |x: u32, bits: u32| (1u64 << bits).wrapping_sub(x.into()) as u32;
        match (format, raw) {
            (0 | 1, true) | (2..=4, true) => x,
            (0, _) => wide(x),
            (1, _) if wide(x) >> 31 == 0 => wide(x),
            (1, _) => negated(field(wide(x), 0, 31, 0), 32),
            (2, _) => field(x, 15, 1, 15) | field(x, 5, 10, 0) | field(x, 0, 5, 10),
            (3, _) => field(x, 15, 1, 15) | field(x, 8, 7, 0) | field(x, 0, 8, 7),
            (4, _) if unsigned || x < 0x8000 => x,
            (4, _) => negated(field(x, 0, 15, 0), 16) & 0xffff,
            (_, true) => field(x, 5, 8, 0),
            _ if unsigned => field(x, 5, 8, 0),
            _ if x < 0x8000 => field(x, 5, 7, 0),
            _ => negated(field(x, 5, 7, 0), 8) & 0xff,
        }
    }

    pub(super) fn store(format: u32, raw: bool, unsigned: bool, x: u32) -> u32 {
        let wide = |x| {
            let (sign, high) = (field(x, 31, 1, 31), field(x, 16, 7, 24));
            sign | high | field(x, 23, 8, 16) | field(x, 0, 16, 0)
        };
        match (format, raw) {
            (0..=4, true) => x,
            (0, _) => wide(x),
            (1, _) => match x as i32 {
                i32::MIN => wide(u32::MAX),
                negative @ ..=-1 => wide(1 << 31 | negative.unsigned_abs()),
                _ => wide(x),
            },
            (2, _) => field(x, 15, 1, 15) | field(x, 0, 10, 5) | field(x, 10, 5, 0),
            (3, _) => field(x, 15, 1, 15) | field(x, 0, 7, 8) | field(x, 7, 8, 0),
            (4, _) => match x as u16 as i16 {
                _ if unsigned => x,
                i16::MIN => 0xffff,
                negative @ ..=-1 => 1 << 15 | u32::from(negative.unsigned_abs()),
                _ => x,
            },
            (_, _) if x == 0 => 0,
            (_, true) => x << 5 | 16,
            _ if unsigned || x < 0x80 => x << 5 | 16,
            _ => {
                let magnitude = (0x180 - x as i32 - i32::from(x == 0x80)) as u8;
                0x8010 | u32::from(magnitude) << 5
            }
        }
    }
}

const FLAGS: [(bool, bool); 4] = [(false, false), (false, true), (true, false), (true, true)];

fn array(format: u32, raw: bool, unsigned: bool) -> Array {
    Array {
        of: TYPES[format as usize],
        raw,
        unsigned,
    }
}

#[test]
fn all_elements_of_16_and_8_bits() {
    for (format, (raw, unsigned)) in (2..6).flat_map(|format| FLAGS.map(|flags| (format, flags))) {
        let array = array(format, raw, unsigned);
        for x in 0..=0xffff {
            let at = format!("{array:?} {x:#x}");
            assert_eq!(
                array.element(x),
                page::load(format, raw, unsigned, x),
                "{at}"
            );
            if x < 1 << (8 * array.bytes()) {
                assert_eq!(
                    array.datum(x),
                    page::store(format, raw, unsigned, x),
                    "{at}"
                );
            }
        }
    }
}

proptest! {
    #[test]
    fn elements_of_32_bits(x: u32, special in 0usize..6) {
        let special = [0, 1 << 31, u32::MAX, i32::MAX as u32, 0x7f80_0000, 1][special];
        let layouts = (0..2).flat_map(|format| FLAGS.map(|flags| (format, flags)));
        for (format, (raw, unsigned)) in layouts {
            let array = array(format, raw, unsigned);
            for x in [x, special] {
                prop_assert_eq!(array.element(x), page::load(format, raw, unsigned, x));
                prop_assert_eq!(array.datum(x), page::store(format, raw, unsigned, x));
            }
        }
    }
}

/// Stored values are loaded unchanged, except those that sign-magnitude cannot represent.
#[test]
fn a_byte_is_loaded_unchanged_although_its_magnitude_is_wrong() {
    let bytes = array(5, false, false);
    for (value, datum) in [
        (1, 16 | 1 << 5),
        (0xff, 0x8010 | 0x81 << 5),
        (0x80, 0x8010 | 0xff << 5),
    ] {
        assert_eq!(bytes.datum(value), datum, "{value:#x}");
    }
    for value in 0..=0xff {
        let back = bytes.element(bytes.datum(value));
        assert_eq!(back, if value == 0x80 { 0x81 } else { value });
    }
}

fn set(coprocessor: &mut Coprocessor, thread: usize, field: ConfigField, value: u32) {
    coprocessor.core.config.set(thread, field, value).unwrap();
}

/// Returns a coprocessor whose Dst holds in each datum its row and column, for the core of a thread
/// that accesses it in a format without conversion.
fn bench(thread: usize, format: u32) -> Coprocessor {
    let mut coprocessor = Coprocessor::new(Arch::Blackhole);
    let field = |field: ConfigField| field.nth(thread as u32);
    set(
        &mut coprocessor,
        thread,
        field(cfg::RISC_DEST_ACCESS_CTRL_fmt),
        format,
    );
    set(
        &mut coprocessor,
        thread,
        field(cfg::RISC_DEST_ACCESS_CTRL_no_swizzle),
        1,
    );
    let dst = &mut coprocessor.core.regs.dst;
    match format {
        0 | 1 => (0..256).chain(512..768).for_each(|row| {
            let datums = std::array::from_fn(|column| (row << 16 | column) as u32);
            dst.write_row32(Row32::new(row), datums);
        }),
        _ => (0..1024).for_each(|row| {
            dst.write_row16(
                row,
                std::array::from_fn(|column| (row << 4 | column) as u16),
            );
        }),
    }
    coprocessor
}

const START: u32 = 0xffbd_8000;

#[test]
fn places_of_elements() {
    let cases = [
        // Words: 512 rows, of which the upper 256 are those of the upper half of the storage.
        (0, 0, 0, Width::Word, 0),
        (0, 1, 0x40 + 8, Width::Word, 1 << 16 | 2),
        (1, 0, 255 * 64 + 60, Width::Word, 255 << 16 | 15),
        // Halves of words; the last element is that of the last row.
        (2, 1, 0x20 + 2, Width::Half, 0x11),
        (4, 2, 0x7ffe, Width::Half, 0x3fff),
        // T2 gets several.
        (3, 2, 0x24, Width::Word, 0x0013_0012),
        // Bytes: eight bits above the low five.
        (5, 0, 0x10, Width::Byte, 0x10 >> 5),
        (5, 2, 0x3ffc, Width::Half, 0xffff),
        (5, 2, 0x3ffc, Width::Word, 0xffff_ffff),
    ];
    for (format, thread, offset, width, expect) in cases {
        let mut coprocessor = bench(thread, format);
        let got = load(&mut coprocessor, thread, START + offset, width);
        assert_eq!(got, Ok(expect), "{format} {offset:#x}");
        let mark = 0xa5a5_a5a5 & (u32::MAX >> (32 - 8 * width.bytes()));
        store(&mut coprocessor, thread, START + offset, width, mark).unwrap();
        let got = load(&mut coprocessor, thread, START + offset, width);
        assert_eq!(got, Ok(mark), "{format} {offset:#x}");
        // Adjacent datums are unchanged.
        let beside = offset ^ (4 * width.bytes());
        let mut before = bench(thread, format);
        assert_eq!(
            load(&mut coprocessor, thread, START + beside, width),
            load(&mut before, thread, START + beside, width)
        );
    }
}

/// The layout of rows is that of the core's own thread's configuration.
#[test]
fn rows_of_another_layout() {
    let mut coprocessor = bench(0, 4);
    set(&mut coprocessor, 0, cfg::DEST_ACCESS_CFG_remap_addrs, 1);
    let row = |row: u32| START + 32 * row;
    assert_eq!(load(&mut coprocessor, 0, row(8), Width::Half), Ok(32 << 4));
    assert_eq!(load(&mut coprocessor, 0, row(16), Width::Half), Ok(8 << 4));
    assert!(coprocessor.core.config.take_reads().is_empty());
}

#[test]
fn refusals() {
    let held = |_: &mut Coprocessor| {};
    let reserved = |c: &mut Coprocessor| {
        set(c, 0, cfg::RISC_DEST_ACCESS_CTRL_fmt.nth(0), 6);
    };
    let marked = |c: &mut Coprocessor| c.core.regs.dst.mark16(0);
    let empty = |c: &mut Coprocessor| c.core.regs.dst = Default::default();
    let cases: [(u32, usize, u32, Width, fn(&mut Coprocessor), &str); 8] = [
        (
            4,
            0,
            0,
            Width::Half,
            reserved,
            "a core accesses Dst in the reserved format 6; set RISC_DEST_ACCESS_CTRL_SEC0_fmt to 0 \
             to 5",
        ),
        (
            4,
            0,
            0,
            Width::Word,
            held,
            "T0 accesses 4 bytes of Dst (0xffbd8000), whose elements have 2; access whole \
             elements, only T2 several at a time",
        ),
        (
            4,
            1,
            2,
            Width::Byte,
            held,
            "T1 accesses 1 bytes of Dst (0xffbd8002), whose elements have 2; access whole \
             elements, only T2 several at a time",
        ),
        (
            0,
            2,
            0,
            Width::Half,
            held,
            "T2 accesses 2 bytes of Dst (0xffbd8000), whose elements have 4; access whole \
             elements, only T2 several at a time",
        ),
        (
            5,
            0,
            0x4000,
            Width::Byte,
            held,
            "T0 accesses Dst at 0xffbdc000, past its last element",
        ),
        (
            4,
            0,
            0,
            Width::Half,
            marked,
            "T0 accesses Dst row 0 (of 1024), which is cleared, was never written or holds datums \
             of another width; move data there first",
        ),
        (
            4,
            0,
            0x20,
            Width::Half,
            empty,
            "T0 accesses Dst row 1 (of 1024), which is cleared, was never written or holds datums \
             of another width; move data there first",
        ),
        (
            1,
            0,
            0x40 * 8,
            Width::Word,
            empty,
            "T0 accesses Dst row 16 (of 1024), which is cleared, was never written or holds datums \
             of another width; move data there first",
        ),
    ];
    for (format, thread, offset, width, change, expect) in cases {
        let mut coprocessor = bench(thread, format);
        change(&mut coprocessor);
        let addr = START + offset;
        let texts = [
            load(&mut coprocessor, thread, addr, width).map(drop),
            store(&mut coprocessor, thread, addr, width, 0),
        ]
        .map(|done| done.unwrap_err().to_string());
        assert!(texts.iter().all(|text| text.ends_with(expect)), "{texts:?}");
    }
}

/// Accesses to rows of an instruction in flight are refused; other accesses are not.
#[test]
fn instructions_at_work() {
    let mut coprocessor = bench(1, 4);
    let zeroacc = Instruction::parse(Arch::Blackhole, "ttzeroacc 0, 0, 0, 0, 3").unwrap();
    let word = zeroacc.encode(Arch::Blackhole).unwrap();
    assert!(coprocessor.frontends[1].push_after_mop(word, 0));
    while !coprocessor.flights.is_any_busy(u32::MAX) {
        coprocessor.issue(1, 1).unwrap();
    }
    let at = |row: u32| START + 32 * row;
    for text in [
        load(&mut coprocessor, 1, at(3), Width::Half).map(drop),
        store(&mut coprocessor, 1, at(3), Width::Half, 1),
    ]
    .map(|done| done.unwrap_err().to_string())
    {
        assert!(
            text.ends_with(
                "Dst row 3 (of 1024) while ZEROACC of thread 1 may still access it in the matrix \
                 unit; wait for that unit first"
            ),
            "{text}"
        );
    }
    assert_eq!(load(&mut coprocessor, 1, at(4), Width::Half), Ok(0x40));
    assert_eq!(store(&mut coprocessor, 1, at(4), Width::Half, 1), Ok(()));
}
