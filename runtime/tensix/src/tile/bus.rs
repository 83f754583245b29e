//! What one RISC-V core of a tile reads and writes.
//!
//! Checked: the hazards of [`crate::coprocessor`], also for the cores' own accesses to L1 and configuration; B and a T core
//! do not push into one thread at the same time (the hardware drops instructions); no image changes; local memory is
//! written before it is read; devices are accessed by words. Refused with its name: what is not modelled (mailboxes,
//! PCBufs, other debug registers).

use tessera_isa_tensix::expand::ExpandError;
use tessera_isa_tensix::{cfg, Opcode};
use tessera_riscv::{Bus, Refusal, Width};

use super::map::{self, Region, B, CORES, IMAGES, NC};
use super::niu::Niu;
use crate::access::WordSet;
use crate::coprocessor::Coprocessor;
use crate::trap::Fault;

/// The value of a load that only waits. It is undefined; nobody should mistake it for a result.
const UNDEFINED: u32 = 0xdead_beef;

/// Local memory of one core.
#[derive(Clone, Debug)]
pub(crate) struct Local {
    bytes: Vec<u8>,
    written: Vec<bool>,
}

impl Local {
    pub(crate) fn new(bytes: usize) -> Self {
        Local {
            bytes: vec![0; bytes],
            written: vec![false; bytes],
        }
    }

    fn range(&self, addr: u32, width: Width) -> Result<std::ops::Range<usize>, Fault> {
        let at = (addr - map::LOCAL) as usize;
        let range = at..at + width.bytes() as usize;
        if range.end > self.bytes.len() {
            return Err(Fault::undefined(format!(
                "{addr:#x} is beyond this core's {} bytes of local memory",
                self.bytes.len()
            )));
        }
        Ok(range)
    }

    fn load(&self, addr: u32, width: Width) -> Result<u32, Fault> {
        let range = self.range(addr, width)?;
        if self.written[range.clone()].contains(&false) {
            return Err(Fault::undefined(format!(
                "reads local memory {addr:#x}, which nothing has written"
            )));
        }
        Ok(little_endian(&self.bytes[range]))
    }

    fn store(&mut self, addr: u32, width: Width, value: u32) -> Result<(), Fault> {
        let range = self.range(addr, width)?;
        self.written[range.clone()].fill(true);
        let len = range.len();
        self.bytes[range].copy_from_slice(&value.to_le_bytes()[..len]);
        Ok(())
    }
}

fn little_endian(bytes: &[u8]) -> u32 {
    bytes
        .iter()
        .rev()
        .fold(0, |word, &byte| word << 8 | u32::from(byte))
}

/// The view of core `who`.
pub(crate) struct View<'a> {
    pub(crate) who: usize,
    pub(crate) coprocessor: &'a mut Coprocessor,
    pub(crate) local: &'a mut Local,
    pub(crate) niu: &'a mut Niu,
    /// Bit k: core k is held in reset.
    pub(crate) in_reset: &'a mut u32,
    /// Words of each image.
    pub(crate) images: &'a [usize; 5],
    /// Whether something that the core pushes is on its way.
    pub(crate) pushing: bool,
    /// Whether the core has touched what others see.
    pub(crate) touched: bool,
}

type Loaded = Result<u32, Refusal<Fault>>;
type Stored = Result<(), Refusal<Fault>>;

fn fault(fault: Fault) -> Refusal<Fault> {
    Refusal::Fault(fault)
}

fn undefined<T>(text: String) -> Result<T, Refusal<Fault>> {
    Err(fault(Fault::undefined(text)))
}

fn done_or_busy(done: bool) -> Stored {
    if done {
        Ok(())
    } else {
        Err(Refusal::Busy)
    }
}

