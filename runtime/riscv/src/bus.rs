//! The interface of a core to memory and devices: aligned loads and stores.

/// The width of an access in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// One byte.
    Byte = 1,
    /// Two bytes.
    Half = 2,
    /// Four bytes.
    Word = 4,
}

impl Width {
    /// Returns the number of bytes.
    pub fn bytes(self) -> u32 {
        self as u32
    }
}

/// Why an access did not happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal<F> {
    /// It cannot complete yet: a queue is full, or an event has not occurred. The core retries.
    Busy,
    /// It is invalid.
    Fault(F),
}

/// Size and alignment of the pages whose code has versions.
pub const CODE_PAGE: u32 = 1024;

/// Memory and devices of one core. Addresses arrive aligned to the width.
pub trait Bus {
    /// The error of an invalid access.
    type Fault;

    /// Returns the word of code at `pc`, a multiple of four.
    ///
    /// # Errors
    /// If there is no code.
    fn fetch(&mut self, pc: u32) -> Result<u32, Self::Fault>;

    /// Returns a version that changes whenever a word of the page of [`CODE_PAGE`] bytes around
    /// `pc` may have changed.
    fn code_version(&self, pc: u32) -> u32;

    /// Returns the bytes of the page of code at a multiple of [`CODE_PAGE`], if [`Self::fetch`]
    /// would return each of its words. Cores then share the decoded page with others.
    fn code_bytes(&self, _page: u32) -> Option<&[u8]> {
        None
    }

    /// Loads a value, zero-extended.
    ///
    /// A polling core repeats loads, so they must have no side effects unless
    /// [`Self::reading_changes`] says so.
    ///
    /// # Errors
    /// [`Refusal`]; the access has then not happened.
    fn load(&mut self, addr: u32, width: Width) -> Result<u32, Refusal<Self::Fault>>;

    /// Does what [`Self::load`] does, if that is quick: it succeeds, and [`Self::reading_changes`]
    /// is false. `None` otherwise; nothing has then happened.
    #[inline(always)]
    fn load_at_once(&mut self, _addr: u32, _width: Width) -> Option<u32> {
        None
    }

    /// Does what [`Self::store`] does, if that is quick and succeeds; returns whether it has done
    /// so.
    #[inline(always)]
    fn store_at_once(&mut self, _addr: u32, _width: Width, _value: u32) -> bool {
        false
    }

    /// Stores the low bits of `value`. `pc` is the address of the instruction.
    ///
    /// # Errors
    /// [`Refusal`]; the access has then not happened.
    fn store(
        &mut self,
        pc: u32,
        addr: u32,
        width: Width,
        value: u32,
    ) -> Result<(), Refusal<Self::Fault>>;

    /// Applies `change` to the word at an address atomically; returns the old value.
    ///
    /// # Errors
    /// [`Refusal`]; nothing has then changed.
    fn change(
        &mut self,
        pc: u32,
        addr: u32,
        change: impl Fn(u32) -> u32,
    ) -> Result<u32, Refusal<Self::Fault>> {
        let old = self.load(addr, Width::Word)?;
        self.store(pc, addr, Width::Word, change(old))?;
        Ok(old)
    }

    /// Checks that a vector instruction may access `bytes` bytes: a contiguous vector, or one
    /// element.
    ///
    /// # Errors
    /// If it may not.
    fn check_vector(&self, _addr: u32, _bytes: u32) -> Result<(), Self::Fault> {
        Ok(())
    }

    /// Returns the clock cycles so far, if they are counted.
    fn cycles(&self) -> Option<u64> {
        None
    }

    /// Returns `a · b + c` in single precision as the chip's vector unit computes it, if
    /// floating-point arithmetic is supported.
    fn multiply_add(&self, _a: u32, _b: u32, _c: u32) -> Option<u32> {
        None
    }

    /// Returns the value of one of the coprocessor's status registers: 0 is `tt_cfg_qstatus`, 1
    /// `tt_cfg_bstatus`.
    fn status(&mut self, _which: usize) -> Option<u32> {
        None
    }

    /// Returns the memory region of an address. A weakly ordered core orders requests only within a
    /// region.
    fn region(&self, addr: u32) -> u8;

    /// Returns the memory region of an address for stores, if it differs from that for loads.
    fn region_of_stores(&self, addr: u32) -> u8 {
        self.region(addr)
    }

    /// Returns whether reading an address has side effects or returns different values. A loop with
    /// such a load is not recognised as polling.
    fn reading_changes(&self, _addr: u32) -> bool {
        false
    }

    /// Returns whether the core should end its run after the current instruction. The answer may
    /// change in an access only.
    fn wants_a_break(&self) -> bool {
        false
    }
}
