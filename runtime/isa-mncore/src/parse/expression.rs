//! PE expressions (manual, sections 3.6.5 to 3.6.13).

use tessera_diagnostic::nearest;

use super::cursor::Cursor;
use super::{operand, Parsed, MAX_NOPS};
use crate::ast::{Alu, Expression, L1Operand, L1bm, Mask, Mau, Op, Output, PeOperands, Target};
use crate::diagnostic::Diagnostic;
use crate::memory::{Precision, DAR_ENTRIES, L1BM_WORDS, L2BM_WORDS};
use crate::table::l1bm::{self, Parameter};
use crate::table::l2bm::{self, Direction, L1bSelection};
use crate::table::mau::Port;
use crate::table::{self, AluOp, L1bSet, L1bmKind, L1bmOp, L2bmKind, L2bmOp, MauOp, Opcode, Rrn};

/// An expression split into words, of which only the opcode has been parsed.
struct Words<'a> {
    /// The whole expression.
    whole: Cursor<'a>,
    /// The rest of the first word after the mnemonic.
    suffix: Cursor<'a>,
    /// The operands that have not been parsed yet.
    operands: std::vec::IntoIter<Cursor<'a>>,
}

impl<'a> Words<'a> {
    /// Returns the next operand.
    fn next(&mut self, what: &str) -> Parsed<Cursor<'a>> {
        self.operands.next().ok_or_else(|| {
            let message = format!("an operand is missing: {what}");
            self.whole.error_here(message).with_section("3.6")
        })
    }

    /// Parses the remaining operands as outputs.
    fn outputs(&mut self) -> Parsed<Vec<Output>> {
        let outputs = self.operands.by_ref().map(operand::output);
        let outputs = outputs.collect::<Parsed<Vec<Output>>>()?;
        if outputs.is_empty() {
            return Err(self
                .whole
                .error_here("a destination is missing")
                .with_section("3.6")
                .with_hint("`$nowrite` if only the forwarding register is wanted"));
        }
        let nowrite = outputs.iter().find(|o| o.target == Target::Nowrite);
        match nowrite {
            Some(nowrite) if outputs.len() > 1 => Err(Diagnostic::new(
                nowrite.span,
                "`$nowrite` excludes other destinations",
            )
            .with_section("3.6.1.19")),
            _ => Ok(outputs),
        }
    }

    /// Fails if an operand remains.
    fn finish(&mut self) -> Parsed<()> {
        match self.operands.next() {
            None => Ok(()),
            Some(extra) => Err(extra.error_here("one operand too many").with_section("3.6")),
        }
    }

    /// Parses the zero-flush mask after `/`.
    fn zero_flush(&mut self) -> Parsed<Option<Mask>> {
        if self.suffix.eat("/") {
            operand::mask_pattern(&mut self.suffix).map(Some)
        } else {
            Ok(None)
        }
    }
}

/// Parses one expression. Also returns the step count of `nop/n`, or 0 for every other expression.
pub(super) fn expression(whole: Cursor) -> Parsed<(Expression, u32)> {
    let mut words = whole.words().into_iter();
    let Some(mut first) = words.next() else {
        return Err(whole
            .error_here("an expression is missing before or after `;`")
            .with_section("3.6"));
    };
    let start = first;
    let mnemonic = first.take_while(|c| c.is_ascii_alphanumeric());
    let opcode = table::find_opcode(mnemonic).ok_or_else(|| unknown(start, mnemonic))?;
    let mut words = Words {
        whole,
        suffix: first,
        operands: words,
    };
    let mut repeat = 0;
    let mut zero_flush = None;
    let op = match opcode {
        Opcode::Nop => {
            repeat = nops(&mut words.suffix)?;
            Op::Nop
        }
        Opcode::Noforward => Op::Noforward,
        Opcode::Wait => wait(&mut words)?,
        Opcode::DarStart => dar_start(&mut words)?,
        Opcode::DarWrite => Op::DarWrite,
        Opcode::L2bm(kind, rrn) => l2bm(&mut words, kind, rrn)?,
        Opcode::L1bm(kind, rrn, narrow) => {
            let op = l1bm(&mut words, kind, rrn, narrow)?;
            if !op.outputs().is_empty() {
                zero_flush = words.zero_flush()?;
            }
            op
        }
        Opcode::Mau(op) => {
            zero_flush = words.zero_flush()?;
            mau(&mut words, op)?
        }
        Opcode::Mwrite(precision) => {
            let input = operand::input(words.next("what is written")?)?;
            let matrix = words.next("rows of a matrix register, such as $lx0")?;
            let matrix = operand::matrix_operand(matrix, precision)?;
            Op::Mwrite {
                precision,
                input,
                matrix,
            }
        }
        Opcode::Mread(precision) => {
            zero_flush = words.zero_flush()?;
            mread(&mut words, precision)?
        }
        Opcode::Alu(op) => {
            let op = mantissa(&mut words.suffix, op)?;
            zero_flush = words.zero_flush()?;
            alu(&mut words, op)?
        }
    };
    words
        .suffix
        .expect_end(&format!("not part of the opcode `{mnemonic}`"))?;
    words.finish()?;
    let expression = Expression {
        span: whole.span_to_end(),
        op,
        zero_flush,
    };
    Ok((expression, repeat))
}