impl Bus for View<'_> {
    type Fault = Fault;

    fn fetch(&mut self, pc: u32) -> Result<u32, Fault> {
        if map::image_at(self.images, pc, 4) != Some(self.who) {
            return Err(Fault::undefined(
                "there is no code here; the image ends before",
            ));
        }
        self.coprocessor.core.l1.peek_word(pc)
    }

    fn code_version(&self, pc: u32) -> u32 {
        self.coprocessor.core.l1.code_version(pc)
    }

    fn wants_a_break(&self) -> bool {
        self.touched
    }

    fn load(&mut self, addr: u32, width: Width) -> Loaded {
        let region = map::region(addr);
        self.touched |= region != Region::Local;
        match region {
            Region::L1 => self.load_l1(addr, width).map_err(fault),
            Region::Local => self.local.load(addr, width).map_err(fault),
            _ if width != Width::Word => self.not_a_word(addr),
            Region::SoftReset if addr == map::SOFT_RESET => Ok((0..5)
                .filter(|k| *self.in_reset >> k & 1 != 0)
                .fold(0, |bits, k| bits | 1 << map::RESET_BIT[k])),
            Region::Gprs => {
                let (thread, register) = self.gpr(addr).map_err(fault)?;
                self.coprocessor.core.gprs[thread]
                    .get(register)
                    .map_err(fault)
            }
            Region::PcBuf => self.load_pc_buf(addr),
            Region::Config => {
                let (state, word) = self.config_word(addr).map_err(fault)?;
                if let Some(thread) = self.thread() {
                    self.coprocessor.unguarded[thread].remove(state, word);
                }
                Ok(self.coprocessor.core.config.word_of_state(state, word))
            }
            Region::Noc => self.niu.load(addr).map_err(fault),
            _ => self.refuse("reads", addr, region),
        }
    }

    fn store(&mut self, pc: u32, addr: u32, width: Width, value: u32) -> Stored {
        let region = map::region(addr);
        self.touched |= region != Region::Local;
        match region {
            Region::L1 => self.store_l1(addr, width, value).map_err(fault),
            Region::Local => self.local.store(addr, width, value).map_err(fault),
            _ if width != Width::Word => self.not_a_word(addr),
            Region::SoftReset if addr == map::SOFT_RESET => self.store_reset(value).map_err(fault),
            Region::FrontEnd if addr < map::GPRS => {
                self.store_mop_config(addr, value).map_err(fault)
            }
            Region::Gprs => {
                let (thread, register) = self.gpr(addr).map_err(fault)?;
                self.coprocessor.core.gprs[thread].set(register, value);
                Ok(())
            }
            Region::FrontEnd => self.push(pc, addr, value),
            Region::PcBuf => self.store_pc_buf(addr, value),
            Region::Config => self.store_config(addr, value).map_err(fault),
            Region::Noc => self
                .niu
                .store((self.who, pc), addr, value, self.coprocessor)
                .map_err(fault),
            _ => self.refuse("writes", addr, region),
        }
    }

    fn region(&self, addr: u32) -> u8 {
        map::region(addr) as u8
    }
}

