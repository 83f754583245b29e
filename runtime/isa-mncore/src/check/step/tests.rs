use crate::ast::StatementKind;
use crate::parse;

/// Returns the error message of a step, if it is rejected.
fn verdict(line: &str) -> Option<String> {
    let program = parse(line).unwrap_or_else(|e| panic!("{}", e[0].render("test", line)));
    let StatementKind::Step(step) = &program.statements[0].kind else {
        panic!("{line}")
    };
    super::check(program.statements[0].span, step).map(|found| found.message)
}

#[test]
fn steps_that_are_allowed() {
    for line in [
        "noforward; l2bmb $lc256 $lb0; l2bmdarw; l1bmm $lbi $lr0v/$imr1; l1bmrdfadd $lr8v $lb256; \
         gmmul $lx $lm0v $ln0v/$imr1; gmwrite $ls0v $ly0; hrelu/$imr1 $t $t $t; wait i01",
        "l2bmdars $lc0@.0 $dar0; l2bmdarw; l1bmrdfadd $lr0v $lbi",
        "sor $llm0v $llm0vr $nowrite; hvfma $llm0v $llm0v $llm0v $nowrite; l1bmm@0 $llm0v $llb0",
        "isub $lr0v $llm0v $ln0v; l1bmm@0 $llm0v $llb0",
        "ladd $ln0 $lm2 $ln0",
        "lpassa $lm0v $lm0v",
        "lpassa $lr0v $lr8v $ls0v $t $omr1 $mb",
        "hvmul $lm0v $ln0v $llr0v; hmwrite $ln0v $lx0",
        "hvadd $lm0v $llr0v $lls0v; hmwrite $ln0v $lx0",
        "lpassa $lm[0,2,4,6] $ln0v; linc $lm0v $lr0v"
            .split(';')
            .next()
            .unwrap(),
        "fvadd $lm0v $lm[0,2,4,6] $ln0v",
        "imm i\"1\" $mb $lr0",
        "nop; wait i01",
    ] {
        assert_eq!(verdict(line), None, "{line}");
    }
}

#[test]
fn steps_that_are_refused() {
    for (line, message) in [
        ("linc $lm0v $ln0v; ldec $lr0v $ls0v", "a second expression of the group alu"),
        ("nop; noforward", "only `wait` can be issued together with `nop`"),
        ("wait i01", "`wait` cannot be issued alone"),
        (
            "gmmul $lx $lm0v $ln0v; gmwrite $ls0v $ly0; gmread $lx0 $lr0v",
            "a step has at most two of MAU arithmetic, matrix register write and transposed read",
        ),
        ("iadd $lr0v $lr4v $ls8v",
            "field `grf0_read_addr`, the read address of GRF0, is assigned two values"),
        (
            "isub $lr0v $lm0v4 $ln0v; l1bmm@0 $llm0v $llb0",
            "field `lm0_width`, the width of accesses to LM0, is assigned two values",
        ),
        (
            "ladd $ln0 $lm2 $ln2",
            "field `lm1_addr`, the address of LM1, shared by reads and writes, is assigned two \
             values",
        ),
        (
            "imm i\"1\" $lm0",
            "field `lm0_addr`, the address of LM0, shared by reads, writes and immediates, is \
             assigned two values",
        ),
        (
            "gmmul $lx $lm0v $ln0v; hmwrite $ls0v $ly0",
            "field `mau_precision`, the precision of the MAU and the matrix registers, is assigned \
             two values",
        ),
        ("gmmul $lx $lm0v $ln0v; gmwrite $ls0v $lx0",
            "field `matrix_x`, the matrix register $lx, is assigned twice"),
        (
            "hvmul $lm0v $ln0v $llr0v; hmwrite -$ln0v $lx0",
            "field `mau_b`, the second input of the MAU, shared with writes to matrix registers, \
             is assigned two values",
        ),
        ("lpassa $lm0v $lr0v $lr0v", "field `grf0_in`, the unit that writes GRF0, is assigned \
                                      twice"),
        ("lpassa $lm0v $lr0v; fvpassa $lm0v $lr0v",
            "field `grf0_in`, the unit that writes GRF0, is assigned twice"),
        ("lpassa $lm0v $omr1; fvpassa $lm0v $omr1",
            "field `omr_addr`, the mask register that is written, is assigned twice"),
        ("lpassa $lm0v $lr0v/$imr1 $ls0v/$imr2",
            "field `mask_entry`, the mask entry that is read, is assigned two values"),
        ("lpassa $llm0v $lr0v/1100 $lls0v/ll1100",
            "field `mask_width`, the width of the mask, is assigned two values"),
        (
            "lpassa/1100 $lm0v $lr0v; fvpassa/1100 $lm0v $ls0v",
            "field `zero_flush`, the unit whose result is zero-flushed, is assigned twice",
        ),
        (
            "l1bmm $lb0 $lr0v; l1bmm $lbi $ls0v",
            "field `lbf`, the path from L1BM to PE, and its forwarding register, is assigned twice",
        ),
        ("l1bmm $lb0 $lr0v; l1bmm@0 $ls0v $lb0", "a second expression of the group l1bm"),
        (
            "lpassa $lmt0 $ln0v; fvpassa $lm0 $lr0v",
            "field `lm0_modify`, the modifier of LM0's address, is assigned two values",
        ),
    ] {
        assert_eq!(verdict(line).as_deref(), Some(message), "{line}");
    }
}
