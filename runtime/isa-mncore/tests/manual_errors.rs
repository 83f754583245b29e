//! Everything the manual calls an error is one, for the reason and with the section that it gives.

use tessera_isa_mncore::{check, hazards, parse};

/// The first finding of a source: its section and whether its message has the words.
#[track_caller]
fn refused(source: &str, section: &str, words: &str) {
    let found = match parse(source) {
        Err(mut errors) => errors.swap_remove(0),
        Ok(program) => {
            let broken = check(&program).into_iter().next();
            let hazard = || {
                hazards(&program)
                    .into_iter()
                    .next()
                    .map(|hazard| hazard.diagnostic)
            };
            broken
                .or_else(hazard)
                .unwrap_or_else(|| panic!("accepted: {source}"))
        }
    };
    assert_eq!(found.section, Some(section), "{source}: {}", found.message);
    assert!(found.message.contains(words), "{source}: {}", found.message);
}

/// Section, source, words of the message.
const ERRORS: &[(&str, &str, &str)] = &[
    (
        "3.2.2",
        "imm s\"0x8000\" $t",
        "32768 is not in -32768 to 32767",
    ),
    (
        "3.4.3",
        "d getf $m0n0c0b0m0p0 1\nd getd $m0n0c0b0m0p0 1",
        "the access has fewer",
    ),
    ("3.4.4", "d set $lm0n0c0b0m0p0 1 xyz", "a long word is"),
    (
        "3.4.4",
        "d set $lm0n0c0b0m0p0 2 0000000000000000",
        "2 long words are to be written, 1 are given",
    ),
    (
        "3.4.4",
        "d set $lm0n0c0b0m0p0 1 h12345_2_3_4",
        "1 to 4 hexadecimal digits",
    ),
    (
        "3.5.8.2",
        "mvp/n96 $p0@0 $d0@1",
        "not a positive multiple of 64",
    ),
    ("3.5.3", "mvb4/n64 $d16 $lc0", "not a multiple of 32"),
    (
        "3.6.1.18",
        "drelu $lr0v $mreadf $ls0v",
        "first input of the ALU",
    ),
    (
        "3.6.1.19",
        "lpassa $lm0v $nowrite $ln0v",
        "excludes other destinations",
    ),
    ("3.6.2.1", "lpassa $lm0v $llr0v/1100", "add `p`"),
    ("3.6.2.1", "lpassa $lm0v $lr0v/ll1100", "add `t`"),
    ("3.6.2.1", "lpassa $lm0v $lr0v/1100p", "remove the suffix"),
    ("3.6.4", "lpassa $lm0v $lr0v/1100 $ls0v/1000", "mask_entry"),
    (
        "3.6.4",
        "lpassa $llm0v $lr0v/1100 $lls0v/ll1100",
        "mask_width",
    ),
    (
        "3.6.4",
        "lpassa/1100 $lm0v $lr0v; fvpassa/1100 $lm0v $ls0v",
        "zero_flush",
    ),
    (
        "3.6.3.1",
        "l2bm@0 $lb0 $lc4096\nmvp/n4160 $lc0@.0 $d0",
        "has just written",
    ),
    (
        "3.6.3.2",
        "l2bm@0 $lb0 $lc0\nnop/2\nl2bmb $lc64 $lb64",
        "port",
    ),
    (
        "3.6.3.3",
        "l2bmb $lc0 $lb0\nnop\nl2bm@0 $lb64 $lc64",
        "port",
    ),
    (
        "3.6.3.4",
        "l2bmi@0/0 $lb0 $lb0\nnop/2\nl2bm@1 $lb64 $lc64",
        "port",
    ),
    (
        "3.6.3.5",
        "l2bmi@0/0 $lb64 $lb64\nnop\nl1bmm $lb56 $lr0v",
        "a multicast",
    ),
    (
        "3.6.3.6",
        "l2bmb $lc0 $lb64\nl1bmm $lb56 $lr0v",
        "a transfer from L2BM",
    ),
    (
        "3.6.3.7",
        "l1bmr4dfadd $lr0v $lb32\nnop/2\nl2bmrdfadd $lb64 $lc0",
        "a transfer from PE",
    ),
    (
        "3.6.3.8",
        "l1bmrdfadd $lr0v $lb0\nnop\nl1bmm $lb16 $ls0v",
        "port",
    ),
    (
        "3.6.3.9",
        "imm f\"1.0\" $r0/0010\nnop\ndvadd $lm0v $r0e $ln0v",
        "GRF0",
    ),
    (
        "3.6.4",
        "isub $lr0v $lm0v4 $ln0v; l1bmm@0 $llm0v $llb0",
        "lm0_width",
    ),
    ("3.6.4", "imm i\"1\" $lm0v", "lm0_addr"),
    ("3.6.5", "nop; lpassa $lm0v $ln0v", "only `wait`"),
    ("3.6.7.2", "l2bmb $lc8 $lb0", "not a multiple of 16"),
    ("3.6.7.4", "l2bmd $lc0 $lb4", "not a multiple of 8"),
    (
        "3.6.7.9",
        "l2bmi@[0,1,2,3,4,5,6,7] $lb0 $lb0",
        "not all of them",
    ),
    ("3.6.8.3", "l1bmm $llb0 $lr0v", "the destination needs `ll`"),
    ("3.6.8.20", "l1bmd $lb32 $lr0v", "not a multiple of 64"),
    ("3.6.9.23", "gmfma $ly $lm0ve $lr0v $ln0v", "no `e` here"),
    ("3.6.9.24", "fvmul $llm0vr $lr0v $ln0v", "no `r` here"),
    ("3.6.13", "wait i01", "cannot be issued alone"),
    ("3.6.13", "nop; wait i00", "tag 0"),
];

#[test]
fn errors_of_the_manual() {
    for (section, source, words) in ERRORS {
        refused(source, section, words);
    }
}
