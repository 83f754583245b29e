//! Helpers shared by the tests of the core: a bus that logs its accesses, and cores loaded with
//! code.
#![allow(dead_code, reason = "each test binary uses a part")]

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use tessera_riscv::{Bus, Core, Instruction, Isa, Refusal, SharedCode, Step, Trap, Width};

/// Address of the tests' images.
pub const CODE: u32 = 0x1000;

/// Sixteen regions of 256 bytes from 0 on; other addresses are refused. Logs every store, in the
/// order of completion.
#[derive(Clone, Debug)]
pub struct Memory {
    pub bytes: Vec<u8>,
    pub log: Vec<(u32, u32)>,
    /// Stores to this address are not accepted.
    pub busy: Option<u32>,
    /// The clock, if there is one.
    pub cycles: Option<u64>,
    /// Whether floating-point arithmetic is available; here it is the host's.
    pub floats: bool,
    /// The coprocessor's status registers, if there is one.
    pub status: Option<[u32; 2]>,
}

impl Default for Memory {
    fn default() -> Self {
        Memory {
            bytes: vec![0; 0x1000],
            log: Vec::new(),
            busy: None,
            cycles: None,
            floats: false,
            status: None,
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

    fn cycles(&self) -> Option<u64> {
        self.cycles
    }

    fn multiply_add(&self, a: u32, b: u32, c: u32) -> Option<u32> {
        let [a, b, c] = [a, b, c].map(f32::from_bits);
        self.floats.then(|| a.mul_add(b, c).to_bits())
    }

    fn status(&mut self, which: usize) -> Option<u32> {
        self.status.map(|status| status[which])
    }

    fn fetch(&mut self, pc: u32) -> Result<u32, String> {
        Err(format!("no code is at {pc:#x}"))
    }

    fn code_version(&self, _: u32) -> u32 {
        0
    }
}

/// A memory with code at [`CODE`], which stores can modify.
struct WithCode<'a> {
    words: &'a mut Vec<u32>,
    version: &'a mut u32,
    memory: &'a mut Memory,
}

impl WithCode<'_> {
    fn place(&self, addr: u32) -> Option<usize> {
        let at = (addr.wrapping_sub(CODE) / 4) as usize;
        (at < self.words.len()).then_some(at)
    }
}

impl Bus for WithCode<'_> {
    type Fault = String;

    fn fetch(&mut self, pc: u32) -> Result<u32, String> {
        match self.place(pc) {
            Some(at) => Ok(self.words[at]),
            None => self.memory.fetch(pc),
        }
    }

    fn code_version(&self, _: u32) -> u32 {
        *self.version
    }

    fn load(&mut self, addr: u32, width: Width) -> Result<u32, Refusal<String>> {
        self.memory.load(addr, width)
    }

    fn store(
        &mut self,
        pc: u32,
        addr: u32,
        width: Width,
        value: u32,
    ) -> Result<(), Refusal<String>> {
        match self.place(addr) {
            Some(at) => {
                assert_eq!(width, Width::Word);
                self.words[at] = value;
                *self.version += 1;
                Ok(())
            }
            None => self.memory.store(pc, addr, width, value),
        }
    }

    fn region(&self, addr: u32) -> u8 {
        self.memory.region(addr)
    }

    fn cycles(&self) -> Option<u64> {
        self.memory.cycles()
    }

    fn multiply_add(&self, a: u32, b: u32, c: u32) -> Option<u32> {
        self.memory.multiply_add(a, b, c)
    }

    fn status(&mut self, which: usize) -> Option<u32> {
        self.memory.status(which)
    }
}

/// A core with its code.
pub struct Program {
    core: Core,
    words: Vec<u32>,
    version: u32,
}

impl Program {
    pub fn of_words(isa: Isa, words: Vec<u32>) -> Self {
        Program {
            core: Core::new(isa, CODE),
            words,
            version: 0,
        }
    }

    /// Lets the core use code that is decoded once for all cores.
    pub fn share(&mut self, code: &Arc<SharedCode>) {
        self.core.share_code(Arc::clone(code), |_| self.version);
    }

    /// Returns its code, to share with others.
    pub fn to_shared(&self, isa: Isa) -> Arc<SharedCode> {
        Arc::new(SharedCode::new(isa, CODE, &self.words))
    }

    fn with<T>(&mut self, memory: &mut Memory, f: impl Fn(&mut Core, &mut WithCode) -> T) -> T {
        let mut bus = WithCode {
            words: &mut self.words,
            version: &mut self.version,
            memory,
        };
        f(&mut self.core, &mut bus)
    }

    pub fn run(&mut self, memory: &mut Memory, limit: u64) -> Result<Step, Trap<String>> {
        self.with(memory, |core, bus| {
            // A run ends when the core has to wait, even if it made progress before; only the end
            // matters here.
            match core.run(bus, limit)? {
                Step::Ran => core.run(bus, 1),
                step => Ok(step),
            }
        })
    }

    pub fn step(&mut self, memory: &mut Memory) -> Result<Step, Trap<String>> {
        self.with(memory, |core, bus| core.run(bus, 1))
    }

    pub fn run_undecoded(&mut self, memory: &mut Memory, limit: u64) -> Result<Step, Trap<String>> {
        self.with(memory, |core, bus| core.run_undecoded(bus, limit))
    }
}

impl Deref for Program {
    type Target = Core;

    fn deref(&self) -> &Core {
        &self.core
    }
}

impl DerefMut for Program {
    fn deref_mut(&mut self) -> &mut Core {
        &mut self.core
    }
}

/// Creates a core of Wormhole at the start of `code`.
pub fn core(code: &[Instruction]) -> Program {
    core_of(Isa::WORMHOLE, code)
}

/// Creates a core at the start of `code`.
pub fn core_of(isa: Isa, code: &[Instruction]) -> Program {
    let words = code.iter().map(|i| i.encode().unwrap()).collect();
    Program::of_words(isa, words)
}

/// Runs until the core halts, for at most `limit` steps.
pub fn finish(core: &mut Program, memory: &mut Memory, limit: u64) -> Result<(), Trap<String>> {
    match core.run(memory, limit)? {
        Step::Halted => Ok(()),
        other => panic!("{other:?} at {:#x}", core.pc()),
    }
}

/// Returns `j .`
pub fn halt() -> Instruction {
    Instruction::i(tessera_riscv::Op::Jal, 0, 0, 0)
}
