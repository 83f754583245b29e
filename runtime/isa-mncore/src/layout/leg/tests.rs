//! Transfers that an instruction rejects, and the operands of those it accepts.

use super::*;
use crate::layout::transfer::TransferOp;
use crate::memory::Precision;
use crate::table::rrn::RrnKind;
use crate::table::{L1bmKind, L2bmKind, MvMode};

const ADD: Option<Rrn> = Some(Rrn {
    precision: Precision::Int,
    kind: RrnKind::IntAdd,
});

fn leg(op: TransferOp, from: &str, to: &str, rrn: Option<Rrn>) -> Result<Leg, LegError> {
    let [from, to] = [from, to].map(|text| text.parse::<Layout>().expect(text));
    let ends = (&Stage::from_layout(&from), &Stage::from_layout(&to));
    Leg::new(op, rrn, ends, &from.extents(), &[])
}

#[track_caller]
fn refuses(op: TransferOp, from: &str, to: &str, rrn: Option<Rrn>, expect: &str) {
    let refusal = leg(op, from, to, rrn).expect_err(expect);
    assert_eq!(refusal.to_string(), expect, "{from} -> {to}");
}

#[test]
fn layouts_that_instructions_cannot_transfer() {
    let down = TransferOp::L1bm(L1bmKind::Broadcast, false);
    let all = TransferOp::L1bm(L1bmKind::Distribute, false);
    let sum = TransferOp::L1bm(L1bmKind::Reduce, false);
    let mv = TransferOp::Mv(MvMode::DramToL2bmEach);
    let rows = "i:(w:2,p:4,a:8) @LM0+0, rep(g,c,b,m)";
    let row = "i:(w:2,a:32) @L1BM+0, rep(g,c,b)";
    refuses(mv, row, rows, None, "it does not go from L1BM to LM0");
    refuses(
        down,
        row,
        "i:(w:2,a:8,p:4) @LM0+0, rep(g,c,b,m)",
        None,
        "the required content of p0 of LM0 does not come from the source",
    );
    refuses(
        all,
        row,
        rows,
        None,
        "the required content of m0 of LM0 does not come from the source",
    );
    refuses(
        down,
        "i:(w:2,a:32) @L1BM+0, rep(g,c), sum(b)",
        rows,
        None,
        "the required content of b0 of LM0 does not come from the source",
    );
    refuses(
        TransferOp::L1bm(L1bmKind::Pick, false),
        "i:(w:2,p:4,a:8) @LM0+0, rep(g,c,b), sum(m)",
        row,
        None,
        "the content of m0 of LM0 does not arrive at the required place",
    );
    refuses(
        down,
        "i:(w:2,a:32) @L1BM+2, rep(g,c,b)",
        rows,
        None,
        "L1BM address 2 is not a multiple of 4",
    );
    refuses(
        TransferOp::L2bm(L2bmKind::Collect, 7),
        "i:(a:8,b:8) @L1BM+0, rep(g,c)",
        "i:(a:64) @L2BM+32704, rep(g,c)",
        None,
        "it accesses 256 long words of L2BM from 32704 on",
    );
    let summed = "i:(w:2,p:4,a:8) @LM0+0, rep(g,c,b), sum(m)";
    for rrn in [
        None,
        ADD.map(|rrn| Rrn {
            precision: Precision::Long,
            ..rrn
        }),
    ] {
        refuses(
            sum,
            summed,
            row,
            rrn,
            "the reduction is missing or does not support elements of this width",
        );
    }
    refuses(
        TransferOp::Mv(MvMode::PdmToPdm),
        "i:(a:128) @PDM+0, at(g=0)",
        "i:(a:128) @PDM+64, at(g=1)",
        None,
        "source and target overlap in PDM",
    );
}

/// The instructions of a leg, as text, and its cycles.
#[track_caller]
fn issues(op: TransferOp, from: &str, to: &str, cycles: u64, expect: &[&str]) {
    let leg = leg(op, from, to, ADD).unwrap_or_else(|refusal| panic!("{refusal}: {from} -> {to}"));
    let lines: Vec<String> = leg
        .instructions(0)
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(lines, expect, "{from} -> {to}");
    assert_eq!(leg.cycles(), cycles, "{from} -> {to}");
}