impl View<'_> {
    /// The Tensix thread of the core, if it has one.
    fn thread(&self) -> Option<usize> {
        (B + 1..NC).contains(&self.who).then(|| self.who - 1)
    }

    fn not_a_word<T>(&self, addr: u32) -> Result<T, Refusal<Fault>> {
        undefined(format!("{addr:#x} is a device; only words can be accessed"))
    }

    fn refuse<T>(&self, verb: &str, addr: u32, region: Region) -> Result<T, Refusal<Fault>> {
        let what = match region {
            Region::Mailboxes => "mailboxes",
            Region::SoftReset => "debug registers other than the soft reset",
            _ => {
                let who = CORES[self.who];
                return undefined(format!("{verb} {addr:#x}, where core {who} has nothing"));
            }
        };
        Err(fault(Fault::unmodelled(format!("{what} ({addr:#x})"))))
    }

    fn load_l1(&mut self, addr: u32, width: Width) -> Result<u32, Fault> {
        let bytes = self
            .coprocessor
            .core
            .l1
            .read(addr, width.bytes() as usize)?;
        let value = little_endian(bytes);
        self.coprocessor.check_l1()?;
        Ok(value)
    }

    fn store_l1(&mut self, addr: u32, width: Width, value: u32) -> Result<(), Fault> {
        if let Some(k) = map::image_at(self.images, addr, width.bytes()) {
            return Err(Fault::undefined(format!(
                "stores to {addr:#x}, which is in the image of core {}; images cannot change",
                CORES[k]
            )));
        }
        if addr == map::DONE + 4 * self.who as u32 && self.niu.busy_for(self.who) {
            return Err(Fault::hazard(format!(
                "core {} says that it is done while NoC requests that it made have not ended; wait for its transactions first",
                CORES[self.who]
            )));
        }
        let bytes = value.to_le_bytes();
        self.coprocessor
            .core
            .l1
            .write(addr, &bytes[..width.bytes() as usize])?;
        self.coprocessor.check_l1()
    }

    /// B sees the registers of all threads, a T core those of its own.
    fn gpr(&self, addr: u32) -> Result<(usize, u32), Fault> {
        let at = (addr - map::GPRS) / 4;
        match (self.thread(), at) {
            (Some(thread), 0..64) => Ok((thread, at)),
            (None, 0..192) if self.who == B => Ok((at as usize / 64, at % 64)),
            _ => Err(Fault::undefined(format!(
                "there is no GPR at {addr:#x} for core {}",
                CORES[self.who]
            ))),
        }
    }

    fn config_word(&self, addr: u32) -> Result<(usize, u32), Fault> {
        let at = (addr - map::CONFIG) as usize / 4;
        if self.who == NC || at >= 2 * cfg::CONFIG_WORDS {
            return Err(Fault::undefined(format!(
                "there is no word of Config at {addr:#x} for core {}",
                CORES[self.who]
            )));
        }
        Ok((at / cfg::CONFIG_WORDS, (at % cfg::CONFIG_WORDS) as u32))
    }

    /// Every thread may use what a core stores, so each has to wait for the stores of its own core, and nobody can wait
    /// for those of B in band: B has to read them back.
    fn store_config(&mut self, addr: u32, value: u32) -> Result<(), Fault> {
        let (state, word) = self.config_word(addr)?;
        let mut changed = WordSet::default();
        let config = &mut self.coprocessor.core.config;
        config.write_state(state, word, value, u32::MAX, &mut changed)?;
        self.coprocessor.flights.check_config(&changed)?;
        if let Some(thread) = self.thread() {
            self.coprocessor.unguarded[thread].extend(&changed);
        }
        Ok(())
    }

    fn store_mop_config(&mut self, addr: u32, value: u32) -> Result<(), Fault> {
        let Some(thread) = self.thread() else {
            return Err(Fault::undefined(format!(
                "core {} has no MOP expander",
                CORES[self.who]
            )));
        };
        let index = (addr - map::MOP_CFG) as usize / 4;
        self.coprocessor.frontends[thread]
            .set_mop_config(index, value)
            .map_err(|e| match e {
                ExpandError::MopCfgBusy { .. } => Fault::hazard(e.to_string()),
                _ => Fault::undefined(e.to_string()),
            })
    }

    fn push(&mut self, pc: u32, addr: u32, word: u32) -> Stored {
        let place = (addr - map::PUSH) >> 16;
        let thread = match (self.who, self.thread()) {
            (B, _) => place as usize,
            (_, Some(thread)) if place == 0 => thread,
            _ => {
                return undefined(format!(
                    "core {} cannot push instructions at {addr:#x}",
                    CORES[self.who]
                ))
            }
        };
        let frontend = &mut self.coprocessor.frontends[thread];
        let from_b = |origin: usize| IMAGES[B].contains(&(origin as u32));
        let meets_other = frontend
            .queued()
            .any(|origin| from_b(origin) != (self.who == B))
            || self.who == B && !frontend.mop_done();
        if meets_other {
            return Err(fault(Fault::hazard(format!(
                "pushes while B and T{thread} have instructions on the way to the same thread; the hardware drops some"
            ))));
        }
        let opcode = word >> 24;
        if self.who == B && (opcode == Opcode::Mop as u32 || opcode == Opcode::MopCfg as u32) {
            return undefined("B pushes behind the MOP expander, which would not see this".into());
        }
        done_or_busy(frontend.push(word, pc as usize))
    }

    fn load_pc_buf(&mut self, addr: u32) -> Loaded {
        let offset = addr - map::PC_BUF;
        let Some(thread) = self.thread() else {
            return self.no_pc_buf(addr);
        };
        let frontend = &self.coprocessor.frontends[thread];
        if map::SEMAPHORES.contains(&offset) {
            let semaphore = (offset - map::SEMAPHORES.start) as usize / 4;
            return Ok(self.coprocessor.sync.value(semaphore).into());
        }
        let done = match offset {
            map::COPROCESSOR_DONE => !self.pushing && self.coprocessor.idle(thread),
            map::MOP_DONE => !self.pushing && frontend.mop_done(),
            _ => return self.no_pc_buf(addr),
        };
        done_or_busy(done).map(|()| UNDEFINED)
    }

    fn store_pc_buf(&mut self, addr: u32, value: u32) -> Stored {
        let offset = addr - map::PC_BUF;
        match offset {
            _ if self.thread().is_none() => self.no_pc_buf(addr),
            map::COPROCESSOR_DONE | map::MOP_DONE => Ok(()),
            _ if map::SEMAPHORES.contains(&offset) => {
                let mask = 1 << ((offset - map::SEMAPHORES.start) / 4);
                match value & 1 {
                    0 => self.coprocessor.sync.post(mask),
                    _ => self.coprocessor.sync.get(mask),
                }
                Ok(())
            }
            _ => self.no_pc_buf(addr),
        }
    }

    fn no_pc_buf<T>(&self, addr: u32) -> Result<T, Refusal<Fault>> {
        match self.who {
            NC => self.refuse("accesses", addr, Region::Other),
            _ => Err(fault(Fault::unmodelled(format!("PCBufs ({addr:#x})")))),
        }
    }

    /// Takes cores out of reset.
    fn store_reset(&mut self, value: u32) -> Result<(), Fault> {
        let known: u32 = map::RESET_BIT.iter().map(|bit| 1 << bit).sum();
        if value & !known != 0 {
            return Err(Fault::unmodelled(format!(
                "holding in reset what bits {:#x} of the soft reset stand for",
                value & !known
            )));
        }
        for (k, bit) in map::RESET_BIT.iter().enumerate() {
            let (held, hold) = (*self.in_reset >> k & 1, value >> bit & 1);
            if hold > held {
                return Err(Fault::unmodelled(format!(
                    "putting core {} back into reset",
                    CORES[k]
                )));
            }
            *self.in_reset &= !((held ^ hold) << k);
        }
        Ok(())
    }
}
