//! Operands of PE expressions (manual, sections 3.6.1 and 3.6.2).

use super::cursor::Cursor;
use super::Parsed;
use crate::ast::{
    Convert, Fixed, Forward, Input, Mask, MatrixRows, MemoryOperand, Modify, Output, Pattern,
    Source, Target,
};
use crate::memory::{Bank, Precision, Side, Width};
use crate::table::mau::matrix_rows;

/// Input operands that are identified by a name.
pub(crate) const NAMED_SOURCES: [(&str, Source); 10] = [
    ("mauf", Source::Forward(Forward::Mau)),
    ("aluf", Source::Forward(Forward::Alu)),
    ("lbf", Source::Forward(Forward::L1bm)),
    ("mreadf", Source::Forward(Forward::Mread)),
    ("l2bid", Source::Fixed(Fixed::L2bId)),
    ("l1bid", Source::Fixed(Fixed::L1bId)),
    ("mabid", Source::Fixed(Fixed::MabId)),
    ("peid", Source::Fixed(Fixed::PeId)),
    ("subpeid", Source::Fixed(Fixed::SubPeId)),
    ("msb1", Source::Fixed(Fixed::Msb1)),
];

/// Parses an input operand.
pub(super) fn input(mut cursor: Cursor) -> Parsed<Input> {
    let start = cursor;
    let negate = cursor.eat("-");
    cursor.expect("$")?;
    let named = NAMED_SOURCES.iter().find(|(name, _)| {
        let tail = cursor.rest().strip_prefix(name);
        tail.is_some_and(|tail| matches!(tail, "" | "e" | "r"))
    });
    let source = match named {
        Some(&(name, source)) => {
            cursor.eat(name);
            source
        }
        None => memory_or_t(&mut cursor)?.map_or(Source::T, Source::Memory),
    };
    let convert = if cursor.eat("e") {
        Convert::Widen
    } else if cursor.eat("r") {
        Convert::Narrow
    } else {
        Convert::None
    };
    cursor.expect_end("not part of an operand that is read")?;
    Ok(Input {
        span: start.span_to_end(),
        source,
        negate,
        convert,
    })
}

/// Parses an output operand.
pub(super) fn output(mut cursor: Cursor) -> Parsed<Output> {
    let start = cursor;
    cursor.expect("$")?;
    if NAMED_SOURCES.iter().any(|(name, _)| *name == cursor.rest()) {
        let message = format!("`{}` can only be read", start.rest());
        return Err(start.error_here(message).with_section("3.6.1"));
    }
    let target = target(&mut cursor)?;
    let mut mask = None;
    if cursor.eat("/") {
        let found = mask_pattern(&mut cursor)?;
        check_suffix(&mut cursor, &target, found)?;
        mask = Some(found);
    }
    cursor.expect_end("not part of an operand that is written")?;
    if target == Target::Nowrite && mask.is_some() {
        return Err(start.error_here("`$nowrite` cannot have a mask"));
    }
    Ok(Output {
        span: start.span_to_end(),
        target,
        mask,
    })
}

/// Parses the destination of an output operand, after `$`.
fn target(cursor: &mut Cursor) -> Parsed<Target> {
    if cursor.eat("nowrite") {
        return Ok(Target::Nowrite);
    }
    if cursor.eat("omr") {
        let start = *cursor;
        let entry = cursor.natural_below(16, "a mask register")? as u8;
        if entry == 0 {
            return Err(start
                .error_here("mask entry 0 is fixed; 1 to 15 can be written")
                .with_section("3.6.2"));
        }
        return Ok(Target::MaskRegister(entry));
    }
    for (name, bank, width) in [
        ("mb", Bank::Lm0, Width::Single),
        ("lmb", Bank::Lm0, Width::Long),
        ("nb", Bank::Lm1, Width::Single),
        ("lnb", Bank::Lm1, Width::Long),
    ] {
        if cursor.eat(name) {
            return Ok(Target::Base(bank, width));
        }
    }
    Ok(memory_or_t(cursor)?.map_or(Target::T, Target::Memory))
}

