//! Ownership of the banks of SrcA and SrcB.
//!
//! Each register has two banks; a bank belongs to its unpacker or to the matrix unit. The unpacker
//! hands its current bank over and flips to the other one; the matrix unit hands it back and flips
//! likewise.
//!
//! On Blackhole a bank also has the format in which it was unpacked, the *implied* format. After
//! SETDVALID the documentation calls it unpredictable. The model then treats it as unknown, as
//! after power-on, and traps where it matters. LLK's copies of 32-bit data
//! (`llk_math_eltwise_unary_datacopy.h`) hand banks over this way. CLEARDVALID with `reset` sets
//! all implied formats to FP32.
//!
//! Source: ISA documentation, `SrcASrcB.md`, `SETDVALID.md`, `CLEARDVALID.md`.

use crate::arith::spec::format::Format;
use crate::trap::Fault;

/// SrcA or SrcB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Src {
    /// Filled by unpacker 0.
    A,
    /// Filled by unpacker 1.
    B,
}

impl Src {
    /// Returns the register that an unpacker fills.
    pub fn for_unpacker(unpacker: usize) -> Self {
        [Src::A, Src::B][unpacker]
    }
}

/// The owner of a bank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Client {
    /// The unpacker may write.
    #[default]
    Unpackers,
    /// The matrix unit may read.
    MatrixUnit,
}

/// Bank state of one register.
#[derive(Clone, Copy, Debug, Default)]
struct Handover {
    allowed: [Client; 2],
    unpacker_bank: usize,
    matrix_bank: usize,
    implied: [Option<Format>; 2],
}

/// Bank state of SrcA and SrcB, and the row counters that the unpackers keep with it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Banks {
    src: [Handover; 2],
    /// `Unpackers[u].SrcRow[thread]`, 0 to 63.
    pub src_row: [[u32; 3]; 2],
    /// Number of handovers and flips.
    changes: u64,
}

impl Banks {
    /// Returns the bank that the unpacker of `src` fills next.
    pub fn unpacker_bank(&self, src: Src) -> usize {
        self.src[src as usize].unpacker_bank
    }

    /// Returns the bank that the matrix unit reads.
    pub fn matrix_bank(&self, src: Src) -> usize {
        self.src[src as usize].matrix_bank
    }

    /// Returns the owner of a bank.
    pub fn owner(&self, src: Src, bank: usize) -> Client {
        self.src[src as usize].allowed[bank]
    }

    /// Returns whether the unpacker may write its current bank.
    pub fn unpacker_may_write(&self, src: Src) -> bool {
        self.owner(src, self.unpacker_bank(src)) == Client::Unpackers
    }

    /// Returns whether the matrix unit may read its current bank.
    pub fn matrix_may_read(&self, src: Src) -> bool {
        self.owner(src, self.matrix_bank(src)) == Client::MatrixUnit
    }

    /// Returns the format in which the unpacker has filled a bank, if known.
    pub fn implied_format(&self, src: Src, bank: usize) -> Option<Format> {
        self.src[src as usize].implied[bank]
    }

    /// Hands the unpackers' bank to the matrix unit. `src_row` restarts at `row_base` for `thread`,
    /// and the implied format becomes unknown.
    ///
    /// # Errors
    /// A hazard if the bank does not belong to the unpackers: the matrix unit would read missing
    /// data.
    pub fn hand_to_matrix(&mut self, src: Src, thread: usize, row_base: u32) -> Result<(), Fault> {
        if !self.unpacker_may_write(src) {
            return Err(Fault::hazard(format!(
                "bank {} of Src{src:?} is handed to the matrix unit, which still has it",
                self.unpacker_bank(src)
            )));
        }
        self.changes += 1;
        let h = &mut self.src[src as usize];
        h.allowed[h.unpacker_bank] = Client::MatrixUnit;
        h.implied[h.unpacker_bank] = None;
        h.unpacker_bank ^= 1;
        self.src_row[src as usize][thread] = row_base & 63;
        Ok(())
    }

    /// Like [`hand_to_matrix`](Self::hand_to_matrix), by the unpacker itself, which has unpacked to
    /// `format`.
    ///
    /// # Errors
    /// Those of [`hand_to_matrix`](Self::hand_to_matrix).
    pub fn hand_filled(
        &mut self,
        src: Src,
        thread: usize,
        row_base: u32,
        format: Format,
    ) -> Result<(), Fault> {
        let bank = self.unpacker_bank(src);
        self.hand_to_matrix(src, thread, row_base)?;
        self.src[src as usize].implied[bank] = Some(format);
        Ok(())
    }

    /// Hands the matrix unit's bank back if `release`, and flips to the other one if `flip`.
    ///
    /// # Errors
    /// A hazard if the bank does not belong to the matrix unit.
    pub fn hand_to_unpacker(&mut self, src: Src, release: bool, flip: bool) -> Result<(), Fault> {
        self.changes += 1;
        let may_read = self.matrix_may_read(src);
        let h = &mut self.src[src as usize];
        if release {
            if !may_read {
                return Err(Fault::hazard(format!(
                    "bank {} of Src{src:?} is handed back to the unpackers, which already have it",
                    h.matrix_bank
                )));
            }
            h.allowed[h.matrix_bank] = Client::Unpackers;
        }
        if flip {
            h.matrix_bank ^= 1;
        }
        Ok(())
    }

    /// Executes CLEARDVALID with `reset`: the power-on state, except for row counters and implied
    /// formats.
    pub fn reset(&mut self) {
        self.changes += 1;
        let reset = Handover {
            implied: [Some(Format::FP32); 2],
            ..Handover::default()
        };
        self.src = [reset; 2];
    }

    /// Returns the number of handovers and flips.
    pub(crate) fn changes(&self) -> u64 {
        self.changes
    }

    /// Describes the banks that the matrix unit still owns.
    pub(crate) fn left_over(&self) -> impl Iterator<Item = String> + '_ {
        [Src::A, Src::B].into_iter().flat_map(move |src| {
            (0..2)
                .filter(move |&bank| self.owner(src, bank) == Client::MatrixUnit)
                .map(move |bank| {
                    format!("bank {bank} of Src{src:?} was not handed back to the unpackers")
                })
        })
    }
}

#[cfg(test)]
mod tests;
