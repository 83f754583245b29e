mod errors;

use super::*;
use crate::ast::{
    Convert, DebugMemory, Forward, GetFormat, Host, L1Operand, Modify, Mv, MvMemory, Pattern,
    Source,
};
use crate::memory::{Precision, Side, Width};
use crate::table::{Group, L1bSet, MvMode};

/// The statements of a text that is in the language.
#[track_caller]
fn statements(source: &str) -> Vec<Statement> {
    match parse(source) {
        Ok(program) => program.statements,
        Err(errors) => panic!("{}", errors[0].render("test", source)),
    }
}

/// The only step of a text.
#[track_caller]
fn one_step(source: &str) -> Step {
    match &statements(source)[..] {
        [Statement {
            kind: StatementKind::Step(step),
            ..
        }] => step.clone(),
        other => panic!("{source}: {other:?}"),
    }
}

/// Lines of the manual's examples, restored, and their like.
#[test]
fn examples_of_the_manual_are_accepted() {
    for line in [
        "lpassa $lm0v $ln0v",
        "dvpassa $lm0v $ln0v $lr0v; linc $t $ls0v",
        "lpassa $lm[0,4,10,14] $ln0v",
        "lpassa $lm[0, 4, 10, 14] $ln[0,2,4,6]",
        "hmmul/ll0111 $lx $lm0v $llr0v",
        "hmmul $lx $lm0v $llr0v/$llimr1",
        "sinc $peid $omr1/1100",
        "ipassa $msb1 $llm0",
        "l2bmb@[0,1,2,3] $lc0 $lb0",
        "l2bmb2 $lc0 $lb0",
        "l2bmrdfadd@[0,4] $lb0 $lc0",
        "l2bmr2dfadd $lb0 $lc0",
        "l2bmi@0/4 $lb0 $lb0",
        "l2bmdars $lc0@.1 $dar16; l2bmdarw",
        "l1bmp $lb0 $lr0 $lm0v/$imr1 $lt",
        "l1bmm@2 $lr8v $lb16; l1bmm $lbi $lm0v",
        "l1bmd-1 $lr0v $lb256; l1bmd+1 $lbi $ls0v",
        "l1bmrffadd $lr0ve $llb0",
        "l1bmrffaddr $llr0v $lb0",
        "l1bmrhfadd $lr0v $lb0",
        "dmfmau $lx $lr0v -$lm0v $ln0v",
        "dmfmaur $lx $lr0v $ln0v $m0v",
        "hvfmar $lm0v $ln0v $lr0ve $lr8v",
        "hvmul $llr0vr $lm0v $llt",
        "sor $llm0v $llm0vr $nowrite; hvfma $llm0v $llm0v $llm0v $nowrite; l1bmm@0 $llm0v $llb0",
        "hrsqrt $llr0vr $lm0v",
        "hbfn/9 $llr0v $lls0v",
        "hbfe/6/$imr1 $llr0v $lls0v",
        "immu s\"1\" $llr0",
        "nop; wait i01",
        "noforward; l2bmb $lc256 $lb0; l2bmdarw; l1bmm $lbi $lr0v/$imr1; l1bmrdfadd $lr8v $lb256; \
         gmmul $lx $lm0v $ln0v/$imr1; gmwrite $ls0v $ly0; hrelu/$imr1 $t $t $t; wait i01",
        "lpassa $lr0 $lnb",
        "fvadd $aluf -$lr0 $ls0v # comment",
        "mvp/n64i01 $p0@0 $lc0@2.1",
        "mvp/i01n64 $p0@0 $lc0@2.1",
        "mvp/n256nd4 $p1600@1 $di512@2",
        "mvp/n256p3 $p0@0 $d0@0",
        "mvrdfadd/n128 $lc0 $d0",
        "mvr2iiadd/n64 $lc0@3 $p0@3",
        "mvb2/n64 $d0 $lc0",
        "mvd/n64 $lc0 $p0@0",
        "mvp/n64i01 $lc0 $d0",
        "mvnop",
    ] {
        assert_eq!(statements(line).len(), 1, "{line}");
    }
}

#[test]
fn comments_blank_lines_and_quit() {
    assert_eq!(
        statements("# all\n\n  nop # rest\r\nquit\nthis is not read").len(),
        1
    );
    assert!(parse("quit now").is_err());
}

#[test]
fn every_bad_line_is_reported() {
    let errors = parse("nop\nfoo\nnop\nlpassa $lm1 $ln0\n").unwrap_err();
    let lines: Vec<u32> = errors.iter().map(|e| e.span.line).collect();
    assert_eq!(lines, [2, 4]);
}

