//! Plans by name and cost: operands and result of a 1024×1024×1024 matmul in half precision, with
//! rows over the L2B, columns over L1B and MABs; and transfers without a plan.

use super::*;
use crate::memory::Bank;

fn layout(text: &str) -> Layout {
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Checks the source layout and the chain with which a kernel's operand is fed from DRAM.
#[track_caller]
fn check_feed(to: &str, source: &str, chain: &str) {
    let found = Planner::default()
        .feed(
            &layout(to),
            Region::whole(Memory::Dram),
            &ScratchRegions::intermediate(),
        )
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(
        (found.0.to_string().as_str(), found.1.to_string().as_str()),
        (source, chain)
    );
}

#[test]
fn the_vector_side_of_a_matmul() {
    // In DRAM: a = (k2,k3,n3,n7,n4,n5,n6,n0,n1,n2,k4..k9), g = n8,n9; and nothing is shuffled on
    // the chip.
    check_feed(
        "k:(h:4,p:4,a:64) n:(T:4,a:2,m:16,b:8) @LM0+0, rep(g,c)",
        "k:(h:4,a:4*1,a:64*1024) n:(a:8*128,a:2*4,a:8*16,a:2*8,g:4) @DRAM+0",
        "DRAM mvb L2BM l2bmd L1BM l1bmd LM0: 3200 steps",
    );
}

#[test]
fn the_matrix_side_of_a_matmul() {
    // A quarter of k, as much as an L1BM holds: tiles of 16 times 16, row-major; the L2B of a group
    // is an address bit.
    check_feed(
        "i:(a:128*4,c:2,g:4) k:(h:4,a:4*1,a:16*512) @L1BM+0, rep(b)",
        "i:(a:128*4,a:2*8192,g:4) k:(h:4,a:4*1,a:16*512) @DRAM+0",
        "DRAM mvp L2BM l2bmb L1BM: 384 steps",
    );
}

#[test]
fn the_result_of_a_matmul() {
    // Up unchanged: rows of 64 long words with h, p and m, then b, as DRAM requires.
    let kernel = layout("i:(h:4,p:4,a:8*8,c:2,g:4) n:(a:8,m:16,b:8) @GRF1+0");
    let found = Planner::default().drain(
        &kernel,
        Region::whole(Memory::Dram),
        &ScratchRegions::intermediate(),
        None,
    );
    let found = found.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(
        (found.0.to_string().as_str(), found.1.to_string().as_str()),
        (
            "i:(h:4,a:4*1,a:16*4096,g:4) n:(a:8*512,a:2*4,a:8*64,a:8*8) @DRAM+0",
            "GRF1 l1bmd L1BM l2bmd L2BM mvp DRAM: 1168 steps"
        )
    );
}

#[test]
fn a_result_becomes_an_operand() {
    let dram = Region {
        memory: Memory::Dram,
        base: 0,
        words: 1 << 24,
    };
    let found = Planner::default().plan(
        &layout("i:(h:4,p:4,a:8*8,c:2,g:4) n:(a:8,m:16,b:8) @GRF1+0"),
        &layout("i:(h:4,p:4,a:64*8) n:(a:8,m:16,b:8) @LM0+0, rep(g,c)"),
        &ScratchRegions::intermediate().with(dram),
        None,
    );
    let found = found.unwrap_or_else(|error| panic!("{error}"));
    // mvb brings the rows that were in the groups to the address bits that l2bmd deals to L1B: they
    // come back up, L1B by L1B, and down again.
    assert_eq!(
        found.1.to_string(),
        "GRF1 l1bmd L1BM l2bmd L2BM mvp DRAM mvb L2BM l2bmb2 L1BM l2bm L2BM l2bmd L1BM l1bmd LM0: \
         9488 steps"
    );
}

#[test]
fn plans_are_kept() {
    let mut planner = Planner::default();
    let (from, to) = ("i:(a:64,c:2) @L2BM+0, rep(g)", "i:(a:128) @DRAM+0, rep(g)");
    let mut plan = || {
        planner
            .plan(
                &layout(from),
                &layout(to),
                &ScratchRegions::intermediate(),
                None,
            )
            .unwrap()
    };
    assert!(Rc::ptr_eq(&plan(), &plan()));
    // Nothing to do.
    let none = planner
        .plan(
            &layout(to),
            &layout(to),
            &ScratchRegions::intermediate(),
            None,
        )
        .unwrap();
    assert_eq!((none.1.cycles(), none.1.instructions().count()), (0, 0));
}

#[track_caller]
fn error(from: &str, to: &str, regions: &[Region], expect: &str) {
    let found = Planner::default().plan(
        &layout(from),
        &layout(to),
        &ScratchRegions::new(regions),
        None,
    );
    assert_eq!(
        found.expect_err(expect).to_string(),
        expect,
        "{from} -> {to}"
    );
}

#[test]
fn layouts_without_a_plan() {
    let row = "i:(w:2,a:32) @L1BM+0, rep(g,c,b)";
    error(
        row,
        "j:(w:2,a:32) @L1BM+64, rep(g,c,b)",
        &[],
        "i:(w:2,a:32) @L1BM+0, rep(g,c,b) and j:(w:2,a:32) @L1BM+64, rep(g,c,b) are layouts of \
         different tensors: dimensions and width of elements must agree",
    );
    error(
        row,
        "i:(w:2,a:32) @L1BM+64, rep(g,c,b)",
        &[],
        "no chain of up to 10 transfers takes i:(w:2,a:32) @L1BM+0, rep(g,c,b) to i:(w:2,a:32) \
         @L1BM+64, rep(g,c,b): provide scratch regions in PE memory or DRAM, or choose more \
         similar layouts",
    );
    error(
        "i:(w:2,p:4,a:8) @LM0+0, rep(g,c,b), sum(m)",
        row,
        &[],
        "no chain of up to 10 transfers takes i:(w:2,p:4,a:8) @LM0+0, rep(g,c,b), sum(m) to \
         i:(w:2,a:32) @L1BM+0, rep(g,c,b): partial sums need a reduction",
    );
    let registers = Region {
        memory: Memory::Pe(Bank::Grf0),
        base: 128,
        words: 256,
    };
    error(
        row,
        row,
        &[registers],
        "the region of 256 long words of GRF0 from 128 on is larger than the memory",
    );
    let twice = Region::whole(Memory::L2bm);
    error(
        row,
        row,
        &[twice, twice],
        "the region of 32768 long words of L2BM from 0 on is the second of its memory: give one",
    );
    // No transfer makes summands.
    let feed = Planner::default().feed(
        &layout("i:(w:2,a:32) @LM0+0, rep(g,c,b,p), sum(m)"),
        Region::whole(Memory::Dram),
        &ScratchRegions::intermediate(),
    );
    let found = feed.expect_err("an error").to_string();
    assert!(
        found.starts_with("no chain of up to 3 transfers takes DRAM to i:(w:2,a:32) @LM0+0"),
        "{found}"
    );
    let sums = Planner::default().drain(
        &layout("i:(w:2,p:4,a:8) @LM0+0, rep(g,c,b), sum(m)"),
        Region::whole(Memory::Dram),
        &ScratchRegions::intermediate(),
        None,
    );
    let found = sums.expect_err("an error").to_string();
    assert!(
        found.ends_with(
            "to DRAM: partial sums need a reduction and lie on places it sums over; \
             or give more room"
        ),
        "{found}"
    );
}
