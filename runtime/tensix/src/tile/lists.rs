//! Data movement by a list in place of the cores. Counter k is the first word of control line k.

use tessera_isa_tensix::list::DmEntry;
use tessera_isa_tensix::Arch;

use crate::data_movement::{DataMovement, TensorArg};
use crate::dram::Dram;
use crate::issue::coprocessor::{Advanced, Coprocessor};
use crate::map::{LINE, LINES};
use crate::state::l1::little_endian;
use crate::trap::{Fault, Source, Trap, TrapLocation};

/// A data movement list, and how far it has been executed.
pub(crate) struct Lists<'a> {
    entries: &'a [DmEntry],
    data: DataMovement<'a>,
    next: usize,
}

impl<'a> Lists<'a> {
    pub(crate) fn new(arch: Arch, entries: &'a [DmEntry], tensors: &'a [TensorArg]) -> Self {
        Lists {
            entries,
            data: DataMovement::new(arch.dram_banks(), tensors),
            next: 0,
        }
    }

    /// Executes the next entry, if it is ready.
    pub(crate) fn advance(
        &mut self,
        dram: &mut Dram,
        coprocessor: &mut Coprocessor,
    ) -> Result<Advanced, Trap> {
        self.entry(dram, coprocessor).map_err(|fault| Trap {
            place: Some(TrapLocation::Entry(self.next)),
            ..Trap::new(Some(Source::Dm), fault)
        })
    }

    fn entry(&mut self, dram: &mut Dram, coprocessor: &mut Coprocessor) -> Result<Advanced, Fault> {
        let Some(entry) = self.entries.get(self.next) else {
            return Ok(false);
        };
        match *entry {
            DmEntry::Read { arg, page, l1 } => {
                self.data.read_page(dram, coprocessor, (arg, page, l1))?
            }
            DmEntry::Write { arg, page, l1 } => {
                self.data.write_page(dram, coprocessor, (arg, page, l1))?
            }
            DmEntry::Post { counter } => {
                let value = word(coprocessor, line(counter)?)?.wrapping_add(1);
                let bytes = value.to_le_bytes();
                coprocessor.core.l1.write(line(counter)?, &bytes)?;
                coprocessor.check_l1()?;
            }
            DmEntry::Wait { counter, at_least } => {
                if word(coprocessor, line(counter)?)? < at_least {
                    return Ok(false);
                }
            }
        }
        self.next += 1;
        Ok(true)
    }

    /// Returns whether all entries have been executed.
    pub(crate) fn have_ended(&self) -> bool {
        self.next == self.entries.len()
    }

    /// Describes the entry that has not been executed, if any.
    pub(crate) fn waiting(&self) -> Option<String> {
        let entry = self.entries.get(self.next)?;
        Some(format!("dm list at entry {}, `{entry}`", self.next))
    }
}

/// Returns the address of a data movement counter.
fn line(counter: u16) -> Result<u32, Fault> {
    let addr = LINES.start + u32::from(counter) * LINE;
    if !LINES.contains(&addr) {
        return Err(Fault::undefined(format!(
            "there is no control line {counter}; there are {}",
            LINES.len() / LINE as usize
        )));
    }
    Ok(addr)
}

fn word(coprocessor: &mut Coprocessor, addr: u32) -> Result<u32, Fault> {
    let value = little_endian(coprocessor.core.l1.read(addr, 4)?);
    coprocessor.check_l1()?;
    Ok(value)
}
