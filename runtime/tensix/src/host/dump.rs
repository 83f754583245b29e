//! Text dumps of a tile's state.

use std::fmt::Write as _;
use std::str::FromStr;

use crate::arith::LANES;
use crate::map::CORES;
use crate::state::banks::Src;
use crate::state::row32::Row32;
use crate::tile::Tile;
use crate::trap::Fault;

/// The part of the state to be dumped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dump {
    /// Program counter and registers of each RISC-V core that is not in reset.
    Cores,
    /// The general-purpose registers of each thread, eight per line.
    Gprs,
    /// The registers of the vector unit.
    Lregs,
    /// Rows of Dst (of 1024) as 16-bit datums: first, count.
    Dst16(u32, u32),
    /// Rows of Dst (of 512) as 32-bit datums: first, count.
    Dst32(u32, u32),
    /// Rows of SrcA or SrcB as 19-bit datums; those of bank 1 begin at 64.
    Src(Src, u32, u32),
    /// The non-zero words of backend configuration, of both states and of each thread.
    Config,
    /// Bytes of L1.
    L1(u32, u32),
}

/// The error of parsing a [`Dump`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} cannot be shown; known are cores, gprs, lregs, config, srca:FIRST+ROWS, \
     srcb:FIRST+ROWS, dst16:FIRST+ROWS, dst32:FIRST+ROWS and l1:ADDRESS+BYTES"
)]
pub struct ParseDumpError(String);

impl FromStr for Dump {
    type Err = ParseDumpError;

    fn from_str(text: &str) -> Result<Self, ParseDumpError> {
        let refused = || ParseDumpError(text.to_owned());
        let (name, range) = match text.split_once(':') {
            Some((name, range)) => (name, Some(range)),
            None => (text, None),
        };
        let number = |text: &str| match text.strip_prefix("0x") {
            Some(digits) => u32::from_str_radix(digits, 16).ok(),
            None => text.parse().ok(),
        };
        let range = range.map(|range| {
            let (first, count) = range.split_once('+')?;
            Some((number(first)?, number(count)?))
        });
        match (name, range) {
            ("cores", None) => Ok(Dump::Cores),
            ("gprs", None) => Ok(Dump::Gprs),
            ("lregs", None) => Ok(Dump::Lregs),
            ("config", None) => Ok(Dump::Config),
            ("srca" | "srcb", Some(Some((first, count)))) if within(first, count, 2 * BANK) => {
                let which = if name == "srca" { Src::A } else { Src::B };
                Ok(Dump::Src(which, first, count))
            }
            ("dst16", Some(Some((first, count)))) if within(first, count, 1024) => {
                Ok(Dump::Dst16(first, count))
            }
            ("dst32", Some(Some((first, count)))) if within(first, count, 512) => {
                Ok(Dump::Dst32(first, count))
            }
            ("l1", Some(Some((first, count)))) => Ok(Dump::L1(first, count)),
            _ => Err(refused()),
        }
    }
}

/// Rows per bank of SrcA or SrcB.
const BANK: u32 = 64;

/// Registers per line.
const REGISTERS: usize = 8;

fn within(first: u32, count: u32, end: u32) -> bool {
    first.checked_add(count).is_some_and(|last| last <= end)
}

fn words<'a>(out: &mut String, name: &str, words: impl Iterator<Item = Option<u32>> + 'a) {
    let _ = write!(out, "{name}");
    for word in words {
        let _ = match word {
            Some(word) => write!(out, " {word:08x}"),
            None => write!(out, " ????????"),
        };
    }
    out.push('\n');
}

/// Writes registers, several per line, prefixed with the numbers of the first and the last.
fn registers(out: &mut String, name: &str, values: impl Iterator<Item = Option<u32>>) {
    let values: Vec<_> = values.collect();
    for (k, line) in values.chunks(REGISTERS).enumerate() {
        let first = k * REGISTERS;
        let last = first + line.len() - 1;
        words(
            out,
            &format!("{name}{first:02}-{last:02}"),
            line.iter().copied(),
        );
    }
}

impl Dump {
    /// Returns a line for each register or row, with question marks for unknown values.
    ///
    /// # Errors
    /// If bytes of L1 do not exist.
    pub(super) fn text(self, tile: &mut Tile) -> Result<String, Fault> {
        let mut out = String::new();
        let core = &tile.coprocessor().core;
        match self {
            Dump::Cores => {
                for (k, cpu) in tile.running_cores() {
                    let name = CORES[k];
                    let _ = writeln!(out, "{name} pc {:#x}", cpu.pc());
                    let values = (0..32).map(|r| Some(cpu.register(r)));
                    registers(&mut out, &format!("{name} x"), values);
                }
            }
            Dump::Gprs => {
                for (thread, gprs) in core.gprs.iter().enumerate() {
                    let values = (0..64).map(|r| gprs.get(r).ok());
                    registers(&mut out, &format!("T{thread} GPR "), values);
                }
            }
            Dump::Lregs => {
                for k in 0..16 {
                    let lanes = core.regs.vector.lreg(k);
                    let values = (0..LANES).map(|lane| lanes.map(|lanes| lanes[lane]));
                    words(&mut out, &format!("lreg {k}"), values);
                }
            }
            Dump::Dst16(first, count) => {
                for row in first as usize..(first + count) as usize {
                    let text = match core.regs.dst.row16(row) {
                        Ok(datums) => datums.map(|datum| format!(" {datum:04x}")).concat(),
                        Err(_) => " ????".repeat(16),
                    };
                    let _ = writeln!(out, "dst {row}{text}");
                }
            }
            Dump::Dst32(first, count) => {
                for row in first as usize..(first + count) as usize {
                    let datums = core.regs.dst.row32(Row32::new(row)).ok();
                    let values = (0..16).map(|column| datums.map(|datums| datums[column]));
                    words(&mut out, &format!("dst {row}"), values);
                }
            }
            Dump::Src(which, first, count) => {
                for row in first..first + count {
                    let (bank, place) = (row / BANK, row % BANK);
                    let datums = core.regs.src(which).row(bank as usize, place as usize);
                    let text = match datums {
                        Ok(datums) => datums.map(|datum| format!(" {datum:05x}")).concat(),
                        Err(_) => " ?????".repeat(16),
                    };
                    let _ = writeln!(out, "src{which:?} bank {bank} row {place}{text}");
                }
            }
            Dump::Config => {
                for (name, number, word) in core.config.set_words() {
                    let _ = writeln!(out, "{name} word {number} {word:08x}");
                }
            }
            Dump::L1(addr, count) => {
                let bytes = tile.read(addr, count)?;
                for (at, line) in (0..).step_by(16).zip(bytes.chunks(16)) {
                    let text: String = line.iter().map(|byte| format!(" {byte:02x}")).collect();
                    let _ = writeln!(out, "{:06x}:{text}", addr + at);
                }
            }
        }
        Ok(out)
    }
}

#[cfg(test)]
mod tests;