/// Parses a PE memory operand, or returns `None` for the T register, after `$`.
fn memory_or_t(cursor: &mut Cursor) -> Parsed<Option<MemoryOperand>> {
    let start = *cursor;
    let width = if cursor.eat("ll") {
        Width::Double
    } else if cursor.eat("l") {
        Width::Long
    } else {
        Width::Single
    };
    let letter = cursor.next_char(|c| c.is_ascii_alphabetic());
    if letter == Some('t') {
        return Ok(None);
    }
    let Some(bank) = letter.and_then(Bank::from_letter) else {
        return Err(unknown(start));
    };
    memory(cursor, bank, width).map(Some)
}

/// Returns the diagnostic for an unknown operand.
fn unknown(start: Cursor) -> crate::diagnostic::Diagnostic {
    let error = start
        .error_here("no such operand here")
        .with_section("3.6.1");
    match start.rest().chars().next() {
        Some('1') => error.with_hint("the width is the letter l, not the digit 1"),
        _ => error.with_hint(
            "PE memories are $r $s $m $n (with l or ll for the width), $t; read only: $mauf $aluf \
             $lbf $mreadf and fixed values; written only: $omr<n> $mb $nb $nowrite",
        ),
    }
}

/// Parses the address of a PE memory operand and its modifier.
fn memory(cursor: &mut Cursor, bank: Bank, width: Width) -> Parsed<MemoryOperand> {
    let indirect = bank == Bank::Lm0 && cursor.eat("t");
    let digit = cursor.rest().starts_with(|c: char| c.is_ascii_digit());
    let pattern = if cursor.rest().starts_with('[') {
        flat(cursor, bank, width)?
    } else if indirect && !digit {
        Pattern::Stride { base: 0, stride: 0 }
    } else {
        stride(cursor, bank, width)?
    };
    let mut modify = if indirect { Modify::T } else { Modify::None };
    let start = *cursor;
    if bank.is_local() && cursor.eat("j") {
        if indirect {
            return Err(start
                .error_here("T indirection and `j` exclude each other")
                .with_section("3.6.1.6"));
        }
        modify = Modify::UpToPe(cursor.natural_below(4, "a PE number")? as u8);
    }
    Ok(MemoryOperand {
        bank,
        width,
        pattern,
        modify,
    })
}

/// `<addr>[v[<adri>]]`.
fn stride(cursor: &mut Cursor, bank: Bank, width: Width) -> Parsed<Pattern> {
    let base = address(cursor, bank, width)?;
    let mut stride = 0;
    if cursor.eat("v") {
        stride = if cursor.rest().starts_with(|c: char| c.is_ascii_digit()) {
            address(cursor, bank, width)?
        } else {
            width.words()
        };
    }
    Ok(Pattern::Stride { base, stride })
}

/// `[<addr0>,<addr1>,<addr2>,<addr3>]`.
fn flat(cursor: &mut Cursor, bank: Bank, width: Width) -> Parsed<Pattern> {
    let mut addresses = [0; 4];
    for (index, slot) in addresses.iter_mut().enumerate() {
        cursor.expect(if index == 0 { "[" } else { "," })?;
        cursor.skip_blanks();
        *slot = address(cursor, bank, width)?;
        cursor.skip_blanks();
    }
    cursor.expect("]")?;
    Ok(Pattern::Flat(addresses))
}

/// Parses a single word address, or an increment, and checks its alignment.
fn address(cursor: &mut Cursor, bank: Bank, width: Width) -> Parsed<u16> {
    let start = *cursor;
    let what = match bank {
        Bank::Grf0 => "an address in GRF0",
        Bank::Grf1 => "an address in GRF1",
        Bank::Lm0 => "an address in LM0",
        Bank::Lm1 => "an address in LM1",
    };
    let section = bank.section();
    let value = cursor.natural_below(bank.words().into(), what);
    let value = value.map_err(|error| error.with_section(section))? as u16;
    let unit = width.words();
    if value % unit == 0 {
        return Ok(value);
    }
    let mut error = start.error_here(format!(
        "{value} is not a multiple of {unit}, which an access of {} needs",
        width.name()
    ));
    error.span = start.span_to(cursor);
    Err(error.with_section(section))
}

/// Parses a mask as written after `/`, without the suffixes `t` and `p`.
///
/// # Errors
/// Text that is not a mask.
pub fn parse_mask(text: &str) -> Parsed<Mask> {
    let mut cursor = Cursor::new(1, text);
    let mask = mask_pattern(&mut cursor)?;
    cursor.expect_end("not part of a mask")?;
    Ok(mask)
}

