use super::*;
use crate::machine::{Machine, Model, Options};
use crate::trap::Reason;

/// All L1B, but of one MAB.
const GEOMETRY: Geometry = Geometry {
    groups: 1,
    l2bs: 2,
    l1bs: 8,
    mabs: 1,
};

/// Runs statements separated by ` | `: the line of the read that came too early, what it is about,
/// and the cycles missing.
fn run(source: &str) -> Option<(u32, LatencyViolation)> {
    let source = source.replace(" | ", "\n");
    let program = tessera_isa_mncore::parse(&source)
        .unwrap_or_else(|e| panic!("{}", e[0].render("test", &source)));
    let mut machine = Machine::new(Options {
        geometry: GEOMETRY,
        model: Model::Timed,
        ..Options::default()
    });
    match machine.run(&program, &mut |_| {}) {
        Ok(()) => None,
        Err(trap) => match trap.reason {
            Reason::LatencyViolation(early) => Some((trap.span.line, early)),
            other => panic!("{source}: {other}"),
        },
    }
}

/// `first`, this many `nop`, `last`: fine; with one `nop` less, `cycles` are missing by the rule of
/// `section`.
#[track_caller]
fn apart(first: &str, nops: usize, last: &str, cycles: u64, section: &str) {
    let program = |nops: usize| format!("{first} | {}{last}", "nop | ".repeat(nops));
    assert_eq!(run(&program(nops)), None, "{first}: {nops}");
    if nops > 0 {
        let (line, early) = run(&program(nops - 1)).unwrap_or_else(|| panic!("{first}: {nops}"));
        assert_eq!(
            (line as usize, early.line, early.cycles, early.section),
            (nops + 1, 1, cycles, section),
            "{first}"
        );
    }
}

