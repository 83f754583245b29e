//! A kernel as four lists, and their text form.
//!
//! The lists of unpack (T0), math (T1) and pack (T2) are the traces of three RISC-V cores: entries retire in
//! order, [`Entry::Push`] goes to the thread's bounded FIFO, and the coprocessor works the FIFOs off
//! asynchronously. The fourth list, `dm`, moves pages between DRAM and L1. RISC-V code can replace each list
//! at exactly this seam.
//!
//! Text: sections `.unpack .math .pack .dm` in this order of use, one entry a line, `#` starts a comment.
//! Instructions stand in the form of [`crate::text`]; a pushed word that is no instruction prints as
//! `.word 0x…`, so that printing and parsing are inverse for every list.

use std::fmt;
use std::str::FromStr;

use crate::text::{parse_number, split_operands, Problem};
use crate::{Arch, Instruction};

/// One entry of an unpack, math or pack list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Entry {
    /// Push an instruction word into this thread's FIFO; blocks while it is full.
    Push(u32),
    /// Store to `MopCfg[index]`; a trap unless the expander is idle.
    MopCfg {
        /// 0 to 8.
        index: u8,
        /// The word.
        value: u32,
    },
    /// Wait until this thread's FIFO holds no MOP and its expander is idle.
    WaitMop,
    /// Wait until everything this thread pushed has completed.
    WaitIdle,
    /// Add one to a semaphore by a store.
    SemPost(u8),
    /// Take one from a semaphore by a store.
    SemGet(u8),
    /// Poll a semaphore's value.
    SemPoll {
        /// 0 to 7.
        sem: u8,
        /// Continue once the value is this or more.
        at_least: u8,
    },
    /// Add one to a counter in L1.
    Post {
        /// The counter.
        counter: u16,
    },
    /// Wait for a counter in L1.
    Wait {
        /// The counter.
        counter: u16,
        /// Continue once it is this or more.
        at_least: u32,
    },
}

/// One entry of the data-movement list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DmEntry {
    /// Copy one page of a tensor from DRAM to L1.
    Read {
        /// Which tensor argument.
        arg: u16,
        /// Which of its pages.
        page: u32,
        /// Byte address in L1.
        l1: u32,
    },
    /// Copy one page of a tensor from L1 to DRAM.
    Write {
        /// Which tensor argument.
        arg: u16,
        /// Which of its pages.
        page: u32,
        /// Byte address in L1.
        l1: u32,
    },
    /// Add one to a counter in L1.
    Post {
        /// The counter.
        counter: u16,
    },
    /// Wait for a counter in L1.
    Wait {
        /// The counter.
        counter: u16,
        /// Continue once it is this or more.
        at_least: u32,
    },
}

/// The four lists of a kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Lists {
    /// Thread 0.
    pub unpack: Vec<Entry>,
    /// Thread 1.
    pub math: Vec<Entry>,
    /// Thread 2.
    pub pack: Vec<Entry>,
    /// Data movement.
    pub dm: Vec<DmEntry>,
}

impl Lists {
    /// The list of thread 0, 1 or 2.
    pub fn thread(&self, thread: usize) -> &[Entry] {
        [&self.unpack, &self.math, &self.pack][thread]
    }
}

impl From<Instruction> for Entry {
    /// Pushes the instruction.
    ///
    /// # Panics
    /// If an operand does not fit its field: an instruction built in code is the caller's own constant.
    fn from(instruction: Instruction) -> Self {
        Entry::Push(instruction.encode().unwrap_or_else(|e| panic!("{e}")))
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Entry::Push(word) => match Instruction::decode(Arch::WormholeB0, word) {
                Ok(instruction) => instruction.fmt(f),
                Err(_) => write!(f, ".word {word:#010x}"),
            },
            Entry::MopCfg { index, value } => write!(f, ".mopcfg {index}, {value:#010x}"),
            Entry::WaitMop => f.write_str(".wait_mop"),
            Entry::WaitIdle => f.write_str(".wait_idle"),
            Entry::SemPost(sem) => write!(f, ".sem_post {sem}"),
            Entry::SemGet(sem) => write!(f, ".sem_get {sem}"),
            Entry::SemPoll { sem, at_least } => write!(f, ".sem_poll {sem}, {at_least}"),
            Entry::Post { counter } => write!(f, ".post {counter}"),
            Entry::Wait { counter, at_least } => write!(f, ".wait {counter}, {at_least}"),
        }
    }
}