/// Returns the diagnostic for an unknown mnemonic.
fn unknown(start: Cursor, mnemonic: &str) -> Diagnostic {
    let mut error = start.error_here(format!("unknown opcode `{}`", start.rest()));
    error.section = Some("3.6");
    match nearest(mnemonic, table::mnemonics()) {
        Some(known) => error.with_hint(format!("did you mean `{known}`?")),
        None => error,
    }
}

/// Parses `nop[/<n>]`.
fn nops(suffix: &mut Cursor) -> Parsed<u32> {
    if !suffix.eat("/") {
        return Ok(1);
    }
    let start = *suffix;
    let count = suffix.natural("a number of steps")?;
    if count == 0 || count > u64::from(MAX_NOPS) {
        return Err(start
            .error_here(format!("nop/n is for 1 to {MAX_NOPS} steps"))
            .with_section("3.6.5"));
    }
    Ok(count as u32)
}

/// Parses `wait <tag>`.
fn wait(words: &mut Words) -> Parsed<Op> {
    let mut operand = words.next("a tag, such as i01")?;
    let start = operand;
    let tag = operand.tag()?;
    operand.expect_end("`wait` takes one tag")?;
    if tag == 0 {
        return Err(start
            .error_here("tag 0 cannot be waited for")
            .with_section("3.6.13"));
    }
    Ok(Op::Wait(tag))
}

/// Parses `l2bmdars $lc<addr>@.<l2b> $dar<addr>`.
fn dar_start(words: &mut Words) -> Parsed<Op> {
    let mut from = words.next("a place in L2BM, such as $lc0@.0")?;
    from.expect("$lc")?;
    let l2 = multiple_below(&mut from, L2BM_WORDS, 64, "an address in L2BM", "3.6.1.2")?;
    from.expect("@.")?;
    let l2b = from.natural_below(2, "an L2B number")? as u8;
    from.expect_end("not part of the operand")?;
    let mut to = words.next("a DAR entry, such as $dar0")?;
    to.expect("$dar")?;
    let dar = to.natural_below(DAR_ENTRIES.into(), "a DAR entry")? as u16;
    to.expect_end("not part of the operand")?;
    Ok(Op::DarStart { l2, l2b, dar })
}

/// Parses a long word address that must be a multiple of `unit`.
fn multiple_below(
    cursor: &mut Cursor,
    limit: u32,
    unit: u16,
    what: &str,
    section: &'static str,
) -> Parsed<u16> {
    let start = *cursor;
    let value = cursor.natural_below(limit.into(), what);
    let value = value.map_err(|error| error.with_section(section))? as u16;
    if value % unit == 0 {
        return Ok(value);
    }
    let mut error = start.error_here(format!(
        "{value} is not a multiple of {unit}, as {what} must be here"
    ));
    error.span = start.span_to(cursor);
    Err(error.with_section(section))
}

/// Parses `l2bm…`: a transfer between L2BM and L1BM.
fn l2bm(words: &mut Words, kind: L2bmKind, rrn: Option<Rrn>) -> Parsed<Op> {
    let mut first = words.next("where it reads")?;
    let mut second = words.next("where it writes")?;
    let up = first.rest().starts_with("$lb");
    let kind = match kind.row().flow {
        Direction::Down if up => l2bm::reversed(kind).unwrap_or(kind),
        _ => kind,
    };
    let row = kind.row();
    let set = l1b_set(&mut words.suffix, row.select, row.section)?;
    let (l2, l1) = match row.flow {
        Direction::Down => (l2_address(&mut first, row)?, l1_address(&mut second, row)?),
        Direction::Up => {
            let l1 = l1_address(&mut first, row)?;
            (l2_address(&mut second, row)?, l1)
        }
        Direction::Across => (l1_address(&mut first, row)?, l1_address(&mut second, row)?),
    };
    let op = L2bmOp { kind, set, rrn };
    Ok(Op::L2bm { op, l2, l1 })
}

