use proptest::prelude::*;

use super::*;
use crate::ast::{Mv, StatementKind};

/// Lines that between them use every family of expressions.
pub(crate) const LINES: &[&str] = &[
    "nop",
    "nop; wait i3f",
    "lpassa $lm0v $lr0v $ls2v4 $ln8/1100 $t $omr3",
    "noforward; l2bmb $lc256 $lb0; l2bmdarw; l1bmm $lbi $lr0v/$imr1; l1bmrdfadd $lr8v $lb256; \
     gmmul $lx $lm0v $ln0v/$imr1; gmwrite $ls0v $ly0; hrelu/$imr1 $t $t $t; wait i01",
    "l2bmdars $lc64@.1 $dar1023; l2bmdarw; l1bmrdfadd $lr0v $lbi",
    "l2bmi@2/4 $lb16 $lb8176",
    "l2bmriiadd@[4,5] $lb16 $lc32",
    "imm f\"1.5\" $lr0v $ls0 $mb",
    "immu ui\"0xffffffff\" $llr508v $t; fvpassa $aluf $lln0v",
    "ulsub $msb1 $lr0v $omr15",
    "dvfmaur $m0ve -$r0ve $n0ve $s4v; dmread $ly3 $lr0v",
    "hvfmar $llm0vr $lr0v -$ln0ve $ls8v; hmwrite $lr0v $lx15",
    "hbfe/6/ll1010 $llr0vr $lls0v",
    "hmread $lly14 $lls0v/ll0001; hmwrite $lln0v $llx2",
    "l1bmd-15 $mauf $lb64",
    "l1bmp $llb56 $llr0v $t",
    "l1bmr4ffaddr $llm4092v $lb16",
    "l1bmrffadd $lm0ve $llb8",
    "lpassa $lmt $nb",
    "lpassa $lmt4v32 $lnb/$imr2",
    "lpassa $lm4094v $ln0vj3",
    "frelu $mreadf $aluf $nowrite",
    "mvnop",
    "mvp/n64i01 $p0@0 $lc0@2.1",
    "mvp/n536870848p3 $p524224@3 $p0@1",
    "mvp/n256i3fnd4 $p1600@1 $di512@2",
    "mvrdfadd/n128 $lc0 $d536870896",
    "mvp/n64 $lc0 $d0",
    "mvr2iiadd/n64 $lc0@3 $p0@3",
    "mvd/n64 $p512@0 $lc64",
    "mvb4/n64 $di3 $lc0",
];