/// First statement, the minimum number of `nop`s after it, last statement, and the missing cycles
/// with one `nop` less, with the section.
#[rustfmt::skip]
const ROWS: &[(&str, usize, &str, u64, &str)] = &[
    // L1BM to L2BM, then MV: the same words.
    ("l2bm@0 $lb0 $lc4096", 1, "mvp/n4160 $lc0@.0 $d0", 4, "3.6.3.1"),
    ("l2bm@0 $lb0 $lc4096", 0, "mvp/n4096 $lc0@.0 $d0", 0, ""),
    ("l2bm@0 $lb0 $lc4096", 0, "mvp/n64 $lc4160@.0 $d0", 0, ""),
    ("l2bmd $lb0 $lc4096", 1, "mvp/n64 $lc4288@.1 $d0", 4, "3.6.3.1"),
    ("l2bmr2dfadd $lb0 $lc32704", 1, "mvp/n64 $lc128@.1 $d0", 4, "3.6.3.1"),
    // L1BM to L2BM, then L2BM to L1BM: any address.
    ("l2bm@0 $lb0 $lc0", 3, "l2bmb $lc64 $lb64", 4, "3.6.3.2"),
    ("l2bmriiadd@[4,5] $lb0 $lc0", 3, "l2bmd@7 $lc256 $lb64", 4, "3.6.3.2"),
    ("l2bm@0 $lb0 $lc0", 0, "l2bmdars $lc0@.0 $dar0", 0, ""),
    // L2BM to L1BM, then from these L1BM upwards or across.
    ("l2bmb $lc0 $lb0", 2, "l2bm@0 $lb64 $lc64", 4, "3.6.3.3"),
    ("l2bmd@[4,5] $lc0 $lb0", 2, "l2bmi@5 $lb64 $lb64", 4, "3.6.3.3"),
    ("l2bmb2@[4,5] $lc0 $lb0", 2, "l2bmd $lb64 $lc64", 4, "3.6.3.3"),
    ("l2bmb@0 $lc0 $lb0", 0, "l2bm@1 $lb0 $lc64", 0, ""),
    ("l2bmb@0 $lc0 $lb0", 0, "l2bmi@1 $lb0 $lb64", 0, ""),
    // Multicast, then from the L1BM it writes upwards or across.
    ("l2bmi@0/0 $lb0 $lb0", 3, "l2bm@1 $lb64 $lc64", 4, "3.6.3.4"),
    ("l2bmi@0/0 $lb0 $lb0", 0, "l2bmi@0/0 $lb64 $lb64", 0, ""),
    ("l2bmi@0/6 $lb0 $lb0", 3, "l2bmi@1/6 $lb64 $lb64", 4, "3.6.3.4"),
    ("l2bmi@0/6 $lb0 $lb0", 0, "l2bmi@0/6 $lb64 $lb64", 0, ""),
    // Multicast, then to PEs: the same words.
    ("l2bmi@0/0 $lb64 $lb64", 1, "l1bmm $lb52 $lr0v", 4, "3.6.3.5"),
    ("l2bmi@0/0 $lb64 $lb64", 2, "l1bmm $lb56 $lr0v", 1, "3.6.3.5"),
    ("l2bmi@0/0 $lb64 $lb64", 0, "l1bmm $lb48 $lr0v", 0, ""),
    // L2BM to L1BM, then to PEs: the same words.
    ("l2bmb $lc0 $lb64", 0, "l1bmm $lb52 $lr0v", 0, ""),
    ("l2bmb $lc0 $lb64", 1, "l1bmm $lb56 $lr0v", 1, "3.6.3.6"),
    ("l2bmb@7 $lc0 $lb64", 1, "l1bmm4 $lb64 $lr0v", 3, "3.6.3.6"),
    ("l2bmd $lc0 $lb0", 2, "l1bmd $lb0 $lr0v", 2, "3.6.3.6"),
    ("l2bmb $lc0 $lb8176", 2, "l1bmd $lb0 $lr0v", 2, "3.6.3.6"),
    ("l2bmd $lc0 $lb8", 0, "l1bmp $lb0 $lr0v", 0, ""),
    // Two long words: those of cycle 3 are 3 and 7; the other form reads 4 in its first cycle.
    ("l2bmd $lc0 $lb8", 0, "l1bmp $llb0 $llr0v", 0, ""),
    ("l2bmd $lc0 $lb8", 1, "l1bmp $llb2 $llr0v", 1, "3.6.3.6"),
    // PE to L1BM, then upwards or across: the same words.
    ("l1bmr4dfadd $lr0v $lb48", 2, "l2bmrdfadd $lb64 $lc0", 4, "3.6.3.7"),
    ("l1bmr4dfadd $lr0v $lb32", 3, "l2bmrdfadd $lb64 $lc0", 1, "3.6.3.7"),
    ("l1bmr4ffadd $llr0v $llb32", 2, "l2bmi@0 $lb64 $lb0", 4, "3.6.3.7"),
    ("l1bmd $lr0v $lb0", 2, "l2bmd $lb0 $lc0", 3, "3.6.3.7"),
    ("l1bmm@0 $lr0v $lb64", 0, "l2bmd $lb32 $lc0", 0, ""),
    ("l1bmrffaddr $llr0v $lb0", 0, "l2bm@3 $lb16 $lc0", 0, ""),
    // PE to L1BM, then L1BM to PE: any address.
    ("l1bmrdfadd $lr0v $lb0", 2, "l1bmm $lb16 $ls0v", 4, "3.6.3.8"),
    ("l1bmd $lr0v $lb0", 2, "l1bmp $lb64 $ls0v", 4, "3.6.3.8"),
    ("l1bmm@0 $lr0v $lb0", 0, "l1bmm $lbi $lm0v", 0, ""),
    ("l1bmm@0 $lr0v $lbi", 0, "l1bmm $lb0 $lm0v", 0, ""),
    // PE memories.
    ("lpassa $lr0v $lm0v", 2, "lpassa $lm100v $lr8v", 4, "3.6.3.9"),
    ("lpassa $lr0v $lm0v", 0, "lpassa $lr8v $lm0v", 0, ""),
    ("lpassa $lr0v $lm0v", 0, "lpassa $ln0v $lr8v", 0, ""),
    ("lpassa $lm0v $lr0v", 1, "lpassa $lr0v $ln0v", 3, "3.6.3.9"),
    ("lpassa $lm0v $lr0v", 1, "lpassa $lr2v $ln0v", 4, "3.6.3.9"),
    ("lpassa $lm0v $lr0v", 2, "lpassa $lr4v $ln0v", 1, "3.6.3.9"),
    ("lpassa $lm0v $lr0v", 0, "lpassa $lr8v $ln0v", 0, ""),
    ("lpassa $lm0v $lr0v", 0, "lpassa $ls0v $ln0v", 0, ""),
    ("lpassa $ln0v $t", 1, "lpassa $lmt0 $lr0v", 3, "3.6.3.9"),
    ("lpassa $ln0v $t", 1, "lpassa $lr0v $lmt0", 3, "3.6.3.9"),
    ("lpassa $lr0 $nb", 2, "lpassa $ln0v $lr8v", 2, "3.6.3.9"),
    ("lpassa $lr0 $nb", 2, "lpassa $lr8v $ln0v", 2, "3.6.3.9"),
    ("lpassa $lr0 $nb/1000", 1, "lpassa $ln0v $lr8v", 3, "3.6.3.9"),
    // Mask and matrix registers and forwarding: at once.
    ("lpassa $lm0v $omr1", 0, "lpassa $ln0v $lr0v/$imr1", 0, ""),
    ("dmwrite $lr0v $lx0", 0, "dmread $lx0 $ls0v", 0, ""),
    ("dmwrite $lr0v $lx0", 0, "dmmulu $lx $lr0v $ls0v", 0, ""),
    ("lpassa $lr0v $lr0v", 0, "lpassa $aluf $ls0v", 0, ""),
];

