//! MV statements (manual, section 3.5).

use super::cursor::Cursor;
use super::Parsed;
use crate::ast::{Mv, MvMemory, MvOperand, Transfer};
use crate::diagnostic::Diagnostic;
use crate::explain::operand;
use crate::memory::{DAR_ENTRIES, DRAM_WORDS, L2BM_WORDS, PDM_WORDS};
use crate::table::mv::{rows, OperandForm, Row};
use crate::table::Rrn;

/// The exclusive limit of a transfer's length in long words: the size of DRAM.
pub(crate) const MAX_WORDS: u32 = DRAM_WORDS;

/// The exclusive limit of the uses of a DAR entry (`nd`), which the encoding imposes; the manual
/// gives no limit.
const MAX_USES: u64 = 1 << 10;

/// The parameter part of an opcode (sections 3.5.3 to 3.5.7).
#[derive(Default)]
struct Parameters {
    words: Option<u32>,
    tag: Option<u8>,
    priority: u8,
    per_entry: Option<u32>,
}

/// Parses an MV statement.
pub(super) fn mv(whole: Cursor) -> Parsed<Mv> {
    let mut words = whole.words().into_iter();
    let mut opcode = words.next().unwrap_or(whole);
    let start = opcode;
    let mnemonic = opcode.take_while(|c| c.is_ascii_alphanumeric());
    if mnemonic == "mvnop" {
        opcode.expect_end("`mvnop` has no parameters")?;
        return match words.next() {
            None => Ok(Mv { transfer: None }),
            Some(extra) => Err(extra
                .error_here("`mvnop` has no operands")
                .with_section("3.5.8.1")),
        };
    }
    let (stem, rrn) = mode(start, mnemonic)?;
    let parameters = parameters(&mut opcode)?;
    let mut next = |what: &str| {
        let word = words.next();
        word.ok_or_else(|| {
            whole
                .error_here(format!("an operand is missing: {what}"))
                .with_section("3.5")
        })
    };
    let source = place(next("where it reads")?)?;
    let target = place(next("where it writes")?)?;
    if let Some(extra) = words.next() {
        return Err(extra.error_here("one operand too many").with_section("3.5"));
    }
    let row = row(whole, stem, &source, &target)?;
    let Some(length) = parameters.words else {
        return Err(start
            .error_here("the length is missing: n and a number of long words")
            .with_section("3.5.3"));
    };
    check_units(start, row, length, &source, &target)?;
    let indirect = |place: &MvOperand| matches!(place.memory, MvMemory::DramIndirect(_));
    if parameters.per_entry.is_some() && !indirect(&source) && !indirect(&target) {
        return Err(start
            .error_here("`nd` is for DRAM addresses from DAR: $di")
            .with_section("3.5.6"));
    }
    let transfer = Transfer {
        mode: row.mode,
        rrn,
        words: length,
        // Tag 0 cannot be waited for, so it is equivalent to no tag.
        tag: parameters.tag.filter(|&tag| tag != 0),
        priority: parameters.priority,
        per_entry: parameters.per_entry,
        source,
        target,
    };
    Ok(Mv {
        transfer: Some(transfer),
    })
}

/// Splits a mnemonic into stem and reduction.
fn mode(start: Cursor, mnemonic: &str) -> Parsed<(&'static str, Option<Rrn>)> {
    for stem in ["mvp", "mvb2", "mvb4", "mvb", "mvd"] {
        if mnemonic == stem {
            return Ok((stem, None));
        }
    }
    for stem in ["mvr2", "mvr4", "mvr"] {
        if let Some(rrn) = mnemonic.strip_prefix(stem).and_then(Rrn::from_mnemonic) {
            return Ok((stem, Some(rrn)));
        }
    }
    Err(start
        .error_here(format!("unknown MV opcode `{mnemonic}`"))
        .with_section("3.5.8")
        .with_hint(
            "the modes are mvp mvb mvb2 mvb4 mvd mvnop, and mvr mvr2 mvr4 with a reduction such as \
             dfadd"))
}

/// Parses `/n<size>[i<tag>][nd<n>][p<priority>]`, in any order.
fn parameters(cursor: &mut Cursor) -> Parsed<Parameters> {
    let mut found = Parameters::default();
    if cursor.is_end() {
        return Ok(found);
    }
    cursor.expect("/")?;
    while !cursor.is_end() {
        let start = *cursor;
        let twice = |cursor: &Cursor, what: &str| {
            let mut error = start.error_here(format!("{what} is given twice"));
            error.span = start.span_to(cursor);
            error.with_section("3.5.1")
        };
        if cursor.eat("nd") {
            let count = cursor.natural_below(MAX_USES, "a number of uses of a DAR entry")? as u32;
            if count == 0 {
                return Err(start
                    .error_here("a DAR entry is used at least once")
                    .with_section("3.5.6"));
            }
            if found.per_entry.replace(count).is_some() {
                return Err(twice(cursor, "`nd`"));
            }
        } else if cursor.eat("n") {
            let words = cursor.natural_below(MAX_WORDS.into(), "a number of long words")? as u32;
            if found.words.replace(words).is_some() {
                return Err(twice(cursor, "the length"));
            }
        } else if cursor.rest().starts_with('i') {
            let tag = cursor.tag()?;
            if found.tag.replace(tag).is_some() {
                return Err(twice(cursor, "the tag"));
            }
        } else if cursor.eat("p") {
            found.priority = cursor.natural_below(4, "a priority")? as u8;
        } else {
            return Err(start
                .error_here("not a parameter of MV opcodes")
                .with_section("3.5.1")
                .with_hint("n<long words>, i<tag>, nd<uses>, p<priority>"));
        }
    }
    Ok(found)
}

