use super::*;

use tessera_test_support::check_generated_page;

const PREFACE: &str = "\
<!-- Generated from runtime/tensix/src/insn/support.rs:
TESSERA_BLESS=1 cargo test -p tessera-tensix. -->

# Tensix instructions that the model executes

*Bit-exact* instructions give the bits of the chip. Behaviour listed after *traps* stops the run
with an error, and so does every *trapped* instruction. Nothing is approximated.

";

/// The committed page matches the table; `TESSERA_BLESS=1` rewrites it.
#[test]
fn page_matches_the_table() {
    let page = format!("{PREFACE}{}", markdown());
    check_generated_page("docs/reference/tensix/support.md", &page);
}

#[test]
fn notes_concern_modelled_instructions() {
    for (opcode, archs, what) in TRAPS {
        for &arch in *archs {
            let support = support(arch, opcode.row());
            let mnemonic = opcode.row().mnemonic;
            assert_eq!(support, Support::Partial(what), "{mnemonic} on {arch}");
        }
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
