use super::*;

use tessera_test_support::check_generated_page;

const PREFACE: &str = "\
<!-- Generated from runtime/isa-mncore/src/table:
TESSERA_BLESS=1 cargo test -p tessera-isa-mncore. -->

# MN-Core 2 opcodes

Sections are those of the developer manual; the [page of sections](sections.md) names the files that
execute them. An opcode's letter of precision is not part of its row in the table: `hmfma` is `mfma`
in `runtime/isa-mncore/src/table/mau.rs`. Reductions are listed with `dfadd` only.
`mncore-as --explain <opcode>` prints the grammar, the operands and the fields of one opcode.

";

/// The committed page matches the table; `TESSERA_BLESS=1` rewrites it.
#[test]
fn page_matches_the_table() {
    let page = format!("{PREFACE}{}", render_markdown());
    check_generated_page("docs/reference/mncore/instructions.md", &page);
}

/// The example of every page assembles, passes the checks and sets fields.
#[test]
fn every_opcode_has_a_page() {
    for mnemonic in table::mnemonics() {
        let opcode = table::find_opcode(&mnemonic).unwrap();
        let page = Page::new(&mnemonic, opcode);
        let program = crate::parse(&page.example)
            .unwrap_or_else(|e| panic!("{}", e[0].render(&mnemonic, &page.example)));
        let found = crate::check(&program);
        assert!(found.is_empty(), "{}: {}", page.example, found[0].message);
        assert!(!fields(&page.example).is_empty(), "{mnemonic}");
        assert!(page.sections.starts_with("3.6."), "{mnemonic}");
    }
    assert_eq!(render_page("nonsense"), None);
    assert_eq!(render_page("mvr"), None);
}

#[test]
fn a_page() {
    assert_eq!(
        render_page("hmfma").unwrap(),
        "hmfma: Matrix register times vector, plus vector.\n\n    hmfma[/<mask>] $l(x|y) <vector> \
         <z> <dst>...\n\nmanual   3.6.9.8\ngroup    mau-calc\nexample  hmfma $lx $t $mauf \
         $lr0v\nfields   grf0_in grf0_write_addr grf0_write_width mask_grf0 mau_a mau_c mau_op \
         mau_precision mau_side\nvector: a long word; block floats, no conversion; `-` inverts \
         signs\nz: two long words; `e` widens half of it; `-` inverts signs\nresult: two long \
         words\nflags: 1 where the result is not negative\n"
    );
    assert!(render_page("l2bmd")
        .unwrap()
        .contains("manual   3.6.7.4, 3.6.7.8\n"));
    assert!(render_page("mvrdfadd")
        .unwrap()
        .contains("(manual 3.5.8.21)"));
    assert!(render_page("mvp")
        .unwrap()
        .contains("mvp/n<long words>[i<tag>][nd<uses>][p<priority>] $p<addr> $lc<addr>@.<l2b>\n"));
}

#[test]
fn the_list_has_every_section() {
    let list = render_list();
    for section in [
        "3.6.5",
        "3.6.7.9",
        "3.6.8.21",
        "3.6.9.21",
        "3.6.10.3",
        "3.6.11.2",
        "3.6.12.18",
        "3.5.8.25",
    ] {
        assert!(list.contains(section), "{section}");
    }
}
