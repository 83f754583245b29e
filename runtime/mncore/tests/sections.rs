//! Checks that `docs/reference/mncore/sections.md`, the table from the manual's sections to files
//! and tests, is complete and that everything it names exists.

use std::fs;
use std::path::{Path, PathBuf};

const TABLE: &str = include_str!("../../../docs/reference/mncore/sections.md");

/// Chapters 2 to 4: the number of direct subsections of each section that has any.
const CHILDREN: &[(&str, usize)] = &[
    ("2", 3),
    ("3", 7),
    ("3.2", 3),
    ("3.4", 4),
    ("3.5", 9),
    ("3.5.2", 3),
    ("3.5.8", 25),
    ("3.6", 13),
    ("3.6.1", 20),
    ("3.6.2", 2),
    ("3.6.3", 9),
    ("3.6.7", 10),
    ("3.6.8", 21),
    ("3.6.9", 26),
    ("3.6.10", 3),
    ("3.6.11", 3),
    ("3.6.12", 19),
    ("3.7", 3),
    ("4", 5),
    ("4.2", 2),
];

/// Returns the leaf sections below a section.
fn leaves(section: &str) -> Vec<String> {
    match CHILDREN.iter().find(|(of, _)| *of == section) {
        Some((_, count)) => (1..=*count)
            .flat_map(|number| leaves(&format!("{section}.{number}")))
            .collect(),
        None => vec![section.to_owned()],
    }
}

/// Returns the sections of a cell such as `3.1, 3.5.8.2 to 3.5.8.4`.
fn sections(cell: &str) -> Vec<String> {
    let range = |item: &str| match item.split_once(" to ") {
        None => vec![item.to_owned()],
        Some((first, last)) => {
            let [(above, first), (same, last)] =
                [first, last].map(|end| end.rsplit_once('.').expect("a section has a dot"));
            assert_eq!(above, same, "{item}");
            let [first, last] = [first, last].map(|end| end.parse::<usize>().expect("a number"));
            assert!(first < last, "{item}");
            (first..=last)
                .map(|number| format!("{above}.{number}"))
                .collect()
        }
    };
    let sections = cell.split(", ").flat_map(range);
    sections.flat_map(|section| leaves(&section)).collect()
}

/// Returns the rows with five cells.
fn rows() -> Vec<[&'static str; 5]> {
    let rows = TABLE.lines().filter(|line| line.starts_with("| ")).skip(1);
    let cells = |line: &'static str| {
        let cells: Vec<_> = line.trim_matches('|').split('|').map(str::trim).collect();
        cells.try_into().unwrap_or_else(|_| panic!("{line}"))
    };
    rows.map(cells).collect()
}

/// Returns the text between backticks.
fn names(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

fn sources(folder: PathBuf, text: &mut String) {
    for entry in fs::read_dir(folder).expect("a folder of the workspace") {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            sources(path, text);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            *text += &fs::read_to_string(path).expect("a text file");
        }
    }
}

#[test]
fn every_section_is_in_one_row() {
    let mut named: Vec<_> = rows().iter().flat_map(|row| sections(row[0])).collect();
    let mut wanted: Vec<_> = ["2", "3", "4"].into_iter().flat_map(leaves).collect();
    named.sort();
    wanted.sort();
    assert_eq!(named, wanted);
}

#[test]
fn names_in_the_table_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut text = String::new();
    for crate_ in ["runtime/isa-mncore", "runtime/mncore"] {
        sources(root.join(crate_).join("src"), &mut text);
        sources(root.join(crate_).join("tests"), &mut text);
    }
    for [section, _, language, execution, tests] in rows() {
        for (of, files) in [("isa-mncore", language), ("mncore", execution)] {
            for file in names(files) {
                let path = root.join("runtime").join(of).join("src").join(file);
                assert!(path.is_file(), "{section}: {of} has no {file}");
            }
        }
        assert!(!tests.is_empty(), "{section} names no test");
        for test in names(tests) {
            let exists = match test.ends_with(".rs") {
                true => root.join(test).is_file(),
                false => text.contains(&format!("fn {test}(")),
            };
            assert!(exists, "{section}: there is no test {test}");
        }
    }
}
