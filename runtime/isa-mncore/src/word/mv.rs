//! Encoding of MV instruction words.
//!
//! As for PE words, the layout is this crate's except for what is published: the position of the
//! word in a unit, and of its tag.

use super::{Bits, DecodeError, Mode};
use crate::ast::{Mv, MvMemory, MvOperand, Transfer};
use crate::diagnostic::Span;
use crate::table::mv::{rows, OperandForm};
use crate::table::Rrn;

/// Returns the size of an MV word in bits.
pub const fn bits(mode: Mode) -> usize {
    match mode {
        Mode::AutoStride => 110,
        Mode::Flat => 158,
    }
}

/// Returns the position of the eight-bit tag.
pub(super) const fn tag_offset(mode: Mode) -> usize {
    match mode {
        Mode::AutoStride => 23,
        Mode::Flat => 47,
    }
}

/// The unit in which lengths are encoded, in long words.
const UNIT: u32 = 64;

/// The numeric fields of an MV word in encoding order, without the tag. `a` is the DRAM address if
/// an operand has one, otherwise the source address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Numbers {
    units: u64,
    mode: u64,
    rrn: u64,
    priority: u64,
    source_group: u64,
    target_group: u64,
    l2b: u64,
    indirect: u64,
    uses: u64,
    a: u64,
    b: u64,
    tag: u64,
}

impl Numbers {
    /// Returns every field with its size in bits.
    fn parts(&mut self) -> [(&mut u64, usize); 11] {
        [
            (&mut self.units, 23),
            (&mut self.mode, 5),
            (&mut self.rrn, 5),
            (&mut self.priority, 2),
            (&mut self.source_group, 3),
            (&mut self.target_group, 3),
            (&mut self.l2b, 2),
            (&mut self.indirect, 1),
            (&mut self.uses, 10),
            (&mut self.a, 29),
            (&mut self.b, 19),
        ]
    }

    /// Calls `visit` with every field, its position and its size.
    fn for_each_field(&mut self, mode: Mode, mut visit: impl FnMut(&mut u64, usize, usize)) {
        let tag = tag_offset(mode);
        let mut at = 0;
        for (number, width) in self.parts() {
            if at < tag + 8 && at + width > tag {
                at = tag + 8;
            }
            visit(number, at, width);
            at += width;
        }
        visit(&mut self.tag, tag, 8);
    }
}

/// Encodes an MV instruction.
pub fn encode(mv: &Mv, mode: Mode) -> Bits {
    let mut word = Bits::default();
    let Some(transfer) = &mv.transfer else {
        return word;
    };
    let position = rows().iter().position(|row| row.mode == transfer.mode);
    let rrn = transfer
        .rrn
        .and_then(|rrn| Rrn::all().position(|other| other == rrn));
    let one_more = |number: Option<u8>| number.map_or(0, |number| u64::from(number) + 1);
    let swapped = is_dram(&transfer.target);
    let (a, b) = if swapped {
        (&transfer.target, &transfer.source)
    } else {
        (&transfer.source, &transfer.target)
    };
    let indirect = |place: &MvOperand| matches!(place.memory, MvMemory::DramIndirect(_));
    let mut numbers = Numbers {
        units: u64::from(transfer.words / UNIT),
        mode: position.map_or(0, |position| position as u64 + 1),
        rrn: rrn.map_or(0, |position| position as u64 + 1),
        priority: transfer.priority.into(),
        source_group: one_more(transfer.source.group),
        target_group: one_more(transfer.target.group),
        l2b: one_more(transfer.source.l2b.or(transfer.target.l2b)),
        indirect: (indirect(a) || indirect(b)).into(),
        uses: transfer.per_entry.unwrap_or(0).into(),
        a: address(a),
        b: address(b),
        tag: transfer.tag.unwrap_or(0).into(),
    };
    numbers.for_each_field(mode, |number, at, width| word.set(at, width, *number));
    word
}

fn is_dram(place: &MvOperand) -> bool {
    matches!(place.memory, MvMemory::Dram(_) | MvMemory::DramIndirect(_))
}

fn address(place: &MvOperand) -> u64 {
    match place.memory {
        MvMemory::Pdm(address) | MvMemory::Dram(address) => address.into(),
        MvMemory::L2bm(address) | MvMemory::DramIndirect(address) => address.into(),
    }
}

/// Decodes an MV instruction. The spans of its operands are empty.
///
/// # Errors
/// A word that [`encode`] cannot produce.
pub fn decode(word: &Bits, mode: Mode) -> Result<Mv, DecodeError> {
    let mut numbers = Numbers::default();
    numbers.for_each_field(mode, |number, at, width| *number = word.get(at, width));
    let mv = if numbers.mode == 0 {
        Mv { transfer: None }
    } else {
        Mv {
            transfer: Some(transfer(&numbers)?),
        }
    };
    let text = mv.to_string();
    let parsed = crate::parse(&text).map_err(|errors| DecodeError::Rule {
        text: text.clone(),
        message: errors[0].message.clone(),
    })?;
    let again = parsed.to_string();
    if again.trim_end() == text && encode(&mv, mode) == *word {
        Ok(mv)
    } else {
        Err(DecodeError::StrayBits(text))
    }
}

/// Decodes the transfer.
fn transfer(numbers: &Numbers) -> Result<Transfer, DecodeError> {
    let row = rows().get(numbers.mode as usize - 1);
    let row = row.ok_or(DecodeError::MvMode(numbers.mode))?;
    let rrn = match numbers.rrn {
        0 => None,
        number => Some(
            Rrn::all()
                .nth(number as usize - 1)
                .ok_or(DecodeError::Reduction(number))?,
        ),
    };
    if row.mode.reduces() != rrn.is_some() {
        return Err(DecodeError::Reduction(numbers.rrn));
    }
    let target_is_dram = matches!(row.target.0, OperandForm::DramOne | OperandForm::DramAll);
    let (source, target) = if target_is_dram {
        (numbers.b, numbers.a)
    } else {
        (numbers.a, numbers.b)
    };
    let one_less = |number: u64| number.checked_sub(1).map(|number| number as u8);
    let place = |form: OperandForm, address: u64, group: u64| {
        let l2 = |memory| (memory, one_less(numbers.l2b));
        let (memory, l2b) = match form {
            OperandForm::PdmOne | OperandForm::PdmAll => (MvMemory::Pdm(address as u32), None),
            OperandForm::DramOne | OperandForm::DramAll if numbers.indirect != 0 => {
                (MvMemory::DramIndirect(address as u16), None)
            }
            OperandForm::DramOne | OperandForm::DramAll => (MvMemory::Dram(address as u32), None),
            _ => l2(MvMemory::L2bm(address as u16)),
        };
        MvOperand {
            span: Span::default(),
            memory,
            group: one_less(group),
            l2b,
        }
    };
    Ok(Transfer {
        mode: row.mode,
        rrn,
        words: (numbers.units as u32).wrapping_mul(UNIT),
        tag: Some(numbers.tag as u8).filter(|&tag| tag != 0),
        priority: numbers.priority as u8,
        per_entry: Some(numbers.uses as u32).filter(|&uses| uses != 0),
        source: place(row.source.0, source, numbers.source_group),
        target: place(row.target.0, target, numbers.target_group),
    })
}
