//! Programs that are put into a tile of a [`Device`] from outside: images of cores, and words for
//! threads.
//!
//! An image lies where its core begins after reset. Words become the image of a T core that pushes
//! them and then halts, so that they go the way of a kernel's instructions.

use std::ops::Range;

use tessera_riscv::{Instruction, Op};

use super::chip::{setup, ChipTrap};
use super::device::Device;
use super::elf::Executable;
use super::map::{Coordinate, CORES, IMAGES};

/// Where the code of words begins, behind all images: thread 0's, then the others'.
const WORDS: u32 = 0x2_0000;
/// Code of two threads does not share so many bytes.
const LINE: u32 = 64;
/// Words from here on have no RISC-V instruction that pushes them.
const LAST_WORD: u32 = 0xc000_0000;

/// The numbers of the T cores of threads.
fn core_of(thread: usize) -> usize {
    thread + 1
}

impl Device {
    /// Puts an image where a core begins. It may be as long as there is room before the next
    /// core's.
    ///
    /// # Errors
    /// If it is longer or empty, or the tile has no such core.
    pub fn load_image(
        &mut self,
        at: Coordinate,
        core: usize,
        image: &[u8],
    ) -> Result<(), ChipTrap> {
        let (name, room) = (CORES[core], IMAGES[core].len());
        if self.is_dram(at) {
            let text = "this tile is DRAM, which has no cores; take a Tensix tile".to_owned();
            return Err(setup(Some(at), text));
        }
        let wrong = match image.len() {
            0 => Some(format!("the image of core {name} is empty")),
            length if length > room => Some(format!(
                "the image of core {name} has {length} bytes; there is room for {room}"
            )),
            _ => None,
        };
        if let Some(text) = wrong {
            return Err(setup(Some(at), text));
        }
        self.write(at, IMAGES[core].start.into(), image)
    }

    /// Puts an executable where its segments are to lie, and has a core begin with it: by a jump,
    /// if its first instruction is not where the core begins.
    ///
    /// # Errors
    /// If it reaches beyond L1, or has something else where the core begins, or the tile has no
    /// such core.
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
                "the executable of core {name} begins at {entry:#x}, and has something else at {start:#x}, where the core does"
            )),
            None => None,
        };
        if let Some(text) = wrong {
            return Err(setup(Some(at), text));
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

    /// Makes the T cores push these words, of each thread, when they are released, and says where
    /// the code of each lies: word k at four times k from its beginning on. A thread without words
    /// has none.
    ///
    /// # Errors
    /// For words that no instruction of the core can push, and too many.
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
                return Err(setup(Some(at), text));
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
            // The next thread's begins with a line of the instruction cache.
            start = end.next_multiple_of(LINE);
        }
        Ok(places)
    }

    /// Lets the T cores of threads go that are to push words.
    ///
    /// # Errors
    /// If the tile has none.
    pub fn release_words(&mut self, at: Coordinate, threads: &[usize]) -> Result<(), ChipTrap> {
        let cores: Vec<usize> = threads.iter().map(|&thread| core_of(thread)).collect();
        self.release(at, &cores)
    }
}

