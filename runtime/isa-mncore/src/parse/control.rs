//! `d get`, `d set` (manual, sections 3.4.3 and 3.4.4) and host statements.

use super::cursor::Cursor;
use super::Parsed;
use crate::ast::{DebugMemory, DebugOperand, Get, GetFormat, Host, Set, StatementKind};
use crate::diagnostic::{Diagnostic, Span};
use crate::memory::{Bank, Precision, Side, Width, DRAM_WORDS, PDM_WORDS};

/// Parses `d get` or `d set`.
pub(super) fn debug(mut cursor: Cursor) -> Parsed<StatementKind> {
    let text = cursor.rest();
    let start = cursor;
    cursor.expect("d")?;
    cursor.skip_blanks();
    if cursor.eat("get") {
        return get(cursor, text).map(StatementKind::Get);
    }
    if cursor.eat("set") {
        return set(cursor).map(StatementKind::Set);
    }
    Err(start
        .error_here("expected `d get` or `d set`")
        .with_section("3.4"))
}

/// Parses `d get[<dtype>] <memory>[n…][c…][b…][m…][p…] <count>`.
fn get(mut cursor: Cursor, text: &str) -> Parsed<Get> {
    let start = cursor;
    let name = cursor.take_while(|c| c.is_ascii_alphabetic());
    let precision = match name.strip_prefix('b').unwrap_or(name) {
        "d" => Some(Precision::Double),
        "f" => Some(Precision::Single),
        "g" => Some(Precision::Pseudo),
        "h" => Some(Precision::Half),
        _ => None,
    };
    let format = match (name, precision) {
        ("", _) => GetFormat::Plain,
        (_, Some(precision)) if name.starts_with('b') => GetFormat::BlockFloat(precision),
        (_, Some(precision)) if precision != Precision::Pseudo => GetFormat::Number(precision),
        _ => {
            return Err(start
                .error_here("the format is d, f, h, bd, bf, bg, bh or nothing")
                .with_section("3.4.3"))
        }
    };
    let (place, where_) = place(&mut cursor)?;
    let (count, counted) = count(&mut cursor, &place, where_)?;
    cursor.expect_end("`d get` ends with a number of words")?;
    check_format(where_, format, &place)?;
    check_count(counted, count, format, &place)?;
    Ok(Get {
        format,
        place,
        count,
        text: text.to_owned(),
    })
}

/// Checks that a format is allowed for a memory.
fn check_format(start: Cursor, format: GetFormat, place: &DebugOperand) -> Parsed<()> {
    let bits = match format {
        GetFormat::Plain => 64,
        GetFormat::Number(precision) | GetFormat::BlockFloat(precision) => precision.bits(),
    };
    let width = match place.memory {
        DebugMemory::Mask(_) => return Ok(()),
        DebugMemory::Matrix(..) if format == GetFormat::Plain => {
            return Err(start
                .error_here("a matrix register needs a format, such as `d getf`")
                .with_section("3.4.3"))
        }
        DebugMemory::Pe(_, width, _) | DebugMemory::L1bm(width, _) | DebugMemory::T(width) => width,
        _ => Width::Long,
    };
    if u32::from(width.words()) * 32 < bits {
        return Err(start
            .error_here(format!(
                "the format reads {bits} bits, the access has fewer"
            ))
            .with_section("3.4.3")
            .with_hint("add l before the letter of the memory, or choose a narrower format"));
    }
    Ok(())
}

/// Parses `d set <memory>[n…][c…][b…][m…][p…] <count> <payload>`.
fn set(mut cursor: Cursor) -> Parsed<Set> {
    let (place, where_) = place(&mut cursor)?;
    if matches!(
        place.memory,
        DebugMemory::Pdm(_) | DebugMemory::Dram(_) | DebugMemory::Matrix(..) | DebugMemory::Mask(_)
    ) {
        return Err(where_
            .error_here("`d set` writes L2BM, L1BM, GRF, LM and T only")
            .with_section("3.4.4"));
    }
    let (count, counted) = count(&mut cursor, &place, where_)?;
    check_count(counted, count, GetFormat::Plain, &place)?;
    cursor.skip_blanks();
    let start = cursor;
    let payload = payload(&mut cursor)?;
    let wide = match place.memory {
        DebugMemory::L1bm(width, _) | DebugMemory::Pe(_, width, _) | DebugMemory::T(width) => {
            width == Width::Double
        }
        _ => false,
    };
    let wanted = u64::from(count) * if wide { 2 } else { 1 };
    if payload.len() as u64 != wanted {
        return Err(start
            .error_here(format!(
                "expected {wanted} long words, found {}",
                payload.len()
            ))
            .with_section("3.4.4"));
    }
    Ok(Set {
        place,
        count,
        payload,
    })
}

/// Checks that all accesses are inside the memory.
fn check_count(counted: Span, count: u32, format: GetFormat, place: &DebugOperand) -> Parsed<()> {
    match place.memory.range_error(format, count) {
        Some(range_error) => Err(Diagnostic::new(counted, range_error).with_section("3.4.3")),
        None => Ok(()),
    }
}

