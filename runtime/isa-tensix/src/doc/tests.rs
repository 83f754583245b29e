use super::*;

use tessera_test_support::check_generated_page;

/// The committed page matches the table; `TESSERA_BLESS=1` rewrites it.
#[test]
fn page_matches_the_table() {
    let page = format!("{PREFACE}{}", markdown());
    check_generated_page("docs/reference/tensix/instructions.md", &page);
}

#[test]
fn one_line_per_row() {
    let text = markdown();
    assert_eq!(text.lines().count(), rows().len() + 2);
    for line in [
        "| 0x38 | `ttincrwc rwc_cr[20:18], rwc_d[17:14], rwc_b[13:10], rwc_a[9:6]` | Matrix | 1 | \
         Adds to the row counters. |",
        "| 0x18 | wormhole_b0: `ttshiftxb addr_mode[16:15], rot_shift[10], \
         shift_row[5:0]`<br>blackhole: `ttshiftxb addr_mode[16:14], rot_shift[10], shift_row[5:0]` \
         | Matrix | 2 | Shifts or rotates one SrcB row by one column. |",
    ] {
        assert!(text.contains(line), "{line}");
    }
}

const PREFACE: &str = "\
<!-- Generated from runtime/isa-tensix/src/table/rows.rs:
TESSERA_BLESS=1 cargo test -p tessera-isa-tensix. -->

# Tensix instructions

The instructions of Wormhole B0 and of Blackhole. Operands are written `name[bits]`, in text order.
The column *cycles* is the latency until the effect of an instruction can be used. It is taken from
the ISA documentation's page of the unit.

";
