//! `--load` and `--save`: bytes of the chip from files and to files.

use std::fs::File;
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{bail, Context, Result};
use tessera_tensix::map::Coordinate;
use tessera_tensix::Device;

use crate::arguments::Tile;

/// Number of bytes that are read from the chip at a time; more than L1 has.
const PART: u32 = 4 << 20;

/// An address on the chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Address {
    /// The tile; the shown tile if `None`.
    tile: Option<Tile>,
    address: u64,
}

impl Address {
    /// Parses `l1:ADDRESS` or `X,Y:ADDRESS`, and returns the remaining text.
    fn parse(text: &str) -> Option<(Address, &str)> {
        let (tile, rest) = text.split_once(':')?;
        let (address, rest) = rest.split_once(':')?;
        let tile = match tile {
            "l1" => None,
            tile => Some(tile.parse().ok()?),
        };
        let address = number(address)?;
        Some((Address { tile, address }, rest))
    }
}

/// Parses a decimal number, or a hexadecimal one with the prefix `0x`.
fn number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// A file to load into the chip.
#[derive(Clone, Debug)]
pub struct Load {
    at: Address,
    pub file: PathBuf,
}

impl FromStr for Load {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match Address::parse(text) {
            Some((at, file)) if !file.is_empty() => Ok(Load {
                at,
                file: file.into(),
            }),
            _ => Err("it is l1:ADDRESS:FILE or X,Y:ADDRESS:FILE"),
        }
    }
}

impl Load {
    /// Writes the file's bytes to the chip. `shown` is the shown tile; returns the addresses if
    /// they are in it.
    pub fn run(&self, device: &mut Device, shown: Coordinate) -> Result<Option<Range<u64>>> {
        let name = self.file.display();
        let (tile, address) = (self.at.tile.map_or(shown, |Tile(at)| at), self.at.address);
        let room = device.room(tile, address);
        let room = room.with_context(|| format!("cannot load {name}"))?;
        // Read one byte more than fits, so that the chip rejects larger files.
        let bytes = tessera_cli::read_up_to(&self.file, room + 1)?;
        if !bytes.is_empty() {
            let written = device.write(tile, address, &bytes);
            written.with_context(|| format!("cannot load {name}"))?;
        }
        let end = address.saturating_add(bytes.len() as u64);
        Ok((tile == shown).then_some(address..end))
    }
}

/// Bytes of the chip to write to a file.
#[derive(Clone, Debug)]
pub struct Save {
    at: Address,
    length: u32,
    file: PathBuf,
}

impl FromStr for Save {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parse = || {
            let (at, rest) = Address::parse(text)?;
            let (length, file) = rest.split_once(':')?;
            let length = number(length)?.try_into().ok()?;
            (!file.is_empty()).then(|| Save {
                at,
                length,
                file: file.into(),
            })
        };
        parse().ok_or("it is l1:ADDRESS:BYTES:FILE or X,Y:ADDRESS:BYTES:FILE")
    }
}

impl Save {
    /// Checks that the chip has the bytes.
    pub fn check(&self, device: &mut Device, shown: Coordinate) -> Result<()> {
        let tile = self.at.tile.map_or(shown, |Tile(at)| at);
        device
            .check_range(tile, self.at.address, self.length)
            .with_context(|| self.refused())
    }

    /// Writes the file in parts.
    pub fn run(&self, device: &mut Device, shown: Coordinate) -> Result<()> {
        self.check(device, shown)?;
        let tile = self.at.tile.map_or(shown, |Tile(at)| at);
        let mut read = |start: u32| {
            let (address, length) = (self.at.address + u64::from(start), self.length - start);
            let part = device.read(tile, address, length.min(PART));
            part.with_context(|| self.refused())
        };
        // The file is unchanged if the first part cannot be read.
        let first = read(0)?;
        let unwritten = || format!("cannot write {}", self.file.display());
        let mut file = File::create(&self.file).with_context(unwritten)?;
        file.write_all(&first).with_context(unwritten)?;
        for start in (PART..self.length).step_by(PART as usize) {
            file.write_all(&read(start)?).with_context(unwritten)?;
        }
        Ok(())
    }

    fn refused(&self) -> String {
        format!("cannot save {}", self.file.display())
    }
}

/// Rejects a file that overlaps the code that pushes words.
pub fn check_apart(file: &Path, bytes: &Range<u64>, code: &Range<u32>) -> Result<()> {
    let (start, end) = (u64::from(code.start), u64::from(code.end));
    if bytes.start < end && start < bytes.end {
        bail!(
            "{} would be loaded to {:#x} to {:#x}, which overlaps the code that pushes the words \
             at {start:#x} to {end:#x}; load it elsewhere",
            file.display(),
            bytes.start,
            bytes.end
        );
    }
    Ok(())
}