/// Parses the number of accesses and returns it with its span.
fn count(cursor: &mut Cursor, place: &DebugOperand, where_: Cursor) -> Parsed<(u32, Span)> {
    cursor.skip_blanks();
    let start = *cursor;
    let count = cursor.decimal_below(1 << 32, "a number of words")? as u32;
    if !cursor.is_end() && !cursor.rest().starts_with(char::is_whitespace) {
        return Err(start
            .error_here("a number of words is decimal")
            .with_section("3.4.3"));
    }
    if matches!(place.memory, DebugMemory::T(_)) && !(1..=4).contains(&count) {
        return Err(where_
            .error_here("the T register has 1 to 4 words")
            .with_section("3.4.3"));
    }
    Ok((count, start.span_to(cursor)))
}

/// Parses a memory and the selected groups, blocks and PEs; also returns its position in the text.
fn place<'a>(cursor: &mut Cursor<'a>) -> Parsed<(DebugOperand, Cursor<'a>)> {
    cursor.skip_blanks();
    let start = *cursor;
    let mut word = cursor.words().into_iter().next().unwrap_or(start);
    cursor.eat(word.rest());
    let whole = word;
    let memory = memory(&mut word)?;
    let mut place = DebugOperand {
        memory,
        group: None,
        l2b: None,
        l1b: None,
        mab: None,
        pe: None,
    };
    for (letter, limit, what, slot) in [
        ("n", 4, "a group", &mut place.group),
        ("c", 2, "an L2B", &mut place.l2b),
        ("b", 8, "an L1B", &mut place.l1b),
        ("m", 16, "a MAB", &mut place.mab),
        ("p", 4, "a PE", &mut place.pe),
    ] {
        if word.eat(letter) {
            *slot = Some(word.decimal_below(limit, what)? as u8);
        }
    }
    if place.group.is_none() && (place.l2b.is_some() || place.l1b.is_some()) {
        return Err(whole
            .error_here("an L2B or L1B requires a group: n, then c and b")
            .with_section("3.4.3"));
    }
    let end = word.expect_end(
        "not part of a place: n, c, b, m, p and numbers follow the address, in this order",
    );
    end.map_err(|error| error.with_section("3.4.3"))?;
    Ok((place, whole))
}

/// Parses `<memory>` with its address.
fn memory(word: &mut Cursor) -> Parsed<DebugMemory> {
    let start = *word;
    word.expect("$")?;
    if word.eat("omr") {
        return Ok(DebugMemory::Mask(
            word.natural_below(crate::memory::MASK_ENTRIES.into(), "a mask entry")? as u32,
        ));
    }
    let width = if word.eat("ll") {
        Width::Double
    } else if word.eat("l") {
        Width::Long
    } else {
        Width::Single
    };
    let letter = word.next_char(|c| c.is_ascii_alphabetic());
    let bad = || {
        start
            .error_here("no such memory for `d get` or `d set`")
            .with_section("3.4.3")
            .with_hint(
                "$p $d $lc $lb $llb, $r $s $m $n (with l or ll for the width), $t, $lx $ly, $omr",
            )
    };
    if letter == Some('t') {
        // `$t` is a long word too.
        let width = width.max(Width::Long);
        return Ok(DebugMemory::T(width));
    }
    let mut address = |limit: u32, what: &str| {
        let value = word.natural_below(limit.into(), what);
        value
            .map(|value| value as u32)
            .map_err(|error| error.with_section("3.4.3"))
    };
    Ok(match (letter, width) {
        (Some('p'), Width::Single) => DebugMemory::Pdm(address(PDM_WORDS, "an address in PDM")?),
        (Some('d'), Width::Single) => DebugMemory::Dram(address(DRAM_WORDS, "an address in DRAM")?),
        (Some('c'), Width::Long) => {
            DebugMemory::L2bm(address(crate::memory::L2BM_WORDS, "an address in L2BM")?)
        }
        (Some('b'), Width::Long | Width::Double) => DebugMemory::L1bm(
            width,
            address(crate::memory::L1BM_WORDS, "an address in L1BM")?,
        ),
        (Some('x'), Width::Long) => DebugMemory::Matrix(Side::X, address(16, "a row")?),
        (Some('y'), Width::Long) => DebugMemory::Matrix(Side::Y, address(16, "a row")?),
        (Some(letter), _) => {
            let bank = Bank::from_letter(letter).ok_or_else(bad)?;
            let at = address(
                bank.words().into(),
                &format!("an address in {}", bank.name()),
            )?;
            DebugMemory::Pe(bank, width, at)
        }
        (None, _) => return Err(bad()),
    })
}

