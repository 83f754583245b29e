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
    /// How many bytes.
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

/// Memory and devices of one core. Addresses arrive aligned to the width.
pub trait Bus {
    /// Why an access is impossible.
    type Fault;

    /// Reads. The value stands in the low bits, the others are 0.
    ///
    /// A core that polls reads again and again: a read must not change anything.
    ///
    /// # Errors
    /// [`Refusal`]; the access has then not happened.
    fn load(&mut self, addr: u32, width: Width) -> Result<u32, Refusal<Self::Fault>>;

    /// Writes the low bits of `value`. `pc` is the instruction that does it, for a bus that keeps track of places.
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

    /// The memory region of an address. A weakly ordered core keeps the order of requests within a region only.
    fn region(&self, addr: u32) -> u8;
}