/// Goes to an address in L1.
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
    let words = words.map_err(|e| setup(Some(at), e.to_string()))?;
    Ok(words.concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tile::{elf, Break, Dump, Stop};
    use tessera_isa_tensix::{asm, Arch};

    const AT: Coordinate = (1, 1);

    /// A device in which threads push the words of these texts.
    fn device(texts: [&str; 3]) -> (Device, [Range<u32>; 3]) {
        let mut device = Device::new(Arch::WormholeB0, 0);
        let words = texts.map(|text| asm::assemble(Arch::WormholeB0, text).unwrap());
        let places = device.load_words(AT, words.each_ref().map(|words| &words[..]));
        let threads: Vec<_> = (0..3).filter(|&k| !words[k].is_empty()).collect();
        device.release_words(AT, &threads).unwrap();
        (device, places.unwrap())
    }

    #[test]
    fn words_run() {
        let (mut device, places) = device([
            "",
            "ttsetdmareg 0, 4660, 0, 10\nttsetdmareg 0, 1, 0, 11\n",
            "",
        ]);
        assert_eq!(places, [0..0, 0x2_0000..0x2_000c, 0..0]);
        device.record(AT).unwrap();
        assert_eq!(device.run(100_000), Ok(Stop::Rest));
        let gprs = device.dump(AT, Dump::Gprs).unwrap();
        let registers = gprs
            .lines()
            .find_map(|line| line.strip_prefix("T1 GPR 00-07 "));
        let words: Vec<&str> = registers.unwrap().split(' ').collect();
        assert_eq!(words[5], "00011234", "{gprs}");
        assert_eq!(device.timeline(AT).unwrap().slices().len(), 2);
        let cores = device.dump(AT, Dump::Cores).unwrap();
        assert!(cores.starts_with("T1 pc 0x20008\n"), "{cores}");
    }

    /// Three threads hand a semaphore on.
    #[test]
    fn words_of_threads_run_together() {
        // The second one's code lies behind the first half of 4 KiB, so that its address is rounded
        // up.
        let many = "ttnop\n".repeat(600) + "ttseminit 15, 0, 2\nttsempost 2\n";
        let (mut device, places) = device([
            &many,
            "ttsemwait 2, 2, 1\nttsempost 4\n",
            "ttsetdmareg 0, 7, 0, 0\n",
        ]);
        assert_eq!(places[1], 0x2_0980..0x2_098c);
        assert_eq!(places[2].start, 0x2_09c0);
        let done = device.run(1_000_000);
        assert_eq!(done, Ok(Stop::Rest), "{:?}", device.waiting(AT));
    }

    #[test]
    fn breaks_stop_once() {
        let (mut device, _) = device(["ttnop\nttnop\nttnop\n", "", ""]);
        device.stop_at(AT, Break::Pc(1, 0x2_0004)).unwrap();
        assert_eq!(device.run(100_000), Ok(Stop::Break(AT)));
        assert!(device
            .dump(AT, Dump::Cores)
            .unwrap()
            .starts_with("T0 pc 0x20004\n"));
        device.stop_at(AT, "NOP:2".parse().unwrap()).unwrap();
        assert_eq!(device.run(100_000), Ok(Stop::Break(AT)));
        assert_eq!(device.run(1), Ok(Stop::Turns));
        assert_eq!(device.run(100_000), Ok(Stop::Rest));
    }

    /// An executable that is told where it has begun, and one that begins where its core does.
    #[test]
    fn executables_run() {
        // addi x10, x0, 5; j .
        let code = [0x13, 5, 0x50, 0, 0x6f, 0, 0, 0];
        for entry in [0x2_3804, IMAGES[3].start] {
            let mut device = Device::new(Arch::WormholeB0, 0);
            let file = elf::tests::file(entry, &[(1, entry, &code), (1, 0x3_0000, b"data")]);
            let executable = Executable::parse(&file).unwrap();
            device.load_executable(AT, 3, &executable).unwrap();
            device.release(AT, &[3]).unwrap();
            assert_eq!(device.run(100_000), Ok(Stop::Rest));
            let cores = device.dump(AT, Dump::Cores).unwrap();
            assert!(
                cores.starts_with(&format!("T2 pc {:#x}\n", entry + 4)),
                "{cores}"
            );
            assert_eq!(device.read(AT, 0x3_0000, 4).unwrap(), b"data");
        }
    }

    #[test]
    fn executables_that_are_refused() {
        for (entry, address, expect) in [
            (0, 0x16_dffd, "the executable of core B has 4 bytes for 0x16dffd; L1 ends at 0x16e000"),
            (0, 0xffff_fffe, "the executable of core B has 4 bytes for 0xfffffffe; L1 ends at 0x16e000"),
            (0xffc0_0000, 0, "the executable of core B begins at 0xffc00000, which is not in L1"),
            (0x100, 0, "the executable of core B begins at 0x100, and has something else at 0x0, where the core does"),
        ] {
            let mut device = Device::new(Arch::WormholeB0, 0);
            let file = elf::tests::file(entry, &[(1, address, &[0; 4])]);
            let executable = Executable::parse(&file).unwrap();
            let refused = device.load_executable(AT, 0, &executable).unwrap_err();
            assert_eq!(refused.to_string(), format!("tile (1, 1): {expect}"));
        }
    }

    #[test]
    fn programs_that_are_refused() {
        let mut device = Device::new(Arch::WormholeB0, 0);
        let text = |r: Result<(), ChipTrap>| r.unwrap_err().to_string();
        let mut words = |words| text(device.load_words(AT, [&[], words, &[]]).map(|_| ()));
        assert_eq!(
            words(&[0, 0xc000_0000]),
            "tile (1, 1): word 1 is 0xc0000000; cores push words below 0xc0000000"
        );
        assert_eq!(
            words(&[0; 342_016]),
            "tile (1, 1): core T1 is to push 342016 words; there is room for 342015"
        );
        assert_eq!(
            text(device.load_image(AT, 2, &[0; 0x4001])),
            "tile (1, 1): the image of core T1 has 16385 bytes; there is room for 16384"
        );
        assert_eq!(
            text(device.load_image((0, 3), 2, &[0])),
            "tile (0, 3): not modelled: the tile at (0, 3), which is neither Tensix, nor Ethernet, nor DRAM"
        );
    }
}