/// Encoded and decoded again, a line is what it was.
#[track_caller]
fn check(line: &str, mode: Mode) {
    // The order of expressions and destinations is not in the word: compare canonical forms.
    let program = crate::parse(line).unwrap_or_else(|e| panic!("{}", e[0].render("test", line)));
    match &program.statements[0].kind {
        StatementKind::Step(step) => {
            let word = encode(step, mode).unwrap_or_else(|e| panic!("{line}: {}", e.message));
            let again = decode(&word, mode).unwrap_or_else(|e| panic!("{line}: {e}"));
            assert_eq!(encode(&again, mode).unwrap(), word, "{line}");
            let sorted = |text: String| {
                let mut words: Vec<String> = text
                    .replace(';', " ")
                    .split_whitespace()
                    .map(str::to_owned)
                    .collect();
                words.sort();
                words
            };
            assert_eq!(sorted(again.to_string()), sorted(step.to_string()));
        }
        StatementKind::Mv(found) => {
            let again = mv::decode(&mv::encode(found, mode), mode)
                .unwrap_or_else(|e| panic!("{line}: {e}"));
            assert_eq!(again.to_string(), found.to_string());
        }
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn decoding_undoes_encoding() {
    for line in LINES {
        check(line, Mode::AutoStride);
        check(line, Mode::Flat);
    }
    check("lpassa $lm[0,4,10,14] $ls[2,2,2,8]", Mode::Flat);
}

#[test]
fn every_opcode_has_a_word() {
    use crate::fields::Numbered;
    use crate::table::{AluOp, L1bmOp, L2bmOp, MauOp};
    for op in L2bmOp::list() {
        use crate::table::l2bm::Direction;
        let operands = match op.kind.row().flow {
            Direction::Down => "$lc64 $lb128",
            Direction::Up => "$lb64 $lc128",
            Direction::Across => "$lb64 $lb128",
        };
        check(&format!("{} {operands}", op.mnemonic()), Mode::AutoStride);
    }
    for op in L1bmOp::list() {
        let (l, ll) = if op.wide { ("ll", "ll") } else { ("l", "l") };
        let b = if op.halves_result() { "l" } else { ll };
        if op.kind.row().down {
            check(&format!("{} ${b}b64 ${l}r0v", op.mnemonic()), Mode::Flat);
        } else {
            check(
                &format!("{} ${l}r0v ${b}b64", op.mnemonic()),
                Mode::AutoStride,
            );
        }
    }
    for op in MauOp::list() {
        let matrix = if op.kind.is_matrix() { "$ly " } else { "" };
        let inputs = ["$t", "$mauf", "$aluf"][..op.kind.row().ports.len()].join(" ");
        check(
            &format!("{} {matrix}{inputs} $nowrite", op.mnemonic()),
            Mode::AutoStride,
        );
    }
    for op in AluOp::list() {
        let mantissa = match op.mantissa {
            0 => String::new(),
            n => format!("/{n}"),
        };
        let immediate = if op.kind.is_immediate() {
            "i\"-7\""
        } else {
            ""
        };
        let inputs = ["$subpeid", "$lbf"][..op.kind.row().inputs].join(" ");
        check(
            &format!("{}{mantissa} {immediate} {inputs} $nowrite", op.mnemonic()),
            Mode::Flat,
        );
    }
}

#[test]
fn fields_fit_and_do_not_overlap() {
    for mode in [Mode::AutoStride, Mode::Flat] {
        let mut used = vec![None; mode.bits()];
        for &field in Field::ALL {
            let at = low(field, mode);
            for slot in &mut used[at..at + width(field, mode)] {
                assert_eq!(slot.replace(field), None, "{field:?} at {at}");
            }
        }
        assert_eq!(used[mode.wait_offset()], Some(Field::Wait));
        // The immediate covers nothing that an immediate's step may need.
        let at = low(Field::Lm0Addr, mode);
        for field in used[at..at + IMMEDIATE_BITS].iter().flatten() {
            let free = [
                Field::Lm0Addr,
                Field::Lm0Width,
                Field::Lm0Modify,
                Field::AluA,
                Field::AluB,
            ];
            assert!(free.contains(field), "{field:?}");
        }
    }
}

#[test]
fn unencodable_operands_are_errors() {
    for (line, message) in [
        (
            "lpassa $lr0v $ln[0,2,4,8]",
            "addresses of four cycles need flat mode",
        ),
        (
            "ipassa $m0v512 $r0v",
            "the increment is 512 accesses; auto-stride words have room for 0 to 511",
        ),
    ] {
        let program = crate::parse(line).unwrap();
        let StatementKind::Step(step) = &program.statements[0].kind else {
            panic!("{line}")
        };
        assert_eq!(encode(step, Mode::AutoStride).unwrap_err().message, message);
        check(line, Mode::Flat);
    }
}

#[test]
fn words_that_are_none() {
    let mode = Mode::AutoStride;
    let word = |line: &str| {
        let program = crate::parse(line).unwrap();
        let StatementKind::Step(step) = &program.statements[0].kind else {
            panic!("{line}")
        };
        encode(step, mode).unwrap()
    };
    assert_eq!(
        decode(&Bits::default(), mode).unwrap_err().to_string(),
        "the word has no expression, not even `nop`"
    );
    let mut stray = word("nop");
    stray.set(low(Field::L2bmAddr, mode), 1, 1);
    assert_eq!(
        decode(&stray, mode).unwrap_err().to_string(),
        "bits are set that belong to no expression of `nop`"
    );
    let mut odd = word("lpassa $lm0v $nowrite");
    odd.set(low(Field::Lm0Addr, mode), 12, 3);
    assert_eq!(
        decode(&odd, mode).unwrap_err().to_string(),
        "`lpassa $lm3v $nowrite`: 3 is not a multiple of 2, which an access of a long word needs"
    );
    let mut unknown = word("lpassa $lm0v $nowrite");
    unknown.set(low(Field::AluOp, mode), 8, 255);
    assert_eq!(
        decode(&unknown, mode).unwrap_err().to_string(),
        "field `alu_op`, the operation of the ALU, has the invalid value 255"
    );
    let mut mode_30 = Bits::default();
    let numbers_mode = 31;
    mode_30.set(numbers_mode, 5, 30);
    assert_eq!(
        mv::decode(&mode_30, mode).unwrap_err().to_string(),
        "MV mode 30 is not defined"
    );
}

#[test]
fn bits_cross_words() {
    let mut bits = Bits::default();
    bits.set(60, 64, u64::MAX);
    assert_eq!((bits.0[0], bits.0[1]), (0xf << 60, (1 << 60) - 1));
    assert_eq!(bits.get(60, 64), u64::MAX);
    bits.set(62, 4, 0);
    assert_eq!(bits.get(60, 8), 0b1100_0011);
}

proptest! {
    /// Decoding arbitrary bits yields an instruction that encodes to them, or an error.
    #[test]
    fn random_words(
        words in prop::array::uniform7(any::<u64>()),
        sparse in any::<bool>(),
        flat in any::<bool>(),
    ) {
        let mode = if flat { Mode::Flat } else { Mode::AutoStride };
        let mut word = Bits::default();
        for (at, value) in words.iter().enumerate() {
            word.0[at] = match sparse {
                true => value & value.rotate_left(7) & value.rotate_left(19),
                false => *value,
            };
        }
        let word = word.extract(0, mode.bits());
        if let Ok(step) = decode(&word, mode) {
            prop_assert_eq!(encode(&step, mode).unwrap(), word);
        }
        if let Ok(found) = mv::decode(&word.extract(0, mv::bits(mode)), mode) {
            prop_assert_eq!(mv::encode(&found, mode), word.extract(0, mv::bits(mode)));
            let Mv { .. } = found;
        }
    }

    /// A good word with one bit turned is another instruction or an error.
    #[test]
    fn turned_bits(line in 0..LINES.len(), bit in 0usize..304) {
        let program = crate::parse(LINES[line]).unwrap();
        if let StatementKind::Step(step) = &program.statements[0].kind {
            let mut word = encode(step, Mode::AutoStride).unwrap();
            word.set(bit, 1, word.get(bit, 1) ^ 1);
            if let Ok(other) = decode(&word, Mode::AutoStride) {
                prop_assert_eq!(encode(&other, Mode::AutoStride).unwrap(), word);
            }
        }
    }
}
