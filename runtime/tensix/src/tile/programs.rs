//! Programs that are put into a tile of a [`Device`] from outside: images of cores, and words for one thread.
//!
//! An image lies where its core begins after reset. Words become the image of a T core that pushes them and then halts, so that
//! they go the way of a kernel's instructions.

use tessera_riscv::{Instruction, Op};

use super::chip::{setup, ChipTrap};
use super::device::Device;
use super::map::{Coordinate, CORES, IMAGES};

/// Where the code of words lies, behind all images.
const WORDS: u32 = 0x2_0000;
/// Words from here on have no RISC-V instruction that pushes them.
const LAST_WORD: u32 = 0xc000_0000;

/// The numbers of the T cores of threads.
fn core_of(thread: usize) -> usize {
    thread + 1
}

impl Device {
    /// Puts an image where a core begins. It may be as long as there is room before the next core's.
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

    /// Makes the T core of a thread push these words when it is released.
    ///
    /// # Errors
    /// For words that no instruction of the core can push, and too many.
    pub fn load_words(
        &mut self,
        at: Coordinate,
        thread: usize,
        words: &[u32],
    ) -> Result<(), ChipTrap> {
        if let Some(k) = words.iter().position(|&word| word >= LAST_WORD) {
            let text = format!(
                "word {k} is {:#010x}; cores push words below {LAST_WORD:#x}",
                words[k]
            );
            return Err(setup(Some(at), text));
        }
        let jump = [
            Instruction::i(Op::Lui, 1, 0, WORDS as i32),
            Instruction::i(Op::Jalr, 0, 1, 0),
        ];
        let pushes = words.iter().map(|&word| Instruction::push(word));
        let halt = Instruction::i(Op::Jal, 0, 0, 0);
        let code: Vec<Instruction> = pushes.chain([halt]).collect();
        let core = core_of(thread);
        let jump = encoded(at, &jump)?;
        self.load_image(at, core, &jump)?;
        let code = encoded(at, &code)?;
        self.write(at, WORDS.into(), &code)
    }

    /// Lets the T core of a thread go that is to push words.
    ///
    /// # Errors
    /// If the tile has none.
    pub fn release_words(&mut self, at: Coordinate, thread: usize) -> Result<(), ChipTrap> {
        self.release(at, &[core_of(thread)])
    }
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
    use crate::tile::{Break, Dump, Stop};
    use tessera_isa_tensix::{asm, Arch};

    const AT: Coordinate = (1, 1);

    fn device(thread: usize, text: &str) -> Device {
        let mut device = Device::new(Arch::WormholeB0, 0);
        let words = asm::assemble(Arch::WormholeB0, text).unwrap();
        device.load_words(AT, thread, &words).unwrap();
        device.release_words(AT, thread).unwrap();
        device
    }

    #[test]
    fn words_run() {
        let mut device = device(1, "ttsetdmareg 0, 4660, 0, 10\nttsetdmareg 0, 1, 0, 11\n");
        device.record(AT).unwrap();
        assert_eq!(device.run(100_000), Ok(Stop::Rest));
        let gprs = device.dump(AT, Dump::Gprs).unwrap();
        let line = gprs.lines().nth(1).unwrap();
        assert_eq!(line.split(' ').nth(2 + 5), Some("00011234"), "{line}");
        assert_eq!(device.timeline(AT).unwrap().slices().len(), 2);
        let cores = device.dump(AT, Dump::Cores).unwrap();
        assert!(cores.starts_with("T1 pc 0x20008\n"), "{cores}");
    }

    #[test]
    fn breaks_stop_once() {
        let mut device = device(0, "ttnop\nttnop\nttnop\n");
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

    #[test]
    fn programs_that_are_refused() {
        let mut device = Device::new(Arch::WormholeB0, 0);
        let text = |r: Result<(), ChipTrap>| r.unwrap_err().to_string();
        assert_eq!(
            text(device.load_words(AT, 0, &[0, 0xc000_0000])),
            "tile (1, 1): word 1 is 0xc0000000; cores push words below 0xc0000000"
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
