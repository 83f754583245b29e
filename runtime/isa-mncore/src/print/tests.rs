use crate::parse;

/// `line` prints as `expect`, and `expect` prints as itself.
#[track_caller]
fn check(line: &str, expect: &str) {
    let printed = |text: &str| match parse(text) {
        Ok(program) => program.to_string().trim_end().to_owned(),
        Err(errors) => panic!("{}", errors[0].render("test", text)),
    };
    assert_eq!(printed(line), expect, "{line}");
    assert_eq!(printed(expect), expect);
}

#[test]
fn canonical_spelling() {
    for (line, expect) in [
        ("lpassa  $lm0v2 $llt", "lpassa $lm0v $t"),
        ("lpassa $lm0v0 $ln0x10v4/1100", "lpassa $lm0 $ln16v4/1100"),
        ("lpassa $lmt $lnb", "lpassa $lmt0 $lnb"),
        (
            "lpassa $llm[0, 4,8,12] $omr3/$imr1",
            "lpassa $llm[0,4,8,12] $omr3/$imr1",
        ),
        (
            "maskrt 0b10001\nlpassa $lm0v $lr0v $t",
            "lpassa $lm0v $lr0v/0001 $t/0001p",
        ),
        (
            "hmmul/ll0111 $lx $lm0v $llr0v/ll0111",
            "hmmul/ll0111 $lx $lm0v $llr0v/ll0111",
        ),
        ("imm f\"1\" $lr0", "imm ui\"0x3f800000\" $lr0"),
        (
            "hbfe/7/1000 $llm0vr $nowrite",
            "hbfe/7/1000 $llm0vr $nowrite",
        ),
        ("frelu0 $mreadf -$aluf $s1v", "frelu $mreadf -$aluf $s1v"),
        ("l2bmd@[4,5] $lc0 $lb0", "l2bmd@4/1 $lc0 $lb0"),
        ("l2bm@1 $lb16 $lc32", "l2bm@1 $lb16 $lc32"),
        ("l2bmi@2/0 $lb0 $lb16", "l2bmi@2 $lb0 $lb16"),
        (
            "l2bmdars $lc64@.1 $dar5; l2bmdarw",
            "l2bmdars $lc64@.1 $dar5; l2bmdarw",
        ),
        ("l1bmrhfadd $lr0v $lb0", "l1bmrhfadd $lr0v $lb0"),
        ("l1bmrffaddr $llr0v $lbi", "l1bmrffaddr $llr0v $lbi"),
        ("l1bmd+0 $lb0 $lr0v", "l1bmd $lb0 $lr0v"),
        (
            "l1bmd-3 $lr0v $lb0; l1bmd+3 $lbi $ls0v",
            "l1bmd-3 $lr0v $lb0; l1bmd+3 $lbi $ls0v",
        ),
        (
            "hmwrite $llr0v $llx2; hmread $lly4 $lls0v",
            "hmwrite $llr0v $llx2; hmread $lly4 $lls0v",
        ),
        ("nop/2; wait i1F", "nop; wait i1f\nnop"),
        ("mvp/i01n64p2 $p0@0 $lc0@2.1", "mvp/n64i01p2 $p0@0 $lc0@2.1"),
        ("mvp/n64nd4 $di5 $lc0@.1", "mvp/n64nd4 $di5 $lc0@.1"),
        ("mvr2dfadd/n64 $lc0@1 $p0@1", "mvr2dfadd/n64 $lc0@1 $p0@1"),
        ("mvnop", "mvnop"),
        ("d getbh $llr4n0c1b2m3p1 2", "d getbh $llr4n0c1b2m3p1 2"),
        ("d get $tn0 4", "d get $ltn0 4"),
        ("d get $omr1 1", "d get $omr1 1"),
        ("d set $m0 1 s1_2", "d set $m0 1 0000000100000002"),
        (
            "r 0 000000001 001 00000000000000aB",
            "r 0 000000001 001 00000000000000AB",
        ),
        (
            "e 0 0 i02 i00 0 000000000 010000",
            "e 0 0 i02 i00 0 000000000 010000",
        ),
        ("f", "f"),
    ] {
        check(line, expect);
    }
}
