use proptest::prelude::*;

use super::*;

#[test]
fn lines() {
    let text =
        "# a comment\n\nWRITE core=1,11 addr=0x2010 size=2 data=01fF\nREAD core=0,0 addr=16 size=1 \
         data=00 reply=7f\nREAD core=0,0 addr=0x10 size=4 data=-\nRESET_DEASSERT core=1,1 addr=0x0 \
         size=4 data=00000000\nSTART core=0,0 addr=0 size=0 data=-\nEXIT core=0,0 addr=0x0 size=0 \
         data=-\n";
    let event = |line, tile, addr, command| Event {
        line,
        tile,
        addr,
        command,
    };
    assert_eq!(
        Trace::parse(text).unwrap().events,
        [
            event(3, (1, 11), 0x2010, Command::Write(vec![1, 255])),
            event(4, (0, 0), 16, Command::Read(1, Some(vec![0x7f]))),
            event(5, (0, 0), 16, Command::Read(4, None)),
            event(6, (1, 1), 0, Command::ResetDeassert),
            event(8, (0, 0), 0, Command::Exit),
        ]
    );
}

#[test]
fn lines_that_are_refused() {
    let cases = [
        (
            "WRIT core=1,1",
            "unknown command \"WRIT\"; known are WRITE, READ, RESET_ASSERT, RESET_DEASSERT, START \
             and EXIT",
        ),
        (
            "EXIT core",
            "\"core\" is not a field; fields are core=X,Y addr=0xHEX size=N data=HEX reply=HEX",
        ),
        (
            "EXIT colour=1",
            "\"colour=1\" is not a field; fields are core=X,Y addr=0xHEX size=N data=HEX reply=HEX",
        ),
        ("EXIT core=1,1 size=0", "the field addr= is missing"),
        ("EXIT core=1,1 core=1,1", "the field core= occurs twice"),
        ("EXIT core=1;1 addr=0 size=0", "core=\"1;1\" is not X,Y"),
        ("EXIT core=1,999 addr=0 size=0", "core=\"1,999\" is not X,Y"),
        (
            "EXIT core=1,1 addr=0xg size=0",
            "addr=\"0xg\" is not a number",
        ),
        (
            "EXIT core=1,1 addr=0 size=-1",
            "size=\"-1\" is not a number",
        ),
        (
            "WRITE core=1,1 addr=0 size=1 data=123",
            "data=\"123\" is not an even number of hex digits, or -",
        ),
        (
            "WRITE core=1,1 addr=0 size=1 data=zz",
            "data=\"zz\" is not an even number of hex digits, or -",
        ),
        (
            "WRITE core=1,1 addr=0 size=3 data=1234",
            "size=3, but data= has 2 bytes",
        ),
        (
            "WRITE core=1,1 addr=0 size=3 data=-",
            "size=3, but data= has 0 bytes",
        ),
        ("WRITE core=1,1 addr=0 size=3", "the field data= is missing"),
        (
            "READ core=1,1 addr=0 size=3 data=- reply=-",
            "size=3, but reply= has 0 bytes",
        ),
        (
            "READ core=1,1 addr=0 size=0x40000001 data=-",
            "size=1073741825 is more than a host moves at once (1073741824)",
        ),
        (
            "READ core=1,1 addr=0 size=0x100000000 data=-",
            "size=4294967295 is more than a host moves at once (1073741824)",
        ),
        (
            "READ core=0123456789012345678901234567890123456789",
            "core=\"012345678901234567890123...\" is not X,Y",
        ),
    ];
    for (line, expect) in cases {
        let error = Trace::parse(&format!("\n{line}\n")).unwrap_err();
        assert_eq!(error.to_string(), format!("line 2: {expect}"));
    }
}

/// Each byte is a hex digit if the standard library says so, in every place of a block.
#[test]
fn hex_digits() {
    for c in 0..128u8 {
        let value = char::from(c).to_digit(16);
        for place in 0..80 {
            let mut text = "5".repeat(80).into_bytes();
            text[place] = c;
            let parsed = hex(std::str::from_utf8(&text).unwrap());
            let expect = value.map(|value| {
                let mut bytes = vec![0x55; 40];
                bytes[place / 2] = match place % 2 {
                    0 => value as u8 * 16 + 5,
                    _ => 5 * 16 + value as u8,
                };
                bytes
            });
            assert_eq!(parsed, expect, "{c} at {place}");
        }
    }
    assert_eq!(
        (hex("\u{e1}"), hex("\u{c1}1f"), hex("")),
        (None, None, Some(vec![]))
    );
}

proptest! {
    /// Words are those between ASCII white space.
    #[test]
    fn words_of_a_line(text in "([ \t\r\x0c\x0b\x01a-f\u{e9}]{0,3}[0-9a-f=,]{0,70}){0,4}") {
        let expect: Vec<&str> = text.split_ascii_whitespace().collect();
        prop_assert_eq!(Words(&text).collect::<Vec<_>>(), expect);
    }
}
