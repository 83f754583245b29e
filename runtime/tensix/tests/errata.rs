//! Checks that `docs/reference/tensix/errata.md` lists every point, and that the tests it names
//! exist.

use std::fs;
use std::path::Path;

const TABLE: &str = include_str!("../../../docs/reference/tensix/errata.md");

/// The groups of points with the number of points in each: notes on the expanders, notes on the
/// unpackers, arithmetic and order, faults of the hardware, differences from ttsim.
const GROUPS: &[(&str, usize)] = &[
    ("000", 13),
    ("001", 27),
    ("002", 21),
    ("003", 10),
    ("004", 8),
];

/// Returns the rows of the table, which have five cells.
fn rows() -> Vec<[&'static str; 5]> {
    let rows = TABLE.lines().filter(|line| line.starts_with("| ")).skip(1);
    let cells = |line: &'static str| {
        let cells: Vec<_> = line.trim_matches('|').split('|').map(str::trim).collect();
        cells.try_into().unwrap_or_else(|_| panic!("{line}"))
    };
    rows.map(cells).collect()
}

/// Returns whether a file contains a test of this name, either a function or an entry of the list
/// of tests generated for both chips.
fn has_test(text: &str, name: &str) -> bool {
    let start = format!("fn {name}(");
    let lines: Vec<_> = text.lines().map(str::trim_start).collect();
    let mut both = lines.iter().skip_while(|line| **line != "on_both_chips! {");
    if both.any(|line| *line == name) && lines.iter().any(|line| line.starts_with(&start)) {
        return true;
    }
    let is_attribute = |line: &&&str| line.starts_with("#[") || line.starts_with("//");
    lines.iter().enumerate().any(|(at, line)| {
        let mut above = lines[..at].iter().rev().take_while(is_attribute);
        line.starts_with(&start) && above.any(|line| *line == "#[test]")
    })
}

#[test]
fn every_point_is_in_one_row() {
    let found: Vec<_> = rows().iter().map(|row| row[0].to_owned()).collect();
    let numbers = |&(group, count): &(&str, usize)| -> Vec<String> {
        (1..=count).map(|k| format!("{group}.{k}")).collect()
    };
    let wanted: Vec<_> = GROUPS.iter().flat_map(numbers).collect();
    assert_eq!(found, wanted);
}

#[test]
fn every_point_has_a_source_and_tests_that_exist() {
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for [point, expected, holds, source, tests] in rows() {
        assert!(
            [expected, holds, source]
                .iter()
                .all(|cell| !cell.is_empty()),
            "{point} has an empty cell"
        );
        let mut count = 0;
        for test in tests.split('`').skip(1).step_by(2) {
            let (file, name) = test
                .split_once("::")
                .unwrap_or_else(|| panic!("{point}: {test} is not a file and a test"));
            let text = fs::read_to_string(runtime.join(file))
                .unwrap_or_else(|e| panic!("{point}: {file}: {e}"));
            assert!(has_test(&text, name), "{point}: {file} has no test {name}");
            count += 1;
        }
        assert!(count > 0, "{point} names no test");
    }
}

#[test]
fn functions_that_count_as_tests() {
    let text = "    /// Text.\n    #[test]\n    #[ignore]\n    fn one() {}\n    fn two() {}\n    \
                #[cfg(test)]\n    fn three() {}\n\
                on_both_chips! {\n    four\n    five\n}\nfn four(arch: Arch) {}\n";
    for (name, expected) in [
        ("one", true),
        ("two", false),
        ("three", false),
        ("on", false),
        ("four", true),
        ("five", false),
    ] {
        assert_eq!(has_test(text, name), expected, "{name}");
    }
}
