//! Everything that the manual calls an error is rejected, with the reason and the section that the
//! manual gives.

use tessera_isa_mncore::{check, hazards, parse};

/// Returns the section of the first error of a source, and whether its message contains the words.
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
        "expected 2 long words, found 1",
    ),
    (
        "3.4.4",
        "d set $lm0n0c0b0m0p0 1 h12345_2_3_4",
        "1 to 4 hexadecimal digits",
    ),
    // The manual's own example (3.5.2.1) breaks the rule of 3.5.3.
    (
        "3.5.3",
        "mvp/n0x80 $p0x40@1 $d0x20@2",
        "the address 32 is not a multiple of 64",
    ),
    ("3.5.3", "mvp $p0@0 $d0@1", "the length is missing"),
    ("3.6.1.6", "lpassa $lm1v $ln0v", "not a multiple of 2"),
    ("3.6.1.6", "lpassa $llm2v $lln0v", "not a multiple of 4"),
    ("3.6.1.6", "lpassa $lm0v3 $ln0v", "not a multiple of 2"),
    ("3.6.1.6", "lpassa $lmt0j1 $ln0v", "exclude each other"),
    ("3.6.1.8", "lpassa $lnt $lm0v", "expected an address in LM1"),
    ("3.6.1.10", "lpassa $lr512v $ln0v", "0 to 511"),
    ("3.6.1.11", "lpassa $ls1v $ln0v", "not a multiple of 2"),
    ("3.6.1.13", "l1bmm $lb0 $omr1", "only the ALU and the MAU"),
    ("3.6.1.14", "dmwrite $llm0v $llx0", "only half precision"),
    ("3.6.1.14", "hmwrite $llm0v $llx1", "start at an even one"),
    (
        "3.6.1.20",
        "ladd $lr0v $peid $ls0v",
        "first input of the ALU",
    ),
    ("3.6.2.1", "lpassa $lr0v $ls0v/$imr0", "1 to 15"),
    ("3.6.4", "lpassa/1100 $lm0v $lr0v/1000", "mask_entry"),
    (
        "3.6.4",
        "lpassa $lm0v $ln0v; linc $lr0v $lr0v",
        "a second expression of the group alu",
    ),
    (
        "3.6.4",
        "dvfmau $lm0v $lr0v $ln0v $ls0v; fmwrite $lr0v $lx0",
        "mau_precision",
    ),
    (
        "3.6.4",
        "dvfmau $lm0v $lr0v $ln0v $ls0v; dmwrite $lr0v $lx0; dmread $ly0 $t",
        "at most two of MAU arithmetic",
    ),
    (
        "3.6.4",
        "dvfmau $lm0v $lr0v $ln0v $ls0v; dmwrite $ln0v $lx0",
        "mau_b",
    ),
    (
        "3.6.4",
        "dmfmau $lx $lm0v $lr0v $ls0v; dmwrite $lm0v $lx0",
        "matrix_x",
    ),
    ("3.6.4", "lpassa $lm0v $ln0v; fvpassa $lm0v $ln0v", "lm1_in"),
    (
        "3.6.4",
        "lpassa $lm0v $ln0v; fvpassa $lm2v $ls0v",
        "lm0_addr",
    ),
    ("3.6.4", "lpassa $lm0v $lm2v", "lm0_addr"),
    ("3.6.5", "noforward; nop", "only `wait`"),
    ("3.6.7.1", "l2bmb@[0,3] $lc0 $lb0", "no immode"),
    ("3.6.7.3", "l2bmb2 $lc32 $lb0", "not a multiple of 64"),
    ("3.6.7.5", "l2bm@1 $lb8 $lc0", "not a multiple of 16"),
    ("3.6.7.6", "l2bmrdfadd $lb8 $lc0", "not a multiple of 16"),
    ("3.6.7.7", "l2bmr2dfadd $lb0 $lc16", "not a multiple of 64"),
    ("3.6.7.8", "l2bmd $lb4 $lc0", "not a multiple of 8"),
    ("3.6.7.9", "l2bmi@0 $lb8 $lb0", "not a multiple of 16"),
    ("3.6.4", "l1bmp $lb0 $lm0v $lm100v", "lm0_addr"),
    ("3.6.8.4", "l1bmrdfadd $lr0ve $lb0", "no `e` here"),
    (
        "3.6.8.6",
        "l1bmm@0 $lr0v $lb0\nl1bmp $lbi $lr0v",
        "no transfer to L1BM fills",
    ),
    ("3.6.8.8", "l1bmm $lb2 $lr0v", "not a multiple of 4"),
    ("3.6.8.9", "l1bmm $llb4 $llr0v", "not a multiple of 8"),
    (
        "3.6.8.13",
        "l1bmrdfadd $llr0v $llb0",
        "no form of two long words",
    ),
    ("3.6.8.14", "l1bmm4 $lb8 $lr0v", "not a multiple of 16"),
    ("3.6.11.3", "hmread $lx0 $llr0v", "$llx or $lly"),
    ("3.6.12.12", "hbfn/5 $lr0v $ls0v", "/6 to /9"),
    ("3.6", "dbfe/9 $lr0v $ls0v", "unknown opcode"),
    ("3.6", "lmsl $lr0v $ls0v", "unknown opcode"),
    ("3.6", "dand $lr0v $ln0v $ls0v", "unknown opcode"),
    ("3.6", "fmaxu $lr0v $ln0v $ls0v", "unknown opcode"),
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
        "some but not all",
    ),
    ("3.6.8.3", "l1bmm $llb0 $lr0v", "needs `ll`"),
    ("3.6.8.20", "l1bmd $lb32 $lr0v", "not a multiple of 64"),
    ("3.6.9.23", "gmfma $ly $lm0ve $lr0v $ln0v", "the suffix `e`"),
    ("3.6.9.24", "fvmul $llm0vr $lr0v $ln0v", "the suffix `r`"),
    ("3.6.13", "wait i01", "cannot be issued alone"),
    ("3.6.13", "nop; wait i00", "tag 0"),
];

