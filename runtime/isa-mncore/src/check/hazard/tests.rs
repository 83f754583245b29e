use super::*;
use crate::diagnostic::Rule;
use crate::parse;

/// The statements before which `nop`s are missing, and how many.
fn check(source: &str, expect: &[(usize, u32)]) {
    let source = source.replace(" | ", "\n");
    let program = parse(&source).unwrap_or_else(|e| panic!("{}", e[0].render("test", &source)));
    let found: Vec<(usize, u32)> = hazards(&program)
        .iter()
        .map(|hazard| (hazard.statement, hazard.nops))
        .collect();
    assert_eq!(found, expect, "{source}");
}

#[test]
fn examples_of_the_manual() {
    // 3.6.3.1
    check("l2bm@0 $lb0 $lc4096 | nop | mvp/n4160 $lc0@.0 $d0", &[]);
    check("l2bm@0 $lb0 $lc4096 | mvp/n4160 $lc0@.0 $d0", &[(1, 1)]);
    check("l2bm@0 $lb0 $lc4096 | mvp/n4096 $lc0@.0 $d0", &[]);
    // 3.6.3.2
    check("l2bm@0 $lb0 $lc0 | nop/3 | l2bmb $lc64 $lb64", &[]);
    check("l2bm@0 $lb0 $lc0 | nop/2 | l2bmb $lc64 $lb64", &[(3, 1)]);
    // 3.6.3.3
    check("l2bmb $lc0 $lb0 | nop/2 | l2bm@0 $lb64 $lc64", &[]);
    check("l2bmb $lc0 $lb0 | nop | l2bm@0 $lb64 $lc64", &[(2, 1)]);
    check("l2bmb@0 $lc0 $lb0 | l2bm@1 $lb0 $lc64", &[]);
    // 3.6.3.4
    check("l2bmi@0/0 $lb0 $lb0 | nop/3 | l2bm@1 $lb64 $lc64", &[]);
    check(
        "l2bmi@0/0 $lb0 $lb0 | nop/2 | l2bm@1 $lb64 $lc64",
        &[(3, 1)],
    );
    check("l2bmi@0/0 $lb0 $lb0 | l2bmi@0/0 $lb64 $lb64", &[]);
    // 3.6.3.5
    check("l2bmi@0/0 $lb64 $lb64 | nop | l1bmm $lb52 $lr0v", &[]);
    check("l2bmi@0/0 $lb64 $lb64 | nop | l1bmm $lb56 $lr0v", &[(2, 1)]);
    // 3.6.3.6
    check("l2bmb $lc0 $lb64 | l1bmm $lb52 $lr0v", &[]);
    check("l2bmb $lc0 $lb64 | l1bmm $lb56 $lr0v", &[(1, 1)]);
    // 3.6.3.7
    check(
        "l1bmr4dfadd $lr0v $lb48 | nop/2 | l2bmrdfadd $lb64 $lc0",
        &[],
    );
    check(
        "l1bmr4dfadd $lr0v $lb32 | nop/2 | l2bmrdfadd $lb64 $lc0",
        &[(3, 1)],
    );
    // 3.6.3.8
    check("l1bmrdfadd $lr0v $lb0 | nop/2 | l1bmm $lb16 $ls0v", &[]);
    check("l1bmrdfadd $lr0v $lb0 | nop | l1bmm $lb16 $ls0v", &[(2, 1)]);
    // 3.6.3.9
    for (mask, fine) in [
        ("1000", true),
        ("0100", true),
        ("0010", false),
        ("0001", false),
    ] {
        let expect: &[(usize, u32)] = if fine { &[] } else { &[(2, 1)] };
        check(
            &format!("imm f\"1.0\" $r0/{mask} | nop | dvadd $lm0v $r0e $ln0v"),
            expect,
        );
    }
    check("lpassa $lm0v $ln0v | nop/2 | lpassa $ln0v $lr0v", &[]);
    check("lpassa $lm0v $ln0v | nop | lpassa $ln0v $lr0v", &[(2, 1)]);
    check("lpassa $lm0v $omr1 | lpassa $ln0v $lr0v/$imr1", &[]);
    // 3.6.8.2: turning around takes no time
    check(
        "l1bmm@2 $lr0v $lb0 | l1bmm $lbi $lm0v; l1bmm@2 $lr8v $lb16 | l1bmm $lbi $lm8v",
        &[],
    );
}

#[test]
fn registers_are_distinguished_word_by_word() {
    // Written in cycle 3, read in cycle 0 of the second step after.
    check("lpassa $lm0v $lr0v | nop | lpassa $lr6v $ln0v", &[(2, 1)]);
    check("lpassa $lm0v $lr0v | nop | lpassa $lr0v $ln0v", &[]);
    check("lpassa $lm0v $lr0v | lpassa $lr0v $ln0v", &[(1, 1)]);
    check("lpassa $lm0v $lr0v | lpassa $lr8v $ln0v", &[]);
    check("lpassa $lm0v $lr0v | lpassa $ls0v $ln0v", &[]);
    check("lpassa $lr0v $lr0v", &[]);
    check("lpassa $lm0v $t | lpassa $t $ln0v", &[(1, 1)]);
    check("lpassa $ln0v $t | nop | lpassa $lmt0 $lr0v", &[]);
    check("lpassa $ln0v $t | lpassa $lmt0 $lr0v", &[(1, 1)]);
    check("lpassa $ln0v $t/0000p | lpassa $lmt0 $lr0v", &[]);
}

