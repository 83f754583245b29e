//! `d get` and `d set`.
//!
//! Manual, sections 3.4.3 and 3.4.4. The tutorial of the vendor's emulator shows the output format
//! where the manual's scan is illegible. Each access prints one line: `DEBUG-LM0(n0c0b0m0p0,4):(1)
//! (0x3ff0000000000000) #d getd $lm4n0c0b0m0p0 1`. Two long words and rows of matrix registers are
//! enclosed in braces. The order is unit by unit, then address by address.
//!
//! No public dump shows the names of PDM, L2BM and units above the L1B; they are formed like the
//! others. Rows of matrix registers printed as block floats are checked for a common exponent.

use std::ops::ControlFlow;

use tessera_isa_mncore::ast::{DebugMemory, DebugOperand, Get, GetFormat, Set};
use tessera_isa_mncore::memory::{Bank, Precision, Side, Width};

use crate::block::Block;
use crate::board::{read_wrapping, write_wrapping, Board};
use crate::copy_on_write::CopyOnWrite;
use crate::geometry::{BlockId, Geometry, CYCLES, PES};
use crate::matrix_register::row_stride;
use crate::mau::side_index;
use crate::text::Format;
use crate::trap::{check_continue, check_exists, Reason};

/// Returns the units that a statement selects: the given one, or all.
fn selection(number: Option<u8>, count: usize) -> std::ops::Range<usize> {
    match number.map(usize::from) {
        Some(number) => number..number + 1,
        None => 0..count,
    }
}

/// Checks that the machine has the units that a statement names.
fn check(place: &DebugOperand, geometry: &Geometry) -> Result<(), Reason> {
    for (what, number, count) in [
        ("group", place.group, geometry.groups),
        ("L2B", place.l2b, geometry.l2bs),
        ("L1B", place.l1b, geometry.l1bs),
        ("MAB", place.mab, geometry.mabs),
        ("PE", place.pe, PES),
    ] {
        if let Some(number) = number {
            check_exists(what, number.into(), count)?;
        }
    }
    Ok(())
}

/// Checks that all accesses of a statement are inside the memory.
fn check_count(memory: DebugMemory, format: GetFormat, count: u32) -> Result<(), Reason> {
    let range_error = memory.range_error(format, count);
    range_error.map_or(Ok(()), |range_error| Err(Reason::DebugRange(range_error)))
}

/// Returns the L1 blocks that a statement selects.
fn blocks<'a>(place: &DebugOperand, geometry: &'a Geometry) -> impl Iterator<Item = usize> + 'a {
    let (groups, l2bs) = (
        selection(place.group, geometry.groups),
        selection(place.l2b, geometry.l2bs),
    );
    let l1bs = selection(place.l1b, geometry.l1bs);
    (0..geometry.block_count()).filter(move |index| {
        let id = geometry.block_id(*index);
        groups.contains(&id.group) && l2bs.contains(&id.l2b) && l1bs.contains(&id.l1b)
    })
}

/// Returns the lanes of a block that a statement selects.
fn lanes(place: &DebugOperand, geometry: &Geometry) -> Vec<usize> {
    let pes = selection(place.pe, PES);
    selection(place.mab, geometry.mabs)
        .flat_map(|mab| pes.clone().map(move |pe| mab * PES + pe))
        .collect()
}

/// Returns the name of a PE memory in dumps.
fn name(bank: Bank) -> &'static str {
    match bank {
        Bank::Grf0 => "GREG0",
        Bank::Grf1 => "GREG1",
        Bank::Lm0 => "LM0",
        Bank::Lm1 => "LM1",
    }
}

/// The output of a `d get`.
struct Dump<'a> {
    get: &'a Get,
    format: Format,
    geometry: &'a Geometry,
    line: &'a mut dyn FnMut(&str) -> ControlFlow<()>,
}

