use crate::check::check;
use crate::parse;

fn verdict(line: &str) -> Option<String> {
    let program = parse(line).unwrap_or_else(|e| panic!("{}", e[0].render("test", line)));
    check(&program).first().map(|found| found.message.clone())
}

#[test]
fn operands_that_are_allowed() {
    for line in [
        "dvfmau $m0ve $r0ve $n0ve $ls4v",
        "hvfma $lm0v $lr0v $ln0ve $lls8v",
        "hmfma $lx $lm0v $lr0ve $lls8v",
        "gmfma $ly $lm0v $lr0ve $ln0v"
            .replace("$lr0ve", "$r0ve")
            .as_str(),
        "fmfma $lx $m0v $lr0v $ls0v",
        "hvmul $llr0vr $lm0v $llt",
        "hmwrite $llr0vr $lx0",
        "fmwrite $r0v $lx0",
        "l1bmrffadd $lr0ve $llb0",
        "l1bmm@0 $lr0v $llb0",
        "hrsqrt $llr0vr $lm0v",
        "hadd $lr0v $lm0v $ln0v".replace("hadd", "hmax").as_str(),
        "drelu $mreadf $lr0v $ls0v",
        "lpassa $peid $omr1",
        "l1bmp $llb0 $llr0v $t",
    ] {
        assert_eq!(verdict(line), None, "{line}");
    }
}

#[test]
fn operands_that_are_refused() {
    for (line, message) in [
        (
            "drelu $lr0v $mreadf $ls0v",
            "`$mreadf` is for the first input of the ALU only",
        ),
        (
            "fvadd $peid $lr0v $ls0v",
            "the number of a unit is for the first input of the ALU only",
        ),
        (
            "ladd $lr0v $msb1 $ls0v",
            "`$msb1` is for the first input of the ALU only",
        ),
        (
            "l1bmm $lb0 $omr1",
            "only the ALU and the MAU have flags for mask registers",
        ),
        (
            "gmread $lx0 $omr1",
            "only the ALU and the MAU have flags for mask registers",
        ),
        (
            "gmmul $lx $lm0ve $ln0v",
            "this operand does not support the suffix `e`",
        ),
        (
            "hvmul $lm0ve $lr0v $lln0v",
            "this operand does not support the suffix `e`",
        ),
        (
            "fvmul $llm0vr $lr0v $ln0v",
            "this operand does not support the suffix `r`",
        ),
        (
            "hvadd $lm0v $llr0vr $lln0v",
            "this operand does not support the suffix `r`",
        ),
        (
            "hmwrite $llr0vr $llx0",
            "this operand does not support the suffix `r`",
        ),
        (
            "gmwrite $llr0vr $lx0",
            "this operand does not support the suffix `r`",
        ),
        (
            "hmwrite $lr0v $llx0",
            "the matrix register takes two long words a cycle, the input is a long word",
        ),
        (
            "lpassa -$lr0v $ls0v",
            "only the MAU inverts signs: no `-` here",
        ),
        (
            "l1bmm@0 -$lr0v $lb0",
            "only the MAU inverts signs: no `-` here",
        ),
        ("lpassa $lr0ve $ls0v", "the ALU does not widen: no `e` here"),
        (
            "lpassa $llr0vr $ls0v",
            "only 16-bit operations narrow their input: no `r` here",
        ),
        (
            "hpassa $lr0vr $ls0v",
            "`r` narrows two long words: use an `ll` operand",
        ),
        (
            "l1bmp $llb0 $lr0v",
            "the destination receives two long words and needs `ll`",
        ),
        (
            "l1bmm $llb0 $mb",
            "a base address register cannot receive two long words",
        ),
        ("l1bmrffadd $llr0ve $llb0", "`e` widens a long word: `l`"),
        (
            "l1bmrffadd $lr0ve $lb0",
            "only a single precision reduction of two long words widens its input: no `e` here",
        ),
        (
            "l1bmm@0 $llr0vr $llb0",
            "an L1BM transfer does not narrow its input: no `r` here",
        ),
    ] {
        assert_eq!(verdict(line).as_deref(), Some(message), "{line}");
    }
}