/// Parses `[ll]<pattern>` or `$[ll]imr<n>`, after `/` (section 3.6.2.1).
pub(super) fn mask_pattern(cursor: &mut Cursor) -> Parsed<Mask> {
    let start = *cursor;
    if cursor.eat("$") {
        let wide = cursor.eat("ll");
        cursor.expect("imr")?;
        let number = *cursor;
        let entry = cursor.natural_below(16, "a mask register")? as u8;
        if entry == 0 {
            return Err(number
                .error_here("mask registers are 1 to 15")
                .with_section("3.6.2.1"));
        }
        return Ok(Mask { entry, wide });
    }
    let wide = cursor.eat("ll");
    let digits = cursor.take_while(|c| matches!(c, '0' | '1'));
    if digits.len() != 4 {
        return Err(start
            .error_here("a mask is four digits 0 or 1, one for each cycle, or $imr1 to $imr15")
            .with_section("3.6.2.1"));
    }
    let flags = u8::from_str_radix(digits, 2).expect("four binary digits");
    Ok(Mask {
        entry: 16 + flags,
        wide,
    })
}

/// Returns the suffix that confirms that the widths of mask and access differ.
pub(crate) fn mask_suffix(target: &Target, mask: Mask) -> &'static str {
    let double = match target {
        Target::Memory(memory) => memory.width == Width::Double,
        Target::T => true,
        Target::Base(..) => false,
        Target::MaskRegister(_) | Target::Nowrite => mask.wide,
    };
    match (double, mask.wide) {
        (false, true) => "t",
        (true, false) => "p",
        _ => "",
    }
}

/// Checks the suffixes `t` and `p`.
fn check_suffix(cursor: &mut Cursor, target: &Target, mask: Mask) -> Parsed<()> {
    let start = *cursor;
    let found = cursor.take_while(|c| matches!(c, 't' | 'p'));
    let wanted = mask_suffix(target, mask);
    if found == wanted {
        return Ok(());
    }
    let message = match wanted {
        "t" => "the mask is for two long words, the access is not: add `t`",
        "p" => "the access is of two long words, the mask is not: add `p`",
        _ => "the widths of mask and access agree: remove the suffix",
    };
    Err(start.error_here(message).with_section("3.6.2.1"))
}

/// Parses `$lx` or `$ly` of a matrix-vector product.
pub(super) fn matrix_side(mut cursor: Cursor) -> Parsed<Side> {
    let start = cursor;
    let side = if cursor.eat("$lx") {
        Side::X
    } else if cursor.eat("$ly") {
        Side::Y
    } else {
        return Err(start
            .error_here("expected the matrix register $lx or $ly")
            .with_section("3.6.1.14"));
    };
    cursor.expect_end("a matrix product takes the whole register: no address")?;
    Ok(side)
}

/// Parses `$lx<addr>` or `$ly<addr>` of a matrix register write or transposed read.
pub(super) fn matrix_operand(mut cursor: Cursor, precision: Precision) -> Parsed<MatrixRows> {
    let start = cursor;
    let bad = || {
        start
            .error_here("expected rows of a matrix register, such as $lx0")
            .with_section("3.6.1.14")
    };
    if !cursor.eat("$l") {
        return Err(bad());
    }
    let wide = cursor.eat("l");
    let side = match cursor.next_char(|c| matches!(c, 'x' | 'y')) {
        Some('x') => Side::X,
        Some(_) => Side::Y,
        None => return Err(bad()),
    };
    let rows = matrix_rows(precision);
    let what = format!("a row or column in {}", precision.name());
    let first = cursor.natural_below(rows.into(), &what);
    let first = first.map_err(|error| error.with_section("3.6.1.14"))? as u8;
    cursor.expect_end("not part of a matrix operand")?;
    if wide && precision != Precision::Half {
        return Err(start
            .error_here("only half precision moves two rows a cycle")
            .with_section("3.6.1.14"));
    }
    if wide && first % 2 != 0 {
        return Err(start
            .error_here("two rows a cycle start at an even one")
            .with_section("3.6.1.14"));
    }
    Ok(MatrixRows { side, first, wide })
}