#[test]
fn addresses() {
    for (operand, pattern, width, modify) in [
        (
            "$lm0v",
            Pattern::Stride { base: 0, stride: 2 },
            Width::Long,
            Modify::None,
        ),
        (
            "$m3",
            Pattern::Stride { base: 3, stride: 0 },
            Width::Single,
            Modify::None,
        ),
        (
            "$llm0x10v8",
            Pattern::Stride {
                base: 16,
                stride: 8,
            },
            Width::Double,
            Modify::None,
        ),
        (
            "$lmt",
            Pattern::Stride { base: 0, stride: 0 },
            Width::Long,
            Modify::T,
        ),
        (
            "$lmt128v32",
            Pattern::Stride {
                base: 128,
                stride: 32,
            },
            Width::Long,
            Modify::T,
        ),
        (
            "$lm2vj1",
            Pattern::Stride { base: 2, stride: 2 },
            Width::Long,
            Modify::UpToPe(1),
        ),
        (
            "$m[1,2,3,4]",
            Pattern::Flat([1, 2, 3, 4]),
            Width::Single,
            Modify::None,
        ),
    ] {
        let step = one_step(&format!("lpassa {operand} $nowrite"));
        let Source::Memory(memory) = step.expressions[0].op.inputs()[0].source else {
            panic!("{operand}")
        };
        assert_eq!(
            (memory.pattern, memory.width, memory.modify),
            (pattern, width, modify)
        );
    }
}

#[test]
fn operands_that_are_read() {
    for (operand, source, negate, convert) in [
        ("-$t", Source::T, true, Convert::None),
        ("$llt", Source::T, false, Convert::None),
        (
            "$alufe",
            Source::Forward(Forward::Alu),
            false,
            Convert::Widen,
        ),
        ("$lbf", Source::Forward(Forward::L1bm), false, Convert::None),
        (
            "$maufr",
            Source::Forward(Forward::Mau),
            false,
            Convert::Narrow,
        ),
    ] {
        let input = one_step(&format!("fvpassa {operand} $nowrite")).expressions[0]
            .op
            .inputs()[0];
        assert_eq!(
            (input.source, input.negate, input.convert),
            (source, negate, convert)
        );
    }
}

#[test]
fn directions_of_transfers() {
    for (line, group, place, wide) in [
        (
            "l1bmm $llb8 $llr0v",
            Group::L1bm,
            L1Operand::Address(8),
            true,
        ),
        (
            "l1bmm@3 $lbf $lb4",
            Group::L1bm,
            L1Operand::Address(4),
            false,
        ),
        (
            "l1bmd $lbi $lr0v",
            Group::Turnaround,
            L1Operand::Turnaround,
            false,
        ),
        (
            "l1bmd $lr0v $lbi",
            Group::L1bm,
            L1Operand::Turnaround,
            false,
        ),
        (
            "l1bmrffaddr $llr0v $lb4",
            Group::L1bm,
            L1Operand::Address(4),
            true,
        ),
    ] {
        let step = one_step(line);
        let Op::L1bm(l1bm) = &step.expressions[0].op else {
            panic!("{line}")
        };
        assert_eq!(
            (step.expressions[0].op.group(), l1bm.l1, l1bm.op.wide),
            (group, place, wide)
        );
    }
}

#[test]
fn sets_of_l1b() {
    for (line, set) in [
        ("l2bmb $lc0 $lb0", L1bSet::ALL),
        ("l2bmb@3 $lc0 $lb0", L1bSet::new(3, 0)),
        ("l2bmd@[4,5] $lc0 $lb0", L1bSet::new(4, 1)),
        ("l2bmrland@0/6 $lb0 $lc0", L1bSet::new(0, 6)),
    ] {
        let step = one_step(line);
        let Op::L2bm { op, .. } = step.expressions[0].op else {
            panic!("{line}")
        };
        assert_eq!(op.set, set, "{line}");
    }
}

#[test]
fn nops_are_steps_and_only_the_first_waits() {
    let steps = statements("nop/3; wait i05");
    let waits: Vec<bool> = steps
        .iter()
        .map(|s| match &s.kind {
            StatementKind::Step(step) => step.is_nop() && step.find(Group::Wait).is_some(),
            _ => false,
        })
        .collect();
    assert_eq!(waits, [true, false, false]);
}

