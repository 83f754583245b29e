//! The vector registers.

/// Bytes of a register.
pub(crate) const BYTES: usize = 16;

/// Thirty-two registers; the registers of a group are contiguous.
#[derive(Clone, Debug)]
pub(crate) struct Registers([u8; 32 * BYTES]);

impl Registers {
    /// Creates registers that are all zero.
    pub(crate) fn new() -> Self {
        Registers([0; 32 * BYTES])
    }

    /// Returns a register; `None` if it does not exist.
    pub(crate) fn register(&self, k: u8) -> Option<[u8; BYTES]> {
        let at = usize::from(k) * BYTES;
        self.0.get(at..at + BYTES)?.try_into().ok()
    }

    /// Sets a register, if it exists.
    pub(crate) fn set_register(&mut self, k: u8, value: [u8; BYTES]) {
        let at = usize::from(k) * BYTES;
        if let Some(register) = self.0.get_mut(at..at + BYTES) {
            register.copy_from_slice(&value);
        }
    }

    /// Returns the byte offset of element `k` of `bits` bits of a group.
    fn place(base: u8, bits: u32, k: u32) -> usize {
        usize::from(base) * BYTES + (k * bits / 8) as usize
    }

    /// Returns an element, zero-extended.
    pub(crate) fn get(&self, base: u8, bits: u32, k: u32) -> u32 {
        let at = Self::place(base, bits, k);
        let bytes = &self.0[at..at + bits as usize / 8];
        bytes
            .iter()
            .rev()
            .fold(0, |word, &byte| word << 8 | u32::from(byte))
    }

    /// Sets an element to the low bits of `value`.
    pub(crate) fn set(&mut self, base: u8, bits: u32, k: u32, value: u32) {
        let at = Self::place(base, bits, k);
        let count = bits as usize / 8;
        self.0[at..at + count].copy_from_slice(&value.to_le_bytes()[..count]);
    }

    /// Returns bit `k` of a mask.
    pub(crate) fn bit(&self, base: u8, k: u32) -> bool {
        self.0[usize::from(base) * BYTES + k as usize / 8] >> (k % 8) & 1 != 0
    }

    /// Sets a bit of a mask.
    pub(crate) fn set_bit(&mut self, base: u8, k: u32, value: bool) {
        let byte = &mut self.0[usize::from(base) * BYTES + k as usize / 8];
        *byte = *byte & !(1 << (k % 8)) | u8::from(value) << (k % 8);
    }
}