#[test]
fn a_mask_for_one_long_word_lets_the_lower_one_pass() {
    check("lpassa $llm0v $llr0v/0000p | lpassa $r2v4 $ln0v", &[(1, 1)]);
    check("lpassa $llm0v $llr0v/0000p | lpassa $r0v4 $ln0v", &[]);
    check("lpassa $llm0v $llr0v/ll0000 | lpassa $r2v4 $ln0v", &[]);
    check("lpassa $llr0v $llm0v/0000p | lpassa $lm0v $lr8v", &[(1, 2)]);
    check("lpassa $llr0v $llm0v/ll0000 | lpassa $lm0v $lr8v", &[]);
    check("lpassa $ln0v $t/0000p | lpassa $t $lr0v", &[(1, 1)]);
    check("lpassa $ln0v $t/ll0000 | lpassa $t $lr0v", &[]);
}

#[test]
fn two_long_words_for_every_pe_lie_four_apart() {
    // Cycle c reads c and c + 4; what is written first are 8 to 15.
    check("l2bmd $lc0 $lb8 | l1bmp $llb1 $llr0v", &[]);
    check("l2bmd $lc0 $lb8 | l1bmp $llb2 $llr0v", &[(1, 1)]);
    check("l2bmd $lc0 $lb8 | l1bmp $lb4 $lr0v", &[]);
    check("l2bmd $lc0 $lb8 | l1bmp $lb6 $lr0v", &[(1, 1)]);
}

#[test]
fn local_memories_whatever_the_address() {
    check("lpassa $lr0v $lm0v | lpassa $lm100v $lr8v", &[(1, 2)]);
    check("lpassa $lr0v $lm0v | nop/2 | lpassa $lm0v $lr8v", &[]);
    check("lpassa $lr0v $lm0v | lpassa $ln0v $lr8v", &[]);
    check("lpassa $lr0v $lm0v | lpassa $lr8v $lm0v", &[]);
    check("lpassa $lr0v $lm0v/0000 | lpassa $lm0v $lr8v", &[]);
    check("lpassa $lr0 $nb | nop | lpassa $ln0v $lr8v", &[(2, 1)]);
    check("lpassa $lr0 $nb | nop | lpassa $lr8v $ln0v/0000", &[(2, 1)]);
}

#[test]
fn the_end_of_a_memory_is_followed_by_its_beginning() {
    check("l2bmb $lc0 $lb8176 | l1bmd $lb0 $lr0v", &[(1, 2)]);
    check("l2bmd $lb0 $lc32704 | mvp/n64 $lc0@.0 $d0", &[(1, 1)]);
}

#[test]
fn fixes_leave_no_hazard_and_are_the_fewest() {
    let source = "lpassa $lr0v $lm0v\nlpassa $lm0v $lr8v\nlpassa $lr8v $ls0v\nlpassa $lm0v $ln0v\n";
    let mut program = parse(source).unwrap();
    assert_eq!(required_nops(&program), [(1, 2), (2, 1)]);
    assert_eq!(insert_nops(&mut program), 3);
    assert_eq!(
        program.to_string(),
        "lpassa $lr0v $lm0v\nnop\nnop\nlpassa $lm0v $lr8v\nnop\nlpassa $lr8v $ls0v\n\
         lpassa $lm0v $ln0v\n"
    );
    assert!(hazards(&program).is_empty());
}

#[test]
fn the_message_names_both_places_and_the_cure() {
    let source = "lpassa $lr0v $lm0v\nlpassa $lm0v $lr8v\n";
    let found = &hazards(&parse(source).unwrap())[0].diagnostic;
    assert_eq!(
        found.render("a.vsm", source),
        "a.vsm:2:8: error: LM0 is read while a write occupies its port (manual 3.6.3.9)\n\
         \x20 lpassa $lm0v $lr8v\n\
         \x20        ^^^^^\n\
         a.vsm:1:14: note: the write\n\
         \x20 lpassa $lr0v $lm0v\n\
         \x20              ^^^^^\n\
         hint: 2 more nops in between\n"
    );
    assert_eq!(found.rule, Rule::Hazard);
}

/// The message of the first hazard.
#[track_caller]
fn says(source: &str, expect: &str) {
    let source = source.replace(" | ", "\n");
    let found = hazards(&parse(&source).unwrap());
    let found = found
        .first()
        .map(|hazard| hazard.diagnostic.message.as_str());
    assert_eq!(found, Some(expect), "{source}");
}

#[test]
fn messages_name_the_pending_result() {
    says(
        "l2bm@0 $lb0 $lc4096 | mvp/n4160 $lc0@.0 $d0",
        "L2BM that an L1BM transfer has just written is read",
    );
    for (source, expect) in [
        (
            "l2bm@0 $lb0 $lc0 | nop | l2bmb $lc64 $lb64",
            "L2BM is read while a write occupies its port",
        ),
        (
            "l2bmb $lc0 $lb0 | nop | l2bm@0 $lb64 $lc64",
            "L1BM is read while a write occupies its port",
        ),
        (
            "l1bmrdfadd $lr0v $lb0 | nop | l1bmm $lb16 $ls0v",
            "L1BM is read while a write occupies its port",
        ),
        (
            "l2bmb $lc0 $lb64 | l1bmm $lb56 $lr0v",
            "L1BM is read before the long word of a transfer from L2BM arrives",
        ),
        (
            "lpassa $lm0v $lr0v | lpassa $lr0v $ln0v",
            "GRF0 is read before the written word arrives",
        ),
        (
            "lpassa $lm0v $ls0v | lpassa $ls0v $ln0v",
            "GRF1 is read before the written word arrives",
        ),
        (
            "lpassa $lm0v $lt | lpassa $lmt $ln0v",
            "the T register is read before the written word arrives",
        ),
        (
            "lpassa $lr0 $nb | lpassa $ln0v $lr8v",
            "LM1 is accessed before the written base address arrives",
        ),
    ] {
        says(source, expect);
    }
}