#[test]
fn each_rule_at_its_exact_distance() {
    for &(first, nops, last, cycles, section) in ROWS {
        apart(first, nops, last, cycles, section);
    }
}

#[test]
fn masks_decide_word_by_word() {
    for (first, nops, last, cycles) in [
        ("imm f\"1.0\" $r0/1000", 1, "dvadd $lm0v $r0e $ln0v", 3),
        ("imm f\"1.0\" $r0/0100", 1, "dvadd $lm0v $r0e $ln0v", 4),
        ("imm f\"1.0\" $r0/0010", 2, "dvadd $lm0v $r0e $ln0v", 1),
        ("imm f\"1.0\" $r0/0000", 0, "dvadd $lm0v $r0e $ln0v", 0),
        // A mask for one long word lets the lower one pass.
        ("lpassa $llm0v $llr0v/0000p", 0, "lpassa $r0v4 $ln0v", 0),
        ("lpassa $llm0v $llr0v/0000p", 1, "lpassa $r2v4 $ln0v", 3),
        ("lpassa $llm0v $llr0v/ll0000", 0, "lpassa $r2v4 $ln0v", 0),
        ("lpassa $llr0v $t/0000p", 1, "lpassa $t $ln0v", 3),
        ("lpassa $llr0v $t/0000p", 0, "lpassa $lmt $ln0v", 0),
        ("lpassa $llr0v $t/ll0000", 0, "lpassa $t $ln0v", 0),
        // A local memory is written or not.
        ("lpassa $lr0v $lm0v/0001", 2, "lpassa $lm0v $lr8v", 4),
        ("lpassa $lr0v $lm0v/0000", 0, "lpassa $lm0v $lr8v", 0),
        ("lpassa $llr0v $llm0v/0000p", 2, "lpassa $lm0v $lr8v", 4),
    ] {
        apart(first, nops, last, cycles, "3.6.3.9");
    }
}

#[test]
fn mask_registers_decide_in_each_pe() {
    // PE i gets the flags of cycles 0 to i (the manual's example in section 3.4.3); with ipassa of
    // a negative number, none gets any.
    let read = |flags: &str, nops: usize, word: &str| {
        run(&format!(
            "imm i\"1\" $s2 | imm i\"2\" $s4 | imm i\"3\" $s6 | nop/2 | {flags} $omr1 | \
             lpassa $lm0v $lr0v/$imr1 | {}lpassa {word} $ln0v",
            "nop | ".repeat(nops)
        ))
    };
    let (some, none) = ("isub $subpeid $s0v2", "ipassa $msb1");
    for (pe, word, cycles) in [(0, "$r0", 3), (1, "$r2", 4), (3, "$r6", 6)] {
        let (line, early) = read(some, 0, word).expect("it is too early");
        assert_eq!((line, early.line, early.cycles), (7, 6, cycles));
        let block = GEOMETRY.block_id(0);
        assert_eq!(early.place, WriteLocation::Pe { block, mab: 0, pe });
        let enough = early.nops() as usize;
        assert!(read(some, enough - 1, word).is_some());
        assert!(read(some, enough, word).is_none());
        assert!(read(none, 0, word).is_none());
    }
}