/// Parses `$lc<addr>`.
fn l2_address(cursor: &mut Cursor, row: &l2bm::Row) -> Parsed<u16> {
    if !cursor.eat("$lc") {
        return Err(cursor
            .error_here("expected a place in L2BM, such as $lc0")
            .with_section(row.section));
    }
    let address = multiple_below(
        cursor,
        L2BM_WORDS,
        row.l2_rate,
        "an address in L2BM",
        row.section,
    )?;
    cursor.expect_end("a PE instruction's L2BM operand is $lc<addr>, for all L2B")?;
    Ok(address)
}

/// Parses `$lb<addr>` of an L2BM expression.
fn l1_address(cursor: &mut Cursor, row: &l2bm::Row) -> Parsed<u16> {
    if !cursor.eat("$lb") {
        return Err(cursor
            .error_here("expected a place in L1BM, such as $lb0")
            .with_section(row.section));
    }
    let address = multiple_below(
        cursor,
        L1BM_WORDS,
        row.l1_rate,
        "an address in L1BM",
        row.section,
    )?;
    cursor.expect_end("an L2BM expression's L1BM operand is $lb<addr>")?;
    Ok(address)
}

/// Parses `[@<l1bset>]` (section 3.6.7.1).
fn l1b_set(suffix: &mut Cursor, select: L1bSelection, section: &'static str) -> Parsed<L1bSet> {
    let start = *suffix;
    let set = if !suffix.eat("@") {
        L1bSet::ALL
    } else if suffix.eat("[") {
        listed_set(suffix)?
    } else {
        let base = suffix.natural_below(8, "an L1B number")? as u8;
        let hidden = if suffix.eat("/") {
            suffix.natural_below(8, "an immode")? as u8
        } else {
            0
        };
        L1bSet::new(base, hidden)
    };
    if select.allows(set) {
        return Ok(set);
    }
    let message = match select {
        L1bSelection::None => "this opcode takes no L1B set",
        L1bSelection::One => "this opcode requires one L1B after `@`",
        L1bSelection::Proper | L1bSelection::Optional => {
            "this opcode requires some but not all L1B after `@`"
        }
    };
    Err(start.error_here(message).with_section(section))
}

/// Parses `<l1blist>]`.
fn listed_set(suffix: &mut Cursor) -> Parsed<L1bSet> {
    let start = *suffix;
    let mut members = 0u8;
    loop {
        suffix.skip_blanks();
        members |= 1 << suffix.natural_below(8, "an L1B number")?;
        suffix.skip_blanks();
        if !suffix.eat(",") {
            break;
        }
    }
    suffix.expect("]")?;
    L1bSet::from_members(members).ok_or_else(|| {
        start
            .error_here("no immode selects exactly these L1B")
            .with_section("3.6.7.1")
            .with_hint(
                "a set has 1, 2, 4 or 8 members, which agree in all bits but some: see table 3.7",
            )
    })
}

/// Parses `l1bm…`: a transfer between L1BM and PEs.
fn l1bm(words: &mut Words, kind: L1bmKind, rrn: Option<Rrn>, narrow: bool) -> Parsed<Op> {
    let first = words.next("where it reads")?;
    let down = is_l1_place(first.rest());
    let kind = match kind.row().down {
        true if !down => l1bm::reversed(kind).unwrap_or(kind),
        _ => kind,
    };
    let mut op = L1bmOp {
        rrn,
        narrow,
        ..L1bmOp::new(kind, false)
    };
    l1bm_parameter(&mut words.suffix, &mut op)?;
    if kind.row().down {
        let l1 = l1_place(first, &mut op)?;
        let outputs = words.outputs()?;
        let pe = PeOperands::Down(outputs);
        return Ok(Op::L1bm(L1bm { op, l1, pe }));
    }
    let input = operand::input(first)?;
    let second = words.next("a place in L1BM, such as $lb0")?;
    let l1 = l1_place(second, &mut op)?;
    let pe = PeOperands::Up(input);
    Ok(Op::L1bm(L1bm { op, l1, pe }))
}

/// Returns whether an operand is `$lb…` or `$llb…`, and not the forwarding register `$lbf`.
fn is_l1_place(text: &str) -> bool {
    let tail = text
        .strip_prefix("$llb")
        .or_else(|| text.strip_prefix("$lb"));
    tail.is_some_and(|tail| tail == "i" || tail.starts_with(|c: char| c.is_ascii_digit()))
}

/// Parses the parameter after the stem: `@<mab>` or a shift.
fn l1bm_parameter(suffix: &mut Cursor, op: &mut L1bmOp) -> Parsed<()> {
    match op.kind.row().parameter {
        Parameter::Mab(count) => {
            if !suffix.eat("@") {
                return Err(suffix
                    .error_here(format!(
                        "from PEs, this opcode names a MAB: @0 to @{}",
                        count - 1
                    ))
                    .with_section(op.section())
                    .with_hint("or the operands are in the wrong order"));
            }
            op.mab = suffix.natural_below(count.into(), "a MAB number")? as u8;
        }
        Parameter::Shift => {
            let negative = suffix.eat("-");
            if negative || suffix.eat("+") {
                let shift = suffix.natural_below(16, "a shift by MABs")? as i8;
                op.shift = if negative { -shift } else { shift };
            }
        }
        Parameter::None | Parameter::Reduction => {}
    }
    Ok(())
}

