//! The test of `docs/reference/mncore/words.md`, which lists field positions in packed words and
//! opcode numbers.
//!
//! Both follow from the order of lists in the source. A row inserted into a list renumbers the rows
//! after it, and existing packed programs would then decode differently. Comparing with the
//! committed page detects that.

use std::fmt::Write;

use tessera_test_support::check_generated_page_with_note;

use super::mv::{self, tag_offset};
use super::tests::LINES;
use super::{encode, low, width, Mode};
use crate::ast::StatementKind;
use crate::fields::{Field, Numbered};
use crate::table::l2bm::L1bSet;
use crate::table::{mv as mv_table, AluOp, L1bmOp, L2bmOp, MauOp, Rrn};

const MODES: [Mode; 2] = [Mode::AutoStride, Mode::Flat];

const PREFACE: &str = "\
<!-- Generated from runtime/isa-mncore (src/table, src/fields.rs, src/word):
TESSERA_BLESS=1 cargo test -p tessera-isa-mncore. -->

# Packed MN-Core 2 words

The vendor's encoding is not published; this layout is the project's own. Three parts agree with
the vendor's: the bits of a unit that choose the mode, where its words begin, and the tags. Numbers
follow from the order of the tables. Append new rows to a family: a row inserted into one changes
the meaning of all words packed before.
";

/// Returns a mnemonic up to its parameter.
fn stem(mnemonic: &str) -> String {
    let stem = mnemonic.split(['@', '+', '-']).next();
    stem.unwrap_or_default().to_owned()
}

/// Groups consecutive opcodes that differ only in a parameter: first number, count, name.
fn runs(names: impl Iterator<Item = String>) -> Vec<(usize, usize, String)> {
    let mut runs: Vec<(usize, usize, String)> = Vec::new();
    for (index, name) in names.enumerate() {
        match runs.last_mut() {
            Some((_, count, last)) if *last == name => *count += 1,
            _ => runs.push((index + 1, 1, name)),
        }
    }
    runs
}

fn family(page: &mut String, title: &str, names: impl Iterator<Item = String>) {
    write!(page, "\n## {title}\n\n").expect("a String takes everything");
    let entry = |(first, count, name): (usize, usize, String)| match count {
        1 => format!("{first} `{name}`"),
        _ => format!("{first} to {} `{name}…`", first + count - 1),
    };
    let entries: Vec<_> = runs(names).into_iter().map(entry).collect();
    // Lines break between entries, not inside of one.
    let entries = entries
        .join(",\n")
        .replace(' ', "\u{a0}")
        .replace('\n', " ");
    page.push_str(&textwrap::fill(&entries, 100).replace('\u{a0}', " "));
    page.push('\n');
}

/// Hashes all encodings with FNV-1a, so that changes which the lists do not show are detected too.
fn digest(mode: Mode) -> u64 {
    let mut digest = 0xcbf2_9ce4_8422_2325u64;
    let mut take = |words: &[u64]| {
        for byte in words.iter().flat_map(|word| word.to_le_bytes()) {
            digest = (digest ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    };
    for line in LINES {
        let program = crate::parse(line).expect("the lines are in the language");
        for statement in &program.statements {
            match &statement.kind {
                StatementKind::Step(step) => {
                    if let Ok(word) = encode(step, mode) {
                        take(&word.0);
                    }
                }
                StatementKind::Mv(one) => take(&mv::encode(one, mode).0),
                _ => {}
            }
        }
    }
    digest
}

fn page() -> String {
    let mut page = PREFACE.to_owned();
    page += "\n## Fields of a PE word\n\n\
             | field | what | auto-stride: first bit, bits | flat |\n|---|---|---|---|\n";
    for field in Field::ALL
        .iter()
        .filter(|field| width(**field, Mode::Flat) > 0)
    {
        let [auto, flat] =
            MODES.map(|mode| format!("{}, {}", low(*field, mode), width(*field, mode)));
        let (name, doc) = (field.name(), field.doc());
        writeln!(page, "| `{name}` | {doc} | {auto} | {flat} |")
            .expect("a String takes everything");
    }
    let [auto, flat] = MODES.map(|mode| {
        format!(
            "{} bits, its tag from bit {}",
            mv::bits(mode),
            tag_offset(mode)
        )
    });
    write!(
        page,
        "\nAn MV word has {auto} (auto-stride), or {flat} (flat).\n"
    )
    .expect("a String takes everything");
    let mantissa = |op: &AluOp| match op.mantissa {
        0 => op.mnemonic(),
        bits => format!("{}/{bits}", op.mnemonic()),
    };
    family(&mut page, "ALU", AluOp::list().iter().map(mantissa));
    family(&mut page, "MAU", MauOp::list().iter().map(MauOp::mnemonic));
    let l1bm = |op: &L1bmOp| {
        let width = if op.wide { ", two long words" } else { "" };
        let way = if op.kind.row().down { " to PE" } else { "" };
        format!("{}{way}{width}", stem(&op.mnemonic()))
    };
    family(&mut page, "L1BM", L1bmOp::list().iter().map(l1bm));
    let l2bm = |op: &L2bmOp| stem(&op.mnemonic());
    family(&mut page, "L2BM", L2bmOp::list().iter().map(l2bm));
    family(
        &mut page,
        "Sets of L1B, in the order of a run: number and immode",
        L1bSet::all().map(|set| format!("{}/{}", set.base(), set.hidden())),
    );
    family(
        &mut page,
        "MV modes",
        mv_table::rows()
            .iter()
            .map(|row| format!("{} {:?}", row.stem, row.mode)),
    );
    family(&mut page, "Reductions of MV", Rrn::all().map(Rrn::mnemonic));
    let [auto, flat] = MODES.map(digest);
    write!(
        page,
        "\nDigest of the words of the tests' lines:\n{auto:016x} (auto-stride), {flat:016x} \
         (flat).\n"
    )
    .expect("a String takes everything");
    page
}

/// The committed page matches the tables; `TESSERA_BLESS=1` rewrites it.
#[test]
fn field_positions_and_opcode_numbers_are_stable() {
    check_generated_page_with_note(
        "docs/reference/mncore/words.md",
        &page(),
        "packed words change, so programs packed before would decode differently\n\
         append to a family instead of inserting; if the layout has to change, pack programs again",
    );
}
