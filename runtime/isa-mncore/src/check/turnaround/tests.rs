use crate::{check, parse};

/// Returns the error message of the lines, if any.
fn verdict(source: &str) -> Option<String> {
    let source = source.replace(" | ", "\n");
    let program = parse(&source).unwrap_or_else(|e| panic!("{}", e[0].render("test", &source)));
    check(&program).first().map(|found| found.message.clone())
}

#[test]
fn pairs_that_match() {
    for source in [
        "l1bmm@2 $lr0v $lb0 | l1bmm $lbi $lm0v; l1bmm@2 $lr8v $lb16 | l1bmm $lbi $lm8v",
        "l1bmd+1 $lr0v $lb0 | l1bmd-1 $lr0v $lb256; l1bmd+1 $lbi $ls0v | l1bmd-1 $lbi $ls8v",
        "l1bmrlor $lr0v $lbi | nop/3 | l1bmm $lbi $ls0v",
        "l1bmrffadd $lr0ve $llbi | l1bmm $llbi $lls0v",
        "l1bmrffaddr $llr0v $lbi | l1bmm $lbi $ls0v",
        "l1bmd $lbi $ls0v",
        "l1bmd $lr0v $lbi | noforward; l1bmm@0 $lr0v $lb0 | l1bmd $lbi $ls0v",
    ] {
        assert_eq!(verdict(source), None, "{source}");
    }
}

#[test]
fn pairs_that_do_not() {
    for (source, message) in [
        (
            "l1bmrlor $lr0v $lbi | l1bmd $lbi $ls0v",
            "this transfer moves 64 long words a cycle, the one that filled the turn-around \
             register 4",
        ),
        (
            "l1bmm@0 $llr0v $llbi | l1bmm $lbi $ls0v",
            "this transfer moves 4 long words a cycle, the one that filled the turn-around \
             register 8",
        ),
        (
            "l1bmd+1 $lr0v $lb0 | l1bmd-1 $lbi $ls0v",
            "this transfer shifts by -1 MABs, the one that filled the turn-around register by 1",
        ),
    ] {
        assert_eq!(verdict(source).as_deref(), Some(message), "{source}");
    }
}
