//! Transfers of vectors equal the conversions of single datums, at every level.

use tessera_test_support::is_long_run;
use tessera_test_support::random::Rng;

use super::*;

const DATUMS: [Datum; 15] = [
    Datum::Fp16,
    Datum::Bf16,
    Datum::Fp32,
    Datum::Int32,
    Datum::Int32All,
    Datum::Int32Complement,
    Datum::Int8,
    Datum::Int16,
    Datum::Int8Complement,
    Datum::Uint16,
    Datum::Low16,
    Datum::High16,
    Datum::Low16Only,
    Datum::High16Only,
    Datum::Zero,
];

fn rounds() -> usize {
    if is_long_run() {
        1_000_000
    } else {
        400
    }
}

/// Returns a transfer of any kind, and the lanes that take part, often all.
fn draw(random: &mut Rng) -> (Transfer, u32) {
    let [kind, lanes] = [(); 2].map(|()| random.next_u64());
    let how = Transfer {
        formats: Formats {
            complements: kind & 1 != 0,
            int8_magnitude: if kind & 2 != 0 { 0x7F } else { 0xFF },
        },
        datum: DATUMS[(kind >> 8) as usize % DATUMS.len()],
        odd: kind & 4 != 0,
    };
    let lanes = if kind & 8 != 0 {
        u32::MAX
    } else {
        lanes as u32
    };
    (how, lanes)
}

/// Returns values of which some have a zero or the greatest exponent, or are powers of two.
fn values(random: &mut Rng) -> Lanes {
    std::array::from_fn(|_| {
        let x = random.next_u64();
        let value = (x >> 32) as u32;
        match x & 7 {
            0 => value & 0x807F_FFFF,
            1 => value | 0x7F80_0000,
            2 => value & 0x8000_0000,
            3 => value & 0xFF80_0000,
            4 => value & 0x83FF_FFFF | 0x3800_0000,
            _ => value,
        }
    })
}

fn rows(random: &mut Rng) -> Rows {
    let [low, high] = [(); 2].map(|()| values(random));
    let datum = |at: usize| if at % 2 == 0 { low } else { high }[at / 2] as u16;
    let mut at = 0;
    [(); 4].map(|()| {
        [(); COLUMNS].map(|()| {
            at += 1;
            datum(at - 1)
        })
    })
}

/// Returns the place of a lane's datum in four rows.
fn place(lane: usize, odd: bool) -> (usize, usize) {
    (lane / 8, lane % 8 * 2 + usize::from(odd))
}

#[test]
fn loads_equal_the_specification() {
    let mut random = Rng::new(1);
    for _ in 0..rounds() {
        let (how, lanes) = draw(&mut random);
        let [high, low] = [(); 2].map(|()| rows(&mut random));
        let before = values(&mut random);
        let expected: Lanes = std::array::from_fn(|lane| {
            let (row, column) = place(lane, how.odd);
            let raw = match how.datum.is_wide(Direction::Load) {
                true => u32::from(high[row][column]) << 16 | u32::from(low[row][column]),
                false => high[row][column].into(),
            };
            let kept = how.datum.kept();
            match lanes >> lane & 1 {
                0 => before[lane],
                _ => before[lane] & kept | how.formats.load(how.datum, raw) & !kept,
            }
        });
        for level in Level::all() {
            let mut loaded = before;
            load(level, how, lanes, &high, &low, &mut loaded);
            assert_eq!(loaded, expected, "{how:?} {level:?} {lanes:#x}");
            if direct::transfers(how.datum) {
                let low = how.datum.is_wide(Direction::Load).then_some(&low);
                let mut loaded = before;
                direct::load(level, how.datum, how.odd, lanes, &high, low, &mut loaded);
                assert_eq!(loaded, expected, "{how:?} {level:?} {lanes:#x}");
            }
        }
    }
}

#[test]
fn stores_equal_the_specification() {
    let mut random = Rng::new(2);
    for _ in 0..rounds() {
        let (how, lanes) = draw(&mut random);
        let before = [(); 2].map(|()| rows(&mut random));
        let values = values(&mut random);
        let wide = how.datum.is_wide(Direction::Store);
        let mut expected = before;
        for lane in (0..LANES).filter(|lane| lanes >> lane & 1 != 0) {
            let (row, column) = place(lane, how.odd);
            let stored = how.formats.store(how.datum, values[lane]);
            expected[0][row][column] = (if wide { stored >> 16 } else { stored }) as u16;
            if wide {
                expected[1][row][column] = stored as u16;
            }
        }
        for level in Level::all() {
            let [mut high, mut low] = before;
            store(
                level,
                how,
                lanes,
                &values,
                &mut high,
                wide.then_some(&mut low),
            );
            assert_eq!([high, low], expected, "{how:?} {level:?} {lanes:#x}");
            if direct::transfers(how.datum) {
                let [mut high, mut low] = before;
                let written = wide.then_some(&mut low);
                direct::store(
                    level, how.datum, how.odd, lanes, &values, &mut high, written,
                );
                assert_eq!([high, low], expected, "{how:?} {level:?} {lanes:#x}");
            }
        }
    }
}

#[test]
fn denormals_are_found() {
    for (value, is_denormal) in [
        (0, false),
        (0x8000_0000, false),
        (1, true),
        (0x807F_FFFF, true),
        (0x0080_0000, false),
        (0x7FFF_FFFF, false),
    ] {
        for lane in 0..LANES {
            let mut values = [0x3F80_0000; LANES];
            values[lane] = value;
            for level in Level::all() {
                assert_eq!(
                    has_denormal(level, &values),
                    is_denormal,
                    "{value:#x} {level:?}"
                );
            }
        }
    }
}
