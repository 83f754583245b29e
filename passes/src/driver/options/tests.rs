use super::*;

const INFOS: &[OptionInfo] = &[
    OptionInfo {
        name: "path",
        description: "",
        kind: Kind::Text,
        default: "",
    },
    OptionInfo {
        name: "deep",
        description: "",
        kind: Kind::Bool,
        default: "false",
    },
    OptionInfo {
        name: "level",
        description: "",
        kind: Kind::Integer,
        default: "0",
    },
    OptionInfo {
        name: "arch",
        description: "",
        kind: Kind::Choice(&["wh", "bh"]),
        default: "wh",
    },
];

#[test]
fn reads_options() {
    let rows: &[(&str, Result<&str, &str>)] = &[
        ("", Ok("wh false 0 ")),
        ("deep", Ok("wh true 0 ")),
        ("deep=true level=-3", Ok("wh true -3 ")),
        ("path='a b' arch=bh", Ok("bh false 0 a b")),
        ("path=\"a b\"  arch=bh ", Ok("bh false 0 a b")),
        ("path={a=b c} level=2", Ok("wh false 2 a=b c")),
        ("path=a=b", Ok("wh false 0 a=b")),
        (
            "paht=x",
            Err("no such option 'paht'; known: path, deep, level, arch"),
        ),
        (
            "deep=yes",
            Err("option 'deep' takes true or false, not 'yes'"),
        ),
        (
            "level=two",
            Err("option 'level' takes an integer, not 'two'"),
        ),
        ("arch=gs", Err("option 'arch' takes wh or bh, not 'gs'")),
        ("path", Err("option 'path' requires a value: path=...")),
        ("path='a", Err("' is missing after 'a")),
        ("=a", Err("an option name is missing before '=a'")),
    ];
    for (text, expected) in rows {
        let got = Options::parse(text, INFOS).map(|options| {
            format!(
                "{} {} {} {}",
                options.text("arch"),
                options.flag("deep"),
                options.integer("level"),
                options.text("path")
            )
        });
        assert_eq!(
            got.as_deref().map_err(ToString::to_string),
            expected.map_err(str::to_owned),
            "{text}"
        );
    }
    let unknown = Options::parse("x=1", &[]).unwrap_err();
    assert_eq!(
        unknown.to_string(),
        "no such option 'x'; it takes no options"
    );
}
