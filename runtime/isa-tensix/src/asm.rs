//! Streams of words as text, and back.
//!
//! One instruction a line, in the form of [`crate::text`]; `#` starts a comment. `.word 0x…` is a
//! word as it is, so that every stream has a text. What the disassembler cannot name it writes so,
//! with the reason as a comment.

use std::collections::BTreeMap;
use std::fmt::Write;

use tessera_diagnostic::{Finding, Span};

use crate::text::{parse_number, split_operands, Problem};
use crate::{explain, rows, Arch, EncodeError, Instruction, Row};

/// Why a line is no instruction.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}:{}: {problem}", span.line, span.column)]
pub struct AsmError {
    /// Where the problem is.
    pub span: Span,
    /// What it is.
    pub problem: AsmProblem,
    /// What may have been meant, or what to do instead.
    pub hint: Option<String>,
}

impl AsmError {
    /// Renders the error about the text `source` of a file, with the source line and a caret.
    pub fn render(&self, file: &str, source: &str) -> String {
        let finding = Finding {
            span: self.span,
            message: &self.problem.to_string(),
            notes: &[],
            hint: self.hint.as_deref(),
        };
        finding.render(file, source)
    }
}

/// The problems a line can have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AsmProblem {
    /// Its instruction has one.
    #[error(transparent)]
    Instruction(#[from] Problem),
    /// A directive other than `.word`.
    #[error("unknown directive `{0}`; there is .word 0x…")]
    Directive(String),
    /// `.word` without its word, or with more than one.
    #[error(".word takes one number of 32 bits")]
    Word,
}

/// The words of a text.
///
/// # Errors
/// Every line with a problem.
pub fn assemble(arch: Arch, text: &str) -> Result<Vec<u32>, Vec<AsmError>> {
    let mut words = Vec::new();
    let mut errors = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let code = line.split('#').next().unwrap_or_default();
        if code.trim().is_empty() {
            continue;
        }
        match word(arch, code) {
            Ok(word) => words.push(word),
            Err((column, length, problem)) => errors.push(AsmError {
                span: Span {
                    line: number as u32 + 1,
                    column: column as u32,
                    length: length as u32,
                },
                hint: hint(arch, &problem),
                problem,
            }),
        }
    }
    match errors.is_empty() {
        true => Ok(words),
        false => Err(errors),
    }
}

/// A problem, with the first of its characters and how many there are.
type Placed = (usize, usize, AsmProblem);

/// The word of a line that is not empty.
fn word(arch: Arch, code: &str) -> Result<u32, Placed> {
    let ((column, name), operands) = split_operands(code);
    let length = name.chars().count();
    if name.starts_with('.') {
        let directive = || AsmProblem::Directive(name.to_owned());
        return match operands[..] {
            _ if name != ".word" => Err((column, length, directive())),
            [(at, number)] => {
                let problem = (at, number.chars().count(), AsmProblem::Word);
                parse_number(number).ok_or(problem)
            }
            _ => Err((column, length, AsmProblem::Word)),
        };
    }
    let parsed = Instruction::parse(arch, code);
    let instruction = parsed.map_err(|error| (error.column, error.length, error.problem.into()))?;
    let encoded = instruction.encode(arch);
    encoded.map_err(|error| (column, length, Problem::from(error).into()))
}

/// What may have been meant, or what to do instead.
fn hint(arch: Arch, problem: &AsmProblem) -> Option<String> {
    match problem {
        AsmProblem::Instruction(Problem::UnknownMnemonic(name)) => {
            let known = nearest(arch, name)?;
            Some(format!("did you mean `{known}`?"))
        }
        AsmProblem::Instruction(Problem::Encode(error)) => match error {
            EncodeError::Arity { mnemonic, .. } => {
                let row = Row::by_mnemonic(mnemonic)?;
                Some(format!("write `{}`", explain::synopsis(row, arch)))
            }
            EncodeError::NotOnArch { mnemonic, .. } => {
                let row = Row::by_mnemonic(mnemonic)?;
                let other = Arch::ALL.into_iter().find(|other| row.is_on(*other))?;
                Some(format!("{other} has it (--arch {other})"))
            }
            _ => None,
        },
        _ => None,
    }
}

/// Returns the instruction of a chip that a misspelt mnemonic may stand for, as it stands in text.
/// The prefix may be missing, and letters may be upper-case.
pub fn nearest(arch: Arch, name: &str) -> Option<String> {
    let lower = name.to_ascii_lowercase();
    let bare = lower.strip_prefix("tt").unwrap_or(&lower);
    let rows = rows().iter().filter(|row| row.is_on(arch));
    let known = rows.map(|row| (row.mnemonic.to_ascii_lowercase(), row.text_mnemonic()));
    let known: BTreeMap<String, String> = known.collect();
    let found = match known.contains_key(bare) {
        true => bare,
        false => tessera_diagnostic::nearest(bare, known.keys())?,
    };
    known.get(found).cloned()
}

