//! The parser for traces.

use crate::map::Coordinate;

/// A command of a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Writes bytes.
    Write(Vec<u8>),
    /// Reads bytes; with the recorded reply, if known.
    Read(u32, Option<Vec<u8>>),
    /// Holds the cores of a tile in reset.
    ResetAssert,
    /// Releases the cores of a tile from reset.
    ResetDeassert,
    /// Ends the trace.
    Exit,
}

/// A line of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The line number, from 1 on.
    pub line: usize,
    /// The tile.
    pub tile: Coordinate,
    /// The address in the tile.
    pub addr: u64,
    /// The command.
    pub command: Command,
}

/// A trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// Its non-empty lines, in order.
    pub events: Vec<Event>,
}

/// An error in a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The first word is not a command.
    #[error(
        "unknown command {0:?}; known are WRITE, READ, RESET_ASSERT, RESET_DEASSERT, START and EXIT"
    )]
    Command(String),
    /// A word is not `name=value`, or the name does not exist.
    #[error("{0:?} is not a field; fields are core=X,Y addr=0xHEX size=N data=HEX reply=HEX")]
    Field(String),
    /// A required field is missing.
    #[error("the field {0}= is missing")]
    Missing(&'static str),
    /// A field occurs twice.
    #[error("the field {0}= occurs twice")]
    Duplicate(&'static str),
    /// The value of a field is invalid.
    #[error("{field}={value:?} is not {takes}")]
    Value {
        /// The field.
        field: &'static str,
        /// The value, shortened.
        value: String,
        /// Description of valid values.
        takes: &'static str,
    },
    /// The size does not match the length of the data.
    #[error("size={size}, but {field}= has {bytes} bytes")]
    Size {
        /// The size given.
        size: u32,
        /// The field.
        field: &'static str,
        /// The length of its data in bytes.
        bytes: usize,
    },
    /// A read or write exceeds the size of a tile's memory.
    #[error("size={0} is more than a host moves at once ({MAX_LENGTH})")]
    TooLong(u32),
}

/// The maximum number of bytes per line: a DRAM channel.
const MAX_LENGTH: u32 = 1 << 30;

/// An invalid line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct TraceError {
    /// The line number, from 1 on.
    pub line: usize,
    /// The error.
    pub problem: Problem,
}

impl Trace {
    /// Parses a trace. Empty lines and those that begin with `#` are ignored.
    ///
    /// # Errors
    /// The first invalid line.
    pub fn parse(text: &str) -> Result<Self, TraceError> {
        let mut trace = Trace::default();
        for (at, text) in text.lines().enumerate() {
            trace.add_line(at + 1, text)?;
        }
        Ok(trace)
    }

    /// Adds the event of a line, unless it is ignored.
    ///
    /// # Errors
    /// If the line is invalid.
    pub fn add_line(&mut self, line: usize, text: &str) -> Result<(), TraceError> {
        if text.trim().is_empty() || text.trim_start().starts_with('#') {
            return Ok(());
        }
        let event = parse_line(line, text).map_err(|problem| TraceError { line, problem })?;
        self.events.extend(event);
        Ok(())
    }
}

/// The words of a line, between ASCII white space.
struct Words<'a>(&'a str);

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let text = self.0.trim_ascii_start();
        let (word, rest) = text.split_at(word_length(text.as_bytes()));
        self.0 = rest;
        (!word.is_empty()).then_some(word)
    }
}

/// Returns the number of bytes before the first ASCII white space. Blocks without control
/// characters and spaces are skipped as a whole: most of a trace is long words.
fn word_length(bytes: &[u8]) -> usize {
    const BLOCK: usize = 32;
    let is_plain = |block: &&[u8]| block.iter().fold(true, |all, &c| all & (c > b' '));
    let skipped = BLOCK * bytes.chunks_exact(BLOCK).take_while(is_plain).count();
    let rest = &bytes[skipped..];
    let end = rest.iter().position(u8::is_ascii_whitespace);
    skipped + end.unwrap_or(rest.len())
}

/// The fields of a line, as text.
#[derive(Default)]
struct Fields<'a> {
    values: [Option<&'a str>; 5],
}

const NAMES: [&str; 5] = ["core", "addr", "size", "data", "reply"];
/// The maximum length of a name.
const NAME_BYTES: usize = 5;