impl fmt::Display for DmEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            DmEntry::Read { arg, page, l1 } => write!(f, ".read {arg}, {page}, {l1:#x}"),
            DmEntry::Write { arg, page, l1 } => write!(f, ".write {arg}, {page}, {l1:#x}"),
            DmEntry::Post { counter } => write!(f, ".post {counter}"),
            DmEntry::Wait { counter, at_least } => write!(f, ".wait {counter}, {at_least}"),
        }
    }
}

impl fmt::Display for Lists {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, list) in [
            (".unpack", &self.unpack),
            (".math", &self.math),
            (".pack", &self.pack),
        ] {
            writeln!(f, "{name}")?;
            for entry in list {
                writeln!(f, "    {entry}")?;
            }
        }
        writeln!(f, ".dm")?;
        for entry in &self.dm {
            writeln!(f, "    {entry}")?;
        }
        Ok(())
    }
}

/// Why a text is not a kernel; line and column count from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {problem}")]
pub struct ParseListError {
    /// The line.
    pub line: usize,
    /// The column, in characters.
    pub column: usize,
    /// What is wrong there.
    pub problem: ListProblem,
}

/// The problems a line of a kernel can have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ListProblem {
    /// The instruction is malformed.
    #[error(transparent)]
    Instruction(#[from] Problem),
    /// The directive does not exist, or not in this section.
    #[error("`{directive}` is no directive of section {section}")]
    UnknownDirective {
        /// What was read.
        directive: String,
        /// Where.
        section: &'static str,
    },
    /// An instruction in the data-movement section.
    #[error("instructions belong in .unpack, .math or .pack; section .dm moves pages")]
    InstructionInDm,
    /// Something before the first section.
    #[error("expected a section first: .unpack, .math, .pack or .dm")]
    NoSection,
    /// A section twice.
    #[error("section {0} stands twice")]
    SectionTwice(&'static str),
    /// Wrong number of operands.
    #[error("`{directive}` takes {expected} operand(s), but {found} were given")]
    Arity {
        /// The directive.
        directive: String,
        /// Operands it takes.
        expected: usize,
        /// Operands given.
        found: usize,
    },
    /// Operand out of range.
    #[error("operand {value} is out of range 0 to {max}")]
    Range {
        /// The value.
        value: u32,
        /// The largest allowed.
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

    /// The operands, each checked against its maximum.
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

fn parse_entry(text: &str, section: &'static str) -> LineResult<Entry> {
    let line = Line::new(text);
    if !line.word.starts_with('.') {
        let instruction: Instruction = text
            .parse()
            .map_err(|e: crate::text::ParseInstructionError| (e.column, e.problem.into()))?;
        return Ok(Entry::from(instruction));
    }
    Ok(match line.word {
        ".word" => line.numbers([ANY]).map(|[word]| Entry::Push(word))?,
        ".mopcfg" => line.numbers([8, ANY]).map(|[i, value]| Entry::MopCfg {
            index: i as u8,
            value,
        })?,
        ".wait_mop" => line.numbers([]).map(|[]| Entry::WaitMop)?,
        ".wait_idle" => line.numbers([]).map(|[]| Entry::WaitIdle)?,
        ".sem_post" => line.numbers([7]).map(|[sem]| Entry::SemPost(sem as u8))?,
        ".sem_get" => line.numbers([7]).map(|[sem]| Entry::SemGet(sem as u8))?,
        ".sem_poll" => line.numbers([7, 15]).map(|[sem, n]| Entry::SemPoll {
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
    fn parse_line(&mut self, section: &'static str, text: &str) -> LineResult<()> {
        match section {
            ".unpack" => self.unpack.push(parse_entry(text, section)?),
            ".math" => self.math.push(parse_entry(text, section)?),
            ".pack" => self.pack.push(parse_entry(text, section)?),
            _ => self.dm.push(parse_dm_entry(text)?),
        }
        Ok(())
    }
}

impl FromStr for Lists {
    type Err = ParseListError;

    fn from_str(text: &str) -> Result<Self, ParseListError> {
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
            lists.parse_line(section, code).map_err(fail)?;
        }
        Ok(lists)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn sample() {
        let text = "\
.unpack
    .wait 0, 1            # the tile is in L1
    ttreplay 16, 16, 0, 1
.math
    .mopcfg 0, 1
    .wait_mop
    .word 0x00000000
.dm
    .read 0, 5, 0x18000
    .post 0
";
        let lists: Lists = text.parse().unwrap();
        assert_eq!(
            lists.unpack,
            [
                Entry::Wait {
                    counter: 0,
                    at_least: 1
                },
                Entry::Push(0x0404_0101)
            ]
        );
        assert_eq!(
            lists.math,
            [
                Entry::MopCfg { index: 0, value: 1 },
                Entry::WaitMop,
                Entry::Push(0)
            ]
        );
        assert_eq!(
            lists.dm,
            [
                DmEntry::Read {
                    arg: 0,
                    page: 5,
                    l1: 0x18000
                },
                DmEntry::Post { counter: 0 }
            ]
        );
    }

    #[test]
    fn errors_have_a_place() {
        let cases = [
            (
                "ttnop",
                "1:1: expected a section first: .unpack, .math, .pack or .dm",
            ),
            (".math\n\n  ttfoo", "3:3: unknown instruction `ttfoo`"),
            (
                ".math\n  ttmvmul 0, 0, 4, 0",
                "2:17: MVMUL: addr_mode is 4, but its field holds 0 to 3",
            ),
            (
                ".dm\n  ttnop",
                "2:3: instructions belong in .unpack, .math or .pack; section .dm moves pages",
            ),
            (
                ".pack\n  .read 0, 0, 0",
                "2:3: `.read` is no directive of section .pack",
            ),
            (
                ".dm\n  .sem_get 0",
                "2:3: `.sem_get` is no directive of section .dm",
            ),
            (
                ".math\n  .wait 0",
                "2:3: `.wait` takes 2 operand(s), but 1 were given",
            ),
            (
                ".math\n  .mopcfg 9, 0",
                "2:11: operand 9 is out of range 0 to 8",
            ),
            (
                ".math\n  .post one",
                "2:9: `one` is not a number; write decimal or 0x…",
            ),
            (".math\n.math", "2:1: section .math stands twice"),
        ];
        for (text, expect) in cases {
            assert_eq!(
                text.parse::<Lists>().unwrap_err().to_string(),
                expect,
                "{text:?}"
            );
        }
    }

    fn entry() -> impl Strategy<Value = Entry> {
        prop_oneof![
            any::<u32>().prop_map(Entry::Push),
            (0..9u8, any::<u32>()).prop_map(|(index, value)| Entry::MopCfg { index, value }),
            Just(Entry::WaitMop),
            Just(Entry::WaitIdle),
            (0..8u8).prop_map(Entry::SemPost),
            (0..8u8).prop_map(Entry::SemGet),
            (0..8u8, 0..16u8).prop_map(|(sem, at_least)| Entry::SemPoll { sem, at_least }),
            any::<u16>().prop_map(|counter| Entry::Post { counter }),
            any::<(u16, u32)>().prop_map(|(counter, at_least)| Entry::Wait { counter, at_least }),
        ]
    }

    fn dm_entry() -> impl Strategy<Value = DmEntry> {
        prop_oneof![
            any::<(u16, u32, u32)>().prop_map(|(arg, page, l1)| DmEntry::Read { arg, page, l1 }),
            any::<(u16, u32, u32)>().prop_map(|(arg, page, l1)| DmEntry::Write { arg, page, l1 }),
            any::<u16>().prop_map(|counter| DmEntry::Post { counter }),
            any::<(u16, u32)>().prop_map(|(counter, at_least)| DmEntry::Wait { counter, at_least }),
        ]
    }

    proptest! {
        #[test]
        fn printing_and_parsing_are_inverse(
            unpack in prop::collection::vec(entry(), 0..20),
            math in prop::collection::vec(entry(), 0..20),
            pack in prop::collection::vec(entry(), 0..20),
            dm in prop::collection::vec(dm_entry(), 0..20),
        ) {
            let lists = Lists { unpack, math, pack, dm };
            prop_assert_eq!(lists.to_string().parse(), Ok(lists));
        }
    }
}