#[test]
fn operands_determine_what_the_hardware_does_not() {
    // Rows of 64 long words; a unit each, joined where both sides go on.
    issues(
        TransferOp::Mv(MvMode::DramToL2bmEach),
        "i:(a:64,a:2*128,a:2*64,g:4) @DRAM+256",
        "i:(a:64,a:2*128,c:2,g:4) @L2BM+0",
        16,
        &[
            "mvp/n64 $d256 $lc0@.0",
            "mvp/n64 $d320 $lc0@.1",
            "mvp/n64 $d384 $lc128@.0",
            "mvp/n64 $d448 $lc128@.1",
        ],
    );
    // Across groups at half the rate.
    issues(
        TransferOp::Mv(MvMode::L2bmToDram),
        "i:(a:64,c:2) @L2BM+0, rep(g)",
        "i:(a:64,g:2) @DRAM+0, at(g=0)",
        12,
        &["mvp/n64 $lc0@0.0 $d0@0", "mvp/n64 $lc0@0.1 $d0@1"],
    );
    // The cycles of a step walk over the lowest addresses of the row, wherever they go; of three,
    // one is not written.
    issues(
        TransferOp::L1bm(L1bmKind::Broadcast, false),
        "i[24]:(w:2,a:12) @L1BM+0, rep(g,c,b)",
        "i[24]:(w:2,p:4,a:3) @LM1+8, rep(g,c,b,m)",
        4,
        &["l1bmm $lb0 $ln16v/1110"],
    );
    issues(
        TransferOp::L1bm(L1bmKind::Broadcast, false),
        "i:(a:4) j:(a:8*4) @L1BM+0, rep(g,c,b)",
        "i:(p:4) j:(a:2*1,a:2*4,a:2*2) @LM1+0, rep(g,c,b,m)",
        8,
        &["l1bmm $lb0 $ln[0,2,8,10]", "l1bmm $lb16 $ln[4,6,12,14]"],
    );
    issues(
        TransferOp::L1bm(L1bmKind::Reduce, false),
        "i:(w:2,p:4,a:8) @LM0+0, rep(g,c,b), sum(m)",
        "i:(w:2,a:32) @L1BM+64, rep(g,c,b)",
        8,
        &["l1bmriiadd $lm0v $lb64", "l1bmriiadd $lm8v $lb80"],
    );
    // A matrix of rows at a stride, and its columns one after the other.
    issues(
        TransferOp::Mread(Precision::Single),
        "i:(a:8*2) j:(w:2,p:4) @X+0, rep(g,c,b,m)",
        "i:(w:2,p:4) j:(a:8) @GRF0+0, rep(g,c,b,m)",
        8,
        &["fmread $lx0 $lr0v", "fmread $lx4 $lr8v"],
    );
}

#[test]
fn an_outer_loop_is_over_what_operands_name() {
    let [from, to] = [
        "i:(a:4) j:(a:8*4) @L1BM+0, rep(g,c,b)",
        "i:(p:4) j:(a:8) @LM1+0, rep(g,c,b,m)",
    ]
    .map(|text| text.parse::<Layout>().expect(text));
    let ends = (&Stage::from_layout(&from), &Stage::from_layout(&to));
    let outer = |dim, bit| {
        let outer = [Bit::Index { dim, bit }];
        let op = TransferOp::L1bm(L1bmKind::Broadcast, false);
        Leg::new(op, None, ends, &from.extents(), &outer)
    };
    // Both values of i go in one instruction, and the cycles walk over j's lower bits.
    for (dim, bit, expect) in [
        (
            0,
            1,
            "the required content of p1 of LM1 does not come from the source",
        ),
        (
            1,
            1,
            "the content of a3 of L1BM does not arrive at the required place",
        ),
    ] {
        assert_eq!(outer(dim, bit).expect_err(expect).to_string(), expect);
    }
    let leg = outer(1, 2).expect("a loop of the program");
    for (round, expect) in [(0, "l1bmm $lb0 $ln0v"), (1, "l1bmm $lb16 $ln8v")] {
        let lines: Vec<String> = leg
            .instructions(round)
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(lines, [expect]);
    }
    assert_eq!(leg.cycles(), 8);
}