/// Parses an MV operand.
fn place(mut cursor: Cursor) -> Parsed<MvOperand> {
    let start = cursor;
    let (memory, section) = if cursor.eat("$p") {
        let address = cursor.natural_below(PDM_WORDS.into(), "an address in PDM")?;
        (MvMemory::Pdm(address as u32), "3.5.2.1")
    } else if cursor.eat("$di") {
        let entry = cursor.natural_below(DAR_ENTRIES.into(), "a DAR entry")?;
        (MvMemory::DramIndirect(entry as u16), "3.5.2.2")
    } else if cursor.eat("$d") {
        let address = cursor.natural_below(DRAM_WORDS.into(), "an address in DRAM")?;
        (MvMemory::Dram(address as u32), "3.5.2.2")
    } else if cursor.eat("$lc") {
        let address = cursor.natural_below(L2BM_WORDS.into(), "an address in L2BM")?;
        (MvMemory::L2bm(address as u16), "3.5.2.3")
    } else {
        return Err(start
            .error_here("MV operands are $p<addr>, $d<addr>, $di<entry> and $lc<addr>")
            .with_section("3.5.2"));
    };
    let mut group = None;
    let mut l2b = None;
    if cursor.eat("@") {
        if !cursor.rest().starts_with('.') {
            group = Some(cursor.natural_below(4, "a group")? as u8);
        }
        if matches!(memory, MvMemory::L2bm(_)) && cursor.eat(".") {
            l2b = Some(cursor.natural_below(2, "an L2B number")? as u8);
        }
    }
    let end = cursor.expect_end("not part of an MV operand");
    end.map_err(|error| error.with_section(section))?;
    Ok(MvOperand {
        span: start.span_to_end(),
        memory,
        group,
        l2b,
    })
}

/// Returns the row of a stem that matches the operands.
fn row(whole: Cursor, stem: &str, source: &MvOperand, target: &MvOperand) -> Parsed<&'static Row> {
    let of_stem = || rows().iter().filter(|row| row.stem == stem);
    let exact = of_stem().find(|row| row.source.0 == form(source) && row.target.0 == form(target));
    // Public programs that the vendor's assembler accepts omit the L2B in the source of `mvp`.
    let lenient = || {
        let each = |place: OperandForm| {
            place == OperandForm::L2bmSide && form(source) == OperandForm::L2bmAll
        };
        of_stem().find(|row| stem == "mvp" && each(row.source.0) && row.target.0 == form(target))
    };
    exact.or_else(lenient).ok_or_else(|| {
        let forms: Vec<String> = of_stem()
            .map(|row| format!("{} {}", operand(row.source.0), operand(row.target.0)))
            .collect();
        whole
            .error_here(format!("`{stem}` does not support these operands"))
            .with_section("3.5.8")
            .with_hint(format!("it takes {}", forms.join(", or ")))
    })
}

/// Returns the form of an operand.
fn form(place: &MvOperand) -> OperandForm {
    match (place.memory, place.group, place.l2b) {
        (MvMemory::Pdm(_), Some(_), _) => OperandForm::PdmOne,
        (MvMemory::Pdm(_), None, _) => OperandForm::PdmAll,
        (MvMemory::Dram(_) | MvMemory::DramIndirect(_), Some(_), _) => OperandForm::DramOne,
        (MvMemory::Dram(_) | MvMemory::DramIndirect(_), None, _) => OperandForm::DramAll,
        (MvMemory::L2bm(_), Some(_), Some(_)) => OperandForm::L2bmOne,
        (MvMemory::L2bm(_), None, Some(_)) => OperandForm::L2bmSide,
        (MvMemory::L2bm(_), Some(_), None) => OperandForm::L2bmGroup,
        (MvMemory::L2bm(_), None, None) => OperandForm::L2bmAll,
    }
}

/// Checks that length and addresses are multiples of the unit (section 3.5.3).
fn check_units(
    start: Cursor,
    row: &Row,
    length: u32,
    source: &MvOperand,
    target: &MvOperand,
) -> Parsed<()> {
    let unit = row.mode.unit();
    if length == 0 || length % unit != 0 {
        return Err(start
            .error_here(format!(
                "the length {length} is not a positive multiple of {unit}"
            ))
            .with_section(row.section));
    }
    for (place, (_, unit)) in [(source, row.source), (target, row.target)] {
        let address = match place.memory {
            MvMemory::Pdm(address) | MvMemory::Dram(address) => address,
            MvMemory::L2bm(address) => address.into(),
            MvMemory::DramIndirect(_) => continue,
        };
        if address % unit != 0 {
            let message = format!(
                "the address {address} is not a multiple of {unit}, the unit of this transfer"
            );
            return Err(Diagnostic::new(place.span, message).with_section("3.5.3"));
        }
    }
    if row.mode == crate::table::MvMode::PdmReduce2 && source.group != target.group {
        return Err(
            Diagnostic::new(target.span, "both operands are of the same group")
                .with_section(row.section),
        );
    }
    Ok(())
}
