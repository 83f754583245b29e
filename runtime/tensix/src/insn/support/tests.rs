use std::fs;
use std::path::Path;

use super::*;

use tessera_test_support::check_generated_page;

const PREFACE: &str = "\
<!-- Generated from runtime/tensix/src/insn/support.rs:
TESSERA_BLESS=1 cargo test -p tessera-tensix. -->

# Tensix instructions that the model executes

*Bit-exact* instructions give the bits of the chip. Behaviour listed after *traps* stops the run
with an error, and so does every *trapped* instruction. Nothing is approximated.
Files are below `runtime/tensix/src`.

";

/// The committed page matches the table; `TESSERA_BLESS=1` rewrites it.
#[test]
fn page_matches_the_table() {
    let page = format!("{PREFACE}{}", markdown());
    check_generated_page("docs/reference/tensix/support.md", &page);
}

#[test]
fn notes_concern_modelled_instructions() {
    for row in rows() {
        for arch in Arch::ALL {
            if let Some(what) = traits(row.opcode).traps[arch as usize] {
                let support = support(arch, row);
                assert_eq!(
                    support,
                    Support::Partial(what),
                    "{} on {arch}",
                    row.mnemonic
                );
            }
        }
    }
}

/// The function that a row names is in the file that the page links.
#[test]
fn functions_are_where_the_page_says() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for row in rows() {
        let (file, function) = traits(row.opcode).source();
        let text =
            fs::read_to_string(sources.join(&file)).unwrap_or_else(|e| panic!("{file}: {e}"));
        let mnemonic = row.mnemonic;
        let is_defined = |start: &str, end: &str| text.contains(&format!("{start}{function}{end}"));
        let by_macro = is_defined("", &format!(", {:?}", row.opcode));
        assert!(
            is_defined("fn ", "(") || by_macro,
            "{mnemonic}: {function} in {file}"
        );
    }
}

/// Every refusal names an alternative.
#[test]
fn refusals() {
    for (text, expect) in [
        (
            "ttreg2flop 0, 0, 0, 0, 0, 0",
            "REG2FLOP, which the documents call unsupported on Blackhole; use WRCFG or SETADC",
        ),
        (
            "ttshiftxa 0, 2",
            "SHIFTXA, whose rows are not documented on Blackhole; use SHIFTXB and MOVB2A",
        ),
        (
            "ttpacr_setreg 1, 0, 0, 0, 0, 1, 0",
            "PACR_SETREG, whose way of passing addresses to TDMA-RISC is not documented on \
             Blackhole; wait for the packer with STALLWAIT and use STOREREG",
        ),
    ] {
        let instruction = Instruction::parse(Arch::Blackhole, text).unwrap();
        let refused = check(Arch::Blackhole, &instruction).unwrap_err();
        assert_eq!(refused.to_string(), format!("not modelled: {expect}"));
        assert_eq!(check(Arch::WormholeB0, &instruction), Ok(()));
    }
}

#[test]
fn some_of_each() {
    for (mnemonic, expect) in [
        ("MOP", Support::Exact),
        ("SFPAND", Support::Exact),
        ("SFPSTORE", Support::Partial("denormals as FP32")),
        ("SFPLE", Support::Trapped),
        ("XMOV", Support::Exact),
        ("SFPGT", Support::Trapped),
    ] {
        let row = Row::by_mnemonic(mnemonic).unwrap();
        assert_eq!(support(Arch::WormholeB0, row), expect, "{mnemonic}");
    }
}
