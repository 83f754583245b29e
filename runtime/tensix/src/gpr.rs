//! The 64 general-purpose registers of one thread.
//!
//! Source: ISA documentation, `ScalarUnit.md`. A half that the kernel has not written holds whatever an earlier
//! kernel left; reading it is refused.

use crate::trap::Fault;

/// The registers of one thread.
#[derive(Clone, Copy, Debug)]
pub struct Gprs {
    words: [u32; 64],
    /// Two bits a register: low half, high half.
    written: u128,
}

impl Default for Gprs {
    fn default() -> Self {
        Gprs {
            words: [0; 64],
            written: 0,
        }
    }
}

impl Gprs {
    /// The register's value.
    ///
    /// # Errors
    /// Undefined if a half was never written.
    pub fn get(&self, register: u32) -> Result<u32, Fault> {
        if self.written >> (2 * register) & 3 != 3 {
            return Err(Fault::undefined(format!(
                "reads GPR {register}, which this kernel has not written whole"
            )));
        }
        Ok(self.words[register as usize])
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves() {
        let mut g = Gprs::default();
        g.set_half(126, 0x5678);
        assert_eq!(
            g.get(63).unwrap_err().to_string(),
            "undefined behaviour: reads GPR 63, which this kernel has not written whole"
        );
        g.set_half(127, 0x1234);
        assert_eq!(g.get(63), Ok(0x1234_5678));
        g.set(0, 7);
        assert_eq!(g.get(0), Ok(7));
    }
}
