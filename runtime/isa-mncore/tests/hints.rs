//! Related locations and hints of diagnostics, and the suggestion when no layout in DRAM leads to a
//! given one.

use tessera_isa_mncore::layout::plan::{Planner, Region, ScratchRegions};
use tessera_isa_mncore::layout::{Layout, Memory};
use tessera_isa_mncore::{check, parse};

/// Returns the labels of related locations and the hint of the first error that [`check`] reports.
#[track_caller]
fn refused(source: &str, labels: &[&str], hint: Option<&str>) {
    let program = parse(source).unwrap_or_else(|e| panic!("{}", e[0].render("test", source)));
    let found = check(&program);
    let found = found
        .first()
        .unwrap_or_else(|| panic!("accepted: {source}"));
    let related: Vec<&str> = found
        .related
        .iter()
        .map(|(_, label)| label.as_str())
        .collect();
    assert_eq!(related, labels, "{source}");
    assert_eq!(found.hint.as_deref(), hint, "{source}");
}

#[test]
fn fields_with_two_values() {
    let local = "a local memory has one address in a step: read and write the same words, or use \
                 another memory";
    let registers = "a register file has one read address in a step: put one operand into the \
                     other file or into a local memory";
    let immediate = "an immediate lies in the bits of LM0's address: use another memory";
    for (source, hint) in [
        ("lpassa $lm0v $lm2v", Some(local)),
        ("lpassa $ln0v $ln2v", Some(local)),
        ("isub $lr0v $lm0v4 $ln0v; l1bmm@0 $llm0v $llb0", Some(local)),
        ("imm i\"1\" $lm0v", Some(immediate)),
        ("ladd $lr0v $lr8v $ln0v", Some(registers)),
        ("ladd $ls0v $s8v $ln0v", Some(registers)),
        ("lpassa/1100 $lm0v $lr0v/1000", None),
    ] {
        refused(source, &["the other use"], hint);
    }
}

#[test]
fn operands() {
    let block = "widen or narrow the values before the block float conversion";
    let reduction = "`r` at the end of a reduction's opcode narrows its result";
    for (source, hint) in [
        ("gmmul $lx $lm0ve $ln0v", Some(block)),
        ("hvmul $lm0ve $lr0v $lln0v", None),
        ("l1bmm@0 $llr0vr $llb0", Some(reduction)),
    ] {
        refused(source, &[], hint);
    }
}

#[test]
fn the_turnaround_register() {
    for source in [
        "l1bmm@0 $llr0v $llbi\nl1bmm $lbi $lr0v",
        "l1bmd $lr0v $lbi\nl1bmd+1 $lbi $lr0v",
    ] {
        refused(source, &["the transfer that filled it"], None);
    }
    refused("l1bmm@0 $lr0v $lb0\nl1bmp $lbi $lr0v", &[], None);
}

/// No transfer turns a tensor into summands.
#[test]
fn layouts_that_no_transfer_reaches() {
    let summands: Layout = "i:(w:2,a:32) @LM0+0, rep(g,c,b,p), sum(m)"
        .parse()
        .expect("it is a layout");
    let dram = Region::whole(Memory::Dram);
    let fed = Planner::default().feed(&summands, dram, &ScratchRegions::intermediate());
    assert_eq!(
        fed.expect_err("it is none").to_string(),
        format!(
            "no chain of up to 3 transfers takes DRAM to {summands}: choose a layout that \
             broadcasts what the hardware broadcasts, or more room"
        )
    );
}