impl<'a> Fields<'a> {
    fn parse(words: impl Iterator<Item = &'a str>) -> Result<Self, Problem> {
        let mut fields = Fields::default();
        for word in words {
            // Names are short, and values long.
            let end = word.bytes().take(NAME_BYTES + 1).position(|c| c == b'=');
            let place = end.and_then(|end| {
                let name = NAMES.iter().position(|&name| name == &word[..end])?;
                Some((name, &word[end + 1..]))
            });
            let (k, value) = place.ok_or_else(|| Problem::Field(shortened(word)))?;
            if fields.values[k].replace(value).is_some() {
                return Err(Problem::Duplicate(NAMES[k]));
            }
        }
        Ok(fields)
    }

    fn get(&self, name: &'static str) -> Option<&'a str> {
        let k = NAMES.iter().position(|&n| n == name)?;
        self.values[k]
    }

    fn require(&self, name: &'static str) -> Result<&'a str, Problem> {
        self.get(name).ok_or(Problem::Missing(name))
    }

    /// Returns the bytes of a field, of which there must be `size`.
    fn bytes(&self, name: &'static str, size: u32) -> Result<Vec<u8>, Problem> {
        let text = self.require(name)?;
        let bytes = match text {
            "-" => Vec::new(),
            _ => {
                hex(text).ok_or_else(|| wrong(name, text, "an even number of hex digits, or -"))?
            }
        };
        if bytes.len() == size as usize {
            return Ok(bytes);
        }
        Err(Problem::Size {
            size,
            field: name,
            bytes: bytes.len(),
        })
    }
}

fn wrong(field: &'static str, value: &str, takes: &'static str) -> Problem {
    Problem::Value {
        field,
        value: shortened(value),
        takes,
    }
}

/// Shortens a text for a message.
fn shortened(text: &str) -> String {
    const SHOWN: usize = 24;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

/// Returns the value of a hex digit, and more than 15 for every other byte. Without branches and
/// tables, so that vector instructions can compute it for many bytes.
#[inline(always)]
fn digit(c: u8) -> u8 {
    let decimal = c.wrapping_sub(b'0');
    let letter = (c | 0x20).wrapping_sub(b'a');
    let of_letter = letter.wrapping_add(10) | if letter < 6 { 0 } else { 0xf0 };
    if decimal < 10 {
        decimal
    } else {
        of_letter
    }
}

fn hex(text: &str) -> Option<Vec<u8>> {
    let (pairs, rest) = text.as_bytes().as_chunks();
    let mut bytes = vec![0; pairs.len()];
    let mut all = rest.len() as u8;
    for (byte, &[high, low]) in bytes.iter_mut().zip(pairs) {
        let (high, low) = (digit(high), digit(low));
        all |= (high | low) >> 4;
        *byte = high << 4 | low;
    }
    (all == 0).then_some(bytes)
}

fn number(field: &'static str, text: &str) -> Result<u64, Problem> {
    let parsed = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    parsed.map_err(|_| wrong(field, text, "a number"))
}

fn coordinate(text: &str) -> Result<Coordinate, Problem> {
    let parse = |text: &str| text.parse::<u8>().ok().map(u32::from);
    text.split_once(',')
        .and_then(|(x, y)| Some((parse(x)?, parse(y)?)))
        .ok_or_else(|| wrong("core", text, "X,Y"))
}

fn parse_line(line: usize, text: &str) -> Result<Option<Event>, Problem> {
    let mut words = Words(text);
    let name = words.next().unwrap_or_default();
    let known = [
        "WRITE",
        "READ",
        "RESET_ASSERT",
        "RESET_DEASSERT",
        "START",
        "EXIT",
    ];
    if !known.contains(&name) {
        return Err(Problem::Command(shortened(name)));
    }
    let fields = Fields::parse(words)?;
    let tile = coordinate(fields.require("core")?)?;
    let addr = number("addr", fields.require("addr")?)?;
    let size = number("size", fields.require("size")?)?;
    let size = u32::try_from(size).map_err(|_| Problem::TooLong(u32::MAX))?;
    if size > MAX_LENGTH {
        return Err(Problem::TooLong(size));
    }
    let command = match name {
        "WRITE" => Command::Write(fields.bytes("data", size)?),
        "READ" => {
            let reply = fields.get("reply").map(|_| fields.bytes("reply", size));
            Command::Read(size, reply.transpose()?)
        }
        "RESET_ASSERT" => Command::ResetAssert,
        "RESET_DEASSERT" => Command::ResetDeassert,
        "EXIT" => Command::Exit,
        // The recorder's server ignores it.
        _ => return Ok(None),
    };
    Ok(Some(Event {
        line,
        tile,
        addr,
        command,
    }))
}

#[cfg(test)]
mod tests;