/// Prints the memory that `get` names, line by line.
pub fn get(
    get: &Get,
    board: &Board,
    all: &CopyOnWrite<Block>,
    geometry: &Geometry,
    line: &mut dyn FnMut(&str) -> ControlFlow<()>,
) -> Result<(), Reason> {
    check(&get.place, geometry)?;
    check_count(get.place.memory, get.format, get.count)?;
    let mut dump = Dump {
        get,
        format: format(get.format),
        geometry,
        line,
    };
    let groups = selection(get.place.group, geometry.groups);
    let member = |index| (geometry.block_id(index), &all[index]);
    match get.place.memory {
        DebugMemory::Pdm(address) => {
            for group in groups {
                let pdm = &board.groups[group].pdm;
                dump.long_words(
                    &format!("PDM(n{group}"),
                    address,
                    Width::Long,
                    |at, words| {
                        read_wrapping(pdm, at, words);
                        Ok(())
                    },
                )?;
            }
        }
        DebugMemory::Dram(address) => {
            for group in groups {
                let dram = &board.groups[group].dram;
                dump.long_words(
                    &format!("DRAM(n{group}"),
                    address,
                    Width::Long,
                    |at, words| {
                        let read = dram.read(at as u64, words);
                        read.map_err(|never| Reason::NeverWritten {
                            group,
                            address: never.0,
                        })
                    },
                )?;
            }
        }
        DebugMemory::L2bm(address) => {
            for group in groups {
                for l2b in selection(get.place.l2b, geometry.l2bs) {
                    let memory = &board.l2bm[geometry.l2_index(group, l2b)];
                    let place = format!("L2BM(n{group}c{l2b}");
                    dump.long_words(&place, address, Width::Long, |at, words| {
                        read_wrapping(memory, at, words);
                        Ok(())
                    })?;
                }
            }
        }
        DebugMemory::L1bm(width, address) => {
            for index in blocks(&get.place, geometry) {
                let (id, block) = member(index);
                let place = format!("L1BM({id}");
                dump.long_words(&place, address, width, |at, words| {
                    read_wrapping(&block.l1bm, at, words);
                    Ok(())
                })?;
            }
        }
        DebugMemory::Pe(bank, width, address) => {
            for index in blocks(&get.place, geometry) {
                dump.pe_memory(member(index), bank, width, address)?;
            }
        }
        DebugMemory::T(width) => {
            for index in blocks(&get.place, geometry) {
                dump.t(member(index), width)?;
            }
        }
        DebugMemory::Matrix(side, row) => {
            for index in blocks(&get.place, geometry) {
                dump.matrix(member(index), side, row)?;
            }
        }
        DebugMemory::Mask(entry) => {
            for index in blocks(&get.place, geometry) {
                dump.masks(member(index), entry)?;
            }
        }
    }
    Ok(())
}

fn format(format: GetFormat) -> Format {
    match format {
        GetFormat::Plain => Format::Plain,
        GetFormat::Number(Precision::Half) => Format::Half,
        GetFormat::Number(Precision::Single | Precision::Pseudo) => Format::Single,
        GetFormat::Number(_) => Format::Double,
        GetFormat::BlockFloat(Precision::Half) => Format::BlockHalf,
        GetFormat::BlockFloat(Precision::Single) => Format::BlockSingle,
        GetFormat::BlockFloat(Precision::Pseudo) => Format::BlockPseudo,
        GetFormat::BlockFloat(_) => Format::BlockDouble,
    }
}