/// Parses `$lb<addr>`, `$llb<addr>`, `$lbi` or `$llbi`, and sets the width of `op`.
fn l1_place(mut cursor: Cursor, op: &mut L1bmOp) -> Parsed<L1Operand> {
    let start = cursor;
    let double = cursor.eat("$llb");
    if !double && !cursor.eat("$lb") {
        return Err(start
            .error_here("expected a place in L1BM, such as $lb0")
            .with_section("3.6.1.5"));
    }
    if double && op.halves_result() {
        return Err(start
            .error_here("results in half precision are a long word: $lb")
            .with_section("3.6.8.5"));
    }
    if double && !op.has_wide_form() {
        let error = start.error_here("this opcode has no form of two long words");
        return Err(match op.rrn {
            Some(_) => error
                .with_section("3.6.8.13")
                .with_hint("only reductions in single precision and bitwise or have one"),
            None => error.with_section(op.section()),
        });
    }
    op.wide = double || op.halves_result();
    if cursor.eat("i") {
        cursor.expect_end("`$lbi` has no address")?;
        return Ok(L1Operand::Turnaround);
    }
    let number = cursor;
    let address = multiple_below(
        &mut cursor,
        L1BM_WORDS,
        op.alignment(),
        "an address in L1BM",
        op.section(),
    )?;
    cursor.expect_end("not part of an L1BM operand")?;
    if op.kind == L1bmKind::PeBroadcast && op.wide && address % 64 > 56 {
        return Err(number
            .error_here("the lower six bits of this address are at most 56")
            .with_section("3.6.8.7"));
    }
    Ok(L1Operand::Address(address))
}

/// Parses MAU arithmetic.
fn mau(words: &mut Words, op: MauOp) -> Parsed<Op> {
    let matrix = if op.kind.is_matrix() {
        Some(operand::matrix_side(words.next("$lx or $ly")?)?)
    } else {
        None
    };
    let mut inputs = Vec::new();
    for port in op.kind.row().ports {
        inputs.push(operand::input(words.next(port_name(*port))?)?);
    }
    let outputs = words.outputs()?;
    Ok(Op::Mau(Mau {
        op,
        matrix,
        inputs,
        outputs,
    }))
}

/// Returns the role of an operand of MAU arithmetic, for messages.
const fn port_name(port: Port) -> &'static str {
    match port {
        Port::Vector => "the vector",
        Port::A => "the first input",
        Port::B => "the second factor",
        Port::C => "the addend",
    }
}

/// Parses a transposed read of a matrix register.
fn mread(words: &mut Words, precision: Precision) -> Parsed<Op> {
    let start = words.next("columns of a matrix register, such as $lx0")?;
    let matrix = operand::matrix_operand(start, precision)?;
    if precision == Precision::Half && !matrix.wide {
        return Err(start
            .error_here("`hmread` reads two columns a cycle: $llx or $lly")
            .with_section("3.6.11.3"));
    }
    let outputs = words.outputs()?;
    Ok(Op::Mread {
        precision,
        matrix,
        outputs,
    })
}

/// Parses `/<n>` of half precision block float conversions.
fn mantissa(suffix: &mut Cursor, op: AluOp) -> Parsed<AluOp> {
    if !op.takes_mantissa() {
        return Ok(op);
    }
    let start = *suffix;
    let length = if suffix.eat("/") {
        suffix.natural_below(10, "a mantissa length")?
    } else {
        0
    };
    if length < 6 {
        return Err(start
            .error_here(
                "a half precision block float conversion requires the number of bits to keep: /6 \
                 to /9",
            )
            .with_section("3.6.12.12"));
    }
    Ok(AluOp {
        mantissa: length as u8,
        ..op
    })
}

/// Parses ALU arithmetic.
fn alu(words: &mut Words, op: AluOp) -> Parsed<Op> {
    let mut immediate = 0;
    if op.kind.is_immediate() {
        let mut literal = words.next("an immediate, such as i\"1\"")?;
        immediate = literal.immediate()?;
        literal.expect_end("not part of an immediate")?;
    }
    let mut inputs = Vec::new();
    for what in ["input 1", "input 2"]
        .into_iter()
        .take(op.kind.row().inputs)
    {
        inputs.push(operand::input(words.next(what)?)?);
    }
    let outputs = words.outputs()?;
    Ok(Op::Alu(Alu {
        op,
        immediate,
        inputs,
        outputs,
    }))
}
