//! Compares the units with results of an external oracle (provenance in the headers of the files).
//!
//! | file | what runs |
//! |---|---|
//! | `fpu.tsv`, `fpu_blackhole.tsv` | elements of the matrix unit's arithmetic |
//! | `sfpmad.tsv` | the multiply-add of Wormhole's vector unit |
//! | `sfpu.tsv`, `sfpu_further.tsv` | instructions of the vector unit |
//! | `unpacr.tsv`, `pacr.tsv` | UNPACR and PACR of whole rows |
//!
//! `docs/reference/tensix/vectors.md` says how to repeat the comparison.

mod bench;
mod fpu;
mod pacr;
mod sfpu;
mod unpacr;

use bench::hex;
use tessera_tensix::arith::spec::sfpu::mad_wormhole;

/// Returns the fields of every line that is not a comment, with the line number.
fn rows(text: &str) -> impl Iterator<Item = (usize, Vec<&str>)> {
    let lines = text.lines().enumerate();
    lines
        .filter(|(_, line)| !line.starts_with('#'))
        .map(|(i, line)| (i + 1, line.split('\t').collect()))
}

/// Runs every line of a file and compares the answer with its last field; returns the number of
/// lines.
fn check(text: &str, answer: fn(&[&str]) -> Result<String, String>) -> usize {
    let mut count = 0;
    for (line, row) in rows(text) {
        let (expected, inputs) = row.split_last().expect("a line has fields");
        let found = answer(&row).unwrap_or_else(|fault| panic!("line {line}: {fault}"));
        assert_eq!(found, *expected, "line {line}: {inputs:?}");
        count += 1;
    }
    count
}

#[test]
fn matrix_unit() {
    let count = check(include_str!("fpu.tsv"), fpu::on_wormhole);
    assert_eq!(count, 262);
}

#[test]
fn vector_unit() {
    let mad = |row: &[&str]| {
        let &[_class, a, b, c, _] = row else {
            panic!("{} fields", row.len());
        };
        Ok(format!("{:08x}", mad_wormhole(hex(a), hex(b), hex(c))))
    };
    assert_eq!(check(include_str!("sfpmad.tsv"), mad), 96);
}

#[test]
fn matrix_unit_of_blackhole() {
    let count = check(include_str!("fpu_blackhole.tsv"), fpu::on_blackhole);
    assert_eq!(count, 876);
}

#[test]
fn instructions_of_the_vector_unit() {
    assert_eq!(check(include_str!("sfpu.tsv"), sfpu::answer), 1787);
}

#[test]
fn further_instructions_of_the_vector_unit() {
    assert_eq!(check(include_str!("sfpu_further.tsv"), sfpu::answer), 437);
}

#[test]
fn unpackers() {
    assert_eq!(check(include_str!("unpacr.tsv"), unpacr::answer), 596);
}

#[test]
fn packers() {
    assert_eq!(check(include_str!("pacr.tsv"), pacr::answer), 1152);
}

/// Packers flush a denormal threshold to which a datum is clamped, in all block floats. The oracle
/// keeps its mantissa (`docs/reference/tensix/errata.md`, 004.6).
#[test]
fn denormal_thresholds_of_blocks() {
    let datums = ["3f80"; 16].join(",");
    for chip in ["wh", "bh"] {
        for (between, to, zeros) in [
            ("bf16", "bfp8", 16),
            ("bf16", "bfp4", 8),
            ("bfp8", "bfp8", 16),
        ] {
            let row = [
                chip,
                "16",
                between,
                to,
                "relu=3:7e",
                "near",
                &datums,
                "-",
                "",
            ];
            let expected = format!("00:{}", "00".repeat(zeros));
            assert_eq!(pacr::answer(&row), Ok(expected), "{chip} {between} {to}");
        }
    }
}
