use super::*;
use crate::ast::{
    Convert, DebugMemory, Forward, GetFormat, Host, L1Place, Modify, Mv, MvMemory, Pattern, Source,
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
fn what_the_manual_shows_is_accepted() {
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
        ("l1bmm $llb8 $llr0v", Group::L1bm, L1Place::Address(8), true),
        ("l1bmm@3 $lbf $lb4", Group::L1bm, L1Place::Address(4), false),
        (
            "l1bmd $lbi $lr0v",
            Group::Turnaround,
            L1Place::Turnaround,
            false,
        ),
        ("l1bmd $lr0v $lbi", Group::L1bm, L1Place::Turnaround, false),
        (
            "l1bmrffaddr $llr0v $lb4",
            Group::L1bm,
            L1Place::Address(4),
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
    let source = "masklln 0b10001\nlpassa $lm0v $lr0v $lln0v\nlpassa $lm8v $ln8v/1000\nmask 0\nlpassa $lm0v $ln0v";
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
fn mv_modes_are_told_by_their_operands() {
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

/// `line | column | message`.
const ERRORS: &str = r#"
  lpasa $lm0v $ln0v | 3 | unknown opcode `lpasa`
lpassa $1m0v $ln0v | 9 | no such operand here
lpassa $lm1v $ln0v | 11 | 1 is not a multiple of 2, which an access of a long word needs
lpassa $lm0v3 $ln0v | 13 | 3 is not a multiple of 2, which an access of a long word needs
lpassa $lm4096 $ln0v | 11 | an address in LM0 is 0 to 4095, not 4096
lpassa $ls512 $ln0v | 11 | an address in GRF1 is 0 to 511, not 512
lpassa $lm[0,2,4] $ln0v | 17 | expected `,`
lpassa $lmt0j1 $ln0v | 13 | T indirection and `j` exclude each other
lpassa $lm0v | 1 | a destination is missing
lpassa | 1 | an operand is missing: input 1
lpassa $lm0v $nowrite $ln0v | 14 | `$nowrite` excludes other destinations
lpassa $lm0v $ln0v/110 | 20 | a mask is four digits 0 or 1, one for each cycle, or $imr1 to $imr15
lpassa $lm0v $ln0v/ll1100 | 26 | the mask is for two long words, the access is not: add `t`
lpassa $llm0v $lln0v/1100 | 26 | the access is of two long words, the mask is not: add `p`
lpassa $lm0v $ln0v/1100p | 24 | the widths of mask and access agree: remove the suffix
lpassa $lm0v $omr0 | 18 | mask entry 0 is fixed; 1 to 15 can be written
lpassa $lm0v $mauf | 14 | `$mauf` can only be read
nop/0 | 5 | nop/n is for 1 to 65536 steps
nop; ; nop | 5 | an expression is missing before or behind `;`
wait i00 | 6 | tag 0 cannot be waited for
wait 1 | 6 | expected a tag: i and two hexadecimal digits, such as i01
wait i1 | 6 | a tag is i and two hexadecimal digits, such as i01
hbfn $llr0v $llr0v | 5 | half precision block floats say how many bits to keep: /6 to /9
gbfn/9 $lr0v $lr0v | 6 | a mask is four digits 0 or 1, one for each cycle, or $imr1 to $imr15
dmwrite $lr0v $lx4 | 18 | a row or column in double precision is 0 to 3, not 4
dmwrite $lr0v $llx0 | 15 | only half precision moves two rows a cycle
hmread $lx0 $llr0v | 8 | `hmread` reads two columns a cycle: $llx or $lly
hmwrite $llr0v $llx1 | 16 | two rows a cycle start at an even one
gmmul $lx0 $lm0v $ln0v | 10 | a matrix product takes the whole register: no address
gmmul $lm0v $lm0v $ln0v | 7 | expected the matrix register $lx or $ly
l2bmb $lc8 $lb0 | 10 | 8 is not a multiple of 16, as an address in L2BM must be here
l2bmb $lc0@.0 $lb0 | 11 | a PE instruction's L2BM operand is $lc<addr>, for all L2B
l2bm $lb0 $lc0 | 5 | this opcode names one L1B behind `@`
l2bmi@0/7 $lb0 $lb0 | 6 | this opcode names L1B behind `@`, and not all of them
l2bmr2dfadd@1 $lb0 $lc0 | 12 | this opcode takes no L1B set
l2bmb@[0,3] $lc0 $lb0 | 8 | no immode selects exactly these L1B
l1bmm $lr0v $lb0 | 6 | from PEs, this opcode names a MAB: @0 to @15
l1bmm4@4 $lr0v $lb0 | 8 | a MAB number is 0 to 3, not 4
l1bmd $llb0 $llr0v | 7 | this opcode has no form of two long words
l1bmrdfadd $llr0v $llb0 | 19 | this opcode has no form of two long words
l1bmr4iiadd $llr0v $llbi | 20 | this opcode has no form of two long words
l1bmrhfadd $lr0v $llb0 | 18 | results in half precision are a long word: $lb
l1bmm $lb2 $lr0v | 10 | 2 is not a multiple of 4, as an address in L1BM must be here
l1bmp $llb58 $llr0v | 11 | the lower six bits of this address are at most 56
imm i1 $lr0 | 5 | an immediate is f, h, i, s, ui or us and a number in double quotes, such as i"1"
iinc $lr0v $ln0v 5 | 18 | expected `$`
noforward $lr0 | 11 | one operand too many
maskq 1 | 1 | `mask` takes the letters r s t m n k, after l or ll
mask 32 | 6 | a mask entry is 0 to 31, not 32
mvx/n64 $p0@0 $d0@0 | 1 | unknown MV opcode `mvx`
mvp $p0@0 $d0@0 | 1 | the length is missing: n and a number of long words
mvp/n65 $p0@0 $d0@0 | 1 | the length 65 is not a positive multiple of 64
mvp/n64 $p32@0 $d0@0 | 9 | the address 32 is not a multiple of 64, the unit of this transfer
mvp/n64n64 $p0@0 $d0@0 | 8 | the length is given twice
mvp/n64x $p0@0 $d0@0 | 8 | not a parameter of MV opcodes
mvp/n64nd2 $p0@0 $d0@0 | 1 | `nd` is for DRAM addresses from DAR: $di
mvp/n64 $d0@0 $d0@1 | 1 | `mvp` has no transfer between operands like these
mvp/n64 $p0@4 $d0@1 | 13 | a group is 0 to 3, not 4
mvp/n64 $p0 $lc0 | 1 | `mvp` has no transfer between operands like these
mvr2dfadd/n64 $lc0@0 $p0@1 | 22 | both operands are of the same group
d put $lm0 1 | 1 | expected `d get` or `d set`
d getx $lm0 1 | 6 | the format is d, f, h, bd, bf, bg, bh or nothing
d getd $m0n0c0b0m0p0 1 | 8 | the format reads 64 bits, the access has fewer
d get $lx0n0 1 | 7 | a matrix register needs a format, such as `d getf`
d get $lm2c0m0 1 | 7 | an L2B or L1B is named behind a group only: n, then c and b
d get $tn0 5 | 7 | the T register has 1 to 4 words
d set $p0 1 0000000000000000 | 7 | `d set` writes L2BM, L1BM, GRF, LM and T only
d set $lm0 2 0000000000000000 | 14 | 2 long words are to be written, 1 are given
d set $lm0 1 000 | 14 | a long word is 16 hexadecimal digits
d set $lm0 1 h1_2_3 | 14 | 4 numbers with _ between are wanted here
r 0 000000000 002 0000000000000000 | 19 | 2 long words are announced, 1 are given
c 0 1 i10 i00 0 000022000 001 0000000000000000 | 5 | only `0` is known here, and nothing of other values
"#;

#[test]
fn errors_say_what_and_where() {
    let found: Vec<String> = ERRORS
        .lines()
        .skip(1)
        .map(|row| {
            let line = row.split(" | ").next().unwrap_or_default();
            let errors = parse(line).expect_err(line);
            assert_eq!(errors.len(), 1, "{line}");
            let error = &errors[0];
            format!("{line} | {} | {}", error.span.column, error.message)
        })
        .collect();
    let expected: Vec<&str> = ERRORS.lines().skip(1).collect();
    assert_eq!(found, expected);
}

#[test]
fn a_mistyped_opcode_gets_a_hint() {
    let error = &parse("dvfma $lm0v $lm0v $lm0v $nowrite").unwrap_err()[0];
    assert_eq!(error.hint.as_deref(), Some("did you mean `dvfmad`?"));
}

proptest::proptest! {
    #[test]
    fn no_text_makes_it_panic(text in "[ -~\\n$;/@\\[\\]]{0,120}") {
        let _ = parse(&text);
    }
}
