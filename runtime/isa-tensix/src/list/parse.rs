//! The parser for lists.

use std::str::FromStr;

use super::{DmEntry, Entry, Lists, ARCH, MAX_SEMAPHORE_VALUE, SEMAPHORES};
use crate::expand::MOP_CFG_WORDS;
use crate::text::{parse_number, split_operands, Problem};
use crate::{Arch, Instruction};

/// Why a text is not a kernel.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {problem}")]
pub struct ParseListError {
    /// The line, from 1 on.
    pub line: usize,
    /// The column in characters, from 1 on.
    pub column: usize,
    /// The problem.
    pub problem: ListProblem,
}

/// Problems of a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ListProblem {
    /// The instruction is malformed.
    #[error(transparent)]
    Instruction(#[from] Problem),
    /// The directive does not exist, or not in this section.
    #[error("`{directive}` is not a directive of section {section}")]
    UnknownDirective {
        /// The directive.
        directive: String,
        /// The section.
        section: &'static str,
    },
    /// The data movement section has an instruction.
    #[error("instructions belong in .unpack, .math or .pack; section .dm moves pages")]
    InstructionInDm,
    /// An entry precedes the first section.
    #[error("expected a section first: .unpack, .math, .pack or .dm")]
    NoSection,
    /// A section occurs twice.
    #[error("section {0} occurs twice")]
    SectionTwice(&'static str),
    /// The number of operands is wrong.
    #[error("`{directive}` takes {expected} operand(s), but {found} were given")]
    Arity {
        /// The directive.
        directive: String,
        /// Number of operands of the directive.
        expected: usize,
        /// Number of operands given.
        found: usize,
    },
    /// An operand is out of range.
    #[error("operand {value} is out of range 0 to {max}")]
    Range {
        /// The value.
        value: u32,
        /// The largest allowed value.
        max: u32,
    },
}

type LineResult<T> = Result<T, (usize, ListProblem)>;

const SECTIONS: [&str; 4] = [".unpack", ".math", ".pack", ".dm"];

/// The operands of one directive line.
struct Line<'a> {
    column: usize,
    word: &'a str,
    operands: Vec<(usize, &'a str)>,
}

impl<'a> Line<'a> {
    fn new(text: &'a str) -> Self {
        let ((column, word), operands) = split_operands(text);
        Line {
            column,
            word,
            operands,
        }
    }

    /// Returns the operands, each checked against its maximum.
    fn numbers<const N: usize>(&self, max: [u32; N]) -> LineResult<[u32; N]> {
        if self.operands.len() != N {
            let problem = ListProblem::Arity {
                directive: self.word.to_owned(),
                expected: N,
                found: self.operands.len(),
            };
            return Err((self.column, problem));
        }
        let mut out = [0; N];
        for k in 0..N {
            let (column, text) = self.operands[k];
            let value =
                parse_number(text).ok_or((column, Problem::NotANumber(text.to_owned()).into()))?;
            if value > max[k] {
                return Err((column, ListProblem::Range { value, max: max[k] }));
            }
            out[k] = value;
        }
        Ok(out)
    }

    fn unknown<T>(&self, section: &'static str) -> LineResult<T> {
        let directive = self.word.to_owned();
        Err((
            self.column,
            ListProblem::UnknownDirective { directive, section },
        ))
    }
}

const ANY: u32 = u32::MAX;
const COUNTER: u32 = u16::MAX as u32;
const SEMAPHORE: u32 = SEMAPHORES as u32 - 1;

fn parse_entry(arch: Arch, text: &str, section: &'static str) -> LineResult<Entry> {
    let line = Line::new(text);
    if !line.word.starts_with('.') {
        let problem = |problem: Problem| (line.column, problem.into());
        let instruction = Instruction::parse(arch, text);
        let instruction = instruction.map_err(|e| (e.column, e.problem.into()))?;
        let word = instruction.encode(arch);
        return Ok(Entry::Push(word.map_err(|e| problem(e.into()))?));
    }
    Ok(match line.word {
        ".word" => line.numbers([ANY]).map(|[word]| Entry::Push(word))?,
        ".mopcfg" => line
            .numbers([MOP_CFG_WORDS as u32 - 1, ANY])
            .map(|[i, value]| Entry::MopCfg {
                index: i as u8,
                value,
            })?,
        ".wait_mop" => line.numbers([]).map(|[]| Entry::WaitMop)?,
        ".wait_idle" => line.numbers([]).map(|[]| Entry::WaitIdle)?,
        ".sem_post" => line
            .numbers([SEMAPHORE])
            .map(|[sem]| Entry::SemPost(sem as u8))?,
        ".sem_get" => line
            .numbers([SEMAPHORE])
            .map(|[sem]| Entry::SemGet(sem as u8))?,
        ".sem_poll" => line
            .numbers([SEMAPHORE, MAX_SEMAPHORE_VALUE.into()])
            .map(|[sem, n]| Entry::SemPoll {
                sem: sem as u8,
                at_least: n as u8,
            })?,
        ".post" => line
            .numbers([COUNTER])
            .map(|[c]| Entry::Post { counter: c as u16 })?,
        ".wait" => line
            .numbers([COUNTER, ANY])
            .map(|[c, at_least]| Entry::Wait {
                counter: c as u16,
                at_least,
            })?,
        _ => return line.unknown(section),
    })
}

fn parse_dm_entry(text: &str) -> LineResult<DmEntry> {
    let line = Line::new(text);
    if !line.word.starts_with('.') {
        return Err((line.column, ListProblem::InstructionInDm));
    }
    let page = || line.numbers([COUNTER, ANY, ANY]);
    Ok(match line.word {
        ".read" => page().map(|[arg, page, l1]| DmEntry::Read {
            arg: arg as u16,
            page,
            l1,
        })?,
        ".write" => page().map(|[arg, page, l1]| DmEntry::Write {
            arg: arg as u16,
            page,
            l1,
        })?,
        ".post" => line
            .numbers([COUNTER])
            .map(|[c]| DmEntry::Post { counter: c as u16 })?,
        ".wait" => line
            .numbers([COUNTER, ANY])
            .map(|[c, at_least]| DmEntry::Wait {
                counter: c as u16,
                at_least,
            })?,
        _ => return line.unknown(".dm"),
    })
}

impl Lists {
    fn parse_line(&mut self, arch: Arch, section: &'static str, text: &str) -> LineResult<()> {
        match section {
            ".unpack" => self.unpack.push(parse_entry(arch, text, section)?),
            ".math" => self.math.push(parse_entry(arch, text, section)?),
            ".pack" => self.pack.push(parse_entry(arch, text, section)?),
            _ => self.dm.push(parse_dm_entry(text)?),
        }
        Ok(())
    }

    /// Parses the lists of a chip.
    ///
    /// # Errors
    /// The first problem with its location.
    pub fn parse(arch: Arch, text: &str) -> Result<Self, ParseListError> {
        let mut lists = Lists::default();
        let mut section: Option<&'static str> = None;
        let mut seen = Vec::new();
        for (k, full) in text.lines().enumerate() {
            let code = full.split('#').next().unwrap_or("");
            let word = code.trim();
            if word.is_empty() {
                continue;
            }
            let column = code.chars().take_while(|c| c.is_whitespace()).count() + 1;
            let fail = |(column, problem)| ParseListError {
                line: k + 1,
                column,
                problem,
            };
            if let Some(name) = SECTIONS.into_iter().find(|&name| name == word) {
                if seen.contains(&name) {
                    return Err(fail((column, ListProblem::SectionTwice(name))));
                }
                seen.push(name);
                section = Some(name);
                continue;
            }
            let section = section.ok_or_else(|| fail((column, ListProblem::NoSection)))?;
            lists.parse_line(arch, section, code).map_err(fail)?;
        }
        Ok(lists)
    }
}

impl FromStr for Lists {
    type Err = ParseListError;

    /// Parses the lists of Wormhole B0.
    fn from_str(text: &str) -> Result<Self, ParseListError> {
        Lists::parse(ARCH, text)
    }
}
