//! What the tests of the core share: a bus that notes what happens on it, and how to get code into a core.
#![allow(dead_code, reason = "each test binary uses a part")]

use std::sync::Arc;

use tessera_riscv::{Bus, Core, Image, Instruction, Refusal, Step, Trap, Width};

/// Where the images of the tests lie.
pub const CODE: u32 = 0x1000;

/// Sixteen regions of 256 bytes from 0 on; what is further is refused. Notes every store, in the order in which
/// they are done.
#[derive(Clone, Debug)]
pub struct Memory {
    pub bytes: Vec<u8>,
    pub log: Vec<(u32, u32)>,
    /// Stores at this address are not taken.
    pub busy: Option<u32>,
}

impl Default for Memory {
    fn default() -> Self {
        Memory {
            bytes: vec![0; 0x1000],
            log: Vec::new(),
            busy: None,
        }
    }
}

impl Memory {
    fn range(&self, addr: u32, width: Width) -> Result<std::ops::Range<usize>, Refusal<String>> {
        let at = addr as usize;
        let range = at..at + width.bytes() as usize;
        if range.end > self.bytes.len() {
            return Err(Refusal::Fault(format!("nothing is at {addr:#x}")));
        }
        Ok(range)
    }
}

impl Bus for Memory {
    type Fault = String;

    fn load(&mut self, addr: u32, width: Width) -> Result<u32, Refusal<String>> {
        let range = self.range(addr, width)?;
        Ok(self.bytes[range]
            .iter()
            .rev()
            .fold(0, |word, &byte| word << 8 | u32::from(byte)))
    }

    fn store(
        &mut self,
        _: u32,
        addr: u32,
        width: Width,
        value: u32,
    ) -> Result<(), Refusal<String>> {
        let range = self.range(addr, width)?;
        if self.busy == Some(addr) {
            return Err(Refusal::Busy);
        }
        let len = range.len();
        self.bytes[range].copy_from_slice(&value.to_le_bytes()[..len]);
        self.log.push((addr, value));
        Ok(())
    }

    fn region(&self, addr: u32) -> u8 {
        (addr >> 8) as u8
    }
}

/// A core at the start of `code`.
pub fn core(code: &[Instruction]) -> Core {
    let words = code.iter().map(|i| i.encode().unwrap()).collect();
    Core::new(Arc::new(Image::new(CODE, words).unwrap()))
}

/// Runs until the core halts; at most `limit` steps.
pub fn finish(core: &mut Core, memory: &mut Memory, limit: u64) -> Result<(), Trap<String>> {
    match core.run(memory, limit)? {
        Step::Halted => Ok(()),
        other => panic!("{other:?} at {:#x}", core.pc()),
    }
}

/// `j .`
pub fn halt() -> Instruction {
    Instruction::i(tessera_riscv::Op::Jal, 0, 0, 0)
}
