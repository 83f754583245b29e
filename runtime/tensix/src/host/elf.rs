//! Executables for cores as written by linkers: ELF, 32 bits, little-endian, RISC-V.
//!
//! Segments are loaded at their physical addresses, from which the start-up code copies data to a
//! core's local memory. That code also clears `.bss`. Checked: all fields and segments are inside
//! the file.
//!
//! Source: System V ABI, Executable and Linkable Format, chapters 4 and 5.

/// The segments and the entry point of an executable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Executable<'a> {
    /// The address of the first instruction.
    pub entry: u32,
    /// The segments: address in the tile, and bytes.
    pub segments: Vec<(u32, &'a [u8])>,
}

/// Why a file is not an executable for a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ElfError {
    /// The file ends within a header or a segment.
    #[error("the ELF file ends before byte {0:#x}, which its headers name")]
    Truncated(u64),
    /// The file is for another machine.
    #[error(
        "the ELF file is not for RISC-V of 32 bits, little-endian (class {class}, data {data}, \
         machine {machine})"
    )]
    Machine {
        /// `EI_CLASS`, 1 for 32 bits.
        class: u8,
        /// `EI_DATA`, 1 for little-endian.
        data: u8,
        /// `e_machine`, 243 for RISC-V.
        machine: u16,
    },
    /// The file is not linked.
    #[error("the ELF file is of type {0}, not an executable (2); link it")]
    Type(u16),
    /// The file has no segments to load.
    #[error("the ELF file has no segment to load")]
    Empty,
}

const MAGIC: &[u8] = b"\x7fELF";
const RISCV: u16 = 243;
const EXECUTABLE: u16 = 2;
const LOAD: u32 = 1;

impl<'a> Executable<'a> {
    /// Returns whether a file has the signature of ELF.
    pub fn is_one(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// Parses an ELF file.
    ///
    /// # Errors
    /// [`ElfError`].
    pub fn parse(bytes: &'a [u8]) -> Result<Self, ElfError> {
        let [class, data] = part(bytes, 4)?;
        let machine = half(bytes, 18)?;
        if (class, data, machine) != (1, 1, RISCV) {
            return Err(ElfError::Machine {
                class,
                data,
                machine,
            });
        }
        match half(bytes, 16)? {
            EXECUTABLE => {}
            other => return Err(ElfError::Type(other)),
        }
        let (entry, headers) = (word(bytes, 24)?, u64::from(word(bytes, 28)?));
        let (size, count) = (half(bytes, 42)?, half(bytes, 44)?);
        let mut segments = Vec::new();
        for k in 0..u64::from(count) {
            let at = headers + k * u64::from(size);
            let field = |offset: u64| word(bytes, at + offset);
            let length = field(16)?;
            if field(0)? == LOAD && length > 0 {
                segments.push((
                    field(12)?,
                    bytes_at(bytes, field(4)?.into(), length.into())?,
                ));
            }
        }
        match segments.is_empty() {
            true => Err(ElfError::Empty),
            false => Ok(Executable { entry, segments }),
        }
    }
}

fn bytes_at(bytes: &[u8], at: u64, length: u64) -> Result<&[u8], ElfError> {
    let end = at + length;
    let range = usize::try_from(at).ok().zip(usize::try_from(end).ok());
    range
        .and_then(|(at, end)| bytes.get(at..end))
        .ok_or(ElfError::Truncated(end))
}

fn part<const N: usize>(bytes: &[u8], at: u64) -> Result<[u8; N], ElfError> {
    let part = bytes_at(bytes, at, N as u64)?;
    Ok(std::array::from_fn(|k| part[k]))
}

fn half(bytes: &[u8], at: u64) -> Result<u16, ElfError> {
    part(bytes, at).map(u16::from_le_bytes)
}

fn word(bytes: &[u8], at: u64) -> Result<u32, ElfError> {
    part(bytes, at).map(u32::from_le_bytes)
}

#[cfg(test)]
pub(crate) mod tests;