#[test]
fn standing_masks_go_to_the_memories_they_name() {
    let source = "masklln 0b10001\nlpassa $lm0v $lr0v $lln0v\nlpassa $lm8v $ln8v/1000\n\
                  mask 0\nlpassa $lm0v $ln0v";
    let masks: Vec<Vec<Option<Mask>>> = statements(source)
        .iter()
        .map(|s| match &s.kind {
            StatementKind::Step(step) => step.expressions[0]
                .op
                .outputs()
                .iter()
                .map(|o| o.mask)
                .collect(),
            _ => vec![],
        })
        .collect();
    let standing = Some(Mask {
        entry: 17,
        wide: true,
    });
    let own = Some(Mask {
        entry: 24,
        wide: false,
    });
    assert_eq!(masks, [vec![None, standing], vec![own], vec![None]]);
}

#[test]
fn mv_modes_follow_from_their_operands() {
    for (line, mode, words) in [
        ("mvp/n64 $p0@1 $d0@2", MvMode::PdmToDram, 64),
        ("mvp/n128 $d0 $lc64@.1", MvMode::DramToL2bmEach, 128),
        ("mvp/n64 $lc0 $d0", MvMode::L2bmToDramEach, 64),
        ("mvb4/n64 $d32 $lc0", MvMode::DramBroadcast4, 64),
        ("mvd/n64 $p512@0 $lc0", MvMode::PdmDistribute, 64),
        ("mvriiadd/n64 $lc0 $d16", MvMode::DramReduce, 64),
        ("mvr4ffadd/n64 $lc0 $d32", MvMode::DramReduce4, 64),
    ] {
        let kind = statements(line)[0].kind.clone();
        let StatementKind::Mv(Mv {
            transfer: Some(transfer),
        }) = kind
        else {
            panic!("{line}")
        };
        assert_eq!((transfer.mode, transfer.words), (mode, words), "{line}");
    }
    let kind = statements("mvp/n256nd4i0ap2 $p1600@1 $di512@2")[0]
        .kind
        .clone();
    let StatementKind::Mv(Mv {
        transfer: Some(transfer),
    }) = kind
    else {
        panic!()
    };
    assert_eq!(transfer.target.memory, MvMemory::DramIndirect(512));
    assert_eq!(
        (transfer.tag, transfer.per_entry, transfer.priority),
        (Some(10), Some(4), 2)
    );
}

#[test]
fn debug_statements() {
    let kind = statements("  d getbd $lx0n0c1b2m3 4 # note")[0]
        .kind
        .clone();
    let StatementKind::Get(get) = kind else {
        panic!()
    };
    assert_eq!(get.format, GetFormat::BlockFloat(Precision::Double));
    assert_eq!(get.place.memory, DebugMemory::Matrix(Side::X, 0));
    assert_eq!(
        (get.place.l2b, get.place.mab, get.place.pe),
        (Some(1), Some(3), None)
    );
    assert_eq!(
        (get.count, get.text.as_str()),
        (4, "d getbd $lx0n0c1b2m3 4")
    );
    for (line, payload) in [
        (
            "d set $lm0n0c0b0m0p0 2 h1_2_3_4h5_6_7_8",
            vec![0x0001_0002_0003_0004, 0x0005_0006_0007_0008],
        ),
        ("d set $lm4n0c0b0m0p0 2 laabblccdd", vec![0xaabb, 0xccdd]),
        (
            "d set $lr0n0 2 s1_2s3_4",
            vec![0x1_0000_0002, 0x3_0000_0004],
        ),
        ("d set $tn0 1 123456789abcdef0", vec![0x1234_5678_9abc_def0]),
        (
            "d set $llb0n0 1 00000000000000010000000000000002",
            vec![1, 2],
        ),
    ] {
        let kind = statements(line)[0].kind.clone();
        let StatementKind::Set(set) = kind else {
            panic!("{line}")
        };
        assert_eq!(set.payload, payload, "{line}");
    }
}

#[test]
fn host_statements() {
    for (line, host) in [
        (
            "r 1 00000001F 002 42790000427D00000000000000000000",
            Host::WriteDram {
                group: 1,
                address: 31,
                payload: vec![0x4279_0000_427D_0000, 0],
            },
        ),
        (
            "c 0 0 i10 i00 0 000022000 001 0000000000000007",
            Host::ToPdm {
                tag: 16,
                address: 0x22000,
                payload: vec![7],
            },
        ),
        (
            "e 0 0 i02 i00 0 000000000 010000",
            Host::FromPdm {
                tag: 2,
                address: 0,
                words: 0x10000,
            },
        ),
        ("f", Host::Fence),
    ] {
        let kind = statements(line)[0].kind.clone();
        let StatementKind::Host(found) = kind else {
            panic!("{line}")
        };
        assert_eq!(found, host, "{line}");
    }
}

proptest::proptest! {
    #[test]
    fn no_text_makes_it_panic(text in "[ -~\\n$;/@\\[\\]]{0,120}") {
        let _ = parse(&text);
    }
}
