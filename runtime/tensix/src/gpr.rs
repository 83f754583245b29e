//! The 64 general-purpose registers of one thread.
//!
//! Source: ISA documentation, `ScalarUnit.md`. A half that the kernel has not written holds
//! whatever an earlier kernel left; reading it is refused. So is any use of a register whose load
//! may still be on its way (`LOADIND.md`, `LOADREG.md`, `ATINCGET.md`): until the thread has waited
//! for it, the hardware may use either value.

use crate::trap::Fault;

/// The registers of one thread.
#[derive(Clone, Copy, Debug)]
pub struct Gprs {
    words: [u32; 64],
    /// Two bits a register: low half, high half.
    written: u128,
    /// One bit a register: nobody has waited for its load.
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

    /// Returns the register's value.
    ///
    /// # Errors
    /// Undefined if a half was never written; a hazard if its load may be on its way.
    pub fn get(&self, register: u32) -> Result<u32, Fault> {
        self.check_loaded(register)?;
        if self.written >> (2 * register) & 3 != 3 {
            return Err(Fault::undefined(format!(
                "reads GPR {register}, which this kernel has not written whole"
            )));
        }
        Ok(self.words[register as usize])
    }

    /// Half a register: `half` is 2 * register + (1 for the high half).
    ///
    /// # Errors
    /// As [`get`](Self::get).
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

    /// Four registers from an aligned one on.
    ///
    /// # Errors
    /// As [`get`](Self::get).
    pub fn get_four(&self, register: u32) -> Result<[u32; 4], Fault> {
        let first = register & !3;
        let mut words = [0; 4];
        for (word, register) in words.iter_mut().zip(first..) {
            *word = self.get(register)?;
        }
        Ok(words)
    }

    /// Refuses a register whose load may be on its way.
    ///
    /// # Errors
    /// A hazard.
    pub fn check_loaded(&self, register: u32) -> Result<(), Fault> {
        if self.loading >> register & 1 == 0 {
            return Ok(());
        }
        Err(Fault::hazard(format!(
            "uses GPR {register}, whose load may still be on its way; put a STALLWAIT or FLUSHDMA with C0 between them"
        )))
    }

    /// Sets a register.
    pub fn set(&mut self, register: u32, value: u32) {
        self.words[register as usize] = value;
        self.written |= 3 << (2 * register);
    }

    /// Sets half a register: `half` is 2 * register + (1 for the high half).
    pub fn set_half(&mut self, half: u32, value: u16) {
        let word = &mut self.words[half as usize / 2];
        *word = match half % 2 {
            0 => *word & 0xffff_0000 | u32::from(value),
            _ => *word & 0xffff | u32::from(value) << 16,
        };
        self.written |= 1 << half;
    }

    /// Sets the low byte of a register. Whoever reads it must have written the others.
    pub fn set_byte(&mut self, register: u32, value: u8) {
        let word = &mut self.words[register as usize];
        *word = *word & 0xffff_ff00 | u32::from(value);
    }

    /// Notes that a load of a register has been asked for.
    ///
    /// # Errors
    /// A hazard if another one may be on its way.
    pub fn begin_load(&mut self, register: u32) -> Result<(), Fault> {
        self.check_loaded(register)?;
        self.loading |= 1 << register;
        Ok(())
    }

    /// The thread has waited for its loads.
    pub fn end_loads(&mut self) {
        self.loading = 0;
    }
}

#[cfg(test)]
mod tests;