#[test]
fn a_base_address_is_one_half_word() {
    // Only the flag of one half word is set; the address is in the second, or in the fourth.
    for (flags, target, early) in [
        ("h8000_0000_8000_8000", "$nb", true),
        ("h8000_0000_8000_8000", "$lnb", false),
        ("h8000_8000_8000_0000", "$nb", false),
        ("h8000_8000_8000_0000", "$lnb", true),
    ] {
        let found = run(&format!(
            "d set $lm0 1 {flags} | spassa $lm0 $omr1 | lpassa $lr0v {target}/$imr1 | lpassa $ln0v \
             $lr8v"
        ));
        assert_eq!(found.is_some(), early, "{flags} {target}");
    }
}

#[test]
fn the_message_names_value_place_writer_and_distance() {
    for (source, expect) in [
        (
            "lpassa $lm0v $lr0v | nop | lpassa $lr6v $ln0v",
            "word 6 of GRF0 of every PE is read 2 cycles before the write of line 1 arrives \
             (3.6.3.9); put 1 more nop before this statement",
        ),
        (
            "lpassa $lm0v $t | lpassa $t $ln0v",
            "the upper long word of cycle 0 of the T register of every PE is read 3 cycles before \
             the write of line 1 arrives (3.6.3.9); put 1 more nop before this statement",
        ),
        (
            "lpassa $lr0 $nb | lpassa $ln0v $lr0v",
            "the base address register of LM1 of every PE is read 6 cycles before the write of \
             line 1 arrives (3.6.3.9); put 2 more nops before this statement",
        ),
        (
            "lpassa $lr0v $lm0v | lpassa $lm0v $lr0v",
            "LM0 of every PE is read, but the write of line 1 occupies its port for 8 cycles more \
             (3.6.3.9); put 2 more nops before this statement",
        ),
        (
            "l2bmi@0/6 $lb0 $lb64 | l1bmd $lb64 $lr0v",
            "long word 0x70 of L1BM of L1B 1, 3, 5, 7 is read 10 cycles before the write of line 1 \
             arrives (3.6.3.5); put 3 more nops before this statement",
        ),
        (
            "l2bm@0 $lb0 $lc64 | mvp/n64 $lc64@.0 $d0",
            "long word 0x40 of L2BM of every L2B is read 4 cycles before the write of line 1 \
             arrives (3.6.3.1); put 1 more nop before this statement",
        ),
        (
            "l2bm@0 $lb0 $lc64 | l2bmb $lc64 $lb0",
            "L2BM of every L2B is read, but the write of line 1 occupies its port for 12 cycles \
             more (3.6.3.2); put 3 more nops before this statement",
        ),
    ] {
        let (_, early) = run(source).unwrap_or_else(|| panic!("{source}"));
        assert_eq!(early.to_string(), expect);
    }
    let pe = WriteLocation::Pe {
        block: GEOMETRY.block_id(9),
        mab: 2,
        pe: 3,
    };
    assert_eq!(pe.to_string(), "PE n0c1b1m2p3");
}

#[test]
fn nothing_is_taken_from_the_table_or_the_checker() {
    for (name, text) in [
        ("mod.rs", include_str!("mod.rs")),
        ("rates.rs", include_str!("rates.rs")),
        ("latency.rs", include_str!("latency.rs")),
        ("masks.rs", include_str!("masks.rs")),
    ] {
        let code = text
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"));
        for line in code {
            for word in [
                ".row()",
                "l1_rate",
                "l2_rate",
                "halves_result",
                "members()",
                "receivers()",
                "check::",
                "hazard",
            ] {
                assert!(
                    !line.contains(word) || line.contains("fn "),
                    "{name}: {line}"
                );
            }
        }
    }
}
