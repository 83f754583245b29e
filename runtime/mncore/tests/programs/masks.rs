//! Masks in all their spellings (manual, section 3.6.2), compared with equivalent programs without
//! masks; and an MV instruction that does nothing.

use super::stated::same;

#[test]
fn masks_over_several_lines() {
    for (one, other) in [
        // Each letter masks its memory and no other.
        (
            "maskr 0b11010\nlpassa $lm0v $lr0v $ls0v\nmask 0\nlpassa $lm0 $lr64",
            "lpassa $lm0v $lr0v/1010 $ls0v\nlpassa $lm0 $lr64",
        ),
        (
            "masks 0b10110\nlpassa $lm0v $lr0v $ls0v",
            "lpassa $lm0v $lr0v $ls0v/0110",
        ),
        (
            "maskt 0b10011\nlpassa $lr0v $t $ls0v",
            "lpassa $lr0v $t/0011p $ls0v",
        ),
        (
            "maskm 0b11001\nlpassa $lr0v $lm0v $ls0v",
            "lpassa $lr0v $lm0v/1001 $ls0v",
        ),
        (
            "maskn 0b11001\nlpassa $lr0v $ln0v $ls0v",
            "lpassa $lr0v $ln0v/1001 $ls0v",
        ),
        (
            "maskk 0b10100\nsinc $peid $omr1 $lr0v",
            "sinc $peid $omr1/0100 $lr0v",
        ),
        // A base address register is masked like its memory.
        (
            "maskm 0b10000\nimm i\"4\" $lmb\nmask 0\nlpassa $lm0v $lr0v",
            "lpassa $lm0v $lr0v",
        ),
        // In any order, at both widths, from a register.
        (
            "masklsr 0b11010\nlpassa $lm0v $lr0v $ls0v",
            "lpassa $lm0v $lr0v/1010 $ls0v/1010",
        ),
        (
            "maskllr 0b11010\nlpassa $llm0v $llr0v $ls0v",
            "lpassa $llm0v $llr0v/ll1010 $ls0v",
        ),
        (
            "sinc $peid $omr2/0110\nmaskrstmnk 2\nlpassa $llm0v $lr0v $lls0v $t $ln0v",
            "sinc $peid $omr2/0110\nlpassa $llm0v $lr0v/0110 $lls0v/0110p $t/0110p $ln0v/0110",
        ),
        // 0 and 31 mask nothing.
        ("maskr 0\nlpassa $lm0v $lr0v", "lpassa $lm0v $lr0v"),
        ("maskr 31\nlpassa $lm0v $lr0v", "lpassa $lm0v $lr0v"),
        // A mask on a line replaces those of earlier lines, for that line.
        (
            "maskrs 0b10001\nlpassa $lm0v $lr0v/1000 $ls0v\nlpassa $lm8v $lr8v",
            "lpassa $lm0v $lr0v/1000 $ls0v\nlpassa $lm8v $lr8v/0001",
        ),
    ] {
        same(one, other);
    }
}

#[test]
fn masks_of_another_width_than_what_is_written() {
    for (one, other) in [
        // `t`: the words of one long word are covered like four of two.
        ("lpassa $lm0v $lr0v/ll1100t", "lpassa $lm0v $lr0v/1100"),
        // `p`: the second long word is written whatever the mask.
        (
            "lpassa $lr8 $ls64\nlpassa $lr12 $ls66\nlpassa $llm0v $llr0v/1100p",
            "lpassa $lr8 $ls64\nlpassa $lr12 $ls66\nlpassa $llm0v $llr0v\nlpassa $ls64 $lr8\n\
             lpassa $ls66 $lr12",
        ),
        (
            "lpassa $lr0 $ls64\nlpassa $llm0v $t\nlpassa $llr0v $t/0111p\nlpassa $t $llr16v",
            "lpassa $lr0 $ls64\nlpassa $llm0v $t\nlpassa $llr0v $llr16v\nlpassa $lm0 $lr16\n\
             lpassa $llr16v $t",
        ),
    ] {
        same(one, other);
    }
}

#[test]
fn zero_flushes_of_every_unit() {
    for (one, other) in [
        (
            "linc/1000 $lm0v $lr0v",
            "linc $lm0v $lr0v\nzero $lr2\nzero $lr4\nzero $lr6",
        ),
        ("dvpassa/0111 $lm0v $lr0v", "dvpassa $lm0v $lr0v\nzero $lr0"),
        (
            "dmwrite $lm0v $lx0\ndmread/1110 $lx0 $lr0v",
            "dmwrite $lm0v $lx0\ndmread $lx0 $lr0v\nzero $lr6",
        ),
        (
            "l1bmm/0110 $lb0 $lr0v",
            "l1bmm $lb0 $lr0v\nzero $lr0\nzero $lr6",
        ),
        // Two long words, and one of two.
        (
            "l1bmm/ll0110 $llb0 $llr0v",
            "l1bmm $llb0 $llr0v\nzero $llr0\nzero $llr12",
        ),
        (
            "lpassa/0110 $llm0v $llr0v",
            "lpassa $llm0v $llr0v\nzero $lr0\nzero $lr12",
        ),
        // From a register, words apart: PE 2 and 3 are not negative minus 2, the others are
        // flushed.
        (
            "imm i\"2\" $ls0\nisub $subpeid $ls0 $omr3\nlpassa/$imr3 $lm0v $lr0v",
            "imm i\"2\" $ls0\nisub $subpeid $ls0 $omr3\nzero $lr0v\nlpassa $lm0v $lr0v/$imr3",
        ),
        // Flushed and masked by the same entry.
        (
            "lpassa/1100 $lm0v $lr0v/1100 $ls0v",
            "lpassa $lm0v $lr0v/1100 $ls0v\nzero $ls4\nzero $ls6",
        ),
        // Forwarded results are flushed too, but flags are not.
        (
            "linc/1000 $lm0v $lr0v $omr1\nlpassa $aluf $ls0v",
            "linc $lm0v $lr0v $omr1\nlpassa/1000 $aluf $ls0v $lr0v",
        ),
    ] {
        same(one, other);
    }
}

#[test]
fn an_mv_instruction_that_does_nothing() {
    same("mvnop\nlpassa $lm0v $lr0v\nmvnop", "lpassa $lm0v $lr0v");
}