/// The text of words, a line for each.
pub fn disassemble(arch: Arch, words: impl IntoIterator<Item = u32>) -> String {
    let mut out = String::new();
    for word in words {
        let line = match Instruction::decode(arch, word) {
            Ok(instruction) => writeln!(out, "{}", instruction.text(arch)),
            Err(error) => writeln!(out, ".word {word:#010x} # {error}"),
        };
        line.expect("a String takes everything");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn texts_of_streams() {
        let text = "ttnop # nothing\n\n  ttreplay 16,16,0,1\n.word 0xff000000\n";
        let words = assemble(Arch::WormholeB0, text).unwrap();
        assert_eq!(words, [0x0200_0000, 0x0404_0101, 0xff00_0000]);
        assert_eq!(
            disassemble(Arch::WormholeB0, words),
            "ttnop\nttreplay 16, 16, 0, 1\n\
             .word 0xff000000 # word 0xff000000: no instruction has opcode 0xff\n"
        );
    }

    #[test]
    fn every_line_with_a_problem_is_named() {
        let text = "ttnop 1\n.long 3\n .word\n.word 0x100000000\nttmvmul 0, 0, 4, 0\nttfoo";
        let errors = assemble(Arch::WormholeB0, text).unwrap_err();
        let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
        assert_eq!(
            errors,
            [
                "1:1: NOP takes 0 operand(s), but 1 were given",
                "2:1: unknown directive `.long`; there is .word 0x…",
                "3:2: .word takes one number of 32 bits",
                "4:7: .word takes one number of 32 bits",
                "5:15: MVMUL: addr_mode is 4, but its field holds 0 to 3",
                "6:1: unknown instruction `ttfoo`",
            ]
        );
    }

    #[test]
    fn rendered_with_a_caret_and_a_hint() {
        for (line, expect) in [
            (
                " ttmvmull 0, 0, 0, 0",
                "a.s:1:2: error: unknown instruction `ttmvmull`\n   ttmvmull 0, 0, 0, 0\n   \
                 ^^^^^^^^\nhint: did you mean `ttmvmul`?\n",
            ),
            (
                "mvmul 0, 0, 0, 0",
                "a.s:1:1: error: unknown instruction `mvmul`\n  mvmul 0, 0, 0, 0\n  \
                 ^^^^^\nhint: did you mean `ttmvmul`?\n",
            ),
            (
                "SFPLAOD",
                "a.s:1:1: error: unknown instruction `SFPLAOD`\n  SFPLAOD\n  \
                 ^^^^^^^\nhint: did you mean `sfpload`?\n",
            ),
            (
                "ttmvmul 0, 0, 100, 0",
                "a.s:1:15: error: MVMUL: addr_mode is 100, but its field holds 0 to 3\n  \
                 ttmvmul 0, 0, 100, 0\n                ^^^\n",
            ),
            (
                "ttmvmul 0",
                "a.s:1:1: error: MVMUL takes 4 operand(s), but 1 were given\n  ttmvmul 0\n  \
                 ^^^^^^^\nhint: write `ttmvmul clear_dvalid, instr_mod19, addr_mode, dst`\n",
            ),
            (
                "sfparecip 0, 0, 0, 0",
                "a.s:1:1: error: wormhole_b0 has no SFPARECIP\n  sfparecip 0, 0, 0, 0\n  \
                 ^^^^^^^^^\nhint: blackhole has it (--arch blackhole)\n",
            ),
            (
                ".word 12x",
                "a.s:1:7: error: .word takes one number of 32 bits\n  .word 12x\n        ^^^\n",
            ),
        ] {
            let errors = assemble(Arch::WormholeB0, line).unwrap_err();
            assert_eq!(errors[0].render("a.s", line), expect);
        }
    }

    proptest! {
        #[test]
        fn every_stream_has_a_text(words in prop::collection::vec(any::<u32>(), 0..50)) {
            for arch in Arch::ALL {
                let text = disassemble(arch, words.iter().copied());
                prop_assert_eq!(assemble(arch, &text), Ok(words.clone()));
            }
        }
    }

    /// 10^8 random words, or a few when nobody asks for more.
    #[test]
    fn random_words_are_what_their_text_says() {
        let count = match std::env::var_os("TESSERA_LONG_TESTS") {
            Some(_) => 100_000_000,
            None => 100_000_u32,
        };
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..count {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            // Rows are dense up to here.
            let word = (state >> 32) as u32 % 0xb900_0000;
            for arch in Arch::ALL {
                let Ok(instruction) = Instruction::decode(arch, word) else {
                    continue;
                };
                let text = instruction.text(arch).to_string();
                assert_eq!(Instruction::parse(arch, &text), Ok(instruction), "{text}");
            }
        }
    }
}
