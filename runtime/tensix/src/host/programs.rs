//! Loading programs into a tile of a [`Device`] from outside: images for cores, and words for
//! threads.
//!
//! An image is placed at its core's reset address. Words are wrapped into an image of a T core that
//! pushes them and then halts, so they take the path of a kernel's instructions.

use std::ops::Range;

use tessera_riscv::{Instruction, Op};

use super::device::Device;
use super::elf::Executable;
use crate::chip::{setup_trap, ChipTrap};
use crate::map::{Coordinate, CORES, IMAGES};

/// The address of the code for words, after all images: thread 0's, then the others'.
const WORDS: u32 = 0x2_0000;
/// Alignment of each thread's code, so that threads do not share cache lines.
const LINE: u32 = 64;
/// The first word that no RISC-V instruction can push.
const LAST_WORD: u32 = 0xc000_0000;

/// Returns the number of a thread's T core.
fn core_of(thread: usize) -> usize {
    thread + 1
}

impl Device {
    /// Loads an image at a core's reset address. It must end before the next core's reset address.
    ///
    /// # Errors
    /// If it is too long or empty, or the tile has no such core.
    pub fn load_image(
        &mut self,
        at: Coordinate,
        core: usize,
        image: &[u8],
    ) -> Result<(), ChipTrap> {
        let (name, room) = (CORES[core], IMAGES[core].len());
        if self.is_dram(at) {
            let text = "this tile is DRAM, which has no cores; take a Tensix tile".to_owned();
            return Err(setup_trap(Some(at), text));
        }
        let wrong = match image.len() {
            0 => Some(format!("the image of core {name} is empty")),
            length if length > room => Some(format!(
                "the image of core {name} has {length} bytes; there is room for {room}"
            )),
            _ => None,
        };
        if let Some(text) = wrong {
            return Err(setup_trap(Some(at), text));
        }
        self.write(at, IMAGES[core].start.into(), image)
    }

    /// Loads the segments of an executable at their addresses, and makes a core start with it: by a
    /// jump if its entry point is not the core's reset address.
    ///
    /// # Errors
    /// If it exceeds L1, or occupies the core's reset address with something else, or the tile has
    /// no such core.
    pub fn load_executable(
        &mut self,
        at: Coordinate,
        core: usize,
        executable: &Executable,
    ) -> Result<(), ChipTrap> {
        let Executable { entry, segments } = executable;
        let (name, start) = (CORES[core], IMAGES[core].start);
        let end = self.arch().l1_bytes();
        let lies_in =
            |address: u32, length: usize| length as u64 + u64::from(address) <= end.into();
        let beyond = segments
            .iter()
            .find(|(to, bytes)| !lies_in(*to, bytes.len()));
        let over = |(to, bytes): &(u32, &[u8])| (*to..*to + bytes.len() as u32).contains(&start);
        let wrong = match beyond {
            Some((to, bytes)) => Some(format!(
                "the executable of core {name} has {} bytes for {to:#x}; L1 ends at {end:#x}",
                bytes.len()
            )),
            None if !lies_in(*entry, 4) => Some(format!(
                "the executable of core {name} begins at {entry:#x}, which is not in L1"
            )),
            None if *entry != start && segments.iter().any(over) => Some(format!(
                "the executable of core {name} begins at {entry:#x}, and has something else at \
                 {start:#x}, where the core does"
            )),
            None => None,
        };
        if let Some(text) = wrong {
            return Err(setup_trap(Some(at), text));
        }
        if *entry != start {
            let jump = encoded(at, &jump_to(*entry))?;
            self.load_image(at, core, &jump)?;
        }
        for (to, bytes) in segments {
            self.write(at, (*to).into(), bytes)?;
        }
        Ok(())
    }

    /// Makes the T cores push these words of each thread when they are released. Returns the
    /// address of each thread's code, in which word k is at offset 4·k. A thread without words has
    /// none.
    ///
    /// # Errors
    /// If a word cannot be pushed by an instruction, or there are too many.
    pub fn load_words(
        &mut self,
        at: Coordinate,
        words: [&[u32]; 3],
    ) -> Result<[Range<u32>; 3], ChipTrap> {
        let mut start = WORDS;
        let mut places = [const { 0..0 }; 3];
        for (thread, words) in words.into_iter().enumerate() {
            if words.is_empty() {
                continue;
            }
            let core = core_of(thread);
            let room = (self.arch().l1_bytes() - start) as usize / 4;
            let wrong = match words.iter().position(|&word| word >= LAST_WORD) {
                Some(k) => Some(format!(
                    "word {k} is {:#010x}; cores push words below {LAST_WORD:#x}",
                    words[k]
                )),
                // One more for the end.
                None if words.len() >= room => Some(format!(
                    "core {} is to push {} words; there is room for {}",
                    CORES[core],
                    words.len(),
                    room.saturating_sub(1)
                )),
                None => None,
            };
            if let Some(text) = wrong {
                return Err(setup_trap(Some(at), text));
            }
            let pushes = words.iter().map(|&word| Instruction::push(word));
            let halt = Instruction::i(Op::Jal, 0, 0, 0);
            let code: Vec<Instruction> = pushes.chain([halt]).collect();
            let jump = encoded(at, &jump_to(start))?;
            self.load_image(at, core, &jump)?;
            let code = encoded(at, &code)?;
            self.write(at, start.into(), &code)?;
            let end = start + code.len() as u32;
            places[thread] = start..end;
            // The next thread's code begins at a cache line.
            start = end.next_multiple_of(LINE);
        }
        Ok(places)
    }

    /// Releases the T cores of the threads that push words.
    ///
    /// # Errors
    /// If the tile has none.
    pub fn release_words(&mut self, at: Coordinate, threads: &[usize]) -> Result<(), ChipTrap> {
        let cores: Vec<usize> = threads.iter().map(|&thread| core_of(thread)).collect();
        self.release(at, &cores)
    }
}

/// Returns the instructions of a jump to an address in L1.
fn jump_to(address: u32) -> [Instruction; 2] {
    [
        Instruction::i(Op::Lui, 1, 0, ((address + 0x800) & !0xFFF) as i32),
        Instruction::i(Op::Jalr, 0, 1, (address << 20) as i32 >> 20),
    ]
}

fn encoded(at: Coordinate, code: &[Instruction]) -> Result<Vec<u8>, ChipTrap> {
    let words: Result<Vec<[u8; 4]>, _> = code
        .iter()
        .map(|i| i.encode().map(u32::to_le_bytes))
        .collect();
    let words = words.map_err(|e| setup_trap(Some(at), e.to_string()))?;
    Ok(words.concat())
}

#[cfg(test)]
mod tests;