impl Dump<'_> {
    /// Prints one line: the content at `address` of a unit.
    fn print_line(&mut self, place: &str, address: usize, shown: &str) -> Result<(), Reason> {
        // The statement as written, except that `$t` appears as `$lt`, as in the vendor's emulator.
        let text = self.get.text.replacen("$t", "$lt", 1);
        let line = format!("DEBUG-{place},{address}):{shown} #{text}");
        check_continue((self.line)(&line))
    }

    /// Formats an access whose words are at the most significant end of the first long word.
    fn format_access(&self, width: Width, words: [u64; 2]) -> String {
        match width {
            Width::Single => self.format.format_word(words[0], 32),
            Width::Long => self.format.format_word(words[0], 64),
            Width::Double => self.format_braced(&words),
        }
    }

    /// Formats several long words in braces.
    fn format_braced(&self, words: &[u64]) -> String {
        let shown: Vec<_> = words
            .iter()
            .map(|word| self.format.format_word(*word, 64))
            .collect();
        format!("{{{}}}", shown.join(", "))
    }

    /// Prints a memory that is addressed in long words.
    fn long_words(
        &mut self,
        place: &str,
        address: u32,
        width: Width,
        read: impl Fn(usize, &mut [u64]) -> Result<(), Reason>,
    ) -> Result<(), Reason> {
        let step = if width == Width::Double { 2 } else { 1 };
        for index in 0..self.get.count as usize {
            let at = address as usize + index * step;
            let mut words = [0; 2];
            read(at, &mut words[..step])?;
            self.print_line(place, at, &self.format_access(width, words))?;
        }
        Ok(())
    }

    /// Returns the name of a lane, without the closing parenthesis.
    fn lane(&self, memory: &str, id: BlockId, lane: usize) -> String {
        format!("{memory}({id}m{}p{}", lane / PES, lane % PES)
    }

    fn pe_memory(
        &mut self,
        (id, block): (BlockId, &Block),
        bank: Bank,
        width: Width,
        address: u32,
    ) -> Result<(), Reason> {
        let step = usize::from(width.words());
        for lane in lanes(&self.get.place, self.geometry) {
            let place = self.lane(name(bank), id, lane);
            for index in 0..self.get.count as usize {
                let at = address as usize + index * step;
                let (high, low) = block.memory[bank as usize].get(lane, at, width);
                self.print_line(&place, at, &self.format_access(width, [high, low]))?;
            }
        }
        Ok(())
    }

    fn t(&mut self, (id, block): (BlockId, &Block), width: Width) -> Result<(), Reason> {
        for lane in lanes(&self.get.place, self.geometry) {
            let place = self.lane("TREG", id, lane);
            for cycle in 0..self.get.count as usize {
                let (high, low) = block.t.cycle(cycle);
                self.print_line(
                    &place,
                    cycle,
                    &self.format_access(width, [high[lane], low[lane]]),
                )?;
            }
        }
        Ok(())
    }

    fn matrix(
        &mut self,
        (id, block): (BlockId, &Block),
        side: Side,
        first: u32,
    ) -> Result<(), Reason> {
        let precision = match self.get.format {
            GetFormat::Plain => return Err(Reason::NoFormat),
            GetFormat::Number(precision) | GetFormat::BlockFloat(precision) => precision,
        };
        let stride = row_stride(precision);
        let letter = side.letter();
        for mab in selection(self.get.place.mab, self.geometry.mabs) {
            let place = format!("MR{letter}({id}m{mab}");
            for row in first as usize..(first + self.get.count) as usize {
                let plane = block.matrix[side_index(side)].row(row * stride);
                let words = &plane[mab * PES..(mab + 1) * PES];
                self.check_block(words, row)?;
                self.print_line(&place, row, &self.format_braced(words))?;
            }
        }
        Ok(())
    }

    /// Checks that a row printed as a block float has a common exponent.
    fn check_block(&self, words: &[u64], row: usize) -> Result<(), Reason> {
        if !self.format.is_block() {
            return Ok(());
        }
        let bits = self.format.bits();
        let exponent = |word: u64, at: u32| self.format.exponent(word << at >> (64 - bits));
        let first = exponent(words[0], 0);
        // Zeros in the extended form of half precision do not have the common exponent.
        let fits = |exponent: u64| {
            exponent == first || self.format == Format::BlockHalf && exponent.min(first) == 0
        };
        let all = words.iter().all(|word| {
            (0..64)
                .step_by(bits as usize)
                .all(|at| fits(exponent(*word, at)))
        });
        if all {
            Ok(())
        } else {
            Err(Reason::NoBlock { row })
        }
    }

    fn masks(&mut self, (id, block): (BlockId, &Block), first: u32) -> Result<(), Reason> {
        for lane in lanes(&self.get.place, self.geometry) {
            let place = self.lane("OMR", id, lane);
            for cycle in 0..CYCLES {
                for entry in first as usize..(first + self.get.count) as usize {
                    let flags = block.masks[entry].cycle(cycle)[lane];
                    self.print_line(&place, entry, &format!("Mask{{{flags}}}"))?;
                }
            }
        }
        Ok(())
    }
}

/// Executes a `d set`.
pub fn set(
    set: &Set,
    board: &mut Board,
    all: &mut CopyOnWrite<Block>,
    geometry: &Geometry,
) -> Result<(), Reason> {
    check(&set.place, geometry)?;
    check_count(set.place.memory, GetFormat::Plain, set.count)?;
    let lanes = lanes(&set.place, geometry);
    let words = &set.payload;
    match set.place.memory {
        DebugMemory::L2bm(address) => {
            for group in selection(set.place.group, geometry.groups) {
                for l2b in selection(set.place.l2b, geometry.l2bs) {
                    let memory = &mut board.l2bm[geometry.l2_index(group, l2b)];
                    write_wrapping(memory, address as usize, words);
                }
            }
            return Ok(());
        }
        DebugMemory::Pdm(_)
        | DebugMemory::Dram(_)
        | DebugMemory::Matrix(..)
        | DebugMemory::Mask(_) => {
            return Err(Reason::NotSettable);
        }
        DebugMemory::L1bm(..) | DebugMemory::Pe(..) | DebugMemory::T(_) => {}
    }
    for index in blocks(&set.place, geometry) {
        let block = &mut all[index];
        match set.place.memory {
            DebugMemory::L1bm(_, address) => {
                write_wrapping(&mut block.l1bm, address as usize, words);
            }
            DebugMemory::Pe(bank, width, address) => {
                let per_access = if width == Width::Double { 2 } else { 1 };
                for (index, words) in words.chunks(per_access).enumerate() {
                    let at = address as usize + index * usize::from(width.words());
                    let value = (words[0], words.get(1).copied().unwrap_or(0));
                    for &lane in &lanes {
                        block.memory[bank as usize].write_masked(
                            lane,
                            at,
                            width,
                            value,
                            (u64::MAX, u64::MAX),
                        );
                    }
                }
            }
            DebugMemory::T(width) => {
                let per_cycle = if width == Width::Double { 2 } else { 1 };
                for (cycle, words) in words.chunks(per_cycle).enumerate().take(CYCLES) {
                    let (high, low) = block.t.cycle_mut(cycle);
                    for &lane in &lanes {
                        high[lane] = words[0];
                        if let Some(word) = words.get(1) {
                            low[lane] = *word;
                        }
                    }
                }
            }
            _ => {}
        }
    }
    Ok(())
}
