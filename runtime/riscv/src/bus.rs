//! What a core sees of the rest: loads and stores of aligned pieces.

/// Bytes of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// One.
    Byte = 1,
    /// Two.
    Half = 2,
    /// Four.
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
    /// Not yet: a queue is full, an event has not come. The core asks again.
    Busy,
    /// Never.
    Fault(F),
}

/// Bytes of the pages in which code has versions; they begin at multiples of it.
pub const CODE_PAGE: u32 = 1024;

/// Memory and devices of one core. Addresses arrive aligned to the width.
pub trait Bus {
    /// Why an access is impossible.
    type Fault;

    /// Returns the word of code at `pc`, a multiple of four.
    ///
    /// # Errors
    /// If there is no code.
    fn fetch(&mut self, pc: u32) -> Result<u32, Self::Fault>;

    /// What differs whenever a word of the page of [`CODE_PAGE`] bytes around `pc` may.
    fn code_version(&self, pc: u32) -> u32;

    /// Reads. The value stands in the low bits, the others are 0.
    ///
    /// A core that polls reads again and again: a read must not change anything, unless
    /// [`Self::reading_changes`] says so.
    ///
    /// # Errors
    /// [`Refusal`]; the access has then not happened.
    fn load(&mut self, addr: u32, width: Width) -> Result<u32, Refusal<Self::Fault>>;

    /// Writes the low bits of `value`. `pc` is the instruction that does it, for a bus that keeps
    /// track of places.
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

    /// Does `change` to the word at an address, as nothing else happens; says what was there.
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

    /// Whether a vector instruction may access so many bytes: all that lie together, or one
    /// element.
    ///
    /// # Errors
    /// If it cannot.
    fn check_vector(&self, _addr: u32, _bytes: u32) -> Result<(), Self::Fault> {
        Ok(())
    }

    /// Clock cycles so far, if someone counts them.
    fn cycles(&self) -> Option<u64> {
        None
    }

    /// `a` times `b` plus `c` in single precision, as the chip's vector unit does it, if there is
    /// floating-point arithmetic.
    fn multiply_add(&self, _a: u32, _b: u32, _c: u32) -> Option<u32> {
        None
    }

    /// Returns the value of one of the coprocessor's status registers: 0 is `tt_cfg_qstatus`, 1
    /// `tt_cfg_bstatus`.
    fn status(&mut self, _which: usize) -> Option<u32> {
        None
    }

    /// Returns the memory region of an address. A weakly ordered core keeps the order of requests
    /// within a region only.
    fn region(&self, addr: u32) -> u8;

    /// Returns the memory region of an address for stores, where it is another one than for loads.
    fn region_of_stores(&self, addr: u32) -> u8 {
        self.region(addr)
    }

    /// Returns whether reading an address has an effect, or gives another value each time. A core
    /// that does this does not repeat itself.
    fn reading_changes(&self, _addr: u32) -> bool {
        false
    }

    /// Returns whether a core is to end its run after the instruction that it has just executed.
    fn wants_a_break(&self) -> bool {
        false
    }
}