/// For each mode, a transfer whose length is not a multiple of its unit: sections 3.5.8.2 to
/// 3.5.8.25.
const LENGTHS: &[&str] = &[
    "mvp/n96 $p0@0 $d0@1",
    "mvp/n96 $d0@1 $p0@0",
    "mvp/n96 $p0@0 $lc0@2.1",
    "mvp/n96 $lc0@2.1 $p0@0",
    "mvp/n96 $d0@0 $lc0@2.1",
    "mvp/n96 $lc0@2.1 $d0@0",
    "mvp/n96 $p0@0 $p0@1",
    "mvp/n96 $p0 $lc0@.1",
    "mvp/n96 $lc0@.1 $p0",
    "mvp/n96 $d0 $lc0@.1",
    "mvp/n96 $lc0@.1 $d0",
    "mvb2/n96 $d0 $lc0",
    "mvr2dfadd/n96 $lc0 $d0",
    "mvr2dfadd/n96 $lc0@1 $p0@1",
    "mvb4/n96 $d0 $lc0",
    "mvr4dfadd/n96 $lc0 $d0",
    "mvb/n96 $p0@0 $lc0",
    "mvrdfadd/n96 $lc0 $p0@0",
    "mvb/n96 $d0 $lc0",
    "mvrdfadd/n96 $lc0 $d0",
    "mvd/n96 $p0@0 $lc0",
    "mvd/n96 $lc0 $p0@0",
    "mvd/n96 $p0@0 $d0",
    "mvd/n96 $d0 $p0@0",
];

#[test]
fn lengths_of_transfers() {
    for (index, source) in LENGTHS.iter().enumerate() {
        let section = format!("3.5.8.{}", index + 2);
        refused(
            source,
            &section,
            "the length 96 is not a positive multiple of 64",
        );
    }
}

/// The valid programs that the manual shows next to its errors.
#[test]
fn valid_programs_next_to_errors() {
    for source in [
        // 3.2.2
        "imm us\"0x8000\" $t",
        // 3.6.3.1 to 3.6.3.9
        "l2bm@0 $lb0 $lc4096\nnop\nmvp/n4160 $lc0@.0 $d0",
        "l2bm@0 $lb0 $lc0\nnop/3\nl2bmb $lc64 $lb64",
        "l2bmb $lc0 $lb0\nnop/2\nl2bm@0 $lb64 $lc64",
        "l2bmi@0/0 $lb0 $lb0\nnop/3\nl2bm@1 $lb64 $lc64",
        "l2bmi@0/0 $lb64 $lb64\nnop\nl1bmm $lb52 $lr0v",
        "l2bmb $lc0 $lb64\nl1bmm $lb52 $lr0v",
        "l1bmr4dfadd $lr0v $lb48\nnop/2\nl2bmrdfadd $lb64 $lc0",
        "l1bmrdfadd $lr0v $lb0\nnop/2\nl1bmm $lb16 $ls0v",
        "imm f\"1.0\" $r0/1000\nnop\ndvadd $lm0v $r0e $ln0v",
        "imm f\"1.0\" $r0/0100\nnop\ndvadd $lm0v $r0e $ln0v",
        "lpassa $lm0v $omr1\nlpassa $ln0v $lr0v/$imr1",
        // 3.6.4: as much as fits into one step
        "l2bmdars $lc0@.0 $dar0; l2bmdarw; l1bmrdfadd $lr0v $lbi\n\
         noforward; l2bmb $lc256 $lb0; l2bmdarw; l1bmm $lbi $lr0v/$imr1; l1bmrdfadd $lr8v $lb256; \
         gmmul $lx $lm0v $ln0v/$imr1; gmwrite $ls0v $ly0; hrelu/$imr1 $t $t $t; wait i01",
        // 3.6.8.6, 3.6.8.20, 3.7.2
        "l1bmp $lb0 $lr0 $lm0v/$imr1 $lt",
        "isub $lr0v $llm0v $ln0v; l1bmm@0 $llm0v $llb0",
        "sor $llm0v $llm0vr $nowrite; hvfma $llm0v $llm0v $llm0v $nowrite; l1bmm@0 $llm0v $lb0",
        // 3.6.13
        "mvp/n64i01 $lc0@.0 $d0\nl2bmrdfadd $lb0 $lc0; wait i01",
    ] {
        let program = parse(source).unwrap_or_else(|found| panic!("{source}: {found:?}"));
        assert!(
            check(&program).is_empty(),
            "{source}: {:?}",
            check(&program)
        );
        let found = hazards(&program);
        assert!(found.is_empty(), "{source}: {:?}", found[0].diagnostic);
    }
}

#[test]
fn errors_of_the_manual() {
    for (section, source, words) in ERRORS {
        refused(source, section, words);
    }
}
