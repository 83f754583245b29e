use proptest::prelude::*;

use super::*;

fn packed(source: &str, mode: Mode) -> Vec<u8> {
    let program =
        crate::parse(source).unwrap_or_else(|e| panic!("{}", e[0].render("test", source)));
    pack(&program, mode).unwrap_or_else(|e| panic!("{}", e[0].render("test", source)))
}

#[test]
fn units_are_filled() {
    for (source, auto, flat) in [
        ("", 0, 0),
        ("nop", 1, 1),
        ("nop/3", 1, 2),
        ("nop/4", 2, 2),
        ("mvnop", 1, 1),
        ("nop\nmvnop\nnop", 2, 2),
        ("mvnop\nmvnop", 2, 2),
    ] {
        assert_eq!(
            packed(source, Mode::AutoStride).len(),
            auto * UNIT_BYTES,
            "{source}"
        );
        assert_eq!(
            packed(source, Mode::Flat).len(),
            flat * UNIT_BYTES,
            "{source}"
        );
    }
}

/// The published fields of the vendor's units, tags and mode, are at their published positions.
#[test]
fn known_fields_are_at_their_known_places() {
    let source = "mvp/n64iab $p0@0 $d0@0\nnop; wait i01\nnop; wait i02\nnop; wait i83";
    let auto = read_unit(&packed(source, Mode::AutoStride));
    assert_eq!(auto.get(1022, 2), 1);
    assert_eq!([292, 596, 900].map(|at| auto.get(at, 8)), [1, 2, 0x83]);
    assert_eq!(auto.get(935, 8), 0xab);
    let flat = read_unit(&packed(source, Mode::Flat)[..UNIT_BYTES]);
    assert_eq!(flat.get(1022, 2), 0);
    assert_eq!([270, 702].map(|at| flat.get(at, 8)), [1, 2]);
    assert_eq!(flat.get(911, 8), 0xab);
    let bytes = packed("nop", Mode::AutoStride);
    assert_eq!(bytes[127] >> 6, 1);
}

#[test]
fn unpacking_undoes_packing() {
    let source = crate::word::tests::LINES.join("\n");
    for mode in [Mode::AutoStride, Mode::Flat] {
        let bytes = packed(&source, mode);
        let (program, found) = unpack(&bytes).unwrap();
        assert_eq!(found, mode);
        assert_eq!(pack(&program, mode).unwrap(), bytes);
        // And so does the text in between.
        assert_eq!(packed(&program.to_string(), mode), bytes);
    }
}

#[test]
fn statements_have_words() {
    let source = "nop\nmvp/n64 $p0@0 $d0@0\nnop/4\nlinc $lr0 $lr0\nmvp/n64 $p0@0 $d0@0\nnop";
    let program = crate::parse(source).unwrap();
    for (mode, expect) in [
        (Mode::AutoStride, [1, 4, 5, 6, 7, 9, 10, 12, 13]),
        (Mode::Flat, [1, 3, 4, 5, 7, 8, 10, 12, 13]),
    ] {
        let mut packer = Packer::new(mode);
        let words = program.statements.iter();
        let words: Vec<_> = words.map(|s| packer.push(s).unwrap()).collect();
        assert_eq!(words, expect, "{mode:?}");
        let bytes = packer.finish();
        let units: Vec<_> = Units::new(&bytes).unwrap().collect();
        let found = units.into_iter().flat_map(Result::unwrap);
        let found: Vec<_> = found.map(|(word, s)| (word, s.to_string())).collect();
        for (word, statement) in expect.into_iter().zip(&program.statements) {
            assert!(found.contains(&(word, statement.to_string())), "{word}");
        }
    }
}

#[test]
fn bytes_that_are_no_program() {
    let nop = packed("nop", Mode::AutoStride);
    let with = |at: usize, value: u8| {
        let mut bytes = nop.clone();
        bytes[at] = value;
        unpack(&bytes).unwrap_err().to_string()
    };
    assert_eq!(
        with(127, 0xff),
        "unit 0: instruction mode 3 is neither flat (0) nor auto-stride (1)"
    );
    assert!(with(0, 1)
        .starts_with("unit 0, step 0: bits are set that belong to no expression of `nop`"));
    assert_eq!(
        unpack(&nop[1..]).unwrap_err().to_string(),
        "127 bytes are not a multiple of 128, the size of a unit"
    );
    let mixed = [nop, packed("nop", Mode::Flat)].concat();
    assert_eq!(
        unpack(&mixed).unwrap_err().to_string(),
        "unit 1 has another instruction mode than the units before it"
    );
}

#[test]
fn control_statements_have_no_words() {
    let program = crate::parse("nop\nd get $lm0 1\nf").unwrap();
    let errors = pack(&program, Mode::Flat).unwrap_err();
    let lines: Vec<u32> = errors.iter().map(|e| e.span.line).collect();
    assert_eq!(lines, [2, 3]);
    assert_eq!(
        errors[0].message,
        "a control statement has no instruction word"
    );
}

proptest! {
    #[test]
    fn random_units(bytes in prop::collection::vec(any::<u8>(), UNIT_BYTES..=UNIT_BYTES)) {
        if let Ok((program, mode)) = unpack(&bytes) {
            prop_assert_eq!(pack(&program, mode).unwrap(), bytes);
        }
    }

    /// A unit with one bit flipped decodes to another program that encodes to these bits, or is
    /// rejected with an error that names the unit.
    #[test]
    fn turned_bits(line in 0..crate::word::tests::LINES.len(), bit in 0usize..1024) {
        let mut bytes = packed(crate::word::tests::LINES[line], Mode::AutoStride);
        bytes[bit / 8] ^= 1 << (bit % 8);
        match unpack(&bytes) {
            Ok((program, mode)) => {
                let again = pack(&program, mode).unwrap();
                prop_assert_eq!(again, bytes);
            }
            Err(error) => prop_assert!(error.to_string().starts_with("unit 0")),
        }
    }
}
