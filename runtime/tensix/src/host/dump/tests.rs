use super::*;

#[test]
fn names() {
    let cases = [
        ("cores", Dump::Cores),
        ("gprs", Dump::Gprs),
        ("lregs", Dump::Lregs),
        ("dst16:0+64", Dump::Dst16(0, 64)),
        ("dst32:511+1", Dump::Dst32(511, 1)),
        ("l1:0x1000+32", Dump::L1(0x1000, 32)),
        ("config", Dump::Config),
        ("srca:64+64", Dump::Src(Src::A, 64, 64)),
        ("srcb:3+1", Dump::Src(Src::B, 3, 1)),
    ];
    for (text, expect) in cases {
        assert_eq!(text.parse(), Ok(expect), "{text}");
    }
    for text in [
        "",
        "dst",
        "dst16",
        "dst16:0",
        "dst16:1000+25",
        "dst32:0+513",
        "l1:x+1",
        "cores:0+1",
        "srca:64+65",
        "srcb",
    ] {
        assert_eq!(
            text.parse::<Dump>().unwrap_err().to_string(),
            format!(
                "{text:?} cannot be shown; known are cores, gprs, lregs, config, srca:FIRST+ROWS, \
                 srcb:FIRST+ROWS, dst16:FIRST+ROWS, dst32:FIRST+ROWS and l1:ADDRESS+BYTES"
            )
        );
    }
}
