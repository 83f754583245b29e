//! The 64 general-purpose registers of one thread.
//!
//! Source: ISA documentation, `ScalarUnit.md`. An unwritten half holds data of an earlier kernel;
//! reading it is refused. So is using a register whose load may still be in flight (`LOADIND.md`,
//! `LOADREG.md`, `ATINCGET.md`): until the thread has waited for it, the hardware may use either
//! value.

use crate::trap::Fault;

/// The registers of one thread.
#[derive(Clone, Copy, Debug)]
pub struct Gprs {
    words: [u32; 64],
    /// Written halves, two bits per register: low, high.
    written: u128,
    /// Registers whose load has not been waited for, one bit each.
    loading: u64,
}

impl Default for Gprs {
    fn default() -> Self {
        Gprs {
            words: [0; 64],
            written: 0,
            loading: 0,
        }
    }
}

impl Gprs {
    /// Creates registers that are zero and count as written.
    pub(crate) fn zeroed() -> Self {
        Gprs {
            written: u128::MAX,
            ..Gprs::default()
        }
    }

    /// Returns the value of a register.
    ///
    /// # Errors
    /// Undefined if a half is unwritten; a hazard if its load may be in flight.
    pub fn get(&self, register: u32) -> Result<u32, Fault> {
        self.check_loaded(register)?;
        if self.written >> (2 * register) & 3 != 3 {
            return Err(Fault::undefined(format!(
                "reads GPR {register}, which this kernel has not completely written"
            )));
        }
        Ok(self.words[register as usize])
    }

    /// Returns half a register: `half` is 2 * register, plus 1 for the high half.
    ///
    /// # Errors
    /// Those of [`get`](Self::get).
    pub fn get_half(&self, half: u32) -> Result<u16, Fault> {
        self.check_loaded(half / 2)?;
        if self.written >> half & 1 == 0 {
            return Err(Fault::undefined(format!(
                "reads the {} half of GPR {}, which this kernel has not written",
                ["low", "high"][half as usize % 2],
                half / 2
            )));
        }
        Ok((self.words[half as usize / 2] >> (16 * (half % 2))) as u16)
    }

    /// Returns four consecutive registers.
    ///
    /// # Errors
    /// Those of [`get`](Self::get).
    pub fn get_four(&self, register: u32) -> Result<[u32; 4], Fault> {
        let first = register & !3;
        let mut words = [0; 4];
        for (word, register) in words.iter_mut().zip(first..) {
            *word = self.get(register)?;
        }
        Ok(words)
    }

    /// Refuses a register whose load may be in flight.
    ///
    /// # Errors
    /// A hazard.
    pub fn check_loaded(&self, register: u32) -> Result<(), Fault> {
        if self.loading >> register & 1 == 0 {
            return Ok(());
        }
        Err(Fault::hazard(format!(
            "uses GPR {register}, whose load may still be on its way; put a STALLWAIT or FLUSHDMA \
             with C0 between them"
        )))
    }

    /// Sets a register.
    pub fn set(&mut self, register: u32, value: u32) {
        self.words[register as usize] = value;
        self.written |= 3 << (2 * register);
    }

    /// Sets half a register: `half` is 2 * register, plus 1 for the high half.
    pub fn set_half(&mut self, half: u32, value: u16) {
        let word = &mut self.words[half as usize / 2];
        *word = match half % 2 {
            0 => *word & 0xffff_0000 | u32::from(value),
            _ => *word & 0xffff | u32::from(value) << 16,
        };
        self.written |= 1 << half;
    }

    /// Sets the low byte of a register; does not mark the register as written.
    pub fn set_byte(&mut self, register: u32, value: u8) {
        let word = &mut self.words[register as usize];
        *word = *word & 0xffff_ff00 | u32::from(value);
    }

    /// Begins a load of a register.
    ///
    /// # Errors
    /// A hazard if another load of it may be in flight.
    pub fn begin_load(&mut self, register: u32) -> Result<(), Fault> {
        self.check_loaded(register)?;
        self.loading |= 1 << register;
        Ok(())
    }

    /// Records that the thread has waited for its loads.
    pub fn end_loads(&mut self) {
        self.loading = 0;
    }
}

#[cfg(test)]
mod tests;