/// Parses long words: 16 digits each, or each with a letter in front (table 3.4).
fn payload(cursor: &mut Cursor) -> Parsed<Vec<u64>> {
    let mut words = Vec::new();
    let plain = cursor.rest().starts_with(|c: char| c.is_ascii_hexdigit());
    while !cursor.is_end() {
        cursor.skip_blanks();
        if cursor.is_end() {
            break;
        }
        let start = *cursor;
        let bad = |message: &str| start.error_here(message.to_owned()).with_section("3.4.4");
        if plain {
            let digits = cursor.rest().get(..16).unwrap_or_default();
            let word = u64::from_str_radix(digits, 16).ok();
            let word = word.filter(|_| digits.bytes().all(|b| b.is_ascii_hexdigit()));
            words.push(word.ok_or_else(|| bad("a long word is 16 hexadecimal digits"))?);
            cursor.eat(digits);
            continue;
        }
        let (count, digits) = match cursor.next_char(|c| matches!(c, 'l' | 's' | 'h')) {
            Some('l') => (1, 16),
            Some('s') => (2, 8),
            Some(_) => (4, 4),
            None => {
                return Err(bad(
                    "a long word is 16 hexadecimal digits, or l, s or h and one, two or four \
                     numbers separated by `_`",
                ))
            }
        };
        let mut word = 0u64;
        for index in 0..count {
            if index > 0 && !cursor.eat("_") {
                return Err(bad(&format!(
                    "{count} numbers separated by `_` are required"
                )));
            }
            let text = cursor.take_while(|c| c.is_ascii_hexdigit());
            let part = u64::from_str_radix(text, 16).ok();
            let part = part.filter(|_| text.len() <= digits);
            let part =
                part.ok_or_else(|| bad(&format!("1 to {digits} hexadecimal digits are required")))?;
            word = if count == 1 {
                part
            } else {
                word << (64 / count) | part
            };
        }
        words.push(word);
    }
    Ok(words)
}

/// Parses the host statements `r`, `c`, `e` and `f`.
pub(super) fn host(mut cursor: Cursor) -> Parsed<Host> {
    let letter = cursor.next_char(|_| true);
    let field = |cursor: &mut Cursor, digits: usize, what: &str| {
        cursor.skip_blanks();
        cursor.hex(digits, what)
    };
    match letter {
        Some('r') => {
            cursor.skip_blanks();
            let group = cursor.decimal_below(4, "a group")? as u8;
            let address = host_address(&mut cursor, DRAM_WORDS)?;
            let count = field(&mut cursor, 3, "a number of long words")?;
            let payload = host_payload(&mut cursor, count)?;
            Ok(Host::WriteDram {
                group,
                address,
                payload,
            })
        }
        Some('c') => {
            let tag = dma_head(&mut cursor)?;
            let address = host_address(&mut cursor, PDM_WORDS)?;
            cursor.skip_blanks();
            let start = cursor;
            let digits = cursor.take_while(|c| c.is_ascii_hexdigit());
            let count = u64::from_str_radix(digits, 16)
                .map_err(|_| start.error_here("a number of long words is hexadecimal"))?;
            let payload = host_payload(&mut cursor, count)?;
            Ok(Host::ToPdm {
                tag,
                address,
                payload,
            })
        }
        Some('e') => {
            let tag = dma_head(&mut cursor)?;
            let address = host_address(&mut cursor, PDM_WORDS)?;
            let words = field(&mut cursor, 6, "a number of long words")? as u32;
            cursor.expect_end("`e` ends with a number of long words")?;
            Ok(Host::FromPdm {
                tag,
                address,
                words,
            })
        }
        _ => {
            cursor.expect_end("`f` stands alone")?;
            Ok(Host::Fence)
        }
    }
}

/// Parses a long word address of nine digits.
fn host_address(cursor: &mut Cursor, limit: u32) -> Parsed<u32> {
    cursor.skip_blanks();
    let start = *cursor;
    let address = cursor.hex(9, "an address")?;
    if address >= limit.into() {
        return Err(start.error_here(format!("the address is below {limit:#x}")));
    }
    Ok(address as u32)
}

/// Parses `0 0 <tag> i00 0` of `c` and `e`. In public programs only the first tag varies.
fn dma_head(cursor: &mut Cursor) -> Parsed<u8> {
    let mut tag = 0;
    for index in 0..5 {
        cursor.skip_blanks();
        let start = *cursor;
        if index == 2 {
            tag = cursor.tag()?;
            continue;
        }
        let known = if index == 3 { "i00" } else { "0" };
        let word = cursor.take_while(|c| !c.is_whitespace());
        if word != known {
            let mut error = start.error_here(format!("only `{known}` is supported here"));
            error.span = start.span_to(cursor);
            return Err(error.with_hint(
                "the form is c 0 0 <tag> i00 0 <address> <count> <long words>, or e … <count>",
            ));
        }
    }
    Ok(tag)
}

/// Parses `count` long words.
fn host_payload(cursor: &mut Cursor, count: u64) -> Parsed<Vec<u64>> {
    cursor.skip_blanks();
    let start = *cursor;
    let payload = payload(cursor)?;
    if payload.len() as u64 != count {
        return Err(start.error_here(format!(
            "expected {count} long words, found {}",
            payload.len()
        )));
    }
    Ok(payload)
}
